"""`tierce convert`: records from JSON to PBN and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierce.cli.exits import OK, reading, tell
from tierce.cli.options import STDIN, stdin
from tierce.cli.values import FileName

if TYPE_CHECKING:
    from tierce.solver.games import Record

_HELP = """\b
Records of played hands as PBN or JSON, on standard output.

\b
  tierce convert hand.json --to pbn
  tierce convert hand.pbn --to json

What the file is, is seen from how it begins; - is stdin. The hands are
replayed: what the rules forbid is refused, and what they leave no choice about
(returned cards, the kitty) is filled in. Several hands that are not of one
match become JSON lines, a record each. PBN tags of other programs are left out.
"""


@click.command("convert", help=_HELP, short_help="Records from JSON to PBN and back.")
@click.argument("file", type=FileName())
@click.option("--to", "form", type=click.Choice(["json", "pbn"]), required=True, help="What to write.")
def command(file: str, form: str) -> int:
    """See _HELP."""
    from tierce.solver.games import replay, write_records

    replays = [replay(record) for record in records_in(file)]
    text = write_records([each.record for each in replays], "pbn" if form == "pbn" else "json")
    click.echo(text, nl=False)
    for each in replays:
        for discrepancy in each.discrepancies:
            tell(f"note: {each.record.file}: {discrepancy}; the stated result was kept")
    return OK


def records_in(file: str) -> tuple[Record, ...]:
    """The records of a file, at least one; `-` is standard input."""
    from tierce.solver.games import RecordError, read_records

    name = STDIN if file == "-" else file
    with reading(name):
        source = stdin().read() if file == "-" else Path(file).read_bytes()
    records = read_records(source, name)
    if not records:
        raise RecordError("missing", "expected at least one record, found none", file=name)
    return records
