"""The worlds that fit a view of any seat at any moment, against deals played again by the rules."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.advice.exchanges import small
from tests.advice.play_scenes import (
    deal_of,
    has_hidden,
    hidden_of,
    histories,
    key_of_state,
    key_of_world,
    lookalikes,
    moments_of,
    random_game,
    random_shown,
    replayed,
    start_of,
)
from tests.advice.sender_scenes import seat_of, sends
from tests.games.random_matches import settings_of
from tests.games.scenes import after_results, game
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.moments import moments_of as moments_of_view
from tierce.solver.advice.paths import ANSWER, DISCARD, FREE, KITTY, PARCEL, REMOVED, Paths
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.advice.sender_worlds import SenderWorlds
from tierce.solver.advice.worlds import PHASES, DealerWorlds
from tierce.solver.cards import bit, cards_of, parse_card
from tierce.solver.games import Action, Profile, State, game_names, view
from tierce.solver.games.phases import TWO


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
        course = next(
            each for each in histories(state, actions, seat) if has_hidden(each, seat) == bool(hidden_of(world, seat))
        )
        other = replayed(start, course, seat, deal_of(world, seen, state, course), world)
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
        truth = {
            key_of_state(other, told=kitty)
            for course in histories(state, actions, seat)
            for other in lookalikes(start, state, course, seat)
        }
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


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(8))
def test_all_worlds_of_more_small_deals(piece: int) -> None:
    """Kitties, discards and kitty cards shown among them."""
    found = Counter[str]()
    for seed in range(1000 * piece, 1000 * piece + (30 if piece % 2 else 4)):
        rng = random.Random(seed)
        if piece % 2:
            found += check_all(seed, random_shown(rng, 3, 4, ("plain", "at_once")), 0.5)
        else:
            shapes = ("kitty", "kitty") if piece % 4 else ("kitty_last", "at_once_kitty", "swap", "kitty_before")
            found += check_all(seed, random_shown(rng, 3, 3, shapes), 0.2)
    assert found.total() > 5


# ---- as the worlds before the play -----------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_as_many_as_the_dealers_and_the_senders_own_rooms_count(seed: int) -> None:
    rng = random.Random(f"rooms {seed}")
    for _, state, _ in moments_of(rng, start_of(rng, random_game(rng)), 1):
        if state.phase == "PLAY":
            return
        if state.phase in PHASES and (state.phase != "SWAP" or state.hands[0] & bit(TWO)):
            assert PlayWorlds(view(state, 0)).count == DealerWorlds(view(state, 0)).count
        if sends(state) and state.swapper in (None, seat_of(state)):  # else it matters here which card was taken up
            seen = view(state, seat_of(state))
            assert PlayWorlds(seen).count == SenderWorlds(seen).count


# ---- evenly drawn ----------------------------------------------------------------------------------------------------


def even(worlds: PlayWorlds, seed: int, times: int) -> None:
    """Chi-square with a fixed seed: 5 standard deviations would be a fault of the draw, not of chance."""
    draws = Draws(seed)
    found = Counter(worlds.draw(draws) for _ in range(times * worlds.count))
    assert set(found) == set(worlds) and len(found) == worlds.count
    free = worlds.count - 1
    chi2 = sum((each - times) ** 2 / times for each in found.values())
    assert abs(chi2 - free) < 5 * (2 * free) ** 0.5


CASES: Final = (
    ("plain", 3, 4, (1, 1, -2), 0, "the dealer got cards from one who had got others"),
    ("plain", 3, 4, (1, 1, -2), 1, "a sender did not see the other's parcel"),
    ("plain", 3, 4, (0, 2, -2), 0, "the dealer saw nothing of the exchange"),
    ("at_once", 3, 4, (1, 1, -2), 1, "both parcels answered at once"),
    ("kitty", 3, 3, (-1, 1, 0), 1, "the dealer answered, discarded and took the kitty"),
    ("kitty", 3, 3, (-1, 1, 0), 2, "of all that middle saw nothing"),
    ("kitty_last", 3, 3, (-1, 0, 1), 2, "the dealer answered, and discarded with the kitty in hand"),
    ("swap", 3, 3, (-1, 0, 1), 1, "the dealer discarded, then got cards and gave others"),
)


@pytest.mark.parametrize("case", CASES, ids=[case[-1] for case in CASES])
def test_every_world_is_drawn_as_often(case: tuple[str, int, int, tuple[int, int, int], int, str]) -> None:
    shape, ranks, hand, balances, seat, why = case
    start = after_results(small(shape, ranks, hand), balances)
    for seed in range(300):
        rng = random.Random(f"{why} {seed}")
        for _, state, _ in moments_of(rng, start, 0.3):
            if state.phase == "PLAY" and (state.trick or state.tricks):
                worlds = PlayWorlds(view(state, seat))
                if 20 < worlds.count < 150:
                    even(worlds, seed, 40)
                    return
    pytest.fail("no such moment")


# ---- deals of the package's games ------------------------------------------------------------------------------------


def check_truth(state: State, seat: int) -> None:
    """The truth is among the worlds: each card went one of the ways left to it, and the numbers of cards are right."""
    moments = moments_of_view(seen := view(state, seat))
    hidden = moments[0].hidden
    unseen = None if hidden is None else state.transfers[hidden]
    paths = next(
        Paths(seen, each) for each in moments if (("send", hidden) in each.made) == bool(unseen and unseen.sent)
    )
    lead = key_of_state(state, told=True)[0]
    for card in map(bit, cards_of(state.profile.pack)):
        place = next((each for each in range(3) if lead[each] & card), None)
        if place is None:
            place = DISCARD if card & state.discard else REMOVED if card & state.removed else KITTY
        marks = (PARCEL if unseen and card & unseen.sent else 0) | (ANSWER if unseen and card & unseen.returned else 0)
        left = [*paths.of(card), *(paths.of(card, taken_up=True) if card == state.taken_up else ())]
        assert any(
            each.marks & (PARCEL | ANSWER) == marks
            and (each.place == place or (place == DISCARD and each.place == 0 and each.marks & FREE))
            for each in left
        )


def check_game(name: str, seed: int, share: float, times: int) -> None:
    rng = random.Random(f"{name} {seed}")
    profile = settings_of(rng, name) if seed else game(name)
    for moment in moments_of(rng, start_of(rng, profile), share):
        seat = rng.randrange(3)
        check_truth(moment[1], seat)
        check_draws(seed, *moment, seat, times)


@pytest.mark.parametrize("name", game_names(3))
def test_worlds_of_every_game(name: str) -> None:
    check_game(name, 0, 0.12, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names(3))
def test_many_worlds_of_every_game(name: str) -> None:
    for seed in range(1, 16):
        check_game(name, seed, 0.1, 40)


# ---- the up-card -----------------------------------------------------------------------------------------------------


@pytest.fixture
def jack(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pack of sixteen cards the jack of diamonds stands for the two."""
    for module in ("tierce.solver.games.phases", "tests.advice.play_scenes"):
        monkeypatch.setattr(f"{module}.TWO", parse_card("DJ"))
    monkeypatch.setattr("tierce.solver.advice.paths._TWO", bit(parse_card("DJ")))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_all_worlds_of_a_small_game_with_an_up_card(seed: int, jack: None) -> None:
    time = ("after_trump", "after_deal", "after_exchange")[seed % 3]
    profile = replace(game("nine_five_three_one_card", swap_time=time), ranks=4, hand=5, quotas=(3, 1, 1))
    found = check_all(seed, profile, 0.15)
    assert found.total()
