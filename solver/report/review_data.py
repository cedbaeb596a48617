"""What the script of a review's page is given: the hand card by card, as small JSON.

    deal_data(review)        one deal
    data_element(reviews)    all of them, as an element that the script reads and nothing runs

    {"number": 1, "few": false, "total": 16, "kitty": 0, "quotas": [8, 5, 3], "names": [...],
     "hands": ["AKQ.T9..8765", ...],      at the first lead, dealer first
     "seats": "EMDEMD", "winners": "EM",  who played each card, who won each finished trick
     "cards": ["SA", ...],                in the order played
     "first": 0,                          the first play that is accounted for; the next lists begin there
     "sure": [[3, 3, 5], ...],            guarantees before that play, and after it and each later one
     "says": ["E's ... cost ...", ...],   what each card did; "lost": [0, 1, ...]
     "options": [{"SA": [3, 3, 6], ...}]} what each card would have left each seat (null: not known)

Guarantees are tricks as they count, with the kitty where it is a trick. Names are printable (`plain`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from tierce.solver.advice.ledger import Play
from tierce.solver.advice.review_results import Review
from tierce.solver.cards import SEATS3, Card, card_name, format_hand
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.solver.report.markup import Markup, element, plain
from tierce.solver.report.review_words import play_text

__all__ = ["cards_played", "data_element", "deal_data", "element_of", "first_lead", "first_play", "movers"]

Json: TypeAlias = dict[str, Any]
DATA_ID = "review-data"


def first_lead(deal: ReplayedDeal) -> State:
    """The state in which the play began."""
    return next(state for state in (*(state for _, state in deal.steps()), deal.state) if state.phase == "PLAY")


def cards_played(deal: ReplayedDeal) -> list[Card]:
    """The cards in the order played."""
    return [card for trick in deal.state.tricks for card in trick.cards] + list(deal.state.trick)


def movers(deal: ReplayedDeal) -> list[int]:
    """Who played each card."""
    full = [(trick.leader + place) % 3 for trick in deal.state.tricks for place in range(3)]
    return full + [(deal.state.leader + place) % 3 for place in range(len(deal.state.trick))]


def first_play(review: Review) -> int:
    """How many cards were played before the first that is accounted for."""
    return len(cards_played(review.deal)) - len(review.ledger.plays)


def deal_data(review: Review) -> Json:
    """One deal."""
    deal, plays = review.deal, review.ledger.plays
    return {
        "number": deal.number,
        "few": review.few,
        "total": review.total,
        "kitty": review.kitty,
        "quotas": list(review.quotas),
        "names": [plain(review.players[deal.state.player(seat)]) for seat in range(3)],
        "hands": [format_hand(hand) for hand in first_lead(deal).hands],
        "seats": "".join(SEATS3[seat] for seat in movers(deal)),
        "winners": "".join(SEATS3[trick.winner] for trick in deal.state.tricks),
        "cards": [card_name(card) for card in cards_played(deal)],
        "first": first_play(review),
        "sure": [list(review.counted(each)) for each in (review.ledger.start, *(play.after for play in plays))],
        "says": [play_text(review, play) for play in plays],
        "lost": [play.loss for play in plays],
        "options": [_options(review, play) for play in plays],
    }


def _options(review: Review, play: Play) -> dict[str, list[int | None]]:
    kitty = (review.kitty, 0, 0)
    return {
        card_name(card): [None if each is None else each + extra for each, extra in zip(values, kitty, strict=True)]
        for card, values in play.options
    }


def data_element(reviews: Sequence[Review]) -> Markup:
    """All deals."""
    return element_of([deal_data(review) for review in reviews])


def element_of(deals: Sequence[Json]) -> Markup:
    """The element with these deals. No letter of theirs can end it, in HTML or in XML."""
    text = json.dumps(deals, separators=(",", ":"))
    for letter in "<>&":  # in JSON these stand within strings only
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return element("script", Markup(text), type="application/json", id=DATA_ID)
