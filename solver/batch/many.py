"""Many questions on all cores, answers in the order of the questions.

Every question starts with an empty table, and every worker's table is the same fraction of the memory, whatever the
number of threads, so that answers and node counts do not depend on it. Questions about short hands go to the engine in
packed chunks: it works through a chunk without the interpreter's lock. Answers of a chunk come together, so a question
that may take long is a chunk by itself: no easy answer waits for it.

A source that may have to wait for its next question (a pipe, a socket) yields PAUSE before it does.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum
from queue import SimpleQueue
from typing import Final, Literal, TypeAlias

from tierce.solver.checks import check_type, is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Answer, Limits, Query, table_bytes
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import RESULT, Engine

__all__ = ["PAUSE", "SHARES", "Pause", "solve_many"]

# The table's memory is shared out in so many parts, so no more workers can there be. Of the default 256 MiB that is
# 16 MiB each: the floors of 3 x 16 cards take the nodes of the whole table, those of 3 x 17 0.6 % more (with 8 MiB
# 0.04 % and 13 % more; tests/data/three_hand_floors.jsonl).
SHARES = 16
CHUNK = 32  # questions an engine call at most
SHORT = {"most": 9, "fewest": 7}  # cards a hand that are solved within some milliseconds, and so go into chunks
# Questions in flight for each thread: while one that takes long is waited for, the others go on to what comes after it.
# With 8 the threads stood idle a fifth of the time over the floors of 3 x 16 cards.
AHEAD = 128


class Pause(Enum):
    """The type of PAUSE."""

    PAUSE = "PAUSE"

    def __repr__(self) -> str:
        return self.value


PAUSE: Final = Pause.PAUSE  # from a source: nothing more for the moment, answer what you have before you ask again

Chunk: TypeAlias = list[Query]
Waiting: TypeAlias = deque[tuple[Chunk, list[int], Future[bytes]]]


def solve_many(
    queries: Iterable[Query | Position | Literal[Pause.PAUSE]],
    *,
    threads: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
    limits: Limits = NO_LIMITS,
) -> Iterator[SideResult | Floors]:
    """Answer questions lazily, in their order and in constant memory.

    queries   Query, or a Position: N and S of four hands, every seat alone of three; and PAUSE
    threads   at most so many workers, and 16 at most; None: as many as there are processors
    table_mb  MiB for all tables together; a worker's share is a sixteenth, whatever the number of threads
    limits    for each question; one that reaches a limit gives an incomplete result, not an error

    Raises InputError (code and field "threads" or "table_mb") when it is called, not at the first answer.

    Questions are read ahead, up to 128 a thread, before the first is answered. A source that must not be asked for
    more than it has (because its next question follows from an answer, or may be long in coming) yields PAUSE then:
    all it gave so far is answered before it is asked again. Answers and nodes do not depend on pauses. If the source
    raises, what it gave before is answered first.

    Closing the iterator cancels what runs, within 50 ms. Threads do not survive a fork: in a process forked while
    this runs the iterator waits for ever. Use the start method "spawn" of multiprocessing, or ask after the fork.
    """
    check_type(limits, Limits, "Limits")
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not is_whole(threads) or threads < 1:
        raise InputError("threads", f"expected 1 thread or more, found {quoted(threads)}", field="threads")
    share = table_bytes(table_mb) // SHARES
    engines = [Engine(share) for _ in range(min(threads, SHARES))]
    return _run(_chunks(iter(queries)), engines, limits)


def _query(query: Query | Position) -> Query:
    if isinstance(query, Position):
        return Query(query, 0b0101 if query.n == 4 else None)
    check_type(query, Query, "a Query, a Position or PAUSE")
    return query


def _run(chunks: Iterator[Chunk], engines: list[Engine], limits: Limits) -> Iterator[SideResult | Floors]:
    threads = len(engines)
    idle: SimpleQueue[Engine] = SimpleQueue()
    for engine in engines:
        idle.put(engine)
    waiting: Waiting = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="tierce") as pool:
        try:
            for chunk in chunks:
                if chunk:
                    packed = [query.requests(limits) for query in chunk]
                    counts = [len(requests) for requests in packed]
                    data = b"".join([request for requests in packed for request in requests])
                    waiting.append((chunk, counts, pool.submit(_work, idle, data)))
                yield from _answers(waiting, AHEAD * threads - CHUNK if chunk else 0)
            yield from _answers(waiting, 0)
        finally:
            for engine in engines:
                engine.cancel()
            for _, _, future in waiting:
                future.cancel()


def _answers(waiting: Waiting, most: int) -> Iterator[SideResult | Floors]:
    """Answers, in order: those that are there, and more until at most so many questions are waiting."""
    questions = sum(len(chunk) for chunk, _, _ in waiting)
    while waiting and (questions > most or waiting[0][2].done()):
        chunk, counts, future = waiting.popleft()
        questions -= len(chunk)
        yield from _unpack(chunk, counts, future.result())


def _chunks(source: Iterator[Query | Position | Literal[Pause.PAUSE]]) -> Iterator[Chunk]:
    """Questions that an engine call answers together: some short ones, or a single long one. Empty: a pause.

    An error of the source is a pause, too, before it is raised: what was read is answered.
    """
    size = 1  # the first chunks are small, so that the first answers come soon
    chunk: Chunk = []
    failure: Exception | None = None
    while True:
        try:
            item = next(source)
            query = None if item is PAUSE else _query(item)
        except StopIteration:
            break
        except Exception as error:
            failure = error
            break
        long = query is None or query.position.left > SHORT[query.objective]
        if long and chunk:
            yield chunk
            chunk = []
        if query is None:
            yield []
            continue
        chunk.append(query)
        if long or len(chunk) >= size:
            yield chunk
            chunk = []
            size = min(CHUNK, size * 2)
    if chunk:
        yield chunk
    if failure is not None:
        yield []
        raise failure


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
