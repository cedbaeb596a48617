"""Which card to play: every card valued in the same worlds, which are drawn as long as there is time.

    pimc       each world solved exactly, as if all saw all cards and the others conspired; the mean
    playouts   each card played, and the rest of the hand by the rules of thumb of all three
    tree       the same, but own later cards are searched, too: chosen by what has been seen by then, the same in all
               worlds that look alike (`Tree` of _playouts)

Work goes in rounds that are settled by their number alone: a limit of time only says after which of them the work ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from typing import Final

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import Card, cards_of, suit_of
from tierce.solver.games.actions import Play
from tierce.solver.games.profile import MIZ
from tierce.solver.games.view import View
from tierce.solver.hints._playouts import Scene, Tree
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Method, Option
from tierce.solver.hints.simple import scene_of
from tierce.solver.hints.worlds import Worlds
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.solver import Solver

__all__ = ["CardSearch"]

_FIRST: Final = 4  # worlds of the first rounds; more later, so that an answer is there at once
_ROUND: Final = 16
_TREE_FROM: Final = 32  # worlds of the first tree; each later one has twice as many
_TURNS: Final = 40  # of a tree, for each world
_CHUNK: Final = 2048  # turns at a time
_TABLE_MB: Final = 64
_THINK: Final = 6  # worlds of another player's own hint
_NOISE: Final = 12  # of 256 cards of the others are any


class CardSearch:
    """The cards of a view in the play.

    drawn    the worlds, weighed; cards: the choices, of those that come to the same only the highest
    scores   of each world the tricks taken from here on after each card
    seconds  of one exact solve at most (pimc); a world that takes longer is left out
    """

    def __init__(
        self, view: View, wish: Wish, worlds: Worlds, method: Method, seed: int, *, think: bool = False
    ) -> None:
        self._view = view
        self._wish = wish
        self.drawn: Final = worlds
        self.method: Final[Method] = method
        self._scene: Scene = scene_of(view, _NOISE, seed, _THINK if think else 0)
        self.cards: Final[tuple[Card, ...]] = cards_of(self._scene.cards(view.hand, view.discard or 0))
        self._bytes = bytes(self.cards)
        self._named: Final = _lowest_alike(self.cards, view)
        self.scores: list[bytes] = []
        self._taken = view.taken[view.seat]
        self._spread = _spread(wish, view)
        self._points = [wish.points[min(self._taken + more, len(wish.points) - 1)] for more in range(20)]
        self._growing: Tree | None = None
        self._left = 0  # iterations that it still lacks
        self._grown: Mapping[
            Card, tuple[int, float]
        ] = {}  # visits and mean of the root's cards, when one was last done
        self._next = _TREE_FROM
        self._deviation = 0.0
        self._solver = Solver(_TABLE_MB) if method == "pimc" else None
        self._rounds = 0

    @property
    def worlds(self) -> int:
        """Worlds done."""
        return len(self.scores)

    @property
    def fit(self) -> int:
        """Worlds that fit."""
        return self.drawn.fit

    @property
    def effective(self) -> float:
        """Worlds that the weights leave."""
        return self.drawn.effective

    def cancel(self) -> None:
        """Stop a solve that is running, from any thread; `step` then raises Cancelled."""
        if self._solver is not None:
            self._solver.cancel()

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round: some worlds more, at most `most`. LimitReached if a solve took longer than `timeout` seconds."""
        if self._growing is not None:
            self._grow(self._growing)
            return
        count = min(_FIRST if self._rounds < 2 else _ROUND, most or _ROUND)
        before = len(self.scores)
        if self._solver is not None:
            self._solve(self._solver, timeout)
            return
        self.drawn.more(count)
        found = self._scene.play(bytes(self.drawn.packed[32 * before :]), self._bytes)
        width = len(self.cards)
        self.scores += [found[at : at + width] for at in range(0, len(found), width)]
        self._rounds += 1
        if self.method == "tree" and (len(self.scores) >= self._next or most == count):
            self._plant()

    def _plant(self) -> None:
        """Begin a tree with the worlds there are: the weights of few worlds are too rough to build on for long."""
        self._growing = Tree(self._scene, self._points, self._spread)
        self._left = _TURNS * len(self.scores)
        while self._next <= len(self.scores):
            self._next *= 2

    def _grow(self, tree: Tree) -> None:
        count = min(self._left, _CHUNK)
        self._left -= count
        tree.run(self.drawn.sample(count, self._left))
        if not self._left:
            self._grown = {card: (visits, mean) for card, visits, mean in tree.cards()}
            self._deviation = self._deviated()
            self._growing = None

    def _deviated(self) -> float:
        """How far the points of one playout are from their mean."""
        points = [self._points[each[0]] for each in self.scores]
        mean = fsum(points) / len(points)
        return sqrt(fsum((each - mean) ** 2 for each in points) / len(points))

    @property
    def busy(self) -> bool:
        """Is there work left for the worlds drawn?"""
        return self._growing is not None

    def _solve(self, solver: Solver, timeout: float | None) -> None:
        """One world more, exactly. One that was drawn and not solved in time is the next again."""
        if len(self.drawn) == len(self.scores):
            self.drawn.more(1)
        view, world = self._view, self.drawn.worlds[len(self.scores)]
        position = Position(world.hands_now, self._trump, view.leader, view.trick, view.taken)
        objective: Objective = "fewest" if self._wish.few else "most"
        values = solver.card_values(position, 1 << view.seat, objective, timeout=timeout)
        found = {each.card: each.tricks for each in values.cards}
        self.scores.append(bytes(found[card] - self._taken for card in self.cards))

    @property
    def _trump(self) -> int:
        call = self._view.call
        return "SHDC".index(call) if call != MIZ and call in "SHDC" else 4

    # ---- what is known -----------------------------------------------------------------------------------------------

    def options(self) -> list[Option]:
        """All cards, the best first."""
        weights = self.drawn.weights[: len(self.scores)]
        total = fsum(weights)
        found = [self._option(place, weights, total) for place in range(len(self.cards))]
        order = sorted(range(len(found)), key=lambda place: self._rank(found[place], place))
        return [found[place] for place in order]

    def _rank(self, option: Option, place: int) -> tuple[float, float, int]:
        """The best value first; of equal ones the better tricks; then the lowest card, which keeps the others."""
        tricks = option.tricks.value if self._wish.few else -option.tricks.value
        return -option.value.value, tricks, -place

    def _option(self, place: int, weights: Sequence[float], total: float) -> Option:
        tricks = [each[place] for each in self.scores]
        points = [self._points[each] for each in tricks]
        value, count = self._figure(points, weights, total), len(tricks)
        if self._grown:
            value = self._searched(place, value)
        made = fsum(w for w, each in zip(weights, tricks, strict=True) if self._wish.made(self._taken + each)) / total
        figure = self._figure([float(self._taken + each) for each in tricks], weights, total)
        if self._grown and self._wish.by == "tricks":
            figure = Figure(-value.value if self._wish.few else value.value, value.error)
        return Option((Play(self._view.seat, self._named[place]),), value, figure, made, count)

    def _searched(self, place: int, flat: Figure) -> Figure:
        """The value in the tree. Its error: that of the worlds, and that of so many turns of the tree."""
        visits, mean = self._grown[self.cards[place]]
        return Figure(mean, self._with_turns(flat.error, [visits]))

    def _with_turns(self, error: float | None, visits: Sequence[int]) -> float | None:
        if error is None:
            return None
        spread = self._deviation**2 * sum(1 / max(1, each) for each in visits)
        return sqrt(error**2 + spread)

    def _figure(self, values: Sequence[float], weights: Sequence[float], total: float) -> Figure:
        """A weighted mean; its error by the worlds that the weights leave."""
        mean = fsum(w * x for w, x in zip(weights, values, strict=True)) / total
        if len(values) < 2:
            return Figure(mean, None)
        spread = fsum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True)) / total
        squares = fsum(w * w for w in weights)
        effective = total * total / squares
        return Figure(mean, sqrt(spread / max(1.0, effective - 1)))

    def lead(self, one: Option, other: Option) -> Figure:
        """How far a card is ahead of another: the error is that of playouts in the same worlds."""
        i, j = (self._place(each) for each in (one, other))
        gaps = [self._points[each[i]] - self._points[each[j]] for each in self.scores]
        weights = self.drawn.weights[: len(gaps)]
        found = self._figure(gaps, weights, fsum(weights))
        if not self._grown:
            return found
        visits = [self._grown[self.cards[each]][0] for each in (i, j)]
        return Figure(one.value.value - other.value.value, self._with_turns(found.error, visits))

    def _place(self, option: Option) -> int:
        action = option.actions[0]
        assert isinstance(action, Play)
        return self._named.index(action.card)


def _lowest_alike(cards: Sequence[Card], view: View) -> tuple[Card, ...]:
    """Of the cards that each choice stands for the lowest."""
    led = suit_of(view.trick[0]) if view.trick else None
    hand = [card for card in cards_of(view.hand) if led is None or suit_of(card) == led] or list(cards_of(view.hand))
    found = []
    for card in cards:
        below = [each for each in hand if suit_of(each) == suit_of(card) and each <= card]
        next_ = max((each for each in cards if suit_of(each) == suit_of(card) and each < card), default=-1)
        found.append(min(each for each in below if each > next_))
    return tuple(found)


def _spread(wish: Wish, view: View) -> float:
    """How far apart the points of likely outcomes are: of two tricks more or less."""
    left, taken = view.hand.bit_count(), view.taken[view.seat]
    reached = wish.points[taken : taken + left + 1]
    return max(1e-9, (max(reached) - min(reached)) * min(1.0, 2.0 / left))
