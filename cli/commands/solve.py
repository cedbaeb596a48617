"""`tierce solve`: one deal; a PBN file and JSON lines have modules of their own."""

from __future__ import annotations

import json
from typing import Any

import click

from tierce.cli.budget import Budget, budget_of, solve_query
from tierce.cli.exits import OK, interruptible
from tierce.cli.options import asked_of, json_option, limit_options, one_deal, question_options, refuse
from tierce.cli.questions import limit_of, told, whole_hand
from tierce.cli.tables import every_strain
from tierce.cli.values import FileName, Number
from tierce.solver.asking import Asked, Json
from tierce.solver.batch.many import SHARES
from tierce.solver.cards import NOTRUMP, card_name, cards_of, side_name
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import MIB, Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import Engine
from tierce.solver.solver import Solver

_HELP = """\b
Exact tricks with best play by all, every card seen.

\b
  tierce solve --trump S --discard "H8 H7 CQ C4" \\
  "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
  tierce solve "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --side NE
  tierce solve "D:.9.T8.T A.5.7.Q T.J.A.K"           every strain
  tierce solve --batch deals.jsonl > results.jsonl   many deals, all cores
  tierce solve --pbn session.pbn --table             every deal of a PBN file

Three hands without --side: each seat's floor, fair share and ceiling. With
--objective fewest the full count of a whole hand may take minutes; whether it
is --at-most 0, or another number far from it, is known far sooner.

\b
Suits stand in the order S.H.D.C, divided by dots, in hands and discards.
Deals of a --pbn file are solved from the first card; its play is passed over.

\b
A line of a --batch file is a JSON object with the fields
  deal, trump     as above; without trump: that of --trump; all others may be
                  left out
  id              text or a number, comes back (else the line's number)
  discard         a hand, such as ".87..Q4", or cards
  kitty_first     true or false
  leader, dealer, side, objective, play     as the options
"""

_TRICKS = Number(int, 0)


@click.command("solve", help=_HELP, short_help="Exact tricks for a deal.")
@question_options
@click.option("--at-least", type=_TRICKS, metavar="K", help="Ask only: does the side take K or more?")
@click.option("--at-most", type=_TRICKS, metavar="K", help="Ask only: does the side take K or fewer?")
@click.option("--line", is_flag=True, help="Add one line of best play.")
@click.option("--relevant", is_flag=True, help="List the cards whose rank mattered; those above them did, too.")
@click.option("--batch", type=FileName(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option("--pbn", type=FileName(), metavar="FILE", help="Solve every deal of a PBN file; - is stdin.")
@click.option("--table", is_flag=True, help="With --pbn: every strain and seat.")
@click.option("--bounds", is_flag=True, help="At a limit, print what is proved so far (JSON always does).")
@click.option(
    "--threads",
    type=Number(int, 1),
    metavar="N",
    help=f"Threads for many deals (default: all cores; {SHARES} at most).",
)
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
    budget = budget_of(given)
    result = interruptible(lambda: solve_query(query, budget, Engine(given["table_mb"] * MIB)))
    limit = limit_of(result)
    out = whole_hand(query, result, first)
    if given["line"] and not limit:
        lines, limit = interruptible(lambda: _lines(query, budget, given["table_mb"]))
        if lines:
            out["line"] = lines if query.side is None else lines[side_name(query.side, query.position.n)]
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


def _lines(query: Query, budget: Budget, table_mb: int) -> tuple[dict[str, list[str]], LimitReached | None]:
    """One line of best play for the side, or one for each seat alone: those found before a limit, and the limit."""
    lines: dict[str, list[str]] = {}
    for side in query.sides:
        solver = Solver(table_mb)
        try:
            limits = budget.left()
            cards = solver.best_line(
                query.position, side, query.objective, timeout=limits.timeout, max_nodes=limits.max_nodes
            )
        except LimitReached as error:
            return lines, error
        budget.spend(solver.nodes)
        lines[side_name(side, query.position.n)] = [card_name(card) for card in cards]
    return lines, None


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
        out = whole_hand(query, result, first) | {"side": result.name}
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
    budget = budget_of(given)
    out, limit = interruptible(lambda: every_strain(asked, deal, budget, Engine(given["table_mb"] * MIB)))
    if given["as_json"]:
        click.echo(json.dumps(out))
    elif not limit or given["bounds"]:
        from tierce.cli import show

        first = asked.first_leader(len(deal.hands))
        show.strains(Position.start(deal, NOTRUMP, first), first, out)
    return told(limit)
