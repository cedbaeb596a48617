"""The rule-following player in a game of contracts: what he bids and names, from his hand alone; his cards are in
simple_contract_play.py.

    simple_decision(view)        a Bid, a NameTrump or a Play
    expected(hand, trump, PAIR)  the tricks he expects, the table of weights saying with whom
    danger(hand)                 how badly a hand is placed to win no trick

Expected tricks are counted as players count them: so much for each honour, for each trump, for a suit that can be
trumped. What an honour is worth was found by least squares on 1,500 deals that this player played in all four seats
(tricks taken by the declarers; what is left over is 0.8 tricks alone and 1.0 for a pair), and rounded. He bids what he
expects to make in a little more than half of such deals, the dearest of what he may:

    prop, cop             PROP or COP tricks as a half of the pair's
    solo, abundance       SOLO or ABUNDANCE tricks alone; abundance with his best suit
    misere, ouverte       a danger of MISERE or OUVERTE at most
    abundance_declared    thirteen tricks in his hand, card for card
"""

from __future__ import annotations

from functools import cache
from math import fsum
from typing import Final, NamedTuple

from tierce.solver.cards import LANE, LANE_BITS, NOTRUMP, SUITS, Mask, suit_of
from tierce.solver.games.actions import Action, Bid, BidValue, NameTrump, Play
from tierce.solver.games.contract_auction import open_bids
from tierce.solver.games.profile import Profile
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.hints.simple_contract_play import Moment, simple_card

__all__ = [
    "ALONE", "OWN", "PAIR", "Weights", "best_trump", "danger", "expected", "margins", "named_simply", "simple_bid",
    "simple_decision",
]  # fmt: skip


class Weights(NamedTuple):
    """What cards are worth, in tricks.

    start    with nothing; honours: ace to ten of trumps; short, length: each trump up to the third, each one more
    aces, kings, queens   of other suits, kings and queens with a card or two beside them
    single, void   other suits with one card or none; long: their cards beyond the fourth
    """

    start: float
    honours: tuple[float, float, float, float, float]
    short: float
    length: float
    aces: float
    kings: float
    queens: float
    single: float
    void: float
    long: float


ALONE: Final = Weights(-0.85, (1.15, 0.7, 0.4, 0.3, 0.2), 0.3, 0.9, 1.05, 0.65, 0.2, 0.25, 0.45, 0.15)  # turned suit
OWN: Final = Weights(-0.1, (1.5, 1.05, 0.7, 0.45, 0.3), -0.3, 1.0, 1.1, 0.8, 0.55, 0.3, 0.6, 0.85)  # a long suit, named
PAIR: Final = Weights(
    -1.5, (1.1, 0.85, 0.5, 0.35, 0.2), 0.65, 0.95, 1.05, 0.8, 0.3, 0.25, 0.5, 0.05
)  # half of a pair's

PROP: Final = 3.6
COP: Final = 3.1
SOLO: Final = 4.6
ABUNDANCE: Final = 8.6
MISERE: Final = 8.0
OUVERTE: Final = 2.0
_TRICKS: Final = 13
_LONG: Final = 5  # cards of a suit with which nine tricks may be thought of
_DANGER: Final = 4.0  # of danger are as much as a trick
_EXPOSED: Final = (1.0, 0.8, 0.5, 0.25, 0.1)  # how far the lowest card of a suit counts, the next ...


def simple_decision(view: View) -> Action:
    """What he does where something is due: phase BID, TRUMP or PLAY."""
    if view.phase == "BID":
        assert view.turned is not None
        return Bid(view.seat, simple_bid(view.profile, view.dealer, view.bids, view.hand, suit_of(view.turned)))
    if view.phase == "TRUMP":
        assert view.contract is not None
        return NameTrump(view.seat, named_simply(view.hand, view.contract.name))
    return Play(view.seat, simple_card(Moment.of(view)))


# ---- hands -----------------------------------------------------------------------------------------------------------


def expected(hand: Mask, trump: int, weights: Weights) -> float:
    """The tricks that a hand is expected to take; with PAIR the hand's part of them."""
    found = weights.start
    for suit in SUITS:
        ranks = hand >> LANE_BITS * suit & LANE
        found += _in_trumps(ranks, weights) if suit == trump else _beside(ranks, weights)
    return found


def _in_trumps(ranks: int, weights: Weights) -> float:
    """What the trumps of a hand count."""
    count = ranks.bit_count()
    found = weights.short * min(3, count) + weights.length * max(0, count - 3)
    return found + fsum(worth for place, worth in enumerate(weights.honours) if ranks >> 12 - place & 1)


def _beside(ranks: int, weights: Weights) -> float:
    """What another suit counts."""
    held = ranks.bit_count()
    found = weights.aces * (ranks >> 12 & 1) + weights.long * max(0, held - 4)
    found += weights.kings * (ranks >> 11 & 1 and held > 1) + weights.queens * (ranks >> 10 & 1 and held > 2)
    return found + weights.single * (held == 1) + weights.void * (held == 0)


def danger(hand: Mask) -> float:
    """Of every card how many the others hold below it beyond those of the hand, the lowest of a suit counting most."""
    return fsum(_danger(hand >> LANE_BITS * suit & LANE) for suit in SUITS)


def _danger(ranks: int) -> float:
    """That of a suit."""
    found, below = 0.0, 0
    while ranks:
        rank = (ranks & -ranks).bit_length() - 1
        ranks &= ranks - 1
        if below < len(_EXPOSED):
            found += _EXPOSED[below] * max(0, rank - 2 * below)
        below += 1
    return found


def best_trump(hand: Mask) -> int:
    """The suit in which a hand expects most tricks, the first of equal ones."""
    return max(SUITS, key=lambda suit: (expected(hand, suit, OWN), -suit))


def _solid(hand: Mask) -> int:
    """Tricks that a hand takes without trumps if it has the lead: all cards of a suit whose highest leave nothing."""
    return sum(_solid_cards(hand >> LANE_BITS * suit & LANE) for suit in SUITS)


def _solid_cards(ranks: int) -> int:
    """Those of a suit."""
    top = 0
    while top < _TRICKS and ranks >> 12 - top & 1:
        top += 1
    held = ranks.bit_count()
    return held if top + held >= _TRICKS else top


def named_simply(hand: Mask, contract: str) -> int:
    """The trump he names: for Abundance Declared none, unless thirteen tricks are there only with one."""
    if contract == "abundance_declared" and _solid(hand) >= _TRICKS:
        return NOTRUMP
    return best_trump(hand)


# ---- the auction -----------------------------------------------------------------------------------------------------


class _Counted(NamedTuple):
    """What the cards of a suit count: beside a trump and as trumps, in the three tables."""

    pair: float
    pair_trumps: float
    alone: float
    alone_trumps: float
    own: float
    own_trumps: float
    danger: float
    solid: int
    long: bool


@cache
def _counted(ranks: int) -> _Counted:
    """Hints ask it of every world, and there are few suits: what is found is kept."""
    return _Counted(
        pair=_beside(ranks, PAIR),
        pair_trumps=_in_trumps(ranks, PAIR),
        alone=_beside(ranks, ALONE),
        alone_trumps=_in_trumps(ranks, ALONE),
        own=_beside(ranks, OWN),
        own_trumps=_in_trumps(ranks, OWN),
        danger=_danger(ranks),
        solid=_solid_cards(ranks),
        long=ranks.bit_count() >= _LONG,
    )


def margins(hand: Mask, turned: int, *, declared_trump: bool = False) -> dict[str, float]:
    """By bid, low to high: what a hand has beyond what he asks of it, in tricks; of no tricks in fours of danger.

    turned   the suit of the turned-up card; declared_trump: may the bidder of Abundance Declared name one
    """
    suits = [_counted(hand >> LANE_BITS * suit & LANE) for suit in SUITS]
    trumps = suits[turned]
    pair = PAIR.start + fsum(each.pair for each in suits) + trumps.pair_trumps - trumps.pair
    alone = ALONE.start + fsum(each.alone for each in suits) + trumps.alone_trumps - trumps.alone
    beside = OWN.start + fsum(each.own for each in suits)
    named = [beside + each.own_trumps - each.own if each.long else 0.0 for each in suits]
    most, turned_up = max(named), named[turned]
    sure, risk = sum(each.solid for each in suits), fsum(each.danger for each in suits)
    found = {
        "prop": pair - PROP,
        "cop": pair - COP,
        "solo": alone - SOLO,
        "misere": (MISERE - risk) / _DANGER,
        "abundance": most - ABUNDANCE,
        "abundance_in_trumps": turned_up - ABUNDANCE,
        "misere_ouverte": (OUVERTE - risk) / _DANGER,
        "abundance_declared": (max(sure, most) if declared_trump else sure) - _TRICKS,
    }
    return {bid: round(more, 9) for bid, more in found.items()}  # what is enough to the hundredth is enough


def simple_bid(
    profile: Profile, dealer: int, bids: tuple[tuple[int, BidValue], ...], hand: Mask, turned: int
) -> str | None:
    """What he bids next, None for a pass. `turned`: the suit of the turned-up card."""
    state = State(profile, dealer, bids=bids, hands=(0,) * profile.seats)
    found = margins(hand, turned, declared_trump=bool(profile.option("ad_trump")))
    return next((bid for bid in reversed(open_bids(state)) if found[bid] >= 0), None)
