"""Records as PBN. Dealer, eldest and middle sit at N, E and S, W is vacant: `[Dealer "N"]`, `[Deal "N:... ... ... -"]`.

    [Game "raf"]                 always there: the game's id
    [GameRules "{...}"]          the whole game, as in a JSON record, if it is none of the package's
    [Options "end=sixteen"]      options that differ from the game's own
    [North "..."] [East] [South]   who sits there in this deal
    [DealerPlayer "1"]           the number of the player at N: 0, 1, 2 for the whole match; default 0, later in a match
                                 whoever's turn it is
    [Match "1"]                  games with the same value, one after the other, are deals of one match: one record
    [Undealt "S2SJCJS5"]         the kitty; in games without one the up-card, or the card out of the pack
    [CardsPassed "S:N:DQ N:S:DA"]   each parcel of the exchange, from:to:cards, and after it what came back for it
    [CardsAdded "N:S2SJCJS5"]    the kitty as the dealer took it into his hand; without [Undealt] it tells the kitty
    [CardsRemoved "N:H8H7CQC4"]  the dealer's discard
    [Shown "S:SJ"]               kitty cards the dealer showed to a partner of the exchange
    [Trump "S"]  [Call "MIZ"]    the trump; in games with calls the call
    [Swap "yes"]                 the holder of the two of diamonds took the up-card; "no": he did not
    [Claim "N:3 E:2 S:0"]        tricks given away by agreement after the play
    [Result "N:9 E:4 S:3"]       the tricks as stated; a number alone: the dealer's
    [Balances "N:1 E:-1 S:0"]  [TotalsAfter "3 -2 -1"]   balances, and running totals by player, as stated

    of the first game of a record that does not begin with the first deal of its match (see `record_json`):

    [MatchDeal "3"]  [Totals "2 -1 -1"]  [CallsUsed "SH/D/-"]
    [Previous "dealer=0 call=S quotas=8/5/3 tricks=10/4/2 balances=2/-1/-1 first_over=D bid=8"]

`Auction` begins with the one who dealt: bids are numbers of tricks or Pass, in four columns, "-" for W and for a
player who is out. Everybody is written where he sits after the auction, so if E became the dealer by his bid he is at
N, and the one who dealt at S. `Play` has a trick a row, a column a seat, from eldest: E S W N.

Read as tolerantly as other PBN; tags that are not named here are left alone. Four-hand games: `record_pbn_four`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tierce.solver.cards import Card, card_name, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games.actions import BidValue
from tierce.solver.games.auction import auction_over, bidder
from tierce.solver.games.profile import MIZ, Profile, game_names
from tierce.solver.games.record import Record, RecordError, turned
from tierce.solver.games.record_json import Json
from tierce.solver.games.record_json_read import profile_of_json, record_of_json
from tierce.solver.games.record_pbn_four import deal_alone, four_tree
from tierce.solver.games.record_pbn_values import (
    NUMBER,
    SEAT,
    UNKNOWN,
    auction_state,
    cards_by_seat,
    counts,
    dealers_cards,
    parse_bid,
    parse_calls,
    parse_options,
    parse_parcels,
    parse_previous,
    play_card,
    refuse_tag,
    seats_moved,
    trump_of,
    whole,
    wholes,
    yes_or_no,
)
from tierce.solver.games.state import ELDEST, State
from tierce.solver.pbn import PbnGame, read_pbn
from tierce.solver.pbn_values import play_tokens
from tierce.solver.position import winning_place

__all__ = ["records_of_pbn"]

_VACANT: Final = 3
_OURS: Final = ("Deal", "Dealer", "Undealt", "CardsAdded", "CardsRemoved", "Trump", "Game")
_CONTEXT: Final = ("MatchDeal", "Totals", "Previous", "CallsUsed")


def records_of_pbn(source: bytes | str, file: str, other: Profile | None = None) -> list[Record]:
    """The records of a PBN file. RecordError, with file and line, for what is no record.

    other   a four-hand game, as which deals of other kinds of games are read, a record each
    """
    found: list[Record] = []
    parts: list[tuple[Json, PbnGame]] = []  # the record being read: a tree of one deal for each of its games
    for game in _games(source, file):
        if parts and not _goes_on(parts[-1][1], game):
            found.append(_joined(parts, file))
            parts = []
        try:
            parts.append((_Reader(game).tree(other), game))
        except InputError as error:
            raise _placed(error, file, error.line or game.line, len(parts) + 1) from None
    return [*found, _joined(parts, file)] if parts else found


def _games(source: bytes | str, file: str) -> list[PbnGame]:
    try:
        return read_pbn(source, file)
    except InputError as error:
        raise RecordError(error.code, error.message, file=file, line=error.line) from None


def _placed(error: InputError, file: str, line: int, deal: int) -> RecordError:
    return RecordError(error.code, error.message, field=error.field, file=file, line=line, deal=deal)


def _goes_on(last: PbnGame, game: PbnGame) -> bool:
    match = game.tags.get("Match", "").strip()
    return match not in UNKNOWN and match == last.tags.get("Match", "").strip()


def _joined(parts: Sequence[tuple[Json, PbnGame]], file: str) -> Record:
    """The record of the games of one match, each read as a tree with one deal."""
    tree, first = parts[0]
    lines = [game.line for _, game in parts]
    for number, (other, game) in enumerate(parts[1:], 2):
        try:
            _take_in(tree, other, game.tags)
        except InputError as error:
            raise _placed(error, file, game.line, number) from None
    try:
        record = record_of_json(tree, file)
    except RecordError as error:
        line = first.line if error.deal is None else lines[error.deal - 1]
        raise error.located(line=line) from None
    deals = (replace(deal, line=line) for deal, line in zip(record.deals, lines, strict=True))
    return replace(record, deals=tuple(deals), line=first.line)


def _take_in(tree: Json, other: Json, tags: Mapping[str, str]) -> None:
    """Add a later game's deal to a record."""
    if "context" in other:
        refuse_tag(
            "context", f"expected {', '.join(_CONTEXT)} only in the first game of a record, found one", "context"
        )
    for name in ("game", "options"):
        if tree.get(name) != other.get(name):
            refuse_tag("match", "expected the game and the options of the game before, found others", name)
    deal = other["deals"][0]
    names, known = other.get("players"), tree.get("players")
    if names is not None and known is not None and len(names) == 3 and "DealerPlayer" not in tags:
        # Without it nothing says who of the three sits at N: any rotation of the players will do.
        names = next((turn for turn in (names[i:] + names[:i] for i in range(3)) if turn == known), names)
    if names is not None and known is None:
        tree["players"] = names
    elif names is not None and known is not None and names != known:
        refuse_tag(
            "match", f"expected the players {', '.join(known)} in this order, found {', '.join(names)}", "players"
        )
    tree["deals"].append(deal)


class _Reader:
    """Reads one game as the tree of a JSON record with one deal."""

    def __init__(self, game: PbnGame) -> None:
        self.game = game

    def tree(self, other: Profile | None = None) -> Json:
        game = self.game
        if other is not None and self._value("Game") not in game_names() and self._value("GameRules") is None:
            return deal_alone(game, other)
        if self._value("Game") is None:
            refuse_tag("game_missing", "expected a Game tag with the game's id, found none", "game")
        for problem in game.problems:
            if problem.field in _OURS:
                raise problem
        deal = game.require_deal()
        out: Json = {"tierce_record": 1, "game": self._game()}
        self._put(out, "options", "Options", parse_options)
        profile = profile_of_json(out)
        if profile.seats == 4 == len(deal.hands):
            return four_tree(game, out, profile)
        if len(deal.hands) != profile.seats:
            expected = "three hands and '-' for W" if profile.seats == 3 else "four hands"
            refuse_tag("wrong_deal", f"expected {expected}, found {len(deal.hands)} hands", "deal")
        tree = self._deal(profile, deal)
        self._players(out, tree)
        if any(self._value(name) is not None for name in _CONTEXT):
            out["context"] = self._context()
        return out | {"deals": [tree]}

    def _value(self, name: str) -> str | None:
        value = self.game.tags.get(name, "").strip()
        return None if value in UNKNOWN else value

    def _put(self, tree: Json, field: str, name: str, read: Callable[[str], Any]) -> None:
        value = self._value(name)
        if value is not None:
            try:
                tree[field] = read(value)
            except InputError as error:
                raise error.located(field=field) from None

    def _game(self) -> Any:
        rules = self._value("GameRules")
        if rules is None:
            return self._value("Game")
        try:
            return json.loads(rules)
        except (ValueError, RecursionError):
            refuse_tag("json_syntax", f"expected a game in JSON in the tag GameRules, found {shown(rules)}", "game")

    def _players(self, out: Json, tree: Json) -> None:
        """Names by player from names by seat; unless all three are known there are none."""
        names = [self._value(name) for name in ("North", "East", "South")]
        if all(name is not None for name in names):
            north = tree.get("north", 0)
            out["players"] = [names[(player - north) % 3] for player in range(3)]
        tree.pop("north", None)

    def _context(self) -> Json:
        context: Json = {}
        self._put(context, "deal", "MatchDeal", lambda text: whole(text, "MatchDeal"))
        self._put(context, "totals", "Totals", lambda text: wholes(text, "Totals"))
        self._put(context, "previous", "Previous", parse_previous)
        self._put(context, "used", "CallsUsed", lambda text: [parse_calls(part) for part in text.split("/")])
        return context

    def _deal(self, profile: Profile, deal: Deal) -> Json:
        tree: Json = {}
        bids, seats = self._auction(profile)
        north = self._value("DealerPlayer")
        if north is not None:
            number = whole(north, "DealerPlayer")
            tree |= {"north": number, "dealer": (number - seats) % 3 if number in range(3) else number}
        tree["deal"] = str(turned(deal, -seats))
        if bids:
            tree["bids"] = ["pass" if bid is None else bid for bid in bids]
        self._put(tree, "exchange", "CardsPassed", parse_parcels)
        call = self._value("Call") or (None if self.game.trump is None else trump_name(self.game.trump))
        if call is not None:
            tree["call" if profile.calls else "trump"] = call
        self._put(tree, "discard", "CardsRemoved", dealers_cards)
        self._put(tree, "kitty", "CardsAdded", dealers_cards)
        self._put(
            tree, "shown", "Shown", lambda text: [{"to": to, "cards": cards} for to, cards in cards_by_seat(text)]
        )
        self._put(tree, "swap", "Swap", yes_or_no)
        if self.game.sections.get("Play"):
            tree["play"] = self._play(call)
        self._put(tree, "claim", "Claim", counts)
        result: Json = {}
        self._put(result, "tricks", "Result", _tricks)
        self._put(result, "balances", "Balances", counts)
        self._put(result, "totals", "TotalsAfter", lambda text: wholes(text, "TotalsAfter"))
        return tree | ({"result": result} if result else {})

    def _auction(self, profile: Profile) -> tuple[list[BidValue], int]:
        """The bids from the one who dealt, and how many seats he sits from the dealer whom the auction found."""
        rows = self.game.sections.get("Auction", ())
        words = [word for row in rows for word in row.split()]
        words = words[: words.index("*")] if "*" in words else words
        if not any(word.strip("-") for word in words):
            return [], 0
        opening = self._opening("Auction")
        width = 4 if any(len(row.split()) > 3 for row in rows) else 3
        state = State(profile)
        for at, word in enumerate(words):
            if not word.strip("-"):
                continue
            place = f"bid {len(state.bids) + 1}: "
            column = (opening + at) % width
            if column == _VACANT:
                refuse_tag("wrong_turn", f"{place}expected '-' for the vacant seat W, found {shown(word)}", "bids")
            seat = (column - opening) % 3
            if not auction_over(state) and seat != bidder(state):
                expected = "NES"[(bidder(state) + opening) % 3]
                refuse_tag("wrong_turn", f"{place}expected a bid of {expected}, found one of {'NES'[column]}", "bids")
            state = replace(state, bids=(*state.bids, (seat, parse_bid(word, place))))
        seats = seats_moved(auction_state(profile, [bid for _, bid in state.bids]))
        if (opening + seats) % 3:
            found = f"'{'NES'[opening]}' with {_said(state)}"
            message = f"expected the auction to begin with '{'NES'[-seats % 3]}', the dealer it found being at N"
            refuse_tag("wrong_dealer", f"{message}, found {found}", "bids")
        return [bid for _, bid in state.bids], seats

    def _opening(self, name: str) -> int:
        text = self.game.tags.get(name, "").strip().upper()
        if text not in SEAT:
            field = "bids" if name == "Auction" else "play"
            refuse_tag("seat", f"expected the tag {name} to name a seat N, E or S, found {shown(text)}", field)
        return "DEM".index(SEAT[text])

    def _play(self, call: str | None) -> list[str]:
        """The tricks, cards in the order they were played."""
        rows = self.game.sections["Play"]
        opening = self._opening("Play")
        tokens = play_tokens(rows)
        width = 4 if any(len(play_tokens([row])) > 3 for row in rows) else 3
        trump = trump_of(call) if call in ("S", "H", "D", "C", "N", MIZ) else None
        tricks: list[str] = []
        leader: int | None = opening
        finished = True
        for number, at in enumerate(range(0, len(tokens), width), 1):
            cards: dict[int, Card] = {}
            for i, token in enumerate(tokens[at : at + width]):
                if token is not None:
                    cards[(opening + i) % width] = play_card(token, number)
            if not cards:
                finished = False
                continue
            if not finished:
                refuse_tag(
                    "wrong_turn", f"trick {number}: expected no card after an unfinished trick, found one", "play"
                )
            if leader is None:
                refuse_tag("missing", f"trick {number}: expected a Trump tag, to know who leads, found none", "trump")
            played = _in_order(cards, leader, number)
            finished = len(played) == 3
            tricks.append(" ".join(map(card_name, played)))
            if finished:
                leader = None if trump is None else (leader + winning_place(played, trump)) % 3
        if opening != ELDEST and tricks:
            refuse_tag("wrong_turn", f"expected the first lead by E, found it by {'NES'[opening]}", "play")
        return tricks


def _tricks(text: str) -> Json:
    return {"D": int(text)} if NUMBER.fullmatch(text) else counts(text)


def _in_order(cards: Mapping[int, Card], leader: int, number: int) -> list[Card]:
    """The cards of a trick, by seat, as they were played: nobody before his turn, nobody at W."""
    played = []
    for at in range(len(cards)):
        seat = (leader + at) % 3
        if seat not in cards or at == 3:
            other, card = next((each, card) for each, card in cards.items() if each == _VACANT or card not in played)
            where = "W, where nobody sits" if other == _VACANT else "NES"[other]
            expected = "no more cards" if at == 3 else f"a card of {'NES'[seat]}"
            refuse_tag("wrong_turn", f"trick {number}: expected {expected}, found {card_name(card)} of {where}", "play")
        played.append(cards[seat])
    return played


def _said(state: State) -> str:
    return " ".join("Pass" if bid is None else str(bid) for _, bid in state.bids)[:60]
