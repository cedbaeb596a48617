"""Views of Sumgait Driller as JSON: there and back, against the schema, and what is refused."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.games.sumgait.support import match, options
from tests.records.test_schema import names_of
from tierce.solver.cards import mask_of
from tierce.solver.games.options import Value
from tierce.solver.games.sumgait import (
    Call,
    DealCards,
    Give,
    Play,
    Rob,
    Shuffle,
    State,
    TakeKitty,
    apply,
    cards_of,
    legal,
    new_match,
    random_deal,
    sumgait,
    view,
)
from tierce.solver.piles import view_json as module
from tierce.solver.piles.view_json import view_json
from tierce.solver.piles.view_json_read import ViewError, read_view

SEEDS = st.integers(0, 1 << 40)


@cache
def validator() -> Any:
    text = (files("tierce.solver.piles") / "view.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def state_at(tricks: int, *, robbed: int | None = 1, seed: int = 4) -> State:
    """A deal that somebody plays, so many tricks of it over and his turn."""
    rng = random.Random(seed)
    state = apply(new_match(sumgait(), 1), DealCards(random_deal(seed)))
    state = apply(apply(state, Rob(robbed)), TakeKitty())
    four = rng.sample(cards_of(state.hands[0]), 4)
    state = apply(apply(state, Give(mask_of(four[:2]), mask_of(four[2:]))), Call("play"))
    state = apply(state, Shuffle(None))
    while len(state.tricks) < tricks or state.mover != 0:
        plays = legal(state)[0].choices
        state = apply(state, rng.choice([each for each in plays if isinstance(each, Play) and each.marriage] or plays))
    return state


WRITTEN: dict[str, Any] = view_json(view(state_at(3)))


@settings(max_examples=25)
@given(SEEDS, options)
def test_there_and_back(seed: int, given_: Mapping[str, Value]) -> None:
    rng = random.Random(seed)
    for state in match(seed, given_):
        if state.dealt is None or (state.phase == "PLAY" and rng.random() < 0.95):
            continue
        seen = view(state)
        tree = json.loads(json.dumps(view_json(seen)))
        assert read_view(tree) == seen
        assert read_view(json.dumps(tree)) == seen
        validator().validate(tree)


@settings(max_examples=15)
@given(SEEDS, options)
def test_what_follows_may_be_left_out(seed: int, given_: Mapping[str, Value]) -> None:
    rng = random.Random(seed)
    states = [state for state in match(seed, given_, deals=1) if state.dealt is not None]
    seen = view(rng.choice(states))
    tree = view_json(seen)
    for name in ("trump", "counts", "taken", "known", "unseen", "game"):
        tree.pop(name, None)
    for trick in (*tree.get("tricks", ()), *([tree["trick"]] if "trick" in tree else [])):
        trick.pop("leader")
        trick.pop("winner", None)
    assert read_view(tree) == seen
    tree["tricks"] = [each if "marriage" in each else each["cards"] for each in tree.get("tricks", ())]
    assert read_view(tree) == seen


def test_in_few_words() -> None:
    first = view(apply(new_match(sumgait()), DealCards(random_deal(3))))
    hand = "aqt7 . 763 . kj43 . 10 8 3".replace(" ", "").replace("10", "J")
    assert read_view({"sumgait_view": 1, "phase": "ROB", "hand": f"{hand}.J1J2"}).hand == first.hand
    assert read_view({"sumgait_view": 1, "phase": "ROB", "hand": f"{hand}.J1J2"}) == first


@pytest.mark.parametrize("name", ["player 2", "Player 2"])
def test_the_declarer_may_be_told_as_he_is_printed(name: str) -> None:
    found = read_view(WRITTEN | {"declarer": name})
    assert found == read_view(WRITTEN) and found.declarer == 1
    assert view_json(found)["declarer"] == 1, "what is written is a number"
    assert validator().is_valid(WRITTEN | {"declarer": name})


def test_the_schema_is_one_and_the_docstring_has_every_field() -> None:
    Draft202012Validator.check_schema(validator().schema)
    names = set(re.findall(r'"(\w+)":', module.__doc__ or ""))
    assert names <= names_of(validator().schema) | {"joker_resolution"}
    assert names_of(validator().schema) - names <= {"other"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sumgait_view": 2}, "newer 2"),
        ({"sumgait_view": "1"}, "found '1'"),
        ({"extra": 1}, "found 'extra'"),
        ({"game": "raf"}, "expected one of sumgait, found 'raf'"),
        ({"phase": "play"}, "expected one of ROB KITTY GIVE CALL SHUFFLE PLAY SCORE, found 'play'"),
        ({"hand": 7}, "expected text"),
        ({"declarer": 3}, "a player 0, 1 or 2 ('player 1', 'player 2' or 'player 3' in print), found 3"),
        ({"declarer": "next"}, "a player 0, 1 or 2"),
        ({"declarer": "player 0"}, "a player 0, 1 or 2"),
        ({"deal": 0}, "the number of a deal from 1"),
        ({"call": "double"}, "expected one of play pass misere"),
        ({"rob": "both"}, "expected one of nobody next other"),
        ({"given": {"next": "S2 S3"}}, "expected a field 'other'"),
        ({"tricks": [{"cards": 7}]}, "expected text"),
        ({"trump": "NT"}, "by the rest"),
        ({"columns": {"points": [0, 0, 0]}}, "found 'points'"),
        ({"columns": {"failures": [0, 0, 3]}}, "failures"),
        ({"options": {"joker_resolution": []}}, "expected joker_resolution"),
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(changes: dict[str, Any], message: str) -> None:
    assert not validator().is_valid(WRITTEN | changes)
    with pytest.raises(ViewError, match=re.escape(message)):
        read_view(WRITTEN | changes)


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in WRITTEN.items() if name not in names}


@pytest.mark.parametrize(
    ("tree", "field", "message"),
    [
        (without("call"), "call", "expected a call before the phase PLAY"),
        (without("given"), "hand", "expected 22 cards that the declarer has had"),
        (without("let_go"), "let_go", "expected the 16 cards he let go"),
        (without("rob"), "let_go", "expected no cards let go without a robbery"),
        (without("hand"), None, "expected a field 'hand'"),
        (WRITTEN | {"phase": "CALL"}, "call", "expected no call yet in the phase CALL"),
        (
            WRITTEN | {"phase": "MISERE"},
            "phase",
            "expected the option misere_time = before_kitty with the phase MISERE",
        ),
        (WRITTEN | {"phase": "SCORE"}, "phase", "expected the phase PLAY by the rest, found SCORE"),
        (WRITTEN | {"hand": WRITTEN["let_go"]}, "hand", "CK twice, in the hand and let go"),
        (WRITTEN | {"hand": "QJ.A5.J8752.Q98.J1"}, "hand", "expected 22 cards that the declarer has had"),
        (WRITTEN | {"taken": {"declarer": 9}}, "taken", "found 9"),
        (WRITTEN | {"unseen": "SA"}, "unseen", "by the rest, found 'SA'"),
        (WRITTEN | {"counts": {"next": True}}, "counts", "found True"),
        (WRITTEN | {"trick": "SA SK SQ"}, "trick", "at most two cards"),
        (WRITTEN | {"tricks": ["SA SK"]}, "tricks", "trick 1: expected three cards, found 2"),
        (WRITTEN | {"tricks": WRITTEN["tricks"][::-1]}, None, "expected"),
        (WRITTEN | {"call": "misere", "tricks": [each | {"marriage": "S"} for each in WRITTEN["tricks"]]}, None, "ex"),
        ([WRITTEN], None, "expected an object"),
        ("{", None, "expected a view in JSON, found text that is not valid JSON"),
        ("", None, "found no text"),
        ('{"hand": "", "hand": ""}', None, "the field 'hand' twice"),
        ('{"hand": NaN}', None, "found NaN"),
        (b"\xff", None, "expected UTF-8, found the byte 0xff"),
    ],
)
def test_refused(tree: Any, field: str | None, message: str) -> None:
    with pytest.raises(ViewError, match=re.escape(message)) as caught:
        read_view(tree, "view.json")
    assert caught.value.file == "view.json" and str(caught.value).startswith("view.json")
    if field is not None:
        assert caught.value.field == field


def test_phases_are_those_of_the_game() -> None:
    """The one before the kitty is told, and taken, where the options have it."""
    early = {"sumgait_view": 1, "options": {"misere_time": "before_kitty"}, "hand": "AQT7.763.KJ43.J83.J1J2"}
    assert read_view(early | {"phase": "MISERE"}).phase == "MISERE"
    with pytest.raises(ViewError, match="expected one of ROB MISERE KITTY GIVE CALL SHUFFLE PLAY SCORE, found 'DEAL'"):
        read_view(early | {"phase": "DEAL"})
    with pytest.raises(ViewError, match="MISERE, found misere_time = after_giving"):
        read_view(early | {"phase": "MISERE", "options": {}})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"given": {"next": "SQ D9", "other": "S3 D6"}}, "SQ twice, in the hand and given to the next player"),
        ({"given": {"next": "S3 D9", "other": "S3 D6"}}, "S3 twice, given to the next player and given to the other"),
        ({"given": {"next": "H3 D9", "other": "S3 S4"}}, "S4 twice, given to the other player and let go"),
        ({"given": {"next": "C5 D9", "other": "S3 D6"}}, "C5 twice, played by the declarer and given to the next"),
        ({"given": {"next": "CT D9", "other": "S3 D6"}}, "CT twice, played by the other player and given to the next"),
        ({"hand": "QJ.A5.J8752.Q9873.J1J2", "tricks": ["C5 HK J2"]}, "J2 twice, in the hand and in trick 1"),
        ({"tricks": ["C5 HK ST", "S7 S8 ST"]}, "ST twice, in trick 1 and in trick 2"),
        ({"trick": "ST"}, "ST twice, in trick 1 and on the table"),
        ({"tricks": ["C5 J2 S6"]}, "S6 twice, played by the other player and let go"),
    ],
)
def test_a_card_in_two_places_is_told_with_both(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ViewError, match="expected each card once, found " + message) as caught:
        read_view(WRITTEN | changes)
    assert caught.value.code == "duplicate_card"


@pytest.mark.parametrize(
    ("options", "columns", "message"),
    [
        (
            {},
            {"game": [0, 900, 0]},
            "game of player 2 to be at most 880, or 1000 (from 880 on all is cut to 880), found",
        ),
        ({}, {"game": [0, 0, 1040]}, "game of player 3 to be at most 1000 (what is beyond is not kept), found 1040"),
        ({}, {"game": [5, 0, 0]}, "game of player 1 to be a multiple of 10, found 5"),
        ({}, {"vist": [0, 0, -15]}, "vist of player 3 to be a multiple of 10, found -15"),
        ({"vist_floor": True}, {"vist": [-20, 0, 0]}, "vist of player 1 to be 0 or more (vist_floor), found -20"),
        ({}, {"game": [880, 0, 0], "failures": [3, 0, 0]}, "failures of player 1 to be 0 to 2, found 3"),
        ({}, {"failures": [0, 1, 0]}, "failures of player 2 to be 0 off the hill, found 1"),
    ],
)
def test_columns_that_no_match_comes_to(options: dict[str, Any], columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ViewError, match=re.escape(f"expected {message}")) as caught:
        read_view(WRITTEN | {"options": options, "columns": columns})
    assert caught.value.field == "columns"


@pytest.mark.parametrize(
    ("options", "game"),
    [({}, 880), ({}, 1000), ({}, -760), ({"hill_credit": "free"}, 900), ({"overflow": "keep"}, 1040),
     ({"laggard_cap": False}, 1040)],
)  # fmt: skip
def test_columns_that_a_match_comes_to(options: dict[str, Any], game: int) -> None:
    found = read_view(WRITTEN | {"options": options, "columns": {"game": [game, 0, 0]}})
    assert found.tallies[0].game == game


def test_a_wrong_leader_or_winner() -> None:
    for name in ("leader", "winner"):
        tricks = [dict(each) for each in WRITTEN["tricks"]]
        tricks[1][name] = next(seat for seat in ("declarer", "next", "other") if seat != tricks[1][name])
        with pytest.raises(ViewError, match=f"expected {name} .* by the cards"):
            read_view(WRITTEN | {"tricks": tricks})


@settings(max_examples=100)
@given(SEEDS)
def test_mutations_are_read_or_refused(seed: int) -> None:
    """A field that is spoilt is refused with its file, or was not needed; nothing else happens."""
    rng = random.Random(seed)
    tree = json.loads(json.dumps(view_json(view(state_at(rng.randrange(6), robbed=rng.choice((None, 1, 2)))))))
    name = rng.choice(list(tree))
    wrong: Any = rng.choice([None, -1, "", "SA SA", [], {}, "next", "AK.QJ", True, 10**9, [[]], {"next": 1}])
    if rng.random() < 0.3:
        del tree[name]
    else:
        tree[name] = wrong
    try:
        read = read_view(tree, "view.json")
    except ViewError as error:
        assert error.file == "view.json" and error.message.startswith("expected")
    else:
        assert read_view(view_json(read)) == read
