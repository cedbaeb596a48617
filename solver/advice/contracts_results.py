"""What a table of contracts says: contract by contract, by seat, and the highest bid that somebody makes.

All cards are seen: a Misère Ouverte is then worth what a Misère is, and in play it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tierce.solver.cards import SEATS4, Card, card_name, side_name, trump_name
from tierce.solver.deal import Deal
from tierce.solver.games.contracts import CONTRACTS, Contract

__all__ = ["ContractRow", "ContractTable", "HighestBid", "SeatBid"]

Json: TypeAlias = dict[str, Any]

OVER_ANOTHER: Final = "abundance_in_trumps"  # a bid that goes over another's only, unless an option opens it
SEEN: Final = "all hands"


@dataclass(frozen=True, slots=True)
class ContractRow:
    """One contract of some seats.

    needs    tricks that make it; 0: none may be taken
    makes    is it made with best play by all? None: not known
    lead     where it is not made, the lead that beats it: of all such leads the lowest, suits in the order S H D C.
             None if it is made, not known, or the declarers lead: then nothing they lead makes it
    tricks   what the declarers take with best play, where that was asked; never of a contract without tricks
    """

    contract: Contract
    needs: int
    makes: bool | None = None
    lead: Card | None = None
    tricks: int | None = None

    @property
    def name(self) -> str:
        """The contract's name."""
        return self.contract.name

    @property
    def side(self) -> int:
        """The declarers, a mask of seats."""
        return sum(1 << seat for seat in self.contract.declarers)

    @property
    def fewest(self) -> bool:
        """Must the declarer take none?"""
        return not self.needs

    @property
    def defended(self) -> bool:
        """Does a defender lead?"""
        return self.contract.leader not in self.contract.declarers

    @property
    def complete(self) -> bool:
        """Is it known whether it is made, and what beats it?"""
        return self.makes is not None and (self.makes or self.lead is not None or not self.defended)

    def json(self) -> Json:
        """As JSON values; `lead` only where a lead may beat it, `tricks` only where they are known."""
        contract = self.contract
        out: Json = {
            "contract": contract.name,
            "declarers": side_name(self.side, 4),
            "trump": trump_name(contract.trump),
            "leader": SEATS4[contract.leader],
            "needs": self.needs,
            "makes": self.makes,
        }
        if self.makes is False and self.defended:
            out["lead"] = None if self.lead is None else card_name(self.lead)
        return out if self.tricks is None else out | {"tricks": self.tricks}


@dataclass(frozen=True, slots=True)
class SeatBid:
    """The dearest bid that a seat makes.

    bid       the contract's name; "" if it makes none
    units     of the contract
    trumps    the trumps with which it is made; where tricks are counted, those that take most first
    partners  of Prop and Cop: the seats with which it is made, in the same order
    settled   False: a limit came first, and a dearer one may be made, or this with more trumps or partners
    """

    seat: int
    bid: str = ""
    units: int = 0
    trumps: tuple[int, ...] = ()
    partners: tuple[int, ...] = ()
    settled: bool = True

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"bid": self.bid or None, "units": self.units}
        if self.bid:
            out["trumps"] = [trump_name(trump) for trump in self.trumps]
        if self.partners:
            out["partners"] = [SEATS4[seat] for seat in self.partners]
        return out if self.settled else out | {"settled": False}


@dataclass(frozen=True, slots=True)
class HighestBid:
    """The highest bid of the auction that somebody makes: its name, "" for none; its units, the sides (masks) that make
    it. `settled` is False where a limit left a higher one, or more sides, unknown."""

    bid: str = ""
    units: int = 0
    sides: tuple[int, ...] = ()
    settled: bool = True

    def json(self) -> Json:
        """As JSON values."""
        declarers = [side_name(side, 4) for side in self.sides]
        out: Json = {"bid": self.bid or None, "units": self.units, "declarers": declarers}
        return out if self.settled else out | {"settled": False}


@dataclass(frozen=True, slots=True)
class ContractTable:
    """Every contract of every seat in one deal.

    dealer, eldest   seats 0..3; eldest, on the dealer's left, leads unless the bidder does
    trump            the suit of the turned-up card; `turned`: that card, if it was told
    ait_open         may an auction open with Abundance in Trumps?
    rows             low to high in the auction, pairs NE NS NW ES EW SW, seats N E S W, trumps S H D C N
    nodes            starts of tricks searched; millis: wall time
    stop             0, or why the search ended early (tierce.solver.search.STOP_*)
    """

    deal: Deal
    dealer: int
    trump: int
    turned: Card | None
    ait_open: bool
    rows: tuple[ContractRow, ...]
    nodes: int = 0
    millis: float = 0.0
    stop: int = 0

    @property
    def eldest(self) -> int:
        """The seat on the dealer's left."""
        return (self.dealer + 1) % 4

    @property
    def complete(self) -> bool:
        """Is all known that was asked?"""
        return not self.stop and all(row.complete for row in self.rows)

    def of(self, name: str, seat: int | None = None) -> tuple[ContractRow, ...]:
        """The rows of one contract, of one seat's (and with Prop and Cop its partners') if it is told."""
        return tuple(row for row in self.rows if row.name == name and seat in (None, *row.contract.declarers))

    @property
    def seats(self) -> tuple[SeatBid, ...]:
        """The dearest bid that each seat makes, by seat. Abundance in Trumps pays what Abundance does and is made by
        the same hand, but mostly cannot be bid first: it counts only where `ait_open`."""
        return tuple(map(self._dearest, range(4)))

    @property
    def highest(self) -> HighestBid:
        """The highest bid that somebody makes, among those that count for `seats`."""
        settled = True
        for name in self._downwards():
            rows = self.of(name)
            settled = settled and all(row.makes is not None for row in rows)
            sides = dict.fromkeys(row.side for row in rows if row.makes)
            if sides:
                return HighestBid(name, CONTRACTS[name].units, tuple(sides), settled)
        return HighestBid(settled=settled)

    def _downwards(self) -> Iterator[str]:
        return (name for name in reversed(tuple(CONTRACTS)) if self.ait_open or name != OVER_ANOTHER)

    def _dearest(self, seat: int) -> SeatBid:
        settled = True
        for name in self._downwards():
            rows = self.of(name, seat)
            settled = settled and all(row.makes is not None for row in rows)
            if made := sorted((row for row in rows if row.makes), key=lambda row: -(row.tricks or 0)):
                trumps = tuple(dict.fromkeys(row.contract.trump for row in made))
                partners = tuple(each for row in made for each in row.contract.declarers if each != seat)
                return SeatBid(seat, name, CONTRACTS[name].units, trumps, partners, settled)
        return SeatBid(seat, settled=settled)

    def json(self) -> Json:
        """As JSON values."""
        return {
            "kind": "contracts",
            "seen": SEEN,
            "dealer": SEATS4[self.dealer],
            "eldest": SEATS4[self.eldest],
            "trump": trump_name(self.trump),
            "turned": None if self.turned is None else card_name(self.turned),
            "contracts": [row.json() for row in self.rows],
            "seats": {SEATS4[each.seat]: each.json() for each in self.seats},
            "highest": self.highest.json(),
            "complete": self.complete,
            "nodes": self.nodes,
            "millis": round(self.millis, 3),
        }
