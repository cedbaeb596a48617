"""The exchange in DDS boards: the deals of `tierce deal --game raf --seed 1 --count 10` after tricks of 10/4/2 (middle
sends a card to each: 240 ways), one thread, CPU.

    python -m benchmarks.exchange                      both rows; some minutes
    python -m benchmarks.exchange every --deals 3      the first three deals alone

The unit is the mean CPU of DDS 2.9 on the 300 bridge deals, measured in the same run (see versus_dds).
"""

from __future__ import annotations

import argparse
import resource
import statistics

from benchmarks.versus_dds import Run, cpu, show
from tierce.solver.advice.exchange import FindWays, exchange_advice
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.games import load_game, random_deal

RAF = load_game("raf")
PREVIOUS = (10, 4, 2)


def ranking(find: FindWays, top: int, count: int, board: float) -> list[float]:
    """CPU of each deal."""
    found = []
    for number in range(count):
        state = exchange_of_deal(RAF, random_deal(RAF, 1, number), PREVIOUS)
        found.append(cpu(lambda state=state: exchange_advice(state, find=find, top=top)))  # type: ignore[misc]
        print(f"  deal {number}: {found[-1] / board:,.0f}", flush=True)
    return found


def main() -> None:
    """Print the rows asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", choices=["every", "best", []], help="which rows (default: both)")
    parser.add_argument("--deals", type=int, default=10, help="so many deals")
    parser.add_argument("--top", type=int, default=0, help="best cases of so many ways, too")
    args = parser.parse_args()
    board = Run(quick=False).board
    for row in args.rows or ("every", "best"):
        spent = ranking(row, args.top, args.deals, board)
        note = f"median {statistics.median(spent) / board:.0f}"
        show(f"exchange, 240 ways, {row}, mean, boards", statistics.mean(spent), board, 5000, 1000, note)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{'peak memory, MiB':<46} {peak:>9}")


if __name__ == "__main__":
    main()
