"""Questions of estimates: the request, the call it goes by, and how its answer is read. Used by both clients."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tierce.service import typed_estimates
from tierce.service.wires import Wire, game_choice
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.estimate_results import DealerEstimate
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate
from tierce.solver.advice.fair_decisions import Fair
from tierce.solver.advice.sender_choices import SenderOutlook
from tierce.solver.advice.spelling import chosen_text
from tierce.solver.cards import Mask, format_hand
from tierce.solver.checks import check_whole, is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.games import record_of, write_record
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.view import View
from tierce.solver.hints.view_json import view_json
from tierce.v1 import estimate_pb2, fair_pb2

__all__ = ["dealer", "exchange", "fair"]


def dealer(
    view: View,
    *,
    worlds: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    by: str = "mean",
    calls: Sequence[str] = (),
    chosen: Candidate | None = None,
    partial: bool = False,
) -> Wire[DealerEstimate]:
    """DealerEstimate."""
    outlook = Outlook(view, calls)
    if chosen is not None:
        outlook.check(chosen)
    request = estimate_pb2.DealerEstimateRequest(
        **_asked(view, worlds, seconds, seed),
        by=by,
        calls=calls,
        chosen="" if chosen is None else chosen_text(chosen.call, chosen.choice),
        all=True,
        scores=True,
        partial=partial,
    )
    return Wire(
        "Advice",
        "DealerEstimate",
        request,
        lambda message: typed_estimates.dealer_estimate(outlook, seed, message),
        streamed=True,
    )


def exchange(
    view: View,
    *,
    worlds: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    reply: str = "quick",
    by: str = "mean",
    chosen: Sequence[Mask] | None = None,
    partial: bool = False,
) -> Wire[ExchangeEstimate]:
    """ExchangeEstimate."""
    outlook = SenderOutlook(view)
    if chosen is not None:
        outlook.check(chosen)
    request = estimate_pb2.ExchangeEstimateRequest(
        **_asked(view, worlds, seconds, seed),
        by=by,
        reply=reply,
        chosen=map(format_hand, chosen or ()),
        all=True,
        scores=True,
        partial=partial,
    )
    return Wire(
        "Advice",
        "ExchangeEstimate",
        request,
        lambda message: typed_estimates.exchange_estimate(outlook, seed, message),
        streamed=True,
    )


def fair(deal: ReplayedDeal, *, worlds: int, seed: int, seconds: float | None) -> Wire[Fair]:
    """FairReview. `seconds`: None: as many as the server lets."""
    game_choice(deal.state.profile)
    request = fair_pb2.FairReviewRequest(
        record=write_record(record_of(deal.state)).encode(),
        scores=True,
        **_budget(worlds, 1e9 if seconds is None else seconds, seed),
    )
    return Wire("Advice", "FairReview", request, lambda message: typed_estimates.fair_review(message, seed))


def _asked(view: View, worlds: int | None, seconds: float | None, seed: int) -> dict[str, Any]:
    game_choice(view.profile)
    return {"view": json.dumps(view_json(view)).encode()} | _budget(worlds, seconds, seed)


def _budget(worlds: int | None, seconds: float | None, seed: int) -> dict[str, Any]:
    check_whole(seed, 0, (1 << 64) - 1, "a whole number from 0 to 2**64 - 1", "seed")
    if worlds is not None:
        check_whole(worlds, 1, (1 << 32) - 1, "a number of worlds", "worlds")
    if seconds is not None and not is_number(seconds):
        raise InputError("seconds", f"expected a number of seconds, found {quoted(seconds)}", field="seconds")
    return {"worlds": worlds, "seconds": seconds, "seed": seed}
