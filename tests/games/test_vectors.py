"""The worked examples of the rules: quotas, rotation, balances, returns, the kitty check, caps, calls of Deputy."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from tests.games.plain_rules import give_back, kitty_shown, parcels
from tests.games.scenes import D, E, M, after_results, card, claimed, deal_of, game, go, second_deal
from tests.games.words import SEATS, mask, names
from tierce.solver.cards import cards_of, mask_of
from tierce.solver.games import (
    MIZ,
    Bid,
    Call,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Return,
    Send,
    Show,
    apply,
    automatic,
    game_names,
    legal,
    load_game,
    new_match,
    settle,
)
from tierce.solver.games.exchange import Transfer, plan, returned, shown_cards
from tierce.solver.games.options import Value
from tierce.solver.games.scoring import balances

VECTORS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text(encoding="utf-8")
)
RETURN_RULES: Final = ("merged_top_n", "own_top_n", "pairwise_low_first", "pairwise_high_first")

# ---- 9.1 quotas, rotation, balances ----------------------------------------------------------------------------------

IN_VECTORS: Final = {
    "raf": "sm_8_5_3",
    "wiki_358": "sm_8_5_3",
    "woburn": "sm_8_5_3",
    "deputy": "sm_8_5_3",
    "six_three_eight": "6-3-8",
    "nine_five_two": "9-5-2",
    "nine_five_two_swap": "9-5-2var",
    "uni_high_359": "3-5-9uni",
    "nine_five_three_one_card": "9-5-3onecard",
    "nine_five_three_no_kitty": "9-5-3nokitty",
}


@pytest.mark.parametrize("name", IN_VECTORS)
def test_quotas(name: str) -> None:
    profile = load_game(name)
    *quotas, tricks = VECTORS["quota_sums"][IN_VECTORS[name]]
    assert list(profile.quotas) == quotas
    assert profile.counted == sum(quotas) == tricks


def test_every_game_has_its_vector() -> None:
    assert set(IN_VECTORS) == set(game_names(3))
    assert set(IN_VECTORS.values()) == set(VECTORS["quota_sums"])


@pytest.mark.parametrize("bid", range(8, 17))
def test_quotas_of_an_auction(bid: int) -> None:
    profile = game("woburn")
    state = apply(new_match(profile), DealCards(deal_of(profile)))
    for seat, tricks in ((D, bid), (E, None), (M, None)):
        state = apply(state, Bid(seat, tricks))
    assert list(state.quotas) == VECTORS["woburn_quota"][str(bid)]
    assert sum(state.quotas) == 16
    assert settle(go(state, "PLAY")).phase == "PLAY"
    assert claimed(state, (4, 6, 6)).quotas == (8, 5, 3), "later deals are played for 8-5-3"


@pytest.mark.parametrize("name", ["raf", "wiki_358"])
def test_the_first_example(name: str) -> None:
    """10-4-2: +2 -1 -1; then the old dealer, now middle, sends one card to each rival."""
    example = VECTORS["sm_example"]
    state = claimed(new_match(game(name), 0), tuple(example["tricks_D_E_M"]))
    assert list(state.results[0].balances) == example["balance"]
    assert [state.player(seat) for seat in (D, E, M)] == [1, 2, 0]
    assert [state.quotas[(player - state.dealer) % 3] for player in range(3)] == [3, 8, 5]
    state = apply(state, DealCards(deal_of(state.profile)))
    assert {(each.sender, each.receiver, each.count) for each in state.transfers} == {(M, D, 1), (M, E, 1)}
    state = go(state, "TRUMP")
    assert all(each.sent.bit_count() == each.returned.bit_count() == 1 for each in state.transfers)


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("raf", [3, 5, 8, 3]),
        ("wiki_358", [3, 5, 8, 3]),
        ("woburn", [3, 5, 8, 3]),
        ("deputy", [3, 5, 8, 3]),
        ("nine_five_two", [2, 5, 9, 2]),
        ("nine_five_two_swap", [5, 2, 9, 5]),
        ("six_three_eight", [3, 6, 8, 3]),
        ("uni_high_359", [3, 5, 9, 3]),
        ("nine_five_three_one_card", [3, 5, 9, 3]),
        ("nine_five_three_no_kitty", [3, 5, 9, 3]),
    ],
)
def test_how_the_quota_of_a_player_runs(name: str, run: list[int]) -> None:
    """The deal passes to the left; the player who begins in the middle is eldest next and then dealer."""
    state = new_match(load_game(name), 1)
    found = []
    for deal in range(4):
        state = apply(state, DealCards(deal_of(state.profile)))
        state = go(state, "PLAY")
        quotas = (8, 5, 3) if state.call == MIZ else state.quotas
        assert state.dealer == (1 + deal) % 3
        found.append(quotas[(0 - state.dealer) % 3])
        played = state.profile.hand
        state = claimed(state, (played - 10, 5, 5))  # nobody near twelve, no total near a goal
        if state.phase == "OVER":
            pytest.fail("the match is over")
    assert found == run


def test_twelve_tricks_are_taken_by_one_player_at_most() -> None:
    for tricks in (16, 17):
        for d, e in product(range(tricks + 1), repeat=2):
            assert [d >= 12, e >= 12, tricks - d - e >= 12].count(True) <= 1 or d + e > tricks


# ---- Deputy ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "balance"), VECTORS["deputy_miz"].items())
def test_miz_as_listed(case: str, balance: int) -> None:
    seat, tricks = case.split()
    taken = [0, 0, 0]
    taken[["dealer", "eldest", "middle"].index(seat)] = int(tricks)
    profile = game("deputy")
    assert profile.caps() == (3, 5, 8)
    assert balances(profile.caps(), taken, MIZ)[["dealer", "eldest", "middle"].index(seat)] == balance


def test_miz_by_quota_and_the_usual_score() -> None:
    profile = game("deputy", miz_caps="quota")
    assert profile.caps() == (8, 5, 3)
    assert balances(profile.caps(), (0, 0, 5), MIZ)[M] == -2
    assert balances(profile.caps(), (0, 0, 1), MIZ)[M] == 2
    assert balances(profile.quotas, (6, 4, 6), "S") == (-2, -1, 3)


@pytest.mark.parametrize(("caps", "balance"), [("listed", (-2, 0, 2)), ("quota", (3, 0, -3))])
def test_a_deal_of_miz(caps: str, balance: tuple[int, int, int]) -> None:
    state = apply(new_match(game("deputy", miz_caps=caps)), DealCards(deal_of(game("deputy"))))
    state = claimed(apply(state, Call(D, MIZ)), (5, 5, 6))
    assert state.results[0].balances == balance and state.totals == balance


def test_without_trump_the_suit_led_wins() -> None:
    """5H, KC, TH: the ten."""
    for call in ("N", MIZ):
        deal = deal_of(game("deputy"), d="HT", e="H5", m="CK SA SK SQ SJ ST S9 DA DK DQ DJ DT D9 D8 CA CQ")
        state = go(apply(apply(new_match(game("deputy")), DealCards(deal)), Call(D, call)), "DISCARD")
        junk = legal(state)[0].among & ~mask("HT")
        state = settle(apply(state, Discard(D, mask_of(cards_of(junk)[:4]))))
        for seat, name in ((E, "H5"), (M, "CK"), (D, "HT")):
            state = apply(state, Play(seat, card(name)))
        assert [trick.winner for trick in state.tricks] == [D]


def test_deputy_ends_after_eighteen_deals() -> None:
    state = new_match(game("deputy"))
    calls: list[list[str]] = [[], [], []]
    for deal in range(18):
        assert state.phase == "DEAL", f"over after {deal} deals"
        state = apply(state, DealCards(deal_of(state.profile)))
        choices = [each.call for each in legal(state)[0].choices if isinstance(each, Call)]
        assert sorted(choices) == sorted(set("SHDCN") - set(calls[state.dealer]) | {MIZ} - set(calls[state.dealer]))
        calls[state.dealer].append(choices[deal % len(choices)])
        dealer = state.dealer
        state = claimed(apply(state, Call(D, calls[dealer][-1])), (8, 5, 3))
    assert state.phase == "OVER"
    assert all(sorted(each) == sorted(["S", "H", "D", "C", "N", MIZ]) for each in calls)
    assert len(choices) == 1, "the last call is forced"
    assert state.won == tuple(player for player in range(3) if state.totals[player] == max(state.totals))


# ---- 9.2 returns -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RETURN_RULES)
@pytest.mark.parametrize("row", VECTORS["exchange_return"], ids=lambda row: str(row["name"]))
def test_returns(row: dict[str, Any], rule: str) -> None:
    own, sent = mask(" ".join(row["receiver"])), mask(" ".join(row["sent"]))
    assert sorted(names(returned(own, sent, {"return_rule": rule}))) == sorted(row[rule])
    assert sorted(give_back(row["receiver"], row["sent"], rule)) == sorted(row[rule])


@pytest.mark.parametrize("row", VECTORS["exchange_return"], ids=lambda row: str(row["name"]))
def test_returns_with_low_aces(row: dict[str, Any]) -> None:
    own, sent = mask(" ".join(row["receiver"])), mask(" ".join(row["sent"]))
    options = {"return_rule": "merged_top_n", "rank_order": "ace_low"}
    assert sorted(names(returned(own, sent, options))) == sorted(row["ace_low_merged"])
    assert sorted(give_back(row["receiver"], row["sent"], "merged_top_n", True)) == sorted(row["ace_low_merged"])


RETURNS: Final = (
    # receiver, sent, and what comes back: merged_top_n, own_top_n, pairwise_low_first, pairwise_high_first
    ("HK H4 S2", "H7", "HK", "HK", "HK", "HK"),
    ("S2 SK", "H7", "H7", "H7", "H7", "H7"),
    ("H4 H3", "H7", "H7", "H4", "H7", "H7"),
    ("HA HK H2", "H5 H7", "HA HK", "HA HK", "HA HK", "HA HK"),
    ("HK H3", "H5 HQ", "HK HQ", "HK H3", "HK HQ", "HK H5"),
    ("HA H9 H2", "H3 HT HQ", "HA HQ HT", "HA H9 H2", "HA HQ HT", "HA HT H9"),
    ("HA D5 S2", "H3 D9", "HA D9", "HA D5", "HA D9", "HA D9"),
)


@pytest.mark.parametrize("row", RETURNS, ids=lambda row: f"{row[0]} <- {row[1]}")
def test_the_table_of_returns(row: tuple[str, ...]) -> None:
    for rule, back in zip(RETURN_RULES, row[2:], strict=True):
        assert returned(mask(row[0]), mask(row[1]), {"return_rule": rule}) == mask(back), rule


def test_the_second_sender_meets_the_hand_as_changed_by_the_first() -> None:
    row = VECTORS["two_up_one_down"]
    deal = deal_of(game("raf"), d="S2", e="S3", m=" ".join(row["down"]) + " H2 H3 H4 D2 D3 D4 D5 C2 C3 C4 C5 C6")
    state = second_deal(game("raf"), (1, 1, -2), deal)
    for seat, sent, gets in ((D, row["first_sends"], row["first_gets"]), (E, row["second_sends"], row["second_gets"])):
        state = apply(state, Send(seat, M, mask(" ".join(sent))))
        back = automatic(state)
        assert back == Return(M, seat, mask(" ".join(gets)))
        state = settle(state)
    assert state.phase == "TRUMP"


# ---- 9.3 the kitty check ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threshold", "shown"), [("lowest_returned", "HA HQ"), ("highest_returned", "HA")])
def test_shown_kitty_cards(threshold: str, shown: str) -> None:
    options: dict[str, Value] = {"show_threshold": threshold, "show_after_null_return": True}
    transfer = Transfer(E, D, 2, mask("H2 H3"), mask("HK H9"))
    assert shown_cards(transfer, mask("HA HQ H5 S2"), options) == mask(shown)
    assert kitty_shown(["HK", "H9"], ["H2", "H3"], ["HA", "HQ", "H5", "S2"], options) == shown.split()


@pytest.mark.parametrize(("threshold", "shown"), [("lowest_returned", "HA HQ"), ("highest_returned", "HA")])
def test_the_kitty_check_in_a_deal(threshold: str, shown: str) -> None:
    """The dealer, two down, gave HK and H9 to eldest; the kitty holds HA HQ H5 S2."""
    profile = game("raf", show_threshold=threshold)
    deal = deal_of(profile, d="HK H9 SA", e="H2 H3", m="HJ HT H8 H7 H6 H4", kitty="HA HQ H5 S2")
    state = settle(apply(second_deal(profile, (-2, 2, 0), deal), Send(E, D, mask("H2 H3"))))
    assert state.transfers[0].returned == mask("HK H9")
    state = apply(state, NameTrump(D, 0))
    state = settle(apply(state, Discard(D, mask_of(cards_of(state.hands[D])[:4]))))
    assert state.phase == "PLAY"
    assert state.shown == ((E, mask(shown)),)
    assert not state.hands[E] & mask(shown), "shown, not given"


def test_kitty_cards_are_shown_only_by_a_dealer_who_gave_cards_back() -> None:
    profile = game("raf")
    for balances_, seats in (((2, -1, -1), set()), ((-3, 1, 2), {E, M}), ((0, 0, 0), set())):
        deal = deal_of(profile, d="S2 H2 D2 C2", kitty="SA HA DA CA")
        state = go(second_deal(profile, balances_, deal), "DISCARD")
        state = settle(apply(state, next(iter(legal(state)[0].actions()))))
        assert {to for to, _ in state.shown} == seats


# ---- 9.4 caps --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["woburn_cap_1", "woburn_cap_2"])
def test_at_most_three_cards(case: str) -> None:
    row = VECTORS[case]
    balance = tuple(row["balance_8_5_3"])
    state = second_deal(game("woburn"), balance)
    assert [[each.sender, each.receiver, each.count] for each in state.transfers] == row["plan"]
    by_seat = dict(zip(SEATS, balance, strict=True))
    options = {"max_bleed": 3, "bleed_scope": "both"}
    again = parcels(by_seat, dict(zip(SEATS, (8, 5, 3), strict=True)), options)
    assert [[SEATS.index(one), SEATS.index(other), count] for one, other, count in again] == row["plan"]


# ---- section 2: shapes of the exchange -------------------------------------------------------------------------------


def test_shapes_of_all_results() -> None:
    """108 results of 8-5-3 with nobody at 12 tricks: two up 39, two down 40, one and one 28, all even 1."""
    shapes = {"two up": 0, "two down": 0, "one and one": 0, "even": 0}
    largest = [0, 0, 0]
    for d, e in product(range(12), repeat=2):
        m = 16 - d - e
        if not 0 <= m < 12:
            continue
        balance = (d - 8, e - 5, m - 3)
        ups, downs = [each for each in balance if each > 0], [each for each in balance if each < 0]
        shapes[
            "even" if not ups else "two up" if len(ups) > 1 else "two down" if len(downs) > 1 else "one and one"
        ] += 1
        # The old dealer is middle now, the old eldest dealer, the old middle eldest.
        found = plan((balance[1], balance[2], balance[0]), (8, 5, 3), {})
        assert sum(each.count for each in found) == sum(ups) == -sum(downs)
        for seat, was in ((0, 1), (1, 2), (2, 0)):
            sent = sum(each.count for each in found if each.sender == seat)
            got = sum(each.count for each in found if each.receiver == seat)
            assert sent - got == balance[was] and not (sent and got)
            largest[was] = max(largest[was], sent)
    assert shapes == {"two up": 39, "two down": 40, "one and one": 28, "even": 1}
    assert largest == [3, 6, 8]


def test_no_exchange_in_the_first_deal_nor_when_all_are_even() -> None:
    for name in game_names(3):
        profile = load_game(name)
        state = go(new_match(profile), "PLAY")
        assert state.transfers == ()
        state = apply(after_results(profile, (0, 0, 0)), DealCards(deal_of(profile)))
        assert state.phase not in ("EXCHANGE", "SEND")
        assert go(state, "PLAY").transfers == ()


def test_a_show_is_no_gift() -> None:
    """What is shown stays with the dealer, and the one to whom it is shown is the sender of the parcel."""
    profile = game("wiki_358")
    deal = deal_of(profile, d="SK S3", e="S2", kitty="SA H2 D2 C2")
    state = settle(apply(second_deal(profile, (-1, 1, 0), deal), Send(E, D, mask("S2"))))
    state = go(state, "DISCARD")
    state = apply(state, next(iter(legal(state)[0].actions())))
    state = apply(state, automatic(state) or pytest.fail("the kitty is due"))
    assert automatic(state) == Show(D, E, mask("SA"))
    assert settle(state).hands[D] & mask("SA")
