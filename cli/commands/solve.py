"""`tierce solve`: one deal, a PBN file, or JSON lines."""

from __future__ import annotations

import json
from typing import Any

import click

from tierce.cli.exits import LIMIT, OK, interruptible
from tierce.cli.options import json_option, limit_options, one_deal, question_options
from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.cards import NOTRUMP, SUITS, card_name, cards_of, seat_letters, side_name, trump_name
from tierce.solver.position import Position
from tierce.solver.query import MIB, Limits, Query
from tierce.solver.results import Floors, SideResult, stopped
from tierce.solver.search import RESULT, Engine
from tierce.solver.solver import Solver

_HELP = """\b
Exact tricks with best play by all, every card seen.

\b
  tierce solve "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T." \\
      --trump S --discard ".87..Q4"
  tierce solve "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --side NS --leader E
  tierce solve "D:.9.T8.T A.5.7.Q T.J.A.K"               every strain
  tierce solve --batch deals.jsonl > results.jsonl       many deals, all cores, - for stdin
  tierce solve --pbn session.pbn --table                 every deal of a PBN file

Three hands without --side: each seat's floor, fair share and ceiling.
"""


@click.command("solve", help=_HELP, short_help="Exact tricks for a deal.")
@question_options
@click.option("--at-least", type=click.IntRange(0), metavar="K", help="Ask only: does the side take K or more?")
@click.option("--at-most", type=click.IntRange(0), metavar="K", help="Ask only: does the side take K or fewer?")
@click.option("--line", is_flag=True, help="Add one line of best play.")
@click.option("--relevant", is_flag=True, help="List the cards whose rank mattered.")
@click.option("--batch", type=click.Path(), metavar="FILE", help="JSON lines in, JSON lines out; - for stdin.")
@click.option("--pbn", type=click.Path(), metavar="FILE", help="Solve every deal of a PBN file; - for stdin.")
@click.option("--table", is_flag=True, help="With --pbn: every strain and seat.")
@click.option("--bounds", is_flag=True, help="At a limit, print what is proved so far.")
@click.option("--threads", type=click.IntRange(1), metavar="N", help="Threads for many deals (default: all cores).")
@limit_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    sources = [name for name in ("deal", "batch", "pbn") if given[name] is not None]
    if len(sources) > 1:
        raise click.UsageError(f"expected one of a deal, --batch and --pbn, found {' and '.join(sources)}")
    if given["at_least"] is not None and given["at_most"] is not None:
        raise click.UsageError("expected --at-least or --at-most, found both")
    asked = Asked(
        deal="" if sources != ["deal"] else one_deal(given["deal"]),
        **{name: given[name] for name in ("trump", "discard", "leader", "dealer", "side", "objective", "play")},
        kitty_first=given["kitty_first"],
    )
    if given["batch"] is not None or given["pbn"] is not None:
        from tierce.cli.commands import bulk

        return bulk.batch(given) if given["batch"] is not None else bulk.pbn(asked, given)
    one_deal(given["deal"] if given["deal"] != "-" else "")
    if given["table"]:
        raise click.UsageError("--table goes with --pbn; without --trump every strain is solved")
    if asked.trump is None:
        return _every_strain(asked, given)
    return _one(asked, given)


def limits_of(given: dict[str, Any]) -> Limits:
    """The limits typed."""
    return Limits(given["timeout"], given["max_nodes"])


def solve_query(query: Query, given: dict[str, Any]) -> SideResult | Floors:
    """The exact values, in a thread so that Ctrl-C is heard."""

    def work() -> SideResult | Floors:
        engine = Engine(given["table_mb"] * MIB)
        requests = query.requests(limits_of(given))
        data = engine.run(b"".join(requests), cold=True) if requests else b""
        return query.result(list(RESULT.iter_unpack(data)))

    return interruptible(work)


def _one(asked: Asked, given: dict[str, Any]) -> int:
    query = asked.query()
    if given["at_least"] is not None or given["at_most"] is not None:
        return _yes_or_no(query, asked, given)
    result = solve_query(query, given)
    if not result.complete and not given["bounds"]:
        side = result if isinstance(result, SideResult) else next(s for s in result.sides if not s.complete)
        raise stopped(side.stop)
    first = asked.first_leader(query.position.n)
    out = result_json(query, result)
    out["leader"] = seat_letters(query.position.n)[first]
    if given["line"] and result.complete:
        out["line"] = _lines(query, given)
    if given["relevant"]:
        out["relevant"] = _relevant(result)
    if given["as_json"]:
        click.echo(json.dumps(out))
    else:
        from tierce.cli import show

        show.solved(query, first, result, out)
    return OK if result.complete else LIMIT


def _relevant(result: SideResult | Floors) -> Json | list[str]:
    if isinstance(result, SideResult):
        return [card_name(card) for card in cards_of(result.relevant)]
    return {side.name: [card_name(card) for card in cards_of(side.relevant)] for side in result.sides}


def _lines(query: Query, given: dict[str, Any]) -> Json | list[str]:
    """One line of best play for the side, or one for each seat alone."""

    def line(side: int) -> list[str]:
        solver = Solver(given["table_mb"])
        cards = solver.best_line(query.position, side, query.objective, timeout=given["timeout"])
        return [card_name(card) for card in cards]

    if query.side is not None:
        return interruptible(lambda: line(query.sides[0]))
    n = query.position.n
    return interruptible(lambda: {side_name(side, n): line(side) for side in query.sides})


def _yes_or_no(query: Query, asked: Asked, given: dict[str, Any]) -> int:
    if query.side is None:
        raise click.UsageError("--at-least and --at-most ask about one side of three hands: name it with --side")
    position, side = query.position, query.side
    solver = Solver(given["table_mb"])
    at_least, at_most = given["at_least"], given["at_most"]
    result = interruptible(
        lambda: solver.solve(
            position,
            side,
            query.objective,
            at_least=at_least,
            at_most=at_most,
            timeout=given["timeout"],
            max_nodes=given["max_nodes"],
        )
    )
    answer = result.low >= at_least if at_least is not None else result.high <= at_most
    if given["as_json"]:
        out = result_json(query, result)
        for name in ("tricks", "complete", "bounds"):
            out.pop(name, None)
        out["leader"] = seat_letters(position.n)[asked.first_leader(position.n)]
        out |= {"at_least": at_least} if at_least is not None else {"at_most": at_most}
        click.echo(json.dumps(out | {"answer": answer}))
    else:
        from tierce.cli import show

        show.yes_or_no(query, asked.first_leader(position.n), result, at_least, at_most, answer)
    return OK


def _every_strain(asked: Asked, given: dict[str, Any]) -> int:
    for name in ("at_least", "at_most", "line", "relevant"):
        if given[name] not in (None, False):
            raise click.UsageError(f"--{name.replace('_', '-')} needs a --trump")
    deal = asked.played_deal()
    table: dict[str, Json] = {}
    nodes, millis = 0, 0.0
    unfinished = False
    for trump in (*SUITS, NOTRUMP):
        query = asked.query_for(deal, trump)
        result = solve_query(query, given)
        if not result.complete and not given["bounds"]:
            side = result if isinstance(result, SideResult) else next(s for s in result.sides if not s.complete)
            raise stopped(side.stop)
        out = result_json(query, result)
        unfinished |= not result.complete
        table[trump_name(trump)] = out.get("tricks") or {"bounds": out["bounds"]}
        nodes += result.nodes
        millis += result.millis
    first = asked.first_leader(len(deal.hands))
    if given["as_json"]:
        whole = {
            "kind": result.kind,
            "objective": query.objective,
            "leader": seat_letters(len(deal.hands))[first],
            "table": table,
        }
        if unfinished:
            whole["complete"] = False
        click.echo(json.dumps(whole | {"nodes": nodes, "millis": round(millis, 3)}))
    else:
        from tierce.cli import show

        show.strains(Position.start(deal, NOTRUMP, first), first, result.kind, table, nodes, millis)
    return LIMIT if unfinished else OK
