"""Whether options of a dealer reach a score that some seat counts: questions about many of them at once."""

from __future__ import annotations

from collections.abc import Sequence

from tierce.solver.advice.crews import CHUNK, Crew
from tierce.solver.advice.lays import decided, open_spans, score_range
from tierce.solver.advice.leaves import Option
from tierce.solver.advice.requests import Hands
from tierce.solver.advice.values import Worth

__all__ = ["Judge"]


class Judge:
    """Asks a crew about one seat's score. Of the lays of an option the worst counts, but the best where the seat itself
    chooses among them (`picks`).

    first   which kind of search of the crew's call is that of the first term of the worth
    """

    __slots__ = ("first", "seat", "worth")

    def __init__(self, worth: Worth, seat: int, first: int) -> None:
        self.worth = worth
        self.seat = seat
        self.first = first

    def reaching(self, crew: Crew, options: Sequence[Option], need: int, swapper: int | None) -> list[bool]:
        """Of each option: does it reach the score? Fewer answers than options if the search was stopped.

        swapper   the seat that chooses among lays
        """
        if not options:
            return []
        picks = swapper == self.seat
        found = self._lays(crew, [option[0] for option in options], need)
        for lay in range(1, len(options[0])):
            open_ = [place for place, reached in enumerate(found) if reached != picks]
            answers = self._lays(crew, [options[place][lay] for place in open_], need)
            if len(answers) < len(open_):
                return found[: open_[len(answers)]]
            for place, reached in zip(open_, answers, strict=True):
                found[place] = reached
        return found

    def exact(self, crew: Crew, option: Option, swapper: int | None, guess: int | None = None) -> int | None:
        """The score of an option; None if the search was stopped."""
        found = [self._exact(crew, hands, guess) for hands in option]
        known = [score for score in found if score is not None]
        if len(known) < len(found):
            return None
        return max(known) if swapper == self.seat else min(known)

    def _lays(self, crew: Crew, hands: Sequence[Hands], need: int) -> list[bool]:
        if len(self.worth.terms) > 1:
            return self._sums(crew, hands, need)
        tricks = need - self.worth.base
        if not 0 < tricks <= self.worth.tricks:
            return [tricks <= 0] * len(hands)
        found: list[bool] = []
        for at in range(0, len(hands), CHUNK):
            part = hands[at : at + CHUNK]
            answers = crew.ask(self.first, part, tricks - 1, tricks)
            found += [low >= tricks for low, _ in answers]
            if len(answers) < len(part):
                break
        return found

    def _sums(self, crew: Crew, hands: Sequence[Hands], need: int) -> list[bool]:
        found: list[bool] = []
        for each in hands:

            def ask(term: int, low: int, high: int, each: Hands = each) -> tuple[int, int] | None:
                return next(iter(crew.ask(self.first + term, [each], low, high)), None)

            low, high = decided(self.worth, open_spans(self.worth), need, ask)
            if low < need <= high:
                break
            found.append(low >= need)
        return found

    def _exact(self, crew: Crew, hands: Hands, guess: int | None) -> int | None:
        worth, spans = self.worth, []
        aim = -1
        if len(worth.terms) == 1 and guess is not None:
            aim = min(worth.tricks, max(0, guess - worth.base))
        for number in range(len(worth.terms)):
            answer = crew.ask(self.first + number, [hands], 0, worth.tricks, aim)
            if not answer:
                return None
            spans.append(list(answer[0]))
        return score_range(worth, spans)[0]
