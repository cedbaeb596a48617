"""Cards and hands as markup: suits with their signs, hands beside one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tierce.solver.cards import LANE, LANE_BITS, RANK_LETTERS, SUIT_LETTERS, SUITS, Mask, seat_letters
from tierce.solver.deal import Deal
from tierce.solver.report.markup import Markup, element, joined

__all__ = [
    "CARD",
    "SEAT_NAMES",
    "SUIT_SIGNS",
    "cards_markup",
    "deal_markup",
    "hands_markup",
    "names_markup",
    "suit_markup",
]

SUIT_SIGNS: Final = "♠♥♦♣"
SEAT_NAMES: Final = {"D": "Dealer", "E": "Eldest", "M": "Middle"}
CARD: Final = re.compile(r"\b([SHDC])([2-9TJQKA])\b")


def suit_markup(suit: int, ranks: str) -> Markup:
    """A suit's sign and ranks; red suits in red."""
    return element("span", f"{SUIT_SIGNS[suit]}{ranks}", class_="red" if suit in (1, 2) else None)


def cards_markup(cards: Mask) -> Markup:
    """Cards suit by suit: `♠87 ♣Q4`."""
    parts = [suit_markup(suit, _ranks(cards, suit)) for suit in SUITS if cards >> LANE_BITS * suit & LANE]
    return element("span", joined(parts, " "), class_="cards")


def names_markup(text: str) -> Markup:
    """Text in which the names of cards get their signs: `E:H7 D:C2`."""
    parts, last = [], 0
    for found in CARD.finditer(text):
        parts += [joined([text[last : found.start()]]), suit_markup(SUIT_LETTERS.index(found[1]), found[2])]
        last = found.end()
    return joined([*parts, text[last:]])


def hands_markup(named: Sequence[tuple[str, Mask]]) -> Markup:
    """Hands with what they are called, one beside the other."""
    return element("div", *(_hand(name, hand) for name, hand in named), class_="hands")


def deal_markup(deal: Deal) -> Markup:
    """The hands of a deal, and what lies beside them."""
    names = [SEAT_NAMES.get(seat, seat) for seat in seat_letters(len(deal.hands))]
    beside = [("Kitty" if deal.discard_size else "Out of play", deal.kitty)] if deal.kitty else []
    return hands_markup([*zip(names, deal.hands, strict=True), *beside])


def _hand(name: str, hand: Mask) -> Markup:
    suits = (element("div", suit_markup(suit, " " + (_ranks(hand, suit) or "-"))) for suit in SUITS)
    return element("div", element("strong", name), *suits)


def _ranks(cards: Mask, suit: int) -> str:
    lane = cards >> LANE_BITS * suit & LANE
    return "".join(RANK_LETTERS[rank] for rank in range(12, -1, -1) if lane >> rank & 1)
