"""Messages that cannot be decoded are the caller's fault: INVALID_ARGUMENT, where gRPC itself would say INTERNAL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from tierce.solver.errors import InputError

__all__ = ["Decoding", "check_decoded"]

_OURS: Final = "/tierce.v1."


class _Malformed:
    """In place of a message."""


class Decoding(grpc.aio.ServerInterceptor):
    """Lets what cannot be decoded through to where errors become statuses."""

    async def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]], handler_call_details: Any
    ) -> Any:
        handler = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(_OURS):
            return handler
        decode = handler.request_deserializer

        def decoded(data: bytes) -> Any:
            try:
                return decode(data)
            except (DecodeError, ValueError, RecursionError):
                return _Malformed()

        return handler._replace(request_deserializer=decoded)


def check_decoded(request: Any) -> None:
    """InputError for what is no message."""
    if isinstance(request, _Malformed):
        raise InputError("message", "expected a message of this call's kind, found bytes that are none")
