"""What `tierce replay` tells of a deal that is bid for a contract, besides what it tells of every deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tierce.solver.asking import Json
from tierce.solver.cards import SUIT_NAMES

if TYPE_CHECKING:
    from tierce.solver.games import Contract, ReplayedDeal, State

__all__ = ["bids_due", "contract_json", "contract_lines", "outcome", "spoken"]


def contract_json(deal: ReplayedDeal) -> Json:
    """The contract and, where the record ends in the auction, what may be bid and why not the rest."""
    from tierce.solver.games.contract_auction import open_bids, refusals

    state, letters = deal.state, deal.state.profile.letters
    contract = state.contract
    if state.phase == "BID":
        return {"open_bids": [*open_bids(state), "pass"], "refused_bids": refusals(state)}
    if contract is None:
        return {"contract": None}
    told = {
        "name": contract.name,
        "declarers": [letters[seat] for seat in contract.declarers],
        "trump": state.call or None,
        "leader": letters[contract.leader],
    }
    return {"contract": told} | ({} if deal.result is None else {"made": contract.made(deal.result.tricks)})


def spoken(bid: object) -> str:
    """A bid as it stands in a list of them."""
    from tierce.solver.games.contracts import contract_title

    return "passes" if bid is None else contract_title(str(bid))


def contract_lines(state: State) -> Iterator[tuple[str, str]]:
    """Title and text of what came of the auction."""
    contract = state.contract
    if contract is not None:
        trump = f", {_trump(state.call)}" if state.call else ""
        yield "Contract", f"{_whose(state, contract)}{trump}; {state.profile.letters[contract.leader]} leads"


def _trump(call: str) -> str:
    return "no trump" if call == "N" else f"trump {SUIT_NAMES['SHDC'.index(call)]}"


def _whose(state: State, contract: Contract) -> str:
    return f"{contract.rule.title} of {' and '.join(state.profile.letters[seat] for seat in contract.declarers)}"


def outcome(deal: ReplayedDeal) -> str:
    """Was the contract made?"""
    state, result = deal.state, deal.result
    assert result is not None
    contract = state.contract
    if contract is None:
        return "Void: no bid stands." if not any(bid for _, bid in state.bids) else "Void: nobody accepted the Prop."
    won = contract.won(result.tricks)
    needs = "none allowed" if contract.rule.fewest else f"{contract.rule.needs} needed"
    made = "made" if contract.made(result.tricks) else "failed"
    return f"{_whose(state, contract)}: {won} trick{'s' * (won != 1)}, {needs}: {made}."


def bids_due(state: State) -> Iterator[str]:
    """Where a record ends in the auction: what may be bid now, and why not the rest."""
    from tierce.cli.exchange_text import wrapped
    from tierce.solver.games.contract_auction import bidder, open_bids, refusals
    from tierce.solver.games.contracts import contract_title

    seat = bidder(state)
    if seat is None:
        return
    allowed = ["a pass", *map(contract_title, open_bids(state))]
    yield from wrapped(f"{state.profile.letters[seat]} may bid: {', '.join(allowed)}.")
    for bid, why in refusals(state).items():
        yield f"  not {contract_title(bid)}: {why}"
