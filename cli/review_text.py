"""A reviewed hand as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from tierce.cli.dealer_text import call_name
from tierce.cli.exchange_text import wrapped
from tierce.cli.render import (
    bold,
    card_text,
    counted,
    cut,
    dim,
    effort,
    grid,
    hand_row,
    joined,
    say,
    width,
    with_signs,
)  # fmt: skip
from tierce.solver.advice.fair_decisions import Fair
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import Mask
from tierce.solver.report import fair_words
from tierce.solver.report import review_words as words
from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import plain
from tierce.solver.report.summary import COLUMNS, FEW_HANDS, Row, Summary

_SEATS: Final = ("Dealer", "Eldest", "Middle")
_MARKS: Final = {"safe": "+", "contested": ".", "lost": "x"}
_NAME: Final = 20  # columns of a player's name
_NAME_LEAST: Final = 8  # of a name in the account's own column; where there is less room the names stand below
_COLUMNS: Final = 80


def show(review: Review, fair: Fair | None = None, *, number: int | None = None, first: bool = True) -> None:
    """The hands, the account, the decisions, the turning points, and how the seats stood after each trick; then what
    players are to blame for, by what they could know. `number`: of the deal, where that of its match is not meant."""
    if not first:
        say()
    state = review.deal.state
    say(bold(f"Deal {number or review.deal.number}: {call_name(state.call)}, {_dealer(review)} dealt."))
    say()
    name = "Discard" if state.discard else None
    for line in hand_row(_at_the_lead(review), state.discard or state.kitty or state.removed, state.profile, name):
        say(line)
    say()
    for line in _account(review):
        say(line)
    say()
    _say(words.meaning(review))
    if review.claim is not None:
        _say(words.claim_text(review))
    if not review.finished:
        _say(f"The hand is not finished: {counted(review.ledger.left)} to come.")
    if not review.whole:
        _say(_begins(review))
    _section("Before the play", _decisions(review))
    _section("Turning points", (words.turn_text(review, turn) for turn in review.turns))
    _section("Cards that cost something", _costly(review))
    _tricks(review)
    if fair is not None:
        _fair(review, fair)
    say()
    nodes, millis = (0, 0.0) if fair is None else (fair.nodes, fair.millis)
    say(effort(review.nodes + nodes, review.millis + millis))


def _begins(review: Review) -> str:
    """Where an account that is not whole begins."""
    plays = review.ledger.plays
    if not plays:
        return "The cards were not judged in time."
    place = ("with", "with the second card of", "with the last card of")[
        (sum(len(trick.cards) for trick in review.deal.state.tricks) + len(review.deal.state.trick) - len(plays)) % 3
    ]
    return f"The first cards were not judged in time: the account begins {place} trick {plays[0].trick}."


def _say(text: str, prefix: str = "") -> None:
    for line in wrapped(text, prefix):
        say(line)


def _section(title: str, sentences: Iterator[str]) -> None:
    told = list(sentences)
    if told:
        say()
        say(bold(title))
        for sentence in told:
            _say(with_signs(sentence), "  ")


def _dealer(review: Review) -> str:
    return cut(plain(review.players[review.deal.state.player(0)]), _NAME)


def _at_the_lead(review: Review) -> Sequence[Mask]:
    """The hands as they were at the first lead."""
    states = [*(state for _, state in review.deal.steps()), review.deal.state]
    return next(state.hands for state in states if state.phase == "PLAY")


# ---- the account -----------------------------------------------------------------------------------------------------


def _account(review: Review) -> Iterator[Text]:
    """A row a seat; the tricks follow from the numbers before them."""
    accounts = review.accounts
    claims, kitty = any(each.claim for each in accounts), review.kitty
    lost, gifts = ("+ lost", "- gifts") if review.few else ("- lost", "+ gifts")
    header = ["limit" if review.few else "quota", "start", lost, gifts]
    total = "= tricks" if review.finished else "= at most" if review.few else "= sure"
    header += ["+ kitty"] * bool(kitty) + ["+ claim"] * claims + [total, "balance", "best"]
    rows = []
    for each in accounts:
        row = [str(each.quota), str(each.start), str(each.lost), str(sum(each.gifts))]
        row += [str(each.kitty)] * bool(kitty) + [f"{each.claim:+}" if each.claim else "0"] * claims
        balance = review.balance(each)
        row += [str(each.tricks), f"{balance:+}" if balance else "0", f"{each.best}/{each.unforced}"]
        rows.append(row)
    numbers = grid(rows, header)
    yield from _named([plain(each.name) for each in accounts], numbers)
    yield dim("best: cards that lost nothing, of those played with a choice")


def _named(names: Sequence[str], numbers: Sequence[Text]) -> Iterator[Text]:
    """The rows with seats and names before them, or with the names below."""
    room = _COLUMNS - len("seat  ") - 2 - len(numbers[0])
    beside = room >= _NAME_LEAST
    told = ["player", *(cut(name, min(_NAME, room)) for name in names)] if beside else [""] * len(numbers)
    columns = max(map(width, told))
    for seat, name, line in zip(("seat", *"DEM"), told, numbers, strict=True):
        label = f"{seat:4}  {name}{' ' * (columns - width(name))}{'  ' * beside}"
        yield (dim(label) if seat == "seat" else Text(label)) + line
    if not beside:
        yield Text(", ".join(f"{seat} {cut(name, _NAME)}" for seat, name in zip("DEM", names, strict=True)))


# ---- decisions -------------------------------------------------------------------------------------------------------


def _decisions(review: Review) -> Iterator[str]:
    for each in review.decisions:
        yield words.decision_text(review, each)
    for what, seat in review.skipped:
        yield f"{_SEATS[seat]}'s {'parcels' if what == 'exchange' else what}: not judged."


def _costly(review: Review) -> Iterator[str]:
    """Cards with a loss, the dearest first, that are no turning points."""
    turns = {turn.number for turn in review.turns}
    plays = [play for number, play in enumerate(review.ledger.plays) if play.loss and number not in turns]
    for play in sorted(plays, key=lambda each: -each.loss):
        yield f"Trick {play.trick}: {words.play_text(review, play)}"


def _tricks(review: Review) -> None:
    """How the seats stood after each trick."""
    rows = []
    for each in review.standings:
        trick = review.deal.state.tricks[each.trick - 1]
        row = [str(each.trick), "DEM"[trick.leader], "DEM"[trick.winner]]
        row.append(" ".join(f"{tricks:2}" for tricks in review.counted(each.guarantees)))
        if not review.few:
            row.append(" ".join(f"{tricks:5.2f}" for tricks in review.shares(each.guarantees)))
        row.append(" ".join(_MARKS[status] for status in each.status))
        rows.append((row, [card_text(card) for card in trick.cards]))
    if not rows:
        return
    say()
    header = ["trick", "led", "won", f"{'caps' if review.few else 'floors'}  D  E  M"]
    header += [*(["fair shares"] if not review.few else []), f"{'limits' if review.few else 'quotas'} D E M"]
    head, *lines = grid([row for row, _ in rows], header)
    say(head + dim("  cards"))
    for line, (_, cards) in zip(lines, rows, strict=True):
        say(line + "  " + joined(cards))
    how = ("not safe", "exceeded") if review.few else ("contested", "out of reach unless another errs")
    say(dim(f"{_MARKS['safe']} safe, {_MARKS['contested']} {how[0]}, {_MARKS['lost']} {how[1]}"))


# ---- by what was known -----------------------------------------------------------------------------------------------


def _fair(review: Review, fair: Fair) -> None:
    """What the players could know."""
    blamed = fair_words.blamed(fair)
    say()
    say(bold("By what each player could know"))
    sentences = [fair_words.about(fair)]
    sentences += [fair_words.decision_text(fair, each) for each in fair.decisions]
    sentences += map(fair_words.play_text, blamed) if blamed else [fair_words.no_blame_text(fair)]
    sentences += fair_words.left_texts(fair)
    sentences += [fair_words.total_text(review, fair)] if fair.plays else []
    for sentence in sentences:
        _say(with_signs(sentence), "  ")


# ---- many hands ------------------------------------------------------------------------------------------------------


def show_summary(summary: Summary) -> None:
    """The means of each player, in all and by seat."""
    say(f"{summary.hands:,} hand{'s' if summary.hands != 1 else ''} reviewed.")
    if summary.hands:
        say()
        told = summary.told
        _figures(summary, told)
        say()
        for name in told:
            _say(COLUMNS[name], f"  {name:10}")
        _say(
            "made: the quota, in so many hands; best: cards that lost nothing, of those played with a choice. ± half "
            "the 95 % interval of the mean. Losses are the player's own; luck and gifts are not. A hand in which a "
            "decision of his was not judged counts neither there nor in the luck."
        )
    for reason in dict.fromkeys(summary.skipped):
        _say(f"{summary.skipped.count(reason):,} left out: {reason}")


def _figures(summary: Summary, told: Sequence[str]) -> None:
    """One table; above the rows of a player stands the name."""
    names: list[str] = []
    cells: list[list[str]] = []
    for player in summary.players:
        seats = [row for row in summary.seats if row.player == player.player]
        for place, row in enumerate([player, *seats] if len(seats) > 1 else seats):
            names += [player.player if not place else ""] + [""] * (row.hands >= FEW_HANDS)
            cells += _figures_of(row, told)
    head, *lines = grid(cells, ["", "made", *told, "best"])
    say(head)
    for name, line in zip(names, lines, strict=True):
        if name:
            say(bold(cut(plain(name), _COLUMNS)))
        line.rstrip()
        say(line)


def _figures_of(row: Row, told: Sequence[str]) -> Iterator[list[str]]:
    means = [row.mean(column) for column in told]
    best = row.best_share
    share = "" if best is None else f"{100 * best.value:.0f}%"
    yield [row.seat or "all", f"{row.made}/{row.hands}", *map(_mean, means), share]
    if row.hands >= FEW_HANDS:
        yield ["", "", *map(_half, means), ""]


def _mean(found: Interval | None) -> str:
    return "" if found is None else f"{found.value:.2f}"


def _half(found: Interval | None) -> str:
    return "" if found is None or found.half is None else f"±{found.half:.2f}"
