"""Who may call, and who calls.

Tokens are those of a file: one a line, blank lines and lines that begin with # left out, each of 16 characters or more.
Several may be valid at once, so that they can be changed one after the other; the file is read again when it has
changed. A file that cannot be read any more lets nobody in. Comparisons take the same time wherever texts differ.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote

import grpc

from tierce.service.pool import Caller
from tierce.solver.errors import InputError

__all__ = ["Guard", "Tokens", "caller_of"]

TOKEN_MIN: Final = 16
_OPEN: Final = "/grpc.health.v1.Health/"  # asked by what cannot hold a secret: load balancers


class Tokens:
    """The tokens of a file, as digests. Thread safety: any thread."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._digests: tuple[bytes, ...] = ()
        self._stamp = self._stat()
        self._digests = self._read()

    def name(self, token: str) -> str | None:
        """A name for the holder of a token, that does not tell it; None for no token of the file."""
        self._refresh()
        digest, found = _digest(token), None
        for each in self._digests:  # all of them, whichever it is
            if hmac.compare_digest(each, digest):
                found = each
        return None if found is None else f"token {found.hex()[:12]}"

    def _refresh(self) -> None:
        with self._lock:
            try:
                stamp = self._stat()
                if stamp == self._stamp:
                    return
                self._digests, self._stamp = self._read(), stamp
            except InputError:
                self._digests, self._stamp = (), None

    def _stat(self) -> tuple[int, int, int]:
        try:
            found = os.stat(self._path)
        except OSError as error:
            raise InputError("token_file", error.strerror or str(error), field="token_file", file=self._path) from None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _read(self) -> tuple[bytes, ...]:
        try:
            with open(self._path, encoding="utf-8-sig") as file:
                lines = [line.strip() for line in file]
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise InputError("token_file", str(reason), field="token_file", file=self._path) from None
        tokens = [line for line in lines if line and not line.startswith("#")]
        if not tokens or min(map(len, tokens)) < TOKEN_MIN:
            found = "none" if not tokens else "a shorter one"
            message = f"expected tokens of {TOKEN_MIN} characters or more, one a line, found {found}"
            raise InputError("token_file", message, field="token_file", file=self._path)
        return tuple(map(_digest, tokens))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


class Guard(grpc.aio.ServerInterceptor):
    """Refuses calls without a token, those about the server's health apart."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        if handler is None or handler_call_details.method.startswith(_OPEN):
            return handler
        token = bearer(handler_call_details.invocation_metadata)
        if token is not None and self._tokens.name(token) is not None:
            return handler
        return _denying(handler)


def bearer(metadata: Any) -> str | None:
    """The token of a call's metadata."""
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str) and value[:7].lower() == "bearer ":
            return value[7:].strip()
    return None


def _denying(handler: Any) -> grpc.RpcMethodHandler[Any, Any]:
    """A handler of the same kind that refuses."""

    async def refuse(context: Any) -> None:
        await context.abort(grpc.StatusCode.UNAUTHENTICATED, "expected a token that this server knows, found none")

    async def unary(_request: Any, context: Any) -> None:
        await refuse(context)

    async def stream(_request: Any, context: Any) -> Any:
        await refuse(context)
        yield

    if handler.request_streaming:
        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(stream)
        return grpc.stream_unary_rpc_method_handler(unary)
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(stream)
    return grpc.unary_unary_rpc_method_handler(unary)


def caller_of(context: Any, tokens: Tokens | None, *, certified: bool = True) -> Caller:
    """Who calls: by token, else by certificate, else by address; and over which connection.

    certified   callers show certificates
    """
    who, line = _address(context.peer())
    if tokens is not None and (token := bearer(context.invocation_metadata())) is not None:
        return Caller(tokens.name(token) or "nobody", line)
    if certified and (names := context.auth_context().get("x509_common_name")):
        return Caller("certificate " + names[0].decode("utf-8", "replace"), line)
    return Caller(who, line)


@lru_cache(1000)
def _address(peer: str) -> tuple[str, str]:
    """Without its port, and with it."""
    line = unquote(peer)
    return line.rpartition(":")[0], line
