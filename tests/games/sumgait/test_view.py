"""What the declarer knows: his cards, each pile's known ones apart from the rest, and nothing he has not seen."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.sumgait.support import mask, match, options
from tests.games.sumgait.test_rules import before_the_play, dealt, in_the_play, played_on
from tierce.solver.cards import mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.options import Value
from tierce.solver.games.sumgait import ALL54, DealCards, Play, Rob, State, apply, legal, new_match, sumgait, view
from tierce.solver.games.sumgait.cards import cards_of
from tierce.solver.games.sumgait.deal import Dealt

SEEDS = st.integers(0, 1 << 40)


def moments(seed: int, given_: Mapping[str, Value]) -> list[State]:
    return [state for state in match(seed, given_, deals=1) if state.dealt is not None]


@settings(max_examples=40)
@given(SEEDS, options)
def test_every_card_is_somewhere(seed: int, given_: Mapping[str, Value]) -> None:
    for state in moments(seed, given_):
        seen = view(state)
        played = mask_of(card for trick in state.tricks for card in trick.cards) | mask_of(state.trick)
        places = [seen.hand, seen.known[1], seen.known[2], seen.unseen, played]
        assert sum(place.bit_count() for place in places) == 54
        assert seen.counts == tuple(hand.bit_count() for hand in state.hands)
        unknown = [seen.counts[seat] - seen.known[seat].bit_count() for seat in (1, 2)]
        assert seen.unseen.bit_count() == sum(unknown) + seen.kitty
        assert min(unknown) >= 0
        for seat in (1, 2):
            assert seen.known[seat] & ~state.hands[seat] == 0, "known to lie there, and it does"
            assert seen.known[seat] & state.given[seat] == state.hands[seat] & state.given[seat]
        if seen.robbed is not None and not seen.kitty:
            assert seen.known[seen.robbed] == state.hands[seen.robbed], "a whole pile is known"


@settings(max_examples=40)
@given(SEEDS, options)
def test_what_may_be_played(seed: int, given_: Mapping[str, Value]) -> None:
    for state in moments(seed, given_):
        seen = view(state)
        opened = [each for each in legal(state) if each.kind is Play and each.seat == 0]
        plays = [play for each in opened for play in each.choices if isinstance(play, Play)]
        assert list(seen.playable) == [play.card for play in plays if not play.marriage]
        assert cards_of(seen.declarable) == tuple(sorted({play.card for play in plays if play.marriage}, key=order))
        assert seen.may_rob == (state.phase == "ROB")


def order(card: int) -> int:
    return cards_of(ALL54).index(card)


def exchanged(state: State, rng: random.Random) -> State:
    """The same moment with cards exchanged that the declarer has not seen."""
    seen = view(state)
    pool = list(cards_of(seen.unseen))
    rng.shuffle(pool)
    hands, kitty = list(state.hands), state.kitty
    for seat in (1, 2):
        count = (hands[seat] & seen.unseen).bit_count()
        hands[seat] = hands[seat] & ~seen.unseen | mask_of(pool[:count])
        del pool[:count]
    kitty = mask_of(pool) if kitty else 0
    assert state.dealt is not None
    return replace(state, hands=(hands[0], hands[1], hands[2]), kitty=kitty, piles=None)


@settings(max_examples=40)
@given(SEEDS, options, SEEDS)
def test_unseen_cards_may_change_places(seed: int, given_: Mapping[str, Value], lot: int) -> None:
    rng = random.Random(lot)
    for state in moments(seed, given_):
        assert view(exchanged(state, rng)) == view(state)


def test_the_order_of_the_piles_is_not_in_it() -> None:
    states = [each for seed in range(9) for each in moments(seed, {}) if each.piles and each.phase == "PLAY"]
    assert states
    for state in states:
        assert state.piles is not None
        turned = tuple(tuple(reversed(pile)) for pile in state.piles)
        blind = replace(state, piles=(turned[0], turned[1], turned[2]))
        if not state.blind(state.mover):
            assert view(blind) == view(state) == view(replace(state, piles=None))


def test_after_giving() -> None:
    seen = view(in_the_play())
    assert seen.known == (0, mask("C9 C5"), mask("S3 HJ"))
    assert (seen.given, seen.robbed, seen.kitty) == ((0, mask("C9 C5"), mask("S3 HJ")), None, 0)
    assert seen.unseen == dealt().hands[1] | dealt().hands[2]
    later = view(played_on(in_the_play(), "C2 C9 S4"))
    assert later.known == (0, mask("C5"), mask("S3 HJ"))


def test_after_a_robbery() -> None:
    deal = dealt()
    start = apply(new_match(sumgait()), DealCards(deal))
    seen = view(apply(start, Rob(2)))
    assert (seen.hand, seen.known) == (deal.hands[2], (0, 0, deal.hands[0]))
    assert seen.unseen == deal.hands[1] | deal.kitty
    assert (seen.robbed, seen.kitty, seen.counts) == (2, 6, (16, 16, 16))
    given_ = view(before_the_play(apply(start, Rob(None))))
    assert given_.known[1] == mask("C9 C5")


def test_as_text() -> None:
    state = played_on(in_the_play(), "C2 CQ S3 C9")
    assert str(view(state)).splitlines() == [
        "the declarer, player 1, in the phase: PLAY",
        "hand: AKQ2.K2.AKQJ32.AKJT.J2",
        "trump: N",
        "trick: C9",
        "taken: the declarer 0, the next player 1, the other player 0",
        "known of the next player: ...5",
        "known of the other player: .J..",
        "unseen: JT987654.AQT9876543.T987654.87643.J1",
    ]
    with pytest.raises(InputError, match="a deal with its cards"):
        view(new_match(sumgait()))
    assert isinstance(state.dealt, Dealt)
