"""What the search against two piles finds, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tierce.solver.cards import SUIT_LETTERS, Card
from tierce.solver.games.sumgait.cards import card_name
from tierce.solver.piles.objectives import Objective

__all__ = [
    "Bounds", "Ends", "Expectation", "KnownResult", "KnownTrick", "Mean", "PlayResult", "Tried", "Valued", "Way",
    "mean_of", "standard_error",
]  # fmt: skip

_SAME: Final = 1e-9  # of the swing, squared: a variance that is none


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a sample, its standard error (None from a single one), and the size of the sample."""

    value: float
    error: float | None
    samples: int


def mean_of(values: Iterable[float]) -> Mean:
    """The mean of at least one value."""
    found = list(values)
    n = len(found)
    mean = sum(found) / n
    if n == 1:
        return Mean(mean, None, 1)
    return Mean(mean, sqrt(sum((each - mean) ** 2 for each in found) / (n - 1) / n), n)


def standard_error(mean: float, squares: float, n: int, swing: float = 0.0) -> float | None:
    """Of a mean, from the sum of the squares of n values; None from a single one.

    swing   how far another value than the one that all had may be from it, 0 where none may: that it was not met in n
            does not make it impossible. The error is then that of its chance by the rule of succession
    """
    if n < 2:
        return None
    variance = max(squares / n - mean * mean, 0.0)
    if variance <= _SAME * swing * swing:
        chance = 1 / (n + 2)
        return swing * sqrt(chance * (1 - chance) / n)
    return sqrt(variance / (n - 1))


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play: a card, and the suit that is declared with it, None for none."""

    card: Card
    suit: int | None = None

    def __str__(self) -> str:
        """`SA`, or `SK declares S`."""
        return card_name(self.card) + ("" if self.suit is None else f" declares {SUIT_LETTERS[self.suit]}")


@dataclass(frozen=True, slots=True)
class Valued:
    """A way and its exact value."""

    way: Way
    value: float


@dataclass(frozen=True, slots=True)
class KnownTrick:
    """A trick of a line: what the declarer does, and the three cards by seat."""

    leader: int
    cards: tuple[Card, Card, Card]
    suit: int | None
    winner: int

    @property
    def way(self) -> Way:
        """What the declarer does."""
        return Way(self.cards[0], self.suit)


@dataclass(frozen=True, slots=True)
class KnownResult:
    """Both piles known: the exact best.

    value     of the deal; tricks, declared (bits), trump: of the deal at its end
    line      one of the ways to reach it: at each trick the first way, in the order of `choices`, that still does
    choices   every way to play now with the value it still reaches, ties and all: cards in the order S H D C, low to
              high, then jokers, then kings and queens that declare; before the piles have turned, what will be open
    """

    objective: str
    value: float
    tricks: int
    declared: int
    trump: int
    line: tuple[KnownTrick, ...]
    choices: tuple[Valued, ...]


@dataclass(frozen=True, slots=True)
class Expectation:
    """The exact expectation over all orders of the piles with best play.

    ways   every way to play now, the best first; empty before the piles have turned their cards
    """

    objective: str
    value: float
    ways: tuple[Valued, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """A way that was tried in random orders: its mean, and how far it is behind the best (0 for that one).

    The difference is over the orders in which both were tried, always the same ones for both.
    """

    way: Way
    value: Mean
    behind: Mean


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What to play: the ways, best first, and the orders that were drawn.

    A way that was clearly behind is tried no more, so that its mean may be of fewer orders than `samples`.
    """

    objective: str
    ways: tuple[Tried, ...]
    samples: int

    @property
    def best(self) -> Way:
        """The way with the highest mean."""
        return self.ways[0].way


@dataclass(frozen=True, slots=True)
class Ends:
    """How deals ended, order by order: tricks, suits declared as bits, and the trump at the end."""

    ends: tuple[tuple[int, int, int], ...]

    def values(self, wish: Objective) -> list[float]:
        """What they are worth."""
        return [wish.of(*end) for end in self.ends]

    def mean(self, wish: Objective) -> Mean:
        """Their mean worth."""
        return mean_of(self.values(wish))

    def tricks(self) -> Mapping[int, int]:
        """How many ended with each number of tricks."""
        return dict(sorted(Counter(end[0] for end in self.ends).items()))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a hand is worth with best play, between what is made and what cannot be exceeded; means over random orders.

    made          a policy that looks at nothing it does not know, played out: no more than the truth
    penalised     the best with the piles seen, less a penalty whose mean is nothing for who does not see them: no less
    clairvoyant   the best with the piles seen: no less, and less tight
    The three are of the same orders, so that `gap`, penalised less made order by order, has an error of its own.
    """

    objective: str
    made: Mean
    penalised: Mean
    clairvoyant: Mean
    gap: Mean
