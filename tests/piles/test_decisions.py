"""What the declarer should do: against exact expectations, enumeration, and hands made so that the answer is plain."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import hypot, sqrt

import pytest

from tests.piles import plain
from tests.piles.scenes import ending
from tests.piles.test_view_json import state_at
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import mask_of
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.sumgait import (
    ALL54,
    Call,
    DealCards,
    Early,
    Give,
    Play,
    Rob,
    State,
    TakeKitty,
    Tally,
    View,
    apply,
    cards_of,
    legal,
    new_match,
    parse_hand,
    random_deal,
    scored,
    settle,
    settle_vist,
    shuffle_by_lot,
    sumgait,
    view,
)
from tierce.solver.games.sumgait.deal import Dealt
from tierce.solver.piles import TEN, TRICKS, Stop, expectation, pile_view, points
from tierce.solver.piles.call_choice import owned_of
from tierce.solver.piles.calls import PassValue, PlayValue, Sums, plus, turned_over
from tierce.solver.piles.card_choice import CardChoice
from tierce.solver.piles.decision_results import Decision, Method, action_json
from tierce.solver.piles.decisions import DecisionSearch, decide
from tierce.solver.piles.giving import GiveRace, Owned, divisions, ranked
from tierce.solver.piles.view import PileView
from tierce.solver.piles.wants import BY, By, coded, want_of


def first(seed: int = 3) -> State:
    return apply(new_match(sumgait()), DealCards(random_deal(seed)))


def with_hand(text: str, size: int) -> State:
    """A deal in which the declarer holds these sixteen cards, or in all these twenty-two with the kitty."""
    own = parse_hand(text)
    assert own.bit_count() == size
    rest = [card for card in cards_of(ALL54) if not own >> card & 1]
    random.Random(1).shuffle(rest)
    hand = mask_of(cards_of(own)[:16])
    kitty = own & ~hand or mask_of(rest[32:38])
    dealt = Dealt((hand, mask_of(rest[:16]), mask_of(rest[16:32])), kitty)
    return apply(new_match(sumgait()), DealCards(dealt))


def choices(found: Decision) -> dict[str, float]:
    return {str(action_json(each.action)): each.value.value for each in found.choices}


# ---- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["points", "ten", "tricks"])
def test_cards_near_the_end_are_exact(by: By) -> None:
    """As a recursion in plain Python has them, marriages among the ways."""
    for seed in range(6):
        seen = view(state_at(15, robbed=(None, 1, 2)[seed % 3], seed=seed))
        found = decide(seen, worlds=10, by=by)
        moment = pile_view(seen)
        wish = {"points": points(seen.game.options), "ten": TEN, "tricks": TRICKS}[by]
        expected = dict(plain.Expectation(moment, wish).by_way())
        assert found.method == "ending" and found.settled
        told = {way_of(each.action): each for each in found.choices}
        assert set(told) == set(expected)
        for way, value in expected.items():
            assert told[way].value.value == pytest.approx(value, abs=1e-9)
        assert found.best.value.value == max(each.value.value for each in found.choices)
        if by != "points":
            figures = [each.ten if by == "ten" else each.tricks.value for each in found.choices]
            assert figures == pytest.approx([each.value.value for each in found.choices], abs=1e-3)


def test_trials_come_near_the_exact_expectation() -> None:
    """The card that trials choose loses little, and no mean is far above what best play makes."""
    lost = best = 0.0
    for seed in range(30):
        moment = ending(random.Random(seed), 4, kind=("unknown", "given", "robbed")[seed % 3], table=True, marriages=1)
        exact = {(each.way.card, each.way.suit): each.value for each in expectation(moment, TRICKS).ways}
        search = CardChoice(moment, TRICKS, seed=1, threads=1, stop=Stop(), method="playouts")
        for _ in range(64):
            search.step(None, 0.0)
        for each in search.choices():
            assert each.value.value <= exact[way_of(each.action)] + 4 * (each.value.error or 0.0) + 1e-9
        lost += max(exact.values()) - exact[way_of(search.choices()[0].action)]
        best += max(exact.values()) - moment.tricks
    assert lost <= 0.02 * best


def way_of(action: object) -> tuple[int, int | None]:
    assert isinstance(action, Play)
    return action.card, action.card >> 4 if action.marriage else None


def test_three_figures_share_a_number() -> None:
    rng = random.Random(1)
    for by in BY:
        want = want_of(view(first()), by)
        for wish in (want.play, want.misere):
            code = coded(wish)
            ends = [(rng.randrange(19), rng.randrange(16), rng.randrange(5)) for _ in range(code.most)]
            value, tricks, made = code.figures(sum(code.wish.of(*end) for end in ends))
            assert value == pytest.approx(sum(wish.of(*end) for end in ends))
            assert tricks == sum(end[0] for end in ends)
            assert made == sum(not end[0] if wish.few else end[0] >= 10 for end in ends)


def test_trials_tell_tricks_and_chance_of_the_same_orders() -> None:
    """By the chance of ten the value is the chance, by tricks it is the tricks."""
    seen = view(state_at(6))
    for by in ("ten", "tricks"):
        found = decide(seen, worlds=300, by=by, method="playouts")
        for each in found.choices:
            assert each.value.value == pytest.approx(each.ten if by == "ten" else each.tricks.value)


def test_a_marriage_is_declared_where_it_pays() -> None:
    """Queen and king are led last: with two cards left ten tricks are sure, and declaring brings its bonus."""
    moment = PileView(parse_hand("KQ..."), parse_hand(".32.32."), tricks=12, declared=0)
    found = CardChoice(moment, points(), seed=1, threads=1, stop=Stop())
    found.step(None, 0.0)
    action = found.choices()[0].action
    assert isinstance(action, Play) and action.marriage


@pytest.mark.parametrize("method", ["ending", "playouts"])
def test_where_ten_tricks_are_sure_more_are_better(method: Method) -> None:
    """By the chance of ten all cards are alike then."""
    unlike = 0
    for seed in range(12):
        moment = replace(ending(random.Random(seed), 4, leader=0), tricks=12)
        found = CardChoice(moment, TEN, seed=1, threads=1, stop=Stop(), method=method)
        found.step(256, 0.0)
        tricks = [each.tricks.value for each in found.choices()]
        assert all(each.value.value == 1 for each in found.choices()) and tricks == sorted(tricks, reverse=True)
        unlike += tricks[0] > tricks[-1]
    assert unlike


def test_one_card_is_forced() -> None:
    found = decide(view(state_at(17)), worlds=5)
    assert found.forced and found.margin is None and found.why.endswith("is the only card that may be played.")


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


# ---- before the kitty ------------------------------------------------------------------------------------------------


def test_robbery() -> None:
    """Sixteen rags go for any other hand; aces, jokers and marriages stay."""
    rags = decide(view(with_hand("5432.6543.6543.5432", 16)), worlds=40)
    assert isinstance(rags.action, Rob) and rags.action.of is not None
    assert "than robbing nobody" in rags.why
    fine = decide(view(with_hand("AKQ2.AKQ.AKQ.AKQJ.J1J2", 16)), worlds=40)
    assert fine.action == Rob(None)


def test_misere_before_the_kitty() -> None:
    game = sumgait({"misere_time": "before_kitty"})
    for text, misere in (("5432.5432.5432.5432", True), ("AKQ2.AKQ.AKQ.AKQJ.J1J2", False)):
        dealt = with_hand(text, 16).dealt
        assert dealt is not None
        state = apply(apply(new_match(game), DealCards(dealt)), Rob(None))
        found = decide(view(state), worlds=30)
        assert found.what == "misere" and found.action == Early(misere)
        if misere:
            state = apply(apply(state, Early(True)), TakeKitty())
            assert {each.plan for each in decide(view(state), worlds=20).choices} == {"misere"}


# ---- the match -------------------------------------------------------------------------------------------------------


def test_the_match_is_worth_what_the_settlement_brings() -> None:
    """The nets after every end of a deal, with Game counted at its weight, less those before it."""
    rng = random.Random(5)
    for _ in range(8):
        one, two = (Tally(rng.randrange(-300, 1001, 20), rng.randrange(0, 3000, 10)) for _ in range(2))
        declarer = rng.randrange(3)
        tallies = one, two, Tally(rng.choice((880, 900, 1000, 400)), 500)
        seen = replace(view(first()), tallies=tallies, declarer=declarer)
        want = want_of(seen, "match", 3.0)
        for call, suits, tricks in (("play", (1, 0), (12, 4, 2)), ("misere", (), (2, 10, 6)), ("pass", (), (8, 5, 5))):
            after = scored(seen.tallies, declarer, call, suits, tricks, seen.game.options).tallies
            before, then = (
                settle_vist([tally.vist + 3 * tally.game for tally in columns]).nets[declarer]
                for columns in (seen.tallies, after)
            )
            found = want.passed(tricks) if call == "pass" else want.of_call(call).of(tricks[0], mask_suits(suits), 0)
            assert found == pytest.approx(then - before)


def mask_suits(suits: tuple[int, ...]) -> int:
    return sum(1 << suit for suit in suits)


def test_on_the_hill_a_small_game_is_not_wanted() -> None:
    """Where a game short of 120 points is a failure, twelve tricks are worth less than ten: Vist for the others."""
    seen = replace(view(first()), tallies=(Tally(880), Tally(0), Tally(0)))
    want = want_of(seen, "match")
    assert want.play.of(12) < want.play.of(10)


# ---- the search ------------------------------------------------------------------------------------------------------


def moments() -> list[View]:
    state = first()
    given = apply(apply(state, Rob(None)), TakeKitty())
    four = cards_of(given.hands[0])[-4:]
    called_ = apply(given, Give(mask_of(four[:2]), mask_of(four[2:])))
    return [view(state), view(given), view(called_), view(state_at(4))]


@pytest.mark.parametrize("by", ["points", "ten"])
@pytest.mark.parametrize("worlds", [12, 130])
@pytest.mark.parametrize("place", range(4))
def test_the_same_worlds_give_the_same_answer(place: int, worlds: int, by: By) -> None:
    """Whatever the threads: also where a choice is settled before all is done that was asked for."""
    seen = moments()[place]
    one, *others = (decide(seen, worlds=worlds, seed=7, threads=threads, by=by) for threads in (1, 2, 3))
    for other in others:
        assert replace(one, millis=0) == replace(other, millis=0)
    assert one.complete and one.json()["decision"] == ("rob", "give", "call", "card")[place]
    if by == "points":
        assert choices(one) != choices(decide(seen, worlds=worlds, seed=8))


@pytest.mark.parametrize("place", range(4))
def test_an_answer_is_there_from_the_start(place: int) -> None:
    search = DecisionSearch(moments()[place], worlds=50)
    assert search.result.method == "rule" and not search.result.complete
    search.step()
    assert search.result.best.action is not None
    search.cancel()
    with pytest.raises(Cancelled):
        search.run()
    assert search.result.choices


def test_time_is_kept_in_rounds() -> None:
    for seen in moments():
        found = decide(seen, seconds=0.4, threads=2)
        assert found.complete and found.worlds > 0


def test_what_is_raised_while_it_runs_comes_through() -> None:
    search = DecisionSearch(moments()[3], worlds=10_000)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(stop)
    assert search.result.worlds > 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"seconds": None}, "seconds"),
        ({"seconds": 1, "worlds": 5}, "seconds"),
        ({"seconds": -1.0}, "seconds"),
        ({"seconds": None, "worlds": 0}, "worlds"),
        ({"seconds": None, "worlds": True}, "worlds"),
        ({"seed": -1}, "seed"),
        ({"by": "quota"}, "by"),
        ({"by": "match", "game_weight": -1}, "game_weight"),
        ({"method": "pimc"}, "method"),
        ({"method": "ending"}, "method"),
        ({"threads": 0}, "threads"),
    ],
)
def test_refused(changes: dict[str, object], field: str) -> None:
    with pytest.raises(InputError, match="expected") as caught:
        decide(moments()[2], **({"seconds": 1.0} | changes))  # type: ignore[arg-type]
    assert caught.value.field == field


def test_where_nothing_is_decided() -> None:
    state = apply(first(), Rob(None))
    with pytest.raises(InputError, match="phase KITTY"):
        decide(view(state), worlds=5)
    piles = settle(state_at(3))
    while piles.mover == 0:
        piles = apply(piles, legal(piles)[0].choices[0])
    with pytest.raises(InputError, match="a card that a pile is to turn"):
        decide(view(piles), worlds=5)
    with pytest.raises(LimitReached):
        decide(view(state_at(2)), worlds=5, method="ending")
    with pytest.raises(TypeError):
        decide(state, worlds=5)  # type: ignore[arg-type]


def test_ranked_fours_are_of_the_hand() -> None:
    owned = Owned(parse_hand("AKQ32.A5432.A543.KQ5432.J1J2"), 0)
    owned = replace(owned, unseen=ALL54 & ~owned.hand)
    for call in ("play", "misere"):
        found = ranked(owned, call, 20)
        assert len(set(found)) == 20
        assert all(len(set(four)) == 4 and not mask_of(four) & ~owned.hand for four in found)


@pytest.mark.parametrize("place", range(4))
def test_stopped_by_another_thread(place: int) -> None:
    """Wherever it is in its work; what was found until then can still be told."""

    search = DecisionSearch(moments()[place], worlds=1_000_000, threads=2)
    timer = threading.Timer(0.1, search.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        search.run()
    assert search.result.choices and not search.result.complete


# ---- calls -----------------------------------------------------------------------------------------------------------


def at_call(seed: int) -> View:
    state = apply(apply(first(seed), Rob(None)), TakeKitty())
    four = cards_of(state.hands[0])[-4:]
    return view(apply(state, Give(mask_of(four[:2]), mask_of(four[2:]))))


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
