"""`tierce exchange`: limits, Ctrl-C, terminals, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.exchange_games import EASY, HARD, deal_of, write_game
from tests.cli.support import command, environment, on_terminal, run, spawn
from tierce.solver.games import DealRecord, Record, load_game, random_deal, write_record

MATCH = "tests/records/golden/match.json"
ONE = ("--previous", "9/5/2")  # middle sends eldest one card
PAIR = ("--previous", "10/4/2")  # and the dealer another

# ---- limits, Ctrl-C, terminals ---------------------------------------------------------------------------------------


def test_nothing_is_told_as_found_before_it_is() -> None:
    ran = run("exchange", HARD, *ONE, "--timeout", "0.000001", "--chosen", "SQ")
    assert ran.code == 75
    assert "Best: not known yet, 0-16 tricks.\nChosen: ♠Q to eldest for ♠A: 0-16 tricks.\n" in ran.out
    assert "Best so far" not in ran.out and "ways  " not in ran.out and "as good" not in ran.out
    ran = run("exchange", HARD, *ONE, "--timeout", "0.000001", "--target", "3")
    assert ran.code == 75 and "Nothing that reaches 3 tricks was found so far.\n" in ran.out
    ran = run("exchange", HARD, *ONE, "--timeout", "0.000001", "--all")
    assert ran.code == 75 and "worth how much" not in ran.out


def test_a_limit(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    ran = run("exchange", HARD, *ONE, "--timeout", "0.1", "--all", "--out", str(out))
    assert (ran.code, ran.err) == (75, "error: the time limit was reached before the answer was known\n")
    assert "Unfinished: the search was stopped; what is proved so far is told.\n" in ran.out
    assert ran.out.endswith(f"{out} was not written.\n") and list(tmp_path.iterdir()) == []
    ran = run("exchange", HARD, *ONE, "--timeout", "0.1", "--json")
    assert ran.code == 75 and ran.json["complete"] is False and ran.json["bounds"] == [0, 16]


def test_bounds_at_a_limit_hold(tmp_path: Path) -> None:
    """Whenever a small search is stopped, what it tells then is true."""
    path, profile = write_game(tmp_path, "one_by_one")
    args = ("exchange", deal_of(profile), "--game-file", path, "--previous", "5/1/0", "--threads", "1", "--json")
    whole = run(*args).json
    stopped = 0
    for millis in (1, 5, 10, 15, 20, 30, 40):
        ran = run(*args, "--timeout", str(millis / 1000))
        low, high = ran.json.get("bounds", [ran.json.get("tricks")] * 2)
        assert low <= whole["tricks"] <= high and (ran.code == 75) == (not ran.json["complete"])
        stopped += ran.code == 75
    assert stopped


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("json_too", [False, True])
def test_interrupted(tmp_path: Path, json_too: bool) -> None:
    import signal

    process = started(tmp_path, *(("--json",) if json_too else ()))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "error: interrupted\n")
    assert json.loads(out)["complete"] is False if json_too else "Unfinished" in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_killed(tmp_path: Path) -> None:
    process = started(tmp_path)
    process.kill()
    out, _ = process.communicate(timeout=30)
    assert out == "" and list(tmp_path.iterdir()) == []


def started(folder: Path, *more: str) -> subprocess.Popen[str]:
    """A search as a process of its own, under way."""
    args = ("exchange", HARD, *ONE, "--all", "--out", str(folder / "out.csv"), *more)
    process = subprocess.Popen(
        command(*args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    )
    tasks = Path(f"/proc/{process.pid}/task")
    end = time.monotonic() + 30
    while len(list(tasks.iterdir())) < 2 and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.5)
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_progress_on_a_terminal() -> None:
    code, out = on_terminal("stderr", "exchange", HARD, *ONE, "--timeout", "1.5", env={"TERM": "xterm"})
    assert code == 75 and re.search(r"exchange \[[#-]+\] \d+ %", out)
    dumb = on_terminal("stderr", "exchange", HARD, *ONE, "--timeout", "0.5", env={"TERM": "dumb"})
    assert dumb[1].startswith("error: ")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_colours(tmp_path: Path) -> None:
    path, profile = write_game(tmp_path, "swap")
    args = ("exchange", deal_of(profile), "--game-file", path, "--previous", "5/1/0")
    assert "\x1b[" in on_terminal("stdout", *args, env={"TERM": "xterm"})[1]
    for env in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_terminal("stdout", *args, env=env)[1]
    text = spawn(*args, env={"PYTHONIOENCODING": "ascii"}).out
    assert text.isascii() and " to eldest for " in text


@pytest.mark.parametrize(
    ("game", "previous", "deal"),
    [
        ("raf", "9/5/2", "D:AKQJT98765432.A.A.A .KQJT98765432.K.KQJ ..QJT98765432.T9876 / ...5432"),
        ("nine_five_two_swap", "10/2/4", "D:AKQJ.AKQJ.AKQJ.AKQJ T987.T987.T987.T987 6543.6543.6543.6543 / 2.2.2.2"),
    ],
)
def test_wide_hands_fit(game: str, previous: str, deal: str) -> None:
    for args in ((), ("--all",), ("--target", "3"), ("--chosen", "D6")):
        ran = run("exchange", deal, "--game", game, "--previous", previous, "--timeout", "20", *args)
        assert ran.code == 0, ran.err
        assert max(map(len, ran.out.splitlines())) <= 80


def test_random_deals_of_every_game_are_understood() -> None:
    previous = {
        "raf": "9/5/2", "wiki_358": "9/4/3", "woburn": "8/6/2", "six_three_eight": "9/5/3", "nine_five_two": "10/5/1",
        "nine_five_two_swap": "9/3/4", "uni_high_359": "10/5/2", "nine_five_three_one_card": "9/4/4",
        "nine_five_three_no_kitty": "8/6/3",
    }  # fmt: skip
    for name, tricks in previous.items():
        deal = str(random_deal(load_game(name), 2))
        ran = run("exchange", deal, "--game", name, "--previous", tricks, "--timeout", "0.02")
        assert ran.code in (0, 75) and "sends 1 card to" in ran.out, (name, ran)
        assert max(map(len, ran.out.splitlines())) <= 80


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "expected a deal, a record's file or --batch, found neither"),
        ([EASY, "--batch", "-"], 2, "expected a deal, a record's file or --batch, found both"),
        ([EASY], 2, "expected --previous with the tricks of the deal before, such as 10/4/2"),
        (["-"], 2, "expected --previous with the tricks of the deal before"),
        ([EASY, "--previous", "8/5"], 2, "expected numbers of dealer, eldest and middle such as 10/4/2, found '8/5'"),
        ([EASY, "--previous", "-1/4/13"], 2, "'--previous': expected numbers of dealer, eldest and middle"),
        ([EASY, "--previous", "100/1/1"], 2, "found '100/1/1'"),
        ([EASY, "--previous", "8/5/3"], 65, "--previous: expected an exchange, found none: everybody took what"),
        ([EASY, "--previous", "10/4/3"], 65, "--previous: expected tricks that sum to 16, found '10/4/3'"),
        ([EASY, "--previous", "12/2/2"], 65, "--previous: expected a match that goes on after the previous deal"),
        ([EASY, *ONE, "--previous-quota", "x"], 2, "'--previous-quota': expected numbers of dealer, eldest and middle"),
        ([EASY, *ONE, "--previous-quota", "9/4/3"], 65, "expected 8/5/3, found '9/4/3'"),
        ([EASY, *ONE, "--first-over", "X"], 2, "'--first-over': expected a seat D, E or M, found 'X'"),
        ([EASY, *ONE, "--first-over", "D"], 65, "--first-over: expected a game with two_up_order = first_over, found"),
        ([EASY, *ONE, "--game", "deputy"], 2, "expected a game with an exchange, found deputy"),
        ([EASY, *ONE, "--game", "nosuch"], 2, "expected a game (raf, wiki_358,"),
        ([EASY, *ONE, "--game", "six_three_eight"], 65, "--previous: expected tricks that sum to 17, found '9/5/2'"),
        ([EASY, "--previous", "9/6/2", "--game", "six_three_eight"], 65, "deal: expected three hands of 17 and 1 card"),
        ([EASY, *ONE, "--game", "six_three_eight", "--option", "exchange=false"], 2, "a game with an exchange"),
        ([EASY, *ONE, "--option", "return_rule=x"], 2, "expected return_rule = merged_top_n |"),
        ([EASY, *ONE, "--target", "x"], 2, "expected a number in digits, found 'x'"),
        ([EASY, *ONE, "--target", "-1"], 2, "expected from 0 to 1000, found -1"),
        ([EASY, *ONE, "--target", "nan"], 2, "expected a number in digits, found 'nan'"),
        ([EASY, *ONE, "--target", "2.5"], 65, "--target: expected a whole number of tricks where the value"),
        ([EASY, *ONE, "--target", "4", "--all"], 2, "--target asks of every way whether it reaches K"),
        ([EASY, *ONE, "--value", "floors"], 2, "expected a value among floor, share, ceiling, pair:DE, pair:DM"),
        ([EASY, *ONE, "--value", "pair:DE"], 65, "--value: expected a value among floor, share, ceiling, pair:DM"),
        ([EASY, *ONE, "--out", "x.csv"], 2, "--out writes the value of every way: it goes with --all"),
        ([EASY, *ONE, "--all", "--out", "x.txt"], 2, "expected --out to end in .csv, .jsonl, .parquet, found 'x.txt'"),
        ([EASY, *ONE, "--all", "--out", "nowhere/x.csv"], 74, "x.csv: expected a folder that exists, found '"),
        ([EASY, *ONE, "--chosen", "zzz"], 2, "expected a card such as"),
        ([EASY, *ONE, "--chosen", ""], 2, "expected parcels such as 'E:H7 D:C2', found ''"),
        ([EASY, *ONE, "--chosen", "E:"], 2, "expected cards by seat (D E M), each seat once"),
        ([EASY, *ONE, "--chosen", "X:S9"], 2, "expected cards by seat (D E M), each seat once"),
        ([EASY, *ONE, "--chosen", "S9 S9"], 2, "expected each card once, found 'S9' twice"),
        ([EASY, *ONE, "--chosen", "SA"], 65, "--chosen: expected cards that middle holds, found SA"),
        ([EASY, *ONE, "--chosen", "S9 ST"], 65, "--chosen: expected 1 card from middle to eldest, found 2"),
        ([EASY, *ONE, "--chosen", "D:S9"], 65, "--chosen: expected a parcel for E, found one for D"),
        ([EASY, *PAIR, "--chosen", "E:S9"], 65, "--chosen: expected a parcel for E and D, found one for E"),
        ([EASY, *PAIR, "--chosen", "S9 ST"], 65, "--chosen: expected a parcel for E and D each, such as 'E:H7 D:C2'"),
        ([EASY, *PAIR, "--chosen", "E:S9 E:ST"], 2, "each seat once"),
        ([EASY, *PAIR, "--chosen", "E:S9 D:S9"], 65, "--chosen: expected cards that middle holds, found S9"),
        ([EASY, *ONE, "--deal", "1"], 2, "--deal goes with a record's file"),
        ([EASY, *ONE, "--sender", "D"], 65, "--sender: expected M, who sends first, found 'D'"),
        ([EASY, *ONE, "--sender", "Q"], 2, "'--sender': expected a seat D, E or M, found 'Q'"),
        ([EASY, *ONE, "--top", "0"], 2, "expected 1 or more, found 0"),
        ([EASY, *ONE, "--seconds", "3"], 2, "--seconds goes with --hidden"),
        ([EASY, *ONE, "--omniscient-reply"], 2, "--omniscient-reply goes with --hidden"),
        ([EASY, *ONE, "--hidden", "--all"], 2, "--all does not go with --hidden"),
        ([EASY, *ONE, "--hidden", "--value", "share"], 2, "--value does not go with --hidden, which estimates floors"),
        ([EASY, *ONE, "--hidden", "--seconds", "1", "--worlds", "2"], 2, "expected --seconds or --worlds, found both"),
        (["KQ2.KQT984.2.AKQ753", *ONE, "--hidden", "--sender", "E"], 2, "--sender does not go with a hand alone"),
        (["KQ2.KQT984.2.AKQ753", *ONE, "--hidden", "--deal", "1"], 2, "--deal goes with a record's file"),
        (["KQ2.KQT984.2.AKQ753", *ONE, "--hidden", "--game", "deputy"], 2, "expected a game with an exchange"),
        (["KQ2.KQT984.2.AKQ753", *ONE], 65, "found one hand, 'KQ2.KQT984.2.AKQ753': --hidden goes by a hand alone"),
        (["D:A... K... Q...", *ONE], 65, "deal: expected three hands of 16"),
        (["nosuch.json"], 65, "error: nosuch.json: No such file or directory"),
        (["nosuch"], 65, "deal: expected a deal such as 'D:<dealer> <eldest> <middle> / <kitty>', or a record's"),
        (["."], 65, ".: Is a directory"),
        (["README.md"], 65, "README.md:1: expected a record"),
        (["-", *ONE], 65, "deal: expected a deal such as"),
        ([MATCH, *ONE], 2, "--previous does not go with a record, which says what came before"),
        ([MATCH, "--option", "end=sixteen"], 2, "--option does not go with a record"),
        ([MATCH, "--game", "woburn"], 2, "expected no --game, or that of the record, raf;"),
        ([MATCH, "--deal", "1"], 65, f"{MATCH}: expected deal 1 in which somebody sends a parcel, found none"),
        ([MATCH, "--deal", "3"], 65, f"{MATCH}: expected deal 3, found the deals 1 to 2"),
        ([MATCH, "--sender", "M"], 65, f"{MATCH}: expected a deal in which M sends a parcel, found none"),
        (["tests/records/golden/auction.json"], 65, "expected a deal in which somebody sends a parcel, found none"),
        ([EASY, "--previous-record", MATCH, *ONE], 2, "--previous does not go with --previous-record, which says it"),
        ([EASY, "--previous-record", "nosuch.json"], 65, "nosuch.json: No such file or directory"),
        ([EASY, "--previous-record", "-"], 65, "<stdin>: expected a record, found an empty file"),
        (["--batch", "-", "--chosen", "S9"], 2, "--chosen does not go with --batch"),
        (["--batch", "-", "--all"], 2, "--all does not go with --batch"),
        (["--batch", "-", "--sender", "E"], 2, "--sender does not go with --batch"),
        (["--batch", "-", "--deal", "1"], 2, "--deal goes with a record's file"),
        (["--batch", "-", "--game", "deputy"], 2, "expected a game with an exchange, found deputy"),
        (["--batch", "nosuch.jsonl"], 65, "nosuch.jsonl: No such file or directory"),
    ],
)  # fmt: skip
def test_refused(args: list[str], code: int, said: str) -> None:
    ran = run("exchange", *args)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ") and said in ran.err


def test_parquet_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = run("exchange", HARD, *ONE, "--all", "--out", str(tmp_path / "x.parquet"))
    assert (ran.code, ran.out) == (2, "") and "pip install 'tierce[batch]'" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Before the search, where it can be known; else the answer is told all the same."""
    path, profile = write_game(tmp_path, "swap")
    out = tmp_path / "out.csv"
    args = ("exchange", deal_of(profile), "--game-file", path, "--previous", "2/3/1", "--all", "--out")
    ran = run(*args, str(tmp_path))
    assert (ran.code, ran.out) == (2, "") and "expected --out to end in" in ran.err

    def full(*_: object) -> None:
        raise OSError(f"{out}: No space left on device")

    monkeypatch.setattr("tierce.cli.out.write_table", full)
    ran = run(*args, str(out))
    assert (ran.code, ran.err) == (74, f"error: {out}: No space left on device\n")
    assert "Best: " in ran.out and ran.out.endswith(f"{out} was not written.\n")


def test_a_record_that_does_not_go_on(tmp_path: Path) -> None:
    """--previous-record is the match so far: its last deal is over, and nobody has won."""
    profile, begun = write_game(tmp_path, "at_once")[1], tmp_path / "begun.json"
    begun.write_text(write_record(Record(profile, (DealRecord(random_deal(profile, 3)),))), encoding="utf-8")
    ran = run("exchange", deal_of(profile, 1), "--previous-record", str(begun))
    assert (ran.code, ran.out) == (65, "")
    assert f"{begun}: expected a match that goes on after a finished deal, found one in the phase TRUMP" in ran.err
    assert run("exchange", str(begun)).code == 65  # a first deal has no exchange


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ("--previous", "9/6/2", "--previous-quota", "9/6/2"),
            "error: --previous-quota: expected 8/6/3, found '9/6/2'",
        ),
        (
            ("--previous", "5/6/6", "--option", "two_up_order=first_over", "--first-over", "D"),
            "error: --first-over: expected a seat that won more tricks than its quota, found 'D'",
        ),
    ],
)
def test_errors_name_the_option_that_is_wrong(more: tuple[str, ...], said: str) -> None:
    deal = "D:QJ94.AQ9632.AQ6.AT62 8765.854.T532.K87543 AKT3.KJT7.KJ9874.QJ9 / 2..."
    ran = run("exchange", deal, "--game", "six_three_eight", *more)
    assert ran.code == 65 and ran.err.startswith(said), ran.err
