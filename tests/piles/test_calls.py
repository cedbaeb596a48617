"""What to give and what to call: against enumeration, plain words, and hands made so that the answer is plain."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import hypot, sqrt

import pytest

from tests.piles.deals import at_call, first, with_hand
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import mask_of
from tierce.solver.games.sumgait import (
    ALL54,
    Call,
    DealCards,
    Give,
    Rob,
    TakeKitty,
    apply,
    cards_of,
    legal,
    new_match,
    parse_hand,
    random_deal,
    shuffle_by_lot,
    sumgait,
    view,
)
from tierce.solver.piles import TRICKS, Stop, expectation
from tierce.solver.piles.call_choice import owned_of
from tierce.solver.piles.calls import PassValue, PlayValue, Sums, plus, turned_over
from tierce.solver.piles.decision_results import Decision, action_json
from tierce.solver.piles.decisions import DecisionSearch, decide
from tierce.solver.piles.giving import GiveRace, Owned, divisions
from tierce.solver.piles.view import PileView
from tierce.solver.piles.wants import By, want_of

# ---- giving ----------------------------------------------------------------------------------------------------------


def tiny(seed: int) -> Owned:
    """Eight cards, of which four go, and four unseen ones: four tricks."""
    rng = random.Random(seed)
    deck = rng.sample(cards_of(ALL54), 12)
    return Owned(mask_of(deck[:8]), mask_of(deck[8:]))


def test_giving_on_a_tiny_deck() -> None:
    """What the race gives loses little against the best of all 420 ways, valued exactly."""
    want = want_of(view(first()), "tricks")
    lost = best = 0.0
    for seed in range(4):
        owned = tiny(seed)
        exact = {
            pair: expectation(owned.given(pair), TRICKS).value
            for four in combinations(cards_of(owned.hand), 4)
            for pair in divisions(four)
        }
        race = GiveRace(owned, want, seed=1, threads=1, stop=Stop(), most=400)
        while not race.done:
            race.step()
        pair, sums = race.order()[0].pair, race.order()[0].sums
        assert sums.value.value <= exact[pair] + 4 * (sums.value.error or 0.0) + 1e-9
        lost += max(exact.values()) - exact[pair]
        best += max(exact.values())
    assert lost <= 0.05 * best


def test_divisions() -> None:
    four = cards_of(parse_hand("AKQJ..."))
    found = divisions(four)
    assert len(set(found)) == 6
    assert all(one | other == mask_of(four) and one.bit_count() == other.bit_count() == 2 for one, other in found)


def test_orders_are_common_to_all_ways() -> None:
    """Where one way gives a card the other gives another in its place; all else lies as it did."""
    owned = Owned(parse_hand("AKQ32.A5432.A543.KQ5432.J1J2"), 0)
    owned = replace(owned, unseen=ALL54 & ~owned.hand)
    want = want_of(view(first()), "tricks")
    race = GiveRace(owned, want, seed=1, threads=1, stop=Stop(), most=60)
    while not race.done:
        race.step()
    again = GiveRace(owned, want, seed=1, threads=2, stop=Stop(), most=60)
    while not again.done:
        again.step()
    assert race.order() == again.order()


def test_a_way_to_give_is_valued_in_orders_that_did_not_choose_it() -> None:
    """As a call is that comes after it; what others are behind it is from the race, in the orders that both met."""
    seen = view(apply(apply(with_hand("AKQ32.A5432.A543.KQ5432.J1J2", 22), Rob(None)), TakeKitty()))
    found = decide(seen, worlds=20, seed=3)
    assert isinstance(found.action, Give) and found.best.plan == "play"
    owned = owned_of(seen, "play")
    value = PlayValue(
        owned.given((found.action.next, found.action.other)), want_of(seen), "play", seed=3, threads=1, stop=Stop()
    )
    value.step(20)
    value.step_well(16)
    assert found.best.value == value.value and found.best.tricks == value.mean_tricks
    race = GiveRace(owned, want_of(seen), seed=3, threads=1, stop=Stop(), most=20)
    while not race.done:
        race.step()
    assert race.first == (found.action.next, found.action.other)
    gifts = {each.pair: each for each in race.order()}
    for each in found.choices[1:]:
        if each.plan == "play":
            assert isinstance(each.action, Give)
            gift = gifts[each.action.next, each.action.other]
            assert each.value.value == pytest.approx(value.value.value + gift.ahead.value)
            assert each.value.error == pytest.approx(hypot(value.value.error or 0.0, gift.ahead.error or 0.0))


@pytest.mark.slow
@pytest.mark.parametrize("worlds", [20, 60])
def test_values_of_what_is_given_and_their_errors(worlds: int) -> None:
    """Against thousands of other orders, and hundreds of those played well: neither too high nor too sure."""
    off = []
    for seed in range(20, 32):
        seen = view(apply(apply(first(seed), Rob(None)), TakeKitty()))
        found = decide(seen, worlds=worlds, seed=seed, threads=2)
        if found.best.plan == "play" and isinstance(found.action, Give):
            pair = found.action.next, found.action.other
            much = PlayValue(
                owned_of(seen, "play").given(pair), want_of(seen), "play", seed=777, threads=2, stop=Stop()
            )
            much.step(8192)
            much.step_well(160)
            error = hypot(found.best.value.error or 0.0, much.value.error or 0.0)
            off.append((found.best.value.value - much.value.value) / error)
    assert len(off) >= 8
    assert abs(sum(off)) <= 3.3 * sqrt(len(off))
    assert sum(each * each for each in off) / len(off) <= 3.0


def test_a_sum_is_as_unsure_as_its_parts() -> None:
    """From a single order nothing is known of the spread, and so not of the sum's."""
    assert plus(Figure(1.0, 3.0), Figure(2.0, 4.0)) == Figure(3.0, 5.0)
    assert plus(Figure(1.0, 3.0), Figure(2.0, None)) == Figure(3.0, None)
    assert plus(Figure(1.0, None), Figure(2.0, 4.0)) == Figure(3.0, None)


def test_aces_jokers_and_marriages_are_kept() -> None:
    state = with_hand("AKQ32.A5432.A543.KQ5432.J1J2", 22)
    state = apply(apply(state, Rob(None)), TakeKitty())
    found = decide(view(state), worlds=60)
    assert isinstance(found.action, Give) and found.best.plan == "play"
    kept = parse_hand("AKQ.A.A.KQ.J1J2")
    assert not (found.action.next | found.action.other) & kept


# ---- calls -----------------------------------------------------------------------------------------------------------


def test_pass_against_enumeration() -> None:
    """The mean tricks of three piles, and the chance that all take as many, over every order."""
    own, unseen = parse_hand("A.7.2."), parse_hand("K7.3.A..J1J2")
    moment = PileView(own, unseen)
    counted: Counter[tuple[int, int, int]] = Counter()
    for mine in permutations(cards_of(own)):
        for others in permutations(cards_of(unseen)):
            counted[turned_over((mine, others[:3], others[3:]))] += 1
    whole = counted.total()
    tricks = float(Fraction(sum(each[0] * n for each, n in counted.items()), whole))
    even = counted[1, 1, 1] / whole
    passed = PassValue(moment, want_of(view(first()), "tricks"), seed=1)
    passed.step(6000)
    assert abs(passed.sums.value.value - tricks) <= 4 * (passed.sums.value.error or 0.0)
    assert abs(passed.sums.share - even) <= 4 * (even * (1 - even) / 6000) ** 0.5


@pytest.mark.parametrize("procedure", ["sequential", "kill", "seven_wins"])
def test_piles_turned_over_are_those_of_the_rules(procedure: str) -> None:
    for seed in range(10):
        state = apply(new_match(sumgait({"joker_resolution": procedure})), DealCards(random_deal(seed)))
        state = apply(apply(state, Rob(None)), TakeKitty())
        four = cards_of(state.hands[0])[3:7]
        state = apply(apply(state, Give(mask_of(four[:2]), mask_of(four[2:]))), Call("pass"))
        state = apply(state, shuffle_by_lot(state, seed))
        assert state.piles is not None
        number = ("sequential", "kill", "seven_wins").index(procedure)
        tricks = turned_over(state.piles, number)
        while state.phase == "PLAY":
            (opened,) = legal(state)
            state = apply(state, opened.choices[0])
        assert state.taken == tricks


def called(text: str, by: By = "points") -> Decision:
    state = apply(apply(with_hand(text, 22), Rob(None)), TakeKitty())
    given = decide(view(state), worlds=60, by=by).action
    assert isinstance(given, Give)
    return decide(view(apply(state, given)), worlds=200, by=by)


def test_a_hand_for_each_call() -> None:
    strong = called("AKQ32.A5432.A543.KQ5432.J1J2")
    assert strong.action == Call("play") and strong.best.ten > 0.9
    low = called("65432.65432.65432.8765432")
    assert low.action == Call("misere") and low.best.ten > 0.4


def test_calls_by_the_chance_of_ten() -> None:
    found = called("AKQ32.A5432.A543.KQ5432.J1J2", "ten")
    assert [each.action for each in found.choices] == [Call("play")]
    assert "no chance of ten tricks" in found.why


def test_playing_well_is_worth_no_less() -> None:
    """What is added to playouts is what better play gains over the same orders."""
    state = apply(apply(first(8), Rob(None)), TakeKitty())
    four = cards_of(state.hands[0])[-4:]
    seen = view(apply(state, Give(mask_of(four[:2]), mask_of(four[2:]))))
    moment = PileView(seen.hand, seen.unseen, (seen.known[1], seen.known[2]))
    value = PlayValue(moment, want_of(seen, "tricks"), "play", seed=1, threads=1, stop=Stop())
    value.step(100)
    value.step_well(25)
    assert value.gain.count == 25 and value.gain.value.value > 0
    assert value.value.value == pytest.approx(value.out.value.value + value.gain.value.value)


def test_what_playing_well_gains_takes_no_misere_beyond_what_it_brings() -> None:
    """Whether it fails or not: where rules of thumb make it nothing is to be gained."""
    state = apply(apply(first(8), Rob(None)), TakeKitty())
    four = cards_of(state.hands[0])[:4]
    seen = view(apply(state, Give(mask_of(four[:2]), mask_of(four[2:]))))
    moment = PileView(seen.hand, seen.unseen, (seen.known[1], seen.known[2]), marriages=False)
    value = PlayValue(moment, want_of(seen, "points"), "misere", seed=1, threads=1, stop=Stop())
    for _ in range(4):
        value.gain.add(600.0, -6.0, 1.0)
    value._failed = 4.0
    for made, expected in ((10, 300.0), (9, -300.0 * 0.1 + 300.0 * 0.9 + 60.0), (0, 300.0)):
        sums = Sums()
        for at in range(10):
            sums.add(300.0 if at < made else -300.0, 0.0 if at < made else 3.0, float(at < made))
        worth, tricks, share = value.well(sums)
        assert worth.value == pytest.approx(expected)
        assert 0 <= tricks.value <= 18 and 0 <= share <= 1


def test_a_call_is_settled_at_the_end_of_a_round_alone() -> None:
    """However many orders a thread plays out at once: a told number of them is met by every call that is told."""
    settled = 0
    for seed in range(8):
        one, *others = (decide(at_call(seed), worlds=600, by="match", threads=threads) for threads in (1, 2, 3))
        assert all(replace(one, millis=0) == replace(other, millis=0) for other in others)
        assert {each.worlds for each in one.choices} == {600}
        settled += one.settled
    assert settled


def test_the_chance_of_ten_is_a_chance() -> None:
    for seed in range(12):
        for choice in decide(at_call(seed), worlds=40, by="ten").choices:
            assert choice.value.value == pytest.approx(choice.ten) and 0 <= choice.ten <= 1


def test_what_no_order_brought_may_still_come() -> None:
    """The error is that of the rule of succession: 30 orders of three piles without six each prove little."""
    found = {action_json(each.action)["call"]: each for each in decide(at_call(1), worlds=30).choices}
    passed = found["pass"]
    assert passed.ten == 0 and passed.value.value == 0 and not passed.well
    assert all(each.well >= 16 for call, each in found.items() if call != "pass")  # however far behind
    prize = scored_pass((6, 6, 6)) - scored_pass((7, 6, 5))
    assert passed.value.error == pytest.approx(prize * sqrt(31 / 32**2 / 30), rel=1e-3)


def scored_pass(tricks: tuple[int, int, int]) -> float:
    return want_of(at_call(1)).passed(tricks)


def test_a_call_that_was_never_played_well_has_no_error_to_tell() -> None:
    """What that would add is not known."""
    search = DecisionSearch(at_call(1), worlds=30)
    while not search.result.choices[0].worlds:
        search.step()
    for each in search.result.choices:
        told = each.value.error is not None
        assert told is (action_json(each.action)["call"] == "pass") and not each.well
    assert search.result.margin is not None and search.result.margin.error is None
    assert all(each.value.error is not None for each in search.run().choices)


def test_ways_to_give_that_are_equal_go_by_tricks() -> None:
    """In a MISERE that always fails, and in ten tricks that are always made."""
    strong = parse_hand("AKQJT98.AKQJT98.AKQJ.KQ.J1J2")
    for call, few in (("play", False), ("misere", True)):
        race = GiveRace(
            Owned(strong, ALL54 & ~strong), want_of(at_call(1), "ten"), call, seed=1, threads=1, stop=Stop(), most=16
        )
        while not race.done:
            race.step()
        field = race.order()[: len(race._field)]
        equal = [each.sums.tricks for each in field if each.sums.total == field[0].sums.total]
        assert equal == sorted(equal, reverse=not few) and equal[0] != equal[-1]
