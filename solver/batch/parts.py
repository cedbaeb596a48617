"""A study on disk: its table, and while it runs the folder beside it that holds what is finished.

    run.parquet.parts/    study.json          the study; without it nothing has begun
                          deals.txt           the lines to read, of a study of a file: number, blank, text
                          part-00000012.parquet   the rows of a chunk
                          lock                held by the process that writes here
    run.parquet           the whole table, in order; then the folder is gone

Every file appears whole or not at all: it is written under another name, brought to the disk and renamed. So whatever
ends a process, and whenever, a chunk is there or it is not, and `chunks_left` says which have still to be done.
Errors of the system are OSError without a file's name, by which they are told from errors of reading.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final, NoReturn, Self

from tierce.solver.batch.columns import STUDY_KEY, Row, schema_of, table_of
from tierce.solver.batch.studies import Study
from tierce.solver.batch.work import Line
from tierce.solver.errors import InputError

__all__ = ["Job", "Parts", "Summary", "clear", "parts_of", "study_of_table", "summary_of_table"]

GROUP_ROWS: Final = 16_384  # rows of a group of the table, or a chunk's if it has more: what a merge holds in memory
_PART: Final = re.compile(r"part-(\d{8})\.parquet")


@dataclass(frozen=True, slots=True)
class Job:
    """A chunk to be done, and its lines, of a study of a file."""

    chunk: int
    lines: tuple[Line, ...] | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a whole table holds: its rows, and rows with an error, by strategy ("" if there are none)."""

    rows: int
    errors: dict[str, int] = field(default_factory=dict)


def parts_of(table: Path) -> Path:
    """The folder of an unfinished table."""
    return table.with_name(table.name + ".parts")


def clear(table: Path) -> None:
    """Take away a table and its folder."""
    with _told(table):
        table.unlink(missing_ok=True)
        if parts_of(table).exists():
            shutil.rmtree(parts_of(table))


class Parts:
    """The folder of a study that this process works on; others are kept out until `close`, or its end."""

    def __init__(self, table: Path, study: Study, lock: IO[bytes]) -> None:
        self.table: Final = table
        self.folder: Final = parts_of(table)
        self.study: Final = study
        self._schema = schema_of(study.kind, study.json())
        self._lock = lock

    # ---- beginning and end -------------------------------------------------------------------------------------------

    @classmethod
    def begin(cls, table: Path, study: Study, lines: Iterable[Line] | None = None) -> Self:
        """A new study. With `lines`, which are copied, its deals are as many as there are; its source gets their sum.

        InputError (code "exists") where there is a table or something finished already.
        """
        if table.exists():
            _refuse("exists", f"expected no {table.name} yet, found one")
        folder = parts_of(table)
        with _told(table):
            folder.mkdir(exist_ok=True)
        lock = _locked(table)
        try:
            if (folder / "study.json").exists():
                _refuse("exists", f"expected no {folder.name} yet, found an unfinished study")
            if lines is not None:
                study = _copied(table, study, lines)
            with _told(table), _whole(folder / "study.json") as file:
                file.write(study.json().encode() + b"\n")
            return cls(table, study, lock)
        except BaseException:
            if not (folder / "study.json").exists():
                shutil.rmtree(folder, ignore_errors=True)
            lock.close()
            raise

    @classmethod
    def resume(cls, table: Path) -> Self | None:
        """The study that was begun; None if the table is whole, which takes away what may be left of its folder.

        InputError (code "missing") where nothing was begun, (code "study") where what lies there is no study.
        """
        folder = parts_of(table)
        if not folder.is_dir():
            if not table.exists():
                _refuse("missing", f"expected {table.name} or {folder.name}, found neither")
            study_of_table(table)
            return None
        lock = _locked(table)
        try:
            told = folder / "study.json"
            study = Study.from_json(told.read_text(encoding="utf-8")) if told.exists() else None
            if table.exists():
                if study is not None and study_of_table(table) != study:
                    _refuse("exists", f"expected one study, found {table.name} and {folder.name} of another")
                with _told(table):
                    shutil.rmtree(folder)
                lock.close()
                return None
            if study is None:
                _refuse("missing", f"expected a study in {folder.name}, found that none had begun: start it again")
            return cls(table, study, lock)
        except BaseException:
            lock.close()
            raise

    def close(self) -> None:
        """Let others in."""
        self._lock.close()

    # ---- chunks ------------------------------------------------------------------------------------------------------

    def chunks_left(self) -> list[int]:
        """The chunks still to be done, in order. Files that a process left half written are taken away, and those that
        no longer hold their rows."""
        with _told(self.table):
            for path in self.folder.glob(".*.new"):
                path.unlink()
        done = set()
        for path in self.folder.iterdir():
            match = _PART.fullmatch(path.name)
            if match and self._holds(path, int(match[1])):
                done.add(int(match[1]))
        return [chunk for chunk in range(self.study.chunks) if chunk not in done]

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
        with _told(self.table), _whole(self._part(chunk)) as file:
            parquet.write_table(table_of(self._schema, rows), file)

    def finish(self) -> Summary:
        """Put the table together, in order, a group of rows at a time; then the folder goes. Tells what it holds."""
        from pyarrow import parquet

        errors: Counter[str] = Counter()
        rows = 0
        with _told(self.table):
            with (
                _whole(self.table, self.folder / "table.new") as file,
                parquet.ParquetWriter(file, self._schema) as out,
            ):
                for group in self._groups():
                    out.write_table(group, row_group_size=max(1, len(group)))
                    rows += len(group)
                    errors.update(_faults(group))
            shutil.rmtree(self.folder)
        self.close()
        return Summary(rows, dict(errors))

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

    def _holds(self, path: Path, chunk: int) -> bool:
        """Does a file hold the rows of its chunk?"""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            return bool(parquet.read_metadata(path).num_rows == self.study.rows(chunk))
        except (OSError, pa.ArrowException):
            return False

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
    """What a whole table holds."""
    from pyarrow import parquet

    errors: Counter[str] = Counter()
    with parquet.ParquetFile(table) as file:
        for group in range(file.num_row_groups):
            names = [name for name in ("strategy", "error") if name in file.schema_arrow.names]
            errors.update(_faults(file.read_row_group(group, columns=names)))
        return Summary(file.metadata.num_rows, dict(errors))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _faults(table: Any) -> Iterator[str]:
    """The strategy of each row with an error."""
    errors = table.column("error")
    if errors.null_count == len(table):
        return
    named = "strategy" in table.column_names
    strategies = table.column("strategy").to_pylist() if named else [""] * len(table)
    yield from (strategy for strategy, error in zip(strategies, errors.to_pylist(), strict=True) if error is not None)


def _copied(table: Path, study: Study, lines: Iterable[Line]) -> Study:
    """Copy the lines of a study's file; the study with their number and sum."""
    assert study.source is not None
    digest, count = hashlib.sha256(), 0
    with _told(table), _whole(parts_of(table) / "deals.txt") as file:
        for line in lines:
            text = line.text.rstrip("\r\n").encode("utf-8", "surrogateescape") + b"\n"
            digest.update(text)
            file.write(f"{line.number} ".encode() + text)
            count += 1
    return replace(study, deals=count, source=replace(study.source, sha256=digest.hexdigest()))


def _locked(table: Path) -> IO[bytes]:
    """The lock of a folder, ours until it is closed or this process ends."""
    import fcntl

    with _told(table):
        file = (parts_of(table) / "lock").open("wb")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        _refuse("busy", f"expected nobody at work on {table.name}, found another process that is")
    return file


@contextmanager
def _whole(path: Path, new: Path | None = None) -> Iterator[IO[bytes]]:
    """A file to write, which gets its name when it is whole and on the disk."""
    new = path.with_name(f".{path.name}.new") if new is None else new
    try:
        with new.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    finally:
        with suppress(OSError):
            new.unlink()


@contextmanager
def _told(table: Path) -> Iterator[None]:
    """Errors of the system speak of the table that cannot be written."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{table}: {error.strerror or error}") from None


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message)
