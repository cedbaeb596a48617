"""Records: what was dealt, bid, exchanged, named, laid away and played, as values. `replay` puts them to the rules.

A `Record` is a match or a part of one: deals that follow one another, all but the last finished. One that does not
begin with the first deal of its match has a `Context`, by which the rules know what came before.
Fields that are None or empty are not recorded: the deal went no further, or the rules leave no choice (returns, the
kitty, kitty cards shown), so that `replay` fills them in. What a record states of its result stays apart from what
the recount says.

Seats are those of the deal, 0 dealer, 1 eldest, 2 middle; players are 0, 1, 2 for the whole match; cards are masks.
In four-hand games both are N, E, S, W, 0 to 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from tierce.solver.cards import Card, Mask
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, shown
from tierce.solver.games.actions import BidValue
from tierce.solver.games.auction import standing
from tierce.solver.games.contract_auction import trump_choices
from tierce.solver.games.profile import Profile
from tierce.solver.games.refusing import SEATS
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.state import State

__all__ = [
    "NAME_MAX", "Context", "DealRecord", "Discrepancy", "Parcel", "Record", "RecordError", "Stated", "check_name",
    "named", "record_of", "turned",
]  # fmt: skip

NAME_MAX: Final = 60  # characters of a player's name
_RULES_FIELDS: Final = {"bid": "bids", "show": "shown"}  # named otherwise where one action is meant


class RecordError(InputError):
    """A record at fault. `str()` is "file:line:deal N:field: message", as far as these are known.

    deal   1 for the first deal of the record, None if the fault is in no deal
    field  of the record; in `play`, `exchange` and `bids` the message begins with the trick and card, parcel or bid
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        file: str | None = None,
        line: int | None = None,
        deal: int | None = None,
    ) -> None:
        super().__init__(code, message, field=field, file=file, line=line)
        self.deal = deal

    def __str__(self) -> str:
        deal = None if self.deal is None else f"deal {self.deal}"
        places = [str(each) for each in (self.file, self.line, deal, self.field) if each is not None]
        return ": ".join([":".join(places), self.message]) if places else self.message

    def located(self, *, file: str | None = None, line: int | None = None, field: str | None = None) -> Self:
        """Return a copy that names the given place; what is not given stays as it is."""
        found = super().located(file=file, line=line, field=field)
        found.deal = self.deal
        return found


@dataclass(frozen=True, slots=True)
class Parcel:
    """A parcel of the exchange and what came back for it; None where that is not recorded."""

    sender: int
    receiver: int
    sent: Mask
    returned: Mask | None = None


@dataclass(frozen=True, slots=True)
class Stated:
    """What a record says of a deal's result, in part or in full: tricks as they count and balances (or units) by seat,
    the running totals after it by player."""

    tricks: tuple[int | None, ...] = (None, None, None)
    balances: tuple[int | None, ...] = (None, None, None)
    totals: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A result stated in the record that is not what the recount gives. `what`: tricks, balances (`who` is a seat) or
    totals (`who` is a player); `deal`: 1 for the first of the record."""

    deal: int
    what: str
    who: int
    stated: int
    recounted: int
    letters: str = SEATS  # of the seats

    def __str__(self) -> str:
        who = f"player {self.who}" if self.what == "totals" else self.letters[self.who]
        return f"deal {self.deal}: {self.what} of {who}: stated {self.stated}, recounted {self.recounted}"


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal, as far as it went.

    deal    as dealt: hands of the one who dealt, his left, his right, before any auction; behind them the kitty; or
            the hands of N, E, S, W
    dealer  the player who dealt; None: as the rules have it
    turned  the dealer's card that was turned up, in a game of contracts
    bids    tricks or a contract's word, None for a pass; from the one who speaks first, in the rules' order
    exchange  the parcels in the order of the exchange
    call    S H D C N or MIZ: the trump or the contract that was named, "" if none was
    discard, kitty   cards the dealer laid away; cards he took
    shown   (seat, kitty cards shown to it)
    swap    did the holder of the two of diamonds take the up-card
    play    cards in the order played
    claim   tricks given away by agreement after the play, by seat
    stated  the result as the record has it
    line    of the file, where lines are known
    """

    deal: Deal
    dealer: int | None = None
    bids: tuple[BidValue, ...] = ()
    exchange: tuple[Parcel, ...] = ()
    call: str = ""
    discard: Mask | None = None
    kitty: Mask | None = None
    shown: tuple[tuple[int, Mask], ...] | None = None
    swap: bool | None = None
    play: tuple[Card, ...] = ()
    claim: tuple[int, ...] | None = None
    stated: Stated | None = None
    turned: Card | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Context:
    """What the rules need to know when the record's first deal is not the first of its match.

    number    of the record's first deal in its match, 2 or more
    previous  the deal before it
    totals    running totals by player, before the record's first deal
    used      calls each player has used, in games with calls
    """

    number: int
    previous: DealResult
    totals: tuple[int, ...]
    used: tuple[frozenset[str], ...] = (frozenset(), frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Record:
    """A match or a part of one. `players`: the names of players 0, 1, 2 (and 3); `file` and `line` tell where it was
    read."""

    profile: Profile
    deals: tuple[DealRecord, ...]
    context: Context | None = None
    players: tuple[str, ...] | None = None
    file: str = field(default="<record>", compare=False)
    line: int | None = field(default=None, compare=False)

    def fault(self, error: InputError, deal: int | None = None, *, said: str = "") -> RecordError:
        """The error with its place in this record; `said` goes in front of the message."""
        line = self.line
        if deal is not None and self.deals[deal].line is not None:
            line = self.deals[deal].line
        return RecordError(
            error.code,
            said + error.message,
            field=_RULES_FIELDS.get(error.field or "", error.field),
            file=self.file,
            line=line,
            deal=None if deal is None else deal + 1,
        )


def check_name(name: str) -> str:
    """A player's name as it may stand in a record: one line, first a letter or a digit. InputError otherwise."""
    good = len(name) <= NAME_MAX and name.isprintable() and name[:1].isalnum() and not name[-1:].isspace()
    if not good:
        expected = f"a name of at most {NAME_MAX} characters that begins with a letter or a digit"
        raise InputError("name", f"expected {expected}, found {shown(name)}", field="players")
    return name


# ---- from states -----------------------------------------------------------------------------------------------------


def record_of(states: State | Iterable[State], players: Sequence[str] | None = None) -> Record:
    """The record of a match so far: of the state given or, for several deals, of the states met, in their order.

    Of each deal its last state is needed; a deal that everybody passed out is known by the state before the last pass
    and one after it. Actions that are due without a choice are in a record when they have been made. Results of deals
    before the last that was scored are not kept: the rules do not need them.
    """
    given = (states,) if isinstance(states, State) else tuple(states)
    if not given:
        raise InputError("states", "expected at least one state of a match, found none", field="states")
    names, seats = tuple(map(check_name, players or ())), given[0].profile.seats
    if names and len(names) != seats:
        expected = "three" if seats == 3 else "four"
        raise InputError("players", f"expected {expected} names, found {len(names)}", field="players")
    deals = tuple(_deal_of(state, passed_out) for state, passed_out in _last_states(given))
    first = given[0]
    before = _results_before(first)
    context = None
    if before:
        used = first.used
        if first.call and first.profile.calls:
            own = used[first.dealer] - {first.call}
            used = tuple(own if each == first.dealer else used[each] for each in range(3))
        context = Context(len(before) + 1, before[-1], _totals_before(first), used)
    return Record(first.profile, deals, context, names or None)


def _results_before(state: State) -> tuple[DealResult, ...]:
    """The deals scored before the one a state is in; the last deal of a match stays in its state."""
    return state.results[:-1] if state.won else state.results


def _totals_before(state: State) -> tuple[int, ...]:
    totals = list(state.totals)
    if state.won:
        for seat, gained in enumerate(state.results[-1].balances):
            totals[state.player(seat)] -= gained
    return tuple(totals)


def _last_states(states: Sequence[State]) -> Iterator[tuple[State, bool]]:
    """The last state of each deal, and whether the deal was passed out."""
    last = states[0]
    for state in states[1:]:
        if state.profile != last.profile:
            raise InputError("states", f"expected states of one match, found one of {state.profile.id}", field="states")
        done, more = len(_results_before(last)), len(_results_before(state))
        same = more == done and (last.dealt is None or _as_dealt(state) == _as_dealt(last))
        if not same and last.dealt is not None:
            passed_out = more == done
            if more - done not in (0, 1) or (passed_out and not _one_pass_left(last)):
                message = "expected the states of one match in their order, none of a deal's last left out"
                raise InputError("states", f"{message}, found a gap before deal {more + 1}", field="states")
            yield last, passed_out
        last = state
    if last.dealt is not None:
        yield last, False


def _one_pass_left(state: State) -> bool:
    return state.phase == "BID" and bool(state.bids) and all(tricks is None for _, tricks in state.bids)


def _as_dealt(state: State) -> tuple[Deal | None, int]:
    """The deal and who dealt it, before an auction changed the seats."""
    bid = standing(state)
    if state.dealt is None or bid is None or state.phase == "BID":
        return state.dealt, state.dealer
    return turned(state.dealt, -bid[0]), (state.dealer - bid[0]) % 3


def _deal_of(state: State, passed_out: bool) -> DealRecord:
    """The record of the deal a state is in."""
    bids = tuple(bid for _, bid in state.bids)
    deal, dealer = _as_dealt(state)
    assert deal is not None
    return DealRecord(
        deal=deal,
        dealer=dealer,
        bids=(*bids, None) if passed_out else bids,
        exchange=tuple(
            Parcel(each.sender, each.receiver, each.sent, each.returned or None)
            for each in state.transfers
            if each.sent
        ),
        call=state.call if named(state) else "",
        discard=state.discard or None,
        kitty=state.taken_kitty or None,
        shown=state.shown or None,
        swap=state.swapped,
        play=(*(card for trick in state.tricks for card in trick.cards), *state.trick),
        claim=state.claim,
        turned=state.turned,
    )


def named(state: State) -> bool:
    """Does somebody name the trump, or has named it? A contract may have it from the turned-up card, or none."""
    return state.contract is None or bool(trump_choices(state.profile, state.contract.rule))


def turned(deal: Deal, seats: int) -> Deal:
    """The deal with the hand of seat `seats` as its first."""
    return Deal(tuple(deal.hands[(seat + seats) % 3] for seat in range(3)), deal.kitty)
