"""A race: candidates valued in the same worlds by several threads, stage after stage, until worlds or time are done.

What the candidates are, which worlds there are and how a candidate is valued in one, classes on top of `Race` say;
racing.py settles which candidates are valued in which worlds. A job is a world and some candidates, done by whichever
thread is free, and what comes of it depends on nothing else. So the same worlds give the same answer, whatever the
threads; with a number of seconds the time only decides where the sequence is cut.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

from tierce.solver.advice.crews import work_together
from tierce.solver.advice.entries import Runner, lead
from tierce.solver.advice.estimate_results import BY, By, Figure
from tierce.solver.advice.racing import KEEP, Stage, narrowed, plain_stages, stages
from tierce.solver.advice.valuing import Span, Valuer
from tierce.solver.checks import check_whole, is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.query import table_bytes
from tierce.solver.search import STOP_CANCELLED, STOP_TIME

__all__ = ["DEFAULT_SEED", "WORLDS_MAX", "Job", "Race"]

WORLDS_MAX: Final = 1_000_000
DEFAULT_SEED: Final = 1
_LEAST_MB: Final = 16  # of a thread's table, so that what is given up after so many nodes has room in it
_CHANCE: Final = 4.0  # tricks that a chance of 1 is worth in the race for a chance

R = TypeVar("R", bound=Runner[Any])
W = TypeVar("W")
V = TypeVar("V", bound=Valuer)


class Told(Protocol):
    """What the order of candidates goes by."""

    @property
    def stage(self) -> int:
        """The stage reached."""

    @property
    def quota(self) -> Figure:
        """The chance of the quota."""

    @property
    def twelve(self) -> Figure | None:
        """The chance of winning by tricks."""

    @property
    def balance(self) -> float:
        """The mean against the quota."""


T = TypeVar("T", bound=Told)


@dataclass(frozen=True, slots=True)
class Job:
    """Candidates (by number) to be valued in one world."""

    world: int
    units: tuple[int, ...]


class Race(Generic[R, W, V]):
    """One race, from the first world to the last. To be filled in: `_drawn`, `_valuer`, `_grouped`, `_value`, `_guess`,
    and `_prepare` or a call of `_enter` for the candidates.

    worlds    so many; seconds: until then. One of the two, but where both are None the worlds come from `source`
    source    worlds to take in place of drawn ones
    every     no candidate is dropped
    by        what is to be high: "mean", "quota" or "twelve"
    threads   the answer does not depend on them; each takes 16 MiB of table_mb at least, or there are fewer

    InputError (field "worlds", "seconds", "candidates" or "by") for what cannot be asked.
    """

    def __init__(
        self,
        *,
        worlds: int | None,
        seconds: float | None,
        source: Iterable[W] | None,
        candidates: str,
        by: By,
        threads: int,
        table_mb: int,
    ) -> None:
        _check(worlds, seconds, source, candidates, by)
        self.by: Final = by
        self._worlds: list[W] = [] if source is None else list(islice(source, WORLDS_MAX))
        self._wanted = worlds if source is None else len(self._worlds)
        if source is not None and not self._worlds:
            raise InputError("worlds", "expected worlds to value the candidates in, found none", field="worlds")
        self._seconds = seconds
        self._every = candidates == "all"
        self._threads = max(1, min(threads, table_mb // _LEAST_MB))
        self._table_bytes = table_bytes(table_mb) // self._threads
        self._entries: list[R] = []
        self._left: list[int] = []
        self._chosen: int | None = None
        self._valuers: list[V] = []
        self._lock = threading.Lock()
        self._stop = 0
        self._guesses: list[int] = []
        self._jobs_done = 0
        self._jobs_due = 0
        self._share = 0.0  # of the worlds wanted, that of the present stage
        self._finished = False
        self._error: BaseException | None = None
        self._began = time.monotonic()
        self._millis = 0.0

    # ---- to be filled in ---------------------------------------------------------------------------------------------

    def _drawn(self) -> W:
        """The next random world."""
        raise NotImplementedError

    def _valuer(self, deadline: float | None) -> V:
        """What a thread values with. `deadline` on the monotonic clock."""
        raise NotImplementedError

    def _prepare(self) -> None:
        """What is done before the first stage, within the time given."""

    def _grouped(self, units: Sequence[int]) -> Iterable[Sequence[int]]:
        """The candidates to be valued in a world, as jobs."""
        raise NotImplementedError

    def _value(self, valuer: V, job: Job, cap: int) -> list[Span]:
        """The scores of a job's candidates; of no use once the valuer is stopped. `cap`: most nodes a question."""
        raise NotImplementedError

    def _guess(self, unit: int) -> int:
        """A score the candidate may have."""
        raise NotImplementedError

    def _enter(self, entries: Iterable[R], chosen: object) -> None:
        """Settle the candidates, the most promising first. `chosen`: one that stays in whatever it is worth."""
        self._entries = list(entries)
        self._left = list(range(len(self._entries)))
        self._chosen = next((at for at, each in enumerate(self._entries) if each.candidate == chosen), None)

    # ---- control -----------------------------------------------------------------------------------------------------

    def _run(self, watch: Callable[[], None] | None, every: float) -> None:
        """Work until the worlds or the seconds are done. `watch` is called every so many seconds.

        What it raises, and KeyboardInterrupt, stops the work within 50 ms and comes through.
        """
        self._began = time.monotonic()
        deadline = None if self._seconds is None else self._began + self._seconds
        self._valuers = [self._valuer(deadline) for _ in range(self._threads)]
        if self._stop:
            self.cancel()
        try:
            self._prepare()
            plan = plain_stages(self._wanted, len(self._entries)) if self._every else stages(self._wanted)
            for stage in plan:
                self._do(stage, watch, every)
                if self._stop:
                    break
                self._narrow(stage)
            self._finished = not self._stop
        finally:
            self._millis = (time.monotonic() - self._began) * 1e3

    def cancel(self) -> None:
        """Stop the work within 50 ms, from any thread."""
        self._halt(STOP_CANCELLED)
        for valuer in self._valuers:
            valuer.cancel()

    def _halt(self, why: int) -> None:
        self._stop = self._stop or why

    def _do(self, stage: Stage, watch: Callable[[], None] | None, every: float) -> None:
        """All jobs of a stage."""
        self._draw(stage.worlds)
        due = list(self._jobs(stage))
        jobs = iter(due)
        self._guesses = [self._guess(unit) for unit in range(len(self._entries))]
        self._jobs_done, self._jobs_due = 0, len(due)
        self._share = stage.worlds / (self._wanted or stage.worlds)

        def told() -> None:
            self._millis = (time.monotonic() - self._began) * 1e3
            if watch is not None:
                watch()

        works = [partial(self._work, valuer, jobs, stage) for valuer in self._valuers]
        work_together(works, self.cancel, told, every)
        if self._error is not None:
            raise self._error

    # ---- work --------------------------------------------------------------------------------------------------------

    def _jobs(self, stage: Stage) -> Iterator[Job]:
        """World by world, jobs of candidates with something to find out."""
        for world in range(min(stage.worlds, len(self._worlds))):
            due = [unit for unit in self._left if not self._entries[unit].settled(world, stage.cap)]
            yield from (Job(world, tuple(units)) for units in self._grouped(due))

    def _draw(self, count: int) -> None:
        if self._wanted is None or self._wanted > len(self._worlds):
            while len(self._worlds) < count and not self._late:
                self._worlds.append(self._drawn())

    @property
    def _late(self) -> bool:
        late = self._seconds is not None and time.monotonic() >= self._began + self._seconds
        if late:
            self._halt(STOP_TIME)
        return late

    def _work(self, valuer: V, jobs: Iterator[Job], stage: Stage) -> None:
        try:
            while not self._stop:
                with self._lock:
                    job = next(jobs, None)
                if job is None:
                    return
                found = self._value(valuer, job, stage.cap)
                if valuer.stop:
                    self._halt(valuer.stop)
                    return
                with self._lock:
                    self._jobs_done += 1
                    for unit, span in zip(job.units, found, strict=True):
                        entry = self._entries[unit]
                        entry.spans[job.world] = span, entry.limit(stage.cap)
        except BaseException as error:  # told in `_do`, where the caller is
            self._error = error
            self._halt(STOP_CANCELLED)

    def _narrow(self, stage: Stage) -> None:
        """Who stays in after a stage."""
        count = min(stage.worlds, len(self._worlds))
        scores = [[self._score(self._entries[unit], world) for world in range(count)] for unit in self._left]
        protected = [place for place, unit in enumerate(self._left) if unit == self._chosen]
        kept = narrowed(scores, stage, protected)
        with self._lock:
            self._left = [self._left[place] for place in kept]
            for unit in self._left:
                self._entries[unit].stage += 1

    def _score(self, entry: R, world: int) -> float:
        """What counts in the race, of one world."""
        low, high = entry.known(world)
        balance = entry.balance((low + high) / 2)
        if self.by == "mean":
            return balance
        reached = [entry.reached(score, self.by) for score in (low, high)]
        return _CHANCE * sum(reached) / 2 + balance / _CHANCE

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def done(self) -> float:
        """The share of the time, or roughly of the work, that is done, from 0 to 1."""
        if self._seconds is not None:
            return min(1.0, self._millis / 1e3 / self._seconds)
        return min(1.0, self._jobs_done / max(1, self._jobs_due) * self._share)

    def _ranked(self, told: list[tuple[int, T]]) -> list[tuple[int, T]]:
        """Candidates with their numbers, the best first: those that are left, then those dropped, the last first."""
        left = set(self._left)
        return sorted(told, key=lambda each: (each[0] not in left, -each[1].stage, *self._order(each[1]), each[0]))

    def _order(self, told: Told) -> tuple[float, float]:
        chance = {"mean": None, "quota": told.quota, "twelve": told.twelve}[self.by]
        return (-chance.value if chance else 0.0), -told.balance

    def _lead(self, best: int | None, other: int | None) -> Figure | None:
        """How far one is ahead of the other, where there are both and a world that they have met."""
        if best is None or other is None or 0 not in self._entries[other].spans:
            return None
        return lead(self._entries[best], self._entries[other], self.by)

    def _complete(self, told: Sequence[object]) -> bool:
        """Were all worlds done that were asked for, or all the time used, with candidates that can be compared?"""
        narrow = len(self._left) < len(self._entries) or len(self._entries) <= KEEP or self._every
        return bool(told) and (self._finished or (self._stop == STOP_TIME and narrow))


def _check(worlds: int | None, seconds: float | None, source: Iterable[W] | None, candidates: str, by: str) -> None:
    if sum(each is not None for each in (worlds, seconds, source)) != 1:
        found = [name for name, each in (("worlds", worlds), ("seconds", seconds), ("source", source)) if each]
        message = f"expected one of worlds, seconds and source, found {' and '.join(found) or 'none'}"
        raise InputError("worlds", message, field="worlds")
    if worlds is not None:
        check_whole(worlds, 1, WORLDS_MAX, f"a number of worlds from 1 to {WORLDS_MAX:,}", "worlds")
    if seconds is not None and not (is_number(seconds) and 0 < seconds < threading.TIMEOUT_MAX):
        raise InputError("seconds", f"expected seconds above 0, found {quoted(seconds)}", field="seconds")
    if candidates not in ("lowest", "all"):
        message = f"expected 'lowest' or 'all', found {quoted(candidates)}"
        raise InputError("candidates", message, field="candidates")
    if by not in BY:
        raise InputError("by", f"expected one of {', '.join(BY)}, found {quoted(by)}", field="by")
