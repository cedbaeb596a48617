"""Figures of many hands: plain sums, the account in means, what is left out and why; the page with the same numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import pytest

from tests.advice.played import play
from tests.advice.small_games import twin
from tests.report import reviews
from tierce.solver.advice.review import review
from tierce.solver.advice.review_results import Review, SeatAccount
from tierce.solver.errors import LimitReached
from tierce.solver.report.intervals import interval, share
from tierce.solver.report.summary import COLUMNS, FEW_HANDS, Row, Summary, summary_of
from tierce.solver.report.summary_page import summary_page

NAMES: Final = ("Ann", "Bob", "Cid")


@cache
def hands() -> tuple[Review, ...]:
    """Small hands of several games, some of them claimed, every decision judged but the swap game's discards."""
    found = []
    for name in ("raf", "uni_high_359", "deputy", "nine_five_two_swap"):
        for played in play(f"summary {name}", name, twin(name), 5, claims=0.1):
            found.append(review(played.deal, NAMES, seconds=None))
    return tuple(found)


@cache
def summary() -> Summary:
    return summary_of(hands())


def accounts(row: Row) -> list[tuple[Review, SeatAccount]]:
    return [
        (hand, account)
        for hand in hands()
        for account in hand.accounts
        if account.name == row.player and row.seat in ("", "DEM"[account.seat])
    ]


def before(account: SeatAccount, *names: str) -> list[float]:
    return [loss for what, loss in account.before if what in names and loss is not None]


def judged(account: SeatAccount, *names: str) -> bool:
    """Is the loss known, if only because there was no such decision?"""
    return all(loss is not None for what, loss in account.before if what in names)


def rows() -> list[Row]:
    return [*summary().players, *summary().seats]


def test_who_is_in_it() -> None:
    assert [row.player for row in summary().players] == [*NAMES] and summary().hands == len(hands())
    assert [(row.player, row.seat) for row in summary().seats] == [(name, seat) for name in NAMES for seat in "DEM"]
    assert sum(row.hands for row in summary().seats) == 3 * len(hands())
    assert all(row.hands == len(hands()) for row in summary().players)
    assert {hand.few for hand in hands()} == {True, False} and any(hand.kitty for hand in hands())
    assert any(account.claim for hand in hands() for account in hand.accounts)


def test_means_are_plain_sums() -> None:
    for row in rows():
        mine = accounts(row)
        known: dict[str, Sequence[float]] = {
            "balance": [hand.balance(account) for hand, account in mine],
            "exchange": [sum(before(account, "exchange")) for _, account in mine if judged(account, "exchange")],
            "trump": [sum(before(account, "trump")) for _, account in mine if judged(account, "trump")],
            "discard": [sum(before(account, "discard", "swap")) for _, account in mine if judged(account, "discard")],
            "play": [account.lost for _, account in mine],
            "gifts": [sum(account.gifts) for _, account in mine],
        }
        for name, values in known.items():
            mean = row.mean(name)
            assert (mean is None) == (not values)
            assert mean is None or mean.value == pytest.approx(sum(values) / len(values))
            assert row.counts[name].total() == len(values)
        assert row.made == sum(value >= 0 for value in known["balance"])
        assert row.unforced == sum(account.unforced for _, account in mine)
        assert row.best == sum(account.best for _, account in mine)


def test_the_account_in_means() -> None:
    """Balance = luck - losses + gifts + what claims brought, in sums over all hands; in MIZ a claim counts against."""
    for row in rows():
        if any(not judged(account, "exchange", "trump", "discard", "swap") for _, account in accounts(row)):
            continue
        total = {name: sum(value * count for value, count in row.counts[name].items()) for name in COLUMNS}
        claims = sum((-1 if hand.few else 1) * account.claim for hand, account in accounts(row))
        lost = total["exchange"] + total["trump"] + total["discard"] + total["play"]
        assert total["balance"] == total["luck"] - lost + total["gifts"] + claims
        assert row.counts["luck"].total() == row.hands


def test_luck_is_what_the_seat_was_dealt() -> None:
    """Of the dealer in a first deal: the best there was, before trump and discard."""
    for hand in hands():
        if hand.deal.start.results or hand.few or hand.skipped:
            continue
        (dealer,) = (row for row in summary_of([hand]).seats if row.seat == "D")
        (luck,) = dealer.counts["luck"]
        assert luck == next(each.best[0] for each in hand.decisions if each.what == "trump")


def test_intervals_are_those_of_the_module() -> None:
    for row in rows():
        for name in COLUMNS:
            counts, found = row.counts[name], row.mean(name)
            if counts.total() >= FEW_HANDS:
                assert found == interval(counts)
            else:
                assert found is None if not counts else found is not None and found.half is None
        assert row.best_share == share(row.best, row.unforced)


def test_json_tells_the_same() -> None:
    out = summary().json()
    assert (out["hands"], out["skipped"]) == (len(hands()), [])
    for row, told in zip(rows(), out["players"] + out["seats"], strict=True):
        assert (told["player"], told.get("seat", ""), told["hands"]) == (row.player, row.seat, row.hands)
        assert (told["quota_made"], told["unforced"], told["best"]) == (row.made, row.unforced, row.best)
        for mean in told["means"]:
            found = row.mean(mean["what"])
            assert found is not None and mean["value"] == round(found.value, 4)
            assert ("low" in mean) == (mean["hands"] >= FEW_HANDS)
            assert "low" not in mean or mean["low"] <= mean["value"] <= mean["high"]
        assert {mean["what"] for mean in told["means"]} == {name for name in COLUMNS if row.counts[name]}


def test_decisions_that_nobody_had_judged_are_no_zeros() -> None:
    """Neither on the page nor as JSON: a loss of 0 would be read as one that was found."""
    found = summary_of([review(hand.deal, NAMES, seconds=0) for hand in hands()[:4]])
    out, page = found.json(), summary_page(found)
    for row in out["players"] + out["seats"]:
        assert not {mean["what"] for mean in row["means"]} & {"exchange", "trump", "discard"}
    assert not re.search("<th[^>]*>(exchange|trump|discard)</th>", page) and re.search("<th[^>]*>play</th>", page)
    assert re.search("<th[^>]*>trump</th>", summary_page(summary()))


def test_what_is_left_out_is_told() -> None:
    late = replace(hands()[0], whole=False)
    found = summary_of([hands()[0], late, reviews.unfinished(), LimitReached("timeout", "no time"), late])
    late_said = "not all cards were judged in time"
    assert found.hands == 1 and found.skipped == (late_said, "not finished", "no time", late_said)
    page = summary_page(found)
    assert f"2 left out: {late_said}" in page and "1 left out: not finished" in page and "1 hand reviewed." in page


def test_nothing_at_all() -> None:
    found = summary_of([])
    assert (found.hands, found.players, found.seats, found.skipped) == (0, (), (), ())
    assert "0 hands reviewed." in summary_page(found) and "<table" not in summary_page(found)


def test_the_order_of_the_hands_does_not_matter() -> None:
    assert summary_of(reversed(hands())).json() == summary().json()


# ---- the page --------------------------------------------------------------------------------------------------------


def test_the_tables_of_the_page() -> None:
    page = summary_page(summary())
    cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page, re.S)]
    for row in rows():
        mean = row.mean("balance")
        assert mean is not None
        half = "" if mean.half is None else f" ± {mean.half:.2f}"
        assert f"{mean.value:.2f}{half}" in cells and row.player in cells
    assert page.count("<table") == 2 and page.count("<figure") == 4
    assert "://" not in re.sub(r'xmlns="[^"]*"', "", page)


def test_names_that_are_markup() -> None:
    named = replace(hands()[0], players=("<b>&", "M" * 60, "Z\u202e"))
    page = summary_page(summary_of([named]))
    assert "<b>&" not in page and "&lt;b&gt;&amp;" in page and "M" * 60 in page and "\u202e" not in page
    assert "M" * 27 + "…" in page
