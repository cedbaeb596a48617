"""Random numbers that are the same on every machine, for ever: generator "tierce-draw-1".

The stream of a seed and an index is the bits of the SHA-256 digests of "tierce-draw-1:<seed>:<index>:<block>" for
blocks 0, 1, 2 ..., each digest read as a little-endian number, low bits first. A number below n takes as many bits as
n - 1 has; one that is not below n is thrown away and the next bits are taken, so that no number is favoured.
"""

from __future__ import annotations

import hashlib
from typing import Final

from tierce.solver.cards import Mask
from tierce.solver.checks import is_whole
from tierce.solver.errors import InputError

__all__ = ["GENERATOR", "Draws"]

GENERATOR: Final = "tierce-draw-1"
_BLOCK: Final = 256  # bits of a digest


class Draws:
    """A stream of random numbers, settled by seed and index. One thread at a time: each number moves it on."""

    __slots__ = ("_bits", "_block", "_name", "_pool")

    def __init__(self, seed: int, index: int = 0) -> None:
        """InputError (field "seed") for a seed or index that is no whole number of 0 or more."""
        for number in (seed, index):
            if not is_whole(number) or number < 0:
                raise InputError("seed", f"expected a whole number of 0 or more, found {number!r:.60}", field="seed")
        self._name = f"{GENERATOR}:{seed}:{index}:"
        self._block = 0
        self._pool = 0
        self._bits = 0

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, each equally likely; `limit` is 1 or more and may be as large as it likes."""
        bits = (limit - 1).bit_length()
        mask = (1 << bits) - 1
        while True:
            while self._bits < bits:
                self._fill()
            found = self._pool & mask
            self._pool >>= bits
            self._bits -= bits
            if found < limit:
                return found

    def take(self, cards: list[Mask], count: int) -> Mask:
        """Take `count` cards out of a list of one-card masks, every set of so many equally likely."""
        found = 0
        for _ in range(count):
            place = self.below(len(cards))
            found |= cards[place]
            cards[place] = cards[-1]
            cards.pop()
        return found

    def _fill(self) -> None:
        digest = hashlib.sha256(f"{self._name}{self._block}".encode()).digest()
        self._pool |= int.from_bytes(digest, "little") << self._bits
        self._bits += _BLOCK
        self._block += 1
