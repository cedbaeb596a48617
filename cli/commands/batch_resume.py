"""`tierce batch resume`: go on with a study that was interrupted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tierce.cli.batch_running import (
    find_modules_here,
    need_packages,
    prepared,
    run,
    running_options,
    tell_end,
)
from tierce.cli.exits import reading
from tierce.cli.values import FileName
from tierce.solver.errors import InputError

_HELP = """\b
Go on with a study that was interrupted, by whatever it was: what is finished
is kept, no row is lost and none is there twice.

\b
  tierce batch resume run.parquet
  tierce batch resume run.parquet --scheduler tcp://host:8786

FILE is the name that was given with --out. What the study is about is kept with
its parts; where it is done may be told anew. Of a study that is whole it says so.
"""


@click.command("resume", help=_HELP, short_help="Go on with a study.")
@click.argument("out", type=FileName(), metavar="FILE")
@running_options
def command(**given: Any) -> int:
    """See _HELP."""
    need_packages(given)
    from tierce.solver.batch.parts import Parts, study_of_table, summary_of_table

    table = Path(os.path.realpath(given["out"]))
    find_modules_here()
    with reading(given["out"]), _of_file(given["out"]):
        parts = Parts.resume(table)
        if parts is None:
            return tell_end(study_of_table(table), summary_of_table(table), given, None)
        work = prepared(parts)
    return run(parts, work, given)


@contextmanager
def _of_file(name: str) -> Iterator[None]:
    """What is at fault stands in the file: no option was typed that says it."""
    try:
        yield
    except InputError as error:
        raise error.located(file=name) if error.field and error.file is None else error from None
