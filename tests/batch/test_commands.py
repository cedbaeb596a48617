"""`tierce batch` and its commands: what they print, their exit codes, and what they refuse."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.batch.support import exchange_study, game, read
from tests.cli.support import FOUR, THREE, Ran, command, environment, on_terminal, run
from tierce.cli.batch_progress import duration, pace
from tierce.solver.batch.columns import COLUMNS
from tierce.solver.batch.parts import Parts, study_of_table
from tierce.solver.games import load_game, random_deal


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small games, which the commands run in."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(game(), encoding="utf-8")
    return tmp_path


def exchange(*args: str, out: str = "run.parquet", stdin: str = "") -> Ran:
    words = ["--game-file", "small.toml", "--previous", "5/1/0", "--strategy", "lowest", "--out", out, *args]
    return run("batch", "exchange", *words, stdin=stdin)


def dealer(*args: str) -> Ran:
    return run("batch", "dealer", "--game-file", "small.toml", "--out", "run.parquet", *args)


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_an_exchange_study(here: Path) -> None:
    ran = exchange("--strategy", "spread", "--deals", "9", "--seed", "4")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(r"18 rows in run\.parquet: 9 deals with 2 strategies, in \d+ s\.\n", ran.out)
    rows = read(here / "run.parquet")
    assert [row["deal"] for row in rows] == [at // 2 for at in range(18)]
    assert [row["strategy"] for row in rows] == ["lowest", "spread"] * 9
    assert {row["sender"] for row in rows} == {"M"}
    study = study_of_table(here / "run.parquet")
    assert (study.seed, study.deals, study.reply, study.game_toml) == (4, 9, "quick", game())


def test_json(here: Path) -> None:
    ran = exchange("--deals", "3", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert {name: ran.json[name] for name in ("schema", "out", "rows", "errors", "sender")} == {
        "schema": "tierce-exchange-study-1", "out": "run.parquet", "rows": 3, "errors": {}, "sender": "M",
    }  # fmt: skip
    again = run("batch", "resume", "run.parquet", "--json")
    assert again.json | {"seconds": 0} == ran.json | {"seconds": 0}


def test_the_same_study_is_the_same_file(here: Path) -> None:
    for out, threads in (("one.parquet", "1"), ("two.parquet", "3")):
        assert exchange("--strategy", "random", "--deals", "9", "--threads", threads, "--chunk", "2", out=out).code == 0
    assert Path("one.parquet").read_bytes() == Path("two.parquet").read_bytes()


def test_a_dealer_study(here: Path) -> None:
    ran = dealer("--strategy", "quick", "--strategy", "exact", "--deals", "4")
    assert (ran.code, ran.err) == (0, "")
    assert pq.read_schema("run.parquet").names == [each.name for each in COLUMNS["dealer"]]
    assert [row["strategy"] for row in read(here / "run.parquet")] == ["quick", "exact"] * 4


@pytest.mark.parametrize("stdin", [True, False])
def test_deals_from_a_file(here: Path, stdin: bool) -> None:
    exchange("--deals", "3", out="own.parquet")
    deals = [row["cards"] for row in read(here / "own.parquet")]
    text = f"{deals[0]}\n\n{deals[1]}\nnonsense\n{deals[2]}\n"
    Path("deals.txt").write_text(text, encoding="utf-8")
    ran = exchange("--from", "-" if stdin else "deals.txt", stdin=text if stdin else "")
    assert ran.code == 65
    assert ran.err.startswith(
        "error: 1 row with an error (lowest 1); see the column 'error'\n  lowest, deal 2: line 4: "
    )
    assert ran.out.startswith("4 rows in run.parquet: 4 deals with 1 strategy")
    rows = read(here / "run.parquet")
    assert [row["cards"] for row in rows] == [*deals[:2], "nonsense", deals[2]]
    assert rows[2]["error"].startswith("line 4: expected")
    assert [row["own"] for row in rows if row["own"] is not None] == [row["own"] for row in read(here / "own.parquet")]


def test_a_table_of_answers(here: Path) -> None:
    lines = [
        {"id": "a", "deal": THREE, "trump": "D"},
        {"deal": FOUR, "trump": "H", "side": "NE"},
        {"deal": THREE, "objective": "fewest"},
        {"deal": "nonsense"},
    ]
    text = "\n".join(map(json.dumps, lines[:1])) + "\n\n" + "\n".join(map(json.dumps, lines[1:])) + "\n"
    ran = run("batch", "solve", "-", "--trump", "D", "--out", "values.parquet", stdin=text)
    assert ran.code == 65
    assert ran.err.startswith("error: 1 row with an error; see the column 'error'\n  line 5: expected a deal")
    own = run("solve", "--batch", "-", "--trump", "D", stdin=text).lines
    rows = read(here / "values.parquet")
    assert [row["line"] for row in rows] == [1, 3, 4, 5]
    assert [json.loads(row["id"]) for row in rows] == [each["id"] for each in own]
    for row, answer in zip(rows[:3], own[:3], strict=True):
        of_seats = {seat: row[f"tricks_{seat.lower()}"] for seat in "DEM"}
        told = of_seats if row["side"] is None else {row["side"]: row["tricks"]}
        assert (row["kind"], told, row["nodes"], row["error"]) == (
            answer["kind"],
            answer["tricks"],
            answer["nodes"],
            None,
        )
    assert rows[3]["error"].startswith("line 5: expected")


def test_a_limit_of_a_line(here: Path) -> None:
    deal = random_deal(load_game("six_three_eight"), 1)
    text = json.dumps({"deal": str(deal), "trump": "S"})
    ran = run("batch", "solve", "-", "--max-nodes", "9", "--out", "values.parquet", stdin=text)
    assert ran.code == 65
    assert "\n  line 1: the node limit was reached" in ran.err
    assert read(here / "values.parquet")[0]["error"] == "the node limit was reached before the answer was known"


def test_own_strategies_lie_in_the_folder_too(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("parcels_of_mine.py").write_text("def none(view, due): raise OSError('no wish to')\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    ran = exchange("--strategy", "parcels_of_mine:none", "--deals", "2")
    assert ran.code == 65
    assert ran.err == (
        "error: 2 rows with an error (parcels_of_mine:none 2); see the column 'error'\n"
        "  parcels_of_mine:none, deal 0: OSError: no wish to (parcels_of_mine.py line 1)\n"
    )
    error = "parcels_of_mine:none: OSError: no wish to (parcels_of_mine.py line 1)"
    assert read(here / "run.parquet")[1]["error"] == error
    assert run("batch", "resume", "run.parquet").err == ran.err


# ---- going on --------------------------------------------------------------------------------------------------------


def test_what_is_there_is_not_done_again(here: Path) -> None:
    assert exchange("--deals", "3").code == 0
    before = Path("run.parquet").read_bytes()
    ran = exchange("--deals", "5")
    assert (ran.code, ran.out) == (2, "")
    assert "expected no run.parquet yet, found one; 'tierce batch resume run.parquet'" in ran.err
    assert Path("run.parquet").read_bytes() == before
    assert exchange("--deals", "5", "--overwrite").out.startswith("5 rows")
    study = study_of_table(here / "run.parquet")
    Path("run.parquet").unlink()
    Parts.begin(here / "run.parquet", study).close()
    ran = exchange("--deals", "5")
    assert (ran.code, ran.out) == (2, "")
    assert "expected no run.parquet.parts yet, found an unfinished study; 'tierce batch resume run.parquet'" in ran.err
    assert run("batch", "resume", "run.parquet").out.startswith("5 rows in run.parquet: 5 deals with 1 strategy, in ")
    assert run("batch", "resume", "run.parquet").out == "5 rows in run.parquet: 5 deals with 1 strategy.\n"


def test_ctrl_c_keeps_what_is_finished(here: Path) -> None:
    """The strategy sends the signal itself, in the middle of the study."""
    Path("stopping.py").write_text(
        "import os, signal, threading\nfrom tierce.solver.batch.sender_rules import lowest\n"
        "once = threading.Lock()\n"  # a second Ctrl-C ends a command at once, without a word
        "def rule(view, due):\n"
        "    stop = os.environ.get('STOP') and len(list(os.scandir('run.parquet.parts'))) > 5\n"
        "    if stop and once.acquire(blocking=False):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return lowest(view, due)\n",
        encoding="utf-8",
    )
    words = ["--game-file", "small.toml", "--previous", "5/1/0", "--strategy", "stopping:rule", "--deals", "300"]
    args = command("batch", "exchange", *words, "--chunk", "4", "--out", "run.parquet")
    done = subprocess.run(args, capture_output=True, text=True, env=environment(STOP="1"), timeout=60, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == (
        "What is finished is kept: 'tierce batch resume run.parquet' goes on from there.\nerror: interrupted\n"
    )
    assert not Path("run.parquet").exists()
    resumed = subprocess.run(
        command("batch", "resume", "run.parquet"),
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (resumed.returncode, resumed.stderr) == (0, "")
    undisturbed = command("batch", "exchange", *words, "--chunk", "4", "--out", "other.parquet")
    assert subprocess.run(undisturbed, env=environment(), capture_output=True, timeout=60, check=False).returncode == 0
    assert Path("run.parquet").read_bytes() == Path("other.parquet").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="needs terminals")
def test_progress_shows_on_a_terminal(here: Path) -> None:
    words = ["--game-file", "small.toml", "--previous", "5/1/0", "--strategy", "lowest", "--deals", "400"]
    code, text = on_terminal(
        "stderr", "batch", "exchange", *words, "--out", str(here / "run.parquet"), env={"TERM": "xterm"}
    )
    assert code == 0
    assert "batch [" in text and "/400" in text
    assert max(map(len, text.split("\r"))) < 80
    assert text.split("\r")[-1] == "" and not text.split("\r")[-2].strip()


def test_paces() -> None:
    assert pace(0, 2000, 0, 1.0) == "0/2,000"
    assert pace(640, 2000, 640, 20.0) == "640/2,000, 32.0 deals/s, 42 s left"
    assert pace(1640, 2000, 640, 20.0) == "1,640/2,000, 32.0 deals/s, 11 s left"
    assert pace(3, 2000, 3, 1.0) == "3/2,000, 3.0 deals/s"
    assert pace(10, 200, 10, 600.0) == "10/200, 60.0 s a deal, 3 h 10 min left"
    assert [duration(each) for each in (0.4, 89.0, 90.0, 5300.0, 7260.0)] == [
        "0 s",
        "89 s",
        "2 min",
        "88 min",
        "2 h 1 min",
    ]


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--strategy", "lowest"), "each once"),
        (("--strategy", "highest"), "expected one of exact, keep-long"),
        (("--strategy", "no_such_module:x"), "expected a module 'no_such_module' in /"),
        (("--scheduler", ""), "expected --scheduler tcp://host:8786 or the like, found ''"),
        (("--previous", "10/4"), "such as 10/4/2, found '10/4'"),
        (("--sender", "E"), "expected the sender M after these tricks, found E"),
        (("--sender", "N"), "expected"),
        (("--reply", "lowest"), "expected one of exact, longest, quick, random"),
        (("--option", "nothing=1"), "expected"),
        (("--from", "deals.txt", "--seed", "1"), "--seed does not go with --from"),
        (("--from", "deals.txt", "--deals", "1"), "--deals does not go with --from"),
        (("--out", "run.csv"), "expected --out to end in .parquet, found 'run.csv'"),
        (("--deals", "0"), "expected from 1"),
        (("--chunk", "0"), "expected from 1"),
        (("--threads", "0"), "expected from 1"),
    ],
)
def test_usage(here: Path, args: tuple[str, ...], expected: str) -> None:
    Path("deals.txt").touch()
    ran = exchange(*args)
    assert (ran.code, ran.out) == (2, "")
    assert expected in ran.err
    assert sorted(path.name for path in here.iterdir()) == ["deals.txt", "small.toml"]


def test_files_that_are_not_there(here: Path) -> None:
    assert exchange("--from", "none.txt").code == 65
    assert run("batch", "solve", "none.jsonl", "--out", "values.parquet").code == 65
    assert run("batch", "resume", "none.parquet").code == 65
    ran = exchange(out="no/folder/run.parquet")
    assert ran.code == 74 and "expected a folder that exists" in ran.err
    assert [path.name for path in here.iterdir()] == ["small.toml"]


def test_calls_and_auctions(here: Path) -> None:
    for options, expected in [
        (("--game", "deputy"), "expected a game where the dealer names a trump"),
        (("--game", "woburn", "--option", "first_deal_auction=true"), "expected first_deal_auction = false"),
    ]:
        ran = run("batch", "dealer", *options, "--strategy", "quick", "--out", "run.parquet")
        assert ran.code == 2 and expected in ran.err


@pytest.mark.parametrize("module", ["pyarrow", "distributed"])
def test_packages_that_are_not_there(here: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    ran = exchange("--scheduler", "tcp://127.0.0.1:1")
    assert ran.code == 2
    assert "pip install 'tierce[batch]'" in ran.err


def test_nobody_answers_there(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tierce.solver.batch.cluster.CONNECT", 0.5)
    ran = exchange("--deals", "3", "--scheduler", "tcp://127.0.0.1:1")
    assert (ran.code, ran.out) == (69, "")
    assert "expected a Dask scheduler at tcp://127.0.0.1:1, found none" in ran.err
    assert "resume" not in ran.err and [path.name for path in here.iterdir()] == ["small.toml"]
    Parts.begin(here / "run.parquet", exchange_study(strategies=("lowest",), deals=3)).close()
    ran = run("batch", "resume", "run.parquet", "--scheduler", "tcp://127.0.0.1:1")
    assert (ran.code, ran.out) == (69, "")
    assert "'tierce batch resume run.parquet' goes on" in ran.err
    assert run("batch", "resume", "run.parquet").code == 0
    before = Path("run.parquet").read_bytes()
    assert exchange("--deals", "5", "--overwrite", "--scheduler", "tcp://127.0.0.1:1").code == 69
    assert Path("run.parquet").read_bytes() == before


# ---- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["", "contracts", "exchange", "dealer", "solve", "resume"])
def test_help(page: str) -> None:
    ran = run("batch", *page.split(), "--help")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    assert ran.out.index("  tierce batch") < ran.out.index("Options:")


@pytest.mark.parametrize("kind", ["contracts", "exchange", "dealer", "solve"])
def test_the_columns_are_in_the_help(kind: str) -> None:
    text = run("batch", kind, "--help").out
    for each in COLUMNS[kind]:  # type: ignore[index]
        assert re.search(rf"^ +{each.name} ", text, re.MULTILINE)


def test_no_command_and_no_such_command() -> None:
    assert run("batch").code == 2
    ran = run("batch", "exchnge")
    assert ran.code == 2 and "did you mean 'exchange'?" in ran.err


def test_help_needs_no_pyarrow_and_no_dask() -> None:
    code = (
        "import sys; from tierce.cli.exits import run_command; from tierce.cli.group import cli; "
        "run_command(cli, ['batch', 'exchange', '--help']); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not {"rich", "pyarrow", "distributed", "numpy"} & set(done.stdout.splitlines()[-1].split())
