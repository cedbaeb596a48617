"""Bots as users write them, good and bad. They need nothing of the solver but its rules."""

from __future__ import annotations

import os
import random
import sys

from tierce.solver.cards import cards_of, mask_of, rank_of
from tierce.solver.games import Action, Bid, Call, Claim, Discard, Play, Send, View
from tierce.solver.hints.bots import choices


def lowest(view: View) -> Action:
    """The lowest cards, and the first of everything else."""
    return _by_rank(view, 1)


def lowest_too(view: View) -> Action:
    """The same under another name."""
    return _by_rank(view, 1)


def highest(view: View) -> Action:
    """The highest cards."""
    return _by_rank(view, -1)


def lots(view: View, rng: random.Random) -> Action:
    """Whatever, by the random numbers it gets."""
    open_ = rng.choice(choices(view))
    if open_.choices:
        return rng.choice(open_.choices)
    cards = mask_of(rng.sample(cards_of(open_.among), open_.count))
    return Discard(0, cards) if open_.kind is Discard else Send(view.seat, open_.to or 0, cards)


def _by_rank(view: View, sign: int) -> Action:
    open_ = choices(view)[0]
    if open_.kind is Play:
        return min(open_.choices, key=lambda each: sign * rank_of(each.card))  # type: ignore[union-attr]
    if open_.choices:
        return open_.choices[0]
    cards = mask_of(sorted(cards_of(open_.among), key=lambda card: sign * rank_of(card))[: open_.count])
    return Discard(0, cards) if open_.kind is Discard else Send(view.seat, open_.to or 0, cards)


# ---- at fault --------------------------------------------------------------------------------------------------------


def raises(view: View) -> Action:
    raise ValueError("no idea\nat all")


def leaves(view: View) -> Action:
    sys.exit("enough")


def dies(view: View) -> Action:
    os._exit(3)


def interrupts(view: View) -> Action:
    raise KeyboardInterrupt


def nothing(view: View) -> None:
    return None


def claims(view: View) -> Action:
    """Take all that is left, where that would be open to everybody together."""
    if view.phase == "PLAY" and not view.trick:
        left = view.hand.bit_count()
        return Claim((left, 0, 0))
    return lowest(view)


def strange(view: View) -> Action:
    """A card of somebody else."""
    if view.phase == "PLAY":
        return Play(view.seat, cards_of(view.unseen)[0])
    return lowest(view)


def other_seat(view: View) -> Action:
    if view.phase == "PLAY":
        return Play((view.seat + 1) % 3, cards_of(view.hand)[0])
    return lowest(view)


def passes(view: View) -> Action:
    return Bid(view.seat, None) if view.phase == "BID" else lowest(view)


def bids(view: View) -> Action:
    return Bid(view.seat, 8) if view.phase == "BID" else lowest(view)


def miz(view: View) -> Action:
    """MIZ where it may be called."""
    open_ = choices(view)[0]
    if open_.kind is Call and Call(0, "MIZ") in open_.choices:
        return Call(0, "MIZ")
    return lowest(view)


class Cards:
    """A bot that is an object."""

    def __call__(self, view: View) -> Action:
        return highest(view)


cards = Cards()


def sees_all(state: object) -> Action:
    raise AssertionError


sees_all.omniscient = True  # type: ignore[attr-defined]
