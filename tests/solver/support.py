"""What several test files of the solver share: data files, random endings, a hard deal, faults."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from tests.brute.endings import Ending, endings
from tierce.solver.cards import parse_hand, parse_seat, parse_trump
from tierce.solver.checks import quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.search import _engine
from tierce.solver.search._engine import Engine
from tierce.solver.solve import best_line, card_values, solve

DATA: Final = Path(__file__).parents[1] / "data"
FAST: Final = 0.05  # seconds within which a search must stop
SLACK: Final = 0.03  # seconds for the machine's own delays: two cores, other work
OBJECTIVES: Final[tuple[Objective, Objective]] = ("most", "fewest")

ASKS: Final[tuple[Callable[..., object], ...]] = (solve, card_values, best_line)

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    """The objects of a data file with one in each line."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def chunks(count: int, size: int) -> list[range]:
    """0 ... count - 1 in pieces of `size`."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def position_of_row(row: Row) -> Position:
    """The start of play of a row with deal, trump, leader and, where there is a kitty, discard."""
    deal = Deal.parse(row["deal"])
    discard = parse_hand(row["discard"]) if "discard" in row else None
    played = deal.with_discard(discard)
    return Position.start(played, parse_trump(row["trump"]), parse_seat(row["leader"], len(deal.hands)))


def position_of(ending: Ending) -> Position:
    """The position of a random ending, no tricks taken before."""
    return Position(ending.hands, ending.trump, ending.leader, ending.trick)


def objective_of(ending: Ending) -> Objective:
    return "fewest" if ending.fewest else "most"


def position(hands: str, trump: str = "N", leader: str = "", trick: str = "", taken: tuple[int, ...] = ()) -> Position:
    """Hands divided by blanks as now held; `leader` (D or N unless told) led the first of the cards on the table."""
    masks = tuple(map(parse_hand, hands.split()))
    cards = tuple("SHDC".index(name[0]) * 16 + "23456789TJQKA".index(name[1]) for name in trick.split())
    return Position(masks, parse_trump(trump), parse_seat(leader, len(masks)) if leader else 0, cards, taken)


TWO_EACH: Final = position("A2... K3... Q4...")  # no trump, D leads: D takes SA, then S2 loses


def questions(seed: int, count: int, cards: int | None = None) -> Iterator[tuple[Position, int, Objective]]:
    """Positions of random endings, with tricks taken before, and what is asked."""
    rng = random.Random(seed)
    for ending in endings(seed, count, cards=cards):
        taken = tuple(rng.randrange(4) for _ in range(ending.seats))
        yield replace(position_of(ending), taken=taken), ending.side, objective_of(ending)


def fault(ask: Callable[[], object]) -> tuple[str, str | None, str]:
    """Code, field and message of the InputError that the call raises."""
    with pytest.raises(InputError) as caught:
        ask()
    return caught.value.code, caught.value.field, caught.value.message


def repr_of(value: object) -> str:
    """A name for a parametrized test, short whatever the value."""
    return quoted(value)[:30]


def hard() -> Position:
    """A question that nothing here answers in time: with `fewest`, 17 cards a hand and no trump."""
    deal = Deal.parse(rows("three_hand_floors.jsonl")[49]["deal"])
    return Position.start(deal.with_discard(None), 4)


def builds() -> dict[str, type[Engine]]:
    """The engine of every build that this processor runs, by the name of its CPU path."""
    found: dict[str, type[Engine]] = {"baseline": _engine.Engine}
    if find_spec("tierce.solver.search._engine_v3") and _engine.cpu_supports_v3():
        found["v3"] = import_module("tierce.solver.search._engine_v3").Engine
    return found


def playouts(start: Position, cards: Iterator[int]) -> Iterator[Position]:
    """The positions of one playout to the end; each number of `cards` picks among the legal cards."""
    yield start
    while start.left:
        legal = [card for card in range(64) if start.legal() >> card & 1]
        start = start.play(legal[next(cards) % len(legal)])
        yield start
