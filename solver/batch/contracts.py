"""Contract tables of many deals: a line of JSON as a question, its answer, and the row of a study.

in   {"id"?, "deal", "dealer", "turned"} or, in place of the card turned up, its suit: {..., "trump"}
out  {"id"} and the table as JSON; {"id", "error": {...}} for a line at fault

A line without a dealer or a trump has those that the caller gives for all such lines. An id is text or a number and
comes back; a line without one answers to its number, from 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tierce.solver.advice.contracts import contract_table
from tierce.solver.advice.contracts_results import ContractRow, ContractTable
from tierce.solver.batch.fields import check_fields, fields_of, ident_of
from tierce.solver.cards import NOTRUMP, SEATS4, Card, card_name, parse_card, parse_seat, parse_trump, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, LimitReached, shown
from tierce.solver.query import Limits
from tierce.solver.results import stopped

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile

__all__ = ["ContractsAsked", "contracts_asked", "contracts_line", "contracts_row"]

_KNOWN: Final = ("deal", "dealer", "id", "trump", "turned")


@dataclass(frozen=True, slots=True)
class ContractsAsked:
    """A question for a contract table: four hands, the dealer's seat, and the card turned up or its suit."""

    deal: Deal
    dealer: int
    turned: Card | None = None
    trump: int | None = None


def contracts_asked(
    deal: str, dealer: str | None, turned: str | None = None, trump: str | None = None
) -> ContractsAsked:
    """Read a question. InputError naming the field at fault."""
    if dealer is None:
        raise InputError("missing", "expected the dealer (N E S W), found none", field="dealer")
    return ContractsAsked(
        Deal.parse(deal),
        parse_seat(dealer, 4, field="dealer"),
        None if turned is None else parse_card(turned, field="turned"),
        None if trump is None else trump_suit(trump),
    )


def trump_suit(text: str) -> int:
    """A trump that is a suit. InputError (field "trump")."""
    suit = parse_trump(text)
    if suit == NOTRUMP:
        message = f"expected the suit of the card turned up (S H D C), found {shown(text)}"
        raise InputError("trump", message, field="trump")
    return suit


def contracts_line(
    text: str, line: int, dealer: str | None = None, trump: str | None = None
) -> tuple[Any, ContractsAsked | InputError]:
    """The id of a line (its number, if it has none) and its question, or what is wrong with it."""
    ident: Any = line
    try:
        fields = fields_of(text)
        ident = ident_of(fields, line)
        check_fields(fields, _KNOWN)
        given = {name: value for name, value in fields.items() if value is not None and name != "id"}
        for name, value in given.items():
            if not isinstance(value, str):
                raise InputError("type", f"expected text in {name!r}, found {value!r:.60}", field=name)
        if "deal" not in given:
            raise InputError("missing", "expected a field 'deal', found none", field="deal")
        if "turned" not in given:
            given.setdefault("trump", trump)
        given.setdefault("dealer", dealer)
        return ident, contracts_asked(**given)
    except InputError as error:
        return ident, error.located(line=line)


# ---- a row of a study ------------------------------------------------------------------------------------------------


def contracts_row(
    text: str,
    line: int,
    dealer: str | None,
    trump: str | None,
    profile: Profile,
    limits: Limits,
    table_of: Callable[..., ContractTable] = contract_table,
) -> dict[str, Any]:
    """The columns of a line, whatever is wrong with it in `error`. `table_of`: as contract_table."""
    ident, asked = contracts_line(text, line, dealer, trump)
    found: dict[str, Any] = {"id": json.dumps(ident)}
    if isinstance(asked, InputError):
        return found | {"error": str(asked)}
    place = asked.deal, asked.dealer, asked.turned
    try:
        table = table_of(*place, trump=asked.trump, profile=profile, limits=limits)
    except InputError as error:
        return found | {"error": str(error.located(line=line))}
    found |= _columns(table)
    if table.stop and isinstance(limit := stopped(table.stop), LimitReached):
        found["error"] = limit.message
    return found


def _columns(table: ContractTable) -> dict[str, Any]:
    """A table as columns; null where a limit left something unknown."""
    found: dict[str, Any] = {
        "cards": str(table.deal),
        "dealer": SEATS4[table.dealer],
        "trump": trump_name(table.trump),
        "turned": None if table.turned is None else card_name(table.turned),
        "nodes": table.nodes,
    }
    for name in ("prop_cop", "solo", "misere", "abundance", "abundance_in_trumps", "abundance_declared"):
        rows = table.of(name)
        if all(row.makes is not None for row in rows):
            found[name] = " ".join(_made(rows, trumps=name in ("abundance", "abundance_declared")))
    for each in table.seats:
        if each.settled:
            found[f"bid_{SEATS4[each.seat].lower()}"] = each.bid
    if table.highest.settled:
        found |= {"highest": table.highest.bid, "units": table.highest.units}
    return found


def _made(rows: Iterable[ContractRow], *, trumps: bool) -> list[str]:
    """The sides that make a contract, with the trumps that do it if they may be chosen: `N:SH`."""
    made: dict[str, str] = {}
    for row in rows:
        if row.makes:
            name = "".join(SEATS4[seat] for seat in row.contract.declarers)
            made[name] = made.get(name, "") + trump_name(row.contract.trump)
    return [f"{name}:{suits}" if trumps else name for name, suits in made.items()]
