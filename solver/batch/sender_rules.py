"""The built-in strategies of the exchange: rules of thumb for parcels, and the exact advice as their upper limit.

The rules put the sender's cards into an order and send the first of them, the first parcel first. Contract: see
`strategies`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from tierce.solver.advice.sending import Way
from tierce.solver.batch.strategies import omniscient
from tierce.solver.cards import LANE, SUITS, Card, Mask, cards_of, mask_of, rank_of, suit_of
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.state import State
from tierce.solver.games.view import View

__all__ = ["RULES"]

Due = tuple[Transfer, ...]


def lowest(view: View, due: Due) -> list[Mask]:
    """The lowest cards."""
    return _parcels(_rising(view.hand), due)


def short_suit(view: View, due: Due) -> list[Mask]:
    """The lowest cards of the shortest suit, then of the next: it makes a void."""
    by_length = sorted(_suits(view.hand), key=len)
    return _parcels([card for suit in by_length for card in suit], due)


def keep_long(view: View, due: Due) -> list[Mask]:
    """The lowest cards outside the suit that is likely to be trump: the longest, of equal ones the highest."""
    trump = max(_suits(view.hand), key=lambda suit: (len(suit), sum(map(rank_of, suit))))
    return _parcels(sorted(_rising(view.hand), key=lambda card: card in trump), due)


def spread(view: View, due: Due) -> list[Mask]:
    """The lowest cards, each from another suit as long as there is one."""
    places = [(place, rank_of(card), card) for suit in _suits(view.hand) for place, card in enumerate(suit)]
    return _parcels([card for _, _, card in sorted(places)], due)


def at_random(view: View, due: Due, rng: random.Random) -> list[Mask]:
    """Any cards."""
    return _parcels(sorted(cards_of(view.hand), key=lambda _: rng.random()), due)


@omniscient
def exact(state: State, due: Due) -> list[Mask]:
    """The parcels of the highest floor once the dealer has replied as well as he can, all hands seen; of equal ones the
    first."""
    from tierce.solver.advice.exchange import exchange_advice

    way: Way = exchange_advice(state, find="best", top=0, threads=1).best[0].way
    return [each.sent for each in way.sends[: len(due)]]


RULES: Final[dict[str, Callable[..., Any]]] = {
    "lowest": lowest,
    "short-suit": short_suit,
    "keep-long": keep_long,
    "spread": spread,
    "random": at_random,
    "exact": exact,
}


def _rising(hand: Mask) -> list[Card]:
    """The cards, low ones first; of equal rank in the order of the suits."""
    return sorted(cards_of(hand), key=lambda card: (rank_of(card), suit_of(card)))


def _suits(hand: Mask) -> list[list[Card]]:
    """The cards of each suit that is held, low ones first."""
    return [_rising(hand & LANE << 16 * suit) for suit in SUITS if hand >> 16 * suit & LANE]


def _parcels(order: Sequence[Card], due: Due) -> list[Mask]:
    """The first cards for the first parcel, those after them for the next."""
    found, at = [], 0
    for each in due:
        found.append(mask_of(order[at : at + each.count]))
        at += each.count
    return found
