"""Cards by seat as they are typed: `E:H7 M:C2 C3`, or as hands, `E:.7..`."""

from __future__ import annotations

import re
from typing import Final

from tierce.solver.cards import Mask, mask_of, parse_cards, parse_hand
from tierce.solver.errors import InputError, shown

__all__ = ["cards_by_seat"]

_SEATS: Final = "DEM"
_SEAT: Final = re.compile(r"[\s,]*([A-Za-z])\s*:([^:]*?)(?=(?:[\s,]+[A-Za-z]\s*:)|[\s,]*$)")


def cards_by_seat(text: str, seats: str = _SEATS, *, field: str = "exchange") -> dict[int, Mask]:
    """Cards for some of these seats, each once: 0 dealer, 1 eldest, 2 middle. InputError."""
    found: dict[int, Mask] = {}
    at = 0
    while text[at:].strip(" ,"):
        match = _SEAT.match(text, at)
        name = match[1].upper() if match else ""
        cards = _cards(match[2], field) if match and name in seats else 0
        if match is None or not cards or _SEATS.index(name) in found:
            example = f"{seats[0]}:H7 {seats[-1]}:C2 C3"
            message = (
                f"expected cards by seat ({' '.join(seats)}), each seat once, such as '{example}', found {shown(text)}"
            )
            raise InputError("exchange", message, field=field)
        found[_SEATS.index(name)] = cards
        at = match.end()
    if not found:
        raise InputError(
            "exchange", f"expected cards by seat such as '{seats[0]}:H7', found {shown(text)}", field=field
        )
    return found


def _cards(text: str, field: str) -> Mask:
    return parse_hand(text.strip(), field=field) if "." in text else mask_of(parse_cards(text, field=field))
