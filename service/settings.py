"""Settings of the server: from flags, the environment and a file, in this order; what none of them says is the default.

The file is TOML with the names below; the environment has TIERCE_SERVE_ and the name in capitals. `SETTINGS` says what
each means; the flags of `tierce serve` are made from it. Secrets are never settings: tokens and keys are in files of
their own.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from tierce.solver.checks import quoted
from tierce.solver.errors import InputError, shown

__all__ = ["PREFIX", "SETTINGS", "Setting", "Settings", "read_settings"]

PREFIX: Final = "TIERCE_SERVE_"
DEFAULT_LISTEN: Final = "127.0.0.1:50051"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its type, bounds of a number, and what it means."""

    kind: type
    help: str
    low: float = 0
    high: float = 0
    metavar: str = "N"
    secret: bool = False


SETTINGS: Final[Mapping[str, Setting]] = {
    "listen": Setting(str, f"Address and port (default {DEFAULT_LISTEN}; port 0: any that is free).", metavar="ADDR"),
    "insecure": Setting(bool, "Listen without TLS on an address that others can reach."),
    "tls_cert": Setting(str, "The server's certificate chain, PEM.", metavar="FILE"),
    "tls_key": Setting(str, "Its key, PEM.", metavar="FILE", secret=True),
    "client_ca": Setting(str, "Only clients with a certificate of this authority, PEM.", metavar="FILE"),
    "token_file": Setting(str, "Only clients with a token of this file: one a line.", metavar="FILE", secret=True),
    "workers": Setting(int, "Searches at a time, besides a spare one (default: all cores).", 1, 256),
    "max_queue": Setting(int, "Questions that may wait (default 64).", 1, 100_000),
    "table_mb": Setting(
        int, "Memory for tables, MiB (default 256); each hint in progress has 8 more.", 1, 1 << 18, "MIB"
    ),
    "hints_inside": Setting(bool, "Work at hints in the server's own process (default: one more a worker)."),
    "cache_mb": Setting(int, "Memory for answers that are kept, MiB; 0: none (default 32).", 0, 1 << 16, "MIB"),
    "max_seconds": Setting(float, "Seconds of search a call (default 60).", 1e-3, 1e6, "SECONDS"),
    "max_nodes": Setting(int, "Nodes a call may search; 0: any number (default).", 0, (1 << 63) - 1),
    "max_batch": Setting(int, "Questions a message of SolveMany (default 64).", 1, 10_000),
    "max_streams": Setting(int, "Streams at a time (default 64).", 1, 100_000),
    "max_message_kb": Setting(int, "KiB a request (default 256).", 1, 1 << 16, "KIB"),
    "write_seconds": Setting(float, "A reader that takes nothing for so long is cut off (default 30).", 0.01, 1e6, "S"),
    "drain_seconds": Setting(float, "At the end calls have so long to finish (default 30).", 0, 1e6, "SECONDS"),
    "metrics": Setting(int, "Port for Prometheus, on the same address; 0: none (default).", 0, 65535, "PORT"),
    "reflection": Setting(bool, "Answer what services and messages there are (gRPC reflection)."),
    "log": Setting(str, "What is logged on stderr: calls (default), errors or nothing.", metavar="WHAT"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """See SETTINGS."""

    listen: str = DEFAULT_LISTEN
    insecure: bool = False
    tls_cert: str = ""
    tls_key: str = ""
    client_ca: str = ""
    token_file: str = ""
    workers: int = 0
    max_queue: int = 64
    table_mb: int = 256
    hints_inside: bool = False
    cache_mb: int = 32
    max_seconds: float = 60.0
    max_nodes: int = 0
    max_batch: int = 64
    max_streams: int = 64
    max_message_kb: int = 256
    write_seconds: float = 30.0
    drain_seconds: float = 30.0
    metrics: int = 0
    reflection: bool = False
    log: str = "calls"

    @property
    def threads(self) -> int:
        """Workers, all cores unless told."""
        return self.workers or _cores()

    @property
    def hint_processes(self) -> int:
        """Processes beside the server: one a worker, but none for which there is no core."""
        return 0 if self.hints_inside else min(self.threads, _cores())

    @property
    def host(self) -> str:
        """The address without its port."""
        return self.listen.rpartition(":")[0]

    def shown(self) -> dict[str, Any]:
        """As JSON values, secrets masked."""
        out: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            out[each.name] = "***" if SETTINGS[each.name].secret and value else value
        return out | {"workers": self.threads}


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_settings(flags: Mapping[str, Any], file: str | None = None, env: Mapping[str, str] | None = None) -> Settings:
    """The settings; a flag that is None says nothing. InputError (field: the setting; or with the file's name)."""
    found: dict[str, Any] = {}
    if file is not None:
        found |= _of_file(file)
    for name in SETTINGS:
        text = (os.environ if env is None else env).get(PREFIX + name.upper())
        if text is not None and text != "":
            try:
                found[name] = _of_text(name, text)
            except InputError as error:
                raise error.located(file=PREFIX + name.upper()) from None
    for name, value in flags.items():
        if value is not None:
            found[name] = _checked(name, value)
    settings = Settings(**found)
    _check_together(settings)
    return settings


def _of_file(file: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(Path(file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError("config", error.strerror or str(error), field="config", file=file) from None
    except (ValueError, RecursionError) as error:
        raise InputError("config", f"expected settings in TOML: {error}", field="config", file=file) from None
    for name in table:
        if name not in SETTINGS:
            message = f"expected the settings {', '.join(SETTINGS)}, found {shown(name)}"
            raise InputError("config", message, field="config", file=file)
    try:
        return {name: _checked(name, value) for name, value in table.items()}
    except InputError as error:
        raise error.located(file=file) from None


def _of_text(name: str, text: str) -> Any:
    kind = SETTINGS[name].kind
    try:
        if kind is bool:
            return {"1": True, "true": True, "0": False, "false": False}[text.strip().lower()]
        return _checked(name, kind(text))
    except (KeyError, ValueError):
        raise _fault(name, text) from None


def _checked(name: str, value: Any) -> Any:
    setting = SETTINGS[name]
    kind = setting.kind
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _fault(name, value)
    if isinstance(value, (int, float)) and kind is not bool and not setting.low <= value <= setting.high:
        raise _fault(name, value)
    if name == "log" and value not in ("calls", "errors", "nothing"):
        raise _fault(name, value)
    return value


def _fault(name: str, found: object) -> InputError:
    setting = SETTINGS[name]
    expected = {bool: "true or false", str: "text"}.get(
        setting.kind, f"a number from {setting.low:g} to {setting.high:g}"
    )
    if name == "log":
        expected = "calls, errors or nothing"
    return InputError("setting", f"expected {expected} for {name}, found {quoted(found)}", field=name)


# ---- what must fit together ------------------------------------------------------------------------------------------


def _check_together(settings: Settings) -> None:
    host, colon, port = settings.listen.rpartition(":")
    open_v6 = ":" in host and not (host.startswith("[") and host.endswith("]"))
    if not colon or not host or open_v6 or not port.isdecimal() or int(port) > 65535:
        message = (
            f"expected an address and a port such as {DEFAULT_LISTEN} or [::1]:50051, found {shown(settings.listen)}"
        )
        raise InputError("setting", message, field="listen")
    if bool(settings.tls_cert) != bool(settings.tls_key):
        raise InputError("setting", "expected tls_cert and tls_key together, found one alone", field="tls_cert")
    if settings.client_ca and not settings.tls_cert:
        raise InputError("setting", "expected tls_cert and tls_key with client_ca, found none", field="client_ca")
    if not (settings.tls_cert or settings.insecure or is_loopback(host)):
        message = f"expected TLS (tls_cert, tls_key) or insecure for an address that others can reach, found {host}"
        raise InputError("setting", message, field="listen")


def is_loopback(host: str) -> bool:
    """Can only this machine reach it?"""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
