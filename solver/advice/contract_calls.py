"""The calls of an auction for a contract, judged against what can be made in the deal, all hands seen.

    calls = judged_calls(deal, table)
    [call.loss for call in calls]

Units of the seat that calls are compared, over- and undertricks apart. What a call is worth:

    a bid                what its contract brings if it stands and all play best, with the best trump where one is named
    Prop                 the same with the best of the partners who may still accept it; 0 where nobody may
    the pass that was said   what stood in the end, if all had played best
    a pass instead of a bid  what stood then, the same way; 0 for nothing, or for a Prop that nobody had accepted

A call is held against the best that its seat could have said at that turn. Whether others would have gone over that is
not reckoned; who could have, with a contract that is made, is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tierce.solver.advice.contracts_results import OVER_ANOTHER, ContractTable, SeatBid
from tierce.solver.cards import SEATS4
from tierce.solver.games.actions import Bid
from tierce.solver.games.contract_auction import contract_found, open_bids, standing
from tierce.solver.games.contracts import SINGLE, Contract
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.rules import apply
from tierce.solver.games.state import State

__all__ = ["CallJudged", "SeatAuction", "judged_calls", "seat_auctions", "stood_units"]

Json: TypeAlias = dict[str, Any]
_PAIR: Final = "prop_cop"


@dataclass(frozen=True, slots=True)
class CallJudged:
    """A bid or a pass. Units are the caller's; None where the table does not know them.

    bid     a word of the auction, None for a pass
    worth   of this call
    stood   what stood in the end brings with best play by all
    best    the calls that were worth most, a pass (None) first, then low to high; best_units: so much; () and None
            where that is not known
    over    who could have gone over the dearest of them, and the highest bid that is made
    """

    seat: int
    bid: str | None
    worth: int | None
    stood: int | None
    best: tuple[str | None, ...]
    best_units: int | None
    over: tuple[tuple[int, str], ...] = ()

    @property
    def loss(self) -> int | None:
        """What the call cost its seat against the best, in units."""
        return None if self.best_units is None or self.worth is None else self.best_units - self.worth

    def json(self) -> Json:
        """As JSON values."""
        return {
            "seat": SEATS4[self.seat],
            "bid": self.bid or "pass",
            "units": self.worth,
            "stood": self.stood,
            "best": [each or "pass" for each in self.best],
            "best_units": self.best_units,
            "loss": self.loss,
            "over": [{"seat": SEATS4[seat], "bid": bid} for seat, bid in self.over],
        }


@dataclass(frozen=True, slots=True)
class SeatAuction:
    """A seat's auction.

    dearest   the dearest bid that it makes, whether it could be said or not
    stood     what stood in the end brings it with best play by all; best: the most that any call of its could bring
    loss      of its dearest mistake: mistakes of one auction are not added up, for each is held against the whole of
              what stood. None where a call was not judged; 0 for who said nothing
    """

    seat: int
    dearest: SeatBid
    stood: int | None
    best: int | None
    loss: int | None

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"seat": SEATS4[self.seat], "dearest": self.dearest.json()}
        return out | {"stood": self.stood, "best": self.best, "loss": self.loss}


def judged_calls(deal: ReplayedDeal, table: ContractTable) -> tuple[CallJudged, ...]:
    """Every bid and pass of a deal's auction, in order. `table`: that of the deal, as far as it is known."""
    said = [(state, action) for action, state in deal.steps() if isinstance(action, Bid)]
    stood = stood_units(deal, table)
    return tuple(_judged(state, action, stood, table) for state, action in said)


def stood_units(deal: ReplayedDeal, table: ContractTable) -> tuple[int | None, ...]:
    """What stood in the end brings each seat, if all play best; 0 in a deal that is void."""
    contract = deal.state.contract
    if contract is None:
        return (0, 0, 0, 0)
    return tuple(_units(table, contract.name, contract.declarers, seat) for seat in range(4))


def seat_auctions(deal: ReplayedDeal, table: ContractTable, calls: Iterable[CallJudged]) -> tuple[SeatAuction, ...]:
    """The auction by seat."""
    told, stood, dearest = list(calls), stood_units(deal, table), table.seats
    return tuple(_seat(seat, dearest[seat], stood[seat], told) for seat in range(4))


def _seat(seat: int, dearest: SeatBid, stood: int | None, calls: list[CallJudged]) -> SeatAuction:
    own = [call for call in calls if call.seat == seat]
    losses = [call.loss for call in own if call.loss is not None]
    bests = [call.best_units for call in own if call.best_units is not None]
    known = len(losses) == len(own)
    return SeatAuction(
        seat,
        dearest,
        stood,
        max(bests) if bests and known else stood if not own else None,
        max(losses, default=0) if known else None,
    )


# ---- what calls are worth --------------------------------------------------------------------------------------------


def _judged(state: State, action: Bid, stood: tuple[int | None, ...], table: ContractTable) -> CallJudged:
    seat = action.seat
    said = action.bid if isinstance(action.bid, str) else None
    worth: dict[str | None, int | None] = {None: stood[seat] if said is None else _leaving(state, seat, table)}
    worth |= {bid: _worth(state, seat, bid, table) for bid in open_bids(state)}
    known = [units for units in worth.values() if units is not None]
    if len(known) < len(worth):
        return CallJudged(seat, said, worth[said], stood[seat], (), None)
    most = max(known)
    best = tuple(bid for bid, units in worth.items() if units == most)
    return CallJudged(seat, said, worth[said], stood[seat], best, most, tuple(_over(state, seat, best[-1], table)))


def _leaving(state: State, seat: int, table: ContractTable) -> int | None:
    """What stands before a call, as if all others passed."""
    found = standing(state)
    if found is None or found[0] == "prop":
        return 0
    return _units(table, *found, seat)


def _worth(state: State, seat: int, bid: str, table: ContractTable) -> int | None:
    if bid == "cop":
        after = contract_found(apply(state, Bid(seat, bid)))
        assert after is not None
        return _units(table, after.name, after.declarers, seat)
    if bid != "prop":
        return _units(table, bid, (seat,), seat)
    found = [_units(table, _PAIR, (seat, partner), seat) for partner in _partners(state, seat)]
    if 1 in found or not found:
        return 1 if found else 0
    return None if None in found else -1


def _partners(state: State, seat: int) -> Iterator[int]:
    """Who may still accept a Prop: whoever has not passed, and eldest, who may come back."""
    passed = {each for each, word in state.bids if word is None}
    return (each for each in range(4) if each != seat and (each not in passed or each == state.eldest))


def _units(table: ContractTable, name: str, declarers: tuple[int, ...], seat: int) -> int | None:
    """What a contract brings a seat with best play by all, the best trump named."""
    side = sum(1 << each for each in declarers)
    found = [row.makes for row in table.of(name) if row.side == side]
    if True not in found and None in found:
        return None
    return Contract(name, declarers).units(True in found)[seat]


def _over(state: State, seat: int, bid: str | None, table: ContractTable) -> Iterator[tuple[int, str]]:
    """Who is still in and makes something above a bid, and what."""
    if bid is None:
        return
    passed = {each for each, word in state.bids if word is None}
    above = SINGLE[SINGLE.index(bid) + 1 :] if bid in SINGLE else SINGLE
    for other in range(4):
        if other == seat or other in passed:
            continue
        made = [name for name in above if _open(name, bid, table) and any(row.makes for row in table.of(name, other))]
        if made:
            yield other, made[-1]


def _open(name: str, below: str, table: ContractTable) -> bool:
    return name != OVER_ANOTHER or table.ait_open or below == "abundance"
