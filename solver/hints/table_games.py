"""A game at a table: one deal from before its exchange to its last card, or a whole match; what bots did, and how long
it took them.

A bot is asked where its player has a choice; where there is only one thing to do, that is done. Bots never claim. What
a bot does wrong (it raises something, or what it answers is not open to its player) is a fault, which ends the game: it
is told, the deals before it stand, and KeyboardInterrupt alone comes through.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from tierce.solver.batch.strategies import said_of
from tierce.solver.checks import quoted
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Action, Claim
from tierce.solver.games.dealing import deal_by_lot
from tierce.solver.games.profile import Profile
from tierce.solver.games.record import NAME_MAX, Context, DealRecord, Record, Stated, check_name, record_of
from tierce.solver.games.rules import Open, apply, legal, settle
from tierce.solver.games.scoring import DealResult
from tierce.solver.games.state import State
from tierce.solver.games.view import view
from tierce.solver.hints.bots import Bot, bot_of, raised_in
from tierce.solver.hints.tables import AGAIN, SPAN, Seating, Table

__all__ = ["Fault", "Game", "Times", "Watch", "by_player", "play_game", "seated_bots"]

Watch: TypeAlias = Callable[[], None]  # is called before every decision; what it raises comes through

DRAWS: Final = "tierce-play-1"  # seeds the bots; raised if their lots change
SAID_MAX: Final = 300  # characters of an error that are kept
PASSES_MAX: Final = 50  # deals that all pass, one after the other
BIDS_MAX: Final = 200  # in one auction
LONGEST: Final = 500  # deals of a match, which is then given up


@dataclass(frozen=True, slots=True)
class Times:
    """Decisions that a bot was asked for, and the wall time they took: in all, the longest, all in seconds."""

    decisions: int = 0
    total: float = 0.0
    longest: float = 0.0

    def __add__(self, other: Times) -> Times:
        return Times(self.decisions + other.decisions, self.total + other.total, max(self.longest, other.longest))


@dataclass(frozen=True, slots=True)
class Fault:
    """What ended a game before its time: the name of the bot at fault, "" if it is that of none alone, and what was
    wrong."""

    bot: str
    said: str

    def __str__(self) -> str:
        return f"{self.bot}: {self.said}" if self.bot else self.said


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played. Players are numbered as the seats in which they began.

    number     of the game at its table; deal: of the deal or the match
    seating    whom each player is, by number among the table's names
    results    of its deals, as far as they were finished
    won        players who won the match with the last of them, () where it goes on or was given up
    times      by player
    deals, context   the record
    """

    number: int
    deal: int
    seating: Seating
    results: tuple[DealResult, ...]
    won: tuple[int, ...]
    times: tuple[Times, ...]
    deals: tuple[DealRecord, ...]
    context: Context | None
    fault: Fault | None = None

    def record(self, profile: Profile, names: Sequence[str]) -> Record:
        """The record, whose players are the bots by these names."""
        return Record(profile, self.deals, self.context, tuple(_player(names[each]) for each in self.seating))


def by_player(result: DealResult, values: Sequence[int]) -> tuple[int, ...]:
    """Values by seat of a deal, by player; four seats are the players' own."""
    if len(values) == 4:
        return tuple(values)
    return tuple(values[(player - result.dealer) % 3] for player in range(3))


def _player(name: str) -> str:
    """The name of a bot as it may stand in a record."""
    try:
        return check_name(name[:NAME_MAX].rstrip())
    except InputError:
        return "bot"


# ---- playing ---------------------------------------------------------------------------------------------------------


def seated_bots(table: Table) -> tuple[Bot, ...]:
    """The bots of a table's names. InputError (field "bots")."""
    return tuple(
        bot_of(name, seconds=table.seconds, worlds=table.worlds, contracts=table.profile.contracts)
        for name in table.names
    )


def play_game(table: Table, bots: Sequence[Bot], number: int, watch: Watch | None = None) -> Game:
    """Play a game of a table. `bots`: as `seated_bots` has them."""
    deal, seating = table.place(number)
    begin = table.begin(deal)
    run = _Run(table, deal, tuple(bots[each] for each in seating), begin, watch)
    fault = None
    try:
        run.to_end()
    except _Wrong as wrong:
        fault = wrong.fault
    record = record_of((*run.ended, run.state))
    results = run.state.results[len(begin.results) :]
    deals = _stated(table.profile, record.deals, results, begin.totals)
    return Game(number, deal, seating, results, run.state.won, tuple(run.times), deals, record.context, fault)


class _Wrong(Exception):
    """A fault on its way to the game it ends."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(slots=True)
class _Run:
    """A game while it is played: `ended` has the last state of each deal but the present one."""

    table: Table
    deal: int
    bots: tuple[Bot, ...]
    state: State
    watch: Watch | None
    ended: list[State] = field(default_factory=list)
    times: list[Times] = field(init=False)
    decisions: int = 0

    def __post_init__(self) -> None:
        self.times = [Times()] * self.table.profile.seats

    def to_end(self) -> None:
        """Play. _Wrong."""
        deals = 1 if self.table.matches is None else LONGEST
        for played in range(deals):
            self._deal(played)
            if self.state.won:
                return

    def _deal(self, played: int) -> None:
        """Play a deal, dealt again as long as everybody passes."""
        before = len(self.state.results)
        for again in range(PASSES_MAX):
            number = self.deal if self.table.matches is None else self.deal * SPAN + played
            cards = deal_by_lot(self.table.profile, self.table.seed, number + again * AGAIN, self.state.dealer)
            self.state = settle(apply(self.state, cards))
            while self.state.phase not in ("DEAL", "OVER"):
                self._move()
            if len(self.state.results) > before:
                return
        raise _Wrong(Fault("", f"everybody passed {PASSES_MAX} times"))

    def _move(self) -> None:
        state = self.state
        open_ = [each for each in legal(state) if each.kind is not Claim]
        if len(open_) == 1 and len(open_[0].choices) == 1:
            after = apply(state, open_[0].choices[0])
        else:
            after = self._asked(open_[0])
        if after.phase == "SCORE":
            self.ended.append(after)
        elif after.phase == "DEAL":  # all have passed
            self.ended.append(state)
        self.state = settle(after)

    def _asked(self, open_: Open) -> State:
        """The state after the bot's choice whose turn it is."""
        state, seat = self.state, open_.seat
        assert seat is not None
        player = state.player(seat)
        bot, source = self.bots[player], f"{DRAWS}:{self.table.seed}:{self.deal}:{self.decisions}:{player}"
        if len(state.bids) > BIDS_MAX:
            raise _Wrong(Fault("", f"more than {BIDS_MAX} bids in an auction"))
        if self.watch is not None:
            self.watch()
        self.decisions += 1
        seen = view(state, seat)
        try:
            began = time.perf_counter()
            action = bot.act(seen, source)
            took = time.perf_counter() - began
            self.times[player] += Times(1, took, took)
            return _done(state, open_, action)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a user's function may raise anything, SystemExit too
            said, place = said_of(error), raised_in(error)
        said = said if len(said) <= SAID_MAX else said[:SAID_MAX] + "..."
        raise _Wrong(Fault(bot.name, f"{said}{place and f' ({place})'}"))


def _done(state: State, open_: Open, action: Action) -> State:
    """The state after an action, which may be anything. InputError for one that is not open to the bot."""
    if not isinstance(action, open_.kind):
        raise InputError("action", f"expected {open_.kind.__name__} in the phase {state.phase}, found {quoted(action)}")
    return apply(state, action)


def _stated(
    profile: Profile, deals: Sequence[DealRecord], results: Sequence[DealResult], totals: tuple[int, ...]
) -> tuple[DealRecord, ...]:
    """The deals with the results of those that were finished."""
    found, left = [], list(results)
    for deal in deals:
        if left and (profile.contracts or len(deal.play) == 3 * profile.hand):
            result = left.pop(0)
            gained = by_player(result, result.balances)
            totals = tuple(total + more for total, more in zip(totals, gained, strict=True))
            deal = replace(deal, stated=Stated(result.tricks, result.balances, totals))
        found.append(deal)
    return tuple(found)
