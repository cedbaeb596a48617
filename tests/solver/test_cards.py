"""Cards, hands, trumps, seats, sides: text in and out, and what each kind of bad text says."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tierce.solver import cards as c
from tierce.solver.errors import Cancelled, InputError, LimitReached, shown

CARDS = [c.card(suit, rank) for suit in c.SUITS for rank in range(13)]
SYMBOLS = {"S": "♠♤", "H": "♥♡", "D": "♦♢", "C": "♣♧"}

cards = st.sampled_from(CARDS)
hands = st.lists(cards, unique=True).map(c.mask_of)


def refused(read: Callable[..., Any], *args: Any, **kwargs: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(*args, **kwargs)
    return caught.value


def test_card_numbers() -> None:
    assert c.card(c.SPADES, 12) == 12 and c.card_name(12) == "SA"
    assert c.card(c.CLUBS, 0) == 48 and c.card_name(48) == "C2"
    assert [c.suit_of(c.parse_card(t)) for t in ("SA", "HA", "DA", "CA")] == [0, 1, 2, 3]
    assert c.rank_of(c.parse_card("HT")) == 8
    assert c.bit(17) == 1 << 17
    assert c.mask_of(CARDS) == c.ALL_CARDS and c.ALL_CARDS.bit_count() == 52


def test_cards_of_goes_by_suit_then_from_high_to_low() -> None:
    assert [c.card_name(x) for x in c.cards_of(c.mask_of(CARDS))] == [s + r for s in "SHDC" for r in "AKQJT98765432"]
    assert c.card_names(c.parse_hand("2A..T.K")) == "SA S2 DT CK"
    assert c.cards_of(0) == ()


@given(cards, st.booleans(), st.booleans(), st.booleans(), st.sampled_from([None, 0, 1]), st.sampled_from(["", " "]))
def test_every_spelling_of_a_card(card: int, swap: bool, small: bool, ten: bool, symbol: int | None, pad: str) -> None:
    suit, rank = tuple(c.card_name(card))
    rank = "10" if ten and rank == "T" else rank
    suit = suit if symbol is None else SYMBOLS[suit][symbol]
    text = pad + (rank + suit if swap else suit + rank) + pad
    assert c.parse_card(text.lower() if small else text) == card


def test_a_coloured_suit_symbol() -> None:
    assert c.parse_card("♠\ufe0fA") == c.parse_card("SA")
    assert c.parse_trump("♥\ufe0f") == c.HEARTS


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("XA", "unknown_suit", "expected a suit letter S H D C, found 'XA'"),
        ("X10", "unknown_suit", "expected a suit letter S H D C, found 'X10'"),
        ("S1", "unknown_rank", "expected a rank A K Q J T 9 8 7 6 5 4 3 2, found 'S1'"),
        ("0S", "unknown_rank", "found '0S'"),
        ("J1", "joker", "found the joker 'J1'"),
        ("j2", "joker", "found the joker 'j2'"),
        ("Joker", "joker", "found the joker 'Joker'"),
        ("", "empty", "expected a card such as SA, AS or 10h, found ''"),
        ("  ", "empty", "found '  '"),
        ("S", "card_syntax", "expected a card such as SA, AS or 10h, found 'S'"),
        ("SAH", "card_syntax", "found 'SAH'"),
        ("SS", "card_syntax", "found 'SS'"),
        ("S\x00A", "control_character", r"found '\x00'"),
        ("S\nA", "control_character", r"found '\n'"),
        ("A" * 5000, "too_long", "at most 1000 characters, found 5000: 'AAA"),
        ("\u017fA", "unknown_suit", "expected a suit letter"),
    ],
)
def test_what_is_no_card(text: str, code: str, says: str) -> None:
    error = refused(c.parse_card, text, field="lead")
    assert (error.code, error.field) == (code, "lead")
    assert says in error.message and len(error.message) < 200


def test_lists_of_cards() -> None:
    expected = tuple(map(c.parse_card, ("HK", "H2", "HT", "C3")))
    for text in ("HK H2 HT C3", "hk,h2,h10,c3", "HK, 2H , 10h\tC3", "HKH2H10C3", "KH2H10HC3", "HKH2 HTC3"):
        assert c.parse_cards(text) == expected
    assert c.parse_cards("") == c.parse_cards(" , ") == ()
    assert refused(c.parse_cards, "HK H2 KH", field="play").message.startswith("expected each card once, found 'HK'")
    assert refused(c.parse_cards, "HK H2 X3").code == "unknown_suit"
    assert refused(c.parse_cards, "HKH2X3").code == "card_syntax"
    assert refused(c.parse_cards, "HK\x07").code == "control_character"


@given(hands)
def test_a_hand_round_trips(mask: int) -> None:
    text = c.format_hand(mask)
    assert c.parse_hand(text) == mask
    assert c.format_hand(c.parse_hand(text.lower())) == text
    assert c.parse_hand(text.replace("T", "10")) == mask
    assert c.parse_hand(".".join(field[::-1] or "-" for field in text.split("."))) == mask
    assert c.mask_of(c.cards_of(mask)) == mask
    assert c.mask_of(c.parse_cards(c.card_names(mask))) == mask


@given(st.text(alphabet="AKQJT98765432akqjt10-. SHDCx*"))
def test_any_hand_text_is_read_or_refused(text: str) -> None:
    try:
        assert c.parse_hand(text) & ~c.ALL_CARDS == 0
    except InputError as error:
        assert error.code in {"empty", "joker", "suit_fields", "unknown_rank", "suit_overfull", "duplicate_card"}


def test_a_void_is_no_error() -> None:
    assert c.format_hand(c.parse_hand(".AK..")) == ".AK.."
    assert c.parse_hand("...") == 0
    assert c.parse_hand("-.ak.-.-") == c.parse_hand(".AK..")


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "empty", "expected a hand such as AKQ.T9..8765432, found ''"),
        ("AK", "suit_fields", "expected four suits S.H.D.C divided by dots, found 1 in 'AK'"),
        ("AK..", "suit_fields", "found 3 in 'AK..'"),
        ("A.K.Q.J.T.9", "suit_fields", "found 6"),
        ("AK.QJ.T9.87.J1J2", "joker", "found a fifth field (jokers) 'J1J2'"),
        ("AK.QJ.T9.87.", "joker", "found a fifth field (jokers) ''"),
        ("AKJ1.QJ.T9.87", "joker", "found the joker 'J1' in the spades of"),
        ("AX.K..", "unknown_rank", "found 'X' in the spades of 'AX.K..'"),
        ("A.1.K.", "unknown_rank", "found '1' in the hearts"),
        ("A..K 2.", "unknown_rank", "found ' ' in the diamonds"),
        ("AK-...", "unknown_rank", "found '-' in the spades"),
        ("..AKA.", "duplicate_card", "expected each card once, found 'DA' twice in the diamonds"),
        ("AKQJT987654322...", "suit_overfull", "expected at most 13 cards in a suit, found 14 in the spades"),
        (".\x1bA..", "control_character", r"found '\x1b'"),
        ("2" * 100_000, "too_long", "found 100000"),
    ],
)
def test_what_is_no_hand(text: str, code: str, says: str) -> None:
    error = refused(c.parse_hand, text, field="discard")
    assert (error.code, error.field) == (code, "discard")
    assert says in error.message and len(error.message) < 250


def test_trumps() -> None:
    for trump, texts in enumerate(("S s ♠ spades", "H ♡ Hearts", "D ♦", "c ♧", "N NT nt none notrump No-Trump")):
        for text in texts.split():
            assert c.parse_trump(text) == trump
    assert [c.trump_name(t) for t in c.STRAINS] == list("SHDCN")
    assert refused(c.parse_trump, "X").message == "expected a trump S, H, D, C or N, found 'X'"
    assert refused(c.parse_trump, "").code == "empty"


def test_seats() -> None:
    for hands, letters in ((3, "DEM"), (4, "NESW")):
        assert [c.parse_seat(ch, hands) for ch in letters] == list(range(hands))
        assert [c.parse_seat(f" {ch.lower()} ", hands) for ch in letters] == list(range(hands))
        assert c.seat_letters(hands) == letters
    assert c.parse_seat("eldest", 3) == 1 and c.parse_seat("West", 4) == 3
    error = refused(c.parse_seat, "W", 3, field="leader")
    assert (error.code, error.field, error.message) == ("seat", "leader", "expected a seat D, E or M, found 'W'")
    assert refused(c.parse_seat, "eldest", 4).code == "seat"
    assert refused(c.parse_seat, "N", 5).code == "hands"


def test_sides() -> None:
    for hands in (3, 4):
        for side in range(1, (1 << hands) - 1):
            name = c.side_name(side, hands)
            assert c.parse_side(name, hands) == c.parse_side(name[::-1].lower(), hands) == side
    assert c.side_name(0b101, 4) == "NS" and c.side_name(0b011, 3) == "DE"
    assert refused(c.parse_side, "NX", 4).message == "expected seats N, E, S or W, found 'X' in 'NX'"
    assert refused(c.parse_side, "NN", 4).message == "expected each seat once, found 'N' twice in 'NN'"
    assert refused(c.parse_side, "DEM", 3).message.startswith("expected a seat outside the side")
    assert refused(c.parse_side, "", 3).code == "empty"


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (c.parse_card, c.parse_cards, c.parse_hand, c.parse_trump):
        try:
            read(text)
        except InputError as error:
            assert error.code and error.field and error.message == error.message.strip()
    for hands in (3, 4):
        for read_seats in (c.parse_seat, c.parse_side):
            try:
                read_seats(text, hands)
            except InputError as error:
                assert error.field in ("seat", "side")


def test_errors_carry_fields_and_survive_pickling() -> None:
    error = InputError("trump", "expected a trump", field="trump").located(file="a.pbn", line=7)
    assert str(error) == "a.pbn:7: expected a trump" and error.message == "expected a trump"
    assert str(error.located(file="", line=7)) == "line 7: expected a trump"
    assert str(InputError("x", "expected y", file="f")) == "f: expected y"
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.field, again.file, again.line, str(again)) == ("trump", "trump", "a.pbn", 7, str(error))
    limit = pickle.loads(pickle.dumps(LimitReached("timeout", "stopped", bounds={"D": (1, 4)})))
    assert limit.bounds == {"D": (1, 4)} and limit.code == "timeout" and not isinstance(limit, ValueError)
    assert pickle.loads(pickle.dumps(Cancelled())).code == "cancelled"
    assert shown("a'b") == '"a\'b"' and len(shown("x" * 10**6)) < 70
