"""Processes beside the server, in which hints are worked at: the interpreter of the server is free for its calls.

A process belongs to one thread of Slices, and is asked by nobody else. Thread and process talk over a socket: one
question, one answer. The thread waits without holding the interpreter; the process works at what it is asked about and
at nothing else. Processes are begun by `Beside.begin`, some moments after which they are ready; a thread without a
process that is ready does its work itself. One that has ended is begun again, and what it was working at ends with
ServiceError "unavailable": another try finds another process.

Questions   ("open", number, request, due, watched), ("go", number, seconds); before each: numbers that are to be
            forgotten. A request is a serialized HintRequest, a number stands for it from then on; `due` is on the
            monotonic clock, which all processes of a machine share.
Answers     (done, told, answer, error): `told` are pairs of a serialized HintResponse and the share done, for whoever
            watches; `answer` is the serialized HintResponse once it is done. Before the first: None, when it is ready.

The socket is closed by whoever ends, however it ends; then the other side knows. Signals of the terminal are left to
the server.
"""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from typing import Any, Final

from tierce.service.faults import ServiceError
from tierce.solver.errors import Cancelled
from tierce.v1 import hint_pb2

__all__ = ["Beside", "HintBeside", "Peer", "Watch"]

Watch = Callable[[hint_pb2.HintResponse, float], None]

_PATIENCE: Final = 5.0  # seconds beyond a slice after which a process that says nothing is given up
_AGAIN: Final = 1.0  # seconds from one beginning of a process to the next; twice as long after each that failed
_LONGEST: Final = 300.0
_MODULE: Final = "tierce.service.beside_main"


class Peer:
    """A process. Thread safety: one thread; `forget` and `end` from any."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        words = [sys.executable, "-P", "-m", _MODULE, str(theirs.fileno())]
        with theirs:
            nothing = subprocess.DEVNULL
            self._process = subprocess.Popen(words, stdin=nothing, stdout=nothing, pass_fds=[theirs.fileno()])
        self._line = Connection(ours.detach())
        self._numbers = count(1)
        self._gone: deque[int] = deque()
        self._ready = False

    @property
    def pid(self) -> int:
        """The number that the system knows it by."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Has it not ended?"""
        return self._process.poll() is None

    @property
    def ready(self) -> bool:
        """May it be asked?"""
        if not self._ready:
            with suppress(EOFError, OSError):
                self._ready = self._line.poll() and self._line.recv() is None
        return self._ready and self.alive

    def open(self, request: hint_pb2.HintRequest, due: float, *, watched: bool) -> tuple[int, Any]:
        """A request is to be worked at: its number, and the answer to the first slice."""
        number = next(self._numbers)
        return number, self._ask(("open", number, request.SerializeToString(), due, watched), 0.0)

    def go(self, number: int, seconds: float) -> Any:
        """The next slice."""
        return self._ask(("go", number, seconds), seconds)

    def forget(self, number: int) -> None:
        """What it knows under this number is no longer wanted."""
        self._gone.append(number)

    def _ask(self, question: tuple[Any, ...], seconds: float) -> Any:
        gone = [self._gone.popleft() for _ in range(len(self._gone))]
        try:
            self._line.send((gone, *question))
            if not self._line.poll(seconds + _PATIENCE):
                raise EOFError
            return self._line.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self.end()
            self._line.close()
            message = "the process that worked at it has ended"
            raise ServiceError("unavailable", message, retry_after=_AGAIN) from None

    def end(self) -> None:
        """End it now, whatever it does."""
        self._process.kill()
        self._process.wait()


class Beside:
    """The processes of so many threads; none where the system has no such sockets.

    Thread safety: `at` of a place from its thread alone; the others from any.
    """

    def __init__(self, places: int) -> None:
        self._places = [_Place() for _ in range(places if hasattr(socket, "AF_UNIX") else 0)]
        self._closed = False
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Have those begin that have not."""
        for place in self._places:
            if place.peer is None:
                self._begin(place)

    def at(self, number: int) -> Peer | None:
        """The process of a thread, if it is ready."""
        place = self._places[number] if number < len(self._places) else None
        if place is None or place.peer is None:
            return None
        if place.peer.ready:
            place.wait = _AGAIN
            return place.peer
        if not place.peer.alive and time.monotonic() > place.began + place.wait:
            place.wait = min(2 * place.wait, _LONGEST)
            self._begin(place)
        return None

    @property
    def pids(self) -> list[int]:
        """Of those that run."""
        return [place.peer.pid for place in self._places if place.peer is not None and place.peer.alive]

    def close(self) -> None:
        """End them."""
        with self._lock:
            self._closed = True
        for place in self._places:
            if place.peer is not None:
                place.peer.end()

    def _begin(self, place: _Place) -> None:
        with self._lock, suppress(OSError):  # no more processes or files to be had: without, then
            if not self._closed:
                place.began = time.monotonic()
                place.peer = Peer()


@dataclass(slots=True)
class _Place:
    """Of one thread: its process, and after how many seconds another may follow."""

    peer: Peer | None = None
    began: float = 0.0
    wait: float = _AGAIN


class HintBeside:
    """A hint that a process works at (Sliced). What it tells is told on to `watch`."""

    def __init__(self, peer: Peer, request: hint_pb2.HintRequest, due: float, watch: Watch | None) -> None:
        self.due = due
        self._peer = peer
        self._request = request
        self._watch = watch
        self._number = 0
        self._answer: bytes = b""
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Stop it, from another thread: after the slice that runs, if one does."""
        self._cancelled.set()
        self._peer.forget(self._number)

    def go(self, seconds: float) -> bool:
        """A slice: see Sliced. InputError for what cannot be asked; ServiceError where the process has ended."""
        if self._cancelled.is_set():
            raise Cancelled
        if self._number:
            found = self._peer.go(self._number, seconds)
        else:
            self._number, found = self._peer.open(self._request, self.due, watched=self._watch is not None)
        if self._cancelled.is_set():  # perhaps before it had a number
            self._peer.forget(self._number)
            raise Cancelled
        done, told, self._answer, error = found
        if error is not None:
            raise error
        if self._watch is not None:
            for message, share in told:
                self._watch(hint_pb2.HintResponse.FromString(message), share)
        return bool(done)

    def beside(self, peer: Peer) -> HintBeside:
        """It is in a process already."""
        return self

    def answer(self) -> hint_pb2.HintResponse:
        """What is best."""
        return hint_pb2.HintResponse.FromString(self._answer)
