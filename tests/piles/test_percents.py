"""Chances in percent: none is told as 0 or 100 that is neither."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tierce.solver.piles.percents import percent_text


@pytest.mark.parametrize(
    ("part", "places", "text"),
    [
        (0.5, 1, "50.0%"),
        (0.995, 0, "99.5%"),
        (0.0, 1, "0.0%"),
        (1.0, 1, "100.0%"),
        (1.0, 0, "100%"),
        (0.9997, 1, "99.97%"),
        (0.0004, 1, "0.04%"),
        (0.99996, 1, "99.996%"),
        (1 - 1e-12, 1, "100.0%"),
        (1 - 1e-8, 1, ">99.9999%"),
        (1e-8, 1, "<0.0001%"),
        (Fraction(1, 10**12), 1, "<0.0001%"),
        (1 - Fraction(1, 10**20), 1, ">99.9999%"),
        (Fraction(17, 18), 1, "94.4%"),
        (Fraction(1, 153), 2, "0.65%"),
    ],
)
def test_examples(part: float | Fraction, places: int, text: str) -> None:
    assert percent_text(part, places) == text


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 2))
def test_ends_are_certain(of: int, hits: int, places: int) -> None:
    part = Fraction(min(hits, of), of)
    for told in (percent_text(part, places), percent_text(float(part), places)):
        end = told[0] not in "<>" and float(told[:-1]) in (0, 100)
        assert end == (part in (0, 1))
