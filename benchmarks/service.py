"""What the service adds, and what it bears: `python -m benchmarks.service [overhead many ...]`.

    overhead   a unary call against the library's own call, medians
    many       SolveMany against solve_many, two workers and two threads
    health     health checks while all workers search
    stop       from a cancellation, or a deadline, to the end of the native search
    start      from the process's start to its first answer
    hints      4 clients at a time with a second each, two workers: first answer, overrun, worlds against those alone
    load       mixed load at twice the capacity, --seconds long: statuses, times, wrong answers, memory by minute;
               --small: endings of a few cards, of which the calls are most of the work; --cache-mb: answers are kept

Each in a process of its own; other work on the machine shows.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.service.load import loaded, random_position
from tests.service.support import Process, Stubs, client_of, endless, running, until
from tierce.service import wires
from tierce.solver import floors, solve_many
from tierce.solver.query import Query
from tierce.v1 import hint_pb2

REPEATS = 300
ROUNDS = 7  # of SolveMany, here and there


def overhead() -> None:
    """Small positions, so that the call counts and not the search; none of them twice."""
    rng = random.Random(1)
    positions = [random_position(rng, 5) for _ in range(2 * REPEATS)]
    with Process("--workers", "2") as server, client_of(server) as client:
        client.floors(random_position(rng, 4))
        here: list[float] = []
        there: list[float] = []
        for number, position in enumerate(positions):
            call: Callable[[Any], Any] = floors if number % 2 else client.floors
            begin = time.perf_counter()
            call(position)
            (here if number % 2 else there).append(time.perf_counter() - begin)
    one, other = (1e3 * statistics.median(each) for each in (here, there))
    print(f"overhead: library {one:.2f} ms, service {other:.2f} ms, difference {other - one:.2f} ms (bar 2)")


def many() -> None:
    """Floors of three hands, of the size that takes about 2 ms of a processor; by turns here and there, so that other
    work on the machine shows in both."""
    rng, count = random.Random(2), 600
    size = next((each for each in range(9, 16) if _cost(each) > 1.75e-3), 15)
    rounds = [[Query(random_position(rng, size)) for _ in range(count)] for _ in range(ROUNDS)]
    ratios, rates = [], []
    with Process("--workers", "2", "--cache-mb", "0") as server, client_of(server) as client:
        _seconds(client.solve_many(rounds[0][:50]))
        for queries in rounds:
            here = _seconds(solve_many(queries, threads=2))
            there = _seconds(client.solve_many(queries))
            ratios.append(here / there)
            rates.append((count / here, count / there))
    shown = ", ".join(f"{here:.0f}/{there:.0f}" for here, there in rates)
    median, least = statistics.median(ratios), min(ratios)
    print(f"many: {size} cards, {1e3 * _cost(size):.1f} ms a question; a second, here/there: {shown}")
    print(f"many: median {median:.0%}, least {least:.0%} (bar 70 %)")


def _cost(size: int) -> float:
    """Seconds of a processor that a question of this size takes, without what other work on the machine adds."""
    rng = random.Random(3)
    queries = [Query(random_position(rng, size)) for _ in range(200)]
    begin = time.process_time()
    _seconds(solve_many(queries, threads=1))
    return (time.process_time() - begin) / len(queries)


def _seconds(answers: Iterable[object]) -> float:
    begin = time.perf_counter()
    for _ in answers:
        pass
    return time.perf_counter() - begin


def health() -> None:
    """500 checks while four questions without end are asked."""
    with Process("--workers", "2") as server, Stubs(server.target) as stubs, Stubs(server.target) as other:
        check: Any = health_pb2_grpc.HealthStub(other.channel)
        calls = [stubs.solve.Solve.future(endless()) for _ in range(4)]
        time.sleep(0.5)
        times = []
        for _ in range(500):
            begin = time.perf_counter()
            check.Check(health_pb2.HealthCheckRequest(), timeout=5)
            times.append(time.perf_counter() - begin)
        for call in calls:
            call.cancel()
    times.sort()
    print(f"health: median {1e3 * times[250]:.1f} ms, p99 {1e3 * times[494]:.1f} ms (bar 20)")


def stop() -> None:
    """In this process, where the end of the work can be seen."""
    with running(workers=2) as server, Stubs(server.target) as stubs:
        pool = server.server.front.pool
        cancelled, late = [], []
        for _ in range(20):
            call = stubs.solve.Solve.future(endless())
            until(lambda: pool.busy == 1)
            time.sleep(0.05)
            begin = time.perf_counter()
            call.cancel()
            until(lambda: pool.busy == 0)
            cancelled.append(time.perf_counter() - begin)
            end = time.perf_counter() + 0.2
            call = stubs.solve.Solve.future(endless(), timeout=0.2)
            until(lambda: pool.busy == 1)
            until(lambda: pool.busy == 0)
            late.append(time.perf_counter() - end)
    print(f"stop: cancelled {1e3 * max(cancelled):.0f} ms, deadline {1e3 * max(late):.0f} ms after, at most (bar 50)")


def start() -> None:
    """The best of five, and the worst."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        with Process() as server, client_of(server) as client:
            client.floors(random_position(random.Random(1), 3))
            times.append(time.perf_counter() - begin)
    print(f"start to ready: {min(times):.2f} to {max(times):.2f} s (bar 1)")


def hints(rounds: int = 12, clients: int = 4, seconds: float = 1.0) -> None:
    """Cards that are not settled within the second, by turns alone and all clients at a time."""
    from benchmarks.hints import decisions, game
    from tierce.solver.games import view

    seen = [view(state, state.mover) for state in decisions(game("raf"), 3) if state.phase == "PLAY"]
    firsts: list[float] = []
    lates: list[float] = []
    shares: list[float] = []
    with Process("--workers", "2", "--cache-mb", "0", "--log", "nothing") as server:
        stubs = [Stubs(server.target) for _ in range(clients)]
        with ThreadPoolExecutor(clients) as threads:
            for each in seen:
                request = wires.hint(each, seconds=seconds, watched=True).request
                before, after = (_hinted(stubs[0], request) for _ in range(2)) if len(shares) < rounds else (None, None)
                if before is None or after is None or before.settled or after.settled:
                    continue
                found = list(threads.map(lambda stub, asked=request: _hinted(stub, asked), stubs))
                firsts += [one.first for one in found]
                lates += [one.last - seconds for one in found]
                shares.append(statistics.mean(one.worlds for one in found) * 2 / (before.worlds + after.worlds))
        for stub in stubs:
            stub.channel.close()
    for name, times, bar in (("first answer", firsts, 20), ("beyond the time", lates, 50)):
        order = sorted(times)
        p99 = order[-1 - len(order) // 100]
        print(f"hints: {name} median {1e3 * statistics.median(order):.1f} ms, p99 {1e3 * p99:.1f} ms (bar {bar})")
    print(f"hints: worlds of those alone: mean {statistics.mean(shares):.0%}, least {min(shares):.0%} (bar 40 %)")


@dataclass(frozen=True, slots=True)
class _Hinted:
    """How a hint came: seconds until its first answer and its last, and what that was."""

    first: float
    last: float
    worlds: int
    settled: bool


def _hinted(stubs: Stubs, request: Any) -> _Hinted:
    begin = time.perf_counter()
    first, last = 0.0, hint_pb2.WatchHintResponse()
    for message in stubs.advice.WatchHint(request):
        first, last = first or time.perf_counter() - begin, message
    return _Hinted(first, time.perf_counter() - begin, last.hint.worlds, last.hint.settled or last.hint.forced)


def load(wanted: argparse.Namespace) -> None:
    """The generator is a process of its own."""
    words = ["--seconds", str(wanted.seconds), "--factor", str(wanted.factor), *(["--small"] if wanted.small else [])]
    with Process("--workers", "2", "--cache-mb", str(wanted.cache_mb), "--log", "nothing") as server:
        told, minutes = loaded(server, *words)
    kinds = told.pop("kinds")
    print(json.dumps(told, indent=1))
    for name, each in kinds.items():
        print(f"load: {name:8} {json.dumps(each)}")
    print(f"load: memory by minute, MiB: {' '.join(map(str, minutes))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=[[], "overhead", "many", "health", "stop", "start", "hints", "load"])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--factor", type=float, default=2)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--cache-mb", type=int, default=0)
    wanted = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "overhead": overhead, "many": many, "health": health, "stop": stop, "start": start, "hints": hints,
        "load": lambda: load(wanted),
    }  # fmt: skip
    for name in wanted.what or parts:
        parts[name]()


if __name__ == "__main__":
    main()
