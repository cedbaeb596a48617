"""The README's Python is run as a doctest, its commands are parsed and run."""

from __future__ import annotations

import doctest
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def commands() -> list[list[str]]:
    """The `tierce` lines of the README that need no file of the reader's."""
    lines = [line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("tierce ")]
    found = [shlex.split(line, comments=True) for line in lines]
    return [words for words in found if not {"--batch", "--pbn", "bench"} & set(words)]


def test_python_examples() -> None:
    tests = doctest.DocTestParser().get_doctest(
        "\n".join(block.split("```")[0] for block in README.read_text(encoding="utf-8").split("```python\n")[1:]),
        {},
        "README.md",
        str(README),
        0,
    )
    assert tests.examples
    results = doctest.DocTestRunner().run(tests)
    assert not results.failed


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_commands(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "tierce.cli", *words[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout and not done.stderr


def test_the_first_output_is_what_the_first_command_prints() -> None:
    text = README.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if ".venv/bin/tierce solve" in line)
    words = shlex.split(line.split(".venv/bin/tierce ")[1])
    done = subprocess.run(
        [sys.executable, "-m", "tierce.cli", *words],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONIOENCODING": "utf-8", "PATH": "/usr/bin:/bin"},
    )
    shown = text.split("```\nEldest")[1].split("```")[0].rstrip()
    assert done.stdout.startswith("Eldest" + shown)
