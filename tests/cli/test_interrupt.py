"""Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.support import HARD, THREE, command, environment
from tierce.cli import interrupts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

SOON = 0.5  # seconds: 50 ms are promised, but busy machines are slow
LONG = ("solve", HARD, "--trump", "N", "--objective", "fewest")


def interrupted(args: tuple[str, ...], out: Path, ready: Callable[[int], bool]) -> list[str]:
    """Start a command, send SIGINT when it is ready, see it end soon and with 130; the lines of its output."""
    with (
        out.open("wb") as stdout,
        subprocess.Popen(
            command(*args), stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, env=environment()
        ) as process,
    ):
        last = time.monotonic() + 30
        while not ready(process.pid):
            assert process.poll() is None and time.monotonic() < last
            time.sleep(0.02)
        time.sleep(0.2)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        code = process.wait(30)
        took = time.monotonic() - began
        assert process.stderr is not None
        assert (code, process.stderr.read()) == (130, b"error: interrupted\n")
    assert took < SOON
    return out.read_text(encoding="utf-8").splitlines(keepends=True)


def with_module(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run the command where the first module that it imports from elsewhere, click, is this text."""
    (tmp_path / "click.py").write_text(text, encoding="utf-8")
    env = environment(PYTHONPATH=str(tmp_path))
    return subprocess.run(command("--help"), capture_output=True, env=env, text=True, timeout=60, check=False)


def test_during_the_imports(tmp_path: Path) -> None:
    done = with_module(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(30)")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")


def test_no_memory_for_the_imports(tmp_path: Path) -> None:
    done = with_module(tmp_path, "raise MemoryError")
    assert (done.returncode, done.stdout, done.stderr) == (75, "", "error: not enough memory to start\n")


def test_the_second_ends_the_program_at_once() -> None:
    code = (
        "import os, signal\nfrom tierce.cli import interrupts\n"
        "interrupts.starting()\ninterrupts.working()\n"
        "try: os.kill(os.getpid(), signal.SIGINT)\n"
        "except KeyboardInterrupt: print('first', flush=True); os.kill(os.getpid(), signal.SIGINT)\n"
        "print('never')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "first\n", "")


def test_where_it_is_ignored_it_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupts.starting()
        interrupts.working()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def searching(pid: int) -> bool:
    """Does the process have a second thread, which searches?"""
    tasks = Path(f"/proc/{pid}/task")
    if tasks.exists():
        return len(list(tasks.iterdir())) > 1
    time.sleep(2)
    return True


@pytest.mark.parametrize(
    "args",
    [
        LONG,
        (*LONG, "--json"),
        (*LONG, "--side", "D", "--at-least", "3"),
        ("cards", *LONG[1:]),
        ("solve", HARD, "--objective", "fewest"),
    ],
)
def test_a_long_search(tmp_path: Path, args: tuple[str, ...]) -> None:
    assert interrupted(args, tmp_path / "out", searching) == []


@pytest.mark.parametrize("threads", ["1", "2"])
def test_finished_lines_of_a_batch_are_complete(tmp_path: Path, threads: str) -> None:
    easy = json.dumps({"deal": THREE, "trump": "D"})
    hard = json.dumps({"deal": HARD, "trump": "N", "objective": "fewest"})
    path, out = tmp_path / "deals.jsonl", tmp_path / "out"
    path.write_text("\n".join([*[easy] * 40, *[hard] * 20]), encoding="utf-8")
    args = ("solve", "--batch", str(path), "--threads", threads)
    lines = interrupted(args, out, lambda pid: out.read_bytes().count(b"\n") >= 40)
    assert [json.loads(line)["id"] for line in lines] == list(range(1, 41))
    assert all(line.endswith("\n") for line in lines)


def test_finished_games_of_a_file_are_complete(tmp_path: Path) -> None:
    easy, hard = (f'[Game "raf"]\n[Deal "N:{deal.removeprefix("D:")} -"]\n[Trump "N"]\n\n' for deal in (THREE, HARD))
    path, out = tmp_path / "games.pbn", tmp_path / "out"
    path.write_text(easy * 3 + hard * 3, encoding="utf-8")
    args = ("solve", "--pbn", str(path), "--objective", "fewest", "--json")
    lines = interrupted(args, out, lambda pid: out.read_bytes().count(b"\n") >= 3)
    assert [json.loads(line)["id"] for line in lines] == [1, 2, 3]


def test_waiting_for_standard_input(tmp_path: Path) -> None:
    def ready(pid: int) -> bool:
        time.sleep(1)
        return True

    assert interrupted(("solve", "--batch", "-"), tmp_path / "out", ready) == []
