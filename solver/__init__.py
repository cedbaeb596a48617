"""Exact double-dummy solving of trick games with three or four hands.

    deals       Deal, Position, read_pbn, write_pbn; parse_... and the names of cards, seats and sides
    questions   solve, floors, card_values, best_line, strain_table: one call each; Solver keeps its table between calls
    many        solve_many with Query, Limits and PAUSE
    errors      TierceError: InputError (a ValueError), LimitReached, Cancelled

>>> from tierce.solver import Deal, Position, parse_hand, parse_trump, floors
>>> deal = Deal.parse("D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T.")
>>> position = Position.start(deal.with_discard(parse_hand(".87..Q4")), parse_trump("S"))
>>> floors(position).tricks
{'D': 6, 'E': 2, 'M': 3}
"""

from importlib import import_module
from typing import TYPE_CHECKING

from tierce.solver.batch.many import PAUSE, solve_many
from tierce.solver.cards import (
    card_name,
    cards_of,
    format_hand,
    mask_of,
    parse_card,
    parse_cards,
    parse_hand,
    parse_seat,
    parse_side,
    parse_trump,
    side_name,
    trump_name,
)
from tierce.solver.deal import Deal
from tierce.solver.errors import Cancelled, InputError, LimitReached, TierceError
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.results import CardValue, CardValues, Floors, SideResult
from tierce.solver.solve import best_line, card_values, floors, solve, strain_table
from tierce.solver.solver import Solver

if TYPE_CHECKING:
    from tierce.solver.pbn import PbnGame, read_pbn, write_pbn

    __version__: str

__all__ = [
    "PAUSE",
    "Cancelled",
    "CardValue",
    "CardValues",
    "Deal",
    "Floors",
    "InputError",
    "LimitReached",
    "Limits",
    "PbnGame",
    "Position",
    "Query",
    "SideResult",
    "Solver",
    "TierceError",
    "__version__",
    "best_line",
    "card_name",
    "card_values",
    "cards_of",
    "floors",
    "format_hand",
    "mask_of",
    "parse_card",
    "parse_cards",
    "parse_hand",
    "parse_seat",
    "parse_side",
    "parse_trump",
    "read_pbn",
    "side_name",
    "solve",
    "solve_many",
    "strain_table",
    "trump_name",
    "write_pbn",
]

if not TYPE_CHECKING:  # a checker that saw it would take any name for good

    def __getattr__(name: str) -> object:
        """PBN and the version, imported when first asked for: that takes time, and solving needs neither."""
        if name in ("PbnGame", "read_pbn", "write_pbn"):
            found: object = getattr(import_module("tierce.solver.pbn"), name)
        elif name == "__version__":
            found = import_module("importlib.metadata").version("tierce")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found
