"""Exact tricks: one call each.

    solve(position, "NS")     tricks of one side
    floors(position)          each seat alone against the others
    card_values(position)     every legal card of the player to move
    best_line(position)       one line of best play
    strain_table(deal)        every strain

A limit (`timeout` in seconds, `max_nodes`) covers one call. It raises LimitReached, with the bounds proved so far.
"""

from __future__ import annotations

from tierce.solver.cards import NOTRUMP, SEATS4, SUITS, Card, trump_name
from tierce.solver.deal import Deal
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, Answer, Limits, Query, pack, side_result, table_bytes
from tierce.solver.results import CardValues, Floors, Objective, SideResult
from tierce.solver.search import RESULT, Engine
from tierce.solver.solver import Solver

__all__ = ["best_line", "card_values", "floors", "solve", "strain_table"]


def solve(
    position: Position,
    side: int | str | None = None,
    objective: Objective = "most",
    *,
    at_least: int | None = None,
    at_most: int | None = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    bounds: bool = False,
    table_mb: int = DEFAULT_TABLE_MB,
) -> SideResult:
    """Tricks of a side with best play by all, every card seen.

    side        letters ("NS", "D") or mask of seats counted together; left out: N and S of four hands
    objective   "most": the side wants many tricks; "fewest": it wants few and the others make it take many
    at_least,   ask only whether the side gets that many: the result's bounds then lie on one side of the question
    at_most     (low >= at_least or high < at_least), and it is far cheaper
    bounds      at a limit return the bounds proved so far instead of raising LimitReached

    Raises InputError, LimitReached, and Cancelled never (nobody else holds this solver).
    """
    return Solver(table_mb).solve(
        position,
        side,
        objective,
        at_least=at_least,
        at_most=at_most,
        timeout=timeout,
        max_nodes=max_nodes,
        bounds=bounds,
    )


def floors(
    position: Position,
    objective: Objective = "most",
    *,
    timeout: float | None = None,
    max_nodes: int | None = None,
    bounds: bool = False,
    table_mb: int = DEFAULT_TABLE_MB,
    engine: Engine | None = None,
) -> Floors:
    """Every seat alone against the others: floors, or with "fewest" caps. One cold search a seat.

    `engine` (tierce.solver.search.Engine) serves in place of a new one; its table is emptied.
    """
    query = Query(position, None, objective)
    requests = query.requests(Limits(timeout, max_nodes))
    answers: list[Answer] = []
    size = table_bytes(table_mb)
    if requests:
        engine = Engine(size) if engine is None else engine
        answers = list(RESULT.iter_unpack(engine.run(b"".join(requests), cold=True)))
    result = query.result(answers)
    assert isinstance(result, Floors)
    if not bounds:
        _ = result.tricks  # raises if a limit came first
    return result


def card_values(
    position: Position,
    side: int | str | None = None,
    objective: Objective = "most",
    *,
    timeout: float | None = None,
    max_nodes: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
) -> CardValues:
    """The value of every legal card of the player to move, in whole-hand tricks of the mover's side.

    The mover's side is the part of the split (`side` and the others) that he belongs to; with three hands and no
    `side` he stands alone. With "fewest" everybody wants few tricks for his own side.
    """
    return Solver(table_mb).card_values(position, side, objective, timeout=timeout, max_nodes=max_nodes)


def best_line(
    position: Position,
    side: int | str | None = None,
    objective: Objective = "most",
    *,
    timeout: float | None = None,
    max_nodes: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
) -> tuple[Card, ...]:
    """One line of best play from the position to the end; the same every time."""
    return Solver(table_mb).best_line(position, side, objective, timeout=timeout, max_nodes=max_nodes)


def strain_table(
    deal: Deal,
    *,
    leader: int | None = None,
    objective: Objective = "most",
    timeout: float | None = None,
    max_nodes: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
) -> dict[str, dict[str, int]]:
    """Tricks by strain (S H D C N) and seat.

    Four hands: of each declarer, whose left neighbour leads and whose side (he and the seat opposite) counts: the
    table of bridge. Three hands: each seat's floor (or cap), `leader` (the eldest unless told) leading. The limits
    hold for each search alone.
    """
    table: dict[str, dict[str, int]] = {}
    engine = Engine(table_bytes(table_mb))
    limits = Limits(timeout, max_nodes)
    for trump in (*SUITS, NOTRUMP):
        if len(deal.hands) == 3:
            position = Position.start(deal, trump, leader)
            found = floors(position, objective, timeout=timeout, max_nodes=max_nodes, engine=engine).tricks
        else:
            found = _declarers(deal, trump, objective, limits, engine)
        table[trump_name(trump)] = found
    return table


def _declarers(deal: Deal, trump: int, objective: Objective, limits: Limits, engine: Engine) -> dict[str, int]:
    """A strain of the bridge table. With most tricks both sides play the same game, so one table serves four leaders;
    each value is the first guess of the next."""
    found: dict[int, int] = {}
    guess = -1
    for declarer in (0, 2, 1, 3):
        side = 0b0101 if objective == "most" or declarer % 2 == 0 else 0b1010
        if declarer == 0 or (declarer == 1 and objective == "fewest"):
            engine.clear()
            guess = -1
        position = Position(deal.hands, trump, (declarer + 1) % 4)
        request = pack(position, side, objective, limits, guess=guess)
        result = side_result(position, side, objective, RESULT.unpack(engine.run(request, cold=False)))
        guess = result.tricks
        found[declarer] = guess if side >> declarer & 1 else deal.size - guess
    return {SEATS4[declarer]: found[declarer] for declarer in range(4)}
