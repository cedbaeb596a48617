"""The catalogue: which error is which gRPC status, and back.

    error                                   status                details besides ErrorInfo
    InputError                              INVALID_ARGUMENT      BadRequest: field and message
    LimitReached timeout                    DEADLINE_EXCEEDED
    LimitReached of any other kind          RESOURCE_EXHAUSTED
    Cancelled                               CANCELLED
    ServiceError queue_full, draining ...   see _STATUS           RetryInfo, where another try may do better
    MemoryError                             RESOURCE_EXHAUSTED
    any other                               INTERNAL              an id that is in the log; nothing else leaves

ErrorInfo has the code as its reason (capitals), the domain "tierce", and as metadata `class` (input, limit, cancelled
or service), `field`, `file` and `line`, as far as there are any.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any, Final

import grpc
from google.protobuf import duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from tierce.service.faults import ServiceError
from tierce.solver.errors import Cancelled, InputError, LimitReached, TierceError

__all__ = ["DOMAIN", "error_of", "status_code", "status_of"]

DOMAIN: Final = "tierce"
_STATUS: Final = {
    "queue_full": code_pb2.RESOURCE_EXHAUSTED,
    "streams": code_pb2.RESOURCE_EXHAUSTED,
    "memory": code_pb2.RESOURCE_EXHAUSTED,
    "slow_reader": code_pb2.RESOURCE_EXHAUSTED,
    "draining": code_pb2.UNAVAILABLE,
    "unauthenticated": code_pb2.UNAUTHENTICATED,
}
_IN_QUESTION: Final = frozenset(
    {"deal", "trump", "discard", "kitty_first", "leader", "dealer", "side", "objective", "play", "position"}
)
_BY_STATUS: Final = {
    grpc.StatusCode.UNAVAILABLE: "unavailable",
    grpc.StatusCode.CANCELLED: "unavailable",  # by none of ours: a server that ends drops what it has not begun
    grpc.StatusCode.UNAUTHENTICATED: "unauthenticated",
    grpc.StatusCode.PERMISSION_DENIED: "permission",
    grpc.StatusCode.UNIMPLEMENTED: "unimplemented",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "too_large",
}


# ---- to a status -----------------------------------------------------------------------------------------------------


def status_of(error: BaseException, call_id: str, fields: Collection[str] = ()) -> status_pb2.Status:
    """The status of an error.

    call_id   what the log knows the call by
    fields    of the request
    """
    if isinstance(error, MemoryError):
        error = ServiceError("memory", "not enough memory for this call", retry_after=1.0)
    if not isinstance(error, TierceError):
        message = f"internal error; the log has more under the id {call_id}"
        return _status(code_pb2.INTERNAL, message, [_info("internal", "service", id=call_id)])
    if isinstance(error, ServiceError):
        return _service_status(error.code, error.message, error.field, error.retry_after)
    details: list[Any] = [_info_of(error)]
    if isinstance(error, InputError):
        path = _path(error, fields)
        violation = error_details_pb2.BadRequest.FieldViolation(field=path, description=error.message)
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    return _status(status_code(error), error.message, details)


@lru_cache(200)
def _service_status(code: str, message: str, field: str | None, retry_after: float | None) -> status_pb2.Status:
    """Under a load that is too much many calls are refused in the same words."""
    error = ServiceError(code, message, field=field, retry_after=retry_after)
    details: list[Any] = [_info_of(error)]
    if retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(int(retry_after * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return _status(status_code(error), message, details)


def _path(error: InputError, fields: Collection[str]) -> str:
    """Where in the request the fault is."""
    if error.file is not None and "record" in fields:
        return "record"
    if "view" in fields and error.field not in fields:
        return f"view.{error.field}" if error.field else "view"
    nested = "question" in fields and error.field in _IN_QUESTION
    return f"question.{error.field}" if nested else error.field or ""


def status_code(error: TierceError) -> int:
    """The number of an error's status (google.rpc.Code)."""
    code = code_pb2.UNAVAILABLE
    if isinstance(error, InputError):
        code = code_pb2.INVALID_ARGUMENT
    elif isinstance(error, LimitReached):
        code = code_pb2.DEADLINE_EXCEEDED if error.code == "timeout" else code_pb2.RESOURCE_EXHAUSTED
    elif isinstance(error, Cancelled):
        code = code_pb2.CANCELLED
    return int(_STATUS.get(error.code, code) if isinstance(error, ServiceError) else code)


def _status(code: int, message: str, details: Iterable[Any]) -> status_pb2.Status:
    status = status_pb2.Status(code=code, message=message)
    for detail in details:
        status.details.add().Pack(detail)
    return status


def _info_of(error: TierceError) -> error_details_pb2.ErrorInfo:
    if isinstance(error, InputError):
        line = None if error.line is None else str(error.line)
        return _info(error.code, "input", field=error.field, file=error.file, line=line)
    kind = "limit" if isinstance(error, LimitReached) else "cancelled" if isinstance(error, Cancelled) else "service"
    return _info(error.code, kind, field=error.field)


def _info(code: str, kind: str, **more: str | None) -> error_details_pb2.ErrorInfo:
    told = {name: value for name, value in more.items() if value is not None}
    return error_details_pb2.ErrorInfo(reason=code.upper(), domain=DOMAIN, metadata={"class": kind} | told)


# ---- from a status ---------------------------------------------------------------------------------------------------


def error_of(error: Any) -> TierceError:
    """The error that a call's status stands for (a grpc.RpcError): the library's own where the server said so."""
    code, text = error.code(), error.details() or ""
    info, retry = _details_of(error)
    if info is None:
        return _plain(code, text)
    told = dict(info.metadata)
    reason, field = info.reason.lower(), told.get("field")
    if told.get("class") == "input":
        line = int(told["line"]) if "line" in told else None
        return InputError(reason, text, field=field, file=told.get("file"), line=line)
    if told.get("class") == "limit":
        return LimitReached(reason, text, field=field)
    if told.get("class") == "cancelled":
        return Cancelled(reason, text)
    return ServiceError(reason, text, field=field, retry_after=retry)


def _plain(code: grpc.StatusCode, text: str) -> TierceError:
    """A status that gRPC itself gave."""
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return LimitReached("timeout", "the call's deadline came before the answer was known")
    name = _BY_STATUS.get(code, "internal")
    said = {"unavailable": "the server cannot be reached", "unimplemented": "the server does not know this call"}
    retry = 0.0 if name == "unavailable" else None
    return ServiceError(name, f"{said.get(name, 'the server refused')}: {text}", retry_after=retry)


def _status_in(error: Any) -> status_pb2.Status | None:
    """The status that a call of either client carries, if it does."""
    if isinstance(error, grpc.aio.AioRpcError):
        for key, value in error.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                return status_pb2.Status.FromString(value)
        return None
    return rpc_status.from_call(error)


def _details_of(error: Any) -> tuple[error_details_pb2.ErrorInfo | None, float | None]:
    info, retry = None, None
    try:
        status = _status_in(error)
    except ValueError as fault:  # details that contradict the status: somebody between has changed one of them
        logging.getLogger("tierce.service").debug("status details not usable: %s", fault)
        return None, None
    for detail in () if status is None else status.details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            found = error_details_pb2.ErrorInfo()
            detail.Unpack(found)
            info = found if found.domain == DOMAIN else info
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            delay = error_details_pb2.RetryInfo()
            detail.Unpack(delay)
            retry = delay.retry_delay.ToTimedelta().total_seconds()
    return info, retry
