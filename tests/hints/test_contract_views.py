"""Views of Solo Whist as JSON: they come back as they were, at every moment; what no deal can come to is refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.hints.contract_moments import any_profile, decisions, speaking
from tests.hints.test_contract_worlds import played_on
from tierce.solver.advice import PlayWorlds
from tierce.solver.games import Action, Claim, State, View, apply, legal, load_game, settle, view
from tierce.solver.games.context import state_after
from tierce.solver.games.record import Context
from tierce.solver.hints import read_view
from tierce.solver.hints.view_json import ViewError, view_json


@cache
def validator() -> Any:
    text = (files("tierce.solver.hints") / "view.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def check(seen: View) -> None:
    tree = view_json(seen)
    validator().validate(tree)
    assert read_view(json.dumps(tree)) == seen


@pytest.mark.parametrize("seed", range(8))
def test_views_come_back(seed: int) -> None:
    rng = random.Random(f"views {seed}")
    phases = set()
    for state in decisions(rng, any_profile(rng), 5):
        if state.phase != "PLAY" or rng.random() < 0.15:
            check(view(state, rng.randrange(4)))
            phases.add(state.phase)
    assert phases >= {"BID", "PLAY"}


def test_a_match_from_its_deal_to_its_end() -> None:
    rng = random.Random(5)
    profile = load_game("solo_whist", {"goal": 3})
    states = list(decisions(rng, profile, 3))
    for state in states:
        if not state.tricks:
            check(view(state, rng.randrange(4)))
    ends = (settle(apply(states[-1], action)) for action in choices(states[-1]))
    check(view(next(each for each in ends if each.phase == "OVER"), 2))


def choices(state: State) -> tuple[Action, ...]:
    return next(each for each in legal(state) if each.kind is not Claim).choices


def test_after_a_claim() -> None:
    state = played_on(4, 6, "solo", None, None, None)
    while state.trick:
        state = apply(state, choices(state)[0])
    left = state.hands[0].bit_count()
    state = apply(state, Claim((left, 0, 0, 0)))
    assert state.phase == "SCORE"
    check(view(state, 1))


def test_a_later_deal_by_its_context() -> None:
    """Of the deals before only the last is known."""
    results = next(
        state.results for state in decisions(random.Random(3), load_game("solo_whist"), 4) if len(state.results) == 3
    )
    last = results[-1]
    totals = tuple(sum(each.balances[seat] for each in results) for seat in range(4))
    state = state_after(load_game("solo_whist"), Context(4, last, totals, (frozenset(),) * 4))
    check(view(state, 3))


WRITTEN: dict[str, Any] = {
    "tierce_view": 1, "game": "solo_whist", "seat": "S", "dealer": 0, "phase": "PLAY", "turned": "H5",
    "bids": ["pass", "prop", "pass", "cop"], "hand": "AK32.QT9.A32.K3", "tricks": ["C4 C2 C5 CA"],
    "trick": {"cards": ""},
}  # fmt: skip


def test_a_view_in_few_words() -> None:
    seen = read_view(WRITTEN)
    assert seen.contract is not None and seen.contract.declarers == (2, 0) and seen.contract.trump == 1
    assert (seen.leader, seen.to_move, seen.counts, seen.taken) == (0, 0, (12,) * 4, (1, 0, 0, 0))
    assert seen.hand.bit_count() == 12 and PlayWorlds(seen).count > 1e12
    validator().validate(WRITTEN)
    check(seen)


def test_players_by_their_letters() -> None:
    """Read as the numbers, as which they are written; in a result before this deal, too."""
    for number, letter in enumerate("NESW"):
        tree = WRITTEN | {"dealer": number, "phase": "DEAL", "hand": "..."}
        tree = {name: tree[name] for name in ("tierce_view", "game", "seat", "dealer", "phase", "hand")}
        seen = read_view(tree | {"dealer": letter})
        assert seen == read_view(tree) and seen.dealer == number and view_json(seen)["dealer"] == number
        validator().validate(tree | {"dealer": letter})
    state = next(each for each in decisions(random.Random(3), load_game("solo_whist"), 4) if each.results)
    tree = view_json(view(state, 3))
    before = tree["results"][0]
    told = tree | {"results": [before | {"dealer": "NESW"[before["dealer"]]}]}
    assert read_view(told) == read_view(tree) and view_json(read_view(told)) == tree
    validator().validate(told)


@pytest.mark.parametrize("dealer", ["X", "NE", "", "n", "0", 4, -1, True, None, ["N"]])
def test_players_that_are_none(dealer: Any) -> None:
    with pytest.raises(ViewError, match=r"expected a player 0, 1, 2 or 3 \(N, E, S or W\), found ") as caught:
        read_view(WRITTEN | {"dealer": dealer})
    assert caught.value.field == "dealer" and not validator().is_valid(WRITTEN | {"dealer": dealer})


def refused(changes: dict[str, Any]) -> ViewError:
    with pytest.raises(ViewError, match="expected") as caught:
        read_view({name: value for name, value in (WRITTEN | changes).items() if value is not None})
    return caught.value


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"seat": "D"}, "seat"),
        ({"dealer": 4}, "dealer"),
        ({"turned": None}, "turned"),
        ({"turned": "HT"}, "turned"),
        ({"bids": ["pass", "cop"]}, "bids[1]"),
        ({"bids": ["pass", "prop", "pass", "cop", "pass"]}, "bids[4]"),
        ({"bids": ["pass", "prop"]}, "bids"),
        ({"bids": ["pass", 8]}, "bids"),
        ({"trump": "S"}, "trump"),
        ({"phase": "TRUMP", "tricks": None, "trick": None, "hand": "AK32.QT9.A32.K32"}, "phase"),
        ({"contract": "solo"}, "contract"),
        ({"declarers": ["N", "E"]}, "declarers"),
        ({"exposed": "AK2..."}, "exposed"),
        ({"discard": "H2"}, "discard"),
        ({"quotas": {"N": 8, "E": 0, "S": 0, "W": 0}}, "quotas"),
        ({"tricks": ["C4 C2 C5"]}, "tricks[0]"),
        ({"tricks": ["C4 C2 H9 CA"]}, "tricks[0]"),
        ({"counts": {"N": 12, "E": 12, "S": 12, "W": 11}}, "counts"),
        ({"hand": "AK32.QT9.A32.K32"}, "hand"),
        ({"taken": {"D": 1, "E": 0, "M": 0}}, "taken"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], field: str) -> None:
    assert refused(changes).field == field


def test_a_trump_that_a_bidder_names() -> None:
    state = speaking(2, "abundance", None, None, None)
    assert state.phase == "TRUMP"
    tree = view_json(view(state, 1))
    assert "trump" not in tree
    check(view(state, 1))
    for trump, field in (("N", "trump"), (None, "trump")):
        changed = tree | {"phase": "PLAY"} | ({} if trump is None else {"trump": trump})
        with pytest.raises(ViewError) as caught:
            read_view(changed)
        assert caught.value.field == field
    assert read_view(tree | {"phase": "PLAY", "trump": "D"}).contract == replace(state.contract, trump=2)  # type: ignore[type-var]


def test_an_open_hand_must_be_told() -> None:
    state = played_on(9, 10, "misere_ouverte", None, None, None)
    assert state.contract is not None
    declarer = state.contract.declarers[0]
    seen = view(state, (declarer + 1) % 4)
    check(seen)
    check(view(state, declarer))
    tree = view_json(seen)
    assert "exposed" in tree and "exposed" not in view_json(view(state, declarer))
    with pytest.raises(ViewError) as caught:
        read_view({name: value for name, value in tree.items() if name != "exposed"})
    assert caught.value.field == "exposed"


def test_a_void_deal() -> None:
    state = speaking(2, None, None, None, None)
    assert state.phase == "SCORE"
    check(view(state, 0))


def test_who_has_shown_a_void_plays_none_of_that_suit() -> None:
    told = {
        "tierce_view": 1, "game": "solo_whist", "seat": "E", "dealer": 2, "phase": "PLAY", "turned": "S7",
        "bids": ["pass", "misere", "pass", "pass"], "hand": "KQJ6.A865.AJ.A",
        "tricks": ["C9 C2 C5 CT", "D6 C4 D2 D4"], "trick": "DQ D3 C3",
    }  # fmt: skip
    with pytest.raises(ViewError, match="expected no diamonds from West, which has shown a void, found D3") as caught:
        read_view(told)
    assert caught.value.field == "trick"
    assert read_view(told | {"trick": "DQ S3 C3"}).voids[3] == 1 << 2
