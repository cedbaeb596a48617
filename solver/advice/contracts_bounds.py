"""What is known of every side's tricks in one game, all cards seen: proved floors, closed under what follows.

    bounds = SideBounds(tricks=13)
    bounds.learn(0b0001, 9, 13)         north alone takes 9 or more
    bounds.interval(0b0011)             (9, 13): with east beside him no fewer
    bounds.reaches(0b1100, 5)           False: the two others together take 4 at most

A game here is fixed hands, trump and leader, "most tricks". Let v(S) be what the seats of S take together with best
play when all others play together against them. Then, for disjoint S and T out of `tricks` tricks:

    v(S) + v(others) = tricks       Two sides, all cards seen, a trick for one is none for the other: minimax. So a
                                    ceiling of one side is a floor of the other, and floors are all that is kept.
    v(S + T) >= v(S) + v(T)         S has a way of playing that takes v(S) whatever all others do, T being among them;
                                    T has one that takes v(T) whatever all others do, S being among them. Neither asks
                                    what the other plays, so S + T may play both at once and takes the sum. What
                                    counts is the sum of the side, so it is of no matter who of them takes a trick.

As v(T) >= 0 the second says too that a side's tricks never fall when a seat joins it. Neither holds of fewest tricks,
where every other side would have another aim: those games are kept apart (`contracts.py`).
"""

from __future__ import annotations

import threading
from typing import Final

__all__ = ["ALL", "SideBounds"]

ALL: Final = 0b1111  # the four seats


class SideBounds:
    """Floors by side (mask of four seats), closed under both rules. Thread safety: everything from any thread."""

    def __init__(self, tricks: int) -> None:
        self._tricks = tricks
        self._floors = [0] * (ALL + 1)
        self._floors[ALL] = tricks
        self._lock = threading.Lock()

    def interval(self, side: int) -> tuple[int, int]:
        """Tricks that the side is known to take, and those it is known not to exceed."""
        with self._lock:
            return self._floors[side], self._tricks - self._floors[ALL & ~side]

    def reaches(self, side: int, need: int) -> bool | None:
        """Does the side take so many? None: not known."""
        low, high = self.interval(side)
        if low >= need:
            return True
        return False if high < need else None

    def learn(self, side: int, low: int, high: int) -> None:
        """Keep that the side takes from `low` to `high` tricks."""
        with self._lock:
            self._raise(side, low)
            self._raise(ALL & ~side, self._tricks - high)

    def _raise(self, side: int, floor: int) -> None:
        """One pass is enough: the floors of sides that are disjoint from `side` are closed already."""
        floors = self._floors
        if floor <= floors[side]:
            return
        floors[side] = floor
        for other in range(1, ALL + 1):
            if not other & side:
                floors[side | other] = max(floors[side | other], floor + floors[other])
