"""The exchange of a deal and the ways to choose parcels: the rules' worked examples, and all ways by the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, permutations
from math import comb
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.advice.exchanges import EXCHANGING
from tests.games.random_matches import chosen, dealt, settings_of
from tests.games.scenes import D, E, M, after_results, deal_of, game, go, refusal, second_deal
from tests.games.words import mask
from tierce.solver import InputError
from tierce.solver.advice.sending import count_ways, due, exchange_of_deal, exchange_of_state, sender_of, sent, ways
from tierce.solver.cards import Mask, bit, cards_of, mask_of, rank_of
from tierce.solver.games import (
    DealCards,
    Discard,
    NameTrump,
    Profile,
    Send,
    State,
    apply,
    game_names,
    legal,
    load_game,
    random_deal,
    settle,
)
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.options import OPTIONS
from tierce.solver.games.scoring import DealResult, winners

VECTORS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text(encoding="utf-8")
)
RULES: Final = ("merged_top_n", "own_top_n", "pairwise_low_first", "pairwise_high_first")


def owed(state: State) -> list[tuple[int, int, int]]:
    return [(each.sender, each.receiver, each.count) for each in state.transfers]


def cards(words: Sequence[str]) -> Mask:
    return mask(" ".join(words))


# ---- the rules' examples ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["raf", "wiki_358", "woburn"])
def test_the_example_of_the_rules(name: str) -> None:
    """10/4/2: the dealer of that deal, middle now, sends a card to each of the others and gets one back."""
    example = VECTORS["sm_example"]
    profile = load_game(name)
    state = exchange_of_deal(profile, random_deal(profile, 1, 3), example["tricks_D_E_M"])
    assert (state.phase, state.dealer, sender_of(state)) == ("EXCHANGE", 0, M)
    assert {(each.receiver, each.count) for each in due(state)} == {(D, 1), (E, 1)}
    # 16 cards to one; 15 to the other at once, or after the first exchange again 16
    assert count_ways(state) == (240 if name == "raf" else 256)
    for way in ways(state):
        assert way.state.phase == "TRUMP" and [each.count for each in way.sends] == [1, 1]
        assert all(each.sent.bit_count() == each.returned.bit_count() == 1 for each in way.sends)


@pytest.mark.parametrize("vector", ["woburn_cap_1", "woburn_cap_2"])
def test_the_cap_of_woburn(vector: str) -> None:
    (d, e, m), plan = VECTORS[vector]["balance_8_5_3"], VECTORS[vector]["plan"]
    # today's dealer, eldest and middle were eldest (quota 5), middle (3) and dealer (8)
    profile = load_game("woburn")
    state = exchange_of_deal(profile, random_deal(profile, 1, 3), (8 + m, 5 + d, 3 + e))
    assert owed(state) == [tuple(each) for each in plan]
    first = plan[0]
    assert sender_of(state) == first[0]
    one_sender = len({sender for sender, _, _ in plan}) == 1
    assert count_ways(state) == comb(16, first[2]) * (comb(16, plan[1][2]) if one_sender else 1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("row", VECTORS["exchange_return"], ids=lambda row: str(row["name"]))
def test_the_table_of_returns(row: dict[str, Any], rule: str) -> None:
    check_returns(row, row[rule], return_rule=rule)


@pytest.mark.parametrize("row", VECTORS["exchange_return"], ids=lambda row: str(row["name"]))
def test_the_table_of_returns_with_low_aces(row: dict[str, Any]) -> None:
    check_returns(row, row["ace_low_merged"], rank_order="ace_low")


def check_returns(row: dict[str, Any], back: Sequence[str], **options: str) -> None:
    """Eldest sends the dealer, who holds the cards of the row and other suits."""
    profile, count = game("raf", **options), len(row["sent"])
    suits = {name[0] for name in row["sent"]}
    fill = [card for card in cards_of(profile.pack) if "SHDC"[card >> 4] not in suits]
    own = cards(row["receiver"])
    hand = own | mask_of([card for card in fill if not own >> card & 1][: 16 - own.bit_count()])
    deal = deal_of(profile, d=" ".join(words(hand)), e=" ".join(row["sent"]))
    state = exchange_of_deal(profile, deal, (8, 5 - count, 3 + count))
    way = sent(state, [cards(row["sent"])])
    assert way.sends == (Transfer(E, D, count, cards(row["sent"]), cards(back)),)
    (same,) = (each for each in ways(state) if each.sends[0].sent == cards(row["sent"]))
    assert same == way
    assert way.state.hands[D] == hand & ~cards(back) | cards(row["sent"]) & ~cards(back)


def words(hand: Mask) -> Iterator[str]:
    return ("SHDC"[card >> 4] + "23456789TJQKA"[rank_of(card)] for card in cards_of(hand))


def test_the_second_sender_meets_the_hand_as_changed_by_the_first() -> None:
    row = VECTORS["two_up_one_down"]
    profile = game("raf")
    down = " ".join(row["down"]) + " H2 H3 H4 D2 D3 D4 D5 C2 C3 C4 C5 C6"
    state = exchange_of_deal(profile, deal_of(profile, d="S2", e="S3", m=down), (6, 6, 4))
    for seat, name in ((D, "first"), (E, "second")):
        assert sender_of(state) == seat
        way = sent(state, [cards(row[f"{name}_sends"])])
        assert way.sends[0].returned == cards(row[f"{name}_gets"])
        state = way.state
    assert state.phase == "TRUMP"


@pytest.mark.parametrize(("threshold", "shown"), [("lowest_returned", "HA HQ"), ("highest_returned", "HA")])
def test_the_kitty_check_after_a_way(threshold: str, shown: str) -> None:
    profile = game("raf", show_threshold=threshold)
    deal = deal_of(profile, d="HK H9 SA", e="H2 H3", m="HJ HT H8 H7 H6 H4", kitty="HA HQ H5 S2")
    way = sent(exchange_of_deal(profile, deal, (8, 3, 5)), [mask("H2 H3")])
    assert way.sends[0].returned == mask("HK H9")
    after = apply(way.state, NameTrump(D, 0))
    after = settle(apply(after, Discard(D, mask_of(cards_of(after.hands[D])[:4]))))
    assert (after.phase, after.shown) == ("PLAY", ((E, mask(shown)),))


# ---- where the exchange begins ---------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(EXCHANGING), st.integers(0, 10**6), st.integers(-5, 5), st.integers(-5, 5))
def test_who_owes_what(name: str, seed: int, up: int, more: int) -> None:
    """The balances of the deal before, moved to today's seats, go through the rules as in a match."""
    assume(abs(up + more) <= 5 and (up or more))
    rng = random.Random(seed)
    profile = settings_of(rng, name)
    balances = (up, more, -up - more)
    was = balances[2], balances[0], balances[1]
    tricks = [quota + balance for quota, balance in zip(profile.quotas, was, strict=True)]
    assume(min(tricks) >= 0 and tricks[0] >= (1 if profile.kitty_trick else 0))
    over = [seat for seat in range(3) if was[seat] > 0]
    first = rng.choice((None, *over))
    deal = dealt(rng, profile)
    expected = after_results(profile, balances, None if first is None else (first + 2) % 3)
    if not {"EXCHANGE", "SEND"} & set(expected.steps):
        return
    bid = 8 if profile.option("first_deal_auction") else None
    d, e, m = tricks
    result = DealResult(0, "", profile.quotas, (d, e, m), was, first, bid)
    if winners(profile, (result,), was):
        refused = refusal(lambda: exchange_of_deal(profile, deal, tricks, first_over=first))
        assert refused[:2] == ("previous", "previous") and "goes on" in refused[2]
        return
    state = exchange_of_deal(profile, deal, tricks, first_over=first)
    expected = apply(expected, DealCards(deal))
    while expected.phase not in ("EXCHANGE", "SEND"):
        open_ = legal(expected)[0]
        expected = apply(expected, Discard(0, deal.kitty) if open_.kind is Discard else open_.choices[-1])
    assert (state.hands, state.kitty, state.quotas) == (expected.hands, expected.kitty, expected.quotas)
    assert (state.transfers, state.queue) == (expected.transfers, expected.queue)


def test_raised_quotas_of_an_auction() -> None:
    profile = load_game("woburn")
    deal = random_deal(profile, 1, 3)
    assert owed(exchange_of_deal(profile, deal, (9, 5, 2), quotas=(10, 4, 2))) == [(D, M, 1)]
    assert owed(exchange_of_deal(profile, deal, (9, 5, 2))) == [(M, E, 1)]


def test_who_was_first_over() -> None:
    profile = load_game("uni_high_359")
    deal = random_deal(profile, 1, 3)
    orders = [owed(exchange_of_deal(profile, deal, (5, 7, 5), first_over=first)) for first in (None, 1, 2)]
    assert orders == [[(D, M, 2), (E, M, 2)], [(D, M, 2), (E, M, 2)], [(E, M, 2), (D, M, 2)]]


@pytest.mark.parametrize(
    ("previous", "more", "where", "said"),
    [
        ((10, 4), {}, "previous", "three tricks"),
        ((10, 4, "2"), {}, "previous", "three tricks"),
        (7, {}, "previous", "three tricks"),
        ((10, 4, 3), {}, "previous", "sum to 16"),
        ((19, -1, -2), {}, "previous", "sum to 16"),
        ((12, 2, 2), {}, "previous", "goes on"),
        ((10, 4, 2), {"quotas": (9, 4, 3)}, "quotas", "8/5/3"),
        ((10, 4, 2), {"quotas": (9, 4)}, "previous", "three quotas"),
        ((10, 4, 2), {"first_over": 3}, "first_over", "first over"),
        ((10, 4, 2), {"first_over": 1}, "first_over", "more tricks than its quota"),
        ((8, 5, 3), {}, "not_due", "everybody took what he owed"),
    ],
)
def test_refuses_results(previous: Any, more: dict[str, Any], where: str, said: str) -> None:
    profile = load_game("raf")
    found, field, message = refusal(lambda: exchange_of_deal(profile, random_deal(profile, 1, 3), previous, **more))
    assert found == ("not_due" if where == "not_due" else "previous")
    assert field == ("exchange" if where == "not_due" else where)
    assert said in message and message.startswith("expected ") and " found " in message


def test_refuses_games_and_moments_without_an_exchange() -> None:
    for profile in (load_game("six_three_eight", {"exchange": False}), load_game("nine_five_two")):
        quotas = profile.quotas
        code, field, _ = refusal(lambda: exchange_of_deal(profile, random_deal(profile, 1, 3), quotas))  # noqa: B023
        assert (code, field) == ("not_due", "exchange")
    state = go(second_deal(game("raf"), (1, -1, 0)), "TRUMP")
    assert refusal(lambda: sender_of(state))[:2] == ("not_due", "exchange")
    assert refusal(lambda: list(ways(state)))[:2] == ("not_due", "exchange")


def test_refuses_parcels() -> None:
    state = second_deal(game("raf"), (2, -1, -1))
    one, other = (bit(card) for card in cards_of(state.hands[D])[:2])
    for parcels, code in (
        ([], "parcel"),
        ([one], "parcel"),
        ([one, other, one], "parcel"),
        ([one, one], "not_held"),
        ([one, bit(cards_of(state.hands[E])[0])], "not_held"),
        ([one | other, other], "parcel_size"),
        ([0, one], "parcel_size"),
    ):
        assert refusal(lambda: sent(state, parcels))[:2] == (code, "exchange")  # noqa: B023


# ---- all ways --------------------------------------------------------------------------------------------------------


def by_the_rules(state: State, seat: int) -> Iterator[tuple[tuple[Transfer, ...], State]]:
    """Every way in which a sender can go on until it is somebody else's turn."""
    state = settle(state)
    open_ = legal(state)[0] if legal(state) else None
    if open_ is None or open_.kind is not Send or open_.seat != seat:
        yield state.transfers, state
        return
    for parcel in combinations(cards_of(open_.among), open_.count):
        yield from by_the_rules(apply(state, Send(seat, open_.to or 0, mask_of(parcel))), seat)


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(EXCHANGING),
    st.sampled_from([*permutations((1, -1, 0)), *permutations((2, -1, -1)), *permutations((1, 1, -2)), (2, -2, 0)]),
    st.integers(0, 10**6),
)
def test_every_way_is_there_once(name: str, balances: tuple[int, int, int], seed: int) -> None:
    rng = random.Random(seed)
    state = turn(rng, settings_of(rng, name), balances)
    if state is None:
        return
    seat, owes = sender_of(state), due(state)
    expected = dict(by_the_rules(state, seat))
    found = list(ways(state))
    assert len(found) == count_ways(state) == len(expected)
    assert len({way.sends for way in found}) == len(found)
    for way in found:
        assert expected[way.state.transfers] == way.state
        assert sent(state, [each.sent for each in way.sends]) == way
        assert [(each.sender, each.receiver, each.count) for each in way.sends] == [
            (seat, each.receiver, each.count) for each in owes
        ]
        made = {(each.sender, each.receiver): each for each in way.state.transfers}
        for each in way.sends:  # what is still to come back, once all is sent, comes back as the rules have it later
            later = replace(made[each.sender, each.receiver], returned=each.returned)
            assert each == later and each.returned in (
                made[each.sender, each.receiver].returned,
                _later(way.state, each),
            )


def _later(state: State, transfer: Transfer) -> int:
    """What comes back for a parcel after the trump is named, whichever it is."""
    if state.phase != "TRUMP":
        return 0
    ends = [settle(apply(state, NameTrump(0, trump))).transfers for trump in range(4)]
    (found,) = {
        each.returned
        for end in ends
        for each in end
        if (each.sender, each.receiver) == (transfer.sender, transfer.receiver)
    }
    return found


def turn(rng: random.Random, profile: Profile, balances: tuple[int, int, int]) -> State | None:
    """The first or the second moment of an exchange at which a parcel is due; None in a game played without."""
    state = after_results(profile, balances, rng.choice((None, 0, 1, 2)))
    met = rng.randrange(2)
    while state.phase not in ("TRUMP", "PLAY"):
        if state.queue and legal(state)[0].kind is Send:
            if not met:
                return state
            met -= 1
        state = apply(state, DealCards(dealt(rng, profile)) if state.phase == "DEAL" else chosen(rng, state))
    return None


@settings(deadline=None, max_examples=10)
@given(st.sampled_from(["raf", "nine_five_two_swap", "six_three_eight"]), st.integers(3, 5), st.integers(0, 10**6))
def test_many_ways(name: str, count: int, seed: int) -> None:
    rng = random.Random(seed)
    profile = load_game(name)
    state = turn(rng, profile, (count, -count, 0))
    assume(state is not None)
    assert state is not None
    assert count_ways(state) == comb(profile.hand, count)
    first = list(islice(ways(state), 50))
    assert len({way.sends for way in first}) == len(first) == 50
    assert all(sent(state, [way.sends[0].sent]) == way for way in first)


def test_as_many_ways_as_there_can_be() -> None:
    at_once = second_deal(game("raf"), (8, -4, -4))
    assert count_ways(at_once) == comb(16, 4) * comb(12, 4) == 900_900
    one = second_deal(game("raf"), (8, -8, 0))
    assert count_ways(one) == comb(16, 8) == 12_870
    for state in (at_once, one):
        first = next(ways(state))
        assert sent(state, [each.sent for each in first.sends]) == first


@pytest.mark.parametrize("rule", OPTIONS["return_rule"].values)
def test_the_most_promising_parcels_come_first(rule: str) -> None:
    """Those whose returns are the highest above them, in ranks."""
    state = second_deal(game("raf", return_rule=rule), (2, -2, 0))
    gains = [ranks(way.sends[0].returned) - ranks(way.sends[0].sent) for way in ways(state)]
    assert gains == sorted(gains, reverse=True) and gains[0] > gains[-1]


def ranks(hand: Mask) -> int:
    return sum(map(rank_of, cards_of(hand)))


def test_the_next_deal_of_a_match() -> None:
    """From a state of a match, as from its result."""
    profile = load_game("raf")
    deal = random_deal(profile, 1, 3)
    state = exchange_of_state(after_results(profile, (-1, -1, 2)), deal)
    other = exchange_of_deal(profile, deal, (10, 4, 2))
    assert (state.hands, state.transfers, state.queue) == (other.hands, other.transfers, other.queue)


def test_every_game_but_one_has_an_exchange() -> None:
    assert set(game_names(3)) - set(EXCHANGING) == {"deputy"}
    deputy = load_game("deputy")
    with pytest.raises(InputError):
        exchange_of_deal(deputy, random_deal(deputy, 1, 3), (10, 4, 2))
