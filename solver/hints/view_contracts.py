"""What is told of a view of a game of contracts, by the rules: the turned-up card, the auction, the trump, the hand
that lies open. The play is that of all games (view_rules.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tierce.solver.cards import Card, Mask, bit, card_name, card_names, mask_of
from tierce.solver.games.contract_auction import bid_refusal, bidder, contract_found, trump_choices
from tierce.solver.games.contracts import UNNAMED
from tierce.solver.games.state import State
from tierce.solver.hints.view_exchange import begun, done, refuse_early
from tierce.solver.hints.view_told import Told, refuse

__all__ = ["check_contract_cards", "contracted", "with_open_hand"]

_OF_OTHERS = ("exchange", "discard", "shown", "up_card", "swap", "swapper", "taken_up")


def contracted(told: Told, state: State) -> State:
    """The state after the auction, as far as it has come, and the naming of a trump."""
    for name in _OF_OTHERS:
        if getattr(told, name):
            refuse(name, "expected none in a game of contracts, found some", "not_due")
    if not state.at:
        refuse_early(told.turned is not None, "turned", state, "BID")
    elif told.turned is None:
        refuse("turned", "expected the card that was turned up, found none", "missing")
    return _named(told, _auction(told, replace(state, turned=told.turned)))


def _auction(told: Told, state: State) -> State:
    """The bids, each by the rules."""
    if not begun(state, "BID"):
        refuse_early(told.bids, "bids", state, "BID")
        return state
    for place, word in enumerate(told.bids):
        seat = bidder(state)
        if seat is None:
            refuse(f"bids[{place}]", "expected no bid after the end of the auction, found one")
        if word is not None and not isinstance(word, str):
            refuse(f"bids[{place}]", f"expected a word of the auction, found {word}")
        if why := bid_refusal(state, word):
            refuse(f"bids[{place}]", f"expected a bid that is open, or a pass, found {word}: {why}")
        state = replace(state, bids=(*state.bids, (seat, word)))
    over = bidder(state) is None
    found = contract_found(state) if over else None
    void = over and found is None and state.phase == "SCORE"
    if done(state, "BID") != over or (over and found is None and not void):
        expected = "an auction that has found a contract" if done(state, "BID") else "an auction that is not over"
        refuse("bids", f"expected {expected} in the phase {state.phase}, found {len(told.bids)} bids")
    return state if found is None else replace(state, contract=found, leader=found.leader)


def _named(told: Told, state: State) -> State:
    """The trump: of the contract, or as its bidder has named it."""
    contract = state.contract
    if contract is None:
        refuse_early(told.call, "trump", state, "TRUMP")
        return state
    if state.phase == "TRUMP":
        if contract.trump != UNNAMED:
            refuse("phase", f"expected no phase TRUMP in {contract.rule.title}, found it")
        refuse_early(told.call, "trump", replace(state, steps=("BID", "PLAY")), "PLAY")
        return state
    allowed = trump_choices(state.profile, contract.rule) or (contract.trump,)
    letters = ["SHDCN"[each] for each in allowed]
    if told.call not in letters and (told.call or contract.trump == UNNAMED):
        refuse("trump", f"expected {' or '.join(letters)} in {contract.rule.title}, found {told.call or 'none'}")
    trump = "SHDCN".index(told.call or letters[0])
    return replace(state, contract=replace(contract, trump=trump), call="SHDCN"[trump])


def with_open_hand(told: Told, state: State, hands: Sequence[Mask]) -> list[Mask]:
    """The hands, with the one that lies open as it is told."""
    contract = state.contract
    found = list(hands)
    if contract is None or not contract.rule.open or not state.tricks:
        if told.exposed:
            refuse("exposed", "expected none before a hand lies open, found some", "not_due")
        return found
    declarer = contract.declarers[0]
    due = found[declarer].bit_count()
    if told.seat != declarer:
        if told.exposed.bit_count() != due:
            refuse("exposed", f"expected the {due} cards of the open hand, found {told.exposed.bit_count()}", "missing")
        found[declarer] = told.exposed
    elif told.exposed not in (0, told.hand):
        refuse("exposed", f"expected the own hand, found {card_names(told.exposed)}")
    return found


def check_contract_cards(told: Told, state: State) -> None:
    """The turned-up card is the dealer's, and each card of the open hand in one place."""
    names = state.profile.seat_names
    plays: list[tuple[int, int]] = []
    for leader, cards in (*((each.leader, each.cards) for each in state.tricks), (state.leader, state.trick)):
        plays += (((leader + place) % state.profile.seats, card) for place, card in enumerate(cards))
    played = mask_of(card for _, card in plays)
    if told.seat != _open(state) and (double := told.exposed & (played | told.hand)):
        refuse("exposed", f"expected each card in one place, found {card_names(double)} in two", "duplicate_card")
    if state.turned is None:
        return
    holder = _holder(told, state, dict((card, seat) for seat, card in plays))
    if holder != state.dealer:
        found = "elsewhere" if holder is None else f"with {names[holder]}"
        refuse("turned", f"expected {card_name(state.turned)} with {names[state.dealer]}, who dealt, found it {found}")


def _holder(told: Told, state: State, plays: Mapping[Card, int]) -> int | None:
    """Who has, or had, the turned-up card; None if all can see that nobody has whose hand the seat does not see."""
    turned = state.turned
    assert turned is not None
    if turned in plays:
        return plays[turned]
    if told.hand & bit(turned):
        return told.seat
    if told.exposed & bit(turned):
        return _open(state)
    seen = told.seat == state.dealer or (told.exposed and _open(state) == state.dealer)
    return None if seen else state.dealer


def _open(state: State) -> int | None:
    """Whose hand may lie open."""
    return None if state.contract is None or not state.contract.rule.open else state.contract.declarers[0]
