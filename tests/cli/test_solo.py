"""`tierce deal`, `replay`, `convert` and `games` with Solo Whist, and what does not take it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import run
from tierce.solver.games import CONTRACTS, load_game, read_records, write_record

FILE = Path(__file__).parents[1] / "data" / "solo_playthroughs.jsonl"
FIRST = "N:AT7.Q76.9643.Q43 85.JT94.AKQ52.JT J643.AK8.J87.652 KQ92.532.T.AK987"


def test_a_deal_is_told_with_its_dealer_and_the_turned_card() -> None:
    ran = run("deal", "--game", "solo_whist", "--seed", "3")
    assert (ran.code, ran.out) == (0, f"{FIRST} --dealer N --turned C3\n")
    lines = run(
        "deal", "--game", "solo_whist", "--seed", "3", "--count", "5", "--dealer", "w", "--json"
    ).out.splitlines()
    told = [json.loads(line) for line in lines]
    assert [each["dealer"] for each in told] == ["W", "N", "E", "S", "W"]
    assert [each["id"] for each in told] == [f"solo_whist-3-{index}" for index in range(5)]
    # The parcels of a seed are the same whoever deals: with West as dealer they lie one seat back.
    hands = FIRST[2:].split()
    assert told[0]["deal"][2:].split() == [*hands[1:], hands[0]] and told[0]["turned"] == "C3"


@pytest.mark.parametrize("dealer", ["X", "D", "NE", ""])
def test_a_dealer_that_is_none(dealer: str) -> None:
    assert run("deal", "--game", "solo_whist", "--dealer", dealer).code == 2
    assert run("deal", "--game", "raf", "--dealer", "N").code == 2


def test_the_game() -> None:
    ran = run("games", "solo_whist")
    assert ran.code == 0
    for rule in CONTRACTS.values():
        assert rule.title in ran.out
    assert "Quotas" not in ran.out and "overtrick_schedule" in ran.out
    told = json.loads(run("games", "solo_whist", "--option", "self_raise=true", "--json").out)
    assert (told["seats"], told["contracts"], told["quotas"]) == (4, True, {})
    assert told["options"]["end"]["values"] == ["total", "deals"] and told["options"]["self_raise"]["value"] is True
    assert "seats" not in json.loads(run("games", "raf", "--json").out)
    assert run("games", "solo_whist", "--option", "end=twelve").code == 2


def test_every_playthrough_is_replayed(tmp_path: Path) -> None:
    ran = run("replay", str(FILE))
    assert ran.code == 0 and all(len(line) <= 80 for line in ran.out.splitlines())
    for rule in CONTRACTS.values():
        told = [line for line in ran.out.splitlines() if line.startswith(f"{rule.title} of ") and "trick" in line]
        assert [line.split(": ")[-1] for line in told] == ["made.", "failed."], rule.title
    assert "Void: no bid stands." in ran.out and "Void: nobody accepted the Prop." in ran.out
    assert "Stated" not in ran.out
    found = [json.loads(line) for line in run("replay", str(FILE), "--json").out.splitlines()]
    assert [each["deals"][0].get("made") for each in found] == [True, False] * len(CONTRACTS) + [None, None]
    assert found[-1]["deals"][0]["contract"] is None and found[-1]["discrepancies"] == []


def test_a_record_that_ends_in_the_auction(tmp_path: Path) -> None:
    """What may be bid, and of all else why not."""
    tree = json.loads(write_record(read_records(FILE)[0]))
    tree["deals"][0] = {name: tree["deals"][0][name] for name in ("dealer", "deal", "turned")} | {
        "bids": ["pass", "prop"]
    }
    file = tmp_path / "auction.json"
    file.write_text(json.dumps(tree), encoding="utf-8")
    out = run("replay", str(file)).out
    assert " may bid: a pass, Cop, Solo, " in out and max(map(len, out.splitlines())) <= 80
    assert "  not Prop: it is not higher than Prop, which stands" in out
    assert "  not Abundance in Trumps: it may be bid only over an opponent's Abundance" in out
    deal = json.loads(run("replay", str(file), "--json").out)["deals"][0]
    assert deal["open_bids"][:2] == ["cop", "solo"] and deal["open_bids"][-1] == "pass"
    assert deal["refused_bids"].keys() == {"prop", "abundance_in_trumps"}
    tree["deals"][0]["bids"] = ["solo", "cop"]
    file.write_text(json.dumps(tree), encoding="utf-8")
    ran = run("replay", str(file))
    assert ran.code == 65 and "bid 2: expected a pass or misere or " in ran.err
    assert "found cop: there is no Prop to accept" in ran.err


def test_there_and_back(tmp_path: Path) -> None:
    pbn = run("convert", str(FILE), "--to", "pbn")
    assert pbn.code == 0
    file = tmp_path / "all.pbn"
    file.write_text(pbn.out, encoding="utf-8")
    assert run("convert", str(file), "--to", "json").out == FILE.read_text(encoding="utf-8")


def test_bridge_files(tmp_path: Path) -> None:
    file = tmp_path / "a.lin"
    file.write_text("pn|A,B,C,D|md|3SAK4HQ5DT9842CJ73,SQJTHAKJDAKQCAKQT,S98765HT9DJ7C9854|mb|p|", encoding="utf-8")
    tree = json.loads(
        run("convert", str(file), "--to", "json", "--game", "solo_whist", "--option", "self_raise=yes").out
    )
    assert tree["game"] == "solo_whist" and tree["options"] == {"self_raise": True} and tree["deals"][0]["turned"]
    assert tree["players"] == ["C", "D", "A", "B"]
    assert run("convert", str(file), "--to", "json", "--game", "raf").code == 2
    assert run("convert", str(file), "--to", "json", "--option", "self_raise=yes").code == 2
    assert run("convert", str(file), "--to", "json").code == 65


@pytest.mark.parametrize(
    "words",
    [
        ("dealer", "--game", "solo_whist", FIRST),
        ("batch", "dealer", "--game", "solo_whist", "--strategy", "quick", "--deals", "2", "--out", "x.parquet"),
    ],
)
def test_what_takes_three_hands_says_so(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*words)
    assert ran.code in (2, 65)
    assert "expected a game of three hands for " in ran.err and "found solo_whist with 4" in ran.err


def test_the_exchange_is_none() -> None:
    ran = run("exchange", "--game", "solo_whist", "--previous", "8/5/3", FIRST)
    assert ran.code == 2 and "expected a game with an exchange, found solo_whist" in ran.err
    assert load_game("solo_whist").steps(first=True) == load_game("solo_whist").steps(first=False)
