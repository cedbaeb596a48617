"""A line of JSON as fields: an object, no key twice, with an id that comes back; or what is wrong with it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection
from typing import Any

from tierce.solver.asking import Json
from tierce.solver.checks import is_whole
from tierce.solver.errors import InputError, shown

__all__ = ["LINE_MAX", "Fields", "check_fields", "error_json", "fields_of", "ident_of"]

LINE_MAX = 10_000  # characters


class Fields(dict[str, Any]):
    """A JSON object that knows which of its keys were given more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = Counter(name for name, _ in pairs) if len(self) < len(pairs) else {}
        self.repeated = [name for name, times in names.items() if times > 1]


def repeated_field(name: str) -> InputError:
    """The error for a field told twice."""
    return InputError("duplicate_field", f"expected every field once, found {shown(name)} more than once", field=name)


def ident_of(fields: Fields, line: int) -> str | int | float:
    """The id of a line: what JSON can give back, and nothing that nests."""
    if "id" in fields.repeated:
        raise repeated_field("id")
    ident = fields.get("id")
    if ident is None:
        return line
    if isinstance(ident, str) or is_whole(ident) or (isinstance(ident, float) and math.isfinite(ident)):
        return ident
    raise InputError("type", f"expected text or a number in 'id', found {ident!r:.60}", field="id")


def fields_of(text: str) -> Fields:
    """Read a line. InputError (code "json" or "encoding")."""
    text = text.strip().removeprefix("\ufeff")
    if len(text) > LINE_MAX:
        raise InputError("json", f"expected a line of at most {LINE_MAX} characters, found a longer one")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = f"byte 0x{ord(text[error.start]) & 0xFF:02x} at character {error.start + 1}"
        raise InputError("encoding", f"expected UTF-8 text, found {found}") from None
    try:
        fields = json.loads(text, object_pairs_hook=Fields)
    except (ValueError, RecursionError) as error:
        raise InputError("json", f"expected a JSON object, found {shown(text)} ({error})") from None
    if not isinstance(fields, Fields):
        raise InputError("json", f"expected a JSON object, found {shown(text)}")
    return fields


def check_fields(fields: Fields, known: Collection[str]) -> None:
    """Refuse fields that are not known, or told twice. InputError naming the field."""
    for name in fields.repeated:
        raise repeated_field(name)
    for name in fields:
        if name not in known:
            message = f"expected the fields {', '.join(sorted(known))}, found {shown(name)}"
            raise InputError("field", message, field=name)


def error_json(ident: Any, error: InputError) -> Json:
    """The answer to a line at fault."""
    return {
        "id": ident,
        "error": {"code": error.code, "field": error.field, "message": error.message, "line": error.line},
    }
