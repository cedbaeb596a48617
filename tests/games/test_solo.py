"""Solo Whist: scores of the rules' vectors, matches by lot counted again, the turned card, seeded deals, game files."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.games import plain_solo
from tests.games.scenes import refusal
from tests.games.solo_matches import played, settings_of, whist
from tierce.solver.cards import ALL_CARDS, bit, card_name, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.games import (
    CONTRACTS,
    Bid,
    Claim,
    Contract,
    DealCards,
    Profile,
    State,
    apply,
    deal_by_lot,
    game_names,
    legal,
    load_game,
    new_match,
    random_deal,
    read_game,
    settle,
    three_hands,
)
from tierce.solver.games.contract_auction import trump_choices
from tierce.solver.games.contracts import SCHEDULES, payments
from tierce.solver.games.dealing import shuffled, turned_by_lot
from tierce.solver.games.options import OPTIONS

SEATS = "NESW"
VECTORS = json.loads((Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text(encoding="utf-8"))


# ---- scores ----------------------------------------------------------------------------------------------------------


def test_units_of_the_vectors() -> None:
    named = {"abundance_trumps": "abundance_in_trumps"}
    assert {named.get(name, name): units for name, units in VECTORS["solo_units"].items()} == {
        name: rule.units for name, rule in CONTRACTS.items()
    }
    for text, gained in VECTORS["solo_example"].items():
        name, tricks = text.split()
        contract = Contract(name, (0,), 0, 1)
        assert list(payments(contract, (int(tricks), 13 - int(tricks), 0, 0))) == gained


@pytest.mark.parametrize(
    ("name", "declarers", "tricks", "gained"),
    [
        ("prop_cop", (0, 1), (4, 4, 3, 2), (1, 1, -1, -1)),
        ("prop_cop", (3, 1), (4, 4, 2, 3), (1, -1, 1, -1)),
        ("solo", (2,), (4, 2, 5, 2), (-1, -1, 3, -1)),
        ("solo", (2,), (4, 3, 4, 2), (1, 1, -3, 1)),
        ("misere", (0,), (0, 5, 5, 3), (6, -2, -2, -2)),
        ("misere", (0,), (1, 5, 4, 3), (-6, 2, 2, 2)),
        ("abundance", (1,), (1, 10, 1, 1), (-3, 9, -3, -3)),
        ("abundance_in_trumps", (1,), (2, 8, 2, 1), (3, -9, 3, 3)),
        ("misere_ouverte", (3,), (5, 5, 3, 0), (-4, -4, -4, 12)),
        ("abundance_declared", (3,), (0, 0, 0, 13), (-6, -6, -6, 18)),
        ("abundance_declared", (3,), (0, 0, 1, 12), (6, 6, 6, -18)),
    ],
)
def test_units(name: str, declarers: tuple[int, ...], tricks: tuple[int, ...], gained: tuple[int, ...]) -> None:
    assert payments(Contract(name, declarers, 0, 0), tricks) == gained
    assert sum(gained) == 0


@pytest.mark.parametrize(
    ("schedule", "name", "won", "stake"),
    [
        ("fives", "prop_cop", 10, 5 + 2),
        ("fives", "solo", 4, -(5 + 1)),
        ("fives", "abundance", 11, 15 + 4),
        ("fives", "abundance", 7, -(15 + 2)),
        ("fives", "misere", 3, -10),
        ("fives", "abundance_declared", 13, 30),
        ("pence", "prop_cop", 9, 6 + 1),
        ("pence", "prop_cop", 13, 6 + 2 * 5),  # a slam, as published: 1s 4d
        ("pence", "prop_cop", 6, -(6 + 2)),
        ("pence", "misere_ouverte", 0, 24),
        ("cents", "solo", 7, 10 + 2),
        ("cents", "solo", 3, -10),
        ("cents", "abundance_in_trumps", 12, 60),
    ],
)
def test_schedules(schedule: str, name: str, won: int, stake: int) -> None:
    """What each defender pays; the declarers share it."""
    rule = CONTRACTS[name]
    declarers = (0, 2) if rule.side == 2 else (0,)
    tricks = (won, 13 - won, 0, 0)
    gained = payments(Contract(name, declarers, 0, 0), tricks, schedule)
    assert gained[1] == -stake and sum(gained) == 0
    assert {gained[seat] for seat in declarers} == {stake if rule.side == 2 else 3 * stake}


def test_every_schedule_is_an_option() -> None:
    assert set(SCHEDULES) | {"none"} == set(profile_values("overtrick_schedule"))
    for each in SCHEDULES.values():
        assert len(each.stakes) == len(CONTRACTS) and list(each.stakes) == sorted(each.stakes)


def profile_values(name: str) -> tuple[str, ...]:
    values = OPTIONS[name].values
    assert isinstance(values, tuple)
    return values


# ---- matches by lot, counted again -----------------------------------------------------------------------------------


def check_deal(profile: Profile, start: State, before: State, after: State) -> None:
    """A finished deal beside the plain count of it; `before` is the state at the score, `after` the one after it."""
    result = after.results[-1]
    assert result.dealer == start.dealer and after.totals == tuple(
        total + gained for total, gained in zip(start.totals, result.balances, strict=True)
    )
    if result.contract is None:
        assert (result.tricks, result.balances, before.tricks) == ((0,) * 4, (0,) * 4, ())
        return
    contract = result.contract
    assert contract.trump in range(5) and (contract.trump == 4) == (result.call == "N")
    tricks = [[card_name(card) for card in trick.cards] for trick in before.tricks]
    taken = plain_solo.counted(SEATS[contract.leader], tricks, result.call)
    if before.claim is not None:
        taken = {seat: taken[seat] + before.claim[SEATS.index(seat)] for seat in SEATS}
    assert dict(zip(SEATS, result.tricks, strict=True)) == taken and sum(result.tricks) == 13
    if profile.option("overtrick_schedule") == "none":
        declarers = "".join(SEATS[seat] for seat in contract.declarers)
        assert dict(zip(SEATS, result.balances, strict=True)) == plain_solo.units(contract.name, declarers, taken)
    assert sum(result.balances) == 0


def check_state(state: State) -> None:
    """52 cards, each once; hands as long as they should be; the turned card the dealer's until it is played."""
    if state.dealt is None:
        return
    played_cards = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
    everything = [*played_cards, *(card for hand in state.hands for card in cards_of(hand))]
    assert len(everything) == 52 and mask_of(everything) == ALL_CARDS
    assert state.turned is not None
    assert state.turned in played_cards or state.hands[state.dealer] & bit(state.turned)
    assert state.dealt.hands[state.dealer] & bit(state.turned)


def check_match(seed: int) -> Mapping[str, int]:
    """A whole match by lot; how often each contract was played, or none."""
    rng = random.Random(f"solo {seed}")
    profile = settings_of(rng)
    start: State | None = None
    after: State | None = None
    for state, action, after in played(rng, profile):
        check_state(after)
        if isinstance(action, DealCards):
            start = state
        if len(after.results) > len(state.results):
            assert start is not None
            check_deal(profile, start, state, after)
            assert after.won or after.dealer == (start.dealer + 1) % 4
    assert after is not None and len(after.results) == 8
    assert after.won == tuple(seat for seat in range(4) if after.totals[seat] == max(after.totals))
    names = [each.contract.name if each.contract else "void" for each in after.results]
    return {name: names.count(name) for name in names}


def test_matches_by_lot() -> None:
    seen: set[str] = set()
    for seed in range(25):
        seen |= set(check_match(seed))
    assert seen == {*CONTRACTS, "void"}


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(10))
def test_many_matches(piece: int) -> None:
    for seed in range(1000 + 200 * piece, 1000 + 200 * piece + 200):
        check_match(seed)


def test_a_match_of_void_deals_is_shared() -> None:
    state = new_match(whist(), 2)
    for number in range(8):
        assert state.dealer == (2 + number) % 4
        state = apply(state, deal_by_lot(state.profile, 1, number, state.dealer))
        while state.phase == "BID":
            state = apply(state, legal_pass(state))
        state = settle(state)
    assert state.won == (0, 1, 2, 3) and state.totals == (0, 0, 0, 0)
    assert state.phase == "OVER"


def legal_pass(state: State) -> Bid:
    found = legal(state)[0].choices[-1]
    assert isinstance(found, Bid) and found.bid is None
    return found


def test_a_goal_of_points_ends_a_match_too() -> None:
    profile = whist(end="total", goal=5)
    state = apply(new_match(profile, 3), deal_by_lot(profile, 1, dealer=3))
    for bid in ("misere", None, None, None):
        seat = legal_pass(state).seat
        state = apply(state, Bid(seat, bid))
    state = settle(apply(state, Claim((0, 13, 0, 0))))
    assert state.totals == (6, -2, -2, -2) and state.won == (0,)


# ---- deals -----------------------------------------------------------------------------------------------------------


def test_packets() -> None:
    """3+3+3+3+1 from the dealer's left; the last card is turned up."""
    cards = shuffled(ALL_CARDS, 11, 2)
    for dealer in range(4):
        given = deal_by_lot(whist(), 11, 2, dealer)
        hands: dict[int, list[int]] = {seat: [] for seat in range(4)}
        left = list(cards)
        for size in (3, 3, 3, 3, 1):
            for step in range(1, 5):
                hands[(dealer + step) % 4] += [left.pop(0) for _ in range(size)]
        assert [mask_of(hands[seat]) for seat in range(4)] == list(given.deal.hands)
        assert given.turned == cards[-1] == hands[dealer][-1]
        assert random_deal(whist(), 11, 2, dealer) == given.deal


def test_seeded_deals_are_pinned() -> None:
    """These deals were made once, and are the same for ever."""
    text = "".join(
        f"{given.deal} {given.turned}\n"
        for given in (deal_by_lot(whist(), seed, seed % 3, seed % 4) for seed in range(99))
    )
    assert hashlib.sha256(text.encode()).hexdigest() == PINNED
    first = deal_by_lot(whist(), 3)
    assert str(first.deal) == "N:AT7.Q76.9643.Q43 85.JT94.AKQ52.JT J643.AK8.J87.652 KQ92.532.T.AK987"
    assert first.turned is not None and card_name(first.turned) == "C3"


PINNED = "d613e2d5e63a41c31eda61451eb00f6c519f4e7b0c3b3414e5b0789c22ae3bbc"


def test_no_card_is_favoured_for_turning_up() -> None:
    found = [turned_by_lot(random_deal(whist(), seed), 2) for seed in range(1300)]
    places = [cards_of(random_deal(whist(), seed).hands[2]).index(card) for seed, card in enumerate(found)]
    assert all(60 < places.count(place) < 145 for place in range(13))
    deal = random_deal(whist(), 5)
    assert turned_by_lot(deal, 1, 2) // 16 == 2
    assert refusal(lambda: turned_by_lot(of_suits(), 0, 1))[:2] == ("wrong_turned", "turned")


def of_suits() -> Deal:
    """Every hand a suit: N spades, E hearts, S diamonds, W clubs."""
    return Deal(tuple(0x1FFF << 16 * suit for suit in range(4)))


def test_a_dealer_that_is_none() -> None:
    for dealer in (4, -1, True):
        assert refusal(lambda dealer=dealer: random_deal(whist(), 1, 0, dealer))[1] == "dealer"  # type: ignore[misc]


# ---- the game's file -------------------------------------------------------------------------------------------------

OWN = """
id = "my_whist"
name = "My whist"
seats = 4
contracts = true
hand = 13
kitty = 0
phases = ["DEAL", "BID", "TRUMP", "PLAY", "SCORE"]
score = "total"
[options]
prop_raise = false
end = "deals"
goal = 4
"""


def test_a_game_of_one_s_own(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    profile = read_game(file)
    assert (profile.seats, profile.contracts, profile.quotas, profile.number("goal")) == (4, True, (0,) * 4, 4)
    assert profile.option("self_raise") is False


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("kitty = 0", "kitty = 4", "hand"),
        ("hand = 13", "hand = 12", "hand"),
        ("kitty = 0", "kitty = 0\nranks = 8", "hand"),
        ("seats = 4", "seats = 3", "seats"),
        ("seats = 4", "seats = 5", "seats"),
        ("seats = 4\n", "", "seats"),
        ("contracts = true\n", "quotas = [4, 4, 5]\n", "seats"),
        ("contracts = true", "contracts = true\nquotas = [3, 3, 3, 4]", "quotas"),
        ('"BID", "TRUMP"', '"BID", "EXCHANGE", "TRUMP"', "phases"),
        ('"BID", "TRUMP"', '"TRUMP", "BID"', "phases"),
        ('"BID", ', "", "phases"),
        ('"PLAY"', '"KITTY", "DISCARD", "PLAY"', "phases"),
        ('score = "total"', 'score = "total"\nkitty_trick = true', "kitty_trick"),
        ('score = "total"', 'score = "total"\ncalls = ["S", "MIZ"]', "calls"),
        ("prop_raise = false", "exchange = true", "options"),
        ("prop_raise = false", "first_deal_auction = true", "options"),
        ('end = "deals"', 'end = "twelve"', "option"),
        ('end = "deals"', 'end = "quota_plus_5"', "option"),
    ],
)
def test_nonsense(tmp_path: Path, old: str, new: str, field: str) -> None:
    assert old in OWN
    file = tmp_path / "own.toml"
    file.write_text(OWN.replace(old, new), encoding="utf-8")
    code, found, message = refusal(lambda: read_game(file))
    assert found == field and "expected" in message, (found, message)
    assert code in ("game", "option")


def test_options_of_contracts_are_not_of_three_hands(tmp_path: Path) -> None:
    three = """
id = "three"
name = "Three"
hand = 17
kitty = 0
quotas = [8, 6, 3]
phases = ["DEAL", "TRUMP", "PLAY", "SCORE"]
score = "total"
[options]
end = "total"
goal = 10
self_raise = true
"""
    file = tmp_path / "three.toml"
    file.write_text(three, encoding="utf-8")
    assert refusal(lambda: read_game(file))[2] == "expected contracts beside the option 'self_raise', found none"
    file.write_text(three.replace("self_raise = true\n", "").replace('"DEAL"', '"DEAL", "BID"'), encoding="utf-8")
    assert refusal(lambda: read_game(file))[1] == "phases"


def test_seats() -> None:
    assert game_names(4) == ("solo_whist",) and set(game_names(3)) | {"solo_whist"} == set(game_names())
    profile = whist()
    assert (profile.letters, profile.removed, profile.given) == ("NESW", 0, {})
    assert trump_choices(profile, CONTRACTS["solo"]) == ()
    three_hands(load_game("raf"), "anything")
    assert refusal(lambda: three_hands(profile, "a review"))[:2] == ("game", "game")
