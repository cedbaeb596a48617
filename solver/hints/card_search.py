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
from statistics import pstdev
from typing import Final, Literal, NamedTuple

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import Card, cards_of, suit_of
from tierce.solver.games.actions import Play
from tierce.solver.games.profile import MIZ
from tierce.solver.games.view import View
from tierce.solver.hints._playouts import Scene, Tree
from tierce.solver.hints.means import counted, ends_of, lead_figure, value_figure
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Method, Option
from tierce.solver.hints.simple import scene_of
from tierce.solver.hints.worlds import Picked, Worlds
from tierce.solver.position import Position
from tierce.solver.results import Objective
from tierce.solver.solver import Solver

__all__ = ["CardSearch", "side_of"]

_FIRST: Final = 4  # worlds of the first rounds; more later, so that an answer is there at once
_ROUND: Final = 16
_TREE_FROM: Final = 32  # worlds of the first tree; each later one has half as many more
_TURNS: Final = 40  # of a tree, for each world
_CHUNK: Final = 2048  # turns at a time
_COUNTED: Final = 16.0  # worlds that must count for a tree
_GRAIN: Final = 0.0005  # of the widest difference of points: what is nearer is equal
_TABLE_MB: Final = 8  # a server has one for each hint in progress; with 64 4 to 6 % more worlds at trick 1
_THINK: Final = 6  # worlds of another player's own hint
_NOISE: Final = 12  # of 256 cards of the others are any


class Grown(NamedTuple):
    """What a tree says of a card: how often it was tried, and its means."""

    visits: int
    points: float
    tricks: float
    made: float


def side_of(view: View) -> tuple[int, ...]:
    """The seats whose tricks count for a seat in the play: itself, or its side in a contract."""
    contract = view.contract
    if contract is None:
        return (view.seat,)
    return contract.declarers if view.seat in contract.declarers else contract.defenders


class CardSearch:
    """The cards of a view in the play.

    drawn    the worlds, weighed; cards: the choices, of those that come to the same only the highest
    scores   of each world the tricks taken from here on after each card
    valued   so many of them are what is told of the choices: those of the last tree, once there is one
    """

    def __init__(
        self, view: View, wish: Wish, worlds: Worlds | Picked, method: Method, seed: int, *, think: bool = False
    ) -> None:
        self._view = view
        self._wish = wish
        self.drawn: Final[Worlds | Picked] = worlds
        self._method: Final[Method] = method
        self._scene: Scene = scene_of(view, _NOISE, seed, _THINK if think else 0)
        self.cards: tuple[Card, ...] = cards_of(self._scene.cards(view.hand, view.discard or 0))
        self._bytes = bytes(self.cards)
        self._named = _lowest_alike(self.cards, view)
        self.scores: list[bytes] = []
        self._side = side_of(view)
        self._taken = sum(view.taken[seat] for seat in self._side)
        self._spread = _spread(wish, view.hand.bit_count(), self._taken)
        self._made = [wish.made(self._taken + more) for more in range(20)]
        self.valued = 0
        self._points = [wish.points[min(self._taken + more, len(wish.points) - 1)] for more in range(20)]
        self._ends = ends_of(self._points[: view.hand.bit_count() + 1])
        self._growing: Tree | None = None
        self._left = 0  # iterations that it still lacks
        self._grown: Mapping[Card, Grown] = {}  # what the last tree that was done says of each card
        self._planted = 0  # worlds of the one that is growing
        self._next = _TREE_FROM
        self._deviation = (0.0, 0.0)
        self._solver = Solver(_TABLE_MB) if method == "pimc" else None
        self._rounds = 0

    @property
    def method(self) -> Method:
        """How what is told was found: by playouts as long as there is no tree."""
        return self._method if self._grown or self._method != "tree" else "playouts"

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
        """What the worlds that were valued count as by their weights."""
        return counted(self.drawn.weights[: self.valued], self.drawn.squares(self.valued))

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
        if self._solver is not None:
            self._solve(self._solver, timeout)
            return
        self.drawn.more(count)
        self._play_out()
        self._rounds += 1
        if not self._grown:
            self.valued = len(self.scores)
        if self._method == "tree" and (len(self.scores) >= self._next or most == count):
            self._plant()

    def _play_out(self) -> None:
        """Play the worlds that have been drawn and not been valued to the end."""
        found = self._scene.play(bytes(self.drawn.packed[32 * len(self.scores) :]), self._bytes)
        width = len(self.cards)
        self.scores += [found[at : at + width] for at in range(0, len(found), width)]

    def _plant(self) -> None:
        """Begin a tree with the worlds there are: the weights of few worlds are too rough to build on for long. Where
        few worlds count, each would be known by what is played, and a tree would see through the cards: none then."""
        while self._next <= len(self.scores):
            self._next += self._next // 2
        if self.drawn.effective < _COUNTED:
            return
        self._growing = Tree(self._scene, self._points, self._made, self._spread)
        self._planted = len(self.scores)
        self._left = _TURNS * self._planted

    def _grow(self, tree: Tree) -> None:
        count = min(self._left, _CHUNK)
        self._left -= count
        tree.run(self.drawn.sample(count, self._left))
        if not self._left:
            self._grown = {card: Grown(*row) for card, row in ((each[0], each[1:]) for each in tree.cards())}
            self.valued = self._planted
            self._deviation = self._deviated()
            self._growing = None

    def _deviated(self) -> tuple[float, float]:
        """How far the points of one playout, and its tricks, are from their mean."""
        tricks = [float(each[0]) for each in self.scores[: self.valued]]
        return pstdev(self._points[int(each)] for each in tricks), pstdev(tricks)

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
        side = sum(1 << seat for seat in self._side)
        values = solver.card_values(position, side, objective, timeout=timeout)
        found = {each.card: each.tricks for each in values.cards}
        self.scores.append(bytes(found[card] - self._taken for card in self.cards))
        self.valued = len(self.scores)

    @property
    def _trump(self) -> int:
        call = self._view.call
        if self._view.contract is not None:
            return self._view.contract.trump
        return "SHDC".index(call) if call != MIZ and call in "SHDC" else 4

    # ---- what is known -----------------------------------------------------------------------------------------------

    def options(self) -> list[Option]:
        """All cards, the best first."""
        weights = self.drawn.weights[: self.valued]
        squares = self.drawn.squares(self.valued)
        found = [self._option(place, weights, squares) for place in range(len(self.cards))]
        order = sorted(range(len(found)), key=lambda place: self._rank(found[place], place))
        return [found[place] for place in order]

    def _rank(self, option: Option, place: int) -> tuple[float, float, int]:
        """The best value first; of those that are equal, but for next to nothing, the better tricks; then the lowest
        card, which keeps the others."""
        tricks = option.tricks.value if self._wish.few else -option.tricks.value
        grain = _GRAIN * (max(self._wish.points) - min(self._wish.points)) or 1.0
        return -round(option.value.value / grain), tricks, -place

    def _option(self, place: int, weights: Sequence[float], squares: float) -> Option:
        tricks = [each[place] for each in self.scores[: self.valued]]
        value, count = value_figure(self._worths(place), weights, squares=squares, ends=self._ends), len(tricks)
        made = fsum(w * each for w, each in zip(weights, self._reached(place), strict=True)) / fsum(weights)
        figure = value_figure([float(self._taken + each) for each in tricks], weights, squares=squares)
        if self._grown:
            grown = self._grown[self.cards[place]]
            value, made = Figure(grown.points, self._with_turns(value.error, [grown.visits])), grown.made
            figure = Figure(self._taken + grown.tricks, self._with_turns(figure.error, [grown.visits], tricks=True))
        chance: Literal["quota", "made"] = "made" if self._wish.makes else "quota"
        return Option((Play(self._view.seat, self._named[place]),), value, figure, made, count, chance)

    def _worths(self, place: int) -> list[float]:
        """Of each world the points after a card."""
        return [self._points[each[place]] for each in self.scores[: self.valued]]

    def _reached(self, place: int) -> list[float]:
        """Of each world: is the quota made after a card, or the contract? 1 if so."""
        return [float(self._made[each[place]]) for each in self.scores[: self.valued]]

    def _with_turns(self, error: float | None, visits: Sequence[int], *, tricks: bool = False) -> float | None:
        """The error of the worlds, and of so many turns of a tree in them."""
        if error is None:
            return None
        deviation = self._deviation[tricks]
        return sqrt(error**2 + deviation**2 * sum(1 / max(1, each) for each in visits))

    def lead(self, one: Option, other: Option) -> Figure:
        """How far a card is ahead of another: the error is that of playouts in the same worlds."""
        i, j = (self._place(each) for each in (one, other))
        gaps = [a - b for a, b in zip(self._worths(i), self._worths(j), strict=True)]
        weights = self.drawn.weights[: len(gaps)]
        found = lead_figure(gaps, weights, squares=self.drawn.squares(len(gaps)), ends=self._ends)
        if not self._grown:
            return found
        visits = [self._grown[self.cards[each]].visits for each in (i, j)]
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


def _spread(wish: Wish, left: int, taken: int) -> float:
    """How far apart the points of likely outcomes are: of two tricks more or less."""
    reached = wish.points[taken : taken + left + 1]
    return max(1e-9, (max(reached) - min(reached)) * min(1.0, 2.0 / left))
