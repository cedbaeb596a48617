"""What to bid, and which trump to name: each choice valued in worlds, as the auction would go on from it.

    BidSearch(view)                      by playouts: the rules of thumb play every hand
    BidSearch(view, method="pimc")       every contract by exact play of all hands, all cards seen: made or not

In every world the auction goes on from each choice as auction_ahead.py says: all bid on by the rules. The contract that
comes out is played, and brings the seat its units; a void deal brings none. Of Abundance each of the two suits that
promise most by the rules is a choice of its own, for a trump is named without a look at the others' cards.

    value    the mean of what the choice brings, overcalls and void deals among it, with its standard error
    made     how often the contract of the bid is made if it stands: a Prop with whoever would accept it, of the worlds
             in which somebody would. Of a pass: how often what is played then is made
    tricks   of the seat's side in the contracts that came out, as the rules of thumb play them; exact by `pimc` where
             they count (by tricks or a utility, or where overtricks are paid)

The best of several means is as a rule too good, and most so where much is at stake. So bids stand in the order of
their values less CAUTION standard errors of their lead over a pass; what is told of them stays the plain mean, and a
margin may be below 0 for that reason.

Worlds are drawn uniformly from all that fit; with `infer` they are weighed by what the others bid and passed. Choices
race: those that are clearly behind meet no more worlds.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Final, TypeAlias

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate_results import Figure
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import SUITS, Mask, suit_of
from tierce.solver.errors import Cancelled, LimitReached
from tierce.solver.games.actions import Action, Bid, NameTrump
from tierce.solver.games.contract_auction import contract_for, open_bids, trump_choices
from tierce.solver.games.contracts import CONTRACTS, UNNAMED, Contract
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.hints._playouts import Scene
from tierce.solver.hints.auction_ahead import AuctionAhead, End, Wishes
from tierce.solver.hints.means import Ends, counted, lead_figure, value_figure
from tierce.solver.hints.objectives import By, Wish, contract_wish
from tierce.solver.hints.results import Method, Option
from tierce.solver.hints.simple_contract import OWN, expected, named_simply
from tierce.solver.position import Position
from tierce.solver.query import Limits, pack
from tierce.solver.search import RESULT, STOP_CANCELLED, Engine

__all__ = ["BidSearch"]

Hands: TypeAlias = tuple[Mask, ...]

_ROUND: Final = 8  # worlds of a round of playouts; exact play has one
_SUITS: Final = 2  # trumps that are tried for Abundance
_LOOKS: Final = (8, 16, 32, 64, 128, 256, 512)  # worlds after which those behind are left
_BEHIND: Final = 4.0  # by so many standard errors
_FEWEST: Final = 2  # choices that stay
CAUTION: Final = 1.0  # standard errors that a bid must be worth more than a pass, or another bid
_TABLE: Final = 16 << 20  # bytes of each table; one for each game and side
_PACKED: Final = struct.Struct("4Q")
_RULES: Final = b"\xff"
_NOTHING: Final = Figure(0.0, None)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice: what is done, the word that is said (in the phase TRUMP None) and the trump that would be named."""

    actions: tuple[Action, ...]
    word: str | None
    trump: int = UNNAMED


@dataclass(slots=True)
class _World:
    """A world: hands, what the others would bid, how likely their bids were; `found`: the contracts played in it, with
    the declarers' tricks by the rules and, if it was asked for, whether they are made."""

    hands: Hands
    wishes: Wishes
    weight: float
    found: dict[Contract, tuple[int, bool]]


@dataclass(frozen=True, slots=True)
class _Met:
    """A choice in a world: its weight, points, tricks of the side (None: void), is the contract made (None: there is
    none)."""

    weight: float
    points: float
    tricks: int | None
    made: bool | None


class BidSearch:
    """A decision of the auction, or the naming of a trump; what `HintSearch` asks of it: `cores.Core`.

    worlds   so many are done. Thread safety: `cancel` from any thread, all else from one.
    """

    def __init__(
        self,
        view: View,
        *,
        by: By = "units",
        utility: Sequence[float] | None = None,
        seed: int = 1,
        infer: bool = True,
        method: Method = "playouts",
    ) -> None:
        assert view.turned is not None
        self._view = view
        self._by, self._utility, self._infer = by, utility, infer
        self._exact = method == "pimc"
        self._source = PlayWorlds(view)
        self._draws = Draws(seed)
        self._ahead = AuctionAhead(view)
        self._turned = suit_of(view.turned)
        self._choices = _named(view) if view.phase == "TRUMP" else _spoken(view, self._turned)
        self._met: list[list[_Met]] = [[] for _ in self._choices]
        self._left = list(range(len(self._choices)))
        self._dropped: list[int] = []
        self._weights: list[float] = []
        self._wishes: dict[Contract, Wish] = {}
        self._scenes: dict[Contract, Scene] = {}
        self._engines: dict[tuple[int, int, bool], Engine] = {}
        self._ends: Ends | None = (0.0, 1.0) if by == "made" else None
        self._counts = by in ("tricks", "utility") or view.profile.option("overtrick_schedule") != "none"
        self._lock = threading.Lock()  # for the engines, which `cancel` may stop
        self._cancelled = False

    # ---- rounds ------------------------------------------------------------------------------------------------------

    @property
    def worlds(self) -> int:
        """Worlds done."""
        return len(self._weights)

    @property
    def busy(self) -> bool:
        """Nothing is left when a round is over."""
        return False

    @property
    def fit(self) -> int:
        """Worlds that fit."""
        return self._source.count

    @property
    def effective(self) -> float:
        """How many worlds of the same weight would say as much."""
        return counted(self._weights)

    def cancel(self) -> None:
        """Stop a solve that is running, from any thread; `step` then raises Cancelled."""
        with self._lock:
            self._cancelled = True
            for engine in self._engines.values():
                engine.cancel()

    def step(self, most: int | None = None, timeout: float | None = None) -> None:
        """A round: some worlds more, at most `most`. LimitReached if a solve took longer than `timeout` seconds."""
        count = 1 if self._exact or self.worlds < 2 else min(_ROUND, most or _ROUND)
        drawn = [self._drawn() for _ in range(count)]
        self._play([(world, each) for world in drawn for each in self._due(world)], timeout)
        for world in drawn:
            for each in self._left:
                self._met[each].append(self._meet(world, self._choices[each]))
            self._weights.append(world.weight)
            if self.worlds in _LOOKS:
                self._narrow()

    def _drawn(self) -> _World:
        hands = self._source.draw(self._draws).hands_now
        wishes, weight = self._ahead.wishes(hands)
        return _World(hands, wishes, weight if self._infer else 1.0, {})

    def _due(self, world: _World) -> set[Contract]:
        """The contracts that must be played in a world."""
        choices = [self._choices[each] for each in self._left]
        return {each for choice in choices for each in self._contracts(world, choice) if each is not None}

    def _contracts(self, world: _World, choice: _Choice) -> tuple[Contract | None, Contract | None]:
        """What is played after a choice, and what would be if nobody went higher."""
        contract = self._view.contract
        if contract is not None:
            named = replace(contract, trump=choice.trump)
            return named, named
        end = self._ahead.end(choice.word, world.wishes)
        own = end if choice.word is None else self._ahead.own(choice.word, world.wishes)
        return self._contract(world, end, choice), self._contract(world, own, choice)

    def _contract(self, world: _World, end: End | None, choice: _Choice) -> Contract | None:
        if end is None:
            return None
        view = self._view
        found = contract_for(view.profile, end[0], end[1], view.dealer, self._turned)
        if found.trump != UNNAMED:
            return found
        bidder = end[1][0]
        trump = choice.trump if bidder == view.seat else UNNAMED
        return replace(found, trump=named_simply(world.hands[bidder], end[0]) if trump == UNNAMED else trump)

    def _meet(self, world: _World, choice: _Choice) -> _Met:
        played, own = self._contracts(world, choice)
        made = None if own is None else world.found[own][1]
        if played is None:
            return _Met(world.weight, 0.0, None, made)
        tricks, makes = world.found[played]
        side = tricks if self._view.seat in played.declarers else self._view.profile.hand - tricks
        return _Met(world.weight, self._points(played, tricks, makes), side, made)

    def _points(self, contract: Contract, tricks: int, makes: bool) -> float:
        """What a contract brings the seat; where only that it is made is known, with the tricks nearest to those."""
        wish = self._wish(contract)
        if contract.rule.made(tricks) != makes:
            need = contract.rule.needs
            tricks = need if makes else (1 if contract.rule.fewest else need - 1)
        side = tricks if self._view.seat in contract.declarers else self._view.profile.hand - tricks
        return wish.points[side]

    def _wish(self, contract: Contract) -> Wish:
        if contract not in self._wishes:
            view = self._view
            self._wishes[contract] = contract_wish(view.profile, contract, view.seat, self._by, self._utility)
        return self._wishes[contract]

    # ---- playing -----------------------------------------------------------------------------------------------------

    def _play(self, due: Sequence[tuple[_World, Contract]], timeout: float | None) -> None:
        """Play contracts out in their worlds, those of a kind together, and solve them where that is asked for."""
        kinds: dict[Contract, list[_World]] = {}
        for world, contract in due:
            kinds.setdefault(contract, []).append(world)
        for contract, worlds in kinds.items():
            packed = b"".join(_PACKED.pack(*world.hands) for world in worlds)
            declares, hand = self._view.seat in contract.declarers, self._view.profile.hand
            for world, tricks in zip(worlds, self._scene(contract).play(packed, _RULES), strict=True):
                own = tricks if declares else hand - tricks
                world.found[contract] = own, contract.rule.made(own)
        if self._exact:
            for world, contract in due:
                world.found[contract] = self._solved(world, contract, timeout)

    def _scene(self, contract: Contract) -> Scene:
        if contract not in self._scenes:
            view, rule = self._view, contract.rule
            sides = (contract.declarers, contract.defenders)
            friends = [sum(1 << each for each in side) for seat in range(4) for side in sides if seat in side]
            self._scenes[contract] = Scene(
                view.profile.pack, 0, (0,) * 4, contract.trump, rule.fewest, contract.leader, (), view.seat, 0, 0, 0,
                friends, contract.declarers[0], rule.open,
            )  # fmt: skip
        return self._scenes[contract]

    def _solved(self, world: _World, contract: Contract, timeout: float | None) -> tuple[int, bool]:
        """The declarers' tricks, which are those of the rules unless they count, and whether the contract is made."""
        rule, side = contract.rule, sum(1 << seat for seat in contract.declarers)
        need = max(1, rule.needs)
        counts = self._counts and not rule.fewest  # misères are not counted: that takes too long
        low, high = (0, self._view.profile.hand) if counts else (need - 1, need)
        position = Position(world.hands, contract.trump, contract.leader)
        limits = Limits() if timeout is None else Limits(timeout)
        request = pack(position, side, "fewest" if rule.fewest else "most", limits, low=low, high=high)
        at_least, _, stop, *_ = RESULT.unpack(self._engine(contract, side).run(request, cold=False))
        if stop:
            raise Cancelled if stop == STOP_CANCELLED else LimitReached("time", "expected more time for a solve")
        made = rule.made(at_least) if counts else (at_least < need) == rule.fewest
        return (at_least if counts else world.found[contract][0]), made

    def _engine(self, contract: Contract, side: int) -> Engine:
        """A table for each game and side, for its entries serve in every world."""
        key = contract.trump, side, contract.rule.fewest
        with self._lock:
            if key not in self._engines:
                self._engines[key] = Engine(_TABLE)
                if self._cancelled:
                    self._engines[key].cancel()
            return self._engines[key]

    def _narrow(self) -> None:
        """Leave the choices that are clearly behind."""
        best, *others = sorted(self._left, key=lambda each: (-self._value(each).value, each))
        behind = [each for each in others[_FEWEST - 1 :] if self._apart(best, each)]
        self._dropped = behind + self._dropped
        self._left = [each for each in self._left if each not in behind]

    def _apart(self, best: int, other: int) -> bool:
        lead = self._ahead_of(best, other)
        return lead.error is not None and lead.value > _BEHIND * max(lead.error, 0.1)

    # ---- what is known -----------------------------------------------------------------------------------------------

    def options(self) -> list[Option]:
        """The choices, the best first: those that are left, then those dropped, the last first."""
        order = sorted(self._left, key=lambda each: (-self._cautious(each), each))
        return [self._option(each) for each in (*order, *self._dropped)]

    def _cautious(self, each: int) -> float:
        """What a choice is worth for its place: in the auction the first choice is the pass."""
        value = self._value(each).value
        if not each or self._view.phase != "BID":
            return value
        return value - CAUTION * (self._ahead_of(each, 0).error or 0.0)

    def lead(self, one: Option, other: Option) -> Figure:
        """How far one is ahead of the other in the worlds that both have met."""
        places = [choice.actions for choice in self._choices]
        return self._ahead_of(places.index(one.actions), places.index(other.actions))

    def _ahead_of(self, one: int, other: int) -> Figure:
        pairs = list(zip(self._met[one], self._met[other], strict=False))
        return lead_figure([a.points - b.points for a, b in pairs], [a.weight for a, _ in pairs], ends=self._ends)

    def _value(self, each: int) -> Figure:
        met = self._met[each]
        return value_figure([one.points for one in met], [one.weight for one in met], ends=self._ends)

    def _option(self, each: int) -> Option:
        met = self._met[each]
        taken = [(float(one.tricks), one.weight) for one in met if one.tricks is not None]
        tricks = value_figure(*map(list, zip(*taken, strict=True))) if taken else _NOTHING
        played = fsum(one.weight for one in met if one.made is not None)
        made = fsum(one.weight for one in met if one.made) / played if played else 0.0
        return Option(self._choices[each].actions, self._value(each), tricks, made, len(met), "made")


# ---- choices ---------------------------------------------------------------------------------------------------------


def _named(view: View) -> list[_Choice]:
    """The trumps that may be named."""
    assert view.contract is not None
    trumps = trump_choices(view.profile, view.contract.rule)
    return [_Choice((NameTrump(view.seat, trump),), view.contract.name, trump) for trump in trumps]


def _spoken(view: View, turned: int) -> list[_Choice]:
    """A pass, and what may be bid, low to high; where a trump is to be named the suits that may do."""
    found = [_Choice((Bid(view.seat, None),), None)]
    state = State(view.profile, view.dealer, bids=view.bids, hands=(0,) * 4)
    for word in open_bids(state):
        rule = CONTRACTS.get(word)
        trumps = () if rule is None else trump_choices(view.profile, rule)
        if not trumps:
            found.append(_Choice((Bid(view.seat, word),), word))
        suits = sorted(SUITS, key=lambda suit: (-expected(view.hand, suit, OWN), suit))[:_SUITS]
        for trump in [trump for trump in trumps if trump in suits or trump not in SUITS]:
            found.append(_Choice((Bid(view.seat, word), NameTrump(view.seat, trump)), word, trump))
    return found
