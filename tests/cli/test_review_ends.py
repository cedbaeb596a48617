"""`tierce review`: limits, Ctrl-C, terminals, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.reviews import CARDS, LATER, MATCH, hard
from tests.cli.support import command, environment, on_terminal, run, spawn

# ---- limits ----------------------------------------------------------------------------------------------------------


def test_time_is_kept(tmp_path: Path) -> None:
    """A hand takes what it may, and then tells what it knows."""
    path = hard(tmp_path)
    began = time.monotonic()
    ran = run("review", path, "--deal", "2", "--seconds", "0.7", "--json")
    assert time.monotonic() - began < 4 and ran.code == 0
    assert ran.json["whole"]
    sent = [each for each in ran.json["decisions"] + ran.json["not_judged"] if each["what"] == "exchange"]
    assert sent and all("loss" not in each for each in sent)  # between bounds, or not judged


def test_estimates_keep_to_their_time(tmp_path: Path) -> None:
    """As long again as the exact part; what was not reached is told."""
    began = time.monotonic()
    ran = run("review", hard(tmp_path), "--deal", "2", "--seconds", "0.5", "--fair", "--worlds", "1000")
    assert time.monotonic() - began < 6 and ran.code == 0
    assert re.search(
        r"\d+ cards played with a choice, of tricks? [\d to]+, not judged in time", " ".join(ran.out.split())
    )


def test_an_account_that_begins_later() -> None:
    ran = run("review", MATCH, "--deal", "2", "--seconds", "0.01", "--json")
    assert ran.json["whole"] is False and len(ran.json["plays"]) < 48
    assert "account begins" in run("review", MATCH, "--deal", "2", "--seconds", "0.01").out or not ran.json["plays"]
    ran = run("review", MATCH, "--seconds", "0.003", "--summary")
    assert ran.out == "0 hands reviewed.\n2 left out: not all cards were judged in time\n"


def test_no_time_for_anything() -> None:
    ran = run("review", LATER, "--seconds", "0.000001")
    assert (ran.code, ran.out) == (75, "")
    assert ran.err == "error: the time limit was reached before the answer was known\n"
    ran = run("review", MATCH, "--deal", "1", "--seconds", "0.000001")
    assert ran.code == 0 and "The cards were not judged in time.\n" in ran.out


def test_one_of_several_without_an_answer(tmp_path: Path) -> None:
    """The others are told; the exit code says that something is missing."""
    path = tmp_path / "both.jsonl"
    texts = (json.dumps(json.loads(Path(each).read_text(encoding="utf-8"))) for each in (MATCH, LATER))
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    ran = run("review", str(path), "--seconds", "0.000001", "--json")
    assert (ran.code, len(ran.lines)) == (75, 2)
    assert ran.err == "error: deal 3: the time limit was reached before the answer was known\n"
    ran = run("review", str(path), "--seconds", "0.000001", "--summary")
    assert ran.code == 0 and "1 left out: the time limit was reached before the answer was known" in ran.out


# ---- Ctrl-C ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("deal", [("--deal", "2"), ()], ids=["one", "both"])
def test_interrupted(tmp_path: Path, deal: tuple[str, ...]) -> None:
    """Hands that are known are told before; of one alone the cards are told, if they are known, and what is not judged.
    No page is written."""
    import signal

    page = tmp_path / "page.html"
    how = ("--deep",) if deal else ("--seconds", "2", "--threads", "1")
    process = started(hard(tmp_path), *how, "--json", "--html", str(page), *deal)
    assert process.stdout is not None and process.stderr is not None
    first = [] if deal else [json.loads(process.stdout.readline())]
    time.sleep(4 if deal else 0.1)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.stdout.read(), process.stderr.read()
    assert time.monotonic() - began < 3
    assert (process.wait(timeout=60), err) == (130, "error: interrupted\n")
    begun = [json.loads(line) for line in out.splitlines()]
    assert len(begun) <= len(deal[1:]) and all(each["plays"] and each["not_judged"] for each in begun)
    assert [each["deal"] for each in first] == ([] if deal else [1])
    process.stdout.close()
    process.stderr.close()
    assert [each.name for each in tmp_path.iterdir()] == ["hard.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_interrupted_figures(tmp_path: Path) -> None:
    """Those of the hands that are known."""
    import signal

    process = started(hard(tmp_path), "--seconds", "1.5", "--summary", "--json", "--threads", "1")
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "error: interrupted\n")
    found = json.loads(out)
    assert found["hands"] + len(found["skipped"]) == 2 and "interrupted" in found["skipped"]
    assert set(found["skipped"]) <= {"interrupted", "not all cards were judged in time"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_interrupted_estimates() -> None:
    """What is exact is known, and told."""
    import signal

    process = started(LATER, *CARDS, "--fair", "--worlds", "100000", "--json")
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "error: interrupted\n")
    found = json.loads(out)
    assert found["plays"] and "fair" not in found


def started(path: str, *args: str) -> subprocess.Popen[str]:
    """A review as a process of its own."""
    return subprocess.Popen(
        command("review", path, *args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    )


# ---- terminals -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_progress_on_a_terminal(tmp_path: Path) -> None:
    path = hard(tmp_path)
    code, out = on_terminal("stderr", "review", path, "--deal", "2", "--seconds", "1.5", env={"TERM": "xterm"})
    assert code == 0 and re.search(r"review \[[#-]+\] \d+ % judged", out)
    code, out = on_terminal("stderr", "review", path, "--seconds", "0.7", "--summary", env={"TERM": "xterm"})
    assert code == 0 and re.search(r"review \[[#-]+\] \d+ % \d of 2 hands", out)
    assert on_terminal("stderr", "review", path, "--deal", "2", "--seconds", "0.5", env={"TERM": "dumb"}) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_colours() -> None:
    args = ("review", MATCH, "--deal", "2", *CARDS)
    assert "\x1b[" in on_terminal("stdout", *args, env={"TERM": "xterm"})[1]
    for env in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_terminal("stdout", *args, env=env)[1]
    dumb = on_terminal("stdout", *args, env={"TERM": "dumb"})[1]
    assert "♠" not in dumb and re.search(r"^S [AKQJT2-9]+ ", dumb, re.M)
    text = spawn(*args, env={"PYTHONIOENCODING": "ascii"}).out
    assert text.isascii() and "Turning points" in text


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "missing argument 'FILE'"),
        (["a.json", "b.json"], 2, "unexpected extra argument (b.json)"),
        ([MATCH, "--deal", "0"], 2, "expected 1 or more, found 0"),
        ([MATCH, "--deal", "x"], 2, "expected a whole number in digits, found 'x'"),
        ([MATCH, "--deal", "3"], 65, "expected deal 3, found the deals 1 to 2"),
        ([MATCH, "--seconds", "-1"], 2, "--seconds"),
        ([MATCH, "--seconds", "1e9"], 2, "--seconds"),
        ([MATCH, "--seconds", "soon"], 2, "expected a number in digits, found 'soon'"),
        ([MATCH, "--seconds", "nan"], 2, "found 'nan'"),
        ([MATCH, "--deep", "--seconds", "1"], 2, "expected --seconds or --deep, found both"),
        ([MATCH, "--fair", "--summary"], 2, "--fair does not go with --summary"),
        ([MATCH, "--worlds", "3"], 2, "--worlds goes with --fair"),
        ([MATCH, "--seed", "3"], 2, "--seed goes with --fair"),
        ([MATCH, "--fair", "--worlds", "0"], 2, "--worlds"),
        ([MATCH, "--fair", "--worlds", "100001"], 2, "--worlds"),
        ([MATCH, "--fair", "--seed", "-1"], 2, "--seed"),
        ([MATCH, "--threads", "0"], 2, "--threads"),
        ([MATCH, "--table-mb", "0"], 2, "--table-mb"),
        ([MATCH, "--html", "page.txt"], 2, "expected --html to end in .html or .htm, found 'page.txt'"),
        ([MATCH, "--html", "nowhere/page.html"], 74, "page.html: expected a folder that exists, found '"),
        ([MATCH, "--sumary"], 2, "no such option '--sumary', did you mean '--summary'?"),
        (["nosuch.json"], 65, "error: nosuch.json: No such file or directory"),
        (["."], 65, ".: Is a directory"),
        (["README.md"], 65, "README.md:1: expected a record"),
        (["-"], 65, "<stdin>: expected a record, found an empty file"),
    ],
)  # fmt: skip
def test_refused(args: list[str], code: int, said: str) -> None:
    ran = run("review", *args)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ") and said in ran.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[: len(text) // 2], "expected"),
        (lambda text: text.replace('"play"', '"plays"', 1), "plays"),
        (lambda text: text.replace('"raf"', '"rof"'), "rof"),
        (lambda text: re.sub(r'("play": *\[?\s*)"', r'\1"ZZ ', text, count=1), "expected"),
    ],
)
def test_records_that_are_none(tmp_path: Path, change, said: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "bad.json"
    path.write_text(change(Path(MATCH).read_text(encoding="utf-8")), encoding="utf-8")
    ran = run("review", str(path), *CARDS)
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith(f"error: {path}") and said in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        args = command("review", MATCH, *CARDS, "--json", "--deal", "2")
        ran = subprocess.run(args, stdout=full, stderr=subprocess.PIPE, env=environment(), check=False, timeout=60)
    assert ran.returncode == 74 and ran.stderr == b"error: No space left on device\n"
