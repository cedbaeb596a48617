"""`tierce play`: what it prints and writes, its exit codes, what it refuses, Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import Ran, command, environment, on_terminal, run
from tierce.cli.play_running import pace
from tierce.solver.games import load_game, random_deal, read_records, replay

MINE = '''
import os, time
from pathlib import Path
from tierce.solver.hints.bots import choices
from tierce.solver.games import Discard, Send
from tierce.solver.cards import cards_of, mask_of

def first(view):
    """The first of what there is."""
    open_ = choices(view)[0]
    if open_.choices:
        return open_.choices[0]
    cards = mask_of(cards_of(open_.among)[: open_.count])
    return Discard(0, cards) if open_.kind is Discard else Send(view.seat, open_.to, cards)

def slow(view):
    with Path("calls").open("a") as file:
        file.write(".")
    time.sleep(0.02)
    return first(view)

def talks(view):
    print("well, well")
    return first(view)

def wrong(view):
    if view.phase == "PLAY" and len(view.tricks) == 3:
        raise RuntimeError("lost \\x1b[31mtrack")
    return first(view)
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots of a user's, which the commands run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("mine_bots.py").write_text(MINE, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "mine_bots", raising=False)
    return tmp_path


FIRST, SLOW = "mine_bots:first", "mine_bots:slow"


def play(bots: str, *args: str) -> Ran:
    return run("play", "--bots", bots, *args)


def untimed(found: Any) -> Any:
    """JSON without what no two runs have in common."""
    times = [{"bot": each["bot"], "decisions": each["decisions"]} for each in found["times"]]
    return found | {"times": times, "run_seconds": 0}


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_a_table(here: Path) -> None:
    ran = play(f"{FIRST},random,random", "--deals", "3", "--seed", "4")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:2] == [
        "raf, 3 deals in 12 games; seed 4.",
        "Every other deal follows a result that is drawn, so that cards are exchanged.",
    ]
    rows = [line.split() for line in lines[4:12]]
    assert lines[3].split() == ["bot", "seat", "deals", "tricks", "quota", "made", "balance", "won"]
    assert [row[:3] for row in rows] == [
        [bot, seat, "3"] for bot in (FIRST, "random") for seat in ("D", "E", "M", "all")
    ]
    assert lines[13:15] == ["Tricks against the quota, on the same deals:", f"{FIRST} instead of random"]
    number = r"[+-]?\d\.\d\d ±\d\.\d\d"
    assert re.fullmatch(rf"  D {number}  E {number}  M {number}  mean {number}", lines[15])
    assert re.fullmatch(r"  The mean is (not )?clear of 0; of 3 deals .* better, .* equal, .* worse\.", lines[16])
    assert re.fullmatch(rf"{FIRST}: \d+ decisions, mean .* ms, longest .* ms", lines[18])
    assert max(map(len, lines)) <= 80


def test_json_is_the_table(here: Path) -> None:
    args = (
        "--deals",
        "3",
        "--instead",
        "simple",
        "--previous",
        "10/4/2",
        "--game",
        "wiki_358",
        "--option",
        "end=sixteen",
    )
    found = play(f"{FIRST},random,random", *args, "--json").json
    assert {name: found[name] for name in ("kind", "game", "options", "bots", "instead", "seed", "previous")} == {
        "kind": "play", "game": "wiki_358", "options": {"end": "sixteen"}, "bots": [FIRST, "random", "random"],
        "instead": ["simple"], "seed": 1, "previous": [10, 4, 2],
    }  # fmt: skip
    assert (found["deals"], found["games"], found["played"], found["complete"]) == (3, 18, 18, True)
    assert [(each["bot"], each["seat"]) for each in found["rows"]] == [
        (bot, seat) for bot in (FIRST, "simple") for seat in ("D", "E", "M", None)
    ]
    rows = {(each["bot"], each["seat"]): each for each in found["rows"]}
    for each in found["differences"]:
        assert (each["bot"], each["instead_of"], each["deals"]) == (FIRST, "simple", 3)
        gap = rows[FIRST, each["seat"]]["balance"] - rows["simple", each["seat"]]["balance"]
        assert each["difference"] == pytest.approx(gap, abs=2e-4)
        assert each["difference_low"] <= each["difference"] <= each["difference_high"]
    assert found["faults"] == {}


def test_hints_with_worlds_are_the_same_again(here: Path) -> None:
    args = ("--deals", "2", "--worlds", "2", "--previous", "drawn", "--json")
    found = [untimed(play(f"hint,{FIRST},{FIRST}", *args, "--threads", threads).json) for threads in ("1", "2")]
    assert found[0] == found[1]
    assert (found[0]["faults"], found[0]["worlds"], found[0]["seconds"]) == ({}, 2, None)


def test_times_over_the_budget(here: Path) -> None:
    found = play(f"hint,{FIRST},{FIRST}", "--deals", "1", "--seconds", "0.002", "--json").json
    hint, own = found["times"]
    assert hint["over_ms"] == pytest.approx(max(0, hint["longest_ms"] - 2), abs=0.002)
    assert own["over_ms"] is None
    assert found["faults"] == {}


def test_matches(here: Path) -> None:
    args = ("--matches", "4", "--option", "end=quota_plus_5")
    ran = play(f"{FIRST},simple,simple", *args)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("raf, 4 matches; seed 1.\nThe bots move on by a seat from match to match.\n")
    found = play(f"{FIRST},simple,simple", *args, "--json").json
    assert [each["bot"] for each in found["rows"]] == [FIRST, "simple", "simple"]
    assert sum(each["won"] for each in found["rows"]) == 4
    assert found["deals_a_match"] >= 1
    assert "differences" not in found


@pytest.mark.parametrize("more", [("--deals", "3"), ("--matches", "2", "--option", "end=quota_plus_5")])
def test_the_same_on_two_processes(here: Path, more: tuple[str, ...]) -> None:
    found = [
        untimed(play(f"{FIRST},random,random", *more, "--json", "--threads", threads, "--out", "out.jsonl").json)
        for threads in ("1", "2")
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("more", [("--deals", "3"), ("--matches", "2", "--option", "end=quota_plus_5")])
def test_records(here: Path, more: tuple[str, ...]) -> None:
    ran = play(f"{FIRST},random,random", *more, "--out", "out.jsonl")
    assert ran.out.endswith("The records are in out.jsonl.\n")
    records = read_records(Path("out.jsonl"))
    assert len(records) == (12 if more[0] == "--deals" else 2)
    for record in records:
        again = replay(record)
        assert all(deal.finished and not deal.discrepancies for deal in again.deals)
        assert set(record.players or ()) <= {FIRST, "random"}
    if more[0] == "--deals":
        assert [record.deals[0].deal for record in records] == [
            random_deal(load_game("raf"), 1, at // 4) for at in range(12)
        ]
        reviewed = run("review", "out.jsonl", "--deal", "12", "--seconds", "0", "--json")
        assert reviewed.code == 0


def test_previous(here: Path) -> None:
    said = {
        "none": "Every deal is the first of a match.",
        "drawn": "Every deal follows a result that is drawn.",
        "9/4/3": "Every deal follows the result 9/4/3.",
    }
    for previous, line in said.items():
        ran = play(f"{FIRST},{FIRST},{FIRST}", "--deals", "2", "--previous", previous, "--out", "out.jsonl")
        assert ran.out.splitlines()[1] == line
        exchanges = [bool(record.deals[0].exchange) for record in read_records(Path("out.jsonl"))]
        assert exchanges == [previous != "none"] * 2


def test_bots_print_to_stderr(here: Path) -> None:
    for threads in ("1", "2"):
        args = ("play", "--bots", "mine_bots:talks,random,random", "--deals", "1", "--json", "--threads", threads)
        done = subprocess.run(command(*args), capture_output=True, env=environment(), timeout=60, check=False)
        assert done.returncode == 0
        assert json.loads(done.stdout)["complete"]
        said = done.stderr.decode()
        assert "well, well" in said
        assert not said.replace("\n", "").replace("well, well", "")  # lines of two processes may get mixed


# ---- faults and ends -------------------------------------------------------------------------------------------------


def test_faults_are_told(here: Path) -> None:
    ran = play("mine_bots:wrong,random,random", "--deals", "2", "--out", "out.jsonl")
    assert ran.code == 65
    assert ran.err.splitlines() == [
        "error: 6 games ended with a fault; no figure counts them",
        "  6 times, first in deal 1: mine_bots:wrong: RuntimeError: lost \\x1b[31mtrack (mine_bots.py line 28)",
    ]
    assert [len(record.deals[0].play) >= 9 for record in read_records(Path("out.jsonl"))] == [True] * 8
    ran = play("mine_bots:wrong,random,random", "--deals", "2", "--json")
    assert ran.code == 65
    faults = json.loads(ran.out)["faults"]
    assert (faults["mine_bots:wrong"]["count"], faults["mine_bots:wrong"]["first"]) == (6, 0)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_timeout(here: Path, threads: str) -> None:
    args = ("--deals", "500", "--timeout", "1.5", "--threads", threads, "--out", "out.jsonl", "--json")
    ran = play(f"{SLOW},{FIRST},{FIRST}", *args)
    assert ran.code == 75
    played = json.loads(ran.out)["played"]
    assert played < 2000
    assert ran.err == f"error: the time is up: {played:,} of 2,000 games were played\n"
    assert Path("out.jsonl").read_text(encoding="utf-8").count("\n") == played


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted(here: Path, threads: str) -> None:
    args = ("play", "--bots", f"{SLOW},{FIRST},{FIRST}", "--deals", "500", "--threads", threads, "--out", "out.jsonl")
    with subprocess.Popen(
        command(*args, "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        last = time.monotonic() + 60
        while not Path("calls").exists() or Path("calls").stat().st_size < 40:  # more than a game
            assert process.poll() is None and time.monotonic() < last
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (130, b"error: interrupted\n")
    found = json.loads(out)
    assert 1 <= found["played"] < 2000
    assert not found["complete"]
    assert len(read_records(Path("out.jsonl"))) == found["played"]


def test_progress(here: Path) -> None:
    args = ("play", "--bots", f"{SLOW},{FIRST},{FIRST}", "--deals", "1")
    code, text = on_terminal("stderr", *args, env={"TERM": "xterm"})
    assert code == 0
    assert re.search(r"\rplay \[#*-*\] \d+ % \d/4 games", text)
    assert text.endswith("\r")
    assert pace(0, 480, 5) == "0/480 games"
    assert pace(24, 480, 60) == "24/480 games, 19 min left"
    assert pace(24, 480, 2) == "24/480 games"


# ---- refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "missing option '--bots'"),
        (("--bots", "random,random"), "expected three bots, found 2: 'random, random'"),
        (("--bots", "random,random,rnd"), "found 'rnd'"),
        (("--bots", "hint:deep,random,random"), "found 'deep' in 'hint:deep'"),
        (("--bots", "random,simple,simple", "--instead", "rnd"), "found 'rnd'"),
        (("--bots", "random,simple,simple", "--instead", "random"), "expected each bot once"),
        (("--bots", "random,simple,mine_bots:first", "--instead", "simple"), "expected deals with two bots"),
        (("--bots", "mine_bots:nobody,simple,simple"), "mine_bots"),
        (("--bots", "random,simple,simple", "--deals", "0"), "expected from 1 to"),
        (("--bots", "random,simple,simple", "--seconds", "0"), "expected from 0.001 to"),
        (("--bots", "random,simple,simple", "--worlds", "0"), "expected from 1 to"),
        (("--bots", "random,simple,simple", "--worlds", "9", "--seconds", "1"), "--seconds does not go with --worlds"),
        (("--bots", "random,simple,simple", "--threads", "65"), "expected from 1 to 64"),
        (("--bots", "random,simple,simple", "--matches", "2", "--deals", "2"), "--deals does not go with --matches"),
        (("--bots", "random,simple,simple", "--matches", "2", "--previous", "none"), "--previous does not go with"),
        (("--bots", "random,simple,simple", "--previous", "10/4"), "such as 10/4/2, none, drawn or alternate"),
        (("--bots", "random,simple,simple", "--previous", "10/4/3"), "expected tricks"),
        (("--bots", "random,simple,simple", "--previous", "8/5/3"), "after which cards are exchanged"),
        (("--bots", "random,simple,simple", "--game", "bridge"), "expected a game"),
        (("--bots", "random,simple,simple", "--option", "end=never"), "expected end = "),
        (("--bots", "random,simple,simple", "--out", ""), "expected the name of a file"),
    ],
)
def test_usage(here: Path, args: tuple[str, ...], said: str) -> None:
    ran = run("play", *args)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err.splitlines()[0]


def test_no_place_for_the_records(here: Path) -> None:
    ran = play(f"{FIRST},random,random", "--deals", "1", "--out", "nowhere/out.jsonl")
    assert (ran.code, ran.out) == (74, "")
    assert "expected a folder that exists" in ran.err


def test_no_server_plays(here: Path) -> None:
    ran = run("--server", "localhost:1", "play", "--bots", "random,random,random")
    assert ran.code == 2
    assert "expected a command that a server serves" in ran.err
