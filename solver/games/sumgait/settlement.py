"""Settlement: each player's Vist, halved, is presented to both rivals; then debts are netted.

What two owe each other is the difference of their halves, so that a player's net is 1.5 times his Vist minus half of
the sum of all three. The nets sum to 0, and after netting the losers pay the winners directly.

>>> [(each.debtor, each.creditor, each.amount) for each in settle((3600, 3570, 2760)).payments]
[(2, 0, 435), (2, 1, 390)]

Amounts are whole numbers or, where a Vist is odd, have a half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.errors import InputError

__all__ = ["VIST_MAX", "Amount", "Payment", "Settlement", "settle"]

Amount: TypeAlias = int | float
VIST_MAX: Final = 10**9  # of any match, by far


@dataclass(frozen=True, slots=True)
class Payment:
    """What one player owes another, or pays him; players 0, 1, 2."""

    debtor: int
    creditor: int
    amount: Amount


@dataclass(frozen=True, slots=True)
class Settlement:
    """debts: between each two players, before netting, none of 0; payments: after it; nets by player, sum 0."""

    vist: tuple[int, int, int]
    halves: tuple[Amount, Amount, Amount]
    debts: tuple[Payment, ...]
    payments: tuple[Payment, ...]
    nets: tuple[Amount, Amount, Amount]


def settle(vist: Sequence[int]) -> Settlement:
    """Settle three Vists, in the order of the players. InputError (field "vist") for anything else."""
    given = as_tuple(vist)
    if given is None or len(given) != 3:
        raise InputError("vist", f"expected three Vists, found {quoted(vist)}", field="vist")
    for each in given:
        if not is_whole(each) or abs(each) > VIST_MAX:
            message = f"expected whole numbers from {-VIST_MAX} to {VIST_MAX}, found {quoted(each)}"
            raise InputError("vist", message, field="vist")
    first, second, third = given
    doubled = [3 * each - sum(given) for each in given]  # twice the nets, so that all is whole
    nets = tuple(map(_half, doubled))
    return Settlement(
        (first, second, third),
        (_half(first), _half(second), _half(third)),
        tuple(_debts(given)),
        tuple(_payments(doubled)),
        (nets[0], nets[1], nets[2]),
    )


def _half(doubled: int) -> Amount:
    return doubled / 2 if doubled % 2 else doubled // 2


def _debts(vist: Sequence[int]) -> list[Payment]:
    """What the one with less owes the one with more, for each two players."""
    found = []
    for one in range(3):
        for other in range(one):
            debtor, creditor = (one, other) if vist[one] < vist[other] else (other, one)
            if owed := vist[creditor] - vist[debtor]:
                found.append(Payment(debtor, creditor, _half(owed)))
    return found


def _payments(doubled: Sequence[int]) -> list[Payment]:
    """Losers pay winners: of three players either one loses or one wins, so that nobody's net needs splitting."""
    losers = [player for player in range(3) if doubled[player] < 0]
    winners = [player for player in range(3) if doubled[player] > 0]
    if len(losers) == 1:
        return [Payment(losers[0], each, _half(doubled[each])) for each in winners]
    return [Payment(each, winners[0], _half(-doubled[each])) for each in losers]
