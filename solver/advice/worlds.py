"""The worlds that fit what the dealer knows at a decision before the play: counted, drawn, listed.

A world is a layout of the cards he could not see before the unseen parcels of the exchange, and a choice of those
parcels; what comes back for them is settled by the rules. All such pairs that fit are equally likely: a layout after
the exchange which more of them lead to is drawn the more often. A sender is taken to send any cards of his, since a
view says nothing of how he chooses.

What a view implies: the cards the dealer sent, received and returned; what came back for his own parcels, which also
says what the receiver did not hold (see story.py); the face-up card and who took it. The kitty was dealt before the
exchange, so that nothing caps it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb
from typing import Final

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.layouts import Layouts
from tierce.solver.advice.parcels import JointLaw
from tierce.solver.advice.story import ELDEST, KITTY, MIDDLE, REMOVED, Hands, Story, stories
from tierce.solver.cards import Mask, bit, cards_of
from tierce.solver.checks import check_type
from tierce.solver.errors import InputError
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO
from tierce.solver.games.profile import three_hands
from tierce.solver.games.view import View

__all__ = ["PHASES", "DealerWorlds", "World"]

PHASES: Final = ("TRUMP", "CALL", "DISCARD", "SWAP")  # of the dealer's decisions before the play


@dataclass(frozen=True, slots=True)
class World:
    """A layout that fits a view, by seat: 0 dealer, 1 eldest, 2 middle; cards are masks.

    hands       at the moment of the view, after all exchanges made by then
    kitty       cards not dealt and not taken; the card that lies face up, in a game with one
    removed     the card out of the pack, 0 if there is none
    transfers   the exchange with all its cards, in the order of the view. Where parcels are sent before trump is named
                and answered after it, `returned` is what will come back; the hands are still without it
    """

    hands: Hands
    kitty: Mask
    removed: Mask
    transfers: tuple[Transfer, ...]


class DealerWorlds:
    """The worlds that fit a dealer's view; `count` is their exact number.

    InputError (code and field "view") for a view of another seat, of a moment that is no decision of the dealer's
    before the play, or one that no layout fits.

    Not to be drawn from by two threads at once.
    """

    def __init__(self, view: View) -> None:
        check_type(view, View, "a View")
        three_hands(view.profile, "a dealer's decision")
        _check_decision(view)
        self.view: Final = view
        self._laws: Final = tuple(_laws(view))
        self._sums = tuple(accumulate(law.count for law in self._laws))
        self.count: Final = self._sums[-1]

    @property
    def owed(self) -> bool:
        """Are parcels sent, and is what comes back for them still to come?"""
        return self._laws[0].story.owed

    def draw(self, draws: Draws) -> World:
        """A random world, each equally likely."""
        return self._laws[bisect_right(self._sums, draws.below(self.count))].draw(draws)

    def __iter__(self) -> Iterator[World]:
        """Every world, lazily; only a small pack has few enough. There are `count` of them; two are the same only where
        the dealer got a card that had lain face up and his view does not tell which."""
        for law in self._laws:
            yield from law

    def hands_to_play(self, world: World) -> Hands:
        """The hands of a world once all that is owed has come back; but for the dealer's kitty and discard, those of
        the first lead."""
        hands = list(world.hands)
        for each in world.transfers if self.owed else ():
            hands[each.receiver] &= ~each.returned
            hands[each.sender] |= each.returned
        return hands[0], hands[1], hands[2]


def _check_decision(view: View) -> None:
    expected = f"a view of the dealer's (seat 0) in one of the phases {' '.join(PHASES)}"
    if view.seat != 0 or view.phase not in PHASES:
        found = f"one of seat {view.seat} in the phase {view.phase}"
        raise InputError("view", f"expected {expected}, found {found}", field="view")
    if view.phase == "SWAP" and not view.hand & bit(TWO):
        raise InputError(
            "view", "expected the dealer to hold the two that is swapped, found it elsewhere", field="view"
        )


class _Law:
    """The worlds of one story: a law of the layout and the unseen parcel, and the way from there to the decision."""

    def __init__(self, story: Story) -> None:
        self.story: Final = story
        self._joint = JointLaw(story) if story.joint else None
        self._layouts = None if self._joint else Layouts(story.cards, story.capacities, story.barred)
        transfer = None if story.hidden is None else story.transfers[story.hidden]
        # The unseen parcel: how many cards of which holder's.
        self._holder = transfer.sender - 1 if transfer and ("send", story.hidden) in story.after else ELDEST
        self._size = transfer.count if transfer and ("send", story.hidden) in story.after else 0
        parcels = comb(story.capacities[self._holder], self._size)
        self.count: Final = self._joint.count if self._joint else self._pool.count * parcels

    @property
    def _pool(self) -> Layouts:
        if self._layouts is None:  # a joint law counts and draws without it
            self._layouts = Layouts(self.story.cards, self.story.capacities, self.story.barred)
        return self._layouts

    def draw(self, draws: Draws) -> World:
        if self._joint:
            layout, parcel = self._joint.draw(draws)
        else:
            layout = self._pool.draw(draws)
            hand = [bit(card) for card in cards_of(layout[self._holder])] if self._size else []
            parcel = draws.take(hand, self._size)
        world = self._world(layout, parcel)
        assert world is not None, "a world that was counted must fit"
        return world

    def __iter__(self) -> Iterator[World]:
        for layout in self._pool:
            for cards in combinations(cards_of(layout[self._holder]), self._size):
                world = self._world(layout, sum(map(bit, cards)))
                if world is not None:
                    yield world

    def _world(self, layout: tuple[Mask, ...], parcel: Mask) -> World | None:
        view = self.story.view
        found = self.story.run(layout[ELDEST], layout[MIDDLE], parcel)
        if found is None:
            return None
        hands, transfers = found
        return World(hands, layout[KITTY] | view.up_card, layout[REMOVED] | view.removed, transfers)


def _laws(view: View) -> list[_Law]:
    """The laws of all stories of a view that have worlds."""
    found, why = [], ""
    for story in stories(view):
        try:
            found.append(_Law(story))
        except InputError as error:
            why = error.message
    if not found:
        raise InputError("view", why, field="view")
    return found
