"""A bar on stderr for a study: what is done, how fast, and how long the rest will take."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tierce.cli.progress import Bar, gauge_picture

_EVERY = 0.2  # seconds between two pictures
_SETTLED = 3.0  # seconds before a time left is told


class Pace(Bar):
    """Deals done out of all; `kept` of them were done before this began."""

    def __init__(self, deals: int, kept: int) -> None:
        super().__init__(deals)
        self._deals = deals
        self._kept = kept
        self._began = time.monotonic()

    def show(self, done: int) -> None:
        """Draw, if it is time to; `done` since this began."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _EVERY
        said = pace(self._kept + done, self._deals, done, now - self._began)
        text = gauge_picture("batch", (self._kept + done) / max(1, self._deals), said, _columns())
        self._write("\r" + text.ljust(self._drawn))
        self._drawn = len(text)


def pace(done: int, deals: int, new: int, seconds: float) -> str:
    """`640/2,000, 31.5 deals/s, 43 s left`; `new` of those done took so long."""
    count = f"{done:,}/{deals:,}"
    if not new or seconds <= 0:
        return count
    rate = new / seconds
    speed = f"{rate:.1f} deals/s" if rate >= 1 else f"{1 / rate:.1f} s a deal"
    left = (deals - done) / rate
    return f"{count}, {speed}, {duration(left)} left" if seconds >= _SETTLED else f"{count}, {speed}"


def duration(seconds: float) -> str:
    """`43 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _columns() -> int:
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    return 80


@contextmanager
def pacing(deals: int, kept: int) -> Iterator[Pace | None]:
    """A bar where stderr is a terminal that is not dumb, else None."""
    bar = Pace(deals, kept) if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else None
    try:
        yield bar
    finally:
        if bar is not None:
            bar.hide()
