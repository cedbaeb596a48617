"""How deals end: played out by rules of thumb, or by the best of trials at every turn, in random orders of the piles.

The same seed draws the same orders for every policy and objective, so that two ways to play can be compared in pairs.
"""

from __future__ import annotations

from tierce.solver.advice.draws import Draws
from tierce.solver.checks import check_whole
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.crews import cut, in_pieces
from tierce.solver.piles.expectation import MOST_EXACT
from tierce.solver.piles.objectives import POINTS, Objective
from tierce.solver.piles.policies import Policy
from tierce.solver.piles.results import Ends
from tierce.solver.piles.view import PileView, table_of

__all__ = ["native_seed", "play_out", "play_well", "random_piles"]

_PIECE = 1024  # orders of a piece that are played out
_PIECE_WELL = 4  # ... that are played well


def native_seed(seed: int, index: int = 0) -> int:
    """A seed of 64 bits for native draws, by the project's generator."""
    return Draws(seed, index).below(1 << 64)


def random_piles(view: PileView, count: int, *, seed: int = 1) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Orders of the cards face down that fit what is known, each equally likely, as `solve_known` takes them."""
    check_whole(count, 1, 10**8, "1 to 100000000 orders", "count")
    orders = table_of(view, POINTS).orders(native_seed(seed), 0, count)
    n, (one, two) = view.left, view.turned
    found = []
    for at in range(0, len(orders), 2 * n):
        found.append(
            (tuple(orders[at + (one >= 0) : at + n]), tuple(orders[at + n + (two >= 0) : at + 2 * n])),
        )
    return found


def play_out(
    view: PileView,
    wish: Objective = POINTS,
    *,
    count: int = 1000,
    seed: int = 1,
    policy: Policy | None = None,
    threads: int = 1,
    stop: Stop | None = None,
) -> Ends:
    """Deals played on by rules of thumb; those of the objective unless a policy is told."""
    check_whole(count, 1, 10**8, "1 to 100000000 orders", "count")
    flag = stop or Stop()
    table = table_of(view, wish, policy)
    native = native_seed(seed)

    def piece(start: int, size: int) -> bytes | None:
        return table.playouts(table.orders(native, start, size), flag)

    return _ends(b"".join(in_pieces(piece, cut(0, count, _PIECE), threads, flag)))


def play_well(
    view: PileView,
    wish: Objective = POINTS,
    *,
    count: int = 100,
    samples: int = 200,
    exact: int = 5,
    seed: int = 1,
    policy: Policy | None = None,
    threads: int = 1,
    stop: Stop | None = None,
) -> Ends:
    """Deals played on by the best of trials at every turn: each way in `samples` random orders, fewer if it is clearly
    behind, played out by the policy; by exact expectation from `exact` cards on."""
    check_whole(count, 1, 10**8, "1 to 100000000 orders", "count")
    check_whole(samples, 1, 10**6, "1 to 1000000 samples", "samples")
    check_whole(exact, 0, MOST_EXACT, f"exact play from 0 to {MOST_EXACT} cards on", "exact")
    flag = stop or Stop()
    table = table_of(view, wish, policy)
    native, inner = native_seed(seed), native_seed(seed, 1)

    def piece(start: int, size: int) -> bytes | None:
        return table.plays(table.orders(native, start, size), inner, start, samples, exact, flag)

    return _ends(b"".join(in_pieces(piece, cut(0, count, _PIECE_WELL), threads, flag)))


def _ends(found: bytes) -> Ends:
    return Ends(tuple((found[at], found[at + 1], found[at + 2]) for at in range(0, len(found), 3)))
