"""Questions at fault: objectives, sides, numbers of the wrong type."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.solver.support import ASKS, TWO_EACH, fault, position, repr_of
from tierce.solver.deal import Deal
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.solve import best_line, floors, solve, strain_table
from tierce.solver.solver import Solver


def test_unknown_objectives() -> None:
    any_objective: Any = "many"
    expected = ("objective", "objective", "expected 'most' or 'fewest', found 'many'")
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, "D", any_objective)) == expected
    assert fault(lambda: floors(TWO_EACH, any_objective)) == expected


@pytest.mark.parametrize("side", [0, 7, 8, -1])
def test_sides_that_are_none(side: int) -> None:
    expected = ("side", "side", f"expected a side of 1 to 2 of the 3 seats, found {side}")
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, side)) == expected


@pytest.mark.parametrize("side", ["NS", "DEM", "DD", "", "X"])
def test_sides_of_letters_that_are_none(side: str) -> None:
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, side))[1] == "side"


def test_three_hands_need_a_side() -> None:
    message = "expected a side, such as D or EM; floors() solves for every seat"
    assert fault(lambda: solve(TWO_EACH)) == ("side", "side", message)
    assert fault(lambda: best_line(TWO_EACH)) == ("side", "side", message)


# ---- numbers of the wrong type --------------------------------------------------------------------------------------

HUGE = 10**5000  # Python refuses to print it
WRONG = (1.0, 3.5, math.nan, math.inf, True, b"1", (1,), 1 << 64, HUGE)


def check_fault(field: str, ask: Callable[[], object]) -> None:
    """Code and field are named, the expectation comes first and what was found last; it is never a raw error."""
    code, named, message = fault(ask)
    assert (code, named) == (field, field)
    assert message.startswith("expected ")
    assert ", found " in message
    assert len(message) < 200


@pytest.mark.parametrize("found", [*WRONG, "1"], ids=repr_of)
def test_nodes_tables_and_objectives_of_the_wrong_type(found: Any) -> None:
    for ask in (*ASKS, lambda at, _, **more: floors(at, **more)):
        check_fault("max_nodes", partial(ask, TWO_EACH, "D", max_nodes=found))
        check_fault("table_mb", partial(ask, TWO_EACH, "D", table_mb=found))
    check_fault("max_nodes", lambda: Limits(max_nodes=found))
    check_fault("table_mb", lambda: Solver(found))
    for ask in ASKS:
        check_fault("objective", partial(ask, TWO_EACH, "D", found))
    check_fault("objective", lambda: floors(TWO_EACH, found))


@pytest.mark.parametrize("found", WRONG, ids=repr_of)
def test_sides_of_the_wrong_type(found: Any) -> None:
    for ask in (*ASKS, Query):
        check_fault("side", partial(ask, TWO_EACH, found))
    four = position("A... K... Q... J...")
    for ask in (*ASKS, Query):
        check_fault("side", partial(ask, four, found))


@pytest.mark.parametrize("found", [1.0, 3.5, math.nan, True, "1", (1,), -HUGE], ids=repr_of)
def test_numbers_of_tricks_of_the_wrong_type(found: Any) -> None:
    check_fault("at_least", lambda: solve(TWO_EACH, "D", at_least=found))
    check_fault("at_most", lambda: solve(TWO_EACH, "D", at_most=found))


@pytest.mark.parametrize("found", [math.nan, math.inf, -math.inf, 0, -1, 1e9, HUGE, True, "1", (1,)], ids=repr_of)
def test_times_that_are_none(found: Any) -> None:
    assert fault(lambda: Limits(found))[2].startswith("expected seconds above 0 and below 1e+09, found ")
    for ask in (*ASKS, lambda at, _, **more: floors(at, **more)):
        check_fault("timeout", partial(ask, TWO_EACH, "D", timeout=found))


def test_whole_seconds_are_seconds() -> None:
    assert solve(TWO_EACH, "D", timeout=10, max_nodes=100).tricks == 1


def test_large_numbers_of_tricks_need_no_search() -> None:
    assert solve(TWO_EACH, "D", at_least=1 << 64).nodes == 0
    assert solve(TWO_EACH, "D", at_most=HUGE).nodes == 0


@pytest.mark.parametrize("found", ["D:A2... K3... Q4...", None, 3, HUGE, Deal((1, 2, 4))], ids=repr_of)
def test_what_is_no_position(found: Any) -> None:
    for ask in (*ASKS, floors, Query):
        with pytest.raises(TypeError, match=r"^expected a Position, found "):
            ask(found)


@pytest.mark.parametrize("found", ["D:A2... K3... Q4...", None, 3, TWO_EACH], ids=repr_of)
def test_what_is_no_deal(found: Any) -> None:
    with pytest.raises(TypeError, match=r"^expected a Deal, found "):
        strain_table(found)
    with pytest.raises(TypeError, match=r"^expected a Deal, found "):
        Position.start(found, 4)
