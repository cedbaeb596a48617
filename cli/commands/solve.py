"""`tierce solve`: one deal; a PBN file and JSON lines have modules of their own."""

from __future__ import annotations

import json
from typing import Any

import click

from tierce.cli.exits import OK, interruptible
from tierce.cli.options import asked_of, json_option, limit_options, number, one_deal, question_options, refuse
from tierce.cli.questions import every_strain, limit_of, limits_of, solve_query, told, whole_hand
from tierce.solver.asking import Asked, Json
from tierce.solver.cards import NOTRUMP, card_name, cards_of, side_name
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.solver import Solver

_HELP = """\b
Exact tricks with best play by all, every card seen.

\b
  tierce solve "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T." \\
      --trump S --discard ".87..Q4"
  tierce solve "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --side NS --leader E
  tierce solve "D:.9.T8.T A.5.7.Q T.J.A.K"              every strain
  tierce solve --batch deals.jsonl > results.jsonl      many deals, all cores; - is stdin
  tierce solve --pbn session.pbn --table                every deal of a PBN file

Three hands without --side: each seat's floor, fair share and ceiling.
"""


@click.command("solve", help=_HELP, short_help="Exact tricks for a deal.")
@question_options
@click.option("--at-least", **number(int, 0), metavar="K", help="Ask only: does the side take K or more?")
@click.option("--at-most", **number(int, 0), metavar="K", help="Ask only: does the side take K or fewer?")
@click.option("--line", is_flag=True, help="Add one line of best play.")
@click.option("--relevant", is_flag=True, help="List the cards whose rank mattered.")
@click.option("--batch", type=click.Path(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option("--pbn", type=click.Path(), metavar="FILE", help="Solve every deal of a PBN file; - is stdin.")
@click.option("--table", is_flag=True, help="With --pbn: every strain and seat.")
@click.option("--bounds", is_flag=True, help="At a limit, print what is proved so far (JSON always does).")
@click.option("--threads", **number(int, 1), metavar="N", help="Threads for many deals (default: all cores).")
@limit_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    sources = [name for name in ("deal", "batch", "pbn") if given[name] is not None]
    if len(sources) > 1:
        raise click.UsageError(f"expected one of a deal, --batch and --pbn, found {len(sources)}")
    if given["at_least"] is not None and given["at_most"] is not None:
        raise click.UsageError("expected --at-least or --at-most, found both")
    if given["batch"] is not None:
        from tierce.cli.commands.solve_batch import batch

        return batch(given)
    if given["pbn"] is not None:
        from tierce.cli.commands.solve_pbn import pbn

        return pbn(asked_of(given, ""), given)
    refuse(("table",), "goes with --pbn; without --trump every strain of a deal is solved")
    refuse(("threads",), "goes with --batch and --pbn")
    asked = asked_of(given, one_deal(given["deal"]))
    if asked.trump is None:
        return _every_strain(asked, given)
    query = asked.query()
    first = asked.first_leader(query.position.n)
    if given["at_least"] is not None or given["at_most"] is not None:
        refuse(("line", "relevant"), "does not go with a yes/no question")
        return _yes_or_no(query, first, given)
    return _value(query, first, given)


def _value(query: Query, first: int, given: dict[str, Any]) -> int:
    result = interruptible(lambda: solve_query(query, limits_of(given), given["table_mb"]))
    limit = limit_of(result)
    out = whole_hand(query, result, first)
    if given["line"] and not limit:
        try:
            out["line"] = interruptible(lambda: _lines(query, given))
        except LimitReached as error:
            limit = error
    if given["relevant"] and result.complete:
        out["relevant"] = _relevant(result)
    if given["as_json"]:
        click.echo(json.dumps(out))
    elif result.complete or given["bounds"]:
        from tierce.cli import show

        show.solved(query, first, result, out)
    return told(limit)


def _relevant(result: SideResult | Floors) -> Json | list[str]:
    if isinstance(result, SideResult):
        return [card_name(card) for card in cards_of(result.relevant)]
    return {side.name: [card_name(card) for card in cards_of(side.relevant)] for side in result.sides}


def _lines(query: Query, given: dict[str, Any]) -> Json | list[str]:
    """One line of best play for the side, or one for each seat alone."""

    def line(side: int) -> list[str]:
        solver = Solver(given["table_mb"])
        cards = solver.best_line(
            query.position, side, query.objective, timeout=given["timeout"], max_nodes=given["max_nodes"]
        )
        return [card_name(card) for card in cards]

    if query.side is not None:
        return line(query.side)
    return {side_name(side, query.position.n): line(side) for side in query.sides}


def _yes_or_no(query: Query, first: int, given: dict[str, Any]) -> int:
    if query.side is None:
        raise click.UsageError("--at-least and --at-most ask about one side of three hands: name it with --side")
    at_least, at_most = given["at_least"], given["at_most"]
    result = interruptible(
        lambda: Solver(given["table_mb"]).solve(
            query.position,
            query.side,
            query.objective,
            at_least=at_least,
            at_most=at_most,
            timeout=given["timeout"],
            max_nodes=given["max_nodes"],
            bounds=True,
        )
    )
    need = at_least if at_least is not None else at_most + 1
    reached = True if result.low >= need else False if result.high < need else None
    answer = reached if at_most is None or reached is None else not reached
    if given["as_json"]:
        out = whole_hand(query, result, first)
        if answer is not None:
            for name in ("tricks", "complete", "bounds"):  # no more than was asked
                out.pop(name, None)
        out |= {"at_least": at_least} if at_most is None else {"at_most": at_most}
        click.echo(json.dumps(out if answer is None else out | {"answer": answer}))
    elif answer is not None or given["bounds"]:
        from tierce.cli import show

        show.yes_or_no(query, first, result, answer, at_least=at_least, at_most=at_most)
    return OK if answer is not None else told(limit_of(result))


def _every_strain(asked: Asked, given: dict[str, Any]) -> int:
    refuse(("at_least", "at_most", "line", "relevant", "play"), "needs a --trump")
    deal = asked.played_deal()
    out, limit = interruptible(lambda: every_strain(asked, deal, given, given["table_mb"]))
    if given["as_json"]:
        click.echo(json.dumps(out))
    elif not limit or given["bounds"]:
        from tierce.cli import show

        first = asked.first_leader(len(deal.hands))
        show.strains(Position.start(deal, NOTRUMP, first), first, out)
    return told(limit)
