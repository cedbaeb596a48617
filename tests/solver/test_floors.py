"""Floors and caps, what follows from them, and tables of every strain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.solver.support import OBJECTIVES, TWO_EACH, position, position_of_row, questions, rows
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.results import SideResult
from tierce.solver.search import Engine
from tierce.solver.solve import floors, solve, strain_table

# ---- floors and what follows from them -------------------------------------------------------------------------------


@pytest.mark.small
def test_floors_and_what_follows_from_them() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[2])
    found = floors(replace(at, taken=()), table_mb=16)
    assert (found.kind, found.objective, found.total, found.complete) == ("floor", "most", 16, True)
    assert found.tricks == {"D": 6, "E": 4, "M": 1}
    assert found.bounds == {"D": (6, 6), "E": (4, 4), "M": (1, 1)}
    assert found.surplus == 5
    assert found.ceiling == {"D": 11, "E": 9, "M": 6}
    assert found.share is not None
    assert found.pairs is not None
    assert found.share == pytest.approx({"D": 6 + 5 / 3, "E": 4 + 5 / 3, "M": 1 + 5 / 3})
    assert sum(found.share.values()) == pytest.approx(16)
    assert found.pairs == {"DE": 15, "DM": 12, "EM": 10}
    assert found.taken == {"D": 0, "E": 0, "M": 0}
    assert found.nodes == sum(side.nodes for side in found.sides)
    assert found.millis == sum(side.millis for side in found.sides)
    for pair, tricks in found.pairs.items():
        assert solve(at, pair, table_mb=16).tricks == tricks


def test_floors_count_tricks_taken() -> None:
    for at, _, objective in questions(12, 100, 3):
        found = floors(at, objective, table_mb=1)
        bare = floors(replace(at, taken=()), objective, table_mb=1)
        assert list(found.taken.values()) == list(at.taken)
        assert found.total == at.tricks
        for seat, taken in found.taken.items():
            assert found.tricks[seat] == bare.tricks[seat] + taken
        if objective == "most":
            assert found.surplus == bare.surplus
            assert found.surplus is not None
            assert found.surplus >= 0


def test_caps() -> None:
    found = floors(position("A2... K3... Q4..."), "fewest")
    assert (found.kind, found.objective) == ("cap", "fewest")
    assert [side.kind for side in found.sides] == ["cap"] * 3
    # D leads S2: E must take with S3 or M with S4; then SA takes the second trick.
    assert found.tricks == {seat: solve(TWO_EACH, seat, "fewest").tricks for seat in "DEM"}


def test_floors_with_an_engine_of_ones_own() -> None:
    engine = Engine(1 << 20)
    first, second = floors(TWO_EACH, engine=engine), floors(TWO_EACH, engine=engine)
    assert [replace(side, millis=0.0) for side in first.sides] == [replace(side, millis=0.0) for side in second.sides]
    assert engine.entries == 0


def test_queries() -> None:
    assert Query(TWO_EACH).sides == (1, 2, 4)
    assert Query(TWO_EACH, 0b011).sides == (0b011,)
    assert len(Query(TWO_EACH).requests(Limits())) == 3
    assert Query(Position((0, 0, 0), 4, 0)).requests(Limits()) == []
    result = Query(Position((0, 0, 0), 4, 0, taken=(1, 0, 0)), 0b001).result([])
    assert isinstance(result, SideResult)
    assert result.tricks == 1


# ---- tables of strains -----------------------------------------------------------------------------------------------


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


def test_limits_of_a_strain_table() -> None:
    deal = Deal.parse(rows("bridge_tables.jsonl")[0]["pbn"])
    with pytest.raises(LimitReached) as caught:
        strain_table(deal, max_nodes=100)
    assert caught.value.code == "max_nodes"
