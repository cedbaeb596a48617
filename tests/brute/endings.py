"""Seeded random endings that reach every kind of question a solver can be asked.

A `Combination` fixes all but the cards: number of hands, side, strain, objective, leader and the number of cards on
the table. There are 540 of them with three hands and 2,240 with four. `random_ending` draws one ending, of a random
combination or a given one; `endings` goes round all combinations in random order.

The cards come from decks of various shapes, since plain random cards seldom make the positions in which solvers go
wrong: voids, long runs of touching cards in one hand, hands of low cards only.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.brute import brute, notation

DECK: Final = brute.cards_of(brute.ALL_CARDS)


@dataclass(frozen=True, slots=True)
class Combination:
    """Everything about an ending but its cards. `side` is a mask of seats, `played` the cards on the table."""

    seats: int
    side: int
    trump: int
    fewest: bool
    leader: int
    played: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A position (hands as now held, `trick` on the table from `leader` on) and the question: how many, or how few,
    tricks can `side` take from here, the trick in progress included?"""

    hands: tuple[int, ...]
    trump: int
    leader: int
    trick: tuple[int, ...]
    side: int
    fewest: bool

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def size(self) -> int:
        """Cards a hand at the start of the trick, hence tricks to come."""
        return max(hand.bit_count() for hand in self.hands)

    @property
    def counted(self) -> int:
        return self.side

    @property
    def maxers(self) -> int:
        return self._wishes[1]

    @property
    def mover(self) -> int:
        return (self.leader + len(self.trick)) % self.seats

    def value(self) -> int:
        """The answer, by brute force."""
        return brute.value(self.hands, self.trump, self.leader, self.trick, *self._wishes)

    def card_values(self) -> dict[int, int]:
        """The answer after each legal card of the seat to move, by brute force."""
        return brute.card_values(self.hands, self.trump, self.leader, self.trick, *self._wishes)

    def __str__(self) -> str:
        position = notation.position_name(self.hands, self.trump, self.leader, self.trick)
        wish = "fewest" if self.fewest else "most"
        return f"{position}, side {notation.side_name(self.side, self.seats)}, {wish}"

    @property
    def _wishes(self) -> tuple[int, int]:
        return (brute.fewest if self.fewest else brute.most)(self.side, self.seats)


def all_combinations(hands: int | None = None) -> list[Combination]:
    """Every combination with that number of hands, or with 3 and 4 hands: 540, 2,240 or 2,780."""
    return [
        Combination(seats, side, trump, fewest, leader, played)
        for seats in ((3, 4) if hands is None else (hands,))
        for side in range(1, (1 << seats) - 1)
        for trump, fewest, leader, played in itertools.product(range(5), (False, True), range(seats), range(seats))
    ]


def random_ending(
    rng: random.Random,
    *,
    hands: int | None = None,
    cards: int | None = None,
    combination: Combination | None = None,
) -> Ending:
    """An ending of `cards` (1 to 6; default 3 to 5 at random) cards a hand at the start of the trick.

    Of the given combination, or else of one drawn at random, with that number of hands if `hands` is given.
    """
    if combination is None:
        combination = _random_combination(rng, rng.choice((3, 4)) if hands is None else hands)
    elif hands not in (None, combination.seats):
        raise ValueError(f"a combination of {combination.seats} hands, but hands={hands!r}")
    size = rng.randint(3, 5) if cards is None else cards
    held = _deal(rng, combination.seats, size)
    trick: list[int] = []
    for place in range(combination.played):
        card = rng.choice(brute.legal_cards(held, combination.leader, trick))
        held[(combination.leader + place) % combination.seats] ^= 1 << card
        trick.append(card)
    return Ending(
        tuple(held), combination.trump, combination.leader, tuple(trick), combination.side, combination.fewest
    )


def endings(seed: int, count: int, *, hands: int | None = None, cards: int | None = None) -> Iterator[Ending]:
    """`count` endings; each combination comes once before any comes twice, in an order drawn from the seed."""
    rng = random.Random(seed)
    combinations = all_combinations(hands)
    for number in range(count):
        place = number % len(combinations)
        if place == 0:
            rng.shuffle(combinations)
        yield random_ending(rng, cards=cards, combination=combinations[place])


def _random_combination(rng: random.Random, seats: int) -> Combination:
    return Combination(
        seats=seats,
        side=rng.randrange(1, (1 << seats) - 1),
        trump=rng.randrange(5),
        fewest=rng.random() < 0.5,
        leader=rng.randrange(seats),
        played=rng.randrange(seats),
    )


# ---- cards ----------------------------------------------------------------------------------------------------------


def _deal(rng: random.Random, seats: int, size: int) -> list[int]:
    """Hands of `size` cards from a deck and a way of dealing drawn at random."""
    if not (seats in (3, 4) and 1 <= size <= 6):
        raise ValueError(f"expected 3 or 4 hands of 1 to 6 cards, got {seats} hands of {size}")
    pick = rng.choice((_any_cards, _any_cards, _few_suits, _touching_cards))
    deal = rng.choice((_shuffled, _shuffled, _in_runs, _by_rank))
    return deal(rng, pick(rng, seats * size), seats)


def _any_cards(rng: random.Random, count: int) -> list[int]:
    return rng.sample(DECK, count)


def _few_suits(rng: random.Random, count: int) -> list[int]:
    """From as few suits as hold the cards, or one or two more."""
    suits = rng.sample(range(4), min(4, -(-count // 13) + rng.randrange(3)))
    return rng.sample([card for card in DECK if card >> 4 in suits], count)


def _touching_cards(rng: random.Random, count: int) -> list[int]:
    """A run of touching ranks, of random length and place, in each suit."""
    lengths = [0, 0, 0, 0]
    while sum(lengths) < count:
        suit = rng.randrange(4)
        lengths[suit] = min(13, lengths[suit] + rng.randint(1, count - sum(lengths)))
    cards = []
    for suit, length in enumerate(lengths):
        lowest = rng.randint(0, 13 - length)
        cards += [16 * suit + rank for rank in range(lowest, lowest + length)]
    return cards


def _shuffled(rng: random.Random, cards: list[int], seats: int) -> list[int]:
    return _cut(rng.sample(cards, len(cards)), seats)


def _in_runs(rng: random.Random, cards: list[int], seats: int) -> list[int]:
    """Neighbours in suit and rank go to the same hand, up to four at a time: runs in one hand, and voids."""
    room = [len(cards) // seats] * seats
    hands = [0] * seats
    left = sorted(cards)
    while left:
        seat = rng.choice([seat for seat in range(seats) if room[seat]])
        run = min(rng.randint(1, 4), room[seat])
        hands[seat] |= sum(1 << card for card in left[:run])
        room[seat] -= run
        del left[:run]
    return hands


def _by_rank(rng: random.Random, cards: list[int], seats: int) -> list[int]:
    """One hand gets the low cards, another the high ones, more or less."""
    blur = rng.choice((0.0, 2.0, 5.0))
    hands = _cut(sorted(cards, key=lambda card: ((card & 15) + rng.random() * blur, rng.random())), seats)
    return rng.sample(hands, seats)


def _cut(cards: list[int], seats: int) -> list[int]:
    size = len(cards) // seats
    return [sum(1 << card for card in cards[seat * size :][:size]) for seat in range(seats)]
