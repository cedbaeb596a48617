"""`tierce batch contracts`: the contracts of many deals as a table."""

from __future__ import annotations

from typing import Any

import click

from tierce.cli.batch_asking import lines_from
from tierce.cli.batch_running import begin, beginning_options, check_room, running_options
from tierce.cli.contracts_asking import GAME, game_of_options, line_options
from tierce.cli.options import SECONDS_MAX
from tierce.cli.remote import refuse_at_server
from tierce.cli.values import FileName, Number
from tierce.solver.batch.columns import columns_help

_HELP = f"""\b
What can be made in many deals of Solo Whist, as a table. The lines are those
of 'tierce contracts --batch'; what is done can be gone on with after an
interruption.

\b
  tierce batch contracts contracts.jsonl --out contracts.parquet
  tierce batch contracts contracts.jsonl --dealer N --option ad_trump=true \\
  --out named.parquet

A line at fault, or one that a limit stopped, leaves a row with an error; what
is not known is null.

\b
Columns (schema tierce-contracts-1)
{columns_help("contracts")}
"""


@click.command("contracts", help=_HELP, short_help="The contracts of many deals.")
@click.argument("file", type=FileName(), metavar="FILE")
@line_options
@click.option(
    "--timeout", type=Number(float, 1e-9, SECONDS_MAX), metavar="SECONDS", help="Give a deal up after so long."
)
@click.option("--max-nodes", type=Number(int, 1, (1 << 63) - 1), metavar="N", help="Or after so many nodes.")
@beginning_options
@running_options
def command(**given: Any) -> int:
    """See _HELP."""
    from tierce.cli.batch_asking import game_of
    from tierce.solver.batch.studies import Source, Study

    refuse_at_server("game_file")
    table = check_room(given)
    if given["game_file"] is None and given["game"] is None:
        given["game"] = GAME
    game_of_options(given)
    _, game = game_of(given)
    study = Study(
        kind="contracts",
        deals=0,
        chunk=given["chunk"],
        source=Source(given["file"], ""),
        trump=given["trump"],
        dealer=given["dealer"],
        timeout=given["timeout"],
        max_nodes=given["max_nodes"],
        **game,
    )
    with lines_from(given["file"]) as lines:
        return begin(study, given, table, lines)
