"""What is known about a dealer's decision when only his own cards are seen: an estimate, candidate by candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Literal, TypeAlias

from tierce.solver.advice.candidates import Candidate
from tierce.solver.advice.dealer_results import choice_json
from tierce.solver.advice.values import Worth
from tierce.solver.advice.valuing import Span
from tierce.solver.games.profile import MIZ, Profile

__all__ = [
    "BY",
    "By",
    "CandidateEstimate",
    "DealerEstimate",
    "Figure",
    "Marks",
    "average",
    "chance_gap",
    "figures",
    "marks_of",
    "told_apart",
    "winning_tricks",
]

Json: TypeAlias = dict[str, Any]
By: TypeAlias = Literal["mean", "quota", "twelve"]
BY: Final[tuple[By, ...]] = ("mean", "quota", "twelve")
_ENDS: Final = {"twelve": 12, "thirteen": 13, "sixteen": 16}
_PLACES: Final = 4  # decimals in JSON
_APART: Final = 2.0  # standard errors that tell two candidates apart
_FEW: Final = 8  # worlds; fewer that agree have next to no spread, and prove little


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimated number and its standard error (None from a single world). Where values are not settled, the number
    takes the middle of each, and the error is larger by half the mean distance of their ends."""

    value: float
    error: float | None

    def json(self, name: str) -> Json:
        """As JSON values: the field and the one of its error."""
        error = None if self.error is None else round(self.error, _PLACES)
        return {name: round(self.value, _PLACES), f"{name}_error": error}


@dataclass(frozen=True, slots=True)
class Marks:
    """What the tricks of a call are held against.

    quota    tricks owed, in MIZ the most without loss
    win      tricks of the dealer's, a kitty that is one among them, that win the match; None in MIZ
    """

    quota: int
    win: int | None


@dataclass(frozen=True, slots=True)
class CandidateEstimate:
    """A candidate after some worlds.

    mean      tricks of the dealer's: his floor, in MIZ his cap
    quota     chance that it makes his quota, in MIZ that it stays without loss
    twelve    chance that it wins the match by tricks (see `Marks`), None in MIZ
    balance   the mean against the quota
    worlds    so many; open: those of them in which the value is not settled
    stage     the stage of the race that the candidate reached, 0 for the first
    """

    candidate: Candidate
    worth: Worth
    mean: Figure
    quota: Figure
    twelve: Figure | None
    balance: float
    worlds: int
    open: int
    stage: int

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"trump": self.candidate.call}
        if self.candidate.choice.discard or self.candidate.choice.swap is not None:
            out |= choice_json(self.candidate.choice)
        for name, figure in (("mean", self.mean), ("quota", self.quota), ("twelve", self.twelve)):
            out |= {name: None, f"{name}_error": None} if figure is None else figure.json(name)
        if self.worth.kind == "cap":
            out["kind"] = "cap"
        out["worlds"] = self.worlds
        return out | ({"open": self.open} if self.open else {})


@dataclass(frozen=True, slots=True)
class DealerEstimate:
    """An estimate of the dealer's decision from his own cards, over random worlds that fit what he knows.

    In each world the value is exact, or lies between proved ends; but averages over worlds take the later play to see
    all cards, which nobody at the table does.

    candidates   the best first: those that the race has kept, then those dropped, the last dropped first
    kept         how many of them the race has kept
    seed         of the worlds; fit: how many worlds fit; worlds: how many the best candidate was valued in
    by           mean, quota or twelve: what the order goes by (quota and twelve: then by the mean)
    margin       how far the best is ahead of the runner-up, None where there is none: in the worlds that both have met,
                 by balance, or by the chance that the order goes by
    chosen       what was asked about by name, or None; loss: how far the best is ahead of it, like `margin`
    win          tricks that win the match, where that is settled by tricks; else 12
    complete     were all worlds done that were asked for?
    nodes        starts of tricks searched; millis: wall time; stop: 0, or why it ended early (STOP_*)
    """

    candidates: tuple[CandidateEstimate, ...]
    kept: int
    seed: int
    fit: int
    worlds: int
    by: By
    margin: Figure | None
    chosen: CandidateEstimate | None
    loss: Figure | None
    win: int
    complete: bool
    nodes: int
    millis: float
    stop: int

    @property
    def best(self) -> CandidateEstimate | None:
        """The best so far; None before any world was done."""
        return self.candidates[0] if self.candidates else None

    @property
    def second(self) -> CandidateEstimate | None:
        """The runner-up."""
        return self.candidates[1] if len(self.candidates) > 1 else None

    def apart(self, gap: Figure) -> bool:
        """Is a margin or a loss too large to be chance: two standard errors, over more than very few worlds?"""
        return told_apart(gap, self.worlds)

    def json(self, most: int | None = 10) -> Json:
        """As JSON values. `most`: candidates listed; None: all."""
        best = self.best
        out: Json = {"kind": "estimate", "seed": self.seed, "worlds": self.worlds, "fit": self.fit, "by": self.by}
        out["tried"] = len(self.candidates)
        out["candidates"] = [
            each.json() | ({"dropped": True} if place >= self.kept else {})
            for place, each in enumerate(self.candidates[:most])
        ]
        out["best"] = None if best is None else best.json()
        out |= {"margin": None, "margin_error": None} if self.margin is None else self.margin.json("margin")
        if self.chosen is not None:
            out["chosen"] = self.chosen.json()
        if self.loss is not None:
            out |= self.loss.json("loss")
        out |= {"win": self.win, "complete": self.complete}
        return out | {"nodes": self.nodes, "millis": round(self.millis, 3)}


def told_apart(gap: Figure, worlds: int) -> bool:
    """Is a gap over so many worlds too large to be chance?"""
    sure = gap.error is not None and gap.value >= _APART * gap.error
    return sure and gap.value > 0 and worlds >= _FEW


def winning_tricks(profile: Profile, quota: int) -> int:
    """The tricks with which a seat wins the match in one deal; 12 where tricks do not settle it.

    quota   the seat's
    """
    end = str(profile.option("end"))
    return quota + 5 if end == "quota_plus_5" else _ENDS.get(end, 12)


def marks_of(profile: Profile, call: str, quotas: Sequence[int]) -> Marks:
    """What a call's tricks are held against. `quotas`: of the deal."""
    if call == MIZ:
        return Marks(profile.caps()[0], None)
    beside = profile.kitty_trick and str(profile.option("end")) in _ENDS
    uncounted = beside and not profile.option("count_kitty_trick_for_win")
    return Marks(quotas[0], winning_tricks(profile, quotas[0]) + int(uncounted))


def figures(worth: Worth, spans: Sequence[Span], marks: Marks) -> tuple[Figure, Figure, Figure | None]:
    """Mean, chance of the quota and of winning, from what is known of a candidate's scores in some worlds."""
    sign = -1 if worth.kind == "cap" else 1
    mean = average([sign * (low + high) / 2 for low, high in spans], [(high - low) / 2 for low, high in spans])
    if sign < 0:
        return mean, _chance(spans, lambda score: -score <= marks.quota), None
    win = None if marks.win is None else _chance(spans, lambda score: score >= (marks.win or 0))
    return mean, _chance(spans, lambda score: score >= marks.quota), win


def average(values: Sequence[float], doubts: Sequence[float]) -> Figure:
    """The mean of the middles; `doubts`: half the distance of the ends of each."""
    count, doubt = len(values), sum(doubts) / len(values)
    mean = sum(values) / count
    if count < 2:
        return Figure(mean, None)
    variance = sum((each - mean) ** 2 for each in values) / (count - 1)
    return Figure(mean, sqrt(variance / count) + doubt)


def _chance(spans: Sequence[Span], reached: Callable[[int], bool]) -> Figure:
    """How often a score reaches something that higher scores reach. The error is that of the rule of succession, so
    that it is not 0 where nothing, or all, has reached it."""
    count = len(spans)
    sure = sum(reached(low) for low, _ in spans)
    perhaps = sum(reached(high) for _, high in spans)
    smooth = ((sure + perhaps) / 2 + 1) / (count + 2)
    error = sqrt(smooth * (1 - smooth) / count) + (perhaps - sure) / 2 / count
    return Figure((sure + perhaps) / 2 / count, error)


def chance_gap(gaps: Sequence[float], doubts: Sequence[float]) -> Figure:
    """The difference of two chances, from what was reached in the same worlds (1, 0 or -1 each, middles between).

    Half a world is added for each of the four ways in which two candidates can reach it or not: as with one chance, the
    error is not 0 where both have always done the same.
    """
    count = len(gaps)
    ahead = (sum(max(each, 0) for each in gaps) + 0.5) / (count + 2)
    behind = (sum(max(-each, 0) for each in gaps) + 0.5) / (count + 2)
    error = sqrt((ahead + behind - (ahead - behind) ** 2) / count)
    return Figure(sum(gaps) / count, error + sum(doubts) / count)
