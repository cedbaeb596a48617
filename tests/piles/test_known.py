"""Both piles known, against trying every line of play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.piles import plain
from tests.piles.scenes import KINDS, PROCEDURES, ending, judge
from tierce.solver.cards import NOTRUMP, Card
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.sumgait.cards import parse_cards, parse_hand
from tierce.solver.piles import (
    MISERE,
    POINTS,
    TEN,
    TRICKS,
    KnownResult,
    Objective,
    PileView,
    Stop,
    Way,
    objective,
    points,
    random_piles,
    solve_known,
)  # fmt: skip

LAST = points({"fail_price": "last", "marriage_on_fail": "kept"})
WISHES = (POINTS, LAST, TRICKS, TEN)
pytestmark = pytest.mark.small


def check(view: PileView, piles: Sequence[Sequence[Card]], wish: Objective) -> None:
    """Value, line and choices."""
    found = solve_known(view, piles, wish)
    best = max(wish.of(*end) for end in set(plain.all_ends(view, piles)))
    assert found.value == best, view
    assert follow(view, piles, found) == (found.tricks, found.declared, found.trump)
    assert wish.of(found.tricks, found.declared, found.trump) == found.value
    assert max(each.value for each in found.choices) == best
    if wish is TRICKS:
        assert found.line[0].way == next(each.way for each in found.choices if each.value == best)


def follow(view: PileView, piles: Sequence[Sequence[Card]], found: KnownResult) -> plain.Ending:
    """The end of a line, every card of it checked by the rules."""
    full = [[*([card] if card >= 0 else []), *pile] for card, pile in zip(view.turned, piles, strict=True)]
    hand, leader, trump, declared, tricks = view.hand, view.leader, view.trump, view.declared, view.tricks
    for at, trick in enumerate(found.line):
        own, x, y = trick.cards
        assert trick.leader == leader
        assert (x, y) == (full[0][at], full[1][at])
        table = {0: (), 1: (x, y), 2: (y,)}[leader]
        assert (own, trick.suit) in list(plain.ways(view, hand, table, leader))
        if trick.suit is not None:
            trump, declared = trick.suit, declared | 1 << trick.suit
        leader = plain.winner(view, leader, trick.cards, trump)
        assert leader == trick.winner
        tricks += leader == 0
        hand &= ~(1 << own)
    assert not hand
    return tricks, declared, trump


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_endings_of_up_to_five_tricks(procedure: str) -> None:
    rng = random.Random(procedure)
    for i in range(60):
        view = ending(
            rng, 1 + i % 5, kind=KINDS[i % 3], marriages=i // 5 % 3, leader=i // 4 % 3, table=i % 2 == 0,
            rules=judge(rng, procedure),
        )  # fmt: skip
        check(view, random_piles(view, 1, seed=i)[0], WISHES[i % 4])


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_endings_of_six_tricks(procedure: str) -> None:
    rng = random.Random(f"six {procedure}")
    for i in range(8):
        view = ending(rng, 6, kind=KINDS[i % 3], marriages=i % 4, leader=i % 3, rules=judge(rng, procedure))
        check(view, random_piles(view, 1, seed=i)[0], WISHES[i % 4])


def test_choices_are_what_each_way_still_reaches() -> None:
    rng = random.Random(5)
    for i in range(12):
        view = ending(rng, 4, marriages=2, leader=0)
        piles = random_piles(view, 1, seed=i)[0]
        for each in solve_known(view, piles, LAST).choices:
            assert each.value == best_after(view, piles, each.way), (view, each.way)


def best_after(view: PileView, piles: Sequence[Sequence[Card]], way: Way) -> float:
    """By playing the card and trying everything after it."""
    trump, declared = (view.trump, view.declared) if way.suit is None else (way.suit, view.declared | 1 << way.suit)
    cards = (way.card, piles[0][0], piles[1][0])
    leader = plain.winner(view, 0, cards, trump)
    rest = [pile[1:] for pile in piles]
    after = replace(
        view, hand=view.hand & ~(1 << way.card), free=sum(1 << card for pile in rest for card in pile), known=(0, 0),
        leader=leader, trump=trump, declared=declared, tricks=view.tricks + (leader == 0),
    )  # fmt: skip
    return max(LAST.of(*end) for end in set(plain.all_ends(after, rest)))


def test_fewest_tricks() -> None:
    rng = random.Random(6)
    fewest = objective("fewest", lambda tricks, suits: -tricks, few=True)
    for i in range(12):
        view = replace(ending(rng, 4, leader=i % 3), marriages=False, tricks=0)
        piles = random_piles(view, 1, seed=i)[0]
        check(view, piles, fewest)
        check(replace(view, trump=NOTRUMP, declared=0), piles, MISERE)


def test_four_marriages_and_all_tricks() -> None:
    """RULES 9.8: 280 + 190 + 200 + 210 + 220 = 1100. The first trick declares nothing."""
    hand = parse_hand("AKQJ.AKQJ.AKQJ.AKQJ.J1J2")
    low = [card for card in parse_cards("S2 H2 D2 C2 S3 H3 D3 C3 S4 H4 D4 C4 S5 H5 D5 C5 S6 H6")]
    high = [card for card in parse_cards("S8 H8 D8 C8 S9 H9 D9 C9 ST HT DT CT D6 C6 S7 H7 D7 C7")]
    view = PileView(hand, sum(1 << card for card in low + high))
    found = solve_known(view, (low, high))
    assert (found.value, found.tricks, found.declared) == (1100, 18, 15)
    assert found.line[0].suit is None
    assert all(each.way.suit is None for each in found.choices)


def test_ties_go_to_the_first_way() -> None:
    view = PileView(parse_hand("A2.A.."), parse_hand("..432.432"), tricks=9)
    found = solve_known(view, (parse_cards("D4 D3 D2"), parse_cards("C4 C3 C2")), TRICKS)
    assert [str(trick.way) for trick in found.line] == ["S2", "SA", "HA"]


@pytest.mark.parametrize(
    "piles",
    ["D4 D3 / C4 C3", "D4 D3 D2 / C4 C3 C3", "D4 D3 D2 / C4 C3 SA", "D4 D3 C4 / D2 C3 C2", "D4 D3 D2 C4 / C3 C2"],
)
def test_piles_that_do_not_fit_are_refused(piles: str) -> None:
    view = PileView(parse_hand("A2.A.."), parse_hand("..43.432"), (parse_hand("..2."), 0), tricks=9)
    two = [[parse_cards(word)[0] for word in pile.split()] for pile in piles.split("/")]
    with pytest.raises(InputError) as error:
        solve_known(view, two)
    assert error.value.field == "piles"


def test_stopped() -> None:
    view = ending(random.Random(1), 12)
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        solve_known(view, random_piles(view, 1)[0], stop=stop)
