"""Values of options: what can be judged without a deal is judged here, and refused as wrong usage."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from tierce.solver.cards import parse_seat, parse_side, parse_trump
from tierce.solver.errors import InputError, shown

_DIGITS: Final = {int: re.compile(r"[+-]?[0-9]+"), float: re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?")}
_LONGEST: Final = 40  # characters of a number; beyond that Python has limits of its own

Check = Callable[[click.Context, click.Parameter, str | None], str | None]


if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # of older versions takes no parameter


class Number(_Type):
    """A number from `low` to `high`, in plain digits: click's own take `1_0` and `٣`, and its ranges fill the help."""

    def __init__(self, kind: type[int] | type[float], low: float, high: float = math.inf) -> None:
        self.kind = kind
        self.low = low
        self.high = high
        self.name = "integer" if kind is int else "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read what was typed; a default passes as it is."""
        if not isinstance(value, str):
            return value
        text = value.strip().lower()
        if len(text) > _LONGEST or not _DIGITS[self.kind].fullmatch(text):
            what = "a whole number" if self.kind is int else "a number"
            self.fail(f"expected {what} in digits, found {shown(value)}", param, ctx)
        number = self.kind(text)
        if not self.low <= number <= self.high:
            bounds = f"{self.low} or more" if self.high == math.inf else f"from {self.low} to {self.high}"
            self.fail(f"expected {bounds}, found {text}", param, ctx)
        return number


class FileName(click.Path):
    """The name of a file, or `-`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse the name that a shell makes of a variable without a value."""
        if value == "":
            self.fail("expected the name of a file, found ''", param, ctx)
        return super().convert(value, param, ctx)


def judged(read: Callable[[str], object]) -> Check:
    """The callback of an option whose text `read` understands for some deal; what it refuses is wrong usage."""

    def check(context: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            try:
                read(value)
            except InputError as error:
                raise click.BadParameter(error.message, ctx=context, param=param) from None
        return value

    return check


def _some_seat(text: str) -> None:
    for hands in (3, 4):
        try:
            parse_seat(text, hands)
            return
        except InputError:
            continue
    message = f"expected a seat D, E or M of three hands, N, E, S or W of four, found {shown(text)}"
    raise InputError("seat", message)


def _some_side(text: str) -> None:
    for hands in (3, 4):
        try:
            parse_side(text, hands)
            return
        except InputError:
            continue
    message = f"expected some but not all of the seats D E M or N E S W, each once, found {shown(text)}"
    raise InputError("side", message)


trump = judged(parse_trump)
seat = judged(_some_seat)
side = judged(_some_side)
