"""One player who thinks, against two blind piles (Sumgait Driller): what can be made, and what to play.

    pile_view(view)               what the declarer knows, from a view of tierce.solver.games.sumgait
    solve_known(view, piles)      both piles known: the exact best and its line
    expectation(view)             the exact expectation with best play, once few tricks are left
    best_play(view)               what to play: every way tried in random orders of the piles
    play_out(view), play_well(view)   how deals end that are played by rules of thumb, or by the best of trials
    bounds(view)                  a hand's worth between what a policy makes and what nobody can exceed

An objective says what is wanted: POINTS or `points(options)`, TRICKS, TEN (the chance of ten tricks), MISERE.

>>> from tierce.solver.games.sumgait import parse_hand
>>> view = PileView(hand=parse_hand("AK...2"), free=parse_hand("QJ..32.43"), tricks=8)
>>> round(expectation(view, TEN).value, 6)
1.0
"""

from tierce.solver.piles._piles import Stop
from tierce.solver.piles.bounds import PENALTY, Penalty, bounds, upper_values
from tierce.solver.piles.expectation import MOST_EXACT, expectation
from tierce.solver.piles.known import solve_known
from tierce.solver.piles.objectives import MISERE, POINTS, TEN, TRICKS, Objective, objective, points
from tierce.solver.piles.playing import play_out, play_well, random_piles
from tierce.solver.piles.policies import FEWEST, GREEDY, KEEPING, SAVING, Policy, policy_for
from tierce.solver.piles.results import (
    Bounds,
    Ends,
    Expectation,
    KnownResult,
    KnownTrick,
    Mean,
    PlayResult,
    Tried,
    Valued,
    Way,
)
from tierce.solver.piles.trials import Trials, best_play
from tierce.solver.piles.view import JUDGE, Judge, PileView, pile_view

__all__ = [
    "FEWEST", "GREEDY", "JUDGE", "KEEPING", "MISERE", "MOST_EXACT", "PENALTY", "POINTS", "SAVING", "TEN", "TRICKS",
    "Bounds", "Ends", "Expectation", "Judge", "KnownResult", "KnownTrick", "Mean", "Objective", "Penalty", "PileView",
    "PlayResult", "Policy", "Stop", "Trials", "Tried", "Valued", "Way", "best_play", "bounds", "expectation",
    "objective", "pile_view", "play_out", "play_well", "points", "policy_for", "random_piles", "solve_known",
    "upper_values",
]  # fmt: skip
