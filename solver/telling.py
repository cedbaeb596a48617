"""Whole answers as the command and the service tell them: what was asked, what was found, and both as JSON values.

    solve_answer(asked, budget, engine, make_solver)     tricks, yes or no, lines of play, the cards that mattered
    cards_answer(query, first, budget, make_solver)      the value of every legal card

`make_solver` gives a solver with an empty table for each search that needs one, so that its maker can cancel it.
Nothing here raises at a limit but `cards_answer`, whose values say nothing until all are known: an answer has bounds,
and `limit` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from tierce.solver.asking import Json, result_json
from tierce.solver.budget import Budget, limit_of, solve_query
from tierce.solver.cards import Card, card_name, cards_of, seat_letters, side_name
from tierce.solver.errors import LimitReached
from tierce.solver.query import Query
from tierce.solver.results import CardValues, Floors, SideResult
from tierce.solver.search import Engine
from tierce.solver.solver import Solver

__all__ = ["CardsAnswer", "MakeSolver", "SolveAnswer", "SolveAsked", "cards_answer", "solve_answer"]

MakeSolver: TypeAlias = Callable[[], Solver]
_NO_LINES: Mapping[str, tuple[Card, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SolveAsked:
    """A question of `tierce solve`.

    first      the seat that leads, or led, the first trick
    at_least   ask only whether the side takes so many, or (at_most) so few; not both, and only about one side
    line       add one line of best play, of every seat where no side is named
    relevant   tell the cards whose rank mattered
    """

    query: Query
    first: int
    at_least: int | None = None
    at_most: int | None = None
    line: bool = False
    relevant: bool = False

    @property
    def need(self) -> int | None:
        """The tricks that the yes/no question is about: "at most K?" is "not K + 1 or more?"."""
        return self.at_least if self.at_most is None else self.at_most + 1


@dataclass(frozen=True, slots=True)
class SolveAnswer:
    """The answer to it.

    lines   one line of best play by side, those that were found before a limit
    limit   the limit that stopped a search, if one did
    """

    asked: SolveAsked
    result: SideResult | Floors
    lines: Mapping[str, tuple[Card, ...]] = field(default_factory=lambda: _NO_LINES)
    limit: LimitReached | None = None

    @property
    def yes(self) -> bool | None:
        """The answer to a yes/no question; None if there was none, or a limit came first."""
        need = self.asked.need
        if need is None or not isinstance(self.result, SideResult) or self.result.low < need <= self.result.high:
            return None
        return (self.result.low >= need) == (self.asked.at_most is None)

    def json(self) -> Json:
        """As JSON values."""
        asked, query = self.asked, self.asked.query
        out = result_json(query, self.result) | {"leader": seat_letters(query.position.n)[asked.first]}
        if asked.need is not None:
            return self._yes_json(out)
        if self.lines:
            lines = {side: [card_name(card) for card in cards] for side, cards in self.lines.items()}
            out["line"] = lines if query.side is None else lines[side_name(query.side, query.position.n)]
        if asked.relevant and self.result.complete:
            out["relevant"] = _relevant(self.result)
        return out

    def _yes_json(self, out: Json) -> Json:
        assert isinstance(self.result, SideResult)
        out |= {"side": self.result.name}
        if self.yes is not None:
            for name in ("tricks", "complete", "bounds"):  # no more than was asked
                out.pop(name, None)
        asked = self.asked
        out |= {"at_least": asked.at_least} if asked.at_most is None else {"at_most": asked.at_most}
        return out if self.yes is None else out | {"answer": self.yes}


def _relevant(result: SideResult | Floors) -> Json | list[str]:
    if isinstance(result, SideResult):
        return [card_name(card) for card in cards_of(result.relevant)]
    return {side.name: [card_name(card) for card in cards_of(side.relevant)] for side in result.sides}


def solve_answer(asked: SolveAsked, budget: Budget, engine: Engine, make_solver: MakeSolver) -> SolveAnswer:
    """Ask the engine, or for a yes/no question and for lines a solver. InputError, Cancelled."""
    if asked.need is not None:
        return _yes_or_no(asked, budget, make_solver)
    result = solve_query(asked.query, budget, engine)
    limit = limit_of(result)
    lines: Mapping[str, tuple[Card, ...]] = _NO_LINES
    if asked.line and limit is None:
        lines, limit = _lines(asked.query, budget, make_solver)
    return SolveAnswer(asked, result, lines, limit)


def _yes_or_no(asked: SolveAsked, budget: Budget, make_solver: MakeSolver) -> SolveAnswer:
    query = asked.query
    assert query.side is not None
    limits = budget.left()
    result = make_solver().solve(
        query.position,
        query.side,
        query.objective,
        at_least=asked.at_least,
        at_most=asked.at_most,
        timeout=limits.timeout,
        max_nodes=limits.max_nodes,
        bounds=True,
    )
    found = SolveAnswer(asked, result)
    return found if found.yes is not None else SolveAnswer(asked, result, limit=limit_of(result))


def _lines(
    query: Query, budget: Budget, make_solver: MakeSolver
) -> tuple[Mapping[str, tuple[Card, ...]], LimitReached | None]:
    """One line of best play for the side, or one for each seat alone: those found before a limit, and the limit."""
    lines: dict[str, tuple[Card, ...]] = {}
    for side in query.sides:
        solver = make_solver()
        try:
            limits = budget.left()
            cards = solver.best_line(
                query.position, side, query.objective, timeout=limits.timeout, max_nodes=limits.max_nodes
            )
        except LimitReached as error:
            return lines, error
        budget.spend(solver.nodes)
        lines[side_name(side, query.position.n)] = cards
    return lines, None


@dataclass(frozen=True, slots=True)
class CardsAnswer:
    """The answer of `tierce cards`.

    values   of every legal card of the mover
    seats    by seat letter every seat's tricks after each card, if they were asked for
    """

    query: Query
    first: int
    values: CardValues
    seats: Mapping[str, Mapping[Card, int]]

    def json(self) -> Json:
        """As JSON values."""
        position, values = self.query.position, self.values
        letters = seat_letters(position.n)
        cards = []
        for value in values.cards:
            entry: Json = {"card": card_name(value.card), "tricks": value.tricks, "best": value.best}
            if self.seats:
                entry["seats"] = {seat: worths[value.card] for seat, worths in self.seats.items()}
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


def cards_answer(
    query: Query, first: int, budget: Budget, make_solver: MakeSolver, *, all_seats: bool = False
) -> CardsAnswer:
    """The value of every legal card of the mover, and what each leaves every seat. InputError, LimitReached, Cancelled.

    Three hands without a side: the mover stands alone.
    """
    own = query.side if query.side is not None else 1 << query.position.mover
    values = _values(query, own, budget, make_solver)
    seats = _every_seat(query, values, own, budget, make_solver) if all_seats else {}
    return CardsAnswer(query, first, values, seats)


def _values(query: Query, side: int, budget: Budget, make_solver: MakeSolver) -> CardValues:
    limits = budget.left()
    values = make_solver().card_values(
        query.position, side, query.objective, timeout=limits.timeout, max_nodes=limits.max_nodes
    )
    budget.spend(values.nodes)
    return values


def _every_seat(
    query: Query, known: CardValues, known_side: int, budget: Budget, make_solver: MakeSolver
) -> dict[str, dict[Card, int]]:
    """The floor of every seat after each card, whoever moves."""
    seats: dict[str, dict[Card, int]] = {}
    total = query.position.tricks
    for seat, letter in enumerate(seat_letters(query.position.n)):
        side = 1 << seat
        values = known if side == known_side else _values(query, side, budget, make_solver)
        own = values.side == side
        seats[letter] = {value.card: value.tricks if own else total - value.tricks for value in values.cards}
    return seats
