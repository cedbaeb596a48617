"""What games say about bots: what each took in each seat, what one takes in another's place, how matches ended.

A balance is what a player is over or under his quota, in MIZ the other way round: more is always better. Bots are
compared by balances; where all play for the same quotas, that difference is one of tricks. Seats are those in which the
players began, before an auction may have turned them.

Means have 95 % intervals, with deals as what is drawn: the three seats of a deal, which share its cards, count as one
number, their sum. Games that ended with a fault are left out, and with them the comparisons they belong to.

In games of contracts balances are units, and deals are told by table_units.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tierce.solver.hints.table_games import Fault, Game, Times, by_player
from tierce.solver.hints.table_units import ContractCount, UnitsRow, contract_counts, units_rows
from tierce.solver.hints.tables import Table
from tierce.solver.report.intervals import Interval, interval, share

__all__ = ["Difference", "MatchRow", "Row", "Summary", "TimesRow", "summary_of"]

Json: TypeAlias = dict[str, Any]
_PLACES: Final = 4  # decimals in JSON
_SEATS: Final = "DEM"


@dataclass(frozen=True, slots=True)
class Row:
    """A bot in a seat; seat None: in all three, of deals that were played in each.

    tricks   taken in a deal, as they count; quota: owed, on average
    balance  see above; made: how often the quota was made
    won      games that ended the match, with this player as a winner
    """

    bot: str
    seat: int | None
    deals: int
    tricks: Interval
    quota: float
    balance: Interval
    made: Interval
    won: int

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"bot": self.bot, "seat": _seat(self.seat), "deals": self.deals}
        out |= _interval("tricks", self.tricks) | {"quota": round(self.quota, _PLACES)}
        return out | _interval("balance", self.balance) | _interval("made", self.made) | {"won": self.won}


@dataclass(frozen=True, slots=True)
class Difference:
    """What a bot takes more than another in its place, in a seat or (None) on average of the three.

    better, equal, worse   deals
    """

    bot: str
    instead: str
    seat: int | None
    deals: int
    mean: Interval
    better: int
    equal: int
    worse: int

    @property
    def apart(self) -> bool:
        """Is the interval clear of 0?"""
        low, high = self.mean.low, self.mean.high
        return low is not None and high is not None and (low > 0 or high < 0)

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"bot": self.bot, "instead_of": self.instead, "seat": _seat(self.seat), "deals": self.deals}
        out |= _interval("difference", self.mean)
        return out | {"better": self.better, "equal": self.equal, "worse": self.worse, "apart": self.apart}


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A bot in matches: how many were finished, how many it won and how many of those it shared with another; tricks
    and balance of one of its players in a deal."""

    bot: str
    matches: int
    won: int
    shared: int
    wins: Interval
    tricks: float
    balance: float

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"bot": self.bot, "matches": self.matches, "won": self.won, "shared": self.shared}
        out |= _interval("wins", self.wins)
        return out | {"tricks": round(self.tricks, _PLACES), "balance": round(self.balance, _PLACES)}


@dataclass(frozen=True, slots=True)
class TimesRow:
    """The time of a bot's decisions. `seconds`: what it was given for one, None if it goes by no time."""

    bot: str
    times: Times
    seconds: float | None

    @property
    def over(self) -> float | None:
        """By how many seconds its longest decision was beyond its time."""
        return None if self.seconds is None else max(0.0, self.times.longest - self.seconds)

    @property
    def mean(self) -> float:
        """Seconds of a decision."""
        return self.times.total / max(1, self.times.decisions)

    def json(self) -> Json:
        """As JSON values; times in milliseconds."""
        out: Json = {"bot": self.bot, "decisions": self.times.decisions, "mean_ms": _millis(self.mean)}
        out["longest_ms"] = _millis(self.times.longest)
        return out | {"over_ms": None if self.over is None else _millis(self.over)}


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of a table so far.

    played       games, of those that there are
    rows         of deals; units, contracts: of games of contracts
    matches      of matches, in the order of the table's bots
    deals        finished in matches, by match; unfinished: matches given up after many deals
    faults       by bot ("" for those of none alone): how many, the deal or match of the first and what it was
    """

    table: Table
    played: int
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    matches: tuple[MatchRow, ...]
    deals: Interval | None
    unfinished: int
    times: tuple[TimesRow, ...]
    faults: Mapping[str, tuple[int, int, Fault]]
    units: tuple[UnitsRow, ...] = ()
    contracts: tuple[ContractCount, ...] = ()

    def json(self) -> Json:
        """As JSON values."""
        table = self.table
        out: Json = {"kind": "play", "game": table.profile.id, "options": dict(table.profile.given)}
        out |= {"bots": list(table.bots), "instead": list(table.instead), "seed": table.seed}
        out |= {"seconds": table.seconds, "worlds": table.worlds}
        out |= {"games": table.games, "played": self.played, "complete": self.played == table.games}
        if table.matches is not None:
            out |= {"matches": table.matches, "rows": [each.json() for each in self.matches]}
            out |= {"unfinished": self.unfinished} | _interval("deals_a_match", self.deals)
        elif table.profile.contracts:
            out |= {"deals": table.deals, "rows": [each.json() for each in self.units]}
        else:
            previous = table.previous
            out |= {"deals": table.deals, "previous": previous if isinstance(previous, str) else list(previous)}
            out |= {"rows": [each.json() for each in self.rows]}
            out["differences"] = [each.json() for each in self.differences]
        if table.profile.contracts:
            out["contracts"] = [each.json() for each in self.contracts]
        out["times"] = [each.json() for each in self.times]
        out["faults"] = {
            name: {"count": count, "first": deal, "error": str(fault)}
            for name, (count, deal, fault) in self.faults.items()
        }
        return out


def _seat(seat: int | None) -> str | None:
    return None if seat is None else _SEATS[seat]


def _millis(seconds: float) -> float:
    return round(1000 * seconds, 3)


def _interval(name: str, found: Interval | None) -> Json:
    ends = (None, None, None) if found is None else (found.value, found.low, found.high)
    return {
        f"{name}{end}": None if value is None else round(value, _PLACES)
        for end, value in zip(("", "_low", "_high"), ends, strict=True)
    }


# ---- from games ------------------------------------------------------------------------------------------------------


def summary_of(table: Table, games: Iterable[Game], budgets: Sequence[float | None]) -> Summary:
    """What games of a table say, in whatever order they come. `budgets`: the seconds of the table's names."""
    found = {game.number: game for game in games}
    ordered = [found[number] for number in sorted(found)]
    good = {number: game for number, game in found.items() if game.fault is None}
    contracts = table.profile.contracts
    of_deals = table.matches is None and not contracts
    rows = _rows(table, good) if of_deals else ()
    differences = _differences(table, good) if of_deals else ()
    ends = () if table.matches is None else tuple(good[number] for number in sorted(good))
    finished = [game for game in ends if game.won]
    return Summary(
        table,
        len(found),
        rows,
        differences,
        _matches(table, ends),
        interval(Counter(len(game.results) for game in finished)) if finished else None,
        len(ends) - len(finished),
        _times(table, ordered, budgets),
        _faults(ordered),
        units_rows(table, good) if contracts and table.matches is None else (),
        contract_counts(table, [good[number] for number in sorted(good)]) if contracts else (),
    )


@dataclass(frozen=True, slots=True)
class _Score:
    """What a player made of a deal."""

    tricks: int
    quota: int
    balance: int
    won: bool


def _score(game: Game, player: int) -> _Score:
    result = game.results[0]
    tricks, quota, balance = (
        by_player(result, each)[player] for each in (result.tricks, result.quotas, result.balances)
    )
    return _Score(tricks, quota, balance, player in game.won)


def _scores(table: Table, games: Mapping[int, Game], name: int, seat: int) -> dict[int, _Score]:
    """What a bot made in a seat, by deal."""
    first, width = table.cells[name, seat], len(table.seatings)
    numbers = range(first, table.games, width)
    return {number // width: _score(games[number], seat) for number in numbers if number in games}


def _compared(table: Table) -> tuple[int, ...]:
    """The names that are compared: those with games of their own in each seat."""
    return tuple(dict.fromkeys(name for name, _ in table.cells))


def _rows(table: Table, games: Mapping[int, Game]) -> tuple[Row, ...]:
    found: list[Row] = []
    for name in _compared(table):
        by_seat = [_scores(table, games, name, seat) for seat in range(3)]
        parts = [(seat, [[score] for score in scores.values()]) for seat, scores in enumerate(by_seat)]
        whole = [[scores[deal] for scores in by_seat] for deal in by_seat[0] if all(deal in each for each in by_seat)]
        for seat, deals in (*parts, (None, whole)):
            if deals:
                found.append(_row(table.names[name], seat, deals))
    return tuple(found)


def _row(bot: str, seat: int | None, deals: Sequence[Sequence[_Score]]) -> Row:
    """A row of deals, each with the scores of one seat or of three."""
    size, each = len(deals[0]), [score for deal in deals for score in deal]
    return Row(
        bot,
        seat,
        len(deals),
        _mean(deals, lambda score: score.tricks),
        sum(score.quota for score in each) / len(each),
        _mean(deals, lambda score: score.balance),
        share(sum(score.balance >= 0 for score in each), len(each)) if size == 1 else _made(deals),
        sum(score.won for score in each),
    )


def _mean(deals: Sequence[Sequence[_Score]], value: Callable[[_Score], int]) -> Interval:
    return _over(interval(Counter(sum(map(value, deal)) for deal in deals)), len(deals[0]))


def _made(deals: Sequence[Sequence[_Score]]) -> Interval:
    """How often the quota was made in three seats."""
    found = _mean(deals, lambda score: score.balance >= 0)
    if found.low is None or found.high is None:
        return found
    return Interval(found.value, max(0.0, found.low), min(1.0, found.high))


def _over(found: Interval, size: int) -> Interval:
    """The interval of a sum as one of the mean of so many."""
    low, high = (None if end is None else end / size for end in (found.low, found.high))
    return Interval(found.value / size, low, high)


def _differences(table: Table, games: Mapping[int, Game]) -> tuple[Difference, ...]:
    """The first of the names compared against each other one; where each moves round, each against each."""
    names = _compared(table)
    pairs = [(names[0], other) for other in names[1:]]
    if table.reference is None:
        pairs += [(one, other) for one in names[1:] for other in names[names.index(one) + 1 :]]
    return tuple(found for one, other in pairs for found in _against(table, games, one, other))


def _against(table: Table, games: Mapping[int, Game], one: int, other: int) -> list[Difference]:
    by_seat: list[dict[int, int]] = []
    for seat in range(3):
        mine, theirs = (_scores(table, games, name, seat) for name in (one, other))
        by_seat.append({deal: mine[deal].balance - theirs[deal].balance for deal in mine if deal in theirs})
    whole = [sum(each[deal] for each in by_seat) for deal in by_seat[0] if all(deal in each for each in by_seat)]
    parts = [(seat, list(each.values()), 1) for seat, each in enumerate(by_seat)]
    names = table.names[one], table.names[other]
    return [_difference(*names, seat, gains, size) for seat, gains, size in (*parts, (None, whole, 3)) if gains]


def _difference(bot: str, instead: str, seat: int | None, gains: Sequence[int], size: int) -> Difference:
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    mean = _over(interval(Counter(gains)), size)
    return Difference(bot, instead, seat, len(gains), mean, better, len(gains) - better - worse, worse)


def _matches(table: Table, games: Sequence[Game]) -> tuple[MatchRow, ...]:
    """A row a bot, from matches; those that were not finished count for tricks alone."""
    if not any(game.results for game in games):
        return ()
    return tuple(_match_row(table, games, name) for name in range(len(table.names)))


def _match_row(table: Table, games: Sequence[Game], name: int) -> MatchRow:
    tricks = balance = deals = won = shared = 0
    for game in games:
        players = [player for player, each in enumerate(game.seating) if each == name]
        for result in game.results:
            tricks += sum(by_player(result, result.tricks)[player] for player in players)
            balance += sum(by_player(result, result.balances)[player] for player in players)
            deals += len(players)
        winners = {game.seating[player] for player in game.won}
        won += name in winners
        shared += name in winners and len(winners) > 1
    finished = sum(bool(game.won) for game in games)
    wins = share(won, finished) if finished else Interval(0.0, None, None)
    return MatchRow(table.names[name], finished, won, shared, wins, tricks / deals, balance / deals)


def _times(table: Table, games: Sequence[Game], budgets: Sequence[float | None]) -> tuple[TimesRow, ...]:
    total: dict[str, Times] = {}
    for game in games:
        for player, each in enumerate(game.seating):
            name = table.names[each]
            total[name] = total.get(name, Times()) + game.times[player]
    of = dict(zip(table.names, budgets, strict=True))
    return tuple(TimesRow(name, total[name], of[name]) for name in of if name in total)


def _faults(games: Sequence[Game]) -> dict[str, tuple[int, int, Fault]]:
    found: dict[str, tuple[int, int, Fault]] = {}
    for game in games:
        if game.fault is not None:
            count, deal, first = found.get(game.fault.bot, (0, game.deal, game.fault))
            found[game.fault.bot] = count + 1, deal, first
    return found
