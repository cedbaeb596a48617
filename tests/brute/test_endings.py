"""The random endings: legal, seeded, of every combination, and of decks odd enough to find mistakes."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.brute import brute
from tests.brute.endings import Combination, Ending, all_combinations, endings, random_ending


def combination_of(ending: Ending) -> Combination:
    return Combination(ending.seats, ending.side, ending.trump, ending.fewest, ending.leader, len(ending.trick))


def longest_run(hand: int) -> int:
    """The most touching cards of one suit in the hand."""
    longest = 0
    while hand:
        hand &= hand << 1
        longest += 1
    return longest


def test_numbers_of_combinations() -> None:
    assert len(set(all_combinations(3))) == 6 * 5 * 2 * 3 * 3
    assert len(set(all_combinations(4))) == 14 * 5 * 2 * 4 * 4
    assert set(all_combinations()) == {*all_combinations(3), *all_combinations(4)}


def test_endings_reach_every_combination_first() -> None:
    combinations = all_combinations()
    drawn = [combination_of(ending) for ending in endings(1, 2 * len(combinations))]
    assert Counter(drawn) == Counter(2 * combinations)


@pytest.mark.parametrize("hands", [3, 4, None])
@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5, 6, None])
def test_endings_are_legal_and_of_the_size_asked_for(hands: int | None, cards: int | None) -> None:
    rng = random.Random(2)
    for _ in range(200):
        ending = random_ending(rng, hands=hands, cards=cards)
        brute.check_position(ending.hands, ending.trump, ending.leader, ending.trick)
        assert ending.seats == hands or (hands is None and ending.seats in (3, 4))
        assert ending.size == cards or (cards is None and 3 <= ending.size <= 5)
        assert 0 < ending.counted < (1 << ending.seats) - 1
        assert len(ending.trick) < ending.seats


def test_same_seed_same_endings() -> None:
    assert list(endings(3, 50)) == list(endings(3, 50))
    assert list(endings(3, 50)) != list(endings(4, 50))


def test_odd_shapes_occur() -> None:
    drawn = list(endings(5, 1000, cards=5))
    assert sum(any(longest_run(hand) >= 4 for hand in ending.hands) for ending in drawn) >= 100
    assert sum(any(_is_one_suit(hand) for hand in ending.hands) for ending in drawn) >= 50
    lowest = (1 << 8) - 1  # ranks 2 to 9
    low_hand = sum(lowest << 16 * suit for suit in range(4))
    assert sum(any(hand & ~low_hand == 0 for hand in ending.hands) for ending in drawn) >= 200


@pytest.mark.parametrize(("hands", "cards"), [(2, 3), (5, 3), (3, 0), (4, 7)])
def test_refuses_other_sizes(hands: int, cards: int) -> None:
    with pytest.raises(ValueError, match="expected 3 or 4 hands of 1 to 6 cards"):
        random_ending(random.Random(0), hands=hands, cards=cards)


def test_refuses_contradictory_requests() -> None:
    combination = all_combinations(4)[0]
    with pytest.raises(ValueError, match="combination of 4 hands"):
        random_ending(random.Random(0), hands=3, combination=combination)


def test_says_everything_in_one_line() -> None:
    ending = Ending((1 << 12, 1 << 17, 0), 4, 2, (50,), 0b011, True)
    assert str(ending) == "D:A... .3.. ... trump N, leader M, on the table C4, side DE, fewest"
    assert (ending.counted, ending.maxers, ending.mover) == (0b011, 0b100, 0)


def _is_one_suit(hand: int) -> bool:
    return any(hand & ~(brute.SUIT << 16 * suit) == 0 for suit in range(4))
