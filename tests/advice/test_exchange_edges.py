"""The exact exchange decision at its edges: threads, limits, interruptions, merged discards, refusals; whole deals."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any, Final

import pytest

from tests.advice.replies import ONE_TO_TWO, TWO_TO_ONE, Brute, exchange_of, told, worth_of_end
from tests.advice.small_games import Hands, random_small_deal, tricks, twin
from tests.advice.test_exchange_brute import keys, parcels
from tests.games.scenes import after_results, go, refusal, second_deal
from tierce.solver import Limits, Position, solve
from tierce.solver.advice.choices import Choice, DealerChoices, Discards, choices_of_deal, choices_of_state
from tierce.solver.advice.dealer import dealer_advice
from tierce.solver.advice.exchange import FIRST_WAVE, ExchangeSearch, exchange_advice
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.advice.leaves import Leaf, shape_of
from tierce.solver.advice.sending import exchange_of_deal, sent
from tierce.solver.cards import LANE, Mask, bit, cards_of, mask_of
from tierce.solver.deal import Deal
from tierce.solver.games import Call, DealCards, State, apply, legal, load_game, random_deal, settle
from tierce.solver.games.profile import profile_of_table
from tierce.solver.search import STOP_CANCELLED, STOP_TIME

SOON: Final = 1.0  # seconds: far more than is promised, and far less than the search would take
LONG: Final = 3  # a deal whose exchange takes ten seconds or more
SHORT: Final = 7  # one of some seconds


@cache
def whole(number: int) -> State:
    """The exchange of a whole deal: middle sends a card to each of the others."""
    profile = load_game("raf")
    return exchange_of_deal(profile, random_deal(profile, 1, number), (10, 4, 2))


def small(seed: str, balances: tuple[int, int, int] = (-1, -1, 2), name: str = "raf", hand: int = 5) -> State:
    return exchange_of(random.Random(seed), twin(name, hand), balances)


# ---- threads ---------------------------------------------------------------------------------------------------------


def shown(advice: ExchangeAdvice) -> Any:
    """All that is said, but how much work it was."""
    return without_work(json.loads(json.dumps(advice.json(None))))


def without_work(found: Any) -> Any:
    if isinstance(found, list):
        return [without_work(each) for each in found]
    if isinstance(found, dict):
        return {key: without_work(each) for key, each in found.items() if key not in ("nodes", "millis")}
    return found


def check_threads(state: State, **how: Any) -> None:
    alone, more = (exchange_advice(state, threads=threads, **how) for threads in (1, 3))
    assert alone.complete and shown(alone) == shown(more)
    assert [(parcels(each), each.bounds) for each in alone.ways] == [(parcels(each), each.bounds) for each in more.ways]


@pytest.mark.parametrize("balances", [*ONE_TO_TWO, *TWO_TO_ONE])
def test_any_number_of_threads_says_the_same(balances: tuple[int, int, int]) -> None:
    state = small(f"threads {balances}", balances, "wiki_358", 6)
    for kind in ("floor", "share"):
        check_threads(state, value=kind, table_mb=3)
    check_threads(state, target=1, table_mb=3)


@pytest.mark.slow
@pytest.mark.parametrize("find", ["best", "every"])
def test_any_number_of_threads_says_the_same_of_a_whole_deal(find: Any) -> None:
    check_threads(whole(SHORT), find=find)


# ---- limits and interruptions ----------------------------------------------------------------------------------------


def check_bounds(advice: ExchangeAdvice, values: dict[Any, float]) -> None:
    """What is told does not contradict the values of the ways."""
    assert advice.worth.told(advice.low) <= max(values.values()) <= advice.worth.told(advice.high)
    for each in (*advice.ways, *advice.best, *([advice.chosen] if advice.chosen else [])):
        low, high = each.bounds
        assert low <= values[parcels(each)] <= high
    assert len(keys(advice.ways)) <= advice.total
    assert json.loads(json.dumps(advice.json(None)))["complete"] is advice.complete


@pytest.mark.parametrize("balances", [(-1, -1, 2), (1, 1, -2)])
def test_bounds_at_a_limit(balances: tuple[int, int, int]) -> None:
    state = small(f"limit {balances}", balances)
    for kind in ("floor", "share"):
        values = {way: told(reply.value) for way, reply in Brute(state, kind).replies.items()}
        made = next(iter(values))
        for timeout in (1e-9, 0.0005, 0.002, 0.006):
            for how in ({}, {"find": "every"}, {"target": 2}):
                limits = Limits(timeout)
                advice = exchange_advice(state, kind, limits=limits, chosen=made, threads=2, table_mb=1, **how)
                check_bounds(advice, values)
                assert (advice.stop == STOP_TIME) is not advice.complete
                assert timeout > 1e-9 or not advice.complete


@pytest.mark.parametrize("threads", [1, 2])
def test_a_timeout_comes_in_time(threads: int) -> None:
    for timeout in (0.01, 0.3):
        began = time.monotonic()
        advice = exchange_advice(whole(LONG), limits=Limits(timeout), threads=threads)
        assert time.monotonic() - began < timeout + SOON
        assert advice.stop == STOP_TIME and not advice.complete and advice.low < advice.high
        assert advice.loss is None and advice.dealer is None and advice.after is None


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_from_another_thread(threads: int) -> None:
    search, at = ExchangeSearch(whole(LONG), threads=threads), list[float]()

    def cancel() -> None:
        at.append(time.monotonic())
        search.cancel()

    before = threading.active_count()
    timer = threading.Timer(0.3, cancel)
    timer.start()
    advice = search.run()
    assert time.monotonic() - at[0] < SOON
    timer.join()
    assert threading.active_count() == before
    assert advice.stop == STOP_CANCELLED and not advice.complete and advice.nodes > 0
    assert 0 <= search.done < 1


def test_a_wave_that_was_cut_short_is_not_done() -> None:
    """Stopped in the first wave: none of its ways is judged to its end."""
    search = ExchangeSearch(small("cut short"))
    advice = search.run(search.cancel, every=0.0)
    assert advice.stop == STOP_CANCELLED and not advice.complete and search.done < FIRST_WAVE / search.total
    whole_ = ExchangeSearch(small("cut short"))
    assert whole_.run().complete and whole_.done == 1


def test_cancelled_before_it_begins() -> None:
    search = ExchangeSearch(whole(LONG))
    search.cancel()
    advice = search.run()
    assert advice.stop == STOP_CANCELLED and not advice.complete and advice.nodes == 0


class Enough(Exception): ...


@pytest.mark.parametrize("error", [Enough, KeyboardInterrupt, SystemExit])
def test_what_a_watcher_raises_comes_through(error: type[BaseException]) -> None:
    search, raised, before = ExchangeSearch(whole(LONG), threads=2), list[float](), threading.active_count()
    calls = iter(range(10))

    def watch() -> None:
        if next(calls) == 9:
            raised.append(time.monotonic())
            raise error

    with pytest.raises(error):
        search.run(watch, 0.02)
    assert time.monotonic() - raised[0] < SOON
    assert threading.active_count() == before
    advice = search.advice
    assert advice.stop == STOP_CANCELLED and not advice.complete and advice.nodes > 0 and advice.millis > 0
    assert json.loads(json.dumps(advice.json()))["complete"] is False


@pytest.mark.parametrize("balances", [(-1, -1, 2), (1, 1, -2)])
def test_an_interrupt_at_any_moment_leaves_true_bounds(balances: tuple[int, int, int]) -> None:
    """The searches of the second sender and of the dealer that follow among them."""
    state = small(f"interrupt {balances}", balances)
    values = {way: told(reply.value) for way, reply in Brute(state, "floor").replies.items()}
    at, ended = 0, 0
    while not ended:
        search = ExchangeSearch(state, threads=1, table_mb=1)
        calls = iter(range(at, -1, -1))

        def watch(calls: Iterator[int] = calls) -> None:
            if next(calls, 1) == 0:
                raise KeyboardInterrupt

        try:
            advice = search.run(watch, 1e-4)
            ended = advice.complete
        except KeyboardInterrupt:
            advice = search.advice
        check_bounds(advice, values)
        at += 1 + at // 4
    assert at > 5


def test_all_is_done_at_the_end() -> None:
    for balances in ((-1, -1, 2), (1, 1, -2)):
        search = ExchangeSearch(small(f"done {balances}", balances), table_mb=1)
        assert search.done == 0
        assert search.run().complete and search.done == 1


# ---- where it once went wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["floor", "share", "ceiling", "pair:EM"])
@pytest.mark.parametrize("target", [0, -1, -1000])
def test_a_target_that_every_way_reaches(kind: str, target: int) -> None:
    for number in range(4):
        advice = exchange_advice(small(f"target {number}"), kind, target=target, table_mb=1)
        assert advice.complete and len(advice.best) == 20


@pytest.mark.parametrize("target", [6, 1000])
def test_a_target_that_no_way_reaches(target: int) -> None:
    advice = exchange_advice(small("target"), target=target, table_mb=1)
    assert advice.complete and not advice.best and advice.counted


@pytest.mark.parametrize(("number", "kind"), [(6, "pair:DE"), (58, "share"), (58, "ceiling")])
def test_the_second_sender_answers_a_dealer_who_goes_by_another_value(number: int, kind: str) -> None:
    """Where the dealer sends first and asks about his share, he goes by it later, too; so the answer to him, and what
    he then has, are within what his parcel is worth."""
    state = exchange_of(random.Random(number), twin("wiki_358"), (1, 1, -2))
    brute = Brute(state, kind)
    advice = exchange_advice(state, kind, table_mb=1)
    first = advice.best[0]
    second = Brute(first.way.state, "floor", kind)
    assert advice.after and keys(advice.after.best) == second.reaching(second.best)
    (value,) = {worth_of_end(end, 0, kind, 0) for end in brute.ends(advice.after.best[0].way.state)}
    reply = brute.replies[parcels(first)]
    assert advice.dealer and told(value) == max(call.tricks for call in advice.dealer.calls)
    assert reply.value <= value <= reply.best_case


# ---- discards that are the same to all -------------------------------------------------------------------------------


def owners(hands: Hands) -> tuple[tuple[int, ...], ...]:
    """In each suit from its highest card down, who holds it: all that the play depends on."""
    return tuple(
        tuple(
            next(seat for seat in range(3) if hands[seat] >> card & 1)
            for card in range(16 * suit + 12, 16 * suit - 1, -1)
            if (hands[0] | hands[1] | hands[2]) >> card & 1
        )
        for suit in range(4)
    )


def random_discards(rng: random.Random, size: int, out: int, ranks: int) -> Discards:
    """Random hands; the discard is taken from all of the dealer's cards, or but those of his kitty."""
    pack = [16 * suit + 12 - rank for suit in range(4) for rank in range(ranks)]
    rng.shuffle(pack)
    d, e, m = (
        mask_of(pack[at : at + count]) for at, count in ((0, size + out), (size + out, size), (2 * size + out, size))
    )
    pool = d if rng.random() < 0.5 else d & ~mask_of(pack[:out])
    return Discards((d, e, m), pool, out)


@pytest.mark.parametrize(("size", "count"), [(4, 20), (8, 20), (16, 4)])
def test_merged_discards_leave_all_that_discards_can_leave(size: int, count: int) -> None:
    for number in range(count):
        out = random.Random(f"{size} {number}").choice((1, 2, 3, 4))
        ranks = -(-(3 * size + out) // 4)
        lays = random_discards(random.Random(f"merged {size} {number}"), size, out, ranks)
        choices = DealerChoices(load_game("raf"), tuple("SHDC"), lays, lays.pool, out, (8, 5, 3))
        d, e, m = lays.hands
        every = {owners((d & ~mask_of(cards), e, m)) for cards in combinations(cards_of(lays.pool), out)}
        leaf = Leaf(choices, 0, size)
        options = [option for each in leaf.options.values() for option in each]
        assert all(len(option) == 1 for option in options)
        assert {owners(hands) for ((hands),) in options} == every
        assert len(options) == len(every)
        for (hand, *others), in options:  # fmt: skip
            assert others == [e, m] and not hand & ~d and not (d & ~hand) & ~lays.pool
            assert (d & ~hand).bit_count() == out
        for shape, same in leaf.options.items():
            assert {lengths(option[0][0]) for option in same} == {shape} == {shape_of(same[0][0][0])}


def lengths(hand: Mask) -> tuple[int, ...]:
    return tuple((hand >> 16 * suit & LANE).bit_count() for suit in range(4))


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("name", ["raf", "nine_five_two"])
def test_the_best_of_merged_discards_is_the_best_of_all(name: str, first: bool) -> None:
    profile = twin(name, kitty_first=first) if name == "raf" else twin(name)
    for number in range(4):
        choices = choices_of_deal(profile, random_small_deal(f"merged {name} {first} {number}", profile))
        leaf = Leaf(choices, 0, profile.hand)
        advice = dealer_advice(choices, table_mb=1)
        for trump, call in enumerate(advice.calls):
            options = [option for each in leaf.options.values() for option in each]
            assert call.tricks == max(tricks(option[0], trump, 1) for option in options)


# ---- refusals --------------------------------------------------------------------------------------------------------


def check_refusal(do: Callable[[], object], code: str, field: str, *words: str) -> None:
    found_code, found_field, message = refusal(do)
    assert (found_code, found_field) == (code, field), message
    assert message.startswith("expected ") and " found " in message
    for word in words:
        assert word in message


@pytest.mark.parametrize("value", ["cap", "side", "FLOOR", "pair:DE", "pair:MD", "", None, 5])
def test_refuses_values_that_the_sender_does_not_have(value: Any) -> None:
    check_refusal(lambda: ExchangeSearch(second_deal(twin("raf"), (-1, -1, 2)), value), "value", "value", "pair:EM")


@pytest.mark.parametrize(
    ("given", "field", "word"),
    [
        ({"find": "one"}, "find", "'every'"),
        ({"find": None}, "find", "'every'"),
        ({"target": "9"}, "target", "a number of tricks"),
        ({"target": True}, "target", "a number of tricks"),
        ({"target": float("nan")}, "target", "a number of tricks"),
        ({"target": float("inf")}, "target", "a number of tricks"),
        ({"threads": 0}, "threads", "from 1 to 16"),
        ({"threads": 17}, "threads", "from 1 to 16"),
        ({"top": -1}, "top", "from 0"),
        ({"table_mb": 0}, "table_mb", "0"),
    ],
)
def test_refuses_other_arguments(given: dict[str, Any], field: str, word: str) -> None:
    check_refusal(lambda: ExchangeSearch(second_deal(twin("raf"), (-1, -1, 2)), **given), field, field, word)


def test_refuses_parcels_that_cannot_have_been_chosen() -> None:
    state = second_deal(twin("raf"), (-1, -1, 2))
    own, other = (bit(card) for card in cards_of(state.hands[2])[:2])
    strange = bit(cards_of(state.hands[0])[0])
    for chosen, code in (
        ((own,), "parcel"),
        ((own, own), "not_held"),
        ((own, strange), "not_held"),
        ((own | other, other), "parcel_size"),
        (("SA", "SK"), "parcel"),
        (5, "parcel"),
    ):
        assert refusal(lambda: ExchangeSearch(state, chosen=chosen))[0] == code  # type: ignore[arg-type]  # noqa: B023


def test_refuses_moments_without_a_parcel() -> None:
    state = go(second_deal(twin("raf"), (1, -1, 0)), "TRUMP")
    check_refusal(lambda: ExchangeSearch(state), "not_due", "exchange", "TRUMP")


# ---- whole deals -----------------------------------------------------------------------------------------------------


@cache
def every_value(number: int) -> ExchangeAdvice:
    return exchange_advice(whole(number), find="every")


@pytest.mark.slow
def test_the_best_of_a_whole_deal() -> None:
    every, best = every_value(SHORT), exchange_advice(whole(SHORT), threads=2)
    assert every.complete and best.complete and every.total == 240
    assert best.tricks == every.tricks and keys(best.best) == keys(every.best)
    check_bounds(best, {parcels(each): each.tricks for each in every.ways})


@pytest.mark.slow
@pytest.mark.parametrize("timeout", [0.5, 1.5, 4])
def test_bounds_of_a_whole_deal_at_a_limit(timeout: float) -> None:
    values = {parcels(each): each.tricks for each in every_value(SHORT).ways}
    check_bounds(exchange_advice(whole(SHORT), limits=Limits(timeout), threads=2), values)


@pytest.mark.slow
@pytest.mark.parametrize("sample", range(6))
@pytest.mark.parametrize("number", [LONG, SHORT])
def test_parcels_of_a_whole_deal(number: int, sample: int) -> None:
    """Against the dealer's decision after the parcels: his best discards of his best trumps, and the sender's floor
    after each of them."""
    advice = every_value(number)
    told_of: WayAdvice = random.Random(f"{number} {sample}").choice(advice.best[:10] if sample < 3 else advice.ways)
    state = sent(whole(number), parcels(told_of)).state
    dealer = dealer_advice(choices_of_state(state), threads=2)
    best = max(call.tricks for call in dealer.calls)
    floors = {
        solve(Position.start(played(state, choice), "SHDC".index(call.call)), "M").tricks
        for call in dealer.calls
        if call.tricks == best
        for choice in call.choices
    }
    assert told_of.tricks == min(floors) and told_of.dealer == best
    assert told_of.best_case in (None, max(floors)) and (sample >= 3 or told_of.best_case is not None)


def played(state: State, choice: Choice) -> Deal:
    """The deal after a discard: the kitty is taken up for it."""
    d, e, m = state.hands
    return Deal((d & ~choice.discard | state.kitty, e, m))


# ---- games of one's own ----------------------------------------------------------------------------------------------


def own(phases: list[str], calls: tuple[str, ...] = ()) -> State:
    """The second deal of a small game with these phases, where its parcels are due."""
    table = {
        "id": "own", "name": "Own", "about": "", "ranks": 4, "hand": 5, "kitty": 1, "quotas": [3, 2, 0],
        "phases": phases, "score": "total", "options": {"end": "total", "goal": 9},
    }  # fmt: skip
    if calls:
        table |= {"calls": list(calls), "options": {"end": "deals", "goal": 3}}
    profile = profile_of_table(table, "own")
    state = after_results(profile, (1, 0, -1))
    state = settle(apply(state, DealCards(random_small_deal("own", profile))))
    while state.phase in ("TRUMP", "DISCARD"):
        state = settle(apply(state, next(legal(state)[0].actions())))
    return state


@pytest.mark.parametrize(
    ("phases", "calls"),
    [
        (["DEAL", "TRUMP", "EXCHANGE", "KITTY", "DISCARD", "PLAY", "SCORE"], ()),
        (["DEAL", "EXCHANGE", "CALL", "PLAY", "SCORE"], ("S", "N", "H")),
    ],
)
def test_refuses_games_with_other_trumps_than_the_four(phases: list[str], calls: tuple[str, ...]) -> None:
    """Their exchange would be judged by trumps that cannot be named."""
    code, field, said = refusal(lambda: ExchangeSearch(own(phases, calls)))
    assert (code, field) == ("not_due", "state") and "names a trump after the exchange" in said


def test_returns_after_a_call() -> None:
    state = own(["DEAL", "SEND", "CALL", "RETURN", "PLAY", "SCORE"], ("S", "N", "H"))
    state = settle(apply(state, next(legal(state)[0].actions())))
    assert state.phase == "CALL"
    choices = choices_of_state(state)
    after = settle(apply(state, Call(0, "N")))
    assert choices.calls == ("S", "N", "H") and choices.lays[0].hands == after.hands != state.hands
