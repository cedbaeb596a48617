"""Checks of what comes from outside, for the rooms above the engine: the right type first, then the range.

Numbers of the wrong type (3.5, NaN, True, "3", None) are input at fault like any other: InputError with code, field,
expectation and what was found. An object of a wholly wrong type, such as text in place of a Position, is a TypeError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard, TypeVar

from tierce.solver.errors import SHOWN_MAX, InputError

__all__ = ["as_tuple", "check_type", "check_whole", "is_number", "is_whole", "quoted"]

T = TypeVar("T")


def quoted(found: object) -> str:
    """Return what was found as a message shows it; an int of thousands of digits and the like by its type."""
    try:
        text = repr(found)
    except Exception:
        return f"something of type {type(found).__name__}"
    return text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "..."


def is_whole(found: object) -> TypeGuard[int]:
    """Is this a whole number? Not True or False, which Python counts among them."""
    return isinstance(found, int) and not isinstance(found, bool)


def as_tuple(found: object) -> tuple[Any, ...] | None:
    """A sequence as a tuple, which nobody changes and everybody can hash; None for text and what is no sequence."""
    if isinstance(found, tuple):
        return found
    return tuple(found) if isinstance(found, Sequence) and not isinstance(found, str | bytes) else None


def is_number(found: object) -> TypeGuard[float]:
    """Is this a float or a whole number?"""
    return isinstance(found, float) or is_whole(found)


def check_whole(found: object, low: int, high: int, expected: str, field: str, *, code: str = "") -> None:
    """Refuse what is no whole number from `low` to `high`; the code is the field unless told."""
    if not (is_whole(found) and low <= found <= high):
        raise InputError(code or field, f"expected {expected}, found {quoted(found)}", field=field)


def check_type(found: object, kind: type[T], name: str) -> None:
    """Raise TypeError if `found` is of another kind."""
    if not isinstance(found, kind):
        raise TypeError(f"expected {name}, found {quoted(found)}")
