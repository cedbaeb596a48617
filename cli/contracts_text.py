"""What `tierce contracts` prints for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from tierce.cli.render import SEAT_NAMES, effort, grid, say, suit_sign, table_picture
from tierce.solver.advice.contracts_results import ContractRow, ContractTable
from tierce.solver.cards import NOTRUMP, RANK_LETTERS, SEATS4, Card, rank_of, side_name, suit_of
from tierce.solver.games.contracts import CONTRACTS, contract_title
from tierce.solver.position import Position

LEADS = "The card beside 'no' is the lowest lead that beats the contract."
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
    for rows in (_pairs(table), _singles(table), _bids(table)):
        header, *body = rows
        for text in grid(body, header):
            say(text)
        say()
    say(_highest(table))
    for note in _notes(table):
        say(note)
    say()
    say(effort(table.nodes, table.millis))


def _headline(table: ContractTable) -> str:
    turned = f"turned up {card(table.turned)}" if table.turned is not None else f"{suit_sign(table.trump)} turned up"
    return f"{SEATS4[table.dealer]} dealt, {turned}; {SEATS4[table.eldest]} is eldest. Exact, all hands seen."


def _pairs(table: ContractTable) -> Iterator[Sequence[str]]:
    rows = table.of("prop_cop")
    yield ("two together", *(side_name(row.side, 4) for row in rows))
    yield (_named(rows[0]), *map(_cell, rows))


def _singles(table: ContractTable) -> Iterator[Sequence[str]]:
    yield ("one against three", *SEATS4)
    for name, rule in CONTRACTS.items():
        rows = table.of(name) if rule.side == 1 else ()
        for trump in dict.fromkeys(row.contract.trump for row in rows):
            own = [row for row in rows if row.contract.trump == trump]
            several = len(own) < len(rows)
            yield (_named(own[0], _trump_sign(trump) if several else ""), *map(_cell, own))


def _named(row: ContractRow, trump: str = "") -> str:
    """A contract with its trump, if there are several, and its tricks."""
    return " ".join(filter(None, (title(row.name), trump, f"({row.needs})")))


def _trump_sign(trump: int) -> str:
    return "NT" if trump == NOTRUMP else suit_sign(trump)


def _cell(row: ContractRow) -> str:
    if row.makes is None:
        return "?"
    tricks = "" if row.tricks is None else str(row.tricks)
    lead = "" if row.lead is None else card(row.lead)
    unknown = "" if row.complete else "?"
    return " ".join(filter(None, ("yes" if row.makes else "no", tricks, lead, unknown)))


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
