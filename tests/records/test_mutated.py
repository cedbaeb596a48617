"""Records with something changed at random are read or refused with a place; nothing else ever happens."""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.records.support import GAMES, record_by_lot
from tierce.solver.errors import InputError
from tierce.solver.games import Record, RecordError, read_records, replay, write_record, write_records

SEEDS = st.integers(0, 1 << 30)
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, 10**18, 1.5, "", "S2", "D", "pass", "SA SK", "D:A... K... Q...", [], [1], {},
    {"D": 1}, ["S2"], "MIZ", "N", "\x00", "é", "?", "#", "W", "100000000000000000000000",
)  # fmt: skip


@cache
def records(which: int) -> Record:
    seed = which
    while True:
        record = record_by_lot(GAMES[which % len(GAMES)], seed, skip=which % 2, deals=2, claims=0.02, stop=0.002)
        if record is not None:
            return record
        seed += 1000


def survives(text: str | bytes) -> bool:
    """Read or refused; True if it was read and the rules allowed it."""
    try:
        found = read_records(text, "some file")
        for record in found:
            for form in ("json", "pbn"):
                rewritten = write_records([record], "pbn" if form == "pbn" else "json")
                if form == "json":
                    assert read_records(rewritten) == (record,)
            assert replay(record).record.profile == record.profile
    except RecordError as error:
        assert error.code
        assert error.message
        assert error.file in ("some file", "<record>")
        return False
    except InputError as error:
        assert "expected" in str(error), error
        return False
    return True


def paths(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(each for name, value in inner for each in paths(value, (*path, name)))]


def mutate(tree: Any, rng: random.Random) -> Any:
    """The tree with one thing changed, left out, doubled, exchanged with another or added."""
    tree = copy.deepcopy(tree)
    path = rng.choice(paths(tree)[1:])
    inner = tree
    for step in path[:-1]:
        inner = inner[step]
    kind = rng.randrange(6)
    last = path[-1]
    if kind == 0:
        inner[last] = rng.choice(ODD)
    elif kind == 1:
        del inner[last]
    elif kind == 2 and isinstance(inner, list):
        inner.insert(last, copy.deepcopy(inner[last]))
    elif kind == 3 and isinstance(inner[last], str):
        inner[last] = scrambled(inner[last], rng)
    elif kind == 4:
        other = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        inner[last], inner[other] = inner[other], inner[last]
    elif isinstance(inner, dict):
        inner[rng.choice(["claim", "shown", "swap", "bids", "call", "trump", "context", "x"])] = rng.choice(ODD)
    return tree


def scrambled(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    cut = rng.randrange(4)
    return text[:at] + "".join(rng.choices('SHDC23TJQKA .:/-"\\[]{}9\n%#', k=rng.randrange(3))) + text[at + cut :]


def check_json(which: int, seed: int) -> None:
    rng = random.Random(seed)
    tree = json.loads(write_record(records(which)))
    for _ in range(rng.randint(1, 2)):
        tree = mutate(tree, rng)
    survives(json.dumps(tree))


def check_text(which: int, seed: int) -> None:
    rng = random.Random(seed)
    for form in ("json", "pbn"):
        text = write_record(records(which), "pbn" if form == "pbn" else "json")
        if rng.random() < 0.5:
            lines = text.splitlines(keepends=True)
            one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            text = "".join(lines)
        survives(scrambled(text, rng))
        data = bytearray(scrambled(text, rng).encode())
        data[rng.randrange(len(data))] = rng.randrange(256)
        survives(bytes(data))


@given(st.integers(0, 2 * len(GAMES) - 1), SEEDS)
def test_json(which: int, seed: int) -> None:
    check_json(which, seed)


@given(st.integers(0, 2 * len(GAMES) - 1), SEEDS)
def test_text(which: int, seed: int) -> None:
    check_text(which, seed)


@given(st.text())
def test_any_text(text: str) -> None:
    survives(text)


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    survives(data)


def test_unchanged_ones_are_allowed() -> None:
    assert all(survives(write_record(records(which))) for which in range(len(GAMES)))


@pytest.mark.slow
@pytest.mark.parametrize("which", range(2 * len(GAMES)))
def test_many(which: int) -> None:
    for seed in range(400):
        check_json(which, seed)
        check_text(which, seed)
