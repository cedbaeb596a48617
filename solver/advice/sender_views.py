"""A sender's view of the exchange from what he can say: his hand, and the result of the deal before.

    sender_view(load_game("raf"), parse_hand("AKQ.T9..."), previous=(10, 4, 2))           the first to send
    sender_view(profile, hand, previous=(6, 5, 5), seat=2)                                the second
    sender_view(profile, hand, previous=(10, 4, 2), sent=..., got=...)                    his second parcel

A deal is made up in which he holds these cards, and played to his turn by the rules; what he sees there does not depend
on the cards of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from tierce.solver.advice.layouts import Layouts
from tierce.solver.advice.sending import due, exchange_of_deal, sender_of
from tierce.solver.cards import (
    LANE,
    LANE_BITS,
    SUITS,
    Mask,
    bit,
    card_names,
    cards_of,
    format_hand,
    mask_of,
    parse_card,
)
from tierce.solver.checks import check_type, check_whole, is_whole, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.actions import Send
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import open_sends
from tierce.solver.games.profile import Profile, three_hands
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State
from tierce.solver.games.view import View, view

__all__ = ["sender_view"]

_SEATS: Final = range(3)


def sender_view(
    profile: Profile,
    hand: Mask,
    previous: Sequence[int],
    *,
    quotas: Sequence[int] | None = None,
    first_over: int | None = None,
    seat: int | None = None,
    sent: Mask = 0,
    got: Mask = 0,
    up_card: Mask = 0,
    discard: Mask = 0,
) -> View:
    """The view of a sender whose parcel is due.

    hand        his cards now
    previous, quotas, first_over   of the deal before, as `exchange_of_deal` has them
    seat        of today: the first sender's where it is not told
    sent, got   his first parcel and what came back, where he serves his receivers one after the other and the second
                is due
    up_card     the card that lies face up, in a game with one
    discard     what he laid away, if he is the dealer and did so before the exchange

    InputError (field "hand", "previous", "seat", "sent", "got", "up_card" or "discard") for what the game does not
    allow; (code "not_due") where nobody sends.
    """
    check_type(profile, Profile, "a Profile")
    three_hands(profile, "a sender's view")
    start = _start(profile, previous, quotas, first_over)
    seat = sender_of(start) if seat is None else _checked_seat(start, seat)
    _check_cards(start, hand, seat, up_card, discard)
    _check_parcel(start, hand, seat, sent, got)
    began = hand & ~got | sent
    deal = _made_up(start, began, seat, sent, got, up_card, discard)
    state = exchange_of_deal(profile, deal, previous, quotas=quotas, first_over=first_over)
    return view(_played(state, seat, sent, got), seat)


def _start(profile: Profile, previous: Sequence[int], quotas: Sequence[int] | None, first_over: int | None) -> State:
    """The exchange, with any cards: who sends how many to whom."""
    cards = cards_of(profile.pack & ~_removed(profile))
    size = profile.hand
    hands = tuple(mask_of(cards[seat * size : (seat + 1) * size]) for seat in _SEATS)
    deal = Deal(hands, mask_of(cards[3 * size :]) | _removed(profile))
    return exchange_of_deal(profile, deal, previous, quotas=quotas, first_over=first_over)


def _removed(profile: Profile) -> Mask:
    """The card that all know to be out of the pack."""
    card = profile.option("removed_card")
    return bit(parse_card(card)) if isinstance(card, str) and card != "random_hidden" else 0


# ---- what was said ---------------------------------------------------------------------------------------------------


def _checked_seat(start: State, seat: int) -> int:
    check_whole(seat, 0, 2, "a seat 0, 1 or 2", "seat")
    up = sorted({each.sender for each in start.transfers})
    if seat not in up:
        _refuse("seat", f"expected a seat that sends ({' or '.join(NAMES[each] for each in up)}), found {NAMES[seat]}")
    return seat


def _check_cards(start: State, hand: Mask, seat: int, up_card: Mask, discard: Mask) -> None:
    profile = start.profile
    for field, cards in (("hand", hand), ("up_card", up_card), ("discard", discard)):
        if not is_whole(cards) or cards < 0:
            _refuse(field, f"expected cards as a mask, found {quoted(cards)}")
        if stray := cards & ~(profile.pack & ~_removed(profile)):
            _refuse(field, f"expected cards that are in the game, found {card_names(stray)}")
    if hand.bit_count() != profile.hand:
        found = f"{hand.bit_count()}: {format_hand(hand)}"
        _refuse("hand", f"expected a hand of {profile.hand} cards, found {found}")
    expected = 1 if "SWAP" in start.steps else 0
    if up_card.bit_count() != expected or up_card & hand:
        what = "the card that lies face up" if expected else "no card that lies face up in this game"
        _refuse("up_card", f"expected {what}, found {card_names(up_card) or 'none'}")
    expected = profile.kitty if seat == 0 and start.discard else 0
    if discard.bit_count() != expected or discard & hand:
        what = f"the {expected} cards that the dealer has laid away" if expected else "no discard before this exchange"
        _refuse("discard", f"expected {what}, found {card_names(discard) or 'none'}")


def _check_parcel(start: State, hand: Mask, seat: int, sent: Mask, got: Mask) -> None:
    """A first parcel that was answered before the second is due."""
    if not sent and not got:
        return
    mine = [each for each in start.transfers if each.sender == seat]
    if start.phase != "EXCHANGE" or len(mine) < 2 or len(open_sends(start)) > 1:
        _refuse("sent", "expected no parcel that was answered before another is due, found one")
    pack = start.profile.pack & ~_removed(start.profile)
    for field, cards in (("sent", sent), ("got", got)):
        if not is_whole(cards) or cards < 0 or cards & ~pack or cards.bit_count() != mine[0].count:
            found = card_names(cards & pack) if is_whole(cards) else quoted(cards)
            what = f"{mine[0].count} card{'s' * (mine[0].count != 1)}"
            end = f"sent to {NAMES[mine[0].receiver]}" if field == "sent" else f"back from {NAMES[mine[0].receiver]}"
            _refuse(field, f"expected {what} {end}, found {found or 'none'}")
    if lost := sent & hand & ~got:
        _refuse("sent", f"expected cards sent not to be in the hand, found {card_names(lost)}")
    if lacking := got & ~hand:
        _refuse("got", f"expected cards got to be in the hand, found it without {card_names(lacking)}")
    if _suits(sent) != _suits(got):
        _refuse("got", f"expected as many cards of each suit as in {card_names(sent)}, found {card_names(got)}")
    due_ = exchange.returned(got & ~sent, sent, start.profile.options)
    if due_ != got:
        found = f"{card_names(got)}"
        _refuse("got", f"expected {card_names(due_)} or higher for {card_names(sent)}, found {found}")


def _suits(cards: Mask) -> tuple[int, ...]:
    return tuple((cards & LANE << LANE_BITS * suit).bit_count() for suit in SUITS)


# ---- the deal that is made up ----------------------------------------------------------------------------------------


def _made_up(start: State, began: Mask, seat: int, sent: Mask, got: Mask, up_card: Mask, discard: Mask) -> Deal:
    """A deal in which he begins with these cards, and gets back what he got."""
    profile = start.profile
    fixed = up_card | discard | _removed(profile)
    receiver = next(each.receiver for each in start.transfers if each.sender == seat)
    pool = profile.pack & ~(began | fixed)
    theirs = got & ~sent
    sizes = [0, 0, 0, profile.kitty + profile.removed - fixed.bit_count()]
    for each in _SEATS:
        sizes[each] = 0 if each == seat else profile.hand
    bars = [0, 0, 0, theirs]
    for each in _SEATS:
        bars[each] = theirs if each != receiver else 0
    if sent:
        bars[receiver] = _too_high(start, sent, got, pool)
    try:
        *hands, beside = next(iter(Layouts(pool, sizes, bars)))
    except InputError:
        _refuse("got", f"expected a hand that gives {card_names(got)} back, found that none can")
    hands[seat] = began
    return Deal(tuple(hands), beside | fixed)


def _too_high(start: State, sent: Mask, got: Mask, pool: Mask) -> Mask:
    """Cards of which one more in the receiver's hand would have changed what came back."""
    own, options = got & ~sent, start.profile.options
    tried = map(bit, cards_of(pool & ~own))
    return sum(card for card in tried if exchange.returned(own | card, sent, options) != got)


def _played(state: State, seat: int, sent: Mask, got: Mask) -> State:
    """On to his turn: a sender before him sends any cards, for he does not see them."""
    while sender_of(state) != seat:
        each = due(state)[0]
        state = _after(state, each, mask_of(cards_of(state.hands[each.sender])[: each.count]))
    if sent:
        state = _after(state, due(state)[0], sent)
        if state.transfers[0].returned != got:
            _refuse("got", f"expected {card_names(state.transfers[0].returned)}, found {card_names(got)}")
    return state


def _after(state: State, each: Transfer, cards: Mask) -> State:
    return settle(apply(state, Send(each.sender, each.receiver, cards)))


def _refuse(field: str, message: str) -> NoReturn:
    raise InputError(field, message, field=field)
