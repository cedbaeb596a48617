"""Answers by strain. All searches of a table spend one budget; where it ends, the table says what is proved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tierce.solver.asking import Asked, Json
from tierce.solver.budget import Budget, limit_of, solve_query
from tierce.solver.cards import STRAINS, seat_letters, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.results import Floors, Objective, SideResult
from tierce.solver.search import Engine
from tierce.solver.solve import declarer_entries

__all__ = ["every_declarer", "every_strain"]

Bounds = dict[str, tuple[int, int]]  # by seat or side


def every_strain(asked: Asked, deal: Deal, budget: Budget, engine: Engine) -> tuple[Json, LimitReached | None]:
    """What is asked, for every strain; and the limit that stopped a search, if one did."""
    results = [solve_query(asked.query_for(deal, trump), budget, engine) for trump in STRAINS]
    letters = seat_letters(len(deal.hands))
    head: Json = {
        "kind": results[0].kind,
        "objective": results[0].objective,
        "leader": letters[asked.first_leader(len(deal.hands))],
        "taken": _taken(results[0]),
    }
    return _table(head, map(_bounds, results), results)


def every_declarer(
    deal: Deal, objective: Objective, budget: Budget, engine: Engine
) -> tuple[Json, LimitReached | None]:
    """The table of bridge: the tricks of each declarer and the seat opposite, his left neighbour leading."""
    entries = list(declarer_entries(deal, objective, budget.left(), engine))
    rows: dict[int, Bounds] = {trump: {} for trump in STRAINS}
    for trump, seat, result in entries:
        rows[trump][seat] = result.low, result.high
    return _table({"kind": "side", "objective": objective}, rows.values(), [result for _, _, result in entries])


def _taken(result: SideResult | Floors) -> dict[str, int]:
    return {result.name: result.taken} if isinstance(result, SideResult) else result.taken


def _bounds(result: SideResult | Floors) -> Bounds:
    return {result.name: (result.low, result.high)} if isinstance(result, SideResult) else result.bounds


def _table(
    head: Json, rows: Iterable[Bounds], results: Sequence[SideResult | Floors]
) -> tuple[Json, LimitReached | None]:
    """The answer: tricks by strain, `{"bounds": ...}` for a strain that is not known, and what all of it took."""
    out = head | {"table": {trump_name(trump): _row(row) for trump, row in zip(STRAINS, rows, strict=True)}}
    limit = next((limit for result in results if (limit := limit_of(result))), None)
    if limit:
        out["complete"] = False
    nodes, millis = sum(r.nodes for r in results), sum(r.millis for r in results)
    return out | {"nodes": nodes, "millis": round(millis, 3)}, limit


def _row(row: Bounds) -> Json:
    if all(low == high for low, high in row.values()):
        return {name: low for name, (low, _) in row.items()}
    return {"bounds": {name: list(pair) for name, pair in row.items()}}
