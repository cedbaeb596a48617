"""The dealer's decision when only his own cards are seen: candidates valued in random worlds that fit what he knows.

The worlds are uniform and seeded, and all candidates meet the same ones. The race (racing.py) settles which candidates
are valued in which worlds; a pair of a world and a call is one job, done by whichever thread is free, and what comes of
it depends on nothing else. So the same seed and number of worlds give the same answer, whatever the threads; with a
number of seconds the time only decides where the sequence is cut. Values are exact in the end, but those in MIZ that
take too many nodes: they stay between proved ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.entries import Entry, lead
from tierce.solver.advice.estimate_results import (
    BY,
    By,
    CandidateEstimate,
    DealerEstimate,
    Figure,
    marks_of,
    winning_tricks,
)
from tierce.solver.advice.racing import KEEP, START, Stage, narrowed, plain_stages, stages
from tierce.solver.advice.valuing import Span, Valuer
from tierce.solver.advice.worlds import World
from tierce.solver.checks import check_whole, is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.profile import MIZ
from tierce.solver.games.view import View
from tierce.solver.query import DEFAULT_TABLE_MB, table_bytes
from tierce.solver.search import STOP_CANCELLED, STOP_TIME

__all__ = ["DEFAULT_SEED", "WORLDS_MAX", "EstimateSearch", "dealer_estimate"]

WORLDS_MAX: Final = 1_000_000
DEFAULT_SEED: Final = 1
_FEWEST_OF_A_CALL: Final = 3  # candidates in the first stage
_OFFSET: Final = -1.2  # of the measure of a hand, to make a guess at its tricks
_LEAST_MB: Final = 16  # of a thread's table, so that what is given up after so many nodes has room in it
_CHANCE: Final = 4.0  # tricks that a chance of 1 is worth in the race for a chance


@dataclass(frozen=True, slots=True)
class _Job:
    """Candidates (by number) of one call to be valued in one world."""

    world: int
    call: str
    units: tuple[int, ...]


class EstimateSearch:
    """One estimate, from the first world to the last; `result` tells at any time what is known.

    view         the dealer's, at a decision of his before the play
    worlds       so many; seconds: until then. One of the two, but where both are None the worlds come from `source`
    source       worlds to take in place of random ones, such as all of them: `DealerWorlds(view)`
    seed         of the random worlds, 1 where none is given
    candidates   "lowest": those of the lowest cards (candidates.py), which race each other; "all": every choice, and
                 later every discard, none dropped (for small packs)
    by           what is to be high: "mean", "quota" or "twelve"
    calls        those open where the view does not tell; (): all
    chosen       a candidate that is valued to the end, whatever it is worth
    threads      the answer does not depend on them; each takes 16 MiB of table_mb at least, or there are fewer

    InputError (field "worlds", "seconds", "seed", "by", "candidates", or those of `Outlook`) for what cannot be asked.

    Thread safety: `result` and `cancel` from any thread, `run` from one.
    """

    def __init__(
        self,
        view: View,
        *,
        worlds: int | None = None,
        seconds: float | None = None,
        source: Iterable[World] | None = None,
        seed: int = DEFAULT_SEED,
        candidates: Literal["lowest", "all"] = "lowest",
        by: By = "mean",
        calls: Sequence[str] = (),
        chosen: Candidate | None = None,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        _check(worlds, seconds, source, candidates, by)
        self.outlook: Final = Outlook(view, calls)
        self.seed: Final = seed
        self.by: Final = by
        self._draws = Draws(seed)
        self._worlds: list[World] = [] if source is None else list(islice(source, WORLDS_MAX))
        self._wanted = worlds if source is None else len(self._worlds)
        if source is not None and not self._worlds:
            raise InputError("worlds", "expected worlds to value the candidates in, found none", field="worlds")
        self._seconds = seconds
        self._every = candidates == "all"
        if chosen is not None:
            self.outlook.check(chosen)
        quotas, profile = view.quotas, view.profile
        self._entries = [
            Entry(each, self.outlook.worth(each.call), marks_of(profile, each.call, quotas))
            for each in self._starters(chosen)
        ]
        self._left = list(range(len(self._entries)))
        self._chosen = next((at for at, each in enumerate(self._entries) if each.candidate == chosen), None)
        self._threads = max(1, min(threads, table_mb // _LEAST_MB))
        self._table_bytes = table_bytes(table_mb) // self._threads
        self._valuers: list[Valuer] = []
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

    def _starters(self, chosen: Candidate | None) -> list[Candidate]:
        """The candidates of the first stage, the most promising first: some of each call, for a measure of hands is
        poor at comparing them, and MIZ has another."""
        found = self.outlook.candidates(every=self._every)
        if not self._every:
            places = dict.fromkeys(self.outlook.calls, 0)
            kept = []
            for each in found:
                places[each.call] += 1
                others = sum(number for call, number in places.items() if call != MIZ)
                most = KEEP if each.call == MIZ else START if others <= START else _FEWEST_OF_A_CALL
                if places[each.call] <= most:
                    kept.append(each)
            found = kept
        return found if chosen is None or chosen in found else [*found, chosen]

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Callable[[], None] | None = None, every: float = 0.1) -> DealerEstimate:
        """Work until the worlds or the seconds are done. `watch` is called every so many seconds.

        What it raises, and KeyboardInterrupt, stops the work within 50 ms and comes through; `result` has what was
        known then.
        """
        self._began = time.monotonic()
        deadline = None if self._seconds is None else self._began + self._seconds
        self._valuers = [Valuer(self._table_bytes, deadline) for _ in range(self._threads)]
        if self._stop:
            self.cancel()
        plan = plain_stages(self._wanted, len(self._entries)) if self._every else stages(self._wanted)
        try:
            for stage in plan:
                self._do(stage, watch, every)
                if self._stop:
                    break
                self._narrow(stage)
            self._finished = not self._stop
        finally:
            self._millis = (time.monotonic() - self._began) * 1e3
        return self.result

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
        workers = [
            threading.Thread(target=self._work, args=(valuer, jobs, stage), daemon=True) for valuer in self._valuers
        ]
        try:
            for worker in workers:
                worker.start()
            while any(worker.is_alive() for worker in workers):
                next((worker for worker in workers if worker.is_alive()), workers[0]).join(every)
                self._millis = (time.monotonic() - self._began) * 1e3
                if watch is not None:
                    watch()
            if self._error is not None:
                raise self._error
        finally:
            if any(worker.is_alive() for worker in workers):
                self.cancel()
                for worker in workers:
                    worker.join()

    # ---- work --------------------------------------------------------------------------------------------------------

    def _jobs(self, stage: Stage) -> Iterator[_Job]:
        """World by world, a job for each call with something to find out."""
        for world in range(min(stage.worlds, len(self._worlds))):
            units: dict[str, list[int]] = {}
            for unit in self._left:
                if not self._entries[unit].settled(world, stage.cap):
                    units.setdefault(self._entries[unit].candidate.call, []).append(unit)
            for call, each in units.items():
                yield _Job(world, call, tuple(each))

    def _draw(self, count: int) -> None:
        if self._wanted is None or self._wanted > len(self._worlds):
            while len(self._worlds) < count and not self._late:
                self._worlds.append(self.outlook.worlds.draw(self._draws))

    @property
    def _late(self) -> bool:
        late = self._seconds is not None and time.monotonic() >= self._began + self._seconds
        if late:
            self._halt(STOP_TIME)
        return late

    def _work(self, valuer: Valuer, jobs: Iterator[_Job], stage: Stage) -> None:
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

    def _value(self, valuer: Valuer, job: _Job, cap: int) -> list[Span]:
        """The scores of a job's candidates; each is the guess at the next."""
        world, worth = self._worlds[job.world], self._entries[job.units[0]].worth
        found: list[Span] = []
        for unit in job.units:
            entry = self._entries[unit]
            guess = sum(found[-1]) // 2 if found else self._guesses[unit]
            ways = self.outlook.ways(world, entry.candidate, every=self._every)
            found.append(valuer.value(job.call, worth, ways, entry.known(job.world), guess, entry.limit(cap)))
        return found

    def _guess(self, unit: int) -> int:
        """A score the candidate may have, from what was known when the stage began."""
        entry = self._entries[unit]
        spans = entry.run()
        if spans:
            return round(sum(map(sum, spans)) / 2 / len(spans))
        low, high = entry.worth.range()
        rough = -2.0 if entry.worth.kind == "cap" else self.outlook.promise(entry.candidate) + _OFFSET
        return min(high, max(low, round(rough)))

    # ---- the race ----------------------------------------------------------------------------------------------------

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

    def _score(self, entry: Entry, world: int) -> float:
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

    @property
    def result(self) -> DealerEstimate:
        """What is known now."""
        with self._lock:
            told = [(unit, entry.told()) for unit, entry in enumerate(self._entries) if 0 in entry.spans]
            left = set(self._left)
            told.sort(key=lambda each: (each[0] not in left, -each[1].stage, *self._order(each[1]), each[0]))
            best, second, *_ = *(unit for unit, _ in told), None, None
            margin, loss = self._lead(best, second), self._lead(best, self._chosen)
        quotas = self.outlook.view.quotas
        narrow = len(left) < len(self._entries) or len(self._entries) <= KEEP or self._every
        return DealerEstimate(
            candidates=tuple(each for _, each in told),
            kept=sum(unit in left for unit, _ in told),
            seed=self.seed,
            fit=self.outlook.worlds.count,
            worlds=told[0][1].worlds if told else 0,
            by=self.by,
            margin=margin,
            chosen=next((each for unit, each in told if unit == self._chosen), None),
            loss=loss,
            win=winning_tricks(self.outlook.view.profile, quotas[0]),
            complete=bool(told) and (self._finished or (self._stop == STOP_TIME and narrow)),
            nodes=sum(valuer.nodes for valuer in self._valuers),
            millis=self._millis,
            stop=self._stop,
        )

    def _lead(self, best: int | None, other: int | None) -> Figure | None:
        """How far one is ahead of the other, where there are both and a world that they have met."""
        if best is None or other is None or 0 not in self._entries[other].spans:
            return None
        return lead(self._entries[best], self._entries[other], self.by)

    def _order(self, told: CandidateEstimate) -> tuple[float, float]:
        chance = {"mean": None, "quota": told.quota, "twelve": told.twelve}[self.by]
        return (-chance.value if chance else 0.0), -told.balance


def dealer_estimate(
    view: View,
    *,
    worlds: int | None = None,
    seconds: float | None = None,
    source: Iterable[World] | None = None,
    seed: int = DEFAULT_SEED,
    candidates: Literal["lowest", "all"] = "lowest",
    by: By = "mean",
    calls: Sequence[str] = (),
    chosen: Candidate | None = None,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> DealerEstimate:
    """The dealer's best calls and discards as far as he can know, estimated. Arguments and errors: `EstimateSearch`."""
    return EstimateSearch(
        view,
        worlds=worlds,
        seconds=seconds,
        source=source,
        seed=seed,
        candidates=candidates,
        by=by,
        calls=calls,
        chosen=chosen,
        threads=threads,
        table_mb=table_mb,
    ).run()


def _check(worlds: int | None, seconds: float | None, source: Iterable[World] | None, candidates: str, by: str) -> None:
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
