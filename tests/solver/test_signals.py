"""Signals during a search: what a handler raises in the main thread ends it soon, and the solver is as good as new."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from tests.solver.support import hard
from tierce.solver.solve import best_line, card_values, floors, solve
from tierce.solver.solver import Solver

SOON = 0.15  # seconds: 50 ms promised, the rest for a busy machine
AFTER = 0.1


class Heard(Exception):
    """Raised by the handler."""


def raise_heard(signum: int, frame: FrameType | None) -> None:
    raise Heard


@contextmanager
def alarm(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """SIGALRM after a while."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, AFTER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: solve(hard(), "D", "fewest"),
        lambda: floors(hard(), "fewest"),
        lambda: card_values(hard(), "D", "fewest"),
        lambda: best_line(hard(), "D", "fewest"),
    ],
    ids=["solve", "floors", "card_values", "best_line"],
)
def test_an_exception_of_a_handler_ends_the_search(ask: Callable[[], object]) -> None:
    began = time.monotonic()
    with alarm(raise_heard), pytest.raises(Heard):
        ask()
    assert time.monotonic() - began < AFTER + SOON


def test_a_solver_goes_on_after_a_signal() -> None:
    solver = Solver(table_mb=1)
    with alarm(raise_heard), pytest.raises(Heard):
        solver.solve(hard(), "D", "fewest")
    limited = solver.solve(hard(), "D", "fewest", max_nodes=1_000, bounds=True)
    assert not limited.complete


def test_a_handler_that_returns_does_not_disturb() -> None:
    heard: list[int] = []
    with alarm(lambda signum, frame: heard.append(signum)):
        found = solve(hard(), "D", "fewest", timeout=0.4, bounds=True)
    assert heard == [signal.SIGALRM]
    assert found.millis > 1000 * AFTER + 100


def test_searches_of_other_threads_go_on() -> None:
    """A signal is the main thread's affair."""
    nodes: list[int] = []
    worker = threading.Thread(
        target=lambda: nodes.append(solve(hard(), "D", "fewest", max_nodes=2_000_000, bounds=True).nodes)
    )
    with alarm(raise_heard), pytest.raises(Heard):
        worker.start()
        time.sleep(10)
    worker.join()
    assert nodes == [2_000_000]
