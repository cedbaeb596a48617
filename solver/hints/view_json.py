"""Views as JSON, version 1: what one player knows at a moment. `view.schema.json` beside this file is the same as a
JSON Schema.

    {
      "tierce_view": 1,
      "game": "raf",                          a game's id, or a whole game: the fields of its TOML file as an object
      "options": {"end": "sixteen"},          those that differ from the game's own
      "players": ["North", "East", "South"],  names of players 0, 1, 2
      "seat": "M",                            whose view: D dealer, E eldest, M middle
      "dealer": 1,                            the player in seat D
      "results": [                            the deals of the match before this one, in their order
        {"dealer": 0, "call": "S", "quotas": {"D": 8, "E": 5, "M": 3}, "tricks": {"D": 7, "E": 6, "M": 3},
         "balances": {"D": -1, "E": 1, "M": 0}, "first_over": "E", "bid": 8}
      ],
      "totals": [-1, 1, 0],                   running totals by player, before this deal
      "context": {"deal": 2, "totals": [-1, 1, 0], "previous": {...}, "used": [["S"], [], []]},
      "phase": "PLAY",                        DEAL BID CALL EXCHANGE SEND TRUMP RETURN DISCARD KITTY SHOW SWAP PLAY
                                              SCORE, or OVER after the match
      "to_move": "M",                         the seat that moves, null for nobody
      "quotas": {"D": 8, "E": 5, "M": 3},
      "bids": [8, "pass", "pass"],            from the one who dealt
      "trump": "S",                           or "call": one of S H D C N MIZ, in games with calls
      "exchange": [{"from": "D", "to": "M", "count": 1, "sent": "S2", "returned": "SA"}],
      "hand": "K3.QT9.AJ2.8765",              own cards as they are now
      "discard": "H8 H7 CQ C4",               of the dealer's view alone
      "shown": "SA",                          kitty cards shown to this seat; of the dealer's view: those he showed
      "up_card": "D2",                        the card that lies face up now
      "swap": true,                           was the up-card taken?
      "swapper": "E",                         by whom,
      "taken_up": "HK",                       and which card it was
      "tricks": [{"leader": "E", "cards": "SA S3 S4", "winner": "E"}],
      "trick": {"leader": "E", "cards": "HA"},     the cards on the table
      "counts": {"D": 15, "E": 14, "M": 15},  cards in each hand
      "taken": {"D": 0, "E": 1, "M": 0},      tricks taken
      "voids": {"D": "", "E": "", "M": "SC"},      suits of which a seat has shown to have none
      "seen": "SA SK", "unseen": "S2",        cards of the pack that this seat has seen, and the others
      "known": {"D": "", "E": "SA", "M": ""}, cards this seat saw going to a hand and that are there still
      "traced": {"D": "", "E": "", "M": ""}   those that may have gone on since
    }

By seat: objects with D, E, M (seats of the deal); by player: lists of three. Games of contracts have four of both, as
{"N": 13, "E": 13, "S": 13, "W": 12}, and no quotas. N, E, S, W are the players 0, 1, 2, 3 and may be written in their
place ("dealer": "S"). There are in them

      "turned": "H5",                         the dealer's card that was turned up, from the auction on
      "bids": ["pass", "prop", "cop"],        from eldest
      "contract": "solo", "declarers": ["N"], what is played: follows from the bids
      "trump": "S",                           one of S H D C N; follows but where a bidder named it
      "exposed": "K3.QT9.AJ2.8765",           the hand that lies open, as it is now; not in its own seat's view

Only `tierce_view`, `game`, `seat`, `phase` and `hand` must be there, and what has happened by the phase: bids, trump or
call, the own parcels and what came back, the own discard, the up-card and whether it was taken, the cards played. A
deal that is not the first of its match has either all `results` or, as a record has it, `context`; of a result dealer
and tricks must be there, and the call in games with calls. In those games `used` tells the calls that each player has
used, the open ones being the rest.
What follows from the rest (players, dealer after results, to_move, quotas, count, counts, taken, voids, seen, unseen,
known, traced, leader, winner) may be left out, or be there to be verified. `to_move`, `counts` and `traced` are needed
in an exchange where it is not this seat's turn, for they tell how far the two others have come; `taken` after a claim;
`taken_up` as long as the card has not been seen again.
Of a parcel between the two others no cards are told; it may be left out. A trick may be its cards alone, as text.
Several views: JSON Lines, one view a line.

Reading is tolerant in how cards are written (`as`, `10h`, `S2SJ`) and in nothing else: unknown and repeated fields,
wrong types and a newer version are refused, with file, line and field. Whether hands can be found that fit a view,
`PlayWorlds` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from tierce.solver.cards import SEATS3, Mask, bit, card_name, card_names, format_hand
from tierce.solver.checks import check_type
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import Context
from tierce.solver.games.record_json import context_json, game_json, result_json
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.view import SeenTransfer, View
from tierce.solver.hints.view_json_read import VERSION, ViewError, read_view, read_views
from tierce.solver.hints.view_told import used_of

__all__ = ["VERSION", "ViewError", "read_view", "read_views", "view_json"]

Json = dict[str, Any]


def view_json(view: View) -> Json:
    """A view as JSON values, from which `read_view` makes the same view."""
    check_type(view, View, "a View")
    profile = view.profile
    out: Json = {"tierce_view": VERSION, "game": game_json(profile)}
    if profile.given:
        out["options"] = profile.given
    letters = profile.letters
    out |= {"seat": letters[view.seat], "dealer": view.dealer}
    out |= _before(view)
    to_move = None if view.to_move is None else letters[view.to_move]
    out |= {"phase": view.phase, "to_move": to_move}
    if not profile.contracts:
        out["quotas"] = _by_seat(view.quotas, letters)
    if view.turned is not None:
        out["turned"] = card_name(view.turned)
    if view.bids:
        out["bids"] = ["pass" if tricks is None else tricks for _, tricks in view.bids]
    if view.contract is not None:
        out |= {"contract": view.contract.name, "declarers": [letters[seat] for seat in view.contract.declarers]}
    if view.call:
        out["call" if profile.calls else "trump"] = view.call
    if view.transfers:
        out["exchange"] = [_parcel(each) for each in view.transfers]
    out["hand"] = format_hand(view.hand)
    for name, cards in (("discard", view.discard), ("shown", view.shown), ("up_card", view.up_card)):
        if cards:
            out[name] = card_names(cards)
    if view.exposed and view.contract is not None and view.seat != view.contract.declarers[0]:
        out["exposed"] = format_hand(view.exposed)
    return out | _swap(view) | _play(view)


def _before(view: View) -> Json:
    """The deals before: all, or the last one where no more is known."""
    results, totals = view.results, view.totals
    if view.phase == "OVER":
        last, results = results[-1], results[:-1]
        seats = (view.profile.seat(last.dealer, player) for player in range(view.profile.seats))
        totals = tuple(total - last.balances[seat] for total, seat in zip(totals, seats, strict=True))
    if not results:
        return {}
    if view.profile.contracts:
        whole = all(sum(each.tricks) in (0, view.profile.hand) for each in results)
        whole = whole and sum(totals) == 0 and _sums(view.profile, results) == totals
    else:
        whole = all(sum(each.tricks) == view.profile.counted for each in results)
    if whole:
        return {"results": [result_json(each, view.profile) for each in results], "totals": list(totals)}
    used = used_of(results) if view.profile.calls else (frozenset[str](),) * view.profile.seats
    return {"context": context_json(Context(len(results) + 1, results[-1], totals, used), view.profile)}


def _sums(profile: Profile, results: Sequence[DealResult]) -> tuple[int, ...]:
    """What these deals brought, by player."""
    return tuple(
        sum(each.balances[profile.seat(each.dealer, player)] for each in results) for player in range(profile.seats)
    )


def _parcel(each: SeenTransfer) -> Json:
    out: Json = {"from": SEATS3[each.sender], "to": SEATS3[each.receiver], "count": each.count}
    return out | {
        name: card_names(cards) for name, cards in (("sent", each.sent), ("returned", each.returned)) if cards
    }


def _swap(view: View) -> Json:
    if view.swapped is None:
        return {}
    out: Json = {"swap": view.swapped}
    if view.swapper is not None:
        out["swapper"] = SEATS3[view.swapper]
        if cards := _taken_up(view):
            out["taken_up"] = card_names(cards)
    return out


def _taken_up(view: View) -> Mask:
    """The card that was taken up, as long as nothing else has brought it to light: then it is as any other."""
    cards = [view.hand, view.discard or 0, view.shown, view.up_card, view.removed]
    cards += [bit(card) for trick in view.tricks for card in trick.cards]
    cards += map(bit, view.trick)
    cards += [(each.sent or 0) | (each.returned or 0) for each in view.transfers]
    return view.seen & ~reduce(or_, cards)


def _play(view: View) -> Json:
    out: Json = {}
    letters = view.profile.letters
    if view.tricks:
        out["tricks"] = [
            {"leader": letters[each.leader], "cards": _names(each.cards), "winner": letters[each.winner]}
            for each in view.tricks
        ]
    if view.phase == "PLAY":
        out["trick"] = {"leader": letters[view.leader], "cards": _names(view.trick)}
    out["counts"] = _by_seat(view.counts, letters)
    if view.phase in ("EXCHANGE", "SEND") and view.to_move != view.seat:
        out["traced"] = {seat: card_names(cards) for seat, cards in zip(letters, view.traced, strict=True)}
    if view.phase in ("PLAY", "SCORE", "OVER"):
        out["taken"] = _by_seat(view.taken, letters)
    return out


def _names(cards: Sequence[int]) -> str:
    return " ".join(map(card_name, cards))


def _by_seat(values: Sequence[int], letters: str) -> Json:
    return dict(zip(letters, values, strict=True))
