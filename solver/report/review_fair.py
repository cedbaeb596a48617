"""The part of a review's page that judges by what each player could know, beside what it cost with all cards seen.

A row for every choice before the play, and for every card that cost something by one measure or the other; the dearest
by what was known come first. The page can be read without it, and it without a script.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from tierce.solver.advice.fair import FairPlay
from tierce.solver.advice.fair_decisions import Fair, FairDecision
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import SEATS3, card_name
from tierce.solver.report import fair_words as words
from tierce.solver.report.hands import names_markup
from tierce.solver.report.markup import Content, Markup, element, joined, section, table
from tierce.solver.report.review_data import first_play

__all__ = ["fair_section"]

Row: TypeAlias = list[Content]
_TITLE: Final = "By what each player could know"


def fair_section(review: Review, fair: Fair, link: str) -> Markup:
    """The section. `link`: the address of the deal on its page."""
    left = [element("p", each, class_="warning") for each in words.left_texts(fair)]
    note = element("p", f"{words.about(fair)} It took {fair.millis / 1e3:.1f} s.", class_="note")
    rows = [row for _, row in sorted(_rows(review, fair, link), key=lambda each: -each[0])]
    if not rows:
        return section(_TITLE, note, *left, element("p", "No choice cost anything, by either measure."))
    header = ["choice", "verdict", "better then", "with all cards seen", "by what was known"]
    caption = "What choices cost their players, in tricks: with all cards seen, and by what was known"
    return section(
        _TITLE, note, *left, table(header, rows, caption=caption, words=3), element("p", words.total_text(review, fair))
    )


def _rows(review: Review, fair: Fair, link: str) -> Iterator[tuple[float, Row]]:
    """Rows with what they cost."""
    for decision in fair.decisions:
        name = words.choice_name(decision.what, decision.seat)
        yield decision.loss.value, [name, *_told(fair, decision, "", _hindsight(review, decision))]
    first = first_play(review)
    for play in fair.plays:
        seen = review.ledger.plays[play.number - first].loss if play.number >= first else None
        if play.blamed or play.loss.value or seen:
            yield play.loss.value, [_place(play, link), *_told(fair, play, _better(play), seen)]


def _told(fair: Fair, choice: FairDecision | FairPlay, better: Content, seen: float | None) -> Row:
    hindsight = "?" if seen is None else f"{seen:g}"
    return [words.verdict(fair, choice), better, hindsight, words.figure_text(choice.loss)]


def _place(play: FairPlay, link: str) -> Content:
    """The card, and the way to it."""
    where = element("a", f"Trick {play.trick}:", href=f"{link}&play={play.number}")
    return joined([where, names_markup(f" {SEATS3[play.seat]}'s {card_name(play.card)}")])


def _better(play: FairPlay) -> Content:
    return names_markup(card_name(play.best)) if play.loss.value else ""


def _hindsight(review: Review, decision: FairDecision) -> float | None:
    """What the decision cost with all cards seen; None if that is not known."""
    parts = decision.what.split(" and ")
    found = [each.loss for each in review.decisions if each.seat == decision.seat and each.what in parts]
    known = [loss for loss in found if loss is not None]
    return sum(known) if len(known) == len(parts) else None
