"""Sumgait Driller as a game with its options settled: a kind of its own beside `tierce.solver.games.Profile`.

A Profile is a game of hands that follow suit against each other for quotas; here one hand plays against two blind
piles, with 54 cards, for a goal of ten. No field of a Profile but the names would mean the same, so that this game is
no TOML file of that kind. It has what all games have: id, name, about, options with defaults, steps.

    game = sumgait()                                a game; sumgait({"joker_resolution": "kill"}) with options
    state = new_match(game)                         tierce.solver.games.sumgait.rules plays it

Phases of a deal, in order:

DEAL     16 cards each and a kitty of six, or a deal that is told by its outcome
ROB      the declarer may take another's sixteen cards for his own
MISERE   he calls MISERE or does not, where that comes before the kitty (misere_time = before_kitty)
KITTY    he takes the six
GIVE     he gives two cards to each of the others
CALL     he plays, or calls PASS or MISERE
SHUFFLE  the blind piles get their order
PLAY     eighteen tricks
SCORE    Game, Vist, and whose turn it is to declare
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from tierce.solver.games.options import Value, check

__all__ = ["DEFAULTS", "ID", "PHASES", "Sumgait", "sumgait"]

ID: Final = "sumgait"
PHASES: Final = ("DEAL", "ROB", "MISERE", "KITTY", "GIVE", "CALL", "SHUFFLE", "PLAY", "SCORE")
DEFAULTS: Final[Mapping[str, Value]] = MappingProxyType(
    {
        "joker_resolution": "sequential",
        "joker_lead_suit": "none",
        "joker_free": True,
        "fail_price": "sum",
        "marriage_on_fail": "lost",
        "overflow": "drop",
        "laggard_tie": "next",
        "laggard_cap": True,
        "laggard_negative": "none",
        "hill_first": False,
        "hill_negative": "leaves",
        "hill_credit": "cut",
        "vist_floor": False,
        "misere_time": "after_giving",
        "misere_vist": "none",
        "misere_jokers": "normal",
        "robbery_scope": "deal",
    }
)


@dataclass(frozen=True, slots=True)
class Sumgait:
    """The game with its options: `defaults` its own, `options` those in force."""

    id: str
    name: str
    about: str
    defaults: Mapping[str, Value]
    options: Mapping[str, Value]

    @property
    def given(self) -> dict[str, Value]:
        """The options that differ from the game's own."""
        return {name: value for name, value in self.options.items() if value != self.defaults[name]}

    def option(self, name: str) -> Value:
        """An option's value; False for one the game does not have."""
        return self.options.get(name, False)

    def with_options(self, given: Mapping[str, Value]) -> Sumgait:
        """The same game with these options in place of its own. InputError (field "option")."""
        return replace(self, options=check(given, self.defaults, self.id))

    def steps(self) -> tuple[str, ...]:
        """The phases of a deal, options applied."""
        early = self.options["misere_time"] == "before_kitty"
        return tuple(phase for phase in PHASES if early or phase != "MISERE")


_OWN: Final = Sumgait(
    ID,
    "Sumgait Driller",
    "One hand played with thought against two blind piles, for ten of eighteen tricks and a Game of 1000.",
    dict(DEFAULTS),
    dict(DEFAULTS),
)


def sumgait(options: Mapping[str, Value] | None = None) -> Sumgait:
    """The game; InputError (field "option") for options it does not have."""
    return _OWN.with_options(options or {})
