"""--timeout and --max-nodes are for one deal, whatever is asked of it."""

from __future__ import annotations

import json
import time

import pytest

from tests.cli.support import FOUR, HARD, THREE, WHOLE, run
from tests.solver.support import rows
from tierce.cli.budget import Budget
from tierce.solver import Deal, Position, Solver
from tierce.solver.errors import LimitReached
from tierce.solver.pbn import PbnGame, write_pbn
from tierce.solver.search import STOP_NODES, STOP_TIME

TABLE = rows("bridge_tables.jsonl")[0]["table"]


def games(*deals: str) -> str:
    return "".join(f'[Deal "{deal}"]\n\n' for deal in deals)


# The budget


def test_nodes_are_passed_on() -> None:
    budget = Budget(max_nodes=10)
    assert (budget.stop, budget.left().max_nodes, budget.left().timeout) == (0, 10, None)
    budget.spend(7)
    assert budget.left().max_nodes == 3
    budget.spend(3)
    assert budget.stop == STOP_NODES
    with pytest.raises(LimitReached, match="node limit"):
        budget.left()


def test_time_is_passed_on() -> None:
    budget = Budget(timeout=0.05)
    first = budget.left().timeout
    time.sleep(0.01)
    second = budget.left().timeout
    assert first is not None and second is not None and 0 < second < first <= 0.05
    time.sleep(0.05)
    assert budget.stop == STOP_TIME
    with pytest.raises(LimitReached, match="time limit"):
        budget.left()


def test_no_limits() -> None:
    budget = Budget()
    budget.spend(10**9)
    assert (budget.stop, budget.left().timeout, budget.left().max_nodes) == (0, None, None)


# Every strain


def test_every_strain_spends_one_budget_of_nodes() -> None:
    whole = run("solve", WHOLE, "--json").json["nodes"]
    for limit in (1, whole // 2, whole - 1):
        ran = run("solve", WHOLE, "--json", "--max-nodes", str(limit))
        assert (ran.code, ran.json["complete"]) == (75, False)
        assert ran.json["nodes"] <= limit
        known = [row for row in ran.json["table"].values() if "bounds" not in row]
        assert len(known) == (0 if limit == 1 else 4 if limit == whole - 1 else len(known))
    assert run("solve", WHOLE, "--json", "--max-nodes", str(whole)).code == 0


def test_every_strain_spends_one_budget_of_time() -> None:
    began = time.monotonic()
    ran = run("solve", HARD, "--objective", "fewest", "--timeout", "0.1", "--json")
    assert (ran.code, ran.json["complete"]) == (75, False)
    assert time.monotonic() - began < 0.4
    assert ran.json["table"]["N"]["bounds"]["D"] == [0, 17]  # it was not asked any more


# Lines and cards


def test_lines_go_on_with_what_the_values_left() -> None:
    args = ("solve", THREE, "--trump", "D", "--line", "--json", "--max-nodes")
    spent = run("solve", THREE, "--trump", "D", "--json").json["nodes"]
    for known, seat in enumerate("DEM"):
        solver = Solver()
        solver.best_line(Position.start(Deal.parse(THREE), 2), seat)
        spent += solver.nodes
        ran = run(*args, str(spent - 1))
        assert (ran.code, list(ran.json.get("line", {}))) == (75, list("DEM"[:known]))
        ran = run(*args, str(spent + 1))  # what is left to ask costs nothing, but asks for a budget
        assert list(ran.json["line"]) == list("DEM"[: known + 1])
    assert ran.code == 0


def test_all_seats_spend_one_budget() -> None:
    args = ("cards", THREE, "--trump", "D", "--json")
    most = max(run(*args, "--side", seat).json["nodes"] for seat in "DEM")
    assert run(*args, "--max-nodes", str(most)).code == 0
    ran = run(*args, "--all-seats", "--max-nodes", str(most))
    assert (ran.code, ran.out, ran.err) == (75, "", "error: the node limit was reached before the answer was known\n")


# Tables


def test_a_table_has_nodes_and_millis() -> None:
    answer = run("solve", "--pbn", "-", "--table", "--json", stdin=games(FOUR)).lines[0]
    assert list(answer) == ["id", "deal", "kind", "objective", "table", "nodes", "millis"]
    assert answer["nodes"] > 0 and answer["millis"] > 0
    text = run("solve", "--pbn", "-", "--table", stdin=games(FOUR)).out
    assert f"{answer['nodes']:,} nodes, " in text


@pytest.mark.parametrize("objective", ["most", "fewest"])
def test_a_table_stopped_by_a_limit_says_what_is_known(objective: str) -> None:
    args = ("solve", "--pbn", "-", "--table", "--json", "--objective", objective)
    full = run(*args, stdin=games(FOUR)).lines[0]
    for limit in (1, full["nodes"] // 3, full["nodes"] - 1):
        ran = run(*args, "--max-nodes", str(limit), stdin=games(FOUR))
        (answer,) = ran.lines
        assert (ran.code, answer["complete"]) == (75, False)
        assert "error" not in answer and answer["nodes"] <= limit
        assert list(answer["table"]) == list("SHDCN")
        for strain, row in answer["table"].items():
            for seat, tricks in full["table"][strain].items():
                low, high = row["bounds"][seat] if "bounds" in row else (row[seat], row[seat])
                assert low <= tricks <= high
    assert run(*args, "--max-nodes", str(full["nodes"]), stdin=games(FOUR)).code == 0


def test_a_table_spends_one_budget_of_time() -> None:
    ran = run("solve", "--pbn", "-", "--table", "--json", "--timeout", "0.002", stdin=games(WHOLE))
    assert (ran.code, ran.lines[0]["complete"]) == (75, False)
    assert ran.lines[0]["millis"] < 20
    assert ran.lines[0]["table"]["N"] == {"bounds": {seat: [0, 13] for seat in "NESW"}}


def test_a_table_of_three_hands_stopped_by_a_limit() -> None:
    text = write_pbn([PbnGame(deal=Deal.parse(THREE), game="raf")])
    ran = run("solve", "--pbn", "-", "--table", "--json", "--max-nodes", "50", stdin=text)
    assert (ran.code, ran.lines[0]["complete"]) == (75, False)
    assert ran.lines[0]["nodes"] <= 50


def test_bounds_of_a_table_for_people() -> None:
    full = run("solve", "--pbn", "-", "--table", "--json", stdin=games(WHOLE)).lines[0]
    assert full["table"] == TABLE
    args = ("solve", "--pbn", "-", "--table", "--max-nodes", str(full["nodes"] // 2))
    assert run(*args, stdin=games(WHOLE)).out == ""
    ran = run(*args, "--bounds", stdin=games(WHOLE))
    assert ran.code == 75
    words = [line.split() for line in ran.out.splitlines()]
    assert ["spades", *(str(TABLE["S"][seat]) for seat in "NESW")] in words
    assert ["no", "trump", "0-13", "0-13", "0-13", "0-13"] in words
    assert "what is proved is given from-to" in ran.out


def test_each_game_and_each_line_has_a_budget_of_its_own() -> None:
    nodes = run("solve", FOUR, "--trump", "H", "--json").json["nodes"]
    ran = run("solve", "--pbn", "-", "--trump", "H", "--max-nodes", str(nodes), "--json", stdin=games(FOUR, FOUR))
    assert ran.code == 0
    line = json.dumps({"deal": FOUR, "trump": "H"}) + "\n"
    assert run("solve", "--batch", "-", "--max-nodes", str(nodes), stdin=line * 3).code == 0
