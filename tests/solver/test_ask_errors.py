"""Questions at fault: objectives, sides, numbers of the wrong type."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.solver.support import ASKS, TWO_EACH, fault
from tierce.solver.solve import best_line, floors, solve


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
