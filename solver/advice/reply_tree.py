"""The tree of decisions after a sender's: other senders, a swap before the trump is named, a dealer at each end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tierce.solver.advice.choices import choices_of_state
from tierce.solver.advice.leaves import Leaf
from tierce.solver.advice.sending import count_ways, sender_of, ways
from tierce.solver.games.actions import Swap
from tierce.solver.games.phases import two_holder
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State

__all__ = ["Node", "Tree", "leaves_after", "leaves_of", "others_first", "outs_of", "sends"]


class Node:
    """A decision after the sender's, or with a leaf the last of them.

    decider  whose it is; kids: what he may make of it
    outs     the leaves that come out when everybody from here on does what is best for himself: a set in a fixed order
    """

    __slots__ = ("decider", "kids", "leaf", "outs")

    def __init__(self, decider: int, kids: list[Node], leaf: Leaf | None) -> None:
        self.decider = decider
        self.kids = kids
        self.leaf = leaf
        self.outs: dict[Leaf, None] = {} if leaf is None else {leaf: None}


class Tree:
    """Grows trees whose leaves are shared where the cards lie alike.

    low, high   of a leaf at the beginning: the dealer's scores
    late        is it time to stop? Then `grow` gives None
    """

    def __init__(self, low: int, high: int, late: Callable[[], bool]) -> None:
        self._range = low, high
        self._late = late
        self._leaves: dict[object, Leaf] = {}

    def grow(self, state: State) -> Node | None:
        """All that may come after a state."""
        if self._late():
            return None
        if sends(state):
            return self._node(sender_of(state), (way.state for way in ways(state)))
        if _another_swaps_first(state):
            takes = (settle(apply(state, Swap(two_holder(state), take))) for take in (True, False))
            return self._node(two_holder(state), takes)
        return Node(0, [], self._leaf(state))

    def _node(self, decider: int, after: Iterable[State]) -> Node | None:
        kids = []
        for state in after:
            kid = self.grow(state)
            if kid is None:
                return None
            kids.append(kid)
        return Node(decider, kids, None)

    def _leaf(self, state: State) -> Leaf:
        open_returns = state.transfers if "RETURN" in state.steps[state.at :] else ()
        key = state.hands, state.kitty, state.phase, open_returns
        leaf = self._leaves.get(key)
        if leaf is None:
            leaf = self._leaves[key] = Leaf(choices_of_state(state), *self._range)
        return leaf


def outs_of(nodes: Iterable[Node]) -> dict[Leaf, None]:
    """The leaves that come out of any, each once, in a fixed order."""
    return dict.fromkeys(leaf for node in nodes for leaf in node.outs)


def leaves_of(nodes: Iterable[Node]) -> list[Leaf]:
    """All leaves below some nodes."""
    found: dict[Leaf, None] = {}
    for node in nodes:
        found |= dict.fromkeys(leaves_of(node.kids) if node.leaf is None else [node.leaf])
    return list(found)


def leaves_after(state: State) -> int:
    """About how many dealers' decisions a state leads to."""
    return count_ways(state) if sends(state) else 1


def sends(state: State) -> bool:
    """Is a parcel due?"""
    return bool(state.queue) and state.queue[0][0] == "send"


def others_first(state: State) -> bool:
    """Does another decide before the dealer does?"""
    return sends(state) or _another_swaps_first(state)


def _another_swaps_first(state: State) -> bool:
    """Does another seat than the dealer's decide on the up-card before the trump is named?"""
    return state.phase == "SWAP" and "TRUMP" in state.steps[state.at :] and two_holder(state) != 0
