"""Deals: the cards of three or four hands, and of a kitty with three, as they were dealt.

Deal text is one line and round-trips (`str(Deal.parse(text))` is its normal form):

    D:<dealer> <eldest> <middle> / <kitty>      three hands; the kitty may be missing
    N:<north> <east> <south> <west>             four hands, no kitty

The letter in front names the seat of the first hand, the others follow clockwise; `cards.parse_hand` says
how hands are written. A deal need not be of a whole pack: endings and small packs are deals too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Self

from tierce.solver.cards import (
    ALL_CARDS,
    SEATS3,
    SEATS4,
    Mask,
    bit,
    card_name,
    card_names,
    cards_of,
    check_text,
    format_hand,
    parse_hand,
    seat_letters,
)
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.errors import InputError, shown

__all__ = ["Deal", "hand_places", "seats_from"]

PACK = 52
_EXAMPLE = "a deal such as 'D:<dealer> <eldest> <middle> / <kitty>' or 'N:<n> <e> <s> <w>'"


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands of D, E, M or of N, E, S, W, and the kitty (three hands only; 0 if there is none).

    Hands are equal in size and no card is in two places; anything else raises `InputError`, field "deal".
    """

    hands: tuple[Mask, ...]
    kitty: Mask = 0

    def __post_init__(self) -> None:
        hands = as_tuple(self.hands)
        if hands is None:
            _refuse(f"expected a sequence of 3 or 4 hands, found {quoted(self.hands)}")
        object.__setattr__(self, "hands", hands)
        if len(hands) not in (3, 4):
            _refuse(f"expected 3 or 4 hands, found {len(hands)}")
        for mask in (*hands, self.kitty):
            if not is_whole(mask):
                _refuse(f"expected hands and kitty as sets of cards, found {quoted(mask)}", "card_syntax")
        size = hands[0].bit_count()
        union = self.kitty
        cards = union.bit_count()
        equal = size > 0
        for hand in hands:
            union |= hand
            cards += hand.bit_count()
            equal = equal and hand.bit_count() == size
        if not equal or union.bit_count() != cards or union & ~ALL_CARDS or (self.kitty and len(hands) == 4):
            _refuse_cards(hands, self.kitty)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read deal text."""
        check_text(text, "deal", _EXAMPLE)
        head, colon, rest = text.partition(":")
        first = head.strip().upper()
        if not colon or len(first) != 1 or first not in SEATS3 + SEATS4:
            found = shown(head.strip()) + " before the colon" if colon else shown(text)
            _refuse(f"expected {_EXAMPLE}, found {found}")
        body, *kitties = rest.split("/")
        texts = body.split()
        seats = seats_from(first, len(texts))
        if len(texts) != len(seats):
            expected = "3 or 4" if first == "E" else len(seats)
            _refuse(f"expected {expected} hands after '{first}:', found {len(texts)}")
        hands = [0] * len(seats)
        for i, place, hand in zip(seats, hand_places(seats), texts, strict=True):
            if hand == "-":
                message = f"expected cards in {place}, found '-' (a hand nobody knows)"
                raise InputError("unknown_hand", message, field="deal")
            hands[i] = parse_hand(hand, field="deal", where=place)
        return cls(tuple(hands), _parse_kitty(kitties) if kitties else 0)

    def __str__(self) -> str:
        text = f"{self.seats[0]}:{' '.join(map(format_hand, self.hands))}"
        return f"{text} / {format_hand(self.kitty)}" if self.kitty else text

    @property
    def seats(self) -> str:
        """The letters of the seats, `DEM` or `NESW`."""
        return SEATS3 if len(self.hands) == 3 else SEATS4

    @property
    def size(self) -> int:
        """The number of cards in a hand."""
        return self.hands[0].bit_count()

    @property
    def cards(self) -> Mask:
        """All cards of the deal, the kitty among them."""
        cards = self.kitty
        for hand in self.hands:
            cards |= hand
        return cards

    @property
    def discard_size(self) -> int:
        """The number of cards the dealer must lay away before play.

        As many as the kitty has. The single card that three hands of a whole pack leave over is out of
        play: 0.
        """
        kitty = self.kitty.bit_count()
        return 0 if kitty == 1 and 3 * self.size + kitty == PACK else kitty

    def with_discard(self, discard: Mask | None, *, kitty_first: bool = False) -> Deal:
        """Return the deal as it is played, kitty 0: the dealer holds hand and kitty without the discard.

        The discard comes from the dealer's hand; with `kitty_first` it may come from the kitty, too. Raises
        `InputError` (field "discard"): discard_missing, discard_forbidden, discard_size or discard_not_held.
        """
        if discard is not None and not (is_whole(discard) and discard >= 0 and not discard & ~ALL_CARDS):
            message = f"expected the discard as a set of cards, found {quoted(discard)}"
            raise InputError("card_syntax", message, field="discard")
        need = self.discard_size
        if need == 0:
            if discard:
                reason = "one card out of play" if self.kitty else "no kitty"
                _refuse_discard("forbidden", f"expected no discard in a deal with {reason}", discard)
            return Deal(self.hands)
        if discard is None:
            message = f"expected a discard of {_count(need)}, as many as the kitty has, found none"
            raise InputError("discard_missing", message, field="discard")
        if discard.bit_count() != need:
            _refuse_discard("size", f"expected a discard of {_count(need)}, as many as the kitty has", discard)
        pool = self.hands[0] | (self.kitty if kitty_first else 0)
        if discard & ~pool:
            self._refuse_not_held(discard & ~pool, kitty_first)
        return Deal(((self.hands[0] | self.kitty) & ~discard, *self.hands[1:]))

    def _refuse_not_held(self, stray: Mask, kitty_first: bool) -> NoReturn:
        """Say of the first stray card of a discard where it is."""
        first = cards_of(stray)[0]
        if self.kitty & bit(first):
            where = "in the kitty (allowed only with kitty first)"
        else:
            holders = (s for s, hand in zip(self.seats, self.hands, strict=True) if hand & bit(first))
            where = "".join(f"in hand {s}" for s in holders)
        pool = "hand or the kitty" if kitty_first else "hand"
        message = (
            f"discard not held: expected cards of the dealer's {pool}, "
            f"found {card_name(first)!r} {where or 'which nobody has'}"
        )
        raise InputError("discard_not_held", message, field="discard")


def seats_from(first: str, hands: int) -> list[int]:
    """Return the seats clockwise from the one with the letter `first`.

    The letter tells three hands from four; where it does not (E), the number of hands found does.
    """
    letters = seat_letters(4 if first in "NSW" or (first == "E" and hands == 4) else 3)
    start = letters.index(first)
    return [*range(start, len(letters)), *range(start)]


def hand_places(seats: Sequence[int]) -> list[str]:
    """Name the hands of some seats for messages: `hand D`."""
    letters = seat_letters(len(seats))
    return [f"hand {letters[seat]}" for seat in seats]


def _parse_kitty(texts: list[str]) -> Mask:
    if len(texts) > 1:
        _refuse(f"expected one '/' before the kitty, found {len(texts)}")
    text = texts[0].strip()
    if len(text.split()) != 1:
        _refuse(f"expected the cards of the kitty after '/', found {shown(text)}")
    return parse_hand(text, field="deal", where="the kitty")


# What is wrong with a deal, or with a discard


def _refuse(message: str, code: str = "deal_syntax") -> NoReturn:
    raise InputError(code, message, field="deal")


def _refuse_cards(hands: tuple[Mask, ...], kitty: Mask) -> NoReturn:
    """Find the fault in the cards of a deal: one card in two places first, then the sizes."""
    letters = seat_letters(len(hands))
    places = [*zip(hand_places(range(len(hands))), hands, strict=True), ("the kitty", kitty)]
    seen: dict[int, str] = {}
    for place, mask in places:
        if mask < 0 or mask & ~ALL_CARDS:
            _refuse(f"expected a set of cards in {place}, found {quoted(mask)}", "card_syntax")
        for each in cards_of(mask):
            if each in seen:
                found = f"found {card_name(each)!r} in {seen[each]} and in {place}"
                _refuse(f"expected each card once, {found}", "duplicate_card")
            seen[each] = place
    if kitty and len(hands) == 4:
        _refuse(f"expected no kitty with four hands, found {card_names(kitty)!r}")
    sizes = [hand.bit_count() for hand in hands]
    if not any(sizes):
        _refuse("expected at least one card in every hand, found none", "unequal_hands")
    for i, size in enumerate(sizes):
        others = {*sizes[:i], *sizes[i + 1 :]}
        if len(others) == 1 and size not in others:
            rest = others.pop()
            off = f"{abs(size - rest)} too {'few' if size < rest else 'many'}"
            found = f"found {size} in hand {letters[i]}, {off}"
            _refuse(f"expected {_count(rest)} in every hand, {found}", "unequal_hands")
    found = ", ".join(f"{letter} {size}" for letter, size in zip(letters, sizes, strict=True))
    _refuse(f"expected hands of equal size, found {found}", "unequal_hands")


def _refuse_discard(kind: str, expectation: str, discard: Mask) -> NoReturn:
    message = f"{expectation}, found {discard.bit_count()}: {card_names(discard)!r}"
    raise InputError(f"discard_{kind}", message, field="discard")


def _count(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"
