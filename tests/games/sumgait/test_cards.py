"""The 54 cards in and out of text, and the deal."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.sumgait.support import mask
from tierce.solver.cards import ALL_CARDS, mask_of
from tierce.solver.errors import InputError
from tierce.solver.games.sumgait import ALL54, J1, J2, Dealt, random_deal, random_pile
from tierce.solver.games.sumgait.cards import (
    KINGS,
    QUEENS,
    SEVENS,
    card_name,
    card_names,
    cards_of,
    format_hand,
    is_joker,
    is_seven,
    parse_card,
    parse_cards,
    parse_hand,
    suit_mask,
    suit_of,
)

sets = st.sets(st.sampled_from(cards_of(ALL54)))


def test_the_pack() -> None:
    assert (J1, J2) == (61, 62)
    assert len(cards_of(ALL54)) == ALL54.bit_count() == 54
    assert [card_name(card) for card in cards_of(ALL54 & ~ALL_CARDS)] == ["J1", "J2"]
    assert card_names(SEVENS | KINGS | QUEENS) == "SK SQ S7 HK HQ H7 DK DQ D7 CK CQ C7"
    assert [card for card in cards_of(ALL54) if is_joker(card)] == [J1, J2]
    assert mask_of(card for card in cards_of(ALL54) if is_seven(card)) == SEVENS
    assert [suit_mask(suit).bit_count() for suit in range(5)] == [13, 13, 13, 13, 2]
    assert all(suit_mask(suit_of(card)) >> card & 1 for card in cards_of(ALL54))


@given(sets)
def test_round_trips(cards: set[int]) -> None:
    held = mask_of(cards)
    assert parse_hand(format_hand(held)) == held
    assert format_hand(held).count(".") == (4 if held & ~ALL_CARDS else 3)
    assert parse_cards(card_names(held)) == cards_of(held)
    assert parse_cards("".join(map(card_name, cards_of(held)))) == cards_of(held)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AK.QJ.T9.87.J1J2", "SA SK HQ HJ DT D9 C8 C7 J1 J2"),
        ("ak.qj.10 9.87.j2", "SA SK HQ HJ DT D9 C8 C7 J2"),
        ("AJ2...", "SA SJ S2"),
        ("-.-.-.A.-", "CA"),
        ("....J1, J2", "J1 J2"),
    ],
)
def test_hands(text: str, cards: str) -> None:
    assert parse_hand(text.replace("10 9", "109")) == mask(cards)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AK.QJ.T9.87.J1J1", "each card once"),
        ("AK.QJ.T9.87.J3", "the jokers J1 J2"),
        ("AK.QJ.T9.87.J1J2.", "four suits"),
        ("AK.QJ.T9.877.J1", "'C7' twice"),
        ("A.J1...", "the joker 'J1'"),
        ("A.K.Q.J1", "jokers in a field of their own behind the clubs, as in AK.QJ.T9.87.J1J2, found the joker 'J1'"),
        ("", "a hand"),
    ],
)
def test_hands_refused(text: str, expected: str) -> None:
    with pytest.raises(InputError, match="expected") as refused:
        parse_hand(text)
    assert expected in refused.value.message


@pytest.mark.parametrize("text", ["J3", "JOKER", "J", "1J", "", "S1"])
def test_cards_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        parse_card(text)
    with pytest.raises(InputError, match="'J1' twice"):
        parse_cards("J1 SA J1")


@pytest.mark.parametrize("text", ["J", "JJ", "J3", "j0", "Jo", "BJ", "RJ", "joker1", "Joker 2", "J1 J2"])
def test_what_looks_like_a_joker_is_told_their_names(text: str) -> None:
    with pytest.raises(InputError, match=f"expected J1 or J2 for a joker, found '{text}'"):
        parse_card(text)
    if " " not in text:
        with pytest.raises(InputError, match=f"expected J1 or J2 for a joker, found '{text}'"):
            parse_cards(f"SA {text}")


@given(st.text(alphabet="AKJ12.S -h0x", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (parse_card, parse_cards, parse_hand, Dealt.parse):
        try:
            reader(text)
        except InputError as error:
            assert error.message.startswith("expected")


# ---- deals -----------------------------------------------------------------------------------------------------------


def test_a_deal_of_a_seed() -> None:
    """By hand from the generator's description."""
    pack = list(cards_of(ALL54))
    stream = b"".join(hashlib.sha256(f"tierce-sumgait-1:3:0:deal:{block}".encode()).digest() for block in range(9))
    at = 0
    for last in range(53, 0, -1):
        while stream[at] >= 256 - 256 % (last + 1):
            at += 1
        other = stream[at] % (last + 1)
        at += 1
        pack[last], pack[other] = pack[other], pack[last]
    deal = random_deal(3)
    assert [mask_of(pack[:16]), mask_of(pack[16:32]), mask_of(pack[32:48])] == list(deal.hands)
    assert mask_of(pack[48:]) == deal.kitty


def test_deals_are_pinned() -> None:
    lines = "\n".join(str(random_deal(seed, index)) for seed in range(20) for index in range(20))
    piles = "\n".join(
        " ".join(map(card_name, random_pile(ALL54, seat, seed))) for seat in range(3) for seed in range(9)
    )
    digest = hashlib.sha256(f"{lines}\n{piles}".encode()).hexdigest()
    assert digest == "8d0b745b4f3bcc86afda532b59d1c2a5a6e0998b42c98a95092063a3c0aa661b"


@given(st.integers(0, 1 << 64), st.integers(0, 1000))
def test_deals(seed: int, index: int) -> None:
    deal = random_deal(seed, index)
    assert Dealt.parse(str(deal)) == deal
    assert deal.hands[0] | deal.hands[1] | deal.hands[2] | deal.kitty == ALL54
    assert mask_of(random_pile(deal.hands[1], 1, seed, index)) == deal.hands[1]
    assert len(random_pile(deal.hands[1], 1, seed, index)) == 16


def test_deals_refused() -> None:
    deal = random_deal(1)
    first, second, third = deal.hands
    for hands, kitty, expected in (
        ((first, second), deal.kitty, "three hands"),
        ((first, second, second), deal.kitty, "twice, with the next player and with the other player"),
        ((first, second, third), mask_of(cards_of(third)[:6]), "twice, with the other player and in the kitty"),
        ((first | deal.kitty, second, third), 0, "16 cards for the declarer"),
        ((first, second, third), 0, "6 cards for the kitty"),
        ((first, second, third), 1 << 63, "sets of the 54 cards"),
        (("a", "b", "c"), 0, "sets of the 54 cards"),
        (None, 0, "three hands"),
    ):
        with pytest.raises(InputError, match="expected") as refused:
            Dealt(hands, kitty)  # type: ignore[arg-type]
        assert expected in refused.value.message and refused.value.field == "deal"
    for text in ("", "D:", str(deal)[2:], str(deal).replace("D:", "E:"), str(deal).partition("/")[0], f"{deal} x"):
        with pytest.raises(InputError, match="expected"):
            Dealt.parse(text)
    for seed in (-1, 1.5, True, "3"):
        with pytest.raises(InputError, match="0 or more"):
            random_deal(seed)  # type: ignore[arg-type]
