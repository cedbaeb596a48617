"""`tierce solve --pbn`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import FOUR, HARD, KITTY, THREE, WHOLE, Ran, run, spawn
from tierce.solver import Deal, Position, floors, solve
from tierce.solver.cards import SEATS4, parse_hand, parse_trump
from tierce.solver.pbn import PbnGame, read_pbn, write_pbn

SMALL = ["endplay-example1.pbn", "endplay-example4.pbn", "endplay-sample.pbn", "bridgebots-sample.pbn"]


def pbn(text: str | bytes, *args: str) -> Ran:
    return run("solve", "--pbn", "-", *args, stdin=text)


def games(*texts: str) -> str:
    """PBN of games given as tags: `Deal=..., Dealer=...`."""
    return "\n".join("".join(f"[{tag.replace('=', ' ', 1)}]\n" for tag in text.split("; ")) for text in texts)


def deal(text: str) -> str:
    return f'Deal="{text}"'


UNKNOWN = deal("N:A873.A4.KQ96.986 J92.87652.8732.J K5.J3.JT54.KQ542 -")


# Real files


@pytest.mark.parametrize("name", SMALL)
def test_every_deal_of_a_real_file(data: Path, name: str) -> None:
    path = data / "pbn" / name
    found = read_pbn(path.read_bytes(), name)
    ran = run("solve", "--pbn", str(path), "--table", "--json")
    assert ran.code == 0
    assert [answer["id"] for answer in ran.lines] == list(range(1, len(found) + 1))
    for game, answer in zip(found, ran.lines, strict=True):
        assert list(answer["table"]) == list("SHDCN")
        for strain, tricks in answer["table"].items():
            assert list(tricks) == list(SEATS4)
            assert tricks == tricks | (game.table or {}).get(strain, {})


@pytest.mark.parametrize("name", SMALL)
def test_every_contract_of_a_real_file(data: Path, name: str) -> None:
    path = data / "pbn" / name
    found = read_pbn(path.read_bytes(), name)
    ran = run("solve", "--pbn", str(path), "--json")
    assert ran.code == 0
    assert len(ran.lines) == len(found)
    for game, answer in zip(found, ran.lines, strict=True):
        if game.trump is None or game.declarer is None:
            continue
        side = "NS" if game.declarer % 2 == 0 else "EW"
        start = Position.start(game.require_deal(), game.trump, (game.declarer + 1) % 4)
        assert answer["leader"] == SEATS4[(game.declarer + 1) % 4]
        assert answer["tricks"] == {side: solve(start, side).tricks}


@pytest.mark.slow
def test_many_deals(data: Path) -> None:
    found = read_pbn((data / "pbn" / "endplay-example2.pbn").read_bytes())[:60]
    ran = pbn(write_pbn(found), "--table", "--json")
    assert (ran.code, len(ran.lines)) == (0, len(found))
    for game, answer in zip(found, ran.lines, strict=True):
        assert answer["table"] == game.table


@pytest.mark.slow
def test_edge_hands(data: Path) -> None:
    ran = run("solve", "--pbn", str(data / "pbn" / "dds-edge-hands.pbn"), "--table", "--json", "--timeout", "2")
    assert ran.code in (0, 75)
    assert len(ran.lines) == 5
    for answer in ran.lines:
        assert answer["millis"] < 2500  # all twenty entries together
        assert ("complete" in answer) == any("bounds" in row for row in answer["table"].values())


def test_for_people(data: Path) -> None:
    ran = run("solve", "--pbn", str(data / "pbn" / "endplay-example1.pbn"), "--table")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("North") == 2
    assert ran.out.count("\nDeal ") + ran.out.startswith("Deal ") == 2
    assert ran.out.count("\nno trump ") == 2
    words = [line.split() for line in ran.out.splitlines()]
    assert words.count(["strain", *SEATS4]) == 2
    assert words.count(["clubs", "10", "2", "10", "2"]) == 2


# What the file says, and what is typed


def test_what_is_typed_wins() -> None:
    text = games(f'{deal(FOUR)}; Dealer="N"; Declarer="W"; Contract="1S"')
    said = pbn(text, "--json").lines[0]
    assert (said["trump"], said["leader"], list(said["tricks"])) == ("S", "N", ["EW"])
    typed = pbn(text, "--json", "--trump", "H", "--leader", "E", "--side", "NS").lines[0]
    assert (typed["trump"], typed["leader"], typed["tricks"]) == ("H", "E", {"NS": 4})


def test_the_head_of_an_answer() -> None:
    answer = pbn(games(f'Board="7"; {deal(FOUR)}; Dealer="S"'), "--trump", "H", "--json").lines[0]
    assert list(answer)[:4] == ["id", "board", "deal", "kind"]
    assert (answer["id"], answer["board"], answer["deal"], answer["leader"]) == (1, "7", str(Deal.parse(FOUR)), "W")


def test_fewest() -> None:
    answer = pbn(games(deal(FOUR)), "--trump", "H", "--objective", "fewest", "--json").lines[0]
    assert answer["objective"] == "fewest"
    assert answer["tricks"] == {"NS": solve(Position.start(Deal.parse(FOUR), 1, 1), "NS", "fewest").tricks}


# Three hands


def three(text: str, **fields: Any) -> str:
    return write_pbn([PbnGame(deal=Deal.parse(text), game="raf", **fields)])


def test_three_hands_with_a_game_tag() -> None:
    answer = pbn(three(THREE, trump=2), "--json").lines[0]
    assert answer["kind"] == "floor"
    assert answer["tricks"] == {"D": 1, "E": 0, "M": 2}
    assert answer["surplus"] == 1
    table = pbn(three(THREE), "--json", "--table").lines[0]["table"]
    for strain, tricks in table.items():
        assert tricks == floors(Position.start(Deal.parse(THREE), parse_trump(strain))).tricks


def test_the_kitty_and_the_discard_of_the_file() -> None:
    discard = parse_hand(".87..Q4")
    answer = pbn(three(KITTY, trump=0, discard=discard), "--json", "--side", "D").lines[0]
    assert answer["deal"] == str(Deal.parse(KITTY).with_discard(discard))
    ran = pbn(three(KITTY, trump=0), "--json")
    assert (ran.code, ran.lines[0]["error"]["code"]) == (65, "discard_missing")


# Faults


def test_unknown_hands_are_reported_and_the_rest_goes_on() -> None:
    text = games(UNKNOWN, deal(FOUR), 'Event="no deal"', deal("N:A... K... Q... JT..."), deal(FOUR))
    ran = pbn(text, "--trump", "H", "--json")
    assert ran.code == 65
    assert ["error" in answer for answer in ran.lines] == [True, False, True, True, False]
    assert [answer["id"] for answer in ran.lines] == [1, 2, 3, 4, 5]
    for answer in ran.lines:
        if "error" in answer:
            assert list(answer["error"]) == ["code", "field", "message", "line"]
            assert answer["error"]["line"] > 0
    shown = pbn(text, "--trump", "H")
    assert shown.code == 65
    assert shown.out.count("NS take 4 tricks") == 2
    assert shown.err.count("error: <stdin>:") == 3
    assert "error: <stdin>:1: [Deal] " in shown.err


def test_a_limit() -> None:
    text = games(deal(FOUR), deal(WHOLE), deal(FOUR))
    for more in ((), ("--table",)):
        args = more or ("--trump", "N")
        ran = pbn(text, *args, "--max-nodes", "300", "--json")
        assert ran.code == 75
        assert len(ran.lines) == 3
        assert "tricks" not in ran.lines[1] and ran.lines[1]["complete"] is False
    ran = pbn(text, "--trump", "N", "--max-nodes", "300", "--json", "--bounds")
    assert list(ran.lines[1]["bounds"]) == ["NS"]
    ran = pbn(text, "--trump", "N", "--max-nodes", "300")
    assert (ran.code, ran.out.count("NS take")) == (75, 2)


def test_a_limit_outranks_a_fault() -> None:
    assert pbn(games(deal(WHOLE), UNKNOWN), "--trump", "N", "--max-nodes", "30").code == 75


def test_a_hard_game() -> None:
    text = three(HARD, trump=4)
    assert pbn(text, "--objective", "fewest", "--timeout", "0.05", "--json").code == 75


@pytest.mark.parametrize("text", [b"", b"\n\n", b"% nothing\n", b"hello", b"[Deal", bytes(range(256)) * 2000])
def test_no_pbn(text: bytes) -> None:
    ran = spawn("solve", "--pbn", "-", "--table", stdin=text)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: <stdin>")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_encodings_and_windows_ends(encoding: str) -> None:
    text = games(f'Event="Zürich"; {deal(FOUR)}').replace("\n", "\r\n")
    assert pbn(text.encode(encoding), "--trump", "H", "--json").lines[0]["tricks"] == {"NS": 4}


@pytest.mark.parametrize(
    "args",
    [
        ("--at-least", "1"),
        ("--line",),
        ("--discard", "A..."),
        ("--play", "SA"),
        ("--dealer", "N"),
        ("--table", "--trump", "S"),
        ("--table", "--side", "NS"),
    ],
)
def test_options_that_do_not_go_together(args: tuple[str, ...]) -> None:
    ran = pbn(games(deal(FOUR)), *args)
    assert (ran.code, ran.out) == (2, "")
    assert args[-2 if len(args) > 2 else 0] in ran.err


def test_threads_change_nothing_but_the_time(data: Path) -> None:
    path = str(data / "pbn" / "endplay-sample.pbn")
    one, two = (run("solve", "--pbn", path, "--trump", "N", "--json", "--threads", threads).lines for threads in "12")
    for answer in one + two:
        del answer["millis"]
    assert json.dumps(one) == json.dumps(two)


def test_json_is_recognised() -> None:
    for text in ('{"tierce_record": 1}', '\ufeff\n[{"deal": 1}]'):
        ran = run("solve", "--pbn", "-", stdin=text)
        assert (ran.code, ran.out) == (65, "")
        assert ran.err.startswith("error: <stdin>: expected PBN, found JSON ('tierce convert FILE --to pbn'")
    assert run("solve", "--pbn", "-", "--trump", "H", stdin=f'{{a "comment"}}\n[Deal "{FOUR}"]\n').code == 0
