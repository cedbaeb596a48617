"""A view by the rules from what is told of it, with all that follows from the rest.

The rules are asked on a table that is like the one told in everything a seat can see: who deals, what was bid, named,
sent and played, and how many cards are where. Cards that the seat does not see are any cards there, for nobody looks
at them. So a view is the same whether it was read or is one of a match, and what is told beyond need is compared.

What no deal can come to (a card twice, a hand of the wrong size, a parcel that the deal before does not call for, a
suit not followed) is refused here, with the field; whether hands that fit can be found at all, only `PlayWorlds` knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tierce.solver.cards import (
    LANE,
    LANE_BITS,
    SUIT_LETTERS,
    SUIT_NAMES,
    SUITS,
    Card,
    Mask,
    bit,
    card_name,
    card_names,
    mask_of,
    parse_card,
    suit_of,
)
from tierce.solver.games import exchange
from tierce.solver.games.actions import Score
from tierce.solver.games.auction import AUCTION_QUOTAS, auction_over, bidder, open_bids, standing
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import CALLS, MIZ, Profile
from tierce.solver.games.rules import apply
from tierce.solver.games.state import ELDEST, State, Trick
from tierce.solver.games.view import View, view
from tierce.solver.hints.view_contracts import check_contract_cards, contracted, with_open_hand
from tierce.solver.hints.view_exchange import Move, any_cards, begun, done, exchanged, hand_sizes, refuse_early
from tierce.solver.hints.view_told import NOT_TOLD, Told, refuse, state_before, used_of
from tierce.solver.position import winning_place

__all__ = ["view_of"]

_NUMBERS: Final = {2: "two", 3: "three", 4: "four"}


def view_of(told: Told) -> View:
    """The view that is told. InputError, with the field, for what no deal of the game can come to."""
    state = _at(told, state_before(told))
    of_three = (_auction, _named, _swapped, exchanged, _laid_away, _played)
    for step in (contracted, _played) if told.profile.contracts else of_three:
        state = step(told, state)
    _check_cards(told, state)
    if told.phase == "OVER":
        state = _scored(state)
    found = view(state, told.seat)
    _check_what_follows(told, found)
    return found


def _at(told: Told, before: State) -> State:
    """The deal in its phase, nothing done yet."""
    steps = before.steps
    phase = "SCORE" if told.phase == "OVER" else told.phase
    if phase not in steps:
        kind = "the first deal" if before.first else "a later deal"
        refuse("phase", f"expected a phase of {kind}, {' '.join(steps)}, or OVER, found {told.phase}")
    if told.dealer is not None and not before.first and told.dealer != before.dealer:
        refuse("dealer", f"expected player {before.dealer} to deal, found {told.dealer}")
    dealer = before.dealer if told.dealer is None else told.dealer
    return replace(before, at=steps.index(phase), dealer=dealer)


# ---- bids, call, up-card ---------------------------------------------------------------------------------------------


def _auction(told: Told, state: State) -> State:
    """The bids by the rules; quotas of the bid that stands."""
    if not begun(state, "BID"):
        refuse_early(told.bids, "bids", state, "BID")
        return state
    for place, tricks in enumerate(told.bids):
        if auction_over(state):
            refuse(f"bids[{place}]", "expected no bid after the end of the auction, found one")
        if tricks is not None and (not isinstance(tricks, int) or tricks not in open_bids(state)):
            refuse(f"bids[{place}]", f"expected a bid that is open, or a pass, found {tricks}")
        state = replace(state, bids=(*state.bids, (bidder(state), tricks)))
    bid = standing(state)
    if done(state, "BID") != auction_over(state) or (done(state, "BID") and bid is None):
        expected = "an auction that somebody has won" if done(state, "BID") else "an auction that is not over"
        refuse("bids", f"expected {expected} in the phase {state.phase}, found {len(told.bids)} bids")
    return replace(state, quotas=AUCTION_QUOTAS[bid[1]]) if bid and done(state, "BID") else state


def _named(told: Told, state: State) -> State:
    """The trump, or the call."""
    profile = state.profile
    field, step = ("call", "CALL") if profile.calls else ("trump", "TRUMP")
    if not done(state, step):
        refuse_early(told.call, field, state, step)
        return state
    open_ = profile.calls or CALLS[:4]
    used = used_of(state.results)[state.dealer] if profile.calls else frozenset()
    if told.call not in open_ or told.call in used:
        left = " ".join(call for call in open_ if call not in used)
        refuse(field, f"expected one of {left} in the phase {state.phase}, found {told.call or 'none'}")
    return replace(state, call=told.call, quotas=profile.caps() if told.call == MIZ else state.quotas)


def _swapped(told: Told, state: State) -> State:
    """The card that lies face up, and who took what lay there before."""
    if "SWAP" not in state.steps or not state.at:
        refuse_early(told.up_card, "up_card", state, "SWAP")
        refuse_early(told.swap is not None, "swap", state, "SWAP")
    elif told.up_card.bit_count() != 1:
        refuse("up_card", f"expected the card that lies face up, found {card_names(told.up_card) or 'none'}")
    _check_swap(told, state)
    for name in ("swapper", "taken_up"):
        found = getattr(told, name) not in (None, 0)
        if found and not told.swap:
            refuse(name, "expected none where the up-card was not taken, found one")
    if told.swap and told.swapper is None:
        refuse("swapper", "expected the seat that took the up-card, found none", "missing")
    if told.taken_up and (told.taken_up.bit_count() != 1 or told.taken_up == bit(TWO)):
        refuse("taken_up", f"expected the card that was taken up, found {card_names(told.taken_up)}")
    kitty = told.up_card if "SWAP" in state.steps else 0
    return replace(state, swapped=told.swap, swapper=told.swapper, taken_up=told.taken_up, kitty=kitty)


def _check_swap(told: Told, state: State) -> None:
    """Was there a choice, and is it told once it is made?"""
    if "SWAP" not in state.steps or not state.at:
        return
    two = told.up_card == bit(TWO)
    if state.phase == "SWAP" and two:
        refuse("phase", "expected no phase SWAP where D2 lies face up, found it")
    if not done(state, "SWAP"):
        refuse_early(told.swap is not None, "swap", state, "SWAP")
    elif told.swap is None and not two:
        refuse("swap", "expected whether the holder of D2 took the up-card, found nothing", "missing")
    elif told.swap is not None and told.swap != two:
        expected = "D2 to lie face up once the up-card is taken" if told.swap else "another up-card than D2"
        refuse("up_card", f"expected {expected}, found {card_names(told.up_card)}")


# ---- discard, kitty, play --------------------------------------------------------------------------------------------


def _laid_away(told: Told, state: State) -> State:
    """Discard, kitty and the cards shown of it, and the card out of the pack."""
    profile, discards = state.profile, state.profile.kitty if done(state, "DISCARD") else 0
    if told.seat == 0 and (told.discard or 0).bit_count() != discards:
        found = card_names(told.discard or 0) or "none"
        refuse("discard", f"expected a discard of {discards} cards in the phase {state.phase}, found {found}")
    if told.seat and told.discard is not None:
        refuse("discard", "expected none, for only the dealer sees it, found one")
    _check_shown(told, state)
    if state.phase == "SHOW":
        state = replace(state, queue=_shows(state))
    kitty = state.kitty
    if "SWAP" not in state.steps and state.at and not done(state, "KITTY"):
        kitty = any_cards(profile.kitty)
    return replace(
        state,
        discard=told.discard or any_cards(discards),
        kitty=kitty,
        removed=_removed(profile) if state.at else 0,
        shown=((told.seat, told.shown),) if told.shown else (),
    )


def _shows(state: State) -> tuple[Move, ...]:
    """The dealer has something to show; to whom, the others may not know."""
    answered = tuple(("show", i) for i, each in enumerate(state.transfers) if each.receiver == 0)
    if not answered:
        refuse("phase", "expected no phase SHOW where the dealer has returned nothing, found it")
    return answered


def _check_shown(told: Told, state: State) -> None:
    """Kitty cards are shown that would have had to be returned."""
    if not begun(state, "SHOW"):
        refuse_early(told.shown, "shown", state, "SHOW")
    due = 0
    for each in state.transfers:
        if each.receiver == 0 and told.seat in (each.sender, each.receiver):
            due |= exchange.shown_cards(each, told.shown, state.profile.options)
    if stray := told.shown & ~due:
        refuse("shown", f"expected kitty cards that the dealer has to show to this seat, found {card_names(stray)}")


def _removed(profile: Profile) -> Mask:
    """The card that all know to be out of the pack."""
    card = profile.option("removed_card")
    return bit(parse_card(card)) if profile.removed and isinstance(card, str) and card != "random_hidden" else 0


def _played(told: Told, state: State) -> State:
    """The cards played, trick by trick, and the hands that are left."""
    if not begun(state, "PLAY"):
        refuse_early(told.tricks or told.trick.cards, "tricks", state, "PLAY")
    if state.phase == "SCORE" and told.trick.cards:
        refuse("trick", "expected no trick on the table after the play, found one")
    seats, names = state.profile.seats, state.profile.seat_names
    leader, taken, tricks = _first_leader(state), [0] * seats, []
    for number, each in enumerate(told.tricks):
        field = f"tricks[{number}]"
        if len(each.cards) != seats:
            refuse(field, f"expected {_NUMBERS[seats]} cards, found {len(each.cards)}", "trick_size")
        _check_seat(each.leader, leader, f"{field}.leader", "to lead", names)
        winner = (leader + winning_place(each.cards, state.trump)) % seats
        _check_seat(each.winner, winner, f"{field}.winner", "to win the trick", names)
        tricks.append(Trick(leader, each.cards, winner))
        taken[winner] += 1
        leader = winner
    _check_seat(told.trick.leader, leader, "trick.leader", "to lead", names)
    if len(told.trick.cards) >= seats:
        message = f"expected at most {_NUMBERS[seats - 1]} cards on the table, found {len(told.trick.cards)}"
        refuse("trick", message, "trick_size")
    state = replace(state, tricks=tuple(tricks), trick=told.trick.cards, leader=leader)
    return _held(told, replace(state, taken=tuple(taken)))


def _first_leader(state: State) -> int:
    return ELDEST if state.contract is None else state.contract.leader


def _check_seat(told: int | None, expected: int, field: str, what: str, names: Sequence[str]) -> None:
    if told not in (None, expected):
        refuse(field, f"expected {names[expected]} {what}, found {names[told or 0]}")


def _held(told: Told, state: State) -> State:
    """The state with hands, and with what a claim brought after the play."""
    sizes = hand_sizes(state)
    left = sizes[told.seat]
    if min(sizes) < 0 or (state.phase == "PLAY" and min(sizes) < 1 and not state.trick):
        refuse("tricks", f"expected fewer than {state.profile.hand} tricks, found {len(state.tricks)}")
    if left != told.hand.bit_count():
        refuse("hand", f"expected {left} cards in the hand, found {told.hand.bit_count()}", "hand_size")
    hands = [told.hand if seat == told.seat else any_cards(size) for seat, size in enumerate(sizes)]
    if state.contract is not None:
        hands = with_open_hand(told, state, hands)
    state = replace(state, hands=tuple(hands))
    void = state.profile.contracts and state.contract is None
    return _claimed(told, state, left) if state.phase == "SCORE" and left and not void else state


def _claimed(told: Told, state: State, left: int) -> State:
    """After a claim: the tricks that were given away are those taken beyond those played."""
    if told.taken is None:
        refuse("taken", f"expected the tricks taken, {left} of them by a claim, found none", "missing")
    claim = tuple(taken - won for taken, won in zip(told.taken, state.taken, strict=True))
    if min(claim) < 0 or sum(claim) != left:
        refuse("taken", f"expected {left} tricks more than those played, found {list(told.taken)}")
    return replace(state, taken=told.taken, claim=claim)


# ---- all cards at once -----------------------------------------------------------------------------------------------


def _check_cards(told: Told, state: State) -> None:
    """Each card in one place, of the pack; this seat followed suit."""
    places = [("hand", told.hand), ("discard", told.discard or 0), ("up_card", told.up_card)]
    places += [(field, bit(card)) for _, field, card, _ in _plays(state)]
    seen = state.removed
    for field, cards in places:
        if double := cards & seen:
            refuse(field, f"expected each card in one place, found {card_names(double)} in two", "duplicate_card")
        seen |= cards
    others = told.shown | told.taken_up
    for parcel in told.exchange:
        others |= (parcel.sent or 0) | (parcel.returned or 0)
    if stray := (seen | others) & ~state.profile.pack:
        field = "hand" if stray & told.hand else "view"
        refuse(field, f"expected cards of the {4 * state.profile.ranks}-card pack, found {card_names(stray)}")
    _check_own_plays(told, state)
    _check_others_plays(state)
    if state.profile.contracts:
        check_contract_cards(told, state)
    _check_taken_up(told, state)


def _check_taken_up(told: Told, state: State) -> None:
    """A card that another took from the table cannot have been this seat's, but where it was sent on."""
    if not told.taken_up or told.swapper == told.seat:
        return
    parcels = 0
    for parcel in told.exchange:
        parcels |= (parcel.sent or 0) | (parcel.returned or 0)
    own = told.hand | mask_of(card for seat, _, card, _ in _plays(state) if seat == told.seat)
    sent_on = parcels if _swap_first(state) else 0
    if told.taken_up & (own | parcels) & ~sent_on:
        refuse("taken_up", f"expected a card that was not this seat's, found {card_names(told.taken_up)}")


def _swap_first(state: State) -> bool:
    """Is the up-card taken before the exchange?"""
    steps = state.steps
    return "EXCHANGE" in steps and steps.index("SWAP") < steps.index("EXCHANGE")


def _check_own_plays(told: Told, state: State) -> None:
    """This seat followed suit: what it held is known."""
    mine = [(field, card, led) for seat, field, card, led in _plays(state) if seat == told.seat]
    own = told.hand | mask_of(card for _, card, _ in mine)
    for field, card, led in mine:
        own &= ~bit(card)
        if suit_of(card) != led and own & LANE << LANE_BITS * led:
            name = state.profile.seat_names[told.seat]
            message = f"expected {name} to follow {SUIT_NAMES[led]}, found {card_name(card)}"
            refuse(field, message, "revoke")


def _check_others_plays(state: State) -> None:
    """In a game of contracts nobody gets cards: who has shown a void plays none of that suit."""
    voids: set[tuple[int, int]] = set()
    for seat, field, card, led in _plays(state) if state.profile.contracts else ():
        if (seat, suit_of(card)) in voids:
            name, suit = state.profile.seat_names[seat], SUIT_NAMES[suit_of(card)]
            message = f"expected no {suit} from {name}, which has shown a void, found {card_name(card)}"
            refuse(field, message, "revoke")
        if suit_of(card) != led:
            voids.add((seat, led))


def _plays(state: State) -> Iterator[tuple[int, str, Card, int]]:
    """(seat, field, card, suit led) of every card played."""
    rows = [(f"tricks[{i}]", trick.leader, trick.cards) for i, trick in enumerate(state.tricks)]
    for field, leader, cards in (*rows, ("trick", state.leader, state.trick)):
        for place, card in enumerate(cards):
            yield (leader + place) % state.profile.seats, field, card, suit_of(cards[0])


def _scored(state: State) -> State:
    """The match after its last deal."""
    after = apply(state, Score())
    if after.phase != "OVER":
        refuse("phase", "expected OVER only where this deal has ended the match, found it in one that goes on")
    return after


def _check_what_follows(told: Told, found: View) -> None:
    """What was told beyond need is what follows."""
    given = dict(told.follows or {})
    given |= {name: getattr(told, name) for name in ("counts", "taken") if getattr(told, name) is not None}
    given |= {} if told.to_move == NOT_TOLD else {"to_move": told.to_move}
    for name, said in given.items():
        due = _contract_part(name, found) if name in ("contract", "declarers") else getattr(found, name)
        if said != due:
            names = told.profile.seat_names
            refuse(name, f"expected {_spelled(name, due, names)}, found {_spelled(name, said, names)}")


def _contract_part(name: str, found: View) -> object:
    contract = found.contract
    return None if contract is None else contract.name if name == "contract" else contract.declarers


def _spelled(name: str, value: object, names: Sequence[str]) -> str:
    """A value as a message shows it."""
    if name == "declarers" and isinstance(value, tuple):
        return " and ".join(names[seat] for seat in value)
    if isinstance(value, tuple):
        texts = (_spelled(name, each, names) for each in value)
        return ", ".join(f"{name_} {text}" for name_, text in zip(names, texts, strict=True))
    if name == "to_move":
        return names[value] if isinstance(value, int) else "nobody"
    if name == "voids" and isinstance(value, int):
        return "".join(SUIT_LETTERS[suit] for suit in SUITS if value >> suit & 1) or "none"
    if name in ("seen", "unseen", "known", "traced") and isinstance(value, int):
        return card_names(value) or "none"
    return "none" if value is None else str(value)
