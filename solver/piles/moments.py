"""Views of Sumgait Driller cut from a record: what the declarer knew when he had to decide.

    deal = replay(record).deals[0]
    view_at(deal, ("trick", 5))     his card to the fifth trick
    view_at(deal, ("give", None))   which four cards to give
    view_at(deal, None)             where the record ends

A moment is named by what is decided: "rob", "misere" (where that comes before the kitty), "give", "call", "trick N";
"lead" is the first trick.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from tierce.solver.errors import InputError, shown
from tierce.solver.games.sumgait.actions import Call, Early, Give, Play, Rob
from tierce.solver.games.sumgait.prices import PASS, TRICKS
from tierce.solver.games.sumgait.replay import ReplayedDeal
from tierce.solver.games.sumgait.state import State
from tierce.solver.games.sumgait.view import View, view

__all__ = ["MOMENTS", "At", "parse_moment", "view_at"]

At: TypeAlias = tuple[str, int | None]
_KINDS: Final = {Rob: "rob", Early: "misere", Give: "give", Call: "call", Play: "trick"}
_TYPED: Final = re.compile(r"([a-z]+)(?:[ _-]?([0-9]{1,2}))?")
MOMENTS: Final = "'rob', 'misere', 'give', 'call', 'lead' or 'trick 5'"


def parse_moment(text: str) -> At:
    """What is decided, and the number of a trick. InputError (code and field "at")."""
    match = _TYPED.fullmatch(text.strip().lower())
    what, number = (match[1], match[2]) if match else ("", None)
    if what == "lead" and number is None:
        return "trick", 1
    if what not in _KINDS.values() or (what == "trick") != (number is not None):
        raise InputError("at", f"expected a moment such as {MOMENTS}, found {shown(text)}", field="at")
    if number is not None and not 1 <= int(number) <= TRICKS:
        raise InputError("at", f"expected a trick from 1 to {TRICKS}, found {number}", field="at")
    return what, None if number is None else int(number)


def view_at(deal: ReplayedDeal, at: At | None, number: int | None = None) -> View:
    """What the declarer knew. InputError (field "at") for a moment that the deal does not have, with those it has.

    number   how the deal is called, if not by its number in its match
    """
    if deal.state.dealt is None:
        raise InputError("at", "expected a deal whose cards are known, found a row of the sheet", field="at")
    found = list(_moments(deal))
    if at is None and found and found[-1][1] is deal.state:
        return view(deal.state)
    for moment, state in found:
        if moment == at:
            return view(state)
    listed = _listed([moment for moment, _ in found])
    where = f"expected a moment of deal {deal.number if number is None else number}"
    if at is None:
        raise InputError(
            "at", f"{where} ({listed}), for it ends where the declarer decides nothing, found none", field="at"
        )
    raise InputError("at", f"{where} ({listed}{_why_not(deal, at)}), found {_told(at)}", field="at")


def _name(at: At) -> str:
    return at[0] if at[1] is None else f"{at[0]} {at[1]}"


def _told(at: At) -> str:
    return "'lead' (trick 1)" if at == ("trick", 1) else repr(_name(at))


def _why_not(deal: ReplayedDeal, at: At) -> str:
    """Why a deal does not have a moment that others have."""
    if at[0] == "misere" and "MISERE" not in deal.state.game.steps():
        return "; misere with the option misere_time = before_kitty"
    if at[0] == "trick" and deal.state.call == PASS:
        return "; in PASS nobody chooses a card"
    return ""


def _listed(found: Sequence[At]) -> str:
    """`rob, give, call, trick 1 to trick 18`."""
    tricks = [at for at in found if at[0] == "trick"]
    names = [_name(at) for at in found if at[0] != "trick"]
    if tricks:
        first, last = _name(tricks[0]), _name(tricks[-1])
        names.append(first if first == last else f"{first} to {last}")
    return ", ".join(names) or "in which nothing was decided"


def _moments(deal: ReplayedDeal) -> Iterator[tuple[At, State]]:
    """Every decision of the declarer; where the record ends at one, that, too."""
    for action, state in deal.steps():
        kind = _KINDS.get(type(action))
        if kind is None or (isinstance(action, Play) and (action.seat != 0 or state.blind(0))):
            continue
        yield (kind, len(state.tricks) + 1 if kind == "trick" else None), state
    last = deal.state
    names = {"ROB": "rob", "MISERE": "misere", "GIVE": "give", "CALL": "call"}
    if last.phase in names:
        yield (names[last.phase], None), last
    elif last.phase == "PLAY" and last.mover == 0 and not last.blind(0):
        yield ("trick", len(last.tricks) + 1), last
