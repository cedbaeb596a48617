"""A hint's message as the library's own object."""

from __future__ import annotations

from typing import Any, cast

from google.protobuf.struct_pb2 import Value

from tierce.solver.advice.estimate_results import Figure
from tierce.solver.cards import SEATS3, mask_of, parse_card, parse_cards, parse_trump
from tierce.solver.games.actions import Action, Bid, Call, Discard, NameTrump, Play, Send, Swap
from tierce.solver.hints.results import Hint, Option
from tierce.v1 import hint_pb2

__all__ = ["hint"]


def hint(message: hint_pb2.HintResponse, seed: int, letters: str = SEATS3) -> Hint:
    """The hint that was asked for with a seed; the message has scores, and all options. `letters`: of the game's
    seats."""
    seat, told = letters.index(message.seat), cast(Any, message)
    scores = message.scores
    margin = None
    if scores.HasField("margin"):
        margin = Figure(scores.margin, scores.margin_error if scores.HasField("margin_error") else None)
    return Hint(
        what=told.decision,
        seat=seat,
        options=tuple(_option(each, seat, discards=message.decision == "discard") for each in message.options),
        by=told.by,
        method=told.method,
        others=told.others,
        seed=seed,
        fit=int(scores.fit),
        worlds=message.worlds,
        effective=scores.effective,
        margin=margin,
        forced=message.forced,
        settled=message.settled,
        complete=message.complete,
        why=message.why,
        millis=message.millis,
        letters=letters,
        side=told.side,
    )


def _option(told: hint_pb2.HintResponse.Option, seat: int, *, discards: bool) -> Option:
    scores = told.scores
    value = Figure(scores.value, scores.value_error if scores.HasField("value_error") else None)
    tricks = Figure(scores.tricks, scores.tricks_error if scores.HasField("tricks_error") else None)
    actions = _actions(told, seat, discards=discards)
    return Option(actions, value, tricks, scores.quota, told.worlds, "made" if told.HasField("made") else "quota")


def _actions(told: hint_pb2.HintResponse.Option, seat: int, *, discards: bool) -> tuple[Action, ...]:
    """In their order: a bid comes before its trump, a discard that is due before the call that is decided with it."""
    found: list[Action] = [Bid(seat, _bid(told.bid))] if told.HasField("bid") else []
    if told.HasField("trump"):
        found.append(NameTrump(seat, parse_trump(told.trump)))
    if told.HasField("call"):
        found.append(Call(seat, told.call))
    if told.HasField("discard"):
        discard = Discard(seat, mask_of(parse_cards(told.discard)))
        found.insert(0 if discards else len(found), discard)
    if told.HasField("swap"):
        found.append(Swap(seat, told.swap))
    if told.HasField("card"):
        found.append(Play(seat, parse_card(told.card)))
    sent = cast(Any, told.parcels) if told.HasField("parcels") else ()
    found += (Send(seat, SEATS3.index(each["to"]), mask_of(parse_cards(each["cards"]))) for each in sent)
    return tuple(found)


def _bid(told: Value) -> int | str | None:
    """Tricks, a bid of a game of contracts, or None for a pass."""
    if told.HasField("string_value"):
        return told.string_value
    return int(told.number_value) if told.HasField("number_value") else None
