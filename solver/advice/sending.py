"""The exchange of a deal: who sends what to whom, and every way in which a sender may choose his parcels.

    state = exchange_of_deal(profile, deal, previous=(10, 4, 2))     where the exchange begins
    due(state)                 the parcels that the sender whose turn it is owes, in order
    ways(state)                every way to choose them, the most promising first: what comes back, the state after it

What comes back is forced by the rules. A sender who fixes all his parcels before anything is returned chooses them at
once; one who serves his receivers one after the other sees what came back from the first, so that his way is a parcel
and the parcel after it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import NoReturn

from tierce.solver.cards import Mask, cards_of, mask_of, rank_of
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.actions import DealCards, Discard, NameTrump, Send, Swap
from tierce.solver.games.context import state_after
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import open_sends, two_holder
from tierce.solver.games.profile import Profile, three_hands
from tierce.solver.games.record import Context
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.scoring import DealResult, balances
from tierce.solver.games.state import State

__all__ = ["Way", "count_ways", "due", "exchange_of_deal", "exchange_of_state", "sender_of", "sent", "ways"]


@dataclass(frozen=True, slots=True)
class Way:
    """A sender's parcels, with what comes back for each, and the state after them: the next choice of somebody else's.

    sends   in the order in which they are made. `returned` is 0 where it depends on parcels of others still to come
    """

    sends: tuple[Transfer, ...]
    state: State


# ---- where the exchange begins ---------------------------------------------------------------------------------------


def exchange_of_deal(
    profile: Profile,
    deal: Deal,
    previous: Sequence[int],
    *,
    quotas: Sequence[int] | None = None,
    first_over: int | None = None,
) -> State:
    """The exchange of a deal, after a deal with these tricks.

    deal        as it lies when the exchange begins, in today's seats: of a game where the dealer discards first, with
                his discard beside the hands; of a game with an up-card that may be taken before, with what lies there
    previous    tricks of dealer, eldest and middle of the deal before, as they count; quotas: what they owed then
    first_over  the seat of that deal whose player was first over his quota (a rule of some games)

    The seats move on: the dealer of the deal before is middle now, eldest is dealer, middle is eldest. InputError for a
    deal that is not one of this game, or a result that cannot be (code and field "previous").
    """
    three_hands(profile, "an exchange")
    owed = profile.quotas if quotas is None else _three(quotas, "quotas")
    tricks = _three(previous, "tricks")
    last = DealResult(2, "", owed, tricks, balances(owed, tricks), first_over)
    if first_over is not None and first_over not in (0, 1, 2):
        message = f"expected the seat that was first over its quota, found {quoted(first_over)}"
        raise InputError("previous", message, field="first_over")
    d, e, m = last.balances
    try:
        state = state_after(profile, Context(number=2, totals=(e, m, d), previous=last))
    except InputError as error:
        inner = (error.field or "").removeprefix("context.previous.")
        field = inner if inner in ("quotas", "first_over") else "previous"
        raise InputError("previous", error.message, field=field) from None
    return exchange_of_state(state, deal)


def exchange_of_state(state: State, deal: Deal) -> State:
    """The exchange of the deal that comes next in a match: `state` is in the phase DEAL, `deal` as in
    `exchange_of_deal`. InputError (code "not_due") where nobody sends."""
    state = settle(apply(state, DealCards(deal)))
    while state.phase in ("SWAP", "DISCARD") and {"EXCHANGE", "SEND"} & set(state.steps[state.at :]):
        made = Swap(two_holder(state), False) if state.phase == "SWAP" else Discard(0, deal.kitty)
        state = settle(apply(state, made))
    if state.phase not in ("EXCHANGE", "SEND"):
        _refuse("not_due", f"expected an exchange, found none: {_why(state)}")
    return state


def _why(state: State) -> str:
    if not {"EXCHANGE", "SEND"} & set(state.steps):
        return f"{state.profile.id} has none in this deal"
    return "everybody took what he owed in the deal before"


# ---- what a sender may choose ----------------------------------------------------------------------------------------


def sender_of(state: State) -> int:
    """The seat whose turn it is to send. InputError (code "not_due") where nobody's parcel is due."""
    three_hands(state.profile, "an exchange")
    if not state.queue or state.queue[0][0] != "send":
        _refuse("not_due", f"expected a parcel to be due, found the phase {state.phase}")
    return state.transfers[state.queue[0][1]].sender


def due(state: State) -> tuple[Transfer, ...]:
    """The parcels that the sender whose turn it is still owes, in their order."""
    seat = sender_of(state)
    return tuple(state.transfers[i] for step, i in state.queue if step == "send" and state.transfers[i].sender == seat)


def count_ways(state: State) -> int:
    """How many ways there are."""
    at_once = len(open_sends(state)) > 1
    found, held = 1, state.hands[sender_of(state)].bit_count()
    for each in due(state):
        found *= comb(held, each.count)
        held -= each.count if at_once else 0
    return found


def ways(state: State) -> Iterator[Way]:
    """Every way to choose the parcels that are due, lazily, the most promising first: ways that bring more than they
    give, in ranks. That order is a guess and no more."""
    owed, at_once = due(state), len(open_sends(state)) > 1
    firsts = _by_gain(state, owed[0])
    if len(owed) == 1:
        yield from (sent(state, (cards,)) for _, cards in firsts)
        return
    later = _by_gain(state, owed[1])

    @cache
    def seconds(place: int) -> list[tuple[int, Mask]]:
        if at_once:
            return later
        return _by_gain(_sent_one(state, owed[0], firsts[place][1]), owed[1])

    queue = [(-(firsts[0][0] + later[0][0]), 0, 0)]
    while queue:
        _, i, j = heapq.heappop(queue)
        parcels = firsts[i][1], seconds(i)[j][1]
        if not (at_once and parcels[0] & parcels[1]):
            yield sent(state, parcels)
        if j + 1 < len(seconds(i)):
            heapq.heappush(queue, (-(firsts[i][0] + seconds(i)[j + 1][0]), i, j + 1))
        if not j and i + 1 < len(firsts):
            heapq.heappush(queue, (-(firsts[i + 1][0] + later[0][0]), i + 1, 0))


def sent(state: State, parcels: Sequence[Mask]) -> Way:
    """The way with these parcels, one for each that is due. InputError, as `rules.apply` has it, for parcels that the
    sender cannot send."""
    owed, after = due(state), state
    if len(parcels) != len(owed):
        _refuse("parcel", f"expected {len(owed)} parcel{'s' * (len(owed) != 1)}, found {len(parcels)}")
    for each, cards in zip(owed, parcels, strict=True):
        after = settle(apply(after, Send(each.sender, each.receiver, cards)))
    made = {(each.sender, each.receiver): each for each in _answered(after)}
    return Way(tuple(made[each.sender, each.receiver] for each in owed), after)


def _answered(state: State) -> tuple[Transfer, ...]:
    """The parcels with what comes back, as far as that is settled. Parcels that are answered after the trump is named
    are settled once all are sent: the answer does not depend on the trump."""
    if state.phase == "TRUMP" and "RETURN" in state.steps[state.at :]:
        return settle(apply(state, NameTrump(0, 0))).transfers
    return state.transfers


def _sent_one(state: State, transfer: Transfer, cards: Mask) -> State:
    return settle(apply(state, Send(transfer.sender, transfer.receiver, cards)))


def _by_gain(state: State, transfer: Transfer) -> list[tuple[int, Mask]]:
    """Parcels, and by how many ranks what comes back for each is above it; the highest gain first, of equal ones the
    lowest cards."""
    gain = _gain_of(state, transfer)
    hand = cards_of(state.hands[transfer.sender])
    found = [(gain(parcel), parcel) for parcel in map(mask_of, combinations(hand, transfer.count))]
    return sorted(found, key=lambda each: (-each[0], _ranks(each[1]), each[1]))


def _gain_of(state: State, transfer: Transfer) -> Callable[[Mask], int]:
    """The gain of a parcel if it were the only one."""
    own, options = state.hands[transfer.receiver], state.profile.options

    @cache
    def returned(parcel: Mask) -> Mask:
        return exchange.returned(own, parcel, options)

    return lambda parcel: _ranks(returned(parcel)) - _ranks(parcel)


def _ranks(cards: Mask) -> int:
    return sum(map(rank_of, cards_of(cards)))


def _three(found: Sequence[int], what: str) -> tuple[int, int, int]:
    values = as_tuple(found)
    if values is None or len(values) != 3 or not all(map(is_whole, values)):
        _refuse("previous", f"expected three {what}, of dealer, eldest and middle, found {quoted(found)}")
    return values[0], values[1], values[2]


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message, field="previous" if code == "previous" else "exchange")
