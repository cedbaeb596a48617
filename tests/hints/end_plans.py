"""The end of a hand by the definition, twice, and slowly: every plan of the seat, and fronts of vectors.

Nothing here asks the package. Seats are 0, 1, 2 clockwise; cards and hands as in tests/brute/brute.py. A layout is the
three hands now; `points` are the seat's, by its tricks of the whole deal. A plan may go by the cards played, in their
order, and by nothing else. The others know plan and layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

Cards: TypeAlias = frozenset[int]
Layout: TypeAlias = tuple[Cards, Cards, Cards]
Course: TypeAlias = tuple[int, ...]  # the cards played from now on
Vector: TypeAlias = tuple[float | None, ...]  # points by layout; None where the layout cannot have come so far

PLANS_MAX = 600
FRONT_MAX = 400


class TooMany(Exception):
    """More plans or vectors than a test should look at."""


class Table(NamedTuple):
    """A moment of play: what all can see, and in each hand what one layout says."""

    hands: Layout
    leader: int
    trick: Course
    taken: int  # tricks of the seat

    @property
    def mover(self) -> int:
        return (self.leader + len(self.trick)) % 3

    def legal(self) -> list[int]:
        hand = self.hands[self.mover]
        suited = [card for card in hand if self.trick and card // 16 == self.trick[0] // 16]
        return sorted(suited or hand)


class Ending(NamedTuple):
    """Who plays for what."""

    seat: int
    trump: int
    points: Sequence[float]

    def after(self, table: Table, card: int) -> Table:
        mover = table.mover
        d, e, m = (hand - {card} if seat == mover else hand for seat, hand in enumerate(table.hands))
        trick = (*table.trick, card)
        if len(trick) < 3:
            return Table((d, e, m), table.leader, trick, table.taken)
        winner = (table.leader + trick.index(max(trick, key=lambda each: self._strength(each, trick[0])))) % 3
        return Table((d, e, m), winner, (), table.taken + (winner == self.seat))

    def _strength(self, card: int, led: int) -> tuple[bool, bool, int]:
        return card // 16 == self.trump, card // 16 == led // 16, card % 16

    # ---- every plan ----

    def by_plans(self, tables: Sequence[Table], weights: Sequence[float], card: int) -> float:
        """The best sum of weighted points over all plans that begin with a card."""
        starts = [self.after(table, card) for table in tables]
        choices: dict[Course, list[int]] = {}
        for start in starts:
            choices.update(self._choices(start, ()))
        count = 1
        for cards in choices.values():
            count *= len(cards)
            if count > PLANS_MAX:
                raise TooMany
        return max(
            sum(weight * self._worst(start, (), plan) for start, weight in zip(starts, weights, strict=True))
            for plan in (dict(zip(choices, cards, strict=True)) for cards in product(*choices.values()))
        )

    def _choices(self, table: Table, course: Course) -> Iterator[tuple[Course, list[int]]]:
        """All courses at which the seat has more than one card to choose from."""
        if not table.hands[table.mover]:
            return
        legal = table.legal()
        if table.mover == self.seat and len(legal) > 1:
            yield course, legal
        for card in legal:
            yield from self._choices(self.after(table, card), (*course, card))

    def _worst(self, table: Table, course: Course, plan: Mapping[Course, int]) -> float:
        """The fewest points to which the others can hold a plan in one layout."""
        if not table.hands[table.mover]:
            return self.points[table.taken]
        legal = table.legal()
        if table.mover == self.seat and len(legal) > 1:
            legal = [plan[course]]
        return min(self._worst(self.after(table, card), (*course, card), plan) for card in legal)

    # ---- fronts ----

    def by_fronts(self, tables: Sequence[Table], weights: Sequence[float], card: int) -> float:
        """The same by the vectors of points by layout, those kept that no other is as good as everywhere."""
        front = self._front([self.after(table, card) for table in tables])
        return max(
            sum(weight * (value or 0.0) for weight, value in zip(weights, vector, strict=True)) for vector in front
        )

    def _front(self, tables: Sequence[Table | None]) -> set[Vector]:
        """`tables`: the moment in each layout, None where it cannot have come so far."""
        table = next(each for each in tables if each is not None)
        if not table.hands[table.mover]:
            return {tuple(None if each is None else self.points[each.taken] for each in tables)}
        cards = {card for each in tables if each is not None for card in each.legal()}
        fronts = [
            self._front(
                [None if each is None or card not in each.legal() else self.after(each, card) for each in tables]
            )
            for card in sorted(cards)
        ]
        if table.mover == self.seat:
            return pruned(set().union(*fronts))
        found = fronts[0]
        for front in fronts[1:]:
            if len(found) * len(front) > FRONT_MAX**2:
                raise TooMany
            found = pruned({tuple(map(_less, one, two)) for one in found for two in front})
        return found


def _less(one: float | None, two: float | None) -> float | None:
    if one is None or two is None:
        return two if one is None else one
    return min(one, two)


def pruned(vectors: set[Vector]) -> set[Vector]:
    """The vectors that none of the others is as good as in every layout."""
    kept = {one for one in vectors if not any(one != two and _covers(two, one) for two in vectors)}
    if len(kept) > FRONT_MAX:
        raise TooMany
    return kept


def _covers(one: Vector, two: Vector) -> bool:
    return all(a is None or b is None or a >= b for a, b in zip(one, two, strict=True))
