"""A deal played as strategies say: parcels, trump and discard, up to the first lead.

Whatever a strategy does wrong is a Fault, which a study writes down: what it raised, and where, or what the rules say
to what it gave back. KeyboardInterrupt alone comes through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from tierce.solver.advice.sending import due, sender_of
from tierce.solver.batch.strategies import Strategy, raised_in, said_of
from tierce.solver.cards import Mask
from tierce.solver.checks import as_tuple, is_whole, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Discard, NameTrump, Send, Swap
from tierce.solver.games.phases import two_holder
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State

__all__ = ["Fault", "exchanged", "replied"]

SAID_MAX: Final = 300  # characters of an error that are kept

T = TypeVar("T")


class Fault(Exception):
    """A strategy failed: its text says how, on one line."""


def _asked(strategy: Strategy, does: Callable[[], T]) -> T:
    """What is done with a strategy's answer."""
    try:
        return does()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a user's function may raise anything, SystemExit too
        said, place = said_of(error), raised_in(error)
    said = said if len(said) <= SAID_MAX else said[:SAID_MAX] + "..."
    raise Fault(f"{strategy.name}: {said}{place and f' ({place})'}") from None


# ---- the exchange ----------------------------------------------------------------------------------------------------


def exchanged(state: State, seat: int, strategy: Strategy, others: Strategy, source: str) -> State:
    """The state after the exchange: `seat` sends as `strategy` says, another sender as `others` says. Fault."""
    step = 0
    while state.queue and state.queue[0][0] == "send":
        sends = strategy if sender_of(state) == seat else others
        state = _asked(sends, partial(_send, state, sends, f"{source}:{step}"))
        step += 1
    return state


def _send(state: State, strategy: Strategy, source: str) -> State:
    """The state after the parcels that are due before anything comes back, and after what comes back then."""
    seat = sender_of(state)
    owed = due(state)
    now = owed[: _at_once(state)]
    for each, cards in zip(now, _masks(strategy.ask(state, seat, source, now), len(now)), strict=True):
        state = apply(state, Send(seat, each.receiver, cards))
    return settle(state)


def _at_once(state: State) -> int:
    """How many parcels the sender fixes before anything comes back."""
    seat = sender_of(state)
    count = 0
    for step, i in state.queue:
        if step != "send" or state.transfers[i].sender != seat:
            break
        count += 1
    return count


def _masks(found: Any, count: int) -> tuple[Mask, ...]:
    masks = (found,) if is_whole(found) else as_tuple(found)
    if masks is None or len(masks) != count:
        expected = "a mask of cards" if count == 1 else f"{count} masks of cards, one for each parcel"
        raise InputError("parcel", f"expected {expected}, found {quoted(found)}", field="exchange")
    return masks


# ---- the dealer ------------------------------------------------------------------------------------------------------


def replied(state: State, strategy: Strategy, source: str) -> State:
    """The state at the first lead, after the dealer's choices as a strategy says. Fault. Other seats take an up-card
    whenever they may."""
    return _asked(strategy, partial(_replied, settle(state), strategy, source))


def _replied(state: State, strategy: Strategy, source: str) -> State:
    made: _Choice | None = None
    step = 0
    while state.phase in ("TRUMP", "DISCARD", "SWAP"):
        if _must_ask(state, strategy, made):
            made = _choice(strategy.ask(state, 0, f"{source}:dealer {step}"))
            step += 1
        state = settle(_chosen(state, made))
    if state.phase != "PLAY":
        raise InputError("not_due", f"expected the dealer to choose, found the phase {state.phase}", field="state")
    return state


@dataclass(frozen=True, slots=True)
class _Choice:
    """What a strategy gave back; a discard of 0 is still to come."""

    trump: Any
    discard: Any
    swap: bool = True


def _must_ask(state: State, strategy: Strategy, made: _Choice | None) -> bool:
    """One who sees all chooses all at once; the others choose with what they see when it is due."""
    if state.phase == "SWAP":
        return made is None and strategy.omniscient and two_holder(state) == 0
    if state.phase == "TRUMP":
        return made is None or not strategy.omniscient
    return made is None or not made.discard


def _choice(found: Any) -> _Choice:
    parts = as_tuple(found)
    if parts is None or len(parts) not in (2, 3):
        raise InputError("choice", f"expected a trump and a mask of cards, found {quoted(found)}", field="trump")
    if not is_whole(parts[0]):
        raise InputError("trump", f"expected a trump from 0 to 3, found {quoted(parts[0])}", field="trump")
    if len(parts) == 3 and not isinstance(parts[2], bool):
        message = f"expected True or False, whether to take the up-card, found {quoted(parts[2])}"
        raise InputError("choice", message, field="swap")
    return _Choice(*parts)


def _chosen(state: State, made: _Choice | None) -> State:
    """The state after the choice that is due; without one an up-card is taken."""
    if state.phase == "SWAP":
        seat = two_holder(state)
        return apply(state, Swap(seat, seat != 0 or made is None or made.swap))
    assert made is not None
    return apply(state, NameTrump(0, made.trump) if state.phase == "TRUMP" else Discard(0, made.discard))
