"""Moments of a match as a test needs them: chosen cards in chosen hands, the balances before, claims for play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tests.games.words import mask
from tierce.solver.cards import bit, cards_of, parse_card
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Bid,
    Claim,
    DealCards,
    DealResult,
    Profile,
    State,
    apply,
    legal,
    load_game,
    settle,
)
from tierce.solver.games.options import Value

D: Final = 0
E: Final = 1
M: Final = 2


def game(name: str, **options: Value) -> Profile:
    return load_game(name, options)


def deal_of(profile: Profile, d: str = "", e: str = "", m: str = "", kitty: str = "") -> Deal:
    """A deal with these cards where they are named; the other cards fill the places left, low ones first, so that all
    hands have some of each suit."""
    removed = profile.options.get("removed_card")
    if isinstance(removed, str) and removed != "random_hidden":
        kitty = removed
    given = [mask(d), mask(e), mask(m), mask(kitty)]
    sizes = [profile.hand, profile.hand, profile.hand, profile.kitty + profile.removed]
    left = sorted(cards_of(profile.pack & ~(given[0] | given[1] | given[2] | given[3])), key=lambda card: card & 15)
    while left:
        for place in range(4):
            if left and given[place].bit_count() < sizes[place]:
                given[place] |= bit(left.pop(0))
    return Deal(tuple(given[:3]), given[3])


def after_results(profile: Profile, balances: tuple[int, int, int], first_over: int | None = None) -> State:
    """A match before its second deal. `balances`, and the seat first over his quota, by the seats of the deal to come:
    its dealer was eldest, its eldest was middle, its middle was dealer."""
    was = (balances[2], balances[0], balances[1])
    first = None if first_over is None else (first_over + 1) % 3
    result = DealResult(0, "S", profile.quotas, (0, 0, 0), was, first)
    return State(profile, 1, profile.steps(first=False), results=(result,), quotas=profile.quotas)


def second_deal(
    profile: Profile, balances: tuple[int, int, int], deal: Deal | None = None, first_over: int | None = None
) -> State:
    """A match in its second deal, the cards just dealt, with these balances by the seats of this deal."""
    return apply(after_results(profile, balances, first_over), DealCards(deal or deal_of(profile)))


def go(state: State, phase: str) -> State:
    """On to a phase with a choice, by the first legal action wherever there is one (trump S, the highest cards laid
    away, a bid of eight, no swap)."""
    while (state := settle(state)).phase != phase:
        state = step(state)
    return state


def step(state: State) -> State:
    open_ = legal(state)[0]
    if state.phase == "DEAL":
        return apply(state, DealCards(deal_of(state.profile)))
    if state.phase == "BID":
        return apply(state, Bid(open_.seat or 0, None if state.bids else 8))
    if state.phase == "SWAP":
        return apply(state, open_.choices[1])
    if state.phase == "PLAY":
        return apply(state, open_.choices[0])
    return apply(state, next(iter(open_.actions())))


def claimed(state: State, tricks: tuple[int, int, int]) -> State:
    """The state after a deal in which the seats take these tricks, without play; from any moment before the play."""
    state = go(state, "PLAY")
    return settle(apply(state, Claim(tricks)))


def card(name: str) -> int:
    return parse_card(name)


def refusal(do: Callable[[], object]) -> tuple[str, str | None, str]:
    """Code, field and message of the InputError that the call raises."""
    with pytest.raises(InputError) as caught:
        do()
    return caught.value.code, caught.value.field, caught.value.message
