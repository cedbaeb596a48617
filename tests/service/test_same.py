"""Each case through Python, the command, the command against a server, and the stubs: the same answer everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.advice.contract_deals import LOW, SUITS_APART
from tests.cli.support import run
from tests.service.support import DISCARD, FOUR, LONG, THREE, Running, Stubs, client_of, dictionary, question, running
from tests.service.views import CHOSEN, HAND, HELD, LONG_SUITS, SENDER, SENDING, SWAPPING, text_of
from tierce.service import Client
from tierce.solver import Deal, Position, card_values, floors, solve, strain_table
from tierce.solver.advice import choices_of_deal, dealer_advice
from tierce.solver.advice.contracts import contract_table
from tierce.solver.advice.estimate import dealer_estimate
from tierce.solver.advice.exchange_estimate import exchange_estimate
from tierce.solver.asking import Asked, result_json
from tierce.solver.cards import parse_card, parse_hand
from tierce.solver.games import game_names, load_game, read_record, replay
from tierce.solver.games.profile_json import profile_json
from tierce.solver.query import Limits
from tierce.v1 import (
    contracts_pb2,
    dealer_pb2,
    estimate_pb2,
    exchange_pb2,
    games_pb2,
    question_pb2,
    review_pb2,
    solve_pb2,
)

EASY = "D:J863.KQT986.QJT.A32 AKQ752.J7.7653.KJ96 T9.A53.AK9842.Q8754 / 4.42..T"
RECORD = Path(__file__).parents[1] / "records/golden/match.json"
SEND = "D:QJ94.AQ9632.AQ6.AT62 8765.854.T532.K87543 AKT3.KJT7.KJ9874.QJ9 / 2..."


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


@dataclass(frozen=True)
class Case:
    """A question: as it is typed, as a request, and the answer of the library as JSON, as far as it has one."""

    words: tuple[str, ...]
    method: tuple[str, str]
    request: Any
    python: Any = None
    inner: str = ""


def _position(deal: str, trump: str, **more: Any) -> Position:
    return Asked(deal, trump, **more).query().position


def _result(deal: str, trump: str, **more: Any) -> Any:
    query = Asked(deal, trump, **more).query()
    found = floors(query.position, query.objective) if query.side is None else solve(query.position, query.side)
    return result_json(query, found)


FEWEST = question_pb2.OBJECTIVE_FEWEST
NAMED = {"ad_trump": True, "ait_open": True}
CASES = [
    Case(
        ("solve", THREE, "--trump", "D"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question()),
        lambda: _result(THREE, "D"),
    ),
    Case(
        ("solve", THREE, "--trump", "D", "--objective", "fewest", "--relevant", "--line"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question(objective=FEWEST), line=True, relevant=True),
    ),
    Case(
        ("solve", FOUR, "--trump", "H", "--side", "NE", "--leader", "W", "--line"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question(FOUR, "H", side="NE", leader="W"), line=True),
    ),
    Case(
        ("solve", FOUR, "--trump", "H", "--dealer", "S"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question(FOUR, "H", dealer="S")),
        lambda: _result(FOUR, "H", dealer="S"),
    ),
    Case(
        ("solve", THREE, "--trump", "D", "--side", "E", "--at-least", "2"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question(side="E"), at_least=2),
    ),
    Case(
        ("solve", THREE, "--trump", "D", "--side", "EM", "--at-most", "3"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question(side="EM"), at_most=3),
    ),
    Case(
        ("solve", LONG, "--trump", "S", "--discard", DISCARD, "--max-nodes", "60"),
        ("solve", "Solve"),
        solve_pb2.SolveRequest(question=question(LONG, "S", discard=DISCARD), limits=question_pb2.Limits(max_nodes=60)),
    ),
    Case(
        ("solve", THREE),
        ("solve", "Table"),
        solve_pb2.TableRequest(question=question(trump="")),
        lambda: {"table": strain_table(Deal.parse(THREE))},
    ),
    Case(
        ("solve", FOUR, "--side", "NS"),
        ("solve", "Table"),
        solve_pb2.TableRequest(question=question(FOUR, "", side="NS")),
    ),
    Case(
        ("cards", THREE, "--trump", "D", "--play", "SA ST", "--all-seats"),
        ("solve", "CardValues"),
        solve_pb2.CardValuesRequest(question=question(play="SA ST"), all_seats=True),
    ),
    Case(
        ("cards", FOUR, "--trump", "N"),
        ("solve", "CardValues"),
        solve_pb2.CardValuesRequest(question=question(FOUR, "N")),
        lambda: {"cards": _cards(_position(FOUR, "N"))},
    ),
    Case(
        ("games", "woburn"),
        ("games", "GetGame"),
        games_pb2.GetGameRequest(game=question_pb2.GameChoice(id="woburn")),
        lambda: profile_json(load_game("woburn")),
        "game",
    ),
    Case(
        ("games", "raf", "--option", "kitty_first=true"),
        ("games", "GetGame"),
        games_pb2.GetGameRequest(game=question_pb2.GameChoice(options={"kitty_first": "true"})),
        lambda: profile_json(load_game("raf", {"kitty_first": True})),
        "game",
    ),
    Case(
        ("dealer", EASY, "--one", "--chosen", "H: S8 DJ C3 C2"),
        ("advice", "DealerAdvice"),
        dealer_pb2.DealerAdviceRequest(deal=EASY, find=dealer_pb2.FIND_ONE, chosen="H: S8 DJ C3 C2"),
        lambda: dealer_advice(choices_of_deal(load_game("raf"), Deal.parse(EASY)), find="one").json(),
    ),
    Case(
        ("dealer", EASY, "--target", "9", "--top", "2"),
        ("advice", "DealerAdvice"),
        dealer_pb2.DealerAdviceRequest(deal=EASY, target=9, top=2),
    ),
    Case(
        ("dealer", HAND, "--hidden", "--worlds", "3", "--chosen", "H: S2 HT H9 H8", "--by", "quota", "--top", "3"),
        ("advice", "DealerEstimate"),
        estimate_pb2.DealerEstimateRequest(
            view=text_of(HELD), worlds=3, chosen="H: S2 HT H9 H8", by="quota", top=3, scores=False
        ),
        lambda: dealer_estimate(HELD, worlds=3, chosen=CHOSEN, by="quota").json(3),
    ),
    Case(
        ("dealer", LONG_SUITS, "--hidden", "--game", "nine_five_three_one_card", "--worlds", "1", "--seed", "5"),
        ("advice", "DealerEstimate"),
        estimate_pb2.DealerEstimateRequest(view=text_of(SWAPPING), worlds=1, seed=5),
        lambda: dealer_estimate(SWAPPING, worlds=1, seed=5).json(),
    ),
    Case(
        ("exchange", SENDER, "--hidden", "--previous", "9/5/2", "--worlds", "2", "--chosen", "E:C4"),
        ("advice", "ExchangeEstimate"),
        estimate_pb2.ExchangeEstimateRequest(view=text_of(SENDING), worlds=2, chosen=["...4"]),
        lambda: exchange_estimate(SENDING, worlds=2, chosen=[parse_hand("...4")]).json(),
    ),
    Case(
        ("contracts", SUITS_APART, "--dealer", "N", "--turned", "S5", "--tricks"),
        ("advice", "Contracts"),
        contracts_pb2.ContractsRequest(deal=SUITS_APART, dealer="N", turned="S5", tricks=True),
        lambda: contract_table(Deal.parse(SUITS_APART), 0, parse_card("S5"), tricks=True).json(),
    ),
    Case(
        ("contracts", LOW, "--dealer", "W", "--trump", "D", "--option", "ad_trump=true", "--option", "ait_open=true"),
        ("advice", "Contracts"),
        contracts_pb2.ContractsRequest(
            game=question_pb2.GameChoice(options={"ad_trump": "true", "ait_open": "true"}),
            deal=LOW,
            dealer="W",
            trump="D",
        ),
        lambda: contract_table(Deal.parse(LOW), 3, trump=2, profile=load_game("solo_whist", NAMED)).json(),
    ),
    Case(
        ("contracts", LOW, "--dealer", "E", "--trump", "C", "--max-nodes", "200"),
        ("advice", "Contracts"),
        contracts_pb2.ContractsRequest(
            deal=LOW, dealer="E", trump="C", limits=question_pb2.Limits(max_nodes=200), partial=True
        ),
        lambda: contract_table(Deal.parse(LOW), 1, trump=3, limits=Limits(None, 200)).json(),
    ),
    Case(
        ("review", str(RECORD), "--seconds", "0", "--deal", "1"),
        ("advice", "Review"),
        review_pb2.ReviewRequest(record=RECORD.read_bytes(), deal=1, seconds=0),
    ),
]


def _cards(position: Position) -> list[Any]:
    from tierce.solver import card_name

    return [
        {"card": card_name(each.card), "tricks": each.tricks, "best": each.best} for each in card_values(position).cards
    ]


def settled(value: Any) -> Any:
    """JSON without what differs from one search to the next, nor `stop`, which the command does not print."""
    if isinstance(value, dict):
        return {name: settled(each) for name, each in value.items() if name not in ("nodes", "millis", "stop")}
    return [settled(each) for each in value] if isinstance(value, list) else value


def without_effort(out: str) -> str:
    return re.sub(r"[0-9,]+ nodes.*", "nodes", out)


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case.words[:1] + case.words[2:]))
def test_same_answer_everywhere(case: Case, server: Running) -> None:
    ran = run(*case.words, "--json")
    here = json.loads(ran.out)
    there = run("--server", server.target, *case.words, "--json")
    assert (there.code, there.err) == (ran.code, ran.err)
    assert json.dumps(settled(json.loads(there.out))) == json.dumps(settled(here))  # the order of fields, too
    with Stubs(server.target) as stubs:
        found = getattr(getattr(stubs, case.method[0]), case.method[1])(case.request)
        message = found if hasattr(found, "DESCRIPTOR") else list(found)[-1]
    told = dictionary(message)
    assert settled(told[case.inner] if case.inner else told) == settled(here)
    python = {} if case.python is None else settled(case.python())
    if "--chosen" in case.words:
        python.pop("complete", None)
    assert {name: here[name] for name in python} == python


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case.words[:1] + case.words[2:]))
def test_samewithout_effort(case: Case, server: Running) -> None:
    ran = run(*case.words)
    there = run("--server", server.target, *case.words)
    assert (there.code, without_effort(there.out), there.err) == (ran.code, without_effort(ran.out), ran.err)


def test_every_game_is_listed(server: Running) -> None:
    with Stubs(server.target) as stubs:
        found = dictionary(stubs.games.ListGames(games_pb2.ListGamesRequest()))
    assert found == {"games": [profile_json(load_game(name)) for name in game_names()]}
    here, there = (run(*words, "games").out.splitlines() for words in ((), ("--server", server.target)))
    assert there == [line for line in here if not line.startswith("sumgait ")]  # which no server knows


def test_batch(server: Running, tmp_path: Path) -> None:
    lines = [
        {"id": number, "deal": deal, "trump": "SHDCN"[number % 5]} for number, deal in enumerate([THREE, FOUR] * 20)
    ]
    lines[7]["trump"] = "X"
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    here, there = run("solve", "--batch", str(file)), run("--server", server.target, "solve", "--batch", str(file))
    assert here.code == there.code == 65
    assert settled(here.lines) == settled(there.lines)


def test_commands_that_no_server_serves(server: Running) -> None:
    for words in (
        ("bench",),
        ("serve",),
        ("deal", "--game", "raf"),
        ("solve", "--pbn", "x"),
        ("play", "--game", "raf"),
    ):
        ran = run("--server", server.target, *words)
        assert ran.code == 2 and "server" in ran.err, words


@pytest.mark.slow
def test_exchange(server: Running) -> None:
    words = ("exchange", "--game", "six_three_eight", "--previous", "9/6/2", SEND, "--chosen", "E:DK", "--top", "3")
    here, there = run(*words, "--json"), run("--server", server.target, *words, "--json")
    assert json.dumps(settled(here.json)) == json.dumps(settled(there.json))
    assert without_effort(run(*words).out) == without_effort(run("--server", server.target, *words).out)
    request = exchange_pb2.ExchangeAdviceRequest(
        game=question_pb2.GameChoice(id="six_three_eight"), deal=SEND, previous=(9, 6, 2), chosen=["..K."], top=3
    )
    with Stubs(server.target) as stubs:
        assert settled(dictionary(list(stubs.advice.ExchangeAdvice(request))[-1])) == settled(here.json)


# ---- the clients -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Client]:
    with client_of(server) as found:
        yield found


def test_the_librarys_objects_come_back(client: Client) -> None:
    position = _position(THREE, "D", play="SA ST")
    here = floors(position)
    found = client.floors(position)
    assert (found.tricks, found.taken, found.share, found.pairs) == (here.tricks, here.taken, here.share, here.pairs)
    assert [each.relevant for each in found.sides] == [each.relevant for each in here.sides]
    for side in ("D", "EM"):
        for objective in ("most", "fewest"):
            one, other = client.solve(position, side, objective), solve(position, side, objective)
            assert _plain(one) == _plain(other)
    for number in range(7):
        asked, same = client.solve(position, "E", at_least=number), solve(position, "E", at_least=number)
        assert (asked.low, asked.high) == (same.low, same.high)
    values, known = client.card_values(position), card_values(position)
    assert (values.cards, values.best, values.taken) == (known.cards, known.best, known.taken)
    assert client.strain_table(Deal.parse(FOUR)) == strain_table(Deal.parse(FOUR))


def _plain(found: Any) -> Any:
    return found.low, found.high, found.taken, found.relevant, found.kind, found.side


def test_reviews_come_back(client: Client) -> None:
    from tierce.solver.advice.review import review

    record = read_record(RECORD)
    deal = replay(record).deals[0]
    here, found = (
        review(deal, record.players, seconds=0, every=True),
        client.review(deal, record.players, seconds=0, every=True),
    )
    assert settled(found.json()) == settled(here.json())
    assert (found.ledger.plays, found.ledger.taken, found.ledger.left) == (
        here.ledger.plays,
        here.ledger.taken,
        here.ledger.left,
    )


def test_the_message_of_a_review_with_decisions_is_itstext_of() -> None:
    from tierce.service.told import review_message
    from tierce.service.typed_review import review as told_review
    from tierce.solver.advice.review import review
    from tierce.solver.advice.review_results import Decision

    record = read_record(RECORD)
    deal = replay(record).deals[1]
    decisions = (
        Decision("trump", 0, "H", (2, 4), (-1, 1), ("S", "C"), 2),
        Decision("trump", 0, "S", (3, 3), (3, 3), ("S",), 1),
    )
    here = replace(review(deal, record.players, seconds=0), decisions=decisions)
    assert dictionary(review_message(here)) == here.json()
    found = told_review(deal, record.players, review_message(here, scores=True))
    assert [(each.best, each.value) for each in found.decisions] == [(each.best, each.value) for each in here.decisions]


def test_async_client(server: Running) -> None:
    import asyncio

    from tierce.service import AsyncClient

    async def ask() -> None:
        async with AsyncClient(server.target) as client:
            position = _position(THREE, "D")
            found = await client.floors(position)
            assert found.tricks == floors(position).tricks
            many = [each async for each in client.solve_many([position] * 40)]
            assert [each.tricks for each in many] == [found.tricks] * 40
            assert (await client.game("raf"))["quotas"] == {"D": 8, "E": 5, "M": 3}
            assert (await client.dealer_estimate(HELD, worlds=1)).worlds == 1
            assert (await client.exchange_estimate(SENDING, worlds=1)).worlds == 1
            assert (await client.fair_review(replay(read_record(RECORD)).deals[0], worlds=1, seconds=0)).plays

    asyncio.run(ask())


@pytest.mark.parametrize("name", ["nine_five_three_one_card", "nine_five_three_no_kitty"])
def test_dealers_without_a_discard(name: str, client: Client) -> None:
    choices = choices_of_deal(load_game(name), Deal.parse(LONG_SUITS))
    here, found = dealer_advice(choices), client.dealer_advice(choices)
    assert choices.swapper == (0 if "one_card" in name else None)
    assert settled(found.json()) == settled(here.json())
    assert found.calls == here.calls


def test_value_of_every_choice(server: Running, tmp_path: Path) -> None:
    words = ("dealer", "--game", "nine_five_three_one_card", LONG_SUITS, "--all", "--out")
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert run(*words, str(here)).code == run("--server", server.target, *words, str(there)).code == 0
    assert here.read_text(encoding="utf-8") == there.read_text(encoding="utf-8")
