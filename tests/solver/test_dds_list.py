"""The list of DDS deals is read whole, and its parts agree with each other."""

from __future__ import annotations

from tests.solver.dds_list import read_dds_list
from tierce.solver.cards import cards_of
from tierce.solver.pbn_values import seats_after, trick_winner


def test_the_list_of_dds_deals() -> None:
    deals = read_dds_list()
    assert len(deals) == 100
    for each in deals:
        assert each.deal.size == 13 and set(each.fut) == set(cards_of(each.deal.hands[each.first]))
        strain, declarer = "SHDCN"[each.trump], "NESW"[each.declarer]
        assert max(each.fut.values()) == 13 - each.table[strain][declarer]
        assert each.trace[0] == each.table[strain][declarer]
        assert 13 - each.fut[each.play[0]] == each.trace[1]
        assert len(each.trace) in (len(each.play) + 1, len(each.play) - 3)


def test_the_plays_of_the_list_are_legal() -> None:
    for each in read_dds_list():
        leader = each.first
        left = list(each.deal.hands)
        for start in range(0, len(each.play), 4):
            trick = list(zip(seats_after(leader, 4), each.play[start : start + 4], strict=False))
            for seat, card in trick:
                assert left[seat] >> card & 1
                left[seat] &= ~(1 << card)
            leader = trick_winner(trick, each.trump)
