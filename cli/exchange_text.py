"""A sender's decision in the exchange as text for people, on 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from tierce.cli.dealer_text import WIDTH, call_name, cards_text, number, tricks_text
from tierce.cli.render import SEAT_NAMES, bold, dim, effort, grid, hand_row, say, suit_sign, width
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.classes import classes_of
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.cards import Mask
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
    name = "Discard" if state.discard and not state.kitty else None
    for line in hand_row(state.hands, state.kitty or state.discard or state.removed, state.profile, name):
        say(line)
    say()
    where = [f"{place}, before the parcels of {seat_name(advice.sender)}."] if place else []
    for sentence in (*where, *_before(state)):
        _say_wrapped(sentence)
    _decision(advice, most, every=every)
    if advice.after is not None:
        say()
        _decision(advice.after, most, later=True)
    if advice.dealer is not None and advice.dealer.complete:
        _say_wrapped(_dealer(advice.dealer))
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
        f"{name} {tricks} ({f'{balance:+}' if balance else 'even'})"
        for name, tricks, balance in zip(names, last.tricks, last.balances, strict=True)
    )
    yield f"The deal before, by today's seats: {', '.join(told).replace('the dealer', 'dealer')}."
    if len(_senders(state)) > 1:
        owed = [
            f"{seat_name(seat)} sends {cards_owed([each for each in state.transfers if each.sender == seat])}"
            for seat in _senders(state)
        ]
        yield f"{'; then '.join(owed).capitalize()}. All cards are seen."


def _senders(state: State) -> list[int]:
    return list(dict.fromkeys(each.sender for each in state.transfers))


def _owed(advice: ExchangeAdvice) -> str:
    """What one sender owes, and in which order."""
    owed = cards_owed(advice.owed)
    if len(advice.owed) < 2:
        return owed
    if len(open_sends(advice.state)) > 1:
        return f"{owed}, both before anything comes back"
    return owed.replace(" and ", " and, with what came back in hand, ")


# ---- one sender ------------------------------------------------------------------------------------------------------


def _decision(advice: ExchangeAdvice, most: int | None, *, every: bool = False, later: bool = False) -> None:
    who = seat_name(advice.sender).capitalize()
    ways = f"{advice.total:,} way{'s' if advice.total != 1 else ''}"
    if len(_senders(advice.state)) > 1:
        _say_wrapped(f"{who}'s parcel{', the best above being sent' if later else ''}: {ways}.")
    else:
        _say_wrapped(f"{who} sends {_owed(advice)}: {ways}. All cards are seen.")
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
    """Ways that make every combination of some parcels, one set for each receiver; all bring back the same, and come
    to the same, as far as it is told."""

    first: WayAdvice
    parcels: tuple[tuple[Mask, ...], ...]

    @property
    def count(self) -> int:
        found = 1
        for each in self.parcels:
            found *= len(each)
        return found


def _classes(advice: ExchangeAdvice) -> list[_Class]:
    """The best ways in classes: that of the one called best, then by the best case, as far as it is known, and size."""
    groups: dict[tuple[object, ...], list[WayAdvice]] = {}
    for each in advice.best:
        back = tuple(made.returned for made in each.way.sends)
        groups.setdefault((back, _case(each, advice), each.dealer), []).append(each)
    found = [each for group in groups.values() for each in _products(group)]
    return sorted(found, key=lambda each: (each.first is not advice.best[0], *_promise(each, advice)))


def _promise(found: _Class, advice: ExchangeAdvice) -> tuple[bool, int, int]:
    case = _case(found.first, advice)
    return case is None, -(case or 0), -found.count


def _case(found: WayAdvice, advice: ExchangeAdvice) -> int | None:
    """Its best case, if it is known, and where there is somebody whose choice may fall out well."""
    return None if _decides_alone(advice) else found.best_case


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
    """A row a class: how many ways, what they are worth, the best case, what goes and what comes back.

    Of a part of them the best case is found, the most promising: where not all are told, those are.
    """
    if not classes:
        return
    found = [each for each in classes if _case(each.first, advice) is not None]
    told = classes if most is None else (found or classes)[:most]
    header = ["ways", *(["tricks"] if advice.target is None else []), *(["best case"] if found else [])]
    header += ["dealer"] if _with_dealer(advice) else []
    head, *lines = grid([_cells(each, advice, header) for each in told], header)
    back = ", and gets back" if any(made.returned for made in told[0].first.way.sends) else ""
    say(Text.assemble(head, dim(f"  {seat_name(advice.sender)} sends{back}")))
    for each, line in zip(told, lines, strict=True):
        for text in wrapped(_class_text(each, advice.state), line.plain + "  "):
            say(text)
    rest = sum(each.count for each in classes) - sum(each.count for each in told)
    if rest:
        say(f"and {rest:,} more")
    say()


def _cells(found: _Class, advice: ExchangeAdvice, header: Sequence[str]) -> list[str]:
    case, dealer = found.first.best_case, found.first.dealer
    cells = {
        "ways": f"{found.count:,}",
        "tricks": number(found.first.tricks),
        "best case": "-" if case is None else number(advice.worth.told(case)),
        "dealer": "-" if dealer is None else str(dealer),
    }
    return [cells[name] for name in header]


def _decides_alone(advice: ExchangeAdvice) -> bool:
    """Does nobody else decide after the sender?"""
    return advice.sender == 0 and not _another_sends(advice) and "SWAP" not in advice.state.profile.phases


def _another_sends(advice: ExchangeAdvice) -> bool:
    """Is another sender's parcel due after this one's?"""
    state = advice.state
    return any(step == "send" and state.transfers[i].sender != advice.sender for step, i in state.queue)


def _with_dealer(advice: ExchangeAdvice) -> bool:
    """Is it told what the dealer has?"""
    return advice.sender != 0 and any(each.dealer is not None for each in advice.best)


def _class_text(found: _Class, state: State) -> str:
    """`one of ♣32 to eldest for ♣A; ♥2 to middle for ♥K`."""
    parts = []
    for parcels, made in zip(found.parcels, found.first.way.sends, strict=True):
        back = f" for {cards_text(made.returned)}" if made.returned else ""
        parts.append(f"{_parcels_text(parcels, made, state)} to {seat_name(made.receiver)}{back}")
    return "; ".join(parts)


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
    return ", or ".join(each.said(cards_text) for each in classes_of(list(parcels), pool, others))


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
    asked = tricks_text(advice.target or 0, advice.worth)
    count = len(advice.best)
    if count:
        sure = "" if advice.counted else " so far"
        return f"{asked}: reached by {count:,} of {advice.total:,} ways{sure}."
    return f"No way reaches {asked}." if advice.counted else f"Nothing that reaches {asked} was found so far."


def _best(advice: ExchangeAdvice) -> str:
    first, proved = advice.best[0], advice.low == advice.high
    worth = f"{tricks_text(first.tricks, advice.worth)} ({_over_quota(advice, first.tricks)})"
    case = first.best_case
    if case is not None and case > first.low:
        worth += f", in the best case {number(advice.worth.told(case))}"
    if not proved and advice.high < advice.worth.range()[1]:
        worth += f"; no way is worth more than {number(advice.worth.told(advice.high))}"
    return f"{'Best' if proved else 'Best so far'}: {_way(first)}: {worth}{_as_good(advice)}."


def _as_good(advice: ExchangeAdvice) -> str:
    """How many others reach the same."""
    others = len(advice.best) - 1
    if not others:
        return ""
    if others == advice.total - 1 > 1:
        return "; all others are as good"
    are = "other is" if others == 1 else "others are"
    return f"; {'' if advice.counted else 'so far '}{others:,} {are} as good"


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
        least = advice.worth.told(advice.low) - chosen.tricks
        return f"{said}, a loss of at least {number(least)}." if advice.target is None and least > 0 else f"{said}."
    return f"{said}, {f'a loss of {number(advice.loss)}' if advice.loss else 'nothing was lost'}."


def _dealer(found: DealerAdvice) -> str:
    """The dealer's own decision after the best parcels."""
    best = found.best
    choice = best.choices[0] if best.choices else Choice()
    made = f", discarding {cards_text(choice.discard)}" if choice.discard else ""
    if choice.swap is not None:
        made = f", {'taking' if choice.swap else 'leaving'} {cards_text(found.choices.up_card)}"
    return f"In the end the dealer names {call_name(best.call)}{made}: {tricks_text(best.tricks, best.worth)}."


def _over_quota(advice: ExchangeAdvice, tricks: float) -> str:
    balance = round(tricks - advice.quota, 4)
    quota = "both quotas" if advice.worth.kind == "side" else "the quota"
    if not balance:
        return quota
    return f"{number(abs(balance))} {'over' if balance > 0 else 'under'} {quota}"


def _meanings(advice: ExchangeAdvice) -> Iterator[str]:
    """What the numbers are."""
    what = _VALUES.get(advice.kind) or _of_pair(advice.worth.side)
    later = "everybody who decides later does what is best for himself" if _another_sends(advice) else _later(advice)
    ties = "" if _decides_alone(advice) else " What is equally good to others counts against the sender."
    yield f"A reply value is {what} if {later}.{ties}"
    if _another_sends(advice) and advice.kind != "floor":
        yield "The others go by their floors."
    if "SWAP" in advice.state.profile.phases:
        yield f"The holder of {suit_sign(2)}2 takes the up-card or leaves it: what is worse for the others counts."
    if any(_case(each, advice) is not None for each in advice.best):
        yield "Best case: what he has if all of that falls out well for him."
    if any(_with_dealer(each) for each in (advice, advice.after) if each is not None):
        yield "Dealer: what the dealer is sure of then."


def _of_pair(side: int) -> str:
    names = [seat_name(seat) for seat in range(3) if side >> seat & 1]
    third = next(seat_name(seat) for seat in range(3) if not side >> seat & 1)
    return f"what {' and '.join(names)} take together as partners against {third}"


def _later(advice: ExchangeAdvice) -> str:
    discards = _discards(advice.state.profile)
    if advice.sender == 0:
        return f"he then names the trump{discards} as is best for him"
    return f"the dealer then names the trump{discards} as is best for himself"


def _discards(profile: Profile) -> str:
    return " and discards" if profile.kitty > 1 and "SEND" not in profile.phases else ""
