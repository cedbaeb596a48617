"""The report of a batch study: one pass over its rows, counts that do not grow with it, and what follows from them.

    report = study_report(open_study("run.parquet"), top=5)

Of each strategy the floors are counted, of each pair their differences: means, intervals and shares follow from counts
alone, exactly. The deals to look at are those of the widest spread of floors, of equal ones those that come first.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from tierce.solver.advice.estimate_results import marks_of, winning_tricks
from tierce.solver.batch.studies import Study
from tierce.solver.cards import SEATS3
from tierce.solver.errors import InputError, shown
from tierce.solver.games.profile import Profile
from tierce.solver.report.intervals import Counts, interval, share, told_apart, two_sided
from tierce.solver.report.study_files import Row, StudyFile
from tierce.solver.report.study_results import (
    FEW_DIFFERENT,
    Difference,
    Failing,
    Look,
    StrategyResult,
    StudyReport,
    Told,
)

__all__ = ["command_of", "study_report"]

TOP: Final = 3


def study_report(file: StudyFile, *, top: int = TOP, watch: Callable[[int], None] | None = None) -> StudyReport:
    """Read a study and say what it shows; strategies without a value in any deal are left out, at the price of a second
    reading. InputError (field "study") where there is nothing to compare.

    top     how many deals to look at
    watch   called with the number of deals read so far, after each
    """
    tally = _counted(_Tally(file.study, top), file, watch)
    if not tally.compared and len(tally.failing) < len(file.study.strategies):
        tally = _counted(_Tally(file.study, top, tally.failing), file, watch)
    if not tally.compared:
        raise InputError(
            "study", f"expected a deal in which all strategies have a value, {tally.lacking()}", field="study"
        )
    return tally.report(finished=file.finished)


def _counted(tally: _Tally, file: StudyFile, watch: Callable[[int], None] | None) -> _Tally:
    """The tally after all deals."""
    for rows in file.deals():
        tally.add(rows)
        if watch is not None:
            watch(tally.done)
    return tally


class _Tally:
    """Counts over the deals read so far. `without`: places of strategies that are left out of the comparison."""

    def __init__(self, study: Study, top: int, without: Sequence[int] = ()) -> None:
        self.study: Final = study
        self.done = 0
        self.compared = 0
        self._seat = self.study.sender or 0
        places = range(len(study.strategies))
        self._without: Final = frozenset(without)
        self._places: Final = [place for place in places if place not in self._without]
        self._floors: Final = [Counter[int]() for _ in places]
        self._balances: Final = [Counter[int]() for _ in places]
        self._errors: Final = [0 for _ in places]
        self._first: Final[list[tuple[int, str] | None]] = [None for _ in places]
        self._pairs: Final = list(combinations(self._places, 2))
        self._gaps: Final = [Counter[int]() for _ in self._pairs]
        self._same: Final = [0 for _ in self._pairs]
        self._all_same = 0
        self._looks: Final = _Widest(top)

    def add(self, rows: Sequence[Row]) -> None:
        """A deal, the strategies in order."""
        self.done += 1
        failed = [row for row in rows if row.error is not None]
        for row in failed:
            self._errors[row.strategy] += 1
            self._first[row.strategy] = self._first[row.strategy] or (row.deal, row.error or "")
        if all(row.strategy in self._without for row in failed):
            self._compare([rows[place] for place in self._places])

    def _compare(self, rows: Sequence[Row]) -> None:
        self.compared += 1
        owns = {row.strategy: row.own or 0 for row in rows}
        choices = {row.strategy: row.choice for row in rows}
        if self.compared == 1:
            self._seat = _seat(rows[0], self._seat)
        for row in rows:
            self._floors[row.strategy][row.own or 0] += 1
            self._balances[row.strategy][row.balance or 0] += 1
        for at, (one, other) in enumerate(self._pairs):
            self._gaps[at][owns[one] - owns[other]] += 1
            self._same[at] += choices[one] == choices[other]
        self._all_same += len(set(choices.values())) == 1
        self._looks.offer(max(owns.values()) - min(owns.values()), rows)

    @property
    def failing(self) -> list[int]:
        """Places of strategies that have a value in no deal."""
        return [place for place, errors in enumerate(self._errors) if errors == self.done]

    def lacking(self) -> str:
        """Why nothing can be compared."""
        if not self.done:
            return "found no deal"
        worst = max(range(len(self._errors)), key=self._errors.__getitem__)
        deal, error = self._first[worst] or (0, "")
        name = shown(self.study.strategies[worst])
        count = "1 deal" if self.done == 1 else f"{self.done:,} deals"
        return f"found none in {count}: {name} has {self._errors[worst]:,} errors, in deal {deal} {shown(error)}"

    # ---- what follows ------------------------------------------------------------------------------------------------

    def report(self, *, finished: bool) -> StudyReport:
        """What the counts say."""
        quota, win = _marks(self.study.profile(), self._seat)
        found = {place: self._strategy(place, win - quota) for place in self._places}
        order = tuple(sorted(found, key=lambda place: -found[place].mean.value))
        return StudyReport(
            self.study,
            self._seat,
            finished,
            self.done,
            self.compared,
            quota,
            win,
            tuple(found.values()),
            order,
            tuple(self._differences(order)),
            self._all_same,
            tuple(self._looks.looks(self.study)),
            tuple(self._failing(place) for place in sorted(self._without)),
        )

    def _failing(self, place: int) -> Failing:
        return Failing(self.study.strategies[place], self._errors[place], self._first[place])

    def _strategy(self, place: int, ahead: int) -> StrategyResult:
        """`ahead`: the balance that wins the match."""
        balances = self._balances[place]
        return StrategyResult(
            self.study.strategies[place],
            self.done - self._errors[place],
            self._errors[place],
            self._first[place],
            interval(self._floors[place]),
            sum(balance * deals for balance, deals in balances.items()) / self.compared,
            share(_at_least(balances, 0), self.compared),
            share(_at_least(balances, ahead), self.compared),
            tuple(sorted(self._floors[place].items())),
        )

    def _differences(self, order: Sequence[int]) -> Iterator[Difference]:
        chances = [_chance(gaps) for gaps in self._gaps]
        apart = dict(zip(self._pairs, zip(chances, told_apart(chances), strict=True), strict=True))
        counts = dict(zip(self._pairs, zip(self._gaps, self._same, strict=True), strict=True))
        for pair in combinations(order, 2):
            one, other = min(pair), max(pair)
            gaps, same = counts[one, other]
            better, worse = _at_least(gaps, 1), sum(deals for gap, deals in gaps.items() if gap < 0)
            chance, told = apart[one, other]
            found = Difference(one, other, interval(gaps), better, gaps[0], worse, same, chance, told)
            yield found if pair == (one, other) else found.turned()


def _seat(row: Row, seat: int) -> int:
    """The seat that counts, as a row tells it; `seat` where it tells none."""
    found = row.told("sender")
    if found is None:
        return seat
    if not (len(found) == 1 and found in SEATS3):
        raise InputError("rows", f"expected a seat D, E or M as the sender, found {shown(found)}", field="study")
    return SEATS3.index(found)


def _at_least(counts: Counts, least: int) -> int:
    return sum(deals for value, deals in counts.items() if value >= least)


def _chance(gaps: Counts) -> float | None:
    """The chance that a pair is judged by; None where too few deals differ to judge it."""
    different = sum(deals for gap, deals in gaps.items() if gap)
    return two_sided(gaps) if different >= FEW_DIFFERENT else None


# ---- the game --------------------------------------------------------------------------------------------------------


def _marks(profile: Profile, seat: int) -> tuple[int, int]:
    """What a seat owes, and what wins the match."""
    owed = profile.quotas[seat]
    win = marks_of(profile, "S", profile.quotas).win if seat == 0 else winning_tricks(profile, owed)
    return owed, winning_tricks(profile, owed) if win is None else win


def command_of(study: Study, cards: str) -> tuple[str, ...]:
    """The words of the command that looks at a deal of a study again."""
    words = ["tierce", "exchange" if study.kind == "exchange" else "dealer"]
    words += ["--game", study.game] if study.game_toml is None else ["--game-file", f"{study.game}.toml"]
    for name, value in study.options.items():
        words += ["--option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    for option, three in (("--previous", study.previous), ("--previous-quota", study.previous_quotas)):
        words += [] if three is None else [option, "/".join(map(str, three))]
    words += [] if study.first_over is None else ["--first-over", SEATS3[study.first_over]]
    return (*words, cards)


# ---- deals to look at ------------------------------------------------------------------------------------------------


class _Widest:
    """The deals of the widest spread so far; of equal ones the first stay."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[int, int, str, tuple[Told, ...]]] = []  # a heap; deals by their negative number

    def offer(self, spread: int, rows: Sequence[Row]) -> None:
        """A deal, in order."""
        if not spread or not self._most or (len(self._kept) == self._most and spread <= self._kept[0][0]):
            return
        kept = (spread, -rows[0].deal, str(rows[0].told("cards") or ""), tuple(map(_told, rows)))
        if len(self._kept) < self._most:
            heapq.heappush(self._kept, kept)
        else:
            heapq.heapreplace(self._kept, kept)

    def looks(self, study: Study) -> Iterator[Look]:
        """The widest first."""
        for spread, negative, cards, told in sorted(self._kept, key=lambda each: (-each[0], -each[1])):
            best_first = tuple(sorted(told, key=lambda each: -each.own))
            yield Look(-negative, cards, spread, best_first, command_of(study, cards))


def _told(row: Row) -> Told:
    return Told(
        row.strategy,
        row.told("sent"),
        row.told("returned"),
        row.told("trump") or "",
        row.told("discard") or "",
        (row.told("floor_d"), row.told("floor_e"), row.told("floor_m")),
        row.own or 0,
        row.balance or 0,
    )
