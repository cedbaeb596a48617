"""A hand's account by brute force, card by card, from the rules of the trick alone. Nothing here asks the advice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from tests.brute import brute, notation
from tierce.solver.position import Position

Three: TypeAlias = tuple[int, int, int]
SUIT_OF: Final = 48  # the bits of a card that tell its suit


@dataclass(frozen=True, slots=True)
class Moment:
    """A hand between two cards: `hands` as they are held, the cards on the table from `leader` on, tricks taken."""

    hands: tuple[int, ...]
    trump: int
    leader: int
    trick: tuple[int, ...] = ()
    taken: tuple[int, ...] = (0, 0, 0)

    @property
    def mover(self) -> int:
        return (self.leader + len(self.trick)) % 3

    @property
    def legal(self) -> list[int]:
        return brute.legal_cards(self.hands, self.leader, self.trick)

    @property
    def position(self) -> Position:
        """The same for the package."""
        return Position(self.hands, self.trump, self.leader, self.trick, self.taken)

    def after(self, card: int) -> Moment:
        hands = tuple(hand & ~(1 << card) for hand in self.hands)
        trick = (*self.trick, card)
        if len(trick) < 3:
            return replace(self, hands=hands, trick=trick)
        winner = (self.leader + trick.index(_winning(trick, self.trump))) % 3
        d, e, m = (tricks + (seat == winner) for seat, tricks in enumerate(self.taken))
        return Moment(hands, self.trump, winner, (), (d, e, m))

    def guarantees(self, *, few: bool = False) -> Three:
        """What each seat is sure of against the two others; with `few` the most it can be made to take."""
        wish = brute.fewest if few else brute.most
        d, e, m = (
            self.taken[seat] + brute.value(self.hands, self.trump, self.leader, self.trick, *wish(1 << seat, 3))
            for seat in range(3)
        )
        return d, e, m

    def __str__(self) -> str:
        return notation.position_name(self.hands, self.trump, self.leader, self.trick)


def _winning(trick: Sequence[int], trump: int) -> int:
    trumps = [card for card in trick if card >> 4 == trump]
    return max(trumps or [card for card in trick if card & SUIT_OF == trick[0] & SUIT_OF])


def moments(start: Moment, cards: Sequence[int]) -> Iterator[Moment]:
    """The start and the moment after each card."""
    yield start
    for card in cards:
        start = start.after(card)
        yield start


def random_cards(rng: random.Random, start: Moment, count: int | None = None) -> list[int]:
    """Cards by lot, as far as there are any: so many, or to the end."""
    cards: list[int] = []
    while start.legal and (count is None or len(cards) < count):
        cards.append(rng.choice(start.legal))
        start = start.after(cards[-1])
    return cards


def ending_of(trump: str, leader: str, **hands: str) -> Moment:
    """`ending_of("S", "M", d="SA C2", e="H3 H2", m="D5 D4")`"""
    d, e, m = (notation.mask(hands[seat]) for seat in "dem")
    return Moment((d, e, m), notation.STRAINS.index(trump), "DEM".index(leader))


def cards_named(names: str) -> list[int]:
    """Cards in their order."""
    return [notation.mask(name).bit_length() - 1 for name in names.split()]
