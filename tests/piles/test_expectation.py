"""Exact expectations against a plain recursion, card by card."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.piles import plain
from tests.piles.scenes import KINDS, PROCEDURES, blurred, ending, judge
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.sumgait.cards import ALL54, cards_of, parse_hand
from tierce.solver.piles import (
    MISERE,
    POINTS,
    TEN,
    TRICKS,
    Judge,
    Objective,
    PileView,
    Stop,
    Way,
    expectation,
    points,
)  # fmt: skip

WISHES = (POINTS, TEN, TRICKS, points({"fail_price": "last", "marriage_on_fail": "kept"}))
pytestmark = pytest.mark.small


def compare(view: PileView, wish: Objective) -> None:
    """The value, and that of every way to play."""
    found = expectation(view, wish)
    slow = plain.Expectation(view, wish)
    assert found.value == pytest.approx(slow.value(), abs=1e-9), view
    if view.his_turn:
        expected = {Way(*way): value for way, value in slow.by_way()}
        assert {each.way: each.value for each in found.ways} == pytest.approx(expected, abs=1e-9)
        assert found.ways[0].value == found.value
    else:
        assert not found.ways


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("kind", KINDS)
def test_endings_of_one_to_three_tricks(kind: str, procedure: str) -> None:
    rng = random.Random(f"{kind} {procedure}")
    for i in range(36):
        count = 1 + i % 3
        view = ending(
            rng, count, kind=kind, marriages=i // 3 % 2, leader=i // 6 % 3, table=i % 2 == 0,
            rules=judge(rng, procedure),
        )  # fmt: skip
        compare(view, WISHES[i % 4])


@pytest.mark.parametrize("kind", KINDS)
def test_endings_of_four_tricks(kind: str) -> None:
    rng = random.Random(f"four {kind}")
    for i, procedure in enumerate(PROCEDURES if kind != "unknown" else PROCEDURES[:1]):
        view = ending(rng, 4, kind=kind, marriages=1 + i % 2, leader=0, rules=judge(rng, procedure))
        compare(view, WISHES[i % 2])


@pytest.mark.slow
@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("kind", KINDS)
def test_endings_of_five_tricks(kind: str, procedure: str) -> None:
    rng = random.Random(f"five {kind} {procedure}")
    for leader in range(3):
        view = ending(rng, 5, kind=kind, marriages=leader % 3, leader=leader, rules=judge(rng, procedure))
        compare(view, WISHES[leader])


def test_no_tricks_wanted() -> None:
    rng = random.Random(8)
    for i in range(6):
        view = replace(ending(rng, 3, kind=KINDS[i % 3]), trump=4, declared=0, marriages=False, tricks=0)
        compare(view, MISERE)


def test_a_lone_card_is_worth_its_chance() -> None:
    # S9, then S7, against SQ, S2 and two hearts: ...
    view = PileView(parse_hand("9..."), parse_hand("2.3.."), tricks=9)
    assert expectation(view, TEN).value == 1.0
    assert expectation(PileView(parse_hand("9..."), parse_hand("Q.3.."), tricks=9), TEN).value == 0.0
    assert expectation(PileView(parse_hand("97..."), parse_hand("Q2.32.."), tricks=8), TRICKS).value == pytest.approx(
        8 + 2 / 3
    )


def test_two_marriages_are_declared_in_their_best_order() -> None:
    # Four sure tricks to come, 14 in hand: both suits count for all 18 tricks, whichever is declared first.
    view = PileView(parse_hand("KQ.KQ.."), parse_hand("..5432.5432"), tricks=14)
    assert expectation(view, POINTS).value == pytest.approx((30 + 160) + (60 + 160) + 40 + 100)
    assert expectation(replace(view, marriages=False), POINTS).value == pytest.approx(20 + 160)


def test_what_is_known_of_a_pile_matters() -> None:
    """A card that was given is known to lie in one pile: forgetting which changes value and play."""
    view = apart()
    known, forgotten = expectation(view, TRICKS), expectation(blurred(view), TRICKS)
    assert known.value - forgotten.value > 0.1
    assert known.ways[0].way != forgotten.ways[0].way
    chosen = next(each.value for each in known.ways if each.way == forgotten.ways[0].way)
    assert known.value - chosen > 0.05


def apart() -> PileView:
    """Two cards given to pile 1 lie there still: found by a search over random endings of three tricks."""
    return PileView(parse_hand("A6.9.."), parse_hand(".Q.5.93"), (parse_hand("K....J2"), 0), tricks=9)


def test_too_large_and_stopped() -> None:
    cards = cards_of(ALL54)
    large = PileView(sum(1 << card for card in cards[:10]), sum(1 << card for card in cards[10:30]))
    with pytest.raises(LimitReached) as limit:
        expectation(large)
    assert limit.value.code == "tricks"
    view = PileView(sum(1 << card for card in cards[:8]), sum(1 << card for card in cards[8:24]))
    with pytest.raises(LimitReached) as limit:
        expectation(view, memory=1 << 20)
    assert limit.value.code == "memory"
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        expectation(view, stop=stop)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"free": parse_hand("..32.3")}, "free"),
        ({"hand": 0}, "hand"),
        ({"hand": 1 << 63}, "hand"),
        ({"known": (parse_hand("..432."), 0), "free": parse_hand("...2")}, "known"),
        ({"leader": 3}, "leader"),
        ({"table": (5,)}, "table"),
        ({"tricks": 17}, "tricks"),
        ({"trump": 5}, "trump"),
        ({"declared": 16}, "declared"),
        ({"free": parse_hand("A..432.")}, "free"),
    ],
)
def test_moments_that_cannot_be_are_refused(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        replace(PileView(parse_hand("AK..."), parse_hand("..432.2")), **change)
    assert error.value.field == field


def test_unknown_procedures_are_refused() -> None:
    with pytest.raises(InputError):
        Judge("sequentially")


def test_a_stop_that_nobody_set_stays_so() -> None:
    """One stop is for many pieces of work."""
    stop = Stop()
    expectation(ending(random.Random(1), 3), stop=stop)
    assert not stop.is_set
