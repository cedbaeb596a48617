"""The contract table of a deal of Solo Whist: which contracts can be made, all cards seen, and what beats the others.

    table = contract_table(deal, dealer=0, turned=parse_card("H5"))
    [row.makes for row in table.of("solo")], table.seats, table.highest

Contracts are asked about as yes/no questions, never counted unless `tricks` are wanted. What rests on the same search
(one trump, leader, split of the seats and objective) is asked in one go with one table: Solo, Abundance in Trumps and
Abundance in the turned-up suit of a seat; both pairs of a split (8 tricks for the one are 6 or more for none of the
other); Misère and Misère Ouverte. The cheap ones come first, and answers that follow from others are not asked for:
`contracts_bounds` says how, and proves it.

Of a contract that fails the lead that beats it is found by asking about each lead of the seat that leads, lowest first.
A lead of touching cards is that of the lowest of them.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tierce.solver.advice.contracts_asking import Asker, Split, contracts_of, splits_of
from tierce.solver.advice.contracts_bounds import SideBounds
from tierce.solver.advice.contracts_results import ContractRow, ContractTable
from tierce.solver.advice.crews import Watch, work_together
from tierce.solver.budget import Budget
from tierce.solver.cards import ALL_CARDS, NOTRUMP, SEATS4, STRAINS, Card, bit, card_name, suit_of
from tierce.solver.checks import check_type, check_whole, is_whole, quoted
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games.contracts import CONTRACTS
from tierce.solver.position import Position
from tierce.solver.query import DEFAULT_TABLE_MB, NO_LIMITS, Limits, pack, table_bytes
from tierce.solver.results import Objective
from tierce.solver.search import RESULT, STOP_CANCELLED, STOP_TIME, Engine

if TYPE_CHECKING:
    from tierce.solver.games.profile import Profile

__all__ = ["ContractSearch", "contract_table"]

HAND: Final = 13
THREADS_MAX: Final = 16
NEEDS: Final[Mapping[str, int]] = MappingProxyType({name: rule.needs for name, rule in CONTRACTS.items()})


class _StoppedError(Exception):
    """A limit was reached, or somebody cancelled."""


class ContractSearch:
    """The search for a deal's contract table; what it takes: `contract_table`.

    Thread safety: `table`, `done` and `cancel` from any thread, `run` from one.
    """

    def __init__(
        self,
        deal: Deal,
        dealer: int,
        turned: Card | None = None,
        *,
        trump: int | None = None,
        profile: Profile | None = None,
        tricks: bool = False,
        needs: Mapping[str, int] | None = None,
        limits: Limits = NO_LIMITS,
        threads: int = 1,
        table_mb: int = DEFAULT_TABLE_MB,
        engine: Engine | None = None,
    ) -> None:
        needs = _checked_needs(deal, needs)
        check_whole(dealer, 0, 3, "a dealer from 0 (north) to 3 (west)", "dealer")
        check_whole(threads, 1, THREADS_MAX, f"threads from 1 to {THREADS_MAX}", "threads")
        check_type(limits, Limits, "Limits")
        self.deal = deal
        self.dealer = dealer
        self.turned = turned
        self.trump = _trump(deal, dealer, turned, trump)
        declared = STRAINS if _option(profile, "ad_trump") else (NOTRUMP,)
        contracts = contracts_of((dealer + 1) % 4, self.trump, declared)
        self._rows = [ContractRow(contract, needs[contract.name]) for contract in contracts]
        self._ait_open = _option(profile, "ait_open")
        splits = splits_of(deal, self._rows)
        self._bounds = {split.game: SideBounds(deal.size) for split in splits if not split.game.fewest}
        self._tasks: list[Callable[[Engine], None]] = [partial(self._settle, split) for split in splits]
        if tricks:  # last, for all else is known by then and takes a tenth of the time
            self._tasks += [partial(self._count, split) for split in splits if not split.game.fewest]
        self._limits = limits
        # Nodes are counted one search after another, so that what is known at their limit is the same each time.
        self._threads = 1 if limits.max_nodes is not None or engine is not None else threads
        self._table_bytes = table_bytes(table_mb) // self._threads
        self._engines = [] if engine is None else [engine]
        self._lock = threading.Lock()  # for all that follows
        self._budget = Budget()
        self._error: BaseException | None = None
        self._finished = 0
        self._nodes = 0
        self._millis = 0.0
        self._stop = 0

    # ---- control -----------------------------------------------------------------------------------------------------

    def run(self, watch: Watch | None = None, every: float = 0.1) -> ContractTable:
        """Search to the end, or to the limit. `watch` is called every so many seconds.

        What it raises, and KeyboardInterrupt, stops the search within 50 ms and comes through; `table` has what was
        known then.
        """
        began = time.monotonic()
        self._budget = Budget(self._limits.timeout, self._limits.max_nodes)
        if not self._engines:
            self._engines = [Engine(self._table_bytes) for _ in range(self._threads)]
        if self._stop:
            self.cancel()
        waiting = deque(self._tasks)

        def told() -> None:
            self._millis = (time.monotonic() - began) * 1e3
            if watch is not None:
                watch()

        try:
            works = [partial(self._work, engine, waiting) for engine in self._engines]
            work_together(works, self.cancel, told, every)
        finally:
            self._millis = (time.monotonic() - began) * 1e3
        if self._error is not None:
            raise self._error
        return self.table

    def cancel(self) -> None:
        """Stop the search within 50 ms, from any thread; one that has not begun will not search."""
        self._stop = self._stop or STOP_CANCELLED
        for engine in self._engines:
            engine.cancel()

    @property
    def done(self) -> float:
        """The share of the searches that are done, from 0 to 1, whatever they cost."""
        return self._finished / len(self._tasks)

    @property
    def table(self) -> ContractTable:
        """What is known now."""
        with self._lock:
            rows, nodes = tuple(self._rows), self._nodes
        place = self.deal, self.dealer, self.trump, self.turned
        return ContractTable(*place, self._ait_open, rows, nodes, self._millis, self._stop)

    # ---- a thread ----------------------------------------------------------------------------------------------------

    def _work(self, engine: Engine, waiting: deque[Callable[[Engine], None]]) -> None:
        try:
            while waiting:
                try:
                    task = waiting.popleft()
                except IndexError:  # another thread was quicker
                    return
                engine.clear()
                task(engine)
                with self._lock:
                    self._finished += 1
        except _StoppedError:
            pass
        except BaseException as error:  # told in `run`, where the caller is
            self._error = error
            self.cancel()

    def _settle(self, split: Split, engine: Engine) -> None:
        """Answer what rests on a split: what is made, then what beats the rest, for which the table is warm by then.
        Rows that ask the same are answered together."""
        asker = Asker(self.deal, split, self._bounds.get(split.game), partial(self._ask, engine))
        alike: dict[tuple[int, int], list[int]] = {}
        for at in split.rows:
            alike.setdefault((self._rows[at].side, self._rows[at].needs), []).append(at)
        for own in alike.values():
            row = self._rows[own[0]]
            self._tell(own, makes=asker.makes(row))
        for own in alike.values():
            row = self._rows[own[0]]
            if not row.complete:
                self._tell(own, lead=asker.beating(row))

    def _count(self, split: Split, engine: Engine) -> None:
        """The tricks of every row of a split."""
        bounds = self._bounds[split.game]
        Asker(self.deal, split, bounds, partial(self._ask, engine)).count()
        for at in split.rows:
            low, high = bounds.interval(self._rows[at].side)
            assert low == high
            self._tell([at], tricks=low)

    def _tell(self, places: list[int], **found: Any) -> None:
        """What was found of these rows; another thread may at the same time find something else of them."""
        with self._lock:
            for at in places:
                self._rows[at] = replace(self._rows[at], **found)

    def _ask(
        self, engine: Engine, position: Position, side: int, objective: Objective, low: int, high: int
    ) -> tuple[int, int]:
        """A search under the limits; `_StoppedError` if it is not finished."""
        request = pack(position, side, objective, self._left(), low=low, high=high)
        at_least, at_most, stop, _, nodes, _ = RESULT.unpack(engine.run(request, cold=False))
        with self._lock:
            self._nodes += nodes
            self._budget.spend(nodes)
        if stop:
            self._halt(stop)
        return at_least, at_most

    def _left(self) -> Limits:
        """What is left of the limits."""
        if self._stop or self._budget.stop:
            self._halt(self._budget.stop)
        try:
            return self._budget.left()
        except LimitReached:  # the time was over in between
            self._halt(STOP_TIME)

    def _halt(self, stop: int) -> NoReturn:
        with self._lock:
            self._stop = self._stop or stop
        raise _StoppedError


def contract_table(
    deal: Deal,
    dealer: int,
    turned: Card | None = None,
    *,
    trump: int | None = None,
    profile: Profile | None = None,
    tricks: bool = False,
    needs: Mapping[str, int] | None = None,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    table_mb: int = DEFAULT_TABLE_MB,
    engine: Engine | None = None,
) -> ContractTable:
    """Which contracts of Solo Whist can be made in a deal, all cards seen, and what beats the others.

    deal      four hands of 13 cards
    dealer    the seat that dealt, 0 to 3; eldest, on its left, leads
    turned    the card that was turned up, one of the dealer's; or `trump`, its suit alone
    profile   the game, for its options ad_trump and ait_open; None: as they stand in solo_whist
    tricks    count the declarers' tricks, too: exact, some ten times the work; not of Misère
    needs     for hands of another size: tricks that make each contract by name, 0 for none at all
    limits    of all searches together, from now on; with a limit of nodes there is one thread
    threads   from 1 to 16
    table_mb  MiB at most for the tables of all threads
    engine    serves in place of a new one, with one thread; its table is emptied

    At a limit the table holds what is known (`complete` is False, `stop` says why). InputError names the field.
    """
    search = ContractSearch(
        deal,
        dealer,
        turned,
        trump=trump,
        profile=profile,
        tricks=tricks,
        needs=needs,
        limits=limits,
        threads=threads,
        table_mb=table_mb,
        engine=engine,
    )
    return search.run()


# ---- what is asked ---------------------------------------------------------------------------------------------------


def _checked_needs(deal: Deal, needs: Mapping[str, int] | None) -> Mapping[str, int]:
    """Refuse a deal that is none of four whole hands, unless it is said what makes a contract in it."""
    check_type(deal, Deal, "a Deal")
    if len(deal.hands) != 4:
        raise InputError("hands", f"expected a deal of four hands, found {len(deal.hands)}", field="deal")
    if needs is None:
        if deal.size != HAND:
            raise InputError("hands", f"expected four hands of {HAND} cards, found {deal.size} each", field="deal")
        return NEEDS
    if needs.keys() != NEEDS.keys():
        found = quoted(sorted(needs))
        raise InputError("needs", f"expected tricks for {', '.join(NEEDS)}, found {found}", field="needs")
    for name, tricks in needs.items():
        least, most = (0, 0) if CONTRACTS[name].fewest else (1, deal.size)
        check_whole(tricks, least, most, f"from {least} to {most} tricks for {name}", "needs")
    return dict(needs)


def _trump(deal: Deal, dealer: int, turned: Card | None, trump: int | None) -> int:
    """The suit of the turned-up card."""
    if turned is None:
        if trump is None:
            raise InputError(
                "turned", "expected the card turned up, or its suit as trump, found neither", field="turned"
            )
        check_whole(trump, 0, 3, "a trump suit from 0 (spades) to 3 (clubs)", "trump")
        return trump
    if trump is not None:
        raise InputError("turned", "expected the card turned up or its suit as trump, found both", field="turned")
    if not (is_whole(turned) and 0 <= turned < 64 and ALL_CARDS >> turned & 1):
        raise InputError("card", f"expected a card turned up, found {quoted(turned)}", field="turned")
    if not deal.hands[dealer] & bit(turned):
        where = next((f"in hand {SEATS4[seat]}" for seat in range(4) if deal.hands[seat] & bit(turned)), "in no hand")
        message = f"expected a card of the dealer's, {SEATS4[dealer]}, turned up, found {card_name(turned)} {where}"
        raise InputError("turned", message, field="turned")
    return suit_of(turned)


def _option(profile: Profile | None, name: str) -> bool:
    """An option of the game. InputError (code "game") for a game without contracts."""
    if profile is None:
        return False
    if not profile.contracts:
        raise InputError("game", f"expected a game of contracts, found {profile.id}", field="game")
    return bool(profile.option(name))
