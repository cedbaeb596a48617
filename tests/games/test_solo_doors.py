"""What is of three-hand games refuses Solo Whist by its name, in the library too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.games.scenes import refusal
from tests.games.solo_matches import auction, whist
from tierce.solver.advice.choices import choices_of_deal, choices_of_state
from tierce.solver.advice.estimate import EstimateSearch
from tierce.solver.advice.exchange import ExchangeSearch
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch
from tierce.solver.advice.sender_views import sender_view
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.advice.views import dealer_view
from tierce.solver.games import next_exchange, random_deal, view

HAND = random_deal(whist(), 1).hands[0]


@pytest.mark.parametrize(
    "does",
    [
        lambda: choices_of_deal(whist(), random_deal(whist(), 1)),
        lambda: choices_of_state(auction()),
        lambda: exchange_of_deal(whist(), random_deal(whist(), 1), (8, 5, 3)),
        lambda: ExchangeSearch(auction()),
        lambda: EstimateSearch(view(auction(), 3), worlds=9),
        lambda: ExchangeEstimateSearch(view(auction(), 3), worlds=9),
        lambda: dealer_view(whist(), HAND),
        lambda: sender_view(whist(), HAND, (8, 5, 3)),
    ],
)
def test_refused(does: Callable[[], object]) -> None:
    code, field, message = refusal(does)
    assert (code, field) == ("game", "game") and message.endswith("found solo_whist with 4")


def test_there_is_no_exchange() -> None:
    assert next_exchange(auction()) == ()
