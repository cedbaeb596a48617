"""Which discards to try first. A guess and no more: it decides how fast the best value is found, never what it is."""

from __future__ import annotations

from collections.abc import Sequence

from tierce.solver.advice.choices import Lay
from tierce.solver.cards import LANE, NOTRUMP, Mask

__all__ = ["by_promise", "by_shape"]

_TRUMP = 20  # what a trump is worth beyond its rank (0 to 12)
_VOID, _SINGLETON = 6, 2


def by_promise(lays: Sequence[Lay], trump: int, *, few: bool = False) -> list[int]:
    """Indices of lays, the most promising hand of the dealer's first: trumps, high cards, suits he can ruff.

    few   he wants few tricks: low cards first
    """
    scores = [promise(lay.hands[0], trump) for lay in lays]
    return sorted(range(len(lays)), key=scores.__getitem__, reverse=not few)


def promise(hand: Mask, trump: int) -> int:
    """A rough measure of a hand's tricks."""
    score = 0
    for suit in range(4):
        cards = hand >> 16 * suit & LANE
        count = cards.bit_count()
        if suit == trump:
            score += _TRUMP * count
        elif trump != NOTRUMP:
            score += _VOID if not count else _SINGLETON if count == 1 and not cards & 0x1000 else 0
        while cards:
            top = cards.bit_length() - 1
            score += top
            cards ^= 1 << top
    return score


def by_shape(order: Sequence[int], lays: Sequence[Lay]) -> list[list[int]]:
    """Lays in groups with equal suit lengths of the dealer's hand, each in the given order, groups by their first.

    The table's entries speak of positions with equal suit lengths, so that what is proved for one member of a group
    tells most about the others.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for index in order:
        hand = lays[index].hands[0]
        shape = tuple((hand >> 16 * suit & LANE).bit_count() for suit in range(4))
        groups.setdefault(shape, []).append(index)
    return list(groups.values())
