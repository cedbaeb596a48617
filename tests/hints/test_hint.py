"""Hints: every decision of every game, what may be asked, and that the same is the same."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tests.hints.plays import game, games, moments
from tierce.solver.cards import bit, cards_of
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games import (
    Action,
    Bid,
    DealCards,
    Discard,
    Play,
    Send,
    State,
    View,
    apply,
    legal,
    new_match,
    random_deal,
    settle,
    view,
)  # fmt: skip
from tierce.solver.games.profile import MIZ
from tierce.solver.hints import HintSearch, hint, simple_action
from tierce.solver.hints.objectives import BY
from tierce.solver.hints.results import METHODS, Hint, Method
from tierce.solver.position import Position
from tierce.solver.solver import Solver

WHAT = {
    "BID": "bid", "EXCHANGE": "parcel", "SEND": "parcel", "CALL": "call", "TRUMP": "trump", "DISCARD": "discard",
    "SWAP": "swap", "PLAY": "card",
}  # fmt: skip


def mover(state: State) -> int:
    seat = next(each.seat for each in legal(state) if each.seat is not None)
    assert seat is not None
    return seat


def views(rng: random.Random, name: str, deals: int = 3) -> list[tuple[State, View]]:
    return [(state, view(state, mover(state))) for state in moments(rng, game(name), deals)]


def sampled(rng: random.Random, name: str) -> list[tuple[State, View]]:
    """Three moments of each phase."""
    by_phase: dict[str, list[tuple[State, View]]] = {}
    for state, seen in views(rng, name):
        by_phase.setdefault(seen.phase, []).append((state, seen))
    return [each for found in by_phase.values() for each in rng.sample(found, min(3, len(found)))]


def same(one: Hint, other: Hint) -> bool:
    return replace(one, millis=0) == replace(other, millis=0)


@pytest.mark.parametrize("name", games())
def test_every_decision_of_every_game(name: str) -> None:
    rng = random.Random(f"hint {name}")
    for state, seen in sampled(rng, name):
        found = hint(seen, worlds=6, seed=3)
        apply(state, found.action)  # the rules allow it
        assert found.what == WHAT[seen.phase]
        assert found.seat == seen.seat
        assert same(found, hint(seen, worlds=6, seed=3))
        assert found.worlds in (0, 6) or found.method == "ending" or len(found.options) == 1
        assert found.why.endswith(".")
        values = [option.value.value for option in found.options if option.worlds == found.options[0].worlds]
        assert values == sorted(values, reverse=True)
        found.json()


@pytest.mark.parametrize("name", ["raf", "nine_five_two_swap"])
def test_every_option_is_open(name: str) -> None:
    rng = random.Random(f"options {name}")
    for state, seen in sampled(rng, name):
        for option in hint(seen, worlds=2).options:
            after = state
            for action in option.actions if isinstance(option.actions[0], Send | Play) else option.actions[:1]:
                after = apply(after, action)


def play_views(rng: random.Random, name: str, low: int = 4, high: int = 12) -> list[View]:
    return [seen for _, seen in views(rng, name, 2) if seen.phase == "PLAY" and low <= seen.hand.bit_count() <= high]


def test_exact_solves_are_those_of_the_solver() -> None:
    """One world of the method pimc: the values of `card_values` at that world."""
    rng = random.Random(12)
    for seen in rng.sample(play_views(rng, "deputy"), 6):
        found = hint(seen, worlds=1, method="pimc", infer=False)
        assert (found.method, found.others) == ("pimc", "conspiring")
        search = HintSearch(seen, worlds=1, method="pimc", infer=False)
        search.run()
        world = search._core.drawn.worlds[0]  # type: ignore[union-attr]
        trump = "SHDC".find(seen.call) if seen.call in "SHDC" else 4
        position = Position(world.hands_now, trump, seen.leader, seen.trick, seen.taken)
        exact = Solver(16).card_values(position, 1 << seen.seat, "fewest" if seen.call == MIZ else "most")
        values = {each.card: each.tricks for each in exact.cards}
        for option in found.options:
            action = option.actions[0]
            assert isinstance(action, Play)
            assert option.tricks.value == values[action.card]


def test_all_methods_answer() -> None:
    rng = random.Random(7)
    for seen in rng.sample(play_views(rng, "raf"), 3):
        for method in METHODS:
            found = hint(seen, worlds=3, method=method)
            assert isinstance(found.action, Play)
            assert seen.hand & bit(found.action.card)
        for others in ("conspiring", "rules", "hint"):
            assert hint(seen, worlds=3, others=others).others in (others, "rules")


def test_the_end_of_a_hand_is_exact() -> None:
    rng = random.Random(5)
    seen = rng.choice(play_views(rng, "raf", 3, 3))
    found = hint(seen, worlds=50)
    assert (found.method, found.others) in {("ending", "conspiring")}
    assert found.options[0].value.error == 0


def test_objectives() -> None:
    """A chance is a chance, and points are the caller's."""
    rng = random.Random(9)
    for seen in rng.sample(play_views(rng, "raf", 6), 4):
        quota = hint(seen, worlds=30, by="quota")
        assert all(0 <= option.value.value <= 1 for option in quota.options)
        flat = hint(seen, worlds=30, by="utility", utility=[1.0] * 17)
        assert {option.value.value for option in flat.options} == {1.0}
        linear = hint(seen, worlds=30, by="utility", utility=list(range(17)))
        assert linear.action == hint(seen, worlds=30).action


def test_a_forced_card_is_played_at_once() -> None:
    rng = random.Random(2)
    seen = next(
        seen for _, seen in views(rng, "raf") if seen.phase == "PLAY" and len(playable(seen)) == 1 and seen.trick
    )
    found = hint(seen, worlds=500)
    assert found.forced and found.settled and found.worlds < 500
    assert "only card" in found.why


def playable(seen: View) -> tuple[int, ...]:
    hand = cards_of(seen.hand)
    follow = tuple(card for card in hand if seen.trick and card >> 4 == seen.trick[0] >> 4)
    return follow or hand


def test_an_answer_is_there_from_the_start() -> None:
    rng = random.Random(4)
    for _, seen in sampled(rng, "raf"):
        search = HintSearch(seen, worlds=5)
        first = search.result
        assert (first.method, first.worlds, first.complete) == ("rule", 0, False)
        assert first.action == simple_action(seen)
        while not search.step():
            search.result.json()
        assert search.result.complete


def test_watch_and_cancel() -> None:
    rng = random.Random(6)
    seen = play_views(rng, "raf", 10, 12)[0]
    search = HintSearch(seen, worlds=100_000)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(stop)
    assert isinstance(search.result.action, Play)
    again = HintSearch(seen, worlds=1_000_000, method="pimc")
    threading.Timer(0.05, again.cancel).start()
    with pytest.raises(Cancelled):
        again.run()


def test_time_ends_the_work() -> None:
    rng = random.Random(6)
    seen = play_views(rng, "raf", 12, 16)[0]
    methods: tuple[Method | None, ...] = (None, "pimc")
    for method in methods:
        began = time.monotonic()
        found = hint(seen, seconds=0.05, method=method)
        assert found.complete
        assert time.monotonic() - began < 5  # how punctual it is, benchmarks/hints.py measures


@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ({}, "worlds", "expected seconds or worlds, found none"),
        ({"seconds": 1, "worlds": 3}, "worlds", "found both"),
        ({"worlds": 0}, "worlds", "expected a number of worlds from 1"),
        ({"worlds": True}, "worlds", "expected a number of worlds from 1"),
        ({"worlds": 2.5}, "worlds", "expected a number of worlds from 1"),
        ({"seconds": 0}, "seconds", "expected seconds above 0, found 0"),
        ({"seconds": float("nan")}, "seconds", "expected seconds above 0, found nan"),
        ({"seconds": "1"}, "seconds", "expected seconds above 0, found '1'"),
        ({"worlds": 1, "seed": -1}, "seed", "expected a whole number"),
        ({"worlds": 1, "by": "points"}, "by", "expected one of tricks, quota, twelve, utility, found 'points'"),
        ({"worlds": 1, "by": "utility"}, "utility", "expected points with utility"),
        ({"worlds": 1, "utility": [1]}, "utility", "expected points with utility alone"),
        ({"worlds": 1, "by": "utility", "utility": [1, 2]}, "utility", "expected 17 numbers"),
        ({"worlds": 1, "by": "utility", "utility": [float("inf")] * 17}, "utility", "expected 17 numbers"),
        ({"worlds": 1, "by": "utility", "utility": [0] * 16 + [-1e300]}, "utility", "of at most 1e+100 either way"),
        ({"worlds": 1, "method": "magic"}, "method", "expected one of rule, pimc"),
        ({"worlds": 1, "others": "nice"}, "others", "expected one of conspiring"),
        ({"worlds": 1, "method": "pimc", "others": "rules"}, "others", "expected others that go with the method pimc"),
        ({"worlds": 1, "method": "tree", "others": "conspiring"}, "others", "go with the method tree"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, Any], field: str, said: str) -> None:
    rng = random.Random(1)
    seen = play_views(rng, "raf")[0]
    with pytest.raises(InputError) as caught:
        hint(seen, **given)
    assert caught.value.field == field
    assert said in caught.value.message


def test_no_decision_is_refused() -> None:
    rng = random.Random(1)
    state, seen = next(each for each in views(rng, "raf") if each[1].phase == "PLAY")
    for seat in range(3):
        if seat != seen.seat:
            with pytest.raises(InputError, match="decides") as caught:
                hint(view(state, seat), worlds=1)
            assert caught.value.code == "not_due"
    with pytest.raises(TypeError, match="a View"):
        hint(state, worlds=1)  # type: ignore[arg-type]


def test_a_view_that_nothing_fits_is_refused() -> None:
    rng = random.Random(1)
    seen = play_views(rng, "raf", 5, 8)[0]
    with pytest.raises(InputError) as caught:
        hint(replace(seen, hand=seen.hand & seen.hand - 1), worlds=1)
    assert caught.value.field == "view"


def test_a_dealer_who_discards_first_names_no_trump_yet() -> None:
    rng = random.Random("swap game")
    seen = next(seen for _, seen in views(rng, "nine_five_two_swap") if seen.phase == "DISCARD")
    found: Action = hint(seen, worlds=3).action
    assert isinstance(found, Discard)


def test_a_pass_is_worth_what_it_leads_to() -> None:
    """Facing a high bid nobody bids higher, whatever is wanted; and of equal ones the pass is the choice."""
    state = settle(apply(new_match(game("woburn")), DealCards(random_deal(game("woburn"), seed=3))))
    weak = apply(state, Bid(mover(state), 14))
    seen = view(weak, mover(weak))
    for by in BY[:3]:
        found = hint(seen, worlds=30, by=by)
        assert found.action == Bid(seen.seat, None)
        stay = found.options[0]
        assert 0 < stay.tricks.value < 12  # taken as eldest or middle
    assert hint(seen, worlds=30, by="utility", utility=[1.0] * 17).action == Bid(seen.seat, None)


def test_what_is_told_belongs_to_the_worlds_of_the_last_tree() -> None:
    """Worlds drawn since then change neither the values nor their errors, nor are they counted."""
    rng = random.Random(14)
    seen = play_views(rng, "raf", 12, 13)[0]
    search = HintSearch(seen, worlds=5000)
    told: dict[int, Hint] = {}
    while search._core is None or search._core.worlds < 400:
        search.step()
        found = search.result
        if found.method == "tree":
            before = told.setdefault(found.worlds, found)
            assert numbers(before) == pytest.approx(numbers(found))
    assert len(told) > 3


def numbers(found: Hint) -> list[float]:
    assert found.margin is not None and found.margin.error is not None
    rows = [(each.value.value, each.value.error or 0.0, each.quota) for each in found.options]
    return [found.margin.value, found.margin.error, found.effective, *(number for row in rows for number in row)]


def test_one_choice_is_not_called_better_by_next_to_nothing() -> None:
    """Where all points are equal the better tricks decide, and the sentence does not claim a lead."""
    rng = random.Random(15)
    seen = play_views(rng, "raf", 8, 10)[0]
    found = hint(seen, worlds=60, by="utility", utility=[0.5] * 17)
    assert "equal" in found.why and not found.told_apart
    assert found.best.tricks.value == max(option.tricks.value for option in found.options)


def test_of_choices_that_are_equal_but_for_next_to_nothing_the_better_tricks_come_first() -> None:
    seen = play_views(random.Random(17), "raf", 8, 10)[0]
    options = hint(seen, worlds=60, by="utility", utility=[0.0] * 5 + [1.0] * 12).options
    grains = [round(option.value.value / 0.0005) for option in options]
    pairs = [(one, other) for place, (one, other) in enumerate(pairwise(options)) if grains[place] == grains[place + 1]]
    assert any(one.value.value != other.value.value for one, other in pairs)  # else this says nothing
    assert all(one.tricks.value >= other.tricks.value for one, other in pairs)
