"""The auction for the dealer's seat of a first deal: who speaks, what may be bid, when it is over.

Seats are those of the first dealer's deal: he speaks first, then clockwise. A bid is the tricks promised; the last one
standing makes its bidder the dealer, with the quotas of AUCTION_QUOTAS.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tierce.solver.games.state import State

__all__ = ["AUCTION_QUOTAS", "BIDS", "auction_over", "bidder", "open_bids", "standing"]

BIDS: Final = range(8, 17)
AUCTION_QUOTAS: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        8: (8, 5, 3), 9: (9, 4, 3), 10: (10, 4, 2), 11: (11, 3, 2), 12: (12, 2, 2), 13: (13, 2, 1), 14: (14, 1, 1),
        15: (15, 1, 0), 16: (16, 0, 0),
    }
)  # fmt: skip


def standing(state: State) -> tuple[int, int] | None:
    """The bid that stands: (seat, tricks)."""
    made = [(seat, tricks) for seat, tricks in state.bids if isinstance(tricks, int)]
    return made[-1] if made else None


def bidder(state: State) -> int:
    """Who speaks next: clockwise from the dealer; who has passed is out, unless he may come in again."""
    seat = (state.bids[-1][0] + 1) % 3 if state.bids else 0
    if not state.profile.option("bid_reentry"):
        passed = {each for each, tricks in state.bids if tricks is None}
        for _ in passed:
            if seat in passed:
                seat = (seat + 1) % 3
    return seat


def open_bids(state: State) -> range:
    bid = standing(state)
    if bid is None or not state.profile.option("bid_must_rise"):
        return BIDS
    return range(bid[1] + 1, BIDS.stop)


def auction_over(state: State) -> bool:
    bid = standing(state)
    passes = {seat for seat, tricks in state.bids if tricks is None}
    if bid is None:
        return len(passes) == 3
    if state.profile.option("bid_reentry"):
        return [tricks for _, tricks in state.bids[-2:]] == [None, None] and len(state.bids) > 2
    return passes >= {0, 1, 2} - {bid[0]}
