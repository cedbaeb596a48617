"""What a seat wants: points for each number of tricks it may take, so that every objective is a mean of points.

tricks    its expected tricks, and in MIZ, where tricks cost, as few as can be
quota     the chance that it makes its quota; in MIZ that it stays without loss
twelve    the chance that it wins the match by the tricks of this deal (12 where tricks do not settle it)
utility   points that the caller tells, one number for each number of tricks

In a game of contracts tricks are those of the seat's side, declarers or defenders, and an objective is one of

units     the expected units, or money, of the seat
tricks    the expected tricks of the side, where the contract is to win none: as few as can be, for either side
made      the chance that the contract is made, for defenders that it is beaten
utility   points that the caller tells, one number for each number of tricks of the side
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal, TypeAlias

from tierce.solver.advice.estimate_results import marks_of, winning_tricks
from tierce.solver.checks import as_tuple, is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.contracts import Contract, payments
from tierce.solver.games.profile import MIZ, Profile

__all__ = ["BY", "BY_CONTRACT", "By", "Wish", "by_of", "contract_wish", "wish_of"]

By: TypeAlias = Literal["tricks", "quota", "twelve", "utility", "units", "made"]
BY: Final[tuple[By, ...]] = ("tricks", "quota", "twelve", "utility")
_POINTS_MAX: Final = 1e100  # whose squares are numbers, too
BY_CONTRACT: Final[tuple[By, ...]] = ("units", "tricks", "made", "utility")


@dataclass(frozen=True, slots=True)
class Wish:
    """An objective in one deal.

    by       its name
    points   by the number of tricks that are played and taken, from 0 to the tricks of the deal; more is better
    few      are tricks bad (MIZ)?
    quota    tricks with which the seat makes its quota, in MIZ the most without loss; of those played: a kitty that
             counts as a trick is taken off
    makes    in a game of contracts: is the contract made, by the number of tricks of the seat's side
    """

    by: By
    points: tuple[float, ...]
    few: bool
    quota: int
    makes: tuple[bool, ...] = ()

    def made(self, tricks: int) -> bool:
        """Is the quota made, or in MIZ no loss? Is the contract made, whoever asks?"""
        if self.makes:
            return self.makes[min(tricks, len(self.makes) - 1)]
        return tricks <= self.quota if self.few else tricks >= self.quota


def by_of(profile: Profile, by: By | None = None) -> By:
    """An objective of a game; None: what is wanted as a rule. InputError (field "by")."""
    names = BY_CONTRACT if profile.contracts else BY
    found = ("units" if profile.contracts else "tricks") if by is None else by
    if found not in names:
        raise InputError("by", f"expected one of {', '.join(names)}, found {quoted(by)}", field="by")
    return found


def wish_of(
    profile: Profile,
    seat: int,
    call: str,
    quotas: Sequence[int],
    by: By = "tricks",
    utility: Sequence[float] | None = None,
) -> Wish:
    """What a seat wants under a call.

    quotas    of the deal, by seat
    utility   for "utility": points for 0, 1, 2 ... tricks as they count, one more than the tricks of the deal

    InputError (field "by" or "utility").
    """
    by_of(profile, by)
    _check_utility(by, utility)
    beside = int(profile.kitty_trick and seat == 0)  # the dealer's kitty is a trick of his
    few = call == MIZ
    quota = (profile.caps()[seat] if few else quotas[seat]) - beside
    if utility is not None:
        points = _table(utility, profile.counted)[beside:]
    elif by == "tricks":
        points = tuple(float(-count if few else count) for count in range(profile.hand + 1))
    else:
        least = quota if by == "quota" else _winning(profile, seat, quotas) - beside
        if few:
            reached = [by == "quota" and count <= least for count in range(profile.hand + 1)]
        else:
            reached = [count >= least for count in range(profile.hand + 1)]
        points = tuple(map(float, reached))
    return Wish(by, points[: profile.hand + 1], few, quota)


def contract_wish(
    profile: Profile, contract: Contract, seat: int, by: By = "units", utility: Sequence[float] | None = None
) -> Wish:
    """What a seat wants under a contract whose trump is named: points by the tricks of its side.

    utility   for "utility": points for 0, 1 ... 13 tricks of the side

    InputError (field "by" or "utility").
    """
    by_of(profile, by)
    _check_utility(by, utility)
    most, declares = profile.hand, seat in contract.declarers
    won = [count if declares else most - count for count in range(most + 1)]  # the declarers' tricks
    makes = tuple(map(contract.rule.made, won))
    if utility is not None:
        points = _table(utility, most)
    elif by == "tricks":
        points = tuple(float(-count if contract.rule.fewest else count) for count in range(most + 1))
    elif by == "made":
        points = tuple(float(each == declares) for each in makes)
    else:
        points = tuple(float(_paid(profile, contract, count)[seat]) for count in won)
    return Wish(by, points, contract.rule.fewest, contract.rule.needs, makes)


def _paid(profile: Profile, contract: Contract, won: int) -> tuple[int, ...]:
    """What a contract brings by seat, the declarers having won so many tricks."""
    tricks = [0] * profile.seats
    tricks[contract.declarers[0]] = won
    tricks[contract.defenders[0]] = profile.hand - won
    return payments(contract, tricks, str(profile.option("overtrick_schedule") or "none"))


def _check_utility(by: By, utility: Sequence[float] | None) -> None:
    if (by == "utility") != (utility is not None):
        found = "none" if utility is None else f"them beside {by}"
        raise InputError("utility", f"expected points with utility alone, found {found}", field="utility")


def _winning(profile: Profile, seat: int, quotas: Sequence[int]) -> int:
    """Tricks, as they count, that win the match for a seat."""
    if seat:
        return winning_tricks(profile, quotas[seat])
    return marks_of(profile, "", quotas).win or 0


def _table(utility: Sequence[float], most: int) -> tuple[float, ...]:
    values = as_tuple(utility)
    if values is None or len(values) != most + 1 or not all(is_number(each) and isfinite(each) for each in values):
        message = f"expected {most + 1} numbers, the points for 0 to {most} tricks, found {quoted(utility)}"
        raise InputError("utility", message, field="utility")
    if max(map(abs, values)) > _POINTS_MAX:
        message = f"expected points of at most {_POINTS_MAX:g} either way, found {quoted(utility)}"
        raise InputError("utility", message, field="utility")
    return tuple(map(float, values))
