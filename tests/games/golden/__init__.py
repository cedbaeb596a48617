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
    deal_by_lot,
    legal,
    load_game,
    new_match,
)

FOLDER: Final = Path(__file__).parent
DEALS: Final = 4
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
            action: Action = deal_by_lot(profile, seed=1, index=number, dealer=state.dealer)
            number += 1
            yield from ("", f"deal {number}: player {state.dealer} deals")
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
        seat = open_.seat or 0
        hand = state.hands[seat]
        return NameTrump(seat, max(range(4), key=lambda suit: (hand >> 16 * suit & 0x1FFF).bit_count()))
    if open_.kind is Swap:
        return open_.choices[0]
    if open_.choices:
        return rng.choice(open_.choices)
    low = mask_of(sorted(cards_of(open_.among), key=lambda card: (card & 15, card))[: open_.count])
    return Discard(0, low) if open_.kind is Discard else Send(open_.seat or 0, open_.to or 0, low)


def _words(state: State, action: Action, after: State) -> Iterator[str]:
    letters = state.profile.letters
    match action:
        case DealCards(deal, turned):
            yield from (f"{seat} {format_hand(hand)}" for seat, hand in zip(letters, deal.hands, strict=True))
            if turned is not None:
                yield f"{card_name(turned)} is turned up"
            beside = "out of the pack" if state.profile.removed else "kitty"
            if deal.kitty:
                yield f"{beside}: {card_names(deal.kitty)}"
        case Bid(seat, bid):
            yield f"{letters[seat]} passes" if bid is None else f"{letters[seat]} bids {bid}"
            if after.contract is not None:
                side = " and ".join(letters[each] for each in after.contract.declarers)
                trump = "" if after.call == "" else f", trump {after.call}"
                yield f"{after.contract.rule.title} by {side}, {letters[after.leader]} leads{trump}"
            elif after.phase == "SCORE":
                yield "the deal is void"
            elif after.phase == "DEAL":
                yield "all have passed"
            elif after.phase != "BID":
                yield f"player {after.dealer} is dealer, for {_numbers(after.quotas)}"
        case Call(seat, call):
            yield f"{letters[seat]} calls {call}"
        case NameTrump(seat, trump):
            yield f"{letters[seat]} names {SUITS[trump]} trump"
        case Send(seat, to, cards):
            yield f"{letters[seat]} sends {letters[to]} {card_names(cards)}"
        case Return(seat, to, cards):
            yield f"{letters[seat]} returns {letters[to]} {card_names(cards)}"
        case Show(seat, to, cards):
            yield f"{letters[seat]} shows {letters[to]} {card_names(cards)}"
        case Discard(seat, cards):
            yield f"{letters[seat]} lays away {card_names(cards)}"
        case TakeKitty(seat):
            yield f"{letters[seat]} takes the kitty: {card_names(state.kitty)}"
        case Swap(seat, take):
            what = f"leaves D2 and takes {card_names(state.kitty)}" if take else "takes nothing"
            yield f"{letters[seat]} {what}"
        case Play():
            if not after.trick:
                trick = after.tricks[-1]
                names = " ".join(map(card_name, trick.cards))
                led, won = letters[trick.leader], letters[trick.winner]
                yield f"trick {len(after.tricks):2}: {led} leads {names}, {won} wins"
        case Claim(tricks):
            yield f"the rest is agreed: {_numbers(tricks)}"
        case Score():
            result = after.results[-1]
            first = "" if result.first_over is None else f", {letters[result.first_over]} first over"
            owed = "" if state.profile.contracts else f" of {_numbers(result.quotas)}"
            yield f"tricks {_numbers(result.tricks)}{owed}: {_signed(result.balances)}{first}"
            yield f"totals of players {' '.join(map(str, range(len(letters))))}: {_signed(after.totals)}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def _signed(numbers: tuple[int, ...]) -> str:
    return " ".join(f"{number:+}" if number else "0" for number in numbers)


def _players(players: tuple[int, ...]) -> str:
    return " and ".join(f"player {player}" for player in players)
