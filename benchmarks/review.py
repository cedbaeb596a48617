"""The review of played hands in DDS boards, and how well figures of many hands use two processors.

    python -m benchmarks.review                     all rows: some minutes
    python -m benchmarks.review threads --hands 50  fewer hands for the figures

The hands are of `raf`, played by simple habits (tests/advice/bots.py): sensible, so that what they leave to find out is
what players leave. `hand`: one hand's account, no decision before it, CPU of one thread, the mean of twenty. `threads`:
wall time of the figures of 200 hands by one thread and by two, in turns; beside it the CPU time of two threads in that
of one, for no speed can be higher than two over that, and the processors that were busy, fewer where others work too.
The unit is the mean CPU of DDS 2.9 on the 300 bridge deals, measured in the same run (see versus_dds).
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Iterator
from functools import cache

from benchmarks.versus_dds import Run, cpu, show
from tests.advice.bots import record_by_bots
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.review import review
from tierce.solver.batch.reviews import Hand, review_many
from tierce.solver.games import load_game, replay
from tierce.solver.report.summary import summary_of

RAF = load_game("raf")
NAMES = ("Ann", "Bob", "Cid")


@cache
def hands(count: int) -> tuple[Hand, ...]:
    """First and second deals in turn."""
    return tuple(_hands(count))


def _hands(count: int) -> Iterator[Hand]:
    for number in range(count):
        yield replay(record_by_bots(RAF, number, 1 + number % 2)).deals[-1], NAMES


def hand(board: float) -> None:
    """The mean of twenty hands."""
    whole: list[bool] = []

    def one(each: Hand) -> None:
        whole.append(review(*each, seconds=0).whole)

    spent = [cpu(lambda each=each: one(each)) for each in hands(20)]  # type: ignore[misc]
    worst = max(range(20), key=spent.__getitem__)
    note = f"median {statistics.median(spent) / board:.1f}, hand {worst} {spent[worst] / board:.0f}"
    if not all(whole):
        note += f", {whole.count(False)} NOT WHOLE"
    show("one hand, cards only, mean, boards", statistics.mean(spent), board, 25, 8, note)


def threads(count: int) -> None:
    """The figures of many hands."""
    walls, spent = {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
    pieces = [hands(count)[at :: max(1, count // 50)] for at in range(max(1, count // 50))]
    for piece in pieces:
        for many in walls:
            began, busy = time.perf_counter(), time.process_time()
            found = review_many(piece, threads=many, seconds=0)
            summary_of(each for each in found if not isinstance(each, ContractReview))
            walls[many] += time.perf_counter() - began
            spent[many] += time.process_time() - busy
    note = f"CPU {spent[2] / spent[1]:.2f}, busy {spent[1] / walls[1]:.2f} and {spent[2] / walls[2]:.2f}"
    name = f"figures of {count} hands, two threads / one"
    print(f"{name:<46} {walls[1] / walls[2]:>9.2f}  reach 1.8    aim 1.95   {note}")


def main() -> None:
    """Print the rows asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ("hand", "threads")
    parser.add_argument("rows", nargs="*", choices=[*names, []], help="which rows (default: all)")
    parser.add_argument("--hands", type=int, default=200, help="so many hands for the figures")
    args = parser.parse_args()
    for row in args.rows or names:
        if row == "hand":
            hand(Run(quick=False).board)
        else:
            threads(args.hands)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{'peak memory, MiB':<46} {peak:>9}  reach 2048   aim 1024")


if __name__ == "__main__":
    main()
