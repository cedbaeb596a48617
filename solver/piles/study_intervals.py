"""Half the 95 % interval of a mean: by Student's t of a small sample, for which the normal law is too narrow."""

from __future__ import annotations

from typing import Final

from tierce.solver.piles.results import Mean

__all__ = ["NORMAL", "half"]

NORMAL: Final = 1.959963984540054  # the normal quantile of 97.5 %
_STUDENT: Final = (
    12.70620,
    4.30265,
    3.18245,
    2.77645,
    2.57058,
    2.44691,
    2.36462,
    2.30600,
    2.26216,
    2.22814,
    2.20099,
    2.17881,
    2.16037,
    2.14479,
    2.13145,
    2.11991,
    2.10982,
    2.10092,
    2.09302,
    2.08596,
    2.07961,
    2.07387,
    2.06866,
    2.06390,
    2.05954,
    2.05553,
    2.05183,
    2.04841,
)  # the quantiles of 97.5 % of Student's t, for samples of 2 to 29


def half(mean: Mean) -> float | None:
    """Half the interval; 0 where the mean is exact, None of a single value."""
    if not mean.error:
        return mean.error
    few = mean.samples - 2
    return (_STUDENT[few] if few < len(_STUDENT) else NORMAL) * mean.error
