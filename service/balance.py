"""Who has the processors: the event loop, where it needs them to refuse what cannot be served."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from tierce.service.figures import Figures
from tierce.service.pool import Pool

__all__ = ["balance"]

TICK: Final = 0.25  # seconds
MUCH: Final = 0.5  # of a processor: what the event loop needs when it has more to do than it should
CALM: Final = 20  # ticks without a refusal, and without much to do, after which all is as it was


async def balance(pool: Pool, figures: Figures) -> None:
    """Press the pool while calls are refused or the event loop has much to do; let go some seconds after."""
    refused, used, at, calm = figures.refused, time.thread_time(), time.monotonic(), 0
    while True:
        await asyncio.sleep(TICK)
        then = refused, used, at
        refused, used, at = figures.refused, time.thread_time(), time.monotonic()
        busy = refused > then[0] or used - then[1] > MUCH * (at - then[2])
        calm = 0 if busy else calm + 1
        if busy or calm == CALM:
            pool.press(busy)
