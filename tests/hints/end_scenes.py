"""Ends of hands: moments of random deals with some of their layouts, weights and an objective; and made by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from tests.advice.play_scenes import moments_of, random_game, start_of
from tests.games.random_matches import settings_of
from tests.games.words import mask
from tests.hints.end_plans import Table
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import Mask, cards_of
from tierce.solver.games import State, load_game, view
from tierce.solver.games.view import View
from tierce.solver.hints.endings import layouts_of
from tierce.solver.hints.objectives import BY, By, Wish, wish_of

Hands = tuple[Mask, ...]
CARDS: Final = 3


class Scene(NamedTuple):
    view: View
    layouts: list[tuple[Hands, int | float]]
    wish: Wish


def scenes(seed: int, share: float, most: int, by: By | None = None) -> Iterator[Scene]:
    """Some of the turns in the last three tricks of a random deal, with up to so many layouts of the seat's view.

    by   the objective; None: any
    """
    rng = random.Random(f"ending {seed}")
    profile = settings_of(rng, "deputy") if seed % 5 == 0 else random_game(rng, 0.8)
    for _, state, _ in moments_of(rng, start_of(rng, profile), 1):
        if state.phase == "PLAY" and state.hands[state.mover].bit_count() <= CARDS and rng.random() < share:
            yield _scene(rng, state, most, rng.choice(BY) if by is None else by)


def _scene(rng: random.Random, state: State, most: int, by: By) -> Scene:
    seen = view(state, state.mover)
    if "MIZ" in seen.profile.calls and rng.random() < 0.5:  # from here on: nothing hangs on how it came to this
        seen = replace(seen, call="MIZ", quotas=seen.profile.caps())
    weights = rng.choice(((1,), (1, 2, 5), (0.25, 1.0, 1.7)))
    layouts = [(hands, rng.choice(weights)) for hands in _some(rng, seen, most)]
    return Scene(seen, layouts, _wish(rng, seen, by))


def _some(rng: random.Random, seen: View, most: int) -> list[Hands]:
    """Layouts of a view, drawn: any of them, or as they come in its worlds."""
    listed = layouts_of(seen, 500)
    if listed is not None:
        found = [hands for hands, _ in listed]
        return rng.sample(found, min(most, len(found)))
    worlds, draws = PlayWorlds(seen), Draws(rng.randrange(1000))
    return list({worlds.draw(draws).hands_now for _ in range(most)})


def _wish(rng: random.Random, seen: View, by: By) -> Wish:
    utility = [rng.randrange(5) for _ in range(seen.profile.counted + 1)] if by == "utility" else None
    wish = wish_of(seen.profile, seen.seat, seen.call, seen.quotas, by, utility)
    if by in ("quota", "twelve"):  # near what can still be reached, so that it is not settled
        reach = seen.taken[seen.seat] + rng.randrange(seen.hand.bit_count() + 1)
        steps = [count <= reach if wish.few else count >= reach for count in range(len(wish.points))]
        wish = replace(wish, points=tuple(map(float, steps)), quota=reach)
    return wish


def table_of(seen: View, hands: Hands) -> Table:
    """A layout as the references want it."""
    d, e, m = (frozenset(cards_of(hand)) for hand in hands)
    return Table((d, e, m), seen.leader, seen.trick, seen.taken[seen.seat])


def example(own: str, *others: tuple[str, str]) -> tuple[View, list[tuple[Hands, int]], Wish]:
    """Eldest leads to three tricks at no trump, none taken before; hands as `H:AQ D:Q`, the others' middle first."""
    layouts: list[tuple[Hands, int]] = [((_hand(dealer), _hand(own), _hand(middle)), 1) for middle, dealer in others]
    profile = load_game("deputy")
    rng = random.Random(1)
    start = next(state for _, state, _ in moments_of(rng, start_of(rng, profile), 1) if state.phase == "PLAY")
    seen = replace(
        view(start, 1), to_move=1, call="N", hand=_hand(own), counts=(CARDS, CARDS, CARDS), leader=1, trick=(),
        taken=(0, 0, 0),
    )  # fmt: skip
    return seen, layouts, Wish("tricks", tuple(map(float, range(profile.hand + 1))), False, 3)


def _hand(text: str) -> Mask:
    return mask(" ".join(suit[0] + rank for suit in text.split() for rank in suit[2:]))
