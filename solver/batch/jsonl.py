"""JSON lines in and out: one question a line, one answer a line, in the same order.

in   {"id", "deal", "trump", "discard"?, "kitty_first"?, "leader"?, "dealer"?, "side"?, "objective"?, "play"?}
out  {"id", "kind", "tricks": {"D": 8, ...}, "nodes", "millis"}
     {"id", "error": {"code", "field", "message", "line"}}      a line at fault; the rest goes on
     {"id", "kind", "complete": false, "bounds", ...}           a limit came first
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.batch.many import solve_many
from tierce.solver.errors import InputError, shown
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Limits, Query

__all__ = ["parse_line", "solve_lines"]

LINE_MAX = 10_000  # characters
_TEXT = ("deal", "trump", "discard", "leader", "dealer", "side", "objective", "play")
_KNOWN = {*_TEXT, "id", "kitty_first"}


def parse_line(text: str, line: int) -> tuple[Any, Query | InputError]:
    """The id of a line (its number, if it has none) and its question, or what is wrong with it."""
    ident: Any = line
    try:
        fields = _fields(text)
        ident = fields.get("id", line)
        return ident, _asked(fields).query()
    except InputError as error:
        return ident, error.located(line=line)


def _fields(text: str) -> Json:
    if len(text) > LINE_MAX:
        raise InputError("json", f"expected a line of at most {LINE_MAX} characters, found {len(text)}")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("json", f"expected a JSON object, found {shown(text.strip())} ({error})") from None
    if not isinstance(fields, dict):
        raise InputError("json", f"expected a JSON object, found {shown(text.strip())}")
    return fields


def _asked(fields: Json) -> Asked:
    for name in fields:
        if name not in _KNOWN:
            raise InputError(
                "field", f"expected the fields {', '.join(sorted(_KNOWN))}, found {shown(name)}", field=name
            )
    for name in ("deal", "trump"):
        if fields.get(name) is None:
            raise InputError("missing", f"expected a field {name!r}, found none", field=name)
    given = {name: fields[name] for name in _TEXT if fields.get(name) is not None}
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError("type", f"expected text in {name!r}, found {value!r:.60}", field=name)
    kitty_first = fields.get("kitty_first", False)
    if not isinstance(kitty_first, bool):
        raise InputError(
            "type", f"expected true or false in 'kitty_first', found {kitty_first!r:.60}", field="kitty_first"
        )
    return Asked(**given, kitty_first=kitty_first)


def solve_lines(
    lines: Iterable[str],
    *,
    threads: int | None = None,
    table_mb: int = DEFAULT_TABLE_MB,
    limits: Limits = NO_LIMITS,
) -> Iterator[Json]:
    """Answer lines lazily and in order; empty lines are passed over. See solve_many for the rest."""
    asked: deque[tuple[Any, Query | InputError]] = deque()

    def queries() -> Iterator[Query]:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            asked.append(parse_line(text, number))
            query = asked[-1][1]
            if isinstance(query, Query):
                yield query

    for result in solve_many(queries(), threads=threads, table_mb=table_mb, limits=limits):
        while isinstance(asked[0][1], InputError):
            yield _error_json(*asked.popleft())
        ident, query = asked.popleft()
        assert isinstance(query, Query)
        answer = result_json(query, result)
        yield {"id": ident} | {name: answer[name] for name in _OUT if name in answer}
    for ident, error in asked:
        yield _error_json(ident, error)


_OUT = ("kind", "tricks", "complete", "bounds", "nodes", "millis")


def _error_json(ident: Any, error: Query | InputError) -> Json:
    assert isinstance(error, InputError)
    return {
        "id": ident,
        "error": {"code": error.code, "field": error.field, "message": error.message, "line": error.line},
    }
