"""The examples of the package's docstrings run, and a view can be read."""

from __future__ import annotations

import doctest

import tierce.solver
from tierce.solver import format_hand, mask_of, parse_cards
from tierce.solver import games as rules
from tierce.solver.games import DealCards, NameTrump, apply, load_game, new_match, random_deal, view


def test_the_match_of_the_docstring() -> None:
    found = doctest.testmod(rules)
    assert (found.failed, found.attempted) == (0, 5)


def test_masks_are_written_and_read() -> None:
    assert {"mask_of", "format_hand"} <= set(tierce.solver.__all__)
    assert format_hand(mask_of(parse_cards("H8 CQ"))) == ".8..Q"


def test_a_view_as_text() -> None:
    state = apply(new_match(load_game("raf")), DealCards(random_deal(load_game("raf"), seed=7)))
    assert str(view(state, 1)).splitlines() == [
        "eldest, in the phase TRUMP: the dealer to move",
        "hand: J865.AK93.T6542.QJ5",
        "taken: the dealer 0, eldest 0, middle 0",
        f"unseen: {format_hand(view(state, 1).unseen)}",
    ]
    assert "\nknown of middle: " not in str(view(apply(state, NameTrump(0, 2)), 0))
