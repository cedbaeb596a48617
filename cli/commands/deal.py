"""`tierce deal`: random deals of a game."""

from __future__ import annotations

import json
import secrets

import click

from tierce.cli.exits import OK, tell
from tierce.cli.games import game_options, profile_of
from tierce.cli.options import json_option
from tierce.cli.values import Number
from tierce.solver.games.dealing import random_deal

_HELP = """\b
Random deals, one a line, as deal text. The same seed gives the same deals on
every machine and in every version.

\b
  tierce deal --game raf --seed 7 --count 3
  tierce deal --game deputy --seed 7 --json
  tierce deal --game six_three_eight --seed 7 --json | \\
    tierce solve --batch - --trump S

With --json a line has the fields id and deal, for 'tierce solve --batch'. A
deal with a kitty also needs a discard there, a field of the line.
"""
_MOST = 1_000_000_000


@click.command("deal", help=_HELP, short_help="Random deals of a game.")
@game_options
@click.option("--seed", type=Number(int, 0, (1 << 63) - 1), metavar="N", help="Which deals (default: any).")
@click.option("--count", type=Number(int, 1, _MOST), default=1, show_default=True, metavar="N", help="How many deals.")
@json_option
def command(
    game: str | None, game_file: str | None, options: tuple[str, ...], seed: int | None, count: int, as_json: bool
) -> int:
    """See _HELP."""
    profile = profile_of(game, game_file, options)
    if seed is None:
        seed = secrets.randbelow(1_000_000)
        tell(f"seed {seed}")
    for index in range(count):
        deal = str(random_deal(profile, seed, index))
        click.echo(json.dumps({"id": f"{profile.id}-{seed}-{index}", "deal": deal}) if as_json else deal)
    return OK
