"""The page of a studied hand: its parts, its numbers, well-formed; its words."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from tierce.solver.games.sumgait import parse_hand, random_deal
from tierce.solver.piles.results import Mean
from tierce.solver.piles.study import study_hand
from tierce.solver.piles.study_results import HandStudy
from tierce.solver.report.sumgait_page import by_chance, chance_rows, led_rows, number, opening, spread, sumgait_page

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
    assert "best play is worth no less" in text
    assert "best play is worth no more" in text


def test_numbers() -> None:
    mean = Mean(12.345, 0.5, 100)
    assert number(mean) == "12.3 ±1.0"
    assert number(mean, "tricks") == "12.35 ±0.98" or number(mean, "tricks") == "12.34 ±0.98"
    assert number(Mean(0.5, 0.05, 100), "ten") == "50.0% ±9.8"
    assert spread(mean) == "12.3 ±1.0 (standard error 0.5)"
    assert spread(Mean(3.0, None, 1)) == "3.0"


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
