"""The dealer's decision when only his own cards are seen: candidates valued in random worlds that fit what he knows.

The worlds are uniform and seeded, and all candidates meet the same ones in a race (race.py), so that the same seed and
number of worlds give the same answer, whatever the threads. A pair of a world and a call is one job. Values are exact
in the end, but those in MIZ that take too many nodes: they stay between proved ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.entries import Entry
from tierce.solver.advice.estimate_results import By, DealerEstimate, marks_of, winning_tricks
from tierce.solver.advice.race import DEFAULT_SEED, WORLDS_MAX, Job, Race
from tierce.solver.advice.racing import KEEP, START
from tierce.solver.advice.valuing import Span, Valuer
from tierce.solver.advice.worlds import World
from tierce.solver.games.profile import MIZ
from tierce.solver.games.view import View
from tierce.solver.query import DEFAULT_TABLE_MB

__all__ = ["DEFAULT_SEED", "WORLDS_MAX", "EstimateSearch", "dealer_estimate"]

_FEWEST_OF_A_CALL: Final = 3  # candidates in the first stage
_OFFSET: Final = -1.2  # of the measure of a hand, to make a guess at its tricks


class EstimateSearch(Race[Entry, World, Valuer]):
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
        super().__init__(
            worlds=worlds,
            seconds=seconds,
            source=source,
            candidates=candidates,
            by=by,
            threads=threads,
            table_mb=table_mb,
        )
        self.outlook: Final = Outlook(view, calls)
        self.seed: Final = seed
        self._draws = Draws(seed)
        if chosen is not None:
            self.outlook.check(chosen)
        quotas, profile = view.quotas, view.profile
        self._enter(
            (
                Entry(each, self.outlook.worth(each.call), marks_of(profile, each.call, quotas))
                for each in self._starters(chosen)
            ),
            chosen,
        )

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
        self._run(watch, every)
        return self.result

    # ---- work --------------------------------------------------------------------------------------------------------

    def _drawn(self) -> World:
        return self.outlook.worlds.draw(self._draws)

    def _valuer(self, deadline: float | None) -> Valuer:
        return Valuer(self._table_bytes, deadline)

    def _grouped(self, units: Sequence[int]) -> Iterable[Sequence[int]]:
        """A job for each call."""
        found: dict[str, list[int]] = {}
        for unit in units:
            found.setdefault(self._entries[unit].candidate.call, []).append(unit)
        return found.values()

    def _value(self, valuer: Valuer, job: Job, cap: int) -> list[Span]:
        """The scores of a job's candidates; each is the guess at the next."""
        world, worth = self._worlds[job.world], self._entries[job.units[0]].worth
        found: list[Span] = []
        for unit in job.units:
            entry = self._entries[unit]
            guess = sum(found[-1]) // 2 if found else self._guesses[unit]
            ways = self.outlook.ways(world, entry.candidate, every=self._every)
            found.append(
                valuer.value(entry.candidate.call, worth, ways, entry.known(job.world), guess, entry.limit(cap))
            )
        return found

    def _guess(self, unit: int) -> int:
        """A score the candidate may have, from what was known when the stage began."""
        entry = self._entries[unit]
        known = entry.middle()
        if known is not None:
            return known
        low, high = entry.worth.range()
        rough = -2.0 if entry.worth.kind == "cap" else self.outlook.promise(entry.candidate) + _OFFSET
        return min(high, max(low, round(rough)))

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def result(self) -> DealerEstimate:
        """What is known now."""
        with self._lock:
            told = [(unit, entry.told()) for unit, entry in enumerate(self._entries) if 0 in entry.spans]
            left = set(self._left)
            told = self._ranked(told)
            best, second, *_ = *(unit for unit, _ in told), None, None
            margin, loss = self._lead(best, second), self._lead(best, self._chosen)
        quotas = self.outlook.view.quotas
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
            complete=self._complete(told),
            nodes=sum(valuer.nodes for valuer in self._valuers),
            millis=self._millis,
            stop=self._stop,
        )


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
