"""The client for an event loop; see `client`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
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
from tierce.solver.asking import Json
from tierce.solver.batch.many import Pause
from tierce.solver.cards import Card, Mask
from tierce.solver.deal import Deal
from tierce.solver.games.profile import Profile
from tierce.solver.games.replay import ReplayedDeal
from tierce.solver.games.state import State
from tierce.solver.games.view import View
from tierce.solver.hints.objectives import By
from tierce.solver.hints.results import Hint, Method, Others
from tierce.solver.position import Position
from tierce.solver.query import NO_LIMITS, Limits, Query
from tierce.solver.results import CardValues, Floors, Objective, SideResult
from tierce.solver.telling import SolveAnswer, SolveAsked

__all__ = ["AsyncClient"]

T = TypeVar("T")


class AsyncClient(Questions):
    """The same for an event loop: every method of `Client` is a coroutine here, and `solve_many` an async iterator."""

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
            grpc.aio.insecure_channel(target, OPTIONS)
            if credentials is None
            else grpc.aio.secure_channel(target, credentials, OPTIONS)
        )
        self._open(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End all calls."""
        await self._channel.close()

    def within(self, seconds: float) -> Self:
        """The same client, whose calls may take so long."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_deadline": seconds}
        return other

    async def call(self, wire: Wire[T], watch: Callable[[Any], None] | None = None) -> T:
        """Make a call; `watch` gets the messages before the last, if there are any."""
        tries = self._tries()
        while True:
            try:
                found = self._start(wire, tries)
                found = await _last_of(found, watch) if wire.streamed else await found
                self._reached.set()
                return wire.read(found)
            except grpc.RpcError as error:
                await asyncio.sleep(tries.pause(error_of(error)))

    # ---- solve -------------------------------------------------------------------------------------------------------

    async def ask(
        self, asked: SolveAsked, *, timeout: float | None = None, max_nodes: int | None = None
    ) -> SolveAnswer:
        """As `Client.ask`."""
        return await self.call(wires.solve(asked, Limits(timeout, max_nodes)))

    async def solve(
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
        """As `Client.solve`."""
        asked = SolveAsked(side_query(position, side, objective), position.leader, at_least, at_most)
        found = bounded(await self.ask(asked, timeout=timeout, max_nodes=max_nodes), bounds)
        assert isinstance(found, SideResult)
        return found

    async def floors(
        self,
        position: Position,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
        bounds: bool = False,
    ) -> Floors:
        """As `Client.floors`."""
        asked = SolveAsked(all_seats(position, objective), position.leader)
        found = bounded(await self.ask(asked, timeout=timeout, max_nodes=max_nodes), bounds)
        assert isinstance(found, Floors)
        return found

    async def best_line(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> tuple[Card, ...]:
        """As `Client.best_line`."""
        asked = SolveAsked(side_query(position, side, objective), position.leader, line=True)
        return line_of(await self.ask(asked, timeout=timeout, max_nodes=max_nodes))

    async def card_values(
        self,
        position: Position,
        side: int | str | None = None,
        objective: Objective = "most",
        *,
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> CardValues:
        """As `Client.card_values`."""
        wire = wires.cards(
            cards_query(position, side, objective), position.leader, Limits(timeout, max_nodes), all_seats=False
        )
        return (await self.call(wire)).values

    async def strain_table(
        self,
        deal: Deal,
        *,
        leader: int | None = None,
        objective: Objective = "most",
        timeout: float | None = None,
        max_nodes: int | None = None,
    ) -> dict[str, dict[str, int]]:
        """As `Client.strain_table`."""
        asked = wires.table_of(deal, leader, objective)
        wire = wires.table(asked, Limits(timeout, max_nodes), declarers=len(deal.hands) == 4)
        return strains_of(await self.call(wire))

    async def solve_many(
        self,
        queries: Iterable[Query | Position | Literal[Pause.PAUSE]],
        *,
        limits: Limits | None = None,
        window: int = 256,
    ) -> AsyncIterator[SideResult | Floors]:
        """As `Client.solve_many`, from which it differs in that a stream that breaks is not begun again."""
        many = Many(queries, limits or Limits(), window)
        tries = self._tries()
        stub = self._stubs["Solve"]
        requests = _threaded(many.requests())
        stream = stub.SolveMany(requests, timeout=tries.seconds, metadata=self._access.metadata())
        try:
            async for message in stream:
                for found in many.take(message):
                    yield found
            many.end()
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.INTERNAL and (code := await stream.code()) is not error.code():
                # It was still writing when the call ended, and says so; what the call ended with is the reason.
                metadata = grpc.aio.Metadata(*(await stream.trailing_metadata() or ()))
                error = grpc.aio.AioRpcError(code, grpc.aio.Metadata(), metadata, await stream.details())
            raise error_of(error) from None
        finally:
            many.stop()
            stream.cancel()

    # ---- games, advice -----------------------------------------------------------------------------------------------

    async def games(self) -> list[Json]:
        """As `Client.games`."""
        return await self.call(wires.games())

    async def game(self, name: str, options: Mapping[str, str] | None = None) -> Json:
        """As `Client.game`."""
        return await self.call(wires.game(name, options or {}))

    async def dealer_advice(
        self,
        choices: DealerChoices,
        value: str = "floor",
        *,
        find: str = "best",
        target: float | None = None,
        chosen: tuple[str, Choice] | None = None,
        timeout: float | None = None,
    ) -> DealerAdvice:
        """As `Client.dealer_advice`."""
        return (await self.call(wires.dealer(choices, value, find, target, chosen, timeout, partial=False)))[0]

    async def exchange_advice(
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
        """As `Client.exchange_advice`."""
        return await self.call(wires.exchange(state, value, find, target, chosen, top, timeout, partial=False))

    async def contract_table(
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
        """As `Client.contract_table`."""
        wire = wires.contracts(deal, dealer, turned, trump=trump, profile=profile, tricks=tricks, limits=limits)
        return await self.call(wire)

    async def review(
        self,
        deal: ReplayedDeal,
        players: tuple[str, ...] | None = None,
        *,
        seconds: float | None = 10.0,
        every: bool = False,
    ) -> Review:
        """As `Client.review`."""
        return await self.call(wires.review(deal, players, seconds, every=every))

    async def contract_review(
        self, deal: ReplayedDeal, players: tuple[str, ...] | None = None, *, seconds: float | None = 10.0
    ) -> ContractReview:
        """As `Client.contract_review`."""
        return await self.call(wires.contract_review(deal, players, seconds))

    async def dealer_estimate(
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
        """As `Client.dealer_estimate`."""
        wire = wires_estimates.dealer(
            view, worlds=worlds, seconds=seconds, seed=seed, by=by, calls=calls, chosen=chosen
        )
        return await self.call(wire)

    async def exchange_estimate(
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
        """As `Client.exchange_estimate`."""
        wire = wires_estimates.exchange(
            view, worlds=worlds, seconds=seconds, seed=seed, reply=reply, by=by, chosen=chosen
        )
        return await self.call(wire)

    async def fair_review(
        self,
        deal: ReplayedDeal,
        *,
        worlds: int = FAIR_WORLDS,
        seed: int = 1,
        seconds: float | None = 10.0,
    ) -> Fair:
        """As `Client.fair_review`."""
        return await self.call(wires_estimates.fair(deal, worlds=worlds, seed=seed, seconds=seconds))

    async def hint(
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
        """As `Client.hint`."""
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
        return await self.call(wire)


async def _last_of(messages: AsyncIterator[Any], watch: Callable[[Any], None] | None) -> Any:
    last = None
    async for message in messages:
        if watch is not None and message.HasField("done"):
            watch(message)
        last = message
    return last


async def _threaded(items: Iterator[T]) -> AsyncIterator[T]:
    """Go through an iterator that waits in a thread."""
    end = object()
    while (item := await asyncio.to_thread(next, items, end)) is not end:
        yield item  # type: ignore[misc]
