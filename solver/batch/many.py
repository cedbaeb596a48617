"""Many questions on all cores, answers in the order of the questions.

Every question starts with an empty table, and every worker's table has the same size whatever the number of threads,
so that answers and node counts do not depend on it. Questions about short hands go to the engine in packed chunks: it
works through a chunk without the interpreter's lock. Answers of a chunk come together, so a question that may take long
is a chunk by itself: no easy answer waits for it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue

from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, MIB, NO_LIMITS, Answer, Limits, Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import RESULT, Engine

__all__ = ["SHARES", "solve_many"]

SHARES = 8  # the table's memory is shared out among so many workers, or among the threads if they are more
CHUNK = 32  # questions an engine call at most
SHORT = {"most": 9, "fewest": 7}  # cards a hand that are solved within some milliseconds, and so go into chunks
AHEAD = 4  # chunks in flight for each thread


def solve_many(
    queries: Iterable[Query | Position],
    *,
    threads: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
    limits: Limits = NO_LIMITS,
) -> Iterator[SideResult | Floors]:
    """Answer questions lazily, in their order and in constant memory.

    queries   Query, or a Position: N and S of four hands, every seat alone of three
    threads   workers; None: as many as there are processors
    table_mb  MiB for all tables together; a worker's share is an eighth (with more than 8 threads, its part)
    limits    for each question; one that reaches a limit gives an incomplete result, not an error

    Closing the iterator cancels what runs, within 50 ms.
    """
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise InputError("threads", f"expected 1 thread or more, found {threads!r}", field="threads")
    share = table_mb * MIB // max(SHARES, threads)
    if share < MIB // SHARES:
        raise InputError("table_mb", f"expected MiB for the tables, 1 or more, found {table_mb!r}", field="table_mb")
    return _run(map(_query, queries), threads, share, limits)


def _query(query: Query | Position) -> Query:
    if isinstance(query, Position):
        return Query(query, 0b0101 if query.n == 4 else None)
    return query


def _run(queries: Iterator[Query], threads: int, share: int, limits: Limits) -> Iterator[SideResult | Floors]:
    engines = [Engine(share) for _ in range(threads)]
    idle: SimpleQueue[Engine] = SimpleQueue()
    for engine in engines:
        idle.put(engine)
    waiting: deque[tuple[list[Query], list[int], Future[bytes]]] = deque()
    chunks = _chunks(queries)
    with ThreadPoolExecutor(threads, thread_name_prefix="tierce") as pool:
        try:
            while True:
                while len(waiting) < AHEAD * threads and (chunk := next(chunks, None)):
                    packed = [query.requests(limits) for query in chunk]
                    counts = [len(requests) for requests in packed]
                    data = b"".join([request for requests in packed for request in requests])
                    waiting.append((chunk, counts, pool.submit(_work, idle, data)))
                if not waiting:
                    return
                chunk, counts, future = waiting.popleft()
                yield from _unpack(chunk, counts, future.result())
        finally:
            for engine in engines:
                engine.cancel()
            for _, _, future in waiting:
                future.cancel()


def _chunks(queries: Iterator[Query]) -> Iterator[list[Query]]:
    """Questions that an engine call answers together: some short ones, or a single long one."""
    size = 1  # the first chunks are small, so that the first answers come soon
    chunk: list[Query] = []
    for query in queries:
        long = query.position.left > SHORT[query.objective]
        if long and chunk:
            yield chunk
            chunk = []
        chunk.append(query)
        if long or len(chunk) >= size:
            yield chunk
            chunk = []
            size = min(CHUNK, size * 2)
    if chunk:
        yield chunk


def _work(idle: SimpleQueue[Engine], data: bytes) -> bytes:
    engine = idle.get()
    try:
        return engine.run(data, cold=True) if data else b""
    finally:
        idle.put(engine)


def _unpack(chunk: list[Query], counts: list[int], data: bytes) -> Iterator[SideResult | Floors]:
    answers: list[Answer] = list(RESULT.iter_unpack(data))
    at = 0
    for query, count in zip(chunk, counts, strict=True):
        yield query.result(answers[at : at + count])
        at += count
