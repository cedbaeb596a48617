"""Answers that are kept, by all that matters to them; the least recently used go first.

An answer is kept as its bytes: a message in memory takes three to six times as much, and nobody knows how much.

Thread safety: used by the event loop alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

from google.protobuf.message import Message

__all__ = ["Cache"]

_BESIDE: Final = 900  # bytes of an entry besides its answer, about: mostly its key's objects


class Cache:
    """See the module. `max_bytes`: of all answers, 0 for none."""

    def __init__(self, max_bytes: int) -> None:
        self._max = max_bytes
        self._kept: OrderedDict[Hashable, tuple[type[Message], bytes]] = OrderedDict()
        self.bytes = 0
        self.hits = 0
        self.misses = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable | None) -> Message | None:
        """The answer, if it is there: a message of one's own."""
        if key is None or not self._max:
            return None
        found = self._kept.get(key)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._kept.move_to_end(key)
        kind, data = found
        return kind.FromString(data)

    def put(self, key: Hashable | None, answer: Message) -> None:
        """Keep an answer, unless it alone would take more than a tenth of the room."""
        if key is None or not self._max:
            return
        data = answer.SerializeToString()
        if _size(data) * 10 > self._max:
            return
        if key in self._kept:
            self.bytes -= _size(self._kept.pop(key)[1])
        self._kept[key] = type(answer), data
        self.bytes += _size(data)
        while self.bytes > self._max:
            self.bytes -= _size(self._kept.popitem(last=False)[1][1])


def _size(data: bytes) -> int:
    return len(data) + _BESIDE
