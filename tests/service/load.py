"""A load generator: questions at a steady rate, every answer checked. `python -m tests.service.load --help`.

Two loads: the mixed one (see tests.service.mixed), that keeps the searches busy; and with --small endings of a few
cards, of which so many come that the calls themselves are most of the work.

Right is: the answer of the library, INVALID_ARGUMENT for a question that is none, or RESOURCE_EXHAUSTED with the time
after which another try may do better. A call that its deadline ended counts as an accepted one that took so long.
One that gRPC dropped before the server saw it (more than a second's calls came while the server's process had no
processor) is counted as such; anything else is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from tests.service.support import Process, dictionary
from tierce.service import told, wires
from tierce.service.errors import error_of
from tierce.service.faults import ServiceError
from tierce.solver import solve_many
from tierce.solver.budget import Budget
from tierce.solver.cards import ALL_CARDS, Mask, cards_of, mask_of
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.search import Engine
from tierce.solver.solver import Solver
from tierce.solver.telling import SolveAsked, cards_answer, solve_answer
from tierce.v1 import advice_pb2_grpc, games_pb2_grpc, solve_pb2, solve_pb2_grpc

__all__ = ["Asked", "Load", "Told", "bad", "ending", "loaded", "many", "plain", "questions"]

DEADLINE: Final = 3.0  # seconds a call
CHANNELS: Final = 4
_VARY: Final = ("nodes", "millis")


def random_position(rng: random.Random, size: int, n: int = 3) -> Position:
    """Hands of so many cards."""
    cards = cards_of(ALL_CARDS)
    drawn = rng.sample(cards, size * n)
    hands: list[Mask] = [mask_of(drawn[place * size : (place + 1) * size]) for place in range(n)]
    return Position(tuple(hands), rng.randrange(5), rng.randrange(n))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, the call it goes by, and what must come back: an answer as `plain` has it, of a hint one of several
    cards or bids, or a status's name."""

    kind: str
    method: str
    request: Any
    expected: Any

    def is_right(self, found: Any) -> bool:
        """Is it what must come back?"""
        if isinstance(self.expected, frozenset):
            return found["best"][found["decision"]] in self.expected
        return bool(found == self.expected)


def plain(message: Any) -> Any:
    """An answer without what differs from search to search."""
    return _plain(dictionary(message))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name not in _VARY}
    return [_plain(each) for each in value] if isinstance(value, list) else value


# ---- small questions -------------------------------------------------------------------------------------------------


def ending(rng: random.Random, size: int) -> Asked:
    """Floors."""
    query = Query(random_position(rng, size), None)
    asked = SolveAsked(query, query.position.leader)
    answer = solve_answer(asked, Budget(), Engine(1 << 24), lambda: Solver(16))
    request = wires.solve(asked, Limits()).request
    request.relevant = False
    return Asked("ending", "Solve", request, plain(told.solve_message(answer)))


def cards(rng: random.Random, size: int) -> Asked:
    """The value of every card of the mover."""
    position = random_position(rng, size)
    found = cards_answer(Query(position, 1 << position.mover), position.leader, Budget(), lambda: Solver(16))
    request = wires.cards(found.query, position.leader, Limits(), all_seats=False).request
    return Asked("cards", "CardValues", request, plain(told.cards_message(found)))


def many(rng: random.Random, size: int) -> Asked:
    """A stream of eight questions."""
    queries = [Query(random_position(rng, size), None) for _ in range(8)]
    items = [
        solve_pb2.SolveManyRequest.Item(id=str(number), question=wires.question_of(each))
        for number, each in enumerate(queries)
    ]
    results = solve_many(queries, threads=1, table_mb=16)
    pairs = enumerate(zip(queries, results, strict=True))
    expected = {str(number): plain(told.many_answer(str(number), *each)) for number, each in pairs}
    return Asked("many", "SolveMany", solve_pb2.SolveManyRequest(items=items), expected)


def bad(rng: random.Random, size: int) -> Asked:
    """A question that is none."""
    request = solve_pb2.SolveRequest(question=wires.question_of(Query(random_position(rng, size), None)))
    request.question.position.trump = "X"
    return Asked("bad", "Solve", request, "INVALID_ARGUMENT")


def questions(seed: int, count: int, size: int = 8) -> list[Asked]:
    """Small questions with their answers by the library."""
    rng = random.Random(seed)
    makers: tuple[Callable[[random.Random, int], Asked], ...] = (ending, ending, ending, cards, bad, _shorter)
    return [makers[number % len(makers)](rng, size) for number in range(count)]


def _shorter(rng: random.Random, size: int) -> Asked:
    return many(rng, size - 2)


# ---- what came of it -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Kind:
    """Of one kind of question: statuses, seconds of the calls that were accepted."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Told:
    """What came of a load: statuses, wrong answers, seconds of the calls that were accepted and of those refused."""

    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    kinds: defaultdict[str, Kind] = field(default_factory=lambda: defaultdict(Kind))
    seconds: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    dropped: int = 0
    sent: int = 0

    def accepted(self, kind: str, seconds: float) -> None:
        """A call that was begun took so long."""
        self.seconds.append(seconds)
        self.kinds[kind].seconds.append(seconds)

    def status(self, kind: str, name: str) -> None:
        """A call's status."""
        self.statuses[name] += 1
        self.kinds[kind].statuses[name] += 1

    def json(self) -> dict[str, Any]:
        """For another process."""
        return {
            "sent": self.sent,
            "statuses": dict(self.statuses),
            "dropped": self.dropped,
            "wrong": len(self.wrong),
            "such as": self.wrong[:5],
            "kinds": {
                name: {"offered": each.statuses.total(), "statuses": dict(each.statuses)} | _times(each.seconds)
                for name, each in sorted(self.kinds.items())
            },
            "accepted": _times(self.seconds),
            "refused": _times(self.refused),
            "deadline": DEADLINE,
        }


def _times(seconds: list[float]) -> dict[str, float | None]:
    return {"p50": share_of(seconds, 0.5), "p99": share_of(seconds, 0.99)}


def share_of(times: list[float], share: float) -> float | None:
    """The time within which this share of them came."""
    return round(sorted(times)[int(share * (len(times) - 1))], 4) if times else None


# ---- the load --------------------------------------------------------------------------------------------------------


class _Stubs:
    """The calls by name, over one connection."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self._stubs: tuple[Any, ...] = (
            solve_pb2_grpc.SolveServiceStub(channel),
            advice_pb2_grpc.AdviceServiceStub(channel),
            games_pb2_grpc.GamesServiceStub(channel),
        )

    def __getitem__(self, method: str) -> Any:
        return next(getattr(stub, method) for stub in self._stubs if hasattr(stub, method))


class Load:
    """Puts questions to a server. `deadline`: seconds a call."""

    def __init__(self, target: str, asked: list[Asked], deadline: float = DEADLINE) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]  # connections of their own
        self._stubs = [_Stubs(grpc.aio.insecure_channel(target, options)) for _ in range(CHANNELS)]
        self._asked = asked
        self._deadline = deadline
        self.told = Told()

    async def one(self, number: int) -> None:
        """One call."""
        asked = self._asked[number % len(self._asked)]
        stubs = self._stubs[number % len(self._stubs)]
        self.told.sent += 1
        begin = time.monotonic()
        try:
            found = await self._put(stubs[asked.method], asked)
        except grpc.aio.AioRpcError as error:
            self._ended(asked, error, time.monotonic() - begin)
            return
        self.told.status(asked.kind, "OK")
        self.told.accepted(asked.kind, time.monotonic() - begin)
        if not asked.is_right(found):
            self.told.wrong.append(f"{asked.kind}: {found} and not {asked.expected}")

    def _ended(self, asked: Asked, error: grpc.aio.AioRpcError, seconds: float) -> None:
        status, found = error.code().name, error_of(error)
        self.told.status(asked.kind, status)
        if status == "DEADLINE_EXCEEDED":
            self.told.accepted(asked.kind, max(seconds, 1.001 * self._deadline))
        elif isinstance(found, ServiceError) and found.code in ("queue_full", "streams") and found.retry_after:
            self.told.refused.append(seconds)
        elif status == "CANCELLED" or (status == "INTERNAL" and "Core" in str(error.details())):
            self.told.dropped += 1  # no status of the server's: those have details
        elif status != asked.expected:
            self.told.wrong.append(f"{asked.kind}: {status} {found}")

    async def _put(self, method: Any, asked: Asked) -> Any:
        if asked.method == "SolveMany":
            call = method(iter([asked.request]), timeout=self._deadline)
            return {each.id: plain(each) async for message in call for each in message.answers}
        call = method(asked.request, timeout=self._deadline)
        if asked.method in ("Contracts", "DealerAdvice"):
            return plain([message async for message in call][-1])
        return plain(await call)

    async def closed_loop(self, seconds: float, width: int = 8) -> float:
        """Calls a second that the server does when it always has some."""
        end, count = time.monotonic() + seconds, 0

        async def worker(first: int) -> None:
            nonlocal count
            number = first
            while time.monotonic() < end:
                await self.one(number)
                number += width
                count += 1

        await asyncio.gather(*(worker(number) for number in range(width)))
        return count / seconds

    async def at_rate(self, rate: float, seconds: float) -> None:
        """So many calls a second, whatever becomes of them."""
        begin = time.monotonic()
        open_: set[asyncio.Task[None]] = set()
        number = 0
        while (now := time.monotonic() - begin) < seconds:
            while number < now * rate and len(open_) < 2000:
                task = asyncio.ensure_future(self.one(number))
                open_.add(task)
                task.add_done_callback(open_.discard)
                number += 1
            await asyncio.sleep(0.005)
        if open_:
            await asyncio.wait(open_)

    async def close(self) -> None:
        for stubs in self._stubs:
            await stubs.channel.close()


async def drive(target: str, asked: list[Asked], seconds: float, factor: float) -> None:
    """Find the capacity, and print it; then put `factor` times as much, and print what came of it."""
    first = Load(target, asked)
    capacity = await first.closed_loop(min(10.0, seconds / 4))
    await first.close()
    print(json.dumps({"capacity": round(capacity, 1), "alone": first.told.json()}), flush=True)
    load = Load(target, asked)
    await load.at_rate(capacity * factor, seconds)
    await load.close()
    print(json.dumps(load.told.json()))


def loaded(server: Process, *words: str) -> tuple[dict[str, Any], list[float]]:
    """Have a generator in a process of its own load a server: what came of it, and the server's memory, MiB: the median
    of each minute in which half of it or more was measured.

    words   of the generator's command line
    """
    command = [sys.executable, "-m", "tests.service.load", server.target, *words]
    sizes: list[int] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        line = driver.stdout.readline()  # the capacity is found
        while driver.poll() is None:
            sizes.append(server.rss)
            time.sleep(1)
        told = json.loads(line) | json.loads(driver.stdout.read())
    minutes = [sizes[first : first + 60] for first in range(0, len(sizes), 60)]
    return told, [round(statistics.median(each) / (1 << 20), 1) for each in minutes if len(each) >= 30]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--factor", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="endings, of which the calls are most of the work")
    wanted = parser.parse_args()
    if wanted.small:
        asked = questions(wanted.seed, 240, 12)
    else:
        from tests.service.mixed import mixed

        asked = mixed(wanted.seed)
    asyncio.run(drive(wanted.target, asked, wanted.seconds, wanted.factor))
    return 0


if __name__ == "__main__":
    sys.exit(main())
