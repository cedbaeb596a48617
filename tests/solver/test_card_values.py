"""Values of cards and lines of play."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.brute.endings import random_ending
from tests.solver.support import OBJECTIVES, position, position_of, position_of_row, questions, rows
from tierce.solver.cards import mask_of, side_name
from tierce.solver.position import Position
from tierce.solver.query import taken_by
from tierce.solver.results import CardValues, Objective
from tierce.solver.solve import best_line, card_values, solve
from tierce.solver.solver import Solver

# ---- values of cards -------------------------------------------------------------------------------------------------


def check_card_values(at: Position, side: int, objective: Objective, solver: Solver) -> CardValues:
    solver.clear()
    found = solver.card_values(at, side, objective)
    inside = side >> at.mover & 1
    own = side if inside else (1 << at.n) - 1 & ~side
    assert (found.mover, found.side, found.n, found.objective) == (at.mover, own, at.n, objective)
    assert found.taken == taken_by(at, own)
    assert mask_of(value.card for value in found.cards) == at.legal()
    assert [value.card for value in found.cards] == sorted(
        (value.card for value in found.cards), key=lambda card: (card >> 4, -card)
    )
    for value in found.cards:
        fresh = solve(at.play(value.card), own, objective, table_mb=1)
        assert value.tricks == fresh.tricks, f"{at}, {side_name(own, at.n)}, {objective}, {value.card}"
        assert value.best == (value.tricks == found.best)
    assert found.best == solve(at, own, objective, table_mb=1).tricks
    assert found.best_cards == tuple(value.card for value in found.cards if value.best)
    assert found.best_cards
    return found


@pytest.mark.small
def test_card_values_equal_fresh_solves() -> None:
    """Every split and objective, at the lead and inside the trick, with tricks taken before."""
    solver = Solver(table_mb=1)
    for at, side, objective in questions(8, 120, 3):
        check_card_values(at, side, objective, solver)


def test_card_values_equal_fresh_solves_in_longer_endings() -> None:
    solver = Solver(table_mb=1)
    splits = [(n, side) for n in (3, 4) for side in range(1, (1 << n) - 1)]
    rng = random.Random(9)
    for n, side in splits:
        for objective in OBJECTIVES:
            for cards in (5, 6):
                ending = random_ending(rng, hands=n, cards=cards)
                check_card_values(position_of(ending), side, objective, solver)


@pytest.mark.small
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_forced_card(objective: Objective) -> None:
    """One legal card is worth what the position is."""
    solver, rng, forced = Solver(table_mb=1), random.Random(10), 0
    while forced < 40:
        ending = random_ending(rng, cards=rng.randint(1, 4))
        at = replace(position_of(ending), taken=(1,) * ending.seats)
        if at.legal().bit_count() == 1:
            forced += 1
            found = check_card_values(at, ending.side, objective, solver)
            assert len(found.cards) == 1
            assert found.cards[0].best


def test_touching_cards_are_grouped() -> None:
    def groups(at: Position) -> list[int]:
        return [value.group for value in card_values(at, "D").cards]

    assert groups(position("AKJ... Q32... T98...")) == [0, 0, 1]
    assert groups(position("AKJ... 532... T98...")) == [0, 0, 0]  # the queen is out of play
    assert groups(position("AKJ... 32... T9...", leader="E", trick="SQ S8")) == [0, 0, 1]
    assert groups(position("K.K2.. 3.43.. 4.A.6.")) == [0, 1, 2]


def test_a_mover_of_three_hands_stands_alone_unless_told() -> None:
    at = position("A2... K3... Q4...", leader="E")
    assert card_values(at).side == 0b010
    assert card_values(at, "EM").side == 0b110
    assert card_values(at, "D").side == 0b110  # the mover's part of the split
    four = position("A2... K3... Q4... J5...", leader="E")
    assert card_values(four).side == 0b1010


# ---- lines of play ---------------------------------------------------------------------------------------------------


def check_line(at: Position, side: int, objective: Objective, solver: Solver) -> None:
    solver.clear()
    line = solver.best_line(at, side, objective)
    assert len(line) == at.in_play.bit_count() - len(at.trick)
    value = solve(at, side, objective, table_mb=1).tricks
    end = at
    for card in line:
        assert solver.solve(end, side, objective).tricks == value
        end = end.play(card)
    assert end.left == 0
    assert taken_by(end, side) == value
    assert solver.best_line(at, side, objective) == line


@pytest.mark.small
def test_lines_reach_exactly_the_value() -> None:
    solver = Solver(table_mb=1)
    for at, side, objective in questions(11, 150, 3):
        check_line(at, side, objective, solver)


def test_lines_of_longer_deals() -> None:
    solver = Solver(16)
    for row in rows("fewest_values.jsonl")[:8]:
        for objective in OBJECTIVES:
            check_line(position_of_row(row), 0b010, objective, solver)


def test_a_line_is_the_same_from_cold_and_warm() -> None:
    at = position_of_row(rows("fewest_values.jsonl")[1])
    assert best_line(at, "D") == best_line(at, "D", table_mb=1)
