"""Hints as work in slices: a request is read and checked, then its search goes on, slice by slice, until it is done.

The first slice is short: it reads the request and has an answer, by rules of thumb, of which whoever watches is told at
once, before any world is looked for. He is told again with the first world, and then now and then.

A hint is due a moment before its seconds have passed, counted from the arrival of its call, for its answer takes a
moment to tell; and a little before the call's deadline, so that the answer still finds its way.
"""

from __future__ import annotations

import math
import threading
import time
from typing import Any, Final, cast

from tierce.service import told
from tierce.service.asked import check_game
from tierce.service.beside import HintBeside, Peer, Watch
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.advice.race import WORLDS_MAX
from tierce.solver.checks import check_whole
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.view import View
from tierce.solver.hints.hint import HintSearch
from tierce.solver.hints.results import Hint
from tierce.solver.hints.simple import check_turn
from tierce.solver.hints.view_json import read_view
from tierce.v1 import hint_pb2

__all__ = ["SECONDS", "HintWork", "check_budget", "due_of", "is_long"]

SECONDS: Final = 1.0
TOP: Final = 10
_MARGIN: Final = 0.05  # seconds before the call's deadline, but no more than a part of what there is:
_PART: Final = 0.25
_EVERY: Final = 0.2  # seconds between two answers to whoever watches, and more where
_PRICE: Final = 20  # so many times as long as it takes to tell one is longer
_TELLING: Final = 0.01  # seconds before its time that a hint is due, but no more than a part of what there is:
_SHARE: Final = 0.1
_SHORTEST: Final = 1e-6


def check_budget(request: hint_pb2.HintRequest) -> None:
    """InputError for seconds or worlds that cannot be."""
    if request.HasField("seconds"):
        if request.HasField("worlds"):
            raise InputError("worlds", "expected seconds or worlds, found both", field="worlds")
        if not 0 < request.seconds < math.inf:  # neither is NaN
            raise InputError("seconds", f"expected seconds above 0, found {request.seconds}", field="seconds")
    if request.HasField("worlds"):
        check_whole(request.worlds, 1, WORLDS_MAX, f"a number of worlds from 1 to {WORLDS_MAX:,}", "worlds")


def due_of(request: hint_pb2.HintRequest, began: float, most: float, deadline: float | None) -> float:
    """When the answer is to be told, on the monotonic clock.

    began     when the call came; deadline: its own
    most      seconds that the server lets any call have
    """
    wanted = request.seconds if request.HasField("seconds") else math.inf
    if deadline is None:
        timed = request.HasField("seconds") or request.HasField("worlds")
        there = min(wanted if timed else SECONDS, most)
    else:
        left = deadline - began
        there = min(wanted, most, left - min(_MARGIN, _PART * left))
    return began + there - min(_TELLING, _SHARE * there)


def is_long(request: hint_pb2.HintRequest) -> bool:
    """Has it exact solves to do? They need a table, and cannot be cut into slices."""
    return request.method == "pimc" or (not request.method and request.others == "conspiring")


class HintWork:
    """The work of one request (Sliced); `due`: see due_of. `watch` gets what is best so far, and the share done."""

    def __init__(self, request: hint_pb2.HintRequest, due: float, watch: Watch | None) -> None:
        self.due = due
        self._request = request
        self._watch = watch
        self._began = time.monotonic()
        self._search: HintSearch | None = None
        self._cancelled = False
        self._doubtful: View | None = None  # has it any world that fits?
        self._tell_at = 0.0
        self._met = False

    def cancel(self) -> None:
        """Stop it, from another thread."""
        self._cancelled = True
        if self._search is not None:
            self._search.cancel()

    def beside(self, peer: Peer) -> HintBeside:
        """The same, worked at in a process."""
        return HintBeside(peer, self._request, self.due, self._watch)

    def go(self, seconds: float) -> bool:
        """A slice: see Sliced. InputError for what cannot be asked."""
        end = time.monotonic() + seconds
        if self._search is None:
            self._search = self.open()
            self._tell(self._search)
            return False
        if self._doubtful is not None:
            PlayWorlds(self._doubtful)
            self._doubtful = None
        while not self._stepped(self._search):
            self._tell(self._search)
            if time.monotonic() >= end:
                return False
        return True

    def _stepped(self, search: HintSearch) -> bool:
        """A round of work. Is all done, or the time up?"""
        if self._cancelled:
            raise Cancelled
        return search.step() or time.monotonic() >= self.due

    def open(self) -> HintSearch:
        """Read what is asked."""
        request = self._request
        view = read_view(request.view)
        check_game(view.profile, "view")
        check_turn(view)
        if view.phase != "PLAY" or request.method == "rule":  # else the search asks itself
            self._doubtful = view
        points = list(request.utility) or None
        by: Any = request.by or (None if points is None else "utility")
        worlds = request.worlds if request.HasField("worlds") else None
        return HintSearch(
            view,
            seconds=max(_SHORTEST, self.due - time.monotonic()) if worlds is None else None,
            worlds=worlds,
            seed=request.seed if request.HasField("seed") else 1,
            by=by,
            utility=points,
            method=cast(Any, request.method or None),
            others=cast(Any, request.others or None),
            infer=not request.no_infer,
        )

    def whole(self) -> hint_pb2.HintResponse:
        """All of it in one piece, in a thread of its own; a solve that is running when it is due is stopped."""
        timer = threading.Timer(max(0.0, self.due - time.monotonic()), self._late)
        timer.daemon = True
        timer.start()
        try:
            while not self.go(math.inf):  # twice
                pass
        except Cancelled:
            if self._cancelled or self._search is None:
                raise
        finally:
            timer.cancel()
        return self.answer()

    def _late(self) -> None:
        if self._search is not None:
            self._search.cancel()

    # ---- telling -----------------------------------------------------------------------------------------------------

    def answer(self) -> hint_pb2.HintResponse:
        """What is best."""
        assert self._search is not None
        return self._message(self._search.result)

    def _message(self, found: Hint) -> hint_pb2.HintResponse:
        request = self._request
        return told.hint_message(found, None if request.all else request.top or TOP, scores=request.scores)

    def _tell(self, search: HintSearch) -> None:
        """Tell whoever watches, if it is time: at once, with the first world, and then now and then."""
        now = time.monotonic()
        if self._watch is None or (self._met and now < self._tell_at):
            return
        found = search.result
        if not found.worlds and now < self._tell_at:
            return
        self._met = found.worlds > 0
        self._watch(self._message(found), self._done(found, now))
        then = time.monotonic()
        self._tell_at = then + max(_EVERY, _PRICE * (then - now))

    def _done(self, found: Hint, now: float) -> float:
        if self._request.HasField("worlds"):
            return min(1.0, found.worlds / self._request.worlds)
        return min(1.0, max(0.0, (now - self._began) / max(_SHORTEST, self.due - self._began)))
