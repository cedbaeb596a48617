"""What a deal is worth: the price table, marriages, and the columns Game and Vist of a played, passed or misère deal.

Prices: base + 20 for each trick beyond ten, for 10 to 18 tricks; base 20 without trump, S 30, C 40, D 50, H 60.
A marriage (king and queen of the suit declared trump): S 40, C 60, D 80, H 100.

played     with ten tricks or more Game is the sum of the prices, for all his tricks, of every suit that was declared
           (without any: of no trump) and the marriages; the others' Vist is their tricks times the same sum of prices.
           With fewer Game is minus the missing tricks times the prices for ten tricks, which is the price of Vist, too;
           options fail_price and marriage_on_fail.
pass       the fewest tricks of anybody count nothing: each one's Vist loses his tricks beyond them, at the no-trump
           price for 18 minus the fewest; if all have six, the passer's Game gets 120
misere     Game +300 without a trick, else -300; no Vist, or (misere_vist = price) the others' tricks at the no-trump
           price for ten
Points are whole numbers, Game for the declarer alone, Vist by seat: 0 declarer, 1 next, 2 the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tierce.solver.cards import NOTRUMP, STRAIN_LETTERS

__all__ = [
    "BONUSES", "CALLS", "GOAL", "MISERE", "PASS", "PLAY", "TRICKS", "Score", "bonus", "price", "price_sum",
    "price_table", "score",
]  # fmt: skip

TRICKS: Final = 18
GOAL: Final = 10  # tricks that the declarer needs
PLAY: Final = "play"
PASS: Final = "pass"
MISERE: Final = "misere"
CALLS: Final = (PLAY, PASS, MISERE)
BONUSES: Final = (40, 100, 80, 60)  # by suit, S H D C
_BASES: Final = (30, 60, 50, 40, 20)  # by trump, S H D C and none
_STEP: Final = 20
_EVEN_PASS: Final = 120
_MISERE: Final = 300
_NONE: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Score:
    """A deal's worth. `price`: of a trick in Vist, 0 where none counts; `made`: did the declarer reach his goal?"""

    game: int
    vist: tuple[int, int, int]
    price: int
    made: bool


def price(trump: int, tricks: int) -> int:
    """The price for 10 to 18 tricks; `trump` 0..3 or 4 for none."""
    if not GOAL <= tricks <= TRICKS:
        raise ValueError(f"expected 10 to 18 tricks, found {tricks}")
    return _BASES[trump] + _STEP * (tricks - GOAL)


def price_sum(trumps: Sequence[int], tricks: int) -> int:
    """The prices of all suits declared, for so many tricks; of no trump where none was."""
    return sum(price(trump, tricks) for trump in trumps) if trumps else price(NOTRUMP, tricks)


def bonus(trumps: Sequence[int]) -> int:
    """The marriages of the suits declared."""
    return sum(BONUSES[trump] for trump in trumps)


def score(call: str, trumps: Sequence[int], tricks: Sequence[int], options: Mapping[str, object] = _NONE) -> Score:
    """What a deal is worth; `trumps` the suits declared, in their order, `tricks` by seat."""
    if call == PASS:
        return _passed(tricks)
    if call == MISERE:
        return _misere(tricks, priced=options.get("misere_vist") == "price")
    if tricks[0] >= GOAL:
        each = price_sum(trumps, tricks[0])
        return Score(each + bonus(trumps), (0, tricks[1] * each, tricks[2] * each), each, True)
    counted = trumps[-1:] if options.get("fail_price") == "last" else trumps
    each = price_sum(counted, GOAL)
    kept = bonus(trumps) if options.get("marriage_on_fail") == "kept" else 0
    return Score(kept - (GOAL - tricks[0]) * each, (0, tricks[1] * each, tricks[2] * each), each, False)


def _passed(tricks: Sequence[int]) -> Score:
    fewest = min(tricks)
    each = price(NOTRUMP, TRICKS - fewest)
    declarer, following, other = ((fewest - own) * each for own in tricks)
    even = max(tricks) == fewest
    return Score(_EVEN_PASS if even else 0, (declarer, following, other), each, even)


def _misere(tricks: Sequence[int], *, priced: bool) -> Score:
    each = price(NOTRUMP, GOAL) if priced else 0
    made = not tricks[0]
    return Score(_MISERE if made else -_MISERE, (0, tricks[1] * each, tricks[2] * each), each, made)


def price_table() -> dict[str, dict[int, int]]:
    """All 45 prices, by trump (S H D C N) and tricks."""
    return {
        STRAIN_LETTERS[trump]: {tricks: price(trump, tricks) for tricks in range(GOAL, TRICKS + 1)}
        for trump in range(NOTRUMP + 1)
    }
