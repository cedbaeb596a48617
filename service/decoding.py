"""Messages that cannot be decoded are the caller's fault: INVALID_ARGUMENT, where gRPC itself would say INTERNAL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from tierce.solver.errors import InputError

__all__ = ["Lenient", "check_decoded"]


class _Malformed:
    """In place of a message."""


class Lenient:
    """In place of a server where services are added to it: what cannot be decoded comes through to where errors become
    statuses. An interceptor would do it too, for every call anew."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """The same handlers come to `add_registered_method_handlers`."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Add the handlers of a service."""
        lenient = {name: _lenient(handler) for name, handler in handlers.items()}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, lenient),))


def _lenient(handler: Any) -> Any:
    decode: Callable[[bytes], Any] = handler.request_deserializer

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
