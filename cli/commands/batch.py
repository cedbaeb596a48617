"""`tierce batch`: studies of strategies over many deals; each of its commands has a module of its own."""

from __future__ import annotations

import click

from tierce.cli.exits import OK, USAGE, tell
from tierce.cli.group import LazyGroup

COMMANDS = {
    "contracts": "The contracts of many deals of Solo Whist, as a table.",
    "dealer": "Strategies of the dealer: trump and discard.",
    "exchange": "Strategies of the exchange: what to send.",
    "report": "What a study found: a table, or a page with plots.",
    "resume": "Go on with a study that was interrupted.",
    "solve": "The floors of many deals, as a table.",
}

_HELP = """\b
Strategies by the ten thousand: every strategy meets the same deals, floors
are exact, each deal and strategy is a row of a Parquet file.

\b
  tierce batch exchange --previous 10/4/2 --strategy lowest \\
  --strategy short-suit --deals 4 --seed 1 --out run.parquet
  tierce batch dealer --strategy quick --strategy longest --deals 4 \\
  --out dealer.parquet

While a study runs its finished chunks lie in run.parquet.parts/. Whatever
stops it, 'tierce batch resume run.parquet' loses no row and repeats none;
'tierce batch report run.parquet' says what was found, of an unfinished study
too.

With 'tierce --server HOST:PORT batch ...' strategies decide here, and a server
solves.

Needs pip install 'tierce[batch]'.
"""


@click.group(
    "batch",
    cls=LazyGroup,
    listed=COMMANDS,
    place="tierce.cli.commands.batch_",
    invoke_without_command=True,
    help=_HELP,
    short_help="Strategies over many deals.",
)
@click.pass_context
def command(context: click.Context) -> int:
    """See _HELP."""
    if context.invoked_subcommand is not None:
        return OK  # the command's own code counts
    tell(context.get_help())
    return USAGE
