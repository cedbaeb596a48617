"""`tierce hint --batch`: JSON lines in, JSON lines out."""

from __future__ import annotations

from typing import Any

from tierce.cli.commands.hint import search_of
from tierce.cli.feed import answer_lines
from tierce.cli.hint_asking import checked
from tierce.solver.asking import Json
from tierce.solver.batch.fields import Fields, error_json, fields_of, ident_of
from tierce.solver.errors import InputError, shown
from tierce.solver.hints.view_json import read_view


def batch(given: dict[str, Any]) -> int:
    """Answer every line. Exit code: the worst that happened to one."""
    return answer_lines(given["batch"], lambda text, number: _answer(text, number, given))


def _answer(text: str, line: int, given: dict[str, Any]) -> tuple[Json, bool]:
    """The answer to a line, or what is wrong with it; no limit stops a hint."""
    ident: Any = line
    try:
        fields = fields_of(text)
        ident = ident_of(fields, line)
        _refuse_repeated(fields)
        view = checked(read_view({name: value for name, value in fields.items() if name != "id"}))
        found = search_of(view, given).run()
    except InputError as error:
        return error_json(ident, error.located(line=line)), False
    return {"id": ident} | found.json(given["top"]), False


def _refuse_repeated(value: Any) -> None:
    """InputError for a field that is told twice, at any depth."""
    if isinstance(value, Fields) and value.repeated:
        name = value.repeated[0]
        message = f"expected every field once, found {shown(name)} more than once"
        raise InputError("duplicate_field", message, field=name)
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _refuse_repeated(each)
