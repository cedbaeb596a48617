"""Requests to the engine about the cards at a first lead: the part that all lays of a call share, and the packing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, TypeAlias

from tierce.solver.advice.choices import trump_of
from tierce.solver.advice.values import Term
from tierce.solver.cards import Mask
from tierce.solver.search import NO_CARD, REQUEST

__all__ = ["Hands", "Head", "head_of", "nanoseconds_left", "packed"]

Hands: TypeAlias = tuple[Mask, ...]
Head: TypeAlias = tuple[int, int, int, int]  # trump, leader, the seats that want the tricks and those that count them

_EMPTY_TABLE: Final = 4 * (NO_CARD,)  # no cards on it
_ELDEST: Final = 1
_ALL: Final = 0b111


def head_of(call: str, term: Term) -> Head:
    """What a call and a term of its worth ask of every lay."""
    return trump_of(call), _ELDEST, term.side if term.objective == "most" else _ALL ^ term.side, term.side


def packed(
    head: Head,
    hands: Sequence[Hands],
    low: int,
    high: int,
    guess: int = -1,
    *,
    max_nodes: int = 0,
    timeout: int = 0,
) -> bytes:
    """Requests for the tricks between `low` and `high`, one for each lay; the limits are for all together."""
    rest = (*_EMPTY_TABLE, 3, *head, low, high, guess)
    return b"".join(REQUEST.pack(*each, 0, *rest, number > 0, max_nodes, timeout) for number, each in enumerate(hands))


def nanoseconds_left(deadline: float | None) -> int:
    """Until a deadline on the monotonic clock, as requests have it: 0 for none, 1 where it has passed."""
    return 0 if deadline is None else max(1, int((deadline - time.monotonic()) * 1e9))
