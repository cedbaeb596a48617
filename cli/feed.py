"""Lines as they come: a client that waits for an answer before it asks on must get that answer."""

from __future__ import annotations

import io
import os
import select
from collections.abc import Iterator
from typing import IO, Literal

from tierce.cli.exits import reading
from tierce.solver.batch.jsonl import lines_of
from tierce.solver.batch.many import PAUSE, Pause

_BLOCK = 1 << 16  # bytes read at once, and kept of a line without an end: longer ones are refused anyway


def lines_as_they_come(file: IO[bytes], name: str) -> Iterator[str | Literal[Pause.PAUSE]]:
    """The lines of a file that nobody has read from yet, and PAUSE before each wait for more.

    Reads the file's descriptor, with no more in memory than a block and a line. OSError has the file's name.
    """
    try:
        descriptor = file.fileno()
    except (OSError, ValueError):  # bytes in memory: there is nothing to wait for
        yield from lines_of(file)
        return
    rest = b""
    with reading(name):
        for data in _blocks(descriptor):
            if data is PAUSE:
                yield PAUSE
                continue
            whole, end, rest = (rest + data).rpartition(b"\n")
            yield from lines_of(io.BytesIO(whole + end))
            rest = rest[:_BLOCK]
        yield from lines_of(io.BytesIO(rest))


def _blocks(descriptor: int) -> Iterator[bytes | Literal[Pause.PAUSE]]:
    """What there is to read, and PAUSE before each wait for more."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    while True:
        if not waiting.poll(0):
            yield PAUSE
            waiting.poll()  # and not `read`, which does not wait if whoever shares the descriptor made it so
        data = os.read(descriptor, _BLOCK)
        if not data:
            return
        yield data
