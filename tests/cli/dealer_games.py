"""Small games for the dealer's decision, hands of six of a pack of twenty; and two deals of whole ones."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tierce.solver.games import Profile, random_deal, read_game

EASY: Final = "D:J863.KQT986.QJT.A32 AKQ752.J7.7653.KJ96 T9.A53.AK9842.Q8754 / 4.42..T"  # soon decided
HARD: Final = "D:J762.T94.J874.QJ743 AKT94.Q732.T52.KT52 Q8.KJ865.AK963.A986 / 53.A.Q."  # takes minutes
ONE_CARD: Final = "nine_five_three_one_card"
# The dealer holds the two, or another does. Nearly all is decided by these cards, so that it is soon searched. The
# up-card is the ace of spades.
HOLDS: Final = "D:KQJT9.AKQJT.AKQ2.AKQ 87654.98765.J98.JT98 32.432.T76543.765432 / A..."
HELD: Final = "D:KQJT9.AKQJT.AKQ4.AKQ 87654.98765.J92.JT98 32.432.T87653.765432 / A..."

_GAME: Final = """\
id = "{name}"
name = "Small {name}"
ranks = 5
hand = 6
kitty = 2
quotas = [3, 2, 1]
phases = ["DEAL", {phases}, "PLAY", "SCORE"]
score = "total"
{more}
[options]
end = "total"
goal = 4
goal_tie = "higher"
"""
_BLIND: Final = '"TRUMP", "DISCARD", "KITTY"'
_OPEN: Final = '"TRUMP", "KITTY", "DISCARD"'
_CALLS: Final = 'calls = ["S", "H", "D", "C", "N", "MIZ"]'

GAMES: Final = {
    "blind": _GAME.format(name="blind", phases=_BLIND, more=""),
    "open": _GAME.format(name="open", phases=_OPEN, more=""),
    "kitty_trick": _GAME.format(name="kitty_trick", phases=_OPEN, more="kitty_trick = true").replace("[3,", "[4,"),
    "calls": _GAME.format(name="calls", phases=_BLIND.replace("TRUMP", "CALL"), more=_CALLS)
    .replace('"total"\ngoal = 4\ngoal_tie = "higher"', '"deals"\ngoal = 18\nmiz_caps = "quota"'),
}  # fmt: skip


def write_game(folder: Path, name: str) -> tuple[str, Profile]:
    """The file of a game in this folder, and the game."""
    path = folder / f"{name}.toml"
    path.write_text(GAMES[name], encoding="utf-8")
    return str(path), read_game(path)


def deal_of(profile: Profile, index: int = 0) -> str:
    """A deal by lot."""
    return str(random_deal(profile, 3, index))
