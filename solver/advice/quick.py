"""The dealer's choices by a quick rule, from his own cards alone: what batches let dealers do, and what advice on the
exchange expects of one who cannot see the others' hands.

He names the trump and lays away the cards that leave him the hand of the highest measure (see measure.py): long and
strong trumps, honours, and suits he can ruff. Of the discards with the same number of cards of each suit he makes that
of the lowest. He takes an up-card whenever he may, since it is never lower than the two he leaves.
"""

from __future__ import annotations

from tierce.solver.advice.candidates import cheapest_discards
from tierce.solver.advice.measure import measure
from tierce.solver.cards import Mask
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Discard, NameTrump, Swap
from tierce.solver.games.phases import two_holder
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State

__all__ = ["quick_discard", "quick_trump", "reply_quickly"]


def quick_trump(hand: Mask, discards: int) -> int:
    """The trump (0 to 3) for a hand of which so many cards are laid away."""
    return max(range(4), key=lambda trump: (_left(hand, trump, discards)[0], -trump))


def quick_discard(hand: Mask, trump: int, discards: int) -> Mask:
    """What to lay away once the trump is named."""
    return _left(hand, trump, discards)[1]


def reply_quickly(state: State) -> State:
    """The state at the first lead after the dealer's choices; `state`: at the first of them. Swaps of others are made
    too. InputError (code "not_due") where a parcel is due, or for a game with calls."""
    count = state.profile.kitty if "DISCARD" in state.steps[state.at :] else 0
    while (state := settle(state)).phase in ("TRUMP", "DISCARD", "SWAP"):
        if state.phase == "TRUMP":
            state = apply(state, NameTrump(0, quick_trump(state.hands[0], count)))
        elif state.phase == "DISCARD":
            trump = state.trump if state.call else quick_trump(state.hands[0], count)  # it may be named later
            state = apply(state, Discard(0, quick_discard(state.hands[0], trump, count)))
        else:
            state = apply(state, Swap(two_holder(state), True))
    if state.phase != "PLAY":
        raise InputError("not_due", f"expected the dealer to choose, found the phase {state.phase}", field="state")
    return state


def _left(hand: Mask, trump: int, discards: int) -> tuple[float, Mask]:
    """The best measure of what a discard leaves, and that discard."""
    found = ((measure(hand & ~cards, trump), cards) for cards in cheapest_discards(hand, discards))
    return max(found, key=lambda each: (each[0], -each[1]))
