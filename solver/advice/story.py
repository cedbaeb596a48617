"""What the dealer knows of the others' cards before the play, in the order in which he came to know it.

A `Story` is cut at the one moment that hides something from him: the parcel between the two others, of which there is
one at most. Up to that moment he knows of every card that moved. What he knows then is a layout problem (`cards`,
`capacities`, `barred`: see layouts.py) over the holders ELDEST, MIDDLE, KITTY and REMOVED. What follows, the unseen
parcel first, is run by the rules (`Story.run`), and contradicts what he saw or does not.

A hand that returned cards is capped: of the cards it kept, none would have had to be returned. Every unknown card is
tried alone, beside what the hand is known to have held. That settles sets of cards too, under each return rule: all of
them give back, in each suit, highest own cards (those of the parcel apart), so that a card which alone would change
nothing lies below all that were given back and takes no place of a parcel's card, and the highest of several such
cards does what it does alone. tests/advice/test_caps.py tries all sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from tierce.solver.cards import ALL_CARDS, Mask, bit, card_names, cards_of
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO
from tierce.solver.games.view import View

__all__ = ["ELDEST", "HOLDERS", "KITTY", "MIDDLE", "REMOVED", "Hands", "Story", "stories"]

ELDEST: Final = 0  # holders; the seat of the first two is one more
MIDDLE: Final = 1
KITTY: Final = 2
REMOVED: Final = 3
HOLDERS: Final = 4

Hands: TypeAlias = tuple[Mask, Mask, Mask]
Outcome: TypeAlias = tuple[Hands, tuple[Transfer, ...]]
Move: TypeAlias = tuple[str, int]  # "send" or "return", and of which transfer
_TWO: Final[Mask] = bit(TWO)
_DEALER: Final = 0


def stories(view: View) -> list[Story]:
    """The stories that fit a view: one, but for a card taken up before the exchange that the dealer has since got: a
    view does not tell which of those it was, and each makes a story. InputError (code "view") if none fits."""
    found, why = [], ""
    for up in _taken_up(view):
        try:
            found.append(Story(view, up))
        except InputError as error:
            why = error.message
    if not found:
        raise InputError("view", why, field="view")
    return found


class Story:
    """The dealer's knowledge at a moment before the play.

    transfers   the exchange; sent and returned are 0 where he did not see the cards
    hidden      which of them he did not see, None if he saw all
    before, after   the moves of the exchange up to the unseen parcel, and from it on
    owed        parcels are sent and what comes back is still to come
    cards, capacities, barred   the layouts at the cut, holders as above
    needed      by seat: cards it must hold at some moment after the unseen parcel
    capped      cards that the receiver of the unseen parcel cannot hold after it, since he did not return them
    answered    cards of the dealer's parcel that is answered together with the unseen one
    """

    def __init__(self, view: View, up: Mask) -> None:
        """`up`: the card that another hand took up, 0 if none did."""
        self.view: Final = view
        self.transfers: Final = _transfers(view)
        self.hidden: Final = _hidden(view)
        done, steps = _done(view)
        self.owed: Final = "SEND" in done and "RETURN" not in done
        self._merged = "RETURN" in steps  # a hand answers all its parcels at once
        moves = _moves(view)
        cut = next((at for at, (_, i) in enumerate(moves) if i == self.hidden), len(moves))
        self.before: Final = moves[:cut]
        self.after: Final = moves[cut:]
        self._swap = _late_swap(view, up)
        self._must = [0, 0, 0]
        self._barred = [0, 0, 0]
        self._pool = _pool(view) & ~self._swap[1]
        if up and not self._swap[1]:
            self._barred[3 - (view.swapper or 0)] |= up
        self._learn()
        self.cards: Final = self._pool | self._must[1] | self._must[2]
        self.capacities: Final = self._sizes()
        self.barred: Final = self._bars(up)
        self._check()
        self.needed, self.capped, self.answered = self._look_ahead()

    @property
    def joint(self) -> bool:
        """Does what he saw after the unseen parcel say something of the layout and that parcel together?"""
        return self.hidden is not None and bool(self.needed[1] | self.needed[2] | self.capped | self.answered)

    # ---- up to the unseen parcel -------------------------------------------------------------------------------------

    def _learn(self) -> None:
        for kind, i in self.before:
            each = self.transfers[i]
            if kind == "send" and each.sender == _DEALER:
                self._must[each.receiver] |= each.sent
            elif kind == "send":
                self._give(each.sender, each.sent)
            elif each.receiver == _DEALER:
                self._must[each.sender] |= each.returned
            else:
                self._cap(i)
                self._give(each.receiver, each.returned)

    def _give(self, seat: int, cards: Mask) -> None:
        """A hand gives cards to the dealer: those he had not given it were its own."""
        own = cards & ~self._must[seat]
        if own & ~self._pool or own & self._barred[seat]:
            raise _fault(f"expected cards that the hand can have held, found {card_names(own)}")
        self._pool &= ~own
        self._must[seat] &= ~cards

    def _cap(self, i: int) -> None:
        """Bar the hand that returned cards from those that it would have had to return in their place."""
        each = self.transfers[i]
        seat = each.receiver
        own = (self._must[seat] | each.returned) & ~each.sent
        if self._due(i, own, self.transfers) != each.returned:
            raise _fault(f"expected cards returned by the rules, found {card_names(each.returned)}")
        self._barred[seat] |= self._too_high(i, own, self._pool)

    def _too_high(self, i: int, own: Mask, cards: Mask) -> Mask:
        """Those of the cards of which one more, beside the hand's own, would have changed what came back."""
        each = self.transfers[i]
        tried = map(bit, cards_of(cards & ~(own | each.sent)))
        return sum(card for card in tried if self._due(i, own | card, self.transfers) != each.returned)

    def _sizes(self) -> tuple[int, int, int, int]:
        """The cards of each holder at the cut."""
        sizes = list(self.view.counts)
        for kind, i in reversed(self.after):
            each = self.transfers[i]
            back = 1 if kind == "send" else -1
            sizes[each.sender] += back * each.count
            sizes[each.receiver] -= back * each.count
        removed = self.view.profile.removed - self.view.removed.bit_count()
        return sizes[1], sizes[2], self.view.kitty, removed

    def _bars(self, up: Mask) -> tuple[Mask, ...]:
        """The cards that each holder cannot have held at the cut."""
        eldest, middle = self._must[1], self._must[2]
        out = eldest | middle | up & ~self._swap[1]
        barred = [self._barred[1] | middle, self._barred[2] | eldest, out, out]
        seat = self._swap[0]
        if seat and self.hidden is None:  # this hand held the two at the end
            return tuple(mask | (_TWO if holder != seat - 1 else 0) for holder, mask in enumerate(barred))
        return tuple(barred)

    def _check(self) -> None:
        if sum(self.capacities) != self.cards.bit_count() or min(self.capacities) < 0:
            found = f"{self.cards.bit_count()} cards for {self.capacities}"
            raise _fault(f"expected as many unseen cards as places for them, found {found}")

    # ---- from the unseen parcel on -----------------------------------------------------------------------------------

    def _look_ahead(self) -> tuple[Hands, Mask, Mask]:
        """`needed`, `capped` and `answered`."""
        needed, capped, answered = [0, 0, 0], 0, 0
        for kind, i in self.after:
            each = self.transfers[i]
            if kind == "send" and each.receiver == _DEALER:
                needed[each.sender] |= each.sent
            elif kind == "return" and each.sender == _DEALER and self._merged:
                answered |= each.sent
            elif kind == "return" and each.sender == _DEALER:
                needed[each.receiver] |= each.returned & ~each.sent
                capped |= self._too_high(i, each.returned & ~each.sent, self.cards)
        if self._swap[0]:
            needed[self._swap[0]] |= _TWO
        return (needed[0], needed[1], needed[2]), capped, answered

    def run(self, eldest: Mask, middle: Mask, parcel: Mask, suits: Mask = ALL_CARDS) -> Outcome | None:
        """The hands at the decision and all transfers, if the others held these hands at the cut and the unseen parcel
        was this; what is still owed is filled in. None if the dealer would have seen something else. With `suits`,
        hands and parcel are those of these suits, and nothing else is looked at."""
        hands = [self.view.hand & suits, eldest, middle]
        made = [_within(each, suits) for each in self.transfers]
        if self.hidden is not None:
            made[self.hidden] = _with(made[self.hidden], sent=parcel)
        answers: dict[int, Mask] = {}
        for kind, i in self.after:
            if kind == "return":
                if i not in answers:
                    answers |= self._answers(i, hands[made[i].receiver], made)
                if i != self.hidden and answers[i] != made[i].returned:
                    return None
                made[i] = _with(made[i], returned=answers[i])
            if not _moved(hands, kind, made[i]):
                return None
        if self.owed:
            for i, each in enumerate(made):
                made[i] = _with(each, returned=self._answers(i, hands[each.receiver], made)[i])
        return self._swapped(hands, suits, made)

    def _swapped(self, hands: list[Mask], suits: Mask, made: list[Transfer]) -> Outcome | None:
        seat, up = self._swap
        if seat and suits & _TWO & ~hands[seat]:
            return None
        if seat:
            hands[seat] ^= (_TWO | up) & suits
        return (hands[0], hands[1], hands[2]), tuple(made)

    def _answers(self, i: int, hand: Mask, made: list[Transfer]) -> dict[int, Mask]:
        """What the receiver of a transfer, who holds this hand and the parcel, returns; of all parcels he answers
        together. The dealer's own answers are as seen, if they have been made."""
        seat = made[i].receiver
        if seat == _DEALER and not self.owed:
            return {i: made[i].returned}
        parcels = [j for j, each in enumerate(made) if each.receiver == seat] if self._merged else [i]
        own = hand
        for j in parcels:
            own &= ~made[j].sent
        if not self._merged:
            return {i: self._due(i, own, made)}
        sent = [(self.view.quotas[made[j].sender], made[j].sent) for j in parcels]
        return dict(zip(parcels, exchange.returned_together(own, sent, self.view.profile.options), strict=True))

    def _due(self, i: int, own: Mask, made: Sequence[Transfer]) -> Mask:
        return exchange.returned(own, made[i].sent, self.view.profile.options)


# ---- reading a view --------------------------------------------------------------------------------------------------


def _transfers(view: View) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(each.sender, each.receiver, each.count, each.sent or 0, each.returned or 0) for each in view.transfers
    )


def _hidden(view: View) -> int | None:
    return next((i for i, each in enumerate(view.transfers) if _DEALER not in (each.sender, each.receiver)), None)


def _done(view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The phases that are over, and all phases of the deal."""
    steps = view.profile.steps(first=not view.results)
    if view.phase not in steps:
        raise _fault(f"expected one of the phases {' '.join(steps)}, found {view.phase}")
    return steps[: steps.index(view.phase)], steps


def _moves(view: View) -> tuple[Move, ...]:
    """The moves of the exchange that have been made. Of parcels sent before anything comes back, the unseen one is put
    last: their order changes nothing, and what is not in a hand any more cannot be in the unseen parcel."""
    done, _ = _done(view)
    transfers, hidden = _transfers(view), _hidden(view)
    if "EXCHANGE" in done:
        moves = exchange.steps(transfers, view.profile.options)
    elif "SEND" in done:
        moves = exchange.together(transfers)[: (2 if "RETURN" in done else 1) * len(transfers)]
    else:
        moves = ()
    sends = sum(kind == "send" for kind, _ in moves[: len(transfers)])
    if sends == len(transfers):
        moves = (*sorted(moves[:sends], key=lambda move: move[1] == hidden), *moves[sends:])
    return moves


def _seen_moves(view: View) -> Iterator[tuple[bool, Mask]]:
    """(did the dealer get them, cards) of the dealer's part of the exchange, in order."""
    transfers, hidden = _transfers(view), _hidden(view)
    for kind, i in _moves(view):
        if i != hidden:
            each = transfers[i]
            to = each.receiver if kind == "send" else each.sender
            yield to == _DEALER, each.sent if kind == "send" else each.returned


def _own(view: View) -> Mask:
    """The cards that were the dealer's before the exchange, and those that became his but from the other hands."""
    own = view.hand | (view.discard or 0)
    if view.swapper == _DEALER and _swap_after_exchange(view):
        own |= _TWO
    for got, cards in reversed(list(_seen_moves(view))):
        own = own & ~cards if got else own | cards
    return own


def _pool(view: View) -> Mask:
    """The cards that were in the other hands, the kitty or out of the pack when the exchange began."""
    lies_up = view.up_card if not (view.swapped and _swap_after_exchange(view)) else 0
    return view.profile.pack & ~(_own(view) | lies_up | view.removed)


def _swap_after_exchange(view: View) -> bool:
    _, steps = _done(view)
    return "EXCHANGE" in steps and steps.index("EXCHANGE") < steps.index("SWAP")


def _taken_up(view: View) -> list[Mask]:
    """The card that another hand took up: one where the view tells it, else each that it may have been; 0 if none."""
    if not view.swapped or view.swapper == _DEALER:
        return [0]
    got = 0
    for to_dealer, cards in _seen_moves(view):
        got |= cards if to_dealer else 0
    got &= ~_own(view)
    found = view.seen & ~(_own(view) | got | view.removed | _TWO)
    return [found] if found else [bit(card) for card in cards_of(got)]


def _late_swap(view: View, up: Mask) -> tuple[int, Mask]:
    """The other hand that gave the two for the up-card after the exchange, and that card; (0, 0) if none did."""
    if not up or not _swap_after_exchange(view):
        return 0, 0
    return view.swapper or 0, up


def _moved(hands: list[Mask], kind: str, each: Transfer) -> bool:
    """Move the cards of a parcel or an answer between the hands, the dealer's left as it is; False if they are not
    held."""
    seat, to, cards = each.sender, each.receiver, each.sent
    if kind == "return":
        seat, to, cards = to, seat, each.returned
    if seat != _DEALER:
        if cards & ~hands[seat]:
            return False
        hands[seat] &= ~cards
    if to != _DEALER:
        hands[to] |= cards
    return True


def _within(each: Transfer, suits: Mask) -> Transfer:
    return Transfer(each.sender, each.receiver, each.count, each.sent & suits, each.returned & suits)


def _with(each: Transfer, sent: Mask | None = None, returned: Mask | None = None) -> Transfer:
    return Transfer(
        each.sender,
        each.receiver,
        each.count,
        each.sent if sent is None else sent,
        each.returned if returned is None else returned,
    )


def _fault(message: str) -> InputError:
    return InputError("view", message, field="view")
