"""Values of a side: what a result says, tricks taken, one-card hands, finished hands, relevant cards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.solver.support import OBJECTIVES, TWO_EACH, fault, position, questions
from tierce.solver.cards import LANE, SUITS, cards_of, mask_of, parse_cards
from tierce.solver.position import Position
from tierce.solver.query import taken_by
from tierce.solver.results import Objective
from tierce.solver.solve import best_line, card_values, floors, solve


@pytest.mark.small
def test_a_deal_that_is_plain_to_see() -> None:
    result = solve(TWO_EACH, "D")
    assert (result.tricks, result.low, result.high, result.complete) == (1, 1, 1, True)
    assert (result.kind, result.name, result.taken, result.stop) == ("floor", "D", 0, 0)
    assert solve(TWO_EACH, "EM").tricks == 1
    assert floors(TWO_EACH).tricks == {"D": 1, "E": 1, "M": 0}
    assert best_line(TWO_EACH, "D") == parse_cards("S2 S3 S4 SQ SA SK")


@pytest.mark.parametrize(
    ("hands", "side", "objective", "kind"),
    [
        (3, "D", "most", "floor"),
        (3, "DE", "most", "side"),
        (3, "M", "fewest", "cap"),
        (3, "EM", "fewest", "side"),
        (4, "NS", "most", "side"),
        (4, "N", "most", "side"),
        (4, "N", "fewest", "cap"),
        (4, "NES", "fewest", "side"),
    ],
)
def test_results_say_what_they_are(hands: int, side: str, objective: Objective, kind: str) -> None:
    at = position("A... K... Q... J..." if hands == 4 else "A... K... Q...")
    result = solve(at, side, objective)
    assert (result.kind, result.name, result.n, result.objective) == (kind, side, hands, objective)


def test_sides_may_be_letters_or_masks() -> None:
    at = position("A2... K3... Q4... J5...")
    assert solve(at, "sn").side == solve(at, 0b0101).side == solve(at).side == 0b0101
    assert solve(at, "WN").name == "NW"


@pytest.mark.small
def test_tricks_taken_count() -> None:
    for at, side, objective in questions(1, 200, 3):
        bare = solve(replace(at, taken=()), side, objective, table_mb=1)
        result = solve(at, side, objective, table_mb=1)
        assert result.taken == taken_by(at, side)
        assert result.tricks == bare.tricks + result.taken
        assert (result.nodes, result.relevant) == (bare.nodes, bare.relevant)


@pytest.mark.small
def test_a_side_and_the_others_share_the_tricks() -> None:
    for at, side, objective in questions(2, 200, 4):
        others = (1 << at.n) - 1 & ~side
        found = solve(at, side, objective, table_mb=1).tricks + solve(at, others, objective, table_mb=1).tricks
        assert found == at.tricks


@pytest.mark.small
def test_hands_of_one_card() -> None:
    for at, side, objective in questions(3, 300, 1):
        end = at
        while end.left:
            end = end.play(end.legal().bit_length() - 1)
        assert solve(at, side, objective, table_mb=1).tricks == taken_by(end, side)


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_finished_hands(n: int, objective: Objective) -> None:
    over = Position((0,) * n, 4, 1, taken=tuple(range(1, n + 1)))
    result = solve(over, 0b10, objective)
    assert (result.tricks, result.taken, result.nodes, result.relevant, result.complete) == (2, 2, 0, 0, True)
    assert list(floors(over, objective).tricks.values()) == [*range(1, n + 1)]
    assert best_line(over, 0b10, objective) == ()
    assert fault(lambda: card_values(over, 0b10, objective)) == (
        "position",
        "play",
        "expected a player to move, found a hand that is over",
    )


def below_dealt_anew(at: Position, relevant: int, rng: random.Random) -> Position:
    """In each suit the cards in the hands below the lowest relevant one, dealt in another way of the same lengths."""
    hands = list(at.hands)
    for suit in SUITS:
        lane = LANE << 16 * suit
        low = lane & ((relevant & lane & -(relevant & lane)) - 1) if relevant & lane else lane
        cards = list(cards_of(sum(hand & low for hand in hands)))
        rng.shuffle(cards)
        for seat, hand in enumerate(hands):
            count = (hand & low).bit_count()
            hands[seat] = hand & ~low | mask_of(cards[:count])
            cards = cards[count:]
    return replace(at, hands=tuple(hands))


@pytest.mark.small
def test_relevant_cards_and_those_above_them_decide_the_value() -> None:
    rng, changed = random.Random(7), 0
    for at, side, objective in questions(7, 300):
        result = solve(at, side, objective, table_mb=1)
        for _ in range(3):
            other = below_dealt_anew(at, result.relevant, rng)
            changed += other != at
            assert solve(other, side, objective, table_mb=1).tricks == result.tricks, (at, other, side, objective)
    assert changed > 100


def test_relevant_cards_are_cards_of_the_position() -> None:
    for at, side, objective in questions(4, 200):
        result = solve(at, side, objective, table_mb=1)
        assert result.relevant & ~at.in_play == 0
        assert result.nodes >= (at.trick == ())
