"""Running the command line, in this process where that is enough and as a process of its own where it is not."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from unittest import mock

from tests.solver.support import rows
from tierce.cli.exits import run_command
from tierce.cli.group import cli

THREE: Final = "D:.9.T8.T A.5.7.Q T.J.A.K"
FOUR: Final = "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8"
WHOLE: Final = rows("bridge_tables.jsonl")[0]["pbn"]  # takes some milliseconds
KITTY: Final = "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
HARD: Final = rows("three_hand_floors.jsonl")[49]["deal"]  # with `fewest` and no trump nothing here solves it in time


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object of the output."""
        assert self.code in (0, 75), self
        return json.loads(self.out, parse_constant=refuse_constant)

    @property
    def lines(self) -> list[Any]:
        """The JSON objects of the output, one a line."""
        return [json.loads(line, parse_constant=refuse_constant) for line in self.out.splitlines()]


def refuse_constant(text: str) -> None:
    """NaN and Infinity are no JSON."""
    raise AssertionError(text)


def run(*args: str, stdin: str | bytes = b"") -> Ran:
    """Run a command in this process."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with mock.patch.multiple(sys, stdin=io.TextIOWrapper(io.BytesIO(data)), stdout=out, stderr=err):
        code = run_command(cli, args)
    return Ran(code, written(out), written(err))


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


def command(*args: str) -> list[str]:
    """The command as a process of its own."""
    return [sys.executable, "-m", "tierce.cli", *args]


def environment(**changes: str) -> dict[str, str]:
    """The environment of a process: nothing about colours and encodings but what is said."""
    mine = ("NO_COLOR", "FORCE_COLOR", "TERM", "PYTHONIOENCODING", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if name not in mine}
    return kept | {"PYTHONIOENCODING": "utf-8"} | changes


def spawn(*args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
    """Run a command as a process of its own."""
    done = subprocess.run(
        command(*args), input=stdin, capture_output=True, env=environment(**(env or {})), timeout=60, check=False
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def interrupted(*args: str, shown: str) -> Ran:
    """Run a command as a process of its own that gets Ctrl-C once its stderr, a terminal, has shown some words."""
    import pty
    import select

    ours, theirs = pty.openpty()
    err, env = b"", environment(TERM="xterm", NO_COLOR="1")
    with subprocess.Popen(command(*args), stdout=subprocess.PIPE, stderr=theirs, env=env) as process:
        while shown.encode() not in err:
            assert select.select([ours], [], [], 60)[0], err
            err += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    while select.select([ours], [], [], 0.1)[0]:
        err += os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    return Ran(process.returncode, out.decode(), err.decode())


def on_terminal(
    stream: Literal["stdout", "stderr"], *args: str, env: Mapping[str, str], columns: int = 80
) -> tuple[int, str]:
    """The exit code of a command, and what a terminal gets that is one of its output streams; the other goes nowhere.

    Our own copy of the end the command writes to stays open until all is read: otherwise the last bytes may be lost.
    """
    import fcntl
    import pty
    import select
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    out_to, err_to = (theirs if stream == name else subprocess.DEVNULL for name in ("stdout", "stderr"))
    done = subprocess.run(command(*args), stdout=out_to, stderr=err_to, env=environment(**env), timeout=60, check=False)
    out = b""
    while select.select([ours], [], [], 0.1)[0]:
        out += os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    return done.returncode, out.decode()
