"""A study on the threads of this process: no service, no other process. The search runs without the interpreter's lock.

Threads take deals, not chunks, so that all are busy to the end of a small study too. Some chunks are begun ahead, so
that a deal that takes long stops nobody; their rows are all that is held.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from tierce.solver.batch.columns import Row
from tierce.solver.batch.parts import Job
from tierce.solver.batch.work import Line, Work
from tierce.solver.checks import check_whole

__all__ = ["THREADS_MAX", "Watch", "run_here"]

THREADS_MAX: Final = 256
AHEAD: Final = 64  # deals waiting for each thread, and the rest of a chunk
TICK: Final = 0.1  # seconds between two looks at the watch

Watch: TypeAlias = Callable[[int], None]  # is told how many deals are done, again and again

_Task: TypeAlias = tuple[int, int, int, Line | None]  # chunk, place in it, number, line
_Done: TypeAlias = tuple[int, int, list[Row]] | BaseException


@dataclass(slots=True)
class _Crew:
    """Threads, what they are to do, and what came of it."""

    work: Work
    tasks: SimpleQueue[_Task | None] = field(default_factory=SimpleQueue)
    done: SimpleQueue[_Done] = field(default_factory=SimpleQueue)
    stopped: bool = False

    def serve(self) -> None:
        """One thread, to the end."""
        while (task := self.tasks.get()) is not None and not self.stopped:
            chunk, place, number, line = task
            try:
                self.done.put((chunk, place, self.work.rows(number, line)))
            except BaseException as error:  # raised again where the caller is
                self.done.put(error)
                return


def run_here(
    work: Work, jobs: Iterator[Job], threads: int, watch: Watch | None = None
) -> Iterator[tuple[int, list[Row]]]:
    """The chunks with their rows, in the order in which they are finished.

    watch   is called with the number of deals done, after each and ten times a second; what it raises comes through

    Closing the iterator, and whatever is raised, leaves the threads to end with the deal that they are at. InputError
    (code and field "threads").
    """
    check_whole(threads, 1, THREADS_MAX, f"from 1 to {THREADS_MAX} threads", "threads")
    return _run(_Crew(work), jobs, threads, watch)


def _run(crew: _Crew, jobs: Iterator[Job], threads: int, watch: Watch | None) -> Iterator[tuple[int, list[Row]]]:
    open_: dict[int, _Open] = {}
    waiting = deals = 0
    more = True
    try:
        for _ in range(threads):
            threading.Thread(target=crew.serve, daemon=True, name="tierce").start()
        while True:
            while more and waiting < AHEAD * threads:
                job = next(jobs, None)
                more = job is not None
                if job is not None:
                    open_[job.chunk] = _Open(_begin(crew, job))
                    waiting += open_[job.chunk].left
            if not waiting:
                return
            done = _next(crew, deals, watch)
            chunk, place, rows = done
            found = open_[chunk]
            found.rows[place] = rows
            found.left -= 1
            waiting -= 1
            deals += 1
            if not found.left:
                del open_[chunk]
                yield chunk, [row for place in sorted(found.rows) for row in found.rows[place]]
    finally:
        crew.stopped = True
        for _ in range(threads):
            crew.tasks.put(None)


@dataclass(slots=True)
class _Open:
    """A chunk that is not finished: deals left, and the rows of the others by their place."""

    left: int
    rows: dict[int, list[Row]] = field(default_factory=dict)


def _begin(crew: _Crew, job: Job) -> int:
    """Hand out the deals of a chunk; how many there are."""
    numbers = crew.work.study.numbers(job.chunk)
    lines = job.lines if job.lines is not None else (None,) * len(numbers)
    for place, (number, line) in enumerate(zip(numbers, lines, strict=True)):
        crew.tasks.put((job.chunk, place, number, line))
    return len(numbers)


def _next(crew: _Crew, deals: int, watch: Watch | None) -> tuple[int, int, list[Row]]:
    """The next deal that is done."""
    while True:
        if watch is not None:
            watch(deals)
        try:
            done = crew.done.get(timeout=TICK)
        except Empty:
            continue
        if isinstance(done, BaseException):
            raise done
        return done
