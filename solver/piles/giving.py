"""Which four of twenty-two to give away, and which two to whom: 43,890 ways, in stages.

A rule ranks the fours of the cards that are least worth keeping. Of the first some hundreds each is played out in a few
orders of the piles, two cards to each player somehow; the better half go on to more orders, and so on; then the first
few are tried with every division of the four. The orders are common to all: where one four gives a card away, another
gives another in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import combinations
from operator import mul, sub
from typing import Final

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import Mask, mask_of
from tierce.solver.games.sumgait.cards import JOKERS, cards_of, is_joker, is_seven, suit_mask, suit_of
from tierce.solver.games.sumgait.prices import MISERE, PLAY
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.calls import Sums
from tierce.solver.piles.crews import in_pieces
from tierce.solver.piles.playing import native_seed
from tierce.solver.piles.policies import policy_for
from tierce.solver.piles.results import standard_error
from tierce.solver.piles.view import JUDGE, Judge, PileView, table_of
from tierce.solver.piles.wants import Want

__all__ = ["Gift", "GiveRace", "Owned", "Pair", "ahead", "divisions", "ranked"]

_GIVEN: Final = 4
_AMONG: Final = 14  # of 22 cards, from which fours are taken
_UNTRIED: Final = 10**6  # places of divisions, behind those of the rule
_STAGES: Final = ((256, 16), (96, 48), (32, 160), (12, 320))  # fours, orders of each until then
_DIVIDED: Final = 6  # fours that are tried with every division
_LAST: Final = ((320, 16), (640, 8), (1280, 4))  # orders of all these, and how many go on
_MARRIED: Final = 0.9  # tricks that a marriage is worth to king and queen together
_LENGTH: Final = 0.12  # ... and to each other card of its suit
_VOID: Final = 0.1
_MADE: Final = 10  # tricks
_OWN_ORDERS: Final = 3  # index of the orders, for what is chosen in them is valued in others

Pair = tuple[Mask, Mask]  # cards for the next player, and for the other


@dataclass(frozen=True, slots=True)
class Owned:
    """Twenty-two cards and what is known of the piles; judge: how jokers are judged."""

    hand: Mask
    unseen: Mask
    known: tuple[Mask, Mask] = (0, 0)
    judge: Judge = JUDGE
    marriages: bool = True

    def given(self, pair: Pair) -> PileView:
        """The deal before its first trick, after the cards are given."""
        known = self.known[0] | pair[0], self.known[1] | pair[1]
        hand = self.hand & ~(pair[0] | pair[1])
        return PileView(hand, self.unseen, known, marriages=self.marriages, judge=self.judge)


# ---- the rule --------------------------------------------------------------------------------------------------------


def ranked(owned: Owned, call: str, most: int, *, among: int = _AMONG) -> list[tuple[int, ...]]:
    """The fours that look best to be given away, the best first; `among`: so many cards that are worth least."""
    cards = cards_of(owned.hand)
    worth = dict(zip(cards, _worths(owned, cards), strict=True))
    if call == MISERE:
        fours = combinations(sorted(cards, key=lambda card: -worth[card])[:among], _GIVEN)
        return nlargest(most, fours, key=lambda four: sum(worth[card] for card in four))
    bonds = _bonds(owned.hand) if owned.marriages else {}
    value = {card: worth[card] + (_LENGTH if suit_of(card) in bonds else 0.0) for card in cards}
    low = sorted(cards, key=lambda card: value[card])[:among]

    def kept(four: tuple[int, ...]) -> float:
        given = mask_of(four)
        lost = sum(value[card] for card in four)
        lost += sum(bond for pair, bond in bonds.values() if given & pair)
        voids = sum(not owned.hand & ~given & suit_mask(suit) for suit in range(4) if owned.hand & suit_mask(suit))
        return _VOID * voids * bool(bonds) - lost

    return nlargest(most, combinations(low, _GIVEN), key=kept)


def _worths(owned: Owned, cards: Sequence[int]) -> Iterator[float]:
    """How likely each card stands against the next card of both piles if it is led without a trump."""
    others = owned.unseen | owned.known[0] | owned.known[1]
    count = others.bit_count()
    sevens = sum(is_seven(card) for card in cards_of(others))
    for card in cards:
        if owned.judge.low_jokers and is_joker(card):
            yield 0.0
            continue
        if is_joker(card):
            over = sevens + (others & JOKERS).bit_count()
        else:
            higher = others & suit_mask(suit_of(card)) & ~((1 << card + 1) - 1)
            over = higher.bit_count() + (0 if owned.judge.low_jokers else (others & JOKERS).bit_count())
        stands = (count - over) * (count - over - 1) / (count * (count - 1))
        yield stands + (0.1 if is_seven(card) and others & JOKERS else 0.0)


def _bonds(hand: Mask) -> dict[int, tuple[Mask, float]]:
    """King and queen of each suit of which both are there, and what they are worth together."""
    pairs = {suit: 3 << 16 * suit + 10 for suit in range(4)}
    return {suit: (pair, _MARRIED) for suit, pair in pairs.items() if hand & pair == pair}


def divisions(four: Sequence[int]) -> list[Pair]:
    """The six ways to give two of the four to the next player and two to the other."""
    whole = mask_of(four)
    return [(mask_of(two), whole & ~mask_of(two)) for two in combinations(four, 2)]


# ---- the race --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gift:
    """A way to give, and how it did.

    pair     the cards; sums: over the orders that it met
    ahead    of the first: what is wanted, in the orders that both have met; tricks, share: the same, and calls made
    """

    pair: Pair
    sums: Sums
    ahead: Figure
    tricks: Figure
    share: float


@dataclass(slots=True)
class _Entry:
    """A way to give: its ends order by order, and their sums."""

    pair: Pair
    place: int
    sums: Sums
    values: list[float] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    made: list[bool] = field(default_factory=list)

    def rank(self, few: bool) -> tuple[float, float, int]:
        """To sort by, the best first; of equal ones that with more tricks, or fewer where tricks are bad."""
        sums = self.sums
        return -sums.total / sums.count, (sums.tricks if few else -sums.tricks) / sums.count, self.place


class GiveRace:
    """A race that goes on: `step`, then look at `order` and `lead`.

    most   orders of a way in all, None for no end
    """

    def __init__(
        self,
        owned: Owned,
        want: Want,
        call: str = PLAY,
        *,
        seed: int,
        threads: int,
        stop: Stop,
        most: int | None = None,
        fours: int = _STAGES[0][0],
    ) -> None:
        self._owned, self.call = owned, call
        self._wish = want.of_call(call)
        self._threads, self._stop, self._most = threads, stop, most
        pairs = [_split(four) for four in ranked(owned, call, fours)]
        self._field = [self._entry(pair, place) for place, pair in enumerate(pairs)]
        self._out: list[_Entry] = []
        self._base = pairs[0]
        self._table = table_of(owned.given(self._base), self._wish)
        self._seed = native_seed(seed, _OWN_ORDERS)
        self._stages = self._plan()
        self._goal = next(self._stages)
        self._at = 0

    def _plan(self) -> Iterator[int]:
        """Orders until the next stage; what stays in the race is settled between them."""
        for many, orders in _STAGES:
            self._keep(many)
            yield orders
        self._keep(_DIVIDED)
        self._divide()
        for orders, many in _LAST:
            yield orders
            self._keep(many)
        while True:
            orders *= 2
            yield orders

    def _entry(self, pair: Pair, place: int) -> _Entry:
        return _Entry(pair, place, Sums(swing=self._wish.swing))

    def _keep(self, many: int) -> None:
        """The best go on; at the start they are in the order of the rule."""
        if self._field[0].sums.count:
            self._field.sort(key=self._rank)
        self._out = self._field[many:] + self._out
        del self._field[many:]

    def _divide(self) -> None:
        """Every division of the fours that are left; they begin anew, in the same orders."""
        known = {each.pair: each for each in self._field}
        place = _UNTRIED
        for each in list(self._field):
            for pair in divisions(cards_of(each.pair[0] | each.pair[1])):
                if pair not in known:
                    known[pair] = self._entry(pair, place)
                    place += 1
        self._field = list(known.values())

    @property
    def done(self) -> bool:
        """Have all that are left met all orders that were asked for?"""
        return self._most is not None and all(each.sums.count >= self._most for each in self._field)

    @property
    def tried(self) -> bool:
        """Was anything tried yet?"""
        return bool(self._out) or any(each.sums.count for each in self._field)

    def step(self) -> None:
        """A round of some milliseconds: a few ways to give go on to the orders of the stage."""
        goal = self._goal if self._most is None else min(self._goal, self._most)
        due = [each for each in self._field if each.sums.count < goal]
        if not due:
            self._goal = next(self._stages)
            return
        batch = due[: 16 * self._threads]
        count = min(32, *(goal - each.sums.count for each in batch))

        def piece(at: int, _: int) -> bytes | None:
            each = batch[at]
            return self._played(each.pair, each.sums.count, count)

        pieces = [(at, 1) for at in range(len(batch))]
        for each, ends in zip(batch, in_pieces(piece, pieces, self._threads, self._stop), strict=True):
            self._enter(each, ends)

    def _played(self, pair: Pair, start: int, count: int) -> bytes | None:
        """The ends of so many orders: those of the first way, with the cards given exchanged."""
        orders = self._table.orders(self._seed, start, count)
        swaps = bytes.maketrans(_bytes(self._base), _bytes(pair))
        table = table_of(self._owned.given(pair), self._wish, policy_for(self._wish))
        return table.playouts(orders.translate(swaps), self._stop)

    def _enter(self, each: _Entry, ends: bytes) -> None:
        few = self.call == MISERE
        for at in range(0, len(ends), 3):
            tricks = ends[at]
            value = self._wish.of(tricks, ends[at + 1], ends[at + 2])
            made = not tricks if few else tricks >= _MADE
            each.values.append(value)
            each.tricks.append(tricks)
            each.made.append(made)
            each.sums.add(value, tricks, made)

    # ---- what is known

    def _order(self) -> list[_Entry]:
        tried = [each for each in self._field if each.sums.count]
        return sorted(tried, key=self._rank)

    def _rank(self, each: _Entry) -> tuple[float, float, int]:
        return each.rank(self._wish.few)

    def order(self) -> list[Gift]:
        """The ways to give that were tried, the best first: those in the race, then the others."""
        tried = self._order()
        return [_gift(each, tried[0]) for each in tried + [each for each in self._out if each.sums.count]]

    @property
    def first(self) -> Pair:
        """The best so far, of the rule before anything was tried."""
        found = self._order()
        return found[0].pair if found else self._base

    def lead(self) -> Figure | None:
        """How far the best is ahead of the runner-up in the orders that both have met."""
        tried = self._order()
        return ahead(tried[0].values, tried[1].values) if len(tried) > 1 else None


def _gift(each: _Entry, first: _Entry) -> Gift:
    n = min(each.sums.count, first.sums.count)
    share = (sum(each.made[:n]) - sum(first.made[:n])) / n
    return Gift(each.pair, each.sums, ahead(each.values, first.values), ahead(each.tricks, first.tricks), share)


def ahead(one: Sequence[float], other: Sequence[float]) -> Figure:
    """How far one is ahead of the other, in the mean of the first so many orders that both have met."""
    gaps = list(map(sub, one, other))
    n, mean = len(gaps), sum(gaps) / len(gaps)
    return Figure(mean, standard_error(mean, sum(map(mul, gaps, gaps)), n))


def _split(four: Sequence[int]) -> Pair:
    """One division, by the order of the cards."""
    return mask_of(four[::2]), mask_of(four[1::2])


def _bytes(pair: Pair) -> bytes:
    return bytes([*cards_of(pair[0]), *cards_of(pair[1])])
