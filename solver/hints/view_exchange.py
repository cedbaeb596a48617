"""How far the exchange of a view has come: its parcels by the deal before, the own cards among them, whose turn it is.

Of a parcel between the two others a view shows no cards, and nobody need tell it. How far that exchange has come
follows from the order of the exchange, the turn and the sizes of the hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from tierce.solver.cards import ALL_CARDS, Mask, card_names, cards_of, mask_of
from tierce.solver.games import exchange
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import exchange_plan
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.state import State
from tierce.solver.hints.view_told import NOT_TOLD, Told, ToldParcel, refuse

__all__ = ["Move", "any_cards", "begun", "done", "exchanged", "hand_sizes", "refuse_early"]

Move: TypeAlias = tuple[str, int]  # "send" or "return", and of which transfer

_EXCHANGES: Final = ("EXCHANGE", "SEND", "RETURN")


def done(state: State, step: str) -> bool:
    return step in state.steps[: state.at]


def begun(state: State, step: str) -> bool:
    return step in state.steps[: state.at + 1]


def refuse_early(told: object, field: str, state: State, step: str) -> None:
    """Refuse what is told before the phase that brings it, or in a deal without it."""
    if told:
        when = f"before the phase {step}" if step in state.steps else "in this deal"
        refuse(field, f"expected none {when}, found some", "not_due")


def exchanged(told: Told, state: State) -> State:
    """The parcels, as far as they have been sent and answered."""
    phases = [step for step in _EXCHANGES if begun(state, step)]
    if not phases:
        refuse_early(told.exchange, "exchange", state, "SEND" if "SEND" in state.steps else "EXCHANGE")
        return state
    plan = exchange_plan(state)
    parcels = _parcels(told, plan)
    made = [move for step in phases if done(state, step) for move in _moves(state, plan, step)]
    queue: tuple[Move, ...] = ()
    if state.phase in _EXCHANGES:
        moves = _moves(state, plan, state.phase)
        if not moves:
            refuse("phase", f"expected no phase {state.phase} where nobody owes a parcel, found it")
        more = _progress(told, state, plan, parcels, made, moves)
        made, queue = [*made, *more], tuple(move for move in moves if move not in more)
    _check_parcels(told, plan, parcels, made)
    transfers = tuple(_transfer(told, i, each, parcels.get(i), made) for i, each in enumerate(plan))
    return replace(state, transfers=transfers, queue=queue)


def _moves(state: State, plan: Sequence[Transfer], step: str) -> tuple[Move, ...]:
    """What is done in a phase of the exchange, in its order."""
    if step == "EXCHANGE":
        return exchange.steps(plan, state.profile.options)
    half = len(plan)
    return exchange.together(plan)[:half] if step == "SEND" else exchange.together(plan)[half:]


def _parcels(told: Told, plan: Sequence[Transfer]) -> dict[int, ToldParcel]:
    """The parcels told, by their place in the exchange."""
    found: dict[int, ToldParcel] = {}
    for place, parcel in enumerate(told.exchange):
        ends = (parcel.sender, parcel.receiver)
        i = next((i for i, each in enumerate(plan) if (each.sender, each.receiver) == ends), None)
        if i is None or i in found or parcel.count not in (None, plan[i].count):
            due = ", ".join(f"{NAMES[each.sender]} to {NAMES[each.receiver]} {each.count}" for each in plan) or "none"
            count = "" if parcel.count is None else f" {parcel.count}"
            twice = " twice" if i in found else ""
            message = f"found {NAMES[parcel.sender]} to {NAMES[parcel.receiver]}{count}{twice}"
            refuse(f"exchange[{place}]", f"expected the parcels of the deal before, {due}, {message}")
        if told.seat not in ends and (parcel.sent or parcel.returned):
            refuse(f"exchange[{place}]", "expected no cards of a parcel between the two others, found some")
        found[i] = parcel
    return found


def _progress(
    told: Told,
    state: State,
    plan: Sequence[Transfer],
    parcels: Mapping[int, ToldParcel],
    made: Sequence[Move],
    moves: tuple[Move, ...],
) -> tuple[Move, ...]:
    """The moves made by now in the phase: those that agree with the own cards told, the turn and the sizes of hands.
    Where the turn is not told, it is this seat's if it can be; of two that are left what is traced decides."""
    found = [each for each in _beginnings(plan, moves) if _agrees(told, plan, parcels, [*made, *each])]
    if told.to_move != NOT_TOLD:
        found = [each for each in found if _turn(plan, moves, each) == told.to_move]
    if told.counts is not None:
        found = [each for each in found if _sizes(state, plan, [*made, *each]) == told.counts]
    if not found:
        expected = "an exchange that can have come to the turn, the cards and the sizes of hands that are told"
        refuse("exchange", f"expected {expected}, found one that cannot")
    traced = (told.follows or {}).get("traced")
    if isinstance(traced, tuple):  # cards have gone on only where the two others have exchanged since
        found.sort(key=len, reverse=any(traced))
    return next((each for each in found if _turn(plan, moves, each) == told.seat), found[0])


def _beginnings(plan: Sequence[Transfer], moves: tuple[Move, ...]) -> list[tuple[Move, ...]]:
    """What may have been done and leaves something; of two parcels that one player sends at once either comes first."""
    found = [moves[:made] for made in range(len(moves))]
    if [kind for kind, _ in moves[:2]] == ["send", "send"] and plan[moves[0][1]].sender == plan[moves[1][1]].sender:
        found.append((moves[1],))
    return found


def _agrees(told: Told, plan: Sequence[Transfer], parcels: Mapping[int, ToldParcel], made: Sequence[Move]) -> bool:
    """Are just the cards told of the own parcels that have moved?"""
    return all(
        bool(cards) == ((kind, i) in made)
        for i, each in enumerate(plan)
        if told.seat in (each.sender, each.receiver)
        for kind, cards in _cards(parcels.get(i))
    )


def _cards(parcel: ToldParcel | None) -> tuple[tuple[str, Mask], tuple[str, Mask]]:
    return ("send", (parcel and parcel.sent) or 0), ("return", (parcel and parcel.returned) or 0)


def _turn(plan: Sequence[Transfer], moves: Sequence[Move], made: Sequence[Move]) -> int:
    kind, i = next(move for move in moves if move not in made)
    return plan[i].sender if kind == "send" else plan[i].receiver


def _check_parcels(
    told: Told, plan: Sequence[Transfer], parcels: Mapping[int, ToldParcel], made: Sequence[Move]
) -> None:
    """Own parcels are told, with as many cards as are due, once they have been made, and not before."""
    for i, each in enumerate(plan):
        if told.seat not in (each.sender, each.receiver):
            continue
        for kind, cards in _cards(parcels.get(i)):
            due = each.count if (kind, i) in made else 0
            if cards.bit_count() != due:
                what = "sent" if kind == "send" else "returned"
                ends = f"{NAMES[each.sender]}'s parcel for {NAMES[each.receiver]}"
                message = f"expected {due} cards {what} of {ends}, found {card_names(cards) or 'none'}"
                refuse("exchange", message, "parcel_size")


def _transfer(told: Told, i: int, each: Transfer, parcel: ToldParcel | None, made: Sequence[Move]) -> Transfer:
    """A transfer with its cards; any cards for those that this seat does not see."""
    sent, back = ((any_cards(each.count) if (kind, i) in made else 0) for kind in ("send", "return"))
    if told.seat in (each.sender, each.receiver):
        sent, back = (parcel and parcel.sent) or 0, (parcel and parcel.returned) or 0
    return replace(each, sent=sent, returned=back)


# ---- numbers of cards ------------------------------------------------------------------------------------------------


def hand_sizes(state: State) -> tuple[int, ...]:
    """The cards in each hand, by what has been done."""
    return _sizes(state, state.transfers, _made(state))


def _made(state: State) -> list[Move]:
    """All moves of the exchange that have been made."""
    moves = [("send", i) for i, each in enumerate(state.transfers) if each.sent]
    return moves + [("return", i) for i, each in enumerate(state.transfers) if each.returned]


def _sizes(state: State, plan: Sequence[Transfer], made: Sequence[Move]) -> tuple[int, ...]:
    """The cards in each hand."""
    seats = state.profile.seats
    sizes = [state.profile.hand if state.at else 0] * seats
    for kind, i in made:
        each, sign = plan[i], 1 if kind == "send" else -1
        sizes[each.sender] -= sign * each.count
        sizes[each.receiver] += sign * each.count
    sizes[0] += state.profile.kitty * (done(state, "KITTY") - done(state, "DISCARD"))
    for seat in range(seats):
        sizes[seat] -= len(state.tricks) + ((seat - state.leader) % seats < len(state.trick))
    return tuple(sizes)


def any_cards(count: int) -> Mask:
    """So many cards; nobody looks which."""
    return mask_of(cards_of(ALL_CARDS)[:count])
