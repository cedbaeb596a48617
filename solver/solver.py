"""The reusable solver: one search and its table, kept from call to call."""

from __future__ import annotations

import threading
import time

from tierce.solver.cards import Card, trump_name
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

    Thread safety: one call at a time, others wait; `cancel` from any thread.
    """

    def __init__(self, table_mb: int = DEFAULT_TABLE_MB) -> None:
        self._engine = Engine(table_bytes(table_mb))
        self._lock = threading.Lock()
        self._context: tuple[int, int, int, Objective] | None = None
        self._nodes = 0

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
        """Empty the table; the next call may be about anything."""
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
        limits = Limits(timeout, max_nodes)
        need = tricks_asked(position, query.sides[0], at_least, at_most)
        with self._session(query):
            answer = self._ask(query, limits) if need is None else self._ask_whether(query, limits, need)
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
        counted = 1 << position.mover if side is None and position.n == 3 else side_mask(side, position)
        query = Query(position, counted, objective)
        with self._session(query):
            began = self._nodes
            ask = self._budget(query, Limits(timeout, max_nodes))
            return card_values_by(ask, query, lambda: self._nodes - began)

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
        with self._session(query):
            return line_by(self._budget(query, Limits(timeout, max_nodes)), query)

    # Within

    def _session(self, query: Query) -> _Session:
        position = query.position
        return _Session(self, (position.n, position.trump, query.sides[0], query.objective))

    def _ask(self, query: Query, limits: Limits, *, low: int = 0, high: int | None = None, guess: int = -1) -> Answer:
        position = query.position
        if not position.left:
            return 0, 0, 0, 0, 0, 0
        request = pack(position, query.sides[0], query.objective, limits, low=low, high=high, guess=guess)
        answer: Answer = RESULT.unpack(self._engine.run(request, cold=False))
        self._nodes += answer[4]
        return answer

    def _ask_whether(self, query: Query, limits: Limits, need: int) -> Answer:
        """Does the side get `need` of the tricks to come? Only what this question proves is in the bounds."""
        left = query.position.left
        if not 0 < need <= left:
            return 0, left, 0, 0, 0, 0
        low, high, *rest = self._ask(query, limits, low=need - 1, high=need)
        stop, relevant, nodes, nanoseconds = rest
        return low if low == need else 0, high if high < need else left, stop, relevant, nodes, nanoseconds

    def _budget(self, query: Query, limits: Limits) -> Ask:
        """A function that asks for the exact value, many times within one budget; raises when it is spent."""
        deadline = None if limits.timeout is None else time.monotonic() + limits.timeout
        last = None if limits.max_nodes is None else self._nodes + limits.max_nodes

        def ask(position: Position, low: int, high: int, guess: int) -> tuple[int, float]:
            seconds = None if deadline is None else deadline - time.monotonic()
            nodes = None if last is None else last - self._nodes
            if seconds is not None and seconds <= 0:
                raise stopped(STOP_TIME)
            if nodes is not None and nodes <= 0:
                raise stopped(STOP_NODES)
            asked = Query(position, query.side, query.objective)
            answer = self._ask(asked, Limits(seconds, nodes), low=low, high=high, guess=guess)
            if answer[0] != answer[1]:
                raise stopped(answer[2])
            return answer[0], answer[5] / 1e6

        return ask


class _Session:
    """Holds the solver's lock, and its table to one kind of question."""

    def __init__(self, solver: Solver, context: tuple[int, int, int, Objective]) -> None:
        self.solver = solver
        self.context = context

    def __enter__(self) -> None:
        solver = self.solver
        solver._lock.acquire()
        if solver._context not in (None, self.context):
            solver._lock.release()
            message = (
                f"expected positions with {describe(solver._context)}, which this solver's table holds, "
                f"found {describe(self.context)}; clear() empties it"
            )
            raise InputError("table_mismatch", message, field="position")
        solver._context = self.context
        solver._engine.reset()

    def __exit__(self, *exc: object) -> None:
        self.solver._lock.release()


def describe(context: tuple[int, int, int, Objective] | None) -> str:
    """A table's context in words."""
    assert context is not None
    n, trump, side, objective = context
    return f"{n} hands, trump {trump_name(trump)}, side {side:#x}, {objective} tricks"
