"""Native work in pieces, by several threads, the pieces' answers in their order: the same whatever the threads.

The main thread works at nothing itself: Python hears Ctrl-C in that thread only, and native work would keep it waiting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tierce.solver.errors import Cancelled
from tierce.solver.piles._piles import Stop

__all__ = ["cut", "in_pieces", "interruptible"]

T = TypeVar("T")


def cut(start: int, count: int, size: int) -> list[tuple[int, int]]:
    """(start, count) of pieces of at most `size`."""
    return [(at, min(size, start + count - at)) for at in range(start, start + count, size)]


def in_pieces(
    work: Callable[[int, int], T | None], pieces: Sequence[tuple[int, int]], threads: int, stop: Stop
) -> Iterator[T]:
    """Answers of `work(start, count)`; Cancelled when one is None. An exception here, Ctrl-C too, stops them all."""
    if threads == 1 and threading.current_thread() is not threading.main_thread():
        yield from (_given(work(*piece)) for piece in pieces)
        return
    with ThreadPoolExecutor(threads) as crew:
        waiting = [crew.submit(work, start, count) for start, count in pieces]
        try:
            yield from (_given(each.result()) for each in waiting)
        except BaseException:
            stop.set()
            for each in waiting:
                each.cancel()
            raise


def interruptible(work: Callable[[], T | None], stop: Stop) -> T:
    """The answer of one piece of work; Cancelled when it is None."""
    (found,) = in_pieces(lambda start, count: work(), [(0, 1)], 1, stop)  # to its end: one that is left sets the stop
    return found


def _given(found: T | None) -> T:
    if found is None:
        raise Cancelled()
    return found
