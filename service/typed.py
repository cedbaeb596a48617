"""Messages as the library's own objects, for a client: the inverse of `told`.

What an answer is about (the position, the choices, the state) the client knows: it asked. Nodes and milliseconds of an
answer of several searches are told as one sum; it stands with the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from google.protobuf.struct_pb2 import Value

from tierce.service.told import STOPS
from tierce.solver.advice.choices import Choice, DealerChoices, choices_of_state
from tierce.solver.advice.contracts_results import ContractRow, ContractTable
from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.exchange_results import ExchangeAdvice, WayAdvice
from tierce.solver.advice.sending import sender_of, sent
from tierce.solver.advice.values import Worth, worth_of, worth_of_seat
from tierce.solver.asking import Json
from tierce.solver.cards import (
    STRAIN_LETTERS,
    Card,
    Mask,
    mask_of,
    parse_card,
    parse_hand,
    seat_letters,
    side_name,
)
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games.state import State
from tierce.solver.query import Answer, Query, taken_by
from tierce.solver.results import CardValue, CardValues, Floors, SideResult, stopped
from tierce.solver.telling import CardsAnswer, SolveAnswer, SolveAsked
from tierce.solver.values import touching
from tierce.v1 import contracts_pb2, dealer_pb2, exchange_pb2, solve_pb2

__all__ = [
    "STOP_OF",
    "cards_answer",
    "contract_table",
    "dealer_advice",
    "every_value",
    "exchange_advice",
    "limit_told",
    "many_result",
    "solve_answer",
    "table_json",
]

STOP_OF: Final = {name: stop for stop, name in STOPS.items()}


def limit_told(message: Any) -> LimitReached | None:
    """The limit that stopped a search, if one did."""
    if not message.HasField("stop"):
        return None
    error = stopped(STOP_OF[message.stop])
    if isinstance(error, LimitReached):
        return error
    raise error


# ---- solve -----------------------------------------------------------------------------------------------------------


def solve_answer(asked: SolveAsked, message: solve_pb2.SolveResponse) -> SolveAnswer:
    """The answer to Solve."""
    query = asked.query
    if message.HasField("answer"):
        result: SideResult | Floors = _yes_or_no(asked, message)
    else:
        result = _result(query, message, _by_side(query, message.relevant, message.HasField("relevant")))
    lines: dict[str, tuple[Card, ...]] = {}
    if message.HasField("line"):
        told = _by_side(query, message.line, True)
        lines = {side: tuple(map(parse_card, told[side])) for side in _names(query) if side in told}
    return SolveAnswer(asked, result, lines, limit_told(message))


def many_result(query: Query, message: solve_pb2.SolveManyResponse.Answer) -> SideResult | Floors | InputError:
    """One answer of SolveMany."""
    if message.HasField("error"):
        error = message.error
        return InputError(error.code, error.message, field=error.field if error.HasField("field") else None)
    return _result(query, message, {})


def _result(query: Query, message: Any, relevant: Mapping[str, list[str]]) -> SideResult | Floors:
    known = not message.HasField("complete")
    stop = STOP_OF[message.stop] if message.HasField("stop") else 0
    answers: list[Answer] = []
    for side in query.sides:
        name, taken = side_name(side, query.position.n), taken_by(query.position, side)
        if known:
            low = high = int(message.tricks.fields[name].number_value)
        else:
            low, high = (int(each) for each in message.bounds[name])
        mattered = mask_of(map(parse_card, relevant.get(name, ())))
        first = not answers
        nodes, nanoseconds = (int(message.nodes), round(message.millis * 1e6)) if first else (0, 0)
        answers.append((low - taken, high - taken, stop if low < high else 0, mattered, nodes, nanoseconds))
    if not query.position.left:
        return query.result([])
    return query.result(answers)


def _yes_or_no(asked: SolveAsked, message: solve_pb2.SolveResponse) -> SideResult:
    """What a yes or no proves of the tricks."""
    query, need = asked.query, asked.need
    assert need is not None
    taken, left = taken_by(query.position, query.sides[0]), query.position.left
    reached = message.answer == (asked.at_most is None)
    low, high = 0, left
    if 0 < need - taken <= left:
        low, high = (need - taken, left) if reached else (0, need - taken - 1)
    found = query.result([(low, high, 0, 0, int(message.nodes), round(message.millis * 1e6))])
    assert isinstance(found, SideResult)
    return found


def _names(query: Query) -> list[str]:
    return [side_name(side, query.position.n) for side in query.sides]


def _by_side(query: Query, value: Value, there: bool) -> dict[str, list[str]]:
    """Cards by side: a list where one side was asked about."""
    if not there:
        return {}
    if value.HasField("list_value"):
        return {_names(query)[0]: [str(each) for each in value.list_value]}
    return {side: [str(each) for each in cast(Any, cards)] for side, cards in value.struct_value.items()}


def cards_answer(query: Query, first: int, message: solve_pb2.CardValuesResponse) -> CardsAnswer:
    """The answer to CardValues."""
    position = query.position
    groups = {card: number for number, group in enumerate(touching(position)) for card in group}
    cards: list[CardValue] = []
    seats: dict[str, dict[Card, int]] = {}
    letters = seat_letters(position.n)
    for told in message.cards:
        card = parse_card(told.card)
        cards.append(CardValue(card, told.tricks, told.best, groups[card]))
        for letter in letters if told.HasField("seats") else ():
            seats.setdefault(letter, {})[card] = int(cast(float, told.seats[letter]))
    side = sum(1 << letters.index(letter) for letter in message.side)
    values = CardValues(
        position.mover,
        side,
        position.n,
        query.objective,
        tuple(cards),
        taken_by(position, side),
        int(message.nodes),
        message.millis,
        next(each.tricks for each in cards if each.best),
    )
    return CardsAnswer(query, first, values, seats)


def table_json(message: solve_pb2.TableResponse) -> Json:
    """The answer to Table as the JSON that it was."""
    out: Json = {"kind": message.kind, "objective": message.objective}
    if message.HasField("leader"):
        out |= {"leader": message.leader, "taken": _numbers(message.taken)}
    out["table"] = {strain: _row(message.table[strain]) for strain in STRAIN_LETTERS}
    if message.HasField("complete"):
        out["complete"] = message.complete
    return out | {"nodes": int(message.nodes), "millis": message.millis}


def _row(row: Any) -> Json:
    if "bounds" not in row:
        return _numbers(row)
    bounds = row["bounds"]
    return {"bounds": {seat: [int(each) for each in bounds[seat]] for seat in _in_order(bounds)}}


def _numbers(row: Any) -> dict[str, int]:
    return {seat: int(row[seat]) for seat in _in_order(row)}


def _in_order(names: Iterable[str]) -> list[str]:
    """Seats or sides in the order of the seats."""
    found = set(names)
    letters = "DEM" if found & set("DM") else "NESW"
    return sorted(found, key=lambda name: [letters.index(letter) for letter in name])


# ---- the dealer ------------------------------------------------------------------------------------------------------


def dealer_advice(
    choices: DealerChoices, kind: str, target: float | None, message: dealer_pb2.DealerAdviceResponse
) -> DealerAdvice:
    """Advice to the dealer; the message has scores."""
    extra = 1 if choices.profile.kitty_trick else 0

    def worth(call: str) -> Worth:
        return worth_of(kind, call, choices.tricks, extra)

    chosen = None
    if message.HasField("chosen"):
        told = message.chosen
        chosen = Chosen(told.trump, _choice(told), worth(told.trump), told.scores.low, told.scores.high)
    return DealerAdvice(
        choices,
        kind,
        tuple(_call(told, worth(told.trump)) for told in message.trumps),
        target,
        chosen,
        int(message.nodes),
        message.millis,
        STOP_OF[message.stop] if message.HasField("stop") else 0,
    )


def _call(told: dealer_pb2.DealerAdviceResponse.Call, worth: Worth) -> CallAdvice:
    if told.HasField("discards"):
        choices = [Choice(parse_hand(cast(str, each))) for each in told.discards]
    elif told.HasField("swaps"):
        choices = [Choice(swap=bool(each)) for each in told.swaps]
    else:
        choices = [Choice()] * told.count
    return CallAdvice(
        told.trump, worth, told.scores.low, told.scores.high, tuple(choices), not told.HasField("counted")
    )


def _choice(told: dealer_pb2.DealerAdviceResponse.Chosen) -> Choice:
    discard = parse_hand(told.discard) if told.HasField("discard") else 0
    return Choice(discard, told.swap if told.HasField("swap") else None)


def every_value(
    choices: DealerChoices, advice: DealerAdvice, message: dealer_pb2.DealerAdviceResponse
) -> list[tuple[str, Choice, float]]:
    """Call, choice and value in tricks of every choice, as `DealerSearch.values` has them."""
    return [
        (call.call, choice, call.worth.told(score))
        for call, told in zip(advice.calls, message.trumps, strict=True)
        for choice, score in zip(choices.choices, told.scores.every, strict=False)
    ]


# ---- the exchange ----------------------------------------------------------------------------------------------------


def exchange_advice(
    state: State, kind: str, target: float | None, message: exchange_pb2.ExchangeAdviceResponse
) -> ExchangeAdvice:
    """Advice to a sender; the message has scores."""
    seat, profile = sender_of(state), state.profile
    worth = worth_of_seat(kind, seat, profile.hand, 1 if profile.kitty_trick else 0)
    way = _way_reader(state, worth)
    best = tuple(map(way, message.parcels))
    after, end = None, best[0].way.state if best else state
    if message.HasField("next"):
        after = exchange_advice(end, "floor", None, message.next)
        end = after.best[0].way.state if after.best else end
    dealer = None
    if message.HasField("dealer"):
        dealer = dealer_advice(choices_of_state(end), kind, None, message.dealer)
    return ExchangeAdvice(
        state=state,
        kind=kind,
        worth=worth,
        total=int(message.ways),
        ways=tuple(map(way, message.scores.ways)),
        best=best,
        low=message.scores.low,
        high=message.scores.high,
        target=target,
        chosen=way(message.chosen) if message.HasField("chosen") else None,
        after=after,
        dealer=dealer,
        nodes=int(message.nodes),
        millis=message.millis,
        stop=STOP_OF[message.stop] if message.HasField("stop") else 0,
    )


def _way_reader(state: State, worth: Worth) -> Callable[[exchange_pb2.ExchangeAdviceResponse.Way], WayAdvice]:
    def read(told: exchange_pb2.ExchangeAdviceResponse.Way) -> WayAdvice:
        scores = told.scores
        return WayAdvice(
            sent(state, _masks(told)),
            worth,
            scores.low,
            scores.high,
            scores.best_case if scores.HasField("best_case") else None,
            told.dealer_tricks if told.HasField("dealer_tricks") else None,
        )

    return read


def _masks(told: exchange_pb2.ExchangeAdviceResponse.Way) -> list[Mask]:
    return [parse_hand(each.cards) for each in told.sends]


# ---- contracts -------------------------------------------------------------------------------------------------------


def contract_table(first: ContractTable, message: contracts_pb2.ContractsResponse) -> ContractTable:
    """A contract table. `first`: the same before anything is known."""
    return replace(
        first,
        rows=tuple(map(_contract_row, first.rows, message.contracts)),
        nodes=int(message.nodes),
        millis=message.millis,
        stop=STOP_OF[message.stop] if message.HasField("stop") else 0,
    )


def _contract_row(row: ContractRow, told: contracts_pb2.ContractsResponse.Contract) -> ContractRow:
    return replace(
        row,
        makes=told.makes.bool_value if told.makes.HasField("bool_value") else None,
        lead=parse_card(told.lead.string_value) if told.lead.HasField("string_value") else None,
        tricks=told.tricks if told.HasField("tricks") else None,
    )
