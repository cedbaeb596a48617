"""Random deals that are the same on every machine, for ever: generator "tierce-deal-1".

Deal number `index` of seed `seed` is a Fisher-Yates shuffle, from the last card of the pack down, of the cards in the
order of `cards_of` (spades to clubs, each from high to low). Random numbers below n come from a stream of bytes: the
SHA-256 digests of "tierce-deal-1:<seed>:<index>:<block>" for blocks 0, 1, 2 ... One byte is drawn at a time, and one
that is not below the largest multiple of n in 256 is thrown away, so that no card is favoured.
The first cards of the shuffled pack are the dealer's, the next eldest's, then middle's, the rest the kitty.

Four hands get theirs from the shuffled pack as at the table: from the left of the dealer clockwise, four rounds of
three cards each, then one each. The 52nd card is the dealer's, and is turned up. So seed and index give four parcels
and a card to turn up, and who deals settles where they go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count
from typing import Final

from tierce.solver.cards import LANE, LANE_BITS, SUIT_NAMES, Card, Mask, bit, cards_of, mask_of, parse_card
from tierce.solver.checks import is_whole
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games.actions import DealCards
from tierce.solver.games.profile import Profile

__all__ = ["GENERATOR", "deal_by_lot", "random_deal", "shuffled", "turned_by_lot"]

GENERATOR = "tierce-deal-1"
_PACKETS: Final = (3, 3, 3, 3, 1)


def shuffled(pack: Mask, seed: int, index: int = 0) -> list[Card]:
    """The cards of a pack in random order, settled by seed and index. InputError (field "seed") for one below 0."""
    for number in (seed, index):
        if not is_whole(number) or number < 0:
            raise InputError("seed", f"expected a whole number of 0 or more, found {number!r:.60}", field="seed")
    cards = list(cards_of(pack))
    stream = _bytes(seed, index)
    for last in range(len(cards) - 1, 0, -1):
        limit = 256 - 256 % (last + 1)
        drawn = next(byte for byte in stream if byte < limit) % (last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return cards


def _bytes(seed: int, index: int) -> Iterator[int]:
    for block in count():
        yield from hashlib.sha256(f"{GENERATOR}:{seed}:{index}:{block}".encode()).digest()


def deal_by_lot(profile: Profile, seed: int, index: int = 0, dealer: int = 0) -> DealCards:
    """A random deal of a game as an action, with the card turned up where there is one. `dealer` is the seat that deals
    in a four-hand game; of three hands the dealer's is always the first."""
    if profile.seats == 3:
        return DealCards(random_deal(profile, seed, index))
    return DealCards(random_deal(profile, seed, index, dealer), shuffled(profile.pack, seed, index)[-1])


def random_deal(profile: Profile, seed: int, index: int = 0, dealer: int = 0) -> Deal:
    """A random deal of a game: hands of dealer, eldest, middle; behind them the kitty, or the card out of the pack. In
    a four-hand game those of N, E, S, W, dealt by `dealer`."""
    if profile.seats == 4:
        return _in_packets(shuffled(profile.pack, seed, index), dealer)
    pack = profile.pack
    card = profile.option("removed_card")
    if profile.removed and isinstance(card, str) and card != "random_hidden":
        pack &= ~bit(parse_card(card))
    cards = shuffled(pack, seed, index)
    hands = tuple(mask_of(cards[seat * profile.hand : (seat + 1) * profile.hand]) for seat in range(3))
    return Deal(hands, mask_of(cards[3 * profile.hand :]) | profile.pack & ~pack)


def turned_by_lot(deal: Deal, dealer: int, suit: int | None = None) -> Card:
    """A card of the dealer's (of this suit) to turn up in a four-hand deal of which that is not told.

    Each is as likely: it is drawn by the first byte that will do of the SHA-256 digest of
    "tierce-deal-1:turned:<deal text>:<dealer's letter>". InputError (field "turned") where he has none of the suit.
    """
    cards = cards_of(deal.hands[dealer] & (LANE << LANE_BITS * suit if suit is not None else -1))
    if not cards:
        message = f"expected a card of {SUIT_NAMES[suit or 0]} in the dealer's hand to turn up, found none"
        raise InputError("wrong_turned", message, field="turned")
    limit = 256 - 256 % len(cards)
    digest = hashlib.sha256(f"{GENERATOR}:turned:{deal}:{deal.seats[dealer]}".encode()).digest()
    drawn: int = next(byte for byte in (*digest, 0) if byte < limit)
    return cards[drawn % len(cards)]


def _in_packets(cards: list[Card], dealer: int) -> Deal:
    """Four hands of a shuffled pack, dealt from the left of the dealer in packets."""
    if not is_whole(dealer) or dealer not in range(4):
        raise InputError("seat", f"expected a dealer 0, 1, 2 or 3, found {dealer!r:.60}", field="dealer")
    hands, at = [0, 0, 0, 0], 0
    for packet in _PACKETS:
        for step in range(1, 5):
            hands[(dealer + step) % 4] |= mask_of(cards[at : at + packet])
            at += packet
    return Deal(tuple(hands))
