"""Moments of real deals: what the search is told against what the rules know and allow."""

from __future__ import annotations

import doctest
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.sumgait.support import match, options
from tierce.solver import piles
from tierce.solver.cards import NOTRUMP, mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.options import Value
from tierce.solver.games.sumgait import (
    MISERE,
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
from tierce.solver.games.sumgait.cards import ALL54, cards_of, parse_hand
from tierce.solver.piles import MISERE as LOST
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


# ---- what no deal comes to -------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(0, 1 << 40), options)
def test_every_moment_of_a_deal_is_taken(seed: int, given_: Mapping[str, Value]) -> None:
    for state in match(seed, given_, deals=2):
        if state.phase == "PLAY" and state.call in (PLAY, MISERE):
            seen = view(state)
            if not seen.trick or state.mover == 0:  # the piles turn what they turn at once
                found = pile_view(seen)
                found.check_taken(found.tricks)


History = tuple[int, int, tuple[str, ...]]  # leader, tricks, and by suit: "held", "half" or "out" of king and queen


def after(moment: History, first: bool) -> Iterator[History]:
    """What a trick makes of leader, tricks and marriages: led by declaring, or with the other of a pair, or neither."""
    leader, tricks, pairs = moment
    played = [pairs]
    for suit, pair in enumerate(pairs):
        rest = pairs[:suit], pairs[suit + 1 :]
        if pair == "half":
            played.append((*rest[0], "out", *rest[1]))
        elif pair == "held" and leader == 0 and not first:
            played.append((*rest[0], "half", *rest[1]))
    for then in played:
        yield from ((winner, tricks + (winner == 0), then) for winner in range(3))


def as_view(over: int, moment: History) -> PileView:
    """A moment with these marriages in spades and hearts, all other cards dealt anyhow."""
    leader, tricks, pairs = moment
    left = 18 - over
    hand = out = 0
    for suit, pair in enumerate(pairs):
        king, queen = 1 << 16 * suit + 11, 1 << 16 * suit + 10
        hand |= {"held": king | queen, "half": queen, "out": 0}[pair]
        out |= {"held": 0, "half": king, "out": king | queen}[pair]
    rest = cards_of(ALL54 & ~hand & ~out)
    own = left - hand.bit_count()
    declared = sum(1 << suit for suit, pair in enumerate(pairs) if pair != "held")
    trump = declared.bit_length() - 1 if declared else NOTRUMP
    return PileView(
        hand | mask_of(rest[:own]), mask_of(rest[own : own + 2 * left]), leader=leader, trump=trump, declared=declared,
        tricks=tricks,
    )  # fmt: skip


def test_what_is_taken_is_what_tricks_can_come_to() -> None:
    """All histories of up to five tricks, against all that could be said of them."""
    reached: set[History] = {(0, 0, ("held", "held"))}
    for over in range(6):
        taken = set()
        for leader in range(3):
            for tricks in range(over + 1):
                for one in ("held", "half", "out"):
                    for two in ("held", "half", "out"):
                        moment = leader, tricks, (one, two)
                        try:
                            as_view(over, moment).check_taken(tricks)
                        except InputError:
                            continue
                        taken.add(moment)
        assert taken == reached
        reached = {then for moment in reached for then in after(moment, first=not over)}


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"hand": "KQ.A.."}, "declared", "king or queen of spades to be played, .* found both in the hand"),
        ({"free": "Q.43.432.."}, "declared", "not to be in a pile, .* found SQ there"),
        ({"free": ".43.432..", "known": ("Q...", "...")}, "declared", "found SQ there"),
        ({"free": ".43.432..", "leader": 2, "table": "Q...", "tricks": 8}, "declared", "found SQ there"),
        ({"declared": 0}, "declared", "expected the trump S among the suits declared, found none"),
        ({"declared": 6}, "declared", "expected the trump S among the suits declared, found H D"),
        ({"trump": 4}, "declared", "expected the trump N among the suits declared, found S"),
        ({"trump": 4, "marriages": False}, "declared", "expected the trump N"),
        ({"tricks": 1}, "tricks", "expected 2 or more tricks, .* found 1"),
        ({"tricks": 15, "leader": 1}, "tricks", "expected at most 14 tricks, for pile 1 leads"),
        ({"tricks": 16}, "tricks", "0 to 15 tricks"),
    ],
)
def test_what_no_deal_comes_to_is_refused(change: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        moment_of(change)
    assert error.value.field == field


def moment_of(change: dict[str, Any]) -> PileView:
    """Three tricks before the end, spades declared with the queen."""
    told: dict[str, Any] = {"hand": "K2.A..", "free": ".43.432.2", "trump": 0, "declared": 1, "tricks": 9} | change
    told |= {name: parse_hand(told[name]) for name in ("hand", "free")}
    told["known"] = tuple(parse_hand(each) for each in told.get("known", ("...", "...")))
    told["table"] = cards_of(parse_hand(told.get("table", "...")))
    return PileView(**told)


def test_what_some_deal_comes_to_is_taken() -> None:
    for change in (
        {}, {"tricks": 0}, {"hand": "32.A.."}, {"hand": "32.A..", "tricks": 2}, {"leader": 1, "tricks": 14},
        {"hand": "KQ.A..", "trump": 4, "declared": 0}, {"hand": "32.A..", "declared": 9, "tricks": 3},
    ):  # fmt: skip
        moment_of(change)
    with pytest.raises(InputError, match="expected 2 or more tricks"):
        moment_of({}).check_taken(0)


def test_the_first_trick_is_the_declarers_and_has_no_trump() -> None:
    own = mask_of(cards_of(ALL54)[:18])
    changes: list[tuple[dict[str, Any], str]] = [({"leader": 1}, "leader"), ({"trump": 3, "declared": 8}, "declared")]
    for change, field in changes:
        with pytest.raises(InputError) as error:
            PileView(own, ALL54 & ~own, **change)
        assert error.value.field == field


def test_misere_has_no_trump_and_no_marriage() -> None:
    """An exercise with a fixed trump is no MISERE, whoever declared it."""
    fixed = moment_of({"hand": "KQ.A..", "marriages": False, "declared": 0})
    order = random_piles(fixed, 1)[0]
    assert solve_known(fixed, order, TRICKS).trump == 0
    changes: list[tuple[dict[str, Any], str]] = [({}, "trump"), ({"trump": 4, "marriages": True}, "marriages")]
    for change, field in changes:
        with pytest.raises(InputError, match="in MISERE") as error:
            solve_known(replace(fixed, **change), order, LOST)
        assert error.value.field == field
    assert solve_known(replace(fixed, trump=4), order, LOST).declared == 0


def test_a_card_in_two_places_is_told_with_both() -> None:
    hand, other = parse_hand("KQ2.A.."), parse_hand("AJ.T3.2.97")
    for free, known, table, message in (
        (parse_hand("KAJ.T3.2.97"), (0, 0), (), "SK twice, in the hand and face down"),
        (other, (parse_hand("K..."), 0), (), "SK twice, in the hand and in pile 1"),
        (other, (parse_hand("6..."), parse_hand("6...")), (), "S6 twice, in pile 1 and in pile 2"),
        (other, (0, 0), (parse_hand("A...").bit_length() - 1,), "SA twice, face down and on the table"),
    ):
        with pytest.raises(InputError, match=f"expected each card once, found {message}"):
            PileView(hand, free, known, leader=2 if table else 0, table=table)
