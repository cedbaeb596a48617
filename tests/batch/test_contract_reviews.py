"""Deals of contracts reviewed on several threads, alone and among hands of three."""

from __future__ import annotations

from typing import Any

import pytest

from tests.advice.contract_played import NAMES, golden, hand
from tests.advice.played import play
from tests.advice.small_games import twin
from tierce.solver.advice.contract_review import contract_review
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.review_results import Review
from tierce.solver.batch.reviews import Hand, review_many
from tierce.solver.errors import InputError

TIMES = ("nodes", "millis")


def told(found: object) -> dict[str, Any]:
    assert isinstance(found, ContractReview), found
    return {key: value for key, value in found.json().items() if key not in TIMES}


@pytest.mark.parametrize("threads", [1, 2])
def test_in_their_order_each_as_alone(threads: int) -> None:
    hands: list[Hand] = [(deal, NAMES) for deal in golden()[::2]]
    found = [told(each) for each in review_many(hands, threads=threads, seconds=None)]
    assert found == [told(contract_review(deal, NAMES, seconds=None)) for deal in golden()[::2]]


def test_among_hands_of_three() -> None:
    three = next(iter(play("many", "raf", twin("raf"), 1))).deal
    bare = hand("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", (None,))
    hands: list[Hand] = [(golden()[0], NAMES), (three, None), (bare, NAMES), (golden()[15], None)]
    found = [*review_many(hands, threads=2, seconds=0)]
    assert [type(each) for each in found] == [ContractReview, Review, InputError, ContractReview]
