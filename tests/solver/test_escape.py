"""Fewest tricks, one seat that can hope to take none: the bound of solver/search/escape.pxd.

Random endings seldom reach it with a hand worth the name, so here the seat is dealt low cards, and the endings are
asked both with the window that stands on the bound alone (none, or at least one?) and in full.
"""

from __future__ import annotations

import random

import pytest

from tests.brute import brute
from tests.brute.class_members import ProofRecord, check_members
from tests.solver.support import builds
from tierce.solver.position import Position
from tierce.solver.query import pack
from tierce.solver.search import RESULT, Engine

NO_TRUMP = 4
FULL, SMALL = 1 << 20, 0  # bytes of table; the smallest keeps 64 escapes and is emptied all the time


def low_hands(rng: random.Random, seats: int, cards: int, seat: int) -> tuple[int, ...]:
    """Hands of which one has low cards, lower or less so, from a deck of 5 to 13 ranks."""
    ranks = rng.randrange(-(-seats * cards // 4), 14)
    deck = [16 * suit + rank for suit in range(4) for rank in range(ranks)]
    noise = rng.choice([2, 4, 8])
    deck.sort(key=lambda card: card % 16 + noise * rng.random())
    held, rest = deck[:cards], deck[cards:]
    rng.shuffle(rest)
    hands = [held if each == seat else [rest.pop() for _ in range(cards)] for each in range(seats)]
    return tuple(sum(1 << card for card in hand) for hand in hands)


def ask(engine: Engine, position: Position, seat: int, *, low: int = 0, high: int | None = None) -> int:
    request = pack(position, 1 << seat, "fewest", low=low, high=high)
    found: int = RESULT.unpack(engine.run(request, cold=True))[0]
    return found


def check(rng: random.Random, cards: int, count: int, table_bytes: int) -> tuple[int, int]:
    """How many of the seats escaped, and how many were caught."""
    escaped = caught = 0
    for number in range(count):
        seats = 3 + number % 2
        seat, leader = rng.randrange(seats), rng.randrange(seats)
        hands = low_hands(rng, seats, cards, seat)
        counted, maxers = brute.fewest(1 << seat, seats)
        value = brute.value(hands, NO_TRUMP, leader, (), counted, maxers)
        for name, build in builds().items():
            engine = build(table_bytes)
            position = Position(hands, NO_TRUMP, leader)
            assert ask(engine, position, seat, high=1) == min(value, 1), (name, str(position), seat)
            assert ask(engine, position, seat) == value, (name, str(position), seat)
        escaped += value == 0
        caught += value > 0
    return escaped, caught


@pytest.mark.small
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_low_hands(cards: int) -> None:
    escaped, caught = check(random.Random(10 * cards), cards, 400, FULL)
    assert escaped > 20
    assert caught > 20


def test_longer_low_hands() -> None:
    escaped, caught = check(random.Random(5), 5, 300, FULL)
    assert escaped > 20
    assert caught > 20


def test_low_hands_with_the_smallest_table() -> None:
    check(random.Random(50), 5, 150, SMALL)


def test_a_full_table_gives_the_same_answers() -> None:
    """Longer than brute force allows: the smallest table against a large one."""
    rng = random.Random(60)
    small, large = Engine(SMALL), Engine(8 * FULL)
    answers = set()
    for number in range(40):
        seats = 3 + number % 2
        seat = rng.randrange(seats)
        position = Position(low_hands(rng, seats, 9, seat), NO_TRUMP, rng.randrange(seats))
        found = ask(large, position, seat, high=1)
        assert ask(small, position, seat, high=1) == found, (str(position), seat)
        answers.add(found)
    assert answers == {0, 1}


def test_entries_serve_later_questions() -> None:
    """One table, never emptied: an entry holds for better positions than its own, and only for those."""
    rng = random.Random(70)
    for seats, seat in ((3, 0), (3, 2), (4, 1)):
        engine = Engine(FULL)
        counted, maxers = brute.fewest(1 << seat, seats)
        for _ in range(400):
            hands, leader = low_hands(rng, seats, 4, seat), rng.randrange(seats)
            request = pack(Position(hands, NO_TRUMP, leader), 1 << seat, "fewest", low=0, high=1)
            found = RESULT.unpack(engine.run(request, cold=False))[0]
            assert found == min(1, brute.value(hands, NO_TRUMP, leader, (), counted, maxers)), (hands, leader)


def test_every_proof_holds_for_its_class() -> None:
    rng = random.Random(80)
    tried = 0
    for number in range(150):
        seats = 3 + number % 2
        seat = rng.randrange(seats)
        position = Position(low_hands(rng, seats, 4, seat), NO_TRUMP, rng.randrange(seats))
        counted, maxers = brute.fewest(1 << seat, seats)
        engine = list(builds().values())[number % len(builds())](FULL)
        _, found = engine.trace(pack(position, 1 << seat, "fewest"), 1 << 12)
        for hands, leader, trick, need, answer, relevant in rng.sample(found, min(25, len(found))):
            proof = ProofRecord(
                hands=hands,
                leader=leader,
                trick=trick,
                trump=NO_TRUMP,
                counted=counted,
                maxers=maxers,
                need=need,
                answer=answer,
                relevant=relevant,
            )
            assert not check_members(proof, rng, 4)
            tried += 1
    assert tried > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_low_hands(seed: int) -> None:
    rng = random.Random(1_000 + seed)
    for cards in (3, 4, 5, 6):
        check(rng, cards, 400, rng.choice([FULL, SMALL]))
