"""What a decision is to make high, whatever is called: values of every end of a deal that is played, of MISERE, PASS.

    points   points in the column Game
    ten      the chance of ten tricks; PASS and MISERE have none, but a MISERE is played for the chance of no trick
    tricks   tricks; in MISERE few, so that their number counts with a minus
    match    what the deal does to the match: the net of the settlement (1.5 times the own Vist less half of all three),
             with `game_weight` points of Vist for each point of Game, all after hill, laggard and ten times

A point of Game is worth more than one of Vist, for who has his 1000 earlier plays the more deals that count ten times.
How much more the rules do not say; 5 is a rough figure: of the points that others lack when he is there a third or half
are his to credit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from tierce.solver.checks import is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.match import Tally, scored
from tierce.solver.games.sumgait.prices import GOAL, MISERE, PASS, PLAY, TRICKS, score
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles.objectives import TEN, Objective, objective, points
from tierce.solver.piles.objectives import TRICKS as MOST_TRICKS
from tierce.solver.piles.results import Ends

__all__ = ["BY", "GAME_WEIGHT", "HALVES", "By", "Coded", "Want", "coded", "want_of"]

By: TypeAlias = Literal["points", "ten", "tricks", "match"]
BY: Final[tuple[By, ...]] = get_args(By)
GAME_WEIGHT: Final = 5.0
WEIGHT_MAX: Final = 100.0
_STEP: Final = 16 * 5
HALVES: Final = 2  # values are rounded to halves, and told doubled, where several figures share a number
_TRICK: Final = 2.0**-16
_MADE: Final = 2.0**-28

Tricks: TypeAlias = tuple[int, int, int]  # by seat


class Loose(Objective):
    """An objective of which a trick more may be worth less, as in a match: a Game that stays on the hill, and more Vist
    for the others. For trials and exact expectation; with both piles known it would not do."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """InputError (field "objective") for a table that is no table."""
        if len(self.worth) != (TRICKS + 1) * _STEP or not all(is_number(each) for each in self.worth):
            raise InputError("objective", "expected a table of numbers", field="objective")


@dataclass(frozen=True, slots=True)
class Want:
    """by: the objective's name; play, misere: of every end; passed: of the tricks of three piles, by seat."""

    by: By
    play: Objective
    misere: Objective
    passed: Callable[[Tricks], float]

    def of_call(self, call: str) -> Objective:
        """Of a deal that he plays."""
        return self.misere if call == MISERE else self.play

    def counts(self, call: str) -> bool:
        """Can a call be worth anything? By the chance of ten tricks only a deal that is played."""
        return self.by != "ten" or call == PLAY


def want_of(view: View, by: By = "points", game_weight: float = GAME_WEIGHT) -> Want:
    """What is wanted at a view. InputError (field "by" or "game_weight")."""
    if by not in BY:
        raise InputError("by", f"expected {' | '.join(BY)}, found {quoted(by)}", field="by")
    if not is_number(game_weight) or not 0 <= game_weight <= WEIGHT_MAX:
        message = f"expected a weight from 0 to {WEIGHT_MAX:g}, found {quoted(game_weight)}"
        raise InputError("game_weight", message, field="game_weight")
    options = view.game.options
    if by == "match":
        return _match(view, game_weight)
    if by == "points":
        misere = objective("misere", lambda tricks, _: score(MISERE, (), (tricks, 0, 0), options).game, few=True)
        return Want(by, points(options), misere, lambda tricks: score(PASS, (), tricks, options).game)
    if by == "ten":
        return Want(by, TEN, objective("none", lambda tricks, _: not tricks, few=True), lambda _: 0.0)
    return Want(by, MOST_TRICKS, objective("fewest", lambda tricks, _: -tricks, few=True), lambda tricks: tricks[0])


def _match(view: View, weight: float) -> Want:
    before = _standing(view.tallies, view.declarer, weight)

    def of(call: str, suits: Sequence[int], tricks: Tricks) -> float:
        after = scored(view.tallies, view.declarer, call, suits, tricks, view.game.options).tallies
        return _standing(after, view.declarer, weight) - before

    def loose(call: str, *, few: bool = False) -> Objective:
        """Whose tricks of the two others, it makes no difference."""
        return _loose(lambda tricks, suits: of(call, suits, (tricks, 9 - tricks // 2, 9 - (tricks + 1) // 2)), few)

    return Want("match", loose(PLAY), loose(MISERE, few=True), lambda tricks: of(PASS, (), tricks))


def _standing(tallies: Sequence[Tally], player: int, weight: float) -> float:
    """What the settlement would bring, with Game at its weight."""
    worth = [tally.vist + weight * tally.game for tally in tallies]
    return 1.5 * worth[player] - sum(worth) / 2


def _loose(value: Callable[[int, Sequence[int]], float], few: bool) -> Loose:
    table: list[float] = []
    for tricks in range(TRICKS + 1):
        for declared in range(16):
            for last in range(5):
                suits = [suit for suit in range(4) if declared >> suit & 1 and suit != last]
                table.append(float(value(tricks, [*suits, last] if declared >> last & 1 else suits)))
    return Loose("match", tuple(table), few)


# ---- several figures in one number -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coded:
    """An objective whose sums over a few orders tell three figures: what is wanted, in halves, then tricks, then the
    chance of ten tricks (of none, where tricks are bad), each below the last place of the one before."""

    wish: Objective

    most: Final = 256  # orders to a sum

    @staticmethod
    def figures(total: float) -> tuple[float, int, int]:
        """What is wanted, tricks, and how often it was made, of a sum."""
        high = total // 1
        low = (total - high) / _TRICK
        return high / HALVES, int(low // 1), round((low - low // 1) * _TRICK / _MADE)


def coded(wish: Objective) -> Coded:
    """The objective with tricks and chance in its last places."""
    worth = []
    for at, value in enumerate(wish.worth):
        tricks = at // _STEP
        made = not tricks if wish.few else tricks >= GOAL
        worth.append(round(HALVES * value) + _TRICK * tricks + _MADE * made)
    return Coded(Loose(wish.name, tuple(worth), wish.few))


def made(ends: Ends, *, few: bool) -> list[bool]:
    """Whether ten tricks were made, or none where tricks are bad."""
    return [not tricks if few else tricks >= GOAL for tricks, _, _ in ends.ends]
