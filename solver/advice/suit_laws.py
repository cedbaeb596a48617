"""All ways to give each card of a pack one of its paths, counted and drawn: suit by suit, then the suits together.

The rules speak of each suit by itself (the answer to an unseen parcel is read by answers.py, from the highest card to
the lowest), so that suits meet in a few numbers of cards only:

    first   cards dealt to one of the other hands, to the one that is no dealer: an index into lists of ways
    key     four numbers in one, a byte each: out (cards dealt to no hand), parcel (in the unseen parcel), late (of the
            kitty, and the dealer has played them), away (must be in his unseen discard)

A list of ways is kept as one large number, `width` bits for each count of `first`: a product of two such numbers is
the list of the ways of both together. `Table` is such a list for each key.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias, TypeVar

from tierce.solver.advice.answers import Rule, State
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.paths import Path
from tierce.solver.cards import Mask

__all__ = ["AWAY", "LATE", "OUT", "PARCEL_CARD", "Find", "PairLaw", "SuitLaw", "Way", "part"]

T = TypeVar("T")
Key: TypeAlias = int
Table: TypeAlias = dict[Key, int]
Asked: TypeAlias = tuple[bool, int] | None

OUT: Final[Key] = 1
PARCEL_CARD: Final[Key] = 1 << 8
LATE: Final[Key] = 1 << 16
AWAY: Final[Key] = 1 << 24
_GUARD: Final[Key] = 0x80808080


def part(key: Key, of: Key) -> int:
    """One of the numbers of a key: `of` is OUT, PARCEL_CARD, LATE or AWAY."""
    return key // of & 255


class Way(NamedTuple):
    """A path of a card, what it adds to the numbers, and what it says to the rule of the answer."""

    path: Path
    first: int
    key: Key
    asked: Asked


class Find(NamedTuple):
    """Cards of a suit and their paths."""

    cards: tuple[Mask, ...]
    paths: tuple[Path, ...]


class Choice(NamedTuple):
    """A way that is open to a card in a state of the answer, and the state after it."""

    path: Path
    first: int
    key: Key
    state: State


class SuitLaw:
    """The ways of one suit.

    cards   its cards, the highest in the order of the exchange first, with the ways of each
    most    the largest key, part by part, that can be of use
    """

    def __init__(self, cards: Sequence[tuple[Mask, Sequence[Way]]], rule: Rule, most: Key, width: int) -> None:
        self._rule = rule
        self._most = most | _GUARD
        self._width = width
        self._mask = (1 << width) - 1
        sure = [(card, ways[0]) for card, ways in cards if len(ways) == 1 and ways[0].asked is None]
        self._sure = Find(tuple(card for card, _ in sure), tuple(way.path for _, way in sure))
        self._base = sum(way.first for _, way in sure), sum(way.key for _, way in sure)
        open_ = [(card, ways) for card, ways in cards if len(ways) != 1 or ways[0].asked is not None]
        self._cards = tuple(card for card, _ in open_)
        self._choices, ends = self._reached([ways for _, ways in open_])
        self._after = self._counted(ends)
        self._runs: dict[tuple[int, State, int, Key], tuple[list[Choice], list[int]]] = {}
        first, key = self._base
        after = self._after[0].get(rule.start, {})
        self.table: Final[Table] = {
            more + key: ways << first * width for more, ways in after.items() if self._fits(more + key)
        }

    def draw(self, first: int, key: Key, draws: Draws) -> Find:
        """Random paths of all cards with these numbers."""
        first, key, state = first - self._base[0], key - self._base[1], self._rule.start
        paths = list(self._sure.paths)
        for at in range(len(self._cards)):
            choices, sums = self._run(at, state, first, key)
            choice = choices[bisect_right(sums, draws.below(sums[-1])) if len(sums) > 1 else 0]
            paths.append(choice.path)
            first, key, state = first - choice.first, key - choice.key, choice.state
        return Find((*self._sure.cards, *self._cards), tuple(paths))

    def listed(self, first: int, key: Key) -> Iterator[Find]:
        """All of them."""
        cards = (*self._sure.cards, *self._cards)
        for paths in self._listed(0, self._rule.start, first - self._base[0], key - self._base[1]):
            yield Find(cards, (*self._sure.paths, *paths))

    def _listed(self, at: int, state: State, first: int, key: Key) -> Iterator[tuple[Path, ...]]:
        if at == len(self._cards):
            yield ()
            return
        for choice in self._run(at, state, first, key)[0]:
            for rest in self._listed(at + 1, choice.state, first - choice.first, key - choice.key):
                yield choice.path, *rest

    # ---- counting ----------------------------------------------------------------------------------------------------

    def _fits(self, key: Key) -> bool:
        return self._most - key & _GUARD == _GUARD

    def _reached(self, cards: Iterable[Sequence[Way]]) -> tuple[list[dict[State, list[Choice]]], set[State]]:
        """For each card the states in which it can be met and what can be done with it there; the states at the end."""
        found, states = [], {self._rule.start}
        for ways in cards:
            choices = {state: list(self._steps(state, ways)) for state in states}
            states = {choice.state for each in choices.values() for choice in each}
            found.append(choices)
        return found, states

    def _steps(self, state: State, ways: Iterable[Way]) -> Iterator[Choice]:
        for way in ways:
            after = state if way.asked is None else self._rule.after(state, *way.asked)
            if after is not None:
                yield Choice(way.path, way.first, way.key, after)

    def _counted(self, ends: Iterable[State]) -> list[dict[State, Table]]:
        """For each card, and for the end, the ways from each state on."""
        found: list[dict[State, Table]] = [{state: {0: 1} for state in ends if self._rule.ends(state)}]
        for choices in reversed(self._choices):
            found.append({state: self._summed(each, found[-1]) for state, each in choices.items()})
        return found[::-1]

    def _summed(self, choices: Iterable[Choice], after: Mapping[State, Table]) -> Table:
        found: Table = {}
        for choice in choices:
            shift = choice.first * self._width
            for key, ways in after.get(choice.state, {}).items():
                key += choice.key
                if self._fits(key):
                    found[key] = found.get(key, 0) + (ways << shift)
        return found

    def _run(self, at: int, state: State, first: int, key: Key) -> tuple[list[Choice], list[int]]:
        """What can be done with a card so that the numbers come out, with running sums of the ways."""
        asked = at, state, first, key
        found = self._runs.get(asked)
        if found is None:
            after = self._after[at + 1]
            weights = []
            for choice in self._choices[at][state]:
                ways = after.get(choice.state, {}).get(key - choice.key, 0)
                left = first - choice.first
                weights.append((choice, ways >> left * self._width & self._mask if left >= 0 else 0))
            found = self._runs[asked] = running(weights)
        return found


class PairLaw:
    """Two parts whose numbers are added: of two suits, or of two pairs of suits."""

    def __init__(self, one: Table, other: Table, most: Key, width: int) -> None:
        self._one = one
        self._other = other
        self._most = most | _GUARD
        self._width = width
        self._mask = (1 << width) - 1
        self._splits: dict[tuple[int, Key], tuple[list[tuple[int, Key]], list[int]]] = {}

    def table(self) -> Table:
        """The ways of all sums."""
        found: Table = {}
        for key, ways in self._one.items():
            for more, times in self._other.items():
                both = key + more
                if self._most - both & _GUARD == _GUARD:
                    found[both] = found.get(both, 0) + ways * times
        return found

    def ways(self, first: int, key: Key) -> int:
        """The ways of one sum."""
        total = sum(ways * self._other.get(key - one, 0) for one, ways in self._one.items())
        return total >> first * self._width & self._mask

    def split(self, first: int, key: Key, draws: Draws) -> tuple[int, Key]:
        """The numbers of the first part, drawn by their ways; those of the other are what is left."""
        parts, sums = self.splits(first, key)
        return parts[bisect_right(sums, draws.below(sums[-1]))]

    def splits(self, first: int, key: Key) -> tuple[list[tuple[int, Key]], list[int]]:
        """All numbers of the first part, with running sums of their ways."""
        found = self._splits.get((first, key))
        if found is None:
            found = self._splits[first, key] = running(self._weighed(first, key))
        return found

    def _weighed(self, first: int, key: Key) -> Iterator[tuple[tuple[int, Key], int]]:
        width, mask = self._width, self._mask
        for one, ways in self._one.items():
            times = self._other.get(key - one, 0)
            if times and ways * times >> first * width & mask:
                for count in range(first + 1):
                    weight = (ways >> count * width & mask) * (times >> (first - count) * width & mask)
                    yield (count, one), weight


def running(weights: Iterable[tuple[T, int]]) -> tuple[list[T], list[int]]:
    """What has a weight, and the running sums of the weights."""
    kept = [(thing, weight) for thing, weight in weights if weight]
    return [thing for thing, _ in kept], list(accumulate(weight for _, weight in kept))
