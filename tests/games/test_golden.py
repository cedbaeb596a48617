"""The matches that are written out play as they did."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.golden import FOLDER, golden
from tierce.solver.games import game_names

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", game_names())
def test_the_match_of_a_game(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == golden(name)


def test_there_is_a_file_for_each_game_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(game_names())


def test_every_kind_of_action_is_there() -> None:
    whole = "\n".join(golden(name) for name in game_names())
    kinds = (
        "bids",
        "passes",
        "calls",
        "names",
        "sends",
        "returns",
        "shows",
        "lays away",
        "takes the kitty",
        "leaves D2",
    )
    assert [words for words in (*kinds, "leaves D2", "wins", "first over", "is dealer") if words not in whole] == []


def test_the_script_writes_these_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.games.golden", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [str(tmp_path / f"{name}.txt") for name in game_names()]
    for name in game_names():
        assert (tmp_path / f"{name}.txt").read_bytes() == (FOLDER / f"{name}.txt").read_bytes()
