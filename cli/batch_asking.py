"""Options that say what a study is about: the deals, the game, the strategies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tierce.cli.exits import reading
from tierce.cli.feed import opened
from tierce.cli.games import profile_of
from tierce.cli.values import FileName, Number, judged
from tierce.solver.cards import parse_seat
from tierce.solver.errors import InputError, shown

if TYPE_CHECKING:
    from tierce.solver.batch.work import Line
    from tierce.solver.games.profile import Profile

F = TypeVar("F", bound=Callable[..., Any])

DEALS = 1000
_DEALS_MAX = 1_000_000_000


def deals_options(command: F) -> F:
    """Which deals."""
    for add in reversed(
        [
            click.option(
                "--strategy",
                "strategies",
                multiple=True,
                required=True,
                metavar="NAME",
                help="A strategy; say it again for more.",
            ),
            click.option(
                "--deals",
                type=Number(int, 1, _DEALS_MAX),
                metavar="N",
                help=f"How many random deals (default {DEALS:,}).",
            ),
            click.option(
                "--seed", type=Number(int, 0, (1 << 63) - 1), default=1, show_default=True, metavar="N", help="Which."
            ),
            click.option(
                "--from",
                "source",
                type=FileName(),
                metavar="FILE",
                help="Instead of random deals: deal texts, one a line; - is stdin.",
            ),
        ]
    ):
        command = add(command)
    return command


def tricks_of(text: str) -> tuple[int, int, int]:
    """`10/4/2`: tricks of dealer, eldest and middle. InputError."""
    found = re.fullmatch(r"\s*([0-9]{1,3})\s*/\s*([0-9]{1,3})\s*/\s*([0-9]{1,3})\s*", text)
    if found is None:
        message = f"expected tricks of dealer, eldest and middle such as 10/4/2, found {shown(text)}"
        raise InputError("previous", message)
    d, e, m = map(int, found.groups())
    return d, e, m


def tricks_option(name: str, help: str, *, required: bool = False) -> Callable[[F], F]:
    """An option that takes tricks by seat."""
    return click.option(name, callback=judged(tricks_of), required=required, metavar="D/E/M", help=help)


def seat_option(name: str, help: str) -> Callable[[F], F]:
    """An option that takes one of three seats."""
    return click.option(name, callback=judged(lambda text: parse_seat(text, 3)), metavar="D|E|M", help=help)


def game_of(given: dict[str, Any]) -> tuple[Profile, dict[str, Any]]:
    """The game that was typed, and what a study says of it."""
    profile = profile_of(given["game"], given["game_file"], given["options"])
    text = None
    if given["game_file"] is not None:
        with open(given["game_file"], encoding="utf-8-sig") as file:
            text = file.read()
    return profile, {"game": profile.id, "game_toml": text, "options": dict(profile.given)}


def deals_of(given: dict[str, Any]) -> dict[str, Any]:
    """What a study says of its deals. UsageError for options that do not go together."""
    from tierce.solver.batch.studies import Source

    if given["source"] is None:
        return {"deals": given["deals"] or DEALS, "seed": given["seed"]}
    from tierce.cli.options import refuse

    refuse(("deals", "seed"), "does not go with --from: its lines are the deals")
    return {"deals": 0, "source": Source(given["source"], "")}


@contextmanager
def lines_from(path: str | None, *, some: bool = False) -> Iterator[Iterator[Line] | None]:
    """The lines of a file that are not empty, with their numbers; None without one. InputError at their end if there
    must be some and are none."""
    if path is None:
        yield None
        return
    with opened(path) as (file, name), reading(name):
        yield _numbered(file, name, some)


def _numbered(file: Any, name: str, some: bool) -> Iterator[Line]:
    from tierce.solver.batch.jsonl import lines_of
    from tierce.solver.batch.work import Line

    for number, text in enumerate(lines_of(file), 1):
        if text.strip():
            some = False
            yield Line(number, text)
    if some:
        raise InputError("deals", "expected a deal, one a line, found none", field="from", file=name)


def as_usage(work: Callable[[], int]) -> int:
    """Run; what was typed and cannot be is wrong usage."""
    typed = ("strategy", "strategies", "sender", "option", "game", "seed")
    try:
        return work()
    except InputError as error:
        if error.field in typed and error.file is None and error.line is None:
            raise click.UsageError(error.message, click.get_current_context()) from None
        raise
