"""Finds weights for the move ordering: coordinate descent on the nodes of random deals.

    python -m benchmarks.tune three --cards 16 --minutes 15 --out weights.json
    python -m benchmarks.tune --header weights.json        rewrite solver/search/weights.h (in a source tree)

Nodes, unlike seconds, do not depend on the machine. Deals are exchanged a third at a time, so that the weights do not
fit a few of them; each weight keeps a step of its own, halved when neither direction helps.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.versus_dds import random_hands
from tierce.solver.position import Position
from tierce.solver.query import MIB, Limits, pack
from tierce.solver.search import CPU, RESULT

# The build that tierce.solver.search has chosen: its weights are the ones that count.
engine_module: Any = import_module("tierce.solver.search._engine" + ("_v3" if CPU == "v3" else ""))
KINDS = ("three", "four", "three-fewest", "four-fewest")
HEADER = Path(__file__).parent.parent / "solver" / "search" / "weights.h"
SCALE = 20_000  # nodes that count as 1


class Tuner:
    """One kind of search, its deals and its weights."""

    def __init__(self, kind: str, cards: int, deals: int, seed: int, cap: int, power: float) -> None:
        self.kind, self.cards, self.cap, self.power = kind, cards, cap, power
        self.row = KINDS.index(kind)
        self.weights: list[int] = engine_module.get_weights(self.row)
        self.engine = engine_module.Engine(256 * MIB)
        self.rng = random.Random(seed)
        self.deals: list[bytes] = []
        self.wanted = deals
        self.refill()

    def deal(self) -> bytes:
        """A random question of this kind, packed; of fewest tricks most are about taking one with low cards."""
        rng, n = self.rng, 4 if self.kind.startswith("four") else 3
        seat = rng.randrange(n)
        limits = Limits(max_nodes=self.cap)
        if self.kind.endswith("fewest"):
            if rng.random() < 0.6:
                position = Position(random_hands(rng, n, self.cards, seat), 4, 0)
                return pack(position, 1 << seat, "fewest", limits, low=0, high=1)
            position = Position(random_hands(rng, n, min(self.cards, 10), None), rng.choice([4, 4, 0, 1, 2, 3]), 0)
            return pack(position, 1 << seat, "fewest", limits)
        side = 1 << seat if n == 3 else rng.choice([0b0101, 0b1010])
        position = Position(random_hands(rng, n, self.cards, None), rng.randrange(5), rng.randrange(n))
        return pack(position, side, "most", limits)

    def nodes(self, deal: bytes) -> int:
        """Nodes of one cold search."""
        return int(RESULT.unpack(self.engine.run(deal, cold=True))[4])

    def refill(self) -> None:
        """New deals, none trivial and none over the cap."""
        while len(self.deals) < self.wanted:
            deal = self.deal()
            if 3000 < self.nodes(deal) < self.cap:
                self.deals.append(deal)

    def cost(self, best: list[float] | None = None) -> list[float]:
        """Running sums of nodes ** power; cut short once clearly worse than `best`."""
        engine_module.set_weights(self.row, self.weights)
        sums: list[float] = []
        total = 0.0
        for number, deal in enumerate(self.deals):
            total += (self.nodes(deal) / SCALE) ** self.power
            sums.append(total)
            if best is not None and total > best[number] + 0.2 + 0.004 * number:
                return [float("inf")]
        return sums

    def descend(self, minutes: float) -> None:
        """Improve the weights for so long."""
        steps = [16 if abs(weight) >= 16 else 6 for weight in self.weights]
        stop = time.monotonic() + 60 * minutes
        best = self.cost()
        while time.monotonic() < stop:
            for index in self.rng.sample(range(len(steps)), len(steps)):
                if time.monotonic() > stop:
                    break
                best = self.try_weight(index, steps, best)
            print(f"{self.kind}: {(best[-1] / len(best)) ** (1 / self.power) * SCALE:.0f} nodes", flush=True)
            del self.deals[: self.wanted // 3]
            self.refill()
            best = self.cost()

    def try_weight(self, index: int, steps: list[int], best: list[float]) -> list[float]:
        """One weight up or down a step, kept if it helps."""
        old = self.weights[index]
        for change in (steps[index], -steps[index]):
            self.weights[index] = old + change
            cost = self.cost(best)
            if cost[-1] < best[-1] - 0.0004 * len(best):
                return cost
        self.weights[index] = old
        engine_module.set_weights(self.row, self.weights)
        steps[index] = steps[index] // 2 or 3
        return best


def write_header(found: dict[str, list[int]]) -> None:
    """Put weights into weights.h, row by row."""
    text = HEADER.read_text()
    rows = re.split(r"(?<=\{) /\* .*? \*/\n", text)
    assert len(rows) == len(KINDS) + 1, "weights.h is not as this program knows it"
    for row, kind in enumerate(KINDS):
        for index, weight in enumerate(found.get(kind, [])):
            names = re.findall(r"\[(\w+)\]", rows[row + 1])
            rows[row + 1] = re.sub(rf"\[{names[index]}\] = -?\d+", f"[{names[index]}] = {weight}", rows[row + 1])
    marks = re.findall(r"(?<=\{) /\* .*? \*/\n", text)
    HEADER.write_text("".join(part + mark for part, mark in zip(rows, [*marks, ""], strict=True)))


def main() -> None:
    """Tune one kind, or write what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", nargs="?", choices=KINDS)
    parser.add_argument("--cards", type=int, default=13)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cap", type=int, default=200_000, help="nodes; harder deals are left out")
    parser.add_argument("--power", type=float, default=0.4, help="1: the mean counts; near 0: the typical deal")
    parser.add_argument("--out", type=Path, help="JSON file, added to")
    parser.add_argument("--header", type=Path, metavar="JSON", help="write these weights into weights.h")
    args = parser.parse_args()
    if args.header:
        write_header(json.loads(args.header.read_text()))
        return
    if not args.kind:
        parser.error("expected a kind")
    tuner = Tuner(args.kind, args.cards, args.deals, args.seed, args.cap, args.power)
    tuner.descend(args.minutes)
    print(tuner.weights)
    if args.out:
        found = json.loads(args.out.read_text()) if args.out.exists() else {}
        args.out.write_text(json.dumps(found | {args.kind: tuner.weights}))


if __name__ == "__main__":
    main()
