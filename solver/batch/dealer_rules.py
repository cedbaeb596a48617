"""The built-in strategies of the dealer: which trump, which discard. Contract: see `strategies`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from tierce.solver.advice.choices import choices_of_state, trump_of
from tierce.solver.advice.dealer import dealer_advice
from tierce.solver.advice.quick import quick_discard, quick_trump
from tierce.solver.batch.strategies import discards_now, omniscient
from tierce.solver.cards import LANE, SUITS, Card, Mask, cards_of, mask_of, rank_of, suit_of
from tierce.solver.games.state import State
from tierce.solver.games.view import View

__all__ = ["RULES"]

Choice: TypeAlias = tuple[int, Mask]

# MiB for one decision. The same for every number of threads, so that of equally good discards the same is found.
TABLE_MB: Final = 64


def quick(view: View) -> Choice:
    """By a measure of the hand: long and strong trumps, honours, suits to ruff (tierce.solver.advice.quick)."""
    if view.call:
        return trump_of(view.call), quick_discard(view.hand, trump_of(view.call), discards_now(view))
    steps = view.profile.steps(first=not view.results)
    ahead = view.profile.kitty if "DISCARD" in steps[steps.index(view.phase) :] else 0
    trump = quick_trump(view.hand, ahead)
    count = discards_now(view)
    return trump, quick_discard(view.hand, trump, count) if count else 0


def longest(view: View) -> Choice:
    """The longest suit is trump, of equal ones the highest; the lowest cards of the shortest other suits go."""
    by_suit = [_rising(view.hand, suit) for suit in SUITS]
    trump = max(SUITS, key=lambda suit: (len(by_suit[suit]), sum(map(rank_of, by_suit[suit])), -suit))
    trump = trump_of(view.call) if view.call else trump
    order = sorted(SUITS, key=lambda suit: (suit == trump, len(by_suit[suit])))
    return trump, mask_of([card for suit in order for card in by_suit[suit]][: discards_now(view)])


def at_random(view: View, rng: random.Random) -> Choice:
    """Any trump, and any cards."""
    trump = int(4 * rng.random())
    cards = sorted(cards_of(view.hand), key=lambda _: rng.random())
    return trump, mask_of(cards[: discards_now(view)])


@omniscient
def exact(state: State) -> tuple[int, Mask, bool]:
    """The trump and discard of the dealer's highest floor, all hands seen; of equal ones the first that is found."""
    best = dealer_advice(choices_of_state(state), find="one", table_mb=TABLE_MB).best
    choice = best.choices[0]
    return trump_of(best.call), choice.discard, choice.swap is not False


RULES: Final[dict[str, Callable[..., Any]]] = {
    "quick": quick,
    "longest": longest,
    "random": at_random,
    "exact": exact,
}


def _rising(hand: Mask, suit: int) -> list[Card]:
    return [card for card in reversed(cards_of(hand & LANE << 16 * suit)) if suit_of(card) == suit]
