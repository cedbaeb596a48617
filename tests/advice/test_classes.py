"""Classes of discards: disjoint, together exactly the set, and few."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tierce.solver.advice.classes import DiscardClass, Pick, classes_of
from tierce.solver.cards import Mask, cards_of, mask_of, parse_cards, parse_hand, rank_of


def cards(text: str) -> Mask:
    return mask_of(parse_cards(text))


def discards(pool: Mask, count: int) -> list[Mask]:
    return [mask_of(each) for each in combinations(cards_of(pool), count)]


def said(wanted: list[Mask], pool: Mask, others: Mask = 0) -> list[str]:
    """The classes in words, after the test that they are disjoint and exactly the set."""
    found = classes_of(wanted, pool, others)
    members = Counter(each for one in found for each in one.members())
    assert members == Counter(wanted)
    for one in found:
        assert one.count == sum(1 for _ in one.members())
        assert one.example in set(one.members())
    assert [one.count for one in found] == sorted((one.count for one in found), reverse=True)
    return [str(one) for one in found]


POOL = cards("SA S9 S8 H3 H2 C5 C4 C2")


def test_the_style() -> None:
    wanted = [each | cards("H3 H2") for each in discards(cards("C5 C4 C2"), 2)]
    assert said(wanted, POOL) == ["any two of C5 C4 C2, and both H3 H2"]
    assert said([cards("H3 H2 C5 C4")], POOL) == ["H3 H2 C5 C4"]
    wanted = [each | cards("C2 C4 C5") for each in discards(cards("H3 H2"), 1)]
    assert said(wanted, POOL) == ["one of H3 H2, and all of C5 C4 C2"]
    wanted = [each | cards("SA") for each in discards(cards("C5 C4"), 1)]
    assert said(wanted, POOL) == ["one of C5 C4, and SA"]


def test_all_and_none() -> None:
    assert said(discards(POOL, 4), POOL) == ["any four of SA S9 S8 H3 H2 C5 C4 C2"]
    assert classes_of([], POOL) == ()
    assert said([0], 0) == ["nothing"]


def test_a_choice_from_several_suits() -> None:
    wanted = [one | two for one in discards(cards("S9 S8"), 1) for two in discards(cards("C5 C4 C2"), 1)]
    assert said(wanted, POOL) == ["one of C5 C4 C2, and one of S9 S8"]


def test_what_one_class_cannot_say() -> None:
    wanted = [each for each in discards(cards("S9 S8 C5 C4"), 2) if each != cards("S9 C5")]
    assert sum(1 for _ in said(wanted, POOL)) == 2


def test_most() -> None:
    wanted = discards(cards("S9 S8 H3"), 2) + discards(cards("C5 C4 C2"), 2)
    assert [one.count for one in classes_of(wanted, POOL)] == [3, 3]
    assert len(classes_of(wanted, POOL, most=1)) == 1
    assert len(classes_of(wanted, POOL, most=5)) == 2


def test_touching_cards() -> None:
    """Between S9 and S7 lies no card of another player's: what holds for one holds for the other."""
    pool, others = cards("SA S9 S7 H5 H4"), cards("SK ST S6 H3")
    wanted = [each for each in discards(pool, 2) if not each & cards("SA")]
    assert said(wanted, pool, others) == ["any two of S9 S7 H5 H4"]


def test_a_stopped_search_may_have_found_one_of_two_that_touch() -> None:
    assert said([cards("S9 H3"), cards("S8 H2")], POOL, cards("S7")) == ["S8 H2", "S9 H3"]


def test_the_example_is_of_low_cards() -> None:
    one = DiscardClass((Pick(cards("SA S3 C2 D3"), 2), Pick(cards("HK"), 1)))
    assert one.example == cards("C2 S3 HK") or one.example == cards("C2 D3 HK")
    assert one.count == 6
    assert sum(map(rank_of, cards_of(one.example))) == min(sum(map(rank_of, cards_of(each))) for each in one.members())


def test_other_signs() -> None:
    one = DiscardClass((Pick(cards("S3 S2"), 1), Pick(cards("HK HQ"), 2)))
    assert one.said(lambda mask: f"<{mask.bit_count()}>") == "one of <2>, and both <2>"


@given(st.data())
def test_any_set(data: st.DataObject) -> None:
    pool = data.draw(st.sets(st.sampled_from(cards_of((1 << 64) - 1 & 0x1FFF_1FFF_1FFF_1FFF)), min_size=1, max_size=9))
    count = data.draw(st.integers(0, min(4, len(pool))))
    others = data.draw(st.sets(st.integers(0, 12), max_size=6))
    mask = mask_of(pool)
    wanted = data.draw(st.sets(st.sampled_from(discards(mask, count))))
    said(sorted(wanted), mask, sum(1 << rank for rank in others) & ~mask)


@settings(max_examples=30)
@given(st.integers(0, 40), st.lists(st.integers(0, 5), min_size=16, max_size=16))
def test_sets_like_those_of_a_search(least: int, worth: list[int]) -> None:
    """Every discard that leaves enough: sets with a rule behind them become few classes."""
    pool = parse_hand("AQT95.K87.J9852.AQ4")
    value = dict(zip(cards_of(pool), worth, strict=True))
    wanted = [each for each in discards(pool, 4) if sum(value[card] for card in cards_of(each)) <= least]
    assert len(said(wanted, pool)) <= 100


@pytest.mark.parametrize("kitty", ["8.J2.T.", "K.32.T."])
def test_twenty_cards(kitty: str) -> None:
    pool = parse_hand("AQT95.K87.J9852.AQ4") | parse_hand(kitty)
    wanted = [each for each in discards(pool, 4) if (each & 0xFFFF).bit_count() < 2]
    assert len(said(wanted, pool)) <= 2
