"""An auction of contracts from one seat on: how it would end in a world, and how well a world goes with what was bid.

Both take the other players for followers of rules (simple_contract.py).

How it goes on: after the bid of the seat that asks, all bid what the rules have them bid with the cards of the world,
the seat itself with its own. So a bid may be overcalled, a Prop is accepted by whoever would say Cop, and comes to
nothing where nobody would and the seat has no more than a Prop.

What was bid tells what a hand holds. A bid is likely as far as the hand is beyond what the rules ask for it, and not
beyond what they ask for dearer ones; a pass, as far as it is short of all that was open. TASTE tricks beyond make one
e times as likely. One player in ten is taken to say anything that is open: no world has a weight of 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp
from typing import Final, TypeAlias

from tierce.solver.cards import Mask, suit_of
from tierce.solver.games.contract_auction import bidder, open_bids, standing
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.hints.simple_contract import margins

__all__ = ["AuctionAhead", "End", "auction_weight"]

End: TypeAlias = tuple[str, tuple[int, ...]]  # the contract's name, and who declares it
Wishes: TypeAlias = tuple[frozenset[str], ...]  # by seat what its hand is good enough for

TASTE: Final = 0.5
_ANY: Final = 0.1  # the part of players who say anything


class AuctionAhead:
    """The auction of a view, whose seat speaks next. What it has found once it keeps."""

    def __init__(self, view: View) -> None:
        assert view.turned is not None
        self._seat = view.seat
        self._start = State(view.profile, view.dealer, bids=view.bids, hands=(0,) * 4)
        self._turned = suit_of(view.turned)
        self._declared = bool(view.profile.option("ad_trump"))
        self._ends: dict[tuple[str | None, Wishes], End | None] = {}
        self._said = _told(view)
        self._own = _good(margins(view.hand, self._turned, declared_trump=self._declared))

    def wishes(self, hands: Sequence[Mask]) -> tuple[Wishes, float]:
        """What all would bid in a world, and how likely the others were to bid what they did."""
        found: list[frozenset[str]] = []
        weight = 1.0
        for seat, hand in enumerate(hands):
            if seat == self._seat:
                found.append(self._own)
                continue
            beyond = margins(hand, self._turned, declared_trump=self._declared)
            found.append(_good(beyond))
            for word, left in self._said[seat]:
                weight *= _likely(beyond, word, left)
        return tuple(found), weight

    def end(self, bid: str | None, wishes: Wishes) -> End | None:
        """The contract after a bid of the seat, None for a void deal."""
        key = bid, wishes
        if key not in self._ends:
            self._ends[key] = self._ended(bid, wishes)
        return self._ends[key]

    def own(self, bid: str, wishes: Wishes) -> End | None:
        """The contract if nobody goes higher: a Prop's with whoever would say Cop, None if nobody would."""
        return self.end(bid, tuple(each & {"cop"} for each in wishes))

    def _ended(self, bid: str | None, wishes: Wishes) -> End | None:
        state = replace(self._start, bids=(*self._start.bids, (self._seat, bid)))
        while (seat := bidder(state)) is not None:
            left = reversed(open_bids(state))
            word = next((each for each in left if each in wishes[seat]), None)
            state = replace(state, bids=(*state.bids, (seat, word)))
        found = standing(state)
        return None if found is None or found[0] == "prop" else found


def auction_weight(view: View, hands: Sequence[Mask]) -> float:
    """How likely the others were to bid what they bid, with the hands that they had then."""
    return AuctionAhead(view).wishes(hands)[1]


def _good(beyond: Mapping[str, float]) -> frozenset[str]:
    """What a hand is good enough for."""
    return frozenset(bid for bid, more in beyond.items() if more >= 0)


def _told(view: View) -> list[list[tuple[str | None, tuple[str, ...]]]]:
    """By seat, what the others have said, and what was open then."""
    state = State(view.profile, view.dealer, hands=(0,) * 4)
    found: list[list[tuple[str | None, tuple[str, ...]]]] = [[], [], [], []]
    for seat, word in view.bids:
        assert word is None or isinstance(word, str)
        left = open_bids(state)
        if seat != view.seat and left:
            found[seat].append((word, left))
        state = replace(state, bids=(*state.bids, (seat, word)))
    return found


def _likely(beyond: Mapping[str, float], word: str | None, left: Sequence[str]) -> float:
    """How likely a player is to say a word, of those that are open."""
    chance = 1.0
    for bid in reversed(left):
        wants = 1 / (1 + exp(-beyond[bid] / TASTE))
        if bid == word:
            chance *= wants
            break
        chance *= 1 - wants
    return (1 - _ANY) * chance + _ANY / (len(left) + 1)
