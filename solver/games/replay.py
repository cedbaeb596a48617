"""Records put to the rules: every action goes through `rules.apply`, so a record is refused where the rules refuse.

    for deal in replay(record).deals:
        for action, state in deal.steps(): ...

What a record leaves to the rules (returns, the kitty, kitty cards shown) is filled in, and verified where it is given.
A refusal is a RecordError with file, deal and field, the code that of the rule; besides the rules' own codes:

    wrong_dealer  another player deals            too_many_tricks  a card after the last trick
    wrong_kitty   not the deal's kitty            missing          something was done before what had to be first
    unfinished    a deal follows an unfinished    not_due          something this deal does not have (yet)
    match_over    a deal follows the match's end  context          what came before cannot have been
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from tierce.solver.cards import NOTRUMP, SUIT_NAMES, bit, card_names
from tierce.solver.errors import InputError
from tierce.solver.games.actions import (
    Action,
    Bid,
    Call,
    Claim,
    DealCards,
    Discard,
    NameTrump,
    Play,
    Return,
    Score,
    Send,
    Show,
    Swap,
    TakeKitty,
)
from tierce.solver.games.auction import bidder
from tierce.solver.games.context import next_exchange, state_after
from tierce.solver.games.contract_auction import bidder as contract_bidder
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import namer, two_holder
from tierce.solver.games.record import DealRecord, Discrepancy, Record, named, record_of
from tierce.solver.games.refusing import NAMES, card_text, cards_text, refuse
from tierce.solver.games.rules import apply, automatic
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.state import State, Trick, new_match

__all__ = ["Replay", "ReplayedDeal", "replay"]


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal of a record, replayed.

    number      of the deal in its match; a deal passed out and the one after it have the same
    start       the state before the cards were dealt
    actions     everything that was done, automatic actions too
    state       as far as the record goes: PLAY over (phase SCORE), or wherever it ends; of a deal that was passed out
                the state before the last pass
    result      of a finished deal; totals: running totals by player, after it if it is finished
    passed_out  nobody bid, and the cards are dealt again; a void deal of contracts counts, and is finished
    """

    number: int
    record: DealRecord
    start: State
    actions: tuple[Action, ...]
    state: State
    result: DealResult | None
    totals: tuple[int, ...]
    passed_out: bool
    discrepancies: tuple[Discrepancy, ...]

    @property
    def finished(self) -> bool:
        """Was it played (or claimed) to its end?"""
        return self.result is not None

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        return self.state.tricks

    def steps(self) -> Iterator[tuple[Action, State]]:
        """Every action and the state before it; then nothing: `state` is the one after the last."""
        state = self.start
        for action in self.actions:
            yield action, state
            state = apply(state, action)


@dataclass(frozen=True, slots=True)
class Replay:
    """A record, replayed. `record`: with everything filled in that the rules leave no choice about; `state`: after all
    of it, the next deal's beginning where the last was finished."""

    record: Record
    deals: tuple[ReplayedDeal, ...]
    state: State

    @property
    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Where a stated result is not what the recount gives."""
        return tuple(each for deal in self.deals for each in deal.discrepancies)

    @property
    def owed(self) -> tuple[Transfer, ...]:
        """The parcels still to be sent, in order: of the next deal's exchange, by its seats, or of this deal's where
        the record ends in it; () where there are none."""
        state = self.state
        if state.phase in ("EXCHANGE", "SEND"):
            return tuple(state.transfers[i] for step, i in state.queue if step == "send")
        return next_exchange(state)


def replay(record: Record) -> Replay:
    """Replay a record. RecordError, with the place, for what the rules forbid."""
    state = _first_state(record)
    deals: list[ReplayedDeal] = []
    for index in range(len(record.deals)):
        try:
            if deals and not (deals[-1].finished or deals[-1].passed_out):
                hint = "play it to its end or give it a claim"
                message = f"expected deal {index} of the record to be finished ({hint}), found another deal after it"
                refuse("unfinished", message, "deal")
            if state.won:
                refuse("match_over", f"expected no deal after the match was won in deal {index}, found one", "deal")
        except InputError as error:
            raise record.fault(error, index) from None
        walk = _Walk(record, index, state)
        deals.append(walk.deal())
        state = walk.after
    filled = tuple(_filled(deal) for deal in deals)
    return Replay(replace(record, deals=filled), tuple(deals), state)


def _first_state(record: Record) -> State:
    if record.context is not None:
        try:
            return state_after(record.profile, record.context)
        except InputError as error:
            raise record.fault(error) from None
    return new_match(record.profile, (record.deals[0].dealer or 0) if record.deals else 0)


def _filled(deal: ReplayedDeal) -> DealRecord:
    """The record of a deal with what the rules filled in."""
    found = record_of(deal.state).deals[0]
    bids = (*found.bids, None) if deal.passed_out else found.bids
    return replace(found, bids=bids, stated=deal.record.stated, line=deal.record.line)


# In the order of a deal: the fields of a record, what they hold, and the phases that take them.
_FIELDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "bids": ("a bid", ("BID",)),
    "exchange": ("a parcel", ("EXCHANGE", "SEND", "RETURN")),
    "call": ("a call", ("CALL",)),
    "trump": ("a trump", ("TRUMP",)),
    "discard": ("a discard", ("DISCARD",)),
    "kitty": ("the kitty", ("KITTY",)),
    "shown": ("shown cards", ("SHOW",)),
    "swap": ("a swap, or none,", ("SWAP",)),
    "play": ("a card", ("PLAY",)),
    "claim": ("a claim", ("PLAY",)),
}


class _Walk:
    """One deal of a record on its way through the phases."""

    def __init__(self, record: Record, index: int, state: State) -> None:
        self.record = record
        self.index = index
        self.given = record.deals[index]
        self.start = self.state = self.after = state
        self.before = state  # of the last action
        self.actions: list[Action] = []
        self.place = ""  # within the field
        given = self.given
        call = "call" if record.profile.calls else "trump"
        self.left = {  # what no phase has taken yet: field -> how many
            "bids": len(given.bids),
            "exchange": sum(1 + (parcel.returned is not None) for parcel in given.exchange),
            call: int(bool(given.call)),
            "discard": int(given.discard is not None),
            "kitty": int(given.kitty is not None),
            "shown": len(given.shown or ()),
            "swap": int(given.swap is not None),
            "play": len(given.play),
            "claim": int(given.claim is not None),
        }
        self.call = call
        self.phases: Mapping[str, Callable[[], Action | None]] = {
            "BID": self._bid,
            "EXCHANGE": self._exchange,
            "SEND": self._exchange,
            "RETURN": self._exchange,
            "CALL": self._call,
            "TRUMP": self._call,
            "DISCARD": self._discard,
            "KITTY": self._kitty,
            "SHOW": self._show,
            "SWAP": self._swap,
            "PLAY": self._play,
        }

    def deal(self) -> ReplayedDeal:
        try:
            passed_out = self._walk()
        except InputError as error:
            raise self.record.fault(error, self.index, said=self.place) from None
        result = None
        totals = self.state.totals
        if self.state.phase == "SCORE":
            self.after = apply(self.state, Score())
            result, totals = self.after.results[-1], self.after.totals
        state = self.before if passed_out else self.state
        return ReplayedDeal(
            number=len(self.start.results) + 1,
            record=self.given,
            start=self.start,
            actions=tuple(self.actions),
            state=state,
            result=result,
            totals=totals,
            passed_out=passed_out,
            discrepancies=tuple(self._discrepancies(result, totals)),
        )

    def _walk(self) -> bool:
        """Do all that is recorded; True if the deal was passed out."""
        dealer = self.given.dealer
        if dealer is not None and dealer != self.start.dealer:
            refuse("wrong_dealer", f"expected player {self.start.dealer} to deal, found {dealer!r:.60}", "dealer")
        self._do(DealCards(self.given.deal, self.given.turned))
        passed_out = False
        while (phase := self.phases.get(self.state.phase)) is not None:
            if self.state.at != self.before.at:
                self._refuse_what_is_past()
            self.place = ""
            action = phase()
            if action is None:
                break
            self._do(action)
            self._check_trump()
            passed_out = self.state.dealt is None
        self.place = ""
        self.after = self.state
        self._refuse_leftovers(passed_out)
        return passed_out

    def _do(self, action: Action) -> None:
        self.before = self.state
        self.state = apply(self.state, action)
        self.actions.append(action)

    def _take(self, field: str, *, place: str = "") -> bool:
        """Is there more of a field? Then it counts as taken."""
        if not self.left.get(field):
            return False
        self.left[field] -= 1
        self.place = place
        return True

    # ---- the phases: the action recorded, or due without a choice; None where the record ends

    def _bid(self) -> Action | None:
        at = len(self.state.bids)
        if not self._take("bids", place=f"bid {at + 1}: "):
            return None
        seat = contract_bidder(self.state) if self.state.profile.contracts else bidder(self.state)
        assert seat is not None
        return Bid(seat, self.given.bids[at])

    def _check_trump(self) -> None:
        """A trump that is recorded though nobody names it, the contract having it already."""
        contract = self.state.contract
        if contract is None or self.before.contract is not None or named(self.state) or not self._take(self.call):
            return
        if self.given.call != self.state.call:
            due = "no trump" if contract.trump == NOTRUMP else SUIT_NAMES[contract.trump]
            refuse("illegal_trump", f"expected {due} in {contract.rule.title}, found {self.given.call}", "trump")

    def _exchange(self) -> Action | None:
        step, i = self.state.queue[0]
        given, transfers = self.given.exchange, self.state.transfers
        if step == "send":
            at = sum(1 for each in transfers if each.sent)
            if at >= len(given):
                return None
            self._take("exchange", place=f"parcel {at + 1}: ")
            return Send(given[at].sender, given[at].receiver, given[at].sent)
        # Parcels sent together may stand in either order; what comes back is with the parcel it is for.
        due = transfers[i]
        ends = (due.sender, due.receiver)
        at = next(at for at, each in enumerate(given) if (each.sender, each.receiver) == ends)
        back = given[at].returned
        if back is None:
            return automatic(self.state)
        self._take("exchange", place=f"parcel {at + 1}: ")
        return Return(due.receiver, due.sender, back)

    def _call(self) -> Action | None:
        if not self._take(self.call):
            return None
        call = self.given.call
        if self.state.phase == "CALL":
            return Call(0, call)
        if call not in ("S", "H", "D", "C") and (call != "N" or self.state.contract is None):
            refuse("illegal_trump", f"expected one of the four suits as trump, found {call!r:.60}", "trump")
        return NameTrump(namer(self.state), "SHDCN".index(call))

    def _discard(self) -> Action | None:
        if not self._take("discard") and self.state.profile.kitty:
            return None
        return Discard(0, self.given.discard or 0)

    def _kitty(self) -> Action:
        if self._take("kitty") and self.given.kitty != self.state.kitty:
            found = cards_text(self.given.kitty or 0)
            refuse(
                "wrong_kitty", f"expected the kitty of the deal, {card_names(self.state.kitty)}, found {found}", "kitty"
            )
        return TakeKitty(0)

    def _show(self) -> Action | None:
        if self.given.shown is None:
            return automatic(self.state)
        at = len(self.state.shown)
        if not self._take("shown"):
            due = automatic(self.state)
            assert isinstance(due, Show)
            expected = f"the dealer to show {card_names(due.cards)} to {NAMES[due.to]}"
            refuse("wrong_show", f"expected {expected}, found nothing shown", "shown")
        to, cards = self.given.shown[at]
        return Show(0, to, cards)

    def _swap(self) -> Action | None:
        if not self._take("swap"):
            return None
        return Swap(two_holder(self.state), bool(self.given.swap))

    def _play(self) -> Action | None:
        state = self.state
        seats, names = len(state.hands), state.profile.seat_names
        at = seats * len(state.tricks) + len(state.trick)
        if self._take("play", place=f"trick {len(state.tricks) + 1}, card {len(state.trick) + 1}: "):
            card, seat = self.given.play[at], state.mover
            holder = next((each for each in range(seats) if 0 <= card < 64 and state.hands[each] & bit(card)), seat)
            if holder != seat:
                found = f"found {card_text(card)}, which {names[holder]} holds"
                refuse("wrong_turn", f"expected a card that {names[seat]} holds, {found}", "play")
            return Play(seat, card)
        if self.given.claim is not None and self._take("claim"):
            return Claim(self.given.claim)
        return None

    # ---- what is left

    @property
    def _void(self) -> bool:
        """Did the auction find no contract?"""
        return self.state.profile.contracts and self.state.phase == "SCORE" and self.state.contract is None

    def _refuse_what_is_past(self) -> None:
        """At the beginning of a phase: what is left of those before it, or is not of this deal at all."""
        self.place = ""
        ahead = self.state.steps[self.state.at :]
        for field, (_, phases) in _FIELDS.items():
            if self.left.get(field) and not any(phase in ahead for phase in phases):
                self._refuse(field, ahead)

    def _refuse_leftovers(self, passed_out: bool) -> None:
        """What no phase took: something before it is missing, or this deal does not have it."""
        field = next((name for name in _FIELDS if self.left.get(name)), None)
        if field is None:
            return
        if field == "play" and self.state.phase == "SCORE" and not self._void:
            tricks = len(self.state.tricks)
            refuse("too_many_tricks", f"expected {tricks} tricks, found a card of trick {tricks + 1}", "play")
        self._refuse(field, () if passed_out else self.state.steps[self.state.at :], passed_out=passed_out)

    def _refuse(self, field: str, ahead: Sequence[str], *, passed_out: bool = False) -> NoReturn:
        """Refuse a field; `ahead`: the phases from this one on."""
        what, phases = _FIELDS[field]
        if any(phase in ahead for phase in phases) and self.state.phase not in phases:
            missing = next(name for name, (_, taking) in _FIELDS.items() if self.state.phase in taking)
            by = f" of {self._speaker}" if missing == "bids" and self.record.profile.contracts else ""
            refuse("missing", f"expected {_FIELDS[missing][0]}{by} before {what}, found none", missing)
        if field == "bids" and "BID" in self.start.steps:
            self._refuse_more_bids(passed_out=passed_out)
        found = "one" if field == "swap" else what
        refuse(
            "not_due", f"expected no {_NOUNS.get(field, field)} {self._why(field, passed_out)}, found {found}", field
        )

    @property
    def _speaker(self) -> str:
        """Who speaks next in an auction for a contract."""
        seat = contract_bidder(self.state)
        return "nobody" if seat is None else self.state.profile.letters[seat]

    def _refuse_more_bids(self, *, passed_out: bool) -> NoReturn:
        """Refuse bids after the end of the auction: how many it had, and how it ended."""
        given, contract = len(self.given.bids), self.state.contract
        how = "all have passed" if passed_out else "the auction is over"
        if contract is not None:
            seats = " and ".join(self.state.profile.letters[seat] for seat in contract.declarers)
            how += f" ({contract.rule.title} of {seats})"
        elif self._void:
            how += " (the deal is void)"
        expected = f"{given - self.left['bids']} bids and passes, after which {how}"
        refuse("not_due", f"expected {expected}, found {given}", "bids")

    def _why(self, field: str, passed_out: bool) -> str:
        if passed_out:
            return "in a deal that was passed out"
        if self._void:
            return "in a deal that is void"
        if field == "exchange" and self.state.transfers:
            return f"beyond {len(self.state.transfers)} parcels and what comes back for them"
        if field in ("exchange", "shown") and self.start.first:
            return "in the first deal of a match"
        if any(phase in self.start.steps for phase in _FIELDS[field][1]):
            return "here"
        return f"in this deal of {self.record.profile.id}"

    def _discrepancies(self, result: DealResult | None, totals: tuple[int, ...]) -> Iterator[Discrepancy]:
        stated = self.given.stated
        if stated is None or result is None:
            return
        rows = (("tricks", stated.tricks, result.tricks), ("balances", stated.balances, result.balances))
        for what, said, counted in (*rows, ("totals", stated.totals or (), totals)):
            for who, (one, other) in enumerate(zip(said, counted, strict=False)):
                if one is not None and one != other:
                    yield Discrepancy(self.index + 1, what, who, one, other, self.record.profile.letters)


_NOUNS: Final[Mapping[str, str]] = {
    "exchange": "parcel",
    "kitty": "kitty taken",
    "shown": "shown cards",
    "play": "play",
}
