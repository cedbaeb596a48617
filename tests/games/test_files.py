"""Games from a user's file: what is read, and what is refused, always with the file's name."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.games.random_matches import played, settings_of
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import DealCards, Profile, apply, load_game, new_match, random_deal, read_game, view
from tierce.solver.games.profile import CALLS, PHASES

Table = dict[str, Any]
Write = Callable[[str | bytes], Path]

GOOD: Final[Table] = {
    "id": "mine",
    "name": "My game",
    "hand": 16,
    "kitty": 4,
    "quotas": [8, 5, 3],
    "phases": ["DEAL", "EXCHANGE", "TRUMP", "DISCARD", "KITTY", "SHOW", "PLAY", "SCORE"],
    "score": "balance",
    "options": {"end": "twelve", "goal": 10},
}


def toml(table: Table) -> str:
    """A table as TOML."""
    lines = [f"{name} = {written(value)}" for name, value in table.items() if not isinstance(value, dict)]
    for name, value in table.items():
        if isinstance(value, dict):
            lines += [f"[{name}]", *(f"{key} = {written(each)}" for key, each in value.items())]
    return "\n".join(lines) + "\n"


def written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a game file and gives its path."""

    def to_file(content: str | bytes) -> Path:
        path = tmp_path / "mine.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to_file


def refused(path: Path, code: str, *words: str, options: Table | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        read_game(path, options)
    error = caught.value
    assert error.file == str(path) and str(error).startswith(f"{path}: expected ")
    assert error.code == code, error.message
    assert "found" in error.message and len(error.message) < 600
    assert all(word in error.message for word in words), error.message
    return error


def test_a_game_is_read(write: Write) -> None:
    profile = read_game(write(toml(GOOD)))
    assert (profile.id, profile.hand, profile.quotas) == ("mine", 16, (8, 5, 3))
    assert read_game(write(b"\xef\xbb\xbf" + toml(GOOD).encode())) == profile, "a byte order mark does no harm"
    assert read_game(str(write(toml(GOOD))), {"end": "sixteen"}).option("end") == "sixteen"
    assert profile.about == "" and profile.option("kitty_first") is False and profile.number("max_bleed") == 0


def test_the_package_s_games_are_such_files(write: Write) -> None:
    for name in ("raf", "deputy", "nine_five_two_swap", "nine_five_three_one_card", "uni_high_359"):
        game = load_game(name)
        table: Table = {
            each: getattr(game, each)
            for each in ("id", "name", "about", "hand", "kitty", "score", "kitty_trick", "both_ways")
        }
        table |= {each: list(getattr(game, each)) for each in ("quotas", "phases", "calls")}
        assert read_game(write(toml({**table, "options": dict(game.defaults)}))) == game


def test_a_shorter_pack(write: Write) -> None:
    table = {**GOOD, "ranks": 8, "hand": 10, "kitty": 2, "quotas": [5, 3, 2], "options": {"end": "total", "goal": 10}}
    profile = read_game(write(toml(table)))
    assert profile.pack.bit_count() == 32 and profile.removed == 0
    state = apply(new_match(profile), DealCards(random_deal(profile, 1)))
    assert state.hands[0] & ~profile.pack == 0 and view(state, 0).unseen == profile.pack & ~state.hands[0]
    d, e, m = state.hands
    low = Deal((d & d - 1 | 1, e, m), state.kitty)  # S2 in place of the dealer's lowest card
    with pytest.raises(InputError, match="expected cards of the 32-card pack, found S2"):
        apply(new_match(profile), DealCards(low))
    one_out = {
        **table,
        "hand": 9,
        "ranks": 7,
        "kitty": 0,
        "quotas": [4, 3, 2],
        "phases": ["DEAL", "TRUMP", "PLAY", "SCORE"],
    }
    one_out["options"] = {**table["options"], "removed_card": "S8"}
    profile = read_game(write(toml(one_out)))
    assert profile.removed == 1
    refused(write(toml(one_out)), "option", "the pack of 28", "S7", options={"removed_card": "S7"})


UNREADABLE: Final[tuple[str | bytes, ...]] = (
    b"",
    b"\xff\xfe\x00",
    "id = ",
    "id = raf",
    "[options",
    'id = "a"\nid = "b"\n',
    "a = " + "[" * 5000,
    "hand = " + "9" * 5000,
)


@pytest.mark.parametrize("content", UNREADABLE, ids=lambda each: repr(each)[:20])
def test_what_is_no_game(write: Write, content: str | bytes) -> None:
    path = write(content)
    with pytest.raises(InputError) as caught:
        read_game(path)
    assert caught.value.code in ("game_file", "game") and str(caught.value).startswith(f"{path}: expected ")


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "none.toml", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError) as caught:
            read_game(path)
        assert (caught.value.code, str(caught.value)) == ("game_file", f"{path}: {said}")


def test_what_is_said_of_files(write: Write) -> None:
    refused(write("id = "), "game_file", "expected a game in TOML, found text that is not valid TOML: ")
    refused(write(b"\xff"), "game_file", "expected a game in TOML, found bytes that are not UTF-8: ")
    refused(write(""), "game", "expected a game in TOML, found an empty file")


def test_other_rules_need_an_id_of_their_own(write: Write) -> None:
    refused(write(toml({**GOOD, "id": "raf"})), "game", "expected an id of its own", "found 'raf'")


def test_a_match_must_be_able_to_end(write: Write) -> None:
    short = {"ranks": 8, "hand": 10, "kitty": 2, "quotas": [5, 3, 2]}
    refused(write(toml({**GOOD, **short})), "option", "an end that 10 tricks can bring", "found end = twelve")
    total = {"end": "total", "goal": 10}
    assert read_game(write(toml({**GOOD, **short, "options": total}))).counted == 10
    refused(write(toml({**GOOD, **short, "options": total})), "option", "10 tricks", options={"end": "sixteen"})


def test_kitty_cards_are_shown_before_the_discard(write: Write) -> None:
    phases = ["DEAL", "EXCHANGE", "TRUMP", "KITTY", "DISCARD", "SHOW", "PLAY", "SCORE"]
    refused(write(toml({**GOOD, "phases": phases})), "game", "no DISCARD from KITTY to SHOW")


BROKEN: Final[tuple[tuple[Table, str], ...]] = (
    ({"quota": [8, 5, 3]}, "quota"),
    ({"x" * 300: 1}, "xxx"),
    ({"id": 5}, "text in 'id'"),
    ({"id": ""}, "an id of letters"),
    ({"id": "a b"}, "an id of letters"),
    ({"id": "ä"}, "an id of letters"),
    ({"hand": "16"}, "a whole number in 'hand'"),
    ({"hand": True}, "a whole number in 'hand'"),
    ({"hand": 16.0}, "a whole number in 'hand'"),
    ({"hand": 0}, "found 13, 0 and 4"),
    ({"hand": -1}, "found 13, -1 and 4"),
    ({"hand": 17}, "52 cards of the pack"),
    ({"hand": 15}, "52 cards of the pack"),
    ({"kitty": -4}, "a kitty of 0 or more"),
    ({"kitty": 3}, "52 cards of the pack"),
    ({"ranks": 0}, "1 to 13 ranks"),
    ({"ranks": 14}, "1 to 13 ranks"),
    ({"ranks": True}, "a whole number in 'ranks'"),
    ({"quotas": [8, 5]}, "three whole numbers"),
    ({"quotas": [8, 5, 3, 0]}, "three whole numbers"),
    ({"quotas": ["8", 5, 3]}, "three whole numbers"),
    ({"quotas": [True, 12, 3]}, "three whole numbers"),
    ({"quotas": [8, 5, 4]}, "sum to the 16 tricks"),
    ({"quotas": [9, 9, -2]}, "none below 0"),
    ({"quotas": 16}, "a list in 'quotas'"),
    ({"score": "money"}, "'balance' or 'total'"),
    ({"score": True}, "text in 'score'"),
    ({"kitty_trick": 1}, "true or false in 'kitty_trick'"),
    ({"kitty_trick": True}, "sum to the 17 tricks"),
    ({"kitty_trick": True, "quotas": [0, 9, 8]}, "a dealer's quota above 0"),
    ({"both_ways": "yes"}, "true or false in 'both_ways'"),
    ({"calls": "S"}, "a list in 'calls'"),
    ({"calls": ["S"]}, "where there is a phase CALL"),
    ({"options": []}, "a table in 'options'"),
    ({"phases": "DEAL PLAY SCORE"}, "a list in 'phases'"),
)


@pytest.mark.parametrize(("change", "expected"), BROKEN, ids=lambda each: str(each)[:40])
def test_fields_refused(write: Write, change: Table, expected: str) -> None:
    error = refused(write(toml({**GOOD, **change})), "game", expected)
    assert error.field


@pytest.mark.parametrize("name", ["hand", "kitty"])
def test_numbers_of_thousands_of_digits(write: Write, name: str) -> None:
    text = toml(GOOD).replace(f"{name} = {GOOD[name]}", f"{name} = 0x{'f' * 5000}")
    refused(write(text), "game", "something of type int")
    refused(write(toml(GOOD).replace("[8, ", f"[0x{'f' * 5000}, ")), "game", "quotas")
    refused(write(toml(GOOD).replace("goal = 10", f"goal = 0x{'f' * 5000}")), "option", "goal")


@pytest.mark.parametrize("name", [name for name in GOOD if name != "options"])
def test_fields_missed(write: Write, name: str) -> None:
    refused(write(toml({key: value for key, value in GOOD.items() if key != name})), "game", repr(name))


PHASES_REFUSED: Final = (
    # phases, what is said
    ("", "begin with DEAL"),
    ("DEAL", "begin with DEAL"),
    ("TRUMP PLAY SCORE", "begin with DEAL"),
    ("DEAL TRUMP SCORE PLAY", "end with PLAY SCORE"),
    ("DEAL TRUMP PLAY", "end with PLAY SCORE"),
    ("DEAL BID TRUMP PLAY SCORE", "phases among DEAL CALL"),
    ("DEAL TRUMP LUNCH PLAY SCORE", "phases among DEAL CALL"),
    ("DEAL TRUMP TRUMP PLAY SCORE", "each once"),
    ("DEAL PLAY SCORE", "a phase TRUMP or CALL"),
    ("DEAL CALL TRUMP PLAY SCORE", "only one of the phases TRUMP and CALL"),
    ("DEAL EXCHANGE SEND TRUMP RETURN PLAY SCORE", "only one of the phases EXCHANGE and SEND"),
    ("DEAL EXCHANGE TRUMP SWAP KITTY DISCARD PLAY SCORE", "only one of the phases SWAP and KITTY"),
    ("DEAL SEND TRUMP PLAY SCORE", "both phases SEND and RETURN"),
    ("DEAL RETURN TRUMP PLAY SCORE", "both phases SEND and RETURN"),
    ("DEAL TRUMP KITTY PLAY SCORE", "both phases KITTY and DISCARD"),
    ("DEAL TRUMP DISCARD PLAY SCORE", "both phases KITTY and DISCARD"),
    ("DEAL RETURN TRUMP SEND PLAY SCORE", "SEND before RETURN"),
    ("DEAL SEND DISCARD TRUMP RETURN KITTY PLAY SCORE", "no KITTY or DISCARD from SEND to RETURN"),
    ("DEAL DISCARD SEND TRUMP KITTY RETURN PLAY SCORE", "no KITTY or DISCARD from SEND to RETURN"),
    ("DEAL TRUMP DISCARD EXCHANGE KITTY PLAY SCORE", "no EXCHANGE or SEND from DISCARD to KITTY"),
    ("DEAL TRUMP DISCARD SEND RETURN KITTY PLAY SCORE", "no EXCHANGE or SEND from DISCARD to KITTY"),
    ("DEAL TRUMP DISCARD KITTY SHOW PLAY SCORE", "EXCHANGE and KITTY before SHOW"),
    ("DEAL EXCHANGE TRUMP SHOW DISCARD KITTY PLAY SCORE", "EXCHANGE and KITTY before SHOW"),
    ("DEAL TRUMP DISCARD KITTY EXCHANGE SHOW PLAY SCORE", "EXCHANGE and KITTY before SHOW"),
    ("DEAL EXCHANGE TRUMP SWAP PLAY SCORE", "of one card of a whole pack for SWAP"),
    ("DEAL SWAP EXCHANGE TRUMP PLAY SCORE", "EXCHANGE and TRUMP before SWAP"),
)


@pytest.mark.parametrize(("phases", "expected"), PHASES_REFUSED)
def test_phases_refused(write: Write, phases: str, expected: str) -> None:
    refused(write(toml({**GOOD, "phases": phases.split()})), "game", expected)


def test_a_kitty_to_take_must_be_there(write: Write) -> None:
    table = {**GOOD, "hand": 17, "kitty": 0, "quotas": [8, 6, 3]}
    refused(write(toml(table)), "game", "a kitty of at most a hand for KITTY", "found 0")
    table = {**GOOD, "ranks": 3, "hand": 2, "kitty": 6, "quotas": [1, 1, 0]}
    refused(write(toml(table)), "game", "a kitty of at most a hand for KITTY", "found 6")


CALLING: Final[Table] = {
    **GOOD,
    "phases": ["DEAL", "CALL", "DISCARD", "KITTY", "PLAY", "SCORE"],
    "calls": ["S", "N", "MIZ"],
    "options": {"end": "deals", "goal": 9},
}


def test_calls(write: Write) -> None:
    assert read_game(write(toml(CALLING))).calls == ("S", "N", "MIZ")
    for calls in ([], ["S", "S"], ["X"], ["s"], [5]):
        refused(write(toml({**CALLING, "calls": calls})), "game", "calls among S H D C N MIZ, each once")
    refused(write(toml({**CALLING, "options": {"end": "twelve", "goal": 9}})), "option", "goal of at most 9")
    refused(write(toml({**CALLING, "options": {"end": "deals", "goal": 10}})), "option", "goal of at most 9")
    short = {**CALLING, "ranks": 8, "hand": 10, "kitty": 2, "quotas": [5, 3, 2]}
    refused(write(toml(short)), "option", "in MIZ that sum to 10", "(3, 5, 8)")
    caps = {"end": "deals", "goal": 9, "miz_caps": "quota"}
    assert read_game(write(toml({**short, "options": caps}))).caps() == (5, 3, 2)


OPTIONS_REFUSED: Final[tuple[tuple[Table, str, str], ...]] = (
    ({"end": "never"}, "option", "end = twelve"),
    ({"colour": "red"}, "option", "an option (exchange"),
    ({"max_bleed": "many"}, "option", "max_bleed = a whole number"),
    ({"kitty_first": 3}, "option", "kitty_first = true or false"),
    ({"swap_time": "after_deal"}, "game", "SWAP beside the option 'swap_time'"),
    ({"miz_caps": "quota"}, "game", "CALL beside the option 'miz_caps'"),
    ({"split_return_order": "lowest_quota"}, "game", "RETURN beside"),
    ({"bleed_scope": "sender"}, "game", "max_bleed beside"),
    ({"all_pass": "same_dealer"}, "game", "first_deal_auction beside"),
    ({"count_kitty_trick_for_win": True}, "game", "kitty trick beside"),
    ({"removed_card": "S2"}, "game", "card out of the pack beside"),
)


@pytest.mark.parametrize(("change", "code", "expected"), OPTIONS_REFUSED, ids=lambda each: str(each)[:40])
def test_options_refused(write: Write, change: Table, code: str, expected: str) -> None:
    refused(write(toml({**GOOD, "options": {**GOOD["options"], **change}})), code, expected)


def test_an_end_is_needed(write: Write) -> None:
    for options in ({}, {"end": "twelve"}, {"goal": 10}):
        refused(write(toml({**GOOD, "options": options})), "game", "the options 'end' and 'goal'")


def test_an_auction_is_for_sixteen_tricks(write: Write) -> None:
    options = {"end": "twelve", "goal": 10, "first_deal_auction": True}
    assert read_game(write(toml({**GOOD, "options": options}))).steps(first=True)[1] == "BID"
    counted = {**GOOD, "kitty_trick": True, "quotas": [9, 5, 3], "options": options}
    refused(write(toml(counted)), "game", "16 tricks beside the option 'first_deal_auction'")


def test_options_given_beside_a_file(write: Write) -> None:
    refused(write(toml(GOOD)), "option", "an option of mine (end, goal)", options={"return_rule": "own_top_n"})


# ---- whatever is read can be played ----------------------------------------------------------------------------------


SIZES: Final = (  # ranks, cards each, kitty
    (13, 16, 4), (13, 17, 1), (13, 17, 0), (8, 10, 2), (7, 9, 1), (7, 9, 0), (6, 7, 3), (4, 4, 4), (3, 2, 6), (1, 1, 1),
)  # fmt: skip


def any_table(rng: random.Random) -> Table:
    """Some game, sensible or not: phases at random, mostly in a usual order."""
    usual = rng.choice(("TRUMP ", "CALL ")) + rng.choice(("", "EXCHANGE ", "SEND RETURN "))
    usual += "".join(each for each in ("KITTY DISCARD ", "SHOW ", "SWAP ") if rng.random() < 0.4)
    middle = [phase for phase in PHASES[1:-2] if phase in usual.split() or rng.random() < 0.03]
    if rng.random() < 0.5:
        rng.shuffle(middle)
    ranks, hand, kitty = rng.choice(
        ((13, 16, 4), (13, 17, 1), (13, 17, 0), (8, 10, 2), (7, 9, 0), (6, 7, 3), (4, 4, 4), (1, 1, 1))
    )
    counted = hand + (trick := rng.random() < 0.2)
    one = rng.randint(0, counted)
    two = rng.randint(0, counted - one)
    options: Table = {"end": rng.choice(("twelve", "total", "deals", "quota_plus_5")), "goal": rng.randint(1, 6)}
    for name, value in (
        ("kitty_first", True),
        ("return_rule", "own_top_n"),
        ("swap_time", rng.choice(("after_deal", "after_exchange", "after_trump"))),
        ("exchange", rng.random() < 0.5),
        ("first_deal_auction", True),
        ("miz_caps", "quota"),
        ("show_threshold", "highest_returned"),
        ("split_return_order", "lowest_quota"),
        ("max_bleed", 2),
        ("removed_card", rng.choice(("S2", "SA", "random_hidden"))),
    ):
        if rng.random() < 0.07:
            options[name] = value
    calls = rng.sample(CALLS, rng.randint(1, 6)) if "CALL" in middle else []
    return {
        "id": "any",
        "name": "Any",
        "ranks": ranks,
        "hand": hand,
        "kitty": kitty,
        "quotas": [one, two, counted - one - two],
        "phases": ["DEAL", *middle, "PLAY", "SCORE"],
        "score": "total",
        "kitty_trick": trick,
        "both_ways": rng.random() < 0.3,
        "calls": calls,
        "options": options,
    }


def playable(write: Write, seeds: range) -> int:
    """Reads random games and plays those that are accepted; how many were."""
    count = 0
    for seed in seeds:
        rng = random.Random(f"game {seed}")
        path = write(toml(any_table(rng)))
        try:
            profile = read_game(path)
        except InputError as error:
            assert error.file == str(path) and error.code in ("game", "option")
            continue
        count += 1
        play(rng, profile)
    return count


def play(rng: random.Random, profile: Profile) -> None:
    """A match without an error, its balances summing to 0, no card lost."""
    assert new_match(profile).phase == "DEAL"
    for state, action, after in played(rng, profile, 4):
        assert state.phase != after.phase or state != after, action
        for result in after.results:
            assert sum(result.balances) == 0 and sum(result.quotas) == sum(result.tricks) == profile.counted


def test_any_game_that_is_accepted_can_be_played(write: Write) -> None:
    assert playable(write, range(1500)) > 60


def test_the_package_s_games_with_any_options_can_be_played() -> None:
    for seed in range(60):
        rng = random.Random(f"options {seed}")
        play(rng, settings_of(rng))


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(5))
def test_any_of_many_games_that_is_accepted_can_be_played(write: Write, piece: int) -> None:
    assert playable(write, range(1500 + 2000 * piece, 3500 + 2000 * piece)) > 80
