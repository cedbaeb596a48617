"""The dealer's decision with all hands known: exact, by the questions "does this choice reach so much?".

For each call one zero-window question a choice settles that nothing beats the best value, a second one which choices
reach it. All questions about one call go to one engine and its table: entries speak of relative cards, so one proof
answers for most discards of the same suit lengths. Calls, and within a call groups of equal suit lengths, are shared
out to threads; what is reported (values, and sets of choices) does not depend on who asked what when.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from tierce.solver.advice.choices import Choice, DealerChoices
from tierce.solver.advice.crews import Crew, work_together
from tierce.solver.advice.dealer_results import Chosen, DealerAdvice
from tierce.solver.advice.deciding import CallSearch, Find, Turns
from tierce.solver.advice.values import TRICKS_MAX, Kind, meant, worth_of
from tierce.solver.checks import as_tuple, check_whole, is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Limits, table_bytes

__all__ = ["DealerSearch", "dealer_advice"]

THREADS_MAX: Final = 16


class DealerSearch:
    """One decision, from the first question to the last; `advice` tells at any time what is known.

    choices    what is open (choices_of_deal, choices_of_state)
    value      floor, share, ceiling, pair:DE or pair:DM
    find       "one": the best value of every call and one choice that reaches it; "best": all choices that reach it;
               "every": the exact value of every choice (see `values`)
    target     instead of the best: which choices reach so many tricks
    chosen     a call and choice to be valued, too
    limits     only the timeout counts; it begins with `run`
    threads    from 1 to 16; the table's memory is shared out to them

    Thread safety: `advice` and `cancel` from any thread, `run` from one.
    """

    def __init__(
        self,
        choices: DealerChoices,
        value: Kind = "floor",
        *,
        find: Find = "best",
        target: float | None = None,
        chosen: tuple[str, Choice] | None = None,
        limits: Limits = NO_LIMITS,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        if find not in ("one", "best", "every"):
            raise InputError("find", f"expected 'one', 'best' or 'every', found {quoted(find)}", field="find")
        if target is not None and not (is_number(target) and -TRICKS_MAX <= target <= TRICKS_MAX):
            raise InputError("target", f"expected a number of tricks, found {quoted(target)}", field="target")
        check_whole(threads, 1, THREADS_MAX, f"threads from 1 to {THREADS_MAX}", "threads")
        calls = meant(value, choices.calls)
        if not calls:
            raise InputError(
                "value", f"expected the value floor where only MIZ is open, found {value!r}", field="value"
            )
        self.choices = choices
        self.kind = value
        self.target = target
        self.find = find
        extra = 1 if choices.profile.kitty_trick else 0
        self.calls = tuple(
            CallSearch(choices, call, worth_of(value, call, choices.tricks, extra), find, target) for call in calls
        )
        self._chosen = self._chosen_unit(chosen)
        self._timeout = limits.timeout
        self._threads = threads
        self._table_bytes = table_bytes(table_mb) // self._threads
        self._crews: list[Crew] = []
        self._cancelled = False
        self._began = 0.0
        self._millis = 0.0

    def _chosen_unit(self, chosen: tuple[str, Choice] | None) -> tuple[CallSearch, int] | None:
        if chosen is None:
            return None
        made = as_tuple(chosen)
        if made is None or len(made) != 2:
            message = f"expected a call and a Choice, found {quoted(chosen)}"
            raise InputError("choice", message, field="chosen")
        name, choice = chosen
        self.choices.check(name, choice)
        for call in self.calls:
            if call.name == name:
                return call, call.choices.index(choice)
        raise InputError("choice", f"expected a choice that has the value {self.kind}, found MIZ", field="chosen")

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Callable[[], None] | None = None, every: float = 0.1) -> DealerAdvice:
        """Search to the end, or to the limit. `watch` is called every so many seconds.

        What it raises, and KeyboardInterrupt, stops the search within 50 ms and comes through; `advice` has what was
        known then.
        """
        self._began = time.monotonic()
        deadline = None if self._timeout is None else self._began + self._timeout
        turns = Turns(self.calls, self.find)
        count = min(self._threads, len(self.calls)) if self.find == "one" else self._threads
        self._crews = [Crew(self._table_bytes, deadline) for _ in range(count)]
        if self._cancelled:
            self.cancel()

        def told() -> None:
            self._millis = (time.monotonic() - self._began) * 1e3
            if watch is not None:
                watch()

        try:
            work_together([partial(self._work, crew, turns) for crew in self._crews], self.cancel, told, every)
        finally:
            self._millis = (time.monotonic() - self._began) * 1e3
        if turns.error is not None:
            raise turns.error
        return self.advice

    def cancel(self) -> None:
        """Stop the search within 50 ms, from any thread; one that has not begun will not search."""
        self._cancelled = True
        for crew in self._crews:
            crew.cancel()

    def _work(self, crew: Crew, turns: Turns) -> None:
        try:
            while not crew.stop and (turn := turns.take(crew)) is not None:
                turn()
            if self._chosen is not None and crew is self._crews[0] and not crew.stop:
                call, unit = self._chosen
                crew.turn_to(call)
                call.exact(crew, unit)
        except BaseException as error:  # told in `run`, where the caller is
            turns.error = error
            self.cancel()

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def done(self) -> float:
        """The share of the work that is done, from 0 to 1; choices count alike, whatever they cost."""
        return sum(call.done for call in self.calls) / len(self.calls)

    @property
    def advice(self) -> DealerAdvice:
        """What is known now."""
        chosen = None
        if self._chosen is not None:
            call, unit = self._chosen
            choice = call.choices[unit]
            chosen = Chosen(call.name, choice, call.worth, call.low[unit], call.high[unit])
        return DealerAdvice(
            self.choices,
            self.kind,
            tuple(call.advice() for call in self.calls),
            self.target,
            chosen,
            sum(crew.nodes for crew in self._crews),
            self._millis,
            max((crew.stop for crew in self._crews), default=0),
        )

    def values(self) -> list[tuple[str, Choice, float]]:
        """Call, choice and value in tricks, of every choice whose value is known: all after `find="every"`."""
        return [
            (call.name, choice, call.worth.told(low))
            for call in self.calls
            for choice, low, high in zip(call.choices, call.low, call.high, strict=True)
            if low == high
        ]


def dealer_advice(
    choices: DealerChoices,
    value: Kind = "floor",
    *,
    find: Find = "best",
    target: float | None = None,
    chosen: tuple[str, Choice] | None = None,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> DealerAdvice:
    """The dealer's best calls and discards, all hands known. Arguments and errors: `DealerSearch`.

    At a limit the advice has bounds (`complete` is False).
    """
    search = DealerSearch(
        choices, value, find=find, target=target, chosen=chosen, limits=limits, threads=threads, table_mb=table_mb
    )
    return search.run()
