"""Which card, and whether to declare with it: trials in common random orders, or the exact expectation near the end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.errors import Cancelled, LimitReached
from tierce.solver.games.sumgait.actions import Play
from tierce.solver.games.sumgait.prices import GOAL, TRICKS
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.crews import cut, in_pieces
from tierce.solver.piles.decision_results import Choice, Method
from tierce.solver.piles.expectation import MEMORY, MOST_EXACT, way_of
from tierce.solver.piles.objectives import Objective
from tierce.solver.piles.playing import native_seed
from tierce.solver.piles.policies import policy_for
from tierce.solver.piles.results import Way, standard_error
from tierce.solver.piles.view import PileView, table_of
from tierce.solver.piles.wants import HALVES, Coded, Loose, coded

__all__ = ["CardChoice"]

_PIECE: Final = 750  # playouts of a piece, the same whatever the threads: sums of fractions depend on how they are cut
_CUTS: Final = 2  # pieces of a round for each thread
_FIRST: Final = 512  # orders before a way may be left out
_BEHIND: Final = 3.0  # standard errors
_EXACT: Final = 5  # cards in hand, where nothing is said about time or method
_SHARE: Final = 0.6  # of the time, for an exact answer that may take longer
_SMALL: Final = 1e-6  # of a trick beside what is wanted, to learn how many the best play takes
_TRICKS_THEMSELVES: Final = ("tricks", "fewest")  # objectives whose error is that of the mean tricks
_Found: TypeAlias = tuple[float, list[tuple[int, int, float]]]
_Sums: TypeAlias = tuple[int, list[float], list[list[float]]]


@dataclass(slots=True)
class _Row:
    """A way and its sums so far; behind: how far it was behind when it was left out.

    coded   the sum of the values with tricks and chance in their last places, as the squares have them: with the mean
            of the values alone these places would pass for spread
    """

    way: Way
    count: int = 0
    total: float = 0.0
    coded: float = 0.0
    tricks: int = 0
    made: int = 0
    behind: Figure | None = None


class CardChoice:
    """Trials that go on: `step`, then look at `choices` and `lead`.

    method   None: exact where it takes little time; `ending`: exact, LimitReached where it would take too much
    seconds  what there is, None for no end
    """

    def __init__(
        self,
        view: PileView,
        wish: Objective,
        *,
        seed: int,
        threads: int,
        stop: Stop,
        method: Method | None = None,
        seconds: float | None = None,
    ) -> None:
        if method == "ending" and view.left > MOST_EXACT:
            raise LimitReached("tricks", f"expected at most {MOST_EXACT} tricks left, found {view.left}")
        self._view, self._wish, self._stop = view, wish, stop
        self._coded: Coded = coded(wish)
        self._table = table_of(view, self._coded.wish, policy_for(wish))
        self._seed = native_seed(seed)
        self._threads = threads
        self._rows = [_Row(way_of(*way)) for way in self._table.ways()]
        self._products = [[0.0] * len(self._rows) for _ in self._rows]
        self._next_look = _FIRST
        self._seconds = seconds
        self._exact_first = method != "playouts" and view.left <= (MOST_EXACT if method else self._most_exact())
        self._must = method == "ending"
        self._found: list[Choice] = []
        self._timed: Stop | None = None
        self.worlds = 0

    def _most_exact(self) -> int:
        """So many cards in hand, by the time there is and no clock: some tenfold more for each."""
        if self._seconds is None or self._seconds < 3:
            return _EXACT
        return _EXACT + 1 if self._seconds < 30 else _EXACT + 2

    def cancel(self) -> None:
        """Stop an exact answer that has a time of its own; all else hears the stop that was given."""
        if self._timed is not None:
            self._timed.set()

    @property
    def method(self) -> Method:
        """How the choices are valued."""
        return "ending" if self._found else "playouts" if self.worlds else "rule"

    @property
    def settled(self) -> bool:
        """Is there nothing left to decide?"""
        return bool(self._found) or (self.worlds >= _FIRST and len(self._open()) == 1)

    @property
    def forced(self) -> bool:
        """Is there but one way to play?"""
        return len(self._rows) == 1

    def step(self, most: int | None, end: float) -> None:
        """A little work, some milliseconds: at most so many orders more. The exact answer takes its time."""
        if self._exact_first:
            self._exact_first = False
            if self._exactly():
                return
        count = min(self._threads * _CUTS * self._piece(), self._next_look - self.worlds)
        count = count if most is None else min(count, most)
        self._try(count)
        if self.worlds >= self._next_look:
            self._leave_out()
            self._next_look *= 2

    def _piece(self) -> int:
        """Orders of about a millisecond for every open way."""
        return min(self._coded.most, max(1, _PIECE // len(self._open())))

    # ---- exactly

    def _exactly(self) -> bool:
        """The exact values, if there is time for them."""
        stop = self._stop
        timer = None
        if self._seconds is not None and not self._must:
            stop = self._timed = Stop()  # of its own: the trials go on when it has rung
            timer = threading.Timer(_SHARE * self._seconds, stop.set)
            timer.daemon = True
            timer.start()
        try:
            self._found = self._exact_choices(stop)
        except (Cancelled, LimitReached):
            if self._must or self._stop.is_set:
                raise
            return False
        finally:
            if timer is not None:
                timer.cancel()
        return True

    def _exact_choices(self, stop: Stop) -> list[Choice]:
        """The value, and the tricks and the chance of the same play, from values a little beside; the best first."""
        few, worth = self._wish.few, self._wish.worth
        level = len(worth) // (TRICKS + 1)

        def beside(share: Callable[[int], float]) -> Loose:
            return Loose("beside", tuple(value + _SMALL * share(at // level) for at, value in enumerate(worth)), few)

        wishes = [self._wish, beside(float), beside(lambda tricks: float(not tricks if few else tricks >= GOAL))]
        tables = [table_of(self._view, wish) for wish in wishes]

        def work(at: int, _: int) -> _Found | Literal[False] | None:
            return tables[at].expectation(MEMORY, stop)

        pieces = [(at, 1) for at in range(len(tables))]
        found: list[_Found | Literal[False]] = list(in_pieces(work, pieces, self._threads, stop))
        values = []
        for each in found:
            if each is False:
                raise LimitReached("memory", f"expected an ending that fits into {MEMORY} bytes")
            values.append({(card, suit): value for card, suit, value in each[1]})
        choices = []
        for (card, suit), value in values[0].items():
            tricks, made = ((other[card, suit] - value) / _SMALL for other in values[1:])
            chance = min(1.0, max(0.0, round(made, 4)))
            mean = Figure(round(tricks, 4), 0.0)
            choices.append(Choice(_play(way_of(card, suit)), Figure(value, 0.0), mean, chance, 0))
        sign = 1 if few else -1
        return sorted(choices, key=lambda each: (-round(each.value.value, 9), sign * each.tricks.value))

    # ---- trials

    def _try(self, count: int) -> None:
        out = [row.behind is not None for row in self._rows]
        pieces = cut(self.worlds, count, self._piece())

        def piece(start: int, size: int) -> _Sums | None:
            found = self._table.rollouts(self._seed, start, size, out, self._stop)
            return None if self._stop.is_set else found

        found = list(in_pieces(piece, pieces, self._threads, self._stop))
        open_ = self._open()
        for samples, sums, products in found:
            self.worlds += samples
            for i in open_:
                row = self._rows[i]
                value, tricks, made = self._coded.figures(sums[i])
                row.count, row.total, row.coded = row.count + samples, row.total + value, row.coded + sums[i] / HALVES
                row.tricks, row.made = row.tricks + tricks, row.made + made
                for j in open_:
                    self._products[i][j] += products[i][j] / HALVES**2

    def _open(self) -> list[int]:
        return [i for i, row in enumerate(self._rows) if row.behind is None]

    def _best(self) -> int:
        """The open way with the highest mean."""
        return min(self._open(), key=self._place)

    def _place(self, i: int) -> tuple[bool, float, float, int]:
        """To sort by, the best first: those left out last, then by the mean; of equal ones that with more tricks, or
        fewer where tricks are bad."""
        row = self._rows[i]
        sign = 1 if self._wish.few else -1
        return row.behind is not None, -row.total / row.count, sign * row.tricks / row.count, i

    def _difference(self, i: int, j: int) -> Figure:
        """How far way i is ahead of way j, both open all along."""
        n = self._rows[j].count
        mean = (self._rows[i].total - self._rows[j].total) / n
        squares = self._products[i][i] + self._products[j][j] - 2 * self._products[i][j]
        coded_mean = (self._rows[i].coded - self._rows[j].coded) / n
        return Figure(mean, standard_error(coded_mean, squares, n))

    def _leave_out(self) -> None:
        best = self._best()
        for i in self._open():
            lead = self._difference(best, i)
            if i != best and lead.error is not None and lead.value > max(_BEHIND * lead.error, 0.0):
                self._rows[i].behind = lead

    # ---- what is known

    def choices(self) -> list[Choice]:
        """The best first: those still tried by their means, then those left out."""
        if self._found:
            return self._found
        order = sorted((i for i, row in enumerate(self._rows) if row.count), key=self._place)
        return [self._choice(i) for i in order] or [self.by_rule()]

    def by_rule(self) -> Choice:
        """An answer before the first trial: the first card that may be played."""
        nothing = Figure(0.0, None)
        return Choice(_play(self._rows[0].way), nothing, nothing, 0.0, 0)

    def _choice(self, i: int) -> Choice:
        row = self._rows[i]
        n, mean = row.count, row.total / row.count
        value = Figure(mean, standard_error(row.coded / n, self._products[i][i], n, self._wish.swing))
        error = value.error if self._wish.name in _TRICKS_THEMSELVES else None
        return Choice(_play(row.way), value, Figure(row.tricks / n, error), row.made / n, n)

    def lead(self) -> Figure | None:
        """How far the best is ahead of the runner-up, in the orders in which both were tried."""
        if self._found:
            two = self._found[:2]
            return Figure(two[0].value.value - two[1].value.value, 0.0) if len(two) == 2 else None
        if not self.worlds or len(self._rows) < 2:
            return None
        best, open_ = self._best(), self._open()
        if len(open_) > 1:
            second = min((i for i in open_ if i != best), key=self._place)
            return self._difference(best, second)
        return self._rows[min((i for i in range(len(self._rows)) if i != best), key=self._place)].behind


def _play(way: Way) -> Play:
    return Play(0, way.card, marriage=way.suit is not None)
