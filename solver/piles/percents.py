"""Chances in percent."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

__all__ = ["percent_text"]

_MOST: Final = 4  # decimals
_SURE: Final = 1e-9  # so near to 0 or 1 a number is that but for rounding


def percent_text(part: float | Fraction, places: int = 1) -> str:
    """A chance in percent, such as `97.3%`: with more decimals, or a bound, where so few would say 0 or 100 of one that
    is neither."""
    number = float(part)
    sure = part in (0, 1) if isinstance(part, Fraction) else min(abs(number), abs(1 - number)) < _SURE
    while not sure and places < _MOST and _is_end(f"{100 * number:.{places}f}"):
        places += 1
    text = f"{100 * number:.{places}f}"
    if sure or not _is_end(text):
        return f"{text}%"
    least = 10**-_MOST
    return f"<{least:.{_MOST}f}%" if number < 0.5 else f">{100 - least:.{_MOST}f}%"


def _is_end(text: str) -> bool:
    return float(text) in (0, 100)
