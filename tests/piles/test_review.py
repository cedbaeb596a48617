"""Reviews: accounts that add up, endings against everything tried, expectations said plainly, what is not judged."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tests.games.sumgait.support import chosen, mask, record_by_lot
from tests.piles.plain import Expectation, all_ends
from tierce.solver.cards import mask_of
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games import read_any
from tierce.solver.games.options import Value
from tierce.solver.games.sumgait import (
    PASS,
    PLAY,
    Call,
    DealCards,
    Dealt,
    Give,
    Play,
    Record,
    ReplayedDeal,
    Rob,
    State,
    apply,
    automatic,
    legal,
    new_match,
    record_of,
    replay,
    shuffle_by_lot,
    sumgait,
    view,
)
from tierce.solver.games.sumgait.cards import ALL54, cards_of
from tierce.solver.piles import MISERE, Stop, Way, best_play, pile_view, points, review, solve_known
from tierce.solver.piles.quick_giving import FEW, MANY, Giving, given_value, quick_giving
from tierce.solver.piles.results import Mean, PlayResult
from tierce.solver.piles.review import EXACT, review_deal, reviewable
from tierce.solver.piles.review_results import DealReview, Fair, GivingReview
from tierce.solver.piles.ringing import ringing
from tierce.solver.report.sumgait_review import remarks

GOLDEN = Path(__file__).parents[1] / "games" / "sumgait" / "golden"


def golden(name: str) -> list[ReplayedDeal]:
    records = read_any(GOLDEN / name)
    return [deal for record in records if isinstance(record, Record) for deal in replay(record).deals]


@cache
def by_lot(count: int, call: str | None = None) -> tuple[ReplayedDeal, ...]:
    """Deals played by lot, under all sorts of options."""
    options: tuple[dict[str, Value], ...] = (
        {}, {"joker_resolution": "kill"}, {"joker_resolution": "seven_wins", "fail_price": "last"},
        {"misere_jokers": "low", "joker_lead_suit": "next"}, {"joker_free": False, "marriage_on_fail": "kept"},
    )  # fmt: skip
    found: list[ReplayedDeal] = []
    for seed in range(1000):
        record = record_by_lot(seed, options[seed % len(options)], told=0.0)
        assert record is not None
        found += [deal for deal in replay(record).deals if deal.finished and call in (None, deal.state.call)]
        if len(found) >= count:
            return tuple(found[:count])
    raise AssertionError


def moments(deal: ReplayedDeal) -> Iterator[tuple[State, Play]]:
    for action, state in deal.steps():
        if isinstance(action, Play) and action.seat == 0:
            yield state, action


def order(deal: ReplayedDeal) -> list[list[int]]:
    """The piles as they were turned, top first."""
    return [[trick.cards[(seat - trick.leader) % 3] for trick in deal.state.tricks] for seat in (1, 2)]


# ---- in hindsight ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [PLAY, "misere"])
def test_accounts_add_up(call: str) -> None:
    """The best at the first lead, less the losses, is what was scored; each card begins where the last one ended."""
    for deal in by_lot(8, call):
        found = review_deal(deal, samples=0)
        assert deal.result is not None
        assert found.points == found.end == deal.result.points
        assert found.start == found.points + found.lost == (found.play_best if call == PLAY else found.misere_best)
        assert len(found.cards) == 18
        seen = [each.seen for each in found.cards if each.seen is not None]
        assert len(seen) == 18
        assert all(each.loss >= 0 for each in seen)
        assert all(one.value == other.best_value for one, other in pairwise(seen))


def test_endings_against_everything_tried() -> None:
    for deal in by_lot(6, PLAY):
        found = review_deal(deal, samples=0)
        wish = points(deal.state.game.options)
        piles = order(deal)
        for (state, action), card in zip(moments(deal), found.cards, strict=True):
            moment = pile_view(view(state))
            if moment.left > 5:
                continue
            down = [cards[18 - count :] for cards, count in zip(piles, moment.down, strict=True)]
            assert card.seen is not None
            assert card.seen.best_value == max(wish.of(*end) for end in all_ends(moment, down))
            assert card.way == Way(action.card, action.card >> 4 if action.marriage else None)


def test_the_best_way_named_reaches_the_best() -> None:
    for deal in by_lot(4, PLAY):
        wish, piles = points(deal.state.game.options), order(deal)
        for (state, _), card in zip(moments(deal), review_deal(deal, samples=0).cards, strict=True):
            moment = pile_view(view(state))
            down = [cards[18 - count :] for cards, count in zip(piles, moment.down, strict=True)]
            ways = {each.way: each.value for each in solve_known(moment, down, wish).choices}
            assert card.seen is not None
            assert ways[card.seen.best] == card.seen.best_value == max(ways.values())
            assert ways[card.way] == card.seen.value
            assert (card.seen.best == card.way) == (card.seen.loss == 0)
            assert card.ways == len(ways)


def test_calls_in_hindsight() -> None:
    """In PASS, too, the two piles tell what playing and MISERE would have brought."""
    for deal in by_lot(3, PASS):
        found = review_deal(deal, samples=5)
        state = next(state for _, state in deal.steps() if state.phase == "SHUFFLE")
        known = view(state)
        moment = replace(
            pile_view(replace(known, phase="PLAY", call=PLAY, playable=())), marriages=True, leader=0, table=()
        )
        piles = order(deal)
        assert found.play_best == solve_known(moment, piles, points(deal.state.game.options)).value
        assert (found.cards, found.start, found.giving) == ((), None, None)
        assert found.not_judged == ("robbery", "giving")


# ---- by what could be known ------------------------------------------------------------------------------------------


def test_expectations_of_the_last_cards_are_exact() -> None:
    for deal in by_lot(2, PLAY)[1:]:
        found = review_deal(deal, samples=1)
        wish = points(deal.state.game.options)
        for (state, _), card in zip(moments(deal), found.cards, strict=True):
            moment = pile_view(view(state))
            if card.fair is None or moment.left > 3:
                continue
            values = {Way(*way): value for way, value in Expectation(moment, wish).by_way()}
            assert card.fair.exact
            assert card.fair.loss == pytest.approx(max(values.values()) - values[card.way], abs=1e-6)
            assert values[card.fair.best] == pytest.approx(max(values.values()))


def test_judged_where_there_was_a_choice() -> None:
    (deal,) = by_lot(1, PLAY)
    found = review_deal(deal, samples=40)
    for card in found.cards:
        assert (card.fair is None) == (card.ways == 1)
        if card.fair is not None:
            assert card.fair.loss >= 0
            assert (card.fair.best == card.way) == (card.fair.loss <= 1e-6)
    assert found.clearly_lost == sum(each.fair.loss for each in found.cards if each.fair and each.fair.clear)
    assert all(each.fair is None for each in review_deal(deal, samples=0).cards)


def test_what_is_clear() -> None:
    way = Way(0)
    assert Fair(way, 5.0, 2.0, False, 99).clear
    assert Fair(way, 0.1, 0.0, True, 99).clear
    assert not Fair(way, 3.0, 2.0, False, 99).clear
    assert not Fair(way, 0.0, 0.0, True, 99).clear
    assert not Fair(way, 5.0, None, False, 99).clear


def lowest(state: State) -> Play:
    """Never declares, and leads its lowest card."""
    return min((each for each in legal(state)[0].choices if isinstance(each, Play)), key=lambda each: (
        each.marriage, each.card % 16, each.card
    ))  # fmt: skip


@cache
def shy() -> ReplayedDeal:
    """A deal with two marriages and every high card, played by one who declares nothing."""
    hand = mask("SA SK SQ SJ ST HA HK HQ HJ HT DA DK DJ J1 J2 CA")
    rest = cards_of(ALL54 & ~hand)
    dealt = Dealt((hand, mask_of(rest[:16]), mask_of(rest[16:32])), mask_of(rest[32:]))
    state = apply(apply(new_match(sumgait()), DealCards(dealt)), Rob(None))
    state = apply(state, automatic(state) or Rob(None))
    low = sorted(cards_of(state.hands[0]), key=lambda card: (card % 16, card))
    state = apply(apply(state, Give(mask_of(low[:2]), mask_of(low[2:4]))), Call(PLAY))
    state = apply(state, shuffle_by_lot(state, 5))
    while state.phase == "PLAY":
        state = apply(state, automatic(state) or lowest(state))
    return replay(record_of(state)).deals[0]


def test_marriages_that_were_missed() -> None:
    found = review_deal(shy(), samples=60)
    by_suit = {each.suit: each for each in found.marriages}
    assert set(by_suit) == {0, 1}
    for each in found.marriages:
        assert each.declared is None
        for trick in each.chances:
            state = next(state for state, _ in moments(shy()) if len(state.tricks) + 1 == trick)
            assert state.leader == 0
            assert state.may_declare(16 * each.suit + 11)
    assert {each.suit: each.missed and each.missed[0] for each in found.marriages} == {0: 8, 1: 9}
    for each in found.marriages:  # the tricks in which he led the queens, and declared nothing
        assert found.cards[each.missed[0] - 1].way == Way(16 * each.suit + 10) if each.missed else False
        assert each.missed
        assert each.missed[1].error
        assert each.missed[1].value > 100


def test_marriages_that_were_declared_or_given_away() -> None:
    first = review_deal(golden("deals.jsonl")[0], samples=0)
    assert [(each.suit, each.declared, each.chances) for each in first.marriages] == [
        (0, None, ()), (1, 3, (3,)), (2, 4, (3, 4)),
    ]  # fmt: skip
    (given,) = review_deal(golden("later.json")[0], samples=0).marriages
    assert (given.suit, given.given_away, given.chances) == (1, True, ())


def test_giving() -> None:
    """Aces and a king given away cost much; what is best by the same rules of thumb costs nothing."""
    found = review_deal(golden("later.json")[0], samples=1).giving
    assert found is not None
    assert found.given == (mask("CA C2"), mask("HK CT"))
    assert found.clear
    assert found.loss > 50
    same = GivingReview(found.given, Mean(10.0, 1.0, 9), Giving(*found.given, Mean(11.0, 1.0, 9), 1))
    assert same.error == pytest.approx(2**0.5)
    assert (same.loss, same.clear) == (1.0, False)


def test_giving_after_a_robbery_counts_what_was_let_go() -> None:
    deal = golden("deals.jsonl")[0]
    state, action = next((state, action) for action, state in deal.steps() if isinstance(action, Give))
    assert state.robbed == 2
    assert state.dealt is not None
    known = (0, state.dealt.hands[0])
    found = review_deal(deal, samples=1).giving
    assert found is not None
    assert found.value == given_value(state.hands[0], (action.next, action.other), known=known)
    assert found.value != given_value(state.hands[0], (action.next, action.other))
    assert (found.best.next | found.best.other) & ~state.hands[0] == 0


# ---- records ---------------------------------------------------------------------------------------------------------


def test_golden_records() -> None:
    first, second, third = (review_deal(deal, samples=0) for deal in golden("deals.jsonl"))
    assert (first.start, first.lost, first.end, first.misere_best) == (720, 430, 290, -300)
    assert first.robbed == golden("deals.jsonl")[0].state.robbed is not None
    assert (second.call, second.play_best, second.misere_best) == (PASS, 120, 300)
    assert (third.start, third.lost, third.end, third.play_best) == (-300, 0, -300, 320)
    assert MISERE.of(third.tricks) == third.end


def unfinished(*, told: bool) -> ReplayedDeal:
    """A deal of which ten tricks are recorded, with the piles' order or without."""
    state = next(state for _, state in by_lot(1, PLAY)[0].steps() if len(state.tricks) == 10)
    return replay(record_of(state if told else replace(state, piles=None))).deals[0]


def test_without_the_order_there_is_no_hindsight() -> None:
    deal = unfinished(told=False)
    assert deal.state.piles is None
    found = review_deal(deal, samples=20)
    assert (found.finished, found.points, found.start, found.end, found.play_best) == (False, None, None, None, None)
    assert all(each.seen is None for each in found.cards)
    assert any(each.fair is not None for each in found.cards)
    assert found.not_judged == ("robbery", "pass", "hindsight")


def test_an_unfinished_deal_ends_where_it_still_can() -> None:
    rng = random.Random(3)
    state = apply(apply(new_match(sumgait()), DealCards(shy().state.dealt or Dealt((0, 0, 0), 0))), Rob(None))
    while state.phase != "PLAY" or len(state.tricks) < 6:
        state = apply(state, shuffle_by_lot(state, 2) if state.phase == "SHUFFLE" else chosen(state, rng, 0.0))
        if state.phase == "CALL":
            state = apply(state, Call(PLAY))
    deal = replay(record_of(state)).deals[0]
    found = review_deal(deal, samples=0)
    assert not deal.finished
    assert found.start is not None
    assert found.end is not None
    assert found.start - found.lost == found.end
    assert found.start == found.play_best
    nothing = review_deal(replay(record_of(next(s for s, _ in moments(deal)))).deals[0], samples=0)
    assert (nothing.cards, nothing.end) == ((), found.start)


def test_json_and_threads() -> None:
    deal = by_lot(1, PLAY)[0]
    one, two = (review_deal(deal, samples=5, threads=threads) for threads in (1, 2))
    assert one == two
    tree = json.loads(json.dumps(one.json()))
    hindsight = tree["hindsight"]
    assert hindsight["start"] - sum(card["hindsight"]["loss"] for card in tree["cards"]) == hindsight["end"]
    assert hindsight["end"] == tree["points"]
    assert tree["calls"]["play"] == hindsight["start"]


# ---- a limit of time -------------------------------------------------------------------------------------------------


def test_with_no_time_what_is_exact_is_judged() -> None:
    deal = by_lot(1, PLAY)[0]
    found, whole = review_deal(deal, seconds=1e-9), review_deal(deal, samples=0)
    assert [each.seen for each in found.cards] == [each.seen for each in whole.cards]
    assert (found.start, found.end, found.play_best) == (whole.start, whole.end, whole.play_best)
    assert [each.trick for each in found.cards if each.fair] == [
        each.trick for each in found.cards if each.ways > 1 and each.trick > 18 - EXACT
    ]
    assert found.not_judged == ("robbery", "pass", "giving", "cards")
    assert "some cards by what could be known" in list(remarks(found))[-1]


def test_time_is_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each card has an equal share of what is left, and many cards that may be given are tried where there is time."""
    shares, cards = [], []

    def tried(*words: Any, seconds: float, **named: Any) -> PlayResult:
        shares.append(seconds)
        return best_play(*words, **named | {"samples": 2})

    def given(*words: Any, **named: Any) -> Giving:
        cards.append(named["cards"])
        return quick_giving(*words, **named)

    monkeypatch.setattr(review, "best_play", tried)
    monkeypatch.setattr(review, "quick_giving", given)
    found = review_deal(by_lot(1, PLAY)[0], seconds=1000.0)
    assert cards == [FEW, MANY]
    assert found.not_judged == ("robbery", "pass")
    count = sum(each.fair is not None and not each.fair.exact for each in found.cards)
    assert len(shares) == count
    assert all(500 < share * left <= 1000 for share, left in zip(shares, range(count, 0, -1), strict=True))


def test_what_does_not_look_at_the_clock_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of the time it is left out; where the caller stops it, the review ends."""
    asked = Stop()

    def endless(*_: object, stop: Stop, **__: object) -> PlayResult:
        if ends:
            asked.set()
        while not stop.is_set:
            threading.Event().wait(0.001)
        raise Cancelled()

    monkeypatch.setattr(review, "best_play", endless)
    ends = False
    found = review_deal(by_lot(1, PLAY)[0], seconds=0.3, stop=asked)
    assert "cards" in found.not_judged
    ends = True
    with pytest.raises(Cancelled):
        review_deal(by_lot(1, PLAY)[0], seconds=1000.0, stop=asked)


def test_flags_ring() -> None:
    asked = Stop()
    with ringing(inf, asked) as flag:
        assert flag is asked
    with ringing(0.0, asked) as flag:
        assert flag.is_set
    with ringing(time.monotonic() + 0.01, asked) as flag:
        heard(flag)
    with ringing(time.monotonic() + 1000, asked) as flag:
        assert not flag.is_set
    assert not flag.is_set
    assert not asked.is_set
    with ringing(time.monotonic() + 1000, asked) as flag:
        asked.set()
        heard(flag)


def heard(flag: Stop) -> None:
    while not flag.is_set:
        threading.Event().wait(0.001)


def test_refused_and_stopped() -> None:
    states = [state for state, _ in moments(by_lot(1, PLAY)[0])]
    dealt = states[0].dealt
    assert dealt is not None
    early = replay(record_of(apply(new_match(sumgait()), DealCards(dealt)))).deals[0]
    told = next(deal for deal in golden("match.json") if deal.state.dealt is None)
    for deal in (early, told):
        assert not reviewable(deal)
        with pytest.raises(InputError, match="came to its call"):
            review_deal(deal)
    with pytest.raises(InputError, match="samples"):
        review_deal(by_lot(1, PLAY)[0], samples=-1)
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        review_deal(by_lot(1, PLAY)[0], stop=stop)


def test_the_watch_is_told() -> None:
    told: list[float] = []
    found: DealReview = review_deal(by_lot(1, PLAY)[0], samples=0, watch=told.append)
    assert len(told) == len(found.cards)
    assert told == sorted(told)
