"""What people see: hands in columns, colours and symbols where they are wanted."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.cli.support import FOUR, KITTY, THREE, on_terminal, run, spawn
from tests.solver.support import rows

ESCAPE = "\x1b["
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

COMMANDS = [
    ("solve", THREE, "--trump", "D", "--line", "--relevant"),
    ("solve", FOUR),
    ("cards", FOUR, "--trump", "H", "--play", "CK CQ"),
    ("cards", THREE, "--trump", "D", "--all-seats"),
]


def test_four_hands_round_the_table() -> None:
    assert run("solve", FOUR, "--trump", "H").out.split("\n\nHearts")[0] == (
        "          North\n"
        "          ♠ -\n"
        "          ♥ T62\n"
        "          ♦ K8\n"
        "          ♣ 7\n"
        "\n"
        "West                East\n"
        "♠ -                 ♠ A3\n"
        "♥ K9                ♥ -\n"
        "♦ Q6                ♦ 3\n"
        "♣ T8                ♣ AKJ\n"
        "\n"
        "          South\n"
        "          ♠ QJ\n"
        "          ♥ A\n"
        "          ♦ A2\n"
        "          ♣ Q"
    )


def test_three_hands_round_the_table() -> None:
    ran = run("solve", KITTY, "--trump", "S", "--discard", ".87..Q4", "--side", "D", "--at-least", "0")
    assert ran.out.split("\n\nSpades")[0] == (
        "Eldest              Middle\n"
        "♠ 7                 ♠ KJ6432\n"
        "♥ T943              ♥ AQ65\n"
        "♦ AK764             ♦ Q3\n"
        "♣ KJT652            ♣ 9873\n"
        "\n"
        "          Dealer\n"
        "          ♠ AQT985\n"
        "          ♥ KJ2\n"
        "          ♦ JT9852\n"
        "          ♣ A"
    )


@pytest.mark.parametrize(
    "deal",
    [
        *(row["deal"] for row in rows("three_hand_floors.jsonl")[40:43]),
        "D:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432.",
    ],
)
def test_long_suits_keep_the_columns(deal: str) -> None:
    args = ("--trump", "N", "--side", "D", "--at-least", "0")
    lines = run("solve", deal, *args).out.splitlines()
    column = lines[0].index("Middle")
    for sign, line in zip("♠♥♦♣", lines[1:5], strict=True):
        assert (line[0], line[column]) == (sign, sign)
        assert line[column - 2 : column] == "  "
    dealer = next(line for line in lines if "Dealer" in line).index("Dealer")
    assert {line.index(sign) for sign, line in zip("♠♥♦♣", lines[7:11], strict=True)} == {dealer}


def test_a_played_card_leaves_its_hand() -> None:
    text = run("solve", THREE, "--trump", "D", "--play", "SA").out
    assert "on the table ♠A" in text
    assert text.splitlines()[1].startswith("♠ - ")


def test_no_blanks_at_the_ends_of_lines() -> None:
    for args in COMMANDS:
        assert not [line for line in run(*args).out.splitlines() if line != line.rstrip()]


# Colours


@pytest.mark.parametrize("args", COMMANDS)
def test_no_colours_in_a_pipe(args: tuple[str, ...]) -> None:
    assert ESCAPE not in spawn(*args, env={"TERM": "xterm-256color"}).out


@pytest.mark.parametrize("args", COMMANDS)
def test_colours_change_no_letter(args: tuple[str, ...]) -> None:
    plain = spawn(*args, env={"TERM": "xterm"}).out
    colour = spawn(*args, env={"TERM": "xterm", "FORCE_COLOR": "1"}).out
    assert ESCAPE in colour
    untimed = re.compile(r"[0-9.]+ m?s\b")
    assert untimed.sub("", COLOUR.sub("", colour)) == untimed.sub("", plain)


@pytest.mark.parametrize(
    "env", [{"NO_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, {"FORCE_COLOR": "0"}, {"TERM": "dumb"}]
)
def test_no_colours_where_nobody_wants_them(env: dict[str, str]) -> None:
    assert ESCAPE not in spawn(*COMMANDS[0], env=env).out


def test_json_has_no_colours() -> None:
    assert ESCAPE not in spawn(*COMMANDS[0], "--json", env={"FORCE_COLOR": "1"}).out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
@pytest.mark.parametrize(
    ("env", "colour"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_on_a_terminal(env: dict[str, str], colour: bool) -> None:
    code, out = on_terminal("stdout", *COMMANDS[1], env=env)
    assert code == 0
    assert (ESCAPE in out) is colour


# Encodings


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
@pytest.mark.parametrize("args", COMMANDS)
def test_letters_where_symbols_cannot_be_written(args: tuple[str, ...], encoding: str) -> None:
    ran = spawn(*args, env={"PYTHONIOENCODING": encoding})
    assert ran.code == 0
    assert ran.out.isascii()
    assert "\nS " in ran.out or "\nH " in ran.out


def test_names_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "names.pbn"
    path.write_text(f'[Board "Zürich ♥"]\n[Deal "{FOUR}"]\n', encoding="utf-8")
    ran = spawn("solve", "--pbn", str(path), "--table", env={"PYTHONIOENCODING": "ascii"})
    assert ran.code == 0
    assert "board Z\\xfcrich \\u2665" in ran.out


@pytest.mark.parametrize("args", COMMANDS)
def test_json_is_ascii(args: tuple[str, ...]) -> None:
    ran = run(*args, "--json")
    assert ran.out.isascii()
    assert ran.json
