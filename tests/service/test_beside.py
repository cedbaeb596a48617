"""Hints in processes beside the server: the same answers, and what comes of a process that ends."""

from __future__ import annotations

import gc
import os
import signal
import socket
import time
import weakref
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.service.support import Process, Running, Stubs, running, until
from tests.service.test_hints import EARLY, LATE, TRUMP, request
from tierce.service import ServiceError, beside_main
from tierce.service.beside import Beside, HintBeside, Peer
from tierce.service.beside_main import Bench
from tierce.service.hinting import HintWork
from tierce.solver.errors import Cancelled, InputError
from tierce.v1 import hint_pb2


@pytest.fixture
def peer() -> Iterator[Peer]:
    found = Peer()
    until(lambda: found.ready)
    yield found
    found.end()


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(cache_mb=0) as found:
        found.server.front.beside.begin()
        _ready(found.server.front.beside)
        yield found


@pytest.fixture(scope="module")
def stubs(server: Running) -> Iterator[Stubs]:
    with Stubs(server.target) as found:
        yield found


def _ready(beside: Beside) -> None:
    for place in range(len(beside.pids)):
        until(lambda place=place: beside.at(place) is not None)


def _all(work: HintBeside | HintWork) -> hint_pb2.HintResponse:
    while not work.go(0.005):
        pass
    return work.answer()


def _same(message: hint_pb2.HintResponse) -> hint_pb2.HintResponse:
    message.millis = 0
    return message


class _Ring:
    """It refers to itself, as a search does."""

    def __init__(self) -> None:
        self.me = self


def test_what_a_hint_leaves_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not when the interpreter happens to look: a tree takes megabytes."""
    left: list[weakref.ref[_Ring]] = []
    alive: list[bool] = []

    def answer(*_: object) -> tuple[Any, ...]:
        alive.extend(ref() is not None for ref in left)
        left.append(weakref.ref(_Ring()))
        return True, [], b"", None

    monkeypatch.setattr(Bench, "answer", answer)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ours, theirs = socket.socketpair()
    gc.disable()
    try:
        with Connection(ours.detach()) as line:
            for _ in range(3):
                line.send(([], "go", 1, 0.1))
            line.send(None)  # no question: it ends
            with pytest.raises(TypeError):
                beside_main.main(theirs.detach())
    finally:
        gc.enable()
        gc.unfreeze()
    assert len(left) == 3 and not any(alive)


def _gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize("seen", [LATE, EARLY, TRUMP], ids=["late", "early", "trump"])
def test_the_answer_is_that_of_the_work_here(peer: Peer, seen: Any) -> None:
    asked = request(seen, worlds=20)
    watched: list[hint_pb2.HintResponse] = []
    found = _all(HintBeside(peer, asked, time.monotonic() + 50, lambda message, share: watched.append(message)))
    assert _same(found) == _same(_all(HintWork(asked, time.monotonic() + 50, None)))
    assert watched
    assert watched[0].HasField("best")


def test_several_are_worked_at_by_turns(peer: Peer) -> None:
    works = [HintBeside(peer, request(EARLY, worlds=worlds), time.monotonic() + 50, None) for worlds in (8, 30, 16)]
    open_ = list(works)
    while open_:
        open_ = [each for each in open_ if not each.go(0.001)]
    assert [each.answer().worlds for each in works] == [8, 30, 16]


def test_what_is_wrong_is_told(peer: Peer) -> None:
    with pytest.raises(InputError) as caught:
        HintBeside(peer, hint_pb2.HintRequest(view=b"[]"), time.monotonic() + 5, None).go(0)
    assert caught.value.code == "wrong_type"
    assert _all(HintBeside(peer, request(LATE, worlds=2), time.monotonic() + 5, None)).HasField("best")  # it lives on


def test_work_that_is_given_up_is_forgotten() -> None:
    bench = Bench()
    asked = request(EARLY, seconds=5).SerializeToString()
    due = time.monotonic() + 5
    assert bench.answer([], "open", 1, asked, due, False)[0] is False
    bench.answer([1], "open", 2, asked, due, False)
    done, _, _, error = bench.answer([], "go", 1, 0.001)
    assert done
    assert isinstance(error, RuntimeError)  # where it was: not of ours, so that it can be sent
    assert "KeyError" in str(error)
    assert bench.answer([], "go", 2, 0.001)[3] is None


def test_cancelled(peer: Peer) -> None:
    work = HintBeside(peer, request(EARLY, seconds=5), time.monotonic() + 5, None)
    work.go(0)
    work.cancel()
    with pytest.raises(Cancelled):
        work.go(0)


def test_a_process_that_has_ended_is_followed_by_another(server: Running, stubs: Stubs) -> None:
    beside, before = server.server.front.beside, server.server.front.beside.pids
    assert len(before) == 2
    call = stubs.advice.Hint.future(request(EARLY, seconds=30))
    until(lambda: len(server.server.front.slices) == 1)
    time.sleep(0.1)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(grpc.RpcError) as caught:
        call.result(timeout=10)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    until(lambda: all(map(_gone, before)))  # one that is still ending would be asked
    assert stubs.advice.Hint(request(EARLY, worlds=4), timeout=20).complete  # by whichever there is
    until(lambda: [beside.at(0), beside.at(1)] and len(beside.pids) == 2)
    assert not set(beside.pids) & set(before)
    _ready(beside)
    assert stubs.advice.Hint(request(EARLY, worlds=4), timeout=20).complete


def test_a_process_without_an_answer_is_given_up(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tierce.service.beside._PATIENCE", 0.1)
    os.kill(peer.pid, signal.SIGSTOP)
    with pytest.raises(ServiceError) as caught:
        HintBeside(peer, request(EARLY, seconds=5), time.monotonic() + 5, None).go(0)
    assert caught.value.code == "unavailable"
    assert not peer.alive
    assert not peer.ready


def test_they_end_with_the_server() -> None:
    with Process("--workers", "2") as server:
        task = Path(f"/proc/{server.process.pid}/task")
        children: list[int] = []

        def begun() -> bool:
            children[:] = [int(pid) for each in task.iterdir() for pid in (each / "children").read_text().split()]
            return len(children) == min(2, os.cpu_count() or 1)

        until(begun)
        server.kill()
        until(lambda: all(map(_gone, children)))


def test_none_where_they_are_not_wanted() -> None:
    with running(hints_inside=True) as server, Stubs(server.target) as stubs:
        server.server.front.beside.begin()
        assert not server.server.front.beside.pids
        assert stubs.advice.Hint(request(EARLY, worlds=4), timeout=20).complete
