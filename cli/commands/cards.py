"""`tierce cards`: what each legal card of the player to move is worth."""

from __future__ import annotations

import json
from typing import Any

import click

from tierce.cli.budget import Budget, budget_of
from tierce.cli.exits import interruptible
from tierce.cli.options import asked_of, json_option, limit_options, one_deal, question_options
from tierce.solver.asking import Json
from tierce.solver.cards import card_name, seat_letters, side_name
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import CardValues
from tierce.solver.solver import Solver

_HELP = """\b
The value of every legal card of the player to move.

\b
  tierce cards "D:.9.T8.T A.5.7.Q T.J.A.K" --trump D
  tierce cards "D:.9.T8.T A.5.7.Q T.J.A.K" --trump D --play SA --all-seats
  tierce cards "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --side NS

A card's value: the tricks that the mover's side takes in the whole hand if it
is played. With three hands he stands alone unless --side tells otherwise, and
the value is his floor. Cards in one row touch, so they are worth the same.
"""


@click.command("cards", help=_HELP, short_help="The value of every legal card.")
@question_options
@click.option("--all-seats", is_flag=True, help="Every seat's floor after each card.")
@limit_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    if given["all_seats"] and given["side"] is not None:
        raise click.UsageError("expected --side or --all-seats, found both")
    asked = asked_of(given, one_deal(given["deal"]))
    if asked.trump is None:
        raise click.UsageError("expected --trump (S H D C N), found none")
    query = asked.query()
    position = query.position
    own = query.side if query.side is not None else 1 << position.mover
    budget = budget_of(given)
    values = _values(query, own, budget, given["table_mb"])
    seats = _every_seat(query, values, own, budget, given["table_mb"]) if given["all_seats"] else {}
    if given["as_json"]:
        click.echo(json.dumps(_json(position, values, seats)))
    else:
        from tierce.cli import show

        show.cards(position, asked.first_leader(position.n), values, seats)
    return 0


def _values(query: Query, side: int, budget: Budget, table_mb: int) -> CardValues:
    limits = budget.left()
    values = interruptible(
        lambda: Solver(table_mb).card_values(
            query.position, side, query.objective, timeout=limits.timeout, max_nodes=limits.max_nodes
        )
    )
    budget.spend(values.nodes)
    return values


def _every_seat(
    query: Query, known: CardValues, known_side: int, budget: Budget, table_mb: int
) -> dict[str, dict[int, int]]:
    """The floor of every seat after each card, whoever moves."""
    seats: dict[str, dict[int, int]] = {}
    total = query.position.tricks
    for seat, letter in enumerate(seat_letters(query.position.n)):
        side = 1 << seat
        values = known if side == known_side else _values(query, side, budget, table_mb)
        own = values.side == side
        seats[letter] = {value.card: value.tricks if own else total - value.tricks for value in values.cards}
    return seats


def _json(position: Position, values: CardValues, seats: dict[str, dict[int, int]]) -> Json:
    letters = seat_letters(position.n)
    cards = []
    for value in values.cards:
        entry: Json = {"card": card_name(value.card), "tricks": value.tricks, "best": value.best}
        if seats:
            entry["seats"] = {seat: worths[value.card] for seat, worths in seats.items()}
        cards.append(entry)
    return {
        "mover": letters[values.mover],
        "side": side_name(values.side, position.n),
        "objective": values.objective,
        "taken": dict(zip(letters, position.taken, strict=True)),
        "cards": cards,
        "nodes": values.nodes,
        "millis": round(values.millis, 3),
    }
