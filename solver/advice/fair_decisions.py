"""The decisions before the play judged by what their makers could know: parcels, and the dealer's trump with discard.

Estimates of `exchange_estimate` and `dealer_estimate` at the views of the deciders, with what was really chosen among
the candidates. Where the trump is named before the kitty is seen, and the discard after it, each is judged alone.
"""

from __future__ import annotations

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
from tierce.solver.advice.sending import sender_of
from tierce.solver.errors import InputError
from tierce.solver.games.actions import Send
from tierce.solver.games.phases import TWO, open_sends
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State, held
from tierce.solver.games.view import view

__all__ = ["Fair", "FairDecision", "fair_decisions", "fair_review"]

Json: TypeAlias = dict[str, Any]
FairWhat: TypeAlias = Literal["exchange", "trump", "discard", "swap", "trump and discard"]

_PHASES: Final = ("TRUMP", "CALL", "DISCARD", "SWAP")


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
class Fair:
    """A deal by what its players could know: decisions before the play, and cards played with a choice.

    worlds   so many for each; seed: which
    """

    decisions: tuple[FairDecision, ...]
    plays: tuple[FairPlay, ...]
    worlds: int
    seed: int

    def lost(self, seat: int) -> float:
        """What a seat's cards cost it, by this measure; the best of several means is a little too high by chance."""
        return sum(play.loss.value for play in self.plays if play.seat == seat)

    def json(self) -> Json:
        """As JSON values."""
        return {
            "kind": "estimate",
            "worlds": self.worlds,
            "seed": self.seed,
            "decisions": [each.json() for each in self.decisions],
            "plays": [each.json() for each in self.plays],
        }


def fair_review(
    deal: ReplayedDeal,
    *,
    worlds: int = FAIR_WORLDS,
    seed: int = DEFAULT_SEED,
    threads: int = 1,
    watch: Callable[[float], None] | None = None,
) -> Fair:
    """All of a deal. `watch` is called ten times a second with the share that is done, from 0 to 1; what it raises, and
    KeyboardInterrupt, stops the work within 50 ms. InputError (field "worlds" or "seed")."""
    search = FairSearch(deal, worlds=worlds, seed=seed, threads=threads)
    plays = search.run(None if watch is None else lambda: watch(search.done / 2))
    told = None if watch is None else lambda: watch(0.5)
    return Fair(tuple(fair_decisions(deal, worlds=worlds, seed=seed, threads=threads, watch=told)), plays, worlds, seed)


def fair_decisions(
    deal: ReplayedDeal,
    *,
    worlds: int = FAIR_WORLDS,
    seed: int = DEFAULT_SEED,
    threads: int = 1,
    watch: Watch | None = None,
) -> Iterator[FairDecision]:
    """The decisions in their order. What cannot be estimated (a discard before parcels are sent) is left out."""
    judged: set[int] = set()  # parcels, by their number in the exchange
    dealt: set[str] = set()
    for action, state in deal.steps():
        found: FairDecision | None = None
        if isinstance(action, Send):
            now = open_sends(state)
            if not judged & set(now):
                judged |= set(now)
                found = _sender(state, deal.state, worlds, seed, threads, watch)
        elif state.phase in _PHASES and not dealt & set(_dealers(state)):
            found = _dealer(state, deal.state, worlds, seed, threads, watch)
            dealt |= set(_dealers(state)) if found is not None else set()
        if found is not None:
            yield found


def _dealers(state: State) -> tuple[FairWhat, ...]:
    """What the dealer decides at a state in one go."""
    ahead = state.steps[state.at :]
    blind = "DISCARD" in ahead and not ("KITTY" in ahead and ahead.index("KITTY") < ahead.index("DISCARD"))
    if state.phase in ("TRUMP", "CALL"):
        return ("trump", "discard") if blind else ("trump",)
    return ("discard",) if state.phase == "DISCARD" else ("swap",)


def _dealer(state: State, end: State, worlds: int, seed: int, threads: int, watch: Watch | None) -> FairDecision | None:
    parts = _dealers(state)
    if state.call and len(parts) == 2:
        parts = ("discard",)
    discard = end.discard if "discard" in parts else 0
    swap = end.swapped if "swap" in parts or (parts == ("trump",) and _swaps_with(state)) else None
    try:
        search = EstimateSearch(
            view(state, 0), worlds=worlds, seed=seed, threads=threads, chosen=Candidate(end.call, Choice(discard, swap))
        )
    except InputError as error:
        if error.code in ("not_due", "view", "choice"):
            return None
        raise
    found = search.run(watch)
    what: FairWhat = "trump and discard" if len(parts) == 2 else parts[0]
    return None if found.loss is None else FairDecision(what, 0, found.loss, found.worlds)


def _swaps_with(state: State) -> bool:
    """Is the up-card taken, or not, in the same decision as the trump?"""
    return "SWAP" in state.steps[state.at :] and held(state.hands[0], TWO)


def _sender(state: State, end: State, worlds: int, seed: int, threads: int, watch: Watch | None) -> FairDecision | None:
    seat = sender_of(state)
    chosen = [end.transfers[i].sent for i in open_sends(state)]
    search = ExchangeEstimateSearch(view(state, seat), worlds=worlds, seed=seed, threads=threads, chosen=chosen)
    found = search.run(watch)
    return None if found.loss is None else FairDecision("exchange", seat, found.loss, found.worlds)
