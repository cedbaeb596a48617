"""`tierce play --game solo_whist`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import run
from tierce.solver.games import read_records, replay

GAME = ("play", "--game", "solo_whist")


def test_two_pairs(tmp_path: Path) -> None:
    out = tmp_path / "played.jsonl"
    ran = run(*GAME, "--bots", "simple,random", "--deals", "3", "--out", str(out), "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["games"], found["deals"], found["complete"]) == (6, 3, True)
    assert [(row["bot"], row["seats"]) for row in found["rows"]] == [
        ("simple", "NS"), ("simple", "EW"), ("simple", None), ("random", "EW"), ("random", "NS"), ("random", None),
    ]  # fmt: skip
    assert found["rows"][2]["units"] == -found["rows"][5]["units"]
    records = read_records(out.read_bytes())
    assert len(records) == 6
    assert records[0].players == ("simple", "random", "simple", "random")
    assert all(not replay(record).discrepancies for record in records)


def test_text_and_matches() -> None:
    ran = run(*GAME, "--bots", "simple,random,simple,random", "--deals", "2")
    assert ran.code == 0
    assert "units a deal" in ran.out
    again = run(*GAME, "--bots", "simple,random", "--matches", "1")
    assert "A match took 8" in again.out


def test_refusals() -> None:
    assert "two bots or four" in run(*GAME, "--bots", "simple,random,random", "--deals", "1").err
    assert run(*GAME, "--bots", "simple,random", "--instead", "hint", "--deals", "1").code == 2
    assert "units, tricks, made" in run(*GAME, "--bots", "hint:by=quota,simple", "--deals", "1").err
