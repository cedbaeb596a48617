"""`tierce dealer`: limits, Ctrl-C, terminals, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.dealer_games import EASY, HARD, HOLDS, ONE_CARD, deal_of, write_game
from tests.cli.support import command, environment, on_terminal, run, spawn
from tierce.solver.games import (
    load_game,
    random_deal,
)

# ---- limits, Ctrl-C, terminals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [(), ("--one",), ("--all",)])
def test_nothing_is_told_as_found_before_it_is(args: tuple[str, ...]) -> None:
    ran = run("dealer", HARD, "--timeout", "0.000001", "--chosen", "S: S2 H4 D4 C3", *args)
    assert ran.code == 75
    assert len(re.findall(r"^[a-z]+ +0-16 +-8 to \+8  not known yet$", ran.out, re.M)) == 4
    assert "Best: not known yet, 0-16 tricks.\nChosen: spades, discarding" in ran.out and ": 0 tricks" not in ran.out
    assert "not known yet, 0-16 tricks." in ran.out.split("Chosen: ")[1]


@pytest.mark.parametrize("args", [(), ("--one",)])
def test_no_swap_is_told_as_found_before_it_is(args: tuple[str, ...]) -> None:
    ran = run("dealer", HOLDS, "--game", ONE_CARD, "--timeout", "0.000001", *args)
    assert ran.code == 75 and ran.out.count("  not known yet\n") == 4 and "taking" not in ran.out


def test_a_limit(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ran = run("dealer", HARD, "--timeout", "0.2", "--all", "--out", str(out))
    assert (ran.code, ran.err) == (75, "error: the time limit was reached before the answer was known\n")
    assert "Unfinished" in ran.out and "What is not known is told from-to." in ran.out
    assert ran.out.endswith(f"{out} was not written.\n") and list(tmp_path.iterdir()) == []
    ran = run("dealer", HARD, "--timeout", "0.2", "--json")
    assert ran.code == 75 and ran.json["complete"] is False


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("json_too", [False, True])
def test_interrupted(tmp_path: Path, json_too: bool) -> None:
    import signal

    args = ("dealer", HARD, "--all", "--out", str(tmp_path / "out.csv"), *(("--json",) if json_too else ()))
    process = subprocess.Popen(
        command(*args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    )
    tasks = Path(f"/proc/{process.pid}/task")
    end = time.monotonic() + 30
    while len(list(tasks.iterdir())) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.5)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 2
    assert (process.returncode, err) == (130, "error: interrupted\n")
    assert json.loads(out)["complete"] is False if json_too else "Unfinished" in out
    assert list(tmp_path.iterdir()) == []


def test_progress_on_a_terminal() -> None:
    code, out = on_terminal("stderr", "dealer", HARD, "--timeout", "3", env={"TERM": "xterm"})
    assert code == 75
    assert re.search(r"dealer \[[#-]+\] \d+ % best so far [SHDC] \d+", out)
    assert on_terminal("stderr", "dealer", HARD, "--timeout", "0.5", env={"TERM": "dumb"})[1].startswith("error: ")


def test_colours(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "blind")
    args = ("dealer", deal_of(profile), "--game-file", path)
    assert "\x1b[" in on_terminal("stdout", *args, env={"TERM": "xterm"})[1]
    for env in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_terminal("stdout", *args, env=env)[1]
    text = spawn(*args, env={"PYTHONIOENCODING": "ascii"}).out
    assert text.isascii() and "any two of" in text


@pytest.mark.parametrize(
    "deal",
    [
        "D:AKQJT98765432.A.A.A .KQJT98765432.K.KQJ ..QJT98765432.T9876 / ...5432",
        "D:AKQJ.AKQJ.AKQJ.AKQJ T987.T987.T987.T987 6543.6543.6543.6543 / 2.2.2.2",
    ],
)
def test_wide_hands_fit(deal: str) -> None:
    for args in ((), ("--all",), ("--target", "12"), ("--one",)):
        ran = run("dealer", deal, "--timeout", "20", *args)
        assert ran.code == 0, ran.err
        assert max(map(len, ran.out.splitlines())) <= 80


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "expected a deal, a record's file or --batch, found neither"),
        ([EASY, "--batch", "-"], 2, "expected a deal, a record's file or --batch, found both"),
        ([EASY, "--one", "--all"], 2, "expected --one or --all, found both"),
        ([EASY, "--target", "9", "--one"], 2, "--target asks of every discard"),
        ([EASY, "--target", "x"], 2, "expected a number in digits, found 'x'"),
        ([EASY, "--target", "1e400"], 2, "expected from 0 to 1000, found 1e400"),
        ([EASY, "--value", "floors"], 2, "expected a value among floor, share,"),
        ([EASY, "--out", "x.csv"], 2, "--out writes the value of every choice: it goes with --all"),
        ([EASY, "--all", "--out", "x.txt"], 2, "expected --out to end in .csv, .jsonl, .parquet, found 'x.txt'"),
        ([EASY, "--all", "--out", "nowhere/x.csv"], 74, "x.csv: expected a folder that exists, found '"),
        ([EASY, "--chosen", "X"], 2, "expected one of S, H, D, C, N and MIZ, found 'X'"),
        ([EASY, "--chosen", "S: zzz"], 2, "expected a card such as"),
        ([EASY, "--chosen", "S:"], 2, "expected a choice such as"),
        ([EASY, "--chosen", "S"], 65, "--chosen: expected a discard after the trump, as in 'S: H8"),
        ([EASY, "--chosen", "N: S8 S6 S3 C2"], 65, "--chosen: expected a call among S H D C, found 'N'"),
        ([EASY, "--chosen", "S: S8 S6 S3"], 65, "--chosen: expected a discard of 4 cards, found S8 S6 S3"),
        ([EASY, "--chosen", "S: S8 S6 S3 SA"], 65, "--chosen: expected a discard from"),
        ([EASY, "--calls", "H"], 2, "expected no calls left in a game where the dealer names a trump, found 'H'"),
        ([EASY, "--calls", "Q", "--game", "deputy"], 2, "expected one of S, H, D, C, N and MIZ, found 'Q'"),
        ([EASY, "--calls", "H,H", "--game", "deputy"], 2, "each once, found 'H H'"),
        ([EASY, "--calls", "", "--game", "deputy"], 2, "expected calls such as 'H,N,MIZ', found ''"),
        ([EASY, "--deal", "1"], 2, "--deal goes with a record's file"),
        ([EASY, "--game", "six_three_eight"], 65, "deal: expected three hands of 17 and 1 card beside them"),
        (["D:A... K... Q..."], 65, "deal: expected three hands of 16"),
        (["nosuch.json"], 65, "error: nosuch.json: No such file or directory"),
        (["no/such"], 65, "error: no/such: No such file or directory"),
        (["nosuch"], 65, "deal: expected a deal such as 'D:<dealer> <eldest> <middle> / <kitty>', or a record's"),
        (["KQ2.KQT984.2.AKQ753"], 65, "found one hand, 'KQ2.KQT984.2.AKQ753': --hidden goes by a hand alone"),
        (["kq2.kqt984.2.akq753 / ..5."], 65, "--hidden goes by a hand alone"),
        (["AK2.KQT984.2.AKQ753 QJ..."], 65, "deal: expected a deal such as"),
        (["."], 65, ".: Is a directory"),
        (["README.md"], 65, "README.md:1: expected a record"),
        (["tests/records/golden/match.json", "--calls", "H"], 2, "--calls does not go with a record"),
        (["tests/records/golden/match.json", "--game", "deputy"], 2, "expected no --game, or that of the record, raf;"),
        (["tests/records/golden/match.json", "--option", "end=sixteen"], 2, "--option does not go with a record"),
        (["--batch", "-", "--chosen", "S"], 2, "--chosen does not go with --batch"),
        (["--batch", "-", "--all"], 2, "--all does not go with --batch"),
        (["--batch", "-", "--deal", "2"], 2, "--deal goes with a record's file"),
        (["-"], 65, "deal: expected a deal such as"),
    ],
)  # fmt: skip
def test_refused(args: list[str], code: int, said: str) -> None:
    ran = run("dealer", *args)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ") and said in ran.err


def test_parquet_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = run("dealer", HARD, "--all", "--out", str(tmp_path / "x.parquet"))
    assert (ran.code, ran.out) == (2, "") and "pip install 'tierce[batch]'" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_random_deals_of_every_game_are_understood() -> None:
    for name in ("raf", "deputy", "six_three_eight", "nine_five_two", "uni_high_359", ONE_CARD):
        deal = str(random_deal(load_game(name), 2))
        ran = run("dealer", deal, "--game", name, "--timeout", "0.02")
        assert ran.code in (0, 75) and ran.out, (name, ran)
        assert max(map(len, ran.out.splitlines())) <= 80
