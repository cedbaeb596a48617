"""What goes wrong around a call: clients killed or standing still, an end under load, requests nobody would send."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.cli.support import environment, spawn
from tests.service.load import Asked, Load, Told, questions
from tests.service.support import LONG, THREE, Process, Running, Stubs, client_of, endless, question, running, until
from tierce.service import AsyncClient, Client, ServiceError
from tierce.service.errors import error_of
from tierce.solver import card_values, floors
from tierce.solver.asking import Asked as Typed
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.query import Query
from tierce.solver.telling import SolveAsked
from tierce.v1 import dealer_pb2, solve_pb2

POSITION = Typed(THREE, "D").query().position
ENDLESS = """
import sys
from tests.service.support import Stubs, endless
from tierce.v1 import solve_pb2
with Stubs(sys.argv[1]) as stubs:
    items = [solve_pb2.SolveManyRequest.Item(id=str(i), question=endless().question) for i in range(8)]
    list(stubs.solve.SolveMany(iter([solve_pb2.SolveManyRequest(items=items)])))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


# ---- clients ---------------------------------------------------------------------------------------------------------


def stranger(server: Running) -> subprocess.Popen[bytes]:
    """A client in a process of its own, in the middle of a stream."""
    words = [sys.executable, "-c", ENDLESS, server.target]
    found = subprocess.Popen(words, env=environment(), cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)
    until(lambda: server.server.front.pool.busy >= 2, 20)
    return found


def let_go(server: Running) -> None:
    until(lambda: server.server.front.figures.streams == 0, 20)
    until(lambda: server.server.front.pool.busy == 0 and server.server.front.pool.waiting == 0)


def test_a_client_that_is_killed_in_the_middle_of_a_stream(server: Running) -> None:
    process = stranger(server)
    process.kill()
    process.wait(20)
    let_go(server)


def test_a_client_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection is open, but nothing comes any more: it is tried, and then closed."""
    monkeypatch.setattr("tierce.service.server._PING", 300)
    monkeypatch.setattr("tierce.service.server._PING_TIMEOUT", 300)
    with running() as server:
        process = stranger(server)
        process.send_signal(signal.SIGSTOP)
        try:
            let_go(server)
        finally:
            process.kill()
            process.wait(20)


# ---- the end under load ----------------------------------------------------------------------------------------------


async def put(target: str, asked: list[Asked], end: Callable[[], int]) -> tuple[Told, int]:
    load = Load(target, asked, deadline=60)
    calls = asyncio.ensure_future(load.at_rate(30, 3))
    await asyncio.sleep(1)
    code = await asyncio.to_thread(end)
    await calls
    await load.close()
    return load.told, code


def test_sigterm_under_load() -> None:
    """What has begun is answered, what comes is told that there is no more; no answer is wrong."""
    with Process("--workers", "2", "--cache-mb", "0", "--log", "nothing") as process:
        told, code = asyncio.run(put(process.target, questions(5, 60, 8), process.end))
    assert code == 0 and told.statuses["OK"] and told.statuses["UNAVAILABLE"]
    assert not [each for each in told.wrong if ": UNAVAILABLE " not in each]
    assert told.dropped <= told.sent / 4  # of what comes in the last moment; not all that waited


def test_calls_are_told_of_the_end() -> None:
    with running(drain_seconds=20) as server, Stubs(server.target) as stubs:
        server.server.front.draining = True
        with pytest.raises(grpc.RpcError) as caught:
            stubs.solve.Solve(solve_pb2.SolveRequest(question=question()))
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        found = error_of(caught.value)
        assert isinstance(found, ServiceError) and (found.code, found.retry_after) == ("draining", 1.0)
        with client_of(server) as client:
            until(lambda: _opened(server))
            assert client.floors(POSITION).tricks == floors(POSITION).tricks  # tried again


def _opened(server: Running) -> bool:
    server.server.front.draining = False
    return True


# ---- servers ---------------------------------------------------------------------------------------------------------


def test_a_server_that_stands_still() -> None:
    """Deadlines are kept, over a connection there is and one that is to be made; then all goes on."""
    with Process("--workers", "1", "--log", "nothing") as process, client_of(process) as client:
        assert client.floors(POSITION).tricks == floors(POSITION).tricks
        process.process.send_signal(signal.SIGSTOP)
        for one in (client, Client(process.target)):
            for ask in (lambda one: one.floors(POSITION), lambda one: list(one.solve_many([POSITION]))):
                begin = time.monotonic()
                with pytest.raises(LimitReached, match="deadline came before") as caught:
                    ask(one.within(0.4))
                assert caught.value.code == "timeout" and time.monotonic() - begin < 5
        with pytest.raises(LimitReached, match="deadline came before"):
            asyncio.run(_asked(process.target))
        process.process.send_signal(signal.SIGCONT)
        assert client.within(20).floors(POSITION).tricks == floors(POSITION).tricks


async def _asked(target: str) -> None:
    async with AsyncClient(target, deadline=0.4) as client:
        await client.floors(POSITION)


def test_a_server_that_stands_still_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By who has no deadline: its connection is tried, and then closed."""
    quick = {"grpc.keepalive_time_ms": 300, "grpc.keepalive_timeout_ms": 300, "grpc.http2.ping_timeout_ms": 300}
    monkeypatch.setattr("tierce.service.client.OPTIONS", [*quick.items()])
    monkeypatch.setattr("tierce.service.asking.TRIES", 1)
    with Process("--workers", "1", "--log", "nothing") as process, client_of(process) as client:
        client.floors(POSITION)
        process.process.send_signal(signal.SIGSTOP)
        with pytest.raises(ServiceError, match="the server cannot be reached") as caught:
            client.floors(POSITION)
        assert caught.value.code == "unavailable"


def test_killed_and_begun_again_under_load() -> None:
    """Who was answered was answered rightly, who was not is told so, and then there are answers again."""
    asked = [each for each in questions(6, 60, 8) if each.kind != "bad"]
    with Process("--workers", "2", "--cache-mb", "0", "--log", "nothing") as process:
        before, after = asyncio.run(_killed(process, asked))
    assert before.statuses["OK"] and set(before.statuses) == {"OK", "UNAVAILABLE"}
    assert not [each for each in before.wrong if ": UNAVAILABLE " not in each]
    assert after.wrong == [] and after.statuses["OK"]


async def _killed(process: Process, asked: list[Asked]) -> tuple[Told, Told]:
    load = Load(process.target, asked, deadline=30)
    calls = asyncio.ensure_future(load.at_rate(60, 2))
    await asyncio.sleep(1)
    await asyncio.to_thread(process.kill)
    await calls
    await load.close()
    with await asyncio.to_thread(Process, "--workers", "2", "--log", "nothing", port=process.port):
        again = Load(process.target, asked, deadline=30)
        await again.at_rate(60, 1)
        await again.close()
    return load.told, again.told


def test_clients_ask_again_when_a_server_was_killed() -> None:
    """Many at a time, whatever they ask; what is no question is not asked again."""
    here, best = floors(POSITION).tricks, card_values(POSITION).cards
    end = threading.Event()
    with Process("--workers", "2", "--log", "nothing") as process, ThreadPoolExecutor(4) as threads:

        def ask() -> int:
            count = 0
            with client_of(process, deadline=60.0) as client:
                while not end.is_set():
                    assert client.floors(POSITION).tricks == here
                    assert client.card_values(POSITION).cards == best
                    with pytest.raises(InputError):
                        client.ask(SolveAsked(Query(POSITION, None), 0, at_least=1))
                    count += 1
            return count

        asking = [threads.submit(ask) for _ in range(4)]
        time.sleep(0.5)
        process.kill()
        with Process("--workers", "2", "--log", "nothing", port=process.port):
            time.sleep(2)
            end.set()
            assert all(each.result(60) for each in asking)


def test_a_port_for_metrics_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = spawn("serve", "--listen", "127.0.0.1:0", "--metrics", str(port))
    assert (ran.code, ran.out) == (65, "")
    assert re.fullmatch(rf"error: --metrics: expected a port that is free for metrics, found {port}: .*\n", ran.err)


# ---- requests --------------------------------------------------------------------------------------------------------


def items(*idents: str, **more: Any) -> Iterator[solve_pb2.SolveManyRequest]:
    asked = [solve_pb2.SolveManyRequest.Item(id=each, question=question(**more)) for each in idents]
    return iter([solve_pb2.SolveManyRequest(items=asked)])


@pytest.mark.parametrize("ident", ["", "\x00\x01\n\"'", "é☃😀", "x" * 200])
def test_any_text_is_an_id(ident: str, server: Running) -> None:
    with Stubs(server.target) as stubs:
        found = [each.id for message in stubs.solve.SolveMany(items(ident, ident)) for each in message.answers]
    assert found == [ident, ident]


def test_a_stream_of_nothing(server: Running) -> None:
    with Stubs(server.target) as stubs:
        assert list(stubs.solve.SolveMany(iter([]))) == []
        assert list(stubs.solve.SolveMany(iter([solve_pb2.SolveManyRequest()]))) == []


def unknown(stubs: Stubs, path: str) -> Any:
    channel: Any = stubs.channel
    return channel.unary_unary(path)(b"")


REQUESTS: list[tuple[str, Callable[[Stubs], Any], grpc.StatusCode]] = [
    ("an id too long", lambda stubs: list(stubs.solve.SolveMany(items("x" * 201))), grpc.StatusCode.INVALID_ARGUMENT),
    (
        "a question too large",
        lambda stubs: list(stubs.solve.SolveMany(items("x", deal="D" * 300_000))),
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ),
    ("no such call", lambda stubs: unknown(stubs, "/tierce.v1.X/Y"), grpc.StatusCode.UNIMPLEMENTED),
    ("no path", lambda stubs: unknown(stubs, "/"), grpc.StatusCode.UNIMPLEMENTED),
    (
        "a deadline in the past",
        lambda stubs: stubs.solve.Solve(solve_pb2.SolveRequest(question=question()), timeout=-1),
        grpc.StatusCode.DEADLINE_EXCEEDED,
    ),
    (
        "a deadline too near",
        lambda stubs: list(stubs.advice.DealerAdvice(dealer_pb2.DealerAdviceRequest(deal=LONG), timeout=0.02)),
        grpc.StatusCode.DEADLINE_EXCEEDED,
    ),
]


@pytest.mark.parametrize("put, status", [each[1:] for each in REQUESTS], ids=[each[0] for each in REQUESTS])
def test_odd_requests(put: Callable[[Stubs], Any], status: grpc.StatusCode, server: Running) -> None:
    with Stubs(server.target) as stubs:
        with pytest.raises(grpc.RpcError) as caught:
            put(stubs)
        assert caught.value.code() is status
        stubs.solve.Solve(solve_pb2.SolveRequest(question=question()), timeout=10)
    until(lambda: server.server.front.pool.busy == 0)


def test_limits_far_out(server: Running) -> None:
    with Stubs(server.target) as stubs:
        for seconds in (1e308, 1e-300):
            request = solve_pb2.SolveRequest(question=question())
            request.limits.timeout_seconds = seconds
            assert stubs.solve.Solve(request).tricks["D"] == floors(POSITION).tricks["D"]
        request = endless()
        request.limits.timeout_seconds = 1e-300
        assert stubs.solve.Solve(request).stop == "timeout"


def test_a_client_without_an_end_of_patience(server: Running) -> None:
    with client_of(server, deadline=float("inf")) as client:
        assert client.within(float("inf")).floors(POSITION).tricks == floors(POSITION).tricks
