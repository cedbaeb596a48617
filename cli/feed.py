"""The lines of a batch, as they come: a client that waits for an answer before it asks on must get that answer."""

from __future__ import annotations

import io
import json
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, reading
from tierce.cli.options import STDIN, stdin
from tierce.cli.progress import progress
from tierce.solver.asking import Json
from tierce.solver.batch.jsonl import lines_of
from tierce.solver.batch.many import PAUSE, Pause

_BLOCK = 1 << 16  # bytes read at once, and kept of a line without an end: longer ones are refused anyway


def lines_as_they_come(file: IO[bytes], name: str) -> Iterator[str | Literal[Pause.PAUSE]]:
    """The lines of a file that nobody has read from yet, and PAUSE before each wait for more.

    Reads the file's descriptor, with no more in memory than a block and a line. OSError has the file's name.
    """
    try:
        descriptor = file.fileno()
    except (OSError, ValueError):  # bytes in memory: there is nothing to wait for
        yield from lines_of(file)
        return
    rest = b""
    with reading(name):
        for data in _blocks(descriptor):
            if data is PAUSE:
                yield PAUSE
                continue
            whole, end, rest = (rest + data).rpartition(b"\n")
            yield from lines_of(io.BytesIO(whole + end))
            rest = rest[:_BLOCK]
        yield from lines_of(io.BytesIO(rest))


def _blocks(descriptor: int) -> Iterator[bytes | Literal[Pause.PAUSE]]:
    """What there is to read, and PAUSE before each wait for more."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    while True:
        if not waiting.poll(0):
            yield PAUSE
            waiting.poll()  # and not `read`, which does not wait if whoever shares the descriptor made it so
        data = os.read(descriptor, _BLOCK)
        if not data:
            return
        yield data


@contextmanager
def opened(path: str) -> Iterator[tuple[IO[bytes], str]]:
    """The file and what messages call it."""
    if path == "-":
        yield stdin(), STDIN
        return
    with Path(path).open("rb") as file:
        yield file, path


def count_lines(path: str) -> int | None:
    """The lines of a file that can be read twice."""
    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file, reading(path):
        return sum(1 for line in lines_of(file) if line.strip())


def answer_lines(path: str, answer: Callable[[str, int], tuple[Json, bool]]) -> int:
    """Answer every line of a batch with a JSON object, as the lines come; the exit code is the worst of it.

    answer   of a line and its number: the object, with "error" where the line is at fault, and whether a limit stopped
             its search
    """
    bad = stopped = number = 0
    with opened(path) as (file, name), progress(lambda: count_lines(path)) as bar:
        for text in lines_as_they_come(file, name):
            if text is PAUSE:
                continue
            number += 1
            if not text.strip():
                continue
            found, stop = answer(text, number)
            bad += "error" in found
            stopped += stop
            sys.stdout.write(json.dumps(found, allow_nan=False) + "\n")
            sys.stdout.flush()
            bar.step()
    return ended(bad, stopped)


def ended(bad: int, stopped: int) -> int:
    """Say what happened to the lines of a batch: `bad` could not be read, `stopped` reached a limit. The exit code is
    the worst of it."""
    if bad:
        complain(f"{bad} line{'s' if bad != 1 else ''} could not be read; see the 'error' objects")
    if stopped:
        complain(f"a limit stopped {stopped} of the searches")
    return LIMIT if stopped else BAD_DATA if bad else OK
