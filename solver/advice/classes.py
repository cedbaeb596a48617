"""Sets of discards said in few words: "any two of C5 C4 C2, and both H3 H2".

A class is a product: of each of some disjoint sets of cards, any so many. `classes_of` divides a set of discards into
disjoint classes, few of them rather than the fewest: a class grows from one discard as long as every member belongs to
the set, the largest of several grown so is kept, and what it leaves is divided on.

Cards of the dealer's that touch, no other player's card between them, are equal after any discard. A set of discards
found by search therefore holds, with one, all that differ from it in touching cards alone; it is worked on as numbers
of cards of each run of touching cards. A set that is not like that (a search was stopped) is divided card by card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod
from typing import Final, TypeAlias

from tierce.solver.cards import LANE_BITS, SUITS, Card, Mask, bit, card_names, cards_of, mask_of, rank_of

__all__ = ["DiscardClass", "Pick", "classes_of"]

_NUMBERS: Final = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SEEDS: Final = 5  # discards that a class is grown from before the largest is kept
_DIGIT: Final = 8  # bits for the number of cards of one run

Counts: TypeAlias = int  # how many cards of each run, _DIGIT bits a run


@dataclass(frozen=True, slots=True)
class Pick:
    """Any `count` cards of `cards` (mask)."""

    cards: Mask
    count: int

    @property
    def fixed(self) -> bool:
        """Is there no choice?"""
        return self.count == self.cards.bit_count()


@dataclass(frozen=True, slots=True)
class DiscardClass:
    """Discards that take from each of some disjoint sets of cards any so many: of the last, if need be, all."""

    picks: tuple[Pick, ...]

    @property
    def count(self) -> int:
        """How many discards it has."""
        return prod(comb(pick.cards.bit_count(), pick.count) for pick in self.picks)

    @property
    def example(self) -> Mask:
        """The discard of the lowest cards."""
        return mask_of(card for pick in self.picks for card in _low_first(pick.cards)[: pick.count])

    def members(self) -> Iterator[Mask]:
        """Every discard, once."""
        parts = [[mask_of(cards) for cards in combinations(cards_of(pick.cards), pick.count)] for pick in self.picks]
        return (sum(each) for each in product(*parts))

    def said(self, cards: Callable[[Mask], str] = card_names) -> str:
        """In words; `cards` writes a set of cards."""
        if not self.picks:
            return "nothing"
        if len(self.picks) == 1 and self.picks[0].fixed:
            return cards(self.picks[0].cards)
        parts = [_said(pick, cards) for pick in self.picks]
        return ", and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)

    def __str__(self) -> str:
        return self.said()


def _said(pick: Pick, cards: Callable[[Mask], str]) -> str:
    """With a word that tells cards that all go from those of which some do: `both ♠54`, `one of ♠54`."""
    if pick.fixed:
        return {1: "", 2: "both "}.get(pick.count, "all of ") + cards(pick.cards)
    number = _NUMBERS[pick.count] if pick.count < len(_NUMBERS) else str(pick.count)
    return f"{'' if pick.count == 1 else 'any '}{number} of {cards(pick.cards)}"


def _low_first(cards: Mask) -> list[Card]:
    return sorted(cards_of(cards), key=lambda card: (rank_of(card), -card))


def classes_of(
    discards: Iterable[Mask], pool: Mask, others: Mask = 0, *, most: int | None = None
) -> tuple[DiscardClass, ...]:
    """Disjoint classes of discards that together are exactly these, large ones first.

    discards   masks, all of the same number of cards, each from `pool`
    others     cards of the other players, which keep cards of the dealer's from touching
    most       no more classes than that; what they do not hold is left out
    """
    wanted = set(discards)
    runs = _runs(pool, others)
    left = _counts(wanted, runs)
    if sum(_members(counts, runs) for counts in left) != len(wanted):
        runs = [bit(card) for card in cards_of(pool)]
        left = _counts(wanted, runs)
    found: list[DiscardClass] = []
    grower = _Grower(runs, left)
    while left and (most is None or len(found) < most):
        found.append(grower.largest())
        left -= grower.last
    return tuple(sorted(found, key=lambda each: -each.count))


def _runs(pool: Mask, others: Mask) -> list[Mask]:
    """The pool's cards in runs that touch, suit by suit from high to low."""
    runs = []
    for suit in SUITS:
        run = 0
        for rank in range(LANE_BITS - 1, -1, -1):
            card = 1 << LANE_BITS * suit + rank
            run |= pool & card
            if others & card and run:
                runs.append(run)
                run = 0
        if run:
            runs.append(run)
    return runs


def _counts(discards: Iterable[Mask], runs: Sequence[Mask]) -> set[Counts]:
    return {sum((discard & run).bit_count() << _DIGIT * i for i, run in enumerate(runs)) for discard in discards}


def _members(counts: Counts, runs: Sequence[Mask]) -> int:
    """The discards with these numbers of cards."""
    return prod(comb(run.bit_count(), counts >> _DIGIT * i & (1 << _DIGIT) - 1) for i, run in enumerate(runs))


Part: TypeAlias = tuple[int, int]  # runs (a bit each) and how many cards of them
Pair: TypeAlias = tuple[int, int]  # two runs that cannot be in one part: the first of one and of the other (bits)


class _Grower:
    """Grows classes within a set of counts.

    left   what is still to be divided; the owner takes `last` away, the counts of the class told last
    """

    def __init__(self, runs: Sequence[Mask], left: set[Counts]) -> None:
        self.left = left
        self.last: set[Counts] = set()
        self._runs = runs
        self._sizes = [run.bit_count() for run in runs]
        self._spreads: dict[Part, list[Counts]] = {}
        self._order = sorted(left, key=self._cost)

    def _cost(self, counts: Counts) -> tuple[int, int]:
        """Low cards first: with them classes are grown that people look for."""
        ranks = 0
        for i, run in enumerate(self._runs):
            count = counts >> _DIGIT * i & (1 << _DIGIT) - 1
            ranks += count * rank_of(run.bit_length() - 1)
        return ranks, counts

    def largest(self) -> DiscardClass:
        """The largest class grown from a few of what is left."""
        self._order = [counts for counts in self._order if counts in self.left]
        step = max(1, len(self._order) // _SEEDS)
        grown = [self._grow(counts) for counts in self._order[::step][:_SEEDS]]
        best = max(grown, key=self._size)
        self.last = set(self._all(best))
        picks = [Pick(self._cards(runs), count) for runs, count in best]
        return DiscardClass(_in_order(picks))

    def _grow(self, seed: Counts) -> list[Part]:
        """From one discard: widen one part by a run, or make one of two, as long as all members are in the set; what
        adds most discards is tried first, and what was refused once stays refused, as the class only grows."""
        parts = [(1 << i, n) for i in range(len(self._runs)) if (n := seed >> _DIGIT * i & (1 << _DIGIT) - 1)]
        refused: set[Pair] = set()
        while True:
            for _, pair, changed in sorted(self._moves(parts, refused), key=lambda move: (-move[0], move[1])):
                if all(counts in self.left for counts in self._all(changed)):
                    parts = changed
                    break
                refused.add(pair)
            else:
                return parts

    def _moves(self, parts: list[Part], refused: set[Pair]) -> Iterator[tuple[int, Pair, list[Part]]]:
        """The size of the class after a step, the runs that it brings together, and the parts then."""
        used = sum(runs for runs, _ in parts)
        free = [(1 << i, 0) for i in range(len(self._runs)) if not used >> i & 1]
        for at, (runs, count) in enumerate(parts):
            for more, plus in parts[at + 1 :] + free:
                pair = runs & -runs, more & -more
                if pair in refused or pair[::-1] in refused:
                    continue
                rest = [part for part in parts if part[0] not in (runs, more)]
                changed = [*rest, (runs | more, count + plus)]
                yield self._size(changed), pair, changed

    def _size(self, parts: Sequence[Part]) -> int:
        return prod(comb(self._cards(runs).bit_count(), count) for runs, count in parts)

    def _cards(self, runs: int) -> Mask:
        return sum(run for i, run in enumerate(self._runs) if runs >> i & 1)

    def _all(self, parts: Sequence[Part]) -> Iterator[Counts]:
        """The counts of every member."""
        return map(sum, product(*(self._spread(part) for part in parts)))

    def _spread(self, part: Part) -> list[Counts]:
        """Every way to take so many cards from these runs."""
        if part not in self._spreads:
            self._spreads[part] = self._spread_anew(*part)
        return self._spreads[part]

    def _spread_anew(self, runs: int, count: int) -> list[Counts]:
        if not runs:
            return [] if count else [0]
        at = runs.bit_length() - 1
        rest = runs ^ 1 << at
        takes = range(min(count, self._sizes[at]) + 1)
        return [take << _DIGIT * at | less for take in takes for less in self._spread((rest, count - take))]


def _in_order(picks: Iterable[Pick]) -> tuple[Pick, ...]:
    """Those with most cards to choose from first; what is always discarded together, last."""
    free = sorted((pick for pick in picks if not pick.fixed), key=lambda pick: (-pick.cards.bit_count(), pick.cards))
    fixed = sum(pick.cards for pick in picks if pick.fixed)
    return (*free, Pick(fixed, fixed.bit_count())) if fixed else tuple(free)
