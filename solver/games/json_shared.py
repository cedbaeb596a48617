"""What records in JSON share, whatever the game: the layout of what is written, and a reader of values that says where.

Reading is strict: unknown fields, wrong types and a newer version are refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from tierce.solver.checks import is_whole, quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.options import OPTIONS
from tierce.solver.games.record import check_name

__all__ = ["VERSION", "Json", "JsonReader", "laid_out", "player_of"]

VERSION: Final = 1
_NUMBER_MAX: Final = 10**6  # of points and tricks: far beyond any match
_WIDTH: Final = 100  # columns, from which a value is broken over lines

Json = dict[str, Any]


def laid_out(value: Any, indent: str = "") -> str:
    """JSON text, broken over lines where it would be too long for one."""
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or (indent and len(indent) + len(text) <= _WIDTH):
        return text
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {laid_out(each, deeper)}" for name, each in value.items()]
    else:
        parts = [laid_out(each, deeper) for each in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f",\n{deeper}".join([f"{opening}\n{deeper}{parts[0]}", *parts[1:]]) + f"\n{indent}{closing}"


def player_of(value: Any, letters: str) -> int | str:
    """A player's number; in words what was expected where it is none. Of four hands the letter of the seat, which is
    the player's for the whole match, does as well.

    letters   of the game's seats
    """
    four = len(letters) == 4
    if four and isinstance(value, str) and len(value) == 1 and value in letters:
        return letters.index(value)
    if is_whole(value) and value in range(len(letters)):
        return int(value)
    return "a player 0, 1, 2 or 3 (N, E, S or W)" if four else "a player 0, 1 or 2"


class JsonReader:
    """Reads values of one record; `at` and `deal_number` say where it is.

    typed   options have the types of JSON; text in place of a number or of true is refused
    """

    def __init__(self, file: str, line: int | None, *, typed: bool) -> None:
        self.file = file
        self.line = line
        self.typed = typed
        self.at: str | None = None
        self.deal_number: int | None = None

    def _in(self, field: str, reader: Callable[[Any], Any], value: Any) -> Any:
        self.at = field
        return reader(value)

    def _refuse(self, code: str, message: str) -> NoReturn:
        raise InputError(code, message, field=self.at)

    def _object(
        self, value: Any, names: Sequence[str] | None, needed: Sequence[str] = (), *, newest: bool = False
    ) -> Mapping[str, Any]:
        """An object with these fields and no other; None: with any."""
        if not isinstance(value, dict):
            self._refuse("wrong_type", f"expected an object, found {quoted(value)}")
        if newest:
            self._check_version(value)
        unknown = next((name for name in value if names is not None and name not in names), None)
        if unknown is not None:
            self._refuse("unknown_field", f"expected the fields {', '.join(names or ())}, found {shown(unknown)}")
        missing = next((name for name in needed if name not in value), None)
        if missing is not None:
            self._refuse("missing", f"expected a field {missing!r}, found none")
        return value

    def _check_version(self, value: Json) -> None:
        version = value.get("tierce_record")
        self.at = "tierce_record"
        if is_whole(version) and version > VERSION:
            self._refuse("newer_version", f"expected a record of version {VERSION}, found the newer {quoted(version)}")
        if not is_whole(version) or version != VERSION:
            found = quoted(version) if "tierce_record" in value else "none"
            self._refuse("version", f'expected "tierce_record": {VERSION}, found {found}')
        self.at = None

    def _options(self, value: Any) -> Mapping[str, Any]:
        options = self._object(value, None)
        for name, each in options.items():
            option = OPTIONS.get(name)
            if self.typed and isinstance(each, str) and option and (option.boolean or isinstance(option.values, range)):
                kind = "true or false" if option.boolean else "a number"
                self._refuse("wrong_type", f"expected {kind} for {name}, found the text {quoted(each)}")
        return options

    def _names(self, value: Any, size: int) -> tuple[str, ...]:
        return tuple(check_name(self._text(each)) for each in self._list(value, size))

    def _list(self, value: Any, size: int | None = None) -> list[Any]:
        if not isinstance(value, list) or size not in (None, len(value)):
            expected = "a list" if size is None else f"a list of {size}"
            self._refuse("wrong_type", f"expected {expected}, found {quoted(value)}")
        return value

    def _text(self, value: Any) -> str:
        if not isinstance(value, str):
            self._refuse("wrong_type", f"expected text, found {quoted(value)}")
        return value

    def _flag(self, value: Any) -> bool:
        if not isinstance(value, bool):
            self._refuse("wrong_type", f"expected true or false, found {quoted(value)}")
        return value

    def _number(self, value: Any, expected: str = "a whole number") -> int:
        if not is_whole(value) or abs(value) > _NUMBER_MAX:
            self._refuse("wrong_type", f"expected {expected}, found {quoted(value)}")
        return value

    def _choice(self, value: Any, choices: Sequence[str], said: Sequence[str] = ()) -> str:
        """One of the choices; `said` are those that make sense here, the rules refuse the others."""
        if not isinstance(value, str) or value not in choices:
            self._refuse("wrong_type", f"expected one of {' '.join(said or choices)}, found {quoted(value)}")
        return value
