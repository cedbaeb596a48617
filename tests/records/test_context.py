"""What a record says came before its first deal, and what cannot have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tierce.solver.games import RecordError, load_game, random_deal, read_record, replay


def record(game: str, context: dict[str, Any], **options: Any) -> str:
    profile = load_game(game, options)
    deal = {"deal": str(random_deal(profile, 1))}
    return json.dumps({"tierce_record": 1, "game": game, "options": options, "context": context, "deals": [deal]})


@pytest.mark.parametrize(
    ("game", "totals", "dealer", "tricks", "message"),
    [
        ("raf", [1000, -500, -500], 0, {"D": 10, "E": 4, "M": 2}, "expected totals within 13 before"),
        ("raf", [18, -9, -9], 0, {"D": 10, "E": 4, "M": 2}, "expected totals within 13 before"),
        ("nine_five_two", [9, -4, -5], 0, {"D": 0, "E": 8, "M": 8}, "expected totals within 14 before"),
        ("nine_five_two", [2, -1, -1], 0, {"D": 0, "E": 8, "M": 8}, "expected a match that went on before"),
    ],
)
def test_totals_that_cannot_have_been(
    game: str, totals: list[int], dealer: int, tricks: dict[str, int], message: str
) -> None:
    text = record(game, {"deal": 3, "totals": totals, "previous": {"dealer": dealer, "tricks": tricks}})
    with pytest.raises(RecordError) as caught:
        replay(read_record(text))
    assert (caught.value.code, caught.value.field) == ("context", "context.totals")
    assert message in caught.value.message


def test_the_bid_follows_from_the_quotas() -> None:
    """Thirteen promised and twelve made: with win_needs_bid the match goes on, though no bid is stated."""
    previous = {"dealer": 0, "quotas": {"D": 13, "E": 2, "M": 1}, "tricks": {"D": 12, "E": 2, "M": 2}}
    context = {"deal": 2, "totals": [-1, 0, 1], "previous": previous}
    state = replay(read_record(record("woburn", context, win_needs_bid=True))).state
    assert state.previous is not None
    assert state.previous.bid == 13
    with pytest.raises(RecordError, match="expected a match that goes on"):
        replay(read_record(record("woburn", context)))
