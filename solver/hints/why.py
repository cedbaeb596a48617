"""A hint in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import SUIT_NAMES, card_name, card_names
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.hints.objectives import By
from tierce.solver.hints.results import Hint

__all__ = ["said", "why_of"]


def why_of(found: Hint) -> str:
    """A sentence."""
    best = said(found.best.actions)
    if found.forced:
        return f"{best} is the only card that may be played."
    if found.method == "rule":
        return f"{best} by the rules of thumb; no world was looked at."
    if len(found.options) == 1 or found.margin is None:
        return f"All cards that may be played come to the same as {best}."
    other = said(found.options[1].actions)
    unit = {"tricks": "tricks", "quota": "chance of the quota", "twelve": "chance of winning", "utility": "points"}
    gap = found.margin
    if found.method == "ending":
        where = f"exactly, over the {found.worlds:,} layouts that are left, against others who see all cards"
        if not gap.value:
            return f"{best} and {other} are equal, {where}."
        return f"{best} is {_number(gap, found.by)} {unit[found.by]} better than {other}, {where}."
    if gap.value <= 0:
        return f"{best} and {other} were equal in {found.worlds:,} worlds."
    sure = "" if found.told_apart else ", which may be chance"
    return f"{best} was {_number(gap, found.by)} {unit[found.by]} better than {other} in {found.worlds:,} worlds{sure}."


def _number(gap: Figure, by: By) -> str:
    """A lead with its standard error, chances in per cent."""
    scale, places = (1, 2) if by in ("tricks", "utility") else (100, 0)
    error = f" ±{scale * gap.error:.{places}f}" if gap.error else ""
    return f"{scale * gap.value:.{places}f}{error}{'' if scale == 1 else ' %'}"


def said(actions: Sequence[Action]) -> str:
    """A choice in words."""
    parts = []
    for action in actions:
        match action:
            case Play():
                parts.append(card_name(action.card))
            case NameTrump():
                parts.append(SUIT_NAMES[action.trump])
            case Call():
                parts.append(f"the call {action.call}")
            case Discard():
                parts.append(f"{card_names(action.cards)} laid away")
            case Send():
                parts.append(f"{card_names(action.cards)} to {'DEM'[action.to]}")
            case Bid():
                parts.append("a pass" if action.tricks is None else f"a bid of {action.tricks}")
            case Swap():
                parts.append("to take the up-card" if action.take else "to leave the up-card")
    return ", ".join(parts)
