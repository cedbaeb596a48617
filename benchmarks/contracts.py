"""Contract tables of Solo Whist in DDS boards: one thread, CPU, 4 x 13 cards.

    python -m benchmarks.contracts                  every row (a minute)
    python -m benchmarks.contracts table orders     some rows
    python -m benchmarks.contracts table --deals 10

The unit is the mean CPU of DDS 2.9 on the 300 bridge deals, measured in the same run (see versus_dds).
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from benchmarks.versus_dds import Run, cpu, random_hands, show
from tierce.solver.advice import contracts, contracts_asking, contracts_bounds
from tierce.solver.advice.contracts import contract_table
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.cards import NOTRUMP, rank_of
from tierce.solver.deal import Deal
from tierce.solver.position import Position
from tierce.solver.search import Engine
from tierce.solver.solver import Solver

HANDS = 200
CHOSEN_OF = 30  # a hand chosen low is the lowest of so many


def deals(count: int) -> Iterator[tuple[Deal, int, int]]:
    """Random deals, the dealer going round, any suit turned up."""
    rng = random.Random("contracts")
    for number in range(count):
        yield Deal(random_hands(rng, 4, 13, None)), number % 4, rng.randrange(4)


def spent_on(count: int, *, tricks: bool = False) -> tuple[list[float], list[ContractTable]]:
    """CPU of each table, a new engine for each, and the tables."""
    spent: list[float] = []
    found: list[ContractTable] = []
    for deal, dealer, trump in deals(count):

        def one(deal: Deal = deal, dealer: int = dealer, trump: int = trump) -> None:
            found.append(contract_table(deal, dealer, trump=trump, tricks=tricks))

        spent.append(cpu(one))
    return spent, found


def table(count: int, board: float) -> None:
    """The whole table."""
    spent, found = spent_on(count)
    note = f"median {statistics.median(spent) / board:.2f}, worst {max(spent) / board:.1f}, "
    note += f"{statistics.mean(each.nodes for each in found):,.0f} nodes"
    show(f"contract table, mean of {count}, boards", statistics.mean(spent), board, 15, 5, note)


def tricks(count: int, board: float) -> None:
    """The same with tricks."""
    spent, _ = spent_on(count // 5, tricks=True)
    print(f"{'... with --tricks, boards':<46} {statistics.mean(spent) / board:>9.2f}")


def misere(board: float) -> None:
    """Can this seat be made to take one? Eldest leads, the bidder sits anywhere."""
    kinds: list[tuple[str, Callable[[random.Random, int], tuple[int, ...]]]] = [
        ("random hands", lambda rng, seat: random_hands(rng, 4, 13, None)),
        ("chosen low", _chosen_low),
        ("ranks 2 to 9", lambda rng, seat: random_hands(rng, 4, 13, seat)),
    ]
    for name, hands_of in kinds:
        rng = random.Random(name)
        spent, made = [], 0
        for number in range(HANDS):
            seat = number % 4
            position = Position(hands_of(rng, seat), NOTRUMP, 0)
            found: list[int] = []

            def ask(position: Position = position, side: int = 1 << seat, found: list[int] = found) -> None:
                found.append(Solver(256).solve(position, side, "fewest", at_most=0).high)

            spent.append(cpu(ask))
            made += found[0] == 0
        spent.sort()
        note = f"mean {statistics.mean(spent) / board:.2f}, worst {spent[-1] / board:.1f}, {made} of {HANDS} made"
        show(f"misere yes/no, {name}, p95, boards", spent[int(0.95 * HANDS)], board, 40, 10, note)


def _chosen_low(rng: random.Random, seat: int) -> tuple[int, ...]:
    """Hands of which that of a seat is the lowest of many, by ranks."""
    many = [random_hands(rng, 4, 13, None) for _ in range(CHOSEN_OF)]
    return min(many, key=lambda hands: sum(rank_of(card) for card in range(64) if hands[seat] >> card & 1))


def orders(count: int, board: float) -> None:
    """What the order of questions and the shared table are worth: answers unchanged."""
    wanted = None
    asked = contracts_asking
    ways: list[tuple[str, AbstractContextManager[Any]]] = [
        ("as it is", mock.patch.object(asked, "A_TRUMP", asked.A_TRUMP)),
        ("pairs first", mock.patch.object(asked, "COSTS", dict(asked.COSTS) | {"prop_cop": -1})),
        ("pairs as they come", mock.patch.object(asked, "_points", lambda *_: 0)),
        ("nothing follows from sums of sides", mock.patch.object(contracts_bounds.SideBounds, "_raise", _raise_alone)),
        ("a table of 256 MiB", mock.patch.object(contracts, "TABLE_MOST", 256 << 20)),
        ("a cold table for each question", mock.patch.object(contracts.ContractSearch, "_ask", _ask_cold)),
    ]
    for name, way in ways:
        with way:
            spent, found = spent_on(count)
        answers = [[(row.makes, row.lead) for row in each.rows] for each in found]
        assert wanted in (None, answers)
        wanted = answers
        nodes = statistics.mean(each.nodes for each in found)
        print(f"{name:<46} {statistics.mean(spent) / board:>9.2f}  {nodes:,.0f} nodes", flush=True)


def _raise_alone(bounds: contracts_bounds.SideBounds, side: int, floor: int) -> None:
    bounds._floors[side] = max(bounds._floors[side], floor)


_ASK = contracts.ContractSearch._ask


def _ask_cold(search: contracts.ContractSearch, engine: Engine, *asked: object) -> tuple[int, int]:
    engine.clear()
    return _ASK(search, engine, *asked)  # type: ignore[arg-type]


def main() -> None:
    """Print the rows asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ("table", "tricks", "misere", "orders")
    parser.add_argument("rows", nargs="*", choices=[*names, []], help="which rows (default: all)")
    parser.add_argument("--deals", type=int, default=100, help="so many deals")
    args = parser.parse_args()
    board = Run(quick=False).board
    for row in args.rows or names:
        if row == "table":
            table(args.deals, board)
        elif row == "tricks":
            tricks(args.deals, board)
        elif row == "misere":
            misere(board)
        else:
            orders(args.deals, board)


if __name__ == "__main__":
    main()
