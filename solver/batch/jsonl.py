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

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO, Any, Literal, TypeAlias

from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.batch.fields import LINE_MAX, Fields, check_fields, error_json, fields_of, ident_of
from tierce.solver.batch.many import PAUSE, Pause, solve_many
from tierce.solver.cards import NOTRUMP
from tierce.solver.errors import InputError
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Limits, Query
from tierce.solver.results import Floors, SideResult

__all__ = ["lines_of", "parse_line", "solve_lines"]

BYTES_MAX = 4 * LINE_MAX + 2  # more bytes than that are more characters than LINE_MAX, and a line end
Queries: TypeAlias = Iterable[Query | Position | Literal[Pause.PAUSE]]

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
        fields = fields_of(text)
        ident = ident_of(fields, line)
        return ident, _asked(fields, trump).query()
    except InputError as error:
        return ident, error.located(line=line)


def _asked(fields: Fields, trump: str | None) -> Asked:
    check_fields(fields, _KNOWN)
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
    solve: Callable[[Queries], Iterator[SideResult | Floors]] | None = None,
) -> Iterator[Json]:
    """Answer lines lazily and in order; empty lines are passed over, `trump` is that of lines without one.

    solve   what answers the questions in place of solve_many, with limits of its own

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

    if solve is None:
        solve = partial(solve_many, threads=threads, table_mb=table_mb, limits=limits)
    for result in solve(queries()):
        ident, query = asked.popleft()
        if isinstance(query, Query):
            answer = result_json(query, result)
            yield {"id": ident} | {name: answer[name] for name in _OUT if name in answer}
        else:
            yield error_json(ident, query)


_OUT = ("kind", "tricks", "complete", "bounds", "nodes", "millis")
