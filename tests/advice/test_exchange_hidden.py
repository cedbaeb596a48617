"""Estimates of a sender's parcels against means over all worlds, each played and solved by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from math import isclose
from typing import Any, Final

import pytest

from tests.advice.exchanges import random_small, scene, small
from tests.advice.sender_scenes import key, lookalikes, moments_of, raf_view, random_moments, seat_of
from tests.advice.small_games import tricks as brute_tricks
from tests.games.scenes import D, M, after_results, deal_of, game, second_deal
from tests.games.words import mask
from tierce.solver import Position, Solver
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch, exchange_estimate
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate, ParcelsEstimate
from tierce.solver.advice.quick import reply_quickly
from tierce.solver.advice.racing import KEEP, START
from tierce.solver.advice.sender_choices import Parcels, SenderOutlook, lowest
from tierce.solver.advice.sender_worlds import SenderWorlds
from tierce.solver.advice.sending import exchange_of_deal, sender_of
from tierce.solver.cards import SUITS, Mask, cards_of, mask_of
from tierce.solver.games import (
    Discard,
    NameTrump,
    Profile,
    Send,
    State,
    Swap,
    View,
    apply,
    random_deal,
    settle,
    view,
)
from tierce.solver.games.phases import two_holder

SOLVER: Final = Solver(16)

# ---- by hand, with the rules and plain solve -------------------------------------------------------------------------


@cache
def floor(hands: tuple[Mask, Mask, Mask], trump: int, seat: int) -> int:
    SOLVER.clear()
    return SOLVER.solve(Position(hands, trump, 1), "DEM"[seat]).tricks


def after_exchange(state: State, parcels: Sequence[Mask]) -> State:
    """These parcels sent, and whatever else is due in the exchange by the rule of the lowest cards."""
    left = list(parcels)
    state = settle(state)
    while state.queue and state.phase in ("EXCHANGE", "SEND"):
        each = state.transfers[state.queue[0][1]]
        if left:
            cards = left.pop(0)
        else:
            cards = mask_of(sorted(cards_of(state.hands[each.sender]), key=lambda c: (c % 16, c))[: each.count])
        state = settle(apply(state, Send(each.sender, each.receiver, cards)))
    return state


def outcome(state: State, parcels: Sequence[Mask], seat: int) -> int:
    """What a sender has at the first card when the dealer replies by the quick rule."""
    lead = reply_quickly(after_exchange(state, parcels))
    return floor(lead.hands, lead.trump, seat) + int(lead.profile.kitty_trick and seat == 0)


def replies(state: State) -> Iterator[State]:
    """Every way the dealer can choose; an up-card that another may take is taken."""
    state = settle(state)
    if state.phase == "PLAY":
        yield state
    elif state.phase == "TRUMP":
        for trump in range(4):
            yield from replies(apply(state, NameTrump(0, trump)))
    elif state.phase == "DISCARD":
        for cards in combinations(cards_of(state.hands[0]), state.profile.kitty):
            yield from replies(apply(state, Discard(0, mask_of(cards))))
    else:
        for take in (True, False) if two_holder(state) == 0 else (True,):
            yield from replies(apply(state, Swap(two_holder(state), take)))


def ways(hand: Mask, counts: Sequence[int]) -> Iterator[Parcels]:
    if not counts:
        yield ()
        return
    for cards in map(mask_of, combinations(cards_of(hand), counts[0])):
        yield from ((cards, *rest) for rest in ways(hand & ~cards, counts[1:]))


def plain() -> Profile:
    """Twelve cards, four each."""
    return small("plain", 3, 4, (2, 1, 1))


def moment(seed: int = 3, balances: tuple[int, int, int] = (-1, 2, -1), profile: Profile | None = None) -> State:
    """Where the first parcel is due."""
    return next(moments_of(random.Random(f"hidden {seed}"), after_results(profile or plain(), balances)))[1]


def seen_by_sender(state: State) -> View:
    return view(state, seat_of(state))


# ---- all worlds ------------------------------------------------------------------------------------------------------


def check_exact(start: State, state: State, actions: list[Any]) -> ExchangeEstimate:
    """All worlds: the means are those of all deals that look the same, the chances a recount."""
    seat = seat_of(state)
    seen = view(state, seat)
    states = list({key(other): other for other in lookalikes(start, state, actions)}.values())
    found = exchange_estimate(seen, source=SenderWorlds(seen), candidates="all")
    assert found.complete and not found.stop and found.worlds == found.fit == len(states)
    counts = [each.count for each in found.best.sends] if found.best else []
    assert {each.parcels for each in found.parcels} == set(ways(seen.hand, counts))
    for each in found.parcels:
        check_figures(seen, each, [outcome(other, each.parcels, seat) for other in states], found.win)
    tricks = [each.tricks.value for each in found.parcels]
    assert tricks == sorted(tricks, reverse=True)
    return found


def check_figures(seen: View, each: ParcelsEstimate, values: list[int], win: int) -> None:
    count = len(values)
    assert each.worlds == count and each.open == 0
    assert isclose(each.tricks.value, sum(values) / count)
    assert isclose(each.balance, each.tricks.value - seen.quotas[seen.seat])
    assert isclose(each.quota.value, sum(value >= seen.quotas[seen.seat] for value in values) / count)
    assert isclose(each.twelve.value, sum(value >= win for value in values) / count)
    spread = sum((value - each.tricks.value) ** 2 for value in values) / max(1, count - 1)
    assert each.tricks.error is None or isclose(each.tricks.error, (spread / count) ** 0.5, abs_tol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_all_worlds_of_small_exchanges(seed: int) -> None:
    """One parcel or two, the dealer or another, a later sender, parcels unseen and parcels answered."""
    rng = random.Random(f"exact {seed}")
    profile = random_small(rng, 3, 4, ("plain", "at_once"))
    for each in moments_of(rng, scene(rng, profile, 2, three=True)):
        check_exact(*each)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_all_worlds_of_more_small_exchanges(seed: int) -> None:
    rng = random.Random(f"more exact {seed}")
    shapes = ("kitty", "kitty_last", "at_once_kitty") if seed % 4 == 0 else ("plain", "at_once")
    profile = random_small(rng, 3, 3 if seed % 4 == 0 else 4, shapes)
    for each in moments_of(rng, scene(rng, profile, 1 if seed % 4 == 0 else 2, three=True)):
        check_exact(*each)


def test_the_second_of_two_receivers_is_served_later() -> None:
    """lowest_quota_first: the first parcel is chosen, and the second is in the estimate the lowest card."""
    profile = small("plain", 3, 4, (2, 1, 1), exchange_order_two_down="lowest_quota_first")
    start, state, actions = next(moments_of(random.Random("later"), after_results(profile, (-1, 2, -1))))
    found = check_exact(start, state, actions)
    assert [len(each.sends) for each in found.parcels] == [1] * 4 and len(found.owed) == 2


def test_values_of_the_engine_are_those_of_brute_force() -> None:
    """Once without the package's solver, down to the last trick."""
    state = moment()
    seen = seen_by_sender(state)
    worlds = list(SenderWorlds(seen))[::9]
    found = exchange_estimate(seen, source=worlds, candidates="all")
    for each in found.parcels[:3]:
        values = []
        for world in worlds:
            lead = reply_quickly(after_exchange(SenderWorlds(seen).state(world), each.parcels))
            values.append(brute_tricks(lead.hands, lead.trump, 1 << seen.seat))
        assert isclose(each.tricks.value, sum(values) / len(values))


@pytest.mark.parametrize("seed", range(8))
def test_the_exact_reply_is_one_of_the_dealers_best(seed: int) -> None:
    """World by world; of ties any may be taken, but the same in every run."""
    rng = random.Random(f"reply {seed}")
    profile = small(rng.choice(("kitty", "kitty_last")), 4, 5, (2, 2, 1)) if seed % 2 else plain()
    state = next(moments_of(rng, scene(rng, profile, 1)))[1]
    seen = seen_by_sender(state)
    outlook = SenderOutlook(seen)
    draws = Draws(seed)
    for world in (outlook.worlds.draw(draws) for _ in range(6)):
        found, again = (exchange_estimate(seen, source=[world], reply="exact", candidates="all") for _ in range(2))
        assert facts(found) == facts(again) and found.reply == "exact"
        for each in found.parcels:
            after = after_exchange(outlook.worlds.state(world), each.parcels)
            leads = [(floor(lead.hands, lead.trump, D), lead) for lead in replies(after)]
            best = max(value for value, _ in leads)
            good = {floor(lead.hands, lead.trump, seen.seat) for value, lead in leads if value == best}
            assert each.tricks.value in good and (seen.seat or each.tricks.value == best)


# ---- estimates -------------------------------------------------------------------------------------------------------


def facts(found: ExchangeEstimate) -> dict[str, Any]:
    return {key: value for key, value in found.json(None).items() if key not in ("millis", "nodes")}


@pytest.mark.slow
def test_estimates_fall_where_their_errors_say() -> None:
    seen = seen_by_sender(moment())
    exact = exchange_estimate(seen, source=SenderWorlds(seen), candidates="all")
    truth = {each.parcels: each for each in exact.parcels}
    inside = near = total = 0
    for seed in range(200):
        for each in exchange_estimate(seen, worlds=15, seed=seed, candidates="all").parcels[:3]:
            known = truth[each.parcels]
            for one, two in ((each.tricks, known.tricks), (each.quota, known.quota)):
                assert one.error is not None
                inside += abs(one.value - two.value) <= 3 * one.error
                near += abs(one.value - two.value) <= one.error
                total += 1
    assert inside >= 0.98 * total
    assert 0.5 * total <= near <= 0.97 * total


@pytest.mark.parametrize("by", ["mean", "quota", "twelve"])
def test_the_same_seed_gives_the_same_answer(by: Any) -> None:
    seen = seen_by_sender(moment(profile=small("kitty", 4, 5, (2, 2, 1))))
    one, again, two = (exchange_estimate(seen, worlds=40, seed=5, threads=each, by=by) for each in (1, 1, 2))
    assert facts(one) == facts(again) == facts(two)
    assert one.complete and one.worlds == 40
    assert facts(one) != facts(exchange_estimate(seen, worlds=40, seed=6, by=by))


@pytest.mark.slow
@pytest.mark.parametrize("reply", ["quick", "exact"])
def test_whole_deals_do_not_depend_on_threads(reply: Any) -> None:
    worlds = 12 if reply == "quick" else 1
    one, two = (exchange_estimate(raf_view(), worlds=worlds, seed=5, threads=each, reply=reply) for each in (1, 2))
    assert facts(one) == facts(two)
    assert one.kept <= KEEP and one.best is not None and one.best.worlds == worlds and one.best.open == 0


def test_margin_and_loss_are_paired() -> None:
    state = moment()
    seen = seen_by_sender(state)
    worlds = list(SenderWorlds(seen))[::3]
    asked = exchange_estimate(seen, source=worlds, candidates="all").parcels[-1].parcels
    found = exchange_estimate(seen, source=worlds, candidates="all", chosen=asked)
    assert found.best and found.second and found.chosen and found.chosen.parcels == asked
    made = SenderWorlds(seen)
    for other, figure in ((found.second, found.margin), (found.chosen, found.loss)):
        gaps = [
            outcome(made.state(world), found.best.parcels, seen.seat)
            - outcome(made.state(world), other.parcels, seen.seat)
            for world in worlds
        ]
        mean = sum(gaps) / len(gaps)
        error = (sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps)) ** 0.5
        assert figure is not None and isclose(figure.value, mean, abs_tol=1e-12)
        assert figure.error is not None and isclose(figure.error, error, abs_tol=1e-9)


def test_json_has_lists_of_objects_and_no_keys_of_its_own() -> None:
    profile = small("plain", 3, 4, (2, 1, 1), exchange_order_two_down="simultaneous")
    found = exchange_estimate(seen_by_sender(moment(profile=profile)), worlds=20, seed=1)
    said = found.json(2)
    assert set(said) == {
        "kind", "sender", "owes", "reply", "seed", "worlds", "fit", "by", "ways", "of", "tried", "parcels", "best",
        "margin", "win", "complete", "nodes", "millis",
    }  # fmt: skip
    assert (said["kind"], said["sender"], said["reply"]) == ("estimate", "E", "quick")
    assert len(said["parcels"]) == 2 and said["parcels"][0] == said["best"]
    first = said["best"]
    assert set(first) == {"sends", "tricks", "quota", "twelve", "worlds"}
    assert set(first["tricks"]) == {"value", "error"} == set(said["margin"])
    assert [set(each) for each in first["sends"]] == [{"to", "cards", "count"}] * 2
    assert said["owes"] == [{"to": "M", "count": 1}, {"to": "D", "count": 1}]


# ---- candidates ------------------------------------------------------------------------------------------------------


def shape(parcels: Parcels) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple((cards >> 16 * suit & 0x1FFF).bit_count() for suit in SUITS) for cards in parcels)


@pytest.mark.parametrize("balances", [(-1, -1, 2), (-2, 4, -2), (-3, 3, 0), (1, 1, -2)])
def test_candidates_are_the_lowest_of_their_suits(balances: tuple[int, int, int]) -> None:
    """One for each number of cards of each suit to each receiver; what is kept of a suit is higher than what goes."""
    state = second_deal(game("raf"), balances, random_deal(game("raf"), 5, 1))
    outlook = SenderOutlook(view(state, sender_of(state)))
    found = outlook.candidates()
    hand = outlook.view.hand
    every = {shape(each) for each in ways(hand, [each.count for each in outlook.now])}
    assert len(found) == len(every) and {shape(each) for each in found} == every
    for parcels in found:
        kept = hand & ~sum(parcels)
        for suit in SUITS:
            order = [cards & 0x1FFF << 16 * suit for cards in (*parcels, kept)]
            held = [cards for cards in order if cards]
            assert all(one.bit_length() <= (two & -two).bit_length() for one, two in pairwise(held))
    assert outlook.ways == sum(1 for _ in ways(hand, [each.count for each in outlook.now]))


def test_the_most_promising_are_tried() -> None:
    """Low cards of short suits before honours, where there are more candidates than places."""
    deal = deal_of(game("raf"), m="SA SK SQ SJ ST S9 HA HK HQ HJ HT H9 D2 D3 C2 C3")
    seen = view(second_deal(game("raf"), (-2, -2, 4), deal), M)
    search = ExchangeEstimateSearch(seen, worlds=1)
    assert len(search.outlook.candidates()) > START
    found = search.run()
    assert len(found.parcels) == START and found.of == len(search.outlook.candidates())
    tried = [sum(each.parcels) for each in found.parcels]
    assert mask("D2 D3 C2 C3") in tried
    assert sum(bool(each & mask("SA SK HA HK")) for each in tried) == 0


def test_what_was_chosen_stays_in() -> None:
    deal = deal_of(game("raf"), m="SA SK SQ SJ ST S9 HA HK HQ HJ HT H9 D2 D3 C2 C3")
    seen = view(second_deal(game("raf"), (-2, -2, 4), deal), M)
    dear = (mask("SA SK"), mask("HA HK"))
    found = exchange_estimate(seen, worlds=9, chosen=dear)
    assert found.chosen is not None and found.chosen.parcels == dear and found.chosen.worlds == 9
    assert found.loss is not None and found.apart(found.loss)
    assert found.json()["chosen"]["sends"][0] == {"to": "E", "cards": "AK...", "count": 2}


def test_lowest_cards_in_the_order_of_the_suits() -> None:
    assert lowest(mask("SA S3 H2 D2 C4"), 2) == mask("H2 D2")
    assert lowest(mask("SA S3 H2 D2 C2"), 2) == mask("H2 D2")
    assert lowest(mask("SA S3 H2 D2 C2"), 4) == mask("H2 D2 C2 S3")


def test_the_others_choose_from_their_own_cards() -> None:
    """Two worlds with the same hand of the dealer's after the exchange: he names the same trump and discards alike."""
    seen = raf_view()
    outlook = SenderOutlook(seen)
    parcels = outlook.candidates()[0]
    world = outlook.worlds.draw(Draws(1))
    state = outlook.after(world, parcels)
    swapped = replace(state, hands=(state.hands[0], state.hands[2], state.hands[1]))
    one, two = reply_quickly(state), reply_quickly(swapped)
    assert (one.call, one.discard, one.hands[0]) == (two.call, two.discard, two.hands[0])


@pytest.mark.parametrize("seed", range(30))
def test_every_kind_of_game_and_moment_gets_an_answer(seed: int) -> None:
    """Whatever the options: the tricks of a world lie between none and all."""
    for _, state, _ in random_moments(seed):
        if state.profile.hand > 6:
            continue
        seen = seen_by_sender(state)
        found = exchange_estimate(seen, worlds=3, seed=seed)
        assert found.complete and found.sender == seen.seat and found.best is not None
        assert all(0 <= each.tricks.value <= seen.profile.counted for each in found.parcels)


def test_a_kitty_that_counts_is_a_trick_of_the_dealers() -> None:
    profile = game("uni_high_359")
    state = exchange_of_deal(profile, random_deal(profile, 2, 2), (8, 6, 3))
    outlook = SenderOutlook(view(state, D))
    assert sender_of(state) == D and outlook.worth.extra == 1 and outlook.marks.win == 12
    other = SenderOutlook(view(exchange_of_deal(profile, random_deal(profile, 2, 2), (10, 4, 3)), M))
    assert other.worth.extra == 0 and other.worth.side == 1 << M and other.marks.quota == 3
