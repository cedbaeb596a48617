"""A study on disk: whole files, nothing lost and nothing twice, whatever was left behind; and its metadata."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.batch.support import dealer_study, exchange_study, read, rows_of
from tierce.solver.batch.columns import COLUMNS, SCHEMAS, STUDY_KEY, Row, columns_help, schema_of
from tierce.solver.batch.local import run_here
from tierce.solver.batch.parts import Parts, parts_of, study_of_table, summary_of_table
from tierce.solver.batch.studies import Source, Study
from tierce.solver.batch.work import Line, Work
from tierce.solver.errors import InputError
from tierce.solver.games import random_deal

STUDY = exchange_study(strategies=("lowest", "spread"), deals=11, chunk=3)


def chunk(study: Study, number: int) -> list[Row]:
    work = Work(study)
    return [row for deal in study.numbers(number) for row in work.rows(deal)]


def whole(table: Path, study: Study = STUDY) -> bytes:
    """The table of an undisturbed run."""
    parts = Parts.begin(table, study)
    for number in range(study.chunks):
        parts.keep(number, chunk(study, number))
    parts.finish()
    return table.read_bytes()


def names(table: Path) -> list[str]:
    return sorted(path.name for path in parts_of(table).iterdir())


def test_a_table_holds_its_rows_in_order_and_the_study(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"
    whole(table)
    assert read(table) == rows_of(STUDY)
    assert study_of_table(table) == STUDY
    assert [path.name for path in tmp_path.iterdir()] == ["run.parquet"]
    about = json.loads(pq.read_schema(table).metadata[STUDY_KEY])
    assert (about["schema"], about["sender"], about["previous"]) == ("tierce-exchange-study-1", "M", [5, 1, 0])
    assert summary_of_table(table).rows == 22


def test_groups_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tierce.solver.batch.parts.GROUP_ROWS", 12)
    whole(tmp_path / "run.parquet")
    about: Any = pq.ParquetFile(tmp_path / "run.parquet").metadata
    assert [about.row_group(at).num_rows for at in range(about.num_row_groups)] == [12, 10]


def test_what_is_left_is_gone_on_with(tmp_path: Path) -> None:
    table, other = tmp_path / "run.parquet", tmp_path / "other.parquet"
    parts = Parts.begin(table, STUDY)
    for number in (2, 0):
        parts.keep(number, chunk(STUDY, number))
    parts.close()
    (parts.folder / ".part-00000001.parquet.new").write_bytes(b"half")
    (parts.folder / "part-00000003.parquet").write_bytes(b"no table")
    shutil.copy(parts.folder / "part-00000000.parquet", parts.folder / "part-00000009.parquet")
    again = Parts.resume(table)
    assert again is not None and again.study == STUDY
    assert again.chunks_left() == [1, 3]
    assert ".part-00000001.parquet.new" not in names(table)
    for number in (3, 1):
        again.keep(number, chunk(STUDY, number))
    assert again.finish().rows == 22
    assert table.read_bytes() == whole(other)


def test_only_one_process_at_a_time(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"
    parts = Parts.begin(table, STUDY)
    attempts: list[Callable[[], object]] = [
        lambda: Parts.resume(table),
        lambda: Parts.begin(table, STUDY),
        lambda: Parts.begin(table, STUDY, overwrite=True),
    ]
    for begin in attempts:
        with pytest.raises(InputError, match=r"expected nobody at work on run\.parquet") as caught:
            begin()
        assert caught.value.code == "busy"
    parts.keep(0, chunk(STUDY, 0))
    parts.close()
    again = Parts.resume(table)
    assert again is not None and again.chunks_left() == [1, 2, 3]
    again.close()


def test_a_lock_that_went_with_its_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process finishes while another waits at its lock: the other has the lock of a file that is gone."""
    import fcntl

    table = tmp_path / "run.parquet"
    first = Parts.begin(table, STUDY)
    for number in range(STUDY.chunks):
        first.keep(number, chunk(STUDY, number))
    own = fcntl.flock

    def late(file: Any, how: int) -> None:
        monkeypatch.undo()
        first.finish()
        own(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(InputError, match=r"expected no run\.parquet yet"):
        Parts.begin(table, STUDY)
    assert [path.name for path in tmp_path.iterdir()] == ["run.parquet"]


def test_an_older_table_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    """Begun anew, interrupted, gone on with: also where it is the same study, of a strategy that has changed since."""
    table = tmp_path / "run.parquet"
    for study in (replace(STUDY, seed=7), STUDY):
        before = whole(table, STUDY)
        parts = Parts.begin(table, study, overwrite=True)
        parts.keep(1, chunk(study, 1))
        parts.close()
        assert table.read_bytes() == before
        again = Parts.resume(table)
        assert again is not None and again.study == study and again.chunks_left() == [0, 2, 3]
        for number in (0, 2, 3):
            again.keep(number, chunk(study, number))
        again.finish()
        assert read(table) == rows_of(study)
        assert [path.name for path in tmp_path.iterdir()] == ["run.parquet"]
        table.unlink()


def test_a_study_begun_anew_has_no_part_of_the_old_one(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"
    old = Parts.begin(table, replace(STUDY, seed=7))
    old.keep(1, chunk(old.study, 1))
    old.close()
    kept = names(table)

    def lines() -> Iterator[Line]:
        yield Line(1, "one")
        raise ValueError

    with pytest.raises(ValueError):
        Parts.begin(table, replace(STUDY, seed=None, source=Source("x", "")), lines(), overwrite=True)
    assert names(table) == kept
    new = Parts.begin(table, STUDY, overwrite=True)
    assert new.chunks_left() == [0, 1, 2, 3]
    new.close()
    (parts_of(table) / "study.json").unlink()  # the process ended while it took the old parts away
    shutil.copy(parts_of(table) / "lock", parts_of(table) / "part-00000002.parquet")
    again = Parts.begin(table, STUDY)
    assert names(table) == ["lock", "study.json"]
    again.close()


def test_parts_that_are_not_their_chunk_are_done_again(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"
    parts = Parts.begin(table, STUDY)
    rows = chunk(STUDY, 0)
    other = Parts.begin(tmp_path / "other.parquet", replace(STUDY, seed=7))
    other.keep(3, chunk(other.study, 3))
    for wrong in (rows[2:] + rows[:2], [rows[1], rows[0], *rows[2:]], [rows[0], *rows[:5]], chunk(STUDY, 1)):
        parts.keep(0, wrong)
        shutil.copy(parts_of(other.table) / "part-00000003.parquet", parts_of(table))
        parts.keep(2, chunk(STUDY, 2))
        assert parts.chunks_left() == [0, 1, 3]
    parts.keep(0, rows)
    assert parts.chunks_left() == [1, 3]
    part = parts_of(table) / "part-00000000.parquet"
    data = part.read_bytes()
    part.write_bytes(data[:60] + bytes(400) + data[460:])
    assert parts.chunks_left() == [0, 1, 3]
    parts.close()
    other.close()


def test_parts_of_other_lines_are_done_again(tmp_path: Path) -> None:
    study = Study("solve", 0, chunk=2, source=Source("x", ""), trump="S")
    parts = Parts.begin(tmp_path / "run.parquet", study, (Line(at, "nonsense") for at in (1, 4, 5)))
    work = Work(parts.study)
    jobs = list(parts.jobs([0, 1]))
    of_jobs = [[row for line in job.lines or () for row in work.rows(0, line)] for job in jobs]
    parts.keep(0, of_jobs[0])
    assert parts.chunks_left() == [1]
    parts.keep(0, [of_jobs[0][1], of_jobs[0][0]])
    assert parts.chunks_left() == [0, 1]
    parts.close()
    lines = parts_of(parts.table) / "deals.txt"
    for wrong in (b"1 nonsense\n4 nonsense\n", b"1 nonsense\n4 x\n5 nonsense\n", b"no number\n"):
        lines.write_bytes(wrong)
        with pytest.raises(InputError, match="expected the lines that the study began with"):
            Parts.resume(parts.table)


def test_a_table_that_lacks_rows(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"
    whole(table)
    found = pq.read_table(table)
    for wrong, match in [
        (found.slice(0, 20), "expected the 22 rows of the study, found 20 in run.parquet"),
        (found.take([*range(20), 0, 1]), "expected a row for each deal and strategy in run.parquet, found others"),
        (found.take([1, 0, *range(2, 22)]), "found others"),
        (found.drop_columns("error"), "expected a column 'error' in run.parquet, found none"),
    ]:
        pq.write_table(wrong, table, row_group_size=7)
        with pytest.raises(InputError, match=match) as caught:
            summary_of_table(table)
        assert caught.value.code == "rows"
    pq.write_table(found, table, row_group_size=7)
    assert summary_of_table(table).rows == 22


def test_a_folder_that_outlived_its_table(tmp_path: Path) -> None:
    """The process ended after the table was there and before the folder was gone."""
    table = tmp_path / "run.parquet"
    for kept in ("study.json", "lock"):
        before = whole(table)
        parts_of(table).mkdir()
        (parts_of(table) / kept).write_text(STUDY.json() if kept == "study.json" else "", encoding="utf-8")
        assert Parts.resume(table) is None
        assert not parts_of(table).exists() and table.read_bytes() == before
        table.unlink()


def test_what_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "run.parquet"

    def refused(code: str, match: str, resume: bool = True) -> None:
        with pytest.raises(InputError, match=match) as caught:
            if resume:
                Parts.resume(table)
            else:
                Parts.begin(table, STUDY)
        assert caught.value.code == code

    refused("missing", r"expected run\.parquet or run\.parquet\.parts, found neither")
    Parts.begin(table, STUDY).close()
    refused("exists", r"expected no run\.parquet\.parts yet", resume=False)
    whole(tmp_path / "other.parquet", replace(STUDY, seed=7))
    shutil.copy(tmp_path / "other.parquet", table)
    refused("exists", "of another")
    refused("exists", r"expected no run\.parquet yet", resume=False)
    table.unlink()
    shutil.rmtree(parts_of(table))
    parts_of(table).mkdir()
    refused("missing", "start it again")
    Parts.begin(table, STUDY).close()
    (parts_of(table) / "study.json").write_text("{}", encoding="utf-8")
    refused("study", "expected a schema among tierce-exchange-study-1")
    shutil.rmtree(parts_of(table))
    table.write_bytes(b"nothing")
    refused("study", "expected a Parquet file")
    pq.write_table(pq.read_table(tmp_path / "other.parquet").replace_schema_metadata(None), table)
    refused("study", "expected the table of a study")


def test_a_beginning_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def lines() -> Iterator[Line]:
        yield Line(1, "one")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Parts.begin(tmp_path / "run.parquet", replace(STUDY, seed=None, source=Source("x", "")), lines())
    assert list(tmp_path.iterdir()) == []


def test_lines_are_kept_as_they_were(tmp_path: Path) -> None:
    study = replace(STUDY, seed=None, source=Source("deals.txt", ""), chunk=2)
    texts = [str(random_deal(study.profile(), 5, number)) for number in range(4)] + ["broken \udcff"]
    lines = [Line(3 * at + 1, text) for at, text in enumerate(texts)]
    parts = Parts.begin(tmp_path / "run.parquet", study, iter(lines))
    assert (parts.study.deals, parts.chunks_left()) == (5, [0, 1, 2])
    assert [job.lines for job in parts.jobs([0, 2])] == [tuple(lines[:2]), (lines[4],)]
    for number, rows in run_here(Work(parts.study), parts.jobs([0, 1, 2]), 2):
        parts.keep(number, rows)
    summary = parts.finish()
    assert summary.errors == {"lowest": 1, "spread": 1}
    assert [(deal, error[:17]) for deal, error in summary.first.values()] == [(4, "line 13: expected")] * 2
    assert summary_of_table(parts.table) == summary
    told = read(parts.table)
    assert [row["cards"] for row in told[::2]] == [*texts[:4], "broken \\udcff"]
    source = study_of_table(parts.table).source
    assert source is not None and source.name == "deals.txt" and len(source.sha256) == 64


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_the_rows(threads: int) -> None:
    jobs = run_here(Work(STUDY), Parts.jobs(_Some(STUDY), range(STUDY.chunks)), threads)  # type: ignore[arg-type]
    assert dict(jobs) == {number: chunk(STUDY, number) for number in range(STUDY.chunks)}


class _Some:
    """Parts without a folder."""

    def __init__(self, study: Study) -> None:
        self.study = study


def test_what_the_watch_raises_comes_through() -> None:
    seen: list[int] = []

    def watch(deals: int) -> None:
        seen.append(deals)
        if deals == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_here(Work(STUDY), Parts.jobs(_Some(STUDY), range(STUDY.chunks)), 2, watch))  # type: ignore[arg-type]
    assert seen == sorted(seen) and seen[0] == 0


def test_memory_stays_flat(tmp_path: Path) -> None:
    """Chunks are asked for as room is made for them, not at once."""
    study = replace(STUDY, deals=1_000_000, chunk=64)
    asked: list[int] = []

    def jobs() -> Iterator[Any]:
        for job in Parts.jobs(_Some(study), range(study.chunks)):  # type: ignore[arg-type]
            asked.append(job.chunk)
            yield job

    found = run_here(Work(study), jobs(), 2)
    for done in range(1, 4):
        next(found)
        assert len(asked) <= done + 4
    found.close()  # type: ignore[attr-defined]


# ---- metadata --------------------------------------------------------------------------------------------------------

numbers = st.integers(0, 20)
tricks = st.tuples(numbers, numbers, numbers)


@given(
    st.sampled_from([exchange_study(), dealer_study(), exchange_study(seed=None, source=Source("-", "ab"))]),
    st.integers(0, 10**6),
    st.integers(1, 4096),
    st.lists(st.text(max_size=8), min_size=1, max_size=5, unique=True),
    tricks,
    st.none() | tricks,
    st.none() | st.integers(0, 2),
    st.integers(0, 2),
)
def test_a_study_is_the_same_after_json(
    study: Study, deals: int, size: int, strategies: list[str], previous: Any, quotas: Any, first: Any, sender: int
) -> None:
    study = replace(study, deals=deals, chunk=size, strategies=tuple(strategies))
    if study.kind == "exchange":
        study = replace(study, previous=previous, previous_quotas=quotas, first_over=first, sender=sender)
    assert Study.from_json(study.json()) == study
    assert sum(len(study.numbers(at)) for at in range(study.chunks)) == deals


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "3", '{"schema": "tierce-exchange-study-2"}', '{"schema": "tierce-solve-1"}',
        '{"schema": "tierce-exchange-study-1", "deals": 3, "strategies": "lowest"}',
        STUDY.json().replace('"M"', '"X"'), STUDY.json().replace('"deals": 11', '"deals": -1'),
        STUDY.json().replace('"small_kitty"', "3", 1), STUDY.json().replace("[5, 1, 0]", "[5, 1]"),
        STUDY.json().replace('"reply": "quick"', '"reply": 3'),
        STUDY.json().replace('"others": "lowest"', '"others": 1'),
        STUDY.json().replace('"options": {}', '"options": [1]'), STUDY.json().replace('"spread"', "3"),
        STUDY.json().replace('"seed": 5', '"seed": null'), STUDY.json().replace('"lowest", "spread"', '"a", "a"'),
    ],
)  # fmt: skip
def test_what_is_no_study(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        Study.from_json(text)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_columns_are_told(kind: Any) -> None:
    text = columns_help(kind)
    assert max(map(len, text.splitlines())) <= 78
    schema = schema_of(kind, "{}")
    assert schema.names == [each.name for each in COLUMNS[kind]]
    for each in COLUMNS[kind]:
        assert f"  {each.name} " in text
        assert schema.field(each.name).metadata == {b"about": each.about.encode()}
