"""Random deals: the same for ever, no card favoured, the card out of the pack where the game says so."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from tests.games.plain_rules import GAMES, PACK
from tests.games.scenes import card, game
from tests.games.words import names
from tierce.solver.cards import ALL_CARDS, cards_of
from tierce.solver.games import DealCards, apply, load_game, new_match, random_deal
from tierce.solver.games.dealing import GENERATOR, shuffled


def by_the_book(seed: int, index: int, cards: list[str]) -> list[str]:
    """The shuffle as the generator's description has it, in another program."""
    text = b"".join(hashlib.sha256(f"tierce-deal-1:{seed}:{index}:{block}".encode()).digest() for block in range(9))
    drawn = list(text)
    pack = list(cards)
    for last in range(len(pack) - 1, 0, -1):
        n = last + 1
        while drawn[0] >= 256 // n * n:
            del drawn[0]
        other = drawn.pop(0) % n
        pack[last], pack[other] = pack[other], pack[last]
    return pack


ORDER = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]


@pytest.mark.parametrize(("seed", "index"), [(0, 0), (7, 0), (7, 1), (10**30, 5)])
def test_the_generator_is_the_one_described(seed: int, index: int) -> None:
    assert GENERATOR == "tierce-deal-1"
    assert [names(1 << each)[0] for each in shuffled(ALL_CARDS, seed, index)] == by_the_book(seed, index, ORDER)


def test_pinned_deals() -> None:
    """On every machine and in every version these."""
    deal = "D:AT94.QT8.A97.A96432 J865.AK93.T6542.QJ5 Q732.76542.KQ83.KT7 / K.J.J.8"
    assert str(random_deal(load_game("raf"), 7)) == deal
    deal = "D:QT63.Q4.QT543.KQ9754 754.T8532.AJ972.JT86 AKJ98.AKJ976.K86.A32 / 2..."
    assert str(random_deal(load_game("six_three_eight"), 7, 2)) == deal


@pytest.mark.parametrize("name", GAMES)
def test_deals_fit_their_game(name: str) -> None:
    profile = load_game(name)
    for index in range(30):
        deal = random_deal(profile, 3, index)
        assert [hand.bit_count() for hand in deal.hands] == [GAMES[name].each] * 3
        assert deal.cards == ALL_CARDS
        assert apply(new_match(profile), DealCards(deal)).dealt == deal
    assert len({random_deal(profile, 3, index) for index in range(30)}) == 30
    assert random_deal(profile, 3, 1) != random_deal(profile, 1, 3)


def test_options_other_than_the_card_left_out_do_not_change_the_deals() -> None:
    assert random_deal(game("raf", kitty_first=True), 5) == random_deal(game("woburn"), 5)
    assert names(random_deal(game("six_three_eight", removed_card="HA"), 5).kitty) == ["HA"]


def test_no_card_is_favoured() -> None:
    """3,000 deals: each card is in the kitty 4 times of 52, in the dealer's hand 16 times of 52."""
    kitty: Counter[str] = Counter()
    dealer: Counter[str] = Counter()
    profile = load_game("raf")
    for index in range(3000):
        deal = random_deal(profile, 11, index)
        kitty.update(names(deal.kitty))
        dealer.update(names(deal.hands[0]))
    assert set(kitty) == set(dealer) == set(PACK)
    # Five standard deviations: sqrt(3000 p (1 - p)) is 14.6 for the kitty, 25.3 for a hand.
    assert all(abs(count - 3000 * 4 / 52) < 73 for count in kitty.values())
    assert all(abs(count - 3000 * 16 / 52) < 127 for count in dealer.values())


def test_a_part_of_the_pack_is_shuffled_as_well() -> None:
    few = 1 << card("SA") | 1 << card("H2") | 1 << card("D7")
    orders = {tuple(shuffled(few, seed)) for seed in range(60)}
    assert len(orders) == 6 and all(sorted(order) == sorted(cards_of(few)) for order in orders)
    assert shuffled(0, 1) == [] and shuffled(1, 1) == [0]
    assert shuffled(ALL_CARDS, 4) == shuffled(ALL_CARDS, 4, 0) and random_deal(game("raf"), 4) == random_deal(
        game("raf"), 4, 0
    )
