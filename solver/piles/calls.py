"""What a deal is worth once its call is made: played, or as MISERE, by trials that are few and playouts that are many;
as PASS by turning three piles over.

Playouts by rules of thumb are quick, and each falls short of what better play makes. In some of the same orders the
deal is therefore played well, every card chosen by trials of its own; the mean of what that gains is added. In MISERE
only orders in which rules of thumb fail leave anything to gain: it is added in the measure in which they fail, and
no value goes beyond what MISERE can bring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import Final

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import NOTRUMP, Card
from tierce.solver.errors import Cancelled
from tierce.solver.games.sumgait.cards import cards_of
from tierce.solver.games.sumgait.prices import MISERE
from tierce.solver.piles._piles import Stop, Table, trick_winner
from tierce.solver.piles.crews import cut, in_pieces
from tierce.solver.piles.playing import native_seed
from tierce.solver.piles.policies import policy_for
from tierce.solver.piles.results import standard_error
from tierce.solver.piles.view import PileView, table_of
from tierce.solver.piles.wants import Tricks, Want

__all__ = ["PassValue", "PlayValue", "Sums", "turned_over"]

# Of a card that is chosen by trials. In sixteen hands of play 16 of them gain 17 points over rules of thumb, 64 gain 26
# and 200 gain 27; in MISERE 16 lose 30 points to rules of thumb, and 64 none.
_SAMPLES: Final = 64
_EXACT: Final = 4  # cards left, from which on it is chosen exactly
_MADE: Final = 10  # tricks
TRICKS: Final = 18


@dataclass(slots=True)
class Sums:
    """Sums of what is wanted, of its squares, of tricks and their squares, and how often the call was made.

    swing   what it is worth that a call is made: an error where all orders came to the same (`standard_error`)
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    tricks: float = 0.0
    trick_squares: float = 0.0
    made: float = 0.0
    swing: float = 0.0

    def add(self, value: float, tricks: float, made: float) -> None:
        """One more."""
        self.count += 1
        self.total += value
        self.squares += value * value
        self.tricks += tricks
        self.trick_squares += tricks * tricks
        self.made += made

    @property
    def value(self) -> Figure:
        """The mean of what is wanted."""
        mean = self.total / self.count
        return Figure(mean, standard_error(mean, self.squares, self.count, self.swing))

    @property
    def mean_tricks(self) -> Figure:
        """The mean of the tricks."""
        mean = self.tricks / self.count
        return Figure(mean, standard_error(mean, self.trick_squares, self.count))

    @property
    def share(self) -> float:
        """How often it was made."""
        return self.made / self.count


def _times(figure: Figure, part: float) -> Figure:
    return Figure(figure.value * part, None if figure.error is None else figure.error * part)


def _within(figure: Figure, low: float, high: float) -> Figure:
    return Figure(min(max(figure.value, low), high), figure.error)


def plus(one: Figure, other: Figure) -> Figure:
    """The sum of two figures, errors of their own: unknown if one of them is."""
    error = None if one.error is None or other.error is None else hypot(one.error, other.error)
    return Figure(one.value + other.value, error)


class PlayValue:
    """A deal before its first trick, played or called MISERE; `threads` 0: no thread but the caller's."""

    def __init__(self, view: PileView, want: Want, call: str, *, seed: int, threads: int, stop: Stop) -> None:
        self.call = call
        self._wish = want.of_call(call)
        self._few = call == MISERE
        self._table: Table = table_of(view, self._wish, policy_for(self._wish))
        self._seed, self._inner = native_seed(seed), native_seed(seed, 1)
        self._threads, self._stop = threads, stop
        self._begun = 0
        self.out, self.gain = Sums(swing=self._wish.swing), Sums()
        self._failed = 0.0  # of the orders that were played well: in how many rules of thumb did not make it

    def step(self, count: int) -> None:
        """So many more orders, played out by rules of thumb."""
        start = self._begun + self.out.count
        for found in self._pieces(start, count, -(-count // max(1, self._threads)), well=False):
            for value, tricks, made in self._ends(found):
                self.out.add(value, tricks, made)

    def afresh(self, count: int) -> Sums:
        """So many orders that were not met before, without those that were."""
        self._begun, self.out = self._begun + self.out.count, Sums(swing=self._wish.swing)
        self.step(count)
        return self.out

    def step_well(self, count: int) -> None:
        """So many more of the orders, played well."""
        start = self.gain.count
        for at, found in enumerate(self._pieces(start, count, 1, well=True), start):
            plain = self._table.playouts(self._table.orders(self._seed, at, 1), self._stop)
            for one, other in zip(self._ends(found), self._ends(plain or b""), strict=False):
                self.gain.add(*(better - thumb for better, thumb in zip(one, other, strict=True)))
                self._failed += 1.0 - other[2]

    def _pieces(self, start: int, count: int, size: int, *, well: bool) -> list[bytes]:
        def piece(at: int, many: int) -> bytes | None:
            orders = self._table.orders(self._seed, at, many)
            if well:
                return self._table.plays(orders, self._inner, at, _SAMPLES, _EXACT, self._stop)
            return self._table.playouts(orders, self._stop)

        if not self._threads:
            found = piece(start, count)
            if found is None:
                raise Cancelled()
            return [found]
        return list(in_pieces(piece, cut(start, count, max(1, size)), self._threads, self._stop))

    def _ends(self, found: bytes) -> list[tuple[float, float, float]]:
        """Value, tricks and whether it was made, of each end."""
        ends = []
        for at in range(0, len(found), 3):
            tricks = found[at]
            made = not tricks if self._few else tricks >= _MADE
            ends.append((self._wish.of(tricks, found[at + 1], found[at + 2]), float(tricks), float(made)))
        return ends

    def well(self, sums: Sums) -> tuple[Figure, Figure, float]:
        """Value, tricks, and how often it is made, of playouts of this call, if they were played well. What that adds
        is an error that is not known before some were."""
        value, tricks, share, gain = sums.value, sums.mean_tricks, sums.share, self.gain
        if not gain.count:
            return Figure(value.value, None), Figure(tricks.value, None), share
        part = 1.0
        if self._few:
            part = min(1.0, (1.0 - share) * gain.count / self._failed) if self._failed else 0.0
        value, tricks = plus(value, _times(gain.value, part)), plus(tricks, _times(gain.mean_tricks, part))
        return self.within(value, tricks, share + part * gain.share)

    def within(self, value: Figure, tricks: Figure, share: float) -> tuple[Figure, Figure, float]:
        """The figures, no further than they can go."""
        return _within(value, *self._worst_and_best), _within(tricks, 0.0, TRICKS), min(1.0, max(0.0, share))

    @cached_property
    def _worst_and_best(self) -> tuple[float, float]:
        return min(self._wish.worth), max(self._wish.worth)

    @property
    def value(self) -> Figure:
        """What it is worth, as far as is known."""
        return self.well(self.out)[0]

    @property
    def mean_tricks(self) -> Figure:
        """Tricks."""
        return self.well(self.out)[1]

    @property
    def share(self) -> float:
        """The chance of ten tricks, in MISERE of none."""
        return self.well(self.out)[2]


class PassValue:
    """A deal that is passed: three blind piles, the declarer's leading."""

    def __init__(self, view: PileView, want: Want, *, seed: int) -> None:
        self._want = want
        self._own = cards_of(view.hand)
        self._resolution = view.judge.native()[0]
        wish = want.play
        self._table = table_of(view, wish, policy_for(wish))
        self._seed, self._own_seed = native_seed(seed), native_seed(seed, 2)
        self._begun = 0
        even, odd = (TRICKS // 3,) * 3, (TRICKS // 3 + 1, TRICKS // 3, TRICKS // 3 - 1)
        self.sums = Sums(swing=abs(want.passed(even) - want.passed(odd)))

    def step(self, count: int) -> None:
        """So many more orders of the three piles."""
        n = len(self._own)
        start = self._begun + self.sums.count
        orders = self._table.orders(self._seed, start, count)
        for number, at in enumerate(range(0, len(orders), 2 * n), start):
            own = shuffled(self._own, Draws(self._own_seed, number))
            tricks = turned_over((own, orders[at : at + n], orders[at + n : at + 2 * n]), self._resolution)
            even = all(each == n // 3 for each in tricks)
            self.sums.add(self._want.passed(tricks), tricks[0], even)

    def afresh(self, count: int) -> Sums:
        """So many orders that were not met before, without those that were."""
        self._begun, self.sums = self._begun + self.sums.count, Sums(swing=self.sums.swing)
        self.step(count)
        return self.sums


def shuffled(cards: Sequence[Card], draws: Draws) -> list[Card]:
    """The cards in random order."""
    found = list(cards)
    for last in range(len(found) - 1, 0, -1):
        drawn = draws.below(last + 1)
        found[last], found[drawn] = found[drawn], found[last]
    return found


def turned_over(piles: Sequence[Sequence[Card]], resolution: int = 0) -> Tricks:
    """The tricks of three piles that are turned over card by card, that of seat 0 leading; without a trump.

    resolution   the procedure for jokers, as `trick_winner` takes it
    """
    taken = [0, 0, 0]
    leader = 0
    for own, one, two in zip(*piles, strict=True):
        leader = trick_winner(resolution, leader, own, one, two, NOTRUMP)
        taken[leader] += 1
    return taken[0], taken[1], taken[2]
