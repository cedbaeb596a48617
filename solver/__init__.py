"""Exact double-dummy solving of trick games with three or four hands.

>>> from tierce.solver import Deal, Position, parse_hand, parse_trump, floors
>>> deal = Deal.parse("D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T.")
>>> position = Position.start(deal.with_discard(parse_hand(".87..Q4")), parse_trump("S"))
>>> floors(position).tricks
{'D': 6, 'E': 2, 'M': 3}
"""

from tierce.solver.batch.many import PAUSE, solve_many
from tierce.solver.cards import (
    card_name,
    cards_of,
    format_hand,
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
    "Position",
    "Query",
    "SideResult",
    "Solver",
    "TierceError",
    "best_line",
    "card_name",
    "card_values",
    "cards_of",
    "floors",
    "format_hand",
    "parse_card",
    "parse_cards",
    "parse_hand",
    "parse_seat",
    "parse_side",
    "parse_trump",
    "side_name",
    "solve",
    "solve_many",
    "strain_table",
    "trump_name",
]
