"""Work in slices: whose turn it is, what gives way, and how it ends."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.service.support import until
from tierce.service import ServiceError
from tierce.service.beside import Peer
from tierce.service.pool import Caller
from tierce.service.slices import Slices
from tierce.solver.errors import Cancelled, InputError

A, B, C = Caller("a", "1"), Caller("b", "1"), Caller("c", "1")
OTHER_A = Caller("a", "2")


@dataclass(eq=False)
class Work:
    """So many slices, each told to `log`; the answer is the name."""

    name: Any
    log: list[Any]
    left: int = 3
    due: float = math.inf
    failure: Exception | None = None
    gate: threading.Event | None = None
    stopped: threading.Event = field(default_factory=threading.Event)

    def go(self, seconds: float) -> bool:
        self.log.append(self.name)
        while self.gate is not None and not self.gate.wait(0.001):
            if self.stopped.is_set():
                raise Cancelled
        if self.failure is not None:
            raise self.failure
        self.left -= 1
        return self.left == 0 or time.monotonic() >= self.due

    def answer(self) -> Any:
        return self.name

    def cancel(self) -> None:
        self.stopped.set()

    def beside(self, peer: Peer) -> Work:
        raise AssertionError("there is no process")


@dataclass
class Held:
    """Slices whose one thread is held until `gate` opens."""

    slices: Slices
    gate: threading.Event
    log: list[Any]

    def submit(self, caller: Caller, name: Any, **more: Any) -> Any:
        return self.slices.submit(caller, Work(name, self.log, **more))


@pytest.fixture
def held() -> Iterator[Held]:
    found = Held(Slices(1, 5), threading.Event(), [])
    first = found.slices.submit(Caller("first"), Work("first", found.log, 1, gate=found.gate))
    until(lambda: found.log == ["first"])
    found.log.clear()
    yield found
    found.gate.set()
    first.future.exception(5)
    found.slices.close()


def test_all_that_is_in_progress_goes_on(held: Held) -> None:
    turns = [held.submit(A, name) for name in "xyz"]
    held.gate.set()
    assert [turn.future.result(5) for turn in turns] == ["x", "y", "z"]
    assert held.log == ["x", "y", "z"] * 3
    assert all(turn.waited >= 0 for turn in turns) and len(held.slices) == 0


def test_callers_are_served_alike(held: Held) -> None:
    turns = [held.submit(A, "a1"), held.submit(A, "a2"), held.submit(OTHER_A, "a3"), held.submit(B, "b", left=5)]
    held.gate.set()
    for turn in turns:
        turn.future.result(5)
    together = held.log[:10]
    assert together.count("b") == 5  # every other one
    assert all(one != other for one, other in zip(together[::2], together[1::2], strict=True))
    others = [name for name in together if name != "b"]
    assert others.count("a3") in (2, 3)  # of the two lines of a caller, too


def test_what_is_due_comes_first(held: Held) -> None:
    turns = [held.submit(A, name) for name in "xy"] + [held.submit(A, "late", left=9, due=0.0)]
    held.gate.set()
    for turn in turns:
        turn.future.result(5)
    assert held.log[0] == "late" and held.log.count("late") == 1


def test_a_newcomer_of_the_same_caller_begins_before_others_go_on(held: Held) -> None:
    gate = threading.Event()
    old = [held.submit(A, name, left=2) for name in "xy"]
    last = held.submit(A, "z", left=2, gate=gate)
    held.gate.set()
    until(lambda: held.log[-1:] == ["z"])
    new = held.submit(A, "new", left=1)
    gate.set()
    for turn in (*old, last, new):
        turn.future.result(5)
    assert held.log[:4] == ["x", "y", "z", "new"]


def test_who_has_the_most_gives_way(held: Held) -> None:
    turns = [held.submit(A, name) for name in "wxyz"]  # with the first: as many as there may be
    with pytest.raises(ServiceError) as caught:
        held.submit(A, "too many")
    assert caught.value.code == "queue_full" and caught.value.retry_after
    newcomer = held.submit(B, "b")
    with pytest.raises(ServiceError):
        turns[-1].future.result(5)
    held.gate.set()
    assert newcomer.future.result(5) == "b" and [turn.future.result(5) for turn in turns[:3]] == ["w", "x", "y"]


def test_what_goes_wrong_is_told_and_the_rest_goes_on(held: Held) -> None:
    bad = held.submit(A, "bad", failure=InputError("view", "expected another", field="view"))
    good = held.submit(B, "good")
    held.gate.set()
    with pytest.raises(InputError):
        bad.future.result(5)
    assert good.future.result(5) == "good"


def _withdrawn(held: Held, turn: Any) -> None:
    held.slices.withdraw(turn)


def _closed(held: Held, turn: Any) -> None:
    held.slices.close()


@pytest.mark.parametrize("stop", [_withdrawn, _closed])
def test_work_is_stopped(stop: Callable[[Held, Any], None], held: Held) -> None:
    waiting = held.submit(A, "x")
    stop(held, waiting)
    with pytest.raises(Cancelled):
        waiting.future.result(5)
    assert "x" not in held.log


def test_work_is_stopped_while_it_goes_on() -> None:
    slices, log = Slices(2, 4), []  # type: ignore[var-annotated]
    turn = slices.submit(A, Work("x", log, gate=threading.Event()))
    until(lambda: log == ["x"])
    slices.withdraw(turn)
    with pytest.raises(Cancelled):
        turn.future.result(5)
    until(lambda: len(slices) == 0)
    slices.close()
    with pytest.raises(ServiceError) as caught:
        slices.submit(A, Work("y", log))
    assert caught.value.code == "draining"
