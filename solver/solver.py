"""The reusable solver: one search and its table, kept from call to call."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from tierce.solver.cards import Card, trump_name
from tierce.solver.checks import check_type
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import (
    DEFAULT_TABLE_MB,
    Answer,
    Limits,
    Query,
    pack,
    side_mask,
    side_result,
    table_bytes,
    tricks_asked,
)
from tierce.solver.results import CardValues, Objective, SideResult, stopped
from tierce.solver.search import RESULT, STOP_CANCELLED, STOP_NODES, STOP_TIME, Engine
from tierce.solver.values import Ask, card_values_by, line_by

__all__ = ["Solver"]


class Solver:
    """A search with a table of its own, kept from call to call.

    Entries of the table speak of relative cards, so one solver may serve any number of positions and deals with the
    same number of hands, trump, split of the seats and objective; others are refused (InputError, code
    "table_mismatch") until `clear`. Warm answers equal cold ones; their node counts do not.

    table_mb  MiB for the table, 1 or more. Memory is taken from the system as it is used.
    engine    (tierce.solver.search.Engine) serves in place of a new one; its table is emptied

    Thread safety: one call at a time, others wait, and the waiting counts within their `timeout`; `cancel` from any
    thread. Threads do not survive a fork: if a process is forked while a call runs in another thread, the child's
    copy of the solver waits for ever. Make solvers after the fork, or use the start method "spawn" of multiprocessing.
    A solver cannot be copied or pickled (TypeError).
    """

    def __init__(self, table_mb: int = DEFAULT_TABLE_MB, *, engine: Engine | None = None) -> None:
        self._engine = Engine(table_bytes(table_mb)) if engine is None else engine
        if engine is not None:
            engine.clear()
        self._lock = threading.Lock()
        self._context: tuple[int, int, int, Objective] | None = None
        self._nodes = 0

    def __reduce__(self) -> NoReturn:
        raise TypeError("expected no copying or pickling of a Solver: its table belongs to this process and object")

    # Statistics

    @property
    def nodes(self) -> int:
        """Starts of tricks searched since the solver was made."""
        return self._nodes

    @property
    def entries(self) -> int:
        """Entries in the table."""
        return self._engine.entries

    @property
    def used_bytes(self) -> int:
        """Bytes of the table in use."""
        return self._engine.used_bytes

    @property
    def table_bytes(self) -> int:
        """Bytes the table may take."""
        return self._engine.table_bytes

    # Control

    def cancel(self) -> None:
        """Stop the call that is running, from another thread: it raises Cancelled within 50 ms."""
        self._engine.cancel()

    def clear(self) -> None:
        """Empty the table, when no call runs any more; the next call may be about anything."""
        with self._lock:
            self._engine.clear()
            self._context = None

    # Questions

    def solve(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        at_least: int | None = None,
        at_most: int | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        bounds: bool = False,
    ) -> SideResult:
        """Tricks of `side` (letters or mask; N and S of four hands if left out). See the function `solve`."""
        query = Query(position, side_mask(side, position), objective)
        budget = _Budget(Limits(timeout, max_nodes))
        need = tricks_asked(position, query.sides[0], at_least, at_most)
        answer = self._solve(query, budget, need)
        result = side_result(position, query.sides[0], objective, answer)
        if result.stop == STOP_CANCELLED or (result.stop and not bounds):
            raise stopped(result.stop, {result.name: (result.low, result.high)})
        return result

    def card_values(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> CardValues:
        """The value of every legal card of the mover. See the function `card_values`."""
        check_type(position, Position, "a Position")
        counted = 1 << position.mover if side is None and position.n == 3 else side_mask(side, position)
        query = Query(position, counted, objective)
        budget = _Budget(Limits(timeout, max_nodes))
        with self._turn(budget) as served:
            ask = self._asker(query, budget, served)
            return card_values_by(ask, query, lambda: budget.spent)

    def best_line(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> tuple[Card, ...]:
        """One line of best play to the end. See the function `best_line`."""
        query = Query(position, side_mask(side, position), objective)
        budget = _Budget(Limits(timeout, max_nodes))
        with self._turn(budget) as served:
            return line_by(self._asker(query, budget, served), query)

    # Within

    @contextmanager
    def _turn(self, budget: _Budget) -> Iterator[bool]:
        """Hold the solver for one call; False if the time was over before the calls before it were."""
        seconds = budget.seconds
        served = self._lock.acquire(timeout=-1 if seconds is None else max(0.0, seconds))
        try:
            if served:
                self._engine.reset()
            yield served
        finally:
            if served:
                self._lock.release()

    def _bind(self, query: Query) -> None:
        """Hold the table to one kind of question, from the first search on."""
        context = (query.position.n, query.position.trump, query.sides[0], query.objective)
        if self._context not in (None, context):
            message = (
                f"expected positions with {describe(self._context)}, which this solver's table holds, "
                f"found {describe(context)}; clear() empties it"
            )
            raise InputError("table_mismatch", message, field="position")
        self._context = context

    def _ask(self, query: Query, budget: _Budget, *, low: int = 0, high: int | None = None, guess: int = -1) -> Answer:
        self._bind(query)
        request = pack(query.position, query.sides[0], query.objective, budget.left, low=low, high=high, guess=guess)
        answer: Answer = RESULT.unpack(self._engine.run(request, cold=False))
        self._nodes += answer[4]
        budget.spent += answer[4]
        return answer

    def _solve(self, query: Query, budget: _Budget, need: int | None) -> Answer:
        """The value or, with `need`, whether the side gets so many of the tricks to come."""
        left = query.position.left
        if left == 0 or not (need is None or 0 < need <= left):
            return 0, left, 0, 0, 0, 0  # nothing to search
        with self._turn(budget) as served:
            if not served:
                return 0, left, STOP_TIME, 0, 0, 0
            if need is None:
                return self._ask(query, budget)
            low, high, *rest = self._ask(query, budget, low=need - 1, high=need)
        stop, relevant, nodes, nanoseconds = rest
        # Only what this question proves is in the bounds.
        return low if low == need else 0, high if high < need else left, stop, relevant, nodes, nanoseconds

    def _asker(self, query: Query, budget: _Budget, served: bool) -> Ask:
        """A function that asks for the exact value, many times within one budget; raises when it is spent."""

        def ask(position: Position, low: int, high: int, guess: int) -> tuple[int, float]:
            if not served:
                raise stopped(STOP_TIME)
            if not position.left:
                return 0, 0.0
            budget.check()
            asked = Query(position, query.side, query.objective)
            answer = self._ask(asked, budget, low=low, high=high, guess=guess)
            if answer[0] != answer[1]:
                raise stopped(answer[2])
            return answer[0], answer[5] / 1e6

        return ask


class _Budget:
    """The limits of one call, which may ask many times. The time counts from the call, waiting included."""

    def __init__(self, limits: Limits) -> None:
        self.deadline = None if limits.timeout is None else time.monotonic() + limits.timeout
        self.max_nodes = limits.max_nodes
        self.spent = 0  # nodes

    @property
    def seconds(self) -> float | None:
        """Seconds left, None for no limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    @property
    def left(self) -> Limits:
        """What a search may take; where that is nothing, as little as can be told, which stops it at once."""
        seconds = self.seconds
        nodes = None if self.max_nodes is None else max(1, self.max_nodes - self.spent)
        return Limits(None if seconds is None else max(1e-9, seconds), nodes)

    def check(self) -> None:
        """Raise if nothing is left."""
        seconds = self.seconds
        if seconds is not None and seconds <= 0:
            raise stopped(STOP_TIME)
        if self.max_nodes is not None and self.spent >= self.max_nodes:
            raise stopped(STOP_NODES)


def describe(context: tuple[int, int, int, Objective] | None) -> str:
    """A table's context in words."""
    assert context is not None
    n, trump, side, objective = context
    return f"{n} hands, trump {trump_name(trump)}, side {side:#x}, {objective} tricks"
