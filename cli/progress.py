"""A bar on stderr for long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress(count: Callable[[], int | None]) -> Iterator[Callable[[], None]]:
    """What to call after each piece of work; a bar shows on a terminal where no results appear.

    `count`: how many pieces there will be, asked only if a bar is wanted; None if nobody knows.
    """
    length = count() if sys.stderr.isatty() and not sys.stdout.isatty() else None
    if length is None:
        yield lambda: None
        return
    with click.progressbar(length=length, file=sys.stderr, label="solving") as bar:
        yield lambda: bar.update(1)
