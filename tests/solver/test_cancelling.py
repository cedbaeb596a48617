"""Cancelling from another thread, and calls from several threads."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.brute.endings import random_ending
from tests.solver.support import FAST, SLACK, TWO_EACH, hard
from tierce.solver.errors import Cancelled, LimitReached
from tierce.solver.position import Position
from tierce.solver.search import STOP_TIME
from tierce.solver.solve import solve
from tierce.solver.solver import Solver


@pytest.mark.parametrize("method", ["solve", "card_values", "best_line"])
def test_cancel_from_another_thread(method: str) -> None:
    solver = Solver(16)
    ended: list[float] = []

    def ask() -> None:
        with pytest.raises(Cancelled) as caught:
            getattr(solver, method)(hard(), "D", "fewest", timeout=20)
        ended.append(time.perf_counter())
        assert caught.value.code == "cancelled"

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.15)
    cancelled = time.perf_counter()
    solver.cancel()
    thread.join(10)
    assert ended
    assert ended[0] - cancelled < FAST + SLACK
    # The next call is served, with the table as it was.
    assert solver.entries > 0
    assert solver.solve(TWO_EACH, "D", "fewest").tricks == solve(TWO_EACH, "D", "fewest").tricks


def test_a_cancelled_call_has_no_bounds_to_return() -> None:
    solver = Solver(16)
    timer = threading.Timer(0.1, solver.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        solver.solve(hard(), "D", "fewest", timeout=20, bounds=True)
    timer.join()


def test_a_cancellation_does_not_outlast_its_call() -> None:
    solver = Solver(1)
    solver.cancel()
    assert solver.solve(TWO_EACH, "D").tricks == 1


def test_other_threads_run_during_a_search() -> None:
    solver = Solver(16)
    thread = threading.Thread(target=lambda: solver.solve(hard(), "D", "fewest", timeout=0.3, bounds=True))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 50


def test_calls_from_two_threads_wait_for_each_other() -> None:
    solver, wrong = Solver(1), []

    def ask(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(100):
            ending = random_ending(rng, hands=4, cards=4)
            at = Position(ending.hands, 2, ending.leader, ending.trick)
            if solver.solve(at, "NE").tricks != solve(at, "NE", table_mb=1).tricks:
                wrong.append(at)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@contextmanager
def busy(solver: Solver, seconds: float) -> Iterator[None]:
    """Another thread's call runs for so long."""
    thread = threading.Thread(target=lambda: solver.solve(hard(), "D", "fewest", timeout=seconds, bounds=True))
    thread.start()
    time.sleep(0.05)
    try:
        yield
    finally:
        thread.join()


def test_waiting_for_another_thread_counts_within_the_timeout() -> None:
    """Each way of asking gives up when its own time is over, with nothing proved, and leaves the other alone."""
    solver = Solver(16)
    with busy(solver, 0.6):
        for ask in (solver.solve, solver.card_values, solver.best_line):
            began = time.perf_counter()
            with pytest.raises(LimitReached) as caught:
                ask(hard(), "D", "fewest", timeout=0.05)
            assert time.perf_counter() - began < 0.05 + FAST + SLACK
            assert caught.value.code == "timeout"
        result = solver.solve(hard(), "D", "fewest", timeout=0.05, bounds=True)
    assert (result.low, result.high, result.stop, result.nodes) == (0, 17, STOP_TIME, 0)
    assert solver.solve(replace(hard(), hands=(1, 2, 4)), "D", "fewest", timeout=5).complete


def test_what_is_left_after_waiting_is_the_time_to_search() -> None:
    solver = Solver(16)
    with busy(solver, 0.3):
        began = time.perf_counter()
        result = solver.solve(hard(), "D", "fewest", timeout=0.4, bounds=True)
        assert 0.4 <= time.perf_counter() - began < 0.4 + FAST + SLACK
    assert result.stop == STOP_TIME
    assert result.nodes > 0
