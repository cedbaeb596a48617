"""`hint`: the best decision of a seat from what it can see, in the time there is.

    hint(view, seconds=0.1)          the card to play, or whatever else is due
    hint(view, worlds=200, seed=7)   the same worlds every time, and so the same answer
    search = HintSearch(view, seconds=1); while not search.step(): ...; search.result

An answer is there from the start, that of the rules of thumb (simple.py); then worlds come in rounds of some
milliseconds, and `result` tells at any time what is best so far. How a decision is valued:

    ending     three cards or fewer, and few layouts: exactly, against others who see all cards (endings.py)
    tree       cards: own cards searched, the others by the rules of thumb, in weighed worlds (card_search.py)
    playouts   cards and all decisions before the play: all by the rules of thumb
    pimc       cards: the mean of exact solves
    rule       what is left: a discard before the parcels, a swap of another hand than the dealer's
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum, isfinite
from typing import Any, Final

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.race import WORLDS_MAX
from tierce.solver.cards import LANE, suit_of
from tierce.solver.checks import check_type, check_whole, is_number, quoted
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.contracts import UNNAMED, Contract
from tierce.solver.games.view import View
from tierce.solver.hints.before import BeforeSearch, as_dealer, dealer_contest, lowest_bid, pass_contest, sender_contest
from tierce.solver.hints.card_search import CardSearch
from tierce.solver.hints.contract_play import contract_core, contract_method
from tierce.solver.hints.cores import Bidding, Core, Told
from tierce.solver.hints.endings import ENDING_CARDS, ENDING_LAYOUTS, best_ending, layouts_of
from tierce.solver.hints.objectives import By, Wish, by_of, contract_wish, wish_of
from tierce.solver.hints.results import METHODS, OTHERS, Hint, Method, Option, Others, Side, What
from tierce.solver.hints.simple import check_turn, simple_action
from tierce.solver.hints.why import why_of
from tierce.solver.hints.worlds import Worlds

__all__ = ["HintSearch", "hint"]

DEFAULT_METHOD: Final[Method] = "tree"
_CHECK: Final = 64  # worlds between two looks whether the choice is settled, later a quarter of those there are
_GROWTH: Final = 1.25
_ENOUGH: Final = 256  # worlds before it can be
_SURE: Final = 4.0  # standard errors
_WHAT: Final[dict[str, What]] = {
    "BID": "bid", "EXCHANGE": "parcel", "SEND": "parcel", "CALL": "call", "TRUMP": "trump", "DISCARD": "discard",
    "SWAP": "swap", "PLAY": "card",
}  # fmt: skip


class HintSearch:
    """A decision, from the first answer on.

    view      of the seat that decides
    seconds   from now, or worlds: so many. One of the two
    seed      of the worlds
    by        what is to be high: see objectives.py; None: tricks, in a game of contracts units. utility: the points by
              tricks for "utility"
    method    how it is valued; None: the best for the decision
    others    how the other players are taken to play: "conspiring" against the seat and seeing all cards, by "rules" of
              thumb each for itself, or those of the present trick by a "hint" with few worlds; None: as the method says
    infer     do choices of the others make worlds more and less likely?

    InputError (field "view", "seconds", "worlds", "seed", "by", "utility", "method" or "others") for what cannot be
    asked, among it a view that contradicts itself.

    Thread safety: `cancel` from any thread, all else from one.
    """

    def __init__(
        self,
        view: View,
        *,
        seconds: float | None = None,
        worlds: int | None = None,
        seed: int = 1,
        by: By | None = None,
        utility: Sequence[float] | None = None,
        method: Method | None = None,
        others: Others | None = None,
        infer: bool = True,
    ) -> None:
        self._began = time.monotonic()
        _check(view, seconds, worlds, method, others)
        self._view = view
        self._deadline = None if seconds is None else self._began + seconds
        self._wanted = worlds
        self._seed = seed
        self._by = by_of(view.profile, by)
        self._utility = utility
        self._wish: Final = self._wish_at(view.seat, view.quotas)
        self._wish(view.call)
        self._infer = infer
        self._method, self._others = _settled(view, method, others)
        self._asked = method
        self._rule = simple_action(view)
        self._core: Core | None = None
        self._begun = False
        self._done = False
        self._complete = False
        self._settled = False
        self._checked = 0
        self._looked = False
        self._cancelled = False
        self._millis = 0.0

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Callable[[], None] | None = None) -> Hint:
        """Work to the end. `watch` is called between rounds; what it raises comes through, and `result` still tells."""
        while not self.step():
            if watch is not None:
                watch()
        return self.result

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread: `run` and `step` raise Cancelled."""
        self._cancelled = True
        if self._core is not None:
            self._core.cancel()

    def step(self) -> bool:
        """One round of work, some milliseconds. Is all done?"""
        if self._cancelled:
            raise Cancelled
        if not self._done:
            self._work()
            self._millis = (time.monotonic() - self._began) * 1e3
        return self._done

    def _work(self) -> None:
        if not self._begun:
            self._begun = True
            self._core = self._opened()
            if self._core is None or isinstance(self._core, Told):
                self._finish(settled=True)
            return
        core = self._core
        assert core is not None
        left = None if self._deadline is None else self._deadline - time.monotonic()
        if left is not None and left <= 0:
            self._finish()
            return
        try:
            core.step(None if self._wanted is None else self._wanted - core.worlds, left)
        except LimitReached:
            self._finish()
            return
        if core.busy:
            return
        if self._wanted is not None and core.worlds >= self._wanted:
            self._finish()
        elif not self._looked and len(core.options()) == 1:
            self._finish(settled=True)
        elif self._wanted is None and core.worlds >= max(self._checked + _CHECK, _GROWTH * self._checked):
            self._checked = core.worlds
            if core.worlds >= _ENOUGH and self._apart(core.options()):
                self._finish(settled=True)
        self._looked = True

    def _finish(self, *, settled: bool = False) -> None:
        self._done = self._complete = True
        self._settled = settled

    def _apart(self, options: Sequence[Option]) -> bool:
        """Is there nothing left to decide?"""
        assert self._core is not None
        if len(options) < 2:
            return True
        lead = self._core.lead(options[0], options[1])
        return lead.error is not None and lead.value >= _SURE * lead.error and (lead.value > 0 or lead.error == 0)

    # ---- what values the choices -------------------------------------------------------------------------------------

    def _opened(self) -> Core | None:
        """What the decision needs; None where the rules of thumb decide."""
        view = self._view
        if self._method == "rule":
            return None
        if view.profile.contracts and view.phase != "PLAY":
            return self._opened_contract()
        if view.phase == "PLAY":
            return self._opened_card()
        if view.phase == "BID":
            return self._opened_bid()
        if view.phase == "SWAP" and view.seat != 0:
            return None
        contest_of = sender_contest if _WHAT[view.phase] == "parcel" else dealer_contest
        try:
            contest = contest_of(view, self._seed)
        except InputError as error:
            if error.code != "not_due":
                raise
            return None
        return BeforeSearch(contest, self._wish, balance=view.phase == "CALL")

    def _opened_contract(self) -> Core:
        """The bid, or the trump of a contract."""
        from tierce.solver.hints.bidding import BidSearch

        asked: dict[str, Any] = {"by": self._by, "utility": self._utility, "seed": self._seed, "infer": self._infer}
        return BidSearch(self._view, method=self._method, **asked)

    def _opened_card(self) -> Core:
        view, wish = self._view, self._wish(self._view.call)
        worlds = Worlds(view, infer=self._infer, seed=self._seed)
        if view.profile.contracts:
            whole = self._asked in (None, "ending") and self._others == "conspiring"
            core, self._method, self._others = contract_core(view, wish, worlds, self._method, self._seed, whole=whole)
            return core
        few = view.hand.bit_count() <= ENDING_CARDS
        if few and self._asked in (None, "ending") and self._others != "hint":
            found = self._ending(worlds, wish)
            if found is not None:
                self._method, self._others = "ending", "conspiring"
                return found
        if self._method == "ending":  # too many cards or layouts for it
            self._method, self._others = DEFAULT_METHOD, "rules"
        return CardSearch(view, wish, worlds, self._method, self._seed, think=self._others == "hint")

    def _ending(self, worlds: Worlds, wish: Wish) -> Told | None:
        """The exact answer at the end of a hand, if the layouts are few."""
        layouts = layouts_of(self._view, ENDING_LAYOUTS)
        if layouts is None:
            return None
        weighed = [
            (hands, count * factor) for (hands, count), factor in zip(layouts, worlds.factors(layouts), strict=True)
        ]
        late = self._deadline
        found = best_ending(
            self._view, weighed, wish, stop=lambda: self._cancelled or (late is not None and time.monotonic() > late)
        )
        if found is None:
            return None
        total, squares = fsum(w for _, w in weighed), fsum(w * w for _, w in weighed)
        return Told(list(found.options()), len(layouts), worlds.fit, total * total / squares)

    def _opened_bid(self) -> Core | None:
        """The lowest bid, valued as what its bidder would make of it as the dealer, against a pass."""
        bid = lowest_bid(self._view)
        if bid is None:
            return None
        seat = as_dealer(self._view, bid)
        inner = BeforeSearch(dealer_contest(seat, self._seed), self._wish_at(0, seat.quotas), balance=True)
        contest, place, quotas = pass_contest(self._view, self._seed)
        stay = BeforeSearch(contest, self._wish_at(place, quotas), balance=True)
        return Bidding(self._view.seat, bid, inner, stay)

    def _wish_at(self, seat: int, quotas: tuple[int, ...]) -> Callable[[str], Wish]:
        """What the player wants at another seat."""
        view = self._view
        if view.profile.contracts:
            contract = view.contract
            if contract is None or contract.trump == UNNAMED:  # of any, the same is asked
                contract = Contract("solo", (seat,))
            wish = contract_wish(view.profile, contract, seat, self._by, self._utility)
            return lambda _: wish
        return lambda call: wish_of(self._view.profile, seat, call, quotas, self._by, self._utility)

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def result(self) -> Hint:
        """What is best so far."""
        core = self._core
        valued = core is not None and core.worlds > 0
        options = core.options() if core is not None and valued else [self._by_rule()]
        margin = core.lead(options[0], options[1]) if core is not None and len(options) > 1 else None
        forced = len(options) == 1 and self._only()
        method: Method = self._method if valued else "rule"
        if valued and isinstance(core, CardSearch):
            method = core.method
        found = Hint(
            what=_WHAT[self._view.phase],
            seat=self._view.seat,
            options=tuple(options),
            by=self._by,
            method=method,
            others=self._others if valued else "rules",
            seed=self._seed,
            fit=core.fit if core is not None else 0,
            worlds=options[0].worlds,
            effective=core.effective if core is not None and valued else 0.0,
            margin=margin,
            forced=forced,
            settled=self._settled,
            complete=self._complete,
            why="",
            millis=self._millis,
            letters=self._view.profile.letters,
            side=self._side(),
        )
        return replace(found, why=why_of(found))

    def _side(self) -> Side:
        """Of a contract, once it is played."""
        contract = self._view.contract
        if contract is None or self._view.phase != "PLAY":
            return ""
        return "declarers" if self._view.seat in contract.declarers else "defenders"

    def _by_rule(self) -> Option:
        """The answer without a world."""
        nothing = Figure(0.0, None)
        return Option((self._rule,), nothing, nothing, 0.0, 0, "made" if self._view.profile.contracts else "quota")

    def _only(self) -> bool:
        """Is there but one choice?"""
        if self._view.phase != "PLAY" or not self._view.trick:
            return self._view.phase == "PLAY" and self._view.hand.bit_count() == 1
        suit = LANE << 16 * suit_of(self._view.trick[0])
        follow = self._view.hand & suit or self._view.hand
        return follow.bit_count() == 1


def hint(
    view: View,
    *,
    seconds: float | None = None,
    worlds: int | None = None,
    seed: int = 1,
    by: By | None = None,
    utility: Sequence[float] | None = None,
    method: Method | None = None,
    others: Others | None = None,
    infer: bool = True,
) -> Hint:
    """The best decision of a seat from what it can see. Arguments and errors: `HintSearch`."""
    search = HintSearch(
        view,
        seconds=seconds,
        worlds=worlds,
        seed=seed,
        by=by,
        utility=utility,
        method=method,
        others=others,
        infer=infer,
    )
    return search.run()


# ---- what may be asked -----------------------------------------------------------------------------------------------


def _check(
    view: View,
    seconds: float | None,
    worlds: int | None,
    method: Method | None,
    others: Others | None,
) -> None:
    check_type(view, View, "a View")
    if (seconds is None) == (worlds is None):
        found = "none" if seconds is None else "both"
        raise InputError("worlds", f"expected seconds or worlds, found {found}", field="worlds")
    if worlds is not None:
        check_whole(worlds, 1, WORLDS_MAX, f"a number of worlds from 1 to {WORLDS_MAX:,}", "worlds")
    if seconds is not None and not (is_number(seconds) and isfinite(seconds) and seconds > 0):
        raise InputError("seconds", f"expected seconds above 0, found {quoted(seconds)}", field="seconds")
    if method is not None and method not in METHODS:
        raise InputError("method", f"expected one of {', '.join(METHODS)}, found {quoted(method)}", field="method")
    if others is not None and others not in OTHERS:
        raise InputError("others", f"expected one of {', '.join(OTHERS)}, found {quoted(others)}", field="others")
    if others == "hint" and view.profile.contracts:
        raise InputError("others", "expected rules or conspiring in a game of contracts, found hint", field="others")
    check_turn(view)


def _settled(view: View, method: Method | None, others: Others | None) -> tuple[Method, Others]:
    """The method, and how others are taken to play."""
    if method is None:
        card = view.phase == "PLAY"
        usual = contract_method(view) if view.profile.contracts and others != "rules" else DEFAULT_METHOD
        method = "pimc" if others == "conspiring" and card else usual if card else "playouts"
    if view.phase != "PLAY" and method not in ("rule", "playouts", *["pimc"] * view.profile.contracts):
        method = "playouts"
    plays: Others = "conspiring" if method in ("pimc", "ending") else "rules"
    if others is not None and (plays == "conspiring") != (others == "conspiring") and view.phase == "PLAY":
        fitting = "conspiring" if plays == "conspiring" else "rules or hint"
        message = f"expected others that go with the method {method} ({fitting}), found {others}"
        raise InputError("others", message, field="others")
    return method, plays if others is None or view.phase != "PLAY" else others
