"""What both clients need: how to get in, when to try again, how a call begins."""

from __future__ import annotations

import math
import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc

from tierce.service.faults import ServiceError
from tierce.service.wires import Wire
from tierce.solver.asking import Json
from tierce.solver.cards import Card
from tierce.solver.errors import InputError, LimitReached, TierceError
from tierce.solver.position import Position
from tierce.solver.query import Query, side_mask
from tierce.solver.results import Floors, Objective, SideResult
from tierce.solver.telling import SolveAnswer
from tierce.v1 import advice_pb2_grpc, games_pb2_grpc, solve_pb2_grpc

__all__ = ["Access", "Questions", "Tries", "all_seats", "bounded", "cards_query", "line_of", "side_query", "strains_of"]

T = TypeVar("T")
TRIES: Final = 6
_BACKOFF: Final = 0.05  # seconds before the second try; twice as long before each further one, but no longer than
_LONGEST: Final = 1.6
OPTIONS: Final = [
    ("grpc.max_receive_message_length", 64 << 20),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
]


@dataclass(frozen=True, slots=True)
class Access:
    """Where the server is, and how to get in.

    target      host:port
    ca          the authority that the server's certificate must be of, PEM file; without it the connection is plain
    cert, key   the client's own certificate and its key, PEM files
    token_file  a file whose first line with text is the token
    """

    target: str
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    token_file: str | None = None

    def credentials(self) -> grpc.ChannelCredentials | None:
        """For TLS. InputError for files that cannot be read, or do not go together."""
        if (self.cert is None) != (self.key is None) or (self.cert is not None and self.ca is None):
            raise InputError("access", "expected ca, cert and key together, found some of them", field="cert")
        if self.ca is None:
            return None
        from tierce.service import pems

        roots = pems.authority("ca", self.ca)
        if self.cert is None or self.key is None:
            return grpc.ssl_channel_credentials(roots)
        chain, key = pems.pair(("cert", self.cert), ("key", self.key))
        return grpc.ssl_channel_credentials(roots, key, chain)

    def metadata(self) -> list[tuple[str, str]]:
        """What goes with each call."""
        if self.token_file is None:
            return []
        try:
            lines = _read("token_file", self.token_file).decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            raise InputError("token_file", "expected UTF-8", field="token_file", file=self.token_file) from None
        tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        if not tokens or not tokens[0].isascii() or not tokens[0].isprintable():
            found = "one with other characters" if tokens else "none"
            message = f"expected a token, found {found}"
            raise InputError("token_file", message, field="token_file", file=self.token_file)
        return [("authorization", f"Bearer {tokens[0]}")]


def _read(name: str, file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError("access", error.strerror or str(error), field=name, file=file) from None


class Tries:
    """When to try again: only after a passing failure, only so often, and not past the deadline. A server that has
    answered before, and cannot be reached now, is perhaps begun anew: it is waited for as long as the deadline lets.

    reached   set when the server has answered
    """

    def __init__(self, seconds: float | None, tries: int = TRIES, reached: threading.Event | None = None) -> None:
        self._deadline = None if seconds in (None, math.inf) else time.monotonic() + seconds
        self._left = tries
        self._wait = _BACKOFF
        self._reached = reached

    @property
    def seconds(self) -> float | None:
        """Seconds left; LimitReached if none are."""
        if self._deadline is None:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise LimitReached("timeout", "the call's deadline came before the answer was known")
        return left

    def pause(self, error: TierceError) -> float:
        """Seconds to wait before the next try; raises the error if there is none."""
        self._left -= 1
        if (
            not isinstance(error, ServiceError)
            or error.retry_after is None
            or not (self._left > 0 or self._lost(error))
        ):
            raise error
        pause = max(error.retry_after, self._wait * random.uniform(0.5, 1.5))
        self._wait = min(2 * self._wait, _LONGEST)
        if self._deadline is not None and time.monotonic() + pause >= self._deadline:
            raise error
        return pause

    def _lost(self, error: ServiceError) -> bool:
        known = self._reached is not None and self._reached.is_set()
        return known and self._deadline is not None and error.code == "unavailable"


class Questions:
    """What both clients ask: everything but how a call is made."""

    def __init__(self, access: Access, deadline: float | None) -> None:
        self._access = access
        self._deadline = deadline
        self._reached = threading.Event()
        self._stubs: dict[str, Any] = {}

    def _open(self, channel: Any) -> None:
        self._stubs = {
            "Solve": solve_pb2_grpc.SolveServiceStub(channel),
            "Advice": advice_pb2_grpc.AdviceServiceStub(channel),
            "Games": games_pb2_grpc.GamesServiceStub(channel),
        }

    def _tries(self) -> Tries:
        """Of one call."""
        return Tries(self._deadline, TRIES, self._reached)

    def _start(self, wire: Wire[Any], tries: Tries) -> Any:
        """Begin a call."""
        method = getattr(self._stubs[wire.service], wire.method)
        seconds, metadata = tries.seconds, self._access.metadata()
        try:
            return method(wire.request, timeout=seconds, metadata=metadata)
        except (ValueError, grpc.aio.UsageError) as error:
            raise ServiceError("closed", f"expected an open client, found one that is closed ({error})") from None


def side_query(position: Position, side: int | str | None, objective: Objective) -> Query:
    return Query(position, side_mask(side, position), objective)


def cards_query(position: Position, side: int | str | None, objective: Objective) -> Query:
    alone = side is None and position.n == 3
    return Query(position, None if alone else side_mask(side, position), objective)


def bounded(answer: SolveAnswer, bounds: bool) -> SideResult | Floors:
    if not bounds and answer.limit is not None:
        _ = answer.result.tricks  # raises, with all bounds
    return answer.result


def all_seats(position: Position, objective: Objective) -> Query:
    if position.n != 3:
        raise InputError("position", f"expected three hands, found {position.n}", field="position")
    return Query(position, None, objective)


def line_of(answer: SolveAnswer) -> tuple[Card, ...]:
    if answer.limit is not None:
        raise answer.limit
    return next(iter(answer.lines.values()), ())


def strains_of(found: tuple[Json, LimitReached | None]) -> dict[str, dict[str, int]]:
    json, limit = found
    if limit is None:
        return dict(json["table"])
    bounds: dict[str, tuple[int, int]] = {}
    for strain, row in json["table"].items():
        pairs = row["bounds"] if "bounds" in row else {seat: (tricks, tricks) for seat, tricks in row.items()}
        bounds |= {f"{strain} {seat}": (low, high) for seat, (low, high) in pairs.items()}
    raise LimitReached(limit.code, limit.message, bounds=bounds)
