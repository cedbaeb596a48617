"""The vectors of the rules, and what the source's own record says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.sumgait import plain
from tests.games.sumgait.support import card, option_values
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait import Outcome, Tally, apply, new_match, scored, settle, settle_vist, sumgait
from tierce.solver.games.sumgait.cards import ALL54, card_name, cards_of
from tierce.solver.games.sumgait.game import DEFAULTS
from tierce.solver.games.sumgait.match import Tallies
from tierce.solver.games.sumgait.prices import BONUSES, bonus, price, price_table, score
from tierce.solver.games.sumgait.sheet import sheet_rows
from tierce.solver.games.sumgait.tricks import PROCEDURES, trick_winner

S, H, D, C = range(4)
ZERO: Tallies = (Tally(), Tally(), Tally())


@pytest.fixture(scope="module")
def vectors() -> Any:
    folder = Path(__file__).parents[2] / "data"
    return json.loads((folder / "rules_vectors.json").read_text(encoding="utf-8"))


def test_the_45_prices(vectors: Any) -> None:
    expected = {
        "N" if suit == "NT" else suit: {int(tricks): worth for tricks, worth in row.items()}
        for suit, row in vectors["sumgait_price"].items()
    }
    assert price_table() == expected
    assert sum(map(len, expected.values())) == 45
    for tricks in (9, 19):
        with pytest.raises(ValueError, match="10 to 18"):
            price(0, tricks)


def test_marriages() -> None:
    assert BONUSES == (40, 100, 80, 60)
    assert bonus((S, C, D, H)) == 280
    assert bonus(()) == 0


# ---- games -----------------------------------------------------------------------------------------------------------

SAMPLE = [
    (Outcome("play", (H,), (11, 4, 3)), (180, 0, 0), (0, 320, 240)),
    (Outcome("play", (H, C), (15, 0, 3)), (180, 460, 0), (900, 320, 240)),
    (Outcome("play", (), (12, 1, 5)), (180, 460, 60), (960, 620, 240)),
]


def test_the_sample_record(vectors: Any) -> None:
    state = new_match(sumgait())
    for action, game, vist in SAMPLE:
        state = settle(apply(state, action))
        assert tuple(tally.game for tally in state.tallies) == game
        assert tuple(tally.vist for tally in state.tallies) == vist
    computed = vectors["sumgait_record_computed"]
    assert [[tally.game for tally in state.tallies], [tally.vist for tally in state.tallies]] == [
        computed["G"],
        computed["V"],
    ]
    assert sheet_rows(state.results) == [
        (("+", "100,11", "180", "0"), ("-", "4*80", "0", "320"), ("-", "3*80", "0", "240")),
        (("-", "3*300", "180", "900"), ("+", "100,60,15", "460", "320"), ("-", "0*300", "0", "240")),
        (("-", "1*60", "180", "960"), ("-", "5*60", "460", "620"), ("+", "12", "60", "240")),
    ]


def test_the_sheet_of_pass_and_misere() -> None:
    state = new_match(sumgait())
    for action in (Outcome("pass", (), (5, 6, 7)), Outcome("misere", (), (0, 9, 9)), Outcome("play", (H,), (8, 6, 4))):
        state = settle(apply(state, action))
    assert [[cells[1] for cells in row] for row in sheet_rows(state.results)] == [
        ["PASS,5", "-1*80", "-2*80"],
        ["9", "MISERE,0", "9"],
        ["6*60", "4*60", "100,8"],
    ]
    assert [row[2][2:] for row in sheet_rows(state.results)] == [("0", "-160"), ("0", "-160"), ("-120", "-160")]


@pytest.mark.parametrize(
    ("suits", "tricks", "game"),
    [((), 7, -60), ((H,), 8, -120), ((S, H, D, C), 18, 1100), ((), 10, 20), ((S, C), 9, -70), ((D,), 0, -500)],
)
def test_games(suits: tuple[int, ...], tricks: int, game: int) -> None:
    left = 18 - tricks
    found = score("play", suits, (tricks, left, 0))
    assert found.game == game
    assert found.made == (tricks >= 10)
    at_ten = sum(price(suit, 10) for suit in suits) if suits else 20
    assert found.vist == (0, left * (at_ten if tricks < 10 else found.price), 0)


def test_passes(vectors: Any) -> None:
    for tricks, expected in vectors["sumgait_allpass"].items():
        found = score("pass", (), json.loads(tricks))
        assert (found.price, list(found.vist)) == (expected["price"], expected["vist"])
        assert found.game == expected.get("game_to_declarer", 0)


def test_miseres() -> None:
    assert (score("misere", (), (0, 9, 9)).game, score("misere", (), (1, 8, 9)).game) == (300, -300)
    assert score("misere", (), (0, 9, 9)).vist == (0, 0, 0)


# ---- the match -------------------------------------------------------------------------------------------------------


def after(tally: Tally, call: str, suits: tuple[int, ...], tricks: int, **options: Any) -> Tally:
    """The declarer's columns after a deal, the others at 0."""
    rest = (18 - tricks) // 2
    given = sumgait(options).options
    row = (tricks, rest, 18 - tricks - rest)
    return scored((tally, Tally(), Tally()), 0, call, suits, row, given).tallies[0]


def test_the_hill() -> None:
    # Marriage of hearts, 12 tricks: 100 + 100; no trump with 14: 100, with 15: 120.
    assert after(Tally(game=700), "play", (H,), 12) == Tally(game=880)
    assert after(Tally(game=880), "play", (), 14) == Tally(game=880, failures=1)
    assert after(Tally(game=880, failures=1), "play", (), 15) == Tally(game=1000)
    assert after(Tally(game=880, failures=2), "play", (), 14) == Tally(game=760)
    assert after(Tally(game=880, failures=2), "play", (), 7) == Tally(game=820)
    assert after(Tally(game=880, failures=1), "misere", (), 0) == Tally(game=1000)
    assert after(Tally(game=860), "play", (), 10) == Tally(game=880), "880 itself is the hill"
    assert after(Tally(game=840), "play", (), 10) == Tally(game=860)
    assert after(Tally(game=700), "play", (S, H, D, C), 18) == Tally(game=1000)


def test_an_uneven_pass_is_no_attempt() -> None:
    on_hill = Tally(game=880, failures=1)
    assert after(on_hill, "pass", (), 5).failures == 1
    assert after(on_hill, "pass", (), 6) == Tally(game=1000)


def test_a_player_at_1000_plays_for_the_laggard() -> None:
    tallies: Tallies = (Tally(game=1000), Tally(game=620), Tally(game=700))
    found = scored(tallies, 0, "play", (H,), (11, 4, 3), DEFAULTS)
    assert found.credited == (1, 180)
    assert found.tallies == (Tally(1000, 1800), Tally(800, 320), Tally(700, 240))


def test_credits() -> None:
    def credited(*games: int, points: int) -> tuple[Tally, ...]:
        tallies: Tallies = (Tally(games[0]), Tally(games[1]), Tally(games[2]))
        suits, tricks = {180: ((H,), 11), 20: ((), 10), -60: ((), 7)}[points]
        return scored(tallies, 0, "play", suits, (tricks, 18 - tricks, 0), DEFAULTS).tallies

    assert credited(1000, 700, 620, points=180)[2].game == 800
    assert credited(1000, 620, 620, points=180)[1].game == 800, "a tie: the next clockwise"
    assert credited(1000, 1000, 620, points=180)[2].game == 800, "who has 1000 is skipped"
    capped = credited(1000, 880, 1000, points=180)
    assert (capped[1].game, capped[0].vist) == (1000, 1200), "ten times what was credited"
    cut = credited(1000, 800, 1000, points=180)
    assert (cut[1], cut[0].vist) == (Tally(880, 7 * 80, 0), 800)
    stays = credited(1000, 880, 1000, points=20)
    assert (stays[1].game, stays[1].failures, stays[0].vist) == (880, 0, 0)
    failed: Tallies = (Tally(1000), Tally(880, 0, 2), Tally(1000))
    assert scored(failed, 0, "play", (), (10, 8, 0), DEFAULTS).tallies[1].failures == 2, "never a failure, nor the end"
    assert credited(1000, 500, 600, points=-60) == (Tally(1000), Tally(500, 11 * 20), Tally(600))


def test_the_match_ends_when_all_have_1000() -> None:
    state = new_match(sumgait())
    slam = Outcome("play", (S, H, D, C), (18, 0, 0))
    for number in range(3):
        assert (state.declarer, state.phase) == (number, "DEAL")
        state = settle(apply(state, slam))
    assert state.phase == "OVER"
    assert [tally.game for tally in state.tallies] == [1000, 1000, 1000]
    with pytest.raises(InputError, match="the match is over"):
        apply(state, slam)


# ---- jokers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "winners"),
    [
        ("SA J1 C7", "C7 SA C7"),
        ("C7 J1 SA", "SA SA C7"),
        ("J1 D7 D9", "D9 D9 D7"),
        ("H5 J1 J2", "J2 J2 J2"),
        ("J1 H2 S3", "J1 J1 J1"),
        ("S7 J1 HA", "S7 S7 S7"),
    ],
)
def test_jokers(trick: str, winners: str) -> None:
    names = trick.split()
    for procedure, winner in zip(PROCEDURES, winners.split(), strict=True):
        assert names[trick_winner([card(name) for name in names], S, procedure)] == winner
        assert plain.trick_winner(names, "S", procedure) == winner


@given(st.permutations(cards_of(ALL54)), st.integers(0, 4), st.sampled_from(PROCEDURES))
def test_tricks_by_a_second_statement(pack: list[int], trump: int, procedure: str) -> None:
    for at in range(0, 54, 3):
        cards = pack[at : at + 3]
        names = [card_name(each) for each in cards]
        expected = plain.trick_winner(names, "SHDCN"[trump], procedure)
        assert names[trick_winner(cards, trump, procedure)] == expected


@given(st.data(), st.integers(0, 4))
def test_tricks_of_jokers_and_sevens(data: st.DataObject, trump: int) -> None:
    names = data.draw(st.permutations(["J1", "J2", "S7", "H7", "SA", "HA", "H8", "C2"]))[:3]
    for procedure in option_values("joker_resolution"):
        winner = names[trick_winner([card(name) for name in names], trump, str(procedure))]
        assert winner == plain.trick_winner(names, "SHDCN"[trump], str(procedure))


# ---- the settlement --------------------------------------------------------------------------------------------------


def test_the_settlement(vectors: Any) -> None:
    expected = vectors["sumgait_settlement"]
    found = settle_vist(expected["vist"])
    assert list(found.halves) == expected["halves"]
    debts = {f"{each.debtor + 1} owes {each.creditor + 1}": each.amount for each in found.debts}
    payments = {f"{each.debtor + 1} pays {each.creditor + 1}": each.amount for each in found.payments}
    assert (debts, payments, list(found.nets)) == (expected["pairwise"], expected["final"], expected["net"])


@given(st.tuples(*[st.integers(-(10**9), 10**9)] * 3))
def test_settlements_sum_to_0(vist: tuple[int, int, int]) -> None:
    found = settle_vist(vist)
    assert sum(found.nets) == 0
    for flows in (found.debts, found.payments):
        nets = [0.0, 0.0, 0.0]
        for each in flows:
            assert each.amount > 0
            nets[each.debtor] -= each.amount
            nets[each.creditor] += each.amount
        assert tuple(nets) == found.nets, "before and after netting"
    assert found.nets == tuple(1.5 * each - sum(vist) / 2 for each in vist)
    assert not {each.debtor for each in found.payments} & {each.creditor for each in found.payments}


@pytest.mark.parametrize("wrong", [(1, 2), (1, 2, 3, 4), "123", (1, 2, 3.5), (1, 2, True), (10**9 + 1, 0, 0), None])
def test_settlements_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="expected"):
        settle_vist(wrong)
