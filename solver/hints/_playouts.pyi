"""Playouts by rules of thumb, natively. A world is four masks: the hands of dealer, eldest, middle, and the discard;
of four seats the hands of N, E, S, W, and a seat's tricks are those of its side."""

from collections.abc import Sequence
from typing import final

@final
class Scene:
    """A moment of the play: all that is the same in every world.

    pack     its cards; gone: cards that all know to be in no hand, those on the table among them
    voids    by seat, suits as bits
    trump    0 to 3, 4 for none; few: are tricks bad?
    leader   of the trick on the table, and its cards
    seat     who asks; noise: in so many of 256 cases another player plays any card
    think    worlds in which another player tries his cards of the present trick, if that does not end with the one
             who asks; 0: he plays by the rules. Of three hands
    friends  of four seats: for each those of its side, as bits; none for three seats
    declarer of four seats, the first of two; open: his hand lies open after the first trick
    """

    def __init__(
        self,
        pack: int,
        gone: int,
        voids: Sequence[int],
        trump: int,
        few: bool,
        leader: int,
        trick: Sequence[int],
        seat: int,
        noise: int = 0,
        seed: int = 0,
        think: int = 0,
        friends: Sequence[int] = (),
        declarer: int = 0,
        open: bool = False,
    ) -> None: ...
    @property
    def seat(self) -> int: ...
    def choice(self, hand: int, discard: int = 0) -> int:
        """The card that a player with this hand plays by the rules of thumb."""
    def cards(self, hand: int, discard: int = 0) -> int:
        """The cards he may play, of those that come to the same only the highest, as a mask."""
    def play(self, worlds: bytes, cards: bytes) -> bytes:
        """Tricks of the seat from here in each world after each card: a byte each, world by world.

        worlds   as the module says; cards: the first card, one byte each; 255: as the rules say
        """
    def likelihoods(self, worlds: bytes, seats: bytes, cards: bytes, gone: int, doubt: float) -> bytes:
        """The logarithm of how likely the others were to play as they did, a double for each world.

        seats, cards   all that has been played, in order
        gone           cards that were gone before the first lead
        doubt          the part of players that choose any card, each the same; the others follow the rules
        """

@final
class Thumb:
    """A measure of hands before the play (tierce.solver.advice.measure), and the discard by it, quickly.

    weights   those of that module, in the order of its `weights()`
    """

    def __init__(self, weights: Sequence[float]) -> None: ...
    def measure(self, hand: int, trump: int) -> float:
        """Tricks that a hand may take with a trump, up to a constant."""
    def discard(self, hand: int, trump: int, count: int, among: int) -> int:
        """The lowest cards of some suits, `count` of those in `among`, that leave the hand of the highest measure."""

def sample(worlds: bytes, sums: bytes, count: int, shift: float, stride: int) -> bytes:
    """Worlds by an even grid over the running sums of their weights (doubles), each `stride`-th place of it in turn."""

@final
class Tree:
    """A search over the own cards of a scene: others play by the rules, own later cards are chosen by what has been
    seen then, the same in all worlds that look alike. Upper confidence bounds say what is tried next.

    points   by the number of tricks taken from here on; made: is the quota made with so many?
    spread   how far apart the points are, as a rule, for the bounds
    """

    def __init__(self, scene: Scene, points: Sequence[float], made: Sequence[bool], spread: float) -> None: ...
    def run(self, worlds: bytes) -> None:
        """One iteration in each of these worlds, in their order."""
    def cards(self) -> list[tuple[int, int, float, float, float]]:
        """(card, visits, mean points, mean tricks, how often the quota was made) of the root's cards, by visits."""
