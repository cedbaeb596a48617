"""Questions put to the solver, as `tierce solve` puts them: about a deal and about the games of a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tierce.cli.exits import LIMIT, OK, complain
from tierce.solver.asking import Asked, Json, result_json
from tierce.solver.budget import limit_of
from tierce.solver.cards import seat_letters
from tierce.solver.errors import LimitReached
from tierce.solver.query import Query
from tierce.solver.results import Floors, SideResult

__all__ = ["filled_in", "limit_of", "told", "whole_hand"]


def whole_hand(query: Query, result: SideResult | Floors, first: int) -> Json:
    """`result_json`, with the leader of the first trick."""
    return result_json(query, result) | {"leader": seat_letters(query.position.n)[first]}


def told(limit: LimitReached | None) -> int:
    """The exit code of an answer, after a word about the limit that stopped it."""
    if limit is None:
        return OK
    complain(str(limit))
    return LIMIT


def filled_in(asked: Asked, said: dict[str, str]) -> Asked:
    """The question typed and, where nothing was typed, what a file says."""
    missing: dict[str, Any] = {name: text for name, text in said.items() if not getattr(asked, name)}
    return replace(asked, **missing)
