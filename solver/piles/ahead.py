"""Decisions before the kitty is seen: whether to rob and whom, and MISERE where it is called so early.

In each world the cards that were not seen are dealt by lot. Every choice is followed there: the kitty taken, four
cards given by the rule and a few playouts, the call that looked best in some orders of the piles valued in others.
Every world counts twice, with the two players' cards exchanged, so that luck does not choose between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import Mask, mask_of
from tierce.solver.games.sumgait.actions import Early, Rob
from tierce.solver.games.sumgait.cards import cards_of
from tierce.solver.games.sumgait.deal import HAND, KITTY
from tierce.solver.games.sumgait.prices import MISERE, PASS, PLAY
from tierce.solver.games.sumgait.view import View
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.call_choice import clear, judge_of
from tierce.solver.piles.calls import PassValue, PlayValue, Sums, shuffled
from tierce.solver.piles.decision_results import Choice, Method
from tierce.solver.piles.giving import Owned, ahead, ranked
from tierce.solver.piles.playing import native_seed
from tierce.solver.piles.wants import Want

__all__ = ["AheadChoice"]

_FOURS: Final = 3  # tried in each world
_AMONG: Final = 7  # cards that they are taken from
_LOOK: Final = 8  # orders by which cards and call are chosen
_VALUE: Final = 12  # orders by which they are valued
_FEW_PASSES: Final = 4
_ENOUGH: Final = 64  # worlds before the choice may be settled


@dataclass(frozen=True, slots=True)
class _World:
    """The cards that were not seen: the kitty, and the two others' sixteen."""

    kitty: Mask
    piles: tuple[Mask, Mask]


class AheadChoice:
    """Worlds that go on: `step`, then look at `choices` and `lead`."""

    forced = False

    def __init__(self, view: View, want: Want, *, seed: int, stop: Stop, most: int | None) -> None:
        self._view, self._want, self._stop, self._most = view, want, stop, most
        self._seed, self._orders = native_seed(seed), native_seed(seed, 1)
        self._actions: list[Rob | Early] = (
            [Rob(None), Rob(1), Rob(2)] if view.phase == "ROB" else [Early(False), Early(True)]
        )
        self._sums = [Sums(swing=want.play.swing) for _ in self._actions]
        self._values: list[list[float]] = [[] for _ in self._actions]
        self.worlds = 0

    def step(self, most: int | None, end: float) -> None:
        """One world, some milliseconds."""
        world = self._world()
        found = [self._followed(action, world) for action in self._actions]
        self.worlds += 1
        for sums, values, figures in zip(self._sums, self._values, found, strict=True):
            sums.add(*figures)
            values.append(figures[0])

    def _world(self) -> _World:
        """Odd worlds are those before them with the two players exchanged, where nothing is known of either."""
        known = self._view.known
        plain = not known[1] and not known[2]
        cards = shuffled(cards_of(self._view.unseen), Draws(self._seed, self.worlds // 2 if plain else self.worlds))
        kitty, rest = mask_of(cards[:KITTY]), cards[KITTY:]
        lacking = HAND - known[1].bit_count()
        one, two = known[1] | mask_of(rest[:lacking]), known[2] | mask_of(rest[lacking:])
        return _World(kitty, (two, one) if plain and self.worlds % 2 else (one, two))

    def _followed(self, action: Rob | Early, world: _World) -> tuple[float, float, float]:
        view, known = self._view, [self._view.known[1], self._view.known[2]]
        hand = view.hand
        if isinstance(action, Rob) and action.of is not None:
            hand, known[action.of - 1] = world.piles[action.of - 1], view.hand
        unseen = (world.piles[0] | world.piles[1]) & ~(hand | known[0] | known[1])
        calls: tuple[str, ...] = (PLAY, PASS, MISERE)
        if isinstance(action, Early):
            calls = (MISERE,) if action.misere else (PLAY, PASS)
        looks = [
            self._look(
                Owned(hand | world.kitty, unseen, (known[0], known[1]), judge_of(view, call), call == PLAY), call
            )
            for call in calls
            if self._want.counts(call)
        ]
        if not looks:
            return 0.0, 0.0, 0.0
        found = max(looks, key=_mean_of).afresh(_VALUE)
        return found.value.value, found.mean_tricks.value, found.share

    def _look(self, owned: Owned, call: str) -> PlayValue | PassValue:
        """The best of a few ways to give, as far as a few orders tell."""
        seed = self._orders ^ self.worlds
        fours = ranked(owned, call, _FOURS if call == PLAY else 1, among=_AMONG)
        views = [owned.given((mask_of(four[::2]), mask_of(four[1::2]))) for four in fours]
        if call == PASS:
            passed = PassValue(views[0], self._want, seed=seed)
            passed.step(_FEW_PASSES)
            return passed
        found = [PlayValue(each, self._want, call, seed=seed, threads=0, stop=self._stop) for each in views]
        for each in found:
            each.step(_LOOK)
        return max(found, key=_mean_of)

    # ---- what is known

    @property
    def done(self) -> bool:
        """Is all done that was asked for?"""
        return self._most is not None and self.worlds >= self._most

    @property
    def settled(self) -> bool:
        """Is there nothing left to decide? Whom to rob matters little, whether to rob decides."""
        if self.worlds < _ENOUGH:
            return False
        order = self._order()
        other = order[1] if order[0] == 0 else 0
        return clear(ahead(self._values[order[0]], self._values[other]))

    @property
    def method(self) -> Method:
        """How the choices are valued."""
        return "playouts" if self.worlds else "rule"

    def _order(self) -> list[int]:
        return sorted(range(len(self._actions)), key=lambda place: (-self._sums[place].total, place))

    def choices(self) -> list[Choice]:
        """The best first."""
        if not self.worlds:
            return [Choice(self._actions[0], Figure(0.0, None), Figure(0.0, None), 0.0, 0)]
        return [self._choice(self._actions[place], self._sums[place]) for place in self._order()]

    @staticmethod
    def _choice(action: Rob | Early, sums: Sums) -> Choice:
        return Choice(action, sums.value, sums.mean_tricks, sums.share, sums.count)

    def lead(self) -> Figure | None:
        """How far the best is ahead of the runner-up, in the same worlds."""
        if not self.worlds:
            return None
        best, second = self._order()[:2]
        return ahead(self._values[best], self._values[second])


def _mean_of(each: PlayValue | PassValue) -> float:
    return (each.out if isinstance(each, PlayValue) else each.sums).value.value
