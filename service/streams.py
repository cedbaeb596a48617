"""The client's side of SolveMany: what is asked, what is open, and answers put in order again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

from tierce.service import typed, wires
from tierce.solver.batch.many import PAUSE, Pause
from tierce.solver.position import Position
from tierce.solver.query import Limits, Query
from tierce.solver.results import Floors, SideResult
from tierce.v1 import solve_pb2

__all__ = ["Many"]

BATCH: Final = 16  # questions a message


class Many:
    """Questions of one call of `solve_many`, over as many streams as it takes.

    window   questions that may be open

    Thread safety: `requests` is gone through by a thread of gRPC, the rest called by the caller's.
    """

    def __init__(self, queries: Iterable[Query | Position | Literal[Pause.PAUSE]], limits: Limits, window: int) -> None:
        self._source = iter(queries)
        self._limits = limits
        self._window = max(window, BATCH)
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._open: dict[int, Query] = {}  # asked, and not answered
        self._again: deque[int] = deque()  # of those, asked on a stream that broke
        self._found: dict[int, Any] = {}  # answered, but not in turn yet
        self._read = 0
        self._given = 0
        self._ended = False
        self._failure: BaseException | None = None
        self._stream = 0  # the stream that asks now; an old one asks no more
        self.finished = False

    # ---- asking ------------------------------------------------------------------------------------------------------

    def requests(self) -> Iterator[solve_pb2.SolveManyRequest]:
        """The messages of a new stream: first what an earlier one left open."""
        with self._changed:
            self._stream += 1
            number = self._stream
        return self._messages(number)

    def _messages(self, number: int) -> Iterator[solve_pb2.SolveManyRequest]:
        limits = wires.limits_of(self._limits)
        yield solve_pb2.SolveManyRequest(limits=limits)
        while (items := self._batch(number)) is not None:
            asked = [solve_pb2.SolveManyRequest.Item(id=str(i), question=wires.question_of(q)) for i, q in items]
            yield solve_pb2.SolveManyRequest(items=asked)

    def _batch(self, number: int) -> list[tuple[int, Query]] | None:
        """Some questions; None when there are no more, or another stream asks."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: number != self._stream or self._may_ask)
                if number != self._stream or (self._ended and not self._again):
                    return None
                if self._again:
                    places = [self._again.popleft() for _ in range(min(BATCH, len(self._again)))]
                    return [(place, self._open[place]) for place in places]
                room = self._window - (self._read - self._given)
            if found := self._take_in(number, min(BATCH, room)):
                return found

    @property
    def _may_ask(self) -> bool:
        return bool(self._again) or self._ended or self._read - self._given < self._window

    def _take_in(self, number: int, most: int) -> list[tuple[int, Query]]:
        """Questions of the source, which may have to wait for them; () where another stream asks by then."""
        found: list[Query] = []
        ended, failure = False, None
        with self._reading:
            try:
                while len(found) < most and (query := next(self._source)) is not PAUSE:
                    if isinstance(query, Position):
                        query = Query(query, 0b0101 if query.n == 4 else None)
                    found.append(query)
            except StopIteration:
                ended = True
            except BaseException as error:  # told in its turn, after what came before it
                ended, failure = True, error
            with self._changed:
                self._ended, self._failure = self._ended or ended, self._failure or failure
                items = list(enumerate(found, self._read))
                self._read += len(found)
                self._open |= dict(items)
                if number == self._stream:
                    return items
                self._again.extend(place for place, _ in items)
                self._changed.notify_all()
                return []

    def stop(self) -> None:
        """The stream has ended: it asks no more."""
        with self._changed:
            self._stream += 1
            self._changed.notify_all()

    def again(self) -> None:
        """What is open is to be asked anew."""
        self.stop()
        with self._changed:
            self._again = deque(sorted(self._open))

    # ---- answers -----------------------------------------------------------------------------------------------------

    def take(self, message: solve_pb2.SolveManyResponse) -> Iterator[SideResult | Floors]:
        """The answers whose turn has come. InputError for a question that was refused."""
        with self._changed:
            for answer in message.answers:
                query = self._open.pop(int(answer.id))
                self._found[int(answer.id)] = typed.many_result(query, answer)
        while self._given in self._found:
            with self._changed:
                found = self._found.pop(self._given)
                self._given += 1
                if self._given % BATCH == 0 or self._given not in self._found:  # room for a message, or no more now
                    self._changed.notify_all()
            if isinstance(found, Exception):
                raise found
            yield found

    def end(self) -> None:
        """All is answered. Raises what the source of the questions raised."""
        self.finished = True
        if self._failure is not None:
            raise self._failure
