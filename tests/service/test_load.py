"""More than can be answered: every answer is right, and what there is no room for is refused as such, with a time."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import grpc
import pytest

from tests.service.load import Asked, Load, Told, loaded, questions
from tests.service.mixed import mixed
from tests.service.support import Process, Running, Stubs, endless, question, running, until
from tierce.service import ServiceError
from tierce.service.errors import error_of
from tierce.v1 import solve_pb2


async def put(target: str, asked: list[Asked], count: int, deadline: float) -> Told:
    """So many calls at once."""
    load = Load(target, asked, deadline)
    await asyncio.gather(*(load.one(number) for number in range(count)))
    await load.close()
    return load.told


def test_a_burst() -> None:
    """Far more calls than may wait, all at once."""
    asked = questions(3, 60, 7)
    with running(workers=1, max_queue=2, max_streams=2, cache_mb=0) as server:
        told = asyncio.run(put(server.target, asked, 300, deadline=60))
    assert told.wrong == [] and not told.dropped
    assert set(told.statuses) == {"OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"}
    assert told.statuses.total() == 300
    assert len(told.refused) == told.statuses["RESOURCE_EXHAUSTED"]


@pytest.mark.slow
def test_calls_are_refused_while_all_threads_search() -> None:
    """Those that cannot be served are not left to run into their deadlines."""
    asked = [each for each in questions(4, 30, 5) if each.kind in ("solve", "cards")]
    with (
        running(workers=1, max_queue=1, cache_mb=0) as server,
        Stubs(server.target) as one,
        Stubs(server.target) as other,
    ):
        calls = [stubs.solve.Solve.future(endless()) for stubs in (one, other)]  # the worker's and the spare's
        until(lambda: server.server.front.pool.busy == 2)
        told = asyncio.run(put(server.target, asked, 40, deadline=10))
        assert set(told.statuses) == {"RESOURCE_EXHAUSTED"} and len(told.refused) == 40
        assert _pressed(server)
        for call in calls:
            call.cancel()


def test_a_call_that_waits_too_long_is_refused_before_its_deadline() -> None:
    with running(workers=1, max_queue=8) as server, Stubs(server.target) as stubs:
        stubs.solve.Solve(solve_pb2.SolveRequest(question=question()))  # connected
        first = stubs.solve.Solve.future(endless())
        until(lambda: server.server.front.pool.busy == 1)
        with pytest.raises(grpc.RpcError) as caught:
            stubs.solve.Solve(solve_pb2.SolveRequest(question=question(trump="S")), timeout=1)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        found = error_of(caught.value)
        assert isinstance(found, ServiceError) and found.code == "queue_full" and found.retry_after
        first.cancel()


def test_every_kind_of_question_is_answered_rightly() -> None:
    """Those of the mixed load, twice, so that the second time answers are those that were kept."""
    asked = mixed(7)
    with running() as server:
        for _ in range(2):
            told = asyncio.run(put(server.target, asked, len(asked), deadline=60))
            assert told.wrong == [] and set(told.statuses) == {"OK", "INVALID_ARGUMENT"}
            assert told.kinds["bad"].statuses == {"INVALID_ARGUMENT": 3}
        assert server.server.front.cache.hits > 40


def test_an_answer_that_is_wrong_is_told() -> None:
    """The generator's own judgement: each question with another one's answer."""
    asked = [each for each in mixed(8) if each.kind in ("solve", "cards", "ending", "dealer", "many")]
    wrong = [replace(each, expected=other.expected) for each, other in zip(asked, [*asked[1:], asked[0]], strict=True)]
    with running() as server:
        told = asyncio.run(put(server.target, wrong, len(wrong), deadline=60))
    assert len(told.wrong) == len(wrong)


@pytest.mark.slow
def test_two_minutes_of_twice_the_capacity() -> None:
    """Nothing is wrong, what is accepted is in time, the rest is refused as such, and memory stays as it is."""
    with Process("--workers", "2", "--cache-mb", "0", "--log", "nothing") as server:
        told, minutes = loaded(server, "--seconds", "120")
    assert told["wrong"] == 0 and told["dropped"] == 0, told["such as"]
    assert set(told["statuses"]) <= {"OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"}
    assert told["statuses"]["OK"] and told["accepted"]["p99"] <= told["deadline"]
    assert len(minutes) == 2 and max(minutes) <= 1.05 * min(minutes)


def _pressed(server: Running) -> bool:
    until(lambda: server.server.front.pool._pressed)
    return True
