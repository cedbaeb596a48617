"""Limits of time and nodes: exactness, bounds, one budget for all searches of a call."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.solver.support import ASKS, FAST, SLACK, TWO_EACH, fault, hard, position_of_row, questions, rows
from tierce.solver.errors import LimitReached
from tierce.solver.query import Limits
from tierce.solver.search import STOP_NODES, STOP_TIME
from tierce.solver.solve import best_line, card_values, floors, solve


@pytest.mark.small
@pytest.mark.parametrize("side", ["D", "EM"])
@pytest.mark.parametrize("max_nodes", [1, 2, 3, 1_000, 2_047, 2_048, 2_049, 10_000])
def test_the_node_limit_is_exact(max_nodes: int, side: str) -> None:
    found = [solve(hard(), side, "fewest", max_nodes=max_nodes, bounds=True, table_mb=1) for _ in range(2)]
    assert [result.nodes for result in found] == [max_nodes, max_nodes]
    assert found[0].stop == STOP_NODES
    assert not found[0].complete
    first, second = ((result.low, result.high, result.relevant) for result in found)
    assert first == second


@pytest.mark.small
def test_as_many_nodes_as_a_search_needs_are_enough() -> None:
    for at, side, objective in questions(6, 150):
        whole = solve(at, side, objective, table_mb=1)
        for max_nodes in {1, 2, whole.nodes // 2, whole.nodes - 1, whole.nodes} - {0, -1}:
            part = solve(at, side, objective, max_nodes=max_nodes, bounds=True, table_mb=1)
            assert part.nodes <= max_nodes
            assert part.low <= whole.tricks <= part.high
            assert part.complete == (part.stop == 0)
            if max_nodes == whole.nodes:
                assert (part.low, part.high, part.stop) == (whole.low, whole.high, 0)


def test_bounds_close_in_on_the_value() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    whole = solve(at, "D")
    before = (0, at.tricks)
    for part in range(1, 9):
        result = solve(at, "D", max_nodes=whole.nodes * part // 8, bounds=True)
        assert before[0] <= result.low <= whole.tricks <= result.high <= before[1]
        before = result.low, result.high
    assert before == (whole.tricks, whole.tricks)


def test_a_limit_raises_with_the_bounds() -> None:
    with pytest.raises(LimitReached) as caught:
        solve(hard(), "D", "fewest", max_nodes=1_000)
    error = caught.value
    assert error.code == "max_nodes"
    assert str(error) == "the node limit was reached before the answer was known"
    assert error.bounds is not None
    result = solve(hard(), "D", "fewest", max_nodes=1_000, bounds=True)
    assert dict(error.bounds) == {"D": (result.low, result.high)}
    with pytest.raises(LimitReached):
        _ = result.tricks


@pytest.mark.parametrize("timeout", [0.001, 0.1, 0.3])
def test_the_time_limit_is_kept(timeout: float) -> None:
    began = time.perf_counter()
    with pytest.raises(LimitReached) as caught:
        solve(hard(), "D", "fewest", timeout=timeout)
    spent = time.perf_counter() - began
    assert caught.value.code == "timeout"
    assert timeout <= spent < timeout + FAST + SLACK
    result = solve(hard(), "D", "fewest", timeout=timeout, bounds=True)
    assert result.stop == STOP_TIME
    assert result.low < result.high


@pytest.mark.parametrize("ask", [floors, card_values, best_line])
def test_limits_hold_for_all_of_a_call(ask: Callable[..., Any]) -> None:
    began = time.perf_counter()
    more = (0b001,) if ask is not floors else ()
    with pytest.raises(LimitReached) as caught:
        ask(hard(), *more, "fewest", timeout=0.1)
    assert caught.value.code == "timeout"
    assert time.perf_counter() - began < 0.1 + FAST + SLACK
    with pytest.raises(LimitReached) as caught:
        ask(hard(), *more, "fewest", max_nodes=5_000)
    assert caught.value.code == "max_nodes"


def test_floors_share_one_limit() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    whole = floors(at)
    assert floors(at, max_nodes=whole.nodes).tricks == whole.tricks
    for max_nodes in (1, whole.sides[0].nodes, whole.sides[0].nodes + 1, whole.nodes - 1):
        part = floors(at, max_nodes=max_nodes, bounds=True)
        assert part.nodes == max_nodes
        assert not part.complete
        for seat, (low, high) in part.bounds.items():
            assert low <= whole.tricks[seat] <= high
        with pytest.raises(LimitReached) as caught:
            _ = part.tricks
        assert caught.value.bounds == part.bounds


def test_card_values_within_the_nodes_they_need() -> None:
    at = position_of_row(rows("fewest_values.jsonl")[0])
    whole = card_values(at, "N")
    assert card_values(at, "N", max_nodes=whole.nodes).cards == whole.cards
    with pytest.raises(LimitReached):
        card_values(at, "N", max_nodes=whole.nodes - 1)


@pytest.mark.parametrize(
    ("limit", "field"),
    [
        ({"timeout": 0.0}, "timeout"),
        ({"timeout": -1.0}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"max_nodes": 0}, "max_nodes"),
        ({"max_nodes": -5}, "max_nodes"),
        ({"max_nodes": 1 << 63}, "max_nodes"),
    ],
)
def test_limits_that_make_no_sense(limit: dict[str, Any], field: str) -> None:
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, "D", **limit))[:2] == (field, field)
    assert fault(lambda: floors(TWO_EACH, **limit))[:2] == (field, field)
    assert fault(lambda: Limits(**limit))[:2] == (field, field)
