"""A game's rules as data. One TOML file a game in `profiles/`; a user's own variant is another such file.

id, name, about       what it is called, and a sentence
seats                 3 unless told, or 4
contracts             each deal is bid for a contract, by which the sides change; needs 4 seats, as these need it
ranks                 ranks of the pack, from the ace down; 13 unless told, 8 for aces to sevens
hand, kitty           cards a hand at the first lead, and cards left undealt
quotas                tricks owed by dealer, eldest, middle; none in a game of contracts
phases                what happens in a deal, in order (PHASES); the exchange is left out of a first deal
score                 "balance" (each deal settled by itself) or "total" (a running total decides)
kitty_trick           the dealer's kitty counts as a trick of his
both_ways             the match also ends when a total falls as far below zero as the goal lies above it
calls                 what the dealer must call, each once a match (S H D C N MIZ); empty: he names a trump freely
[options]             the options the game has, with its defaults: `end` and `goal`, and any others that fit

The options (`tierce.solver.games.options` says what each means) that need something of the game:

EXCHANGE              exchange, exchange_order_two_down, two_up_order
EXCHANGE or SEND      return_rule, rank_order, max_bleed (and with it bleed_scope)
RETURN                split_return_order
KITTY, SHOW, SWAP     kitty_first; show_threshold, show_after_null_return; swap_time
CALL                  miz_caps; `end` must be "deals"
16 tricks             first_deal_auction (and with it all_pass, bid_must_rise, bid_reentry, win_needs_bid)
a trick of the kitty  count_kitty_trick_for_win
a card left out       removed_card
contracts             self_raise, ait_open, ad_trump, prop_raise, overtrick_schedule; `end` must be "deals" or "total"

Three seats are 0 dealer, 1 eldest, 2 middle of the deal. Four are the players' own, N E S W, for the whole match, and
the deal goes round. A game of contracts is played with the whole pack, 13 cards each, in the phases DEAL BID TRUMP PLAY
SCORE; `tierce.solver.games.contracts` has its contracts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from tierce.solver.cards import LANE, Mask, bit, parse_card, seat_letters
from tierce.solver.checks import quoted
from tierce.solver.errors import InputError, shown
from tierce.solver.games.options import OPTIONS, Value, check, parse_value
from tierce.solver.games.profile_checks import CALLS, MIZ, PHASES, fault, refuse_nonsense

__all__ = [
    "CALLS", "MIZ", "OTHER_KINDS", "PHASES", "Profile", "game_names", "load_game", "profile_of_table", "read_game",
    "three_hands",
]  # fmt: skip

MIZ_LISTED: Final = (3, 5, 8)
_FROM_SECOND_DEAL: Final = frozenset({"EXCHANGE", "SEND", "RETURN", "SHOW"})
_NAMES: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {3: ("the dealer", "eldest", "middle"), 4: ("North", "East", "South", "West")}
)


@dataclass(frozen=True, slots=True)
class Profile:
    """A game with its options settled. Three seats in order: dealer, eldest, middle; four: N, E, S, W."""

    id: str
    name: str
    about: str
    hand: int
    kitty: int
    quotas: tuple[int, ...]
    phases: tuple[str, ...]
    score: str
    ranks: int = 13
    kitty_trick: bool = False
    both_ways: bool = False
    calls: tuple[str, ...] = ()
    seats: int = 3
    contracts: bool = False
    defaults: Mapping[str, Value] = field(default_factory=dict)
    options: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("defaults", "options"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[type[Profile], tuple[Any, ...]]:
        # Read-only mappings cannot be pickled; other processes need profiles.
        given = (getattr(self, each.name) for each in fields(self))
        return Profile, tuple(dict(value) if isinstance(value, Mapping) else value for value in given)

    def __hash__(self) -> int:
        return hash((self.id, *sorted(self.options.items())))

    @property
    def removed(self) -> int:
        """Cards taken out of the pack before the deal."""
        return 4 * self.ranks - self.seats * self.hand - self.kitty

    @property
    def letters(self) -> str:
        """The letters of the seats, DEM or NESW."""
        return seat_letters(self.seats)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The seats as messages name them."""
        return _NAMES[self.seats]

    @property
    def ends(self) -> tuple[str, ...]:
        """What may end its matches: values of the option `end`."""
        if self.calls:
            return ("deals",)
        values = OPTIONS["end"].values
        assert isinstance(values, tuple)
        return tuple(each for each in values if each in ("total", "deals")) if self.contracts else values

    def player(self, dealer: int, seat: int) -> int:
        """The player in a seat of the deal of `dealer`, who is a player; four seats are the players' own."""
        return (dealer + seat) % 3 if self.seats == 3 else seat

    def seat(self, dealer: int, player: int) -> int:
        """The seat of a player in the deal of `dealer`."""
        return (player - dealer) % 3 if self.seats == 3 else player

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
        profile = replace(self, options=check(given, self.defaults, self.id))
        _refuse_unplayable(profile)
        return profile

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

    def caps(self) -> tuple[int, ...]:
        """Tricks without loss in MIZ, by seat."""
        return self.quotas if self.option("miz_caps") == "quota" else MIZ_LISTED


_TO_WIN: Final[Mapping[str, int]] = MappingProxyType({"twelve": 12, "thirteen": 13, "sixteen": 16})


def _refuse_unplayable(profile: Profile) -> None:
    """Options that this game's calls or pack do not allow."""
    most, card = 3 * len(profile.calls), profile.option("removed_card")
    expected = ""
    if most and (profile.option("end") != "deals" or profile.number("goal") > most):
        expected = f"end = deals and a goal of at most {most}, by when all calls are used"
        found = f"end = {profile.option('end')} and goal = {profile.number('goal')}"
    elif _TO_WIN.get(str(profile.option("end")), 0) > profile.counted:
        expected, found = f"an end that {profile.counted} tricks can bring", f"end = {profile.option('end')}"
    elif MIZ in profile.calls and sum(profile.caps()) != profile.counted:
        expected, found = f"tricks without loss in MIZ that sum to {profile.counted}", f"{profile.caps()}"
    elif profile.contracts and profile.option("end") not in profile.ends:
        expected, found = "end = deals or total, as no quotas are owed", f"end = {profile.option('end')}"
    elif isinstance(card, str) and card != "random_hidden" and not profile.pack & bit(parse_card(card)):
        expected, found = f"removed_card in the pack of {4 * profile.ranks}", card
    if expected:
        raise InputError("option", f"expected {expected}, found {found}", field="option")


def game_names(seats: int | None = None) -> tuple[str, ...]:
    """The games that come with the package, in the order in which they are listed; `seats`: those of 3 or 4 hands."""
    return tuple(name for name, profile in _index().items() if seats in (None, profile.seats))


def three_hands(profile: Profile, what: str) -> None:
    """Refuse a four-hand game where `what` (in words) is of three-hand games. InputError with code "game"."""
    if profile.seats != 3:
        message = f"expected a game of three hands for {what}, found {profile.id} with {profile.seats}"
        raise InputError("game", message, field="game")


@cache
def _index() -> Mapping[str, Profile]:
    folder = files("tierce.solver.games") / "profiles"
    found = [
        profile_of_table(tomllib.loads(file.read_text(encoding="utf-8")), file.name)
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return MappingProxyType({profile.id: profile for profile in sorted(found, key=lambda each: _ORDER.index(each.id))})


_ORDER: Final = (
    "raf", "wiki_358", "woburn", "deputy", "six_three_eight", "nine_five_two", "nine_five_two_swap", "uni_high_359",
    "nine_five_three_one_card", "nine_five_three_no_kitty", "solo_whist",
)  # fmt: skip


OTHER_KINDS: Final = ("sumgait",)  # games that no Profile describes; tierce.solver.games.sumgait


def load_game(name: str, options: Mapping[str, Value] | None = None) -> Profile:
    """A game of the package by its id. InputError (field "game" or "option")."""
    games = _index()
    if name in OTHER_KINDS:
        message = f"expected a game of hands against each other ({', '.join(games)}), found {name!r}, a game of its own"
        raise InputError("game", f"{message} kind, which this does not take", field="game")
    if name not in games:
        raise InputError("game", f"expected a game ({', '.join(games)}), found {shown(str(name))}", field="game")
    return games[name].with_options(options or {})


def read_game(path: str | Path, options: Mapping[str, Value] | None = None) -> Profile:
    """A game from a user's file. InputError (with the file's name) if it cannot be read or makes no sense."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        table = tomllib.loads(text)
    except OSError as error:
        raise InputError("game_file", error.strerror or str(error), field="game", file=str(path)) from None
    except (ValueError, RecursionError) as error:
        what = "bytes that are not UTF-8" if isinstance(error, UnicodeDecodeError) else "text that is not valid TOML"
        message = f"expected a game in TOML, found {what}: {error}"
        raise InputError("game_file", message, field="game", file=str(path)) from None
    try:
        if not table:
            raise fault("expected a game in TOML, found an empty file", "game")
        profile = profile_of_table(table, str(path)).with_options({})
        own = _index().get(profile.id)
        if profile.id in OTHER_KINDS:
            raise fault(f"expected an id that no other game has, found {profile.id!r}", "id")
        if own is not None and replace(profile, name=own.name, about=own.about) != own:
            raise fault(f"expected an id of its own for a game with its own rules, found {profile.id!r}", "id")
        return profile.with_options(options or {})
    except InputError as error:
        raise error.located(file=str(path)) from None


# ---- reading ---------------------------------------------------------------------------------------------------------

_FIELDS: Final[Mapping[str, type | tuple[type, ...]]] = MappingProxyType(
    {
        "id": str, "name": str, "about": str, "seats": int, "contracts": bool, "ranks": int, "hand": int, "kitty": int,
        "quotas": list, "phases": list, "score": str, "kitty_trick": bool, "both_ways": bool, "calls": list,
        "options": dict,
    }
)  # fmt: skip
_OPTIONAL: Final = frozenset(
    {"about", "seats", "contracts", "ranks", "kitty_trick", "both_ways", "calls", "options", "quotas"}
)


def profile_of_table(table: dict[str, Any], source: str) -> Profile:
    """A profile from a TOML table; every field checked."""
    for name in table:
        if name not in _FIELDS:
            raise fault(f"expected the fields {', '.join(_FIELDS)}, found {shown(name)}", name)
    for name, kind in _FIELDS.items():
        if name not in table:
            if name in _OPTIONAL:
                continue
            raise fault(f"expected a field {name!r} in {source}, found none", name)
        value = table[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            expected = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
            raise fault(f"expected {expected[kind]} in {name!r}, found {quoted(value)}", name)  # type: ignore[index]
    quotas = _quotas(table, source)
    defaults = {name: parse_value(name, value) for name, value in table.get("options", {}).items()}
    ordered = {name: defaults[name] for name in OPTIONS if name in defaults}
    profile = Profile(
        id=table["id"],
        name=table["name"],
        about=table.get("about", ""),
        ranks=table.get("ranks", 13),
        hand=table["hand"],
        kitty=table["kitty"],
        quotas=quotas,
        phases=tuple(str(each) for each in table["phases"]),
        score=table["score"],
        kitty_trick=table.get("kitty_trick", False),
        both_ways=table.get("both_ways", False),
        calls=tuple(str(each) for each in table.get("calls", ())),
        seats=table.get("seats", 3),
        contracts=table.get("contracts", False),
        defaults=ordered,
        options=ordered,
    )
    refuse_nonsense(profile)
    return profile


def _quotas(table: dict[str, Any], source: str) -> tuple[int, ...]:
    """Of three seats as told; four owe none, for their contract says what is needed."""
    if table.get("contracts", False):
        if "quotas" in table:
            found = quoted(table["quotas"])
            raise fault(f"expected no quotas in a game of contracts, found {found}", "quotas")
        return (0,) * 4
    if "quotas" not in table:
        raise fault(f"expected a field 'quotas' in {source}, found none", "quotas")
    quotas = table["quotas"]
    if len(quotas) != 3 or not all(isinstance(each, int) and not isinstance(each, bool) for each in quotas):
        raise fault(f"expected three whole numbers in 'quotas', found {quoted(quotas)}", "quotas")
    return tuple(quotas)
