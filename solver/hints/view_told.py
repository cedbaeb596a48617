"""What somebody tells of a view, and the deals before it by the rules.

`view_rules.view_of` makes the view of it. What no deal can come to is refused with an InputError that names the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NoReturn, TypeAlias

from tierce.solver.cards import Card, Mask
from tierce.solver.errors import InputError
from tierce.solver.games.actions import BidValue
from tierce.solver.games.context import DEALS_MAX, state_after
from tierce.solver.games.profile import CALLS, Profile
from tierce.solver.games.record import Context
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.state import State, new_match

__all__ = ["NOT_TOLD", "Told", "ToldParcel", "ToldTrick", "Used", "refuse", "state_before", "used_of", "with_calls"]

Used: TypeAlias = tuple[frozenset[str], ...]

NOT_TOLD: Final = -1  # for a seat where None says nobody


@dataclass(frozen=True, slots=True)
class ToldParcel:
    """A parcel, and what came back for it; None where that is not told."""

    sender: int
    receiver: int
    count: int | None = None
    sent: Mask | None = None
    returned: Mask | None = None


@dataclass(frozen=True, slots=True)
class ToldTrick:
    """The cards of a trick in the order played; leader and winner where they are told."""

    cards: tuple[Card, ...] = ()
    leader: int | None = None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A view as it is told; None or empty where nothing is.

    results, context   the deals before this one: all of them, or as a record has it; totals: before this deal
    follows            by field, what follows from the rest and is told all the same
    """

    profile: Profile
    seat: int
    phase: str
    hand: Mask
    dealer: int | None = None
    results: tuple[DealResult, ...] = ()
    context: Context | None = None
    totals: tuple[int, ...] | None = None
    to_move: int | None = NOT_TOLD
    counts: tuple[int, ...] | None = None
    taken: tuple[int, ...] | None = None
    bids: tuple[BidValue, ...] = ()
    turned: Card | None = None
    exposed: Mask = 0
    call: str = ""
    exchange: tuple[ToldParcel, ...] = ()
    discard: Mask | None = None
    shown: Mask = 0
    up_card: Mask = 0
    swap: bool | None = None
    swapper: int | None = None
    taken_up: Mask = 0
    tricks: tuple[ToldTrick, ...] = ()
    trick: ToldTrick = ToldTrick()
    follows: Mapping[str, object] | None = None


def refuse(field: str, message: str, code: str = "view") -> NoReturn:
    """Raise what is at fault in a field."""
    raise InputError(code, message, field=field)


# ---- the deals before ------------------------------------------------------------------------------------------------


def used_of(results: Iterable[DealResult]) -> Used:
    """The calls of each player in these deals, as far as these tell."""
    used: list[set[str]] = [set(), set(), set()]
    for result in results:
        used[result.dealer] |= {result.call} - {""}
    return frozenset(used[0]), frozenset(used[1]), frozenset(used[2])


def with_calls(results: tuple[DealResult, ...], used: Used) -> tuple[DealResult, ...]:
    """The deals before with the calls that players are known to have used, for the deals whose calls are not known: in
    which of his deals he used one nobody asks."""
    told = used_of(results)
    left = [[call for call in CALLS if call in used[each] - told[each]] for each in range(3)]
    return tuple(
        result if result.call or not left[result.dealer] else replace(result, call=left[result.dealer].pop(0))
        for result in results
    )


def state_before(told: Told) -> State:
    """The state before the deal."""
    profile, totals = told.profile, told.totals or ()
    if told.context is not None:
        state = state_after(profile, told.context)
        return replace(state, results=with_calls(state.results, told.context.used)) if profile.calls else state
    if told.results:
        return _after_all(profile, told.results, told.totals)
    if any(totals):
        none = [0] * profile.seats
        refuse("totals", f"expected {none} before the first deal of a match, found {list(totals)}")
    return new_match(profile)


def _after_all(profile: Profile, results: tuple[DealResult, ...], told: tuple[int, ...] | None) -> State:
    """The state after all deals before: each is held against the rules as if it were the last."""
    if len(results) >= DEALS_MAX:
        refuse("results", f"expected fewer than {DEALS_MAX} deals, found {len(results)}")
    seats = profile.seats
    totals = [0] * seats
    for at, result in enumerate(results):
        place = f"results[{at}]"
        if at and result.dealer != (expected := (results[at - 1].dealer + 1) % seats):
            refuse(f"{place}.dealer", f"expected player {expected} to deal, found {result.dealer}")
        for seat in range(seats):
            totals[profile.player(result.dealer, seat)] += result.balances[seat]
        used = used_of(results[: at + 1]) if profile.calls else (frozenset(),) * seats
        context = Context(at + 2, result, tuple(totals), used)
        try:
            state = state_after(profile, context)
        except InputError as error:
            field = (error.field or "").removeprefix("context.previous").removeprefix("context")
            raise InputError(error.code, error.message, field=place + field) from None
    if told is not None and told != state.totals:
        refuse("totals", f"expected {list(state.totals)} after these results, found {list(told)}")
    return replace(state, results=results)
