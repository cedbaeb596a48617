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
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tierce.solver.cards import SUITS, Card, Mask
from tierce.solver.checks import check_whole
from tierce.solver.errors import InputError
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
from tierce.solver.piles.quick_giving import given_value, quick_giving
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
from tierce.solver.piles.trials import best_play
from tierce.solver.piles.view import Judge, PileView, pile_view

__all__ = ["EXACT", "SAMPLES", "review_deal", "reviewable"]

SAMPLES: Final = 400
EXACT: Final = 5  # cards in hand from which on expectations are exact
_TURNS: Final = 18

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
    seconds   in place of samples: time for all choices of the deal
    watch     is told the share of the cards that are judged

    InputError (field "deal") for a deal that is not `reviewable`; Cancelled if stopped.
    """
    if not reviewable(deal):
        raise InputError("not_due", "expected a deal with its cards that came to its call, found none", field="deal")
    check_whole(samples, 0, 1 << 20, f"0 to {1 << 20} samples", "samples")
    return _Review(deal, samples, seconds, seed, threads, watch, stop or Stop()).result()


@dataclass(frozen=True, slots=True)
class _Turn:
    """A card of the declarer, the moment before it, and what was found about the ways he had."""

    trick: int
    view: PileView
    played: Played
    fair: dict[Way, Mean]  # how far each way is behind the best, by what could be known


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
        self._samples, self._seconds, self._seed = samples, seconds, seed
        self._threads, self._watch, self._stop = threads, watch, stop
        self._options = deal.state.game.options
        self._order = _order_of(deal)
        self._wish = MISERE if deal.state.call == MISERE_CALL else points(self._options)
        self._steps = [state for _, state in deal.steps()]

    def result(self) -> DealReview:
        deal, state = self._deal, self._deal.state
        turns = [] if state.call == PASS else list(self._turns())
        cards = tuple(turn.played for turn in turns)
        return DealReview(
            number=deal.number,
            player=deal.start.declarer,
            call=state.call,
            robbed=state.robbed,
            hand=self._first().hands[0],
            finished=deal.finished,
            points=None if deal.result is None else deal.result.points,
            tricks=state.taken[0],
            cards=cards,
            end=self._end(cards),
            play_best=self._best_of(PLAY, points(self._options)),
            misere_best=self._best_of(MISERE_CALL, MISERE),
            giving=self._giving(),
            marriages=tuple(self._marriages(turns)),
            samples=self._samples,
            seed=self._seed,
        )

    # ---- cards

    def _turns(self) -> Iterator[_Turn]:
        for action, state in self._deal.steps():
            if isinstance(action, Play) and action.seat == 0:
                way = Way(action.card, suit_of(action.card) if action.marriage else None)
                yield self._turn(state, way)
                if self._watch is not None:
                    self._watch(len(state.tricks) / _TURNS)

    def _turn(self, state: State, way: Way) -> _Turn:
        moment = pile_view(view(state))
        ways = len(state.playable(0)) + sum(state.may_declare(card) for card in state.playable(0))
        fair = self._fair(moment) if ways > 1 and self._samples else {}
        trick = len(state.tricks) + 1
        judged = None
        if fair:
            mean = fair[way]
            best = way if mean.value <= LEAST else min(fair, key=lambda each: fair[each].value)
            judged = Fair(best, mean.value, mean.error, moment.left <= EXACT)
        return _Turn(
            trick, moment, Played(trick, state.leader, way, ways, self._seen(state, moment, way), judged), fair
        )

    def _fair(self, moment: PileView) -> dict[Way, Mean]:
        """How far each way is behind the best; exactly once few cards are left."""
        if moment.left <= EXACT:
            exact = expectation(moment, self._wish)  # milliseconds: no need to stop it
            return {each.way: Mean(exact.value - each.value, 0.0, 1) for each in exact.ways}
        timed = self._seconds is not None
        found = best_play(
            moment,
            self._wish,
            seconds=self._seconds / _TURNS if self._seconds is not None else None,
            samples=None if timed else self._samples,
            seed=self._seed,
            threads=self._threads,
            stop=self._stop,
        )
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

    def _end(self, cards: tuple[Played, ...]) -> float | None:
        """What is reached in the end, or could still be."""
        if self._order is None or self._deal.state.call == PASS:
            return None
        last = cards[-1].seen if cards else None
        return last.value if last is not None else self._best_of(self._deal.state.call, self._wish)

    # ---- calls

    def _first(self) -> State:
        """The state when all is given and called."""
        return next((state for state in self._steps if state.phase == "SHUFFLE"), self._deal.state)

    def _best_of(self, call: str, wish: Objective) -> float | None:
        """The most with the piles seen, had he called this; the piles as they lay."""
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
        state = next(state for state in self._steps if state.phase == "GIVE")
        before, given = view(state), self._deal.state.given
        known = before.known[1], before.known[2]
        judge, declares = self._judge(call), call == PLAY
        best = quick_giving(
            state.hands[0], self._wish, known=known, judge=judge, marriages=declares, seed=self._seed,
            threads=self._threads, stop=self._stop,
        )  # fmt: skip
        value = given_value(
            state.hands[0], given[1:], self._wish, known=known, judge=judge, marriages=declares, seed=self._seed,
            stop=self._stop,
        )  # fmt: skip
        return GivingReview(given[1:], value, best)

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
