"""Random matches by the rules, settled by a seed: any game, any settings of its options, any legal choice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from tierce.solver.cards import ALL_CARDS, card_name, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Action,
    Bid,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Open,
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
    game_names,
    legal,
    load_game,
    new_match,
)
from tierce.solver.games.options import OPTIONS, Value

CLAIMS: Final = 0.03  # deals that end by an agreement before the last trick


def settings_of(rng: random.Random, game: str | None = None) -> Profile:
    """A game with some of its options set at random; contradictory settings are drawn again."""
    profile = load_game(game or rng.choice(game_names(3)))
    while True:
        given = {name: value(rng, name) for name in profile.defaults if rng.random() < 0.4}
        try:
            return profile.with_options(given)
        except InputError as error:
            assert error.code == "option", error


def value(rng: random.Random, name: str) -> Value:
    """A random value of an option."""
    option = OPTIONS[name]
    if option.boolean:
        return rng.random() < 0.5
    if isinstance(option.values, range):
        return rng.choice(option.values) if name != "goal" else rng.randrange(1, 19)
    if option.card and rng.random() < 0.7:
        return card_name(rng.choice(cards_of(ALL_CARDS)))
    return rng.choice(option.values)


def dealt(rng: random.Random, profile: Profile) -> Deal:
    """A random deal of the game, by another way than the package's."""
    pack = list(cards_of(profile.pack))
    rng.shuffle(pack)
    removed = profile.options.get("removed_card", "random_hidden")
    if removed != "random_hidden":
        pack.sort(key=lambda card: card_name(card) == removed)  # the card out of the pack comes last
    size = profile.hand
    return Deal(tuple(mask_of(pack[i * size : (i + 1) * size]) for i in range(3)), mask_of(pack[3 * size :]))


def chosen(rng: random.Random, state: State, claims: float = CLAIMS) -> Action:
    """One of the legal actions."""
    open_ = legal(state)
    if open_[-1].kind is Claim and rng.random() < claims / state.profile.hand:
        return claim(rng, state.hands[state.mover].bit_count())
    first = rng.choice(open_) if open_[0].kind is Send else open_[0]
    if first.kind is DealCards:
        return DealCards(dealt(rng, state.profile))
    if first.kind is Bid and rng.random() < 0.5:
        return first.choices[-1]  # a pass
    if first.choices:
        return rng.choice(first.choices)
    return picked(first, rng.sample(cards_of(first.among), first.count))


def picked(open_: Open, cards: list[int]) -> Action:
    """The parcel or the discard of these cards."""
    if open_.kind is Discard:
        return Discard(0, mask_of(cards))
    assert open_.kind is Send and open_.seat is not None and open_.to is not None
    return Send(open_.seat, open_.to, mask_of(cards))


def claim(rng: random.Random, left: int) -> Claim:
    one = rng.choice((0, left, rng.randint(0, left)))
    two = rng.randint(0, left - one)
    tricks = [one, two, left - one - two]
    rng.shuffle(tricks)
    return Claim(tuple(tricks))


def played(
    rng: random.Random, profile: Profile, deals: int, claims: float = CLAIMS
) -> Iterator[tuple[State, Action, State]]:
    """(state, action, state after) of a random match, cut off after so many deals."""
    state = new_match(profile, rng.randrange(3))
    while state.phase != "OVER" and len(state.results) < deals:
        action = chosen(rng, state, claims)
        after = apply(state, action)
        yield state, action, after
        state = after


def match_of(seed: int) -> tuple[random.Random, Profile]:
    """The random numbers and the game of match number `seed`: the ten games in turn, every other with options set."""
    rng = random.Random(f"match {seed}")
    names = game_names(3)
    game = names[seed % len(names)]
    return rng, load_game(game) if seed // len(names) % 2 == 0 else settings_of(rng, game)


def strangers(rng: random.Random, state: State) -> Iterator[Action]:
    """Actions that may well be against the rules at this moment."""
    seat, to = rng.randrange(3), rng.randrange(3)
    cards = rng.sample(cards_of(ALL_CARDS), rng.choice((1, 2, 3, 4, 4, 5)))
    any_card = rng.choice(cards_of(ALL_CARDS))
    held = cards_of(state.hands[seat])
    own = rng.sample(held, min(len(held), rng.choice((1, 2, 3, 4))))
    yield Bid(seat, rng.choice((None, 7, 8, 10, 16, 17)))
    yield NameTrump(seat, rng.randrange(5))
    yield Discard(seat, mask_of(cards))
    yield Discard(0, mask_of(own))
    yield TakeKitty(seat)
    yield Show(seat, to, mask_of(cards))
    yield Swap(seat, rng.random() < 0.5)
    yield Play(seat, any_card)
    yield Score()
    yield Claim(rng.choice(((0, 0, 0), (1, 2, 3), (20, -2, -2), (1, 1), (17, 0, 0), (5, 5, 6))))
    yield DealCards(dealt(rng, state.profile))
    for kind in (Send, Return):
        yield kind(seat, to, mask_of(cards))
        yield kind(seat, to, mask_of(own))
    yield from near_misses(rng, state)


def near_misses(rng: random.Random, state: State) -> Iterator[Action]:
    """The action that is due, but for a card, the seat or the number of cards."""
    if not legal(state):
        return
    first = legal(state)[0]
    if first.kind in (Send, Discard):
        cards = rng.sample(cards_of(first.among), first.count)
        strange = rng.choice(cards_of(ALL_CARDS & ~first.among))
        yield picked(first, [*cards[1:], strange])
        yield picked(first, cards[1:])
        yield picked(first, list(cards_of(first.among)[: first.count + 1]))
        if state.kitty:
            yield picked(first, [*cards[1:], cards_of(state.kitty)[0]])
    for action in first.choices[:1]:
        if isinstance(action, Return):
            cards = rng.sample(cards_of(state.hands[action.seat]), action.cards.bit_count())
            yield Return(action.seat, action.to, mask_of(cards))
            yield Return(action.to, action.seat, action.cards)
            yield Send(action.seat, action.to, action.cards)
        if isinstance(action, Play):
            yield Play(action.seat, rng.choice(cards_of(state.hands[action.seat])))
            yield Play((action.seat + 1) % 3, rng.choice(cards_of(state.hands[(action.seat + 1) % 3]) or (0,)))
        if isinstance(action, Show):
            yield Show(action.seat, action.to, action.cards & action.cards - 1)
