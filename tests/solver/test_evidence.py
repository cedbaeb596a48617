"""Every value that other programs found: bridge tables, floors, odd splits, fewest tricks, leads and traces.

The fast tests take a part of each file, the slow ones (in chunks of seconds) all of it. tests/data/SOURCES.md says
where the values come from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from tests.solver.dds_list import DdsDeal, read_dds_list
from tests.solver.support import DATA, OBJECTIVES, Row, chunks, position_of_row, rows
from tierce.solver.cards import NOTRUMP, card_name, parse_seat, parse_trump
from tierce.solver.deal import Deal
from tierce.solver.pbn import read_pbn
from tierce.solver.position import Position
from tierce.solver.solve import floors, solve, strain_table
from tierce.solver.solver import Solver

BRIDGE = rows("bridge_tables.jsonl")
THREE = rows("three_hand_floors.jsonl")
SOLO = rows("solo_values.jsonl")
FEWEST = rows("fewest_values.jsonl")
SMALL = json.loads((DATA / "small_vectors.json").read_text(encoding="utf-8"))
DDS_LIST = read_dds_list()
PBN_FILES = sorted((DATA / "pbn").glob("*.pbn"))


def spread(items: Sequence[Row], count: int) -> list[Row]:
    """`count` rows from all over a file."""
    return [items[i * len(items) // count] for i in range(count)]


def named(row: Row) -> str:
    return str(row["id"])


def pieces(count: int, size: int) -> pytest.MarkDecorator:
    """Slow tests of `size` rows each."""
    return pytest.mark.parametrize("piece", chunks(count, size), ids=lambda piece: f"{piece.start}-{piece.stop - 1}")


# ---- bridge: every declarer and strain ------------------------------------------------------------------------------


def test_the_files_are_whole() -> None:
    assert [len(each) for each in (BRIDGE, THREE, SOLO, FEWEST, SMALL, DDS_LIST)] == [300, 52, 30, 60, 40, 100]


def check_table(row: Row) -> None:
    assert strain_table(Deal.parse(row["pbn"])) == row["table"], row["id"]


@pytest.mark.parametrize("row", spread(BRIDGE, 12), ids=named)
def test_bridge_tables(row: Row) -> None:
    check_table(row)


@pytest.mark.slow
@pieces(300, 20)
def test_all_bridge_tables(piece: range) -> None:
    for number in piece:
        check_table(BRIDGE[number])


# ---- three hands: floors --------------------------------------------------------------------------------------------


def check_floors(row: Row) -> None:
    position = position_of_row(row)
    found = floors(position)
    assert found.tricks == row["floors"], row["id"]
    assert found.total == position.left


@pytest.mark.parametrize("row", spread(THREE, 12), ids=named)
def test_floors_of_three_hands(row: Row) -> None:
    check_floors(row)


@pytest.mark.slow
@pieces(len(THREE), 13)
def test_all_floors_of_three_hands(piece: range) -> None:
    for number in piece:
        check_floors(THREE[number])


# ---- four hands: one against three, neighbours ----------------------------------------------------------------------


def check_solo(row: Row) -> None:
    position = position_of_row(row)
    assert floors(position).tricks == row["alone"], row["id"]
    found = {side: solve(position, side).tricks for side in row["neighbours"]}
    assert found == row["neighbours"], row["id"]
    at_no_trump = {
        seat: solve(Position(position.hands, NOTRUMP, parse_seat(seat, 4)), seat).tricks
        for seat in row["alone_leading_notrump"]
    }
    assert at_no_trump == row["alone_leading_notrump"], row["id"]


@pytest.mark.parametrize("row", spread(SOLO, 8), ids=named)
def test_one_against_three_and_neighbours(row: Row) -> None:
    check_solo(row)


@pytest.mark.slow
@pieces(len(SOLO), 15)
def test_all_one_against_three_and_neighbours(piece: range) -> None:
    for number in piece:
        check_solo(SOLO[number])


# ---- fewest tricks --------------------------------------------------------------------------------------------------


def check_fewest(row: Row) -> None:
    found = floors(position_of_row(row), "fewest")
    assert found.tricks == row["fewest"], row["id"]
    assert found.kind == "cap"


@pytest.mark.parametrize("row", spread(FEWEST, 20), ids=named)
def test_fewest_tricks(row: Row) -> None:
    check_fewest(row)


@pytest.mark.slow
@pieces(len(FEWEST), 20)
def test_all_fewest_tricks(piece: range) -> None:
    for number in piece:
        check_fewest(FEWEST[number])


# ---- small deals, both objectives -----------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_small_vectors(number: int) -> None:
    row = SMALL[number]
    seats = "D" if row["players"] == 3 else "N"
    deal = Deal.parse(f"{seats}:{' '.join(row['hands'])}")
    position = Position.start(deal, parse_trump(row["trump"]), row["lead"])
    for objective, name in zip(OBJECTIVES, ("solo_max", "solo_min"), strict=True):
        assert list(floors(position, objective, table_mb=1).tricks.values()) == row[name]
        for seat, tricks in enumerate(row[name]):
            others = (1 << position.n) - 1 & ~(1 << seat)
            assert solve(position, others, objective, table_mb=1).tricks == position.left - tricks


# ---- DDS's own list: tables, leads, traces --------------------------------------------------------------------------


def check_leads(row: DdsDeal) -> None:
    position = Position.start(row.deal, row.trump, row.first)
    side = 0b0101 << row.first % 2
    found = Solver(16).card_values(position, side)
    assert {each.card: each.tricks for each in found.cards} == row.fut, str(row.deal)
    assert found.best == max(row.fut.values())


def check_trace(row: DdsDeal) -> None:
    """The declarer's tricks before the first card and after each; one warm table for all."""
    solver, side = Solver(16), 0b0101 << row.declarer % 2
    for number, (at, tricks) in enumerate(zip(along(row), row.trace, strict=False)):
        where = "at the start" if number == 0 else f"after {card_name(row.play[number - 1])}"
        assert solver.solve(at, side).tricks == tricks, f"{row.deal}, {where}"


def along(row: DdsDeal) -> Iterator[Position]:
    position = Position.start(row.deal, row.trump, row.first)
    yield position
    for card in row.play:
        position = position.play(card)
        yield position


@pytest.mark.parametrize("number", range(0, 100, 17))
def test_dds_list_tables(number: int) -> None:
    row = DDS_LIST[number]
    assert strain_table(row.deal) == row.table


@pytest.mark.parametrize("number", range(2, 100, 8))
def test_dds_list_leads(number: int) -> None:
    check_leads(DDS_LIST[number])


@pytest.mark.parametrize("number", range(5, 100, 8))
def test_dds_list_traces(number: int) -> None:
    check_trace(DDS_LIST[number])


@pytest.mark.slow
@pieces(100, 20)
def test_all_dds_list_tables(piece: range) -> None:
    for row in DDS_LIST[piece.start : piece.stop]:
        assert strain_table(row.deal) == row.table, str(row.deal)


@pytest.mark.slow
@pieces(100, 50)
def test_all_dds_list_leads_and_traces(piece: range) -> None:
    for row in DDS_LIST[piece.start : piece.stop]:
        check_leads(row)
        check_trace(row)


# ---- tables in real PBN files ---------------------------------------------------------------------------------------


def pbn_tables() -> list[tuple[Deal, list[dict[str, dict[str, int]]]]]:
    """Each deal once, with the tables of all its records (strain -> declarer -> tricks)."""
    found: dict[str, tuple[Deal, list[dict[str, dict[str, int]]]]] = {}
    for path in PBN_FILES:
        for game in read_pbn(path.read_bytes(), path.name):
            if game.deal is not None and game.table:
                _, tables = found.setdefault(str(game.deal), (game.deal, []))
                tables.append({strain: dict(row) for strain, row in game.table.items()})
    return list(found.values())


PBN_TABLES = pbn_tables()


def test_pbn_files_have_tables() -> None:
    assert len(PBN_TABLES) == 10
    assert sum(len(tables) for _, tables in PBN_TABLES) == 301


@pytest.mark.parametrize("number", range(len(PBN_TABLES)))
def test_pbn_tables(number: int) -> None:
    deal, tables = PBN_TABLES[number]
    found = strain_table(deal)
    for table in tables:
        assert len(table) == 5
        assert {strain: {seat: found[strain][seat] for seat in row} for strain, row in table.items()} == table
