"""`tierce cards`: what each legal card of the player to move is worth."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.budget import budget_of
from tierce.cli.exits import interruptible
from tierce.cli.options import asked_of, json_option, limit_options, one_deal, question_options
from tierce.cli.remote import refuse_at_server, remote
from tierce.solver.query import Query
from tierce.solver.solver import Solver
from tierce.solver.telling import CardsAnswer, cards_answer

if TYPE_CHECKING:
    from tierce.service.client import Client

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
    refuse_at_server("table_mb")
    found = interruptible(lambda: _found(query, asked.first_leader(position.n), given, remote()))
    if given["as_json"]:
        click.echo(json.dumps(found.json()))
    else:
        from tierce.cli import show

        show.cards(position, found.first, found.values, found.seats)
    return 0


def _found(query: Query, first: int, given: dict[str, Any], client: Client | None) -> CardsAnswer:
    if client is not None:
        limits = {"timeout": given["timeout"], "max_nodes": given["max_nodes"]}
        return client.cards(query, first, all_seats=given["all_seats"], **limits)
    make = partial(Solver, given["table_mb"])
    return cards_answer(query, first, budget_of(given), make, all_seats=given["all_seats"])
