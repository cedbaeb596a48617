"""A match at a moment, immutable. `rules.legal` says what may happen next, `rules.apply` gives the state after it.

Seats are those of the deal: 0 dealer, 1 eldest, 2 middle, playing in this order round the table; eldest leads. Players
are 0, 1, 2 for the whole match; `dealer` says who sits in seat 0, and player `(dealer + seat) % 3` in the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from tierce.solver.cards import Card, Mask, bit, cards_of
from tierce.solver.deal import Deal
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.profile import Profile
from tierce.solver.games.scoring import DealResult

__all__ = ["ELDEST", "State", "Trick", "new_match"]

ELDEST = 1


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: who led, the cards in the order played, who won."""

    leader: int
    cards: tuple[Card, Card, Card]
    winner: int


@dataclass(frozen=True, slots=True)
class State:
    """A match at a moment.

    profile     the game
    dealer      the player in seat 0
    steps, at   phases of this deal and which of them it is in; `phase` names it
    results     deals scored so far; totals: running totals by player
    quotas      tricks owed in this deal, by seat
    hands       cards held now, by seat; cards on the table are in no hand
    dealt       the deal as dealt (seats of the auction's end, where there was one), None before it
    kitty       cards undealt and not yet taken, face up in a game with an up-card; removed: cards out of the pack
    taken_kitty cards the dealer took; discard: cards he laid away
    bids        (seat of the first dealer's deal, tricks or None)
    transfers   the exchange's parcels as far as known; queue: what of it is still to be done
    shown       (seat, kitty cards shown to it)
    call        S H D C N or MIZ; "" before it is named
    swapped     did the holder of the two take the up-card; None: not (yet) asked; swapper: the seat that did
    taken_up    the up-card that was taken
    leader, trick, tricks, taken   the play; taken by seat. claim: tricks given away by agreement, by seat
    used        calls each player has used (games with calls)
    won         the players who have won the match, () while it goes on
    """

    profile: Profile
    dealer: int = 0
    steps: tuple[str, ...] = ()
    at: int = 0
    results: tuple[DealResult, ...] = ()
    totals: tuple[int, int, int] = (0, 0, 0)
    quotas: tuple[int, int, int] = (0, 0, 0)
    hands: tuple[Mask, Mask, Mask] = (0, 0, 0)
    dealt: Deal | None = None
    kitty: Mask = 0
    removed: Mask = 0
    taken_kitty: Mask = 0
    discard: Mask = 0
    bids: tuple[tuple[int, int | None], ...] = ()
    transfers: tuple[Transfer, ...] = ()
    queue: tuple[tuple[str, int], ...] = ()
    shown: tuple[tuple[int, Mask], ...] = ()
    call: str = ""
    swapped: bool | None = None
    swapper: int | None = None
    taken_up: Mask = 0
    leader: int = ELDEST
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    taken: tuple[int, int, int] = (0, 0, 0)
    claim: tuple[int, ...] | None = None
    used: tuple[frozenset[str], frozenset[str], frozenset[str]] = (frozenset(), frozenset(), frozenset())
    won: tuple[int, ...] = ()

    @property
    def phase(self) -> str:
        """The phase the deal is in, or OVER when the match is."""
        return "OVER" if self.won else self.steps[self.at]

    @property
    def first(self) -> bool:
        """Is this the first deal of the match?"""
        return not self.results

    @property
    def previous(self) -> DealResult | None:
        """The deal scored last."""
        return self.results[-1] if self.results else None

    def player(self, seat: int) -> int:
        """Who sits there."""
        return (self.dealer + seat) % 3

    @property
    def trump(self) -> int:
        """The trump of the call, 0..3 or 4 for none (in MIZ too). Meaningful once there is a call."""
        return "SHDC".find(self.call) if self.call in "SHDC" else 4

    @property
    def mover(self) -> int:
        """In the play: the seat to play."""
        return (self.leader + len(self.trick)) % 3

    def playable(self, seat: int) -> tuple[Card, ...]:
        """The cards this seat may play if it is its turn: of the suit led if it has any."""
        hand = self.hands[seat]
        if self.trick:
            suit = 0x1FFF << (self.trick[0] & ~15)
            hand = hand & suit or hand
        return cards_of(hand)


def new_match(profile: Profile, dealer: int = 0) -> State:
    """A match before its first deal. The first dealer is drawn by lot: any player."""
    return State(profile, dealer % 3, profile.steps(first=True), quotas=profile.quotas)


def without(hands: tuple[Mask, Mask, Mask], seat: int, cards: Mask) -> tuple[Mask, Mask, Mask]:
    """The hands with cards moved out of one or, where it lacks them, into it."""
    changed = list(hands)
    changed[seat] ^= cards
    return changed[0], changed[1], changed[2]


def moved(hands: tuple[Mask, Mask, Mask], seat: int, to: int, cards: Mask) -> tuple[Mask, Mask, Mask]:
    """The hands with cards moved from one to another."""
    return without(without(hands, seat, cards), to, cards)


def held(hand: Mask, card: Card) -> bool:
    """Is the card in the hand?"""
    return bool(hand & bit(card))
