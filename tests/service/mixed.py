"""The questions of a bot farm, with their right answers: whole deals, endings, decisions, contracts, hints, games.

    solve      floors of 3 x 16 cards with a trump, some of them as lines, for one side or as a yes/no question
    cards      the value of every card at a first lead
    ending     floors of eight cards each
    many       eight endings in a stream
    dealer     which discard, the trump given
    contracts  what can be made in a deal of Solo Whist
    hint       a card, from a player's view, in 0.1 to 0.3 s: any legal one is right
    solo       a bid or a card of Solo Whist, in the same way
    game       the rules of a game
    bad        a question that is none

Trumps and discards of deals that are asked about are those of a rule of thumb. A question that takes much longer than
most is left out, by its nodes: a call's deadline is enough for any of the rest.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, cycle, islice
from typing import Any, Final

from tests.hints.plays import moments
from tests.service.load import Asked, bad, ending, many, plain
from tierce.service import told, wires
from tierce.solver.advice.choices import choices_of_deal
from tierce.solver.advice.contracts import ContractSearch
from tierce.solver.advice.dealer import DealerSearch
from tierce.solver.budget import Budget
from tierce.solver.cards import card_name, parse_trump
from tierce.solver.errors import LimitReached
from tierce.solver.games import State, legal, load_game, random_deal, view
from tierce.solver.games.contract_auction import open_bids
from tierce.solver.games.profile_json import profile_json
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.search import Engine
from tierce.solver.solver import Solver
from tierce.solver.telling import SolveAsked, cards_answer, solve_answer

__all__ = ["mixed"]

NODES_MAX: Final = 600_000  # a tenth of a second
QUICK: Final = (0, 1, 2, 4, 5, 6, 8, 10, 11, 13, 15, 16, 17, 19, 20, 21, 23)  # deals with as few
SHARES: Final = {
    "solve": 14, "cards": 8, "ending": 11, "many": 4, "dealer": 6, "contracts": 3,
    "hint": 3, "solo": 3, "game": 5, "bad": 3,
}  # fmt: skip
_RAF: Final = load_game("raf")
_SOLO: Final = load_game("solo_whist")
_GAMES: Final = ("raf", "woburn", "six_three_eight")


def mixed(seed: int) -> list[Asked]:
    """Sixty questions, in an order drawn by the seed."""
    rng = random.Random(seed)
    makers: dict[str, Iterator[Asked]] = {
        "solve": _solves(rng),
        "cards": _cards(rng),
        "ending": (ending(rng, 8) for _ in count()),
        "many": (many(rng, 8) for _ in count()),
        "dealer": _dealers(rng),
        "contracts": _contracts(rng),
        "hint": _hints(rng),
        "solo": _solo(rng),
        "game": map(_game, _GAMES * 2),
        "bad": (bad(rng, 8) for _ in count()),
    }
    found = [asked for kind, number in SHARES.items() for asked in islice(makers[kind], number)]
    rng.shuffle(found)
    return found


# ---- deals -----------------------------------------------------------------------------------------------------------


def _leads(rng: random.Random) -> Iterator[State]:
    """First leads."""
    while True:
        for state in moments(rng, _RAF, odd=0):
            if state.phase == "PLAY":
                yield state
                break


def _played(rng: random.Random) -> Iterator[Query]:
    """Whole deals at the first lead."""
    for state in _leads(rng):
        yield Query(Position(state.hands, parse_trump(state.call), state.mover), None)


def _solves(rng: random.Random) -> Iterator[Asked]:
    for number, query in enumerate(_played(rng)):
        first = query.position.leader
        asked = (
            SolveAsked(query, first),
            SolveAsked(query, first, relevant=True),
            SolveAsked(replace(query, side=0b110), first, line=True),
            SolveAsked(replace(query, side=0b001), first, at_least=7),
        )[number % 4]
        answer = solve_answer(asked, Budget(None, NODES_MAX), Engine(1 << 24), lambda: Solver(16))
        if answer.limit is None:
            request = wires.solve(asked, Limits()).request
            request.relevant = asked.relevant
            yield Asked("solve", "Solve", request, plain(told.solve_message(answer)))


def _cards(rng: random.Random) -> Iterator[Asked]:
    for query in _played(rng):
        try:
            answer = cards_answer(query, query.position.leader, Budget(None, NODES_MAX), lambda: Solver(16))
        except LimitReached:
            continue
        request = wires.cards(answer.query, query.position.leader, Limits(), all_seats=False).request
        yield Asked("cards", "CardValues", request, plain(told.cards_message(answer)))


def _dealers(rng: random.Random) -> Iterator[Asked]:
    for index in rng.sample(QUICK, len(QUICK)):
        choices = choices_of_deal(_RAF, random_deal(_RAF, seed=5, index=index))
        choices = replace(choices, calls=(choices.calls[index % 4],))
        search = DealerSearch(choices, "floor", find="one", table_mb=16)
        search.run(None, 0.1)
        request = wires.dealer(choices, "floor", "one", None, None, None, partial=False).request
        yield Asked("dealer", "DealerAdvice", request, plain(told.dealer_message(search.advice, None, search)))


def _contracts(rng: random.Random) -> Iterator[Asked]:
    for state in moments(rng, _SOLO, deals=100, odd=0):
        if state.phase == "BID" and not state.bids and state.dealt is not None:
            put: dict[str, Any] = {"deal": state.dealt, "dealer": state.dealer, "turned": state.turned}
            table = ContractSearch(**put, limits=Limits(None, NODES_MAX), table_mb=16).run()
            if table.complete:
                yield Asked(
                    "contracts", "Contracts", wires.contracts(**put).request, plain(told.contracts_message(table))
                )


# ---- what is not a search --------------------------------------------------------------------------------------------


def _hints(rng: random.Random) -> Iterator[Asked]:
    for state in moments(rng, _RAF, deals=100, odd=0):
        if state.phase == "PLAY" and len(state.tricks) in (0, 3, 7):
            request = wires.hint(view(state, state.mover), seconds=rng.choice((0.1, 0.2, 0.3))).request
            yield Asked("hint", "Hint", request, frozenset(map(card_name, state.playable(state.mover))))


def _solo(rng: random.Random) -> Iterator[Asked]:
    """A bid, a first lead and a later card by turns."""
    wanted = cycle((("BID", 0), ("PLAY", 0), ("PLAY", 4)))
    due = next(wanted)
    for state in moments(rng, _SOLO, deals=100, odd=0):
        if (state.phase, len(state.tricks)) == due:
            seat = next(each.seat for each in legal(state) if each.seat is not None)
            request = wires.hint(view(state, seat), seconds=rng.choice((0.1, 0.2, 0.3))).request
            cards = frozenset(map(card_name, state.playable(seat))) if state.phase == "PLAY" else None
            yield Asked("solo", "Hint", request, cards or frozenset((None, *open_bids(state))))
            due = next(wanted)


def _game(name: str) -> Asked:
    request: Any = wires.game(name, {}).request
    return Asked("game", "GetGame", request, {"game": profile_json(load_game(name))})
