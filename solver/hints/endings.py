"""The end of a hand, exactly: the card that is best on the mean of all layouts, when later choices must be the same in
all layouts that look the same.

The two others see all cards, know the layout and how the seat will play, and in each layout play for the seat's fewest
points. The seat has one plan, which goes by its own cards and by the cards played. So a value is never above the mean
of exact solves of the layouts one by one, which may choose in each as if they saw it (strategy fusion):

    best plan of the weighted mean, over layouts, of the fewest points the others can hold the plan to there

With three cards or fewer a seat has, after the card it plays now, one choice left at most: with two cards in hand. So
a plan is a set of single choices, one for each thing the seat may see by then (a case), and none depends on another.

    rank    a place in the order of how the deal may end for the seat: numbers of tricks by points; where points are
            equal, more tricks are better, in MIZ fewer
    loss    a set of bits, one for each layout and step of rank: the steps that are lost there. Minimising in each
            layout over what the others may do is the union of losses

Each case has a loss for each of its cards, and one is to be chosen in each so that the union costs least. What is lost
whatever is chosen is lost at once, a card that loses no less than another falls away, cases that share no bits are
solved apart, and what is left by branch and bound. Costs are whole numbers, so that nothing is rounded before the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import isfinite, lcm
from operator import or_
from typing import Final, NoReturn, TypeAlias

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import LANE, LANE_BITS, Card, Mask, bit, cards_of, format_hand, rank_of, suit_of
from tierce.solver.checks import is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Play
from tierce.solver.games.view import View
from tierce.solver.hints.end_choices import Chooser, Loss, Meter, Stop, Stopped
from tierce.solver.hints.end_layouts import Hands, layouts_of
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Option
from tierce.solver.position import winning_place

__all__ = ["ENDING_CARDS", "ENDING_LAYOUTS", "ENDING_WORK", "Ending", "EndingCard", "best_ending", "layouts_of"]

ENDING_CARDS: Final = 3  # of the seat's hand: the method has room for one choice after the present one
ENDING_LAYOUTS: Final = 200
ENDING_WORK: Final = 300_000  # positions and branches: about a second

Weight: TypeAlias = int | float
Trick: TypeAlias = tuple[Card, ...]
_Key: TypeAlias = tuple[Mask, Mask, int, int, int, Trick]


@dataclass(frozen=True, slots=True)
class EndingCard:
    """A card and the best plan that begins with it.

    tricks   of the whole deal, layout by layout, when the others play best against the plan
    value    the mean of the points; mean: of the tricks; quota: how often the quota is made
    """

    card: Card
    tricks: tuple[int, ...]
    value: float
    mean: float
    quota: float

    def option(self, seat: int) -> Option:
        """As an option of a hint: `worlds` are the layouts, and nothing is estimated."""
        value, tricks = Figure(self.value, 0.0), Figure(self.mean, 0.0)
        return Option((Play(seat, self.card),), value, tricks, self.quota, len(self.tricks))


@dataclass(frozen=True, slots=True)
class Ending:
    """The cards the seat may play, the best first: by value, then by tricks as they are wanted; the lowest card of
    equal ones, in MIZ the highest."""

    seat: int
    cards: tuple[EndingCard, ...]

    @property
    def best(self) -> EndingCard:
        """The card to play."""
        return self.cards[0]

    def options(self) -> tuple[Option, ...]:
        """As options of a hint."""
        return tuple(each.option(self.seat) for each in self.cards)


def best_ending(
    view: View,
    layouts: Sequence[tuple[Hands, Weight]],
    wish: Wish,
    *,
    stop: Stop | None = None,
    work: int = ENDING_WORK,
) -> Ending | None:
    """The value of every card the seat may play, in all layouts together.

    layouts   hands by seat as they are now, no two alike, with the weight of each, which need not sum to 1
    stop      asked now and then; once it is true the answer is None
    work      the most positions and branches; beyond it the answer is None

    InputError (field "view" or "layouts") for a view at which the seat has no card to play, or with more cards than
    the method has room for, and for layouts that are not the view's.
    """
    _check(view, layouts)
    meter = Meter(work, stop)
    try:
        return _Search(view, layouts, wish, meter).ending()
    except Stopped:
        return None


# ---- the play --------------------------------------------------------------------------------------------------------


class _Play:
    """The rules of play, seats counted from the one that hints: 0 is its own, 1 the next to play, 2 the last."""

    def __init__(self, trump: int, meter: Meter) -> None:
        self._trump = trump
        self._meter = meter
        self._legal: dict[tuple[Mask, int], tuple[Card, ...]] = {}
        self._reached: dict[tuple[Trick, Mask, Mask, int, Trick], int] = {}

    def legal(self, hand: Mask, trick: Trick) -> tuple[Card, ...]:
        key = hand, trick[0] >> 4 if trick else -1
        found = self._legal.get(key)
        if found is None:
            suit = hand & LANE << LANE_BITS * key[1] if trick else 0
            found = self._legal[key] = cards_of(suit or hand)
        return found

    def winner(self, leader: int, trick: Trick) -> int:
        return (leader + winning_place(trick, self._trump)) % 3

    def reach(self, own: Trick, left: Mask, right: Mask, leader: int, trick: Trick) -> int:
        """The tricks to come that the others can give the seat, as a set of bits, if it plays its cards in this
        order. They choose: which is worst is a matter of points."""
        key = own, left, right, leader, trick
        found = self._reached.get(key)
        if found is None:
            self._meter.count()
            found = self._reached[key] = self._reach(own, left, right, leader, trick)
        return found

    def _reach(self, own: Trick, left: Mask, right: Mask, leader: int, trick: Trick) -> int:
        if len(trick) == 3:
            winner = self.winner(leader, trick)
            after = self.reach(own, left, right, winner, ()) if left else 1
            return after << 1 if winner == 0 else after
        mover = (leader + len(trick)) % 3
        if mover == 0:
            return self._reach(own[1:], left, right, leader, (*trick, own[0]))
        found = 0
        if mover == 1:
            for card in self.legal(left, trick):
                found |= self._reach(own, left ^ 1 << card, right, leader, (*trick, card))
        else:
            for card in self.legal(right, trick):
                found |= self._reach(own, left, right ^ 1 << card, leader, (*trick, card))
        return found


# ---- the cases -------------------------------------------------------------------------------------------------------


class _Ranks:
    """Tricks in the order of what they are worth.

    order    the tricks of the whole deal, by rank; steps: what each rank is worth more than the one before, the points
             first: `scale` times them, and the tricks
    lost     by rank: the bits that are lost, of layout 0
    """

    def __init__(self, wish: Wish, taken: int, left: int, layouts: int, scale: int) -> None:
        sign = -1 if wish.few else 1
        self._taken = taken
        self.order: Final = sorted(range(taken, taken + left + 1), key=lambda each: (wish.points[each], sign * each))
        points = [Fraction(wish.points[each]) for each in self.order]
        whole = lcm(*(each.denominator for each in points))
        worth = [int(each * whole) * scale + sign * tricks for each, tricks in zip(points, self.order, strict=True)]
        self.steps: Final = [after - before for before, after in pairwise(worth)]
        bits = [1 << layouts * step for step in range(left)]
        self.lost: Final = [sum(bits[rank:]) for rank in range(left + 1)]
        self._by_tricks = {tricks: rank for rank, tricks in enumerate(self.order)}
        self._worst: dict[tuple[int, int], Loss] = {}

    def loss(self, won: int, reached: int) -> Loss:
        """The bits of layout 0 that are lost when the others may choose among these tricks to come."""
        key = won, reached
        found = self._worst.get(key)
        if found is None:
            base = self._taken + won
            ranks = (self._by_tricks[base + more] for more in range(reached.bit_length()) if reached >> more & 1)
            found = self._worst[key] = self.lost[min(ranks)]
        return found


class _Cases:
    """What may come of a card: `sure` is lost in any case, and of each case the losses of the cards open then."""

    def __init__(self, play: _Play, ranks: _Ranks, meter: Meter) -> None:
        self._play = play
        self._meter = meter
        self._ranks = ranks
        self._start: tuple[Mask, Mask] = 0, 0
        self._at = 0
        self.sure: Loss = 0
        self.found: dict[_Key, list[Loss]] = {}

    def add(self, at: int, own: Mask, left: Mask, right: Mask, leader: int, trick: Trick) -> None:
        """All that the others can do in a layout."""
        self._at = at
        self._start = left, right
        self._walk(own, left, right, leader, trick, 0, 0)

    def _walk(self, own: Mask, left: Mask, right: Mask, leader: int, trick: Trick, won: int, voids: int) -> None:
        """voids   suits in which the others have not followed: with the cards played, all that the seat sees"""
        self._meter.count()
        if not own & own - 1:  # nothing more to choose
            reached = self._play.reach(cards_of(own), left, right, leader, trick)
            self.sure |= self._ranks.loss(won, reached) << self._at
            return
        if len(trick) == 3:
            leader, trick = self._play.winner(leader, trick), ()
            won += leader == 0
        mover = (leader + len(trick)) % 3
        if mover == 0:
            key = self._start[0] ^ left, self._start[1] ^ right, voids, leader, won, trick
            self._choose(key, own, left, right)
            return
        hand = left if mover == 1 else right
        for card in self._play.legal(hand, trick):
            after = (*trick, card)
            seen = voids
            if trick and card >> 4 != trick[0] >> 4:
                seen |= 1 << (trick[0] >> 4) + 4 * (mover - 1)
            if mover == 1:
                self._walk(own, left ^ 1 << card, right, leader, after, won, seen)
            else:
                self._walk(own, left, right ^ 1 << card, leader, after, won, seen)

    def _choose(self, key: _Key, own: Mask, left: Mask, right: Mask) -> None:
        _, _, _, leader, won, trick = key
        cards = self._play.legal(own, trick)
        losses = self.found.setdefault(key, [0] * len(cards))
        for place, card in enumerate(cards):
            order = (card, *cards_of(own ^ 1 << card))
            losses[place] |= self._ranks.loss(won, self._play.reach(order, left, right, leader, trick)) << self._at


# ---- the search ------------------------------------------------------------------------------------------------------


class _Search:
    """One answer."""

    def __init__(self, view: View, layouts: Sequence[tuple[Hands, Weight]], wish: Wish, meter: Meter) -> None:
        self._view = view
        self._wish = wish
        self._meter = meter
        one, two = (view.seat + 1) % 3, (view.seat + 2) % 3
        self._hands = [(hands[one], hands[two]) for hands, _ in layouts]
        weights = [Fraction(weight) for _, weight in layouts]
        whole = lcm(*(each.denominator for each in weights))
        self._weights = [int(each * whole) for each in weights]
        left = view.hand.bit_count()
        scale = sum(self._weights) * (left + 1)  # a point outweighs all tricks
        self._ranks = _Ranks(wish, view.taken[view.seat], left, len(layouts), scale)
        prices = [weight * step for step in self._ranks.steps for weight in self._weights]
        self._chooser = Chooser(prices, meter)
        trump = "SHDC".find(view.call) if view.call in "SHDC" else 4
        self._play = _Play(trump, meter)

    def ending(self) -> Ending:
        legal = self._play.legal(self._view.hand, self._view.trick)
        found: list[tuple[int, EndingCard]] = []
        for cards in self._alike(legal):
            loss = self._loss(cards[0])
            cost, tricks = self._chooser.cost(loss), self._tricks(loss)
            found += [(cost, self._told(card, tricks)) for card in cards]
        high = -1 if self._wish.few else 1
        found.sort(key=lambda each: (each[0], high * rank_of(each[1].card), suit_of(each[1].card)))
        return Ending(self._view.seat, tuple(card for _, card in found))

    def _alike(self, cards: Sequence[Card]) -> Iterator[list[Card]]:
        """Own cards with no other between them that may still be played, or lies on the table: one is as the other."""
        between = reduce(or_, map(bit, self._view.trick), 0)
        for left, right in self._hands:
            between |= left | right
        run: list[Card] = []
        for card in cards:
            if run and (suit_of(run[-1]) != suit_of(card) or between & (1 << run[-1]) - (1 << card)):
                yield run
                run = []
            run.append(card)
        yield run

    def _loss(self, card: Card) -> Loss:
        """What the best plan that begins with a card loses."""
        view = self._view
        cases = _Cases(self._play, self._ranks, self._meter)
        leader, trick = (view.leader - view.seat) % 3, (*view.trick, card)
        for at, (left, right) in enumerate(self._hands):
            cases.add(at, view.hand ^ bit(card), left, right, leader, trick)
        return self._chooser.best(cases.sure, cases.found.values())

    def _tricks(self, loss: Loss) -> tuple[int, ...]:
        """Tricks by layout."""
        count = len(self._hands)
        row = self._ranks.lost[0]  # all steps of one layout
        assert row.bit_count() == len(self._ranks.steps)
        return tuple(self._ranks.order[-1 - (loss >> at & row).bit_count()] for at in range(count))

    def _told(self, card: Card, tricks: tuple[int, ...]) -> EndingCard:
        return EndingCard(
            card,
            tricks,
            self._mean(self._wish.points[each] for each in tricks),
            self._mean(tricks),
            self._mean(self._wish.made(each) for each in tricks),
        )

    def _mean(self, values: Iterable[float]) -> float:
        total = sum(Fraction(value) * weight for value, weight in zip(values, self._weights, strict=True))
        return float(Fraction(total, sum(self._weights)))


def _check(view: View, layouts: Sequence[tuple[Hands, Weight]]) -> None:
    if view.phase != "PLAY" or view.to_move != view.seat:
        found = f"seat {view.to_move} to move in the phase {view.phase}"
        _refuse("view", f"expected the turn of the seat {view.seat} in the play, found {found}")
    if not 0 < view.hand.bit_count() <= ENDING_CARDS:
        _refuse("view", f"expected a hand of 1 to {ENDING_CARDS} cards, found {view.hand.bit_count()}")
    if not layouts:
        _refuse("layouts", "expected at least one layout, found none")
    for hands, weight in layouts:
        if not (is_whole(weight) or (isinstance(weight, float) and isfinite(weight))) or weight <= 0:
            _refuse("layouts", f"expected weights above 0, found {quoted(weight)}")
        _check_hands(view, hands)
    if len({hands for hands, _ in layouts}) < len(layouts):
        _refuse("layouts", "expected layouts that differ, found one twice")


def _check_hands(view: View, hands: Hands) -> None:
    d, e, m = hands
    if hands[view.seat] != view.hand:
        _refuse("layouts", f"expected the hand {format_hand(view.hand)}, found {format_hand(hands[view.seat])}")
    sizes = d.bit_count(), e.bit_count(), m.bit_count()
    if sizes != view.counts or (d | e | m).bit_count() != sum(sizes):
        found = " ".join(map(format_hand, hands))
        _refuse("layouts", f"expected hands of {'/'.join(map(str, view.counts))} cards, none twice, found {found}")


def _refuse(field: str, message: str) -> NoReturn:
    raise InputError(field, message, field=field)
