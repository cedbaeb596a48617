"""Play against two blind piles said plainly and slowly: expectations by drawing card after card, the piles known by
trying everything, and the rules of thumb with fractions. Only the rules of the game are taken from the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from tierce.solver.cards import Card, Mask, mask_of
from tierce.solver.games.sumgait.cards import cards_of, is_joker
from tierce.solver.games.sumgait.tricks import playable, trick_winner
from tierce.solver.piles import Objective, PileView, Policy

Ending = tuple[int, int, int]  # tricks, suits declared as bits, trump


def winner(view: PileView, leader: int, cards: Sequence[Card], trump: int) -> int:
    """The seat that wins; cards by seat."""
    order = [(leader + i) % 3 for i in range(3)]
    judge = view.judge
    place = trick_winner([cards[seat] for seat in order], trump, judge.joker_resolution, low_jokers=judge.low_jokers)
    return order[place]


def ways(view: PileView, hand: Mask, table: Sequence[Card], leader: int) -> Iterator[tuple[Card, int | None]]:
    """(card, suit declared with it or None)."""
    judge = view.judge
    allowed = playable(hand, table, joker_lead_suit=judge.joker_lead_suit, joker_free=judge.joker_free)
    for card in cards_of(allowed):
        yield card, None
        if leader == 0 and view.marriages and hand.bit_count() < 18 and not is_joker(card) and card % 16 in (10, 11):
            other = card ^ 1  # king and queen are 11 and 10
            if hand >> other & 1:
                yield card, card >> 4


def tops(count: int, free: Mask, known: Mask) -> Iterator[tuple[Card, float]]:
    """What lies on top of a pile of so many cards, and how likely."""
    for card in cards_of(known):
        yield card, 1 / count
    hidden = count - known.bit_count()
    if hidden:
        for card in cards_of(free):
            yield card, hidden / count / free.bit_count()


class Expectation:
    """Best play without the piles, over all that may be turned."""

    def __init__(self, view: PileView, wish: Objective) -> None:
        self.view = view
        self.wish = wish
        self.start = lru_cache(maxsize=None)(self._start)

    def value(self) -> float:
        """Of the moment of the view."""
        v = self.view
        if not v.table:
            return self.start(v.hand, v.free, v.known[0], v.known[1], v.leader, v.trump, v.declared, v.tricks)
        return max(each for _, each in self.by_way())

    def by_way(self) -> list[tuple[tuple[Card, int | None], float]]:
        """Of every way to play, where it is his turn."""
        v = self.view
        state = (v.free, v.known[0], v.known[1], v.leader, v.trump, v.declared, v.tricks)
        one, two = (card if card >= 0 else None for card in v.turned)
        return [(way, self._play(v.hand, way, one, two, *state)) for way in ways(v, v.hand, v.table, v.leader)]

    def _start(
        self, hand: Mask, free: Mask, one: Mask, two: Mask, leader: int, trump: int, declared: int, tricks: int
    ) -> float:
        if not hand:
            return self.wish.of(tricks, declared, trump)
        n = hand.bit_count()
        rest = (leader, trump, declared, tricks)
        if leader == 0:
            return max(self._play(hand, way, None, None, free, one, two, *rest) for way in ways(self.view, hand, (), 0))
        total = 0.0
        first, second = (one, two) if leader == 1 else (two, one)
        for x, p in tops(n, free, first):
            free2, first2 = free & ~(1 << x), first & ~(1 << x)
            if leader == 2:
                total += p * max(
                    self._play(hand, way, None, x, free2, one, first2, *rest) for way in ways(self.view, hand, (x,), 2)
                )
                continue
            for y, q in tops(n, free2, second):
                total += (
                    p
                    * q
                    * max(
                        self._play(hand, way, x, y, free2 & ~(1 << y), first2, second & ~(1 << y), *rest)
                        for way in ways(self.view, hand, (x, y), 1)
                    )
                )
        return total

    def _play(
        self,
        hand: Mask,
        way: tuple[Card, int | None],
        x: Card | None,
        y: Card | None,
        free: Mask,
        one: Mask,
        two: Mask,
        leader: int,
        trump: int,
        declared: int,
        tricks: int,
    ) -> float:
        """After his card; x, y: what piles 1 and 2 have turned."""
        n = hand.bit_count()
        state = (leader, trump, declared, tricks)
        if x is None:
            return sum(
                p * self._play(hand, way, card, y, free & ~(1 << card), one & ~(1 << card), two, *state)
                for card, p in tops(n, free, one)
            )
        if y is None:
            return sum(
                p * self._play(hand, way, x, card, free & ~(1 << card), one, two & ~(1 << card), *state)
                for card, p in tops(n, free, two)
            )
        own, suit = way
        if suit is not None:
            trump, declared = suit, declared | 1 << suit
        seat = winner(self.view, leader, (own, x, y), trump)
        return self.start(hand & ~(1 << own), free, one, two, seat, trump, declared, tricks + (seat == 0))


def all_ends(view: PileView, piles: Sequence[Sequence[Card]]) -> Iterator[Ending]:
    """Every end that the declarer can bring about with these piles (cards face down), each line by itself."""
    tops_ = [[card] if card >= 0 else [] for card in view.turned]
    full = [list(top) + list(cards) for top, cards in zip(tops_, piles, strict=True)]

    def go(hand: Mask, leader: int, trump: int, declared: int, tricks: int) -> Iterator[Ending]:
        if not hand:
            yield tricks, declared, trump
            return
        at = view.left - hand.bit_count()
        x, y = full[0][at], full[1][at]
        table = {0: (), 1: (x, y), 2: (y,)}[leader]
        for own, suit in ways(view, hand, table, leader):
            then = (trump, declared) if suit is None else (suit, declared | 1 << suit)
            seat = winner(view, leader, (own, x, y), then[0])
            yield from go(hand & ~(1 << own), seat, *then, tricks + (seat == 0))

    yield from go(view.hand, view.leader, view.trump, view.declared, view.tricks)


# ---- rules of thumb --------------------------------------------------------------------------------------------------


class Thumb:
    """The policy of greedy.pxd for tricks, without marriages, with fractions."""

    def __init__(self, view: PileView, policy: Policy) -> None:
        self.view = view
        self.second, self.last = Fraction(str(policy.second)), Fraction(str(policy.last))
        self.save_led, self.save = Fraction(str(policy.save_led)), Fraction(str(policy.save))

    def play(self, piles: Sequence[Sequence[Card]]) -> int:
        """The tricks of the deal."""
        v = self.view
        hand, leader, tricks = v.hand, v.leader, v.tricks
        sets = [v.free, *v.known]
        for at, (x, y) in enumerate(zip(*piles, strict=True)):
            n = v.left - at
            seen = {0: (), 1: (x, y), 2: (y,)}[leader]
            sets = [each & ~mask_of(seen) for each in sets]
            down = (n - (leader == 1), n - (leader != 0))
            own = self.choose(hand, leader, x, y, sets, down)
            leader = winner(v, leader, (own, x, y), v.trump)
            tricks += leader == 0
            hand &= ~(1 << own)
            sets = [each & ~mask_of((x, y)) for each in sets]
        return tricks

    def choose(self, hand: Mask, leader: int, x: Card, y: Card, sets: list[Mask], down: tuple[int, int]) -> Card:
        v = self.view
        table = {0: (), 1: (x, y), 2: (y,)}[leader]
        judge = v.judge
        allowed = playable(hand, table, joker_lead_suit=judge.joker_lead_suit, joker_free=judge.joker_free)
        cards = sorted(cards_of(allowed))  # suits, low to high, then jokers: the order of ties
        if len(cards) == 1:
            return cards[0]
        return max(cards, key=lambda card: (self.score(card, leader, x, y, sets, down), -cards.index(card)))

    def score(self, card: Card, leader: int, x: Card, y: Card, sets: list[Mask], down: tuple[int, int]) -> Fraction:
        v = self.view
        if leader == 0:
            return self.stands(card, sets, down) - self.save_led * self.part_beaten(card, sets)
        if leader == 1:
            won = Fraction(winner(v, 1, (card, x, y), v.trump) == 0)
            cost = self.last * self.stands(card, sets, down) if down[0] else 0
            return won - cost - self.save * self.part_beaten(card, sets)
        stays = 1 - sum((p for other, p in self.tops(down[0], sets[0], sets[1]) if self.beats(other, card)), Fraction())
        won = stays if self.beats(card, y) else Fraction()
        return won - self.second * stays - self.save * self.part_beaten(card, sets)

    def part_beaten(self, card: Card, sets: list[Mask]) -> Fraction:
        """The part of the cards face down that a card beats if they are led."""
        down = cards_of(sets[0] | sets[1] | sets[2])
        return Fraction(sum(self.beats(card, other) for other in down), len(down)) if down else Fraction()

    def stands(self, card: Card, sets: list[Mask], down: tuple[int, int]) -> Fraction:
        found = Fraction()
        for x, p in self.tops(down[0], sets[0], sets[1]):
            if not self.beats(x, card):
                for y, q in self.tops(down[1], sets[0] & ~(1 << x), sets[2]):
                    found += p * q if not self.beats(y, card) else 0
        return found

    def tops(self, count: int, free: Mask, known: Mask) -> Iterator[tuple[Card, Fraction]]:
        for card in cards_of(known):
            yield card, Fraction(1, count)
        if count > known.bit_count():
            for card in cards_of(free):
                yield card, Fraction(count - known.bit_count(), count * free.bit_count())

    def beats(self, card: Card, best: Card) -> bool:
        """Does a card win a trick of the two, the other led?"""
        judge = self.view.judge
        return trick_winner((best, card), self.view.trump, judge.joker_resolution, low_jokers=judge.low_jokers) == 1
