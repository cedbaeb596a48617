"""Many questions at once: order, threads, laziness, closing, limits, finished hands, faults of the source."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import pytest

from tests.brute.endings import Ending, endings
from tests.solver.support import FAST, SLACK, fault, hard, objective_of, position, position_of, position_of_row, rows
from tierce.solver.batch.many import AHEAD, CHUNK, PAUSE, SHARES, SHORT, Pause, solve_many
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import STOP_NODES, STOP_TIME
from tierce.solver.solve import floors, solve

NAN = math.nan
HARD = Query(hard(), 0b001, "fewest")
SMALL = position("A2... K3... Q4...")
OVER = Position((0, 0, 0), 4, 1, taken=(1, 2, 3))


def query_of(ending: Ending) -> Query:
    return Query(position_of(ending), ending.side, objective_of(ending))


def mixed(count: int) -> list[Query | Position]:
    """Sides, floors, caps, whole deals of both sizes, finished hands, in no order."""
    found: list[Query | Position] = []
    fewest, solo = rows("fewest_values.jsonl"), rows("solo_values.jsonl")
    for number, ending in enumerate(endings(41, count)):
        at = position_of(ending)
        if number % 5 == 0:
            found.append(at)
        elif number % 7 == 0:
            found.append(Query(at, None, "fewest"))
        elif number % 11 == 0:
            found.append(OVER)
        elif number % 13 == 0:
            found.append(position_of_row(fewest[number % len(fewest)]))
        elif number % 37 == 0:
            found.append(position_of_row(solo[number % len(solo)]))
        else:
            found.append(query_of(ending))
    return found


def facts(result: SideResult | Floors) -> list[SideResult]:
    """A result without its time."""
    return [replace(side, millis=0.0) for side in ([result] if isinstance(result, SideResult) else result.sides)]


def alone(query: Query | Position) -> SideResult | Floors:
    """The same question by itself."""
    if isinstance(query, Position):
        query = Query(query, 0b0101 if query.n == 4 else None)
    if query.side is None:
        return floors(query.position, query.objective, table_mb=4)
    return solve(query.position, query.side, query.objective, table_mb=4)


# ---- order and equality ---------------------------------------------------------------------------------------------


@pytest.mark.small
def test_answers_come_in_the_order_of_the_questions() -> None:
    queries = [query_of(ending) for ending in endings(42, 500, cards=3)]
    results = list(solve_many(queries, threads=2, table_mb=8))
    assert len(results) == len(queries)
    for query, result in zip(queries, results, strict=True):
        assert isinstance(result, SideResult)
        assert (result.side, result.n, result.objective) == (query.side, query.position.n, query.objective)
        assert result.tricks == solve(query.position, query.side, query.objective, table_mb=1).tricks


def test_answers_and_nodes_do_not_depend_on_threads() -> None:
    queries = mixed(400)
    found = [
        [facts(result) for result in solve_many(queries, threads=threads, table_mb=64)] for threads in (1, 2, 3, 8)
    ]
    assert found[0] == found[1] == found[2] == found[3]
    assert found[0] == [facts(alone(query)) for query in queries]


def test_a_table_that_overflows_is_as_small_with_one_thread() -> None:
    """A worker has the same table whatever the threads: else this deal would take a quarter of the nodes."""
    query = Query(position_of_row(rows("three_hand_floors.jsonl")[9]), 0b001)
    few, many = ([facts(each) for each in solve_many([query] * 2, threads=n, table_mb=SHARES)] for n in (1, 2))
    assert few == many
    assert few[0] == facts(solve(query.position, 0b001, table_mb=1))
    assert few[0][0].nodes > facts(solve(query.position, 0b001, table_mb=SHARES))[0].nodes


@pytest.mark.parametrize("threads", [8, 9, SHARES, SHARES + 1, 1000])
def test_more_threads_than_shares_change_nothing(threads: int) -> None:
    """One MiB for all tables, so that every share overflows."""
    queries = [position_of_row(row) for row in rows("fewest_values.jsonl")[:6]]
    one, many = ([facts(each) for each in solve_many(queries, threads=n, table_mb=1)] for n in (1, threads))
    assert one == many


def test_there_are_no_more_workers_than_shares() -> None:
    results = solve_many([SMALL] * 4000, threads=1000, table_mb=1)
    next(results)
    assert len([thread for thread in threading.enumerate() if thread.name.startswith("tierce")]) <= SHARES
    assert len(list(results)) == 3999


@pytest.mark.slow
def test_answers_and_nodes_of_many_whole_deals_do_not_depend_on_threads() -> None:
    at = [position_of_row(row) for row in (*rows("three_hand_floors.jsonl")[:20], *rows("solo_values.jsonl")[:20])]
    one, two = ([facts(result) for result in solve_many(at, threads=threads, table_mb=32)] for threads in (1, 2))
    assert one == two


def test_equal_again_after_a_hard_question() -> None:
    """Nothing is left in a worker's table from the question before."""
    at = position_of_row(rows("fewest_values.jsonl")[2])
    first, _, again = solve_many([at, position_of_row(rows("three_hand_floors.jsonl")[2]), at], threads=1)
    assert facts(first) == facts(again)


@pytest.mark.small
def test_a_position_is_asked_about_n_and_s_or_about_every_seat() -> None:
    four = position("A2... K3... Q4... J5...")
    side, every = solve_many([four, SMALL], threads=1)
    assert isinstance(side, SideResult)
    assert side.name == "NS"
    assert isinstance(every, Floors)
    assert every.tricks == {"D": 1, "E": 1, "M": 0}


def test_threads_by_themselves() -> None:
    assert len(list(solve_many([SMALL] * 100))) == 100


def test_no_questions() -> None:
    assert list(solve_many([], threads=2)) == []
    assert list(solve_many(iter([]))) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_finished_hands(threads: int) -> None:
    queries: list[Query | Position] = [
        OVER,
        Query(OVER, 0b010),
        SMALL,
        *[OVER] * 40,
        SMALL,
        Query(OVER, 0b11, "fewest"),
    ]
    results = list(solve_many(queries, threads=threads))
    assert isinstance(results[0], Floors)
    assert results[0].tricks == {"D": 1, "E": 2, "M": 3}
    assert [results[number].nodes for number in (0, 1, 5)] == [0, 0, 0]
    assert isinstance(results[1], SideResult)
    assert results[1].tricks == 2
    assert facts(results[2]) == facts(results[-2]) == facts(floors(SMALL))
    assert isinstance(results[-1], SideResult)
    assert results[-1].tricks == 3


# ---- laziness -------------------------------------------------------------------------------------------------------


class Source:
    """Endless questions, and how many were taken."""

    def __init__(self, at: Position) -> None:
        self.at = at
        self.taken = 0

    def __iter__(self) -> Iterator[Position]:
        while True:
            self.taken += 1
            yield self.at


@pytest.mark.parametrize("threads", [1, 2])
def test_questions_are_taken_as_answers_are(threads: int) -> None:
    source = Source(SMALL)
    results = solve_many(source, threads=threads)
    assert source.taken == 0
    for number in range(1, 400):
        next(results)
        assert number <= source.taken <= number + AHEAD * threads + CHUNK
    results.close()  # type: ignore[attr-defined]
    assert list(results) == []


def test_the_first_answer_does_not_wait_for_many_questions() -> None:
    began = time.perf_counter()

    def slow() -> Iterator[Position]:
        for _ in range(200):
            time.sleep(0.002)
            yield SMALL

    results = solve_many(slow(), threads=1)
    next(results)
    assert time.perf_counter() - began < 0.2
    results.close()  # type: ignore[attr-defined]


def test_nobody_waits_for_a_question_that_takes_long() -> None:
    """While the first is searched the other worker answers all that come after it."""
    at = [position_of_row(row) for row in rows("fewest_values.jsonl")]
    medium = [Query(each, 1 << seat, "fewest") for each in at if each.left > SHORT["most"] for seat in range(each.n)]
    assert len(medium) > 80  # half a second of work
    results = solve_many([HARD, *medium], threads=2, limits=Limits(timeout=1.5))
    next(results)
    began = time.perf_counter()
    assert len(list(results)) == len(medium)
    assert time.perf_counter() - began < 0.1


def test_other_threads_run() -> None:
    results = solve_many([HARD], threads=1, limits=Limits(timeout=0.3))
    thread = threading.Thread(target=lambda: list(results))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 50


# ---- pauses ---------------------------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("threads", [1, 2])
def test_all_before_a_pause_is_answered_before_the_source_is_asked_again(threads: int) -> None:
    """One question at a time, and in groups that end within a chunk: the client of a service."""
    answered = 0
    sizes = [1] * 5 + [3, 40, 1, 200, 2, 1]

    def source() -> Iterator[Position | Literal[Pause.PAUSE]]:
        asked = 0
        for size in sizes:
            yield from [SMALL] * size
            yield PAUSE
            asked += size
            assert answered == asked

    for _ in solve_many(source(), threads=threads):
        answered += 1
    assert answered == sum(sizes)


def test_answers_and_nodes_do_not_depend_on_pauses() -> None:
    queries = mixed(150)
    whole = [facts(result) for result in solve_many(queries, threads=2)]
    for every in (1, 2, 7):
        paused: list[Query | Position | Literal[Pause.PAUSE]] = []
        for number, query in enumerate(queries):
            paused += [query, PAUSE, PAUSE] if number % every == 0 else [query]
        assert [facts(result) for result in solve_many([PAUSE, *paused, PAUSE], threads=2)] == whole


def test_nothing_but_pauses() -> None:
    assert list(solve_many([PAUSE] * 5, threads=2)) == []


# ---- closing --------------------------------------------------------------------------------------------------------


def hard_after(easy: int) -> Iterator[Query | Position]:
    """Easy questions, then hard ones without end."""
    yield from [SMALL] * easy
    yield from itertools.repeat(HARD)


@pytest.mark.parametrize("threads", [1, 2])
def test_closing_stops_what_runs(threads: int) -> None:
    """The first question is easy, the rest hard: closing must not wait for them."""
    results = solve_many(hard_after(1), threads=threads)
    next(results)
    time.sleep(0.1)  # now every worker is at a hard question
    began = time.perf_counter()
    results.close()  # type: ignore[attr-defined]
    assert time.perf_counter() - began < FAST + SLACK
    assert [thread for thread in threading.enumerate() if thread.name.startswith("tierce")] == []


def test_an_interrupt_stops_what_runs() -> None:
    """An error thrown in, as Ctrl-C is, ends the workers too."""
    results: Any = solve_many(hard_after(1), threads=2)
    next(results)
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt())
    assert time.perf_counter() - began < FAST + SLACK


def test_a_loop_that_ends_early() -> None:
    results: Any = solve_many(hard_after(10), threads=2)
    assert len(list(itertools.islice(results, 7))) == 7  # those of the first chunks: 1, 2 and 4
    began = time.perf_counter()
    del results
    assert time.perf_counter() - began < FAST + SLACK


# ---- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_a_node_limit_gives_incomplete_results(threads: int) -> None:
    queries: list[Query | Position] = [SMALL, HARD, Query(hard(), None, "fewest"), SMALL]
    easy, side, caps, again = solve_many(queries, threads=threads, limits=Limits(max_nodes=10_000))
    assert facts(easy) == facts(again)
    assert easy.complete
    assert isinstance(side, SideResult)
    assert (side.complete, side.stop, side.nodes) == (False, STOP_NODES, 10_000)
    assert isinstance(caps, Floors)
    assert not caps.complete
    assert caps.nodes == 10_000  # for the question, not for each seat
    with pytest.raises(LimitReached) as caught:
        _ = side.tricks
    assert caught.value.bounds == {"D": (side.low, side.high)}
    with pytest.raises(LimitReached) as caught:
        _ = caps.tricks
    assert caught.value.bounds == caps.bounds


def test_a_time_limit_is_for_each_question() -> None:
    began = time.perf_counter()
    queries = [Query(hard(), None, "fewest"), HARD]
    results = list(solve_many(queries, threads=1, limits=Limits(timeout=0.1)))
    assert 0.2 <= time.perf_counter() - began < 0.2 + 2 * FAST + SLACK
    for result in results:
        assert not result.complete
        assert facts(result)[0].stop == STOP_TIME


def test_enough_nodes_are_no_limit() -> None:
    at = position_of_row(rows("fewest_values.jsonl")[2])
    (free,) = solve_many([at], threads=1)
    (bound,) = solve_many([at], threads=1, limits=Limits(max_nodes=free.nodes))
    assert facts(bound) == facts(free)


# ---- faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("before", [0, 1, 2, 10, 40, 200])
def test_an_error_of_the_source_comes_after_the_answers_to_what_it_gave(threads: int, before: int) -> None:
    def broken() -> Iterator[Position]:
        yield from [SMALL] * before
        raise KeyError("the source is broken")

    found = []
    with pytest.raises(KeyError, match="the source is broken"):
        for result in solve_many(broken(), threads=threads):
            found.append(facts(result))
    assert found == [facts(floors(SMALL))] * before
    assert [thread for thread in threading.enumerate() if thread.name.startswith("tierce")] == []


def test_what_is_no_question_comes_through() -> None:
    wrong: Any = [SMALL, "D:A... K... Q..."]
    found = []
    with pytest.raises(TypeError, match=r"^expected a Query, a Position or PAUSE, found 'D:A... K... Q...'$"):
        for result in solve_many(wrong, threads=1):
            found.append(facts(result))
    assert found == [facts(floors(SMALL))]


@pytest.mark.parametrize("threads", [0, -1, 1.0, NAN, "2", True])
def test_refuses_no_threads(threads: Any) -> None:
    message = f"expected 1 thread or more, found {threads!r}"
    assert fault(lambda: solve_many([], threads=threads)) == ("threads", "threads", message)


@pytest.mark.parametrize("table_mb", [0, -1, 1 << 63, NAN, math.inf, 1e9, 64.0, "64", None, True])
def test_refuses_tables_of_no_size(table_mb: Any) -> None:
    """When it is called, not at the first answer."""
    message = f"expected MiB for the table, from 1 to 262144, found {table_mb!r}"
    assert fault(lambda: solve_many([], threads=1, table_mb=table_mb)) == ("table_mb", "table_mb", message)


def test_a_small_table_is_enough_for_many_threads() -> None:
    assert len(list(solve_many([SMALL] * 50, threads=100_000, table_mb=1))) == 50


def test_wrong_sources_and_limits_are_refused_when_it_is_called() -> None:
    wrong: Any = None
    with pytest.raises(TypeError):
        solve_many(wrong)
    with pytest.raises(TypeError, match=r"^expected Limits, found None$"):
        solve_many([], limits=wrong)
