"""What to play: every way is tried in random orders of the piles, the same for all, and played out by rules of thumb.

Rounds double the number of orders. After each a way is left out that is behind the best by more than three standard
errors of their difference. The answer depends on view, objective, samples, seed and policy; with a limit of time it is
that of the last round, or piece of a round, that was finished.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from typing import Final

from tierce.solver.checks import check_whole, is_number
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.crews import cut, in_pieces
from tierce.solver.piles.expectation import way_of
from tierce.solver.piles.objectives import POINTS, Objective
from tierce.solver.piles.playing import native_seed
from tierce.solver.piles.policies import Policy
from tierce.solver.piles.results import Mean, PlayResult, Tried, standard_error
from tierce.solver.piles.view import PileView, table_of

__all__ = ["Trials", "best_play"]

_FIRST: Final = 64  # orders of the first round
_PIECE: Final = 32  # of a thread; the same whatever the threads, for sums of fractions depend on how they are added up
_BEHIND: Final = 3.0  # standard errors
_NO_END: Final = 1 << 20  # orders, where a limit of time is all there is


def best_play(
    view: PileView,
    wish: Objective = POINTS,
    *,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 1,
    policy: Policy | None = None,
    threads: int = 1,
    stop: Stop | None = None,
) -> PlayResult:
    """The best way to play by trials: so many orders, or as many as there is time for (400 orders if nothing is told).

    InputError (field "view") where the piles are still to turn their cards; Cancelled if stopped.
    """
    if samples is None:
        samples = 400 if seconds is None else _NO_END
    check_whole(samples, 1, _NO_END, f"1 to {_NO_END} samples", "samples")
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise InputError("seconds", f"expected seconds above 0, found {seconds!r:.60}", field="seconds")
    end = inf if seconds is None else time.monotonic() + seconds
    trials = Trials(view, wish, seed=seed, policy=policy, threads=threads, stop=stop)
    while trials.samples < samples and trials.open > 1:
        trials.run(min(max(_FIRST, trials.samples), samples - trials.samples), end)
        if time.monotonic() >= end:
            break
    if not trials.samples:
        trials.run(1)
    return trials.result()


class Trials:
    """Trials that go on: `run` more orders, look at `result`."""

    def __init__(
        self,
        view: PileView,
        wish: Objective = POINTS,
        *,
        seed: int = 1,
        policy: Policy | None = None,
        threads: int = 1,
        stop: Stop | None = None,
    ) -> None:
        """InputError where it is not the declarer's turn."""
        self._table = table_of(view, wish, policy)
        if not view.his_turn:
            raise InputError("view", "expected the cards that piles turn before the declarer plays", field="table")
        check_whole(threads, 1, 1024, "1 to 1024 threads", "threads")
        self._wish = wish
        self._seed = native_seed(seed)
        self._threads = threads
        self._stop = stop or Stop()
        self._ways = [way_of(*way) for way in self._table.ways()]
        n = len(self._ways)
        self.samples = 0
        self._out = [False] * n
        self._counts = [0] * n
        self._sums = [0.0] * n
        self._products = [[0.0] * n for _ in range(n)]
        self._behind: list[Mean | None] = [None] * n

    @property
    def open(self) -> int:
        """Ways that are still tried."""
        return self._out.count(False)

    def run(self, count: int, end: float = inf) -> None:
        """So many more orders for every open way, or fewer if `time.monotonic()` passes `end`; then leave out."""
        begun = self.samples
        pieces = iter(cut(self.samples, count, _PIECE * self._threads))
        for start, size in pieces:
            self._add(cut(start, size, _PIECE))
            if time.monotonic() >= end:
                break
        if self.samples > begun:
            self._leave_out()

    def _add(self, pieces: list[tuple[int, int]]) -> None:
        open_ = [i for i, out in enumerate(self._out) if not out]
        for samples, sums, products in self._answers(pieces):
            self.samples += samples
            for i in open_:
                self._counts[i] += samples
                self._sums[i] += sums[i]
                for j in open_:
                    self._products[i][j] += products[i][j]

    def _answers(self, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, list[float], list[list[float]]]]:
        def piece(start: int, count: int) -> tuple[int, list[float], list[list[float]]] | None:
            found = self._table.rollouts(self._seed, start, count, self._out, self._stop)
            return None if self._stop.is_set else found

        return in_pieces(piece, pieces, self._threads, self._stop)

    def _leave_out(self) -> None:
        best = self._best()
        for i, out in enumerate(self._out):
            if out or i == best:
                continue
            behind = self._difference(best, i)
            if behind.error is not None and behind.value > _BEHIND * behind.error:
                self._out[i] = True
                self._behind[i] = behind

    def _best(self) -> int:
        """The open way with the highest mean, the first of equal ones."""
        return max((i for i, out in enumerate(self._out) if not out), key=lambda i: (self._sums[i], -i))

    def _difference(self, i: int, j: int) -> Mean:
        """How far way i is ahead of way j, both open all along."""
        n = self._counts[j]
        mean = (self._sums[i] - self._sums[j]) / n
        squares = self._products[i][i] + self._products[j][j] - 2 * self._products[i][j]
        return Mean(mean, standard_error(mean, squares, n), n)

    def result(self) -> PlayResult:
        """The ways, best first: those still tried by their means, then those left out."""
        if not self.samples:
            raise Cancelled()
        best = self._best()
        rows = []
        for i, way in enumerate(self._ways):
            n = self._counts[i]
            mean = self._sums[i] / n
            value = Mean(mean, standard_error(mean, self._products[i][i], n, self._wish.swing), n)
            behind = self._behind[i] or self._difference(best, i)
            rows.append((self._out[i], -value.value, i, Tried(way, value, behind)))
        return PlayResult(
            self._wish.name, tuple(row[-1] for row in sorted(rows, key=lambda row: row[:3])), self.samples
        )
