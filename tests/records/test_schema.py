"""The JSON Schema that is shipped: sound, and true of every record that is written."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.records.support import GAMES, finished, record_by_lot
from tests.records.test_json import CUSTOM
from tierce.solver.games import Profile, load_game, read_record, record_json, write_record


@cache
def validator() -> Any:
    text = (files("tierce.solver.games") / "record.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(validator().schema)


@given(st.sampled_from(GAMES), st.integers(0, 1 << 20), st.integers(0, 2))
def test_records(profile: Profile, seed: int, skip: int) -> None:
    record = record_by_lot(profile, seed, skip=skip, claims=0.02, stop=0.005)
    if record is not None:
        validator().validate(json.loads(write_record(record)))


def test_a_whole_game() -> None:
    record = finished(CUSTOM, 1)
    validator().validate(json.loads(write_record(record)))


def test_the_example_of_the_docstring() -> None:
    """Field by field what the module's docstring shows, and in one piece."""
    text = (record_json.__doc__ or "").split("\n\n")[1]
    text = re.sub(r"\s{3,}[a-z][^\"{}\[\]]*(\[[^\]]*\])?[^\"{}\[\]]*$", "", text, flags=re.MULTILINE)
    for name in ("tierce_record", "context", "previous", "used", "exchange", "claim", "result", "shown", "swap"):
        assert f'"{name}"' in text
    names = set(re.findall(r'"(\w+)":', record_json.__doc__ or ""))
    assert names <= names_of(validator().schema) | {"end"}
    assert names_of(validator().schema) - names <= GAME_FIELDS


GAME_FIELDS = {
    "id", "name", "about", "seats", "contracts", "ranks", "hand", "phases", "score", "kitty_trick", "both_ways",
    "calls", "call", "options",
}  # fmt: skip


def names_of(schema: Any) -> set[str]:
    """All names of fields a schema has."""
    if isinstance(schema, list):
        return set().union(*map(names_of, schema))
    if not isinstance(schema, dict):
        return set()
    own = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set()
    return own.union(*map(names_of, schema.values()))


BASE = json.loads(write_record(finished(load_game("raf"), 1, deals=2)))


@pytest.mark.parametrize(
    "path, value",
    [
        (("tierce_record",), 2),
        (("extra",), 1),
        (("players",), ["North"]),
        (("deals",), []),
        (("deals", 0, "dealer"), 3),
        (("deals", 0, "dealer"), "0"),
        (("deals", 0, "deal"), 7),
        (("deals", 0, "swap"), "yes"),
        (("deals", 0, "bids"), ["no"]),
        (("deals", 0, "claim"), {"D": 1, "E": 2}),
        (("deals", 0, "call"), "S"),
        (("deals", 0, "play"), 7),
        (("deals", 0, "result"), {"points": 1}),
        (("deals", 1, "exchange"), [{"from": "N", "to": "D", "sent": "S2"}]),
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(path: tuple[str | int, ...], value: object) -> None:
    tree = copy.deepcopy(BASE)
    inner = tree
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    assert not validator().is_valid(tree)
    with pytest.raises(ValueError, match="expected"):
        read_record(json.dumps(tree))
