"""Contract tables of whole deals: known values, limits, threads, what is refused, and what a table says of bids."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from tests.advice.contract_deals import HARD, LOW, SUITS_APART, card
from tests.solver.support import rows
from tierce.solver.advice import ContractRow, ContractSearch, ContractTable, contract_table
from tierce.solver.cards import SEATS4, parse_side, parse_trump, side_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import load_game
from tierce.solver.games.contracts import CONTRACTS, Contract
from tierce.solver.query import Limits
from tierce.solver.search import STOP_CANCELLED, STOP_NODES, STOP_TIME, Engine

SOLO = load_game("solo_whist")
KNOWN = rows("solo_values.jsonl")


def of_row(row: dict[str, Any], **more: Any) -> ContractTable:
    """The table of a row of the data, whose leader is eldest."""
    dealer = (SEATS4.index(row["leader"]) - 1) % 4
    return contract_table(Deal.parse(row["deal"]), dealer, trump=parse_trump(row["trump"]), **more)


def pair(table: ContractTable, name: str) -> ContractRow:
    """A pair's row, by its letters in any order."""
    return next(row for row in table.of("prop_cop") if row.side == parse_side(name, 4))


# ---- known values ----------------------------------------------------------------------------------------------------


def test_known_values_say_what_is_made() -> None:
    engine = Engine(1 << 26)
    for row in KNOWN:
        table = of_row(row, engine=engine)
        assert table.complete and all(each.tricks is None for each in table.rows)
        for seat, letter in enumerate(SEATS4):
            alone, declared = row["alone"][letter], row["alone_leading_notrump"][letter]
            assert [each.makes for each in table.of("solo", seat)] == [alone >= 5]
            assert [each.makes for each in table.of("abundance_in_trumps", seat)] == [alone >= 9]
            assert [each.makes for each in table.of("abundance_declared", seat)] == [declared == 13]
        for name, tricks in row["neighbours"].items():
            assert pair(table, name).makes == (tricks >= 8)
            assert tricks < 8 or not pair(table, "".join(set(SEATS4) - set(name))).makes


@pytest.mark.slow
@pytest.mark.parametrize("at", range(0, len(KNOWN), 6))
def test_known_values_to_the_trick(at: int) -> None:
    for row in KNOWN[at : at + 6]:
        table = of_row(row, tricks=True)
        for name, values in (("solo", row["alone"]), ("abundance_declared", row["alone_leading_notrump"])):
            assert {SEATS4[each.contract.declarers[0]]: each.tricks for each in table.of(name)} == values
        for name, tricks in row["neighbours"].items():
            assert pair(table, name).tricks == tricks


def test_a_suit_each() -> None:
    """North takes all with spades as trump or on lead; every other is made by its own suit, North's spades apart."""
    table = contract_table(Deal.parse(SUITS_APART), 0, card("SA"))
    assert (table.trump, table.eldest, table.turned) == (0, 1, card("SA"))
    assert [row.contract.declarers for row in table.of("solo") if row.makes] == [(0,)]
    named = [(row.contract.declarers[0], row.contract.trump) for row in table.of("abundance") if row.makes]
    assert named == [(seat, seat) for seat in range(4)]  # each with its own suit as trump, whoever leads
    assert all(row.makes for row in table.of("abundance_declared"))  # ... and on lead at no trump
    assert [row.side for row in table.of("prop_cop") if row.makes] == [0b0011, 0b0101, 0b1001]
    # East leads and his own hearts win at no trump: all others lose every trick.
    assert [row.makes for row in table.of("misere")] == [True, False, True, True]
    assert [row.lead for row in table.of("solo")] == [None, None, card("H2"), card("H2")]
    assert [each.bid for each in table.seats] == ["abundance_declared"] * 4
    assert (table.highest.bid, table.highest.units, table.highest.sides) == ("abundance_declared", 6, (1, 2, 4, 8))


def test_a_low_hand() -> None:
    table = contract_table(Deal.parse(LOW), 3, card("S6"))
    assert [row.makes for row in table.of("misere")] == [False, False, True, False]
    assert [row.makes for row in table.of("misere_ouverte")] == [False, False, True, False]
    assert (table.seats[2].bid, table.seats[2].units) == ("misere_ouverte", 4)
    assert table.highest.sides == (0b0100,)


def test_trumps_named_by_the_bidder() -> None:
    deal = Deal.parse(SUITS_APART)
    table = contract_table(deal, 0, card("SA"), profile=SOLO.with_options({"ad_trump": True}))
    made = {(row.contract.declarers[0], row.contract.trump) for row in table.of("abundance_declared") if row.makes}
    assert made == {*((seat, seat) for seat in range(4)), *((seat, 4) for seat in range(4))}
    assert table.seats[1].trumps == (1, 4)
    plain = contract_table(deal, 0, card("SA"), profile=SOLO)
    assert {row.contract.trump for row in plain.of("abundance_declared")} == {4}


def test_counts_come_after_what_is_made() -> None:
    """A limit that the counts reach leaves everything else known."""
    deal = Deal.parse(HARD)
    plain = contract_table(deal, 0, trump=1)
    found = contract_table(deal, 0, trump=1, tricks=True, limits=Limits(max_nodes=plain.nodes + 10))
    assert (found.stop, found.complete) == (STOP_NODES, False)
    assert [replace(row, tricks=None) for row in found.rows] == list(plain.rows)
    assert any(row.tricks is None for row in found.of("prop_cop"))


# ---- limits, threads, cancelling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_what_is_known_at_a_limit_stays(share: float) -> None:
    deal = Deal.parse(HARD)
    whole = contract_table(deal, 0, trump=1)
    limits = Limits(max_nodes=max(1, int(share * whole.nodes)))
    part = contract_table(deal, 0, trump=1, limits=limits, threads=4)
    assert (part.stop, part.complete) == (STOP_NODES, False) and part.nodes <= whole.nodes
    assert part.rows == contract_table(deal, 0, trump=1, limits=limits).rows  # the same each time
    assert sum(row.makes is None for row in part.rows) or sum(not row.complete for row in part.rows)
    for row, full in zip(part.rows, whole.rows, strict=True):
        assert row.makes in (None, full.makes) and row.lead in (None, full.lead)
    for seat, full_seat in zip(part.seats, whole.seats, strict=True):
        assert not seat.settled or seat == full_seat
    assert not part.highest.settled or part.highest == whole.highest


def test_no_time() -> None:
    table = contract_table(Deal.parse(HARD), 0, trump=1, limits=Limits(timeout=1e-9))
    assert (table.stop, table.complete) == (STOP_TIME, False)
    assert all(row.makes is None and row.lead is None for row in table.rows)
    assert not table.highest.settled and table.highest.bid == ""


def test_threads_and_a_kept_engine_change_nothing() -> None:
    engine = Engine(24 << 20)
    for row in KNOWN[:4]:
        one = of_row(row)
        assert of_row(row, threads=3, table_mb=16).rows == of_row(row, engine=engine).rows == one.rows
        assert of_row(row, engine=engine).nodes == one.nodes == of_row(row).nodes


def test_no_thread_forgets_what_another_found() -> None:
    """A split is counted while another thread still looks for what is made there."""
    deal, turned = Deal.parse(SUITS_APART), card("S5")
    one = contract_table(deal, 0, turned, tricks=True)
    for _ in range(30):
        assert contract_table(deal, 0, turned, tricks=True, threads=4).rows == one.rows


def test_cancelled_before_it_begins() -> None:
    search = ContractSearch(Deal.parse(HARD), 0, trump=1)
    assert search.done == 0 and not search.table.complete
    search.cancel()
    table = search.run()
    assert table.stop == STOP_CANCELLED and table.nodes == 0


def test_cancelled_while_it_runs() -> None:
    search = ContractSearch(Deal.parse(HARD), 0, trump=1, tricks=True)
    watched = threading.Event()

    def watch() -> None:
        if search.table.nodes:
            watched.set()
            search.cancel()

    table = search.run(watch, 0.005)
    assert watched.is_set() and table.stop == STOP_CANCELLED and search.done < 1


def test_what_the_watch_raises_comes_through() -> None:
    search = ContractSearch(Deal.parse(HARD), 0, trump=1, tricks=True)

    def watch() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(watch, 0.005)
    assert search.table.stop == STOP_CANCELLED


def test_done() -> None:
    search = ContractSearch(Deal.parse(LOW), 3, card("S6"))
    assert search.run().complete and search.done == 1


# ---- what is refused -------------------------------------------------------------------------------------------------

NEEDS = {name: rule.needs for name, rule in CONTRACTS.items()}


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ({"turned": card("H2")}, "turned", "expected a card of the dealer's, N, turned up, found H2 in hand S"),
        ({"turned": 13}, "turned", "expected a card turned up, found 13"),
        ({"turned": True}, "turned", "expected a card turned up, found True"),
        ({}, "turned", "expected the card turned up, or its suit as trump, found neither"),
        ({"turned": card("H2"), "trump": 1}, "turned", "found both"),
        ({"trump": 4}, "trump", "expected a trump suit from 0 .spades. to 3 .clubs., found 4"),
        ({"trump": "H"}, "trump", "found 'H'"),
        ({"trump": 1, "dealer": 4}, "dealer", "expected a dealer from 0 .north. to 3 .west., found 4"),
        ({"trump": 1, "dealer": None}, "dealer", "found None"),
        ({"trump": 1, "threads": 0}, "threads", "expected threads from 1 to 16, found 0"),
        ({"trump": 1, "table_mb": 0}, "table_mb", "found 0"),
        ({"trump": 1, "profile": load_game("raf")}, "game", "expected a game of contracts, found raf"),
        ({"trump": 1, "needs": {"solo": 3}}, "needs", "expected tricks for prop_cop, .*, found .'solo'."),
        ({"trump": 1, "needs": NEEDS | {"solo": 14}}, "needs", "expected from 1 to 13 tricks for solo, found 14"),
        ({"trump": 1, "needs": NEEDS | {"misere": 1}}, "needs", "expected from 0 to 0 tricks for misere, found 1"),
        ({"trump": 1, "deal": Deal.parse("D:A... K... Q...")}, "deal", "expected a deal of four hands, found 3"),
        (
            {"trump": 1, "deal": Deal.parse("N:A... K... Q... J...")},
            "deal",
            "expected four hands of 13 cards, found 1 each",
        ),
    ],
)
def test_refused(given: dict[str, Any], field: str, message: str) -> None:
    deal, dealer = given.pop("deal", Deal.parse(HARD)), given.pop("dealer", 0)
    with pytest.raises(InputError, match=message) as caught:
        contract_table(deal, dealer, given.pop("turned", None), **given)
    assert caught.value.field == field


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="expected a Deal"):
        contract_table("N:...", 0, trump=1)  # type: ignore[arg-type]


# ---- what a table says -----------------------------------------------------------------------------------------------


def told(*made: tuple[str, int], unknown: tuple[str, ...] = (), ait_open: bool = False) -> ContractTable:
    """A table in which sides (masks) make contracts, spades turned up; `unknown` ones are not known where not made."""
    found = []
    for name, rule in CONTRACTS.items():
        for side in range(1, 16):
            if side.bit_count() == rule.side:
                declarers = tuple(seat for seat in range(4) if side >> seat & 1)
                makes = True if (name, side) in made else None if name in unknown else False
                found.append(ContractRow(Contract(name, declarers, 0, 1), rule.needs, makes))
    return ContractTable(Deal.parse(HARD), 0, 0, None, ait_open, tuple(found))


def test_the_dearest_bid_of_a_seat() -> None:
    table = told(("prop_cop", 0b0011), ("prop_cop", 0b1001), ("solo", 0b0010), ("misere_ouverte", 0b0010))
    north, east, south, west = table.seats
    assert (north.bid, north.units, north.partners) == ("prop_cop", 1, (1, 3))
    assert (east.bid, east.units, east.partners) == ("misere_ouverte", 4, ())
    assert (south.bid, south.units, south.settled) == ("", 0, True)
    assert (west.bid, west.partners) == ("prop_cop", (0,))
    assert (table.highest.bid, table.highest.sides) == ("misere_ouverte", (0b0010,))


def test_abundance_in_trumps_is_dearest_only_where_it_may_be_bid_first() -> None:
    made = ("abundance", 0b0001), ("abundance_in_trumps", 0b0001)
    assert told(*made).seats[0].bid == told(*made).highest.bid == "abundance"
    opened = told(*made, ait_open=True)
    assert opened.seats[0].bid == opened.highest.bid == "abundance_in_trumps" and opened.highest.units == 3


def test_what_takes_most_comes_first() -> None:
    table = told(("prop_cop", 0b0011), ("prop_cop", 0b0101), ("prop_cop", 0b1001))
    tricks = {0b0011: 8, 0b0101: 10, 0b1001: 8}
    counted = replace(table, rows=tuple(replace(row, tricks=tricks.get(row.side)) for row in table.rows))
    assert table.seats[0].partners == (1, 2, 3) and counted.seats[0].partners == (2, 1, 3)
    named = tuple(
        ContractRow(Contract("abundance", (2,), trump, 1), 9, True, None, 9 + trump % 3) for trump in range(4)
    )
    assert replace(table, rows=named).seats[2].trumps == (2, 1, 0, 3)


def test_what_is_not_known_is_not_settled() -> None:
    table = told(("solo", 0b0100), unknown=("misere", "misere_ouverte"))
    assert (table.seats[2].bid, table.seats[2].settled) == ("solo", False)
    assert (table.seats[0].bid, table.seats[0].settled) == ("", False)
    assert (table.highest.bid, table.highest.settled) == ("solo", False) and not table.complete
    table = told(("abundance", 0b0100), unknown=("misere",))
    assert table.highest.settled and table.seats[2].settled and not table.seats[0].settled
    table = told(("solo", 0b0100), unknown=("solo",))
    assert not table.highest.settled and table.seats[2].settled  # who else makes it is not known


def test_json() -> None:
    table = contract_table(Deal.parse(LOW), 3, card("S6"))
    out = table.json()
    assert list(out) == [
        "kind", "seen", "dealer", "eldest", "trump", "turned", "contracts", "seats", "highest", "complete", "nodes",
        "millis",
    ]  # fmt: skip
    assert (out["kind"], out["seen"], out["dealer"], out["eldest"]) == ("contracts", "all hands", "W", "N")
    assert (out["trump"], out["turned"], out["complete"]) == ("S", "S6", True)
    assert len(out["contracts"]) == len(table.rows) == 6 + 4 + 4 + 16 + 4 + 4 + 4
    for told_row, row in zip(out["contracts"], table.rows, strict=True):
        assert (told_row["contract"], told_row["makes"]) == (row.name, row.makes)
        assert told_row["declarers"] == side_name(row.side, 4)
        assert ("lead" in told_row) == (row.makes is False and row.defended)
    assert out["contracts"][8] == {
        "contract": "solo", "declarers": "S", "trump": "S", "leader": "N", "needs": 5, "makes": False, "lead": "C5",
    }  # fmt: skip
    assert out["seats"]["S"] == {"bid": "misere_ouverte", "units": 4, "trumps": ["N"]}
    assert out["highest"] == {"bid": "misere_ouverte", "units": 4, "declarers": ["S"]}
