"""`tierce solve --batch`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Any

from tierce.cli.feed import count_lines, ended, lines_as_they_come, opened
from tierce.cli.options import refuse, threads_of
from tierce.cli.progress import progress
from tierce.cli.remote import remote
from tierce.solver.batch.jsonl import solve_lines
from tierce.solver.query import Limits

_OF_A_LINE = ("discard", "kitty_first", "leader", "dealer", "side", "objective", "play")


def batch(given: dict[str, Any]) -> int:
    """Answer every line. Exit code: the worst that happened to one."""
    refuse(_OF_A_LINE, "does not go with --batch: each line says its own")
    refuse(("at_least", "at_most", "line", "relevant", "table"), "does not go with --batch")
    bad = stopped = 0
    path, threads = given["batch"], threads_of(given)
    limits = Limits(given["timeout"], given["max_nodes"])  # of each line, which is one deal
    with opened(path) as (file, name), progress(lambda: count_lines(path)) as bar:
        lines = lines_as_they_come(file, name)
        table_mb, trump = given["table_mb"], given["trump"]
        client = remote()
        solve = None if client is None else partial(client.solve_many, limits=limits)
        for answer in solve_lines(lines, trump=trump, threads=threads, table_mb=table_mb, limits=limits, solve=solve):
            bad += "error" in answer
            stopped += answer.get("complete") is False
            sys.stdout.write(json.dumps(answer, allow_nan=False) + "\n")
            sys.stdout.flush()
            bar.step()
    return ended(bad, stopped)
