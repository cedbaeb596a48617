"""Plots: marks stand where their numbers are, and everything a plot shows is told in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tierce.solver.report.intervals import Interval
from tierce.solver.report.plots import WIDTH, Dot, Scale, bars, dots

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.floats(-20, 20, allow_nan=False).map(lambda value: round(value, 3))


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_scales(values: list[float]) -> None:
    """Every value within, few ticks, all of them apart and where they say."""
    scale = Scale.over(values, 10, 300)
    assert all(10 - 1e-6 <= scale.at(value) <= 310 + 1e-6 for value in values)
    ticks = list(scale.ticks())
    assert 2 <= len(ticks) <= 8
    texts = [text for _, text in ticks]
    assert len(set(texts)) == len(texts) and "-0" not in texts
    assert all(float(text) == pytest.approx(value, abs=1e-9) for value, text in ticks)
    assert all(scale.at(one) < scale.at(other) for (one, _), (other, _) in pairwise(ticks))


@given(st.lists(st.tuples(NUMBERS, st.floats(0.01, 5)), min_size=1, max_size=9), st.booleans())
def test_dots_are_in_place(given_: list[tuple[float, float]], zero: bool) -> None:
    rows = [Dot(f"s{i}", Interval(v, v - h, v + h), str(v), i % 2 == 0, i) for i, (v, h) in enumerate(given_)]
    root = ET.fromstring(dots("d", "t", rows, about="a", unit="u", zero=zero))
    places = [float(each.get("cx", "")) for each in root.iter(f"{SVG}circle")]
    by_value = sorted(zip([value for value, _ in given_], places, strict=True))
    assert all(one <= other + 0.01 for (_, one), (_, other) in pairwise(by_value))
    assert all(0 <= place <= WIDTH for place in places)
    spans = [each for each in root.iter(f"{SVG}line") if "span" in each.get("class", "")]
    assert len(spans) == 3 * len(rows)
    for place, span in zip(places, spans[::3], strict=True):
        assert float(span.get("x1", "")) < place < float(span.get("x2", ""))
    assert len([each for each in root.iter(f"{SVG}line") if each.get("class") == "zero"]) == zero


def test_sure_dots_are_filled_and_open_ones_are_not() -> None:
    rows = [Dot("a", Interval(1, 0, 2), "1", True, 0), Dot("b", Interval(2, None, None), "2", False, 9)]
    root = ET.fromstring(dots("d", "t", rows, about="a", unit="u"))
    assert [each.get("class") for each in root.iter(f"{SVG}circle")] == ["fill-0", "open series-1"]


@given(st.dictionaries(st.integers(0, 16), st.integers(1, 1000), min_size=1))
def test_bars_are_as_high_as_their_shares(counts: dict[int, int]) -> None:
    total = sum(counts.values())
    root = ET.fromstring(
        bars("b", "t", counts, about="a", numbers=range(17), top=max(counts.values()) / total, mark=min(counts))
    )
    found = {float(each.get("x", "")): float(each.get("height", "")) for each in root.iter(f"{SVG}rect")}
    highest = max(found.values())
    heights = [found[place] for place in sorted(found)]
    expected = [counts[number] / max(counts.values()) * highest for number in sorted(counts)]
    assert heights == pytest.approx(expected, abs=0.02)


def test_what_a_plot_shows_is_told() -> None:
    """A title and a description of its own name; every row's name and number as text. Long names keep their end."""
    rows = [
        Dot("my.package.with.a.long.name:one", Interval(1, 0, 2), "1 ±1", True, 0),
        Dot("<b>", Interval(2, 1, 3), "2", True, 1),
    ]
    root = ET.fromstring(dots("name", "A title", rows, about="In words", unit="tricks"))
    assert root.get("role") == "img" and root.get("aria-labelledby") == "name-title name-about"
    assert {each.get("id"): each.text for each in root if each.get("id")} == {
        "name-title": "A title",
        "name-about": "In words",
    }
    texts = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert {"1 ±1", "2", "<b>", "tricks"} <= set(texts)
    assert any(text.startswith("…") and text.endswith("name:one") and len(text) <= 30 for text in texts)
    wide = ET.fromstring(dots("name", "t", [Dot("寒" * 40, Interval(1, 0, 2), "", True, 0)], about="", unit=""))
    assert next(wide.iter(f"{SVG}text")).text is not None
    assert max(len(each.text or "") for each in wide.iter(f"{SVG}text")) <= 16
