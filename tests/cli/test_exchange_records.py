"""`tierce exchange`: deals that come from records or follow one, what is said of the deal before, and JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.exchange_games import EASY, HARD, deal_of, exchange, page, small, timeless, write_game
from tests.cli.support import run
from tests.records.support import finished
from tierce.solver import format_hand
from tierce.solver.games import Profile, read_records, replay, write_record

MATCH = "tests/records/golden/match.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for the module, so that what is asked twice is answered once."""
    return tmp_path_factory.mktemp("games")


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of small deals in which eldest sends and then the dealer: the second deal, and no third."""
    folder = tmp_path_factory.mktemp("match")
    _, profile = write_game(folder, "at_once")
    return record_of(folder, profile)


def record_of(folder: Path, profile: Profile) -> Path:
    """The first record by lot that has two senders in its second deal."""
    for seed in range(100):
        record = finished(profile, seed, deals=3)
        deal = replay(record).deals[1]
        if len({each.sender for each in deal.state.transfers}) == 2:
            path = folder / "match.json"
            path.write_text(write_record(record), encoding="utf-8")
            return path
    raise AssertionError


def test_a_record(match: Path) -> None:
    record = read_records(match)[0]
    made = replay(record).deals[1].state.transfers
    for place, transfer in enumerate(made):
        seat = "DEM"[transfer.sender]
        ran = run("exchange", str(match), "--deal", "2", "--sender", seat, "--json")
        assert ran.json["sender"] == seat and ("next" in ran.json) == (place == 0)
        sent, returned = format_hand(transfer.sent), format_hand(transfer.returned)
        assert ran.json["chosen"]["sends"] == [{"to": "DEM"[transfer.receiver], "cards": sent, "returned": returned}]
        text = page(run("exchange", str(match), "--deal", "2", "--sender", seat).out)
        who = ("the dealer", "eldest", "middle")[transfer.sender]
        assert f"{match}, deal 2, before the parcels of {who}." in text and "Chosen: " in text
    first = run("exchange", str(match), "--deal", "2", "--json").json
    assert first["sender"] == "DEM"[made[0].sender]
    other = run("exchange", str(match), "--deal", "2", "--json", "--chosen", first["parcels"][0]["sends"][0]["cards"])
    assert other.json["chosen"]["loss"] == 0
    assert run("exchange", str(match), "--json").json["sender"]  # the last in which somebody sends


def test_a_record_as_pbn_and_from_stdin(match: Path, tmp_path: Path) -> None:
    pbn = tmp_path / "match.pbn"
    ran = run("convert", str(match), "--to", "pbn")
    pbn.write_text(ran.out, encoding="utf-8")
    first = timeless(run("exchange", str(match), "--deal", "2", "--json").json)
    for args, stdin in (((str(pbn),), ""), (("-",), ran.out), (("-",), match.read_text(encoding="utf-8"))):
        assert timeless(run("exchange", *args, "--deal", "2", "--json", stdin=stdin).json) == first


def test_which_deal_of_a_match() -> None:
    ran = run("exchange", MATCH, "--sender", "E", "--timeout", "0.001")
    assert ran.code == 75
    assert f"{MATCH}, deal 2, before the parcels of eldest." in page(ran.out)
    assert "The dealer sends 1 card to middle; then eldest sends 3 cards to middle." in page(ran.out)
    assert "Eldest's parcel: 560 ways." in ran.out
    assert "Chosen: ♠2 ♦K ♣8 to middle for ♠K ♦A ♣K: 0-16 tricks." in ran.out


def test_a_deal_from_stdin(folder: Path) -> None:
    words, _ = small(folder, "swap", "5/1/0")
    assert timeless(run("exchange", "-", *words[1:], "--json", stdin=words[0]).json) == timeless(
        exchange(words, "--json").json
    )


def test_after_a_record(match: Path, tmp_path: Path) -> None:
    """The match so far says what the options say: tricks, quotas, the game."""
    record = read_records(match)[0]
    first, so_far = replace(record, deals=record.deals[:1]), tmp_path / "so_far.json"
    so_far.write_text(write_record(first), encoding="utf-8")
    result = replay(first).state.results[0]
    deal, game = str(record.deals[1].deal), write_game(tmp_path, "at_once")[0]
    previous = "/".join(map(str, result.tricks))
    typed = run("exchange", deal, "--game-file", game, "--previous", previous, "--json")
    assert timeless(run("exchange", deal, "--previous-record", str(so_far), "--json").json) == timeless(typed.json)
    found = run("exchange", "-", "--previous-record", str(so_far), "--json", stdin=deal)
    assert timeless(found.json) == timeless(typed.json)


def test_quotas_that_were_raised() -> None:
    """Woburn: what counts is what the dealer bid."""
    args = ("exchange", EASY, "--game", "woburn", "--timeout", "0.001", "--previous")
    text = page(run(*args, "11/4/1", "--previous-quota", "10/4/2").out)
    assert "middle 11 (+1), dealer 4 (even), eldest 1 (-1). Middle sends 1 card to eldest: 16 ways." in text
    text = page(run(*args, "10/5/1").out)
    assert "middle 10 (+2), dealer 5 (even), eldest 1 (-2). Middle sends 2 cards to eldest: 120 ways." in text
    ran = run(*args, "10/4/2", "--previous-quota", "10/4/2")
    assert (ran.code, ran.out) == (65, "") and "everybody took what he owed in the deal before" in ran.err


def test_who_was_first_over(folder: Path) -> None:
    """Two senders: the rule of some games, and the higher quota where it is not told."""
    words, _ = small(folder, "kitty_trick", "1/4/2")
    for args, first in (((), "The dealer"), (("--first-over", "E"), "The dealer"), (("--first-over", "m"), "Eldest")):
        assert f"{first} sends" in page(exchange(words, *args).out).split("All cards are seen.")[0].split("; then")[0]
    ran = exchange(words, "--first-over", "D")
    assert (ran.code, ran.out) == (65, "") and "expected a seat that won more tricks than its quota" in ran.err


# ---- many ------------------------------------------------------------------------------------------------------------


def test_batch(folder: Path) -> None:
    path, profile = write_game(folder, "at_once")
    deals = [deal_of(profile, index) for index in range(2)]
    one = {"deal": deals[0], "previous": "2/3/1"}
    lines: list[Any] = [
        one,
        one | {"previous": [2, 3, 1], "quotas": [3, 2, 1], "id": "list"},
        one | {"id": "k", "deal": deals[1], "target": 3},
        one | {"id": "c", "chosen": "M:DQ"},
        "nonsense",
        {"id": "a", "previous": "2/3/1"},
        {"id": "b", "deal": deals[0]},
        one | {"id": "d", "previous": "2/3/2"},
        one | {"id": "e", "previous": [2, 3]},
        one | {"id": "f", "previous": [2, 3, True]},
        one | {"id": "g", "previous": 231},
        one | {"id": "h", "previous": "2/3"},
        one | {"id": "i", "quotas": "3/2"},
        one | {"id": "j", "quotas": {}},
        one | {"id": "l", "previous": "3/2/1"},
        one | {"id": "m", "first_over": "E"},
        one | {"id": "n", "first_over": "X"},
        one | {"id": "o", "first_over": 1},
        one | {"id": "p", "chosen": "E:DQ"},
        one | {"id": "q", "chosen": "SA"},
        one | {"id": "r", "target": "3"},
        one | {"id": "s", "target": 10**400},
        one | {"id": "t", "target": 0.5},
        one | {"id": "u", "trump": "S"},
        {"id": "v", "deal": EASY, "previous": "2/3/1"},
        {"id": "w", "deal": 5, "previous": "2/3/1"},
        one | {"id": "x", "previous": [9, -4, 1]},
    ]
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    ran = run("exchange", "--game-file", path, "--batch", "-", "--threads", "1", stdin=text + "\n\n")
    assert (ran.code, ran.err) == (65, "error: 23 lines could not be read; see the 'error' objects\n")
    alone = exchange((deals[0], "--game-file", path, "--previous", "2/3/1"), "--json").json
    for answer, ident in zip(ran.lines[:2], (1, "list"), strict=True):
        assert timeless(answer) == timeless({"id": ident} | alone)
    assert ran.lines[2]["target"] == 3 and ran.lines[3]["chosen"]["sends"][0]["cards"] == "..Q."
    errors = {answer["id"]: answer["error"] for answer in ran.lines[4:]}
    assert {ident: error["field"] for ident, error in errors.items()} == {
        5: None, "a": "deal", "b": "previous", "d": "previous", "e": "previous", "f": "previous", "g": "previous",
        "h": "previous", "i": "quotas", "j": "quotas", "l": "previous", "m": "first_over", "n": "first_over",
        "o": "first_over", "p": "chosen", "q": "chosen", "r": "target", "s": "target", "t": "target", "u": "trump",
        "v": "deal", "w": "deal", "x": "previous",
    }  # fmt: skip
    for error in errors.values():
        assert "expected" in error["message"] and "found" in error["message"]


def test_what_the_lines_leave_out_is_as_typed(folder: Path) -> None:
    path, profile = write_game(folder, "at_once")
    deal = deal_of(profile)
    lines = json.dumps({"deal": deal}) + "\n" + json.dumps({"deal": deal, "previous": "5/1/0", "target": 1})
    typed = ("--previous", "2/3/1", "--target", "2", "--top", "1")
    ran = run("exchange", "--game-file", path, "--batch", "-", *typed, stdin=lines)
    assert [(answer["sender"], answer["target"]) for answer in ran.lines] == [("D", 2), ("M", 1)]
    assert [len(answer["parcels"]) for answer in ran.lines] == [1, 1]


def test_a_limit_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_text(json.dumps({"deal": HARD, "previous": "9/5/2"}) + "\n", encoding="utf-8")
    ran = run("exchange", "--batch", str(path), "--timeout", "0.001")
    assert (ran.code, ran.err) == (75, "error: a limit stopped 1 of the searches\n")
    assert ran.lines[0]["complete"] is False and ran.lines[0]["bounds"] == [0, 16]
