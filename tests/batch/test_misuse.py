"""`tierce batch` with strategies, files and neighbours that behave badly."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.batch.support import exchange_study, game, read
from tests.cli.support import Ran, run
from tierce.solver.batch.columns import STUDY_KEY
from tierce.solver.batch.parts import Parts, parts_of

# Prints, closes what it prints to, leaves.
RUDE = """
import os, sys
print("hello from the module")
def prints(view, due):
    print("hello from a call")
    return lowest(view, due)
def closes(view, due):
    sys.stdout.close()
    print("is it closed?")
    return lowest(view, due)
def leaves(view, due):
    sys.exit("good bye")
class Mute(Exception):
    def __str__(self):
        raise ValueError
def mute(view, due):
    raise Mute
from tierce.solver.batch.sender_rules import lowest
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small game and rude strategies, which the commands run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "rude", raising=False)
    Path("small.toml").write_text(game(), encoding="utf-8")
    Path("rude.py").write_text(RUDE, encoding="utf-8")
    return tmp_path


def exchange(*args: str, strategy: str = "lowest") -> Ran:
    words = ["--previous", "5/1/0", "--strategy", strategy, "--out", "run.parquet", "--deals", "4", *args]
    return run("batch", "exchange", "--game-file", "small.toml", *words)


# ---- strategies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["prints", "closes"])
def test_what_a_strategy_prints_is_no_result(here: Path, name: str) -> None:
    ran = exchange("--json", strategy=f"rude:{name}")
    assert ran.code == 0 and ran.json["rows"] == 4
    said = "hello from a call" if name == "prints" else "is it closed?"
    assert ran.err == "hello from the module\n" + f"{said}\n" * 8  # a parcel for each of two receivers
    assert [row["error"] for row in read(here / "run.parquet")] == [None] * 4


def test_one_who_leaves_or_cannot_say_why_leaves_a_row(here: Path) -> None:
    ran = exchange("--strategy", "rude:leaves", "--strategy", "rude:mute")
    assert ran.code == 65 and ran.out.startswith("12 rows in run.parquet")
    assert [line.split(" (rude.py line ")[0] for line in ran.err.splitlines()[-2:]] == [
        "  rude:leaves, deal 0: SystemExit: good bye",
        "  rude:mute, deal 0: Mute, whose text cannot be had",
    ]
    errors = [row["error"] for row in read(here / "run.parquet")]
    assert [error is None for error in errors] == [True, False, False] * 4


# ---- neighbours ------------------------------------------------------------------------------------------------------


def test_overwriting_what_another_process_works_on(here: Path) -> None:
    """With a table and without one."""
    study = exchange_study(strategies=("lowest",), deals=3)
    for table in (False, True):
        if table:
            assert exchange().code == 0
        before = Path("run.parquet").read_bytes() if table else b""
        parts = Parts.begin(here / "run.parquet", study, overwrite=table)
        kept = sorted(path.name for path in parts.folder.iterdir())
        ran = exchange("--overwrite")
        assert (ran.code, ran.out) == (65, "")
        assert ran.err == "error: expected nobody at work on run.parquet, found another process that is\n"
        assert sorted(path.name for path in parts.folder.iterdir()) == kept
        assert not table or Path("run.parquet").read_bytes() == before
        parts.close()
        assert exchange("--overwrite").out.startswith("4 rows")
        Path("run.parquet").unlink()


def test_overwriting_with_a_file_without_deals(here: Path) -> None:
    assert exchange().code == 0
    before = Path("run.parquet").read_bytes()
    Path("empty.txt").write_text("\n \n", encoding="utf-8")
    words = ["--game-file", "small.toml", "--out", "run.parquet", "--from", "empty.txt", "--overwrite"]
    for kind in (["exchange", "--previous", "5/1/0", "--strategy", "lowest"], ["dealer", "--strategy", "quick"]):
        ran = run("batch", *kind, *words)
        assert (ran.code, ran.out, ran.err) == (65, "", "error: empty.txt: expected a deal, one a line, found none\n")
    assert Path("run.parquet").read_bytes() == before and not parts_of(here / "run.parquet").exists()


# ---- as `tierce exchange` says it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--game", "deputy", "--previous", "8/5/3"), 2),
        (("--game", "raf", "--previous", "8/5/3"), 65),
        (("--game", "raf", "--previous", "8/5/4"), 65),
        (("--game", "raf", "--previous", "10/4/2", "--first-over", "D"), 65),
    ],
)
def test_the_same_refusals(here: Path, args: tuple[str, ...], code: int) -> None:
    deal = run("deal", "--game", "raf", "--seed", "1").out.strip()
    one = run("exchange", *args, deal)
    many = run("batch", "exchange", *args, "--strategy", "lowest", "--out", "run.parquet")
    assert (many.code, many.out) == (one.code, one.out) == (code, "")
    assert many.err.splitlines()[0] == one.err.splitlines()[0]
    assert not Path("run.parquet.parts").exists()


# ---- files that were tampered with -----------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{"deals": -1}, {"schema": 3}, {"strategies": [1]}, {"version": 9}, {"game": "x"}])
@pytest.mark.parametrize("finished", [True, False])
def test_bad_metadata_is_the_files(here: Path, changes: dict[str, Any], finished: bool) -> None:
    assert exchange().code == 0
    found = pq.read_table("run.parquet")
    about = json.dumps(json.loads(found.schema.metadata[STUDY_KEY]) | {"game_toml": None} | changes)
    if finished:
        pq.write_table(found.replace_schema_metadata({STUDY_KEY: about.encode()}), "run.parquet")
    else:
        Path("run.parquet").unlink()
        Path("run.parquet.parts").mkdir()
        Path("run.parquet.parts", "study.json").write_text(about, encoding="utf-8")
    ran = run("batch", "resume", "run.parquet")
    if finished and changes.keys() & {"version", "game"} and changes != {"version": 9}:
        assert ran.code == 0  # a whole table needs no game
        return
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: run.parquet: expected ") and "--" not in ran.err


def test_a_finished_table_that_lacks_rows(here: Path) -> None:
    assert exchange().code == 0
    pq.write_table(pq.read_table("run.parquet").slice(0, 3), "run.parquet")
    ran = run("batch", "resume", "run.parquet")
    assert (ran.code, ran.out) == (65, "")
    assert ran.err == "error: expected the 4 rows of the study, found 3 in run.parquet\n"


def test_lines_count_from_one_and_empty_ones_too() -> None:
    assert "number of the line, from 1; empty ones count" in run("batch", "solve", "--help").out
