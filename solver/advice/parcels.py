"""The layouts before an unseen parcel, each with each parcel that could be sent, that fit what was seen after it.

Everything the rules of the exchange say, they say of each suit by itself, so the suits meet only in three numbers: how
many cards of the parcel, of its sender's hand and of its receiver's hand are of the suit. Of a suit in which the dealer
saw something afterwards, all pieces are tried by the rules: a piece is the cards of the parcel and the highest cards of
the receiver, as many as can matter for what he returns, one for each card that he answers. What a piece leaves open is
counted: cards above the lowest of the receiver's are not his, the rest is anybody's. Two suits, and then two pairs of
suits, are joined by sums over the three numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, TypeAlias, TypeVar

from tierce.solver.advice.draws import Draws
from tierce.solver.advice.layouts import Layouts
from tierce.solver.advice.story import ELDEST, KITTY, MIDDLE, REMOVED, Story
from tierce.solver.cards import LANE, SUITS, Mask, bit, cards_of
from tierce.solver.errors import InputError
from tierce.solver.games import exchange

__all__ = ["JointLaw"]

T = TypeVar("T")
Key: TypeAlias = int  # three numbers of cards, see `_key`
Holding: TypeAlias = tuple[Mask, Mask, Mask]
_Piece: TypeAlias = tuple[Mask, Mask]  # of the parcel, highest of the receiver
_Group: TypeAlias = tuple[int, int, tuple[int, ...]]  # cards of a piece's two parts, and how many are open to whom
_SENDER, _RECEIVER, _OUT = 1, 2, 4  # who may hold a card, as a set


def _key(parcel: int, sender: int, receiver: int) -> Key:
    """Numbers of cards as one number; such keys are added and subtracted like the numbers they stand for (a
    difference that would be below 0 has a part that is larger than any number of cards)."""
    return parcel << 16 | sender << 8 | receiver


class JointLaw:
    """All pairs of a layout at the cut of a story and an unseen parcel that fit; `count` is their number.

    InputError (code "view") if there is none.
    """

    def __init__(self, story: Story) -> None:
        assert story.hidden is not None
        transfer = story.transfers[story.hidden]
        self._sender: Final = transfer.sender - 1
        self._receiver: Final = transfer.receiver - 1
        self._out: Final = KITTY if story.capacities[KITTY] else REMOVED
        sizes = story.capacities[self._sender], story.capacities[self._receiver]
        self._suits = tuple(
            (_TriedSuit if _bound(story) & LANE << 16 * suit else _FreeSuit)(story, suit, transfer.count, sizes)
            for suit in SUITS
        )
        tables = [suit.table for suit in self._suits]
        self._majors = _Sum(tables[0], tables[1])
        self._minors = _Sum(tables[2], tables[3])
        self._whole = _Sum(self._majors.table(), self._minors.table())
        self._total: Final = _key(transfer.count, *sizes)
        self.count: Final = self._whole.ways(self._total)
        if not self.count:
            raise InputError("view", "expected an unseen parcel that fits what came after it, found none", field="view")

    def draw(self, draws: Draws) -> tuple[tuple[Mask, ...], Mask]:
        """A random pair, each equally likely: the cards of each holder, and the parcel."""
        majors, minors = self._whole.split(self._total, draws)
        keys = (*self._majors.split(majors, draws), *self._minors.split(minors, draws))
        found, parcel = [0, 0, 0, 0], 0
        for suit, key in zip(self._suits, keys, strict=True):
            sent, (sender, receiver, out) = suit.draw(key, draws)
            parcel |= sent
            found[self._sender] |= sender
            found[self._receiver] |= receiver
            found[self._out] |= out
        return tuple(found), parcel


class _Sum:
    """Two independent parts whose numbers are added."""

    def __init__(self, one: Mapping[Key, int], other: Mapping[Key, int]) -> None:
        self._one = one
        self._other = other
        self._splits: dict[Key, tuple[list[Key], list[int]]] = {}

    def table(self) -> dict[Key, int]:
        """Ways of every sum."""
        found: dict[Key, int] = {}
        for key, ways in self._one.items():
            for more, times in self._other.items():
                found[key + more] = found.get(key + more, 0) + ways * times
        return found

    def ways(self, key: Key) -> int:
        """Ways of one sum."""
        return sum(ways * self._other.get(key - one, 0) for one, ways in self._one.items())

    def split(self, key: Key, draws: Draws) -> tuple[Key, Key]:
        """The two parts of a sum, drawn by their ways."""
        if key not in self._splits:
            ways = ((one, each * self._other.get(key - one, 0)) for one, each in self._one.items())
            self._splits[key] = _running(ways)
        keys, sums = self._splits[key]
        one = keys[bisect_right(sums, draws.below(sums[-1]))]
        return one, key - one


class _Suit:
    """One suit of a story: its cards and who may hold each at the cut."""

    def __init__(self, story: Story, suit: int) -> None:
        assert story.hidden is not None
        transfer = story.transfers[story.hidden]
        self._story = story
        self._lane = LANE << 16 * suit
        self._sender = transfer.sender
        self._receiver = transfer.receiver
        self._high_first = _high_first(story, story.cards & self._lane)
        out = max(story.capacities[KITTY:]) > 0
        self._may = {card: self._holders(card, out) for card in self._high_first}

    def _holders(self, card: Mask, out: bool) -> int:
        barred = self._story.barred
        places = ((self._sender - 1, _SENDER), (self._receiver - 1, _RECEIVER))
        found = sum(who for holder, who in places if not barred[holder] & card)
        return found | (_OUT if out and not barred[KITTY] & card else 0)


class _FreeSuit(_Suit):
    """A suit in which nothing was seen after the unseen parcel: any cards of the sender's may be in it. `table`: ways
    by key."""

    def __init__(self, story: Story, suit: int, most: int, sizes: tuple[int, int]) -> None:
        super().__init__(story, suit)
        self.table: Final[dict[Key, int]] = {}
        for key, ways in _spread(_sizes(self._may)).items():
            sender, receiver = key >> 8, key & 255
            if sender <= sizes[0] and receiver <= sizes[1]:
                for parcel in range(min(sender, most) + 1):
                    self.table[key + _key(parcel, 0, 0)] = ways * comb(sender, parcel)

    def draw(self, key: Key, draws: Draws) -> tuple[Mask, Holding]:
        """Cards of the parcel; cards that sender, receiver and nobody held before it."""
        found = _drawn(self._may, key >> 8 & 255, key & 255, draws)
        return draws.take([bit(card) for card in cards_of(found[0])], key >> 16), found


class _TriedSuit(_Suit):
    """A suit by its pieces, those that leave the same open together; `table`: ways by key."""

    def __init__(self, story: Story, suit: int, most: int, sizes: tuple[int, int]) -> None:
        super().__init__(story, suit)
        self._needed = story.needed[self._sender] & self._lane, story.needed[self._receiver] & self._lane
        self._place = {card: place for place, card in enumerate(self._high_first)}
        # Cards of the receiver's beside one for each of the unseen parcel's: one for each of the dealer's cards that he
        # answers with it, and those of them that are in his hand at the cut, where they may be among his highest.
        answered = story.answered & self._lane
        self._extra = answered.bit_count() + (answered & story.cards).bit_count()
        self._groups: dict[_Group, list[_Piece]] = {}
        for sent, top in self._pieces(most):
            open_ = self._open(sent, top)
            if open_ is not None:
                self._groups.setdefault((sent.bit_count(), top.bit_count(), _sizes(open_)), []).append((sent, top))
        self.table: Final = self._counted(sizes)
        self._splits: dict[Key, tuple[list[_Group], list[int]]] = {}

    def draw(self, key: Key, draws: Draws) -> tuple[Mask, Holding]:
        """Cards of the parcel; cards that sender, receiver and nobody held before it."""
        if key not in self._splits:
            weights = (
                (group, len(pieces) * _spread(group[2]).get(key - _key(group[0], group[0], group[1]), 0))
                for group, pieces in self._groups.items()
            )
            self._splits[key] = _running(weights)
        groups, sums = self._splits[key]
        group = groups[bisect_right(sums, draws.below(sums[-1]))]
        pieces = self._groups[group]
        sent, top = pieces[draws.below(len(pieces))]
        rest = key - _key(group[0], group[0], group[1])
        more = _drawn(self._open(sent, top) or {}, rest >> 8, rest & 255, draws)
        return sent, (sent | more[0], top | more[1], more[2])

    def _pieces(self, most: int) -> Iterator[_Piece]:
        """Every parcel's part of the suit with every top of the receiver's, tried or not."""
        can_send = [card for card in self._high_first if self._may[card] & _SENDER]
        can_hold = [card for card in self._high_first if self._may[card] & _RECEIVER]
        for count in range(min(most, len(can_send)) + 1):
            for cards in combinations(can_send, count):
                left = [card for card in can_hold if card not in cards]
                for held in range(min(count + self._extra, len(left)) + 1):
                    for top in combinations(left, held):
                        if self._fits(cards, top, whole=held < count + self._extra):
                            yield sum(cards), sum(top)

    def _fits(self, cards: tuple[Mask, ...], top: tuple[Mask, ...], *, whole: bool) -> bool:
        """Do the rules bring what was seen? `whole`: the receiver has no more of the suit than `top`."""
        sent, highest = sum(cards), sum(top)
        sender = sent | self._needed[0] & ~highest
        receiver = highest | (0 if whole else self._needed[1] & ~sent)
        hands = (sender, receiver) if self._sender - 1 == ELDEST else (receiver, sender)
        return self._story.run(hands[ELDEST], hands[MIDDLE], sent, self._lane) is not None

    def _open(self, sent: Mask, top: Mask) -> dict[Mask, int] | None:
        """The other cards of the suit and who may hold each; None if nobody may hold one of them."""
        lowest = self._below(top, sent.bit_count() + self._extra)
        found = {}
        for place, card in enumerate(self._high_first):
            if card & (sent | top):
                continue
            may = self._may[card] & (~0 if place > lowest and not card & self._story.capped else ~_RECEIVER)
            for needed, who in zip(self._needed, (_SENDER, _RECEIVER), strict=True):
                may &= who if needed & card else ~0
            if not may:
                return None
            found[card] = may
        return found

    def _below(self, top: Mask, depth: int) -> int:
        """The place in the suit below which the receiver may hold more than his highest `depth` cards."""
        if top.bit_count() < depth:
            return len(self._high_first)
        return max((self._place[bit(card)] for card in cards_of(top)), default=-1)

    def _counted(self, sizes: tuple[int, int]) -> dict[Key, int]:
        found: dict[Key, int] = {}
        for (parcel, top, open_), pieces in self._groups.items():
            for rest, ways in _spread(open_).items():
                key = rest + _key(parcel, parcel, top)
                if key >> 8 & 255 <= sizes[0] and key & 255 <= sizes[1]:
                    found[key] = found.get(key, 0) + ways * len(pieces)
        return found


def _running(weights: Iterator[tuple[T, int]]) -> tuple[list[T], list[int]]:
    """What has a weight, and the running sums of the weights."""
    things, sums, total = [], [], 0
    for thing, weight in weights:
        if weight:
            total += weight
            things.append(thing)
            sums.append(total)
    return things, sums


def _bound(story: Story) -> Mask:
    """Cards of which something was seen after the unseen parcel."""
    return story.needed[1] | story.needed[2] | story.capped | story.answered


def _drawn(may: Mapping[Mask, int], sender: int, receiver: int, draws: Draws) -> Holding:
    """Cards at random for sender, receiver and nobody, so many for each."""
    barred = [sum(card for card, who in may.items() if not who & one) for one in (_SENDER, _RECEIVER, _OUT)]
    found = Layouts(sum(may), (sender, receiver, len(may) - sender - receiver), barred).draw(draws)
    return found[0], found[1], found[2]


def _sizes(open_: Mapping[Mask, int]) -> tuple[int, ...]:
    """How many cards each set of holders may hold, by the number of the set."""
    found = [0] * 8
    for may in open_.values():
        found[may] += 1
    return tuple(found)


@lru_cache(maxsize=4096)
def _spread(sizes: tuple[int, ...]) -> dict[Key, int]:
    """In how many ways sender and receiver can get so many of these cards, by `_key(0, sender's, receiver's)`."""
    found = {0: 1}
    for may, size in enumerate(sizes):
        if not size:
            continue
        after: dict[Key, int] = {}
        for key, ways in found.items():
            for more, times in _shares(may, size):
                after[key + more] = after.get(key + more, 0) + ways * times
        found = after
    return found


def _shares(may: int, size: int) -> Iterator[tuple[Key, int]]:
    for sender in range(size + 1) if may & _SENDER else (0,):
        for receiver in range(size - sender + 1) if may & _RECEIVER else (0,):
            if may & _OUT or sender + receiver == size:
                yield _key(0, sender, receiver), comb(size, sender) * comb(size - sender, receiver)


def _high_first(story: Story, cards: Mask) -> list[Mask]:
    """Cards of one suit in the order of the exchange: the highest is what comes back for any of them."""
    options = {**story.view.profile.options, "return_rule": "merged_top_n"}
    found = []
    while cards:
        one = cards & -cards
        found.append(exchange.returned(cards ^ one, one, options))
        cards ^= found[-1]
    return found
