"""Choices decided by questions to the engine: does this one reach so much?

    CallSearch  one call: what is proved of each choice, and what to ask next
    Turns       who works on what

A choice is known by its place in `CallSearch.choices`. Its score lies between `low` and `high`, which only ever close;
what several threads prove of different choices may be written without a lock.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from tierce.solver.advice.choices import DealerChoices, trump_of
from tierce.solver.advice.crews import CHUNK, Crew
from tierce.solver.advice.dealer_results import CallAdvice, cheapest_first
from tierce.solver.advice.lays import decided, open_spans
from tierce.solver.advice.ranking import by_promise, by_shape
from tierce.solver.advice.requests import Hands, head_of
from tierce.solver.advice.values import Worth

__all__ = ["CallSearch", "Find", "Turns"]

Find: TypeAlias = Literal["one", "best", "every"]


class CallSearch:
    """What is known of each choice after one call.

    choices    the dealer's; low, high: bounds of their scores
    best       the best score known; seeking: may it still rise? rising: it is sought from the best hope downwards
    heads      trump, leader and sides of a request to the engine, for each term of the worth
    """

    def __init__(self, choices: DealerChoices, name: str, worth: Worth, find: Find, target: float | None) -> None:
        self.name = name
        self.worth = worth
        self.choices = choices.choices
        self.find = find
        self.need = None if target is None else worth.score(target)
        self.heads = [head_of(name, term) for term in worth.terms]
        per_choice = len(choices.lays) // len(self.choices)
        self._hands: list[list[Hands]] = [
            [lay.hands for lay in choices.lays[at : at + per_choice]] for at in range(0, len(choices.lays), per_choice)
        ]
        self._plain = per_choice == 1 and len(worth.terms) == 1
        self._factor = worth.terms[0].factor
        low, high = worth.range()
        self.low = [low] * len(self.choices)
        self.high = [high] * len(self.choices)
        self._terms: dict[tuple[int, int], list[list[int]]] = {}
        few = worth.kind == "cap"
        firsts = [choices.lays[at * per_choice] for at in range(len(self.choices))]
        self._order = by_promise(firsts, trump_of(name), few=few)
        self._groups = by_shape(self._order, firsts)
        self.rising = few and self.need is None  # "at most K", K rising from 0: low values are cheap to refute
        self.seeking = not self.rising and self.need is None
        self._valuing = False
        self.best = self.need if self.need is not None else high if self.rising else low
        self.first = self._order[0]
        self._lock = threading.Lock()
        self.waiting: deque[list[int]] = deque()
        self._turns = len(self._groups)
        self._turns_done = 0
        self._finished = False

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def done(self) -> float:
        """The share of the present round that is done; 1 after the last."""
        if self._finished:
            return 1.0
        return self._turns_done / max(1, self._turns)

    def advice(self) -> CallAdvice:
        """The best as far as it is known."""
        lows, highs = list(self.low), list(self.high)
        low, high = max(lows), max(highs)
        reached = low if self.need is None else self.need
        decided = all(not at_least < reached <= at_most for at_least, at_most in zip(lows, highs, strict=True))
        counted = decided and (self.need is not None or low == high)
        found = [choice for choice, at_least in zip(self.choices, lows, strict=True) if at_least >= reached]
        if self.find == "one" and self.need is None:
            found = [self.choices[self.first]] if lows[self.first] == low else found[:1]
        if reached == self.worth.range()[0] and not counted and low < high:
            found = []  # nothing is proved: every choice is worth that much
        return CallAdvice(self.name, self.worth, low, high, cheapest_first(found), counted)

    # ---- what to do --------------------------------------------------------------------------------------------------

    def start(self, crew: Crew) -> None:
        """The first turn: a good value to begin with."""
        crew.turn_to(self)
        if self.seeking:
            self.best = self.low[self.first]
            self.exact(crew, self.first)
            self._raise_to(self.first)
            for group in self._groups:
                if crew.stop:
                    return
                self._climb(crew, group[:1])
        self._open(self._groups)

    def _open(self, groups: Sequence[list[int]]) -> None:
        self.waiting.extend(groups)
        self._turns = len(groups)
        self._turns_done = 0

    def work(self, crew: Crew, group: list[int]) -> None:
        """A turn: one group."""
        if self.seeking:
            crew.turn_to(self)
            self._climb(crew, group)
        elif self._valuing:
            crew.turn_to(self, fresh=True)
            self._value(crew, group)
        else:
            crew.turn_to(self, fresh=True)
            self.decide(crew, group, self.best)
        with self._lock:
            self._turns_done += 1

    def again(self) -> bool:
        """After all groups: is there another round of them?"""
        if self.seeking:
            self.seeking = False
            if self.find == "one":
                self._finished = True
                return False
        elif self.rising and max(self.low) < self.best and self.best > self.worth.range()[0]:
            self.best -= 1
        elif self.find == "every" and not self._valuing:
            self._valuing = True
        else:
            self._finished = True
            return False
        open_ = ([unit for unit in group if self._undecided(unit)] for group in self._groups)
        self._open([sorted(group, key=self._kept_low, reverse=True) for group in open_ if group])
        return bool(self.waiting) or self.again()

    def _undecided(self, unit: int) -> bool:
        if self._valuing:
            return self.low[unit] < self.high[unit]
        return self.low[unit] < self.best <= self.high[unit]

    def _kept_low(self, unit: int) -> int:
        return self.choices[unit].discard

    def _value(self, crew: Crew, units: Sequence[int]) -> None:
        """The score of each; what one is worth is the first guess at the next."""
        guess = self.best
        for unit in units:
            if crew.stop:
                return
            self.exact(crew, unit, guess)
            guess = self.low[unit]

    def _raise_to(self, unit: int) -> None:
        with self._lock:
            if self.low[unit] > self.best or self.low[self.first] < self.best:
                self.best = max(self.best, self.low[unit])
                self.first = unit

    def _climb(self, crew: Crew, units: Sequence[int]) -> None:
        """Settle that none of these beats the best; what does becomes the best.

        Other threads raise the best, too, while these are asked about: a choice that reaches what was best before is
        then asked about again, for nobody has asked yet if it beats what is best now.
        """
        at, step = 0, 1
        while at < len(units) and not crew.stop:
            part, need = units[at : at + step], self.best + 1
            self.decide(crew, part, need)
            better = next((unit for unit in part if self.low[unit] > self.best), None)
            if better is not None:
                self.exact(crew, better)
                self._raise_to(better)
                step = 1
            elif self.best < need:
                at += len(part)
                step = min(2 * step, CHUNK)

    # ---- questions ---------------------------------------------------------------------------------------------------

    def decide(self, crew: Crew, units: Sequence[int], need: int) -> None:
        """Of each of these: is its score at least `need`?"""
        open_ = [unit for unit in units if self.low[unit] < need <= self.high[unit]]
        if not self._plain:
            for unit in open_:
                self._decide_lays(crew, unit, need)
            return
        tricks = self._tricks_for(need)
        for at in range(0, len(open_), CHUNK):
            part = open_[at : at + CHUNK]
            answers = crew.ask(0, [self._hands[unit][0] for unit in part], tricks - 1, tricks)
            for unit, (low, _) in zip(part, answers, strict=False):
                reached = (low >= tricks) == (self._factor > 0)
                if reached:
                    self.low[unit] = need
                else:
                    self.high[unit] = need - 1
            if crew.stop:
                return

    def _tricks_for(self, need: int) -> int:
        """The tricks of the one term at which its score gets to `need` or, where few are wanted, falls below it."""
        if self._factor > 0:
            return need - self.worth.base
        return self.worth.base - need + 1

    def exact(self, crew: Crew, unit: int, guess: int | None = None) -> None:
        """The score of one choice."""
        if self._plain and not crew.stop and self.low[unit] < self.high[unit]:
            ends = [(score - self.worth.base) * self._factor for score in (self.low[unit], self.high[unit])]
            aim = -1 if guess is None else min(max(ends), max((guess - self.worth.base) * self._factor, min(ends)))
            for low, high in crew.ask(0, self._hands[unit], min(ends), max(ends), aim):
                scores = self.worth.base + self._factor * low, self.worth.base + self._factor * high
                self.low[unit], self.high[unit] = min(scores), max(scores)
            return
        while self.low[unit] < self.high[unit] and not crew.stop:
            self._decide_lays(crew, unit, self.high[unit])

    # Scores of several terms or lays: a lay by its terms, a choice by the worst of its lays.

    def _decide_lays(self, crew: Crew, unit: int, need: int) -> None:
        bounds = []
        for lay in range(len(self._hands[unit])):
            bounds.append(self._decide_lay(crew, unit, lay, need))
            if crew.stop:
                return
            if bounds[-1][1] < need:
                break
        if bounds[-1][1] < need:
            self.high[unit] = min(self.high[unit], bounds[-1][1])
        else:
            self.low[unit] = max(self.low[unit], min(low for low, _ in bounds))

    def _decide_lay(self, crew: Crew, unit: int, lay: int, need: int) -> tuple[int, int]:
        """Close the bounds of a lay's score until it reaches `need` or cannot."""
        spans = self._terms.setdefault((unit, lay), open_spans(self.worth))

        def ask(term: int, low: int, high: int) -> tuple[int, int] | None:
            return next(iter(crew.ask(term, [self._hands[unit][lay]], low, high)), None)

        return decided(self.worth, spans, need, ask)


class Turns:
    """Who works on what. First the best value of every call: a thread stays with its call, for the sake of its table,
    then begins another, and at last helps with what others have begun. Then what reaches it, the best call first. MIZ,
    which may take minutes, comes last.

    Where only one choice is wanted a call is one thread's alone: which choice is found must not depend on the others.
    """

    def __init__(self, calls: Sequence[CallSearch], find: Find) -> None:
        self.error: BaseException | None = None
        self._alone = find == "one"
        self._new = list(calls)
        self._begun: list[CallSearch] = []
        self._owner: dict[CallSearch, Crew] = {}
        self._busy: dict[CallSearch, int] = {}
        self._change = threading.Condition()

    def take(self, crew: Crew) -> Callable[[], None] | None:
        """The next turn of a thread; None when all is done or under way, or the thread has to stop."""
        with self._change:
            while not crew.stop:
                turn = self._choose(crew)
                if turn is not None:
                    return turn
                if not any(self._busy.values()):
                    return None
                self._change.wait(0.05)
        return None

    def _choose(self, crew: Crew) -> Callable[[], None] | None:
        free = [call for call in self._begun if call.waiting and (not self._alone or self._owner[call] is crew)]
        open_ = [*free, *self._new]
        if not open_:
            return None
        call = min(open_, key=lambda each: self._place(crew, each))
        return self._group(crew, call) if call.waiting else self._start(crew, call)

    def _place(self, crew: Crew, call: CallSearch) -> tuple[float, ...]:
        """Where a call stands in the queue of a thread."""
        if call.rising or not call.seeking:
            return 1 + call.rising, -call.best
        return 0, 0 if call is crew.call else 1 if call in self._new else 2, -len(call.waiting)

    def _start(self, crew: Crew, call: CallSearch) -> Callable[[], None]:
        self._new.remove(call)
        self._begun.append(call)
        self._owner[call] = crew
        return self._turn(call, lambda: call.start(crew))

    def _group(self, crew: Crew, call: CallSearch) -> Callable[[], None]:
        group = call.waiting.popleft()
        return self._turn(call, lambda: call.work(crew, group))

    def _turn(self, call: CallSearch, work: Callable[[], None]) -> Callable[[], None]:
        self._busy[call] = self._busy.get(call, 0) + 1

        def turn() -> None:
            try:
                work()
            finally:
                with self._change:
                    self._busy[call] -= 1
                    if not self._busy[call] and not call.waiting and self.error is None:
                        call.again()
                    self._change.notify_all()

        return turn
