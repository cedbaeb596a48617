"""The exchange when only the sender's cards are seen: parcels valued in random worlds that fit what he knows.

All candidates meet the same worlds in a race (race.py), so that the same seed and number of worlds give the same
answer, whatever the threads. In a world the parcels are sent, what comes back is forced, later senders and the dealer
choose (sender_choices.py), and the value is the sender's exact floor at the first card.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

from tierce.solver.advice.choices import choices_of_state
from tierce.solver.advice.dealer import DealerSearch
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate_results import By
from tierce.solver.advice.exchange_estimate_results import (
    REPLIES,
    ExchangeEstimate,
    ParcelsEntry,
    ParcelsEstimate,
    Reply,
)
from tierce.solver.advice.quick import reply_quickly
from tierce.solver.advice.race import DEFAULT_SEED, Job, Race
from tierce.solver.advice.racing import START
from tierce.solver.advice.sender_choices import Parcels, SenderOutlook, played
from tierce.solver.advice.sender_worlds import SenderWorld
from tierce.solver.advice.valuing import Span, Valuer
from tierce.solver.checks import quoted
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Swap
from tierce.solver.games.phases import two_holder
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.query import DEFAULT_TABLE_MB
from tierce.solver.search import STOP_TIME

__all__ = ["ExchangeEstimateSearch", "exchange_estimate"]

_LOOKS: Final = 8  # worlds in which the candidates are looked at before the first stage
_JOB: Final = {"quick": 4, "exact": 1}  # candidates of a job, by the dealer's reply
_LOOK_UP: Final = 0.01  # seconds between two looks at the clock while the dealer's choice is searched
_DEALER_MB: Final = 32  # of the dealer's own search, always: of equally good choices the first found counts


class Player(Valuer):
    """The engine of one thread, with the dealer's reply."""

    def __init__(self, table_bytes: int, deadline: float | None, reply: Reply) -> None:
        super().__init__(table_bytes, deadline)
        self._exact = reply == "exact"
        self._search: DealerSearch | None = None
        self._longest = 0.0  # seconds that it took to lay out a decision of the dealer's: nothing can stop that

    def cancel(self) -> None:
        """Stop what runs and all that would come, from any thread."""
        super().cancel()
        search = self._search
        if search is not None:
            search.cancel()

    def first_lead(self, state: State) -> State | None:
        """The state at the first lead, from the one after the exchange; None once the work is stopped."""
        if not self._exact:
            return reply_quickly(state)
        if self._late(self._longest):
            return None
        state = _others_swap(settle(state))
        began = time.monotonic()
        self._search = search = DealerSearch(choices_of_state(state), find="one", table_mb=_DEALER_MB)
        self._longest = max(self._longest, time.monotonic() - began)
        if self.stop:  # before there was a search to cancel
            search.cancel()
        advice = search.run(lambda: search.cancel() if self._late(0.0) else None, _LOOK_UP)
        self.stop = self.stop or advice.stop
        return None if self.stop else played(state, advice.best.call, advice.best.choices[0])

    def _late(self, needed: float) -> bool:
        """Is there no time for what needs so many seconds?"""
        if self._deadline is None or time.monotonic() + needed < self._deadline:
            return False
        self.stop = self.stop or STOP_TIME
        return True


class ExchangeEstimateSearch(Race[ParcelsEntry, SenderWorld, Player]):
    """One estimate, from the first world to the last; `result` tells at any time what is known.

    view         of the sender whose parcel is due: `view(state, seat)`, or from `sender_view`
    worlds       so many; seconds: until then. One of the two, but where both are None the worlds come from `source`
    source       worlds to take in place of random ones, such as all of them: `SenderWorlds(view)`
    seed         of the random worlds, 1 where none is given
    reply        how the dealer chooses: "quick", or "exact" with all cards seen
    candidates   "lowest": those of the lowest cards (sender_choices.py), of which the most promising race each other;
                 "all": every choice of parcels, none dropped (for small packs)
    by           what is to be high: "mean", "quota" or "twelve"
    chosen       parcels that are valued to the end, whatever they are worth: a mask for each that is chosen now
    threads      the answer does not depend on them; each takes 16 MiB of table_mb at least, or there are fewer

    InputError (field "worlds", "seconds", "seed", "by", "reply", "candidates", "chosen" or "view") for what cannot be
    asked.

    Thread safety: `result` and `cancel` from any thread, `run` from one.
    """

    def __init__(
        self,
        view: View,
        *,
        worlds: int | None = None,
        seconds: float | None = None,
        source: Iterable[SenderWorld] | None = None,
        seed: int = DEFAULT_SEED,
        reply: Reply = "quick",
        candidates: Literal["lowest", "all"] = "lowest",
        by: By = "mean",
        chosen: Sequence[int] | None = None,
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
        if reply not in REPLIES:
            raise InputError("reply", f"expected 'quick' or 'exact', found {quoted(reply)}", field="reply")
        self.outlook: Final = SenderOutlook(view)
        self.reply: Final = reply
        self.seed: Final = seed
        self._draws = Draws(seed)
        if chosen is not None:
            self.outlook.check(chosen)
        self._asked: Parcels | None = None if chosen is None else tuple(chosen)
        self._candidates = self.outlook.candidates(every=self._every)
        self._worth = self.outlook.worth

    def run(self, watch: Callable[[], None] | None = None, every: float = 0.1) -> ExchangeEstimate:
        """Work until the worlds or the seconds are done. `watch` is called every so many seconds.

        What it raises, and KeyboardInterrupt, stops the work within 50 ms and comes through; `result` has what was
        known then.
        """
        self._run(watch, every)
        return self.result

    # ---- work --------------------------------------------------------------------------------------------------------

    def _drawn(self) -> SenderWorld:
        return self.outlook.worlds.draw(self._draws)

    def _valuer(self, deadline: float | None) -> Player:
        return Player(self._table_bytes, deadline, self.reply)

    def _prepare(self) -> None:
        """The candidates of the first stage, the most promising first; in the order found if time ends before."""
        found = self._candidates
        if not self._every:
            self._draw(_LOOKS)
            promises = []
            for promise in self.outlook.promising(found, self._worlds[:_LOOKS]) if self._worlds else ():
                promises.append(promise)
                if self._stop or self._late:
                    break
            order = sorted(range(len(promises)), key=lambda each: (-promises[each], each))
            found = [found[each] for each in order[:START]]
        if self._asked is not None and self._asked not in found:
            found = [*found, self._asked]
        marks = self.outlook.marks
        with self._lock:
            self._enter((ParcelsEntry(each, self._worth, marks) for each in found), self._asked)

    def _grouped(self, units: Sequence[int]) -> Iterable[Sequence[int]]:
        size = _JOB[self.reply]
        return (units[at : at + size] for at in range(0, len(units), size))

    def _value(self, valuer: Player, job: Job, cap: int) -> list[Span]:
        """The scores of a job's candidates; each is the guess at the next. Different parcels may come to the same
        cards: that is valued once."""
        world = self._worlds[job.world]
        found: list[Span] = []
        valued: dict[tuple[object, ...], Span] = {}
        for unit in job.units:
            entry = self._entries[unit]
            lead = valuer.first_lead(self.outlook.after(world, entry.candidate))
            if lead is None or valuer.stop:
                break
            span = entry.known(job.world)
            key = lead.call, lead.hands, span
            if key not in valued:
                guess = sum(found[-1]) // 2 if found else self._guesses[unit]
                valued[key] = valuer.value(lead.call, self._worth, ((lead.hands,),), span, guess, entry.limit(cap))
            found.append(valued[key])
        return found

    def _guess(self, unit: int) -> int:
        """A score the candidate may have: what it had so far, or what the sender owes."""
        known = self._entries[unit].middle()
        return self.outlook.view.quotas[self.outlook.view.seat] if known is None else known

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def result(self) -> ExchangeEstimate:
        """What is known now."""
        outlook = self.outlook
        with self._lock:
            met = [(unit, each.told(outlook.now)) for unit, each in enumerate(self._entries) if 0 in each.spans]
            told: list[tuple[int, ParcelsEstimate]] = self._ranked(met)
            left = set(self._left)
            best, second, *_ = *(unit for unit, _ in told), None, None
            margin, loss = self._lead(best, second), self._lead(best, self._chosen)
        return ExchangeEstimate(
            sender=outlook.view.seat,
            quota=outlook.view.quotas[outlook.view.seat],
            owed=(*outlook.now, *outlook.later),
            reply=self.reply,
            parcels=tuple(each for _, each in told),
            kept=sum(unit in left for unit, _ in told),
            of=len(self._candidates),
            ways=outlook.ways,
            seed=self.seed,
            fit=outlook.worlds.count,
            worlds=told[0][1].worlds if told else 0,
            by=self.by,
            margin=margin,
            chosen=next((each for unit, each in told if unit == self._chosen), None),
            loss=loss,
            win=outlook.win,
            complete=self._complete(told),
            nodes=sum(valuer.nodes for valuer in self._valuers),
            millis=self._millis,
            stop=self._stop,
        )


def exchange_estimate(
    view: View,
    *,
    worlds: int | None = None,
    seconds: float | None = None,
    source: Iterable[SenderWorld] | None = None,
    seed: int = DEFAULT_SEED,
    reply: Reply = "quick",
    candidates: Literal["lowest", "all"] = "lowest",
    by: By = "mean",
    chosen: Sequence[int] | None = None,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> ExchangeEstimate:
    """The best parcels as far as their sender can know, estimated. Arguments and errors: `ExchangeEstimateSearch`."""
    return ExchangeEstimateSearch(
        view,
        worlds=worlds,
        seconds=seconds,
        source=source,
        seed=seed,
        reply=reply,
        candidates=candidates,
        by=by,
        chosen=chosen,
        threads=threads,
        table_mb=table_mb,
    ).run()


def _others_swap(state: State) -> State:
    """An up-card that another hand may take before the dealer chooses is taken."""
    if state.phase != "SWAP" or two_holder(state) == 0:
        return state
    return settle(apply(state, Swap(two_holder(state), True)))
