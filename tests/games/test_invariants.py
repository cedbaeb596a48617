"""What holds at every moment of every match: no card lost, tricks and quotas that add up, an end with a reason."""

from __future__ import annotations

import random

import pytest

from tests.games.random_matches import match_of, played
from tierce.solver.games import (
    MIZ,
    DealResult,
    Profile,
    State,
    automatic,
    game_names,
    legal,
    load_game,
    new_match,
)


def check_moment(state: State) -> None:
    profile = state.profile
    if state.phase in ("DEAL", "OVER"):
        assert state.phase == "OVER" or not any(state.hands)
        return
    played_cards = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
    places = [*state.hands, state.kitty, state.removed, state.discard, sum(1 << card for card in played_cards)]
    assert sum(place.bit_count() for place in places) == profile.pack.bit_count()
    whole = 0
    for place in places:
        whole |= place
    assert whole == profile.pack, "every card is in one place"
    assert sum(state.quotas) == profile.counted
    assert sum(state.taken) == len(state.tricks) + sum(state.claim or ())
    if state.phase == "PLAY":
        sizes = {hand.bit_count() + (seat in movers(state)) for seat, hand in enumerate(state.hands)}
        assert sizes == {profile.hand - len(state.tricks)}, "hands are equal at the start of a trick"
    check_exchange(state)


def movers(state: State) -> set[int]:
    """The seats with a card on the table."""
    return {(state.leader + place) % 3 for place in range(len(state.trick))}


def check_exchange(state: State) -> None:
    """Nobody sends and receives; nobody gives or gets more than his balance; parcels come back suit for suit."""
    if not state.transfers:
        return
    last = state.previous
    assert last is not None
    balance = [last.balances[(state.player(seat) - last.dealer) % 3] for seat in range(3)]
    for transfer in state.transfers:
        assert balance[transfer.sender] > 0 > balance[transfer.receiver] and transfer.count > 0
        both = (transfer.sent.bit_count(), transfer.returned.bit_count())
        assert both in ((0, 0), (transfer.count, 0), (transfer.count, transfer.count))
        for suit in range(4):
            lane = 0x1FFF << 16 * suit
            assert not both[1] or (transfer.sent & lane).bit_count() == (transfer.returned & lane).bit_count()
    profile = state.profile
    cap = profile.number("max_bleed") if profile.option("bleed_scope") == "both" else 0
    for seat in range(3):
        count = sum(each.count for each in state.transfers if seat in (each.sender, each.receiver))
        assert count == abs(balance[seat]) or (profile.number("max_bleed") and count < abs(balance[seat]))
        assert not cap or count <= cap


def check_result(profile: Profile, result: DealResult) -> None:
    assert sum(result.tricks) == sum(result.quotas) == profile.counted
    assert sum(result.balances) == 0
    sign = -1 if result.call == MIZ else 1
    assert result.balances == tuple(sign * (t - q) for t, q in zip(result.tricks, result.quotas, strict=True))


def check_end(state: State) -> None:
    """The match is over for the reason its option gives, and was not over before."""
    profile, last, end = state.profile, state.results[-1], state.profile.option("end")
    tricks = {(last.dealer + seat) % 3: last.tricks[seat] for seat in range(3)}
    if profile.kitty_trick and not profile.option("count_kitty_trick_for_win"):
        tricks[last.dealer] -= 1
    best = tuple(player for player in range(3) if state.totals[player] == max(state.totals))
    if end in ("twelve", "thirteen", "sixteen"):
        (winner,) = state.won
        assert tricks[winner] >= {"twelve": 12, "thirteen": 13, "sixteen": 16}[str(end)]
    elif end == "quota_plus_5":
        assert all(last.balances[(player - last.dealer) % 3] == max(last.balances) >= 5 for player in state.won)
    elif end == "deals":
        assert len(state.results) == profile.number("goal") and state.won == best
    else:
        goal = profile.number("goal")
        assert state.won == best
        assert max(state.totals) >= goal or (profile.both_ways and min(state.totals) <= -goal)
    assert len(state.won) == 1 or end == "deals" or profile.option("goal_tie") == "shared"
    assert legal(state) == () and automatic(state) is None


def check_match(seed: int, deals: int) -> int:
    """One random match; how many deals it had."""
    rng, profile = match_of(seed)
    state = new_match(profile)
    for before, _, state in played(rng, profile, deals):
        check_moment(before)
        if before.phase == "SCORE":
            check_result(profile, state.results[-1])
            assert sum(state.totals) == 0
            assert state.phase == "OVER" or state.dealer == (before.dealer + 1) % 3
    if state.won:
        check_end(state)
    return len(state.results)


@pytest.mark.parametrize("piece", range(10))
def test_random_matches(piece: int) -> None:
    assert sum(check_match(seed, 4) for seed in range(2000 + 10 * piece, 2010 + 10 * piece)) >= 20


def complete_deals(seed: int, count: int) -> int:
    """That many deals of one game, every card played; how many tricks were taken."""
    rng = random.Random(f"deals {seed}")
    profile = load_game(game_names(3)[seed % 10])
    done = tricks = 0
    while done < count:
        for before, _, after in played(rng, profile, count - done, claims=0):
            if before.phase == "DEAL" or (before.phase == "PLAY" and not before.tricks):
                check_moment(before)
            if before.phase == "SCORE":
                assert before.hands == (0, 0, 0)
                check_result(profile, after.results[-1])
                tricks += len(before.tricks)
        done += len(after.results)
    return tricks


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(20))
def test_ten_thousand_complete_deals(piece: int) -> None:
    assert complete_deals(piece, 500) == 500 * load_game(game_names(3)[piece % 10]).hand
