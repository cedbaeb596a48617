"""Many deals of contracts reviewed: the series they are of, and per player what was won, lost and given.

For every deal and seat

    units = start - own - mates + gifts (+ claim)

where the start is what the contract that stood was worth to the seat at the first lead, own and mates what its own
cards and those of its side cost it, gifts what the other side's cards gave. Who declares changes from deal to deal, so
figures are told in all, declaring and defending; deals that were void count in all, for nothing. Deals that are not
finished, or whose first cards were not judged in time, are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tierce.solver.advice.contract_accounts import ContractSeat
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.cards import SEATS4
from tierce.solver.games.contracts import contract_title
from tierce.solver.games.scoring import winners
from tierce.solver.report.intervals import Interval, interval, share
from tierce.solver.report.summary import FEW_HANDS

__all__ = [
    "COLUMNS", "ROLES", "ContractRow", "ContractSummary", "Series", "SeriesDeal", "contract_summary_of", "series_of",
]  # fmt: skip

Json: TypeAlias = dict[str, Any]

COLUMNS: Final[Mapping[str, str]] = {
    "units": "units won, a deal",
    "start": "what the contract that stood was worth with best play by all",
    "own": "units lost by own cards",
    "mates": "units lost by cards of the same side's others",
    "gifts": "units brought by the other side's cards",
    "calls": "units lost by own calls: the dearest mistake of an auction",
    "tricks": "tricks lost by own cards",
}
"""The means that are told, and what they are."""
ROLES: Final = ("", "declaring", "defending")


# ---- series ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeriesDeal:
    """A finished deal of a match: what was played and by whom, was it made (None: void), units by seat, and the running
    totals after it."""

    number: int
    title: str
    made: bool | None
    units: tuple[int, ...]
    totals: tuple[int, ...]

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"deal": self.number, "contract": self.title, "made": self.made}
        return out | {"units": list(self.units), "totals": list(self.totals)}


@dataclass(frozen=True, slots=True)
class Series:
    """The deals of one match, in their order. `winners`: the players who have won it, () while it goes on."""

    players: tuple[str, ...]
    deals: tuple[SeriesDeal, ...]
    winners: tuple[int, ...]

    def json(self) -> Json:
        """As JSON values."""
        won = [self.players[player] for player in self.winners]
        return {"players": list(self.players), "deals": [each.json() for each in self.deals], "winners": won}


def series_of(reviews: Iterable[ContractReview]) -> tuple[Series, ...]:
    """The matches that reviews in their order are of: a deal that does not follow the one before it begins another."""
    found: list[Series] = []
    last: ContractReview | None = None
    for review in reviews:
        if not review.finished:
            continue
        follows = last is not None and _follows(last, review)
        before = found.pop().deals if follows else ()
        found.append(Series(review.players, (*before, _deal(review)), _winners(review)))
        last = review
    return tuple(found)


def _follows(last: ContractReview, review: ContractReview) -> bool:
    one, two = last.deal, review.deal
    same = last.players == review.players and one.state.profile == two.state.profile
    return same and two.number == one.number + 1 and two.start.totals == one.totals


def _deal(review: ContractReview) -> SeriesDeal:
    contract, deal = review.contract, review.deal
    by = "" if contract is None else "".join(SEATS4[seat] for seat in contract.declarers)
    title = "void" if contract is None else f"{contract_title(contract.name)} {by}"
    return SeriesDeal(deal.number, title, review.made, review.units, deal.totals)


def _winners(review: ContractReview) -> tuple[int, ...]:
    deal = review.deal
    assert deal.result is not None
    return winners(deal.state.profile, (*deal.start.results, deal.result), deal.totals)


# ---- players ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ContractRow:
    """The figures of a player, or of a player in one role ("" for all).

    hands     how many deals; declared: of these, how many the player declared; made: of those, how many were made
    counts    of each column the values seen, with how often
    """

    player: str
    role: str
    hands: int = 0
    declared: int = 0
    made: int = 0
    turned: int = 0
    unforced: int = 0
    best: int = 0
    counts: dict[str, Counter[int]] = field(default_factory=lambda: {name: Counter() for name in COLUMNS})

    def mean(self, column: str) -> Interval | None:
        """The mean of a column, from a few deals without an interval; None where no deal has it."""
        counts = self.counts[column]
        if not counts:
            return None
        found = interval(counts)
        return found if counts.total() >= FEW_HANDS else Interval(found.value, None, None)

    @property
    def units(self) -> int:
        """Units won in all."""
        return sum(value * often for value, often in self.counts["units"].items())

    @property
    def best_share(self) -> Interval | None:
        """The share of cards that lost nothing among those played with a choice."""
        return share(self.best, self.unforced) if self.unforced else None

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"player": self.player} | ({"role": self.role} if self.role else {})
        out |= {"hands": self.hands, "declared": self.declared, "made": self.made, "units": self.units}
        out["means"] = [
            {"what": name, "hands": self.counts[name].total()} | _interval_json(found)
            for name in COLUMNS
            if (found := self.mean(name)) is not None
        ]
        return out | {"turned": self.turned, "unforced": self.unforced, "best": self.best}


@dataclass(frozen=True, slots=True)
class ContractSummary:
    """Many deals: hands reviewed, void ones among them; the series they are of; rows by player and by player and role;
    skipped: deals not reviewed, why."""

    hands: int
    void: int
    series: tuple[Series, ...]
    rows: tuple[ContractRow, ...]
    skipped: tuple[str, ...]

    @property
    def told(self) -> tuple[str, ...]:
        """The columns that some row has a mean of: calls have none where no auction was judged."""
        return tuple(name for name in COLUMNS if any(row.counts[name] for row in self.rows))

    def json(self) -> Json:
        """As JSON values."""
        return {
            "hands": self.hands,
            "void": self.void,
            "series": [each.json() for each in self.series],
            "players": [row.json() for row in self.rows if not row.role],
            "roles": [row.json() for row in self.rows if row.role],
            "skipped": list(self.skipped),
        }


def contract_summary_of(reviews: Iterable[ContractReview | Exception]) -> ContractSummary:
    """The figures of deals that were finished; of others, and of errors in their place, it is told why they are left
    out."""
    rows: dict[tuple[str, str], ContractRow] = {}
    kept: list[ContractReview] = []
    left: list[str] = []
    for review in reviews:
        if isinstance(review, Exception):
            left.append(str(review))
        elif not (review.finished and review.whole):
            left.append("not finished" if review.whole else "not all cards were judged in time")
        else:
            kept.append(review)
            for seat in review.seats:
                for role in _roles(review, seat):
                    _add(rows.setdefault((seat.name, role), ContractRow(seat.name, role)), review, seat)
    order = sorted(rows.values(), key=lambda row: (row.player, ROLES.index(row.role)))
    void = sum(review.void for review in kept)
    return ContractSummary(len(kept), void, series_of(kept), tuple(order), tuple(left))


def _roles(review: ContractReview, seat: ContractSeat) -> Sequence[str]:
    if review.void:
        return ("",)
    return ("", "declaring" if seat.declares else "defending")


def _add(row: ContractRow, review: ContractReview, seat: ContractSeat) -> None:
    row.hands += 1
    row.declared += seat.declares
    row.made += seat.declares and review.made is True
    row.turned += seat.turned
    row.unforced += seat.unforced
    row.best += seat.best
    values = {"units": seat.units, "start": seat.start, "own": seat.own, "mates": seat.partners, "gifts": seat.others}
    values["tricks"] = seat.lost
    auctions = review.auctions
    if auctions and (lost := auctions[seat.seat].loss) is not None:
        values["calls"] = lost
    for name, value in values.items():
        row.counts[name][value] += 1


def _interval_json(found: Interval) -> Json:
    out: Json = {"value": round(found.value, 4)}
    if found.low is not None and found.high is not None:
        out |= {"low": round(found.low, 4), "high": round(found.high, 4)}
    return out
