"""The worlds that fit what a sender knows when a parcel of his is due: counted, drawn, listed.

A sender has got no cards that he did not send for. He knows his own cards, and what he sent and got back before, if he
serves one receiver after the other; what came back also says what that receiver did not hold. If somebody else sent
before him, he saw no card of that exchange: there a world is a layout of the cards before it and a choice of the unseen
parcel, and what came back for it is settled by the rules. All such pairs are equally likely. So are all discards of a
dealer who laid cards away before: a view says nothing of how others choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Final, NoReturn

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.layouts import Layouts
from tierce.solver.cards import Mask, bit, card_names, cards_of
from tierce.solver.checks import check_type
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.profile import three_hands
from tierce.solver.games.state import State
from tierce.solver.games.view import View

__all__ = ["PHASES", "SenderWorld", "SenderWorlds"]

PHASES: Final = ("EXCHANGE", "SEND")
_KITTY, _DISCARD, _REMOVED = 2, 3, 4  # holders; 0 and 1 are the other hands

Hands = tuple[Mask, Mask, Mask]


@dataclass(frozen=True, slots=True)
class SenderWorld:
    """A layout that fits a sender's view, by seat: 0 dealer, 1 eldest, 2 middle; cards are masks.

    hands       at the moment of the view
    kitty       cards not dealt and not taken; the card that lies face up, in a game with one
    discard     the dealer's, if he has made it
    removed     the card out of the pack, 0 if there is none
    transfers   the exchange, with all cards of what has been sent and returned by now
    """

    hands: Hands
    kitty: Mask
    discard: Mask
    removed: Mask
    transfers: tuple[Transfer, ...]


class SenderWorlds:
    """The worlds that fit a view of a sender's, whose turn it is; `count` is their exact number.

    InputError (code and field "view") for a view of another moment, or one that no layout fits.

    owed     his parcels that are due, in their order
    hidden   the place among the transfers of the one whose cards he did not see, None if there is none

    Not to be drawn from by two threads at once.
    """

    def __init__(self, view: View) -> None:
        check_type(view, View, "a View")
        three_hands(view.profile, "an exchange")
        _check(view)
        self.view: Final = view
        self._others = tuple(seat for seat in range(3) if seat != view.seat)
        self._transfers = tuple(
            Transfer(each.sender, each.receiver, each.count, each.sent or 0, each.returned or 0)
            for each in view.transfers
        )
        mine = [i for i, each in enumerate(self._transfers) if each.sender == view.seat and not each.sent]
        self.owed: Final = tuple(self._transfers[i] for i in mine)
        before = (i for i, each in enumerate(self._transfers) if each.sender != view.seat and i < mine[0])
        self.hidden: Final = next(before, None)
        self._layouts = self._pool()
        # The unseen parcel: of which other hand, and how many cards.
        sender = None if self.hidden is None else self._transfers[self.hidden]
        self._holder = 0 if sender is None else self._others.index(sender.sender)
        self._size = 0 if sender is None else sender.count
        self.count: Final = self._layouts.count * comb(self._layouts.capacities[self._holder], self._size)

    def draw(self, draws: Draws) -> SenderWorld:
        """A random world, each equally likely."""
        layout = self._layouts.draw(draws)
        hand = [bit(card) for card in cards_of(layout[self._holder])] if self._size else []
        return self._world(layout, draws.take(hand, self._size))

    def __iter__(self) -> Iterator[SenderWorld]:
        """Every world once, lazily; only a small pack has few enough."""
        for layout in self._layouts:
            for cards in combinations(cards_of(layout[self._holder]), self._size):
                yield self._world(layout, sum(map(bit, cards)))

    def state(self, world: SenderWorld) -> State:
        """The match at the moment of the view, if this is how the cards lie."""
        view = self.view
        steps = view.profile.steps(first=not view.results)
        return State(
            view.profile,
            view.dealer,
            steps,
            steps.index(view.phase),
            results=view.results,
            totals=view.totals,
            quotas=view.quotas,
            hands=world.hands,
            kitty=world.kitty,
            removed=world.removed,
            discard=world.discard,
            bids=view.bids,
            transfers=world.transfers,
            queue=self._queue(world.transfers),
            swapped=view.swapped,
            swapper=view.swapper,
            taken_up=_taken_up(view),
        )

    # ---- the layouts -------------------------------------------------------------------------------------------------

    def _pool(self) -> Layouts:
        """The layouts at the moment of the view, or before the exchange that he did not see."""
        view = self.view
        cards = view.profile.pack & ~(view.hand | (view.discard or 0) | view.up_card | view.removed)
        try:
            return Layouts(cards, self._sizes(), self._bars(cards))
        except InputError as error:
            _refuse(error.message)

    def _sizes(self) -> tuple[int, ...]:
        view = self.view
        sizes = list(view.counts)
        if self.hidden is not None and view.phase == "SEND":  # sent and not answered
            parcel = self._transfers[self.hidden]
            sizes[parcel.sender] += parcel.count
            sizes[parcel.receiver] -= parcel.count
        discards = view.discards if view.discard is None else 0
        removed = view.profile.removed - view.removed.bit_count()
        return sizes[self._others[0]], sizes[self._others[1]], view.kitty, discards, removed

    def _bars(self, cards: Mask) -> tuple[Mask, ...]:
        """The cards that each holder cannot have: those that another hand is known to have had, and those that a
        receiver would have had to return."""
        known = [(self.view.known[seat] | self.view.traced[seat]) & cards for seat in self._others]
        all_known = known[0] | known[1]
        bars = [all_known & ~known[0], all_known & ~known[1], *(all_known for _ in (_KITTY, _DISCARD, _REMOVED))]
        for each in self._transfers:
            if each.returned:
                place = self._others.index(each.receiver)
                bars[place] |= self._too_high(each, known[place], cards)
        return tuple(bars)

    def _too_high(self, each: Transfer, known: Mask, cards: Mask) -> Mask:
        """The cards of which one more would have changed what came back. story.py tells why each is tried alone."""
        options = self.view.profile.options
        own = (known | each.returned) & ~each.sent
        if exchange.returned(own, each.sent, options) != each.returned:
            _refuse(f"expected cards returned by the rules, found {card_names(each.returned)}")
        tried = map(bit, cards_of(cards & ~(own | each.sent)))
        return sum(card for card in tried if exchange.returned(own | card, each.sent, options) != each.returned)

    # ---- from a layout to a world ------------------------------------------------------------------------------------

    def _world(self, layout: tuple[Mask, ...], parcel: Mask) -> SenderWorld:
        view = self.view
        hands = [view.hand] * 3
        for seat, cards in zip(self._others, layout, strict=False):
            hands[seat] = cards
        transfers = list(self._transfers)
        if self.hidden is not None:
            transfers[self.hidden] = self._moved(hands, transfers[self.hidden], parcel)
        return SenderWorld(
            hands=(hands[0], hands[1], hands[2]),
            kitty=layout[_KITTY] | view.up_card,
            discard=layout[_DISCARD] | (view.discard or 0),
            removed=layout[_REMOVED] | view.removed,
            transfers=tuple(transfers),
        )

    def _moved(self, hands: list[Mask], each: Transfer, parcel: Mask) -> Transfer:
        """Make the unseen exchange, as far as it is made by now."""
        back = 0
        if self.view.phase == "EXCHANGE":
            back = exchange.returned(hands[each.receiver], parcel, self.view.profile.options)
        hands[each.sender] = hands[each.sender] & ~parcel | back
        hands[each.receiver] = (hands[each.receiver] | parcel) & ~back
        return replace(each, sent=parcel, returned=back)

    def _queue(self, transfers: tuple[Transfer, ...]) -> tuple[tuple[str, int], ...]:
        """What of the exchange is still to be done."""
        if self.view.phase == "SEND":
            moves = exchange.together(transfers)[: len(transfers)]
        else:
            moves = exchange.steps(transfers, self.view.profile.options)
        return tuple(
            (kind, i) for kind, i in moves if not (transfers[i].sent if kind == "send" else transfers[i].returned)
        )


def _taken_up(view: View) -> Mask:
    """The card that another hand took up before the exchange, as far as it matters: one that has since come back for a
    parcel is the sender's, whichever it was."""
    if not view.swapped or view.swapper == view.seat:
        return 0
    mine = view.hand | (view.discard or 0) | view.up_card | view.removed
    for each in view.transfers:
        mine |= (each.sent or 0) | (each.returned or 0)
    return view.seen & ~mine


def _check(view: View) -> None:
    if view.phase not in PHASES or view.to_move != view.seat:
        expected = "expected a view of the seat whose parcel is due, in one of the phases EXCHANGE SEND"
        _refuse(f"{expected}, found one of seat {view.seat} in the phase {view.phase}")
    if view.profile.calls:
        _refuse("expected a game in which the dealer names a trump, found one with calls")


def _refuse(message: str) -> NoReturn:
    raise InputError("view", message, field="view")
