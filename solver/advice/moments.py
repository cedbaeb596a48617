"""What has been done in a deal by the moment of a view, read and checked: what all at the table could see, and the own
cards of the seat that looks.

A view that contradicts itself is refused with an InputError (code and field "view") that names the contradiction: hands
of the wrong size, parcels of the wrong size, cards returned that were not due, a suit followed by somebody who had
shown to have none, and a moment at which nobody decides anything: no cards are dealt, or only the rules have a move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NoReturn, TypeAlias

from tierce.solver.cards import LANE, LANE_BITS, SUITS, Mask, bit, card_name, card_names, suit_of
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.profile import three_hands
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.view import View

__all__ = ["Moment", "Move", "moments_of", "refuse"]

Move: TypeAlias = tuple[str, int]  # "send" or "return", and of which transfer

_DEALER: Final = 0
_EXCHANGES: Final = ("EXCHANGE", "SEND", "RETURN")
_NO_MOMENTS: Final = ("DEAL", "RETURN", "SHOW")


@dataclass(frozen=True, slots=True)
class Moment:
    """steps      the phases of the deal; done: those that are over
    moves      of each phase of the exchange that has begun, the moves made, in an order in which they can have been
    transfers  the exchange, empty where this seat saw nothing; hidden: the one between the two others, None without one
    played     the cards each seat has played
    """

    steps: tuple[str, ...]
    done: tuple[str, ...]
    moves: Mapping[str, tuple[Move, ...]]
    transfers: tuple[Transfer, ...]
    hidden: int | None
    played: tuple[Mask, Mask, Mask]

    @property
    def made(self) -> list[Move]:
        """All moves made."""
        return [move for moves in self.moves.values() for move in moves]

    def before(self, step: str, *others: str) -> bool:
        """Does a phase come before some other in the deal?"""
        steps = self.steps
        return step in steps and any(each in steps and steps.index(step) < steps.index(each) for each in others)


def moments_of(view: View) -> list[Moment]:
    """The moments that a view can be of. One, but where another seat owes this one a parcel: a view does not say if an
    exchange of that seat's with the third has been made before, or is still to come.

    InputError for a view that contradicts itself.
    """
    three_hands(view.profile, "the moments of a view")
    steps = view.profile.steps(first=not view.results)
    if view.phase not in steps or view.phase in _NO_MOMENTS:
        expected = " ".join(step for step in steps if step not in _NO_MOMENTS)
        refuse(f"expected a moment in one of the phases {expected}, found one in {view.phase}")
    done = steps[: steps.index(view.phase)]
    transfers = tuple(
        Transfer(each.sender, each.receiver, each.count, each.sent or 0, each.returned or 0) for each in view.transfers
    )
    ends = ((i, (each.sender, each.receiver)) for i, each in enumerate(transfers))
    hidden = next((i for i, pair in ends if view.seat not in pair), None)
    over = {step: _all_moves(view, transfers, step) for step in done if step in _EXCHANGES}
    begun = _begun(view, transfers, hidden) if view.phase in _EXCHANGES else [{}]
    played = _played(view)
    moments = [Moment(steps, done, MappingProxyType({**over, **more}), transfers, hidden, played) for more in begun]
    for moment in moments:
        _check_parcels(moment)
        _check_sizes(view, moment)
        _check_own_returns(view, moment)
    return moments


def refuse(message: str) -> NoReturn:
    """Raise what a view at fault gets."""
    raise InputError("view", message, field="view")


# ---- the exchange ----------------------------------------------------------------------------------------------------


def _all_moves(view: View, transfers: tuple[Transfer, ...], step: str) -> tuple[Move, ...]:
    """The moves of a phase of the exchange."""
    half = len(transfers)
    if step == "EXCHANGE":
        return exchange.steps(transfers, view.profile.options)
    return exchange.together(transfers)[:half] if step == "SEND" else exchange.together(transfers)[half:]


def _begun(view: View, transfers: tuple[Transfer, ...], hidden: int | None) -> list[Mapping[str, tuple[Move, ...]]]:
    """The moves made by now in the phase of the view: all numbers of them that agree with it."""
    found = {
        frozenset(order[:made]): order[:made]
        for order in _orders(transfers, _all_moves(view, transfers, view.phase))
        for made in range(len(order))
        if _agrees(view, transfers, hidden, order[:made], order[made:])
    }
    if not found:
        refuse("expected an exchange that can have come to the turn and the hands of the view, found one that cannot")
    return [{view.phase: moves} for moves in found.values()]


def _orders(transfers: tuple[Transfer, ...], moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """The order of the game, and the other one in which a player may send two parcels."""
    yield moves
    senders = [transfers[i].sender for kind, i in moves[:2] if kind == "send"]
    if len(senders) == 2 and senders[0] == senders[1]:
        yield (moves[1], moves[0], *moves[2:])


def _agrees(
    view: View, transfers: tuple[Transfer, ...], hidden: int | None, made: tuple[Move, ...], left: tuple[Move, ...]
) -> bool:
    """Do the cards seen, the turn and the sizes of the hands say that these moves are made and those are left?"""
    for moves, seen in ((made, True), (left, False)):
        for kind, i in moves:
            cards = transfers[i].sent if kind == "send" else transfers[i].returned
            if i != hidden and bool(cards) != seen:
                return False
    kind, i = left[0]
    turn = transfers[i].sender if kind == "send" else transfers[i].receiver
    sizes = _moved([0, 0, 0], transfers, made)
    return turn == view.to_move and all(
        view.counts[seat] - view.profile.hand == sizes[seat] for seat in range(3) if seat != _DEALER
    )


def _moved(sizes: list[int], transfers: tuple[Transfer, ...], made: tuple[Move, ...] | list[Move]) -> list[int]:
    """Hands of these sizes after the moves."""
    for kind, i in made:
        each = transfers[i]
        sign = 1 if kind == "send" else -1
        sizes[each.sender] -= sign * each.count
        sizes[each.receiver] += sign * each.count
    return sizes


# ---- the play --------------------------------------------------------------------------------------------------------


def _played(view: View) -> tuple[Mask, Mask, Mask]:
    found, voids = [0, 0, 0], [0, 0, 0]
    for leader, cards in (*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.trick)):
        for place, card in enumerate(cards):
            seat = (leader + place) % 3
            if bit(card) & (found[0] | found[1] | found[2] | view.hand):
                refuse(f"expected each card to be played once, found {card_name(card)} twice or still in the hand")
            if voids[seat] >> suit_of(card) & 1:
                refuse(f"expected {NAMES[seat]} to have none of a suit he did not follow, found {card_name(card)}")
            found[seat] |= bit(card)
            voids[seat] |= 1 << suit_of(cards[0]) if suit_of(card) != suit_of(cards[0]) else 0
    for suit in SUITS:
        if voids[view.seat] >> suit & 1 and (held := view.hand & LANE << LANE_BITS * suit):
            refuse(f"expected none of a suit that this seat did not follow in its hand, found {card_names(held)}")
    if tuple(voids) != view.voids:
        refuse(f"expected voids {tuple(voids)} after the cards played, found {view.voids}")
    return found[0], found[1], found[2]


# ---- checks ----------------------------------------------------------------------------------------------------------


def _check_parcels(moment: Moment) -> None:
    for kind, i in moment.made:
        each = moment.transfers[i]
        cards = each.sent if kind == "send" else each.returned
        if i != moment.hidden and cards.bit_count() != each.count:
            refuse(f"expected {each.count} cards sent and returned, found {card_names(cards) or 'none'}")


def _check_sizes(view: View, moment: Moment) -> None:
    """The hands are as large as what has been done makes them."""
    sizes = _moved([view.profile.hand] * 3, moment.transfers, moment.made)
    sizes[_DEALER] += view.profile.kitty * (("KITTY" in moment.done) - ("DISCARD" in moment.done))
    expected = tuple(size - cards.bit_count() for size, cards in zip(sizes, moment.played, strict=True))
    if view.counts != expected:
        refuse(f"expected hands of {_row(expected)} cards, found {_row(view.counts)}")
    if view.hand.bit_count() != expected[view.seat]:
        refuse(f"expected {expected[view.seat]} cards in the hand of the seat, found {view.hand.bit_count()}")
    discards = view.profile.kitty if "DISCARD" in moment.done else 0
    if view.seat == _DEALER and (view.discard or 0).bit_count() != discards:
        refuse(f"expected a discard of {discards} cards, found {card_names(view.discard or 0) or 'none'}")


def _check_own_returns(view: View, moment: Moment) -> None:
    """What this seat gave back was due from its hand, which is taken back through the exchange, last move first.

    A card it took up from the table, or kitty cards it took after the exchange, it may have kept though they are higher
    than what went back: nobody says which cards of the hand those are.
    """
    own = view.hand | moment.played[view.seat] | (view.discard or 0)
    later = view.profile.kitty if view.seat in (_DEALER, view.swapper) else 0
    for kind, i in reversed(moment.made):
        each = moment.transfers[i]
        if i == moment.hidden:
            continue
        cards = each.sent if kind == "send" else each.returned
        if view.seat != (each.sender if kind == "send" else each.receiver):
            own &= ~cards
            continue
        own |= cards
        if kind == "return" and not ("RETURN" in moment.steps and (kind, i) != _last_return(moment, each.receiver)):
            kept = _check_return(view, moment, each, own, later)
            own &= ~kept  # it came later: what was given back before is not held against it again
            later -= kept.bit_count()


def _last_return(moment: Moment, receiver: int) -> Move:
    """The last answer of a seat; taken back from behind, it is the first to be met."""
    return next(move for move in reversed(moment.made) if moment.transfers[move[1]].receiver == receiver)


def _check_return(view: View, moment: Moment, each: Transfer, own: Mask, later: int) -> Mask:
    """Cards of the hand that must have come later. `own`: the hand with what it was to give back."""
    together = [other for other in moment.transfers if other.receiver == each.receiver and "RETURN" in moment.steps]
    sent = back = 0
    for other in together or [each]:
        sent |= other.sent
        back |= other.returned
    own, kept = (own | back) & ~sent, 0
    while (due := exchange.returned(own, sent, view.profile.options)) != back:
        extra = due & ~back & ~sent
        kept |= extra
        if not extra or kept.bit_count() > later:
            refuse(f"expected {card_names(due)} to go back for {card_names(sent)}, found {card_names(back)}")
        own &= ~extra
    return kept


def _row(sizes: tuple[int, ...]) -> str:
    return "/".join(map(str, sizes))
