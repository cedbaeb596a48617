"""More than can be answered: every answer is right, and what there is no room for is refused as such, with a time."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest

from tests.service.load import Asked, Load, Told, questions
from tests.service.support import Process, Running, Stubs, endless, question, running, until
from tierce.service import ServiceError
from tierce.service.errors import error_of
from tierce.v1 import solve_pb2

HALF_MINUTES = 4
SECONDS = 24  # of a load, besides those in which the capacity is found


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


def _pressed(server: Running) -> bool:
    until(lambda: server.server.front.pool._pressed)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(HALF_MINUTES))
def test_twice_the_capacity(seed: int) -> None:
    """From a process of its own: no wrong answer; what is accepted comes within its deadline, 99 of 100; no memory is
    lost."""
    with Process("--workers", "2", "--table-mb", "96", "--cache-mb", "0", "--log", "nothing") as server:
        words = [sys.executable, "-m", "tests.service.load", server.target]
        words += ["--seconds", str(SECONDS), "--seed", str(seed)]
        sizes = []
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as driver:
            assert driver.stdout is not None
            begin = time.monotonic()
            while driver.poll() is None:
                if time.monotonic() - begin > SECONDS / 2:
                    sizes.append(server.rss)
                time.sleep(0.25)
            told = json.loads(driver.stdout.read())
    assert told["wrong"] == [] and told["before"]["wrong"] == [], told
    assert told["dropped"] <= 0.01 * told["sent"], told  # none on a machine that does nothing else
    assert told["statuses"]["OK"] > 0 and told["p99"] <= told["deadline"], told
    assert told["refused_median"] < told["deadline"] / 3, told
    assert max(sizes) <= 1.25 * sizes[0] + (16 << 20)
