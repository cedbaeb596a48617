"""Views cut from a record: what a seat knew when it had to decide.

    deal = replay(read_record(Path("hand.json"))).deals[0]
    view_at(deal, "trick 5", seat=2)         middle's turn in the fifth trick
    view_at(deal, "trump")                   the dealer's

A moment is named by what is decided: "bid", "call", "parcel", "trump", "discard", "swap", "lead" (to the
first trick), "trick N"; "parcel 2" is the seat's second parcel, and so with bids. Without a name it is the moment at
which the record ends. Seats are those of the deal, in an auction those of the one who dealt; in games of contracts N,
E, S, W. "lead" is the first lead, whoever has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from tierce.solver.errors import InputError, shown
from tierce.solver.games.actions import Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.games.record import Record
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.replay import ReplayedDeal, replay
from tierce.solver.games.rules import automatic, legal
from tierce.solver.games.state import State
from tierce.solver.games.view import View, view
from tierce.solver.hints.view_told import Used, with_calls

__all__ = ["Moment", "deal_numbered", "moments", "parse_moment", "view_at"]

_NAMES: Final = {
    Bid: "bid", Call: "call", Send: "parcel", NameTrump: "trump", Discard: "discard", Swap: "swap", Play: "trick",
}  # fmt: skip
_SEVERAL: Final = ("bid", "parcel", "trick")  # of which a seat may have more than one in a deal
_TYPED: Final = re.compile(r"([a-z]+)(?:[ _-]?([0-9]{1,2}))?")
_EXPECTED: Final = "a moment such as 'trick 5', 'lead', 'trump', 'discard', 'parcel', 'call', 'bid' or 'swap'"


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of a deal: what is decided, the how manieth of this seat (of the deal, for a trick), whose, and the
    state before it."""

    what: str
    number: int
    seat: int
    state: State

    def __str__(self) -> str:
        return f"{self.what} {self.number}" if self.what == "trick" or self.number > 1 else self.what


def parse_moment(text: str) -> tuple[str, int | None]:
    """What is decided, and a number if there is one. InputError (code and field "at")."""
    match = _TYPED.fullmatch(text.strip().lower())
    what, number = (match[1], match[2]) if match else ("", None)
    lacking = what == "trick" and number is None
    if what not in (*_NAMES.values(), "lead") or lacking or (number is not None and what not in _SEVERAL):
        _refuse(f"expected {_EXPECTED}, found {shown(text)}")
    return ("trick", 1) if what == "lead" else (what, None if number is None else int(number))


def moments(deal: ReplayedDeal) -> Iterator[Moment]:
    """Every decision of a deal in its order; the last is the one at which the record ends, if it ends at one."""
    counts: dict[tuple[str, int], int] = {}
    states = [state for _, state in deal.steps()]
    if not deal.passed_out:
        states.append(deal.state)
    for state in states:
        if (decision := _decision(state)) is None:
            continue
        number = counts[decision] = counts.get(decision, 0) + 1
        what, seat = decision
        yield Moment(what, len(state.tricks) + 1 if what == "trick" else number, seat, state)


def _decision(state: State) -> tuple[str, int] | None:
    """What is decided in a state and by which seat; None where nobody chooses."""
    if state.phase in ("DEAL", "OVER") or automatic(state) is not None:
        return None
    open_ = legal(state)[0]
    return None if open_.seat is None else (_NAMES[open_.kind], open_.seat)


def view_at(deal: ReplayedDeal, at: str | None = None, seat: int | None = None) -> View:
    """The view of the seat that decides, at the moment named.

    at     None: where the record ends
    seat   None: whoever decides; needed where several seats have such a moment

    InputError (field "at" or "seat") for a moment that the deal does not come to or that is another seat's.
    """
    found = list(moments(deal))
    moment = _last(deal, found, seat) if at is None else _named(found, at, seat)
    seen = view(moment.state, moment.seat)
    if not seen.profile.calls:
        return seen
    return replace(seen, results=with_calls(seen.results, _used_before(moment.state)))


def _last(deal: ReplayedDeal, found: Sequence[Moment], seat: int | None) -> Moment:
    """The decision at which the record ends."""
    if deal.passed_out or not found or found[-1].state is not deal.state:
        end = "passed out" if deal.passed_out else "over" if deal.finished else f"in the phase {deal.state.phase}"
        _refuse(f"expected {_EXPECTED}, for the deal is {end}, found none")
    if seat not in (None, found[-1].seat):
        decides = f"{_seat_name(found, found[-1].seat)} decides ({found[-1]})"
        _refuse(f"expected {_whose(found, seat)}, found the end of the record, where {decides}", "seat")
    return found[-1]


def _named(found: Sequence[Moment], at: str, seat: int | None) -> Moment:
    what, number = parse_moment(at)
    lead = at.strip().lower() == "lead"
    if lead and seat is None:
        seat = next((each.seat for each in found if each.what == "trick"), None)
    named = [each for each in found if each.what == what and number in (None, each.number)]
    if seat is None and len({each.seat for each in named}) > 1:
        letters = found[0].state.profile.letters
        seats = " or ".join(letters[each] for each in sorted({each.seat for each in named}))
        _refuse(f"expected a seat {seats}, for each of them decides at {at.strip()!r}, found none", "seat")
    mine = [each for each in named if seat in (None, each.seat)]
    if lead:
        mine = [each for each in mine if each.seat == each.state.leader]
    if not mine:
        _refuse(f"expected {_whose(found, seat)} ({_listed(found, seat)}), found {at.strip()!r}{_not_his(named)}")
    return mine[0]


def _seat_name(found: Sequence[Moment], seat: int) -> str:
    return found[0].state.profile.seat_names[seat] if found else NAMES[seat]


def _whose(found: Sequence[Moment], seat: int | None) -> str:
    return "a moment of the deal" if seat is None else f"a moment at which {_seat_name(found, seat)} decides"


def _not_his(named: Sequence[Moment]) -> str:
    return f", which is {_seat_name(named, named[0].seat)}'s" if named else ", to which the deal does not come"


def _listed(found: Sequence[Moment], seat: int | None) -> str:
    """The moments there are, tricks as a range: `parcel, trick 1 to 16`."""
    mine = [each for each in found if seat in (None, each.seat)]
    words = list(dict.fromkeys(str(each) for each in mine if each.what != "trick"))
    tricks = sorted({each.number for each in mine if each.what == "trick"})
    if tricks:
        words.append(f"trick {tricks[0]}" + (f" to {tricks[-1]}" if len(tricks) > 1 else ""))
    return ", ".join(words) or "none"


def _used_before(state: State) -> Used:
    """The calls that players had used before this deal."""
    used = list(state.used)
    used[state.dealer] -= {state.call}
    return used[0], used[1], used[2]


def deal_numbered(records: Sequence[Record], number: int | None = None) -> ReplayedDeal:
    """A deal of a file's records: by its number in the match or, of several records, counted through all; None: the
    last. InputError (field "deal")."""
    deals = [deal for record in records for deal in replay(record).deals]
    if number is None and deals:
        return deals[-1]
    numbers = [deal.number for deal in deals] if len(records) == 1 else list(range(1, len(deals) + 1))
    found = [deal for place, deal in zip(numbers, deals, strict=True) if place == number]
    if not found:
        told = f"{min(numbers)} to {max(numbers)}" if numbers else "none"
        wanted = "a deal" if number is None else f"deal {number}"
        raise InputError("deal", f"expected {wanted}, found the deals {told}", field="deal")
    return found[-1]  # of those passed out before the one that was played, the latter


def _refuse(message: str, field: str = "at") -> NoReturn:
    raise InputError(field, message, field=field)
