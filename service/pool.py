"""Threads that search, and who is next.

A pool has some workers and one more, the spare. A worker takes the next piece of work of the caller who has the fewest
in hand, of equal ones of who has waited longest since it was last served; the spare takes work only when all workers
are busy, and of a caller who has none in hand. So a batch that keeps all workers busy does not keep anybody else's
single question waiting, and whoever brings more questions is served no more often than others. Callers are told apart
at two levels: who they are (token, certificate or address), and then by connection.

So many pieces of work may wait; beyond that the caller with the most waiting gives way: a newcomer with fewer takes the
place of the last of them, and otherwise is refused itself (ServiceError queue_full, with the time after which another
try may do better).

Thread safety: `submit`, `Job.cancel`, `close` and the figures from any thread.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Protocol

from tierce.service.faults import ServiceError
from tierce.solver.errors import Cancelled
from tierce.solver.query import MIB
from tierce.solver.search import Engine
from tierce.solver.solver import Solver

__all__ = ["Caller", "Desk", "Job", "Pool", "Stoppable"]

_RETRY: Final = (0.05, 30.0)  # seconds: the shortest and the longest that a refused caller is told to wait
NICE: Final = 2  # of threads that search
_SMOOTH: Final = 0.1  # what a new piece of work counts in the mean time of one


class Stoppable(Protocol):
    """A search that can be stopped from another thread."""

    def cancel(self) -> None:
        """Stop what runs."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: `who` by token, certificate or address; `line`: over which connection."""

    who: str
    line: str = ""


class Desk:
    """Where one thread works: its engine, and what must be stopped if its work is no longer wanted.

    table_mb   MiB for every table of one piece of work together
    nodes      of the work that is done at it, as far as it is told
    """

    def __init__(self, table_mb: int) -> None:
        self.table_mb = table_mb
        self.nodes = 0
        self.job: Job | None = None
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        """An engine that is kept from one piece of work to the next; its table is as they left it."""
        if self._engine is None:
            self._engine = Engine(self.table_mb * MIB)
        assert self.job is not None
        self._engine.reset()
        self.job.add(self._engine)
        return self._engine

    def solver(self) -> Solver:
        """A solver with an empty table, that is stopped with the work."""
        solver = Solver(self.table_mb)
        self.stoppable(solver)
        return solver

    def stoppable(self, search: Stoppable) -> None:
        """A search with tables of its own: stop it, too, if the work is to be stopped."""
        self._engine = None  # there is memory for one of them
        assert self.job is not None
        self.job.add(search)


@dataclass(eq=False, slots=True)
class Job:
    """A piece of work of a caller. `future` has what comes of it: Cancelled if it was stopped. `patient`: see Pool."""

    caller: Caller
    work: Callable[[Desk], Any]
    patient: bool = False
    future: Future[Any] = field(default_factory=Future)
    queued: float = field(default_factory=time.monotonic)
    waited: float = 0.0
    cancelled: bool = False
    _searches: list[Stoppable] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def cancel(self) -> None:
        """Stop it. A search that was just beginning may not hear it: repeat it until the future is done."""
        with self._lock:
            self.cancelled = True
            for search in self._searches:
                search.cancel()

    def add(self, search: Stoppable) -> None:
        """A search that belongs to the work."""
        with self._lock:
            self._searches.append(search)
            if self.cancelled:
                search.cancel()

    def run(self, desk: Desk) -> None:
        """Do it."""
        self.waited = time.monotonic() - self.queued
        desk.job, desk.nodes = self, 0
        try:
            if self.cancelled:
                raise Cancelled
            result = self.work(desk)
        except BaseException as error:
            self._let_go()
            self.future.set_exception(error)
        else:
            self._let_go()
            self.future.set_result(result)

    def _let_go(self) -> None:
        with self._lock:  # from here on a cancellation must not reach the engine, which is the next one's
            self._searches.clear()


class _Lines:
    """What waits, by caller."""

    def __init__(self) -> None:
        self.waiting: dict[Caller, deque[Job]] = {}
        self.by_who: Counter[str] = Counter()
        self.in_hand: Counter[str | Caller] = Counter()
        self.served: dict[str | Caller, int] = {}
        self.turn = count(1)

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    @property
    def counted(self) -> int:
        """Those that are not patient."""
        return self.by_who.total()

    def add(self, job: Job) -> None:
        self.waiting.setdefault(job.caller, deque()).append(job)
        self.by_who[job.caller.who] += not job.patient

    def remove(self, job: Job) -> bool:
        """Take a job out; False if it no longer waits."""
        line = self.waiting.get(job.caller)
        if line is None or job not in line:
            return False
        line.remove(job)
        if not line:
            del self.waiting[job.caller]
        self.by_who[job.caller.who] -= not job.patient
        if not self.by_who[job.caller.who]:
            del self.by_who[job.caller.who]
        return True

    def next(self, *, spare: bool) -> Job | None:
        """The job that is next, or None; for the spare only of who has nothing in hand."""
        callers = [each for each in self.waiting if not spare or not self.in_hand[each]]
        if not callers:
            return None
        caller = min(callers, key=lambda each: (*self._rank(each.who), *self._rank(each)))
        turn = next(self.turn)
        for key in (caller.who, caller):
            self.in_hand[key] += 1
            self.served[key] = turn
        job = self.waiting[caller][0]
        self.remove(job)
        return job

    def _rank(self, key: str | Caller) -> tuple[int, int]:
        return self.in_hand[key], self.served.get(key, 0)

    def finished(self, job: Job) -> None:
        for key in (job.caller.who, job.caller):
            self.in_hand[key] -= 1
            if not self.in_hand[key]:
                del self.in_hand[key]
        if len(self.served) > 10_000:  # callers long gone
            self.served = {key: turn for key, turn in self.served.items() if key in self.in_hand}

    def to_give_way(self, caller: Caller) -> Job | None:
        """The last of who has the most waiting, if that is more than the newcomer would have; else None."""
        if not self.by_who:
            return None
        who = max(self.by_who, key=lambda each: self.by_who[each])
        if who != caller.who and self.by_who[who] <= self.by_who[caller.who] + 1:
            return None
        lines = [each for each in self.waiting if each.who == who]
        most = max(lines, key=self._counted)
        if who == caller.who and self._counted(most) <= self._counted(caller) + 1:
            return None
        job = next(each for each in reversed(self.waiting[most]) if not each.patient)
        self.remove(job)
        return job

    def _counted(self, caller: Caller) -> int:
        return sum(not job.patient for job in self.waiting.get(caller, ()))


def _step_back() -> None:
    """Let this thread, and those that it begins, run after the event loop's: without it searches take the processors
    that calls need to be refused. Where threads have no priority of their own (not Linux) nothing changes."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class Pool:
    """See the module.

    workers     threads, besides the spare
    max_queue   pieces of work that may wait
    table_mb    MiB for all tables together
    """

    def __init__(self, workers: int, max_queue: int, table_mb: int) -> None:
        self.workers = workers
        self.max_queue = max_queue
        self.table_mb = max(1, table_mb // (workers + 1))
        self._lines = _Lines()
        self._changed = threading.Condition()
        self._closed = False
        self._running: set[Job] = set()
        self._free = workers  # of the workers
        self._mean = 0.05  # seconds that a piece of work takes
        self._threads = [
            threading.Thread(target=self._serve, args=(number == workers,), name=f"tierce-{number}", daemon=True)
            for number in range(workers + 1)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Pieces of work that wait."""
        return len(self._lines)

    @property
    def busy(self) -> int:
        """Threads at work."""
        return len(self._running)

    def submit(
        self, caller: Caller, work: Callable[[Desk], Any], *, patient: bool = False, within: float | None = None
    ) -> Job:
        """Have work done when its turn has come. ServiceError "queue_full" or "draining".

        patient   it may wait whatever else does, and does not count for what may: its caller sees to it that there is
                  little of it
        within    seconds after which it is of no use: refused now if its turn is not likely to come before
        """
        job = Job(caller, work, patient)
        with self._changed:
            if self._closed:
                raise ServiceError("draining", "the server is about to end", retry_after=1.0)
            # threads that are free take theirs at once: that does not wait
            behind = self._lines.in_hand[caller] or caller in self._lines.waiting  # else his turn comes sooner
            if within is not None and not self._free and behind and self._wait() > within:
                raise self._full()
            if not patient and self._lines.counted >= self.max_queue + self._free:
                gone = self._lines.to_give_way(caller)
                if gone is None:
                    raise self._full()
                gone.future.set_exception(self._full())
            self._lines.add(job)
            self._changed.notify_all()
        return job

    def withdraw(self, job: Job) -> None:
        """Take back work that has not begun; stop it if it has."""
        with self._changed:
            waiting = self._lines.remove(job)
        if waiting:
            job.future.set_exception(Cancelled())
        else:
            job.cancel()

    def close(self) -> None:
        """No more work; what waits is refused, what runs is stopped."""
        with self._changed:
            self._closed = True
            jobs = [job for line in self._lines.waiting.values() for job in line]
            running = list(self._running)
            self._lines = _Lines()
            self._changed.notify_all()
        for job in running:
            job.cancel()
        for job in jobs:
            job.future.set_exception(ServiceError("draining", "the server is about to end", retry_after=1.0))

    def _wait(self) -> float:
        """Seconds until the turn of a newcomer, about."""
        return self._mean * (len(self._lines) + 1) / self.workers

    def _full(self) -> ServiceError:
        wait = self._wait()
        message = f"expected fewer questions waiting, found {len(self._lines)}, about {wait:.1f} s of work"
        return ServiceError("queue_full", message, retry_after=min(max(wait, _RETRY[0]), _RETRY[1]))

    def _serve(self, spare: bool) -> None:
        _step_back()
        desk = Desk(self.table_mb)
        while (job := self._next(spare)) is not None:
            began = time.monotonic()
            job.run(desk)
            with self._changed:
                self._running.discard(job)
                self._free += not spare
                self._mean += _SMOOTH * (time.monotonic() - began - self._mean)
                self._lines.finished(job)
                self._changed.notify_all()
            del job  # what it holds may be large

    def _next(self, spare: bool) -> Job | None:
        with self._changed:
            while not self._closed:
                job = None if spare and self._free else self._lines.next(spare=spare)
                if job is not None:
                    self._running.add(job)
                    self._free -= not spare
                    if not self._free and self._lines.waiting:
                        self._changed.notify_all()  # now the spare may
                    return job
                self._changed.wait()
            return None
