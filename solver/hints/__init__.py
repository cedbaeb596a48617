"""Hints: the best decision of a player from what he can see, and players that follow them."""

from tierce.solver.hints.objectives import Wish, wish_of
from tierce.solver.hints.results import Hint, Option

__all__ = ["Hint", "Option", "Wish", "wish_of"]
