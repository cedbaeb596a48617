"""Threads that do work in slices: all that is in progress goes on, and each piece is done at its time.

A thread takes the piece whose turn it is, works at it for some milliseconds, and puts it back. Whose turn it is: first
what is due, for its answer is to be told; then that of the caller who has the fewest in hand, of equal ones who has
waited longest since it was last served (as in Lines, at the same two levels); of one caller's those that have not begun
before the others, and these in turn. So n pieces of one caller have each an n-th of the threads, and whoever brings
more of them is served no more often than others.

So many pieces may be in progress; beyond that the newest of the caller with the most gives way to a newcomer with
fewer, who is otherwise refused himself (ServiceError queue_full).

The threads are others than the pool's, as many as it has workers, begun with the first piece: what they do waits for no
search, and they step back from their processors less than a search does.

A thread may have a process beside the server (`tierce.service.beside`). A piece that it begins is then worked at there,
and all its slices are that thread's.

Thread safety: all from any thread.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Protocol

from tierce.service.beside import Beside, Peer
from tierce.service.faults import ServiceError
from tierce.service.pool import Caller, niceness, step_back
from tierce.solver.errors import Cancelled

__all__ = ["SLICE", "Sliced", "Slices", "Turn"]

SLICE: Final = 0.005  # seconds
_NEAR: Final = 1  # see step_back; less than the pool's NEAR, so that batches give way
_KNOWN: Final = 10_000
_RETRY: Final = 0.25  # seconds after which a refused caller may find room


class Sliced(Protocol):
    """A piece of work.

    due   when its answer is to be told, on the monotonic clock
    """

    due: float

    def go(self, seconds: float) -> bool:
        """Work about so long. Is it done?"""

    def answer(self) -> Any:
        """What came of it; asked when it is done."""

    def cancel(self) -> None:
        """Stop what runs, from another thread: `go` then raises Cancelled soon."""

    def beside(self, peer: Peer) -> Sliced:
        """The same work, not begun yet, done in a process."""


@dataclass(eq=False, slots=True)
class Turn:
    """A piece of work of a caller. `future` has what comes of it: Cancelled if it was stopped. `waited`: seconds until
    it began. `place`: of the thread whose process works at it."""

    caller: Caller
    work: Sliced
    future: Future[Any] = field(default_factory=Future)
    came: float = field(default_factory=time.monotonic)
    waited: float = math.nan
    last: int = 0
    begun: bool = False
    place: int | None = None
    cancelled: bool = False


class Slices:
    """See the module.

    threads   that work
    most      pieces in progress
    beside    processes of the threads, if there are any; ended with `close`
    """

    def __init__(self, threads: int, most: int, beside: Beside | None = None) -> None:
        self._most = most
        self._beside = Beside(0) if beside is None else beside
        self._nice = niceness()
        self._names = [f"tierce-slices-{number}" for number in range(threads)]
        self._threads: list[threading.Thread] = []
        self._ready: list[Turn] = []
        self._running: set[Turn] = set()
        self._in_hand: Counter[str | Caller] = Counter()
        self._served: dict[str | Caller, int] = {}
        self._number = count(1)
        self._closed = False
        self._lock = threading.Lock()
        self._there = threading.Condition(self._lock)

    def __len__(self) -> int:
        """Pieces in progress."""
        return len(self._ready) + len(self._running)

    def submit(self, caller: Caller, work: Sliced) -> Turn:
        """Have work done from now on. ServiceError "queue_full" or "draining"."""
        turn = Turn(caller, work)
        with self._lock:
            if self._closed:
                raise ServiceError("draining", "the server is about to end", retry_after=1.0)
            if len(self) >= self._most:
                self._make_room(caller)
            self._ready.append(turn)
            self._begin()
            self._there.notify_all()
        return turn

    def withdraw(self, turn: Turn) -> None:
        """Stop work; its future is done soon."""
        with self._lock:
            turn.cancelled = True
            waiting = turn in self._ready
            if waiting:
                self._ready.remove(turn)
        turn.work.cancel()
        if waiting:
            turn.future.set_exception(Cancelled())

    def close(self) -> None:
        """No more work; what is in progress is stopped."""
        with self._lock:
            self._closed = True
            turns = [*self._ready, *self._running]
            self._there.notify_all()
        for turn in turns:
            self.withdraw(turn)
        self._beside.close()

    def _begin(self) -> None:
        """Threads, with the first work."""
        if not self._threads:
            self._beside.begin()
            self._threads = [
                threading.Thread(target=self._serve, args=(place,), name=name, daemon=True)
                for place, name in enumerate(self._names)
            ]
            for thread in self._threads:
                thread.start()

    def _make_room(self, caller: Caller) -> None:
        """Refuse the newest of the caller with the most, or raise. A caller is here who it is, not its connection."""
        mine: Counter[str] = Counter(turn.caller.who for turn in (*self._ready, *self._running))
        who, most = mine.most_common(1)[0]
        message = f"expected fewer hints in progress, found {len(self)}"
        full = ServiceError("queue_full", message, retry_after=_RETRY)
        waiting = [turn for turn in self._ready if turn.caller.who == who]
        if who == caller.who or most <= mine[caller.who] + 1 or not waiting:
            raise full
        gone = max(waiting, key=lambda turn: turn.came)
        self._ready.remove(gone)
        gone.work.cancel()
        gone.future.set_exception(full)

    # ---- threads -----------------------------------------------------------------------------------------------------

    def _serve(self, place: int) -> None:
        step_back(threading.get_native_id(), self._nice + _NEAR)
        while (turn := self._next(place)) is not None:
            self._slice(turn, place)
            del turn  # what it holds may be large

    def _next(self, place: int) -> Turn | None:
        with self._lock:
            while not (mine := [turn for turn in self._ready if turn.place in (None, place)]):
                if self._closed:
                    return None
                self._there.wait()
            now = time.monotonic()
            turn = min(mine, key=lambda each: (each.work.due > now, *self._rank(each)))
            self._ready.remove(turn)
            self._running.add(turn)
            turn.last = next(self._number)
            for key in (turn.caller.who, turn.caller):
                self._in_hand[key] += 1
                self._served[key] = turn.last
        if math.isnan(turn.waited):
            turn.waited = now - turn.came
        return turn

    def _rank(self, turn: Turn) -> tuple[int, ...]:
        who, caller = turn.caller.who, turn.caller
        served = self._served.get
        return self._in_hand[who], served(who, 0), self._in_hand[caller], served(caller, 0), turn.last

    def _slice(self, turn: Turn, place: int) -> None:
        done, result, failed = False, None, None
        try:
            if not turn.begun:
                self._place(turn, place)
            if turn.cancelled:
                raise Cancelled
            done = turn.work.go(SLICE)
            result = turn.work.answer() if done else None
        except BaseException as error:
            failed = error
        with self._lock:
            again = not done and failed is None and not turn.cancelled
            self._put_back(turn, again=again)
        if again:
            return
        with suppress(Exception):  # its future is done when there was no room for it
            if failed is None and not done:
                failed = Cancelled()
            turn.future.set_result(result) if failed is None else turn.future.set_exception(failed)

    def _place(self, turn: Turn, place: int) -> None:
        """Begin it in the process of this thread, if that is ready."""
        turn.begun = True
        peer = self._beside.at(place)
        if peer is not None:
            turn.work, turn.place = turn.work.beside(peer), place  # from here on `withdraw` stops that

    def _put_back(self, turn: Turn, *, again: bool) -> None:
        self._running.discard(turn)
        for key in (turn.caller.who, turn.caller):
            self._in_hand[key] -= 1
            if not self._in_hand[key]:
                del self._in_hand[key]
        if again:
            self._ready.append(turn)
            self._there.notify_all()
        if len(self._served) > _KNOWN:  # callers long gone
            self._served = {key: turn for key, turn in self._served.items() if key in self._in_hand}
