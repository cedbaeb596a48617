"""How the rules refuse: one error, with the rule's code, what was expected and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from tierce.solver.cards import Mask, card_name, card_names
from tierce.solver.errors import InputError

__all__ = ["NAMES", "SEATS", "card_text", "cards_text", "check_turn", "refuse", "seat_text"]

SEATS: Final = "DEM"
NAMES: Final = ("the dealer", "eldest", "middle")  # in messages, where D is also a suit


def refuse(code: str, message: str, field: str) -> NoReturn:
    raise InputError(code, message, field=field)


def check_turn(seat: int, found: int, field: str, names: Sequence[str] = NAMES) -> None:
    if found != seat:
        refuse("wrong_turn", f"expected {names[seat]}, found {seat_text(found, names)}", field)


def seat_text(seat: object, names: Sequence[str] = NAMES) -> str:
    return names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else repr(seat)[:60]


def card_text(card: object) -> str:
    try:
        return card_name(card)  # type: ignore[arg-type]
    except (InputError, TypeError, ValueError, IndexError):
        return repr(card)[:60]


def cards_text(cards: Mask) -> str:
    return (card_names(cards) or "what is no card") if cards else "none"
