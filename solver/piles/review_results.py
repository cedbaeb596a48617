"""What the review of a deal of Sumgait Driller found, as values and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, TypeAlias

from tierce.solver.cards import SUIT_LETTERS, Mask
from tierce.solver.games.sumgait.cards import card_name, card_names, format_hand
from tierce.solver.games.sumgait.prices import PASS
from tierce.solver.games.sumgait.record_json import SEATS
from tierce.solver.piles.quick_giving import Giving
from tierce.solver.piles.results import Mean, Way

__all__ = ["CLEAR", "LEAST", "DealReview", "Fair", "GivingReview", "MarriageReview", "Played", "Seen"]

Json: TypeAlias = dict[str, Any]

CLEAR: Final = 2.0  # standard errors by which a loss must differ from nothing to count as one
LEAST: Final = 1e-6  # of a loss that is exact, for rounding
_PLACES: Final = 4  # decimals in JSON


@dataclass(frozen=True, slots=True)
class Fair:
    """A loss by what could be known: how far the choice is behind the best, in the mean over orders that fit.

    error    its standard error; 0 where the expectation is exact, None from a single order
    samples  orders that it is a mean of
    """

    best: Way
    loss: float
    error: float | None
    exact: bool
    samples: int

    @property
    def mean(self) -> Mean:
        """The loss as a mean."""
        return Mean(self.loss, self.error, self.samples)

    @property
    def clear(self) -> bool:
        """Is it more than chance?"""
        return self.error is not None and self.loss > max(LEAST, CLEAR * self.error)

    def json(self) -> Json:
        """As JSON values."""
        return {
            **_way_json(self.best, "best"),
            "loss": round(self.loss, _PLACES),
            "error": None if self.error is None else round(self.error, _PLACES),
            "exact": self.exact,
            "clear": self.clear,
        }


@dataclass(frozen=True, slots=True)
class Seen:
    """A card in hindsight, the piles known: one of the best ways (the one chosen, if it is one), what that reaches, and
    what the one chosen does."""

    best: Way
    best_value: float
    value: float

    @property
    def loss(self) -> float:
        """What the card cost."""
        return self.best_value - self.value

    def json(self) -> Json:
        """As JSON values."""
        found = {"best_value": self.best_value, "value": self.value, "loss": self.loss}
        return {**_way_json(self.best, "best"), **{name: round(value, _PLACES) for name, value in found.items()}}


@dataclass(frozen=True, slots=True)
class Played:
    """A card the declarer played; `ways`: among how many. Seen and fair are None where that was not judged, and fair
    where there was no choice, or no time."""

    trick: int
    leader: int
    way: Way
    ways: int
    seen: Seen | None
    fair: Fair | None

    def json(self) -> Json:
        """As JSON values."""
        return {
            "trick": self.trick,
            "leader": SEATS[self.leader],
            **_way_json(self.way, "card"),
            "ways": self.ways,
            "hindsight": None if self.seen is None else self.seen.json(),
            "fair": None if self.fair is None else self.fair.json(),
        }


@dataclass(frozen=True, slots=True)
class MarriageReview:
    """King and queen of a suit in the declarer's hand.

    declared   the trick with whose lead the suit became trump, None: it never did
    chances    tricks with whose lead it could have
    given_away   one of the two, or both, were among the cards given
    missed     the trick in which king or queen was led and declaring with it was ahead, by what could be known, and by
               how much; None where it was not, or not clearly
    """

    suit: int
    declared: int | None
    chances: tuple[int, ...]
    given_away: bool = False
    missed: tuple[int, Mean] | None = None

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {
            "suit": SUIT_LETTERS[self.suit],
            "declared": self.declared,
            "chances": list(self.chances),
            "given_away": self.given_away,
            "missed": None,
        }
        if self.missed is not None:
            trick, gain = self.missed
            error = None if gain.error is None else round(gain.error, _PLACES)
            out["missed"] = {"trick": trick, "gain": round(gain.value, _PLACES), "error": error}
        return out


@dataclass(frozen=True, slots=True)
class GivingReview:
    """The cards given, by what could be known and by rules of thumb alone, beside the best way these find."""

    given: tuple[Mask, Mask]
    value: Mean
    best: Giving

    @property
    def loss(self) -> float:
        """How far the choice is behind; below 0 where it is ahead."""
        return self.best.mean.value - self.value.value

    @property
    def error(self) -> float:
        """The standard error of that."""
        return sqrt((self.best.mean.error or 0.0) ** 2 + (self.value.error or 0.0) ** 2)

    @property
    def gap(self) -> Mean:
        """The loss as a mean, of so many orders as the one of both that has fewer."""
        return Mean(self.loss, self.error, min(self.best.mean.samples, self.value.samples))

    @property
    def clear(self) -> bool:
        """Is it more than chance?"""
        return self.loss > CLEAR * self.error

    def json(self) -> Json:
        """As JSON values."""
        return {
            "next": card_names(self.given[0]),
            "other": card_names(self.given[1]),
            "value": round(self.value.value, _PLACES),
            "best": {"next": card_names(self.best.next), "other": card_names(self.best.other)},
            "best_value": round(self.best.mean.value, _PLACES),
            "loss": round(self.loss, _PLACES),
            "error": round(self.error, _PLACES),
            "clear": self.clear,
        }


@dataclass(frozen=True, slots=True)
class DealReview:
    """A deal reviewed.

    number     of the deal in its match; player: the declarer, 0 to 2
    points     in the column Game, None if it is not finished; tricks: the declarer's so far
    vist       what a finished deal brought each player in Vist, 0 to 2
    hand       his eighteen cards at the first lead; cards: all that he played, () in PASS, where he has no choice
    end        what is still reached with the piles seen when the record ends; of a finished deal its points
    play_best, misere_best   the most that could be made with the piles seen, in the order they had; None: order unknown
    giving     None where it was not judged
    samples    orders a choice, 0 where nothing was judged by what could be known
    """

    number: int
    player: int
    call: str
    robbed: int | None
    hand: Mask
    finished: bool
    points: int | None
    vist: tuple[int, int, int]
    tricks: int
    cards: tuple[Played, ...]
    end: float | None
    play_best: float | None
    misere_best: float | None
    giving: GivingReview | None
    marriages: tuple[MarriageReview, ...]
    samples: int
    seed: int

    @property
    def lost(self) -> float:
        """In hindsight, by all cards."""
        return sum(each.seen.loss for each in self.cards if each.seen is not None)

    @property
    def start(self) -> float | None:
        """The most with the piles seen at the first lead of what was called; None where that is not known."""
        return None if self.end is None else self.end + self.lost

    @property
    def clearly_lost(self) -> float:
        """By what could be known: the sum of all losses that are more than chance."""
        return sum(each.fair.loss for each in self.cards if each.fair is not None and each.fair.clear)

    @property
    def not_judged(self) -> tuple[str, ...]:
        """What this review says nothing about: robbery, always; pass, unless called; hindsight, giving; cards, if there
        was no time for all."""
        found = ["robbery"]
        if self.call != PASS:
            found.append("pass")
        if self.play_best is None:
            found.append("hindsight")
        if self.giving is None:
            found.append("giving")
        if self.samples and any(each.fair is None and each.ways > 1 for each in self.cards):
            found.append("cards")
        return tuple(found)

    def json(self) -> Json:
        """As JSON values."""
        hindsight = None
        if self.end is not None and self.start is not None and self.cards:
            hindsight = {name: round(getattr(self, name), _PLACES) for name in ("start", "lost", "end")}
        return {
            "game": "sumgait",
            "deal": self.number,
            "player": self.player,
            "call": self.call,
            "robbed": None if self.robbed is None else SEATS[self.robbed],
            "hand": format_hand(self.hand),
            "finished": self.finished,
            "points": self.points,
            "vist": list(self.vist) if self.finished else None,
            "tricks": self.tricks,
            "hindsight": hindsight,
            "fair": {"samples": self.samples, "seed": self.seed, "lost": round(self.clearly_lost, _PLACES)},
            "calls": {"play": self.play_best, "misere": self.misere_best},
            "giving": None if self.giving is None else self.giving.json(),
            "marriages": [each.json() for each in self.marriages],
            "cards": [each.json() for each in self.cards],
            "not_judged": list(self.not_judged),
        }


def _way_json(way: Way, name: str) -> Json:
    return {name: card_name(way.card), f"{name}_declares": None if way.suit is None else SUIT_LETTERS[way.suit]}
