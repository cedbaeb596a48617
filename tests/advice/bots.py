"""A simple player of any game: sensible habits, no search, no look into another hand.

    lead      the highest card left of a suit, if it holds one; else a low card of the longest suit beside trump
    follow    last to play: the cheapest card that wins; before: the highest if it wins now; else the lowest card
    void      the lowest trump that wins; else the lowest card of the shortest suit beside trump
    in MIZ    the highest card that does not win
    before    the third to speak bids if nobody has; trump by length and high cards; parcels and discard: low cards of
              short suits; a swap for what is higher

The same seed plays the same match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from tierce.solver.cards import Card, Mask, cards_of, mask_of, rank_of, suit_of
from tierce.solver.games import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Profile,
    Record,
    Send,
    State,
    Swap,
    apply,
    legal,
    new_match,
    random_deal,
    record_of,
    settle,
)
from tierce.solver.games.profile import MIZ

SUITS: Final = range(4)


def match_by_bots(profile: Profile, seed: int, deals: int = 1, *, claims: float = 0.0) -> Iterator[State]:
    """The states of a match; `claims`: how often, before a trick, the rest is given away by lot."""
    rng = random.Random(seed)
    state = new_match(profile, rng.randrange(3))
    while state.phase != "OVER" and len(state.results) < deals:
        state = apply(state, action_of(state, rng, claims))
        yield state  # a deal's last state is one that `settle` passes over
        state = settle(state)
        yield state


def record_by_bots(
    profile: Profile, seed: int, deals: int = 1, *, claims: float = 0.0, players: Sequence[str] | None = None
) -> Record:
    return record_of(match_by_bots(profile, seed, deals, claims=claims), players)


def action_of(state: State, rng: random.Random, claims: float = 0.0) -> Action:
    """What the seat does whose turn it is."""
    open_ = legal(state)
    first = open_[0]
    if first.kind is DealCards:
        return DealCards(random_deal(state.profile, rng.randrange(1 << 30)))
    if open_[-1].kind is Claim and rng.random() < claims:
        left = state.hands[state.leader].bit_count()
        one = rng.randint(0, left)
        two = rng.randint(0, left - one)
        return Claim((one, two, left - one - two))
    if first.kind is Play:
        return Play(state.mover, card_of(state))
    if first.kind in (Send, Discard):
        cards = mask_of(worst(first.among, first.count, state.trump if state.call else None))
        if first.kind is Discard:
            return Discard(0, cards)
        assert first.seat is not None and first.to is not None
        return Send(first.seat, first.to, cards)
    return _named(state, first.choices)


def _named(state: State, choices: Sequence[Action]) -> Action:
    """Bid, trump, call, swap."""
    first, hand = choices[0], state.hands[0]
    if isinstance(first, Bid):
        nobody = len(state.bids) == 2 and not any(tricks for _, tricks in state.bids)
        return first if nobody else choices[-1]  # a pass
    if isinstance(first, NameTrump):
        return max(choices, key=lambda each: strength(hand, each.trump) if isinstance(each, NameTrump) else 0)
    if isinstance(first, Call):
        return max(choices, key=lambda each: _worth(hand, each.call) if isinstance(each, Call) else 0)
    if isinstance(first, Swap):
        return Swap(first.seat, rank_of(cards_of(state.kitty)[0]) > 6)
    return choices[-1]


def _worth(hand: Mask, call: str) -> float:
    high = sum(max(0, rank_of(card) - 8) for card in cards_of(hand))
    if call == "N":
        return high
    return 20 - high if call == MIZ else strength(hand, "SHDC".index(call))


def strength(hand: Mask, suit: int) -> int:
    own = [card for card in cards_of(hand) if suit_of(card) == suit]
    return 3 * len(own) + sum(max(0, rank_of(card) - 8) for card in own)


def worst(among: Mask, count: int, trump: int | None) -> list[Card]:
    """Low cards of short suits, no trumps if it can be helped."""
    cards = cards_of(among)
    length = {suit: sum(suit_of(card) == suit for card in cards) for suit in SUITS}
    return sorted(cards, key=lambda card: (suit_of(card) == trump, 2 * length[suit_of(card)] + rank_of(card), card))[
        :count
    ]


# ---- cards -----------------------------------------------------------------------------------------------------------


def card_of(state: State) -> Card:
    legal_cards = state.playable(state.mover)
    winning = [card for card in legal_cards if not state.trick or wins(state.trick, card, state.trump)]
    if state.call == MIZ:
        losing = [card for card in legal_cards if card not in winning]
        return max(losing, key=rank_of) if losing else min(legal_cards, key=rank_of)
    if not state.trick:
        return lead(state, legal_cards)
    if winning and suit_of(winning[0]) == suit_of(state.trick[0]):
        return min(winning, key=rank_of) if len(state.trick) == 2 else max(winning, key=rank_of)
    if winning:
        return min(winning, key=rank_of)
    return worst(mask_of(legal_cards), 1, state.trump)[0]


def lead(state: State, cards: Sequence[Card]) -> Card:
    gone = mask_of(card for trick in state.tricks for card in trick.cards) | mask_of(cards)
    side = [card for card in cards if suit_of(card) != state.trump]
    for card in sorted(side, key=rank_of, reverse=True):
        higher = range(rank_of(card) + 1, 13)
        if all(gone >> (16 * suit_of(card) + rank) & 1 for rank in higher):
            return card
    length = {suit: sum(suit_of(card) == suit for card in side) for suit in SUITS}
    return min(side or cards, key=lambda card: (-length[suit_of(card)], rank_of(card)))


def wins(trick: Sequence[Card], card: Card, trump: int) -> bool:
    """Would it be the highest so far?"""
    return all(_beats(card, other, suit_of(trick[0]), trump) for other in trick)


def _beats(card: Card, other: Card, led: int, trump: int) -> bool:
    order = [suit_of(each) == trump for each in (card, other)], [suit_of(each) == led for each in (card, other)]
    for one, two in order:
        if one != two:
            return one
    return suit_of(card) in (trump, led) and rank_of(card) > rank_of(other)
