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

__all__ = [
    "CALLS", "MIZ", "OTHER_KINDS", "PHASES", "Profile", "game_names", "load_game", "profile_of_table", "read_game",
    "three_hands",
]  # fmt: skip

PHASES: Final = (
    "DEAL", "BID", "CALL", "EXCHANGE", "SEND", "TRUMP", "RETURN", "DISCARD", "KITTY", "SHOW", "SWAP", "PLAY", "SCORE",
)  # fmt: skip
MIZ: Final = "MIZ"
CALLS: Final = ("S", "H", "D", "C", "N", MIZ)
PACK: Final = 52
MIZ_LISTED: Final = (3, 5, 8)
AUCTION_TRICKS: Final = 16  # the auction's quotas sum to this
_FROM_SECOND_DEAL: Final = frozenset({"EXCHANGE", "SEND", "RETURN", "SHOW"})
_OF_CONTRACTS: Final = ("DEAL", "BID", "TRUMP", "PLAY", "SCORE")
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
            raise _fault("expected a game in TOML, found an empty file", "game")
        profile = profile_of_table(table, str(path)).with_options({})
        own = _index().get(profile.id)
        if profile.id in OTHER_KINDS:
            raise _fault(f"expected an id that no other game has, found {profile.id!r}", "id")
        if own is not None and replace(profile, name=own.name, about=own.about) != own:
            raise _fault(f"expected an id of its own for a game with its own rules, found {profile.id!r}", "id")
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
            raise _fault(f"expected the fields {', '.join(_FIELDS)}, found {shown(name)}", name)
    for name, kind in _FIELDS.items():
        if name not in table:
            if name in _OPTIONAL:
                continue
            raise _fault(f"expected a field {name!r} in {source}, found none", name)
        value = table[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            expected = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
            raise _fault(f"expected {expected[kind]} in {name!r}, found {quoted(value)}", name)  # type: ignore[index]
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
    _refuse_nonsense(profile)
    return profile


def _quotas(table: dict[str, Any], source: str) -> tuple[int, ...]:
    """Of three seats as told; four owe none, for their contract says what is needed."""
    if table.get("contracts", False):
        if "quotas" in table:
            found = quoted(table["quotas"])
            raise _fault(f"expected no quotas in a game of contracts, found {found}", "quotas")
        return (0,) * 4
    if "quotas" not in table:
        raise _fault(f"expected a field 'quotas' in {source}, found none", "quotas")
    quotas = table["quotas"]
    if len(quotas) != 3 or not all(isinstance(each, int) and not isinstance(each, bool) for each in quotas):
        raise _fault(f"expected three whole numbers in 'quotas', found {quoted(quotas)}", "quotas")
    return tuple(quotas)


def _refuse_nonsense(profile: Profile) -> None:
    """What no game can be."""
    if not profile.id.replace("_", "").isalnum() or not profile.id.isascii():
        raise _fault(f"expected an id of letters, digits and _, found {shown(profile.id)}", "id")
    if profile.score not in ("balance", "total"):
        raise _fault(f"expected score = 'balance' or 'total', found {shown(profile.score)}", "score")
    if profile.seats not in (3, 4):
        raise _fault(f"expected 3 or 4 seats, found {quoted(profile.seats)}", "seats")
    if profile.contracts != (profile.seats == 4):
        has = "with" if profile.contracts else "without"
        message = f"expected 4 seats and contracts = true, or neither, found {profile.seats} seats {has} contracts"
        raise _fault(message, "seats")
    if profile.contracts:
        _refuse_with_contracts(profile)
    else:
        _refuse_numbers(profile)
        _refuse_phases(profile)
    _refuse_calls(profile)
    _refuse_options(profile)


def _refuse_with_contracts(profile: Profile) -> None:
    """The contracts need 13 tricks of the whole pack, and these phases."""
    if (profile.ranks, profile.hand, profile.kitty) != (13, 13, 0):
        found = f"{quoted(profile.ranks)} ranks, {quoted(profile.hand)} each and {quoted(profile.kitty)}"
        raise _fault(f"expected 13 ranks, 13 cards each and no kitty with contracts, found {found}", "hand")
    if profile.phases != _OF_CONTRACTS:
        expected, found = " ".join(_OF_CONTRACTS), shown(" ".join(profile.phases))
        raise _fault(f"expected the phases {expected} with contracts, found {found}", "phases")
    if profile.kitty_trick:
        raise _fault("expected no kitty_trick with contracts, found one", "kitty_trick")


def _refuse_numbers(profile: Profile) -> None:
    if not 1 <= profile.ranks <= 13 or not 1 <= profile.hand <= PACK or not 0 <= profile.kitty <= PACK:
        found = f"{quoted(profile.ranks)}, {quoted(profile.hand)} and {quoted(profile.kitty)}"
        raise _fault(f"expected 1 to 13 ranks, hands of cards and a kitty of 0 or more, found {found}", "hand")
    cards, pack = 3 * profile.hand + profile.kitty, 4 * profile.ranks
    if cards != pack and not (profile.kitty == 0 and cards == pack - 1):
        found = f"3 x {profile.hand} + {profile.kitty}"
        raise _fault(f"expected hands and kitty of the {pack} cards of the pack, found {found}", "hand")
    if sum(profile.quotas) != profile.counted or min(profile.quotas) < 0:
        message = f"expected quotas that sum to the {profile.counted} tricks, none below 0"
        raise _fault(f"{message}, found {quoted(list(profile.quotas))}", "quotas")
    if profile.kitty_trick and not (profile.kitty and profile.quotas[0]):
        found = f"{profile.kitty} cards and a quota of {profile.quotas[0]}"
        raise _fault(f"expected a kitty and a dealer's quota above 0 with kitty_trick, found {found}", "kitty_trick")


# What a phase needs before it in this order, which phases exclude each other, which go together, and what cannot come
# from one phase to another: returned cards and kitty cards to show must still be there, and all hands are full in an
# exchange.
_BEFORE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"RETURN": ("SEND",), "SHOW": ("EXCHANGE", "KITTY"), "SWAP": ("EXCHANGE", "TRUMP")}
)
_EITHER: Final = (("TRUMP", "CALL"), ("EXCHANGE", "SEND"), ("SWAP", "KITTY"))
_BOTH: Final = (("SEND", "RETURN"), ("KITTY", "DISCARD"))
_UNBROKEN: Final = (
    ("SEND", "RETURN", ("KITTY", "DISCARD")),
    ("DISCARD", "KITTY", ("EXCHANGE", "SEND")),
    ("KITTY", "SHOW", ("DISCARD",)),
)
_IN_FILES: Final = tuple(phase for phase in PHASES if phase != "BID")  # the option first_deal_auction adds that


def _refuse_phases(profile: Profile) -> None:
    if wrong := _wrong_phases(profile.phases):
        raise _fault(f"expected {wrong}, found {shown(' '.join(profile.phases))}", "phases")
    needs_one = "SWAP" in profile.phases and (profile.kitty, profile.ranks) != (1, 13)
    if needs_one or ("KITTY" in profile.phases and not 1 <= profile.kitty <= profile.hand):
        found = f"{profile.kitty} in a pack of {profile.ranks} ranks"
        expected = "a kitty of at most a hand for KITTY, of one card of a whole pack for SWAP"
        raise _fault(f"expected {expected}, found {found}", "kitty")


def _wrong_phases(phases: tuple[str, ...]) -> str:
    """What was to be expected of the phases; "" if all is well."""
    has = set(phases)
    if not has <= set(_IN_FILES) or len(has) < len(phases):
        return f"phases among {' '.join(_IN_FILES)}, each once"
    if phases[:1] != ("DEAL",) or phases[-2:] != ("PLAY", "SCORE"):
        return "phases that begin with DEAL and end with PLAY SCORE"
    if not has & {"TRUMP", "CALL"}:
        return "a phase TRUMP or CALL"
    for pair in _EITHER:
        if has >= set(pair):
            return f"only one of the phases {' and '.join(pair)}"
    for pair in _BOTH:
        if len(has & set(pair)) == 1:
            return f"both phases {' and '.join(pair)}, or neither"
    for phase, before in _BEFORE.items():
        if phase in has and tuple(each for each in phases if each in (*before, phase)) != (*before, phase):
            return f"{' and '.join(before)} before {phase}"
    for first, last, foreign in _UNBROKEN:
        if has >= {first, last} and set(foreign) & set(phases[phases.index(first) : phases.index(last)]):
            return f"no {' or '.join(foreign)} from {first} to {last}"
    return ""


def _refuse_calls(profile: Profile) -> None:
    calls = profile.calls
    if not set(calls) <= set(CALLS) or len(set(calls)) < len(calls) or bool(calls) != ("CALL" in profile.phases):
        expected = f"calls among {' '.join(CALLS)}, each once, where there is a phase CALL"
        raise _fault(f"expected {expected}, found {shown(' '.join(calls))}", "calls")


def _refuse_options(profile: Profile) -> None:
    """An option needs what it is about; every game needs an end."""
    has = {
        *profile.phases,
        *(("16 tricks",) if profile.counted == AUCTION_TRICKS and not profile.kitty_trick else ()),
        *(("kitty trick",) if profile.kitty_trick else ()),
        *(("card out of the pack",) if profile.removed == 1 else ()),
        *(("contracts",) if profile.contracts else ()),
        *profile.defaults,
    }
    for name, needed in _ABOUT.items():
        if name in profile.defaults and not has & set(needed):
            raise _fault(f"expected {' or '.join(needed)} beside the option {name!r}, found none", "options")
    missing = [name for name in ("end", "goal") if name not in profile.defaults]
    if missing:
        raise _fault(f"expected the options 'end' and 'goal', found no {missing[0]!r}", "options")


_EXCHANGES: Final = ("EXCHANGE", "SEND")
_ABOUT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "exchange": ("EXCHANGE",), "exchange_order_two_down": ("EXCHANGE",), "two_up_order": ("EXCHANGE",),
        "return_rule": _EXCHANGES, "rank_order": _EXCHANGES, "max_bleed": _EXCHANGES, "bleed_scope": ("max_bleed",),
        "split_return_order": ("RETURN",), "kitty_first": ("KITTY",), "show_threshold": ("SHOW",),
        "show_after_null_return": ("SHOW",), "swap_time": ("SWAP",), "miz_caps": ("CALL",),
        "count_kitty_trick_for_win": ("kitty trick",), "removed_card": ("card out of the pack",),
        "first_deal_auction": ("16 tricks",), "all_pass": ("first_deal_auction",),
        "bid_must_rise": ("first_deal_auction",), "bid_reentry": ("first_deal_auction",),
        "win_needs_bid": ("first_deal_auction",), "self_raise": ("contracts",), "ait_open": ("contracts",),
        "ad_trump": ("contracts",), "prop_raise": ("contracts",), "overtrick_schedule": ("contracts",),
    }
)  # fmt: skip


def _fault(message: str, name: str) -> InputError:
    return InputError("game", message, field=name)
