"""Balances, totals, and the end of a match. By seat within a deal, by player over a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tierce.solver.games.contracts import Contract
from tierce.solver.games.profile import MIZ, Profile

__all__ = ["DealResult", "balances", "counted_tricks", "first_over", "seat_of", "winners"]


@dataclass(frozen=True, slots=True)
class DealResult:
    """A deal that has been scored. `dealer` is a player; the rest is by seat: dealer, eldest, middle, or N, E, S, W.

    tricks      counted tricks (with the kitty where it is one)
    quotas      tricks owed; in MIZ the tricks without loss; 0 in a game of contracts
    balances    what the deal brought: tricks over and under, or units
    first_over  the seat that was first over its quota, if there is one and it was so before a claim: the order of the
                tricks claimed is not known
    contract    in a game of contracts what was played; None for a deal that was void
    """

    dealer: int
    call: str
    quotas: tuple[int, ...]
    tricks: tuple[int, ...]
    balances: tuple[int, ...]
    first_over: int | None = None
    bid: int | None = None
    contract: Contract | None = None


def seat_of(player: int, dealer: int) -> int:
    """The seat of a player of three: 0 dealer, 1 eldest, 2 middle."""
    return (player - dealer) % 3


def counted_tricks(profile: Profile, taken: Sequence[int]) -> tuple[int, ...]:
    """Tricks by seat as they count: the kitty is the dealer's, where it is a trick."""
    return taken[0] + (1 if profile.kitty_trick else 0), *taken[1:]


def balances(quotas: Sequence[int], tricks: Sequence[int], call: str = "") -> tuple[int, ...]:
    """Tricks won minus quota by seat; in MIZ the most tricks without loss minus tricks won."""
    sign = -1 if call == MIZ else 1
    return tuple(sign * (won - owed) for won, owed in zip(tricks, quotas, strict=True))


def first_over(profile: Profile, quotas: Sequence[int], winners_in_order: Sequence[int]) -> int | None:
    """The seat that first had more tricks than its quota, or None."""
    count = list(counted_tricks(profile, (0, 0, 0)))
    for seat in winners_in_order:
        count[seat] += 1
        if count[seat] > quotas[seat]:
            return seat
    return None


def winners(profile: Profile, results: Sequence[DealResult], totals: Sequence[int]) -> tuple[int, ...]:
    """The players who have won the match after its last deal in `results`; () if it goes on. More than one: a tie.

    totals   running totals by player, the last deal counted
    """
    last, end = results[-1], profile.options.get("end")
    if end in ("twelve", "thirteen", "sixteen"):
        return _by_tricks(profile, last, {"twelve": 12, "thirteen": 13, "sixteen": 16}[str(end)])
    if end == "quota_plus_5":
        return _by_quota(profile, last)
    if end == "deals":
        return _highest(totals) if len(results) >= profile.number("goal") else ()
    goal = profile.number("goal")
    if max(totals) < goal and not (profile.both_ways and min(totals) <= -goal):
        return ()
    best = _highest(totals)
    return best if len(best) == 1 or profile.option("goal_tie") == "shared" else ()


def _by_tricks(profile: Profile, last: DealResult, needed: int) -> tuple[int, ...]:
    tricks = list(last.tricks)
    if profile.kitty_trick and not profile.option("count_kitty_trick_for_win"):
        tricks[0] -= 1
    for seat in range(3):
        if tricks[seat] >= needed:
            failed = seat == 0 and last.bid is not None and last.balances[0] < 0
            return () if failed and profile.option("win_needs_bid") else ((last.dealer + seat) % 3,)
    return ()


def _by_quota(profile: Profile, last: DealResult) -> tuple[int, ...]:
    """Five over the quota; of two who are, the one with the higher surplus; equal surplus: `goal_tie`."""
    best = max(last.balances)
    over = tuple((last.dealer + seat) % 3 for seat in range(3) if last.balances[seat] == best)
    return over if best >= 5 and (len(over) == 1 or profile.option("goal_tie") == "shared") else ()


def _highest(totals: Sequence[int]) -> tuple[int, ...]:
    return tuple(player for player, total in enumerate(totals) if total == max(totals))
