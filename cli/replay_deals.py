"""Which deals of a file `tierce replay` tells, how they are called, by the numbers of `tierce hint` and `review`, and
where those end that were not played.

A deal of a file's one record has its number in its match; the deals of several records are counted through the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tierce.cli.commands.convert import replayed
from tierce.solver.errors import InputError

if TYPE_CHECKING:
    from tierce.solver.games import Replay, State
    from tierce.solver.games.sumgait import Replay as SumgaitReplay

__all__ = ["AnyReplay", "before_what", "deal_title", "none_played", "numbered", "unplayed"]

AnyReplay: TypeAlias = "Replay | SumgaitReplay"
_NEXT: Final = {
    "BID": "the end of the auction",
    "EXCHANGE": "the end of the exchange",
    "SEND": "the end of the exchange",
    "TRUMP": "the trump is named",
    "CALL": "the call",
    "DISCARD": "the discard",
    "SWAP": "the choice of the up-card",
}


def numbered(replays: Sequence[AnyReplay], number: int | None) -> list[tuple[AnyReplay, list[int]]]:
    """The replays with the numbers of their deals; `number`: that deal alone, as its match was after it. InputError."""
    found: list[tuple[AnyReplay, list[int]]] = []
    count = 0
    for each in replays:
        own = [deal.number for deal in each.deals]
        found.append((each, own if len(replays) == 1 else [count + place for place in range(1, len(own) + 1)]))
        count += len(own)
    if number is None:
        return found
    for each, own in found:
        if number in own:
            return [_alone(each, own, number)]
    every = [each for _, own in found for each in own]
    told = f"{min(every)} to {max(every)}" if every else "none"
    raise InputError("deal", f"expected deal {number}, found the deals {told}", file=replays[0].record.file)


def _alone(found: AnyReplay, numbers: Sequence[int], number: int) -> tuple[AnyReplay, list[int]]:
    """A deal of a match, and what comes of the match up to it. One that was passed out has the number of the next."""
    places = [place for place, each in enumerate(numbers) if each == number]
    first, end = places[0], places[-1] + 1
    record: Any = found.record  # of either game
    until: Any = replayed(replace(record, deals=record.deals[:end]))
    alone = replace(until.record, deals=until.record.deals[first:])
    return replace(until, record=alone, deals=until.deals[first:]), [number] * len(places)


def deal_title(number: int, in_match: int) -> str:
    """`Deal 3`; of one of several records with its number there, if that is another."""
    return f"Deal {number}" + ("" if number == in_match else f" (deal {in_match} of its match)")


def before_what(state: State) -> str:
    """Where a deal ends whose play has not begun: `before the end of the auction`."""
    return f"before {_NEXT.get(state.phase, 'the play')}"


def unplayed(state: State) -> str:
    """The same and, in an auction for a contract, who speaks next."""
    text = before_what(state)
    if state.profile.contracts and state.phase == "BID":
        from tierce.solver.games.contract_auction import bidder

        seat = bidder(state)
        return text if seat is None else f"{text}, where {state.profile.letters[seat]} speaks next"
    return text


def none_played(left: Sequence[tuple[int, State]]) -> str:
    """What is missing where none of a file's deals came to its first lead. `left`: those that end before it."""
    told = "expected a deal that came to its first lead, found none"
    if not left:
        return told
    (number, state), *others = left
    more = f" ({len(others)} more do not come to it either)" if others else ""
    bid = state.profile.contracts and state.phase == "BID" and state.bids
    calls = "; calls are held against what stands when the auction is over" if bid else ""
    return f"{told}: deal {number} ends {unplayed(state)}{more}{calls}"
