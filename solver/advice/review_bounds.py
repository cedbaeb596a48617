"""Bounds of what a decision was worth and cost, as balances: tricks over the quota, in MIZ under what is allowed."""

from __future__ import annotations

from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.review_results import Decision

__all__ = ["best_calls", "best_ends", "empty", "ends", "most", "raised"]


def ends(advice: DealerAdvice, of: CallAdvice | Chosen) -> tuple[float, float]:
    """Bounds of a balance."""
    return _told(advice, of, of.low), _told(advice, of, of.high)


def _told(advice: DealerAdvice, of: CallAdvice | Chosen, score: int) -> float:
    """A score as a balance."""
    quota, tricks = advice.quota(of.worth), of.worth.told(score)
    return quota - tricks if of.worth.kind == "cap" else tricks - quota


def most(advice: DealerAdvice, call: CallAdvice) -> float:
    """The highest balance that there could be after a call."""
    return _told(advice, call, call.worth.range()[1])


def best_ends(advice: DealerAdvice) -> tuple[float, float]:
    """Bounds of the best balance of all calls."""
    bounds = [ends(advice, call) for call in advice.calls]
    return max(low for low, _ in bounds), max(high for _, high in bounds)


def best_calls(advice: DealerAdvice) -> list[str]:
    """The calls that are worth as much as any; none where that is not settled."""
    low, high = best_ends(advice)
    bounds = {call.call: ends(advice, call) for call in advice.calls}
    if low != high or any(one < low == other for one, other in bounds.values()):
        return []
    return [call for call, (one, _) in bounds.items() if one == low]


def raised(bounds: tuple[float, float], low: float) -> tuple[float, float]:
    """Bounds of the best of some choices, one of which is worth so much at least."""
    return max(bounds[0], low), bounds[1]


def empty(decision: Decision, most: float) -> bool:
    """Is no more known of what a decision cost than that nothing is worth more than the rules allow?"""
    return decision.loss is None and not decision.loss_bounds[0] and decision.best[1] >= most
