"""PBN, the inner layer: what the values and data lines of single tags mean, and how they are written.

Seats are N E S W there and numbers here; in a three-hand game D, E, M sit at N, E, S and W is vacant, so a
seat's number is the same in both. Readers raise `InputError`; `pbn.py` adds file, line and tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tierce.solver.cards import (
    SEATS4,
    STRAIN_LETTERS,
    TEXT_MAX,
    Card,
    Mask,
    bit,
    card_name,
    card_names,
    cards_of,
    format_hand,
    mask_of,
    parse_card,
    parse_cards,
    parse_hand,
    parse_seat,
    parse_trump,
    rank_of,
    seat_letters,
    suit_of,
)
from tierce.solver.deal import Deal, hand_places, seats_from
from tierce.solver.errors import InputError, shown

Table: TypeAlias = dict[str, dict[str, int]]  # strain S H D C N -> seat letter -> tricks

TABLE_HEADER = "Declarer;Denomination\\2R;Result\\2R"
_COLUMNS = ("declarer", "denomination", "result")
_CONTRACT = re.compile(r"([1-7])\s*(NT|[SHDCN♠♥♦♣])\s*(XX|X|\*\*|\*)?", re.IGNORECASE)
_PASSED = frozenset({"", "?", "-", "*", "PASS", "AP", "P", "PASSED", "PASSED OUT"})
_UNKNOWN = frozenset("-*?")
_NO_CARD = re.compile(r"-+")
_ANNOTATION = re.compile(r'=\d*=|\$\d+|[!?]+|\^\w*|"[^"]*"')


@dataclass(frozen=True, slots=True)
class Contract:
    """A bridge contract: level 1 to 7, trump 0 to 4, and 0, 1 or 2 for undoubled, doubled, redoubled."""

    level: int
    trump: int
    doubled: int = 0


def parse_contract(text: str) -> Contract | None:
    """Read `5SX`, `3NT`, `4h**`; None for a deal passed out or a contract not known."""
    plain = text.strip().upper()
    if plain in _PASSED:
        return None
    match = _CONTRACT.fullmatch(plain)
    if match is None:
        message = f"expected a contract such as 4H, 3NTX or Pass, found {shown(text)}"
        raise InputError("contract", message, field="Contract")
    return Contract(int(match[1]), parse_trump(match[2]), len(match[3] or ""))


def parse_pbn_seat(text: str, hands: int) -> int:
    """Read a seat by its PBN letter; in a three-hand game D and M are read, too, and W is refused."""
    plain = text.strip().removeprefix("^").upper()  # "^": declared out of turn
    if hands == 3 and plain in ("N", "E", "S"):
        return SEATS4.index(plain)
    return parse_seat(plain, hands)


def parse_pbn_deal(text: str, *, three: bool, kitty: Mask) -> Deal:
    """Read `N:... ... ... ...`, first seat any. With `three`, W may be `-`: three hands and `kitty`."""
    if len(text) > TEXT_MAX:
        return Deal.parse(text)  # which refuses it
    head, _, rest = text.partition(":")
    texts = rest.split()
    first = head.strip().upper()
    if "-" not in texts and not (first == "E" and len(texts) == 3):
        return Deal.parse(text)
    if len(texts) != 4 or len(first) != 1 or first not in SEATS4:
        message = f"expected four hands such as 'N:<n> <e> <s> <w>', found {shown(text)}"
        raise InputError("deal_syntax", message, field="Deal")
    by_seat = dict(zip(seats_from(first, 4), texts, strict=True))
    unknown = [seat for seat in range(4) if by_seat[seat] == "-"]
    if not three:
        where = ", ".join(SEATS4[seat] for seat in unknown)
        message = f"expected the cards of all four hands, found '-' for {where}, which cannot be solved"
        raise InputError("unknown_hand", f"{message}; a three-hand deal has a Game tag", field="Deal")
    if unknown != [3]:
        where = ", ".join(SEATS4[seat] for seat in unknown)
        message = f"expected a three-hand deal with only W vacant, found '-' for {where}"
        raise InputError("unknown_hand", message, field="Deal")
    places = hand_places(range(3))
    return Deal(tuple(parse_hand(by_seat[i], field="Deal", where=places[i]) for i in range(3)), kitty)


def format_pbn_deal(deal: Deal) -> str:
    """Return the value of the Deal tag; the kitty is not part of it."""
    hands = " ".join(map(format_hand, deal.hands))
    return f"N:{hands} -" if len(deal.hands) == 3 else f"N:{hands}"


def parse_card_set(text: str) -> Mask:
    """Read a set of cards: `S2SJCJS5`, `S2 SJ CJ`, or as a hand `J52...J`."""
    return parse_hand(text) if "." in text else mask_of(parse_cards(text))


def parse_dealer_cards(text: str) -> Mask:
    """Read `N:<cards>`, cards that the dealer (N in a three-hand game) takes or lays away."""
    head, colon, rest = text.rpartition(":")
    if colon and head.strip().upper() not in ("N", "D"):
        message = f"expected cards of the dealer, 'N:<cards>', found {shown(text)}"
        raise InputError("seat", message, field="CardsRemoved")
    return parse_card_set(rest)


Moves: TypeAlias = tuple[tuple[int, int, Mask], ...]  # seats from and to, 0..2, and the cards


def parse_passed(text: str) -> Moves:
    """Read `S:N:DQ N:S:DA`: cards passed from one seat to another before the play, in order."""
    found = []
    for word in text.split():
        ends, colon, cards = word.rpartition(":")
        one, between, other = ends.partition(":")
        if not colon or not between:
            message = f"expected from:to:cards such as S:N:DQ, found {shown(word)}"
            raise InputError("pbn_syntax", message, field="CardsPassed")
        found.append((parse_pbn_seat(one, 3), parse_pbn_seat(other, 3), parse_card_set(cards)))
    return tuple(found)


def after_passing(deal: Deal, passed: Moves) -> Deal:
    """Return the deal with the cards passed. InputError if a hand has not what it passes.

    N, the dealer, may have taken the kitty before: what he passes of it is made up for from the rest of his cards.
    """
    hands = [deal.hands[0] | deal.kitty, *deal.hands[1:]]
    for one, other, cards in passed:
        stray = cards & ~hands[one]
        if stray:
            message = f"expected cards that {SEATS4[one]} holds, found {card_names(stray)}"
            raise InputError("not_held", message, field="CardsPassed")
        hands[one] &= ~cards
        hands[other] |= cards
    kitty = deal.kitty & hands[0]
    for card in cards_of(hands[0] & ~kitty)[: deal.kitty.bit_count() - kitty.bit_count()]:
        kitty |= 1 << card
    return Deal((hands[0] & ~kitty, *hands[1:]), kitty)


# Tables of double-dummy results


def parse_result_table(header: str, rows: Iterable[str], hands: int, size: int) -> Table:
    """Read an OptimumResultTable; columns are found by name, or are the usual three if there are no names."""
    names = [name.lstrip("+-").partition("\\")[0].lower() for name in re.split(r"[;\s]+", header) if name]
    if names and not set(_COLUMNS) <= set(names):
        message = f"expected the columns Declarer, Denomination and Result, found {shown(header)}"
        raise InputError("pbn_syntax", message, field="OptimumResultTable")
    columns = [names.index(name) for name in _COLUMNS] if names else [0, 1, 2]
    table: Table = {}
    for row in rows:
        words = row.split()
        if len(words) <= max(columns):
            message = f"expected {max(columns) + 1} columns in every row, found {shown(row)}"
            raise InputError("pbn_syntax", message, field="OptimumResultTable")
        declarer, strain, result = (words[column] for column in columns)
        if result in _UNKNOWN:
            continue
        if not (result.isascii() and result.isdigit() and int(result[:3]) <= size):
            message = f"expected tricks from 0 to {size}, found {shown(result)} in {shown(row)}"
            raise InputError("pbn_syntax", message, field="OptimumResultTable")
        seat = seat_letters(hands)[parse_pbn_seat(declarer, hands)]
        table.setdefault(STRAIN_LETTERS[parse_trump(strain)], {})[seat] = int(result)
    return table


def parse_double_dummy(text: str) -> Table:
    """Read DoubleDummyTricks: 20 hexadecimal digits, seats N S E W, each with no trump, S, H, D, C."""
    digits = text.strip().lower()
    wrong = [ch for ch in digits if ch not in "0123456789abcd" and ch not in _UNKNOWN]
    if len(digits) != 20 or wrong:
        found = f"{shown(wrong[0])} in {shown(text)}" if len(digits) == 20 else f"{len(digits)}: {shown(text)}"
        message = f"expected 20 hexadecimal digits from 0 to d, found {found}"
        raise InputError("pbn_syntax", message, field="DoubleDummyTricks")
    table: Table = {}
    places = [(seat, strain) for seat in "NSEW" for strain in "NSHDC"]
    for (seat, strain), digit in zip(places, digits, strict=True):
        if digit not in _UNKNOWN:
            table.setdefault(strain, {})[seat] = int(digit, 16)
    return table


def table_conflict(one: Table, other: Table) -> str | None:
    """Say where two tables differ, None if nowhere."""
    for strain, row in one.items():
        for seat, tricks in row.items():
            found = other.get(strain, {}).get(seat, tricks)
            if found != tricks:
                return f"{tricks} and {found} tricks for {seat} in {strain}"
    return None


def format_result_table(table: Table, hands: int) -> list[str]:
    """Return the rows of an OptimumResultTable, PBN's order of strains."""
    rows = []
    for seat, letter in enumerate(seat_letters(hands)):
        for strain in "NSHDC":
            tricks = table.get(strain, {}).get(letter)
            if tricks is not None:
                rows.append(f"{SEATS4[seat]} {'NT' if strain == 'N' else ' ' + strain} {tricks:>2}")
    return rows


# The play section: a row a trick, a column a seat, the first column that of the opening leader


def play_tokens(rows: Iterable[str]) -> list[str | None]:
    """Return the cards of a play section in file order, None for `-`, no annotations, up to `*` or `+`."""
    tokens: list[str | None] = []
    for row in rows:
        for word in row.split():
            if word in ("*", "+"):
                return tokens
            if not _ANNOTATION.fullmatch(word):
                tokens.append(None if _NO_CARD.fullmatch(word) else word.rstrip("!?"))
    return tokens


@dataclass(frozen=True, slots=True)
class PlaySection:
    """The cards of a play section as written, and whether some row has more than three."""

    tokens: Sequence[str | None]
    wide: bool


def play_section(rows: Sequence[str]) -> PlaySection:
    """Read the rows of a play section, whoever's cards they are."""
    return PlaySection(play_tokens(rows), any(len(play_tokens([row])) > 3 for row in rows))


def parse_play(
    section: PlaySection, opening: int, trump: int | None, hands: int, held: Sequence[Mask] | None
) -> tuple[tuple[Card, ...], InputError | None]:
    """Put the cards of a play section in the order they were played.

    Ends where a card is missing, after the first trick if the trump is not known, or where something is
    wrong, which is then returned beside the cards before it. `held` are the hands at the start, where
    known.
    """
    tokens = section.tokens
    width = 3 if hands == 3 and not section.wide else 4
    played: list[Card] = []
    leader = opening
    for start in range(0, len(tokens), width):
        row = [((opening + i) % width, token) for i, token in enumerate(tokens[start : start + width])]
        try:
            cards = _row_cards(row, hands, held, played)
        except InputError as error:
            return tuple(played), error
        trick = []
        for seat in seats_after(leader, hands):
            if seat not in cards:
                return tuple(played), None
            trick.append((seat, cards[seat]))
            played.append(cards[seat])
        if trump is None:
            break
        leader = trick_winner(trick, trump)
    return tuple(played), None


def _row_cards(
    row: Iterable[tuple[int, str | None]], hands: int, held: Sequence[Mask] | None, played: Sequence[Card]
) -> dict[int, Card]:
    """Return the card of each seat in one row.

    Where the hands are known, they say whose card it is, not the column: some files have rows in playing order.
    """
    cards: dict[int, Card] = {}
    for column, token in row:
        if token is None:
            continue
        card = parse_card(token, field="Play")
        owners = [column] if held is None else [seat for seat in range(hands) if held[seat] & bit(card)]
        if card in played or card in cards.values():
            message = f"expected each card once, found {card_name(card)!r} played twice"
            raise InputError("duplicate_card", message, field="Play")
        if not owners or owners[0] >= hands:
            message = f"expected a card that a player holds, found {card_name(card)!r}"
            raise InputError("illegal_card", message, field="Play")
        if owners[0] in cards:
            one = card_name(cards[owners[0]])
            message = f"expected one card of each hand in a trick, found {one!r} and {card_name(card)!r}"
            raise InputError("illegal_card", message, field="Play")
        cards[owners[0]] = card
    return cards


def format_play(play: Sequence[Card], opening: int, trump: int | None, hands: int) -> Iterator[str]:
    """Yield the rows of a play section, four columns, `-` for the vacant seat.

    Raises `InputError` if there is a second trick and no trump: who leads to it is not known then.
    """
    leader = opening
    for start in range(0, len(play), hands):
        trick = list(zip(seats_after(leader, hands), play[start : start + hands], strict=False))
        names = dict.fromkeys(range(4), "-") | {seat: card_name(card) for seat, card in trick}
        yield " ".join(names[(opening + i) % 4] for i in range(4))
        if start + hands < len(play):
            if trump is None:
                message = "expected a trump to write the play of more than one trick, found none"
                raise InputError("trump", message, field="Trump")
            leader = trick_winner(trick, trump)


def seats_after(leader: int, hands: int) -> list[int]:
    """Return the seats in playing order from the leader."""
    return [(leader + i) % hands for i in range(hands)]


def trick_winner(trick: Sequence[tuple[int, Card]], trump: int) -> int:
    """Return the seat that wins a trick, given as (seat, card) in playing order."""
    led = suit_of(trick[0][1])
    return max(trick, key=lambda t: (suit_of(t[1]) == trump, suit_of(t[1]) == led, rank_of(t[1])))[0]
