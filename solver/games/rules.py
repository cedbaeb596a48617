"""The rules engine: which actions are open, and the state after one.

A deal walks through its profile's phases; a phase in which nobody has anything to do is passed over. Every refusal is
an InputError whose `code` names the rule and whose `field` names the action; the state stays as it was.

    codes: wrong_phase wrong_turn not_held revoke parcel_size wrong_return discard_size illegal_bid illegal_call
           illegal_trump wrong_deal wrong_turned wrong_show wrong_claim wrong_type
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from tierce.solver.cards import Mask, cards_of, mask_of
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.deal import Deal
from tierce.solver.games import contract_auction, phases
from tierce.solver.games.actions import (
    Action,
    Bid,
    BidValue,
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
    Swap,
    TakeKitty,
)
from tierce.solver.games.auction import bidder, open_bids
from tierce.solver.games.phases import automatic_action, namer, open_sends, open_trumps, two_holder
from tierce.solver.games.refusing import refuse
from tierce.solver.games.state import State

__all__ = ["Open", "apply", "automatic", "legal", "settle"]


@dataclass(frozen=True, slots=True)
class Open:
    """Something that may be done now: an action's kind, by whom, and the choice it leaves.

    seat     who may do it; None for what nobody does (the deal, the score, an agreed claim)
    choices  all actions, where they can be listed shortly: bids, calls, suits, cards, and the automatic ones
    among, count   for parcels and discards: any `count` cards of the mask `among`
    """

    kind: type[Action]
    seat: int | None = None
    choices: tuple[Action, ...] = ()
    among: Mask = 0
    count: int = 0
    to: int | None = None

    def actions(self) -> Iterator[Action]:
        """Every action this stands for; none for a deal or a claim, which the rules do not choose."""
        yield from self.choices
        for cards in combinations(cards_of(self.among), self.count) if self.count else ():
            if self.kind is Discard:
                yield Discard(0, mask_of(cards))
            elif self.to is not None and self.seat is not None:
                yield Send(self.seat, self.to, mask_of(cards))


def legal(state: State) -> tuple[Open, ...]:
    """What may be done now; () when the match is over."""
    phase = state.phase
    if phase == "OVER":
        return ()
    if phase == "DEAL":
        return (Open(DealCards),)
    if phase == "BID":
        return (_open_bids(state),)
    if phase in ("EXCHANGE", "SEND", "RETURN"):
        return _open_exchange(state)
    if phase == "CALL":
        left = (call for call in state.profile.calls if call not in state.used[state.dealer])
        return (Open(Call, 0, tuple(Call(0, call) for call in left)),)
    if phase == "TRUMP":
        seat = namer(state)
        return (Open(NameTrump, seat, tuple(NameTrump(seat, trump) for trump in open_trumps(state))),)
    if phase == "DISCARD":
        return (Open(Discard, 0, among=state.hands[0], count=state.profile.kitty),)
    if phase == "SWAP":
        seat = two_holder(state)
        return (Open(Swap, seat, (Swap(seat, True), Swap(seat, False))),)
    if phase == "PLAY":
        seat = state.mover
        cards = Open(Play, seat, tuple(Play(seat, card) for card in state.playable(seat)))
        return (cards,) if state.trick else (cards, Open(Claim))
    return (Open(type(action := automatic_action(state)), getattr(action, "seat", None), (action,)),)


def automatic(state: State) -> Action | None:
    """The action that is due without anybody's choice, if there is one."""
    if state.phase in ("KITTY", "SHOW", "SCORE") or (state.queue and state.queue[0][0] == "return"):
        return automatic_action(state)
    return None


def settle(state: State) -> State:
    """The state after all actions that are due without anybody's choice."""
    while (action := automatic(state)) is not None:
        state = apply(state, action)
    return state


def _open_bids(state: State) -> Open:
    """The bids from low to high, then a pass."""
    found: tuple[BidValue, ...]
    if state.profile.contracts:
        speaker = contract_auction.bidder(state)
        assert speaker is not None
        seat, found = speaker, contract_auction.open_bids(state)
    else:
        seat, found = bidder(state), tuple(open_bids(state))
    return Open(Bid, seat, tuple(Bid(seat, bid) for bid in (*found, None)))


def _open_exchange(state: State) -> tuple[Open, ...]:
    step, i = state.queue[0]
    if step == "return":
        return (Open(Return, state.transfers[i].receiver, (automatic_action(state),)),)
    return tuple(
        Open(Send, each.sender, among=state.hands[each.sender], count=each.count, to=each.receiver)
        for each in (state.transfers[i] for i in open_sends(state))
    )


def apply(state: State, action: Action) -> State:
    """The state after an action. InputError, with the rule that forbids it, if it is not open now."""
    phase = state.phase
    kinds, done = _APPLY.get(phase, ((), _over))
    if not isinstance(action, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds) or "nothing more"
        found = type(action).__name__
        refuse("wrong_phase", f"expected {expected} in the phase {phase}, found {found}", _field(action))
    _check_values(action)
    return done(state, action)


def _field(action: object) -> str:
    """What refusals call the field of an action."""
    name = type(action).__name__.lower()
    named = {"dealcards": "deal", "nametrump": "trump", "takekitty": "kitty", "send": "exchange", "return": "exchange"}
    return named.get(name, name)


def _check_values(action: Action) -> None:
    """Cards must be a mask, a card and tricks whole numbers, a deal a Deal; the rest is compared with what is open."""
    expected = ""
    found: object = None
    deal: object = getattr(action, "deal", None)
    if isinstance(action, Send | Return | Discard | Show) and not is_whole(action.cards):
        expected, found = "cards as a mask, such as mask_of(parse_cards('S2 S3'))", action.cards
    elif isinstance(action, Play) and not is_whole(action.card):
        expected, found = "a card, such as parse_card('S2')", action.card
    elif isinstance(action, Claim) and not _whole_numbers(action.tricks):
        expected, found = "tricks by seat, such as (3, 2, 0)", action.tricks
    elif isinstance(action, DealCards) and not isinstance(deal, Deal):
        expected, found = "a Deal", deal
    elif isinstance(action, DealCards) and not (action.turned is None or is_whole(action.turned)):
        expected, found = "a turned-up card, such as parse_card('S2'), or None", action.turned
    if expected:
        refuse("wrong_type", f"expected {expected}, found {quoted(found)}", _field(action))


def _whole_numbers(found: object) -> bool:
    values = as_tuple(found)
    return values is not None and all(map(is_whole, values))


def _over(state: State, action: Action) -> State:
    refuse("wrong_phase", "expected nothing more: the match is over", _field(action))


_Done = Callable[[State, Any], State]  # each takes the kinds beside it: `apply` has checked
_APPLY: Final[Mapping[str, tuple[tuple[type, ...], _Done]]] = MappingProxyType(
    {
        "DEAL": ((DealCards,), phases.do_deal),
        "BID": ((Bid,), phases.do_bid),
        "EXCHANGE": ((Send, Return), phases.do_exchange),
        "SEND": ((Send,), phases.do_exchange),
        "RETURN": ((Return,), phases.do_exchange),
        "CALL": ((Call,), phases.do_call),
        "TRUMP": ((NameTrump,), phases.do_trump),
        "DISCARD": ((Discard,), phases.do_discard),
        "KITTY": ((TakeKitty,), phases.do_kitty),
        "SHOW": ((Show,), phases.do_show),
        "SWAP": ((Swap,), phases.do_swap),
        "PLAY": ((Play, Claim), phases.do_play),
        "SCORE": ((Score,), phases.do_score),
    }
)
