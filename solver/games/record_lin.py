"""Deals of LIN files, for four-hand games: import only, and of the deal alone.

    md|3SAKQHAK...,S...,S...,|     the dealer (1 S, 2 W, 3 N, 4 E), the hands of S, W, N, E; the last may be left out

A LIN file is a run of `name|value|`. The hands are read, and the players where `pn|S,W,N,E|` names all four before the
first deal; bids and play are of another game and are left alone. A deal that stands twice in a row (two tables of a
team) is read once. The card turned up, which no LIN file tells, is drawn by lot (`dealing.turned_by_lot`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tierce.solver.cards import ALL_CARDS, Mask, card_name, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games.dealing import turned_by_lot
from tierce.solver.games.json_shared import Json
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import Record, RecordError
from tierce.solver.games.record_json_read import record_of_json

__all__ = ["looks_like_lin", "records_of_lin"]

_DEALERS: Final = {"1": 2, "2": 3, "3": 0, "4": 1}
_FROM_SOUTH: Final = (2, 3, 0, 1)
_LIN: Final = re.compile(r"\s*[a-zA-Z0-9]{2}\|")
_SUITS: Final = re.compile(r"S([^SHDC]*)H([^SHDC]*)D([^SHDC]*)C([^SHDC]*)")


def looks_like_lin(text: str) -> bool:
    """Does text begin as a LIN file does?"""
    return _LIN.match(text) is not None


def records_of_lin(text: str, file: str, profile: Profile) -> list[Record]:
    """A record for each deal, all of this game, nothing bid yet. RecordError, with file and line."""
    found: list[Record] = []
    last: str | None = None
    players: list[str] | None = None
    for line, name, value in _parts(text):
        if name == "pn" and not found:
            players = _players(value)
        if name != "md" or not value.strip() or value == last:
            continue
        last = value
        try:
            found.append(record_of_json(_tree(value, profile, players), file, line))
        except InputError as error:
            raise RecordError(error.code, error.message, field=error.field or "deal", file=file, line=line) from None
    return found


def _parts(text: str) -> Iterator[tuple[int, str, str]]:
    """(line, name, value) of a file."""
    line = 1
    words = text.split("|")
    for name, value in zip(words[::2], words[1::2], strict=False):
        at = line + name.count("\n")
        line = at + value.count("\n")
        yield at, name.strip().lower(), value


def _players(value: str) -> list[str] | None:
    """Names of N, E, S, W, if all four are there."""
    names = [name.strip() for name in value.split(",")][:4]
    if len(names) < 4 or not all(names):
        return None
    return [names[_FROM_SOUTH.index(seat)] for seat in range(4)]


def _tree(value: str, profile: Profile, players: list[str] | None) -> Json:
    digit, deal = value.strip()[:1], _deal(value.strip()[1:])
    if digit not in _DEALERS:
        message = f"expected a dealer 1, 2, 3 or 4 (S, W, N or E), found {shown(digit)}"
        raise InputError("seat", message, field="dealer")
    dealer = _DEALERS[digit]
    told = {"dealer": dealer, "deal": str(deal), "turned": card_name(turned_by_lot(deal, dealer))}
    tree: Json = {"tierce_record": 1, "game": profile.id, "options": profile.given, "deals": [told]}
    return tree if players is None else tree | {"players": players}


def _deal(text: str) -> Deal:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 3 or (len(parts) == 4 and not parts[3]):
        hands = [_hand(part) for part in parts[:3]]
        hands.append(ALL_CARDS & ~(hands[0] | hands[1] | hands[2]))
    elif len(parts) == 4:
        hands = [_hand(part) for part in parts]
    else:
        message = f"expected three or four hands in md, from South, found {len(parts)}"
        raise InputError("deal_syntax", message, field="deal")
    return Deal(tuple(hands[_FROM_SOUTH.index(seat)] for seat in range(4)))


def _hand(text: str) -> Mask:
    """`SAK4HQ5DT9842CJ73`; a suit that is left out is a void, as in `SAK4DT9842`."""
    plain = text.upper()
    for letter in "SHDC":
        if letter not in plain:
            at = min(
                (plain.index(each) for each in "SHDC"["SHDC".index(letter) :] if each in plain), default=len(plain)
            )
            plain = plain[:at] + letter + plain[at:]
    suits = _SUITS.fullmatch(plain)
    if suits is None:
        message = f"expected a hand such as SAK4HQ5DT9842CJ73, found {shown(text)}"
        raise InputError("card_syntax", message, field="deal")
    return parse_hand(".".join(suits.groups()), field="deal")
