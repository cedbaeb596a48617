"""Layouts of unseen cards: all ways to give a set of cards to holders of known sizes, counted, drawn, listed.

    cards       the cards to be placed, a mask
    capacities  how many cards each holder has of them; they sum to the number of cards
    barred      for each holder the cards that he cannot hold (a suit he has shown to be out of, say)

Cards that the same holders can hold are a class. How many cards of each class go to each holder is decided step by
step, one holder of one class after the other; the number of layouts that are left after a step depends on the step and
on the room that each holder still has, and is kept. A draw walks these steps with exact weights and then picks the
cards of each class at random: every layout is equally likely, and none is ever thrown away.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from tierce.solver.advice.draws import Draws
from tierce.solver.cards import ALL_CARDS, Mask, bit, card_names, cards_of
from tierce.solver.checks import is_whole, quoted
from tierce.solver.errors import InputError

__all__ = ["Layouts"]

_NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class _Class:
    """Cards (one-card masks) that the same holders can hold, and these: the one who takes the rest comes last."""

    cards: tuple[Mask, ...]
    holders: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """A holder gets cards of a class. `rest` takes what is left of it after this step, `later` cards are in classes
    after this one."""

    holder: int
    rest: int
    later: int


@dataclass(frozen=True, slots=True)
class _Choice:
    """The numbers of cards a step can give, the room that is left after each, and running sums of their layouts."""

    counts: tuple[int, ...]
    rooms: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]

    @property
    def total(self) -> int:
        return self.sums[-1] if self.sums else 0


class Layouts:
    """All ways to lay out `cards`; `count` is their exact number.

    InputError (code and field "layouts") if the sizes do not fit the cards, or if there is no layout at all.
    """

    __slots__ = ("_choices", "_classes", "_room", "_steps", "_sure", "barred", "capacities", "cards", "count")

    def __init__(self, cards: Mask, capacities: Sequence[int], barred: Sequence[Mask] = ()) -> None:
        self.cards: Final = cards
        self.capacities: Final = tuple(capacities)
        self.barred: Final = tuple(barred) or (0,) * len(self.capacities)
        self._check()
        self._sure = [0] * len(self.capacities)  # cards that only one holder can hold
        self._classes = self._sorted()
        self._room = tuple(size - sure.bit_count() for size, sure in zip(self.capacities, self._sure, strict=True))
        self._steps = self._planned()
        self._choices: dict[tuple[int, tuple[int, ...]], _Choice] = {}
        self.count: Final = self._ways(0, self._room) if min(self._room, default=0) >= 0 else 0
        if not self.count:
            raise _fault(f"expected a layout of {card_names(cards)} that fits, found none")

    def draw(self, draws: Draws) -> tuple[Mask, ...]:
        """The cards of each holder in a random layout, each layout equally likely."""
        hands, room, step = list(self._sure), self._room, 0
        for each in self._classes:
            left = list(each.cards)
            for holder in each.holders[:-1]:
                choice = self._choice(step, room)
                place = bisect_right(choice.sums, draws.below(choice.sums[-1]))
                hands[holder] |= draws.take(left, choice.counts[place])
                room = choice.rooms[place]
                step += 1
            hands[each.holders[-1]] |= sum(left)
        return tuple(hands)

    def __iter__(self) -> Iterator[tuple[Mask, ...]]:
        """Every layout once, lazily: the cards of each holder."""
        yield from self._listed(0, 0, self._classes[0].cards if self._classes else (), self._room, tuple(self._sure))

    # ---- the plan ----------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        sizes, barred = self.capacities, self.barred
        if not all(is_whole(each) and each >= 0 for each in sizes) or len(barred) != len(sizes):
            expected = "sizes of 0 or more and as many masks of barred cards"
            raise _fault(f"expected {expected}, found {quoted(sizes)} and {len(barred)} masks")
        if not is_whole(self.cards) or self.cards & ~ALL_CARDS:
            raise _fault(f"expected cards as a mask, found {quoted(self.cards)}")
        if sum(sizes) != self.cards.bit_count():
            raise _fault(f"expected sizes that sum to {self.cards.bit_count()} cards, found {quoted(sizes)}")

    def _sorted(self) -> tuple[_Class, ...]:
        """The classes of two holders or more, those with the fewest first; cards of one holder go to `_sure`."""
        found: dict[tuple[int, ...], list[Mask]] = {}
        by_size = sorted(range(len(self.capacities)), key=lambda holder: self.capacities[holder])
        for card in map(bit, cards_of(self.cards)):
            holders = tuple(each for each in by_size if self.capacities[each] and not self.barred[each] & card)
            if not holders:
                raise _fault(f"expected someone who can hold {card_names(card)}, found nobody")
            found.setdefault(holders, []).append(card)
        for holders, cards in found.items():
            if len(holders) == 1:
                self._sure[holders[0]] |= sum(cards)
        open_ = [_Class(tuple(cards), holders) for holders, cards in found.items() if len(holders) > 1]
        return tuple(sorted(open_, key=lambda each: len(each.holders)))

    def _planned(self) -> tuple[_Step, ...]:
        found = []
        later = sum(len(each.cards) for each in self._classes)
        for each in self._classes:
            later -= len(each.cards)
            *first, last, rest = each.holders
            found += [_Step(holder, _NOBODY, later) for holder in first] + [_Step(last, rest, later)]
        return tuple(found)

    # ---- counting ----------------------------------------------------------------------------------------------------

    def _ways(self, step: int, room: tuple[int, ...]) -> int:
        return self._choice(step, room).total if step < len(self._steps) else 1

    def _choice(self, step: int, room: tuple[int, ...]) -> _Choice:
        key = step, room
        found = self._choices.get(key)
        if found is None:
            found = self._choices[key] = self._counted(step, room)
        return found

    def _counted(self, step: int, room: tuple[int, ...]) -> _Choice:
        holder, rest = self._steps[step].holder, self._steps[step].rest
        left = sum(room) - self._steps[step].later  # cards of the class that are not placed yet
        counts, rooms, sums = [], [], []
        total = 0
        for count in range(min(left, room[holder]) + 1):
            after = list(room)
            after[holder] -= count
            if rest != _NOBODY:
                after[rest] -= left - count
                if after[rest] < 0:
                    continue
            ways = self._ways(step + 1, tuple(after))
            if ways:
                total += comb(left, count) * ways
                counts.append(count)
                rooms.append(tuple(after))
                sums.append(total)
        return _Choice(tuple(counts), tuple(rooms), tuple(sums))

    def _listed(
        self, step: int, at: int, left: tuple[Mask, ...], room: tuple[int, ...], hands: tuple[Mask, ...]
    ) -> Iterator[tuple[Mask, ...]]:
        """The layouts from a step on; `left` are the cards of class `at` that are not placed yet."""
        if step == len(self._steps):
            yield hands
            return
        holder, rest = self._steps[step].holder, self._steps[step].rest
        choice = self._choice(step, room)
        for count, after in zip(choice.counts, choice.rooms, strict=True):
            for cards in combinations(left, count):
                others = tuple(card for card in left if card not in cards)
                given = _with(hands, holder, sum(cards))
                if rest == _NOBODY:
                    yield from self._listed(step + 1, at, others, after, given)
                else:
                    following = self._classes[at + 1].cards if at + 1 < len(self._classes) else ()
                    yield from self._listed(step + 1, at + 1, following, after, _with(given, rest, sum(others)))


def _with(hands: tuple[Mask, ...], holder: int, cards: Mask) -> tuple[Mask, ...]:
    return (*hands[:holder], hands[holder] | cards, *hands[holder + 1 :])


def _fault(message: str) -> InputError:
    return InputError("layouts", message, field="layouts")
