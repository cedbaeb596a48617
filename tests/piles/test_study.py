"""Studies of a hand: figures against plain simulation, sums, the same whatever the threads, refusals."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from tests.games.sumgait.support import mask
from tests.piles.plain import Thumb
from tierce.solver.cards import mask_of
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.sumgait import ALL54, random_deal, sumgait
from tierce.solver.games.sumgait.cards import cards_of, parse_hand, suit_mask
from tierce.solver.games.sumgait.prices import PLAY, score
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.piles import (
    POINTS,
    TRICKS,
    PileView,
    Stop,
    bounds,
    play_out,
    play_well,
    policy_for,
    random_piles,
    solve_known,
)
from tierce.solver.piles.chances import split, stands
from tierce.solver.piles.quick_giving import given_value, quick_giving, view_after
from tierce.solver.piles.study import study_hand
from tierce.solver.piles.study_results import HandStudy, bins

HAND = parse_hand("AQT98.T763.KJ543.KJ8.J1")
DEAL = random_deal(3)
LARGE = DEAL.hands[0] | DEAL.kitty
FAST: dict[str, Any] = {"samples": 8, "exact": 3}


@pytest.fixture(scope="module")
def study() -> HandStudy:
    return study_hand(HAND, deals=16, seed=5, **FAST)


def test_the_deals_are_those_of_the_policy(study: HandStudy) -> None:
    """The figures are those of the same orders played one by one, and counted plainly."""
    view = PileView(hand=HAND, free=ALL54 & ~HAND)
    ends = play_well(view, POINTS, count=16, seed=5, **FAST)
    assert study.ends == ends
    tricks = [end[0] for end in ends.ends]
    assert study.mean_tricks.value == pytest.approx(sum(tricks) / 16)
    error = (sum((each - sum(tricks) / 16) ** 2 for each in tricks) / 15 / 16) ** 0.5
    assert study.mean_tricks.error == pytest.approx(error)
    assert study.tricks == Counter(tricks)
    worth = [score(PLAY, [suit for suit in range(4) if end[1] >> suit & 1], (end[0], 0, 0)).game for end in ends.ends]
    assert study.points == Counter(worth)
    assert study.mean_points.value == pytest.approx(sum(worth) / 16)
    assert study.made == sum(each >= 10 for each in tricks)
    assert study.thumb == play_out(view, POINTS, count=16, seed=5)


def test_rules_of_thumb_against_a_plain_player() -> None:
    """Tricks of a hand without a marriage, played with fractions in the same orders by the test's own player."""
    view = PileView(hand=HAND, free=ALL54 & ~HAND)
    found = study_hand(HAND, wish="tricks", deals=3, seed=9, **FAST)
    plain = [Thumb(view, policy_for(TRICKS)).play(piles) for piles in random_piles(view, 3, seed=9)]
    assert [end[0] for end in found.thumb.ends] == plain


def test_many_orders_come_near_the_exact_chances() -> None:
    """In two thousand orders every share is within four standard errors: another law of the orders would show."""
    known = (mask("S7 SK"), mask("D7 J2"))
    view = PileView(hand=HAND, free=ALL54 & ~HAND & ~known[0] & ~known[1], known=known)
    orders = random_piles(view, 2000, seed=3)
    for card in (mask("SA"), mask("HT"), mask("J1")):
        led = card.bit_length() - 1
        part = float(stands(view, led))
        hits = sum(trick_winner((led, one[0], two[0]), 4) == 0 for one, two in orders)
        assert abs(hits / 2000 - part) <= 4 * (part * (1 - part) / 2000) ** 0.5
    for here, exact in split(view, 0).items():
        part = float(exact)
        hits = sum((mask_of(one) & suit_mask(0)).bit_count() == here for one, _ in orders)
        assert abs(hits / 2000 - part) <= 4 * (part * (1 - part) / 2000) ** 0.5


def test_sums(study: HandStudy) -> None:
    assert sum(study.tricks.values()) == sum(study.points.values()) == study.deals == 16
    rows = bins(study.points)
    assert sum(each.deals for each in rows) == 16
    assert all(one.high == other.low for one, other in pairwise(rows))
    assert study.ten.value == pytest.approx(study.made / 16)


def test_bins() -> None:
    rows = bins({-20: 1, -1: 2, 0: 3, 19: 4, 20: 5, 140: 6})
    found = {(each.low, each.high): each.deals for each in rows}
    assert {key: deals for key, deals in found.items() if deals} == {
        (-20, 0): 3, (0, 20): 7, (20, 40): 5, (140, 160): 6,
    }  # fmt: skip
    assert len(bins({-4000: 1, 3000: 1})) <= 14
    assert [(each.low, each.high, each.deals) for each in bins({60: 7})] == [(60, 70, 7)]


def test_the_bounds_are_those_of_bounds(study: HandStudy) -> None:
    view = PileView(hand=HAND, free=ALL54 & ~HAND)
    expected = bounds(view, POINTS, count=16, seed=5, **FAST)
    of_points, of_tricks, of_ten = study.bounds
    assert (of_points.objective, of_tricks.objective, of_ten.objective) == ("points", "tricks", "ten")
    assert of_points.penalised is not None
    assert of_points.made == expected.made
    assert of_points.penalised.value == pytest.approx(expected.penalised.value)
    assert of_points.clairvoyant.value == pytest.approx(expected.clairvoyant.value, abs=1e-3)
    assert of_points.gap.value == pytest.approx(expected.gap.value)
    seen = [solve_known(view, piles, TRICKS).value for piles in random_piles(view, 16, seed=5)]
    assert of_tricks.clairvoyant.value == pytest.approx(sum(seen) / 16)
    assert of_ten.penalised is None
    assert of_ten.made.value == pytest.approx(study.made / 16)
    assert of_ten.gap.value == pytest.approx(of_ten.clairvoyant.value - of_ten.made.value)


def test_chances_are_seen_in_the_same_orders(study: HandStudy) -> None:
    view = PileView(hand=HAND, free=ALL54 & ~HAND)
    orders = random_piles(view, 16, seed=5)
    for led in study.led:
        assert led.seen == sum(trick_winner((led.card, one[0], two[0]), 4) == 0 for one, two in orders)
    sevens = next(each for each in study.chances if each.name == "sevens_together")
    three = mask("S7 D7 C7")
    assert sevens.seen == sum((mask_of(one) & three) in (0, three) for one, _ in orders)
    splits = [each for each in study.chances if each.name.startswith("split")]
    assert sum(each.part for each in splits) == 1
    assert sum(each.seen for each in splits) == 16


def test_known_cards_count() -> None:
    """Sevens that are known to lie apart cannot lie together; a whole pile that is known leaves nothing to chance."""
    apart = study_hand(HAND, known=(mask("S7"), mask("D7")), deals=2, **FAST)
    assert next(each.part for each in apart.chances if each.name == "sevens_together") == 0
    rest = cards_of(ALL54 & ~HAND)
    whole = study_hand(HAND, known=(mask_of(rest[:18]), 0), deals=2, **FAST)
    assert [each.part for each in whole.chances if each.name.startswith("split")] == [Fraction(1)]


@pytest.mark.parametrize("hand", [HAND, DEAL.hands[0], LARGE], ids=["18", "16", "22"])
def test_threads_change_nothing(hand: int) -> None:
    one, two = (study_hand(hand, deals=2, seed=7, threads=threads, **FAST) for threads in (1, 2))
    assert one.json() == two.json()
    assert one.json() != study_hand(hand, deals=2, seed=8, **FAST).json()


def test_of_sixteen_cards_each_deal_has_its_kitty() -> None:
    found = study_hand(DEAL.hands[0], deals=4, seed=2, **FAST)
    assert (found.cards, found.deals, found.giving, found.led) == (16, 4, None, ())
    assert {each.of for each in found.chances} == {4}
    assert {each.name for each in found.chances} == {"kitty_marriage_S", "kitty_marriage_D", "kitty_marriage"}


def test_giving() -> None:
    """What is chosen is four cards of the hand, no worse than giving away the best ones, and valued as told."""
    found = quick_giving(LARGE, seed=3, cards=6)
    given = found.next | found.other
    assert (found.next.bit_count(), found.other.bit_count(), given & ~LARGE) == (2, 2, 0)
    assert found.tried == 15
    assert given_value(LARGE, (found.next, found.other), seed=3) == found.mean
    foolish = given_value(LARGE, (mask("J1 J2"), mask("SA SQ")), seed=3)
    assert foolish.value < found.mean.value - 20
    view = view_after(LARGE, (found.next, found.other))
    assert view.known == (found.next, found.other)
    assert view.hand == LARGE & ~given
    study = study_hand(LARGE, deals=2, seed=3, **FAST)
    assert study.giving is not None
    assert study.giving.tried == 1001


def test_after_a_robbery_what_was_let_go_stays_known() -> None:
    let_go = mask_of(cards_of(ALL54 & ~LARGE)[:16])
    found = quick_giving(LARGE, known=(0, let_go), cards=5)
    assert view_after(LARGE, (found.next, found.other), known=(0, let_go)).known == (found.next, let_go | found.other)


def test_options_count() -> None:
    """J2 beats the ace, but where a seven makes it powerless the ace stands."""
    for procedure, lost in (("sequential", 2 * 35), ("kill", 2 * 32)):
        options = sumgait({"joker_resolution": procedure}).options
        ace = study_hand(HAND, options=options, deals=2, **FAST).led[0]
        assert ace.stands == 1 - Fraction(lost, 36 * 35)


def test_json(study: HandStudy) -> None:
    tree = json.loads(json.dumps(study.json()))
    assert sum(tree["tricks"]["counts"].values()) == tree["deals"] == 16
    assert set(tree["bounds"]) == {"points", "tricks", "ten"}
    assert tree["led"][0]["stands"]["fraction"] == [17, 18]
    assert tree["ten"]["made"] == study.made
    of_ten = tree["bounds"]["ten"]
    for name in ("value", "low", "high"):
        assert of_ten["made"][name] == tree["ten"][name], "one chance has one interval"
    assert of_ten["penalised"] is None
    assert of_ten["clairvoyant"]["low"] < of_ten["clairvoyant"]["value"] == of_ten["clairvoyant"]["high"] == 1
    assert 0 <= of_ten["gap"]["low"] <= of_ten["gap"]["value"] < of_ten["gap"]["high"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"hand": HAND & ~1 << 70 | HAND >> 1 << 1 & ~(1 << 12)}, "hand"),
        ({"hand": 0}, "hand"),
        ({"hand": HAND | 1 << 15}, "hand"),
        ({"known": (HAND & -HAND, 0)}, "known"),
        ({"known": (1 << 0, 1 << 0)}, "known"),
        ({"known": (ALL54 & ~HAND, 0)}, "known"),
        ({"hand": DEAL.hands[0], "known": (DEAL.kitty, 0)}, "known"),
        ({"wish": "vist"}, "by"),
        ({"deals": 0}, "deals"),
        ({"samples": 0}, "samples"),
        ({"seed": -1}, "seed"),
    ],
)
def test_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        study_hand(**({"hand": HAND, "deals": 2, **FAST} | given))
    assert caught.value.field == field


def test_giving_refused() -> None:
    with pytest.raises(InputError, match="22 cards"):
        quick_giving(HAND)
    with pytest.raises(InputError, match="may be given"):
        quick_giving(LARGE, cards=3)


def test_stopped() -> None:
    stop = Stop()
    stop.set()
    for hand in (HAND, DEAL.hands[0], LARGE):
        with pytest.raises(Cancelled):
            study_hand(hand, deals=2, stop=stop, **FAST)


def test_progress_is_told() -> None:
    told: list[tuple[float, str]] = []
    study_hand(HAND, deals=2, watch=lambda share, said: told.append((share, said)), **FAST)
    parts = [share for share, _ in told]
    assert parts == sorted(parts)
    assert 0 <= parts[0] <= parts[-1] < 1


def test_a_card_known_twice_is_told_with_both_places() -> None:
    for known, message in (
        ((parse_hand("A..."), 0), "SA twice, in the hand and in the next player's pile"),
        ((parse_hand("2..."), parse_hand("2...")), "S2 twice, in the next player's pile and in the other's pile"),
    ):
        with pytest.raises(InputError, match=f"expected each card once, found {message}"):
            study_hand(HAND, known=known, deals=2)
