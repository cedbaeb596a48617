"""What a search still does after its time: of the processor's time, which is its own however busy the machine is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["effort_after"]


@contextmanager
def effort_after(seconds: float) -> Iterator[Callable[[], float]]:
    """Seconds of processor time that this process has used since so many seconds passed; 0 if they have not."""
    marks: list[float] = []
    timer = threading.Timer(seconds, lambda: marks.append(time.process_time()))
    timer.start()
    try:
        yield lambda: time.process_time() - marks[0] if marks else 0.0
    finally:
        timer.cancel()
        timer.join()
