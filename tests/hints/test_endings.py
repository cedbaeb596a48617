"""The end of a hand against the definition: every plan in small endings, fronts of vectors in larger ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.advice.play_scenes import moments_of, random_game, start_of
from tests.brute import brute
from tests.games.random_matches import settings_of
from tests.games.scenes import refusal
from tests.hints.end_plans import Ending, Table, TooMany
from tests.hints.end_scenes import Scene, example, scenes, table_of
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import card_name, parse_card
from tierce.solver.games import Profile, game_names, load_game, view
from tierce.solver.games.actions import Play
from tierce.solver.games.view import View
from tierce.solver.hints.end_choices import Chooser, Meter, parted, settled
from tierce.solver.hints.endings import best_ending, layouts_of
from tierce.solver.position import Position
from tierce.solver.solver import Solver


def values_of(scene: Scene) -> dict[int, float]:
    found = best_ending(scene.view, scene.layouts, scene.wish)
    assert found is not None
    return {each.card: each.value for each in found.cards}


def tables_of(scene: Scene) -> tuple[Ending, list[Table], list[float]]:
    seen = scene.view
    total = sum(weight for _, weight in scene.layouts)
    tables = [table_of(seen, hands) for hands, _ in scene.layouts]
    trump = "SHDC".find(seen.call) if seen.call in "SHDC" else 4
    return Ending(seen.seat, trump, scene.wish.points), tables, [weight / total for _, weight in scene.layouts]


# ---- the definition --------------------------------------------------------------------------------------------------


def check_plans(seed: int, share: float, most: int, *, fronts: bool = False) -> Counter[str]:
    """Every card of every ending of a deal has the value that the definition gives it."""
    found = Counter[str]()
    for scene in scenes(seed, share, most):
        ending, tables, weights = tables_of(scene)
        values = values_of(scene)
        assert set(values) == set(tables[0].legal())
        for card, value in values.items():
            by = ending.by_fronts if fronts else ending.by_plans
            try:
                truth = by(tables, weights, card)
            except TooMany:
                found["too many"] += 1
                continue
            assert value == pytest.approx(truth, abs=1e-9), (seed, card_name(card))
            found[f"{scene.view.hand.bit_count()} cards"] += 1
            found[scene.wish.by] += 1
            found["MIZ" if scene.wish.few else "in a trick" if scene.view.trick else "leading"] += 1
    return found


@pytest.mark.parametrize("piece", [0, 1, *(pytest.param(each, marks=pytest.mark.slow) for each in (2, 3))])
def test_the_best_of_all_plans(piece: int) -> None:
    found = Counter[str]()
    for seed in range(10 * piece, 10 * piece + 10):
        found += check_plans(seed, 1, 4)
    assert min(found[name] for name in ("3 cards", "2 cards", "leading", "in a trick")) > 10


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(8))
def test_the_best_of_all_plans_in_many_endings(piece: int) -> None:
    found = Counter[str]()
    for seed in range(1000 + 60 * piece, 1060 + 60 * piece):
        found += check_plans(seed, 0.6, 2 + piece)
    assert min(found[name] for name in ("3 cards", "MIZ", "tricks", "quota", "twelve", "utility")) > 5


@pytest.mark.parametrize("piece", range(2))
def test_fronts_of_vectors(piece: int) -> None:
    found = Counter[str]()
    for seed in range(2000 + 5 * piece, 2005 + 5 * piece):
        found += check_plans(seed, 0.7, 8, fronts=True)
    assert found["3 cards"] > 15


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(8))
def test_fronts_of_vectors_in_many_endings(piece: int) -> None:
    found = Counter[str]()
    for seed in range(3000 + 20 * piece, 3020 + 20 * piece):
        found += check_plans(seed, 0.3, 4 + 5 * piece, fronts=True)
    assert found["3 cards"] > 20


# ---- against solves of single layouts --------------------------------------------------------------------------------


def floors(seen: View, hands: tuple[int, ...]) -> dict[int, int]:
    """What the seat takes by each card in a layout that it sees: tricks of the whole deal, in MIZ the most."""
    trump = "SHDC".find(seen.call) if seen.call in "SHDC" else 4
    position = Position(hands, trump, seen.leader, seen.trick)
    found = Solver(table_mb=1).card_values(position, 1 << seen.seat, "fewest" if seen.call == "MIZ" else "most")
    return {each.card: each.tricks + seen.taken[seen.seat] for each in found.cards}


def test_one_layout_is_a_solve() -> None:
    found = Counter[bool]()
    for seed in range(40):
        for scene in scenes(seed, 0.3, 1, by="tricks"):
            hands, _ = scene.layouts[0]
            sign = -1 if scene.wish.few else 1
            exact = {card: sign * tricks for card, tricks in floors(scene.view, hands).items()}
            assert values_of(scene) == exact
            found[scene.wish.few] += 1
    assert found[True] and found[False]


def test_never_better_than_if_the_seat_saw_the_layout() -> None:
    below = count = 0
    for seed in range(40):
        for scene in scenes(seed, 1, 12, by="tricks"):
            total = sum(weight for _, weight in scene.layouts)
            sign = -1 if scene.wish.few else 1
            means: dict[int, float] = {}
            for hands, weight in scene.layouts:
                for card, tricks in floors(scene.view, hands).items():
                    means[card] = means.get(card, 0.0) + sign * tricks * weight / total
            for card, value in values_of(scene).items():
                assert value < means[card] + 1e-9
                below += value < means[card] - 1e-9
                count += 1
    assert 0 < below < count


def test_a_guess_for_a_king() -> None:
    """No trump, three cards each. The seat has the ace and queen of hearts, and leads its low diamond: then the others
    must play hearts, and it takes both tricks if it knows whether to play the queen or the ace, that is, on which side
    the king lies. Solves of both layouts know it and say 2; a player has to guess."""
    seen, layouts, wish = example("H:AQ D:Q", ("H:K D:KT", "H:JT D:A"), ("H:J D:KT", "H:KT D:A"))
    knowing = [floors(seen, hands)[parse_card("DQ")] for hands, _ in layouts]
    found = best_ending(seen, layouts, wish)
    assert found is not None and knowing == [2, 2]
    assert found.best.value == 1.5 and sorted(found.best.tricks) == [1, 2]
    certain = best_ending(seen, layouts[:1], wish)
    assert certain is not None and certain.best.value == 2 and certain.best.card == parse_card("DQ")
    often = best_ending(seen, [(layouts[0][0], 3), (layouts[1][0], 1)], wish)
    assert often is not None and often.best.value == 1.75 and often.best.tricks == (2, 1)


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_weights_are_shares() -> None:
    for scene in scenes(7, 0.3, 5):
        one = best_ending(scene.view, scene.layouts, scene.wish)
        other = best_ending(scene.view, [(hands, 8 * weight) for hands, weight in scene.layouts], scene.wish)
        assert one == other and one is not None
        as_floats = [(hands, weight * 2.0**-40) for hands, weight in scene.layouts]
        assert best_ending(scene.view, as_floats, scene.wish) == one


def test_figures_follow_from_the_tricks_of_each_layout() -> None:
    for seed in range(12):
        for scene in scenes(seed, 0.3, 5):
            found = best_ending(scene.view, scene.layouts, scene.wish)
            assert found is not None
            total = sum(weight for _, weight in scene.layouts)
            for option, each in zip(found.options(), found.cards, strict=True):
                pairs = [
                    (tricks, weight / total) for tricks, (_, weight) in zip(each.tricks, scene.layouts, strict=True)
                ]
                assert option.actions == (Play(scene.view.seat, each.card),) and option.worlds == len(scene.layouts)
                assert option.value.value == pytest.approx(sum(scene.wish.points[a] * b for a, b in pairs))
                assert option.tricks.value == pytest.approx(sum(a * b for a, b in pairs))
                assert option.quota == pytest.approx(sum(b for a, b in pairs if scene.wish.made(a)))
                assert option.value.error == option.tricks.error == 0
            sign = -1 if scene.wish.few else 1
            order = [(each.value, sign * each.mean) for each in found.cards]
            assert order == sorted(order, reverse=True)


def test_equal_cards_are_in_a_fixed_order() -> None:
    seen, layouts, wish = example("H:AK D:2", ("H:Q D:KT", "H:JT D:A"))
    found = best_ending(seen, layouts, wish)
    assert found is not None
    names = [card_name(each.card) for each in found.cards]
    assert names.index("HK") + 1 == names.index("HA")
    few = best_ending(replace(seen, call="MIZ"), layouts, replace(wish, few=True))
    assert few is not None
    names = [card_name(each.card) for each in few.cards]
    assert names.index("HA") + 1 == names.index("HK")


def test_too_much_work_or_no_time() -> None:
    seen, layouts, wish = example("H:AQ D:Q", ("H:K D:KT", "H:JT D:A"), ("H:J D:KT", "H:KT D:A"))
    assert best_ending(seen, layouts, wish, work=20) is None
    assert best_ending(seen, layouts, wish, stop=lambda: False) is not None
    scene = max((each for seed in range(5) for each in scenes(seed, 1, 200)), key=lambda each: len(each.layouts))
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 2

    assert best_ending(scene.view, scene.layouts, scene.wish, stop=stop) is None and len(asked) == 2


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"view": {"phase": "SCORE"}}, "view", "in the phase SCORE"),
        ({"view": {"to_move": 0}}, "view", "found seat 0 to move"),
        ({"view": {"hand": 0}}, "view", "found 0"),
        ({"layouts": []}, "layouts", "found none"),
        ({"weight": 0}, "layouts", "found 0"),
        ({"weight": float("nan")}, "layouts", "found nan"),
        ({"weight": True}, "layouts", "found True"),
        ({"hands": (0, 1, 2)}, "layouts", "expected the hand"),
        ({"counts": (3, 3, 2)}, "layouts", "expected hands of 3/3/2 cards"),
        ({"twice": True}, "layouts", "found one twice"),
    ],
)
def test_what_is_refused(change: dict[str, Any], field: str, found: str) -> None:
    seen, layouts, wish = example("H:AQ D:Q", ("H:K D:KT", "H:JT D:A"))
    hands, weight = layouts[0]
    seen = replace(seen, **change.get("view", {}), **({"counts": change["counts"]} if "counts" in change else {}))
    given = change.get("layouts", [(change.get("hands", hands), change.get("weight", weight))])
    given = given * 2 if "twice" in change else given
    code, at, message = refusal(lambda: best_ending(seen, given, wish))
    assert code == at == field and found in message


# ---- the choice ------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.integers(0, 255),
    st.lists(st.lists(st.integers(0, 255), min_size=1, max_size=3), max_size=6),
    st.lists(st.integers(1, 9), min_size=8, max_size=8),
)
def test_the_cheapest_union(sure: int, cases: list[list[int]], prices: list[int]) -> None:
    chooser = Chooser(prices, Meter(10**6, None))

    def cheapest(loss: int, left: list[list[int]]) -> int:
        if left:
            return min(cheapest(loss | each, left[1:]) for each in left[0])
        return sum(price for place, price in enumerate(prices) if loss >> place & 1)

    best = chooser.best(sure, cases)
    assert best & sure == sure and chooser.cost(best) == cheapest(sure, cases)


def test_cases_are_settled_and_parted() -> None:
    assert settled(0b1, [(0b11, 0b111)]) == (0b11, [])  # the second loses more
    assert settled(0, [(0b110, 0b101)]) == (0b100, [(0b001, 0b010)])  # one bit is lost in any case
    assert settled(0b10, [(0b10, 0b100), (0b1000, 0b10000)]) == (0b10, [(0b1000, 0b10000)])
    groups = parted([(0b1, 0b10), (0b100, 0b1000), (0b10, 0b10000)])
    assert sorted(map(len, groups)) == [1, 2]


# ---- the layouts of a view -------------------------------------------------------------------------------------------


def late_views(seed: int, cards: int, profile: Profile | None = None) -> Iterator[View]:
    """The views of all seats in the last tricks of a random deal, of any game or of this one."""
    rng = random.Random(f"layouts {seed}")
    for _, state, _ in moments_of(rng, start_of(rng, profile or random_game(rng)), 1):
        if state.phase == "PLAY" and max(hand.bit_count() for hand in state.hands) <= cards:
            yield from (view(state, seat) for seat in range(3))


def check_layouts(seed: int, worlds: int) -> Counter[str]:
    found = Counter[str]()
    for seen in late_views(seed, 3):
        listed, fit = layouts_of(seen, 200), PlayWorlds(seen)
        if listed is None:
            found["too many"] += 1
            if fit.count <= worlds:
                assert len({world.hands_now for world in fit}) > 50
        elif fit.count <= worlds:
            assert dict(listed) == Counter(world.hands_now for world in fit) and len(dict(listed)) == len(listed)
            found["listed"] += 1
        else:
            assert sum(count for _, count in listed) == fit.count
            assert fit.draw(Draws(seed)).hands_now in dict(listed)
            found["counted"] += 1
    return found


@pytest.mark.parametrize("piece", range(2))
def test_layouts_and_their_numbers_of_worlds(piece: int) -> None:
    found = Counter[str]()
    for seed in range(8 * piece, 8 * piece + 8):
        found += check_layouts(seed, 300)
    assert min(found[name] for name in ("too many", "listed", "counted")) > 0


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(6))
def test_layouts_of_many_views(piece: int) -> None:
    found = Counter[str]()
    for seed in range(100 + 25 * piece, 125 + 25 * piece):
        found += check_layouts(seed, 5000)
    assert min(found[name] for name in ("too many", "listed", "counted")) > 20


@pytest.mark.parametrize("name", game_names(3))
def test_layouts_of_every_game(name: str) -> None:
    """The truth is among them, from the first to the last card of the ending."""
    rng = random.Random(f"ending of {name}")
    for profile in (load_game(name), settings_of(rng, name)):
        for _, state, _ in moments_of(rng, start_of(rng, profile), 1):
            if state.phase == "PLAY" and max(hand.bit_count() for hand in state.hands) <= 3:
                seen = view(state, state.mover)
                listed = layouts_of(seen, 200)
                assert listed is None or state.hands in dict(listed)


def test_a_limit_and_a_view_before_the_play() -> None:
    views = (seen for seed in range(20) for seen in late_views(seed, 2))
    seen = next(seen for seen in views if len(layouts_of(seen, 200) or ()) > 3)
    listed = layouts_of(seen, 200)
    assert listed is not None
    assert layouts_of(seen, len(listed)) == listed and layouts_of(seen, len(listed) - 1) is None
    assert refusal(lambda: layouts_of(replace(seen, phase="TRUMP"), 5))[:2] == ("view", "view")


# ---- the references --------------------------------------------------------------------------------------------------


def test_the_references_agree_with_brute_force_in_one_layout() -> None:
    for scene in scenes(5, 0.5, 1, by="tricks"):
        ending, (table,), weights = tables_of(scene)
        if scene.wish.few:
            continue
        side = brute.most(1 << scene.view.seat, 3)
        hands = scene.layouts[0][0]
        truth = brute.card_values(hands, ending.trump, scene.view.leader, scene.view.trick, *side)
        for card, tricks in truth.items():
            assert ending.by_fronts([table], weights, card) == tricks + table.taken
