"""Orders drawn, playouts by rules of thumb, trials, and better play."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest

from tests.piles import plain
from tests.piles.scenes import KINDS, PROCEDURES, blurred, ending, judge
from tests.piles.test_expectation import apart
from tierce.solver.cards import NOTRUMP
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.sumgait.cards import parse_hand
from tierce.solver.piles import (
    GREEDY,
    POINTS,
    TEN,
    TRICKS,
    Mean,
    PileView,
    Policy,
    Stop,
    Trials,
    Way,
    best_play,
    expectation,
    play_out,
    play_well,
    random_piles,
)  # fmt: skip

pytestmark = pytest.mark.small


# ---- orders ----------------------------------------------------------------------------------------------------------


def test_orders_fit_and_are_evenly_spread() -> None:
    """Every order that fits, about as often as any other."""
    view = PileView(parse_hand("A2.A.."), parse_hand("...432"), (parse_hand("..3."), parse_hand("..42.")))
    count = 7200
    seen = Counter(random_piles(view, count, seed=3))
    # Pile 1 has D3 and two of the three clubs, pile 2 has D4, D2 and the third: 3 x 3! x 3! orders.
    assert len(seen) == 108
    expected = count / 108
    assert sum((each - expected) ** 2 / expected for each in seen.values()) < 107 + 5 * sqrt(2 * 107)


def test_what_is_on_the_table_is_not_drawn() -> None:
    for leader, table, free in ((1, (0, 16), parse_hand("..4.4")), (2, (16,), parse_hand("..43.4"))):
        view = PileView(parse_hand("A.A.."), free, leader=leader, table=table)
        for one, two in random_piles(view, 20):
            assert sorted(one + two) == sorted(card for card in range(64) if free >> card & 1)
            assert (len(one), len(two)) == view.down


def test_orders_depend_on_their_number_only() -> None:
    view = ending(random.Random(1), 9)
    assert random_piles(view, 30, seed=5)[:10] == random_piles(view, 10, seed=5)
    assert random_piles(view, 10, seed=5) != random_piles(view, 10, seed=6)


# ---- rules of thumb --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_playouts_follow_the_rules_of_thumb(kind: str) -> None:
    """Trick for trick what a plain statement of them plays: uneven numbers, so that no tie is left to rounding."""
    rng = random.Random(kind)
    policy = (Policy(second=0.0511, last=0.0523), Policy(0.911, 0.923, 2.971, 0.517))[kind == "given"]
    for i in range(12):
        view = ending(rng, 3 + i % 6, kind=kind, table=i % 2 == 0, rules=judge(rng, "sequential"))
        view = replace(view, marriages=False)
        if view.trump == NOTRUMP or view.judge.low_jokers:
            view = replace(view, judge=replace(view.judge, low_jokers=False))
        thumb = plain.Thumb(view, policy)
        ends = play_out(view, TRICKS, count=8, seed=i, policy=policy)
        tops = [[card] if card >= 0 else [] for card in view.turned]
        expected = []
        for piles in random_piles(view, 8, seed=i):
            expected.append(thumb.play([[*top, *pile] for top, pile in zip(tops, piles, strict=True)]))
        assert [end[0] for end in ends.ends] == expected, view


def test_points_by_rules_of_thumb_declare_marriages() -> None:
    view = PileView(parse_hand("KQ2.A.."), parse_hand("..5432.5432"), tricks=10)
    ends = play_out(view, POINTS, count=50)
    assert all(end[1:] == (1, 0) for end in ends.ends)
    assert all(end[1:] == (0, NOTRUMP) for end in play_out(replace(view, marriages=False), POINTS, count=50).ends)


def test_threads_change_nothing() -> None:
    view = ending(random.Random(4), 12, kind="given", marriages=1, leader=0)
    assert play_out(view, count=3000, threads=3) == play_out(view, count=3000)
    assert play_well(view, count=9, samples=20, threads=2) == play_well(view, count=9, samples=20)
    assert best_play(view, samples=300, threads=2) == best_play(view, samples=300)


# ---- trials ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_trials_of_two_tricks_are_exact_but_for_chance(kind: str) -> None:
    """With one more card to play there is nothing to choose: means are those of the exact expectation."""
    rng = random.Random(kind)
    for i in range(12):
        view = ending(rng, 2, kind=kind, marriages=i % 2, table=True, rules=judge(rng, PROCEDURES[i % 3]))
        exact = {each.way: each.value for each in expectation(view, TRICKS).ways}
        found = best_play(view, TRICKS, samples=2000, seed=i)
        assert {each.way for each in found.ways} == set(exact)
        for each in found.ways:
            if len(exact) > 1:
                assert each.value.error is not None
                assert abs(each.value.value - exact[each.way]) <= 4.5 * each.value.error + 1e-9, (view, each)


def test_the_best_is_first_and_the_rest_behind() -> None:
    view = ending(random.Random(7), 11, marriages=1, leader=0)
    found = best_play(view, POINTS, samples=500)
    assert found.samples == 500
    assert found.best == found.ways[0].way
    assert found.ways[0].behind == Mean(0.0, 0.0, found.ways[0].value.samples)
    assert all(each.behind.value >= 0 for each in found.ways)
    still = [each for each in found.ways if each.value.samples == 500]
    assert all(high.value.value >= low.value.value for high, low in pairwise(still))
    assert any(each.value.samples < 500 for each in found.ways)
    assert any(each.way.suit is not None for each in found.ways)


def test_keeping_the_piles_apart_changes_what_is_played() -> None:
    view = apart()
    known = best_play(view, TRICKS, samples=20_000)
    forgotten = best_play(blurred(view), TRICKS, samples=20_000)
    assert known.best == expectation(view, TRICKS).ways[0].way
    assert forgotten.best == expectation(blurred(view), TRICKS).ways[0].way
    assert known.best != forgotten.best


def test_time_ends_trials() -> None:
    view = ending(random.Random(2), 14, leader=0)
    assert best_play(view, seconds=1e-9).samples >= 1
    assert best_play(view, seconds=0.05, threads=2).samples >= 1


def test_a_lone_card_is_played_at_once() -> None:
    found = best_play(PileView(parse_hand("A..."), parse_hand("2.2.."), tricks=9), TEN)
    assert (found.best, found.samples, found.ways[0].value.value) == (Way(12), 1, 1.0)


def test_refusals() -> None:
    view = ending(random.Random(2), 5, leader=1)
    with pytest.raises(InputError) as error:
        best_play(view)
    assert error.value.field == "table"
    mine = ending(random.Random(2), 5, leader=0)
    wrong: dict[str, Any]
    for wrong in ({"samples": 0}, {"seconds": 0}, {"threads": 0}, {"seconds": "1"}):
        with pytest.raises(InputError):
            best_play(mine, **wrong)
    with pytest.raises(InputError):
        Policy(late=19)
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        best_play(mine, stop=stop)
    with pytest.raises(Cancelled):
        play_well(mine, stop=stop)
    with pytest.raises(Cancelled):
        Trials(mine).result()


# ---- better play -----------------------------------------------------------------------------------------------------


def test_exact_play_has_the_exact_mean() -> None:
    """From the first card on by exact expectation: the mean is the value, but for chance."""
    rng = random.Random(9)
    for i in range(4):
        view = ending(rng, 4, kind=KINDS[i % 3], marriages=1, leader=i % 3)
        mean = play_well(view, POINTS, count=300, exact=4, seed=i).mean(POINTS)
        assert mean.error is not None
        assert abs(mean.value - expectation(view, POINTS).value) <= 4 * mean.error + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("left", [5, 6, 7])
def test_trials_reach_what_is_possible(left: int) -> None:
    """Reach: 97 % of the exact expectation, in tricks from here on, over some endings."""
    rng = random.Random(left)
    made = possible = 0.0
    for i in range(30 if left < 7 else 12):
        view = replace(ending(rng, left, kind=KINDS[i % 3], marriages=i % 2), judge=judge(rng, PROCEDURES[i % 3]))
        made += play_well(view, TRICKS, count=100, samples=400, exact=0, seed=i).mean(TRICKS).value - view.tricks
        possible += expectation(view, TRICKS).value - view.tricks
    assert 0.97 * possible <= made <= 1.02 * possible


@pytest.mark.slow
def test_trials_are_ahead_of_rules_of_thumb() -> None:
    """Whole deals in pairs: the same piles for both. Reach: 0.7 tricks over 300; here 40."""
    rng = random.Random(300)
    differences = []
    for i in range(40):
        view = replace(ending(rng, 18, kind="given", leader=0), trump=NOTRUMP, declared=0, tricks=0)
        thumb = play_out(view, TRICKS, count=2, seed=i, policy=GREEDY).mean(TRICKS).value
        differences.append(play_well(view, TRICKS, count=2, samples=100, seed=i).mean(TRICKS).value - thumb)
    assert sum(differences) / len(differences) > 0.7
