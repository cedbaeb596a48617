"""The dealer's decision in DDS boards: the 40 deals of `tierce deal --game raf --seed 1 --count 40`, one thread, CPU.

    python -m benchmarks.dealer one best          some rows; all of them take an hour
    python -m benchmarks.dealer best --deals 10   the first ten deals alone

The unit is the mean CPU of DDS 2.9 on the 300 bridge deals, measured in the same run (see versus_dds).
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Iterator

from benchmarks.versus_dds import Run, cpu, show
from tierce.solver.advice.choices import DealerChoices, choices_of_deal
from tierce.solver.advice.dealer import dealer_advice
from tierce.solver.advice.deciding import Find
from tierce.solver.advice.estimate import dealer_estimate
from tierce.solver.games import load_game, random_deal
from tierce.solver.games.actions import DealCards
from tierce.solver.games.rules import apply
from tierce.solver.games.state import new_match
from tierce.solver.games.view import view

RAF = load_game("raf")
HIDDEN_BOARDS = 700


def decisions(count: int) -> Iterator[DealerChoices]:
    """The deals' decisions."""
    for number in range(count):
        yield choices_of_deal(RAF, random_deal(RAF, 1, number))


def known(find: Find, count: int, board: float, reach: float, aim: float) -> None:
    """All hands seen."""
    spent = [cpu(lambda open_=open_: dealer_advice(open_, find=find)) for open_ in decisions(count)]  # type: ignore[misc]
    worst = max(range(count), key=spent.__getitem__)
    note = f"median {statistics.median(spent) / board:.0f}, deal {worst} {spent[worst] / board:.0f}"
    show(f"known, {find}, mean, boards", statistics.mean(spent), board, reach, aim, note)


def threads(count: int) -> None:
    """Wall time of one thread and of two, over the deals with many discards that take some seconds in all."""
    walls = {1: 0.0, 2: 0.0}
    for open_ in list(decisions(count))[2:]:
        for many in walls:
            began = time.perf_counter()
            dealer_advice(open_, threads=many)
            walls[many] += time.perf_counter() - began
    print(f"{'two threads / one, every optimal discard':<46} {walls[1] / walls[2]:>9.2f}  reach 1.7    aim 1.9")


def hidden(count: int, board: float) -> None:
    """From the dealer's hand alone."""
    fewest = []
    for number in range(count):
        state = apply(new_match(RAF), DealCards(random_deal(RAF, 1, number)))
        found = dealer_estimate(view(state, 0), seconds=HIDDEN_BOARDS * board / 1000, seed=1)
        fewest.append(min(each.worlds for each in found.candidates[:8]))
    note = f"by deal {fewest}"
    print(f"{'hidden, fewest worlds of the last 8':<46} {min(fewest):>9}  reach 30     aim 150     {note}")


def main() -> None:
    """Print the rows asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ("one", "best", "every", "threads", "hidden")
    parser.add_argument("rows", nargs="*", choices=[*names, []], help="which rows (default: all)")
    parser.add_argument("--deals", type=int, default=40, help="so many deals")
    args = parser.parse_args()
    board = Run(quick=False).board
    bars: dict[Find, tuple[float, float]] = {"one": (60, 15), "best": (150, 50), "every": (800, 200)}
    for row in args.rows or names:
        if row in bars:
            known(row, args.deals, board, *bars[row])
        elif row == "threads":
            threads(min(args.deals, 8))
        else:
            hidden(min(args.deals, 10), board)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{'peak memory, MiB':<46} {peak:>9}  reach 2048   aim 1024")


if __name__ == "__main__":
    main()
