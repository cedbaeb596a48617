"""The options of the games: names, values, meaning, and which of them exclude each other.

Where a game's sources are silent or disagree, an option decides; a profile says which options it has and its defaults.
`check` refuses what no game can mean: an unknown value, or a value that has no effect because of another option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from textwrap import shorten
from types import MappingProxyType
from typing import Final, TypeAlias

from tierce.solver.cards import card_name, parse_card
from tierce.solver.checks import quoted
from tierce.solver.errors import InputError, shown

__all__ = ["OPTIONS", "Option", "Value", "check", "idle", "parse_value", "refuse_contradictions", "value_text"]

Value: TypeAlias = str | int | bool
_NAMES_WIDTH: Final = 400  # of names of options in a message


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its values (or the range of a number, or "card" for a card's name), and what it decides."""

    name: str
    values: tuple[str, ...] | range
    meaning: str
    boolean: bool = False
    card: bool = False

    def text(self) -> str:
        """The values, as people write them."""
        if isinstance(self.values, range):
            return f"{self.values.start} to {self.values.stop - 1}"
        return " | ".join(("a card", *self.values) if self.card else self.values)


def _flag(name: str, meaning: str) -> Option:
    return Option(name, ("false", "true"), meaning, boolean=True)


_SUMGAIT: Final = (
    Option(
        "joker_resolution",
        ("sequential", "kill", "seven_wins"),
        "joker and seven in one trick: card after card, sevens make jokers powerless, or the last seven wins",
    ),
    Option("joker_lead_suit", ("none", "next"), "the suit to follow when a joker was led: none, or the next card's"),
    _flag("joker_free", "a joker may be played by one who could follow suit"),
    Option("fail_price", ("sum", "last"), "a failed game costs the prices of all suits declared, or of the last"),
    Option("marriage_on_fail", ("lost", "kept"), "the marriages of a failed game"),
    Option(
        "overflow",
        ("drop", "transfer", "keep"),
        "the surplus of the game that reaches 1000: dropped, passed on to the laggard, or kept",
    ),
    Option("laggard_tie", ("next", "vist"), "two equally far behind: the next clockwise, or the one with less Vist"),
    _flag("laggard_cap", "what the laggard gets ends at 1000, and only that counts ten times"),
    Option("laggard_negative", ("none", "transfer"), "points below 0 of a player at 1000: nothing, or passed on"),
    _flag("hill_first", "landing on the hill is itself a failure"),
    Option("hill_negative", ("leaves", "failure"), "points below 0 on the hill: he leaves it, or has failed once more"),
    Option("hill_credit", ("cut", "free"), "points passed on that land on the hill: cut to 880, or left there"),
    _flag("vist_floor", "Vist does not fall below 0"),
    Option("misere_time", ("after_giving", "before_kitty"), "when MISERE is called"),
    Option("misere_vist", ("none", "price"), "the others' Vist in MISERE: none, or their tricks at the price of ten"),
    Option("misere_jokers", ("normal", "low"), "jokers in MISERE: as ever, or never winning"),
    Option("robbery_scope", ("deal", "match"), "a player may rob once a deal, or once a match"),
)


OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {
        option.name: option
        for option in (
            _flag("exchange", "cards are exchanged after the first deal"),
            Option(
                "exchange_order_two_down",
                ("simultaneous", "lowest_quota_first"),
                "one player up on two: both parcels at once, or one exchange after the other, lower quota first",
            ),
            Option(
                "two_up_order",
                ("current_quota", "most_up", "first_over"),
                "two players up on one: who is first: the higher quota, the larger balance, or who was first over",
            ),
            Option(
                "return_rule",
                ("merged_top_n", "own_top_n", "pairwise_low_first", "pairwise_high_first"),
                "what the receiver of a parcel gives back",
            ),
            Option("rank_order", ("ace_high", "ace_low"), "the ace's rank in the exchange"),
            Option(
                "split_return_order",
                ("current_quota", "lowest_quota"),
                "two parcels in one suit, returned together: who takes the higher cards",
            ),
            Option("max_bleed", range(9), "most cards a player sends or receives in one exchange; 0 for no limit"),
            Option("bleed_scope", ("both", "sender", "receiver"), "whom max_bleed limits"),
            _flag("kitty_first", "the dealer takes the kitty before he discards"),
            Option(
                "show_threshold",
                ("lowest_returned", "highest_returned"),
                "kitty cards shown to a partner: above the lowest or the highest card the dealer gave back in the suit",
            ),
            _flag(
                "show_after_null_return",
                "cards of the parcel itself that went back count, too, when kitty cards are shown",
            ),
            Option("end", ("twelve", "thirteen", "sixteen", "quota_plus_5", "total", "deals"), "what ends the match"),
            Option("goal", range(1, 101), "points (end=total) or deals (end=deals) that end the match"),
            Option("goal_tie", ("higher", "shared"), "equal totals at the goal: play on, or share the win"),
            _flag("count_kitty_trick_for_win", "the dealer's kitty counts as a trick towards the end of the match"),
            _flag("first_deal_auction", "the seats of the first deal go by an auction"),
            Option("all_pass", ("next_dealer", "same_dealer"), "nobody bids in the auction: who deals again"),
            _flag("bid_must_rise", "each bid must be higher than the one before"),
            _flag("bid_reentry", "who has passed may bid again"),
            _flag("win_needs_bid", "in the deal of the auction the dealer wins the match only if he makes his bid"),
            Option("miz_caps", ("listed", "quota"), "tricks without loss in MIZ: 3/5/8, or the usual quotas 8/5/3"),
            Option(
                "swap_time", ("after_trump", "after_deal", "after_exchange"), "when the two is swapped for the up-card"
            ),
            *_SUMGAIT,
            Option("removed_card", ("random_hidden",), "the card left out of the pack", card=True),
            _flag("self_raise", "partners whose Prop and Cop stands may bid higher themselves"),
            _flag("ait_open", "Abundance in Trumps may be bid over any lower bid, not over an Abundance alone"),
            _flag("ad_trump", "the bidder of Abundance Declared names a trump, or none"),
            _flag("prop_raise", "a Prop that nobody accepted may be raised; otherwise the deal is void"),
            Option(
                "overtrick_schedule",
                ("none", "fives", "pence", "cents"),
                "money for tricks over and under: none (units), 5 points a unit, 6 pence a unit, or cents",
            ),
        )
    }
)


def parse_value(name: str, text: Value) -> Value:
    """The value of an option from text, or as JSON and TOML give it; InputError (field "option")."""
    if name not in OPTIONS:
        known = shorten(", ".join(OPTIONS), _NAMES_WIDTH, placeholder=" ...")
        raise _fault(f"expected an option ({known}), found {shown(str(name))}")
    option = OPTIONS[name]
    if option.boolean:
        words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
        found = words.get(str(text).lower()) if isinstance(text, str | bool) else None
        if found is None:
            raise _fault(f"expected {name} = true or false, found {quoted(text)}")
        return found
    if isinstance(option.values, range):
        if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 4:
            text = int(text)
        if isinstance(text, bool) or not isinstance(text, int) or text not in option.values:
            raise _fault(f"expected {name} = a whole number from {option.text()}, found {quoted(text)}")
        return text
    if isinstance(text, str) and text in option.values:
        return text
    if option.card and isinstance(text, str):
        with suppress(InputError):  # the refusal below also names the values that are no cards
            return card_name(parse_card(text))
    raise _fault(f"expected {name} = {option.text()}, found {quoted(text)}")


def value_text(value: Value) -> str:
    """A value as people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# An option that says nothing unless another has (or has not) a value: (option, the other, its values, why).
_NEEDS: Final[tuple[tuple[str, str, Callable[[Value], bool], str], ...]] = (
    ("bleed_scope", "max_bleed", lambda value: value != 0, "max_bleed is 0: there is nothing to limit"),
    ("goal", "end", lambda value: value in ("total", "deals"), "the match does not end at a goal"),
    ("goal_tie", "end", lambda value: value in ("total", "quota_plus_5"), "the match does not end at a goal"),
    *(
        (name, "end", lambda value: value in ("twelve", "thirteen", "sixteen"), "the match does not end by tricks")
        for name in ("count_kitty_trick_for_win", "win_needs_bid")
    ),
    ("all_pass", "first_deal_auction", bool, "there is no auction"),
    ("bid_must_rise", "first_deal_auction", bool, "there is no auction"),
    ("bid_reentry", "first_deal_auction", bool, "there is no auction"),
    ("win_needs_bid", "first_deal_auction", bool, "there is no auction"),
    *(
        (name, "exchange", bool, "there is no exchange")
        for name in ("exchange_order_two_down", "two_up_order", "return_rule", "rank_order", "max_bleed")
    ),
)


def idle(name: str, options: Mapping[str, Value]) -> str:
    """Why an option has no effect beside the others; "" if it has one."""
    for option, other, allowed, why in _NEEDS:
        if option == name and other in options and not allowed(options[other]):
            return why
    return ""


def refuse_contradictions(given: Mapping[str, Value], options: Mapping[str, Value]) -> None:
    """Refuse a given option that has no effect beside the others; `options` are all, defaults included."""
    for name, other, allowed, why in _NEEDS:
        if name in given and other in options and not allowed(options[other]):
            where = f"{other} = {value_text(options[other])}"
            raise _fault(f"expected no {name} with {where} ({why}), found {name} = {value_text(given[name])}")


def check(given: Mapping[str, Value], defaults: Mapping[str, Value], game: str) -> dict[str, Value]:
    """All options of a game: its defaults, and in their place those given. InputError (field "option")."""
    options = dict(defaults)
    for name, value in given.items():
        if name not in defaults:
            known = ", ".join(defaults) or "none"
            raise _fault(f"expected an option of {game} ({known}), found {shown(str(name))}")
        options[name] = parse_value(name, value)
    refuse_contradictions(given, options)
    return options


def _fault(message: str) -> InputError:
    return InputError("option", message, field="option")
