"""Ctrl-C from the first moment of the program to its last, never with a traceback.

    starting   the program ends at once: it has done nothing yet
    working    the first is a KeyboardInterrupt, so that what is finished gets written; the second ends it at once
    leaving    the program ends at once: all is written

Where somebody else has settled what SIGINT does (`nohup`, a background job, a test), it stays so.
"""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
NO_ROOM = 75


def starting() -> None:
    """Before the imports."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def working() -> None:
    """Before the command, where a KeyboardInterrupt is caught."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _first)


def leaving() -> None:
    """After the command."""
    if signal.getsignal(signal.SIGINT) is _first:
        signal.signal(signal.SIGINT, _end)


def no_room_to_start(error: MemoryError | ImportError) -> NoReturn:
    """End the process if memory was too short for its imports; other errors are raised again."""
    if not out_of_memory(error):
        raise error
    _write(f"error: not enough memory to start: {error}\n".replace(": \n", "\n"))
    os._exit(NO_ROOM)


def out_of_memory(error: BaseException) -> bool:
    """Did memory run out, also while a library was loaded?"""
    return isinstance(error, MemoryError) or (isinstance(error, ImportError) and "failed to map" in str(error))


def _end(signum: int, frame: FrameType | None) -> NoReturn:
    _write("\nerror: interrupted\n" if os.isatty(2) else "error: interrupted\n")  # on a terminal after the ^C
    os._exit(INTERRUPTED)


def _first(signum: int, frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGINT, _second)
    raise KeyboardInterrupt


def _second(signum: int, frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)  # without a word: the first one is being reported


def _write(text: str) -> None:
    try:  # noqa: SIM105 - contextlib is not imported yet
        os.write(2, text.encode("ascii", "backslashreplace"))
    except OSError:
        pass
