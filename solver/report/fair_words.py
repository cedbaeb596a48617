"""The words of a hand judged by what its players could know, for the terminal and the page alike: plain text.

    about(fair)                    what the numbers are
    decision_text(fair, decision)  "Dealer's trump and discard: a loss of 1.88 ±0.55."
    play_text(play)                "Trick 3: E's ST lost 1.12 ±0.23 against S2."
    blamed(fair)                   the cards that are to blame, the dearest first
    no_blame_text(fair)            why there are none
    left_texts(fair)               what was not judged
    total_text(review, fair)       what the seats lost by both measures
    verdict(fair, choice)          "to blame", "may be chance" ...

A loss by this measure is an estimate; it is told with its standard error, and with a word on whether it may be chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.fair import FairPlay
from tierce.solver.advice.fair_decisions import Fair, FairDecision
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import SEATS3, card_name
from tierce.solver.report.hands import SEAT_NAMES
from tierce.solver.report.review_data import first_play

__all__ = [
    "about",
    "blamed",
    "choice_name",
    "decision_text",
    "figure_text",
    "left_texts",
    "no_blame_text",
    "play_text",
    "total_text",
    "verdict",
]

_WHAT: Final = {"exchange": "parcels"}


def about(fair: Fair) -> str:
    """What the numbers are."""
    worlds = "one random world that fits" if fair.worlds == 1 else f"{fair.worlds:,} random worlds that fit"
    return (
        f"An estimate, for each choice over {worlds} what its player knew (seed {fair.seed}): how far the best mean is "
        "ahead of what was chosen, ± its standard error. All else is hindsight."
    )


def figure_text(loss: Figure) -> str:
    """`0.88 ±0.23`."""
    return f"{loss.value:.2f}" + ("" if loss.error is None else f" ±{loss.error:.2f}")


def choice_name(what: str, seat: int) -> str:
    """`Dealer's trump and discard`."""
    return f"{SEAT_NAMES[SEATS3[seat]]}'s {_WHAT.get(what, what)}"


def verdict(fair: Fair, choice: FairDecision | FairPlay) -> str:
    """Is it to blame?"""
    if not choice.loss.value:
        return "nothing was better"
    if choice.blamed:
        return "to blame"
    return "too few worlds to tell" if fair.few_worlds else "may be chance"


def decision_text(fair: Fair, decision: FairDecision) -> str:
    """A decision before the play."""
    name = choice_name(decision.what, decision.seat)
    if not decision.loss.value:
        return f"{name}: nothing was better."
    said = f"{name}: a loss of {figure_text(decision.loss)}"
    if decision.blamed:
        return f"{said}."
    why = "there were too few worlds to tell it from none" if fair.few_worlds else "it cannot be told from none"
    return f"{said}; {why}."


def blamed(fair: Fair) -> list[FairPlay]:
    """The cards whose loss is no chance, the dearest first."""
    return sorted((each for each in fair.plays if each.blamed), key=lambda each: -each.loss.value)


def play_text(play: FairPlay) -> str:
    """A card that is to blame."""
    card, best = card_name(play.card), card_name(play.best)
    return f"Trick {play.trick}: {SEATS3[play.seat]}'s {card} lost {figure_text(play.loss)} against {best}."


def no_blame_text(fair: Fair) -> str:
    """Where no card is to blame, or none could be found to be."""
    if not fair.plays:
        return "No card was judged."
    return "There were too few worlds to blame a card." if fair.few_worlds else "No card can be blamed."


def left_texts(fair: Fair) -> Iterator[str]:
    """What was not judged."""
    for each in fair.left:
        if each.what != "card":
            yield f"{choice_name(each.what, each.seat)}: not judged."
    tricks = [each.trick for each in fair.left if each.trick is not None]
    if tricks:
        cards = "1 card" if len(tricks) == 1 else f"{len(tricks)} cards"
        where = f"trick {tricks[0]}" if tricks[0] == tricks[-1] else f"tricks {tricks[0]} to {tricks[-1]}"
        yield f"{cards} played with a choice, of {where}, not judged in time."


def total_text(review: Review, fair: Fair) -> str:
    """What the seats lost by cards, by both measures: by those cards that were judged by both."""
    first = first_play(review)
    both = [each for each in fair.plays if each.number >= first]
    known = ", ".join(
        f"{SEATS3[seat]} {sum(each.loss.value for each in both if each.seat == seat):.1f}" for seat in range(3)
    )
    seen = ", ".join(
        f"{SEATS3[seat]} {sum(review.ledger.plays[each.number - first].loss for each in both if each.seat == seat)}"
        for seat in range(3)
    )
    some = len(both) < len(fair.plays) or any(each.what == "card" for each in fair.left)
    which = "by the cards that were judged" if some else "by cards in all"
    return f"Lost {which}, by this measure: {known}; with all cards seen: {seen}."
