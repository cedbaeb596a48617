"""Contract tables against brute force: every contract and every lead of small deals, and what bounds say of sides."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from tests.advice.contract_deals import CONTRACTS, small, tricks_of
from tests.brute import brute
from tierce.solver.advice.contracts import contract_table
from tierce.solver.advice.contracts_bounds import SideBounds
from tierce.solver.advice.contracts_results import ContractRow
from tierce.solver.cards import cards_of
from tierce.solver.deal import Deal
from tierce.solver.games import load_game
from tierce.solver.search import Engine

NAMED = load_game("solo_whist", {"ad_trump": True})
PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def expected(eldest: int, trump: int) -> list[tuple[str, tuple[int, ...], int, int]]:
    """Name, declarers, trump and leader of every contract, worked out here once more from the rules."""
    seats = [(seat,) for seat in range(4)]
    return [
        *(("prop_cop", pair, trump, eldest) for pair in PAIRS),
        *(("solo", seat, trump, eldest) for seat in seats),
        *(("misere", seat, 4, eldest) for seat in seats),
        *(("abundance", seat, suit, eldest) for seat in seats for suit in range(4)),
        *(("abundance_in_trumps", seat, trump, eldest) for seat in seats),
        *(("misere_ouverte", seat, 4, eldest) for seat in seats),
        *(("abundance_declared", seat, strain, seat[0]) for seat in seats for strain in range(5)),
    ]


def made(row: ContractRow, tricks: int) -> bool:
    return tricks == 0 if row.name.startswith("misere") else tricks >= row.needs


def lowest_beating(deal: Deal, row: ContractRow) -> int | None:
    """Of all leads that beat a contract the lowest, suits S H D C."""
    contract = row.contract
    if contract.leader in contract.declarers:
        return None
    leads = sorted(cards_of(deal.hands[contract.leader]), key=lambda lead: (lead % 16, lead))
    place = row.name, row.side, contract.trump, contract.leader
    return next(lead for lead in leads if not made(row, tricks_of(deal, *place, lead)))


def check(seed: int, count: int, cards: int, engine: Engine) -> Counter[tuple[str, bool, bool]]:
    """Compare tables, tricks and all; what was met."""
    met: Counter[tuple[str, bool, bool]] = Counter()
    for deal, dealer, trump, needs in small(seed, count, cards):
        table = contract_table(deal, dealer, trump=trump, profile=NAMED, needs=needs, tricks=True, engine=engine)
        assert table.complete
        found = [(row.name, row.contract.declarers, row.contract.trump, row.contract.leader) for row in table.rows]
        assert found == expected((dealer + 1) % 4, trump)
        for row in table.rows:
            contract = row.contract
            tricks = tricks_of(deal, row.name, row.side, contract.trump, contract.leader)
            makes = made(row, tricks)
            where = str(deal), row
            assert row.needs == needs[row.name] and row.makes is makes, where
            assert row.tricks == (None if row.name.startswith("misere") else tricks), where
            assert row.lead == (None if makes else lowest_beating(deal, row)), where
            met[row.name, makes, row.defended] += 1
        quick = contract_table(deal, dealer, trump=trump, profile=NAMED, needs=needs, threads=3)
        assert [(row.makes, row.lead) for row in quick.rows] == [(row.makes, row.lead) for row in table.rows]
    return met


@pytest.mark.small
def test_three_and_four_cards() -> None:
    engine = Engine(1 << 20)
    met = check(1, 60, 3, engine) + check(2, 30, 4, engine)
    for name in CONTRACTS:  # all were made and beaten, whoever led
        kinds = {(makes, defended) for (each, makes, defended) in met if each == name}
        assert kinds == {
            (makes, name != "abundance_declared" and led) for makes, led in product((True, False), repeat=2)
        }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_five_cards(seed: int) -> None:
    check(100 + seed, 5, 5, Engine(1 << 22))


# ---- bounds ----------------------------------------------------------------------------------------------------------


def values_of(deal: Deal, trump: int, leader: int) -> list[int]:
    """What each side takes, by brute force; nobody and everybody among them."""
    return [0, *(brute.value(deal.hands, trump, leader, [], side, side) for side in range(1, 15)), deal.size]


@pytest.mark.parametrize("cards", [3, 4])
def test_what_the_bounds_rest_on(cards: int) -> None:
    """What one side takes the other does not; sides that join lose nothing, and gain now and then."""
    gained = 0
    for deal, dealer, trump, _ in small(3, 25, cards):
        values = values_of(deal, (trump + dealer) % 5, dealer)
        for side, other in product(range(16), repeat=2):
            if not side & other:
                assert values[side | other] >= values[side] + values[other]
                gained += values[side | other] > values[side] + values[other]
            assert values[side] + values[15 & ~side] == cards
    assert gained > 100


def closed(floors: dict[int, int], tricks: int) -> list[int]:
    """The floors of all sides that follow from some, by trying until nothing changes."""
    found = [floors.get(side, 0) for side in range(16)]
    found[15] = tricks
    while True:
        better = [
            max(found[part] + found[side & ~part] for part in range(16) if not part & ~side) for side in range(16)
        ]
        if better == found:
            return found
        found = better


def test_bounds_are_all_that_follows() -> None:
    """Whatever was learnt in whatever order, the truth lies within, and nothing that follows is missed."""
    rng = random.Random(4)
    for deal, dealer, trump, _ in small(5, 40, 4):
        values = values_of(deal, trump, dealer)
        bounds, floors = SideBounds(4), dict.fromkeys(range(16), 0)
        for _ in range(6):
            side = rng.randrange(1, 15)
            low, high = rng.randint(0, values[side]), rng.randint(values[side], 4)
            bounds.learn(side, low, high)
            floors[side] = max(floors[side], low)
            floors[15 & ~side] = max(floors[15 & ~side], 4 - high)
            least = closed(floors, 4)
            for each in range(1, 15):
                assert bounds.interval(each) == (least[each], 4 - least[15 & ~each])
                for need in range(1, 5):
                    known = bounds.reaches(each, need)
                    assert known in (None, values[each] >= need)
                    assert (known is None) == (least[each] < need <= 4 - least[15 & ~each])
