"""Which card to play in a contract."""

from __future__ import annotations

from typing import Final

from tierce.solver.games.view import View
from tierce.solver.hints.card_search import CardSearch
from tierce.solver.hints.cores import Core
from tierce.solver.hints.objectives import Wish
from tierce.solver.hints.results import Method
from tierce.solver.hints.worlds import Worlds

__all__ = ["CONTRACT_METHOD", "contract_core"]

CONTRACT_METHOD: Final[Method] = "tree"


def contract_core(view: View, wish: Wish, worlds: Worlds, method: Method, seed: int) -> Core:
    """What values the cards of a view in the play of a contract."""
    return CardSearch(view, wish, worlds, method, seed)
