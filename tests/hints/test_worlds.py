"""Weighed worlds: they fit the view whatever is inferred, none is ruled out, and what players did makes the truth
likelier."""

from __future__ import annotations

import random
import struct
from math import exp, fsum

import pytest

from tests.advice.play_scenes import deal_of, has_hidden, hidden_of, histories, moments_of, replayed, start_of
from tests.hints.plays import game, games, moments
from tierce.solver.games import State, load_game, view
from tierce.solver.hints.worlds import Worlds


@pytest.mark.parametrize("name", games())
def test_inferred_worlds_play_again_to_the_same_view(name: str) -> None:
    rng = random.Random(f"inferred {name}")
    checked = 0
    for _ in range(2):
        for start, state, actions in moments_of(rng, start_of(rng, load_game(name)), 0.3):
            if state.phase != "PLAY":
                continue
            seat = rng.randrange(3)
            seen = view(state, seat)
            worlds = Worlds(seen, seed=checked)
            worlds.more(3)
            for world in worlds.worlds:
                course = next(
                    each
                    for each in histories(state, actions, seat)
                    if has_hidden(each, seat) == bool(hidden_of(world, seat))
                )
                other = replayed(start, course, seat, deal_of(world, seen, state, course), world)
                assert view(other, seat) == seen
                checked += 1
    assert checked > 30


def seen_in_play(name: str, rng: random.Random) -> list[State]:
    return [each for each in moments(rng, game(name), 2, odd=0) if each.phase == "PLAY"]


@pytest.mark.parametrize("name", ["raf", "deputy", "nine_five_two"])
def test_weights(name: str) -> None:
    rng = random.Random(f"weights {name}")
    for state in rng.sample(seen_in_play(name, rng), 5):
        worlds = Worlds(view(state, state.mover), seed=2)
        worlds.more(30)
        worlds.more(20)
        assert len(worlds) == len(worlds.weights) == 50
        assert max(worlds.weights) == 1.0
        assert min(worlds.weights) > 0
        assert 1 <= worlds.effective <= 50
        assert len(worlds.packed) == 50 * 32
        again = Worlds(view(state, state.mover), seed=2)
        again.more(50)
        assert (again.weights, again.packed) == (worlds.weights, worlds.packed)
        flat = Worlds(view(state, state.mover), infer=False)
        flat.more(20)
        assert flat.weights == [1.0] * 20
        assert flat.effective == pytest.approx(20)


def test_a_sample_has_each_world_as_often_as_its_weight_says() -> None:
    rng = random.Random(5)
    state = seen_in_play("raf", rng)[20]
    worlds = Worlds(view(state, state.mover))
    worlds.more(12)
    drawn = worlds.sample(1200, 3)
    rows = [drawn[at : at + 32] for at in range(0, len(drawn), 32)]
    assert len(rows) == 1200
    total = fsum(worlds.weights)
    for i, weight in enumerate(worlds.weights):
        alike = [j for j in range(12) if worlds.packed[32 * j : 32 * j + 32] == worlds.packed[32 * i : 32 * i + 32]]
        if alike == [i]:
            assert abs(rows.count(bytes(worlds.packed[32 * i : 32 * i + 32])) - 1200 * weight / total) <= 1


def test_what_was_played_makes_the_truth_likelier() -> None:
    """The true hands, when all played by rules of thumb, are likelier than the mean of worlds that fit."""
    rng = random.Random(6)
    ahead = []
    for name in ("raf", "nine_five_two", "six_three_eight"):
        for state in rng.sample([each for each in seen_in_play(name, rng) if 3 <= len(each.tricks) <= 10], 8):
            seen = view(state, state.mover)
            flat = Worlds(seen, infer=False)
            flat.more(40)
            worlds = Worlds(seen)
            rows = b"".join((bytes(flat.packed), struct.pack("4Q", *state.hands, state.discard)))
            logs = struct.unpack("41d", worlds._scene.likelihoods(rows, worlds._seats, worlds._cards, worlds._out, 0.3))
            ahead.append(exp(logs[-1]) > fsum(map(exp, logs[:-1])) / 40)
    assert sum(ahead) >= 22  # of 24
