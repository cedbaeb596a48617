"""The dealer's decision in whole deals: known values, cold searches, limits, interruptions, and what is refused."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from tests.advice.small_games import SWAP_GAME, twin
from tests.games.scenes import go, refusal, second_deal
from tierce.solver import Deal, InputError, Limits, Position, solve
from tierce.solver.advice.choices import Choice, DealerChoices, choices_of_deal, choices_of_state
from tierce.solver.advice.dealer import DealerSearch, dealer_advice
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.values import Kind, worth_of
from tierce.solver.cards import bit, cards_of, mask_of, parse_card
from tierce.solver.games import Claim, DealCards, Profile, State, apply, load_game, new_match, random_deal
from tierce.solver.search import STOP_CANCELLED, STOP_TIME

ROWS: Final[list[dict[str, Any]]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "dealer_floors.jsonl").read_text(encoding="utf-8").splitlines()
]
CHEAP: Final = ("dealer-331-001", "dealer-331-003")
EASY, LONG = (next(row for row in ROWS if row["id"] == name) for name in ("dealer-331-003", "dealer-331-004"))
REAL: Final = (3, 17, 27)  # random deals whose options are valued in seconds
PROMISED: Final = 0.1  # seconds after a timeout
TWO: Final = bit(parse_card("D2"))
SOON: Final = 0.5  # seconds: 50 ms are promised, but busy machines are slow


@cache
def decision(text: str) -> DealerChoices:
    return choices_of_deal(load_game("raf"), Deal.parse(text))


def real(number: int) -> tuple[Deal, DealerChoices]:
    profile = load_game("raf")
    deal = random_deal(profile, 1, number)
    return deal, choices_of_deal(profile, deal)


def trump_of(call: str) -> int:
    return "SHDC".index(call)


def played(open_: DealerChoices, choice: Choice) -> Deal:
    """The deal as it is played after a choice."""
    (lay,) = (lay for lay in open_.lays if lay.choice == choice)
    return Deal(lay.hands)


# ---- values ----------------------------------------------------------------------------------------------------------


def check_row(row: dict[str, Any]) -> None:
    advice = dealer_advice(decision(row["deal"]))
    assert advice.complete and all(each.counted for each in advice.calls)
    assert {each.call: {"tricks": each.tricks, "count": each.count} for each in advice.calls} == row["trumps"]


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] in CHEAP], ids=lambda row: row["id"])
def test_known_floors(row: dict[str, Any]) -> None:
    check_row(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] not in CHEAP], ids=lambda row: row["id"])
def test_more_known_floors(row: dict[str, Any]) -> None:
    check_row(row)


@pytest.mark.slow
@pytest.mark.parametrize("number", REAL)
def test_every_option_is_what_a_cold_search_says(number: int) -> None:
    deal, open_ = real(number)
    search = DealerSearch(open_, find="every")
    assert search.run().complete
    values = search.values()
    assert len(values) == 4 * 1820
    for call, choice, value in random.Random(f"options {number}").sample(values, 300):
        position = Position.start(deal.with_discard(choice.discard), trump_of(call))
        assert solve(position, "D").tricks == value, (call, choice)


@pytest.mark.slow
@pytest.mark.parametrize("number", REAL)
@pytest.mark.parametrize("how", [{"find": "one"}, {"find": "best"}, {"target": 5}], ids=repr)
def test_threads_do_not_change_what_is_advised(how: dict[str, Any], number: int) -> None:
    open_ = real(number)[1]
    alone, together = (dealer_advice(open_, threads=threads, **how) for threads in (1, 2))
    assert alone.complete and together.complete
    assert alone.calls == together.calls and alone.margin == together.margin


# ---- at any time -----------------------------------------------------------------------------------------------------


def check_bounds(advice: DealerAdvice, tricks: dict[str, float]) -> None:
    """Bounds, of the best, contain the truth."""
    for each in advice.calls:
        low, high = each.bounds
        assert low <= tricks[each.call] <= high
        assert not each.complete or each.tricks == tricks[each.call]


def check_reached(open_: DealerChoices, advices: Iterable[DealerAdvice], most: int) -> None:
    """Choices are worth what is said of them, by a cold search each; of many a sample."""
    claims = {(call.call, call.low, choice) for advice in advices for call in advice.calls for choice in call.choices}
    for call, low, choice in random.Random("claims").sample(sorted(claims, key=repr), min(most, len(claims))):
        position = Position.start(played(open_, choice), trump_of(call))
        assert solve(position, "D", at_least=low, table_mb=16).low >= low, (call, low, choice)


def check_closing(advices: list[DealerAdvice]) -> None:
    """Bounds only close, and what was complete stays as it is."""
    for before, after in pairwise(advices):
        for one, other in zip(before.calls, after.calls, strict=True):
            assert one.low <= other.low <= other.high <= one.high


def watched(search: DealerSearch, every: float = 0.002) -> list[DealerAdvice]:
    """What is advised all along, the last when all is done."""
    seen = [search.advice]
    seen.append(search.run(lambda: seen.append(search.advice), every))
    return seen


@pytest.mark.parametrize("find", ["one", "best"])
def test_advice_at_any_time(find: Any) -> None:
    open_ = decision(EASY["deal"])
    seen = watched(DealerSearch(open_, find=find, threads=2))
    assert len(seen) > 3 and seen[-1].complete and not seen[0].complete
    tricks = {call: each["tricks"] for call, each in EASY["trumps"].items()}
    for advice in seen:
        check_bounds(advice, tricks)
    check_closing(seen)
    check_reached(open_, seen, 25)


@cache
def truth(number: int, kind: Any) -> dict[tuple[str, Choice], float]:
    """The value of every choice of a real deal, checked elsewhere."""
    search = DealerSearch(real(number)[1], kind, find="every", threads=2)
    search.run()
    return {(call, choice): value for call, choice, value in search.values()}


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("how", [{"find": "one"}, {"find": "best"}, {"find": "every"}, {"target": 3}], ids=repr)
def test_advice_at_any_time_against_all_values(how: dict[str, Any], threads: int) -> None:
    values, open_ = truth(3, "floor"), real(3)[1]
    tricks = {call: max(value for (name, _), value in values.items() if name == call) for call in open_.calls}
    search = DealerSearch(open_, threads=threads, **how)
    seen = watched(search)
    for advice in seen:
        check_bounds(advice, tricks)
        for each in advice.calls:
            reached = each.low if search.target is None else search.target
            assert all(values[each.call, choice] >= reached for choice in each.choices)
            if each.counted and "one" not in how.values():
                assert each.count == sum(value >= reached for (call, _), value in values.items() if call == each.call)
    check_closing(seen)
    assert seen[-1].complete and len(seen) > 3


# ---- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_a_timeout_comes_in_time_with_true_bounds(threads: int) -> None:
    open_, late = decision(LONG["deal"]), []
    tricks = {call: each["tricks"] for call, each in LONG["trumps"].items()}
    for timeout in (0.001, 0.1, 0.4):
        search = DealerSearch(open_, limits=Limits(timeout), threads=threads, chosen=("S", open_.choices[0]))
        began = time.monotonic()
        advice = search.run()
        late.append(time.monotonic() - began - timeout)
        assert advice.stop == STOP_TIME and not advice.complete
        assert advice.chosen and not advice.chosen.complete and advice.loss is None
        check_bounds(advice, tricks)
        check_reached(open_, [advice], 3)
    assert min(late) < PROMISED and max(late) < SOON


def test_a_timeout_with_several_terms() -> None:
    open_ = decision(LONG["deal"])
    began = time.monotonic()
    advice = dealer_advice(open_, "share", limits=Limits(0.3), threads=2)
    assert time.monotonic() - began < 0.3 + SOON
    assert advice.stop == STOP_TIME and not advice.complete
    for each in advice.calls:  # the share is at least the floor
        assert each.bounds[1] >= LONG["trumps"][each.call]["tricks"]


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_from_another_thread(threads: int) -> None:
    open_, told = decision(LONG["deal"]), list[float]()
    search = DealerSearch(open_, threads=threads)

    def cancel() -> None:
        told.append(time.monotonic())
        search.cancel()

    before = threading.active_count()
    timer = threading.Timer(0.3, cancel)
    timer.start()
    advice = search.run()
    assert time.monotonic() - told[0] < SOON
    timer.join()
    assert threading.active_count() == before
    assert advice.stop == STOP_CANCELLED and not advice.complete
    check_bounds(advice, {call: each["tricks"] for call, each in LONG["trumps"].items()})


class Enough(Exception):
    pass


@pytest.mark.parametrize("error", [Enough, KeyboardInterrupt, SystemExit])
def test_what_a_watcher_raises_comes_through(error: type[BaseException]) -> None:
    search, raised, before = DealerSearch(decision(LONG["deal"]), threads=2), list[float](), threading.active_count()
    calls = iter(range(5))

    def watch() -> None:
        if next(calls) == 4:
            raised.append(time.monotonic())
            raise error

    with pytest.raises(error):
        search.run(watch, 0.02)
    assert time.monotonic() - raised[0] < SOON
    assert threading.active_count() == before
    advice = search.advice
    assert advice.stop == STOP_CANCELLED and not advice.complete and advice.nodes > 0 and advice.millis > 0
    check_bounds(advice, {call: each["tricks"] for call, each in LONG["trumps"].items()})


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("watch", [None, lambda: None], ids=["alone", "watched"])
def test_ctrl_c(watch: Callable[[], None] | None) -> None:
    search, sent, before = DealerSearch(decision(LONG["deal"]), threads=2), list[float](), threading.active_count()

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        search.run(watch)
    assert time.monotonic() - sent[0] < SOON
    timer.join()
    # Python may have lost count of a thread that a signal came upon in `join`; it ends all the same.
    while threading.active_count() > before:
        assert time.monotonic() - sent[0] < SOON
        time.sleep(0.01)
    assert search.advice.stop == STOP_CANCELLED


# ---- refusals --------------------------------------------------------------------------------------------------------


def check_refusal(do: Callable[[], object], code: str, field: str, *words: str) -> None:
    """Refused with this code and field; the message says what was expected and found, with these words."""
    found_code, found_field, message = refusal(do)
    assert (found_code, found_field) == (code, field), message
    assert message.startswith("expected ") and " found " in message
    for word in words:
        assert word in message


@pytest.mark.parametrize("value", ["cap", "side", "FLOOR", "pair:EM", "", None, 5, ["floor"]])
def test_refuses_other_values(value: Any) -> None:
    shown = str(value) if value else ""
    check_refusal(lambda: DealerSearch(decision(EASY["deal"]), value), "value", "value", "pair:DM", shown)


@pytest.mark.parametrize("find", ["all", "", None, 1, ["one"]])
def test_refuses_other_ways_to_find(find: Any) -> None:
    check_refusal(lambda: DealerSearch(decision(EASY["deal"]), find=find), "find", "find", "'every'", repr(find))


@pytest.mark.parametrize("target", ["9", True, [9], 3j, object])
def test_refuses_targets_that_are_no_numbers(target: Any) -> None:
    open_ = decision(EASY["deal"])
    check_refusal(lambda: DealerSearch(open_, target=target), "target", "target", "a number of tricks", repr(target))


@pytest.mark.parametrize("target", [-1, -0.5, 17, 16.5, 1000])
def test_targets_out_of_reach(target: float) -> None:
    open_ = decision(EASY["deal"])
    (advice,) = {dealer_advice(open_, target=target, threads=threads).calls for threads in (1, 2)}
    assert all(each.counted and each.count == (1820 if target < 0 else 0) for each in advice)


@pytest.mark.parametrize("table", [0, -1, "x", None, 1 << 30])
def test_refuses_tables(table: Any) -> None:
    check_refusal(lambda: DealerSearch(decision(EASY["deal"]), table_mb=table), "table_mb", "table_mb", repr(table))


CARDS: Final = mask_of(map(parse_card, ("SJ", "S8", "S6", "S3")))


@pytest.mark.parametrize(
    ("call", "choice", "words"),
    [
        ("N", Choice(CARDS), ("a call among S H D C", "'N'")),
        ("MIZ", Choice(CARDS), ("a call among S H D C", "'MIZ'")),
        ("", Choice(CARDS), ("a call among",)),
        ("S", Choice(), ("a discard of 4 cards", "none")),
        ("S", Choice(CARDS & (CARDS - 1)), ("a discard of 4 cards", "SJ S8 S6")),
        ("S", Choice(CARDS | bit(parse_card("CA"))), ("a discard of 4 cards", "SJ S8 S6 S3 CA")),
        ("S", Choice(CARDS ^ bit(parse_card("S3")) ^ bit(parse_card("S4"))), ("a discard from", "S4")),
        ("S", Choice(CARDS ^ bit(parse_card("S3")) ^ bit(parse_card("SA"))), ("a discard from", "SA")),
        ("S", Choice(CARDS, True), ("no word about a swap", "one")),
        ("S", Choice(CARDS, False), ("no word about a swap", "one")),
    ],
)
def test_refuses_what_cannot_have_been_chosen(call: Any, choice: Choice, words: tuple[str, ...]) -> None:
    check_refusal(lambda: DealerSearch(decision(EASY["deal"]), chosen=(call, choice)), "choice", "chosen", *words)
    with pytest.raises(InputError):
        decision(EASY["deal"]).check(call, choice)


def test_refuses_choices_about_the_swap() -> None:
    profile = load_game(SWAP_GAME)
    deals = [random_deal(profile, 5, number) for number in range(30)]
    own = choices_of_deal(profile, next(deal for deal in deals if deal.hands[0] & TWO))
    other = choices_of_deal(profile, next(deal for deal in deals if deal.hands[1] & TWO))
    check_refusal(lambda: own.check("S", Choice()), "choice", "chosen", "swap or no swap", "found none")
    check_refusal(lambda: other.check("S", Choice(swap=True)), "choice", "chosen", "no word about a swap", "found one")
    check_refusal(lambda: own.check("S", Choice(TWO, True)), "choice", "chosen", "a discard of 0 cards", "D2")


@pytest.mark.parametrize("calls", [["X"], ["S", "S"], ["S", "NT"], ["s"], [""], ["MIZ", "N", "MIZ"]])
def test_refuses_calls(calls: list[str]) -> None:
    deputy = load_game("deputy")
    deal = random_deal(deputy, 1, 3)
    check_refusal(lambda: choices_of_deal(deputy, deal, calls), "choice", "calls", "each once", " ".join(calls))


def test_refuses_calls_where_a_trump_is_named() -> None:
    raf = load_game("raf")
    deal = random_deal(raf, 1, 3)
    check_refusal(lambda: choices_of_deal(raf, deal, ["S"]), "choice", "calls", "names a trump", "'S'")


@pytest.mark.parametrize("kind", ["share", "ceiling", "pair:DE", "pair:DM"])
def test_refuses_values_where_miz_is_open(kind: Kind) -> None:
    deputy = load_game("deputy")
    deal = random_deal(deputy, 1, 3)
    alone, all_ = choices_of_deal(deputy, deal, ["MIZ"]), choices_of_deal(deputy, deal)
    chosen = "MIZ", all_.choices[0]
    check_refusal(lambda: DealerSearch(alone, kind), "value", "value", "only MIZ is open", kind)
    check_refusal(lambda: worth_of(kind, "MIZ", 16), "value", "value", "floor where MIZ is open", kind)
    check_refusal(lambda: DealerSearch(all_, kind, chosen=chosen), "choice", "chosen", kind, "MIZ")


def test_refuses_deals_of_other_games() -> None:
    raf = load_game("raf")
    for name in ("six_three_eight", SWAP_GAME):
        deal = random_deal(load_game(name), 1, 0)
        with pytest.raises(InputError, match="hands of 16 and 4 cards beside them, found 3 hands of 17 and 1"):
            choices_of_deal(raf, deal)
    small = twin("raf", 6)
    cards = cards_of(small.pack)
    hands = tuple(mask_of(cards[6 * seat : 6 * seat + 6]) for seat in range(3))
    strange = Deal(hands, bit(cards[18]) | TWO)
    check_refusal(lambda: choices_of_deal(small, strange), "wrong_deal", "deal", "20-card pack", "D2")
    check_refusal(lambda: choices_of_deal(small, Deal(hands)), "wrong_deal", "deal", "2 cards", "and 0")


def test_refuses_states_without_a_decision() -> None:
    for name in ("raf", "deputy", "nine_five_two"):
        profile = twin(name)
        start = new_match(profile)
        play = go(start, "PLAY")
        over = apply(play, Claim((profile.hand, 0, 0)))
        for state in (start, play, over):
            check_no_decision(state, state.phase)
    woburn = load_game("woburn")
    check_no_decision(apply(new_match(woburn), DealCards(random_deal(woburn, 1, 0))), "BID")


def test_refuses_decisions_before_an_exchange() -> None:
    up = (1, -1, 0)
    check_no_decision(second_deal(twin("raf"), up), "EXCHANGE")
    swap = second_deal(twin("nine_five_two_swap"), up)
    check_no_decision(swap, "before the parcels are sent")
    check_no_decision(go(swap, "DISCARD"), "before the parcels are sent")
    check_no_decision(go(swap, "SEND"), "SEND")
    early = load_game(SWAP_GAME, {"swap_time": "after_deal"})
    check_no_decision(second_deal(early, up, dealt_two(early)), "after the exchange")


def check_no_decision(state: State, word: str) -> None:
    check_refusal(lambda: choices_of_state(state), "not_due", "deal", word)


def dealt_two(profile: Profile) -> Deal:
    """A deal in which somebody may swap."""
    return next(deal for number in range(30) if not (deal := random_deal(profile, 5, number)).kitty & TWO)
