"""How an estimate of a sender's parcels ends, and what cannot be asked of it."""

from __future__ import annotations

import threading
import time
from math import comb
from typing import Any

import pytest

from tests.advice.effort import effort_after
from tests.advice.sender_scenes import raf_view
from tests.games.scenes import M, game
from tests.games.words import mask
from tierce.solver import InputError
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch, exchange_estimate
from tierce.solver.advice.sender_choices import lowest
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.games import random_deal, view
from tierce.solver.search import STOP_CANCELLED, STOP_TIME

# ---- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", ["quick", "exact"])
def test_it_stops_on_time(reply: Any) -> None:
    """And has something to tell, but not before it has met some worlds: on a busy machine that may take longer."""
    for seconds in (0.6, 6.0, 60.0):
        with effort_after(seconds) as effort:
            found = exchange_estimate(raf_view(), seconds=seconds, threads=2, reply=reply)
            assert effort() < 0.3  # 0.002 on an idle machine
        assert found.millis > 950 * seconds and found.stop == STOP_TIME
        if reply == "exact" or found.best is not None:
            break
    assert reply == "exact" or found.best is not None


@pytest.mark.parametrize("reply", ["quick", "exact"])
def test_cancel(reply: Any) -> None:
    search = ExchangeEstimateSearch(raf_view(), seconds=60, threads=2, reply=reply)
    cancelled = []

    def cancel() -> None:
        time.sleep(0.3)
        cancelled.append(time.monotonic())
        search.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    found = search.run()
    assert time.monotonic() - cancelled[0] < 0.3  # 0.02 on an idle machine
    thread.join()
    assert found.stop == STOP_CANCELLED and not found.complete


def test_one_that_was_cancelled_before_it_began() -> None:
    search = ExchangeEstimateSearch(raf_view(), seconds=60)
    search.cancel()
    found = search.run()
    assert found.stop == STOP_CANCELLED and not found.complete and found.best is None and found.json()["best"] is None


def test_an_error_of_the_watcher_ends_it() -> None:
    search = ExchangeEstimateSearch(raf_view(), seconds=60)
    calls = []

    def watch() -> None:
        calls.append(search.result)
        if len(calls) == 3:
            raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        search.run(watch, 0.1)
    assert time.monotonic() - began < 2
    assert not search.result.complete and 0 <= search.done < 1


# ---- what cannot be asked --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ({}, "worlds", "expected one of worlds, seconds and source, found none"),
        ({"worlds": 3, "seconds": 1}, "worlds", "expected one of "),
        ({"worlds": 0}, "worlds", "expected a number of worlds from 1 to "),
        ({"seconds": 0}, "seconds", "expected seconds above 0, found 0"),
        ({"source": []}, "worlds", "expected worlds to value the candidates in, found none"),
        ({"worlds": 3, "by": "luck"}, "by", "expected one of mean, quota, twelve, found 'luck'"),
        ({"worlds": 3, "candidates": "some"}, "candidates", "expected 'lowest' or 'all', found 'some'"),
        ({"worlds": 3, "reply": "best"}, "reply", "expected 'quick' or 'exact', found 'best'"),
        ({"worlds": 3, "seed": -1}, "seed", "expected a whole number of 0 or more, found -1"),
        ({"worlds": 3, "chosen": 5}, "chosen", "expected parcels as masks, found 5"),
        ({"worlds": 3, "chosen": (mask("SA"),)}, "chosen", "expected 2 parcels, found 1"),
        ({"worlds": 3, "chosen": (1, 1)}, "chosen", "expected 1 card of "),
        ({"worlds": 3, "chosen": (0, 0)}, "chosen", "expected 1 card of "),
        ({"worlds": 3, "table_mb": 0}, "table_mb", "expected MiB for the table"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        exchange_estimate(raf_view(), **given)
    assert caught.value.field == field and caught.value.message.startswith(message)


def test_a_second_parcel_is_not_chosen_before_the_first_is_answered() -> None:
    state = exchange_of_deal(game("wiki_358"), random_deal(game("wiki_358"), 1, 3), (10, 4, 2))
    low = lowest(state.hands[M], 2)
    with pytest.raises(InputError) as caught:
        exchange_estimate(view(state, M), worlds=1, chosen=(low & -low, low & low - 1))
    assert caught.value.message == "expected 1 parcel (the other is chosen once this one is answered), found 2"


def test_too_many_ways_to_try_all() -> None:
    with pytest.raises(InputError) as caught:
        exchange_estimate(raf_view((5, 3, 8)), worlds=1, candidates="all")
    found = f"{comb(16, 2) * comb(14, 3):,}"
    assert caught.value.field == "candidates" and caught.value.message.endswith(f"found {found}")
