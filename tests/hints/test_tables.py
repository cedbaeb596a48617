"""Tables: who sits where, what came before a deal, and games that are played by the rules, the same on any number of
processes."""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from dataclasses import replace
from typing import Any, Final

import pytest

from tests.games.random_matches import settings_of
from tierce.solver.errors import InputError
from tierce.solver.games import game_names, load_game, next_exchange, random_deal, replay
from tierce.solver.games.options import Value
from tierce.solver.hints import table_games
from tierce.solver.hints.table_crew import run_table
from tierce.solver.hints.table_games import Fault, Game, play_game, seated_bots
from tierce.solver.hints.tables import AGAIN, SPAN, Table

RAF = load_game("raf")
HERE = "tests.hints.players:"
LOWEST, HIGHEST = f"{HERE}lowest", f"{HERE}highest"
NO_EXCHANGE: Final[dict[str, Value]] = {"exchange": False}
SHORT: Final[dict[str, Value]] = {"end": "quota_plus_5"}  # matches of some five deals


def table(*bots: str, game: str = "raf", options: dict[str, Value] | None = None, **more: Any) -> Table:
    given: dict[str, Any] = {"deals": 2} if "matches" not in more else {}
    a, b, c = bots or ("random", "random", "random")
    return Table(load_game(game, options or {}), (a, b, c), **(given | more))


def games_of(found: Table, threads: int = 1) -> list[Game]:
    return sorted(run_table(found, threads=threads, records=True), key=lambda game: game.number)


def untimed(games: list[Game]) -> list[Game]:
    """The games without what no two runs have in common."""
    zero = tuple(replace(each, total=0.0, longest=0.0) for game in games for each in game.times)
    return [replace(game, times=(zero[3 * at], zero[3 * at + 1], zero[3 * at + 2])) for at, game in enumerate(games)]


# ---- seats -----------------------------------------------------------------------------------------------------------


def test_one_under_study() -> None:
    found = table("a", "r", "r")
    assert (found.names, found.reference) == (("a", "r"), "r")
    assert found.seatings == ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1))
    assert found.cells == {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 0): 3, (1, 1): 3, (1, 2): 3}
    assert found.games == 8
    assert [found.place(number) for number in (0, 3, 4, 7)] == [
        (0, (0, 1, 1)), (0, (1, 1, 1)), (1, (0, 1, 1)), (1, (1, 1, 1)),
    ]  # fmt: skip


@pytest.mark.parametrize("bots", [("r", "a", "r"), ("r", "r", "a")])
def test_the_odd_one_is_under_study_wherever_it_stands(bots: tuple[str, str, str]) -> None:
    assert table(*bots).names == ("a", "r")


def test_others_instead() -> None:
    found = table("a", "r", "r", instead=("b", "r"))
    assert found.names == ("a", "b", "r")
    assert found.seatings == ((0, 2, 2), (2, 0, 2), (2, 2, 0), (1, 2, 2), (2, 1, 2), (2, 2, 1), (2, 2, 2))
    without = table("a", "r", "r", instead=("b",))
    assert without.names == ("a", "b", "r")
    assert without.seatings == found.seatings[:6]
    assert {name for name, _ in without.cells} == {0, 1}


def test_three_move_round() -> None:
    found = table("a", "b", "c")
    assert found.reference is None
    assert sorted(found.cells) == [(name, seat) for name in range(3) for seat in range(3)]
    for (name, seat), game in found.cells.items():
        assert found.seatings[game][seat] == name
    assert all(sorted(seating) == [0, 1, 2] for seating in found.seatings)


def test_one_bot_alone() -> None:
    found = table("a", "a", "a")
    assert (found.names, found.seatings, found.games) == (("a",), ((0, 0, 0),), 2)
    other = table("a", "a", "a", instead=("b",))
    assert other.seatings == ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def test_matches_move_round() -> None:
    found = table("a", "r", "r", matches=7)
    assert (found.names, found.games) == (("a", "r", "r"), 7)
    seats = Counter(found.place(match)[1].index(0) for match in range(6))
    assert seats == {0: 2, 1: 2, 2: 2}
    assert [found.place(match)[0] for match in range(7)] == list(range(7))


@pytest.mark.parametrize(
    ("bots", "more", "field"),
    [
        (("a", "b", "c"), {"instead": ("d",)}, "instead"),
        (("a", "r", "r"), {"instead": ("a",)}, "instead"),
        (("a", "r", "r"), {"instead": ("b", "b")}, "instead"),
        (("a", "r", "r"), {"instead": ("b",), "matches": 3}, "instead"),
        (("a", "r", "r"), {"deals": 0}, "deals"),
        (("a", "r", "r"), {"deals": True}, "deals"),
        (("a", "r", "r"), {"deals": None}, "deals"),
        (("a", "r", "r"), {"deals": 3, "matches": 3}, "deals"),
        (("a", "r", "r"), {"matches": 0}, "matches"),
        (("a", "r", "r"), {"seed": -1}, "seed"),
        (("a", "r", "r"), {"worlds": 0}, "worlds"),
        (("a", "r", "r"), {"worlds": 3, "seconds": 0.1}, "worlds"),
        (("a", "r", "r"), {"seconds": 0}, "seconds"),
        (("a", "r", "r"), {"seconds": float("nan")}, "seconds"),
        (("a", "r", "r"), {"seconds": 1e9}, "seconds"),
        (("a", "r", "r"), {"previous": "some"}, "previous"),
        (("a", "r", "r"), {"previous": (10, 4)}, "previous"),
        (("a", "r", "r"), {"previous": (10, 4, 3)}, "previous"),
        (("a", "r", "r"), {"previous": (8, 5, 3)}, "previous"),
        (("a", "r", "r"), {"previous": (12, 3, 1)}, "previous"),
        (("a", "r", "r"), {"previous": (10, 4, 2), "matches": 3}, "previous"),
        (("a", "r", "r"), {"previous": (10, 4, 2), "game": "deputy"}, "previous"),
        (
            ("a", "r", "r"),
            {"previous": (9, 5, 3), "game": "six_three_eight", "options": {"exchange": False}},
            "previous",
        ),
    ],
)
def test_refused(bots: tuple[str, str, str], more: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        table(*bots, **more)
    assert caught.value.field == field
    assert "expected" in caught.value.message


def test_bots_are_counted() -> None:
    with pytest.raises(InputError, match="expected three bots, found 2"):
        Table(RAF, ("a", "b"), deals=1)


# ---- what came before ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_names(3))
def test_results_are_drawn(game: str) -> None:
    found = table(game=game, previous="drawn", seed=9)
    starts = [found.begin(deal) for deal in range(60)]
    assert starts == [found.begin(deal) for deal in range(60)]
    if game == "deputy":
        assert not any(start.results for start in starts)
        return
    for start in starts:
        (last,) = start.results
        assert (start.dealer, start.phase, start.won) == (0, "DEAL", ())
        assert sum(last.tricks) == sum(last.quotas) == start.profile.counted
        assert sum(map(len, [next_exchange(start)])) > 0
        up = [seat for seat in range(3) if last.balances[seat] > 0]
        assert last.first_over in up
    assert len({start.results for start in starts}) > 20
    assert {len([each for each in start.totals if each > 0]) for start in starts} == {1, 2}


def test_every_other_deal_follows_one() -> None:
    found, drawn = table(), table(previous="drawn")
    assert [bool(found.begin(deal).results) for deal in range(6)] == [False, True] * 3
    assert [found.begin(deal) for deal in (1, 3)] == [drawn.begin(deal) for deal in (1, 3)]
    assert not any(table(previous="none").begin(deal).results for deal in range(6))


def test_a_result_that_is_told() -> None:
    start = table(previous=(10, 4, 2)).begin(0)
    # The one who dealt is middle now and sends a card to each.
    assert [(each.sender, each.receiver, each.count) for each in next_exchange(start)] == [(2, 1, 1), (2, 0, 1)]
    assert start.totals == (-1, -1, 2)
    assert table(previous=(10, 4, 2)).begin(1) == start


def test_no_result_can_be_drawn() -> None:
    found = table(game="nine_five_two", options={"goal": 1, "goal_tie": "shared"}, previous="drawn")
    assert not found.begin(0).results  # whoever is up has won


# ---- games -----------------------------------------------------------------------------------------------------------


def check(found: Table, game: Game) -> None:
    """The record, played again by the rules, is this game."""
    assert game.fault is None
    again = replay(game.record(found.profile, found.names))
    done = [deal for deal in again.deals if not deal.passed_out]
    assert [deal.result for deal in done] == list(game.results)
    assert not any(deal.discrepancies for deal in again.deals)
    assert all(deal.record.stated is not None for deal in done)
    assert all(deal.finished for deal in done)
    assert again.state.won == game.won


@pytest.mark.parametrize("game", game_names(3))
def test_all_games(game: str) -> None:
    """With options at random, among them those that add an auction, or move the kitty and the swap."""
    rng = random.Random(game)
    for at in range(6):
        profile = load_game(game) if at == 0 else settings_of(rng, game)
        found = Table(profile, ("random", HIGHEST, f"{HERE}lots"), deals=2, seed=at)
        games = games_of(found)
        assert [each.number for each in games] == list(range(6))
        for each in games:
            check(found, each)


@pytest.mark.parametrize("game", ["raf", "woburn", "deputy", "nine_five_two_swap"])
def test_matches(game: str) -> None:
    found = table("random", HIGHEST, f"{HERE}miz", game=game, matches=3)
    for each in games_of(found):
        check(found, each)
        assert each.won
        if game == "deputy":
            assert len(each.results) == 18
            assert sum(result.call == "MIZ" for result in each.results) == 3


def test_the_same_deal_at_every_seat() -> None:
    found = table(HIGHEST, LOWEST, LOWEST, deals=4)
    for game in games_of(found):
        assert game.deals[0].deal == random_deal(RAF, 1, game.deal)
        assert (game.context is None) == (game.deal % 2 == 0)
        assert game.seating == found.seatings[game.number % 4]


def test_cards_of_matches() -> None:
    found = table(matches=2, seed=5, options=SHORT)
    for game in games_of(found):
        for at, deal in enumerate(game.deals):
            assert deal.deal == random_deal(RAF, 5, game.deal * SPAN + at)


def test_a_deal_that_all_pass_is_dealt_again() -> None:
    found = table(LOWEST, f"{HERE}passes", f"{HERE}passes", game="woburn", deals=1)
    game = play_game(found, seated_bots(found), 3)
    assert game.fault == Fault("", "everybody passed 50 times")
    assert [deal.deal for deal in game.deals[:3]] == [random_deal(found.profile, 1, AGAIN * at) for at in range(3)]
    assert [deal.dealer for deal in game.deals[:4]] == [0, 1, 2, 0]
    assert game.results == ()
    one = play_game(found, seated_bots(found), 0)
    check(found, one)


def test_bids_without_end() -> None:
    options: dict[str, Value] = {"bid_must_rise": False, "bid_reentry": True}
    found = table(*[f"{HERE}bids"] * 3, game="woburn", options=options, deals=1)
    assert games_of(found)[0].fault == Fault("", "more than 200 bids in an auction")


def test_a_match_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_games, "LONGEST", 2)
    game = games_of(table(game="raf", options={"end": "sixteen"}, matches=1))[0]
    assert (len(game.results), game.won, game.fault) == (2, (), None)


def test_decisions_are_counted() -> None:
    """Where there is one card to play, nobody is asked."""
    game = games_of(table(previous="none", deals=1))[0]
    assert all(1 < each.decisions < 16 + 2 for each in game.times)
    assert all(0 <= each.longest <= each.total for each in game.times)


def test_names_of_players() -> None:
    found = table(f"{HERE}lowest", f"{HERE}highest", "random", deals=1)
    assert [games_of(found)[0].record(RAF, names).players for names in (("a", "b:c=d", "é"), ("_x", "", "y" * 80))] == [
        ("a", "b:c=d", "é"), ("bot", "bot", "y" * 60),
    ]  # fmt: skip


# ---- the same games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [{"deals": 3}, {"matches": 3, "options": SHORT}])
def test_the_same_on_two_processes(more: dict[str, Any]) -> None:
    found = table("random", f"{HERE}lots", f"{HERE}lots", **more)
    alone = untimed(games_of(found))
    assert untimed(games_of(found, threads=2)) == alone
    assert untimed(games_of(found)) == alone
    other = table("random", f"{HERE}lots", f"{HERE}lots", seed=2, **more)
    assert untimed(games_of(other)) != alone


def test_a_name_is_no_part_of_the_lots_of_others() -> None:
    """Before the bot under study does something else, the others do what they do without it."""
    found = table(f"{HERE}lowest_too", LOWEST, LOWEST, deals=3)
    games = games_of(found)
    for deal in range(3):
        assert len({game.results for game in games if game.deal == deal}) == 1


def test_threads_are_checked() -> None:
    for threads in (0, 65):
        with pytest.raises(InputError) as caught:
            run_table(table(), threads=threads)
        assert caught.value.field == "threads"


def test_bots_are_looked_for_before_anything_is_played() -> None:
    with pytest.raises(InputError) as caught:
        run_table(table("nobody", "random", "random"), threads=2)
    assert caught.value.field == "bots"


# ---- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("raises", "ValueError: no idea at all (players.py line "),
        ("leaves", "SystemExit: enough (players.py line "),
        ("nothing", "expected NameTrump in the phase TRUMP, found None"),
        ("claims", "expected Play in the phase PLAY, found Claim"),
        ("strange", "expected a card that "),
        ("other_seat", "expected "),
    ],
)
def test_a_fault_ends_the_game(bot: str, said: str) -> None:
    name = HERE + bot
    found = table(name, LOWEST, LOWEST, previous="none", deals=1)
    for game in games_of(found)[:3]:
        if bot == "nothing" and game.seating[0] != 0:
            continue
        assert game.fault is not None
        assert game.fault.bot == name
        assert game.fault.said.startswith(said)
        assert "\n" not in str(game.fault)
        assert (game.results, game.won) == ((), ())
        assert not replay(game.record(RAF, found.names)).deals[0].finished
    assert games_of(found)[3].fault is None


def test_long_errors_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_games, "SAID_MAX", 10)
    found = table(f"{HERE}raises", LOWEST, LOWEST, deals=1)
    fault = games_of(found)[0].fault
    assert fault is not None
    assert fault.said.startswith("ValueError... (players.py line ")


def test_an_interrupt_is_no_fault() -> None:
    found = table(f"{HERE}interrupts", LOWEST, LOWEST)
    with pytest.raises(KeyboardInterrupt):
        games_of(found)


def test_a_process_that_ends_is_a_fault() -> None:
    found = table(f"{HERE}dies", LOWEST, LOWEST, deals=1)
    games = games_of(found, threads=2)
    assert len(games) == 4
    for game in games:
        if game.seating == (1, 1, 1):
            check(found, game)
        else:
            assert game.fault == Fault("", "the process that played it ended by itself (exit code 3)")
            assert game.deals == ()


@pytest.mark.parametrize("threads", [1, 2])
def test_what_the_watch_raises_comes_through(threads: int) -> None:
    class Enough(Exception):
        pass

    def watch(done: int) -> None:
        if done >= 2:
            raise Enough

    found: list[Game] = []
    with pytest.raises(Enough):
        for game in run_table(table(deals=40), threads=threads, watch=watch):
            found.append(game)
    assert 2 <= len(found) < 40


def test_processes_end_with_the_iterator() -> None:
    games = run_table(table(deals=40), threads=2)
    next(games)
    assert len(multiprocessing.active_children()) == 2
    games.close()
    assert multiprocessing.active_children() == []
