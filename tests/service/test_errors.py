"""The catalogue of errors: what goes wrong, which status and details it has, and what the client makes of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, cast

import grpc
import pytest
from google.rpc import code_pb2, error_details_pb2
from grpc_status import rpc_status

from tests.cli.support import run
from tests.games.solo_matches import auction
from tests.service.support import (
    DISCARD,
    LONG,
    THREE,
    Running,
    Stubs,
    client_of,
    endless,
    question,
    running,
    until,
)
from tests.service.test_same import RECORD
from tests.service.views import HELD, SENDING, text_of
from tierce.service import Client, ServiceError
from tierce.service.errors import error_of, status_code, status_of
from tierce.solver import Position
from tierce.solver.asking import Asked
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games import record_of, write_record
from tierce.v1 import (
    dealer_pb2,
    estimate_pb2,
    exchange_pb2,
    fair_pb2,
    games_pb2,
    question_pb2,
    review_pb2,
    solve_pb2,
)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(max_batch=4, max_message_kb=64) as found:
        yield found


@pytest.fixture
def stubs(server: Running) -> Iterator[Stubs]:
    with Stubs(server.target) as found:
        yield found


def _held(**more: Any) -> estimate_pb2.DealerEstimateRequest:
    return estimate_pb2.DealerEstimateRequest(view=text_of(HELD), **more)


WHIST = write_record(record_of(auction("solo", None, None))).encode()  # four hands
Q = question_pb2.Question
WRONG: list[tuple[str, Any, str, str]] = [
    ("solve.Solve", solve_pb2.SolveRequest(), "trump", "question.trump"),
    ("solve.Solve", solve_pb2.SolveRequest(question=question(trump="X")), "trump", "question.trump"),
    ("solve.Solve", solve_pb2.SolveRequest(question=question(side="Q")), "side", "question.side"),
    ("solve.Solve", solve_pb2.SolveRequest(question=question(), at_least=2), "side", "question.side"),
    ("solve.Solve", solve_pb2.SolveRequest(question=question(objective=7)), "objective", "question.objective"),
    (
        "solve.Solve",
        solve_pb2.SolveRequest(question=Q(deal=THREE, position=question_pb2.Position())),
        "deal",
        "question.deal",
    ),
    (
        "solve.Solve",
        solve_pb2.SolveRequest(question=Q(position=question_pb2.Position(hands=["A..."]))),
        "position",
        "question.position",
    ),
    (
        "solve.Solve",
        solve_pb2.SolveRequest(question=question(), limits=question_pb2.Limits(timeout_seconds=-1)),
        "timeout",
        "limits.timeout_seconds",
    ),
    (
        "solve.Solve",
        solve_pb2.SolveRequest(question=question(), limits=question_pb2.Limits(timeout_seconds=float("nan"))),
        "timeout",
        "limits.timeout_seconds",
    ),
    (
        "solve.Solve",
        solve_pb2.SolveRequest(question=question(), limits=question_pb2.Limits(max_nodes=1 << 63)),
        "max_nodes",
        "limits.max_nodes",
    ),
    (
        "solve.CardValues",
        solve_pb2.CardValuesRequest(question=question(side="D"), all_seats=True),
        "side",
        "question.side",
    ),
    ("solve.Table", solve_pb2.TableRequest(question=question()), "trump", "question.trump"),
    ("solve.Table", solve_pb2.TableRequest(question=question(trump=""), declarers=True), "deal", "question.deal"),
    ("games.GetGame", games_pb2.GetGameRequest(game=question_pb2.GameChoice(id="chess")), "game", "game"),
    ("games.GetGame", games_pb2.GetGameRequest(game=question_pb2.GameChoice(options={"x": "y"})), "option", "option"),
    ("advice.DealerAdvice", dealer_pb2.DealerAdviceRequest(deal=THREE), "wrong_deal", "deal"),
    ("advice.DealerAdvice", dealer_pb2.DealerAdviceRequest(deal=LONG, find=cast(Any, 9)), "find", "find"),
    ("advice.DealerAdvice", dealer_pb2.DealerAdviceRequest(deal=LONG, value="luck"), "value", "value"),
    ("advice.DealerAdvice", dealer_pb2.DealerAdviceRequest(deal=LONG, chosen="H: C2"), "choice", "chosen"),
    ("advice.DealerAdvice", dealer_pb2.DealerAdviceRequest(moment=dealer_pb2.DealerMoment()), "calls", "calls"),
    ("advice.ExchangeAdvice", exchange_pb2.ExchangeAdviceRequest(deal=LONG), "previous", "previous"),
    ("advice.ExchangeAdvice", exchange_pb2.ExchangeAdviceRequest(record=b"{"), "json_syntax", "record"),
    ("advice.ExchangeAdvice", exchange_pb2.ExchangeAdviceRequest(record=WHIST), "game", "game"),
    ("advice.FairReview", fair_pb2.FairReviewRequest(record=WHIST), "not_due", "deal"),
    ("advice.Review", review_pb2.ReviewRequest(record=b""), "json_syntax", "record"),
    ("advice.Review", review_pb2.ReviewRequest(seconds=-1), "seconds", "seconds"),
    ("advice.FairReview", fair_pb2.FairReviewRequest(record=b""), "json_syntax", "record"),
    ("advice.FairReview", fair_pb2.FairReviewRequest(seconds=float("nan")), "seconds", "seconds"),
    ("advice.FairReview", fair_pb2.FairReviewRequest(record=RECORD.read_bytes(), worlds=0), "worlds", "worlds"),
    ("advice.DealerEstimate", estimate_pb2.DealerEstimateRequest(view=b"{"), "json_syntax", "view"),
    ("advice.DealerEstimate", estimate_pb2.DealerEstimateRequest(view=text_of(SENDING)), "view", "view"),
    ("advice.DealerEstimate", _held(seconds=1, worlds=1), "worlds", "worlds"),
    ("advice.DealerEstimate", _held(seconds=-1), "seconds", "seconds"),
    ("advice.DealerEstimate", _held(worlds=0), "worlds", "worlds"),
    ("advice.DealerEstimate", _held(by="luck"), "by", "by"),
    ("advice.DealerEstimate", _held(calls=["X"]), "trump", "calls"),
    ("advice.DealerEstimate", _held(chosen="H: C2"), "choice", "chosen"),
    ("advice.ExchangeEstimate", estimate_pb2.ExchangeEstimateRequest(view=text_of(HELD)), "view", "view"),
    (
        "advice.ExchangeEstimate",
        estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), reply="luck"),
        "reply",
        "reply",
    ),
    (
        "advice.ExchangeEstimate",
        estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), chosen=["A..."]),
        "chosen",
        "chosen",
    ),
]


def call(stubs: Stubs, name: str, request: Any, **more: Any) -> Any:
    service, method = name.split(".")
    found = getattr(getattr(stubs, service), method)(request, **more)
    return list(found)[-1] if method.startswith(("Dealer", "Exchange")) else found


def details(error: grpc.RpcError, kind: Any) -> Any:
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    assert status is not None
    for each in status.details:
        if each.Is(kind.DESCRIPTOR):
            found = kind()
            each.Unpack(found)
            return found
    raise AssertionError(f"no {kind.__name__}")


@pytest.mark.parametrize("name, asked, code, field", WRONG, ids=[f"{each[0]} {each[2]}" for each in WRONG])
def test_bad_input(name: str, asked: Any, code: str, field: str, stubs: Stubs) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(stubs, name, asked)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    info = details(caught.value, error_details_pb2.ErrorInfo)
    violation = details(caught.value, error_details_pb2.BadRequest).field_violations[0]
    assert info.domain == "tierce"
    found = error_of(caught.value)
    assert isinstance(found, InputError) and found.code == info.reason.lower()
    assert (found.code, violation.field) == (code, field)
    assert violation.description == found.message and found.message.startswith("expected ")


def test_every_error_has_its_status_and_comes_back() -> None:
    for error, status in (
        (InputError("trump", "expected", field="trump", file="record", line=3), code_pb2.INVALID_ARGUMENT),
        (LimitReached("timeout", "late"), code_pb2.DEADLINE_EXCEEDED),
        (LimitReached("max_nodes", "many"), code_pb2.RESOURCE_EXHAUSTED),
        (Cancelled(), code_pb2.CANCELLED),
        (ServiceError("queue_full", "full", retry_after=1.5), code_pb2.RESOURCE_EXHAUSTED),
        (ServiceError("draining", "ends", retry_after=1), code_pb2.UNAVAILABLE),
        (ServiceError("unauthenticated", "who"), code_pb2.UNAUTHENTICATED),
    ):
        assert status_code(error) == status
        found = error_of(_Call(status_of(error, "id")))
        assert (type(found), str(found), found.code, found.field) == (type(error), str(error), error.code, error.field)
        if isinstance(error, ServiceError):
            assert isinstance(found, ServiceError) and found.retry_after == error.retry_after
    internal = status_of(ZeroDivisionError("a secret"), "the-id")
    assert internal.code == code_pb2.INTERNAL
    assert "the-id" in internal.message and "secret" not in str(internal)
    assert status_of(MemoryError(), "id").code == code_pb2.RESOURCE_EXHAUSTED


class _Call:
    """A call that ended with a status."""

    def __init__(self, status: Any) -> None:
        self._status = status

    def code(self) -> grpc.StatusCode:
        return next(code for code in grpc.StatusCode if code.value[0] == self._status.code)

    def details(self) -> str:
        return str(self._status.message)

    def trailing_metadata(self) -> Any:
        return (("grpc-status-details-bin", self._status.SerializeToString()),)


def test_an_unknown_error_is_told_by_its_id_alone(
    server: Running, stubs: Stubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("tierce.service.told.game_message", broken)
    with pytest.raises(grpc.RpcError) as caught:
        stubs.games.GetGame(games_pb2.GetGameRequest())
    assert caught.value.code() is grpc.StatusCode.INTERNAL and "secret" not in str(caught.value.details())
    ident = details(caught.value, error_details_pb2.ErrorInfo).metadata["id"]
    logged = [each for each in server.log if each["event"] == "internal" and each["id"] == ident]
    assert len(logged) == 1 and "a secret" in logged[0]["trace"]


def test_a_message_that_is_too_large(stubs: Stubs) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        stubs.advice.Review(review_pb2.ReviewRequest(record=b"x" * 70_000))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert isinstance(found := error_of(caught.value), ServiceError) and found.retry_after is None


def test_a_batch_that_is_too_long(stubs: Stubs) -> None:
    items = [solve_pb2.SolveManyRequest.Item(id=str(i), question=question()) for i in range(5)]
    with pytest.raises(grpc.RpcError) as caught:
        list(stubs.solve.SolveMany(iter([solve_pb2.SolveManyRequest(items=items)])))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


# ---- limits, deadlines, cancellation ---------------------------------------------------------------------------------


def test_limits_give_bounds_or_an_error(server: Running) -> None:
    position = Asked(LONG, "S", discard=DISCARD).query().position
    with client_of(server) as client:
        with pytest.raises(LimitReached) as caught:
            client.floors(position, "fewest", timeout=0.02)
        assert caught.value.code == "timeout" and set(caught.value.bounds or ()) == set("DEM")
        assert not client.floors(position, max_nodes=3, bounds=True).complete
        with pytest.raises(LimitReached) as nodes:
            client.card_values(position, max_nodes=3)
        assert nodes.value.code == "max_nodes"


def test_the_servers_own_limits() -> None:
    with running(max_seconds=0.05, max_nodes=100) as server, Stubs(server.target) as stubs:
        found = stubs.solve.Solve(endless())
        assert found.stop in ("timeout", "max_nodes") and not found.complete


def test_a_review_of_the_cards_alone_has_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tierce.service.plans._GRACE", 0)
    with running(max_seconds=0.001) as server, Stubs(server.target) as stubs:
        with pytest.raises(grpc.RpcError) as caught:
            stubs.advice.Review(review_pb2.ReviewRequest(record=RECORD.read_bytes(), deal=1, seconds=0))
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


def test_estimates_end_before_the_deadline_or_say_that_they_were_stopped() -> None:
    """An estimate that has the time it asked for is whole; one over so many worlds is not, if it was stopped."""
    with running(max_seconds=0.5) as server, Stubs(server.target) as stubs:
        for request in (_held(), _held(seconds=1e300)):
            found = list(stubs.advice.DealerEstimate(request))[-1]
            assert found.complete != (found.stop == "timeout")
        long = list(stubs.advice.DealerEstimate(_held(worlds=1_000_000)))[-1]
        assert long.stop == "timeout" and not long.complete
        sent = estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), worlds=1_000_000, partial=True)
        *partial, last = stubs.advice.ExchangeEstimate(sent)
        assert last.stop == "timeout" and not last.HasField("done")
        assert all(each.HasField("done") for each in partial)
        fair = fair_pb2.FairReviewRequest(record=RECORD.read_bytes(), deal=1, worlds=100_000)
        assert stubs.advice.FairReview(fair).not_judged
        fair.seconds = 0  # the cards alone, whatever it takes
        with pytest.raises(grpc.RpcError) as caught:
            stubs.advice.FairReview(fair)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.mark.parametrize("seconds", [0.2, 1e-9])
def test_a_deadline_stops_the_search(seconds: float, server: Running, stubs: Stubs) -> None:
    stubs.solve.Solve(solve_pb2.SolveRequest(question=question()))  # connected
    begin = time.monotonic()
    with pytest.raises(grpc.RpcError) as caught:
        stubs.solve.Solve(endless(), timeout=seconds)
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - begin < seconds + 1
    assert isinstance(error_of(caught.value), LimitReached)
    until(lambda: server.server.front.pool.busy == 0)


def test_cancelling_stops_the_search(server: Running, stubs: Stubs) -> None:
    for begin in (
        lambda: stubs.solve.Solve.future(endless()),
        lambda: stubs.advice.DealerAdvice(dealer_pb2.DealerAdviceRequest(deal=LONG, find=dealer_pb2.FIND_EVERY)),
        lambda: stubs.advice.DealerEstimate(_held(seconds=50)),
        lambda: stubs.advice.ExchangeEstimate(
            estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), seconds=50, reply="exact")
        ),
        lambda: stubs.advice.FairReview.future(
            fair_pb2.FairReviewRequest(record=RECORD.read_bytes(), deal=1, worlds=100_000, seconds=50)
        ),
        lambda: stubs.solve.SolveMany(
            iter([solve_pb2.SolveManyRequest(items=[solve_pb2.SolveManyRequest.Item(question=endless().question)])])
        ),
    ):
        running_call = begin()
        until(lambda: server.server.front.pool.busy == 1)
        running_call.cancel()
        until(lambda: server.server.front.pool.busy == 0)
    until(lambda: len([each for each in server.log if each.get("status") == "CANCELLED"]) >= 3)


def test_the_command_has_a_code_for_each(server: Running) -> None:
    words = ("solve", THREE, "--trump", "D")
    assert run("--server", "localhost:1", *words).code == 69
    assert run("--server", server.target, "--token-file", "/nowhere/token", *words).code == 65
    assert run("--server", "nonsense", *words).code == 2
    assert run("--ca", "x", *words).code == 2


def test_only_passing_failures_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from tierce.service.asking import TRIES

    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    position = Asked(THREE, "D").query().position
    with Client("localhost:1") as client, pytest.raises(ServiceError) as caught:
        client.floors(position)
    assert caught.value.code == "unavailable" and len(pauses) == TRIES - 1 and pauses[-1] > pauses[0]
    with Client("localhost:1") as client, pytest.raises((ServiceError, LimitReached)):
        client.within(0.05).floors(position)


def test_clients_do_not_take_what_no_server_knows(server: Running) -> None:
    with client_of(server) as client, pytest.raises(InputError):
        client.floors(Position((1, 2, 4, 8), 0, 0))
