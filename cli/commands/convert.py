"""`tierce convert`: records from JSON to PBN and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tierce.cli.exits import OK, reading, tell
from tierce.cli.options import STDIN, stdin
from tierce.cli.values import FileName

if TYPE_CHECKING:
    from tierce.solver.games import AnyRecord, Record, Replay
    from tierce.solver.games.sumgait import Replay as SumgaitReplay

T = TypeVar("T")

_HELP = """\b
Records of played hands as PBN or JSON, on standard output.

\b
  tierce convert hand.json --to pbn
  tierce convert hand.pbn --to json
  tierce convert bridge.lin --to json --game solo_whist

What the file is, is seen from how it begins; - is stdin. The hands are
replayed: what the rules forbid is refused, and what they leave no choice about
(returned cards, the kitty) is filled in. Several hands that are not of one
match become JSON lines, a record each. PBN tags of other programs are left out.
Records of sumgait are JSON only.

With a four-hand --game the deals of files of other games (bridge, PBN or LIN)
become records of it, nothing bid yet: dealer and hands as they are, the card
turned up by [Turned "H5"], or drawn by lot from the dealer's hand (of the suit
of [Trump "H"], if that is there), the same for ever.
"""


@click.command("convert", help=_HELP, short_help="Records from JSON to PBN and back.")
@click.argument("file", type=FileName())
@click.option("--to", "form", type=click.Choice(["json", "pbn"]), required=True, help="What to write.")
@click.option("--game", metavar="GAME", help="Read deals of other games as deals of this one, of four hands.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
def command(file: str, form: str, game: str | None, options: tuple[str, ...]) -> int:
    """See _HELP."""
    from tierce.solver.games import write_any

    if options and game is None:
        raise click.UsageError("expected --game beside --option, found none")
    found = any_records_in(file) if game is None else _deals_in(file, game, options)
    replays = [replayed(record) for record in found]
    text = write_any([each.record for each in replays], "pbn" if form == "pbn" else "json")
    click.echo(text, nl=False)
    for each in replays:
        for discrepancy in each.discrepancies:
            tell(f"note: {each.record.file}: {discrepancy}; the stated result was kept")
    return OK


def replayed(record: AnyRecord) -> Replay | SumgaitReplay:
    """A record put to the rules of its game."""
    from tierce.solver.games import Record, replay
    from tierce.solver.games.sumgait import replay as replay_sumgait

    return replay(record) if isinstance(record, Record) else replay_sumgait(record)


def _deals_in(file: str, game: str, options: tuple[str, ...]) -> tuple[Record, ...]:
    """The deals of a file as records of a four-hand game."""
    from tierce.cli.games import profile_of
    from tierce.solver.games.record_other import read_deals

    profile = profile_of(game, None, options)
    if profile.seats != 4:
        raise click.UsageError(f"expected a game of four hands, found {profile.id} with {profile.seats}")
    return _records_in(file, lambda source, name: read_deals(source, profile, name))


def any_records_in(file: str) -> tuple[AnyRecord, ...]:
    """The records of a file, of any game, at least one; `-` is standard input."""
    from tierce.solver.games import read_any

    return _records_in(file, read_any)


def records_in(file: str) -> tuple[Record, ...]:
    """The same where records of Sumgait Driller are refused."""
    from tierce.solver.games import read_records

    return _records_in(file, read_records)


def _records_in(file: str, read: Callable[[bytes, str], tuple[T, ...]]) -> tuple[T, ...]:
    from tierce.solver.games import RecordError

    name = STDIN if file == "-" else file
    with reading(name):
        source = stdin().read() if file == "-" else Path(file).read_bytes()
    records = read(source, name)
    if not records:
        raise RecordError("missing", "expected at least one record, found none", file=name)
    return records
