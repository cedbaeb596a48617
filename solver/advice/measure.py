"""A rough measure of a hand's tricks before its kitty is known: which candidates are worth looking at first.

The weights are a least-squares fit to the floors of 1,655 random hands of Sergeant Major, each with one random discard
and one random world; the measure explains six tenths of their variance, and most of the rest is the world. It decides
where an estimate begins to look, never what a candidate is worth.
"""

from __future__ import annotations

from typing import Final

from tierce.solver.cards import LANE, NOTRUMP, SUITS, Mask

__all__ = ["measure", "weights"]

_TRUMP: Final = 0.46  # tricks for each trump
_LONG_TRUMP: Final = 0.65  # and for each beyond the fifth
_TRUMP_HONOURS: Final = {12: 1.63, 11: 0.93, 10: 0.71, 9: 0.54, 8: 0.23}  # by rank, from the ace down
_HONOURS: Final = {12: 1.25, 11: 0.84, 10: 0.53, 9: 0.22}
_SHORT: Final = {0: 0.62, 1: 0.18, 2: 0.21}  # cards of a side suit, where there is a trump
_LOW: Final = 0.1  # in MIZ, tricks for each rank of a card


def measure(hand: Mask, trump: int, *, few: bool = False) -> float:
    """Tricks that such a hand may take, up to a constant.

    trump   0 to 3, 4 for none
    few     he wants few tricks (MIZ): the measure is of what he avoids, the higher the better
    """
    if few:
        return -_LOW * sum(_ranks(hand >> 16 * suit & LANE) for suit in SUITS)
    found = 0.0
    for suit in SUITS:
        cards = hand >> 16 * suit & LANE
        count = cards.bit_count()
        if suit == trump:
            found += _TRUMP * count + _LONG_TRUMP * max(0, count - 5) + _honours(cards, _TRUMP_HONOURS)
        else:
            found += _honours(cards, _HONOURS) + (_SHORT.get(count, 0.0) if trump != NOTRUMP else 0.0)
    return found


def weights() -> tuple[float, ...]:
    """All weights of the measure where many tricks are wanted: of a trump, of one beyond the fifth, of five trump
    honours and four others from the ace down, and of a side suit of no card, of one and of two."""
    honours = (*(_TRUMP_HONOURS[rank] for rank in range(12, 7, -1)), *(_HONOURS[rank] for rank in range(12, 8, -1)))
    return (_TRUMP, _LONG_TRUMP, *honours, *(_SHORT[count] for count in range(3)))


def _honours(cards: int, weights: dict[int, float]) -> float:
    return sum(weight for rank, weight in weights.items() if cards >> rank & 1)


def _ranks(cards: int) -> int:
    return sum(rank for rank in range(13) if cards >> rank & 1)
