"""Records as JSON, version 1. `record.schema.json` beside this file is the same as a JSON Schema.

    {
      "tierce_record": 1,
      "game": "raf",                          a game's id, or a whole game: the fields of its TOML file as an object
      "options": {"end": "sixteen"},          those that differ from the game's own
      "players": ["North", "East", "South"],  names of players 0, 1, 2
      "context": {                            only if the first deal here is not the first of its match
        "deal": 2,                            its number; this, totals and previous must be there
        "totals": [2, -1, -1],                running totals by player, before it
        "previous": {"dealer": 0, "call": "S", "quotas": {"D": 8, "E": 5, "M": 3}, "tricks": {"D": 10, "E": 4, "M": 2},
                     "balances": {"D": 2, "E": -1, "M": -1}, "first_over": "D", "bid": 8},
                                              and in games of contracts "contract": "solo", "declarers": ["N"]
        "used": [["S"], [], []]               calls used by player, in games with calls
      },
      "deals": [{
        "dealer": 1,                          the player who dealt
        "deal": "D:<dealer> <eldest> <middle> / <kitty>",    as dealt; the one who dealt first, before any auction
        "turned": "H5",                       the dealer's card that was turned up, in games of contracts
        "bids": [8, "pass", "pass"],          from the one who dealt; in games of contracts from eldest:
                                              ["pass", "prop", "pass", "pass", "cop"]
        "exchange": [{"from": "M", "to": "D", "sent": "S2", "returned": "SA"}],    a parcel each, in the rules' order
        "trump": "S",                         or "call": one of S H D C N MIZ, in games with calls
        "discard": "H8 H7 CQ C4",
        "kitty": "S9 S8 S7 S6",               as taken by the dealer
        "shown": [{"to": "M", "cards": "SA"}],   kitty cards the dealer showed
        "swap": true,                         the holder of D2 took the up-card
        "play": ["SA S3 S4", "HA H2"],        a trick each, cards as played; the last may be unfinished
        "claim": {"D": 3, "E": 2, "M": 0},    tricks given away after the play
        "result": {"tricks": {"D": 9, "E": 4, "M": 3}, "balances": {...}, "totals": [3, -2, -1]}   as stated
      }]
    }

By seat: objects with D, E, M (seats of the deal); by player: lists of three. Only `tierce_record`, `game` and `deals`,
in a deal only `deal`, must be there; what the rules leave no choice about (`returned`, `kitty`, `shown`) may be left
out, or be there to be verified. Of "context" all but `used` must be there (in games with calls that, too), of
"previous" only dealer and tricks. A result may be stated in part.

Four-hand games have {"N": 3, "E": 2, "S": 0, "W": 0} and lists of four, player and seat being one, 0 to 3 for N, E, S,
W, or these letters ("dealer": "S"). The deal is "N:<north> <east> <south> <west>", a trick has four cards, "balances"
are units. `turned` must be there; a trump is recorded where somebody named it, or to be verified.

The order of the exchange, where there are two parcels: two senders, as the option two_up_order has it; two receivers,
the one with the lower quota first. Two parcels that one player sends before anything comes back (with
exchange_order_two_down = simultaneous, and in games with the phase SEND) may stand in either order.
Several records: JSON Lines, one record a line. Those of Sumgait Driller are told in `sumgait.record_json`.

Reading is tolerant in how cards are written (`as`, `10h`, `S2SJ`; the play as one text) and in nothing else: unknown
and repeated fields, wrong types and a newer version are refused, with file, deal and field.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from tierce.solver.cards import card_name, card_names
from tierce.solver.games.json_shared import VERSION, Json, laid_out
from tierce.solver.games.profile import CALLS, Profile, game_names, load_game
from tierce.solver.games.record import Context, DealRecord, Parcel, Record, Stated
from tierce.solver.games.scoring import DealResult

__all__ = ["VERSION", "Json", "context_json", "deal_json", "game_json", "result_json", "to_json"]


def to_json(record: Record, *, line: bool = False) -> str:
    """A record as JSON text, for people to read; with `line` on one line."""
    tree = _record(record)
    return (json.dumps(tree, ensure_ascii=False) if line else laid_out(tree, "")) + "\n"


def _record(record: Record) -> Json:
    out: Json = {"tierce_record": VERSION, "game": game_json(record.profile)}
    if record.profile.given:
        out["options"] = record.profile.given
    if record.players is not None:
        out["players"] = list(record.players)
    if record.context is not None:
        out["context"] = context_json(record.context, record.profile)
    out["deals"] = [deal_json(deal, record.profile) for deal in record.deals]
    return out


def game_json(profile: Profile) -> str | Json:
    """A game by its id or, if it is none of the package's, whole, without the options that were given."""
    if profile.id in game_names() and replace(load_game(profile.id), options=profile.options) == profile:
        return profile.id
    four = {"seats": profile.seats, "contracts": profile.contracts} if profile.contracts else {}
    return {
        "id": profile.id,
        "name": profile.name,
        "about": profile.about,
        **four,
        "ranks": profile.ranks,
        "hand": profile.hand,
        "kitty": profile.kitty,
        **({} if profile.contracts else {"quotas": list(profile.quotas)}),
        "phases": list(profile.phases),
        "score": profile.score,
        "kitty_trick": profile.kitty_trick,
        "both_ways": profile.both_ways,
        "calls": list(profile.calls),
        "options": dict(profile.defaults),
    }


def result_json(last: DealResult, profile: Profile) -> Json:
    """A deal before, as it stands in a record's context."""
    letters = profile.letters
    out: Json = {"dealer": last.dealer}
    if last.contract is not None:
        declarers = [letters[seat] for seat in last.contract.declarers]
        out |= {"contract": last.contract.name, "declarers": declarers}
    if last.call:
        out["call"] = last.call
    names = ("tricks", "balances") if profile.contracts else ("quotas", "tricks", "balances")
    out |= {name: _by_seat(getattr(last, name), letters) for name in names}
    if last.first_over is not None:
        out["first_over"] = letters[last.first_over]
    if last.bid is not None:
        out["bid"] = last.bid
    return out


def context_json(context: Context, profile: Profile) -> Json:
    """What came before, as it stands in a record."""
    previous = result_json(context.previous, profile)
    out: Json = {"deal": context.number, "totals": list(context.totals), "previous": previous}
    if any(context.used):
        out["used"] = [[call for call in CALLS if call in used] for used in context.used]
    return out


def deal_json(deal: DealRecord, profile: Profile) -> Json:
    """A deal as it stands in a record of a game."""
    out: Json = {}
    if deal.dealer is not None:
        out["dealer"] = deal.dealer
    out["deal"] = str(deal.deal)
    letters, seats = profile.letters, profile.seats
    if deal.turned is not None:
        out["turned"] = card_name(deal.turned)
    if deal.bids:
        out["bids"] = ["pass" if bid is None else bid for bid in deal.bids]
    if deal.exchange:
        out["exchange"] = [_parcel(parcel) for parcel in deal.exchange]
    if deal.call:
        out["call" if profile.calls else "trump"] = deal.call
    if deal.discard is not None:
        out["discard"] = card_names(deal.discard)
    if deal.kitty is not None:
        out["kitty"] = card_names(deal.kitty)
    if deal.shown is not None:
        out["shown"] = [{"to": letters[to], "cards": card_names(cards)} for to, cards in deal.shown]
    if deal.swap is not None:
        out["swap"] = deal.swap
    if deal.play:
        names = [card_name(card) for card in deal.play]
        out["play"] = [" ".join(names[at : at + seats]) for at in range(0, len(names), seats)]
    if deal.claim is not None:
        out["claim"] = _by_seat(deal.claim, letters)
    if deal.stated is not None:
        out["result"] = _stated(deal.stated, letters)
    return out


def _parcel(parcel: Parcel) -> Json:
    out: Json = {"from": "DEM"[parcel.sender], "to": "DEM"[parcel.receiver], "sent": card_names(parcel.sent)}
    return out if parcel.returned is None else out | {"returned": card_names(parcel.returned)}


def _stated(stated: Stated, letters: str) -> Json:
    out: Json = {}
    for name, values in (("tricks", stated.tricks), ("balances", stated.balances)):
        if any(value is not None for value in values):
            out[name] = _by_seat(values, letters)
    if stated.totals is not None:
        out["totals"] = list(stated.totals)
    return out


def _by_seat(values: Sequence[int | None], letters: str) -> Json:
    return {seat: value for seat, value in zip(letters, values, strict=True) if value is not None}
