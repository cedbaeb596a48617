"""What is said of games, against games made up by hand and reckoned anew with other means."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from tierce.solver.games import DealResult, load_game
from tierce.solver.games.scoring import balances
from tierce.solver.hints.table_games import Fault, Game, Times
from tierce.solver.hints.table_results import Difference, Row, Summary, summary_of
from tierce.solver.hints.tables import Table

RAF = load_game("raf")
T2 = 4.302652729749464  # Student's t, two degrees of freedom, 97.5 %: from tables
NORMAL = 1.959963984540054
NONE: tuple[Times, Times, Times] = (Times(), Times(), Times())

Tricks = tuple[int, int, int]


def table(*bots: str, **more: Any) -> Table:
    given: dict[str, Any] = {} if "matches" in more else {"deals": 3}
    a, b, c = bots
    return Table(RAF, (a, b, c), **(given | more))


def result(tricks: Tricks, dealer: int = 0, call: str = "S", quotas: Tricks = (8, 5, 3)) -> DealResult:
    return DealResult(dealer, call, quotas, tricks, balances(quotas, tricks, call))


def game(found: Table, number: int, tricks: Tricks, won: tuple[int, ...] = (), fault: Fault | None = None) -> Game:
    deal, seating = found.place(number)
    return Game(number, deal, seating, () if fault else (result(tricks),), won, NONE, (), None, fault)


def games(found: Table, tricks: Sequence[Tricks]) -> list[Game]:
    return [game(found, number, each) for number, each in enumerate(tricks)]


def summary(found: Table, played: Sequence[Game]) -> Summary:
    return summary_of(found, played, [None] * len(found.names))


def row(found: Summary, bot: str, seat: int | None) -> Row:
    (one,) = (each for each in found.rows if (each.bot, each.seat) == (bot, seat))
    return one


def difference(found: Summary, seat: int | None, instead: str = "r") -> Difference:
    (one,) = (each for each in found.differences if (each.seat, each.instead) == (seat, instead))
    return one


# Three deals; of each: a as dealer, as eldest, as middle, then nobody but r.
STUDY: list[Tricks] = [
    (10, 4, 2), (8, 6, 2), (7, 4, 5), (8, 5, 3),
    (9, 5, 2), (8, 5, 3), (6, 6, 4), (6, 6, 4),
    (7, 5, 4), (9, 4, 3), (9, 4, 3), (8, 6, 2),
]  # fmt: skip


def test_differences_by_hand() -> None:
    found = summary(table("a", "r", "r"), games(table("a", "r", "r"), STUDY))
    # Dealer: 10 - 8, 9 - 6, 7 - 8; eldest: 6 - 5, 5 - 6, 4 - 6; middle: 5 - 3, 4 - 4, 3 - 2.
    gains = [[2, 3, -1], [1, -1, -2], [2, 0, 1]]
    for seat, each in enumerate(gains):
        one = difference(found, seat)
        half = T2 * statistics.stdev(each) / sqrt(3)
        assert one.mean.value == pytest.approx(statistics.mean(each))
        assert (one.mean.low, one.mean.high) == pytest.approx((one.mean.value - half, one.mean.value + half))
    assert [(each.better, each.equal, each.worse) for each in map(lambda seat: difference(found, seat), range(3))] == [
        (2, 0, 1), (1, 0, 2), (2, 1, 0),
    ]  # fmt: skip
    # The seats of a deal are one number: 5, 2, -2 of three seats.
    mean = difference(found, None)
    means = [5 / 3, 2 / 3, -2 / 3]
    half = T2 * statistics.stdev(means) / sqrt(3)
    assert mean.mean.value == pytest.approx(statistics.mean(means))
    assert (mean.mean.low, mean.mean.high) == pytest.approx((mean.mean.value - half, mean.mean.value + half))
    assert (mean.deals, mean.better, mean.equal, mean.worse, mean.apart) == (3, 2, 0, 1, False)


def test_rows_by_hand() -> None:
    found = summary(table("a", "r", "r"), games(table("a", "r", "r"), STUDY))
    dealer = row(found, "a", 0)
    assert (dealer.tricks.value, dealer.quota, dealer.balance.value) == pytest.approx((26 / 3, 8, 2 / 3))
    assert dealer.made.value == pytest.approx(2 / 3)
    # Wilson's interval of 2 in 3, worked out by its formula.
    middle, half = (2 + NORMAL**2 / 2) / (3 + NORMAL**2), NORMAL * sqrt(2 / 3 + NORMAL**2 / 4) / (3 + NORMAL**2)
    assert (dealer.made.low, dealer.made.high) == pytest.approx((middle - half, middle + half))
    whole = row(found, "a", None)
    assert whole.tricks.value == pytest.approx((10 + 6 + 5 + 9 + 5 + 4 + 7 + 4 + 3) / 9)
    assert whole.made.value == pytest.approx((3 + 3 + 1) / 9)
    assert row(found, "r", None).balance.value == 0
    assert [row(found, "r", seat).tricks.value for seat in range(3)] == pytest.approx([22 / 3, 17 / 3, 3])


def test_many_deals() -> None:
    """Against the same reckoned from its definition; many deals have the normal interval."""
    rng = random.Random(5)
    deals = 60
    found = table("a", "r", "r", instead=("b", "r"), deals=deals)
    tricks: list[Tricks] = []
    for _ in range(found.games):
        d = rng.randint(0, 16)
        e = rng.randint(0, 16 - d)
        tricks.append((d, e, 16 - d - e))
    played = games(found, tricks)
    rng.shuffle(played)
    told = summary(found, played)
    by_deal = [tricks[7 * deal : 7 * deal + 7] for deal in range(deals)]
    own = [[each[seat][seat] - each[3 + seat][seat] for seat in range(3)] for each in by_deal]
    other = [[each[seat][seat] - each[6][seat] for seat in range(3)] for each in by_deal]
    for instead, gains in (("b", own), ("r", other)):
        means = [sum(each) / 3 for each in gains]
        one = difference(told, None, instead)
        half = NORMAL * statistics.stdev(means) / sqrt(deals)
        assert one.mean.value == pytest.approx(statistics.mean(means))
        assert (one.mean.low, one.mean.high) == pytest.approx((one.mean.value - half, one.mean.value + half))
        for seat in range(3):
            assert difference(told, seat, instead).mean.value == pytest.approx(
                statistics.mean(each[seat] for each in gains)
            )


def test_three_that_move_round() -> None:
    found = table("a", "b", "c", deals=1)
    told = summary(found, games(found, [(10, 4, 2), (6, 7, 3), (8, 5, 3)]))
    # a b c, then c a b, then b c a.
    assert {(each.bot, each.seat): each.tricks.value for each in told.rows if each.seat is not None} == {
        ("a", 0): 10, ("b", 1): 4, ("c", 2): 2, ("c", 0): 6, ("a", 1): 7, ("b", 2): 3, ("b", 0): 8, ("c", 1): 5,
        ("a", 2): 3,
    }  # fmt: skip
    means = {(each.bot, each.instead): each.mean.value for each in told.differences if each.seat is None}
    assert means == pytest.approx({("a", "b"): 5 / 3, ("a", "c"): 7 / 3, ("b", "c"): 2 / 3})
    assert all(each.mean.low is None and not each.apart for each in told.differences)


def test_what_is_not_there_is_left_out() -> None:
    found = table("a", "r", "r")
    fault = Fault("a", "ValueError")
    played = games(found, STUDY)
    played[0] = game(found, 0, (0, 0, 0), fault=fault)
    played[5] = game(found, 5, (0, 0, 0), fault=fault)
    told = summary(found, played[:-1])  # and the last deal lacks its game without a
    assert told.faults == {"a": (2, 0, fault)}
    assert (told.played, told.json()["complete"]) == (11, False)
    assert [row(told, "a", seat).deals for seat in range(3)] == [2, 2, 3]
    assert row(told, "a", None).deals == 1
    assert [difference(told, seat).deals for seat in range(3)] == [1, 1, 2]
    assert [each.seat for each in told.differences] == [0, 1, 2]  # no deal has all


def test_nothing_was_played() -> None:
    for more in ({"deals": 3}, {"matches": 3}):
        told = summary(table("a", "r", "r", **more), [])
        assert (told.rows, told.differences, told.matches, told.times) == ((), (), (), ())
        assert told.json()["played"] == 0


def test_seats_before_an_auction() -> None:
    """Player 1 became the dealer; who began as eldest took the dealer's tricks."""
    found = table("a", "r", "r", deals=1)
    deal, seating = found.place(1)
    one = Game(1, deal, seating, (result((12, 3, 1), dealer=1, quotas=(9, 4, 3)),), (1,), NONE, (), None)
    told = summary(found, [one])
    assert (row(told, "a", 1).tricks.value, row(told, "a", 1).quota, row(told, "a", 1).won) == (12, 9, 1)


def test_miz_counts_the_other_way_round() -> None:
    deputy = load_game("deputy")
    found = Table(deputy, ("a", "r", "r"), deals=1)
    played = [
        Game(n, 0, found.place(n)[1], (result(tricks, call="MIZ", quotas=(3, 5, 8)),), (), NONE, (), None)
        for n, tricks in enumerate([(1, 6, 9), (2, 5, 9), (5, 5, 6), (4, 4, 8)])
    ]
    told = summary(found, played)
    assert [difference(told, seat).mean.value for seat in range(3)] == [3, -1, 2]
    assert [row(told, "a", seat).made.value for seat in range(3)] == [1, 1, 1]
    assert row(told, "r", 0).made.value == 0


# ---- matches ---------------------------------------------------------------------------------------------------------


def test_matches_by_hand() -> None:
    found = table("a", "r", "r", matches=4)

    def match(number: int, results: tuple[DealResult, ...], won: tuple[int, ...]) -> Game:
        return Game(number, number, found.place(number)[1], results, won, NONE, (), None)

    played = [
        match(0, (result((12, 2, 2)),), (0,)),  # a r r
        match(1, (result((8, 5, 3)), result((12, 3, 1), dealer=1)), (1,)),  # r a r: a deals the second
        match(2, (result((8, 5, 3)), result((6, 6, 4), dealer=1), result((12, 2, 2), dealer=2)), (2, 0)),  # r r a
        match(3, (result((8, 5, 3)),), ()),  # a r r, given up
    ]
    told = summary(found, played)
    a, r, s = told.matches
    assert (a.bot, r.bot, s.bot) == ("a", "r", "r")
    assert (a.matches, a.won, a.shared) == (3, 3, 1)
    # Of the bots that move on by a seat, match 2 has the second in seat 0.
    assert [(each.won, each.shared) for each in (r, s)] == [(1, 1), (0, 0)]
    # a: 12; 5 + 12; 3 + 6 + 12; 8 - of match 2: middle, eldest in the second deal, dealer in the third.
    assert a.tricks == pytest.approx((12 + 5 + 12 + 3 + 6 + 12 + 8) / 7)
    assert a.balance == pytest.approx((4 + 0 + 4 + 0 + 1 + 4 + 0) / 7)
    assert a.tricks + r.tricks + s.tricks == pytest.approx(16)
    assert told.deals is not None
    assert told.deals.value == pytest.approx((1 + 2 + 3) / 3)
    assert told.unfinished == 1
    assert told.json()["deals_a_match"] == 2.0


# ---- times -----------------------------------------------------------------------------------------------------------


def test_times_are_of_all_games() -> None:
    found = table("a", "r", "r", deals=1)
    times = (Times(3, 0.3, 0.2), Times(1, 0.1, 0.1), Times(2, 0.5, 0.4))
    played = [Game(n, 0, found.place(n)[1], (result((8, 5, 3)),), (), times, (), None) for n in (0, 1)]
    a, r = summary_of(found, played, [0.15, None]).times
    assert [each.times.decisions for each in (a, r)] == [4, 8]
    assert [each.times.longest for each in (a, r)] == [0.2, 0.4]
    assert [each.times.total for each in (a, r)] == pytest.approx([0.4, 1.4])
    assert (a.mean, a.over) == pytest.approx((0.1, 0.05))
    assert r.over is None
    assert a.json() == {"bot": "a", "decisions": 4, "mean_ms": 100.0, "longest_ms": 200.0, "over_ms": 50.0}
