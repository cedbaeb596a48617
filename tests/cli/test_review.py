"""`tierce review`: the reports, JSON, pages and figures are the library's, from any form of a record."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.reviews import AUCTION, CARDS, GOLDEN, LATER, LONG, MATCH, hard, match, nobody, several, unplayed
from tests.cli.support import Ran, command, environment, run
from tierce.solver.advice.fair_decisions import fair_review
from tierce.solver.advice.review import review
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import card_names
from tierce.solver.games import replay
from tierce.solver.report.summary import summary_of

TIMES = ("nodes", "millis")


def library(number: int | None = None) -> list[Review]:
    """The deals of the match, or one of them, cards only."""
    deals = [deal for deal in replay(match()).deals if number in (None, deal.number)]
    return [review(deal, match().players, seconds=0) for deal in deals]


def untimed(tree: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in tree.items() if key not in TIMES}


def told(ran: Ran) -> list[dict[str, Any]]:
    assert (ran.code, ran.err) == (0, ""), ran
    return [untimed(each) for each in ran.lines]


# ---- JSON ------------------------------------------------------------------------------------------------------------


def test_json_is_an_object_a_hand() -> None:
    assert told(run("review", MATCH, *CARDS, "--json")) == [untimed(each.json()) for each in library()]
    assert told(run("review", MATCH, *CARDS, "--json", "--deal", "2")) == [untimed(library(2)[0].json())]


def test_any_form_of_a_record() -> None:
    """JSON, PBN, JSON lines; a file or standard input."""
    how = (*CARDS, "--json", "--deal")
    second = told(run("review", MATCH, *how, "2"))
    text = Path(MATCH).read_text(encoding="utf-8")
    assert told(run("review", str(GOLDEN / "match.pbn"), *how, "2")) == second
    assert told(run("review", "-", *how, "2", stdin=text)) == second
    line = json.dumps(json.loads(text))
    assert told(run("review", "-", *how, "4", stdin=f"{line}\n{line}\n")) == second


def test_deals_are_counted_through_several_records(tmp_path: Path) -> None:
    path = several(tmp_path)
    every = told(run("review", path, *CARDS, "--json"))
    assert len(every) == 3
    assert told(run("review", path, *CARDS, "--json", "--deal", "2")) == [every[1]]
    assert run("review", path, *CARDS, "--deal", "2").out.startswith("Deal 2: ")


def test_passed_out_deals_are_no_hands() -> None:
    found = told(run("review", AUCTION, *CARDS, "--json"))
    assert [each["deal"] for each in found] == [1] and found[0]["plays"]


def test_threads_change_nothing() -> None:
    one, three = (told(run("review", MATCH, *CARDS, "--json", "--threads", n)) for n in ("1", "3"))
    assert one == three


def test_fair_is_the_librarys() -> None:
    (out,) = told(run("review", LATER, *CARDS, "--json", "--fair", "--worlds", "2", "--seed", "9"))
    from tierce.solver.games import read_records

    (deal,) = replay(read_records(Path(LATER))[0]).deals
    assert untimed(out["fair"]) == untimed(
        json.loads(json.dumps(fair_review(deal, worlds=2, seed=9, seconds=0).json()))
    )
    assert out["fair"]["plays"] and not out["fair"]["decisions"]


def test_fair_is_on_the_page_and_in_the_time_told(tmp_path: Path) -> None:
    path = tmp_path / "hand.html"
    ran = run("review", LATER, *CARDS, "--fair", "--worlds", "2", "--html", str(path))
    assert ran.code == 0 and "By what each player could know" in ran.out
    assert "<h2>By what each player could know</h2>" in path.read_text(encoding="utf-8")
    both, alone = (nodes_told(out) for out in (ran.out, run("review", LATER, *CARDS).out))
    assert both > alone


def nodes_told(out: str) -> int:
    (found,) = re.findall(r"^([\d,]+) nodes, ", out, re.M)
    return int(found.replace(",", ""))


# ---- text ------------------------------------------------------------------------------------------------------------


def test_the_account_of_the_text_adds_up() -> None:
    ran = run("review", MATCH, *CARDS, "--deal", "2")
    assert (ran.code, ran.err) == (0, "")
    (found,) = library(2)
    for account in found.accounts:
        row = next(line for line in ran.out.splitlines() if re.match(rf"{'DEM'[account.seat]}  ", line)).split()
        assert row[:2] == ["DEM"[account.seat], account.name]
        quota, start, lost, gifts, tricks = map(int, row[2:7])
        assert tricks == start - lost + gifts == account.tricks and quota == account.quota
        assert int(row[7]) == tricks - quota and row[8] == f"{account.best}/{account.unforced}"
    assert "Deal 2: clubs, South dealt.\n" in ran.out
    assert "Every number is a floor: the tricks that a seat is sure of" in ran.out


def test_every_costly_card_is_told_with_its_trick() -> None:
    text = " ".join(run("review", MATCH, *CARDS, "--deal", "2").out.split())
    (found,) = library(2)
    turns = {turn.number for turn in found.turns}
    for number, play in enumerate(found.ledger.plays):
        name = card_names(1 << play.card)
        said = f"Trick {play.trick}: {'DEM'[play.seat]}'s {'♠♥♦♣'['SHDC'.index(name[0])]}{name[1]} "
        assert (said in text) == (play.loss > 0 or number in turns)
    assert text.count("Trick ") == len(turns | {at for at, play in enumerate(found.ledger.plays) if play.loss})


def test_the_table_of_tricks() -> None:
    out = run("review", MATCH, *CARDS, "--deal", "2").out
    (found,) = library(2)
    table = out[out.index("trick  led") :].splitlines()
    assert " ".join(table[0].split()) == "trick led won floors D E M fair shares quotas D E M cards"
    marks = {"safe": "+", "contested": ".", "lost": "x"}
    for line, standing in zip(table[1:], found.standings, strict=False):
        cells = line.split()
        trick = found.deal.state.tricks[standing.trick - 1]
        assert cells[:3] == [str(standing.trick), "DEM"[trick.leader], "DEM"[trick.winner]]
        assert [*map(int, cells[3:6])] == [*standing.guarantees]
        assert [*map(float, cells[6:9])] == [*found.shares(standing.guarantees)]
        assert cells[9:12] == [marks[status] for status in standing.status] and len(cells) == 15
    assert table[17] == "+ safe, . contested, x out of reach unless another errs"


def test_unfinished() -> None:
    ran = run("review", LATER, *CARDS)
    assert ran.code == 0 and "  = sure  " in ran.out
    assert "The hand is not finished: 10 tricks to come.\n" in ran.out
    assert run("review", LATER, *CARDS, "--json").json["finished"] is False


def test_a_claim_is_judged(tmp_path: Path) -> None:
    """With a kitty that is a trick the account is wide: names then stand below it, and the lines fit."""
    from rich.cells import cell_len

    from tests.advice.bots import record_by_bots
    from tierce.solver.games import load_game, write_record

    path = tmp_path / "claimed.json"
    record = record_by_bots(load_game("uni_high_359"), 28, claims=0.1, players=LONG)
    path.write_text(write_record(record), encoding="utf-8")
    ran = run("review", str(path), "--seconds", "0.5")
    assert ran.code == 0 and "The claim of the last four tricks was " in ran.out
    assert "+ kitty  + claim  = tricks" in ran.out and max(map(cell_len, ran.out.splitlines())) <= 80
    assert re.search(r"^D .{3,}, E .{3,}, M .{3,}$", ran.out, re.M)
    told = run("review", str(path), "--seconds", "0.5", "--json").json["claim"]
    assert told["tricks"] == [3, 1, 0] and told["left"] == 4
    assert told["fair"] == all(got >= sure for got, sure in zip(told["tricks"], told["guarantees"], strict=True))


def test_decisions_that_were_not_judged() -> None:
    out = run("review", MATCH, *CARDS, "--deal", "2").out
    for what in ("Dealer's trump", "Dealer's discard", "Dealer's parcels", "Eldest's parcels"):
        assert f"  {what}: not judged.\n" in out


def test_a_deal_that_was_not_played_is_told(tmp_path: Path) -> None:
    path = unplayed(tmp_path)
    ran = run("review", path, *CARDS, "--json")
    assert (ran.code, len(ran.lines)) == (0, 1)
    ends = "before the trump is named"
    assert ran.err == f"note: deal 2 did not come to its first lead; it is left out: it ends {ends}\n"
    out = run("review", path, *CARDS, "--summary")
    assert (out.code, out.err) == (0, "") and "1 hand reviewed." in out.out
    assert out.out.endswith("1 left out: not played to the first lead\n")
    for args in (("--deal", "2"), ("--summary", "--deal", "2")):
        ran = run("review", path, *args)
        assert (ran.code, ran.out) == (65, "") and "expected a deal that came to its first lead, found none" in ran.err
        assert f"found none: deal 2 ends {ends}\n" in ran.err
    ran = run("review", nobody(tmp_path))
    assert ran.code == 65 and "deal 1 ends before the trump is named" in ran.err


@pytest.mark.parametrize(
    "args", [(), pytest.param(("--fair", "--worlds", "1"), marks=pytest.mark.slow), ("--summary",)]
)
def test_lines_fit(tmp_path: Path, args: tuple[str, ...]) -> None:
    """Sixteen cards a hand, voids, long names of wide letters."""
    from rich.cells import cell_len

    ran = run("review", several(tmp_path, 2), *CARDS, *args)
    assert ran.code == 0 and max(map(cell_len, ran.out.splitlines())) <= 80
    assert args[:1] != ("--summary",) or all(f"\n{name}"[:40] in ran.out for name in LONG)


# ---- figures and pages -----------------------------------------------------------------------------------------------


def test_figures_are_the_librarys() -> None:
    assert run("review", MATCH, *CARDS, "--summary", "--json").json == json.loads(
        json.dumps(summary_of(library()).json())
    )


def test_figures_as_text() -> None:
    ran = run("review", MATCH, *CARDS, "--summary")
    assert ran.code == 0 and re.match(r"2 hands reviewed\.\n\n +made  balance +luck +play +gifts  best\n", ran.out)
    for row in summary_of(library()).players:
        at = ran.out.index(f"\n{row.player}\n")
        line = ran.out[at:].splitlines()[2].split()
        mean = row.mean("balance")
        assert mean is not None and line[:3] == ["all", f"{row.made}/{row.hands}", f"{mean.value:.2f}"]
    assert "exchange" not in ran.out  # nothing of it was judged


def test_pages(tmp_path: Path) -> None:
    path = tmp_path / "hand.html"
    ran = run("review", MATCH, *CARDS, "--deal", "1", "--html", str(path))
    assert ran.code == 0 and ran.out.endswith(f"\nThe page is {path}.\n")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
    quiet = run("review", MATCH, *CARDS, "--html", str(path), "--json")
    assert len(quiet.lines) == 2 and path.read_text(encoding="utf-8") != text
    ran = run("review", MATCH, *CARDS, "--summary", "--html", str(path))
    assert ran.out.endswith(f"\nThe page is {path}.\n") and "Hands reviewed" in path.read_text(encoding="utf-8")
    assert [each.name for each in tmp_path.iterdir()] == ["hand.html"]


def test_values_of_all_seats_are_for_the_page(tmp_path: Path) -> None:
    """`--html` asks more of the search; the account is the same."""
    plain = told(run("review", MATCH, *CARDS, "--deal", "1", "--json"))
    more = told(run("review", MATCH, *CARDS, "--deal", "1", "--json", "--html", str(tmp_path / "x.html")))
    for one, other in zip(plain[0]["plays"], more[0]["plays"], strict=True):
        assert one["after"] == other["after"] and "guarantees" not in one["cards"][0]
        assert len(other["cards"][0]["guarantees"]) == 3
    assert plain[0]["seats"] == more[0]["seats"]


def test_a_report_comes_as_soon_as_it_is_known(tmp_path: Path) -> None:
    """One thread, two deals: the first is told before the second is known."""
    path = hard(tmp_path)
    args = command("review", path, "--seconds", "1.5", "--threads", "1", "--json")
    process = subprocess.Popen(args, stdout=subprocess.PIPE, env=environment(), text=True)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    running = process.poll() is None
    second = json.loads(process.stdout.read())
    assert (running, first["deal"], second["deal"], process.wait(timeout=60)) == (True, 1, 2, 0)
    process.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe that can be closed")
def test_a_reader_that_leaves() -> None:
    args = command("review", MATCH, *CARDS, "--json")
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(timeout=60) == 0
    process.stderr.close()
