"""Random exchanges by the rules, and the way back from a world to a deal that is played again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from tests.games.random_matches import chosen, settings_of, value
from tests.games.scenes import after_results
from tierce.solver.advice.story import Story
from tierce.solver.advice.worlds import PHASES, World
from tierce.solver.cards import Mask, bit, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Action,
    DealCards,
    Profile,
    Return,
    Send,
    Show,
    State,
    Swap,
    apply,
    automatic,
    game_names,
    view,
)
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO, two_holder
from tierce.solver.games.profile import profile_of_table

EXCHANGING: Final = tuple(name for name in game_names(3) if name != "deputy")
_PHASES: Final = {
    "kitty": "DEAL EXCHANGE TRUMP DISCARD KITTY SHOW PLAY SCORE",
    "kitty_last": "DEAL EXCHANGE TRUMP KITTY DISCARD PLAY SCORE",
    "kitty_before": "DEAL KITTY DISCARD EXCHANGE TRUMP PLAY SCORE",
    "plain": "DEAL EXCHANGE TRUMP PLAY SCORE",
    "swap": "DEAL KITTY DISCARD SEND TRUMP RETURN PLAY SCORE",
    "at_once": "DEAL SEND RETURN TRUMP PLAY SCORE",
    "at_once_kitty": "DEAL SEND RETURN TRUMP KITTY DISCARD PLAY SCORE",
}
SHAPES: Final = tuple(_PHASES)
_OPTIONS: Final = ("return_rule", "rank_order", "max_bleed")


def small(shape: str, ranks: int, hand: int, quotas: tuple[int, int, int] | None = None, **options: Any) -> Profile:
    """A game of a small pack; all cards that are not dealt are the kitty, but one card left over is out of the pack
    where no phase takes a kitty."""
    out = 4 * ranks - 3 * hand
    phases = _PHASES[shape].split()
    table = {
        "id": "small", "name": "Small", "ranks": ranks, "hand": hand, "kitty": out if "KITTY" in phases else 0,
        "quotas": list(quotas or (hand - 2, 1, 1)), "phases": phases, "score": "total",
        "options": {"end": "total", "goal": 10, "return_rule": "merged_top_n", **options},
    }  # fmt: skip
    return profile_of_table(table, "the test").with_options({})


def random_small(rng: random.Random, ranks: int, hand: int, shapes: tuple[str, ...] = SHAPES) -> Profile:
    """A small game with random options."""
    out = 4 * ranks - 3 * hand
    shape = rng.choice([each for each in shapes if ("KITTY" in _PHASES[each]) == (1 <= out <= hand) or out == 1])
    names = [*_OPTIONS]
    if "EXCHANGE" in _PHASES[shape]:
        names += ["exchange_order_two_down", "two_up_order"]
    else:
        names += ["split_return_order"]
    if "KITTY" not in _PHASES[shape] and out:
        names += ["removed_card"]
    quotas = rng.choice([q for q in ((1, 1, hand - 2), (hand, 0, 0), (0, 1, hand - 1), (1, hand - 1, 0))])
    while True:
        try:
            return small(shape, ranks, hand, quotas, **{name: value(rng, name) for name in names})
        except InputError as error:
            assert error.code in ("option", "game"), error


def random_large(rng: random.Random) -> Profile:
    """A game of the package, often with other options."""
    name = rng.choice(EXCHANGING)
    return settings_of(rng, name)


def random_balances(rng: random.Random, most: int, *, three: bool = False) -> tuple[int, int, int]:
    """Balances of a deal before; `three`: nobody even."""
    while True:
        one, two = rng.randint(-most, most), rng.randint(-most, most)
        found = (one, two, -one - two)
        if max(map(abs, found)) <= most and any(found) and (all(found) or not three or most < 2):
            return found


def decisions(rng: random.Random, start: State) -> Iterator[tuple[State, list[Action]]]:
    """The dealer's decisions before the play in a random deal, each with the actions from the deal on."""
    state, actions = start, list[Action]()
    while state.phase != "PLAY":
        if state.phase in PHASES and not (state.phase == "SWAP" and not state.hands[0] & bit(TWO)):
            yield state, list(actions)
        action = chosen(rng, state)
        actions.append(action)
        state = apply(state, action)


def scene(rng: random.Random, profile: Profile, most: int, *, three: bool = False) -> State:
    """A match before its second deal, with random balances."""
    return after_results(profile, random_balances(rng, most, three=three), rng.choice((None, 0, 1, 2)))


# ---- from a world to its deal ----------------------------------------------------------------------------------------


def deal_of_world(world: World, state: State, actions: list[Action]) -> Deal:
    """The deal that a world comes from: everything taken back, in the order of the true actions."""
    hands = list(world.hands)
    transfers = {(each.sender, each.receiver): each for each in world.transfers}
    up = state.taken_up
    for action in reversed(actions):
        if isinstance(action, Send):
            _move(hands, action.to, action.seat, transfers[action.seat, action.to].sent)
        elif isinstance(action, Return):
            _move(hands, action.to, action.seat, transfers[action.to, action.seat].returned)
        elif isinstance(action, Swap) and action.take:
            if action.seat and not up & hands[action.seat]:
                up = _perhaps_up(state, hands[action.seat])
            hands[action.seat] ^= up | bit(TWO)
    assert state.dealt is not None
    taken = up or state.taken_kitty
    return Deal((state.dealt.hands[0], hands[1], hands[2]), taken or world.kitty | world.removed)


def _move(hands: list[Mask], seat: int, to: int, cards: Mask) -> None:
    assert cards and not cards & ~hands[seat] | cards & hands[to]
    hands[seat] &= ~cards
    hands[to] |= cards


def _perhaps_up(state: State, hand: Mask) -> Mask:
    """Another card that may have lain face up: the dealer has got several and his view does not tell which it was."""
    got = 0
    for each in state.transfers:
        got |= (each.sent if each.receiver == 0 else 0) | (each.returned if each.sender == 0 else 0)
    assert got & hand and got & state.taken_up
    return got & hand & -(got & hand)


def replayed(start: State, actions: list[Action], deal: Deal, hidden: Mask) -> State:
    """The state after the same actions with another deal and another unseen parcel. InputError if they are not all
    legal, or no cards come back to the dealer that did."""
    state = start
    for action in actions:
        if isinstance(action, DealCards):
            action = DealCards(deal)
        elif isinstance(action, Send) and action.seat and action.to:
            action = Send(action.seat, action.to, hidden)
        elif isinstance(action, Return) and action.seat and action.to:
            due = automatic(state)
            assert isinstance(due, Return) and (due.seat, due.to) == (action.seat, action.to)
            action = due
        elif isinstance(action, Show):
            assert automatic(state) == action
        elif isinstance(action, Swap) and not action.take:
            action = Swap(two_holder(state), False)  # nobody is told whose refusal it was
        state = apply(state, action)
    return state


def hidden_of(transfers: tuple[Transfer, ...]) -> Mask:
    return next((each.sent for each in transfers if each.sender and each.receiver), 0)


def brute(start: State, state: State, actions: list[Action]) -> set[tuple[Any, ...]]:
    """(hands, kitty, removed, transfers) of every deal and unseen parcel whose replay looks to the dealer like `state`:
    all deals with the dealer's cards, through the rules."""
    assert state.dealt is not None
    seen, found = view(state, 0), set()
    hidden = next((each for each in state.transfers if each.sender and each.receiver), None)
    for deal in deals(state.profile, state.dealt.hands[0]):
        parcels: Iterator[tuple[int, ...]] = iter([()])
        if hidden:
            # what the sender may hold at that time: his own cards and any that the dealer saw or gave
            parcels = combinations(cards_of(_reach(deal, hidden.sender, state)), hidden.count)
        for parcel in parcels:
            try:
                other = replayed(start, actions, deal, mask_of(parcel))
            except InputError:
                continue
            if view(other, 0) == seen:
                found.add(state_key(other))
    return found


def _reach(deal: Deal, seat: int, state: State) -> Mask:
    reach = deal.hands[seat]
    for each in state.transfers:
        if 0 in (each.sender, each.receiver) and seat in (each.sender, each.receiver):
            reach |= each.sent | each.returned
    return reach


def state_key(state: State) -> tuple[Any, ...]:
    """What a world says, of a state."""
    return state.hands, state.kitty, state.removed, state.transfers


def world_key(world: World, *, owed: bool) -> tuple[Any, ...]:
    """The same of a world; in a state, what is still owed is not filled in."""
    transfers = tuple(replace(each, returned=0) for each in world.transfers) if owed else world.transfers
    return world.hands, world.kitty, world.removed, transfers


def deals(profile: Profile, dealer: Mask) -> Iterator[Deal]:
    """All deals with these cards of the dealer's."""
    rest = cards_of(profile.pack & ~dealer)
    for eldest in combinations(rest, profile.hand):
        left = [card for card in rest if card not in eldest]
        for middle in combinations(left, profile.hand):
            yield Deal((dealer, mask_of(eldest), mask_of(middle)), mask_of(set(left) - set(middle)))


def cut_of(story: Story, began: tuple[Mask, ...], transfers: tuple[Transfer, ...]) -> list[Mask]:
    """The true hands at the cut of a story, from those before the exchange."""
    hands = list(began)
    for kind, i in story.before:
        each = transfers[i]
        if kind == "send":
            _move(hands, each.sender, each.receiver, each.sent)
        else:
            _move(hands, each.receiver, each.sender, each.returned)
    return hands
