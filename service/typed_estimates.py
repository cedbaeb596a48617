"""Messages of estimates as the library's own objects, for a client: the inverse of `told_estimates`."""

from __future__ import annotations

from typing import Any, Final, cast

from tierce.service.typed import STOP_OF
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.estimate_results import CandidateEstimate, DealerEstimate, Figure
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate, ParcelsEstimate
from tierce.solver.advice.fair import FairPlay
from tierce.solver.advice.fair_decisions import Fair, FairDecision, FairLeft
from tierce.solver.advice.sender_choices import SenderOutlook
from tierce.solver.cards import parse_card, parse_hand
from tierce.solver.games.exchange import Transfer
from tierce.v1 import estimate_pb2, fair_pb2

__all__ = ["dealer_estimate", "exchange_estimate", "fair_review"]

SEATS: Final = "DEM"


def dealer_estimate(outlook: Outlook, seed: int, message: estimate_pb2.DealerEstimateResponse) -> DealerEstimate:
    """What is known about the decision at an outlook; the message has scores, and all candidates."""
    return DealerEstimate(
        candidates=tuple(_candidate(outlook, each) for each in message.candidates),
        chosen=_candidate(outlook, message.chosen) if message.HasField("chosen") else None,
        **_common(message, seed),
    )


def _candidate(outlook: Outlook, told: estimate_pb2.DealerEstimateResponse.Candidate) -> CandidateEstimate:
    scores = told.scores
    choice = Choice(parse_hand(told.discard) if told.discard else 0, told.swap if told.HasField("swap") else None)
    return CandidateEstimate(
        Candidate(told.trump, choice),
        outlook.worth(told.trump),
        mean=_figure(scores.mean),
        quota=_figure(scores.quota),
        twelve=_figure(scores.twelve) if scores.HasField("twelve") else None,
        **_ran(told),
    )


def exchange_estimate(
    outlook: SenderOutlook, seed: int, message: estimate_pb2.ExchangeEstimateResponse
) -> ExchangeEstimate:
    """The same of a sender's decision."""
    return ExchangeEstimate(
        sender=SEATS.index(message.sender),
        quota=message.scores.quota,
        owed=(*outlook.now, *outlook.later),
        reply=cast(Any, message.reply),
        parcels=tuple(_parcels(outlook, each) for each in message.parcels),
        of=message.of,
        ways=int(message.ways),
        chosen=_parcels(outlook, message.chosen) if message.HasField("chosen") else None,
        **_common(message, seed),
    )


def _parcels(outlook: SenderOutlook, told: estimate_pb2.ExchangeEstimateResponse.Candidate) -> ParcelsEstimate:
    scores, sends = told.scores, zip(outlook.now, told.sends, strict=True)
    return ParcelsEstimate(
        tuple(Transfer(each.sender, each.receiver, each.count, parse_hand(sent.cards)) for each, sent in sends),
        tricks=_figure(scores.tricks),
        quota=_figure(scores.quota),
        twelve=_figure(scores.twelve),
        **_ran(told),
    )


def _common(message: Any, seed: int) -> dict[str, Any]:
    """What both estimates tell."""
    scores = message.scores
    return {
        "kept": scores.kept,
        "seed": seed,
        "fit": int(scores.fit),
        "worlds": message.worlds,
        "by": message.by,
        "margin": _figure(scores.margin) if scores.HasField("margin") else None,
        "loss": _figure(scores.loss) if scores.HasField("loss") else None,
        "win": message.win,
        "complete": message.complete,
        "nodes": int(message.nodes),
        "millis": message.millis,
        "stop": STOP_OF[message.stop] if message.HasField("stop") else 0,
    }


def _ran(told: Any) -> dict[str, Any]:
    """How a candidate ran in the race."""
    scores = told.scores
    return {"balance": scores.balance, "worlds": told.worlds, "open": told.open, "stage": scores.stage}


def _figure(told: estimate_pb2.FigureScores) -> Figure:
    return Figure(told.value, told.error if told.HasField("error") else None)


def fair_review(message: fair_pb2.FairReviewResponse, seed: int) -> Fair:
    """A hand by what its players could know; the message has scores."""
    return Fair(
        tuple(
            FairDecision(cast(Any, each.what), SEATS.index(each.seat), _figure(each.scores), each.worlds)
            for each in message.decisions
        ),
        tuple(map(_play, message.plays)),
        message.worlds,
        seed,
        tuple(map(_left, message.not_judged)),
        int(message.nodes),
        message.millis,
    )


def _play(told: fair_pb2.FairReviewResponse.Play) -> FairPlay:
    scores = told.scores
    return FairPlay(
        number=scores.number,
        trick=told.trick,
        seat=SEATS.index(told.seat),
        card=parse_card(told.card),
        worlds=told.worlds,
        fit=int(scores.fit),
        means=tuple((parse_card(each.card), mean) for each, mean in zip(told.cards, scores.means, strict=True)),
        loss=_figure(scores.loss),
    )


def _left(told: fair_pb2.FairReviewResponse.Left) -> FairLeft:
    card = parse_card(told.played) if told.HasField("played") else None
    number, trick = (getattr(told, name) if told.HasField(name) else None for name in ("number", "trick"))
    return FairLeft(cast(Any, told.what), SEATS.index(told.seat), number, trick, card)
