"""`tierce review` of Solo Whist: the library's reports, JSON, pages and figures; series; what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.advice.contract_played import DATA, NAMES, golden, record
from tests.cli.reviews import CARDS, MATCH
from tests.cli.support import Ran, command, environment, run
from tierce.solver.advice.contract_review import contract_review
from tierce.solver.games import replay, write_record
from tierce.solver.report.contract_summary import contract_summary_of

HANDS = str(DATA / "solo_playthroughs.jsonl")
TIMES = ("nodes", "millis")


def untimed(tree: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in tree.items() if key not in TIMES}


def told(ran: Ran) -> list[dict[str, Any]]:
    assert (ran.code, ran.err) == (0, ""), ran
    return [untimed(each) for each in ran.lines]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A whole match by lot."""
    import random

    path = tmp_path_factory.mktemp("match") / "match.json"
    path.write_text(write_record(record(random.Random(6), 8, claims=0)), encoding="utf-8")
    return str(path)


def test_json_is_an_object_a_deal() -> None:
    found = told(run("review", HANDS, "--json"))
    assert len(found) == len(golden()) == 16
    for place in (0, 6, 15):
        names = ("North", "East", "South", "West")
        assert found[place] == untimed(json.loads(json.dumps(contract_review(golden()[place], names).json())))
    assert told(run("review", HANDS, "--json", "--deal", "7")) == [found[6]]


def test_text_on_80_columns() -> None:
    ran = run("review", HANDS)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    for said in ("Deal 1: Prop and Cop by S and W, ", "Turning points", "Auction", "void, nobody found a contract"):
        assert said in ran.out, said
    assert ran.out.count("Each call is held against") == 1


def test_plain_output_without_accents() -> None:
    ran = subprocess.run(
        command("review", HANDS, *CARDS, "--deal", "5"),
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
        check=True,
    )
    assert b"Deal 5: Misere by " in ran.stdout and ran.stdout.isascii()


def test_a_series_ends_the_report(match: str) -> None:
    out = run("review", match, *CARDS).out
    _, _, series = out.partition("\nSeries\n")
    rows = [line for line in series.splitlines() if line[:1].isdigit()]
    assert len(rows) == 8
    deals = replay_of(match)
    assert [row.split()[-4:] for row in rows] == [
        [f"{total:+}" if total else "0" for total in deal.totals] for deal in deals
    ]
    assert "won." in series or "share the win." in series
    assert "\nSeries\n" not in run("review", match, *CARDS, "--deal", "2").out


def replay_of(path: str) -> Any:
    from tierce.solver.games import read_record

    return replay(read_record(Path(path).read_bytes(), "match.json")).deals


def test_the_summary_is_the_librarys(match: str) -> None:
    ran = run("review", match, *CARDS, "--summary", "--json")
    expected = contract_summary_of(contract_review(deal, NAMES, seconds=0) for deal in replay_of(match))
    assert ran.json == json.loads(json.dumps(expected.json()))
    text = run("review", match, *CARDS, "--summary").out
    assert text.startswith("8 deals reviewed, ") and max(map(len, text.splitlines())) <= 80


def test_pages(match: str, tmp_path: Path) -> None:
    for more in ((), ("--summary",)):
        page = tmp_path / f"page{len(more)}.html"
        ran = run("review", match, "--html", str(page), *more)
        assert ran.code == 0 and ran.out.endswith(f"The page is {page}.\n")
        ET.fromstring(page.read_text(encoding="utf-8").removeprefix("<!DOCTYPE html>\n"))


def test_hands_of_both_kinds_have_no_common_figures(tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    three = json.dumps(json.loads(Path(MATCH).read_text(encoding="utf-8")))
    both.write_text(three + "\n" + Path(HANDS).read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    found = told(run("review", str(both), *CARDS, "--json"))
    assert [each["game"] for each in found][-1] == "solo_whist" and len(found) == 3
    for how in (("--summary",), ("--html", str(tmp_path / "page.html"))):
        ran = run("review", str(both), *CARDS, *how)
        assert ran.code == 65 and "expected hands with contracts or without for" in ran.err, ran


def test_what_players_could_know_is_not_judged_here() -> None:
    ran = run("review", HANDS, "--fair", "--deal", "3")
    assert (ran.code, ran.out) == (65, "") and ran.err.startswith(
        f"error: {HANDS}: expected a game of three hands for "
    )
    assert "--fair, found solo_whist with 4 in deal 3" in ran.err and "--game" not in ran.err
    text = " ".join(run("review", "--help").out.split())
    assert "There is no --fair there" in text and "Not in Solo Whist." in text


def test_an_auction_that_is_not_over_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    """A pass is worth what stood in the end, which an unfinished auction does not tell."""
    whole = Path(HANDS).read_text(encoding="utf-8").splitlines()[0]
    tree = json.loads(whole)
    tree["deals"] = [
        {name: tree["deals"][0][name] for name in ("dealer", "deal", "turned")} | {"bids": ["pass", "prop"]}
    ]
    begun = json.dumps(tree)
    path = tmp_path / "begun.jsonl"
    path.write_text(f"{begun}\n", encoding="utf-8")
    ran = run("review", str(path))
    assert (ran.code, ran.out) == (65, "")
    assert "found none: deal 1 ends before the end of the auction, where E speaks next; calls are held " in ran.err
    path.write_text(f"{begun}\n{begun}\n", encoding="utf-8")
    assert "speaks next (1 more do not come to it either); calls" in run("review", str(path)).err
    path.write_text(f"{whole}\n{begun}\n", encoding="utf-8")
    ran = run("review", str(path), *CARDS, "--json")
    assert (ran.code, len(ran.lines)) == (0, 1) and "deal 2 did not come to its first lead" in ran.err
    assert ran.err.endswith("it ends before the end of the auction, where E speaks next\n")


def test_help_tells_of_it() -> None:
    assert "Solo Whist" in run("review", "--help").out


@pytest.mark.parametrize("args", [("3", "--seconds", "5"), ("7", "--seconds", "0")])
def test_cards_have_their_signs_in_sentences_too(args: tuple[str, ...]) -> None:
    out = run("review", HANDS, "--deal", *args).out
    assert "was turned up" in out and "cost the defenders" in out
    assert not re.search(r"\b[SHDC][2-9TJQKA]\b", out)


def test_columns_that_are_empty_are_left_out(tmp_path: Path) -> None:
    """Without time for the auction nothing is known of calls."""
    asked = ("review", HANDS, "--deal", "7", "--summary")
    page = tmp_path / "page.html"
    for how, there in ((CARDS, False), (("--seconds", "20"), True)):
        out = run(*asked, *how, "--html", str(page)).out
        assert ("calls" in out) == ("calls" in page.read_text(encoding="utf-8").partition("Players")[2]) == there
        assert "tricks    tricks lost by own cards" in out
