"""Views with something changed at random are read or refused with an InputError; nothing else ever happens."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.random_matches import match_of, played
from tests.records.test_mutated import mutate, scrambled
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import bit, card_name, cards_of, format_hand, parse_card, parse_hand
from tierce.solver.errors import InputError
from tierce.solver.games import view
from tierce.solver.hints.view_json import ViewError, read_view, view_json

SEEDS = st.integers(0, 1 << 30)
MATCHES: Final = 20  # the ten games, as they are and with options set
CARD: Final = re.compile(r"\b[SHDC][2-9TJQKA]\b")


@cache
def trees(which: int) -> list[Any]:
    """Views of a match as JSON, each seat's."""
    rng, profile = match_of(which)
    states = [state for state, _, _ in played(rng, profile, 2, claims=0.3) if rng.random() < 0.3]
    return [view_json(view(state, seat)) for state in states for seat in range(3)]


def survives(text: str | bytes) -> bool:
    """Read or refused; True if it was read. What is read comes back, and has worlds or contradicts itself."""
    try:
        found = read_view(text, "a file")
    except ViewError as error:
        assert error.file == "a file" and error.code and "expected" in error.message
        return False
    assert read_view(view_json(found)) == found
    try:
        PlayWorlds(found).draw(Draws(1))
    except InputError as error:
        assert error.field == "view" and "expected" in error.message
    return True


def check_fields(which: int, seed: int) -> None:
    rng = random.Random(seed)
    tree = rng.choice(trees(which))
    for _ in range(rng.randint(1, 2)):
        tree = mutate(tree, rng)
    survives(json.dumps(tree))


def check_cards(which: int, seed: int) -> None:
    """A card in place of another, or two that change places."""
    rng = random.Random(seed)
    tree = rng.choice([each for each in trees(which) if each["phase"] != "DEAL"])
    text = json.dumps(tree)
    spots = list(CARD.finditer(text))
    old, new = rng.choice(cards_of(parse_hand(tree["hand"])) or (0,)), rng.randrange(52)
    if spots and rng.random() < 0.7:
        spot = rng.choice(spots)
        text = f"{text[: spot.start()]}{card_name(old)}{text[spot.end() :]}"
        tree, new = json.loads(text), parse_card(spot.group())
    hand = parse_hand(tree["hand"])
    if hand >> old & 1 and new & 15 < 13:
        tree = tree | {"hand": format_hand(hand & ~bit(old) | bit(new))}
    survives(json.dumps(tree))


@given(st.integers(0, MATCHES - 1), SEEDS)
def test_fields(which: int, seed: int) -> None:
    check_fields(which, seed)


@given(st.integers(0, MATCHES - 1), SEEDS)
def test_cards(which: int, seed: int) -> None:
    check_cards(which, seed)


@given(st.integers(0, MATCHES - 1), SEEDS)
def test_text(which: int, seed: int) -> None:
    rng = random.Random(seed)
    survives(scrambled(json.dumps(rng.choice(trees(which))), rng))


@given(st.text())
def test_any_text(text: str) -> None:
    assert not survives(text)


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    assert not survives(data)


def test_unchanged_ones_are_read() -> None:
    assert all(survives(json.dumps(tree)) for which in range(MATCHES) for tree in trees(which)[::20])


@pytest.mark.slow
@pytest.mark.parametrize("which", range(MATCHES))
def test_many(which: int) -> None:
    for seed in range(300):
        check_fields(which, seed)
        check_cards(which, seed)
