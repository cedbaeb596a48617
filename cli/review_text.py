"""A reviewed hand as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from tierce.cli.dealer_text import call_name
from tierce.cli.exchange_text import wrapped
from tierce.cli.render import bold, card_text, cut, dim, effort, grid, hand_row, joined, say
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.fair_decisions import Fair
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import Mask, card_name
from tierce.solver.report import review_words as words
from tierce.solver.report.intervals import Interval
from tierce.solver.report.summary import COLUMNS, Row, Summary

_SEATS: Final = ("Dealer", "Eldest", "Middle")
_MARKS: Final = {"safe": "+", "contested": ".", "lost": "x"}
_NAME: Final = 20  # columns of a player's name


def show(review: Review, fair: Fair | None = None, *, first: bool = True) -> None:
    """The hands, the account, the decisions, the turning points, and how the seats stood after each trick; then what
    players are to blame for, by what they could know."""
    if not first:
        say()
    state = review.deal.state
    say(bold(f"Deal {review.deal.number}: {call_name(state.call)}, {_dealer(review)} dealt."))
    say()
    name = "Discard" if state.discard else None
    for line in hand_row(_at_the_lead(review), state.discard or state.kitty or state.removed, state.profile, name):
        say(line)
    say()
    for line in _account(review):
        say(line)
    say()
    _say(words.meaning(review))
    if not review.whole:
        _say(
            f"The first cards were not judged in time: the account begins in trick {review.ledger.plays[0].trick}."
            if review.ledger.plays
            else "The cards were not judged in time."
        )
    _section("Before the play", _decisions(review))
    _section("Turning points", (words.turn_text(review, turn) for turn in review.turns))
    _section("Cards that cost something", _costly(review))
    _tricks(review)
    if fair is not None:
        _fair(review, fair)
    say()
    say(effort(review.nodes, review.millis))


def _say(text: str, prefix: str = "") -> None:
    for line in wrapped(text, prefix):
        say(line)


def _section(title: str, sentences: Iterator[str]) -> None:
    told = list(sentences)
    if told:
        say()
        say(bold(title))
        for sentence in told:
            _say(sentence, "  ")


def _dealer(review: Review) -> str:
    return cut(review.players[review.deal.state.player(0)], _NAME)


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
    header = ["seat", "player", "quota", "start", lost, gifts]
    header += ["+ kitty"] * bool(kitty) + ["+ claim"] * claims + ["= tricks", "balance", "best cards"]
    rows = []
    for each in accounts:
        row = [f"{'DEM'[each.seat]} {_SEATS[each.seat]}", cut(each.name, _NAME), str(each.quota), str(each.start)]
        row += [str(each.lost), str(sum(each.gifts))]
        row += [str(each.kitty)] * bool(kitty) + [f"{each.claim:+}" if each.claim else "0"] * claims
        row += [str(each.tricks), f"{review.balance(each):+}", f"{each.best} of {each.unforced}"]
        rows.append(row)
    seats = max(len(row[0]) for row in rows)
    names = max(len(row[1]) for row in [*rows, header])
    numbers = grid([row[2:] for row in rows], header[2:])
    yield dim(f"{'seat':{seats}}  {'player':{names}}  ") + numbers[0]
    for row, line in zip(rows, numbers[1:], strict=True):
        yield Text(f"{row[0]:{seats}}  {row[1]:{names}}  ") + line


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
        yield words.play_text(review, play)


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
    header = ["trick", "led", "won", f"{'caps' if review.few else 'floors'} D E M"]
    header += [*(["fair shares"] if not review.few else []), "quotas"]
    head, *lines = grid([row for row, _ in rows], header)
    say(head + dim("  cards"))
    for line, (_, cards) in zip(lines, rows, strict=True):
        say(line + "  " + joined(cards))
    say(
        dim(
            f"quotas: {_MARKS['safe']} safe, {_MARKS['contested']} contested, {_MARKS['lost']} lost unless another errs"
        )
    )


# ---- by what was known -----------------------------------------------------------------------------------------------


def _fair(review: Review, fair: Fair) -> None:
    """What the players could know."""
    drawn = f"{fair.worlds:,} random world{'s' if fair.worlds != 1 else ''}"
    say()
    say(bold("By what each player could know"))
    _say(
        f"An estimate over {drawn} a choice that fit the player's view, seed {fair.seed}: the best mean less that of "
        "what was chosen, ± its standard error. All above is hindsight.",
        "  ",
    )
    for each in fair.decisions:
        blame = "" if each.blamed else "; it cannot be told from none"
        _say(f"{_SEATS[each.seat]}'s {_WHAT.get(each.what, each.what)}: a loss of {_figure(each.loss)}{blame}.", "  ")
    plays = sorted((each for each in fair.plays if each.blamed), key=lambda each: -each.loss.value)
    for play in plays:
        seat, names = "DEM"[play.seat], (card_name(play.card), card_name(play.best))
        _say(f"Trick {play.trick}: {seat}'s {names[0]} lost {_figure(play.loss)} against {names[1]}.", "  ")
    if not plays:
        _say("No card can be blamed.", "  ")
    lost = ", ".join(f"{'DEM'[seat]} {fair.lost(seat):.1f}" for seat in range(3))
    _say(f"Lost by cards in all, by this measure: {lost}; with all cards seen: {_hindsight(review)}.", "  ")


_WHAT: Final = {"exchange": "parcels"}


def _hindsight(review: Review) -> str:
    return ", ".join(f"{'DEM'[seat]} {review.ledger.lost(seat)}" for seat in range(3))


def _figure(loss: Figure) -> str:
    return f"{loss.value:.2f}" + ("" if loss.error is None else f" ±{loss.error:.2f}")


# ---- many hands ------------------------------------------------------------------------------------------------------

_TOLD: Final = ("balance", "luck", "exchange", "trump", "discard", "play", "gifts")


def show_summary(summary: Summary) -> None:
    """The means of players, and of players by seat."""
    say(f"{summary.hands:,} hand{'s' if summary.hands != 1 else ''} reviewed.")
    if summary.hands:
        say()
        _rows("player", [(cut(row.player, _NAME), row) for row in summary.players])
        say()
        _rows("player, seat", [(f"{cut(row.player, _NAME)}, {row.seat}", row) for row in summary.seats])
        say()
        for name, meaning in COLUMNS.items():
            _say(f"{meaning}", f"  {name:10}")
        _say("± half the 95 % interval of the mean, under it. Losses are the player's own; luck and gifts are not.")
    for reason in dict.fromkeys(summary.skipped):
        _say(f"{summary.skipped.count(reason)} left out: {reason}")


def _rows(title: str, rows: Sequence[tuple[str, Row]]) -> None:
    told = [name for name in _TOLD if any(row.counts[name] for _, row in rows)]
    cells = []
    for name, row in rows:
        means = [row.mean(column) for column in told]
        made, best = f"{100 * row.made / row.hands:.0f}%", row.best_share
        cells.append(
            [name, str(row.hands), made, *map(_mean, means), "" if best is None else f"{100 * best.value:.0f}%"]
        )
        if row.hands > 1:
            cells.append(["", "", "", *map(_half, means), ""])
    for line in grid(cells, [title, "hands", "made", *told, "best"]):
        say(line)


def _mean(found: Interval | None) -> str:
    return "" if found is None else f"{found.value:.2f}"


def _half(found: Interval | None) -> str:
    return "" if found is None or found.half is None else f"±{found.half:.2f}"
