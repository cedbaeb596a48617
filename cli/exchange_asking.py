"""What `tierce exchange` is asked: a deal and the result before it, or a record in which parcels are due."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from tierce.cli.dealer_asking import from_file, from_stdin, is_deal, same_game
from tierce.cli.games import profile_of
from tierce.cli.parcels import cards_by_seat
from tierce.solver.advice.sending import due, exchange_of_deal, exchange_of_state, sender_of, sent
from tierce.solver.cards import Mask, card_names, mask_of, parse_cards, parse_hand, parse_seat
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown

if TYPE_CHECKING:
    from tierce.solver.games import Profile, Record, ReplayedDeal, State

__all__ = [
    "Asked",
    "asked",
    "beside_of",
    "check_first_over",
    "chosen_of",
    "chosen_parts",
    "exchanging",
    "hand_of",
    "of_text",
    "refuse_number",
    "three",
    "typed_previous",
]

_THREE: Final = re.compile(r"\s*([0-9]{1,2})\s*[/, ]\s*([0-9]{1,2})\s*[/, ]\s*([0-9]{1,2})\s*")
_HAND: Final = re.compile(r"[^.:/{\[]*(\.[^.:/]*){3}(/[^.:/]*(\.[^.:/]*){3})?")


@dataclass(frozen=True, slots=True)
class Asked:
    """A sender's decision, as it is shown and searched.

    state    where his parcels are due
    chosen   what a record says was sent
    place    where it is from, in words: file and deal
    """

    state: State
    chosen: tuple[Mask, ...] | None = None
    place: str = ""


# ---- what was typed --------------------------------------------------------------------------------------------------


def three(text: str, field: str = "previous") -> tuple[int, int, int]:
    """Three numbers, of dealer, eldest and middle: `10/4/2`. InputError."""
    match = _THREE.fullmatch(text)
    if match is None:
        message = f"expected numbers of dealer, eldest and middle such as 10/4/2, found {shown(text)}"
        raise InputError("previous", message, field=field)
    return int(match[1]), int(match[2]), int(match[3])


def chosen_parts(text: str) -> dict[int, Mask] | Mask:
    """Parcels as typed: cards by seat, or cards where there is one receiver. InputError (field "chosen")."""
    if ":" in text:
        return cards_by_seat(text, field="chosen")
    if "." in text:
        return parse_hand(text.strip(), field="chosen")
    cards = mask_of(parse_cards(text, field="chosen"))
    if not cards:
        raise InputError("chosen", f"expected parcels such as 'E:H7 D:C2', found {shown(text)}", field="chosen")
    return cards


def chosen_of(text: str, state: State) -> tuple[Mask, ...]:
    """Parcels as typed, those that are due. InputError (field "chosen")."""
    parts, owed = chosen_parts(text), due(state)
    names = " and ".join("DEM"[each.receiver] for each in owed)
    if not isinstance(parts, dict):
        if len(owed) > 1:
            message = f"expected a parcel for {names} each, such as 'E:H7 D:C2', found {shown(text)}"
            raise InputError("chosen", message, field="chosen")
        parts = {owed[0].receiver: parts}
    if set(parts) != {each.receiver for each in owed}:
        found = " and ".join("DEM"[seat] for seat in parts)
        raise InputError("chosen", f"expected a parcel for {names}, found one for {found}", field="chosen")
    chosen = tuple(parts[each.receiver] for each in owed)
    try:
        sent(state, chosen)
    except InputError as error:
        raise error.located(field="chosen") from None
    return chosen


def hand_of(text: str) -> tuple[Mask, Mask] | None:
    """The argument as a hand alone, which --hidden may go by, and the cards behind a slash; None if it is something
    else."""
    if not _HAND.fullmatch(text.strip()):
        return None
    hand, _, beside = text.partition("/")
    return parse_hand(hand.strip(), field="hand"), parse_hand(beside.strip(), field="hand") if beside.strip() else 0


def beside_of(profile: Profile, beside: Mask) -> dict[str, Mask]:
    """What lies beside a hand, as `sender_view` has it: the up-card, or what a dealer laid away before the exchange."""
    if not beside:
        return {}
    steps = profile.steps(first=False)
    if "SWAP" in steps:
        return {"up_card": beside}
    if "SEND" in steps and "DISCARD" in steps[: steps.index("SEND")]:
        return {"discard": beside}
    message = f"expected a hand alone in {profile.id}, found cards behind it: {card_names(beside)}"
    raise InputError("hand", message, field="hand")


# ---- where it is asked -----------------------------------------------------------------------------------------------


def typed_previous(given: dict[str, Any]) -> dict[str, Any]:
    """The deal before as typed: tricks, quotas, who was first over. UsageError without tricks."""
    if given["previous"] is None:
        raise click.UsageError(
            "expected --previous with the tricks of the deal before, such as 10/4/2 (dealer, eldest, middle of that "
            "deal), or --previous-record"
        )
    over = given["first_over"]
    return {
        "previous": three(given["previous"]),
        "quotas": None if given["previous_quota"] is None else three(given["previous_quota"]),
        "first_over": None if over is None else parse_seat(over, 3),
    }


def asked(given: dict[str, Any]) -> Asked:
    """The decision that is asked about. InputError or UsageError where there is none."""
    if is_deal(given["deal"]):
        return Asked(_turn(_of_deal(given["deal"], given), given["sender"]))
    source = from_stdin() if given["deal"] == "-" else from_file(given["deal"])
    if isinstance(source, str):
        return Asked(_turn(_of_deal(source, given), given["sender"]))
    for name in ("previous", "previous_quota", "first_over", "previous_record", "game_file", "options"):
        if given[name]:
            option = "--option" if name == "options" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} does not go with a record, which says what came before")
    same_game(source, given["game"])
    return _of_records(source, given["number"], given["sender"])


def refuse_number(given: dict[str, Any]) -> None:
    """--deal picks a deal of a record."""
    if given["number"] is not None:
        raise click.UsageError("--deal goes with a record's file")


def _of_deal(text: str, given: dict[str, Any]) -> State:
    refuse_number(given)
    if given["previous_record"] is not None:
        return _after_record(text, given)
    profile = exchanging(profile_of(given["game"], given["game_file"], given["options"]))
    try:
        return of_text(profile, text, **typed_previous(given))
    except InputError as error:
        raise error.located(field="previous_quota") if error.field == "quotas" else error from None


def of_text(
    profile: Profile,
    text: str,
    previous: Sequence[int],
    quotas: Sequence[int] | None = None,
    first_over: int | None = None,
) -> State:
    """The exchange of a deal as text. InputError (field "deal", "previous" or "first_over")."""
    check_first_over(profile, first_over)
    try:
        return exchange_of_deal(profile, Deal.parse(text), previous, quotas=quotas, first_over=first_over)
    except InputError as error:
        raise error.located(field="previous") if error.code == "not_due" else error from None


def exchanging(profile: Profile) -> Profile:
    """A game that was typed, if it has an exchange. UsageError."""
    if not {"EXCHANGE", "SEND"} & set(profile.steps(first=False)):
        raise click.UsageError(f"expected a game with an exchange, found {profile.id}, which has none as it is played")
    return profile


def check_first_over(profile: Profile, seat: int | None) -> None:
    """Refuse to be told who was first over his quota where that settles nothing. InputError (field "first_over")."""
    if seat is not None and profile.option("two_up_order") != "first_over":
        message = f"expected a game with two_up_order = first_over, found {profile.id}, where that settles nothing"
        raise InputError("first_over", message, field="first_over")


def _after_record(text: str, given: dict[str, Any]) -> State:
    """The exchange of a deal that follows those of a record."""
    from tierce.solver.games import replay

    for name in ("previous", "previous_quota", "first_over", "game_file", "options"):
        if given[name]:
            option = "--option" if name == "options" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} does not go with --previous-record, which says it")
    records = from_file(given["previous_record"])
    same_game(records, given["game"])
    state = replay(records[-1]).state
    if state.phase != "DEAL" or not state.results:
        found = "one that is won" if state.won else f"one in the phase {state.phase}"
        message = f"expected a match that goes on after a finished deal, found {found}"
        raise InputError("previous", message, field="previous", file=records[-1].file)
    try:
        return exchange_of_state(state, Deal.parse(text))
    except InputError as error:
        if error.code == "not_due":
            raise error.located(field="previous_record") from None
        raise


def _turn(state: State, seat: str | None) -> State:
    """The state at the first sender's turn; of a deal alone no other is known."""
    if seat is not None and parse_seat(seat, 3) != sender_of(state):
        first = "DEM"[sender_of(state)]
        message = f"expected {first}, who sends first, found {seat!r}: later parcels are asked about in a record"
        raise InputError("sender", message, field="sender")
    return state


def _of_records(records: tuple[Record, ...], number: int | None, sender: str | None) -> Asked:
    """The last deal in which a parcel was due, or deal `number`; `sender`: whose, or else the first's."""
    from tierce.solver.games import replay

    file = records[0].file
    deals = [deal for record in records for deal in replay(record).deals]
    numbers = [deal.number for deal in deals] if len(records) == 1 else list(range(1, len(deals) + 1))
    if number is not None and number not in numbers:
        found = f"{min(numbers)} to {max(numbers)}" if numbers else "none"
        raise InputError("deal", f"expected deal {number}, found the deals {found}", file=file)
    seat = None if sender is None else parse_seat(sender, 3)
    for place, deal in reversed([*zip(numbers, deals, strict=True)]):
        if number in (None, place):
            for state in _states(deal):
                if seat in (None, sender_of(state)):
                    return Asked(state, _recorded(state, deal.state), f"{file}, deal {place}")
    where = "a deal" if number is None else f"deal {number}"
    who = "somebody" if seat is None else "DEM"[seat]
    raise InputError("not_due", f"expected {where} in which {who} sends a parcel, found none", file=file)


def _states(deal: ReplayedDeal) -> Iterator[State]:
    """The turns of the senders of a deal."""
    before = None
    for state in (*(state for _, state in deal.steps()), deal.state):
        if state.queue and state.queue[0][0] == "send" and sender_of(state) != before:
            before = sender_of(state)
            yield state


def _recorded(state: State, end: State) -> tuple[Mask, ...] | None:
    """What was sent, if the record goes as far."""
    made = {(each.sender, each.receiver): each.sent for each in end.transfers}
    parcels = tuple(made.get((each.sender, each.receiver), 0) for each in due(state))
    return parcels if all(parcels) else None
