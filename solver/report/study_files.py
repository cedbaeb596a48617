"""Files of batch studies: what a study asked, and its rows, deal by deal.

    open_study("run.parquet")    a finished study; or, while it runs, what `run.parquet.parts/` holds of it
    file.study                   what was asked: game, strategies, seed ...
    file.deals()                 the rows of each deal, one a strategy, deals in order

Nothing holds more than some thousand rows: the memory does not grow with the study. Reading needs pyarrow (the extra
`batch`), which is imported when a file is opened. InputError (field "study") for what is no study, of an unknown
schema, damaged, lacks a row or a deal, or tells a floor that cannot be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from tierce.solver.batch.columns import OF_LINES, SCHEMAS, STUDY_KEY
from tierce.solver.batch.studies import Study
from tierce.solver.checks import quoted
from tierce.solver.errors import InputError, shown

__all__ = ["PARTS", "Row", "StudyFile", "open_study", "parse_study"]

_COMPARED: Final = (SCHEMAS["exchange"], SCHEMAS["dealer"])
PARTS: Final = ".parts"  # behind the name of the file: the folder of a study that is not finished
HEADER: Final = "study.json"  # in that folder
_ROWS: Final = 8192  # read at a time
_NUMBERS: Final = ("deal", "floor_d", "floor_e", "floor_m", "own", "balance")
_TEXTS: Final = ("cards", "strategy", "trump", "discard", "error")
_SENT: Final = ("sender", "sent", "returned")  # of an exchange alone


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a strategy in a deal.

    strategy   its place among the study's
    own        the floor of the seat that counts, balance: the same against what it owes; None where there is an error
    choice     the parcels sent; of a dealer his trump and discard
    """

    deal: int
    strategy: int
    own: int | None
    balance: int | None
    choice: str
    error: str | None
    _columns: Mapping[str, Any]
    _at: int

    def told(self, column: str) -> Any:
        """The value of any column that the study has; None of another."""
        return self._columns[column][self._at].as_py() if column in self._columns else None


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study and where its rows stand. `finished`: is all of it there?"""

    study: Study
    files: tuple[Path, ...]
    finished: bool

    def deals(self) -> Iterator[tuple[Row, ...]]:
        """The rows of each deal, in the order of the strategies."""
        last, count, all_ = -1, 0, self.study.deals
        for group in self._groups():
            deal = group[0].deal
            if deal <= last:
                _refuse("order", f"expected deals in order, found deal {deal} after deal {last}")
            last = deal
            count += 1
            if count <= all_:
                yield self._whole(group)
        if count > all_ or (self.finished and count < all_):
            _refuse("rows", f"expected the study's {all_:,} deals, found {count:,}")

    def _groups(self) -> Iterator[list[Row]]:
        """Rows of the same deal, as they follow one another."""
        group: list[Row] = []
        for path in self.files:
            for row in self._rows(path):
                if group and row.deal != group[0].deal:
                    yield group
                    group = []
                group.append(row)
        if group:
            yield group

    def _rows(self, path: Path) -> Iterator[Row]:
        try:
            yield from _rows(path, self.study)
        except FileNotFoundError:
            if self.finished:
                raise
            _refuse("changed", f"expected the parts of the study to stay, found {shown(path.name)} gone: ask again")

    def _whole(self, group: list[Row]) -> tuple[Row, ...]:
        names = self.study.strategies
        by_place = {row.strategy: row for row in group}
        if len(by_place) != len(names) or len(group) != len(names):
            absent = [shown(name) for place, name in enumerate(names) if place not in by_place]
            found = f"none of {absent[0]}" if absent else f"{len(group)} rows"
            _refuse(
                "rows", f"expected a row for each of {len(names)} strategies in deal {group[0].deal}, found {found}"
            )
        return tuple(by_place[place] for place in range(len(names)))


# ---- opening ---------------------------------------------------------------------------------------------------------


def open_study(name: str | Path) -> StudyFile:
    """The study in a file, or in the folder of parts beside the place where the file will be. OSError where there is
    neither, InputError for what is no study."""
    path = Path(name)
    parts = path if path.name.endswith(PARTS) else path.with_name(path.name + PARTS)
    if path.is_dir() or (not path.exists() and parts.is_dir()):
        if parts.is_dir() and (path == parts or not path.exists()):
            return _open_parts(parts)
        _refuse("study", f"expected a Parquet file of 'tierce batch', found the folder {shown(str(path))}")
    return StudyFile(_study_of(path), (path,), True)


def _open_parts(folder: Path) -> StudyFile:
    """Parts by their first deal: their names are the writer's affair, but for the ending."""
    study = parse_study((folder / HEADER).read_bytes())
    found: list[tuple[int, Path]] = []
    for path in folder.glob("*.parquet"):
        if not path.name.startswith(".") and (first := _first_deal(path, study)) is not None:
            found.append((first, path))
    return StudyFile(study, tuple(path for _, path in sorted(found)), False)


def _first_deal(path: Path, study: Study) -> int | None:
    """The number of the first deal; None of a file without rows."""
    with _parquet(path) as file:
        _check_columns(file.schema_arrow, study)
        for batch in file.iter_batches(1, columns=["deal"]):
            for deal in batch.column(0).to_pylist():
                return -1 if deal is None else int(deal)
    return None


def _study_of(path: Path) -> Study:
    with _parquet(path) as file:
        metadata = file.schema_arrow.metadata or {}
    if STUDY_KEY not in metadata:
        _refuse("study", "expected a study that 'tierce batch' wrote, found a Parquet file of something else")
    return parse_study(metadata[STUDY_KEY])


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    """The file, opened; what pyarrow says of a damaged one becomes our error."""
    import pyarrow
    from pyarrow import parquet

    with path.open("rb") as stream:
        try:
            yield parquet.ParquetFile(stream)
        except MemoryError:
            raise
        except (pyarrow.ArrowException, OSError) as error:
            said = (str(error).splitlines() or [type(error).__name__])[0]
            message = f"expected a Parquet file that can be read, found one of which pyarrow says: {said:.200}"
            raise InputError("parquet", message, field="study", file=str(path)) from None


# ---- what was asked --------------------------------------------------------------------------------------------------


def parse_study(data: bytes) -> Study:
    """A study of strategies from its JSON. InputError (field "study")."""
    try:
        study = Study.from_json(data.decode())
    except UnicodeDecodeError:
        _refuse("study", f"expected the study as JSON in UTF-8, found {quoted(data)}")
    except InputError as error:
        raise error.located(field="study") from None
    if study.kind in OF_LINES:
        _refuse("schema", f"expected a study of strategies ({', '.join(_COMPARED)}), found {SCHEMAS[study.kind]}")
    _check(study)
    return study


def _check(study: Study) -> None:
    """Refuse a study of a game that is not known here."""
    try:
        study.profile()
    except ValueError as error:  # of the game, or of its text
        _refuse("game", f"expected a game that is known here, or its text, in the study: {error}")


# ---- rows ------------------------------------------------------------------------------------------------------------


def _rows(path: Path, study: Study) -> Iterator[Row]:
    counted = study.profile().counted
    places = {name: place for place, name in enumerate(study.strategies)}
    names = (*_NUMBERS, *_TEXTS, *(_SENT if study.kind == "exchange" else ()))
    with _parquet(path) as file:
        _check_columns(file.schema_arrow, study)
        for batch in file.iter_batches(_ROWS, columns=list(names)):
            yield from _batch_rows(dict(zip(batch.schema.names, batch.columns, strict=True)), places, study, counted)


def _batch_rows(columns: Mapping[str, Any], places: Mapping[str, int], study: Study, counted: int) -> Iterator[Row]:
    deals, strategies, errors = (columns[name].to_pylist() for name in ("deal", "strategy", "error"))
    owns, balances = columns["own"].to_pylist(), columns["balance"].to_pylist()
    choices = _choices(columns, study)
    for at, deal in enumerate(deals):
        name, own, balance, error = strategies[at], owns[at], balances[at], errors[at]
        if deal is None or name not in places:
            what = "number" if deal is None else "strategy of the study"
            _refuse("rows", f"expected a {what} in each row, found {quoted(deal if deal is None else name)}")
        if error is not None or own is None or balance is None:
            own, balance, error = None, None, error or "no value is told"
        elif not 0 <= own <= counted:
            _refuse("rows", f"expected a floor from 0 to {counted} in each row, found {own} in deal {deal}")
        yield Row(deal, places[name], own, balance, choices[at], error, columns, at)


def _choices(columns: Mapping[str, Any], study: Study) -> list[str]:
    if study.kind == "exchange":
        return [text or "" for text in columns["sent"].to_pylist()]
    pairs = zip(columns["trump"].to_pylist(), columns["discard"].to_pylist(), strict=True)
    return [f"{trump or ''} {discard or ''}" for trump, discard in pairs]


def _check_columns(schema: Any, study: Study) -> None:
    from pyarrow import types

    for name in (*_NUMBERS, *_TEXTS, *(_SENT if study.kind == "exchange" else ())):
        number = name in _NUMBERS
        at = schema.get_field_index(name)
        kind = schema.field(at).type if at >= 0 else None
        if kind is not None and types.is_dictionary(kind):
            kind = kind.value_type
        good = kind is not None and (types.is_integer(kind) if number else _is_text(types, kind))
        if not good:
            what = "whole numbers" if number else "text"
            _refuse("columns", f"expected a column {name} of {what}, found {'none' if kind is None else kind}")


def _is_text(types: Any, kind: Any) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind))


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message, field="study")
