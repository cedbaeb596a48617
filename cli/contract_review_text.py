"""A reviewed contract as text for people, on 80 columns."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import normalize

from tierce.cli.exchange_text import wrapped
from tierce.cli.render import bold, card_text, cut, dim, effort, grid, joined, say, table_picture, with_signs
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.cards import SEATS4, card_name
from tierce.solver.position import Position
from tierce.solver.report import contract_words as words
from tierce.solver.report.contract_summary import COLUMNS, ContractRow, ContractSummary, Series
from tierce.solver.report.markup import plain
from tierce.solver.report.summary import FEW_HANDS

_NAME: Final = 12  # columns of a player's name
_COLUMNS: Final = 80


def show(review: ContractReview, *, number: int | None = None, first: bool = True) -> None:
    """The hands, the account by sides and seats, the auction, the turning points, and how the contract stood after
    each trick. `number`: of the deal, where that of its match is not meant."""
    if not first:
        say()
    say(bold(_shown(f"Deal {number or review.deal.number}: {words.head(review)}.")))
    say()
    for line in table_picture(_at_the_lead(review)):
        say(line)
    say()
    _say(with_signs(_deal_text(review)))
    if review.contract is not None:
        _say(words.outcome(review))
    if not review.void:
        say()
        _account(review)
        say()
    _say(words.meaning(review))
    if review.claim is not None:
        _say(words.claim_text(review))
    if not review.whole:
        _say("The first cards were not judged in time: the account begins later.")
    _section("Auction", _auction(review, told=not first))
    _seats(review)
    _section("Turning points", (words.turn_text(review, turn) for turn in review.turns))
    _section("Cards that cost something", _costly(review))
    _tricks(review)
    say()
    say(effort(review.nodes, review.millis))


def _shown(text: str) -> str:
    """Text without accents where the output cannot show them."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return normalize("NFKD", text).encode("ascii", "ignore").decode()
    return text


def _say(text: str, prefix: str = "") -> None:
    """A sentence, in lines that fit on a screen."""
    for line in wrapped(_shown(text), prefix):
        say(line)


def _section(title: str, sentences: Iterator[str]) -> None:
    told = list(sentences)
    if told:
        say()
        say(bold(title))
        for sentence in told:
            _say(with_signs(sentence), "  ")


def _at_the_lead(review: ContractReview) -> Position:
    """The hands as they were dealt."""
    state = review.deal.state
    assert state.dealt is not None
    return Position(state.dealt.hands, 4, state.eldest)


def _deal_text(review: ContractReview) -> str:
    state = review.deal.state
    turned = "" if state.turned is None else f", {card_name(state.turned)} was turned up"
    leads = f"; {SEATS4[review.contract.leader]} led" if review.contract is not None else ""
    return f"{SEATS4[state.dealer]} dealt{turned}{leads}."


# ---- the account -----------------------------------------------------------------------------------------------------


def _account(review: ContractReview) -> None:
    """Each side together, then each seat; the units of a seat follow from the numbers before them."""
    unit = "points" if review.money else "units"
    header = ["side", "seats", "tricks lost", f"{unit} each", "turned", "best"]
    rows = [
        [
            "declaring" if side.declares else "defending",
            "".join(SEATS4[seat] for seat in side.seats),
            *(str(number) for number in (side.lost, side.units, side.turned)),
            f"{side.best}/{side.unforced}",
        ]
        for side in review.sides
    ]
    for line in grid(rows, header):
        say(line)
    say()
    seats, claims = review.seats, any(seat.claim for seat in review.seats)
    header = ["seat", "start", "- own", "- partners", "+ others", *(["+ claim"] if claims else []), f"= {unit}"]
    header += ["total", "tricks lost", "best"]
    rows = []
    for seat in seats:
        name = cut(plain(seat.name), _NAME)
        row = [f"{SEATS4[seat.seat]} {name}", words.signed(seat.start)]
        row += [str(seat.own), str(seat.partners), str(seat.others), *([words.signed(seat.claim)] if claims else [])]
        row += [words.signed(seat.units), words.signed(review.deal.totals[seat.player])]
        rows.append([*row, str(seat.lost), f"{seat.best}/{seat.unforced}"])
    for line in grid(rows, header):
        say(line)
    say(dim("turned: cards after which the contract stood worse; best: cards that lost"))
    say(dim("nothing, of those played with a choice"))


# ---- the auction -----------------------------------------------------------------------------------------------------


def _auction(review: ContractReview, *, told: bool) -> Iterator[str]:
    """The calls and what they cost. `told`: has it been said what they are held against?"""
    bids = ((seat, bid) for seat, bid in review.deal.state.bids)
    yield ", ".join(f"{SEATS4[seat]} {words.said(bid if isinstance(bid, str) else None)}" for seat, bid in bids)
    if review.table is not None:
        if not told:
            yield words.compared(review)
        yield from words.auction_texts(review)
    if review.trump is not None:
        yield words.trump_text(review)
    for part in review.skipped:
        yield words.skipped_text(part)


def _seats(review: ContractReview) -> None:
    """What each seat could have made, and what its calls came to."""
    rows = []
    for seat in review.auctions:
        units = ["?" if number is None else words.signed(number) for number in (seat.best, seat.stood)]
        lost = "?" if seat.loss is None else str(seat.loss)
        rows.append([f"{SEATS4[seat.seat]} {_shown(words.dearest_text(seat))}", *units, lost])
    if rows:
        say()
        for line in grid(rows, ["seat, and the dearest bid it makes", "best call", "stood", "lost"]):
            say(line)
        _say(words.highest_text(review))


# ---- cards -----------------------------------------------------------------------------------------------------------


def _costly(review: ContractReview) -> Iterator[str]:
    """Cards with a loss, the dearest first, that are no turning points."""
    turns = {turn.number for turn in review.turns}
    plays = () if review.ledger is None else review.ledger.plays
    costly = [play for number, play in enumerate(plays) if play.loss and number not in turns]
    for play in sorted(costly, key=lambda each: -each.loss):
        yield f"Trick {play.trick}: {words.play_text(review, play)}"


def _tricks(review: ContractReview) -> None:
    """How the contract stood after each trick."""
    rows = []
    for each in review.standings:
        trick = review.deal.state.tricks[each.trick - 1]
        stands = ("made" if each.makes else "beaten") + ("!" if each.settled else "")
        row = [str(each.trick), SEATS4[trick.leader], SEATS4[trick.winner], str(each.worth), stands]
        rows.append((row, [card_text(card) for card in trick.cards]))
    if not rows:
        return
    say()
    head, *lines = grid([row for row, _ in rows], ["trick", "led", "won", "worth", "stands"])
    say(head + dim("  cards"))
    for line, (_, cards) in zip(lines, rows, strict=True):
        say(line + "  " + joined(cards))
    say(dim("worth: tricks of the declarers with best play from there; !: settled"))


# ---- many deals ------------------------------------------------------------------------------------------------------


def show_series(series: Series) -> None:
    """The deals of a match one below the other, with running totals."""
    say()
    say(bold("Series"))
    for line in _series(series):
        say(line)
    if series.winners:
        _say(words.won_text(series.players, series.winners))


def _series(series: Series) -> Iterator[str]:
    rows = []
    for deal in series.deals:
        made = "" if deal.made is None else "made" if deal.made else "beaten"
        row = [f"{deal.number} {_shown(deal.title)}", made, *map(words.signed, deal.units)]
        rows.append([*row, *map(words.signed, deal.totals)])
    header = ["deal", "", *SEATS4, *(f"={seat}" for seat in SEATS4)]
    yield from map(str, grid(rows, header))


def show_summary(summary: ContractSummary) -> None:
    """The series, then the means of each player: in all, declaring and defending."""
    say(f"{summary.hands:,} deal{'s' if summary.hands != 1 else ''} reviewed, {summary.void:,} of them void.")
    for series in summary.series:
        show_series(series)
    if summary.hands:
        say()
        _figures(summary)
        say()
        for name in summary.told:
            _say(COLUMNS[name], f"  {name:10}")
        _say(
            "made: contracts made, of those declared; best: cards that lost nothing, of those played with a choice. "
            "± half the 95 % interval of the mean."
        )
    for reason in dict.fromkeys(summary.skipped):
        _say(f"{summary.skipped.count(reason):,} left out: {reason}")


def _figures(summary: ContractSummary) -> None:
    """One table; above the rows of a player stands the name."""
    names: list[str] = []
    cells: list[list[str]] = []
    for player in dict.fromkeys(row.player for row in summary.rows):
        for place, row in enumerate(each for each in summary.rows if each.player == player):
            names += [player if not place else ""] + [""] * (row.hands >= FEW_HANDS)
            cells += _figures_of(row, summary.told)
    head, *lines = grid(cells, ["deals", "made", *summary.told, "best"])
    say(head)
    for name, line in zip(names, lines, strict=True):
        if name:
            say(bold(cut(plain(name), _COLUMNS)))
        line.rstrip()
        say(line)


def _figures_of(row: ContractRow, columns: Sequence[str]) -> Iterator[list[str]]:
    means = [row.mean(column) for column in columns]
    best = row.best_share
    share = "" if best is None else f"{100 * best.value:.0f}%"
    made = f"{row.made}/{row.declared}" if row.declared else ""
    told = ["" if each is None else f"{each.value:.2f}" for each in means]
    yield [f"{row.role or 'all'} {row.hands}", made, *told, share]
    if row.hands >= FEW_HANDS:
        halves = ["" if each is None or each.half is None else f"±{each.half:.2f}" for each in means]
        yield ["", "", *halves, ""]
