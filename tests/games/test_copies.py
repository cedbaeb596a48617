"""States and profiles go to other processes and come back equal."""

from __future__ import annotations

import copy
import pickle

import pytest

from tests.records.support import match
from tierce.solver.games import game_names, load_game, view


@pytest.mark.parametrize("name", game_names())
def test_pickled_and_copied(name: str) -> None:
    profile = load_game(name)
    assert pickle.loads(pickle.dumps(profile)) == profile
    assert hash(copy.deepcopy(profile)) == hash(profile)
    for number, state in enumerate(match(profile, 3, deals=2)):
        if number % 9 == 0:
            again = pickle.loads(pickle.dumps(state))
            assert again == state
            assert copy.deepcopy(view(state, 1)) == view(again, 1)
    with pytest.raises(TypeError):
        profile.options["end"] = "twelve"  # type: ignore[index]
