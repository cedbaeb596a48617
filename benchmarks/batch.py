"""How well a study uses processors: two threads against one, a Dask cluster of two workers against two threads.

    python -m benchmarks.batch                  all rows: some minutes
    python -m benchmarks.batch threads --deals 32    fewer deals: the last one weighs more
    python -m benchmarks.batch dask --deals 512

Both sides of a row are measured in turns, so that what else the machine does meets both; a row is the ratio of the
sums of wall time. Beside it stand the processors that were busy with it, fewer than the threads where others work too,
and the CPU time of two threads in that of one: no speed can be higher than two over that.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tierce.solver.batch.local import run_here
from tierce.solver.batch.parts import Job
from tierce.solver.batch.studies import Study
from tierce.solver.batch.work import Work

RULES = ("lowest", "short-suit", "keep-long", "spread")
PREVIOUS = (10, 4, 2)
ROUNDS = 3


def exchange(reply: str, deals: int, chunk: int = 64) -> Study:
    """Rules of thumb for the parcels of the middle seat, who was the dealer."""
    return Study(
        "exchange", deals, chunk, game="raf", seed=1, strategies=RULES, previous=PREVIOUS, sender=2, others="lowest",
        reply=reply,
    )  # fmt: skip


def dealer(deals: int) -> Study:
    """The dealer's best trump and a discard."""
    return Study("dealer", deals, game="raf", seed=1, strategies=("exact",))


@dataclass(slots=True)
class Spent:
    """Seconds of wall and of CPU time, and deals."""

    wall: float = 0.0
    cpu: float = 0.0
    deals: int = 0

    def add(self, work: Callable[[], int]) -> None:
        """Do it, and count it."""
        wall, cpu = time.perf_counter(), _cpu()
        self.deals += work()
        self.wall += time.perf_counter() - wall
        self.cpu += _cpu() - cpu

    @property
    def busy(self) -> float:
        """Processors that were busy with it, on average."""
        return self.cpu / self.wall


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def here(study: Study, threads: int) -> int:
    """A study on threads; nothing is written."""
    for _ in run_here(Work(study), map(Job, range(study.chunks)), threads):
        pass
    return study.deals


def there(study: Study, client: Any) -> int:
    """A study on a cluster."""
    from tierce.solver.batch.cluster import run_there

    for _ in run_there(client, study, map(Job, range(study.chunks))):
        pass
    return study.deals


def threads(name: str, study: Study, reach: float = 0.0, aim: float = 0.0) -> None:
    """One thread and two in turns."""
    one, two = Spent(), Spent()
    for _ in range(ROUNDS):
        one.add(lambda: here(study, 1))
        two.add(lambda: here(study, 2))
    note = f"busy {one.busy:.2f} and {two.busy:.2f}, CPU {two.cpu / one.cpu:.3f}, {two.deals / two.wall:.1f} deals/s"
    _show(f"{name}: two threads / one", one.wall / two.wall, reach, aim, note)


@contextmanager
def cluster() -> Iterator[Any]:
    """A Dask cluster of two processes, one thread each."""
    import distributed

    local: Any = distributed.LocalCluster
    with local(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        client: Any = distributed.Client
        with client(made, set_as_default=False) as found:
            there(exchange("quick", 8, 1), found)  # the workers import what they need
            yield found


def dask(deals: int) -> None:
    """Two workers and two threads in turns."""
    study = exchange("quick", deals)
    plain, workers = Spent(), Spent()
    with cluster() as client:
        for _ in range(ROUNDS):
            plain.add(lambda: here(study, 2))
            workers.add(lambda: there(study, client))
    note = (
        f"{workers.deals / workers.wall:.1f} and {plain.deals / plain.wall:.1f} deals/s, client CPU {workers.cpu:.1f} s"
    )
    _show("Dask cluster of two / two threads", plain.wall / workers.wall, 0.85, 0.95, note)


def _show(name: str, ratio: float, reach: float, aim: float, note: str) -> None:
    bars = f"reach {reach:<5} aim {aim:<5}" if reach else " " * 21
    print(f"{name:<46} {ratio:>6.2f}  {bars}  {note}", flush=True)


def main() -> None:
    """Print the rows."""
    names = ("threads", "quick", "dask")
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", nargs="*", help=", ".join(names))
    parser.add_argument("--deals", type=int, help="so many deals a round (default: 64, 128, 512)")
    args = parser.parse_args()
    for row in args.rows or names:
        if row == "threads":
            threads("exact reply", dealer(args.deals or 64), 1.8, 1.95)
        elif row == "quick":
            threads("quick reply", exchange("quick", args.deals or 128))
        elif row == "dask":
            dask(args.deals or 512)
        else:
            parser.error(f"expected one of {', '.join(names)}, found {row!r}")


if __name__ == "__main__":
    main()
