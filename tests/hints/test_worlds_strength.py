"""The worlds that hints are built on: drawn as often as they should be in every game, and true to the view at every
decision under every option. What is equally likely play_worlds.py says; tests/advice/test_play_worlds.py checks it on
packs so small that all deals can be tried."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from tests.advice.play_scenes import moments_of, start_of
from tests.advice.small_games import TWINS, twin
from tests.advice.test_play_worlds import check_draws, even
from tests.hints.test_endings import late_views
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.errors import InputError
from tierce.solver.games import Profile, game_names, load_game, view
from tierce.solver.games.options import OPTIONS, Value
from tierce.solver.games.view import View
from tierce.solver.hints.endings import layouts_of

SOME: Final[Mapping[str, tuple[Value, ...]]] = {
    "max_bleed": (1, 3),
    "goal": (),
    "removed_card": ("random_hidden", "HK"),
}
"""Values of options that have too many, or that nothing seen hangs on."""

# ---- as often as they should be --------------------------------------------------------------------------------------


def small_views(name: str) -> Iterator[tuple[int, PlayWorlds]]:
    """Views of a small deal of a game with a few dozen worlds, of all seats in turn."""
    for seed in range(400):
        rng = random.Random(f"even {name} {seed}")
        profile = twin(name, rng.choice((5, 6)))
        for _, state, _ in moments_of(rng, start_of(rng, profile), 0.2):
            if state.phase == "PLAY" and state.tricks:
                worlds = PlayWorlds(view(state, seed % 3))
                if 20 < worlds.count < 150:
                    yield seed % 3, worlds
                    break


@pytest.mark.parametrize("name", TWINS)
def test_every_world_of_a_small_game_is_drawn_as_often(name: str) -> None:
    left = {0, 1, 2}
    for seat, worlds in small_views(name):
        if seat in left:
            left.discard(seat)
            even(worlds, seat, 40)
        if not left:
            return
    pytest.fail(f"no such moment for the seats {left}")


def check_layouts_drawn(seen: View, listed: list[tuple[tuple[int, ...], int]], seed: int, times: int) -> None:
    """Layouts come as often as their numbers of worlds say: chi-square, and 5 standard deviations would be a fault of
    the draw, not of chance. Layouts that come seldom are taken together."""
    worlds, draws = PlayWorlds(seen), Draws(seed)
    found = Counter(worlds.draw(draws).hands_now for _ in range(times))
    assert set(found) <= {hands for hands, _ in listed}
    expected = {hands: times * count / worlds.count for hands, count in listed}
    often = [hands for hands in expected if expected[hands] >= 10]
    groups = [(found[hands], expected[hands]) for hands in often]
    seldom = times - sum(each for _, each in groups)
    if seldom > 10:
        groups.append((times - sum(each for each, _ in groups), seldom))
    free = len(groups) - 1
    chi2 = sum((each - wanted) ** 2 / wanted for each, wanted in groups)
    assert abs(chi2 - free) < 5 * (2 * free) ** 0.5 + 5


@pytest.mark.parametrize("name", game_names(3))
def test_layouts_at_the_end_of_a_whole_pack_come_as_often_as_they_should(name: str) -> None:
    left = {0, 1, 2}
    for seed in range(100):
        for seen in late_views(seed, 3, load_game(name)):
            listed = layouts_of(seen, 60) if seen.seat in left else None
            if listed is not None and len(listed) > 8 and len(seen.tricks) < seen.profile.hand - 1:
                left.discard(seen.seat)
                check_layouts_drawn(seen, listed, seed, 2000)
        if not left:
            return
    pytest.fail(f"no such moment for the seats {left}")


# ---- true to the view ------------------------------------------------------------------------------------------------


def variants(name: str) -> Iterator[Profile]:
    """A game, and the game with each value of each of its options that makes a difference."""
    profile = load_game(name)
    yield profile
    for option in profile.defaults:
        for value in _values(option):
            beside: dict[str, Value] = {"max_bleed": 2} if option == "bleed_scope" else {}
            try:
                changed = profile.with_options({option: value, **beside})
            except InputError as error:
                assert error.code == "option", error
                continue
            if changed.options != profile.options:
                yield changed


def _values(option: str) -> tuple[Value, ...]:
    if option in SOME:
        return SOME[option]
    values = OPTIONS[option].values
    assert not isinstance(values, range), option
    return (False, True) if OPTIONS[option].boolean else values


def check_replays(profile: Profile, share: float, times: int) -> int:
    """At every decision of a deal, worlds of a seat's view are dealt and played again by the rules: the seat sees what
    it saw."""
    rng, count = random.Random(f"replays {profile.id} {profile.options}"), 0
    for moment in moments_of(rng, start_of(rng, profile), share):
        check_draws(count, *moment, (count + len(moment[2])) % 3, times)
        count += 1
    return count


@pytest.mark.parametrize("name", game_names(3))
def test_worlds_replay_the_view_at_every_decision_of_every_game(name: str) -> None:
    assert check_replays(load_game(name), 1, 1) > 3 * 15


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names(3))
def test_worlds_replay_the_view_at_every_decision_under_every_option(name: str) -> None:
    checked = [check_replays(profile, 1, 2) for profile in variants(name)]
    assert len(checked) >= 3 and min(checked) > 3 * 15
