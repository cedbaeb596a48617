"""The command group. Commands are imported when they are used, so that `tierce --help` starts at once."""

from __future__ import annotations

import importlib
from typing import Any

import click

from tierce.cli.exits import OK, USAGE, tell
from tierce.cli.remote import remote_of, server_options

COMMANDS = {
    "batch": "Strategies over many deals, as a table.",
    "bench": "Search fixed positions; print nodes and speed.",
    "cards": "The value of every legal card of the player to move.",
    "contracts": "What can be made in a deal of Solo Whist.",
    "convert": "Records of played hands from JSON to PBN and back.",
    "deal": "Random deals of a game.",
    "dealer": "The dealer's best trump and discard.",
    "exchange": "Which cards to send in the exchange.",
    "games": "The games, their rules and options.",
    "hint": "The best decision from what a player can see.",
    "play": "Bots against each other.",
    "replay": "A played hand, trick by trick.",
    "review": "What a played hand cost, and whom.",
    "serve": "The gRPC service.",
    "settle": "Who pays whom after a match of Sumgait Driller.",
    "solve": "Exact tricks for a deal, a file of deals or a PBN file.",
    "study": "A hand of Sumgait Driller over random deals.",
}

_HELP = """\b
Exact double-dummy solving of trick games with three or four hands.

\b
  tierce solve --trump S --discard ".87..Q4" \\
  "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
  tierce solve "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --line
  tierce cards "D:.9.T8.T A.5.7.Q T.J.A.K" --trump D --play "SA"
"""

_EPILOG = """\b
Exit codes: 0 ok, 2 usage, 65 bad data, 69 service unavailable, 74 output
cannot be written, 75 a limit was reached, 130 interrupted.
"""


class LazyGroup(click.Group):
    """Commands that are imported when they are used.

    listed   what each is for, by name
    place    what a command's name is put behind for the name of its module, which holds `command`
    """

    def __init__(self, name: str, listed: dict[str, str], place: str, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.listed = listed
        self.place = place

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.listed)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.listed:
            return None
        command = importlib.import_module(f"{self.place}{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.listed.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        import difflib

        if args and args[0] not in self.listed:
            close = difflib.get_close_matches(args[0], self.listed, 1)
            hint = f", did you mean {close[0]!r}?" if close else f"; commands are {', '.join(sorted(self.listed))}"
            ctx.fail(f"no such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"tierce {version('tierce')}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    listed=COMMANDS,
    place="tierce.cli.commands.",
    invoke_without_command=True,
    help=_HELP,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Print the version."
)
@server_options
@click.pass_context
def cli(context: click.Context, /, **server: Any) -> int:
    """See _HELP."""
    context.obj = remote_of(server, context.invoked_subcommand)
    if context.invoked_subcommand is not None:
        return OK  # the command's own code counts
    tell(context.get_help())
    return USAGE
