"""The layouts of a view near the end of a hand: how the unseen cards can lie in the others' hands, each with the number
of worlds that lead to it, without listing the worlds.

    layouts_of(view, 200)       [((dealer, eldest, middle), worlds), ...], or None where there are too many

A world (play_worlds.py) also says what was in the kitty, the discard and the unseen parcel, so that one layout of nine
cards may stand for hundreds of thousands of worlds. Here every card left is given to one of the two hands or to what is
out of play; what remains open is counted, suit by suit, by the same laws from which worlds are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

from tierce.solver.advice.answers import Rule
from tierce.solver.advice.moments import moments_of
from tierce.solver.advice.paths import FREE, Paths
from tierce.solver.advice.play_worlds import high_first, taken_up_cards, ways_of
from tierce.solver.advice.suit_laws import AWAY, LATE, OUT, PARCEL_CARD, PairLaw, SuitLaw, Table, Way
from tierce.solver.cards import SUITS, Mask, bit, cards_of
from tierce.solver.checks import check_type
from tierce.solver.errors import InputError
from tierce.solver.games.view import View

__all__ = ["Hands", "layouts_of"]

Hands: TypeAlias = tuple[Mask, ...]
Sizes: TypeAlias = tuple[int, int]  # cards in the hand of the one other seat, and in that of the second
_Open: TypeAlias = Mapping[
    int, Sequence[Way]
]  # the ways of a card by where it is now: 0, 1 the others' hands, 2 neither
_Say: TypeAlias = tuple[tuple[int, int, tuple[bool, int] | None], ...]  # what the ways of a card add to the numbers

_NEITHER: Final = 2


def layouts_of(view: View, most: int) -> list[tuple[Hands, int]] | None:
    """The layouts that fit a view in the play, by seat, in a fixed order, and how many of its worlds have each.

    None if single cards leave room for more than `most` layouts. A few of those may be ruled out only by what all cards
    together must do in an unseen exchange; so the limit is met a little early, never late.

    InputError (code and field "view") for a view that is not in the play, or that nothing fits.
    """
    check_type(view, View, "a View")
    if view.phase != "PLAY":
        raise InputError("view", f"expected a moment in the play, found one in {view.phase}", field="view")
    (moment,) = moments_of(view)
    pack = _Pack(Paths(view, moment))
    found = Counter[Hands]()
    for up in taken_up_cards(view):
        lays = _Lays(pack, up)
        if lays.room > most:
            return None
        found.update(dict(lays.weighed()))
    if not found:
        raise InputError("view", "expected cards that can lie in hands of these sizes, found none", field="view")
    return sorted(found.items()) if len(found) <= most else None


@dataclass(frozen=True, slots=True)
class _Part:
    """The cards of a suit in the others' hands, and the ways that lead there: the number of their table in the pack's
    list, for many parts have the same."""

    one: Mask
    two: Mask
    table: int


class _Pack:
    """The ways of all cards of a view, made as they are asked for: to give up takes those of the cards left alone."""

    def __init__(self, paths: Paths) -> None:
        self.paths: Final = paths
        self.view: Final = paths.view
        self.cards: Final = [bit(card) for card in cards_of(self.view.profile.pack)]
        self.fixed: Final = OUT * (paths.kitty_dealt + self.view.profile.removed) + PARCEL_CARD * paths.parcel
        self.late: Final = paths.kitty_dealt if paths.late else 0
        self.most: Final = self.fixed + LATE * self.late + AWAY * paths.discards
        self.order: Final = [high_first(self.view, suit) for suit in SUITS]
        self.sizes: Final = self.view.counts[paths.others[0]], self.view.counts[paths.others[1]]
        gone = self.view.hand
        for cards in paths.moment.played:
            gone |= cards
        self.left: Final = [[card for card in cards if not card & gone] for cards in self.order]
        self.tables: Final[list[Table]] = []
        self._rule = Rule(self.view.profile.options, paths.most)
        self._numbers: dict[tuple[_Say, ...], int] = {}
        self._open: dict[tuple[Mask, bool], _Open] = {}
        self._parts: dict[tuple[int, Mask], list[_Part]] = {}

    def open(self, card: Mask, *, taken_up: bool = False) -> _Open:
        """The ways of a card by where it is now; where the dealer may hold or have discarded it, they part."""
        name = card, taken_up
        if name not in self._open:
            others, found = self.paths.others, dict[int, list[Way]]()
            played = any(card & cards for cards in self.paths.moment.played)
            for way in ways_of(self.paths, card, taken_up=taken_up):
                path = way.path
                place = others.index(path.place) if path.place in others and not played else _NEITHER
                found.setdefault(place, []).append(way)
                if path.marks & FREE:
                    found.setdefault(_NEITHER, []).append(way._replace(key=way.key + AWAY))
            self._open[name] = found
        return self._open[name]

    @cached_property
    def width(self) -> int:
        """Bits that hold every count."""
        return sum(sum(map(len, self.open(card).values())).bit_length() for card in self.cards) + 8  # 8: one taken up

    def parts(self, suit: int, up: Mask, sizes: Collection[Sizes]) -> list[_Part]:
        """The parts of a suit that give the others' hands one of these numbers of cards."""
        name = suit, up if up in self.order[suit] else 0
        if name not in self._parts:
            cards = self.order[suit]
            open_ = [self.open(card, taken_up=card == up) for card in cards]
            found = []
            for places in product(*open_):
                if (places.count(0), places.count(1)) in sizes:
                    number = self._number([each[place] for each, place in zip(open_, places, strict=True)])
                    found.append(_Part(_at(0, cards, places), _at(1, cards, places), number))
            self._parts[name] = [part for part in found if self.tables[part.table]]
        return self._parts[name]

    def _number(self, ways: Sequence[Sequence[Way]]) -> int:
        """Of the table of a suit whose cards have these ways."""
        says: list[_Say] = [tuple((way.first, way.key, way.asked) for way in each) for each in ways]
        if not any(asked for say in says for _, _, asked in say):
            says.sort(key=repr)  # then their order is nothing to the rule of the answer
        found = self._numbers.get(name := tuple(says))
        if found is None:
            found = self._numbers[name] = len(self.tables)
            cards = [(0, each) for each in ways]  # which card is which is no matter of numbers
            self.tables.append(SuitLaw(cards, self._rule, self.most, self.width).table)
        return found


def _at(place: int, cards: Sequence[Mask], places: Sequence[int]) -> Mask:
    return sum(card for card, at in zip(cards, places, strict=True) if at == place)


class _Lays:
    """The layouts with one card taken up (0: none). `room`: their number, by what single cards leave open."""

    def __init__(self, pack: _Pack, up: Mask) -> None:
        self._pack = pack
        self._up = up
        self._rooms = [self._room(suit) for suit in SUITS]
        self._after: list[Counter[Sizes]] = [Counter({(0, 0): 1})]  # of the suits from one on
        for rooms in reversed(self._rooms):
            self._after.insert(0, self._joined(rooms, self._after[0]))
        self.room: Final = self._after[0][pack.sizes]
        self._pairs: dict[tuple[int, int], Table] = {}
        self._ways: dict[tuple[int, ...], int] = {}

    def weighed(self) -> Iterator[tuple[Hands, int]]:
        """The layouts and their numbers of worlds; none if the card cannot have been taken up."""
        if self._possible():
            suits = [self._pack.parts(suit, self._up, self._wanted(suit)) for suit in SUITS]
            for parts in self._listed(suits, self._pack.sizes):
                one, two, three, four = (part.table for part in parts)
                if ways := self._count((one, two, three, four)):
                    yield self._hands(parts), ways

    def _possible(self) -> bool:
        """Has every card a way, and was this seat dealt as many as it should?"""
        pack = self._pack
        each = [pack.open(card, taken_up=card == self._up) for card in pack.cards]
        if not all(each):
            return False
        starts = (next(iter(open_.values()))[0].path.start for open_ in each)
        return sum(start == pack.view.seat for start in starts) == pack.paths.own_dealt

    def _listed(self, suits: Sequence[Sequence[_Part]], sizes: Sizes) -> Iterator[list[_Part]]:
        """The parts of these suits, the last ones, that fill the hands."""
        if not suits:
            yield []
            return
        rest = self._after[len(SUITS) - len(suits) + 1]
        for part in suits[0]:
            left = sizes[0] - part.one.bit_count(), sizes[1] - part.two.bit_count()
            if rest[left]:
                for more in self._listed(suits[1:], left):
                    yield [part, *more]

    def _count(self, tables: tuple[int, int, int, int]) -> int:
        """The worlds of four parts with these tables."""
        found = self._ways.get(tables)
        if found is None:
            pack = self._pack
            keys = (pack.fixed + LATE * late + AWAY * pack.paths.discards for late in range(pack.late + 1))
            law = PairLaw(self._pair(*tables[:2]), self._pair(*tables[2:]), pack.most, pack.width)
            found = self._ways[tables] = sum(law.ways(pack.view.profile.hand, key) for key in keys)
        return found

    def _pair(self, one: int, two: int) -> Table:
        """The ways of two suits together."""
        pack = self._pack
        if (one, two) not in self._pairs:
            self._pairs[one, two] = PairLaw(pack.tables[one], pack.tables[two], pack.most, pack.width).table()
        return self._pairs[one, two]

    def _hands(self, parts: Sequence[_Part]) -> Hands:
        view = self._pack.view
        one, two = self._pack.paths.others
        hands = [view.hand] * 3
        hands[one] = sum(part.one for part in parts)
        hands[two] = sum(part.two for part in parts)
        return hands[0], hands[1], hands[2]

    # ---- numbers of cards --------------------------------------------------------------------------------------------

    def _room(self, suit: int) -> Counter[Sizes]:
        """In how many ways the cards of a suit that are left can lie, by the cards in each hand."""
        found = Counter({(0, 0): 1})
        for card in self._pack.left[suit]:
            places = self._pack.open(card, taken_up=card == self._up)
            found = self._joined(Counter({(int(place == 0), int(place == 1)): 1 for place in places}), found)
        return found

    def _wanted(self, suit: int) -> set[Sizes]:
        """The numbers of cards that this suit can give when the hands are filled."""
        others = Counter({(0, 0): 1})
        for each in SUITS:
            others = others if each == suit else self._joined(self._rooms[each], others)
        one, two = self._pack.sizes
        return {size for size in self._rooms[suit] if others[one - size[0], two - size[1]]}

    def _joined(self, one: Counter[Sizes], two: Counter[Sizes]) -> Counter[Sizes]:
        most = self._pack.sizes
        found = Counter[Sizes]()
        for (a, b), ways in one.items():
            for (c, d), times in two.items():
                if a + c <= most[0] and b + d <= most[1]:
                    found[a + c, b + d] += ways * times
        return found
