"""Records: round trips, the schema, what the rules refuse with its place, and files that pin the format."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.games.sumgait.make_golden import GOLDEN
from tests.games.sumgait.make_golden import files as golden_files
from tests.games.sumgait.support import card, mask, match, options, played, record_by_lot
from tierce.solver.errors import InputError
from tierce.solver.games import (
    RecordError,
    read_any,
    read_record,
    read_records,
    write_any,
)
from tierce.solver.games.options import Value
from tierce.solver.games.sumgait import (
    DealRecord,
    Discrepancy,
    Marriage,
    Play,
    Record,
    Stated,
    new_match,
    record_json,
    record_of,
    replay,
    settle_vist,
    sumgait,
)
from tierce.solver.games.sumgait.match import Tally, impossible
from tierce.solver.games.sumgait.record_json import to_json

SEEDS = st.integers(0, 1 << 30)


def read_one(text: str) -> Record:
    (record,) = read_any(text, "some file")
    assert isinstance(record, Record)
    return record


@cache
def validator() -> Any:
    text = (files("tierce.solver.games.sumgait") / "record.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


# ---- round trips -----------------------------------------------------------------------------------------------------


@given(SEEDS, options, st.integers(0, 2), st.sampled_from((0.0, 0.02, 0.2)))
def test_round_trips(seed: int, given_: Mapping[str, Value], skip: int, stop: float) -> None:
    record = record_by_lot(seed, given_, skip=skip, stop=stop)
    if record is None:
        return
    text = write_any([record])
    assert read_one(text) == record
    assert read_any(to_json(record, line=True)) == (record,)
    validator().validate(json.loads(text))
    found = replay(record)
    assert found.discrepancies == ()
    *before, last = record.deals
    if last.call == "pass" and last.piles is not None and not last.play:  # piles in a known order turn themselves
        assert found.deals[-1].finished
        last = replace(last, play=found.record.deals[-1].play)
    assert found.record == replace(record, deals=(*before, last))


def test_a_pass_that_ends_with_its_piles() -> None:
    test_round_trips.hypothesis.inner_test(14852778, {}, 0, 0.02)  # type: ignore[attr-defined]


@settings(max_examples=40)
@given(SEEDS, options)
def test_a_replay_comes_to_the_same_state(seed: int, given_: Mapping[str, Value]) -> None:
    states = list(match(seed, given_, deals=2))
    found = replay(record_of(states))
    assert found.state == states[-1]
    assert [deal.result for deal in found.deals] == list(states[-1].results)
    for player in range(3):
        assert sum(deal.gained[player] for deal in found.deals) == found.state.tallies[player].vist
    walked = [state for deal in found.deals for _, state in deal.steps()]
    assert walked == [state for state in states if state.phase not in ("SCORE", "OVER")][: len(walked)]


def test_several_records_and_games() -> None:
    from tests.records.support import finished
    from tierce.solver.games import load_game

    records = (played(1), finished(load_game("raf"), 1), played(2))
    text = write_any(records)
    assert len(text.splitlines()) == 3
    assert read_any(text) == records
    assert write_any([finished(load_game("raf"), 1)], "pbn").startswith("%")
    with pytest.raises(InputError, match="expected json for a record of sumgait"):
        write_any(records, "pbn")


def test_the_other_door_refuses_it_clearly() -> None:
    with pytest.raises(RecordError, match="'sumgait', a game of its own kind"):
        read_records(write_any([played()]))
    with pytest.raises(RecordError, match="a game of its own kind"):
        read_record(write_any([played()]))


def test_what_need_not_be_said() -> None:
    record = played()
    tree = json.loads(write_any([record]))
    deal = tree["deals"][0]
    assert (deal["call"], deal["rob"]) == ("play", deal["rob"])
    del deal["call"], tree["deals"][0]["declarer"]
    if deal["rob"] == "nobody":
        del deal["rob"]
    deal.pop("piles", None)
    deal["play"] = " ".join(deal["play"]).lower()
    lean = read_one(json.dumps(tree))
    assert replay(lean).state.tallies == replay(record).state.tallies
    assert replay(lean).record.deals[0].call == "play"


def test_a_record_from_the_middle_of_a_deal() -> None:
    """Whoever robbed in this deal had not done so before it, or he could not have."""
    for seed in range(200):
        for state in match(seed, {"robbery_scope": "match"}, deals=2):
            if state.number == 2 and state.robbed is not None and state.tricks:
                record = record_of(state)
                assert record.context is not None and state.declarer not in record.context.robbers
                assert replay(record).state == replace(state, results=())
                return
    raise AssertionError


def test_record_of_refused() -> None:
    for states, expected in (
        ((), "at least one state"),
        (list(match(1)) + list(match(1, {"vist_floor": True})), "one"),
    ):
        with pytest.raises(InputError, match="expected") as refused:
            record_of(states)
        assert expected in refused.value.message
    states = [state for state in match(1, deals=3) if state.number != 2]
    with pytest.raises(InputError, match="in their order"):
        record_of(states)
    with pytest.raises(InputError, match="three names"):
        record_of(states, ("A", "B"))


# ---- the schema and the docstring ------------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(validator().schema)


def names_of(schema: Any) -> set[str]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = set(schema.get("properties", ())) if isinstance(schema, dict) else set()
    return own.union(*(names_of(each) for each in inner))


def test_the_example_of_the_docstring() -> None:
    names = set(re.findall(r'"(\w+)":', record_json.__doc__ or ""))
    assert names - {"joker_resolution"} == names_of(validator().schema)


def test_the_example_is_a_record_but_for_its_cards() -> None:
    """The columns of the docstring's second deal, taken out of it."""
    text = re.search(r"\{\s+\"declarer\": 1.*?\[3, 15, 0\]\s+\}", record_json.__doc__ or "", re.DOTALL)
    assert text is not None
    deal = json.loads(text[0])
    assert deal["declarer"] == 1
    del deal["declarer"]
    record = read_one(json.dumps({"tierce_record": 1, "game": "sumgait", "deals": [deal]}))
    assert replay(record).deals[0].result is not None


def test_the_declarer_may_be_told_as_he_is_printed() -> None:
    tree = json.loads(SAMPLE.read_text(encoding="utf-8"))
    for number, deal in enumerate(tree["deals"], 1):
        deal["declarer"] = f"player {number}"
    validator().validate(tree)
    assert [deal.declarer for deal in read_one(json.dumps(tree)).deals] == [0, 1, 2]
    tree["deals"][1]["declarer"] = "player 1"
    with pytest.raises(RecordError, match=r"expected 1 \(player 2\) to declare, found 0 \(player 1\)"):
        replay(read_one(json.dumps(tree)))


# ---- what is stated --------------------------------------------------------------------------------------------------

SAMPLE = Path(__file__).parents[2] / "data" / "sumgait_sample.json"


def test_the_sample_record() -> None:
    (record,) = read_any(SAMPLE)
    assert isinstance(record, Record)
    found = replay(record)
    assert found.discrepancies == (Discrepancy(3, "vist", 0, 1050, 960),)
    assert str(found.discrepancies[0]) == "deal 3: vist of player 1: stated 1050, recounted 960"
    assert [(tally.game, tally.vist) for tally in found.state.tallies] == [(180, 960), (460, 620), (60, 240)]
    validator().validate(json.loads(SAMPLE.read_text(encoding="utf-8")))


def test_every_column_is_compared() -> None:
    rows = DealRecord(tricks=(11, 4, 3), stated=Stated((11, 5, None), (40, 0, 1), (0, None, 0)))
    found = replay(Record(sumgait(), (rows,)))
    assert [(each.what, each.player, each.stated, each.recounted) for each in found.discrepancies] == [
        ("tricks", 1, 5, 4),
        ("game", 2, 1, 0),
        ("vist", 2, 0, 120),
    ]


# ---- what is refused -------------------------------------------------------------------------------------------------


def refused(deals: list[dict[str, Any]], **top: Any) -> RecordError:
    tree = {"tierce_record": 1, "game": "sumgait", "deals": deals} | top
    with pytest.raises(RecordError, match="expected") as found:
        replay(read_one(json.dumps(tree)))
    error = found.value
    assert error.file == "some file"
    return error


def deal_of(**changes: Any) -> dict[str, Any]:
    deal: dict[str, Any] = json.loads(write_any([played()]))["deals"][0]
    deal |= changes
    return {name: value for name, value in deal.items() if value is not None}


ROW = {"tricks": [10, 8, 0]}


@pytest.mark.parametrize(
    ("deals", "code", "field", "number"),
    [
        ([{}], "missing", None, 1),
        ([ROW | {"tricks": [10, 8, 1]}], "wrong_outcome", "tricks", 1),
        ([ROW | {"tricks": [10, 8]}], "wrong_type", "tricks", 1),
        ([ROW | {"rob": "next"}], "not_due", "rob", 1),
        ([ROW | {"rob": "me"}], "wrong_type", "rob", 1),
        ([ROW | {"given": {"next": "S2 S3", "other": "S4 S5"}}], "not_due", "given", 1),
        ([ROW | {"play": ["SA SK SQ"]}], "not_due", "play", 1),
        ([ROW | {"piles": {"next": "", "other": ""}}], "not_due", "piles", 1),
        ([ROW | {"marriages": [{"suit": "H", "trick": 2}]}], "not_due", "marriages", 1),
        ([ROW | {"marriages": [{"suit": "H"}, {"suit": "H"}]}], "illegal_marriage", "marriages", 1),
        ([ROW | {"marriages": [{"suit": "N"}]}], "wrong_type", "marriages", 1),
        ([ROW | {"marriages": [{"suit": "H"}], "call": "pass"}], "illegal_marriage", "marriages", 1),
        ([ROW | {"call": "solo"}], "wrong_type", "call", 1),
        ([ROW, ROW | {"declarer": 0}], "wrong_declarer", "declarer", 2),
        ([ROW | {"declarer": 3}], "wrong_type", "declarer", 1),
        ([ROW | {"claim": {}}], "unknown_field", None, 1),
        ([ROW | {"result": {"game": [1, 2]}}], "wrong_type", "result", 1),
        ([ROW | {"result": {"total": [1, 2, 3]}}], "unknown_field", "result", 1),
        ([], "missing", "deals", None),
    ],
)  # fmt: skip
def test_refused(deals: list[dict[str, Any]], code: str, field: str | None, number: int | None) -> None:
    error = refused(deals)
    assert (error.code, error.field, error.deal) == (code, field, number), error


def test_no_deal_after_the_match() -> None:
    slam = [{"suit": suit} for suit in "SHDC"]
    rows = [[18, 0, 0], [0, 18, 0], [0, 0, 18], [18, 0, 0]]
    error = refused([{"tricks": row, "marriages": slam} for row in rows])
    assert (error.code, error.deal) == ("match_over", 4)


def test_refused_at_the_top() -> None:
    for top, code in (
        ({"tierce_record": 2}, "newer_version"),
        ({"tierce_record": "1"}, "version"),
        ({"options": {"end": "twelve"}}, "option"),
        ({"options": {"joker_free": "yes"}}, "wrong_type"),
        ({"players": ["A", "B"]}, "wrong_type"),
        ({"players": ["A", "B", ""]}, "name"),
        ({"x": 1}, "unknown_field"),
    ):
        assert refused([ROW], **top).code == code


CONTEXT = {"deal": 4, "declarer": 0, "game": [180, 460, 60], "vist": [960, 620, 240]}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"deal": 1}, "context"),
        ({"deal": 1001}, "context"),
        ({"declarer": 3}, "wrong_type"),
        ({"game": [1000, 1000, 1000]}, "context"),
        ({"failures": [1, 0, 0]}, "context"),
        ({"failures": [0, 0, -1]}, "context"),
        ({"game": [880, 0, 0], "failures": [3, 0, 0]}, "context"),
        ({"game": [900, 0, 0]}, "context"),
        ({"game": [0, 1010, 0]}, "context"),
        ({"game": [180, 460, 65]}, "context"),
        ({"vist": [960, 620, 241]}, "context"),
        ({"robbers": [3]}, "wrong_type"),
        ({"vist": [0, 0]}, "wrong_type"),
        ({"x": 0}, "unknown_field"),
    ],
)
def test_contexts_refused(change: dict[str, Any], code: str) -> None:
    error = refused([ROW], context=CONTEXT | change)
    assert error.code == code and (error.field or "").startswith("context")


def test_a_cell_that_no_match_comes_to_is_told() -> None:
    error = refused([ROW], context=CONTEXT | {"game": [180, 900, 60]})
    assert error.field == "context.game"
    assert error.message == (
        "expected game of player 2 to be at most 880, or 1000 (from 880 on all is cut to 880), found 900"
    )


@settings(max_examples=40)
@given(SEEDS, options)
def test_columns_of_matches_are_possible(seed: int, given_: Mapping[str, Value]) -> None:
    for state in match(seed, given_):
        assert impossible(state.tallies, state.game.options) is None
    far = (Tally(), Tally(vist=-2 * 10**6), Tally())
    assert impossible(far, {**sumgait().options}) == (
        "vist",
        "vist of player 2 to be from -1000000 to 1000000",
        -2000000,
    )


def test_a_context() -> None:
    context = CONTEXT | {"game": [880, 460, 60], "failures": [2, 0, 0], "robbers": [1]}
    tree = {"tierce_record": 1, "game": "sumgait", "context": context, "deals": [ROW]}
    record = read_one(json.dumps(tree))
    assert read_one(write_any([record])) == record
    found = replay(record)
    assert (found.deals[0].number, found.state.robbers) == (4, frozenset({1}))
    assert [tally.game for tally in found.state.tallies] == [760, 460, 60], "the third failure"


def test_deals_with_cards_refused() -> None:
    given = deal_of()["given"]
    play = deal_of()["play"]
    for changes, code, field in (
        ({"deal": deal_of()["deal"].replace("/", "")}, "deal_syntax", "deal"),
        ({"given": None}, "missing", "given"),
        ({"given": {"next": given["next"]}}, "missing", "given"),
        ({"given": given | {"next": given["other"]}}, "give_size", "given"),
        ({"tricks": [18, 0, 0]}, "not_due", "tricks"),
        ({"play": [*play, "SA SK SQ"]}, "too_many_tricks", "play"),
        ({"play": ["SA SK", *play[1:]]}, "trick_size", "play"),
        ({"play": [" ".join(play[0].split()[::-1]), *play[1:]]}, "wrong_turn", "play"),
        ({"play": ["SA SK XX", *play[1:]]}, "card_syntax", "play"),
        ({"marriages": [{"suit": "H"}]}, "missing", "marriages"),
        ({"marriages": [{"suit": "H", "trick": 19}]}, "wrong_type", "marriages"),
        ({"play": play[:3], "marriages": [{"suit": "H", "trick": 9}]}, "not_due", "marriages"),
        ({"marriages": [{"suit": "H", "trick": 9}, {"suit": "S", "trick": 3}]}, "illegal_marriage", "marriages"),
        ({"marriages": [{"suit": "H", "trick": 1}]}, "illegal_marriage", "marriages"),
        ({"call": "misere"}, "illegal_marriage", "marriages"),
    ):
        error = refused([deal_of(**changes)])
        assert (error.code, error.field, error.deal) == (code, field, 1), error
    error = refused([deal_of(play=play[:1], marriages=None), ROW])
    assert (error.code, error.deal) == ("unfinished", 2)
    wrong = refused([deal_of(play=["SA", *play[1:]])])
    assert "trick 1" in wrong.message


def test_a_pass_with_its_piles_need_not_be_written_down() -> None:
    for seed in range(50):
        record = record_by_lot(seed, told=0.0)
        if record is not None and record.deals[0].call == "pass" and record.deals[0].piles and record.deals[0].play:
            break
    else:
        raise AssertionError
    bare = replace(record, deals=(replace(record.deals[0], play=()), *record.deals[1:]))
    assert replay(bare).record == replay(record).record
    assert replay(bare).state == replay(record).state


def test_unfinished_deals() -> None:
    """A record may end anywhere; the phase it ends in."""
    full = played().deals[0]
    steps = [
        (replace(full, rob=None, given=None, call="", piles=None, play=(), marriages=()), "ROB"),
        (replace(full, given=None, call="", piles=None, play=(), marriages=()), "GIVE"),
        (replace(full, call="", piles=None, play=(), marriages=()), "CALL"),
        (replace(full, piles=None, play=(), marriages=()), "SHUFFLE"),
        (replace(full, play=full.play[:1], marriages=()), "PLAY"),
    ]
    for deal, phase in steps:
        record = Record(sumgait(), (deal,))
        found = replay(record)
        assert (found.state.phase, found.deals[0].finished) == (phase, False)
        assert read_one(write_any([record])) == record
        assert found.record == record


def test_a_call_before_the_kitty() -> None:
    game = sumgait({"misere_time": "before_kitty"})
    full = played().deals[0]
    early = replace(full, given=None, call="misere", piles=None, play=(), marriages=())
    found = replay(Record(game, (early,)))
    assert (found.state.phase, found.state.call) == ("GIVE", "misere")
    later = replace(full, call="misere", piles=None, play=(), marriages=())
    assert replay(Record(game, (later,))).state.phase == "SHUFFLE"
    usual = replace(full, call="", piles=None, play=(), marriages=())
    assert replay(Record(game, (usual,))).state.phase == "CALL"


# ---- mutated records -------------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, 10**18, 1.5, "", "S2", "J1", "next", "nobody", "pass", "misere", "SA SK",
    "D:A... K... Q... / J...", [], [1], {}, {"next": "S2"}, ["S2"], [0, 0, 18], "N", "\x00", "é", {"suit": "H"},
    [{"suit": "S", "trick": 3}], "100000000000000000000000",
)  # fmt: skip


def paths(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(each for name, value in inner for each in paths(value, (*path, name)))]


def mutate(tree: Any, rng: random.Random) -> Any:
    """The tree with one thing changed, left out, doubled, scrambled, exchanged with another or added."""
    tree = copy.deepcopy(tree)
    *way, last = rng.choice(paths(tree)[1:])
    inner = tree
    for step in way:
        inner = inner[step]
    kind = rng.randrange(6)
    if kind == 0:
        inner[last] = rng.choice(ODD)
    elif kind == 1:
        del inner[last]
    elif kind == 2 and isinstance(inner, list):
        inner.insert(last, copy.deepcopy(inner[last]))
    elif kind == 3 and isinstance(inner[last], str):
        at = rng.randrange(len(inner[last]) + 1)
        new = "".join(rng.choices("SHDCJ123TQKA .:/-", k=rng.randrange(3)))
        inner[last] = inner[last][:at] + new + inner[last][at + rng.randrange(4) :]
    elif kind == 4:
        other = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        inner[last], inner[other] = inner[other], inner[last]
    elif isinstance(inner, dict):
        names = ("rob", "given", "call", "piles", "play", "marriages", "tricks", "result", "context", "options", "x")
        inner[rng.choice(names)] = rng.choice(ODD)
    return tree


@given(SEEDS, SEEDS, options)
def test_mutated_records_are_read_or_refused(which: int, seed: int, given_: Mapping[str, Value]) -> None:
    rng = random.Random(seed)
    record = record_by_lot(which, given_, skip=which % 2)
    if record is None:
        return
    tree = json.loads(write_any([record]))
    for _ in range(rng.randint(1, 2)):
        tree = mutate(tree, rng)
    try:
        for found in read_any(json.dumps(tree), "some file"):
            assert read_any(write_any([found])) == (found,)
            if isinstance(found, Record):
                assert replay(found).record.game == found.game
    except RecordError as error:
        assert (error.code and error.message.startswith("expected")) or "expected" in error.message
        assert error.file == "some file"


def test_a_pile_told_as_empty_is_written_so() -> None:
    """The rules refuse it where they are asked; what was read is written as it can be read."""
    record = read_one(
        json.dumps({"tierce_record": 1, "game": "sumgait", "deals": [deal_of(piles={"next": "SA", "other": ""})]})
    )
    assert read_one(write_any([record])) == record


# ---- files that pin the format ---------------------------------------------------------------------------------------


def test_the_files_are_those_that_are_made() -> None:
    made = dict(golden_files())
    assert {file.name: file.read_text(encoding="utf-8") for file in GOLDEN.iterdir()} == made


@pytest.mark.parametrize("name", ["match.json", "later.json", "deals.jsonl"])
def test_read_and_written(name: str) -> None:
    text = (GOLDEN / name).read_text(encoding="utf-8")
    records = read_any(GOLDEN / name)
    assert write_any(records) == text
    for record in records:
        assert isinstance(record, Record)
        assert replay(record).record == record
        validator().validate(json.loads(to_json(record)))


def test_what_they_say() -> None:
    (whole,) = read_any(GOLDEN / "match.json")
    assert isinstance(whole, Record)
    found = replay(whole)
    assert found.state.phase == "OVER" and found.discrepancies == ()
    assert sum(settle_vist([tally.vist for tally in found.state.tallies]).nets) == 0
    assert {deal.call for deal in whole.deals} == {"play", "pass", "misere"}
    assert any(deal.play for deal in whole.deals) and any(deal.tricks for deal in whole.deals)
    (later,) = read_any(GOLDEN / "later.json")
    assert isinstance(later, Record) and later.context is not None
    assert replay(later).state.trick != ()
    calls = [replay(record).deals[0] for record in read_any(GOLDEN / "deals.jsonl") if isinstance(record, Record)]
    assert [deal.state.call for deal in calls] == ["play", "pass", "misere"]
    assert [deal.state.robbed is None for deal in calls] == [False, True, True]
    assert all(deal.finished for deal in calls)
    assert len(calls[0].state.marriages) > 1


def test_actions_of_a_deal() -> None:
    record = played()
    deal = replay(record).deals[0]
    marriages = [action.card >> 4 for action in deal.actions if isinstance(action, Play) and action.marriage]
    assert marriages == [marriage.suit for marriage in record.deals[0].marriages]
    assert record.deals[0].marriages == tuple(Marriage(each.suit, each.trick) for each in record.deals[0].marriages)
    assert new_match(sumgait()).phase == "DEAL" and mask("J1") == 1 << card("J1")
