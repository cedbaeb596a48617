"""What a replay tells: results, what is owed, discrepancies, deals passed out, unfinished hands."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.records.support import GAMES, finished, match, record_by_lot
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Discrepancy,
    Play,
    Record,
    Stated,
    TakeKitty,
    apply,
    load_game,
    next_exchange,
    read_record,
    record_of,
    replay,
    settle,
    write_record,
)

RAF = load_game("raf")


def test_steps() -> None:
    deal = replay(finished(RAF, 1, deals=2)).deals[1]
    steps = list(deal.steps())
    assert [action for action, _ in steps] == list(deal.actions)
    assert steps[0][1] == deal.start
    last, before = steps[-1]
    assert apply(before, last) == deal.state
    assert sum(isinstance(action, Play) for action, _ in steps) == 48
    assert sum(isinstance(action, TakeKitty) for action, _ in steps) == 1
    assert len(deal.tricks) == 16


def test_results_are_those_of_the_match() -> None:
    for profile in GAMES:
        states = list(match(profile, 5, deals=3, claims=0.0))
        found = replay(record_of(states))
        end = settle(states[-1])
        assert found.state.results == end.results
        assert found.state.totals == end.totals
        assert [deal.result for deal in found.deals if deal.finished] == list(end.results)
        assert found.deals[-1].totals == end.totals


def test_owed_is_what_the_next_deal_asks_for() -> None:
    for profile in GAMES:
        states = list(match(profile, 6, deals=3, claims=0.0))
        for at, state in enumerate(states):
            later = [each for each in states[at:] if each.dealt and each.phase in ("PLAY", "OVER")]
            if not later:
                break
            if state.phase == "DEAL":
                asked = [(each.sender, each.receiver, each.count) for each in later[0].transfers]
                assert [(each.sender, each.receiver, each.count) for each in next_exchange(state)] == asked
            else:
                assert next_exchange(state) == ()
    record = finished(RAF, 1)
    assert replay(record).owed == next_exchange(replay(record).state)


@pytest.mark.parametrize("balances, count", [((0, 0, 0), 0), ((2, -1, -1), 2)])
def test_owed_by_hand(balances: tuple[int, int, int], count: int) -> None:
    record = finished(RAF, 1)
    tricks = [8 + balances[0], 5 + balances[1], 3 + balances[2]]
    claimed = replace(record.deals[0], play=(), claim=tuple(tricks))
    found = replay(replace(record, deals=(claimed,)))
    assert found.deals[0].result is not None
    assert found.deals[0].result.balances == balances
    assert len(found.owed) == count
    if count:  # the old dealer is middle now, eldest deals; he sends both a card, the lower quota second in raf's order
        assert {(each.sender, each.receiver, each.count) for each in found.owed} == {(2, 0, 1), (2, 1, 1)}


def test_a_stated_result_is_kept_apart() -> None:
    record = finished(RAF, 1, deals=2)
    good = replay(record)
    result = good.deals[1].result
    assert result is not None
    d, _, m = result.tricks
    right = replace(record.deals[1], stated=Stated(result.tricks, result.balances, good.deals[1].totals))
    assert replay(replace(record, deals=(record.deals[0], right))).discrepancies == ()
    wrong = replace(record.deals[1], stated=Stated((d + 1, None, m - 1), (None, 9, None), (1, 1, -2)))
    found = replay(replace(record, deals=(record.deals[0], wrong)))
    assert found.deals[1].result == result
    assert found.record.deals[1].stated == wrong.stated
    assert found.state == good.state
    assert found.discrepancies[:3] == (
        Discrepancy(2, "tricks", 0, d + 1, d),
        Discrepancy(2, "tricks", 2, m - 1, m),
        Discrepancy(2, "balances", 1, 9, result.balances[1]),
    )
    assert {each.what for each in found.discrepancies[3:]} == {"totals"}
    assert str(found.discrepancies[0]) == f"deal 2: tricks of D: stated {d + 1}, recounted {d}"
    for form in ("json", "pbn"):
        back = read_record(write_record(found.record, "pbn" if form == "pbn" else "json"))
        assert replay(back).discrepancies == found.discrepancies


def test_an_unfinished_hand_has_no_result() -> None:
    record = finished(RAF, 1)
    begun = replace(record.deals[0], play=record.deals[0].play[:10], stated=Stated(tricks=(8, 5, 3)))
    found = replay(replace(record, deals=(begun,)))
    deal = found.deals[0]
    assert (deal.finished, deal.result, deal.discrepancies) == (False, None, ())
    assert len(deal.tricks) == 3
    assert len(deal.state.trick) == 1
    assert found.state == deal.state
    assert found.owed == ()


def test_deals_passed_out() -> None:
    for profile in (load_game("woburn"), load_game("woburn", {"all_pass": "same_dealer"})):
        record = passed(profile.id, profile.given)
        found = replay(record)
        out = [deal for deal in found.deals if deal.passed_out]
        assert out
        assert all(deal.number == 1 and not deal.finished for deal in out)
        assert [deal.number for deal in found.deals[len(out) :]] == list(range(1, len(record.deals) - len(out) + 1))
        assert found.record == record


def passed(game: str, given: dict[str, Any]) -> Record:
    for seed in range(200):
        record = record_by_lot(load_game(game, given), seed, deals=3, passes=0.9)
        if record is not None and record.deals[0].bids == (None, None, None) and len(record.deals) == 3:
            return record
    raise AssertionError


def test_the_bidder_becomes_the_dealer() -> None:
    tree = json.loads(write_record(finished(load_game("woburn"), 1)))
    dealt = tree["deals"][0]["deal"]
    bid: dict[str, Any] = {"dealer": 1, "deal": dealt, "bids": [8, "pass", 10, "pass"]}
    found = replay(read_record(json.dumps(tree | {"deals": [bid]})))
    state = found.deals[0].state
    assert (state.dealer, state.quotas, state.phase) == (0, (10, 4, 2), "TRUMP")
    assert state.dealt is not None
    hands = read_record(json.dumps(tree)).deals[0].deal.hands
    assert state.dealt.hands == (hands[2], hands[0], hands[1])
    assert found.record.deals[0].dealer == 1
    pbn = write_record(found.record, "pbn")
    assert '[Auction "E"]\n8 Pass - 10\nPass - - -\n' in pbn
    assert '[DealerPlayer "0"]' in pbn
    assert read_record(pbn) == found.record


def test_no_deals() -> None:
    record = Record(RAF, ())
    assert replay(record).deals == ()


def test_states_of_no_match() -> None:
    states = list(match(RAF, 3, deals=3, claims=0.0))
    last = [state for state in states if len(state.results) == 2][-1]
    other = next(match(load_game("woburn"), 3))
    for wrong in ([], [states[0], last], [states[0], other]):
        with pytest.raises(InputError, match="expected"):
            record_of(wrong)
    for names in (("a", "b"), ("a", "b", " c")):
        with pytest.raises(InputError, match="expected"):
            record_of(states[0], names)


def two_down() -> dict[str, Any]:
    """A record whose last deal begins with two parcels of one player, sent together."""
    for seed in range(400):
        record = record_by_lot(RAF, seed, deals=2, claims=0.0)
        if record is not None and len(record.deals) == 2 and len(record.deals[1].exchange) == 2:
            first, second = record.deals[1].exchange
            if first.sender == second.sender:
                tree: dict[str, Any] = json.loads(write_record(record))
                return tree
    raise AssertionError


def test_parcels_sent_together_stand_in_either_order() -> None:
    tree = two_down()
    found = replay(read_record(json.dumps(tree)))
    parcels = tree["deals"][1]["exchange"]
    parcels.reverse()
    assert replay(read_record(json.dumps(tree))).record == found.record
    assert replay(read_record(write_record(read_record(json.dumps(tree)), "pbn"))).record == found.record
    parcels[0]["returned"], parcels[1]["returned"] = parcels[1]["returned"], parcels[0]["returned"]
    with pytest.raises(InputError, match="parcel 2: expected"):
        replay(read_record(json.dumps(tree)))


def test_what_is_owed_in_an_unfinished_exchange() -> None:
    tree = two_down()
    last = tree["deals"][1]
    parcels = last["exchange"]
    tree["deals"][1] = {"deal": last["deal"]}
    owed = [(each.sender, each.receiver, each.count) for each in replay(read_record(json.dumps(tree))).owed]
    ends = [("DEM".index(each["from"]), "DEM".index(each["to"]), len(each["sent"].split())) for each in parcels]
    assert owed == ends
    for at in (0, 1):
        tree["deals"][1]["exchange"] = [parcels[at]]
        del tree["deals"][1]["exchange"][0]["returned"]
        found = replay(read_record(json.dumps(tree)))
        assert [(each.sender, each.receiver, each.count) for each in found.owed] == [ends[1 - at]]
        assert replay(read_record(write_record(found.record))).record == found.record
