"""Between two deals: the state there from what a record says came before, checked, and the exchange that is to come."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NoReturn

from tierce.solver.cards import NOTRUMP
from tierce.solver.errors import InputError
from tierce.solver.games.auction import AUCTION_QUOTAS
from tierce.solver.games.contract_auction import trump_choices
from tierce.solver.games.contracts import payments
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import exchange_plan
from tierce.solver.games.profile import MIZ, Profile
from tierce.solver.games.record import Context
from tierce.solver.games.scoring import DealResult, balances, winners
from tierce.solver.games.state import State, before_deal

__all__ = ["DEALS_MAX", "next_exchange", "state_after"]

DEALS_MAX: Final = 1000  # the highest number of a record's first deal
_DEAREST: Final = 300  # no deal of contracts brings or costs a player more, in the dearest schedule


def next_exchange(state: State) -> tuple[Transfer, ...]:
    """The parcels of the exchange of a deal that has not begun, in their order; () if there will be none."""
    if state.won or state.phase != "DEAL" or not {"EXCHANGE", "SEND"} & set(state.steps):
        return ()
    return exchange_plan(state)


def state_after(profile: Profile, context: Context) -> State:
    """The state before deal `context.number`. InputError (code and field "context") if it cannot be.

    The deals before the previous one are not known: they stand in `State.results` as results without call, quotas and
    tricks, so that deals are counted right.
    """
    last, number = context.previous, context.number
    if not 2 <= number <= DEALS_MAX:
        _refuse("deal", f"expected the number of a deal from 2 to {DEALS_MAX}", number)
    seats = profile.seats
    if last.dealer not in range(seats):
        _refuse("previous.dealer", f"expected a player from 0 to {seats - 1}", last.dealer)
    _check_previous(profile, last, first=number == 2)
    if number == 2 and profile.option("first_deal_auction") and last.bid is None:
        last = replace(last, bid=next(bid for bid, quotas in AUCTION_QUOTAS.items() if quotas == last.quotas))
    dealer = (last.dealer + 1) % seats
    _check_used(profile, context, dealer)
    if sum(context.totals) != 0:
        _refuse("totals", "expected totals that sum to 0", list(context.totals))
    by_player = tuple(last.balances[profile.seat(last.dealer, player)] for player in range(seats))
    if number == 2 and context.totals != by_player:
        _refuse("totals", f"expected the balances of the one deal before, {list(by_player)}", list(context.totals))
    none = (0,) * seats
    unknown = (DealResult((last.dealer - before) % seats, "", none, none, none) for before in range(number - 2, 0, -1))
    earlier = tuple(unknown)
    results = (*earlier, last)
    before = tuple(total - balance for total, balance in zip(context.totals, by_player, strict=True))
    _check_totals_before(profile, earlier, before)
    if winners(profile, results, context.totals):
        _refuse("previous", "expected a match that goes on after the previous deal", "one that was won")
    return before_deal(profile, dealer, results, context.totals, context.used)


def _check_totals_before(profile: Profile, earlier: tuple[DealResult, ...], before: tuple[int, ...]) -> None:
    """The totals before the previous deal: within what so many deals can give, and of a match that went on."""
    if profile.contracts:
        widest = _DEAREST * len(earlier)
        if max(map(abs, before)) > widest:
            _refuse("totals", f"expected totals within {widest} before the previous deal", list(before))
        return
    quotas = (*profile.quotas, *(profile.caps() if profile.calls else ()))
    least = 0 if profile.option("first_deal_auction") else min(quotas)
    most = 16 if profile.option("first_deal_auction") else max(quotas)
    widest = max(profile.counted - least, most) * len(earlier)
    found = list(before)
    if max(map(abs, before)) > widest:
        _refuse("totals", f"expected totals within {widest} before the previous deal", found)
    by_total = profile.options.get("end") == "total"
    if by_total and earlier and winners(profile, earlier, before):
        _refuse("totals", "expected a match that went on before the previous deal", found)


def _check_contract(profile: Profile, last: DealResult) -> None:
    """The deal before in a game of contracts: its tricks, and what they brought."""
    contract = last.contract
    if contract is None:
        if any(last.tricks) or any(last.balances):
            _refuse("previous.tricks", "expected a contract for a deal that was played", _row(last.tricks))
        return
    allowed = trump_choices(profile, contract.rule) or {"none": (NOTRUMP,)}.get(contract.rule.trump, (0, 1, 2, 3))
    if contract.trump not in allowed:
        names = " ".join("SHDCN"[each] for each in allowed)
        _refuse("previous.call", f"expected one of {names} in {contract.rule.title}", last.call or "none")
    if sum(last.tricks) != profile.hand or min(last.tricks) < 0:
        _refuse("previous.tricks", f"expected tricks that sum to {profile.hand}", _row(last.tricks))
    due = payments(contract, last.tricks, str(profile.option("overtrick_schedule")))
    if last.balances != due:
        _refuse("previous.balances", f"expected {_row(due)}", _row(last.balances))


def _check_previous(profile: Profile, last: DealResult, *, first: bool) -> None:
    if profile.contracts:
        _check_contract(profile, last)
        return
    calls = profile.calls or ("S", "H", "D", "C")
    if last.call not in ("", *calls):
        _refuse("previous.call", f"expected one of {' '.join(calls)}", last.call)
    usual = [profile.caps() if last.call == MIZ else profile.quotas]
    if first and profile.option("first_deal_auction"):
        usual = list(AUCTION_QUOTAS.values())
        if last.bid is not None and AUCTION_QUOTAS.get(last.bid) != last.quotas:
            _refuse("previous.bid", f"expected the bid of the quotas {_row(last.quotas)}", last.bid)
    elif last.bid is not None:
        _refuse("previous.bid", "expected no bid for a deal without an auction", last.bid)
    if last.quotas not in usual:
        _refuse("previous.quotas", f"expected {' or '.join(map(_row, usual))}", _row(last.quotas))
    lowest = 1 if profile.kitty_trick else 0
    if sum(last.tricks) != profile.counted or min(last.tricks) < 0 or last.tricks[0] < lowest:
        kitty = ", the dealer's kitty among them" if lowest else ""
        _refuse("previous.tricks", f"expected tricks that sum to {profile.counted}{kitty}", _row(last.tricks))
    due = balances(last.quotas, last.tricks, last.call)
    if last.balances != due:
        _refuse("previous.balances", f"expected {_row(due)}", _row(last.balances))
    if last.first_over is not None and last.tricks[last.first_over] <= last.quotas[last.first_over]:
        _refuse("previous.first_over", "expected a seat that won more tricks than its quota", "DEM"[last.first_over])


def _check_used(profile: Profile, context: Context, dealer: int) -> None:
    """In games with calls each dealer used one a deal."""
    if profile.seats == 4:
        if any(context.used):
            _refuse("used", "expected no calls", "some")
        return
    before = context.number - 1
    for player, used in enumerate(context.used):
        # The deals before went by turns, the last of them to the player before `dealer`.
        back = (dealer - 1 - player) % 3
        count = (before - back + 2) // 3 if profile.calls else 0
        if len(used) != count or used - set(profile.calls):
            expected = (
                f"expected {count} of the calls {' '.join(profile.calls)}" if profile.calls else "expected no calls"
            )
            _refuse("used", f"{expected} for player {player}", " ".join(sorted(used)) or "none")
    last = context.previous
    if profile.calls and last.call not in context.used[last.dealer]:
        _refuse("previous.call", f"expected a call that player {last.dealer} has used", last.call)


def _row(values: tuple[int, ...]) -> str:
    return "/".join(map(str, values))


def _refuse(where: str, expected: str, found: object) -> NoReturn:
    raise InputError("context", f"{expected}, found {found!r:.60}", field=f"context.{where}")
