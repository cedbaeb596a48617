"""Reviews of Solo Whist over the service: the library's own come back, kept, limited, stopped, or refused by field."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.advice.contract_played import NAMES, golden, match
from tests.cli.support import run
from tests.service.support import Running, Stubs, client_of, dictionary, running, until
from tests.service.test_same import RECORD, settled, without_effort
from tierce.service import AsyncClient, Client
from tierce.service.errors import error_of
from tierce.service.told import contract_review_message
from tierce.service.typed_contract_review import contract_review as told_review
from tierce.solver.advice.contract_review import ContractReviewSearch, contract_review
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts import ContractSearch
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.errors import InputError
from tierce.solver.games import ReplayedDeal, record_of, write_record
from tierce.v1 import contract_review_pb2, review_pb2

VOID = 14  # of the golden hands the first that is
ABUNDANCE = 6  # and one whose bidder named a trump
Request = contract_review_pb2.ReviewContractRequest


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Client]:
    with client_of(server) as found:
        yield found


@cache
def reviewed(place: int, seconds: float | None = None) -> ContractReview:
    """A golden hand, reviewed here."""
    return contract_review(golden()[place], NAMES, seconds=seconds)


def timeless(review: ContractReview) -> ContractReview:
    """Without the effort; of the parts of an answer nobody is told their own."""
    ledger = None if review.ledger is None else replace(review.ledger, nodes=0)
    table = None if review.table is None else replace(review.table, nodes=0, millis=0.0)
    return replace(review, ledger=ledger, table=table, nodes=0, millis=0.0)


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some golden hands as a file: made, beaten, void."""
    file = tmp_path_factory.mktemp("solo") / "hands.jsonl"
    file.write_text("".join(map(line, (5, ABUNDANCE, VOID))), encoding="utf-8")
    return file


def line(place: int) -> str:
    return json.dumps(json.loads(record(golden()[place]))) + "\n"


def record(deal: ReplayedDeal) -> bytes:
    return write_record(record_of(deal.state, NAMES)).encode()


# ---- the same answer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0, 4, ABUNDANCE, VOID])
def test_the_same_here_there_and_raw(place: int, server: Running, client: Client) -> None:
    """The library's object comes back, and the message's dictionary form is the command's JSON."""
    deal, here = golden()[place], reviewed(place)
    found = client.contract_review(deal, NAMES, seconds=None)
    assert timeless(found) == timeless(here) and not found.skipped
    assert list(found.json()) == list(here.json()) and settled(found.json()) == settled(here.json())
    with Stubs(server.target) as stubs:
        message = stubs.advice.ReviewContract(Request(record=record(deal), seconds=60))
    assert settled(dictionary(message)) == settled(here.json())


def test_cards_alone(client: Client) -> None:
    """Any options, claims as wrong as they may be, money, hands without names, deals late in their match."""
    for deal in match(3, 3, claims=0.03):
        here, found = contract_review(deal, seconds=0), client.contract_review(deal, seconds=0)
        assert timeless(found) == timeless(here) and settled(found.json()) == settled(here.json())
        assert settled(dictionary(contract_review_message(here))) == settled(here.json())


@pytest.mark.parametrize("stopped_at", range(1, 30, 9))
def test_what_is_not_known_is_told_as_such(stopped_at: int) -> None:
    """Reviews that were left at some moment: tables, calls and trumps that are known in part."""

    class _EnoughError(Exception):
        pass

    seen = 0

    def watch() -> None:
        nonlocal seen
        seen += 1
        if seen == stopped_at:
            raise _EnoughError

    deal = golden()[ABUNDANCE]
    search = ContractSearch(deal.state.dealt, deal.state.dealer, deal.state.turned)  # type: ignore[arg-type]
    try:
        table = search.run(watch, 0.0)
    except _EnoughError:
        table = search.table
    here = in_part(deal, table)
    message = contract_review_message(here)
    assert settled(dictionary(message)) == settled(here.json())
    assert timeless(told_review(deal, NAMES, message)) == timeless(here)


def in_part(deal: ReplayedDeal, table: ContractTable) -> ContractReview:
    """A review by so much of a table, without the first cards, and of the trumps the chosen one alone."""
    from tierce.solver.advice.contract_calls import judged_calls

    whole = reviewed(ABUNDANCE)
    assert whole.ledger is not None and whole.trump is not None
    plays = whole.ledger.plays[20:]
    ledger = replace(whole.ledger, plays=plays, start=plays[0].before, whole=False)
    trump = replace(
        whole.trump,
        makes=tuple((suit, None) for suit, _ in whole.trump.makes),
        tricks=tuple((suit, tricks if suit == whole.trump.chosen else None) for suit, tricks in whole.trump.tricks),
    )
    calls = judged_calls(deal, table)
    return replace(whole, ledger=ledger, table=table, calls=calls, trump=trump, skipped=("auction", "trump"))


def test_a_hand_left_in_the_middle(client: Client) -> None:
    deal = golden()[0]
    states = [state for _, state in deal.steps() if state.phase == "PLAY"]
    from tierce.solver.games import replay

    (early,) = replay(record_of(states[30])).deals
    here, found = contract_review(early, seconds=0), client.contract_review(early, seconds=0)
    assert not here.finished and timeless(found) == timeless(here)


def test_async_client(server: Running) -> None:
    async def ask() -> ContractReview:
        async with AsyncClient(server.target) as client:
            return await client.contract_review(golden()[4], NAMES, seconds=0)

    assert timeless(asyncio.run(ask())) == timeless(reviewed(4, 0))


@pytest.mark.parametrize(
    "words", [("--seconds", "0"), ("--deal", "1", "--seconds", "60"), ("--seconds", "0", "--summary")]
)
def test_the_command_at_a_server(words: tuple[str, ...], series: Path, server: Running) -> None:
    here, there = run("review", str(series), *words), run("--server", server.target, "review", str(series), *words)
    assert (there.code, there.err) == (here.code, here.err) and here.code == 0
    assert without_effort(there.out) == without_effort(here.out)
    as_json = [run(*at, "review", str(series), *words, "--json") for at in ((), ("--server", server.target))]
    here_told, there_told = ([settled(json.loads(line)) for line in ran.out.splitlines()] for ran in as_json)
    assert json.dumps(there_told) == json.dumps(here_told)  # the order of fields, too


# ---- kept, limited, stopped, refused ---------------------------------------------------------------------------------


def test_what_is_whole_is_kept(server: Running) -> None:
    deal = golden()[8]
    asked = (
        {"seconds": 0},
        {"seconds": 0},
        {"seconds": 60},
        {"seconds": 50},
        {"seconds": 0},
        {"seconds": 60, "deal": 1},
    )
    with Stubs(server.target) as stubs:
        told = [stubs.advice.ReviewContract(Request(record=record(deal), **each)) for each in asked]
    assert [each["cached"] for each in server.calls("ReviewContract")[-6:]] == [False, True, False, True, True, False]
    assert [each.HasField("auction") for each in told] == [False, False, True, True, False, True]


def test_what_time_left_unjudged_is_told_and_not_kept(server: Running) -> None:
    request = Request(record=record(golden()[1]), seconds=1e-9)
    with Stubs(server.target) as stubs:
        told = [stubs.advice.ReviewContract(request) for _ in range(2)]
    assert not any(each["cached"] for each in server.calls("ReviewContract")[-2:])
    for each in told:
        assert "auction" in each.not_judged and each.auction.table.stop == "timeout" and not each.whole


def test_the_server_has_a_limit_of_its_own() -> None:
    deal = golden()[1]
    with running(max_seconds=1e-3) as server, client_of(server) as client:
        found = client.contract_review(deal, seconds=None)
    assert "auction" in found.skipped and not found.whole


def test_a_call_that_is_given_up_stops(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The auction of a hand lasts until its search is told to stop."""
    begun, stopped = [], []

    def run_on(self: Any, *_: Any) -> Any:
        begun.append(self)
        until(lambda: self._stop)
        stopped.append(self)
        return self.table

    monkeypatch.setattr(ContractSearch, "run", run_on)
    with Stubs(server.target) as stubs:
        call = stubs.advice.ReviewContract.future(Request(record=record(golden()[2]), seconds=60), timeout=60)
        until(lambda: begun)
        call.cancel()
        until(lambda: stopped)
        until(lambda: not server.server.front.pool.busy)
        until(lambda: server.calls("ReviewContract")[-1]["status"] == "CANCELLED")


def test_one_that_is_stopped_before_it_begins() -> None:
    from tierce.solver.errors import Cancelled

    search = ContractReviewSearch(golden()[0])
    search.cancel()
    with pytest.raises(Cancelled):
        search.run()


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"record": b"{"}, None),
        ({"record": b""}, None),
        ({"record": RECORD.read_bytes()}, "game"),
        ({"record": (line(4) + line(5)).encode()}, "record"),
        ({"deal": 7}, "deal"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"seconds": float("inf")}, "seconds"),
    ],
)
def test_refused_by_field(asked: dict[str, Any], field: str | None, server: Running) -> None:
    request = Request(**({"record": record(golden()[0])} | asked))
    with Stubs(server.target) as stubs, pytest.raises(grpc.RpcError) as caught:
        stubs.advice.ReviewContract(request)
    error = error_of(caught.value)
    assert isinstance(error, InputError) and error.field == field


def test_each_review_has_its_games(server: Running, client: Client) -> None:
    """Solo Whist is not reviewed as a hand of three; the client says no to other games as the library does."""
    with Stubs(server.target) as stubs, pytest.raises(grpc.RpcError) as caught:
        stubs.advice.Review(review_pb2.ReviewRequest(record=record(golden()[0])))
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    from tierce.solver.games import read_record, replay

    (three, *_) = replay(read_record(RECORD)).deals
    with pytest.raises(InputError, match="expected a game of contracts"):
        client.contract_review(three)
