"""Deals of Sumgait Driller, at the decisions before the first trick."""

from __future__ import annotations

import random

from tierce.solver.cards import mask_of
from tierce.solver.games.sumgait import (
    ALL54,
    DealCards,
    Give,
    Rob,
    State,
    TakeKitty,
    View,
    apply,
    cards_of,
    new_match,
    parse_hand,
    random_deal,
    sumgait,
    view,
)
from tierce.solver.games.sumgait.deal import Dealt


def first(seed: int = 3) -> State:
    return apply(new_match(sumgait()), DealCards(random_deal(seed)))


def with_hand(text: str, size: int) -> State:
    """A deal in which the declarer holds these sixteen cards, or in all these twenty-two with the kitty."""
    own = parse_hand(text)
    assert own.bit_count() == size
    rest = [card for card in cards_of(ALL54) if not own >> card & 1]
    random.Random(1).shuffle(rest)
    hand = mask_of(cards_of(own)[:16])
    kitty = own & ~hand or mask_of(rest[32:38])
    dealt = Dealt((hand, mask_of(rest[:16]), mask_of(rest[16:32])), kitty)
    return apply(new_match(sumgait()), DealCards(dealt))


def at_call(seed: int) -> View:
    state = apply(apply(first(seed), Rob(None)), TakeKitty())
    four = cards_of(state.hands[0])[-4:]
    return view(apply(state, Give(mask_of(four[:2]), mask_of(four[2:]))))
