"""Tables in files: what is in them, and that they are whole or not there."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tierce.cli.out import check_table, write_table

COLUMNS = {"trump": str, "discard": str, "swap": bool, "tricks": int}
ROWS = [("S", ".87..Q4", True, 8), ("MIZ", "...", False, 0)]
ABOUT = {"game": "raf", "value": "floor"}


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_table(str(path), COLUMNS, ROWS, ABOUT)
    assert path.read_bytes() == b"trump,discard,swap,tricks\nS,.87..Q4,true,8\nMIZ,...,false,0\n"
    with path.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == 3


def test_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "table.JSONL"
    write_table(str(path), COLUMNS, ROWS, ABOUT)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"trump": "S", "discard": ".87..Q4", "swap": True, "tricks": 8}
    assert len(lines) == 2


def test_parquet(tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / "table.parquet"
    write_table(str(path), COLUMNS, ROWS, ABOUT)
    table = parquet.read_table(path)
    assert [tuple(row.values()) for row in table.to_pylist()] == ROWS
    assert {field.name: str(field.type) for field in table.schema} == {
        "trump": "string",
        "discard": "string",
        "swap": "bool",
        "tricks": "int8",
    }
    assert table.schema.metadata == {b"game": b"raf", b"value": b"floor"}


def test_shares_are_no_whole_numbers(tmp_path: Path) -> None:
    from pyarrow import parquet

    for ending in ("csv", "jsonl", "parquet"):
        write_table(str(tmp_path / f"t.{ending}"), {"tricks": float}, [(2.0,), (7.6667,)], ABOUT)
    assert (tmp_path / "t.csv").read_text().split() == ["tricks", "2.0", "7.6667"]
    assert str(parquet.read_table(tmp_path / "t.parquet").schema.field("tricks").type) == "double"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_no_rows(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table.{ending}"
    write_table(str(path), COLUMNS, [], ABOUT)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_nothing_is_half_written(tmp_path: Path, ending: str, error: type[BaseException]) -> None:
    def rows() -> Iterator[tuple[Any, ...]]:
        yield from ROWS * 1000
        raise error

    path = tmp_path / f"table.{ending}"
    path.write_bytes(b"before")
    with pytest.raises(error):
        write_table(str(path), COLUMNS, rows(), ABOUT)
    assert os.listdir(tmp_path) == [path.name]
    assert path.read_bytes() == b"before"


def test_a_full_disk(tmp_path: Path) -> None:
    """An error of writing has no file's name, by which it is told from one of reading."""

    def rows() -> Iterator[tuple[Any, ...]]:
        yield ROWS[0]
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match=r"table\.csv: No space left on device") as caught:
        write_table(str(tmp_path / "table.csv"), COLUMNS, rows(), ABOUT)
    assert caught.value.filename is None
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["table", "table.txt", "table.csv.gz", "-"])
def test_endings(name: str) -> None:
    with pytest.raises(click.UsageError, match=r"expected --out to end in \.csv, \.jsonl, \.parquet, found "):
        check_table(name)


def test_places(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name, said in (("nowhere/x.csv", "a folder that exists"), ("folder.csv", "the name of a file")):
        with pytest.raises(OSError, match=f"expected {said}, found ") as caught:
            check_table(str(tmp_path / name))
        assert caught.value.filename is None


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check_table("table.csv")
    with pytest.raises(click.UsageError, match=r"pip install 'tierce\[batch\]'"):
        check_table("table.parquet")


def test_what_a_link_leads_to_is_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "table.csv", tmp_path / "link.csv"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    check_table(str(link))
    write_table(str(link), COLUMNS, ROWS, ABOUT)
    assert link.is_symlink() and path.read_text().startswith("trump,") and path.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.csv", "table.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_a_pipe_is_no_table(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(OSError, match="expected the name of a file, found a pipe or device"):
        check_table(str(tmp_path / "pipe.csv"))
