"""The commands that know Sumgait Driller: deal, games, replay, convert, settle; the others refuse it clearly."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import THREE, run
from tests.games.sumgait.make_golden import GOLDEN
from tests.games.sumgait.support import played
from tierce.solver.games import read_any, write_any
from tierce.solver.games.sumgait import Record, random_deal, replay, sheet_rows, sumgait
from tierce.solver.games.sumgait.sheet import COLUMNS, LEGEND

SAMPLE = str(Path(__file__).parents[1] / "data" / "sumgait_sample.json")


def record_in(name: str) -> Record:
    (record,) = read_any(GOLDEN / name)
    assert isinstance(record, Record)
    return record


# ---- deal and games --------------------------------------------------------------------------------------------------


def test_deals() -> None:
    ran = run("deal", "--game", "sumgait", "--seed", "3", "--count", "2")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [str(random_deal(3)), str(random_deal(3, 1))]
    assert ran.out.startswith("D:AQT7.763.KJ43.J83.J1J2 KJ643.K54.AQ76.AQ76 52.AQJ982.T982.T952 / 98.T.5.K4\n")
    lines = run("deal", "--game", "sumgait", "--seed", "3", "--json").lines
    assert lines == [{"id": "sumgait-3-0", "deal": str(random_deal(3))}]


def test_deals_refused() -> None:
    for more, message in (
        (["--dealer", "W"], "the first hand is the declarer's"),
        (["--option", "end=twelve"], "expected an option of sumgait (joker_resolution, "),
        (["--option", "overflow=loose"], "expected overflow = drop | transfer | keep"),
        (["--game-file", "x.toml"], "expected either --game or --game-file"),
    ):
        ran = run("deal", "--game", "sumgait", "--seed", "3", *more)
        assert ran.code == 2 and message in ran.err and not ran.out
        assert run("deal", "--game", "sumgait", *more).err == ran.err  # no seed is told of deals that are not dealt


def test_the_game() -> None:
    out = run("games", "sumgait").out
    assert max(map(len, out.splitlines())) <= 80
    for name in sumgait().options:
        assert f" {name} " in out
    assert "MISERE" not in out.split("CALL")[0]
    early = run("games", "sumgait", "--option", "misere_time=before_kitty").out
    assert early.index("calls MISERE, or does not") < early.index("takes the kitty")
    assert "* misere_time" in early
    tree = run("games", "--game", "sumgait", "--json").json
    assert (tree["id"], tree["hand"], tree["kitty"]) == ("sumgait", 18, 6)
    assert tree["options"]["joker_free"] == {
        "value": True,
        "default": True,
        "values": [False, True],
        "meaning": "a joker may be played by one who could follow suit",
        "no_effect": None,
    }
    assert run("games", "sumgait", "--game", "sumgait").code == 2


# ---- replay ----------------------------------------------------------------------------------------------------------


def test_the_sample_record() -> None:
    ran = run("replay", SAMPLE)
    assert (ran.code, ran.err) == (0, "")
    assert "Stated vist of Player 1: 1050; the recount gives 960." in ran.out
    assert "-  1*60       180   960 | -  5*60        460   620 | +  12          60   240\n" in ran.out
    assert ran.out.endswith("Next: deal 4, Player 1 declares.\n")
    sheet, legend = ran.out.split("Z  Marriage")[-1], "\n".join(LEGEND)
    assert f"\n{legend}\n\nNext" in sheet and max(map(len, LEGEND)) <= 80
    for word in (*COLUMNS, "hill"):
        assert word in legend
    tree = run("replay", SAMPLE, "--json").json
    assert tree["discrepancies"] == [{"deal": 3, "what": "vist", "player": 0, "stated": 1050, "recounted": 960}]
    assert tree["columns"] == {"game": [180, 460, 60], "vist": [960, 620, 240], "failures": [0, 0, 0]}
    assert tree["sheet"][1] == [
        ["-", "3*300", "180", "900"],
        ["+", "100,60,15", "460", "320"],
        ["-", "0*300", "0", "240"],
    ]
    assert not tree["over"] and "settlement" not in tree


def test_a_deal_with_its_cards() -> None:
    record = replace(played(), players=("Ann", "Ben", "Cem"))
    deal = replay(record).deals[0]
    text = run("replay", "-", stdin=write_any([record])).out
    lines = text.splitlines()
    assert lines[0] == "Sumgait Driller, sumgait"
    assert max(map(len, lines)) <= 100
    names = [("Ann", "Ben", "Cem")[deal.state.player(seat)] for seat in range(3)]
    assert f"Seats     Declarer {names[0]}, Next {names[1]}, Other {names[2]}" in lines
    assert sum(line.split()[:1] == [str(number)] for number in range(1, 19) for line in lines) == 38, (
        "two deals, two rows"
    )
    assert text.count("= ") == len(record.deals[0].marriages) + len(record.deals[1].marriages) + 2
    tree = run("replay", "-", "--json", stdin=write_any([record])).json
    first = tree["deals"][0]
    assert len(first["tricks"]) == 18
    declared = [(number, trick["marriage"]) for number, trick in enumerate(first["tricks"], 1) if "marriage" in trick]
    assert declared == [(each.trick, "SHDC"[each.suit]) for each in record.deals[0].marriages]
    assert sum(first["taken"].values()) == 18
    assert deal.result is not None
    assert (first["points"], first["price"], first["gained"]) == (
        deal.result.points,
        deal.result.price,
        list(deal.result.vist),
    )


def test_a_whole_match() -> None:
    record = record_in("match.json")
    found = replay(record)
    out = run("replay", str(GOLDEN / "match.json")).out
    assert "The match is over." in out and " pays " in out
    assert out.count(" | ") == 2 * (2 + len(record.deals)), "the sheet: names, titles, a row a deal"
    tree = run("replay", str(GOLDEN / "match.json"), "--json").json
    assert tree["over"] and sum(tree["settlement"]["nets"]) == 0
    assert tree["settlement"]["vist"] == [tally.vist for tally in found.state.tallies]
    assert [[tuple(cells) for cells in row] for row in tree["sheet"]] == [
        list(row) for row in sheet_rows(found.state.results)
    ]


def test_results_tell_the_vist_they_bring() -> None:
    out = run("replay", str(GOLDEN / "match.json")).out
    assert "\nResult    2 tricks, +0 Game; Vist Ann -840, Ben -840\n" in out
    assert "\nResult    9 tricks, -300 Game; Vist for nobody\n" in out
    played_ = run("replay", str(GOLDEN / "deals.jsonl"), "--deal", "1").out
    assert "\nResult    10 tricks (hearts and diamonds), +290 Game; Vist" in played_


def test_rows_of_the_sheet_have_the_number_of_their_deal() -> None:
    """In its match, also where the record begins later, or one deal is told."""
    rows = r"^ *(\d+)  [+-]  .* \| [+-]  .* \| [+-]  "
    every = [str(number) for number in range(1, 22)]
    assert re.findall(rows, run("replay", str(GOLDEN / "match.json")).out, re.MULTILINE) == every
    assert re.findall(rows, run("replay", str(GOLDEN / "match.json"), "--deal", "9").out, re.MULTILINE) == every[:9]
    assert re.findall(rows, run("replay", str(GOLDEN / "later.json")).out, re.MULTILINE) == ["3"]
    assert "\nDeal  Z  Marriage" in run("replay", SAMPLE).out


def test_an_unfinished_deal() -> None:
    out = run("replay", str(GOLDEN / "later.json")).out
    assert "The record ends before the end of the play." in out and "Options" in out
    tree = run("replay", str(GOLDEN / "later.json"), "--json").json
    last = tree["deals"][-1]
    assert (last["finished"], last["phase"]) == (False, "PLAY")
    assert len(last["unfinished_trick"]["cards"]) == 1
    full = played().deals[0]
    for changes, end in (
        ({"rob": None, "given": None}, "the choice of a robbery"),
        ({"given": None}, "the cards are given"),
        ({}, "the call"),
        ({"call": "play"}, "the play"),
    ):
        deal = replace(full, call=changes.pop("call", ""), piles=None, play=(), marriages=(), **changes)  # type: ignore[arg-type]
        ran = run("replay", "-", stdin=write_any([Record(sumgait(), (deal,))]))
        assert f"The record ends before {end}." in ran.out, ran


def test_bad_records() -> None:
    tree: Any = json.loads(Path(SAMPLE).read_text(encoding="utf-8"))
    tree["deals"][1]["tricks"] = [3, 15, 1]
    for command in (["replay", "-"], ["convert", "-", "--to", "json"]):
        ran = run(*command, stdin=json.dumps(tree))
        assert (ran.code, ran.out) == (65, "")
        assert ran.err == ("error: <stdin>:deal 2:tricks: expected three counts that sum to 18, found (15, 1, 3)\n")


# ---- convert ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["match.json", "later.json", "deals.jsonl"])
def test_convert(name: str) -> None:
    ran = run("convert", str(GOLDEN / name), "--to", "json")
    assert (ran.code, ran.out) == (0, (GOLDEN / name).read_text(encoding="utf-8"))
    refused = run("convert", str(GOLDEN / name), "--to", "pbn")
    assert (refused.code, refused.out) == (65, "")
    assert "expected json for a record of sumgait, found pbn" in refused.err


def test_convert_keeps_what_is_stated() -> None:
    ran = run("convert", SAMPLE, "--to", "json")
    assert ran.out == Path(SAMPLE).read_text(encoding="utf-8")
    assert "vist of player 1: stated 1050, recounted 960; the stated result was kept" in ran.err


# ---- settle ----------------------------------------------------------------------------------------------------------


def test_settle() -> None:
    ran = run("settle", "3600", "3570", "2760")
    assert (ran.code, ran.err) == (0, "")
    assert "Player 3 pays Player 1 435.\nPlayer 3 pays Player 2 390.\n" in ran.out
    assert run("settle", "3600", "3570", "2760", "--json").json == {
        "vist": [3600, 3570, 2760],
        "halves": [1800, 1785, 1380],
        "nets": [435, 390, -825],
        "debts": [
            {"from": 1, "to": 0, "amount": 15},
            {"from": 2, "to": 0, "amount": 420},
            {"from": 2, "to": 1, "amount": 405},
        ],
        "payments": [{"from": 2, "to": 0, "amount": 435}, {"from": 2, "to": 1, "amount": 390}],
    }
    assert run("settle", "-560", "0", "-1121", "--json").json["nets"] == [0.5, 840.5, -841]
    assert "Nobody pays." in run("settle", "0", "0", "0").out


def test_settled_amounts_have_the_same_decimals() -> None:
    out = run("settle", "3600", "3570", "2761").out
    assert re.findall(r"^Player \d +\d+ +(\S+) +(\S+)$", out, re.MULTILINE) == [
        ("1800.0", "+434.5"), ("1785.0", "+389.5"), ("1380.5", "-824.0"),
    ]  # fmt: skip
    assert "owes Player 1 15.0.\n" in out and "pays Player 1 434.5.\n" in out
    assert "." not in re.sub(r"\.$", "", run("settle", "3600", "3570", "2760").out, flags=re.MULTILINE)
    assert re.findall(r" (\S+)$", run("settle", "3", "1", "1").out.split("\n\n")[0], re.MULTILINE)[1:] == [
        "+2", "-1", "-1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["1", "2"],
        ["1", "2", "x"],
        ["1", "2", "3", "4"],
        ["1", "2", "1.5"],
        ["1", "2", "9" * 11],
        ["1", "--jsn", "2"],
    ],
)
def test_settle_refused(words: list[str]) -> None:
    ran = run("settle", *words)
    assert (ran.code, ran.out) == (2, "") and ran.err.startswith("error: ")
    assert ran.err.endswith("'tierce settle --help' tells more.\n")
    if words in ([], ["1", "2"], ["1", "2", "3", "4"]):
        count = len(words) or "none"
        assert f"expected the Vist of three players, such as 3600 3570 2760, found {count}\n" in ran.err


# ---- study -----------------------------------------------------------------------------------------------------------


def test_a_deal_is_studied_as_the_declarer_takes_it() -> None:
    """His sixteen cards and the kitty, typed or from another command."""
    deal, few = run("deal", "--game", "sumgait", "--seed", "3").out, ["--deals", "2", "--samples", "5", "--json"]
    whole = run("study", "AQT987.T763.KJ543.KJ843.J1J2", *few)
    assert (whole.code, whole.json["deals"]) == (0, 2)
    assert run("study", deal.strip(), *few).json == whole.json
    assert run("study", "-", *few, stdin=deal).json == whole.json
    for text, message in (
        (deal.replace(" / ", " "), "expected a deal such as 'D:<declarer> <next> <other> / <kitty>'"),
        (deal.replace(".K4", ".K"), "expected 6 cards for the kitty, found 5"),
        (THREE, "expected a deal such as"),
    ):
        ran = run("study", text, *few)
        assert ran.code == 65 and message in ran.err and not ran.out


# ---- the others ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["dealer", SAMPLE], 65),
        (["dealer", "--game", "sumgait", THREE], 2),
        (["play", "--game", "sumgait", "--bots", "random,random,random"], 2),
        (["convert", SAMPLE, "--to", "json", "--game", "sumgait"], 2),
    ],
)
def test_commands_that_do_not_know_it(command: list[str], code: int) -> None:
    ran = run(*command)
    assert (ran.code, ran.out) == (code, ""), ran
    assert "found 'sumgait', a game of its own kind, which this does not take" in ran.err, ran


def test_no_server_knows_it() -> None:
    ran = run("--server", "localhost:1", "games", "sumgait")
    assert ran.code == 65 and "expected a game that a server knows, found 'sumgait'" in ran.err
    ran = run("--server", "localhost:1", "settle", "1", "2", "3")
    assert ran.code == 2 and "expected a command that a server serves" in ran.err
