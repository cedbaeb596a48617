"""Options that are refused: unknown, of a wrong value or type, without effect beside the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.games.scenes import game, refusal
from tierce.solver.checks import quoted
from tierce.solver.games import (
    game_names,
    load_game,
)
from tierce.solver.games.options import OPTIONS, Value, parse_value, value_text


def option_refused(do: Callable[[], object], *words: str) -> None:
    code, field, message = refusal(do)
    assert (code, field) == ("option", "option"), message
    assert message.startswith("expected ") and "found" in message
    assert all(word in message for word in words), message


WRONG: Final[tuple[tuple[str, str, Any, str], ...]] = (
    ("raf", "return_rule", "top", "merged_top_n | own_top_n | pairwise_low_first | pairwise_high_first"),
    ("raf", "return_rule", "MERGED_TOP_N", "merged_top_n"),
    ("raf", "return_rule", True, "merged_top_n"),
    ("raf", "return_rule", 1, "merged_top_n"),
    ("raf", "return_rule", None, "merged_top_n"),
    ("raf", "return_rule", ["merged_top_n"], "merged_top_n"),
    ("raf", "kitty_first", "maybe", "true or false"),
    ("raf", "kitty_first", 1, "true or false"),
    ("raf", "kitty_first", None, "true or false"),
    ("raf", "max_bleed", 9, "a whole number from 0 to 8"),
    ("raf", "max_bleed", -1, "a whole number from 0 to 8"),
    ("raf", "max_bleed", "-1", "a whole number from 0 to 8"),
    ("raf", "max_bleed", 2.0, "a whole number from 0 to 8"),
    ("raf", "max_bleed", True, "a whole number from 0 to 8"),
    ("raf", "max_bleed", "three", "a whole number from 0 to 8"),
    ("raf", "max_bleed", "٣", "a whole number from 0 to 8"),
    ("raf", "max_bleed", 10**5000, "a whole number from 0 to 8"),
    ("raf", "end", "never", "twelve | thirteen"),
    ("nine_five_two", "goal", 0, "a whole number from 1 to 100"),
    ("nine_five_two", "goal", 101, "a whole number from 1 to 100"),
    ("nine_five_two", "goal", "10000", "a whole number from 1 to 100"),
    ("six_three_eight", "removed_card", "XX", "a card | random_hidden"),
    ("six_three_eight", "removed_card", "S1", "a card | random_hidden"),
    ("six_three_eight", "removed_card", "", "a card | random_hidden"),
    ("six_three_eight", "removed_card", "J1", "a card | random_hidden"),
    ("six_three_eight", "removed_card", 2, "a card | random_hidden"),
    ("deputy", "miz_caps", "8", "listed | quota"),
)


@pytest.mark.parametrize(("name", "option", "value", "expected"), WRONG, ids=lambda each: quoted(each)[:20])
def test_values_refused(name: str, option: str, value: Any, expected: str) -> None:
    option_refused(lambda: load_game(name, {option: value}), option, expected)


@pytest.mark.parametrize("name", game_names())
def test_options_a_game_has_not(name: str) -> None:
    for option in set(OPTIONS) - set(load_game(name).options):
        option_refused(lambda option=option: load_game(name, {option: "true"}), f"an option of {name}", repr(option))  # type: ignore[misc]


@pytest.mark.parametrize("option", ["quota", "", "kitty-first", "END", "x" * 500])
def test_options_no_game_has(option: str) -> None:
    option_refused(lambda: load_game("raf", {option: 1}), "an option of raf")
    option_refused(lambda: parse_value(option, 1), "an option")


CONTRADICTIONS: Final[tuple[tuple[str, dict[str, Value], str], ...]] = (
    ("raf", {"bleed_scope": "sender"}, "max_bleed = 0"),
    ("raf", {"goal": 5}, "end = twelve"),
    ("raf", {"goal_tie": "shared"}, "end = twelve"),
    ("raf", {"goal": 5, "end": "quota_plus_5"}, "end = quota_plus_5"),
    ("raf", {"goal_tie": "shared", "end": "deals"}, "end = deals"),
    ("six_three_eight", {"exchange": False, "return_rule": "own_top_n"}, "exchange = false"),
    ("six_three_eight", {"exchange": False, "exchange_order_two_down": "simultaneous"}, "exchange = false"),
    ("six_three_eight", {"exchange": False, "two_up_order": "most_up"}, "exchange = false"),
    ("six_three_eight", {"exchange": False, "rank_order": "ace_low"}, "exchange = false"),
    ("six_three_eight", {"exchange": False, "max_bleed": 3}, "exchange = false"),
    ("six_three_eight", {"exchange": False, "max_bleed": 3, "bleed_scope": "sender"}, "exchange = false"),
    ("wiki_358", {"all_pass": "same_dealer"}, "first_deal_auction = false"),
    ("wiki_358", {"bid_must_rise": False}, "first_deal_auction = false"),
    ("wiki_358", {"bid_reentry": True}, "first_deal_auction = false"),
    ("wiki_358", {"win_needs_bid": True}, "first_deal_auction = false"),
    ("woburn", {"win_needs_bid": True, "end": "total"}, "end = total"),
    ("uni_high_359", {"count_kitty_trick_for_win": False, "end": "quota_plus_5"}, "end = quota_plus_5"),
    ("deputy", {"end": "twelve"}, "end = deals and a goal of at most 18"),
    ("deputy", {"end": "total"}, "end = deals and a goal of at most 18"),
    ("deputy", {"goal": 19}, "found end = deals and goal = 19"),
)


@pytest.mark.parametrize(("name", "given", "why"), CONTRADICTIONS, ids=lambda each: str(each)[:40])
def test_contradictions(name: str, given: dict[str, Value], why: str) -> None:
    option_refused(lambda: load_game(name, given), why)


def test_options_as_people_write_them() -> None:
    profile = load_game("raf", {"kitty_first": "Yes", "max_bleed": "3", "end": "total", "goal": "12"})
    assert profile.given == {"kitty_first": True, "max_bleed": 3, "end": "total", "goal": 12}
    assert load_game("raf", {"kitty_first": "off"}) == load_game("raf")
    assert game("six_three_eight", removed_card="2♦").option("removed_card") == "D2"
    assert [value_text(each) for each in (True, 3, "S2")] == ["true", "3", "S2"]
    assert hash(profile) != hash(load_game("raf")) and hash(load_game("raf")) == hash(game("raf"))


def test_options_say_their_values() -> None:
    assert OPTIONS["removed_card"].text() == "a card | random_hidden"
    assert OPTIONS["goal"].text() == "1 to 100"
    assert OPTIONS["kitty_first"].text() == "false | true"
    assert all(option.meaning for option in OPTIONS.values())


def test_unknown_games() -> None:
    for name in ("", "RAF", "solo", "x" * 300):
        code, field, message = refusal(lambda name=name: load_game(name))  # type: ignore[misc]
        assert (code, field) == ("game", "game") and message.startswith("expected a game (raf, wiki_358, ")
        assert len(message) < 400
