"""The server: ports, services, and its end.

At SIGTERM or SIGINT it answers health checks with NOT_SERVING, takes no more calls, and lets those that run finish for
`drain_seconds`; what is left then is stopped. A second signal ends it at once.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from tierce.service.access import Guard, Tokens
from tierce.service.balance import balance
from tierce.service.calls import Front
from tierce.service.decoding import Lenient
from tierce.service.figures import Log
from tierce.service.many import solve_many
from tierce.service.settings import Settings
from tierce.solver.errors import InputError
from tierce.v1 import advice_pb2, advice_pb2_grpc, games_pb2, games_pb2_grpc, solve_pb2, solve_pb2_grpc

__all__ = ["Server", "run"]

SERVICES: Final = tuple(
    file.DESCRIPTOR.services_by_name[name].full_name
    for file, name in ((solve_pb2, "SolveService"), (advice_pb2, "AdviceService"), (games_pb2, "GamesService"))
)
SWITCH: Final = 0.001  # seconds: how long a thread that searches may hold the interpreter while the event loop waits
_MOMENT: Final = 0.05  # seconds
_MOMENTS: Final = 10
_PING: Final = 20_000  # milliseconds: connections whose other end says nothing are tried, and then closed
_PING_TIMEOUT: Final = 10_000


class Server:
    """A server; `start`, then `wait` until it is told to stop. `port`: the one it listens on.

    settings   InputError at `start` for files that cannot be read, or an address that cannot be had
    """

    def __init__(self, settings: Settings, log: Log | None = None) -> None:
        self.settings = settings
        self.log = Log(settings.log) if log is None else log
        self.port = 0
        self._stop: asyncio.Event | None = None
        self._end_metrics: Callable[[], None] = lambda: None

    async def start(self) -> None:
        """Listen."""
        settings = self.settings
        self._stop = asyncio.Event()
        sys.setswitchinterval(SWITCH)
        tokens = Tokens(settings.token_file) if settings.token_file else None
        credentials = _credentials(settings)
        serve_metrics = _metrics(settings)
        self.front = Front(settings, tokens, self.log)
        self._server = grpc.aio.server(
            interceptors=[] if tokens is None else [Guard(tokens)],
            options=_options(settings),
            maximum_concurrent_rpcs=None,
        )
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        _add_services(Lenient(self._server), self.front)
        if settings.reflection:
            _add_reflection(self._server)
        try:
            self.port = self._listen(credentials)
            if serve_metrics is not None:
                self._end_metrics = serve_metrics(self.front)
            await self._server.start()
        except BaseException:
            self._end_metrics()
            self.front.close()  # its threads would wait for ever
            raise
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._balance = asyncio.ensure_future(balance(self.front.pool, self.front.figures))
        self.log.event("ready", listen=f"{settings.host}:{self.port}", workers=settings.threads)

    def _listen(self, credentials: grpc.ServerCredentials | None) -> int:
        listen = self.settings.listen
        try:
            if credentials is None:
                return self._server.add_insecure_port(listen)
            return self._server.add_secure_port(listen, credentials)
        except RuntimeError:
            message = f"expected an address of this machine that is free, found {listen!r}{_why(self.settings)}"
            raise InputError("listen", message, field="listen") from None

    def stop(self) -> None:
        """Begin to end; from the event loop."""
        assert self._stop is not None
        self._stop.set()

    async def wait(self) -> None:
        """Until `stop`, and all has ended."""
        assert self._stop is not None
        await self._stop.wait()
        began = time.monotonic()
        self.log.event("draining", open=self.front.figures.open)
        await self._health.enter_graceful_shutdown()
        self.front.draining = True
        await self._told_all()
        await self._server.stop(self.settings.drain_seconds)
        self._balance.cancel()
        await asyncio.to_thread(self._end_metrics)
        self.front.close()
        self.log.event("ended", seconds=round(time.monotonic() - began, 3))

    async def _told_all(self) -> None:
        """For a moment calls that have come are told so: gRPC would only drop them, without a word."""
        figures = self.front.figures
        for _ in range(_MOMENTS):
            before = figures.begun
            await asyncio.sleep(_MOMENT)
            if figures.begun == before:
                break


async def run(settings: Settings, ready: Callable[[Server], None] = lambda _: None) -> None:
    """Serve until a signal; `ready` is called when it listens."""
    server = Server(settings)
    await server.start()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _signalled, server, loop)
    ready(server)
    server.front.beside.begin()
    gc.freeze()  # see beside_main: all calls would wait meanwhile
    await server.wait()


def _signalled(server: Server, loop: asyncio.AbstractEventLoop) -> None:
    server.stop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)


# ---- what it is made of ----------------------------------------------------------------------------------------------


def _options(settings: Settings) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", settings.max_message_kb << 10),
        ("grpc.max_metadata_size", 16 << 10),
        ("grpc.max_concurrent_streams", 4096),  # a connection; beyond it gRPC resets streams, without a status of ours
        ("grpc.keepalive_time_ms", _PING),
        ("grpc.keepalive_timeout_ms", _PING_TIMEOUT),
        ("grpc.http2.ping_timeout_ms", _PING_TIMEOUT),  # else a minute, whatever the one above says
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.server_handshake_timeout_ms", 10_000),
        ("grpc.so_reuseport", 0),
    ]


def _credentials(settings: Settings) -> grpc.ServerCredentials | None:
    if not settings.tls_cert:
        return None
    from tierce.service import pems

    chain, key = pems.pair(("tls_cert", settings.tls_cert), ("tls_key", settings.tls_key))
    authority = pems.authority("client_ca", settings.client_ca) if settings.client_ca else None
    return grpc.ssl_server_credentials([(key, chain)], authority, authority is not None)


def _metrics(settings: Settings) -> Callable[[Front], Callable[[], None]] | None:
    if not settings.metrics:
        return None
    from tierce.service.metrics import serve

    return lambda front: serve(front, settings.host, settings.metrics)


def _why(settings: Settings) -> str:
    """What the system says of an address that cannot be had, which gRPC does not pass on."""
    host, _, port = settings.listen.rpartition(":")
    try:
        for family, kind, _, _, address in socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM):
            with socket.socket(family, kind) as tried:
                tried.bind(address)
    except OSError as error:
        return f": {error.strerror or error}"
    return ""


def _add_reflection(server: grpc.aio.Server) -> None:
    from grpc_reflection.v1alpha import reflection

    reflection.enable_server_reflection((*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server)


def _add_services(server: Any, front: Front) -> None:
    solve_pb2_grpc.add_SolveServiceServicer_to_server(_Solve(front), server)
    advice_pb2_grpc.add_AdviceServiceServicer_to_server(_Advice(front), server)
    games_pb2_grpc.add_GamesServiceServicer_to_server(_Games(front), server)


class _Solve(solve_pb2_grpc.SolveServiceServicer):
    def __init__(self, front: Front) -> None:
        self._front = front

    async def Solve(self, request: Any, context: Any) -> Any:
        return await self._front.unary("Solve", request, context)

    async def CardValues(self, request: Any, context: Any) -> Any:
        return await self._front.unary("CardValues", request, context)

    async def Table(self, request: Any, context: Any) -> Any:
        return await self._front.unary("Table", request, context)

    async def SolveMany(self, requests: Any, context: Any) -> None:  # type: ignore[override]
        await solve_many(self._front, requests, context)


class _Advice(advice_pb2_grpc.AdviceServiceServicer):
    def __init__(self, front: Front) -> None:
        self._front = front

    async def DealerAdvice(self, request: Any, context: Any) -> None:  # type: ignore[override]
        await self._front.stream("DealerAdvice", request, context)

    async def ExchangeAdvice(self, request: Any, context: Any) -> None:  # type: ignore[override]
        await self._front.stream("ExchangeAdvice", request, context)

    async def Contracts(self, request: Any, context: Any) -> None:  # type: ignore[override]
        await self._front.stream("Contracts", request, context)

    async def Review(self, request: Any, context: Any) -> Any:
        return await self._front.unary("Review", request, context)

    async def ReviewContract(self, request: Any, context: Any) -> Any:
        return await self._front.unary("ReviewContract", request, context)

    async def DealerEstimate(self, request: Any, context: Any) -> None:  # type: ignore[override]
        await self._front.stream("DealerEstimate", request, context)

    async def ExchangeEstimate(self, request: Any, context: Any) -> None:  # type: ignore[override]
        await self._front.stream("ExchangeEstimate", request, context)

    async def FairReview(self, request: Any, context: Any) -> Any:
        return await self._front.unary("FairReview", request, context)

    async def Hint(self, request: Any, context: Any) -> Any:
        return await self._front.unary("Hint", request, context)

    async def WatchHint(self, request: Any, context: Any) -> None:  # type: ignore[override]
        await self._front.watch_hint("WatchHint", request, context)


class _Games(games_pb2_grpc.GamesServiceServicer):
    def __init__(self, front: Front) -> None:
        self._front = front

    async def GetGame(self, request: Any, context: Any) -> Any:
        return await self._front.unary("GetGame", request, context)

    async def ListGames(self, request: Any, context: Any) -> Any:
        return await self._front.unary("ListGames", request, context)
