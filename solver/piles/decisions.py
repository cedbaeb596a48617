"""`decide`: what the declarer of Sumgait Driller should do, whatever is due, in the time there is.

    decide(view, seconds=2)          whether to rob, which four to give, what to call, which card, a marriage now?
    decide(view, worlds=200, seed=7) the same orders every time, and so the same answer
    search = DecisionSearch(view, seconds=1); while not search.step(): ...; search.result

An answer is there from the start; then orders of the piles come in rounds of some milliseconds, and `result` tells at
any time what is best so far. How a decision is valued: cards by trials, near the end by the exact expectation
(card_choice.py); calls and the cards given by playouts and what better play gains (call_choice.py, giving.py); what
comes before the kitty in random layouts (ahead.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any, Final, NoReturn, TypeAlias

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.checks import check_type, check_whole, is_number, quoted
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.sumgait.prices import PASS
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.ahead import AheadChoice
from tierce.solver.piles.call_choice import CallChoice, GiveChoice
from tierce.solver.piles.card_choice import CardChoice
from tierce.solver.piles.decision_results import METHODS, Decision, Method, What, why_of
from tierce.solver.piles.view import pile_view
from tierce.solver.piles.wants import GAME_WEIGHT, By, want_of

__all__ = ["DecisionSearch", "check_due", "decide"]

WORLDS_MAX: Final = 1_000_000
_WHAT: Final[dict[str, What]] = {"ROB": "rob", "MISERE": "misere", "GIVE": "give", "CALL": "call", "PLAY": "card"}
_MARGIN: Final = 1.5  # of the longest of the last rounds, that must be left of the time
_ROUNDS: Final = 8  # that many
_Core: TypeAlias = AheadChoice | CallChoice | GiveChoice | CardChoice


class DecisionSearch:
    """A decision, from the first answer on.

    view         of the declarer, who decides something now
    seconds      from now, or worlds: so many random orders (before the kitty: layouts). One of the two
    seed         of the orders
    by           what is to be high: see wants.py; game_weight: of a point of Game, by the match
    method       of a card: `playouts`, or `ending` for the exact expectation (LimitReached where it is too large);
                 None: the best for the moment
    threads      that work; the answer of so many worlds is the same whatever they are

    InputError (field "view", "seconds", "worlds", "seed", "by", "game_weight" or "method") for what cannot be asked.

    Thread safety: `cancel` from any thread, all else from one.
    """

    def __init__(
        self,
        view: View,
        *,
        seconds: float | None = None,
        worlds: int | None = None,
        seed: int = 1,
        by: By = "points",
        game_weight: float = GAME_WEIGHT,
        method: Method | None = None,
        threads: int = 1,
    ) -> None:
        self._began = time.monotonic()
        check_due(view)
        _check(view, seconds, worlds, method, threads)
        self._view = view
        self._end = inf if seconds is None else self._began + seconds
        self._worlds, self._seed, self._by, self._weight = worlds, seed, by, game_weight
        self._stop = Stop()
        self._core = self._opened(want_of(view, by, game_weight), seconds, method, threads)
        self._rounds = [0.0] * _ROUNDS
        self._done = self._complete = self._settled = False
        self._millis = 0.0

    def _opened(self, want: Any, seconds: float | None, method: Method | None, threads: int) -> _Core:
        view = self._view
        asked: dict[str, Any] = {"seed": self._seed, "stop": self._stop}
        if view.phase == "PLAY":
            moment = pile_view(view)
            asked |= {"threads": threads, "method": method, "seconds": seconds}
            return CardChoice(moment, want.of_call(view.call), **asked)
        asked["most"] = self._worlds
        if view.phase in ("ROB", "MISERE"):
            return AheadChoice(view, want, **asked)
        if view.phase == "GIVE":
            return GiveChoice(view, want, threads=threads, began=self._began, **asked)
        return CallChoice(view, want, threads=threads, **asked)

    # ---- control

    def run(self, watch: Callable[[], None] | None = None) -> Decision:
        """Work to the end. `watch` is called between rounds; what it raises comes through, and `result` still tells."""
        while not self.step():
            if watch is not None:
                watch()
        return self.result

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread: `run` and `step` raise Cancelled."""
        self._stop.set()
        if isinstance(self._core, CardChoice):
            self._core.cancel()

    def step(self) -> bool:
        """One round of work, some milliseconds. Is all done?"""
        if self._stop.is_set:
            raise Cancelled()
        if not self._done:
            began = time.monotonic()
            near = began + _MARGIN * max(self._rounds) >= self._end
            if near and (began >= self._end or self._core.method != "rule"):
                self._finish(settled=self._core.settled)
            else:
                self._round()
            now = time.monotonic()
            self._rounds = [*self._rounds[1:], now - began]
            self._millis = (now - self._began) * 1e3
        return self._done

    def _round(self) -> None:
        core = self._core
        left = None if self._worlds is None or not isinstance(core, CardChoice) else self._worlds - core.worlds
        core.step(left, self._end)
        if core.settled:
            self._finish(settled=True)
        elif isinstance(core, CardChoice):
            if self._worlds is not None and core.worlds >= self._worlds:
                self._finish()
        elif core.done:
            self._finish()

    def _finish(self, *, settled: bool = False) -> None:
        self._done = self._complete = True
        self._settled = settled

    # ---- what is known

    @property
    def worlds(self) -> int:
        """Orders that the best choice has met so far."""
        return self._core.choices()[0].worlds

    @property
    def result(self) -> Decision:
        """What is best so far."""
        choices = self._core.choices()
        forced = self._core.forced
        margin: Figure | None = None if forced or len(choices) < 2 else self._core.lead()
        found = Decision(
            what=_WHAT[self._view.phase],
            choices=tuple(choices),
            by=self._by,
            game_weight=self._weight,
            method=self._core.method,
            call=self._view.call,
            seed=self._seed,
            margin=margin,
            forced=forced,
            settled=self._settled or forced,
            complete=self._complete,
            why="",
            millis=self._millis,
        )
        return replace(found, why=why_of(found))


def decide(
    view: View,
    *,
    seconds: float | None = None,
    worlds: int | None = None,
    seed: int = 1,
    by: By = "points",
    game_weight: float = GAME_WEIGHT,
    method: Method | None = None,
    threads: int = 1,
) -> Decision:
    """The best decision from what the declarer knows. Arguments and errors: `DecisionSearch`."""
    search = DecisionSearch(
        view,
        seconds=seconds,
        worlds=worlds,
        seed=seed,
        by=by,
        game_weight=game_weight,
        method=method,
        threads=threads,
    )
    return search.run()


# ---- what may be asked -----------------------------------------------------------------------------------------------


def check_due(view: View) -> None:
    """InputError (field "view") where the declarer decides nothing."""
    check_type(view, View, "a View")
    if view.phase not in _WHAT:
        _not_due(f"the phase {view.phase}, in which he decides nothing")
    if view.phase == "PLAY" and view.call == PASS:
        _not_due("PASS, in which three piles are turned over")
    if view.phase == "PLAY" and not view.playable:
        _not_due("a card that a pile is to turn")


def _not_due(found: str) -> NoReturn:
    raise InputError("not_due", f"expected a decision of the declarer, found {found}", field="view")


def _check(view: View, seconds: float | None, worlds: int | None, method: Method | None, threads: int) -> None:
    if (seconds is None) == (worlds is None):
        raise InputError("seconds", "expected seconds or worlds, one of the two", field="seconds")
    if seconds is not None and not (is_number(seconds) and 0 < seconds < inf):
        raise InputError("seconds", f"expected seconds above 0, found {quoted(seconds)}", field="seconds")
    if worlds is not None:
        check_whole(worlds, 1, WORLDS_MAX, f"1 to {WORLDS_MAX:,} worlds", "worlds")
    check_whole(threads, 1, 1024, "1 to 1024 threads", "threads")
    if method is not None and method not in METHODS:
        raise InputError("method", f"expected {' | '.join(METHODS)}, found {quoted(method)}", field="method")
    if method == "ending" and view.phase != "PLAY":
        message = f"expected the exact expectation of a card, found the phase {view.phase}"
        raise InputError("method", message, field="method")
