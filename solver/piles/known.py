"""Both piles known: the exact best by dynamic programming over the hand's subsets, and a line that reaches it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tierce.solver.cards import Card, mask_of
from tierce.solver.checks import as_tuple
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.sumgait.cards import card_names
from tierce.solver.games.sumgait.tricks import playable
from tierce.solver.piles._piles import Seen, Stop, trick_winner
from tierce.solver.piles.objectives import POINTS, Objective
from tierce.solver.piles.results import KnownResult, KnownTrick, Valued, Way
from tierce.solver.piles.view import PileView, places, table_of

__all__ = ["order_of", "solve_known"]


def solve_known(
    view: PileView, piles: Sequence[Sequence[Card]], wish: Objective = POINTS, *, stop: Stop | None = None
) -> KnownResult:
    """The best the declarer can do with both piles seen; `piles`: the cards face down of piles 1 and 2, top first.

    Of lines that are worth the same: more tricks first (fewer, if tricks are bad), then fewer suits declared, then at
    each trick the first way in the order of `KnownResult.choices`. InputError (field "piles") for piles that do not fit
    what is known; Cancelled if stopped.
    """
    order = order_of(view, piles)
    seen = Seen(table_of(view, wish), wish.few)
    if not seen.solve(order, stop or Stop()):
        raise Cancelled()
    return _Line(view, order, wish, seen).result()


def order_of(view: PileView, piles: Sequence[Sequence[Card]]) -> bytes:
    """Piles as the native search takes them, what is on the table first. InputError if they do not fit."""
    found = as_tuple(piles)
    if found is None or len(found) != 2:
        raise InputError("piles", f"expected two piles, found {piles!r:.60}", field="piles")
    for pile, cards in enumerate(found):
        if len(cards) != view.down[pile] or len(set(cards)) != len(cards):
            message = f"expected {view.down[pile]} cards face down in pile {pile + 1}, each once, found {len(cards)}"
            raise InputError("card_count", message, field="piles")
    one, two = (mask_of(cards) for cards in found)
    wrong = (one | two) ^ (view.free | view.known[0] | view.known[1]) | (one & two)
    wrong |= one & view.known[1] | two & view.known[0]
    if wrong:
        raise InputError("piles", f"expected piles of the cards face down, found {card_names(wrong)}", field="piles")
    return b"".join(bytes(card for card in (top, *cards) if card >= 0) for top, cards in _with_tops(view, found))


def _with_tops(view: PileView, piles: Sequence[Sequence[Card]]) -> Iterator[tuple[int, Sequence[Card]]]:
    return zip(view.turned, piles, strict=True)


class _Line:
    """Walks through what was worked out."""

    def __init__(self, view: PileView, order: bytes, wish: Objective, seen: Seen) -> None:
        self._view = view
        self._own = places(view.hand)
        self._piles = order[: view.left], order[view.left :]
        self._wish = wish
        self._seen = seen
        self._resolution, self._next, self._free = view.judge.native()

    def result(self) -> KnownResult:
        """The best end, a line to it, and the ways to play now."""
        whole = (1 << len(self._own)) - 1
        ends = []
        for lane, suits, last in self._seen.lanes():
            found = self._seen.tricks(lane, whole, self._view.leader)
            if found is not None:
                ends.append((*self._rank(found, suits, last), lane, found))
        value, _, _, lane, found = max(ends)
        line = tuple(self._walk(lane, whole, found))
        declared, trump = self._view.declared, self._view.trump
        for trick in line:
            if trick.suit is not None:
                declared, trump = declared | 1 << trick.suit, trick.suit
        tricks = self._view.tricks + found
        choices = tuple(self._choices(whole))
        return KnownResult(self._wish.name, value, tricks, declared, trump, line, choices)

    def _rank(self, found: int, suits: int, last: int) -> tuple[float, int, int]:
        """An end's value, and what decides between equal ones."""
        made = max(suits, 0)
        trump = last if last >= 0 else made.bit_length() - 1 if made else self._view.trump
        value = self._wish.of(self._view.tricks + found, self._view.declared | made, trump)
        return value, -found if self._wish.few else found, -made.bit_count()

    def _ways(self, hand: int, leader: int) -> list[Way]:
        """All that may be played with a set of places left, in the order of ties."""
        trick = self._view.left - hand.bit_count()
        cards = [card for place, card in enumerate(self._own) if hand >> place & 1]
        table = {0: (), 1: (self._piles[0][trick], self._piles[1][trick]), 2: (self._piles[1][trick],)}[leader]
        follow = "next" if self._next else "none"
        allowed = playable(mask_of(cards), table, joker_lead_suit=follow, joker_free=self._free)
        ways = [Way(card) for card in cards if allowed >> card & 1]
        if leader == 0 and self._view.marriages and hand.bit_count() < 18:
            for suit in range(4):
                king, queen = 16 * suit + 11, 16 * suit + 10
                if king in cards and queen in cards:
                    ways += [Way(king, suit), Way(queen, suit)]
        return ways

    def _after(self, lane: int, hand: int, leader: int, way: Way) -> tuple[int, int, int, int | None]:
        """Lane, places, winner and further tricks after a way to play; None: it does not lead where the lane goes."""
        trick = self._view.left - hand.bit_count()
        place = self._own.index(way.card)
        then = lane if way.suit is None else self._seen.then(lane, way.suit)
        if then < 0:
            return then, 0, 0, None
        one, two = self._piles[0][trick], self._piles[1][trick]
        seat = trick_winner(self._resolution, leader, way.card, one, two, self._seen.trump(then))
        left = hand & ~(1 << place)
        found = self._seen.tricks(then, left, seat)
        return then, left, seat, None if found is None else found + (seat == 0)

    def _walk(self, lane: int, hand: int, found: int) -> Iterator[KnownTrick]:
        leader = self._view.leader
        while hand:
            trick = self._view.left - hand.bit_count()
            for way in self._ways(hand, leader):
                then, left, seat, tricks = self._after(lane, hand, leader, way)
                if tricks == found:
                    break
            yield KnownTrick(leader, (way.card, self._piles[0][trick], self._piles[1][trick]), way.suit, seat)
            lane, hand, leader, found = then, left, seat, found - (seat == 0)

    def _choices(self, whole: int) -> Iterator[Valued]:
        for way in self._ways(whole, self._view.leader):
            values = []
            for lane, suits, last in self._seen.lanes():
                found = self._after(lane, whole, self._view.leader, way)[3]
                if found is not None:
                    values.append(self._rank(found, suits, last)[0])
            yield Valued(way, max(values))
