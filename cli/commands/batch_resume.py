"""`tierce batch resume`: go on with a study that was interrupted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from tierce.cli.batch_running import find_modules_here, need_packages, run, running_options, tell_end
from tierce.cli.exits import reading
from tierce.cli.values import FileName

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
    from tierce.solver.batch.work import Work

    table = Path(os.path.realpath(given["out"]))
    find_modules_here()
    with reading(given["out"]):
        parts = Parts.resume(table)
        if parts is None:
            return tell_end(study_of_table(table), summary_of_table(table), given, None)
    return run(parts, Work(parts.study), given)
