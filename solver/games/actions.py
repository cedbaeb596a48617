"""What can be done in a deal: one small value a kind. Seats are those of the state; cards are masks.

Automatic actions (`TakeKitty`, `Return`, `Show`, `Score`) leave no choice; `rules.settle` does them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tierce.solver.cards import Card, Mask
from tierce.solver.deal import Deal

__all__ = [
    "AUTOMATIC", "Action", "Bid", "BidValue", "Call", "Claim", "DealCards", "Discard", "NameTrump", "Play", "Return",
    "Score", "Send", "Show", "Swap", "TakeKitty",
]  # fmt: skip


BidValue: TypeAlias = int | str | None


@dataclass(frozen=True, slots=True)
class DealCards:
    """The cards are dealt: hands by seat, and what is undealt or removed as the kitty. `turned` is the dealer's last
    card, turned up for trump, in a game of contracts."""

    deal: Deal
    turned: Card | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """In the auction: what is promised, or None for a pass.

    For the dealer's seat a number of tricks; `seat` is that of the first dealer's deal, the bidder who stands becomes
    seat 0. For a contract a word of `contracts.BIDS`.
    """

    seat: int
    bid: BidValue


@dataclass(frozen=True, slots=True)
class Call:
    """The dealer's contract: S H D C N or MIZ."""

    seat: int
    call: str


@dataclass(frozen=True, slots=True)
class Send:
    """A parcel, face down."""

    seat: int
    to: int
    cards: Mask


@dataclass(frozen=True, slots=True)
class Return:
    """What the rule demands for a parcel."""

    seat: int
    to: int
    cards: Mask


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The dealer, or who has bid for it, names the trump suit: 0..3, S H D C; 4 for none where that may be named."""

    seat: int
    trump: int


@dataclass(frozen=True, slots=True)
class Discard:
    """The dealer lays cards away."""

    seat: int
    cards: Mask


@dataclass(frozen=True, slots=True)
class TakeKitty:
    """The dealer takes the kitty into his hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Show:
    """The dealer shows kitty cards to a partner of the exchange, privately."""

    seat: int
    to: int
    cards: Mask


@dataclass(frozen=True, slots=True)
class Swap:
    """The holder of the two of diamonds takes the up-card and leaves the two, or does not."""

    seat: int
    take: bool


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the trick."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Claim:
    """Play ends: all agree to how many of the tricks left each seat gets, in seat order. Between tricks only."""

    tricks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The deal is settled; the next one begins or the match ends."""


Action: TypeAlias = (
    DealCards | Bid | Call | Send | Return | NameTrump | Discard | TakeKitty | Show | Swap | Play | Claim | Score
)
AUTOMATIC = (TakeKitty, Return, Show, Score)
