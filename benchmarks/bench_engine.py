"""Timings that can be compared between two commits: `pytest benchmarks -m "" --benchmark-autosave`."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.versus_dds import facts_three, random_hands, rows
from tierce.solver import Deal, Position, Query, card_values, solve_many
from tierce.solver.query import MIB, pack
from tierce.solver.search import Engine


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One engine for all: its table is emptied before each search."""
    return Engine(256 * MIB)


def test_bridge_boards(benchmark: Any, engine: Engine) -> None:
    """Thirty boards of 4 x 13."""
    data = b"".join(
        pack(Position(Deal.parse(row["pbn"]).hands, number % 5, number % 4), 0b0101, "most")
        for number, row in enumerate(rows("bridge_tables.jsonl")[:30])
    )
    benchmark.pedantic(lambda: engine.run(data, cold=True), rounds=5)


def test_three_hand_floors(benchmark: Any, engine: Engine) -> None:
    """Thirty floors of 3 x 16."""
    positions = [position for position, _, _ in facts_three()][:10]
    data = b"".join(pack(position, 1 << seat, "most") for position in positions for seat in range(3))
    benchmark.pedantic(lambda: engine.run(data, cold=True), rounds=5)


def test_card_values(benchmark: Any) -> None:
    """Every card of a 4 x 13 deal."""
    row = rows("bridge_tables.jsonl")[3]
    position = Position(Deal.parse(row["pbn"]).hands, 3, 0)
    benchmark.pedantic(lambda: card_values(position), rounds=5)


def test_endings_in_bulk(benchmark: Any) -> None:
    """A thousand endings of 8 cards, one thread."""
    rng = random.Random("endings")
    queries = [Query(Position(random_hands(rng, 4, 8, None), k % 5, k % 4), 0b0101) for k in range(1000)]
    benchmark.pedantic(lambda: list(solve_many(queries, threads=1)), rounds=5)
