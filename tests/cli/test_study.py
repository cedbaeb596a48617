"""`tierce study` and `tierce review` of Sumgait Driller."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import run, spawn
from tests.games.sumgait.make_golden import GOLDEN
from tests.records.support import finished
from tierce.solver.games import load_game, write_record
from tierce.solver.games.sumgait import random_deal, sumgait
from tierce.solver.games.sumgait.cards import format_hand, parse_hand
from tierce.solver.piles.study import study_hand

HAND = "AQT98.T763.KJ543.KJ8.J1"
FAST = ("--deals", "5", "--samples", "5")
DEAL = random_deal(3)
SAMPLE = str(Path(__file__).parents[1] / "data" / "sumgait_sample.json")


# ---- study -----------------------------------------------------------------------------------------------------------


def test_a_study() -> None:
    ran = run("study", HAND, *FAST)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "\x1b" not in ran.out
    bars = re.findall(r"^ *(-?\d+)(?: to (-?\d+))? +(#+) +([\d,]+) +\S+$", ran.out, re.MULTILINE)
    tricks = [(int(low), len(bar), int(deals)) for low, high, bar, deals in bars if not high]
    points = [(int(low), len(bar), int(deals)) for low, high, bar, deals in bars if high]
    for rows in (tricks, points):
        assert sum(deals for _, _, deals in rows) == 5
        most = max(deals for _, _, deals in rows)
        assert all(bar == max(1, round(46 * deals / most)) for _, bar, deals in rows)
    found = study_hand(parse_hand(HAND), deals=5, samples=5)
    assert {low: deals for low, _, deals in tricks} == found.tricks
    for said in ("1/36 = 2.8%", "17/18 = 94.4%", "penalised", "piles seen", "lie in one pile"):
        assert said in ran.out
    assert "The upper ones" not in ran.out


@pytest.mark.parametrize("hand", [HAND, format_hand(DEAL.hands[0])])
def test_json_is_what_the_library_finds(hand: str) -> None:
    tree = run("study", hand, "--deals", "2", "--samples", "5", "--seed", "4", "--by", "tricks", "--json").json
    found = study_hand(parse_hand(hand), wish="tricks", deals=2, samples=5, seed=4)
    assert tree == json.loads(json.dumps(found.json() | {"options": {}}))


def test_the_giving_is_told() -> None:
    ran = run("study", format_hand(DEAL.hands[0] | DEAL.kitty), "--deals", "2", "--samples", "5")
    assert "best by rules of thumb of 1,001 sets of four" in " ".join(ran.out.split())
    assert "The upper ones are for the giving that was chosen" in " ".join(ran.out.split())


def test_options_and_known_cards() -> None:
    few = ("--deals", "2", "--samples", "1", "--option", "fail_price=last")
    tree = run("study", HAND, *few, "--known", "S7 D7 / ", "--json").json
    assert tree["known"] == {"next": "S7 D7", "other": ""}
    assert tree["options"] == {"fail_price": "last"}
    assert "Known to lie in the next player's pile: ♠7 ♦7." in run("study", HAND, *few, "--known", "S7 D7/").out


def test_the_page(tmp_path: Path) -> None:
    page = tmp_path / "study.html"
    ran = run("study", HAND, "--deals", "2", "--samples", "1", "--html", str(page))
    assert ran.code == 0 and ran.out.endswith(f"\nThe page is {page}.\n")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "17/18" in text


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "missing argument"),
        (["AQT98"], 65, "expected four suits"),
        (["AQT98.T763.KJ543.KJ8.J1J1"], 65, "expected each card once"),
        (["AQT98.T763.KJ543.KJ8"], 65, "expected 16, 18 or 22 cards, found 17"),
        ([HAND, "--known", "S7"], 2, "expected cards of two piles"),
        ([HAND, "--known", "SA / S7"], 65, "--known: expected each card once"),
        ([HAND, "--known", "S7 / S7"], 2, "expected each card once"),
        ([HAND, "--known", "XX / S7"], 2, "--known"),
        ([format_hand(DEAL.hands[0]), "--known", "S2 / S5"], 65, "before the kitty"),
        ([HAND, "--game", "raf"], 2, "expected --game sumgait"),
        ([HAND, "--game", "sumgat"], 2, "expected"),
        ([HAND, "--option", "joker_free"], 2, "expected --option NAME=VALUE"),
        ([HAND, "--option", "quota=3"], 2, "expected an option of sumgait"),
        ([HAND, "--by", "vist"], 2, "'vist' is not one of"),
        ([HAND, "--deals", "1"], 2, "expected from 2 to 100000"),
        ([HAND, "--samples", "0"], 2, "expected from 1"),
        ([HAND, "--seed", "-1"], 2, "expected from 0"),
        ([HAND, "--threads", "0"], 2, "expected 1 or more"),
        ([HAND, "--html", "page.txt"], 2, "expected --html to end in .html"),
        ([HAND, "--html", "/nowhere/page.html"], 74, "expected a folder that exists"),
    ],
)
def test_study_refused(words: list[str], code: int, message: str) -> None:
    ran = run("study", *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_no_server_studies() -> None:
    ran = run("--server", "localhost:1", "study", HAND)
    assert ran.code == 2 and "expected a command that a server serves" in ran.err


def test_colours_where_they_are_wanted() -> None:
    words = ("study", HAND, "--deals", "2", "--samples", "1")
    plain = spawn(*words, env={"NO_COLOR": "1", "FORCE_COLOR": "1"}).out
    coloured = spawn(*words, env={"FORCE_COLOR": "1"}).out
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


# ---- review ----------------------------------------------------------------------------------------------------------


def review(name: str, *words: str) -> list[Any]:
    return run("review", str(GOLDEN / name), "--json", *words).lines


def test_a_name_of_a_file_is_told_as_one(tmp_path: Path) -> None:
    there = tmp_path / "hand.txt"
    there.write_text(HAND, encoding="utf-8")
    for words in (["study"], ["solve", "--game", "sumgait", "--piles", "SA / S2"]):
        for name in ("/nofile", "nofile.json", "no/such"):
            ran = run(*words, name)
            assert (ran.code, ran.out, ran.err) == (65, "", f"error: {name}: No such file or directory\n")
        ran = run(*words, str(there))
        assert (ran.code, ran.out) == (65, "") and "or - for stdin, found the file " in ran.err
        assert "found 2 in 'AK.QJ'" in run(*words, "AK.QJ").err, "which may be a hand"


def test_reviews() -> None:
    ran = run("review", str(GOLDEN / "deals.jsonl"), "--fair", "--worlds", "5")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    text = " ".join(ran.out.split())
    for said in (
        "Deal 1: Player 2 plays: 10 tricks, +290 Game. Hand at the first lead: KQT6.AKQ2.AKQ965.K965, after the "
        "cards of the other player were taken. In Vist the deal brought player 1 +550 and player 3 +330. "
        "Piles seen, 720 points at best; 430 lost by 6 cards; 290 made.",
        "The marriage of hearts was declared in trick 3.",
        "In Vist the deal brought player 1 -2520 and player 3 -720. "
        "Three blind piles: no card was chosen, so that none is judged. Calls, piles seen: playing +120 at best, "
        "MISERE +300; he chose PASS (+0 made).",
        "Deal 3: Ben calls MISERE: 8 tricks, -300 Game.",
        "In Vist the deal brought nothing.",
        "Not judged: robbery, what PASS would have brought.",
    ):
        assert said in text


def test_a_page_of_reviews(tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    ran = run("review", str(GOLDEN / "deals.jsonl"), "--seconds", "0", "--html", str(page))
    assert ran.code == 0 and ran.out.endswith(f"\nThe page is {page}.\n")
    text = page.read_text(encoding="utf-8")
    assert text.count("<h2>Deal ") == 3


def test_reviews_as_json() -> None:
    one, two, three = review("deals.jsonl", "--seconds", "0")
    assert [each["deal"] for each in (one, two, three)] == [1, 2, 3]
    assert one["hindsight"] == {"start": 720, "lost": 430, "end": 290}
    assert sum(card["hindsight"]["loss"] for card in one["cards"]) == 430
    assert [each["vist"] for each in (one, two, three)] == [[550, 0, 330], [-2520, 0, -720], [0, 0, 0]]
    assert (two["hindsight"], two["cards"], three["name"]) == (None, [], "Ben")
    assert all(card["fair"] is None for card in one["cards"])
    assert "giving" in one["not_judged"]
    assert review("deals.jsonl", "--seconds", "0", "--deal", "2") == [two]


def test_only_deals_with_their_cards() -> None:
    ran = run("review", str(GOLDEN / "match.json"), "--seconds", "0", "--json")
    assert [(each["deal"], each["call"]) for each in ran.lines] == [(15, "pass"), (16, "misere")]
    assert ran.err == "note: left out, for their cards are not recorded or nothing was called: 1-14, 17-21\n"


def test_a_review_of_an_unfinished_deal() -> None:
    ran = run("review", str(GOLDEN / "later.json"), "--seconds", "0")
    assert "Deal 4: Ann passes; the deal is not finished." in ran.out and ran.out.count("In Vist") == 1
    assert run("review", str(GOLDEN / "later.json"), "--seconds", "0", "--json").lines[-1]["vist"] is None


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([SAMPLE], 65, "expected a deal whose cards are recorded"),
        ([str(GOLDEN / "deals.jsonl"), "--deal", "4"], 65, "expected deal 4, found the deals 1 to 3"),
        ([str(GOLDEN / "deals.jsonl"), "--deep"], 65, "--deep does not go with records of sumgait"),
        ([str(GOLDEN / "deals.jsonl"), "--summary"], 65, "--summary does not go with records of sumgait"),
        ([str(GOLDEN / "deals.jsonl"), "--html", "x.txt"], 2, "expected --html to end in .html"),
        ([str(GOLDEN / "deals.jsonl"), "--fair", "--worlds", "9", "--seconds", "1"], 65, "--seconds or --worlds"),
    ],
)
def test_review_refused(words: list[str], code: int, message: str) -> None:
    ran = run("review", *words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_no_server_reviews_it() -> None:
    ran = run("--server", "localhost:1", "review", str(GOLDEN / "deals.jsonl"))
    assert ran.code == 65 and "expected a game that a server knows, found 'sumgait'" in ran.err


def test_records_of_two_kinds_are_refused() -> None:
    other = json.loads(write_record(finished(load_game("raf"), 1)))
    text = json.dumps(other) + "\n" + (GOLDEN / "deals.jsonl").read_text(encoding="utf-8")
    ran = run("review", "-", stdin=text)
    assert (ran.code, ran.out) == (65, "")
    assert "expected records of sumgait alone or of other games alone" in ran.err
    assert sumgait().id == "sumgait"
