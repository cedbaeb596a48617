"""Records for `tierce review`, written to files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from tests.advice.bots import record_by_bots
from tests.records.support import finished
from tierce.solver.games import Record, load_game, read_records, write_record, write_records

GOLDEN: Final = Path(__file__).parents[1] / "records" / "golden"
MATCH: Final = str(GOLDEN / "match.json")
LATER: Final = str(GOLDEN / "later.json")
AUCTION: Final = str(GOLDEN / "auction.json")
LONG: Final = ("Maximilian-Alexander of Hohenzollern and also of Sigmaringen", "J" * 60, "李小龙" * 20)
CARDS: Final = ("--seconds", "0")


@cache
def match() -> Record:
    return read_records(Path(MATCH))[0]


def hard(folder: Path) -> str:
    """A second deal whose exchange takes minutes."""
    path = folder / "hard.json"
    path.write_text(write_record(record_by_bots(load_game("raf"), 1, 2)), encoding="utf-8")
    return str(path)


def unplayed(folder: Path) -> str:
    """A match whose second deal stands before the trump."""
    first, second = match().deals
    cut = replace(second, call="", discard=None, kitty=None, play=(), stated=None)
    path = folder / "unplayed.json"
    path.write_text(write_record(replace(match(), deals=(first, cut))), encoding="utf-8")
    return str(path)


def nobody(folder: Path) -> str:
    """A deal that did not come to its first lead."""
    first = match().deals[0]
    cut = replace(first, call="", discard=None, kitty=None, play=())
    path = folder / "nobody.json"
    path.write_text(write_record(replace(match(), deals=(cut,))), encoding="utf-8")
    return str(path)


def several(folder: Path, count: int = 3) -> str:
    """Records that are not of one match, played by lot."""
    records = [replace(finished(load_game("raf"), seed), players=LONG) for seed in range(1, 1 + count)]
    path = folder / "several.jsonl"
    path.write_text(write_records(records), encoding="utf-8")
    return str(path)
