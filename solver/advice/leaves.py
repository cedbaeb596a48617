"""A dealer's decision as the last link of an exchange: his options, and what is known of his best.

An option is how the cards lie after a discard, a swap or nothing. It has a lay for each way in which others may still
move the cards (the swap of the up-card by another seat), mostly one. Of discards that are the same to all players one
stands for all (see Discards.runs).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tierce.solver.advice.choices import DealerChoices, Discards
from tierce.solver.advice.measure import measure
from tierce.solver.advice.requests import Hands
from tierce.solver.cards import LANE, LANE_BITS, SUITS, Mask

__all__ = ["Leaf", "Option", "Shape", "shape_of"]

Option: TypeAlias = tuple[Hands, ...]
Shape: TypeAlias = tuple[int, ...]  # suit lengths of the dealer's hand at the first lead


class Leaf:
    """One such decision. Scores are those of the worth that the search has for the seat.

    options    by the shape of the dealer's hand
    swapper    the seat that has the lays of an option to choose from, if there are several
    low, high  bounds of the dealer's best score
    reached    a trump and an option that reach `low`; None as long as nothing was asked
    """

    __slots__ = ("high", "low", "options", "reached", "swapper")

    def __init__(self, choices: DealerChoices, low: int, high: int) -> None:
        self.options = _options(choices)
        self.swapper = choices.swapper
        self.low = low
        self.high = high
        self.reached: tuple[int, Option] | None = None

    def promising(self, trump: int, shape: Shape) -> list[Option]:
        """The options of a shape, the most promising hand of the dealer's first. A guess and no more."""
        return sorted(self.options.get(shape, ()), key=lambda option: -measure(option[0][0], trump))


def shape_of(hand: Mask) -> Shape:
    """The suit lengths of a hand."""
    return tuple((hand >> LANE_BITS * suit & LANE).bit_count() for suit in SUITS)


def _options(choices: DealerChoices) -> dict[Shape, list[Option]]:
    lays = choices.lays
    found: dict[Shape, list[Option]] = {}
    if isinstance(lays, Discards):
        d, e, m = lays.hands
        ends = [[sum(run[:number]) for number in range(min(lays.size, len(run)) + 1)] for run in lays.runs]
        for discard in _choose(ends, lays.size):
            hand = d & ~discard
            found.setdefault(shape_of(hand), []).append(((hand, e, m),))
        return found
    others = choices.swapper not in (None, 0)
    options = [tuple(lay.hands for lay in lays)] if others else [(lay.hands,) for lay in lays]
    for option in options:
        found.setdefault(shape_of(option[0][0]), []).append(option)
    return found


def _choose(ends: list[list[Mask]], count: int) -> Iterator[Mask]:
    """Of each run its lowest 0, 1, 2 ... cards, `count` in all."""
    room = [0] * (len(ends) + 1)
    for at in range(len(ends) - 1, -1, -1):
        room[at] = room[at + 1] + len(ends[at]) - 1

    def walk(at: int, left: int) -> Iterator[Mask]:
        if at == len(ends):
            yield 0
            return
        for number in range(max(0, left - room[at + 1]), min(left, len(ends[at]) - 1) + 1):
            for rest in walk(at + 1, left - number):
                yield ends[at][number] | rest

    yield from walk(0, count)
