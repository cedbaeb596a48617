"""Built-in strategies against what they say, and those of users: how they are found, asked, and fail."""

from __future__ import annotations

import doctest
import random
from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from tests.batch.support import exchange_study, rows_of
from tierce.solver.advice.quick import reply_quickly
from tierce.solver.advice.sending import due, exchange_of_deal
from tierce.solver.batch import strategies
from tierce.solver.batch.dealer_rules import quick
from tierce.solver.batch.playing import Fault, exchanged, replied
from tierce.solver.batch.strategies import DEALING, SENDING, Strategy, discards_now, load_strategy, omniscient
from tierce.solver.cards import card_names, cards_of, mask_of, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import DealCards, State, View, apply, load_game, new_match, random_deal, settle, view

RAF = load_game("raf")
HAND = "K7.AQ952.T63.AJ9842"


def begin(previous: tuple[int, int, int] = (12, 3, 1), number: int = 0, name: str = "raf") -> State:
    return exchange_of_deal(load_game(name, {"end": "sixteen"}), random_deal(RAF, 3, number), previous)


def parcels_of(name: str, state: State, seat: int = 2) -> list[str]:
    found = load_strategy(name, SENDING).ask(state, seat, "test", due(state))
    return [card_names(parcel) for parcel in found]


def with_middle(hand: str) -> State:
    """Middle, who sends two cards to each, holds this."""
    middle = parse_hand(hand)
    rest = [card for card in cards_of(RAF.pack & ~middle)]
    deal = Deal((mask_of(rest[:16]), mask_of(rest[16:32]), middle), mask_of(rest[32:]))
    return exchange_of_deal(load_game("raf", {"end": "sixteen"}), deal, (12, 3, 1))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lowest", ["H2 C2", "D3 C4"]),
        ("short-suit", ["SK S7", "D6 D3"]),
        ("keep-long", ["H2 D3", "H5 D6"]),
        ("spread", ["H2 C2", "S7 D3"]),
    ],
)
def test_rules_of_thumb(name: str, expected: list[str]) -> None:
    assert parcels_of(name, with_middle(HAND)) == expected


def test_random_parcels_are_settled_by_the_deal_and_the_seed() -> None:
    study = exchange_study(strategies=("random",))
    first = [row["sent"] for row in rows_of(study)]
    assert first == [row["sent"] for row in rows_of(study)]
    assert len(set(first)) > 6
    assert first != [row["sent"] for row in rows_of(exchange_study(strategies=("random",), seed=6))]


@pytest.mark.parametrize("name", ["raf", "nine_five_two", "six_three_eight", "nine_five_three_one_card"])
def test_quick_is_the_quick_rule(name: str) -> None:
    profile = load_game(name)
    for number in range(20):
        start = settle(apply(new_match(profile), DealCards(random_deal(profile, 1, number))))
        mine, theirs = replied(start, load_strategy("quick", DEALING), "test"), reply_quickly(start)
        assert (mine.hands, mine.trump, mine.discard) == (theirs.hands, theirs.trump, theirs.discard)


def test_longest() -> None:
    hand = parse_hand("AKQ.2.765432.AKQJT9")
    rest = cards_of(RAF.pack & ~hand)
    deal = Deal((hand, mask_of(rest[:16]), mask_of(rest[16:32])), mask_of(rest[32:]))
    start = apply(new_match(RAF), DealCards(deal))
    trump, discard = load_strategy("longest", DEALING).ask(start, 0, "test")
    assert (trump, card_names(discard)) == (3, "SA SK SQ H2")


@pytest.mark.parametrize(("name", "counts"), [("raf", [4]), ("nine_five_two", [0, 4]), ("six_three_eight", [0])])
def test_discards_now(name: str, counts: list[int]) -> None:
    """How many cards go is told at the trump, and again where it is asked again."""
    seen: list[int] = []

    def asked(view: View) -> tuple[int, int]:
        seen.append(discards_now(view))
        return 0, mask_of(cards_of(view.hand)[-seen[-1] :] if seen[-1] else ())

    profile = load_game(name)
    start = settle(apply(new_match(profile), DealCards(random_deal(profile, 1))))
    assert replied(start, Strategy("asked", asked), "test").phase == "PLAY"
    assert seen == counts


# ---- what a strategy sees --------------------------------------------------------------------------------------------


def test_a_strategy_sees_its_view_and_no_more() -> None:
    seen: list[Any] = []

    def mine(view: View, due: Any) -> list[int]:
        seen.append((view, due))
        return [mask_of(cards_of(view.hand)[2 * at : 2 * at + 2]) for at in range(len(due))]

    state = begin()
    exchanged(state, 2, Strategy("mine", mine), load_strategy("lowest", SENDING), "test")
    assert seen == [(view(state, 2), due(state))]


def test_one_who_serves_one_after_the_other_sees_what_came_back() -> None:
    seen: list[Any] = []

    def mine(view: View, due: Any) -> int:
        seen.append((view, due))
        return mask_of(cards_of(view.hand)[: due[0].count])

    end = exchanged(begin(name="wiki_358"), 2, Strategy("mine", mine), load_strategy("lowest", SENDING), "test")
    (first, one), (second, two) = seen
    assert [len(one), len(two)] == [1, 1]
    back = next(each for each in second.transfers if each.receiver == one[0].receiver)
    assert back.returned and back.returned & second.hand == back.returned
    assert end.phase == "TRUMP" and first.hand != second.hand


def test_omniscient_and_random_strategies() -> None:
    seen: list[Any] = []

    @omniscient
    def mine(state: State, due: Any, rng: random.Random) -> list[int]:
        seen.append((state, rng.random()))
        return [mask_of(cards_of(state.hands[2])[2 * at : 2 * at + 2]) for at in range(len(due))]

    strategy = Strategy("mine", mine, omniscient=True, draws=True)
    for source in ("one", "one", "two"):
        exchanged(begin(), 2, strategy, strategy, source)
    assert seen[0] == seen[1] and seen[0][0] == begin() and seen[0][1] != seen[2][1]


def test_another_sender_does_as_others_say() -> None:
    asked: list[str] = []

    def named(name: str) -> Strategy:
        def rule(view: View, due: Any) -> list[int]:
            asked.append(f"{name} {view.seat}")
            return [mask_of(cards_of(view.hand)[: due[0].count])]

        return Strategy(name, rule)

    state = begin(previous=(9, 6, 1))
    assert {each.sender for each in state.transfers} == {0, 2}
    exchanged(state, 2, named("mine"), named("other"), "test")
    assert sorted(asked) == ["mine 2", "other 0"]


# ---- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda view, due: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda view, due: None, "expected 2 masks of cards, one for each parcel, found None"),
        (lambda view, due: 3, "found 3"),
        (lambda view, due: [0, 0], "expected"),
        (lambda view, due: ["S2", "S3"], "expected cards as a mask"),
        (lambda view, due: [RAF.pack & ~view.hand] * 2, "expected"),
        (lambda view, due: [mask_of(cards_of(view.hand)[:2])] * 2, "expected"),
        (lambda view: [0, 0], "TypeError"),
    ],
)
def test_what_a_sender_does_wrong(answer: Callable[..., Any], expected: str) -> None:
    with pytest.raises(Fault) as caught:
        exchanged(begin(), 2, Strategy("mine", answer), load_strategy("lowest", SENDING), "test")
    assert str(caught.value).startswith("mine: ") and expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda view: 1, "expected a trump and a mask of cards, found 1"),
        (lambda view: (4, 0), "expected"),
        (lambda view: ("S", 0), "expected"),
        (lambda view: (0, 1), "expected"),
        (lambda view: (0, view.unseen), "expected"),
        (lambda view: (0, 0), "expected"),
        (lambda view: (True, quick(view)[1]), "expected a trump from 0 to 3, found True"),
        (lambda view: (*quick(view), 1), "expected True or False, whether to take the up-card, found 1"),
        (lambda view: (*quick(view), None), "expected True or False, whether to take the up-card, found None"),
    ],
)
def test_what_a_dealer_does_wrong(answer: Callable[..., Any], expected: str) -> None:
    start = apply(new_match(RAF), DealCards(random_deal(RAF, 1)))
    with pytest.raises(Fault, match=f"mine: .*{expected}"):
        replied(start, Strategy("mine", answer), "test")


class Speechless(Exception):
    """Its text cannot be had."""

    def __str__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (GeneratorExit(), "GeneratorExit"),
        (Speechless(), "Speechless, whose text cannot be had"),
        (InputError("mine", 3), "3"),  # type: ignore[arg-type]
        (BaseException("two\nlines" * 100), "BaseException: two linestwo"),
    ],
)
def test_whatever_a_strategy_raises_is_a_fault(error: BaseException, expected: str) -> None:
    def sends(view: View, due: Any) -> Any:
        raise error

    with pytest.raises(Fault) as caught:
        exchanged(begin(), 2, Strategy("mine", sends), load_strategy("lowest", SENDING), "test")
    said = str(caught.value)
    assert said.startswith(f"mine: {expected}") and len(said) < 400 and "\n" not in said
    assert said.endswith(f" (test_strategies.py line {sends.__code__.co_firstlineno + 1})")


def test_where_a_fault_is_raised() -> None:
    """The innermost line of the strategy's own file, though another file raised it; nowhere for what the rules say."""

    def inner(hand: Any) -> Any:
        return parse_hand(hand)

    def sends(view: View, due: Any) -> Any:
        return inner("nonsense")

    for strategy, line in [(sends, inner.__code__.co_firstlineno + 1), (lambda view, due: 3, None)]:
        with pytest.raises(Fault) as caught:
            exchanged(begin(), 2, Strategy("mine", strategy), load_strategy("lowest", SENDING), "test")
        assert ("test_strategies.py" in str(caught.value)) == (line is not None)
        assert line is None or str(caught.value).endswith(f"(test_strategies.py line {line})")


def test_an_interruption_is_no_fault() -> None:
    def sends(view: View, due: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exchanged(begin(), 2, Strategy("mine", sends), load_strategy("lowest", SENDING), "test")


# ---- how they are found ----------------------------------------------------------------------------------------------


def test_the_examples_of_the_documentation() -> None:
    found = doctest.testmod(strategies)
    assert found.attempted > 5 and not found.failed


def test_by_dotted_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_rules.py").write_text(
        "class Rules:\n    @staticmethod\n    def mine(view, due, rng): return []\nthing = 3\n", encoding="utf-8"
    )
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    (tmp_path / "lacking.py").write_text("import not_there\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = load_strategy("my_rules:Rules.mine", SENDING)
    assert (found.name, found.omniscient, found.draws) == ("my_rules:Rules.mine", False, True)
    for name, expected in [
        ("my_rules:thing", "to be a function, found 3"),
        ("my_rules:other", "AttributeError"),
        ("no_such_module:mine", f"expected a module 'no_such_module' in {tmp_path}, .*, found none"),
        ("my_rules.inner:mine", "expected a function 'my_rules.inner:mine' to import, found ModuleNotFoundError"),
        ("my_rules.py:mine", "expected the name of a module, such as 'my_rules:mine', found 'my_rules.py:mine'"),
        ("./pack/rules.py:mine", "such as 'pack.rules:mine', found './pack/rules.py:mine'"),
        ("leaving:mine", "expected a function 'leaving:mine' to import, found SystemExit: 3"),
        ("lacking:mine", "found ModuleNotFoundError: No module named 'not_there'"),
        (":mine", "ValueError"),
        ("highest", "expected one of exact, keep-long, lowest, random, short-suit, spread, or package.module:function"),
    ]:
        with pytest.raises(InputError, match=expected) as caught:
            load_strategy(name, SENDING)
        assert (caught.value.code, caught.value.field) == ("strategy", "strategy")


def test_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def points(**wanted: Any) -> EntryPoints:
        known = EntryPoints(
            [
                EntryPoint("high-suit", "operator:add", SENDING),
                EntryPoint("broken", "operator:nothing", SENDING),
                EntryPoint("twice", "operator:add", SENDING),
                EntryPoint("twice", "operator:sub", SENDING),
            ]
        )
        return known.select(**wanted)

    monkeypatch.setattr("importlib.metadata.entry_points", points)
    assert load_strategy("high-suit", SENDING).name == "high-suit"
    for name, expected in [("broken", "to load, found AttributeError"), ("twice", "'twice' more than once")]:
        with pytest.raises(InputError, match=expected):
            load_strategy(name, SENDING)
    with pytest.raises(InputError):
        load_strategy("high-suit", DEALING)


def test_the_exact_ones_are_marked() -> None:
    assert [load_strategy("exact", group).omniscient for group in (SENDING, DEALING)] == [True, True]
    assert not load_strategy("lowest", SENDING).omniscient
