"""What a solve answers. Every answer names its kind: floor, cap or side value.

All tricks are of the whole hand: those taken before the position and those to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tierce.solver.cards import Card, Mask, seat_letters, side_name
from tierce.solver.errors import Cancelled, LimitReached, TierceError
from tierce.solver.search import STOP_CANCELLED, STOP_NODES, STOP_TIME

__all__ = ["CardValue", "CardValues", "Floors", "Objective", "SideResult"]

Objective: TypeAlias = Literal["most", "fewest"]

_STOPPED = {
    STOP_NODES: ("max_nodes", "the node limit was reached"),
    STOP_TIME: ("timeout", "the time limit was reached"),
}


def stopped(stop: int, bounds: Mapping[str, tuple[int, int]] | None = None) -> TierceError:
    """The error for a search that a limit or a cancellation ended."""
    if stop == STOP_CANCELLED:
        return Cancelled()
    if not stop:
        return LimitReached("not_asked", "the value is not known: only a yes/no question was asked", bounds=bounds)
    code, message = _STOPPED[stop]
    return LimitReached(code, message + " before the answer was known", bounds=bounds)


@dataclass(frozen=True, slots=True)
class SideResult:
    """Tricks of one side. `kind`: "floor" (one of three seats, most tricks), "cap" (one seat, fewest), "side".

    side, n     the seats (mask) and the number of hands
    objective   "most": the side wants many tricks; "fewest": it wants few
    low, high   proved bounds, tricks of the whole hand; equal when the value is known. The answer to a yes/no
                question is that both lie on one side of it
    taken       of these, tricks taken before the position
    nodes       starts of tricks searched
    millis      milliseconds of search
    relevant    cards whose rank mattered (mask): with every card above them in their suits they decide the value.
                In each suit cards from the lowest relevant one upwards keep their owners; those below it, in a suit
                without a relevant card all, may be dealt in any way that keeps the lengths of every hand's suits.
                Before the value is known the same holds for the bounds
    stop        0, or why the search ended early (tierce.solver.search.STOP_*)
    """

    kind: Literal["floor", "cap", "side"]
    side: int
    n: int
    objective: Objective
    low: int
    high: int
    taken: int
    nodes: int
    millis: float
    relevant: Mask = 0
    stop: int = 0

    @property
    def name(self) -> str:
        """The side's letters, such as NS or M."""
        return side_name(self.side, self.n)

    @property
    def complete(self) -> bool:
        """Is the value known?"""
        return self.low == self.high

    @property
    def tricks(self) -> int:
        """The value. LimitReached (with bounds) or Cancelled if it is not known."""
        if self.low != self.high:
            raise stopped(self.stop, {self.name: (self.low, self.high)})
        return self.low


@dataclass(frozen=True, slots=True)
class Floors:
    """Every seat alone against the others together: floors (most tricks) or caps (fewest).

    sides       one result a seat, in seat order
    total       tricks of the whole hand, taken and to come

    kind        "floor" or "cap"; objective, complete, bounds, taken, nodes, millis: as of the sides
    tricks      the floors or caps by seat letter, if all are known
    surplus     tricks that no floor accounts for, >= 0
    ceiling     floor + surplus by seat letter: the most a seat can get if no other falls below its floor
    share       fair share by seat letter, floor + surplus / 3 (Shapley value), for display; sums to `total`
    pairs       what two of three seats take together against the third

    A floor is what the seat is sure of even if all others conspire, so floors need not sum to `total`. Of three seats
    each gets between floor and ceiling in every rational outcome.

    Where a number has no such meaning it is None: surplus, ceiling, share and pairs of caps, which are no one's to
    claim; share and pairs of four hands. All but `bounds` raise LimitReached (with all bounds) or Cancelled if a
    value they need is not known.
    """

    sides: tuple[SideResult, ...]
    total: int

    @property
    def kind(self) -> Literal["floor", "cap"]:
        """ "floor" or, with fewest tricks, "cap"."""
        return "cap" if self.objective == "fewest" else "floor"

    @property
    def objective(self) -> Objective:
        """Whether each seat tries to take most or fewest tricks."""
        return self.sides[0].objective

    @property
    def complete(self) -> bool:
        """Are all values known?"""
        return all(side.complete for side in self.sides)

    @property
    def bounds(self) -> dict[str, tuple[int, int]]:
        """Proved bounds by seat letter."""
        return {side.name: (side.low, side.high) for side in self.sides}

    @property
    def tricks(self) -> dict[str, int]:
        """Floors or caps by seat letter. LimitReached (with all bounds) or Cancelled if not all are known."""
        for side in self.sides:
            if not side.complete:
                raise stopped(side.stop, self.bounds)
        return {side.name: side.low for side in self.sides}

    @property
    def taken(self) -> dict[str, int]:
        """Tricks taken before the position, by seat letter."""
        return {side.name: side.taken for side in self.sides}

    @property
    def surplus(self) -> int | None:
        """Tricks minus the floors; None for caps."""
        return None if self.kind == "cap" else self.total - sum(self.tricks.values())

    @property
    def ceiling(self) -> dict[str, int] | None:
        """Floor + surplus, by seat letter; None for caps."""
        surplus = self.surplus
        return None if surplus is None else {seat: floor + surplus for seat, floor in self.tricks.items()}

    @property
    def share(self) -> dict[str, float] | None:
        """Fair share, by seat letter; None for caps and for four hands."""
        surplus = self.surplus
        if surplus is None or len(self.sides) != 3:
            return None
        return {seat: floor + surplus / 3 for seat, floor in self.tricks.items()}

    @property
    def pairs(self) -> dict[str, int] | None:
        """What each pair of three seats can take together: all tricks but the third seat's floor. The same game, seen
        from the other side, so this is exact too. None for caps and for four hands."""
        if self.kind == "cap" or len(self.sides) != 3:
            return None
        letters = seat_letters(3)
        tricks = self.tricks
        return {letters.replace(out, ""): self.total - tricks[out] for out in reversed(letters)}

    @property
    def nodes(self) -> int:
        """Starts of tricks searched, all seats together."""
        return sum(side.nodes for side in self.sides)

    @property
    def millis(self) -> float:
        """Milliseconds of search, all seats together."""
        return sum(side.millis for side in self.sides)


@dataclass(frozen=True, slots=True)
class CardValue:
    """A legal card and what it is worth: `tricks` of the mover's side in the whole hand if it is played now.

    Cards of the same `group` touch: no card still in play separates them, so they are worth the same.
    """

    card: Card
    tricks: int
    best: bool
    group: int


@dataclass(frozen=True, slots=True)
class CardValues:
    """The value of every legal card of the player to move, suits S H D C, high cards first."""

    mover: int
    side: int
    n: int
    objective: Objective
    cards: tuple[CardValue, ...]
    taken: int
    nodes: int
    millis: float
    best: int = field(default=0)

    @property
    def best_cards(self) -> tuple[Card, ...]:
        """The cards that lose nothing."""
        return tuple(value.card for value in self.cards if value.best)
