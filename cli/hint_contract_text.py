"""The moment of a hint in a game of contracts, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tierce.cli.dealer_text import call_name
from tierce.cli.hint_asking import Asked
from tierce.cli.render import SEAT_NAMES, card_text, joined
from tierce.solver.games.actions import BidValue
from tierce.solver.games.contracts import UNNAMED, Contract, contract_title
from tierce.solver.games.view import View

__all__ = ["bid_name", "contract_scene"]


def bid_name(bid: BidValue) -> str:
    """`a pass`, `Solo`, `a bid of 9`."""
    if bid is None:
        return "a pass"
    return contract_title(bid) if isinstance(bid, str) else f"a bid of {bid}"


def contract_scene(asked: Asked) -> Iterator[str]:
    """Where it is from, the auction or the contract, and what all can see."""
    view = asked.view
    names = SEAT_NAMES[4]
    if asked.place:
        yield f"{asked.place}: only what {names[view.seat]} knows is looked at."
    turned = "" if view.turned is None else f", {joined([card_text(view.turned)]).plain} was turned up"
    yield f"{names[view.dealer]} dealt{turned}. {_auction(view, names)}"
    if view.contract is not None:
        yield _contract(view, view.contract, names)
    if view.phase == "PLAY":
        yield _play(view, names)


def _auction(view: View, names: Sequence[str]) -> str:
    """`East passed, South Prop.`"""
    said = (f"{names[seat]} {'passed' if bid is None else 'bid ' + bid_name(bid)}" for seat, bid in view.bids)
    return ", ".join(said) + "." if view.bids else "Nobody has bid."


def _contract(view: View, contract: Contract, names: Sequence[str]) -> str:
    who = " and ".join(names[seat] for seat in contract.declarers)
    trump = "" if contract.trump == UNNAMED else f", {_trump(contract.trump)}"
    won, rule = contract.won(view.taken), contract.rule
    owes = "no trick" if rule.fewest else f"{rule.needs} tricks"
    verb = "need" if len(contract.declarers) > 1 else "needs"
    must = f"{who} must win {owes}" if rule.fewest else f"{who} {verb} {owes}"
    return f"{rule.title}{trump}: {must}; won: {won}."


def _trump(trump: int) -> str:
    return "no trump" if trump == 4 else f"{call_name('SHDC'[trump])} are trump"


def _play(view: View, names: Sequence[str]) -> str:
    """`Trick 5; East led, on the table HA H3; taken: North 1, East 2, South 1, West 0.`"""
    table = f"{names[view.leader]} leads"
    if view.trick:
        played = joined([card_text(card) for card in view.trick]).plain
        table = f"{names[view.leader]} led, on the table {played}"
    taken = ", ".join(f"{name} {count}" for name, count in zip(names, view.taken, strict=True))
    return f"Trick {len(view.tricks) + 1}; {table}; taken: {taken}."
