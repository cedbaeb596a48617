"""A match at a moment, immutable. `rules.legal` says what may happen next, `rules.apply` gives the state after it.

Seats are those of the deal: 0 dealer, 1 eldest, 2 middle, playing in this order round the table; eldest leads. Players
are 0, 1, 2 for the whole match; `dealer` says who sits in seat 0, and player `(dealer + seat) % 3` in the others.
Four seats are the players' own for the whole match, 0 to 3, N E S W, playing in this order; `dealer` is the seat that
deals, eldest the one on its left.
"""

from __future__ import annotations

from dataclasses import dataclass

from tierce.solver.cards import Card, Mask, bit, cards_of
from tierce.solver.deal import Deal
from tierce.solver.games.actions import BidValue
from tierce.solver.games.contracts import Contract
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.profile import Profile
from tierce.solver.games.scoring import DealResult

__all__ = ["ELDEST", "State", "Trick", "before_deal", "new_match"]

ELDEST = 1


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: who led, the cards in the order played, who won."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class State:
    """A match at a moment.

    profile     the game
    dealer      the player who deals; of three hands, who sits in seat 0
    steps, at   phases of this deal and which of them it is in; `phase` names it
    results     deals scored so far; totals: running totals by player
    quotas      tricks owed in this deal, by seat
    hands       cards held now, by seat; cards on the table are in no hand
    dealt       the deal as dealt (seats of the auction's end, where there was one), None before it
    kitty       cards undealt and not yet taken, face up in a game with an up-card; removed: cards out of the pack
    taken_kitty cards the dealer took; discard: cards he laid away
    turned      the dealer's card that was turned up, in a game of contracts; it stays his
    bids        (seat, tricks, a contract's word, or None for a pass); seats of the first dealer's deal
    contract    what is played, from the end of the auction; its trump is UNNAMED in the phase TRUMP
    transfers   the exchange's parcels as far as known; queue: what of it is still to be done
    shown       (seat, kitty cards shown to it)
    call        S H D C N or MIZ; "" before it is named, or in a deal that is void
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
    totals: tuple[int, ...] = (0, 0, 0)
    quotas: tuple[int, ...] = (0, 0, 0)
    hands: tuple[Mask, ...] = (0, 0, 0)
    dealt: Deal | None = None
    kitty: Mask = 0
    removed: Mask = 0
    taken_kitty: Mask = 0
    discard: Mask = 0
    bids: tuple[tuple[int, BidValue], ...] = ()
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
    taken: tuple[int, ...] = (0, 0, 0)
    claim: tuple[int, ...] | None = None
    used: tuple[frozenset[str], ...] = (frozenset(), frozenset(), frozenset())
    won: tuple[int, ...] = ()
    turned: Card | None = None
    contract: Contract | None = None

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
        return self.profile.player(self.dealer, seat)

    @property
    def eldest(self) -> int:
        """The seat left of the dealer."""
        return ELDEST if len(self.hands) == 3 else (self.dealer + 1) % 4

    @property
    def trump(self) -> int:
        """The trump of the call, 0..3 or 4 for none (in MIZ too). Meaningful once there is a call."""
        return "SHDC".find(self.call) if self.call in "SHDC" else 4

    @property
    def mover(self) -> int:
        """In the play: the seat to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def exposed(self) -> Mask:
        """The hand that lies open for all, as far as it has not been played."""
        contract = self.contract
        return self.hands[contract.declarers[0]] if contract is not None and contract.rule.open and self.tricks else 0

    def playable(self, seat: int) -> tuple[Card, ...]:
        """The cards this seat may play if it is its turn: of the suit led if it has any."""
        hand = self.hands[seat]
        if self.trick:
            suit = 0x1FFF << (self.trick[0] & ~15)
            hand = hand & suit or hand
        return cards_of(hand)


def new_match(profile: Profile, dealer: int = 0) -> State:
    """A match before its first deal. The first dealer is drawn by lot: any player."""
    none = (0,) * profile.seats
    return before_deal(profile, dealer % profile.seats, (), none, (frozenset(),) * profile.seats)


def before_deal(
    profile: Profile,
    dealer: int,
    results: tuple[DealResult, ...],
    totals: tuple[int, ...],
    used: tuple[frozenset[str], ...],
) -> State:
    """A match before a deal: what came of those before it, and who deals."""
    none = (0,) * profile.seats
    return State(
        profile,
        dealer,
        profile.steps(first=not results),
        results=results,
        totals=totals,
        quotas=profile.quotas,
        hands=none,
        taken=none,
        used=used,
    )


def without(hands: tuple[Mask, ...], seat: int, cards: Mask) -> tuple[Mask, ...]:
    """The hands with cards moved out of one or, where it lacks them, into it."""
    changed = list(hands)
    changed[seat] ^= cards
    return tuple(changed)


def moved(hands: tuple[Mask, ...], seat: int, to: int, cards: Mask) -> tuple[Mask, ...]:
    """The hands with cards moved from one to another."""
    return without(without(hands, seat, cards), to, cards)


def held(hand: Mask, card: Card) -> bool:
    """Is the card in the hand?"""
    return bool(hand & bit(card))
