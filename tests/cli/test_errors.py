"""What goes wrong: one line on stderr that says what was expected and what was found, and the exit code."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
from pathlib import Path
from unittest import mock

import pytest

from tests.cli.support import FOUR, KITTY, THREE, Ran, command, environment, run, spawn
from tierce.cli.commands import solve


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("solv",), "no such command 'solv', did you mean 'solve'?"),
        (("crads",), "did you mean 'cards'?"),
        (("zzz",), "commands are batch, bench, "),
        (("solve", "--trum", "S"), "did you mean '--trump'?"),
        (("solve", "--kity-first"), "did you mean '--kitty-first'?"),
        (("cards", "--all-seat"), "--all-seats"),
        (("bench", "--chek"), "'--check'"),
        (("solve", THREE, "--trump"), "'--trump' requires an argument"),
        (("solve", THREE, "extra"), "unexpected extra argument"),
        (("solve", THREE, "--objective", "mots"), "'mots'"),
        (("solve", THREE, "--timeout", "0"), "--timeout"),
        (("solve", THREE, "--timeout", "nan"), "--timeout"),
        (("solve", THREE, "--timeout", "soon"), "'soon'"),
        (("solve", THREE, "--max-nodes", "0"), "--max-nodes"),
        (("solve", THREE, "--max-nodes", "9" * 30), "--max-nodes"),
        (("solve", THREE, "--max-nodes", "9" * 9000), "--max-nodes"),
        (("solve", THREE, "--timeout", "1e9"), "expected from 1e-09 to 999999999, found 1e9"),
        (("solve", THREE, "--timeout", "999999999.5"), "expected from 1e-09 to 999999999"),
        (("solve", THREE, "--timeout", "\u0663"), "expected a number in digits, found '\u0663'"),
        (("solve", THREE, "--timeout", "inf"), "expected a number in digits, found 'inf'"),
        (("solve", THREE, "--timeout", "1_0"), "expected a number in digits, found '1_0'"),
        (("solve", THREE, "--max-nodes", "\u0663"), "expected a whole number in digits, found '\u0663'"),
        (("solve", THREE, "--max-nodes", "1.5"), "expected a whole number in digits, found '1.5'"),
        (("solve", THREE, "--table-mb", "1_0"), "--table-mb"),
        (("solve", THREE, "--at-least", "\uff11", "--trump", "S"), "--at-least"),
        (("solve", "--batch", "-", "--threads", "0"), "'--threads': expected 1 or more, found 0"),
        (("solve", "--batch", ""), "'--batch': expected the name of a file, found ''"),
        (("solve", "--pbn", ""), "'--pbn': expected the name of a file, found ''"),
        (("solve", THREE, "--trump", "X"), "'--trump': expected a trump S, H, D, C or N, found 'X'"),
        (("solve", THREE, "--trump", ""), "'--trump': expected a trump S, H, D, C or N, found ''"),
        (("cards", THREE, "--trump", "X"), "'--trump': expected a trump S, H, D, C or N, found 'X'"),
        (("solve", "--pbn", "-", "--trump", "X"), "'--trump': expected a trump S, H, D, C or N, found 'X'"),
        (("solve", THREE, "--leader", "Q"), "'--leader': expected a seat D, E or M of three hands"),
        (("solve", THREE, "--leader", ""), "'--leader': expected a seat D, E or M of three hands"),
        (("solve", FOUR, "--dealer", "Q"), "'--dealer': expected a seat D, E or M of three hands"),
        (("solve", THREE, "--side", "DEM"), "'--side': expected some but not all of the seats"),
        (("solve", FOUR, "--side", "NX"), "'--side': expected some but not all of the seats"),
        (("solve", FOUR, "--side", "NN"), "each once, found 'NN'"),
        (("solve", FOUR, "--side", "DN"), "'--side': expected some but not all of the seats"),
        (("solve", THREE, "--table-mb", "0"), "--table-mb"),
        (("solve", THREE, "--at-least", "-1", "--trump", "S"), "--at-least"),
        (("solve", THREE, "--at-least", "1", "--at-most", "1", "--trump", "S"), "found both"),
        (("solve", THREE, "--at-least", "1"), "--trump"),
        (("solve", THREE, "--line"), "--trump"),
        (("solve", THREE, "--play", "SA"), "--trump"),
        (("solve", THREE, "--trump", "S", "--play", "XX"), "'--play': expected a card such as SA, AS or 10h, found"),
        (("solve", THREE, "--trump", "S", "--play", "SA SA"), "'--play': expected each card once, found 'SA' twice"),
        (("solve", KITTY, "--trump", "S", "--discard", "8"), "'--discard': expected cards such as 'H8 H7 CQ C4' or"),
        (("solve", KITTY, "--trump", "S", "--discard", "H8 H8 CQ C4"), "'--discard': expected each card once"),
        (("solve", KITTY, "--trump", "S", "--discard", ".87.Q4"), "'--discard': expected four suits S.H.D.C divided"),
        (("solve", KITTY, "--trump", "S", "--discard", ""), "'--discard': expected"),
        (("cards", THREE, "--trump", "S", "--play", "XX"), "'--play': expected a card such as"),
        (("solve", THREE, "--table"), "--pbn"),
        (("solve", THREE, "--batch", "x.jsonl"), "expected one of a deal, --batch and --pbn"),
        (("solve", "--batch", "-", "--pbn", "-"), "expected one of a deal, --batch and --pbn"),
        (("solve",), "expected a deal"),
    ],
)
def test_usage(args: tuple[str, ...], message: str) -> None:
    ran = run(*args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert message.lower() in ran.err.lower()
    assert ran.err.endswith(" --help' tells more.\n")


@pytest.mark.parametrize(
    ("args", "start", "found"),
    [
        ((THREE, "--trump", "S", "--leader", "N"), "--leader: expected a seat D, E or M", "'N'"),
        ((FOUR, "--trump", "S", "--leader", "D"), "--leader: expected a seat N, E, S or W", "'D'"),
        ((THREE, "--trump", "S", "--side", "NS"), "--side: expected seats D, E or M", "'NS'"),
        ((FOUR, "--trump", "S", "--side", "DE"), "--side: expected seats N, E, S or W", "'DE'"),
        ((THREE, "--trump", "S", "--dealer", "N"), "--dealer: expected no dealer with three hands", ""),
        ((FOUR, "--trump", "S", "--dealer", "M"), "--dealer: expected a seat N, E, S or W", "'M'"),
        ((KITTY, "--trump", "S", "--discard", "H8 H7 CQ"), "--discard: expected a discard of 4 cards", "3"),
        ((FOUR, "--trump", "S", "--discard", "8..."), "--discard: expected no discard", "'S8'"),
        (("nonsense", "--trump", "S"), "deal: expected a deal such as ", "'nonsense'"),
        (("", "--trump", "S"), "deal: expected a deal such as ", "''"),
        (("D:A... K... A...", "--trump", "S"), "deal: expected each card once", "'SA' in hand D and in hand M"),
        (("D:AK... Q... J...", "--trump", "S"), "deal: expected 1 card in every hand", "2 in hand D"),
        (("D:A... K...", "--trump", "S"), "deal: expected 3 hands", "2"),
        (("N:A... K... Q... -", "--trump", "S"), "deal: expected cards in hand W", "'-'"),
        (("D:A...J1 K... Q...", "--trump", "S"), "deal: expected ", "J1"),
        (("D:X... K... Q...", "--trump", "S"), "deal: expected ranks ", "'X'"),
        (("D:A.K.Q K... Q...", "--trump", "S"), "deal: expected four suits", "3"),
        (("D:A... K... Q... / J... / T...", "--trump", "S"), "deal: expected one '/'", "2"),
        (("N:A... K... Q... J... / T...", "--trump", "S"), "deal: expected no kitty with four hands", "'ST'"),
        (("D:" + "A" * 5000, "--trump", "S"), "deal: expected ", "5002"),
        (("D:A... \x1b[31m K...", "--trump", "S"), "deal: expected ", "\\x1b"),
    ],
)
def test_input(args: tuple[str, ...], start: str, found: str) -> None:
    ran = run("solve", *args)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith(f"error: {start}")
    assert f"found {found}" in ran.err or found in ran.err
    assert ran.err.count("\n") == 1
    assert ran.err.strip().isprintable()


def test_a_void_first_suit_is_no_error() -> None:
    assert run("solve", "D:.A.. .K.. .Q..", "--trump", "S").code == 0


def test_input_is_wrong_before_a_limit_is() -> None:
    assert run("solve", THREE, "--trump", "S", "--play", "S9", "--max-nodes", "1").code == 65


# Files and streams


@pytest.mark.parametrize("option", ["--batch", "--pbn"])
def test_no_such_file(option: str, tmp_path: Path) -> None:
    ran = run("solve", option, str(tmp_path / "none"))
    assert (ran.code, ran.out) == (65, "")
    assert ran.err == f"error: {tmp_path / 'none'}: No such file or directory\n"


@pytest.mark.parametrize("option", ["--batch", "--pbn"])
def test_a_folder_as_file(option: str, tmp_path: Path) -> None:
    ran = run("solve", option, str(tmp_path))
    assert (ran.code, ran.out) == (65, "")
    assert ran.err == f"error: {tmp_path}: Is a directory\n"


@pytest.mark.parametrize("args", [("solve", "-"), ("cards", "-")])
@pytest.mark.parametrize("data", [b"", b"\n", bytes(range(256)) * 4000, b"D:" + b"A" * 3_000_000, b"\xff\xfeD\0:\0"])
def test_a_deal_from_standard_input_that_is_none(args: tuple[str, str], data: bytes) -> None:
    ran = spawn(*args, "--trump", "S", stdin=data)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith("error: deal: expected ")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 500


def test_arguments_that_are_no_text() -> None:
    done = subprocess.run(
        [*map(os.fsencode, command("solve")), b"D:\xff... K... Q...", b"--trump", b"\xfe"],
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: invalid value for '--trump'") and b"Traceback" not in done.stderr


def test_files_that_cannot_be_read_to_the_end() -> None:
    for option in ("--batch", "--pbn"):
        ran = run("solve", option, "/proc/self/mem")
        assert ran == Ran(65, "", "error: /proc/self/mem: Input/output error\n")


@pytest.mark.parametrize("args", ["--batch -", "--pbn -", "-"])
def test_a_standard_input_that_cannot_be_read(args: str) -> None:
    assert shell(f'"$@" {args} --json 0>/dev/null') == (65, "", "error: <stdin>: Bad file descriptor\n")


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@FULL
@pytest.mark.parametrize(
    "args",
    [
        ("solve", THREE, "--trump", "S"),
        ("solve", THREE, "--json"),
        ("cards", THREE, "--trump", "S"),
        ("solve", "--batch", "-"),
        ("solve", "--pbn", "-", "--table"),
        ("--help",),
        ("--version",),
    ],
)
def test_output_that_cannot_be_written(args: tuple[str, ...]) -> None:
    stdin = f'{{"deal": "{THREE}", "trump": "S"}}\n' if "--batch" in args else f'[Deal "{FOUR}"]\n'
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command(*args),
            input=stdin.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (74, b"error: No space left on device\n")


def shell(line: str, **more: str) -> tuple[int, str, str]:
    """Run a line of shell in which "$@" is `tierce solve`."""
    done = subprocess.run(
        ["sh", "-c", line, "sh", *command("solve")],
        capture_output=True,
        env=environment(**more),
        timeout=60,
        check=False,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_closed_streams() -> None:
    code, out, err = shell(f'"$@" "{THREE}" --trump S >&-')
    assert (code, out) == (74, "")
    assert err == "error: expected a standard output to write to, found it closed\n"
    code, out, err = shell(f'"$@" "{THREE}" --trump S --json 2>&-')
    assert (code, err) == (0, "")
    code, out, err = shell('"$@" - --trump S <&-')
    assert (code, out) != (0, "")
    assert "Traceback" not in err


BATCH = f'''printf '%s\\n' '{{"deal": "{THREE}", "trump": "S"}}' nonsense'''
GAMES = f'''printf '%s\\n' '[Deal "{FOUR}"]' '' '[Event "no deal"]' '' '[Deal "{FOUR}"]\''''


@FULL
@pytest.mark.parametrize("nowhere", ["2>&-", "2>/dev/full", "2</dev/null"])
@pytest.mark.parametrize(
    ("line", "code", "lines"),
    [
        (f'"$@" "{THREE}" --trump S --json', 0, 1),
        (f'{BATCH} | "$@" --batch -', 65, 2),
        (f'{GAMES} | "$@" --pbn - --table --json', 65, 3),
        (f'{GAMES} | "$@" --pbn - --trump N --max-nodes 1 --json', 75, 3),
        (f'"$@" "{THREE}" --trump S --play S9', 65, 0),
        (f'"$@" "{THREE}" --trump S --max-nodes 1 --json', 75, 1),
        ('"$@" --no-such-option', 2, 0),
        ('"$@" --batch /no/such/file', 65, 0),
    ],
)
def test_a_stderr_that_takes_nothing_changes_nothing(line: str, code: int, lines: int, nowhere: str) -> None:
    found, out, err = shell(f"{{ {line}; }} {nowhere}")
    assert (found, out.count("\n"), err) == (code, lines, "")


# Memory and threads


@pytest.mark.parametrize(
    ("args", "stdin"),
    [
        (("solve", THREE, "--trump", "S"), ""),
        (("cards", THREE, "--trump", "S"), ""),
        (("bench",), ""),
        (("solve", "--batch", "-"), f'{{"deal": "{THREE}", "trump": "S"}}\n'),
        (("solve", "--pbn", "-"), f'[Deal "{FOUR}"]\n'),
    ],
)
def test_a_thread_that_cannot_be_started(args: tuple[str, ...], stdin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    ran = run(*args, stdin=stdin)
    assert ran == Ran(75, "", "error: not enough memory or too many threads: can't start new thread\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "not enough memory"),
        (MemoryError("a table"), "not enough memory: a table"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "not enough memory: Cannot allocate memory"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory: x.so: failed to map"),
    ],
)
def test_no_memory(error: Exception, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "budget_of", mock.Mock(side_effect=error))
    ran = run("solve", THREE, "--trump", "S")
    assert (ran.code, ran.out, ran.err.count("\n")) == (75, "", 1)
    assert ran.err.startswith(f"error: {message}")


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    deals = tmp_path / "deals.jsonl"
    deals.write_text(f'{{"deal": "{THREE}", "trump": "S"}}\n' * 20_000, encoding="utf-8")
    for args in (f"--batch {deals}", f'"{FOUR}" --trump H --line', f'"{THREE}"'):
        code, out, err = shell(f'"$@" {args} | head -1')
        assert (code, out.count("\n"), err) == (0, 1, "")
