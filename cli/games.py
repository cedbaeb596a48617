"""Options by which commands learn which game is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tierce.cli.values import FileName
from tierce.solver.errors import InputError

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile
    from tierce.solver.games.sumgait.game import Sumgait

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_GAME = "raf"


def game_options(command: F) -> F:
    """The game and its options."""
    for add in reversed(
        [
            click.option("--game", metavar="GAME", help=f"The game (default {DEFAULT_GAME}; see 'tierce games')."),
            click.option("--game-file", type=FileName(), metavar="FILE", help="A game of your own, in TOML."),
            click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."),
        ]
    ):
        command = add(command)
    return command


def profile_of(game: str | None, game_file: str | None, options: Sequence[str]) -> Profile:
    """The game that was typed. UsageError for what no game is or allows; InputError for a file at fault."""
    from tierce.solver.games.profile import load_game, read_game

    given = _given(options)
    if game is not None and game_file is not None:
        raise click.UsageError("expected either --game or --game-file, found both")
    if game_file == "-":
        raise click.UsageError("expected the name of a file with --game-file, found '-': games are not read from stdin")
    profile = (
        read_game(game_file)
        if game_file is not None
        else _typed(lambda: load_game(DEFAULT_GAME if game is None else game))
    )
    return _typed(lambda: profile.with_options(given))


def any_game_of(game: str | None, game_file: str | None, options: Sequence[str]) -> Profile | Sumgait:
    """The same where Sumgait Driller, which no Profile describes, is welcome, too."""
    from tierce.solver.games.sumgait.game import ID, sumgait

    if game != ID or game_file is not None:
        return profile_of(game, game_file, options)
    return _typed(lambda: sumgait(_given(options)))


def _given(options: Sequence[str]) -> dict[str, Any]:
    """The options that were typed, as text."""
    given: dict[str, Any] = {}
    for each in options:
        name, equals, value = each.partition("=")
        if not equals:
            raise click.UsageError(f"expected --option NAME=VALUE, found {each!r}")
        if name.strip() in given:
            raise click.UsageError(f"expected each option once, found {name.strip()!r} twice")
        given[name.strip()] = value.strip()
    return given


def _typed(read: Callable[[], T]) -> T:
    """What was typed and is no game, or no option of it, is wrong usage."""
    try:
        return read()
    except InputError as error:
        raise click.UsageError(error.message, click.get_current_context(silent=True)) from None
