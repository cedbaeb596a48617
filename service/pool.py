"""Threads that search, and who is next.

A pool has some workers and one more, the spare. A worker takes the next piece of work of the caller who has the fewest
in hand (see Lines); the spare takes work only when all workers are busy, and of a caller who has none in hand. So a
batch that keeps all workers busy does not keep anybody else's single question waiting, and whoever brings more
questions is served no more often than others.

So many pieces of work may wait; beyond that the caller with the most waiting gives way: a newcomer with fewer takes the
place of the last of them, and otherwise is refused itself (ServiceError queue_full, with the time after which another
try may do better).

Threads that search step back a little for the event loop, and far while the pool is pressed: then calls that cannot be
served are refused at once, however little of the processors there is. A thread may not step forward again, so when the
pool is let go others take the places of those that stepped back, each with its desk.

Thread safety: `submit`, `Job.cancel`, `close` and the figures from any thread; `press` from one that has not stepped
back.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from tierce.service.faults import ServiceError
from tierce.service.lines import Lines
from tierce.solver.errors import Cancelled
from tierce.solver.query import MIB
from tierce.solver.search import Engine
from tierce.solver.solver import Solver

__all__ = ["Caller", "Desk", "Job", "Pool", "Stoppable"]

_RETRY: Final = (0.05, 30.0)  # seconds: the shortest and the longest that a refused caller is told to wait
NEAR: Final = 2  # how far threads that search step back: how much nicer they are than the one that began them
FAR: Final = 10
_SURE: Final = 2  # times as long as it is likely to take must be left of a deadline
_MOMENT: Final = 0.05  # seconds that any work may wait
_PATIENCE: Final = (0.3, 0.6)  # so much of the time there is may be spent in waiting: the rest is for the work
_SPREAD: Final = 2  # mean deviations above the mean time that work is given, as far as that share lets
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

    The engine is kept from one piece of work to the next, for its table would else be taken from the system and given
    back a hundred times a second. Its memory grows to what the longest search has needed, up to `table_mb`, and stays.

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
        """The engine; its table is as the work before left it."""
        if self._engine is None:
            self._engine = Engine(self.table_mb * MIB)
        assert self.job is not None
        self._engine.reset()
        self.job.add(self._engine)
        return self._engine

    def solver(self) -> Solver:
        """A solver with an empty table, the engine's, that is stopped with the work. One is used at a time."""
        return Solver(engine=self.engine)

    def stoppable(self, search: Stoppable) -> None:
        """A search with tables of its own: stop it, too, if the work is to be stopped."""
        self._engine = None  # there is memory for one of them
        assert self.job is not None
        self.job.add(search)


@dataclass(eq=False, slots=True)
class Job:
    """A piece of work of a caller. `future` has what comes of it: Cancelled if it was stopped.

    patient   see Pool.submit
    until     so long it may wait, on the monotonic clock; kind: see Pool.submit
    """

    caller: Caller
    work: Callable[[Desk], Any]
    patient: bool = False
    until: float = math.inf
    kind: str = ""
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


def step_back(thread: int, nice: int) -> None:
    """Let a thread (by its native number), and those that it begins, run after others: without it searches take the
    processors that calls need to be refused. Where threads have no priority of their own (not Linux) nothing changes.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, nice)


def niceness() -> int:
    """Of this thread."""
    return os.getpriority(os.PRIO_PROCESS, 0) if sys.platform == "linux" else 0


class _Place:
    """Of one thread: its desk, and the thread that is to follow, if one is."""

    def __init__(self, desk: Desk, *, spare: bool) -> None:
        self.desk = desk
        self.spare = spare
        self.thread: threading.Thread | None = None
        self.heir: threading.Thread | None = None


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
        self._lines = Lines()
        self._lock = threading.Lock()
        self._for_worker = threading.Condition(self._lock)
        self._for_spare = threading.Condition(self._lock)
        self._nice = niceness()
        self._closed = False
        self._pressed = False
        self._running: set[Job] = set()
        self._free = workers  # of the workers
        self._mean = 0.05  # seconds that a piece of work takes
        self._times: dict[str, tuple[float, float]] = {}  # the same by kind of work, and the mean deviation
        self._places = [_Place(Desk(self.table_mb), spare=number == workers) for number in range(workers + 1)]
        for place in self._places:
            self._follow(place)

    @property
    def waiting(self) -> int:
        """Pieces of work that wait."""
        return len(self._lines)

    @property
    def busy(self) -> int:
        """Threads at work."""
        return len(self._running)

    # ---- work --------------------------------------------------------------------------------------------------------

    def submit(
        self,
        caller: Caller,
        work: Callable[[Desk], Any],
        *,
        patient: bool = False,
        within: float | None = None,
        kind: str = "",
    ) -> Job:
        """Have work done when its turn has come. ServiceError "queue_full" or "draining".

        patient   it may wait whatever else does, and does not count for what may: its caller sees to it that there is
                  little of it
        within    seconds after which it is of no use: refused now if its turn is not likely to come in time, and later
                  (see `give_up`) if it has not
        kind      of work: how long it may wait depends on how long others of its kind took
        """
        job = Job(caller, work, patient, time.monotonic() + self._patience(kind, within), kind)
        with self._lock:
            if self._closed:
                raise ServiceError("draining", "the server is about to end", retry_after=1.0)
            self._refuse_late(caller, within)
            if not patient and self._lines.counted >= self.max_queue + self._free:
                gone = self._lines.to_give_way(caller)
                if gone is None:
                    raise self._full()
                gone.future.set_exception(self._full())
            self._lines.add(job)
            self._tell()
        return job

    def _patience(self, kind: str, within: float | None) -> float:
        """Seconds that work may wait, so that there is time for it."""
        if within is None:
            return math.inf
        mean, deviation = self._times.get(kind, (0.0, 0.0))
        least, most = (share * within for share in _PATIENCE)
        return max(min(within - mean - _SPREAD * deviation, most), least, _MOMENT)

    def refuse_late(self, caller: Caller, within: float | None) -> None:
        """ServiceError "queue_full" where the turn of new work is not likely to come within so many seconds."""
        with self._lock:
            self._refuse_late(caller, within)

    def _refuse_late(self, caller: Caller, within: float | None) -> None:
        if within is None or self._free:  # threads that are free take theirs at once: that does not wait
            return
        behind = self._lines.in_hand[caller] or caller in self._lines.waiting  # else his turn comes sooner
        if behind and _SURE * self._wait() > within:
            raise self._full()

    def _tell(self) -> None:
        """There is work: who may take it?"""
        if self._free:
            self._for_worker.notify()
        elif self._lines.for_spare():
            self._for_spare.notify()

    def withdraw(self, job: Job) -> None:
        """Take back work that has not begun; stop it if it has."""
        with self._lock:
            waiting = self._lines.remove(job)
        if waiting:
            job.future.set_exception(Cancelled())
        else:
            job.cancel()

    def give_up(self, job: Job) -> None:
        """Refuse work that still waits."""
        with self._lock:
            if self._lines.remove(job):
                job.future.set_exception(self._full())

    def close(self) -> None:
        """No more work; what waits is refused, what runs is stopped."""
        with self._lock:
            self._closed = True
            jobs = [job for line in self._lines.waiting.values() for job in line]
            running = list(self._running)
            self._lines = Lines()
            self._wake()
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
        retry = math.ceil(wait / _RETRY[0]) * _RETRY[0]
        return ServiceError("queue_full", message, retry_after=min(max(retry, _RETRY[0]), _RETRY[1]))

    # ---- threads -----------------------------------------------------------------------------------------------------

    def press(self, pressed: bool) -> None:
        """Are there more calls than can be served?"""
        with self._lock:
            if pressed == self._pressed or self._closed:
                return
            self._pressed = pressed
            for place in self._places:
                if not pressed:
                    self._follow(place)
                elif place.thread is not None and place.thread.native_id is not None:
                    step_back(place.thread.native_id, self._nice + FAR)
            self._wake()

    def _follow(self, place: _Place) -> None:
        """Begin a thread for a place, that follows the one there is as soon as that has finished what it does."""
        if place.heir is None:
            number = self._places.index(place)
            place.heir = threading.Thread(target=self._serve, args=(place,), name=f"tierce-{number}", daemon=True)
            place.heir.start()

    def _wake(self) -> None:
        self._for_worker.notify_all()
        self._for_spare.notify_all()

    def _serve(self, place: _Place) -> None:
        if place.thread is not None:
            place.thread.join()
        with self._lock:
            place.thread, place.heir = threading.current_thread(), None
            step_back(threading.get_native_id(), self._nice + (FAR if self._pressed else NEAR))
        while (job := self._next(place)) is not None:
            began = time.monotonic()
            job.run(place.desk)
            with self._lock:
                self._running.discard(job)
                self._free += not place.spare
                self._took(job.kind, time.monotonic() - began)
                self._lines.finished(job)
            del job  # what it holds may be large

    def _took(self, kind: str, seconds: float) -> None:
        self._mean += _SMOOTH * (seconds - self._mean)
        mean, deviation = self._times.get(kind, (seconds, 0.0))
        deviation += _SMOOTH * (abs(seconds - mean) - deviation)
        self._times[kind] = mean + _SMOOTH * (seconds - mean), deviation

    def _next(self, place: _Place) -> Job | None:
        """The next job at a place; None when its thread is to end."""
        there = self._for_spare if place.spare else self._for_worker
        with self._lock:
            while not self._closed and place.heir is None:
                job = None if place.spare and self._free else self._lines.next(spare=place.spare)
                if job is None:
                    there.wait()
                elif time.monotonic() > job.until:  # nobody has given up on it in time
                    self._lines.finished(job)
                    job.future.set_exception(self._full())
                else:
                    self._running.add(job)
                    self._free -= not place.spare
                    if self._lines.waiting:
                        self._tell()
                    return job
            return None
