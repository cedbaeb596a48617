"""What an answer to a parcel can have been, one card of a suit after the other.

Whoever receives a parcel returns cards by the rule of the game, suit by suit. Here the cards of a suit come from the
highest to the lowest in the order of the exchange, each with what became of it: did the hand get it in the parcel, and
did it go back. A `Rule` reads them like a sentence: from a state and a card it tells the next state, or that no answer
begins like that; at the end it tells whether the answer is the one the rule asks for. tests/advice/test_answers.py
compares it with `games.exchange` over all hands and parcels.

What the states hold: `excess`, cards kept of the parcel less own cards returned, 0 in the end, since as many come back
as were sent; and whether cards were kept after which no more may go back.

    merged_top_n, pairwise_low_first   the two ask for the same: whatever goes back is higher than whatever is kept
    own_top_n                          own cards returned are the highest own; one of the parcel goes back only if no
                                       own card is kept, and then the highest
    pairwise_high_first                a card of the parcel is kept if an own card that is higher is left for it

Where two parcels are answered together, the cards that go back to the one who takes the higher ones come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tierce.solver.games.options import Value

__all__ = ["KEPT", "TO_FIRST", "TO_SECOND", "Rule", "State"]

State: TypeAlias = tuple[int, ...]  # has a card gone to the second, excess, and what the rule needs more
_Step: TypeAlias = Callable[[tuple[int, ...], bool, bool], tuple[int, ...] | None]

KEPT: Final = 0  # what became of a card
TO_FIRST: Final = 1  # it went back, to the one who takes the higher cards or to the only one
TO_SECOND: Final = 2


class Rule:
    """The return rule of a game's options, for answers of at most `most` cards."""

    __slots__ = ("_most", "_step", "start")

    def __init__(self, options: Mapping[str, Value], most: int) -> None:
        size, self._step = _RULES[str(options.get("return_rule", "merged_top_n"))]
        self._most = most
        self.start: State = (0,) * (2 + size)

    def after(self, state: State, received: bool, goes: int) -> State | None:
        """The state after one more card, None if no answer begins like this."""
        second, *rest = state
        if goes == TO_FIRST and second:
            return None
        found = self._step(tuple(rest), received, goes != KEPT)
        if found is None or abs(found[0]) > self._most:
            return None
        return (int(second or goes == TO_SECOND), *found)

    def ends(self, state: State) -> bool:
        """Have as many cards gone back as came?"""
        return state[1] == 0


def _excess(excess: int, received: bool, back: bool) -> int:
    return excess + received if not back else excess - (not received)


def _merged(rest: tuple[int, ...], received: bool, back: bool) -> tuple[int, ...] | None:
    excess, kept = rest
    if back and kept:
        return None
    return _excess(excess, received, back), int(kept or not back)


def _own(rest: tuple[int, ...], received: bool, back: bool) -> tuple[int, ...] | None:
    excess, own_kept, kept, returned = rest  # the last two of the parcel's
    if (back and own_kept) or (back and received and kept) or (not back and not received and returned):
        return None
    own_kept = int(own_kept or not (back or received))
    kept = int(kept or (received and not back))
    returned = int(returned or (received and back))
    return _excess(excess, received, back), own_kept, kept, returned


def _high_first(rest: tuple[int, ...], received: bool, back: bool) -> tuple[int, ...] | None:
    excess, own_kept, left = rest  # own cards above that no card of the parcel has drawn
    if received:
        return None if back == (left > 0) else (_excess(excess, received, back), own_kept, left - (not back))
    if back and own_kept:
        return None
    return _excess(excess, received, back), int(own_kept or not back), left + 1


_RULES: Final[Mapping[str, tuple[int, _Step]]] = {
    "merged_top_n": (1, _merged),
    "pairwise_low_first": (1, _merged),
    "own_top_n": (3, _own),
    "pairwise_high_first": (2, _high_first),
}
