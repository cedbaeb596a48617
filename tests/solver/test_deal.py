"""Deals: text in and out, the discard, and what each kind of bad deal says."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.solver.support import repr_of
from tierce.solver.cards import (
    ALL_CARDS,
    SEATS3,
    SEATS4,
    card,
    cards_of,
    format_hand,
    mask_of,
    parse_card,
    parse_cards,
    parse_hand,
    parse_seat,
    parse_side,
    parse_trump,
)
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError

THREE = "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
SEVENTEEN = "D:AKQJT98765432.AKQJ.. .T98765432.AKQJT987. ..65432.AKQJT9876543 / ...2"  # 3 x 17 and a card out of play
SMALL = "D:AK.Q.2. QJ.J.3. T9.T.4. / 8.9.."
FOUR = "N:AT9.2.J432.A9863 76432.4.KQ.QJT72 Q.KJ976.AT8765.5 KJ85.AQT853.9.K4"
PACK = [card(suit, rank) for suit in range(4) for rank in range(13)]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    hands = draw(st.sampled_from([3, 4]))
    size = draw(st.integers(1, 52 // hands))
    kitty = draw(st.integers(0, min(6, 52 - hands * size))) if hands == 3 else 0
    pack = draw(st.permutations(PACK))
    cut = [mask_of(pack[i * size : (i + 1) * size]) for i in range(hands)]
    return Deal(tuple(cut), mask_of(pack[hands * size : hands * size + kitty]))


def refused(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        Deal.parse(text)
    assert caught.value.field == "deal"
    return caught.value


@pytest.mark.parametrize("text", [THREE, SEVENTEEN, SMALL, FOUR, "D:A... K... Q...", "D:.A.. .K.. .Q.."])
def test_deal_text_round_trips(text: str) -> None:
    assert str(Deal.parse(text)) == text


@given(deals())
def test_every_deal_round_trips(deal: Deal) -> None:
    assert Deal.parse(str(deal)) == deal
    assert deal.seats == (SEATS3 if len(deal.hands) == 3 else SEATS4)
    assert deal.cards.bit_count() == deal.size * len(deal.hands) + deal.kitty.bit_count()


@given(deals(), st.integers(0, 3), st.booleans())
def test_any_first_seat(deal: Deal, turn: int, small: bool) -> None:
    turn %= len(deal.hands)
    hands = [format_hand(hand) for hand in deal.hands]
    text = f" {deal.seats[turn]} :  {'  '.join(hands[turn:] + hands[:turn])}\t"
    text += f"/{format_hand(deal.kitty)}\n" if deal.kitty else "\n"
    assert Deal.parse(text.lower() if small else text) == deal


def test_hands_go_to_their_seats() -> None:
    deal = Deal.parse("M:A... K... Q...")
    assert deal.hands == tuple(map(parse_hand, ("K...", "Q...", "A...")))
    assert Deal.parse("E:A... K... Q... J...").hands[1] == parse_hand("A...")
    assert Deal.parse("E:A... K... Q...").seats == "DEM"
    assert Deal.parse("D:10.-.-.- j... q...") == Deal.parse("D:T... J... Q...")
    assert Deal.parse("D:A... K... Q... / ...").kitty == 0


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "empty", "expected a deal such as 'D:<dealer> <eldest> <middle> / <kitty>'"),
        (" \t", "empty", "found"),
        ("hello", "deal_syntax", "found 'hello'"),
        ("X:A... K... Q...", "deal_syntax", "found 'X' before the colon"),
        (":A... K... Q...", "deal_syntax", "found '' before the colon"),
        ("D:A... K...", "deal_syntax", "expected 3 hands after 'D:', found 2"),
        ("D:A... K... Q... J...", "deal_syntax", "expected 3 hands after 'D:', found 4"),
        ("N:A... K... Q...", "deal_syntax", "expected 4 hands after 'N:', found 3"),
        ("E:A... K...", "deal_syntax", "expected 3 or 4 hands after 'E:', found 2"),
        ("D:A... K... Q... / J... / T...", "deal_syntax", "expected one '/' before the kitty, found 2"),
        ("D:A... K... Q... /", "deal_syntax", "expected the cards of the kitty after '/', found ''"),
        ("D:A... K... Q... / J... T...", "deal_syntax", "found 'J... T...'"),
        ("N:A... K... Q... J... / T...", "deal_syntax", "expected no kitty with four hands, found 'ST'"),
        ("N:A... K... - J...", "unknown_hand", "expected cards in hand S, found '-'"),
        ("D:AK... K2... Q3...", "duplicate_card", "expected each card once, found 'SK' in hand D and in hand E"),
        ("D:A... K... Q... / Q...", "duplicate_card", "found 'SQ' in hand M and in the kitty"),
        ("D:AA... K... Q...", "duplicate_card", "found 'SA' twice in the spades of hand D"),
        ("D:AK... QJ... T...", "unequal_hands", "expected 2 cards in every hand, found 1 in hand M, 1 too few"),
        ("D:AK... Q... J...", "unequal_hands", "expected 1 card in every hand, found 2 in hand D, 1 too many"),
        ("D:AKQ... JT... 9...", "unequal_hands", "expected hands of equal size, found D 3, E 2, M 1"),
        ("N:AK... QJ... T... 9...", "unequal_hands", "expected hands of equal size, found N 2, E 2, S 1, W 1"),
        ("D:... ... ...", "unequal_hands", "expected at least one card in every hand, found none"),
        ("D:AKQJT98765432A... K... Q...", "suit_overfull", "found 14 in the spades of hand D"),
        ("D:AY... K... Q...", "unknown_rank", "found 'Y' in the spades of hand D"),
        ("D:A.. K... Q...", "suit_fields", "found 3 in hand D: 'A..'"),
        ("D:A... K....J1 Q...", "joker", "found a fifth field (jokers) 'J1' in hand E"),
        ("D:A... K... QJ1...", "joker", "found the joker 'J1' in the spades of hand M"),
        ("D:A... K... Q... / 1...", "unknown_rank", "found '1' in the spades of the kitty"),
        ("D:A... K...\nQ...", "control_character", r"found '\n'"),
        ("D:A... K...\x00 Q...", "control_character", r"found '\x00'"),
        ("D:" + "A" * 10**6, "too_long", "of at most 1000 characters, found 1000002"),
    ],
)
def test_what_is_no_deal(text: str, code: str, says: str) -> None:
    error = refused(text)
    assert error.code == code
    assert says in error.message and len(error.message) < 300


@given(st.text() | st.text(alphabet="DEMNSW:AKQ2./- 10\n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        deal = Deal.parse(text)
    except InputError as error:
        assert error.field == "deal" and error.code
    else:
        assert Deal.parse(str(deal)) == deal


def test_hands_that_are_no_sets_of_cards() -> None:
    for hands in [(1, 2, 1 << 13), (1, 2, -4), (1, 2), (1, 2, 4, 8, 16), (1, 2, 1 << 80)]:
        with pytest.raises(InputError):
            Deal(hands)


# The discard


def test_the_dealer_takes_the_kitty_and_lays_away_the_discard() -> None:
    deal = Deal.parse(THREE)
    played = deal.with_discard(parse_hand(".87..Q4"))
    assert str(played) == "D:AQT985.KJ2.JT9852.A 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873"
    assert (deal.size, played.size, deal.discard_size, played.kitty) == (16, 16, 4, 0)


def test_small_packs_discard_too() -> None:
    deal = Deal.parse(SMALL)
    assert str(deal.with_discard(parse_hand("K..2."))) == "D:A8.Q9.. QJ.J.3. T9.T.4."
    one = Deal.parse("D:A... K... Q... / J...")
    assert one.discard_size == 1
    assert one.with_discard(parse_hand("A...")).hands[0] == parse_hand("J...")


@given(deals(), st.booleans(), st.randoms())
def test_any_discard_that_is_held(deal: Deal, kitty_first: bool, random: object) -> None:
    pool = cards_of(deal.hands[0] | (deal.kitty if kitty_first else 0))
    if deal.discard_size > len(pool) or not deal.discard_size:
        return
    discard = mask_of(pool[-deal.discard_size :])
    played = deal.with_discard(discard, kitty_first=kitty_first)
    assert played.hands[1:] == deal.hands[1:] and played.kitty == 0
    assert played.hands[0] | discard == deal.hands[0] | deal.kitty and not played.hands[0] & discard


def test_the_card_out_of_play() -> None:
    deal = Deal.parse(SEVENTEEN)
    assert deal.cards == ALL_CARDS and deal.discard_size == 0
    assert deal.with_discard(None) == deal.with_discard(0) == Deal(deal.hands)
    with pytest.raises(InputError, match="expected no discard in a deal with one card out of play, found 1: 'SA'"):
        deal.with_discard(parse_hand("A..."))


def test_a_deal_without_kitty_takes_no_discard() -> None:
    deal = Deal.parse(FOUR)
    assert deal.with_discard(None) == deal
    with pytest.raises(InputError, match="expected no discard in a deal with no kitty") as caught:
        deal.with_discard(parse_hand("A..."))
    assert caught.value.code == "discard_forbidden"


@pytest.mark.parametrize(
    ("discard", "kitty_first", "code", "says"),
    [
        (None, False, "discard_missing", "expected a discard of 4 cards, as many as the kitty has, found none"),
        ("A...", False, "discard_size", "expected a discard of 4 cards, as many as the kitty has, found 1: 'SA'"),
        ("A98..J.", False, "discard_not_held", "found 'S8' in the kitty (allowed only with kitty first)"),
        ("A98..J.", True, None, ""),
        ("AQT7...", True, "discard_not_held", "of the dealer's hand or the kitty, found 'S7' in hand E"),
        (
            "AQT7...",
            False,
            "discard_not_held",
            "discard not held: expected cards of the dealer's hand, found 'S7' in hand E",
        ),
    ],
)
def test_discards(discard: str | None, kitty_first: bool, code: str | None, says: str) -> None:
    deal = Deal.parse(THREE)
    mask = None if discard is None else parse_hand(discard)
    if code is None:
        assert deal.with_discard(mask, kitty_first=kitty_first).size == 16
        return
    with pytest.raises(InputError) as caught:
        deal.with_discard(mask, kitty_first=kitty_first)
    assert (caught.value.code, caught.value.field) == (code, "discard")
    assert says in caught.value.message


def test_a_discard_nobody_has() -> None:
    with pytest.raises(InputError, match="found 'CA' which nobody has"):
        Deal.parse(SMALL).with_discard(parse_hand("A...A"))


# ---- numbers and objects of the wrong type --------------------------------------------------------------------------


@pytest.mark.parametrize("found", [1.0, math.nan, True, "1", None, (1,), 10**5000, -1, 1 << 13], ids=repr_of)
def test_refuses_hands_of_the_wrong_type(found: Any) -> None:
    for hands, kitty in (((1, found, 4), 0), ((found, 1, 4), 0), ((1, 2, 4), found)):
        with pytest.raises(InputError) as caught:
            Deal(hands, kitty)
        assert (caught.value.code, caught.value.field) == ("card_syntax", "deal")
        assert ", found " in caught.value.message
    if found is not None:
        with pytest.raises(InputError) as caught:
            Deal.parse(SMALL).with_discard(found)
        assert (caught.value.code, caught.value.field) == ("card_syntax", "discard")


@pytest.mark.parametrize("found", [None, 7, "A... K... Q...", b"123"])
def test_refuses_what_is_no_sequence_of_hands(found: Any) -> None:
    with pytest.raises(InputError) as caught:
        Deal(found)
    assert caught.value.message == f"expected a sequence of 3 or 4 hands, found {found!r}"


def test_keeps_hands_as_a_tuple() -> None:
    hands: Any = [1, 2, 4]
    deal = Deal(hands)
    hands[0] = 8
    assert (deal, hash(deal)) == (Deal((1, 2, 4)), hash(Deal((1, 2, 4))))


@pytest.mark.parametrize("found", [None, 7, b"D:A... K... Q...", ["A..."]])
def test_what_is_no_text(found: Any) -> None:
    readers: list[Callable[[Any], object]] = [Deal.parse, parse_hand, parse_card, parse_cards, parse_trump]
    readers += [partial(parse_seat, hands=3), partial(parse_side, hands=3)]
    for read in readers:
        with pytest.raises(TypeError, match=r"^expected .*, found ") as caught:
            read(found)
        assert str(caught.value).endswith(repr(found))
