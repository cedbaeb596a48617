"""The parts of a contract's review: the trump named, where it turned, how it stood, what sides and seats lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from tierce.solver.advice.contract_ledger import ContractPlay
from tierce.solver.cards import SEATS4, trump_name

__all__ = ["ContractClaim", "ContractSeat", "ContractSide", "ContractStanding", "ContractTurn", "TrumpJudged"]

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TrumpJudged:
    """The trump that a contract's bidder named, 0..3 or 4 for none.

    makes    (trump, is the contract made with it?), of those he could name
    tricks   (trump, what he takes with it if all play best); None where it is not known
    """

    seat: int
    chosen: int
    makes: tuple[tuple[int, bool | None], ...]
    tricks: tuple[tuple[int, int | None], ...]

    @property
    def loss(self) -> int | None:
        """Tricks that the best trump takes more; None if not all are known."""
        known = {trump: tricks for trump, tricks in self.tricks if tricks is not None}
        return max(known.values()) - known[self.chosen] if len(known) == len(self.tricks) else None

    @property
    def best(self) -> tuple[int, ...]:
        """The trumps with most tricks, where all are known; else those that are known to make the contract."""
        if self.loss is None:
            return tuple(trump for trump, makes in self.makes if makes)
        most = max(tricks or 0 for _, tricks in self.tricks)
        return tuple(trump for trump, tricks in self.tricks if tricks == most)

    @property
    def decided(self) -> bool | None:
        """Did it beat the contract: another would have made it, this does not? None: not known."""
        makes = dict(self.makes)
        if makes[self.chosen]:
            return False
        if makes[self.chosen] is None or (True not in makes.values() and None in makes.values()):
            return None
        return True in makes.values()

    def json(self) -> Json:
        """As JSON values."""
        makes, tricks = dict(self.makes), dict(self.tricks)
        return {
            "seat": SEATS4[self.seat],
            "trump": trump_name(self.chosen),
            "loss": self.loss,
            "decided": self.decided,
            "best": [trump_name(each) for each in self.best],
            "trumps": [{"trump": trump_name(each), "makes": makes[each], "tricks": tricks[each]} for each in makes],
        }


@dataclass(frozen=True, slots=True)
class ContractTurn:
    """A turning point: a card after which the contract stands otherwise, or one that cost two tricks or more.

    number   the play's place in the ledger
    before, after   is the contract made if all play best from there?
    """

    number: int
    play: ContractPlay
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class ContractStanding:
    """After a trick: who won it, the declarers' worth, whether the contract is then made if all play best, and whether
    that is settled whatever is played."""

    trick: int
    winner: int
    worth: int
    makes: bool
    settled: bool


@dataclass(frozen=True, slots=True)
class ContractClaim:
    """A claim against what the position was worth.

    left     tricks that were left; tricks: what each seat got of them
    worth    what the declarers would have got of them with best play by all; got: what they got. Where none may be
             taken both are of the whole hand: 0, or 1 for one or more
    makes    would the contract have been made? made: was it, by the claim?
    """

    left: int
    tricks: tuple[int, ...]
    worth: int
    got: int
    makes: bool
    made: bool

    @property
    def fair(self) -> bool:
        """Did each side get what it was sure of?"""
        return self.worth == self.got

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"left": self.left, "tricks": list(self.tricks), "worth": self.worth, "got": self.got}
        return out | {"makes": self.makes, "made": self.made, "fair": self.fair}


@dataclass(frozen=True, slots=True)
class ContractSide:
    """The declarers together, or the defenders together.

    lost      tricks that their cards cost them; units: what these cost each seat of the side
    turned    cards of theirs after which the contract stood worse for them
    unforced  cards played with a choice; best: those of them that lost nothing
    """

    declares: bool
    seats: tuple[int, ...]
    lost: int
    units: int
    turned: int
    unforced: int
    best: int


@dataclass(frozen=True, slots=True)
class ContractSeat:
    """One seat's account: units = start - own - partners + others (+ claim), of each seat exactly.

    start     what the contract was worth to it at the first card that is accounted for, if all played best
    own       what its own cards cost it; partners: what those of its side cost it; others: what the other side's gave
    claim     what a claim brought it over that
    units     what the deal brought it; where the hand is not finished, what it would bring with best play
    lost      tricks that its own cards cost its side; turned: cards after which the contract stood worse for it
    unforced  cards played with a choice; best: those of them that lost nothing
    """

    seat: int
    player: int
    name: str
    declares: bool
    units: int
    start: int
    own: int
    partners: int
    others: int
    claim: int
    lost: int
    turned: int
    unforced: int
    best: int
