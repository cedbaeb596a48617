"""A view comes back from its JSON as it was, at every moment of every game; and what a bot's author may write."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.random_matches import match_of, played
from tests.games.scenes import D, E, M, deal_of, game, go
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.games import (
    Claim,
    Context,
    DealCards,
    DealResult,
    Send,
    State,
    View,
    apply,
    load_game,
    new_match,
    read_record,
    replay,
    settle,
    view,
)
from tierce.solver.games.context import state_after
from tierce.solver.hints.view_json import ViewError, read_view, read_views, view_json

SEEDS = st.integers(0, 1 << 30)


def states(seed: int, deals: int) -> Iterator[tuple[random.Random, State]]:
    """The states of a random match, its end among them."""
    rng, profile = match_of(seed)
    for state, _, after in played(rng, profile, deals, claims=0.3):
        yield rng, state
        if after.phase == "OVER":
            yield rng, after


def check(state: State, seat: int) -> None:
    seen = view(state, seat)
    assert read_view(json.dumps(view_json(seen))) == seen


def check_match(seed: int, deals: int, often: float) -> set[str]:
    """Every view of some states comes back; the phases that were met."""
    phases = set()
    for rng, state in states(seed, deals):
        if rng.random() < (often if state.phase == "PLAY" else 1):
            phases.add(state.phase)
            for seat in range(3):
                check(state, seat)
    return phases


def test_every_phase_of_every_game() -> None:
    phases = set().union(*(check_match(seed, 3, 0.05) for seed in range(40)))
    assert phases == {
        "DEAL", "BID", "CALL", "EXCHANGE", "SEND", "TRUMP", "RETURN", "DISCARD", "KITTY", "SHOW", "SWAP", "PLAY",
        "SCORE", "OVER",
    }  # fmt: skip


@given(SEEDS)
@example(441022338)  # the two others may have exchanged or not: only what is traced tells
def test_random_matches(seed: int) -> None:
    check_match(seed, 2, 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(10))
def test_many_matches(piece: int) -> None:
    for seed in range(3000 + 20 * piece, 3020 + 20 * piece):
        check_match(seed, 6, 0.3)


def test_a_late_deal_of_which_only_the_one_before_is_known() -> None:
    last = DealResult(2, "S", (8, 5, 3), (6, 5, 5), (-2, 0, 2))
    state = state_after(load_game("raf"), Context(5, last, (4, -1, -3)))
    state = settle(apply(state, DealCards(deal_of(state.profile))))
    tree = view_json(view(state, M))
    assert "results" not in tree and tree["context"]["deal"] == 5
    for seat in range(3):
        check(state, seat)


def test_the_calls_used_are_told_by_the_deals_before() -> None:
    profile = load_game("deputy")
    last = DealResult(2, "H", (8, 5, 3), (6, 5, 5), (-2, 0, 2))
    used = (frozenset({"S"}), frozenset({"N"}), frozenset({"MIZ", "H"}))
    state = state_after(profile, Context(5, last, (4, -1, -3), used))
    state = apply(state, DealCards(deal_of(profile)))
    tree = view_json(view(state, D))
    tree["context"]["used"] = [["S"], ["N"], ["MIZ", "H"]]
    seen = read_view(tree)
    found = {(each.dealer, each.call) for each in seen.results}
    assert found == {(0, "S"), (1, "N"), (2, "MIZ"), (2, "H")}
    assert read_view(view_json(seen)) == seen
    tree |= {"phase": "DISCARD", "call": "S"}
    with pytest.raises(ViewError, match="call: expected one of H D C N MIZ in the phase DISCARD, found S"):
        read_view(tree)


# ---- what an author may write ----------------------------------------------------------------------------------------

MATCH: Final = Path(__file__).parent.parent / "records" / "golden" / "match.json"

# Eldest's view as he leads to the second trick of that match's second deal, in as few words as will do.
WRITTEN: Final[dict[str, Any]] = {
    "tierce_view": 1,
    "game": "raf",
    "seat": "E",
    "results": [{"dealer": 1, "tricks": {"D": 4, "E": 6, "M": 6}}],
    "phase": "PLAY",
    "trump": "C",
    "exchange": [{"from": "E", "to": "M", "sent": "S2 dk 8c", "returned": "SK DA CK"}],
    "hand": "87.2J74.A53.KQT753",
    "tricks": ["SK SQ S4"],
}


def of_the_match(seat: int, trick: int) -> View:
    """A seat's view at its turn in a trick of the second deal."""
    deal = replay(read_record(MATCH)).deals[1]
    played = (state for _, state in deal.steps() if state.phase == "PLAY" and len(state.tricks) == trick - 1)
    return next(view(state, seat) for state in played if state.mover == seat)


def test_a_view_in_few_words() -> None:
    expected = of_the_match(E, 2)
    less = replace(expected.results[0], call="", first_over=None)
    assert read_view(WRITTEN) == replace(expected, results=(less,))
    assert read_view(json.dumps(WRITTEN, indent=2).encode()) == read_view(WRITTEN)
    assert PlayWorlds(read_view(WRITTEN)).count > 10**9


def refusal(tree: Any) -> tuple[str | None, str]:
    with pytest.raises(ViewError) as caught:
        read_view(tree, "a.json")
    assert caught.value.file == "a.json" and str(caught.value).startswith("a.json:")
    return caught.value.field, caught.value.message


NEEDLESS: Final = ("dealer", "totals", "to_move", "quotas", "counts", "taken", "trick")


@pytest.mark.parametrize("name", NEEDLESS)
def test_what_follows_may_be_left_out_or_is_verified(name: str) -> None:
    seen = of_the_match(E, 2)
    tree = view_json(seen)
    value = tree.pop(name)
    assert read_view(tree) == seen and read_view(tree | {name: value}) == seen
    wrong = {"dealer": 0, "to_move": "M", "totals": [4, -4, 0], "trick": {"leader": "D", "cards": ""}}
    other = wrong[name] if name in wrong else value | {"D": value["D"] + 1}
    field, message = refusal(tree | {name: other})
    assert (field or "").startswith(name) and message.startswith("expected ") and ", found " in message


def test_cards_seen_known_and_traced_are_verified() -> None:
    seen = of_the_match(E, 4)
    rows = {"known": seen.known, "traced": seen.traced}
    more: dict[str, Any] = {name: dict(zip("DEM", map(spelled, each), strict=True)) for name, each in rows.items()}
    more |= {"seen": spelled(seen.seen), "unseen": spelled(seen.unseen)}
    more["voids"] = dict(zip("DEM", map(suits, seen.voids), strict=True))
    assert read_view(view_json(seen) | more) == seen
    wrong = {"seen": "SA", "unseen": "", "known": more["known"] | {"M": "S2 S3"}}
    wrong |= {"traced": more["traced"] | {"D": "S2"}, "voids": more["voids"] | {"M": "SHDC"}}
    for name, value in wrong.items():
        field, message = refusal(view_json(seen) | {name: value})
        assert field == name and message.startswith("expected ") and ", found " in message


def suits(voids: int) -> str:
    return "".join("SHDC"[suit] for suit in range(4) if voids >> suit & 1)


def spelled(cards: int) -> str:
    return " ".join("SHDC"[card >> 4] + "23456789TJQKA"[card & 15] for card in range(64) if cards >> card & 1)


@pytest.mark.parametrize(
    ("changes", "field", "word"),
    [
        ({"tierce_view": 2}, "tierce_view", "found the newer 2"),
        ({"tierce_view": "1"}, "tierce_view", "found '1'"),
        ({"extra": 1}, None, "found 'extra'"),
        ({"call": "C"}, None, "found 'call'"),
        ({"game": "whist"}, "game", "expected a game"),
        ({"options": {"end": "never"}}, "options", "expected end = "),
        ({"seat": "N"}, "seat", "expected one of D E M, found 'N'"),
        ({"dealer": 1}, "dealer", "expected player 2 to deal, found 1"),
        ({"phase": "BID"}, "phase", "expected a phase of a later deal"),
        ({"phase": "KITTY"}, "tricks", "before the phase PLAY"),
        ({"trump": "N"}, "trump", "expected one of S H D C"),
        ({"trump": None}, "trump", "found None"),
        ({"hand": "87.J742.A53.KQT75"}, "hand", "expected 15 cards in the hand, found 14"),
        ({"hand": "K7.J742.A53.KQT753"}, "tricks[0]", "found SK in two"),
        ({"hand": "87.J742.A53.KQT75X"}, "hand", "found 'X'"),
        ({"hand": 7}, "hand", "expected text, found 7"),
        ({"tricks": ["SK SQ"]}, "tricks[0]", "expected three cards, found 2"),
        ({"tricks": [{"leader": "M", "cards": "SK SQ S4"}]}, "tricks[0].leader", "expected eldest to lead"),
        ({"tricks": [{"cards": "SK SQ S4", "winner": "D"}]}, "tricks[0].winner", "expected eldest to win"),
        ({"tricks": ["SK SQ S4"], "trick": "HJ H3 H4"}, "trick", "at most two cards on the table"),
        ({"trick": "C3"}, "hand", "expected 14 cards in the hand, found 15"),
        ({"discard": "H2 H3 H4 H5"}, "discard", "only the dealer sees it"),
        ({"shown": "HA"}, "shown", "found HA"),
        ({"bids": [8]}, "bids", "expected none in this deal"),
        ({"up_card": "HA"}, "up_card", "expected none in this deal"),
        ({"exchange": []}, "exchange", "expected 3 cards sent of eldest's parcel for middle, found none"),
        ({"exchange": [{"from": "M", "to": "E"}]}, "exchange[0]", "the dealer to middle 1"),
        ({"exchange": [{"from": "D", "to": "M", "sent": "SA"}]}, "exchange[0]", "between the two others"),
        ({"results": []}, "exchange", "expected none in this deal"),
        ({"results": [{"dealer": 1, "tricks": {"D": 4, "E": 6, "M": 5}}]}, "results[0].tricks", "sum to 16"),
        ({"results": [{"dealer": 1, "tricks": {"D": 12, "E": 2, "M": 2}}]}, "results[0]", "a match that goes on"),
        ({"context": {"deal": 2}}, "context", "expected a field 'totals'"),
        ({"players": ["a", "b"]}, "players", "expected a list of 3"),
        ({"voids": {"D": "X", "E": "", "M": ""}}, "voids", "letters of suits"),
        ({"taken": {"D": 0, "E": 2, "M": 0}}, "taken", "eldest 1"),
    ],
)  # fmt: skip
def test_what_is_refused(changes: dict[str, Any], field: str | None, word: str) -> None:
    found, message = refusal(WRITTEN | changes)
    assert found == field and word in message, (found, message)


@pytest.mark.parametrize("name", ["tierce_view", "game", "seat", "phase", "hand", "trump"])
def test_what_must_be_there(name: str) -> None:
    _, message = refusal({each: value for each, value in WRITTEN.items() if each != name})
    assert "expected" in message and "found none" in message


def test_a_suit_not_followed() -> None:
    tricks = ["SK SQ S4", "H2 HK H3", "S9 SJ D3"]
    field, message = refusal(WRITTEN | {"tricks": tricks, "hand": "87.J74.A5.KQT753"})
    assert (field, message) == ("tricks[2]", "expected eldest to follow spades, found D3")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "found no text"),
        ("{", "not valid JSON"),
        ("[1]", "expected an object"),
        ('{"tierce_view": 1, "tierce_view": 1}', "the field 'tierce_view' twice"),
        ('{"tierce_view": NaN}', "found NaN"),
        ('{"tierce_view": 111111111111111111111}', "a number of 21 digits"),
        ("[" * 100_000, "too many brackets"),
        (b"\xff", "expected UTF-8"),
    ],
)
def test_text_that_is_no_view(text: str | bytes, word: str) -> None:
    with pytest.raises(ViewError, match="expected") as caught:
        read_view(text, "a.json")
    assert word in caught.value.message and caught.value.file == "a.json"


def test_lines_of_views() -> None:
    seen = of_the_match(E, 2), of_the_match(M, 3)
    text = "\n\n".join(json.dumps(view_json(each)) for each in seen) + "\n"
    assert read_views(text) == seen == read_views(text.encode())
    with pytest.raises(ViewError, match=r"^b.jsonl:3:tierce_view: "):
        read_views(text.replace("tierce_view", "x", 2).replace("x", "tierce_view", 1), "b.jsonl")


def exchanging(previous: tuple[int, int, int]) -> State:
    """The exchange of a second deal, after one with these tricks of its dealer, eldest and middle: they are middle,
    dealer and eldest now."""
    return exchange_of_deal(game("raf"), deal_of(game("raf")), previous)


def test_whose_turn_it_is_in_an_exchange() -> None:
    """Without being told it is this seat's, where it can be."""
    state = exchanging((9, 6, 1))  # dealer and middle send eldest a card each, the dealer first
    for seat, turn in ((D, D), (E, D), (M, M)):
        tree = view_json(view(state, seat))
        assert read_view(tree) == view(state, seat)
        del tree["to_move"], tree["counts"]
        assert read_view(tree).to_move == turn
    after = settle(apply(state, Send(D, E, state.hands[D] & -state.hands[D])))
    tree = view_json(view(after, M))
    del tree["to_move"], tree["counts"]
    assert read_view(tree) == view(after, M)
    assert refusal(tree | {"to_move": "D", "counts": {"D": 15, "E": 16, "M": 16}})[0] == "exchange"


def test_a_claim_is_told_by_the_tricks_taken() -> None:
    state = apply(go(new_match(game("raf")), "PLAY"), Claim((10, 4, 2)))
    tree = view_json(view(state, M))
    assert read_view(tree) == view(state, M) and tree["taken"] == {"D": 10, "E": 4, "M": 2}
    assert refusal({name: each for name, each in tree.items() if name != "taken"})[0] == "taken"
    assert refusal(tree | {"taken": {"D": 10, "E": 4, "M": 3}})[0] == "taken"
