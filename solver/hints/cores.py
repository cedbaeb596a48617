"""What values the choices of a decision, round by round: what `HintSearch` asks of it, and the two that are no search
of their own."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Protocol

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.games.actions import Bid
from tierce.solver.hints.before import BeforeSearch
from tierce.solver.hints.results import Option

__all__ = ["Bidding", "Core", "Told"]


class Core(Protocol):
    """What values the choices: CardSearch, BeforeSearch, or one of those below."""

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round."""

    def cancel(self) -> None:
        """Stop what is running."""

    def options(self) -> list[Option]:
        """The choices, the best first."""

    def lead(self, one: Option, other: Option) -> Figure:
        """How far one is ahead of the other."""

    @property
    def worlds(self) -> int:
        """Worlds done."""

    @property
    def busy(self) -> bool:
        """Is there work left for these worlds?"""

    @property
    def effective(self) -> float:
        """What they are worth."""

    @property
    def fit(self) -> int:
        """How many fit."""


class Told:
    """Choices that are valued once and for all."""

    def __init__(self, options: list[Option], worlds: int, fit: int, effective: float) -> None:
        self._options = options
        self.worlds = worlds
        self.fit = fit
        self.effective = effective
        self.busy = False

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """Nothing is left to do."""

    def cancel(self) -> None:
        """Nothing runs."""

    def options(self) -> list[Option]:
        """The choices, the best first."""
        return self._options

    def lead(self, one: Option, other: Option) -> Figure:
        """How far one is ahead of the other."""
        return Figure(one.value.value - other.value.value, 0.0)


class Bidding:
    """A bid against a pass. The bid is worth what its dealer makes of it, the pass what the player takes when somebody
    else deals (before.py says who). Of equal ones the pass."""

    def __init__(self, seat: int, bid: int, inner: BeforeSearch, stay: BeforeSearch) -> None:
        self._seat = seat
        self._bid = bid
        self._inner = inner
        self._stay = stay

    @property
    def worlds(self) -> int:
        """Worlds done."""
        return self._stay.worlds

    @property
    def busy(self) -> bool:
        """Nothing is left when a round is over."""
        return False

    @property
    def fit(self) -> int:
        """Worlds that fit."""
        return self._inner.fit

    @property
    def effective(self) -> float:
        """All worlds weigh the same."""
        return self._stay.effective

    def cancel(self) -> None:
        """A round is too short to be stopped."""

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round."""
        self._inner.step(most)
        self._stay.step(most)

    def options(self) -> list[Option]:
        """The bid and the pass, the better first."""
        bid = replace(self._inner.options()[0], actions=(Bid(self._seat, self._bid),))
        stay = self._stay.options()[0]
        return [bid, stay] if bid.value.value > stay.value.value else [stay, bid]

    def lead(self, one: Option, other: Option) -> Figure:
        """How far one is ahead of the other, whose deals are others."""
        errors = [each.value.error for each in (one, other)]
        known = [each for each in errors if each is not None]
        error = hypot(*known) if len(known) == len(errors) else None
        return Figure(one.value.value - other.value.value, error)
