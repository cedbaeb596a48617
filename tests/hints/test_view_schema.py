"""The JSON Schema of views: sound, and true of every view that is written."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.games.random_matches import match_of, played
from tests.hints.test_view_json import WRITTEN
from tests.records.test_json import CUSTOM
from tests.records.test_schema import GAME_FIELDS, names_of
from tierce.solver.games import new_match, view
from tierce.solver.hints import view_json as module
from tierce.solver.hints.view_json import ViewError, read_view, view_json


@cache
def validator() -> Any:
    text = (files("tierce.solver.hints") / "view.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(validator().schema)


@given(st.integers(0, 1 << 20))
def test_views(seed: int) -> None:
    rng, profile = match_of(seed)
    for state, _, _ in played(rng, profile, 2, claims=0.3):
        if rng.random() < 0.1:
            validator().validate(view_json(view(state, rng.randrange(3))))


def test_a_whole_game_and_a_view_in_few_words() -> None:
    tree = view_json(view(new_match(CUSTOM), 1))
    assert isinstance(tree["game"], dict)
    validator().validate(tree)
    assert read_view(json.dumps(tree)) == view(new_match(CUSTOM), 1)
    validator().validate(WRITTEN)


def test_the_docstring_has_every_field() -> None:
    names = set(re.findall(r'"(\w+)":', module.__doc__ or ""))
    assert names <= names_of(validator().schema) | {"end"}
    assert names_of(validator().schema) - names <= GAME_FIELDS | {"kitty"}


@pytest.mark.parametrize(
    "changes",
    [
        {"tierce_view": 2},
        {"extra": 1},
        {"seat": "N"},
        {"phase": "play"},
        {"dealer": 3},
        {"players": ["North"]},
        {"call": "C"},
        {"hand": 7},
        {"bids": ["no"]},
        {"swap": "yes"},
        {"to_move": "N"},
        {"tricks": [["SA"]]},
        {"trick": {"cards": "SA", "winner": "E"}},
        {"exchange": [{"from": "E", "to": "W"}]},
        {"voids": {"D": "X", "E": "", "M": ""}},
        {"known": {"D": ""}},
        {"results": [{"dealer": 1}]},
        {"context": {"deal": 2, "totals": [0, 0, 0], "previous": {"dealer": 1, "tricks": {"D": 4, "E": 6, "M": 6}}}},
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(changes: dict[str, Any]) -> None:
    assert not validator().is_valid(WRITTEN | changes)
    with pytest.raises(ViewError, match="expected"):
        read_view(WRITTEN | changes)
