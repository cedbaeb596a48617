"""The other end of `tierce.service.beside`: a process that works at hints, until its socket is closed."""

from __future__ import annotations

import gc
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from typing import Any

from tierce.service.hinting import HintWork
from tierce.solver.errors import TierceError
from tierce.v1 import hint_pb2

__all__ = ["Bench", "main"]


class Bench:
    """What is worked at."""

    def __init__(self) -> None:
        self._works: dict[int, HintWork] = {}
        self._told: list[tuple[bytes, float]] = []

    def answer(self, gone: list[int], kind: str, number: int, *given: Any) -> tuple[Any, ...]:
        """The answer to a question."""
        for each in gone:
            self._works.pop(each, None)
        self._told = []
        try:
            done = self._opened(number, *given) if kind == "open" else self._works[number].go(*given)
            answer = self._works[number].answer().SerializeToString() if done else b""
        except Exception as error:
            self._works.pop(number, None)
            return True, [], b"", _sent(error)
        if done:
            del self._works[number]
        return done, self._told, answer, None

    def _opened(self, number: int, request: bytes, due: float, watched: bool) -> bool:
        message = hint_pb2.HintRequest.FromString(request)
        work = self._works[number] = HintWork(message, due, self._tell if watched else None)
        return work.go(0.0)

    def _tell(self, message: hint_pb2.HintResponse, share: float) -> None:
        self._told.append((message.SerializeToString(), share))


def _sent(error: Exception) -> Exception:
    """An error that can be sent; of one that is not ours where it was goes along, for the log."""
    if isinstance(error, (TierceError, MemoryError)):
        return error
    return RuntimeError("".join(traceback.format_exception(error)))


def main(number: int) -> None:
    """Answer what is asked over the socket of this number."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bench = Bench()
    gc.freeze()  # modules are no garbage: looking through them would take 30 ms in the middle of a slice
    with Connection(number) as line:
        try:
            line.send(None)
            while True:
                gone, *question = line.recv()
                found = bench.answer(gone, *question)
                line.send(found)
                if found[0] or gone:  # a search refers to itself: its tree, of megabytes, would stay for minutes
                    gc.collect()  # less than a millisecond
        except (EOFError, OSError):
            return


if __name__ == "__main__":
    main(int(sys.argv[1]))
