"""What the server does besides answering: health, metrics, reflection, streams, answers that are kept, its end."""

from __future__ import annotations

import json
import socket
import threading
import time
import tracemalloc
import urllib.request
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.service.support import (
    DISCARD,
    FOUR,
    LONG,
    THREE,
    Process,
    Running,
    Stubs,
    client_of,
    dictionary,
    endless,
    question,
    running,
    until,
)
from tierce.service import ServiceError
from tierce.service.cache import Cache
from tierce.service.plans import plan_of
from tierce.solver import Position, floors, solve_many
from tierce.solver.asking import Asked
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.query import Query
from tierce.v1 import dealer_pb2, review_pb2, solve_pb2

POSITION = Asked(THREE, "D").query().position


@pytest.fixture
def server() -> Iterator[Running]:
    with running() as found:
        yield found


def item(ident: str, **more: Any) -> solve_pb2.SolveManyRequest.Item:
    return solve_pb2.SolveManyRequest.Item(id=ident, question=question(**more))


# ---- load ------------------------------------------------------------------------------------------------------------


def test_health_answers_while_all_search(server: Running) -> None:
    with Stubs(server.target) as stubs:
        health: Any = health_pb2_grpc.HealthStub(stubs.channel)
        calls = [stubs.solve.Solve.future(endless()) for _ in range(4)]
        until(lambda: server.server.front.pool.busy >= 2)
        for name in ("", "tierce.v1.SolveService", "tierce.v1.AdviceService"):
            found = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=2)
            assert found.status == health_pb2.HealthCheckResponse.SERVING
        for call in calls:
            call.cancel()


def test_a_single_question_passes_a_batch(server: Running) -> None:
    with Stubs(server.target) as farm, Stubs(server.target) as player:
        calls = [farm.solve.Solve.future(endless()) for _ in range(8)]
        until(lambda: server.server.front.pool.busy >= 2)
        player.solve.Solve(solve_pb2.SolveRequest(question=question()), timeout=10)
        assert not any(call.done() for call in calls)
        for call in calls:
            call.cancel()


def test_a_full_queue_is_told_with_a_time() -> None:
    with running(workers=1, max_queue=1) as server, Stubs(server.target) as stubs:
        calls = [stubs.solve.Solve.future(endless()) for _ in range(4)]
        until(lambda: any(call.done() for call in calls))
        failed = next(call for call in calls if call.done())
        assert failed.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        for call in calls:
            call.cancel()
        until(lambda: server.server.front.pool.busy == 0)
        assert any(each["status"] == "RESOURCE_EXHAUSTED" for each in server.calls("Solve"))


def test_repeated_questions_are_answered_from_what_is_kept(server: Running) -> None:
    with Stubs(server.target) as stubs:
        first = stubs.solve.Solve(solve_pb2.SolveRequest(question=question()))
        same = question("d:.9.T8.10 A.5.7.Q T.J.A.K", "diamonds"[0])  # the same position, written otherwise
        assert stubs.solve.Solve(solve_pb2.SolveRequest(question=same)) == first
        stubs.solve.Solve(solve_pb2.SolveRequest(question=question(side="D")))
        stubs.solve.Solve(solve_pb2.SolveRequest(question=question(), line=True))
        limited = solve_pb2.SolveRequest(question=question(LONG, "S", discard=DISCARD))
        limited.limits.max_nodes = 10
        assert stubs.solve.Solve(limited).stop == stubs.solve.Solve(limited).stop == "max_nodes"
    assert [each["cached"] for each in server.calls("Solve")] == [False, True, False, False, False, False]
    assert (server.server.front.cache.hits, len(server.server.front.cache)) == (1, 3)


def test_what_is_kept_has_an_end() -> None:
    with running(cache_mb=1) as server, Stubs(server.target) as stubs:
        cache = server.server.front.cache
        cache._max = 20_000
        for first in "SHDC":
            for number in range(16):
                play = solve_pb2.SolveRequest(question=question(FOUR, first), at_least=number)
                stubs.solve.Solve(play)
        assert 5 < len(cache) < 64 and cache.bytes <= 20_000


def test_what_is_kept_takes_the_memory_that_it_is_counted_with() -> None:
    """Of large requests, too: no key holds one."""
    tracemalloc.start()
    try:
        cache = Cache(1 << 24)
        before = tracemalloc.get_traced_memory()[0]
        for number in range(200):
            record = b"x" * 200_000 + str(number).encode()
            cache.put(plan_of(review_pb2.ReviewRequest(record=record)).key, review_pb2.ReviewResponse(kind="k" * 500))
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert len(cache) == 200
    assert 0.25 * cache.bytes < taken < 1.5 * cache.bytes


def test_what_is_kept_is_nobodys() -> None:
    """An answer that came from there may be changed, and is kept as it was."""
    cache = Cache(1 << 20)
    cache.put("key", solve_pb2.SolveResponse(kind="floor"))
    for _ in range(2):
        found: Any = cache.get("key")
        assert found.kind == "floor"
        found.kind = "cap"


# ---- streams ---------------------------------------------------------------------------------------------------------


def test_answers_of_a_stream_come_by_their_ids(server: Running) -> None:
    with Stubs(server.target) as stubs:
        items = [item("long", deal=LONG, trump="S", discard=DISCARD), item("bad", trump="X"), item("short")]
        found = list(stubs.solve.SolveMany(iter([solve_pb2.SolveManyRequest(items=items)])))
        answers = {each.id: each for message in found for each in message.answers}
        assert set(answers) == {"long", "bad", "short"}
        assert dictionary(answers["bad"])["error"]["code"] == "trump"
        assert found[0].answers[0].id != "long"  # what is soon settled does not wait for it


def test_many_questions_of_a_client_come_in_order(server: Running) -> None:
    queries = [Asked(THREE if number % 3 else FOUR, "SHDCN"[number % 5]).query() for number in range(300)]
    with client_of(server) as client:
        found = list(client.solve_many(queries, window=32))
    here = list(solve_many(queries))
    assert [_tricks(each) for each in found] == [_tricks(each) for each in here]


def _tricks(found: Any) -> Any:
    return found.tricks


def test_a_source_that_fails_after_some(server: Running) -> None:
    def source() -> Iterator[Query]:
        yield Query(POSITION)
        raise ZeroDivisionError

    with client_of(server) as client:
        answers = client.solve_many(source())
        assert _tricks(next(answers)) == floors(POSITION).tricks
        with pytest.raises(ZeroDivisionError):
            next(answers)


def test_a_client_that_leaves_in_the_middle(server: Running) -> None:
    with client_of(server) as client:
        answers = client.solve_many([POSITION] * 10_000, window=64)
        for _ in range(10):
            next(answers)
        answers.close()  # type: ignore[attr-defined]
    until(lambda: server.server.front.figures.streams == 0)
    until(lambda: server.server.front.pool.busy == 0)
    assert server.calls("SolveMany")[0]["questions"] < 1000


def test_a_reader_that_takes_nothing() -> None:
    """It is not read from without end, and cut off in time; nobody else waits for it."""
    with running(write_seconds=0.3) as server:
        stubs = Stubs(server.target)
        read = 0

        def source() -> Iterator[solve_pb2.SolveManyRequest]:
            nonlocal read
            while True:
                read += 1
                yield solve_pb2.SolveManyRequest(items=[item("x" * 190, trump="X") for _ in range(64)])

        options = [("grpc.http2.lookahead_bytes", 1024)]
        channel = grpc.insecure_channel(server.target, options)
        from tierce.v1 import solve_pb2_grpc

        stream = solve_pb2_grpc.SolveServiceStub(channel).SolveMany(source())
        next(stream)
        with Stubs(server.target) as other:
            other.solve.Solve(solve_pb2.SolveRequest(question=question()), timeout=5)
        until(lambda: bool(server.calls("SolveMany")), 20)
        assert server.calls("SolveMany")[0]["status"] == "RESOURCE_EXHAUSTED"
        channel.close()
        stubs.channel.close()


def test_only_so_many_streams() -> None:
    with running(max_streams=1) as server, Stubs(server.target) as stubs:
        hold = threading.Event()

        def source() -> Iterator[solve_pb2.SolveManyRequest]:
            yield solve_pb2.SolveManyRequest(items=[item("1")])
            hold.wait(20)

        first = stubs.solve.SolveMany(source())
        next(first)
        with pytest.raises(grpc.RpcError) as caught:
            list(stubs.solve.SolveMany(iter([solve_pb2.SolveManyRequest(items=[item("1")])])))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        hold.set()
        assert list(first) == []


def test_partial_answers_grow(server: Running) -> None:
    deal = "D:J863.KQT986.QJT.A32 AKQ752.J7.7653.KJ96 T9.A53.AK9842.Q8754 / 4.42..T"
    with Stubs(server.target) as stubs:
        request = dealer_pb2.DealerAdviceRequest(deal=deal, find=dealer_pb2.FIND_EVERY, partial=True)
        request.limits.timeout_seconds = 1
        found = list(stubs.advice.DealerAdvice(request))
        assert len(found) >= 2 and not found[-1].HasField("done")
        done = [each.done for each in found[:-1]]
        assert all(0 <= each <= 1 for each in done)
        request.partial = False
        assert len(list(stubs.advice.DealerAdvice(request))) == 1


# ---- tools -----------------------------------------------------------------------------------------------------------


def reflected(stubs: Stubs, asked: Any) -> Any:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(stubs.channel)
    return stub.ServerReflectionInfo(iter([asked]))


def test_reflection_is_a_flag(server: Running) -> None:
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    with Stubs(server.target) as stubs, pytest.raises(grpc.RpcError) as caught:
        list(reflected(stubs, asked))
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    with running(reflection=True) as other, Stubs(other.target) as stubs:
        found = list(reflected(stubs, asked))
        names = {each.name for each in found[0].list_services_response.service}
        assert {"tierce.v1.SolveService", "tierce.v1.AdviceService", "tierce.v1.GamesService"} <= names


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_server_that_cannot_begin_leaves_no_thread() -> None:
    pytest.importorskip("prometheus_client")
    before = set(threading.enumerate())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for flags in ({"metrics": port}, {"listen": f"127.0.0.1:{port}"}):
            with pytest.raises(InputError, match="free"), running(**flags):
                pass
    until(lambda: not [each for each in threading.enumerate() if each not in before and each.name.startswith("tierce")])


def test_metrics() -> None:
    pytest.importorskip("prometheus_client")
    port = free_port()
    with running(metrics=port) as server, Stubs(server.target) as stubs:
        for _ in range(3):
            stubs.solve.Solve(solve_pb2.SolveRequest(question=question()))
        with pytest.raises(grpc.RpcError):
            stubs.solve.Solve(solve_pb2.SolveRequest())
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as found:
            text = found.read().decode()
    assert 'tierce_calls_total{method="Solve",status="OK"} 3.0' in text
    assert 'tierce_calls_total{method="Solve",status="INVALID_ARGUMENT"} 1.0' in text
    assert 'tierce_call_seconds_bucket{le="+Inf",method="Solve"} 4.0' in text
    assert "tierce_cache_hits_total 2.0" in text and "tierce_queue 0.0" in text
    assert f'tierce_nodes_total{{method="Solve"}} {floors(POSITION).nodes:.1f}' in text


def test_every_call_has_an_id(server: Running) -> None:
    with Stubs(server.target) as stubs:
        _, call = stubs.solve.Solve.with_call(solve_pb2.SolveRequest(question=question()))
    ident = dict(call.trailing_metadata())["tierce-request-id"]
    until(lambda: bool(server.calls("Solve")))
    logged = server.calls("Solve")[0]
    assert (logged["id"], logged["status"], logged["nodes"]) == (ident, "OK", floors(POSITION).nodes)
    assert json.dumps(logged)


# ---- the end ---------------------------------------------------------------------------------------------------------


def test_what_runs_may_finish() -> None:
    with running(drain_seconds=20) as server, Stubs(server.target) as stubs:
        request = endless()
        request.limits.timeout_seconds = 0.8
        call = stubs.solve.Solve.future(request)
        until(lambda: server.server.front.pool.busy == 1)
        server.loop.call_soon_threadsafe(server.server.stop)
        assert call.result(20).stop == "timeout"
        until(lambda: any(each["event"] == "ended" for each in server.log))


def test_what_takes_too_long_is_stopped() -> None:
    begin = time.monotonic()
    with running(drain_seconds=0.2) as server, Stubs(server.target) as stubs:
        call = stubs.solve.Solve.future(endless())
        until(lambda: server.server.front.pool.busy == 1)
        server.loop.call_soon_threadsafe(server.server.stop)
        with pytest.raises(grpc.RpcError):
            call.result(20)
        until(lambda: any(each["event"] == "ended" for each in server.log))
        until(lambda: server.server.front.pool.busy == 0)
    assert time.monotonic() - begin < 15


def test_a_process_ends_at_sigterm() -> None:
    with Process("--workers", "1") as process:
        with client_of(process) as client:
            assert client.floors(POSITION).tricks == floors(POSITION).tricks
        assert process.end() == 0


# ---- faults ----------------------------------------------------------------------------------------------------------


def test_killed_and_begun_again_under_load() -> None:
    """Calls that were under way are put again; every answer is right."""
    queries = [Asked(THREE if number % 2 else FOUR, "SHDCN"[number % 5]).query() for number in range(400)]
    expected = [_tricks(each) for each in solve_many(queries)]
    with Process("--workers", "1") as process, client_of(process) as client:
        port = process.port
        answers = client.within(60).solve_many(queries, window=32)
        found = [_tricks(next(answers)) for _ in range(50)]
        process.kill()
        with Process("--workers", "1", port=port) as again:
            assert again.port == port
            found += [_tricks(each) for each in answers]
            assert client.within(20).floors(POSITION).tricks == floors(POSITION).tricks
    assert found == expected


def test_a_connection_that_says_nothing(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.server.port)) as silent, Stubs(server.target) as stubs:
        silent.sendall(b"PRI * HTTP/2.0\r\n")  # and no more
        stubs.solve.Solve(solve_pb2.SolveRequest(question=question()), timeout=10)
    with socket.create_connection(("127.0.0.1", server.server.port)) as noisy, Stubs(server.target) as stubs:
        noisy.sendall(bytes(range(256)) * 40)
        stubs.solve.Solve(solve_pb2.SolveRequest(question=question()), timeout=10)


def test_errors_of_a_client_are_the_librarys(server: Running) -> None:
    with client_of(server) as client:
        with pytest.raises(InputError):
            client.solve(Position((0, 0, 0), 0, 0), "DEM")
        with pytest.raises(LimitReached):
            client.within(1e-6).floors(POSITION)
        with pytest.raises((ServiceError, Cancelled)):
            client.close()
            client.floors(POSITION)
