"""Contract tables over the service: the library's own come back, kept, limited, stopped, or refused by field."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.advice.contract_deals import HARD, LOW, SUITS_APART
from tests.cli.support import run
from tests.service.support import Running, Stubs, client_of, running, until
from tests.service.test_same import settled, without_effort
from tierce.service import Client
from tierce.solver import Deal
from tierce.solver.advice.contracts import contract_table
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.errors import InputError
from tierce.solver.games import load_game
from tierce.solver.query import Limits
from tierce.v1 import contracts_pb2

CASES = [
    {"deal": Deal.parse(SUITS_APART), "dealer": 0, "turned": 4},
    {"deal": Deal.parse(SUITS_APART), "dealer": 2, "trump": 2, "tricks": True},
    {"deal": Deal.parse(LOW), "dealer": 3, "trump": 0, "profile": load_game("solo_whist", {"ad_trump": True})},
    {"deal": Deal.parse(LOW), "dealer": 3, "trump": 0, "limits": Limits(None, 100)},
]


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Client]:
    with client_of(server) as found:
        yield found


def _timeless(table: ContractTable) -> ContractTable:
    return replace(table, millis=0.0)


@pytest.mark.parametrize("asked", CASES)
def test_tables_come_back(asked: dict[str, Any], client: Client) -> None:
    here = contract_table(**asked)
    assert here.complete == ("limits" not in asked)
    assert _timeless(client.contract_table(**asked)) == _timeless(here)


def test_one_is_kept_however_it_is_written(server: Running) -> None:
    north, *others = LOW.removeprefix("N:").split()
    request = contracts_pb2.ContractsRequest(dealer="E", turned="ST")
    with Stubs(server.target) as stubs:
        for request.deal in (LOW, " ".join(("E:" + others[0], *others[1:], north)), LOW.lower()):
            assert list(stubs.advice.Contracts(request))[-1].complete
        request.partial = True  # there is nothing to wait for
        assert len(list(stubs.advice.Contracts(request))) == 1
        request.tricks = True
        assert list(stubs.advice.Contracts(request))[-1].contracts[0].HasField("tricks")
    assert [each["cached"] for each in server.calls("Contracts")[-5:]] == [False, True, True, True, False]


def test_one_that_a_limit_stopped_is_not_kept(server: Running, client: Client) -> None:
    deal = Deal.parse(LOW)
    for limits, complete in ((Limits(None, 50), False), (Limits(), True), (Limits(None, 50), True)):
        assert client.contract_table(deal, 1, trump=1, limits=limits).complete == complete
    assert [each["cached"] for each in server.calls("Contracts")[-3:]] == [False, False, True]


def test_the_limits_of_the_server(client: Client) -> None:
    with running(max_nodes=60) as server, client_of(server) as asking:
        found = asking.contract_table(Deal.parse(LOW), 0, trump=0)
    assert found == replace(contract_table(Deal.parse(LOW), 0, trump=0, limits=Limits(None, 60)), millis=found.millis)


def test_what_is_known_so_far_and_the_end_of_a_call_that_is_given_up(server: Running) -> None:
    request = contracts_pb2.ContractsRequest(deal=HARD, dealer="S", trump="C", tricks=True, partial=True)
    with Stubs(server.target) as stubs:
        call = stubs.advice.Contracts(request, timeout=60)
        first = next(call)
        assert 0 <= first.done < 1 and not first.complete and len(first.contracts) == 42
        call.cancel()
        began = time.monotonic()
        until(lambda: not server.server.front.pool.busy, 5)
        assert time.monotonic() - began < 1
        until(lambda: server.calls("Contracts")[-1]["status"] == "CANCELLED")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "deal"),
        ({"deal": "N:A.K.Q.J K.Q.J.A Q.J.A.K J.A.K.Q"}, "deal"),
        ({"dealer": "D"}, "dealer"),
        ({"dealer": ""}, "dealer"),
        ({"trump": ""}, "turned"),
        ({"trump": "N"}, "trump"),
        ({"turned": "SK"}, "turned"),
        ({"turned": "SA", "trump": ""}, "turned"),
        ({"game": {"id": "raf"}}, "game"),
        ({"game": {"options": {"ad_trump": "perhaps"}}}, "option"),
        ({"limits": {"timeout_seconds": -1}}, "limits.timeout_seconds"),
    ],
)
def test_refused_by_field(asked: dict[str, Any], field: str, server: Running) -> None:
    from tierce.service.errors import error_of

    whole: dict[str, Any] = {"deal": LOW, "dealer": "W", "trump": "H"}
    request = contracts_pb2.ContractsRequest(**(whole | asked if asked else {}))
    with Stubs(server.target) as stubs, pytest.raises(grpc.RpcError) as caught:
        list(stubs.advice.Contracts(request))
    error = error_of(caught.value)
    assert isinstance(error, InputError) and error.field == field


def test_lines(server: Running, tmp_path: Path) -> None:
    lines = [{"id": f"{at}", "deal": LOW, "dealer": seat, "trump": "H"} for at, seat in enumerate("NESWX")]
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    words = ("contracts", "--batch", str(file))
    here, there = run(*words), run("--server", server.target, *words)
    assert (here.code, here.err) == (there.code, there.err)
    assert settled(here.lines) == settled(there.lines) and "error" in here.lines[4]


def test_the_command_at_a_server(server: Running) -> None:
    words = ("contracts", LOW, "--dealer", "N", "--trump", "S")
    here, there = run(*words), run("--server", server.target, *words)
    assert without_effort(there.out) == without_effort(here.out)
    for option in ("--threads", "--table-mb"):
        ran = run("--server", server.target, *words, option, "2")
        assert ran.code == 2 and f"{option} does not go with --server" in ran.err
