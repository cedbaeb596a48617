"""The worlds that fit a dealer's view, against deals played again by the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, prod
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.advice.exchanges import (
    brute,
    cut_of,
    deal_of_world,
    decisions,
    hidden_of,
    random_large,
    random_small,
    replayed,
    scene,
    small,
    state_key,
    world_key,
)
from tests.games.random_matches import chosen, settings_of
from tests.games.scenes import D, E, M, after_results, deal_of, game, go, refusal, second_deal
from tests.games.words import mask, names
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.story import stories
from tierce.solver.advice.worlds import DealerWorlds, World
from tierce.solver.cards import Mask, bit
from tierce.solver.games import (
    Action,
    DealCards,
    NameTrump,
    Profile,
    Send,
    State,
    Swap,
    apply,
    automatic,
    game_names,
    new_match,
    settle,
    view,
)
from tierce.solver.games.phases import TWO


def joint(worlds: DealerWorlds) -> bool:
    """Was something seen after the unseen parcel?"""
    return any(story.joint for story in stories(worlds.view))


# ---- worlds played again ---------------------------------------------------------------------------------------------


def check_draws(seed: int, profile: Profile, start: State, state: State, actions: list[Action]) -> bool:
    """Draw worlds and play each again from its own deal: the dealer sees what he saw."""
    before = view(state, D)
    worlds, draws = DealerWorlds(before), Draws(seed)
    for _ in range(3):
        world = worlds.draw(draws)
        other = replayed(start, actions, deal_of_world(world, state, actions), hidden_of(world.transfers))
        assert view(other, D) == before, (seed, world)
        assert state_key(other) == world_key(world, owed=worlds.owed)
        if worlds.owed:
            check_answers(worlds, world, other)
    check_truth(state, actions, start)
    return joint(worlds)


def check_answers(worlds: DealerWorlds, world: World, state: State) -> None:
    """What is still owed comes back as the world has it."""
    after = settle(apply(state, NameTrump(D, 0)))
    assert after.transfers == world.transfers
    assert after.hands == worlds.hands_to_play(world)


def check_truth(state: State, actions: list[Action], start: State) -> None:
    """The true hands are among the layouts, and lead to what came after."""
    began = start
    for action in actions:
        if isinstance(action, Send):
            break
        began = apply(began, action)
    fits = False
    for story in stories(view(state, D)):
        if not state.transfers:
            began = state
        hands = cut_of(story, began.hands, state.transfers)
        held = all(not hands[seat] & story.barred[seat - 1] for seat in (E, M))
        sizes = tuple(hands[seat].bit_count() for seat in (E, M)) == story.capacities[:2]
        found = story.run(hands[E], hands[M], hidden_of(state.transfers))
        fits |= held and sizes and found is not None and found[0] == state.hands
    assert fits


def scenes_of(seed: int) -> Iterator[tuple[Profile, State, State, list[Action]]]:
    """The dealer's decisions of a random deal after an exchange: games of the package, small ones in between."""
    rng = random.Random(f"worlds {seed}")
    if rng.random() < 0.6:
        profile = random_large(rng)
    else:
        profile = random_small(rng, *rng.choice(((3, 4), (3, 3), (4, 5), (4, 4), (5, 6), (5, 5))))
    start = scene(rng, profile, min(rng.choice((1, 2, 2, 3, 5)), profile.hand - 1), three=rng.random() < 0.8)
    for state, actions in decisions(rng, start):
        yield profile, start, state, actions


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_worlds_look_to_the_dealer_like_the_truth(seed: int) -> None:
    for profile, start, state, actions in scenes_of(seed):
        check_draws(seed, profile, start, state, actions)


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(10))
def test_many_worlds_look_to_the_dealer_like_the_truth(piece: int) -> None:
    seen = Counter(
        check_draws(seed, profile, start, state, actions)
        for seed in range(1000 * piece, 1000 * piece + 150)
        for profile, start, state, actions in scenes_of(seed)
    )
    assert seen[True] > 10 and seen[False] > 100


@pytest.mark.parametrize("name", game_names(3))
def test_first_deals(name: str) -> None:
    """No exchange yet; an auction may have changed the seats."""
    for seed in range(3):
        rng = random.Random(f"{name} {seed}")
        profile = settings_of(rng, name)
        state = new_match(profile, seed)
        while state.phase != "PLAY":
            if state.phase in ("TRUMP", "CALL", "DISCARD"):
                before = view(state, D)
                worlds = DealerWorlds(before)
                world = worlds.draw(Draws(seed))
                assert world.hands[D] == state.hands[D] and world.transfers == ()
                assert [hand.bit_count() for hand in world.hands] == list(before.counts)
                cards = [*world.hands, world.kitty, world.removed, state.discard]
                assert sum(cards) == profile.pack and sum(each.bit_count() for each in cards) == 4 * profile.ranks
                open_two = bit(TWO) & before.unseen and state.swapper in (E, M)
                if not open_two and not state.swapped:
                    sizes = (before.counts[E], before.counts[M], before.kitty)
                    hidden = before.unseen.bit_count()
                    assert worlds.count == factorial(hidden) // prod(map(factorial, (*sizes, hidden - sum(sizes))))
            state = apply(state, chosen(rng, state))


# ---- counts of small packs -------------------------------------------------------------------------------------------


def check_all(seed: int, ranks: int, hand: int, shapes: tuple[str, ...]) -> Counter[bool]:
    """All worlds of a random exchange are all deals and parcels that look the same, each once."""
    rng = random.Random(f"count {seed}")
    profile = random_small(rng, ranks, hand, shapes)
    start = scene(rng, profile, min(rng.choice((2, 2, 3)), hand - 1), three=rng.random() < 0.9)
    found = Counter[bool]()
    for state, actions in decisions(rng, start):
        worlds = DealerWorlds(view(state, D))
        truth = brute(start, state, actions)
        listed = [world_key(world, owed=worlds.owed) for world in worlds]
        assert worlds.count == len(listed) == len(truth) and set(listed) == truth, seed
        assert state_key(state) in truth
        draws = Draws(seed)
        assert all(world_key(worlds.draw(draws), owed=worlds.owed) in truth for _ in range(5))
        found[joint(worlds)] += 1
    return found


@pytest.mark.parametrize("piece", range(6))
def test_all_worlds_of_twelve_cards(piece: int) -> None:
    found = sum((check_all(seed, 3, 4, ("plain", "at_once")) for seed in range(6 * piece, 6 * piece + 6)), Counter())
    assert found[False]


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(12))
def test_all_worlds_of_many_small_exchanges(piece: int) -> None:
    shapes = ("plain", "at_once") if piece % 3 else ("kitty", "kitty_last", "kitty_before", "swap", "at_once_kitty")
    sizes, times = {0: ((3, 3), 12), 1: ((3, 4), 60), 2: ((4, 5), 4)}[piece % 3]
    for seed in range(1000 * piece, 1000 * piece + times):
        check_all(seed, *sizes, shapes)


# ---- evenly drawn ----------------------------------------------------------------------------------------------------


def check_even(worlds: DealerWorlds, seed: int, times: int) -> None:
    """Chi-square with a fixed seed: 5 standard deviations would be a fault of the draw, not of chance."""
    draws = Draws(seed)
    found = Counter(worlds.draw(draws) for _ in range(times * worlds.count))
    assert set(found) == set(worlds) and len(found) == worlds.count
    free = worlds.count - 1
    chi2 = sum((each - times) ** 2 / times for each in found.values())
    assert abs(chi2 - free) < 5 * (2 * free) ** 0.5


CASES: Final = (
    ("plain", (1, 1, -2), (1, 1, 2), "one after the other, the dealer first"),
    ("plain", (1, 1, -2), (0, 2, 2), "eldest first: what came back to the dealer may have been in the unseen parcel"),
    ("plain", (-1, 2, -1), (2, 2, 0), "eldest serves middle first: what the dealer got may have been middle's"),
    ("at_once", (1, 1, -2), (1, 1, 2), "both parcels answered at once"),
)


@pytest.mark.parametrize(("shape", "balances", "quotas", "why"), CASES, ids=[case[-1] for case in CASES])
def test_every_world_is_drawn_as_often(
    shape: str, balances: tuple[int, int, int], quotas: tuple[int, int, int], why: str
) -> None:
    options: dict[str, Any] = {"exchange_order_two_down": "lowest_quota_first"} if shape == "plain" else {}
    profile = small(shape, 3, 4, quotas, **options)
    for seed in range(20):
        ((state, _),) = decisions(random.Random(f"{why} {seed}"), after_results(profile, balances))
        worlds = DealerWorlds(view(state, D))
        if joint(worlds) == ("may have" in why or shape == "at_once") and 20 < worlds.count < 120:
            check_even(worlds, seed, 40)
            return
    pytest.fail("no such exchange")


def test_the_worlds_of_a_seed_never_change() -> None:
    state = settle(apply(second_deal(game("raf"), (1, -1, 0)), Send(D, E, mask("S5"))))
    worlds = DealerWorlds(view(state, D))
    one, two = ([worlds.draw(draws) for _ in range(3)] for draws in (Draws(4), Draws(4)))
    assert one == two and one != [worlds.draw(Draws(5)) for _ in range(3)]
    assert names(one[0].kitty) == ["SA", "S8", "CJ", "C7"]


# ---- by hand ---------------------------------------------------------------------------------------------------------


def seats_that_can_hold(worlds: DealerWorlds, card: Mask, draws: int = 200) -> set[str]:
    """Where a card is in many worlds."""
    stream, found = Draws(11), set()
    for _ in range(draws):
        world = worlds.draw(stream)
        places = {"D": world.hands[D], "E": world.hands[E], "M": world.hands[M], "kitty": world.kitty}
        found |= {place for place, cards in places.items() if cards & card}
    return found


def test_a_returned_card_caps_the_hand_but_not_the_kitty() -> None:
    """E returned HJ for H2: the higher hearts the dealer has not are with M or in the kitty."""
    deal = deal_of(game("raf"), d="H2 HA", e="HJ", m="HK HQ")
    state = settle(apply(second_deal(game("raf"), (1, -1, 0), deal), Send(D, E, mask("H2"))))
    worlds = DealerWorlds(view(state, D))
    assert names(state.transfers[0].returned) == ["HJ"]
    assert seats_that_can_hold(worlds, mask("HK")) == seats_that_can_hold(worlds, mask("HQ")) == {"M", "kitty"}
    assert seats_that_can_hold(worlds, mask("H2")) == {"E"}
    assert seats_that_can_hold(worlds, mask("HT")) == {"E", "M", "kitty"}


def test_own_cards_come_back_though_they_are_lower() -> None:
    """own_top_n: E gave H3 for HQ, so it has no other heart above it; for the default rule it could give HQ only."""
    deal = deal_of(game("raf", return_rule="own_top_n"), d="HQ", e="H3", m="H4 H5 H6 H7 H8 H9 HT HJ HK HA", kitty="H2")
    state = settle(apply(second_deal(game("raf", return_rule="own_top_n"), (1, -1, 0), deal), Send(D, E, mask("HQ"))))
    assert names(state.transfers[0].returned) == ["H3"]
    worlds = DealerWorlds(view(state, D))
    assert seats_that_can_hold(worlds, mask("H4")) == {"M", "kitty"}
    assert seats_that_can_hold(worlds, mask("H2")) == {"E", "M", "kitty"}


def test_a_parcel_of_the_others_may_hold_any_cards() -> None:
    """E sent one card to M: as many parcels as cards, for each layout before."""
    state = second_deal(game("raf"), (0, 1, -1))
    state = settle(apply(state, Send(E, M, state.hands[E] & -state.hands[E])))
    worlds = DealerWorlds(view(state, D))
    assert worlds.count == comb(36, 16) * comb(20, 16) * 16
    world = worlds.draw(Draws(2))
    (transfer,) = world.transfers
    assert transfer.sent & ~world.hands[M] == 0 or transfer.sent == transfer.returned
    assert transfer.returned & ~world.hands[E] == 0 and transfer.count == transfer.sent.bit_count() == 1


def test_the_hand_that_took_the_up_card_held_the_two() -> None:
    """M took DA for D2 after an exchange between E and M: D2 was in its hand then, and may have come in the parcel."""
    profile = game("nine_five_three_one_card", swap_time="after_exchange")
    deal = deal_of(profile, d="SA", e="D2 S3", m="DK", kitty="DA")
    state = settle(apply(second_deal(profile, (0, 1, -1), deal), Send(E, M, mask("D2"))))
    state = settle(apply(state, Swap(M, True)))
    worlds = DealerWorlds(view(state, D))
    assert joint(worlds)
    assert seats_that_can_hold(worlds, mask("DA")) == {"M"} and seats_that_can_hold(worlds, mask("D2")) == {"kitty"}
    sent = Counter(names(worlds.draw(Draws(seed)).transfers[0].sent)[0] for seed in range(300))
    assert 0 < sent["D2"] < 100


def test_a_card_taken_up_may_have_come_to_the_dealer_by_way_of_a_parcel() -> None:
    """M took DA, gave it to E for D3, and E sent it to D with SK: D's view does not tell which of the two lay open."""
    profile = game("nine_five_three_one_card", swap_time="after_deal")
    deal = deal_of(profile, d="SA HA", e="D3 SK S3", m="D2 S4", kitty="DA")
    start = after_results(profile, (-2, 3, -1))
    actions: list[Action] = [DealCards(deal), Swap(M, True), Send(E, M, mask("D3"))]
    state = start
    for action in actions:
        state = apply(state, action)
    while (due := automatic(state)) is not None or state.phase != "TRUMP":
        actions.append(due or Send(E, D, mask("DA SK")))
        state = apply(state, actions[-1])
    assert names(state.transfers[0].returned) == ["DA"]
    assert len(stories(view(state, D))) == 2
    assert check_draws(0, profile, start, state, actions)
    worlds = DealerWorlds(view(state, D))
    began = [deal_of_world(worlds.draw(Draws(seed)), state, actions) for seed in range(100)]
    assert {names(each.kitty)[0] for each in began} == {"DA", "SK"}


def test_a_hidden_card_out_of_the_pack() -> None:
    profile = game("six_three_eight", removed_card="random_hidden")
    state = apply(new_match(profile), DealCards(deal_of(profile, kitty="C7")))
    world = DealerWorlds(view(state, D)).draw(Draws(3))
    assert world.removed.bit_count() == 1 and not world.removed & state.hands[D] and world.kitty == 0
    open_ = go(apply(new_match(game("six_three_eight")), DealCards(deal_of(game("six_three_eight")))), "TRUMP")
    assert names(DealerWorlds(view(open_, D)).draw(Draws(3)).removed) == ["S2"]


@pytest.mark.parametrize(
    ("phase", "seat"), [("TRUMP", E), ("TRUMP", M), ("DISCARD", E), ("PLAY", D), ("EXCHANGE", D), ("DEAL", D)]
)
def test_views_that_are_no_decision_of_the_dealers(phase: str, seat: int) -> None:
    state = second_deal(game("raf"), (1, -1, 0)) if phase == "EXCHANGE" else new_match(game("raf"))
    state = go(state, phase) if phase not in ("EXCHANGE", "DEAL") else state
    code, field, message = refusal(lambda: DealerWorlds(view(state, seat)))
    assert (code, field) == ("view", "view")
    assert message.startswith("expected a view of the dealer's (seat 0) in one of the phases TRUMP CALL DISCARD SWAP, ")


def test_the_swap_is_the_dealers_decision_if_he_holds_the_two() -> None:
    profile = game("nine_five_three_one_card", swap_time="after_deal")
    for holder, message in ((D, ""), (E, "expected the dealer to hold the two that is swapped, found it elsewhere")):
        deal = deal_of(profile, d="D2" if holder == D else "", e="D2" if holder == E else "", kitty="SA")
        state = second_deal(profile, (1, -1, 0), deal)
        assert state.phase == "SWAP"
        if message:
            assert refusal(lambda state=state: DealerWorlds(view(state, D))) == ("view", "view", message)  # type: ignore[misc]
        else:
            assert DealerWorlds(view(state, D)).draw(Draws(0)).kitty == mask("SA")


def test_what_is_no_view() -> None:
    with pytest.raises(TypeError, match="expected a View"):
        DealerWorlds("raf")  # type: ignore[arg-type]
