"""The card of the rule-following player in a game of contracts: sides of one or two against the rest.

    simple_card(Moment.of(view))

What he knows is what his seat sees: own cards, those played, the suits of which a seat has shown that it has none, the
turned-up card until it is played, a hand that lies open. He draws no world and solves nothing.

Tricks wanted (all contracts but the misères):
    lead, declarers     trumps as long as the others can hold some, then cards that nothing beats, then the longest suit
    lead, defenders     cards that nothing beats; a suit that a friend can trump; a lone card, to trump the next; the
                        top of touching honours; low ones through the declarer from suits that hold nothing, and not
                        from a king or queen up to him if there is another
    following           last: as cheaply as it can be won, the lowest if a friend has it; second: low, an honour on an
                        honour; third: high; a suit that he lacks is trumped unless a friend has the trick
No trick (misère):
    the bidder          as high as can be without winning; what he throws away is the card with most below it
    the others          lead the suit in which fewest cards are left for the bidder to go under with, never one that he
                        has shown to lack; play under the trick as long as the bidder is to come, and get rid of high
                        cards once he is out of it
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from tierce.solver.cards import ALL_CARDS, LANE, LANE_BITS, NOTRUMP, SUITS, Card, Mask, cards_of, mask_of
from tierce.solver.games.view import View

__all__ = ["Moment", "simple_card"]

_SEATS: Final = 4
_TEN: Final = 8  # a rank
_QUEEN: Final = 10


@dataclass(frozen=True, slots=True)
class Moment:
    """What a seat knows when it plays a card.

    declarers   mask of seats; few: are they to win no trick
    trick       from `leader` on; gone: all cards played, those of the trick among them
    voids       suits (bit 1 << suit) that each seat has shown to lack
    known       cards known to be in each hand
    """

    seat: int
    hand: Mask
    trump: int
    declarers: int
    few: bool
    leader: int
    trick: tuple[Card, ...]
    gone: Mask
    voids: tuple[int, ...]
    known: tuple[Mask, ...] = (0, 0, 0, 0)

    @classmethod
    def of(cls, view: View) -> Moment:
        """The moment of a view in the play of a contract."""
        contract = view.contract
        assert contract is not None
        gone = mask_of(card for trick in view.tricks for card in trick.cards) | mask_of(view.trick)
        declarers = mask_of(contract.declarers)
        few = contract.rule.fewest
        return cls(
            view.seat, view.hand, contract.trump, declarers, few, view.leader, view.trick, gone, view.voids, view.known
        )

    @property
    def out(self) -> Mask:
        """Cards in the others' hands."""
        return ALL_CARDS & ~self.hand & ~self.gone

    def friend(self, seat: int) -> bool:
        """Is a seat of the same side, or the seat itself?"""
        return (self.declarers >> seat & 1) == (self.declarers >> self.seat & 1)

    @property
    def to_come(self) -> tuple[int, ...]:
        """The seats that play to this trick after the seat."""
        return tuple((self.seat + step) % _SEATS for step in range(1, _SEATS - len(self.trick)))

    def may_hold(self, seat: int, suit: int) -> bool:
        """Has a seat not shown that it lacks a suit of which cards are out?"""
        return not self.voids[seat] >> suit & 1 and bool(lane(self.out, suit))

    def best(self) -> tuple[int, Card]:
        """Who has the trick so far, and the card."""
        top, place = self.trick[0], 0
        for at, card in enumerate(self.trick):
            if beats(card, top, self.trump):
                top, place = card, at
        return (self.leader + place) % _SEATS, top


def lane(cards: Mask, suit: int) -> int:
    """The ranks of a suit as bits."""
    return cards >> LANE_BITS * suit & LANE


def beats(card: Card, other: Card, trump: int) -> bool:
    """Does a card that is played later win over one that has the trick?"""
    if card >> 4 == other >> 4:
        return card > other
    return card >> 4 == trump


def simple_card(moment: Moment) -> Card:
    """The card he plays."""
    hand = moment.hand
    if moment.trick:
        hand = hand & LANE << (moment.trick[0] & ~15) or hand
    if not hand & hand - 1:
        return hand.bit_length() - 1
    bidder = moment.declarers >> moment.seat & 1
    if moment.few:
        if bidder:
            return _ducked(moment) if moment.trick else _low_lead(moment)
        return _under(moment) if moment.trick else _attack(moment)
    if moment.trick:
        return _followed(moment)
    return _declarers_lead(moment) if bidder else _defenders_lead(moment)


def _low(ranks: int) -> int:
    return (ranks & -ranks).bit_length() - 1


def _high(ranks: int) -> int:
    return ranks.bit_length() - 1


def _below(rank: int) -> int:
    return (1 << rank) - 1


# ---- tricks are wanted: following ------------------------------------------------------------------------------------


def _followed(moment: Moment) -> Card:
    suit = moment.trick[0] >> 4
    own = lane(moment.hand, suit)
    holder, top = moment.best()
    ours = moment.friend(holder)
    if not own:
        return _void(moment, suit, top, ours)
    base = LANE_BITS * suit
    over = own & ~_below((top & 15) + 1) if top >> 4 == suit else 0
    if not over or (ours and _is_safe(moment, suit, top)):
        return base + _low(own)
    against = [seat for seat in moment.to_come if not moment.friend(seat)]
    if not against:
        return base + (_low(own) if ours else _low(over))
    master = _high(own) > _high(lane(moment.out, suit))
    if len(moment.trick) == 1:
        return base + _second(moment, own, over, top, master)
    # Third hand: high, if that is worth more than what is there already.
    high = _cheapest_like(_high(over), over, lane(moment.out, suit))
    between = lane(moment.out, suit) & _below(high) & ~_below((top & 15) + 1)
    return base + (high if not ours or between else _low(own))


def _second(moment: Moment, own: int, over: int, top: Card, master: bool) -> int:
    """Second hand: low, but for what cannot be beaten, and an honour on an honour."""
    out = lane(moment.out, top >> 4)
    if master and (out.bit_count() < 8 or moment.trump == NOTRUMP or own.bit_count() <= 3):
        return _cheapest_like(_high(own), own, out)
    if top & 15 >= _TEN and _high(over) >= _QUEEN:
        return _low(over)
    return _low(own)


def _cheapest_like(rank: int, own: int, out: int) -> int:
    """The lowest own card that comes to the same as one: with no card of the others between."""
    floor = _high(out & _below(rank))
    return _low(own & ~_below(floor + 1))


def _is_safe(moment: Moment, suit: int, top: Card) -> bool:
    """Can nobody of the others who are to come take a friend's trick, as far as is seen?"""
    against = [seat for seat in moment.to_come if not moment.friend(seat)]
    if not against:
        return True
    higher = lane(moment.out, top >> 4) & ~_below((top & 15) + 1)
    if higher and any(moment.may_hold(seat, top >> 4) for seat in against):
        return False
    ruffs = top >> 4 != moment.trump and moment.trump != NOTRUMP
    return not (
        ruffs and any(moment.voids[seat] >> suit & 1 and moment.may_hold(seat, moment.trump) for seat in against)
    )


def _void(moment: Moment, suit: int, top: Card, ours: bool) -> Card:
    """Nothing of the suit led: trump it, or throw a card away."""
    trump = moment.trump
    if trump != NOTRUMP and not (ours and (_is_safe(moment, suit, top) or top & 15 >= _QUEEN)):
        trumps = lane(moment.hand, trump)
        over = trumps & ~_below((top & 15) + 1) if top >> 4 == trump else trumps
        if over:
            return LANE_BITS * trump + _low(over)
    return _thrown(moment)


def _thrown(moment: Moment) -> Card:
    """The card that is missed least: low, of a suit without a guard to keep; trumps last."""

    def worth(card: Card) -> tuple[int, int]:
        suit, rank = card >> 4, card & 15
        own, out = lane(moment.hand, suit), lane(moment.out, suit)
        if not out:
            return (rank - 13 if suit != moment.trump else 40), rank  # good cards, if somebody leads them: not by me
        found = rank + (20 if suit == moment.trump else 0) + (8 if rank > _high(out) else 0)
        if rank == _low(own) and rank != _high(own):
            above = out & ~_below(_high(own))
            if above.bit_count() >= own.bit_count() - 1 and above.bit_count() <= 2:
                found += 5  # it guards a king or a queen
        return found + own.bit_count() // 4, rank

    return min(cards_of(moment.hand), key=worth)


# ---- tricks are wanted: leading --------------------------------------------------------------------------------------


def _sure(moment: Moment) -> list[Card]:
    """Cards of side suits that no card of their suit beats, the longest suit first."""
    found = []
    for suit in sorted(SUITS, key=lambda suit: (-lane(moment.hand, suit).bit_count(), suit)):
        own, out = lane(moment.hand, suit), lane(moment.out, suit)
        if suit != moment.trump and own and _high(own) > _high(out):
            found.append(LANE_BITS * suit + _high(own))
    return found


def _declarers_lead(moment: Moment) -> Card:
    trump = moment.trump
    others = [seat for seat in range(_SEATS) if not moment.friend(seat)]
    if trump != NOTRUMP:
        own, out = lane(moment.hand, trump), lane(moment.out, trump)
        if own and any(moment.may_hold(seat, trump) for seat in others):
            higher = out & ~_below(_high(own))
            if not higher:
                return LANE_BITS * trump + _cheapest_like(_high(own), own, out)
            if own.bit_count() >= 3 and out.bit_count() > 1:
                touching = own & ~_below(_high(out & ~higher) + 1)
                return LANE_BITS * trump + (_high(own) if touching & touching - 1 else _low(own))
    sure = _sure(moment)
    if sure:
        return sure[0]
    return _long_lead(moment)


def _long_lead(moment: Moment) -> Card:
    """From the longest side suit: the top of touching honours, else the lowest."""
    side = [suit for suit in SUITS if suit != moment.trump and lane(moment.hand, suit)]
    if not side:
        return LANE_BITS * moment.trump + _low(lane(moment.hand, moment.trump))
    suit = max(side, key=lambda suit: (lane(moment.hand, suit).bit_count(), _high(lane(moment.hand, suit))))
    own = lane(moment.hand, suit)
    return LANE_BITS * suit + (_high(own) if _touching(own) else _low(own))


def _touching(own: int) -> bool:
    """Are the two highest touching honours?"""
    top = _high(own)
    return top >= _TEN and bool(own >> top - 1 & 1)


def _defenders_lead(moment: Moment) -> Card:
    def promise(suit: int) -> float:
        return _promise(moment, suit)

    suits = [suit for suit in SUITS if lane(moment.hand, suit)]
    suit = max(suits, key=lambda suit: (promise(suit), -suit))
    own, out = lane(moment.hand, suit), lane(moment.out, suit)
    if _high(own) > _high(out) or _touching(own):
        return LANE_BITS * suit + _high(own)
    return LANE_BITS * suit + _low(own)


def _promise(moment: Moment, suit: int) -> float:
    """What a defender's lead of a suit promises."""
    own, out, trump = lane(moment.hand, suit), lane(moment.out, suit), moment.trump
    declarers = [seat for seat in range(_SEATS) if moment.declarers >> seat & 1]
    friends = [seat for seat in range(_SEATS) if seat != moment.seat and moment.friend(seat)]
    if suit == trump:
        return -0.5 + 0.2 * (_high(own) > _high(out))
    through = moment.declarers >> (moment.seat + 1) % _SEATS & 1
    found = 0.0
    ruffed = trump != NOTRUMP and any(
        moment.voids[seat] >> suit & 1 and moment.may_hold(seat, trump) for seat in declarers
    )
    if ruffed:
        found -= 2.0
    elif _high(own) > _high(out):
        found += 3.0 - 0.1 * own.bit_count()
    elif _touching(own):
        found += 1.0 + 0.2 * own.bit_count()
    elif own.bit_count() == 1 and trump != NOTRUMP and lane(moment.hand, trump):
        found += 1.2
    else:
        found += (0.5 if _high(own) < _TEN else -0.3) * (1.0 if through else 0.6) + 0.05 * own.bit_count()
    if trump != NOTRUMP and any(moment.voids[seat] >> suit & 1 and moment.may_hold(seat, trump) for seat in friends):
        found += 2.0
    if any(moment.known[seat] and lane(moment.known[seat], suit) & ~_below(_high(own)) for seat in declarers):
        found -= 0.3  # a card known to lie over it
    return found


# ---- no trick is wanted ----------------------------------------------------------------------------------------------


def _ducked(moment: Moment) -> Card:
    """The bidder of a misère follows, or throws away."""
    suit = moment.trick[0] >> 4
    own = lane(moment.hand, suit)
    if not own:
        return max(cards_of(moment.hand), key=lambda card: (*_risk(moment, card), card))
    _, top = moment.best()
    under = own & _below(top & 15)
    if under:
        return LANE_BITS * suit + _high(under)
    return LANE_BITS * suit + (_low(own) if moment.to_come else _high(own))


def _risk(moment: Moment, card: Card) -> tuple[float, int]:
    """How much a card of the bidder's is in danger: the others' cards under it against his own."""
    own, out = lane(moment.hand, card >> 4), lane(moment.out, card >> 4)
    if not out:
        return -1.0, 0
    lower = (out & _below(card & 15)).bit_count()
    mine = (own & _below(card & 15)).bit_count()
    return lower - mine * 1.0, lower


def _low_lead(moment: Moment) -> Card:
    """The bidder leads: the card with most over it in the others' hands."""

    def order(card: Card) -> tuple[int, int, int]:
        out = lane(moment.out, card >> 4)
        lower, higher = (out & _below(card & 15)).bit_count(), (out >> (card & 15)).bit_count()
        return -(lower if higher else 99), higher, -card

    return max(cards_of(moment.hand), key=order)


def _bidder(moment: Moment) -> int:
    return moment.declarers.bit_length() - 1


def _under(moment: Moment) -> Card:
    """A defender of a misère follows, or throws away."""
    suit = moment.trick[0] >> 4
    own, bidder = lane(moment.hand, suit), _bidder(moment)
    if not own:
        return _thrown_at(moment, bidder)
    base = LANE_BITS * suit
    holder, top = moment.best()
    under = own & _below(top & 15)
    if bidder in moment.to_come:
        return base + (_high(under) if under else _low(own))
    if holder == bidder:
        return base + (_high(under) if under else _high(own))
    return base + _high(own)


def _thrown_at(moment: Moment, bidder: int) -> Card:
    """High cards of suits that cannot hurt the bidder, low ones of the others kept."""

    def order(card: Card) -> tuple[bool, int, int]:
        safe = not _may_have(moment, bidder, card >> 4)
        return not safe, card & 15, -lane(moment.hand, card >> 4).bit_count()

    return max(cards_of(moment.hand), key=lambda card: (not order(card)[0], *order(card)[1:], -card))


def _may_have(moment: Moment, bidder: int, suit: int) -> int:
    """The cards of a suit that the bidder can have: all of them where his hand lies open."""
    if moment.known[bidder] and moment.known[bidder] & moment.known[bidder] - 1:
        return lane(moment.known[bidder], suit)
    if moment.voids[bidder] >> suit & 1:
        return 0
    elsewhere = reduce(or_, (moment.known[seat] for seat in range(_SEATS) if seat != bidder))
    return lane(moment.out & ~elsewhere, suit)


def _attack(moment: Moment) -> Card:
    """A defender of a misère leads: where the bidder has fewest cards to go under with."""
    bidder = _bidder(moment)

    def order(card: Card) -> tuple[float, int]:
        suit, rank = card >> 4, card & 15
        his = _may_have(moment, bidder, suit)
        if not his:
            return -100.0, -rank
        out = lane(moment.out, suit)
        lower, higher = (his & _below(rank)).bit_count(), (his >> rank).bit_count()
        if not higher:
            return -50.0, -rank
        friends = (out & _below(rank)).bit_count() - lower
        return -lower / (lower + higher) - 0.02 * friends + 0.01 * higher, -rank

    return max(cards_of(moment.hand), key=lambda card: (*order(card), -card))
