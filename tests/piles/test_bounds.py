"""Bounds: the penalty has no mean for anybody, and what is exact lies between."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations

import pytest

from tests.piles.scenes import KINDS, PROCEDURES, blurred, ending, judge
from tierce.solver.errors import Cancelled
from tierce.solver.games.sumgait.cards import ALL54, cards_of, parse_hand
from tierce.solver.piles import (
    POINTS,
    TEN,
    TRICKS,
    Objective,
    Penalty,
    PileView,
    Stop,
    bounds,
    expectation,
    play_well,
    points,
    random_piles,
    solve_known,
    upper_values,
)  # fmt: skip
from tierce.solver.piles.known import order_of
from tierce.solver.piles.results import mean_of
from tierce.solver.piles.view import table_of

WISHES = (TRICKS, POINTS, TEN, points({"fail_price": "last", "marriage_on_fail": "kept"}))
pytestmark = pytest.mark.small


def every_order(view: PileView) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every order of the piles that fits, once."""
    free, (one, two) = cards_of(view.free), (cards_of(each) for each in view.known)
    for more in combinations(free, view.down[0] - len(one)):
        rest = [card for card in free if card not in more]
        for first in permutations(one + more):
            for second in permutations(two + tuple(rest)):
                yield first, second


def whole_mean(view: PileView, wish: Objective, penalty: Penalty) -> float:
    """The penalised mean over every order: no chance left."""
    orders = b"".join(order_of(view, piles) for piles in every_order(view))
    values = table_of(view, wish).bound(orders, penalty.native(), Stop())
    assert values is not None
    return sum(values) / len(values)


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_weights_make_the_bound_too_low(kind: str, procedure: str) -> None:
    """Over every order, and whatever its weights and their signs: a penalty with a mean would break it one way."""
    rng = random.Random(f"{kind} {procedure}")
    for i in range(40):
        view = ending(
            rng, 2 + (i % 4 == 0), kind=kind, marriages=i // 2 % 2, leader=i % 3, table=i % 5 == 0,
            rules=judge(rng, procedure),
        )  # fmt: skip
        wish = WISHES[i % 4]
        exact = expectation(view, wish).value
        penalty = Penalty(*(rng.choice((0.0, rng.uniform(-4, 4))) for _ in range(4)))
        assert whole_mean(view, wish, penalty) >= exact - 1e-4 * max(1.0, abs(exact)), (view, penalty)


def test_a_lone_card_has_no_choice_and_no_penalty_in_the_mean() -> None:
    """One card left: bound and expectation are the same, whatever the weights."""
    rng = random.Random(1)
    for i in range(60):
        view = ending(rng, 1, kind=KINDS[i % 3], leader=i % 3, table=i % 2 == 0)
        exact = expectation(view, TRICKS).value
        assert whole_mean(view, TRICKS, Penalty(3.0, -2.0, 1.5, 2.5)) == pytest.approx(exact, abs=1e-5), view


def test_piles_not_kept_apart_would_break_the_bound() -> None:
    """The penalty of somebody who forgets what he gave has a mean in the orders that there are."""
    rng = random.Random(3)
    broken = 0
    for _ in range(60):
        view = ending(rng, 2, kind="robbed", leader=0, rules=judge(rng, "sequential"))
        orders = b"".join(order_of(view, piles) for piles in every_order(view))
        for win in (4.0, -4.0):
            penalty = Penalty(win, win, 0.0, 0.0).native()
            values = table_of(blurred(view), TRICKS).bound(orders, penalty, Stop())
            assert values is not None
            broken += sum(values) / len(values) < expectation(view, TRICKS).value - 0.01
    assert broken > 0


def test_without_weights_it_is_what_the_piles_known_reach() -> None:
    rng = random.Random(2)
    for i in range(24):
        view = ending(rng, 3 + i % 5, kind=KINDS[i % 3], marriages=i % 3, table=i % 2 == 0)
        wish = WISHES[i % 4]
        found = upper_values(view, wish, count=3, seed=i, penalty=Penalty(0, 0, 0, 0))
        expected = [solve_known(view, piles, wish).value for piles in random_piles(view, 3, seed=i)]
        assert found == pytest.approx(expected, abs=1e-3)


def between(count: int, endings: int, wishes: tuple[Objective, ...], seed: int, orders: int = 800) -> None:
    """lower - 3 SE <= exact <= upper + 3 SE on each, and both mean gaps of the right sign.

    Few samples a decision, and many orders: what is lost must not be hidden by chance.
    """
    rng = random.Random(seed)
    low = high = 0.0
    for i in range(endings):
        view = ending(rng, count, kind=KINDS[i % 3], marriages=i % 2, rules=judge(rng, PROCEDURES[i % 3]))
        wish = wishes[i % len(wishes)]
        exact = expectation(view, wish).value
        made = play_well(view, wish, count=orders, samples=16, exact=0, seed=i).mean(wish)
        upper = mean_of(upper_values(view, wish, count=60, seed=i))
        error = made.error or (1 / orders if wish is TEN else 0)  # ten made in every order: rule of three
        assert made.value - 3 * error - 1e-9 <= exact, (view, made)
        assert exact <= upper.value + 3 * (upper.error or 0) + 1e-3, (view, upper)
        scale = 100 if wish.by_suits else 1
        low += (exact - made.value) / scale
        high += (upper.value - exact) / scale
    assert low > 0
    assert high > 0


def test_what_is_exact_lies_between_with_six_tricks() -> None:
    between(6, 8, (TRICKS, POINTS), 6, 600)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_what_is_exact_lies_between_with_six_tricks_on_more(part: int) -> None:
    between(6, 25, (TRICKS, POINTS, TEN), 60 + part)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_what_is_exact_lies_between_with_seven_tricks(part: int) -> None:
    between(7, 10, (TRICKS, POINTS, TEN), 70 + part)


def test_the_penalty_makes_it_tighter() -> None:
    view = replace(ending(random.Random(5), 12, leader=0), tricks=0)
    found = bounds(view, TRICKS, count=20, samples=40)
    assert found.made.value < found.penalised.value < found.clairvoyant.value


def test_threads_change_nothing_and_stops_are_heard() -> None:
    view = ending(random.Random(4), 9, kind="given", marriages=1)
    assert upper_values(view, count=5, threads=2) == upper_values(view, count=5)
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        bounds(view, stop=stop)


@pytest.mark.parametrize("hand", ["AKQ9.QJ53.T96.KQ872.J1J2", "KQT5.AJ3.KQ75.T9862.J1J2", "AJT5.AJ.KJ75.T98632.J1J2"])
@pytest.mark.parametrize("wish", [POINTS, TEN], ids=["points", "ten"])
def test_the_penalty_for_a_hand_leaves_no_looser_bound_than_the_piles_seen(hand: str, wish: Objective) -> None:
    cards = parse_hand(hand)
    view = PileView(cards, ALL54 & ~cards)
    upper, seen = (
        mean_of(upper_values(view, wish, count=6, seed=3, penalty=penalty)) for penalty in (None, Penalty(0, 0, 0, 0))
    )
    assert upper.value <= seen.value
