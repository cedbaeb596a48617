"""Which four of 22 cards to give, by rules of thumb alone: quick enough for hundreds of hands.

Sets of four among the cards that can be missed best go through rounds of random orders, the same seed for all, played
out by the policy of the objective: many sets in few orders, the best in more, these in every way to share them out
between the piles in more still. Which cards can be missed is a rule of thumb, too: low ones of short suits without a
marriage first; the others are not tried. The value of what is chosen comes from orders of its own, so that the luck
of the choice is not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tierce.solver.cards import Mask, mask_of, rank_of
from tierce.solver.checks import check_whole
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait.cards import ALL54, KINGS, QUEENS, cards_of, is_joker, suit_mask, suit_of
from tierce.solver.piles._piles import Stop
from tierce.solver.piles.crews import cut, in_pieces
from tierce.solver.piles.objectives import POINTS, Objective
from tierce.solver.piles.playing import play_out
from tierce.solver.piles.results import Mean
from tierce.solver.piles.view import JUDGE, Judge, PileView

__all__ = ["FEW", "GIVEN", "MANY", "Giving", "given_value", "quick_giving", "view_after"]

GIVEN: Final = 4
MANY: Final = 14  # cards that may be given, where one hand has all the time
FEW: Final = 8  # ... where many hands are looked at, in shorter rounds
_HAND: Final = 22
_ROUNDS: Final = ((16, 48), (96, 10), (256, 6), (1024, 1))  # orders, and how many sets or ways go on
_SHORT: Final = ((16, 12), (64, 2), (128, 2), (256, 1))
_SPLIT: Final = 2  # rounds after which a set stands for every way to share it out
_VALUED: Final = 1024  # orders that value a way
_PIECE: Final = 48
_OWN_SEED: Final = 1 << 40  # added to a seed for the orders that value the choice

_Way = tuple[Mask, Mask]


@dataclass(frozen=True, slots=True)
class Giving:
    """Cards given to the next player and to the other; their mean worth by rules of thumb; sets of four tried."""

    next: Mask
    other: Mask
    mean: Mean
    tried: int


def view_after(
    hand: Mask, given: _Way, *, known: _Way = (0, 0), judge: Judge = JUDGE, marriages: bool = True
) -> PileView:
    """The first trick of a deal: `hand` is of 22 cards with those that are given; `known`: cards known to lie in each
    pile before that, after a robbery."""
    kept = hand & ~(given[0] | given[1])
    in_piles = known[0] | given[0], known[1] | given[1]
    free = ALL54 & ~(kept | in_piles[0] | in_piles[1])
    return PileView(hand=kept, free=free, known=in_piles, judge=judge, marriages=marriages)


def quick_giving(
    hand: Mask,
    wish: Objective = POINTS,
    *,
    known: _Way = (0, 0),
    judge: Judge = JUDGE,
    marriages: bool = True,
    seed: int = 1,
    cards: int = MANY,
    threads: int = 1,
    stop: Stop | None = None,
) -> Giving:
    """The best way to give that the rounds find; `cards`: how many may be given. InputError (field "hand")."""
    if hand & ~ALL54 or hand.bit_count() != _HAND:
        raise InputError("hand_size", f"expected {_HAND} cards, found {hand.bit_count()}", field="hand")
    check_whole(cards, GIVEN, _HAND, f"{GIVEN} to {_HAND} cards that may be given", "cards")
    flag = stop or Stop()

    def means(ways: Sequence[_Way], count: int, seed: int) -> list[Mean]:
        def piece(start: int, size: int) -> list[Mean]:
            return [_mean(each, count, seed) for each in ways[start : start + size]]

        return [each for found in in_pieces(piece, cut(0, len(ways), _PIECE), threads, flag) for each in found]

    def _mean(way: _Way, count: int, seed: int) -> Mean:
        view = view_after(hand, way, known=known, judge=judge, marriages=marriages)
        return play_out(view, wish, count=count, seed=seed, stop=flag).mean(wish)

    ways = [_first_split(four) for four in combinations(_can_be_missed(hand, cards), GIVEN)]
    tried = len(ways)
    for place, (count, left) in enumerate(_ROUNDS if cards > FEW else _SHORT, 1):
        ways = _best(ways, means(ways, count, seed), left)
        if place == _SPLIT:
            ways = [split for way in ways for split in _splits(way)]
    (best,) = ways
    (mean,) = means([best], _VALUED, seed + _OWN_SEED)
    return Giving(best[0], best[1], mean, tried)


def given_value(
    hand: Mask,
    given: _Way,
    wish: Objective = POINTS,
    *,
    known: _Way = (0, 0),
    judge: Judge = JUDGE,
    marriages: bool = True,
    seed: int = 1,
    stop: Stop | None = None,
) -> Mean:
    """What a way to give is worth by rules of thumb, in as many orders, of the same seed, as value a choice."""
    view = view_after(hand, given, known=known, judge=judge, marriages=marriages)
    return play_out(view, wish, count=_VALUED, seed=seed + _OWN_SEED, stop=stop).mean(wish)


def _can_be_missed(hand: Mask, count: int) -> list[int]:
    """So many cards, those first that can be missed best."""
    return sorted(cards_of(hand), key=lambda card: (_worth(hand, card), card))[:count]


def _worth(hand: Mask, card: int) -> float:
    """Rank, more in a long suit, and in one with king and queen."""
    if is_joker(card):
        return 100.0
    suit = hand & suit_mask(suit_of(card))
    pair = suit & (KINGS | QUEENS)
    return rank_of(card) + 0.8 * suit.bit_count() + (3.0 if pair.bit_count() == 2 else 0.0)


def _best(ways: Sequence[_Way], found: Sequence[Mean], count: int) -> list[_Way]:
    """The ways with the highest means, the first of equal ones."""
    order = sorted(range(len(ways)), key=lambda i: (-found[i].value, i))
    return [ways[i] for i in order[:count]]


def _first_split(four: Sequence[int]) -> _Way:
    return mask_of(four[::2]), mask_of(four[1::2])


def _splits(way: _Way) -> list[_Way]:
    """The six ways to share four cards out between the piles."""
    four = way[0] | way[1]
    pairs = [mask_of(pair) for pair in combinations(cards_of(four), GIVEN // 2)]
    return [(pair, four & ~pair) for pair in pairs]
