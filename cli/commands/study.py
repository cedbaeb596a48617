"""`tierce study`: a hand over random deals."""

from __future__ import annotations

import json
from typing import Any

import click

from tierce.cli.exits import OK
from tierce.cli.options import json_option, threads_of
from tierce.cli.out import check_page, write_page
from tierce.cli.values import FileName, Number, judged
from tierce.solver.batch.many import SHARES

DEALS = 300
DEALS_MAX = 100_000
SAMPLES = 200
SEED_MAX = (1 << 62) - 1

_HELP = """\b
A hand of Sumgait Driller over random deals: how its tricks and points spread,
what best play is worth at least and at most, and chances known exactly.

\b
  tierce study AQT98.T763.KJ543.KJ8.J1 --deals 20
  tierce study AQT7.763.KJ43.J83.J1J2 --deals 6 --samples 50 --json
  tierce deal --game sumgait --seed 3 | tierce study - --deals 6

\b
Of 18 cards the hand is played as it is (--known tells what the piles hold).
Of 22 the four cards to give are chosen first, by rules of thumb; of 16 every
deal draws its kitty by lot and gives so. HAND may be a deal as 'tierce deal'
prints it: the declarer's cards and the kitty are the 22. - is stdin. The
deals are played by trials that look at nothing the declarer could not know.

\b
  made        what this way of playing came to: best play is worth no less
  penalised   an upper bound: best play is worth no more
  piles seen  the clairvoyant's best, a looser upper bound

\b
The same hand and seed give the same figures. --json: hand, known, objective,
deals, seed, samples, exact, giving, tricks and points (mean, counts), ten,
declared, rules_of_thumb, bounds (points, tricks, ten: made, penalised,
clairvoyant, gap), led, chances (exact fractions, and how often seen).
"""


def _known(text: str) -> None:
    from tierce.cli.study_sumgait import known_of

    known_of(text)


@click.command("study", help=_HELP, short_help="A hand of Sumgait over random deals.")
@click.argument("hand")
@click.option("--game", metavar="GAME", default="sumgait", help="The game: sumgait.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option(
    "--known",
    callback=judged(_known),
    metavar="CARDS",
    help="Cards in the piles, the next player's / the other's: 'S2 S3 / C4 C5'.",
)
@click.option(
    "--by",
    type=click.Choice(["points", "tricks", "ten"]),
    default="points",
    show_default=True,
    help="What is played for.",
)
@click.option(
    "--deals", type=Number(int, 2, DEALS_MAX), default=DEALS, show_default=True, metavar="N", help="Random deals."
)
@click.option(
    "--samples",
    type=Number(int, 1, 100_000),
    default=SAMPLES,
    show_default=True,
    metavar="N",
    help="Orders of the piles tried at every turn.",
)
@click.option("--seed", type=Number(int, 0, SEED_MAX), default=1, show_default=True, metavar="N", help="Which deals.")
@click.option("--threads", type=Number(int, 1), metavar="N", help=f"Threads (default: all cores; {SHARES} at most).")
@click.option("--html", type=FileName(), metavar="FILE", help="Write a page with plots: a .html file.")
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    from tierce.cli import study_sumgait
    from tierce.cli.games import any_game_of
    from tierce.solver.games.sumgait import Sumgait

    game = any_game_of(given["game"], None, given["options"])
    if not isinstance(game, Sumgait):
        raise click.UsageError(f"expected --game sumgait, the one game whose hands are studied, found {game.id}")
    if given["html"] is not None:
        check_page(given["html"])
    found = study_sumgait.study_of(game, given, threads_of(given))
    failed = _try_to_write(found, given["html"])
    if given["as_json"]:
        click.echo(json.dumps(found.json() | {"options": game.given}))
    else:
        study_sumgait.show(found)
        if given["html"] is not None:
            click.echo(f"\nThe page is {given['html']}." if failed is None else f"\n{given['html']} was not written.")
    if failed is not None:
        raise failed
    return OK


def _try_to_write(found: Any, name: str | None) -> OSError | None:
    """Write the page, if one is wanted; what prevents it is told after the result."""
    if name is None:
        return None
    from importlib.metadata import version

    from tierce.solver.report.sumgait_page import sumgait_page

    try:
        write_page(name, sumgait_page(found, version("tierce")))
    except OSError as error:
        return error
    return None
