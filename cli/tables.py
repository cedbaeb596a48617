"""Answers by strain. All searches of a table spend one budget; where it ends, the table says what is proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tierce.cli.budget import Budget, solve_query
from tierce.cli.questions import limit_of
from tierce.solver.asking import Asked, Json
from tierce.solver.cards import SEATS4, STRAINS, seat_letters, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import Answer, pack, side_result
from tierce.solver.results import Floors, Objective, SideResult
from tierce.solver.search import RESULT, Engine

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
    results: list[SideResult] = []
    rows: list[Bounds] = []
    for trump in STRAINS:
        found = dict(_declarers(deal, trump, objective, budget, engine))
        results += found.values()
        rows.append({SEATS4[declarer]: _own(found[declarer], declarer, deal.size) for declarer in range(4)})
    return _table({"kind": "side", "objective": objective}, rows, results)


def _declarers(
    deal: Deal, trump: int, objective: Objective, budget: Budget, engine: Engine
) -> Iterator[tuple[int, SideResult]]:
    """With most tricks both sides play the same game, so one table serves four leaders; each value is the first guess
    of the next. With fewest each side plays a game of its own."""
    guess = -1
    for declarer in (0, 2, 1, 3):
        side = 0b0101 if objective == "most" or declarer % 2 == 0 else 0b1010
        if declarer == 0 or (declarer == 1 and objective == "fewest"):
            engine.clear()
            guess = -1
        position = Position(deal.hands, trump, (declarer + 1) % 4)
        answer: Answer = (0, deal.size, budget.stop, 0, 0, 0)
        if not answer[2]:
            request = pack(position, side, objective, budget.left(), guess=guess)
            answer = RESULT.unpack(engine.run(request, cold=False))
        result = side_result(position, side, objective, answer)
        budget.spend(result.nodes)
        guess = result.low if result.complete else -1
        yield declarer, result


def _own(result: SideResult, declarer: int, size: int) -> tuple[int, int]:
    """The bounds of the declarer's side, which is the one that was counted or the other."""
    inside = result.side >> declarer & 1
    return (result.low, result.high) if inside else (size - result.high, size - result.low)


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
