"""Exact chances against every order there is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest

from tests.piles.scenes import PROCEDURES, ending, judge
from tierce.solver.cards import SUITS, bit, mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.cards import ALL54, JOKERS, cards_of, parse_hand, suit_mask
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.piles import PileView
from tierce.solver.piles.chances import (
    beaten_at_once,
    kitty_has,
    kitty_marriage,
    marriages,
    next_card,
    partner,
    split,
    stands,
    together,
)

KINDS = ("unknown", "given", "robbed")


def shares(view: PileView) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every order of both piles that fits, once."""
    one, two = (cards_of(each) for each in view.known)
    free = cards_of(view.free)
    for more in combinations(free, view.left - len(one)):
        rest = tuple(card for card in free if card not in more)
        for first in permutations(one + more):
            for second in permutations(two + rest):
                yield first, second


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("procedure", PROCEDURES)
def test_against_every_order(kind: str, procedure: str) -> None:
    rng = random.Random(f"{kind}{procedure}")
    for _ in range(6):
        view = ending(rng, 3, kind=kind, leader=0, rules=judge(rng, procedure))
        orders = list(shares(view))
        down = view.free | view.known[0] | view.known[1]
        some = mask_of(rng.sample(cards_of(down), 2))

        def part(hits: int, orders: list[tuple[tuple[int, ...], tuple[int, ...]]] = orders) -> Fraction:
            return Fraction(hits, len(orders))

        tops = Counter(one[0] for one, _ in orders)
        assert next_card(view, 1) == {card: part(count) for card, count in tops.items()}
        hits = sum(not some & ~mask_of(one) or not some & mask_of(one) for one, _ in orders)
        assert together(view, some) == part(hits)
        for suit in SUITS:
            counts = Counter((mask_of(one) & suit_mask(suit)).bit_count() for one, _ in orders)
            assert split(view, suit) == {here: part(count) for here, count in counts.items()}
        for card in cards_of(view.hand):
            low = view.judge.low_jokers

            def won(*cards: int, view: PileView = view, low: bool = low) -> int:
                return trick_winner(cards, view.trump, view.judge.joker_resolution, low_jokers=low)

            if low and card in cards_of(JOKERS):
                continue  # a led joker that never wins: no trick of two cards says so
            assert beaten_at_once(view, card) == part(sum(won(card, one[0]) == 1 for one, _ in orders))
            assert stands(view, card) == part(sum(won(card, one[0], two[0]) == 0 for one, two in orders))


def test_of_a_whole_hand_by_the_book() -> None:
    view = PileView(hand=parse_hand("AQT98.T763.KJ543.KJ8.J1"), free=ALL54 & ~parse_hand("AQT98.T763.KJ543.KJ8.J1"))
    ace = parse_hand("A...").bit_length() - 1
    assert beaten_at_once(view, ace) == Fraction(1, 36)  # J2 alone beats it
    assert stands(view, ace) == Fraction(34, 36)
    assert together(view, parse_hand("7..7.7")) == Fraction(2 * comb(33, 15), comb(36, 18))
    assert sum(split(view, 0).values()) == 1
    assert split(view, 0)[4] == Fraction(comb(8, 4) * comb(28, 14), comb(36, 18))


def test_of_the_kitty() -> None:
    hand = parse_hand("AQT7.763.KJ43.J83.J1J2")
    unseen = ALL54 & ~hand
    assert kitty_has(parse_hand("K..."), unseen) == Fraction(6, 38)
    assert kitty_has(JOKERS, unseen) == 0
    assert (partner(hand, 0), partner(hand, 1), marriages(hand)) == (11, None, ())
    with_both = hand | bit(11)
    assert (partner(with_both, 0), marriages(with_both)) == (None, (0,))


def test_a_marriage_in_the_kitty_against_all_kitties() -> None:
    """Of few unseen cards: the hand of all others, so that the kitties can be listed."""
    rng = random.Random(5)
    for _ in range(12):
        royal = [16 * suit + rank for suit in SUITS for rank in (10, 11)]
        unseen = mask_of(rng.sample(royal, rng.randint(1, 6)))
        rest = [card for card in cards_of(ALL54 & ~unseen) if card not in royal]
        unseen |= mask_of(rng.sample(rest, 11 - unseen.bit_count()))
        hand = ALL54 & ~unseen
        kitties = list(combinations(cards_of(unseen), 6))
        hits = sum(marriages(hand | mask_of(kitty)) != marriages(hand) for kitty in kitties)
        assert kitty_marriage(hand) == Fraction(hits, len(kitties))


def test_refused() -> None:
    rng = random.Random(1)
    view = ending(rng, 4, leader=0)
    for cards in (0, view.hand):
        with pytest.raises(InputError, match="face down"):
            together(view, cards)
    with pytest.raises(InputError, match="to lead"):
        stands(ending(rng, 4, leader=1), cards_of(view.hand)[0])
