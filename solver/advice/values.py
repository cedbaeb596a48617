"""What a decision is worth to a seat, the dealer's in most: the kinds of value, as sums of searched numbers.

    floor     the seat's floor                        share    its fair share, floor + surplus / 3
    ceiling   floor + surplus, the tricks that the other two floors leave       pair:DE, pair:DM   the pair's tricks
    cap       the most it can be made to take (MIZ, where the dealer wants few)

A score is a whole number that the seat wants high: tricks, three times the tricks of a share, minus those of a cap.
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

__all__ = ["KINDS", "TRICKS_MAX", "Kind", "Term", "Worth", "kinds_of", "worth_of", "worth_of_seat"]

Kind: TypeAlias = Literal["floor", "share", "ceiling", "pair:DE", "pair:DM"]
TRICKS_MAX: Final = 1000  # of a target: far beyond any game, and a number that all can reckon with
KINDS: Final[tuple[Kind, ...]] = ("floor", "share", "ceiling", "pair:DE", "pair:DM")
DEALER = 0b001
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
    return worth_of_seat(kind, 0, tricks, extra)


def worth_of_seat(kind: str, seat: int, tricks: int, extra: int = 0) -> Worth:
    """The worth to a seat after a trump was named. InputError (field "value") for a kind that it does not have.

    extra   tricks the dealer has besides those to be played
    """
    if kind not in kinds_of(seat):
        expected = ", ".join(kinds_of(seat))
        raise InputError("value", f"expected a value among {expected}, found {shown(str(kind))}", field="value")
    own, (one, other) = 1 << seat, (1 << each for each in range(3) if each != seat)
    extra = extra if seat == 0 or (kind.startswith("pair:") and "D" in kind) else 0
    if kind == "share":  # floor + (tricks - all floors) / 3, times 3
        terms = (Term(2, own), Term(-1, one), Term(-1, other))
        return Worth("share", own, tricks + 3 * extra, terms, tricks, extra)
    if kind == "ceiling":
        return Worth("ceiling", own, tricks + extra, (Term(-1, one), Term(-1, other)), tricks, extra)
    if kind == "floor":
        return Worth("floor", own, extra, (Term(1, own),), tricks, extra)
    side = sum(1 << "DEM".index(name) for name in kind.removeprefix("pair:"))
    return Worth("side", side, extra, (Term(1, side),), tricks, extra)


def kinds_of(seat: int) -> tuple[str, ...]:
    """The kinds of value that a seat has: a pair's only as one of it."""
    pairs = (f"pair:{pair}" for pair in ("DE", "DM", "EM") if "DEM"[seat] in pair)
    return "floor", "share", "ceiling", *pairs


def check_kind(kind: object) -> None:
    """Refuse what is no kind of value."""
    if kind not in KINDS:
        raise InputError("value", f"expected a value among {', '.join(KINDS)}, found {shown(str(kind))}", field="value")


def meant(kind: str, calls: Sequence[str]) -> tuple[str, ...]:
    """The calls that have a value of this kind: MIZ has a cap alone."""
    check_kind(kind)
    return tuple(call for call in calls if call != MIZ or kind == "floor")
