"""What games say about bots as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from tierce.cli.render import bold, dim, grid, say, width
from tierce.solver.games.contracts import contract_title
from tierce.solver.hints.table_results import Difference, MatchRow, Row, Summary, TimesRow
from tierce.solver.hints.table_units import ContractCount, UnitsRow
from tierce.solver.hints.tables import Table
from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import plain
from tierce.solver.report.study_words import percent, plus_minus, signed

__all__ = ["show"]

WIDTH: Final = 80
_NAME: Final = 12  # columns that a name has at least
_HALF: Final = 33  # columns of one of two names in a line
_SEATS: Final = ("D", "E", "M", "all")


def show(summary: Summary, out: str | None) -> None:
    """What was played, a row a bot and seat, differences, times."""
    for line in _opening(summary):
        say(line)
    if summary.rows:
        say()
        _grid(
            [_row(each) for each in summary.rows], ["bot", "seat", "deals", "tricks", "quota", "made", "balance", "won"]
        )
    if summary.units:
        say()
        _units(summary)
    if summary.differences:
        say()
        _differences(summary)
    if summary.matches:
        say()
        _matches(summary.matches)
        say(_deals_a_match(summary))
    if summary.contracts:
        say()
        _contracts(summary.contracts)
    if summary.times:
        say()
        for each in summary.times:
            say(dim(_time(each)))
    if out is not None:
        say(f"The records are in {plain(out)}.")


def _grid(rows: Sequence[Sequence[str]], header: Sequence[str]) -> None:
    """A table that fits on a screen: names lose their beginnings if they must, for their ends tell them apart."""
    room = WIDTH - sum(2 + max(width(row[at]) for row in [header, *rows]) for at in range(1, len(header)))
    for line in grid([[_named(row[0], max(_NAME, room)), *row[1:]] for row in rows], header):
        say(line)


def _named(name: str, most: int) -> str:
    text = plain(name)
    if width(text) <= most:
        return text
    while width(text) > most - 2:
        text = text[1:]
    return f"..{text}"


# ---- what was played -------------------------------------------------------------------------------------------------


def _opening(summary: Summary) -> Iterator[str]:
    table = summary.table
    game = table.profile.id
    if table.matches is not None:
        yield f"{game}, {_counted(table.matches, 'match', 'matches')}; seed {table.seed}{_budget(summary)}."
        yield "The bots move on by a seat from match to match."
    elif table.profile.contracts:
        games = f"{_counted(table.deals or 0, 'deal')} in {_counted(table.games, 'game')}"
        yield f"{game}, {games}; seed {table.seed}{_budget(summary)}."
        if len(table.seatings) > 1:
            yield "Each deal is played once for each way the bots move round."
    else:
        games = f"{_counted(table.deals or 0, 'deal')} in {_counted(table.games, 'game')}"
        yield f"{game}, {games}; seed {table.seed}{_budget(summary)}."
        yield _before(table)
    if summary.played < table.games:
        yield f"{summary.played:,} of {_counted(table.games, 'game')} were played."


def _counted(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def _budget(summary: Summary) -> str:
    """What a decision may take, where a bot goes by it."""
    table = summary.table
    timed = table.seconds is not None and any(each.seconds is not None for each in summary.times)
    found = [f"{table.seconds:g} s"] if timed else []
    found += [] if table.worlds is None else [_counted(table.worlds, "world")]
    return f"; {' and '.join(found)} a decision" if found else ""


def _before(table: Table) -> str:
    if not table.exchanges or table.previous == "none":
        return "Every deal is the first of a match."
    if table.previous == "drawn":
        return "Every deal follows a result that is drawn."
    if table.previous == "alternate":
        return "Every other deal follows a result that is drawn, so that cards are exchanged."
    return f"Every deal follows the result {'/'.join(map(str, table.previous))}."


# ---- deals -----------------------------------------------------------------------------------------------------------


def _row(each: Row) -> list[str]:
    quota = f"{each.quota:.0f}" if each.quota == round(each.quota) else f"{each.quota:.1f}"
    figures = [plus_minus(each.tricks), quota, percent(each.made.value), signed(each.balance.value)]
    return [each.bot, _seat(each.seat), f"{each.deals:,}", *figures, f"{each.won:,}"]


def _seat(seat: int | None) -> str:
    return _SEATS[3 if seat is None else seat]


def _differences(summary: Summary) -> None:
    """Two bots at a time: the seats, and what the mean of the three says."""
    word = "instead of" if summary.table.reference is not None else "more than"
    say("Tricks against the quota, on the same deals:")
    for (bot, other), group in groupby(summary.differences, lambda each: (each.bot, each.instead)):
        found = list(group)
        say(bold(f"{_named(bot, _HALF)} {word} {_named(other, _HALF)}"))
        say("  " + "  ".join(_difference(each) for each in found))
        for each in found:
            if each.seat is None:
                say(f"  {_verdict(each)}")


def _difference(each: Difference) -> str:
    return f"{'mean' if each.seat is None else _SEATS[each.seat]} {plus_minus(each.mean, sign=True)}"


def _verdict(each: Difference) -> str:
    told = "clear of 0" if each.apart else "not clear of 0"
    shares = (
        f"{percent(count, each.deals)} {word}"
        for count, word in ((each.better, "better"), (each.equal, "equal"), (each.worse, "worse"))
    )
    return f"The mean is {told}; of {_counted(each.deals, 'deal')} {', '.join(shares)}."


# ---- deals of contracts ----------------------------------------------------------------------------------------------


def _units(summary: Summary) -> None:
    """Units a deal, a row a bot and its seats, and what the mean of all says."""
    header = ["bot", "seats", "deals", "units a deal", "declared", "made"]
    _grid([_unit_row(each) for each in summary.units], header)
    for each in summary.units:
        if not each.seats:
            told = "clear of 0" if each.apart else "not clear of 0"
            say(f"{_named(each.bot, _HALF)}: {plus_minus(each.units, sign=True)} units a deal, {told}.")


def _unit_row(each: UnitsRow) -> list[str]:
    made = percent(each.made, each.declared) if each.declared else "-"
    units = plus_minus(each.units, sign=True)
    return [each.bot, each.seats or "all", f"{each.deals:,}", units, f"{each.declared:,}", made]


def _contracts(found: Sequence[ContractCount]) -> None:
    rows = [
        [each.bot, contract_title(each.name), f"{each.declared:,}", percent(each.made, each.declared)]
        for each in found
        if each.name
    ]
    if rows:
        _grid(rows, ["bot", "contract", "declared", "made"])
    for each in found:
        if not each.name:
            say(f"{_counted(each.declared, 'deal was', 'deals were')} void.")


# ---- matches ---------------------------------------------------------------------------------------------------------


def _matches(found: Sequence[MatchRow]) -> None:
    """A row a bot; how many wins were shared where any were."""
    shared = any(each.shared for each in found)
    header = ["bot", "matches", "won", *["shared"] * shared, "share", "95%", "tricks", "balance"]
    _grid([_match(each, shared=shared) for each in found], header)


def _match(each: MatchRow, *, shared: bool) -> list[str]:
    counts = [f"{each.matches:,}", f"{each.won:,}", *[f"{each.shared:,}"] * shared]
    part = percent(each.wins.value) if each.matches else "-"
    return [each.bot, *counts, part, _ends(each.wins), f"{each.tricks:.2f}", signed(each.balance)]


def _ends(found: Interval) -> str:
    if found.low is None or found.high is None:
        return "-"
    return "-".join(percent(round(end, 6)) for end in (found.low, found.high))  # 0 may come out as 1e-17


def _deals_a_match(summary: Summary) -> str:
    said = "No match was finished" if summary.deals is None else f"A match took {plus_minus(summary.deals)} deals"
    given_up = f"; {_counted(summary.unfinished, 'match', 'matches')} given up" if summary.unfinished else ""
    return f"{said}{given_up}. Tricks and balance are those of a deal."


# ---- times -----------------------------------------------------------------------------------------------------------


def _time(each: TimesRow) -> str:
    said = f"{_named(each.bot, _HALF)}: {_counted(each.times.decisions, 'decision')}, mean {_millis(each.mean)}"
    said += f", longest {_millis(each.times.longest)}"
    return said if each.over is None else f"{said} ({_millis(each.over)} over time)"


def _millis(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.{int(seconds < 0.01)}f} ms"
