"""Engines and threads: a `Crew` has the engines of one thread, `Crews` share tasks out to several."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, Protocol, TypeAlias

from tierce.solver.advice.requests import Hands, Head, nanoseconds_left, packed
from tierce.solver.search import RESULT, STOP_CANCELLED, Engine

__all__ = ["CHUNK", "Call", "Crew", "Crews", "Task", "Watch", "work_together"]

CHUNK: Final = 64  # questions an engine call at most
# Entries of a table that is kept from one group of suit lengths to the next. Chains of millions of entries cost more
# than the proofs they hold: every optimal discard of 12 deals takes 55 s without a limit, 45 s with this one, and 46 s
# with none kept.
SMALL: Final = 300_000
_LOOK: Final = 0.01  # seconds


class Call(Protocol):
    """What a crew works on: after one call (trump, no trump or MIZ), the searches of these kinds."""

    @property
    def heads(self) -> Sequence[Head]:
        """Trump, leader and sides of a request to the engine, for each kind of search."""


class Crew:
    """The engines of one thread: one for each kind of search of the call it works on.

    nodes   starts of tricks searched; stop: 0, or why the work ended early (tierce.solver.search.STOP_*)
    """

    def __init__(self, table_bytes: int, deadline: float | None) -> None:
        self.nodes = 0
        self.stop = 0
        self.call: Call | None = None
        self._table_bytes = table_bytes
        self._deadline = deadline  # on the monotonic clock
        self._engines: list[Engine] = []

    def cancel(self) -> None:
        """Stop what runs and all that would come, from any thread."""
        self.stop = self.stop or STOP_CANCELLED
        for engine in self._engines:
            engine.cancel()

    def rest(self) -> None:
        """Give the tables back."""
        self.call = None
        self._engines = []

    def turn_to(self, call: Call, *, fresh: bool = False) -> None:
        """Empty the tables if they are another call's; if `fresh`, those that have grown large."""
        if self.call is call:
            for engine in self._engines if fresh else ():
                if engine.entries > SMALL:
                    engine.clear()
            return
        self.call = call
        terms = len(call.heads)
        if len(self._engines) < terms:
            self._engines = [Engine(self._table_bytes // terms) for _ in range(terms)]
            if self.stop:
                self.cancel()
        for engine in self._engines:
            engine.clear()

    def ask(self, term: int, hands: Sequence[Hands], low: int, high: int, guess: int = -1) -> list[tuple[int, int]]:
        """Bounds of the tricks a term's side takes in some lays, from `low` and `high` down to a point: of all, or of
        those that were done when a limit was reached."""
        assert self.call is not None
        timeout = nanoseconds_left(self._deadline)
        requests = packed(self.call.heads[term], hands, low, high, guess, timeout=timeout)
        found = []
        for at_least, at_most, stop, _, nodes, _ in RESULT.iter_unpack(self._engines[term].run(requests, cold=False)):
            self.nodes += nodes
            if stop:
                self.stop = self.stop or stop
                break
            found.append((at_least, at_most))
        return found


Task: TypeAlias = Callable[[Crew], None]
Watch: TypeAlias = Callable[[], None]


def work_together(
    works: Sequence[Callable[[], None]], cancel: Callable[[], None], watch: Watch | None, every: float
) -> None:
    """Do each in a thread of its own, until all have ended; `watch` is called every so many seconds.

    What it raises, and KeyboardInterrupt at any moment, also while threads are being started, cancels them and comes
    through when they have ended. Threads say themselves that they have: join() is not to be trusted, for an interrupted
    one takes its thread for ended.
    """
    begun: list[object] = []
    ended: list[object] = []
    woken = threading.Semaphore(0)

    def do(work: Callable[[], None]) -> None:
        begun.append(work)
        try:
            work()
        finally:
            ended.append(work)
            woken.release()

    try:
        for work in works:
            threading.Thread(target=do, args=(work,), daemon=True).start()
        waiting = bool(works)
        while waiting:
            woken.acquire(timeout=every)
            waiting = len(ended) < len(works)
            if watch is not None:  # also of what is known at the end
                watch()
    except BaseException:
        if len(ended) < len(works):
            cancel()  # one that has started and not begun finds that out
        while len(ended) < len(begun):
            woken.acquire(timeout=_LOOK)
        raise


class Crews:
    """Threads with a crew each, that do tasks in any order. What the tasks find must not depend on the order.

    nodes   starts of tricks searched so far; stop: 0, or why the work ended early

    Thread safety: `do` from one thread, `cancel` from any.
    """

    def __init__(self, threads: int, table_bytes: int) -> None:
        self._table_bytes = table_bytes // threads
        self._threads = threads
        self._crews: list[Crew] = []
        self._waiting: deque[Task] = deque()
        self._given = 0
        self._error: BaseException | None = None
        self._cancelled = False

    def begin(self, deadline: float | None) -> None:
        """Engines for tasks up to a moment on the monotonic clock."""
        self._crews = [Crew(self._table_bytes, deadline) for _ in range(self._threads)]
        if self._cancelled:
            self.cancel()

    @property
    def nodes(self) -> int:
        return sum(crew.nodes for crew in self._crews)

    @property
    def stop(self) -> int:
        return max((crew.stop for crew in self._crews), default=0)

    def cancel(self) -> None:
        """Stop what runs and all that would come, within 50 ms."""
        self._cancelled = True
        for crew in self._crews:
            crew.cancel()

    @property
    def share(self) -> float:
        """The share of the present tasks that is done."""
        return 1 - len(self._waiting) / max(1, self._given)

    def halt(self, stop: int) -> None:
        """End the work for this reason, between two tasks."""
        for crew in self._crews:
            crew.stop = crew.stop or stop

    def rest(self) -> None:
        """Give the tables back; the next task makes new ones."""
        for crew in self._crews:
            crew.rest()

    def do(self, tasks: Iterable[Task], watch: Watch | None = None, every: float = 0.1) -> None:
        """Do all of them, or as many as a limit allows; `watch` is called every so many seconds.

        What a task or `watch` raises, and KeyboardInterrupt, stops the others and comes through.
        """
        waiting = self._waiting = deque(tasks)
        self._given = len(waiting)
        works = [partial(self._work, crew, waiting) for crew in self._crews[: len(waiting)]]
        work_together(works, self.cancel, watch, every)
        if self._error is not None:
            raise self._error

    def _work(self, crew: Crew, waiting: deque[Task]) -> None:
        try:
            while not crew.stop and waiting:
                try:
                    task = waiting.popleft()
                except IndexError:  # another thread was quicker
                    return
                task(crew)
        except BaseException as error:  # told in `do`, where the caller is
            self._error = error
            self.cancel()
