"""Yes/no questions: at least or at most so many tricks, what they prove and what they cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.solver.support import TWO_EACH, fault, hard, position_of_row, questions, rows
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import taken_by
from tierce.solver.search import STOP_NODES
from tierce.solver.solve import solve
from tierce.solver.solver import Solver


@pytest.mark.small
def test_at_least_and_at_most() -> None:
    for at, side, objective in questions(5, 60, 3):
        value = solve(at, side, objective, table_mb=1).tricks
        solver = Solver(table_mb=1)
        for asked in range(at.tricks + 2):
            least = solver.solve(at, side, objective, at_least=asked)
            assert (least.low >= asked) == (value >= asked)
            assert (least.high < asked) == (value < asked)
            most = solver.solve(at, side, objective, at_most=asked)
            assert (most.high <= asked) == (value <= asked)
            assert (most.low > asked) == (value > asked)
            for result in (least, most):
                assert result.low <= value <= result.high
                assert (result.taken, result.stop) == (taken_by(at, side), 0)


def test_a_question_that_needs_no_search() -> None:
    at = replace(TWO_EACH, taken=(2, 0, 0))
    assert solve(at, "D", at_least=2).nodes == 0
    assert solve(at, "D", at_least=2).low == 2
    assert solve(at, "D", at_least=5).nodes == 0
    assert solve(at, "D", at_least=5).high == 4
    assert solve(at, "D", at_most=4).high == 4
    assert solve(at, "D", at_most=1).low == 2


def test_yes_or_no_is_cheaper() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    whole = solve(at, "D")
    assert solve(at, "D", at_least=whole.tricks).nodes < whole.nodes


def test_yes_or_no_proves_one_side_only() -> None:
    """Bounds are proved: yes says nothing of how many more, no nothing of how many fewer."""
    at = replace(position_of_row(rows("three_hand_floors.jsonl")[1]), taken=(2, 0, 0))
    value = solve(at, "D").tricks
    yes, no = solve(at, "D", at_least=value), solve(at, "D", at_least=value + 1)
    assert (yes.low, yes.high, yes.stop) == (value, at.tricks, 0)
    assert (no.low, no.high, no.stop) == (2, value, 0)
    assert solve(at, "D", at_most=value).high == value
    assert not yes.complete
    with pytest.raises(LimitReached) as caught:
        _ = yes.tricks
    assert (caught.value.code, caught.value.bounds) == ("not_asked", {"D": (value, at.tricks)})


def test_a_limit_before_yes_or_no_proves_nothing() -> None:
    with pytest.raises(LimitReached) as caught:
        solve(hard(), "D", "fewest", at_least=5, max_nodes=1_000)
    assert (caught.value.code, caught.value.bounds) == ("max_nodes", {"D": (0, 17)})
    result = solve(hard(), "D", "fewest", at_least=5, max_nodes=1_000, bounds=True)
    assert (result.low, result.high, result.stop) == (0, 17, STOP_NODES)


def test_yes_or_no_of_a_finished_hand() -> None:
    over = Position((0, 0, 0), 4, 1, taken=(1, 2, 3))
    assert solve(over, "E", at_least=2).low >= 2
    assert solve(over, "E", at_least=3).high < 3
    assert solve(over, "E", at_most=2).high <= 2


def test_questions_that_make_no_sense() -> None:
    assert fault(lambda: solve(TWO_EACH, "D", at_least=1, at_most=1)) == (
        "at_least",
        "at_least",
        "expected at_least or at_most, found both",
    )
    message = "expected a number of tricks, found -1"
    assert fault(lambda: solve(TWO_EACH, "D", at_least=-1)) == ("at_least", "at_least", message)
    assert fault(lambda: solve(TWO_EACH, "D", at_most=-1)) == ("at_most", "at_most", message)
