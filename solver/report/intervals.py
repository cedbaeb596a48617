"""Means with their intervals, and which differences can be told apart from chance.

    interval(counts)       the mean of whole numbers and its 95 % interval
    half_width(error, n)   half the 95 % interval of a mean of n values, from its standard error
    two_sided(counts)      the chance of a mean as far from 0 if the true mean were 0
    share(hits, of)        a share and its 95 % interval
    told_apart(chances)    which of several comparisons stand together

Numbers come as counts, a mapping from a value to how often it was seen: sums over whole numbers are exact, so an answer
depends neither on the order of the deals nor on how many there are. An interval of a mean is the normal one, from
`FEW_DEALS` deals on; with fewer Student's t takes the place of the normal law. Several comparisons are judged together
by Holm's rule, so that the chance of a single wrong "told apart" among all of them stays at 5 %.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan, cos, erfc, inf, pi, sin, sqrt
from typing import Final, TypeAlias

__all__ = [
    "FEW_DEALS",
    "LEVEL",
    "NORMAL",
    "Counts",
    "Interval",
    "half_width",
    "interval",
    "share",
    "told_apart",
    "two_sided",
]

Counts: TypeAlias = Mapping[int, int]

LEVEL: Final = 0.05  # the chance of an interval that misses, and of a wrong "told apart"
FEW_DEALS: Final = 30  # below it the normal law is too narrow by more than a twentieth
NORMAL: Final = 1.959963984540054  # the normal quantile of 1 - LEVEL / 2


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and the ends of its 95 % interval; None where a single deal leaves them open."""

    value: float
    low: float | None
    high: float | None

    @property
    def half(self) -> float | None:
        """Half the width: what stands behind the ± of a mean."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def interval(counts: Counts) -> Interval:
    """The mean of the values, at least one, and its interval."""
    size, mean, error = _moments(counts)
    if error is None:
        return Interval(mean, None, None)
    half = _quantile(size - 1) * error
    return Interval(mean, mean - half, mean + half)


def half_width(error: float | None, size: int) -> float | None:
    """Half the interval of a mean of so many values; 0 where it is exact, None where its error is unknown."""
    return _quantile(size - 1) * error if error else error


def two_sided(counts: Counts) -> float | None:
    """The chance of a mean at least as far from 0 if the true one were 0; None from a single deal."""
    size, mean, error = _moments(counts)
    if error is None:
        return None
    if not mean:
        return 1.0
    return _outside(abs(mean) / error if error else inf, size - 1)


def share(hits: int, of: int) -> Interval:
    """A share and its interval after Wilson, which is sound for shares near 0 and 1, too."""
    square = NORMAL * NORMAL
    middle = (hits + square / 2) / (of + square)
    half = NORMAL / (of + square) * sqrt(hits * (of - hits) / of + square / 4)
    return Interval(hits / of, max(0.0, middle - half), min(1.0, middle + half))


def told_apart(chances: Sequence[float | None]) -> tuple[bool, ...]:
    """Which comparisons stand together, by Holm's rule.

    The smallest chance must be at most LEVEL / n, the next LEVEL / (n - 1), and so on; the first that fails ends it.
    None, a comparison that has no chance, never stands, and counts among the n.
    """
    found = [False] * len(chances)
    order = sorted(range(len(chances)), key=lambda i: 1.0 if (chance := chances[i]) is None else chance)
    for place, i in enumerate(order):
        chance = chances[i]
        if chance is None or chance > LEVEL / (len(chances) - place):
            break
        found[i] = True
    return tuple(found)


def _moments(counts: Counts) -> tuple[int, float, float | None]:
    """How many values, their mean, and its standard error (None from a single value)."""
    size = sum(counts.values())
    total = sum(value * times for value, times in counts.items())
    if size < 2:
        return size, total / size, None
    squares = sum(value * value * times for value, times in counts.items())
    spread = size * squares - total * total  # size * (size - 1) times the variance, exactly
    return size, total / size, sqrt(spread / (size - 1)) / size


# ---- Student's t -----------------------------------------------------------------------------------------------------


def _outside(t: float, freedom: int) -> float:
    """The chance of a value farther than `t` from 0, on either side."""
    return erfc(t / sqrt(2)) if freedom + 1 >= FEW_DEALS else max(0.0, 1 - _within(t, freedom))


def _within(t: float, freedom: int) -> float:
    """The chance that Student's t stays between -t and t.

    With the angle a = atan(t / sqrt(freedom)) the integral of the density is a finite sum, of powers of cos a: even
    ones if the degrees of freedom are even, else odd ones and the angle itself.
    """
    angle = atan(t / sqrt(freedom)) if t < inf else pi / 2
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cos(angle) ** 2 * (power + 1) / (power + 2)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _quantile(freedom: int) -> float:
    """How far from 0 the interval reaches, in standard errors: t is halved in until it is as exact as a float."""
    if freedom + 1 >= FEW_DEALS:
        return NORMAL
    low, high = 0.0, 64.0  # of one degree of freedom it is 12.7
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 1 - LEVEL else (low, middle)
    return (low + high) / 2
