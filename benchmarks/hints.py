"""Hints: worlds a second by trick, and how punctual answers are. `tierce play` tells how strong they are.

    python -m benchmarks.hints worlds                  in a second at each trick (aims: 20 at the first, 300 at the 8th)
    python -m benchmarks.hints worlds --method pimc    the same of another method
    python -m benchmarks.hints times --seconds 0.1     first answer and overrun, over all decisions of some deals
    python -m benchmarks.hints worlds --game solo_whist    of contracts, but for those whose result stands

Deals of raf or of --game, seed 1, played by rules of thumb; wall time, one thread.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from tierce.solver.games import Claim, Profile, State, apply, deal_by_lot, legal, load_game, new_match, settle, view
from tierce.solver.hints import HintSearch, simple_action


def game(name: str) -> Profile:
    """A game whose match does not end early."""
    return load_game(name, {"end": "deals", "goal": 100})


def decisions(profile: Profile, deals: int) -> Iterator[State]:
    """Every decision of some deals of a match."""
    state = new_match(profile)
    while len(state.results) < deals:
        state = settle(state)
        if state.phase == "DEAL":
            state = apply(state, deal_by_lot(profile, 1, len(state.results), state.dealer))
            continue
        open_ = [each for each in legal(state) if each.kind is not Claim]
        if sum(1 for each in open_ for _ in zip(range(2), each.actions(), strict=False)) > 1:
            yield state
        seat = open_[0].seat
        assert seat is not None
        state = apply(state, simple_action(view(state, seat)))


def worlds(profile: Profile, deals: int, seconds: float, method: str | None) -> None:
    """Worlds in a number of seconds, by trick; those that the weights leave."""
    found: dict[int, list[tuple[int, float]]] = {}
    for state in decisions(profile, deals):
        if state.phase == "PLAY" and len(state.playable(state.mover)) > 1:
            search = HintSearch(view(state, state.mover), worlds=1_000_000, method=method)  # type: ignore[arg-type]
            end = time.monotonic() + seconds
            while time.monotonic() < end and not search.step():
                pass
            result = search.result
            decided = profile.contracts and result.method == "playouts" != method
            if result.method not in ("ending", "rule") and not decided:
                found.setdefault(len(state.tricks) + 1, []).append((result.worlds, result.effective))
    print(f"{method or 'default'}: worlds in {seconds:g} s")
    for trick, rows in sorted(found.items()):
        mean = sum(count for count, _ in rows) / len(rows)
        left = sum(count for _, count in rows) / len(rows)
        print(f"trick {trick:2}   {mean:8.0f}, by their weights {left:8.0f}   {len(rows)} decisions")


def times(profile: Profile, deals: int, seconds: float) -> None:
    """When the first answer is there, when the first that has met a world, and how late the last comes."""
    first, met, late = [], [], []
    for state in decisions(profile, deals):
        began = time.monotonic()
        search = HintSearch(
            view(state, next(each.seat for each in legal(state) if each.seat is not None)), seconds=seconds
        )
        _ = search.result
        first.append(time.monotonic() - began)
        seen = False
        while not search.step():
            if not seen and search.result.worlds:
                met.append(time.monotonic() - began)
                seen = True
        late.append(time.monotonic() - began - seconds)
    for name, values in (("first answer", first), ("first world", met), ("beyond the time", late)):
        order = sorted(values)
        row = ", ".join(f"{share} {1e3 * order[min(len(order) - 1, int(p * len(order)))]:7.1f}" for share, p in SHARES)
        print(f"{name:16} ms: {row}   of {len(order)}")


SHARES = (("median", 0.5), ("p95", 0.95), ("p99", 0.99), ("worst", 1.0))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("worlds", "times"))
    parser.add_argument("--deals", type=int, default=3)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--method")
    parser.add_argument("--game", default="raf")
    given = parser.parse_args()
    profile = game(given.game)
    if given.what == "worlds":
        worlds(profile, given.deals, given.seconds or 1.0, given.method)
    else:
        times(profile, given.deals, given.seconds or 0.1)


if __name__ == "__main__":
    main()
