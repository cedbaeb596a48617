"""What the script of a review's page is given of a deal bid for a contract: the hand card by card, as small JSON.

    contract_element(reviews)    all of them, as an element that the script reads and nothing runs

The fields are those of `review_data`, with one number in place of three, the tricks of the declarers (0 or 1 where none
may be taken), and besides

    "contract": {"title": "Solo", "declarers": "S", "needs": 5}
    "made": true,     null where the hand is not finished
    "claim": false    was the rest claimed?

A void deal has its number and nothing else. Names are printable (`plain`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.cards import SEATS4, card_name, format_hand
from tierce.solver.games.contracts import contract_title
from tierce.solver.report.contract_words import play_text
from tierce.solver.report.markup import Markup, plain
from tierce.solver.report.review_data import cards_played, element_of

__all__ = ["contract_data", "contract_element", "first_play", "movers"]

Json: TypeAlias = dict[str, Any]


def movers(review: ContractReview) -> list[int]:
    """Who played each card."""
    state = review.deal.state
    full = [(trick.leader + place) % 4 for trick in state.tricks for place in range(4)]
    return full + [(state.leader + place) % 4 for place in range(len(state.trick))]


def first_play(review: ContractReview) -> int:
    """How many cards were played before the first that is accounted for."""
    return len(cards_played(review.deal)) - len(review.ledger.plays if review.ledger is not None else ())


def contract_data(review: ContractReview) -> Json:
    """One deal."""
    deal, ledger, contract = review.deal, review.ledger, review.contract
    if ledger is None or contract is None or deal.state.dealt is None:
        return {"number": deal.number}
    return {
        "number": deal.number,
        "few": ledger.fewest,
        "total": review.total,
        "kitty": 0,
        "names": [plain(review.players[deal.state.player(seat)]) for seat in range(4)],
        "hands": [format_hand(hand) for hand in deal.state.dealt.hands],
        "seats": "".join(SEATS4[seat] for seat in movers(review)),
        "winners": "".join(SEATS4[trick.winner] for trick in deal.state.tricks),
        "cards": [card_name(card) for card in cards_played(deal)],
        "first": first_play(review),
        "sure": [[each] for each in (ledger.start, *(play.after for play in ledger.plays))],
        "says": [play_text(review, play) for play in ledger.plays],
        "lost": [play.loss for play in ledger.plays],
        "options": [{card_name(card): [worth] for card, worth in play.options} for play in ledger.plays],
        "contract": {
            "title": contract_title(contract.name),
            "declarers": "".join(SEATS4[seat] for seat in contract.declarers),
            "needs": contract.rule.needs,
        },
        "made": review.made if review.finished else None,
        "claim": deal.state.claim is not None,
    }


def contract_element(reviews: Sequence[ContractReview]) -> Markup:
    """All deals."""
    return element_of([contract_data(review) for review in reviews])
