"""The ledger of a contract that was played: what each card cost its side, exactly.

Four hands, two sides: what counts is the tricks of the declarers, who play for many (or for none) while the defenders
play against them. Before a card the position is worth to its player's side the best that any of his cards leaves, so a
card can only cost its own side something, and what it costs the other side has. For the declarers

    tricks = worth at the first lead - lost by the declarers + lost by the defenders

and likewise at any point on the way. Of a contract without tricks only whether there will be one is counted: its worth
is 0 (none) or 1 (beaten), it can no more change once a trick is taken, and the signs of the account change.

    contract_ledger_of(position, cards, side)     the account of some plays
    ContractPlay, ContractLedger                  a card and what it did; all of them

The hand is gone through from its end, with one table that stays warm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tierce.solver.cards import Card
from tierce.solver.checks import check_whole
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB
from tierce.solver.results import Objective
from tierce.solver.solver import Solver
from tierce.solver.values import touching

__all__ = ["ContractLedger", "ContractLedgerSearch", "ContractPlay", "contract_ledger_of"]


@dataclass(frozen=True, slots=True)
class ContractPlay:
    """A card that was played, and what it did. All worths are tricks of the declarers in the whole hand; where none may
    be taken, 0 or 1.

    trick     1 for the first; seat: who played the card
    declares  is its player one of the declarers?
    options   each card he could play, suits S H D C, high cards first, and what it would have left
    before, after   the worth before the card and after it
    """

    trick: int
    seat: int
    card: Card
    declares: bool
    options: tuple[tuple[Card, int], ...]
    before: int
    after: int

    @property
    def forced(self) -> bool:
        """Had he no other card to play?"""
        return len(self.options) == 1

    @property
    def loss(self) -> int:
        """What it cost its player's side, 0 or more."""
        return abs(self.before - self.after)

    @property
    def best(self) -> tuple[Card, ...]:
        """The cards that lose nothing."""
        return tuple(card for card, worth in self.options if worth == self.before)


@dataclass(frozen=True, slots=True)
class ContractLedger:
    """The account of a hand.

    side      the declarers (mask); fewest: may they take none?
    start     the worth at the first card that is accounted for; end: after the last
    plays     every card in order; at a limit the last ones alone, the end being known first
    whole     are all cards accounted for?
    taken     tricks taken by seat when the plays end; left: tricks that are still to come
    nodes     starts of tricks searched
    """

    side: int
    fewest: bool
    start: int
    end: int
    plays: tuple[ContractPlay, ...]
    taken: tuple[int, ...]
    left: int
    nodes: int
    whole: bool = True

    def lost(self, seats: Iterable[int]) -> int:
        """All that the cards of some seats cost their sides."""
        own = set(seats)
        return sum(play.loss for play in self.plays if play.seat in own)


class ContractLedgerSearch:
    """One hand's account, from the last card to the first.

    position   at the first lead, or any point of a hand of four; cards: those played from there
    side       the declarers, a mask of seats
    fewest     they may take no trick

    Thread safety: `cancel` and `done` from any thread, `run` from one.
    """

    def __init__(
        self,
        position: Position,
        cards: Sequence[Card],
        side: int,
        *,
        fewest: bool = False,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        if position.n != 4:
            raise InputError("position", f"expected four hands, found {position.n}", field="position")
        check_whole(side, 1, 14, "declarers, a mask of some of four seats,", "side")
        self._positions = [position]
        for card in cards:
            self._positions.append(self._positions[-1].play(card))
        self._cards = tuple(cards)
        self._side = side
        self._fewest = fewest
        self._objective: Objective = "fewest" if fewest else "most"
        self._solver = Solver(table_mb)
        self._cancelled = False
        self.done = 0.0

    @property
    def nodes(self) -> int:
        """Starts of tricks searched by now."""
        return self._solver.nodes

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread, or not begin: `run` raises Cancelled."""
        self._cancelled = True
        self._solver.cancel()

    def run(self, left: Callable[[], float | None] = lambda: None) -> ContractLedger:
        """The account; when no seconds are left, which `left` tells (None: no limit), of the last cards alone.
        LimitReached (code "timeout") where not even the end of an unfinished hand is known."""
        end = self._positions[-1]
        last = after = self._worth(end, left())
        plays: list[ContractPlay] = []
        for number in range(len(self._cards) - 1, -1, -1):
            try:
                play = self._play(self._positions[number], self._cards[number], after, left)
            except LimitReached:
                break
            plays.append(play)
            after = play.before
            self.done = len(plays) / len(self._cards)
        whole, plays = len(plays) == len(self._cards), plays[::-1]
        taken, nodes = end.taken, self._solver.nodes
        return ContractLedger(self._side, self._fewest, after, last, tuple(plays), taken, end.left, nodes, whole)

    def _play(self, position: Position, card: Card, after: int, left: Callable[[], float | None]) -> ContractPlay:
        mover = position.mover
        declares = bool(self._side >> mover & 1)
        before, options = self._options(position, declares, left)
        return ContractPlay(sum(position.taken) + 1, mover, card, declares, options, before, after)

    def _options(
        self, position: Position, declares: bool, left: Callable[[], float | None]
    ) -> tuple[int, tuple[tuple[Card, int], ...]]:
        """What a position is worth, and what each card of its mover leaves."""
        if self._fewest:
            return self._none_taken(position, declares, left)
        found = self._asked().card_values(position, self._side, timeout=left())
        # The mover's side is counted there.
        total = 0 if declares else position.tricks
        options = tuple((each.card, abs(total - each.tricks)) for each in found.cards)
        return abs(total - found.best), options

    def _none_taken(
        self, position: Position, declares: bool, left: Callable[[], float | None]
    ) -> tuple[int, tuple[tuple[Card, int], ...]]:
        """The same where none may be taken. Only who stands well can lose by a card: the declarer while he is not
        beaten, the defenders while he is."""
        worth = self._worth(position, left())
        stands_well = not self._taken(position) and declares == (worth == 0)
        options: list[tuple[Card, int]] = []
        for group in touching(position):
            each = self._worth(position.play(group[0]), left()) if stands_well else worth
            options += [(card, each) for card in group]
        return worth, tuple(options)

    def _worth(self, position: Position, timeout: float | None) -> int:
        taken = self._taken(position)
        if not position.left or (self._fewest and taken):
            return min(taken, 1) if self._fewest else taken
        if not self._fewest:
            return self._asked().solve(position, self._side, timeout=timeout).tricks
        found = self._asked().solve(position, self._side, self._objective, at_least=1, timeout=timeout)
        return min(found.low, 1)

    def _taken(self, position: Position) -> int:
        return sum(tricks for seat, tricks in enumerate(position.taken) if self._side >> seat & 1)

    def _asked(self) -> Solver:
        """The solver. A cancellation between two calls does not stop the second one: it is looked for here."""
        if self._cancelled:
            raise Cancelled
        return self._solver


def contract_ledger_of(
    position: Position,
    cards: Sequence[Card],
    side: int,
    *,
    fewest: bool = False,
    table_mb: int = DEFAULT_TABLE_MB,
) -> ContractLedger:
    """The account of some cards played from a position. Arguments: `ContractLedgerSearch`. InputError for a card that
    may not be played."""
    return ContractLedgerSearch(position, cards, side, fewest=fewest, table_mb=table_mb).run()
