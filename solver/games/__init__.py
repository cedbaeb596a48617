"""The rules of the games: profiles, exchange, play, scoring, what each player knows.

    profile = load_game("raf")
    state = new_match(profile)
    state = apply(state, DealCards(random_deal(profile, seed=7)))
    legal(state)        who may do what
    view(state, 1)      what eldest knows
    replay(read_record(Path("hand.json")))   a hand that was played, from a file

A whole match, every choice by lot. The deals are yours, so is whether to claim; of the rest `legal` has all there is,
an `Open` for each: `actions()` lists them, of parcels and discards (any `count` cards of `among`) as well.

>>> import random
>>> rng = random.Random(1)
>>> state = new_match(load_game("raf", {"end": "deals", "goal": 2}))
>>> while (state := settle(state)).phase != "OVER":
...     if state.phase == "DEAL":
...         action = DealCards(random_deal(state.profile, seed=7, index=len(state.results)))
...     else:
...         choices = [each for each in legal(state) if each.kind is not Claim]
...         action = rng.choice(list(rng.choice(choices).actions()))
...     state = apply(state, action)
>>> [sum(result.tricks) for result in state.results], sum(state.totals)
([16, 16], 0)

Sumgait Driller, one hand against two blind piles, is a game of another kind with rules, records and a replay of its
own: `tierce.solver.games.sumgait`; `read_any` and `write_any` take records of every game. Rules know nothing of the
search.
"""

from tierce.solver.games.actions import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Return,
    Score,
    Send,
    Show,
    Swap,
    TakeKitty,
)
from tierce.solver.games.context import next_exchange
from tierce.solver.games.contract_auction import bid_refusal, refusals
from tierce.solver.games.contracts import CONTRACTS, Contract, ContractRule
from tierce.solver.games.dealing import GENERATOR, deal_by_lot, random_deal
from tierce.solver.games.profile import MIZ, Profile, game_names, load_game, read_game, three_hands
from tierce.solver.games.record import Context, DealRecord, Discrepancy, Parcel, Record, RecordError, Stated, record_of
from tierce.solver.games.record_files import (
    AnyRecord,
    read_any,
    read_record,
    read_records,
    write_any,
    write_record,
    write_records,
)
from tierce.solver.games.replay import Replay, ReplayedDeal, replay
from tierce.solver.games.rules import Open, apply, automatic, legal, settle
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.state import State, Trick, new_match
from tierce.solver.games.view import View, view

__all__ = [
    "CONTRACTS",
    "GENERATOR",
    "MIZ",
    "Action",
    "AnyRecord",
    "Bid",
    "Call",
    "Claim",
    "Context",
    "Contract",
    "ContractRule",
    "DealCards",
    "DealRecord",
    "DealResult",
    "Discard",
    "Discrepancy",
    "NameTrump",
    "Open",
    "Parcel",
    "Play",
    "Profile",
    "Record",
    "RecordError",
    "Replay",
    "ReplayedDeal",
    "Return",
    "Score",
    "Send",
    "Show",
    "State",
    "Stated",
    "Swap",
    "TakeKitty",
    "Trick",
    "View",
    "apply",
    "automatic",
    "bid_refusal",
    "deal_by_lot",
    "game_names",
    "legal",
    "load_game",
    "new_match",
    "next_exchange",
    "random_deal",
    "read_any",
    "read_game",
    "read_record",
    "read_records",
    "record_of",
    "refusals",
    "replay",
    "settle",
    "three_hands",
    "view",
    "write_any",
    "write_record",
    "write_records",
]
