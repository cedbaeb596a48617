"""A match of every game, written out: each action in words, and the state's essentials after each deal.

`python -m tests.games.golden` writes the files again (into another folder, if one is named); a test compares them. What
changes in a file is a change of the rules or of the random deals, and wants a reason.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tierce.solver.cards import card_name, card_names, cards_of, format_hand, mask_of
from tierce.solver.games import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Profile,
    Return,
    Score,
    Send,
    Show,
    State,
    Swap,
    TakeKitty,
    apply,
    legal,
    load_game,
    new_match,
    random_deal,
)

FOLDER: Final = Path(__file__).parent
DEALS: Final = 4
SEATS: Final = "DEM"
SUITS: Final = ("spades", "hearts", "diamonds", "clubs")


def golden(name: str) -> str:
    """The text of a game's file."""
    return "\n".join([*_lines(load_game(name)), ""])


def _lines(profile: Profile) -> Iterator[str]:
    yield f"{profile.id}: {profile.name}"
    rng = random.Random(f"golden {profile.id}")
    state = new_match(profile)
    number = 0
    while state.phase != "OVER" and len(state.results) < DEALS:
        if state.phase == "DEAL":
            deal = random_deal(profile, seed=1, index=number)
            number += 1
            yield from ("", f"deal {number}: player {state.dealer} deals")
            action: Action = DealCards(deal)
        else:
            action = _chosen(rng, state)
        after = apply(state, action)
        yield from (f"  {line}" for line in _words(state, action, after))
        state = after
    yield from ("", f"won by {_players(state.won)}" if state.won else "the match goes on")


def _chosen(rng: random.Random, state: State) -> Action:
    """A player of little sense: any card in the play, but the longest suit is trump, and low cards go away."""
    open_ = legal(state)[0]
    if open_.kind is Bid:
        return open_.choices[0 if rng.random() < 0.4 else -1]
    if open_.kind is NameTrump:
        return NameTrump(0, max(range(4), key=lambda suit: (state.hands[0] >> 16 * suit & 0x1FFF).bit_count()))
    if open_.kind is Swap:
        return open_.choices[0]
    if open_.choices:
        return rng.choice(open_.choices)
    low = mask_of(sorted(cards_of(open_.among), key=lambda card: (card & 15, card))[: open_.count])
    return Discard(0, low) if open_.kind is Discard else Send(open_.seat or 0, open_.to or 0, low)


def _words(state: State, action: Action, after: State) -> Iterator[str]:
    match action:
        case DealCards(deal):
            yield from (f"{seat} {format_hand(hand)}" for seat, hand in zip(SEATS, deal.hands, strict=True))
            beside = "out of the pack" if state.profile.removed else "kitty"
            if deal.kitty:
                yield f"{beside}: {card_names(deal.kitty)}"
        case Bid(seat, tricks):
            yield f"{SEATS[seat]} passes" if tricks is None else f"{SEATS[seat]} bids {tricks}"
            if after.phase == "DEAL":
                yield "all have passed"
            elif after.phase != "BID":
                yield f"player {after.dealer} is dealer, for {_numbers(after.quotas)}"
        case Call(seat, call):
            yield f"{SEATS[seat]} calls {call}"
        case NameTrump(seat, trump):
            yield f"{SEATS[seat]} names {SUITS[trump]} trump"
        case Send(seat, to, cards):
            yield f"{SEATS[seat]} sends {SEATS[to]} {card_names(cards)}"
        case Return(seat, to, cards):
            yield f"{SEATS[seat]} returns {SEATS[to]} {card_names(cards)}"
        case Show(seat, to, cards):
            yield f"{SEATS[seat]} shows {SEATS[to]} {card_names(cards)}"
        case Discard(seat, cards):
            yield f"{SEATS[seat]} lays away {card_names(cards)}"
        case TakeKitty(seat):
            yield f"{SEATS[seat]} takes the kitty: {card_names(state.kitty)}"
        case Swap(seat, take):
            what = f"leaves D2 and takes {card_names(state.kitty)}" if take else "takes nothing"
            yield f"{SEATS[seat]} {what}"
        case Play():
            if not after.trick:
                trick = after.tricks[-1]
                names = " ".join(map(card_name, trick.cards))
                yield f"trick {len(after.tricks):2}: {SEATS[trick.leader]} leads {names}, {SEATS[trick.winner]} wins"
        case Claim(tricks):
            yield f"the rest is agreed: {_numbers(tricks)}"
        case Score():
            result = after.results[-1]
            first = "" if result.first_over is None else f", {SEATS[result.first_over]} first over"
            yield f"tricks {_numbers(result.tricks)} of {_numbers(result.quotas)}: {_signed(result.balances)}{first}"
            yield f"totals of players 0 1 2: {_signed(after.totals)}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def _signed(numbers: tuple[int, ...]) -> str:
    return " ".join(f"{number:+}" if number else "0" for number in numbers)


def _players(players: tuple[int, ...]) -> str:
    return " and ".join(f"player {player}" for player in players)
