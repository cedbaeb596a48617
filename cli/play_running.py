"""Games between bots from the command line: played, told and written, also when they are stopped."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from tierce.cli.batch_progress import duration
from tierce.cli.batch_running import strategies_aside
from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, tell
from tierce.cli.out import write_whole
from tierce.cli.progress import Gauge, gauge
from tierce.solver.games.record_json import to_json
from tierce.solver.hints.table_crew import run_table
from tierce.solver.hints.table_games import Game
from tierce.solver.hints.table_results import Summary, summary_of
from tierce.solver.hints.tables import Table
from tierce.solver.report.markup import plain

__all__ = ["Running", "pace"]


class _TimeIsUp(Exception):
    """--timeout."""


class Running:
    """A table that is played: what is finished, and what ended it."""

    def __init__(self, table: Table, budgets: list[float | None], given: dict[str, Any]) -> None:
        self.table = table
        self.budgets = budgets
        self.given = given
        self.games: list[Game] = []
        self.began = time.monotonic()

    def to_end(self) -> int:
        """Play, tell, write. Exit code."""
        stopped: BaseException | None = None
        try:
            self._play()
        except (_TimeIsUp, KeyboardInterrupt) as error:
            stopped = error
        if self.given["out"] is not None:
            self._write()
        code = self._tell(stopped)
        if isinstance(stopped, KeyboardInterrupt):
            raise stopped
        return code

    def _play(self) -> None:
        records = self.given["out"] is not None
        with strategies_aside(), gauge("play") as bar:
            games = run_table(self.table, threads=self.given["threads"], records=records, watch=self._watch(bar))
            with closing(games) as found:
                for game in found:
                    self.games.append(game)

    def _watch(self, bar: Gauge | None) -> Callable[[int], None]:
        limit, games = self.given["timeout"], self.table.games
        drawn = 0.0

        def watch(done: int) -> None:
            nonlocal drawn
            now = time.monotonic() - self.began
            if limit is not None and now > limit:
                raise _TimeIsUp
            if bar is not None and now - drawn >= 0.2:
                drawn = now
                bar.show(done / games, pace(done, games, now))

        return watch

    def _write(self) -> None:
        """The records of what was played, in the order of the games."""

        def write(part: Path) -> None:
            with part.open("x", encoding="utf-8") as file:
                for game in sorted(self.games, key=lambda each: each.number):
                    if game.deals:
                        file.write(to_json(game.record(self.table.profile, self.table.names), line=True))

        write_whole(self.given["out"], write)

    def _tell(self, stopped: BaseException | None) -> int:
        summary = summary_of(self.table, self.games, self.budgets)
        if self.given["as_json"]:
            seconds = round(time.monotonic() - self.began, 3)
            click.echo(json.dumps(summary.json() | {"out": self.given["out"], "run_seconds": seconds}))
        else:
            from tierce.cli import play_text

            play_text.show(summary, self.given["out"])
        sys.stdout.flush()
        code = self._complain(summary)
        if isinstance(stopped, _TimeIsUp):
            complain(f"the time is up: {summary.played:,} of {self.table.games:,} games were played")
            return LIMIT
        return code

    def _complain(self, summary: Summary) -> int:
        if not summary.faults:
            return OK
        bad = sum(count for count, _, _ in summary.faults.values())
        complain(f"{bad:,} game{'s' * (bad != 1)} ended with a fault; no figure counts them")
        what = "match" if self.table.matches is not None else "deal"
        for count, deal, fault in summary.faults.values():
            tell(f"  {count:,} time{'s' * (count != 1)}, first in {what} {deal + 1}: {plain(str(fault))}")
        return BAD_DATA


def pace(done: int, games: int, seconds: float) -> str:
    """`24/480 games, 12 min left`."""
    count = f"{done:,}/{games:,} games"
    return f"{count}, {duration(seconds / done * (games - done))} left" if done and seconds > 3 else count
