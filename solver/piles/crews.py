"""Native work in pieces, by several threads, the pieces' answers in their order: the same whatever the threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tierce.solver.errors import Cancelled
from tierce.solver.piles._piles import Stop

__all__ = ["cut", "in_pieces"]

T = TypeVar("T")


def cut(start: int, count: int, size: int) -> list[tuple[int, int]]:
    """(start, count) of pieces of at most `size`."""
    return [(at, min(size, start + count - at)) for at in range(start, start + count, size)]


def in_pieces(
    work: Callable[[int, int], T | None], pieces: Sequence[tuple[int, int]], threads: int, stop: Stop
) -> Iterator[T]:
    """Answers of `work(start, count)`; Cancelled when one is None. An exception here, Ctrl-C too, stops them all."""
    if threads == 1 or len(pieces) == 1:
        for start, count in pieces:
            found = work(start, count)
            if found is None:
                raise Cancelled()
            yield found
        return
    with ThreadPoolExecutor(threads) as crew:
        waiting = [crew.submit(work, start, count) for start, count in pieces]
        try:
            for each in waiting:
                found = each.result()
                if found is None:
                    raise Cancelled()
                yield found
        except BaseException:
            stop.set()
            for each in waiting:
                each.cancel()
            raise
