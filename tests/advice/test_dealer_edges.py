"""The dealer's decision where it once went wrong: rounds without work, interrupts, other orders of phases, targets."""

from __future__ import annotations

import doctest
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.advice.small_games import KINDS, random_small_deal, twin
from tests.advice.test_dealer_evidence import EASY, LONG, decision
from tests.games.scenes import second_deal
from tierce.solver import Deal, InputError, advice, parse_hand
from tierce.solver.advice.choices import Choice, choices_of_deal, choices_of_state
from tierce.solver.advice.crews import Crew
from tierce.solver.advice.dealer import DealerSearch, dealer_advice
from tierce.solver.advice.deciding import CallSearch, Find
from tierce.solver.advice.values import Kind, worth_of
from tierce.solver.games import apply, legal, random_deal
from tierce.solver.games.profile import profile_of_table


def test_every_share_is_told_where_no_question_was_left_after_the_climb() -> None:
    open_ = choices_of_deal(twin("raf"), Deal.parse("D:QJ.K.J.J K.J.K.KQ .AQ.AQ.A / A..."))
    search = DealerSearch(open_, "share", find="every")
    assert search.run().complete
    assert len(search.values()) == 20


def test_every_floor_is_told_where_no_question_was_left_after_the_climb() -> None:
    deal = Deal.parse("D:AT..AJ.QJ .KQJT.T.A Q.A.KQ.KT / KJ...")
    open_ = choices_of_deal(twin("nine_five_two", 6), deal)
    wanted = [parse_hand(text) for text in ("T..A.", "K..J.", "AK...")]
    lays = tuple(lay for lay in open_.lays if lay.choice.discard in wanted)
    search = DealerSearch(replace(open_, calls=("C",), lays=lays), find="every")
    assert search.run().complete
    assert len(search.values()) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_raised_by_another_thread_is_asked_about_again(kind: Kind) -> None:
    """A choice that reaches the best of before may beat what is best now."""
    profile = twin("wiki_358", kitty_first=True)
    raised = 0
    for seed in range(20):
        open_ = choices_of_deal(profile, random_small_deal(f"raised {seed}", profile))
        alone = dealer_advice(open_, kind, find="one", table_mb=1)
        for each in alone.calls:
            search = Overtaken(open_, each.call, worth_of(kind, each.call, open_.tricks), "best", None)
            begun = search.best
            crew = Crew(1 << 20, None)
            crew.turn_to(search)
            search._climb(crew, list(range(len(search.choices))))
            raised += search.best > begun
            assert max(search.high) == max(search.low) == each.low, each.call
    assert raised > 20


class Overtaken(CallSearch):
    """After the first questions, and before their answers are looked at, another thread finds a better choice."""

    overtaken = False

    def decide(self, crew: Crew, units: Sequence[int], need: int) -> None:
        super().decide(crew, units, need)
        if not self.overtaken:
            self.overtaken = True
            other = Crew(1 << 20, None)
            other.turn_to(self)
            better = max(unit for unit in range(len(self.choices)) if unit not in units)
            self.exact(other, better)
            self._raise_to(better)


@pytest.mark.parametrize("find", ["one", "best", "every"])
@pytest.mark.parametrize("deal", range(3))
def test_all_is_done_at_the_end(find: Find, deal: int) -> None:
    search = DealerSearch(choices_of_deal(twin("raf"), random_deal(twin("raf"), 1, deal)), find=find)
    search.run()
    assert search.done == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_every_thread(threads: int) -> None:
    # join() of an interrupted thread takes it for ended: CPython 3.11
    search = DealerSearch(decision(LONG["deal"]), threads=threads)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        search.run()
    nodes = search.advice.nodes
    time.sleep(0.2)
    assert search.advice.stop
    assert search.advice.nodes == nodes


def test_cancelled_before_it_begins() -> None:
    search = DealerSearch(decision(LONG["deal"]))
    search.cancel()
    advice = search.run()
    assert advice.stop and not advice.complete and advice.nodes == 0


@pytest.mark.parametrize("order", ["RETURN TRUMP", "TRUMP RETURN"])
def test_a_discard_after_the_returns(order: str) -> None:
    phases = f"DEAL SEND {order} KITTY DISCARD PLAY SCORE".split()
    options = {"end": "total", "goal": 10, "return_rule": "merged_top_n"}
    table = {"id": "late", "name": "Late", "ranks": 5, "hand": 6, "kitty": 2, "quotas": [3, 2, 1], "score": "total"}
    state = second_deal(profile_of_table(table | {"phases": phases, "options": options}, "test"), (1, -1, 0))
    while state.phase != order.split(maxsplit=1)[0]:
        state = apply(state, next(iter(legal(state)[0].actions())))
    open_ = choices_of_state(state)
    assert (open_.count, len(open_.choices)) == (2, 28)
    assert {hand.bit_count() for lay in open_.lays for hand in lay.hands} == {6}


def test_what_a_choice_cost_is_not_told_from_a_target() -> None:
    open_ = choices_of_deal(twin("deputy"), Deal.parse("D:AJ.AJ.J. .K.Q.AQJ K.Q.AK.K / Q..."))
    made = "S", Choice(parse_hand("A..."))
    assert dealer_advice(open_, chosen=made).loss == 3
    assert dealer_advice(open_, chosen=made, target=5).loss is None


@pytest.mark.parametrize("target", [float("inf"), float("nan"), float("-inf")])
def test_a_target_that_is_no_number_of_tricks(target: float) -> None:
    with pytest.raises(InputError, match="expected a number of tricks, found") as caught:
        DealerSearch(decision(EASY["deal"]), target=target)
    assert caught.value.field == "target"


def test_the_examples_of_the_docstring() -> None:
    found = doctest.testmod(advice)
    assert (found.failed, found.attempted) == (0, 20)
