"""The two builds of the engine: equal answers, node counts and relevant cards; and the switch between them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.brute.endings import all_combinations, endings
from tests.solver.support import OBJECTIVES, builds, objective_of, position_of, position_of_row, rows
from tierce.solver.position import Position
from tierce.solver.query import Limits, pack
from tierce.solver.search import CPU, RESULT, Engine, _engine

MIB = 1 << 20
X86_64 = platform.machine().lower() in ("x86_64", "amd64")
ASK = "from tierce.solver.search import CPU, Engine; print(CPU, Engine.__module__)"


def answers(engine: Engine, requests: list[bytes]) -> list[tuple[int, ...]]:
    """All of the answers but the time."""
    found = RESULT.iter_unpack(engine.run(b"".join(requests), cold=True))
    return [answer[:5] for answer in found]


def check_equal(requests: list[bytes], table_bytes: int = MIB) -> None:
    found = {name: answers(engine(table_bytes), requests) for name, engine in builds().items()}
    assert all(len(each) == len(requests) for each in found.values())
    for name, each in found.items():
        assert each == found["baseline"], name


def requests_of(position: Position, max_nodes: int) -> list[bytes]:
    return [
        pack(position, 1 << seat, objective, Limits(max_nodes=max_nodes))
        for seat in range(position.n)
        for objective in OBJECTIVES
    ]


# ---- equal -----------------------------------------------------------------------------------------------------------


def test_both_builds_exist_on_x86_64() -> None:
    exists = find_spec("tierce.solver.search._engine_v3") is not None
    assert exists == X86_64
    assert X86_64 or not _engine.cpu_supports_v3()
    assert ("v3" in builds()) == (exists and _engine.cpu_supports_v3())


@pytest.mark.small
def test_endings_of_every_combination() -> None:
    drawn = endings(31, len(all_combinations()))
    check_equal([pack(position_of(ending), ending.side, objective_of(ending)) for ending in drawn])


@pytest.mark.small
def test_whole_deals_for_some_thousand_nodes() -> None:
    for row in (rows("three_hand_floors.jsonl")[40], rows("solo_values.jsonl")[0]):
        check_equal(requests_of(position_of_row(row), 3_000))


def test_whole_deals_with_a_table_that_overflows() -> None:
    for row in (rows("three_hand_floors.jsonl")[5], rows("solo_values.jsonl")[3]):
        check_equal(requests_of(position_of_row(row), 200_000))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_many_whole_deals(number: int) -> None:
    for row in (*rows("three_hand_floors.jsonl")[number::13], *rows("solo_values.jsonl")[number::10]):
        check_equal(requests_of(position_of_row(row), 500_000), 8 * MIB)


@pytest.mark.small
def test_equal_proofs() -> None:
    for ending in endings(32, 200, cards=4):
        request = pack(position_of(ending), ending.side, objective_of(ending))
        found = {name: engine(MIB).trace(request, 4_096)[1] for name, engine in builds().items()}
        assert all(each == found["baseline"] for each in found.values()), str(ending)


# ---- the switch ------------------------------------------------------------------------------------------------------


def python(code: str, cpu: str | None) -> subprocess.CompletedProcess[str]:
    """A new interpreter with TIERCE_CPU set, or unset with None."""
    environment = {key: text for key, text in os.environ.items() if key != "TIERCE_CPU"}
    if cpu is not None:
        environment["TIERCE_CPU"] = cpu
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False, timeout=60
    )


def test_baseline_can_be_forced() -> None:
    assert python(ASK, "baseline").stdout.split() == ["baseline", "tierce.solver.search._engine"]


@pytest.mark.parametrize("cpu", [None, "", "auto"])
def test_the_best_build_serves_otherwise(cpu: str | None) -> None:
    best = list(builds())[-1]
    module = {"baseline": "_engine", "v3": "_engine_v3"}[best]
    assert python(ASK, cpu).stdout.split() == [best, f"tierce.solver.search.{module}"]


@pytest.mark.parametrize("cpu", ["v3", "fast", "BASELINE"])
def test_other_values_are_refused(cpu: str) -> None:
    found = python("import tierce.solver", cpu)
    assert found.returncode == 1
    expected = f"expected TIERCE_CPU to be 'auto' or 'baseline', found {cpu!r}"
    assert found.stderr.splitlines()[-1] == f"tierce.solver.errors.InputError: {expected}"


def test_this_process_obeys_too() -> None:
    wanted = os.environ.get("TIERCE_CPU", "")
    assert ("baseline" if wanted == "baseline" else list(builds())[-1]) == CPU
    assert builds()[CPU] is Engine
