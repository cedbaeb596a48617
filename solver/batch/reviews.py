"""Many hands reviewed on several threads, in their order."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from typing import Final, TypeAlias

from tierce.solver.advice.contract_review import AnyReview, AnyReviewSearch, review_search
from tierce.solver.advice.crews import Watch
from tierce.solver.advice.review import SECONDS
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.query import DEFAULT_TABLE_MB

__all__ = ["Hand", "review_many"]

Hand: TypeAlias = tuple[ReplayedDeal, "tuple[str, ...] | None"]
"""A deal, and the names of its players."""
Found: TypeAlias = AnyReview | InputError | LimitReached

# Hands begun or waiting for each thread. Some take fifty times as long as others, and what is behind one waits to be
# told in its turn: with 4, two threads could do no better than 1.84 times one; with 16 it is 1.98.
AHEAD: Final = 16


def review_many(
    hands: Iterable[Hand],
    *,
    threads: int = 1,
    seconds: float | None = SECONDS,
    every: bool = False,
    table_mb: int = DEFAULT_TABLE_MB,
    watch: Watch | None = None,
) -> Iterator[Found]:
    """Reviews lazily, in the order of the hands, whatever their games; for one that cannot be reviewed the error.

    threads   hands at a time, each with its share of the table's memory and `seconds` of its own
    watch     is called ten times a second; what it raises, and KeyboardInterrupt, stops all within 50 ms
    """
    return _Many(threads, seconds, every, table_mb).run(hands, watch)


class _Many:
    def __init__(self, threads: int, seconds: float | None, every: bool, table_mb: int) -> None:
        self._threads = threads
        self._seconds = seconds
        self._every = every
        self._table_mb = max(1, table_mb // threads)
        self._searches: set[AnyReviewSearch] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, hands: Iterable[Hand], watch: Watch | None) -> Iterator[Found]:
        waiting: deque[Future[Found]] = deque()
        with ThreadPoolExecutor(self._threads, thread_name_prefix="tierce") as pool:
            try:
                for hand in hands:
                    waiting.append(pool.submit(self._review, hand))
                    while len(waiting) >= AHEAD * self._threads or (waiting and waiting[0].done()):
                        yield _result(waiting.popleft(), watch)
                while waiting:
                    yield _result(waiting.popleft(), watch)
            finally:
                for future in waiting:
                    future.cancel()
                while self._stop():
                    time.sleep(0.01)

    def _review(self, hand: Hand) -> Found:
        try:
            search = review_search(*hand, seconds=self._seconds, every=self._every, table_mb=self._table_mb)
        except InputError as error:
            return error
        with self._lock:
            self._searches.add(search)
            if self._stopped:
                search.cancel()
        try:
            return search.run()
        except LimitReached as error:
            return error
        finally:
            with self._lock:
                self._searches.discard(search)

    def _stop(self) -> bool:
        """Ask what still runs to stop; did anything? Asked again and again: a search that was just about to begin a
        call may not hear of it once."""
        with self._lock:
            self._stopped = True
            for search in self._searches:
                search.cancel()
            return bool(self._searches)


def _result(future: Future[Found], watch: Watch | None) -> Found:
    """What came of a hand, watching meanwhile."""
    while True:
        if watch is not None:
            watch()
        try:
            return future.result(timeout=0.1)
        except TimeoutError:
            continue
