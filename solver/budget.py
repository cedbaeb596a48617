"""What may be spent on one deal, and searches that spend it."""

from __future__ import annotations

import time

from tierce.solver.errors import LimitReached
from tierce.solver.query import Answer, Limits, Query
from tierce.solver.results import Floors, SideResult, stopped
from tierce.solver.search import RESULT, STOP_NODES, STOP_TIME, Engine

__all__ = ["Budget", "limit_of", "solve_query"]

_INSTANT = 1e-9  # seconds: the shortest limit there is


class Budget:
    """Seconds and nodes for one deal, whatever is asked of it: each search gets what those before it left.

    The time begins when the budget is made. `timeout` in seconds; None is no limit.
    """

    def __init__(self, timeout: float | None = None, max_nodes: int | None = None) -> None:
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._nodes = max_nodes

    @property
    def stop(self) -> int:
        """0, or what is used up (tierce.solver.search.STOP_*)."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return STOP_TIME
        return STOP_NODES if self._nodes is not None and self._nodes <= 0 else 0

    def left(self) -> Limits:
        """The limits of the next search. LimitReached if nothing is left for it."""
        if stop := self.stop:
            raise stopped(stop)
        seconds = None if self._deadline is None else max(_INSTANT, self._deadline - time.monotonic())
        return Limits(seconds, self._nodes)

    def spend(self, nodes: int) -> None:
        """Take away what a search took."""
        if self._nodes is not None:
            self._nodes -= nodes


def solve_query(query: Query, budget: Budget, engine: Engine) -> SideResult | Floors:
    """The exact values, or what was proved when the budget was spent."""
    stop = budget.stop
    if stop:
        return query.result([(0, query.position.left, stop, 0, 0, 0)] * len(query.sides))
    requests = query.requests(budget.left())
    answers: list[Answer] = list(RESULT.iter_unpack(engine.run(b"".join(requests), cold=True))) if requests else []
    result = query.result(answers)
    budget.spend(result.nodes)
    return result


def limit_of(result: SideResult | Floors) -> LimitReached | None:
    """The limit that stopped the search, if one did; a cancelled search raises."""
    if result.complete:
        return None
    sides = (result,) if isinstance(result, SideResult) else result.sides
    error = stopped(next(side.stop for side in sides if not side.complete))
    if isinstance(error, LimitReached):
        return error
    raise error
