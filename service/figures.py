"""What the server counts, and what it logs: one JSON object a line on stderr."""

from __future__ import annotations

import json
import sys
import time
from bisect import bisect_left
from collections import Counter
from typing import IO, Any, Final

__all__ = ["BUCKETS", "Figures", "Log"]

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds


class Figures:
    """Counts since the start. Thread safety: changed by the event loop alone; read by any thread.

    calls     finished ones by method and status
    seconds   of the calls of a method: how many fell into each of BUCKETS (the last: longer), and their sum
    nodes     starts of tricks searched by method
    questions of SolveMany; streams: open ones; begun: calls; refused: those for which there was no room
    """

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self.buckets: dict[str, list[int]] = {}
        self.seconds: Counter[str] = Counter()
        self.nodes: Counter[str] = Counter()
        self.questions = 0
        self.open = 0
        self.streams = 0
        self.begun = 0
        self.refused = 0

    def finished(self, method: str, status: str, seconds: float, nodes: int) -> None:
        """A call has ended."""
        self.calls[method, status] += 1
        self.buckets.setdefault(method, [0] * (len(BUCKETS) + 1))[bisect_left(BUCKETS, seconds)] += 1
        self.seconds[method] += seconds  # type: ignore[assignment]  # a Counter of floats counts as well
        self.nodes[method] += nodes


class Log:
    """Lines of JSON. `what`: calls, errors or nothing."""

    def __init__(self, what: str, file: IO[str] | None = None) -> None:
        self._what = what
        self._file = sys.stderr if file is None else file

    def call(self, **fields: Any) -> None:
        """A call has ended."""
        if self._what == "calls" or (self._what == "errors" and fields.get("status") == "INTERNAL"):
            self._write({"event": "call"} | fields)

    def event(self, event: str, **fields: Any) -> None:
        """Something happened to the server."""
        if self._what != "nothing":
            self._write({"event": event} | fields)

    def error(self, event: str, **fields: Any) -> None:
        """Something went wrong."""
        if self._what != "nothing":
            self._write({"event": event, "level": "error"} | fields)

    def _write(self, fields: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps({"time": round(time.time(), 3)} | fields) + "\n")
            self._file.flush()
        except (OSError, ValueError):  # nobody reads it: that must not end a call
            pass
