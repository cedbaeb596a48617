"""Does a proof hold for all the positions it speaks of? Checked by brute force.

A partition search answers "do the counted seats take at least `need` more tricks?" for a whole class of positions,
given by the position searched and the set of `relevant` cards, those whose rank mattered. In each suit the lowest
relevant card is the cut; without one the cut lies above the ace. The class:

    at or above the cut    every card keeps its owner
    below the cut          the cards in the hands ("x" cards) may change hands; each hand keeps its number of cards
                           in the suit, but which x cards it has does not matter
    on the table           the cards of the trick in progress stay what they are, wherever the cut is

A relevant set that is too small shows up nowhere but here, until a table hit is wrong. `check_members` draws members
of the class at random and returns those for which the answer is another.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.brute import brute, notation


@dataclass(frozen=True, slots=True)
class ProofRecord:
    """What a search claims at a node: `answer` says whether the counted seats take `need` or more tricks from here
    (the trick in progress included), for every position of the class that `relevant` cuts out."""

    hands: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]
    trump: int
    counted: int
    maxers: int
    need: int
    answer: bool
    relevant: int


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A member of the record's class, with its true value, for which the record's answer is wrong."""

    record: ProofRecord
    hands: tuple[int, ...]
    value: int

    def __str__(self) -> str:
        record = self.record
        seats = len(record.hands)
        shown = {
            "proved for": notation.position_name(record.hands, record.trump, record.leader, record.trick),
            "not true of": notation.position_name(self.hands, record.trump, record.leader, record.trick),
            "counted": notation.side_name(record.counted, seats),
            "maxers": notation.side_name(record.maxers, seats),
            "claim": f"value {'>=' if record.answer else '<'} {record.need}, but it is {self.value}",
            "relevant": " ".join(map(notation.card_name, brute.cards_of(record.relevant))) or "none",
        }
        return "\n".join(f"{label}: {text}" for label, text in shown.items())


def check_members(record: ProofRecord, rng: random.Random, tries: int) -> list[Counterexample]:
    """The distinct counterexamples among the record's own position and `tries` random members of its class."""
    members = {record.hands: None} | {random_member(record, rng): None for _ in range(tries)}
    wrong = []
    for hands in members:
        value = brute.value(hands, record.trump, record.leader, record.trick, record.counted, record.maxers)
        if (value >= record.need) != record.answer:
            wrong.append(Counterexample(record, hands, value))
    return wrong


def random_member(record: ProofRecord, rng: random.Random) -> tuple[int, ...]:
    """The hands of a random member of the class, each member equally likely."""
    hands = [0] * len(record.hands)
    for suit in range(4):
        x_cards = x_cards_of(record.relevant, suit)
        for seat, held in enumerate(shuffled(record.hands, x_cards, rng)):
            hands[seat] |= held & brute.SUIT << 16 * suit
    return tuple(hands)


def x_cards_of(relevant: int, suit: int) -> int:
    """The cards of the suit below its lowest relevant card; all its cards if none is relevant."""
    lane = relevant & brute.SUIT << 16 * suit
    lowest = lane & -lane
    below = lowest - 1 if lane else -1
    return below & brute.SUIT << 16 * suit


def shuffled(hands: Sequence[int], x_cards: int, rng: random.Random) -> list[int]:
    """The hands with the cards of `x_cards` that they hold shuffled among them, each keeping its number."""
    pool = [card for hand in hands for card in brute.cards_of(hand & x_cards)]
    rng.shuffle(pool)
    result = []
    for hand in hands:
        count = (hand & x_cards).bit_count()
        result.append(hand & ~x_cards | sum(1 << card for card in pool[:count]))
        del pool[:count]
    return result
