"""Sumgait Driller: one player who thinks against two blind piles. Its rules, match, records and replay.

    state = new_match(sumgait())
    state = apply(state, DealCards(random_deal(seed=3)))
    legal(state)              what may be done
    view(state)               what the declarer knows
    replay(record)            a match that was played; `tierce.solver.games.read_any` reads it from a file
    settle_vist((3600, 3570, 2760))

A whole match, every choice by lot; deals and shuffles are yours:

>>> import random
>>> rng = random.Random(2)
>>> state = new_match(sumgait())
>>> while (state := settle(state)).phase != "OVER" and state.number < 4:
...     if state.phase == "DEAL":
...         action = DealCards(random_deal(7, state.number))
...     elif state.phase == "SHUFFLE":
...         action = shuffle_by_lot(state, 7)
...     else:
...         action = rng.choice(list(rng.choice(legal(state)).actions()))
...     state = apply(state, action)
>>> [sum(result.tricks) for result in state.results]
[18, 18, 18]

Rules know nothing of the search, nor of how to play well: that is `tierce.solver.piles`.
"""

from tierce.solver.games.sumgait.actions import (
    Action,
    Call,
    DealCards,
    Early,
    Give,
    Outcome,
    Play,
    Rob,
    Score,
    Shuffle,
    TakeKitty,
)
from tierce.solver.games.sumgait.cards import (
    ALL54,
    J1,
    J2,
    card_name,
    card_names,
    cards_of,
    format_hand,
    parse_card,
    parse_cards,
    parse_hand,
)
from tierce.solver.games.sumgait.deal import GENERATOR, Dealt, random_deal, random_pile
from tierce.solver.games.sumgait.game import Sumgait, sumgait
from tierce.solver.games.sumgait.match import Result, Tally, scored
from tierce.solver.games.sumgait.prices import MISERE, PASS, PLAY
from tierce.solver.games.sumgait.record import (
    Context,
    DealRecord,
    Discrepancy,
    Marriage,
    Record,
    Stated,
    record_of,
)
from tierce.solver.games.sumgait.replay import Replay, ReplayedDeal, replay
from tierce.solver.games.sumgait.rules import Open, apply, automatic, legal, settle, shuffle_by_lot
from tierce.solver.games.sumgait.settlement import Payment, Settlement
from tierce.solver.games.sumgait.settlement import settle as settle_vist
from tierce.solver.games.sumgait.sheet import sheet_lines, sheet_rows
from tierce.solver.games.sumgait.state import State, Trick, new_match
from tierce.solver.games.sumgait.tricks import trick_winner
from tierce.solver.games.sumgait.view import View, view

__all__ = [
    "ALL54", "GENERATOR", "J1", "J2", "MISERE", "PASS", "PLAY", "Action", "Call", "Context", "DealCards", "DealRecord",
    "Dealt", "Discrepancy", "Early", "Give", "Marriage", "Open", "Outcome", "Payment", "Play", "Record", "Replay",
    "ReplayedDeal", "Result", "Rob", "Score", "Settlement", "Shuffle", "State", "Stated", "Sumgait", "TakeKitty",
    "Tally", "Trick", "View", "apply", "automatic", "card_name", "card_names", "cards_of", "format_hand", "legal",
    "new_match", "parse_card", "parse_cards", "parse_hand", "random_deal", "random_pile", "record_of", "replay",
    "scored", "settle", "settle_vist", "sheet_lines", "sheet_rows", "shuffle_by_lot", "sumgait", "trick_winner", "view",
]  # fmt: skip
