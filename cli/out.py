"""Files of results, whole or not at all: tables as CSV, JSON lines or Parquet by the ending of the name, and pages."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from tierce.solver.errors import shown

Columns: TypeAlias = Mapping[str, type]  # of str, int, float or bool
Rows: TypeAlias = Iterable[Sequence[Any]]


_PAGES: Final = (".html", ".htm")


def check_table(name: str) -> None:
    """Refuse what no table can be written to, before the work is done. UsageError, or OSError as of `check_place`."""
    if Path(name).suffix.lower() not in _WRITERS:
        raise click.UsageError(f"expected --out to end in {', '.join(_WRITERS)}, found {shown(name)}")
    if Path(name).suffix.lower() == ".parquet":
        _pyarrow()
    check_place(name)


def write_table(name: str, columns: Columns, rows: Rows, about: Mapping[str, str]) -> None:
    """Write rows, which hold a value for each column, whole or not at all.

    about   what the table is, kept by Parquet (metadata of its schema)
    """
    writer = _WRITERS[Path(name).suffix.lower()]
    write_whole(name, lambda part: writer(part, columns, rows, about))


def check_page(name: str) -> None:
    """Refuse what no page can be written to, before the work is done. UsageError, or OSError as of `check_place`."""
    if Path(name).suffix.lower() not in _PAGES:
        raise click.UsageError(f"expected --html to end in {' or '.join(_PAGES)}, found {shown(name)}")
    check_place(name)


def write_page(name: str, text: str) -> None:
    """Write a page, whole or not at all."""

    def write(part: Path) -> None:
        with part.open("x", encoding="utf-8") as file:
            file.write(text)

    write_whole(name, write)


def check_place(name: str) -> None:
    """Refuse a name under which nothing can be written. OSError without a file's name, by which it is told from errors
    of reading."""
    path = Path(os.path.realpath(name))
    folder = path.parent
    if not folder.is_dir():
        raise OSError(f"{name}: expected a folder that exists, found {shown(str(folder))}")
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a pipe or device"
        raise OSError(f"{name}: expected the name of a file, found {kind}")
    if path.exists() and not os.access(path, os.W_OK):
        raise OSError(f"{name}: expected a file that can be written to, found one that cannot")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(f"{name}: expected a folder that can be written to, found {shown(str(folder))}")
    part = _part(path)
    try:
        part.open("x").close()
        part.unlink()
    except OSError as error:
        raise OSError(f"{name}: {error.strerror or error}") from None


def write_whole(name: str, write: Callable[[Path], None]) -> None:
    """Let a file be written under another name. It appears when it is whole, in place of one of its own name; on errors
    and Ctrl-C nothing is left behind. OSError without a file's name."""
    path = Path(os.path.realpath(name))  # what a link leads to is replaced, not the link
    part = _part(path)
    try:
        write(part)
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    except OSError as error:
        raise OSError(f"{name}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def _part(path: Path) -> Path:
    """Where a file grows."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _csv(path: Path, columns: Columns, rows: Rows, about: Mapping[str, str]) -> None:
    import csv

    with path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([str(value).lower() if isinstance(value, bool) else value for value in row] for row in rows)


def _jsonl(path: Path, columns: Columns, rows: Rows, about: Mapping[str, str]) -> None:
    with path.open("x", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(dict(zip(columns, row, strict=True))) + "\n")


def _parquet(path: Path, columns: Columns, rows: Rows, about: Mapping[str, str]) -> None:
    pa, pq = _pyarrow()
    kinds = {str: pa.string(), int: pa.int8(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()], metadata=dict(about))
    arrays = [list(values) for values in zip(*rows, strict=True)] or [[] for _ in columns]
    table = pa.table([pa.array(each, field.type) for each, field in zip(arrays, schema, strict=True)], schema=schema)
    with path.open("xb") as file:
        pq.write_table(table, file)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        message = f"Parquet needs pyarrow ({error}): pip install 'tierce[batch]', or write .csv or .jsonl"
        raise click.UsageError(message) from None
    return pyarrow, pyarrow.parquet


_WRITERS: Final[Mapping[str, Callable[[Path, Columns, Rows, Mapping[str, str]], None]]] = {
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
