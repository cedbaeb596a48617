"""`tierce hint`: the best decision from what a player can see; JSON lines have a module of their own."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.exits import OK
from tierce.cli.hint_asking import (
    SECONDS,
    Asked,
    asked,
    begins_as_usual,
    check_options,
    hint_options,
    points_of,
    read_moment,
    read_seat,
    source_of,
)
from tierce.cli.hint_sumgait import is_sumgait
from tierce.cli.options import json_option, refuse, refuse_for_file
from tierce.cli.progress import Gauge, gauge
from tierce.cli.remote import remote
from tierce.cli.values import FileName, Number
from tierce.solver.errors import InputError

if TYPE_CHECKING:
    from tierce.cli.remote_searches import RemoteHintSearch
    from tierce.solver.games.view import View
    from tierce.solver.hints.hint import HintSearch
    from tierce.solver.hints.results import Hint

TOP = 10
_EVERY = 0.2  # seconds between two pictures of the progress

_HELP = """\b
What to do, from what one player can see: the card to play, or trump, discard,
parcel, call, bid or swap, whatever is due.

\b
  tierce hint view.json --seconds 1
  tierce hint hand.json --seat M --at "trick 5"   what M saw there
  tierce hint hand.json --seat D --at trump --worlds 40
  tierce hint hand.json --seat M --at "trick 5" --view > view.json
  tierce hint solo.json --seat N --at bid         Solo Whist: what N bids
  tierce hint --game sumgait driller.json --by match   Sumgait Driller
  tierce hint --batch views.jsonl --seconds 0.2

\b
FILE is a view (JSON), or a record as JSON or PBN from which one is cut; - is
stdin. Of a record --at names the moment by what is decided: "trick 5", lead,
trump, discard, parcel, "parcel 2", call, bid, swap; without --at it is where
the record ends. Views to copy: those of Sergeant Major and Solo Whist in
README.md, and what --view prints; tierce.solver.hints.view_json and
view.schema.json beside it say what stands where.

\b
A world is a layout of the unseen cards that fits all the player knows. Random
worlds are drawn and weighed by how likely the others would have chosen as
they did (not with --no-infer); every choice is valued in the same ones, those
that fall behind are dropped, until the time is up or the best is told apart.
The same --seed and --worlds give the same answer.

\b
Behind "±" stands one standard error: by luck alone a mean is off by less than
that two times in three. Twice as much is half a 95 % interval, which is what
stands there in 'tierce study', 'play' and the summaries of 'review'. It tells
what other worlds would change, not what the method takes for granted, nor
that the best of several means is as a rule a little too good.

\b
--by    tricks    mean tricks (in MIZ, where they are bad, few)
        quota     the chance to make the quota, in MIZ to stay without loss
        twelve    the chance of 12 tricks, or what else wins the match
        utility   the mean of --utility: points for each number of tricks
       In Solo Whist tricks are those of the side, and there are
        units     the mean of the units won and lost (the default there)
        made      the chance that the contract is made; for defenders, beaten
       In Sumgait Driller the declarer asks, and there are
        points    the mean of the points in the column Game (the default)
        ten       the chance of ten tricks
        match     what the settlement would bring, a point of Game counted as
                  --game-weight points of Vist (5)

\b
--method   rule      the rule of thumb alone
           pimc      exact values of worlds, averaged
           playouts  worlds played to the end by rules of thumb
           tree      own cards searched, the others by rules of thumb
           ending    the exact search of the last cards
           (Solo Whist: pimc asks of each world whether the contract is made)
--others   conspiring (against this player, seeing all cards: pimc, ending),
           rules (each for himself by rules of thumb) or hint (those of the
           present trick by a hint of few worlds)

\b
In Sumgait Driller --at names rob, misere, give, call, lead or "trick 5"; the
file is a view of solver/piles/view_json.py or a record. Worlds are random
orders of the piles, and --method is playouts or ending.

\b
A line of a --batch file is a view, with an "id" (text or a number) if you
like, which comes back; the answers are JSON lines in the same order.
"""


@click.command("hint", help=_HELP, short_help="The best decision from what a player can see.")
@click.argument("file", type=FileName(), required=False)
@click.option("--seat", callback=read_seat, metavar="SEAT", help="Of a record: who decides, D, E or M; N, E, S or W.")
@click.option("--at", callback=read_moment, metavar="MOMENT", help="Of a record: at which moment.")
@click.option("--deal", type=Number(int, 1), metavar="N", help="Of a record: in which deal (default: the last).")
@hint_options
@click.option("--top", type=Number(int, 1), default=TOP, metavar="N", help=f"Choices told (default {TOP}).")
@click.option("--batch", type=FileName(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option("--game", metavar="GAME", help="Of a file that must be of sumgait; other games are told by the file.")
@click.option("--game-weight", type=Number(float, 0, 100), metavar="W", help="In sumgait --by match: Vist for a Game.")
@click.option("--view", is_flag=True, help="Print the view that is cut, as JSON, and end.")
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    check_options(given)
    if given["game"] not in (None, "sumgait"):
        raise click.UsageError(f"expected --game sumgait, found {given['game']!r}: other games are told by the file")
    if given["batch"] is not None:
        refuse(("game", "game_weight"), "does not go with --batch, whose views are of the other games")
        from tierce.cli.commands.hint_batch import batch

        return batch(given)
    source, name = source_of(given)
    mistaken = is_sumgait(source) and begins_as_usual(source)  # whose reader says how a view of sumgait begins
    if not mistaken and (given["game"] == "sumgait" or is_sumgait(source)):
        from tierce.cli.hint_sumgait import hint

        return hint(source, name, given, seconds=SECONDS)
    refuse_for_file(("game_weight",), "goes with a view or a record of sumgait")
    decision = asked(source, name, given)
    if given["view"]:
        from tierce.solver.hints.view_json import view_json

        click.echo(json.dumps(view_json(decision.view)))
        return OK
    try:
        search = search_of(decision.view, given)
    except InputError as error:
        of_game = decision.view.profile.contracts and given["others"] == "hint"
        if error.field == "others" and not of_game:  # it does not go with --method, whatever the file
            raise click.UsageError(f"--others: {error.message}") from None
        raise
    return _answer(decision, search, given)


def search_of(view: View, given: dict[str, Any]) -> HintSearch | RemoteHintSearch:
    """The search for a decision, here or at a server."""
    from tierce.solver.hints.hint import HintSearch
    from tierce.solver.hints.objectives import by_of

    points = None if given["utility"] is None else points_of(given["utility"])
    asked: dict[str, Any] = {
        "seconds": SECONDS if given["seconds"] is None and given["worlds"] is None else given["seconds"],
        "worlds": given["worlds"],
        "seed": given["seed"],
        "by": by_of(view.profile, given["by"]) if points is None else "utility",
        "utility": points,
        "method": given["method"],
        "others": given["others"],
        "infer": not given["no_infer"],
    }
    here = HintSearch(view, **asked)  # at a server it only checks what is asked
    client = remote()
    if client is None:
        return here
    from tierce.cli.remote_searches import RemoteHintSearch

    return RemoteHintSearch(client, here.result, view, watched=given["batch"] is None, given=asked)


def _answer(decision: Asked, search: HintSearch | RemoteHintSearch, given: dict[str, Any]) -> int:
    """Search, and print what came of it; at Ctrl-C the best so far."""
    try:
        with gauge("hint") as bar:
            found = search.run(None if bar is None else _Watch(bar, search, given))
    except KeyboardInterrupt:  # then the command ends as it does wherever it is interrupted
        _print(decision, search.result, given)
        raise
    _print(decision, found, given)
    return OK


class _Watch:
    """Draws now and then how much of the work is done."""

    def __init__(self, bar: Gauge, search: HintSearch | RemoteHintSearch, given: dict[str, Any]) -> None:
        self._bar, self._search = bar, search
        self._worlds: int | None = given["worlds"]
        self._seconds: float = given["seconds"] or SECONDS
        self._began = self._due = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _EVERY
        worlds = self._search.result.worlds
        done = worlds / self._worlds if self._worlds else (now - self._began) / self._seconds
        self._bar.show(min(1.0, done), f"{worlds:,} worlds")


def _print(decision: Asked, found: Hint, given: dict[str, Any]) -> None:
    if given["as_json"]:
        click.echo(json.dumps(found.json(given["top"])))
        return
    from tierce.cli import hint_text

    hint_text.show(decision, found, most=given["top"])
