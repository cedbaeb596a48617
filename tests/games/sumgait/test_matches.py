"""Matches by lot: cards conserved, tricks judged and columns recomputed by a second statement, rules of the play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.games.sumgait import plain
from tests.games.sumgait.support import deals_of, match, options
from tierce.solver.cards import mask_of
from tierce.solver.games.options import Value
from tierce.solver.games.sumgait import ALL54, State, settle_vist, sumgait
from tierce.solver.games.sumgait.cards import card_name, suit_mask, suit_of

seeds = st.integers(0, 1 << 40)


def cards_everywhere(state: State) -> list[int]:
    """Every place where cards of the deal are."""
    played = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
    return [*state.hands, state.kitty, mask_of(played)]


@given(seeds, options)
def test_54_cards_in_one_place_each(seed: int, given_: Mapping[str, Value]) -> None:
    for state in match(seed, given_, deals=1):
        if state.dealt is not None:
            places = cards_everywhere(state)
            assert sum(place.bit_count() for place in places) == 54
            assert places[0] | places[1] | places[2] | places[3] | places[4] == ALL54
        if state.phase == "PLAY" and not state.trick:
            assert {hand.bit_count() for hand in state.hands} == {18 - len(state.tricks)}
            assert sum(state.taken) == len(state.tricks)


@given(seeds, options)
def test_tricks(seed: int, given_: Mapping[str, Value]) -> None:
    for state, _ in deals_of(list(match(seed, given_, deals=2))):
        trump, suits, leader = "N", [], 0
        assert len(state.tricks) == 18
        for number, trick in enumerate(state.tricks, 1):
            names = [card_name(card) for card in trick.cards]
            assert trick.leader == leader
            if trick.marriage is not None:
                trump = "SHDC"[trick.marriage]
                suits.append(trick.marriage)
                assert names[0] in (f"{trump}K", f"{trump}Q") and number > 1 and leader == 0
            procedure = str(state.game.options["joker_resolution"])
            if state.call == "misere" and state.game.options["misere_jokers"] == "low":
                suit = next(name for name in names if not plain.is_joker(name))[0]
                best = max(
                    (name for name in names if not plain.is_joker(name)),
                    key=lambda name: plain.strength(name, suit, "N"),
                )
            else:
                best = plain.trick_winner(names, trump, procedure)
            leader = (leader + names.index(best)) % 3
            assert trick.winner == leader
        assert tuple(suits) == state.marriages
        assert state.call == "play" or not suits


@given(seeds, options)
def test_the_declarer_follows_suit_and_piles_are_turned(seed: int, given_: Mapping[str, Value]) -> None:
    for state in match(seed, given_, deals=1):
        if state.phase != "SCORE":
            continue
        order: list[list[int]] = [[], [], []]
        hand = mask_of(trick.cards[-trick.leader % 3] for trick in state.tricks)
        for trick in state.tricks:
            for place, card in enumerate(trick.cards):
                order[(trick.leader + place) % 3].append(card)
            own = trick.cards[-trick.leader % 3]
            led = suit_of(trick.cards[0])
            if trick.leader != 0 and led != 4 and state.call != "pass" and suit_of(own) not in (led, 4):
                assert not hand & suit_mask(led), "he had none of the suit led"
            hand ^= 1 << own
        if state.piles is not None:
            assert [tuple(cards) for cards, pile in zip(order, state.piles, strict=True) if pile] == [
                pile for pile in state.piles if pile
            ]
        assert mask_of(order[1]) & state.given[1] == state.given[1]
        assert mask_of(order[2]) & state.given[2] == state.given[2]


@given(seeds, options, st.integers(1, 60))
def test_columns_by_a_second_statement(seed: int, given_: Mapping[str, Value], deals: int) -> None:
    found = list(deals_of(list(match(seed, given_, deals=deals, told=0.98))))
    rows: list[dict[str, Any]] = []
    for number, (before, _) in enumerate(found):
        tricks = [before.taken[(player - before.declarer) % 3] for player in range(3)]
        suits = ["SHDC"[suit] for suit in before.marriages]
        rows.append({"declarer": before.declarer, "call": before.call, "suits": suits, "tricks": tricks})
        assert sum(tricks) == 18
        assert before.declarer == (found[0][0].declarer + number) % 3
    expected = plain.columns(rows, sumgait(given_).options)
    for (_, after), row in zip(found, expected, strict=True):
        assert [[tally.game, tally.vist, tally.failures] for tally in after.tallies] == row
        assert (after.phase == "OVER") == all(game >= 1000 for game, _, _ in row)
        nets = settle_vist([tally.vist for tally in after.tallies]).nets
        assert sum(nets) == 0


def test_matches_by_lot_reach_their_end() -> None:
    """What the statement above is compared on has hills, failures, credits and ends in it."""
    ended = failures = credits = negative = 0
    for seed in range(100):
        states = list(match(seed, deals=60, told=1.0))
        ended += states[-1].phase == "OVER"
        for result in states[-1].results:
            failures += any(tally.failures for tally in result.tallies)
            credits += result.credited is not None
            negative += any(tally.vist < 0 for tally in result.tallies)
    assert ended > 20 and failures > 10 and credits > 50 and negative > 20
