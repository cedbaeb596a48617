"""Views of Sumgait Driller as JSON, version 1: what the declarer knows at a moment. `view.schema.json` beside this file
is the same as a JSON Schema.

    {
      "sumgait_view": 1,
      "game": "sumgait",
      "options": {"joker_resolution": "kill"},     those that differ from the game's own
      "deal": 4, "declarer": 0,                    the deal's number in its match, and the player who declares
      "columns": {"game": [180, 460, 60], "vist": [960, 620, 240], "failures": [0, 0, 0]},     before it, by player
      "phase": "PLAY",                             ROB MISERE KITTY GIVE CALL SHUFFLE PLAY SCORE
      "hand": "AK.QJ.T9.87.J1",                    the declarer's cards as they are now
      "rob": "next",                               whose sixteen cards he took: next, other or nobody
      "let_go": "32.432.5432.65432.J2",            his own sixteen, which that player has got for them
      "given": {"next": "S2 H3", "other": "D4 J1"},
      "call": "play",                              play, pass or misere
      "tricks": [{"leader": "declarer", "cards": "SA S3 S4", "winner": "declarer"}],
      "trick": {"leader": "declarer", "cards": "HK", "marriage": "H"},     cards on the table
      "trump": "H",                                S H D C, or N while there is none
      "counts": {"declarer": 16, "next": 17, "other": 17},
      "taken": {"declarer": 1, "next": 0, "other": 0},
      "known": {"next": "S2 H3", "other": "D4 J1"},     cards that are known to lie in a pile now
      "unseen": "..."                              those that may lie in either, or in the kitty
    }

Only `sumgait_view`, `phase` and `hand` must be there, and what has happened by the phase: a robbery with the cards let
go, the cards given, the call, the tricks. What follows from the rest (leader, winner, trump, counts, taken, known,
unseen) may be left out, or be there to be verified. A trick may be its cards alone, as text, where no suit was declared
with it. Without `deal`, `declarer` and `columns` it is the first deal of a match.

Players are numbers 0 1 2, by which lists go; in all that is printed they are players 1 2 3, and `declarer` may be told
so, as "player 3". Seats are words: the declarer, the next player clockwise, the other.

Reading is tolerant in how cards are written (`as`, `10h`, `S2SJ`) and in nothing else: unknown and repeated fields,
wrong types and a newer version are refused, with file, line and field; so is whatever the rules do not allow.
"""

from __future__ import annotations

from typing import Any

from tierce.solver.cards import STRAIN_LETTERS, mask_of
from tierce.solver.checks import check_type
from tierce.solver.games.sumgait.cards import card_name, card_names, format_hand
from tierce.solver.games.sumgait.record_json import ROBBED, SEATS
from tierce.solver.games.sumgait.view import View

__all__ = ["COLUMNS", "VERSION", "view_json"]

VERSION = 1
COLUMNS = ("game", "vist", "failures")

Json = dict[str, Any]


def view_json(view: View) -> Json:
    """A view as JSON values, from which `read_view` makes the same view."""
    check_type(view, View, "a View")
    out: Json = {"sumgait_view": VERSION, "game": view.game.id}
    if view.game.given:
        out["options"] = view.game.given
    out |= {"deal": view.number, "declarer": view.declarer}
    out["columns"] = {name: [getattr(tally, name) for tally in view.tallies] for name in COLUMNS}
    out |= {"phase": view.phase, "hand": format_hand(view.hand)}
    if view.phase != "ROB":
        out["rob"] = ROBBED[view.robbed or 0]
    if view.robbed is not None:
        out["let_go"] = format_hand(_let_go(view, view.robbed))
    if view.given[1]:
        out["given"] = {seat: card_names(cards) for seat, cards in zip(SEATS[1:], view.given[1:], strict=True)}
    if view.call:
        out["call"] = view.call
    return out | _play(view) | _cards(view)


def _let_go(view: View, seat: int) -> int:
    """His own sixteen cards, after a robbery."""
    played = mask_of(trick.cards[(seat - trick.leader) % 3] for trick in view.tricks)
    for place, card in enumerate(view.trick):
        if (view.leader + place) % 3 == seat:
            played |= 1 << card
    return (view.known[seat] | played) & ~view.given[seat]


def _play(view: View) -> Json:
    if view.phase not in ("PLAY", "SCORE"):
        return {}
    out: Json = {}
    if view.tricks:
        out["tricks"] = [
            _trick(each.leader, each.cards, each.marriage) | {"winner": SEATS[each.winner]} for each in view.tricks
        ]
    if view.phase == "PLAY":
        declared = sum(each.marriage is not None for each in view.tricks)
        marriage = view.marriages[-1] if len(view.marriages) > declared else None
        out["trick"] = _trick(view.leader, view.trick, marriage)
    out["trump"] = STRAIN_LETTERS[view.trump]
    return out | {"taken": dict(zip(SEATS, view.taken, strict=True))}


def _trick(leader: int, cards: tuple[int, ...], marriage: int | None) -> Json:
    out: Json = {"leader": SEATS[leader], "cards": " ".join(map(card_name, cards))}
    return out if marriage is None else out | {"marriage": STRAIN_LETTERS[marriage]}


def _cards(view: View) -> Json:
    """Where all cards are, as far as he knows."""
    return {
        "counts": dict(zip(SEATS, view.counts, strict=True)),
        "known": {seat: card_names(cards) for seat, cards in zip(SEATS[1:], view.known[1:], strict=True)},
        "unseen": card_names(view.unseen),
    }
