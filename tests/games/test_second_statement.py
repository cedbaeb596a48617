"""`legal` and `apply` against `plain_rules`, all through random matches of every game with random options."""

from __future__ import annotations

import random

import pytest

from tests.games.plain_rules import Match
from tests.games.random_matches import match_of, played, strangers
from tests.games.words import SEATS, names, picture, plain, plain_picture
from tierce.solver.errors import InputError
from tierce.solver.games import Claim, DealCards, Discard, Send, State, apply, legal


def agree(state: State, match: Match) -> None:
    """The package and the second statement say the same of this moment, and open the same actions."""
    assert picture(state) == plain_picture(match)
    found = []
    for open_ in legal(state):
        if open_.kind in (Send, Discard):
            assert open_.seat is not None
            assert sorted(names(open_.among)) == sorted(match.hands[SEATS[open_.seat]])
            to = "" if open_.to is None else SEATS[open_.to]
            found.append((open_.kind.__name__.lower(), SEATS[open_.seat], to, open_.count))
        elif open_.kind is Claim:
            assert not match.table and match.phase == "PLAY"
        elif open_.kind is DealCards:
            assert match.phase == "DEAL"
        else:
            assert {type(action) for action in open_.choices} == {open_.kind}
            words = [plain(action) for action in open_.choices]
            assert all(each[1:2] == (SEATS[open_.seat],) for each in words if open_.seat is not None)
            found += [(*each[:3], sorted(each[3])) if each[0] in ("return", "show") else each for each in words]
    assert sorted(found, key=repr) == sorted(match.choices(), key=repr)


def refused_alike(state: State, match: Match, rng: random.Random) -> None:
    """Strange actions: refused by a rule they break, or allowed by both; the state as it was."""
    before = repr(state)
    for action in strangers(rng, state):
        faults = match.faults(plain(action))
        try:
            apply(state, action)
        except InputError as error:
            assert error.code in faults, (action, error.code, error.message, faults)
            assert error.field and error.message.startswith("expected ") and "found " in error.message
        else:
            assert not faults, (action, faults)
    assert repr(state) == before


def compare(seed: int, deals: int, *, strange: float) -> None:
    rng, profile = match_of(seed)
    match: Match | None = None
    for state, action, after in played(rng, profile, deals):
        if match is None:
            match = Match(profile.id, dict(profile.options), state.dealer)
            agree(state, match)
        if rng.random() < strange:
            refused_alike(state, match, rng)
        assert match.faults(plain(action)) == set()
        match.do(plain(action))
        agree(after, match)


@pytest.mark.parametrize("seed", range(40))
def test_a_random_match(seed: int) -> None:
    compare(seed, 4, strange=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(20))
def test_many_random_matches(piece: int) -> None:
    for seed in range(100 + 30 * piece, 130 + 30 * piece):
        compare(seed, 20, strange=0.05)
