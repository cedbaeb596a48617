"""A question of a client's: the request, the call it goes by, and how its answer is read. Used by both clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from google.protobuf.json_format import MessageToDict

from tierce.service import typed
from tierce.solver.advice.choices import Choice, DealerChoices, Discards
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.exchange_results import ExchangeAdvice
from tierce.solver.advice.review_results import Review
from tierce.solver.advice.spelling import chosen_text
from tierce.solver.asking import Asked, Json
from tierce.solver.cards import SEATS4, Card, Mask, card_name, format_hand, seat_letters, side_name, trump_name
from tierce.solver.checks import as_tuple, check_whole, is_number, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games import record_of, write_record
from tierce.solver.games.profile import Profile, game_names, load_game
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.hints.results import Hint
from tierce.solver.hints.view_json import view_json
from tierce.solver.position import Position
from tierce.solver.query import NO_LIMITS, Limits, Query
from tierce.solver.telling import CardsAnswer, SolveAnswer, SolveAsked
from tierce.v1 import (
    contract_review_pb2,
    contracts_pb2,
    dealer_pb2,
    exchange_pb2,
    games_pb2,
    hint_pb2,
    question_pb2,
    review_pb2,
    solve_pb2,
)

__all__ = [
    "Wire",
    "cards",
    "contract_review",
    "contracts",
    "dealer",
    "exchange",
    "game",
    "games",
    "hint",
    "limits_of",
    "question_of",
    "review",
    "solve",
    "table",
]

T = TypeVar("T")
_OBJECTIVES: Final = {"most": question_pb2.OBJECTIVE_MOST, "fewest": question_pb2.OBJECTIVE_FEWEST}
_FINDS: Final = {"one": dealer_pb2.FIND_ONE, "best": dealer_pb2.FIND_BEST, "every": dealer_pb2.FIND_EVERY}


@dataclass(frozen=True, slots=True)
class Wire(Generic[T]):
    """See the module. `streamed`: the answer is the last of several messages."""

    service: str
    method: str
    request: Any
    read: Callable[[Any], T]
    streamed: bool = False


def limits_of(limits: Limits) -> question_pb2.Limits:
    """Limits."""
    return question_pb2.Limits(timeout_seconds=limits.timeout or 0, max_nodes=limits.max_nodes or 0)


# ---- solve, cards, table ---------------------------------------------------------------------------------------------


def question_of(query: Query) -> question_pb2.Question:
    """A question about a position."""
    position, n = query.position, query.position.n
    side = "" if query.side is None else side_name(query.side, n)
    return question_pb2.Question(position=_position(position), side=side, objective=_OBJECTIVES[query.objective])


def _position(position: Position) -> question_pb2.Position:
    return question_pb2.Position(
        hands=map(format_hand, position.hands),
        trump=trump_name(position.trump),
        leader=seat_letters(position.n)[position.leader],
        trick=map(card_name, position.trick),
        taken=position.taken,
    )


def solve(asked: SolveAsked, limits: Limits) -> Wire[SolveAnswer]:
    """Solve."""
    request = solve_pb2.SolveRequest(question=question_of(asked.query), limits=limits_of(limits), line=asked.line)
    request.relevant = asked.need is None  # of which the objects always know
    for name in ("at_least", "at_most"):
        if (tricks := getattr(asked, name)) is not None:
            check_whole(tricks, 0, (1 << 32) - 1, "a number of tricks", name)
            setattr(request, name, tricks)
    return Wire("Solve", "Solve", request, lambda message: typed.solve_answer(asked, message))


def cards(query: Query, first: int, limits: Limits, *, all_seats: bool) -> Wire[CardsAnswer]:
    """CardValues."""
    question = question_of(query)
    if all_seats:
        question.side = ""
    request = solve_pb2.CardValuesRequest(question=question, limits=limits_of(limits), all_seats=all_seats)
    return Wire("Solve", "CardValues", request, lambda message: typed.cards_answer(query, first, message))


def table(asked: Asked, limits: Limits, *, declarers: bool) -> Wire[tuple[Json, LimitReached | None]]:
    """Table: the answer as JSON values, and the limit that came before it was all known."""
    names = ("deal", "discard", "leader", "dealer", "side")
    given: dict[str, Any] = {name: getattr(asked, name) or "" for name in names}
    if asked.objective not in _OBJECTIVES:
        message = f"expected 'most' or 'fewest', found {asked.objective!r:.60}"
        raise InputError("objective", message, field="objective")
    question = question_pb2.Question(**given, kitty_first=asked.kitty_first, objective=_OBJECTIVES[asked.objective])
    request = solve_pb2.TableRequest(question=question, limits=limits_of(limits), declarers=declarers)
    return Wire("Solve", "Table", request, lambda message: (typed.table_json(message), typed.limit_told(message)))


def table_of(deal: Deal, leader: int | None, objective: str) -> Asked:
    """The question about every strain of a deal."""
    letters = seat_letters(len(deal.hands))
    return Asked(str(deal), leader=None if leader is None else letters[leader], objective=objective)


# ---- games -----------------------------------------------------------------------------------------------------------


def game_choice(profile: Profile) -> question_pb2.GameChoice:
    """A game of the package. InputError for another."""
    options = {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in profile.given.items()
    }
    if profile.id not in game_names() or load_game(profile.id, dict(options)) != profile:
        message = f"expected a game of the package, which a server knows, found {profile.id!r}"
        raise InputError("game", message, field="game")
    return question_pb2.GameChoice(id=profile.id, options=options)


def game(name: str, options: Mapping[str, str]) -> Wire[Json]:
    """GetGame: the game as JSON values."""
    request = games_pb2.GetGameRequest(game=question_pb2.GameChoice(id=name, options=dict(options)))
    return Wire("Games", "GetGame", request, lambda message: game_json(message.game))


def games() -> Wire[list[Json]]:
    """ListGames."""
    request = games_pb2.ListGamesRequest()
    return Wire("Games", "ListGames", request, lambda message: [game_json(each) for each in message.games])


def game_json(message: games_pb2.Game) -> Json:
    """A game as the JSON values that it was."""
    found = MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    found["options"] = {name: _plain(option) for name, option in found["options"].items()}
    return found


def _plain(value: Any) -> Any:
    """Numbers of an option as they were: whole."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return int(value) if isinstance(value, float) else value


# ---- advice ----------------------------------------------------------------------------------------------------------


def dealer(
    choices: DealerChoices,
    value: str,
    find: str,
    target: float | None,
    chosen: tuple[str, Choice] | None,
    timeout: float | None,
    *,
    partial: bool,
) -> Wire[tuple[DealerAdvice, dealer_pb2.DealerAdviceResponse]]:
    """DealerAdvice: the advice, and the message that has the value of every choice, too, where that was asked for."""
    request = dealer_pb2.DealerAdviceRequest(
        game=game_choice(choices.profile),
        moment=_moment(choices),
        calls=choices.calls,
        value=value,
        find=dealer_pb2.FIND_UNSPECIFIED if target is not None else _FINDS[find],
        target=target,
        chosen="" if chosen is None else chosen_text(*chosen),
        limits=limits_of(Limits(timeout, None)),
        all=True,
        partial=partial,
        scores=True,
    )
    return Wire(
        "Advice",
        "DealerAdvice",
        request,
        lambda message: (typed.dealer_advice(choices, value, target, message), message),
        streamed=True,
    )


def _moment(choices: DealerChoices) -> dealer_pb2.DealerMoment:
    lays = choices.lays
    hands = lays.hands if isinstance(lays, Discards) else lays[-1].hands  # the last: without a swap
    return dealer_pb2.DealerMoment(
        hands=map(format_hand, hands),
        pool=format_hand(choices.pool) if choices.pool else "",
        count=choices.count,
        quotas=choices.quotas,
        swapper="" if choices.swapper is None else "DEM"[choices.swapper],
        up_card=format_hand(choices.up_card) if choices.up_card else "",
    )


def exchange(
    state: State,
    value: str,
    find: str,
    target: float | None,
    chosen: Sequence[Mask] | None,
    top: int,
    timeout: float | None,
    *,
    partial: bool,
) -> Wire[ExchangeAdvice]:
    """ExchangeAdvice."""
    game_choice(state.profile)
    request = exchange_pb2.ExchangeAdviceRequest(
        record=write_record(record_of(state)).encode(),
        value=value,
        find=dealer_pb2.FIND_UNSPECIFIED if target is not None else _FINDS[find],
        target=target,
        chosen=map(format_hand, chosen or ()),
        limits=limits_of(Limits(timeout, None)),
        top=top,
        all=True,
        partial=partial,
        scores=True,
    )
    return Wire(
        "Advice",
        "ExchangeAdvice",
        request,
        lambda message: typed.exchange_advice(state, value, target, message),
        streamed=True,
    )


def contracts(
    deal: Deal,
    dealer: int,
    turned: Card | None = None,
    *,
    trump: int | None = None,
    profile: Profile | None = None,
    tricks: bool = False,
    limits: Limits = NO_LIMITS,
    partial: bool = False,
) -> Wire[ContractTable]:
    """Contracts."""
    from tierce.solver.advice.contracts import ContractSearch

    first = ContractSearch(deal, dealer, turned, trump=trump, profile=profile).table
    request = contracts_pb2.ContractsRequest(
        game=None if profile is None else game_choice(profile),
        deal=str(deal),
        dealer=SEATS4[dealer],
        turned="" if turned is None else card_name(turned),
        trump="" if trump is None else trump_name(trump),
        tricks=tricks,
        limits=limits_of(limits),
        partial=partial,
    )
    return Wire("Advice", "Contracts", request, lambda message: typed.contract_table(first, message), streamed=True)


def review(deal: ReplayedDeal, players: tuple[str, ...] | None, seconds: float | None, *, every: bool) -> Wire[Review]:
    """Review."""
    from tierce.service.typed_review import review as read

    game_choice(deal.state.profile)
    request = review_pb2.ReviewRequest(
        record=write_record(record_of(deal.state, players)).encode(),
        seconds=1e9 if seconds is None else seconds,
        every=every,
        scores=True,
    )
    return Wire("Advice", "Review", request, lambda message: read(deal, players, message))


def contract_review(deal: ReplayedDeal, players: tuple[str, ...] | None, seconds: float | None) -> Wire[ContractReview]:
    """ReviewContract."""
    from tierce.service.typed_contract_review import contract_review as read

    game_choice(deal.state.profile)
    request = contract_review_pb2.ReviewContractRequest(
        record=write_record(record_of(deal.state, players)).encode(), seconds=1e9 if seconds is None else seconds
    )
    return Wire("Advice", "ReviewContract", request, lambda message: read(deal, players, message))


def hint(
    view: View,
    *,
    seconds: float | None = None,
    worlds: int | None = None,
    seed: int = 1,
    by: str | None = None,
    utility: Sequence[float] | None = None,
    method: str | None = None,
    others: str | None = None,
    infer: bool = True,
    watched: bool = False,
) -> Wire[Hint]:
    """Hint, or WatchHint."""
    from tierce.service.typed_hint import hint as read

    game_choice(view.profile)
    letters = view.profile.letters
    check_whole(seed, 0, (1 << 64) - 1, "a whole number from 0 to 2**64 - 1", "seed")
    if worlds is not None:
        check_whole(worlds, 1, (1 << 32) - 1, "a number of worlds", "worlds")
    if seconds is not None and not is_number(seconds):
        raise InputError("seconds", f"expected seconds above 0, found {quoted(seconds)}", field="seconds")
    request = hint_pb2.HintRequest(
        view=json.dumps(view_json(view)).encode(),
        seconds=seconds,
        worlds=worlds,
        seed=seed,
        by=by or "",
        utility=_points(utility),
        method=method or "",
        others=others or "",
        no_infer=not infer,
        all=True,
        scores=True,
    )
    if watched:
        watch = hint_pb2.WatchHintRequest(hint=request)
        return Wire("Advice", "WatchHint", watch, lambda message: read(message.hint, seed, letters), streamed=True)
    return Wire("Advice", "Hint", request, lambda message: read(message, seed, letters))


def _points(utility: Sequence[float] | None) -> Sequence[float]:
    """Points by tricks, as far as a message can hold them."""
    points = () if utility is None else as_tuple(utility)
    if points is None or (not points and utility is not None) or not all(map(is_number, points)):
        raise InputError("utility", f"expected numbers, the points by tricks, found {quoted(utility)}", field="utility")
    return points
