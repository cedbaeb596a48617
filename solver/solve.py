"""Exact tricks: one call each.

    solve(position, "NS")     tricks of one side
    floors(position)          each seat alone against the others
    card_values(position)     every legal card of the player to move
    best_line(position)       one line of best play
    strain_table(deal)        every strain

A limit (`timeout` in seconds, `max_nodes`) covers one call. It raises LimitReached: of `solve`, `floors` and
`strain_table` with the bounds proved so far; what `card_values` and `best_line` have by then says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from tierce.solver.cards import SEATS4, STRAINS, Card, trump_name
from tierce.solver.checks import check_type, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import (
    DEFAULT_TABLE_MB,
    Answer,
    Limits,
    Query,
    check_objective,
    pack,
    side_result,
    table_bytes,
)
from tierce.solver.results import CardValues, Floors, Objective, SideResult, stopped
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
    table of bridge, where no other `leader` can be told. Three hands: each seat's floor (or cap), `leader` (the
    eldest unless told) leading.

    The limits hold for the whole table. The bounds of LimitReached are by strain and seat, {"S D": (3, 5), ...}; of
    an entry that is known both are its value.
    """
    check_type(deal, Deal, "a Deal")
    check_objective(objective)
    four = len(deal.hands) == 4
    if four and leader is not None:
        expected = "expected no leader for a table of four hands, where the seat left of each declarer leads"
        raise InputError("leader", f"{expected}, found {quoted(leader)}", field="leader")
    limits = Limits(timeout, max_nodes)
    engine = Engine(table_bytes(table_mb))
    found = (
        declarer_entries(deal, objective, limits, engine) if four else _seats(deal, leader, objective, limits, engine)
    )
    table: dict[str, dict[str, int]] = {trump_name(trump): {} for trump in STRAINS}
    bounds: dict[str, tuple[int, int]] = {}
    stop = 0
    for trump, seat, result in found:
        table[trump_name(trump)][seat] = result.low
        bounds[f"{trump_name(trump)} {seat}"] = result.low, result.high
        stop = stop or result.stop
    if stop:
        raise stopped(stop, bounds)
    return table


Entry: TypeAlias = tuple[int, str, SideResult]  # trump, seat, and what it takes


def _seats(deal: Deal, leader: int | None, objective: Objective, limits: Limits, engine: Engine) -> list[Entry]:
    """The floors or caps of three hands in every strain: searches joined to one, as those of `floors`."""
    asked = [(Position.start(deal, trump, leader), 1 << seat) for trump in STRAINS for seat in range(3)]
    requests = [
        pack(position, side, objective, limits, joined=bool(number)) for number, (position, side) in enumerate(asked)
    ]
    answers = RESULT.iter_unpack(engine.run(b"".join(requests), cold=True))
    results = [side_result(*question, objective, answer) for question, answer in zip(asked, answers, strict=True)]
    return [(position.trump, result.name, result) for (position, _), result in zip(asked, results, strict=True)]


def declarer_entries(deal: Deal, objective: Objective, limits: Limits, engine: Engine) -> Iterator[Entry]:
    """The table of bridge. With most tricks both sides play the same game, so one table serves the four leaders of a
    strain; each value is the first guess of the next. The searches are joined to one under the limits."""
    first = True
    for trump in STRAINS:
        found: dict[int, SideResult] = {}
        guess = -1
        for declarer in (0, 2, 1, 3):
            side = 0b0101 if objective == "most" or declarer % 2 == 0 else 0b1010
            if declarer == 0 or (declarer == 1 and objective == "fewest"):
                engine.clear()
                guess = -1
            position = Position(deal.hands, trump, (declarer + 1) % 4)
            request = pack(position, side, objective, limits, guess=guess, joined=not first)
            result = side_result(position, side, objective, RESULT.unpack(engine.run(request, cold=False)))
            first = False
            guess = result.low if result.complete else -1
            found[declarer] = result if side >> declarer & 1 else _of_the_others(result, deal.size)
        yield from ((trump, SEATS4[declarer], found[declarer]) for declarer in range(4))


def _of_the_others(result: SideResult, total: int) -> SideResult:
    """The same answer, told as the tricks of the seats outside the side."""
    return replace(result, side=0b1111 & ~result.side, low=total - result.high, high=total - result.low)
