"""What a candidate is worth in one world: questions to the engine, each of which may be given up after so many nodes.

A value is known as the ends it lies between: both in scores (see `Worth`), equal when it is settled. The table is
emptied before each value: discards with other numbers of cards of a suit share next to nothing of it, small tables are
fast ones, and what a question that is given up has proved must not depend on what was asked before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from tierce.solver.advice.candidates import Ways
from tierce.solver.advice.requests import Hands, head_of, nanoseconds_left, packed
from tierce.solver.advice.values import Worth
from tierce.solver.search import RESULT, STOP_CANCELLED, STOP_NODES, Engine

__all__ = ["Span", "Valuer"]

Span: TypeAlias = tuple[int, int]  # at least, at most

_STEPS: Final = (1, 2, 3, 5)  # from a question that was given up to those asked beside it


class Valuer:
    """The engine of one thread.

    nodes   starts of tricks searched; stop: 0, or why the work ended early (STOP_TIME, STOP_CANCELLED)
    """

    def __init__(self, table_bytes: int, deadline: float | None) -> None:
        """`deadline` on the monotonic clock."""
        self.nodes = 0
        self.stop = 0
        self._deadline = deadline
        self._engine: Final = Engine(table_bytes)

    def cancel(self) -> None:
        """Stop what runs and all that would come, from any thread."""
        self.stop = self.stop or STOP_CANCELLED
        self._engine.cancel()

    def value(self, call: str, worth: Worth, ways: Ways, span: Span, guess: int | None, cap: int) -> Span:
        """Close the ends of a candidate's score; without effect once the work is stopped.

        span    what is known of it
        guess   a score it may be worth
        cap     most nodes a question, 0: no limit
        """
        self._engine.clear()
        question = _Question(call, worth, cap)
        low, most = span[0], span[0]
        for way in ways:
            if self.stop or low >= span[1]:
                break
            found = self._worst(question, way, (low, span[1]), guess)
            low, most = max(low, found[0]), max(most, found[1])
            guess = low
        return span if self.stop else (low, max(low, most))

    def _worst(self, question: _Question, lays: Sequence[Hands], span: Span, guess: int | None) -> Span:
        """The score of the worst of some lays, within a span: its lower end stands for all below."""
        least, high = span[1], span[1]
        for hands in lays:
            if self.stop or high <= span[0]:
                break
            found = self._lay(question, hands, (span[0], high), guess)
            least, high = min(least, found[0]), min(high, found[1])
            guess = high
        return min(least, high), high

    def _lay(self, question: _Question, hands: Hands, span: Span, guess: int | None) -> Span:
        """The score of one lay within a span; no better than it was where all questions are given up."""
        low, high = span
        if not question.cap:
            return self._ask(question, hands, low, high, guess)
        k = (low + high + 1) // 2 if guess is None else guess
        while low < high and not self.stop:
            k = min(high, max(k, low + 1))
            answer = self._reaches(question, hands, k)
            if answer is None:
                return self._around(question, hands, (low, high), k)
            low, high = (k, high) if answer else (low, k - 1)
            k += 1 if answer else -1
        return low, high

    def _around(self, question: _Question, hands: Hands, span: Span, k: int) -> Span:
        """Ends on both sides of a question that was given up: questions farther and farther from it are cheaper."""
        low, high = span
        for way in (-1, 1):
            at = k
            for step in _STEPS:
                at += way * step
                if not low < at <= high:
                    break
                answer = self._reaches(question, hands, at)
                if answer is not None:
                    low, high = (at, high) if answer else (low, at - 1)
                    if answer == (way < 0):
                        break
        return low, high

    def _reaches(self, question: _Question, hands: Hands, k: int) -> bool | None:
        """Is the score at least k? None where the question is given up, or the work is stopped."""
        low, high = self._ask(question, hands, k - 1, k)
        return low == k if low == high else None

    def _ask(self, question: _Question, hands: Hands, low: int, high: int, guess: int | None = None) -> Span:
        """One request: the score within these ends, as far as nodes and time go."""
        if low >= high:
            return low, high
        ends = question.tricks(low), question.tricks(high)
        aim = -1 if guess is None else min(max(ends), max(question.tricks(guess), min(ends)))
        timeout = nanoseconds_left(self._deadline)
        request = packed(question.head, [hands], min(ends), max(ends), aim, max_nodes=question.cap, timeout=timeout)
        least, most, stop, _, nodes, _ = RESULT.unpack(self._engine.run(request, cold=False))
        self.nodes += nodes
        if stop not in (0, STOP_NODES):
            self.stop = self.stop or stop
        scores = question.score(least), question.score(most)
        return min(scores), max(scores)


class _Question:
    """What is asked of every lay: trump, leader, sides, and the way from tricks to scores."""

    def __init__(self, call: str, worth: Worth, cap: int) -> None:
        (term,) = worth.terms
        self.cap: Final = cap
        self._base = worth.base
        self._factor = term.factor
        self.head: Final = head_of(call, term)

    def tricks(self, score: int) -> int:
        return (score - self._base) * self._factor

    def score(self, tricks: int) -> int:
        return self._base + self._factor * tricks
