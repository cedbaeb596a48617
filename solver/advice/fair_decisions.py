"""A hand judged by what its players could know, the decisions before the play with it: `fair_review`.

Decisions are estimates of `exchange_estimate` and `dealer_estimate` at the views of the deciders, with what was really
chosen among the candidates. Where the trump is named before the kitty is seen, and the discard after it, each is judged
alone. What cannot be estimated (a discard before parcels are sent, an up-card taken before the trump is named) and what
there was no time for is told as not judged.

Of the time the cards may have two thirds; then come the dealer's decisions, and then the parcels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tierce.solver.advice.candidates import Candidate
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.crews import Watch
from tierce.solver.advice.estimate import DEFAULT_SEED, EstimateSearch
from tierce.solver.advice.estimate_results import Figure, told_apart
from tierce.solver.advice.exchange_estimate import ExchangeEstimateSearch
from tierce.solver.advice.fair import FAIR_WORLDS, FairPlay, FairSearch
from tierce.solver.advice.review import SECONDS
from tierce.solver.advice.sending import sender_of
from tierce.solver.cards import Card, card_name
from tierce.solver.checks import is_number, quoted
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Send
from tierce.solver.games.phases import TWO, open_sends, two_holder
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State, held
from tierce.solver.games.view import view
from tierce.solver.query import DEFAULT_TABLE_MB

__all__ = ["Fair", "FairDecision", "FairLeft", "fair_decisions", "fair_review"]

Json: TypeAlias = dict[str, Any]
FairWhat: TypeAlias = Literal["exchange", "trump", "discard", "swap", "trump and discard"]

_PHASES: Final = ("TRUMP", "CALL", "DISCARD", "SWAP")
_OF_CARDS: Final = 2 / 3  # of the time


@dataclass(frozen=True, slots=True)
class FairDecision:
    """A decision before the play as its maker could judge it: how far the best candidate is ahead of what was chosen
    in the same worlds, with the standard error."""

    what: FairWhat
    seat: int
    loss: Figure
    worlds: int

    @property
    def blamed(self) -> bool:
        """Can the loss be told from chance?"""
        return told_apart(self.loss, self.worlds)

    def json(self) -> Json:
        """As JSON values."""
        error = None if self.loss.error is None else round(self.loss.error, 4)
        loss = {"value": round(self.loss.value, 4), "error": error}
        return {"what": self.what, "seat": "DEM"[self.seat], "loss": loss, "worlds": self.worlds}


@dataclass(frozen=True, slots=True)
class FairLeft:
    """What was not judged: a decision before the play, or "card" with its place in the play, its trick and the card."""

    what: FairWhat | Literal["card"]
    seat: int
    number: int | None = None
    trick: int | None = None
    card: Card | None = None

    def json(self) -> Json:
        """As JSON values."""
        out: Json = {"what": self.what, "seat": "DEM"[self.seat]}
        return out if self.card is None else out | {"trick": self.trick, "played": card_name(self.card)}


@dataclass(frozen=True, slots=True)
class Fair:
    """A deal by what its players could know: decisions before the play, and cards played with a choice.

    worlds   so many for each; seed: which
    left     what was not judged, in the order of the deal
    nodes    starts of tricks searched; millis: wall time
    """

    decisions: tuple[FairDecision, ...]
    plays: tuple[FairPlay, ...]
    worlds: int
    seed: int
    left: tuple[FairLeft, ...] = ()
    nodes: int = 0
    millis: float = 0.0

    def lost(self, seat: int) -> float:
        """What a seat's cards cost it, by this measure; the best of several means is a little too high by chance."""
        return sum(play.loss.value for play in self.plays if play.seat == seat)

    @property
    def few_worlds(self) -> bool:
        """Are there too few worlds to tell any loss from chance?"""
        return not told_apart(Figure(1.0, 0.0), self.worlds)

    def json(self) -> Json:
        """As JSON values."""
        return {
            "kind": "estimate",
            "worlds": self.worlds,
            "seed": self.seed,
            "decisions": [each.json() for each in self.decisions],
            "plays": [each.json() for each in self.plays],
            "not_judged": [each.json() for each in self.left],
            "nodes": self.nodes,
            "millis": round(self.millis, 3),
        }


def fair_review(
    deal: ReplayedDeal,
    *,
    worlds: int = FAIR_WORLDS,
    seed: int = DEFAULT_SEED,
    seconds: float | None = None,
    threads: int = 1,
    watch: Callable[[float], None] | None = None,
    every: float = 0.1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> Fair:
    """All of a deal, or what there is time for.

    seconds   None: to the end; 0: the cards alone, which may take as long as a hand usually may
    watch     is called every so many seconds with the share that is done, from 0 to 1; what it raises, and
              KeyboardInterrupt, stops the work within 50 ms
    table_mb  MiB for the tables of all threads

    InputError (field "worlds", "seed" or "seconds").
    """
    if seconds is not None and not (is_number(seconds) and seconds >= 0):
        raise InputError("seconds", f"expected seconds of 0 or more, found {quoted(seconds)}", field="seconds")
    began = time.monotonic()
    before = _Before(deal, worlds, seed, threads, None if not seconds else began + seconds, table_mb)
    share = _OF_CARDS if before.due and seconds != 0 else 1.0
    limit = None if seconds is None else (seconds or SECONDS) * share
    search = FairSearch(deal, worlds=worlds, seed=seed, seconds=limit, threads=threads, table_mb=table_mb)
    plays = search.run(None if watch is None else lambda: watch(search.done * share), every)
    if seconds != 0:
        before.run(None if watch is None else lambda: watch(share + before.done * (1 - share)), every)
    cards = [FairLeft("card", state.mover, number, len(state.tricks) + 1, card) for number, state, card in search.left]
    millis = (time.monotonic() - began) * 1e3
    nodes = search.nodes + before.nodes
    return Fair(before.decisions, plays, worlds, seed, (*before.left, *cards), nodes, millis)


def fair_decisions(
    deal: ReplayedDeal,
    *,
    worlds: int = FAIR_WORLDS,
    seed: int = DEFAULT_SEED,
    threads: int = 1,
    watch: Watch | None = None,
) -> Iterator[FairDecision]:
    """The decisions in their order. What cannot be estimated is left out."""
    before = _Before(deal, worlds, seed, threads, None)
    before.run(watch)
    yield from before.decisions


class _Before:
    """The decisions before the play.

    due        all there were, in the order of the deal: what, whose, and the state in which it was taken
    nodes      starts of tricks searched
    """

    def __init__(
        self,
        deal: ReplayedDeal,
        worlds: int,
        seed: int,
        threads: int,
        deadline: float | None,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        self._end = deal.state
        self._how: dict[str, Any] = {"worlds": worlds, "seed": seed, "threads": threads, "table_mb": table_mb}
        self._deadline = deadline  # on the monotonic clock
        self._found: dict[int, FairDecision] = {}
        self._judged = 0
        self.due = list(_due(deal))
        self.nodes = 0

    @property
    def done(self) -> float:
        """The share that is judged, or passed over."""
        return self._judged / max(1, len(self.due))

    @property
    def decisions(self) -> tuple[FairDecision, ...]:
        """Those that are judged."""
        return tuple(self._found[place] for place in sorted(self._found))

    @property
    def left(self) -> tuple[FairLeft, ...]:
        """The others."""
        return tuple(FairLeft(what, seat) for at, (what, seat, _) in enumerate(self.due) if at not in self._found)

    def run(self, watch: Watch | None, every: float = 0.1) -> None:
        """Judge them, the parcels last."""
        for at in sorted(range(len(self.due)), key=lambda at: self.due[at][0] == "exchange"):
            what, seat, state = self.due[at]
            search = None if self._late else self._search(what, seat, state)
            if search is not None:
                self._judge(at, search, watch, every)
            self._judged += 1

    @property
    def _late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _judge(
        self, at: int, search: EstimateSearch | ExchangeEstimateSearch, watch: Watch | None, every: float
    ) -> None:
        def look() -> None:
            if self._late:
                search.cancel()
            if watch is not None:
                watch()

        found = search.run(look, every)
        self.nodes += found.nodes
        if found.complete and found.loss is not None:
            what, seat, _ = self.due[at]
            self._found[at] = FairDecision(what, seat, found.loss, found.worlds)

    def _search(self, what: FairWhat, seat: int, state: State) -> EstimateSearch | ExchangeEstimateSearch | None:
        """The estimate of a decision; None where there is none."""
        if what == "exchange":
            chosen = [self._end.transfers[i].sent for i in open_sends(state)]
            return ExchangeEstimateSearch(view(state, seat), chosen=chosen, **self._how)
        discard = self._end.discard if what in ("discard", "trump and discard") else 0
        swap = self._end.swapped if what == "swap" or (what == "trump" and _swaps_with(state)) else None
        try:
            return EstimateSearch(view(state, 0), chosen=Candidate(self._end.call, Choice(discard, swap)), **self._how)
        except InputError as error:
            if error.code in ("not_due", "view", "choice"):
                return None
            raise


def _due(deal: ReplayedDeal) -> Iterator[tuple[FairWhat, int, State]]:
    """The decisions there were before the play."""
    sent: set[int] = set()  # parcels, by their number in the exchange
    dealt: set[str] = set()
    for action, state in deal.steps():
        if isinstance(action, Send) and not sent & set(open_sends(state)):
            sent |= set(open_sends(state))
            yield "exchange", sender_of(state), state
        elif state.phase == "SWAP" and two_holder(state):
            yield "swap", two_holder(state), state
        elif state.phase in _PHASES and not dealt & set(_dealers(state)):
            dealt |= set(_dealers(state))
            yield _called(state), 0, state


def _dealers(state: State) -> tuple[FairWhat, ...]:
    """What the dealer decides at a state in one go."""
    ahead = state.steps[state.at :]
    blind = "DISCARD" in ahead and not ("KITTY" in ahead and ahead.index("KITTY") < ahead.index("DISCARD"))
    if state.phase in ("TRUMP", "CALL"):
        return ("trump", "discard") if blind else ("trump",)
    return ("discard",) if state.phase == "DISCARD" else ("swap",)


def _called(state: State) -> FairWhat:
    """What the dealer decides at a state, where the trump is named already the discard alone."""
    parts = _dealers(state)
    return parts[0] if len(parts) == 1 else "discard" if state.call else "trump and discard"


def _swaps_with(state: State) -> bool:
    """Is the up-card taken, or not, in the same decision as the trump?"""
    return "SWAP" in state.steps[state.at :] and held(state.hands[0], TWO)
