"""The bound from a single seat's trumps: the smaller game it plays, stated a second time, and what it promises."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

import pytest

from tests.brute import brute
from tierce.solver.search import CPU

engine: Any = import_module("tierce.solver.search._engine" + ("_v3" if CPU == "v3" else ""))

NONE = -1  # no trump
Owners = tuple[int, ...]  # of the trumps, lowest first: 0 the single seat, 1 the one after it, 2 the one before


def places(owners: Owners, owner: int) -> list[int]:
    return [place for place, each in enumerate(owners) if each == owner]


def without(owners: Owners, *gone: int) -> Owners:
    return tuple(owner for place, owner in enumerate(owners) if place not in gone)


def trick(owners: Owners, own: int, *others: int) -> int:
    """Tricks from one on to which the single seat plays `own`."""
    wins = own > max(others, default=NONE)
    return wins + game(without(owners, own, *others), wins)


@cache
def game(owners: Owners, lead: bool) -> int:
    """Tricks the single seat is sure of."""
    if 0 not in owners:
        return 0
    return led_by_one(owners) if lead else min(led_by_two(owners))


def led_by_one(owners: Owners) -> int:
    own, after, before = (places(owners, owner) for owner in range(3))
    best = max(min(trick(owners, d, e, m) for e in after or [NONE] for m in before or [NONE]) for d in own)
    return min([best, *(game(without(owners, gone), True) for gone in after + before)])


def led_by_two(owners: Owners) -> Iterator[int]:
    own, after, before = (places(owners, owner) for owner in range(3))
    yield 1 + game(owners, True)
    for gone in after + before:
        yield game(without(owners, gone), False)
    for m in [NONE, *before]:  # a plain lead of the seat after it; the single seat plays last
        yield max(trick(owners, d, m) for d in own)
    yield max(min(trick(owners, d, e) for e in [NONE, *after]) for d in own)
    for e, m in product(after, before or [NONE]):
        yield max(trick(owners, d, e, m) for d in own)
    for m in before:
        yield max(min(trick(owners, d, m, e) for e in after or [NONE]) for d in own)


@pytest.mark.small
def test_the_game_as_stated_here() -> None:
    for n in range(6):
        for owners in product(range(3), repeat=n):
            for lead in (False, True):
                assert engine.sure_trumps(owners, lead) == game(owners, lead), owners


def test_longer_games_as_stated_here() -> None:
    rng = random.Random("trumps")
    for _ in range(150):
        owners = tuple(rng.choices(range(3), k=rng.randint(6, 8)))
        assert engine.sure_trumps(owners, False) == game(owners, False), owners


def test_a_higher_trump_is_never_worse_there() -> None:
    for owners in product(range(3), repeat=7):
        for place in range(6):
            if owners[place] == 0 != owners[place + 1]:
                higher = (*owners[:place], owners[place + 1], 0, *owners[place + 2 :])
                for lead in (False, True):
                    assert engine.sure_trumps(higher, lead) >= engine.sure_trumps(owners, lead)


def hands_with(rng: random.Random, owners: Sequence[int]) -> tuple[int, int, int]:
    """Hands that hold these trumps (spades), with plain cards by lot."""
    held = [sum(1 << place for place, owner in enumerate(owners) if owner == seat) for seat in range(3)]
    size = max(hand.bit_count() for hand in held) + rng.randint(0, 1)
    plain = [16 * suit + rank for suit in rng.sample(range(1, 4), rng.randint(2, 3)) for rank in range(8)]
    rng.shuffle(plain)
    for seat in range(3):
        while held[seat].bit_count() < size:
            held[seat] |= 1 << plain.pop()
    return held[0], held[1], held[2]


@pytest.mark.parametrize("seat", range(3))
def test_never_more_than_there_is(seat: int) -> None:
    rng = random.Random(f"sure {seat}")
    for _ in range(400):
        owners = rng.choices(range(3), k=rng.randint(2, 6))
        one, after, before = hands_with(rng, owners)
        hands = [0, 0, 0]
        hands[seat], hands[(seat + 1) % 3], hands[(seat + 2) % 3] = one, after, before
        for leader in range(3):
            truth = brute.value(hands, 0, leader, (), 1 << seat, 1 << seat)
            assert engine.sure_trumps(owners, leader == seat) <= truth, (hands, leader)


def test_what_are_no_owners() -> None:
    for owners in ([3], [0] * 14, [-1]):
        with pytest.raises(ValueError, match="expected at most 13 owners 0, 1 or 2"):
            engine.sure_trumps(owners, True)
