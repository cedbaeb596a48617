"""The ways a card can have gone through a deal, as far as one seat's view tells.

A `Path` says where a card lay when the cards had been dealt, what became of it where the seat could not look, and where
it lies at the first lead or, before the play, now. `Paths.of` walks a card through all that has been done in the deal
so far, in order, from every place where it can have begun; a step that the view speaks of lets through what agrees
with it, and where the view is silent the path branches. Places: the three seats, then KITTY, REMOVED and DISCARD.

What the steps know: cards this seat sent, received and returned; cards that came back to it, above which the hand they
came from kept none (each card is tried alone, story.py says why that is enough); kitty cards shown to it and, of the
suits looked at, those not shown; the swap of the up-card; its own discard; cards played, and suits in which a seat did
not follow. What other hands did unseen leaves `marks`: a parcel of one of them to the other, the answer to it, and the
dealer's discard. That an answer is the one the rules ask for is no matter of single cards: see answers.py.

Is a kitty card told from the dealer's own? Not once the dealer has taken it, if it is he who looks, since his view does
not say which it was; nor if he took it before he discarded and before any parcel was sent, since nothing sets it apart
then. There the dealer counts as having been dealt it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from tierce.solver.advice.answers import KEPT, TO_FIRST, TO_SECOND
from tierce.solver.advice.moments import Moment, refuse
from tierce.solver.cards import LANE, LANE_BITS, SUITS, Mask, bit, card_names, cards_of
from tierce.solver.games import exchange
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO
from tierce.solver.games.view import View

__all__ = ["ANSWER", "DISCARD", "FREE", "KITTY", "PARCEL", "REMOVED", "Path", "Paths"]

KITTY: Final = 3
REMOVED: Final = 4
DISCARD: Final = 5

PARCEL: Final = 1  # marks: it was in the unseen parcel
ANSWER: Final = 2  # it came back for that
FREE: Final = 4  # the dealer holds it, or has discarded it: the view leaves both open
ASKED: Final = 8  # the hand that answered the unseen parcel held it then,
RECEIVED: Final = 16  # having got it in a parcel that it answered,
TO_SEAT: Final = 32  # and gave it back to this seat, where it answered both senders at once

_DEALER: Final = 0
_TWO: Final[Mask] = bit(TWO)
_EXCHANGES: Final = ("EXCHANGE", "SEND", "RETURN")


@dataclass(frozen=True, slots=True)
class Path:
    """Where a card began, where it lies, and its marks."""

    start: int
    place: int
    marks: int = 0


Step: TypeAlias = Callable[[Mask, Path], Iterator[Path]]


class Paths:
    """The paths that a view leaves to each card, if it is of this moment. InputError (code "view") for cards returned
    against the rules.

    moment     what has been done; others: the other seats
    parcel     cards of the unseen parcel, 0 if there is none yet
    most       cards in the answer that the unseen one is part of
    told       are kitty cards told from the dealer's own?
    late       did the dealer discard with nothing but the kitty to come (unseen by this seat)?
    discards   cards he laid away unseen
    """

    def __init__(self, view: View, moment: Moment) -> None:
        self.view: Final = view
        self.moment: Final = moment
        self.others: Final = tuple(seat for seat in range(3) if seat != view.seat)
        unseen = None if self.moment.hidden is None else self.moment.transfers[self.moment.hidden]
        self.parcel: Final = unseen.count if unseen and ("send", self.moment.hidden) in self.moment.made else 0
        self._joined = self._answered_with(unseen)
        self._second_is = self._lower(self._joined, unseen)
        self.most: Final = self.parcel + (self._joined.count if self._joined else 0)
        self.told: Final = self._told()
        self.discards: Final = view.profile.kitty if view.seat != _DEALER and "DISCARD" in self.moment.done else 0
        self.late: Final = bool(self.discards) and not self.moment.before("DISCARD", *_EXCHANGES)
        self._steps = tuple(self._planned())

    @property
    def kitty_dealt(self) -> int:
        """Cards that began in the kitty, as far as they are told."""
        if "SWAP" in self.moment.steps:
            return int(self.view.swapper != self.view.seat)
        return self.view.profile.kitty if self.told else 0

    @property
    def own_dealt(self) -> int:
        """Cards that this seat began with, and the up-card if it took that."""
        kitty = self.view.seat == _DEALER and not self.told and "KITTY" in self.moment.done
        return self.view.profile.hand + (self.view.profile.kitty if kitty else self.view.swapper == self.view.seat)

    @property
    def free_of(self) -> int:
        """Cards among which the dealer discarded late: those he held then."""
        return self.view.profile.hand + (self.view.profile.kitty if self.moment.before("KITTY", "DISCARD") else 0)

    def of(self, card: Mask, *, taken_up: bool = False) -> list[Path]:
        """The paths of a card. `taken_up`: it lay face up, and another hand took it for the two."""
        found = [Path(start, start) for start in ((KITTY,) if taken_up else self._starts(card))]
        for step in self._steps:
            found = [after for path in found for after in step(card, path)]
        return [end for path in found for end in self._ended(card, path)]

    def kitty_played(self, card: Mask, path: Path) -> bool:
        """Did the dealer get this card after he had discarded late, and play it?"""
        return (
            path.start == KITTY and self.moment.before("DISCARD", "KITTY") and bool(card & self.moment.played[_DEALER])
        )

    def asked(self, path: Path) -> tuple[bool, int] | None:
        """How the answer to the unseen parcel speaks of a card: see answers.py. None if it does not."""
        if not path.marks & ASKED:
            return None
        goes = TO_FIRST if path.marks & (ANSWER | TO_SEAT) else KEPT
        if goes and self._second_is == bool(path.marks & ANSWER):
            goes = TO_SECOND
        return bool(path.marks & RECEIVED), goes

    # ---- the steps ---------------------------------------------------------------------------------------------------

    def _told(self) -> bool:
        if "KITTY" not in self.moment.done:
            return True
        at_once = self.moment.before("KITTY", "DISCARD") and not (
            self.moment.before("EXCHANGE", "KITTY") or self.moment.before("RETURN", "KITTY")
        )
        return self.view.seat != _DEALER and not at_once

    def _starts(self, card: Mask) -> Iterator[int]:
        view = self.view
        if card & view.removed:
            yield REMOVED
            return
        if "SWAP" in self.moment.steps:
            yield from (KITTY,) if card & view.up_card and not view.swapped else range(3)
            return
        yield from range(3)
        if self.kitty_dealt:
            yield KITTY
        if view.profile.removed and not view.removed:
            yield REMOVED

    def _planned(self) -> Iterator[Step]:
        view = self.view
        for step in (*self.moment.done, view.phase):
            if step in _EXCHANGES:
                yield from self._exchange(step)
            elif step == "SWAP" and view.swapper is not None and step in self.moment.done:
                yield self._swap
            elif step == "DISCARD" and step in self.moment.done:
                yield self._discard
            elif step == "KITTY" and step in self.moment.done:
                yield _kitty
            elif step == "SHOW" and step in self.moment.done and view.seat != _DEALER:
                yield self._show(view)

    def _exchange(self, step: str) -> Iterator[Step]:
        together = self._joined if step == "RETURN" else None
        for kind, i in self.moment.moves[step]:
            each = self.moment.transfers[i]
            if i == self.moment.hidden:
                yield _unseen_send(each) if kind == "send" else _unseen_answer(each, together, self.view.seat)
            elif kind == "send":
                yield _move(each.sender, each.receiver, each.sent)
            elif each != together:  # that is one step with the unseen answer
                yield _move(each.receiver, each.sender, each.returned)
                if each.sender == self.view.seat:
                    yield self._cap(each)

    def _answered_with(self, unseen: Transfer | None) -> Transfer | None:
        """This seat's parcel that was answered together with the unseen one."""
        if unseen is None or "RETURN" not in self.moment.done:
            return None
        found = (each for each in self.moment.transfers if each.receiver == unseen.receiver and each != unseen)
        return next(found, None)

    def _lower(self, joined: Transfer | None, unseen: Transfer | None) -> bool | None:
        """Of two parcels answered together, does the unseen one get the lower cards? None: it is answered alone."""
        if joined is None or unseen is None:
            return None
        if _suit_counts(joined.sent) != _suit_counts(joined.returned):
            refuse(f"expected as many cards of each suit back as were sent, found {card_names(joined.returned)}")
        lowest = self.view.profile.options.get("split_return_order") == "lowest_quota"
        pair = [each for each in self.moment.transfers if each in (joined, unseen)]
        return sorted(pair, key=lambda each: self.view.quotas[each.sender], reverse=not lowest)[1] == unseen

    def _cap(self, each: Transfer) -> Step:
        """Of the cards the hand kept, none would have had to be returned."""
        options, sent, back = self.view.profile.options, each.sent, each.returned
        own = back & ~sent
        if exchange.returned(own, sent, options) != back:
            refuse(f"expected cards returned by the rules, found {card_names(back)} for {card_names(sent)}")
        rest = map(bit, cards_of(self.view.profile.pack & ~(sent | back)))
        barred = sum(card for card in rest if exchange.returned(own | card, sent, options) != back)

        def step(card: Mask, path: Path) -> Iterator[Path]:
            if not (card & barred and path.place == each.receiver):
                yield path

        return step

    def _swap(self, card: Mask, path: Path) -> Iterator[Path]:
        """The holder of the two leaves it for the card that lay face up."""
        swapper = self.view.swapper
        assert swapper is not None
        if path.place == KITTY:
            yield replace(path, place=swapper)
        elif card != _TWO:
            yield path
        elif path.place == swapper:
            yield replace(path, place=KITTY)

    def _discard(self, card: Mask, path: Path) -> Iterator[Path]:
        if self.view.seat == _DEALER and card & (self.view.discard or 0):
            if path.place == _DEALER:
                yield replace(path, place=DISCARD)
        elif path.place != _DEALER or self.view.seat == _DEALER:
            yield path
        elif self.late:
            yield replace(path, marks=path.marks | FREE)
        else:
            yield path
            yield replace(path, place=DISCARD)

    def _show(self, view: View) -> Step:
        """This seat was shown the kitty cards that the dealer would have had to return to it, and no others."""
        due = 0
        for each in self.moment.transfers:
            if each.sender == view.seat and each.receiver == _DEALER:
                due = exchange.shown_cards(each, view.profile.pack, view.profile.options)

        def step(card: Mask, path: Path) -> Iterator[Path]:
            if bool(card & view.shown) == (path.start == KITTY and bool(card & due)):
                yield path

        return step

    def _ended(self, card: Mask, path: Path) -> Iterator[Path]:
        """What the play and the seat's own hand leave of a path."""
        view, place = self.view, path.place
        for seat, cards in enumerate(self.moment.played):
            if card & cards:
                if place == seat:
                    yield replace(path, marks=path.marks & ~FREE)
                return
        if card & view.hand or place == view.seat:
            if card & view.hand and place == view.seat:
                yield path
        elif card & view.up_card or (place == KITTY and "SWAP" in self.moment.steps):
            if card & view.up_card and place == KITTY:
                yield path
        elif place > 2 or not view.voids[place] >> _suit(card) & 1:
            yield path
        elif path.marks & FREE:  # he had none of the suit any more: it was discarded
            yield replace(path, place=DISCARD, marks=path.marks & ~FREE)


def _kitty(card: Mask, path: Path) -> Iterator[Path]:
    yield path if path.place != KITTY else replace(path, place=_DEALER)


def _move(seat: int, to: int, cards: Mask) -> Step:
    """These cards went from a seat to another, and no others."""

    def step(card: Mask, path: Path) -> Iterator[Path]:
        if not card & cards:
            yield path
        elif path.place == seat:
            yield replace(path, place=to)

    return step


def _unseen_send(each: Transfer) -> Step:
    def step(card: Mask, path: Path) -> Iterator[Path]:
        yield path
        if path.place == each.sender:
            yield replace(path, place=each.receiver, marks=path.marks | PARCEL)

    return step


def _unseen_answer(each: Transfer, joined: Transfer | None, seat: int) -> Step:
    """The answer to the unseen parcel. `joined`: a parcel of this seat's that is answered with it."""
    sent, returned = (joined.sent, joined.returned) if joined else (0, 0)

    def step(card: Mask, path: Path) -> Iterator[Path]:
        if path.place != each.receiver:
            if not card & returned:
                yield path
            return
        got = path.marks & PARCEL or card & sent
        marks = path.marks | ASKED | (RECEIVED if got else 0)
        if card & returned:
            yield replace(path, place=seat, marks=marks | TO_SEAT)
        else:
            yield replace(path, marks=marks)
            yield replace(path, place=each.sender, marks=marks | ANSWER)

    return step


def _suit(card: Mask) -> int:
    return card.bit_length() - 1 >> 4


def _suit_counts(cards: Mask) -> tuple[int, ...]:
    return tuple((cards & LANE << LANE_BITS * suit).bit_count() for suit in SUITS)
