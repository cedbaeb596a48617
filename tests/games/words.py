"""Actions and states of the package in the words of `plain_rules`: cards by name, seats by letter."""

from __future__ import annotations

from typing import Any, Final

from tests.games import plain_rules
from tierce.solver.cards import SUIT_LETTERS, card_name, cards_of, mask_of, parse_card
from tierce.solver.deal import Deal
from tierce.solver.games import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Return,
    Score,
    Send,
    Show,
    State,
    Swap,
    TakeKitty,
)

SEATS: Final = "DEM"


def names(mask: int) -> list[str]:
    return [card_name(card) for card in cards_of(mask)]


def mask(text: str) -> int:
    """The set of the cards named, divided by blanks."""
    return mask_of(map(parse_card, text.split()))


def plain(action: Action) -> plain_rules.Action:
    """An action of the package as one of `plain_rules`."""
    match action:
        case DealCards(deal):
            return "deal", dict(zip(SEATS, map(names, deal.hands), strict=True)), names(deal.kitty)
        case Bid(seat, tricks):
            return "bid", SEATS[seat], tricks
        case Call(seat, call):
            return "call", SEATS[seat], call
        case Send(seat, to, cards) | Return(seat, to, cards) | Show(seat, to, cards):
            return type(action).__name__.lower(), SEATS[seat], SEATS[to], names(cards)
        case NameTrump(seat, trump):
            return "trump", SEATS[seat], SUIT_LETTERS[trump] if trump < 4 else "N"
        case Discard(seat, cards):
            return "discard", SEATS[seat], names(cards)
        case TakeKitty(seat):
            return "kitty", SEATS[seat]
        case Swap(seat, take):
            return "swap", SEATS[seat], take
        case Play(seat, card):
            return "play", SEATS[seat], card_name(card)
        case Claim(tricks):
            return "claim", tricks
        case Score():
            return ("score",)


def swapped_cards(action: Action, one: int, other: int) -> Action:
    """The action with two cards in each other's place."""

    def swap(cards: int) -> int:
        both = 1 << one | 1 << other
        return cards ^ both if (cards >> one ^ cards >> other) & 1 else cards

    match action:
        case DealCards(deal):
            return DealCards(Deal(tuple(map(swap, deal.hands)), swap(deal.kitty)))
        case Send(seat, to, cards):
            return Send(seat, to, swap(cards))
        case Return(seat, to, cards):
            return Return(seat, to, swap(cards))
        case Show(seat, to, cards):
            return Show(seat, to, swap(cards))
        case Discard(seat, cards):
            return Discard(seat, swap(cards))
        case Play(seat, card):
            return Play(seat, {one: other, other: one}.get(card, card))
    return action


def picture(state: State) -> dict[str, Any]:
    """What a state of the package says, in plain words."""
    return {
        "phase": state.phase,
        "dealer": state.dealer,
        "hands": {seat: sorted(names(state.hands[i])) for i, seat in enumerate(SEATS)},
        "undealt": sorted(names(state.kitty)),
        "removed": sorted(names(state.removed)),
        "kitty": sorted(names(state.taken_kitty)),
        "discard": sorted(names(state.discard)),
        "bids": [(SEATS[seat], tricks) for seat, tricks in state.bids],
        "quota": dict(zip(SEATS, state.quotas, strict=True)),
        "call": state.call,
        "parcels": [
            (
                SEATS[each.sender],
                SEATS[each.receiver],
                each.count,
                sorted(names(each.sent)),
                sorted(names(each.returned)),
            )
            for each in state.transfers
        ],
        "shown": [(SEATS[to], sorted(names(cards))) for to, cards in state.shown],
        "swapped": state.swapped,
        "leader": SEATS[state.leader],
        "table": [card_name(card) for card in state.trick],
        "tricks": [SEATS[trick.winner] for trick in state.tricks],
        "taken": dict(zip(SEATS, state.taken, strict=True)),
        "totals": list(state.totals),
        "used": [sorted(calls) for calls in state.used],
        "winners": list(state.won),
        "deals": [
            {
                "dealer": each.dealer,
                "call": each.call,
                "quota": dict(zip(SEATS, each.quotas, strict=True)),
                "tricks": dict(zip(SEATS, each.tricks, strict=True)),
                "balance": dict(zip(SEATS, each.balances, strict=True)),
                "first_over": None if each.first_over is None else (each.dealer + each.first_over) % 3,
                "bid": each.bid,
            }
            for each in state.results
        ],
    }


def plain_picture(match: plain_rules.Match) -> dict[str, Any]:
    """What a match of `plain_rules` says, in the form of `picture`."""
    return {
        "phase": match.phase,
        "dealer": match.dealer,
        "hands": {seat: sorted(cards) for seat, cards in match.hands.items()},
        "undealt": sorted(match.undealt),
        "removed": sorted(match.removed),
        "kitty": sorted(match.kitty),
        "discard": sorted(match.discard),
        "bids": match.bids,
        "quota": match.quota,
        "call": match.call,
        "parcels": [
            (each["from"], each["to"], each["count"], sorted(each["sent"]), sorted(each["back"]))
            for each in match.parcels
        ],
        "shown": [(to, sorted(cards)) for to, cards in match.shown],
        "swapped": match.swapped,
        "leader": match.leader,
        "table": [card for _, card in match.table],
        "tricks": match.tricks,
        "taken": match.taken,
        "totals": match.totals,
        "used": [sorted(calls) for calls in match.used],
        "winners": sorted(match.winners),
        "deals": [{key: value for key, value in deal.items() if key != "balance_of"} for deal in match.deals],
    }
