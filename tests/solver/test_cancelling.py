"""Cancelling from another thread, and calls from several threads."""

from __future__ import annotations

import random
import threading
import time

import pytest

from tests.brute.endings import random_ending
from tests.solver.support import FAST, SLACK, TWO_EACH, hard
from tierce.solver.errors import Cancelled
from tierce.solver.position import Position
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
