"""The work of a study: the rows of one deal. No file, no thread and no cluster is known here.

    work = Work(study)            finds the game and the strategies; InputError if there is something wrong
    work.rows(number, line)       the rows of a deal, one a strategy; `line`: what is to be read, of a study of a file

Rows depend on the study, the number and the line alone. Thread safety: `rows` from any thread; each has an engine of
its own. What strategies share, because they chose alike, is valued once.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final, NoReturn, Protocol

from tierce.solver.advice.contracts import contract_table
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.quick import quick_discard, quick_trump
from tierce.solver.advice.sending import exchange_of_deal
from tierce.solver.batch.columns import COLUMNS, Row
from tierce.solver.batch.contracts import contracts_row
from tierce.solver.batch.jsonl import parse_line
from tierce.solver.batch.playing import Fault, exchanged, replied
from tierce.solver.batch.strategies import DEALING, SENDING, Strategy, load_strategy
from tierce.solver.batch.studies import Study, tierce_version
from tierce.solver.cards import SEATS3, Card, Mask, card_names, format_hand, trump_name
from tierce.solver.deal import Deal
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.games.actions import DealCards, Swap
from tierce.solver.games.dealing import random_deal
from tierce.solver.games.exchange import Transfer
from tierce.solver.games.phases import two_holder
from tierce.solver.games.profile import Profile
from tierce.solver.games.rules import apply, settle
from tierce.solver.games.state import State, new_match
from tierce.solver.position import Position
from tierce.solver.query import MIB, NO_LIMITS, Limits, Query
from tierce.solver.results import Floors, SideResult
from tierce.solver.search import RESULT, Engine
from tierce.solver.telling import SolveAnswer, SolveAsked

__all__ = ["Line", "Work", "chunk_rows"]

TABLE_MB: Final = 16  # of a thread's engine: what `solve_many` gives a worker
DRAWS: Final = "tierce-strategy-1"  # seeds the strategies' random numbers; raised if they change
TEXT_MAX: Final = 300  # characters kept of a deal that cannot be read

Tricks = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file that a study reads: its number there, from 1, and its text."""

    number: int
    text: str


@dataclass(slots=True)
class _Met:
    """What is known of one deal: how the dealer replied to an exchange, what a position is worth."""

    replies: dict[tuple[Any, ...], State | Fault] = field(default_factory=dict)
    tricks: dict[tuple[Any, ...], Tricks] = field(default_factory=dict)


class Elsewhere(Protocol):
    """Who answers in place of an engine here, any number of threads at a time: tierce.service.Client does."""

    def ask(self, asked: SolveAsked, *, timeout: float | None = None, max_nodes: int | None = None) -> SolveAnswer:
        """A question of `tierce solve`."""

    def contract_table(
        self,
        deal: Deal,
        dealer: int,
        turned: Card | None = None,
        *,
        trump: int | None = None,
        profile: Profile | None = None,
        limits: Limits = NO_LIMITS,
    ) -> ContractTable:
        """As tierce.solver.advice.contracts.contract_table."""


class Work:
    """A study made ready. `elsewhere` solves what is to be solved of deals; strategies decide here in any case."""

    def __init__(self, study: Study, elsewhere: Elsewhere | None = None) -> None:
        self._elsewhere = elsewhere
        if study.version != tierce_version():
            message = f"expected a study of this version, tierce {tierce_version()}, found one of {study.version}"
            raise InputError("version", message, field="study")
        self.study: Final = study
        self._engines = threading.local()
        if study.kind == "solve":
            return
        self.profile: Final = study.profile()
        if study.kind == "contracts":
            if not self.profile.contracts:
                _refuse("game", f"expected a game of contracts, found {self.profile.id}")
            return
        self.strategies: Final = [
            load_strategy(name, SENDING if study.kind == "exchange" else DEALING) for name in study.strategies
        ]
        if study.kind == "exchange":
            self._others = load_strategy(study.others or "lowest", SENDING)
            self._reply = load_strategy(study.reply or "quick", DEALING)
        self._probe()

    def _probe(self) -> None:
        """Refuse a study of which no deal could be played."""
        if self.profile.calls:
            _refuse("game", f"expected a game where the dealer names a trump, found the calls of {self.profile.id}")
        if self.study.kind == "dealer":
            if "BID" in self.profile.steps(first=True):
                _refuse("option", "expected first_deal_auction = false, found an auction before the dealer's choice")
            return
        state = self._exchange(random_deal(self.profile, 0))
        senders = dict.fromkeys(each.sender for each in state.transfers)
        if self.study.sender not in senders:
            names = " or ".join(SEATS3[seat] for seat in senders)
            found = "none" if self.study.sender is None else SEATS3[self.study.sender]
            _refuse("sender", f"expected the sender {names} after these tricks, found {found}")

    # ---- rows --------------------------------------------------------------------------------------------------------

    def rows(self, number: int, line: Line | None = None) -> list[Row]:
        """The rows of a deal. What is wrong with the deal or with a strategy stands in them."""
        if self.study.kind == "solve":
            assert line is not None
            return [self._row(line=line.number, **self._solved(line))]
        if self.study.kind == "contracts":
            assert line is not None
            return [self._row(line=line.number, **self._contracts(line))]
        try:
            begin = self._begin(number, line)
        except InputError as error:
            found = {"cards": _clean(line.text.strip()[:TEXT_MAX]) if line else "", "error": _clean(str(error))}
            return [self._row(deal=number, strategy=strategy.name, **found) for strategy in self.strategies]
        own = self._sent if self.study.kind == "exchange" else self._named
        met, source = _Met(), f"{DRAWS}:{self.study.seed or 0}:{number}"
        return [
            self._row(deal=number, cards=str(begin.dealt), strategy=each.name, **own(begin, each, source, met))
            for each in self.strategies
        ]

    def _row(self, **found: Any) -> Row:
        return tuple(found.get(each.name) for each in COLUMNS[self.study.kind])

    def _begin(self, number: int, line: Line | None) -> State:
        """The state before the first choice of a deal. InputError."""
        if line is None:
            assert self.study.seed is not None
            deal = random_deal(self.profile, self.study.seed, number)
        else:
            deal = _read(line)
        if self.study.kind == "dealer":
            return settle(apply(new_match(self.profile), DealCards(deal)))
        return self._exchange(_early(self.profile, deal) if line is None else deal)

    def _exchange(self, deal: Deal) -> State:
        study = self.study
        return exchange_of_deal(
            self.profile, deal, study.previous or (), quotas=study.previous_quotas, first_over=study.first_over
        )

    def _sent(self, begin: State, strategy: Strategy, source: str, met: _Met) -> dict[str, Any]:
        """What comes of a deal where the sender does as a strategy says."""
        seat = self.study.sender
        assert seat is not None
        found: dict[str, Any] = {"sender": SEATS3[seat]}
        try:
            after = exchanged(begin, seat, strategy, self._others, source)
        except Fault as fault:
            return found | {"error": _clean(str(fault))}
        found |= _parcels(after.transfers, seat)
        met_here = (after.hands, after.transfers)
        if met_here not in met.replies:
            try:
                met.replies[met_here] = replied(after, self._reply, source)
            except Fault as fault:
                met.replies[met_here] = fault
        return found | self._played(met.replies[met_here], seat, met)

    def _named(self, begin: State, strategy: Strategy, source: str, met: _Met) -> dict[str, Any]:
        """What comes of a deal where the dealer does as a strategy says."""
        try:
            end: State | Fault = replied(begin, strategy, source)
        except Fault as fault:
            end = fault
        return self._played(end, 0, met)

    def _played(self, end: State | Fault, seat: int, met: _Met) -> dict[str, Any]:
        if isinstance(end, Fault):
            return {"error": _clean(str(end))}
        where = (end.hands, end.trump)
        if where not in met.tricks:
            met.tricks[where] = self._floors(end)
        tricks = met.tricks[where]
        d, e, m = tricks
        found: dict[str, Any] = {
            "trump": trump_name(end.trump),
            "discard": format_hand(end.discard) if end.discard else None,
        }
        found |= {"floor_d": d, "floor_e": e, "floor_m": m, "own": tricks[seat]}
        back = _parcels(end.transfers, seat) if self.study.kind == "exchange" else {}
        return found | back | {"balance": tricks[seat] - end.quotas[seat]}

    def _floors(self, state: State) -> Tricks:
        """Floors at the first lead, as they count: a kitty that is a trick is the dealer's."""
        result = self._solve(Query(Position.start(Deal(state.hands), state.trump)), NO_LIMITS)
        assert isinstance(result, Floors)
        d, e, m = (each.tricks for each in result.sides)
        return d + (1 if state.profile.kitty_trick else 0), e, m

    def _solved(self, line: Line) -> dict[str, Any]:
        study = self.study
        ident, query = parse_line(line.text, line.number, study.trump)
        found: dict[str, Any] = {"id": json.dumps(ident)}
        if isinstance(query, InputError):
            return found | {"error": _clean(str(query))}
        result = self._solve(query, Limits(study.timeout, study.max_nodes))
        found |= {"kind": result.kind, "nodes": result.nodes}
        sides = result.sides if isinstance(result, Floors) else (result,)
        if not isinstance(result, Floors):
            found["side"] = result.name
        for each in sides:
            name = f"tricks_{each.name.lower()}" if isinstance(result, Floors) else "tricks"
            found[name] = each.low if each.complete else None
        try:
            _ = [each.tricks for each in sides]
        except LimitReached as limit:
            found["error"] = limit.message
        return found

    def _contracts(self, line: Line) -> dict[str, Any]:
        study = self.study
        limits = Limits(study.timeout, study.max_nodes)
        there = self._elsewhere
        table = partial(contract_table, engine=self._engine()) if there is None else there.contract_table
        found = contracts_row(line.text, line.number, study.dealer, study.trump, self.profile, limits, table)
        return found | {"error": _clean(found["error"])} if "error" in found else found

    def _engine(self) -> Engine:
        """This thread's."""
        engine: Engine | None = getattr(self._engines, "engine", None)
        if engine is None:
            engine = self._engines.engine = Engine(TABLE_MB * MIB)
        return engine

    def _solve(self, query: Query, limits: Limits) -> Floors | SideResult:
        requests = query.requests(limits)
        if not requests:
            return query.result([])
        if self._elsewhere is not None:
            asked = SolveAsked(query, query.position.leader)
            return self._elsewhere.ask(asked, timeout=limits.timeout, max_nodes=limits.max_nodes).result
        return query.result(list(RESULT.iter_unpack(self._engine().run(b"".join(requests), cold=True))))


# ---- pieces ----------------------------------------------------------------------------------------------------------


def _read(line: Line) -> Deal:
    try:
        return Deal.parse(line.text.strip())
    except InputError as error:
        raise error.located(line=line.number) from None


def _early(profile: Profile, deal: Deal) -> Deal:
    """A deal as it lies when the exchange begins, where the dealer discards before it, as he does by the quick rule, or
    the up-card is taken before it."""
    steps = profile.steps(first=False)
    early = set(steps[: next(at for at, step in enumerate(steps) if step in ("EXCHANGE", "SEND"))])
    if not early & {"DISCARD", "SWAP"}:
        return deal
    if "DISCARD" in early:
        hand = deal.hands[0] | deal.kitty
        discard = quick_discard(hand, quick_trump(hand, profile.kitty), profile.kitty)
        return Deal((hand & ~discard, *deal.hands[1:]), discard)
    state = settle(apply(new_match(profile), DealCards(deal)))
    if state.phase == "SWAP":
        state = apply(state, Swap(two_holder(state), True))
    return Deal(state.hands, state.kitty)


def _parcels(transfers: Sequence[Transfer], seat: int) -> dict[str, str | None]:
    """What a seat sent and got back, as far as it is known."""
    own = [each for each in transfers if each.sender == seat]
    return {
        "sent": _named_cards((each.receiver, each.sent) for each in own),
        "returned": _named_cards((each.receiver, each.returned) for each in own),
    }


def _named_cards(parcels: Iterable[tuple[int, Mask]]) -> str | None:
    return " ".join(f"{SEATS3[seat]}:{card_names(cards)}" for seat, cards in parcels if cards) or None


def _clean(text: str) -> str:
    """The text as UTF-8 can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()


def _refuse(code: str, message: str) -> NoReturn:
    raise InputError(code, message, field=code)


# ---- a chunk, anywhere -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _work(study: str) -> Work:
    return Work(Study.from_json(study))


def chunk_rows(study: str, chunk: int, lines: Sequence[Line] | None) -> list[Row]:
    """The rows of a chunk; `study`: its JSON. What machines of a cluster are asked to do."""
    work = _work(study)
    numbers = work.study.numbers(chunk)
    return [
        row
        for number, line in zip(numbers, lines if lines is not None else [None] * len(numbers), strict=True)
        for row in work.rows(number, line)
    ]
