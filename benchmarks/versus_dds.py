"""Tierce beside DDS 2.9 (the `endplay` wheel), in one run: CPU time, one thread, cold tables.

    python -m benchmarks.versus_dds                 every row (some minutes)
    python -m benchmarks.versus_dds bridge three    some rows
    python -m benchmarks.versus_dds --quick         a tenth of the deals

The unit of most rows is the DDS board: the mean CPU of DDS on the 300 bridge deals of this very run. Ratios of one run
compare; milliseconds of two runs do not.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tierce.solver import Deal, Position, Query, card_values, parse_hand, parse_trump, solve_many
from tierce.solver.query import MIB, Limits, pack
from tierce.solver.search import CPU, RESULT, STOP_NODES, STOP_TIME, Engine

DATA = Path(__file__).parent.parent / "tests" / "data"
STRAINS = "SHDCN"
SEATS = "NESW"
CAP_BOARDS = 10_000


def rows(name: str) -> list[dict[str, Any]]:
    """A file of facts."""
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def cpu(work: Callable[[], Any]) -> float:
    """Milliseconds of CPU."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


class Dds:
    """DDS 2.9 on one thread."""

    def __init__(self) -> None:
        import endplay._dds as dds

        self.dds = dds
        dds.SetMaxThreads(1)

    def board(self, pbn: str, strain: int, leader: int, solutions: int = 1) -> tuple[float, int]:
        """CPU of one board, and the leader's side's tricks."""
        deal = self.dds.dealPBN()
        deal.trump, deal.first = strain, leader
        deal.currentTrickSuit[:] = [0, 0, 0]
        deal.currentTrickRank[:] = [0, 0, 0]
        deal.remainCards = pbn.encode()
        future = self.dds.futureTricks()
        spent = cpu(lambda: self.dds.SolveBoardPBN(deal, -1, solutions, 1, future, 0))
        return spent, future.score[0]

    def table(self, pbn: str) -> float:
        """CPU of a 20-entry table."""
        from endplay.dds import calc_dd_table
        from endplay.types import Deal as EndplayDeal

        deal = EndplayDeal(pbn)
        return cpu(lambda: calc_dd_table(deal))


def show(name: str, ours: float, theirs: float, reach: float, aim: float, note: str = "") -> None:
    """A row: a ratio and its bars."""
    ratio = ours / theirs
    mark = "aim" if ratio <= aim else "ok" if ratio <= reach else "MISSED"
    print(f"{name:<46} {ratio:>9.2f}  reach {reach:<6g} aim {aim:<6g} {mark:<7} {note}", flush=True)


def facts_three() -> Iterator[tuple[Position, dict[str, int], bool]]:
    """The three-hand deals, their floors, and whether they have 17 cards."""
    for row in rows("three_hand_floors.jsonl"):
        deal = Deal.parse(row["deal"])
        discard = parse_hand(row["discard"]) if row.get("discard") else None
        position = Position.start(deal.with_discard(discard), parse_trump(row["trump"]), "DEM".index(row["leader"]))
        yield position, row["floors"], deal.size == 17


class Run:
    """The rows, with the unit measured first."""

    def __init__(self, quick: bool) -> None:
        self.share = 10 if quick else 1
        self.dds = Dds()
        self.deals = rows("bridge_tables.jsonl")[:: self.share]
        self.engine = Engine(256 * MIB)
        theirs, ours = [], []
        for number, row in enumerate(rows("bridge_tables.jsonl")):
            if number % self.share:
                continue
            strain, leader = number % 5, number % 4
            spent, score = self.dds.board(row["pbn"], strain, leader)
            theirs.append(spent)
            deal = Deal.parse(row["pbn"])
            side = 0b0101 if leader % 2 == 0 else 0b1010
            position = Position(deal.hands, strain, leader)
            ours.append(cpu(lambda position=position, side=side: self.ask(position, side)))  # type: ignore[misc]
            assert self.last[0] == score, (row["id"], self.last, score)
        self.board = statistics.mean(theirs)
        self.bridge_ours, self.bridge_theirs = ours, theirs
        print(f"DDS board: mean {self.board:.2f} ms, median {statistics.median(theirs):.2f} ms; ours on {CPU}")

    def ask(self, position: Position, side: int, objective: Any = "most", **window: int) -> None:
        """One cold search."""
        request = pack(position, side, objective, window.pop("limits", Limits()), **window)  # type: ignore[arg-type]
        self.last = RESULT.unpack(self.engine.run(request, cold=True))

    def bridge(self) -> None:
        """4 x 13, full count."""
        show("4 x 13, mean", statistics.mean(self.bridge_ours), self.board, 0.9, 0.5)
        median = statistics.median(self.bridge_theirs)
        show("4 x 13, median", statistics.median(self.bridge_ours), median, 0.9, 0.5)

    def table(self) -> None:
        """Twenty entries."""
        from tierce.solver import strain_table

        ours = theirs = 0.0
        for row in self.deals[::5]:
            deal = Deal.parse(row["pbn"])
            ours += cpu(lambda deal=deal: strain_table(deal))  # type: ignore[misc]
            theirs += self.dds.table(row["pbn"])
        show("20-entry table", ours, theirs, 0.9, 0.5)

    def cards(self) -> None:
        """All cards' values."""
        ours = theirs = 0.0
        for number, row in list(enumerate(self.deals))[::3]:
            strain, leader = number % 5, number % 4
            position = Position(Deal.parse(row["pbn"]).hands, strain, leader)
            ours += cpu(lambda position=position: card_values(position, "NS"))  # type: ignore[misc]
            theirs += self.dds.board(row["pbn"], strain, leader, 3)[0]
        show("per-card values, 4 x 13", ours, theirs, 0.9, 0.5)

    def three(self) -> None:
        """Floors of 16 and 17 cards."""
        spent: dict[bool, list[float]] = {False: [], True: []}
        for number, (position, truth, long) in enumerate(facts_three()):
            if number % self.share:
                continue
            for seat in range(3):
                spent[long].append(cpu(lambda p=position, s=seat: self.ask(p, 1 << s)))  # type: ignore[misc]
                assert self.last[0] == truth["DEM"[seat]]
        show("3 x 16 floors, mean, boards", statistics.mean(spent[False]), self.board, 1.5, 0.7)
        show("3 x 16 floors, worst, boards", max(spent[False]), self.board, 20, 7)
        show("3 x 17 floors, mean, boards", statistics.mean(spent[True]), self.board, 5, 2)

    def misere(self) -> None:
        """Can this seat be made to take one? No trump, first seat leads."""
        for n, size in ((3, 16), (4, 13)):
            for low in (False, True):
                rng = random.Random(f"misere {n} {low}")
                spent = []
                for number in range(100 // self.share):
                    seat = number % n
                    position = Position(random_hands(rng, n, size, seat if low else None), 4, 0)
                    spent.append(
                        cpu(lambda p=position, s=seat: self.ask(p, 1 << s, "fewest", low=0, high=1))  # type: ignore[misc]
                    )
                spent.sort()
                p95 = spent[int(0.95 * len(spent))]
                show(f"made to take one, {n} x {size}{', low cards' if low else ''}, p95", p95, self.board, 40, 10)

    def fewest(self) -> None:
        """The exact cap, 3 x 16 no trump."""
        rng = random.Random("fewest")
        spent = []
        for number in range(max(3, 20 // self.share)):
            seat = number % 3
            position = Position(random_hands(rng, 3, 16, None), 4, 0)
            limits = Limits(timeout=CAP_BOARDS * self.board / 1000)
            spent.append(
                cpu(lambda p=position, s=seat, v=limits: self.ask(p, 1 << s, "fewest", limits=v))  # type: ignore[misc]
            )
            if self.last[2] in (STOP_NODES, STOP_TIME):
                spent[-1] = CAP_BOARDS * self.board
        unfinished = sum(1 for ms in spent if ms >= CAP_BOARDS * self.board)
        show("exact cap, 3 x 16, median, boards", statistics.median(spent), self.board, 2000, 300, f"{unfinished} cut")

    def bulk(self) -> None:
        """Two threads, and the cost of Python around the engine."""
        hard = [Query(position, 1 << seat) for position, _, long in facts_three() if not long for seat in range(3)]

        def wall(threads: int) -> float:
            began = time.perf_counter()
            for _ in solve_many(hard[:: self.share], threads=threads):
                pass
            return time.perf_counter() - began

        pairs = [(wall(1), wall(2)) for _ in range(3)]
        ratio = max(one / two for one, two in pairs)
        print(f"{'two threads / one, bulk':<46} {ratio:>9.2f}  reach 1.8    aim 1.95   (best of 3)", flush=True)
        rng = random.Random("endings")
        endings = [Query(Position(random_hands(rng, 4, 8, None), k % 5, k % 4), 0b0101) for k in range(3000)]
        data = b"".join(pack(query.position, 0b0101, "most") for query in endings)
        engine = Engine(32 * MIB)
        bare, whole = [], []
        for _ in range(5):
            bare.append(cpu(lambda: engine.run(data, cold=True)))
            whole.append(cpu(lambda: list(solve_many(endings, threads=1))))
        note = f"{min(bare) / len(endings) * 1000:.0f} us each"
        show("solve_many on 8-card endings / bare engine", min(whole), min(bare), 1.25, 1.1, note)

    def process(self) -> None:
        """Memory of a solve, start of the command."""
        code = (
            "import resource, sys; from tierce.solver import *; from benchmarks.versus_dds import facts_three\n"
            "position = max((p for p, _, long in facts_three() if long), key=lambda p: p.hands)\n"
            "floors(position); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
        )
        peak = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        print(f"{'peak memory of one solve, MiB':<46} {peak.strip():>9}  reach 400")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(10):
            subprocess.run([sys.executable, "-m", "tierce.cli", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        ms = 100 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        print(f"{'tierce --help, CPU ms':<46} {ms:>9.0f}  reach 150    aim 80")


def random_hands(rng: random.Random, n: int, size: int, low: int | None) -> tuple[int, ...]:
    """Random hands; seat `low` has only ranks 2 to 9."""
    deck = [16 * suit + rank for suit in range(4) for rank in range(13)]
    rng.shuffle(deck)
    hands: list[list[int]] = [[] for _ in range(n)]
    if low is not None:
        hands[low] = [card for card in deck if card % 16 <= 7][:size]
        deck = [card for card in deck if card not in hands[low]]
    for seat in range(n):
        if seat != low:
            hands[seat], deck = deck[:size], deck[size:]
    return tuple(sum(1 << card for card in hand) for hand in hands)


ROWS = ("bridge", "table", "cards", "three", "misere", "fewest", "bulk", "process")


def main() -> None:
    """Print the rows asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []], help="which rows (default: all)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the deals")
    args = parser.parse_args()
    run = Run(args.quick)
    for row in args.rows or ROWS:
        getattr(run, row)()


if __name__ == "__main__":
    main()
