"""Many hands reviewed on several threads: in their order, each as alone, errors in place, stopped at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.advice.bots import record_by_bots
from tests.advice.played import play
from tests.advice.small_games import twin
from tierce.solver.advice.review import review
from tierce.solver.advice.review_results import Review
from tierce.solver.batch.reviews import Hand, review_many
from tierce.solver.errors import InputError
from tierce.solver.games import load_game, replay

NAMES = ("Ann", "Bob", "Cid")


def small(count: int = 30) -> list[Hand]:
    found: list[Hand] = [(played.deal, NAMES) for played in play("many", "raf", twin("raf"), count)]
    return found[:count]


def hard() -> Hand:
    """A hand whose decisions take minutes."""
    return replay(record_by_bots(load_game("raf"), 1, 2)).deals[1], NAMES


def told(found: object) -> dict[str, Any]:
    assert isinstance(found, Review)
    return {key: value for key, value in found.json().items() if key not in ("nodes", "millis")}


@pytest.mark.parametrize("threads", [1, 3])
def test_in_their_order_each_as_alone(threads: int) -> None:
    found = [told(each) for each in review_many(small(), threads=threads, seconds=0)]
    assert found == [told(review(*each, seconds=0)) for each in small()] and len(found) > 20


def test_an_error_takes_its_hands_place() -> None:
    """A hand that was not played stands between two that were."""
    one, two, three = small(3)
    (undealt,) = replay(record_by_bots(load_game("raf"), 1)).deals
    states = [state for _, state in undealt.steps()]
    at = next(number for number, state in enumerate(states) if state.phase == "TRUMP")
    bare = replace(undealt, state=states[at], actions=undealt.actions[:at])
    found = [*review_many([one, (bare, NAMES), three], threads=2, seconds=0)]
    assert [type(each) for each in found] == [Review, InputError, Review]
    assert told(found[2]) == told(review(*three, seconds=0)) != told(review(*two, seconds=0))


def test_hands_are_taken_as_they_are_needed() -> None:
    """Endless hands are no harm; those that were begun are given up."""
    taken = 0

    def endless() -> Iterator[Hand]:
        nonlocal taken
        while True:
            for each in small(5):
                taken += 1
                yield each

    found = review_many(endless(), threads=2, seconds=0)
    assert told(next(found)) == told(review(*small(5)[0], seconds=0))
    found.close()  # type: ignore[attr-defined]
    assert taken <= 40


class Stopped(Exception):
    """Raised by a watch."""


def test_what_a_watch_raises_stops_all() -> None:
    calls, before = [], threading.active_count()

    def watch() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise Stopped

    began = time.monotonic()
    with pytest.raises(Stopped):
        [*review_many([hard()] * 4, threads=2, seconds=None, watch=watch)]
    assert time.monotonic() - began < 5 and threading.active_count() == before


def test_no_hands() -> None:
    assert [*review_many([], threads=2)] == []
