"""From a request to work: what is asked is read and checked, then there is a key for the answer and something to do.

`Plan.key` is all that matters to the answer: what was asked, in the library's words where reading it is quick (so that
the same position written otherwise is the same question), else a digest of the request without its limits. Limits are
not in it: only answers that no limit has touched are kept.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from google.protobuf.message import Message

from tierce.service import asked, estimating, told
from tierce.service.allowances import Allowance, allowance_of
from tierce.service.estimating import PARTIAL, no_longer_than
from tierce.service.hinting import HintWork, check_budget, due_of, is_long
from tierce.service.pool import Desk
from tierce.service.settings import Settings
from tierce.service.slices import Sliced
from tierce.solver.advice.contract_review import ContractReviewSearch
from tierce.solver.advice.contracts import ContractSearch
from tierce.solver.advice.dealer import DealerSearch
from tierce.solver.advice.deciding import Find
from tierce.solver.advice.exchange import ExchangeSearch
from tierce.solver.advice.review import SECONDS, ReviewSearch
from tierce.solver.advice.spelling import chosen_of
from tierce.solver.advice.values import Kind
from tierce.solver.errors import InputError
from tierce.solver.games import game_names, load_game
from tierce.solver.query import Limits
from tierce.solver.tables import every_declarer, every_strain
from tierce.solver.telling import cards_answer, solve_answer
from tierce.v1 import (
    contract_review_pb2,
    contracts_pb2,
    dealer_pb2,
    estimate_pb2,
    exchange_pb2,
    fair_pb2,
    games_pb2,
    hint_pb2,
    question_pb2,
    review_pb2,
    solve_pb2,
)

__all__ = ["Plan", "Tell", "plan_of"]

Tell = Callable[[Message], None]
TOP: Final = 10
WATCH: Final = 0.05
_GRACE: Final = 0.2  # seconds beyond its limit in which a review ends by itself


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about a request.

    key     of the answer; None: it is not kept
    work    at a desk, within an allowance; the last argument takes partial answers
    known   is an answer final, so that it may be kept?
    limits  the caller's
    direct  the work is none: it is done at once
    sliced  in place of `work`: work that is done in slices
    due     when its answer is of no more use, where that is not the call's deadline
    """

    key: Hashable | None
    work: Callable[[Desk, Allowance, Tell | None], Message]
    known: Callable[[Any], bool]
    limits: question_pb2.Limits
    direct: bool = False
    sliced: Callable[[Allowance, Tell | None], Sliced] | None = None
    due: Callable[[Allowance], float] | None = None

    def within(self, allowed: Allowance) -> float | None:
        """Seconds after which its answer is of no more use."""
        return allowed.left if self.due is None else self.due(allowed) - time.monotonic()

    def allowance(self, settings: Settings, deadline: float | None, began: float | None = None) -> Allowance:
        """What it may spend. InputError for limits that are none."""
        found = allowance_of(self.limits, settings, deadline)
        return found if began is None else replace(found, began=began)


def plan_of(request: Message) -> Plan:
    """The plan for a request of a call that has one. InputError for what is read at once; the rest while working."""
    return _PLANS[type(request)](request)


# ---- solve, cards, table ---------------------------------------------------------------------------------------------


def _solve(request: solve_pb2.SolveRequest) -> Plan:
    wanted = asked.solve_asked(request)

    def work(desk: Desk, allowed: Allowance, _tell: Tell | None) -> Message:
        found = solve_answer(wanted, allowed.budget(), desk.engine, desk.solver)
        desk.nodes = found.result.nodes
        return told.solve_message(found)

    return Plan(("solve", wanted), work, _unstopped, request.limits)


def _cards(request: solve_pb2.CardValuesRequest) -> Plan:
    put = asked.question_of(request.question)
    if request.all_seats and request.question.side:
        raise InputError("side", "expected side or all_seats, found both", field="side")

    def work(desk: Desk, allowed: Allowance, _tell: Tell | None) -> Message:
        found = cards_answer(put.query, put.first, allowed.budget(), desk.solver, all_seats=request.all_seats)
        desk.nodes = found.values.nodes
        return told.cards_message(found)

    return Plan(("cards", put, request.all_seats), work, lambda _: True, request.limits)


def _table(request: solve_pb2.TableRequest) -> Plan:
    typed, deal = asked.table_asked(request.question, declarers=request.declarers)

    def work(desk: Desk, allowed: Allowance, _tell: Tell | None) -> Message:
        budget = allowed.budget()
        if request.declarers:
            objective = typed.query_for(deal, 0).objective
            json, limit = every_declarer(deal, objective, budget, desk.engine)
        else:
            json, limit = every_strain(typed, deal, budget, desk.engine)
        desk.nodes = json["nodes"]
        return told.table_message(json, limit)

    return Plan(_key(request), work, _unstopped, request.limits)


def _unstopped(message: Any) -> bool:
    return not message.HasField("stop")


# ---- games -----------------------------------------------------------------------------------------------------------


def _game(request: games_pb2.GetGameRequest) -> Plan:
    game = told.game_message(asked.game_of(request.game))
    return _said(games_pb2.GetGameResponse(game=game))


def _games(_request: games_pb2.ListGamesRequest) -> Plan:
    games = [told.game_message(load_game(name)) for name in game_names()]
    return _said(games_pb2.ListGamesResponse(games=games))


def _said(message: Message) -> Plan:
    return Plan(None, lambda *_: message, lambda _: False, question_pb2.Limits(), direct=True)


# ---- advice ----------------------------------------------------------------------------------------------------------

_FINDS: Final[dict[int, Find]] = {
    dealer_pb2.FIND_UNSPECIFIED: "best",
    dealer_pb2.FIND_ONE: "one",
    dealer_pb2.FIND_BEST: "best",
    dealer_pb2.FIND_EVERY: "every",
}


def _find(request: Any) -> Find:
    if request.find not in _FINDS:
        raise InputError("find", f"expected a value of Find, found {request.find}", field="find")
    if request.HasField("target") and request.find not in (dealer_pb2.FIND_UNSPECIFIED, dealer_pb2.FIND_BEST):
        raise InputError("find", "expected a target or find, found both", field="find")
    return _FINDS[request.find]


def _target(request: Any) -> float | None:
    """A target; of tricks that are no shares a whole number."""
    if not request.HasField("target"):
        return None
    target = float(request.target)
    if request.value == "share" or not target.is_integer():
        if request.value != "share":
            message = f"expected a whole number of tricks where the value is no share, found {target}"
            raise InputError("target", message, field="target")
        return int(target) if target.is_integer() else target
    return int(target)


def _most(request: Any) -> int | None:
    return None if request.all else request.top or TOP


def _dealer(request: dealer_pb2.DealerAdviceRequest) -> Plan:
    find, target, kind = _find(request), _target(request), cast(Kind, request.value or "floor")

    def work(desk: Desk, allowed: Allowance, tell: Tell | None) -> Message:
        choices = asked.dealer_choices(request)
        search = DealerSearch(
            choices,
            kind,
            find=find,
            target=target,
            chosen=chosen_of(request.chosen, choices) if request.chosen else None,
            limits=Limits(allowed.seconds(), None),
            table_mb=desk.table_mb,
        )
        desk.stoppable(search)
        scored = search if request.scores else None
        message = _run(search, tell, lambda: told.dealer_message(search.advice, _most(request), scored))
        desk.nodes = int(message.nodes)
        return cast(Message, message)

    return Plan(_key(request), work, lambda message: message.complete, request.limits)


def _exchange(request: exchange_pb2.ExchangeAdviceRequest) -> Plan:
    find, target = _find(request), _target(request)
    if find == "one":
        raise InputError("find", "expected FIND_BEST or FIND_EVERY, found FIND_ONE", field="find")
    scores = request.scores

    def work(desk: Desk, allowed: Allowance, tell: Tell | None) -> Message:
        search = ExchangeSearch(
            asked.exchange_state(request),
            request.value or "floor",
            find=find,
            target=target,
            chosen=asked.parcels_of(request.chosen),
            top=min(request.top or TOP, 1_000_000),
            limits=Limits(allowed.seconds(), None),
            table_mb=desk.table_mb,
        )
        desk.stoppable(search)
        message = _run(search, tell, lambda: told.exchange_message(search.advice, _most(request), scores=scores))
        desk.nodes = int(message.nodes)
        return cast(Message, message)

    return Plan(_key(request), work, lambda message: message.complete, request.limits)


def _contracts(request: contracts_pb2.ContractsRequest) -> Plan:
    put = asked.contracts_put(request)

    def work(desk: Desk, allowed: Allowance, tell: Tell | None) -> Message:
        search = ContractSearch(**put, tricks=request.tricks, limits=allowed.limits, table_mb=desk.table_mb)
        desk.stoppable(search)
        message = _run(search, tell, lambda: told.contracts_message(search.table))
        desk.nodes = int(message.nodes)
        return cast(Message, message)

    return Plan(("contracts", *put.values(), request.tricks), work, lambda message: message.complete, request.limits)


def _run(search: Any, tell: Tell | None, message_of: Callable[[], Any]) -> Any:
    """Search to the end; tell from time to time what is known."""
    due = time.monotonic() + PARTIAL

    def watch() -> None:
        nonlocal due
        if tell is not None and time.monotonic() >= due:
            message = message_of()
            message.done, message.complete = search.done, False
            tell(message)
            due = time.monotonic() + PARTIAL

    search.run(watch, WATCH)
    return message_of()


def _review(request: review_pb2.ReviewRequest) -> Plan:
    seconds = _seconds(request)

    def work(desk: Desk, allowed: Allowance, _tell: Tell | None) -> Message:
        deal, players = asked.review_deal(request)
        most = min(seconds, allowed.seconds())
        search = ReviewSearch(deal, players, seconds=most, every=request.every, table_mb=desk.table_mb)
        desk.stoppable(search)
        with no_longer_than(allowed.seconds() + _GRACE, search):  # with 0 seconds the cards alone have no limit
            found = search.run(None, WATCH)
        desk.nodes = found.nodes
        return told.review_message(found, scores=request.scores)

    return Plan((_key(request), seconds > 0), work, _judged, question_pb2.Limits())


def _judged(message: review_pb2.ReviewResponse) -> bool:
    """Is there nothing that more time would add?"""
    settled = all(not each.HasField("loss_bounds") and each.HasField("count") for each in message.decisions)
    return message.whole and settled and not message.not_judged


def _review_contract(request: contract_review_pb2.ReviewContractRequest) -> Plan:
    seconds = _seconds(request)

    def work(desk: Desk, allowed: Allowance, _tell: Tell | None) -> Message:
        deal, players = asked.review_deal(request)
        most = min(seconds, allowed.seconds())
        table_mb = max(1, desk.table_mb // 2)  # the cards' table is kept while the auction has one of its own
        search = ContractReviewSearch(deal, players, seconds=most, table_mb=table_mb)
        desk.stoppable(search)
        with no_longer_than(allowed.seconds() + _GRACE, search):
            found = search.run(None, WATCH)
        desk.nodes = found.nodes
        return told.contract_review_message(found)

    def known(message: contract_review_pb2.ReviewContractResponse) -> bool:
        return message.whole and not (message.not_judged and seconds)

    return Plan((_key(request), seconds > 0), work, known, question_pb2.Limits())


def _fair(request: fair_pb2.FairReviewRequest) -> Plan:
    seconds = _seconds(request)

    def work(desk: Desk, allowed: Allowance, _tell: Tell | None) -> Message:
        return estimating.fair(request, seconds, desk, allowed)

    key = _key(request), seconds > 0  # without any the cards alone are asked about
    return Plan(key, work, lambda message: not message.not_judged, question_pb2.Limits())


def _seconds(request: Any) -> float:
    """Of a review."""
    seconds = float(request.seconds) if request.HasField("seconds") else SECONDS
    if not 0 <= seconds < math.inf:
        raise InputError("seconds", f"expected seconds of 0 or more, found {seconds}", field="seconds")
    return seconds


# ---- estimates -------------------------------------------------------------------------------------------------------


def _estimate(request: Any) -> Plan:
    check_budget(request)
    estimate = estimating.dealer if isinstance(request, estimate_pb2.DealerEstimateRequest) else estimating.exchange

    def work(desk: Desk, allowed: Allowance, tell: Tell | None) -> Message:
        return estimate(request, desk, allowed, tell)

    key = _key(request) if request.HasField("worlds") else None
    return Plan(key, work, lambda message: message.complete, question_pb2.Limits())


def _hint(request: hint_pb2.HintRequest) -> Plan:
    check_budget(request)

    def due(allowed: Allowance) -> float:
        return due_of(request, allowed.began, allowed.timeout, allowed.deadline)

    def work_of(allowed: Allowance, tell: Tell | None) -> HintWork:
        def watch(message: hint_pb2.HintResponse, done: float) -> None:
            if tell is not None:
                tell(hint_pb2.WatchHintResponse(hint=message, done=done))

        return HintWork(request, due(allowed), None if tell is None else watch)

    def work(desk: Desk, allowed: Allowance, tell: Tell | None) -> Message:
        found = work_of(allowed, tell)
        desk.stoppable(found)
        return found.whole()

    key = _key(request) if request.HasField("worlds") else None
    sliced = None if is_long(request) else work_of
    return Plan(key, work, lambda message: message.complete, question_pb2.Limits(), sliced=sliced, due=due)


def _key(request: Any) -> Hashable:
    """Of a request without what does not change its answer. A digest: requests may be as large as a message."""
    kept = type(request)()
    kept.CopyFrom(request)
    for name in ("limits", "partial", "seconds"):
        if name in kept.DESCRIPTOR.fields_by_name:
            kept.ClearField(name)
    return type(request).__name__, hashlib.sha256(kept.SerializeToString(deterministic=True)).digest()


_PLANS: Final[dict[type[Message], Callable[[Any], Plan]]] = {
    solve_pb2.SolveRequest: _solve,
    solve_pb2.CardValuesRequest: _cards,
    solve_pb2.TableRequest: _table,
    games_pb2.GetGameRequest: _game,
    games_pb2.ListGamesRequest: _games,
    dealer_pb2.DealerAdviceRequest: _dealer,
    exchange_pb2.ExchangeAdviceRequest: _exchange,
    contracts_pb2.ContractsRequest: _contracts,
    review_pb2.ReviewRequest: _review,
    contract_review_pb2.ReviewContractRequest: _review_contract,
    fair_pb2.FairReviewRequest: _fair,
    estimate_pb2.DealerEstimateRequest: _estimate,
    estimate_pb2.ExchangeEstimateRequest: _estimate,
    hint_pb2.HintRequest: _hint,
}
