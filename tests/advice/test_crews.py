"""Threads that work together: whatever ends the work, and whenever, leaves none behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.advice.contract_deals import HARD
from tests.service.views import HELD
from tierce.solver.advice import ContractSearch, DealerSearch, choices_of_deal
from tierce.solver.advice.crews import work_together
from tierce.solver.advice.estimate import EstimateSearch
from tierce.solver.advice.fair import FairSearch
from tierce.solver.deal import Deal
from tierce.solver.games import load_game, read_record, replay

RECORD = Path(__file__).parents[1] / "records/golden/match.json"
LONG = "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."


def _threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.is_alive()}


class Interrupted:
    """Threads of which the second, once it has started, is followed by an interrupt."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started = 0
        start = threading.Thread.start

        def starting(thread: threading.Thread) -> None:
            start(thread)
            self.started += 1
            if self.started == 2:
                raise KeyboardInterrupt

        monkeypatch.setattr(threading.Thread, "start", starting)


def test_all_work_is_done() -> None:
    done: list[int] = []
    looks: list[int] = []
    works = [lambda at=at: done.append(at) for at in range(5)]
    work_together(works, lambda: pytest.fail("cancelled"), lambda: looks.append(len(done)), 0.01)
    assert sorted(done) == list(range(5)) and looks
    work_together([], lambda: pytest.fail("cancelled"), None, 0.01)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_the_watch_raises_ends_all(error: type[BaseException]) -> None:
    stop = threading.Event()
    ended: list[int] = []

    def work() -> None:
        stop.wait(20)
        time.sleep(0.05)  # it takes its time
        ended.append(1)

    def watch() -> None:
        raise error

    with pytest.raises(error):
        work_together([work] * 3, stop.set, watch, 0.001)
    assert len(ended) == 3


def _searches() -> Iterator[Any]:
    yield pytest.param(
        lambda: DealerSearch(choices_of_deal(load_game("raf"), Deal.parse(LONG)), threads=3), id="dealer"
    )
    yield pytest.param(lambda: ContractSearch(Deal.parse(HARD), 0, trump=1, tricks=True, threads=3), id="contracts")
    yield pytest.param(lambda: EstimateSearch(HELD, seconds=60, threads=3), id="estimate")
    yield pytest.param(
        lambda: FairSearch(replay(read_record(RECORD)).deals[0], worlds=10_000, seconds=60, threads=3), id="fair"
    )


@pytest.mark.parametrize("make", list(_searches()))
def test_interrupted_while_threads_are_started(make: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    before = _threads()
    search = make()
    Interrupted(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        search.run()
    end = time.monotonic() + 5
    while (left := _threads() - before) and time.monotonic() < end:
        time.sleep(0.01)
    assert not left
