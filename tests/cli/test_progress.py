"""The bar: where it shows, that it fits, and that messages do not run into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import FOUR, THREE, on_terminal
from tierce.cli.progress import gauge_picture, picture


@pytest.mark.parametrize("columns", [1, 5, 8, 20, 30, 60, 80, 1000])
@pytest.mark.parametrize(("done", "length"), [(0, 1), (1, 1), (3, 7), (7, 7), (99_999, 100_000)])
def test_a_picture_fits(columns: int, done: int, length: int) -> None:
    text = picture(done, length, columns)
    assert len(text) < columns
    assert not text or f"{done}/{length}" in text


def test_pictures() -> None:
    assert picture(5, 10, 80) == "solving [##################------------------] 5/10"
    assert picture(5, 10, 25) == "solving [####-----] 5/10"
    assert picture(5, 10, 10) == "5/10"
    assert picture(5, 10, 4) == ""


@pytest.mark.parametrize("columns", [1, 5, 8, 20, 30, 60, 80, 1000])
@pytest.mark.parametrize("share", [0.0, 0.004, 0.5, 1.0])
@pytest.mark.parametrize("said", ["", "best so far S 8"])
def test_a_gauge_fits(columns: int, share: float, said: str) -> None:
    text = gauge_picture("dealer", share, said, columns)
    assert len(text) < columns
    assert not text or f"{int(100 * share)} %" in text


def test_gauges() -> None:
    whole = "dealer [################--------------------] 45 % best so far S 8"
    assert gauge_picture("dealer", 0.45, "best so far S 8", 80) == whole
    assert gauge_picture("dealer", 0.45, "best so far S 8", 35) == "dealer [#---] 45 % best so far S 8"
    assert gauge_picture("dealer", 0.45, "best so far S 8", 34) == "dealer [########-----------] 45 %"
    assert gauge_picture("dealer", 0.45, "best so far S 8", 20) == "dealer [##---] 45 %"
    assert gauge_picture("dealer", 0.45, "best so far S 8", 5) == "45 %"
    assert gauge_picture("dealer", 0.45, "", 4) == ""


@pytest.fixture
def deals(tmp_path: Path) -> str:
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join([json.dumps({"deal": THREE, "trump": "D"})] * 20), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("columns", [30, 80, 200])
def test_on_a_terminal(deals: str, columns: int) -> None:
    code, out = on_terminal("stderr", "solve", "--batch", deals, columns=columns, env={"TERM": "xterm"})
    assert code == 0
    assert "solving [" in out and "20/20" in out
    assert "\x1b" not in out and "\n" not in out
    assert max(map(len, out.split("\r"))) < columns
    assert out.endswith("\r") and not out.split("\r")[-2].strip()  # nothing of it is left


def test_a_dumb_terminal_gets_none(deals: str) -> None:
    assert on_terminal("stderr", "solve", "--batch", deals, env={"TERM": "dumb"}) == (0, "")


def test_messages_have_lines_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "games.pbn"
    path.write_text(f'[Deal "{FOUR}"]\n\n[Event "none"]\n\n' * 3, encoding="utf-8")
    code, out = on_terminal("stderr", "solve", "--pbn", str(path), "--trump", "H", env={"TERM": "xterm"})
    assert code == 65
    assert "solving [" in out
    errors = [line for line in out.replace("\r\n", "\n").splitlines() if "error" in line]
    assert len(errors) == 3 and all(line.startswith("error: ") for line in errors)
