"""The race of the candidates: how many worlds, how thoroughly, and who stays in.

Everything here follows from the scores of the worlds done and from how many worlds were asked for, never from the time
it took or from who did the work. First few worlds for many candidates, values being given up where they are dear; then
the better part of them, and then the last KEEP for as many worlds as there is time or wish for. At each stage the
candidates are compared in the same worlds, by the differences of their scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

__all__ = ["KEEP", "START", "Stage", "narrowed", "plain_stages", "stages"]

START: Final = 24  # candidates of the first stage
KEEP: Final = 8  # candidates of the long stages
_ROUGH: Final = 60_000  # nodes a question
_FAIR: Final = 120_000
_FIRST: Final = (4, 8)  # worlds of the first stages
_HALVED: Final = (16, KEEP)  # candidates left after them
_LATER: Final = (32, 64, 160)  # worlds of those that follow; each has then twice as many
_FEWEST: Final = 2  # candidates that always stay
_SURE: Final = 3.0  # standard errors behind
_DOUBT: Final = 1.0  # of a difference, in tricks: few worlds that agree prove little


@dataclass(frozen=True, slots=True)
class Stage:
    """The candidates left are valued in the first `worlds` worlds.

    cap    most nodes a question, 0: values are settled
    keep   candidates that stay in at most
    test   does one that is surely behind drop out?
    """

    worlds: int
    cap: int
    keep: int
    test: bool


def stages(worlds: int | None) -> Iterator[Stage]:
    """The stages for so many worlds; None: without end, worlds first and dear values after them."""
    for count, keep in zip(_FIRST, _HALVED, strict=True):
        yield Stage(min(count, worlds or count), _ROUGH, keep, test=True)
    for count in _counts():
        last = worlds is not None and count >= worlds
        count = min(count, worlds or count)
        if worlds is None:
            yield Stage(count, _FAIR, KEEP, test=False)
        yield Stage(count, 0, KEEP, test=count >= _LATER[-1] and not last)
        if last:
            return


def plain_stages(worlds: int | None, candidates: int) -> Iterator[Stage]:
    """The stages where no candidate is dropped."""
    for count in _counts():
        yield Stage(min(count, worlds or count), 0, candidates, test=False)
        if worlds is not None and count >= worlds:
            return


def _counts() -> Iterator[int]:
    yield from _LATER
    count = _LATER[-1]
    while True:
        count *= 2
        yield count


def narrowed(scores: Sequence[Sequence[float]], stage: Stage, protected: Sequence[int] = ()) -> list[int]:
    """The candidates that stay in after a stage, in their order.

    scores      of each candidate in the same worlds, to be high
    protected   candidates that stay whatever they are worth
    """
    totals = [sum(each) for each in scores]
    order = sorted(range(len(scores)), key=lambda each: (-totals[each], each))
    kept = order[: stage.keep]
    if stage.test:
        kept = [each for place, each in enumerate(kept) if place < _FEWEST or not _behind(scores, order[0], each)]
    return sorted({*kept, *protected})


def _behind(scores: Sequence[Sequence[float]], leader: int, other: int) -> bool:
    """Is a candidate surely worth less than the leader?"""
    gaps = [one - two for one, two in zip(scores[leader], scores[other], strict=True)]
    count = len(gaps)
    mean = sum(gaps) / count
    variance = sum((each - mean) ** 2 for each in gaps) / max(1, count - 1)
    return mean > _SURE * sqrt((variance + _DOUBT**2) / count)
