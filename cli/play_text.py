"""What games say about bots as text for people, on 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from tierce.cli.render import bold, cut, dim, grid, say
from tierce.solver.hints.table_results import Difference, MatchRow, Row, Summary, TimesRow
from tierce.solver.hints.tables import Table
from tierce.solver.report.intervals import Interval
from tierce.solver.report.markup import plain
from tierce.solver.report.study_words import percent, plus_minus, signed

__all__ = ["show"]

WIDTH: Final = 80
_NAME: Final = 28  # columns of a bot's name
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
    if summary.differences:
        say()
        _differences(summary)
    if summary.matches:
        say()
        _grid(
            [_match(each) for each in summary.matches], ["bot", "matches", "won", "share", "95%", "tricks", "balance"]
        )
        say(_deals_a_match(summary))
    if summary.times:
        say()
        for each in summary.times:
            say(dim(_time(each)))
    if out is not None:
        say(f"The records are in {plain(out)}.")


def _grid(rows: Sequence[Sequence[str]], header: Sequence[str]) -> None:
    for line in grid(rows, header):
        say(line)


def _named(name: str) -> str:
    return cut(plain(name), _NAME)


# ---- what was played -------------------------------------------------------------------------------------------------


def _opening(summary: Summary) -> Iterator[str]:
    table = summary.table
    game = table.profile.id
    if table.matches is not None:
        yield f"{game}, {_counted(table.matches, 'match', 'matches')}; seed {table.seed}{_budget(summary)}."
        yield "The bots move on by a seat from match to match."
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
        return "Before every deal lies a result that is drawn."
    if table.previous == "alternate":
        return "Before every other deal lies a result that is drawn, so that cards are exchanged."
    return f"Before every deal lies the result {'/'.join(map(str, table.previous))}."


# ---- deals -----------------------------------------------------------------------------------------------------------


def _row(each: Row) -> list[str]:
    quota = f"{each.quota:.0f}" if each.quota == round(each.quota) else f"{each.quota:.1f}"
    figures = [plus_minus(each.tricks), quota, percent(each.made.value), signed(each.balance.value)]
    return [_named(each.bot), _seat(each.seat), f"{each.deals:,}", *figures, f"{each.won:,}"]


def _seat(seat: int | None) -> str:
    return _SEATS[3 if seat is None else seat]


def _differences(summary: Summary) -> None:
    """A line for each two bots, the mean of the seats first."""
    word = "instead of" if summary.table.reference is not None else "more than"
    for (bot, other), group in groupby(summary.differences, lambda each: (each.bot, each.instead)):
        found = list(group)
        say(bold(f"{_named(bot)} {word} {_named(other)}"), ", the same deals, tricks against the quota:")
        say("  " + "  ".join(_difference(each) for each in found))
        for each in found:
            if each.seat is None:
                say(f"  {_verdict(each)}")


def _difference(each: Difference) -> str:
    return f"{'mean' if each.seat is None else _SEATS[each.seat]} {plus_minus(each.mean, sign=True)}"


def _verdict(each: Difference) -> str:
    told = "clear of 0" if each.apart else "not clear of 0"
    shares = (
        f"{word} in {percent(count, each.deals)}"
        for word, count in (("better", each.better), ("equal", each.equal), ("worse", each.worse))
    )
    return f"The mean is {told}; {', '.join(shares)} of {_counted(each.deals, 'deal')}."


# ---- matches ---------------------------------------------------------------------------------------------------------


def _match(each: MatchRow) -> list[str]:
    shared = f" ({each.shared:,} shared)" if each.shared else ""
    share = percent(each.wins.value) if each.matches else "-"
    figures = [share, _ends(each.wins), f"{each.tricks:.2f}", signed(each.balance)]
    return [_named(each.bot), f"{each.matches:,}", f"{each.won:,}{shared}", *figures]


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
    said = f"{_named(each.bot)}: {_counted(each.times.decisions, 'decision')}, mean {_millis(each.mean)}"
    said += f", longest {_millis(each.times.longest)}"
    return said if each.over is None else f"{said}, at most {_millis(each.over)} over its time"


def _millis(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
