"""What the options allow to be spent on one deal."""

from __future__ import annotations

from typing import Any

from tierce.solver.budget import Budget, solve_query

__all__ = ["Budget", "budget_of", "solve_query"]


def budget_of(given: dict[str, Any]) -> Budget:
    """The limits typed, for one deal from now on."""
    return Budget(given["timeout"], given["max_nodes"])
