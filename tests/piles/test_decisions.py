"""What the declarer should do: against exact expectations, enumeration, and hands made so that the answer is plain."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from math import sqrt

import pytest

from tests.piles import plain
from tests.piles.deals import at_call, first, with_hand
from tests.piles.scenes import ending
from tests.piles.test_view_json import state_at
from tierce.solver.cards import mask_of
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.sumgait import (
    ALL54,
    DealCards,
    Early,
    Play,
    Rob,
    TakeKitty,
    Tally,
    View,
    apply,
    legal,
    new_match,
    parse_hand,
    scored,
    settle,
    settle_vist,
    sumgait,
    view,
)
from tierce.solver.piles import TEN, TRICKS, Stop, expectation, pile_view, points
from tierce.solver.piles.card_choice import CardChoice
from tierce.solver.piles.decision_results import Decision, Method, action_json
from tierce.solver.piles.decisions import DecisionSearch, decide
from tierce.solver.piles.giving import Owned, ranked
from tierce.solver.piles.view import PileView
from tierce.solver.piles.wants import BY, By, coded, want_of


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
        n = found.worlds
        error = sqrt((n + 1) / (n + 2) ** 2 / n) if method == "playouts" else 0.0  # by the rule of succession
        assert all(each.value.error == pytest.approx(error) for each in found.choices())
        assert all(each.value.value == 1 for each in found.choices()) and tricks == sorted(tricks, reverse=True)
        unlike += tricks[0] > tricks[-1]
    assert unlike


def test_one_card_is_forced() -> None:
    found = decide(view(state_at(17)), worlds=5)
    assert found.forced and found.margin is None and found.why.endswith("is the only card that may be played.")


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
    return [view(state), view(given), at_call(3), view(state_at(4))]


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
