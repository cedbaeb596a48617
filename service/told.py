"""Answers as messages: the library's JSON in protobuf's form, and what a client needs beside it.

The message of an answer is that JSON, field for field (protobuf's parser refuses a field that it does not know, so the
two cannot come apart unseen). `stop`, `done` and the scores are not in the JSON.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message

from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.dealer import DealerSearch
from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.advice.review_results import Review
from tierce.solver.asking import Json, result_json
from tierce.solver.batch.fields import error_json
from tierce.solver.cards import format_hand
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games.profile import Profile
from tierce.solver.games.profile_json import profile_json
from tierce.solver.hints.results import Hint, Option
from tierce.solver.query import Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import STOP_CANCELLED, STOP_NODES, STOP_TIME
from tierce.solver.telling import CardsAnswer, SolveAnswer
from tierce.v1 import (
    contract_review_pb2,
    contracts_pb2,
    dealer_pb2,
    exchange_pb2,
    games_pb2,
    hint_pb2,
    review_pb2,
    solve_pb2,
)

__all__ = [
    "STOPS",
    "cards_message",
    "contract_review_message",
    "contracts_message",
    "dealer_message",
    "error_answer",
    "exchange_message",
    "game_message",
    "hint_message",
    "many_answer",
    "review_message",
    "solve_message",
    "table_message",
]

STOPS: Final = {STOP_TIME: "timeout", STOP_NODES: "max_nodes", STOP_CANCELLED: "cancelled"}
_OF_MANY: Final = ("kind", "tricks", "complete", "bounds", "nodes", "millis")

M = TypeVar("M", bound=Message)


def _message(json: Json, into: M) -> M:
    ParseDict(json, into)
    return into


def _stopped(message: Any, limit: LimitReached | None) -> None:
    if limit is not None:
        message.stop = limit.code


def solve_message(answer: SolveAnswer) -> solve_pb2.SolveResponse:
    """The answer to Solve."""
    message = _message(answer.json(), solve_pb2.SolveResponse())
    _stopped(message, answer.limit)
    return message


def cards_message(answer: CardsAnswer) -> solve_pb2.CardValuesResponse:
    """The answer to CardValues."""
    return _message(answer.json(), solve_pb2.CardValuesResponse())


def table_message(json: Json, limit: LimitReached | None) -> solve_pb2.TableResponse:
    """The answer to Table."""
    message = _message(json, solve_pb2.TableResponse())
    _stopped(message, limit)
    return message


def many_answer(ident: str, query: Query, result: SideResult | Floors) -> solve_pb2.SolveManyResponse.Answer:
    """One answer of SolveMany."""
    if not result.complete:
        json = result_json(query, result)
        told = {name: json[name] for name in _OF_MANY if name in json}
        message = _message({"id": ident} | told, solve_pb2.SolveManyResponse.Answer())
        sides = (result,) if isinstance(result, SideResult) else result.sides
        message.stop = STOPS[next(side.stop for side in sides if not side.complete)]
        return message
    # The same as from its JSON, in a fifth of the time: there may be thousands a second.
    message = solve_pb2.SolveManyResponse.Answer(id=ident, kind=result.kind, nodes=result.nodes)
    message.millis = round(result.millis, 3)
    fields = message.tricks.fields
    for side in (result,) if isinstance(result, SideResult) else result.sides:
        fields[side.name].number_value = side.low
    return message


def error_answer(ident: str, error: InputError) -> solve_pb2.SolveManyResponse.Answer:
    """What is wrong with a question of SolveMany."""
    told = {name: value for name, value in error_json(ident, error)["error"].items() if value is not None}
    told.pop("line", None)
    return _message({"id": ident, "error": told}, solve_pb2.SolveManyResponse.Answer())


def game_message(profile: Profile) -> games_pb2.Game:
    """A game."""
    return _message(profile_json(profile), games_pb2.Game())


# ---- advice ----------------------------------------------------------------------------------------------------------


def dealer_message(
    advice: DealerAdvice, most: int | None, search: DealerSearch | None = None
) -> dealer_pb2.DealerAdviceResponse:
    """Advice to the dealer. `search`: add scores, those of every choice where it has found them."""
    message = _message(advice.json(most), dealer_pb2.DealerAdviceResponse())
    if advice.stop:
        message.stop = STOPS[advice.stop]
    return message if search is None else with_scores(message, advice, search)


def with_scores(
    message: dealer_pb2.DealerAdviceResponse, advice: DealerAdvice, search: DealerSearch | None
) -> dealer_pb2.DealerAdviceResponse:
    """The same message with scores."""
    for told, call in zip(message.trumps, advice.calls, strict=True):
        _score(told.scores, call)
    if search is not None and search.find == "every" and not advice.stop:
        for told, found in zip(message.trumps, search.calls, strict=True):
            told.scores.every.extend(found.low)
    if advice.chosen is not None:
        _score(message.chosen.scores, advice.chosen)
    return message


def _score(scores: dealer_pb2.DealerAdviceResponse.Scores, of: CallAdvice | Chosen) -> None:
    scores.low, scores.high = of.low, of.high


def contracts_message(table: ContractTable) -> contracts_pb2.ContractsResponse:
    """A contract table."""
    message = _message(table.json(), contracts_pb2.ContractsResponse())
    if table.stop:
        message.stop = STOPS[table.stop]
    return message


def exchange_message(
    advice: ExchangeAdvice, most: int | None, *, scores: bool = False
) -> exchange_pb2.ExchangeAdviceResponse:
    """Advice to a sender."""
    message = _message(advice.json(most), exchange_pb2.ExchangeAdviceResponse())
    if advice.stop:
        message.stop = STOPS[advice.stop]
    if scores:
        _with_scores(message, advice, most)
    return message


def _with_scores(message: exchange_pb2.ExchangeAdviceResponse, advice: ExchangeAdvice, most: int | None) -> None:
    message.scores.low, message.scores.high = advice.low, advice.high
    for told, way in zip(message.parcels, advice.best, strict=False):
        _score_way(told, way)
    for way in advice.ways:
        told = message.scores.ways.add()
        for made in way.way.sends:
            told.sends.add(to="DEM"[made.receiver], cards=format_hand(made.sent))
        if way.dealer is not None:
            told.dealer_tricks = way.dealer
        _score_way(told, way)
    if advice.chosen is not None:
        _score_way(message.chosen, advice.chosen)
    if advice.dealer is not None:
        with_scores(message.dealer, advice.dealer, None)
    if advice.after is not None:
        _with_scores(message.next, advice.after, most)
        if advice.after.stop:
            message.next.stop = STOPS[advice.after.stop]


def _score_way(message: exchange_pb2.ExchangeAdviceResponse.Way, way: WayAdvice) -> None:
    message.scores.low, message.scores.high = way.low, way.high
    if way.best_case is not None:
        message.scores.best_case = way.best_case


def review_message(review: Review, *, scores: bool = False) -> review_pb2.ReviewResponse:
    """A review."""
    message = _message(review.json(), review_pb2.ReviewResponse())
    for told, decision in zip(message.decisions, review.decisions, strict=True) if scores else ():
        told.best_bounds.extend(decision.best)
        told.value_bounds.extend(decision.value)
    return message


def contract_review_message(review: ContractReview) -> contract_review_pb2.ReviewContractResponse:
    """A review of a deal of Solo Whist."""
    message = _message(review.json(), contract_review_pb2.ReviewContractResponse())
    if review.table is not None and review.table.stop:
        message.auction.table.stop = STOPS[review.table.stop]
    return message


def hint_message(found: Hint, most: int | None, *, scores: bool = False) -> hint_pb2.HintResponse:
    """A hint."""
    message = _message(found.json(most), hint_pb2.HintResponse())
    if scores:
        for told, option in zip((message.best, *message.options), (found.best, *found.options), strict=False):
            _score_option(told.scores, option)
        whole = message.scores
        whole.effective, whole.fit = found.effective, str(found.fit)
        if found.margin is not None:
            whole.margin = found.margin.value
            _error(whole, "margin_error", found.margin.error)
    return message


def _score_option(scores: hint_pb2.HintResponse.Scores, option: Option) -> None:
    scores.value, scores.tricks, scores.quota = option.value.value, option.tricks.value, option.quota
    _error(scores, "value_error", option.value.error)
    _error(scores, "tricks_error", option.tricks.error)


def _error(message: Any, name: str, error: float | None) -> None:
    if error is not None:
        setattr(message, name, error)
