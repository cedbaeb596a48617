"""Who is next: fair between callers, the spare, a queue that is full, work that is taken back."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service.support import until
from tierce.service import ServiceError
from tierce.service.pool import FAR, NEAR, Caller, Desk, Job, Pool
from tierce.solver.errors import Cancelled

A, B, C = Caller("a", "1"), Caller("b", "1"), Caller("c", "1")


class Gate:
    """Work that waits for a word, and the order in which it began."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._open = threading.Event()
        self.begun: list[Any] = []

    def submit(self, caller: Caller, name: Any) -> Job:
        def work(_: Desk) -> Any:
            self.begun.append(name)
            self._open.wait(20)
            return name

        return self._pool.submit(caller, work)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def pool() -> Iterator[Pool]:
    found = Pool(1, 4, 4)
    yield found
    found.close()


def test_a_batch_does_not_keep_a_single_question_waiting(pool: Pool) -> None:
    gate = Gate(pool)
    jobs = [gate.submit(A, f"a{number}") for number in range(3)]
    until(lambda: pool.busy == 1)
    single = gate.submit(B, "b")  # all workers are busy: the spare has it
    until(lambda: "b" in gate.begun)
    assert gate.begun == ["a0", "b"]
    gate.open()
    assert single.future.result(5) == "b" and [job.future.result(5) for job in jobs] == ["a0", "a1", "a2"]


def test_turns_go_round() -> None:
    pool = Pool(1, 100, 4)
    gate = Gate(pool)
    held = [gate.submit(Caller("x", str(number)), "held") for number in range(2)]  # the worker and the spare
    until(lambda: pool.busy == 2)
    jobs = [gate.submit(A, f"a{number}") for number in range(6)]
    jobs += [gate.submit(B, f"b{number}") for number in range(3)]
    jobs += [gate.submit(Caller("b", "2"), f"other b{number}") for number in range(3)]
    gate.open()
    for job in (*held, *jobs):
        job.future.result(5)
    order = gate.begun[2:]
    first = order[:6]
    assert sum(name.startswith("a") for name in first) == 3  # a and b in turn, and b's two connections in turn
    assert {name[:-1] for name in first if "b" in name} == {"b", "other b"}
    pool.close()


def test_who_has_the_most_waiting_gives_way(pool: Pool) -> None:
    gate = Gate(pool)
    gate.submit(A, "a0")
    gate.submit(C, "c0")  # the spare's
    until(lambda: pool.busy == 2)
    waiting = [gate.submit(A, f"a{number}") for number in range(1, 5)]
    with pytest.raises(ServiceError) as caught:
        gate.submit(A, "too much")
    assert caught.value.code == "queue_full" and (caught.value.retry_after or 0) > 0
    newcomer = gate.submit(B, "b")
    with pytest.raises(ServiceError):
        waiting[-1].future.result(5)
    gate.open()
    assert newcomer.future.result(5) == "b"
    assert [job.future.result(5) for job in waiting[:-1]] == ["a1", "a2", "a3"]


def test_work_that_would_come_too_late(pool: Pool) -> None:
    gate = Gate(pool)
    jobs = [gate.submit(A, "a0"), gate.submit(B, "b0")]
    until(lambda: pool.busy == 2)
    jobs.append(pool.submit(C, lambda _: 1, within=100))  # of somebody who has nothing else: the others do not count
    with pytest.raises(ServiceError) as caught:
        pool.submit(C, lambda _: 1, within=1e-9)
    assert caught.value.code == "queue_full"
    gate.open()
    assert [job.future.result(5) for job in jobs] == ["a0", "b0", 1]


def test_work_that_has_waited_too_long(pool: Pool) -> None:
    """It is refused when it is given up, or else when its turn comes; work that has begun is not."""
    gate = Gate(pool)
    jobs = [gate.submit(A, "a0"), gate.submit(B, "b0")]
    until(lambda: pool.busy == 2)
    late = pool.submit(C, lambda _: 1, within=0.15)
    jobs.append(pool.submit(C, lambda _: 2, within=100))
    given_up = pool.submit(C, lambda _: 3, within=100)
    pool.give_up(given_up)
    pool.give_up(jobs[0])
    time.sleep(0.1)
    gate.open()
    for job in (late, given_up):
        with pytest.raises(ServiceError) as caught:
            job.future.result(5)
        assert caught.value.code == "queue_full" and (caught.value.retry_after or 0) > 0
    assert [job.future.result(5) for job in jobs] == ["a0", "b0", 2]
    until(lambda: pool.busy == 0)
    assert pool.waiting == 0


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
def test_threads_step_back_while_the_pool_is_pressed_and_others_follow_them() -> None:
    here = os.getpriority(os.PRIO_PROCESS, 0)
    pool, places = Pool(2, 20, 6), threading.Barrier(3)

    def work(desk: Desk) -> tuple[int, int, Desk]:
        places.wait(20)  # each at another thread
        return os.getpriority(os.PRIO_PROCESS, 0) - here, threading.get_native_id(), desk

    def found() -> tuple[set[int], set[int], set[Desk]]:
        jobs = [pool.submit(Caller(str(number)), work) for number in range(3)]
        nice, threads, desks = zip(*(job.future.result(20) for job in jobs), strict=True)
        until(lambda: pool.busy == 0)
        return set(nice), set(threads), set(desks)

    for _ in range(3):
        nice, first, desks = found()
        assert nice == {NEAR} and len(first) == len(desks) == 3
        pool.press(True)
        assert found() == ({FAR}, first, desks)
        pool.press(False)
        nice, second, again = found()
        assert nice == {NEAR} and not first & second and again == desks
    pool.close()


def test_work_goes_on_while_the_pool_is_pressed_and_let_go() -> None:
    pool = Pool(2, 10_000, 6)
    gate = Gate(pool)
    held = gate.submit(C, "held")  # its thread cannot be followed yet
    until(lambda: pool.busy == 1)
    jobs = []
    for number in range(300):
        jobs.append(pool.submit((A, B)[number % 2], _returning(number)))
        if number % 10 == 0:
            pool.press(number % 20 == 0)
    assert [job.future.result(20) for job in jobs] == list(range(300))
    gate.open()
    assert held.future.result(20) == "held"
    until(lambda: pool.busy == 0)
    pool.close()
    until(lambda: not any(thread.name.startswith("tierce-") and thread.is_alive() for thread in _of(pool)))


def _of(pool: Pool) -> list[threading.Thread]:
    return [thread for place in pool._places for thread in (place.thread, place.heir) if thread is not None]


def test_work_that_is_taken_back(pool: Pool) -> None:
    gate = Gate(pool)
    first = [gate.submit(A, "a0"), gate.submit(B, "b0")]
    until(lambda: pool.busy == 2)
    waiting = gate.submit(C, "c")
    pool.withdraw(waiting)
    with pytest.raises(Cancelled):
        waiting.future.result(5)
    assert pool.waiting == 0
    gate.open()
    for job in first:
        job.future.result(5)
    assert "c" not in gate.begun


class Search:
    """A search that runs until it is cancelled."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()

    def cancel(self) -> None:
        self.cancelled.set()


def test_searches_are_stopped_with_their_work(pool: Pool) -> None:
    search, other = Search(), Search()
    there = threading.Event()

    def work(desk: Desk) -> str:
        desk.stoppable(search)
        there.set()
        search.cancelled.wait(20)
        desk.stoppable(other)  # one that begins after the word
        return "stopped" if other.cancelled.is_set() else "missed"

    job = pool.submit(A, work)
    there.wait(5)
    job.cancel()
    assert job.future.result(5) == "stopped"


def test_an_engine_is_not_stopped_for_the_work_before(pool: Pool) -> None:
    engines: list[Any] = []

    def work(desk: Desk) -> int:
        engines.append(desk.engine)
        return 1

    first = pool.submit(A, work)
    first.future.result(5)
    first.cancel()  # too late
    assert pool.submit(A, work).future.result(5) == 1


def test_errors_come_through(pool: Pool) -> None:
    def work(_: Desk) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pool.submit(A, work).future.result(5)
    assert pool.submit(A, lambda _: 3).future.result(5) == 3


def test_the_end() -> None:
    pool = Pool(1, 10, 4)
    gate = Gate(pool)
    running = [gate.submit(A, 1), gate.submit(B, 2)]
    until(lambda: pool.busy == 2)
    waiting = gate.submit(A, 3)
    pool.close()
    with pytest.raises(ServiceError) as caught:
        waiting.future.result(5)
    assert caught.value.code == "draining" and all(job.cancelled for job in running)
    with pytest.raises(ServiceError):
        gate.submit(A, 4)
    gate.open()


def test_work_of_a_kind_that_takes_long_may_wait_less() -> None:
    """So that there is time for it before its deadline; but some it may wait in any case."""
    pool = Pool(1, 10, 6)
    kinds = {"short": 0.0, "long": 0.5, "longer": 1.2}
    for kind, seconds in kinds.items():
        pool.submit(A, _lasting(seconds), kind=kind).future.result(10)
    jobs = {kind: pool.submit(A, lambda _: None, within=1.0, kind=kind) for kind in (*kinds, "unknown")}
    patience = {kind: job.until - job.queued for kind, job in jobs.items()}
    assert [patience[kind] for kind in ("short", "unknown")] == pytest.approx([0.6, 0.6], abs=0.01)
    assert patience["long"] < 0.51 and patience["longer"] == pytest.approx(0.3, abs=0.01)
    pool.close()


def test_many_threads_at_once() -> None:
    pool = Pool(2, 10_000, 6)
    found: list[int] = []

    def client(caller: Caller) -> None:
        jobs = [pool.submit(caller, _returning(number)) for number in range(100)]
        for number, job in enumerate(jobs):
            if number % 7 == 3:
                pool.withdraw(job)
        for job in jobs:
            try:
                found.append(job.future.result(20))
            except Cancelled:
                found.append(-1)

    threads = [threading.Thread(target=client, args=(Caller(str(number % 3), str(number)),)) for number in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 900 and pool.waiting == 0
    until(lambda: pool.busy == 0)
    pool.close()


def _lasting(seconds: float) -> Callable[[Desk], None]:
    return lambda _: time.sleep(seconds)


def _returning(number: int) -> Callable[[Desk], int]:
    def work(_: Desk) -> int:
        time.sleep(0.0001)
        return number

    return work
