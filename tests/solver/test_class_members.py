"""Every proof of a search holds for the whole class of positions it speaks of.

A relevant set that is too small stays unseen until a table hit is wrong. Here the engine's proofs are taken one by one,
at starts of tricks and inside them, and tried on random members of their class by brute force.
"""

from __future__ import annotations

import random

import pytest

from tests.brute.class_members import ProofRecord, check_members
from tests.brute.endings import Combination, Ending, random_ending
from tests.solver.support import builds, objective_of, position_of
from tierce.solver.query import pack
from tierce.solver.search import Engine

TABLE = 1 << 20  # bytes
PROOFS = 1 << 14  # of a search at most


def splits(hands: int) -> list[tuple[int, bool]]:
    """Every side with either objective."""
    return [(side, fewest) for side in range(1, (1 << hands) - 1) for fewest in (False, True)]


def proofs(ending: Ending, engine: Engine) -> list[ProofRecord]:
    request = pack(position_of(ending), ending.side, objective_of(ending))
    _, found = engine.trace(request, PROOFS)
    return [
        ProofRecord(
            hands=hands,
            leader=leader,
            trick=trick,
            trump=ending.trump,
            counted=ending.counted,
            maxers=ending.maxers,
            need=need,
            answer=answer,
            relevant=relevant,
        )
        for hands, leader, trick, need, answer, relevant in found
    ]


def check(rng: random.Random, hands: int, cards: int, count: int, engines: list[Engine], most: int) -> int:
    """Proofs of `count` endings for each split and objective; how many were tried."""
    tried = 0
    for side, fewest in splits(hands):
        for number in range(count):
            combination = Combination(
                hands, side, rng.randrange(5), fewest, rng.randrange(hands), rng.randrange(hands) if number % 4 else 0
            )
            ending = random_ending(rng, cards=cards, combination=combination)
            engine = engines[number % len(engines)]
            records = proofs(ending, engine)
            # The last proofs cover most, and there are few of them.
            kept = records if len(records) <= most else [*rng.sample(records[:-8], most - 8), *records[-8:]]
            for record in kept:
                for wrong in check_members(record, rng, 4):
                    pytest.fail(f"{ending}\n{wrong}")
            tried += len(kept)
    return tried


def engines() -> list[Engine]:
    """One of every build that runs here."""
    return [engine(TABLE) for engine in builds().values()]


@pytest.mark.small
@pytest.mark.parametrize("hands", [3, 4])
@pytest.mark.parametrize(("cards", "count", "most"), [(2, 8, 40), (3, 4, 40)])
def test_proofs_of_short_endings(hands: int, cards: int, count: int, most: int) -> None:
    assert check(random.Random(cards), hands, cards, count, engines(), most) > 100


@pytest.mark.parametrize("hands", [3, 4])
@pytest.mark.parametrize(("cards", "count", "most"), [(4, 4, 60), (5, 3, 60)])
def test_proofs_of_longer_endings(hands: int, cards: int, count: int, most: int) -> None:
    assert check(random.Random(cards), hands, cards, count, engines(), most) > 500


@pytest.mark.slow
@pytest.mark.parametrize("hands", [3, 4])
@pytest.mark.parametrize(("cards", "count", "most"), [(3, 40, 200), (4, 16, 200), (5, 4, 200)])
@pytest.mark.parametrize("seed", range(3))
def test_proofs_of_many_endings(hands: int, cards: int, count: int, most: int, seed: int) -> None:
    check(random.Random(100 * seed + cards), hands, cards, count, engines(), most)
