"""Deals for contract tables: small ones for brute force, and whole ones whose contracts are plain to see."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from tests.brute import brute
from tierce.solver.cards import parse_card
from tierce.solver.deal import Deal

CONTRACTS: Final = (
    "prop_cop",
    "solo",
    "misere",
    "abundance",
    "abundance_in_trumps",
    "misere_ouverte",
    "abundance_declared",
)
# North holds all spades and the others a suit each: he takes everything on lead at no trump, and with spades as trump.
SUITS_APART: Final = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
# South has the lowest cards of every suit, four of spades: nothing can make him take a trick.
LOW: Final = "N:AJ8.KT7.A96.QJ85 KT7.AJ85.QT7.KT6 5432.432.432.432 Q96.Q96.KJ85.A97"
HARD: Final = "N:K3.QT6.J985.AT42 A874.J53.AQ4.Q63 QT96.A82.KT6.K75 J52.K974.732.J98"


def small(seed: int, count: int, cards: int) -> Iterator[tuple[Deal, int, int, dict[str, int]]]:
    """Deals of so many cards a hand, with dealer, trump, and the tricks that make each contract: any but none.

    The cards are the top of the pack's suits, uneven in length, so that contracts of all kinds are made and beaten."""
    rng = random.Random(seed)
    for _ in range(count):
        deck = [16 * suit + rank for suit in range(4) for rank in range(12, 12 - rng.randint(cards, 2 * cards), -1)]
        rng.shuffle(deck)
        hands = tuple(sum(1 << card for card in deck[cards * seat : cards * (seat + 1)]) for seat in range(4))
        needs = {name: rng.randint(1, cards) for name in CONTRACTS} | {"misere": 0, "misere_ouverte": 0}
        needs["abundance_in_trumps"] = needs["abundance"]
        yield Deal(hands), rng.randrange(4), rng.randrange(4), needs


def tricks_of(deal: Deal, name: str, side: int, trump: int, leader: int, lead: int | None = None) -> int:
    """What a side takes, by brute force, after a lead or before."""
    counted, maxers = brute.fewest(side, 4) if name.startswith("misere") else brute.most(side, 4)
    hands = list(deal.hands)
    trick = []
    if lead is not None:
        hands[leader] ^= 1 << lead
        trick = [lead]
    return brute.value(hands, trump, leader, trick, counted, maxers)


def card(name: str) -> int:
    """A card by its name."""
    return parse_card(name)
