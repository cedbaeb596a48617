"""A call from its arrival to its end: who calls, what is asked, work in its turn, the answer or the error.

The event loop reads, waits and writes; it never searches. A call that is given up (its deadline has come, its caller
has gone) is taken out of the queue, or its search stopped within some milliseconds, before the call ends.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import traceback
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final, NoReturn

import grpc
from google.protobuf.message import Message

from tierce.service.access import Tokens, caller_of
from tierce.service.allowances import Allowance
from tierce.service.beside import Beside
from tierce.service.cache import Cache
from tierce.service.decoding import check_decoded
from tierce.service.errors import status_of
from tierce.service.faults import ServiceError
from tierce.service.figures import Figures, Log
from tierce.service.plans import Plan, plan_of
from tierce.service.pool import Caller, Desk, Job, Pool
from tierce.service.settings import Settings
from tierce.service.slices import Sliced, Slices
from tierce.solver.errors import LimitReached
from tierce.v1 import hint_pb2

__all__ = ["Call", "Front", "Requests", "given_up"]

_BESIDE: Final = 32  # calls that neither search nor wait: they are read, or written
_READ_OUT: Final = 0.25  # seconds
_AGAIN: Final = 0.003  # seconds: a search that was just beginning hears the second cancellation
_ID: Final = secrets.randbits(32)  # of this process
_NUMBER: Final = count(1)
_NO_ROOM: Final = ("queue_full", "streams")
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


class Call:
    """What is known of one call, for the log. `waited`: seconds in the queue."""

    def __init__(self, method: str, caller: Caller, deadline: float | None) -> None:
        self.id = f"{_ID:08x}{next(_NUMBER):08x}"
        self.method = method
        self.caller = caller
        self.deadline = deadline
        self.began = time.monotonic()
        self.status = "OK"
        self.waited = 0.0
        self.nodes = 0
        self.cached = False
        self.questions = 0
        self.fields: Collection[str] = ()  # of the request


class Front:
    """What all calls share."""

    def __init__(self, settings: Settings, tokens: Tokens | None, log: Log) -> None:
        self.settings = settings
        self.tokens = tokens
        self.log = log
        self.figures = Figures()
        self.draining = False
        self._certified = bool(settings.client_ca)
        self.cache = Cache(settings.cache_mb << 20)
        self._most = settings.max_queue + settings.threads + settings.max_streams + _BESIDE
        self.pool = Pool(settings.threads, settings.max_queue, settings.table_mb)
        self.beside = Beside(settings.hint_processes)
        self.slices = Slices(settings.threads, settings.max_queue, self.beside)

    def close(self) -> None:
        """No more work; what runs is stopped."""
        self.slices.close()
        self.pool.close()

    # ---- kinds of calls ----------------------------------------------------------------------------------------------

    async def unary(self, method: str, request: Message, context: Any) -> Message:
        """One answer."""
        async with self.call(method, context) as call:
            return await self._answered(call, request, None)

    async def stream(self, method: str, request: Any, context: Any) -> None:
        """An answer, and before it what is known so far."""
        async with self.call(method, context) as call, self.counted_stream():
            check_decoded(request)
            await self.write(context, await self._watched(call, request, context, partial=request.partial))

    async def watch_hint(self, method: str, request: Any, context: Any) -> None:
        """A hint, and before it what is best so far."""
        async with self.call(method, context) as call, self.counted_stream():
            check_decoded(request)
            found: Any = await self._watched(call, request.hint, context, partial=True)
            await self.write(context, hint_pb2.WatchHintResponse(hint=found))

    async def _watched(self, call: Call, request: Message, context: Any, *, partial: bool) -> Message:
        """The answer; what is known before it is written."""
        latest = Latest()
        work = asyncio.ensure_future(self._answered(call, request, latest.tell if partial else None))
        try:
            while not work.done():
                await latest.or_done(work)
                if (message := latest.take()) is not None and not work.done():
                    await self.write(context, message)
            return await work
        finally:
            await given_up(work)

    async def _answered(self, call: Call, request: Message, tell: Callable[[Message], None] | None) -> Message:
        check_decoded(request)
        call.fields = request.DESCRIPTOR.fields_by_name.keys()
        plan = plan_of(request)
        allowed = plan.allowance(self.settings, call.deadline, call.began)
        kept = self.cache.get(plan.key)
        if kept is not None:
            call.cached = True
            return kept
        if plan.direct:
            return plan.work(Desk(1), allowed, None)
        message: Message
        if plan.sliced is not None:
            message, call.waited = await self._sliced(call.caller, plan.sliced(allowed, tell))
        else:
            message, call.nodes, call.waited = await self.worked(
                call.caller, _work_of(plan, allowed, tell), within=plan.within(allowed), kind=call.method
            )
        if plan.known(message):
            self.cache.put(plan.key, message)
        elif allowed.overdue:
            raise LimitReached("timeout", "the call's deadline came before the answer was known")
        return message

    # ---- steps of a call ---------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def call(self, method: str, context: Any, requests: Requests | None = None) -> AsyncIterator[Call]:
        """A call: counted and logged; what goes wrong becomes its status.

        requests   of a stream
        """
        left = context.time_remaining()
        deadline = None if left is None else time.monotonic() + left
        call = Call(method, caller_of(context, self.tokens, certified=self._certified), deadline)
        context.set_trailing_metadata((("tierce-request-id", call.id),))
        self.figures.open += 1
        self.figures.begun += 1
        try:
            self._admit()
            yield call
        except asyncio.CancelledError:
            call.status = "DEADLINE_EXCEEDED" if deadline and time.monotonic() >= deadline else "CANCELLED"
            self._ended(call)
            raise
        except BaseException as error:
            await self._fail(call, context, error, requests)
        else:
            self._ended(call)

    def _admit(self) -> None:
        """More calls than there can be work for are refused before they are looked at, and all when the end begins."""
        if self.draining:
            raise ServiceError("draining", "the server is about to end", retry_after=1.0)
        if self.figures.open > self._most:
            message = f"expected fewer than {self._most} calls at a time, found as many"
            raise ServiceError("queue_full", message, retry_after=0.1)

    async def _fail(self, call: Call, context: Any, error: BaseException, requests: Requests | None) -> NoReturn:
        status = status_of(error, call.id, call.fields)
        call.status = _CODES[status.code].name
        self.figures.refused += isinstance(error, ServiceError) and error.code in _NO_ROOM
        if call.status == "INTERNAL":
            self.log.error("internal", id=call.id, trace="".join(traceback.format_exception(error)))
        self._ended(call)  # now: the status of a caller who does not read may be long on its way
        if requests is not None:
            await requests.read_out()
        details = (("grpc-status-details-bin", status.SerializeToString()), ("tierce-request-id", call.id))
        await context.abort(_CODES[status.code], status.message, details)
        raise AssertionError("abort raises")

    def _ended(self, call: Call) -> None:
        self.figures.open -= 1
        seconds = time.monotonic() - call.began
        self.figures.finished(call.method, call.status, seconds, call.nodes)
        more = {"questions": call.questions} if call.questions else {}
        self.log.call(
            id=call.id,
            method=call.method,
            caller=call.caller.who,
            line=call.caller.line,
            status=call.status,
            millis=round(seconds * 1e3, 3),
            waited=round(call.waited * 1e3, 3),
            nodes=call.nodes,
            cached=call.cached,
            **more,
        )

    async def worked(
        self,
        caller: Caller,
        work: Callable[[Desk], Any],
        *,
        patient: bool = False,
        within: float | None = None,
        kind: str = "",
    ) -> tuple[Any, int, float]:
        """Have work done in its turn: what comes of it, its nodes, and the seconds that it waited."""
        job = self.pool.submit(caller, work, patient=patient, within=within, kind=kind)
        future = asyncio.wrap_future(job.future)
        future.add_done_callback(_seen)
        late = None
        if within is not None:
            late = asyncio.get_running_loop().call_later(job.until - time.monotonic(), self.pool.give_up, job)
        try:
            result, nodes = await asyncio.shield(future)
            return result, nodes, job.waited
        except asyncio.CancelledError:
            await self._stopped(job)
            raise
        finally:
            if late is not None:
                late.cancel()

    async def _sliced(self, caller: Caller, work: Sliced) -> tuple[Any, float]:
        """Have work done in slices: what comes of it, and the seconds until it began."""
        turn = self.slices.submit(caller, work)
        future = asyncio.wrap_future(turn.future)
        future.add_done_callback(_seen)
        try:
            return await asyncio.shield(future), turn.waited
        except asyncio.CancelledError:
            self.slices.withdraw(turn)
            with suppress(Exception):
                await asyncio.shield(future)
            raise

    async def _stopped(self, job: Job) -> None:
        self.pool.withdraw(job)
        while not job.future.done():
            await asyncio.sleep(_AGAIN)
            job.cancel()

    async def write(self, context: Any, message: Message) -> None:
        """Write to a stream. ServiceError "slow_reader" where nothing is taken for too long."""
        try:
            async with asyncio.timeout(self.settings.write_seconds):
                await context.write(message)
        except TimeoutError:
            seconds = self.settings.write_seconds
            raise ServiceError("slow_reader", f"expected answers to be read within {seconds:g} s, found none") from None

    @asynccontextmanager
    async def counted_stream(self) -> AsyncIterator[None]:
        """There are only so many streams. ServiceError "streams"."""
        if self.figures.streams >= self.settings.max_streams:
            message = f"expected fewer than {self.settings.max_streams} streams at a time, found as many"
            raise ServiceError("streams", message, retry_after=1.0)
        self.figures.streams += 1
        try:
            yield
        finally:
            self.figures.streams -= 1


class Latest:
    """The latest of what a search tells: it does not wait for a reader."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._message: Message | None = None
        self._there = asyncio.Event()

    def tell(self, message: Message) -> None:
        """From the thread that searches."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._set, message)

    def _set(self, message: Message) -> None:
        self._message = message
        self._there.set()

    def take(self) -> Message | None:
        """What came last, once."""
        message, self._message = self._message, None
        self._there.clear()
        return message

    async def or_done(self, work: asyncio.Future[Any]) -> None:
        """Until there is something, or the work is done."""
        there = asyncio.ensure_future(self._there.wait())
        try:
            await asyncio.wait((there, work), return_when=asyncio.FIRST_COMPLETED)
        finally:
            there.cancel()


class Requests:
    """The messages of a stream, one after the other."""

    def __init__(self, requests: AsyncIterator[Any]) -> None:
        self._messages = aiter(requests)
        self._reading = False

    def __aiter__(self) -> Requests:
        return self

    async def __anext__(self) -> Any:
        self._reading = True  # and for good if this is cancelled: gRPC then still reads
        message = await anext(self._messages)
        self._reading = False
        return message

    async def read_out(self) -> None:
        """Read what is on its way, for a moment: a client that is still writing when a call ends may not see why."""
        with suppress(Exception):
            async with asyncio.timeout(_READ_OUT):
                while not self._reading:
                    await anext(self)


def _seen(future: asyncio.Future[Any]) -> None:
    """Whatever came of it, perhaps nobody waits for it any more."""
    if not future.cancelled():
        future.exception()


async def given_up(work: asyncio.Future[Any]) -> None:
    """Stop work that is still going on, and wait until it has."""
    if not work.done():
        work.cancel()
    with suppress(BaseException):
        await work


def _work_of(
    plan: Plan, allowed: Allowance, tell: Callable[[Message], None] | None
) -> Callable[[Desk], tuple[Message, int]]:
    def work(desk: Desk) -> tuple[Message, int]:
        message = plan.work(desk, allowed, tell)
        return message, desk.nodes

    return work
