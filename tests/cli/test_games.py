"""`tierce games` and `tierce deal`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.support import run
from tierce.solver.deal import Deal
from tierce.solver.games import game_names, load_game
from tierce.solver.games.options import OPTIONS


def test_the_list_has_every_game() -> None:
    ran = run("games")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == [*game_names(), "sumgait"]


@pytest.mark.parametrize("name", game_names())
def test_one_game_fits_the_screen_and_has_all_its_options(name: str) -> None:
    ran = run("games", name)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    for option in load_game(name).options:
        assert f" {option} " in ran.out
        assert OPTIONS[option].meaning.split()[0] in ran.out


def test_json_of_one_and_of_all() -> None:
    one = json.loads(run("games", "woburn", "--json").out)
    assert one["quotas"] == {"D": 8, "E": 5, "M": 3}
    assert one["phases"]["first"][:2] == ["DEAL", "BID"]
    assert one["options"]["max_bleed"]["value"] == 3
    options = one["options"]
    assert options["max_bleed"]["values"] == {"min": 0, "max": 8}
    assert options["kitty_first"]["values"] == [False, True]
    assert options["end"]["values"][0] == "twelve"
    deputy = json.loads(run("games", "deputy", "--json").out)["options"]
    assert deputy["end"]["values"] == ["deals"]
    swap = json.loads(run("games", "nine_five_three_no_kitty", "--json").out)["options"]["removed_card"]
    assert (swap["values"], swap["card"]) == (["random_hidden"], True)
    assert [json.loads(line)["id"] for line in run("games", "--json").out.splitlines()] == [*game_names(), "sumgait"]


def test_an_option_changes_what_is_shown() -> None:
    out = run("games", "wiki_358", "--option", "kitty_first=true", "--option", "end=sixteen").out
    assert out.index("takes the kitty") < out.index("the dealer discards")
    assert "16 tricks in one deal" in out
    assert "* kitty_first" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["games", "rafe"], 2, "error: expected a game (raf, "),
        (["games", "raf", "--game", "raf"], 2, "error: expected one game, found two"),
        (["deal", "--game", "rafe"], 2, "error: expected a game (raf, "),
        (["games", "raf", "--option", "end"], 2, "error: expected --option NAME=VALUE, found 'end'"),
        (["games", "raf", "--option", "end=soon"], 2, "error: expected end = twelve | "),
        (["games", "raf", "--option", "goal=5"], 2, "error: expected no goal with end = twelve"),
        (["games", "raf", "--option", "swap_time=now"], 2, "error: expected an option of raf ("),
        (["games", "raf", "--option", "end=total", "--option", "end=total"], 2, "error: expected each option once"),
        (["games", "--game-file", "/nowhere.toml"], 65, "error: /nowhere.toml: No such file or directory\n"),
        (["games", "--game-file", ""], 2, "error: invalid value for '--game-file': expected the name of a file"),
        (["deal", "--game-file", "-"], 2, "error: expected the name of a file with --game-file, found '-'"),
        (["deal", "--game", "raf", "--game-file", "x.toml"], 2, "error: expected either --game or --game-file"),
        (["deal", "--seed", "-1"], 2, "error: invalid value for '--seed'"),
        (["deal", "--count", "0"], 2, "error: invalid value for '--count'"),
    ],
)
def test_faults(arguments: list[str], code: int, message: str) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(message)


def test_deals_are_pinned() -> None:
    """The generator is part of the promise: these deals must never change."""
    assert run("deal", "--game", "raf", "--seed", "7", "--count", "2").out.splitlines() == [
        "D:AT94.QT8.A97.A96432 J865.AK93.T6542.QJ5 Q732.76542.KQ83.KT7 / K.J.J.8",
        "D:KJT53.K974.K42.KQ87 AQ9764.A632.Q.JT643 2.QJT5.JT87653.A952 / 8.8.A9.",
    ]


@pytest.mark.parametrize("name", game_names())
def test_deals_fit_their_game(name: str) -> None:
    profile = load_game(name)
    for line in run("deal", "--game", name, "--seed", "1", "--count", "20").out.splitlines():
        text = line.partition(" --")[0]  # behind it a dealer and a turned card
        deal = Deal.parse(text)
        assert str(deal) == text
        assert (deal.size, deal.kitty.bit_count()) == (profile.hand, profile.kitty + profile.removed)
        assert deal.cards.bit_count() == 52


def test_deals_as_json_have_an_id_each() -> None:
    rows = [json.loads(line) for line in run("deal", "--seed", "7", "--count", "3", "--json").out.splitlines()]
    assert [row["id"] for row in rows] == ["raf-7-0", "raf-7-1", "raf-7-2"]
    assert [row["deal"] for row in rows] == run("deal", "--seed", "7", "--count", "3").out.splitlines()


def test_without_a_seed_the_seed_is_told() -> None:
    ran = run("deal")
    seed = ran.err.removeprefix("seed ").strip()
    assert run("deal", "--seed", seed).out == ran.out


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text(
        'id = "short"\nname = "Short"\nranks = 5\nhand = 6\nkitty = 2\nquotas = [3, 2, 1]\n'
        'phases = ["DEAL", "TRUMP", "DISCARD", "KITTY", "PLAY", "SCORE"]\nscore = "total"\n'
        '[options]\nend = "total"\ngoal = 4\ngoal_tie = "higher"\n'
    )
    assert "when a total reaches +4 the highest wins" in run("games", "--game-file", str(path)).out
    deal = Deal.parse(run("deal", "--game-file", str(path), "--seed", "1").out.strip())
    assert (deal.size, deal.kitty.bit_count()) == (6, 2)


def test_the_content_of_a_game_file_is_data(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('id = "mine"\n')
    ran = run("games", "--game-file", str(path))
    assert (ran.code, ran.out) == (65, "")
    assert ran.err.startswith(f"error: {path}: expected a field 'name'")
    path.write_text(TWENTY)
    assert run("games", "--game-file", str(path), "--option", "goal=0").code == 2


TWENTY = (
    'id = "mine"\nname = "My\\ngame"\nhand = 16\nkitty = 4\nquotas = [8, 5, 3]\nscore = "total"\n'
    'phases = ["DEAL", "TRUMP", "DISCARD", "KITTY", "PLAY", "SCORE"]\n[options]\nend = "total"\ngoal = 20\n'
)


def test_a_name_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TWENTY)
    assert run("games", "--game-file", str(path)).out.startswith("My game (mine)\n")


def test_an_option_alone_is_one_of_the_usual_game() -> None:
    assert run("games", "--option", "end=sixteen") == run("games", "raf", "--option", "end=sixteen")


def test_options_without_effect_are_marked() -> None:
    note = "(no effect now: the match does not end at a goal)"
    text = " ".join(run("games", "raf").out.split())
    assert text.count(note) == 2
    assert note not in " ".join(run("games", "raf", "--option", "end=total").out.split())
    assert "(no effect now: there is no auction)" in " ".join(run("games", "wiki_358").out.split())
    assert "what ends the match [deals]" in run("games", "deputy").out
    options = json.loads(run("games", "raf", "--json").out)["options"]
    assert options["goal"]["no_effect"] == "the match does not end at a goal"
    assert options["end"]["no_effect"] is None
