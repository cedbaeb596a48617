"""A point of play: what each hand holds, what lies on the table, who has taken how much.

    mover   the seat to play next; clockwise from the leader of the trick
    tricks  of the whole hand: those taken and those to come

Rules of play (the same in every game here): follow the suit led if you can, otherwise play any card; the highest
trump wins, without one the highest card of the suit led; the winner leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tierce.solver.cards import (
    ALL_CARDS,
    LANE,
    NOTRUMP,
    SUIT_NAMES,
    Card,
    Mask,
    card_name,
    mask_of,
    seat_letters,
    suit_of,
)
from tierce.solver.checks import as_tuple, check_type, is_whole, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError

__all__ = ["MAX_CARDS", "Position"]

MAX_CARDS = 18  # a hand, in the largest game


@dataclass(frozen=True, slots=True)
class Position:
    """Three or four hands at any point of a trick. Errors: InputError, with `field` naming the attribute.

    hands   masks of the cards held now, in seat order; cards on the table are in no hand
    trump   0 to 3, or 4 for no trump
    leader  the seat that leads, or led, the current trick
    trick   cards on the table, in the order played
    taken   tricks taken so far by each seat; left out: none

    Any sequences will do for hands, trick and taken: they are kept as tuples.
    """

    hands: tuple[Mask, ...]
    trump: int
    leader: int
    trick: tuple[Card, ...] = ()
    taken: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self._keep_tuples()
        n = len(self.hands)
        if n not in (3, 4):
            raise _fault("hands", f"expected 3 or 4 hands, found {n}")
        if not (is_whole(self.trump) and 0 <= self.trump <= NOTRUMP):
            raise _fault("trump", f"expected a trump from 0 (spades) to 4 (no trump), found {quoted(self.trump)}")
        if not (is_whole(self.leader) and 0 <= self.leader < n):
            raise _fault("leader", f"expected a leader from 0 to {n - 1}, found {quoted(self.leader)}")
        if not self.taken:
            object.__setattr__(self, "taken", (0,) * n)
        if len(self.taken) != n or not all(is_whole(tricks) and 0 <= tricks <= MAX_CARDS for tricks in self.taken):
            raise _fault("taken", f"expected tricks taken by each of {n} seats, found {quoted(self.taken)}")
        self._check_cards(n)

    def _keep_tuples(self) -> None:
        """Make tuples of other sequences: a position is a value, whatever becomes of the lists it was made from."""
        for name in ("hands", "trick", "taken"):
            kept = as_tuple(getattr(self, name))
            if kept is None:
                raise _fault(name, f"expected a sequence of numbers, found {quoted(getattr(self, name))}")
            object.__setattr__(self, name, kept)

    def _check_cards(self, n: int) -> None:
        if len(self.trick) >= n:
            raise _fault("trick", f"expected fewer cards on the table than hands, found {len(self.trick)}")
        known = all(is_whole(card) and 0 <= card < 64 for card in self.trick)
        seen = mask_of(self.trick) if known else 0
        if not known or seen.bit_count() != len(self.trick) or seen & ~ALL_CARDS:
            raise _fault("trick", f"expected distinct cards on the table, found {quoted(self.trick)}")
        for hand in self.hands:
            if not is_whole(hand) or hand < 0 or hand & ~ALL_CARDS:
                found = hex(hand) if is_whole(hand) else quoted(hand)
                raise _fault("hands", f"expected hands of cards 16 * suit + rank, found {found:.60}")
        size = self.hands[self.leader].bit_count() + bool(self.trick)
        for place in range(n):
            seat = (self.leader + place) % n
            hand = self.hands[seat]
            if hand & seen:
                twice = card_name((hand & seen & -(hand & seen)).bit_length() - 1)
                raise _fault("hands", f"expected every card once, found {twice} twice", code="duplicate_card")
            seen |= hand
            held = hand.bit_count() + (place < len(self.trick))
            if held != size:
                letters = seat_letters(n)
                raise _fault(
                    "hands",
                    f"expected equal hands when the trick began, found {size} cards with {letters[self.leader]}"
                    f" and {held} with {letters[seat]}",
                    code="unequal_hands",
                )
        if size > MAX_CARDS:
            raise _fault("hands", f"expected at most {MAX_CARDS} cards a hand, found {size}")
        for place in range(1, len(self.trick)):
            self._check_follows((self.leader + place) % n, self.trick[place])

    def _check_follows(self, seat: int, played: Card) -> None:
        led = suit_of(self.trick[0])
        if suit_of(played) != led and self.hands[seat] >> 16 * led & LANE:
            raise InputError(
                "illegal_card",
                f"expected {seat_letters(self.n)[seat]} to follow {SUIT_NAMES[led]}, found {card_name(played)}",
                field="play",
            )

    @classmethod
    def start(cls, deal: Deal, trump: int, leader: int | None = None, play: Sequence[Card] = ()) -> Self:
        """The position after `play`, cards in the order played from the first lead.

        `deal` is the deal as played, its kitty settled (Deal.with_discard). `leader` of the first trick: three hands,
        the eldest unless told; four hands need it.
        """
        check_type(deal, Deal, "a Deal")
        if leader is None:
            if len(deal.hands) == 4:
                raise _fault("leader", "expected the seat that leads first", code="seat")
            leader = 1
        position = cls(deal.hands, trump, leader)
        for number, card in enumerate(play, 1):
            try:
                position = position.play(card)
            except InputError as error:
                raise InputError(error.code, f"card {number} of the play: {error.message}", field="play") from None
        return position

    @property
    def n(self) -> int:
        """Number of hands."""
        return len(self.hands)

    @property
    def mover(self) -> int:
        """The seat to play next."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def left(self) -> int:
        """Tricks to come, the one on the table included."""
        return self.hands[self.leader].bit_count() + bool(self.trick)

    @property
    def tricks(self) -> int:
        """Tricks of the whole hand: taken and to come."""
        return sum(self.taken) + self.left

    @property
    def in_play(self) -> Mask:
        """Cards in hands and on the table."""
        return mask_of(self.trick) | sum(self.hands)

    def legal(self) -> Mask:
        """The cards the mover may play."""
        hand = self.hands[self.mover]
        if self.trick:
            suit = hand & LANE << 16 * suit_of(self.trick[0])
            return suit or hand
        return hand

    def play(self, card: Card) -> Self:
        """The position after the mover plays `card`. InputError (illegal_card), with the reason, if he may not."""
        mover = self.mover
        bit = 1 << card if is_whole(card) and 0 <= card < 64 else 0
        if not bit & self.legal():
            self._refuse(card, mover)
        hands = (*self.hands[:mover], self.hands[mover] & ~bit, *self.hands[mover + 1 :])
        trick = (*self.trick, card)
        if len(trick) < len(hands):
            return self._next(hands, self.leader, trick, self.taken)
        winner = (self.leader + winning_place(trick, self.trump)) % len(hands)
        taken = (*self.taken[:winner], self.taken[winner] + 1, *self.taken[winner + 1 :])
        return self._next(hands, winner, (), taken)

    def _next(self, hands: tuple[Mask, ...], leader: int, trick: tuple[Card, ...], taken: tuple[int, ...]) -> Self:
        # A legal card leads from a valid position to a valid one: not checked again.
        new = object.__new__(type(self))
        for name, value in (("hands", hands), ("trump", self.trump), ("leader", leader)):
            object.__setattr__(new, name, value)
        object.__setattr__(new, "trick", trick)
        object.__setattr__(new, "taken", taken)
        return new

    def _refuse(self, card: Card, mover: int) -> None:
        seat = seat_letters(self.n)[mover]
        if not self.left:
            message = f"expected no more cards, found {_name(card)}: the hand is over"
        elif not (is_whole(card) and 0 <= card < 64 and self.hands[mover] >> card & 1):
            message = f"expected a card that {seat} holds, found {_name(card)}"
        else:
            led = SUIT_NAMES[suit_of(self.trick[0])]
            message = f"expected {seat} to follow {led}, found {_name(card)}"
        raise InputError("illegal_card", message, field="play")


def winning_place(trick: Sequence[Card], trump: int) -> int:
    """Which card of a trick wins: its place, 0 for the card led."""
    best = 0
    for place, card in enumerate(trick):
        suit, top = card >> 4, trick[best] >> 4
        if (card > trick[best]) if suit == top else suit == trump:
            best = place
    return best


def _name(card: Card) -> str:
    known = is_whole(card) and 0 <= card < 64 and ALL_CARDS >> card & 1
    return card_name(card) if known else quoted(card)


def _fault(field: str, message: str, *, code: str = "position") -> InputError:
    return InputError(code, message, field=field)
