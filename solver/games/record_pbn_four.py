"""Four-hand records as PBN: players sit where PBN has them, so most tags mean what they always mean.

    [Game "solo_whist"] [GameRules] [Options] [Match] [Claim] [Result] [Balances] [TotalsAfter] [MatchDeal] [Totals]
                                 as in `record_pbn`, with seats N E S W and four numbers
    [North "..."] to [West]      the players
    [Dealer "E"] [Deal "N:..."]  who deals; the four hands
    [Turned "H5"]                the dealer's card that was turned up
    [Trump "H"]                  of the contract, "N" for none; it must be there if more than one trick was played
    [Auction "S"]                from eldest, four columns: Pass and the words of a JSON record, "-" for who is out
    [Play "S"]                   a trick a row, a column a seat
    [Previous "dealer=0 contract=solo declarers=N call=H tricks=5/4/2/2 balances=3/-1/-1/-1"]

Files of other games, bridge above all, are read for their deals alone where the game is told (`deal_alone`): dealer and
hands; the card turned up, if no tag tells it, is drawn by lot from the dealer's hand (`dealing.turned_by_lot`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tierce.solver.cards import NOTRUMP, SEATS4, card_name, parse_card, parse_trump, trump_name
from tierce.solver.errors import InputError, shown
from tierce.solver.games.actions import BidValue
from tierce.solver.games.contract_auction import bidder, contract_found, trump_choices
from tierce.solver.games.contracts import BIDS, UNNAMED, Contract
from tierce.solver.games.dealing import turned_by_lot
from tierce.solver.games.json_shared import Json
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import DealRecord, Record
from tierce.solver.games.record_json import context_json, deal_json
from tierce.solver.games.record_pbn_values import DIVIDED, UNKNOWN, parse_options, refuse_tag, whole, wholes
from tierce.solver.games.state import State
from tierce.solver.pbn import PbnGame
from tierce.solver.pbn_values import format_pbn_deal, format_play

__all__ = ["auction_of", "deal_alone", "four_game", "four_tree"]

NAMES: Final = ("North", "East", "South", "West")


def auction_of(profile: Profile, dealer: int, turned: int | None, bids: Sequence[BidValue]) -> State:
    """A state with these bids, as far as there is somebody to make them."""
    state = State(profile, dealer, hands=(0,) * 4, turned=turned)
    for bid in bids:
        seat = bidder(state)
        if seat is None:
            break
        state = replace(state, bids=(*state.bids, (seat, bid)))
    return state


def _contract(state: State) -> Contract | None:
    over = state.turned is not None and bidder(state) is None
    return contract_found(state) if over else None


# ---- reading ---------------------------------------------------------------------------------------------------------


def four_tree(game: PbnGame, out: Json, profile: Profile) -> Json:
    """The tree of a JSON record with the one deal of a game; `out` has the game and its options. InputError."""
    return _Reader(game, profile).tree(out)


class _Reader:
    """Reads one game of four hands."""

    def __init__(self, game: PbnGame, profile: Profile) -> None:
        self.game = game
        self.profile = profile

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

    def tree(self, out: Json) -> Json:
        names = [self._value(name) for name in NAMES]
        if all(name is not None for name in names):
            out["players"] = names
        context: Json = {}
        self._put(context, "deal", "MatchDeal", lambda text: whole(text, "MatchDeal"))
        self._put(context, "totals", "Totals", lambda text: wholes(text, "Totals"))
        self._put(context, "previous", "Previous", _previous)
        return out | ({"context": context} if context else {}) | {"deals": [self._deal()]}

    def _deal(self) -> Json:
        game = self.game
        tree: Json = {} if game.dealer is None else {"dealer": game.dealer}
        tree["deal"] = str(game.require_deal())
        self._put(tree, "turned", "Turned", lambda text: card_name(parse_card(text)))
        if "turned" not in tree:
            refuse_tag("missing", "expected a tag Turned with the dealer's card turned up, found none", "turned")
        bids = self._auction()
        if bids:
            tree["bids"] = ["pass" if bid is None else bid for bid in bids]
        trump = self._value("Trump")
        state = auction_of(self.profile, game.dealer or 0, parse_card(tree["turned"]), bids)
        if trump is not None and self._said(_contract(state), parse_trump(trump)):
            tree["trump"] = trump_name(parse_trump(trump))
        if game.sections.get("Play"):
            tree["play"] = self._play(tree.get("trump"), trump)
        self._put(tree, "claim", "Claim", _counts)
        result: Json = {}
        self._put(result, "tricks", "Result", _counts)
        self._put(result, "balances", "Balances", _counts)
        self._put(result, "totals", "TotalsAfter", lambda text: wholes(text, "TotalsAfter"))
        return tree | ({"result": result} if result else {})

    def _said(self, contract: Contract | None, trump: int) -> bool:
        """Does the record need to say this trump? Not where the contract has it already."""
        return contract is None or contract.trump != trump

    def _auction(self) -> list[BidValue]:
        """The bids from eldest, each in the column of who made it."""
        words = [word for row in self.game.sections.get("Auction", ()) for word in row.split()]
        words = words[: words.index("*")] if "*" in words else words
        if not any(word.strip("-") for word in words):
            return []
        first = _seat(self.game.tags.get("Auction", ""), "bids")
        state = auction_of(self.profile, self.game.dealer or 0, None, ())
        for at, word in enumerate(words):
            if not word.strip("-"):
                continue
            place, seat, due = f"bid {len(state.bids) + 1}: ", (first + at) % 4, bidder(state)
            if due is not None and seat != due:
                message = f"{place}expected a bid of {SEATS4[due]}, found one of {SEATS4[seat]}"
                refuse_tag("wrong_turn", message, "bids")
            state = replace(state, bids=(*state.bids, (seat, _bid(word, place))))
        return [bid for _, bid in state.bids]

    def _play(self, said: str | None, trump: str | None) -> str:
        """The cards in the order played, as one text."""
        for problem in self.game.problems:
            if problem.field == "Play":
                raise problem.located(field="play")
        cards = [word for row in self.game.sections["Play"] for word in row.split() if word.strip("-") and word != "*"]
        if len(self.game.play) < len(cards):
            expected = "a Trump tag, to know who leads" if trump is None else "no card before its turn"
            refuse_tag("wrong_turn", f"expected {expected}, found {len(cards)} cards of play", "play")
        return " ".join(map(card_name, self.game.play))


def _seat(text: str, field: str) -> int:
    plain = text.strip().upper()
    if len(plain) != 1 or plain not in SEATS4:
        refuse_tag("seat", f"expected a seat N, E, S or W, found {shown(text)}", field)
    return SEATS4.index(plain)


def _bid(word: str, place: str) -> BidValue:
    plain = word.lower()
    if plain in ("pass", "p"):
        return None
    if plain not in BIDS:
        refuse_tag("illegal_bid", f"{place}expected Pass or one of {', '.join(BIDS)}, found {shown(word)}", "bids")
    return plain


def _counts(text: str) -> Json:
    """`seat:number` with blanks between."""
    found: Json = {}
    for word in DIVIDED.split(text):
        seat, colon, number = word.partition(":")
        letter = SEATS4[_seat(seat, "result")]
        if not colon or letter in found:
            message = f"expected seat:number, each seat once, such as N:9 E:4 S:0 W:0, found {shown(text)}"
            refuse_tag("pbn_syntax", message, "result")
        found[letter] = whole(number, "Result")
    return found


def _previous(text: str) -> Json:
    """The deal before, as `context.previous` of a record."""
    found: Json = {}
    for name, value in parse_options(text).items():
        if name in ("tricks", "balances"):
            numbers = [whole(word, "Previous") for word in value.split("/")]
            if len(numbers) != 4:
                refuse_tag("pbn_syntax", f"expected four numbers in {name}, found {shown(value)}", "Previous")
            found[name] = dict(zip(SEATS4, numbers, strict=True))
        elif name == "declarers":
            found[name] = value.split("/")
        else:
            found[name] = whole(value, "Previous") if name == "dealer" else value
    return found


def deal_alone(game: PbnGame, profile: Profile) -> Json:
    """The deal of a game of another kind as the tree of a record with one deal of this one: nothing is bid yet."""
    deal, dealer = game.require_deal(), game.dealer or 0
    tags = {name: game.tags.get(name, "").strip() for name in ("Turned", "Trump")}
    if tags["Turned"] not in UNKNOWN:
        turned = parse_card(tags["Turned"])
    else:
        suit = None if tags["Trump"] in UNKNOWN else parse_trump(tags["Trump"])
        turned = turned_by_lot(deal, dealer, None if suit == NOTRUMP else suit)
    tree: Json = {"tierce_record": 1, "game": profile.id, "options": profile.given}
    return tree | {"deals": [{"dealer": dealer, "deal": str(deal), "turned": card_name(turned)}]}


# ---- writing ---------------------------------------------------------------------------------------------------------


def four_game(record: Record, deal: DealRecord, dealer: int, tags: dict[str, str], *, first: bool) -> PbnGame:
    """One deal: `tags` and what is to be said of it; `first`: of its record."""
    profile = record.profile
    tags = tags | {"Dealer": SEATS4[dealer], "Deal": format_pbn_deal(deal.deal)}
    if first and record.context is not None:
        tags |= _context_tags(context_json(record.context, profile))
    if record.players is not None:
        tags |= dict(zip(NAMES, record.players, strict=True))
    if deal.turned is not None:
        tags["Turned"] = card_name(deal.turned)
    state = auction_of(profile, dealer, deal.turned, deal.bids)
    trump, leader = _played(state, deal.call)
    if trump is not None:
        tags["Trump"] = trump_name(trump)
    tree = deal_json(deal, profile)
    result = tree.get("result", {})
    said = {"Claim": tree.get("claim"), "Result": result.get("tricks"), "Balances": result.get("balances")}
    tags |= {name: " ".join(f"{seat}:{n}" for seat, n in told.items()) for name, told in said.items() if told}
    if "totals" in result:
        tags["TotalsAfter"] = " ".join(map(str, result["totals"]))
    sections: dict[str, tuple[str, ...]] = {}
    if deal.bids:
        tags["Auction"] = SEATS4[state.eldest]
        sections["Auction"] = tuple(_rows(deal.bids, state))
    if deal.play:
        tags["Play"] = SEATS4[leader]
        sections["Play"] = (*format_play(deal.play, leader, trump, 4), "*")
    return PbnGame(tags=tags, sections=sections)


def _played(state: State, named: str) -> tuple[int | None, int]:
    """The trump, None if it is not known (yet), and who leads."""
    contract = _contract(state)
    told = "SHDCN".index(named) if named else None
    if contract is None:
        return told, state.eldest
    if told is None and contract.trump != UNNAMED:
        told = contract.trump
    assert told is not None or trump_choices(state.profile, contract.rule)
    return told, contract.leader


def _context_tags(context: Json) -> dict[str, str]:
    words = (f"{name}={_divided(value)}" for name, value in context["previous"].items())
    totals = " ".join(map(str, context["totals"]))
    return {"MatchDeal": str(context["deal"]), "Totals": totals, "Previous": " ".join(words)}


def _divided(value: object) -> object:
    values: Iterable[object] | None = None
    if isinstance(value, Mapping):
        values = value.values()
    elif isinstance(value, list):
        values = value
    return value if values is None else "/".join(map(str, values))


def _rows(bids: Sequence[BidValue], state: State) -> Iterator[str]:
    """Rows of four columns, the first that of eldest."""
    cells: list[str] = []
    for i, bid in enumerate(bids):
        made = state.bids[i][0] if i < len(state.bids) else (state.eldest + len(cells)) % 4  # after the end: anywhere
        while (state.eldest + len(cells)) % 4 != made:
            cells.append("-")
        cells.append("Pass" if bid is None else str(bid))
    cells += ["-"] * (-len(cells) % 4)
    for at in range(0, len(cells), 4):
        yield " ".join(cells[at : at + 4])
