"""Records in JSON: what is read, how it is written, and what is refused with which place."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.records.support import finished
from tierce.solver.games import RecordError, load_game, read_record, read_records, replay, write_record, write_records

RAF = finished(load_game("raf"), 1, deals=2)
TREE: dict[str, Any] = json.loads(write_record(RAF))
CUSTOM = replace(load_game("nine_five_two"), id="my_game", name='Mine, "so" called\\', about="two\nlines \\ ü")
CUSTOM = replace(CUSTOM, quotas=(8, 6, 2), defaults=MappingProxyType(CUSTOM.defaults))


def changed(*steps: Any, value: Any) -> str:
    """The text of a good record with one value changed, or a field added."""
    tree = copy.deepcopy(TREE)
    inner = tree
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return json.dumps(tree)


def refused(text: str | bytes, name: str = "hand.json") -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_records(text, name)
    error = caught.value
    assert error.file == name
    assert str(error).startswith(name + ":")
    assert error.message.startswith("expected") or "expected" in error.message
    return error


# ---- written ---------------------------------------------------------------------------------------------------------


def test_a_trick_a_line() -> None:
    lines = write_record(RAF).splitlines()
    assert lines[:2] == ["{", '  "tierce_record": 1,']
    tricks = [line for line in lines if line.startswith('        "')]
    assert len(tricks) == 32
    assert max(map(len, lines)) < 130


def test_options_and_names() -> None:
    profile = load_game("raf", {"end": "sixteen", "kitty_first": True})
    record = replace(finished(profile, 1), players=("Zoë", "North", "3rd hand"))
    text = write_record(record)
    assert '"options": {"kitty_first": true, "end": "sixteen"}' in text
    assert '"Zoë"' in text
    assert read_record(text) == record


def test_a_whole_game() -> None:
    record = finished(CUSTOM, 1)
    text = write_record(record)
    assert json.loads(text)["game"]["quotas"] == [8, 6, 2]
    for form in (text, write_record(record, "pbn")):
        back = read_record(form)
        assert back == record
        assert back.profile.about == CUSTOM.about
    assert replay(record).record == record


def test_a_game_of_the_package_with_other_quotas_is_written_whole() -> None:
    record = finished(replace(load_game("raf"), quotas=(9, 4, 3)), 1)
    assert json.loads(write_record(record))["game"]["id"] == "raf"
    assert read_record(write_record(record)) == record
    assert read_record(write_record(record, "pbn")) == record


def test_several_records_are_lines() -> None:
    other = finished(load_game("deputy"), 2)
    text = write_records([RAF, other, RAF])
    assert [json.loads(line)["game"] for line in text.splitlines()] == ["raf", "deputy", "raf"]
    assert read_records(text) == (RAF, other, RAF)
    assert [record.line for record in read_records("\n" + text.replace("\n", "\r\n\n"))] == [2, 4, 6]


# ---- read ------------------------------------------------------------------------------------------------------------


def test_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_bytes(b"\xef\xbb\xbf" + write_record(RAF).encode())
    assert read_record(file) == RAF
    assert read_record(file).file == str(file)
    with pytest.raises(FileNotFoundError):
        read_record(tmp_path / "none.json")


def test_cards_are_read_as_people_write_them() -> None:
    tree = copy.deepcopy(TREE)
    for deal in tree["deals"]:
        deal["discard"] = ", ".join(card[1] + card[0].lower() for card in deal["discard"].split())
        deal["play"] = " ".join(deal["play"]).replace("T", "10")
    assert read_record(json.dumps(tree)) == RAF


def test_result_in_part() -> None:
    record = read_record(changed("deals", 0, "result", value={"tricks": {"E": 16}}))
    assert record.deals[0].stated is not None
    assert record.deals[0].stated.tricks == (None, 16, None)
    assert json.loads(write_record(record))["deals"][0]["result"] == {"tricks": {"E": 16}}
    assert read_record(write_record(record, "pbn")) == record
    assert read_record(changed("deals", 0, "result", value={})) == RAF


def test_only_what_must_be_there() -> None:
    record = read_record(json.dumps({"tierce_record": 1, "game": "raf", "deals": [{"deal": TREE["deals"][0]["deal"]}]}))
    assert record.deals[0].deal == RAF.deals[0].deal
    assert replay(record).deals[0].state.phase == "TRUMP"


# ---- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps, value, code, field, deal",
    [
        (["tierce_record"], 2, "newer_version", "tierce_record", None),
        (["tierce_record"], 0, "version", "tierce_record", None),
        (["tierce_record"], True, "version", "tierce_record", None),
        (["tierce_record"], "1", "version", "tierce_record", None),
        (["comment"], "hello", "unknown_field", None, None),
        (["game"], "bridge", "game", "game", None),
        (["game"], {"id": "x"}, "game", "game", None),
        (["game"], 7, "wrong_type", "game", None),
        (["options"], [], "wrong_type", "options", None),
        (["options"], {"colour": "red"}, "option", "options", None),
        (["options"], {"end": ["twelve"]}, "option", "options", None),
        (["options"], {"max_bleed": 3.0}, "option", "options", None),
        (["options"], {"max_bleed": "3"}, "wrong_type", "options", None),
        (["options"], {"kitty_first": "true"}, "wrong_type", "options", None),
        (["players"], "NES", "wrong_type", "players", None),
        (["players"], ["a", "b"], "wrong_type", "players", None),
        (["players"], ["a", "b", 3], "wrong_type", "players", None),
        (["players"], ["a", "b", ""], "name", "players", None),
        (["players"], ["a", "b", "c\nd"], "name", "players", None),
        (["players"], ["a", "b", "c\ud800"], "name", "players", None),
        (["context"], {}, "missing", "context", None),
        (["context"], {"deal": "2", "totals": [0, 0, 0], "previous": {}}, "wrong_type", "context.deal", None),
        (["context"], {"deal": 2, "totals": [0, 0], "previous": {}}, "wrong_type", "context.totals", None),
        (["context"], {"deal": 2, "totals": [0, 0, 0], "previous": {}}, "missing", "context.previous", None),
        (["deals"], {}, "wrong_type", "deals", None),
        (["deals"], [], "missing", "deals", None),
        (["deals", 1], None, "wrong_type", None, 2),
        (["deals", 1, "trick"], 1, "unknown_field", None, 2),
        (["deals", 1, "call"], "S", "unknown_field", None, 2),
        (["deals", 1, "dealer"], 3, "wrong_type", "dealer", 2),
        (["deals", 1, "dealer"], True, "wrong_type", "dealer", 2),
        (["deals", 1, "deal"], "D:A K", "deal_syntax", "deal", 2),
        (["deals", 1, "deal"], "N:A... K... Q... J...", "wrong_deal", "deal", 2),
        (["deals", 1, "deal"], None, "wrong_type", "deal", 2),
        (["deals", 1, "bids"], [8, None], "wrong_type", "bids", 2),
        (["deals", 1, "bids"], [10**9], "wrong_type", "bids", 2),
        (["deals", 1, "exchange"], [{"from": "D"}], "missing", "exchange", 2),
        (["deals", 1, "exchange"], [{"from": "DE", "to": "D", "sent": ""}], "wrong_type", "exchange", 2),
        (["deals", 1, "exchange"], [{"from": "", "to": "D", "sent": ""}], "wrong_type", "exchange", 2),
        (["deals", 1, "trump"], "SH", "wrong_type", "trump", 2),
        (["deals", 1, "trump"], 1, "wrong_type", "trump", 2),
        (["deals", 1, "discard"], ["S2"], "wrong_type", "discard", 2),
        (["deals", 1, "discard"], "S2 S1", "unknown_rank", "discard", 2),
        (["deals", 1, "discard"], "S2 S2", "duplicate_card", "discard", 2),
        (["deals", 1, "shown"], [{"to": "D"}], "missing", "shown", 2),
        (["deals", 1, "swap"], 1, "wrong_type", "swap", 2),
        (["deals", 1, "play"], ["S2 S3", "S4 S5 S6"], "trick_size", "play", 2),
        (["deals", 1, "play"], ["S2 S3 S4 S5"], "trick_size", "play", 2),
        (["deals", 1, "play"], [7], "wrong_type", "play", 2),
        (["deals", 1, "claim"], [1, 2, 3], "wrong_type", "claim", 2),
        (["deals", 1, "claim"], {"D": 1, "E": 1, "M": 1, "W": 1}, "unknown_field", "claim", 2),
        (["deals", 1, "claim"], {"D": 1.0, "E": 1, "M": 1}, "wrong_type", "claim", 2),
        (["deals", 1, "result"], 9, "wrong_type", "result", 2),
    ],
)
def test_refused(steps: list[Any], value: Any, code: str, field: str | None, deal: int | None) -> None:
    error = refused(changed(*steps, value=value))
    assert (error.code, error.field, error.deal) == (code, field, deal), str(error)


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "json_syntax"),
        ("hello", "json_syntax"),
        ("[]", "wrong_type"),
        ("null", "wrong_type"),
        ("{", "json_syntax"),
        ('{"tierce_record": 1, "tierce_record": 1}', "json_syntax"),
        ('{"tierce_record": NaN}', "json_syntax"),
        ('{"tierce_record": ' + "1" * 5000 + "}", "json_syntax"),
        ("[" * 100_000, "json_syntax"),
        ('{"tierce_record": 1}', "missing"),
        (b'{"tierce_record": "\xff"}', "encoding"),
    ],
)
def test_refused_text(text: str | bytes, code: str) -> None:
    assert refused(text).code == code


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "expected a record, found an empty file"),
        (b" \n", "expected a record, found an empty file"),
        (b"hello", "found text that is not valid JSON: expecting value at character 1"),
        ("{", "found text that is not valid JSON: expecting property name"),
        ("hand.json", "expected the text of a record, found 'hand.json' (a file is given as a Path)"),
        (changed("deals", 1, "play", 2, value="S2 S1 S3"), "play: trick 3: expected a rank"),
        (changed("game", value="bridge"), "solo_whist), or a whole game as an object, found 'bridge'"),
        (changed("deals", 1, "trmp", value="S"), "deal 2: expected the fields "),
        (changed("deals", 1, "trump", value="s"), "trump: expected one of S H D C, found 's'"),
    ],
)
def test_what_is_said(text: str | bytes, said: str) -> None:
    assert said in str(refused(text))


def test_what_is_said_of_deals() -> None:
    for text, said in (
        (changed("deals", 0, "play", value=[]), "to be finished (play it to its end or give it a claim)"),
        (changed("deals", 1, "swap", value=True), "swap: expected no swap in this deal of raf, found one"),
    ):
        with pytest.raises(RecordError) as caught:
            replay(read_record(text))
        assert said in str(caught.value)


def test_a_repeated_field_in_the_first_line_has_its_line() -> None:
    good = json.dumps(TREE)
    assert refused(f'{good[:-1]}, "game": "raf"}}\n{good}\n').line == 1
    assert refused(f'{good[:-1]}, "game": "raf"}}\n').line is None


def test_a_fault_in_a_line_has_its_line() -> None:
    good = json.dumps(TREE)
    for bad, code in (("{}", "version"), ("{", "json_syntax"), (changed("deals", 1, "trump", value=1), "wrong_type")):
        error = refused(f"{good}\n{bad}\n{good}\n", "night.jsonl")
        assert (error.line, error.code) == (2, code)
        assert str(error).startswith("night.jsonl:2:")


def test_one_record_where_one_is_asked_for() -> None:
    for text in (write_records([RAF, RAF]), "% PBN 2.1\n"):
        with pytest.raises(RecordError, match=r"expected one record, found [02]"):
            read_record(text)


def test_pickled() -> None:
    import pickle

    error = refused(changed("deals", 1, "trump", value=1))
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.deal, copied.code) == (str(error), 2, error.code)
    assert error.located(line=7).deal == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(encoding: str) -> None:
    with pytest.raises(RecordError, match="expected a record in UTF-8, found UTF-16"):
        read_records('{"tierce_record": 1, "game": "raf", "deals": []}'.encode(encoding), "hand.json")


def test_utf_16_pbn_may_begin_with_a_comment() -> None:
    text = "{ a comment }\n" + write_record(RAF, "pbn")
    assert read_records(text.encode("utf-16"))[0].deals == RAF.deals
