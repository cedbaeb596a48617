"""What a decision is worth: the kinds of value, as sums of searched numbers.

    floor     the dealer's floor                        share    his fair share, floor + surplus / 3
    ceiling   floor + surplus, the tricks that the other two floors leave       pair:DE, pair:DM   the pair's tricks
    cap       the most he can be made to take (MIZ, where he wants few)

A score is a whole number that the dealer wants high: tricks, three times the tricks of a share, minus those of a cap.
Each term of it is one kind of search, with a table of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal, TypeAlias

from tierce.solver.errors import InputError, shown
from tierce.solver.games.profile import MIZ
from tierce.solver.results import Objective

__all__ = ["KINDS", "TRICKS_MAX", "Kind", "Term", "Worth", "worth_of"]

Kind: TypeAlias = Literal["floor", "share", "ceiling", "pair:DE", "pair:DM"]
TRICKS_MAX: Final = 1000  # of a target: far beyond any game, and a number that all can reckon with
KINDS: Final[tuple[Kind, ...]] = ("floor", "share", "ceiling", "pair:DE", "pair:DM")
DEALER, ELDEST, MIDDLE = 0b001, 0b010, 0b100
_ROUNDED: Final = 1e-3  # of a share told with four decimals, times 3


@dataclass(frozen=True, slots=True)
class Term:
    """`factor` times the tricks of `side` (mask) with best play by all."""

    factor: int
    side: int
    objective: Objective = "most"


@dataclass(frozen=True, slots=True)
class Worth:
    """What a choice is worth after one call: score = base + the terms.

    kind      the name of the value: floor, share, ceiling, side or cap
    side      the seats whose tricks it tells (mask)
    tricks    tricks played in the deal
    extra     tricks the dealer has besides (a kitty that counts as one)
    """

    kind: str
    side: int
    base: int
    terms: tuple[Term, ...]
    tricks: int
    extra: int = 0

    def range(self) -> tuple[int, int]:
        """The lowest and highest score there can be."""
        low, high = self.score(self.extra), self.score(self.tricks + self.extra)
        return min(low, high), max(low, high)

    def score(self, told: float) -> int:
        """The lowest score that is worth so many tricks, as people are told them, or more (of a cap: or fewer)."""
        if self.kind == "share":
            return ceil(3 * told - _ROUNDED)
        return ceil(-told if self.kind == "cap" else told)

    def told(self, score: int) -> float:
        """A score in tricks: a whole number, or of a share four decimals."""
        if self.kind == "share":
            return round(score / 3, 4)
        return -score if self.kind == "cap" else score


def worth_of(kind: str, call: str, tricks: int, extra: int = 0) -> Worth:
    """The worth of a call. InputError (field "value") for a kind that is none, or has no meaning in MIZ.

    tricks   tricks to be played; extra: tricks the dealer has besides
    """
    check_kind(kind)
    if call == MIZ:
        if kind != "floor":
            raise InputError("value", f"expected the value floor where MIZ is open, found {kind!r}", field="value")
        return Worth("cap", DEALER, -extra, (Term(-1, DEALER, "fewest"),), tricks, extra)
    if kind == "share":  # floor + (tricks - all floors) / 3, times 3
        terms = (Term(2, DEALER), Term(-1, ELDEST), Term(-1, MIDDLE))
        return Worth("share", DEALER, tricks + 3 * extra, terms, tricks, extra)
    if kind == "ceiling":
        return Worth("ceiling", DEALER, tricks + extra, (Term(-1, ELDEST), Term(-1, MIDDLE)), tricks, extra)
    if kind == "floor":
        return Worth("floor", DEALER, extra, (Term(1, DEALER),), tricks, extra)
    side = DEALER | (ELDEST if kind == "pair:DE" else MIDDLE)
    return Worth("side", side, extra, (Term(1, side),), tricks, extra)


def check_kind(kind: object) -> None:
    """Refuse what is no kind of value."""
    if kind not in KINDS:
        raise InputError("value", f"expected a value among {', '.join(KINDS)}, found {shown(str(kind))}", field="value")


def meant(kind: str, calls: Sequence[str]) -> tuple[str, ...]:
    """The calls that have a value of this kind: MIZ has a cap alone."""
    check_kind(kind)
    return tuple(call for call in calls if call != MIZ or kind == "floor")
