"""The player `simple`: every decision by rules of thumb, from what its seat can see, without a world.

card      policy.pxd
trump, discard, swap   the quick rule of tierce.solver.advice.quick: the hand of the highest measure
parcel    the lowest cards outside the suit that is likely to be trump
call      where the measure promises most beyond what is owed (in MIZ: most below what may be taken)
bid       the lowest there is, if the measure promises it

In a game of contracts all of it is in simple_contract.py.
"""

from __future__ import annotations

from typing import Final

from tierce.solver.advice.candidates import open_calls
from tierce.solver.advice.choices import trump_of
from tierce.solver.advice.measure import measure, weights
from tierce.solver.batch.sender_rules import keep_long
from tierce.solver.cards import Mask, bit, cards_of, mask_of
from tierce.solver.checks import check_type
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.games.auction import open_bids
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO, two_holder
from tierce.solver.games.profile import MIZ
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State
from tierce.solver.games.view import SeenTransfer, View
from tierce.solver.hints._playouts import Scene, Thumb
from tierce.solver.hints.simple_contract import simple_decision

__all__ = ["THUMB", "discards_ahead", "next_parcel", "promise", "reply_simply", "scene_of", "simple_action"]

THUMB: Final = Thumb(weights())
_OFFSET: Final = -1.2  # what makes a measure a number of tricks
_MIZ_OFFSET: Final = -5.0


def simple_action(view: View) -> Action:
    """What the player does. InputError (code "not_due") where the seat has nothing to decide."""
    check_type(view, View, "a View")
    check_turn(view)
    if view.profile.contracts:
        return simple_decision(view)
    if view.phase == "PLAY":
        return Play(view.seat, scene_of(view).choice(view.hand, view.discard or 0))
    if view.phase in ("EXCHANGE", "SEND"):
        parcel = next_parcel(view)
        return Send(view.seat, parcel.receiver, keep_long(view, (parcel,))[0])
    if view.phase == "BID":
        return Bid(view.seat, _bid(view))
    if view.phase == "CALL":
        return Call(0, max(open_calls(view), key=lambda call: _surplus(view, call)))
    if view.phase == "SWAP":
        return Swap(view.seat, True)
    count = discards_ahead(view)
    if view.phase == "TRUMP":
        return NameTrump(0, _trump(view.hand, count))
    if view.call == MIZ:
        return Discard(0, mask_of(sorted(cards_of(view.hand), key=lambda card: -(card & 15))[:count]))
    trump = trump_of(view.call) if view.call else _trump(view.hand, count)  # it may be named later
    return Discard(0, THUMB.discard(view.hand, trump, count, view.hand))


def reply_simply(state: State) -> State:
    """The state at the first lead after the dealer's choices, which are this player's; swaps of others are made. The
    same as `quick.reply_quickly`, natively: hints ask it of every world."""
    count = state.profile.kitty if "DISCARD" in state.steps[state.at :] else 0
    while (state := settle(state)).phase != "PLAY":
        if state.phase == "TRUMP":
            state = apply(state, NameTrump(0, _trump(state.hands[0], count)))
        elif state.phase == "DISCARD":
            trump = state.trump if state.call else _trump(state.hands[0], count)
            state = apply(state, Discard(0, THUMB.discard(state.hands[0], trump, count, state.hands[0])))
        else:
            state = apply(state, Swap(two_holder(state), True))
    return state


def scene_of(view: View, noise: int = 0, seed: int = 0, think: int = 0) -> Scene:
    """The play at the moment of a view, as its seat sees it. Before the first lead, with the call that is known."""
    gone = mask_of(card for trick in view.tricks for card in trick.cards) | mask_of(view.trick)
    gone |= view.removed | view.up_card
    pack = view.profile.pack
    if view.contract is not None:
        contract, play = view.contract, (view.leader, view.trick, view.seat, noise, seed, 0)
        sides = (contract.declarers, contract.defenders)
        friends = [sum(1 << each for each in side) for seat in range(4) for side in sides if seat in side]
        rule = contract.rule
        told = (friends, contract.declarers[0], rule.open)
        return Scene(pack, gone, view.voids, contract.trump, rule.fewest, *play, *told)
    trump, few = trump_of(view.call), view.call == MIZ
    return Scene(pack, gone, view.voids, trump, few, view.leader, view.trick, view.seat, noise, seed, think)


def check_turn(view: View) -> None:
    """Refuse a view at which its seat has nothing to decide."""
    name = view.profile.letters[view.seat]
    sends = view.phase in ("EXCHANGE", "SEND")
    if view.phase == "SWAP":
        due = bool(view.hand & bit(TWO))
    else:
        due = view.to_move == view.seat and (sends or view.phase in ("BID", "CALL", "TRUMP", "DISCARD", "PLAY"))
    if not due:
        who = "nobody" if view.to_move is None else view.profile.letters[view.to_move]
        message = f"expected a moment at which {name} decides, found one of {who} in the phase {view.phase}"
        raise InputError("not_due", message, field="view")
    if sends and _parcel(view) is None:
        raise InputError("not_due", f"expected a parcel that {name} owes, found cards to return", field="view")


def next_parcel(view: View) -> Transfer:
    """The parcel that the seat owes next. InputError (code "not_due") where it owes none."""
    found = _parcel(view)
    if found is None:
        raise InputError("not_due", f"expected a parcel of {'DEM'[view.seat]} to be due, found none", field="view")
    return Transfer(found.sender, found.receiver, found.count)


def _parcel(view: View) -> SeenTransfer | None:
    return next((each for each in view.transfers if each.sender == view.seat and not each.sent), None)


def discards_ahead(view: View) -> int:
    """Cards that the dealer has still to lay away."""
    steps = view.profile.steps(first=not view.results)
    return view.profile.kitty if "DISCARD" in steps[steps.index(view.phase) :] else 0


def promise(hand: Mask, call: str, count: int) -> float:
    """A guess at the tricks of a dealer who lays so many cards away."""
    if call == MIZ:
        left = mask_of(sorted(cards_of(hand), key=lambda card: card & 15)[: hand.bit_count() - count])
        return -measure(left, 4, few=True) + _MIZ_OFFSET
    trump = trump_of(call)
    return THUMB.measure(hand & ~THUMB.discard(hand, trump, count, hand), trump) + _OFFSET


def _trump(hand: Mask, count: int) -> int:
    return max(range(4), key=lambda trump: (promise(hand, "SHDC"[trump], count), -trump))


def _surplus(view: View, call: str) -> float:
    """What a call promises beyond what is owed."""
    tricks = promise(view.hand, call, discards_ahead(view))
    return view.profile.caps()[0] - tricks if call == MIZ else tricks - view.quotas[0]


def _bid(view: View) -> int | None:
    left = open_bids(State(view.profile, bids=view.bids))
    best = max(promise(view.hand, call, discards_ahead(view)) for call in "SHDC")
    return left.start if left and best >= left.start else None
