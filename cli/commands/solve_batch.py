"""`tierce solve --batch`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, reading
from tierce.cli.feed import lines_as_they_come
from tierce.cli.options import STDIN, refuse, stdin, threads_of
from tierce.cli.progress import progress
from tierce.solver.batch.jsonl import lines_of, solve_lines
from tierce.solver.query import Limits

_OF_A_LINE = ("discard", "kitty_first", "leader", "dealer", "side", "objective", "play")


def batch(given: dict[str, Any]) -> int:
    """Answer every line. Exit code: the worst that happened to one."""
    refuse(_OF_A_LINE, "does not go with --batch: each line says its own")
    refuse(("at_least", "at_most", "line", "relevant", "table"), "does not go with --batch")
    bad = stopped = 0
    path, threads = given["batch"], threads_of(given)
    limits = Limits(given["timeout"], given["max_nodes"])  # of each line, which is one deal
    with _opened(path) as (file, name), progress(lambda: _count(path)) as bar:
        lines = lines_as_they_come(file, name)
        table_mb, trump = given["table_mb"], given["trump"]
        for answer in solve_lines(lines, trump=trump, threads=threads, table_mb=table_mb, limits=limits):
            bad += "error" in answer
            stopped += answer.get("complete") is False
            sys.stdout.write(json.dumps(answer, allow_nan=False) + "\n")
            sys.stdout.flush()
            bar.step()
    if bad:
        complain(f"{bad} line{'s' if bad != 1 else ''} could not be read; see the 'error' objects")
    if stopped:
        complain(f"a limit stopped {stopped} of the searches")
    return LIMIT if stopped else BAD_DATA if bad else OK


@contextmanager
def _opened(path: str) -> Iterator[tuple[IO[bytes], str]]:
    """The file and what messages call it."""
    if path == "-":
        yield stdin(), STDIN
        return
    with Path(path).open("rb") as file:
        yield file, path


def _count(path: str) -> int | None:
    """The lines of a file that can be read twice."""
    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file, reading(path):
        return sum(1 for line in lines_of(file) if line.strip())
