"""JSON lines in and out: one question a line, one answer a line, in the same order.

in   {"id", "deal", "trump", "discard"?, "kitty_first"?, "leader"?, "dealer"?, "side"?, "objective"?, "play"?}
out  {"id", "kind", "tricks": {"D": 8, ...}, "nodes", "millis"}
     {"id", "error": {"code", "field", "message", "line"}}      a line at fault; the rest goes on
     {"id", "kind", "complete": false, "bounds", ...}           a limit came first

A line without a trump has the one that the caller gives for all such lines. The discard is cards or a hand.
An id is text or a number and comes back as it was; a line without one answers to its number, from 1. A field that is
told twice is refused: which of the two was meant nobody knows.
"""

from __future__ import annotations

import json
import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import IO, Any, Literal

from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.batch.many import PAUSE, Pause, solve_many
from tierce.solver.cards import NOTRUMP
from tierce.solver.checks import is_whole
from tierce.solver.errors import InputError, shown
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Limits, Query

__all__ = ["lines_of", "parse_line", "solve_lines"]

LINE_MAX = 10_000  # characters
BYTES_MAX = 4 * LINE_MAX + 2  # more bytes than that are more characters than LINE_MAX, and a line end
_TEXT = ("deal", "trump", "discard", "leader", "dealer", "side", "objective", "play")
_KNOWN = {*_TEXT, "id", "kitty_first"}
_NOTHING = Query(Position((0, 0, 0), NOTRUMP, 0), 1)  # in place of a line at fault: a hand that is over, no search


def lines_of(file: IO[bytes]) -> Iterator[str]:
    """The lines of a file of bytes, as they are read; of a line that is too long, enough to refuse it.

    Bytes that are no UTF-8 become lone surrogates, which `parse_line` refuses.
    """
    while raw := file.readline(BYTES_MAX):
        yield raw.decode("utf-8", "surrogateescape")
        while raw and not raw.endswith(b"\n"):
            raw = file.readline(BYTES_MAX)


def parse_line(text: str, line: int, trump: str | None = None) -> tuple[Any, Query | InputError]:
    """The id of a line (its number, if it has none) and its question, or what is wrong with it; `trump` is that of a
    line without one."""
    ident: Any = line
    try:
        fields = _fields(text)
        ident = _ident(fields, line)
        return ident, _asked(fields, trump).query()
    except InputError as error:
        return ident, error.located(line=line)


class _Fields(dict[str, Any]):
    """A JSON object that knows which of its keys were given more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.repeated = [name for name, times in names.items() if times > 1]


def _repeated(name: str) -> InputError:
    return InputError("duplicate_field", f"expected every field once, found {shown(name)} more than once", field=name)


def _ident(fields: _Fields, line: int) -> str | int | float:
    """The id of a line: what JSON can give back, and nothing that nests."""
    if "id" in fields.repeated:
        raise _repeated("id")
    ident = fields.get("id")
    if ident is None:
        return line
    if isinstance(ident, str) or is_whole(ident) or (isinstance(ident, float) and math.isfinite(ident)):
        return ident
    raise InputError("type", f"expected text or a number in 'id', found {ident!r:.60}", field="id")


def _fields(text: str) -> _Fields:
    text = text.strip().removeprefix("\ufeff")
    if len(text) > LINE_MAX:
        raise InputError("json", f"expected a line of at most {LINE_MAX} characters, found a longer one")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = f"byte 0x{ord(text[error.start]) & 0xFF:02x} at character {error.start + 1}"
        raise InputError("encoding", f"expected UTF-8 text, found {found}") from None
    try:
        fields = json.loads(text, object_pairs_hook=_Fields)
    except (ValueError, RecursionError) as error:
        raise InputError("json", f"expected a JSON object, found {shown(text)} ({error})") from None
    if not isinstance(fields, _Fields):
        raise InputError("json", f"expected a JSON object, found {shown(text)}")
    return fields


def _asked(fields: _Fields, trump: str | None) -> Asked:
    for name in fields.repeated:
        raise _repeated(name)
    for name in fields:
        if name not in _KNOWN:
            raise InputError(
                "field", f"expected the fields {', '.join(sorted(_KNOWN))}, found {shown(name)}", field=name
            )
    if fields.get("trump") is None and trump is not None:
        fields["trump"] = trump
    for name in ("deal", "trump"):
        if fields.get(name) is None:
            raise InputError("missing", f"expected a field {name!r}, found none", field=name)
    given = {name: fields[name] for name in _TEXT if fields.get(name) is not None}
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError("type", f"expected text in {name!r}, found {value!r:.60}", field=name)
    kitty_first = fields.get("kitty_first")
    if kitty_first is None:
        kitty_first = False
    if not isinstance(kitty_first, bool):
        raise InputError(
            "type", f"expected true or false in 'kitty_first', found {kitty_first!r:.60}", field="kitty_first"
        )
    return Asked(**given, kitty_first=kitty_first)


def solve_lines(
    lines: Iterable[str | Literal[Pause.PAUSE]],
    *,
    trump: str | None = None,
    threads: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
    limits: Limits = NO_LIMITS,
) -> Iterator[Json]:
    """Answer lines lazily and in order; empty lines are passed over, `trump` is that of lines without one.

    `lines` may yield PAUSE where it may have to wait: all lines before it are answered before it is asked for more.
    See solve_many for the rest.
    """
    asked: deque[tuple[Any, Query | InputError]] = deque()

    def queries() -> Iterator[Query | Literal[Pause.PAUSE]]:
        number = 0
        for text in lines:
            if text is PAUSE:
                yield PAUSE
                continue
            number += 1
            if not text.strip():
                continue
            asked.append(parse_line(text, number, trump))
            query = asked[-1][1]
            yield query if isinstance(query, Query) else _NOTHING

    for result in solve_many(queries(), threads=threads, table_mb=table_mb, limits=limits):
        ident, query = asked.popleft()
        if isinstance(query, Query):
            answer = result_json(query, result)
            yield {"id": ident} | {name: answer[name] for name in _OUT if name in answer}
        else:
            yield _error_json(ident, query)


_OUT = ("kind", "tricks", "complete", "bounds", "nodes", "millis")


def _error_json(ident: Any, error: InputError) -> Json:
    return {
        "id": ident,
        "error": {"code": error.code, "field": error.field, "message": error.message, "line": error.line},
    }
