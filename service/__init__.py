"""The gRPC service and its client.

    Client(target), AsyncClient(target)     the library's questions put to a server; its own objects come back
    Server(settings)                        the server (`tierce serve`)
    read_settings, Settings                 what it is told
    ServiceError                            the service did not answer

Imports gRPC when one of the first three is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierce.service.faults import ServiceError
from tierce.service.settings import Settings, read_settings

if TYPE_CHECKING:
    from tierce.service.async_client import AsyncClient
    from tierce.service.client import Client
    from tierce.service.server import Server

__all__ = ["AsyncClient", "Client", "Server", "ServiceError", "Settings", "read_settings"]

_PLACES = {"Client": "client", "AsyncClient": "async_client", "Server": "server"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"tierce.service.{_PLACES[name]}"), name)
