"""The README's Python is run as a doctest, its commands are run, and what they print is what stands there."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tierce.solver import CardValue, CardValues, Floors, SideResult
from tierce.solver.batch.jsonl import parse_line
from tierce.solver.errors import InputError

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
EFFORT = re.compile(r'("nodes": |"millis": )[0-9.]+')  # changes with the search and from run to run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands are typed: they find the clone's tests there, and what those before them wrote."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "tests").symlink_to(README.parent / "tests", target_is_directory=True)
    return folder


def shell(text: str, folder: Path) -> str:
    """What a block of shell prints, `tierce` being the one under test."""
    done = subprocess.run(
        ["bash", "-euc", f'tierce() {{ {shlex.quote(sys.executable)} -m tierce.cli "$@"; }}\n{text}'],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={"PYTHONIOENCODING": "utf-8", "PATH": os.environ.get("PATH", "/usr/bin:/bin")},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def commands() -> list[str]:
    """The blocks of shell, one command each; those that install are run by `.ci/run readme`."""
    blocks = [text for language, text in BLOCKS if language == "sh" and "venv" not in text]
    return [part for text in blocks for part in (text.splitlines() if "<<" not in text else [text])]


def with_output() -> list[tuple[str, str]]:
    """The blocks of shell that a block of output follows, with it."""
    return [(text, out) for (language, text), (after, out) in pairwise(BLOCKS) if (language, after) == ("sh", "")]


def test_python_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(README.parent)
    text = "\n".join(text for language, text in BLOCKS if language == "python")
    tests = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
    assert tests.examples
    assert not doctest.DocTestRunner().run(tests).failed


@pytest.mark.parametrize("text", commands())
def test_commands(text: str, folder: Path) -> None:
    assert text.startswith("tierce ")
    assert shell(text, folder)


@pytest.mark.parametrize(("text", "expected"), with_output())
def test_what_the_commands_print(text: str, expected: str, folder: Path) -> None:
    found = shell("tierce " + text.split("/tierce ")[1] if "venv" in text else text, folder)
    assert EFFORT.sub(r"\1", expected) in EFFORT.sub(r"\1", found)


def test_there_is_output() -> None:
    assert len(with_output()) == 8


def test_the_fields_of_a_line() -> None:
    line = parse_line('{"unknown": 1}', 1)[1]
    assert isinstance(line, InputError)
    known = set(line.message.split("expected the fields ")[1].split(", found")[0].split(", "))
    sentence = re.search(r"A line is a JSON object: (.*?)\.\n", TEXT, re.DOTALL)
    assert sentence is not None
    assert set(re.findall(r"`(\w+)`", sentence[1])) == known


@pytest.mark.parametrize("kind", [SideResult, Floors, CardValues])
def test_attributes(kind: type) -> None:
    row = next(line for line in TEXT.splitlines() if line.startswith(f"| `{kind.__name__}` |"))
    names = re.findall(r"`(\w+)`", row.split("|")[3])
    assert names
    for name in names:
        assert hasattr(kind, name) or (kind is CardValues and hasattr(CardValue, name))


def test_exit_codes() -> None:
    from tierce.cli import exits

    told = {int(code) for code in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)}
    assert told == {value for name, value in vars(exits).items() if name.isupper() and isinstance(value, int)}
