"""Small games for the exchange, hands of six of a pack of twenty, and deals of whole ones; asking about them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.cli.support import Ran, run
from tierce.solver import Deal
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.games import Profile, State, random_deal, read_game

EASY: Final = "D:J863.KQT986.QJT.A32 AKQ752.J7.7653.KJ96 T9.A53.AK9842.Q8754 / 4.42..T"  # 16 ways: about a second
REAL: Final = "D:QJ94.AQ9632.AQ6.AT62 8765.854.T532.K87543 AKT3.KJT7.KJ9874.QJ9 / 2..."  # of 6-3-8: a second
HARD: Final = "D:J762.T94.J874.QJ743 AKT94.Q732.T52.KT52 Q8.KJ865.AK963.A986 / 53.A.Q."  # of 560 ways: minutes

_GAME: Final = """\
id = "{name}"
name = "Small {name}"
ranks = 5
hand = 6
kitty = 2
quotas = {quotas}
phases = ["DEAL", {phases}, "PLAY", "SCORE"]
score = "total"
{more}
[options]
end = "total"
goal = 14
{options}
"""
_BLIND: Final = '"EXCHANGE", "TRUMP", "DISCARD", "KITTY"'
_OPEN: Final = '"EXCHANGE", "TRUMP", "KITTY", "DISCARD"'
_SWAP: Final = '"KITTY", "DISCARD", "SEND", "TRUMP", "RETURN"'
_AT_ONCE: Final = 'exchange_order_two_down = "simultaneous"'
_ONE_BY_ONE: Final = 'exchange_order_two_down = "lowest_quota_first"'


def _game(name: str, phases: str, options: str, *, quotas: str = "[3, 2, 1]", more: str = "") -> str:
    return _GAME.format(name=name, phases=phases, options=options, quotas=quotas, more=more)


GAMES: Final = {
    "at_once": _game("at_once", _BLIND, _AT_ONCE),
    "one_by_one": _game("one_by_one", _OPEN, _ONE_BY_ONE),
    "kitty_trick": _game(
        "kitty_trick", _OPEN, 'two_up_order = "first_over"', quotas="[4, 2, 1]", more="kitty_trick = true"
    ),
    "swap": _game("swap", _SWAP, 'return_rule = "merged_top_n"'),
}
# Tricks of the deal before: one sender with two receivers, or with one; two senders.
PREVIOUS: Final = {
    "at_once": ("5/1/0", "1/3/2"),
    "one_by_one": ("2/4/0",),
    "kitty_trick": ("5/1/1",),
    "swap": ("5/1/0", "1/3/2"),
}


def write_game(folder: Path, name: str) -> tuple[str, Profile]:
    """The file of a game in this folder, and the game."""
    path = folder / f"{name}.toml"
    path.write_text(GAMES[name], encoding="utf-8")
    return str(path), read_game(path)


def deal_of(profile: Profile, index: int = 0) -> str:
    """A deal by lot."""
    return str(random_deal(profile, 3, index))


def small(folder: Path, name: str, previous: str, index: int = 0) -> tuple[tuple[str, ...], State]:
    """A small decision: the words that ask about it, and where it is due."""
    path, profile = write_game(folder, name)
    deal = deal_of(profile, index)
    state = exchange_of_deal(profile, Deal.parse(deal), [int(tricks) for tricks in previous.split("/")])
    return (deal, "--game-file", path, "--previous", previous), state


@cache
def exchange(words: tuple[str, ...], *more: str) -> Ran:
    """The answer; to what was asked before, the one given then."""
    return run("exchange", *words, "--threads", "1", *more)


def timeless(found: Any) -> Any:
    """JSON without what an answer took."""
    if isinstance(found, list):
        return [timeless(each) for each in found]
    if not isinstance(found, dict):
        return found
    return {name: timeless(value) for name, value in found.items() if name not in ("nodes", "millis")}


def page(text: str) -> str:
    """What a page says, in one line."""
    return " ".join(text.split())
