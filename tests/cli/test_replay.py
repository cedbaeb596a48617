"""`tierce replay`: what is told of a hand, as text and as JSON, and how bad records end."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.cli.support import Ran, run, spawn
from tests.records.support import GAMES, finished, record_by_lot
from tierce.solver.cards import cards_of
from tierce.solver.games import Profile, Record, Stated, load_game, replay, write_record, write_records

RAF = replace(finished(load_game("raf"), 1, deals=2), players=("Amber", "Blue", "Cyan"))


def shown(record: Record, *more: str) -> Ran:
    return run("replay", "-", *more, stdin=write_record(record))


def text_of(record: Record) -> str:
    ran = shown(record)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_a_match() -> None:
    text = text_of(RAF)
    found = replay(RAF)
    lines = text.splitlines()
    assert lines[0] == "Sergeant Major (Royal Air Force), raf"
    assert [line for line in lines if line.startswith("Deal ")] == ["Deal 1", "Deal 2"]
    for deal in found.deals:
        assert deal.result is not None
        for seat in range(3):
            name = f"{'DEM'[seat]} {(RAF.players or ())[deal.start.player(seat)]}"
            row = next(line.split() for line in lines if line.startswith(name) and line.endswith(tail(deal, seat)))
            assert row[2] == str(deal.result.tricks[seat])
    assert sum(line.lstrip()[:2].strip().isdigit() for line in lines) == 32
    sent = found.record.deals[1].exchange[0]
    assert f"Exchange  {'DEM'[sent.sender]} to {'DEM'[sent.receiver]}: " in text
    assert lines.count("Owed      nothing: there is no exchange") + text.count(" sends ") >= 1


def tail(deal: Any, seat: int) -> str:
    total = deal.totals[deal.start.player(seat)]
    return f" {total:+d}" if total else " 0"


@pytest.mark.parametrize("profile", GAMES, ids=lambda profile: "-".join([profile.id, *profile.given]))
def test_every_game_fits_80_columns(profile: Profile) -> None:
    four = ("North of the river Amber", "Blue and nothing else", "Cyan, the third player here", "Dun at the fourth")
    names = four[: profile.seats]
    for seed in range(4):
        record = record_by_lot(profile, seed, skip=seed % 2, deals=3, claims=0.03, passes=0.9, stop=0.003 * seed)
        if record is not None:
            text = text_of(replace(record, players=names))
            assert max(map(len, text.splitlines())) <= 80
            assert not any(line != line.rstrip() for line in text.splitlines())


def test_wide_and_long_names_fit_80_columns() -> None:
    for names in (("東" * 20, "西北" * 10, "南"), ("東" * 60, "W" * 60, "one " * 14 + "end")):
        lines = text_of(replace(RAF, players=names)).splitlines()
        assert max(map(cell_len, lines)) <= 80
        start = lines.index("> leads")
        table = next(i for i, line in enumerate(lines) if i > start and line.startswith("Seat  "))
        assert len({cell_len(line) for line in lines[table : table + 4]}) == 1


def test_as_a_process_without_colour_and_symbols(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(write_record(RAF), encoding="utf-8")
    plain = spawn("replay", str(file), env={"PYTHONIOENCODING": "ascii", "TERM": "dumb"})
    assert (plain.code, plain.err) == (0, "")
    assert plain.out.isascii()
    assert "\x1b" not in plain.out
    coloured = spawn("replay", str(file), env={"FORCE_COLOR": "1"})
    assert "\x1b" in coloured.out


def test_both_formats_tell_the_same(tmp_path: Path) -> None:
    one, other = tmp_path / "hand.json", tmp_path / "hand.pbn"
    one.write_text(write_record(RAF), encoding="utf-8")
    other.write_text(write_record(RAF, "pbn"), encoding="utf-8")
    assert run("replay", str(one)) == run("replay", str(other))


def test_json() -> None:
    (row,) = shown(RAF, "--json").lines
    found = replay(RAF)
    assert (row["game"], row["options"], row["players"]) == ("raf", {}, ["Amber", "Blue", "Cyan"])
    assert row["totals"] == list(found.state.totals)
    assert [deal["number"] for deal in row["deals"]] == [1, 2]
    deal = row["deals"][1]
    assert len(deal["tricks"]) == 16
    assert sum(deal["taken"].values()) == 16
    assert sum(deal["balances"].values()) == 0
    assert deal["exchange"][0].keys() == {"from", "to", "sent", "returned"}
    assert [each["count"] for each in row["owed"]] == [each.count for each in found.owed]
    assert row["discrepancies"] == []


def test_several_records() -> None:
    other = finished(load_game("deputy"), 1)
    ran = run("replay", "-", "--json", stdin=write_records([RAF, other]))
    assert [row["game"] for row in ran.lines] == ["raf", "deputy"]
    text = run("replay", "-", stdin=write_records([RAF, other], "pbn")).out
    assert text.count("\nSergeant Major") == 0
    assert "\n\nDeputy Sergeant Major, deputy\n" in text


def test_a_deal_alone() -> None:
    """It is told as in the whole match, which then stands as it did after it."""
    whole = text_of(RAF)
    first, second = (shown(RAF, "--deal", number).out for number in "12")
    assert first == text_of(replace(RAF, deals=RAF.deals[:1]))
    assert "Deal 1" not in second and second.count("\n") < whole.count("\n")
    assert whole.endswith(second[second.index("\nDeal 2\n") :])
    rows = [shown(RAF, "--deal", number, "--json").json for number in "12"]
    every = shown(RAF, "--json").json
    assert [row["deals"] for row in rows] == [[deal] for deal in every["deals"]]
    assert rows[1] == every | {"deals": every["deals"][1:]}
    assert rows[0]["totals"] == every["deals"][0]["totals"]
    ran = shown(RAF, "--deal", "3")
    assert (ran.code, ran.out) == (65, "") and "expected deal 3, found the deals 1 to 2" in ran.err


@pytest.mark.parametrize("number", [1, 3, 16])
def test_a_deal_has_one_number_in_replay_review_and_hint(number: int) -> None:
    """Of several records they are counted through the file."""
    file = str(Path(__file__).parents[1] / "data" / "solo_playthroughs.jsonl")
    text = run("replay", file, "--deal", str(number)).out
    title = f"Deal {number}" + (" (deal 1 of its match)" if number > 1 else "")
    assert text.splitlines()[2] == title and len(re.findall(r"^Deal \d", text, re.MULTILINE)) == 1
    assert f"\n\n{title}\n" in run("replay", file).out
    assert run("review", file, "--deal", str(number), "--seconds", "0").out.startswith(f"Deal {number}: ")
    dealt = run("replay", file, "--deal", str(number), "--json").json["deals"][0]["deal"]
    cut = run("hint", file, "--deal", str(number), "--at", "bid", "--seat", "N", "--view").json
    assert cut["hand"] == dealt.removeprefix("N:").split()[0]


def test_a_deal_that_was_passed_out_stands_with_the_next() -> None:
    file = str(Path(__file__).parents[1] / "records" / "golden" / "auction.json")
    text = run("replay", file, "--deal", "1").out
    assert text.count("\nDeal 1\n") == 2 and "Everybody passed." in text and "deal 2: " in text


def test_a_deal_of_sumgait_alone() -> None:
    file = str(Path(__file__).parents[1] / "games" / "sumgait" / "golden" / "match.json")
    whole, alone = (run("replay", file, *more, "--json").json for more in ((), ("--deal", "15")))
    assert alone["deals"] == whole["deals"][14:15] and alone["columns"] == whole["deals"][14]["columns"]
    assert len(alone["sheet"]) == 15 and "Next: deal 16, " in run("replay", file, "--deal", "15").out


def test_discrepancies_are_told_with_both_values() -> None:
    result = replay(RAF).deals[1].result
    assert result is not None
    stated = Stated(tricks=(result.tricks[0] + 1, None, None), totals=(99, 0, -99))
    record = replace(RAF, deals=(RAF.deals[0], replace(RAF.deals[1], stated=stated)))
    text = text_of(record)
    assert f"Stated tricks of D: {result.tricks[0] + 1}; the recount gives {result.tricks[0]}." in text
    assert "Stated totals of Amber: 99; the recount gives " in text
    (row,) = shown(record, "--json").lines
    assert row["discrepancies"][0] == {
        "deal": 2, "what": "tricks", "seat": "D", "player": result.dealer,
        "stated": result.tricks[0] + 1, "recounted": result.tricks[0],
    }  # fmt: skip
    assert (row["discrepancies"][1]["seat"], row["discrepancies"][1]["player"]) == (None, 0)
    assert row["deals"][1]["stated"]["totals"] == [99, 0, -99]
    assert shown(record, "--deal", "2", "--json").json["discrepancies"] == row["discrepancies"]


def test_where_a_record_ends() -> None:
    deal = RAF.deals[0]
    bare = replace(deal, call="", discard=None, kitty=None, play=())
    for part, said in (
        (bare, "The record ends before the trump is named."),
        (replace(bare, call=deal.call), "The record ends before the discard."),
        (replace(deal, play=()), "The record ends in the play: E to play."),
        (replace(deal, play=deal.play[:4]), "The record ends in the play: taken so far D "),
        (replace(deal, play=(), claim=(8, 5, 3)), "Claimed: D 8, E 5, M 3."),
    ):
        text = text_of(replace(RAF, deals=(part,)))
        assert f"\n{said}" in text
    assert "cannot be checked" in text_of(replace(RAF, deals=(replace(bare, stated=Stated((8, 5, 3))),)))
    (row,) = shown(replace(RAF, deals=(replace(deal, play=deal.play[:4]),)), "--json").lines
    assert len(row["deals"][0]["unfinished_trick"]["cards"]) == 1


def test_the_end_of_a_match() -> None:
    won = replace(RAF, deals=(replace(RAF.deals[0], play=(), claim=(16, 0, 0)),))
    winner = (RAF.players or ())[RAF.deals[0].dealer or 0]
    assert text_of(won).endswith(f"{winner} wins the match.\n")
    even = replace(RAF, deals=(replace(RAF.deals[0], play=(), claim=(8, 5, 3)),))
    assert text_of(even).endswith("Owed      nothing: there is no exchange\n")


def test_json_has_what_the_rules_filled_in() -> None:
    tree = json.loads(write_record(RAF))
    whole = run("replay", "-", "--json", stdin=json.dumps(tree))
    for deal in tree["deals"]:
        for name in ("kitty", "shown"):
            deal.pop(name, None)
        for parcel in deal.get("exchange", ()):
            del parcel["returned"]
    assert run("replay", "-", "--json", stdin=json.dumps(tree)) == whole
    assert whole.lines[0]["deals"][1]["kitty"] and whole.lines[0]["deals"][1]["exchange"][0]["returned"]


def test_an_unfinished_exchange_says_what_is_owed() -> None:
    tree = json.loads(write_record(RAF))
    last = tree["deals"][1]
    parcel = last["exchange"][0]
    tree["deals"][1] = {"deal": last["deal"]}
    text = run("replay", "-", stdin=json.dumps(tree)).out
    player = {seat: (last["dealer"] + "DEM".index(seat)) % 3 for seat in "DEM"}
    names = RAF.players or ()
    one, other = (f"{parcel[end]} {names[player[parcel[end]]]}" for end in ("from", "to"))
    count = len(parcel["sent"].split())
    assert f"\nOwed      {one} sends {count} card{'s' * (count != 1)} to {other}, who returns as many\n" in text
    assert "\n\n\n" not in text
    (row,) = run("replay", "-", "--json", stdin=json.dumps(tree)).lines
    assert row["owed"][0] == {
        "from": parcel["from"], "to": parcel["to"], "from_player": player[parcel["from"]],
        "to_player": player[parcel["to"]], "count": count,
    }  # fmt: skip
    deal = row["deals"][1]
    assert (deal["phase"], deal["mover"]) == ("EXCHANGE", parcel["from"])
    assert "phase" not in row["deals"][0]


def test_cards_are_written_alike_and_the_leader_is_explained() -> None:
    text = text_of(RAF)
    assert "\n> leads\n" in text
    sent = replay(RAF).deals[1].state.transfers[0].sent
    names = " ".join("♠♥♦♣"[card >> 4] + "23456789TJQKA"[card & 15] for card in cards_of(sent))
    assert f": {names}; returned: " in text


# ---- refused ---------------------------------------------------------------------------------------------------------


def test_bad_records_end_with_65_and_their_place(tmp_path: Path) -> None:
    tree = json.loads(write_record(RAF))
    tree["deals"][1]["play"][4] = "S2 S2 S2"
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(tree), encoding="utf-8")
    ran = run("replay", str(file))
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith(f"error: {file}:deal 2:play: ")
    tree = json.loads(write_record(RAF))
    tree["deals"][1]["trump"] = "N"
    file.write_text(json.dumps(tree), encoding="utf-8")
    for more in ((), ("--json",)):
        ran = run("replay", str(file), *more)
        assert (ran.code, ran.out) == (65, "")
        assert ran.err == f"error: {file}:deal 2:trump: expected one of the four suits as trump, found 'N'\n"
    pbn = write_record(RAF, "pbn").replace("[Trump", "[Was")
    ran = run("replay", "-", stdin=pbn)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: <stdin>:3:deal 1:trump: ")


@pytest.mark.parametrize("text", ["", "{}", "% PBN 2.1\n", "[]", '{"tierce_record": 2}'])
def test_no_records(text: str) -> None:
    for words in (("replay", "-"), ("convert", "-", "--to", "json")):
        ran = run(*words, stdin=text)
        assert (ran.code, ran.out) == (65, "")
        assert ran.err.startswith("error: <stdin>:")


def test_usage(tmp_path: Path) -> None:
    assert run("replay").code == 2
    assert run("replay", "").code == 2
    ran = run("replay", str(tmp_path / "none.json"))
    assert (ran.code, ran.err) == (65, f"error: {tmp_path / 'none.json'}: No such file or directory\n")
