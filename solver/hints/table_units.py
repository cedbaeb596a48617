"""What games of contracts say about bots: units a deal, by pair of seats and in all, and what became of each contract.

A bot's units in a game are those of all its seats together. Where bots have changed over, the games of a deal, which
share its cards, count as one number, their mean; 95 % intervals have deals as what is drawn. Of deals of which a game
ended with a fault, nothing is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tierce.solver.games.contracts import CONTRACTS
from tierce.solver.hints.table_games import Game
from tierce.solver.hints.tables import Table
from tierce.solver.report.intervals import Interval, interval

__all__ = ["ContractCount", "UnitsRow", "contract_counts", "units_rows"]

Json: TypeAlias = dict[str, Any]
_PLACES: Final = 4


@dataclass(frozen=True, slots=True)
class UnitsRow:
    """A bot in some seats; `seats` "": over all games of each deal.

    units     a deal, of all its seats together
    declared  contracts that one of its seats declared, of all games counted; made: those that were made
    """

    bot: str
    seats: str
    deals: int
    units: Interval
    declared: int
    made: int

    @property
    def apart(self) -> bool:
        """Is the interval clear of 0?"""
        low, high = self.units.low, self.units.high
        return low is not None and high is not None and (low > 0 or high < 0)

    def json(self) -> Json:
        """As JSON values."""
        ends = zip(("", "_low", "_high"), (self.units.value, self.units.low, self.units.high), strict=True)
        out: Json = {"bot": self.bot, "seats": self.seats or None, "deals": self.deals}
        out |= {f"units{end}": None if value is None else round(value, _PLACES) for end, value in ends}
        return out | {"declared": self.declared, "made": self.made, "apart": self.apart}


@dataclass(frozen=True, slots=True)
class ContractCount:
    """How often a bot declared a contract, alone or as one of a pair, and made it. `name` "": deals that were void."""

    bot: str
    name: str
    declared: int
    made: int

    def json(self) -> Json:
        """As JSON values."""
        return {"bot": self.bot or None, "contract": self.name or None, "declared": self.declared, "made": self.made}


def units_rows(table: Table, games: Mapping[int, Game]) -> tuple[UnitsRow, ...]:
    """Rows of deals, a bot at a time: in each set of seats it had, then over all."""
    width = len(table.seatings)
    whole = [deal for deal in range(table.deals or 0) if all(deal * width + k in games for k in range(width))]
    if not whole or len(table.names) < 2:
        return ()
    found: list[UnitsRow] = []
    for name in range(len(table.names)):
        places = [tuple(seat for seat in range(4) if seating[seat] == name) for seating in table.seatings]
        for k, seats in enumerate(places):
            letters = "".join(table.profile.letters[seat] for seat in seats)
            found.append(_row(table, name, letters, [[games[deal * width + k]] for deal in whole]))
        if width > 1:
            deals = [[games[deal * width + k] for k in range(width)] for deal in whole]
            found.append(_row(table, name, "", deals))
    return tuple(found)


def _row(table: Table, name: int, seats: str, deals: Sequence[Sequence[Game]]) -> UnitsRow:
    size = len(deals[0])
    mean = interval(Counter(sum(_units(game, name) for game in games) for games in deals))
    low, high = (None if end is None else end / size for end in (mean.low, mean.high))
    declared = [made for games in deals for game in games for made in _declared(game, name)]
    return UnitsRow(
        table.names[name], seats, len(deals), Interval(mean.value / size, low, high), len(declared), sum(declared)
    )


def _units(game: Game, name: int) -> int:
    return sum(sum(result.balances[seat] for seat in _seats(game, name)) for result in game.results)


def _seats(game: Game, name: int) -> tuple[int, ...]:
    return tuple(seat for seat, each in enumerate(game.seating) if each == name)


def _declared(game: Game, name: int) -> list[bool]:
    """Of the contracts that a bot had a part in, which were made."""
    seats = _seats(game, name)
    contracts = [(result.contract, result.tricks) for result in game.results]
    return [each.made(tricks) for each, tricks in contracts if each is not None and set(each.declarers) & set(seats)]


def contract_counts(table: Table, games: Sequence[Game]) -> tuple[ContractCount, ...]:
    """By bot and contract, those that came up; void deals last."""
    found: dict[tuple[str, str], list[bool]] = {}
    void = 0
    for game in games:
        for result in game.results:
            if result.contract is None:
                void += 1
                continue
            for name in dict.fromkeys(game.seating[seat] for seat in result.contract.declarers):
                key = table.names[name], result.contract.name
                found.setdefault(key, []).append(result.contract.made(result.tricks))
    rows = [
        ContractCount(bot, contract, len(made), sum(made))
        for bot in table.names
        for contract in CONTRACTS
        if (made := found.get((bot, contract)))
    ]
    return (*rows, *([ContractCount("", "", void, 0)] if void else []))
