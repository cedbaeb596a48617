"""Floors and caps, and what follows from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.solver.support import TWO_EACH, position, position_of_row, questions, rows
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.results import SideResult
from tierce.solver.search import Engine
from tierce.solver.solve import floors, solve


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


def test_what_caps_and_four_hands_do_not_have() -> None:
    """Nobody has a claim to what caps leave over, and pairs and fair shares are of three hands."""
    caps = floors(TWO_EACH, "fewest")
    assert (caps.surplus, caps.ceiling, caps.share, caps.pairs) == (None, None, None, None)
    four = floors(position("A2... K3... Q4... J5..."))
    assert four.surplus == 2 - sum(four.tricks.values())
    assert four.ceiling == {seat: floor + four.surplus for seat, floor in four.tricks.items()}
    assert (four.share, four.pairs) == (None, None)


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
