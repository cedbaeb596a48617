"""The worlds that fit what a seat knows, at any moment of a deal and above all in the play: counted, drawn, listed.

What is equally likely: all ways in which the deal can have gone for which the rules show the seat exactly its view. A
way is how the cards were dealt, together with every choice of cards that the seat did not see: the parcel between the
two others, and the dealer's discard, any cards of those he held then. What was done openly, and what the rules ask for,
belongs to the view. Nothing says how others choose: a discard that keeps every ace is as likely as any other.

    A layout at the first lead that more ways lead to is drawn the more often. Kitty cards that a view cannot tell from
    the dealer's own (paths.py says when) are not told apart, and do not count twice. Where a card was taken up from
    the table and has been played since, or has come to this seat, a view does not say which it was; nor, in the midst
    of an exchange, always how far the two others have come (moments.py): all that it can be of counts. So the numbers
    are those of worlds.py at the dealer's decisions before the play, and those of sender_worlds.py where a parcel is
    due.

In a game of contracts a way is how the cards lie in the four hands (contract_worlds.py).

The counts are exact and nothing is ever thrown away: the paths of single cards (paths.py) are joined by the answer to
the unseen parcel and by the sizes of hands, kitty, parcel and discard (suit_laws.py).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate, combinations, product
from math import comb
from operator import or_
from typing import Final, TypeAlias

from tierce.solver.advice.answers import Rule
from tierce.solver.advice.contract_worlds import ContractLaw
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.moments import moments_of, refuse
from tierce.solver.advice.paths import ANSWER, DISCARD, FREE, KITTY, PARCEL, REMOVED, Paths
from tierce.solver.advice.suit_laws import AWAY, LATE, OUT, PARCEL_CARD, Find, PairLaw, SuitLaw, Way, part, running
from tierce.solver.cards import LANE, LANE_BITS, SUITS, Mask, bit, card_names, cards_of
from tierce.solver.checks import check_type
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.view import View

__all__ = ["PlayWorld", "PlayWorlds", "high_first", "taken_up_cards", "ways_of"]

Hands: TypeAlias = tuple[Mask, ...]
_Numbers: TypeAlias = tuple[int, int]  # `first` and `key` of suit_laws.py


@dataclass(frozen=True, slots=True)
class PlayWorld:
    """A way the cards can lie, by seat: 0 dealer, 1 eldest, 2 middle, or N, E, S, W; cards are masks.

    hands_at_lead   before the first card is played; at a moment before the play, those of that moment
    hands_now       at the moment of the view
    kitty           cards that were dealt to nobody, or lay face up; 0 where the view does not tell them from a hand's
    removed         the card out of the pack, 0 if there is none
    discard         the dealer's, if he has made it
    transfers       the exchange, with all cards of what has been sent and returned by now
    """

    hands_at_lead: Hands
    hands_now: Hands
    kitty: Mask
    removed: Mask
    discard: Mask
    transfers: tuple[Transfer, ...]


class PlayWorlds:
    """The worlds that fit a view of any seat; `count` is their exact number.

    InputError (code and field "view") for a view that nothing fits, with what contradicts it; and for one at which no
    cards are dealt or only the rules have a move (phases DEAL, RETURN, SHOW and after the last deal).

    Not to be drawn from by two threads at once.
    """

    def __init__(self, view: View) -> None:
        check_type(view, View, "a View")
        self.view: Final = view
        self._laws: Final[tuple[_Law | _FourHands, ...]] = tuple(_laws(view))
        self._sums = tuple(accumulate(law.count for law in self._laws))
        self.count: Final = self._sums[-1]

    def draw(self, draws: Draws) -> PlayWorld:
        """A random world, each equally likely."""
        return self._laws[bisect_right(self._sums, draws.below(self.count))].draw(draws)

    def __iter__(self) -> Iterator[PlayWorld]:
        """Every world once, lazily; only a small pack, or the end of a deal, has few enough."""
        for law in self._laws:
            yield from law


class _Law:
    """The worlds with one card taken up: the ways of the four suits, joined by numbers of cards."""

    def __init__(self, paths: Paths, suits: Sequence[SuitLaw], most: int, width: int) -> None:
        view = paths.view
        self._paths: Final = paths
        self._suits = tuple(suits)
        self._first = view.profile.hand
        one, two, three, four = (suit.table for suit in suits)
        self._majors = PairLaw(one, two, most, width)
        self._minors = PairLaw(three, four, most, width)
        self._whole = PairLaw(self._majors.table(), self._minors.table(), most, width)
        self._played = tuple(paths.moment.played)
        weights = ((key, self._whole.ways(self._first, key) * self._discards(key)) for key in self._keys())
        self._totals, self._sums = running(weights)
        self.count: Final = self._sums[-1] if self._sums else 0

    def draw(self, draws: Draws) -> PlayWorld:
        key = self._totals[bisect_right(self._sums, draws.below(self.count))]
        majors = self._whole.split(self._first, key, draws)
        minors = self._first - majors[0], key - majors[1]
        found = []
        for pair, numbers, suits in ((self._majors, majors, self._suits[:2]), (self._minors, minors, self._suits[2:])):
            one = pair.split(*numbers, draws)
            other = numbers[0] - one[0], numbers[1] - one[1]
            found += [suits[0].draw(*one, draws), suits[1].draw(*other, draws)]
        world, free = self._gathered(found)
        return self._world(world, draws.take([bit(card) for card in cards_of(free)], self._owed(key)))

    def __iter__(self) -> Iterator[PlayWorld]:
        for key in self._totals:
            for four in self._numbers(key):
                lists = [suit.listed(*numbers) for suit, numbers in zip(self._suits, four, strict=True)]
                for found in product(*lists):
                    lay, free = self._gathered(found)
                    for cards in combinations(cards_of(free), self._owed(key)):
                        yield self._world(lay, sum(map(bit, cards)))

    # ---- numbers of cards --------------------------------------------------------------------------------------------

    def _keys(self) -> Iterator[int]:
        """The keys that the whole pack may have."""
        paths = self._paths
        fixed = OUT * (paths.kitty_dealt + paths.view.profile.removed) + PARCEL_CARD * paths.parcel
        for late in range(paths.kitty_dealt + 1 if paths.late else 1):
            for away in range(paths.discards + 1):
                yield fixed + LATE * late + AWAY * away

    def _discards(self, key: int) -> int:
        """In how many ways the dealer's discard can be made up once it is known what must be in it."""
        owed = self._owed(key)
        return comb(self._free(key), owed) if self._free(key) >= owed >= 0 else 0

    def _owed(self, key: int) -> int:
        """How many cards of the discard are still open."""
        return self._paths.discards - part(key, AWAY)

    def _free(self, key: int) -> int:
        """Cards that the dealer held when he discarded, but for those that must or cannot be in the discard."""
        paths = self._paths
        if not paths.late:
            return 0
        return paths.free_of - (paths.moment.played[0].bit_count() - part(key, LATE)) - part(key, AWAY)

    def _numbers(self, key: int) -> Iterator[tuple[_Numbers, ...]]:
        """The numbers of the four suits, every way to divide those of the pack."""
        for majors in self._whole.splits(self._first, key)[0]:
            minors = self._first - majors[0], key - majors[1]
            for one in self._majors.splits(*majors)[0]:
                for three in self._minors.splits(*minors)[0]:
                    yield (
                        one,
                        (majors[0] - one[0], majors[1] - one[1]),
                        three,
                        (minors[0] - three[0], minors[1] - three[1]),
                    )

    # ---- from paths to a world ---------------------------------------------------------------------------------------

    def _gathered(self, found: Sequence[Find]) -> tuple[_Lay, Mask]:
        """Where the cards are, and those of which some are in the dealer's discard."""
        places = [0] * 6
        kitty = sent = back = free = 0
        for suit in found:
            for card, path in zip(suit.cards, suit.paths, strict=True):
                places[path.place] |= card
                if path.start == KITTY:
                    kitty |= card
                if path.marks:
                    sent |= card if path.marks & PARCEL else 0
                    back |= card if path.marks & ANSWER else 0
                    free |= card if path.marks & FREE else 0
        return _Lay(tuple(places), kitty, sent, back), free

    def _world(self, lay: _Lay, away: Mask) -> PlayWorld:
        d, e, m = self._played
        places = lay.places
        lead = places[0] & ~away, places[1], places[2]
        return PlayWorld(
            hands_at_lead=lead,
            hands_now=(lead[0] & ~d, lead[1] & ~e, lead[2] & ~m),
            kitty=lay.kitty,
            removed=places[REMOVED],
            discard=places[DISCARD] | away,
            transfers=self._transfers(lay),
        )

    def _transfers(self, lay: _Lay) -> tuple[Transfer, ...]:
        found = self._paths.moment.transfers
        hidden = self._paths.moment.hidden
        if hidden is None:
            return found
        return (*found[:hidden], replace(found[hidden], sent=lay.sent, returned=lay.back), *found[hidden + 1 :])


class _FourHands:
    """The worlds of a game of contracts."""

    def __init__(self, view: View) -> None:
        self._law = ContractLaw(view)
        self.count: Final = self._law.count

    def draw(self, draws: Draws) -> PlayWorld:
        return self._world(*self._law.draw(draws))

    def __iter__(self) -> Iterator[PlayWorld]:
        for hands in self._law:
            yield self._world(*hands)

    def _world(self, lead: Hands, now: Hands) -> PlayWorld:
        return PlayWorld(lead, now, 0, 0, 0, ())


@dataclass(frozen=True, slots=True)
class _Lay:
    """Cards by place, those that began in the kitty, and the unseen parcel with what came back."""

    places: tuple[Mask, ...]
    kitty: Mask
    sent: Mask
    back: Mask


# ---- the laws of a view ----------------------------------------------------------------------------------------------


def _laws(view: View) -> Sequence[_Law | _FourHands]:
    """A law for each moment the view can be of, and each card that may have been taken up."""
    if view.profile.contracts:
        return _of_contracts(view)
    found, why = [], ""
    for moment in moments_of(view):
        pack = _Pack(Paths(view, moment))
        found += [law for law in map(pack.law, taken_up_cards(view)) if law is not None and law.count]
        why = pack.why
    if not found:
        refuse(why)
    return found


def _of_contracts(view: View) -> Sequence[_FourHands]:
    found = _FourHands(view)
    if not found.count:
        refuse("expected cards that can lie in hands of these sizes, found none")
    return (found,)


class _Pack:
    """The ways of all cards of a view, and the laws of the suits as far as they have been made."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._ways = {bit(card): ways_of(paths, bit(card)) for card in cards_of(paths.view.profile.pack)}
        self._width = sum(len(ways).bit_length() for ways in self._ways.values()) + 8  # 8 for a card taken up
        self._most = OUT * (paths.kitty_dealt + paths.view.profile.removed) + PARCEL_CARD * paths.parcel
        self._most += LATE * (paths.kitty_dealt if paths.late else 0) + AWAY * paths.discards
        self._rule = Rule(paths.view.profile.options, paths.most)
        self._suits: dict[tuple[int, Mask], SuitLaw] = {}
        self.why = "expected cards that can lie in hands of these sizes, found none"

    def law(self, up: Mask) -> _Law | None:
        """The law if this card was taken up, 0 for none; None if some card has no place then, and `why`."""
        ways = {**self._ways, up: ways_of(self._paths, up, taken_up=True)} if up else self._ways
        lost = [card for card, each in ways.items() if not each]
        own = sum(each[0].path.start == self._paths.view.seat for each in ways.values() if each)
        if lost:
            self.why = f"expected a place for {card_names(lost[0])} that fits all the seat has seen, found none"
        elif own != self._paths.own_dealt:
            self.why = f"expected {self._paths.own_dealt} cards dealt to the seat, found {own}"
        else:
            return _Law(self._paths, [self._suit(suit, up, ways) for suit in SUITS], self._most, self._width)
        return None

    def _suit(self, suit: int, up: Mask, ways: Mapping[Mask, Sequence[Way]]) -> SuitLaw:
        name = suit, up & LANE << LANE_BITS * suit
        if name not in self._suits:
            order = high_first(self._paths.view, suit)
            self._suits[name] = SuitLaw([(card, ways[card]) for card in order], self._rule, self._most, self._width)
        return self._suits[name]


def ways_of(paths: Paths, card: Mask, *, taken_up: bool = False) -> list[Way]:
    found = []
    for path in paths.of(card, taken_up=taken_up):
        key = OUT * (path.start > 2) + PARCEL_CARD * bool(path.marks & PARCEL)
        key += LATE * paths.kitty_played(card, path) + AWAY * (path.place == DISCARD and paths.discards > 0)
        found.append(Way(path, int(path.start == paths.others[1]), key, paths.asked(path)))
    return found


def high_first(view: View, suit: int) -> list[Mask]:
    """The cards of a suit in the order of the exchange."""
    cards = [bit(card) for card in cards_of(view.profile.pack & LANE << LANE_BITS * suit)]
    return cards if view.profile.options.get("rank_order") != "ace_low" else [*cards[1:], cards[0]]


def taken_up_cards(view: View) -> list[Mask]:
    """The card that another hand took up: one where the view tells it, else each that it may have been; 0 if none."""
    if not view.swapped or view.swapper == view.seat:
        return [0]
    told = view.hand | (view.discard or 0) | view.shown | view.up_card | view.removed
    told |= reduce(or_, (bit(card) for trick in view.tricks for card in trick.cards), 0)
    told |= reduce(or_, map(bit, view.trick), 0)
    for each in view.transfers:
        told |= (each.sent or 0) | (each.returned or 0)
    found = view.seen & ~told
    if found.bit_count() > 1:
        refuse(f"expected one card seen in the swap alone, found {card_names(found)}")
    return [found] if found else [bit(card) for card in cards_of(told & ~view.up_card)]
