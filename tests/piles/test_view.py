"""Moments of real deals: what the search is told against what the rules know and allow."""

from __future__ import annotations

import doctest
import random
from collections.abc import Iterator

import pytest

from tierce.solver import piles
from tierce.solver.cards import mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait import (
    PASS,
    PLAY,
    Call,
    DealCards,
    Give,
    Play,
    Rob,
    Shuffle,
    State,
    apply,
    new_match,
    random_deal,
    settle,
    sumgait,
    view,
)
from tierce.solver.games.sumgait.cards import ALL54, cards_of
from tierce.solver.piles import (
    POINTS,
    TRICKS,
    Objective,
    PileView,
    best_play,
    objective,
    pile_view,
    play_out,
    random_piles,
    solve_known,
)

pytestmark = pytest.mark.small
OPTIONS: tuple[dict[str, str | int | bool], ...] = (
    {},
    {"joker_resolution": "kill", "joker_lead_suit": "next"},
    {"joker_free": False},
)


def played(rng: random.Random, seed: int) -> Iterator[State]:
    """The moments at which the declarer is to play, of a deal played at random."""
    state = settle(apply(new_match(sumgait(OPTIONS[seed % 3])), DealCards(random_deal(seed=seed))))
    state = settle(apply(state, Rob(rng.choice((None, 1, 2)))))
    gifts = rng.sample(cards_of(state.hands[0]), 4)
    state = settle(apply(state, Give(mask_of(gifts[:2]), mask_of(gifts[2:]))))
    state = settle(apply(state, Call(PLAY)))
    hidden = [list(cards_of(hand)) if seat else [] for seat, hand in enumerate(state.hands)]
    for pile in hidden:
        rng.shuffle(pile)
    if state.phase == "SHUFFLE":
        state = settle(apply(state, Shuffle((tuple(hidden[0]), tuple(hidden[1]), tuple(hidden[2])))))
    while state.phase == "PLAY":
        yield state
        card = rng.choice(state.playable(0))
        state = settle(apply(state, Play(0, card, state.may_declare(card) and rng.random() < 0.5)))


@pytest.mark.parametrize("seed", range(9))
def test_moments_of_deals_are_understood(seed: int) -> None:
    rng = random.Random(seed)
    moments = 0
    for state in played(rng, seed):
        seen = view(state)
        found = pile_view(seen)
        moments += 1
        assert found.left == 18 - len(state.tricks)
        assert found.his_turn
        assert found.down == (seen.counts[1], seen.counts[2])
        if seen.robbed is not None:
            assert found.known[seen.robbed - 1].bit_count() == found.down[seen.robbed - 1]
        ways = {each.way for each in best_play(found, TRICKS, samples=1).ways}
        assert {way.card for way in ways} == set(seen.playable)
        assert {way.card for way in ways if way.suit is not None} == set(cards_of(seen.declarable))
    assert moments == 18


def test_rules_of_thumb_never_beat_the_best_with_the_piles_seen() -> None:
    """On the same piles, in deals of the rules engine."""
    for seed in range(6):
        rng = random.Random(seed)
        state = next(state for state in played(rng, seed) if len(state.tricks) == 11)
        found = pile_view(view(state))
        order = random_piles(found, 1, seed=seed)[0]
        best = solve_known(found, order, POINTS)
        assert best.value >= play_out(found, POINTS, count=1, seed=seed).mean(POINTS).value
        assert len(best.line) == found.left


def test_what_is_no_play_is_refused() -> None:
    state = settle(apply(new_match(sumgait()), DealCards(random_deal(seed=1))))
    with pytest.raises(InputError) as error:
        pile_view(view(state))
    assert error.value.field == "view"
    state = settle(apply(state, Rob(None)))
    gifts = cards_of(state.hands[0])
    state = settle(apply(state, Give(mask_of(gifts[:2]), mask_of(gifts[2:4]))))
    state = apply(state, Call(PASS))
    with pytest.raises(InputError):
        pile_view(view(state))


def test_the_example_of_the_package() -> None:
    assert doctest.testmod(piles) == (0, 3)


def test_objectives() -> None:
    assert POINTS.of(18, 15, 1) == 1100
    assert (POINTS.of(7), POINTS.of(8, 2, 1), POINTS.of(12)) == (-60, -120, 60)
    assert POINTS.by_suits
    assert not TRICKS.by_suits
    with pytest.raises(InputError):
        Objective("short", (1.0,))
    with pytest.raises(InputError):
        objective("backwards", lambda tricks, suits: -tricks)
    with pytest.raises(InputError):
        objective("backwards", lambda tricks, suits: tricks, few=True)


def test_a_view_of_the_whole_deal() -> None:
    own = mask_of(cards_of(ALL54)[:18])
    found = PileView(own, ALL54 & ~own)
    assert all(each.way.suit is None for each in best_play(found, samples=1).ways)  # no marriage in the first trick
