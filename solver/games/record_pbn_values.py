"""PBN records, the inner layer: what values of single tags mean, as parts of the tree of a JSON record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NoReturn

from tierce.solver.cards import NOTRUMP, Card, card_name, cards_of, parse_card
from tierce.solver.errors import InputError, shown
from tierce.solver.games.actions import BidValue
from tierce.solver.games.auction import auction_over, bidder, standing
from tierce.solver.games.profile import MIZ, Profile
from tierce.solver.games.record_json import Json
from tierce.solver.games.state import State
from tierce.solver.pbn_values import parse_card_set

__all__ = [
    "DIVIDED",
    "NUMBER",
    "SEAT",
    "UNKNOWN",
    "auction_state",
    "card_set",
    "cards_by_seat",
    "counts",
    "dealers_cards",
    "parse_bid",
    "parse_calls",
    "parse_options",
    "parse_parcels",
    "parse_place",
    "parse_previous",
    "play_card",
    "refuse_tag",
    "seats_moved",
    "trump_of",
    "whole",
    "wholes",
    "yes_or_no",
]

SEAT: Final = {"N": "D", "D": "D", "E": "E", "S": "M", "M": "M"}
UNKNOWN: Final = ("", "?", "-")


def refuse_tag(code: str, message: str, field: str) -> NoReturn:
    """Refuse what a tag says; `field` is that of the record."""
    raise InputError(code, message, field=field)


# ---- the auction, from the seats of the one who dealt ---------------------------------------------------------------


def auction_state(profile: Profile, bids: Sequence[BidValue]) -> State:
    """A state with these bids, as far as there is somebody to make them; seats are those of the one who dealt."""
    state = State(profile)
    for bid in bids:
        if auction_over(state):
            break
        state = replace(state, bids=(*state.bids, (bidder(state), bid)))
    return state


def seats_moved(state: State) -> int:
    """The seat, left of the one who dealt, of the bidder who became the dealer."""
    bid = standing(state)
    return bid[0] if bid is not None and auction_over(state) else 0


def trump_of(call: str) -> int | None:
    """The trump 0 to 4 of a call, None for no call yet."""
    return NOTRUMP if call == MIZ else "SHDCN".index(call) if call else None


# ---- values of tags -------------------------------------------------------------------------------------------------

NUMBER: Final = re.compile(r"[+-]?[0-9]{1,7}")
DIVIDED: Final = re.compile(r"[\s;,]+")


def whole(text: str, name: str) -> int:
    """A whole number."""
    if not NUMBER.fullmatch(text.strip()):
        refuse_tag("pbn_syntax", f"expected a whole number in the tag {name}, found {shown(text)}", name)
    return int(text)


def wholes(text: str, name: str) -> list[int]:
    """Whole numbers with blanks between."""
    return [whole(word, name) for word in DIVIDED.split(text)]


def parse_bid(word: str, place: str) -> int | None:
    """A bid of the auction, None for a pass."""
    if word.upper() in ("PASS", "P"):
        return None
    if not NUMBER.fullmatch(word):
        refuse_tag("illegal_bid", f"{place}expected a number of tricks or Pass, found {shown(word)}", "bids")
    return int(word)


def play_card(token: str, trick: int) -> Card:
    """A card of the play."""
    try:
        return parse_card(token, field="play")
    except InputError as error:
        raise InputError(error.code, f"trick {trick}: {error.message}", field="play") from None


def parse_options(text: str) -> Json:
    """`name=value` with blanks between."""
    found: Json = {}
    for word in DIVIDED.split(text):
        name, equals, value = word.partition("=")
        if not equals or name in found:
            refuse_tag("option", f"expected name=value, each name once, found {shown(word)}", "options")
        found[name] = value
    return found


def parse_previous(text: str) -> Json:
    """The deal before, as `context.previous` of a record."""
    found: Json = {}
    for name, value in parse_options(text).items():
        if name in ("quotas", "tricks", "balances"):
            numbers = [whole(word, "Previous") for word in value.split("/")]
            if len(numbers) != 3:
                refuse_tag("pbn_syntax", f"expected three numbers in {name}, found {shown(value)}", "Previous")
            found[name] = dict(zip("DEM", numbers, strict=True))
        elif name == "first_over":
            found[name] = SEAT.get(value, value)
        else:
            found[name] = whole(value, "Previous") if name in ("dealer", "bid") else value
    return found


def parse_calls(part: str) -> list[str]:
    """The calls one player has used."""
    return [] if part.strip() in UNKNOWN else [word.strip() for word in part.split(",")]


def parse_place(text: str, field: str) -> str:
    """The seat, D E or M, of one who sits at N, E or S."""
    found = SEAT.get(text.strip().upper())
    if found is None:
        refuse_tag("seat", f"expected a seat N, E or S, found {shown(text)}", field)
    return found


def card_set(text: str) -> str:
    """Cards in any of PBN's ways as a record has them."""
    return " ".join(map(card_name, cards_of(parse_card_set(text))))


def parse_parcels(text: str) -> list[Json]:
    """Parcels, each answered by the first that goes the other way."""
    found: list[Json] = []
    for word in DIVIDED.split(text):
        parts = word.split(":")
        if len(parts) != 3:
            refuse_tag("pbn_syntax", f"expected from:to:cards such as S:N:DQ, found {shown(word)}", "exchange")
        one, other, cards = parse_place(parts[0], "exchange"), parse_place(parts[1], "exchange"), card_set(parts[2])
        waiting = [each for each in found if (each["to"], each["from"]) == (one, other) and "returned" not in each]
        if waiting:
            waiting[0]["returned"] = cards
        else:
            found.append({"from": one, "to": other, "sent": cards})
    return found


def dealers_cards(text: str) -> str:
    """Cards the dealer takes or lays away."""
    head, colon, cards = text.rpartition(":")
    if colon and SEAT.get(head.strip().upper()) != "D":
        refuse_tag("seat", f"expected cards of the dealer, 'N:<cards>', found {shown(text)}", "kitty")
    return card_set(cards)


def cards_by_seat(text: str) -> Iterator[tuple[str, str]]:
    """`seat:cards` with blanks between."""
    for word in DIVIDED.split(text):
        seat, colon, cards = word.partition(":")
        if not colon:
            refuse_tag("pbn_syntax", f"expected seat:cards such as S:SJ, found {shown(word)}", "shown")
        yield parse_place(seat, "shown"), card_set(cards)


def counts(text: str) -> Json:
    """`seat:number` with blanks between."""
    found: Json = {}
    for word in DIVIDED.split(text):
        seat, colon, number = word.partition(":")
        letter = parse_place(seat, "result")
        if not colon or letter in found:
            message = f"expected seat:number, each seat once, such as N:9 E:4 S:3, found {shown(text)}"
            refuse_tag("pbn_syntax", message, "result")
        found[letter] = whole(number, "Result")
    return found


def yes_or_no(text: str) -> bool:
    """True for yes."""
    if text.lower() not in ("yes", "no"):
        refuse_tag("pbn_syntax", f"expected yes or no in the tag Swap, found {shown(text)}", "swap")
    return text.lower() == "yes"
