"""The folder of a study that is not finished: whose it is, and how files in it come and go.

    lock = made_and_locked(table)      ours until it is closed or this process ends
    with whole(path) as file: ...      a file that appears whole or not at all
    remove(folder)                     of a lock that is held

The lock lies in the folder. It counts only while it does: who gets the lock of a folder that another process has just
taken away asks again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from tierce.solver.errors import InputError

__all__ = [
    "BEGAN",
    "empty",
    "keep_mark",
    "locked",
    "made_and_locked",
    "parts_of",
    "remove",
    "replaces",
    "told",
    "whole",
]

BEGAN: Final = "study.json"  # without it nothing has begun
LOCK: Final = "lock"
REPLACES: Final = "replaces"


def parts_of(table: Path) -> Path:
    """The folder of an unfinished table."""
    return table.with_name(table.name + ".parts")


def made_and_locked(table: Path) -> IO[bytes]:
    """The lock of a folder that is made where there is none."""
    while True:
        with told(table):
            parts_of(table).mkdir(exist_ok=True)
        if (lock := locked(table)) is not None:
            return lock


def locked(table: Path) -> IO[bytes] | None:
    """The lock of a folder, ours until it is closed or this process ends; None if there is no folder, or none any more
    since another process that held the lock has finished."""
    import fcntl

    path = parts_of(table) / LOCK
    with told(table):
        try:
            file = path.open("wb")
        except (FileNotFoundError, NotADirectoryError):
            return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        message = f"expected nobody at work on {table.name}, found another process that is"
        raise InputError("busy", message) from None
    with suppress(OSError):
        if os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return file
    file.close()
    return None


def empty(folder: Path, but: Collection[str] = (LOCK,)) -> None:
    """Take away what lies in a folder; first of all what says that a study had begun there."""
    (folder / BEGAN).unlink(missing_ok=True)
    for path in list(folder.iterdir()):
        if path.name not in but:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def remove(folder: Path) -> None:
    """Take away a folder whose lock is held. The lock goes last, so that nobody else is at work while files go; who has
    made a lock of his own by then keeps the folder."""
    empty(folder)
    (folder / LOCK).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def keep_mark(folder: Path, table: Path) -> None:
    """Note that the folder's study is to replace the table that is there."""
    (folder / REPLACES).write_text(_mark(table), encoding="ascii")


def _mark(table: Path) -> str:
    """What tells a table from the one that is to replace it."""
    found = table.stat()
    return f"{found.st_size} {found.st_mtime_ns}"


def replaces(folder: Path, table: Path) -> bool:
    """Is the table the older one, which the folder's study is to replace?"""
    path = folder / REPLACES
    return path.exists() and path.read_text(encoding="ascii", errors="replace") == _mark(table)


@contextmanager
def whole(path: Path, new: Path | None = None) -> Iterator[IO[bytes]]:
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
def told(table: Path) -> Iterator[None]:
    """Errors of the system speak of the table that cannot be written."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{table}: {error.strerror or error}") from None
