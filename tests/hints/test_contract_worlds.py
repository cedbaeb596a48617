"""Worlds of four hands: as many and as likely as a plain listing has them, and the same view seen from each of them."""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, exp, fsum, log

import pytest

from tests.hints.contract_moments import any_profile, decisions, few_unknown, one, seen_by_mover, speaking
from tierce.solver.advice import PlayWorlds
from tierce.solver.advice.draws import Draws
from tierce.solver.cards import ALL_CARDS, LANE, Mask, bit, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import Bid, DealCards, NameTrump, Play, State, View, apply, load_game, new_match, settle, view
from tierce.solver.hints.auction_ahead import auction_weight
from tierce.solver.hints.card_search import side_of
from tierce.solver.hints.means import counted
from tierce.solver.hints.simple import scene_of
from tierce.solver.hints.worlds import Picked, Worlds

SOLO = load_game("solo_whist")
THREE = (None, None, None)  # passes


def played_on(seed: int, left: int, *bids: str | None) -> State:
    """A deal played at random until so many cards are in each hand, and then somewhat into a trick."""
    rng = random.Random(f"{seed} {left} {bids}")
    state = settle(speaking(seed, *bids, dealer=seed % 4))
    more = rng.randrange(4)
    while state.phase == "PLAY" and (len(state.tricks) < 13 - left or len(state.trick) < more):
        state = apply(state, Play(state.mover, rng.choice(state.playable(state.mover))))
    return state


def replayed(state: State, hands: Sequence[Mask]) -> State:
    """The same deal with other hands, action by action, by the rules."""
    again = apply(new_match(state.profile, state.dealer), DealCards(Deal(tuple(hands)), state.turned))
    for seat, word in state.bids:
        again = apply(again, Bid(seat, word))
    if again.phase == "TRUMP":
        assert state.contract is not None
        again = apply(again, NameTrump(state.contract.declarers[0], state.contract.trump))
    for leader, cards in (*((each.leader, each.cards) for each in state.tricks), (state.leader, state.trick)):
        for place, card in enumerate(cards):
            again = apply(again, Play((leader + place) % 4, card))
    return again


def listed(seen: View) -> Iterator[tuple[Mask, ...]]:
    """All hands that fit, plainly: every way to deal the cards that are not seen, held against what is known."""
    a, b, c = ((seen.seat + step) % 4 for step in (1, 2, 3))
    cards = [bit(card) for card in cards_of(ALL_CARDS & ~seen.hand & ~out(seen))]
    for first in combinations(cards, seen.counts[a]):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, seen.counts[b]):
            hands = [0, 0, 0, 0]
            hands[seen.seat], hands[a], hands[b] = seen.hand, sum(first), sum(second)
            hands[c] = sum(rest) - hands[b]
            if all(hands[seat] & seen.known[seat] == seen.known[seat] for seat in range(4)) and not any(
                hands[seat] & LANE << 16 * suit
                for seat in range(4)
                for suit in range(4)
                if seen.voids[seat] >> suit & 1
            ):
                yield tuple(hands)


def out(seen: View) -> Mask:
    """The cards played."""
    return mask_of(card for trick in seen.tricks for card in trick.cards) | mask_of(seen.trick)


# ---- counted and drawn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "bids", [("solo", None, None, None), ("prop", None, "cop", None), ("misere_ouverte", None, None, None)]
)
def test_all_worlds_of_an_ending(seed: int, bids: tuple[str | None, ...]) -> None:
    state = played_on(seed, 2 + seed % 2, *bids)
    assert state.phase == "PLAY"
    for seat in range(4):
        seen = view(state, seat)
        worlds = PlayWorlds(seen)
        truth = set(listed(seen))
        found = [each.hands_now for each in worlds]
        assert worlds.count == len(found) == len(truth) and set(found) == truth
        assert state.hands in truth
        draws = Draws(seed)
        assert all(worlds.draw(draws).hands_now in truth for _ in range(20))


def test_every_world_is_drawn_as_often() -> None:
    """Chi-square with a fixed seed: 5 standard deviations would be a fault of the draw, not of chance."""
    tried = 0
    for seed in range(30):
        state = played_on(seed, 3, "prop", "cop", None, None)
        worlds = PlayWorlds(view(state, (state.mover + seed) % 4))
        if not 30 < worlds.count < 100:
            continue
        draws = Draws(seed)
        found = Counter(worlds.draw(draws).hands_now for _ in range(40 * worlds.count))
        assert len(found) == worlds.count
        chi2 = sum((each - 40) ** 2 / 40 for each in found.values())
        free = worlds.count - 1
        assert abs(chi2 - free) < 5 * (2 * free) ** 0.5
        tried += 1
    assert tried >= 5


def test_worlds_before_the_play() -> None:
    """The dealer's turned-up card is known to all, and to him it is one of his own."""
    state = speaking(3, dealer=2)
    assert PlayWorlds(view(state, 0)).count == comb(38, 13) * comb(25, 13)
    assert PlayWorlds(view(state, 2)).count == comb(39, 13) * comb(26, 13)
    few = few_unknown(speaking(3, "prop"), 2, random.Random(1))
    assert PlayWorlds(few).count == comb(6, 2) * comb(4, 2) == len(list(PlayWorlds(few)))


@pytest.mark.parametrize("seed", range(6))
def test_drawn_worlds_play_again_to_the_same_view(seed: int) -> None:
    rng = random.Random(f"again {seed}")
    checked = 0
    for state in decisions(rng, any_profile(rng), 4):
        if rng.random() > 0.12:
            continue
        seat = rng.randrange(4)
        seen = view(state, seat)
        draws = Draws(seed)
        for _ in range(2):
            world = PlayWorlds(seen).draw(draws)
            again = replace(replayed(state, world.hands_at_lead), results=state.results, totals=state.totals)
            assert view(replace(again, steps=state.steps), seat) == seen
            assert (world.kitty, world.discard, world.transfers) == (0, 0, ())
            checked += 1
    assert checked > 20


def test_an_open_hand_lies_where_it_is() -> None:
    state = settle(speaking(5, "misere_ouverte", None, None, None))
    while not state.tricks:
        state = apply(state, Play(state.mover, state.playable(state.mover)[0]))
    assert state.contract is not None
    declarer = state.contract.declarers[0]
    for seat in range(4):
        world = PlayWorlds(view(state, seat)).draw(Draws(1))
        assert world.hands_now[declarer] == state.hands[declarer]


# ---- what contradicts itself -----------------------------------------------------------------------------------------


def refused(seen: View) -> str:
    with pytest.raises(InputError) as caught:
        PlayWorlds(seen)
    assert (caught.value.code, caught.value.field) == ("view", "view")
    return caught.value.message


def test_what_fits_no_cards() -> None:
    state = speaking(3, dealer=2)
    seen = view(state, 0)
    assert state.turned is not None
    suit = state.turned >> 4
    voids = (0, 0, 1 << suit, 0)
    assert "in the hand of South, which has shown a void" in refused(replace(seen, voids=voids))
    assert "expected a place for" in refused(replace(seen, voids=(0, 1, 1, 1)))
    assert "more cards for the hand of East" in refused(replace(seen, voids=(0, 15, 0, 0)))
    assert "cards in the hand" in refused(replace(seen, hand=seen.hand & (seen.hand - 1)))
    two = replace(seen, known=(seen.hand, bit(one("SA")) & ~seen.hand or bit(one("HA")), seen.known[2], seen.known[1]))
    doubled = replace(two, known=(*two.known[:3], two.known[1]))
    assert "in two" in refused(doubled)
    assert "a moment at which hands are held" in refused(view(new_match(SOLO), 0))


# ---- weighed ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_weights(seed: int) -> None:
    rng = random.Random(f"weights {seed}")
    states = [state for state in decisions(rng, SOLO, 4) if state.phase == "PLAY"]
    for state in rng.sample(states, 3):
        seen = seen_by_mover(state)
        worlds, again = Worlds(seen, seed=2), Worlds(seen, seed=2)
        worlds.more(20)
        worlds.more(10)
        again.more(30)
        assert (worlds.weights, worlds.packed) == (again.weights, again.packed)
        assert max(worlds.weights) == 1.0 and min(worlds.weights) > 0
        flat = Worlds(seen, seed=2, infer=False)
        flat.more(30)
        assert flat.weights == [1.0] * 30 and flat.packed == worlds.packed


def test_bids_weigh_as_the_auction_says() -> None:
    """At the first lead nothing else is known of the others."""
    state = settle(speaking(11, None, "solo", None, None))
    seen = view(state, state.mover)
    assert state.contract is not None and state.mover not in state.contract.declarers
    worlds = Worlds(seen)
    worlds.more(40)
    due = [log(auction_weight(seen, each.hands_at_lead)) for each in worlds.worlds]
    assert worlds.weights == pytest.approx([exp(each - max(due)) for each in due])
    assert max(worlds.weights) > 3 * min(worlds.weights)


def test_worlds_are_picked_as_their_weights_say() -> None:
    """Of each lot every world as often as its part of the weight, to one more or less."""
    seen = seen_by_mover(played_on(11, 8, None, "solo", None, None))
    picked = Picked(Worlds(seen))
    picked.more(40)
    assert len(picked) == len(picked.worlds) == 40 and len(picked.packed) == 32 * 40 and set(picked.weights) == {1.0}
    source = Worlds(seen)
    source.more(320)
    for lot in range(5):
        weights = source.weights[64 * lot : 64 * lot + 64]
        found = Counter(each.hands_now for each in picked.worlds[8 * lot : 8 * lot + 8])
        for world, weight in zip(source.worlds[64 * lot : 64 * lot + 64], weights, strict=True):
            assert abs(found[world.hands_now] - 8 * weight / fsum(weights)) <= 1
    assert 5 < picked.effective <= 40 and picked.effective > counted(source.weights[:40])


# ---- playouts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bids", [("solo", None, None, None), ("prop", None, "cop", None), ("misere", None, None, None)]
)
@pytest.mark.parametrize("left", [13, 9, 4])
def test_a_playout_is_what_four_players_do_who_see_their_own_cards(bids: tuple[str | None, ...], left: int) -> None:
    for seed in range(4):
        state = played_on(seed, left, *bids)
        scene = scene_of(seen_by_mover(state))
        (tricks,) = scene.play(struct.pack("4Q", *state.hands), b"\xff")
        side = side_of(seen_by_mover(state))
        before = sum(state.taken[seat] for seat in side)
        while state.phase == "PLAY":
            card = scene_of(view(state, state.mover)).choice(state.hands[state.mover])
            state = apply(state, Play(state.mover, card))
        assert tricks == sum(state.taken[seat] for seat in side) - before
