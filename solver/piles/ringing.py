"""A limit of time for native work, which hears a flag and no clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Final

from tierce.solver.piles._piles import Stop

__all__ = ["ringing"]

_LOOK: Final = 0.01  # seconds between looks at the caller's flag


@contextmanager
def ringing(end: float, stop: Stop) -> Iterator[Stop]:
    """A flag that is set when `time.monotonic()` passes `end`, or soon after `stop`; without an end `stop` itself."""
    if end == inf:
        yield stop
        return
    flag, left = Stop(), threading.Event()

    def rung() -> bool:
        if stop.is_set or time.monotonic() >= end:
            flag.set()
        return flag.is_set

    def watch() -> None:
        while not rung() and not left.wait(min(max(end - time.monotonic(), 0.0), _LOOK)):
            pass

    rung()  # an end that has passed is heard at once
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield flag
    finally:
        left.set()
        watcher.join()
