"""What a batch study says: strategy by strategy, two by two, and the deals in which they differ most.

Every number is over the deals in which all strategies have a value, so that all have met the same cards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tierce.solver.batch.studies import Study
from tierce.solver.cards import SEATS3
from tierce.solver.report.intervals import FEW_DEALS, Interval

__all__ = [
    "FEW_DIFFERENT",
    "Difference",
    "Failing",
    "Look",
    "StrategyResult",
    "StudyReport",
    "Told",
    "method",
]

Json: TypeAlias = dict[str, Any]

FEW_DIFFERENT: Final = 8  # deals; two strategies that differ in fewer prove little, whatever the law of large numbers
_PLACES: Final = 4  # decimals in JSON
_CHANCE_PLACES: Final = 6


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """What came of a strategy.

    valued    deals in which it has a value; errors: in which it has none
    first     the deal of its first error and what that says, or None
    mean      of the floor of the seat that counts, balance: the same against what the seat owes
    quota     share of the deals in which the floor reaches what the seat owes
    win       share in which it reaches what wins the match
    floors    how often each floor came about, from the lowest to the highest
    """

    name: str
    valued: int
    errors: int
    first: tuple[int, str] | None
    mean: Interval
    balance: float
    quota: Interval
    win: Interval
    floors: tuple[tuple[int, int], ...]

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"name": self.name, "deals": self.valued, "errors": self.errors}
        if self.first is not None:
            out["first_error"] = {"deal": self.first[0], "error": self.first[1]}
        out |= {"mean": _interval(self.mean), "balance": round(self.balance, _PLACES)}
        out |= {"quota": _interval(self.quota), "win": _interval(self.win)}
        return out | {"floors": [{"tricks": tricks, "deals": deals} for tricks, deals in self.floors]}


@dataclass(frozen=True, slots=True)
class Failing:
    """A strategy without a value in any deal, which is left out of the comparison; `first` as above."""

    name: str
    errors: int
    first: tuple[int, str] | None

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"name": self.name, "errors": self.errors}
        if self.first is not None:
            out["first_error"] = {"deal": self.first[0], "error": self.first[1]}
        return out


@dataclass(frozen=True, slots=True)
class Difference:
    """One strategy against another, deal by deal.

    mean     of the floor of the one less that of the other; chance: of a mean as far from 0 by luck (two-sided)
    better, equal, worse     deals in which the one has the higher floor, the same, a lower one
    same     deals in which both chose the same
    apart    can the two be told apart, all pairs judged together (see `method`)?
    """

    one: int
    other: int
    mean: Interval
    better: int
    equal: int
    worse: int
    same: int
    chance: float | None
    apart: bool

    def turned(self) -> Difference:
        """The other against the one."""
        low, high = self.mean.low, self.mean.high
        mean = Interval(0.0 - self.mean.value, None if high is None else 0.0 - high, None if low is None else 0.0 - low)
        return Difference(
            self.other, self.one, mean, self.worse, self.equal, self.better, self.same, self.chance, self.apart
        )

    def json(self, names: tuple[str, ...]) -> Json:
        """As JSON values."""
        return {
            "one": names[self.one],
            "other": names[self.other],
            "mean": _interval(self.mean),
            "better": self.better,
            "equal": self.equal,
            "worse": self.worse,
            "same_choice": self.same,
            "chance": None if self.chance is None else round(self.chance, _CHANCE_PLACES),
            "apart": self.apart,
        }


@dataclass(frozen=True, slots=True)
class Told:
    """What a strategy did in a deal, and what came of it; texts as the study has them."""

    strategy: int
    sent: str | None
    returned: str | None
    trump: str
    discard: str
    floors: tuple[int | None, int | None, int | None]
    own: int
    balance: int

    def json(self, names: tuple[str, ...]) -> Json:
        """As JSON values."""
        out: Json = {"name": names[self.strategy]}
        if self.sent is not None:
            out |= {"sent": self.sent, "returned": self.returned}
        out |= {"trump": self.trump, "discard": self.discard}
        out["floors"] = dict(zip("DEM", self.floors, strict=True))
        return out | {"own": self.own, "balance": self.balance}


@dataclass(frozen=True, slots=True)
class Look:
    """A deal to look at. `spread`: how far apart the floors are; `told`: the best strategy first."""

    deal: int
    cards: str
    spread: int
    told: tuple[Told, ...]
    command: tuple[str, ...]

    def json(self, names: tuple[str, ...]) -> Json:
        """As JSON values. `command` looks at the deal again."""
        return {
            "deal": self.deal,
            "cards": self.cards,
            "spread": self.spread,
            "strategies": [each.json(names) for each in self.told],
            "command": list(self.command),
        }


@dataclass(frozen=True, slots=True)
class StudyReport:
    """What a study says.

    seat         whose floor counts: the sender's of an exchange, else the dealer's
    finished     are all deals done?
    done         deals that the file holds, compared: those in which all strategies have a value
    quota        what the seat owes, win: what wins the match
    strategies   in the study's order; order: their places in the study, the best first
    failing      strategies that are left out, since they have a value in no deal
    differences  every pair, each once, the one before the other in `order`
    all_same     deals in which all strategies chose the same
    looks        the deals in which the floors are farthest apart
    """

    study: Study
    seat: int
    finished: bool
    done: int
    compared: int
    quota: int
    win: int
    strategies: tuple[StrategyResult, ...]
    order: tuple[int, ...]
    differences: tuple[Difference, ...]
    all_same: int
    looks: tuple[Look, ...]
    failing: tuple[Failing, ...] = ()

    @property
    def ranked(self) -> tuple[StrategyResult, ...]:
        """The best strategy first."""
        by_place = dict(zip(sorted(self.order), self.strategies, strict=True))
        return tuple(by_place[place] for place in self.order)

    @property
    def pairs(self) -> Mapping[tuple[int, int], Difference]:
        """Every ordered pair of places, and the one against the other."""
        both = [*self.differences, *(each.turned() for each in self.differences)]
        return {(each.one, each.other): each for each in both}

    def against_best(self) -> tuple[Difference, ...]:
        """Every other strategy against the best, in order."""
        pairs = self.pairs
        return tuple(pairs[place, self.order[0]] for place in self.order[1:])

    def json(self) -> Json:
        """As JSON values: one object."""
        names = self.study.strategies
        return {
            "kind": "study",
            "study": _study(self.study),
            "seat": SEATS3[self.seat],
            "complete": self.finished,
            "done": self.done,
            "compared": self.compared,
            "quota": self.quota,
            "win": self.win,
            "method": method(self),
            "strategies": [each.json() for each in self.ranked],
            "left_out": [each.json() for each in self.failing],
            "against_best": [each.json(names) for each in self.against_best()],
            "differences": [each.json(names) for each in self.differences],
            "all_same_choice": self.all_same,
            "looks": [each.json(names) for each in self.looks],
        }


def method(report: StudyReport) -> str:
    """How the intervals came about and what "told apart" means."""
    law = f"Student's t (fewer than {FEW_DEALS} deals)" if report.compared < FEW_DEALS else "the normal law"
    said = f"Intervals: 95 %, by {law}, of the mean"
    pairs = len(report.differences)
    if not pairs:
        return said + "."
    said += " of the floors, and of the mean of their differences deal by deal."
    together = "" if pairs == 1 else f", all {pairs} pairs judged together by Holm's rule"
    return said + (
        f" Told apart: a difference from 0 at the 5 % level{together}, of strategies that differ in {FEW_DIFFERENT} "
        "deals or more."
    )


def _study(study: Study) -> Json:
    """What was asked, as the study itself tells it."""
    found: Json = json.loads(study.json())
    return found


def _interval(found: Interval) -> Json:
    rounded = [None if each is None else round(each, _PLACES) for each in (found.value, found.low, found.high)]
    return dict(zip(("value", "low", "high"), rounded, strict=True))
