"""One loss out of each of several, so that their union costs least: the choice at the heart of endings.py.

A loss is a set of bits, each with a price. What is lost whatever is chosen is lost at once; a loss that contains
another of its case is never better and falls away; cases that share no bits are solved apart; what is left, by branch
and bound. The answer is exact, or there is none: work is counted, and ends where it is too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Final, TypeAlias

__all__ = ["Chooser", "Loss", "Meter", "Stop", "Stopped", "parted", "settled"]

Loss: TypeAlias = int
Stop: TypeAlias = Callable[[], bool]

_ASK: Final = 256  # steps between two questions whether to stop


class Stopped(Exception):
    """No more work is to be done."""


class Meter:
    """Counts work, and raises `Stopped` where it has been enough."""

    def __init__(self, work: int, stop: Stop | None) -> None:
        self._left = work
        self._stop = stop

    def count(self) -> None:
        self._left -= 1
        if self._left < 0 or (self._left % _ASK == 0 and self._stop is not None and self._stop()):
            raise Stopped


class Chooser:
    """The choice of one loss in each case so that their union costs least. `prices`: what each bit costs."""

    def __init__(self, prices: Sequence[int], meter: Meter) -> None:
        self._prices = prices
        self._meter = meter

    def cost(self, loss: Loss) -> int:
        prices, total = self._prices, 0
        while loss:
            low = loss & -loss
            total += prices[low.bit_length() - 1]
            loss ^= low
        return total

    def best(self, sure: Loss, cases: Iterable[Sequence[Loss]]) -> Loss:
        """The union that costs least; `sure` is part of it whatever is chosen."""
        sure, open_ = settled(sure, cases)
        for group in parted(open_):
            sure |= self._solved(0, group, None)[1]
        return sure

    def _solved(self, sure: Loss, cases: Iterable[Sequence[Loss]], most: int | None) -> tuple[int, Loss]:
        """(cost, union) of the cheapest choice, if it costs less than `most`; else something that costs no less."""
        self._meter.count()
        sure, open_ = settled(sure, cases)
        spent = self.cost(sure)
        if not open_:
            return spent, sure
        costs = [[self.cost(loss) for loss in case] for case in open_]
        hardest = max(range(len(open_)), key=lambda at: min(costs[at]))
        if most is not None and spent + min(costs[hardest]) >= most:
            return most, 0
        rest = [*open_[:hardest], *open_[hardest + 1 :]]
        best = most, 0
        for _, loss in sorted(zip(costs[hardest], open_[hardest], strict=True)):
            tried = self._solved(sure | loss, rest, best[0])
            if best[0] is None or tried[0] < best[0]:
                best = tried
        assert best[0] is not None
        return best[0], best[1]


def settled(sure: Loss, cases: Iterable[Sequence[Loss]]) -> tuple[Loss, list[tuple[Loss, ...]]]:
    """What is lost whatever is chosen, and the cases in which there is something left to choose, by what is lost
    beyond that."""
    open_ = list(cases)
    before = -1
    left: set[tuple[Loss, ...]] = set()
    while before != sure:
        before, left = sure, set()
        for case in open_:
            losses = _least({loss & ~sure for loss in case})
            sure |= reduce(and_, losses)
            if len(losses) > 1:
                left.add(losses)
        open_ = list(left)
    return sure, sorted(left)


def _least(losses: set[Loss]) -> tuple[Loss, ...]:
    """The losses that contain no other one, in order."""
    return tuple(
        sorted(each for each in losses if not any(other != each and other & each == other for other in losses))
    )


def parted(cases: Iterable[tuple[Loss, ...]]) -> list[list[tuple[Loss, ...]]]:
    """The cases in groups that share no bits."""
    groups: list[tuple[Loss, list[tuple[Loss, ...]]]] = []
    for case in cases:
        bits, members = reduce(or_, case), [case]
        apart = []
        for group in groups:
            if group[0] & bits:
                bits |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (bits, members)]
    return [members for _, members in groups]
