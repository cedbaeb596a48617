"""The ledger of a hand that was played: where each seat's tricks came from, card by card, exactly.

A floor is what a seat is sure of against both others. Its own card can only lower it (a loss), another's can only raise
it (a gift): before the card the seat had the best of its own cards, or the worst of the other's. So for every seat

    tricks taken = floor at the first lead - own losses + gifts from the others

and likewise at any point on the way, with the floor of that point. In MIZ the guarantee is a cap, the most a seat can
be made to take: an own card can only raise it, another's only lower it, and the signs of the account change.

    ledger_of(position, cards)         the account of some plays
    Play, Ledger                       a card and what it did; all of them

The hand is gone through from its end, with a table for each seat that stays warm: what is known of the later tricks
serves the earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tierce.solver.cards import Card
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB
from tierce.solver.results import Objective
from tierce.solver.solver import Solver

__all__ = ["Ledger", "LedgerSearch", "Play", "Three", "ledger_of"]

Three: TypeAlias = tuple[int, int, int]  # of dealer, eldest and middle


@dataclass(frozen=True, slots=True)
class Play:
    """A card that was played, and what it did. Guarantees are floors, or in MIZ caps, in tricks of the whole hand.

    trick        1 for the first; seat: who played the card
    options      each card he could play, high cards first, and what it would have left each seat: only his own
                 guarantee where no more was asked for (the others None)
    before, after   the guarantees before the card and after it
    """

    trick: int
    seat: int
    card: Card
    options: tuple[tuple[Card, tuple[int | None, int | None, int | None]], ...]
    before: Three
    after: Three

    @property
    def forced(self) -> bool:
        """Had he no other card to play?"""
        return len(self.options) == 1

    @property
    def loss(self) -> int:
        """What it cost its player's own guarantee, 0 or more."""
        return abs(self.before[self.seat] - self.after[self.seat])

    def gift(self, seat: int) -> int:
        """What it brought another seat, 0 or more; 0 for its player."""
        return 0 if seat == self.seat else abs(self.after[seat] - self.before[seat])

    @property
    def best(self) -> tuple[Card, ...]:
        """The cards that lose nothing."""
        return tuple(card for card, values in self.options if values[self.seat] == self.before[self.seat])


@dataclass(frozen=True, slots=True)
class Ledger:
    """The account of a hand.

    kind      "floor", or "cap" in MIZ
    start     the guarantees at the first card that is accounted for; end: those after the last
    plays     every card in order; at a limit the last ones alone, the end being known first
    whole     are all cards accounted for?
    taken     tricks taken when the plays end; left: tricks that are still to come
    nodes     starts of tricks searched
    """

    kind: Literal["floor", "cap"]
    start: Three
    end: Three
    plays: tuple[Play, ...]
    taken: Three
    left: int
    nodes: int
    whole: bool = True

    def lost(self, seat: int) -> int:
        """All that the seat's own cards cost it."""
        return sum(play.loss for play in self.plays if play.seat == seat)

    def gained(self, seat: int, giver: int | None = None) -> int:
        """All that the others' cards brought it, or those of one of them."""
        return sum(play.gift(seat) for play in self.plays if giver in (None, play.seat))


class LedgerSearch:
    """One hand's account, from the last card to the first.

    position   at the first lead (or any point of a hand); cards: those played from there
    few        MIZ: caps
    every      the values of all cards for all seats, not for their player alone

    Thread safety: `cancel` and `done` from any thread, `run` from one.
    """

    def __init__(
        self,
        position: Position,
        cards: Sequence[Card],
        *,
        few: bool = False,
        every: bool = False,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        if position.n != 3:
            raise InputError("position", f"expected three hands, found {position.n}", field="position")
        self._positions = [position]
        for card in cards:
            self._positions.append(self._positions[-1].play(card))
        self._cards = tuple(cards)
        self._objective: Objective = "fewest" if few else "most"
        self._every = every
        self._solvers = [Solver(max(1, table_mb // 3)) for _ in range(3)]
        self._cancelled = False
        self.done = 0.0

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread, or not begin: `run` raises Cancelled."""
        self._cancelled = True
        for solver in self._solvers:
            solver.cancel()

    def run(self, left: Callable[[], float | None] = lambda: None) -> Ledger:
        """The account; when no seconds are left, which `left` tells (None: no limit), of the last cards alone.
        LimitReached (code "timeout") where not even the end of an unfinished hand is known."""
        end = self._positions[-1]
        values = [self._value(end, seat, left()) for seat in range(3)]
        last = after = (values[0], values[1], values[2])
        plays: list[Play] = []
        for number in range(len(self._cards) - 1, -1, -1):
            position = self._positions[number]
            try:
                play = self._play(position, self._cards[number], after, left)
            except LimitReached:
                break
            plays.append(play)
            after = play.before
            self.done = len(plays) / len(self._cards)
        d, e, m = end.taken
        return Ledger(
            "floor" if self._objective == "most" else "cap",
            after,
            last,
            tuple(reversed(plays)),
            (d, e, m),
            end.left,
            sum(solver.nodes for solver in self._solvers),
            len(plays) == len(self._cards),
        )

    def _value(self, position: Position, seat: int, timeout: float | None) -> int:
        if not position.left:
            return position.taken[seat]
        return self._solver(seat).solve(position, 1 << seat, self._objective, timeout=timeout).tricks

    def _solver(self, seat: int) -> Solver:
        """The seat's solver. A cancellation between two calls does not stop the second one: it is looked for here."""
        if self._cancelled:
            raise Cancelled
        return self._solvers[seat]

    def _play(self, position: Position, card: Card, after: Three, left: Callable[[], float | None]) -> Play:
        mover = position.mover
        by_seat: list[dict[Card, int]] = [{}, {}, {}]
        before = [0, 0, 0]
        for seat in range(3):
            if seat == mover or self._every:
                found = self._solver(seat).card_values(position, 1 << seat, self._objective, timeout=left())
                # The mover's side is counted there: of the others' split, the tricks that are not this seat's.
                tricks = {each.card: each.tricks for each in found.cards}
                if seat != mover:
                    tricks = {each: position.tricks - worth for each, worth in tricks.items()}
                by_seat[seat] = tricks
                best = max if (seat == mover) == (self._objective == "most") else min
                before[seat] = best(tricks.values())
            else:
                before[seat] = self._value(position, seat, left())
        options = tuple(
            (each, (by_seat[0].get(each), by_seat[1].get(each), by_seat[2].get(each))) for each in by_seat[mover]
        )
        trick = sum(position.taken) + 1
        return Play(trick, mover, card, options, (before[0], before[1], before[2]), after)


def ledger_of(
    position: Position,
    cards: Sequence[Card],
    *,
    few: bool = False,
    every: bool = False,
    table_mb: int = DEFAULT_TABLE_MB,
) -> Ledger:
    """The account of some cards played from a position. Arguments: `LedgerSearch`. InputError for a card that may not
    be played."""
    return LedgerSearch(position, cards, few=few, every=every, table_mb=table_mb).run()
