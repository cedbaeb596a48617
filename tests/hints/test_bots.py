"""Bots by their names, what they may do, and lots."""

from __future__ import annotations

import doctest
import sys
from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.random_matches import match_of, played
from tierce.solver.cards import cards_of
from tierce.solver.errors import InputError
from tierce.solver.games import (
    Claim,
    DealCards,
    Discard,
    NameTrump,
    State,
    apply,
    automatic,
    legal,
    load_game,
    new_match,
    random_deal,
    view,
)
from tierce.solver.hints import bots
from tierce.solver.hints.bots import Bot, bot_of, bots_of, choices, seed_of

RAF = load_game("raf")


def naming() -> State:
    """The dealer of a first deal names the trump."""
    return apply(new_match(RAF), DealCards(random_deal(RAF, 1)))


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("hint,simple,simple", ("hint", "simple", "simple")),
        (" hint , simple,random ", ("hint", "simple", "random")),
        ("hint:tree,simple,mine.a:b", ("hint:tree", "simple", "mine.a:b")),
        ("hint:others=rules,no-infer,worlds=20,pimc", ("hint:others=rules,no-infer,worlds=20", "pimc")),
        ("hint:by=quota,hint:by=tricks, infer", ("hint:by=quota", "hint:by=tricks,infer")),
        ("hint:pimc,pimc,simple", ("hint:pimc", "pimc", "simple")),
        ("tree,hint", ("tree", "hint")),  # a setting of nobody is no bot, and is refused as such
        ("hint,worlds=3", ("hint", "worlds=3")),
        ("", ("",)),
    ],
)
def test_lists_of_names(text: str, names: tuple[str, ...]) -> None:
    assert bots_of(text) == names


SETTINGS = st.lists(st.sampled_from(["tree", "no-infer", "others=rules", "by=quota", "worlds=7"]), max_size=3)
NAMES = st.one_of(
    st.sampled_from(["random", "simple", "hint", "pimc", "mine.bots:best"]),
    st.tuples(st.sampled_from(["hint", "pimc"]), SETTINGS.filter(bool)).map(
        lambda each: f"{each[0]}:{','.join(each[1])}"
    ),
)


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_lists_go_round(names: list[str]) -> None:
    assert bots_of(",".join(names)) == tuple(names)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "expected a bot (random, simple, pimc, hint or package.module:function), found ''"),
        ("Random", "found 'Random'"),
        ("tree", "found 'tree'"),
        ("random:tree", "expected random without settings"),
        ("simple:worlds=3", "expected simple without settings"),
        ("random:", "found ''"),
        ("hint:", "found ''"),
        ("hint:deep", "found 'deep'"),
        ("hint:depth=3", "expected infer, no-infer, "),
        ("hint:method=best", "expected method = rule, pimc, "),
        ("hint:others=nice", "expected others = conspiring, "),
        ("hint:by=utility", "expected by = tricks, quota, twelve, found 'utility'"),
        ("hint:worlds=0", "expected worlds = a whole number above 0"),
        ("hint:worlds=2.5", "expected worlds = a whole number"),
        ("hint:worlds=1_0", "expected worlds = a whole number"),
        ("hint:seconds=nan", "expected seconds = a number"),
        ("hint:seconds=inf", "expected seconds = a number"),
        ("hint:seconds=-1", "expected seconds = a number"),
        ("hint:seconds=99999", "3600 at most"),
        ("hint:seconds=1,worlds=4", "expected seconds or worlds, found both, in the bot 'hint:seconds=1,worlds=4'"),
        ("pimc:others=rules", "expected others that go with the method pimc (conspiring), found rules, in the bot"),
        ("hint:tree,method=pimc", "expected method once"),
        ("hint:worlds=3,worlds=4", "expected worlds once"),
        ("tests.hints.nowhere:bot", "tests.hints.nowhere"),
        ("tests.hints.players:nobody", "nobody"),
        ("tests.hints.players:os", "to be a function"),
        ("tests/hints/players.py:lowest", "expected the name of a module"),
        ("tests.hints.players:sees_all", "marked as omniscient"),
    ],
)
def test_names_of_no_bot(name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        bot_of(name, worlds=1)
    assert said in caught.value.message
    assert (caught.value.code, caught.value.field) == ("bot", "bots")


def test_no_budget() -> None:
    with pytest.raises(InputError, match="expected seconds or worlds, found none, in the bot 'hint'"):
        bot_of("hint")
    assert bot_of("random").seconds is None


# ---- the hint's settings ---------------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a hint is asked: one that always names hearts stands in."""
    found: list[dict[str, Any]] = []

    def hint(view: object, **given: Any) -> SimpleNamespace:
        found.append(given)
        return SimpleNamespace(action=NameTrump(0, 1))

    module = ModuleType("tierce.solver.hints.hint")
    module.hint = hint  # type: ignore[attr-defined]
    module.HintSearch = lambda view, **given: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tierce.solver.hints.hint", module)
    return found


PLAIN = {"method": "pimc", "others": "conspiring", "infer": False}
BUDGET = {"seconds": 0.1, "worlds": None}


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("hint", BUDGET),
        ("hint:tree", BUDGET | {"method": "tree"}),
        ("hint:method=playouts, infer", BUDGET | {"method": "playouts", "infer": True}),
        ("hint:no-infer,others=rules,by=quota", BUDGET | {"infer": False, "others": "rules", "by": "quota"}),
        ("hint:worlds=20", {"worlds": 20}),
        ("hint:seconds=.5", {"seconds": 0.5}),
        ("pimc", PLAIN | BUDGET),
        ("pimc:infer,others=hint", PLAIN | BUDGET | {"infer": True, "others": "hint"}),
    ],
)
def test_settings(asked: list[dict[str, Any]], name: str, settings: dict[str, Any]) -> None:
    bot = bot_of(name, seconds=0.1)
    assert bot.act(view(naming(), 0), "a source") == NameTrump(0, 1)
    assert asked == [settings | {"seed": seed_of("a source")}]
    assert bot.seconds == settings.get("seconds")


def test_sources_are_seeds() -> None:
    seeds = [seed_of(f"deal {number}") for number in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 1 << 63 for seed in seeds)


# ---- what is open ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_choices_are_those_of_the_rules(seed: int) -> None:
    rng, profile = match_of(seed)
    kinds = set()
    for state, _, _ in played(rng, profile, deals=3):
        open_ = tuple(each for each in legal(state) if each.kind is not Claim)
        if automatic(state) is not None or state.phase == "DEAL":
            continue
        assert open_[0].seat is not None
        kinds.add(open_[0].kind)
        assert choices(view(state, open_[0].seat)) == open_
    assert len(kinds) > 1


# ---- lots ------------------------------------------------------------------------------------------------------------


def test_random_bots_choose_all_alike() -> None:
    seen, bot = view(naming(), 0), bot_of("random")
    found = Counter(bot.act(seen, f"{number}") for number in range(2000))
    assert set(found) == {NameTrump(0, trump) for trump in range(4)}
    chi = sum((count - 500) ** 2 / 500 for count in found.values())
    assert chi < 16.27  # 3 degrees of freedom, 0.1 %


def test_random_discards_are_of_all_cards_alike() -> None:
    state = apply(naming(), NameTrump(0, 2))
    seen, bot = view(state, 0), bot_of("random")
    found: Counter[int] = Counter()
    for number in range(2000):
        action = bot.act(seen, f"{number}")
        assert isinstance(action, Discard)
        assert action.cards.bit_count() == 4
        found.update(cards_of(action.cards))
    assert set(found) == set(cards_of(state.hands[0]))
    chi = sum((count - 500) ** 2 / 500 for count in found.values())
    assert chi < 37.7  # 15 degrees of freedom, 0.1 %; drawing without putting back spreads less


@pytest.mark.parametrize("name", ["random", "tests.hints.players:lots", "tests.hints.players:lowest", "simple"])
def test_the_same_source_the_same_action(name: str) -> None:
    one, two = bot_of(name), bot_of(name)
    seen = view(apply(naming(), NameTrump(0, 2)), 0)
    for number in range(20):
        assert one.act(seen, f"{number}") == two.act(seen, f"{number}")


def test_objects_are_bots() -> None:
    assert isinstance(bot_of("tests.hints.players:cards"), Bot)
    action = bot_of("tests.hints.players:cards").act(view(naming(), 0), "")
    assert action == NameTrump(0, 0)


def test_the_example() -> None:
    failed, attempted = doctest.testmod(bots)
    assert (failed, attempted > 0) == (0, True)
