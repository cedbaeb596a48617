"""The score of one lay where it is a sum of several searched numbers: its terms, closed in until a need is decided.

`spans` holds for each term of a worth the fewest and the most tricks its side may take; a question closes one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tierce.solver.advice.values import Worth

__all__ = ["Ask", "Spans", "decided", "open_spans", "score_range"]

Spans: TypeAlias = list[list[int]]
Ask: TypeAlias = Callable[[int, int, int], "tuple[int, int] | None"]
"""Bounds of the tricks of a term's side, asked for between two numbers; None if the search was stopped."""


def open_spans(worth: Worth) -> Spans:
    """What is known before anything was asked."""
    return [[0, worth.tricks] for _ in worth.terms]


def score_range(worth: Worth, spans: Spans) -> tuple[int, int]:
    """The lowest and highest score that the terms leave."""
    low = high = worth.base
    for (least, most), term in zip(spans, worth.terms, strict=True):
        low += term.factor * (least if term.factor > 0 else most)
        high += term.factor * (most if term.factor > 0 else least)
    return low, high


def decided(worth: Worth, spans: Spans, need: int, ask: Ask) -> tuple[int, int]:
    """Close the bounds of a lay's score until it reaches `need` or cannot, or the search is stopped."""
    while True:
        low, high = score_range(worth, spans)
        if low >= need or high < need:
            return low, high
        number, k = _next_question(worth, spans, high - need)
        span = spans[number]
        found = ask(number, *((k - 1, k) if k else (span[0], span[1])))
        if found is None:
            return low, high
        if not k:
            span[:] = found
        elif found[0] >= k:
            span[0] = k
        else:
            span[1] = k - 1


def _next_question(worth: Worth, spans: Spans, slack: int) -> tuple[int, int]:
    """A term and a number of tricks whose answer may decide at once, or else 0: the exact value.

    slack   how far the highest score is above what is needed
    """
    widest, wide = 0, -1
    for number, (span, term) in enumerate(zip(spans, worth.terms, strict=True)):
        if span[1] - span[0] > wide:
            widest, wide = number, span[1] - span[0]
        give = slack // abs(term.factor)  # by so many tricks this term may fall short of its best
        k = span[1] - give if term.factor > 0 else span[0] + give + 1
        if span[0] < k <= span[1]:
            return number, k
    return widest, 0
