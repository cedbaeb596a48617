"""Files of version 1 stay readable, and are written as they stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.records.make_golden import GOLDEN
from tests.records.test_schema import validator
from tierce.solver.games import Discrepancy, read_records, replay, write_records

FILES = sorted(GOLDEN.iterdir())


def test_there_are_files() -> None:
    assert {file.name for file in FILES} == {
        *("match.json", "match.pbn", "auction.json", "auction.pbn"),
        *("later.json", "later.pbn", "hands.jsonl", "hands.pbn"),
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_read_and_written(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    records = read_records(file)
    assert write_records(records, "pbn" if file.suffix == ".pbn" else "json") == text
    assert tuple(replay(record).record for record in records) == records
    if file.suffix == ".json":
        validator().validate(json.loads(text))
    elif file.suffix == ".jsonl":
        for line in text.splitlines():
            validator().validate(json.loads(line))
    else:
        twin = next(other for other in FILES if other.stem == file.stem and other != file)
        assert read_records(twin) == records


def test_what_they_say() -> None:
    match = replay(read_records(GOLDEN / "match.json")[0])
    assert match.discrepancies == (Discrepancy(2, "tricks", 0, 7, 6),)
    auction = replay(read_records(GOLDEN / "auction.json")[0])
    assert [(deal.number, deal.passed_out) for deal in auction.deals] == [(1, True), (1, False)]
    later = replay(read_records(GOLDEN / "later.pbn")[0])
    assert (later.deals[0].number, len(later.deals[0].tricks), len(later.deals[0].state.trick)) == (3, 6, 2)
    phases = [replay(record).deals[0].state.phase for record in read_records(GOLDEN / "hands.pbn")]
    assert phases == ["CALL", "SCORE", "SCORE"]
