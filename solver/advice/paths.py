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
from typing import Final, NoReturn, TypeAlias

from tierce.solver.advice.answers import KEPT, TO_FIRST, TO_SECOND
from tierce.solver.cards import LANE, LANE_BITS, SUITS, Mask, bit, card_names, cards_of
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.phases import TWO
from tierce.solver.games.view import SeenTransfer, View

__all__ = ["ANSWER", "DISCARD", "FREE", "KITTY", "PARCEL", "REMOVED", "Path", "Paths", "refuse"]

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
Move: TypeAlias = tuple[str, int]  # "send" or "return", and of which transfer


class Paths:
    """The paths that a view leaves to each card.

    InputError (code "view") for a moment without a layout: no cards are dealt, or only the rules have a move.

    others     the other seats; hidden: the transfer between them, None if there is none
    played     the cards each seat has played; transfers: the exchange as far as it was seen
    parcel     cards of the unseen parcel, 0 if there is none yet; answered: has it been answered?
    most       cards in the answer that the unseen one is part of
    told       are kitty cards told from the dealer's own?
    late       did the dealer discard with nothing but the kitty to come (unseen by this seat)?
    discards   cards he laid away unseen
    """

    def __init__(self, view: View) -> None:
        self.view: Final = view
        self.steps: Final = view.profile.steps(first=not view.results)
        _check_moment(view, self.steps)
        self.done: Final = self.steps[: self.steps.index(view.phase)]
        self.others: Final = tuple(seat for seat in range(3) if seat != view.seat)
        self.transfers: Final = tuple(
            exchange.Transfer(each.sender, each.receiver, each.count, each.sent or 0, each.returned or 0)
            for each in view.transfers
        )
        ends = ((i, {each.sender, each.receiver}) for i, each in enumerate(view.transfers))
        self.hidden: Final = next((i for i, pair in ends if view.seat not in pair), None)
        self.played: Final = _played(view)
        self._moves = {step: _moves(view, step) for step in (*self.done, view.phase) if step in _EXCHANGES}
        made = [move for moves in self._moves.values() for move in moves]
        unseen = view.transfers[self.hidden] if self.hidden is not None else None
        self.parcel: Final = unseen.count if unseen and ("send", self.hidden) in made else 0
        self.answered: Final = ("return", self.hidden) in made
        joined = self._joined()
        self._second_is = self._lower(joined)
        self.most: Final = self.parcel + (joined.count if joined else 0)
        self.told: Final = self._told()
        self._check_sizes(made)
        self.discards: Final = view.profile.kitty if view.seat != _DEALER and "DISCARD" in self.done else 0
        self.late: Final = bool(self.discards) and not self._before("DISCARD", *_EXCHANGES)
        self._steps = tuple(self._planned())

    @property
    def kitty_dealt(self) -> int:
        """Cards that began in the kitty, as far as they are told."""
        if "SWAP" in self.steps:
            return int(self.view.swapper != self.view.seat)
        return self.view.profile.kitty if self.told else 0

    @property
    def own_dealt(self) -> int:
        """Cards that this seat began with, and the up-card if it took that."""
        kitty = self.view.seat == _DEALER and not self.told and "KITTY" in self.done
        return self.view.profile.hand + (self.view.profile.kitty if kitty else self.view.swapper == self.view.seat)

    @property
    def free_of(self) -> int:
        """Cards among which the dealer discarded late: those he held then."""
        return self.view.profile.hand + (self.view.profile.kitty if self._before("KITTY", "DISCARD") else 0)

    def of(self, card: Mask, *, taken_up: bool = False) -> list[Path]:
        """The paths of a card. `taken_up`: it lay face up, and another hand took it for the two."""
        found = [Path(start, start) for start in ((KITTY,) if taken_up else self._starts(card))]
        for step in self._steps:
            found = [after for path in found for after in step(card, path)]
        return [end for path in found for end in self._ended(card, path)]

    def kitty_played(self, card: Mask, path: Path) -> bool:
        """Did the dealer get this card after he had discarded late, and play it?"""
        return path.start == KITTY and self._before("DISCARD", "KITTY") and bool(card & self.played[_DEALER])

    def asked(self, path: Path) -> tuple[bool, int] | None:
        """How the answer to the unseen parcel speaks of a card: see answers.py. None if it does not."""
        if not path.marks & ASKED:
            return None
        goes = TO_FIRST if path.marks & (ANSWER | TO_SEAT) else KEPT
        if goes and self._second_is == bool(path.marks & ANSWER):
            goes = TO_SECOND
        return bool(path.marks & RECEIVED), goes

    def _check_sizes(self, made: list[Move]) -> None:
        """The hands of the view are as large as what has been done makes them."""
        sizes = [self.view.profile.hand] * 3
        kitty = self.view.profile.kitty
        sizes[_DEALER] += kitty * (("KITTY" in self.done) - ("DISCARD" in self.done))
        for kind, i in made:
            each = self.view.transfers[i]
            sign = 1 if kind == "send" else -1
            sizes[each.sender] -= sign * each.count
            sizes[each.receiver] += sign * each.count
        expected = tuple(size - cards.bit_count() for size, cards in zip(sizes, self.played, strict=True))
        if self.view.counts != expected or self.view.hand.bit_count() != expected[self.view.seat]:
            refuse(f"expected hands of {expected} cards, found {self.view.counts} and {card_names(self.view.hand)}")

    # ---- the steps ---------------------------------------------------------------------------------------------------

    def _before(self, step: str, *others: str) -> bool:
        """Does a phase come before some other in the deal?"""
        steps = self.steps
        return step in steps and any(each in steps and steps.index(step) < steps.index(each) for each in others)

    def _told(self) -> bool:
        if "KITTY" not in self.done:
            return True
        at_once = self._before("KITTY", "DISCARD") and not (
            self._before("EXCHANGE", "KITTY") or self._before("RETURN", "KITTY")
        )
        return self.view.seat != _DEALER and not at_once

    def _starts(self, card: Mask) -> Iterator[int]:
        view = self.view
        if card & view.removed:
            yield REMOVED
            return
        if "SWAP" in self.steps:
            yield from (KITTY,) if card & view.up_card and not view.swapped else range(3)
            return
        yield from range(3)
        if self.kitty_dealt:
            yield KITTY
        if view.profile.removed and not view.removed:
            yield REMOVED

    def _planned(self) -> Iterator[Step]:
        view = self.view
        for step in (*self.done, view.phase):
            if step in _EXCHANGES:
                yield from self._exchange(step)
            elif step == "SWAP" and view.swapper is not None and step in self.done:
                yield self._swap
            elif step == "DISCARD" and step in self.done:
                yield self._discard
            elif step == "KITTY" and step in self.done:
                yield _kitty
            elif step == "SHOW" and step in self.done and view.seat != _DEALER:
                yield self._show(view)

    def _exchange(self, step: str) -> Iterator[Step]:
        together = self._joined() if step == "RETURN" else None
        for kind, i in self._moves[step]:
            each = self.view.transfers[i]
            if kind == "send":
                yield _unseen_send(each) if i == self.hidden else _move(each.sender, each.receiver, each.sent or 0)
            elif together and i == self.hidden:
                yield _unseen_answer(each, together.sent or 0, together.returned or 0, self.view.seat)
            elif together and each == together:
                continue  # one step with the unseen answer
            elif i == self.hidden:
                yield _unseen_answer(each, 0, 0, self.view.seat)
            else:
                yield _move(each.receiver, each.sender, each.returned or 0)
                if each.sender == self.view.seat:
                    yield self._cap(each)

    def _joined(self) -> SeenTransfer | None:
        """This seat's parcel that is answered together with the unseen one."""
        if self.hidden is None or "RETURN" not in self.steps:
            return None
        receiver = self.view.transfers[self.hidden].receiver
        found = (each for each in self.view.transfers if each.receiver == receiver and each.sender == self.view.seat)
        return next(found, None) if "RETURN" in self.done else None

    def _lower(self, joined: SeenTransfer | None) -> bool | None:
        """Of two parcels answered together, does the unseen one get the lower cards? None: it is answered alone."""
        if joined is None or self.hidden is None:
            return None
        if _suit_counts(joined.sent or 0) != _suit_counts(joined.returned or 0):
            refuse(f"expected as many cards of each suit back as were sent, found {card_names(joined.returned or 0)}")
        pair = [each for each in self.view.transfers if each.receiver == joined.receiver]
        lowest = self.view.profile.options.get("split_return_order") == "lowest_quota"
        order = sorted(pair, key=lambda each: self.view.quotas[each.sender], reverse=not lowest)
        return order[1] == self.view.transfers[self.hidden]

    def _cap(self, each: SeenTransfer) -> Step:
        """Of the cards the hand kept, none would have had to be returned."""
        options = self.view.profile.options
        sent, back = each.sent or 0, each.returned or 0
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
        for each in view.transfers:
            if each.sender == view.seat and each.receiver == _DEALER:
                seen = exchange.Transfer(each.sender, _DEALER, each.count, each.sent or 0, each.returned or 0)
                due = exchange.shown_cards(seen, view.profile.pack, view.profile.options)

        def step(card: Mask, path: Path) -> Iterator[Path]:
            if bool(card & view.shown) == (path.start == KITTY and bool(card & due)):
                yield path

        return step

    def _ended(self, card: Mask, path: Path) -> Iterator[Path]:
        """What the play and the seat's own hand leave of a path."""
        view, place = self.view, path.place
        for seat, cards in enumerate(self.played):
            if card & cards:
                if place == seat:
                    yield replace(path, marks=path.marks & ~FREE)
                return
        if card & view.hand or place == view.seat:
            if card & view.hand and place == view.seat:
                yield path
        elif card & view.up_card or (place == KITTY and "SWAP" in self.steps):
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


def _unseen_send(each: SeenTransfer) -> Step:
    def step(card: Mask, path: Path) -> Iterator[Path]:
        yield path
        if path.place == each.sender:
            yield replace(path, place=each.receiver, marks=path.marks | PARCEL)

    return step


def _unseen_answer(each: SeenTransfer, sent: Mask, returned: Mask, seat: int) -> Step:
    """The answer to the unseen parcel. `sent` and `returned`: a parcel of this seat's that is answered with it."""

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


# ---- reading a view --------------------------------------------------------------------------------------------------


def _check_moment(view: View, steps: tuple[str, ...]) -> None:
    if view.phase not in steps or view.phase in ("DEAL", "RETURN", "SHOW"):
        moments = " ".join(step for step in steps if step not in ("DEAL", "RETURN", "SHOW"))
        refuse(f"expected a moment in one of the phases {moments}, found one in {view.phase}")


def _played(view: View) -> tuple[Mask, Mask, Mask]:
    """The cards each seat has played."""
    found = [0, 0, 0]
    for leader, cards in (*((trick.leader, trick.cards) for trick in view.tricks), (view.leader, view.trick)):
        for place, card in enumerate(cards):
            found[(leader + place) % 3] |= bit(card)
    return found[0], found[1], found[2]


def _moves(view: View, step: str) -> tuple[Move, ...]:
    """The moves of a phase of the exchange that have been made, in an order in which they can have been."""
    transfers = [exchange.Transfer(each.sender, each.receiver, each.count) for each in view.transfers]
    if step == "EXCHANGE":
        moves = exchange.steps(transfers, view.profile.options)
    else:
        half = len(transfers)
        moves = exchange.together(transfers)[:half] if step == "SEND" else exchange.together(transfers)[half:]
    if step != view.phase:
        return moves
    for order in _orders(view, moves):
        for made in range(len(order)):
            if _agrees(view, order, made):
                return order[:made]
    refuse("expected an exchange that has come to the moment of the view, found one that has not")


def _orders(view: View, moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """The order of the game, and the other one in which a player may send two parcels."""
    yield moves
    senders = [view.transfers[i].sender for kind, i in moves[:2] if kind == "send"]
    if len(senders) == 2 and senders[0] == senders[1]:
        yield (moves[1], moves[0], *moves[2:])


def _agrees(view: View, order: tuple[Move, ...], made: int) -> bool:
    """Do the hands, the cards seen and the turn tell that so many moves have been made?"""
    sizes = [view.profile.hand] * 3
    sizes[_DEALER] += sum(view.counts) - sum(sizes)  # with a kitty that he has not discarded for
    for kind, i in order[:made]:
        each = view.transfers[i]
        sign = 1 if kind == "send" else -1
        sizes[each.sender] -= sign * each.count
        sizes[each.receiver] += sign * each.count
    kind, i = order[made]
    turn = view.transfers[i].sender if kind == "send" else view.transfers[i].receiver
    return (
        tuple(sizes) == view.counts
        and turn == view.to_move
        and all(
            bool(each.sent if kind == "send" else each.returned) == ((kind, i) in order[:made])
            for kind, i in order
            if view.seat in ((each := view.transfers[i]).sender, each.receiver)
        )
    )


def _suit(card: Mask) -> int:
    return card.bit_length() - 1 >> 4


def _suit_counts(cards: Mask) -> tuple[int, ...]:
    return tuple((cards & LANE << LANE_BITS * suit).bit_count() for suit in SUITS)


def refuse(message: str) -> NoReturn:
    """Raise what a view at fault gets."""
    raise InputError("view", message, field="view")
