"""What no game can be: a profile is refused here before anybody plays by it.

Codes are "game", fields those of the TOML file.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tierce.solver.checks import quoted
from tierce.solver.errors import InputError, shown

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile

__all__ = ["CALLS", "MIZ", "PHASES", "fault", "refuse_nonsense"]

PHASES: Final = (
    "DEAL", "BID", "CALL", "EXCHANGE", "SEND", "TRUMP", "RETURN", "DISCARD", "KITTY", "SHOW", "SWAP", "PLAY", "SCORE",
)  # fmt: skip
MIZ: Final = "MIZ"
CALLS: Final = ("S", "H", "D", "C", "N", MIZ)
PACK: Final = 52
AUCTION_TRICKS: Final = 16  # the auction's quotas sum to this
_OF_CONTRACTS: Final = ("DEAL", "BID", "TRUMP", "PLAY", "SCORE")


def fault(message: str, name: str) -> InputError:
    """A profile's fault, in one of its fields."""
    return InputError("game", message, field=name)


def refuse_nonsense(profile: Profile) -> None:
    """What no game can be."""
    if not profile.id.replace("_", "").isalnum() or not profile.id.isascii():
        raise fault(f"expected an id of letters, digits and _, found {shown(profile.id)}", "id")
    if profile.score not in ("balance", "total"):
        raise fault(f"expected score = 'balance' or 'total', found {shown(profile.score)}", "score")
    if profile.seats not in (3, 4):
        raise fault(f"expected 3 or 4 seats, found {quoted(profile.seats)}", "seats")
    if profile.contracts != (profile.seats == 4):
        has = "with" if profile.contracts else "without"
        message = f"expected 4 seats and contracts = true, or neither, found {profile.seats} seats {has} contracts"
        raise fault(message, "seats")
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
        raise fault(f"expected 13 ranks, 13 cards each and no kitty with contracts, found {found}", "hand")
    if profile.phases != _OF_CONTRACTS:
        expected, found = " ".join(_OF_CONTRACTS), shown(" ".join(profile.phases))
        raise fault(f"expected the phases {expected} with contracts, found {found}", "phases")
    if profile.kitty_trick:
        raise fault("expected no kitty_trick with contracts, found one", "kitty_trick")


def _refuse_numbers(profile: Profile) -> None:
    if not 1 <= profile.ranks <= 13 or not 1 <= profile.hand <= PACK or not 0 <= profile.kitty <= PACK:
        found = f"{quoted(profile.ranks)}, {quoted(profile.hand)} and {quoted(profile.kitty)}"
        raise fault(f"expected 1 to 13 ranks, hands of cards and a kitty of 0 or more, found {found}", "hand")
    cards, pack = 3 * profile.hand + profile.kitty, 4 * profile.ranks
    if cards != pack and not (profile.kitty == 0 and cards == pack - 1):
        found = f"3 x {profile.hand} + {profile.kitty}"
        raise fault(f"expected hands and kitty of the {pack} cards of the pack, found {found}", "hand")
    if sum(profile.quotas) != profile.counted or min(profile.quotas) < 0:
        message = f"expected quotas that sum to the {profile.counted} tricks, none below 0"
        raise fault(f"{message}, found {quoted(list(profile.quotas))}", "quotas")
    if profile.kitty_trick and not (profile.kitty and profile.quotas[0]):
        found = f"{profile.kitty} cards and a quota of {profile.quotas[0]}"
        raise fault(f"expected a kitty and a dealer's quota above 0 with kitty_trick, found {found}", "kitty_trick")


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
        raise fault(f"expected {wrong}, found {shown(' '.join(profile.phases))}", "phases")
    needs_one = "SWAP" in profile.phases and (profile.kitty, profile.ranks) != (1, 13)
    if needs_one or ("KITTY" in profile.phases and not 1 <= profile.kitty <= profile.hand):
        found = f"{profile.kitty} in a pack of {profile.ranks} ranks"
        expected = "a kitty of at most a hand for KITTY, of one card of a whole pack for SWAP"
        raise fault(f"expected {expected}, found {found}", "kitty")


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
        raise fault(f"expected {expected}, found {shown(' '.join(calls))}", "calls")


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
            raise fault(f"expected {' or '.join(needed)} beside the option {name!r}, found none", "options")
    missing = [name for name in ("end", "goal") if name not in profile.defaults]
    if missing:
        raise fault(f"expected the options 'end' and 'goal', found no {missing[0]!r}", "options")


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
