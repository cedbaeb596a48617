"""Questions to the engine and its answers, packed and unpacked in one place for every way of asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from tierce.solver.cards import parse_side
from tierce.solver.checks import check_type, check_whole, is_number, is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.results import Floors, Objective, SideResult
from tierce.solver.search import NO_CARD, REQUEST

__all__ = [
    "DEFAULT_TABLE_MB",
    "MIB",
    "NO_LIMITS",
    "Answer",
    "Limits",
    "Query",
    "pack",
    "side_mask",
    "side_result",
    "table_bytes",
    "taken_by",
    "tricks_asked",
]

DEFAULT_TABLE_MB: Final = 256
MIB: Final = 1 << 20
TABLE_MB_MAX: Final = 1 << 18
TIMEOUT_MAX: Final = 1e9  # seconds; nanoseconds of it fit the engine's 64 bits
NODES_MAX: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up: seconds, below 1e9, and nodes, below 2**63; None is no limit.

    Anything else: InputError (code and field "timeout" or "max_nodes").
    """

    timeout: float | None = None
    max_nodes: int | None = None

    def __post_init__(self) -> None:
        timeout, nodes = self.timeout, self.max_nodes
        if timeout is not None and not (is_number(timeout) and 0 < timeout < TIMEOUT_MAX):
            message = f"expected seconds above 0 and below {TIMEOUT_MAX:g}, found {quoted(timeout)}"
            raise InputError("timeout", message, field="timeout")
        if nodes is not None:
            check_whole(nodes, 1, NODES_MAX, "a whole number of nodes, 1 or more and below 2**63", "max_nodes")


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Query:
    """One question: the tricks of `side` (mask), or with None of every seat alone.

    InputError (code and field "side" or "objective").
    """

    position: Position
    side: int | None = None
    objective: Objective = "most"

    def __post_init__(self) -> None:
        check_type(self.position, Position, "a Position")
        check_objective(self.objective)
        if self.side is not None:
            n = self.position.n
            check_whole(self.side, 1, (1 << n) - 2, f"a side of 1 to {n - 1} of the {n} seats", "side")

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides to solve for, one search each."""
        return (self.side,) if self.side is not None else tuple(1 << seat for seat in range(self.position.n))

    def requests(self, limits: Limits) -> list[bytes]:
        """Packed requests to the engine: none if the hand is over."""
        if not self.position.left:
            return []
        return [
            pack(self.position, side, self.objective, limits, joined=bool(number))
            for number, side in enumerate(self.sides)
        ]

    def result(self, answers: list[Answer]) -> SideResult | Floors:
        """The engine's answers to `requests`, put together."""
        if not self.position.left:
            answers = [(0, 0, 0, 0, 0, 0)] * len(self.sides)
        results = tuple(
            side_result(self.position, side, self.objective, answer)
            for side, answer in zip(self.sides, answers, strict=True)
        )
        return results[0] if self.side is not None else Floors(results, self.position.tricks)


def check_objective(objective: object) -> None:
    """Refuse what is neither "most" nor "fewest"."""
    if not (isinstance(objective, str) and objective in ("most", "fewest")):
        raise InputError("objective", f"expected 'most' or 'fewest', found {quoted(objective)}", field="objective")


Answer = tuple[int, int, int, int, int, int]  # low, high, stop, relevant, nodes, nanoseconds


def pack(
    position: Position,
    side: int,
    objective: Objective,
    limits: Limits = NO_LIMITS,
    *,
    low: int = 0,
    high: int | None = None,
    guess: int = -1,
    joined: bool = False,
) -> bytes:
    """A request to the engine: the tricks of `side` still to come, between `low` and `high`."""
    hands, trick = position.hands, position.trick
    n = len(hands)
    return REQUEST.pack(
        *hands,
        *(0,) * (4 - n),
        *trick,
        *(NO_CARD,) * (4 - len(trick)),
        n,
        position.trump,
        position.leader,
        side if objective == "most" else (1 << n) - 1 & ~side,
        side,
        low,
        position.left if high is None else high,
        guess,
        joined,
        limits.max_nodes or 0,
        0 if limits.timeout is None else max(1, int(limits.timeout * 1e9)),
    )


def side_result(position: Position, side: int, objective: Objective, answer: Answer) -> SideResult:
    """An answer of the engine in tricks of the whole hand."""
    low, high, stop, relevant, nodes, nanoseconds = answer
    taken = taken_by(position, side)
    kind: Literal["floor", "cap", "side"] = "side"
    if not side & (side - 1):
        if objective == "fewest":
            kind = "cap"
        elif position.n == 3:
            kind = "floor"
    return SideResult(
        kind,
        side,
        position.n,
        objective,
        low + taken,
        high + taken,
        taken,
        nodes,
        nanoseconds / 1e6,
        relevant,
        stop,
    )


def side_mask(side: int | str | None, position: Position) -> int:
    """A side given as mask, letters or nothing: then N and S of four hands. A mask is for Query to check."""
    check_type(position, Position, "a Position")
    if side is None:
        if position.n == 3:
            message = "expected a side, such as D or EM; floors() solves for every seat"
            raise InputError("side", message, field="side")
        return 0b0101
    return parse_side(side, position.n) if isinstance(side, str) else side


def tricks_asked(position: Position, side: int, at_least: int | None, at_most: int | None) -> int | None:
    """Of a yes/no question: does the side get so many of the tricks to come? None if neither number is given.

    "At most K?" is answered by "at least K + 1?". The number may be below 1 or above the tricks left.
    """
    if at_least is None and at_most is None:
        return None
    if at_least is not None and at_most is not None:
        raise InputError("at_least", "expected at_least or at_most, found both", field="at_least")
    name, found = ("at_most", at_most) if at_least is None else ("at_least", at_least)
    if not is_whole(found) or found < 0:
        raise InputError(name, f"expected a number of tricks, found {quoted(found)}", field=name)
    return found + (at_least is None) - taken_by(position, side)


def table_bytes(table_mb: int) -> int:
    """The bytes of a table given in MiB. InputError (field "table_mb")."""
    check_whole(table_mb, 1, TABLE_MB_MAX, f"MiB for the table, from 1 to {TABLE_MB_MAX}", "table_mb")
    return table_mb * MIB


def taken_by(position: Position, side: int) -> int:
    """Tricks that a side has taken."""
    return sum([tricks for seat, tricks in enumerate(position.taken) if side >> seat & 1])
