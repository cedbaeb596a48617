"""Studies whose deals a server solves: the same tables; strategies decide here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.advice.contract_deals import LOW
from tests.cli.support import run
from tests.service.support import FOUR, THREE, Running, running

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


def _table(path: Path) -> list[dict[str, Any]]:
    """Rows of a study, by what they are about."""
    import pyarrow.parquet

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def _lines(path: Path, *lines: dict[str, Any]) -> str:
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


SOLVE = [{"deal": deal, "trump": trump} for deal in (THREE, FOUR) for trump in "SHDCNX"]
CONTRACTS = [{"deal": LOW, "dealer": seat, "trump": "H", "id": seat} for seat in "NEX"]
EXCHANGE = [
    "exchange", "--deals", "2", "--seed", "1", "--previous", "10/4/2", "--chunk", "1",
    "--strategy", "lowest", "--strategy", "short-suit",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["solve", "contracts", "exchange", "dealer"])
def test_the_same_table(kind: str, server: Running, tmp_path: Path) -> None:
    words = {
        "solve": ["solve", _lines(tmp_path / "deals", *SOLVE), "--chunk", "5"],
        "contracts": ["contracts", _lines(tmp_path / "hands", *CONTRACTS)],
        "exchange": EXCHANGE,
        "dealer": ["dealer", "--deals", "1", "--seed", "2", "--strategy", "quick", "--strategy", "longest"],
    }[kind]
    ran = [
        run(*each, "batch", *words, "--out", str(tmp_path / name))
        for each, name in (((), "here.parquet"), (("--server", server.target), "there.parquet"))
    ]
    assert ran[0].code == ran[1].code == (65 if kind in ("solve", "contracts") else 0)
    assert _table(tmp_path / "there.parquet") == _table(tmp_path / "here.parquet")
    assert server.calls("Contracts" if kind == "contracts" else "Solve")


def test_one_that_a_server_leaves_is_gone_on_with(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"
    with running() as server:
        gone = server.target
    ran = run("--server", gone, "batch", *EXCHANGE, "--out", str(table))
    assert ran.code == 69 and "cannot be reached" in ran.err and "resume" in ran.err
    assert run("batch", "resume", str(table)).code == 0
    assert len(_table(table)) == 4


def test_what_does_not_go_with_a_server(server: Running, tmp_path: Path) -> None:
    there = ("--server", server.target, "batch")
    ran = run(*there, *EXCHANGE, "--out", str(tmp_path / "x.parquet"), "--scheduler", "tcp://localhost:1")
    assert ran.code == 2 and "--scheduler does not go with --server" in ran.err
    ran = run(*there, "report", str(tmp_path / "x.parquet"))
    assert ran.code == 2 and "goes without --server" in ran.err
