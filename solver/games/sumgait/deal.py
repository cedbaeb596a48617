"""A deal of Sumgait Driller: 16 cards each and a kitty of six; its text; deals and piles by lot.

    D:<declarer> <next> <other> / <kitty>       one line, round-trips; the jokers are a hand's fifth field

Seats of a deal: 0 the declarer, 1 the next player clockwise, 2 the other. Random deals and piles are the same on every
machine, for ever: generator "tierce-sumgait-1". Cards in the order of `cards_of` (spades to clubs, each from high to
low, then J1 J2) are shuffled by Fisher and Yates, from the last card down. Random numbers below n come from the SHA-256
digests of "tierce-sumgait-1:<seed>:<index>:<what>:<block>" for blocks 0, 1, 2 ..., a byte at a time, one that is not
below the largest multiple of n in 256 thrown away. <what> is `deal` for the whole pack (the declarer's sixteen first,
then the next player's, the other's, the kitty), `pile0`, `pile1`, `pile2` for the pile of a seat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, NoReturn, Self

from tierce.solver.cards import check_text, mask_of
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.sumgait.cards import ALL54, Card, Mask, cards_of, format_hand, in_two_places, parse_hand

__all__ = ["GENERATOR", "HAND", "KITTY", "SEAT_NAMES", "Dealt", "by_lot", "random_deal", "random_pile"]

GENERATOR: Final = "tierce-sumgait-1"
HAND: Final = 16
KITTY: Final = 6
SEAT_NAMES: Final = ("the declarer", "the next player", "the other player")
_EXAMPLE: Final = "a deal such as 'D:<declarer> <next> <other> / <kitty>'"


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of a deal: three hands of 16, a kitty of six; all 54 cards, none twice. Anything else is an
    InputError, field "deal"."""

    hands: tuple[Mask, Mask, Mask]
    kitty: Mask

    def __post_init__(self) -> None:
        hands = as_tuple(self.hands)
        if hands is None or len(hands) != 3:
            _refuse("wrong_deal", f"expected three hands, found {quoted(self.hands)}")
        object.__setattr__(self, "hands", hands)
        places = (*zip(SEAT_NAMES, hands, (HAND,) * 3, strict=True), ("the kitty", self.kitty, KITTY))
        for place, cards, size in places:
            if not is_whole(cards) or cards & ~ALL54:
                _refuse("card_syntax", f"expected sets of the 54 cards, found {quoted(cards)}")
            if cards.bit_count() != size:
                _refuse("hand_size", f"expected {size} cards for {place}, found {cards.bit_count()}")
        where = [*(f"with {name}" for name in SEAT_NAMES), "in the kitty"]
        if twice := in_two_places([*zip(where, (*hands, self.kitty), strict=True)]):
            _refuse("duplicate_card", f"expected each card once, found {twice}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read deal text."""
        check_text(text, "deal", _EXAMPLE)
        head, colon, rest = text.partition(":")
        cards, slash, kitty = rest.partition("/")
        hands = cards.split()
        if not colon or head.strip().upper() != "D" or not slash or len(hands) != 3 or len(kitty.split()) != 1:
            _refuse("deal_syntax", f"expected {_EXAMPLE}, found {shown(text)}")
        first, second, third = (
            parse_hand(hand, field="deal", where=place) for hand, place in zip(hands, SEAT_NAMES, strict=True)
        )
        return cls((first, second, third), parse_hand(kitty, field="deal", where="the kitty"))

    def __str__(self) -> str:
        return f"D:{' '.join(map(format_hand, self.hands))} / {format_hand(self.kitty)}"


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message, field="deal")


def random_deal(seed: int, index: int = 0) -> Dealt:
    """A random deal. InputError (field "seed") for a seed or index below 0."""
    cards = by_lot(cards_of(ALL54), seed, index, "deal")
    first, second, third, kitty = (mask_of(cards[at : at + HAND]) for at in range(0, 4 * HAND, HAND))
    return Dealt((first, second, third), kitty)


def random_pile(cards: Mask, seat: int, seed: int, index: int = 0) -> tuple[Card, ...]:
    """The cards of a seat's pile in random order, the top card first."""
    return tuple(by_lot(cards_of(cards), seed, index, f"pile{seat}"))


def by_lot(cards: Sequence[Card], seed: int, index: int, what: str) -> list[Card]:
    """The cards in random order, settled by seed, index and what they are for."""
    for number in (seed, index):
        if not is_whole(number) or number < 0:
            raise InputError("seed", f"expected a whole number of 0 or more, found {quoted(number)}", field="seed")
    found = list(cards)
    stream = _bytes(f"{GENERATOR}:{seed}:{index}:{what}")
    for last in range(len(found) - 1, 0, -1):
        limit = 256 - 256 % (last + 1)
        drawn = next(byte for byte in stream if byte < limit) % (last + 1)
        found[last], found[drawn] = found[drawn], found[last]
    return found


def _bytes(label: str) -> Iterator[int]:
    for block in count():
        yield from hashlib.sha256(f"{label}:{block}".encode()).digest()
