"""Reviews of Solo Whist to make pages and sentences of."""

from __future__ import annotations

from functools import cache

from tests.advice.contract_played import APART, DIAMONDS, NAMES, escape, golden, hand, match
from tierce.solver.advice.contract_review import contract_review
from tierce.solver.advice.contract_review_results import ContractReview

SMALL = 8  # MiB of table


@cache
def thrown_away() -> ContractReview:
    """A Misère that East lets off and South throws away; the rest is claimed."""
    deal = escape(f"{DIAMONDS} DJ C3 S6 ST CK C2 C4 C7 CQ CA C5 C8", (0, 7, 0, 0))
    return contract_review(deal, NAMES, seconds=None, table_mb=SMALL)


@cache
def unfinished() -> ContractReview:
    """Three tricks and a card of it."""
    return contract_review(escape(f"{DIAMONDS} CK"), NAMES, seconds=None, table_mb=SMALL)


@cache
def badly_named() -> ContractReview:
    """North names hearts in place of his own spades."""
    deal = hand(APART, (None, None, None, "abundance"), trump="H", claim=(0, 13, 0, 0))
    return contract_review(deal, NAMES, seconds=None, table_mb=SMALL)


@cache
def void() -> ContractReview:
    """Nobody bids, though each could make everything."""
    return contract_review(hand(APART, (None,) * 4), NAMES, seconds=None, table_mb=SMALL)


@cache
def playthroughs() -> tuple[ContractReview, ...]:
    """The golden hands."""
    return tuple(contract_review(deal, NAMES, seconds=None, table_mb=SMALL) for deal in golden())


@cache
def whole_match() -> tuple[ContractReview, ...]:
    """A whole match by lot, cards alone."""
    return tuple(contract_review(deal, NAMES, seconds=0, table_mb=SMALL) for deal in match(6, 8, claims=0))
