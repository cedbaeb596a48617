"""A study on a Dask cluster: chunks go out, rows come back, and what is lost is asked for again.

A few chunks for each thread of the cluster are out at a time. The cluster sees to workers that end: a chunk goes to
another one. One that the cluster gives up, because its workers ended several times, is asked for again, and so are all
that were out when the connection broke, if it comes back. ClusterLost when it does not: what was finished has been
given.

Workers need this version of tierce, and the modules of the strategies, where they run.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final
from uuid import uuid4

from tierce.solver.batch.columns import Row
from tierce.solver.batch.local import Watch
from tierce.solver.batch.parts import Job
from tierce.solver.batch.studies import Study
from tierce.solver.batch.work import chunk_rows
from tierce.solver.errors import TierceError

__all__ = ["ClusterLost", "connected", "run_there"]

CONNECT: Final = 10.0  # seconds to wait for the scheduler, at first and when it is gone
OUT: Final = 3  # chunks out for each thread of the cluster: one is worked on, others wait beside it
LOOK: Final = 0.1  # seconds between two looks at the watch
COUNT: Final = 2.0  # seconds between two counts of the workers
TRIES: Final = 4  # times that a chunk is asked for before it is held to end every worker


class ClusterLost(TierceError):
    """The cluster cannot be reached, or does not work; code "cluster", field "scheduler"."""

    def __init__(self, message: str) -> None:
        super().__init__("cluster", message, field="scheduler")

    def __reduce__(self) -> tuple[type[ClusterLost], tuple[str]]:
        return ClusterLost, (self.message,)


def connected(address: str) -> Any:
    """A client (distributed.Client) of the cluster at an address. ClusterLost."""
    import distributed

    client: Any = distributed.Client
    try:
        return client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterLost(f"expected a Dask scheduler at {address}, found none: {_said(error)}") from None


def run_there(
    client: Any,
    study: Study,
    jobs: Iterator[Job],
    watch: Watch | None = None,
    say: Callable[[str], None] | None = None,
) -> Iterator[tuple[int, list[Row]]]:
    """The chunks with their rows, in the order in which they are finished. `watch` as in `local.run_here`; `say` is
    told when there are no workers. Closing the iterator, and whatever is raised, takes back what is out."""
    out = _Out(client, study.json(), jobs, say)
    deals = 0
    try:
        while out.fill():
            if watch is not None:
                watch(deals)
            for chunk, rows in out.come():
                deals += len(study.numbers(chunk))
                yield chunk, rows
    finally:
        out.take_back()


@dataclass(slots=True)
class _Out:
    """What is out."""

    client: Any
    study: str
    jobs: Iterator[Job]
    say: Callable[[str], None] | None
    token: str = field(default_factory=lambda: uuid4().hex)
    futures: dict[Any, Job] = field(default_factory=dict)
    again: list[Job] = field(default_factory=list)
    tries: Counter[int] = field(default_factory=Counter)
    done: SimpleQueue[Any] = field(default_factory=SimpleQueue)
    threads: int = 0
    counted: float = -COUNT
    reached: float = field(default_factory=time.monotonic)

    def fill(self) -> bool:
        """Send out what there is room for; False if nothing is out and nothing left."""
        self._count()
        while self.client.status == "running" and len(self.futures) < OUT * max(1, self.threads):
            job = self.again.pop() if self.again else next(self.jobs, None)
            if job is None:
                break
            self._send(job)
        return bool(self.futures or self.again)

    def _send(self, job: Job) -> None:
        self.tries[job.chunk] += 1
        key = f"tierce-{self.token}-{job.chunk}-{self.tries[job.chunk]}"
        future = self.client.submit(chunk_rows, self.study, job.chunk, job.lines, key=key, pure=False)
        self.futures[future] = job
        future.add_done_callback(self.done.put)

    def come(self) -> Iterator[tuple[int, list[Row]]]:
        """What has come; waits a moment for it."""
        if self.client.status in ("closing", "closed"):
            raise ClusterLost("expected the scheduler to answer, found the connection broken")
        try:
            future = self.done.get(timeout=LOOK)
        except Empty:
            return
        job = self.futures.pop(future, None)
        if job is None:
            return
        rows = self._rows(future, job)
        future.release()
        if rows is None:
            self.again.append(job)
        else:
            yield job.chunk, rows

    def _rows(self, future: Any, job: Job) -> list[Row] | None:
        """What came of a chunk; None if it is to be asked for again."""
        from distributed.scheduler import KilledWorker

        if future.status in ("cancelled", "lost"):  # the connection broke: no fault of the chunk's
            self.tries[job.chunk] -= 1
            self.token = uuid4().hex
            return None
        if future.status == "finished":
            try:
                rows: list[Row] = future.result(timeout=CONNECT)
                return rows
            except Exception:  # it was lost on its way
                self._failed(job, "its rows do not come")
                return None
        error = future.exception(timeout=CONNECT)
        if isinstance(error, KilledWorker):
            self._failed(job, "the workers that begin it end")
            return None
        if isinstance(error, TierceError):
            raise error
        raise ClusterLost(f"expected the workers to do chunk {job.chunk}, found {_said(error)}")

    def _failed(self, job: Job, reason: str) -> None:
        if self.tries[job.chunk] >= TRIES:
            raise ClusterLost(f"expected the workers to do chunk {job.chunk}, found that {reason}, {TRIES} times")

    def _count(self) -> None:
        """How many threads there are, from time to time; a word when there are none."""
        now = time.monotonic()
        if now - self.counted < COUNT or self.client.status != "running":
            return
        self.counted = now
        before = self.threads
        try:
            self.threads = sum(self.client.nthreads().values())
        except (OSError, TimeoutError):
            if time.monotonic() - self.reached > CONNECT:
                raise ClusterLost("expected the scheduler to answer, found that it does not") from None
            return
        self.reached = time.monotonic()
        if not self.threads and self.say is not None and (before or not self.tries):
            self.say("the cluster has no workers; waiting for some")

    def take_back(self) -> None:
        """Let the cluster forget what is out."""
        if self.futures and self.client.status == "running":
            with suppress(OSError, TimeoutError):
                self.client.cancel(list(self.futures), force=True)
        self.futures.clear()


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())[:300]
