"""The 54 cards of Sumgait Driller: those of `tierce.solver.cards` and two jokers.

    card    as there for the 52; J1 = 61 and J2 = 62, two numbers that are free there
    mask    a set of cards, bit `card` set: the jokers are bits 61 and 62, above the thirteen clubs

            bits   63   62   61   60 ... 48   47 ... 32   31 ... 16   15 ...  0
                   -    J2   J1       C           D           H           S

    suit    0 1 2 3 = S H D C; 4 for a joker, which has none

The text of a hand has a fifth field for jokers, `AK.QJ.T9.87.J1J2`; it is written only when there is one and may be
missing when read. All else is read as tolerantly, and written, as in `tierce.solver.cards`. The functions of that
module that take suits apart (`suit_of`, `cards_of`, `card_name`, `format_hand`) do not know jokers: use those here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tierce.solver import cards as plain
from tierce.solver.cards import ALL_CARDS, Card, Mask, check_text
from tierce.solver.errors import InputError, shown

__all__ = [
    "ALL54", "J1", "J2", "JOKERS", "JOKER_SUIT", "KINGS", "QUEENS", "SEVENS", "Card", "Mask", "card_name",
    "card_names", "cards_of", "format_hand", "in_two_places", "is_joker", "is_seven", "parse_card", "parse_cards",
    "parse_hand", "suit_mask", "suit_of",
]  # fmt: skip

J1: Final[Card] = 61
J2: Final[Card] = 62
JOKERS: Final[Mask] = 1 << J1 | 1 << J2
ALL54: Final[Mask] = ALL_CARDS | JOKERS
JOKER_SUIT: Final = 4
_EVERY_SUIT: Final = 1 | 1 << 16 | 1 << 32 | 1 << 48
SEVENS: Final[Mask] = _EVERY_SUIT << 5
QUEENS: Final[Mask] = _EVERY_SUIT << 10
KINGS: Final[Mask] = _EVERY_SUIT << 11
_NAMES: Final = {J1: "J1", J2: "J2"}
_SPELLINGS: Final = {"J1": J1, "J2": J2, "j1": J1, "j2": J2}
_LIKE_A_JOKER: Final = re.compile(r"[rb]?j(o|k|oker)?[ _-]?\d*|jj|j[12][ ,]*j[12]", re.IGNORECASE)


def is_joker(card: Card) -> bool:
    """Is it one of the two jokers?"""
    return card >= J1


def is_seven(card: Card) -> bool:
    """Is it one of the four sevens?"""
    return bool(SEVENS >> card & 1)


def suit_of(card: Card) -> int:
    """The suit of a card, 4 for a joker."""
    return JOKER_SUIT if card >= J1 else card >> 4


def suit_mask(suit: int) -> Mask:
    """The thirteen cards of a suit 0..3; of 4 the jokers."""
    return JOKERS if suit == JOKER_SUIT else plain.LANE << plain.LANE_BITS * suit


def cards_of(mask: Mask) -> tuple[Card, ...]:
    """The cards of a set, suits in the order S H D C, each from high to low, then J1 and J2."""
    return plain.cards_of(mask & ALL_CARDS) + tuple(joker for joker in (J1, J2) if mask >> joker & 1)


def card_name(card: Card) -> str:
    """The name of a card: `SA`, `HT`, `J1`."""
    return _NAMES.get(card) or plain.card_name(card)


def card_names(mask: Mask) -> str:
    """The names of a set of cards, divided by blanks, in the order of `cards_of`."""
    return " ".join(map(card_name, cards_of(mask)))


def in_two_places(places: Sequence[tuple[str, Mask]]) -> str:
    """The cards that are in two places, and in which: `S3 twice, in the hand and given to the next player`; "" if none
    are. Of several pairs of places the first is told."""
    for at, (one, cards) in enumerate(places):
        for other, more in places[at + 1 :]:
            if twice := cards & more:
                return f"{card_names(twice)} twice, {one} and {other}"
    return ""


def parse_card(text: str, *, field: str = "card") -> Card:
    """Read one card: `SA`, `AS`, `10h`, `♠A`, `J1`, `j2` ..."""
    try:
        joker = _SPELLINGS.get(text.strip())
        return plain.parse_card(text, field=field) if joker is None else joker
    except AttributeError:  # no text at all
        return plain.parse_card(text, field=field)
    except InputError as error:
        if error.code == "joker" or _LIKE_A_JOKER.fullmatch(text.strip()):
            raise InputError("joker", f"expected J1 or J2 for a joker, found {shown(text)}", field=field) from None
        raise


def parse_cards(text: str, *, field: str = "cards") -> tuple[Card, ...]:
    """Read cards in the order given, with blanks or commas between or run together (`S2J1CJ`), none twice."""
    check_text(text, field, "cards", empty_allowed=True)
    found: list[Card] = []
    for word in text.replace(",", " ").split():
        for each in _run(word, field):
            if each in found:
                message = f"expected each card once, found {card_name(each)!r} twice in {shown(text)}"
                raise InputError("duplicate_card", message, field=field)
            found.append(each)
    return tuple(found)


def _run(word: str, field: str) -> list[Card]:
    """The cards of a run such as `S2J1H10`; a word that is no such run is read, and refused, as one card."""
    found: list[Card] = []
    at = 0
    while at < len(word):
        size = 3 if word[at + 1 : at + 3] == "10" or word[at : at + 2] == "10" else 2
        try:
            found.append(parse_card(word[at : at + size], field=field))
        except InputError:
            return [parse_card(word, field=field)]
        at += size
    return found


def parse_hand(text: str, *, field: str = "hand", where: str | None = None) -> Mask:
    """Read a hand, suits S.H.D.C and jokers divided by dots, a void empty or `-`: `AK.QJ.T9.87.J1J2`.

    The fifth field may be missing. The cards may come in any order. `where` names the hand in messages (default: its
    text).
    """
    check_text(text, field, "a hand such as AK.QJ.T9.87.J1J2")
    suits = text.strip().split(".")
    if len(suits) != 5:
        return _suits(text, field, where)
    place = where or shown(text)
    return _suits(".".join(suits[:4]), field, place) | _jokers(suits[4], field, place)


def _suits(text: str, field: str, where: str | None) -> Mask:
    """The four suits of a hand. A joker among them is told where its place is."""
    try:
        return plain.parse_hand(text, field=field, where=where)
    except InputError as error:
        if error.code != "joker":
            raise
        found = error.message.partition(", found ")[2]
        message = f"expected jokers in a field of their own behind the clubs, as in AK.QJ.T9.87.J1J2, found {found}"
        raise InputError("joker", message, field=field) from None


def _jokers(text: str, field: str, place: str) -> Mask:
    """The jokers of a hand's fifth field."""
    names = text.strip().upper().replace(",", "").replace(" ", "")
    if names in ("", "-"):
        return 0
    mask = 0
    for at in range(0, len(names), 2):
        joker = _SPELLINGS.get(names[at : at + 2])
        if joker is None:
            raise InputError("joker", f"expected the jokers J1 J2, found {shown(text)} in {place}", field=field)
        if mask >> joker & 1:
            message = f"expected each card once, found {card_name(joker)!r} twice in {place}"
            raise InputError("duplicate_card", message, field=field)
        mask |= 1 << joker
    return mask


def format_hand(mask: Mask) -> str:
    """The text of a hand, high cards first: `AK.QJ.T9.87`, with jokers `AK.QJ.T9.87.J1J2`."""
    suits = plain.format_hand(mask & ALL_CARDS)
    jokers = "".join(name for joker, name in _NAMES.items() if mask >> joker & 1)
    return f"{suits}.{jokers}" if jokers else suits
