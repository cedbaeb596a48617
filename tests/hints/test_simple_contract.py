"""The rule-following player of Solo Whist: he keeps the rules, and plays as players are taught to."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.hints.contract_moments import any_profile, decisions, has, held, one, rest, seen_by_mover, speaking
from tierce.solver.cards import LANE, Mask, card_name, suit_of
from tierce.solver.games import Claim, NameTrump, Play, apply, legal, load_game
from tierce.solver.hints import choices, simple_action
from tierce.solver.hints.simple_contract import ALONE, OWN, PAIR, danger, expected, margins, named_simply, simple_bid
from tierce.solver.hints.simple_contract_play import Moment, simple_card

SOLO = load_game("solo_whist")


# ---- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_he_keeps_the_rules(seed: int) -> None:
    rng = random.Random(f"simple {seed}")
    moments = 0
    for state in decisions(rng, any_profile(rng), 7):
        open_ = [each for each in legal(state) if each.kind is not Claim]
        seen = seen_by_mover(state)
        assert choices(seen) == tuple(open_)
        assert simple_action(seen) in open_[0].choices
        moments += 1
    assert moments > 100


@pytest.mark.parametrize("seed", range(4))
def test_what_he_does_hangs_on_his_view_alone(seed: int) -> None:
    """The other hands are dealt anew: he does the same."""
    rng = random.Random(f"unseen {seed}")
    for state in decisions(rng, SOLO, 2):
        seen = seen_by_mover(state)
        assert simple_action(seen) == simple_action(seen_by_mover(state))
        moment = Moment.of(seen) if seen.phase == "PLAY" else None
        if moment is not None:
            assert moment.out == rest(moment.hand, moment.gone)


# ---- bids ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "turned", "bids", "bid"),
    [
        ("AKQ32.A54.K32.32", 0, (), "solo"),
        ("AKQJT982.AK.A.32", 0, (), "abundance"),
        ("AKQ.AKQJ.AKQ.AKQ", 1, (), "abundance_declared"),
        (".AKQJT98765432..", 3, (), "abundance_declared"),
        ("2468.2468.235.23", 0, (), "misere_ouverte"),
        ("247TQ.357.246.35", 0, (), "misere"),
        ("AK32.A54.K32.432", 0, (), "prop"),
        ("Q92.A54.K432.Q32", 0, (), None),
        ("AK32.A54.5432.43", 0, ((1, "prop"),), "cop"),
        ("65.J54.T9432.J73", 0, ((1, "prop"),), None),
        ("AKQ32.A54.K32.32", 0, ((1, "misere"),), None),
    ],
)
def test_bids(hand: str, turned: int, bids: tuple[tuple[int, Any], ...], bid: str | None) -> None:
    assert simple_bid(SOLO, 0, bids, held(hand), turned) == bid


def test_abundance_in_trumps_over_abundance_alone() -> None:
    hand = held("AKQJT982.AK.A.32")
    assert simple_bid(SOLO, 0, ((1, "abundance"),), hand, 0) == "abundance_in_trumps"
    assert simple_bid(SOLO, 0, ((1, "misere_ouverte"),), hand, 0) is None


def test_trump_is_the_long_suit() -> None:
    assert named_simply(held("32.AKQJT98.AK.32"), "abundance") == 1
    assert named_simply(held("AKQ.AKQJ.AKQ.AKQ"), "abundance_declared") == 4


@pytest.mark.parametrize("bid", ["abundance", "abundance_declared"])
def test_he_names_a_trump_that_may_be_named(bid: str) -> None:
    state = speaking(4, bid, None, None, None, profile=load_game("solo_whist", {"ad_trump": True}))
    action = simple_action(seen_by_mover(state))
    assert isinstance(action, NameTrump)
    assert apply(state, action).phase == "PLAY"


@pytest.mark.parametrize("weights", [ALONE, OWN, PAIR])
@pytest.mark.parametrize("seed", range(20))
def test_a_higher_card_is_worth_more(weights: Any, seed: int) -> None:
    """A two against the ace of its suit: more tricks for it, and more danger with it."""
    rng = random.Random(seed)
    trump, suit = rng.randrange(4), rng.randrange(4)
    cards = rng.sample([16 * s + r for s in range(4) for r in range(1, 12)], 12)
    hand: Mask = sum(1 << card for card in cards)
    low, high = hand | 1 << 16 * suit, hand | 1 << 16 * suit + 12
    assert expected(high, trump, weights) > expected(low, trump, weights)
    assert danger(high) >= danger(low)


def test_margins_are_those_of_the_bids() -> None:
    found = margins(held("AKQ32.A54.K32.32"), 0)
    assert found["solo"] >= 0 > found["abundance"]
    assert list(found) == [
        "prop", "cop", "solo", "misere", "abundance", "abundance_in_trumps", "misere_ouverte", "abundance_declared",
    ]  # fmt: skip


# ---- cards -----------------------------------------------------------------------------------------------------------


def card(seat: int, hand: str, *trick: str, **more: Any) -> str:
    """What he plays. More: trump, declarers (mask), few, gone (a hand), voids, known."""
    table = tuple(map(one, trick))
    gone = held(more.pop("gone", "...")) | sum(1 << each for each in table)
    given: dict[str, Any] = {"trump": 0, "declarers": 1, "few": False, "voids": (0, 0, 0, 0)} | more
    leader = (seat - len(table)) % 4
    return card_name(simple_card(Moment(seat, held(hand), leader=leader, trick=table, gone=gone, **given)))


def test_the_declarer_draws_trumps() -> None:
    assert card(0, "AKQ32.A54.K32.32")[0] == "S"
    assert card(0, "AKQ32.A54.K32.32", voids=(0, 1, 1, 1)) == "HA"  # the others have none left


def test_partners_of_prop_and_cop_draw_trumps_and_do_not_beat_each_other() -> None:
    assert card(2, "AK.A54.KQ32.5432", declarers=0b101)[0] == "S"
    assert card(2, "32.K54.Q32.65432", "HA", "H2", declarers=0b101) == "H4"


def test_the_last_hand() -> None:
    # South has the trick with the nine. West beats a declarer cheaply, and leaves a friend the trick.
    assert card(3, "32.AQT.Q32.65432", "H2", "H3", "H9", declarers=0b100) == "HT"
    assert card(3, "32.AQ4.Q32.65432", "H2", "H3", "H9", declarers=0b10) == "H4"


def test_second_hand_low_third_hand_high() -> None:
    assert card(1, "32.KJ4.Q32.65432", "H3", declarers=0b1) == "H4"
    assert card(2, "32.KJ4.Q32.65432", "H3", "H5", declarers=0b1000) == "HK"


def test_he_trumps_what_others_have_and_not_what_a_friend_has() -> None:
    assert card(3, "32..Q32.65432", "HA", "H3", "H9", declarers=0b1) == "S2"
    assert card(3, "32..Q32.65432", "HA", "H3", "H9", declarers=0b10)[0] != "S"


def test_the_turned_card_is_known() -> None:
    """East leads. South, who declares, is known to hold the king of hearts: the queen is not led up to him."""
    hand = "2.Q4.J4.J4"
    gone = "AKQJT98765.AJT9.AKQT9.AKQT9"
    known = (0, 0, 1 << one("HK"), 0)
    unknown = card(1, hand, declarers=0b100, gone=gone, trump=4)
    told = card(1, hand, declarers=0b100, gone=gone, trump=4, known=known)
    assert told[0] != "H"
    assert has(held(hand), one(unknown))


# ---- no tricks -------------------------------------------------------------------------------------------------------


def misere(seat: int, hand: str, *trick: str, **more: Any) -> str:
    """What he plays in a misère of north's."""
    return card(seat, hand, *trick, **({"trump": 4, "few": True, "declarers": 1} | more))


def test_the_bidder_ducks_as_high_as_he_can() -> None:
    assert misere(0, "2479.3.4.5", "S8") == "S7"
    assert misere(0, "K9.3.4.5", "S8") == "S9"  # somebody may yet go over
    assert misere(0, "K9.3.4.5", "S8", "S2", "S3") == "SK"  # it is his anyway


def test_the_bidder_throws_away_what_is_in_danger() -> None:
    assert misere(0, "2345.A32.4.", "C8") == "HA"


def test_the_others_play_under_and_get_rid_of_high_cards() -> None:
    assert misere(3, "A73.5.5.5", "S8") == "S7"  # north plays next
    assert misere(2, "A73.5.5.5", "S4", "S5") == "SA"  # led by north, who is under: it cannot be his any more


def test_a_void_is_remembered() -> None:
    """North has shown that he has no spades and no hearts; west holds the two of both."""
    voids = (0b0011, 0, 0, 0)
    assert misere(3, "2.2.6.", voids=voids)[0] == "D"
    assert misere(3, "2.2.6.")[0] in "SH"


@pytest.mark.parametrize("bid", ["misere", "misere_ouverte"])
def test_no_suit_is_led_that_the_bidder_lacks_as_long_as_there_is_another(bid: str) -> None:
    rng = random.Random(bid)
    found = 0
    for seed in range(12):
        state = speaking(seed, bid, None, None, None)
        bidder = state.eldest
        while state.phase == "PLAY":
            seen = seen_by_mover(state)
            lacks = sum(1 << suit for suit in range(4) if not state.hands[bidder] >> 16 * suit & LANE)
            lacks = lacks if seen.exposed else seen.voids[bidder]
            others = [suit for suit in range(4) if seen.hand >> 16 * suit & LANE and not lacks >> suit & 1]
            others = [suit for suit in others if seen.unseen >> 16 * suit & LANE or seen.exposed >> 16 * suit & LANE]
            if not state.trick and seen.seat != bidder and lacks and others:
                action = simple_action(seen)
                assert isinstance(action, Play)
                assert suit_of(action.card) in others
                found += 1
            state = apply(state, rng.choice(legal(state)[0].choices))
    assert found > 20
