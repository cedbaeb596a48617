"""Lines as they come: who waits for an answer gets it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.cli.support import HARD, THREE, command, environment
from tierce.cli.feed import lines_as_they_come
from tierce.solver.batch.many import PAUSE

LINE = json.dumps({"deal": THREE, "trump": "D"}) + "\n"


@pytest.fixture
def pipe() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Both ends of a pipe, what is written arriving at once."""
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb") as read, os.fdopen(theirs, "wb", buffering=0) as write:
        watch = threading.Timer(10, write.close)  # a wait without end becomes a failure
        watch.start()
        yield read, write
        watch.cancel()


def test_a_pause_before_each_wait(pipe: tuple[IO[bytes], IO[bytes]]) -> None:
    read, write = pipe
    lines = lines_as_they_come(read, "pipe")
    assert next(lines) is PAUSE
    write.write(b"one\ntwo\nthr")
    assert [next(lines) for _ in range(3)] == ["one\n", "two\n", PAUSE]
    write.write(b"ee")
    assert next(lines) is PAUSE
    write.write(b"\n\nfour")
    write.close()
    assert list(lines) == ["three\n", "\n", "four"]


def test_no_pause_where_nothing_has_to_wait(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("x\n" * 100_000 + "y", encoding="utf-8")
    with path.open("rb") as file:
        assert list(lines_as_they_come(file, str(path))) == ["x\n"] * 100_000 + ["y"]
    assert list(lines_as_they_come(io.BytesIO(b"a\nb"), "memory")) == ["a\n", "b"]


def test_a_long_line_is_cut_and_the_next_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"x" * 1_000_000 + b"\nnext\n" + b"y" * 1_000_000)
    with path.open("rb") as file:
        first, second, third = lines_as_they_come(file, str(path))
    assert second == "next\n"
    assert (set(str(first)), set(str(third))) == ({"x"}, {"y"})
    assert 10_000 < len(str(first)) < 100_000 and 10_000 < len(str(third)) < 100_000


@pytest.mark.parametrize("blocking", [True, False])
def test_one_question_after_the_other(blocking: bool) -> None:
    """A client that asks on only when it has its answer; also where the pipe is shared with one that never waits."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, blocking)
    process = subprocess.Popen(
        command("solve", "--batch", "-"), stdin=ours, stdout=subprocess.PIPE, env=environment(), text=True
    )
    watch = threading.Timer(20, process.kill)
    watch.start()
    with process, os.fdopen(theirs, "w", encoding="utf-8") as write:
        os.close(ours)
        assert process.stdout is not None
        for number in range(1, 6):
            write.write(LINE * (number % 2 + 1))
            write.write(LINE[:9])  # half a line is no question yet
            write.flush()
            answers = [json.loads(process.stdout.readline()) for _ in range(number % 2 + 1)]
            assert all(answer["tricks"] == {"D": 1, "E": 0, "M": 2} for answer in answers)
            time.sleep(0.05)  # it waits now
            write.write(LINE[9:])
            write.flush()
            assert json.loads(process.stdout.readline())["kind"] == "floor"
        write.close()
        assert (process.stdout.read(), process.wait(30)) == ("", 0)
    watch.cancel()


def test_an_answer_does_not_wait_for_a_hard_question() -> None:
    hard = json.dumps({"deal": HARD, "trump": "N", "objective": "fewest"}) + "\n"
    with subprocess.Popen(
        command("solve", "--batch", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
        text=True,
    ) as process:
        watch = threading.Timer(20, process.kill)
        watch.start()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(LINE + hard)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.kill()
        watch.cancel()
