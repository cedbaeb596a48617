"""Records of Sumgait Driller as JSON: the same version 1 as other records; `record.schema.json` beside this file says
it as a JSON Schema.

    {
      "tierce_record": 1,
      "game": "sumgait",
      "options": {"joker_resolution": "kill"},     those that differ from the game's own
      "players": ["Ann", "Ben", "Cem"],            names of players 0, 1, 2
      "context": {                                 only if the first deal here is not the first of its match
        "deal": 4, "declarer": 0,                  its number, and the player who declares
        "game": [180, 460, 60], "vist": [960, 620, 240], "failures": [0, 0, 0],     the columns before it
        "robbers": [1]                             players who have robbed (robbery_scope = match)
      },
      "deals": [{
        "declarer": 0,
        "deal": "D:<declarer> <next> <other> / <kitty>",     as dealt
        "rob": "next",                             whose sixteen cards the declarer took: next, other or nobody
        "given": {"next": "S2 H3", "other": "D4 J1"},
        "call": "play",                            play, pass or misere
        "piles": {"next": "SA HT", "other": "C7 D2"},     all cards of the piles, top first; in pass "declarer", too
        "play": ["SA S3 S4", "HA J1 H2"],          a trick each, cards as played; the last may be unfinished
        "marriages": [{"suit": "H", "trick": 3}],  the suit declared trump with the lead of that trick
        "result": {"tricks": [11, 4, 3], "game": [180, 0, 0], "vist": [0, 320, 240]}     as stated
      }, {
        "declarer": 1, "call": "play", "marriages": [{"suit": "H"}, {"suit": "C"}], "tricks": [3, 15, 0]
      }]
    }

Players are numbers 0 1 2; in all that is printed they are players 1 2 3, and `declarer` may be told so, as "player 3".

The second deal is one of which nobody wrote the cards down: a row of the sheet. Lists of three go by player; `tricks`
and `result` have the tricks and, as the sheet has them, the columns after the deal, null for what is not stated. Only
`tierce_record`, `game` and `deals`, in a deal only `deal` or `tricks`, must be there. `rob` and `call` may be left out
where nobody robbed and the deal was played, `piles` wherever their cards are known as they were turned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tierce.solver.cards import SUIT_LETTERS
from tierce.solver.checks import is_whole, quoted
from tierce.solver.games.json_shared import VERSION, Json, laid_out
from tierce.solver.games.sumgait.cards import Card, card_name, card_names
from tierce.solver.games.sumgait.record import Context, DealRecord, Marriage, Record, Stated
from tierce.solver.games.sumgait.state import Piles

__all__ = ["PLAYERS", "ROBBED", "SEATS", "deal_json", "player_of", "player_text", "to_json"]

SEATS: Final = ("declarer", "next", "other")
ROBBED: Final = ("nobody", "next", "other")
PLAYERS: Final = ("player 1", "player 2", "player 3")  # as they are called in all that is printed


def player_of(value: Any) -> int | str:
    """A player's number, told as such or as he is called in print; in words what was expected where it is neither."""
    if isinstance(value, str) and (name := value[:1].lower() + value[1:]) in PLAYERS:
        return PLAYERS.index(name)
    if is_whole(value) and value in range(len(PLAYERS)):
        return int(value)
    return "a player 0, 1 or 2 ('player 1', 'player 2' or 'player 3' in print)"


def player_text(player: Any) -> str:
    """`2 (player 3)`: a number of a record, and who that is in print."""
    known = is_whole(player) and player in range(len(PLAYERS))
    return f"{player} ({PLAYERS[player]})" if known else quoted(player)


def to_json(record: Record, *, line: bool = False) -> str:
    """A record as JSON text, for people to read; with `line` on one line."""
    tree = _record(record)
    return (json.dumps(tree, ensure_ascii=False) if line else laid_out(tree, "")) + "\n"


def _record(record: Record) -> Json:
    out: Json = {"tierce_record": VERSION, "game": record.game.id}
    if record.game.given:
        out["options"] = record.game.given
    if record.players is not None:
        out["players"] = list(record.players)
    if record.context is not None:
        out["context"] = _context(record.context)
    out["deals"] = [deal_json(deal) for deal in record.deals]
    return out


def _context(context: Context) -> Json:
    out: Json = {"deal": context.number, "declarer": context.declarer}
    for name in ("game", "vist", "failures"):
        out[name] = [getattr(tally, name) for tally in context.tallies]
    return out | ({"robbers": sorted(context.robbers)} if context.robbers else {})


def deal_json(deal: DealRecord) -> Json:
    """A deal as it stands in a record."""
    fields: Mapping[str, Any] = {
        "declarer": deal.declarer,
        "deal": None if deal.deal is None else str(deal.deal),
        "rob": None if deal.rob is None else ROBBED[deal.rob],
        "given": None if deal.given is None else dict(zip(SEATS[1:], map(card_names, deal.given), strict=True)),
        "call": deal.call or None,
        "piles": None if deal.piles is None else _piles(deal.piles),
        "play": _tricks(deal.play) or None,
        "marriages": [_marriage(each) for each in deal.marriages] or None,
        "tricks": None if deal.tricks is None else list(deal.tricks),
        "result": None if deal.stated is None else _stated(deal.stated),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _piles(piles: Piles) -> Json:
    told = {seat: " ".join(map(card_name, pile)) for seat, pile in zip(SEATS, piles, strict=True)}
    return told if piles[0] else {seat: told[seat] for seat in SEATS[1:]}


def _tricks(play: tuple[Card, ...]) -> list[str]:
    names = [card_name(card) for card in play]
    return [" ".join(names[at : at + 3]) for at in range(0, len(names), 3)]


def _marriage(marriage: Marriage) -> Json:
    suit: Json = {"suit": SUIT_LETTERS[marriage.suit]}
    return suit if marriage.trick is None else suit | {"trick": marriage.trick}


def _stated(stated: Stated) -> Json:
    columns = {"tricks": stated.tricks, "game": stated.game, "vist": stated.vist}
    return {name: list(said) for name, said in columns.items() if any(each is not None for each in said)}
