"""What a returned card says of the hand it came from: tests of single cards, against tests of all sets of cards."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from tests.advice.exchanges import random_small
from tierce.solver.cards import cards_of, mask_of
from tierce.solver.games.exchange import returned, returned_together
from tierce.solver.games.options import OPTIONS, Value

RULES = tuple(product(OPTIONS["return_rule"].values, OPTIONS["rank_order"].values))


@pytest.mark.parametrize(("rule", "ranks"), RULES)
def test_cards_that_may_be_held_alone_may_be_held_together(rule: str, ranks: str) -> None:
    """Every hand of eight spades and every parcel of one to three: the hands that return the same are those that hold
    the cards returned, the parcel's own apart, and any of the cards that alone would change nothing."""
    options: dict[str, Value] = {"return_rule": rule, "rank_order": ranks}
    spades = cards_of(0x1FE0)
    for size in (1, 2, 3):
        for parcel in map(mask_of, combinations(spades, size)):
            others = [card for card in spades if not parcel >> card & 1]
            by_return: dict[int, set[int]] = {}
            for count in range(len(others) + 1):
                for own in map(mask_of, combinations(others, count)):
                    by_return.setdefault(returned(own, parcel, options), set()).add(own)
            for back, hands in by_return.items():
                sure = back & ~parcel
                alone = [
                    1 << c for c in others if returned(sure | 1 << c, parcel, options) == back and not sure >> c & 1
                ]
                free = (sum(more) for count in range(len(alone) + 1) for more in combinations(alone, count))
                assert hands == {sure | more for more in free}


@pytest.mark.parametrize(("rule", "ranks"), RULES)
def test_only_as_many_of_the_highest_matter_as_are_returned(rule: str, ranks: str) -> None:
    """What parcels.py counts on: cards below a hand's highest, one for each card it answers, change no return."""
    rng = random.Random(f"{rule} {ranks}")
    options: dict[str, Value] = {"return_rule": rule, "rank_order": ranks}
    merged: dict[str, Value] = {"return_rule": "merged_top_n", "rank_order": ranks}
    for _ in range(2000):
        cards = rng.sample(cards_of(0x1FFF), rng.randrange(3, 13))
        one, two = rng.randrange(1, 3), rng.randrange(2)
        parcel, other, own = mask_of(cards[:one]), mask_of(cards[one : one + two]), mask_of(cards[one + two :])
        top = 0
        while (own & ~top) and top.bit_count() < one + two:
            lowest = own & ~top & -(own & ~top)
            top |= returned(own & ~top & ~lowest, lowest, merged)
        parcels = [(5, parcel), (3, other)]
        assert returned_together(own, parcels, options) == returned_together(top, parcels, options)
        assert returned(own, parcel | other, options) == returned(top, parcel | other, options)


def test_small_games_have_all_rules() -> None:
    rng = random.Random(1)
    found = {tuple(random_small(rng, 3, 4).options[name] for name in ("return_rule", "rank_order")) for _ in range(200)}
    assert found == set(RULES)
