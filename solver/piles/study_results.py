"""What a study of a hand found, as values and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

from tierce.solver.cards import SUIT_LETTERS, SUITS, Card, Mask
from tierce.solver.games.sumgait.cards import card_name, card_names, format_hand
from tierce.solver.games.sumgait.prices import GOAL
from tierce.solver.piles.objectives import Objective
from tierce.solver.piles.quick_giving import Giving
from tierce.solver.piles.results import Ends, Mean, mean_of
from tierce.solver.report.intervals import Interval, half_width, share

__all__ = ["Bin", "Bracket", "Chance", "HandStudy", "Led", "bins", "share_of"]

Json: TypeAlias = dict[str, Any]

_WIDTHS: Final = (10, 20, 40, 100, 200, 500, 1000)
_PLACES: Final = 4  # decimals in JSON


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance that is known exactly, and how often it came about in the deals of the study.

    name    for programs; about: for people, after "the chance that"
    """

    name: str
    about: str
    part: Fraction
    seen: int
    of: int

    def json(self) -> Json:
        """As JSON values; fractions as numerator and denominator."""
        return {"name": self.name, "about": self.about, **_part_json(self.part), "seen": self.seen, "of": self.of}


@dataclass(frozen=True, slots=True)
class Led:
    """A card led to the first trick: the chance that the next pile's card beats it, that neither does, and how often
    neither did."""

    card: Card
    at_once: Fraction
    stands: Fraction
    seen: int
    of: int

    def json(self) -> Json:
        """As JSON values."""
        at_once, stands = _part_json(self.at_once), _part_json(self.stands)
        return {
            "card": card_name(self.card), "beaten_at_once": at_once, "stands": stands, "seen": self.seen, "of": self.of,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bin:
    """How many deals ended with points from `low` to below `high`."""

    low: int
    high: int
    deals: int


@dataclass(frozen=True, slots=True)
class Bracket:
    """What best play is worth, from below and from above, as `Bounds` has it; all over the same orders.

    made   the policy that played, whatever it played for; penalised: None for the chance of ten, where the penalty
           makes nothing tighter than the piles seen do
    gap    penalised less made, deal by deal; without a penalty: clairvoyant less made
    """

    objective: str
    made: Mean
    penalised: Mean | None
    clairvoyant: Mean
    gap: Mean


@dataclass(frozen=True, slots=True)
class HandStudy:
    """A hand over random deals, when it is played by a policy that sees nothing it could not know.

    hand      as it was told, of 16, 18 or 22 cards; known: cards told to lie in each pile
    points_of what the play is worth in points, by the game's options; objective: what the policy plays for
    samples   orders in which each way is tried at each turn; exact: cards in hand from which on play is exact
    giving    of a hand of 22, how it gave; of 16 each deal has its own kitty and giving
    ends      how the deals ended; thumb: the same deals by rules of thumb alone
    bounds    of points, tricks and the chance of ten; of 16 and 22 cards they hold for the giving that was chosen
    """

    hand: Mask
    known: tuple[Mask, Mask]
    points_of: Objective
    objective: str
    seed: int
    samples: int
    exact: int
    giving: Giving | None
    ends: Ends
    thumb: Ends
    bounds: tuple[Bracket, ...]
    led: tuple[Led, ...]
    chances: tuple[Chance, ...]

    @property
    def deals(self) -> int:
        """How many were played."""
        return len(self.ends.ends)

    @property
    def cards(self) -> int:
        """16, 18 or 22."""
        return self.hand.bit_count()

    @property
    def tricks(self) -> Mapping[int, int]:
        """How many deals ended with each number of tricks."""
        return self.ends.tricks()

    @property
    def points(self) -> Mapping[int, int]:
        """How many deals ended with each number of points."""
        return dict(sorted(Counter(map(round, self.ends.values(self.points_of))).items()))

    @property
    def mean_tricks(self) -> Mean:
        """Of the policy."""
        return mean_of(end[0] for end in self.ends.ends)

    @property
    def mean_points(self) -> Mean:
        """Of the policy."""
        return self.ends.mean(self.points_of)

    @property
    def made(self) -> int:
        """Deals with ten tricks or more."""
        return sum(end[0] >= GOAL for end in self.ends.ends)

    @property
    def ten(self) -> Interval:
        """Their share, with its 95 % interval."""
        return share(self.made, self.deals)

    @property
    def declared(self) -> Mapping[int, int]:
        """In how many deals each suit, S H D C, was declared trump."""
        return {suit: sum(end[1] >> suit & 1 for end in self.ends.ends) for suit in SUITS}

    def json(self) -> Json:
        """As JSON values."""
        return {
            "game": "sumgait",
            "hand": format_hand(self.hand),
            "known": {"next": card_names(self.known[0]), "other": card_names(self.known[1])},
            "objective": self.objective,
            "deals": self.deals,
            "seed": self.seed,
            "samples": self.samples,
            "exact": self.exact,
            "giving": None if self.giving is None else _giving_json(self.giving),
            "tricks": {"mean": _mean_json(self.mean_tricks), "counts": _counts_json(self.tricks)},
            "points": {"mean": _mean_json(self.mean_points), "counts": _counts_json(self.points)},
            "ten": {"made": self.made, **_interval_json(self.ten)},
            "declared": {SUIT_LETTERS[suit]: deals for suit, deals in self.declared.items()},
            "rules_of_thumb": {
                "tricks": _mean_json(mean_of(end[0] for end in self.thumb.ends)),
                "points": _mean_json(self.thumb.mean(self.points_of)),
                "ten": sum(end[0] >= GOAL for end in self.thumb.ends),
            },
            "bounds": {each.objective: _bracket_json(each) for each in self.bounds},
            "led": [each.json() for each in self.led],
            "chances": [each.json() for each in self.chances],
        }


def share_of(mean: Mean) -> Interval:
    """A mean of noughts and ones as a share, with an interval that is sound near 0 and 1, too."""
    return share(round(mean.value * mean.samples), mean.samples)


def bins(counts: Mapping[int, int], most: int = 14) -> list[Bin]:
    """Points in `most` steps at most of one round width, from 0 up and down."""
    low, high = min(counts), max(counts)
    width = next((each for each in _WIDTHS if high // each - low // each < most), _WIDTHS[-1])
    found = Counter[int]()
    for points, deals in counts.items():
        found[points // width] += deals
    return [Bin(at * width, (at + 1) * width, found[at]) for at in range(low // width, high // width + 1)]


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _PLACES)


def _mean_json(mean: Mean) -> Json:
    wide = half_width(mean.error, mean.samples)
    low, high = (None, None) if wide is None else (mean.value - wide, mean.value + wide)
    return {
        "value": _rounded(mean.value), "error": _rounded(mean.error), "low": _rounded(low), "high": _rounded(high),
    }  # fmt: skip


def _interval_json(found: Interval) -> Json:
    return {"value": _rounded(found.value), "low": _rounded(found.low), "high": _rounded(found.high)}


def _part_json(part: Fraction) -> Json:
    return {"fraction": [part.numerator, part.denominator], "value": round(float(part), 6)}


def _counts_json(counts: Mapping[int, int]) -> dict[str, int]:
    return {str(value): deals for value, deals in counts.items()}


def _giving_json(giving: Giving) -> Json:
    return {
        "next": card_names(giving.next),
        "other": card_names(giving.other),
        "quick_value": _mean_json(giving.mean),
        "sets_tried": giving.tried,
    }


def _bracket_json(found: Bracket) -> Json:
    parts = {"made": found.made, "penalised": found.penalised, "clairvoyant": found.clairvoyant, "gap": found.gap}
    told = {name: None if each is None else _mean_json(each) for name, each in parts.items()}
    if found.objective == "ten":
        for name, each in parts.items():
            told[name] = None if each is None else _mean_json(each) | _interval_json(share_of(each))
    return told
