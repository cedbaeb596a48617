"""Searches that a server does, with the face that the commands know: `run` with a watch, `advice`, `done`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tierce.service import typed, wires
from tierce.service.typed_hint import hint as typed_hint
from tierce.solver.advice.choices import Choice
from tierce.solver.advice.contracts_results import ContractTable
from tierce.solver.advice.dealer_results import DealerAdvice
from tierce.solver.advice.exchange_results import ExchangeAdvice
from tierce.solver.cards import Mask
from tierce.solver.games.state import State
from tierce.solver.hints.results import Hint
from tierce.solver.search import STOP_CANCELLED

if TYPE_CHECKING:
    from tierce.service.client import Client
    from tierce.solver.advice.dealer import DealerSearch
    from tierce.solver.games.view import View

__all__ = [
    "RemoteContractSearch",
    "RemoteDealerSearch",
    "RemoteEstimateSearch",
    "RemoteExchangeSearch",
    "RemoteHintSearch",
]

A = TypeVar("A")
L = TypeVar("L")  # an outlook


class _RemoteSearch(Generic[A]):
    """`advice` and `done` are what the server told last."""

    def __init__(self, client: Client, first: A) -> None:
        self._client = client
        self.advice = first
        self.done = 0.0

    def _wire(self, *, partial: bool) -> wires.Wire[A]:
        raise NotImplementedError

    def _read(self, message: Any) -> A:
        raise NotImplementedError

    def run(self, watch: Callable[[], None] | None = None, every: float = 0.1) -> A:
        """Have it done. What `watch` raises, and KeyboardInterrupt, ends the call and comes through."""
        wire = self._wire(partial=True)
        failed: list[BaseException] = []

        def call() -> None:
            try:
                self.advice = self._client.call(wire, self._told)
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=call, daemon=True)
        try:
            thread.start()
            while thread.is_alive():
                thread.join(every)
                if watch is not None:
                    watch()
        except BaseException:
            self._client.close()
            raise
        if failed:
            raise failed[0]
        return self.advice

    def _told(self, message: Any) -> None:
        self.advice, self.done = self._read(message), message.done


class RemoteDealerSearch(_RemoteSearch[DealerAdvice]):
    """As DealerSearch. `search`: the same question to this machine; it is not put, but has checked what is asked."""

    def __init__(
        self, client: Client, search: DealerSearch, chosen: tuple[str, Choice] | None, timeout: float | None
    ) -> None:
        super().__init__(client, search.advice)
        self.choices, self.kind, self.find, self.target = search.choices, search.kind, search.find, search.target
        self._chosen = chosen
        self._timeout = timeout
        self._last: Any = None

    def _wire(self, *, partial: bool) -> wires.Wire[DealerAdvice]:
        wire = wires.dealer(
            self.choices, self.kind, self.find, self.target, self._chosen, self._timeout, partial=partial
        )
        return wires.Wire(wire.service, wire.method, wire.request, self._read, wire.streamed)

    def _read(self, message: Any) -> DealerAdvice:
        self._last = message
        return typed.dealer_advice(self.choices, self.kind, self.target, message)

    def values(self) -> list[tuple[str, Choice, float]]:
        """As DealerSearch.values."""
        return typed.every_value(self.choices, self.advice, self._last)


class RemoteExchangeSearch(_RemoteSearch[ExchangeAdvice]):
    """As ExchangeSearch. `first`: what is known before anything is."""

    def __init__(
        self,
        client: Client,
        first: ExchangeAdvice,
        state: State,
        *,
        find: str,
        chosen: Sequence[Mask] | None,
        top: int,
        timeout: float | None,
    ) -> None:
        super().__init__(client, first)
        self.state = state
        self._find, self._chosen, self._top, self._timeout = find, chosen, top, timeout

    def _wire(self, *, partial: bool) -> wires.Wire[ExchangeAdvice]:
        first = self.advice
        return wires.exchange(
            self.state, first.kind, self._find, first.target, self._chosen, self._top, self._timeout, partial=partial
        )

    def _read(self, message: Any) -> ExchangeAdvice:
        return typed.exchange_advice(self.state, self.advice.kind, self.advice.target, message)


class RemoteEstimateSearch(_RemoteSearch[A], Generic[A, L]):
    """As EstimateSearch and ExchangeEstimateSearch.

    first     what is known before anything is
    outlook   the decision
    wire      the question, with partial answers
    """

    def __init__(self, client: Client, first: A, outlook: L, wire: wires.Wire[A]) -> None:
        super().__init__(client, first)
        self.outlook = outlook
        self._question = wire

    @property
    def result(self) -> A:
        """What is best so far."""
        return self.advice

    def _wire(self, *, partial: bool) -> wires.Wire[A]:
        return self._question

    def _read(self, message: Any) -> A:
        return self._question.read(message)


class RemoteContractSearch(_RemoteSearch[ContractTable]):
    """As ContractSearch.

    first   what is known before anything is
    wire    the question, with partial answers
    """

    def __init__(self, client: Client, first: ContractTable, wire: wires.Wire[ContractTable]) -> None:
        super().__init__(client, _interrupted(first))
        self._question = wire

    def _told(self, message: Any) -> None:
        super()._told(message)
        self.advice = _interrupted(self.advice)

    @property
    def table(self) -> ContractTable:
        """What is known so far."""
        return self.advice

    def _wire(self, *, partial: bool) -> wires.Wire[ContractTable]:
        return self._question

    def _read(self, message: Any) -> ContractTable:
        return self._question.read(message)


def _interrupted(table: ContractTable) -> ContractTable:
    """What is known before the end is looked at only if there is none."""
    return replace(table, stop=STOP_CANCELLED)


class RemoteHintSearch(_RemoteSearch[Hint]):
    """As HintSearch.

    first     what is known before anything is
    watched   is the best so far to be known while the server searches?
    given     the question, as wires.hint has it
    """

    def __init__(self, client: Client, first: Hint, view: View, *, watched: bool, given: dict[str, Any]) -> None:
        super().__init__(client, first)
        self._view, self._watched, self._given = view, watched, given

    @property
    def result(self) -> Hint:
        """What is best so far."""
        return self.advice

    def _wire(self, *, partial: bool) -> wires.Wire[Hint]:
        return wires.hint(self._view, watched=self._watched, **self._given)

    def _read(self, message: Any) -> Hint:
        return typed_hint(message.hint, self.advice.seed, self.advice.letters)
