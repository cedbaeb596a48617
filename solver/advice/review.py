"""A hand that was played, judged: the ledger of its cards, and the decisions before them.

Values of decisions are those that `dealer_advice` and `exchange_advice` give at the moment of the decision, all cards
seen: what the decider is sure of if he and all who follow do what is best for themselves, against what he is sure of
after what he chose. The dealer's loss is divided: what the best discard with his trump falls short of the best of all
is the trump's, the rest the discard's.

Time goes first to the cards, then to the dealer's decision, then to the exchange, which costs most. What it does not
reach stays between bounds, or is told as not judged.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from tierce.solver.advice.choices import Choice, DealerChoices, choices_of_state
from tierce.solver.advice.crews import Watch
from tierce.solver.advice.dealer import THREADS_MAX, DealerSearch
from tierce.solver.advice.dealer_results import CallAdvice, Chosen, DealerAdvice
from tierce.solver.advice.exchange import ExchangeSearch
from tierce.solver.advice.ledger import LedgerSearch
from tierce.solver.advice.review_results import Decision, Review, What
from tierce.solver.advice.sending import due, sender_of
from tierce.solver.checks import check_type, check_whole, is_number, quoted
from tierce.solver.errors import Cancelled, InputError
from tierce.solver.games.phases import two_holder
from tierce.solver.games.profile import MIZ
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, Limits

__all__ = ["SECONDS", "ReviewSearch", "review"]

SECONDS: Final = 10.0
"""What a hand may take unless more is asked for."""
EQUAL_MAX: Final = 20  # choices told that are as good as any


class ReviewSearch:
    """The review of one deal of a record.

    deal       as `replay` gives it, with a trump named
    players    names by player; None: "player 1" ...
    seconds    after so long decisions are left as they are known; None: to the end; 0: the cards alone
    every      values of all cards for all seats, not for their player alone
    threads    from 1 to 16

    Thread safety: `cancel` from any thread, `run` from one. InputError (code "not_due") for a deal that has not come
    to its first lead.
    """

    def __init__(
        self,
        deal: ReplayedDeal,
        players: tuple[str, str, str] | None = None,
        *,
        seconds: float | None = SECONDS,
        every: bool = False,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        check_type(deal, ReplayedDeal, "a ReplayedDeal")
        check_whole(threads, 1, THREADS_MAX, f"threads from 1 to {THREADS_MAX}", "threads")
        if seconds is not None and not (is_number(seconds) and seconds >= 0):
            raise InputError("seconds", f"expected seconds of 0 or more, found {quoted(seconds)}", field="seconds")
        self._states = [state for _, state in deal.steps()] + [deal.state]
        lead = next((state for state in self._states if state.phase == "PLAY"), None)
        if lead is None:
            message = f"expected a deal that came to its first lead, found one in the phase {deal.state.phase}"
            raise InputError("not_due", message, field="deal")
        self.deal = deal
        self.players = players or ("player 1", "player 2", "player 3")
        position = Position(lead.hands, lead.trump, lead.leader)
        cards = [card for trick in deal.state.tricks for card in trick.cards] + list(deal.state.trick)
        self._few = lead.call == MIZ
        self._ledger = LedgerSearch(position, cards, few=self._few, every=every, table_mb=table_mb)
        self._seconds = seconds
        self._threads = threads
        self._table_mb = table_mb
        self._running: DealerSearch | ExchangeSearch | None = None
        self._cancelled = False
        self._nodes = 0
        self._began = 0.0
        self._decisions: list[Decision] = []
        self._skipped: list[tuple[What, int]] = []

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Watch | None = None, every: float = 0.1) -> Review:
        """Judge all there is time for. Cancelled after `cancel`."""
        self._began = time.monotonic()
        ledger = self._ledger.run(self._left)
        self._nodes = ledger.nodes
        if self._seconds != 0:
            self._judge_dealer(watch, every)
            self._judge_exchange(watch, every)
        else:
            self._skipped = [*self._senders(), *self._dealers()]
        order = {"exchange": 0, "trump": 1, "swap": 2, "discard": 3}
        return Review(
            self.deal,
            self.players,
            ledger,
            ledger.whole,
            tuple(sorted(self._decisions, key=lambda each: order[each.what])),
            tuple(self._skipped),
            self._nodes,
            (time.monotonic() - self._began) * 1e3,
        )

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread."""
        self._cancelled = True
        self._ledger.cancel()
        if self._running is not None:
            self._running.cancel()

    def _left(self) -> float | None:
        """Seconds left. The cards alone may take as long as a hand usually may: those of MIZ can take minutes."""
        if self._seconds is None:
            return None
        return max(1e-9, (self._seconds or SECONDS) - (time.monotonic() - self._began))

    @property
    def _limits(self) -> Limits:
        return Limits(self._left(), None)

    # ---- the dealer --------------------------------------------------------------------------------------------------

    def _dealers(self) -> Iterator[tuple[What, int]]:
        """The decisions there were of the dealer's."""
        steps = self.deal.state.steps
        yield "trump", 0
        if "DISCARD" in steps:
            yield "discard", 0
        elif any(state.phase == "SWAP" and two_holder(state) == 0 for state in self._states):
            yield "swap", 0

    def _judge_dealer(self, watch: Watch | None, every: float) -> None:
        """Trump and discard, or swap; one after the other where parcels lie between them."""
        done: set[What] = set()
        for state in self._states:
            if state.phase not in ("TRUMP", "CALL", "DISCARD", "SWAP") or done >= {"trump"}:
                continue
            try:
                choices = choices_of_state(state)
            except InputError as error:
                if error.code != "not_due":
                    raise
                continue
            for found in self._dealer_decision(state, choices, watch, every):
                if found.what not in done:
                    self._decisions.append(found)
                    done.add(found.what)
        self._skipped += [each for each in self._dealers() if each[0] not in done]

    def _dealer_decision(
        self, state: State, choices: DealerChoices, watch: Watch | None, every: float
    ) -> Iterator[Decision]:
        end = self.deal.state
        choice = Choice(end.discard if choices.count else 0, end.swapped if choices.swapper == 0 else None)
        search = DealerSearch(
            choices,
            find="one",
            chosen=(end.call, choice),
            limits=self._limits,
            threads=self._threads,
            table_mb=self._table_mb,
        )
        found = self._run(search, watch, every)
        call = next(each for each in found.calls if each.call == end.call)
        with_call, best = _ends(found, call), _best_ends(found)
        assert found.chosen is not None
        reached = _ends(found, found.chosen)
        if len(choices.calls) > 1:
            tied = [each.call for each in found.calls if found.balance(each) == best[0]] if best[0] == best[1] else []
            yield Decision("trump", 0, end.call, best, with_call, tuple(tied), len(tied) or None)
        if choices.count or choices.swapper == 0:
            equal, count = self._equal(choices, end.call, with_call[0] == with_call[1], watch, every)
            what: What = "discard" if choices.count else "swap"
            yield Decision(what, 0, choice, with_call, reached, equal, count)

    def _equal(
        self, choices: DealerChoices, call: str, known: bool, watch: Watch | None, every: float
    ) -> tuple[tuple[Choice, ...], int | None]:
        """The discards that are as good as any with this trump, if there is time."""
        if not known or self._left() == 1e-9:
            return (), None
        search = DealerSearch(
            replace(choices, calls=(call,)), limits=self._limits, threads=self._threads, table_mb=self._table_mb
        )
        found = self._run(search, watch, every).calls[0]
        return found.choices[:EQUAL_MAX], found.count if found.counted else None

    # ---- the exchange ------------------------------------------------------------------------------------------------

    def _turns(self) -> Iterator[State]:
        """Where the parcels of each sender were due."""
        before = None
        for state in self._states:
            if state.queue and state.queue[0][0] == "send" and sender_of(state) != before:
                before = sender_of(state)
                yield state

    def _senders(self) -> Iterator[tuple[What, int]]:
        return (("exchange", sender_of(state)) for state in self._turns())

    def _judge_exchange(self, watch: Watch | None, every: float) -> None:
        for state in self._turns():
            seat = sender_of(state)
            if self._left() == 1e-9:
                self._skipped.append(("exchange", seat))
                continue
            made = {(each.sender, each.receiver): each.sent for each in self.deal.state.transfers}
            search = ExchangeSearch(
                state,
                chosen=[made[each.sender, each.receiver] for each in due(state)],
                top=0,
                limits=self._limits,
                threads=self._threads,
                table_mb=self._table_mb,
            )
            found = self._run(search, watch, every)
            assert found.chosen is not None
            quota, chosen = found.quota, found.chosen
            best = max(found.low, chosen.low) - quota, found.high - quota
            if found.low == found.worth.range()[0] and chosen.low == found.low < chosen.high:
                self._skipped.append(("exchange", seat))
                continue
            value = chosen.low - quota, min(chosen.high, found.high) - quota
            known = found.low == found.high
            equal = tuple(each.way for each in found.best[:EQUAL_MAX]) if known else ()
            self._decisions.append(
                Decision("exchange", seat, chosen.way, best, value, equal, len(found.best) if known else None)
            )

    def _run(self, search: DealerSearch | ExchangeSearch, watch: Watch | None, every: float) -> Any:
        self._running = search
        if self._cancelled:
            search.cancel()
        found = search.run(watch, every)
        self._nodes += found.nodes
        if self._cancelled:
            raise Cancelled
        return found


def review(
    deal: ReplayedDeal,
    players: tuple[str, str, str] | None = None,
    *,
    seconds: float | None = SECONDS,
    every: bool = False,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> Review:
    """Judge a hand. Arguments and errors: `ReviewSearch`."""
    return ReviewSearch(deal, players, seconds=seconds, every=every, threads=threads, table_mb=table_mb).run()


def _ends(advice: DealerAdvice, of: CallAdvice | Chosen) -> tuple[float, float]:
    """Bounds of a balance."""
    quota = advice.quota(of.worth)
    ends = [of.worth.told(score) for score in (of.low, of.high)]
    low, high = ((quota - each if of.worth.kind == "cap" else each - quota) for each in ends)
    return low, high


def _best_ends(advice: DealerAdvice) -> tuple[float, float]:
    """Bounds of the best balance of all calls."""
    ends = [_ends(advice, call) for call in advice.calls]
    return max(low for low, _ in ends), max(high for _, high in ends)
