"""`tierce hint` of Solo Whist: moments of a record, a view, lines; the words for people."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.support import Ran, run
from tests.hints.test_contract_views import WRITTEN
from tierce.solver.games import legal, read_records, replay
from tierce.solver.hints import read_view
from tierce.solver.hints.moments_of_record import moments

PLAYED = str(Path(__file__).parent.parent / "data" / "solo_playthroughs.jsonl")  # its source stands beside it


def hinted(*args: str, stdin: str = "") -> Ran:
    return run("hint", *args, stdin=stdin)


def test_every_kind_of_moment_of_a_record() -> None:
    """Each is named as the record's own moments are, and is answered by something that is legal there."""
    records = read_records(Path(PLAYED).read_text(), PLAYED)
    seen = set()
    for number, record in enumerate(records, 1):
        (deal,) = replay(record).deals
        for moment in moments(deal):
            name = str(moment)
            if (name, number % 3) in seen or (moment.what == "trick" and moment.number not in (1, 9)):
                continue
            seen.add((name, number % 3))
            seat = "NESW"[moment.seat]
            ran = hinted(PLAYED, "--deal", str(number), "--at", name, "--seat", seat, "--worlds", "2", "--json")
            assert ran.code == 0, ran
            tree = json.loads(ran.out)
            assert tree["seat"] == seat and tree["by"] == "units" and tree["worlds"] >= 1
            choices = legal(moment.state)[0].choices
            key = {"bid": "bid", "trump": "trump", "trick": "card"}[moment.what]
            assert tree["decision"] == ("card" if key == "card" else key)
            assert 1 <= len(tree["options"]) <= max(len(choices), 10)
    assert {"bid", "trump", "trick 1", "trick 9"} <= {name for name, _ in seen}


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("trick 3", ["South and West need 8 tricks; won: 2", "Trick 3; West led", "made", "units", "see all cards"]),
        ("bid", ["South dealt, ♣8 was turned up", "West passed", "a pass", "by rules of thumb"]),
    ],
)
def test_words(at: str, words: list[str]) -> None:
    ran = hinted(PLAYED, "--deal", "1", "--at", at, "--seat", "N", "--worlds", "4")
    assert ran.code == 0 and max(map(len, ran.out.splitlines())) <= 80
    text = " ".join(ran.out.split())
    for word in words:
        assert word in text, (word, text)


def noted(*args: str) -> tuple[str, Ran]:
    """What stands under the table, and all that was printed."""
    ran = hinted(PLAYED, *args)
    assert ran.code == 0 and max(map(len, ran.out.splitlines())) <= 80
    table = ran.out.split("\n\n")[-3]
    return " ".join(line for line in table.splitlines() if "%" not in line), ran


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("5", "--at", "trick 2", "--seat", "W"), ["West's own", "East, South and West", "North makes Misère", "low"]),
        (("1", "--at", "lead"), ["West's own", "South and West together", "South and West make Prop and Cop"]),
        (("3", "--at", "trick 5", "--seat", "N", "--by", "made"), ["beaten: the chance that Solo is beaten"]),
        (("3", "--at", "bid", "--seat", "N"), ["North's own", "of a pass", "a Prop with whoever would accept it"]),
        (("3", "--at", "bid", "--seat", "N", "--by", "made"), ["chance: that North's side makes the contract"]),
        (("7", "--at", "trump"), ["with that trump", "tricks: of North's side"]),
    ],
)
def test_columns_are_explained(args: tuple[str, ...], words: list[str]) -> None:
    notes, ran = noted("--deal", *args, "--worlds", "4")
    for word in (*words, "made: ", "±: one standard error"):
        assert word in notes, (word, ran.out)
    columns = next(line.split() for line in ran.out.splitlines() if line.endswith("  worlds"))
    assert {each for each in ("units", "beaten", "chance", "tricks", "made") if f"{each}: " in notes} == set(
        columns[1:-1]
    )


def test_a_pass_that_leaves_the_deal_void_has_no_tricks() -> None:
    """Three have passed: if the last does, too, nothing is played."""
    told = {
        "tierce_view": 1, "game": "solo_whist", "seat": "N", "dealer": "N", "turned": "H5", "phase": "BID",
        "bids": ["pass", "pass", "pass"], "hand": "AKQ.QJT965.A4.93",
    }  # fmt: skip
    ran = hinted("-", "--worlds", "8", stdin=json.dumps(told))
    rows = {line.split("  ")[0]: line.split() for line in ran.out.splitlines() if line.endswith(" 8")}
    assert rows["a pass"][-4:] == ["±0.00", "-", "-", "8"] and "-: no contract comes of it" in ran.out
    assert rows["Solo"][-2].endswith("%") and "-" not in rows["Solo"]
    assert "no contract comes of it" not in noted("--deal", "3", "--at", "bid", "--seat", "N", "--worlds", "8")[0]


def test_made_and_units_are_as_it_is_told() -> None:
    """A defender of a Solo gets -1 where it is made and +1 where not: in units rules of thumb count as a world more."""
    at = ("--deal", "3", "--at", "trick 5", "--seat", "N", "--worlds", "20")
    notes, _ = noted(*at)
    assert "counts as one world more" in notes and "rules of thumb left out" in notes
    tree = hinted(PLAYED, *at, "--json").json
    for each in tree["options"]:
        share = 1 / (1 + tree["effective"])
        exact = 1 - 2 * each["made"]
        assert (1 - share) * exact - share - 1e-2 <= each["value"] <= (1 - share) * exact + share + 1e-2
    low, high = (sorted(tree["options"], key=lambda each: each[key])[0] for key in ("made", "value"))
    assert low["value"] > high["value"] and low["made"] < high["made"]
    for other in (("--method", "playouts"), ("--by", "tricks")):
        assert "one world more" not in noted(*at, *other)[0] and "rules of thumb" not in noted(*at, *other)[0]


def test_a_view_is_cut_and_read() -> None:
    cut = hinted(PLAYED, "--deal", "1", "--at", "lead", "--view")
    assert cut.code == 0 and json.loads(cut.out)["seat"] == "W"
    again = hinted("-", "--worlds", "3", "--json", stdin=cut.out)
    same = hinted(PLAYED, "--deal", "1", "--at", "lead", "--worlds", "3", "--json")
    one, other = json.loads(again.out), json.loads(same.out)
    one.pop("millis"), other.pop("millis")
    assert one == other and one["side"] == "declarers"


def test_lines() -> None:
    view = WRITTEN | {"seat": "N", "hand": "J85.KJ85.Q963.Q"}
    assert read_view(view).to_move == "NESW".index("N")
    lines = json.dumps(view | {"id": "a"}) + "\n" + json.dumps(view | {"by": 1}) + "\n"
    ran = hinted("--batch", "-", "--worlds", "2", "--by", "made", stdin=lines)
    good, bad = map(json.loads, ran.out.splitlines())
    assert good["id"] == "a" and good["by"] == "made" and "made" in good["best"]
    assert ran.code == 65 and "by" in bad["error"]["message"]


@pytest.mark.parametrize(
    ("args", "code", "word"),
    [
        ((PLAYED, "--deal", "1", "--at", "trick 3", "--seat", "D"), 65, "expected a seat N, E, S or W"),
        ((PLAYED, "--deal", "1", "--at", "discard"), 65, "to which the deal does not come"),
        ((PLAYED, "--deal", "1", "--at", "lead", "--seat", "N"), 65, "which is West's"),
        ((PLAYED, "--deal", "1", "--at", "lead", "--others", "hint"), 65, "--others: expected rules or conspiring in"),
        ((PLAYED, "--deal", "1", "--at", "lead", "--method", "pimc", "--others", "rules"), 2, "go with the method"),
        ((PLAYED, "--deal", "1", "--at", "rob"), 65, "--at: expected a moment such as 'trick 5'"),
        ((PLAYED, "--deal", "1", "--at", "lead", "--by", "match"), 65, "expected one of units, tricks, made, utility"),
        ((PLAYED, "--deal", "1", "--at", "lead", "--by", "quota"), 65, "expected one of units, tricks, made, utility"),
    ],
)
def test_refusals(args: tuple[str, ...], code: int, word: str) -> None:
    ran = hinted(*args)
    assert (ran.code, ran.out) == (code, "") and word in ran.err, ran


@pytest.mark.parametrize("more", [(), ("--game", "sumgait"), ("--batch", "-")])
def test_a_view_of_sumgait_that_begins_as_others_do(more: tuple[str, ...]) -> None:
    ran = hinted(*([] if "--batch" in more else ["-"]), *more, stdin='{"tierce_view": 1, "game": "sumgait"}\n')
    said = (ran.err + ran.out).replace("\\", "")  # --batch answers in JSON
    assert ran.code == 65 and 'expected "sumgait_view": 1, with which views of sumgait begin' in said


LETTERS = re.compile(r"\b[SHDC][2-9TJQKA]\b")


@pytest.mark.parametrize("at", ["trick 5", "bid"])
def test_cards_have_their_signs_in_sentences_too(at: str) -> None:
    out = hinted(PLAYED, "--deal", "3", "--at", at, "--seat", "N", "--worlds", "8").out
    assert "♦" in out and not LETTERS.search(out)
    told = hinted(PLAYED, "--deal", "3", "--at", "trick 5", "--seat", "N", "--worlds", "8", "--json").json
    assert LETTERS.search(told["why"])


def test_what_is_left_out_and_what_has_no_error_is_said() -> None:
    """Abundance stands in two rows; dropped early, with the same loss in each of eight worlds."""
    at = ("--deal", "3", "--seat", "N", "--worlds", "40", "--at")
    notes, ran = noted(*at, "bid")
    assert ran.out.count("\nAbundance, ") == 2 and "±0.00" in ran.out
    assert "only the two suits that promise most by rules of thumb are valued" in notes
    assert "±0.00: all its worlds came to the same" in notes
    notes, ran = noted(*at, "trick 5")
    assert "only the two suits" not in ran.out and "±0.00" not in ran.out
    ran = hinted(PLAYED, "--deal", "12", "--seat", "S", "--at", "trick 8")
    assert "±0.00: no world was left out" in ran.out and "came to the same" not in ran.out
