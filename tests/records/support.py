"""Matches played by lot, in memory: for records to be made of and compared with."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tierce.solver.cards import cards_of, mask_of
from tierce.solver.games import (
    Action,
    Bid,
    Claim,
    Discard,
    Profile,
    Record,
    Send,
    State,
    apply,
    deal_by_lot,
    legal,
    load_game,
    new_match,
    record_of,
    settle,
)

GAMES = (
    load_game("raf"),
    load_game("raf", {"kitty_first": True, "return_rule": "own_top_n", "end": "sixteen"}),
    load_game("wiki_358", {"first_deal_auction": True, "bid_reentry": True, "end": "quota_plus_5"}),
    load_game("woburn"),
    load_game("woburn", {"all_pass": "same_dealer", "max_bleed": 2, "bleed_scope": "sender"}),
    load_game("deputy"),
    load_game("deputy", {"miz_caps": "quota", "kitty_first": True}),
    load_game("six_three_eight"),
    load_game("six_three_eight", {"removed_card": "random_hidden", "goal": 20}),
    load_game("nine_five_two"),
    load_game("nine_five_two_swap"),
    load_game("uni_high_359"),
    load_game("nine_five_three_one_card"),
    load_game("nine_five_three_one_card", {"swap_time": "after_deal"}),
    load_game("nine_five_three_no_kitty"),
    load_game("solo_whist"),
    load_game("solo_whist", {"self_raise": True, "ait_open": True, "ad_trump": True, "overtrick_schedule": "fives"}),
)


def chosen(state: State, rng: random.Random, *, claims: float, passes: float) -> Action:
    """An action by lot."""
    if state.phase == "DEAL":
        return deal_by_lot(state.profile, rng.randrange(1 << 30), dealer=state.dealer)
    opened = legal(state)
    if opened[-1].kind is Claim and rng.random() < claims:
        left = state.hands[0].bit_count()
        cuts = sorted(rng.randint(0, left) for _ in state.hands[1:])
        return Claim(tuple(high - low for low, high in zip([0, *cuts], [*cuts, left], strict=True)))
    one = rng.choice(opened) if len(opened) > 1 and opened[1].kind is Send else opened[0]
    if one.kind is Bid and rng.random() < passes:
        return one.choices[-1]
    if one.choices:
        return rng.choice(one.choices)
    cards = mask_of(rng.sample(cards_of(one.among), one.count))
    if one.kind is Discard:
        return Discard(0, cards)
    assert one.seat is not None and one.to is not None
    return Send(one.seat, one.to, cards)


def match(
    profile: Profile, seed: int, *, deals: int = 3, claims: float = 0.01, passes: float = 0.8, stop: float = 0.0
) -> Iterator[State]:
    """The states of a match played by lot: after every action, automatic ones done; at most so many deals are begun.

    claims, passes   how often play ends by a claim, a player passes; stop: how often all ends after an action
    """
    rng = random.Random(seed)
    state = new_match(profile, rng.randrange(profile.seats))
    begun = 0
    while state.phase != "OVER" and rng.random() >= stop:
        begun += state.phase == "DEAL"
        if begun > deals:
            return
        state = apply(state, chosen(state, rng, claims=claims, passes=passes))
        if state.phase == "SCORE":
            yield state
        state = settle(state)
        yield state


def record_by_lot(profile: Profile, seed: int, *, skip: int = 0, **how: float) -> Record | None:
    """The record of a match played by lot, its first `skip` deals left out; None if nothing is left."""
    deals = int(how.pop("deals", 3))
    states = list(match(profile, seed, deals=deals + skip, **how))
    first = next((i for i, state in enumerate(states) if len(state.results) >= skip and state.phase != "OVER"), None)
    if first is None or not any(state.dealt for state in states[first:]):
        return None
    names = ("North", "East", "South", "West")[: profile.seats] if seed % 2 else None
    record = record_of(states[first:], names)
    return record if record.deals else None


def finished(profile: Profile, seed: int, *, deals: int = 1) -> Record:
    """The record of deals that were played to their ends, the match not won before the last."""
    for attempt in range(1000):
        record = record_by_lot(profile, 1000 * seed + attempt, deals=deals, claims=0.0)
        if (
            record is not None
            and len(record.deals) == deals
            and len(record.deals[-1].play) == profile.seats * profile.hand
        ):
            return record
    raise AssertionError((profile.id, seed, deals))
