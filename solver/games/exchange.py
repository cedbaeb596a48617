"""The exchange: who sends how many cards to whom and in which order, what must come back, what is shown of the kitty.

Everything here is by seat of the deal about to be played: 0 dealer, 1 eldest, 2 middle. Balances are those of the
deal before, moved to the seats their owners have now; they sum to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tierce.solver.cards import LANE, SUITS, Card, Mask, bit, cards_of, mask_of, rank_of, suit_of
from tierce.solver.games.options import Value

__all__ = ["Transfer", "plan", "returned", "returned_together", "shown_cards", "steps", "together"]

_ACE = 12


@dataclass(frozen=True, slots=True)
class Transfer:
    """One parcel and what came back for it. `count` cards each way; masks are empty until the cards are known."""

    sender: int
    receiver: int
    count: int
    sent: Mask = 0
    returned: Mask = 0


def plan(
    balances: Sequence[int],
    quotas: Sequence[int],
    options: Mapping[str, Value],
    first_over: int | None = None,
) -> tuple[Transfer, ...]:
    """The parcels, in the order in which their exchanges are made.

    first_over   the seat of the player who was first over his quota in the deal before, where that is known
    """
    senders = [seat for seat in range(3) if balances[seat] > 0]
    receivers = sorted((seat for seat in range(3) if balances[seat] < 0), key=lambda seat: (quotas[seat], -seat))
    senders.sort(key=lambda seat: (-quotas[seat], seat))
    rule = options.get("two_up_order", "current_quota")
    if rule == "most_up":
        senders.sort(key=lambda seat: -balances[seat])
    elif rule == "first_over":
        senders.sort(key=lambda seat: seat != first_over)
    cap = int(options.get("max_bleed", 0)) or 1 << 10
    scope = options.get("bleed_scope", "both")
    send = {seat: min(balances[seat], cap if scope != "receiver" else 1 << 10) for seat in senders}
    take = {seat: min(-balances[seat], cap if scope != "sender" else 1 << 10) for seat in receivers}
    found = []
    for sender in senders:
        for receiver in receivers:
            count = min(send[sender], take[receiver])
            if count:
                send[sender] -= count
                take[receiver] -= count
                found.append(Transfer(sender, receiver, count))
    return tuple(found)


def steps(transfers: Sequence[Transfer], options: Mapping[str, Value]) -> tuple[tuple[str, int], ...]:
    """What is done in order: ("send", i) and ("return", i) of transfer i."""
    one_sender = len({transfer.sender for transfer in transfers}) == 1
    if one_sender and options.get("exchange_order_two_down") == "simultaneous":
        return together(transfers)
    return tuple((step, i) for i in range(len(transfers)) for step in ("send", "return"))


def together(transfers: Sequence[Transfer]) -> tuple[tuple[str, int], ...]:
    """All parcels first, then all returns."""
    return tuple((step, i) for step in ("send", "return") for i in range(len(transfers)))


# ---- returns ---------------------------------------------------------------------------------------------------------


def returned(own: Mask, parcel: Mask, options: Mapping[str, Value]) -> Mask:
    """What a hand `own` (without the parcel) must give back for a parcel."""
    rule = options.get("return_rule", "merged_top_n")
    back = 0
    for suit in SUITS:
        sent = _high_first(parcel, suit, options)
        if sent:
            back |= mask_of(_BY_RULE[str(rule)](_high_first(own, suit, options), sent, options))
    return back


def returned_together(own: Mask, parcels: Sequence[tuple[int, Mask]], options: Mapping[str, Value]) -> list[Mask]:
    """What goes back for several parcels that were all received before anything was returned.

    parcels   (quota of the sender, cards). In each suit the cards that go back are those of one merged parcel; the
              sender with the higher quota takes the higher ones (split_return_order = "lowest_quota": the lower)
    """
    merged = 0
    for _, parcel in parcels:
        merged |= parcel
    back = returned(own, merged, options)
    lowest = options.get("split_return_order") == "lowest_quota"
    order = sorted(range(len(parcels)), key=lambda i: parcels[i][0], reverse=not lowest)
    found = [0] * len(parcels)
    for suit in SUITS:
        cards = _high_first(back, suit, options)
        for i in order:
            count = (parcels[i][1] >> 16 * suit & LANE).bit_count()
            found[i] |= mask_of(cards[:count])
            cards = cards[count:]
    return found


def _merged(own: list[Card], sent: list[Card], options: Mapping[str, Value]) -> Iterable[Card]:
    return sorted(own + sent, key=lambda card: -_rank(card, options))[: len(sent)]


def _own(own: list[Card], sent: list[Card], options: Mapping[str, Value]) -> Iterable[Card]:
    return (own + sent)[: len(sent)]


def _pairwise(own: list[Card], sent: list[Card], options: Mapping[str, Value]) -> Iterable[Card]:
    """Each card sent, in the order given, draws the highest own card left, if that is higher; else it goes back."""
    left = list(own)
    for card in sent:
        if left and _rank(left[0], options) > _rank(card, options):
            yield left.pop(0)
        else:
            yield card


_BY_RULE: Final[Mapping[str, Callable[[list[Card], list[Card], Mapping[str, Value]], Iterable[Card]]]] = {
    "merged_top_n": _merged,
    "own_top_n": _own,
    "pairwise_high_first": _pairwise,
    "pairwise_low_first": lambda own, sent, options: _pairwise(own, sent[::-1], options),
}


def _rank(card: Card, options: Mapping[str, Value]) -> int:
    rank = rank_of(card)
    return -1 if rank == _ACE and options.get("rank_order") == "ace_low" else rank


def _high_first(mask: Mask, suit: int, options: Mapping[str, Value]) -> list[Card]:
    cards = [card for card in cards_of(mask & LANE << 16 * suit)]
    return sorted(cards, key=lambda card: -_rank(card, options))


# ---- the kitty check -------------------------------------------------------------------------------------------------


def shown_cards(transfer: Transfer, kitty: Mask, options: Mapping[str, Value]) -> Mask:
    """The kitty cards the dealer, who returned cards in this transfer, shows to its sender: he would have had to
    give them back had he held them."""
    found = 0
    for suit in SUITS:
        back = transfer.returned & LANE << 16 * suit
        if not options.get("show_after_null_return", True):
            back &= ~transfer.sent
        if not back:
            continue
        ranks = [_rank(card, options) for card in cards_of(back)]
        threshold = max(ranks) if options.get("show_threshold") == "highest_returned" else min(ranks)
        for card in cards_of(kitty):
            if suit_of(card) == suit and _rank(card, options) > threshold:
                found |= bit(card)
    return found
