"""The native search, in the build that fits this processor.

The extension is compiled twice from one source. On x86-64 processors with the instructions of x86-64-v3 the faster
build serves; the environment variable TIERCE_CPU=baseline forces the plain one. Answers and node counts are equal.

    REQUEST  hands[4] masks, trick[4] cards (255: none), number of hands, trump, leader of the trick, maxers, counted,
             low, high, guess (-1: the engine's choice), joined (1: limits go on counting from the request before),
             most nodes (0: no limit), nanoseconds (0: no limit)
    RESULT   low, high, stop code, relevant cards (mask), nodes, nanoseconds
"""

from __future__ import annotations

import os
import struct
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tierce.solver.errors import InputError

try:
    from tierce.solver.search import _engine
except ImportError as error:
    # A clone named `tierce` beside the program hides the installed package: both are parts of one namespace.
    raise ImportError(
        f"expected the compiled search in {os.path.dirname(__file__)}, found none that loads ({error}). Is this a "
        "folder of sources that was not built? A program beside a clone named tierce finds that, not what is installed."
    ) from error

__all__ = [
    "CPU",
    "NO_CARD",
    "REQUEST",
    "RESULT",
    "STOP_CANCELLED",
    "STOP_NODES",
    "STOP_TIME",
    "Engine",
]

REQUEST: Final = struct.Struct("<4Q4B5B3bB3xQq")
RESULT: Final = struct.Struct("<2bB5xQQq")
NO_CARD: Final = 255
STOP_NODES: Final = 1
STOP_TIME: Final = 2
STOP_CANCELLED: Final = 3


def _choose() -> str:
    wanted = os.environ.get("TIERCE_CPU", "")
    if wanted not in ("", "auto", "baseline"):
        raise InputError("cpu", f"expected TIERCE_CPU to be 'auto' or 'baseline', found {wanted!r}", field="TIERCE_CPU")
    return "baseline" if wanted == "baseline" or not _engine.cpu_supports_v3() else "v3"


CPU: Final = _choose()

if TYPE_CHECKING:
    from tierce.solver.search._engine import Engine
elif CPU == "v3":
    Engine = import_module("tierce.solver.search._engine_v3").Engine
else:
    Engine = _engine.Engine
