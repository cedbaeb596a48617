"""`tierce solve --batch`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain
from tierce.cli.options import refuse
from tierce.solver.batch.jsonl import lines_of, solve_lines
from tierce.solver.query import Limits

_OF_A_LINE = ("trump", "discard", "kitty_first", "leader", "dealer", "side", "objective", "play")


def batch(given: dict[str, Any]) -> int:
    """Answer every line. Exit code: the worst that happened to one."""
    refuse(_OF_A_LINE, "does not go with --batch: each line says its own")
    refuse(("at_least", "at_most", "line", "relevant", "table"), "does not go with --batch")
    limits = Limits(given["timeout"], given["max_nodes"])
    bad = stopped = 0
    with _opened(given["batch"]) as file, _progress(given["batch"]) as tick:
        answers = solve_lines(lines_of(file), threads=given["threads"], table_mb=given["table_mb"], limits=limits)
        for answer in answers:
            bad += "error" in answer
            stopped += answer.get("complete") is False
            sys.stdout.write(json.dumps(answer, allow_nan=False) + "\n")
            sys.stdout.flush()
            tick()
    if bad:
        complain(f"{bad} line{'s' if bad != 1 else ''} could not be read; see the 'error' objects")
    if stopped:
        complain(f"a limit stopped {stopped} of the searches")
    return LIMIT if stopped else BAD_DATA if bad else OK


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as file:
        yield file


@contextmanager
def _progress(path: str) -> Iterator[Callable[[], None]]:
    """A bar on stderr: on a terminal that shows no results, and for a file, which can be read twice."""
    if not sys.stderr.isatty() or sys.stdout.isatty() or not Path(path).is_file():
        yield lambda: None
        return
    with Path(path).open("rb") as file:
        length = sum(1 for line in lines_of(file) if line.strip())
    with click.progressbar(length=length, file=sys.stderr, label="solving") as bar:
        yield lambda: bar.update(1)
