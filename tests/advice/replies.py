"""A sender's reply values by brute force, from their definition alone: every parcel, swap, trump and discard, by
recursion over the rules; what the cards are worth then from `tests.brute`. Nothing here asks the advice.

A decision comes out in one of several ways to go on, its **ends**: what is best for whoever decides, and all that is
equally good to him. Who decides goes by his own floor, over the ends of each of his choices by the worst; the sender
himself, where he has something to decide later, by the value asked about. A sender's reply value is his worst over the
ends of a way, his best case the best.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from tests.advice.small_games import Hands, tricks
from tests.games.random_matches import chosen, dealt
from tests.games.scenes import after_results
from tierce.solver.cards import Mask, bit, cards_of, mask_of, parse_card
from tierce.solver.games import DealCards, Profile, Send, State, apply, legal, settle
from tierce.solver.games.phases import next_phase

TWO: Final = parse_card("D2")
KINDS: Final = {seat: ("floor", "share", "ceiling", *pairs) for seat, pairs in enumerate(
    (("pair:DE", "pair:DM"), ("pair:DE", "pair:EM"), ("pair:DM", "pair:EM"))
)}  # fmt: skip
Parcels: TypeAlias = tuple[Mask, ...]  # a sender's, in the order in which they are due
# Balances by seat, in all shapes of an exchange; parcels of one and two cards.
ONE_TO_ONE: Final = [(1, -1, 0), (0, 2, -2), (-1, 0, 1), (2, 0, -2), (-2, 2, 0), (0, -1, 1)]
ONE_TO_TWO: Final = [(2, -1, -1), (-1, 2, -1), (-1, -1, 2)]
TWO_TO_ONE: Final = [(1, 1, -2), (1, -2, 1), (-2, 1, 1)]


class End(NamedTuple):
    """The deal at the first lead. `lays`: one, or two where another seat than the dealer may still swap."""

    trump: int
    lays: tuple[Hands, ...]
    swapper: int | None = None


class Reply(NamedTuple):
    """What a way is worth to the sender; and to the dealer, by his own measure, over all ends."""

    value: Fraction
    best_case: Fraction
    dealer: frozenset[Fraction]


# ---- what the cards are worth ----------------------------------------------------------------------------------------


def worth(hands: Hands, trump: int, seat: int, kind: str, extra: int) -> Fraction:
    """A seat's value of the cards; `extra`: tricks that the dealer has besides."""
    if kind.startswith("pair:"):
        side = sum(1 << "DEM".index(name) for name in kind[5:])
        return Fraction(tricks(hands, trump, side) + (extra if side & 1 else 0))
    floor = tricks(hands, trump, 1 << seat)
    own = Fraction(floor + (extra if seat == 0 else 0))
    if kind == "floor":
        return own
    surplus = hands[0].bit_count() - sum(tricks(hands, trump, 1 << each) for each in range(3))
    return own + Fraction(surplus, 3 if kind == "share" else 1)


def worth_of_end(end: End, seat: int, kind: str, extra: int) -> Fraction:
    """A swap that comes after the trump is held against all but the seat that may make it."""
    pick = max if end.swapper == seat else min
    return pick(worth(hands, end.trump, seat, kind, extra) for hands in end.lays)


# ---- who decides what ------------------------------------------------------------------------------------------------


class Brute:
    """The values of one sender's decision. `state` is where his parcels are due; `kind` what he asks about.

    dealers   what the dealer goes by, where it is not his floor
    """

    def __init__(self, state: State, kind: str, dealers: str = "floor") -> None:
        self.state = state
        self.kind = kind
        self.sender = sender(state)
        self.goes_by = ["floor", "floor", "floor"]
        self.goes_by[0] = dealers
        self.goes_by[self.sender] = kind
        self.extra = 1 if state.profile.kitty_trick else 0
        self.after = dict(_parcels(state, self.sender))
        self.replies = {parcels: self._reply(after) for parcels, after in self.after.items()}

    @property
    def best(self) -> Fraction:
        return max(reply.value for reply in self.replies.values())

    def reaching(self, target: Fraction) -> set[Parcels]:
        return {parcels for parcels, reply in self.replies.items() if reply.value >= target}

    def _reply(self, after: State) -> Reply:
        ends = self.ends(after)
        values = [worth_of_end(end, self.sender, self.kind, self.extra) for end in ends]
        dealers = frozenset(worth_of_end(end, 0, self.goes_by[0], self.extra) for end in ends)
        return Reply(min(values), max(values), dealers)

    def ends(self, state: State) -> set[End]:
        """All that may come of a state if everybody does what is best for himself."""
        state = settle(state)
        if state.phase == "PLAY":
            return {End(state.trump, (state.hands,))}
        actions = [action for open_ in legal(state)[:1] for action in open_.actions()]
        seat = legal(state)[0].seat
        assert seat is not None
        if state.phase == "SWAP" and state.call and seat:
            return {End(state.trump, tuple(apply(state, action).hands for action in actions), seat)}
        own = self.goes_by[seat]
        after = [self.ends(apply(state, action)) for action in actions]
        values = [min(worth_of_end(end, seat, own, self.extra) for end in ends) for ends in after]
        return set[End]().union(*(ends for ends, value in zip(after, values, strict=True) if value == max(values)))


def sender(state: State) -> int:
    """Whose parcel is due."""
    seat = legal(state)[0].seat
    assert seat is not None and legal(state)[0].kind is Send
    return seat


def _parcels(state: State, seat: int) -> Iterator[tuple[Parcels, State]]:
    """Every way in which the sender can go on until it is somebody else's turn."""
    state = settle(state)
    open_ = legal(state)[0]
    if open_.kind is not Send or open_.seat != seat:
        yield (), state
        return
    for action in open_.actions():
        assert isinstance(action, Send)
        for later, after in _parcels(apply(state, action), seat):
            yield (action.cards, *later), after


# ---- where parcels are due -------------------------------------------------------------------------------------------


def exchange_of(rng: random.Random, profile: Profile, balances: tuple[int, int, int]) -> State:
    """The exchange of a random deal after these balances (by the seats of today); what comes before it at random."""
    state = apply(after_results(profile, balances, rng.choice((None, 0, 1, 2))), DealCards(dealt(rng, profile)))
    while state.phase not in ("EXCHANGE", "SEND"):
        state = apply(state, chosen(rng, state))
    return state


def turns(rng: random.Random, state: State) -> Iterator[State]:
    """All moments of a random exchange at which a parcel is due."""
    while state.phase in ("EXCHANGE", "SEND"):
        if legal(state)[0].kind is Send:
            yield state
        state = apply(state, chosen(rng, state))


def short_exchange(
    rng: random.Random, profile: Profile, balances: tuple[int, int, int], size: int, holder: int | None
) -> State:
    """The exchange of the one-card game with short hands and any card up, the two of diamonds in one of the hands, or
    lying up itself."""
    low = cards_of(sum(0x1F << 16 * suit for suit in range(4)) & ~bit(TWO))
    cards = rng.sample(low, 3 * size)
    up = TWO if holder is None else rng.choice([card for card in low if card not in cards])
    if holder is not None:
        cards[holder * size] = TWO
    d, e, m = (mask_of(cards[seat * size : (seat + 1) * size]) for seat in range(3))
    profile = replace(profile, hand=size)  # of what is checked when a profile is read, the pack alone would not fit
    state = next_phase(replace(after_results(profile, balances), hands=(d, e, m), kitty=bit(up)))
    while state.phase != "EXCHANGE":
        state = apply(state, chosen(rng, state))
    return state


def told(value: Fraction) -> float:
    """As values are told to people."""
    return round(float(value), 4)
