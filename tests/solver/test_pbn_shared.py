"""What the games of a PBN file take from each other: "##" and "#" mean what they say and cost what the file is long."""

from __future__ import annotations

import copy
import pickle
import time
import tracemalloc
from collections.abc import Callable

import pytest

from tierce.solver.pbn import PbnGame, read_pbn, write_pbn

DEAL = '[Deal "N:A... K... Q... J..."]\n'
GAME = f'[Board "1"]\n{DEAL}\n'


def many_tags(size: int) -> str:
    return "".join(f'[T{number} "##x"]\n' for number in range(size)) + "\n" + GAME * size


def new_tags(size: int) -> str:
    return "".join(f'[Event "x"]\n{DEAL}[T{number} "##{number}"]\n' for number in range(size))


def long_value(size: int) -> str:
    return f'[Event "##x"]\n[Game "##{" x " * min(5_000, size)}"]\n\n' + GAME * size


def long_play(size: int) -> str:
    again = '[Event "x"][Deal "#"][Declarer "#"][Play "#"]\n'
    return f'[Event "x"]\n{DEAL}[Declarer "N"]\n[Play "E"]\n' + "$1\n" * (10 * size) + again * size


def long_table(size: int) -> str:
    again = '[Event "x"][Deal "#"][OptimumResultTable "#"]\n'
    return f'[Event "x"]\n{DEAL}[OptimumResultTable ""]\n' + "N S 1\n" * (10 * size) + again * size


@pytest.mark.parametrize("make", [many_tags, new_tags, long_value, long_play, long_table])
def test_memory_is_linear_in_the_file(make: Callable[[int], str]) -> None:
    """Twice the file, about twice the memory, and not much of it: copies would be a hundred times the file."""
    peaks = []
    for size in (500, 1000):
        text = make(size)
        tracemalloc.start()
        games = read_pbn(text)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(games) >= size
    assert peaks[1] < 2.5 * peaks[0]
    assert peaks[1] < 5_000_000


def test_games_that_take_over_a_thousand_tags_are_read_soon() -> None:
    """A quarter of a second; copies took more than ten."""
    text = many_tags(3_000)
    began = time.process_time()
    games = read_pbn(text)
    assert time.process_time() - began < 3
    assert len(games) == 3_000
    assert games[-1].tags["T2999"] == "x"
    assert "T3000" not in games[-1].tags
    assert len(games[-1].tags) == 3_002


HEADER = '[Event "##A"]\n[SITE "##Bath"]\n[Undealt "##S2"]\n\n'


def game_of(text: str) -> PbnGame:
    (found,) = read_pbn(HEADER + text)
    return found


def test_what_is_taken_over_is_among_the_tags() -> None:
    found = game_of(f'[Board "3"]\n{DEAL}')
    whole = {"Board": "3", "Deal": "N:A... K... Q... J...", "Event": "A", "Site": "Bath", "Undealt": "S2"}
    assert found.tags == whole
    assert dict(found.tags) == whole
    assert len(found.tags) == 5
    assert repr(whole["Site"]) in repr(found.tags)
    assert ("Site" in found.tags, "SITE" in found.tags, "site" in found.tags) == (True, False, False)
    assert found.tags.get("Room") is None
    with pytest.raises(KeyError):
        found.tags["Room"]
    assert found.lines == {"Board": 5, "Deal": 6}


def test_a_tag_of_its_own_comes_first() -> None:
    found = game_of(f'[site "Ely"]\n{DEAL}')
    assert found.tags["Site"] == "Ely"
    assert list(found.tags).count("Site") == 1


def test_a_game_may_be_changed_and_leaves_the_others_alone() -> None:
    first, second = read_pbn(HEADER + GAME + GAME)
    first.tags["Site"] = "Ely"
    assert (first.tags["Site"], second.tags["Site"]) == ("Ely", "Bath")


def test_later_values_hold_for_later_games_only() -> None:
    games = read_pbn(HEADER + GAME + f'[Site "Ely"]\n{GAME}' + GAME + f'[Site "##York"]\n{GAME}' + GAME)
    assert [game.tags["Site"] for game in games] == ["Bath", "Ely", "Ely", "York", "York"]


def test_such_games_are_values_too() -> None:
    games = read_pbn(HEADER + GAME + f'[Site "Ely"]\n{GAME}')
    assert copy.deepcopy(games) == pickle.loads(pickle.dumps(games)) == games
    assert [game.tags for game in read_pbn(write_pbn(games))] == [game.tags for game in games]


def test_games_have_tables_of_their_own() -> None:
    first, second = read_pbn(
        f'[Event "x"]\n{DEAL}[OptimumResultTable ""]\nN S 1\n[Event "x"][Deal "#"][OptimumResultTable "#"]'
    )
    assert first.table == second.table == {"S": {"N": 1}}
    assert first.table is not None
    first.table["S"]["N"] = 0
    assert second.table == {"S": {"N": 1}}


def test_values_too_long_to_mean_anything_are_refused() -> None:
    found = game_of(f'[Contract "{"4" * 1001}"]\n{DEAL}')
    assert found.contract is None
    problem = found.problems[0]
    assert (problem.code, problem.field, problem.line) == ("too_long", "Contract", 5)
    assert problem.message.startswith("[Contract] expected at most 1000 characters, found 1001: '444")
