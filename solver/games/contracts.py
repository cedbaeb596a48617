"""The contracts of Solo Whist: the one table of them, and a contract that was bid.

    rule = CONTRACTS["abundance"]
    rule.needs, rule.side, rule.units
    Contract("solo", declarers=(2,), trump=0, leader=1).made((2, 3, 5, 3))

Seats are 0..3, N E S W; trumps 0..3, S H D C, and 4 for none. A contract's table is in the order of the auction, low to
high; prop_cop is what the bids `prop` and `cop` make together. Sides change from deal to deal: whoever is no declarer
is a defender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from tierce.solver.cards import NOTRUMP

__all__ = [
    "BIDS", "CONTRACTS", "SCHEDULES", "SINGLE", "UNNAMED", "Contract", "ContractRule", "Schedule", "TrumpRule",
    "contract_title", "payments",
]  # fmt: skip

TrumpRule: TypeAlias = Literal["turned", "named", "none"]
UNNAMED: Final = -1  # the trump of a contract whose bidder has still to name it


@dataclass(frozen=True, slots=True)
class ContractRule:
    """What a contract asks for.

    side    how many declare: 2 (any two seats) or 1 against three
    needs   tricks the side must win together, at least; 0: it must win none
    units   what each pays or gets: a pair 1 each way, one hand three times this
    trump   the suit of the turned-up card, one the bidder names after the auction, or none
    leads   who leads to the first trick: eldest (left of the dealer) or the declarer
    open    the declarer's hand lies open after the first trick
    """

    name: str
    title: str
    side: Literal[1, 2]
    needs: int
    units: int
    trump: TrumpRule
    leads: Literal["eldest", "declarer"] = "eldest"
    open: bool = False

    @property
    def fewest(self) -> bool:
        """Must the side win no trick at all?"""
        return self.needs == 0

    def made(self, tricks: int) -> bool:
        """Is it made with so many tricks of the side?"""
        return tricks == 0 if self.fewest else tricks >= self.needs


CONTRACTS: Final[Mapping[str, ContractRule]] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            ContractRule("prop_cop", "Prop and Cop", 2, 8, 1, "turned"),
            ContractRule("solo", "Solo", 1, 5, 1, "turned"),
            ContractRule("misere", "Misère", 1, 0, 2, "none"),
            ContractRule("abundance", "Abundance", 1, 9, 3, "named"),
            ContractRule("abundance_in_trumps", "Abundance in Trumps", 1, 9, 3, "turned"),
            ContractRule("misere_ouverte", "Misère Ouverte", 1, 0, 4, "none", open=True),
            ContractRule("abundance_declared", "Abundance Declared", 1, 13, 6, "none", leads="declarer"),
        )
    }
)
SINGLE: Final = tuple(name for name, rule in CONTRACTS.items() if rule.side == 1)  # bids that are contracts as they are
BIDS: Final = ("prop", "cop", *SINGLE)  # what may be said in the auction besides a pass, low to high


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is paid where over- and undertricks cost money, by contract: the stake, and for each trick over and under.

    A contract that is not in `tricks` pays its stake alone; slam: a pair with all tricks gets double for those over.
    """

    stakes: tuple[int, ...]  # in the order of CONTRACTS
    tricks: Mapping[str, tuple[int, int]]
    slam: bool = False

    def stake(self, name: str) -> int:
        """What each who loses a contract pays, over- and undertricks apart."""
        return self.stakes[tuple(CONTRACTS).index(name)]


# Published schedules. fives: rules pages of today, five points a unit, of which a trick of Prop and Cop or Solo is one,
# and one of Abundance two over and one under. pence: Hoyle's Games Modernized (1909), "six, twelve and eighteen", the
# two dearest bids from the Encyclopaedia Britannica (1911). cents: a note on everything2, which pays for overtricks.
SCHEDULES: Final[Mapping[str, Schedule]] = MappingProxyType(
    {
        "fives": Schedule(
            (5, 5, 10, 15, 15, 20, 30),
            {"prop_cop": (1, 1), "solo": (1, 1), "abundance": (2, 1), "abundance_in_trumps": (2, 1)},
        ),
        "pence": Schedule((6, 6, 12, 18, 18, 24, 36), {"prop_cop": (1, 1), "solo": (1, 1)}, slam=True),
        "cents": Schedule((10, 10, 25, 50, 60, 75, 100), {"prop_cop": (1, 0), "solo": (1, 0)}),
    }
)


def contract_title(name: str) -> str:
    """A contract or a bid as people say it."""
    return CONTRACTS[name].title if name in CONTRACTS else name.capitalize()


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract to be played. `declarers`: one seat or two, the one who proposed first; `trump` 0..3, 4 for none, and
    UNNAMED (-1) only until its bidder has named it; `leader` leads to the first trick."""

    name: str
    declarers: tuple[int, ...]
    trump: int = NOTRUMP
    leader: int = 0

    @property
    def rule(self) -> ContractRule:
        """Its row of the table."""
        return CONTRACTS[self.name]

    @property
    def defenders(self) -> tuple[int, ...]:
        """The seats that do not declare."""
        return tuple(seat for seat in range(4) if seat not in self.declarers)

    def won(self, tricks: Sequence[int]) -> int:
        """The declarers' tricks together, of tricks by seat."""
        return sum(tricks[seat] for seat in self.declarers)

    def made(self, tricks: Sequence[int]) -> bool:
        """Is it made with these tricks, by seat, at the end of the play?"""
        return self.rule.made(self.won(tricks))

    def units(self, made: bool) -> tuple[int, ...]:
        """Units won and lost by seat; they sum to 0."""
        return self._settled(self.rule.units if made else -self.rule.units)

    def _settled(self, stake: int) -> tuple[int, ...]:
        """By seat, if each defender pays so much: two share what two pay, one gets it from three."""
        share = stake * len(self.defenders) // len(self.declarers)
        return tuple(share if seat in self.declarers else -stake for seat in range(4))


def payments(contract: Contract, tricks: Sequence[int], schedule: str = "none") -> tuple[int, ...]:
    """What a contract brings by seat with these tricks by seat at its end: units or, with a schedule, its money."""
    made = contract.made(tricks)
    if schedule == "none":
        return contract.units(made)
    paid, won = SCHEDULES[schedule], contract.won(tricks)
    over, under = paid.tricks.get(contract.name, (0, 0))
    if paid.slam and len(contract.declarers) == 2 and won == sum(tricks):
        over *= 2
    extra = over * (won - contract.rule.needs) if made else under * (contract.rule.needs - won)
    stake = paid.stake(contract.name) + extra
    return contract._settled(stake if made else -stake)
