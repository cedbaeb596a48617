"""The columns of a study's table: the one place from which its schema, the help of the commands and the checks come.

    schema_of("exchange", about)      an Arrow schema; `about`, JSON, is its metadata under STUDY_KEY

Seats are the letters D E M, cards are names ("H7 C2"), hands and deals as tierce.solver.deal writes them. Tricks are as
they count in the game: a kitty that is a trick is the dealer's. A row that has an error lacks what came after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

__all__ = [
    "COLUMNS",
    "OF_LINES",
    "SCHEMAS",
    "STUDY_KEY",
    "Column",
    "Kind",
    "Row",
    "columns_help",
    "schema_of",
    "table_of",
]

Kind: TypeAlias = Literal["exchange", "dealer", "solve", "contracts"]
Row: TypeAlias = tuple[Any, ...]

OF_LINES: Final = ("solve", "contracts")  # kinds without strategies: a row a line of a file

STUDY_KEY: Final = b"tierce.study"

# Named in the metadata: raised when a column is taken away, renamed or gets another meaning.
SCHEMAS: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        "exchange": "tierce-exchange-study-1",
        "dealer": "tierce-dealer-study-1",
        "solve": "tierce-solve-1",
        "contracts": "tierce-contracts-1",
    }
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: int64, int8 or string, and what it holds."""

    name: str
    type: str
    about: str


_DEAL: Final = (
    Column("deal", "int64", "number of the deal, from 0"),
    Column("cards", "string", "the deal before any choice"),
    Column("strategy", "string", "the strategy's name"),
)
_SENT: Final = (
    Column("sender", "string", "the seat whose parcels are studied"),
    Column("sent", "string", "its parcels: 'E:H7 D:C2 C3'"),
    Column("returned", "string", "what came back, in the same form"),
)
_PLAYED: Final = (
    Column("trump", "string", "S H D C"),
    Column("discard", "string", "what the dealer laid away, as a hand"),
    Column("floor_d", "int8", "the dealer's floor"),
    Column("floor_e", "int8", "eldest's floor"),
    Column("floor_m", "int8", "middle's floor"),
)
_ERROR: Final = Column("error", "string", "what went wrong; else null")
_LINE: Final = (
    Column("line", "int64", "number of the line, from 1; empty ones count"),
    Column("id", "string", "the line's id as JSON; its number from 1 if it has none"),
)
_NODES: Final = Column("nodes", "int64", "starts of tricks searched")

COLUMNS: Final[Mapping[Kind, tuple[Column, ...]]] = MappingProxyType(
    {
        "exchange": (
            *_DEAL,
            *_SENT,
            *_PLAYED,
            Column("own", "int8", "the sender's floor"),
            Column("balance", "int8", "that over the sender's quota"),
            _ERROR,
        ),
        "dealer": (
            *_DEAL,
            *_PLAYED,
            Column("own", "int8", "the dealer's floor, once more"),
            Column("balance", "int8", "that over his quota"),
            _ERROR,
        ),
        "solve": (
            *_LINE,
            Column("kind", "string", "floor, cap or side"),
            Column("tricks_d", "int8", "of three hands, where no side is told: the dealer's"),
            Column("tricks_e", "int8", "eldest's"),
            Column("tricks_m", "int8", "middle's"),
            Column("side", "string", "the side that was told, or NS of four hands"),
            Column("tricks", "int8", "that side's"),
            _NODES,
            _ERROR,
        ),
        "contracts": (
            *_LINE,
            Column("cards", "string", "the deal"),
            Column("dealer", "string", "N E S W"),
            Column("trump", "string", "suit of the card turned up"),
            Column("turned", "string", "that card, if it was told"),
            Column("prop_cop", "string", "pairs that make it: 'NE NS'; '' for none"),
            Column("solo", "string", "seats that make it"),
            Column("misere", "string", "... and Misère Ouverte, the same where all hands are seen"),
            Column("abundance", "string", "seats, each with the trumps that make it: 'N:SH'"),
            Column("abundance_in_trumps", "string", "seats"),
            Column("abundance_declared", "string", "seats, each with the trumps (N: none): 'N:N'"),
            *(Column(f"bid_{seat}", "string", f"the dearest bid that {seat.upper()} makes") for seat in "nesw"),
            Column("highest", "string", "the highest bid that somebody makes"),
            Column("units", "int8", "its units"),
            _NODES,
            _ERROR,
        ),
    }
)


def columns_help(kind: Kind, columns: int = 78) -> str:
    """The columns as lines for people."""
    width = max(len(each.name) for each in COLUMNS[kind]) + 2
    found = []
    for each in COLUMNS[kind]:
        first, *rest = wrap(each.about, columns - width - 2)
        found.append(f"  {each.name.ljust(width)}{first}")
        found += [" " * (width + 2) + line for line in rest]
    return "\n".join(found)


def schema_of(kind: Kind, about: str) -> Any:
    """The Arrow schema (pyarrow.Schema)."""
    import pyarrow as pa

    types = {"int64": pa.int64(), "int8": pa.int8(), "string": pa.string()}
    fields = [pa.field(each.name, types[each.type], metadata={"about": each.about}) for each in COLUMNS[kind]]
    return pa.schema(fields, metadata={STUDY_KEY: about.encode()})


def table_of(schema: Any, rows: Sequence[Row]) -> Any:
    """Rows as an Arrow table (pyarrow.Table)."""
    import pyarrow as pa

    found = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(found, schema, strict=True)]
    return pa.table(arrays, schema=schema)
