"""What a request asks, in the library's words. InputError, with the field, for what cannot be asked.

Nothing here trusts a request: hands, numbers and games are checked as those of a command line are, and games are those
of the package alone, whose decisions have a size that is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Final, NoReturn

from tierce.solver.advice.choices import Choice, DealerChoices, Discards, Lay, choices_of_deal
from tierce.solver.advice.sending import count_ways, exchange_of_deal
from tierce.solver.advice.spelling import calls_of
from tierce.solver.asking import Asked
from tierce.solver.batch.contracts import contracts_asked
from tierce.solver.cards import Mask, bit, parse_card, parse_hand, parse_seat, parse_side, parse_trump
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games import Profile, Replay, State, load_game, read_records, replay
from tierce.solver.games.profile import CALLS, three_hands
from tierce.solver.position import Position
from tierce.solver.query import Query
from tierce.solver.results import Objective
from tierce.solver.telling import SolveAsked
from tierce.v1 import (
    contract_review_pb2,
    contracts_pb2,
    dealer_pb2,
    exchange_pb2,
    fair_pb2,
    question_pb2,
    review_pb2,
    solve_pb2,
)

__all__ = [
    "calls_open",
    "check_game",
    "contracts_put",
    "dealer_choices",
    "exchange_state",
    "game_of",
    "question_of",
    "replayed",
    "solve_asked",
    "table_asked",
]

WAYS_MAX: Final = 2_000_000
"""Ways to choose parcels that a server looks at: more take hours, and the memory for them."""
_TWO: Final = parse_card("D2")
_DEAL_ALONE: Final = ("deal", "trump", "discard", "leader", "dealer", "play")


# ---- solve, cards, table ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Put:
    """A question: what is asked, the seat that leads or led first, and, of a deal, how it was written."""

    query: Query
    first: int


def question_of(question: question_pb2.Question) -> Put:
    """A question about a deal with a trump, or about a position."""
    if question.HasField("position"):
        return _of_position(question)
    asked = _typed(question)
    query = asked.query()
    return Put(query, asked.first_leader(query.position.n))


def table_asked(question: question_pb2.Question, *, declarers: bool) -> tuple[Asked, Deal]:
    """A question about every strain, and the deal. `declarers`: about every declarer of four hands."""
    for name in ("position", "trump", "play"):
        if question.HasField("position") if name == "position" else getattr(question, name):
            _refuse(name, f"expected no {name} of a table, found one")
    asked = _typed(question)
    deal = asked.played_deal()
    asked.query_for(deal, 0)  # what is wrong with side or objective is said now
    if declarers:
        if len(deal.hands) != 4:
            _refuse("deal", f"expected four hands for a table of declarers, found {len(deal.hands)}")
        for name in ("leader", "dealer", "side"):
            if getattr(question, name):
                _refuse(name, f"expected no {name} of a table of declarers, found one")
    return asked, deal


def solve_asked(request: solve_pb2.SolveRequest) -> SolveAsked:
    """A question of Solve."""
    put = question_of(request.question)
    ask = request.WhichOneof("ask")
    if ask is not None:
        if request.line or request.relevant:
            _refuse(ask, f"expected {ask} or line and relevant, found both")
        if put.query.side is None:
            _refuse("side", "expected a side of three hands that a yes/no question is about, found none")
        return SolveAsked(put.query, put.first, **{ask: getattr(request, ask)})
    return SolveAsked(put.query, put.first, line=request.line, relevant=request.relevant)


def _typed(question: question_pb2.Question) -> Asked:
    given = {name: getattr(question, name) or None for name in ("trump", "discard", "leader", "dealer", "side", "play")}
    return Asked(question.deal, **given, objective=_objective(question), kitty_first=question.kitty_first)


def _objective(question: question_pb2.Question) -> Objective:
    if question.objective == question_pb2.OBJECTIVE_FEWEST:
        return "fewest"
    if question.objective in (question_pb2.OBJECTIVE_MOST, question_pb2.OBJECTIVE_UNSPECIFIED):
        return "most"
    _refuse("objective", f"expected OBJECTIVE_MOST or OBJECTIVE_FEWEST, found {question.objective}")


def _of_position(question: question_pb2.Question) -> Put:
    for name in _DEAL_ALONE:
        if getattr(question, name):
            _refuse(name, f"expected {name} or position, found both")
    given = question.position
    hands = tuple(parse_hand(hand, field="position") for hand in given.hands[:5])
    if len(hands) not in (3, 4):
        _refuse("position", f"expected 3 or 4 hands, found {len(given.hands)}")
    n = len(hands)
    leader = parse_seat(given.leader, n, field="position")
    trick = tuple(parse_card(card, field="position") for card in given.trick[:5])
    try:
        position = Position(hands, parse_trump(given.trump, field="position"), leader, trick, tuple(given.taken[:5]))
    except InputError as error:
        raise error.located(field="position") from None
    side = parse_side(question.side, n) if question.side else None if n == 3 else 0b0101
    return Put(Query(position, side, _objective(question)), leader)


# ---- games and records -----------------------------------------------------------------------------------------------


def game_of(choice: question_pb2.GameChoice, usual: str = "raf") -> Profile:
    """A game of the package."""
    return load_game(choice.id or usual, dict(choice.options))


def replayed(data: bytes) -> Replay:
    """A record and what the rules make of it; of games of the package alone."""
    records = read_records(data, "record")
    if len(records) != 1:
        _refuse("record", f"expected one record, found {len(records)}")
    check_game(records[0].profile, "record")
    return replay(records[0])


def check_game(profile: Profile, field: str) -> None:
    """Refuse a game that is none of the package. `field`: what it stands in, a record or a view."""
    try:
        known = load_game(profile.id, dict(profile.given))
    except InputError:
        known = None
    if known != profile:
        _refuse(field, f"expected a {field} of a game of the package, found {shown(profile.id)}")


# ---- decisions -------------------------------------------------------------------------------------------------------


def dealer_choices(request: dealer_pb2.DealerAdviceRequest) -> DealerChoices:
    """What is open to the dealer."""
    profile = game_of(request.game)
    calls = calls_open(request.calls)
    if not request.HasField("moment"):
        try:
            return choices_of_deal(profile, Deal.parse(request.deal), calls)
        except InputError as error:
            raise error.located(field="calls") if error.code == "choice" else error from None
    if request.deal:
        _refuse("deal", "expected deal or moment, found both")
    return _of_moment(profile, calls, request.moment)


def calls_open(names: Sequence[str]) -> tuple[str, ...]:
    """Calls as a request has them; none: (). InputError (field "calls")."""
    if len(names) > len(CALLS):
        _refuse("calls", f"expected each call once, found {len(names)} calls")
    return calls_of(" ".join(names)) if names else ()


def _of_moment(profile: Profile, calls: tuple[str, ...], moment: dealer_pb2.DealerMoment) -> DealerChoices:
    if not calls or len(set(calls)) < len(calls):
        _refuse("calls", f"expected calls, each once, found {' '.join(calls) or 'none'}")
    if len(moment.hands) != 3 or len(moment.quotas) != 3:
        _refuse("moment", f"expected three hands and quotas, found {len(moment.hands)} and {len(moment.quotas)}")
    d, e, m = (parse_hand(hand, field="moment") for hand in moment.hands)
    if max(moment.quotas) > profile.counted:
        _refuse("moment", f"expected quotas of at most {profile.counted}, found {max(moment.quotas)}")
    quotas = moment.quotas[0], moment.quotas[1], moment.quotas[2]
    held = (d.bit_count() - moment.count, e.bit_count(), m.bit_count())
    if (
        held != (profile.hand,) * 3
        or (d | e | m).bit_count() != sum(held) + moment.count
        or (d | e | m) & ~profile.pack
    ):
        _refuse("moment", f"expected hands of {profile.hand} cards at the first lead, every card once")
    if moment.count:
        return _discards(profile, calls, (d, e, m), quotas, moment)
    if moment.pool or bool(moment.swapper) != bool(moment.up_card):
        _refuse("moment", "expected pool and count together, and swapper and up_card, found one alone")
    if not moment.swapper:
        return DealerChoices(profile, calls, (Lay(Choice(), None, (d, e, m)),), 0, 0, quotas)
    return _swaps(profile, calls, (d, e, m), quotas, moment)


def _discards(
    profile: Profile, calls: tuple[str, ...], hands: tuple[Mask, Mask, Mask], quotas: tuple[int, int, int], moment: Any
) -> DealerChoices:
    pool = parse_hand(moment.pool, field="moment")
    if moment.count != profile.kitty or pool & ~hands[0] or pool.bit_count() < moment.count:
        _refuse(
            "moment", f"expected a discard of {profile.kitty} cards of the dealer's, found {moment.count} of {pool:x}"
        )
    return DealerChoices(profile, calls, Discards(hands, pool, moment.count), pool, moment.count, quotas)


def _swaps(
    profile: Profile, calls: tuple[str, ...], hands: tuple[Mask, Mask, Mask], quotas: tuple[int, int, int], moment: Any
) -> DealerChoices:
    holder = parse_seat(moment.swapper, 3, field="moment")
    up_card = parse_hand(moment.up_card, field="moment")
    seen = hands[0] | hands[1] | hands[2]
    if up_card.bit_count() != 1 or up_card & (seen | ~profile.pack) or not hands[holder] & bit(_TWO):
        _refuse("moment", "expected an up-card that nobody holds, and the two of diamonds with the swapper")
    after = list(hands)
    after[holder] ^= bit(_TWO) | up_card
    lays = tuple(
        Lay(Choice(swap=took if holder == 0 else None), took, cards)
        for took, cards in ((True, (after[0], after[1], after[2])), (False, hands))
    )
    return DealerChoices(profile, calls, lays, 0, 0, quotas, holder, up_card)


def exchange_state(request: exchange_pb2.ExchangeAdviceRequest) -> State:
    """Where parcels are due."""
    if request.record:
        if request.deal or request.previous or request.previous_quota or request.first_over or request.HasField("game"):
            _refuse("record", "expected a record, or game, deal and previous, found both")
        state = replayed(request.record).state
        three_hands(state.profile, "an exchange")
    else:
        profile = game_of(request.game)
        first = parse_seat(request.first_over, 3, field="first_over") if request.first_over else None
        if first is not None and profile.option("two_up_order") != "first_over":
            message = f"expected a game with two_up_order = first_over, found {profile.id}, where that settles nothing"
            _refuse("first_over", message)
        quotas = list(request.previous_quota) or None
        deal = Deal.parse(request.deal)
        try:
            state = exchange_of_deal(profile, deal, list(request.previous), quotas=quotas, first_over=first)
        except InputError as error:
            raise error.located(field="previous") if error.code == "not_due" else error from None
    if (ways := count_ways(state)) > WAYS_MAX:
        message = f"expected at most {WAYS_MAX:,} ways to choose the parcels, found {ways:,}"
        raise InputError("too_many", message, field="previous")
    return state


def contracts_put(request: contracts_pb2.ContractsRequest) -> dict[str, Any]:
    """A question for a contract table, as ContractSearch has it."""
    put = contracts_asked(request.deal, request.dealer, request.turned or None, request.trump or None)
    profile = game_of(request.game, "solo_whist")
    return {"deal": put.deal, "dealer": put.dealer, "turned": put.turned, "trump": put.trump, "profile": profile}


def parcels_of(hands: Sequence[str]) -> tuple[Mask, ...] | None:
    """Parcels that were sent; None where none are told."""
    return tuple(parse_hand(hand, field="chosen") for hand in hands[:3]) or None


def review_deal(
    request: review_pb2.ReviewRequest | fair_pb2.FairReviewRequest | contract_review_pb2.ReviewContractRequest,
) -> Any:
    """The deal of a record that is to be reviewed, and the players' names."""
    found = replayed(request.record)
    deals = {deal.number: deal for deal in found.deals if not deal.passed_out}
    if request.deal and request.deal not in deals:
        told = f"{min(deals)} to {max(deals)}" if deals else "none"
        _refuse("deal", f"expected deal {request.deal}, found the deals {told}")
    wanted = [deals[request.deal]] if request.deal else list(deals.values())
    played = [deal for deal in wanted if deal.state.phase in ("PLAY", "SCORE") or deal.state.tricks]
    if not played:
        raise InputError("not_due", "expected a deal that came to its first lead, found none", field="deal")
    return played[-1], found.record.players


def choices_there(choices: DealerChoices) -> int:
    """How many choices the dealer has besides the call."""
    return comb(choices.pool.bit_count(), choices.count)


def _refuse(field: str, message: str) -> NoReturn:
    raise InputError(field, message, field=field)
