"""Estimates over the service: the library's own objects come back, and a hand by what was known is told as here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.cli.support import run
from tests.service.support import Running, Stubs, client_of, dictionary, running
from tests.service.test_same import RECORD, settled, without_effort
from tests.service.views import HAND, HELD, SENDING
from tierce.service import Client
from tierce.solver.advice.estimate import dealer_estimate
from tierce.solver.advice.exchange_estimate import exchange_estimate
from tierce.solver.advice.fair_decisions import fair_review
from tierce.solver.cards import parse_hand
from tierce.solver.games import read_record, replay
from tierce.v1 import fair_pb2


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Client]:
    with client_of(server) as found:
        yield found


def test_review_by_what_was_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand and the estimates are two calls. However busy the machine is, there is time for all cards."""
    monkeypatch.setattr("tierce.solver.advice.review.SECONDS", 600.0)
    monkeypatch.setattr("tierce.solver.advice.fair_decisions.SECONDS", 600.0)
    words = ("review", str(RECORD), "--seconds", "0", "--deal", "1", "--fair", "--worlds", "2", "--seed", "3")
    request = fair_pb2.FairReviewRequest(record=RECORD.read_bytes(), deal=1, seconds=0, worlds=2, seed=3)
    with running(max_seconds=600) as server, Stubs(server.target) as stubs:
        here, there = run(*words, "--json"), run("--server", server.target, *words, "--json")
        raw = stubs.advice.FairReview(request)
        one, other = run(*words), run("--server", server.target, *words)
    assert (here.code, here.err) == (there.code, there.err) == (0, "")
    assert json.dumps(settled(there.json)) == json.dumps(settled(here.json))
    assert without_effort(one.out) == without_effort(other.out)
    assert settled(dictionary(raw)) == settled(here.json["fair"])


def _timeless(found: Any) -> Any:
    return replace(found, nodes=0, millis=0.0)


def test_estimates_come_back(client: Client) -> None:
    asked: dict[str, Any] = {"worlds": 4, "by": "twelve", "seed": 2}
    one, other = dealer_estimate(HELD, **asked), client.dealer_estimate(HELD, **asked)
    assert _timeless(one) == _timeless(other)
    parcels: dict[str, Any] = {"worlds": 2, "chosen": [parse_hand("...4")], "reply": "quick"}
    sent, told = exchange_estimate(SENDING, **parcels), client.exchange_estimate(SENDING, **parcels)
    assert _timeless(sent) == _timeless(told)


def test_a_hand_of_a_game_with_an_auction(server: Running) -> None:
    words = ("dealer", HAND, "--hidden", "--game", "woburn", "--worlds", "1", "--seed", "3", "--json")
    here, there = run(*words), run("--server", server.target, *words)
    assert (here.code, here.err) == (there.code, there.err) == (0, "")
    assert json.dumps(settled(there.json)) == json.dumps(settled(here.json))


@pytest.mark.slow
def test_fair_reviews_come_back(client: Client) -> None:
    deal = replay(read_record(RECORD)).deals[1]
    here = fair_review(deal, worlds=2)
    assert here.decisions and here.plays
    assert _timeless(client.fair_review(deal, worlds=2, seconds=None)) == _timeless(here)
    left = fair_review(deal, worlds=2, seconds=0)
    assert left.left and _timeless(client.fair_review(deal, worlds=2, seconds=0)) == _timeless(left)
