"""Positions: what is refused and how, the rules of play, tricks in progress, the end of a hand."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brute import brute
from tests.solver.support import playouts, position, position_of_row, repr_of, rows
from tierce.solver.cards import ALL_CARDS, NOTRUMP, card_names, mask_of, parse_card, parse_cards, parse_hand
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError
from tierce.solver.position import MAX_CARDS, Position

pytestmark = pytest.mark.small

HANDS = (parse_hand("A2..."), parse_hand(".A2.."), parse_hand("..A2."))


def refusal(*args: Any, **kwargs: Any) -> tuple[str, str | None, str]:
    with pytest.raises(InputError) as caught:
        Position(*args, **kwargs)
    return caught.value.code, caught.value.field, caught.value.message


def refused_play(start: Position, card: int) -> tuple[str, str | None, str]:
    with pytest.raises(InputError) as caught:
        start.play(card)
    return caught.value.code, caught.value.field, caught.value.message


# ---- what makes a position ------------------------------------------------------------------------------------------


def test_taken_is_none_unless_told() -> None:
    assert Position(HANDS, 4, 0).taken == (0, 0, 0)
    assert position("A... K... Q... J...").taken == (0, 0, 0, 0)
    assert Position(HANDS, 4, 0, taken=(3, 0, 1)).taken == (3, 0, 1)


def test_is_a_value() -> None:
    one, other = Position(HANDS, 4, 0), Position(HANDS, 4, 0, (), (0, 0, 0))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Position(HANDS, 4, 1)
    with pytest.raises(AttributeError):
        one.trump = 3  # type: ignore[misc]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_refuses_other_numbers_of_hands(count: int) -> None:
    hands = tuple(1 << card for card in range(count))
    assert refusal(hands, 4, 0) == ("position", "hands", f"expected 3 or 4 hands, found {count}")


@pytest.mark.parametrize("trump", [-1, 5, 16])
def test_refuses_unknown_trumps(trump: int) -> None:
    message = f"expected a trump from 0 (spades) to 4 (no trump), found {trump}"
    assert refusal(HANDS, trump, 0) == ("position", "trump", message)


@pytest.mark.parametrize(("count", "leader"), [(3, -1), (3, 3), (4, 4)])
def test_refuses_leaders_who_do_not_play(count: int, leader: int) -> None:
    hands = tuple(1 << card for card in range(count))
    message = f"expected a leader from 0 to {count - 1}, found {leader}"
    assert refusal(hands, 4, leader) == ("position", "leader", message)


@pytest.mark.parametrize("taken", [(1,), (1, 2), (0, 0, 0, 0), (0, -1, 0), (0, 0, MAX_CARDS + 1)])
def test_refuses_tricks_taken_by_others(taken: tuple[int, ...]) -> None:
    message = f"expected tricks taken by each of 3 seats, found {taken}"
    assert refusal(HANDS, 4, 0, taken=taken) == ("position", "taken", message)


@pytest.mark.parametrize("hand", [1 << 13, 1 << 31, 1 << 63, 1 << 64, 1 << 80, -1])
def test_refuses_hands_of_no_cards(hand: int) -> None:
    code, field, message = refusal((hand, 1, 2), 4, 0)
    assert (code, field) == ("position", "hands")
    assert message == f"expected hands of cards 16 * suit + rank, found {hand:#x}"


def test_refuses_a_card_in_two_hands() -> None:
    hands = (parse_hand("A2..."), parse_hand("A3..."), parse_hand("..A2."))
    assert refusal(hands, 4, 0) == ("duplicate_card", "hands", "expected every card once, found SA twice")


def test_refuses_a_card_on_the_table_and_in_a_hand() -> None:
    hands = (parse_hand("2..."), parse_hand("3.4.."), parse_hand(".A2.."))
    code, field, message = refusal(hands, 4, 0, (parse_card("HA"),))
    assert (code, field, message) == ("duplicate_card", "hands", "expected every card once, found HA twice")


def test_refuses_unequal_hands() -> None:
    hands = (parse_hand("A2..."), parse_hand(".A.."), parse_hand("..A2."))
    message = "expected equal hands when the trick began, found 2 cards with D and 1 with E"
    assert refusal(hands, 4, 0) == ("unequal_hands", "hands", message)


def test_counts_the_cards_on_the_table_as_their_players() -> None:
    assert position("2... 3.4.. 5.6..", trick="SA").left == 2
    with pytest.raises(InputError) as caught:
        position("2... 3... 5.6..", trick="SA")
    assert caught.value.code == "unequal_hands"
    assert caught.value.message == "expected equal hands when the trick began, found 2 cards with D and 1 with E"


@pytest.mark.parametrize("trick", [(12, 12), (13,), (63,), (64,), (-1,)])
def test_refuses_tricks_of_no_cards(trick: tuple[int, ...]) -> None:
    code, field, message = refusal(HANDS, 4, 0, trick)
    assert (code, field) == ("position", "trick")
    assert message == f"expected distinct cards on the table, found {trick!r}"


def test_refuses_a_full_trick() -> None:
    code, field, message = refusal(HANDS, 4, 0, parse_cards("SK SQ SJ"))
    assert (code, field) == ("position", "trick")
    assert message == "expected fewer cards on the table than hands, found 3"


def test_refuses_a_revoke_on_the_table() -> None:
    with pytest.raises(InputError) as caught:
        position(".2.. 3.4.. 5...", leader="M", trick="HA SK")
    error = caught.value
    assert (error.code, error.field) == ("illegal_card", "play")
    assert error.message == "expected D to follow hearts, found SK"


def test_a_whole_pack() -> None:
    hands = [parse_hand("." * suit + "AKQJT98765432" + "." * (3 - suit)) for suit in range(4)]
    assert Position(tuple(hands), 4, 0).left == 13
    # Three hands of one pack hold 17 cards at most, so the limit of the largest game cannot be passed.
    assert MAX_CARDS == 18


@pytest.mark.parametrize("found", [1.0, math.nan, True, "1", None, 10**5000], ids=repr_of)
def test_refuses_numbers_of_the_wrong_type(found: Any) -> None:
    for field, args in [
        ("hands", ((found, *HANDS[1:]), 4, 0)),
        ("trump", (HANDS, found, 0)),
        ("leader", (HANDS, 4, found)),
        ("trick", (HANDS, 4, 0, (found,))),
        ("taken", (HANDS, 4, 0, (), (0, found, 0))),
    ]:
        code, named, message = refusal(*args)
        assert (code, named) == ("position", field)
        assert message.startswith("expected ")
        assert ", found " in message
    assert refused_play(Position(HANDS, 4, 0), found)[:2] == ("illegal_card", "play")


@pytest.mark.parametrize("found", [None, 7, "A2... K3... Q4...", b"123", 1.5])
def test_refuses_what_is_no_sequence(found: Any) -> None:
    message = f"expected a sequence of numbers, found {found!r}"
    assert refusal(found, 4, 0) == ("position", "hands", message)
    assert refusal(HANDS, 4, 0, found) == ("position", "trick", message)
    assert refusal(HANDS, 4, 0, (), found) == ("position", "taken", message)


def test_keeps_sequences_as_tuples() -> None:
    """A value does not change with the lists it was made from."""
    hands: Any = [1 << 1 | 1 << 4, 1 << 16, 1 << 17]
    trick: Any = [12, 11]
    taken: Any = [0, 1, 2]
    at = Position(hands, 4, 1, trick, taken)
    hands[0], taken[0] = 0, 5
    trick.append(3)
    kept = Position((1 << 1 | 1 << 4, 1 << 16, 1 << 17), 4, 1, (12, 11), (0, 1, 2))
    assert (at, hash(at)) == (kept, hash(kept))


# ---- the start of play ----------------------------------------------------------------------------------------------


def test_three_hands_begin_with_the_eldest() -> None:
    deal = Deal.parse("D:A2.K3.. .A2.K3. ..A2.K3")
    start = Position.start(deal, 2)
    assert (start.leader, start.mover, start.n, start.left, start.tricks) == (1, 1, 3, 4, 4)
    assert Position.start(deal, 2, 0).leader == 0


def test_four_hands_need_a_leader() -> None:
    deal = Deal.parse("N:A... K... Q... J...")
    with pytest.raises(InputError) as caught:
        Position.start(deal, 4)
    error = caught.value
    assert (error.code, error.field, error.message) == ("seat", "leader", "expected the seat that leads first")
    assert Position.start(deal, 4, 3).mover == 3


def test_start_plays_cards_in_order() -> None:
    deal = Deal.parse("D:A2.K3.. .A2.K3. ..A2.K3")
    after = Position.start(deal, NOTRUMP, play=parse_cards("HA DA HK DK"))
    # H A wins over H K: E leads again, and M may throw what he likes.
    assert after.taken == (0, 1, 0)
    assert after.leader == 1
    assert after.trick == (parse_card("DK"),)
    assert after.mover == 2


def test_start_says_which_card_is_illegal() -> None:
    deal = Deal.parse("D:A2.K3.. .A2.K3. ..A2.K3")
    with pytest.raises(InputError) as caught:
        Position.start(deal, NOTRUMP, play=parse_cards("HA DA SA"))
    error = caught.value
    assert (error.code, error.field) == ("illegal_card", "play")
    assert error.message == "card 3 of the play: expected D to follow hearts, found SA"


def test_seventeen_cards_a_hand() -> None:
    row = rows("three_hand_floors.jsonl")[40]
    start = position_of_row(row)
    assert [hand.bit_count() for hand in start.hands] == [17, 17, 17]
    assert (start.left, start.tricks, start.in_play.bit_count()) == (17, 17, 51)
    numbers = iter(random.Random(17).choices(range(1000), k=51))
    last = list(playouts(start, numbers))[-1]
    assert sum(last.taken) == 17
    assert last.in_play == 0


# ---- rules of play --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "leader", "trick", "legal"),
    [
        ("A2.3.. K4.5.. Q6.7..", "D", "", "SA S2 H3"),  # the leader plays what he likes
        ("A2.3.. K4.5.. 6.7..", "M", "SQ", "SA S2"),  # follow suit
        (".A2.3. K4.5.. 6.7..", "M", "SQ", "HA H2 D3"),  # void: anything, no duty to trump
        ("2.3.. 74... .5..", "M", "SQ", "S2"),
        ("6.3.. K4.4.. .5.9.", "M", "SQ S2", "SK S4"),  # the third player follows the lead, not the second card
        (".6.3. K4.4.. .5.9.", "M", "SQ H2", "SK S4"),
    ],
)
def test_legal_cards(hands: str, leader: str, trick: str, legal: str) -> None:
    assert card_names(position(hands, "H", leader, trick).legal()) == legal


def test_refuses_a_card_not_held() -> None:
    start = Position(HANDS, 4, 0)
    assert refused_play(start, parse_card("HA")) == ("illegal_card", "play", "expected a card that D holds, found HA")
    assert refused_play(start, parse_card("SK"))[2] == "expected a card that D holds, found SK"


@pytest.mark.parametrize("card", [-1, 13, 63, 64, 1000])
def test_refuses_what_is_no_card(card: int) -> None:
    message = f"expected a card that D holds, found {card}"
    assert refused_play(Position(HANDS, 4, 0), card) == ("illegal_card", "play", message)


def test_refuses_a_revoke() -> None:
    led = position("A2... K.4.. .5..", leader="M", trick="S9").play(parse_card("S2"))
    found = refused_play(led, parse_card("H4"))
    assert found == ("illegal_card", "play", "expected E to follow spades, found H4")


def test_refuses_cards_after_the_end() -> None:
    over = position("A... K... Q...").play(12).play(11).play(10)
    assert refused_play(over, 12) == ("illegal_card", "play", "expected no more cards, found SA: the hand is over")
    assert refused_play(over, 99)[2] == "expected no more cards, found 99: the hand is over"


@pytest.mark.parametrize(
    ("hands", "trump", "leader", "winner"),
    [
        ("K... A... Q...", "N", "D", 1),  # the highest card of the suit led
        ("K... .A.. Q...", "N", "D", 0),  # another suit does not win
        ("K... .2.. A...", "H", "D", 1),  # but a trump does
        ("K... .2.. .3..", "H", "D", 2),  # the highest trump of two
        ("K... .3.. .2..", "H", "D", 1),
        ("2... .K.. .A..", "S", "E", 0),  # the last to play ruffs
        ("...9 ...A ...T ...J", "N", "S", 1),  # four hands, leader in the middle
        ("A... .2.. K... ..A.", "H", "W", 1),
    ],
)
def test_who_wins(hands: str, trump: str, leader: str, winner: int) -> None:
    at = position(hands, trump, leader)
    for _ in range(at.n):
        at = at.play(at.legal().bit_length() - 1)
    assert at.leader == at.mover == winner
    assert at.taken == tuple(int(seat == winner) for seat in range(at.n))
    assert at.trick == ()
    assert at.left == 0
    assert at.tricks == 1


def test_tricks_taken_before_count() -> None:
    at = Position(HANDS, 4, 0, taken=(3, 0, 1))
    assert (at.left, at.tricks) == (2, 6)
    for card in parse_cards("SA HA DA"):
        at = at.play(card)
    assert at.taken == (4, 0, 1)
    assert (at.left, at.tricks) == (1, 6)


def test_a_trick_in_progress() -> None:
    at = position("2... 3.4.. 5.6..", "H", trick="SA", taken=(1, 0, 0))
    assert (at.mover, at.left, at.tricks) == (1, 2, 3)
    assert card_names(at.legal()) == "S3"
    assert card_names(at.in_play) == "SA S5 S3 S2 H6 H4"


def test_play_leaves_the_position_as_it_was() -> None:
    start = Position(HANDS, 4, 0)
    start.play(12)
    assert start == Position(HANDS, 4, 0)


def test_an_empty_hand_is_over() -> None:
    over = Position((0, 0, 0), 4, 2, taken=(1, 2, 3))
    assert (over.left, over.tricks, over.legal(), over.in_play) == (0, 6, 0, 0)


# ---- any playout ----------------------------------------------------------------------------------------------------


@st.composite
def starts(draw: st.DrawFn) -> Position:
    n = draw(st.sampled_from((3, 4)))
    size = draw(st.integers(1, 17 if n == 3 else 13))
    pack = [card for card in range(64) if ALL_CARDS >> card & 1]
    cards = draw(st.randoms(use_true_random=False)).sample(pack, n * size)
    hands = tuple(mask_of(cards[i * size : (i + 1) * size]) for i in range(n))
    taken = draw(st.sampled_from(((), tuple(range(n)))))
    return Position(hands, draw(st.integers(0, 4)), draw(st.integers(0, n - 1)), (), taken)


@given(starts(), st.integers(0, 2**32))
def test_any_legal_playout_keeps_the_invariants(start: Position, seed: int) -> None:
    rng = random.Random(seed)
    numbers = (rng.randrange(1 << 20) for _ in itertools.count())
    before = None
    for at in playouts(start, numbers):
        # what play() leads to without a check is what the checks accept
        assert at == Position(at.hands, at.trump, at.leader, at.trick, at.taken)
        brute.check_position(at.hands, at.trump, at.leader, at.trick)
        assert at.tricks == start.tricks
        assert at.in_play.bit_count() == sum(hand.bit_count() for hand in at.hands) + len(at.trick)
        assert sorted(brute.cards_of(at.legal())) == sorted(brute.legal_cards(at.hands, at.leader, at.trick))
        assert (at.legal() == 0) == (at.left == 0)
        assert at.mover == (at.leader + len(at.trick)) % at.n
        if before is not None:
            assert before.in_play & at.in_play == at.in_play
            assert sum(at.taken) - sum(before.taken) == (at.trick == ())
        before = at
    assert before is not None
    assert before.in_play == 0
    assert sum(before.taken) == start.tricks


@given(starts(), st.integers(0, 2**32))
def test_what_is_not_legal_is_refused(start: Position, seed: int) -> None:
    rng = random.Random(seed)
    positions = list(playouts(start, (rng.randrange(1 << 20) for _ in itertools.count())))
    at = rng.choice(positions)
    card = rng.randrange(-2, 70)
    if card in range(64) and at.legal() >> card & 1:
        assert at.play(card).in_play | at.in_play == at.in_play
    else:
        assert refused_play(at, card)[:2] == ("illegal_card", "play")
