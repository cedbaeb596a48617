"""`tierce convert`: JSON to PBN and back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.support import run
from tests.records.support import GAMES, finished, record_by_lot
from tierce.solver.games import Profile, Stated, load_game, read_records, write_record, write_records

RAF = finished(load_game("raf"), 1, deals=2)


@pytest.mark.parametrize("profile", GAMES, ids=lambda profile: "-".join([profile.id, *profile.given]))
def test_there_and_back(profile: Profile) -> None:
    record = record_by_lot(profile, 2, deals=3, claims=0.02)
    assert record is not None
    text = write_record(record)
    pbn = run("convert", "-", "--to", "pbn", stdin=text)
    assert (pbn.code, pbn.err, pbn.out) == (0, "", write_record(record, "pbn"))
    back = run("convert", "-", "--to", "json", stdin=pbn.out)
    assert (back.code, back.err, back.out) == (0, "", text)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    records = (RAF, finished(load_game("deputy"), 1))
    file.write_text(write_records(records), encoding="utf-8")
    ran = run("convert", str(file), "--to", "pbn")
    assert read_records(ran.out) == records
    assert run("convert", "-", "--to", "json", stdin=ran.out).out == file.read_text(encoding="utf-8")


def test_what_was_left_out_is_filled_in() -> None:
    tree = json.loads(write_record(RAF))
    for deal in tree["deals"]:
        del deal["kitty"]
        for parcel in deal.get("exchange", ()):
            del parcel["returned"]
    assert run("convert", "-", "--to", "json", stdin=json.dumps(tree)).out == write_record(RAF)


def test_a_stated_result_is_kept_and_noted() -> None:
    record = replace(RAF, deals=(replace(RAF.deals[0], stated=Stated((16, 0, 0))), RAF.deals[1]))
    ran = run("convert", "-", "--to", "json", stdin=write_record(record))
    assert (ran.code, ran.out) == (0, write_record(record))
    assert ran.err.startswith("note: <stdin>: deal 1: tricks of D: stated 16, recounted ")


def test_refused(tmp_path: Path) -> None:
    assert run("convert", "-").code == 2
    assert run("convert", "-", "--to", "lin").code == 2
    assert run("convert", str(tmp_path / "none"), "--to", "pbn").code == 65
    tree = json.loads(write_record(RAF))
    tree["deals"][0]["claim"] = {"D": 0, "E": 0, "M": 0}
    ran = run("convert", "-", "--to", "pbn", stdin=json.dumps(tree))
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: <stdin>:deal 1:claim: expected no claim here, found a claim")
