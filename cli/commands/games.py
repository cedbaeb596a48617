"""`tierce games`: the games and, of one, its rules and options."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

import click

from tierce.cli.exits import OK
from tierce.cli.games import any_game_of, game_options
from tierce.cli.options import json_option
from tierce.cli.remote import refuse_at_server, remote
from tierce.solver.errors import InputError
from tierce.solver.games.contracts import CONTRACTS
from tierce.solver.games.options import OPTIONS, idle, value_text
from tierce.solver.games.profile import Profile, game_names, load_game
from tierce.solver.games.profile_json import profile_json, sumgait_json
from tierce.solver.games.sumgait import Sumgait, sumgait

_HELP = """\b
List the games, or show one: seats and quotas, phases, options.

\b
  tierce games
  tierce games raf
  tierce games wiki_358 --option kitty_first=true
  tierce games sumgait

\b
--json, an object a game: id, name, about, of four hands seats and contracts
(true where deals are bid for contracts), hand, kitty, removed, quotas,
phases (first: of the first deal; later), score, kitty_trick, calls, options:
of each value, default, values (a list, or min and max; with "card" any card,
too), meaning, and no_effect (why, null if it has one). Of sumgait, which has
neither quotas nor a score of that kind, the fields it has.
"""
_WIDTH = 78
_PHASES = {
    "DEAL": "deal",
    "BID": "auction for the dealer's seat",
    "CALL": "the dealer calls a contract he has not called yet",
    "EXCHANGE": "exchange of cards for the balances of the deal before",
    "SEND": "players who are up send cards",
    "TRUMP": "the dealer names trump",
    "RETURN": "players who are down return cards",
    "DISCARD": "the dealer discards",
    "KITTY": "the dealer takes the kitty",
    "SHOW": "kitty cards that would have had to be returned are shown",
    "SWAP": "the holder of D2 may take the up-card",
    "PLAY": "eldest leads; all tricks are played",
    "SCORE": "balances: tricks won minus quota",
}
_OF_CONTRACTS = {
    "DEAL": "deal; the dealer's last card is turned up",
    "BID": "auction for the contract, from the dealer's left",
    "TRUMP": "the bidder of Abundance names trump",
    "PLAY": "the dealer's left leads (the bidder to Abundance Declared)",
    "SCORE": "units: made, each defender pays them; failed, each gets them",
}

_OF_PILES = {
    "DEAL": "deal",
    "ROB": "the declarer may swap his sixteen cards for another's",
    "MISERE": "the declarer calls MISERE, or does not",
    "KITTY": "the declarer takes the kitty",
    "GIVE": "the declarer gives two cards to each of the others",
    "CALL": "the declarer plays, or calls PASS or MISERE",
    "SHUFFLE": "the others' cards become blind piles (in PASS his, too)",
    "PLAY": "the declarer leads; marriages make trump; 18 tricks",
    "SCORE": "Game for ten tricks or more, Vist for the others",
}


@click.command("games", help=_HELP, short_help="The games, their rules and options.")
@click.argument("name", metavar="[GAME]", required=False)
@game_options
@json_option
def command(name: str | None, game: str | None, game_file: str | None, options: tuple[str, ...], as_json: bool) -> int:
    """See _HELP."""
    if name is not None and (game is not None or game_file is not None):
        raise click.UsageError("expected one game, found two")
    if name is None and game is None and game_file is None and not options:
        _list(as_json)
        return OK
    profile = any_game_of(name if name is not None else game, game_file, options)
    if isinstance(profile, Sumgait):
        _sumgait(profile, as_json)
        return OK
    _check_server([profile])
    if as_json:
        click.echo(json.dumps(profile_json(profile)))
    else:
        _show(profile)
    return OK


def _list(as_json: bool) -> None:
    profiles = [load_game(name) for name in game_names()]
    _check_server(profiles)
    if as_json:
        for profile in profiles:
            click.echo(json.dumps(profile_json(profile)))
        if remote() is None:
            _sumgait(sumgait(), as_json)
        return
    width = max(len(profile.id) for profile in profiles)
    for profile in profiles:
        quotas = "bids" if profile.contracts else "-".join(map(str, profile.quotas))
        click.echo(f"{profile.id:<{width}}  {quotas:<6} {profile.hand} each  {profile.name}")
    if remote() is None:  # a server does not know it
        game = sumgait()
        click.echo(f"{game.id:<{width}}  {'piles':<6} 18 each  {game.name}")


def _check_server(profiles: Sequence[Profile]) -> None:
    """With --server: does it know the same games? InputError if it does not."""
    refuse_at_server("game_file")
    client = remote()
    if client is None:
        return
    for profile in profiles:
        options = {name: value_text(value) for name, value in profile.given.items()}
        if client.game(profile.id, options) != profile_json(profile):
            message = f"expected a server with the games of this version, found another {profile.id}"
            raise InputError("game", message, field="game")


def _show(profile: Profile) -> None:
    click.echo(f"{' '.join(profile.name.split())} ({profile.id})")
    _wrapped(profile.about)
    click.echo()
    out = f", kitty of {profile.kitty}" if profile.kitty > 1 else ", the last card face up" if profile.kitty else ""
    out += f", {profile.removed} card out of the pack" if profile.removed else ""
    click.echo(f"Deal      {profile.hand} cards each{out}")
    if profile.contracts:
        click.echo("Seats     N E S W, everyone in his own for the whole match")
        _contracts()
    else:
        seats = zip(("dealer", "eldest", "middle"), profile.quotas, strict=True)
        click.echo("Quotas    " + ", ".join(f"{seat} {quota}" for seat, quota in seats))
    if profile.kitty_trick:
        click.echo("          the dealer's kitty counts as a trick of his")
    if profile.calls:
        click.echo("Calls     " + " ".join(profile.calls))
    click.echo("Phases    " + _steps(profile, first=False)[0])
    for step in _steps(profile, first=False)[1:]:
        click.echo("          " + step)
    without = [step for step in profile.steps(first=False) if step not in profile.steps(first=True)]
    if without:
        click.echo(f"          (in the first deal without {' '.join(without)})")
    if "BID" in profile.steps(first=True) and not profile.contracts:
        click.echo(f"          (in the first deal after DEAL: {_PHASES['BID']})")
    _wrapped("End       " + _end(profile))
    _options(profile)


def _sumgait(game: Sumgait, as_json: bool) -> None:
    """The game of two blind piles, by its own words."""
    if remote() is not None:
        raise InputError("game", f"expected a game that a server knows, found {game.id!r}", field="game")
    if as_json:
        click.echo(json.dumps(sumgait_json(game)))
        return
    click.echo(f"{game.name} ({game.id})")
    _wrapped(game.about)
    click.echo("\nDeal      54 cards with two jokers, 16 each, kitty of 6")
    click.echo("Seats     the declarer, the next player, the other; each declares in turn")
    for number, step in enumerate(game.steps()):
        click.echo(f"{'Phases' if number == 0 else '':<10}{step:<9} {_OF_PILES[step]}")
    _wrapped("End       when all three have a Game of 1000; then their Vist is settled")
    _options(game)


def _steps(profile: Profile, *, first: bool) -> list[str]:
    said = _PHASES | (_OF_CONTRACTS if profile.contracts else {})
    return [f"{step:<9} {said[step]}" for step in profile.steps(first=first)]


def _contracts() -> None:
    """The contracts, low to high."""
    for number, rule in enumerate(CONTRACTS.values()):
        side = "two against two" if rule.side == 2 else "one against three"
        needs = "no trick" if rule.fewest else "all 13" if rule.needs == 13 else f"{rule.needs} tricks"
        trump = {"turned": "the suit turned up", "named": "any suit", "none": "no trump"}[rule.trump]
        title = "Contracts" if number == 0 else ""
        click.echo(f"{title:<9} {rule.units} {rule.title}: {side}, {needs}, {trump}")


def _end(profile: Profile) -> str:
    goal = profile.number("goal")
    ways = {
        "twelve": "who takes 12 tricks in one deal wins",
        "thirteen": "who takes 13 tricks in one deal wins",
        "sixteen": "who takes 16 tricks in one deal wins",
        "quota_plus_5": "who takes 5 tricks more than his quota in one deal wins",
        "deals": f"after {goal} deals the highest total wins; equal totals share",
        "total": f"when a total reaches +{goal}{f' or -{goal}' if profile.both_ways else ''} the highest wins",
    }
    return ways[str(profile.options["end"])]


def _options(profile: Profile | Sumgait) -> None:
    if not profile.options:
        return
    click.echo("\nOptions (--option name=value; * differs from the game's own)")
    width = max(len(name) for name in profile.options)
    for name, value in profile.options.items():
        mark = "*" if value != profile.defaults[name] else " "
        click.echo(f"{mark} {name:<{width}} = {value_text(value)}")
        ends = profile.ends if isinstance(profile, Profile) else ()
        values = " | ".join(ends) if name == "end" else OPTIONS[name].text()
        why = idle(name, profile.options)
        _wrapped(f"{OPTIONS[name].meaning} [{values}]" + (f" (no effect now: {why})" if why else ""), indent=6)


def _wrapped(text: str, indent: int = 0) -> None:
    for line in textwrap.wrap(text, _WIDTH - indent, break_long_words=False):
        click.echo(" " * indent + line)
