"""Moments of random deals, the play among them, and all that looks the same to a seat: by the rules alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from tests.advice.exchanges import random_large, random_small, scene
from tests.games.random_matches import chosen, settings_of, value
from tierce.solver.advice.play_worlds import PlayWorld
from tierce.solver.cards import Mask, bit, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Action,
    Call,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Profile,
    Return,
    Send,
    Show,
    State,
    Swap,
    TakeKitty,
    View,
    apply,
    automatic,
    new_match,
    view,
)
from tierce.solver.games.auction import standing
from tierce.solver.games.phases import TWO, two_holder

Moment = tuple[State, State, list[Action]]
NOBODY_DECIDES = ("DEAL", "RETURN", "SHOW", "SCORE")
SIZES = ((3, 4), (3, 3), (4, 5), (4, 4), (5, 6), (5, 5))
_SHOWS = ("kitty_first", "show_threshold", "show_after_null_return")


def random_game(rng: random.Random, large: float = 0.6) -> Profile:
    """A game of the package with any options, or one of a small pack."""
    if rng.random() < large:
        return settings_of(rng, "deputy") if rng.random() < 0.1 else random_large(rng)
    return random_shown(rng, *rng.choice(SIZES))


def random_shown(rng: random.Random, ranks: int, hand: int, shapes: tuple[str, ...] = ()) -> Profile:
    """A small game, where kitty cards are shown with random options for that."""
    profile = random_small(rng, ranks, hand, shapes) if shapes else random_small(rng, ranks, hand)
    if "SHOW" not in profile.phases:
        return profile
    return with_options(profile, {name: value(rng, name) for name in _SHOWS})


def with_options(profile: Profile, more: dict[str, Any]) -> Profile:
    """The game with options that it did not have."""
    return replace(profile, options={**profile.options, **more}, defaults={**profile.defaults, **more})


def start_of(rng: random.Random, profile: Profile) -> State:
    """A match before a first deal, or before one with an exchange."""
    if rng.random() < 0.2 or not {"EXCHANGE", "SEND"} & set(profile.steps(first=False)):
        return new_match(profile, rng.randrange(3))
    return scene(rng, profile, min(rng.choice((1, 2, 2, 3, 5)), profile.hand - 1), three=rng.random() < 0.7)


def moments_of(rng: random.Random, start: State, share: float) -> Iterator[Moment]:
    """(start, state, actions from the deal on): this share of the moments of a random deal at which somebody decides
    something or a trick is over; the cards are played to the end."""
    state, actions = start, list[Action]()
    while state.phase != "SCORE":
        if state.phase not in NOBODY_DECIDES and rng.random() < share:
            yield start, state, list(actions)
        action = chosen(rng, state, 0)
        actions.append(action)
        state = apply(state, action)
        if state.phase == "DEAL":  # nobody bid: dealt again
            start, actions = state, []


# ---- a world played again --------------------------------------------------------------------------------------------


def deal_of(world: PlayWorld, seen: View, state: State, actions: list[Action]) -> Deal:
    """The deal that a world comes from: everything taken back, last things first. Where the world does not tell the
    kitty or the card that lay face up, those that were true for the seat, or any cards of the dealer's."""
    hands = list(world.hands_now)
    made = {(each.sender, each.receiver): each for each in world.transfers}
    beside = world.kitty | world.removed
    for action in reversed(actions):
        if isinstance(action, Play):
            hands[action.seat] |= bit(action.card)
        elif isinstance(action, Send):
            _move(hands, action.to, action.seat, made[action.seat, action.to].sent)
        elif isinstance(action, Return):
            _move(hands, action.to, action.seat, made[action.to, action.seat].returned)
        elif isinstance(action, Discard):
            hands[0] |= world.discard
        elif isinstance(action, TakeKitty):
            if not world.kitty:
                low = mask_of(cards_of(hands[0])[-state.profile.kitty :])
                beside = (state.taken_kitty if seen.seat == 0 else low) | world.removed
            hands[0] &= ~beside
        elif isinstance(action, Swap) and action.take:
            beside = world.kitty or state.taken_up
            hands[action.seat] ^= beside | bit(TWO)
    if state.bids and state.phase != "BID" and (bid := standing(state)):  # the bidder became the dealer
        hands = [hands[(seat - bid[0]) % 3] for seat in range(3)]
    return Deal(tuple(hands), beside)


def _move(hands: list[Mask], seat: int, to: int, cards: Mask) -> None:
    assert cards and not cards & ~hands[seat] | cards & hands[to]
    hands[seat] &= ~cards
    hands[to] |= cards


def replayed(start: State, actions: list[Action], seat: int, deal: Deal, world: PlayWorld) -> State:
    """The state after the same public actions with the deal and the unseen cards of a world."""
    hidden = hidden_of(world, seat)
    states = played_again(start, actions, seat, deal, {"send": [hidden], "discard": [world.discard]})
    found = list(states)
    assert len(found) == 1, "the rules forbid it"
    return found[0]


def hidden_of(world: PlayWorld, seat: int) -> Mask:
    """The unseen parcel."""
    return next((each.sent for each in world.transfers if seat not in (each.sender, each.receiver)), 0)


def has_hidden(actions: list[Action], seat: int) -> bool:
    """Has a parcel been sent that the seat did not see?"""
    return any(isinstance(each, Send) and seat not in (each.seat, each.to) for each in actions)


def played_again(
    state: State, actions: list[Action], seat: int, deal: Deal, unseen: dict[str, list[Mask]]
) -> Iterator[State]:
    """The states after these actions with another deal and with all of the unseen cards that the rules allow; `unseen`
    may say which parcels and discards are tried, else all are. Cards that came back to the seat must be the same."""
    if isinstance(due := automatic(state), Show):  # a show to another seat is nobody's business
        if (due.to == seat or seat == 0) and (not actions or actions[0] != due):
            return
        if actions and isinstance(actions[0], Show) and actions[0].to == due.to:
            actions = actions[1:]
        yield from played_again(apply(state, due), actions, seat, deal, unseen)
        return
    if not actions:
        yield state
        return
    action = actions[0]
    if isinstance(action, Show):
        if action.to != seat and seat != 0:
            yield from played_again(state, actions[1:], seat, deal, unseen)
        return
    if _hopeless(state, actions):
        return
    for each in _instead(state, actions, seat, deal, unseen):
        try:
            after = apply(state, each)
        except InputError:
            continue
        yield from played_again(after, actions[1:], seat, deal, unseen)


def _hopeless(state: State, actions: list[Action]) -> bool:
    """Will somebody play a card that he cannot get any more? Told before the discard, to save the ways after it."""
    if not isinstance(actions[0], NameTrump | Call | Discard) or any(
        isinstance(each, Send | Return) for each in actions
    ):
        return False
    out = [state.hands[0] | state.kitty, state.hands[1], state.hands[2]]
    return "SWAP" not in state.steps and any(
        not out[each.seat] & bit(each.card) for each in actions if isinstance(each, Play)
    )


def _instead(
    state: State, actions: list[Action], seat: int, deal: Deal, unseen: dict[str, list[Mask]]
) -> Iterator[Action]:
    """What can have been done at a moment, of which the seat saw only the first of the actions."""
    action = actions[0]
    if isinstance(action, DealCards):
        yield DealCards(deal)
    elif isinstance(action, Send) and seat not in (action.seat, action.to):
        for cards in unseen.get("send") or _sets(state.hands[action.seat], action.cards.bit_count()):
            yield Send(action.seat, action.to, cards)
    elif isinstance(action, Return) and seat not in (action.seat, action.to):
        due = automatic(state)
        assert isinstance(due, Return) and (due.seat, due.to) == (action.seat, action.to)
        yield due
    elif isinstance(action, Discard) and seat != 0:
        played = mask_of(each.card for each in actions if isinstance(each, Play) and each.seat == 0)
        for cards in unseen.get("discard") or _sets(state.hands[0] & ~played, action.cards.bit_count()):
            yield Discard(0, cards)
    elif isinstance(action, Swap) and not action.take and state.phase == "SWAP":
        yield Swap(two_holder(state), False)  # nobody is told whose refusal it was
    else:
        yield action


def _sets(hand: Mask, count: int) -> Iterator[Mask]:
    return map(mask_of, combinations(cards_of(hand), count))


# ---- everything that looks the same ----------------------------------------------------------------------------------


def lookalikes(start: State, state: State, actions: list[Action], seat: int) -> Iterator[State]:
    """Every state of another deal, parcel or discard that looks to the seat like this one, all deals with its own cards
    tried; a state may come more than once."""
    assert state.dealt is not None
    seen = view(state, seat)
    kitty = state.dealt.kitty if seat == 0 and state.taken_kitty else None
    for deal in _deals(state.profile, seat, state.dealt.hands[seat], kitty):
        for other in played_again(start, actions, seat, deal, {}):
            if view(other, seat) == seen:
                yield other


def _deals(profile: Profile, seat: int, own: Mask, kitty: Mask | None) -> Iterator[Deal]:
    rest = cards_of(profile.pack & ~(own | (kitty or 0)))
    for one in combinations(rest, profile.hand):
        left = [card for card in rest if card not in one]
        for two in combinations(left, profile.hand):
            hands = [mask_of(one), mask_of(two)]
            hands.insert(seat, own)
            yield Deal(tuple(hands), mask_of(set(left) - set(two)) if kitty is None else kitty)


def histories(state: State, actions: list[Action], seat: int) -> list[list[Action]]:
    """The public courses that look the same to a seat: the true one, and in the midst of an exchange perhaps one with
    or without a whole exchange of the two others, which then leaves turn and hands as they are."""
    found = [actions]
    if state.phase != "EXCHANGE":
        return found
    if isinstance(actions[-1], Return) and seat not in (actions[-1].seat, actions[-1].to):
        found.append(actions[:-2])
    each = state.transfers[state.queue[0][1]]
    if state.queue[0][0] == "send" and seat not in (each.sender, each.receiver):
        send = Send(each.sender, each.receiver, mask_of(cards_of(state.hands[each.sender])[: each.count]))
        due = automatic(after := apply(state, send))
        if due is not None and view(apply(after, due), seat) == view(state, seat):
            found.append([*actions, send, due])
    return found


def key_of_world(world: PlayWorld) -> tuple[Any, ...]:
    """What a world says."""
    return (world.hands_at_lead, world.hands_now, world.kitty, world.removed, world.discard, world.transfers)


def key_of_state(state: State, *, told: bool) -> tuple[Any, ...]:
    """The same of a state; `told`: the kitty is told from the dealer's cards."""
    lead = list(state.hands)
    for leader, cards in (*((trick.leader, trick.cards) for trick in state.tricks), (state.leader, state.trick)):
        for place, card in enumerate(cards):
            lead[(leader + place) % 3] |= bit(card)
    kitty = state.taken_up or state.taken_kitty or state.kitty
    return tuple(lead), state.hands, kitty if told else 0, state.removed, state.discard, state.transfers
