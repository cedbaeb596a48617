"""`tierce settle`: what the players of a match of Sumgait Driller pay each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from tierce.cli.exits import OK
from tierce.cli.options import json_option
from tierce.cli.values import Number
from tierce.solver.asking import Json
from tierce.solver.games.sumgait.settlement import VIST_MAX, Amount, Payment, Settlement, settle

if TYPE_CHECKING:
    from rich.text import Text

_HELP = """\b
Settle a match of Sumgait Driller: the Vist of players 1, 2 and 3.

\b
  tierce settle 3600 3570 2760
  tierce settle -560 0 -1120
  tierce settle 3600 3570 2760 --json

Each Vist is halved and presented to both rivals, so that two players owe each
other the difference of their halves; then debts are netted, and the losers pay
the winners.

\b
--json: vist, halves, nets (lists by player), debts (before netting) and
payments: from, to (players 0 1 2, as in records), amount.
"""
_PLAYERS = 3


def _of_three(_context: click.Context, _parameter: click.Parameter, found: tuple[int, ...]) -> tuple[int, ...]:
    if len(found) != _PLAYERS:
        message = f"expected the Vist of three players, such as 3600 3570 2760, found {len(found) or 'none'}"
        raise click.UsageError(message)
    return found


@click.command(
    "settle",
    help=_HELP,
    short_help="Who pays whom after a match of Sumgait.",
    context_settings={"ignore_unknown_options": True},  # a Vist may be negative
)
@click.argument("vist", nargs=-1, callback=_of_three, type=Number(int, -VIST_MAX, VIST_MAX), metavar="VIST VIST VIST")
@json_option
def command(vist: tuple[int, int, int], as_json: bool) -> int:
    """See _HELP."""
    found = settle(vist)
    if as_json:
        click.echo(json.dumps(settlement_json(found)))
        return OK
    from tierce.cli.render import say

    for line in settlement_lines(found, [f"Player {player}" for player in (1, 2, 3)]):
        say(line)
    return OK


def settlement_json(found: Settlement) -> Json:
    """A settlement as JSON values."""
    return {
        "vist": list(found.vist),
        "halves": list(found.halves),
        "nets": list(found.nets),
        "debts": list(map(_payment_json, found.debts)),
        "payments": list(map(_payment_json, found.payments)),
    }


def _payment_json(payment: Payment) -> Json:
    return {"from": payment.debtor, "to": payment.creditor, "amount": payment.amount}


def settlement_lines(found: Settlement, names: Sequence[str]) -> Iterator[str | Text]:
    """A settlement for people: a row a player, what they owe each other, who pays whom."""
    from tierce.cli.render import grid

    halves, nets = _amounts(found.halves), _amounts(found.nets, sign=True)
    rows = [list(row) for row in zip(names, map(str, found.vist), halves, nets, strict=True)]
    yield from grid(rows, ["", "Vist", "Half", "Net"])
    yield ""
    for debt, amount in zip(found.debts, _amounts([each.amount for each in found.debts]), strict=True):
        yield f"{names[debt.debtor]} owes {names[debt.creditor]} {amount}."
    if found.payments:
        yield ""
    for payment, amount in zip(found.payments, _amounts([each.amount for each in found.payments]), strict=True):
        yield f"{names[payment.debtor]} pays {names[payment.creditor]} {amount}."
    if not found.payments:
        yield "Nobody pays."


def _amounts(amounts: Sequence[Amount], *, sign: bool = False) -> list[str]:
    """Amounts that stand below one another: whole numbers, or all with a decimal if one of them has a half."""
    places = 1 if any(amount % 1 for amount in amounts) else 0
    return [f"{amount:{'+' if sign and amount else ''}.{places}f}" for amount in amounts]
