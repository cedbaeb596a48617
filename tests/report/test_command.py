"""`tierce batch report`: what it prints and writes, and how it ends."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from tests.cli.support import Ran, on_terminal, run, written
from tests.report.studies import failed, header, random_rows, write, write_parts
from tierce.cli.commands.batch_report import command
from tierce.cli.exits import run_command
from tierce.cli.render import width
from tierce.solver.deal import Deal

LONG = "my.package.with.many.modules.in.it.strategies:lowest_of_the_longest_suit_"


def report(*args: str | Path) -> Ran:
    """Run the command in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with mock.patch.multiple(sys, stdout=out, stderr=err):
        code = run_command(command, [str(each) for each in args])
    return Ran(code, written(out), written(err))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write(tmp_path / "run.parquet", header(), random_rows(200, errors=0.01))


@pytest.fixture(autouse=True)
def _no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def rows_after(text: str, start: str) -> Iterator[list[str]]:
    """The cells of the table whose header begins so."""
    lines = iter(text.splitlines())
    next(line for line in lines if line.startswith(start))
    for line in lines:
        if len(cells := line.split("  ")) < 2:
            return
        yield [cell.strip() for cell in cells if cell.strip()]


def test_text_and_json_agree(study: Path) -> None:
    text, found = report(study), report(study, "--json").json
    assert (text.code, text.err) == (0, "")
    for cells, each in zip(rows_after(text.out, "strategy  "), found["strategies"], strict=True):
        half = (each["mean"]["high"] - each["mean"]["low"]) / 2
        assert cells[0] == each["name"]
        assert cells[1] == str(each["deals"]) and cells[-1] == str(each["errors"])
        value, plus = map(float, cells[2].split(" \u00b1"))
        assert value == pytest.approx(each["mean"]["value"], abs=6e-3) and plus == pytest.approx(half, abs=6e-3)
    apart = {each["one"]: each["apart"] for each in found["against_best"]}
    told = text.out.split("deal by deal:\n")[1]
    assert {cells[0]: cells[-1] == "yes" for cells in rows_after(told, "strategy")} == apart
    assert f"Best: {found['strategies'][0]['name']}, a mean floor of" in text.out
    assert found["compared"] < found["done"] == 200 and f"{found['compared']} deals in which all 4" in text.out
    assert found["method"].split()[0] in text.out


@pytest.mark.parametrize("count", [1, 2, 9])
def test_within_80_columns(tmp_path: Path, count: int) -> None:
    names = [LONG + str(i) for i in range(count - 1)] + ["\x1b[31m\u202e<b>\x07 寒寒寒寒寒寒寒寒寒寒寒寒寒寒寒寒"]
    path = write(tmp_path / "run.parquet", header(strategies=names), random_rows(40, names, errors=0.01))
    ran = report(path, "--top", "4")
    assert ran.code == 0
    assert max(width(line) for line in ran.out.splitlines()) <= 80
    assert all(line.isprintable() for line in ran.out.splitlines())
    if count > 2:  # the ends, by which long names differ, are told
        starts = [cells[0] for cells in rows_after(ran.out, "strategy  ")]
        assert len(set(starts)) == count


def test_the_deals_to_look_at(study: Path) -> None:
    """Their commands, as a shell reads them, hold the deals."""
    found = report(study, "--json", "--top", "5").json["looks"]
    text = report(study, "--top", "5").out
    commands = [shlex.split(part.split("\n\n")[0].replace("\\\n", "")) for part in text.split("\ntierce ")[1:]]
    assert len(found) == len(commands) == 5
    for look, words in zip(found, commands, strict=True):
        assert words == look["command"][1:]
        assert str(Deal.parse(words[-1])) == look["cards"]
        assert f"Deal {look['deal']}: floors from " in text
    assert report(study, "--top", "0", "--json").json["looks"] == []


def test_what_stands_in_a_study_is_no_command_of_its_own(tmp_path: Path) -> None:
    """What is copied into a shell is one word, whatever the file says the cards are."""
    rows = [row | {"cards": "\"; rm -rf ~ $(x) `y` 'z"} for row in random_rows(20)]
    text = report(write(tmp_path / "run.parquet", header(), rows), "--top", "1").out
    words = shlex.split(text.split("\ntierce ")[1].replace("\\\n", ""))
    assert words[-1] == "\"; rm -rf ~ $(x) `y` 'z" and len(words) == 6


def test_html(study: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("old")
    page.chmod(0o640)
    ran = report(study, "--html", page)
    assert ran.code == 0 and ran.out.endswith(f"The page is {page}.\n")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>") and page.stat().st_mode & 0o777 == 0o640
    first = page.read_bytes()
    assert report(study, "--html", page, "--json").json["kind"] == "study"
    assert page.read_bytes() == first
    assert sorted(os.listdir(tmp_path)) == ["report.html", "run.parquet"]


def test_a_page_that_cannot_be_written(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused before the study is read; where that shows only later, after the answer, and nothing is left behind."""
    for name, said in (("nowhere/x.html", "a folder that exists"), (".html/x.html", "a folder that exists")):
        ran = report(study, "--html", tmp_path / name)
        assert (ran.code, ran.out) == (74, "") and f"expected {said}, found" in ran.err
    (tmp_path / "folder.html").mkdir()
    assert report(study, "--html", tmp_path / "folder.html").code == 74
    page = tmp_path / "page.html"
    page.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    ran = report(study, "--html", page)
    assert ran.code == 74 and "Best: " in ran.out and f"{page} was not written." in ran.out
    assert ran.err == f"error: {page}: No space left on device\n"
    assert page.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["folder.html", "page.html", "run.parquet"]


def test_an_unfinished_study(tmp_path: Path) -> None:
    rows = list(random_rows(200))
    write_parts(tmp_path / "run.parquet", header(deals=1000), rows, deals=64)
    ran = report(tmp_path / "run.parquet")
    assert ran.code == 0 and "The study is not finished: 136 of 1,000 deals are done." in ran.out
    assert report(tmp_path / "run.parquet", "--json").json["complete"] is False


@pytest.mark.parametrize(
    "args", [["-"], [], ["a", "b"], ["x.parquet", "--top", "-1"], ["x.parquet", "--html", "run.parquet"]]
)
def test_wrong_usage(args: list[str]) -> None:
    assert report(*args).code == 2


def test_without_pyarrow(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = report(study)
    assert ran.code == 2 and "pip install 'tierce[batch]'" in ran.err


def test_bad_data(tmp_path: Path) -> None:
    """The file's name and what was found; no output, no page."""
    no_table = tmp_path / "text.parquet"
    no_table.write_text("deal,cards\n")
    later = write(tmp_path / "later.parquet", header(schema="tierce-exchange-study-2"), random_rows(2))
    empty = write(tmp_path / "empty.parquet", header(), [])
    lame = write(tmp_path / "lame.parquet", header(), (failed(row, "<x>") for row in random_rows(3)))
    said = {
        no_table: "expected a Parquet file",
        later: "'tierce-exchange-study-2'",
        empty: "found no deal",
        lame: "found none in 3 deals",
        tmp_path: "found the folder",
        tmp_path / "absent.parquet": "No such file or directory",
    }
    for path, words in said.items():
        ran = report(path, "--html", tmp_path / "page.html", "--json")
        assert (ran.code, ran.out) == (65, "") and words in ran.err, ran
        assert ran.err.startswith(f"error: {path}: ")
    assert not (tmp_path / "page.html").exists()


def test_its_place_is_under_batch(study: Path) -> None:
    assert run("batch", "report", str(study), "--json").out == report(study, "--json").out


def test_progress_on_a_terminal_alone(tmp_path: Path) -> None:
    names = ["a", "b"]
    path = write(tmp_path / "run.parquet", header(strategies=names, deals=2100), random_rows(2100, names))
    code, err = on_terminal("stderr", "batch", "report", str(path), env={"TERM": "xterm"})
    assert code == 0 and "report [###" in err and "97 % 2,048 deals read" in err
    assert on_terminal("stderr", "batch", "report", str(path), env={"TERM": "dumb"}) == (0, "")


def test_help_is_narrow() -> None:
    ran = report("--help")
    assert ran.code == 0 and max(map(len, ran.out.splitlines())) <= 80
