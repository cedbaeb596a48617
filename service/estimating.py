"""Estimates as work: the dealer's decision, a sender's, and a played hand, by what those who decide can know.

An estimate ends by itself when its seconds have passed, and a little before the call's deadline, so that the answer
still finds its way; one over so many worlds is stopped then, and tells what it has. `known` says whether it is whole.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from google.protobuf.message import Message

from tierce.service import asked, told_estimates
from tierce.service.pool import Desk, Stoppable
from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.estimate import DEFAULT_SEED, EstimateSearch
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch
from tierce.solver.advice.fair import FAIR_WORLDS
from tierce.solver.advice.fair_decisions import fair_review
from tierce.solver.advice.spelling import chosen_parts
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.view import View
from tierce.solver.hints.view_json import read_view
from tierce.v1 import estimate_pb2, fair_pb2

if TYPE_CHECKING:
    from tierce.service.allowances import Allowance
    from tierce.service.plans import Tell

__all__ = ["PARTIAL", "SECONDS", "dealer", "exchange", "fair", "no_longer_than"]

SECONDS: Final = 10.0
TOP: Final = 10
PARTIAL: Final = 0.2  # seconds between two partial answers
_WATCH: Final = 0.05
_LOOK: Final = 0.02  # seconds between two looks whether a review of several searches is to stop
_MARGIN: Final = 0.1  # seconds before the call's deadline, but no more than a part of what there is:
_PART: Final = 0.25
_GRACE: Final = 0.5  # seconds beyond its own in which a review ends by itself


def dealer(request: estimate_pb2.DealerEstimateRequest, desk: Desk, allowed: Allowance, tell: Tell | None) -> Message:
    """DealerEstimate."""
    seen = _view(request)
    calls = asked.calls_open(request.calls)
    search = EstimateSearch(
        seen,
        **_budget(request, allowed),
        by=cast(Any, request.by or "mean"),
        calls=calls,
        chosen=_candidate(seen, request.chosen, calls) if request.chosen else None,
        table_mb=desk.table_mb,
    )
    return _run(search, request, desk, allowed, tell, told_estimates.dealer_message)


def exchange(
    request: estimate_pb2.ExchangeEstimateRequest, desk: Desk, allowed: Allowance, tell: Tell | None
) -> Message:
    """ExchangeEstimate."""
    search = ExchangeEstimateSearch(
        _view(request),
        **_budget(request, allowed),
        by=cast(Any, request.by or "mean"),
        reply=cast(Any, request.reply or "quick"),
        chosen=asked.parcels_of(request.chosen),
        table_mb=desk.table_mb,
    )
    return _run(search, request, desk, allowed, tell, told_estimates.exchange_message)


def fair(request: fair_pb2.FairReviewRequest, seconds: float, desk: Desk, allowed: Allowance) -> Message:
    """FairReview."""
    deal, _ = asked.review_deal(request)
    end = time.monotonic() + allowed.seconds() + _GRACE
    word = _Word()
    desk.stoppable(word)

    def watch(_share: float) -> None:
        if word.said:
            raise Cancelled
        if time.monotonic() > end:
            raise LimitReached("timeout", "the time limit was reached before the answer was known")

    found = fair_review(
        deal,
        worlds=request.worlds if request.HasField("worlds") else FAIR_WORLDS,
        seed=_seed(request),
        seconds=min(seconds, _time(allowed)),
        watch=watch,
        every=_LOOK,
        table_mb=desk.table_mb,
    )
    desk.nodes = found.nodes
    return told_estimates.fair_message(found, scores=request.scores)


class _Word:
    """A word to stop, for work that asks for it."""

    said = False

    def cancel(self) -> None:
        """Say it."""
        self.said = True


# ---- what is asked ---------------------------------------------------------------------------------------------------


def _view(request: Any) -> View:
    seen = read_view(request.view)
    asked.check_game(seen.profile, "view")
    return seen


def _seed(request: Any) -> int:
    return int(request.seed) if request.HasField("seed") else DEFAULT_SEED


def _time(allowed: Allowance) -> float:
    """Seconds until it has to end."""
    left = allowed.seconds()
    return left if allowed.left is None else left - min(_MARGIN, _PART * left)


def _budget(request: Any, allowed: Allowance) -> dict[str, Any]:
    """Worlds or seconds, and the seed."""
    if request.HasField("worlds"):
        return {"worlds": request.worlds, "seed": _seed(request)}
    seconds = request.seconds if request.HasField("seconds") else SECONDS
    return {"seconds": min(seconds, _time(allowed)), "seed": _seed(request)}


def _candidate(seen: View, text: str, calls: tuple[str, ...]) -> Candidate:
    """A choice as it is written. InputError (field "chosen")."""
    call, rest = chosen_parts(text)
    found = Candidate(call, Choice(swap=rest) if isinstance(rest, bool) else Choice(rest or 0))
    try:
        Outlook(seen, calls).check(found)
    except InputError as error:
        raise error.located(field="chosen") if error.code == "choice" else error from None
    return found


# ---- work ------------------------------------------------------------------------------------------------------------


def _run(
    search: Any,
    request: Any,
    desk: Desk,
    allowed: Allowance,
    tell: Tell | None,
    message_of: Callable[..., Any],
) -> Message:
    """Search to the end, or to the end of its time; tell from time to time what is known."""
    desk.stoppable(search)
    most = None if request.all else request.top or TOP
    due = time.monotonic() + PARTIAL

    def told() -> Any:
        return message_of(search.result, most, scores=request.scores)

    def watch() -> None:
        nonlocal due
        if tell is not None and time.monotonic() >= due:
            message = told()
            message.done = search.done
            tell(message)
            due = time.monotonic() + PARTIAL

    late = _Word()
    with _timer(_time(allowed), search, late):
        search.run(watch, _WATCH)
    assert desk.job is not None
    if desk.job.cancelled:
        raise Cancelled
    message = told()
    if not message.complete:
        message.stop = "timeout"
    desk.nodes = int(message.nodes)
    return cast(Message, message)


@contextmanager
def _timer(seconds: float, search: Stoppable, late: _Word) -> Iterator[None]:
    """Stop a search after so long."""

    def stop() -> None:
        late.cancel()
        search.cancel()

    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def no_longer_than(seconds: float, search: Stoppable) -> Iterator[None]:
    """Stop a search that has no limit of its own. LimitReached if it had to be."""
    late = _Word()
    try:
        with _timer(seconds, search, late):
            yield
    except Cancelled:
        if late.said:
            raise LimitReached("timeout", "the time limit was reached before the answer was known") from None
        raise
