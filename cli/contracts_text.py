"""What `tierce contracts` prints for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from tierce.cli.exchange_text import wrapped
from tierce.cli.render import SEAT_NAMES, effort, grid, say, suit_sign, table_picture
from tierce.solver.advice.contracts_results import ContractRow, ContractTable
from tierce.solver.cards import NOTRUMP, RANK_LETTERS, SEATS4, Card, rank_of, side_name, suit_of
from tierce.solver.games.contracts import CONTRACTS, contract_title
from tierce.solver.position import Position

LEADS = "The card beside 'no' is the lowest lead that beats the contract."
OWN_LEADS = (
    "Where 'no' has no card the declarers lead ({}, who is eldest, or the bidder of {}): no lead of theirs makes it."
)
TRICKS = "The number is the tricks that the declarers take with best play by all."
UNITS = (
    "Units are what each opponent pays: 'hint', 'review' and 'replay' add up what a seat gets, three times as much if "
    "it plays alone against three."
)
OUVERTE = "is worth what {} is where all hands are seen; in play the open hand makes it harder."
OVER = "needs another's Abundance to go over, so it is nobody's dearest bid here."
UNKNOWN = "The search was stopped: what has a '?' is not known."


def show(table: ContractTable) -> None:
    """The hands, the contracts by pairs and by seats, the dearest bids, and what they mean."""
    for line in table_picture(Position(table.deal.hands, table.trump, table.eldest)):
        say(line)
    say()
    say(_headline(table))
    say()
    for rows in (_aligned(_pairs(table)), _aligned(_singles(table)), _bids(table)):
        header, *body = rows
        for text in grid(body, header):
            text.rstrip()
            say(text)
        say()
    for sentence in (_highest(table), *_notes(table)):
        for part in wrapped(sentence):
            say(part)
    say()
    say(effort(table.nodes, table.millis))


def _headline(table: ContractTable) -> str:
    turned = f"turned up {card(table.turned)}" if table.turned is not None else f"{suit_sign(table.trump)} turned up"
    return f"{SEATS4[table.dealer]} dealt, {turned}; {SEATS4[table.eldest]} is eldest. Exact, all hands seen."


def _pairs(table: ContractTable) -> Iterator[tuple[str, Sequence[str | ContractRow]]]:
    rows = table.of("prop_cop")
    yield "two together", [side_name(row.side, 4) for row in rows]
    yield _named(rows[0]), rows


def _singles(table: ContractTable) -> Iterator[tuple[str, Sequence[str | ContractRow]]]:
    yield "one against three", SEATS4
    for name, rule in CONTRACTS.items():
        rows = table.of(name) if rule.side == 1 else ()
        for trump in dict.fromkeys(row.contract.trump for row in rows):
            own = [row for row in rows if row.contract.trump == trump]
            several = len(own) < len(rows)
            yield _named(own[0], _trump_sign(trump) if several else ""), own


def _aligned(rows: Iterator[tuple[str, Sequence[str | ContractRow]]]) -> Iterator[Sequence[str]]:
    """Titles and cells: in each column words stand below words, numbers below numbers and cards below cards."""
    (head, seats), *body = rows
    columns = [_column(str(seat), cells) for seat, *cells in zip(seats, *(cells for _, cells in body), strict=True)]
    return zip((head, *(title for title, _ in body)), *columns, strict=True)


def _column(head: str, rows: Sequence[str | ContractRow]) -> list[str]:
    """A column with its head, all of one width."""
    words, tricks, leads, marks = zip(*(_cell(row) for row in rows if isinstance(row, ContractRow)), strict=True)
    parts = zip(_padded(words), _padded(tricks, to_the_right=True), _padded(leads), _padded(marks), strict=True)
    return _padded([head, *(" ".join(filter(None, each)) for each in parts)])


def _padded(texts: Sequence[str], *, to_the_right: bool = False) -> list[str]:
    most = max(map(len, texts))
    return [text.rjust(most) if to_the_right else text.ljust(most) for text in texts]


def _named(row: ContractRow, trump: str = "") -> str:
    """A contract with its trump, if there are several, and its tricks."""
    return " ".join(filter(None, (title(row.name), trump, f"({row.needs})")))


def _trump_sign(trump: int) -> str:
    return "NT" if trump == NOTRUMP else suit_sign(trump)


def _cell(row: ContractRow) -> tuple[str, str, str, str]:
    """Is it made, with which tricks, which lead beats it, and is something of that not known?"""
    if row.makes is None:
        return "?", "", "", ""
    tricks = "" if row.tricks is None else str(row.tricks)
    lead = "" if row.lead is None else card(row.lead)
    return "yes" if row.makes else "no", tricks, lead, "" if row.complete else "?"


def _bids(table: ContractTable) -> Iterator[Sequence[str]]:
    names = [f"{SEATS4[each.seat]} {SEAT_NAMES[4][each.seat]}" for each in table.seats]
    widest = max(map(len, names))
    yield ("seat".ljust(widest) + "  dearest bid", "units")
    for name, each in zip(names, table.seats, strict=True):
        bid = title(each.bid) + _with(each.partners) + _in(each.bid, each.trumps) if each.bid else ""
        if not each.settled:
            bid = f"{bid}, at least" if bid else "?"
        units = str(each.units) if each.bid else "-" if each.settled else "?"
        yield (f"{name.ljust(widest)}  {bid or 'none'}", units)


def _with(partners: Sequence[int]) -> str:
    return f" with {' or '.join(SEATS4[seat] for seat in partners)}" if partners else ""


def _in(bid: str, trumps: Sequence[int]) -> str:
    """The trumps, where the bidder names one."""
    if CONTRACTS[bid].trump == "named" or (bid == "abundance_declared" and set(trumps) != {NOTRUMP}):
        return f" in {' or '.join(map(_trump_sign, trumps))}"
    return ""


def _highest(table: ContractTable) -> str:
    highest = table.highest
    if not highest.bid:
        return "Nobody makes anything." if highest.settled else "No contract is known to be made."
    sides = " or ".join(side_name(side, 4) for side in highest.sides)
    begin = "The highest bid that somebody makes" if highest.settled else "The highest bid known to be made"
    return f"{begin}: {title(highest.bid)}, by {sides}."


def _notes(table: ContractTable) -> Iterator[str]:
    if any(row.lead is not None for row in table.rows):
        yield LEADS
    if any(row.makes is False and not row.defended for row in table.rows):
        yield OWN_LEADS.format(SEATS4[table.eldest], title("abundance_declared"))
    if any(row.tricks is not None for row in table.rows):
        yield TRICKS
    if any(each.bid for each in table.seats):
        yield UNITS
    yield f"{title('misere_ouverte')} {OUVERTE.format(title('misere'))}"
    if not table.ait_open and any(row.makes for row in table.of("abundance_in_trumps")):
        yield f"{title('abundance_in_trumps')} {OVER}"
    if table.stop:
        yield UNKNOWN


def card(found: Card) -> str:
    """A card with its suit sign."""
    return suit_sign(suit_of(found)) + RANK_LETTERS[rank_of(found)]


def title(name: str) -> str:
    """A contract's name, without accents where the output cannot show them."""
    full = contract_title(name)
    try:
        full.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return normalize("NFKD", full).encode("ascii", "ignore").decode()
    return full
