"""The layouts of the hands that fit a view of a game of contracts, in the auction or the play: counted, drawn, listed.

All cards are dealt, none is laid away or passed on. So a world is one layout of the cards the seat does not see in the
three other hands, and every layout is equally likely that

    has the hands of their sizes,
    gives no seat a card of a suit it has shown to have none of,
    leaves the dealer the turned-up card until he plays it, and the open hand of a Misère Ouverte where it lies.

The count is exact and nothing is drawn in vain. Of a suit only matters how many of its cards each hand gets, which can
be done in a multinomial number of ways. Two numbers settle the third: a share of cards is a key, and the ways by key
are the fields of one large number, so that two suits are joined by a multiplication.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb
from typing import Final, TypeAlias

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.moments import refuse
from tierce.solver.cards import LANE, LANE_BITS, SUIT_LETTERS, SUITS, Mask, bit, card_name, card_names, cards_of
from tierce.solver.games.view import View

__all__ = ["ContractLaw"]

Hands: TypeAlias = tuple[Mask, ...]
_Split: TypeAlias = tuple[Sequence[int], Sequence[int]]  # keys of the first of two, and the running sums of their ways

_RADIX: Final = 32  # a key is the cards of the first hand + _RADIX times those of the second
_BYTES: Final = 8  # of a field: there are fewer than 2**57 layouts


@dataclass(frozen=True, slots=True)
class _Suit:
    """The cards of a suit that lie anywhere: one each, and in how many ways they can be shared out, by key."""

    cards: tuple[Mask, ...]
    ways: Mapping[int, int]

    @property
    def packed(self) -> int:
        """The ways as fields of a number."""
        found = bytearray(_BYTES * (max(self.ways, default=0) + 1))
        for key, ways in self.ways.items():
            found[_BYTES * key : _BYTES * (key + 1)] = ways.to_bytes(_BYTES, "little")
        return int.from_bytes(found, "little")


class _Pair:
    """Two suits joined."""

    def __init__(self, one: _Suit, other: _Suit) -> None:
        self.suits: Final = one, other
        joined = one.packed * other.packed
        self._fields = joined.to_bytes(_BYTES * 2 * _RADIX * _RADIX, "little")
        self._splits: dict[int, _Split] = {}

    def ways(self, key: int) -> int:
        return int.from_bytes(self._fields[_BYTES * key : _BYTES * (key + 1)], "little")

    def split(self, key: int) -> _Split:
        """The keys of the first suit that leave the second one it can have."""
        if key not in self._splits:
            one, other = self.suits[0].ways, self.suits[1].ways
            rows = [(each, ways * other[key - each]) for each, ways in one.items() if key - each in other]
            self._splits[key] = tuple(each for each, _ in rows), tuple(accumulate(ways for _, ways in rows))
        return self._splits[key]


class ContractLaw:
    """The worlds that fit a view; `count` is their exact number, 0 if there are none.

    InputError (code and field "view") for a view that contradicts itself in one place.
    """

    def __init__(self, view: View) -> None:
        _check(view)
        free = view.unseen & ~_all(view.known)
        suits = tuple(free & LANE << LANE_BITS * suit for suit in SUITS)
        lacking = tuple(count - cards.bit_count() for count, cards in zip(view.counts, view.known, strict=True))
        _check_free(view, free, lacking, suits)
        self._known = tuple(view.known)
        self._played = _played(view)
        self._others = tuple((view.seat + step) % 4 for step in (1, 2, 3))
        room = tuple(lacking[seat] for seat in self._others)
        voids = tuple(view.voids[seat] for seat in self._others)
        spades, hearts, diamonds, clubs = (_suit(cards, suit, room, voids) for suit, cards in enumerate(suits))
        self._pairs: Final = _Pair(spades, hearts), _Pair(diamonds, clubs)
        self._key: Final = room[0] + _RADIX * room[1]
        keys = [a + _RADIX * b for b in range(room[1] + 1) for a in range(room[0] + 1)]
        rows = [(key, self._pairs[0].ways(key) * self._pairs[1].ways(self._key - key)) for key in keys]
        self._keys = tuple(key for key, ways in rows if ways)
        self._sums = tuple(accumulate(ways for _, ways in rows if ways))
        self.count: Final = self._sums[-1] if self._sums else 0

    def draw(self, draws: Draws) -> tuple[Hands, Hands]:
        """(hands at the first lead, hands now) of a random world, each equally likely."""
        found = [0, 0, 0]
        majors = self._keys[_place(self._sums, draws)]
        for pair, key in zip(self._pairs, (majors, self._key - majors), strict=True):
            keys, sums = pair.split(key)
            one = keys[_place(sums, draws)]
            for suit, share in zip(pair.suits, (one, key - one), strict=True):
                _dealt(suit.cards, share, draws, found)
        return self._hands(found)

    def __iter__(self) -> Iterator[tuple[Hands, Hands]]:
        """Every world once, lazily."""
        one, other = self._pairs
        for key in self._keys:
            for majors in _listed(one, key):
                for minors in _listed(other, self._key - key):
                    yield self._hands([a | b for a, b in zip(majors, minors, strict=True)])

    def _hands(self, found: Sequence[Mask]) -> tuple[Hands, Hands]:
        hands = list(self._known)
        for seat, cards in zip(self._others, found, strict=True):
            hands[seat] |= cards
        return tuple(map(int.__or__, hands, self._played)), tuple(hands)


# ---- suits -----------------------------------------------------------------------------------------------------------


def _suit(cards: Mask, suit: int, room: Sequence[int], voids: Sequence[int]) -> _Suit:
    """A suit, as three hands with so much room can have it."""
    count = cards.bit_count()
    a, b, c = (0 if void >> suit & 1 else min(count, most) for most, void in zip(room, voids, strict=True))
    ways = {
        one + _RADIX * two: comb(count, one) * comb(count - one, two)
        for one in range(a + 1)
        for two in range(max(0, count - one - c), min(b, count - one) + 1)
    }
    return _Suit(tuple(map(bit, cards_of(cards))), ways)


def _place(sums: Sequence[int], draws: Draws) -> int:
    """A place, as often as its part of the sums says."""
    return bisect_right(sums, draws.below(sums[-1])) if len(sums) > 1 else 0


def _dealt(cards: Sequence[Mask], share: int, draws: Draws, found: list[Mask]) -> None:
    """Deal a suit to three hands: so many to the first and the second, the rest to the third."""
    two, one = divmod(share, _RADIX)
    left = list(cards)
    for place, count in ((0, one), (1, two)):
        if count == len(left):
            found[place] |= sum(left)
            return
        found[place] |= draws.take(left, count)
    found[2] |= sum(left)


def _listed(pair: _Pair, key: int) -> Iterator[tuple[Mask, Mask, Mask]]:
    """All ways to deal two suits."""
    for one in pair.split(key)[0]:
        for first in _divided(pair.suits[0].cards, one):
            for second in _divided(pair.suits[1].cards, key - one):
                yield first[0] | second[0], first[1] | second[1], first[2] | second[2]


def _divided(cards: Sequence[Mask], share: int) -> Iterator[tuple[Mask, Mask, Mask]]:
    two, one = divmod(share, _RADIX)
    for first in combinations(cards, one):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, two):
            yield sum(first), sum(second), sum(rest) - sum(second)


# ---- the view --------------------------------------------------------------------------------------------------------


def _all(masks: tuple[Mask, ...]) -> Mask:
    found = 0
    for each in masks:
        found |= each
    return found


def _played(view: View) -> Hands:
    """The cards played, by seat."""
    found = [0] * len(view.counts)
    for leader, cards in (*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.trick)):
        for place, card in enumerate(cards):
            found[(leader + place) % len(found)] |= bit(card)
    return tuple(found)


def _check(view: View) -> None:
    """Refuse a moment without cards, and what the seat knows of hands if it cannot be."""
    names = view.profile.seat_names
    if view.phase == "DEAL" or (view.phase in ("SCORE", "OVER") and not any(view.counts)):
        refuse(f"expected a moment at which hands are held, found one in the phase {view.phase}")
    if view.counts[view.seat] != view.hand.bit_count() or view.known[view.seat] != view.hand:
        refuse(f"expected {view.counts[view.seat]} cards in the hand, found {view.hand.bit_count()}")
    seen = 0
    for seat, cards in enumerate(view.known):
        if cards & seen or cards & _all(_played(view)):
            found = cards & seen or cards & _all(_played(view))
            refuse(f"expected each card in one place, found {card_names(found)} in two")
        seen |= cards
        if cards.bit_count() > view.counts[seat]:
            refuse(f"expected at most {view.counts[seat]} cards known of {names[seat]}, found {card_names(cards)}")
        for suit in SUITS:
            held = cards & LANE << LANE_BITS * suit
            if view.voids[seat] >> suit & 1 and held:
                message = f"expected no {SUIT_LETTERS[suit]} in the hand of {names[seat]}, which has shown a void"
                refuse(f"{message}, found {card_names(held)}")


def _check_free(view: View, free: Mask, lacking: tuple[int, ...], suits: tuple[Mask, ...]) -> None:
    """Refuse cards that have no place, and hands that there are no cards for."""
    names = view.profile.seat_names
    if free.bit_count() != sum(lacking):
        refuse(f"expected {sum(lacking)} cards that the seat has not seen, found {free.bit_count()}")
    for suit in SUITS:
        if suits[suit] and all(view.voids[seat] >> suit & 1 or not lack for seat, lack in enumerate(lacking)):
            card = card_name(cards_of(suits[suit])[0])
            refuse(f"expected a place for {card} that fits all the seat has seen, found none")
    for seat, lack in enumerate(lacking):
        room = sum(suits[suit].bit_count() for suit in SUITS if not view.voids[seat] >> suit & 1)
        if lack > room:
            refuse(f"expected {lack} more cards for the hand of {names[seat]}, found {room} that it can hold")
