"""A candidate in the race: what is known of its score in each world, and what that says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from tierce.solver.advice.candidates import Candidate
from tierce.solver.advice.estimate_results import (
    By,
    CandidateEstimate,
    Figure,
    Marks,
    average,
    chance_gap,
    figures,
)
from tierce.solver.advice.values import Worth
from tierce.solver.advice.valuing import Span

__all__ = ["Entry", "Runner", "lead"]

C = TypeVar("C")

_MOST_OF_MIZ: Final = 500_000  # nodes a question: some of MIZ take minutes, and stay open


@dataclass(slots=True)
class Runner(Generic[C]):
    """A candidate in the race.

    spans   by world: what is known of its score, and the node limit with which that was found (0: none)
    stage   the last stage it was in
    """

    candidate: C
    worth: Worth
    marks: Marks
    spans: dict[int, tuple[Span, int]] = field(default_factory=dict)
    stage: int = 0

    def limit(self, cap: int) -> int:
        """The node limit of a stage, as it is for this candidate."""
        return min(cap or _MOST_OF_MIZ, _MOST_OF_MIZ) if self.worth.kind == "cap" else cap

    def settled(self, world: int, cap: int) -> bool:
        """Is there nothing more to find out in a stage with this node limit?"""
        if world not in self.spans:
            return False
        (low, high), tried = self.spans[world]
        limit = self.limit(cap)
        return low == high or tried == 0 or 0 < limit <= tried

    def known(self, world: int) -> Span:
        """The ends of the score."""
        return self.spans[world][0] if world in self.spans else self.worth.range()

    def run(self) -> list[Span]:
        """What is known of the first worlds, up to the first in which nothing is."""
        spans: list[Span] = []
        while len(spans) in self.spans:
            spans.append(self.spans[len(spans)][0])
        return spans

    def middle(self) -> int | None:
        """The mean of the first worlds' scores, rounded; None before any."""
        spans = self.run()
        return round(sum(map(sum, spans)) / 2 / len(spans)) if spans else None

    def balance(self, score: float) -> float:
        """A score against the quota."""
        return score + self.marks.quota if self.worth.kind == "cap" else score - self.marks.quota

    def reached(self, score: int, by: By) -> bool:
        """Does a score make the quota, or win?"""
        if by == "quota":
            return self.balance(score) >= 0
        return self.marks.win is not None and score >= self.marks.win

    def counted(self, span: Span, by: By) -> tuple[float, float]:
        """What is compared in a world: the middle of balances, or of reaching it or not, and its distance to the
        ends."""
        low, high = (self.balance(score) if by == "mean" else float(self.reached(score, by)) for score in span)
        return (low + high) / 2, (high - low) / 2


class Entry(Runner[Candidate]):
    """A candidate of the dealer's."""

    __slots__ = ()

    def told(self) -> CandidateEstimate:
        """What the worlds done so far say."""
        spans = self.run()
        mean, quota, twelve = figures(self.worth, spans, self.marks)
        score = -mean.value if self.worth.kind == "cap" else mean.value
        return CandidateEstimate(
            candidate=self.candidate,
            worth=self.worth,
            mean=mean,
            quota=quota,
            twelve=twelve,
            balance=self.balance(score),
            worlds=len(spans),
            open=sum(low < high for low, high in spans),
            stage=self.stage,
        )


def lead(one: Runner[C], other: Runner[C], by: By) -> Figure:
    """How far a candidate is ahead of another in the worlds that both have met: what moves both there cancels out."""
    if one is other:
        return Figure(0.0, 0.0)
    gaps, doubts = [], []
    for mine, theirs in zip(one.run(), other.run(), strict=False):  # the work may stop between the two
        (middle, doubt), (against, more) = one.counted(mine, by), other.counted(theirs, by)
        gaps.append(middle - against)
        doubts.append(doubt + more)
    return average(gaps, doubts) if by == "mean" else chance_gap(gaps, doubts)
