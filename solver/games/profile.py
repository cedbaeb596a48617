"""A game's rules as data. One TOML file a game in `profiles/`; a user's own variant is another such file.

id, name, about       what it is called, and a sentence
hand, kitty           cards a hand at the first lead, and cards left undealt
quotas                tricks owed by dealer, eldest, middle
phases                what happens in a deal, in order (PHASES); the exchange is left out of a first deal
score                 "balance" (each deal settled by itself) or "total" (a running total decides)
kitty_trick           the dealer's kitty counts as a trick of his
both_ways             the match also ends when a total falls as far below zero as the goal lies above it
calls                 what the dealer must call, each once a match (S H D C N MIZ); empty: he names a trump freely
[options]             the options the game has, with its defaults
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tierce.solver.cards import LANE, Mask
from tierce.solver.errors import InputError, shown
from tierce.solver.games.options import OPTIONS, Value, check, parse_value

__all__ = ["CALLS", "MIZ", "PHASES", "Profile", "game_names", "load_game", "read_game"]

PHASES: Final = (
    "DEAL", "BID", "CALL", "EXCHANGE", "SEND", "TRUMP", "RETURN", "DISCARD", "KITTY", "SHOW", "SWAP", "PLAY", "SCORE",
)  # fmt: skip
MIZ: Final = "MIZ"
CALLS: Final = ("S", "H", "D", "C", "N", MIZ)
MIZ_LISTED: Final = (3, 5, 8)
_FROM_SECOND_DEAL: Final = frozenset({"EXCHANGE", "SEND", "RETURN", "SHOW"})


@dataclass(frozen=True, slots=True)
class Profile:
    """A three-hand game with its options settled. Seats in order: dealer, eldest, middle."""

    id: str
    name: str
    about: str
    hand: int
    kitty: int
    quotas: tuple[int, int, int]
    phases: tuple[str, ...]
    score: str
    ranks: int = 13
    kitty_trick: bool = False
    both_ways: bool = False
    calls: tuple[str, ...] = ()
    defaults: Mapping[str, Value] = field(default_factory=dict)
    options: Mapping[str, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.id, *sorted(self.options.items())))

    @property
    def removed(self) -> int:
        """Cards taken out of the pack before the deal."""
        return 4 * self.ranks - 3 * self.hand - self.kitty

    @property
    def pack(self) -> Mask:
        """All cards of the pack, the removed one among them."""
        lane = LANE & ~((1 << 13 - self.ranks) - 1)
        return lane | lane << 16 | lane << 32 | lane << 48

    @property
    def counted(self) -> int:
        """Tricks that are counted in a deal: those played, and the kitty where it is one."""
        return self.hand + (1 if self.kitty_trick else 0)

    @property
    def given(self) -> dict[str, Value]:
        """The options that differ from the game's own."""
        return {name: value for name, value in self.options.items() if value != self.defaults[name]}

    def option(self, name: str) -> Value:
        """An option's value; False for one the game does not have."""
        return self.options.get(name, False)

    def number(self, name: str) -> int:
        """An option that is a number; 0 for one the game does not have."""
        return int(self.options.get(name, 0))

    def with_options(self, given: Mapping[str, Value]) -> Profile:
        """The same game with these options in place of its own. InputError (field "option")."""
        return replace(self, options=MappingProxyType(check(given, self.defaults, self.id)))

    def steps(self, *, first: bool) -> tuple[str, ...]:
        """The phases of a deal, options applied; `first`: of the first deal of a match."""
        steps = list(self.phases)
        if self.option("kitty_first") and "DISCARD" in steps and steps.index("DISCARD") < steps.index("KITTY"):
            steps.remove("DISCARD")
            after = "SHOW" if "SHOW" in steps else "KITTY"
            steps.insert(steps.index(after) + 1, "DISCARD")
        if "SWAP" in steps:
            steps.remove("SWAP")
            after = {"after_deal": "DEAL", "after_exchange": "EXCHANGE"}.get(str(self.option("swap_time")), "TRUMP")
            steps.insert(steps.index(after) + 1, "SWAP")
        if first or ("exchange" in self.options and not self.options["exchange"]):
            steps = [step for step in steps if step not in _FROM_SECOND_DEAL]
        if first and self.option("first_deal_auction"):
            steps.insert(1, "BID")
        return tuple(steps)

    def caps(self) -> tuple[int, int, int]:
        """Tricks without loss in MIZ, by seat."""
        return self.quotas if self.option("miz_caps") == "quota" else MIZ_LISTED


def game_names() -> tuple[str, ...]:
    """The games that come with the package, in the order in which they are listed."""
    return tuple(_index())


@cache
def _index() -> Mapping[str, Profile]:
    folder = files("tierce.solver.games") / "profiles"
    found = [
        _profile(tomllib.loads(file.read_text(encoding="utf-8")), file.name)
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return MappingProxyType({profile.id: profile for profile in sorted(found, key=lambda each: _ORDER.index(each.id))})


_ORDER: Final = (
    "raf", "wiki_358", "woburn", "deputy", "six_three_eight", "nine_five_two", "nine_five_two_swap", "uni_high_359",
    "nine_five_three_one_card", "nine_five_three_no_kitty",
)  # fmt: skip


def load_game(name: str, options: Mapping[str, Value] | None = None) -> Profile:
    """A game of the package by its id. InputError (field "game" or "option")."""
    games = _index()
    if name not in games:
        raise InputError("game", f"expected a game ({', '.join(games)}), found {shown(str(name))}", field="game")
    return games[name].with_options(options or {})


def read_game(path: str | Path, options: Mapping[str, Value] | None = None) -> Profile:
    """A game from a user's file. InputError (with the file's name) if it cannot be read or makes no sense."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        table = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            "game_file", f"expected a game in TOML, found {reason}", field="game", file=str(path)
        ) from None
    try:
        return _profile(table, str(path)).with_options(options or {})
    except InputError as error:
        raise error.located(file=str(path)) from None


# ---- reading ---------------------------------------------------------------------------------------------------------

_FIELDS: Final[Mapping[str, type | tuple[type, ...]]] = MappingProxyType(
    {
        "id": str, "name": str, "about": str, "ranks": int, "hand": int, "kitty": int, "quotas": list, "phases": list,
        "score": str,        "kitty_trick": bool, "both_ways": bool, "calls": list, "options": dict,
    }
)  # fmt: skip
_OPTIONAL: Final = frozenset({"about", "ranks", "kitty_trick", "both_ways", "calls", "options"})


def _profile(table: dict[str, Any], source: str) -> Profile:
    """A profile from a TOML table; every field checked."""
    for name in table:
        if name not in _FIELDS:
            raise _fault(f"expected the fields {', '.join(_FIELDS)}, found {shown(name)}", name)
    for name, kind in _FIELDS.items():
        if name not in table:
            if name in _OPTIONAL:
                continue
            raise _fault(f"expected a field {name!r} in {source}, found none", name)
        value = table[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            expected = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
            raise _fault(f"expected {expected[kind]} in {name!r}, found {value!r:.60}", name)  # type: ignore[index]
    quotas = table["quotas"]
    if len(quotas) != 3 or not all(isinstance(each, int) and not isinstance(each, bool) for each in quotas):
        raise _fault(f"expected three whole numbers in 'quotas', found {quotas!r:.60}", "quotas")
    defaults = {name: parse_value(name, value) for name, value in table.get("options", {}).items()}
    ordered = {name: defaults[name] for name in OPTIONS if name in defaults}
    profile = Profile(
        id=table["id"],
        name=table["name"],
        about=table.get("about", ""),
        ranks=table.get("ranks", 13),
        hand=table["hand"],
        kitty=table["kitty"],
        quotas=(quotas[0], quotas[1], quotas[2]),
        phases=tuple(str(each) for each in table["phases"]),
        score=table["score"],
        kitty_trick=table.get("kitty_trick", False),
        both_ways=table.get("both_ways", False),
        calls=tuple(str(each) for each in table.get("calls", ())),
        defaults=MappingProxyType(ordered),
        options=MappingProxyType(ordered),
    )
    _refuse_nonsense(profile)
    return profile


def _refuse_nonsense(profile: Profile) -> None:
    """What no three-hand game can be."""
    if not profile.id.replace("_", "").isalnum() or not profile.id.isascii():
        raise _fault(f"expected an id of letters, digits and _, found {shown(profile.id)}", "id")
    cards = 3 * profile.hand + profile.kitty
    if not 1 <= profile.ranks <= 13 or profile.hand < 1 or profile.kitty < 0:
        raise _fault(f"expected 1 to 13 ranks and hands of cards, found {profile.ranks} and {profile.hand}", "hand")
    if cards != 4 * profile.ranks and not (profile.kitty == 0 and cards == 4 * profile.ranks - 1):
        found = f"3 x {profile.hand} + {profile.kitty}"
        raise _fault(f"expected hands and kitty of the {4 * profile.ranks} cards of the pack, found {found}", "hand")
    if sum(profile.quotas) != profile.counted or min(profile.quotas) < 0:
        found = " + ".join(map(str, profile.quotas))
        raise _fault(f"expected quotas that sum to the {profile.counted} tricks, found {found}", "quotas")
    if profile.score not in ("balance", "total"):
        raise _fault(f"expected score = 'balance' or 'total', found {shown(profile.score)}", "score")
    unknown = [phase for phase in profile.phases if phase not in PHASES]
    if unknown or len(set(profile.phases)) < len(profile.phases):
        raise _fault(f"expected phases among {' '.join(PHASES)}, each once, found {' '.join(profile.phases)}", "phases")
    if profile.phases[:1] != ("DEAL",) or profile.phases[-2:] != ("PLAY", "SCORE"):
        raise _fault("expected phases that begin with DEAL and end with PLAY SCORE", "phases")
    if ("TRUMP" in profile.phases) == ("CALL" in profile.phases):
        raise _fault("expected one phase of TRUMP and CALL", "phases")
    if "KITTY" in profile.phases and (profile.kitty == 0 or "DISCARD" not in profile.phases):
        raise _fault("expected a kitty and a DISCARD where there is a phase KITTY", "phases")
    if ("SEND" in profile.phases) != ("RETURN" in profile.phases):
        raise _fault("expected both phases SEND and RETURN, or neither", "phases")
    if any(call not in CALLS for call in profile.calls) or bool(profile.calls) != ("CALL" in profile.phases):
        raise _fault(f"expected calls among {' '.join(CALLS)} where there is a phase CALL", "calls")
    refused = [name for name, phase in _PHASE_OF.items() if name in profile.defaults and phase not in profile.phases]
    if refused:
        raise _fault(f"expected a phase {_PHASE_OF[refused[0]]} beside the option {refused[0]!r}", "options")


_PHASE_OF: Final = MappingProxyType(
    {
        "show_threshold": "SHOW", "show_after_null_return": "SHOW", "swap_time": "SWAP", "miz_caps": "CALL",
        "split_return_order": "RETURN", "exchange_order_two_down": "EXCHANGE", "kitty_first": "KITTY",
    }
)  # fmt: skip


def _fault(message: str, name: str) -> InputError:
    return InputError("game", message, field=name)
