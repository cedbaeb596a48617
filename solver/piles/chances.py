"""Chances that can be told exactly, by counting: where unseen cards lie, and whether a card that is led stands.

    stands(view, card)        neither pile's next card beats it, if it is led to the trick to come
    beaten_at_once(view, card)   the next pile's card beats it
    together(view, cards)     all of these lie in one pile
    split(view, suit)         how many cards of a suit lie in pile 1
    kitty_has(cards, unseen)  at least one of these is among six of the unseen
    kitty_marriage(hand)      the six make a marriage that the hand has not

All are fractions, hypergeometric: every order of the piles that fits what is known is equally likely. They are of
moments before the piles turn, with the declarer to lead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final

from tierce.solver.cards import SUITS, Card, Mask, bit
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.cards import ALL54, KINGS, QUEENS, cards_of, suit_mask
from tierce.solver.games.sumgait.deal import KITTY
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.piles.view import PileView

__all__ = [
    "NEVER", "beaten_at_once", "kitty_has", "kitty_marriage", "marriages", "next_card", "partner", "split", "stands",
    "together",
]  # fmt: skip

NEVER: Final = Fraction()
_PAIRS: Final = tuple((KINGS | QUEENS) & suit_mask(suit) for suit in SUITS)


def next_card(view: PileView, pile: int) -> dict[Card, Fraction]:
    """What lies on top of pile 1 or 2, and how likely."""
    _check(view)
    return dict(_tops(view.left, view.free, view.known[pile - 1]))


def beaten_at_once(view: PileView, card: Card) -> Fraction:
    """How likely the card of pile 1, which follows, beats a card that is led."""
    tops = next_card(view, 1)
    return sum((part for top, part in tops.items() if _wins(view, (card, top)) == 1), Fraction())


def stands(view: PileView, card: Card) -> Fraction:
    """How likely a card that is led wins its trick."""
    found = Fraction()
    for first, part in next_card(view, 1).items():
        for second, more in _tops(view.left, view.free & ~bit(first), view.known[1]):
            if _wins(view, (card, first, second)) == 0:
                found += part * more
    return found


def together(view: PileView, cards: Mask) -> Fraction:
    """How likely all these cards, face down, lie in one pile, whichever."""
    _check(view)
    if not cards or cards & ~(view.free | view.known[0] | view.known[1]):
        raise InputError("cards", "expected cards that are face down, found others or none", field="cards")
    free, wanted = view.free.bit_count(), (cards & view.free).bit_count()
    found = Fraction()
    for pile in range(2):
        if not cards & view.known[1 - pile]:
            room = view.left - view.known[pile].bit_count()
            found += Fraction(comb(free - wanted, room - wanted) if room >= wanted else 0, comb(free, room))
    return found


def split(view: PileView, suit: int) -> Mapping[int, Fraction]:
    """How likely so many cards of a suit lie in pile 1, of all that are face down."""
    _check(view)
    of_suit = (view.free & suit_mask(suit)).bit_count()
    known = (view.known[0] & suit_mask(suit)).bit_count()
    free, room = view.free.bit_count(), view.left - view.known[0].bit_count()
    ways = {here: comb(of_suit, here) * _choose(free - of_suit, room - here) for here in range(of_suit + 1)}
    return {known + here: Fraction(count, comb(free, room)) for here, count in ways.items() if count}


def kitty_has(cards: Mask, unseen: Mask) -> Fraction:
    """How likely at least one of these cards is in the kitty."""
    size, wanted = unseen.bit_count(), (cards & unseen).bit_count()
    return 1 - Fraction(_choose(size - wanted, KITTY), comb(size, KITTY))


def kitty_marriage(hand: Mask) -> Fraction:
    """How likely hand and kitty together have king and queen of a suit of which the hand alone has not both."""
    unseen = ALL54 & ~hand
    royal = cards_of(unseen & (KINGS | QUEENS))
    others = unseen.bit_count() - len(royal)
    before, count = marriages(hand), 0
    for size in range(min(KITTY, len(royal)) + 1):
        for drawn in combinations(royal, size):
            if marriages(hand | sum(map(bit, drawn))) != before:
                count += _choose(others, KITTY - size)
    return Fraction(count, comb(unseen.bit_count(), KITTY))


def marriages(hand: Mask) -> tuple[int, ...]:
    """The suits of which a hand has king and queen."""
    return tuple(suit for suit in SUITS if hand & _PAIRS[suit] == _PAIRS[suit])


def partner(hand: Mask, suit: int) -> Card | None:
    """The king or queen that a hand lacks which holds the other; None where it holds both or none."""
    missing = _PAIRS[suit] & ~hand
    return missing.bit_length() - 1 if missing.bit_count() == 1 else None


def _check(view: PileView) -> None:
    if view.leader or view.table:
        raise InputError("leader", f"expected the declarer to lead, found leader {view.leader}", field="leader")


def _wins(view: PileView, cards: tuple[Card, ...]) -> int:
    judge = view.judge
    return trick_winner(cards, view.trump, judge.joker_resolution, low_jokers=judge.low_jokers)


def _tops(size: int, free: Mask, known: Mask) -> Iterator[tuple[Card, Fraction]]:
    """The top cards of a pile of a size: those known to be in it, and free ones in the room they leave."""
    for card in cards_of(known):
        yield card, Fraction(1, size)
    room = size - known.bit_count()
    for card in cards_of(free) if room else ():
        yield card, Fraction(room, size * free.bit_count())


def _choose(size: int, count: int) -> int:
    return comb(size, count) if 0 <= count <= size else 0
