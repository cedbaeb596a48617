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

    def count(self, work: int = 1) -> None:
        before = self._left
        self._left -= work
        if self._left < 0 or (before // _ASK != self._left // _ASK and self._stop is not None and self._stop()):
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
        _, found = self._solved(sure, cases, None)
        return found

    def _solved(self, sure: Loss, cases: Iterable[Sequence[Loss]], most: int | None) -> tuple[int, Loss]:
        """(cost, union) of the cheapest choice, if it costs less than `most`; else (most, something)."""
        sure, open_ = settled(sure, cases)
        self._meter.count(1 + len(open_))
        groups = parted(open_)
        floors = [self._floor(group) for group in groups]
        spent, left = self.cost(sure), sum(floors)
        for group, floor in zip(groups, floors, strict=True):
            if most is not None and spent + left >= most:
                return most, sure
            left -= floor
            cost, union = self._branched(group, None if most is None else most - spent - left)
            spent += cost
            sure |= union
        return (spent, sure) if most is None else (min(most, spent), sure)

    def _branched(self, cases: Sequence[Sequence[Loss]], most: int | None) -> tuple[int, Loss]:
        """The same for cases that hang together, by trying all that can be chosen in one of them."""
        costs = [[self.cost(loss) for loss in case] for case in cases]
        hardest = max(range(len(cases)), key=lambda at: sum(costs[at]))
        rest = [*cases[:hardest], *cases[hardest + 1 :]]
        best = most, 0
        for _, loss in sorted(zip(costs[hardest], cases[hardest], strict=True)):
            tried = self._solved(loss, rest, best[0])
            if best[0] is None or tried[0] < best[0]:
                best = tried
        assert best[0] is not None
        return best[0], best[1]

    def _floor(self, cases: Iterable[Sequence[Loss]]) -> int:
        """What the cases cost at least: cases that share no bits, each by its cheapest loss."""
        total, seen = 0, 0
        for least, case in sorted(((min(map(self.cost, case)), case) for case in cases), reverse=True):
            bits = reduce(or_, case)
            if not bits & seen:
                total += least
                seen |= bits
        return total


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
