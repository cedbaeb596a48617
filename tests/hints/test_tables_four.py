"""Tables of four seats: who sits where, that the same cards come to all, and that units sum to nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tierce.cli.play_text import show
from tierce.solver.errors import InputError
from tierce.solver.games import deal_by_lot, load_game, replay
from tierce.solver.hints.table_crew import run_table
from tierce.solver.hints.table_games import Game
from tierce.solver.hints.table_results import summary_of
from tierce.solver.hints.tables import Table

SOLO = load_game("solo_whist")


def table(*bots: str, **more: Any) -> Table:
    return Table(SOLO, bots, **({"deals": 3} | more if "matches" not in more else more))


def games_of(found: Table, threads: int = 1) -> list[Game]:
    return sorted(run_table(found, threads=threads, records=True), key=lambda game: game.number)


def untimed(games: list[Game]) -> list[Game]:
    return [replace(game, times=tuple(replace(each, total=0.0, longest=0.0) for each in game.times)) for game in games]


# ---- seats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", [("a", "b"), ("a", "b", "a", "b")])
def test_two_pairs_change_over(bots: tuple[str, ...]) -> None:
    found = table(*bots)
    assert (found.names, found.seatings, found.games) == (("a", "b"), ((0, 1, 0, 1), (1, 0, 1, 0)), 6)


def test_all_others_move_round() -> None:
    assert table("a", "b", "b", "b").seatings == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert table("a", "b", "c", "d").seatings[1] == (3, 0, 1, 2)
    assert table("a", "a").seatings == ((0, 0, 0, 0),)
    found = table("a", "b", matches=3)
    assert [found.place(match) for match in range(3)] == [(0, (0, 1, 0, 1)), (1, (1, 0, 1, 0)), (2, (0, 1, 0, 1))]


@pytest.mark.parametrize(
    ("bots", "more", "field"),
    [
        (("a",), {}, "bots"),
        (("a", "b", "c"), {}, "bots"),
        (("a", "b"), {"instead": ("c",)}, "instead"),
        (("a", "b"), {"previous": (10, 4, 2)}, "previous"),
    ],
)
def test_refusals(bots: tuple[str, ...], more: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        table(*bots, **more)
    assert caught.value.field == field


# ---- games -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> tuple[Table, list[Game]]:
    found = table("simple", "random", deals=12)
    return found, games_of(found)


def test_units_sum_to_nothing(played: tuple[Table, list[Game]]) -> None:
    found, games = played
    assert len(games) == 24
    for game in games:
        assert game.fault is None
        assert all(sum(result.balances) == 0 for result in game.results)
    summary = summary_of(found, games, [None, None])
    for seats in ("NS", "EW"):
        one = next(row for row in summary.units if row.bot == "simple" and row.seats == seats)
        other = next(row for row in summary.units if row.bot == "random" and row.seats not in (seats, ""))
        assert one.units.value == -other.units.value
    simple, random = (next(row for row in summary.units if row.bot == bot and not row.seats) for bot in found.names)
    assert simple.units.value == -random.units.value > 0
    assert simple.apart
    assert simple.units.value == pytest.approx(
        sum(game.results[0].balances[seat] for game in games for seat in range(4) if game.seating[seat] == 0) / 24
    )


def test_the_same_cards_come_to_both(played: tuple[Table, list[Game]]) -> None:
    _, games = played
    for number, game in enumerate(games):
        deal = number // 2
        expected = deal_by_lot(SOLO, 1, deal, deal % 4)
        assert (game.deals[0].deal, game.deals[0].turned) == (expected.deal, expected.turned)
        assert game.results[0].dealer == deal % 4


def test_records_are_replayed(played: tuple[Table, list[Game]]) -> None:
    found, games = played
    for game in games:
        record = game.record(found.profile, found.names)
        assert record.players == tuple(found.names[each] for each in game.seating)
        again = replay(record)
        assert not again.discrepancies
        assert again.deals[0].result == game.results[0]


def test_seeds_repeat_on_any_number_of_processes(played: tuple[Table, list[Game]]) -> None:
    found, games = played
    assert untimed(games_of(found, threads=2)) == untimed(games)
    assert untimed(games_of(replace(found, seed=2))) != untimed(games)


def test_a_hint_with_worlds_repeats() -> None:
    found = table("hint", "simple", deals=1, worlds=2)
    once = games_of(found)
    assert untimed(once) == untimed(games_of(found))
    assert all(game.fault is None for game in once)


def test_matches_are_eight_deals() -> None:
    found = table("simple", "random", matches=2)
    games = games_of(found)
    assert [len(game.results) for game in games] == [8, 8]
    assert all(game.won for game in games)
    assert [each.dealer for each in games[0].results] == [0, 1, 2, 3] * 2
    for game in games:
        assert not replay(game.record(found.profile, found.names)).discrepancies
    rows = summary_of(found, games, [None, None]).matches
    assert [row.bot for row in rows] == ["simple", "random"]
    assert rows[0].balance == pytest.approx(-rows[1].balance)


def test_what_is_told(played: tuple[Table, list[Game]], capsys: pytest.CaptureFixture[str]) -> None:
    found, games = played
    show(summary_of(found, games, [None, None]), None)
    out = capsys.readouterr().out
    assert "units a deal, clear of 0." in out
    assert "Each deal is played once for each way the bots move round." in out
    assert all(len(line) <= 80 for line in out.splitlines())
    json = summary_of(found, games, [None, None]).json()
    assert json["rows"][0]["seats"] == "NS"
    assert sum(row["declared"] for row in json["contracts"]) >= 20
