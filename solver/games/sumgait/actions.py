"""What can be done in a deal of Sumgait Driller: one small value a kind.

Seats are 0 declarer, 1 next player, 2 the other; cards are masks. `TakeKitty`, `Score` and the cards of piles whose
order is known leave no choice; `rules.settle` does them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tierce.solver.games.sumgait.cards import Card, Mask
from tierce.solver.games.sumgait.deal import Dealt

__all__ = [
    "Action", "Call", "DealCards", "Early", "Give", "Outcome", "Play", "Rob", "Score", "Shuffle", "TakeKitty",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class DealCards:
    """The cards are dealt."""

    deal: Dealt


@dataclass(frozen=True, slots=True)
class Outcome:
    """A deal whose cards are not known, as a sheet has it: the call, the suits declared trump in their order, and the
    tricks by seat."""

    call: str
    marriages: tuple[int, ...]
    tricks: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Rob:
    """The declarer takes the sixteen cards of a seat for his own, both in the open; None: he does not."""

    of: int | None


@dataclass(frozen=True, slots=True)
class Early:
    """Before the kitty the declarer calls MISERE, or does not."""

    misere: bool


@dataclass(frozen=True, slots=True)
class TakeKitty:
    """The declarer takes the kitty into his hand."""


@dataclass(frozen=True, slots=True)
class Give:
    """The declarer gives two cards to the next player and two to the other."""

    next: Mask
    other: Mask


@dataclass(frozen=True, slots=True)
class Call:
    """The declarer plays, or calls PASS or MISERE: `prices.PLAY`, `PASS`, `MISERE`."""

    call: str


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The blind piles get their order, by seat, the top card first; () for a hand that is no pile.

    None: nobody tells it; each card is told as it is turned.
    """

    piles: tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]] | None


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the trick; `marriage`: the suit of the king or queen led becomes trump."""

    seat: int
    card: Card
    marriage: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """The deal is settled; the next player declares or the match ends."""


Action: TypeAlias = (
    DealCards | Outcome | Rob | Early | TakeKitty | Give | Call | Shuffle | Play | Score
)  # fmt: skip
