"""The bidding hint of Solo Whist: worlds in a second, and how often contracts are made, all cards seen and at a table.

    python -m benchmarks.bidding worlds --seconds 1     of both methods, over the openings of some deals; wall time, one
                                                        thread (bar: 12 on two cores, aim 45)
    python -m benchmarks.bidding made --worlds 20       of the bid that the rules of thumb make, the mean chance of it
                                                        by both methods: playouts, and exact play

Deals by lot, seed 1, dealers in turn; each seat that decides before somebody has bid.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from tierce.solver.games import Bid, View, apply, deal_by_lot, legal, load_game, new_match, view
from tierce.solver.hints import simple_action
from tierce.solver.hints.bidding import BidSearch
from tierce.solver.hints.results import Method

PROFILE = load_game("solo_whist")
METHODS: tuple[Method, ...] = ("playouts", "pimc")


def openings(deals: int) -> Iterator[tuple[View, str | None]]:
    """The views of those who decide as long as all pass by the rules, and what the rules bid."""
    for deal in range(deals):
        state = apply(new_match(PROFILE, deal), deal_by_lot(PROFILE, 1, deal, deal % 4))
        while state.phase == "BID" and all(bid is None for _, bid in state.bids) and len(state.bids) < 4:
            seat = legal(state)[0].seat
            assert seat is not None
            seen = view(state, seat)
            action = simple_action(seen)
            assert isinstance(action, Bid) and (action.bid is None or isinstance(action.bid, str))
            yield seen, action.bid
            state = apply(state, action)


def worlds(deals: int, seconds: float) -> None:
    """Worlds in a number of seconds: mean and fewest."""
    for method in METHODS:
        found = []
        for seen, _ in openings(deals):
            search, end = BidSearch(seen, method=method), time.monotonic() + seconds
            while time.monotonic() < end:
                search.step()
            found.append(search.worlds)
        print(f"{method:9} {sum(found) / len(found):8.0f} worlds, at least {min(found)}, of {len(found)} decisions")


def made(deals: int, count: int) -> None:
    """By bid: how many, and the mean chance of it by both methods."""
    chances: dict[str, list[list[float]]] = {}
    for seen, bid in openings(deals):
        if bid is None:
            continue
        row = chances.setdefault(bid, [[] for _ in METHODS])
        for place, method in enumerate(METHODS):
            search = BidSearch(seen, method=method)
            while search.worlds < count:
                search.step(count - search.worlds)
            row[place] += [max(each.quota for each in search.options() if each.actions[0] == Bid(seen.seat, bid))]
    for bid, rows in chances.items():
        said = ", ".join(f"{name} {sum(row) / len(row):.2f}" for name, row in zip(METHODS, rows, strict=True))
        print(f"{bid:20} {len(rows[0]):4}: {said}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("worlds", "made"))
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--worlds", type=int, default=20)
    given = parser.parse_args()
    if given.what == "worlds":
        worlds(given.deals, given.seconds)
    else:
        made(given.deals, given.worlds)


if __name__ == "__main__":
    main()
