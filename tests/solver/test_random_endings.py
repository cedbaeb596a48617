"""Random endings against a brute force that shares nothing with the engine.

Endings go round every combination of hands, side, strain, objective, leader and cards on the table (540 with three
hands, 2,240 with four) before one comes twice; the decks have voids, long runs of touching cards, hands of low cards.
"""

from __future__ import annotations

import random

import pytest

from tests.brute.endings import Ending, all_combinations, endings, random_ending
from tests.solver.support import builds, chunks, objective_of, position_of
from tierce.solver.batch.many import solve_many
from tierce.solver.query import Query, pack
from tierce.solver.results import SideResult
from tierce.solver.search import RESULT
from tierce.solver.solver import Solver

SLOW = 20_000
PIECE = 2_500
SLOW_SEED = 20_000


def query_of(ending: Ending) -> Query:
    return Query(position_of(ending), ending.side, objective_of(ending))


def check_values(drawn: list[Ending]) -> None:
    """Through the way of asking that is fastest for many; the test of `solve_many` shows that all agree."""
    results = solve_many(map(query_of, drawn), threads=1, table_mb=8)
    for ending, result in zip(drawn, results, strict=True):
        assert isinstance(result, SideResult)
        assert result.tricks == ending.value(), str(ending)


def check_card_values(ending: Ending, solver: Solver) -> None:
    solver.clear()
    found = solver.card_values(position_of(ending), ending.side, objective_of(ending))
    inside = ending.side >> ending.mover & 1
    expected = {card: tricks if inside else ending.size - tricks for card, tricks in ending.card_values().items()}
    assert {each.card: each.tricks for each in found.cards} == expected, str(ending)
    best = min(expected.values()) if ending.fewest else max(expected.values())
    assert {each.card for each in found.cards if each.best} == {c for c, t in expected.items() if t == best}


@pytest.mark.small
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_small_endings_of_every_combination(cards: int) -> None:
    check_values(list(endings(cards, len(all_combinations()), cards=cards)))


@pytest.mark.parametrize("hands", [3, 4])
def test_endings(hands: int) -> None:
    check_values(list(endings(100 + hands, 700, hands=hands)))


def test_endings_with_a_table_of_one_mib() -> None:
    solver = Solver(table_mb=1)
    for ending in endings(5, 300):
        solver.clear()
        result = solver.solve(position_of(ending), ending.side, objective_of(ending))
        assert result.tricks == ending.value(), str(ending)


@pytest.mark.small
def test_endings_with_the_smallest_table() -> None:
    """64 blocks: new entries are sorted by their top cards from the sixteenth on, and old ones are soon replaced."""
    for name, build in builds().items():
        engine = build(0)
        for ending in endings(9, 500, cards=5):
            request = pack(position_of(ending), ending.side, objective_of(ending))
            found = RESULT.unpack(engine.run(request, cold=True))
            assert found[0] == found[1] == ending.value(), (name, str(ending))


@pytest.mark.small
def test_card_values_of_endings() -> None:
    solver = Solver(table_mb=1)
    for ending in endings(6, 250, cards=3):
        check_card_values(ending, solver)


def test_card_values_of_longer_endings() -> None:
    solver = Solver(table_mb=1)
    for ending in endings(7, 150):
        check_card_values(ending, solver)


def test_one_small_table_for_many_endings() -> None:
    """Entries of other positions serve, or are replaced: the answers stay right."""
    rng = random.Random(8)
    for hands, trump, side, fewest in [(3, 4, 1, True), (3, 0, 2, False), (4, 2, 5, False), (4, 4, 8, True)]:
        solver = Solver(table_mb=1)
        for combination in rng.sample(all_combinations(hands), 500):
            if (combination.trump, combination.side, combination.fewest) != (trump, side, fewest):
                continue
            for _ in range(20):
                ending = random_ending(rng, combination=combination)
                result = solver.solve(position_of(ending), ending.side, objective_of(ending))
                assert result.tricks == ending.value(), str(ending)
        assert solver.entries


@pytest.mark.slow
@pytest.mark.parametrize("piece", chunks(SLOW, PIECE), ids=lambda piece: f"{piece.start}-{piece.stop - 1}")
def test_twenty_thousand_endings(piece: range) -> None:
    check_values(list(endings(SLOW_SEED + piece.start, len(piece))))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_card_values_of_many_endings(seed: int) -> None:
    solver = Solver(table_mb=1)
    for ending in endings(900 + seed, 1_000):
        check_card_values(ending, solver)
