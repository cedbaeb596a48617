"""The worlds that fit a view of any seat at any moment, against deals played again by the rules."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.advice.play_scenes import (
    deal_of,
    key_of_state,
    key_of_world,
    lookalikes,
    moments_of,
    random_game,
    random_shown,
    replayed,
    start_of,
)
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.games import Action, Profile, State, view


def told(state: State, actions: list[Action], seat: int) -> bool:
    """Are kitty cards told from the dealer's own? The second statement of it, by what has been done."""
    kinds = [type(action).__name__ for action in actions]
    if state.swapper is not None:
        return state.swapper != seat
    if "TakeKitty" not in kinds:
        return True
    before = kinds[: kinds.index("TakeKitty")]
    steps = state.steps
    early = steps.index("KITTY") < steps.index("DISCARD")
    exchanged = any(step in steps[: steps.index("KITTY")] for step in ("EXCHANGE", "SEND"))
    assert early == ("Discard" not in before)
    return seat != 0 and not (early and not exchanged)


# ---- worlds played again ---------------------------------------------------------------------------------------------


def check_draws(seed: int, start: State, state: State, actions: list[Action], seat: int, times: int) -> None:
    """Draw worlds and play each again from its own deal: the seat sees what it saw."""
    seen = view(state, seat)
    worlds, draws = PlayWorlds(seen), Draws(seed)
    for _ in range(times):
        world = worlds.draw(draws)
        other = replayed(start, actions, seat, deal_of(world, seen, state, actions), world)
        assert view(other, seat) == seen, (seed, world)
        assert key_of_state(other, told=told(state, actions, seat)) == key_of_world(world)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_worlds_look_like_the_truth(seed: int) -> None:
    rng = random.Random(f"any moment {seed}")
    profile = random_game(rng)
    for moment in moments_of(rng, start_of(rng, profile), 0.15):
        check_draws(seed, *moment, rng.randrange(3), 3)


# ---- all of them -----------------------------------------------------------------------------------------------------


def check_all(seed: int, profile: Profile, share: float) -> Counter[str]:
    """All worlds of a moment are all ways that look the same, each once."""
    rng, found = random.Random(f"all ways {seed}"), Counter[str]()
    for start, state, actions in moments_of(rng, start_of(rng, profile), share):
        seat = rng.randrange(3)
        worlds = PlayWorlds(view(state, seat))
        kitty = told(state, actions, seat)
        truth = {key_of_state(other, told=kitty) for other in lookalikes(start, state, actions, seat)}
        listed = [key_of_world(world) for world in worlds]
        assert worlds.count == len(listed) == len(truth) and set(listed) == truth, (seed, seat, state.phase)
        assert key_of_state(state, told=kitty) in truth
        draws = Draws(seed)
        assert all(key_of_world(worlds.draw(draws)) in truth for _ in range(5))
        found[state.phase] += 1
    return found


@pytest.mark.parametrize("piece", range(6))
def test_all_worlds_of_twelve_cards(piece: int) -> None:
    for seed in range(5 * piece, 5 * piece + 5):
        check_all(seed, random_shown(random.Random(seed), 3, 4, ("plain", "at_once")), 0.4)
