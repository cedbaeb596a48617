"""Asking: solve, floors, card values, lines, tables, the reusable solver; limits, cancelling, results, errors."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.brute.endings import endings, random_ending
from tests.solver.support import (
    OBJECTIVES,
    hard,
    objective_of,
    position,
    position_of,
    position_of_row,
    rows,
)
from tierce.solver.cards import mask_of, parse_cards, side_name
from tierce.solver.deal import Deal
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query, taken_by
from tierce.solver.results import CardValues, Objective, SideResult
from tierce.solver.search import STOP_NODES, STOP_TIME, Engine
from tierce.solver.solve import best_line, card_values, floors, solve, strain_table
from tierce.solver.solver import Solver

FAST = 0.05  # seconds within which a search must stop
SLACK = 0.03  # seconds for the machine's own delays: two cores, other work
ASKS: tuple[Callable[..., object], ...] = (solve, card_values, best_line)

TWO_EACH = position("A2... K3... Q4...")  # no trump, D leads: D takes SA, then S2 loses


def fault(ask: Callable[[], object]) -> tuple[str, str | None, str]:
    with pytest.raises(InputError) as caught:
        ask()
    return caught.value.code, caught.value.field, caught.value.message


def questions(seed: int, count: int, cards: int | None = None) -> Iterator[tuple[Position, int, Objective]]:
    """Positions of random endings, with tricks taken before, and what is asked."""
    rng = random.Random(seed)
    for ending in endings(seed, count, cards=cards):
        taken = tuple(rng.randrange(4) for _ in range(ending.seats))
        yield replace(position_of(ending), taken=taken), ending.side, objective_of(ending)


# ---- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.small
def test_a_deal_that_is_plain_to_see() -> None:
    result = solve(TWO_EACH, "D")
    assert (result.tricks, result.low, result.high, result.complete) == (1, 1, 1, True)
    assert (result.kind, result.name, result.taken, result.stop) == ("floor", "D", 0, 0)
    assert solve(TWO_EACH, "EM").tricks == 1
    assert floors(TWO_EACH).tricks == {"D": 1, "E": 1, "M": 0}
    assert best_line(TWO_EACH, "D") == parse_cards("S2 S3 S4 SQ SA SK")


@pytest.mark.parametrize(
    ("hands", "side", "objective", "kind"),
    [
        (3, "D", "most", "floor"),
        (3, "DE", "most", "side"),
        (3, "M", "fewest", "cap"),
        (3, "EM", "fewest", "side"),
        (4, "NS", "most", "side"),
        (4, "N", "most", "side"),
        (4, "N", "fewest", "cap"),
        (4, "NES", "fewest", "side"),
    ],
)
def test_results_say_what_they_are(hands: int, side: str, objective: Objective, kind: str) -> None:
    at = position("A... K... Q... J..." if hands == 4 else "A... K... Q...")
    result = solve(at, side, objective)
    assert (result.kind, result.name, result.n, result.objective) == (kind, side, hands, objective)


def test_sides_may_be_letters_or_masks() -> None:
    at = position("A2... K3... Q4... J5...")
    assert solve(at, "sn").side == solve(at, 0b0101).side == solve(at).side == 0b0101
    assert solve(at, "WN").name == "NW"


@pytest.mark.small
def test_tricks_taken_count() -> None:
    for at, side, objective in questions(1, 200, 3):
        bare = solve(replace(at, taken=()), side, objective, table_mb=1)
        result = solve(at, side, objective, table_mb=1)
        assert result.taken == taken_by(at, side)
        assert result.tricks == bare.tricks + result.taken
        assert (result.nodes, result.relevant) == (bare.nodes, bare.relevant)


@pytest.mark.small
def test_a_side_and_the_others_share_the_tricks() -> None:
    for at, side, objective in questions(2, 200, 4):
        others = (1 << at.n) - 1 & ~side
        found = solve(at, side, objective, table_mb=1).tricks + solve(at, others, objective, table_mb=1).tricks
        assert found == at.tricks


@pytest.mark.small
def test_hands_of_one_card() -> None:
    for at, side, objective in questions(3, 300, 1):
        end = at
        while end.left:
            end = end.play(end.legal().bit_length() - 1)
        assert solve(at, side, objective, table_mb=1).tricks == taken_by(end, side)


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_finished_hands(n: int, objective: Objective) -> None:
    over = Position((0,) * n, 4, 1, taken=tuple(range(1, n + 1)))
    result = solve(over, 0b10, objective)
    assert (result.tricks, result.taken, result.nodes, result.relevant, result.complete) == (2, 2, 0, 0, True)
    assert list(floors(over, objective).tricks.values()) == [*range(1, n + 1)]
    assert best_line(over, 0b10, objective) == ()
    assert fault(lambda: card_values(over, 0b10, objective)) == (
        "position",
        "play",
        "expected a player to move, found a hand that is over",
    )


def test_relevant_cards_are_cards_of_the_position() -> None:
    for at, side, objective in questions(4, 200):
        result = solve(at, side, objective, table_mb=1)
        assert result.relevant & ~at.in_play == 0
        assert result.nodes >= (at.trick == ())


# ---- yes or no ------------------------------------------------------------------------------------------------------


@pytest.mark.small
def test_at_least_and_at_most() -> None:
    for at, side, objective in questions(5, 60, 3):
        value = solve(at, side, objective, table_mb=1).tricks
        solver = Solver(table_mb=1)
        for asked in range(at.tricks + 2):
            least = solver.solve(at, side, objective, at_least=asked)
            assert (least.low >= asked) == (value >= asked)
            assert (least.high < asked) == (value < asked)
            most = solver.solve(at, side, objective, at_most=asked)
            assert (most.high <= asked) == (value <= asked)
            assert (most.low > asked) == (value > asked)
            for result in (least, most):
                assert result.low <= value <= result.high
                assert (result.taken, result.stop) == (taken_by(at, side), 0)


def test_a_question_that_needs_no_search() -> None:
    at = replace(TWO_EACH, taken=(2, 0, 0))
    assert solve(at, "D", at_least=2).nodes == 0
    assert solve(at, "D", at_least=2).low == 2
    assert solve(at, "D", at_least=5).nodes == 0
    assert solve(at, "D", at_least=5).high == 4
    assert solve(at, "D", at_most=4).high == 4
    assert solve(at, "D", at_most=1).low == 2


def test_yes_or_no_is_cheaper() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    whole = solve(at, "D")
    assert solve(at, "D", at_least=whole.tricks).nodes < whole.nodes


def test_yes_or_no_proves_one_side_only() -> None:
    """Bounds are proved: yes says nothing of how many more, no nothing of how many fewer."""
    at = replace(position_of_row(rows("three_hand_floors.jsonl")[1]), taken=(2, 0, 0))
    value = solve(at, "D").tricks
    yes, no = solve(at, "D", at_least=value), solve(at, "D", at_least=value + 1)
    assert (yes.low, yes.high, yes.stop) == (value, at.tricks, 0)
    assert (no.low, no.high, no.stop) == (2, value, 0)
    assert solve(at, "D", at_most=value).high == value
    assert not yes.complete
    with pytest.raises(LimitReached) as caught:
        _ = yes.tricks
    assert (caught.value.code, caught.value.bounds) == ("not_asked", {"D": (value, at.tricks)})


def test_a_limit_before_yes_or_no_proves_nothing() -> None:
    with pytest.raises(LimitReached) as caught:
        solve(hard(), "D", "fewest", at_least=5, max_nodes=1_000)
    assert (caught.value.code, caught.value.bounds) == ("max_nodes", {"D": (0, 17)})
    result = solve(hard(), "D", "fewest", at_least=5, max_nodes=1_000, bounds=True)
    assert (result.low, result.high, result.stop) == (0, 17, STOP_NODES)


def test_yes_or_no_of_a_finished_hand() -> None:
    over = Position((0, 0, 0), 4, 1, taken=(1, 2, 3))
    assert solve(over, "E", at_least=2).low >= 2
    assert solve(over, "E", at_least=3).high < 3
    assert solve(over, "E", at_most=2).high <= 2


def test_questions_that_make_no_sense() -> None:
    assert fault(lambda: solve(TWO_EACH, "D", at_least=1, at_most=1)) == (
        "at_least",
        "at_least",
        "expected at_least or at_most, found both",
    )
    message = "expected a number of tricks, found -1"
    assert fault(lambda: solve(TWO_EACH, "D", at_least=-1)) == ("at_least", "at_least", message)
    assert fault(lambda: solve(TWO_EACH, "D", at_most=-1)) == ("at_most", "at_most", message)


# ---- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("side", ["D", "EM"])
@pytest.mark.parametrize("max_nodes", [1, 2, 3, 1_000, 2_047, 2_048, 2_049, 10_000])
def test_the_node_limit_is_exact(max_nodes: int, side: str) -> None:
    found = [solve(hard(), side, "fewest", max_nodes=max_nodes, bounds=True, table_mb=1) for _ in range(2)]
    assert [result.nodes for result in found] == [max_nodes, max_nodes]
    assert found[0].stop == STOP_NODES
    assert not found[0].complete
    first, second = ((result.low, result.high, result.relevant) for result in found)
    assert first == second


@pytest.mark.small
def test_as_many_nodes_as_a_search_needs_are_enough() -> None:
    for at, side, objective in questions(6, 150):
        whole = solve(at, side, objective, table_mb=1)
        for max_nodes in {1, 2, whole.nodes // 2, whole.nodes - 1, whole.nodes} - {0, -1}:
            part = solve(at, side, objective, max_nodes=max_nodes, bounds=True, table_mb=1)
            assert part.nodes <= max_nodes
            assert part.low <= whole.tricks <= part.high
            assert part.complete == (part.stop == 0)
            if max_nodes == whole.nodes:
                assert (part.low, part.high, part.stop) == (whole.low, whole.high, 0)


def test_bounds_close_in_on_the_value() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    whole = solve(at, "D")
    before = (0, at.tricks)
    for part in range(1, 9):
        result = solve(at, "D", max_nodes=whole.nodes * part // 8, bounds=True)
        assert before[0] <= result.low <= whole.tricks <= result.high <= before[1]
        before = result.low, result.high
    assert before == (whole.tricks, whole.tricks)


def test_a_limit_raises_with_the_bounds() -> None:
    with pytest.raises(LimitReached) as caught:
        solve(hard(), "D", "fewest", max_nodes=1_000)
    error = caught.value
    assert error.code == "max_nodes"
    assert str(error) == "the node limit was reached before the answer was known"
    assert error.bounds is not None
    result = solve(hard(), "D", "fewest", max_nodes=1_000, bounds=True)
    assert dict(error.bounds) == {"D": (result.low, result.high)}
    with pytest.raises(LimitReached):
        _ = result.tricks


@pytest.mark.parametrize("timeout", [0.001, 0.1, 0.3])
def test_the_time_limit_is_kept(timeout: float) -> None:
    began = time.perf_counter()
    with pytest.raises(LimitReached) as caught:
        solve(hard(), "D", "fewest", timeout=timeout)
    spent = time.perf_counter() - began
    assert caught.value.code == "timeout"
    assert timeout <= spent < timeout + FAST + SLACK
    result = solve(hard(), "D", "fewest", timeout=timeout, bounds=True)
    assert result.stop == STOP_TIME
    assert result.low < result.high


@pytest.mark.parametrize("ask", [floors, card_values, best_line])
def test_limits_hold_for_all_of_a_call(ask: Callable[..., Any]) -> None:
    began = time.perf_counter()
    more = (0b001,) if ask is not floors else ()
    with pytest.raises(LimitReached) as caught:
        ask(hard(), *more, "fewest", timeout=0.1)
    assert caught.value.code == "timeout"
    assert time.perf_counter() - began < 0.1 + FAST + SLACK
    with pytest.raises(LimitReached) as caught:
        ask(hard(), *more, "fewest", max_nodes=5_000)
    assert caught.value.code == "max_nodes"


def test_floors_share_one_limit() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    whole = floors(at)
    assert floors(at, max_nodes=whole.nodes).tricks == whole.tricks
    for max_nodes in (1, whole.sides[0].nodes, whole.sides[0].nodes + 1, whole.nodes - 1):
        part = floors(at, max_nodes=max_nodes, bounds=True)
        assert part.nodes == max_nodes
        assert not part.complete
        for seat, (low, high) in part.bounds.items():
            assert low <= whole.tricks[seat] <= high
        with pytest.raises(LimitReached) as caught:
            _ = part.tricks
        assert caught.value.bounds == part.bounds


def test_card_values_within_the_nodes_they_need() -> None:
    at = position_of_row(rows("fewest_values.jsonl")[0])
    whole = card_values(at, "N")
    assert card_values(at, "N", max_nodes=whole.nodes).cards == whole.cards
    with pytest.raises(LimitReached):
        card_values(at, "N", max_nodes=whole.nodes - 1)


@pytest.mark.parametrize(
    ("limit", "field"),
    [
        ({"timeout": 0.0}, "timeout"),
        ({"timeout": -1.0}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"max_nodes": 0}, "max_nodes"),
        ({"max_nodes": -5}, "max_nodes"),
        ({"max_nodes": 1 << 63}, "max_nodes"),
    ],
)
def test_limits_that_make_no_sense(limit: dict[str, Any], field: str) -> None:
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, "D", **limit))[:2] == (field, field)
    assert fault(lambda: floors(TWO_EACH, **limit))[:2] == (field, field)
    assert fault(lambda: Limits(**limit))[:2] == (field, field)


# ---- cancelling -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["solve", "card_values", "best_line"])
def test_cancel_from_another_thread(method: str) -> None:
    solver = Solver(16)
    ended: list[float] = []

    def ask() -> None:
        with pytest.raises(Cancelled) as caught:
            getattr(solver, method)(hard(), "D", "fewest", timeout=20)
        ended.append(time.perf_counter())
        assert caught.value.code == "cancelled"

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.15)
    cancelled = time.perf_counter()
    solver.cancel()
    thread.join(10)
    assert ended
    assert ended[0] - cancelled < FAST + SLACK
    # The next call is served, with the table as it was.
    assert solver.entries > 0
    assert solver.solve(TWO_EACH, "D", "fewest").tricks == solve(TWO_EACH, "D", "fewest").tricks


def test_a_cancelled_call_has_no_bounds_to_return() -> None:
    solver = Solver(16)
    timer = threading.Timer(0.1, solver.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        solver.solve(hard(), "D", "fewest", timeout=20, bounds=True)
    timer.join()


def test_a_cancellation_does_not_outlast_its_call() -> None:
    solver = Solver(1)
    solver.cancel()
    assert solver.solve(TWO_EACH, "D").tricks == 1


def test_other_threads_run_during_a_search() -> None:
    solver = Solver(16)
    thread = threading.Thread(target=lambda: solver.solve(hard(), "D", "fewest", timeout=0.3, bounds=True))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 50


def test_calls_from_two_threads_wait_for_each_other() -> None:
    solver, wrong = Solver(1), []

    def ask(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(100):
            ending = random_ending(rng, hands=4, cards=4)
            at = Position(ending.hands, 2, ending.leader, ending.trick)
            if solver.solve(at, "NE").tricks != solve(at, "NE", table_mb=1).tricks:
                wrong.append(at)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# ---- the solver and its table ---------------------------------------------------------------------------------------


@pytest.mark.small
def test_warm_answers_equal_cold_ones() -> None:
    for hands, side, trump in [(3, 0b100, 4), (3, 0b011, 1), (4, 0b0011, 0), (4, 0b1011, 4)]:
        for objective in OBJECTIVES:
            rng, solver = random.Random(trump), Solver(table_mb=1)
            for _ in range(60):
                ending = random_ending(rng, hands=hands, cards=4)
                at = Position(ending.hands, trump, ending.leader, ending.trick)
                cold = Solver(table_mb=1)
                assert solver.solve(at, side, objective).tricks == cold.solve(at, side, objective).tricks
                assert solver.card_values(at, side, objective).cards == cold.card_values(at, side, objective).cards
                assert solver.best_line(at, side, objective) == cold.best_line(at, side, objective)


def test_a_warm_table_saves_work() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[2])
    solver = Solver(64)
    first = solver.solve(at, "D")
    again = solver.solve(at, "D")
    assert again.tricks == first.tricks
    assert again.nodes < first.nodes / 10
    solver.clear()
    assert solver.solve(at, "D").nodes == first.nodes


def test_statistics() -> None:
    solver = Solver(2)
    assert (solver.nodes, solver.entries, solver.used_bytes) == (0, 0, 0)
    assert 2 << 20 <= solver.table_bytes < 3 << 20
    at = position_of_row(rows("fewest_values.jsonl")[2])
    first = solver.solve(at, "D")
    assert solver.nodes == first.nodes > 0
    assert 0 < solver.used_bytes <= solver.table_bytes
    assert solver.entries > 0
    second = solver.card_values(at, "D")
    assert solver.nodes == first.nodes + second.nodes
    solver.clear()
    assert (solver.entries, solver.used_bytes) == (0, 0)
    assert solver.nodes == first.nodes + second.nodes


def test_a_small_table_stays_within_its_limit() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[1])
    solver = Solver(1)
    found = {side: 0 for side in "DEM"}
    for side in found:
        solver.clear()
        found[side] = solver.solve(at, side).tricks
        assert solver.used_bytes <= solver.table_bytes < 2 << 20
    assert found == floors(at).tricks


@pytest.mark.parametrize(
    ("other", "side", "objective", "found"),
    [
        (position("A2... K3... Q4...", "S"), "D", "most", "3 hands, trump S, side 0x1, most tricks"),
        (TWO_EACH, "E", "most", "3 hands, trump N, side 0x2, most tricks"),
        (TWO_EACH, "EM", "most", "3 hands, trump N, side 0x6, most tricks"),
        (TWO_EACH, "D", "fewest", "3 hands, trump N, side 0x1, fewest tricks"),
        (position("A... K... Q... J..."), "N", "most", "4 hands, trump N, side 0x1, most tricks"),
    ],
)
def test_a_table_serves_one_kind_of_question(other: Position, side: str, objective: Objective, found: str) -> None:
    solver = Solver(1)
    solver.solve(TWO_EACH, "D")
    for name in ("solve", "card_values", "best_line"):
        code, field, message = fault(partial(getattr(solver, name), other, side, objective))
        assert (code, field) == ("table_mismatch", "position")
        assert message == (
            "expected positions with 3 hands, trump N, side 0x1, most tricks, which this solver's table holds, "
            f"found {found}; clear() empties it"
        )
    assert solver.solve(TWO_EACH, "D").tricks == 1  # refusing has not locked the solver
    solver.clear()
    assert solver.solve(other, side, objective).complete


@pytest.mark.parametrize("table_mb", [0, -1, (1 << 18) + 1])
def test_tables_of_no_size(table_mb: int) -> None:
    message = f"expected MiB for the table, from 1 to 262144, found {table_mb}"
    assert fault(lambda: Solver(table_mb)) == ("table_mb", "table_mb", message)
    assert fault(lambda: solve(TWO_EACH, "D", table_mb=table_mb)) == ("table_mb", "table_mb", message)
    assert fault(lambda: floors(TWO_EACH, table_mb=table_mb))[:2] == ("table_mb", "table_mb")


# ---- values of cards ------------------------------------------------------------------------------------------------


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


# ---- lines of play --------------------------------------------------------------------------------------------------


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


# ---- floors and what follows from them ------------------------------------------------------------------------------


@pytest.mark.small
def test_floors_and_what_follows_from_them() -> None:
    at = position_of_row(rows("three_hand_floors.jsonl")[2])
    found = floors(replace(at, taken=()), table_mb=16)
    assert (found.kind, found.objective, found.total, found.complete) == ("floor", "most", 16, True)
    assert found.tricks == {"D": 6, "E": 4, "M": 1}
    assert found.bounds == {"D": (6, 6), "E": (4, 4), "M": (1, 1)}
    assert found.surplus == 5
    assert found.ceiling == {"D": 11, "E": 9, "M": 6}
    assert found.share == pytest.approx({"D": 6 + 5 / 3, "E": 4 + 5 / 3, "M": 1 + 5 / 3})
    assert sum(found.share.values()) == pytest.approx(16)
    assert found.pairs == {"DE": 15, "DM": 12, "EM": 10}
    assert found.taken == {"D": 0, "E": 0, "M": 0}
    assert found.nodes == sum(side.nodes for side in found.sides)
    assert found.millis == sum(side.millis for side in found.sides)
    for pair, tricks in found.pairs.items():
        assert solve(at, pair, table_mb=16).tricks == tricks


def test_floors_count_tricks_taken() -> None:
    for at, _, objective in questions(12, 100, 3):
        found = floors(at, objective, table_mb=1)
        bare = floors(replace(at, taken=()), objective, table_mb=1)
        assert list(found.taken.values()) == list(at.taken)
        assert found.total == at.tricks
        for seat, taken in found.taken.items():
            assert found.tricks[seat] == bare.tricks[seat] + taken
        if objective == "most":
            assert found.surplus == bare.surplus >= 0


def test_caps() -> None:
    found = floors(position("A2... K3... Q4..."), "fewest")
    assert (found.kind, found.objective) == ("cap", "fewest")
    assert [side.kind for side in found.sides] == ["cap"] * 3
    # D leads S2: E must take with S3 or M with S4; then SA takes the second trick.
    assert found.tricks == {seat: solve(TWO_EACH, seat, "fewest").tricks for seat in "DEM"}


def test_floors_with_an_engine_of_ones_own() -> None:
    engine = Engine(1 << 20)
    first, second = floors(TWO_EACH, engine=engine), floors(TWO_EACH, engine=engine)
    assert [replace(side, millis=0.0) for side in first.sides] == [replace(side, millis=0.0) for side in second.sides]
    assert engine.entries == 0


def test_queries() -> None:
    assert Query(TWO_EACH).sides == (1, 2, 4)
    assert Query(TWO_EACH, 0b011).sides == (0b011,)
    assert len(Query(TWO_EACH).requests(Limits())) == 3
    assert Query(Position((0, 0, 0), 4, 0)).requests(Limits()) == []
    result = Query(Position((0, 0, 0), 4, 0, taken=(1, 0, 0)), 0b001).result([])
    assert isinstance(result, SideResult)
    assert result.tricks == 1


# ---- tables of strains ----------------------------------------------------------------------------------------------


def test_the_strain_table_of_three_hands() -> None:
    row = rows("three_hand_floors.jsonl")[0]
    at = position_of_row(row)
    table = strain_table(Deal(at.hands))
    assert list(table) == ["S", "H", "D", "C", "N"]
    assert table[row["trump"]] == row["floors"]
    short = Deal.parse("D:AK2.4.. .AK2.4. 4..AK2.")
    for leader in (None, 0, 2):
        for objective in OBJECTIVES:
            assert strain_table(short, leader=leader, objective=objective, table_mb=1) == {
                name: floors(Position.start(short, trump, leader), objective).tricks
                for trump, name in enumerate("SHDCN")
            }


def test_the_strain_table_of_four_hands() -> None:
    deal = Deal.parse("N:AK2.4.. .AK2.4. 4..AK2. 3..3.KQ")
    for objective in OBJECTIVES:
        expected = {
            name: {
                seat: solve(Position(deal.hands, trump, (i + 1) % 4), 0b0101 << i % 2, objective).tricks
                for i, seat in enumerate("NESW")
            }
            for trump, name in enumerate("SHDCN")
        }
        found = strain_table(deal, objective=objective, table_mb=1)
        assert found == expected
        assert all(list(row) == list("NESW") for row in found.values())


def test_limits_of_a_strain_table() -> None:
    deal = Deal.parse(rows("bridge_tables.jsonl")[0]["pbn"])
    with pytest.raises(LimitReached) as caught:
        strain_table(deal, max_nodes=100)
    assert caught.value.code == "max_nodes"


# ---- errors ---------------------------------------------------------------------------------------------------------


def test_unknown_objectives() -> None:
    any_objective: Any = "many"
    expected = ("objective", "objective", "expected 'most' or 'fewest', found 'many'")
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, "D", any_objective)) == expected
    assert fault(lambda: floors(TWO_EACH, any_objective)) == expected


@pytest.mark.parametrize("side", [0, 7, 8, -1])
def test_sides_that_are_none(side: int) -> None:
    expected = ("side", "side", f"expected a side of 1 to 2 of the 3 seats, found {side}")
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, side)) == expected


@pytest.mark.parametrize("side", ["NS", "DEM", "DD", "", "X"])
def test_sides_of_letters_that_are_none(side: str) -> None:
    for ask in ASKS:
        assert fault(partial(ask, TWO_EACH, side))[1] == "side"


def test_three_hands_need_a_side() -> None:
    message = "expected a side, such as D or EM; floors() solves for every seat"
    assert fault(lambda: solve(TWO_EACH)) == ("side", "side", message)
    assert fault(lambda: best_line(TWO_EACH)) == ("side", "side", message)
