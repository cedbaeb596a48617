"""What is said by what each player could know: on the page beside the cost with all cards seen, and in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from tests.advice.played import play
from tests.advice.small_games import twin
from tests.report import reviews
from tests.report.test_review_page import HOSTILE, Reader, named, text_of, tree
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.fair import FairPlay
from tierce.solver.advice.fair_decisions import Fair, FairDecision, FairLeft, fair_review
from tierce.solver.advice.review import review
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import card_name, parse_card
from tierce.solver.report import fair_words as words
from tierce.solver.report.review_data import first_play
from tierce.solver.report.review_page import review_page

TITLE = "By what each player could know"


@cache
def judged(name: str = "raf") -> tuple[Review, Fair]:
    """A small deal, with losses of both kinds."""
    deal = next(
        each.deal for seed in count() for each in play(f"page {seed}", name, twin(name)) if each.deal.state.transfers
    )
    return review(deal, reviews.NAMES, seconds=None, every=True), fair_review(deal, worlds=12)


def fair(losses: list[tuple[float, float | None]], worlds: int = 20, left: tuple[FairLeft, ...] = ()) -> Fair:
    """Cards of the unfinished hand, with invented losses."""
    plays = reviews.unfinished().ledger.plays
    cards = [at for at, each in enumerate(plays) if not each.forced][: len(losses)]
    told = [
        FairPlay(
            at, plays[at].trick, plays[at].seat, plays[at].card, worlds, 99,
            ((parse_card("SA"), 2 + loss), (plays[at].card, 2.0)), Figure(loss, error),
        )
        for at, (loss, error) in zip(cards, losses, strict=True)
    ]  # fmt: skip
    return Fair((), tuple(told), worlds, 1, left)


# ---- the page --------------------------------------------------------------------------------------------------------


def rows(text: str) -> Iterator[list[str]]:
    """The cells of the section's table."""
    part = next(each for each in tree(text).iter("section") if text_of(each).startswith(TITLE))
    for row in part.iter("tr"):
        yield [named(text_of(cell)) for cell in row]


def test_the_page_sets_both_measures_side_by_side() -> None:
    """A row for each decision, and for each card that cost something by one of them."""
    found, known = judged()
    text = review_page([found], [known])
    head, *told = rows(text)
    assert head == ["choice", "verdict", "better then", "with all cards seen", "by what was known"]
    plays = found.ledger.plays
    cards = [each for each in known.plays if each.loss.value or plays[each.number].loss]
    assert len(told) == len(known.decisions) + len(cards) > 2
    assert [float(row[4].split()[0]) for row in told] == sorted(
        (float(row[4].split()[0]) for row in told), reverse=True
    )
    for each in cards:
        place = f"Trick {each.trick}: {'DEM'[each.seat]}'s {card_name(each.card)}"
        (row,) = (row for row in told if row[0] == place)
        assert row[3] == str(plays[each.number].loss) and row[4] == words.figure_text(each.loss)
        assert row[2] == (card_name(each.best) if each.loss.value else "") and row[1] == words.verdict(known, each)
    for decision in known.decisions:
        (row,) = (row for row in told if row[0] == words.choice_name(decision.what, decision.seat))
        parts = [each for each in found.decisions if each.what in decision.what.split(" and ")]
        assert row[3] == f"{sum(each.loss or 0 for each in parts if each.seat == decision.seat):g}"
    assert words.about(known) in text_of(tree(text))


def test_links_lead_to_the_cards() -> None:
    found, known = judged()
    text = review_page([found], [known])
    addresses = re.findall(r'href="#deal=\d+&amp;play=(\d+)">Trick (\d+):</a>', text)
    assert {int(at) for at, _ in addresses} >= {each.number for each in known.plays if each.loss.value}
    assert all(int(at) // 3 + 1 == int(trick) for at, trick in addresses)


def test_without_estimates_the_page_says_nothing_of_them() -> None:
    found, known = judged()
    assert TITLE not in review_page([found]) and TITLE not in review_page([found], [None])
    assert review_page([found, found], [None, known]).count(f"<h2>{TITLE}</h2>") == 1
    with pytest.raises(ValueError, match="zip"):
        review_page([found], [known, known])


def test_what_is_not_judged_stands_on_the_page() -> None:
    found, known = judged()
    left = (FairLeft("exchange", 2), FairLeft("card", 0, 0, 1, parse_card("SA")))
    text = review_page([replace(found, players=HOSTILE)], [replace(known, left=left, decisions=(), plays=())])
    reader = Reader(text)
    assert reader.open == [] and "alert(1)" not in reader.text("script", type="module")
    said = text_of(tree(text))
    assert "Middle's parcels: not judged." in said
    assert "1 card played with a choice, of trick 1, not judged in time." in said
    assert "No choice cost anything, by either measure." in said


# ---- sentences -------------------------------------------------------------------------------------------------------


def test_a_loss_is_to_blame_or_chance() -> None:
    """Two standard errors tell it from none, and more worlds than a few."""
    told = fair([(1.0, 0.4), (1.0, 0.6), (0.0, 0.0), (0.5, 0.1)])
    assert [words.verdict(told, each) for each in told.plays] == [
        "to blame", "may be chance", "nothing was better", "to blame",
    ]  # fmt: skip
    assert [each.loss.value for each in words.blamed(told)] == [1.0, 0.5]
    few = fair([(1.0, 0.1), (1.0, None)], worlds=4)
    assert [words.verdict(few, each) for each in few.plays] == ["too few worlds to tell"] * 2
    assert words.blamed(few) == [] and words.no_blame_text(few) == "There were too few worlds to blame a card."
    assert words.no_blame_text(fair([(1.0, 0.6)])) == "No card can be blamed."
    assert words.no_blame_text(fair([])) == "No card was judged."


@pytest.mark.parametrize(
    ("loss", "worlds", "text"),
    [
        (Figure(1.875, 0.55), 20, "a loss of 1.88 ±0.55."),
        (Figure(0.4, 0.24), 20, "a loss of 0.40 ±0.24; it cannot be told from none."),
        (Figure(0.4, 0.0), 5, "a loss of 0.40 ±0.00; there were too few worlds to tell it from none."),
        (Figure(2.0, None), 1, "a loss of 2.00; there were too few worlds to tell it from none."),
        (Figure(0.0, None), 1, "nothing was better."),
    ],
)
def test_a_decision_as_people_say_it(loss: Figure, worlds: int, text: str) -> None:
    decision = FairDecision("trump and discard", 0, loss, worlds)
    assert words.decision_text(fair([], worlds), decision) == f"Dealer's trump and discard: {text}"
    assert words.decision_text(fair([], worlds), replace(decision, what="exchange", seat=1)).startswith(
        "Eldest's parcels: "
    )


def test_how_many_worlds_are_told() -> None:
    assert "over one random world that fits what its player knew (seed 1)" in words.about(fair([], 1))
    assert "over 1,000 random worlds that fit what its player knew" in words.about(fair([], 1000))


def test_what_was_left_is_counted() -> None:
    cards = tuple(FairLeft("card", 0, 3 * at, at + 1, parse_card("SA")) for at in range(3))
    assert [*words.left_texts(fair([], left=(FairLeft("swap", 1), *cards)))] == [
        "Eldest's swap: not judged.",
        "3 cards played with a choice, of tricks 1 to 3, not judged in time.",
    ]
    assert [*words.left_texts(fair([]))] == []


def test_totals_are_of_the_same_cards() -> None:
    """By both measures those cards alone that were judged by both."""
    found = reviews.unfinished()
    told = fair([(1.0, 0.4), (0.5, 0.2), (0.25, 0.1)])
    assert first_play(found) == 0
    lost = [sum(each.loss.value for each in told.plays if each.seat == seat) for seat in range(3)]
    seen = [sum(found.ledger.plays[each.number].loss for each in told.plays if each.seat == seat) for seat in range(3)]
    by = ", ".join(f"{seat} {value:.1f}" for seat, value in zip("DEM", lost, strict=True))
    sure = ", ".join(f"{seat} {value}" for seat, value in zip("DEM", seen, strict=True))
    assert words.total_text(found, told) == f"Lost by cards in all, by this measure: {by}; with all cards seen: {sure}."
    later = replace(found, ledger=replace(found.ledger, plays=found.ledger.plays[told.plays[1].number :]))
    some = words.total_text(later, told)
    assert some.startswith("Lost by the cards that were judged, by this measure: ")
    assert sum(map(float, re.findall(r"\d\.\d", some))) == pytest.approx(0.75, abs=0.11)
