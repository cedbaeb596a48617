"""What a sender who sees his own cards alone may send, and where it leads in a world.

A candidate is a parcel for each receiver that is due now: two where he fixes both before anything comes back, else one.
Of the parcels with the same number of cards of each suit to each receiver only those of the lowest cards are
candidates, the receiver who is served first getting the lower ones; `every` parcel may be asked for.

What is chosen after his parcels, the others choose by rules of thumb from their own cards: a later sender, and he
himself for a parcel that is due once others have come back, sends the lowest cards; the dealer, be it he himself,
names the trump and discards by the quick rule (quick.py), and whoever may take an up-card takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Final, NoReturn, TypeAlias

from tierce.solver.advice.candidates import cheapest_discards
from tierce.solver.advice.choices import Choice, trump_of
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate_results import Marks, marks_of, winning_tricks
from tierce.solver.advice.measure import measure
from tierce.solver.advice.quick import quick_trump
from tierce.solver.advice.sender_worlds import PHASES, SenderWorld, SenderWorlds
from tierce.solver.advice.sending import due
from tierce.solver.advice.values import Term, Worth
from tierce.solver.cards import LANE, SUITS, Mask, bit, card_names, cards_of, mask_of, rank_of, suit_of
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.games import exchange
from tierce.solver.games.actions import Discard, NameTrump, Send, Swap
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import TWO, open_sends, two_holder
from tierce.solver.games.refusing import NAMES
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State
from tierce.solver.games.view import View

__all__ = ["Parcels", "SenderOutlook", "lowest", "played"]

Parcels: TypeAlias = tuple[Mask, ...]  # one for each receiver that is served now, in their order

EVERY_MAX: Final = 20_000  # candidates, where every parcel is one


class SenderOutlook:
    """The decision at a view of a sender's.

    InputError (code "view") for a view that is no such decision or that no world fits.

    worlds    what fits the view
    now       the parcels that are chosen now; later: one that is due after something has come back
    others    parcels that somebody else will send after him
    discards  cards that the dealer lays away after the exchange; swap: may a hand take the up-card after it?
    """

    def __init__(self, view: View) -> None:
        self.worlds: Final = SenderWorlds(view)
        self.view: Final = view
        state = self.worlds.state(self.worlds.draw(Draws(0)))  # any world: the order is the same in all
        owed, count = due(state), len(open_sends(state))
        self.now: Final = owed[:count]
        self.later: Final = owed[count:]
        self.others: Final = tuple(
            state.transfers[i] for step, i in state.queue if step == "send" and state.transfers[i].sender != view.seat
        )
        self.discards: Final = view.profile.kitty if "DISCARD" in state.steps[state.at :] else 0
        self.swap: Final = "SWAP" in state.steps[state.at :] and bool(view.up_card & ~bit(TWO))

    @property
    def worth(self) -> Worth:
        """What the sender takes: his floor."""
        seat, profile = self.view.seat, self.view.profile
        extra = 1 if profile.kitty_trick and seat == 0 else 0
        return Worth("floor", 1 << seat, extra, (Term(1, 1 << seat),), profile.hand, extra)

    @property
    def marks(self) -> Marks:
        """What his tricks are held against."""
        seat, profile, quotas = self.view.seat, self.view.profile, self.view.quotas
        return Marks(quotas[seat], self.win) if seat else marks_of(profile, "", quotas)

    @property
    def win(self) -> int:
        """The tricks with which he wins the match; 12 where tricks do not settle it."""
        return winning_tricks(self.view.profile, self.view.quotas[self.view.seat])

    # ---- candidates --------------------------------------------------------------------------------------------------

    @property
    def ways(self) -> int:
        """How many ways there are to choose the parcels, all cards counted."""
        found, held = 1, self.view.hand.bit_count()
        for each in self.now:
            found *= comb(held, each.count)
            held -= each.count
        return found

    def candidates(self, *, every: bool = False) -> list[Parcels]:
        """All candidates. `every`: each parcel there is; InputError (field "candidates") if these are too many."""
        if every and self.ways > EVERY_MAX:
            message = f"expected at most {EVERY_MAX:,} ways to choose parcels where all are tried, found {self.ways:,}"
            raise InputError("candidates", message, field="candidates")
        return list(self._all(self.view.hand, self.now) if every else self._lowest())

    def promising(self, found: Sequence[Parcels], worlds: Iterable[SenderWorld]) -> Iterator[float]:
        """How promising each candidate is: the mean measure (measure.py) of the sender's hand after what comes back, in
        some worlds, with the trump that the dealer would name there with the cards he has now."""
        looks = [self._look(world) for world in worlds]
        for each in found:
            yield sum(look(each) for look in looks) / len(looks)

    def check(self, parcels: object) -> None:
        """Refuse what the sender cannot send now. InputError (code and field "chosen")."""
        given = as_tuple(parcels)
        if given is None or not all(map(is_whole, given)):
            _refuse(f"expected parcels as masks, found {quoted(parcels)}")
        if len(given) != len(self.now):
            wait = " (the other is chosen once this one is answered)" if self.later else ""
            _refuse(f"expected {len(self.now)} parcel{'s' * (len(self.now) != 1)}{wait}, found {len(given)}")
        left = self.view.hand
        for each, cards in zip(self.now, given, strict=True):
            if cards & ~left or cards.bit_count() != each.count:
                size = f"{each.count} card{'s' * (each.count != 1)}"
                expected = f"{size} of {card_names(left)} for {NAMES[each.receiver]}"
                _refuse(f"expected {expected}, found {card_names(cards & self.view.profile.pack) or 'none'}")
            left &= ~cards

    def _lowest(self) -> Iterator[Parcels]:
        """For each number of cards of each suit to each receiver the lowest cards."""
        numbers = [_numbers(self.view.hand, each.count) for each in self.now]
        suits = [sorted(cards_of(self.view.hand & LANE << 16 * suit), key=rank_of) for suit in SUITS]
        for each in product(*numbers):
            if all(sum(own) <= len(suit) for own, suit in zip(zip(*each, strict=True), suits, strict=True)):
                yield _taken(suits, each)

    def _all(self, hand: Mask, owed: Sequence[Transfer]) -> Iterator[Parcels]:
        if not owed:
            yield ()
            return
        for cards in map(mask_of, combinations(cards_of(hand), owed[0].count)):
            yield from ((cards, *rest) for rest in self._all(hand & ~cards, owed[1:]))

    def _look(self, world: SenderWorld) -> Callable[[Parcels], float]:
        """The measure of the sender's hand after his parcels in a world."""
        seat, options = self.view.seat, self.view.profile.options
        trumps = range(4) if seat == 0 else (quick_trump(world.hands[0], self.discards),)

        @cache
        def back(receiver: int, cards: Mask) -> Mask:
            return exchange.returned(world.hands[receiver], cards, options)

        def look(parcels: Parcels) -> float:
            hand = world.hands[seat]
            for cards in parcels:
                hand &= ~cards
            for each, cards in zip(self.now, parcels, strict=True):
                hand |= back(each.receiver, cards)
            return max(measure(hand, trump) for trump in trumps)

        return look

    # ---- worlds ------------------------------------------------------------------------------------------------------

    def after(self, world: SenderWorld, parcels: Parcels) -> State:
        """A world after the exchange, the dealer's choices ahead: these parcels sent, later ones by the rule of the
        lowest cards."""
        state = self.worlds.state(world)
        for each, cards in zip(self.now, parcels, strict=True):
            state = apply(state, Send(each.sender, each.receiver, cards))
        while (state := settle(state)).phase in PHASES:
            owed = due(state)[0]
            cards = lowest(state.hands[owed.sender], owed.count)
            state = apply(state, Send(owed.sender, owed.receiver, cards))
        return state


def lowest(hand: Mask, count: int) -> Mask:
    """The lowest cards of a hand; of equal rank in the order of the suits."""
    return mask_of(sorted(cards_of(hand), key=lambda card: (rank_of(card), suit_of(card)))[:count])


def played(state: State, call: str, choice: Choice) -> State:
    """The state at the first lead after a call and a choice of the dealer's. Swaps of others are made."""
    while (state := settle(state)).phase != "PLAY":
        if state.phase == "TRUMP":
            state = apply(state, NameTrump(0, trump_of(call)))
        elif state.phase == "DISCARD":
            state = apply(state, Discard(0, choice.discard))
        else:
            holder = two_holder(state)
            state = apply(state, Swap(holder, choice.swap is not False or holder != 0))
    return state


def _numbers(hand: Mask, count: int) -> list[tuple[int, ...]]:
    """The numbers of cards of each suit that so many cards of a hand may have."""
    found = cheapest_discards(hand, count)
    return [tuple((cards >> 16 * suit & LANE).bit_count() for suit in SUITS) for cards in found]


def _taken(suits: Sequence[Sequence[int]], numbers: Sequence[Sequence[int]]) -> Parcels:
    """Parcels with these numbers of cards of each suit, of each suit the lowest that are left."""
    at, found = [0] * len(suits), []
    for each in numbers:
        cards = [suit[start : start + count] for suit, start, count in zip(suits, at, each, strict=True)]
        at = [start + count for start, count in zip(at, each, strict=True)]
        found.append(mask_of(card for part in cards for card in part))
    return tuple(found)


def _refuse(message: str) -> NoReturn:
    raise InputError("chosen", message, field="chosen")
