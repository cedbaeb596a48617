"""`tierce deal`: random deals of a game."""

from __future__ import annotations

import json
import secrets

import click

from tierce.cli.exits import OK, tell
from tierce.cli.games import any_game_of, game_options
from tierce.cli.options import json_option
from tierce.cli.values import Number
from tierce.solver.cards import card_name
from tierce.solver.games.dealing import deal_by_lot
from tierce.solver.games.profile import Profile
from tierce.solver.games.sumgait import Sumgait
from tierce.solver.games.sumgait import random_deal as sumgait_deal

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

\b
  tierce deal --game solo_whist --seed 3 --dealer W --count 4

A deal of Solo Whist is followed by its dealer and the card turned up, as
'tierce contracts' takes them; with --json they are the fields dealer and
turned. The deal passes to the left.

\b
  tierce deal --game sumgait --seed 3

Hands of declarer, next player and other, and the kitty.
"""
_MOST = 1_000_000_000


@click.command("deal", help=_HELP, short_help="Random deals of a game.")
@game_options
@click.option("--seed", type=Number(int, 0, (1 << 63) - 1), metavar="N", help="Which deals (default: any).")
@click.option("--count", type=Number(int, 1, _MOST), default=1, show_default=True, metavar="N", help="How many deals.")
@click.option("--dealer", metavar="SEAT", help="Who deals the first of four hands: N (the default), E, S or W.")
@json_option
def command(
    game: str | None,
    game_file: str | None,
    options: tuple[str, ...],
    seed: int | None,
    count: int,
    dealer: str | None,
    as_json: bool,
) -> int:
    """See _HELP."""
    profile = any_game_of(game, game_file, options)
    first = _dealer(profile, dealer)
    if seed is None:
        seed = secrets.randbelow(1_000_000)
        tell(f"seed {seed}")
    for index in range(count):
        told = _told(profile, seed, index, first)
        if as_json:
            click.echo(json.dumps({"id": f"{profile.id}-{seed}-{index}"} | told))
        else:
            click.echo(" ".join([told.pop("deal"), *(f"--{name} {value}" for name, value in told.items())]))
    return OK


def _dealer(profile: Profile | Sumgait, text: str | None) -> int:
    """The seat that deals first. UsageError for one that the game does not have."""
    if text is None:
        return 0
    if isinstance(profile, Sumgait) or profile.seats == 3:
        whose = "declarer" if isinstance(profile, Sumgait) else "dealer"
        raise click.UsageError(
            f"expected no --dealer with {profile.id}, found {text!r}: the first hand is the {whose}'s"
        )
    seat = text.strip().upper()
    if len(seat) != 1 or seat not in profile.letters:
        raise click.UsageError(f"expected --dealer {' '.join(profile.letters)}, found {text!r}")
    return profile.letters.index(seat)


def _told(profile: Profile | Sumgait, seed: int, index: int, first: int) -> dict[str, str]:
    """A deal by its fields; `first` dealt number 0."""
    if isinstance(profile, Sumgait):
        return {"deal": str(sumgait_deal(seed, index))}
    dealer = (first + index) % profile.seats
    dealt = deal_by_lot(profile, seed, index, dealer)
    if dealt.turned is None:
        return {"deal": str(dealt.deal)}
    return {"deal": str(dealt.deal), "dealer": profile.letters[dealer], "turned": card_name(dealt.turned)}
