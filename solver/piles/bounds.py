"""What a hand is worth with best play, between two figures that hold whatever best play is (information relaxation).

Below: a policy that looks at nothing it does not know, played out over random orders. Above: the best for each order
with the piles seen, less a penalty whose mean is nothing for anybody who does not see them (bound.pxd states it). Both
are means over the same random orders, with their errors; neither is an estimate of the truth, which lies between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tierce.solver.cards import LANE, LANE_BITS
from tierce.solver.checks import check_whole
from tierce.solver.games.sumgait.cards import KINGS, QUEENS
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.crews import cut, in_pieces
from tierce.solver.piles.objectives import POINTS, TEN, TRICKS, Objective
from tierce.solver.piles.playing import native_seed, play_well
from tierce.solver.piles.policies import Policy
from tierce.solver.piles.results import Bounds, mean_of
from tierce.solver.piles.view import PileView, table_of

__all__ = ["PENALTY", "Penalty", "bounds", "penalty_for", "upper_values"]

_LEVELS: Final = 19
_PIECE: Final = 2
_MARRIAGE: Final = (KINGS | QUEENS) & LANE  # of the first suit


@dataclass(frozen=True, slots=True)
class Penalty:
    """Weights of the penalty, in tricks. Any numbers give a bound that holds; these make it tight.

    win      of a trick won against its chance when the card was played, the declarer leading
    second   ... pile 2 leading
    stand    of the change in each card's chance to stand if it were led
    reach    of what he can still win, once a pile has led, against what he could expect
    """

    win: float = 0.8
    second: float = 0.8
    stand: float = 0.75
    reach: float = 0.2

    def native(self) -> tuple[list[float], ...]:
        """As `Table` takes it, by tricks left."""
        weights = self.win, self.second, self.stand, self.reach
        return tuple([each] * _LEVELS for each in weights)


PENALTY: Final = Penalty()
_NOTHING: Final = Penalty(0.0, 0.0, 0.0, 0.0)
_WITH_MARRIAGES: Final = 0.6  # of the weights, where suits may be declared: a trick's worth is then taken too high


def penalty_for(view: PileView, wish: Objective) -> Penalty:
    """Weights that suit a hand and an objective; for the chance of ten none do (benchmarks/NOTES.md)."""
    if wish == TEN:
        return _NOTHING
    declarable = view.marriages and any(view.hand >> LANE_BITS * suit & _MARRIAGE == _MARRIAGE for suit in range(4))
    if wish == TRICKS or not declarable:
        return PENALTY
    each = PENALTY.win, PENALTY.second, PENALTY.stand, PENALTY.reach
    return Penalty(*(_WITH_MARRIAGES * weight for weight in each))


def upper_values(
    view: PileView,
    wish: Objective = POINTS,
    *,
    count: int = 100,
    seed: int = 1,
    penalty: Penalty | None = None,
    threads: int = 1,
    stop: Stop | None = None,
) -> list[float]:
    """The penalised best of each random order; their mean is no less than what can be expected, but for chance.

    penalty   None: as `penalty_for`
    """
    check_whole(count, 1, 10**8, "1 to 100000000 orders", "count")
    flag = stop or Stop()
    table = table_of(view, wish)
    native = native_seed(seed)
    weights = (penalty_for(view, wish) if penalty is None else penalty).native()

    def piece(start: int, size: int) -> list[float] | None:
        return table.bound(table.orders(native, start, size), weights, flag)

    return [each for found in in_pieces(piece, cut(0, count, _PIECE), threads, flag) for each in found]


def bounds(
    view: PileView,
    wish: Objective = POINTS,
    *,
    count: int = 100,
    samples: int = 400,
    exact: int = 5,
    seed: int = 1,
    policy: Policy | None = None,
    penalty: Penalty | None = None,
    threads: int = 1,
    stop: Stop | None = None,
) -> Bounds:
    """The bounds of a hand from `count` random orders; `samples` and `exact` as in `play_well`. Cancelled if
    stopped."""
    made = play_well(
        view, wish, count=count, samples=samples, exact=exact, seed=seed, policy=policy, threads=threads, stop=stop
    ).values(wish)
    upper = upper_values(view, wish, count=count, seed=seed, penalty=penalty, threads=threads, stop=stop)
    seen = upper_values(view, wish, count=count, seed=seed, penalty=_NOTHING, threads=threads, stop=stop)
    gap = mean_of(high - low for high, low in zip(upper, made, strict=True))
    return Bounds(wish.name, mean_of(made), mean_of(upper), mean_of(seen), gap)
