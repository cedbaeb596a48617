"""A study on disk: its table, and while it runs the folder beside it that holds what is finished.

    run.parquet.parts/    study.json          the study; without it nothing has begun
                          deals.txt           the lines to read, of a study of a file: number, blank, text
                          part-00000012.parquet   the rows of a chunk
                          replaces            size and time of the older table that this one is to replace, if any
                          lock                held by the process that writes here
    run.parquet           the whole table, in order; then the folder is gone

Every file appears whole or not at all: it is written under another name, brought to the disk and renamed. So whatever
ends a process, and whenever, a chunk is there or it is not, and `chunks_left` says which have still to be done.
Errors of the system are OSError without a file's name, by which they are told from errors of reading.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final, NoReturn, Self

from tierce.solver.batch.columns import OF_LINES, STUDY_KEY, Row, schema_of, table_of
from tierce.solver.batch.folders import (
    BEGAN,
    empty,
    keep_mark,
    locked,
    made_and_locked,
    parts_of,
    remove,
    replaces,
    told,
    whole,
)
from tierce.solver.batch.studies import Study
from tierce.solver.batch.work import Line
from tierce.solver.errors import InputError

__all__ = ["Job", "Parts", "Summary", "parts_of", "study_of_table", "summary_of_table"]

LINES_NEW: Final = ".deals.new"  # the lines of a study that is about to begin
GROUP_ROWS: Final = 16_384  # rows of a group of the table, or a chunk's if it has more: what a merge holds in memory


@dataclass(frozen=True, slots=True)
class Job:
    """A chunk to be done, and its lines, of a study of a file."""

    chunk: int
    lines: tuple[Line, ...] | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a whole table holds: its rows, and by strategy ("" if there are none) the rows with an error, and of the
    first of them the deal, or the line, and what it says."""

    rows: int
    errors: dict[str, int] = field(default_factory=dict)
    first: dict[str, tuple[int, str]] = field(default_factory=dict)


class Parts:
    """The folder of a study that this process works on; others are kept out until `close`, or its end."""

    def __init__(self, table: Path, study: Study, lock: IO[bytes]) -> None:
        self.table: Final = table
        self.folder: Final = parts_of(table)
        self.study: Final = study
        self._about = study.json().encode()
        self._schema = schema_of(study.kind, study.json())
        self._lock = lock

    # ---- beginning and end -------------------------------------------------------------------------------------------

    @classmethod
    def begin(cls, table: Path, study: Study, lines: Iterable[Line] | None = None, *, overwrite: bool = False) -> Self:
        """A new study. With `lines`, which are copied, its deals are as many as there are; its source gets their sum.

        overwrite   what lies in the folder goes, once the lines are there; a table stays until this one replaces it

        InputError (code "exists") where there is a table or something finished already, (code "busy") where another
        process is at work.
        """
        folder = parts_of(table)
        began = folder / BEGAN
        if not overwrite:
            _refuse_old(table)
        lock = made_and_locked(table)
        try:
            if not overwrite:
                _refuse_old(table)  # once more: who held the lock may have finished
                if began.exists():
                    _refuse("exists", f"expected no {folder.name} yet, found an unfinished study")
            if lines is not None:
                study = _copied(table, study, lines)
            with told(table):
                empty(folder, but=("lock", LINES_NEW))
                if lines is not None:
                    os.replace(folder / LINES_NEW, folder / "deals.txt")
                if table.exists():
                    keep_mark(folder, table)
                with whole(began) as file:
                    file.write(study.json().encode() + b"\n")
            return cls(table, study, lock)
        except BaseException:
            with suppress(OSError):
                (folder / LINES_NEW).unlink(missing_ok=True)
                if not began.exists():
                    remove(folder)
            lock.close()
            raise

    @classmethod
    def resume(cls, table: Path) -> Self | None:
        """The study that was begun; None if the table is whole, which takes away what may be left of its folder.

        InputError (code "missing") where nothing was begun, (code "study") where what lies there is no study.
        """
        folder = parts_of(table)
        lock = locked(table)
        if lock is None:
            if not table.exists():
                _refuse("missing", f"expected {table.name} or {folder.name}, found neither")
            study_of_table(table)
            return None
        try:
            began = folder / BEGAN
            study = Study.from_json(began.read_text(encoding="utf-8")) if began.exists() else None
            if table.exists() and (study is None or not replaces(folder, table)):
                if study is not None and study_of_table(table) != study:
                    _refuse("exists", f"expected one study, found {table.name} and {folder.name} of another")
                with told(table):
                    remove(folder)
                lock.close()
                return None
            if study is None:
                _refuse("missing", f"expected a study in {folder.name}, found that none had begun: start it again")
            if study.source is not None and not _copy_of(folder / "deals.txt", study):
                _refuse("lines", f"expected the lines that the study began with in {folder.name}, found others")
            return cls(table, study, lock)
        except BaseException:
            lock.close()
            raise

    def close(self) -> None:
        """Let others in."""
        self._lock.close()

    # ---- chunks ------------------------------------------------------------------------------------------------------

    def chunks_left(self) -> list[int]:
        """The chunks still to be done, in order. Files that a process left half written are taken away, and parts that
        are not what their chunk should be count as not done."""
        with told(self.table):
            for path in self.folder.glob(".*.new"):
                path.unlink()
        return [job.chunk for job in self.jobs(range(self.study.chunks)) if not self._holds(job)]

    def jobs(self, chunks: Sequence[int]) -> Iterator[Job]:
        """Chunks with what is to be read for them."""
        if self.study.source is None:
            yield from map(Job, chunks)
            return
        wanted = iter(chunks)
        chunk = next(wanted, None)
        lines: list[Line] = []
        for number, line in enumerate(self._lines()):
            if chunk is None:
                return
            if number in self.study.numbers(chunk):
                lines.append(line)
                if len(lines) == len(self.study.numbers(chunk)):
                    yield Job(chunk, tuple(lines))
                    chunk, lines = next(wanted, None), []

    def keep(self, chunk: int, rows: Sequence[Row]) -> None:
        """Bring the rows of a chunk to the disk."""
        from pyarrow import parquet

        assert len(rows) == self.study.rows(chunk)
        with told(self.table), whole(self._part(chunk)) as file:
            parquet.write_table(table_of(self._schema, rows), file)

    def finish(self) -> Summary:
        """Put the table together, in order, a group of rows at a time; then the folder goes. Tells what it holds."""
        from pyarrow import parquet

        tally = _Tally()
        with told(self.table):
            with (
                whole(self.table, self.folder / "table.new") as file,
                parquet.ParquetWriter(file, self._schema) as out,
            ):
                for group in self._groups():
                    out.write_table(group, row_group_size=max(1, len(group)))
                    tally.add(group)
            remove(self.folder)
        self.close()
        return tally.summary()

    def _groups(self) -> Iterator[Any]:
        """The rows of all chunks as tables of some thousand."""
        import pyarrow as pa
        from pyarrow import parquet

        held: list[Any] = []
        for chunk in range(self.study.chunks):
            held.append(parquet.read_table(self._part(chunk), schema=self._schema, partitioning=None))
            if sum(map(len, held)) >= GROUP_ROWS:
                yield pa.concat_tables(held)
                held = []
        if held or not self.study.chunks:
            yield pa.concat_tables(held) if held else self._schema.empty_table()

    def _part(self, chunk: int) -> Path:
        return self.folder / f"part-{chunk:08}.parquet"

    def _holds(self, job: Job) -> bool:
        """Is a part there, of this study, with the rows of its chunk: every strategy once a deal, or every line?"""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            part = parquet.read_table(self._part(job.chunk), partitioning=None)
        except (OSError, pa.ArrowException):
            return False
        if not part.schema.equals(self._schema) or (part.schema.metadata or {}).get(STUDY_KEY) != self._about:
            return False
        if job.lines is not None and self.study.kind in OF_LINES:
            return bool(part.column("line").to_pylist() == [line.number for line in job.lines])
        return len(part) == self.study.rows(job.chunk) and _of_deals(part, self.study, self.study.numbers(job.chunk))

    def _lines(self) -> Iterator[Line]:
        with (self.folder / "deals.txt").open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            for text in file:
                number, _, rest = text.rstrip("\n").partition(" ")
                yield Line(int(number), rest)


def study_of_table(table: Path) -> Study:
    """The study in a table. InputError (code "study") if it is none."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        about = parquet.read_schema(table).metadata or {}
    except pa.ArrowException as error:
        _refuse("study", f"expected a Parquet file, found {table.name}: {error}")
    if STUDY_KEY not in about:
        _refuse("study", f"expected the table of a study, found {table.name} without {STUDY_KEY.decode()!r}")
    return Study.from_json(about[STUDY_KEY].decode())


def summary_of_table(table: Path) -> Summary:
    """What a whole table holds. InputError (code "rows") if it lacks rows of its study."""
    import pyarrow as pa
    from pyarrow import parquet

    study = study_of_table(table)
    wanted = [name for name in ("deal", "line", "strategy", "error") if name in schema_of(study.kind, "").names]
    tally, expected = _Tally(), study.deals * max(1, len(study.strategies))
    try:
        with parquet.ParquetFile(table) as file:
            if missing := [name for name in wanted if name not in file.schema_arrow.names]:
                _refuse("rows", f"expected a column {missing[0]!r} in {table.name}, found none")
            if file.metadata.num_rows != expected:
                found = f"{file.metadata.num_rows:,} in {table.name}"
                _refuse("rows", f"expected the {expected:,} rows of the study, found {found}")
            for group in range(file.num_row_groups):
                rows, done = file.read_row_group(group, columns=wanted), tally.rows
                if study.kind not in OF_LINES and not _of_deals(rows, study, range(study.deals), done):
                    _refuse("rows", f"expected a row for each deal and strategy in {table.name}, found others")
                tally.add(rows)
    except pa.ArrowException as error:
        _refuse("rows", f"expected rows that can be read, found {table.name}: {error}")
    return tally.summary()


# ---- pieces ----------------------------------------------------------------------------------------------------------


class _Tally:
    """Counts rows and their errors, a table after another."""

    def __init__(self) -> None:
        self.rows = 0
        self._errors: Counter[str] = Counter()
        self._first: dict[str, tuple[int, str]] = {}

    def add(self, table: Any) -> None:
        """More rows."""
        self.rows += len(table)
        errors = table.column("error")
        if errors.null_count == len(table):
            return
        named = "strategy" in table.column_names
        strategies = table.column("strategy").to_pylist() if named else [""] * len(table)
        places = table.column("deal" if named else "line").to_pylist()
        for strategy, place, error in zip(strategies, places, errors.to_pylist(), strict=True):
            if error is not None:
                self._errors[strategy] += 1
                self._first.setdefault(strategy, (place, error))

    def summary(self) -> Summary:
        """What was counted."""
        return Summary(self.rows, dict(self._errors), self._first)


def _of_deals(table: Any, study: Study, deals: range, skip: int = 0) -> bool:
    """Are these rows those of deals, every strategy once a deal and in order, from row `skip` on?"""
    strategies = study.strategies
    own = range(skip, skip + len(table))
    return bool(
        table.column("deal").to_pylist() == [deals[at // len(strategies)] for at in own]
        and table.column("strategy").to_pylist() == [strategies[at % len(strategies)] for at in own]
    )


def _copied(table: Path, study: Study, lines: Iterable[Line]) -> Study:
    """Copy the lines of a study's file, beside those of an older study; the study with their number and sum."""
    assert study.source is not None
    digest, count = hashlib.sha256(), 0
    with told(table), (parts_of(table) / LINES_NEW).open("wb") as file:
        for line in lines:
            text = line.text.rstrip("\r\n").encode("utf-8", "surrogateescape") + b"\n"
            digest.update(text)
            file.write(f"{line.number} ".encode() + text)
            count += 1
        file.flush()
        os.fsync(file.fileno())
    return replace(study, deals=count, source=replace(study.source, sha256=digest.hexdigest()))


def _copy_of(path: Path, study: Study) -> bool:
    """Are these the lines that were copied?"""
    assert study.source is not None
    digest, count = hashlib.sha256(), 0
    with suppress(FileNotFoundError), path.open("rb") as file:
        for raw in file:
            number, _, text = raw.partition(b" ")
            if not number.isdigit():
                return False
            digest.update(text)
            count += 1
    return (count, digest.hexdigest()) == (study.deals, study.source.sha256)


def _refuse_old(table: Path) -> None:
    if table.exists():
        _refuse("exists", f"expected no {table.name} yet, found one")


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message)
