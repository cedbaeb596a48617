"""SolveMany: questions that come in a stream, and answers as they are settled.

Questions about short hands go to a worker some at a time, one that may take long by itself. A stream has so many pieces
of work in hand or waiting as keep the workers busy, no more: then it reads no further. It is the same if its answers
are not taken. A piece of work of a stream is not refused when the queue is full, and takes no place in it: there are
only so many streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

from tierce.service.allowances import Allowance, allowance_of
from tierce.service.asked import question_of
from tierce.service.calls import Call, Front, Requests, given_up
from tierce.service.decoding import check_decoded
from tierce.service.pool import Desk
from tierce.service.told import error_answer, many_answer
from tierce.solver.batch.many import SHORT
from tierce.solver.budget import Budget, solve_query
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.query import Query
from tierce.solver.results import SideResult
from tierce.solver.search import STOP_CANCELLED
from tierce.v1 import question_pb2, solve_pb2

__all__ = ["solve_many"]

CHUNK: Final = 16  # short questions that are one piece of work, or as many of others as take about as long
HEAVIER: Final = 4  # as long as so many short ones takes one with some cards more
SOME: Final = 3
AHEAD: Final = 3  # pieces of work of a stream for each worker
ANSWERS: Final = 64  # answers a message at most
ID_MAX: Final = 200  # characters

Answer = solve_pb2.SolveManyResponse.Answer
Asked = tuple[str, Query]


async def solve_many(front: Front, requests: AsyncIterator[solve_pb2.SolveManyRequest], context: Any) -> None:
    """Answer a stream."""
    messages = Requests(requests)
    async with front.call("SolveMany", context, messages) as call, front.counted_stream():
        stream = _Stream(front, call)
        reader = asyncio.ensure_future(stream.read(messages))
        try:
            while (answers := await stream.take()) is not None:
                await front.write(context, solve_pb2.SolveManyResponse(answers=answers))
            await reader
        finally:
            await given_up(reader)
            await stream.end()


class _Stream:
    """One stream: its pieces of work, and the answers that are not written yet."""

    def __init__(self, front: Front, call: Call) -> None:
        self._front = front
        self._call = call
        self._room = asyncio.Semaphore(AHEAD * front.pool.workers)
        self._work: set[asyncio.Task[None]] = set()
        self._answers: asyncio.Queue[list[Answer] | BaseException | None] = asyncio.Queue()
        self._owed = 0  # places in `_room` of answers that are being written
        self._limits: question_pb2.Limits | None = None

    # ---- reading -----------------------------------------------------------------------------------------------------

    async def read(self, requests: AsyncIterator[solve_pb2.SolveManyRequest]) -> None:
        """Read to the end; the answers then end with None, or with what went wrong."""
        try:
            async for request in requests:
                check_decoded(request)
                if self._limits is None:
                    self._limits = request.limits
                    allowed = self._allowed()  # limits that are none are refused now
                    self._front.pool.refuse_late(self._call.caller, allowed.left)
                await self._take_in(request)
            if self._work:
                await asyncio.wait(set(self._work))
            self._answers.put_nowait(None)
        except Exception as error:
            self._answers.put_nowait(error)

    async def _take_in(self, request: solve_pb2.SolveManyRequest) -> None:
        most = self._front.settings.max_batch
        if len(request.items) > most:
            message = f"expected at most {most} questions a message, found {len(request.items)}"
            raise InputError("batch", message, field="items")
        at_once: list[Answer] = []
        for chunk in _chunks(self._asked(request.items, at_once)):
            await self._room.acquire()
            task = asyncio.ensure_future(self._answer(chunk))
            self._work.add(task)
            task.add_done_callback(self._finished)
        if at_once:
            await self._room.acquire()
            self._answers.put_nowait(at_once)

    def _asked(self, items: Sequence[solve_pb2.SolveManyRequest.Item], at_once: list[Answer]) -> Iterator[Asked]:
        """Questions; answers that are known, and what is wrong with questions, go to `at_once`."""
        for item in items:
            self._call.questions += 1
            self._front.figures.questions += 1
            if len(item.id) > ID_MAX:
                raise InputError(
                    "id", f"expected an id of at most {ID_MAX} characters, found {len(item.id)}", field="id"
                )
            try:
                query = question_of(item.question).query
            except InputError as error:
                at_once.append(error_answer(item.id, error))
                continue
            kept = self._front.cache.get(("many", query))
            if isinstance(kept, Answer):
                kept.id = item.id
                at_once.append(kept)
            else:
                yield item.id, query

    # ---- working -----------------------------------------------------------------------------------------------------

    def _allowed(self) -> Allowance:
        limits = self._limits or question_pb2.Limits()
        return allowance_of(limits, self._front.settings, self._call.deadline)

    async def _answer(self, chunk: list[Asked]) -> None:
        allowed = self._allowed()

        def work(desk: Desk) -> tuple[list[Answer], int]:
            engine, found = desk.engine, []
            for ident, query in chunk:
                result = solve_query(query, Budget(allowed.seconds(), allowed.max_nodes), engine)
                sides = (result,) if isinstance(result, SideResult) else result.sides
                if any(side.stop == STOP_CANCELLED for side in sides):
                    raise Cancelled
                found.append(many_answer(ident, query, result))
                desk.nodes += result.nodes
            return found, desk.nodes

        answers, nodes, _ = await self._front.worked(self._call.caller, work, patient=True, within=allowed.left)
        self._call.nodes += nodes
        for (_, query), answer in zip(chunk, answers, strict=True):
            if not answer.HasField("stop"):
                self._front.cache.put(("many", query), answer)
        self._answers.put_nowait(answers)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._work.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._answers.put_nowait(error)

    # ---- writing -----------------------------------------------------------------------------------------------------

    async def take(self) -> list[Answer] | None:
        """The answers that are there, at least one; None after the last. Those taken before are written by now."""
        for _ in range(self._owed):
            self._room.release()
        self._owed = 0
        found: list[Answer] = []
        while len(found) < ANSWERS and not (found and self._answers.empty()):
            part = await self._answers.get()
            if isinstance(part, BaseException):
                raise part
            if part is None:
                if found:
                    self._answers.put_nowait(None)
                return found or None
            found += part
            self._owed += 1
        return found

    async def end(self) -> None:
        """Stop what still runs."""
        for task in list(self._work):
            await given_up(task)


def _chunks(asked: Iterator[Asked]) -> Iterator[list[Asked]]:
    chunk: list[Asked] = []
    weight = 0
    for ident, query in asked:
        more = query.position.left - SHORT[query.objective]
        if more > SOME:
            yield [(ident, query)]
            continue
        chunk.append((ident, query))
        weight += HEAVIER if more > 0 else 1
        if weight >= CHUNK:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk
