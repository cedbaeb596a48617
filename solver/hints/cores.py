"""What values the choices of a decision, round by round: what `HintSearch` asks of it, and the two that are no search
of their own."""

from __future__ import annotations

from dataclasses import replace
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
    """A bid against a pass. The bid is worth what its dealer takes beyond it; a pass is worth 0, whoever deals then."""

    def __init__(self, seat: int, bid: int, inner: BeforeSearch) -> None:
        self._seat = seat
        self._bid = bid
        self._inner = inner

    @property
    def worlds(self) -> int:
        """Worlds done."""
        return self._inner.worlds

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
        return self._inner.effective

    def cancel(self) -> None:
        """A round is too short to be stopped."""

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round."""
        self._inner.step(most)

    def options(self) -> list[Option]:
        """The bid and the pass, the better first."""
        best = self._inner.options()[0]
        bid = replace(best, actions=(Bid(self._seat, self._bid),))
        none = Figure(0.0, 0.0)
        stay = Option((Bid(self._seat, None),), none, none, 0.0, best.worlds)
        return [bid, stay] if best.value.value >= 0 else [stay, bid]

    def lead(self, one: Option, other: Option) -> Figure:
        """How far one is ahead of the other."""
        return Figure(one.value.value - other.value.value, one.value.error or other.value.error)
