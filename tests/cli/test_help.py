"""Help, its examples, the version, and how soon they come."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.dealer_games import EASY
from tests.cli.support import FOUR, THREE, WHOLE, Ran, command, environment, run, spawn
from tests.hints.test_view_json import WRITTEN
from tests.piles.test_view_json import WRITTEN as DRILLER
from tests.records.support import finished
from tierce.cli.group import COMMANDS
from tierce.solver import Deal, mask_of, parse_cards
from tierce.solver.games import DealRecord, Record, load_game, write_record

DATA = Path(__file__).parent.parent / "data"
LIN = "pn|S,W,N,E|md|3SAKQHAKQDAKQCAKQJ,SJT98HJT98DJT98CT,S765H765D765C9876,S432H432D432C5432|mb|p|"
PAGES = [(), *((name,) for name in sorted(COMMANDS))]


def help_of(page: tuple[str, ...]) -> str:
    ran = run(*page, "--help")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def examples(page: tuple[str, ...]) -> list[list[str]]:
    """The commands of a help page as lists of words, what is said about them left out."""
    text = re.sub(r"\\\n *", "", help_of(page))
    found = re.findall(r"^ +tierce (.*?)(?: {3,}[^-\s\"].*)?$", text, re.MULTILINE)
    return [shlex.split(line) for line in found]


def test_there_are_examples() -> None:
    found = {page: len(examples(page)) for page in PAGES}
    assert found.pop(("bench",)) == 0
    assert all(found.values())
    assert (found[()], found["cards",], found["solve",]) == (3, 3, 6)


@pytest.mark.parametrize("words", [words for page in PAGES for words in examples(page)], ids=" ".join)
def test_examples(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deals.jsonl").write_text(json.dumps({"deal": THREE, "trump": "D"}), encoding="utf-8")
    line = {"deal": WHOLE, "dealer": "N", "trump": "S"}
    Path("contracts.jsonl").write_text(json.dumps(line), encoding="utf-8")
    Path("dealers.jsonl").write_text(json.dumps({"deal": EASY}), encoding="utf-8")
    choice = DealRecord(Deal.parse(EASY), call="H", discard=mask_of(parse_cards("S8 DJ C3 C2")))
    Path("match.json").write_text(write_record(Record(load_game("raf"), (choice,))), encoding="utf-8")
    Path("session.pbn").write_text(f'[Deal "{FOUR}"]\n', encoding="utf-8")
    view_text = json.dumps(WRITTEN)
    Path("view.json").write_text(view_text, encoding="utf-8")
    Path("views.jsonl").write_text(view_text, encoding="utf-8")
    Path("driller.json").write_text(json.dumps(DRILLER), encoding="utf-8")
    hand = finished(load_game("raf"), 1)
    Path("hand.json").write_text(write_record(hand), encoding="utf-8")
    Path("hand.pbn").write_text(write_record(hand, "pbn"), encoding="utf-8")
    played = (DATA / "solo_playthroughs.jsonl").read_text(encoding="utf-8").splitlines()
    Path("solo.json").write_text(played[0], encoding="utf-8")
    Path("bridge.lin").write_text(LIN, encoding="utf-8")
    if ">" in words:
        words = words[: words.index(">")]
    if "|" in words:
        at = words.index("|")
        assert words[at + 1] == "tierce"
        ran = run(*words[at + 2 :], stdin=run(*words[:at]).out)
    else:
        ran = run(*words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out


@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_and_begin_with_examples(page: tuple[str, ...]) -> None:
    text = help_of(page)
    assert max(map(len, text.splitlines())) <= 80
    if "tierce solve " in text:
        assert text.index("  tierce ") < text.index("Options:")
    assert run(*page, "-h").out == text


def test_exit_codes_are_told() -> None:
    text = help_of(())
    for code in ("0 ok", "2 usage", "65 bad data", "75 a limit", "130 interrupted"):
        assert code in " ".join(text.split())


def test_version() -> None:
    assert run("--version") == Ran(0, f"tierce {version('tierce')}\n", "")
    assert spawn("--version").out == f"tierce {version('tierce')}\n"


def test_no_command() -> None:
    ran = run()
    assert "Usage: tierce" in ran.out + ran.err


def test_help_needs_no_engine_and_no_rich() -> None:
    code = (
        "import sys; from tierce.cli.exits import run_command; from tierce.cli.group import cli; "
        "run_command(cli, ['--help']); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    modules = set(done.stdout.splitlines()[-1].split())
    assert not {"rich", "tierce.solver", "numpy", "grpc"} & modules


@pytest.mark.skipif(sys.platform == "win32", reason="counts the CPU time of a child")
def test_help_comes_soon() -> None:
    import resource

    def cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    spent = []
    for _ in range(5):
        before = cpu()
        subprocess.run(command("--help"), stdout=subprocess.DEVNULL, env=environment(), timeout=60, check=True)
        spent.append(cpu() - before)
    assert min(spent) <= 0.15


def test_completion() -> None:
    ran = spawn(env={"_TIERCE_COMPLETE": "bash_complete", "COMP_WORDS": "tierce so", "COMP_CWORD": "1"})
    assert ran.out.split(",")[-1].strip() == "solve"


@pytest.mark.parametrize("words", [{}, {"COMP_WORDS": "tierce so"}, {"COMP_WORDS": "tierce so", "COMP_CWORD": "x"}])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_without_what_a_shell_gives(shell: str, words: dict[str, str]) -> None:
    ran = spawn(env={"_TIERCE_COMPLETE": f"{shell}_complete"} | words)
    assert (ran.code, ran.out) in ((2, ""), (0, "plain\nsolve\n\n"))  # fish does without a number
    assert "Traceback" not in ran.err


def test_the_fields_of_a_line_are_told() -> None:
    text = help_of(("solve",)).split("--batch file is a JSON object")[1].split("Options:")[0]
    ran = run("solve", "--batch", "-", stdin='{"unknown": 1}')
    fields = ran.lines[0]["error"]["message"].split("expected the fields ")[1].split(", found")[0]
    for name in fields.split(", "):
        assert name in text.replace(",", " ").split()
