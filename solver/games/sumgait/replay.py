"""Records of Sumgait Driller put to the rules: every action goes through `rules.apply`.

    for deal in replay(record).deals: ...

What a record leaves to the rules is filled in: nobody robbed, the deal was played, the cards of known piles in PASS.
A refusal is a RecordError with deal and field, the code that of the rule; besides the rules' own codes:

    wrong_declarer  another player declares         too_many_tricks  a card after the last trick
    unfinished      a deal follows an unfinished    missing          something was done before what had to be first
    match_over      a deal follows the match's end  not_due          something this deal does not have
    context         what came before cannot have been
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from tierce.solver.errors import InputError
from tierce.solver.games.refusing import refuse
from tierce.solver.games.sumgait.actions import (
    Action,
    Call,
    DealCards,
    Early,
    Give,
    Outcome,
    Play,
    Rob,
    Score,
    Shuffle,
    TakeKitty,
)
from tierce.solver.games.sumgait.cards import card_name, suit_of
from tierce.solver.games.sumgait.deal import SEAT_NAMES
from tierce.solver.games.sumgait.match import Result, Tally, at_goal, impossible
from tierce.solver.games.sumgait.prices import MISERE, PASS, PLAY, TRICKS
from tierce.solver.games.sumgait.record import Context, DealRecord, Discrepancy, Record, deal_of
from tierce.solver.games.sumgait.record_json import player_text
from tierce.solver.games.sumgait.rules import apply, automatic
from tierce.solver.games.sumgait.state import State, new_match

__all__ = ["Replay", "ReplayedDeal", "replay"]

DEALS_MAX: Final = 1000  # the highest number of a record's first deal


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal of a record, replayed.

    start    the state before the cards were dealt
    actions  everything that was done, automatic actions too
    state    as far as the record goes: ready for the score (phase SCORE), or wherever it ends
    result   of a finished deal
    """

    record: DealRecord
    start: State
    actions: tuple[Action, ...]
    state: State
    result: Result | None
    discrepancies: tuple[Discrepancy, ...]

    @property
    def number(self) -> int:
        """Of the deal in its match."""
        return self.start.number

    @property
    def finished(self) -> bool:
        """Was it played to its end?"""
        return self.result is not None

    @property
    def gained(self) -> tuple[int, int, int]:
        """What a finished deal brought each player in Vist, with ten times what he passed on; else three times 0."""
        if self.result is None:
            return 0, 0, 0
        before, after = self.start.tallies, self.result.tallies
        first, second, third = (now.vist - then.vist for now, then in zip(after, before, strict=True))
        return first, second, third

    def steps(self) -> Iterator[tuple[Action, State]]:
        """Every action and the state before it; then nothing: `state` is the one after the last."""
        state = self.start
        for action in self.actions:
            yield action, state
            state = apply(state, action)


@dataclass(frozen=True, slots=True)
class Replay:
    """A record, replayed. `record`: with what the rules filled in; `state`: after all of it."""

    record: Record
    deals: tuple[ReplayedDeal, ...]
    state: State

    @property
    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """Where a stated result is not what the recount gives."""
        return tuple(each for deal in self.deals for each in deal.discrepancies)


def replay(record: Record) -> Replay:
    """Replay a record. RecordError, with the place, for what the rules forbid."""
    state = _first_state(record)
    deals: list[ReplayedDeal] = []
    for index in range(len(record.deals)):
        try:
            if deals and not deals[-1].finished:
                message = f"expected deal {index} of the record to be finished, found another deal after it"
                refuse("unfinished", message, "deal")
            if state.phase == "OVER":
                refuse("match_over", f"expected no deal after the match was over in deal {index}, found one", "deal")
        except InputError as error:
            raise record.fault(error, index) from None
        deal, state = _Walk(record, index, state).deal()
        deals.append(deal)
    filled = tuple(_filled(deal) for deal in deals)
    return Replay(replace(record, deals=filled), tuple(deals), state)


def _filled(deal: ReplayedDeal) -> DealRecord:
    return replace(deal_of(deal.state), stated=deal.record.stated, line=deal.record.line)


def _first_state(record: Record) -> State:
    context = record.context
    if context is None:
        return new_match(record.game, (record.deals[0].declarer or 0) if record.deals else 0)
    try:
        _check_context(context, record.game.options)
    except InputError as error:
        raise record.fault(error) from None
    return State(record.game, context.declarer, context.number, tallies=context.tallies, robbers=context.robbers)


def _check_context(context: Context, options: Mapping[str, object]) -> None:
    """A match that goes on, with columns that can be."""
    if not 2 <= context.number <= DEALS_MAX:
        _impossible("deal", f"the number of a deal from 2 to {DEALS_MAX}", context.number)
    if context.declarer not in range(3):
        _impossible("declarer", "a player 0, 1 or 2", context.declarer)
    if not context.robbers <= {0, 1, 2}:
        _impossible("robbers", "players 0, 1 or 2", sorted(context.robbers))
    if cell := impossible(context.tallies, options):
        _impossible(*cell)
    if all(map(at_goal, context.tallies)):
        _impossible("game", "a match that goes on", [tally.game for tally in context.tallies])


def _impossible(where: str, expected: str, found: object) -> NoReturn:
    raise InputError("context", f"expected {expected}, found {found!r:.60}", field=f"context.{where}")


# In the order of a deal: the fields of a record, and what they hold.
_FIELDS: Final[Mapping[str, str]] = {
    "rob": "a robbery",
    "given": "cards given",
    "call": "a call",
    "piles": "piles",
    "play": "a card",
    "marriages": "a marriage",
}


class _Walk:
    """One deal of a record on its way through the phases."""

    def __init__(self, record: Record, index: int, state: State) -> None:
        self.record = record
        self.index = index
        self.given = record.deals[index]
        self.start = self.state = state
        self.actions: list[Action] = []
        self.place = ""  # within the field

    def deal(self) -> tuple[ReplayedDeal, State]:
        """The deal, and the state after it."""
        try:
            self._walk()
        except InputError as error:
            raise self.record.fault(error, self.index, said=self.place) from None
        result, after = None, self.state
        if self.state.phase == "SCORE":
            after = apply(self.state, Score())
            result = after.results[-1]
        found = ReplayedDeal(
            self.given,
            self.start,
            tuple(self.actions),
            self.state,
            result,
            tuple(self._discrepancies(result)),
        )
        return found, after

    def _do(self, action: Action) -> None:
        self.state = apply(self.state, action)
        self.actions.append(action)

    def _walk(self) -> None:
        given = self.given
        if given.declarer is not None and given.declarer != self.start.declarer:
            turn, found = map(player_text, (self.start.declarer, given.declarer))
            message = f"expected {turn} to declare, found {found}"
            refuse("wrong_declarer", message, "declarer")
        if given.deal is None:
            self._told()
            return
        if given.tricks is not None:
            refuse("not_due", "expected no tricks of a deal whose cards are known, found some", "tricks")
        self._do(DealCards(given.deal))
        self._before_the_play()
        if self.state.phase == "PLAY":
            self._tricks()
        elif self.state.phase == "GIVE" and (left := self._recorded(after="call" if self.state.call else "given")):
            refuse("missing", f"expected {_FIELDS['given']} before {_FIELDS[left]}, found none", "given")

    def _told(self) -> None:
        """A deal of which the record has only the row of the sheet."""
        given = self.given
        for name in ("rob", "given", "piles", "play"):
            if getattr(given, name) not in (None, ()):
                refuse(
                    "not_due", f"expected no {name} of a deal whose cards are not known, found {_FIELDS[name]}", name
                )
        if given.tricks is None:
            refuse("missing", "expected the tricks of a deal whose cards are not known, found none", "tricks")
        if any(marriage.trick is not None for marriage in given.marriages):
            message = "expected marriages without their trick in a deal whose cards are not known, found one with"
            refuse("not_due", message, "marriages")
        by_seat = [given.tricks[self.start.player(seat)] for seat in range(3)]
        suits = tuple(marriage.suit for marriage in given.marriages)
        self._do(Outcome(given.call or PLAY, suits, (by_seat[0], by_seat[1], by_seat[2])))

    def _recorded(self, after: str) -> str | None:
        """The first field recorded behind another, in the order of a deal."""
        names = list(_FIELDS)
        behind = names[names.index(after) + 1 :] if after else names
        return next((name for name in behind if getattr(self.given, name) not in (None, (), "")), None)

    def _before_the_play(self) -> None:
        """The phases up to the play, as far as they are recorded."""
        given = self.given
        if self.state.phase == "ROB" and (given.rob is not None or self._recorded(after="rob")):
            self._do(Rob(given.rob or None))
        elif self.state.phase != "ROB" and given.rob:
            refuse("illegal_robbery", "expected no second robbery of a player in this match, found one", "rob")
        if self.state.phase == "MISERE" and (given.call or self._recorded(after="rob")):
            self._do(Early(given.call == MISERE))
        if self.state.phase == "KITTY":
            self._do(TakeKitty())
        if self.state.phase == "GIVE" and given.given is not None:
            self._do(Give(*given.given))
        if self.state.phase == "CALL" and (given.call or self._recorded(after="call")):
            self._do(Call(given.call or PLAY))
        if self.state.phase == "SHUFFLE" and (given.piles is not None or self._recorded(after="piles")):
            self._do(Shuffle(given.piles))

    # ---- the play

    def _tricks(self) -> None:
        declared = self._declared()
        for at, card in enumerate(self.given.play):
            number, place = at // 3 + 1, at % 3
            self.place = f"trick {number}, card {place + 1}: "
            if self.state.phase != "PLAY":
                self.place = ""
                refuse("too_many_tricks", f"expected {TRICKS} tricks, found a card of trick {number}", "play")
            suit = declared.pop(number, None) if place == 0 else None
            if suit is not None and suit != suit_of(card):
                message = f"expected a king or queen of {'SHDC'[suit]}, found {card_name(card)}"
                refuse("illegal_marriage", message, "marriages")
            self._check_holder(card)
            self._do(Play(self.state.mover, card, marriage=suit is not None))
        self.place = ""
        self._turn_piles()
        if declared:
            message = f"expected marriages in tricks that were played, found one in trick {min(declared)}"
            refuse("not_due", message, "marriages")

    def _declared(self) -> dict[int, int]:
        """The suits declared, by trick."""
        found: dict[int, int] = {}
        for marriage in self.given.marriages:
            if marriage.trick is None:
                refuse("missing", "expected the trick of a marriage, found none", "marriages")
            if marriage.trick in found or marriage.trick < max(found, default=0):
                message = f"expected marriages in the order of their tricks, found one in trick {marriage.trick}"
                refuse("illegal_marriage", f"{message} behind it", "marriages")
            found[marriage.trick] = marriage.suit
        return found

    def _turn_piles(self) -> None:
        """Three piles whose order is known play themselves, if no card of it is recorded."""
        if self.given.play or self.state.call != PASS:
            return
        while self.state.phase == "PLAY" and (action := automatic(self.state)) is not None:
            self._do(action)

    def _check_holder(self, card: int) -> None:
        state, seat = self.state, self.state.mover
        holder = next((each for each in range(3) if state.hands[each] >> card & 1), seat)
        if holder != seat:
            found = f"found {card_name(card)}, which {SEAT_NAMES[holder]} holds"
            refuse("wrong_turn", f"expected a card of {SEAT_NAMES[seat]}, {found}", "play")

    def _discrepancies(self, result: Result | None) -> Iterator[Discrepancy]:
        stated = self.given.stated
        if stated is None or result is None:
            return
        rows = (
            ("tricks", stated.tricks, result.tricks),
            ("game", stated.game, _column(result.tallies, "game")),
            ("vist", stated.vist, _column(result.tallies, "vist")),
        )
        for what, said, counted in rows:
            for player, (one, other) in enumerate(zip(said, counted, strict=False)):
                if one is not None and one != other:
                    yield Discrepancy(self.index + 1, what, player, one, other)


def _column(tallies: tuple[Tally, Tally, Tally], name: str) -> tuple[int, int, int]:
    first, second, third = (getattr(tally, name) for tally in tallies)
    return first, second, third
