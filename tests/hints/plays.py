"""Moments of random play, in any game: by rules of thumb with now and then any card, so that odd holdings come up."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tierce.solver.games import (
    Claim,
    Profile,
    State,
    apply,
    game_names,
    legal,
    load_game,
    new_match,
    settle,
    view,
)  # fmt: skip
from tierce.solver.games.dealing import deal_by_lot
from tierce.solver.hints.simple import simple_action

__all__ = ["game", "games", "moments"]


def games() -> tuple[str, ...]:
    """All games of the package with three hands."""
    return game_names(3)


def moments(rng: random.Random, profile: Profile, deals: int = 1, odd: float = 0.2) -> Iterator[State]:
    """Every state of some deals at which somebody has a choice to make, or a card to play."""
    state, dealt = new_match(profile, rng.randrange(profile.seats)), 0
    while state.phase != "OVER":
        state = settle(state)
        if state.phase == "OVER":
            return
        if state.phase == "DEAL":
            if dealt == deals:
                return
            dealt += 1
            state = apply(state, deal_by_lot(profile, rng.randrange(10**6), dealer=state.dealer))
            continue
        yield state
        choices = [each for each in legal(state) if each.kind is not Claim]
        if rng.random() < odd and len(choices) == 1 and choices[0].choices:
            state = apply(state, rng.choice(choices[0].choices))
        else:
            seat = choices[0].seat
            assert seat is not None
            state = apply(state, simple_action(view(state, seat)))


def game(name: str) -> Profile:
    """A game with an auction in its first deal, if it can have one."""
    return load_game(name, {"first_deal_auction": True} if name == "woburn" else {})
