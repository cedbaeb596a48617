"""What one player knows at a moment. Hints and samplers work from a `View` and from nothing else.

A view is built from what its seat may see: own cards, the parcels it sent or received and what came back, kitty cards
shown to it, its own discard, the up-card or the turned-up card, the bids, the call, the cards played, a hand that lies
open. It holds no card that the seat has not
seen; a test exchanges unseen cards and finds the view unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tierce.solver.cards import Card, Mask, bit, card_name, format_hand, mask_of, suit_of
from tierce.solver.checks import check_whole
from tierce.solver.games.actions import BidValue
from tierce.solver.games.contracts import Contract
from tierce.solver.games.exchange import Transfer, steps, together
from tierce.solver.games.profile import Profile
from tierce.solver.games.rules import automatic, legal
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.state import State, Trick

__all__ = ["SeenTransfer", "View", "view"]


@dataclass(frozen=True, slots=True)
class SeenTransfer:
    """A parcel as a seat sees it: both ends and the count are public; the cards only to the two who have them."""

    sender: int
    receiver: int
    count: int
    sent: Mask | None
    returned: Mask | None


@dataclass(frozen=True, slots=True)
class View:
    """What `seat` knows. Seats: 0 dealer, 1 eldest, 2 middle, or N, E, S, W; cards are masks.

    to_move     the seat that moves, None if nobody does or if that itself would tell (the swap)
    hand        own cards; counts: cards in each hand; kitty: cards still undealt and unseen
    discard     own discard, None for others; up_card: the card that lies face up, 0 if there is none
    transfers   the exchange; shown: kitty cards shown to this seat
    voids       suits (bit 1 << suit) of which a seat has shown that it has none
    seen        every card this seat has seen; unseen: the rest of the pack
    known       cards known to be in each hand; traced: cards last seen going there that may have gone on since, in an
                exchange between the others or to the dealer's discard
    turned      the dealer's card that was turned up, in a game of contracts; contract: what is played, None before it
    exposed     cards of a hand that lies open for all
    """

    profile: Profile
    seat: int
    dealer: int
    phase: str
    to_move: int | None
    results: tuple[DealResult, ...]
    totals: tuple[int, ...]
    quotas: tuple[int, ...]
    bids: tuple[tuple[int, BidValue], ...]
    call: str
    swapped: bool | None
    swapper: int | None
    hand: Mask
    counts: tuple[int, ...]
    kitty: int
    discard: Mask | None
    discards: int
    up_card: Mask
    removed: Mask
    transfers: tuple[SeenTransfer, ...]
    shown: Mask
    leader: int
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    taken: tuple[int, ...]
    voids: tuple[int, ...]
    seen: Mask
    known: tuple[Mask, ...]
    traced: tuple[Mask, ...]
    turned: Card | None = None
    contract: Contract | None = None
    exposed: Mask = 0

    @property
    def unseen(self) -> Mask:
        """Cards of the pack this seat has not seen."""
        return self.profile.pack & ~self.seen

    def __str__(self) -> str:
        """A few lines for people: the moment, and the cards by where they are, as hands."""
        names = self.profile.seat_names
        moves = "nobody moves" if self.to_move is None else f"{names[self.to_move]} to move"
        taken = ", ".join(f"{name} {count}" for name, count in zip(names, self.taken, strict=True))
        rows = [("hand", format_hand(self.hand))]
        if self.trick:
            rows.append(("trick", " ".join(map(card_name, self.trick))))
        rows.append(("taken", taken))
        if self.turned is not None:
            rows.append(("turned up", card_name(self.turned)))
        for seat, name in enumerate(names):
            if seat != self.seat and self.known[seat]:
                rows.append((f"known of {name}", format_hand(self.known[seat])))
        rows.append(("unseen", format_hand(self.unseen)))
        head = f"{names[self.seat]}, in the phase {self.phase}: {moves}"
        return "\n".join([head, *(f"{title}: {text}" for title, text in rows)])


def view(state: State, seat: int) -> View:
    """What a seat of the present deal knows. InputError (field "seat") for one that is not 0, 1 or 2 (or 3 of four)."""
    last = state.profile.seats - 1
    check_whole(seat, 0, last, "a seat 0, 1 or 2" if last == 2 else "a seat 0, 1, 2 or 3", "seat")
    up_card = state.kitty if "SWAP" in state.steps else 0
    removed = state.removed if state.profile.option("removed_card") not in (False, "random_hidden") else 0
    transfers = tuple(_seen(transfer, seat) for transfer in state.transfers)
    shown = 0
    for to, cards in state.shown:
        shown |= cards if to == seat or seat == 0 else 0
    played = mask_of(card for trick in state.tricks for card in trick.cards) | mask_of(state.trick)
    discard = state.discard if seat == 0 and state.discard else None
    open_ = state.exposed | (0 if state.turned is None else bit(state.turned))
    known, traced = _whereabouts(state, seat, played | up_card)
    seen = state.hands[seat] | played | shown | up_card | removed | state.taken_up | (discard or 0) | open_
    if seat == 0:
        seen |= state.taken_kitty
    for transfer in transfers:
        seen |= (transfer.sent or 0) | (transfer.returned or 0)
    return View(
        profile=state.profile,
        seat=seat,
        dealer=state.dealer,
        phase=state.phase,
        to_move=_to_move(state),
        results=state.results,
        totals=state.totals,
        quotas=state.quotas,
        bids=state.bids,
        call=state.call,
        swapped=state.swapped,
        swapper=state.swapper,
        hand=state.hands[seat],
        counts=tuple(hand.bit_count() for hand in state.hands),
        kitty=0 if up_card else state.kitty.bit_count(),
        discard=discard,
        discards=state.discard.bit_count(),
        up_card=up_card,
        removed=removed,
        transfers=transfers,
        shown=shown,
        leader=state.leader,
        trick=state.trick,
        tricks=state.tricks,
        taken=state.taken,
        voids=_voids(state),
        seen=seen,
        known=tuple(known),
        traced=tuple(traced),
        turned=state.turned,
        contract=state.contract,
        exposed=state.exposed,
    )


def _to_move(state: State) -> int | None:
    if state.phase in ("OVER", "DEAL", "SCORE", "SWAP"):
        return None
    action = automatic(state)
    return getattr(action, "seat", None) if action is not None else legal(state)[0].seat


def _seen(transfer: Transfer, seat: int) -> SeenTransfer:
    mine = seat in (transfer.sender, transfer.receiver)
    return SeenTransfer(
        transfer.sender,
        transfer.receiver,
        transfer.count,
        transfer.sent if mine else None,
        transfer.returned if mine else None,
    )


def _voids(state: State) -> tuple[int, ...]:
    """Suits of which each seat has shown to have none, by not following."""
    seats = len(state.hands)
    voids = [0] * seats
    for leader, cards in (*((trick.leader, trick.cards) for trick in state.tricks), (state.leader, state.trick)):
        for place, card in enumerate(cards):
            if suit_of(card) != suit_of(cards[0]):
                voids[(leader + place) % seats] |= 1 << suit_of(cards[0])
    return tuple(voids)


def _whereabouts(state: State, seat: int, out: Mask) -> tuple[list[Mask], list[Mask]]:
    """(known, traced) by seat: cards this seat saw go to a hand, and those of them that may since have left it.

    out   cards that all see to be in no hand: those played, and the up-card
    """
    seats = len(state.hands)
    known, traced = [0] * seats, [0] * seats
    if state.turned is not None:
        known[state.dealer] = bit(state.turned)
    if state.contract is not None:
        known[state.contract.declarers[0]] |= state.exposed

    def arrive(to: int, cards: Mask) -> None:
        for each in range(seats):
            known[each] &= ~cards
            traced[each] &= ~cards
        known[to] |= cards

    def leave(hand: int) -> None:
        traced[hand] |= known[hand]
        known[hand] = 0

    for step in state.steps[: state.at + 1]:
        if step in ("EXCHANGE", "SEND", "RETURN"):
            for sender, receiver, cards in _movements(state, step):
                if seat in (sender, receiver):
                    arrive(receiver, cards)
                elif cards:
                    leave(sender)
        elif step == "DISCARD" and state.discard and seat != 0:
            leave(0)
        elif step == "SHOW" and seat != 0:
            for to, cards in state.shown:
                if to == seat:
                    arrive(0, cards)
        elif step == "SWAP" and state.swapper is not None:
            arrive(state.swapper, state.taken_up)
    for each in range(seats):
        known[each] &= ~out
        traced[each] &= ~out & ~state.hands[seat]
    known[seat], traced[seat] = state.hands[seat], 0
    return known, traced


def _movements(state: State, step: str) -> Iterator[tuple[int, int, Mask]]:
    """(from, to, cards) of an exchange, as far as it has been made, in its order."""
    order = together(state.transfers) if step != "EXCHANGE" else steps(state.transfers, state.profile.options)
    for kind, i in order:
        transfer = state.transfers[i]
        if kind == "send" and step != "RETURN":
            yield transfer.sender, transfer.receiver, transfer.sent
        elif kind == "return" and step != "SEND":
            yield transfer.receiver, transfer.sender, transfer.returned
