"""A load generator: mixed questions at a steady rate, every answer checked. `python -m tests.service.load --help`.

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
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from tests.service.support import dictionary
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
from tierce.v1 import solve_pb2, solve_pb2_grpc

__all__ = ["Load", "Told", "drive"]

DEADLINE: Final = 3.0  # seconds a call
KINDS: Final = ("solve", "solve", "solve", "cards", "bad", "many")


def random_position(rng: random.Random, size: int, n: int = 3) -> Position:
    """Hands of so many cards."""
    cards = cards_of(ALL_CARDS)
    drawn = rng.sample(cards, size * n)
    hands: list[Mask] = [mask_of(drawn[place * size : (place + 1) * size]) for place in range(n)]
    return Position(tuple(hands), rng.randrange(5), rng.randrange(n))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, how it goes, and what must come back."""

    kind: str
    request: Any
    expected: Any


def questions(seed: int, count: int, size: int = 8) -> list[Asked]:
    """Mixed questions with their answers by the library."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        position = random_position(rng, size)
        query = Query(position, None)
        if kind == "solve":
            asked = SolveAsked(query, position.leader)
            answer = solve_answer(asked, Budget(), Engine(1 << 24), lambda: Solver(16))
            request = wires.solve(asked, Limits()).request
            request.relevant = False
            found.append(Asked(kind, request, plain(told.solve_message(answer))))
        elif kind == "cards":
            cards = cards_answer(Query(position, 1 << position.mover), position.leader, Budget(), lambda: Solver(16))
            request = wires.cards(cards.query, position.leader, Limits(), all_seats=False).request
            found.append(Asked(kind, request, plain(told.cards_message(cards))))
        elif kind == "many":
            queries = [Query(random_position(rng, size - 2), None) for _ in range(8)]
            items = [
                solve_pb2.SolveManyRequest.Item(id=str(i), question=wires.question_of(each))
                for i, each in enumerate(queries)
            ]
            results = list(solve_many(queries, threads=1, table_mb=16))
            pairs = enumerate(zip(queries, results, strict=True))
            expected = {str(i): plain(told.many_answer(str(i), query, result)) for i, (query, result) in pairs}
            found.append(Asked(kind, solve_pb2.SolveManyRequest(items=items), expected))
        else:
            request = solve_pb2.SolveRequest(question=wires.question_of(query))
            request.question.trump = "X"
            found.append(Asked(kind, request, "INVALID_ARGUMENT"))
    return found


def plain(message: Any) -> dict[str, Any]:
    """An answer without what differs from search to search."""
    return {name: value for name, value in dictionary(message).items() if name not in ("nodes", "millis")}


@dataclass(slots=True)
class Told:
    """What came of a load: statuses, wrong answers, seconds of the calls that were accepted and of those refused."""

    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    dropped: int = 0
    sent: int = 0

    def json(self) -> dict[str, Any]:
        """For another process."""
        return {
            "sent": self.sent,
            "statuses": dict(self.statuses),
            "dropped": self.dropped,
            "wrong": self.wrong[:5],
            "kinds": dict(self.kinds.most_common(6)),
            "median": share_of(self.seconds, 0.5),
            "p99": share_of(self.seconds, 0.99),
            "refused_median": share_of(self.refused, 0.5),
            "refused_p99": share_of(self.refused, 0.99),
            "deadline": DEADLINE,
        }


def share_of(times: list[float], share: float) -> float | None:
    """The time within which this share of them came."""
    return sorted(times)[int(share * (len(times) - 1))] if times else None


class Load:
    """Puts questions to a server. `deadline`: seconds a call."""

    def __init__(self, target: str, asked: list[Asked], deadline: float = DEADLINE) -> None:
        self._channels = [grpc.aio.insecure_channel(target, [("grpc.use_local_subchannel_pool", 1)]) for _ in range(4)]
        self._stubs = [solve_pb2_grpc.SolveServiceStub(channel) for channel in self._channels]
        self._asked = asked
        self._deadline = deadline
        self.told = Told()

    async def one(self, number: int) -> None:
        """One call."""
        asked = self._asked[number % len(self._asked)]
        stub: Any = self._stubs[number % len(self._stubs)]
        self.told.sent += 1
        begin = time.monotonic()
        try:
            found = await self._put(stub, asked)
        except grpc.aio.AioRpcError as error:
            self._ended(asked, error, time.monotonic() - begin)
            return
        self.told.statuses["OK"] += 1
        self.told.seconds.append(time.monotonic() - begin)
        if found != asked.expected:
            self.told.wrong.append(f"{asked.kind}: {found} and not {asked.expected}")

    def _ended(self, asked: Asked, error: grpc.aio.AioRpcError, seconds: float) -> None:
        status, found = error.code().name, error_of(error)
        self.told.statuses[status] += 1
        if status == "DEADLINE_EXCEEDED":
            self.told.seconds.append(max(seconds, 1.001 * self._deadline))
        elif isinstance(found, ServiceError) and found.code in ("queue_full", "streams") and found.retry_after:
            self.told.refused.append(seconds)
        elif status == "CANCELLED" or (status == "INTERNAL" and "Core" in str(error.details())):
            self.told.dropped += 1  # no status of the server's: those have details
        elif asked.kind != "bad" or status != asked.expected:
            self.told.wrong.append(f"{asked.kind}: {status} {found}")
            self.told.kinds[f"{status} {error.details()}"] += 1

    async def _put(self, stub: Any, asked: Asked) -> Any:
        if asked.kind == "many":
            call = stub.SolveMany(iter([asked.request]), timeout=self._deadline)
            return {each.id: plain(each) async for message in call for each in message.answers}
        method = stub.CardValues if asked.kind == "cards" else stub.Solve
        return plain(await method(asked.request, timeout=self._deadline))

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

    async def at_rate(self, rate: float, seconds: float, minute: Callable[[float], None] | None = None) -> None:
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
            if minute is not None:
                minute(now)
            await asyncio.sleep(0.005)
        if open_:
            await asyncio.wait(open_)

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


async def drive(target: str, seconds: float, factor: float, seed: int, size: int = 12) -> dict[str, Any]:
    """Find the capacity, then put `factor` times as much; what came of it."""
    asked = questions(seed, 240, size)
    first = Load(target, asked)
    capacity = await first.closed_loop(min(8.0, seconds / 5))
    await first.close()
    load = Load(target, asked)
    await load.at_rate(capacity * factor, seconds)
    await load.close()
    return {"capacity": capacity, "before": first.told.json()} | load.told.json()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--factor", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--size", type=int, default=12, help="cards a hand; with few the calls cost more than the search"
    )
    wanted = parser.parse_args()
    print(json.dumps(asyncio.run(drive(wanted.target, wanted.seconds, wanted.factor, wanted.seed, wanted.size))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
