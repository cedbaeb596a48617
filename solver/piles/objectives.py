"""What the declarer wants of a deal: a number for every end that the play can have.

An end is his tricks, the suits he declared and the last of them, for that is what a deal's points depend on. More
tricks must never be worth less for the same suits (or never more, where tricks are bad): what both known piles are
worth, and the rules of thumb, rely on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tierce.solver.cards import NOTRUMP, SUITS
from tierce.solver.checks import is_number
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.prices import GOAL, PLAY, score
from tierce.solver.games.sumgait.prices import MISERE as MISERE_CALL
from tierce.solver.games.sumgait.prices import TRICKS as TRICKS_OF_DEAL

__all__ = ["MISERE", "POINTS", "TEN", "TRICKS", "Objective", "objective", "points"]

_SETS: Final = 16
_LASTS: Final = NOTRUMP + 1
_NO_OPTIONS: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Objective:
    """A name, and what an end is worth: 19 x 16 x 5 numbers, by tricks, suits declared as bits, and the trump then.

    few   are tricks bad?
    """

    name: str
    worth: tuple[float, ...] = field(repr=False)
    few: bool = False

    def __post_init__(self) -> None:
        """InputError (field "objective") for a table that is no table, or that a trick makes worse."""
        size = (TRICKS_OF_DEAL + 1) * _SETS * _LASTS
        if len(self.worth) != size or not all(is_number(each) for each in self.worth):
            raise InputError("objective", f"expected {size} numbers, found {len(self.worth)}", field="objective")
        step = _SETS * _LASTS
        sign = -1 if self.few else 1
        for low, high in zip(self.worth, self.worth[step:], strict=False):
            if sign * (high - low) < 0:
                message = f"expected a trick never to be {'better' if self.few else 'worse'} than none, found {high!r}"
                raise InputError("objective", f"{message} after {low!r}", field="objective")

    def of(self, tricks: int, declared: int = 0, trump: int = NOTRUMP) -> float:
        """What an end is worth."""
        return self.worth[(tricks * _SETS + declared) * _LASTS + trump]

    @property
    def swing(self) -> float:
        """What it is worth to make ten tricks rather than nine; where tricks are bad, none rather than one."""
        made, failed = (0, 1) if self.few else (GOAL, GOAL - 1)
        return abs(self.of(made) - self.of(failed))

    @property
    def by_suits(self) -> bool:
        """Does it matter which suits are declared?"""
        return any(
            self.of(tricks, declared, trump) != self.of(tricks)
            for tricks in range(TRICKS_OF_DEAL + 1)
            for declared in range(_SETS)
            for trump in SUITS
            if declared >> trump & 1
        )


def objective(name: str, value: Callable[[int, Sequence[int]], float], *, few: bool = False) -> Objective:
    """An objective from a function of tricks and the suits declared, the last of them last."""
    return Objective(
        name,
        tuple(
            float(value(tricks, _suits(declared, trump)))
            for tricks in range(TRICKS_OF_DEAL + 1)
            for declared in range(_SETS)
            for trump in range(_LASTS)
        ),
        few,
    )


def _suits(declared: int, trump: int) -> tuple[int, ...]:
    suits = [suit for suit in SUITS if declared >> suit & 1]
    return tuple(sorted(suits, key=lambda suit: suit == trump))


def points(options: Mapping[str, object] = _NO_OPTIONS) -> Objective:
    """Points in the column Game of a deal that is played, by the options of the game."""
    return objective("points", lambda tricks, suits: score(PLAY, suits, (tricks, 0, 0), options).game)


POINTS: Final = points()
TRICKS: Final = objective("tricks", lambda tricks, suits: tricks)
TEN: Final = objective("ten", lambda tricks, suits: tricks >= GOAL)
MISERE: Final = objective("misere", lambda tricks, suits: score(MISERE_CALL, suits, (tricks, 0, 0)).game, few=True)
