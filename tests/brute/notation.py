"""Reading and writing hands for the brute-force tests, apart from the project's own reader on purpose.

Hands are `AKQ.T9..87` (S.H.D.C, a void is empty), cards `SA`; see `brute.py` for what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SUITS: Final = "SHDC"
STRAINS: Final = "SHDCN"
RANKS: Final = "23456789TJQKA"
SEATS: Final = {3: "DEM", 4: "NESW"}


def card(name: str) -> int:
    """`SA` -> the card."""
    return 16 * SUITS.index(name[0]) + RANKS.index(name[1])


def card_name(card: int) -> str:
    return SUITS[card >> 4] + RANKS[card & 15]


def cards(names: str) -> list[int]:
    """`HK H2` -> the cards, in that order."""
    return [card(name) for name in names.split()]


def mask(names: str) -> int:
    """`HK H2` -> the set of cards."""
    return sum(1 << one for one in cards(names))


def hand(text: str) -> int:
    """`AKQ.T9..87` -> the set of cards."""
    fields = text.split(".")
    if len(fields) != 4:
        raise ValueError(f"expected four suits divided by dots, got {text!r}")
    return sum(1 << card(suit + rank) for suit, field in zip(SUITS, fields, strict=True) for rank in field)


def hand_name(hand: int) -> str:
    fields = []
    for suit in range(4):
        fields.append("".join(RANKS[rank] for rank in range(12, -1, -1) if hand >> 16 * suit >> rank & 1))
    return ".".join(fields)


def hands(text: str) -> tuple[int, ...]:
    """Hands divided by blanks."""
    return tuple(hand(part) for part in text.split())


def side_name(side: int, seats: int) -> str:
    return "".join(SEATS[seats][seat] for seat in range(seats) if side >> seat & 1)


def position_name(hands: Sequence[int], trump: int, leader: int, trick: Sequence[int]) -> str:
    """One line for messages: `N:.. .. .. .. trump S, leader E, on the table HK H2`; the hands as now held."""
    seats = SEATS[len(hands)]
    text = f"{seats[0]}:{' '.join(map(hand_name, hands))} trump {STRAINS[trump]}, leader {seats[leader]}"
    return text + (f", on the table {' '.join(map(card_name, trick))}" if trick else "")
