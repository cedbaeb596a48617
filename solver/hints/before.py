"""The decisions before the play: trump, discard, swap, call, parcels and bid, by playouts.

Candidates are those of the estimates (`Outlook`, `SenderOutlook`): of the discards or parcels with the same number of
cards of each suit the lowest cards. All meet the same worlds, drawn uniformly from those that fit; in each the cards
are played out by rules of thumb. They race: those that fall behind meet no more worlds.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from math import fsum
from typing import Final, TypeAlias

from tierce.solver.advice.candidates import Candidate, Outlook
from tierce.solver.advice.choices import trump_of
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.sender_choices import Parcels, SenderOutlook
from tierce.solver.cards import Mask
from tierce.solver.deal import Deal
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Send, Swap
from tierce.solver.games.auction import AUCTION_QUOTAS, BIDS, open_bids
from tierce.solver.games.dealing import random_deal
from tierce.solver.games.profile import MIZ
from tierce.solver.games.state import ELDEST, State
from tierce.solver.games.view import View
from tierce.solver.hints._playouts import Scene
from tierce.solver.hints.means import Ends, lead_figure, value_figure
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Option
from tierce.solver.hints.simple import next_parcel, reply_simply, simple_action

__all__ = ["BeforeSearch", "Contest", "as_dealer", "dealer_contest", "lowest_bid", "sender_contest"]

Hands: TypeAlias = tuple[Mask, ...]
Quotas: TypeAlias = tuple[int, ...]
WishOf: TypeAlias = Callable[[str], Wish]
Outcome: TypeAlias = tuple[str, int]  # the call, and the tricks of the seat

_FIRST: Final = 24  # candidates of the first rounds
_LOOKS: Final = 4  # worlds in which parcels are looked at first
_HALVE: Final = (8, 24, 64, 160, 400)  # worlds after which half of the candidates stay, but not fewer than _FEWEST
_FEWEST: Final = 4
_ROUND: Final = 4  # worlds of a round
_RULES: Final = b"\\xff"  # the first card too is by the rules
_PACKED: Final = struct.Struct("4Q")


class Contest:
    """The candidates of a decision, and how to value one in a world.

    actions   of each candidate; draw: the next world; outcome: call and tricks of the seat for a candidate in a world
    fit       how many worlds there are
    """

    def __init__(
        self,
        actions: Sequence[tuple[Action, ...]],
        draw: Callable[[], object],
        outcome: Callable[[object, int], Outcome],
        fit: int,
    ) -> None:
        self.actions: Final = tuple(actions)
        self.draw: Final = draw
        self.outcome: Final = outcome
        self.fit: Final = fit


class BeforeSearch:
    """The race of a contest's candidates. Its rounds are settled by their number alone.

    worlds   so many are done
    """

    def __init__(self, contest: Contest, wish_of_call: WishOf, *, balance: bool) -> None:
        self._contest = contest
        self._wish_of_call = wish_of_call
        self._balance = balance  # are calls of different kinds compared?
        self._wishes: dict[str, Wish] = {}
        self._found: list[list[Outcome]] = [[] for _ in contest.actions]
        self._left = list(range(len(contest.actions)))
        self._dropped: list[int] = []
        self.worlds = 0

    @property
    def busy(self) -> bool:
        """Nothing is left when a round is over."""
        return False

    @property
    def fit(self) -> int:
        """Worlds that fit."""
        return self._contest.fit

    def cancel(self) -> None:
        """A round is too short to be stopped."""

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round: some worlds more, at most `most`."""
        for _ in range(1 if self.worlds < 2 else min(_ROUND, most or _ROUND)):
            world = self._contest.draw()
            for each in self._left:
                self._found[each].append(self._contest.outcome(world, each))
            self.worlds += 1
            if self.worlds in _HALVE:
                self._narrow()

    def _narrow(self) -> None:
        order = sorted(self._left, key=lambda each: (-self._mean(each), each))
        keep = max(_FEWEST, (len(order) + 1) // 2)
        self._dropped = order[keep:] + self._dropped
        self._left = sorted(order[:keep])

    def _mean(self, each: int) -> float:
        found = self._found[each]
        return fsum(map(self._points, found)) / len(found)

    def _wish(self, call: str) -> Wish:
        if call not in self._wishes:
            self._wishes[call] = self._wish_of_call(call)
        return self._wishes[call]

    def _points(self, found: Outcome) -> float:
        call, tricks = found
        wish = self._wish(call)
        points = wish.points[min(tricks, len(wish.points) - 1)]
        if self._balance and wish.by == "tricks":
            points += wish.quota if wish.few else -wish.quota
        return points

    # ---- what is known -----------------------------------------------------------------------------------------------

    def options(self) -> list[Option]:
        """The candidates, the best first: those that are left, then those dropped, the last first."""
        order = sorted(self._left, key=lambda each: (-self._mean(each), each))
        return [self._option(each) for each in (*order, *self._dropped)]

    def _option(self, each: int) -> Option:
        found = self._found[each]
        tricks = value_figure([float(count) for _, count in found], [1.0] * len(found))
        value = value_figure(list(map(self._points, found)), [1.0] * len(found), ends=self._ends)
        made = sum(self._wish(call).made(count) for call, count in found) / len(found)
        return Option(self._contest.actions[each], value, tricks, made, len(found))

    def lead(self, one: Option, other: Option) -> Figure:
        """How far one is ahead of the other in the worlds that both have met."""
        pair = (self._found[self._contest.actions.index(each.actions)] for each in (one, other))
        gaps = [self._points(a) - self._points(b) for a, b in zip(*pair, strict=False)]
        return lead_figure(gaps, [1.0] * len(gaps), ends=self._ends)

    @property
    def _ends(self) -> Ends | None:
        """A chance is 0 or 1 in a world."""
        return (0.0, 1.0) if any(wish.by in ("quota", "twelve") for wish in self._wishes.values()) else None

    @property
    def effective(self) -> float:
        """All worlds weigh the same."""
        return float(self.worlds)


# ---- the dealer ------------------------------------------------------------------------------------------------------


def dealer_contest(view: View, seed: int) -> Contest:
    """Trump, call, discard or swap of the dealer. InputError (code "not_due") where it cannot be weighed."""
    outlook = Outlook(view)
    found = outlook.candidates()[:_FIRST]
    found = _each_call(outlook, found)
    draws = Draws(seed)
    stage = _Stage(view.profile.pack, 0)

    def outcome(world: object, place: int) -> Outcome:
        each = found[place]
        hands = outlook.ways(world, each)[0][0]  # type: ignore[arg-type]  # worlds of the same outlook
        return each.call, stage.tricks(hands, each.choice.discard, each.call)

    actions = [_dealer_actions(view, outlook, each) for each in found]
    return Contest(actions, lambda: outlook.worlds.draw(draws), outcome, outlook.worlds.count)


def _each_call(outlook: Outlook, found: list[Candidate]) -> list[Candidate]:
    """The candidates, and of each call at least three: a measure is poor at comparing calls."""
    kept, counts = list(found), dict.fromkeys(outlook.calls, 0)
    for each in found:
        counts[each.call] += 1
    for each in outlook.candidates():
        if counts[each.call] < 3 and each not in kept:
            counts[each.call] += 1
            kept.append(each)
    return kept


def _dealer_actions(view: View, outlook: Outlook, each: Candidate) -> tuple[Action, ...]:
    found: list[Action] = []
    if not view.call:
        found.append(Call(0, each.call) if view.phase == "CALL" else NameTrump(0, trump_of(each.call)))
    if outlook.pool:
        found.insert(0 if view.phase == "DISCARD" else len(found), Discard(0, each.choice.discard))
    if each.choice.swap is not None:
        found.append(Swap(0, each.choice.swap))
    return tuple(found)


# ---- a sender --------------------------------------------------------------------------------------------------------


def sender_contest(view: View, seed: int) -> Contest:
    """The parcels that a seat owes now. InputError (code "view")."""
    outlook = SenderOutlook(view)
    draws = Draws(seed)
    looks = [outlook.worlds.draw(Draws(seed, 1)) for _ in range(_LOOKS)]
    candidates = outlook.candidates()
    promise = list(outlook.promising(candidates, looks))
    order = sorted(range(len(candidates)), key=lambda place: -promise[place])
    found = _with_rule(view, outlook, [candidates[place] for place in order[:_FIRST]])
    stage = _Stage(view.profile.pack, view.seat)

    def outcome(world: object, place: int) -> Outcome:
        state = reply_simply(outlook.after(world, found[place]))  # type: ignore[arg-type]
        return state.call, stage.tricks(state.hands, state.discard, state.call)

    actions = [
        tuple(Send(view.seat, each.receiver, cards) for each, cards in zip(outlook.now, parcels, strict=True))
        for parcels in found
    ]
    return Contest(actions, lambda: outlook.worlds.draw(draws), outcome, outlook.worlds.count)


def _with_rule(view: View, outlook: SenderOutlook, found: list[Parcels]) -> list[Parcels]:
    """What the simple player sends is among the candidates."""
    made, seen = [], view
    for each in outlook.now:
        assert next_parcel(seen).receiver == each.receiver
        action = simple_action(seen)
        assert isinstance(action, Send)
        made.append(action.cards)
        transfers = tuple(
            replace(one, sent=action.cards) if (one.sender, one.receiver) == (view.seat, each.receiver) else one
            for one in seen.transfers
        )
        seen = replace(seen, hand=seen.hand & ~action.cards, transfers=transfers)
    parcels = tuple(made)
    return [parcels, *(each for each in found if each != parcels)]


# ---- playing out -----------------------------------------------------------------------------------------------------


class _Stage:
    """Playouts from the first lead, a scene for each call."""

    def __init__(self, pack: Mask, seat: int) -> None:
        self._pack = pack
        self._seat = seat
        self._scenes: dict[str, Scene] = {}

    def tricks(self, hands: Hands, discard: Mask, call: str) -> int:
        """What the seat takes."""
        if call not in self._scenes:
            trump, few = trump_of(call), call == MIZ
            self._scenes[call] = Scene(self._pack, 0, (0, 0, 0), trump, few, ELDEST, (), self._seat)
        return self._scenes[call].play(_PACKED.pack(*hands, discard), _RULES)[0]


# ---- the auction -----------------------------------------------------------------------------------------------------


def as_dealer(view: View, bid: int) -> View:
    """The view of a seat in the auction as that of a dealer who has won it with a bid."""
    return replace(
        view,
        seat=0,
        phase="TRUMP",
        to_move=0,
        bids=((0, bid), (1, None), (2, None)),
        quotas=AUCTION_QUOTAS[bid],
        known=(view.hand, 0, 0),
        traced=(0, 0, 0),
    )


def lowest_bid(view: View) -> int | None:
    """The lowest bid that is open."""
    left = open_bids(State(view.profile, bids=view.bids))
    return left.start if left else None


def pass_contest(view: View, seed: int) -> tuple[Contest, int, Quotas]:
    """A pass, and which seat it leads to, with which quotas.

    The player whose bid stands deals; without one the next who can still bid, with the lowest bid; and where this pass
    is the last, the cards are dealt again.
    """
    standing = [(seat, tricks) for seat, tricks in view.bids if isinstance(tricks, int)]
    out = {seat for seat, tricks in view.bids if tricks is None} | {view.seat}
    if standing:
        dealer, bid = standing[-1]
    else:
        left = [seat for seat in ((view.seat + 1) % 3, (view.seat + 2) % 3) if seat not in out]
        dealer, bid = (left[0], BIDS.start) if left else (view.profile.option("all_pass") == "next_dealer", BIDS.start)
    again = not standing and len(out) == 3
    seat, quotas = (view.seat - dealer) % 3, AUCTION_QUOTAS[bid]
    outlook, draws = Outlook(as_dealer(view, bid)), Draws(seed, 2)
    stage = _Stage(view.profile.pack, seat)
    start = State(view.profile, steps=view.profile.steps(first=True), quotas=quotas)
    numbers = count()

    def draw() -> object:
        if again:
            return random_deal(view.profile, seed=seed, index=next(numbers))
        world = outlook.worlds.draw(draws)
        own, one, other = outlook.worlds.hands_to_play(world)
        hands = {view.seat: own, (view.seat + 1) % 3: one, (view.seat + 2) % 3: other}
        return Deal((hands[dealer], hands[(dealer + 1) % 3], hands[(dealer + 2) % 3]), world.kitty)

    def outcome(deal: object, place: int) -> Outcome:
        assert isinstance(deal, Deal)
        at = start.steps.index("TRUMP")
        d, e, m = deal.hands
        state = reply_simply(replace(start, at=at, hands=(d, e, m), dealt=deal, kitty=deal.kitty))
        return state.call, stage.tricks(state.hands, state.discard, state.call)

    return Contest([(Bid(view.seat, None),)], draw, outcome, outlook.worlds.count), seat, quotas
