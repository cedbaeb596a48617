"""The exact exchange decision against brute force over every parcel, swap, trump and discard, in small twins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import pytest

from tests.advice.exchanges import SHAPES, random_balances, random_small, small
from tests.advice.replies import (
    KINDS,
    ONE_TO_ONE,
    ONE_TO_TWO,
    TWO_TO_ONE,
    Brute,
    Parcels,
    exchange_of,
    sender,
    short_exchange,
    told,
    turns,
    worth_of_end,
)
from tests.advice.small_games import SWAP_GAME, TWINS, twin
from tierce.solver.advice.exchange import exchange_advice
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.advice.sending import count_ways
from tierce.solver.games import Profile, State, legal, load_game
from tierce.solver.games.options import OPTIONS

SMALL_TABLE: Final = 1
GAMES: Final = tuple(name for name in TWINS if name != "deputy")  # deputy has no exchange
FIRST_KITTY: Final = ("raf", "wiki_358", "woburn")
SETTINGS: Final = [(name, False) for name in GAMES] + [(name, True) for name in FIRST_KITTY]
BALANCES: Final = {"one to one": ONE_TO_ONE, "one to two": ONE_TO_TWO, "two to one": TWO_TO_ONE}


def values_of(name: str) -> Sequence[str]:
    """The values of an option."""
    values = OPTIONS[name].values
    assert not isinstance(values, range)
    return values


# ---- one decision, in every way it can be asked ----------------------------------------------------------------------


class Case:
    """A sender's decision, and what it is worth by brute force."""

    def __init__(self, rng: random.Random, state: State, kind: str) -> None:
        self.rng = rng
        self.state = state
        self.brute = Brute(state, kind)

    def run(self, **how: Any) -> ExchangeAdvice:
        threads = self.rng.choice((1, 1, 2))
        advice = exchange_advice(self.state, self.brute.kind, threads=threads, table_mb=SMALL_TABLE, **how)
        assert advice.complete and advice.stop == 0
        assert advice.total == len(self.brute.replies) and advice.sender == self.brute.sender
        assert [(each.sender, each.count) for each in advice.owed] == [
            (self.brute.sender, cards.bit_count()) for cards in next(iter(self.brute.replies))
        ]
        self.check_ways(advice)
        return advice

    def check(self) -> None:
        self.check_best()
        self.check_every()
        self.check_target()

    # what is asked

    def check_best(self) -> None:
        top = self.rng.choice((0, 1, 3, 1000))
        made = self.rng.choice([*self.brute.replies])
        advice = self.run(top=top, chosen=made)
        best = self.check_value(advice)
        assert [each.best_case is not None for each in advice.best] == [place < top for place in range(len(best))]
        chosen = advice.chosen
        assert chosen is not None and parcels(chosen) == made and chosen.complete
        assert chosen.tricks == told(self.brute.replies[made].value)
        assert advice.loss == pytest.approx(float(self.brute.best - self.brute.replies[made].value), abs=2e-4)
        if top:
            self.check_what_follows(advice)

    def check_every(self) -> None:
        advice = self.run(find="every", top=self.rng.choice((0, 2)))
        self.check_value(advice)
        assert advice.counted and len(advice.ways) == advice.total
        assert all(each.complete for each in advice.ways)
        values = [each.low for each in advice.ways]
        assert values == sorted(values, reverse=True)

    def check_target(self) -> None:
        values = [reply.value for reply in self.brute.replies.values()]
        beyond = max(values) + Fraction(1, 3)
        for target in {self.brute.best, min(values), self.rng.choice(values), beyond}:
            advice = self.run(target=told(target), top=self.rng.choice((0, 2)))
            expected = {way for way, reply in self.brute.replies.items() if told(reply.value) >= told(target)}
            assert keys(advice.best) == expected, told(target)
            assert advice.counted and advice.target == told(target) and advice.loss is None

    # what must hold of any answer

    def check_value(self, advice: ExchangeAdvice) -> set[Parcels]:
        best = keys(advice.best)
        assert advice.tricks == told(self.brute.best)
        assert advice.low == advice.high
        assert best == self.brute.reaching(self.brute.best)
        assert keys(advice.ways[: len(best)]) == best
        return best

    def check_ways(self, advice: ExchangeAdvice) -> None:
        keys([*advice.ways])
        for each in (*advice.ways, *advice.best, *([advice.chosen] if advice.chosen else [])):
            reply = self.brute.replies[parcels(each)]
            low, high = each.bounds
            assert low <= told(reply.value) <= high, parcels(each)
            assert each.way.state == self.brute.after[parcels(each)]
            if each.best_case is not None:
                assert each.worth.told(each.best_case) == told(reply.best_case), parcels(each)
            if each.dealer is not None:
                assert {each.dealer} == {dealers_score(advice, value) for value in reply.dealer}, parcels(each)

    def check_what_follows(self, advice: ExchangeAdvice) -> None:
        """The answer of a second sender, and the decision of a dealer who is the sender himself."""
        state = advice.best[0].way.state
        second = state.phase in ("EXCHANGE", "SEND")
        assert (advice.after is not None) == second
        if advice.after is not None:
            state = self.check_second(advice.after, state)
        swaps_first = state.phase == "SWAP" and not state.call and legal(state)[0].seat
        assert (advice.dealer is not None) == (not self.brute.sender and not swaps_first)
        if advice.dealer is not None:
            (value,) = {worth_of_end(end, 0, self.brute.kind, self.brute.extra) for end in self.brute.ends(state)}
            assert advice.dealer.complete and advice.dealer.kind == self.brute.kind
            assert max(call.tricks for call in advice.dealer.calls) == told(value)
            reply = self.brute.replies[parcels(advice.best[0])]
            assert reply.value <= value <= reply.best_case

    def check_second(self, after: ExchangeAdvice, state: State) -> State:
        """The state after the best of the second sender's ways that is listed first."""
        second = Brute(state, "floor", self.brute.goes_by[0])
        assert after.complete and after.sender == second.sender and after.kind == "floor"
        assert after.tricks == told(second.best) and keys(after.best) == second.reaching(second.best)
        return after.best[0].way.state


def parcels(way: WayAdvice) -> Parcels:
    return tuple(each.sent for each in way.way.sends)


def keys(ways: Sequence[WayAdvice]) -> set[Parcels]:
    found = {parcels(each) for each in ways}
    assert len(found) == len(ways)  # none twice
    return found


def dealers_score(advice: ExchangeAdvice, value: Fraction) -> Fraction:
    """The dealer's value as a score: three times the tricks of a share that he asks about himself."""
    return 3 * value if advice.sender == 0 and advice.kind == "share" else value


def check(seed: str, state: State, kind: str = "") -> None:
    rng = random.Random(seed)
    Case(rng, state, kind or rng.choice(KINDS[sender(state)])).check()


# ---- the games of the package ----------------------------------------------------------------------------------------


def check_game(name: str, first: bool, shape: str, number: int, hand: int = 5) -> None:
    seed = f"{name} {first} {shape} {hand} {number}"
    rng = random.Random(seed)
    profile = ruled(rng, twin(name, hand, kitty_first=first))
    check(seed, exchange_of(rng, profile, rng.choice(BALANCES[shape])))


def ruled(rng: random.Random, profile: Profile) -> Profile:
    """With the exchange's options at random."""
    names = ("return_rule", "rank_order", "exchange_order_two_down", "two_up_order", "split_return_order")
    given = {name: rng.choice(values_of(name)) for name in names if name in profile.defaults}
    return profile.with_options(given)


@pytest.mark.parametrize(("place", "name", "first"), [(place, *each) for place, each in enumerate(SETTINGS)])
def test_an_exchange(place: int, name: str, first: bool) -> None:
    check_game(name, first, [*BALANCES][place % 3], 0)


@pytest.mark.slow
@pytest.mark.parametrize("shape", BALANCES)
@pytest.mark.parametrize(("name", "first"), SETTINGS)
def test_many_exchanges(name: str, first: bool, shape: str) -> None:
    for number in range(16):
        check_game(name, first, shape, number)


@pytest.mark.slow
@pytest.mark.parametrize("shape", BALANCES)
@pytest.mark.parametrize(("name", "first"), [each for each in SETTINGS if load_game(each[0]).kitty])
def test_exchanges_with_hands_of_six(name: str, first: bool, shape: str) -> None:
    check_game(name, first, shape, 0, hand=6)


@pytest.mark.parametrize("ace", values_of("rank_order"))
@pytest.mark.parametrize("rule", values_of("return_rule"))
def test_every_return_rule(rule: str, ace: str) -> None:
    check_rule(rule, ace, ONE_TO_ONE, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ace", values_of("rank_order"))
@pytest.mark.parametrize("rule", values_of("return_rule"))
def test_every_return_rule_many_times(rule: str, ace: str) -> None:
    for number in range(8):
        for shape in BALANCES.values():
            check_rule(rule, ace, shape, number)


def check_rule(rule: str, ace: str, shape: Sequence[tuple[int, int, int]], number: int) -> None:
    seed = f"{rule} {ace} {shape} {number}"
    rng = random.Random(seed)
    profile = twin("raf").with_options({"return_rule": rule, "rank_order": ace})
    check(seed, exchange_of(rng, profile, rng.choice(shape)))


@pytest.mark.parametrize("order", values_of("exchange_order_two_down"))
@pytest.mark.parametrize("balances", ONE_TO_TWO)
def test_two_receivers(balances: tuple[int, int, int], order: str) -> None:
    check_order_of_receivers(balances, order, 0)


@pytest.mark.slow
@pytest.mark.parametrize("order", values_of("exchange_order_two_down"))
@pytest.mark.parametrize("balances", ONE_TO_TWO)
def test_two_receivers_many_times(balances: tuple[int, int, int], order: str) -> None:
    for number in range(8):
        check_order_of_receivers(balances, order, number, "every kind")


def check_order_of_receivers(balances: tuple[int, int, int], order: str, number: int, kinds: str = "") -> None:
    seed = f"{balances} {order} {number}"
    rng = random.Random(seed)
    state = exchange_of(rng, twin("raf").with_options({"exchange_order_two_down": order}), balances)
    for kind in KINDS[sender(state)] if kinds else [""]:
        check(f"{seed} {kind}", state, kind)


@pytest.mark.parametrize("balances", TWO_TO_ONE)
def test_two_senders(balances: tuple[int, int, int]) -> None:
    check("two senders", exchange_of(random.Random(str(balances)), twin("wiki_358"), balances))


@pytest.mark.slow
@pytest.mark.parametrize("balances", TWO_TO_ONE)
def test_two_senders_many_times(balances: tuple[int, int, int]) -> None:
    for number in range(8):
        state = exchange_of(random.Random(f"{balances} {number}"), twin("wiki_358"), balances)
        for kind in KINDS[sender(state)]:
            check(f"{balances} {kind} {number}", state, kind)


# ---- other moments and other games -----------------------------------------------------------------------------------


def check_turns(profile: Profile, seed: str, balances: tuple[int, int, int], ways: int) -> int:
    """Every moment of a random exchange at which a parcel is due; how many there were. `ways`: as many at most."""
    rng = random.Random(seed)
    met = 0
    for state in turns(rng, exchange_of(rng, profile, balances)):
        if count_ways(state) <= ways:
            check(f"{seed} {met}", state)
            met += 1
    return met


@pytest.mark.parametrize("name", ["raf", "six_three_eight", "nine_five_two_swap"])
def test_every_turn_of_an_exchange(name: str) -> None:
    check_two_turns(name, TWO_TO_ONE, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_turn_of_many_exchanges(name: str) -> None:
    for number in range(4):
        for shape in (ONE_TO_TWO, TWO_TO_ONE):
            check_two_turns(name, shape, number)


def check_two_turns(name: str, shape: Sequence[tuple[int, int, int]], number: int) -> None:
    seed = f"turns {name} {number}"
    rng = random.Random(seed)
    assert check_turns(ruled(rng, twin(name)), seed, rng.choice(shape), 100) == 2


@pytest.mark.parametrize("shape", SHAPES)
def test_other_orders_of_phases(shape: str) -> None:
    assert any([check_order(shape, number) for number in range(2)])


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_other_orders_of_phases_many_times(shape: str) -> None:
    assert sum(check_order(shape, number) for number in range(2, 25)) > 12


def check_order(shape: str, number: int) -> int:
    """A small game with these phases, a large kitty among them, and every turn of an exchange in it."""
    rng = random.Random(f"order {shape} {number}")
    hand, ranks = rng.choice([(4, 4), (5, 4)] if "kitty" in shape or shape == "swap" else [(5, 4), (4, 3)])
    profile = ruled(rng, small(shape, ranks, hand, (hand - 1, 1, 0), **order_options(shape)))
    if number % 2:
        profile = random_small(rng, ranks, hand, (shape,))
    return check_turns(profile, f"order {shape} {number}", random_balances(rng, 2), 250)


def order_options(shape: str) -> dict[str, str]:
    if shape in ("swap", "at_once", "at_once_kitty"):
        return {"split_return_order": "current_quota"}
    return {"exchange_order_two_down": "simultaneous", "two_up_order": "current_quota"}


# ---- the two of diamonds and the up-card -----------------------------------------------------------------------------


@pytest.mark.parametrize("when", values_of("swap_time"))
@pytest.mark.parametrize("holder", [0, 1, 2, None], ids=["D", "E", "M", "nobody"])
def test_an_exchange_with_an_up_card(holder: int | None, when: str) -> None:
    check_swap(holder, when, ONE_TO_ONE if holder == 1 else TWO_TO_ONE, 0)


@pytest.mark.slow
@pytest.mark.parametrize("when", values_of("swap_time"))
@pytest.mark.parametrize("holder", range(3), ids="DEM")
def test_many_exchanges_with_an_up_card(holder: int, when: str) -> None:
    for number in range(8):
        for shape in BALANCES.values():
            check_swap(holder, when, shape, number, 4 + number % 2)


def check_swap(
    holder: int | None, when: str, shape: Sequence[tuple[int, int, int]], number: int, size: int = 4
) -> None:
    """The game needs a whole pack, the state of its match does not: hands of a few cards and any up-card."""
    seed = f"swap {holder} {when} {number} {shape}"
    rng = random.Random(seed)
    state = short_exchange(rng, load_game(SWAP_GAME, {"swap_time": when}), rng.choice(shape), size, holder)
    check(seed, state)
