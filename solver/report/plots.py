"""Plots as inline SVG: numbers with their intervals, and how often each number came about.

    dots("means", title, rows, about=...)      a row a name: a dot and its interval on one scale
    bars("floors", title, counts, about=...)   a bar a number

A plot has a title and a description for those who hear it, a name or a number beside every mark, and colours of the
page's own. It is as wide as a phone in units of its text, so that it can be read there, and grows with the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final
from unicodedata import east_asian_width

from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import SERIES, Markup, element, plain

__all__ = ["Dot", "Scale", "bars", "dots", "drawing"]

WIDTH: Final = 360
_MARGIN: Final = 14
_ROW: Final = 38
_AXIS: Final = 34
_LONGEST: Final = 30  # letters of a name, wide ones twice; beside it the number must fit
_BARS_HIGH: Final = 90
_WIDEST_BAR: Final = 26
_NARROWEST: Final = 0.1  # what a scale holds at least: no plot shows hundredths of a trick as if they were much


@dataclass(frozen=True, slots=True)
class Dot:
    """A row of a plot. `said`: the number as text; `sure`: is the dot filled? `series`: whose colour it has."""

    name: str
    where: Interval
    said: str
    sure: bool
    series: int


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high` on so many units of a drawing, from `start` on; `step`: between two ticks."""

    low: float
    high: float
    step: float
    start: float
    length: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, length: float, most: int = 6) -> Scale:
        """A scale of round numbers that holds these, with `most` ticks at most."""
        low, high = min(values), max(values)
        step = _round_step(max(high - low, _NARROWEST) / max(1, most - 2))
        low, high = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
        return cls(low, high if high > low else low + step, step, start, length)

    def at(self, value: float) -> float:
        """The place of a number."""
        return self.start + (value - self.low) / (self.high - self.low) * self.length

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Round numbers, and how they are written."""
        places = max(0, -floor(log10(self.step) + 1e-9))
        for i in range(round((self.high - self.low) / self.step) + 1):
            value = round(self.low + i * self.step, places)
            yield value, f"{value + 0.0:.{places}f}"


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, at least so much."""
    power: float = 10.0 ** floor(log10(least))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))


def drawing(name: str, title: str, about: str, height: float, *inside: Markup) -> Markup:
    """An SVG of the usual width. `name` is its own on the page; `about`: what can be seen in it, in words."""
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", about, id=f"{name}-about"),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        role="img",
        aria_labelledby=f"{name}-title {name}-about",
    )


# ---- dots ------------------------------------------------------------------------------------------------------------


def dots(name: str, title: str, rows: Sequence[Dot], *, about: str, unit: str, zero: bool = False) -> Markup:
    """A row a name: a dot, and a line over its interval.

    unit   what the numbers are, below the scale
    zero   does the scale hold 0, and a line there?
    """
    ends = [each for row in rows for each in (row.where.value, row.where.low, row.where.high) if each is not None]
    scale = Scale.over([*ends, 0.0] if zero else ends, _MARGIN, WIDTH - 2 * _MARGIN)
    bottom = _ROW * len(rows) + 6
    inside = [*_axis(scale, bottom, unit)]
    if zero:
        inside.append(element("line", x1=scale.at(0), x2=scale.at(0), y1=0, y2=bottom, class_="zero"))
    for place, row in enumerate(rows):
        inside += _dot(scale, row, _ROW * place)
    return drawing(name, title, about, bottom + _AXIS, *inside)


def _axis(scale: Scale, bottom: float, unit: str) -> Iterator[Markup]:
    yield element("line", x1=scale.start, x2=scale.start + scale.length, y1=bottom, y2=bottom, class_="axis")
    for value, text in scale.ticks():
        at = scale.at(value)
        yield element("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, class_="axis")
        yield element("text", text, x=at, y=bottom + 16, text_anchor="middle", class_="soft")
    yield element("text", unit, x=scale.start + scale.length, y=bottom + 30, text_anchor="end", class_="soft")


def _dot(scale: Scale, row: Dot, top: float) -> Iterator[Markup]:
    """The name and the number above the line."""
    series, y = row.series % SERIES, top + 28
    yield element("text", _short(row.name), x=_MARGIN, y=top + 15)
    yield element("text", row.said, x=WIDTH - _MARGIN, y=top + 15, text_anchor="end")
    if row.where.low is not None and row.where.high is not None:
        x1, x2 = scale.at(row.where.low), scale.at(row.where.high)
        yield element("line", x1=x1, x2=x2, y1=y, y2=y, class_=f"span series-{series}")
        for x in (x1, x2):
            yield element("line", x1=x, x2=x, y1=y - 4, y2=y + 4, class_=f"span series-{series}")
    kind = f"fill-{series}" if row.sure else f"open series-{series}"
    yield element("circle", cx=scale.at(row.where.value), cy=y, r=4.5, class_=kind)


def _short(name: str) -> str:
    """A name that fits. Its end stays: names with dots in them differ there."""
    text = plain(name)
    if _letters(text) <= _LONGEST:
        return text
    while _letters(text) > _LONGEST - 1:
        text = text[1:]
    return "…" + text


def _letters(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


# ---- bars ------------------------------------------------------------------------------------------------------------


def bars(
    name: str,
    title: str,
    counts: Mapping[int, int],
    *,
    about: str,
    numbers: range,
    top: float,
    mark: int | None = None,
    series: int = 0,
) -> Markup:
    """How often each number came about, as a share.

    numbers   from where to where: plots that are compared have the same
    top       the share that fills the height
    mark      a dashed line before this number
    """
    total = sum(counts.values())
    wide = (WIDTH - 2 * _MARGIN) / len(numbers)
    bar = min(_WIDEST_BAR, 0.8 * wide)
    bottom = 20.0 + _BARS_HIGH
    inside = [element("text", _short(title), x=_MARGIN, y=14)]
    for place, number in enumerate(numbers):
        middle = _MARGIN + wide * (place + 0.5)
        part = counts.get(number, 0) / total
        high = _BARS_HIGH * part / top
        if part:
            box = {"x": middle - bar / 2, "y": bottom - high, "width": bar, "height": high}
            inside.append(element("rect", class_=f"fill-{series % SERIES}", **box))
        inside.append(element("text", str(number), x=middle, y=bottom + 14, text_anchor="middle", class_="soft"))
    if mark is not None and mark in numbers:
        x = _MARGIN + wide * (mark - numbers.start)
        inside.append(element("line", x1=x, x2=x, y1=20, y2=bottom, class_="zero"))
    inside.append(element("line", x1=_MARGIN, x2=WIDTH - _MARGIN, y1=bottom, y2=bottom, class_="axis"))
    return drawing(name, title, about, bottom + 20, *inside)
