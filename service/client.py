"""Clients: the library's questions put to a server, the library's own objects come back.

>>> from tierce.service import Client                                      # doctest: +SKIP
>>> with Client("localhost:50051") as client:                              # doctest: +SKIP
...     client.floors(position).tricks
{'D': 6, 'E': 2, 'M': 3}

Every call is a question and changes nothing, so one that failed for a passing reason (no connection, a full queue) is
put again, later each time, within the call's deadline: up to it where the server has answered before and cannot be
reached any more, else five times. Errors are the library's: InputError, LimitReached (of the deadline, too), Cancelled;
and ServiceError. `nodes` and `millis` are the server's: of an answer that it kept, those of the first time. A message
is never larger than 64 MiB.

`timeout` of a question is for its search, as in the library; `within` gives the calls a deadline. Thread safety: a
Client may be used by many threads, an AsyncClient by one event loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Self, TypeVar

import grpc

from tierce.service import wires, wires_estimates
from tierce.service.asking import (
    OPTIONS,
    Access,
    Questions,
    all_seats,
    bounded,
    cards_query,
    line_of,
    side_query,
    strains_of,
)
from tierce.service.errors import error_of
from tierce.service.streams import Many
from tierce.service.wires import Wire
from tierce.solver.advice.candidates import Candidate
from tierce.solver.advice.choices import Choice, DealerChoices
from tierce.solver.advice.contract_review_results import ContractReview
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.estimate_results import By as Goal
from tierce.solver.advice.estimate_results import DealerEstimate
from tierce.solver.advice.exchange_estimate_results import ExchangeEstimate, Reply
from tierce.solver.advice.exchange_results import ExchangeAdvice
from tierce.solver.advice.fair import FAIR_WORLDS
from tierce.solver.advice.fair_decisions import Fair
from tierce.solver.advice.review_results import Review
from tierce.solver.asking import Asked, Json
from tierce.solver.batch.many import Pause
from tierce.solver.cards import Card, Mask
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.games.profile import Profile
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.hints.objectives import By
from tierce.solver.hints.results import Hint, Method, Others
from tierce.solver.position import Position
from tierce.solver.query import NO_LIMITS, Limits, Query
from tierce.solver.results import CardValues, Floors, Objective, SideResult
from tierce.solver.telling import CardsAnswer, SolveAnswer, SolveAsked

__all__ = ["Client"]

T = TypeVar("T")


class Client(Questions):
    """A client that waits for its answers. Use it as a context, or `close` it.

    target            host:port
    ca, cert, key, token_file   see `Access`
    deadline          seconds that a call may take, tries included; None: any
    """

    def __init__(
        self,
        target: str = "localhost:50051",
        *,
        ca: str | None = None,
        cert: str | None = None,
        key: str | None = None,
        token_file: str | None = None,
        deadline: float | None = None,
    ) -> None:
        super().__init__(Access(target, ca, cert, key, token_file), deadline)
        credentials = self._access.credentials()
        self._channel = (
            grpc.insecure_channel(target, OPTIONS)
            if credentials is None
            else grpc.secure_channel(target, credentials, OPTIONS)
        )
        self._open(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all calls."""
        self._channel.close()

    def within(self, seconds: float) -> Self:
        """The same client, whose calls may take so long."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_deadline": seconds}
        return other

    def call(self, wire: Wire[T], watch: Callable[[Any], None] | None = None) -> T:
        """Make a call; `watch` gets the messages before the last, if there are any."""
        tries = self._tries()
        while True:
            try:
                found = self._start(wire, tries)
                found = _last(found, watch) if wire.streamed else found
                self._reached.set()
                return wire.read(found)
            except grpc.RpcError as error:
                time.sleep(tries.pause(error_of(error)))

    # ---- solve -------------------------------------------------------------------------------------------------------

    def ask(self, asked: SolveAsked, *, timeout: float | None = None, max_nodes: int | None = None) -> SolveAnswer:
        """A question of `tierce solve`, with all that it may ask for."""
        return self.call(wires.solve(asked, Limits(timeout, max_nodes)))

    def solve(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        at_least: int | None = None,
        at_most: int | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        bounds: bool = False,
    ) -> SideResult:
        """As tierce.solver.solve."""
        asked = SolveAsked(side_query(position, side, objective), position.leader, at_least, at_most)
        found = bounded(self.ask(asked, timeout=timeout, max_nodes=max_nodes), bounds)
        assert isinstance(found, SideResult)
        return found

    def floors(
        self,
        position: Position,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
        bounds: bool = False,
    ) -> Floors:
        """As tierce.solver.floors; of three hands."""
        asked = SolveAsked(all_seats(position, objective), position.leader)
        found = bounded(self.ask(asked, timeout=timeout, max_nodes=max_nodes), bounds)
        assert isinstance(found, Floors)
        return found

    def best_line(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> tuple[Card, ...]:
        """As tierce.solver.best_line."""
        asked = SolveAsked(side_query(position, side, objective), position.leader, line=True)
        return line_of(self.ask(asked, timeout=timeout, max_nodes=max_nodes))

    def card_values(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> CardValues:
        """As tierce.solver.card_values."""
        query = cards_query(position, side, objective)
        return self.cards(query, position.leader, timeout=timeout, max_nodes=max_nodes).values

    def cards(
        self,
        query: Query,
        first: int,
        *,
        all_seats: bool = False,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> CardsAnswer:
        """A question of `tierce cards`."""
        return self.call(wires.cards(query, first, Limits(timeout, max_nodes), all_seats=all_seats))

    def table(
        self, asked: Asked, *, declarers: bool = False, timeout: float | None = None, max_nodes: int | None = None
    ) -> tuple[Json, LimitReached | None]:
        """Every strain as JSON values, and the limit that came before all was known."""
        return self.call(wires.table(asked, Limits(timeout, max_nodes), declarers=declarers))

    def strain_table(
        self,
        deal: Deal,
        *,
        leader: int | None = None,
        objective: Objective = "most",
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> dict[str, dict[str, int]]:
        """As tierce.solver.strain_table."""
        four = len(deal.hands) == 4
        asked = wires.table_of(deal, leader, objective)
        return strains_of(self.table(asked, declarers=four, timeout=timeout, max_nodes=max_nodes))

    def solve_many(
        self,
        queries: Iterable[Query | Position | Literal[Pause.PAUSE]],
        *,
        limits: Limits | None = None,
        window: int = 256,
    ) -> Iterator[SideResult | Floors]:
        """As tierce.solver.solve_many: answers in the order of the questions; `relevant` is not told.

        Questions are read by another thread, at most `window` ahead. InputError, raised in its place, for a question
        that the server refuses.
        """
        many = Many(queries, limits or Limits(), window)
        tries = self._tries()
        while not many.finished:
            stream = None
            try:
                stub = self._stubs["Solve"]
                stream = stub.SolveMany(many.requests(), timeout=tries.seconds, metadata=self._access.metadata())
                for message in stream:
                    self._reached.set()
                    yield from many.take(message)
                many.end()
            except grpc.RpcError as error:
                pause = tries.pause(error_of(error))
                many.again()
                time.sleep(pause)
            finally:
                many.stop()
                if stream is not None:
                    stream.cancel()

    # ---- games, advice -----------------------------------------------------------------------------------------------

    def games(self) -> list[Json]:
        """The games as `tierce games --json` has them."""
        return self.call(wires.games())

    def game(self, name: str, options: Mapping[str, str] | None = None) -> Json:
        """A game, with options as text."""
        return self.call(wires.game(name, options or {}))

    def dealer_advice(
        self,
        choices: DealerChoices,
        value: str = "floor",
        *,
        find: str = "best",
        target: float | None = None,
        chosen: tuple[str, Choice] | None = None,
        timeout: float | None = None,
    ) -> DealerAdvice:
        """As tierce.solver.advice.dealer_advice; of games of the package."""
        return self.call(wires.dealer(choices, value, find, target, chosen, timeout, partial=False))[0]

    def exchange_advice(
        self,
        state: State,
        value: str = "floor",
        *,
        find: str = "best",
        target: float | None = None,
        chosen: Sequence[Mask] | None = None,
        top: int = 10,
        timeout: float | None = None,
    ) -> ExchangeAdvice:
        """As tierce.solver.advice.exchange.exchange_advice; of games of the package."""
        return self.call(wires.exchange(state, value, find, target, chosen, top, timeout, partial=False))

    def contract_table(
        self,
        deal: Deal,
        dealer: int,
        turned: Card | None = None,
        *,
        trump: int | None = None,
        profile: Profile | None = None,
        tricks: bool = False,
        limits: Limits = NO_LIMITS,
    ) -> ContractTable:
        """As tierce.solver.advice.contracts.contract_table; of four hands of 13 cards, and games of the package."""
        wire = wires.contracts(deal, dealer, turned, trump=trump, profile=profile, tricks=tricks, limits=limits)
        return self.call(wire)

    def review(
        self,
        deal: ReplayedDeal,
        players: tuple[str, ...] | None = None,
        *,
        seconds: float | None = 10.0,
        every: bool = False,
    ) -> Review:
        """As tierce.solver.advice.review.review; of games of the package."""
        return self.call(wires.review(deal, players, seconds, every=every))

    def contract_review(
        self, deal: ReplayedDeal, players: tuple[str, ...] | None = None, *, seconds: float | None = 10.0
    ) -> ContractReview:
        """As tierce.solver.advice.contract_review.contract_review; of games of the package."""
        return self.call(wires.contract_review(deal, players, seconds))

    def dealer_estimate(
        self,
        view: View,
        *,
        worlds: int | None = None,
        seconds: float | None = None,
        seed: int = 1,
        by: Goal = "mean",
        calls: Sequence[str] = (),
        chosen: Candidate | None = None,
    ) -> DealerEstimate:
        """As tierce.solver.advice.estimate.dealer_estimate; of games of the package. Without seconds and worlds it
        takes ten seconds, or as long as the call's deadline lets."""
        wire = wires_estimates.dealer(
            view, worlds=worlds, seconds=seconds, seed=seed, by=by, calls=calls, chosen=chosen
        )
        return self.call(wire)

    def exchange_estimate(
        self,
        view: View,
        *,
        worlds: int | None = None,
        seconds: float | None = None,
        seed: int = 1,
        reply: Reply = "quick",
        by: Goal = "mean",
        chosen: Sequence[Mask] | None = None,
    ) -> ExchangeEstimate:
        """As tierce.solver.advice.exchange_estimate.exchange_estimate, in the same way."""
        wire = wires_estimates.exchange(
            view, worlds=worlds, seconds=seconds, seed=seed, reply=reply, by=by, chosen=chosen
        )
        return self.call(wire)

    def fair_review(
        self, deal: ReplayedDeal, *, worlds: int = FAIR_WORLDS, seed: int = 1, seconds: float | None = 10.0
    ) -> Fair:
        """As tierce.solver.advice.fair_decisions.fair_review; of games of the package."""
        return self.call(wires_estimates.fair(deal, worlds=worlds, seed=seed, seconds=seconds))

    def hint(
        self,
        view: View,
        *,
        seconds: float | None = None,
        worlds: int | None = None,
        seed: int = 1,
        by: By | None = None,
        utility: Sequence[float] | None = None,
        method: Method | None = None,
        others: Others | None = None,
        infer: bool = True,
    ) -> Hint:
        """As tierce.solver.hints.hint; of games of the package. Without seconds and worlds it takes a second, or as
        long as the call's deadline lets; seconds are counted from the call's arrival."""
        wire = wires.hint(
            view,
            seconds=seconds,
            worlds=worlds,
            seed=seed,
            by=by,
            utility=utility,
            method=method,
            others=others,
            infer=infer,
        )
        return self.call(wire)


def _last(messages: Iterator[Any], watch: Callable[[Any], None] | None) -> Any:
    last = None
    for message in messages:
        if watch is not None and message.HasField("done"):
            watch(message)
        last = message
    return last
