"""A bar on stderr for long work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_EVERY = 0.1  # seconds between two pictures
_WIDEST = 36  # columns of the bar itself
_NARROWEST = 4


class Bar:
    """What is done out of `length` pieces; without a length nothing is ever drawn.

    Drawn with blanks and carriage returns alone: a program that is stopped leaves the terminal as it was.
    """

    def __init__(self, length: int | None = None) -> None:
        self._length = length
        self._done = 0
        self._due = 0.0
        self._drawn = 0  # columns

    def step(self) -> None:
        """A piece is done."""
        self._done += 1
        if self._length and (time.monotonic() >= self._due or self._done == self._length):
            self._due = time.monotonic() + _EVERY
            self._draw()

    def hide(self) -> None:
        """Clear the line, for a message or because all is done."""
        if self._drawn:
            self._write("\r" + " " * self._drawn + "\r")
            self._drawn = 0
            self._due = 0.0

    def _draw(self) -> None:
        text = picture(self._done, self._length or 0, _columns())
        self._write("\r" + text.ljust(self._drawn))
        self._drawn = len(text)

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


class Gauge(Bar):
    """What share of one long work, by this name, is done, and a word about it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def show(self, share: float, said: str) -> None:
        """Draw; `share` from 0 to 1."""
        text = gauge_picture(self._name, share, said, _columns())
        self._write("\r" + text.ljust(self._drawn))
        self._drawn = len(text)


def gauge_picture(name: str, share: float, said: str, columns: int) -> str:
    """The bar, a percentage and what is said, as far as there is room for them."""
    percent = f"{int(100 * share)} %"
    words = [text for text in (f"{percent} {said}".rstrip(), percent) if len(text) < columns]
    for text in words:
        room = min(_WIDEST, columns - 1 - len(f"{name} [] {text}"))
        if room >= _NARROWEST:
            filled = int(room * share)
            return f"{name} [{'#' * filled}{'-' * (room - filled)}] {text}"
    return words[0] if words else ""


def picture(done: int, length: int, columns: int) -> str:
    """The bar as text that leaves at least the last column free; only the count, or nothing, where there is no room."""
    count = f"{done}/{length}"
    room = min(_WIDEST, columns - 1 - len(f"solving [] {count}"))
    if room >= _NARROWEST:
        filled = room * min(done, length) // max(1, length)
        return f"solving [{'#' * filled}{'-' * (room - filled)}] {count}"
    return count if len(count) < columns else ""


def _columns() -> int:
    """The width of the terminal that stderr is."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    return 80


@contextmanager
def progress(count: Callable[[], int | None]) -> Iterator[Bar]:
    """A bar to step after each piece of work; it shows on a terminal where no results appear, unless that is dumb.

    `count`: how many pieces there will be, asked only if a bar is wanted; None if nobody knows.
    """
    wanted = sys.stderr.isatty() and not sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    bar = Bar(count() if wanted else None)
    try:
        yield bar
    finally:
        bar.hide()


@contextmanager
def gauge(name: str = "dealer") -> Iterator[Gauge | None]:
    """A gauge by this name for a command that prints nothing before its end, so that it may share the terminal with the
    results; None where stderr is no terminal, or a dumb one."""
    bar = Gauge(name) if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else None
    try:
        yield bar
    finally:
        if bar is not None:
            bar.hide()
