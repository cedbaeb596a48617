"""A game as JSON values, for programs that have no Python: what `tierce games --json` prints."""

from __future__ import annotations

from typing import Any

from tierce.solver.games.options import OPTIONS, idle
from tierce.solver.games.profile import Profile

__all__ = ["profile_json"]


def profile_json(profile: Profile) -> dict[str, Any]:
    """Seats, phases, and of each option its value, default, values (a list, or min and max; with "card" any card, too),
    meaning, and no_effect: why it has none as the game stands, None if it has one."""
    return {
        "id": profile.id,
        "name": profile.name,
        "about": profile.about,
        "hand": profile.hand,
        "kitty": profile.kitty,
        "removed": profile.removed,
        "quotas": dict(zip("DEM", profile.quotas, strict=True)),
        "phases": {"first": list(profile.steps(first=True)), "later": list(profile.steps(first=False))},
        "score": profile.score,
        "kitty_trick": profile.kitty_trick,
        "calls": list(profile.calls),
        "options": {
            option: {
                "value": value,
                "default": profile.defaults[option],
                **_values(profile, option),
                "meaning": OPTIONS[option].meaning,
                "no_effect": idle(option, profile.options) or None,
            }
            for option, value in profile.options.items()
        },
    }


def _values(profile: Profile, name: str) -> dict[str, Any]:
    option = OPTIONS[name]
    if isinstance(option.values, range):
        return {"values": {"min": option.values.start, "max": option.values.stop - 1}}
    if option.boolean:
        return {"values": [False, True]}
    if profile.calls and name == "end":
        return {"values": ["deals"]}
    return {"values": list(option.values)} | ({"card": True} if option.card else {})
