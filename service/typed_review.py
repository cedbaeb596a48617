"""A review's message as the library's own object."""

from __future__ import annotations

from typing import Any, cast

from tierce.solver.advice.choices import Choice
from tierce.solver.advice.ledger import Ledger, Play, Three
from tierce.solver.advice.review_results import Decision, Review, What
from tierce.solver.advice.sending import Way, sender_of, sent
from tierce.solver.cards import parse_card, parse_hand
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.v1 import review_pb2

__all__ = ["review"]

SEATS = "DEM"


def review(deal: ReplayedDeal, players: tuple[str, ...] | None, message: review_pb2.ReviewResponse) -> Review:
    """The review of a deal; the message has scores."""
    return Review(
        deal,
        players or ("player 1", "player 2", "player 3"),
        _ledger(deal, message),
        message.whole,
        tuple(_decision(deal, each) for each in message.decisions),
        tuple((cast(What, each.what), SEATS.index(each.seat)) for each in message.not_judged),
        int(message.nodes),
        message.millis,
    )


def _ledger(deal: ReplayedDeal, message: review_pb2.ReviewResponse) -> Ledger:
    start = _three([each.start for each in message.seats])
    plays: list[Play] = []
    before = start
    for told in message.plays:
        seat, after = SEATS.index(told.seat), _three(told.after)
        options = tuple((parse_card(each.card), _values(each, seat)) for each in told.cards)
        plays.append(Play(told.trick, seat, parse_card(told.card), options, before, after))
        before = after
    state = deal.state
    taken = [0, 0, 0]
    for trick in state.tricks:
        taken[trick.winner] += 1
    kitty = sum(each.kitty for each in message.seats)
    return Ledger(
        kind="cap" if message.kind == "cap" else "floor",
        start=start,
        end=before,
        plays=tuple(plays),
        taken=_three(taken),
        left=message.total - kitty - sum(taken),
        nodes=int(message.nodes),
        whole=message.whole,
    )


def _three(values: Any) -> Three:
    d, e, m = values
    return d, e, m


def _values(told: review_pb2.ReviewResponse.Option, seat: int) -> tuple[int | None, int | None, int | None]:
    if told.HasField("guarantees"):
        d, e, m = (int(cast(float, each)) for each in told.guarantees)
        return d, e, m
    alone = [told.tricks if each == seat else None for each in range(3)]
    return alone[0], alone[1], alone[2]


def _decision(deal: ReplayedDeal, told: review_pb2.ReviewResponse.Decision) -> Decision:
    seat = SEATS.index(told.seat)
    state = _turn(deal, seat) if told.what == "exchange" else None
    if state is not None:
        chosen: Way | str | Choice = _way(state, told.sends)
    else:
        discard = told.discard if told.HasField("discard") else None
        chosen = _choice(told.trump, discard, told.swap if told.HasField("swap") else None)
    best, value = _pair(told.best_bounds), _pair(told.value_bounds)
    return Decision(
        cast(What, told.what),
        seat,
        chosen,
        best,
        value,
        tuple(_equal(state, each) for each in told.best),
        told.count if told.HasField("count") else None,
    )


def _pair(bounds: Any) -> tuple[int | float, int | float]:
    low, high = bounds
    return _whole(low), _whole(high)


def _equal(state: State | None, told: Any) -> Way | str | Choice:
    if state is not None:
        return _way(state, told["sends"])
    fields = dict(told.items())
    return _choice(fields.get("trump", ""), fields.get("discard"), fields.get("swap"))


def _choice(trump: str, discard: str | None, swap: bool | None) -> str | Choice:
    if trump:
        return trump
    return Choice(parse_hand(discard) if discard is not None else 0, swap)


def _way(state: State, sends: Any) -> Way:
    return sent(state, [parse_hand(each["cards"]) for each in sends])


def _turn(deal: ReplayedDeal, seat: int) -> State:
    """Where the parcels of a seat were due."""
    states = [state for _, state in deal.steps()] + [deal.state]
    sending = (state for state in states if state.queue and state.queue[0][0] == "send")
    return next(state for state in sending if sender_of(state) == seat)


def _whole(value: float) -> float:
    """Balances are whole numbers unless they are shares."""
    return int(value) if value.is_integer() else value
