"""Options by which commands learn which game is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_GAME = "raf"


def game_options(command: F) -> F:
    """The game and its options."""
    for add in reversed(
        [
            click.option("--game", metavar="GAME", help=f"The game (default {DEFAULT_GAME}; see 'tierce games')."),
            click.option("--game-file", metavar="FILE", help="A game of your own, in TOML."),
            click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."),
        ]
    ):
        command = add(command)
    return command


def profile_of(game: str | None, game_file: str | None, options: Sequence[str]) -> Profile:
    """The game that was typed. UsageError for two games or an option without a value."""
    from tierce.solver.games.profile import load_game, read_game

    given: dict[str, Any] = {}
    for each in options:
        name, equals, value = each.partition("=")
        if not equals:
            raise click.UsageError(f"expected --option NAME=VALUE, found {each!r}")
        if name.strip() in given:
            raise click.UsageError(f"expected each option once, found {name.strip()!r} twice")
        given[name.strip()] = value.strip()
    if game_file is None:
        return load_game(DEFAULT_GAME if game is None else game, given)
    if game is not None:
        raise click.UsageError("expected either --game or --game-file, found both")
    return read_game(game_file, given)
