"""Moments at which a parcel is due in random exchanges, and all that looks the same to the sender."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from tests.advice.exchanges import random_large, random_small, scene
from tests.games.random_matches import chosen
from tierce.solver.advice.sending import exchange_of_deal, sender_of
from tierce.solver.cards import Mask, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Action,
    DealCards,
    Discard,
    Profile,
    Return,
    Send,
    State,
    Swap,
    View,
    apply,
    automatic,
    load_game,
    random_deal,
    view,
)
from tierce.solver.games.phases import two_holder

SIZES = ((3, 4), (3, 3), (4, 5), (4, 4), (5, 6), (5, 5))
Moment = tuple[State, State, list[Action]]


def sends(state: State) -> bool:
    """Is a parcel due?"""
    return bool(state.queue) and state.queue[0][0] == "send"


def seat_of(state: State) -> int:
    """Who sends it."""
    return state.transfers[state.queue[0][1]].sender


def moments_of(rng: random.Random, start: State) -> Iterator[Moment]:
    """(start, state, actions from the deal on) of each parcel of a random deal."""
    state, actions = start, list[Action]()
    while state.phase != "PLAY":
        if sends(state):
            yield start, state, list(actions)
        action = chosen(rng, state)
        actions.append(action)
        state = apply(state, action)


def random_moments(seed: int) -> Iterator[Moment]:
    """Games of the package, small ones in between."""
    rng = random.Random(f"sender {seed}")
    profile = random_large(rng) if rng.random() < 0.6 else random_small(rng, *rng.choice(SIZES))
    most = min(rng.choice((1, 2, 2, 3, 5)), profile.hand - 1)
    yield from moments_of(rng, scene(rng, profile, most, three=rng.random() < 0.8))


def replayed(start: State, actions: list[Action], deal: Deal, seat: int, unseen: list[Mask]) -> State:
    """The state after the same actions with another deal, and other cards where the seat saw none. InputError if they
    are not all legal."""
    state, left = start, list(unseen)
    for action in actions:
        if isinstance(action, DealCards):
            action = DealCards(deal)
        elif isinstance(action, Discard) and seat:
            action = Discard(0, left.pop(0))
        elif isinstance(action, Send) and action.seat != seat:
            action = Send(action.seat, action.to, left.pop(0))
        elif isinstance(action, Return):
            due = automatic(state)
            assert isinstance(due, Return) and (due.seat, due.to) == (action.seat, action.to)
            action = due
        elif isinstance(action, Swap) and not action.take:
            action = Swap(two_holder(state), False)  # nobody is told whose refusal it was
        state = apply(state, action)
    return state


def lookalikes(start: State, state: State, actions: list[Action]) -> Iterator[State]:
    """Every state of another deal, discard or unseen parcel that looks to the sender like this one, through the rules;
    a state may come from several of them."""
    seat = seat_of(state)
    seen = view(state, seat)
    assert state.dealt is not None
    for deal in deals(state.profile, seat, state.dealt.hands[seat]):
        for unseen in _choices(start, actions, deal, seat):
            try:
                other = replayed(start, actions, deal, seat, unseen)
            except InputError:
                continue
            if view(other, seat) == seen:
                yield other


def _choices(start: State, actions: list[Action], deal: Deal, seat: int) -> Iterator[list[Mask]]:
    """The unseen discard and the unseen parcel: all cards that can be meant."""
    pools = []
    for action in actions:
        if isinstance(action, Discard) and seat:
            pools.append(combinations(cards_of(deal.hands[0] | deal.kitty), action.cards.bit_count()))
        elif isinstance(action, Send) and action.seat != seat:
            kitty = deal.kitty if action.seat == 0 else 0
            pools.append(combinations(cards_of(deal.hands[action.seat] | kitty), action.cards.bit_count()))
    assert len(pools) <= 2
    if not pools:
        yield []
    for one in pools[0] if pools else ():
        if len(pools) == 1:
            yield [mask_of(one)]
        else:
            yield from ([mask_of(one), mask_of(two)] for two in _again(deal, actions, seat))


def _again(deal: Deal, actions: list[Action], seat: int) -> Iterator[tuple[int, ...]]:
    parcel = next(each for each in actions if isinstance(each, Send) and each.seat != seat)
    cards = deal.hands[parcel.seat] | (deal.kitty if parcel.seat == 0 else 0)
    return iter(combinations(cards_of(cards), parcel.cards.bit_count()))


def deals(profile: Profile, seat: int, own: Mask) -> Iterator[Deal]:
    """All deals with these cards of a seat's."""
    rest = cards_of(profile.pack & ~own)
    for one in combinations(rest, profile.hand):
        left = [card for card in rest if card not in one]
        for two in combinations(left, profile.hand):
            hands = [mask_of(one), mask_of(two)]
            hands.insert(seat, own)
            yield Deal(tuple(hands), mask_of(set(left) - set(two)))


def key(state: State) -> tuple[object, ...]:
    """What a world says, of a state."""
    return state.hands, state.kitty, state.discard, state.removed, state.transfers


def raf_view(previous: tuple[int, int, int] = (10, 4, 2), index: int = 3) -> View:
    """The first sender's view in a whole deal."""
    state = exchange_of_deal(load_game("raf"), random_deal(load_game("raf"), 1, index), previous)
    return view(state, sender_of(state))
