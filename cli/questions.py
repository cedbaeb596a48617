"""Questions put to the solver, as `tierce solve` puts them: about a deal and about the games of a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tierce.cli.exits import LIMIT, OK, complain
from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.cards import STRAINS, seat_letters, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.query import MIB, Limits, Query
from tierce.solver.results import Floors, SideResult, stopped
from tierce.solver.search import RESULT, Engine


def limits_of(given: dict[str, Any]) -> Limits:
    """The limits typed."""
    return Limits(given["timeout"], given["max_nodes"])


def solve_query(query: Query, limits: Limits, table_mb: int) -> SideResult | Floors:
    """The exact values, or what was proved when a limit stopped the search."""
    requests = query.requests(limits)
    data = Engine(table_mb * MIB).run(b"".join(requests), cold=True) if requests else b""
    return query.result(list(RESULT.iter_unpack(data)))


def whole_hand(query: Query, result: SideResult | Floors, first: int) -> Json:
    """`result_json`, with the leader of the first trick."""
    return result_json(query, result) | {"leader": seat_letters(query.position.n)[first]}


def every_strain(asked: Asked, deal: Deal, given: dict[str, Any], table_mb: int) -> tuple[Json, LimitReached | None]:
    """The answer by strain, and the limit that stopped a search, if one did."""
    table: dict[str, Json] = {}
    results = []
    for trump in STRAINS:
        query = asked.query_for(deal, trump)
        result = solve_query(query, limits_of(given), table_mb)
        out = result_json(query, result)
        table[trump_name(trump)] = out["tricks"] if result.complete else {"bounds": out["bounds"]}
        results.append(result)
    whole: Json = {
        "kind": results[0].kind,
        "objective": results[0].objective,
        "leader": seat_letters(len(deal.hands))[asked.first_leader(len(deal.hands))],
        "taken": out["taken"],
        "table": table,
    }
    limit = next((limit for result in results if (limit := limit_of(result))), None)
    if limit:
        whole["complete"] = False
    effort = {"nodes": sum(r.nodes for r in results), "millis": round(sum(r.millis for r in results), 3)}
    return whole | effort, limit


def limit_of(result: SideResult | Floors) -> LimitReached | None:
    """The limit that stopped the search, if one did; a cancelled search raises."""
    if result.complete:
        return None
    sides = (result,) if isinstance(result, SideResult) else result.sides
    error = stopped(next(side.stop for side in sides if not side.complete))
    if isinstance(error, LimitReached):
        return error
    raise error


def told(limit: LimitReached | None) -> int:
    """The exit code of an answer, after a word about the limit that stopped it."""
    if limit is None:
        return OK
    complain(str(limit))
    return LIMIT


def filled_in(asked: Asked, said: dict[str, str]) -> Asked:
    """The question typed and, where nothing was typed, what a file says."""
    missing: dict[str, Any] = {name: text for name, text in said.items() if not getattr(asked, name)}
    return replace(asked, **missing)
