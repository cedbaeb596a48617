"""`tierce hint` in Sumgait Driller: what the declarer should do, from a view or at a moment of a record."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from tierce.cli.exits import OK
from tierce.cli.hint_asking import BY_SUMGAIT, refuse_neither
from tierce.cli.options import processors, refuse, refuse_for_file
from tierce.cli.progress import Gauge, gauge
from tierce.cli.remote import remote
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.view import View

if TYPE_CHECKING:
    from tierce.solver.games.sumgait import ReplayedDeal
    from tierce.solver.piles.decision_results import Decision
    from tierce.solver.piles.decisions import DecisionSearch

__all__ = ["Asked", "hint", "is_sumgait"]

_VIEW: Final = re.compile(rb'"sumgait_view"\s*:')
_RECORD: Final = re.compile(rb'"game"\s*:\s*"sumgait"')
_OPTIONS: Final = ("by", "game_weight", "method", "seconds", "worlds", "seed")
_METHODS: Final = ("playouts", "ending")
_BY: Final = ("points", "tricks", *BY_SUMGAIT[1:])
_THREADS_MAX: Final = 8
_EVERY: Final = 0.2  # seconds between two pictures of the progress


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision as the declarer sees it. `place`: where it is from, in words."""

    view: View
    place: str = ""


def is_sumgait(source: bytes) -> bool:
    """Is this a view or a record of the game?"""
    return bool(_VIEW.search(source) or _RECORD.search(source))


def hint(source: bytes, name: str, given: dict[str, Any], *, seconds: float) -> int:
    """Answer what was typed about a file's contents; `seconds`: where neither these nor worlds were typed."""
    _check(given)
    decision = asked(source, name, given)
    if given["view"]:
        from tierce.solver.piles.view_json import view_json

        click.echo(json.dumps(view_json(decision.view)))
        return OK
    return _answer(decision, _search(decision.view, given, seconds), given, seconds)


def _check(given: dict[str, Any]) -> None:
    """Refuse what other games are asked: as wrong usage where --game says that it is this one, else for the file."""
    typed = given["game"] is not None
    refused = refuse if typed else refuse_for_file
    refused(("seat",), "does not go with sumgait: the declarer decides")
    refused(("utility", "others", "no_infer"), "does not go with sumgait, whose piles do not choose")
    found = ""
    if given["method"] not in (None, *_METHODS):
        found = f"expected --method {' or '.join(_METHODS)} in sumgait, found {given['method']}"
    if given["by"] not in (None, *_BY):
        found = f"--by: expected one of {', '.join(_BY)}, found {given['by']!r}"
    if remote() is not None:
        found = "expected a game that a server knows, found 'sumgait': leave out --server"
    if found:
        raise click.UsageError(found) if typed else InputError("option", found)


def asked(source: bytes, name: str, given: dict[str, Any]) -> Asked:
    """The view that was asked about. InputError, with the file, where the declarer decides nothing."""
    from tierce.solver.piles.decisions import check_due
    from tierce.solver.piles.view_json_read import read_view

    if not source.strip():
        raise InputError("missing", "expected a view or a record of sumgait, found an empty file", file=name)
    if not is_sumgait(source):
        refuse_neither(source, name, 'a view ("sumgait_view": 1) or a record of sumgait')
    if not _VIEW.search(source):
        return _of_records(source, name, given)
    refuse_for_file(("at", "deal"), "goes with a record, of which it picks a moment")
    view = read_view(source, name)
    try:
        check_due(view)
    except InputError as error:
        raise error.located(file=name) from None
    return Asked(view)


def _of_records(source: bytes, name: str, given: dict[str, Any]) -> Asked:
    """The view of the declarer at a moment of a record."""
    from tierce.solver.games.record_files import read_any
    from tierce.solver.games.sumgait import Record, replay
    from tierce.solver.piles.moments import parse_moment, view_at

    deals: list[ReplayedDeal] = []
    records = read_any(source, name)
    for record in records:
        if not isinstance(record, Record):
            raise InputError("game", "expected records of sumgait alone, found one of another game", file=name)
        deals += replay(record).deals
    numbers = [deal.number for deal in deals] if len(records) == 1 else list(range(1, len(deals) + 1))
    number = given["deal"] or numbers[-1]
    try:
        deal = _with_cards(dict(zip(numbers, deals, strict=True)), number)
        view = view_at(deal, None if given["at"] is None else parse_moment(given["at"]), number)
    except InputError as error:
        if error.field in ("at", "deal"):
            raise InputError(error.code, f"{error.message} in {name}", field=error.field) from None
        raise error.located(file=name) from None
    return Asked(view, name + (f", deal {number}" if len(deals) > 1 else ""))


def _with_cards(deals: Mapping[int, ReplayedDeal], number: int) -> ReplayedDeal:
    """A deal by its number in its match, or of several records by that in the file. InputError for a row of the sheet,
    with the deals of which there is more."""
    if number not in deals:
        raise InputError("deal", f"expected a deal from {min(deals)} to {max(deals)}, found {number}", field="deal")
    if deals[number].state.dealt is None:
        from tierce.cli.review_sumgait import ranges

        known = [each for each, deal in deals.items() if deal.state.dealt is not None]
        told = f" ({ranges(known)})" if known else ""
        message = f"expected a deal whose cards are recorded{told}, found deal {number}, a row of the sheet"
        raise InputError("deal", message, field="deal")
    return deals[number]


def _search(view: View, given: dict[str, Any], seconds: float) -> DecisionSearch:
    from tierce.solver.piles.decisions import DecisionSearch
    from tierce.solver.piles.wants import GAME_WEIGHT

    weight = given["game_weight"]
    if weight is not None and given["by"] != "match":
        raise click.UsageError("--game-weight goes with --by match")
    try:
        return DecisionSearch(
            view,
            seconds=seconds if given["seconds"] is None and given["worlds"] is None else given["seconds"],
            worlds=given["worlds"],
            seed=given["seed"],
            by=given["by"] or "points",
            game_weight=GAME_WEIGHT if weight is None else weight,
            method=given["method"],
            threads=min(_THREADS_MAX, processors()),
        )
    except InputError as error:
        if error.field in _OPTIONS:
            raise click.UsageError(f"--{error.field.replace('_', '-')}: {error.message}") from None
        raise


def _answer(decision: Asked, search: DecisionSearch, given: dict[str, Any], seconds: float) -> int:
    """Search, and print what came of it; at Ctrl-C the best so far."""
    try:
        with gauge("hint") as bar:
            found = search.run(None if bar is None else _Watch(bar, search, given, seconds))
    except KeyboardInterrupt:  # then the command ends as it does wherever it is interrupted
        _print(decision, search.result, given)
        raise
    _print(decision, found, given)
    return OK


class _Watch:
    """Draws now and then how much of the work is done."""

    def __init__(self, bar: Gauge, search: DecisionSearch, given: dict[str, Any], seconds: float) -> None:
        self._bar, self._search = bar, search
        self._worlds: int | None = given["worlds"]
        self._seconds: float = given["seconds"] or seconds
        self._began = self._due = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _EVERY
        worlds = self._search.worlds
        done = worlds / self._worlds if self._worlds else (now - self._began) / self._seconds
        self._bar.show(min(1.0, done), f"{worlds:,} worlds")


def _print(decision: Asked, found: Decision, given: dict[str, Any]) -> None:
    if given["as_json"]:
        click.echo(json.dumps(found.json(given["top"])))
        return
    from tierce.cli import hint_sumgait_text

    hint_sumgait_text.show(decision, found, most=given["top"], worlds=given["worlds"])
