"""Reviews of recorded hands to make pages and sentences of. Only the ends of long hands are searched: what is told of a
card does not depend on how many came before it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.records.support import finished
from tierce.solver.advice.ledger import LedgerSearch
from tierce.solver.advice.review import review
from tierce.solver.advice.review_results import Review
from tierce.solver.games import MIZ, Record, ReplayedDeal, load_game, read_records, replay
from tierce.solver.position import Position

GOLDEN = Path(__file__).parents[1] / "records" / "golden"
NAMES = ("Ann", "Bob", "Cid")


def golden(name: str) -> tuple[Record, ...]:
    return tuple(read_records((GOLDEN / name).read_bytes(), name))


@cache
def match_reviews() -> tuple[Review, ...]:
    """Two whole deals of a match, cards only."""
    (record,) = golden("match.json")
    return tuple(review(deal, record.players, seconds=0, every=True) for deal in replay(record).deals)


@cache
def unfinished() -> Review:
    """Twenty cards of a hand, two of them in a trick."""
    (record,) = golden("later.json")
    return review(replay(record).deals[0], seconds=0, every=True)


@cache
def claimed() -> Review:
    """The last cards before a claim."""
    return late(replay(golden("hands.jsonl")[1]).deals[0], 15)


@cache
def miz() -> Review:
    """The last tricks of a Miz."""
    record = finished(load_game("deputy"), 3)
    assert record.deals[0].call == MIZ
    return late(replay(record).deals[0], 21)


@cache
def kitty_trick() -> Review:
    """The last tricks of a hand in which the kitty is a trick of the dealer's."""
    return late(replay(finished(load_game("uni_high_359"), 4)).deals[0], 21)


def late(deal: ReplayedDeal, cards: int) -> Review:
    """A review that was out of time before it had more than the last `cards` cards."""
    states = [state for action, state in deal.steps() if state.phase == "PLAY"] + [deal.state]
    played = [card for trick in deal.state.tricks for card in trick.cards] + list(deal.state.trick)
    start = Position(states[0].hands, states[0].trump, states[0].leader)
    for card in played[:-cards]:
        start = start.play(card)
    ledger = LedgerSearch(start, played[-cards:], few=deal.state.call == MIZ, every=True).run()
    return Review(deal, NAMES, replace(ledger, whole=False), False, (), (("trump", 0),), ledger.nodes, 1.0)
