"""`tierce solve --pbn`: every deal of a PBN file, all cores, in the order of the file."""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tierce.cli.budget import Budget, budget_of, solve_query
from tierce.cli.exits import BAD_DATA, LIMIT, OK, complain, reading
from tierce.cli.options import STDIN, refuse, stdin, threads_of
from tierce.cli.progress import progress
from tierce.cli.questions import filled_in, limit_of, whole_hand
from tierce.solver.asking import Asked, Json
from tierce.solver.batch.many import SHARES
from tierce.solver.cards import NOTRUMP, seat_letters, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.pbn import PbnGame, read_pbn
from tierce.solver.position import Position
from tierce.solver.query import MIB, Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import Engine
from tierce.solver.tables import every_declarer, every_strain

_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*\"|\[\s*\{)")  # a comment in braces has no quote in front
_AHEAD = 4  # games in work or waiting to be printed, for each thread


@dataclass(slots=True)
class _Report:
    """What came of a game: the answer as JSON and, unless it is a table, as the solver's own; or what went wrong."""

    game: PbnGame
    head: Json
    first: int = 0
    deal: Deal | None = None
    answer: Json | None = None
    query: Query | None = None
    result: SideResult | Floors | None = None
    error: InputError | LimitReached | None = None

    @property
    def code(self) -> int:
        return BAD_DATA if isinstance(self.error, InputError) else LIMIT if self.error else OK


def pbn(asked: Asked, given: dict[str, Any]) -> int:
    """Every game of the file: what the file says of trump, leader and side is asked, where nothing was typed.

    Exit code: the worst that happened to one.
    """
    refuse(("at_least", "at_most", "line", "relevant", "play", "dealer", "discard"), "does not go with --pbn")
    if given["table"]:
        refuse(("trump", "side"), "does not go with --table")
    path, threads = given["pbn"], threads_of(given)
    name = STDIN if path == "-" else path
    with reading(name):
        source = stdin().read() if path == "-" else Path(path).read_bytes()
    if _JSON.match(source):
        message = "expected PBN, found JSON ('tierce convert FILE --to pbn' makes PBN of a record)"
        raise InputError("pbn_syntax", message, file=name)
    games = read_pbn(source, name)
    if not games:
        raise InputError("pbn_syntax", "expected games with a Deal tag, found none", file=name)
    # of a thread, whatever their number, as in solve_many; a game alone has all of it
    share = given["table_mb"] * MIB // (SHARES if len(games) > 1 else 1)
    work = (partial(_solve, game, number, asked, given, share) for number, game in enumerate(games, 1))
    worst = OK
    with progress(lambda: len(games)) as bar:
        for report in _in_order(work, threads):
            if report.error is not None:
                bar.hide()
            _print(report, given)
            worst = max(worst, report.code)
            bar.step()
    return worst


def _in_order(work: Iterator[Callable[[], _Report]], threads: int) -> Iterator[_Report]:
    """Do the work in threads. They are not waited for if the caller leaves early: then the process ends."""
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[_Report]] = deque(pool.submit(each) for each in islice(work, _AHEAD * threads))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(pool.submit(each) for each in islice(work, 1))
    pool.shutdown()


def _solve(game: PbnGame, number: int, asked: Asked, given: dict[str, Any], share: int) -> _Report:
    report = _Report(game, {"id": number})
    if game.tags.get("Board"):
        report.head["board"] = game.tags["Board"]
    budget = budget_of(given)
    try:
        report.deal = deal = game.as_played(kitty_first=given["kitty_first"])
        report.head["deal"] = str(deal)
        asked = _asked_of_game(game, asked, deal)
        if given["table"] and len(deal.hands) == 4:
            _refuse_leader(given)
            report.answer, report.error = every_declarer(deal, given["objective"], budget, Engine(share))
        elif given["table"] or asked.trump is None:
            report.first = asked.first_leader(len(deal.hands))
            report.answer, report.error = every_strain(asked, deal, budget, Engine(share))
        else:
            _value(report, asked, budget, Engine(share))
    except InputError as error:
        report.error = error
    return report


def _asked_of_game(game: PbnGame, asked: Asked, deal: Deal) -> Asked:
    """The question: what was typed or, failing that, what the file says of trump, leader and side."""
    letters = seat_letters(len(deal.hands))
    said = {"deal": str(deal)}
    if game.trump is not None:
        said["trump"] = trump_name(game.trump)
    if game.declarer is not None and len(deal.hands) == 4:
        said["side"] = "NS" if game.declarer % 2 == 0 else "EW"
        said["leader"] = letters[(game.declarer + 1) % 4]
    elif game.leader is not None:
        said["leader"] = letters[game.leader]
    elif game.dealer is not None and len(deal.hands) == 4:
        said["dealer"] = letters[game.dealer]
    return filled_in(asked, said)


def _refuse_leader(given: dict[str, Any]) -> None:
    if given["leader"] is not None:
        message = "expected no leader for a table of four hands, where the seat left of each declarer leads, found one"
        raise InputError("leader", message, field="leader")


def _value(report: _Report, asked: Asked, budget: Budget, engine: Engine) -> None:
    query = asked.query()
    report.first = asked.first_leader(query.position.n)
    report.query = query
    report.result = solve_query(query, budget, engine)
    report.answer = whole_hand(query, report.result, report.first)
    report.error = limit_of(report.result)


def _print(report: _Report, given: dict[str, Any]) -> None:
    error, game = report.error, report.game
    line = error.line if isinstance(error, InputError) and error.line is not None else game.line
    if given["as_json"]:
        answer = report.answer
        if answer is None and error is not None:
            fields = {"code": error.code, "field": error.field, "message": error.message, "line": line}
            answer = {"error": fields}
        print(json.dumps(report.head | (answer or {})), flush=True)
    elif error is None or (report.answer and given["bounds"]):
        _show(report)
    if error is not None:
        complain(f"{game.file}:{line}: {error.message}")


def _show(report: _Report) -> None:
    from tierce.cli import show
    from tierce.cli.render import bold, say

    board = f", board {report.head['board']}" if "board" in report.head else ""
    say(bold(f"Deal {report.head['id']}{board}"))
    say()
    assert report.answer is not None and report.deal is not None
    if report.query is not None and report.result is not None:
        show.solved(report.query, report.first, report.result, report.answer)
    else:
        position = Position.start(report.deal, NOTRUMP, report.first)
        if "leader" in report.answer:
            show.strains(position, report.first, report.answer)
        else:
            show.declarers(position, report.answer)
    say()
    sys.stdout.flush()
