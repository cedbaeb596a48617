"""A sender's decision in the exchange as text for people, on 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tierce.cli.dealer_text import WIDTH, call_name, cards_text, number, tricks_text
from tierce.cli.render import SEAT_NAMES, bold, effort, grid, hand_row, say, width
from tierce.solver.advice.classes import classes_of
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.cards import Mask, side_name
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import open_sends
from tierce.solver.games.profile import Profile
from tierce.solver.games.state import State

__all__ = ["cards_owed", "seat_name", "show", "wrapped"]

_VALUES: Final = {
    "floor": "what he is sure of at the first card, both others playing against him,",
    "share": "his fair share, the floor and a third of the tricks that no floor covers,",
    "ceiling": "his ceiling, the floor and all the tricks that no floor covers,",
}


def show(advice: ExchangeAdvice, *, place: str = "", most: int | None, every: bool = False) -> None:
    """The hands, the best parcels of each sender in turn, and what follows from them.

    most    classes of parcels told; None: all
    every   the value of every way is known: tell how many have which
    """
    state = advice.state
    for line in hand_row(state.hands, state.kitty or state.discard or state.removed, state.profile):
        say(line)
    say()
    if place:
        _say_wrapped(f"{place}, before the parcels of {seat_name(advice.sender)}.")
    _say_wrapped(" ".join(_before(state)))
    _decision(advice, most, every=every)
    after = advice
    while (later := after.after) is not None:
        say()
        after = later
        _decision(after, most, every=False)
    if advice.dealer is not None and advice.dealer.best.choices:
        _say_wrapped(_dealer(advice))
    say()
    for sentence in _meanings(advice):
        _say_wrapped(sentence)
    if advice.stop:
        say(bold("Unfinished: the search was stopped; what is proved so far is told."))
    say()
    say(effort(advice.nodes, advice.millis))


def seat_name(seat: int) -> str:
    """`the dealer`, `eldest`, `middle`."""
    return "the dealer" if seat == 0 else SEAT_NAMES[3][seat].lower()


def cards_owed(owed: Sequence[Transfer]) -> str:
    """`1 card to eldest and 2 to the dealer`."""
    said = [f"{each.count} to {seat_name(each.receiver)}" for each in owed]
    said[0] = said[0].replace(" to ", " card to " if owed[0].count == 1 else " cards to ", 1)
    return " and ".join(said)


def wrapped(text: str, prefix: str = "") -> Iterator[str]:
    """Lines that fit on a screen: the first after the prefix, the others as far from the left."""
    line = prefix
    for word in text.split():
        if line.strip() and width(line) + width(word) > WIDTH:
            yield line.rstrip()
            line = " " * width(prefix)
        line += word + " "
    yield line.rstrip()


def _say_wrapped(text: str) -> None:
    for line in wrapped(text):
        say(line)


# ---- what came before ------------------------------------------------------------------------------------------------


def _before(state: State) -> Iterator[str]:
    """The deal before, and who owes what to whom."""
    last = state.previous
    assert last is not None
    names = [seat_name((last.dealer + seat - state.dealer) % 3) for seat in range(3)]
    told = (
        f"{name} {tricks} ({balance:+})"
        for name, tricks, balance in zip(names, last.tricks, last.balances, strict=True)
    )
    yield f"The deal before, by today's seats: {', '.join(told).replace('the dealer', 'dealer')}."
    senders = list(dict.fromkeys(each.sender for each in state.transfers))
    owed = [
        f"{seat_name(seat)} sends {cards_owed([each for each in state.transfers if each.sender == seat])}"
        for seat in senders
    ]
    yield f"{'; then '.join(owed).capitalize()}."


def _order(advice: ExchangeAdvice) -> str:
    """In which order one sender's parcels go."""
    if len(advice.owed) < 2:
        return ""
    if len(open_sends(advice.state)) > 1:
        return ", both before anything comes back"
    return f", {seat_name(advice.owed[1].receiver)}'s after he has seen what comes back from the first"


# ---- one sender ------------------------------------------------------------------------------------------------------


def _decision(advice: ExchangeAdvice, most: int | None, *, every: bool) -> None:
    who = seat_name(advice.sender)
    _say_wrapped(
        f"{who.capitalize()} chooses {cards_owed(advice.owed)}{_order(advice)}: {advice.total:,} "
        f"way{'s' if advice.total != 1 else ''}. All cards are seen."
    )
    say()
    if every and advice.complete:
        _distribution(advice)
        say()
    classes = _classes(advice)
    _rows(advice, classes, most)
    for sentence in _conclusions(advice):
        _say_wrapped(sentence)


@dataclass(frozen=True, slots=True)
class _Class:
    """Ways that make every combination of some parcels, one set for each receiver, and bring the same back."""

    first: WayAdvice
    parcels: tuple[tuple[Mask, ...], ...]

    @property
    def count(self) -> int:
        found = 1
        for each in self.parcels:
            found *= len(each)
        return found


def _classes(advice: ExchangeAdvice) -> list[_Class]:
    """The best ways in classes, large ones first among those that are equally promising."""
    groups: dict[tuple[Mask, ...], list[WayAdvice]] = {}
    for each in advice.best:
        groups.setdefault(tuple(made.returned for made in each.way.sends), []).append(each)
    found = [each for group in groups.values() for each in _products(group)]
    return sorted(found, key=lambda each: -each.count)


def _products(group: Sequence[WayAdvice]) -> Iterator[_Class]:
    """Ways with the same returns as combinations of parcels."""
    if len(group[0].way.sends) == 1:
        yield _Class(group[0], (tuple(each.way.sends[0].sent for each in group),))
        return
    seconds: dict[Mask, list[Mask]] = {}
    firsts: dict[Mask, WayAdvice] = {}
    for each in group:
        one, other = (made.sent for made in each.way.sends)
        seconds.setdefault(one, []).append(other)
        firsts.setdefault(one, each)
    alike: dict[frozenset[Mask], list[Mask]] = {}
    for one, others in seconds.items():
        alike.setdefault(frozenset(others), []).append(one)
    for same, ones in alike.items():
        yield _Class(firsts[ones[0]], (tuple(ones), tuple(sorted(same))))


def _rows(advice: ExchangeAdvice, classes: Sequence[_Class], most: int | None) -> None:
    """A row a class: how many ways, the best case, what goes and what comes back."""
    if not classes:
        return
    rows = []
    for each in classes[:most]:
        case = "" if each.first.best_case is None else number(advice.worth.told(each.first.best_case))
        dealer = "" if each.first.dealer is None or advice.sender == 0 else str(each.first.dealer)
        rows.append([f"{each.count:,}", case, dealer])
    keep = [0] + [at for at in (1, 2) if any(row[at] for row in rows)]
    header = ["ways", "best case", "dealer"]
    head, *lines = grid([[row[at] for at in keep] for row in rows], [header[at] for at in keep])
    say(f"{head.plain}  {seat_name(advice.sender)} sends, and gets back".rstrip())
    for each, line in zip(classes, lines, strict=False):
        told = _class_text(each, advice.state)
        for text in wrapped(told, line.plain + "  "):
            say(text)
    rest = sum(each.count for each in classes[len(rows) :])
    if rest:
        say(f"and {rest:,} more")
    say()


def _class_text(found: _Class, state: State) -> str:
    """`♣2 or ♣3 to eldest for ♣A`."""
    parts = []
    for parcels, made in zip(found.parcels, found.first.way.sends, strict=True):
        back = f" for {cards_text(made.returned)}" if made.returned else ""
        parts.append(f"{_parcels_text(parcels, made, state)} to {seat_name(made.receiver)}{back}")
    return ", ".join(parts)


def _parcels_text(parcels: Sequence[Mask], made: Transfer, state: State) -> str:
    if len(parcels) == 1:
        return cards_text(parcels[0])
    pool = 0
    for each in parcels:
        pool |= each
    if made.count == 1:
        return f"one of {cards_text(pool)}"
    others = 0
    for seat, hand in enumerate(state.hands):
        others |= hand if seat != made.sender else 0
    return "; or ".join(each.said(cards_text) for each in classes_of(list(parcels), pool, others))


def _distribution(advice: ExchangeAdvice) -> None:
    """How many ways have which value."""
    counts = Counter(each.tricks for each in advice.ways)
    rows = [[number(tricks), f"{counts[tricks]:,}"] for tricks in sorted(counts, reverse=True)]
    say("How many ways are worth how much:")
    for line in grid(rows, ["tricks", "ways"]):
        say(line)


# ---- what follows ----------------------------------------------------------------------------------------------------


def _conclusions(advice: ExchangeAdvice) -> Iterator[str]:
    if advice.target is not None:
        yield _target(advice)
    elif not advice.best:
        low, high = (number(advice.worth.told(score)) for score in (advice.low, advice.high))
        yield f"Best: not known yet, {low}-{high} tricks."
    else:
        yield _best(advice)
    if advice.chosen is not None:
        yield _chosen(advice, advice.chosen)


def _target(advice: ExchangeAdvice) -> str:
    asked = f"{number(advice.target or 0)} tricks"
    count = len(advice.best)
    if count:
        sure = "" if advice.counted else " so far"
        return f"{asked.capitalize()}: reached by {count:,} of {advice.total:,} ways{sure}."
    return f"No way reaches {asked}." if advice.counted else f"Nothing that reaches {asked} was found so far."


def _best(advice: ExchangeAdvice) -> str:
    first = advice.best[0]
    worth = tricks_text(first.tricks, advice.worth)
    case = first.best_case
    if case is not None and case > first.low:
        worth += f", in the best case {number(advice.worth.told(case))}"
    many = len(advice.best)
    balance = first.tricks - advice.quota
    said = "Best" if advice.complete or advice.low == advice.high else "Best so far"
    alike = f"; {many:,} of {advice.total:,} ways are as good" if many > 1 else ""
    return f"{said}: {_way(first)}: {worth} ({_signed(balance)}){alike}."


def _way(found: WayAdvice) -> str:
    parts = []
    for made in found.way.sends:
        back = f" for {cards_text(made.returned)}" if made.returned else ""
        parts.append(f"{cards_text(made.sent)} to {seat_name(made.receiver)}{back}")
    return " and ".join(parts)


def _chosen(advice: ExchangeAdvice, chosen: WayAdvice) -> str:
    if not chosen.complete:
        low, high = (number(tricks) for tricks in chosen.bounds)
        return f"Chosen: {_way(chosen)}: {low}-{high} tricks."
    said = f"Chosen: {_way(chosen)}: {tricks_text(chosen.tricks, advice.worth)}"
    if advice.loss is None:
        return f"{said}."
    return f"{said}, {f'a loss of {number(advice.loss)}' if advice.loss else 'nothing was lost'}."


def _dealer(advice: ExchangeAdvice) -> str:
    """The dealer's own decision after the best parcels."""
    assert advice.dealer is not None
    best = advice.dealer.best
    discard = f", discarding {cards_text(best.choices[0].discard)}" if best.choices[0].discard else ""
    return f"In the end the dealer names {call_name(best.call)}{discard}: {tricks_text(best.tricks, best.worth)}."


def _signed(balance: float) -> str:
    return (
        f"{number(balance)} against the quota"
        if balance < 0
        else f"{number(balance)} over the quota"
        if balance
        else "the quota"
    )


def _meanings(advice: ExchangeAdvice) -> Iterator[str]:
    """What the numbers are."""
    what = _VALUES.get(advice.kind)
    if what is None:
        what = f"what {side_name(advice.worth.side, 3)} take together as partners against the third"
    later = "everybody who decides later does what is best for himself" if advice.after else _later(advice)
    yield f"A reply value is {what} if {later}. What is equally good to others counts against the sender."
    if any(each.best_case is not None for each in advice.best):
        yield "Best case: what he has where all of that falls out well for him."


def _later(advice: ExchangeAdvice) -> str:
    if advice.sender == 0:
        return "he then names the trump" + _discards(advice.state.profile) + " as is best for him"
    return "the dealer then names the trump" + _discards(advice.state.profile) + " as is best for himself"


def _discards(profile: Profile) -> str:
    return " and discards" if profile.kitty > 1 and "SEND" not in profile.phases else ""
