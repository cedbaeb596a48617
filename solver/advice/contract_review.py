"""A deal of a game of contracts, judged: the ledger of its cards, the auction against what could be made, the trump.

    review = contract_review(deal, players)
    review.sides, review.seats, review.turns, review.calls

Time goes first to the cards, then to the contract table that the auction is held against, then to the tricks that other
trumps would have taken where the bidder named one. What it does not reach is told as not judged. A void deal has an
auction and nothing else.

`review_search` makes the search for a deal of any game: this one, or that of three hands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from tierce.solver.advice.contract_accounts import TrumpJudged
from tierce.solver.advice.contract_calls import CallJudged, judged_calls
from tierce.solver.advice.contract_ledger import ContractLedger, ContractLedgerSearch
from tierce.solver.advice.contract_review_results import ContractReview, Part
from tierce.solver.advice.contracts import THREADS_MAX, ContractSearch
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.crews import Watch
from tierce.solver.advice.review import SECONDS, ReviewSearch
from tierce.solver.advice.review_results import Review
from tierce.solver.checks import check_type, check_whole, is_number, quoted
from tierce.solver.errors import Cancelled, InputError, LimitReached
from tierce.solver.games.contract_auction import trump_choices
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, Limits
from tierce.solver.solver import Solver

__all__ = ["NAMES", "AnyReview", "AnyReviewSearch", "ContractReviewSearch", "contract_review", "review_search"]

NAMES: Final = ("North", "East", "South", "West")


class ContractReviewSearch:
    """The review of one deal of a record, as `replay` gives it; arguments as of `ReviewSearch`.

    every    is taken for the sake of likeness: with two sides what is known for one is known for the other

    Thread safety: `cancel` from any thread, `run` and `known` from one. InputError: code "game" for a game without
    contracts, "not_due" for a deal that neither came to its first lead nor was void.
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
        check_whole(threads, 1, THREADS_MAX, f"threads from 1 to {THREADS_MAX}", "threads")
        if seconds is not None and not (is_number(seconds) and seconds >= 0):
            raise InputError("seconds", f"expected seconds of 0 or more, found {quoted(seconds)}", field="seconds")
        state = deal.state
        if not state.profile.contracts:
            raise InputError("game", f"expected a game of contracts, found {state.profile.id}", field="game")
        lead = next((each for each in (*(s for _, s in deal.steps()), state) if each.phase == "PLAY"), None)
        if lead is None and state.phase not in ("SCORE", "OVER"):
            message = f"expected a deal that came to its first lead or was void, found one in the phase {state.phase}"
            raise InputError("not_due", message, field="deal")
        self.deal = deal
        self.players = players or NAMES
        self._contract = state.contract if lead is not None else None
        self._ledger: ContractLedgerSearch | None = None
        if lead is not None and self._contract is not None:
            cards = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
            self._lead = Position(lead.hands, self._contract.trump, lead.leader)
            side = sum(1 << seat for seat in self._contract.declarers)
            fewest = self._contract.rule.fewest
            self._ledger = ContractLedgerSearch(self._lead, cards, side, fewest=fewest, table_mb=table_mb)
        self._seconds = seconds
        self._threads = threads
        self._table_mb = table_mb
        self._running: ContractSearch | Solver | None = None
        self._cancelled = False
        self._nodes = 0
        self._began = 0.0
        self._judged: ContractLedger | None = None
        self._table: ContractTable | None = None
        self._calls: tuple[CallJudged, ...] = ()
        self._trump: TrumpJudged | None = None

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Watch | None = None, every: float = 0.1) -> ContractReview:
        """Judge all there is time for. Cancelled after `cancel`. What `watch` raises, and KeyboardInterrupt, stops the
        work and comes through; `known` has what was known then."""
        self._began = time.monotonic()
        if self._ledger is not None:
            self._judged = self._ledger.run(self._watched(watch, every))
            self._nodes += self._judged.nodes
        if self._seconds != 0:
            self._judge_auction(watch, every)
            self._judge_trump()
        return self._review()

    @property
    def known(self) -> ContractReview | None:
        """What is known by now, once the cards are judged."""
        return None if self._ledger is not None and self._judged is None else self._review()

    def cancel(self) -> None:
        """Stop within 50 ms, from any thread."""
        self._cancelled = True
        if self._ledger is not None:
            self._ledger.cancel()
        if self._running is not None:
            self._running.cancel()

    @property
    def done(self) -> float:
        """The share of the work that is done, roughly, from 0 to 1."""
        cards = 1.0 if self._ledger is None else self._ledger.done
        table = self._running.done if isinstance(self._running, ContractSearch) else float(self._table is not None)
        return (cards + table) / 2

    def _review(self) -> ContractReview:
        millis = (time.monotonic() - self._began) * 1e3
        return ContractReview(
            self.deal,
            self.players,
            self._contract,
            self._judged,
            self._table,
            self._calls,
            self._trump,
            tuple(self._skipped()),
            self._nodes,
            millis,
        )

    def _skipped(self) -> Iterator[Part]:
        if self._table is None or any(call.loss is None for call in self._calls):
            yield "auction"
        if self._named and (self._trump is None or self._trump.loss is None):
            yield "trump"

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
        """Seconds left. The cards alone may take as long as a hand usually may."""
        if self._seconds is None:
            return None
        return max(1e-9, (self._seconds or SECONDS) - (time.monotonic() - self._began))

    # ---- the auction and the trump -----------------------------------------------------------------------------------

    def _judge_auction(self, watch: Watch | None, every: float) -> None:
        state = self.deal.state
        assert state.dealt is not None
        search = self._running = ContractSearch(
            state.dealt,
            state.dealer,
            state.turned,
            profile=state.profile,
            limits=Limits(self._left(), None),
            threads=self._threads,
            table_mb=self._table_mb,
        )
        if self._cancelled:
            search.cancel()
        try:
            table = search.run(watch, every)
        finally:
            self._running = None
        if self._cancelled:
            raise Cancelled
        self._nodes += table.nodes
        self._table = table
        self._calls = judged_calls(self.deal, table)

    @property
    def _named(self) -> tuple[int, ...]:
        """The trumps that the contract's bidder could name; () where he named none."""
        contract = self._contract
        return () if contract is None else trump_choices(self.deal.state.profile, contract.rule)

    def _judge_trump(self) -> None:
        contract, ledger = self._contract, self._judged
        if not self._named or contract is None or ledger is None:
            return
        (seat,) = contract.declarers
        rows = () if self._table is None else self._table.of(contract.name, seat)
        makes = {row.contract.trump: row.makes for row in rows}
        tricks = {contract.trump: ledger.start if ledger.whole else None}
        tricks |= {trump: self._tricks_with(trump, seat) for trump in self._named if trump != contract.trump}
        told = tuple((trump, makes.get(trump)) for trump in self._named)
        self._trump = TrumpJudged(seat, contract.trump, told, tuple((trump, tricks[trump]) for trump in self._named))

    def _tricks_with(self, trump: int, seat: int) -> int | None:
        """What the bidder takes with another trump, if there is time."""
        solver = self._running = Solver(self._table_mb)
        if self._cancelled:
            raise Cancelled
        position = Position(self._lead.hands, trump, self._lead.leader)
        try:
            return solver.solve(position, 1 << seat, timeout=self._left()).tricks
        except LimitReached:
            return None
        finally:
            self._nodes += solver.nodes
            self._running = None


def contract_review(
    deal: ReplayedDeal,
    players: tuple[str, ...] | None = None,
    *,
    seconds: float | None = SECONDS,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> ContractReview:
    """Judge a deal of a game of contracts. Arguments and errors: `ContractReviewSearch`."""
    return ContractReviewSearch(deal, players, seconds=seconds, threads=threads, table_mb=table_mb).run()


# ---- any game --------------------------------------------------------------------------------------------------------

AnyReview: TypeAlias = Review | ContractReview
AnyReviewSearch: TypeAlias = ReviewSearch | ContractReviewSearch


def review_search(
    deal: ReplayedDeal,
    players: tuple[str, ...] | None = None,
    *,
    seconds: float | None = SECONDS,
    every: bool = False,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
) -> AnyReviewSearch:
    """The search that reviews a deal, whatever its game. Arguments and errors: `ReviewSearch`."""
    check_type(deal, ReplayedDeal, "a ReplayedDeal")
    kind = ContractReviewSearch if deal.state.profile.contracts else ReviewSearch
    return kind(deal, players, seconds=seconds, every=every, threads=threads, table_mb=table_mb)
