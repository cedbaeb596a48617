"""`tierce batch solve`: the answers to many lines as a table."""

from __future__ import annotations

from typing import Any

import click

from tierce.cli import values
from tierce.cli.batch_asking import lines_from
from tierce.cli.batch_running import begin, beginning_options, check_room, running_options
from tierce.cli.options import SECONDS_MAX
from tierce.cli.values import FileName, Number
from tierce.solver.batch.columns import columns_help

_HELP = f"""\b
Exact tricks of many deals, as a table. The lines are those of 'tierce solve
--batch'; what is done can be gone on with after an interruption.

\b
  tierce batch solve deals.jsonl --out values.parquet
  tierce deal --game six_three_eight --seed 7 --count 99 --json | \\
    tierce batch solve - --trump S --out values.parquet

A line at fault, or one that a limit stopped, leaves a row with an error.

\b
Columns (schema tierce-solve-1)
{columns_help("solve")}
"""


@click.command("solve", help=_HELP, short_help="The floors of many deals.")
@click.argument("file", type=FileName(), metavar="FILE")
@click.option("--trump", callback=values.trump, metavar="S|H|D|C|N", help="Trump of lines without one.")
@click.option(
    "--timeout", type=Number(float, 1e-9, SECONDS_MAX), metavar="SECONDS", help="Give a deal up after so long."
)
@click.option("--max-nodes", type=Number(int, 1, (1 << 63) - 1), metavar="N", help="Or after so many nodes.")
@beginning_options
@running_options
def command(**given: Any) -> int:
    """See _HELP."""
    from tierce.solver.batch.studies import Source, Study

    table = check_room(given)
    study = Study(
        kind="solve",
        deals=0,
        chunk=given["chunk"],
        source=Source(given["file"], ""),
        trump=given["trump"],
        timeout=given["timeout"],
        max_nodes=given["max_nodes"],
    )
    with lines_from(given["file"]) as lines:
        return begin(study, given, table, lines)
