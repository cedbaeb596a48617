"""What goes wrong: one line on stderr that says what was expected and what was found, and the exit code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.support import FOUR, KITTY, THREE, command, environment, run, spawn


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("solv",), "no such command 'solv', did you mean 'solve'?"),
        (("crads",), "did you mean 'cards'?"),
        (("zzz",), "commands are bench, cards, solve"),
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
        (("solve", THREE, "--table-mb", "0"), "--table-mb"),
        (("solve", THREE, "--at-least", "-1", "--trump", "S"), "--at-least"),
        (("solve", THREE, "--at-least", "1", "--at-most", "1", "--trump", "S"), "found both"),
        (("solve", THREE, "--at-least", "1"), "--trump"),
        (("solve", THREE, "--line"), "--trump"),
        (("solve", THREE, "--play", "SA"), "--trump"),
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
        ((THREE, "--trump", "X"), "--trump: expected ", "'X'"),
        ((THREE, "--trump", ""), "--trump: expected ", "''"),
        ((THREE, "--trump", "S", "--leader", "N"), "--leader: expected a seat D, E or M", "'N'"),
        ((FOUR, "--trump", "S", "--leader", "D"), "--leader: expected a seat N, E, S or W", "'D'"),
        ((THREE, "--trump", "S", "--side", "DEM"), "--side: expected ", "'DEM'"),
        ((FOUR, "--trump", "S", "--side", "NX"), "--side: expected ", "'NX'"),
        ((FOUR, "--trump", "S", "--side", "NN"), "--side: expected ", "'NN'"),
        ((THREE, "--trump", "S", "--dealer", "N"), "--dealer: expected no dealer with three hands", ""),
        ((FOUR, "--trump", "S", "--dealer", "Q"), "--dealer: expected ", "'Q'"),
        ((KITTY, "--trump", "S", "--discard", "8"), "--discard: expected ", "'8'"),
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
    assert run("solve", THREE, "--trump", "S", "--play", "XX", "--max-nodes", "1").code == 65


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
    assert done.returncode == 65
    assert done.stderr.startswith(b"error: ") and b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
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


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    deals = tmp_path / "deals.jsonl"
    deals.write_text(f'{{"deal": "{THREE}", "trump": "S"}}\n' * 20_000, encoding="utf-8")
    for args in (f"--batch {deals}", f'"{FOUR}" --trump H --line', f'"{THREE}"'):
        code, out, err = shell(f'"$@" {args} | head -1')
        assert (code, out.count("\n"), err) == (0, 1, "")
