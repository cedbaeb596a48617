"""What a seat of Solo Whist knows: the turned card, an open hand, voids, and no card it has not seen."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.games.scenes import refusal
from tests.games.solo_matches import auction, chosen, lowest, played, settings_of
from tierce.solver.cards import ALL_CARDS, bit, card_name, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.games import NameTrump, Play, State, apply, view

PUBLIC = (
    "profile", "dealer", "phase", "to_move", "results", "totals", "quotas", "bids", "call", "counts", "leader", "trick",
    "tricks", "taken", "voids", "turned", "contract", "exposed",
)  # fmt: skip


def exchanged(state: State, one: int, other: int) -> State:
    """The state with two cards in each other's place."""
    both = bit(one) | bit(other)

    def swap(cards: int) -> int:
        return cards ^ both if (cards >> one ^ cards >> other) & 1 else cards

    assert state.dealt is not None
    hands = tuple(map(swap, state.hands))
    return replace(state, hands=hands, dealt=Deal(tuple(map(swap, state.dealt.hands))))


def check_view(rng: random.Random, state: State) -> None:
    gone = mask_of(card for trick in state.tricks for card in trick.cards) | mask_of(state.trick)
    assert state.turned is not None
    open_ = gone | state.exposed | bit(state.turned)
    views = [view(state, seat) for seat in range(4)]
    for seat, seen in enumerate(views):
        assert seen.hand == state.hands[seat] and seen.seen == seen.hand | open_
        assert seen.unseen == ALL_CARDS & ~seen.seen and seen.traced == (0, 0, 0, 0)
        for other in range(4):
            known = state.hands[other] if other == seat else state.hands[other] & open_
            assert seen.known[other] == known
        for name in PUBLIC:
            assert getattr(seen, name) == getattr(views[0], name), name
        unseen = cards_of(seen.unseen)
        if len(unseen) > 1:
            one, other = rng.sample(unseen, 2)
            assert view(exchanged(state, one, other), seat) == seen
    for each, suits in enumerate(views[0].voids):
        for suit in range(4):
            if suits >> suit & 1:
                assert not state.hands[each] & 0x1FFF << 16 * suit


@pytest.mark.parametrize("seed", range(12))
def test_a_view_holds_no_unseen_card(seed: int) -> None:
    rng = random.Random(f"view {seed}")
    for _, _, state in played(rng, settings_of(rng), deals=4):
        if state.dealt is not None and rng.random() < 0.25:
            check_view(rng, state)


def test_the_turned_card_is_known_until_it_is_played() -> None:
    state = auction("solo", None, None, None)
    card = state.turned
    assert card is not None
    for seat in range(3):
        seen = view(state, seat)
        assert seen.known[3] == bit(card) and not seen.unseen & bit(card) and seen.turned == card
        assert f"turned up: {card_name(card)}" in str(seen) and f"known of West: {'.' if card // 16 else ''}" in str(
            seen
        )
    rng = random.Random(2)
    while state.hands[3] & bit(card):
        state = apply(state, chosen(rng, state, 0.0))
    assert view(state, 0).known[3] == 0 and view(state, 0).turned == card


@pytest.mark.parametrize("name", ["misere", "misere_ouverte"])
def test_the_open_hand_of_misere_ouverte(name: str) -> None:
    """Known to all from the second trick on, and not before; an ordinary Misère's is never."""
    state = auction(None, name, None, None)
    for number in range(12):
        seen = view(state, 2)
        open_ = name == "misere_ouverte" and len(state.tricks) > 0
        assert seen.exposed == (state.hands[1] if open_ else 0)
        assert (seen.known[1] == state.hands[1]) == open_ or not state.hands[1]
        state = apply(state, Play(state.mover, lowest(mask_of(state.playable(state.mover)))))
        assert number < 11 or len(state.tricks) == 3


def test_the_bidder_s_turn_is_seen_by_all() -> None:
    state = auction("prop")
    assert [view(state, seat).to_move for seat in range(4)] == [1] * 4
    named = auction(None, "abundance", None, None)
    assert (named.phase, view(named, 3).to_move, view(named, 3).call) == ("TRUMP", 1, "")
    after = view(apply(named, NameTrump(1, 2)), 3)
    assert (after.call, after.to_move) == ("D", 0) and after.contract is not None
    assert str(after).splitlines()[0] == "West, in the phase PLAY: North to move"


def test_a_seat_that_is_none() -> None:
    for seat in (4, -1, "N", True):
        code, field, message = refusal(lambda seat=seat: view(auction(), seat))  # type: ignore[misc]
        assert field == "seat" and "0, 1, 2 or 3" in message and code
