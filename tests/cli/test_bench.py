"""`tierce bench`: the signature is the kept one, and can be kept anew in a source tree."""

from __future__ import annotations

import errno
import json
import os
from importlib.resources import files
from pathlib import Path
from unittest import mock

import pytest

from tests.cli.support import run
from tierce.cli.commands import bench

KEPT = json.loads((files("tierce.cli") / "bench.json").read_text(encoding="utf-8"))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source tree whose bench.json has two small positions and a wrong signature."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "cli").mkdir()
    positions = [position for position in KEPT["positions"] if position["name"] in ("bridge 3 C", "fewest 1 D")]
    text = json.dumps({"signature": 1, "positions": positions})
    (tmp_path / "cli" / "bench.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(bench, "files", lambda package: tmp_path / package.removeprefix("tierce."))
    return tmp_path


def test_the_kept_signature() -> None:
    ran = run("bench", "--check", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["signature"] == ran.json["kept"] == sum(row["nodes"] for row in ran.json["positions"])
    assert [row["name"] for row in ran.json["positions"]] == [position["name"] for position in KEPT["positions"]]


def test_what_is_searched() -> None:
    first = [position["name"].split()[0] for position in KEPT["positions"]]
    assert first.count("bridge") >= 12 and first.count("three") >= 8
    assert {"fewest", "ending", "solo", "neighbours"} <= set(first)
    assert len({position["name"] for position in KEPT["positions"]}) == len(first)


def test_for_people(tree: Path) -> None:
    ran = run("bench")
    assert (ran.code, ran.err) == (0, "")
    *rows, signature, speed = ran.out.splitlines()
    assert [row.split()[:3] for row in rows] == [["bridge", "3", "C"], ["fewest", "1", "D"]]
    assert signature.startswith("signature") and "nodes" in signature
    assert speed.endswith(" nodes a second")


def test_another_signature_is_told(tree: Path) -> None:
    ran = run("bench", "--check")
    assert ran.code == 1
    assert ran.err.startswith("error: expected the signature 1, found ")


def test_a_new_signature_is_kept(tree: Path) -> None:
    before = json.loads((tree / "cli" / "bench.json").read_text(encoding="utf-8"))
    nodes = run("bench", "--update", "--json").json["signature"]
    after = json.loads((tree / "cli" / "bench.json").read_text(encoding="utf-8"))
    assert after == before | {"signature": nodes}
    assert run("bench", "--check").code == 0


def test_a_new_signature_is_kept_whole_or_not_at_all(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (tree / "cli" / "bench.json").read_bytes()
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, mock.Mock(side_effect=OSError(errno.ENOSPC, "No space left on device")))
            ran = run("bench", "--update")
        assert (ran.code, ran.err) == (74, f"error: {tree / 'cli' / 'bench.json'}: No space left on device\n")
        assert (tree / "cli" / "bench.json").read_bytes() == before
        assert [path.name for path in (tree / "cli").iterdir()] == ["bench.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"signature": "x", "positions": []}',
        '{"signature": 1, "positions": 1}',
        '{"signature": 1, "positions": [1]}',
        '{"signature": 1, "positions": [{"name": "a"}]}',
        '{"signature": 1, "positions": [{"name": "a", "deal": "D:", "trump": "S"}]}',
        '{"signature": 1, "positions": [{"name": "a", "deal": 7, "trump": "S"}]}',
        '{"signature": 1, "positions": [{"name": "a", "dael": "D:"}]}',
        "\0",
    ],
)
def test_a_damaged_file(tree: Path, text: str) -> None:
    (tree / "cli" / "bench.json").write_text(text, encoding="utf-8")
    ran = run("bench")
    assert (ran.code, ran.out, ran.err.count("\n")) == (65, "", 1)
    assert ran.err.startswith(f"error: {tree / 'cli' / 'bench.json'}: expected a signature and positions, found ")


def test_an_installed_file_is_left_alone(tree: Path) -> None:
    (tree / "pyproject.toml").unlink()
    ran = run("bench", "--update")
    assert (ran.code, ran.out) == (2, "")
    assert "--update is for a source tree" in ran.err
    assert json.loads((tree / "cli" / "bench.json").read_text(encoding="utf-8"))["signature"] == 1
