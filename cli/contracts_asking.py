"""What `tierce contracts` is asked: a deal, its dealer, the card turned up, and the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tierce.cli.games import profile_of
from tierce.cli.options import one_deal
from tierce.cli.values import FileName, judged
from tierce.solver.batch.contracts import ContractsAsked, contracts_asked, trump_suit
from tierce.solver.cards import parse_card, parse_seat

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile

__all__ = ["GAME", "asked_of_options", "contract_options", "game_of_options", "line_options"]

F = TypeVar("F", bound=Callable[..., Any])

GAME = "solo_whist"

_DEALER = click.option(
    "--dealer",
    callback=judged(lambda text: parse_seat(text, 4)),
    metavar="N|E|S|W",
    help="Who dealt; the next clockwise leads.",
)
_TRUMP = click.option(
    "--trump", callback=judged(trump_suit), metavar="S|H|D|C", help="In place of that card: its suit."
)
_GAME = (
    click.option("--game", metavar="GAME", help=f"The game (default {GAME})."),
    click.option("--game-file", type=FileName(), metavar="FILE", help="A game of your own, in TOML."),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option: ad_trump=true."),
)


def contract_options(command: F) -> F:
    """About one deal, and the game."""
    turned = click.option(
        "--turned", callback=judged(parse_card), metavar="CARD", help="The dealer's card that was turned up."
    )
    for add in reversed((_DEALER, turned, _TRUMP, *_GAME)):
        command = add(command)
    return command


def line_options(command: F) -> F:
    """About lines that do not say it, and the game."""
    for add in reversed((_DEALER, _TRUMP, *_GAME)):
        command = add(command)
    return command


def game_of_options(given: dict[str, Any]) -> Profile:
    """The game that was typed: one of contracts. UsageError."""
    named = given["game"] is None and given["game_file"] is None
    profile = profile_of(GAME if named else given["game"], given["game_file"], given["options"])
    if not profile.contracts:
        raise click.UsageError(f"expected a game of contracts such as {GAME}, found {profile.id}")
    return profile


def asked_of_options(given: dict[str, Any]) -> ContractsAsked:
    """What was typed about one deal. UsageError for what is missing, InputError for what does not fit the deal."""
    deal = one_deal(given["deal"])
    if given["dealer"] is None:
        raise click.UsageError("expected --dealer (N E S W), found none")
    if (given["turned"] is None) == (given["trump"] is None):
        found = "neither" if given["turned"] is None else "both"
        raise click.UsageError(f"expected --turned or --trump, found {found}")
    return contracts_asked(deal, given["dealer"], given["turned"], given["trump"])
