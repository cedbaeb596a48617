"""The figures of a study against plain sums over its rows, and studies that are at fault."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.batch.support import game
from tests.report.studies import (
    DEALER,
    EXCHANGE,
    STRATEGIES,
    Row,
    failed,
    header,
    made_row,
    random_cards,
    random_rows,
    real_rows,
    write,
    write_parts,
)
from tierce.solver.errors import InputError
from tierce.solver.report.intervals import interval
from tierce.solver.report.study import command_of, study_report
from tierce.solver.report.study_files import open_study
from tierce.solver.report.study_page import study_page
from tierce.solver.report.study_results import StudyReport
from tierce.solver.report.study_words import failures, opening

NORMAL = 1.959964


def report_of(path: Path, *, top: int = 3) -> StudyReport:
    return study_report(open_study(path), top=top)


def by_deal(rows: list[Row]) -> list[dict[str, Row]]:
    """The rows of each deal by strategy, deals in which all have a value."""
    found: dict[int, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row["deal"], {})[row["strategy"]] = row
    return [each for each in found.values() if all(row["error"] is None for row in each.values())]


@pytest.fixture
def rows() -> list[Row]:
    return list(random_rows(400, errors=0.01))


def test_strategies(tmp_path: Path, rows: list[Row]) -> None:
    found = report_of(write(tmp_path / "run.parquet", header(), rows, group=77))
    compared = by_deal(rows)
    assert (found.done, found.compared, found.quota, found.win) == (400, len(compared), 3, 12)
    assert 300 < found.compared < 400
    for each in found.strategies:
        owns = [deal[each.name]["own"] for deal in compared]
        mine = [row for row in rows if row["strategy"] == each.name]
        errors = [row for row in mine if row["error"] is not None]
        assert (each.valued, each.errors) == (len(mine) - len(errors), len(errors))
        assert each.first == (errors[0]["deal"], errors[0]["error"])
        assert each.mean.value == pytest.approx(mean(owns))
        assert each.mean.half == pytest.approx(NORMAL * stdev(owns) / len(owns) ** 0.5)
        assert each.balance == pytest.approx(mean(owns) - 3)
        assert each.quota.value == pytest.approx(sum(own >= 3 for own in owns) / len(owns))
        assert each.win.value == pytest.approx(sum(own >= 12 for own in owns) / len(owns))
        assert dict(each.floors) == {own: owns.count(own) for own in owns}
    assert [each.mean.value for each in found.ranked] == sorted((e.mean.value for e in found.strategies), reverse=True)


def test_differences(tmp_path: Path, rows: list[Row]) -> None:
    found = report_of(write(tmp_path / "run.parquet", header(), rows))
    compared, names = by_deal(rows), found.study.strategies
    assert len(found.differences) == 6
    assert {frozenset((each.one, each.other)) for each in found.differences} == {
        frozenset(pair) for pair in combinations(range(4), 2)
    }
    for each in found.pairs.values():
        one, other = names[each.one], names[each.other]
        gaps = [deal[one]["own"] - deal[other]["own"] for deal in compared]
        assert each.mean.value == pytest.approx(mean(gaps))
        assert each.mean.low == pytest.approx(mean(gaps) - NORMAL * stdev(gaps) / len(gaps) ** 0.5)
        counts = sum(gap > 0 for gap in gaps), gaps.count(0), sum(gap < 0 for gap in gaps)
        assert (each.better, each.equal, each.worse) == counts
        assert each.same == sum(deal[one]["sent"] == deal[other]["sent"] for deal in compared)
    assert found.all_same == sum(len({row["sent"] for row in deal.values()}) == 1 for deal in compared)
    assert [each.other for each in found.against_best()] == [found.order[0]] * 3


def test_pairing_tells_apart_what_means_cannot(tmp_path: Path) -> None:
    """Luck moves all strategies alike: intervals of the means overlap, that of the differences leaves 0 out."""
    found = report_of(write(tmp_path / "run.parquet", header(), random_rows(500)))
    best, last = found.ranked[0], found.ranked[-1]
    pair = found.pairs[found.order[0], found.order[-1]]
    assert best.mean.low is not None and last.mean.high is not None and pair.mean.low is not None
    assert best.mean.low < last.mean.high and pair.mean.low > 0 and pair.apart


@pytest.mark.parametrize(("deals", "apart"), [(7, False), (8, True)])
def test_very_few_deals_tell_nothing_apart(tmp_path: Path, deals: int, apart: bool) -> None:
    cards = random_cards(random.Random(1))
    rows = [made_row(deal, cards, name, own) for deal in range(deals) for name, own in (("a", 4), ("b", 3))]
    found = report_of(write(tmp_path / "run.parquet", header(strategies=["a", "b"]), rows))
    assert [each.apart for each in found.differences] == [apart]


def test_a_single_deal_has_no_intervals(tmp_path: Path) -> None:
    found = report_of(write(tmp_path / "run.parquet", header(), random_rows(1)))
    assert {each.mean.half for each in found.strategies} == {each.mean.half for each in found.differences} == {None}
    json.dumps(found.json(), allow_nan=False)


@pytest.mark.parametrize("top", [0, 1, 7, 1000])
def test_the_widest_deals(tmp_path: Path, rows: list[Row], top: int) -> None:
    found = report_of(write(tmp_path / "run.parquet", header(), rows), top=top)
    spreads = {}
    for deal in by_deal(rows):
        owns = [row["own"] for row in deal.values()]
        if max(owns) > min(owns):
            spreads[deal["lowest"]["deal"]] = max(owns) - min(owns)
    expected = sorted(spreads, key=lambda deal: (-spreads[deal], deal))[:top]
    assert [each.deal for each in found.looks] == expected
    for look in found.looks:
        of_deal = {row["strategy"]: row for row in rows if row["deal"] == look.deal}
        assert look.spread == spreads[look.deal] and look.cards == of_deal["lowest"]["cards"]
        for told in look.told:
            row = of_deal[STRATEGIES[told.strategy]]
            assert (told.sent, told.returned, told.own) == (row["sent"], row["returned"], row["own"])
            assert told.floors == (row["floor_d"], row["floor_e"], row["floor_m"])
        assert [each.own for each in look.told] == sorted((row["own"] for row in of_deal.values()), reverse=True)


def test_how_rows_lie_does_not_matter(tmp_path: Path, rows: list[Row]) -> None:
    """Row groups of any size, strategies of a deal in any order."""
    whole = report_of(write(tmp_path / "a.parquet", header(), rows, group=10_000))
    source = random.Random(1)
    mixed = sorted(rows, key=lambda row: (row["deal"], source.random()))
    assert report_of(write(tmp_path / "b.parquet", header(), mixed, group=3)) == whole


def test_an_unfinished_study(tmp_path: Path, rows: list[Row]) -> None:
    """Parts count as they are, one that is not there yet left out; the folder itself may be named."""
    kept = [row for row in rows if not 64 <= row["deal"] < 128]
    whole = report_of(write(tmp_path / "whole.parquet", header(), kept))
    folder = write_parts(tmp_path / "run.parquet", header(), rows, deals=64, skip=1)
    for name in (tmp_path / "run.parquet", folder):
        found = report_of(name)
        assert not found.finished and whole.finished
        assert (found.study.deals, found.done, whole.done) == (400, 336, 336)
        assert found.json() | {"complete": True, "study": whole.json()["study"]} == whole.json()


def test_a_finished_file_counts_before_its_parts(tmp_path: Path, rows: list[Row]) -> None:
    write_parts(tmp_path / "run.parquet", header(), rows[:64], deals=8)
    assert report_of(write(tmp_path / "run.parquet", header(), rows)).finished


def test_one_strategy(tmp_path: Path) -> None:
    found = report_of(write(tmp_path / "run.parquet", header(strategies=["only"]), random_rows(50, ["only"])))
    assert (found.differences, found.looks, found.against_best()) == ((), (), ())
    assert found.json()["differences"] == [] and found.strategies[0].valued == 50


def test_a_study_of_the_dealer(tmp_path: Path) -> None:
    about = header(schema=DEALER, strategies=["quick", "longest"], previous=None, reply=None, sender=None)
    rows = [row | {"balance": row["own"] - 8} for row in random_rows(50, ["quick", "longest"])]
    for row in rows[::4]:
        row["trump"] = "H"
    found = report_of(write(tmp_path / "run.parquet", about, rows))
    assert (found.seat, found.quota, found.differences[0].same) == (0, 8, 25)
    assert found.looks[0].told[0].sent is None and found.looks[0].command[:4] == ("tierce", "dealer", "--game", "raf")


def test_what_wins_is_the_profiles_affair(tmp_path: Path) -> None:
    """Quota and five: for middle eight."""
    about = header(game="wiki_358", options={"end": "quota_plus_5"})
    rows = list(random_rows(200))
    found = report_of(write(tmp_path / "run.parquet", about, rows))
    assert found.win == 8
    owns = [row["own"] for row in rows if row["strategy"] == "lowest"]
    assert found.strategies[0].win.value == pytest.approx(sum(own >= 8 for own in owns) / len(owns))


def test_the_command_names_all_that_was_asked(tmp_path: Path) -> None:
    about = header(game="woburn", options={"kitty_first": True}, previous_quotas=[10, 4, 2], first_over="E")
    study = open_study(write(tmp_path / "run.parquet", about, [])).study
    said = "tierce exchange --game woburn --option kitty_first=true --previous 10/4/2 --previous-quota 10/4/2"
    assert command_of(study, "D:...") == (*said.split(), "--first-over", "E", "D:...")


def test_real_floors(tmp_path: Path) -> None:
    rows = list(real_rows(4))
    found = report_of(write(tmp_path / "run.parquet", header(strategies=["lowest", "highest"]), rows))
    owns = {name: [row["own"] for row in rows if row["strategy"] == name] for name in ("lowest", "highest")}
    assert {each.name: each.mean.value for each in found.strategies} == {n: mean(each) for n, each in owns.items()}
    assert found.ranked[0].name == "lowest" and found.seat == "DEM".index(rows[0]["sender"])


# ---- strategies that come to nothing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("place", range(4))
def test_a_strategy_without_a_value_is_left_out(tmp_path: Path, rows: list[Row], place: int) -> None:
    """What is told of the others is what would be told without it."""
    name = STRATEGIES[place]
    others = [each for each in STRATEGIES if each != name]
    alone = report_of(
        write(tmp_path / "a.parquet", header(strategies=others), [r for r in rows if r["strategy"] in others])
    )
    lame = [failed(row, f"{name}: boom {row['deal']}") if row["strategy"] == name else row for row in rows]
    found = report_of(write(tmp_path / "b.parquet", header(), lame))
    (out,) = found.failing
    assert (out.name, out.errors, out.first) == (name, 400, (0, f"{name}: boom 0"))
    assert f"Left out, since it has a value in no deal: {name}" in study_page(found)
    one, two = alone.json(), found.json()
    assert two.pop("left_out") == [
        {"name": name, "errors": 400, "first_error": {"deal": 0, "error": f"{name}: boom 0"}}
    ]
    assert one.pop("left_out") == []
    for each in (one, two):
        del each["study"]
    assert one == two
    assert f"Left out, since it has a value in no deal: {name}: 400 errors, the first in deal 0: boom 0" in failures(
        found
    )
    assert [each for each in failures(found) if not each.startswith("Left out")] == list(failures(alone))


def test_words(tmp_path: Path) -> None:
    for changes, said in (
        ({"reply": "quick"}, "owes 3 tricks. The dealer replies by the rule quick."),
        ({"reply": "exact"}, "The dealer replies as is best for him, all hands seen."),
        ({"reply": None}, "and owes 3 tricks."),
        ({"game_toml": game(), "game": "small_kitty", "previous": [5, 1, 0]}, "tricks, and owes 1 trick. The"),
    ):
        found = report_of(write(tmp_path / "run.parquet", header(strategies=["a"], **changes), low_rows(20)))
        assert said in " ".join(opening(found))


def low_rows(deals: int) -> list[Row]:
    """Floors that are possible in six tricks, too."""
    return [row | {"own": min(6, row["own"])} for row in random_rows(deals, ["a"])]


# ---- at fault --------------------------------------------------------------------------------------------------------


def refused(path: Path, match: str) -> None:
    with pytest.raises(InputError, match=match) as caught:
        report_of(path)
    assert caught.value.field == "study"


@pytest.mark.parametrize("data", [b"", b"PAR1", b"deal,cards\n", b"PAR1" + b"\x00" * 100 + b"PAR1"])
def test_no_parquet(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "run.parquet"
    path.write_bytes(data)
    refused(path, "expected a Parquet file that can be read, found one of which pyarrow says: ")


def test_damaged(tmp_path: Path) -> None:
    """A block of its pages gone."""
    path = write(tmp_path / "run.parquet", header(), random_rows(200))
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(2000) + data[2100:])
    refused(path, "expected a Parquet file that can be read, found one of which pyarrow says: ")


def test_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    parquet.write_table(pa.table({"trump": ["S"]}), path)
    refused(path, "found a Parquet file of something else")


@pytest.mark.parametrize("schema", ["tierce-exchange-study-2", "tierce-solve-1", "", 7, None])
def test_other_schemas(tmp_path: Path, schema: Any) -> None:
    refused(write(tmp_path / "run.parquet", header(schema=schema), random_rows(2)), "expected a (schema|study of)")


@pytest.mark.parametrize(
    "changes",
    [
        {"strategies": []},
        {"strategies": [1, 2]},
        {"strategies": ["lowest", "lowest"]},
        {"game": "bridge"},
        {"game": ["raf"]},
        {"game_toml": "hand ="},
        {"options": {"no_such_option": 1}},
        {"options": [1]},
        {"previous": [1, 2]},
        {"previous": ["a", "b", "c"]},
        {"sender": "W"},
        {"reply": 3},
        {"deals": -1},
        {"seed": "one"},
    ],
    ids=str,
)
def test_headers(tmp_path: Path, changes: dict[str, Any]) -> None:
    refused(write(tmp_path / "run.parquet", header(**changes), random_rows(2)), "expected ")


def test_a_row_too_few_or_too_many(tmp_path: Path, rows: list[Row]) -> None:
    said = "expected a row for each of 4 strategies in deal 5, found "
    refused(write(tmp_path / "few.parquet", header(), rows[:20] + rows[21:]), said + "none of 'lowest'")
    refused(write(tmp_path / "many.parquet", header(), rows[:21] + rows[20:]), said + "5 rows")


def test_deals_too_few_or_too_many(tmp_path: Path, rows: list[Row]) -> None:
    for deals, said in ((399, "399 deals, found 400"), (401, "401 deals, found 400"), (0, "0 deals, found 400")):
        refused(write(tmp_path / "run.parquet", header(deals=deals), rows), f"expected the study's {said}")
    write_parts(tmp_path / "part.parquet", header(deals=100), rows, deals=64)
    refused(tmp_path / "part.parquet", "expected the study's 100 deals, found 336")


def test_rows_at_fault(tmp_path: Path, rows: list[Row]) -> None:
    for changes, said in (
        ({"strategy": "unheard-of"}, "expected a strategy of the study in each row, found 'unheard-of'"),
        ({"deal": None}, "expected a number in each row, found None"),
        ({"own": -1}, "expected a floor from 0 to 16 in each row, found -1 in deal 0"),
        ({"own": 17}, "expected a floor from 0 to 16 in each row, found 17 in deal 0"),
        ({"sender": "Q"}, "expected a seat D, E or M as the sender, found 'Q'"),
    ):
        wrong = [rows[0] | changes, *rows[1:]]
        refused(write(tmp_path / "run.parquet", header(), wrong), said)
    refused(write(tmp_path / "run.parquet", header(), rows[4:8] + rows[:4]), "found deal 0 after deal 1")


@pytest.mark.parametrize(("column", "kind"), [("own", "string"), ("sent", "int8"), ("balance", "none")])
def test_columns_at_fault(tmp_path: Path, rows: list[Row], column: str, kind: str) -> None:
    table = parquet.read_table(write(tmp_path / "run.parquet", header(), rows))
    at = table.schema.get_field_index(column)
    if kind == "none":
        table = table.remove_column(at)
    else:
        table = table.set_column(at, column, pa.array([None] * len(rows), getattr(pa, kind)()))
    parquet.write_table(table, tmp_path / "run.parquet")
    refused(tmp_path / "run.parquet", f"expected a column {column} of .*, found {kind}")


def test_nothing_to_compare(tmp_path: Path) -> None:
    said = "in which all strategies have a value, found none in 20 deals: 'spread' has 20 errors, in deal 0 'boom'"
    rows = [failed(row, "boom") for row in random_rows(20, ["spread"])]
    refused(write(tmp_path / "run.parquet", header(strategies=["spread"]), rows), said)
    rows = [
        failed(row, "boom") if (row["deal"] + (row["strategy"] == "a")) % 2 else row for row in random_rows(20, "ab")
    ]
    refused(write(tmp_path / "run.parquet", header(strategies=["a", "b"]), rows), "found none in 20 deals: 'a' has 10")
    refused(write(tmp_path / "run.parquet", header(), []), "found no deal")


def test_names_of_folders_and_of_nothing(tmp_path: Path) -> None:
    refused(tmp_path, "found the folder ")
    with pytest.raises(FileNotFoundError):
        report_of(tmp_path / "absent.parquet")


def test_a_part_that_goes_while_it_is_read(tmp_path: Path, rows: list[Row]) -> None:
    folder = write_parts(tmp_path / "run.parquet", header(), rows, deals=64)
    file = open_study(tmp_path / "run.parquet")
    for path in folder.glob("*.parquet"):
        path.unlink()
    with pytest.raises(InputError, match="expected the parts of the study to stay"):
        study_report(file)


def test_schemas_are_those_of_the_batch() -> None:
    from tierce.solver.batch.columns import COLUMNS, SCHEMAS

    assert (SCHEMAS["exchange"], SCHEMAS["dealer"]) == (EXCHANGE, DEALER)
    assert set(made_row(0, random_cards(random.Random(1)), "a", 1)) == {each.name for each in COLUMNS["exchange"]}


def test_intervals_of_the_report_are_those_of_the_counts(tmp_path: Path, rows: list[Row]) -> None:
    found = report_of(write(tmp_path / "run.parquet", header(), rows))
    assert [each.mean for each in found.strategies] == [interval(dict(each.floors)) for each in found.strategies]
