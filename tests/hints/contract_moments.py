"""Random moments of Solo Whist at which a player decides, and views of the auction with few cards unknown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tierce.solver.cards import ALL_CARDS, Mask, bit, cards_of, mask_of
from tierce.solver.games import (
    Bid,
    Claim,
    Profile,
    State,
    View,
    apply,
    deal_by_lot,
    legal,
    load_game,
    new_match,
    settle,
    view,
)

GAME = "solo_whist"


def any_profile(rng: random.Random) -> Profile:
    """The game with its options set at random."""
    given = {name: rng.random() < 0.5 for name in ("self_raise", "ait_open", "ad_trump", "prop_raise")}
    schedule = rng.choice(("none", "fives", "pence", "cents"))
    return load_game(GAME, {**given, "overtrick_schedule": schedule})


def decisions(rng: random.Random, profile: Profile, deals: int) -> Iterator[State]:
    """Every moment of some deals at which somebody decides; what is done is any of what is legal."""
    state = new_match(profile, rng.randrange(4))
    for _ in range(deals):
        state = apply(state, deal_by_lot(profile, rng.randrange(1 << 30), 0, state.dealer))
        while state.phase not in ("DEAL", "OVER"):
            yield state
            open_ = next(each for each in legal(state) if each.kind is not Claim)
            action = rng.choice(open_.choices)
            if open_.kind is Bid and rng.random() < 0.6:
                action = open_.choices[-1]
            state = settle(apply(state, action))
        if state.phase == "OVER":
            return


def speaking(seed: int, *bids: str | None, profile: Profile | None = None, dealer: int = 0) -> State:
    """A deal by lot after some bids."""
    profile = profile or load_game(GAME)
    state = apply(new_match(profile, dealer), deal_by_lot(profile, seed, 0, dealer))
    for bid in bids:
        seat = legal(state)[0].seat
        assert seat is not None
        state = apply(state, Bid(seat, bid))
    return state


def seen_by_mover(state: State) -> View:
    """The view of the seat that decides."""
    seat = legal(state)[0].seat
    assert seat is not None
    return view(state, seat)


def few_unknown(state: State, count: int, rng: random.Random) -> View:
    """The mover's view, told of all but `count` cards of each other hand which they are."""
    found = seen_by_mover(state)
    known: list[Mask] = list(found.known)
    assert state.turned is not None
    for seat, hand in enumerate(state.hands):
        if seat != found.seat:
            hidden = rng.sample([card for card in cards_of(hand) if card != state.turned], count)
            known[seat] = hand & ~mask_of(hidden)
    return replace(found, known=tuple(known))


def held(text: str) -> Mask:
    """A hand of S.H.D.C."""
    ranks = "23456789TJQKA"
    return mask_of(16 * suit + ranks.index(rank) for suit, lane in enumerate(text.split(".")) for rank in lane)


def rest(*hands: Mask) -> Mask:
    """The cards of the pack in none of these."""
    out = ALL_CARDS
    for hand in hands:
        out &= ~hand
    return out


def one(name: str) -> int:
    """A card by its name."""
    return 16 * "SHDC".index(name[0]) + "23456789TJQKA".index(name[1])


def has(hand: Mask, card: int) -> bool:
    """Does a hand hold a card?"""
    return bool(hand & bit(card))
