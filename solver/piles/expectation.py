"""The exact expectation over all orders of the piles, with best play, once few tricks are left.

Time and memory grow some tenfold with each trick: 7 tricks take a fraction of a second, 8 some seconds. With a marriage
in hand they are two to five times as much.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from tierce.solver.errors import LimitReached
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.crews import interruptible
from tierce.solver.piles.objectives import POINTS, Objective
from tierce.solver.piles.results import Expectation, Valued, Way
from tierce.solver.piles.view import PileView, table_of

__all__ = ["MEMORY", "MOST_EXACT", "expectation"]

MOST_EXACT: Final = 9  # cards in hand
MEMORY: Final = 1 << 30  # bytes
_Found: TypeAlias = tuple[float, list[tuple[int, int, float]]]


def expectation(
    view: PileView, wish: Objective = POINTS, *, memory: int = MEMORY, stop: Stop | None = None
) -> Expectation:
    """The mean worth of the deal if the declarer plays as well as anybody can who does not see the piles.

    LimitReached (code "tricks" or "memory") where it would take too much: from ten tricks on, or beyond `memory` bytes;
    Cancelled if stopped.
    """
    if view.left > MOST_EXACT:
        raise LimitReached("tricks", f"expected at most {MOST_EXACT} tricks left, found {view.left}")
    flag = stop or Stop()
    table = table_of(view, wish)

    def work() -> _Found | Literal[False] | None:
        return table.expectation(memory, flag)

    found: _Found | Literal[False] = interruptible(work, flag)
    if found is False:
        raise LimitReached("memory", f"expected an ending that fits into {memory} bytes")
    value, ways = found
    rows = [Valued(way_of(card, suit), each) for card, suit, each in ways]
    return Expectation(wish.name, value, tuple(sorted(rows, key=lambda row: -row.value)))


def way_of(card: int, suit: int) -> Way:
    """A way from the native form."""
    return Way(card, None if suit < 0 else suit)
