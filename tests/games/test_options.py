"""Every option: a case in which its values lead to different results; values and combinations that are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from tests.games.plain_rules import GAMES
from tests.games.scenes import D, E, M, claimed, deal_of, game, go, refusal, second_deal
from tests.games.words import mask, names, plain
from tierce.solver.cards import cards_of, mask_of
from tierce.solver.games import (
    Bid,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Return,
    Send,
    State,
    Trick,
    apply,
    automatic,
    game_names,
    legal,
    load_game,
    new_match,
    random_deal,
    settle,
)
from tierce.solver.games.auction import AUCTION_QUOTAS
from tierce.solver.games.options import OPTIONS, Value
from tierce.solver.games.sumgait.game import DEFAULTS as SUMGAIT

# ---- the games and their options, from the rules ---------------------------------------------------------------------

EXCHANGE: Final[dict[str, Value]] = {
    "exchange_order_two_down": "lowest_quota_first",
    "two_up_order": "current_quota",
    "return_rule": "merged_top_n",
    "rank_order": "ace_high",
    "max_bleed": 0,
    "bleed_scope": "both",
}
CHECK: Final[dict[str, Value]] = {
    "kitty_first": False,
    "show_threshold": "lowest_returned",
    "show_after_null_return": True,
}
AUCTION: Final[dict[str, Value]] = {
    "all_pass": "next_dealer",
    "bid_must_rise": True,
    "bid_reentry": False,
    "win_needs_bid": False,
}
DEFAULTS: Final[dict[str, dict[str, Value]]] = {
    "raf": {**EXCHANGE, **CHECK, "exchange_order_two_down": "simultaneous", "end": "twelve"},
    "wiki_358": {**EXCHANGE, **CHECK, "end": "twelve", "first_deal_auction": False, **AUCTION},
    "woburn": {**EXCHANGE, **CHECK, "max_bleed": 3, "end": "twelve", "first_deal_auction": True, **AUCTION},
    "deputy": {"kitty_first": False, "end": "deals", "goal": 18, "miz_caps": "listed"},
    "six_three_eight": {**EXCHANGE, "exchange": True, "end": "total", "goal": 10, "removed_card": "S2"},
    "nine_five_two": {**EXCHANGE, "end": "total", "goal": 10, "goal_tie": "higher"},
    "nine_five_two_swap": {
        **{name: EXCHANGE[name] for name in ("return_rule", "rank_order", "max_bleed", "bleed_scope")},
        "split_return_order": "current_quota",
        "end": "total",
        "goal": 15,
        "goal_tie": "shared",
    },
    "uni_high_359": {
        **EXCHANGE,
        "two_up_order": "first_over",
        "end": "twelve",
        "count_kitty_trick_for_win": True,
    },
    "nine_five_three_one_card": {**EXCHANGE, "end": "thirteen", "swap_time": "after_trump"},
    "nine_five_three_no_kitty": {**EXCHANGE, "end": "thirteen", "removed_card": "S2"},
}


@pytest.mark.parametrize("name", GAMES)
def test_the_table_of_games(name: str) -> None:
    profile, expected = load_game(name), GAMES[name]
    assert (profile.hand, profile.kitty, profile.quotas) == (expected.each, expected.kitty, expected.quota)
    assert " ".join(profile.steps(first=False)) == f"DEAL {expected.order}"
    assert profile.kitty_trick == (name == "uni_high_359")
    assert profile.both_ways == (name == "nine_five_two_swap")
    totals = ("deputy", "six_three_eight", "nine_five_two", "nine_five_two_swap")
    assert profile.score == ("total" if name in totals else "balance")
    assert profile.name and profile.about.endswith(".")


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(name: str) -> None:
    options = dict(load_game(name).options)
    assert options | DEFAULTS[name] == options
    extra = set(options) - set(DEFAULTS[name])
    assert extra <= {"goal", "goal_tie"}, "these two wait for an end that asks for them"
    assert load_game(name).given == {}


def test_the_list_of_games() -> None:
    assert set(game_names(3)) == set(GAMES) == set(DEFAULTS)
    four = load_game("solo_whist").defaults  # whose options have their tests in test_solo.py
    used = {name for options in (*DEFAULTS.values(), SUMGAIT, four) for name in options}
    assert used == set(OPTIONS), "every option belongs to a game, and none is without a meaning"


# ---- the exchange ----------------------------------------------------------------------------------------------------


def kinds_and_seats(state: State) -> list[tuple[Any, ...]]:
    """What is done from here to the end of the exchange: (kind, seat, to, number of cards)."""
    found = []
    while state.phase in ("EXCHANGE", "SEND", "RETURN"):
        action = next(iter(legal(state)[0].actions()))
        words = plain(action)
        found.append((words[0], words[1], words[2], len(words[3])))
        state = apply(state, action)
    return found


def test_exchange_order_two_down() -> None:
    one_by_one = [("send", "D", "M", 1), ("return", "M", "D", 1), ("send", "D", "E", 2), ("return", "E", "D", 2)]
    together = [one_by_one[0], one_by_one[2], one_by_one[1], one_by_one[3]]
    for rule, steps in (("simultaneous", together), ("lowest_quota_first", one_by_one)):
        state = second_deal(game("raf", exchange_order_two_down=rule), (3, -2, -1))
        assert kinds_and_seats(state) == steps


def test_parcels_sent_together_are_sent_in_either_order() -> None:
    state = second_deal(game("raf"), (3, -2, -1), deal_of(game("raf"), d="S2 H2 D2", e="SA DA", m="HA"))
    assert [open_.to for open_ in legal(state)] == [M, E]
    one = apply(apply(state, Send(D, M, mask("H2"))), Send(D, E, mask("S2 D2")))
    other = apply(apply(state, Send(D, E, mask("S2 D2"))), Send(D, M, mask("H2")))
    assert one == other
    assert settle(one).transfers == settle(other).transfers
    assert legal(apply(state, Send(D, E, mask("S2 D2"))))[0].to == M


def test_a_returned_card_can_be_sent_again_only_one_after_the_other() -> None:
    deal = deal_of(game("raf"), d="S2", m="SA")
    for rule, again in (("simultaneous", False), ("lowest_quota_first", True)):
        state = second_deal(game("raf", exchange_order_two_down=rule), (2, -1, -1), deal)
        state = settle(apply(state, Send(D, M, mask("S2"))))
        assert bool(legal(state)[0].among & mask("SA")) == again


def test_exchange() -> None:
    on, off = (second_deal(game("six_three_eight", exchange=value), (1, 1, -2)) for value in (True, False))
    assert (on.phase, off.phase) == ("EXCHANGE", "TRUMP")
    assert len(on.transfers) == 2 and off.transfers == ()


@pytest.mark.parametrize("first_over", [None, D, E])
def test_two_up_order(first_over: int | None) -> None:
    """Quota 8 is up one, quota 5 is up two."""
    firsts = {}
    for rule in ("current_quota", "most_up", "first_over"):
        state = second_deal(game("raf", two_up_order=rule), (1, 2, -3), first_over=first_over)
        firsts[rule] = [each.sender for each in state.transfers]
    assert firsts["current_quota"] == [D, E]
    assert firsts["most_up"] == [E, D]
    assert firsts["first_over"] == ([E, D] if first_over == E else [D, E])


def test_equal_balances_leave_the_order_to_the_quota() -> None:
    state = second_deal(game("raf", two_up_order="most_up"), (1, 1, -2))
    assert [each.sender for each in state.transfers] == [D, E]


def won_in_order(*seats: int) -> State:
    """University High School after a first deal in which these seats won the first tricks in this order; the dealer
    was given the rest by a claim. Only who won counts here: the cards of the tricks are made up."""
    state = go(new_match(game("uni_high_359")), "PLAY")
    left = 16 - len(seats)
    d, e, m = (mask_of(cards_of(hand)[:left]) for hand in state.hands)
    taken = (seats.count(D), seats.count(E), seats.count(M))
    tricks = tuple(Trick(E, (0, 1, 2), seat) for seat in seats)
    state = replace(state, hands=(d, e, m), taken=taken, tricks=tricks)
    return settle(apply(state, Claim((left, 0, 0))))


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ((E,) * 6 + (M,) * 4 + (D,) * 6, E),
        ((M,) * 4 + (E,) * 6 + (D,) * 6, M),
        ((D,) * 9, D),  # the kitty was his first: the ninth he plays for is his tenth
        ((D,) * 8, None),
    ],
)
def test_who_was_first_over_his_quota(order: tuple[int, ...], first: int | None) -> None:
    assert won_in_order(*order).results[0].first_over == first


def test_first_over_before_a_claim_counts_and_in_a_claim_is_not_known() -> None:
    assert won_in_order(*(E,) * 6).results[0].first_over == E
    assert won_in_order(*(E,) * 5).results[0].first_over is None


def test_who_was_first_over_sends_first() -> None:
    """Middle and eldest are both over; they sit as eldest and dealer then, the dealer with the higher quota."""
    for order, senders in (((E,) * 6 + (M,) * 4, [D, E]), ((M,) * 4 + (E,) * 6, [E, D])):
        state = won_in_order(*order)
        assert state.results[0].balances == (-2, 1, 1)
        state = apply(state, DealCards(deal_of(state.profile)))
        assert [each.sender for each in state.transfers] == senders


def test_return_rule() -> None:
    """HQ and H5 to a hand with HK and H3; H7 to one with lower hearts."""
    for rule, one, two in (
        ("merged_top_n", "H7", "HK HQ"),
        ("own_top_n", "H4", "HK H3"),
        ("pairwise_low_first", "H7", "HK HQ"),
        ("pairwise_high_first", "H7", "HK H5"),
    ):
        for sent, held, back in (("H7", "H4 H3", one), ("H5 HQ", "HK H3", two)):
            count = len(sent.split())
            others = "HA HJ HT H9 H8 H6 H2" + (" HK HQ H5" if count == 1 else " H7 H4")
            deal = deal_of(game("raf"), d=sent, e=others, m=held)
            state = apply(second_deal(game("raf", return_rule=rule), (count, 0, -count), deal), Send(D, M, mask(sent)))
            assert automatic(state) == Return(M, D, mask(back)), rule


def test_rank_order() -> None:
    for rank_order, back, shown in (("ace_high", "HA", ""), ("ace_low", "HK", "")):
        deal = deal_of(game("raf"), d="H3", m="HA HK")
        state = apply(second_deal(game("raf", rank_order=rank_order), (1, 0, -1), deal), Send(D, M, mask("H3")))
        assert automatic(state) == Return(M, D, mask(back)) and not shown


def test_rank_order_in_the_kitty_check() -> None:
    shown = {}
    for rank_order in ("ace_high", "ace_low"):
        deal = deal_of(game("raf"), d="HQ", e="H3", m="HJ HT H9", kitty="HA HK H2 S2")
        state = second_deal(game("raf", rank_order=rank_order), (-1, 1, 0), deal)
        shown[rank_order] = shown_after(apply(state, Send(E, D, mask("H3"))))
    assert shown == {"ace_high": [(E, "HA HK")], "ace_low": [(E, "HK")]}


def shown_after(state: State, keep: str = "") -> list[tuple[int, str]]:
    """What the dealer shows of the kitty, from within the exchange on; he lays low clubs away."""
    state = apply(go(state, "TRUMP"), NameTrump(D, 0))
    if state.phase == "DISCARD":
        low = cards_of(state.hands[D] & ~mask(keep))[-4:]
        state = apply(state, Discard(D, mask_of(low)))
    return [(to, " ".join(names(cards))) for to, cards in settle(state).shown]


def test_the_rank_of_the_ace_is_low_in_the_exchange_only() -> None:
    profile = game("raf", rank_order="ace_low")
    deal = deal_of(profile, d="H2", e="HA", m="HK")
    state = go(apply(new_match(profile), DealCards(deal)), "PLAY")
    for name in ("HA", "HK"):
        state = apply(state, next(each for each in legal(state)[0].choices if plain(each)[2] == name))
    state = apply(state, legal(state)[0].choices[0])
    assert state.tricks[0].winner == E


def test_split_return_order() -> None:
    """Two up players send a spade each before trump; the one with the higher quota (9) takes the higher card back."""
    for rule, first, second in (("current_quota", "SA", "SK"), ("lowest_quota", "SK", "SA")):
        profile = game("nine_five_two_swap", split_return_order=rule)
        deal = deal_of(profile, d="S2", e="SA SK", m="S3", kitty="H2 D2 C2 H3")
        state = go(second_deal(profile, (1, -2, 1), deal), "DISCARD")
        state = apply(state, Discard(D, mask("H2 D2 C2 H3")))
        state = apply(apply(state, Send(D, E, mask("S2"))), Send(M, E, mask("S3")))
        state = apply(state, NameTrump(D, 1))
        assert automatic(state) == Return(E, D, mask(first))
        state = settle(state)
        assert [each.returned for each in state.transfers] == [mask(first), mask(second)]
        assert state.phase == "PLAY" and state.hands[M] & mask(second)


def test_max_bleed_and_its_scope() -> None:
    """+4 -2 -2, and +2 +2 -4: who is limited to three decides which parcel is cut."""

    def counts(balance: tuple[int, int, int], **options: Value) -> list[int]:
        return [each.count for each in second_deal(game("raf", **options), balance).transfers]

    one_up, two_up = (4, -2, -2), (2, 2, -4)
    assert (counts(one_up), counts(two_up)) == ([2, 2], [2, 2])
    assert (counts(one_up, max_bleed=3), counts(two_up, max_bleed=3)) == ([2, 1], [2, 1])
    by_sender: dict[str, Value] = {"max_bleed": 3, "bleed_scope": "sender"}
    assert (counts(one_up, **by_sender), counts(two_up, **by_sender)) == ([2, 1], [2, 2])
    by_receiver: dict[str, Value] = {"max_bleed": 3, "bleed_scope": "receiver"}
    assert (counts(one_up, **by_receiver), counts(two_up, **by_receiver)) == ([2, 2], [2, 1])
    assert counts((6, 0, -6), max_bleed=2) == [2]
    assert [each.receiver for each in second_deal(game("raf", max_bleed=1), one_up).transfers] == [M], "lower quota"


# ---- kitty, card left out, swap --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["raf", "wiki_358", "woburn", "deputy"])
def test_kitty_first(name: str) -> None:
    for value, pool in ((False, 16), (True, 20)):
        profile = game(name, kitty_first=value)
        state = go(new_match(profile), "DISCARD")
        assert legal(state)[0].among.bit_count() == pool
        assert legal(state)[0].count == 4
        state = settle(apply(state, next(iter(legal(state)[0].actions()))))
        assert state.phase == "PLAY" and state.hands[D].bit_count() == 16
        assert (state.taken_kitty & state.hands[D] == state.taken_kitty) or value


def test_show_threshold() -> None:
    """The dealer gave back HK and H9; HA and HQ are in the kitty."""
    deal = deal_of(game("raf"), d="HK H9", e="H2 H3", m="HJ HT H8 H7 H6 H4", kitty="HA HQ H5 S2")
    for threshold, cards in (("lowest_returned", "HA HQ"), ("highest_returned", "HA")):
        state = second_deal(game("raf", show_threshold=threshold), (-2, 2, 0), deal)
        assert shown_after(apply(state, Send(E, D, mask("H2 H3")))) == [(E, cards)]


def test_show_after_null_return() -> None:
    """The dealer has no heart: H7 went straight back, and HA lay in the kitty."""
    deal = deal_of(game("raf"), d="SA SK SQ SJ ST S9 S8 DA DK DQ DJ DT D9 CA CK CQ", e="H7", kitty="HA S2 D2 C2")
    for value, cards in ((True, [(E, "HA")]), (False, [])):
        state = apply(second_deal(game("raf", show_after_null_return=value), (-1, 1, 0), deal), Send(E, D, mask("H7")))
        assert automatic(state) == Return(D, E, mask("H7"))
        assert shown_after(state) == cards


def test_swap_time() -> None:
    """D2 is sent away in the exchange: the right to the up-card goes with it, unless the swap came before."""
    found = {}
    for time in ("after_deal", "after_exchange", "after_trump"):
        profile = game("nine_five_three_one_card", swap_time=time)
        state = second_deal(profile, (1, -1, 0), deal_of(profile, d="D2", e="DA", kitty="SA"))
        phases = []
        while state.phase != "PLAY":
            phases.append(state.phase)
            if state.phase == "EXCHANGE":
                state = settle(
                    apply(state, Send(D, E, mask("D2") & state.hands[D] or mask_of([cards_of(state.hands[D])[0]])))
                )
            elif state.phase == "SWAP":
                found[time] = legal(state)[0].seat
                state = apply(state, legal(state)[0].choices[0])
            else:
                state = apply(state, NameTrump(D, 0))
        assert sorted(phases) == ["EXCHANGE", "SWAP", "TRUMP"]
        assert phases.index("SWAP") == ["after_deal", "after_exchange", "after_trump"].index(time)
        assert state.hands[found[time] or 0] & mask("SA") or time == "after_deal"
    assert found == {"after_deal": D, "after_exchange": E, "after_trump": E}


def test_no_swap_when_the_two_lies_open() -> None:
    profile = game("nine_five_three_one_card")
    state = apply(new_match(profile), DealCards(deal_of(profile, kitty="D2")))
    assert apply(state, NameTrump(D, 0)).phase == "PLAY"


@pytest.mark.parametrize("name", ["six_three_eight", "nine_five_three_no_kitty"])
def test_removed_card(name: str) -> None:
    for value, out in (("S2", {"S2"}), ("D2", {"D2"}), ("HA", {"HA"})):
        profile = game(name, removed_card=value)
        assert {" ".join(names(random_deal(profile, 5, index).kitty)) for index in range(20)} == out
        wrong = deal_of(game(name, removed_card="C9"))
        code, field, message = refusal(lambda p=profile, w=wrong: apply(new_match(p), DealCards(w)))  # type: ignore[misc]
        assert (code, field) == ("wrong_deal", "deal") and f"expected {value} out of the pack, found C9" in message
    hidden = game(name, removed_card="random_hidden")
    assert len({random_deal(hidden, 5, index).kitty for index in range(20)}) > 5
    assert apply(new_match(hidden), DealCards(deal_of(game(name, removed_card="C9")))).removed == mask("C9")


# ---- the auction -----------------------------------------------------------------------------------------------------


def auction(*bids: int | None, **options: Value) -> State:
    """The first deal of a match after these bids, each by whoever must speak."""
    profile = game("woburn", **options)
    return bidding(apply(new_match(profile), DealCards(deal_of(profile))), *bids)


def bidding(state: State, *bids: int | None) -> State:
    for bid in bids:
        seat = legal(state)[0].seat
        assert seat is not None
        state = apply(state, Bid(seat, bid))
    return state


def speakers(*bids: int | None, **options: Value) -> list[int]:
    return [seat for seat, _ in auction(*bids, **options).bids]


def test_first_deal_auction() -> None:
    on, off = (
        apply(new_match(game("wiki_358", first_deal_auction=value)), DealCards(deal_of(game("raf"))))
        for value in (True, False)
    )
    assert (on.phase, off.phase) == ("BID", "TRUMP")


def test_the_bidder_deals() -> None:
    before = apply(new_match(game("woburn"), 2), DealCards(deal_of(game("woburn"))))
    after = bidding(before, None, 9, 10, None)
    assert (before.dealer, after.dealer) == (2, 1), "seat 2 of player 2's deal"
    assert after.hands == (before.hands[2], before.hands[0], before.hands[1])
    assert after.quotas == (10, 4, 2) and after.phase == "TRUMP"
    assert claimed(after, (6, 5, 5)).dealer == 2, "the deal passes on from the bidder"
    assert claimed(after, (6, 5, 5)).results[0].bid == 10
    assert claimed(after, (6, 5, 5)).results[0].balances == (-4, 1, 3)


def test_all_pass() -> None:
    for value, dealer in (("next_dealer", 1), ("same_dealer", 0)):
        state = auction(None, None, None, all_pass=value)
        assert (state.phase, state.dealer, state.bids, state.results) == ("DEAL", dealer, (), ())
        assert apply(state, DealCards(deal_of(state.profile))).phase == "BID", "the new deal is again a first one"


def test_bid_must_rise() -> None:
    def open_after(*bids: int | None, rise: bool) -> list[int | str | None]:
        state = auction(*bids, bid_must_rise=rise)
        return [each.bid for each in legal(state)[0].choices if isinstance(each, Bid)]

    assert open_after(10, rise=True) == [11, 12, 13, 14, 15, 16, None]
    assert open_after(10, rise=False) == [8, 9, 10, 11, 12, 13, 14, 15, 16, None]
    assert open_after(16, rise=True) == [None]
    assert auction(10, 8, None, None, bid_must_rise=False).quotas == (8, 5, 3), "the last bid stands, not the highest"


def test_bid_reentry() -> None:
    assert speakers(None, 8, 9, 10) == [D, E, M, E], "who has passed is out"
    assert speakers(None, 8, 9, 10, bid_reentry=True) == [D, E, M, D]
    assert auction(None, 8, None).phase == "TRUMP"
    assert auction(None, 8, None, bid_reentry=True).phase == "BID", "the dealer may come in again"
    assert auction(None, 8, None, None, bid_reentry=True).phase == "TRUMP"
    assert auction(None, None, 8, bid_reentry=True).phase == "BID"
    assert auction(None, None, 8).phase == "TRUMP"


def test_win_needs_bid() -> None:
    """Fourteen bid, thirteen made."""
    for value, won in ((False, (0,)), (True, ())):
        state = claimed(auction(14, None, None, win_needs_bid=value), (13, 2, 1))
        assert state.won == won
    assert claimed(auction(13, None, None, win_needs_bid=True), (13, 2, 1)).won == (0,)
    assert claimed(auction(8, None, None, win_needs_bid=True), (2, 13, 1)).won == (1,), "others have bid nothing"


# ---- the end of a match ----------------------------------------------------------------------------------------------


def winners(name: str, tricks: tuple[int, int, int], **options: Value) -> tuple[int, ...]:
    """Who has won after one deal of player 0 with these tricks."""
    return claimed(new_match(game(name, **options)), tricks).won


@pytest.mark.parametrize(
    ("end", "wins", "goes_on"),
    [
        ("twelve", (2, 12, 2), (11, 3, 2)),
        ("thirteen", (2, 13, 1), (12, 2, 2)),
        ("sixteen", (0, 16, 0), (0, 15, 1)),
        ("quota_plus_5", (3, 10, 3), (12, 3, 1)),
    ],
)
def test_end(end: str, wins: tuple[int, int, int], goes_on: tuple[int, int, int]) -> None:
    assert winners("raf", wins, end=end) == (1,)
    assert winners("raf", goes_on, end=end) == ()


def test_end_by_totals_and_by_deals() -> None:
    assert winners("raf", (4, 5, 7), end="total", goal=4) == (2,)
    assert winners("raf", (4, 5, 7), end="total", goal=5) == ()
    assert winners("raf", (8, 5, 3), end="deals", goal=1) == (0, 1, 2)
    assert winners("raf", (8, 5, 3), end="deals", goal=2) == ()
    assert winners("raf", (16, 0, 0), end="total", goal=100) == (), "twelve tricks mean nothing then"


def test_goal() -> None:
    state = new_match(game("nine_five_two", goal=20))
    state = claimed(state, (0, 16, 0))  # +11 for player 1
    assert state.totals == (-9, 11, -2) and state.won == ()
    assert claimed(new_match(game("nine_five_two", goal=11)), (0, 16, 0)).won == (1,)
    assert claimed(new_match(game("nine_five_two", goal=12)), (0, 16, 0)).won == ()


def test_goal_tie() -> None:
    """Two players at the goal in one deal with equal totals: +4 +4 -8 and +5 +3 -8."""
    for tie, won in (("higher", ()), ("shared", (1, 2))):
        assert winners("nine_five_two", (1, 9, 6), goal=4, goal_tie=tie) == won
        assert winners("nine_five_two", (1, 10, 5), goal=3, goal_tie=tie) == (1,), "the higher total"


def test_goal_tie_at_quota_and_five() -> None:
    """Sixteen bid: eldest and middle, who owe nothing, take eight each, or nine and seven."""
    for tie, won in (("higher", ()), ("shared", (1, 2))):

        def after(tricks: tuple[int, int, int], tie: str = tie) -> tuple[int, ...]:
            return claimed(auction(16, None, None, end="quota_plus_5", goal_tie=tie), tricks).won

        assert after((0, 8, 8)) == won
        assert after((0, 9, 7)) == (1,)


def test_two_players_reach_quota_and_five_only_after_a_bid_of_ten() -> None:
    """One way at a bid of ten, 28 at sixteen, none below ten."""
    ways = {}
    for bid, quotas in AUCTION_QUOTAS.items():
        results = [(d, e, 16 - d - e) for d in range(17) for e in range(17 - d)]
        over = [sum(t >= q + 5 for t, q in zip(tricks, quotas, strict=True)) for tricks in results]
        ways[bid] = over.count(2)
        assert max(over) <= 2
    assert (ways[8], ways[9], ways[10], ways[16]) == (0, 0, 1, 28)


def test_the_swap_variation_ends_both_ways() -> None:
    name = "nine_five_two_swap"
    assert winners(name, (0, 9, 7), goal=9) == (1,), "dealer at -9: the highest wins"
    assert winners(name, (0, 9, 7), goal=10) == ()
    assert winners(name, (2, 5, 9), goal=4) == (2,)
    assert winners(name, (3, 5, 8), goal=3, goal_tie="shared") == (1, 2)
    assert winners(name, (3, 5, 8), goal=3, goal_tie="higher") == ()


def test_count_kitty_trick_for_win() -> None:
    """The dealer takes eleven of sixteen; his kitty is the twelfth."""
    assert winners("uni_high_359", (11, 3, 2)) == (0,)
    assert winners("uni_high_359", (11, 3, 2), count_kitty_trick_for_win=False) == ()
    assert winners("uni_high_359", (12, 2, 2), count_kitty_trick_for_win=False) == (0,)
    assert winners("uni_high_359", (2, 12, 2), count_kitty_trick_for_win=False) == (1,)
    assert claimed(new_match(game("uni_high_359")), (8, 5, 3)).results[0].balances == (0, 0, 0), "eight of sixteen"


def test_miz_caps() -> None:
    assert game("deputy").caps() == (3, 5, 8)
    assert game("deputy", miz_caps="quota").caps() == (8, 5, 3)


def test_units_do_not_end_a_match_of_twelve() -> None:
    state = new_match(game("raf"))
    for _ in range(12):
        state = claimed(state, (10, 3, 3))
    assert state.phase == "DEAL" and len(state.results) == 12


def test_a_case_for_every_option() -> None:
    """Each option has a test of its effect above, found by its name."""
    cases = " ".join(name for name in globals() if name.startswith("test_"))
    also = {"bleed_scope": "max_bleed_and_its_scope"}
    own = set(OPTIONS) - set(SUMGAIT) - set(load_game("solo_whist").defaults) | {
        "end",
        "goal",
        "goal_tie",
    }  # those of Sumgait Driller have theirs in tests/games/sumgait
    assert sorted(name for name in own if also.get(name, name) not in cases) == []
