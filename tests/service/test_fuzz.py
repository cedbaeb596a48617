"""Random and mutated messages: whatever comes, a status that says what is wrong, and never INTERNAL."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import grpc
import pytest

from tests.advice.contract_deals import LOW
from tests.advice.contract_played import golden
from tests.service.support import FOUR, LONG, THREE, Running, question, running
from tests.service.test_same import RECORD
from tests.service.views import HELD, SENDING, SWAPPING, text_of
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.deal import Deal
from tierce.solver.games import State, load_game, record_of, write_record
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

SEND = "D:QJ94.AQ9632.AQ6.AT62 8765.854.T532.K87543 AKT3.KJT7.KJ9874.QJ9 / 2..."
BIDDING = json.dumps(
    {
        "tierce_view": 1, "game": "solo_whist", "seat": "S", "phase": "BID", "dealer": 0, "turned": "H5",
        "hand": "AK85.QJ92.A7.K63", "bids": ["prop"],
    }
).encode()  # fmt: skip


def _sending() -> State:
    return exchange_of_deal(load_game("six_three_eight"), Deal.parse(SEND), (9, 6, 2))


def seeds() -> list[tuple[str, Any]]:
    """Messages that are in order, by the call they are for."""
    limits = question_pb2.Limits(timeout_seconds=0.002, max_nodes=50)
    position = question_pb2.Position(hands=[".9.T8.T", "A.5.7.Q", "T.J.A.K"], trump="D", leader="E", taken=[1, 0, 2])
    record = write_record(record_of(_sending())).encode()
    solo = write_record(record_of(golden()[0].state)).encode()
    moment = dealer_pb2.DealerMoment(
        hands=["AKQJT9876543.AKQJ.2.", "..AKQJT9876543.AKQJT", ".T98765432..98765432"],
        quotas=(9, 5, 3),
        swapper="D",
        up_card="2...",
    )
    return [
        ("Solve/Solve", solve_pb2.SolveRequest(question=question(), limits=limits, line=True, relevant=True)),
        ("Solve/Solve", solve_pb2.SolveRequest(question=question(FOUR, "H", side="NE", play="S2"), limits=limits)),
        ("Solve/Solve", solve_pb2.SolveRequest(question=question_pb2.Question(position=position), limits=limits)),
        ("Solve/CardValues", solve_pb2.CardValuesRequest(question=question(), limits=limits, all_seats=True)),
        ("Solve/Table", solve_pb2.TableRequest(question=question(FOUR, ""), limits=limits, declarers=True)),
        (
            "Solve/SolveMany",
            solve_pb2.SolveManyRequest(
                items=[solve_pb2.SolveManyRequest.Item(id="1", question=question())], limits=limits
            ),
        ),
        ("Games/GetGame", games_pb2.GetGameRequest(game=question_pb2.GameChoice(id="raf", options={"goal": "3"}))),
        ("Advice/DealerAdvice", dealer_pb2.DealerAdviceRequest(deal=LONG, limits=limits, value="share", partial=True)),
        (
            "Advice/DealerAdvice",
            dealer_pb2.DealerAdviceRequest(
                game=question_pb2.GameChoice(id="nine_five_three_one_card"),
                moment=moment,
                calls=["S", "H"],
                limits=limits,
                scores=True,
            ),
        ),
        (
            "Advice/ExchangeAdvice",
            exchange_pb2.ExchangeAdviceRequest(
                game=question_pb2.GameChoice(id="six_three_eight"), deal=SEND, previous=(9, 6, 2), limits=limits
            ),
        ),
        (
            "Advice/ExchangeAdvice",
            exchange_pb2.ExchangeAdviceRequest(record=record, limits=limits, scores=True),
        ),
        (
            "Advice/DealerEstimate",
            estimate_pb2.DealerEstimateRequest(view=text_of(HELD), worlds=1, chosen="H: S2 HT H9 H8", scores=True),
        ),
        ("Advice/DealerEstimate", estimate_pb2.DealerEstimateRequest(view=text_of(SWAPPING), seconds=0.01, by="quota")),
        (
            "Advice/ExchangeEstimate",
            estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), worlds=1, chosen=["...4"], partial=True),
        ),
        (
            "Advice/ExchangeEstimate",
            estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), seconds=0.01, reply="exact", scores=True),
        ),
        (
            "Advice/FairReview",
            fair_pb2.FairReviewRequest(record=RECORD.read_bytes(), seconds=0.01, worlds=1, deal=2, scores=True),
        ),
        (
            "Advice/Contracts",
            contracts_pb2.ContractsRequest(deal=LOW, dealer="N", trump="H", limits=limits, tricks=True),
        ),
        (
            "Advice/Contracts",
            contracts_pb2.ContractsRequest(
                game=question_pb2.GameChoice(options={"ad_trump": "true"}),
                deal=LOW,
                dealer="S",
                turned="S5",
                partial=True,
            ),
        ),
        ("Advice/Hint", hint_pb2.HintRequest(view=text_of(HELD), worlds=2, scores=True)),
        ("Advice/Hint", hint_pb2.HintRequest(view=BIDDING, worlds=3, utility=[0] * 9 + [1] * 5)),
        ("Advice/ReviewContract", contract_review_pb2.ReviewContractRequest(record=solo, seconds=0.01, deal=1)),
        ("Advice/Review", review_pb2.ReviewRequest(record=RECORD.read_bytes(), seconds=0.01, deal=1)),
    ]


WORDS = [b"", b"D:", b"S", b"N", b"A", b".", b"/", b"\xff", b"9" * 30, THREE.encode(), b"E:H7", b"{", b"raf", b"\x00"]
RIGHT = {"OK", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "UNIMPLEMENTED"}


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Some bytes other than they were: another message, or none at all."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(out) + 1)
        how = rng.randrange(5)
        if how == 0 and out:
            out[at % len(out)] ^= 1 << rng.randrange(8)
        elif how == 1:
            out[at:at] = rng.choice(WORDS)
        elif how == 2:
            del out[at : at + rng.randrange(1, 20)]
        elif how == 3:
            out[at : at + 1] = bytes(rng.randrange(256) for _ in range(rng.randrange(4)))
        else:
            out[at:at] = out[rng.randrange(len(out) + 1) :][: rng.randrange(40)]
    return bytes(out)


def twisted(rng: random.Random, message: Any) -> Any:
    """A message with another value in one of its fields: still a message, and often still a question."""
    out = type(message)()
    out.CopyFrom(message)
    inner = out
    while True:
        field = rng.choice(inner.DESCRIPTOR.fields)
        if field.message_type is None or field.is_repeated or rng.random() < 0.2:
            break
        inner = getattr(inner, field.name)
    if field.is_repeated or field.message_type is not None:
        inner.ClearField(field.name)
    elif field.cpp_type == field.CPPTYPE_STRING:
        text = getattr(inner, field.name)
        data = mutated(rng, text if isinstance(text, bytes) else text.encode())
        setattr(inner, field.name, data if isinstance(text, bytes) else data.decode("utf-8", "replace"))
    elif field.cpp_type == field.CPPTYPE_DOUBLE:
        setattr(inner, field.name, rng.choice((0.0, -1.0, 0.001, 1e300, float("nan"), float("inf"))))
    elif field.cpp_type == field.CPPTYPE_BOOL:
        setattr(inner, field.name, rng.random() < 0.5)
    else:
        setattr(inner, field.name, rng.choice((0, 1, 2, 3, 9, 17, 1000, (1 << 31) - 1)))
    return out


def drive(server: Running, count: int, seed: int) -> Counter[str]:
    """The statuses of so many messages."""
    rng, found = random.Random(seed), Counter[str]()
    messages = seeds()
    with grpc.insecure_channel(server.target) as channel:
        waiting: list[Any] = []
        for _ in range(count):
            name, message = rng.choice(messages)
            how = rng.random()
            for _ in range(rng.randrange(3) if how < 0.7 else 0):
                message = twisted(rng, message)
            data = message.SerializeToString()
            if how >= 0.7:
                data = mutated(rng, data) if how < 0.98 else rng.randbytes(rng.randrange(200))
            waiting.append(begun(channel, name, data))
            if len(waiting) == 8:
                found.update(map(ended, waiting))
                waiting = []
        found.update(map(ended, waiting))
    return found


def begun(channel: Any, name: str, data: bytes) -> tuple[bool, Any]:
    """The call, and whether its answer is one message. Bytes go as they are: there are no serializers."""
    service, method = name.split("/")
    path = f"/tierce.v1.{service}Service/{method}"
    if method == "SolveMany":
        return False, channel.stream_stream(path)(iter([data]), timeout=20)
    if method.startswith(("Contracts", "Dealer", "Exchange")):
        return False, channel.unary_stream(path)(data, timeout=20)
    return True, channel.unary_unary(path).future(data, timeout=20)


def ended(begun: tuple[bool, Any]) -> str:
    single, call = begun
    with suppress(grpc.RpcError):
        if single:
            call.result()
        else:
            for _ in call:
                pass
    return str(call.code().name)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(max_seconds=0.05, max_nodes=2000, max_queue=64, cache_mb=1) as found:
        yield found


def check(found: Counter[str], server: Running) -> None:
    internal = [each for each in server.log if each["event"] == "internal"]
    assert not internal, internal[0]
    assert found["OK"] and found["INVALID_ARGUMENT"] and set(found) <= RIGHT


def test_some_messages(server: Running) -> None:
    check(drive(server, 250, 1), server)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_messages(seed: int, server: Running) -> None:
    check(drive(server, 2000, 100 + seed), server)
