"""A hand that was played, judged: the ledger of its cards, and the decisions before them.

Values of decisions are those that `dealer_advice` and `exchange_advice` give at the moment of the decision, all cards
seen: what the decider is sure of if he and all who follow do what is best for themselves, against what he is sure of
after what he chose. The dealer's loss is divided: what the best discard with his trump falls short of the best of all
is the trump's, the rest the discard's. A swap that is another seat's is two ways for the cards to lie, each worth a
floor: that at the first lead where the trump is named; before that the one after the trump that is best for the dealer,
of equal ones the worst for the seat. A discard or a swap before parcels is not judged.

Time goes first to the cards, then to a swap after the trump and the dealer's decision, then to a swap before the trump,
then to the exchange, which costs most. What it does not reach stays between bounds, or is told as not judged where the
bounds say no more than the rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from tierce.solver.advice.choices import Choice, DealerChoices, choices_of_state
from tierce.solver.advice.crews import Watch
from tierce.solver.advice.dealer import THREADS_MAX, DealerSearch
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.exchange import ExchangeSearch
from tierce.solver.advice.ledger import Ledger, LedgerSearch
from tierce.solver.advice.review_bounds import best_calls, best_ends, empty, ends, most, raised
from tierce.solver.advice.review_results import Decision, Review, What
from tierce.solver.advice.sending import due, sender_of
from tierce.solver.cards import SUIT_LETTERS
from tierce.solver.checks import check_type, check_whole, is_number, quoted
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.actions import NameTrump, Swap
from tierce.solver.games.phases import two_holder
from tierce.solver.games.profile import MIZ, three_hands
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.scoring import counted_tricks
from tierce.solver.games.state import State
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, Limits
from tierce.solver.solver import Solver

__all__ = ["SECONDS", "ReviewSearch", "review"]

SECONDS: Final = 10.0
"""What a hand may take unless more is asked for."""
_ORDER: Final = ("exchange", "trump", "swap", "discard")
EQUAL_MAX: Final = 20  # choices told that are as good as any


class ReviewSearch:
    """The review of one deal of a record.

    deal       as `replay` gives it, with a trump named
    players    names by player; None: "Player 0" ...
    seconds    after so long decisions are left as they are known; None: to the end; 0: the cards alone
    every      values of all cards for all seats, not for their player alone
    threads    from 1 to 16

    Thread safety: `cancel` from any thread, `run` and `known` from one. InputError (code "not_due") for a deal that has
    not come to its first lead.
    """

    def __init__(
        self,
        deal: ReplayedDeal,
        players: tuple[str, ...] | None = None,
        *,
        seconds: float | None = SECONDS,
        every: bool = False,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
    ) -> None:
        check_type(deal, ReplayedDeal, "a ReplayedDeal")
        three_hands(deal.state.profile, "a review")
        check_whole(threads, 1, THREADS_MAX, f"threads from 1 to {THREADS_MAX}", "threads")
        if seconds is not None and not (is_number(seconds) and seconds >= 0):
            raise InputError("seconds", f"expected seconds of 0 or more, found {quoted(seconds)}", field="seconds")
        self._states = [state for _, state in deal.steps()] + [deal.state]
        lead = next((state for state in self._states if state.phase == "PLAY"), None)
        if lead is None:
            message = f"expected a deal that came to its first lead, found one in the phase {deal.state.phase}"
            raise InputError("not_due", message, field="deal")
        self.deal = deal
        self.players = players or ("Player 0", "Player 1", "Player 2")
        position = Position(lead.hands, lead.trump, lead.leader)
        cards = [card for trick in deal.state.tricks for card in trick.cards] + list(deal.state.trick)
        self._few = lead.call == MIZ
        self._ledger = LedgerSearch(position, cards, few=self._few, every=every, table_mb=table_mb)
        self._seconds = seconds
        self._threads = threads
        self._table_mb = table_mb
        self._running: DealerSearch | ExchangeSearch | Solver | None = None
        self._cancelled = False
        self._nodes = 0
        self._began = 0.0
        self._judged: Ledger | None = None
        self._decisions: list[Decision] = []
        self._skipped: list[tuple[What, int]] = []

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Watch | None = None, every: float = 0.1) -> Review:
        """Judge all there is time for. Cancelled after `cancel`. What `watch` raises, and KeyboardInterrupt, stops the
        work and comes through; `known` has what was known then."""
        self._began = time.monotonic()
        ledger = self._ledger.run(self._watched(watch, every))
        self._nodes = ledger.nodes
        self._judged = ledger
        if self._seconds != 0:
            self._judge_swap(watch, every, called=True)
            self._judge_dealer(watch, every)
            self._judge_swap(watch, every, called=False)
            self._judge_exchange(watch, every)
        else:
            self._skipped = self._due
        return self._review(ledger, self._skipped)

    @property
    def known(self) -> Review | None:
        """What is known by now, once the cards are judged: decisions that are not judged yet count as skipped."""
        if self._judged is None:
            return None
        judged = {(each.what, each.seat) for each in self._decisions}
        return self._review(self._judged, [each for each in self._due if each not in judged])

    def _review(self, ledger: Ledger, skipped: Iterable[tuple[What, int]]) -> Review:
        decisions = tuple(sorted(self._decisions, key=lambda each: _ORDER.index(each.what)))
        millis = (time.monotonic() - self._began) * 1e3
        return Review(self.deal, self.players, ledger, ledger.whole, decisions, tuple(skipped), self._nodes, millis)

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread."""
        self._cancelled = True
        self._ledger.cancel()
        if self._running is not None:
            self._running.cancel()

    @property
    def done(self) -> float:
        """The share of the time that is spent, or without a limit of the work that is done, roughly; from 0 to 1."""
        if self._seconds:
            return min(1.0, (time.monotonic() - self._began) / self._seconds)
        running = self._running.done if isinstance(self._running, DealerSearch | ExchangeSearch) else 0.0
        judged = len(self._decisions) + len(self._skipped)
        return min(1.0, self._ledger.done * (judged + running + 1) / (len(self._due) + 1))

    def _watched(self, watch: Watch | None, every: float) -> Callable[[], float | None]:
        """`_left`, which is asked before every question about a card; `watch` is called then, if it is time."""
        due = 0.0

        def left() -> float | None:
            nonlocal due
            if watch is not None and time.monotonic() >= due:
                watch()
                due = time.monotonic() + every
            return self._left()

        return left

    def _left(self) -> float | None:
        """Seconds left. The cards alone may take as long as a hand usually may: those of MIZ can take minutes."""
        if self._seconds is None:
            return None
        return max(1e-9, (self._seconds or SECONDS) - (time.monotonic() - self._began))

    @property
    def _late(self) -> bool:
        return self._left() == 1e-9

    @property
    def _limits(self) -> Limits:
        return Limits(self._left(), None)

    @property
    def _due(self) -> list[tuple[What, int]]:
        """The decisions there were."""
        return [*self._senders(), *self._dealers(), *(("swap", seat) for _, seat in self._swaps())]

    def _balance(self, seat: int) -> float | None:
        """What a seat was sure of at the first lead, over its quota; None if the account begins later."""
        if self._judged is None or not self._judged.whole:
            return None
        state = self.deal.state
        kitty = counted_tricks(state.profile, (0, 0, 0))[0] if seat == 0 else 0
        balance = self._judged.start[seat] + kitty - state.quotas[seat]
        return -balance if self._few else balance

    # ---- the dealer --------------------------------------------------------------------------------------------------

    def _dealers(self) -> Iterator[tuple[What, int]]:
        """The decisions there were of the dealer's."""
        steps = self.deal.state.steps
        named = next(state for state in self._states if state.phase in ("TRUMP", "CALL"))
        if len(named.profile.calls) - len(named.used[named.dealer]) != 1:
            yield "trump", 0
        if "DISCARD" in steps:
            yield "discard", 0
        elif any(state.phase == "SWAP" and two_holder(state) == 0 for state in self._states):
            yield "swap", 0

    def _judge_dealer(self, watch: Watch | None, every: float) -> None:
        """Trump and discard, or swap; one after the other where parcels lie between them."""
        done: set[What] = set()
        due = {what for what, _ in self._dealers()}
        for state in self._states:
            if state.phase not in ("TRUMP", "CALL", "DISCARD", "SWAP") or done >= due or self._late:
                continue
            try:
                choices = choices_of_state(state)
            except InputError as error:
                if error.code != "not_due":
                    raise
                continue
            for found, highest in self._dealer_decision(state, choices, watch, every):
                if found.what not in done and not empty(found, highest):
                    self._decisions.append(found)
                    done.add(found.what)
        self._skipped += [each for each in self._dealers() if each[0] not in done]

    def _dealer_decision(
        self, state: State, choices: DealerChoices, watch: Watch | None, every: float
    ) -> Iterator[tuple[Decision, float]]:
        """The dealer's decisions at a state, each with the highest balance that the rules allow."""
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
        reached = self._reached(found)
        with_call = raised(ends(found, call), reached[0])
        best = raised(best_ends(found), with_call[0])
        if len(choices.calls) > 1:
            tied = [each.call for each in found.calls if ends(found, each)[0] == best[0]] if best[0] == best[1] else []
            trump = Decision("trump", 0, end.call, best, with_call, tuple(tied), len(tied) or None)
            yield trump, max(most(found, each) for each in found.calls)
        if choices.count or choices.swapper == 0:
            equal, count = self._equal(choices, end.call, with_call, watch, every)
            what: What = "discard" if choices.count else "swap"
            yield Decision(what, 0, choice, with_call, reached, equal, count), most(found, call)

    def _reached(self, found: DealerAdvice) -> tuple[float, float]:
        """Bounds of what the dealer's choices left him sure of: the account tells, unless another seat chose later."""
        assert found.chosen is not None
        sure = self._balance(0) if found.choices.swapper in (None, 0) else None
        return ends(found, found.chosen) if sure is None else (sure, sure)

    def _equal(
        self, choices: DealerChoices, call: str, best: tuple[float, float], watch: Watch | None, every: float
    ) -> tuple[tuple[Choice, ...], int | None]:
        """The discards that are as good as any with this trump, if there is time."""
        if best[0] != best[1] or self._late:
            return (), None
        search = DealerSearch(
            replace(choices, calls=(call,)), limits=self._limits, threads=self._threads, table_mb=self._table_mb
        )
        advice = self._run(search, watch, every)
        found = advice.calls[0]
        if ends(advice, found)[0] != best[0]:  # stopped before it knew one
            return (), None
        return found.choices[:EQUAL_MAX], found.count if found.counted else None

    # ---- the swap of another seat ------------------------------------------------------------------------------------

    def _swaps(self) -> Iterator[tuple[State, int]]:
        """Where another seat than the dealer could take the up-card, and which."""
        for state in self._states:
            if state.phase == "SWAP" and two_holder(state):
                yield state, two_holder(state)

    def _judge_swap(self, watch: Watch | None, every: float, *, called: bool) -> None:
        """The swap of another seat, after the trump was named or before."""
        for state, seat in self._swaps():
            if bool(state.call) != called:
                continue
            took = self.deal.state.swapped
            assert took is not None
            worth = {each: self._swap_worth(state, Swap(seat, each), watch, every) for each in (took, not took)}
            known = [value for value in worth.values() if value is not None]
            if len(known) < len(worth):
                self._skipped.append(("swap", seat))
                continue
            sure, best = known[0], max(known)
            equal = tuple(Choice(swap=each) for each, value in worth.items() if value == best)
            self._decisions.append(
                Decision("swap", seat, Choice(swap=took), (best, best), (sure, sure), equal, len(equal))
            )

    def _swap_worth(self, state: State, action: Swap, watch: Watch | None, every: float) -> float | None:
        """What a seat is sure of after its swap, over its quota, if there is time to find out."""
        if state.call and action.take == self.deal.state.swapped:
            return self._balance(action.seat)
        after = settle(apply(state, action))
        leads = [after] if state.call else self._replies(after, watch, every)
        values = [self._value(lead, action.seat) for lead in leads]
        known = [value for value in values if value is not None]
        return min(known) - state.quotas[action.seat] if known and len(known) == len(values) else None

    def _replies(self, state: State, watch: Watch | None, every: float) -> list[State]:
        """The first leads after each trump that is best for the dealer; none where parcels come first, or no time is
        left to know them."""
        if self._late:
            return []
        try:
            choices = choices_of_state(state)
        except InputError as error:
            if error.code != "not_due":
                raise
            return []
        search = DealerSearch(choices, find="one", limits=self._limits, threads=self._threads, table_mb=self._table_mb)
        found = self._run(search, watch, every)
        return [settle(apply(state, NameTrump(0, SUIT_LETTERS.index(call)))) for call in best_calls(found)]

    def _value(self, lead: State, seat: int) -> int | None:
        """A seat's floor at a first lead, if there is time."""
        if self._late:
            return None
        position = Position(lead.hands, lead.trump, lead.leader)
        solver = self._running = Solver(self._table_mb)
        if self._cancelled:
            raise Cancelled
        try:
            found = solver.solve(position, 1 << seat, timeout=self._left())
        except LimitReached:
            return None
        finally:
            self._nodes += solver.nodes
        return found.tricks

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
            if self._late:
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
            value = chosen.low - quota, min(chosen.high, found.high) - quota
            known = found.low == found.high
            equal = tuple(each.way for each in found.best[:EQUAL_MAX]) if known else ()
            decision = Decision("exchange", seat, chosen.way, best, value, equal, len(found.best) if known else None)
            if empty(decision, found.worth.range()[1] - quota):
                self._skipped.append(("exchange", seat))
            else:
                self._decisions.append(decision)

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
    players: tuple[str, ...] | None = None,
    *,
    seconds: float | None = SECONDS,
    every: bool = False,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> Review:
    """Judge a hand. Arguments and errors: `ReviewSearch`."""
    return ReviewSearch(deal, players, seconds=seconds, every=every, threads=threads, table_mb=table_mb).run()
