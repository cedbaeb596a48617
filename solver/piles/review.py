"""The review of a deal of Sumgait Driller: every card in hindsight, and by what the declarer could know.

    for deal in replay(record).deals:
        if reviewable(deal):
            found = review_deal(deal)

In hindsight the piles are known, in the order they had (of a finished deal it is seen, else it must be recorded). The
best at the first lead, less what each card cost, is the result: the account adds up exactly. By what could be known a
card is held against the best mean over random orders that fit (`best_play`), or the exact expectation once few cards
are left; a loss counts where it is more than chance.

Other calls are judged in hindsight where the same piles tell it: what could be made by playing, and by MISERE. Not
judged are robberies and, but for the calls, PASS: the cards would have lain otherwise, nobody knows how. The giving is
held against what rules of thumb find best, over random orders; in hindsight it is not judged, for the same reason.

With a limit of time what is exact is done whatever it takes: hindsight, which counts in the time, some hundredths of a
second, some tenths with three or four marriages, and the last cards. The giving is looked at among fewer cards if time
is short, and the cards have what is left, in equal shares. What was not reached is not judged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, TypeAlias

from tierce.solver.cards import SUITS, Card, Mask
from tierce.solver.checks import check_whole
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.sumgait.actions import Play
from tierce.solver.games.sumgait.cards import suit_of
from tierce.solver.games.sumgait.prices import MISERE as MISERE_CALL
from tierce.solver.games.sumgait.prices import PASS, PLAY
from tierce.solver.games.sumgait.replay import ReplayedDeal
from tierce.solver.games.sumgait.state import State
from tierce.solver.games.sumgait.view import view
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.chances import marriages
from tierce.solver.piles.expectation import expectation
from tierce.solver.piles.known import solve_known
from tierce.solver.piles.objectives import MISERE, Objective, points
from tierce.solver.piles.quick_giving import FEW, MANY, Giving, given_value, quick_giving
from tierce.solver.piles.results import KnownResult, Mean, Way
from tierce.solver.piles.review_results import (
    CLEAR,
    LEAST,
    DealReview,
    Fair,
    GivingReview,
    MarriageReview,
    Played,
    Seen,
)
from tierce.solver.piles.ringing import ringing
from tierce.solver.piles.trials import best_play
from tierce.solver.piles.view import Judge, PileView, pile_view

__all__ = ["EXACT", "SAMPLES", "review_deal", "reviewable"]

SAMPLES: Final = 400
EXACT: Final = 5  # cards in hand from which on expectations are exact
_GIVING: Final = 0.4  # of the time that is left, for the giving
_MORE: Final = 10  # times as long as a choice among few cards to give takes one among many
_GRACE: Final = 0.03  # seconds after the end until trials that look at the clock are stopped

_Order: TypeAlias = "tuple[tuple[Card, ...], tuple[Card, ...]]"
Watch: TypeAlias = Callable[[float], None]


def reviewable(deal: ReplayedDeal) -> bool:
    """Are its cards known, and did it come to its call?"""
    return deal.state.dealt is not None and deal.state.phase in ("PLAY", "SCORE")


def review_deal(
    deal: ReplayedDeal,
    *,
    samples: int = SAMPLES,
    seconds: float | None = None,
    seed: int = 1,
    threads: int = 1,
    watch: Watch | None = None,
    stop: Stop | None = None,
) -> DealReview:
    """Review a deal.

    samples   orders of the piles a choice; 0: hindsight alone
    seconds   in place of samples: time for the deal; what is exact is done in any case
    watch     is told the share of the cards that are judged

    InputError (field "deal") for a deal that is not `reviewable`; Cancelled if stopped.
    """
    if not reviewable(deal):
        raise InputError("not_due", "expected a deal with its cards that came to its call, found none", field="deal")
    check_whole(samples, 0, 1 << 20, f"0 to {1 << 20} samples", "samples")
    return _Review(deal, samples, seconds, seed, threads, watch, stop or Stop()).result()


_Behind: TypeAlias = dict[Way, Mean]  # how far each way is behind the best, by what could be known


@dataclass(frozen=True, slots=True)
class _Moment:
    """Before a card of the declarer: what he knew, and in how many ways he could play."""

    state: State
    view: PileView
    way: Way
    ways: int

    @property
    def trick(self) -> int:
        """Its number."""
        return len(self.state.tricks) + 1


@dataclass(frozen=True, slots=True)
class _Turn:
    """A card of the declarer, the moment before it, and what was found about the ways he had."""

    trick: int
    view: PileView
    played: Played
    fair: _Behind


class _Review:
    def __init__(
        self,
        deal: ReplayedDeal,
        samples: int,
        seconds: float | None,
        seed: int,
        threads: int,
        watch: Watch | None,
        stop: Stop,
    ) -> None:
        self._deal = deal
        self._samples, self._seed = samples, seed
        self._end_time = inf if seconds is None else time.monotonic() + seconds
        self._threads, self._watch, self._stop = threads, watch, stop
        self._options = deal.state.game.options
        self._order = _order_of(deal)
        self._wish = MISERE if deal.state.call == MISERE_CALL else points(self._options)
        self._steps = [state for _, state in deal.steps()]

    def result(self) -> DealReview:
        deal, state = self._deal, self._deal.state
        moments = [] if state.call == PASS else list(self._moments())
        seen = [self._seen(each.state, each.view, each.way) for each in moments]
        play_best = self._best_of(PLAY, points(self._options), moments, seen)
        misere_best = self._best_of(MISERE_CALL, MISERE, moments, seen)
        giving = self._giving()
        turns = [_turn(*each) for each in zip(moments, seen, self._fair(moments), strict=True)]
        cards = tuple(turn.played for turn in turns)
        called = misere_best if state.call == MISERE_CALL else play_best
        return DealReview(
            number=deal.number,
            player=deal.start.declarer,
            call=state.call,
            robbed=state.robbed,
            hand=self._first().hands[0],
            finished=deal.finished,
            points=None if deal.result is None else deal.result.points,
            vist=deal.gained,
            tricks=state.taken[0],
            cards=cards,
            end=None if state.call == PASS else seen[-1].value if seen and seen[-1] is not None else called,
            play_best=play_best,
            misere_best=misere_best,
            giving=giving,
            marriages=tuple(self._marriages(turns)),
            samples=self._samples,
            seed=self._seed,
        )

    # ---- cards

    def _moments(self) -> Iterator[_Moment]:
        for action, state in self._deal.steps():
            if isinstance(action, Play) and action.seat == 0:
                way = Way(action.card, suit_of(action.card) if action.marriage else None)
                ways = len(state.playable(0)) + sum(state.may_declare(card) for card in state.playable(0))
                yield _Moment(state, pile_view(view(state)), way, ways)

    def _fair(self, moments: Sequence[_Moment]) -> list[_Behind]:
        """What could be known of each moment, {} where there is no choice or no time: what is exact comes first."""
        found: list[_Behind] = [{} for _ in moments]
        order = sorted(range(len(moments)), key=lambda at: self._is_tried(moments[at]))
        with ringing(self._end_time + _GRACE, self._stop) as stop:
            for done, at in enumerate(order, 1):
                moment = moments[at]
                if self._is_tried(moment):
                    found[at] = self._trials(moment.view, len(order) - done + 1, stop)
                elif moment.ways > 1 and self._samples:
                    found[at] = self._exact(moment.view)
                if self._watch is not None:
                    self._watch(done / len(order))
        return found

    def _is_tried(self, moment: _Moment) -> bool:
        return moment.ways > 1 and self._samples > 0 and moment.view.left > EXACT

    def _exact(self, moment: PileView) -> _Behind:
        exact = expectation(moment, self._wish)  # milliseconds: no need to stop it
        return {each.way: Mean(exact.value - each.value, 0.0, 1) for each in exact.ways}

    def _trials(self, moment: PileView, left: int, stop: Stop) -> _Behind:
        """By trials, in its share of the time; `left`: moments that are still to be tried."""
        timed = self._end_time < inf
        seconds = (self._end_time - time.monotonic()) / left if timed else None
        if seconds is not None and seconds <= 0:
            return {}
        try:
            found = best_play(
                moment, self._wish, seconds=seconds, samples=None if timed else self._samples, seed=self._seed,
                threads=self._threads, stop=stop,
            )  # fmt: skip
        except Cancelled:
            if not timed or self._stop.is_set:
                raise
            return {}
        return {each.way: each.behind for each in found.ways}

    def _seen(self, state: State, moment: PileView, way: Way) -> Seen | None:
        found = self._known(state, moment, self._wish)
        if found is None:
            return None
        value = next(each.value for each in found.choices if each.way == way)
        best = next(each.way for each in found.choices if each.value == found.value)
        return Seen(way if value == found.value else best, found.value, value)

    def _known(self, state: State, moment: PileView, wish: Objective) -> KnownResult | None:
        """The piles known, from a moment on."""
        if self._order is None:
            return None
        down = [cards[len(cards) - count :] for cards, count in zip(self._order, moment.down, strict=True)]
        return solve_known(moment, down, wish, stop=self._stop)

    # ---- calls

    def _first(self) -> State:
        """The state when all is given and called."""
        return next((state for state in self._steps if state.phase == "SHUFFLE"), self._deal.state)

    def _best_of(
        self, call: str, wish: Objective, moments: Sequence[_Moment], seen: Sequence[Seen | None]
    ) -> float | None:
        """The most with the piles seen, had he called this; the piles as they lay."""
        if call == self._deal.state.call and moments and moments[0].trick == 1:
            return None if seen[0] is None else seen[0].best_value
        state = self._first()
        found = self._known(state, self._at_the_lead(state, call), wish)
        return None if found is None else found.value

    def _at_the_lead(self, state: State, call: str) -> PileView:
        seen = view(state)
        return PileView(
            hand=seen.hand,
            free=seen.unseen,
            known=(seen.known[1], seen.known[2]),
            marriages=call == PLAY,
            judge=self._judge(call),
        )

    def _judge(self, call: str) -> Judge:
        options = self._options
        return Judge(
            str(options["joker_resolution"]),
            str(options["joker_lead_suit"]),
            bool(options["joker_free"]),
            call == MISERE_CALL and options["misere_jokers"] == "low",
        )

    def _giving(self) -> GivingReview | None:
        call = self._deal.state.call
        if call == PASS or not self._samples:
            return None
        now = time.monotonic()
        with ringing(now + max(_GIVING * (self._end_time - now), 0.0), self._stop) as stop:
            found = self._given(stop)
        return found

    def _given(self, stop: Stop) -> GivingReview | None:
        """The giving and the best that is found; None where there is no time."""
        state = next(state for state in self._steps if state.phase == "GIVE")
        before, given, call = view(state), self._deal.state.given[1:], self._deal.state.call
        known = before.known[1], before.known[2]
        judge, declares = self._judge(call), call == PLAY

        def best(cards: int) -> Giving:
            return quick_giving(
                state.hands[0], self._wish, known=known, judge=judge, marriages=declares, seed=self._seed, cards=cards,
                threads=self._threads, stop=stop,
            )  # fmt: skip

        try:
            value = given_value(
                state.hands[0], given, self._wish, known=known, judge=judge, marriages=declares, seed=self._seed,
                stop=stop,
            )  # fmt: skip
            return GivingReview(given, value, self._best_giving(best))
        except Cancelled:
            if stop is self._stop or self._stop.is_set:
                raise
            return None

    def _best_giving(self, best: Callable[[int], Giving]) -> Giving:
        """With a limit of time among few cards first, then among many if that should not take too long."""
        if self._end_time == inf:
            return best(MANY)
        begun = time.monotonic()
        found = best(FEW)
        now = time.monotonic()
        if _MORE * (now - begun) > _GIVING * (self._end_time - now):
            return found
        try:
            return best(MANY)
        except Cancelled:
            if self._stop.is_set:
                raise
            return found

    # ---- marriages

    def _marriages(self, turns: list[_Turn]) -> Iterator[MarriageReview]:
        state = self._deal.state
        if state.call != PLAY:
            return
        kept: Mask = self._first().hands[0]
        held = kept | state.given[1] | state.given[2]
        declared = {
            trick.marriage: number for number, trick in enumerate(state.tricks, 1) if trick.marriage is not None
        }
        if state.declared is not None:
            declared[state.declared] = len(state.tricks) + 1
        for suit in SUITS:
            if suit in marriages(kept):
                chances = [turn for turn in turns if turn.trick > 1 and _may_declare(turn.view, suit)]
                at = declared.get(suit)
                missed = None if at is not None else _missed(chances, suit)
                yield MarriageReview(suit, at, tuple(turn.trick for turn in chances), missed=missed)
            elif suit in marriages(held):
                yield MarriageReview(suit, None, (), given_away=True)


def _turn(moment: _Moment, seen: Seen | None, fair: _Behind) -> _Turn:
    judged = None
    if fair:
        mean = fair[moment.way]
        best = moment.way if mean.value <= LEAST else min(fair, key=lambda each: fair[each].value)
        judged = Fair(best, mean.value, mean.error, moment.view.left <= EXACT, mean.samples)
    played = Played(moment.trick, moment.state.leader, moment.way, moment.ways, seen, judged)
    return _Turn(moment.trick, moment.view, played, fair)


def _may_declare(moment: PileView, suit: int) -> bool:
    return moment.leader == 0 and suit in marriages(moment.hand)


def _missed(chances: list[_Turn], suit: int) -> tuple[int, Mean] | None:
    """Where king or queen was led without declaring, and declaring with that card was clearly ahead."""
    for turn in chances:
        own = turn.played.way
        declaring = turn.fair.get(Way(own.card, suit))
        if declaring is not None and own.suit is None:
            gain = _less(turn.fair[own], declaring)
            clear = gain.error is not None and gain.value > max(LEAST, CLEAR * gain.error)
            return (turn.trick, gain) if clear else None
    return None


def _less(one: Mean, other: Mean) -> Mean:
    """How far a way is behind another, both from how far they are behind the best; its error is no more than told."""
    if one.error is None or other.error is None:
        return Mean(one.value - other.value, None, min(one.samples, other.samples))
    return Mean(one.value - other.value, one.error + other.error, min(one.samples, other.samples))


def _order_of(deal: ReplayedDeal) -> _Order | None:
    """The order in which both piles lay, top first; None where nobody told it and it was not seen to its end."""
    state = deal.state
    if state.piles is not None:
        return state.piles[1], state.piles[2]
    if not deal.finished:
        return None
    one, two = ([trick.cards[(seat - trick.leader) % 3] for trick in state.tricks] for seat in (1, 2))
    return tuple(one), tuple(two)
