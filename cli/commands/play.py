"""`tierce play`: bots against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from tierce.cli.games import game_options, profile_of
from tierce.cli.options import SECONDS_MAX, json_option, refuse
from tierce.cli.values import FileName, Number
from tierce.solver.errors import InputError

if TYPE_CHECKING:
    from tierce.solver.hints.tables import Previous, Table

DEALS: Final = 120
SECONDS: Final = 0.1
_DEALS_MAX: Final = 1_000_000
_MATCHES_MAX: Final = 100_000
_WORLDS_MAX: Final = 1_000_000
_BUDGET_MAX: Final = 3600
_THREADS_MAX: Final = 64
_TYPED: Final = ("bots", "instead", "previous")

_HELP = """\b
Bots against each other: what each takes, and what one takes more than
another in its place, with the same cards.

\b
  tierce play --bots hint,simple,simple --deals 1 --seconds 0.01
  tierce play --bots hint,simple,simple --instead pimc --deals 1 --seconds .01
  tierce play --bots simple,random,random --matches 3 --out played.jsonl
  tierce play --game solo_whist --bots hint,simple --deals 1 --seconds 0.01

\b
--bots names three. Where two are the same, the third is under study: it plays
every deal in each of the three seats, and so do those that may stand in its
place (--instead; else the bot of the two others). Three different ones move
round the seats of every deal. Four-hand games take four, for N, E, S, W, or
two, for N and S and for E and W; every deal is played again with all a seat
further on, so that each has the cards of the others. Behind "±" stands the
half of a 95 % interval; the seats of a deal count together.

\b
  random     any legal action
  simple     a player by rules of thumb
  hint       the hint, within --seconds or --worlds
  pimc       the plain method: exact values of random worlds, averaged
  hint:KEY=VALUE,...   the hint told otherwise: hint:playouts, hint:tree,
             hint:no-infer, hint:others=conspiring, hint:by=quota,
             hint:worlds=200; see tierce.solver.hints.bots
  package.module:function     one of your own: called with the player's view
             and, if it takes one, rng=random.Random; it returns an action

\b
Every other deal is the first of its match; the rest follow a result that is
drawn, so that cards are exchanged. --previous none: first deals alone;
--previous drawn: none of them; --previous 10/4/2: each follows this result,
of dealer, eldest and middle in the seats they had then.

\b
--matches plays matches to their end (of Solo Whist, eight deals); the bots
move on by a seat from one to the next.

\b
--seconds is wall time a decision, so that the machine counts; with --worlds
alone the games are the same on every machine and for any --threads. A bot
that fails ends that game: it is told, and the exit code is 65. After Ctrl-C
and --timeout, what is done is told.
"""


@click.command("play", help=_HELP, short_help="Bots against each other.")
@game_options
@click.option("--bots", required=True, metavar="A,B,...", help="Who plays.")
@click.option(
    "--instead", multiple=True, metavar="BOT", help="Another for the first bot's place; say it again for more."
)
@click.option("--deals", type=Number(int, 1, _DEALS_MAX), metavar="N", help=f"How many deals (default {DEALS}).")
@click.option("--matches", type=Number(int, 1, _MATCHES_MAX), metavar="N", help="Instead of deals: whole matches.")
@click.option(
    "--seconds",
    type=Number(float, 0.001, _BUDGET_MAX),
    metavar="S",
    help=f"Time for a decision (default {SECONDS:g}; with --worlds: none).",
)
@click.option("--worlds", type=Number(int, 1, _WORLDS_MAX), metavar="N", help="Worlds for a decision.")
@click.option(
    "--seed", type=Number(int, 0, (1 << 63) - 1), default=1, show_default=True, metavar="N", help="Which deals."
)
@click.option("--previous", metavar="D/E/M", help="The deal before: tricks, none or drawn.")
@click.option(
    "--threads", type=Number(int, 1, _THREADS_MAX), default=1, show_default=True, metavar="N", help="Processes."
)
@click.option("--timeout", type=Number(float, 1e-9, SECONDS_MAX), metavar="SECONDS", help="Stop after so long.")
@click.option("--out", type=FileName(), metavar="FILE", help="Write what was played: records as JSON lines.")
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    if given["out"] is not None:
        from tierce.cli.out import check_place

        check_place(given["out"])
    if given["worlds"] is not None:
        refuse(("seconds",), "does not go with --worlds")
    if given["matches"] is not None:
        refuse(("deals", "previous", "instead"), "does not go with --matches")
    from tierce.cli.batch_running import find_modules_here, strategies_aside

    find_modules_here()
    with strategies_aside():
        table, budgets = _table(given)
    from tierce.cli.play_running import Running

    return Running(table, budgets, given).to_end()


# ---- what was typed --------------------------------------------------------------------------------------------------


def _table(given: dict[str, Any]) -> tuple[Table, list[float | None]]:
    """The table, and the seconds of its bots. UsageError."""
    from tierce.solver.hints.bots import bots_of
    from tierce.solver.hints.table_games import seated_bots
    from tierce.solver.hints.tables import Table

    profile = profile_of(given["game"], given["game_file"], given["options"])
    seconds, matches = given["seconds"], given["matches"]
    if seconds is None and given["worlds"] is None:
        seconds = SECONDS
    names: Any = bots_of(given["bots"])  # how many there are is for the table to judge
    try:
        table = Table(
            profile,
            names,
            instead=given["instead"],
            deals=None if matches is not None else given["deals"] or DEALS,
            matches=matches,
            seed=given["seed"],
            seconds=seconds,
            worlds=given["worlds"],
            previous=_previous(given["previous"]),
        )
        return table, [bot.seconds for bot in seated_bots(table)]
    except InputError as error:
        if error.field in _TYPED:
            raise click.UsageError(error.message, click.get_current_context()) from None
        raise


def _previous(text: str | None) -> Previous:
    from tierce.cli.batch_asking import tricks_of

    if text is None or text == "alternate":
        return "alternate"
    if text == "none":
        return "none"
    if text == "drawn":
        return "drawn"
    try:
        return tricks_of(text)
    except InputError:
        message = (
            f"expected tricks of dealer, eldest and middle such as 10/4/2, none, drawn or alternate, found {text!r:.60}"
        )
        raise InputError("previous", message, field="previous") from None
