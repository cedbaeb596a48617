"""The reference itself: known tricks, a second implementation, and values found by other programs."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.brute import brute, notation, plain
from tests.brute.endings import random_ending

DATA = Path(__file__).parents[1] / "data"
SMALL_VECTORS: list[dict[str, Any]] = json.loads((DATA / "small_vectors.json").read_text(encoding="utf-8"))


def ask(deal: str, trump: str, leader: int, trick: str, counted: int, maxers: int) -> int:
    hands = notation.hands(deal)
    return brute.value(hands, notation.STRAINS.index(trump), leader, notation.cards(trick), counted, maxers)


# ---- tricks whose winner is plain to see --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "trump", "leader", "winner"),
    [
        ("K... A... Q...", "N", 0, 1),  # the highest card of the suit led
        ("K... .A.. Q...", "N", 0, 0),  # another suit does not win
        ("K... .2.. A...", "H", 0, 1),  # but a trump does
        ("K... .2.. .3..", "H", 0, 2),  # the highest trump of two
        ("2... .K.. .A..", "S", 1, 0),  # the last to play ruffs
        ("K... .2.. ..2. ...2", "C", 3, 3),  # trumps led
        ("...9 ...A ...T ...J", "N", 2, 1),  # four hands, leader in the middle
    ],
)
def test_last_trick(deal: str, trump: str, leader: int, winner: int) -> None:
    seats = len(deal.split())
    for seat in range(seats):
        for objective in (brute.most, brute.fewest):
            taken = ask(deal, trump, leader, "", *objective(1 << seat, seats))
            assert taken == (seat == winner)


def test_must_follow_suit() -> None:
    # E would like to ruff SA with H2 and then make S3 as well, but has to play S3 now.
    assert ask("...2 3.2.. 2...3", "H", 0, "SA", *brute.most(0b010, 3)) == 1


def test_no_duty_to_trump() -> None:
    # E throws C3 on SA, and H2 goes under M's only card, H4.
    assert ask("...2 .2..3 4.4..", "H", 0, "SA", *brute.fewest(0b010, 3)) == 0


def test_empty_hands_take_nothing() -> None:
    assert brute.value([0, 0, 0], 4, 0, [], 0b111, 0b111) == 0


def test_full_trick_is_counted_for_its_winner() -> None:
    assert ask("2... 3... 4...", "N", 0, "SA SK SQ", 0b001, 0b001) == 1  # wins, then loses with S2
    assert ask("2... 3... 4...", "N", 0, "SK SA SQ", 0b001, 0b001) == 0


def test_finesse() -> None:
    # E's guarded K sits before S's A Q: two tricks if N leads, one if S has to.
    deal = "32... K4... AQ... .43.."
    assert ask(deal, "N", 0, "", 0b0101, 0b0101) == 2
    assert ask(deal, "N", 2, "", 0b0101, 0b0101) == 1


def test_counted_and_maxers_are_independent() -> None:
    # All want E's tricks to be many, or all want them few.
    deal = "A2... K3... QJ..."
    assert ask(deal, "N", 0, "", 0b010, 0b111) == 1
    assert ask(deal, "N", 0, "", 0b010, 0b000) == 0
    assert ask(deal, "N", 0, "", 0b111, 0b001) == 2
    assert ask(deal, "N", 0, "", 0b000, 0b001) == 0


# ---- against others -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [3, 4])
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_agrees_with_plain_python(hands: int, cards: int) -> None:
    rng = random.Random(1000 * hands + cards)
    for _ in range(100):
        ending = random_ending(rng, hands=hands, cards=cards)
        counted = rng.choice((ending.counted, rng.randrange(1 << hands)))
        maxers = rng.choice((ending.maxers, rng.randrange(1 << hands)))
        position = (ending.hands, ending.trump, ending.leader, ending.trick, counted, maxers)
        assert brute.value(*position) == plain.value(*position), str(ending)


@pytest.mark.parametrize("number", range(len(SMALL_VECTORS)))
def test_small_vectors(number: int) -> None:
    vector = SMALL_VECTORS[number]
    hands = [notation.hand(text) for text in vector["hands"]]
    seats, trump, leader = vector["players"], notation.STRAINS.index(vector["trump"]), vector["lead"]
    for seat in range(seats):
        most = brute.value(hands, trump, leader, [], *brute.most(1 << seat, seats))
        fewest = brute.value(hands, trump, leader, [], *brute.fewest(1 << seat, seats))
        assert (most, fewest) == (vector["solo_max"][seat], vector["solo_min"][seat])
    for pair, tricks in vector.get("pair_max", {}).items():
        side = sum(1 << int(seat) for seat in pair)
        assert brute.value(hands, trump, leader, [], *brute.most(side, seats)) == tricks


def test_small_vectors_are_all_there() -> None:
    assert len(SMALL_VECTORS) == 40


@pytest.mark.parametrize("name", ["fewest-301-016", "fewest-301-019", "fewest-301-022", "fewest-301-049"])
def test_fewest_tricks_of_eight_card_deals(name: str) -> None:
    lines = (DATA / "fewest_values.jsonl").read_text(encoding="utf-8").splitlines()
    row = next(row for row in map(json.loads, lines) if row["id"] == name)
    hands = notation.hands(row["deal"].removeprefix("D:"))
    trump, leader = notation.STRAINS.index(row["trump"]), "DEM".index(row["leader"])
    for seat, letter in enumerate("DEM"):
        assert brute.value(hands, trump, leader, [], *brute.fewest(1 << seat, 3)) == row["fewest"][letter]


# ---- properties ---------------------------------------------------------------------------------------------------


def test_best_card_value_is_the_value() -> None:
    rng = random.Random(7)
    for _ in range(100):
        ending = random_ending(rng, cards=4)
        wants_many = ending.maxers >> ending.mover & 1
        values = ending.card_values()
        assert ending.value() == (max if wants_many else min)(values.values()), str(ending)


def test_the_two_sides_share_the_tricks() -> None:
    rng = random.Random(8)
    for _ in range(100):
        ending = random_ending(rng, cards=4)
        everyone = (1 << ending.seats) - 1
        others = brute.value(
            ending.hands,
            ending.trump,
            ending.leader,
            ending.trick,
            everyone & ~ending.counted,
            everyone & ~ending.maxers,
        )
        assert ending.value() + others == ending.size, str(ending)


# ---- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "trump", "leader", "trick", "message"),
    [
        ((1, 2), 4, 0, (), "expected 3 or 4 hands"),
        ((1, 2, 4), 5, 0, (), "trump must be"),
        ((1, 2, 4), 4, 3, (), "leader must be"),
        ((1, 2, 4), 4, 0, (3, 4, 5, 6), "a trick has at most 3 cards"),
        ((1, 2, 1 << 13), 4, 0, (), "not a card"),
        ((1, 2, -4), 4, 0, (), "not a card"),
        ((1, 2, 4), 4, 0, (64,), "not a card"),
        ((1, 3, 4), 4, 0, (), "a card is there twice"),
        ((0, 2, 4), 4, 0, (1,), "a card is there twice"),
        ((1, 2, 12), 4, 0, (), "hands must be of one size"),
        ((1, 2, 4), 4, 0, (3,), "hands must be of one size"),
        ((0, 1, 2), 4, 0, (5, 17), "hands must be of one size"),
        ((1, 2, 12), 4, 0, (5, 17), "does not follow suit"),
    ],
)
def test_refuses_impossible_positions(
    hands: tuple[int, ...], trump: int, leader: int, trick: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        brute.value(hands, trump, leader, trick, 1, 1)


def test_refuses_seats_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="masks of 3 seats"):
        brute.value((1, 2, 4), 4, 0, (), 8, 1)


def test_says_so_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(brute.NoCompiler, match="need a C compiler"):
        brute._compiler()


def test_is_built_outside_the_tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    library = brute._built()
    assert library.parent == tmp_path / "tierce-tests"
    assert [path.name for path in library.parent.iterdir()] == [library.name]
    monkeypatch.setattr(subprocess, "run", None)  # the second time nothing is compiled
    assert brute._built() == library
