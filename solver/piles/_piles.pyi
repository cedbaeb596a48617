"""Play against two blind piles, natively: playouts, the piles known, exact expectation, bounds.

A `Table` is a moment of the play as the declarer knows it. Cards are numbers, 16 * suit + rank, jokers 61 and 62; suits
of a marriage are 0 to 3, -1 for none; sets of suits are bits. Orders of piles are bytes, 2 n of them for each: pile 1
from the top, then pile 2, what lies on the table first.
"""

from collections.abc import Sequence
from typing import Literal, final

@final
class Stop:
    """A flag that ends what runs; any thread may set it at any time."""

    def set(self) -> None:
        """End it, and all that begins later with this flag."""
    @property
    def is_set(self) -> bool:
        """Has it been set?"""

def trick_winner(resolution: int, leader: int, own: int, one: int, two: int, trump: int) -> int:
    """The seat that wins a trick: 0 the declarer, 1 and 2 the piles."""

@final
class Table:
    """A moment of the play.

    own        the declarer's cards: suits one after the other, each from low to high, then jokers
    sets       cards face down, masks: free, known to be in pile 1, known to be in pile 2
    turned     the cards that piles 1 and 2 have on the table, -1 for none
    leader     of the trick on the table; trump 0 to 3, 4 for none; declared: suits; tricks: the declarer's
    first      is this the first trick of the deal? marriages: may suits be declared?
    rules      (procedure for jokers 0 to 3, does a led joker leave the suit to the next card, may jokers be played by
               one who could follow)
    worth      19 x 16 x 5 numbers, by tricks of the deal, suits declared, and the last of them (the trump)
    policy     eight numbers (greedy.pxd)
    """

    def __init__(
        self,
        own: Sequence[int],
        sets: Sequence[int],
        turned: tuple[int, int],
        leader: int,
        trump: int,
        declared: int,
        tricks: int,
        first: bool,
        marriages: bool,
        rules: tuple[int, bool, bool],
        worth: Sequence[float],
        policy: tuple[float, float, float, float, float, float, int, float],
    ) -> None: ...
    def orders(self, seed: int, start: int, count: int) -> bytes:
        """Orders of the piles that fit, each equally likely; the same for a seed and a number on any machine."""
    def ways(self) -> list[tuple[int, int]]:
        """(card, suit declared or -1) of every way to play now. The piles whose turn it was have turned their cards."""
    def playouts(self, orders: bytes, stop: Stop) -> bytes | None:
        """Play by rules of thumb to the end: tricks of the deal, suits declared and the trump, three bytes an order.

        None: stopped
        """
    def plays(self, orders: bytes, seed: int, start: int, samples: int, exact: int, stop: Stop) -> bytes | None:
        """The same, with every card chosen by `samples` playouts of each way, or exactly from `exact` cards on.

        start   the number of the first order, for the chance in it
        """
    def rollouts(
        self, seed: int, start: int, count: int, out: Sequence[bool], stop: Stop
    ) -> tuple[int, list[float], list[list[float]]]:
        """Every way to play in the same orders, played on by rules of thumb: (orders, sums, sums of products).

        out   a flag for each way of `ways`: is it left out?
        """
    def expectation(self, most: int, stop: Stop) -> tuple[float, list[tuple[int, int, float]]] | Literal[False] | None:
        """(value, [(card, suit or -1, value)]) over all orders with best play; the list is empty if it is no turn yet.

        None if stopped; False if there are too many cards, or it takes more than `most` bytes
        """
    def bound(self, orders: bytes, weights: Sequence[Sequence[float]], stop: Stop) -> list[float] | None:
        """The penalised best of each order (bound.pxd), a list; None if stopped.

        weights   win, second, stand and reach, by tricks left, 19 numbers each
        """

@final
class Seen:
    """Both piles known: the most or the fewest tricks, by every set of suits that may still be declared.

    few   fewest tricks
    """

    def __init__(self, table: Table, few: bool) -> None: ...
    def solve(self, order: bytes, stop: Stop) -> bool:
        """Work it out for an order; False if stopped."""
    def lanes(self) -> list[tuple[int, int, int]]:
        """(lane, suits to be declared, -1 for any, the last of them or -1) of all that begin at the table."""
    def then(self, lane: int, suit: int) -> int:
        """The lane after a suit is declared, -1 for none."""
    def trump(self, lane: int) -> int:
        """What is trump in a lane."""
    def tricks(self, lane: int, hand: int, leader: int) -> int | None:
        """Tricks from a set of places on, in a lane; None: it cannot be done."""
