"""The dealer's choices as text: calls, and a call with a discard or a swap."""

from __future__ import annotations

from typing import Final

from tierce.solver.advice.choices import Choice, DealerChoices
from tierce.solver.cards import STRAIN_LETTERS, Mask, format_hand, mask_of, parse_cards, parse_hand, parse_trump
from tierce.solver.errors import InputError, shown

__all__ = ["calls_of", "chosen_of", "chosen_parts", "chosen_text"]

_EXAMPLE: Final = "'S: H8 H7 CQ C4', 'S: .87..Q4', 'S', 'S: swap' or 'S: no swap'"
_SWAPS: Final = {"swap": True, "no swap": False}


def calls_of(text: str) -> tuple[str, ...]:
    """Calls, with commas or blanks between. InputError (field "calls")."""
    calls = tuple(_call(word, "calls") for word in text.replace(",", " ").split())
    if not calls:
        raise InputError("calls", f"expected calls such as 'H,N,MIZ', found {shown(text)}", field="calls")
    return calls


def _call(text: str, field: str) -> str:
    """S H D C N or MIZ."""
    if text.strip().upper() in ("MIZ", "MISERE"):
        return "MIZ"
    try:
        return STRAIN_LETTERS[parse_trump(text.strip(), field=field)]
    except InputError as error:
        message = error.message.replace("a trump S, H, D, C or N", "one of S, H, D, C, N and MIZ")
        raise InputError(error.code, message, field=field) from None


def chosen_parts(text: str) -> tuple[str, Mask | bool | None]:
    """A choice as typed: the call; a discard, swap or no swap, or None. InputError (field "chosen")."""
    head, colon, rest = text.partition(":")
    call = _call(head, "chosen")
    rest = " ".join(rest.split())
    if not colon:
        return call, None
    if rest.lower() in _SWAPS:
        return call, _SWAPS[rest.lower()]
    if "." in rest:
        return call, parse_hand(rest, field="chosen")
    cards = mask_of(parse_cards(rest, field="chosen"))
    if not cards:
        raise InputError("chosen", f"expected a choice such as {_EXAMPLE}, found {shown(text)}", field="chosen")
    return call, cards


def chosen_of(text: str, choices: DealerChoices) -> tuple[str, Choice]:
    """A choice as typed, one of those open. InputError (field "chosen")."""
    call, rest = chosen_parts(text)
    if rest is None and choices.count:
        message = f"expected a discard after the trump, as in 'S: H8 H7 CQ C4', found {shown(text)}"
        raise InputError("choice", message, field="chosen")
    choice = Choice(swap=rest) if isinstance(rest, bool) else Choice(rest or 0)
    try:
        choices.check(call, choice)
    except InputError as error:
        raise error.located(field="chosen") from None
    return call, choice


def chosen_text(call: str, choice: Choice) -> str:
    """A choice as it may be typed."""
    if choice.swap is not None:
        return f"{call}: {'swap' if choice.swap else 'no swap'}"
    return f"{call}: {format_hand(choice.discard)}" if choice.discard else call
