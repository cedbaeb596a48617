"""Cards, suits, trumps, seats and sides: plain ints with names, and their text forms.

    suit    0 1 2 3 = S H D C; 4 = no trump, where a trump is meant
    rank    0 ... 12 = 2 3 4 5 6 7 8 9 T J Q K A
    card    16 * suit + rank
    mask    a set of cards, bit `card` set; one 16-bit lane a suit, its three top bits unused:

            bits   63 ... 48   47 ... 32   31 ... 16   15 ...  0
            suit       C           D           H           S

    seat    0 1 2 = D E M (dealer, eldest, middle) or 0 1 2 3 = N E S W, clockwise
    side    a set of seats, bit `seat` set

All text is read tolerantly (lower case, `10`, rank first, suit symbols) and written in one way. Input at
fault raises `InputError`; every reader takes the name of the `field` it reads for that purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn, TypeAlias

from tierce.solver.checks import check_type
from tierce.solver.errors import InputError, shown

Card: TypeAlias = int
Mask: TypeAlias = int

SPADES: Final = 0
HEARTS: Final = 1
DIAMONDS: Final = 2
CLUBS: Final = 3
NOTRUMP: Final = 4
SUITS: Final = (SPADES, HEARTS, DIAMONDS, CLUBS)
STRAINS: Final = (SPADES, HEARTS, DIAMONDS, CLUBS, NOTRUMP)
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")

SUIT_LETTERS: Final = "SHDC"
STRAIN_LETTERS: Final = "SHDCN"
RANK_LETTERS: Final = "23456789TJQKA"
SEATS3: Final = "DEM"
SEATS4: Final = "NESW"

LANE_BITS: Final = 16
LANE: Final[Mask] = (1 << 13) - 1  # the thirteen cards of spades
ALL_CARDS: Final[Mask] = LANE | LANE << 16 | LANE << 32 | LANE << 48
TEXT_MAX: Final = 1000  # characters; no hand, deal or list of cards needs half of that

_RANKS_HINT = "A K Q J T 9 8 7 6 5 4 3 2"
_SYMBOLS = ("♠♤", "♥♡", "♦♢", "♣♧")
_SUIT_SPELLINGS = {ch: i for i in SUITS for ch in SUIT_LETTERS[i] + SUIT_LETTERS[i].lower() + _SYMBOLS[i]}
_RANK_SPELLINGS = {ch: i for i, r in enumerate(RANK_LETTERS) for ch in (r, r.lower())} | {"10": 8}
_RANK_BITS = {ch: 1 << i for ch, i in _RANK_SPELLINGS.items() if len(ch) == 1}
_CARD_SPELLINGS = {
    spelling: LANE_BITS * suit + rank
    for s, suit in _SUIT_SPELLINGS.items()
    for r, rank in _RANK_SPELLINGS.items()
    for spelling in (s + r, r + s)
}
_TRUMP_SPELLINGS = (
    {ch.upper(): i for ch, i in _SUIT_SPELLINGS.items()}
    | {name.upper(): i for i, name in enumerate(SUIT_NAMES)}
    | dict.fromkeys(("N", "NT", "NONE", "NOTRUMP", "NO TRUMP", "NO-TRUMP"), NOTRUMP)
)
_SEAT_NAMES = {3: ("DEALER", "ELDEST", "MIDDLE"), 4: ("NORTH", "EAST", "SOUTH", "WEST")}
_JOKERS = frozenset({"J1", "J2", "JK", "JOKER", "*", "🃏"})


# Cards and masks


def card(suit: int, rank: int) -> Card:
    """Return the card of a suit (0 to 3) and a rank (0 to 12)."""
    return LANE_BITS * suit + rank


def suit_of(card: Card) -> int:
    """Return the suit of a card."""
    return card >> 4


def rank_of(card: Card) -> int:
    """Return the rank of a card, 0 for a two to 12 for an ace."""
    return card & 15


def bit(card: Card) -> Mask:
    """Return the set that holds one card."""
    return 1 << card


def mask_of(cards: Iterable[Card]) -> Mask:
    """Return the set of the given cards."""
    mask = 0
    for each in cards:
        mask |= 1 << each
    return mask


def cards_of(mask: Mask) -> tuple[Card, ...]:
    """Return the cards of a set, suits in the order S H D C, each from high to low."""
    found = []
    for base in (0, 16, 32, 48):
        lane = mask >> base & LANE
        while lane:
            rank = lane.bit_length() - 1
            lane ^= 1 << rank
            found.append(base + rank)
    return tuple(found)


def card_name(card: Card) -> str:
    """Return the name of a card, suit first: `SA`, `HT`."""
    return SUIT_LETTERS[card >> 4] + RANK_LETTERS[card & 15]


def card_names(mask: Mask) -> str:
    """Return the names of a set of cards, divided by blanks, in the order of `cards_of`."""
    return " ".join(map(card_name, cards_of(mask)))


def parse_card(text: str, *, field: str = "card") -> Card:
    """Read one card: `SA`, `AS`, `10h`, `♠A` ..."""
    try:
        found = _CARD_SPELLINGS.get(text)
    except TypeError:  # no text at all, and nothing that could be a key
        found = None
    if found is None:
        found = _CARD_SPELLINGS.get(_plain(text))
    if found is None:
        _refuse_card(text, field)
    return found


def parse_cards(text: str, *, field: str = "cards") -> tuple[Card, ...]:
    """Read cards in the order given, with blanks or commas between or run together (`S2SJCJ`), none twice."""
    check_text(text, field, "cards", empty_allowed=True)
    found: list[Card] = []
    seen = 0
    for word in text.replace(",", " ").split():
        for each in (parse_card(part, field=field) for part in _card_parts(word)):
            if seen >> each & 1:
                raise InputError(
                    "duplicate_card",
                    f"expected each card once, found {card_name(each)!r} twice in {shown(text)}",
                    field=field,
                )
            seen |= 1 << each
            found.append(each)
    return tuple(found)


def _card_parts(word: str) -> list[str]:
    """Cut a run of cards such as `S2SJH10` into cards; a word that is no such run stays whole."""
    parts = []
    at = 0
    while at < len(word):
        size = 3 if word[at + 1 : at + 3] == "10" or word[at : at + 2] == "10" else 2
        if word[at : at + size] not in _CARD_SPELLINGS:
            return [word]
        parts.append(word[at : at + size])
        at += size
    return parts


def _refuse_card(text: str, field: str) -> NoReturn:
    check_text(text, field, "a card such as SA, AS or 10h")
    plain = _plain(text)
    quoted = shown(text)
    if _upper(text) in _JOKERS:
        raise InputError("joker", f"expected a card of the four suits, found the joker {quoted}", field=field)
    suits = [ch for ch in plain if ch in _SUIT_SPELLINGS]
    ranks = [ch for ch in plain.replace("10", "T") if ch in _RANK_BITS]
    two = len(plain.replace("10", "T")) == 2
    if two and len(ranks) == 1 and not suits:
        raise InputError("unknown_suit", f"expected a suit letter S H D C, found {quoted}", field=field)
    if two and len(suits) == 1 and not ranks:
        raise InputError("unknown_rank", f"expected a rank {_RANKS_HINT}, found {quoted}", field=field)
    raise InputError("card_syntax", f"expected a card such as SA, AS or 10h, found {quoted}", field=field)


# Hands


def parse_hand(text: str, *, field: str = "hand", where: str | None = None) -> Mask:
    """Read a hand, suits S.H.D.C divided by dots, a void empty or `-`: `AKQ.T9..8765432`.

    The cards may come in any order; `...` is the empty hand. `where` names the hand in messages (default:
    its text).
    """
    try:
        spades, hearts, diamonds, clubs = text.split(".")
        bits = _RANK_BITS
        mask = 0
        for ch in clubs:
            mask |= bits[ch]
        mask <<= 16
        for ch in diamonds:
            mask |= bits[ch]
        mask <<= 16
        for ch in hearts:
            mask |= bits[ch]
        mask <<= 16
        for ch in spades:
            mask |= bits[ch]
    except (AttributeError, KeyError, TypeError, ValueError):
        return _parse_hand_carefully(text, field, where)
    if mask.bit_count() != len(text) - 3:
        return _parse_hand_carefully(text, field, where)
    return mask


def _parse_hand_carefully(text: str, field: str, where: str | None) -> Mask:
    """Read what `parse_hand` does not take at a glance: `10`, `-` for a void, blanks around; or refuse."""
    check_text(text, field, "a hand such as AKQ.T9..8765432")
    place = where or shown(text)
    fields = text.strip().replace("10", "T").split(".")
    if len(fields) == 5:
        message = f"expected four suits S.H.D.C, found a fifth field (jokers) {shown(fields[4])} in {place}"
        raise InputError("joker", message, field=field)
    if len(fields) != 4:
        found = f"{len(fields)} in {place}" + (f": {shown(text)}" if where else "")
        message = f"expected four suits S.H.D.C divided by dots, found {found}"
        raise InputError("suit_fields", message, field=field)
    mask = 0
    for suit, ranks in enumerate(fields):
        mask |= _parse_ranks("" if ranks == "-" else ranks, suit, field, place) << LANE_BITS * suit
    return mask


def _parse_ranks(ranks: str, suit: int, field: str, place: str) -> int:
    """Return the 13-bit set of the ranks of one suit."""
    here = f"in the {SUIT_NAMES[suit]} of {place}"
    if "j1" in ranks.lower():  # "J2" may as well be a jack and a two
        raise InputError("joker", f"expected ranks {_RANKS_HINT}, found the joker 'J1' {here}", field=field)
    lane = 0
    twice = None
    for ch in ranks:
        rank = _RANK_BITS.get(ch)
        if rank is None:
            raise InputError("unknown_rank", f"expected ranks {_RANKS_HINT}, found {ch!r} {here}", field=field)
        if lane & rank:
            twice = twice or SUIT_LETTERS[suit] + ch.upper()
        lane |= rank
    if len(ranks) > 13:
        message = f"expected at most 13 cards in a suit, found {len(ranks)} {here}"
        raise InputError("suit_overfull", message, field=field)
    if twice:
        raise InputError("duplicate_card", f"expected each card once, found {twice!r} twice {here}", field=field)
    return lane


def format_hand(mask: Mask) -> str:
    """Return the text of a hand, high cards first: `AKQ.T9..8765432`."""
    return ".".join(
        (
            _ranks_text(mask & LANE),
            _ranks_text(mask >> 16 & LANE),
            _ranks_text(mask >> 32 & LANE),
            _ranks_text(mask >> 48 & LANE),
        )
    )


def _ranks_text(lane: int) -> str:
    return "".join([ch for rank, ch in _HIGH_FIRST if lane & rank])


_HIGH_FIRST = [(1 << i, RANK_LETTERS[i]) for i in range(12, -1, -1)]


# Trumps, seats, sides


def parse_trump(text: str, *, field: str = "trump") -> int:
    """Read a trump: `S`, `h`, `♥`, `spades`; `N`, `NT`, `none` for no trump."""
    found = _TRUMP_SPELLINGS.get(_upper(text))
    if found is None:
        check_text(text, field, "a trump S, H, D, C or N")
        raise InputError("trump", f"expected a trump S, H, D, C or N, found {shown(text)}", field=field)
    return found


def trump_name(trump: int) -> str:
    """Return the letter of a trump, `N` for no trump."""
    return STRAIN_LETTERS[trump]


def seat_letters(hands: int) -> str:
    """Return the letters of the seats in clockwise order, `DEM` or `NESW`."""
    if hands == 3:
        return SEATS3
    if hands == 4:
        return SEATS4
    raise InputError("hands", f"expected 3 or 4 hands, found {hands!r}", field="hands")


def parse_seat(text: str, hands: int, *, field: str = "seat") -> int:
    """Read a seat of a game of 3 or 4 hands, by its letter or its name: `E`, `eldest`, `West`."""
    letters = seat_letters(hands)
    plain = _upper(text)
    if len(plain) == 1 and plain in letters:
        return letters.index(plain)
    if plain in _SEAT_NAMES[hands]:
        return _SEAT_NAMES[hands].index(plain)
    check_text(text, field, f"a seat {_listed(letters)}")
    raise InputError("seat", f"expected a seat {_listed(letters)}, found {shown(text)}", field=field)


def parse_side(text: str, hands: int, *, field: str = "side") -> int:
    """Read a side, letters of seats in any order: `NS`, `DE`, `M`. At least one seat stays outside."""
    letters = seat_letters(hands)
    check_text(text, field, f"a side such as {letters[0]} or {letters[::2]}")
    side = 0
    for ch in _upper(text):
        if ch not in letters:
            message = f"expected seats {_listed(letters)}, found {ch!r} in {shown(text)}"
            raise InputError("side", message, field=field)
        seat = 1 << letters.index(ch)
        if side & seat:
            raise InputError("side", f"expected each seat once, found {ch!r} twice in {shown(text)}", field=field)
        side |= seat
    if side == (1 << hands) - 1:
        raise InputError("side", f"expected a seat outside the side, found all in {shown(text)}", field=field)
    return side


def side_name(side: int, hands: int) -> str:
    """Return the letters of a side's seats in the order D E M or N E S W."""
    return "".join([ch for i, ch in enumerate(seat_letters(hands)) if side >> i & 1])


# Text


def check_text(text: str, field: str, expected: str, *, empty_allowed: bool = False) -> None:
    """Refuse text that is empty, far too long, or has control characters (blanks and tabs are none)."""
    check_type(text, str, expected)
    if len(text) > TEXT_MAX:
        message = f"expected {expected} of at most {TEXT_MAX} characters, found {len(text)}: {shown(text)}"
        raise InputError("too_long", message, field=field)
    body = text.strip()
    if not body and not empty_allowed:
        raise InputError("empty", f"expected {expected}, found {text!r}", field=field)
    if body.isprintable():
        return
    for ch in body:
        if not (ch.isprintable() or ch in "\t\u00a0"):
            message = f"expected {expected} on one line of plain text, found {ch!r} in {shown(text)}"
            raise InputError("control_character", message, field=field)


def _plain(text: str) -> str:
    """Take away blanks around, and the mark that makes a suit symbol a coloured picture."""
    check_type(text, str, "text")
    return text.strip().replace("\ufe0f", "")


def _upper(text: str) -> str:
    """Return plain text in capitals, where these are ASCII: other letters must not turn into ours."""
    plain = _plain(text)
    return plain.upper() if plain.isascii() else plain


def _listed(letters: str) -> str:
    return ", ".join(letters[:-1]) + " or " + letters[-1]
