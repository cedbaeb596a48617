"""Tables of every strain: their values, limits for the whole of them, and what they refuse."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.solver.support import FAST, OBJECTIVES, SLACK, fault, hard, position_of_row, rows
from tierce.solver.cards import STRAINS
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.solve import floors, solve, strain_table

THREE = position_of_row(rows("fewest_values.jsonl")[1])
FOUR = position_of_row(rows("fewest_values.jsonl")[0])


def test_the_strain_table_of_three_hands() -> None:
    row = rows("three_hand_floors.jsonl")[0]
    at = position_of_row(row)
    table = strain_table(Deal(at.hands))
    assert list(table) == ["S", "H", "D", "C", "N"]
    assert table[row["trump"]] == row["floors"]
    short = Deal.parse("D:AK2.4.. .AK2.4. 4..AK2.")
    for leader in (None, 0, 2):
        for objective in OBJECTIVES:
            assert strain_table(short, leader=leader, objective=objective, table_mb=1) == {
                name: floors(Position.start(short, trump, leader), objective).tricks
                for trump, name in enumerate("SHDCN")
            }


def test_the_strain_table_of_four_hands() -> None:
    deal = Deal.parse("N:AK2.4.. .AK2.4. 4..AK2. 3..3.KQ")
    for objective in OBJECTIVES:
        expected = {
            name: {
                seat: solve(Position(deal.hands, trump, (i + 1) % 4), 0b0101 << i % 2, objective).tricks
                for i, seat in enumerate("NESW")
            }
            for trump, name in enumerate("SHDCN")
        }
        found = strain_table(deal, objective=objective, table_mb=1)
        assert found == expected
        assert all(list(row) == list("NESW") for row in found.values())


def check_limit(deal: Deal, limit: Callable[[], object], code: str, truth: dict[str, dict[str, int]]) -> None:
    """A limit raises with bounds of every entry; they hold, and some are open."""
    with pytest.raises(LimitReached) as caught:
        limit()
    assert caught.value.code == code
    bounds = caught.value.bounds
    assert bounds is not None
    assert list(bounds) == [f"{strain} {seat}" for strain in truth for seat in truth[strain]]
    for entry, (low, high) in bounds.items():
        strain, seat = entry.split()
        assert 0 <= low <= truth[strain][seat] <= high <= deal.size
    assert any(low < high for low, high in bounds.values())


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("at", [THREE, FOUR], ids=["three", "four"])
def test_node_limits_hold_for_the_whole_strain_table(at: Position, objective: Objective) -> None:
    """As many nodes as all its searches need are enough; fewer are too few, and are kept to."""
    deal = Deal(at.hands)
    truth = strain_table(deal, objective=objective)
    low, high = 1, 1
    while not fits(deal, objective, high):
        low, high = high + 1, high * 4
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(deal, objective, middle) else (middle + 1, high)
    assert high > 500  # more than any of its searches: see the next lines
    assert strain_table(deal, objective=objective, max_nodes=high) == truth
    for max_nodes in (1, high // 3, high - 1):
        check_limit(deal, partial(strain_table, deal, objective=objective, max_nodes=max_nodes), "max_nodes", truth)
    if len(deal.hands) == 3:
        whole = [floors(Position.start(deal, trump), objective) for trump in STRAINS]
        assert high == sum(found.nodes for found in whole)


def fits(deal: Deal, objective: Objective, max_nodes: int) -> bool:
    """Are so many nodes enough?"""
    with contextlib.suppress(LimitReached):
        strain_table(deal, objective=objective, max_nodes=max_nodes)
        return True
    return False


@pytest.mark.parametrize("seats", [3, 4])
def test_time_limits_hold_for_the_whole_strain_table(seats: int) -> None:
    deal = Deal(hard().hands) if seats == 3 else Deal.parse(rows("bridge_tables.jsonl")[0]["pbn"])
    began = time.perf_counter()
    with pytest.raises(LimitReached) as caught:
        strain_table(deal, objective="fewest", timeout=0.05)
    assert time.perf_counter() - began < 0.05 + FAST + SLACK
    assert caught.value.code == "timeout"
    assert caught.value.bounds is not None
    assert list(caught.value.bounds) == [f"{strain} {seat}" for strain in "SHDCN" for seat in deal.seats]
    assert all(0 <= low <= high <= deal.size for low, high in caught.value.bounds.values())


@pytest.mark.parametrize("objective", ["many", None, 1])
def test_strain_tables_refuse_unknown_objectives(objective: Any) -> None:
    message = f"expected 'most' or 'fewest', found {objective!r}"
    for text in ("D:A... K... Q...", "N:A... K... Q... J..."):
        deal = Deal.parse(text)
        assert fault(partial(strain_table, deal, objective=objective)) == ("objective", "objective", message)


def test_strain_tables_of_four_hands_have_no_leader() -> None:
    four = Deal.parse("N:A... K... Q... J...")
    message = "expected no leader for a table of four hands, where the seat left of each declarer leads, found 0"
    assert fault(lambda: strain_table(four, leader=0)) == ("leader", "leader", message)
    three = Deal.parse("D:A... K... Q...")
    wrong: tuple[Any, ...] = (3, -1, 1.0, True, "E")
    for leader in wrong:
        assert fault(partial(strain_table, three, leader=leader))[:2] == ("position", "leader")


def test_the_four_leaders_of_a_strain_share_a_table() -> None:
    """With most tricks; from cold the same values take far more nodes."""
    deal = Deal.parse(rows("bridge_tables.jsonl")[0]["pbn"])
    cold = sum(
        solve(Position(deal.hands, trump, (declarer + 1) % 4), 0b0101 << declarer % 2).nodes
        for trump in STRAINS
        for declarer in range(4)
    )
    assert fits(deal, "most", cold * 3 // 4)
