"""`tierce cards`: what each legal card of the player to move is worth."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import click

from tierce.cli.exits import interruptible
from tierce.cli.options import json_option, limit_options, one_deal, question_options
from tierce.solver.asking import Asked, Json
from tierce.solver.cards import card_name, seat_letters, side_name
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import CardValues
from tierce.solver.solver import Solver

_HELP = """\b
The value of every legal card of the player to move: tricks of his side in the whole hand if it is played.

\b
  tierce cards "D:.9.T8.T A.5.7.Q T.J.A.K" --trump D
  tierce cards "D:.9.T8.T A.5.7.Q T.J.A.K" --trump D --play "SA ST" --all-seats
  tierce cards "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --side NS

With three hands the mover stands alone unless --side tells otherwise: his floor.
"""


@click.command("cards", help=_HELP, short_help="The value of every legal card.")
@question_options
@click.option("--all-seats", is_flag=True, help="Every seat's floor after each card.")
@limit_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    asked = Asked(
        deal=one_deal(given["deal"]),
        **{name: given[name] for name in ("trump", "discard", "leader", "dealer", "side", "objective", "play")},
        kitty_first=given["kitty_first"],
    )
    query = asked.query()
    if given["all_seats"] and given["side"] is not None:
        raise click.UsageError("expected --side or --all-seats, found both")
    position = query.position
    mover = position.mover
    own = query.side if query.side is not None else 1 << mover
    values = _values(position, own, query, given)
    seats: dict[str, dict[int, int]] = {}
    if given["all_seats"]:
        seats = {
            seat_letters(position.n)[seat]: _worths(position, 1 << seat, query, given) for seat in range(position.n)
        }
    if given["as_json"]:
        click.echo(json.dumps(_json(position, values, seats)))
    else:
        _show(position, asked, values, seats)
    return 0


def _values(position: Position, side: int, query: Query, given: dict[str, Any]) -> CardValues:
    solver = Solver(given["table_mb"])
    return interruptible(
        lambda: solver.card_values(
            position, side, query.objective, timeout=given["timeout"], max_nodes=given["max_nodes"]
        )
    )


def _worths(position: Position, side: int, query: Query, given: dict[str, Any]) -> dict[int, int]:
    """Tricks of `side` after each card, whoever moves."""
    values = _values(position, side, query, given)
    own = values.side == side
    return {value.card: value.tricks if own else position.tricks - value.tricks for value in values.cards}


def _json(position: Position, values: CardValues, seats: dict[str, dict[int, int]]) -> Json:
    n = position.n
    letters = seat_letters(n)
    cards = []
    for value in values.cards:
        entry: Json = {"card": card_name(value.card), "tricks": value.tricks, "best": value.best}
        if seats:
            entry["seats"] = {seat: worths[value.card] for seat, worths in seats.items()}
        cards.append(entry)
    return {
        "mover": letters[values.mover],
        "side": side_name(values.side, n),
        "objective": values.objective,
        "taken": dict(zip(letters, position.taken, strict=True)),
        "cards": cards,
        "nodes": values.nodes,
        "millis": round(values.millis, 3),
    }


def _show(position: Position, asked: Asked, values: CardValues, seats: dict[str, dict[int, int]]) -> None:
    from tierce.cli.render import bold, card_text, dim, effort, say
    from tierce.cli.show import opening

    n = position.n
    opening(position, asked.first_leader(n))
    side = side_name(values.side, n)
    alone = len(side) == 1
    what = ("cap" if values.objective == "fewest" else "floor") if alone and n == 3 else "tricks"
    say()
    say(f"{seat_letters(n)[values.mover]} to play; {side}'s {what} in the whole hand, * best:")
    say()
    if seats:
        say(dim("   card  " + "  ".join(f"{seat:>2}" for seat in seats)))
    for _, group in groupby(values.cards, key=lambda value: value.group):
        cards = list(group)
        mark = bold("*") if cards[0].best else " "
        if not seats:
            say(f"{mark} " + "  ".join(f"{card_text(value.card)} {value.tricks}" for value in cards))
            continue
        for value in cards:
            worths = "  ".join(f"{worth[value.card]:>2}" for worth in seats.values())
            say(f"{mark}  {card_text(value.card)}    {worths}")
    say()
    say(effort(values.nodes, values.millis))
