"""Estimates as messages: the library's JSON in protobuf's form (see `told`), and what a client needs beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf.json_format import ParseDict

from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate, ParcelsEstimate
from tierce.solver.advice.fair_decisions import Fair
from tierce.v1 import estimate_pb2, fair_pb2

__all__ = ["dealer_message", "exchange_message", "fair_message"]


def dealer_message(
    found: DealerEstimate, most: int | None, *, scores: bool = False
) -> estimate_pb2.DealerEstimateResponse:
    """An estimate of the dealer's decision."""
    message = estimate_pb2.DealerEstimateResponse()
    ParseDict(found.json(most), message)
    if scores:
        for told, each in _candidates(message, message.candidates, found.candidates, found):
            _figure(told.mean, each.mean)
            _score(told, each)
        _whole(message.scores, found)
    return message


def exchange_message(
    found: ExchangeEstimate, most: int | None, *, scores: bool = False
) -> estimate_pb2.ExchangeEstimateResponse:
    """An estimate of a sender's decision."""
    message = estimate_pb2.ExchangeEstimateResponse()
    ParseDict(found.json(most), message)
    if scores:
        for told, each in _candidates(message, message.parcels, found.parcels, found):
            _figure(told.tricks, each.tricks)
            _score(told, each)
        _whole(message.scores, found)
        message.scores.quota = found.quota
    return message


def _candidates(
    message: Any, told: Sequence[Any], of: Sequence[Any], found: DealerEstimate | ExchangeEstimate
) -> list[tuple[Any, Any]]:
    """Where the scores of each candidate go: those told, and the one that was chosen."""
    pairs = [(one.scores, other) for one, other in zip(told, of, strict=False)]
    return pairs if found.chosen is None else [*pairs, (message.chosen.scores, found.chosen)]


def _score(told: Any, each: CandidateEstimate | ParcelsEstimate) -> None:
    _figure(told.quota, each.quota)
    _figure(told.twelve, each.twelve)
    told.balance, told.stage = each.balance, each.stage


def _whole(told: Any, found: DealerEstimate | ExchangeEstimate) -> None:
    _figure(told.margin, found.margin)
    _figure(told.loss, found.loss)
    told.fit, told.kept = str(found.fit), found.kept


def _figure(told: Any, figure: Figure | None) -> None:
    if figure is not None:
        told.value = figure.value
        told.SetInParent()
        if figure.error is not None:
            told.error = figure.error


def fair_message(found: Fair, *, scores: bool = False) -> fair_pb2.FairReviewResponse:
    """A hand by what its players could know."""
    message = fair_pb2.FairReviewResponse()
    ParseDict(found.json(), message)
    if scores:
        for decision, one in zip(message.decisions, found.decisions, strict=True):
            _figure(decision.scores, one.loss)
        for play, other in zip(message.plays, found.plays, strict=True):
            play.scores.number, play.scores.fit = other.number, str(other.fit)
            _figure(play.scores.loss, other.loss)
            play.scores.means.extend(mean for _, mean in other.means)
        for left, each in zip(message.not_judged, found.left, strict=True):
            if each.number is not None:
                left.number = each.number
    return message
