"""A game as JSON values, for programs that have no Python: what `tierce games --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tierce.solver.games.options import OPTIONS, idle
from tierce.solver.games.profile import Profile
from tierce.solver.games.sumgait.deal import KITTY
from tierce.solver.games.sumgait.game import Sumgait
from tierce.solver.games.sumgait.prices import TRICKS

__all__ = ["options_json", "profile_json", "sumgait_json"]


def profile_json(profile: Profile) -> dict[str, Any]:
    """Seats (told of four), phases, and of each option its value, default, values (a list, or min and max; with "card"
    any card, too), meaning, and no_effect: why it has none as the game stands, None if it has one."""
    return {
        "id": profile.id,
        "name": profile.name,
        "about": profile.about,
        **({"seats": profile.seats, "contracts": True} if profile.contracts else {}),
        "hand": profile.hand,
        "kitty": profile.kitty,
        "removed": profile.removed,
        "quotas": {} if profile.contracts else dict(zip("DEM", profile.quotas, strict=True)),
        "phases": {"first": list(profile.steps(first=True)), "later": list(profile.steps(first=False))},
        "score": profile.score,
        "kitty_trick": profile.kitty_trick,
        "calls": list(profile.calls),
        "options": options_json(profile),
    }


def sumgait_json(game: Sumgait) -> dict[str, Any]:
    """The same of Sumgait Driller, as far as it has it: `hand` are the cards at the first lead."""
    steps = list(game.steps())
    return {
        "id": game.id,
        "name": game.name,
        "about": game.about,
        "hand": TRICKS,
        "kitty": KITTY,
        "phases": {"first": steps, "later": steps},
        "options": options_json(game),
    }


def options_json(game: Profile | Sumgait) -> dict[str, Any]:
    """Of each option of a game its value, default, values, meaning and no_effect."""
    ends = game.ends if isinstance(game, Profile) else ()
    return {
        name: {
            "value": value,
            "default": game.defaults[name],
            **_values(name, ends),
            "meaning": OPTIONS[name].meaning,
            "no_effect": idle(name, game.options) or None,
        }
        for name, value in game.options.items()
    }


def _values(name: str, ends: Sequence[str]) -> dict[str, Any]:
    option = OPTIONS[name]
    if isinstance(option.values, range):
        return {"values": {"min": option.values.start, "max": option.values.stop - 1}}
    if option.boolean:
        return {"values": [False, True]}
    if ends and name == "end":
        return {"values": list(ends)}
    return {"values": list(option.values)} | ({"card": True} if option.card else {})
