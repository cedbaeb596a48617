"""Many hands reviewed: per player and seat, what was dealt, what was lost and what was given.

For every hand and seat

    balance = luck - losses before the play - losses in the play + gifts (+ claim)

where the luck is what the cards were worth before the seat's own decisions, less its quota: the guarantee at the first
lead and what its own decisions before cost. Losses are the seat's own, so they speak of skill; luck and gifts do not.
Who had no parcels, trump or discard to choose lost nothing by them, so that the means add up. A decision that was not
judged leaves its hand out of that column, and out of the luck. In MIZ balances are under what is allowed, and the
account is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tierce.solver.advice.review_results import Review, SeatAccount
from tierce.solver.report.intervals import Interval, interval, share

__all__ = ["COLUMNS", "FEW_HANDS", "Row", "Summary", "summary_of"]

Json: TypeAlias = dict[str, Any]

COLUMNS: Final[Mapping[str, str]] = {
    "balance": "tricks over the quota",
    "luck": "what the cards were worth before the seat's own decisions, over the quota",
    "exchange": "lost by parcels",
    "trump": "lost by the trump or call",
    "discard": "lost by the discard, or the swap",
    "play": "lost by cards",
    "gifts": "brought by the others' cards",
}
"""The means that are told, and what they are."""
FEW_HANDS: Final = 8
"""Fewer make no interval: of two or three hands it would reach far beyond all tricks there are."""
_BEFORE: Final = {"exchange": "exchange", "trump": "trump", "discard": "discard", "swap": "discard"}


@dataclass(slots=True)
class Row:
    """The figures of a player, or of a player in one seat ("" for all).

    hands    how many; made: of these, the quota was made
    counts   of each column the values seen, with how often
    judged   the columns of decisions that there were and that were judged
    """

    player: str
    seat: str
    hands: int = 0
    made: int = 0
    unforced: int = 0
    best: int = 0
    judged: set[str] = field(default_factory=set)
    counts: dict[str, Counter[int]] = field(default_factory=lambda: {name: Counter() for name in COLUMNS})

    def mean(self, column: str) -> Interval | None:
        """The mean of a column, from a few hands without an interval; None where no hand has it."""
        counts = self.counts[column]
        if not counts:
            return None
        found = interval(counts)
        return found if counts.total() >= FEW_HANDS else Interval(found.value, None, None)

    @property
    def best_share(self) -> Interval | None:
        """The share of cards that lost nothing among those played with a choice."""
        return share(self.best, self.unforced) if self.unforced else None

    def json(self, told: Iterable[str] = COLUMNS) -> Json:
        """As JSON values. `told`: the columns that say something."""
        out: Json = {"player": self.player} | ({"seat": self.seat} if self.seat else {})
        out |= {"hands": self.hands, "quota_made": self.made}
        out["means"] = [
            {"what": name, "hands": self.counts[name].total()} | _json(found)
            for name in told
            if (found := self.mean(name)) is not None
        ]
        out |= {"unforced": self.unforced, "best": self.best}
        return out


@dataclass(frozen=True, slots=True)
class Summary:
    """Many hands. `players` and `seats`: rows by player, and by player and seat; skipped: hands not reviewed, why."""

    hands: int
    players: tuple[Row, ...]
    seats: tuple[Row, ...]
    skipped: tuple[str, ...]

    @property
    def told(self) -> tuple[str, ...]:
        """The columns that say something: without those of decisions that nobody had, or that were not judged."""
        judged = {name for row in self.players for name in row.judged}
        decisions = set(_BEFORE.values())
        known = {name for row in self.players for name in COLUMNS if row.counts[name]}
        return tuple(name for name in COLUMNS if name in judged or (name in known and name not in decisions))

    def json(self) -> Json:
        return {
            "hands": self.hands,
            "players": [row.json(self.told) for row in self.players],
            "seats": [row.json(self.told) for row in self.seats],
            "skipped": list(self.skipped),
        }


def summary_of(reviews: Iterable[Review | Exception]) -> Summary:
    """The figures of hands that were finished; of others, and of errors in their place, it is told why they are left
    out. Reviews are not kept."""
    rows: dict[tuple[str, str], Row] = {}
    hands = 0
    left: list[str] = []
    for review in reviews:
        if isinstance(review, Exception):
            left.append(str(review))
            continue
        if not (review.finished and review.whole):
            left.append("not finished" if review.whole else "not all cards were judged in time")
            continue
        hands += 1
        for account in review.accounts:
            for seat in ("", "DEM"[account.seat]):
                row = rows.setdefault((account.name, seat), Row(account.name, seat))
                _add(row, review, account)
    by_seat = sorted((row for row in rows.values() if row.seat), key=lambda row: (row.player, "DEM".index(row.seat)))
    players = sorted((row for row in rows.values() if not row.seat), key=lambda row: row.player)
    return Summary(hands, tuple(players), tuple(by_seat), tuple(left))


def _add(row: Row, review: Review, account: SeatAccount) -> None:
    balance = review.balance(account)
    row.hands += 1
    row.made += balance >= 0
    row.unforced += account.unforced
    row.best += account.best
    values = {"balance": balance, "play": account.lost, "gifts": sum(account.gifts)}
    lost: dict[str, float | None] = dict.fromkeys(_BEFORE.values(), 0)  # who had no such decision lost nothing by it
    lost |= {_BEFORE[what]: loss for what, loss in account.before}
    known = {what: loss for what, loss in lost.items() if loss is not None}
    row.judged |= {_BEFORE[what] for what, loss in account.before if loss is not None}
    if len(known) == len(lost):
        start = account.start + account.kitty
        values["luck"] = (account.quota - start if review.few else start - account.quota) + round(sum(known.values()))
    values |= {what: round(loss) for what, loss in known.items()}
    for name, value in values.items():
        row.counts[name][value] += 1


def _json(found: Interval) -> Json:
    out: Json = {"value": round(found.value, 4)}
    if found.low is not None and found.high is not None:
        out |= {"low": round(found.low, 4), "high": round(found.high, 4)}
    return out
