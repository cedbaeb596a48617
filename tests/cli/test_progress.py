"""The bar: where it shows, that it fits, and that messages do not run into it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from tests.cli.support import FOUR, THREE, command, environment
from tierce.cli.progress import picture


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


def on_terminal(*args: str, columns: int = 80, **env: str) -> tuple[int, str]:
    """The exit code, and what a terminal gets that is stderr and not stdout."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(command(*args), stdout=subprocess.DEVNULL, stderr=theirs, env=environment(**env)) as process:
        os.close(theirs)
        out = b""
        try:
            while data := os.read(ours, 65536):
                out += data
        except OSError:
            pass  # how Linux says that the other end is closed
        finally:
            os.close(ours)
        return process.wait(60), out.decode()


@pytest.fixture
def deals(tmp_path: Path) -> str:
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join([json.dumps({"deal": THREE, "trump": "D"})] * 20), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("columns", [30, 80, 200])
def test_on_a_terminal(deals: str, columns: int) -> None:
    code, out = on_terminal("solve", "--batch", deals, columns=columns, TERM="xterm")
    assert code == 0
    assert "solving [" in out and "20/20" in out
    assert "\x1b" not in out and "\n" not in out
    assert max(map(len, out.split("\r"))) < columns
    assert out.endswith("\r") and not out.split("\r")[-2].strip()  # nothing of it is left


def test_a_dumb_terminal_gets_none(deals: str) -> None:
    assert on_terminal("solve", "--batch", deals, TERM="dumb") == (0, "")


def test_messages_have_lines_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "games.pbn"
    path.write_text(f'[Deal "{FOUR}"]\n\n[Event "none"]\n\n' * 3, encoding="utf-8")
    code, out = on_terminal("solve", "--pbn", str(path), "--trump", "H", TERM="xterm")
    assert code == 65
    assert "solving [" in out
    errors = [line for line in out.replace("\r\n", "\n").splitlines() if "error" in line]
    assert len(errors) == 3 and all(line.startswith("error: ") for line in errors)
