"""Records of Solo Whist: a hand of each contract made and failed, both formats, what is refused; deals of bridge."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.records.support import match, record_by_lot
from tests.records.test_schema import validator
from tierce.solver.cards import card_name, parse_card
from tierce.solver.games import (
    CONTRACTS,
    Record,
    RecordError,
    ReplayedDeal,
    load_game,
    read_record,
    read_records,
    record_of,
    replay,
    write_record,
    write_records,
)
from tierce.solver.games.context import state_after
from tierce.solver.games.dealing import turned_by_lot
from tierce.solver.games.record_other import read_deals

WHIST = load_game("solo_whist")
FILE = Path(__file__).parents[1] / "data" / "solo_playthroughs.jsonl"


@cache
def playthroughs() -> tuple[Record, ...]:
    return read_records(FILE)


def outcome(deal: ReplayedDeal) -> tuple[str, bool | None]:
    assert deal.result is not None
    contract = deal.result.contract
    return ("void", None) if contract is None else (contract.name, contract.made(deal.result.tricks))


# ---- playthroughs ----------------------------------------------------------------------------------------------------


def test_each_contract_made_and_failed() -> None:
    deals = [replay(record).deals[0] for record in playthroughs()]
    both = [(name, made) for name in CONTRACTS for made in (True, False)]
    assert [outcome(deal) for deal in deals] == [*both, ("void", None), ("void", None)]


def test_the_stated_results_are_those_of_the_recount() -> None:
    for record in playthroughs():
        found = replay(record)
        assert found.discrepancies == () and found.record == record
        assert found.deals[0].finished and found.state.totals == record.deals[0].stated.totals  # type: ignore[union-attr]
        validator().validate(json.loads(write_record(record)))


def test_the_dealer_by_the_letter_of_the_seat() -> None:
    for record in playthroughs():
        text = write_record(record)
        tree = json.loads(text)
        number = tree["deals"][0]["dealer"]
        tree["deals"][0]["dealer"] = "NESW"[number]
        validator().validate(tree)
        assert write_record(read_record(json.dumps(tree))) == text and isinstance(number, int)
    tree["deals"][0]["dealer"] = "D"
    assert not validator().is_valid(tree)
    with pytest.raises(RecordError, match=r"expected a player 0, 1, 2 or 3 \(N, E, S or W\), found 'D'"):
        read_record(json.dumps(tree))


def test_a_wrong_result_is_told() -> None:
    record = playthroughs()[0]
    stated = record.deals[0].stated
    assert stated is not None and stated.tricks[0] is not None
    wrong = replace(stated, tricks=(stated.tricks[0] + 1, *stated.tricks[1:]))
    found = replay(replace(record, deals=(replace(record.deals[0], stated=wrong),))).discrepancies
    assert [str(each) for each in found] == [
        f"deal 1: tricks of N: stated {stated.tricks[0] + 1}, recounted {stated.tricks[0]}"
    ]


def test_playthroughs_in_pbn() -> None:
    text = write_records(playthroughs(), "pbn")
    assert read_records(text) == playthroughs()
    assert text.count('[Game "solo_whist"]') == len(playthroughs())


# ---- matches by lot --------------------------------------------------------------------------------------------------


@given(st.integers(0, 1 << 20), st.integers(0, 3), st.sampled_from([0.0, 0.003]))
def test_round_trips_of_matches(seed: int, skip: int, stop: float) -> None:
    record = record_by_lot(WHIST, seed, skip=skip, deals=9, passes=0.6, claims=0.005, stop=stop)
    if record is None:
        return
    assert replay(record).record == record
    for form in ("json", "pbn"):
        text = write_record(record, form)
        assert read_record(text) == record
    assert write_record(read_record(write_record(record, "pbn"))) == write_record(record)


def test_the_context_of_a_later_deal() -> None:
    states = list(match(WHIST, 4, deals=3, passes=0.5, claims=0.0))
    between = next(state for state in states if len(state.results) == 2 and state.phase == "DEAL")
    record = record_of([between, *states[states.index(between) + 1 :]])
    assert record.context is not None and record.context.number == 3
    again = state_after(WHIST, record.context)
    assert (again.dealer, again.totals, again.results[-1]) == (between.dealer, between.totals, between.results[-1])
    assert len(again.results) == 2 and again.quotas == (0,) * 4


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"totals": [1, 0, 0, 0]}, "context"),
        ({"totals": [0, 0, 0]}, "context.totals"),
        ({"deal": 1}, "context"),
        ({"previous": {"dealer": 4, "tricks": {"N": 0, "E": 0, "S": 0, "W": 0}}}, "context.previous"),
        ({"previous": {"dealer": 0, "tricks": {"N": 13, "E": 0, "S": 0, "W": 0}}}, "context"),
        ({"previous": {"dealer": 0, "contract": "solo", "declarers": ["N"], "call": "N"}}, "context.previous"),
        (
            {"previous": {"dealer": 0, "declarers": ["N"], "tricks": {"N": 0, "E": 0, "S": 0, "W": 0}}},
            "context.previous",
        ),
        ({"used": [["S"], [], [], []]}, "context"),
    ],
)
def test_a_context_that_cannot_be(change: dict[str, Any], field: str) -> None:
    previous = {"dealer": 0, "contract": "misere", "declarers": ["N"], "tricks": {"N": 0, "E": 13, "S": 0, "W": 0}}
    context = {"deal": 2, "totals": [6, -2, -2, -2], "previous": previous}
    tree = json.loads(write_record(playthroughs()[1]))
    tree["deals"][0].pop("result")
    tree["deals"][0]["dealer"] = 1
    deal = replace(playthroughs()[1].deals[0], stated=None, dealer=1)
    deal = replace(deal, turned=next(card for card in range(64) if deal.deal.hands[1] >> card & 1), bids=(), play=())
    base = json.loads(write_record(replace(playthroughs()[1], deals=(deal,)))) | {"context": context}
    assert replay(read_record(json.dumps(base))).state.totals == (6, -2, -2, -2)
    with pytest.raises(RecordError) as caught:
        replay(read_record(json.dumps(base | {"context": context | change})))
    assert (caught.value.field or "").startswith(field), caught.value


# ---- what is refused -------------------------------------------------------------------------------------------------


def changed(number: int, **fields: Any) -> str:
    """A playthrough with fields of its deal changed, or left out (None)."""
    tree = json.loads(write_record(playthroughs()[number]))
    tree["deals"][0] |= fields
    tree["deals"][0] = {name: value for name, value in tree["deals"][0].items() if value is not None}
    return json.dumps(tree)


@pytest.mark.parametrize(
    ("number", "fields", "code", "field"),
    [
        (0, {"turned": None}, "wrong_turned", "turned"),
        (0, {"turned": "J1"}, "joker", "turned"),
        (0, {"dealer": 4}, "wrong_type", "dealer"),
        (0, {"bids": ["pass", "slam"]}, "wrong_type", "bids"),
        (0, {"bids": [8]}, "wrong_type", "bids"),
        (0, {"bids": ["cop"], "play": None}, "illegal_bid", "bids"),
        (0, {"bids": ["prop"]}, "missing", "bids"),
        (0, {"discard": "SA"}, "unknown_field", None),
        (0, {"kitty": "SA"}, "unknown_field", None),
        (0, {"deal": "D:A... .A.. ..A."}, "wrong_deal", "deal"),
        (0, {"play": ["SA"]}, None, "play"),
        (0, {"claim": {"D": 1, "E": 2, "M": 3}}, "unknown_field", "claim"),
        (2, {"trump": "N"}, "illegal_trump", "trump"),
        (6, {"trump": "N"}, "illegal_trump", "trump"),
        (6, {"trump": None}, "missing", "trump"),
        (14, {"play": ["SA HA DA CA"]}, "not_due", "play"),
        (14, {"trump": "S"}, "not_due", "trump"),
    ],
)
def test_refused(number: int, fields: dict[str, Any], code: str | None, field: str | None) -> None:
    with pytest.raises(RecordError) as caught:
        replay(read_record(changed(number, **fields)))
    error = caught.value
    assert (error.field, error.deal) == (field, 1), str(error)
    assert code is None or error.code == code, str(error)
    assert "expected" in error.message and "found" in error.message


@pytest.mark.parametrize(
    ("number", "more", "expected"),
    [
        (0, 1, "expected 5 bids and passes, after which the auction is over (Prop and Cop of S and W), found 6"),
        (2, 3, "expected 4 bids and passes, after which the auction is over (Solo of S), found 7"),
        (14, 1, "expected 4 bids and passes, after which the auction is over (the deal is void), found 5"),
        (15, 2, "expected 6 bids and passes, after which the auction is over (the deal is void), found 8"),
    ],
)
def test_bids_after_the_end_of_the_auction(number: int, more: int, expected: str) -> None:
    bids = json.loads(write_record(playthroughs()[number]))["deals"][0]["bids"]
    with pytest.raises(RecordError) as caught:
        replay(read_record(changed(number, bids=[*bids, *["pass"] * more])))
    assert (caught.value.code, caught.value.field, caught.value.message) == ("not_due", "bids", expected)


def test_who_has_not_bid_is_told() -> None:
    with pytest.raises(RecordError, match="expected a bid of E before a card, found none"):
        replay(read_record(changed(0, bids=["pass", "prop"])))


def test_a_trump_may_be_told_though_nobody_names_it() -> None:
    record = playthroughs()[2]  # a Solo
    call = replay(record).deals[0].state.call
    again = read_record(changed(2, trump=call))
    assert again.deals[0].call == call and replay(again).record == record


def test_a_void_deal_counts_and_the_next_follows() -> None:
    void, solo = playthroughs()[14], playthroughs()[2].deals[0]
    dealer = ((void.deals[0].dealer or 0) + 1) % 4
    turned = parse_card(card_name(turned_by_lot(solo.deal, dealer)))
    after = replace(solo, dealer=dealer, turned=turned, bids=(), play=(), stated=None)
    found = replay(replace(void, deals=(void.deals[0], after)))
    assert [deal.number for deal in found.deals] == [1, 2] and found.deals[0].finished
    assert not found.deals[0].passed_out and found.state.phase == "BID"


# ---- deals of other files --------------------------------------------------------------------------------------------

HANDS = "N:98765.T9.J7.9854 32.876432.653.62 AK4.Q5.T9842.J73 QJT.AKJ.AKQ.AKQT"
SOUTH, WEST, NORTH, EAST = "SAK4HQ5DT9842CJ73", "SQJTHAKJDAKQCAKQT", "S98765HT9DJ7C9854", "S32H876432D653C62"
BRIDGE = f"""% PBN 2.1
[Event "A match"]
[Board "3"]
[North "Cid"]
[Dealer "S"]
[Vulnerable "EW"]
[Deal "{HANDS}"]
[Declarer "W"]
[Contract "3NT"]
[Auction "S"]
Pass 1NT Pass 3NT
Pass Pass Pass
[Play "N"]
S9 S3 SA ST
"""


@pytest.mark.parametrize(("digit", "dealer"), [("1", 2), ("2", 3), ("3", 0), ("4", 1)])
@pytest.mark.parametrize("last", [f",{EAST}", ",", ""])
def test_lin(digit: str, dealer: int, last: str) -> None:
    text = f"pn|Ann,Bob,Cid,Dee|st||md|{digit}{SOUTH},{WEST},{NORTH}{last}|rh||ah|Board 1|mb|p|mb|1N|pg||\npc|SA|"
    (record,) = read_deals(text, WHIST)
    (deal,) = record.deals
    assert (str(deal.deal), deal.dealer, deal.bids, deal.play) == (HANDS, dealer, (), ())
    assert record.players == ("Cid", "Dee", "Ann", "Bob")
    assert deal.turned is not None and deal.deal.hands[dealer] >> deal.turned & 1
    assert replay(record).state.phase == "BID"
    assert read_deals(text.encode(), WHIST) == (record,)


def test_lin_with_voids_small_letters_and_two_tables() -> None:
    hands = "SAKQJT98765432,HAKQJT98765432,DAKQJT98765432,CAKQJT98765432"
    text = f"qx|o1|md|1{hands.lower()}|sv|o|qx|c1|md|1{hands.lower()}|qx|o2|md|4{SOUTH},{WEST},{NORTH}|md||"
    first, second = read_deals(text, WHIST)
    assert [hand.bit_count() for hand in first.deals[0].deal.hands] == [13] * 4
    assert str(first.deals[0].deal) == "N:..AKQJT98765432. ...AKQJT98765432 AKQJT98765432... .AKQJT98765432.."
    assert str(second.deals[0].deal) == HANDS and first.players is None


@pytest.mark.parametrize(
    "md",
    ["9" + SOUTH, f"1{SOUTH},{WEST}", f"1{SOUTH},{SOUTH},{NORTH}", f"1SAK4,{WEST},{NORTH}", f"1{SOUTH},??,{NORTH}"],
)
def test_lin_refused(md: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_deals(f"pn|a,b,c,d|\nmd|{md}|", WHIST, "a.lin")
    assert (caught.value.file, caught.value.line) == ("a.lin", 2) and "expected" in caught.value.message
    with pytest.raises(RecordError):
        read_deals("pn|a,b,c,d|", WHIST)


@given(st.text(alphabet="md|13SHDCAKQ,.\n pn", max_size=60))
def test_any_lin_is_read_or_refused(text: str) -> None:
    try:
        for record in read_deals("md|" + text, WHIST):
            assert len(record.deals) == 1
    except RecordError as error:
        assert "expected" in str(error)


def test_a_bridge_game() -> None:
    (record,) = read_deals(BRIDGE, WHIST)
    (deal,) = record.deals
    assert (str(deal.deal), deal.dealer, deal.bids, deal.play) == (HANDS, 2, (), ())
    assert deal.turned == turned_by_lot(deal.deal, 2)
    with pytest.raises(RecordError, match="expected a Game tag"):
        read_records(BRIDGE)


def test_a_bridge_game_with_a_turned_card_or_a_trump() -> None:
    told = BRIDGE.replace("[Board", '[Turned "DT"]\n[Board')
    assert read_deals(told, WHIST)[0].deals[0].turned == parse_card("DT")
    trump = BRIDGE.replace("[Board", '[Trump "H"]\n[Board')
    card = read_deals(trump, WHIST)[0].deals[0].turned
    assert card in (parse_card("HQ"), parse_card("H5"))
    none = (
        BRIDGE.replace('[Dealer "S"]', '[Dealer "N"]')
        .replace("T9.J7.9854", ".JT97.9854")
        .replace("[Board", '[Trump "H"]\n[Board')
    )
    none = none.replace("AK4.Q5.T9842.J73", "AK4.QT95.842.J73")
    with pytest.raises(RecordError, match="expected a card of hearts in the dealer's hand to turn up, found none"):
        read_deals(none, WHIST)


def test_our_own_records_are_read_as_they_are() -> None:
    for form in ("json", "pbn"):
        assert read_deals(write_records(playthroughs()[:1], form), WHIST) == playthroughs()[:1]
    with pytest.raises(ValueError, match="expected a game of four hands, found raf with 3"):
        read_deals(BRIDGE, load_game("raf"))


@pytest.mark.parametrize(
    ("old", "new", "code", "field"),
    [
        (r'\[Turned "..".*\n', "", "missing", "turned"),
        (r'\[Turned "', '[Turned "X', "card_syntax", "turned"),
        (r'\[Auction "(.)"', '[Auction "Z"', "seat", "bids"),
        (r"Pass", "Slam", "illegal_bid", "bids"),
        (r'\[Trump "."\]\n', "", "wrong_turn", "play"),
        (r'\[Deal "N:(\S+) ', r'[Deal "N:- ', "unknown_hand", "Deal"),
        (r'\[Result "N:\d+', '[Result "D:3', "seat", "tricks"),
        (r'\[Result "N:\d+ ', '[Result "N:1 N:2 ', "pbn_syntax", "tricks"),
        (r'\[TotalsAfter "[^ ]+ ', '[TotalsAfter "', "wrong_type", "result"),
    ],
)
def test_pbn_refused(old: str, new: str, code: str, field: str) -> None:
    text = write_record(playthroughs()[2], "pbn")
    assert re.search(old, text)
    with pytest.raises(RecordError) as caught:
        read_record(re.sub(old, new, text, count=1))
    assert (caught.value.code, caught.value.field) == (code, field), str(caught.value)


def test_hands_and_games_do_not_mix() -> None:
    text = write_record(playthroughs()[2], "pbn")
    with pytest.raises(RecordError, match="expected three hands and '-' for W, found 4 hands"):
        read_record(text.replace('"solo_whist"', '"raf"'))
