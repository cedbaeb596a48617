"""The reusable solver: warm and cold answers, statistics, what its table serves and refuses."""

from __future__ import annotations

import contextlib
import copy
import pickle
import random
from collections.abc import Callable
from functools import partial

import pytest

from tests.brute.endings import random_ending
from tests.solver.support import OBJECTIVES, TWO_EACH, fault, position, position_of_row, rows
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.solve import floors, solve
from tierce.solver.solver import Solver


@pytest.mark.small
def test_warm_answers_equal_cold_ones() -> None:
    for hands, side, trump in [(3, 0b100, 4), (3, 0b011, 1), (4, 0b0011, 0), (4, 0b1011, 4)]:
        for objective in OBJECTIVES:
            rng, solver = random.Random(trump), Solver(table_mb=1)
            for _ in range(60):
                ending = random_ending(rng, hands=hands, cards=4)
                at = Position(ending.hands, trump, ending.leader, ending.trick)
                cold = Solver(table_mb=1)
                assert solver.solve(at, side, objective).tricks == cold.solve(at, side, objective).tricks
                assert solver.card_values(at, side, objective).cards == cold.card_values(at, side, objective).cards
                assert solver.best_line(at, side, objective) == cold.best_line(at, side, objective)


def test_a_warm_table_saves_work() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[2])
    solver = Solver(64)
    first = solver.solve(at, "D")
    again = solver.solve(at, "D")
    assert again.tricks == first.tricks
    assert again.nodes < first.nodes / 10
    solver.clear()
    assert solver.solve(at, "D").nodes == first.nodes


def test_statistics() -> None:
    solver = Solver(2)
    assert (solver.nodes, solver.entries, solver.used_bytes) == (0, 0, 0)
    assert 2 << 20 <= solver.table_bytes < 3 << 20
    at = position_of_row(rows("fewest_values.jsonl")[2])
    first = solver.solve(at, "D")
    assert solver.nodes == first.nodes > 0
    assert 0 < solver.used_bytes <= solver.table_bytes
    assert solver.entries > 0
    second = solver.card_values(at, "D")
    assert solver.nodes == first.nodes + second.nodes
    solver.clear()
    assert (solver.entries, solver.used_bytes) == (0, 0)
    assert solver.nodes == first.nodes + second.nodes


def test_a_small_table_stays_within_its_limit() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    solver = Solver(1)
    found = {side: 0 for side in "DEM"}
    for side in found:
        solver.clear()
        found[side] = solver.solve(at, side).tricks
        assert solver.used_bytes <= solver.table_bytes < 2 << 20
    assert found == floors(at).tricks


@pytest.mark.parametrize(
    ("other", "side", "objective", "found"),
    [
        (position("A2... K3... Q4...", "S"), "D", "most", "3 hands, trump S, side 0x1, most tricks"),
        (TWO_EACH, "E", "most", "3 hands, trump N, side 0x2, most tricks"),
        (TWO_EACH, "EM", "most", "3 hands, trump N, side 0x6, most tricks"),
        (TWO_EACH, "D", "fewest", "3 hands, trump N, side 0x1, fewest tricks"),
        (position("A... K... Q... J..."), "N", "most", "4 hands, trump N, side 0x1, most tricks"),
    ],
)
def test_a_table_serves_one_kind_of_question(other: Position, side: str, objective: Objective, found: str) -> None:
    solver = Solver(1)
    solver.solve(TWO_EACH, "D")
    for name in ("solve", "card_values", "best_line"):
        code, field, message = fault(partial(getattr(solver, name), other, side, objective))
        assert (code, field) == ("table_mismatch", "position")
        assert message == (
            "expected positions with 3 hands, trump N, side 0x1, most tricks, which this solver's table holds, "
            f"found {found}; clear() empties it"
        )
    assert solver.solve(TWO_EACH, "D").tricks == 1  # refusing has not locked the solver
    solver.clear()
    assert solver.solve(other, side, objective).complete


@pytest.mark.parametrize("table_mb", [0, -1, (1 << 18) + 1])
def test_tables_of_no_size(table_mb: int) -> None:
    message = f"expected MiB for the table, from 1 to 262144, found {table_mb}"
    assert fault(lambda: Solver(table_mb)) == ("table_mb", "table_mb", message)
    assert fault(lambda: solve(TWO_EACH, "D", table_mb=table_mb)) == ("table_mb", "table_mb", message)
    assert fault(lambda: floors(TWO_EACH, table_mb=table_mb))[:2] == ("table_mb", "table_mb")


OVER = Position((0, 0, 0), 0, 1, taken=(1, 2, 3))
SPADES = position("A2... K3... Q4...", "S")


@pytest.mark.parametrize(
    "ask",
    [
        lambda solver: solver.solve(TWO_EACH, "D", timeout=-1),
        lambda solver: solver.solve(TWO_EACH, "D", max_nodes=0),
        lambda solver: solver.solve(TWO_EACH, "D", at_least=-1),
        lambda solver: solver.solve(TWO_EACH, "D", "many"),
        lambda solver: solver.card_values(TWO_EACH, "D", timeout=-1),
        lambda solver: solver.best_line(TWO_EACH, "D", max_nodes=0),
        lambda solver: solver.solve(OVER, "D"),
        lambda solver: solver.card_values(OVER, "D"),
        lambda solver: solver.best_line(OVER, "D"),
        lambda solver: solver.solve(TWO_EACH, "D", at_least=0),
        lambda solver: solver.solve(TWO_EACH, "D", at_most=2),
    ],
)
def test_what_is_refused_or_needs_no_search_leaves_the_table_free(ask: Callable[[Solver], object]) -> None:
    solver = Solver(1)
    with contextlib.suppress(InputError):
        ask(solver)
    assert solver.nodes == 0
    assert solver.solve(SPADES, "E").tricks == solve(SPADES, "E").tricks
    with contextlib.suppress(InputError):
        ask(solver)  # nor does the table keep it from being answered
    assert fault(lambda: solver.solve(TWO_EACH, "D"))[0] == "table_mismatch"


def test_what_needs_no_search_is_answered_whatever_the_table_holds() -> None:
    solver = Solver(1)
    solver.solve(SPADES, "E")
    assert solver.solve(OVER, "D").tricks == 1
    assert solver.best_line(OVER, "D") == ()
    assert solver.solve(TWO_EACH, "D", at_least=0).low == 0


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_solver_is_not_copied(make: Callable[[Solver], object]) -> None:
    """A copy would share the table but not know what it holds."""
    message = "expected no copying or pickling of a Solver: its table belongs to this process and object"
    with pytest.raises(TypeError, match=f"^{message}$"):
        make(Solver(1))
