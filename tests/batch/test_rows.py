"""The rows of a study: what they tell, played again by the rules and valued by brute force."""

from __future__ import annotations

from typing import Any

import pytest

from tests.batch.support import check_row, dealer_study, exchange_study, game, parcels, rows_of
from tierce.solver.batch.studies import Source, Study
from tierce.solver.batch.work import Line, Work, chunk_rows
from tierce.solver.errors import InputError
from tierce.solver.games import random_deal

SHAPES = ("kitty", "kitty_last", "kitty_before", "plain", "swap", "at_once", "at_once_kitty")
ONE_AFTER_OTHER = {"exchange_order_two_down": "lowest_quota_first"}
TOGETHER = {"exchange_order_two_down": "simultaneous"}


def orders(shape: str) -> list[dict[str, str]]:
    return [{}] if shape in ("swap", "at_once", "at_once_kitty") else [ONE_AFTER_OTHER, TOGETHER]


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_an_exchange_are_what_the_rules_make_of_them(shape: str) -> None:
    for options in orders(shape):
        study = exchange_study(shape, options, deals=6)
        rows = rows_of(study)
        assert len(rows) == 6 * len(study.strategies)
        for row in rows:
            check_row(study, row)


@pytest.mark.parametrize("shape", ["kitty", "kitty_last", "plain", "swap"])
def test_rows_of_a_dealer_are_what_the_rules_make_of_them(shape: str) -> None:
    study = dealer_study(shape, deals=6)
    for row in rows_of(study):
        check_row(study, row)


@pytest.mark.parametrize("shape", ["kitty", "kitty_last", "plain"])
def test_nobody_beats_the_exact_dealer(shape: str) -> None:
    rows = rows_of(dealer_study(shape))
    best = {row["deal"]: row["own"] for row in rows if row["strategy"] == "exact"}
    assert all(row["own"] <= best[row["deal"]] for row in rows)
    assert any(row["own"] < best[row["deal"]] for row in rows)


def test_the_exact_sender_is_as_good_as_any_against_an_exact_reply() -> None:
    """Not in every deal: of replies that are equal to the dealer a lucky one may come."""
    study = exchange_study(strategies=("exact", "lowest", "random"), reply="exact", deals=12)
    rows = rows_of(study)
    for row in rows:
        check_row(study, row)
    total = {name: sum(row["own"] for row in rows if row["strategy"] == name) for name in study.strategies}
    assert total["exact"] > max(total["lowest"], total["random"])


def test_two_senders() -> None:
    """Middle and eldest are up, the dealer down; each may be studied, the other does as --others says."""
    for sender in (1, 2):
        study = exchange_study(previous=(4, 0, 2), sender=sender, others="spread", deals=6)
        other = exchange_study(previous=(4, 0, 2), sender=3 - sender, others="lowest", strategies=("spread",), deals=6)
        spread = {row["deal"]: parcels(row["sent"]) for row in rows_of(other)}
        first = 1 if study.profile().quotas[1] > study.profile().quotas[2] else 2
        for row in rows_of(study):
            assert row["sender"] == "DEM"[sender]
            if sender != first or row["strategy"] == "lowest":  # else the second's hand is another one
                check_row(study, row, {3 - sender: spread[row["deal"]]})


def test_every_strategy_meets_the_same_deals() -> None:
    study = exchange_study()
    rows = rows_of(study)
    for number in range(study.deals):
        here = [row for row in rows if row["deal"] == number]
        assert [row["strategy"] for row in here] == list(study.strategies)
        assert {row["cards"] for row in here} == {str(random_deal(study.profile(), 5, number))}


def test_a_chunk_anywhere_is_the_rows_of_its_deals() -> None:
    study = exchange_study(deals=6, chunk=4)
    work = Work(study)
    assert chunk_rows(study.json(), 1, None) == [row for number in (4, 5) for row in work.rows(number)]


def test_a_kitty_that_is_a_trick_counts() -> None:
    table = game("kitty").replace("quotas = [3, 2, 1]", "quotas = [4, 2, 1]\nkitty_trick = true")
    plain = rows_of(dealer_study("kitty", strategies=("quick",)))
    counted = rows_of(dealer_study("kitty", strategies=("quick",), game_toml=table))
    for one, two in zip(plain, counted, strict=True):
        assert (two["own"], two["floor_d"], two["floor_e"]) == (one["own"] + 1, one["floor_d"] + 1, one["floor_e"])
        assert two["balance"] == one["balance"]


def test_a_strategy_that_fails_leaves_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    from tierce.solver.batch import dealer_rules, sender_rules

    def fails(view: Any, due: Any) -> Any:
        raise ValueError("no\nidea \udcff")

    line = fails.__code__.co_firstlineno + 1
    monkeypatch.setitem(sender_rules.RULES, "fails", fails)
    rows = rows_of(exchange_study(strategies=("fails", "lowest"), deals=2))
    for row in rows[::2]:
        assert row["error"] == f"fails: ValueError: no idea \\udcff (test_rows.py line {line})"
        assert (row["sender"], row["sent"], row["own"], row["balance"]) == ("M", None, None, None)
    assert all(row["error"] is None for row in rows[1::2])
    monkeypatch.setitem(dealer_rules.RULES, "fails", lambda view: None)
    rows = rows_of(exchange_study(strategies=("lowest",), reply="fails", deals=1))
    assert rows[0]["sent"] and rows[0]["error"].startswith("fails: expected a trump")


def test_lines_of_a_file() -> None:
    source = Source("deals.txt", "")
    study = exchange_study(seed=None, source=source, deals=2, strategies=("lowest", "spread"))
    work = Work(study)
    text = str(random_deal(study.profile(), 5, 3))
    rows = work.rows(0, Line(7, f"  {text}\r"))
    assert [row[:3] for row in rows] == [(0, text, "lowest"), (0, text, "spread")]
    assert rows[0][1:] == Work(exchange_study(strategies=("lowest",))).rows(3)[0][1:]
    bad = work.rows(1, Line(9, "D:AK \udcff"))
    assert [(row[0], row[1]) for row in bad] == [(1, "D:AK \\udcff")] * 2
    assert all(row[-1].startswith("line 9: expected ") for row in bad)


@pytest.mark.parametrize(
    ("study", "field"),
    [
        (lambda: exchange_study(sender=1), "sender"),
        (lambda: exchange_study(sender=None), "sender"),
        (lambda: exchange_study(previous=(3, 2, 1)), "exchange"),
        (lambda: exchange_study(previous=(3, 2, 9)), "previous"),
        (lambda: exchange_study(strategies=("longest",)), "strategy"),
        (lambda: exchange_study(reply="lowest"), "strategy"),
        (lambda: exchange_study(others="longest"), "strategy"),
        (lambda: dealer_study(strategies=("lowest",)), "strategy"),
        (lambda: dealer_study(version="0.0.0"), "study"),
        (lambda: Study("dealer", 1, game="deputy", seed=1, strategies=("quick",)), "game"),
        (
            lambda: Study(
                "dealer", 1, game="woburn", options={"first_deal_auction": True}, seed=1, strategies=("quick",)
            ),
            "option",
        ),
        (lambda: Study("dealer", 1, game="bridge", seed=1, strategies=("quick",)), "game"),
    ],
)
def test_studies_that_cannot_be(study: Any, field: str) -> None:
    with pytest.raises(InputError) as caught:
        Work(study())
    assert caught.value.field == field
    assert "expected" in caught.value.message
