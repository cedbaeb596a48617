"""Print a command of README.md as it stands there: `python3 .ci/readme.py solve|test`."""

import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
ENDS = {"solve": "/tierce solve ", "test": "/pytest "}


def command(name: str) -> str:
    """The one line of the README that makes an environment and then solves a deal or runs the tests."""
    lines = README.read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line.startswith("python3 -m venv ") and ENDS[name] in line]
    if len(found) != 1:
        raise SystemExit(f"{README}: expected one line with the {name} command, found {found!r}")
    return found[0]


if __name__ == "__main__":
    print(command(sys.argv[1]))
