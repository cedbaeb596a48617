"""The message of a contract's review as the library's own object."""

from __future__ import annotations

from typing import cast

from google.protobuf.struct_pb2 import Value

from tierce.service.typed import contract_table
from tierce.solver.advice.contract_accounts import TrumpJudged
from tierce.solver.advice.contract_calls import CallJudged
from tierce.solver.advice.contract_ledger import ContractLedger, ContractPlay
from tierce.solver.advice.contract_review import NAMES
from tierce.solver.advice.contract_review_results import ContractReview, Part
from tierce.solver.advice.contracts import ContractSearch
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.cards import parse_card, parse_seat, parse_trump
from tierce.solver.games.contracts import Contract
from tierce.solver.games.replay import ReplayedDeal
from tierce.v1 import contract_review_pb2, contracts_pb2

__all__ = ["contract_review"]

Response = contract_review_pb2.ReviewContractResponse


def contract_review(deal: ReplayedDeal, players: tuple[str, ...] | None, message: Response) -> ContractReview:
    """The review of a deal."""
    void = message.contract.HasField("null_value")
    contract = None if void else deal.state.contract
    judged = message.HasField("auction")
    return ContractReview(
        deal,
        players or NAMES,
        contract,
        None if contract is None else _ledger(deal, contract, message),
        _table(deal, message.auction.table) if judged else None,
        tuple(map(_call, message.auction.calls)),
        _trump(message.trump) if message.HasField("trump") else None,
        tuple(cast(Part, each) for each in message.not_judged),
        int(message.nodes),
        message.millis,
    )


# ---- the cards -------------------------------------------------------------------------------------------------------


def _ledger(deal: ReplayedDeal, contract: Contract, message: Response) -> ContractLedger:
    start = before = int(message.contract.struct_value.fields["start"].number_value)
    plays: list[ContractPlay] = []
    for told in message.plays:
        plays.append(_play(told, before))
        before = told.after
    state, taken = deal.state, [0, 0, 0, 0]
    for trick in state.tricks:
        taken[trick.winner] += 1
    return ContractLedger(
        side=sum(1 << seat for seat in contract.declarers),
        fewest=contract.rule.fewest,
        start=start,
        end=before,
        plays=tuple(plays),
        taken=tuple(taken),
        left=state.profile.hand - sum(taken),
        nodes=int(message.nodes),
        whole=message.whole,
    )


def _play(told: Response.Play, before: int) -> ContractPlay:
    options = tuple((parse_card(each.card), each.tricks) for each in told.cards)
    declares = told.side == "declarers"
    card = parse_card(told.card)
    return ContractPlay(told.trick, parse_seat(told.seat, 4), card, declares, options, before, told.after)


# ---- the auction and the trump ---------------------------------------------------------------------------------------


def _table(deal: ReplayedDeal, told: Response.Table) -> ContractTable:
    state = deal.state
    assert state.dealt is not None
    first = ContractSearch(state.dealt, state.dealer, state.turned, profile=state.profile).table
    same = contracts_pb2.ContractsResponse(contracts=told.contracts, stop=told.stop if told.HasField("stop") else None)
    return contract_table(first, same)


def _call(told: Response.Call) -> CallJudged:
    return CallJudged(
        parse_seat(told.seat, 4),
        _word(told.bid),
        _whole(told.units),
        _whole(told.stood),
        tuple(map(_word, told.best)),
        _whole(told.best_units),
        tuple((parse_seat(each.seat, 4), each.bid) for each in told.over),
    )


def _trump(told: Response.Trump) -> TrumpJudged:
    names = [(parse_trump(each.trump), each) for each in told.trumps]
    return TrumpJudged(
        parse_seat(told.seat, 4),
        parse_trump(told.trump),
        tuple((trump, _truth(each.makes)) for trump, each in names),
        tuple((trump, _whole(each.tricks)) for trump, each in names),
    )


def _word(bid: str) -> str | None:
    return None if bid == "pass" else bid


def _whole(value: Value) -> int | None:
    return int(value.number_value) if value.HasField("number_value") else None


def _truth(value: Value) -> bool | None:
    return value.bool_value if value.HasField("bool_value") else None
