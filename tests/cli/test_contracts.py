"""`tierce contracts`: text and JSON, lines, options of the game, limits, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.advice.contract_deals import HARD, LOW, SUITS_APART
from tests.cli.support import KITTY, WHOLE, Ran, command, environment, on_terminal, run, spawn
from tierce.solver.advice import contract_table
from tierce.solver.cards import SEATS4
from tierce.solver.deal import Deal
from tierce.solver.games.contracts import Contract
from tierce.solver.games.profile import load_game

NOTHING = "N:6.KQ952.Q864.Q85 T42.T43.A9532.94 QJ975.AJ86.K.KJ6 AK83.7.JT7.AT732", "E", "D"

# ---- one deal --------------------------------------------------------------------------------------------------------


def told(*args: str) -> Any:
    ran = run("contracts", *args, "--json")
    assert (ran.code, ran.err) == (0, "") and ran.out.count("\n") == 1
    return ran.json


def test_json_is_that_of_the_table() -> None:
    out = told(LOW, "--dealer", "w", "--turned", "s6")
    table = contract_table(Deal.parse(LOW), 3, trump=0).json()
    assert {name: out[name] for name in table if name not in ("nodes", "millis", "turned")} == {
        name: table[name] for name in table if name not in ("nodes", "millis", "turned")
    }
    assert (out["turned"], out["eldest"]) == ("S6", "N")
    assert told(LOW, "--dealer", "West", "--trump", "spades")["turned"] is None


def test_text() -> None:
    lines = run("contracts", LOW, "--dealer", "W", "--turned", "S6", "--threads", "1").out.splitlines()
    assert lines[18] == "W dealt, turned up ♠6; N is eldest. Exact, all hands seen."
    assert lines[20].split() == ["two", "together", "NE", "NS", "NW", "ES", "EW", "SW"]
    table = contract_table(Deal.parse(LOW), 3, trump=0)
    cells: dict[str, list[str]] = {row.name: [] for row in table.rows}
    for row in table.rows:
        lead = "" if row.lead is None else "♠♥♦♣"[row.lead // 16] + "23456789TJQKA"[row.lead % 16]
        cells[row.name].append(f"{'yes' if row.makes else 'no'} {lead}".strip())
    rows = {line.split("(")[0].strip(): line.split(")", 1)[1] for line in lines if re.search(r"\(\d+\)", line)}
    found = {
        name: [" ".join(cell.split()) for cell in re.findall(r"(?:yes|no)(?: +[♠♥♦♣]\S)?", row)]
        for name, row in rows.items()
    }
    assert found["Prop and Cop"] == cells["prop_cop"] and found["Solo"] == cells["solo"]
    assert found["Misère"] == found["Misère Ouverte"] == cells["misere"]
    assert found["Abundance in Trumps"] == cells["abundance_in_trumps"]
    for at, sign in enumerate("♠♥♦♣"):
        assert found[f"Abundance {sign}"] == cells["abundance"][at::4]
    assert found["Abundance Declared"] == cells["abundance_declared"] == ["no"] * 4
    assert re.search(r"^S South  Misère Ouverte +4$", "\n".join(lines), re.MULTILINE)
    assert "The highest bid that somebody makes: Misère Ouverte, by S." in lines
    assert "The card beside 'no' is the lowest lead that beats the contract." in lines
    assert any(line.startswith("Misère Ouverte is worth what Misère is where all hands are seen") for line in lines)


def test_columns_line_up_with_voids_and_wide_cells() -> None:
    out = run("contracts", SUITS_APART, "--dealer", "N", "--turned", "SA", "--option", "ad_trump=true", "--tricks").out
    assert "♥ -" in out and "Abundance Declared NT (13)" in out and "Abundance Declared ♣ (13)" in out
    block = out[out.index("one against three") : out.index("seat ")].strip().splitlines()
    cells = r"(yes|no)(?: +(\d+))?(?: +([♠♥♦♣]\S))?"
    found = [list(re.finditer(cells, line[26:])) for line in block[1:]]
    places: list[Callable[[re.Match[str]], int]] = [
        lambda cell: cell.start(1), lambda cell: cell.end(2), lambda cell: cell.start(3)
    ]  # fmt: skip
    assert len(block) > 12 and all(len(each) == 4 for each in found)
    for column in range(4):
        words, ends, leads = ({where(each[column]) for each in found} for where in places)
        assert words == {block[0].index("NESW"[column], 26) - 26}
        assert len(ends - {-1}) == 1 and len(leads - {-1}) <= 1
    assert re.search(r"^N North  Abundance Declared in ♠ or NT +6$", out, re.MULTILINE)
    assert "Abundance in Trumps needs another's Abundance to go over" in out
    opened = run("contracts", SUITS_APART, "--dealer", "N", "--turned", "SA", "--option", "ait_open=true").out
    assert "needs another's" not in opened


def test_tricks() -> None:
    deal = Deal.parse(SUITS_APART)
    table = contract_table(deal, 0, trump=0, tricks=True)
    out = told(SUITS_APART, "--dealer", "N", "--trump", "S", "--tricks")
    for row, each in zip(out["contracts"], table.rows, strict=True):
        assert row.get("tricks") == each.tricks
        assert (each.tricks is None) == each.name.startswith("misere")
    text = run("contracts", SUITS_APART, "--dealer", "N", "--trump", "S", "--tricks").out
    assert "yes 13" in text and "The number is the tricks that the declarers take" in text


def test_who_leads_and_whose_units_are_told() -> None:
    """A 'no' without a card has its leader among the declarers, and units are what one opponent pays."""
    out = " ".join(run("contracts", SUITS_APART, "--dealer", "N", "--turned", "SA").out.split())
    table = contract_table(Deal.parse(SUITS_APART), 0, trump=0)
    beaten = [row for row in table.rows if row.makes is False]
    assert any(row.lead is None for row in beaten) and all(
        (row.lead is None) == (row.contract.leader in row.contract.declarers) for row in beaten
    )
    assert "Where 'no' has no card the declarers lead (E, who is eldest, or the bidder of Abundance Declared)" in out
    assert "Units are what each opponent pays" in out and "three times as much if it plays alone" in out
    assert all(
        each.units == -min(Contract(each.bid, (each.seat,)).units(made=True)) for each in table.seats if each.bid
    )


def test_nothing_made() -> None:
    deal, dealer, trump = NOTHING
    assert not any(row.makes for row in contract_table(Deal.parse(deal), SEATS4.index(dealer), trump=2).rows)
    out = run("contracts", deal, "--dealer", dealer, "--trump", trump).out
    assert "Nobody makes anything." in out and "Units" not in out and "The number" not in out
    assert len(re.findall(r"^[NESW] \w+ +none +-$", out, re.MULTILINE)) == 4


def test_ascii() -> None:
    ran = spawn("contracts", LOW, "--dealer", "W", "--turned", "S6", env={"PYTHONIOENCODING": "ascii", "TERM": "dumb"})
    assert ran.code == 0 and ran.out.isascii() and "\\" not in ran.out
    assert "Misere Ouverte (0)" in ran.out and "turned up S6" in ran.out


def test_stdin() -> None:
    ran = run("contracts", "-", "--dealer", "W", "--turned", "S6", "--json", stdin=LOW + "\n")
    assert ran.json["dealer"] == "W"


# ---- many ------------------------------------------------------------------------------------------------------------


def lines(tmp_path: Path, *objects: Any) -> str:
    path = tmp_path / "contracts.jsonl"
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in objects), "utf-8")
    return str(path)


def test_lines(tmp_path: Path) -> None:
    path = lines(
        tmp_path,
        {"id": "a", "deal": LOW, "dealer": "W", "turned": "S6"},
        {"deal": LOW, "dealer": "N", "trump": "H"},
        {"deal": LOW},
        "",
        {"deal": LOW, "dealer": "W", "turned": "SA"},
        {"deal": LOW, "dealer": 3},
        {"deal": LOW, "tricks": "yes"},
        "{",
    )
    ran = run("contracts", "--batch", path, "--dealer", "E", "--trump", "C")
    assert ran.code == 65 and "4 lines could not be read" in ran.err
    found = ran.lines
    assert [each["id"] for each in found] == ["a", 2, 3, 5, 6, 7, 8]
    assert [each["trump"] for each in found[:3]] == ["S", "H", "C"]
    assert [each["dealer"] for each in found[:3]] == ["W", "N", "E"]
    errors = [(each["error"]["code"], each["error"]["field"], each["error"]["line"]) for each in found[3:]]
    assert errors == [("turned", "turned", 5), ("type", "dealer", 6), ("field", "tricks", 7), ("json", None, 8)]
    one = told(LOW, "--dealer", "W", "--turned", "S6")
    assert found[0]["contracts"] == one["contracts"] and found[0]["seats"] == one["seats"]


def test_a_line_without_what_it_needs(tmp_path: Path) -> None:
    path = lines(tmp_path, {"deal": LOW, "trump": "S"}, {"deal": LOW, "dealer": "N"}, {"dealer": "N", "trump": "S"})
    found = run("contracts", "--batch", path).lines
    assert [each["error"]["field"] for each in found] == ["dealer", "turned", "deal"]


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_limit() -> None:
    args = ("contracts", HARD, "--dealer", "N", "--trump", "H", "--max-nodes", "20000")
    ran = run(*args)
    assert (ran.code, ran.err) == (75, "error: the node limit was reached before the answer was known\n")
    assert "The search was stopped: what has a '?' is not known." in ran.out
    assert re.search(r"^Prop and Cop \(8\).* \?", ran.out, re.MULTILINE) and re.search(
        r"^Solo.*no", ran.out, re.MULTILINE
    )
    out = run(*args, "--json").json
    assert out["complete"] is False and any(row["makes"] is None for row in out["contracts"])
    assert any(row["makes"] is False for row in out["contracts"])
    ran = run("contracts", HARD, "--dealer", "N", "--trump", "H", "--timeout", "0.000001")
    assert ran.code == 75 and "No contract is known to be made." in ran.out


def test_a_limit_of_a_line(tmp_path: Path) -> None:
    path = lines(tmp_path, *[{"deal": HARD, "dealer": "N", "trump": "H"}] * 2)
    ran = run("contracts", "--batch", path, "--max-nodes", "1000")
    assert ran.code == 75 and [each["complete"] for each in ran.lines] == [False, False]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_interrupted() -> None:
    import signal

    args = ("contracts", HARD, "--dealer", "N", "--trump", "H", "--tricks", "--table-mb", "1")
    process = subprocess.Popen(
        command(*args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    )
    tasks = Path(f"/proc/{process.pid}/task")
    end = time.monotonic() + 30
    while len(list(tasks.iterdir())) < 2 and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "error: interrupted\n")
    assert "The search was stopped" in out


def test_progress_on_a_terminal() -> None:
    code, out = on_terminal(
        "stderr", "contracts", HARD, "--dealer", "N", "--trump", "H", "--tricks", env={"TERM": "xterm"}
    )
    assert code == 0 and re.search(r"contracts \[[#-]+\] \d+ %", out)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((LOW, "--turned", "S6"), 2, "expected --dealer (N E S W), found none"),
        ((LOW, "--dealer", "W"), 2, "expected --turned or --trump, found neither"),
        ((LOW, "--dealer", "W", "--turned", "S6", "--trump", "S"), 2, "expected --turned or --trump, found both"),
        ((LOW, "--dealer", "D", "--trump", "S"), 2, "'--dealer': expected a seat N, E, S or W, found 'D'"),
        ((LOW, "--dealer", "N", "--trump", "N"), 2, "expected the suit of the card turned up (S H D C), found 'N'"),
        ((LOW, "--dealer", "N", "--turned", "X"), 2, "invalid value for '--turned': expected a card"),
        ((LOW, "--dealer", "N", "--turned", "S6"), 65, "--turned: expected a card of the dealer's, N"),
        ((KITTY, "--dealer", "N", "--trump", "S"), 65, "deal: expected a deal of four hands, found 3"),
        (("N:A... K... Q... J...", "--dealer", "N", "--trump", "S"), 65, "deal: expected four hands of 13 cards"),
        ((LOW, "--dealer", "W", "--trump", "S", "--game", "raf"), 2, "game of contracts such as solo_whist, found raf"),
        ((LOW, "--dealer", "W", "--trump", "S", "--option", "ad_trump=maybe"), 2, "ad_trump"),
        ((LOW, "--dealer", "W", "--trump", "S", "--threads", "0"), 2, "expected 1 or more, found 0"),
        ((LOW, "--batch", "x.jsonl"), 2, "expected a deal or --batch, found both"),
        (("--batch", "x.jsonl", "--turned", "S6"), 2, "--turned does not go with --batch"),
        (("--batch", "nowhere.jsonl"), 65, "nowhere.jsonl: No such file"),
        ((), 2, "expected a deal"),
    ],
)  # fmt: skip
def test_refused(args: tuple[str, ...], code: int, message: str) -> None:
    ran = run("contracts", *args)
    assert (ran.code, ran.out) == (code, "") and message in ran.err


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    import importlib.resources

    text = (importlib.resources.files("tierce.solver.games") / "profiles" / "solo_whist.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('"solo_whist"', '"mine"').replace("ad_trump = false", "ad_trump = true"), "utf-8")
    out = told(SUITS_APART, "--dealer", "N", "--trump", "S", "--game-file", str(path))
    assert len([row for row in out["contracts"] if row["contract"] == "abundance_declared"]) == 20
    assert load_game("solo_whist").option("ad_trump") is False


# ---- as a study ------------------------------------------------------------------------------------------------------


def study(*args: str, out: str) -> Ran:
    return run("batch", "contracts", *args, "--out", out)


def test_a_study(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    from tierce.solver.batch.columns import COLUMNS
    from tierce.solver.batch.parts import study_of_table

    deals = [LOW, SUITS_APART, HARD, WHOLE]
    objects = [{"id": f"n{at}", "deal": deal, "trump": "S"} for at, deal in enumerate(deals)]
    path = lines(tmp_path, *objects, {"deal": LOW, "turned": "S2"})
    out = str(tmp_path / "out.parquet")
    ran = study(path, "--dealer", "N", "--chunk", "2", "--option", "ad_trump=true", out=out)
    assert ran.code == 65 and "5 rows in " in ran.out and "line 5: expected a card of the dealer's" in ran.err
    table = pq.read_table(out)
    assert table.schema.names == [each.name for each in COLUMNS["contracts"]]
    found = table.to_pylist()
    assert [each["line"] for each in found] == [1, 2, 3, 4, 5] and found[4]["error"] and found[4]["solo"] is None
    profile = load_game("solo_whist", {"ad_trump": True})
    for deal, row in zip(deals, found, strict=False):
        truth = contract_table(Deal.parse(deal), 0, trump=0, profile=profile)
        assert (row["cards"], row["dealer"], row["trump"], row["turned"], row["error"]) == (deal, "N", "S", None, None)
        for name in ("prop_cop", "solo", "misere", "abundance_in_trumps"):
            sides = ["".join(SEATS4[seat] for seat in each.contract.declarers) for each in truth.of(name) if each.makes]
            assert row[name] == " ".join(sides)
        for name in ("abundance", "abundance_declared"):
            made = {(each.contract.declarers[0], each.contract.trump) for each in truth.of(name) if each.makes}
            told_here = {
                (SEATS4.index(word[0]), "SHDCN".index(suit)) for word in row[name].split() for suit in word[2:]
            }
            assert told_here == made
        assert [row[f"bid_{seat.lower()}"] for seat in SEATS4] == [each.bid for each in truth.seats]
        assert (row["highest"], row["units"]) == (truth.highest.bid, truth.highest.units)
    kept = study_of_table(Path(out))
    assert (kept.kind, kept.game, kept.dealer, dict(kept.options)) == (
        "contracts",
        "solo_whist",
        "N",
        {"ad_trump": True},
    )
    assert type(kept).from_json(kept.json()) == kept
    ran = run("batch", "resume", out)
    assert ran.code == 65 and "5 rows in" in ran.out


def test_a_study_is_gone_on_with(tmp_path: Path) -> None:
    """Chunks that are there are kept; the table is the same as of one that was never stopped."""
    import pyarrow.parquet as pq

    from tierce.solver.batch.parts import Parts
    from tierce.solver.batch.studies import Source, Study
    from tierce.solver.batch.work import Line, Work

    objects = [json.dumps({"deal": deal, "dealer": "N", "trump": trump}) for deal in (LOW, HARD) for trump in "SHDC"]
    path = lines(tmp_path, *objects)
    whole = str(tmp_path / "whole.parquet")
    assert study(path, "--chunk", "2", out=whole).code == 0
    out = tmp_path / "stopped.parquet"
    about = Study(kind="contracts", deals=0, chunk=2, game="solo_whist", source=Source(path, ""))
    parts = Parts.begin(out, about, [Line(at, text) for at, text in enumerate(objects, 1)])
    work = Work(parts.study)
    for job in parts.jobs([1, 3]):
        assert job.lines is not None
        rows = [row for at, line in zip((0, 1), job.lines, strict=True) for row in work.rows(at, line)]
        parts.keep(job.chunk, rows)
    assert parts.chunks_left() == [0, 2]
    parts.close()
    ran = run("batch", "resume", str(out))
    assert ran.code == 0
    assert pq.read_table(out).to_pylist() == pq.read_table(whole).to_pylist()


def test_a_limit_in_a_study(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = lines(tmp_path, {"deal": HARD, "dealer": "N", "trump": "H"})
    out = str(tmp_path / "out.parquet")
    assert study(path, "--max-nodes", "20000", out=out).code == 65
    [row] = pq.read_table(out).to_pylist()
    assert "limit" in row["error"] and row["prop_cop"] is None and row["abundance"] == "" and row["highest"] is None


def test_usage_of_a_study(tmp_path: Path) -> None:
    path = lines(tmp_path, {"deal": HARD, "dealer": "N", "trump": "H"})
    ran = study(path, "--game", "raf", out=str(tmp_path / "out.parquet"))
    assert ran.code == 2 and "expected a game of contracts" in ran.err
    text = run("batch", "contracts", "--help").out
    assert max(map(len, text.splitlines())) <= 80 and "tierce-contracts-1" in text
    ran = run("batch", "report", str(tmp_path / "nothing.parquet"))
    assert ran.code in (2, 65)
