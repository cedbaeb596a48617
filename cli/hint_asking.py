"""What `tierce hint` is asked: a view, or a record from which one is cut; and the options of the question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tierce.cli.exits import reading
from tierce.cli.options import SECONDS_MAX, STDIN, refuse, refuse_for_file, stdin
from tierce.cli.values import Number, judged
from tierce.solver.cards import parse_seat
from tierce.solver.errors import InputError, shown
from tierce.solver.hints.moments_of_record import parse_moment
from tierce.solver.hints.objectives import BY, BY_CONTRACT
from tierce.solver.hints.results import METHODS, OTHERS

if TYPE_CHECKING:
    from tierce.solver.games.view import View

__all__ = [
    "SECONDS",
    "Asked",
    "asked",
    "begins_as_usual",
    "check_options",
    "checked",
    "hint_options",
    "points_of",
    "refuse_neither",
    "source_of",
]

F = TypeVar("F", bound=Callable[..., Any])

SECONDS: Final = 1.0
WORLDS_MAX: Final = 1_000_000
SEED_MAX: Final = (1 << 63) - 1

_TAG: Final = re.compile(rb'\[\s*\w+\s*"')  # of PBN
_VIEW: Final = re.compile(rb'"tierce_view"\s*:')
_RECORD: Final = re.compile(rb'"tierce_record"\s*:')
BY_SUMGAIT: Final = ("points", "ten", "match")  # and tricks: solver/piles/wants.py
_POINTS_MAX: Final = 200  # characters of --utility


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision as its seat sees it. `place`: where it is from, in words."""

    view: View
    place: str = ""


# ---- options ---------------------------------------------------------------------------------------------------------


def hint_options(command: F) -> F:
    """The question and its budget."""
    for add in reversed(
        [
            click.option(
                "--seconds",
                type=Number(float, 1e-3, SECONDS_MAX),
                metavar="S",
                help=f"Think so long (default {SECONDS:g}).",
            ),
            click.option("--worlds", type=Number(int, 1, WORLDS_MAX), metavar="N", help="So many random worlds."),
            click.option("--seed", type=Number(int, 0, SEED_MAX), default=1, metavar="N", help="Which ones (1)."),
            click.option(
                "--by",
                type=click.Choice(tuple(dict.fromkeys((*BY, *BY_CONTRACT, *BY_SUMGAIT)))),
                help="Best by mean tricks or units (default), by a chance, or by --utility.",
            ),
            click.option(
                "--utility",
                callback=judged(points_of),
                metavar="POINTS",
                help="Points for 0, 1, 2 ... tricks: '0,0,0,1,3,6,...'.",
            ),
            click.option("--method", type=click.Choice(METHODS), help="How choices are valued (default: the best)."),
            click.option("--others", type=click.Choice(OTHERS), help="How the others are taken to play."),
            click.option("--no-infer", is_flag=True, help="Every world that fits counts alike."),
        ]
    ):
        command = add(command)
    return command


def check_options(given: dict[str, Any]) -> None:
    """Refuse options that do not go together, before anything is read."""
    if (given["file"] is None) == (given["batch"] is None):
        found = "neither" if given["file"] is None else "both"
        raise click.UsageError(f"expected a file or --batch, found {found}")
    if given["batch"] is not None:
        refuse(("seat", "at", "deal"), "does not go with --batch: each line is a view")
        refuse(("view",), "does not go with --batch: its lines are views")
    if given["seconds"] is not None and given["worlds"] is not None:
        raise click.UsageError("expected --seconds or --worlds, found both")
    if given["utility"] is not None and given["by"] not in (None, "utility"):
        raise click.UsageError(f"expected --by utility with --utility, found --by {given['by']}")
    if given["by"] == "utility" and given["utility"] is None:
        raise click.UsageError("--by utility goes with --utility")


def points_of(text: str) -> tuple[float, ...]:
    """Points by number of tricks. InputError (field "utility")."""
    words = text.replace(",", " ").split()
    try:
        if len(text) > _POINTS_MAX or not words or any("_" in word or not word.isascii() for word in words):
            raise ValueError
        points = tuple(map(float, words))
        if not all(-1e9 <= each <= 1e9 for each in points):
            raise ValueError
    except ValueError:
        message = f"expected numbers such as '0,0,0,1,3', found {shown(text)}"
        raise InputError("utility", message, field="utility") from None
    return points


# ---- what is asked ---------------------------------------------------------------------------------------------------


def source_of(given: dict[str, Any]) -> tuple[bytes, str]:
    """The contents of the file that was typed, and what it is called."""
    name = STDIN if given["file"] == "-" else given["file"]
    with reading(name):
        return stdin().read() if given["file"] == "-" else Path(name).read_bytes(), name


def begins_as_usual(source: bytes) -> bool:
    """Is this a view of any game but Sumgait Driller, by its version?"""
    return bool(_VIEW.search(source))


def asked(source: bytes, name: str, given: dict[str, Any]) -> Asked:
    """The view that was asked about. InputError, with the file, for one at fault or at which its seat decides
    nothing."""
    if given["at"] is not None:
        _check_usual(given["at"])
    if _is_view(source, name):
        from tierce.solver.hints.view_json import read_view

        refuse_for_file(("seat", "at", "deal"), "goes with a record, of which it picks a moment")
        return Asked(checked(read_view(source, name), name))
    return _of_records(source, name, given)


def _check_usual(moment: str) -> None:
    """InputError for a moment that Sumgait Driller alone has."""
    try:
        parse_moment(moment)
    except InputError as error:
        raise error.located(field="at") from None


def _is_view(source: bytes, name: str) -> bool:
    """A view, or a record? InputError for JSON that is neither."""
    if not source.strip():
        raise InputError("missing", "expected a view or a record, found an empty file", file=name)
    if _VIEW.search(source) and not _RECORD.search(source):
        return True
    if not _RECORD.search(source) and not _TAG.search(source):
        refuse_neither(source, name, 'a view ("tierce_view": 1) or a record ("tierce_record": 1)')
    return False


def refuse_neither(source: bytes, name: str, expected: str) -> None:
    """InputError for text that is neither, with the place where it is no JSON. Of an encoding that is not ours the
    readers tell."""
    try:
        json.loads(source.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.colno}"
        message = f"expected {expected} in JSON, found text that is not valid JSON: {reason}"
        raise InputError("json_syntax", message, file=name, line=error.lineno) from None
    except (RecursionError, ValueError):
        pass
    raise InputError("version", f"expected {expected}, found neither", file=name)


def checked(view: View, name: str | None = None, line: int | None = None) -> View:
    """The view, if its seat decides and some cards fit it. InputError with the file and line."""
    from tierce.solver.advice.play_worlds import PlayWorlds
    from tierce.solver.hints.simple import check_turn

    try:
        check_turn(view)
        _check_parcel(view)
        PlayWorlds(view)
    except InputError as error:
        raise error.located(file=name, line=line) from None
    return view


def _check_parcel(view: View) -> None:
    """Refuse the turn of a seat that has only cards to return: the rules say which."""
    if view.phase in ("EXCHANGE", "SEND"):
        owed = [each for each in view.transfers if each.sender == view.seat and not each.sent]
        if not owed:
            seat = view.profile.letters[view.seat]
            message = f"expected a parcel that {seat} owes, found cards to return, of which there is no choice"
            raise InputError("not_due", message, field="view")


def _of_records(source: bytes, name: str, given: dict[str, Any]) -> Asked:
    """The view of a seat at a moment of a record."""
    from tierce.solver.games import read_records
    from tierce.solver.hints.moments_of_record import deal_numbered, view_at

    records = read_records(source, name)
    if not records:
        raise InputError("missing", "expected a view or a record, found none", file=name)
    try:
        deal = deal_numbered(records, given["deal"])
        hands = deal.state.profile.seats
        seat = None if given["seat"] is None else parse_seat(given["seat"], hands)
        view = view_at(deal, given["at"], seat)
    except InputError as error:
        raise _typed(error, name) from None
    several = len(records) > 1 or len(records[0].deals) > 1
    return Asked(checked(view, name), name + (f", deal {given['deal'] or _last(records)}" if several else ""))


def _typed(error: InputError, name: str) -> InputError:
    """What is wrong with a moment that was typed names the option, not the file; all else the file."""
    if error.field in ("at", "seat", "deal") and error.file is None:
        return InputError(error.code, f"{error.message} in {name}", field=error.field)
    return error


def _last(records: Sequence[Any]) -> int:
    """How the last deal is called."""
    from tierce.solver.games import replay

    if len(records) > 1:
        return sum(len(record.deals) for record in records)
    return replay(records[0]).deals[-1].number


def _moment_of_some_game(text: str) -> object:
    """A moment of the usual games, or of Sumgait Driller. InputError (field "at") for neither."""
    try:
        return parse_moment(text)
    except InputError as error:
        from tierce.solver.piles.moments import MOMENTS
        from tierce.solver.piles.moments import parse_moment as parse_sumgait

        try:
            return parse_sumgait(text)
        except InputError:
            message = f"{error.message}; in Sumgait Driller {MOMENTS}"
            raise InputError("at", message, field="at") from None


read_moment = judged(_moment_of_some_game)


def _seat_of_some_game(text: str) -> int:
    """A seat of three hands, or of four. InputError (field "seat") for neither."""
    try:
        return parse_seat(text, 4)
    except InputError:
        return parse_seat(text, 3)


read_seat = judged(_seat_of_some_game)
