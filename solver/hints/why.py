"""A hint in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import NOTRUMP, SUIT_NAMES, card_name, card_names
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.games.contracts import contract_title
from tierce.solver.hints.objectives import By
from tierce.solver.hints.results import Hint

__all__ = ["said", "why_of"]

_UNITS: Final[Mapping[By, str]] = {"tricks": "tricks", "utility": "points", "units": "units"}
_CHANCES: Final[Mapping[By, str]] = {"quota": "making the quota", "twelve": "winning", "made": "making the contract"}


def why_of(found: Hint) -> str:
    """A sentence."""
    sentence = _sentence(found)
    return sentence[0].upper() + sentence[1:]


def _sentence(found: Hint) -> str:
    best = said(found.best.actions)
    if found.forced:
        return f"{best} is the only card that may be played."
    if found.method == "rule":
        return f"{best} by the rules of thumb; no world was looked at."
    if len(found.options) == 1 or found.margin is None:
        return f"All cards that may be played come to the same as {best}." if found.what == "card" else f"{best}."
    exact = found.method == "ending"
    where = f"in {found.worlds:,} worlds"
    if exact:
        seeing = "all cards seen" if found.side else "against others who see all cards"
        where = f"exactly, over the {found.worlds:,} layouts that are left, {seeing}"
    gap = _gap(found.margin, found.by)
    other = said(found.options[1].actions)
    if gap is None and found.what == "bid" and found.margin.value < 0:  # bidding.CAUTION
        behind = _gap(Figure(-found.margin.value, found.margin.error), found.by)
        what = _UNITS.get(found.by, "percentage points")
        return f"{best}: {other} was worth {behind} {what} more {where}, which is too unsure to bid it."
    if gap is None:
        return f"{best} and {other} {'are' if exact else 'were'} equal{',' if exact else ''} {where}."
    verb, comma = ("is", ",") if exact else ("was", "")
    sure = "" if exact or found.told_apart else ", which may be chance"
    unit = _UNITS.get(found.by)
    if unit:
        return f"{best} {verb} {gap} {unit} better than {other}{comma} {where}{sure}."
    what = "beating the contract" if found.side == "defenders" else _CHANCES[found.by]
    what += " that comes of it, or beating it," if found.what == "bid" else ""
    return f"{best}: the chance of {what} {verb} {gap} percentage points higher than with {other}{comma} {where}{sure}."


def _gap(lead: Figure, by: By) -> str | None:
    """A lead with its standard error, chances in per cent; None if there is none."""
    scale, places = (1, 2) if by in _UNITS else (100, 0)
    value = f"{scale * lead.value:.{places}f}"
    if lead.value <= 0:
        return None
    if not float(value):
        return "less than 0.01" if scale == 1 else "less than 1"
    return f"{value} ±{scale * lead.error:.{places}f}" if lead.error else value


def _bid(bid: int | str) -> str:
    return contract_title(bid) if isinstance(bid, str) else str(bid)


def said(actions: Sequence[Action]) -> str:
    """A choice in words."""
    parts = []
    for action in actions:
        match action:
            case Play():
                parts.append(card_name(action.card))
            case NameTrump():
                parts.append("no trump" if action.trump == NOTRUMP else SUIT_NAMES[action.trump])
            case Call():
                parts.append(f"the call {action.call}")
            case Discard():
                parts.append(f"{card_names(action.cards)} laid away")
            case Send():
                parts.append(f"{card_names(action.cards)} to {'DEM'[action.to]}")
            case Bid():
                parts.append("a pass" if action.bid is None else f"a bid of {_bid(action.bid)}")
            case Swap():
                parts.append("to take the up-card" if action.take else "to leave the up-card")
    return ", ".join(parts)
