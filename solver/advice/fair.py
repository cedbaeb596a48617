"""A hand judged by what its players could know: every choice of a card valued in worlds that fit the player's view.

The review with all cards seen is hindsight: a card may have lost tricks by the way the unseen cards happened to lie.
Here each card that could have been played is worth the mean, over random worlds that fit what its player knew
(PlayWorlds), of what he is sure of after it; what he played is held against the best mean in the same worlds. That is
an estimate, and an average over worlds assumes that the later play sees all cards. The best of many means is a little
too high by chance, so that small losses mean nothing: `blamed` asks for two standard errors.

Worlds are seeded by the place of the card, so that the same seed and number of worlds give the same answer, whatever
the threads. Where there is a time limit, it only decides which cards are judged: the last ones, since those are cheap
and the first ones dear; a card is judged in all its worlds or not at all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from tierce.solver.advice.crews import Watch, work_together
from tierce.solver.advice.draws import Draws
from tierce.solver.advice.estimate import DEFAULT_SEED
from tierce.solver.advice.estimate_results import Figure, average, told_apart
from tierce.solver.advice.play_worlds import PlayWorlds
from tierce.solver.cards import Card, card_name
from tierce.solver.checks import check_whole, is_number, quoted
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.actions import Play as PlayCard
from tierce.solver.games.profile import MIZ, three_hands
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.solver.games.view import view
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB
from tierce.solver.results import Objective
from tierce.solver.solver import Solver

__all__ = ["FAIR_WORLDS", "FairPlay", "FairSearch", "fair_plays"]

Json: TypeAlias = dict[str, Any]

FAIR_WORLDS: Final = 20
WORLDS_MAX: Final = 100_000


@dataclass(frozen=True, slots=True)
class FairPlay:
    """A card that was played, as its player could judge it.

    number  its place in the play, from 0; trick: from 1; seat: who played it
    worlds  so many were drawn, of `fit` that fit what he knew
    means   each card he could play, and the mean of what he was sure of after it: the best first
    loss    the best mean less that of the card played, in the same worlds, and its standard error
    """

    number: int
    trick: int
    seat: int
    card: Card
    worlds: int
    fit: int
    means: tuple[tuple[Card, float], ...]
    loss: Figure

    @property
    def best(self) -> Card:
        """The card with the best mean; of equal ones that which was played, or the first."""
        return self.means[0][0]

    @property
    def blamed(self) -> bool:
        """Can the loss be told from chance?"""
        return told_apart(self.loss, self.worlds)

    def json(self) -> Json:
        """As JSON values."""
        error = None if self.loss.error is None else round(self.loss.error, 4)
        return {
            "trick": self.trick,
            "seat": "DEM"[self.seat],
            "card": card_name(self.card),
            "loss": {"value": round(self.loss.value, 4), "error": error},
            "worlds": self.worlds,
            "fit": self.fit,
            "cards": [{"card": card_name(card), "mean": round(mean, 4)} for card, mean in self.means],
        }


class FairSearch:
    """All cards of a deal that were played with a choice.

    worlds   so many for each; seed: which; threads: from 1
    seconds  after so long the cards not yet judged are left out (`left`); None: none is

    Thread safety: `cancel` and `done` from any thread, `run` from one.
    """

    def __init__(
        self,
        deal: ReplayedDeal,
        *,
        worlds: int = FAIR_WORLDS,
        seed: int = DEFAULT_SEED,
        seconds: float | None = None,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        if not isinstance(deal, ReplayedDeal):
            raise InputError("type", f"expected a ReplayedDeal, found {type(deal).__name__}", field="deal")
        three_hands(deal.state.profile, "a review")
        if seconds is not None and not (is_number(seconds) and seconds >= 0):
            raise InputError("seconds", f"expected seconds of 0 or more, found {quoted(seconds)}", field="seconds")
        check_whole(worlds, 1, WORLDS_MAX, f"a number of worlds from 1 to {WORLDS_MAX:,}", "worlds")
        check_whole(threads, 1, 256, "threads from 1 to 256", "threads")
        Draws(seed)  # refuses what is no seed
        self._worlds = worlds
        self._seed = seed
        moves = [(state, action) for action, state in deal.steps() if isinstance(action, PlayCard)]
        self._moves = [
            (number, state, action.card)
            for number, (state, action) in enumerate(moves)
            if len(state.playable(state.mover)) > 1
        ]
        self._solvers = [Solver(max(1, table_mb // threads)) for _ in range(threads)]
        self._found: dict[int, FairPlay] = {}
        self._error: BaseException | None = None
        self._stopped = False
        self._seconds = seconds
        self._deadline: float | None = None
        self._next = iter(range(len(self._moves) - 1, -1, -1))
        self._lock = threading.Lock()

    @property
    def done(self) -> float:
        """The share of the cards that are judged."""
        return len(self._found) / max(1, len(self._moves))

    @property
    def left(self) -> tuple[tuple[int, State, Card], ...]:
        """The cards that are not judged: place in the play, state before, card."""
        return tuple(each for place, each in enumerate(self._moves) if place not in self._found)

    @property
    def nodes(self) -> int:
        """Starts of tricks searched."""
        return sum(solver.nodes for solver in self._solvers)

    def cancel(self) -> None:
        """Stop within 50 ms: `run` raises Cancelled."""
        self._stopped = True
        for solver in self._solvers:
            solver.cancel()

    def run(self, watch: Watch | None = None, every: float = 0.1) -> tuple[FairPlay, ...]:
        """The cards in their order. What `watch` raises, and KeyboardInterrupt, stops the work and comes through."""
        if self._seconds is not None:
            self._deadline = time.monotonic() + self._seconds
        work_together([partial(self._work, solver) for solver in self._solvers], self.cancel, watch, every)
        if self._error is not None:
            raise self._error
        if self._stopped:
            raise Cancelled
        return tuple(self._found[place] for place in sorted(self._found))

    def _work(self, solver: Solver) -> None:
        try:
            while not self._stopped:
                with self._lock:
                    place = next(self._next, None)
                if place is None:
                    return
                self._found[place] = self._judge(solver, *self._moves[place])
        except LimitReached:  # no time for this card, nor for those before it
            pass
        except Cancelled:
            self._stopped = True
        except BaseException as error:  # told in `run`, where the caller is
            self._error = error
            self.cancel()

    # ---- one card ----------------------------------------------------------------------------------------------------

    def _judge(self, solver: Solver, number: int, state: State, card: Card) -> FairPlay:
        seat = state.mover
        fitting = PlayWorlds(view(state, seat))
        draws = Draws(self._seed, number)
        solver.clear()
        rows = []
        for _ in range(self._worlds):
            rows.append(self._values(solver, state, fitting.draw(draws).hands_now))
            if self._stopped:
                raise Cancelled
        return _fair_play(number, state, card, rows, fitting.count)

    def _values(self, solver: Solver, state: State, hands: tuple[int, ...]) -> dict[Card, int]:
        """What each card is worth to its player in a world: his balance, so that more is better in MIZ, too."""
        position = Position(hands, state.trump, state.leader, state.trick, state.taken)
        few = state.call == MIZ
        objective: Objective = "fewest" if few else "most"
        found = solver.card_values(position, 1 << state.mover, objective, timeout=self._timeout())
        return {each.card: -each.tricks if few else each.tricks for each in found.cards}

    def _timeout(self) -> float | None:
        """Seconds left. LimitReached when there are none."""
        if self._deadline is None:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise LimitReached("timeout", "the time limit was reached")
        return left


def fair_plays(
    deal: ReplayedDeal,
    *,
    worlds: int = FAIR_WORLDS,
    seed: int = DEFAULT_SEED,
    seconds: float | None = None,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> tuple[FairPlay, ...]:
    """Judge a deal's cards by what their players could know. Arguments and errors: `FairSearch`."""
    return FairSearch(deal, worlds=worlds, seed=seed, seconds=seconds, threads=threads, table_mb=table_mb).run()


def _fair_play(number: int, state: State, card: Card, rows: Sequence[dict[Card, int]], fit: int) -> FairPlay:
    means = {each: sum(row[each] for row in rows) / len(rows) for each in rows[0]}
    order = sorted(means, key=lambda each: (-means[each], each != card))
    loss = average([row[order[0]] - row[card] for row in rows], [0.0] * len(rows))
    sign = -1 if state.call == MIZ else 1
    return FairPlay(
        number=number,
        trick=len(state.tricks) + 1,
        seat=state.mover,
        card=card,
        worlds=len(rows),
        fit=fit,
        means=tuple((each, sign * means[each]) for each in order),
        loss=loss,
    )
