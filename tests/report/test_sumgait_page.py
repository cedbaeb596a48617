"""The pages of studied hands and of reviewed deals: their parts, their numbers, well-formed; their words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from statistics import stdev
from xml.etree import ElementTree

import pytest

from tests.games.sumgait.make_golden import GOLDEN
from tierce.solver.games import read_any
from tierce.solver.games.sumgait import Record, parse_hand, random_deal, replay
from tierce.solver.piles.results import Mean
from tierce.solver.piles.review import review_deal
from tierce.solver.piles.review_results import DealReview, MarriageReview
from tierce.solver.piles.study import study_hand
from tierce.solver.piles.study_results import HandStudy
from tierce.solver.report.intervals import half_width, interval
from tierce.solver.report.sumgait_page import (
    by_chance,
    caveats,
    chance_rows,
    led_rows,
    number,
    opening,
    spread,
    sumgait_page,
    ten_text,
)
from tierce.solver.report.sumgait_review import account, loss_text, remarks, result_text, sumgait_review_page

HAND = parse_hand("AQT98.T763.KJ543.KJ8.J1")
DEAL = random_deal(3)


@pytest.fixture(scope="module")
def study() -> HandStudy:
    return study_hand(HAND, deals=6, samples=5, exact=3)


def text_of(page: str) -> str:
    tree = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    return " ".join(" ".join(tree.itertext()).split())


@pytest.mark.parametrize("hand", [HAND, DEAL.hands[0], DEAL.hands[0] | DEAL.kitty])
def test_pages_are_well_formed_and_load_nothing(hand: int) -> None:
    page = sumgait_page(study_hand(hand, deals=2, samples=5, exact=3), "1.2.3")
    assert "tierce 1.2.3, sumgait, seed 1, 2 deals" in text_of(page)
    assert page.count("<svg") == 2
    assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org)", page)


def test_every_number_is_there(study: HandStudy) -> None:
    page = sumgait_page(study, "1")
    text = text_of(page)
    for tricks, deals in study.tricks.items():
        assert f'>{tricks}</th><td class="number">{deals}</td>' in page
    for each in study.led:
        assert f"{each.stands} = " in text
    for row in chance_rows(study):
        assert " ".join(row) in text
    for bracket in study.bounds:
        assert number(bracket.made, bracket.objective) in text
    assert f"of ten tricks the intervals are {ten_text(study).split('interval ')[1][:-2]} (made), " in caveats(study)
    assert "best play is worth no less" in text
    assert "best play is worth no more" in text


def test_numbers() -> None:
    mean = Mean(12.345, 0.5, 100)
    assert number(mean) == "12.3 ±1.0"
    assert number(mean, "tricks") == "12.35 ±0.98" or number(mean, "tricks") == "12.34 ±0.98"
    assert number(Mean(0.5, 0.05, 100), "ten") == "50.0%", "the interval of a share is not even"
    assert spread(mean) == "12.3 ±1.0 (standard error 0.5)"
    assert spread(Mean(3.0, None, 1)) == "3.0"


def test_few_deals_have_wider_intervals() -> None:
    """Student's t below 30: of 5 deals 2.776 standard errors, of 29 2.048."""
    assert [number(Mean(10.0, 1.0, deals), "tricks") for deals in (2, 5, 29, 30)] == [
        "10.00 ±12.71", "10.00 ±2.78", "10.00 ±2.05", "10.00 ±1.96",
    ]  # fmt: skip
    few = Mean(10.0, 1.0, 5)
    assert half_width(few.error, few.samples) == pytest.approx(2.7764, abs=1e-4)
    assert loss_text(few) == "10.0 ±2.8" and loss_text(Mean(10.0, 1.0, 400)) == "10.0 ±2.0"
    assert loss_text(Mean(10.0, 0.0, 1)) == "10.0", "what is exact"
    assert half_width(None, 1) is None


def test_intervals_in_json(study: HandStudy) -> None:
    mean = study.json()["points"]["mean"]
    assert study.deals == 6
    assert mean["high"] - mean["value"] == pytest.approx(2.57058 * mean["error"], abs=1e-3)
    assert mean["value"] - mean["low"] == pytest.approx(2.57058 * mean["error"], abs=1e-3)


@pytest.mark.parametrize("size", range(2, 40))
def test_quantiles_are_those_of_other_means(size: int) -> None:
    """From an error and a size alone, or from the values."""
    counts = Counter(range(size))
    error = stdev(range(size)) / sqrt(size)
    assert half_width(error, size) == pytest.approx(interval(counts).half, rel=1e-5)


def test_chances_next_to_an_end_have_more_decimals() -> None:
    assert number(Mean(0.9998, 0.0001, 10_000), "ten") == "99.98%"
    assert number(Mean(1.0, 0.0, 10), "ten") == "100.0%"


def test_what_chance_allows() -> None:
    """One half in a hundred deals: a standard error of five hundredths, and four times the deals halve it."""
    assert by_chance(Fraction(1, 2), 100) == pytest.approx(1.96 * 0.05, abs=1e-4)
    assert by_chance(Fraction(1, 2), 400) == pytest.approx(by_chance(Fraction(1, 2), 100) / 2)
    assert by_chance(Fraction(1), 10) == 0


def test_rows_say_how_often_it_was_seen(study: HandStudy) -> None:
    for row, led in zip(led_rows(study), study.led, strict=True):
        assert row[-1].startswith(f"{100 * led.seen / 6:.1f}% ±")


def test_the_opening_tells_how_it_gave() -> None:
    study = study_hand(DEAL.hands[0] | DEAL.kitty, deals=2, samples=5, exact=3)
    said = " ".join(opening(study))
    assert "2 random deals, seed 1, played for points" in said
    assert "1,001 sets of four" in said
    assert "draws its kitty" in " ".join(opening(replace(study, hand=DEAL.hands[0], giving=None)))


# ---- reviews ---------------------------------------------------------------------------------------------------------


@cache
def reviewed(samples: int) -> list[tuple[int, str, DealReview]]:
    records = read_any(GOLDEN / "deals.jsonl")
    deals = [deal for record in records if isinstance(record, Record) for deal in replay(record).deals]
    return [(n, "<Ann & co>", review_deal(deal, samples=samples if n == 1 else 0)) for n, deal in enumerate(deals, 1)]


def test_a_page_of_reviews() -> None:
    deals = reviewed(5)
    page = sumgait_review_page(deals, "1.2.3")
    text = text_of(page)
    assert "Deal 1: <Ann & co> plays: 10 tricks, +290 Game." in text
    assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org)", page)
    assert page.count("<svg") == sum(each.lost > 0 for _, _, each in deals) == 1
    played = [each for _, _, found in deals for each in found.cards]
    assert page.count('<th scope="row">') == len(played) == 36
    for _, _, found in deals:
        for sentence in (*list(account(found))[1:], *remarks(found)):
            said = re.sub(r"\b[SHDC](?=[2-9TJQKA]\b)", "", sentence)
            assert said.replace(" ", "") in re.sub(r"[♠♥♦♣ ]", "", text)


def test_sentences_of_what_is_not_judged() -> None:
    first, passed, _ = (found for _, _, found in reviewed(0))
    assert list(remarks(first))[-1] == "Not judged: robbery, what PASS would have brought, the giving."
    assert list(account(passed))[1:] == [
        "In Vist the deal brought player 1 -2520 and player 3 -720.",
        "Three blind piles: no card was chosen, so that none is judged.",
    ]
    blind = replace(first, end=None, play_best=None, misere_best=None)
    assert "nothing is judged in hindsight" in " ".join(account(blind))
    assert "hindsight (the piles' order is not known)" in " ".join(remarks(blind))
    open_ = replace(first, finished=False, points=None)
    assert result_text(open_) == "plays; the deal is not finished."
    assert "290 still to be had" in " ".join(account(open_))


def test_sentences_of_marriages() -> None:
    first = reviewed(0)[0][2]
    for marriage, said in (
        (MarriageReview(0, None, (), given_away=True), "The marriage of spades was given away."),
        (MarriageReview(1, 4, (2, 4)), "The marriage of hearts was declared in trick 4."),
        (MarriageReview(2, None, ()), "The marriage of diamonds never had a chance"),
        (MarriageReview(3, None, (5,)), "The marriage of clubs was never declared; it could have been in trick 5."),
        (
            MarriageReview(3, None, (5, 6), missed=(6, Mean(30.0, 5.0, 400))),
            "in tricks 5, 6: in trick 6 the same card, declaring, was worth 30.0 ±9.8 more.",
        ),
    ):
        assert said in " ".join(remarks(replace(first, marriages=(marriage,))))
