"""`view` tells what a seat has seen, all of it, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.games.random_matches import match_of, played
from tests.games.scenes import D, E, M, deal_of, game, go, refusal, second_deal
from tests.games.words import mask, names, swapped_cards
from tierce.solver.cards import cards_of, mask_of, parse_card
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Action,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Send,
    State,
    Swap,
    apply,
    legal,
    new_match,
    read_game,
    settle,
    view,
)
from tierce.solver.games.scoring import seat_of

# What all see alike.
PUBLIC: Final = (
    "profile", "dealer", "phase", "results", "totals", "quotas", "bids", "call", "swapped", "swapper", "leader",
    "trick", "tricks", "taken",
)  # fmt: skip


def moments(seed: int, deals: int) -> Iterator[tuple[random.Random, State, list[Action]]]:
    """Each state of a random match, with the actions of its deal so far."""
    rng, profile = match_of(seed)
    deal: list[Action] = []
    for state, action, _ in played(rng, profile, deals):
        if state.phase == "DEAL":
            deal = []
        yield rng, state, list(deal)
        deal.append(action)


def hidden_swapped(state: State, one: int, other: int) -> State:
    """The state with two cards in each other's place in every field that is not open to all."""
    both = 1 << one | 1 << other

    def swap(cards: int) -> int:
        return cards ^ both if (cards >> one ^ cards >> other) & 1 else cards

    d, e, m = map(swap, state.hands)
    return replace(
        state,
        hands=(d, e, m),
        dealt=None if state.dealt is None else Deal(tuple(map(swap, state.dealt.hands)), swap(state.dealt.kitty)),
        kitty=swap(state.kitty),
        removed=swap(state.removed),
        taken_kitty=swap(state.taken_kitty),
        discard=swap(state.discard),
        shown=tuple((to, swap(cards)) for to, cards in state.shown),
        transfers=tuple(replace(each, sent=swap(each.sent), returned=swap(each.returned)) for each in state.transfers),
    )


def check_leaks(seed: int, deals: int, often: float) -> None:
    for rng, state, _ in moments(seed, deals):
        if rng.random() > often or not any(state.hands):
            continue
        for seat in range(3):
            before = view(state, seat)
            unseen = cards_of(before.unseen)
            for _ in range(3 if len(unseen) > 1 else 0):
                one, other = rng.sample(unseen, 2)
                assert view(hidden_swapped(state, one, other), seat) == before, (state, seat, one, other)


def check_truth(seed: int, deals: int, often: float) -> None:
    """What a view says of cards is true, and no card that was seen is forgotten."""
    for rng, state, _ in moments(seed, deals):
        if rng.random() > often:
            continue
        played_cards = mask_of(card for trick in state.tricks for card in trick.cards) | mask_of(state.trick)
        for seat in range(3):
            seen = view(state, seat)
            assert seen.seen ^ seen.unseen == state.profile.pack and not seen.seen & seen.unseen
            assert seen.hand == seen.known[seat] == state.hands[seat]
            assert all(known & ~hand == 0 for known, hand in zip(seen.known, state.hands, strict=True)), (seat, state)
            traced = seen.traced[0] | seen.traced[1] | seen.traced[2]
            elsewhere = state.discard | state.hands[(seat + 1) % 3] | state.hands[(seat + 2) % 3]
            assert traced & ~elsewhere == 0
            up = mask_of(cards_of(state.kitty)) if state.profile.id == "nine_five_three_one_card" else 0
            open_ = (played_cards, up, seen.removed, seen.discard or 0, *seen.known, *seen.traced)
            whole = 0
            for part in open_:
                assert not whole & part, "a card in two places"
                whole |= part
            assert whole == seen.seen
            assert all(getattr(seen, name) == getattr(state, name) for name in PUBLIC)
            chooser = legal(state)[0].seat if state.phase not in ("DEAL", "SWAP", "SCORE", "OVER") else None
            assert (seen.seat, seen.to_move, seen.discards) == (seat, chooser, state.discard.bit_count())
            assert seen.kitty == (0 if seen.up_card else state.kitty.bit_count())
            assert seen.counts == tuple(hand.bit_count() for hand in state.hands)
            for other in range(3):
                for suit in range(4):
                    assert not (seen.voids[other] >> suit & 1 and state.hands[other] >> 16 * suit & 0x1FFF)


def check_replay(seed: int, deals: int, often: float) -> int:
    """Deals in which two cards changed places from the start: where the same open actions were possible, a player who
    has seen neither card sees the same at every moment. How many such deals were found."""
    found = 0
    before: dict[int, State] = {}
    for rng, state, actions in moments(seed, deals):
        if state.phase == "DEAL":
            before[0] = state
        if rng.random() > often or not actions:
            continue
        player = rng.randrange(3)
        unseen = cards_of(view(state, seat_of(player, state.dealer)).unseen)
        if len(unseen) < 2:
            continue
        one = rng.choice(unseen)
        others = [card for card in unseen if card != one]
        other = rng.choice([card for card in others if card >> 4 == one >> 4] or others)
        here = there = before[0]
        try:
            for action in actions:
                there = apply(there, swapped_cards(action, one, other))
                here = apply(here, action)
                seat = seat_of(player, here.dealer)  # an auction changes the seats
                assert view(here, seat) == view(there, seat)
            found += 1
        except InputError:
            continue  # that layout does not allow what all have seen
    return found


@pytest.mark.parametrize("seed", range(20))
def test_unseen_cards_do_not_show(seed: int) -> None:
    check_leaks(seed, 3, 0.1)


@pytest.mark.parametrize("seed", range(20, 40))
def test_what_is_known_is_true(seed: int) -> None:
    check_truth(seed, 3, 0.2)


def test_other_layouts_with_the_same_history_look_the_same() -> None:
    assert sum(check_replay(seed, 3, 0.05) for seed in range(40, 60)) > 50


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_the_two_leaves_the_hand_it_was_sent_to() -> None:
    """M sent D2 to D, who took the up-card for it: M knows D to hold the up-card, and D2 to lie open."""
    profile = game("nine_five_three_one_card")
    deal = deal_of(profile, d="DA", e="S3", m="D2", kitty="SA")
    state = apply(second_deal(profile, (-1, 0, 1), deal), Send(M, D, mask("D2")))
    state = go(state, "SWAP")
    assert view(state, M).known[D] == mask("D2")
    state = apply(state, Swap(D, True))
    for seat in (E, M):
        assert names(view(state, seat).known[D]) == ["SA"]
        assert view(state, seat).up_card == mask("D2")
    assert view(state, E).unseen & mask("DA"), "the exchange went past E"


def test_the_up_card_may_be_sent_on() -> None:
    """D took the up-card before the exchange, for all to see, and sent it to E: M cannot know that."""
    profile = game("nine_five_three_one_card", swap_time="after_deal")
    deal = deal_of(profile, d="D2 DA", e="S3", kitty="SA")
    state = apply(second_deal(profile, (1, -1, 0), deal), Swap(D, True))
    assert [names(view(state, seat).known[D]) for seat in (E, M)] == [["SA"], ["SA"]]
    state = go(apply(state, Send(D, E, mask("SA"))), "PLAY")
    assert state.transfers[0].returned == mask("SA"), "it was the highest, and came back"
    assert names(view(state, M).known[D]) == [] and names(view(state, M).traced[D]) == ["SA"]
    assert names(view(state, E).known[D]) == ["SA"]


def test_nobody_is_told_who_holds_the_two() -> None:
    profile = game("nine_five_three_one_card")
    state = go(apply(new_match(profile), DealCards(deal_of(profile, e="D2", kitty="SA"))), "SWAP")
    assert [view(state, seat).to_move for seat in range(3)] == [None, None, None]
    after = apply(state, Swap(E, False))
    assert [view(after, seat).swapper for seat in range(3)] == [None, None, None]


def test_what_was_sent_is_traced_through_another_exchange_and_the_discard() -> None:
    """E and M send to D; E cannot know whether D gave his card on to M or laid it away."""
    profile = game("raf")
    deal = deal_of(profile, d="SA SK S2 H2 D2 C2", e="S3", m="S4", kitty="HA DA CA HK")
    state = settle(apply(second_deal(profile, (-2, 1, 1), deal), Send(E, D, mask("S3"))))
    assert names(view(state, E).known[D]) == ["S3"]
    assert names(view(state, D).known[E]) == ["SA"]
    state = apply(state, Send(M, D, mask("S4")))
    assert names(view(state, E).known[D]) == ["S3"], "nothing has left D's hand yet"
    state = settle(state)
    assert names(view(state, E).known[D]) == [] and names(view(state, E).traced[D]) == ["S3"]
    assert names(view(state, M).known[D]) == ["S4"]
    state = settle(apply(apply(state, NameTrump(D, 0)), Discard(D, mask("S2 H2 D2 C2"))))
    assert names(view(state, M).known[D]) == [] and names(view(state, M).traced[D]) == ["S4"]
    assert names(view(state, D).known[E]) == ["SA"] and names(view(state, D).known[M]) == ["SK"]
    assert view(state, D).discard == mask("S2 H2 D2 C2") and view(state, E).discard is None


def test_shown_cards_are_known_to_the_one_they_were_shown_to() -> None:
    profile = game("raf")
    deal = deal_of(profile, d="SK S2", e="S3", kitty="SA H2 D2 C2")
    state = settle(apply(second_deal(profile, (-1, 1, 0), deal), Send(E, D, mask("S3"))))
    state = settle(
        apply(apply(state, NameTrump(D, 0)), Discard(D, mask_of(cards_of(state.hands[D] & ~mask("S3"))[:4])))
    )
    assert state.shown == ((E, mask("SA")),)
    assert view(state, E).shown == mask("SA") and names(view(state, E).known[D]) == ["SA"]
    assert names(view(state, E).traced[D]) == ["S3"]
    assert view(state, M).shown == 0 and view(state, M).known[D] == 0
    assert view(state, D).shown == mask("SA")


def test_a_card_left_out_is_seen_only_where_the_rules_name_it() -> None:
    for card, seen in (("S2", "S2"), ("HA", "HA"), ("random_hidden", "")):
        profile = game("six_three_eight", removed_card=card)
        deal = deal_of(profile, kitty="" if seen else "C7")
        state = apply(new_match(profile), DealCards(deal))
        assert [view(state, seat).removed for seat in range(3)] == [mask(seen)] * 3


def test_a_card_left_out_of_a_game_without_such_an_option_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'id = "mine"\nname = "Mine"\nhand = 17\nkitty = 0\nquotas = [8, 6, 3]\nscore = "balance"\n'
        'phases = ["DEAL", "TRUMP", "PLAY", "SCORE"]\n[options]\nend = "twelve"\ngoal = 10\n'
    )
    profile = read_game(path)
    state = apply(new_match(profile), DealCards(deal_of(profile)))
    assert [view(state, seat).removed for seat in range(3)] == [0, 0, 0]
    assert view(state, D).unseen & state.removed


def test_what_a_seat_sees_of_an_exchange_of_others() -> None:
    profile = game("raf")
    state = settle(apply(second_deal(profile, (1, -1, 0), deal_of(profile, d="H2", e="HA")), Send(D, E, mask("H2"))))
    for seat, sent, back in ((D, mask("H2"), mask("HA")), (E, mask("H2"), mask("HA")), (M, None, None)):
        (transfer,) = view(state, seat).transfers
        assert (transfer.sender, transfer.receiver, transfer.count) == (D, E, 1)
        assert (transfer.sent, transfer.returned) == (sent, back)
    assert view(state, D) == view(state, D) and hash(view(state, D)) == hash(view(state, D))


def test_seats_that_do_not_exist() -> None:
    state = go(new_match(game("raf")), "PLAY")
    for seat in (-1, 3, True, 1.0, None, "D"):
        code, field, message = refusal(lambda seat=seat: view(state, seat))  # type: ignore[misc]
        assert (code, field) == ("seat", "seat") and message.startswith("expected a seat 0, 1 or 2, found ")


def test_voids_are_those_of_discards_from_the_suit_led() -> None:
    deal = deal_of(game("raf"), d="SA", e="S2 S3", m="HA HK HQ HJ HT H9 H8 H7 H6 H5 H4 H3 H2 DA DK DQ")
    state = go(apply(new_match(game("raf")), DealCards(deal)), "DISCARD")
    state = settle(apply(state, Discard(D, mask_of(cards_of(state.hands[D] & ~mask("SA"))[:4]))))
    state = apply(apply(state, Play(E, parse_card("S2"))), Play(M, parse_card("H2")))
    assert [view(state, seat).voids for seat in range(3)] == [(0, 0, 1)] * 3


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(10))
def test_views_of_many_matches(piece: int) -> None:
    for seed in range(1000 + 20 * piece, 1020 + 20 * piece):
        check_leaks(seed, 8, 0.1)
        check_truth(seed, 8, 0.3)
        check_replay(seed, 8, 0.02)
