"""The questions behind a contract table: which rest on one search, in which order, and how each is put to the engine.

A split is a game (trump, leader, objective) and a side that is searched for: what the engine's table is kept for. Both
sides of a split are asked for with one table, for of N tricks a side takes k or more unless the others take N - k + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from tierce.solver.advice.contracts_bounds import ALL
from tierce.solver.advice.contracts_results import ContractRow
from tierce.solver.cards import LANE, LANE_BITS, NOTRUMP, SUITS, Card, Mask, rank_of
from tierce.solver.deal import Deal
from tierce.solver.games.contracts import CONTRACTS, Contract
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.values import touching

__all__ = ["Ask", "Asker", "Game", "Split", "contracts_of", "splits_of"]

PAIRS: Final = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
# What is asked of a hand against three is far from the truth in most deals (13 tricks, 9, then 5), of pairs in none.
COSTS: Final[Mapping[str, int]] = {
    "abundance_declared": 0,
    "abundance": 1,
    "abundance_in_trumps": 1,
    "misere": 2,
    "misere_ouverte": 2,
    "solo": 3,
    "prop_cop": 4,
}
HONOURS: Final = {12: 4, 11: 3, 10: 2, 9: 1}  # points of ace, king, queen and jack
A_TRUMP: Final = 1  # points of a trump


class Game(NamedTuple):
    """What is played: a trump, who leads, and whether the side is to take few tricks."""

    trump: int
    leader: int
    fewest: bool

    @property
    def objective(self) -> Objective:
        """The engine's word for it."""
        return "fewest" if self.fewest else "most"


@dataclass(frozen=True, slots=True)
class Split:
    """A game, the side that is searched for, and the rows that rest on it, as indexes, in the order of asking."""

    game: Game
    side: int
    rows: tuple[int, ...]


class Ask(Protocol):
    """Searches, under the limits: bounds of a side's tricks, from `low` and `high` down to a point."""

    def __call__(self, position: Position, side: int, objective: Objective, low: int, high: int) -> tuple[int, int]:
        """Ask the engine whose table is the split's."""


class Bounds(Protocol):
    """What is known of a game by side, and what is learnt of it: a `SideBounds` that threads may share."""

    def interval(self, side: int) -> tuple[int, int]:
        """Tricks of a side, at least and at most."""

    def reaches(self, side: int, need: int) -> bool | None:
        """Does it take so many? None: not known."""

    def learn(self, side: int, low: int, high: int) -> None:
        """Keep that it takes from `low` to `high`."""


# ---- what there is to ask --------------------------------------------------------------------------------------------


def contracts_of(eldest: int, turned: int, declared: Sequence[int]) -> Iterator[Contract]:
    """Every contract that could be played, in the order of a table. `turned`: the suit of the turned-up card;
    `declared`: the trumps that the bidder of Abundance Declared may name."""
    for name, rule in CONTRACTS.items():
        trumps: Sequence[int] = {"turned": (turned,), "named": SUITS, "none": (NOTRUMP,)}[rule.trump]
        if name == "abundance_declared":
            trumps = declared
        for declarers in PAIRS if rule.side == 2 else [(seat,) for seat in range(4)]:
            leader = declarers[0] if rule.leads == "declarer" else eldest
            yield from (Contract(name, declarers, trump, leader) for trump in trumps)


def splits_of(deal: Deal, rows: Sequence[ContractRow]) -> list[Split]:
    """What to search for, cheapest first."""
    found: dict[tuple[Game, int], list[int]] = {}
    for at, row in enumerate(rows):
        contract = row.contract
        game = Game(contract.trump, contract.leader, row.fewest)
        side = row.side if len(contract.declarers) == 1 else min(row.side, ALL & ~row.side)
        found.setdefault((game, side), []).append(at)
    splits = [_split(deal, rows, game, side, own) for (game, side), own in found.items()]
    return sorted(splits, key=lambda split: max(COSTS[rows[at].name] for at in split.rows))


def _split(deal: Deal, rows: Sequence[ContractRow], game: Game, side: int, own: list[int]) -> Split:
    """Of two pairs the stronger is searched for, and asked about first: often one question is then enough."""
    others = ALL & ~side
    if side & (side - 1) and _points(deal, others, game.trump) > _points(deal, side, game.trump):
        side = others
    return Split(game, side, tuple(sorted(own, key=lambda at: (rows[at].side != side, rows[at].needs))))


def _points(deal: Deal, side: int, trump: int) -> int:
    held: Mask = sum(hand for seat, hand in enumerate(deal.hands) if side >> seat & 1)
    honours = sum(points for rank, points in HONOURS.items() for suit in SUITS if held >> LANE_BITS * suit + rank & 1)
    return honours + A_TRUMP * (held & LANE << LANE_BITS * trump).bit_count()


# ---- how it is asked -------------------------------------------------------------------------------------------------


class Asker:
    """The questions of one split, whose engine's table is kept from one to the next.

    bounds   what is known of the game by side; None with fewest tricks. It may learn from other splits meanwhile
    """

    def __init__(self, deal: Deal, split: Split, bounds: Bounds | None, ask: Ask) -> None:
        self._start = Position(deal.hands, split.game.trump, split.game.leader)
        self._split = split
        self._bounds = bounds
        self._ask = ask

    def count(self) -> None:
        """Find the tricks of the split's side, to the trick."""
        if self._bounds is None:
            return
        low, high = self._bounds.interval(self._split.side)
        if low < high:
            self._bounds.learn(self._split.side, *self._search(self._start, low, high))

    def makes(self, row: ContractRow) -> bool:
        """Is a contract made?"""
        if self._bounds is None:
            return not self._takes(self._start, 1)
        known = self._bounds.reaches(row.side, row.needs)
        if known is None:
            need, wanted = self._of_the_split(row)
            reaches = self._takes(self._start, need)
            side = self._split.side
            self._bounds.learn(side, *((need, self._start.left) if reaches else (0, need - 1)))
            known = reaches == wanted
        return known

    def beating(self, row: ContractRow) -> Card:
        """The lowest lead that beats a contract which is not made, a defender leading."""
        need, wanted = self._of_the_split(row)
        lowest = [group[-1] for group in touching(self._start)]
        *before, last = sorted(lowest, key=lambda card: (rank_of(card), card))
        for card in before:
            if self._takes(self._start.play(card), need) != wanted:
                return card
        return last  # for one of them does

    def _of_the_split(self, row: ContractRow) -> tuple[int, bool]:
        """A row as a question about the split's side: does it take so many? And the answer with which it is made."""
        if row.fewest:
            return 1, False
        if row.side == self._split.side:
            return row.needs, True
        return self._start.left - row.needs + 1, False

    def _takes(self, position: Position, need: int) -> bool:
        return self._search(position, need - 1, need)[0] == need

    def _search(self, position: Position, low: int, high: int) -> tuple[int, int]:
        return self._ask(position, self._split.side, self._split.game.objective, low, high)
