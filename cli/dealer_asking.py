"""What `tierce dealer` is asked: a deal or a record of one, the calls still open, and what was chosen."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from tierce.cli.commands.convert import records_in
from tierce.cli.options import STDIN, stdin
from tierce.solver.advice.choices import Choice, DealerChoices, choices_of_deal, choices_of_state
from tierce.solver.advice.spelling import calls_of, chosen_of, chosen_parts
from tierce.solver.cards import Mask, parse_card
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games.auction import standing
from tierce.solver.games.state import held

if TYPE_CHECKING:
    from tierce.solver.advice.dealer_results import CallAdvice
    from tierce.solver.games import Record, ReplayedDeal, State
    from tierce.solver.games.profile import Profile

__all__ = [
    "Chosen",
    "Decision",
    "calls_of",
    "chosen_of",
    "chosen_parts",
    "from_file",
    "from_stdin",
    "is_deal",
    "is_proved",
    "of_records",
    "of_text",
    "same_game",
]

Chosen: TypeAlias = tuple[str, Choice]

_DEAL_TEXT: Final = re.compile(r"\s*[A-Za-z]\s*:")
_HAND_TEXT: Final = re.compile(r"\s*[2-9TJQKA]*(\.[2-9TJQKA]*){3}\s*(/.*)?", re.IGNORECASE)
_FILE_NAME: Final = re.compile(r"\S*[/\\]\S*|.*\.[A-Za-z]\w{1,7}")
_RECORD_BEGINS: Final = ("{", "[", "%", ";")


@dataclass(frozen=True, slots=True)
class Decision:
    """A dealer's decision, as it is shown and searched.

    hands    at the decision, by seat; beside: the kitty, the up-card, or the cards out of the pack
    chosen   what a record says was chosen
    place    where it is from, in words: file and deal
    bid      what the dealer bid for his seat, where there was an auction
    """

    choices: DealerChoices
    hands: tuple[Mask, ...]
    beside: Mask
    chosen: Chosen | None = None
    place: str = ""
    bid: int | None = None


# ---- deals -----------------------------------------------------------------------------------------------------------


def of_text(profile: Profile, text: str, calls: tuple[str, ...] = ()) -> Decision:
    """The decision of a deal as text. InputError (field "deal" or "calls")."""
    deal = Deal.parse(text)
    try:
        choices = choices_of_deal(profile, deal, calls)
    except InputError as error:
        raise error.located(field="calls") if error.code == "choice" else error from None
    d, e, m = deal.hands
    return Decision(choices, (d, e, m), deal.kitty)


def is_proved(call: CallAdvice) -> bool:
    """Has the search found a choice worth telling? A stopped one may have but a choice that it would begin with."""
    return bool(call.choices) and (call.complete or call.low > call.worth.range()[0])


def is_deal(text: str) -> bool:
    """Is the argument a deal, and no name of a file? InputError where it can be neither."""
    if text == "-":
        return False
    if _DEAL_TEXT.match(text):
        return True
    if _HAND_TEXT.fullmatch(text):
        message = f"expected a deal or a record's file, found one hand, {shown(text)}: --hidden goes by a hand alone"
        raise InputError("deal", message, field="deal")
    if os.path.exists(text) or _FILE_NAME.fullmatch(text):  # the latter may not exist: that is told when it is read
        return False
    expected = "a deal such as 'D:<dealer> <eldest> <middle> / <kitty>', or a record's file"
    raise InputError("deal", f"expected {expected}, found {shown(text)}", field="deal")


def from_stdin() -> str | tuple[Record, ...]:
    """A deal as text, or records, by how it begins."""
    from tierce.solver.games import read_records

    data = stdin().read()
    text = data.decode("utf-8-sig", "replace").strip()
    if text.startswith(_RECORD_BEGINS) or b"\0" in data:  # the latter is UTF-16
        return read_records(data, STDIN)
    try:
        return data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        message = f"expected UTF-8 on stdin, found the byte {data[error.start]:#04x}"
        raise InputError("encoding", message, field="deal") from None


def from_file(name: str) -> tuple[Record, ...]:
    """The records of a file."""
    return records_in(name)


# ---- records ---------------------------------------------------------------------------------------------------------


def of_records(records: tuple[Record, ...], number: int | None) -> Decision:
    """The dealer's first decision in a deal, all before it as recorded.

    number   of the deal as `tierce replay` tells it, or, of several records, counted through all; None: the last in
             which the dealer decides
    """
    from tierce.solver.games import replay

    file = records[0].file
    deals = [deal for record in records for deal in replay(record).deals]
    numbers = [deal.number for deal in deals] if len(records) == 1 else list(range(1, len(deals) + 1))
    places = list(zip(numbers, deals, strict=True))
    if number is not None and number not in numbers:
        found = f"{min(numbers)} to {max(numbers)}" if numbers else "none"
        raise InputError("deal", f"expected deal {number}, found the deals {found}", file=file)
    for place, deal in reversed(places):
        if number in (None, place) and (decision := _decision(deal, f"{file}, deal {place}")):
            return decision
    where = "a deal" if number is None else f"deal {number}"
    raise InputError("not_due", f"expected {where} to come to a decision of the dealer's, found none", file=file)


def _decision(deal: ReplayedDeal, place: str) -> Decision | None:
    for state in _states(deal):
        if not _decides(state):
            continue
        try:
            choices = choices_of_state(state)
        except InputError as error:
            if error.code != "not_due":
                raise
            continue
        made, bid = _made(choices, deal.state), standing(state)
        return Decision(choices, state.hands, state.kitty or state.removed, made, place, bid[1] if bid else None)
    return None


def _states(deal: ReplayedDeal) -> Iterator[State]:
    yield from (state for _, state in deal.steps())
    if not deal.passed_out:
        yield deal.state


def _decides(state: State) -> bool:
    """Is it the dealer's turn to choose, the exchange behind him?"""
    if state.phase == "SWAP":
        exchange_ahead = "EXCHANGE" in state.steps[state.at :]
        return held(state.hands[0], parse_card("D2")) and not exchange_ahead
    return state.phase in ("TRUMP", "CALL", "DISCARD", "KITTY")


def _made(choices: DealerChoices, end: State) -> Chosen | None:
    """What was chosen, if the record goes as far."""
    discard = end.discard if choices.count else 0
    swap = end.swapped if choices.swapper == 0 else None
    if not end.call or (choices.count and not discard) or (choices.swapper == 0 and swap is None):
        return None
    return end.call, Choice(discard, swap)


def same_game(records: tuple[Record, ...], game: str | None) -> None:
    """Refuse a game that was typed and is not the records'."""
    ids = {record.profile.id for record in records}
    if game is not None and ids != {game}:
        found = ", ".join(sorted(ids))
        raise click.UsageError(f"expected no --game, or that of the record, {found}; found {game!r}")
