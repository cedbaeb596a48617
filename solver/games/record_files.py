"""Records in files: JSON, JSON Lines or PBN, told apart by how they begin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar

from tierce.solver.errors import InputError, shown
from tierce.solver.games.record import Record, RecordError
from tierce.solver.games.record_json import to_json
from tierce.solver.games.record_json_read import any_records_of_json, records_of_json
from tierce.solver.games.record_pbn import records_of_pbn
from tierce.solver.games.record_pbn_write import to_pbn
from tierce.solver.games.sumgait.record import Record as SumgaitRecord
from tierce.solver.games.sumgait.record_json import to_json as sumgait_json

__all__ = [
    "AnyRecord",
    "Format",
    "read_any",
    "read_record",
    "read_records",
    "write_any",
    "write_record",
    "write_records",
]

T = TypeVar("T")
AnyRecord: TypeAlias = Record | SumgaitRecord
Format: TypeAlias = Literal["json", "pbn"]
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
# A comment in braces has no quote in front, a JSON object has.
_PBN: Final = re.compile(r"\s*(%|;|\[\s*\w+\s*[\"\]]|\{(?!\s*(?:[\"}]|\Z)))")
_TAG: Final = re.compile(r"\[\s*\w+\s*\"")
_JSON: Final = re.compile(r"\s*\{\s*[\"}]")


def read_records(source: str | bytes | Path, name: str | None = None) -> tuple[Record, ...]:
    """The records of a file (a Path) or of its contents; `name` stands for it in errors.

    RecordError (an InputError) with the place if it cannot be read, or is of Sumgait Driller; OSError if there is no
    such file. The rules are asked by `replay`, not here.
    """
    return _read(source, name, records_of_json, records_of_pbn)


def read_any(source: str | bytes | Path, name: str | None = None) -> tuple[AnyRecord, ...]:
    """The same for every game.

    Records of Sumgait Driller are of another class (no hands against each other, no quotas), so that whoever asks for
    `read_records` may rely on what stands in a `Record`.
    """
    return _read(source, name, any_records_of_json, records_of_pbn)


def _read(
    source: str | bytes | Path,
    name: str | None,
    of_json: Callable[[str, str], Sequence[T]],
    of_pbn: Callable[[str | bytes, str], Iterable[T]],
) -> tuple[T, ...]:
    if isinstance(source, Path):
        name = str(source) if name is None else name
        source = source.read_bytes()
    name = "<record>" if name is None else name
    if isinstance(source, bytes):
        utf16 = source.startswith(_UTF16) or b"\0" in source[:200]
        start = source[:1000].removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        if utf16 and _JSON.match(start.replace("\0", "").lstrip("\xff\xfe")):
            raise RecordError("encoding", "expected a record in UTF-8, found UTF-16", file=name)
        if utf16 or _is_pbn(start, source.decode("latin-1")):
            return tuple(of_pbn(source, name))
        try:
            source = source.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"expected UTF-8, found the byte {source[error.start]:#04x} at {error.start}"
            raise RecordError("encoding", message, file=name) from None
        given = None
    else:
        given = source
    source = source.removeprefix("\ufeff")
    if _is_pbn(source, source):
        return tuple(of_pbn(source, name))
    try:
        return tuple(of_json(source, name))
    except RecordError as error:
        if given is None or error.code != "json_syntax" or given.lstrip()[:1] in ("", "{", "["):
            raise
        message = f"expected the text of a record, found {shown(given)} (a file is given as a Path)"
        raise RecordError("json_syntax", message, file=name) from None


def _is_pbn(start: str, whole: str) -> bool:
    """Does text begin as PBN? What begins with a brace and has no tag is taken for JSON that is at fault."""
    return bool(_PBN.match(start)) and (start.lstrip()[:1] != "{" or bool(_TAG.search(whole)))


def read_record(source: str | bytes | Path, name: str | None = None) -> Record:
    """The one record of a file or of its contents."""
    records = read_records(source, name)
    if len(records) != 1:
        file = records[0].file if records else name
        raise RecordError("several", f"expected one record, found {len(records)}", file=file)
    return records[0]


def write_records(records: Iterable[Record], form: Format = "json") -> str:
    """Text that `read_records` reads back: JSON for one record, JSON Lines for more; PBN."""
    given = tuple(records)
    if form == "pbn":
        return to_pbn(given)
    return "".join(to_json(record, line=len(given) > 1) for record in given)


def write_record(record: Record, form: Format = "json") -> str:
    """Text that `read_record` reads back."""
    return write_records((record,), form)


def write_any(records: Iterable[AnyRecord], form: Format = "json") -> str:
    """The same for every game; InputError (field "to") for records of Sumgait Driller as PBN, which has no word for
    its jokers, its piles and its kitty."""
    given = tuple(records)
    usual = [record for record in given if isinstance(record, Record)]
    if len(usual) == len(given):
        return write_records(usual, form)
    if form == "pbn":
        raise InputError("format", "expected json for a record of sumgait, found pbn", field="to")
    line = len(given) > 1
    return "".join(
        to_json(record, line=line) if isinstance(record, Record) else sumgait_json(record, line=line)
        for record in given
    )
