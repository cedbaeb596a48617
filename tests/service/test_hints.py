"""Hints over the service: the library's answer everywhere, in time, and what is refused."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import code_pb2, error_details_pb2
from grpc_status import rpc_status

from tests.cli.support import run
from tests.hints.plays import game, games, moments
from tests.hints.test_view_json import WRITTEN
from tests.service.support import Running, Stubs, client_of, dictionary, endless, running, until
from tierce.service import AsyncClient, Client, hinting, wires
from tierce.service.hinting import due_of
from tierce.service.told import hint_message
from tierce.service.typed_hint import hint as typed_hint
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games import Bid, View, apply, legal, load_game, read_record, replay, view
from tierce.solver.hints.hint import hint
from tierce.solver.hints.moments_of_record import view_at
from tierce.solver.hints.results import Hint
from tierce.solver.hints.view_json import view_json
from tierce.v1 import hint_pb2

RECORD = Path(__file__).parents[1] / "records/golden/match.json"
MANY = 1_000_000  # worlds: more than there is time for


def _seen(at: str, seat: int) -> View:
    return view_at(replay(read_record(RECORD)).deals[1], at, seat)


LATE, EARLY, TRUMP = _seen("trick 14", 2), _seen("trick 2", 1), _seen("trump", 0)
AT = {LATE: ("M", "trick 14"), EARLY: ("E", "trick 2"), TRUMP: ("D", "trump")}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Client]:
    with client_of(server) as found:
        yield found


@pytest.fixture(scope="module")
def stubs(server: Running) -> Iterator[Stubs]:
    with Stubs(server.target) as found:
        yield found


def request(of: View | str, **more: Any) -> hint_pb2.HintRequest:
    text = of if isinstance(of, str) else json.dumps(view_json(of))
    return hint_pb2.HintRequest(view=text.encode(), **more)


def timeless(found: Any) -> Any:
    if isinstance(found, Hint):
        return replace(found, millis=0.0)
    return {name: value for name, value in found.items() if name not in ("millis", "id")}


# ---- the same everywhere ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*games(), "solo_whist"])
def test_the_message_of_every_decision_is_its_json(name: str) -> None:
    rng = random.Random(f"message {name}")
    by_phase: dict[str, View] = {}
    for state in moments(rng, game(name), 2):
        seat = next(each.seat for each in legal(state) if each.seat is not None)
        seen = view(state, seat)
        if seen.phase not in by_phase or rng.random() < 0.1:
            by_phase[seen.phase] = seen
    for seen in by_phase.values():
        found = hint(seen, worlds=2, seed=4)
        assert dictionary(hint_message(found, 3)) == found.json(3)
        message = hint_pb2.HintResponse.FromString(hint_message(found, None, scores=True).SerializeToString())
        told = typed_hint(message, 4, seen.profile.letters)
        assert timeless(told) == timeless(found)
        assert json.dumps(told.json()) == json.dumps(found.json())  # the order of fields, too


WORDS = [
    (LATE, {"worlds": 12, "seed": 5}),
    (EARLY, {"worlds": 40}),
    (EARLY, {"worlds": 8, "infer": False, "method": "playouts", "by": "quota"}),
    (EARLY, {"worlds": 8, "others": "hint", "utility": [0.0] * 6 + [1.0] * 11}),
    (LATE, {"worlds": 3, "method": "pimc", "by": "twelve"}),
    (TRUMP, {"worlds": 12}),
]


@pytest.mark.parametrize(("seen", "given"), WORDS)
def test_same_answer_everywhere(seen: View, given: dict[str, Any], server: Running, client: Client) -> None:
    here = hint(seen, **{"by": "utility" if "utility" in given else "tricks"} | given)
    assert timeless(client.hint(seen, **given)) == timeless(here)
    words = ["hint", str(RECORD), "--deal", "2", "--seat", AT[seen][0], "--at", AT[seen][1]]
    for name, value in given.items():
        text = ",".join(map(str, value)) if name == "utility" else str(value)
        words += ["--no-infer"] if name == "infer" else [f"--{name}", text]
    there = run("--server", server.target, *words, "--json")
    assert (there.code, there.err) == (0, "")
    assert json.dumps(timeless(there.json)) == json.dumps(timeless(run(*words, "--json").json))
    assert timeless(there.json) == timeless(here.json(10))
    lines, same = (run(*each, *words).out.splitlines() for each in (("--server", server.target), ()))
    assert lines[:-1] == same[:-1]  # the last tells the time
    fields = {name: value for name, value in given.items() if name != "infer"}
    with Stubs(server.target) as plain:
        message = plain.advice.Hint(request(seen, no_infer="infer" in given, **fields))
    assert timeless(dictionary(message)) == timeless(here.json(10))


def _of_contracts() -> dict[str, View]:
    """A view of each decision of Solo Whist, in the play one of each side."""
    found: dict[str, View] = {}
    for state in moments(random.Random("contracts"), load_game("solo_whist"), 12):
        seen = view(state, next(each.seat for each in legal(state) if each.seat is not None))
        declares = seen.contract is not None and seen.seat in seen.contract.declarers
        if seen.phase != "PLAY" or len(seen.tricks) == 6:
            found[f"{seen.phase} {declares}"] = seen
        if state.phase == "BID" and not state.bids:
            for word in ("abundance", None, None, None):
                bidder = next(each.seat for each in legal(state) if each.seat is not None)
                state = apply(state, Bid(bidder, word))
            found["TRUMP"] = view(state, next(each.seat for each in legal(state) if each.seat is not None))
    return found


CONTRACTS = _of_contracts()


@pytest.mark.parametrize("name", CONTRACTS)
def test_same_answer_of_contracts(name: str, server: Running, client: Client, tmp_path: Path) -> None:
    seen = CONTRACTS[name]
    here = hint(seen, worlds=6, seed=3)
    assert here.by == "units" and (here.side != "") == name.startswith("PLAY")
    assert timeless(client.hint(seen, worlds=6, seed=3)) == timeless(here)
    file = tmp_path / "view.json"
    file.write_text(json.dumps(view_json(seen)), encoding="utf-8")
    words = ("hint", str(file), "--worlds", "6", "--seed", "3")
    there = run("--server", server.target, *words, "--json")
    assert (there.code, there.err) == (0, "")
    assert json.dumps(timeless(there.json)) == json.dumps(timeless(run(*words, "--json").json))
    lines, same = (run(*each, *words).out.splitlines() for each in (("--server", server.target), ()))
    assert lines[:-1] == same[:-1]  # the last tells the time
    with Stubs(server.target) as plain:
        message = plain.advice.Hint(request(seen, worlds=6, seed=3))
    assert timeless(dictionary(message)) == timeless(here.json(10))


def test_every_decision_of_contracts_is_among_them() -> None:
    assert set(CONTRACTS) == {"BID False", "TRUMP", "PLAY False", "PLAY True"}


def test_batch(server: Running, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [view_json(seen) | {"id": number} for number, seen in enumerate((LATE, EARLY))]
    lines.append({"tierce_view": 1})
    file = tmp_path / "views.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    words = ("hint", "--batch", str(file), "--worlds", "6")
    here, there = run(*words), run("--server", server.target, *words)
    assert here.code == there.code == 65
    assert list(map(timeless, there.lines)) == list(map(timeless, here.lines))


def test_async_client(server: Running) -> None:
    async def ask() -> Hint:
        async with AsyncClient(server.target) as client:
            return await client.hint(LATE, worlds=12)

    assert timeless(asyncio.run(ask())) == timeless(hint(LATE, worlds=12))


def test_only_the_same_question_by_worlds_is_answered_from_memory(server: Running, stubs: Stubs) -> None:
    asked = request(EARLY, worlds=7, seed=77)
    one, other = stubs.advice.Hint(asked), stubs.advice.Hint(asked)
    assert one == other
    for _ in range(2):
        stubs.advice.Hint(request(EARLY, seconds=0.02, seed=77))
    until(lambda: len(server.calls("Hint")) >= 4)
    assert [each["cached"] for each in server.calls("Hint")[-4:]] == [False, True, False, False]


# ---- time ------------------------------------------------------------------------------------------------------------


def test_whoever_watches_is_told_before_the_end(stubs: Stubs) -> None:
    found = list(stubs.advice.WatchHint(hint_pb2.WatchHintRequest(hint=request(EARLY, worlds=1500))))
    assert len(found) > 1
    assert found[0].hint.best.card and found[0].hint.worlds < 1500 and not found[0].hint.complete
    assert all(each.HasField("done") and each.done < 1 for each in found[:-1])
    assert not found[-1].HasField("done") and found[-1].hint.complete and found[-1].hint.worlds == 1500
    worlds = [each.hint.worlds for each in found]
    assert worlds == sorted(worlds)


def test_the_last_that_is_watched_is_the_hint(stubs: Stubs) -> None:
    asked = request(LATE, worlds=9)
    *_, last = stubs.advice.WatchHint(hint_pb2.WatchHintRequest(hint=asked))
    assert timeless(dictionary(last.hint)) == timeless(dictionary(stubs.advice.Hint(asked)))


def test_when_a_hint_is_due() -> None:
    """Its seconds count from its arrival; the server's limit and the call's deadline, less a margin, bound them."""
    due = [
        due_of(hint_pb2.HintRequest(seconds=2), 100, 60, None),
        due_of(hint_pb2.HintRequest(seconds=200), 100, 60, None),
        due_of(hint_pb2.HintRequest(), 100, 60, None),
        due_of(hint_pb2.HintRequest(worlds=5), 100, 60, None),
        due_of(hint_pb2.HintRequest(seconds=2), 100, 60, 110),
        due_of(hint_pb2.HintRequest(), 100, 60, 110),
        due_of(hint_pb2.HintRequest(worlds=5), 100, 60, 110),
        due_of(hint_pb2.HintRequest(seconds=2), 100, 60, 100.1),
    ]
    assert due == pytest.approx([101.99, 159.99, 100.99, 159.99, 101.99, 109.94, 109.94, 100.0675], abs=1e-6)


@pytest.mark.parametrize("method", ["", "pimc"])
def test_an_answer_comes_before_the_deadline(method: str, stubs: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the caller would wait; of a number of worlds what there is by then."""
    monkeypatch.setattr(hinting, "_MARGIN", 20.0)  # a busy machine may need that
    monkeypatch.setattr(hinting, "_PART", 1.0)
    found = stubs.advice.Hint(request(EARLY, method=method, worlds=MANY), timeout=20.5)
    assert not found.complete and found.worlds < MANY and found.best.card
    assert stubs.advice.Hint(request(EARLY, method=method), timeout=20.5).best.card


@pytest.mark.parametrize("method", ["", "pimc"])
def test_the_server_has_a_limit_of_its_own(method: str) -> None:
    with running(max_seconds=0.3) as server, Stubs(server.target) as stubs:
        found = stubs.advice.Hint(request(EARLY, method=method, worlds=MANY), timeout=20)
        assert not found.complete and found.best.card


def test_hints_wait_for_no_search() -> None:
    with running(workers=1) as server, Stubs(server.target) as stubs, Stubs(server.target) as other:
        calls = [each.solve.Solve.future(endless()) for each in (stubs, other)]
        until(lambda: server.server.front.pool.busy == 2)
        assert stubs.advice.Hint(request(EARLY, worlds=4), timeout=20).complete
        for call in calls:
            call.cancel()
        until(lambda: server.server.front.pool.busy == 0)


@pytest.mark.parametrize("method", ["", "pimc"])
@pytest.mark.parametrize("name", ["Hint", "WatchHint"])
def test_a_call_that_is_given_up_is_stopped(name: str, method: str, server: Running, stubs: Stubs) -> None:
    front = server.server.front
    asked: Any = request(EARLY, method=method, seconds=50)
    if name == "WatchHint":
        call: Any = stubs.advice.WatchHint(hint_pb2.WatchHintRequest(hint=asked))
    else:
        call = stubs.advice.Hint.future(asked)
    until(lambda: front.pool.busy + len(front.slices) == 1)
    call.cancel()
    until(lambda: front.pool.busy + len(front.slices) == 0)
    until(lambda: server.calls(name)[-1]["status"] == "CANCELLED")


@pytest.mark.parametrize("by", ["units", "tricks"])
def test_a_hint_in_progress_has_no_more_memory_than_is_stated(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be as many as may wait: so their tables are small, and `--table-mb` says how small."""
    from tierce.service.settings import SETTINGS
    from tierce.solver.hints import card_search, contract_play
    from tierce.solver.search import Engine
    from tierce.solver.solver import Solver

    found: list[int] = []

    def engine(size: int) -> Engine:
        found.append(size)
        return Engine(size)

    def solver(mib: int) -> Solver:
        found.append(mib << 20)
        return Solver(mib)

    monkeypatch.setattr(contract_play, "Engine", engine)
    monkeypatch.setattr(card_search, "Solver", solver)
    for state in moments(random.Random("contracts"), load_game("solo_whist"), 3):
        asked = request(view(state, state.mover), worlds=1, by=by)
        found.clear()
        work = hinting.HintWork(asked, math.inf, None)
        assert not hinting.is_long(asked)
        while state.phase == "PLAY" and not work.go(1.0):
            pass
        if found:
            break
    assert len(found) == 1 and f"each hint in progress has {found[0] >> 20} more" in SETTINGS["table_mb"].help


def test_a_client_whose_deadline_is_past_is_told_so(client: Client) -> None:
    with pytest.raises(LimitReached):
        client.within(1e-6).hint(EARLY, seconds=5)


def test_no_room() -> None:
    with running(max_queue=1) as server, Stubs(server.target) as plain:
        call = plain.advice.Hint.future(request(EARLY, seconds=50))
        until(lambda: len(server.server.front.slices) == 1)
        with pytest.raises(grpc.RpcError) as caught:
            plain.advice.Hint(request(EARLY, seconds=50))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        call.cancel()


# ---- what is refused -------------------------------------------------------------------------------------------------


def _changed(**more: Any) -> str:
    return json.dumps(view_json(EARLY) | more)


IMPOSSIBLE = WRITTEN | {"tricks": ["SK SQ S4", "CK D4 C2", "CQ C4 C9"], "hand": "87.J742.A53.T753"}
"""Middle showed to have no club, and plays one later."""
WRONG: list[tuple[hint_pb2.HintRequest, str]] = [
    (hint_pb2.HintRequest(), "view"),
    (request("{"), "view"),
    (request("[]"), "view"),
    (request(_changed(hand="AKQ...")), "view.hand"),
    (request(_changed(seat="X")), "view.seat"),
    (request(_changed(tierce_view=2)), "view.tierce_view"),
    (request(_changed(more=1)), "view"),
    (request(json.dumps(IMPOSSIBLE)), "view"),
    (request(_changed(to_move="M")), "view.to_move"),
    (request(EARLY, seconds=0), "seconds"),
    (request(EARLY, seconds=float("nan")), "seconds"),
    (request(EARLY, seconds=float("inf")), "seconds"),
    (request(EARLY, worlds=0), "worlds"),
    (request(EARLY, worlds=1_000_001), "worlds"),
    (request(EARLY, worlds=1, seconds=1), "worlds"),
    (request(EARLY, worlds=1, by="luck"), "by"),
    (request(EARLY, worlds=1, by="utility"), "utility"),
    (request(EARLY, worlds=1, utility=[1, 2]), "utility"),
    (request(EARLY, worlds=1, utility=[float("nan")] * 17), "utility"),
    (request(EARLY, worlds=1, method="magic"), "method"),
    (request(EARLY, worlds=1, others="friends"), "others"),
    (request(EARLY, worlds=1, method="tree", others="conspiring"), "others"),
]


@pytest.mark.parametrize(("wrong", "field"), WRONG)
@pytest.mark.parametrize("name", ["Hint", "WatchHint"])
def test_what_is_wrong_is_told(name: str, wrong: hint_pb2.HintRequest, field: str, stubs: Stubs) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        if name == "Hint":
            stubs.advice.Hint(wrong)
        else:
            list(stubs.advice.WatchHint(hint_pb2.WatchHintRequest(hint=wrong)))
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None and status.code == code_pb2.INVALID_ARGUMENT
    assert "found" in status.message
    bad = error_details_pb2.BadRequest()
    assert next(each for each in status.details if each.Is(bad.DESCRIPTOR)).Unpack(bad)
    assert [each.field for each in bad.field_violations] == [field]


def test_the_clients_errors_are_the_librarys(client: Client) -> None:
    wrong: list[dict[str, Any]] = [
        {"worlds": 0}, {"seconds": -1.0}, {"seconds": "x"}, {"seed": -1}, {"by": "luck"}, {"method": "magic"},
        {"utility": ["x"]}, {"utility": []}, {"utility": [1.0]},
    ]  # fmt: skip
    for given in wrong:
        with pytest.raises(InputError) as caught:
            client.hint(EARLY, **given)
        assert caught.value.field == next(iter(given))
    profile = replace(load_game("raf"), id="mine")
    with pytest.raises(InputError) as caught:
        wires.hint(replace(EARLY, profile=profile), worlds=1)
    assert caught.value.field == "game"
