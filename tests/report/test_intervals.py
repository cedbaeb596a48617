"""Intervals and chances against the standard library, published tables and worked examples."""

from __future__ import annotations

import random
from collections import Counter
from math import atan, pi, sqrt
from statistics import NormalDist, mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tierce.solver.report.intervals import FEW_DEALS, interval, share, told_apart, two_sided

# Student's t, two-sided 5 %, by degrees of freedom: as any printed table has it.
T_TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 15: 2.131, 20: 2.086, 28: 2.048}


def with_t(freedom: int, t: float) -> Counter[int]:
    """Values, one more than the degrees of freedom, whose mean lies `t` standard errors from 0, as near as millionths
    of the spread allow."""
    values = [(-1) ** i * 1_000_000 for i in range(freedom + 1)]
    error = stdev(values) / sqrt(len(values))
    shift = round(t * error - mean(values))
    return Counter(value + shift for value in values)


@given(st.lists(st.integers(-16, 16), min_size=2, max_size=200))
def test_mean_and_error(values: list[int]) -> None:
    found = interval(Counter(values))
    assert found.value == pytest.approx(mean(values))
    assert found.low is not None and found.high is not None and found.half is not None
    error = stdev(values) / sqrt(len(values))
    freedom = len(values) - 1
    wide = NormalDist().inv_cdf(0.975) if freedom + 1 >= FEW_DEALS else T_TABLE.get(freedom)
    if wide is not None:
        assert found.half == pytest.approx(wide * error, rel=3e-4)
    assert found.high - found.value == pytest.approx(found.value - found.low)


@pytest.mark.parametrize(("freedom", "quantile"), T_TABLE.items())
def test_chance_at_a_tabulated_quantile(freedom: int, quantile: float) -> None:
    assert two_sided(with_t(freedom, quantile)) == pytest.approx(0.05, abs=2e-4)


def test_chance_of_two_values_has_a_closed_form() -> None:
    """One degree of freedom is Cauchy's law."""
    for t in (0.5, 1.0, 3.0, 40.0):
        assert two_sided(with_t(1, t)) == pytest.approx(1 - 2 / pi * atan(t), abs=1e-3)


@pytest.mark.parametrize("t", [0.1, 1.0, 1.96, 2.576, 3.29])
def test_chance_of_many_is_normal(t: float) -> None:
    assert two_sided(with_t(399, t)) == pytest.approx(2 * NormalDist().cdf(-t), rel=0.02)


def test_the_ends() -> None:
    assert two_sided(Counter([3])) is None
    assert (interval(Counter([3])).low, interval(Counter([3])).half) == (None, None)
    assert two_sided(Counter([0, 0, 0])) == 1.0
    assert two_sided(Counter([1, -1])) == 1.0
    assert two_sided(Counter([2] * 10)) == 0.0
    assert two_sided(Counter([2] * 100)) == 0.0


def test_shares_after_wilson() -> None:
    """Wilson's limits for 0, 1 and 5 of 10, known to four places."""
    for hits, low, high in ((0, 0.0, 0.2775), (1, 0.0179, 0.4042), (5, 0.2366, 0.7634), (10, 0.7225, 1.0)):
        found = share(hits, 10)
        assert found.value == hits / 10
        assert found.low == pytest.approx(low, abs=1e-4) and found.high == pytest.approx(high, abs=1e-4)


def test_holm_worked_by_hand() -> None:
    """0.005 <= 0.05/4 and 0.01 <= 0.05/3 stand; 0.03 > 0.05/2 ends it, and with it goes 0.04 <= 0.05/1."""
    assert told_apart([0.01, 0.04, 0.03, 0.005]) == (True, False, False, True)
    assert told_apart([0.05]) == (True,)
    assert told_apart([0.02, None]) == (True, False)
    assert told_apart([0.03, None]) == (False, False)  # what has no chance counts among the comparisons
    assert told_apart([]) == ()


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12))
def test_holm_lies_between_its_neighbours(chances: list[float | None]) -> None:
    """All that Bonferroni lets stand stands, nothing that would not stand alone; smaller chances never fall first."""
    found = told_apart(chances)
    for chance, stands in zip(chances, found, strict=True):
        bonferroni = chance is not None and chance <= 0.05 / len(chances)
        assert bonferroni <= stands <= (chance is not None and chance <= 0.05)
    standing = [chance for chance, stands in zip(chances, found, strict=True) if stands and chance is not None]
    falling = [chance for chance, stands in zip(chances, found, strict=True) if not stands and chance is not None]
    assert not standing or not falling or max(standing) <= min(falling)


@pytest.mark.parametrize("size", [10, 100])
def test_equals_are_seldom_told_apart(size: int) -> None:
    """Of differences whose true mean is 0 one in twenty intervals leaves 0 out: 100 of 2,000, within four errors."""
    source = random.Random(size)
    missed = 0
    for _ in range(2000):
        found = interval(Counter(source.choice((-2, -1, -1, 0, 0, 1, 1, 2)) for _ in range(size)))
        assert found.low is not None and found.high is not None
        missed += not found.low <= 0 <= found.high
    assert 60 <= missed <= 140
