"""The reports that are written out are printed as they were, and fit 80 columns."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.golden import FOLDER, NAMES, golden

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", NAMES)
def test_the_report_of_a_hand(name: str) -> None:
    text = golden(name)
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == text
    assert name == "json" or max(map(len, text.splitlines())) <= 80


def test_there_is_a_file_for_each_report_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*NAMES}


@pytest.mark.slow
def test_the_script_writes_these_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.report.golden", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [str(tmp_path / f"{name}.txt") for name in NAMES]
    for name in NAMES:
        assert (tmp_path / f"{name}.txt").read_bytes() == (FOLDER / f"{name}.txt").read_bytes()
