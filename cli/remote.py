"""`tierce --server`: the same commands, whose searches a server does.

A command reads what was typed, asks `remote()`, and where there is a server has the answer from its client: the
library's own objects, so that it prints what it would have printed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from tierce.service.client import Client

__all__ = ["SERVED", "Remote", "quieten", "refuse_at_server", "refuse_server", "remote", "remote_of", "server_options"]

F = TypeVar("F", bound=Callable[..., Any])

SERVED: Final = ("batch", "cards", "contracts", "dealer", "exchange", "games", "hint", "review", "solve")
_ALONE: Final = ("ca", "cert", "key", "token_file")


def server_options(command: F) -> F:
    """Where the server is, and how to get in."""
    for add in reversed(
        [
            click.option("--server", metavar="HOST:PORT", help="Let a server search (see 'tierce serve')."),
            click.option("--ca", metavar="FILE", help="With --server: the authority of its certificate, for TLS."),
            click.option("--cert", metavar="FILE", help="With --server: a certificate to show,"),
            click.option("--key", metavar="FILE", help="and its key."),
            click.option("--token-file", metavar="FILE", help="With --server: a file that holds a token."),
        ]
    ):
        command = add(command)
    return command


class Remote:
    """A server that was typed. The client is made when it is needed."""

    def __init__(self, target: str, given: dict[str, Any]) -> None:
        self._target = target
        self._given = given
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        """The client."""
        if self._client is None:
            quieten()
            from tierce.service.client import Client

            self._client = Client(self._target, **self._given)
        return self._client


def quieten() -> None:
    """gRPC writes to stderr what comes back as an error, too; whoever wants it says GRPC_VERBOSITY=ERROR."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def remote_of(given: dict[str, Any], command: str | None) -> Remote | None:
    """The server that was typed. UsageError where the command is none that a server serves."""
    target, rest = given["server"], {name: given[name] for name in _ALONE}
    if target is None:
        for name, value in rest.items():
            if value is not None:
                raise click.UsageError(f"--{name.replace('_', '-')} goes with --server")
        return None
    host, colon, port = target.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise click.UsageError(f"expected --server HOST:PORT, found {target!r:.60}")
    if command is not None and command not in SERVED:
        raise click.UsageError(f"expected a command that a server serves ({', '.join(SERVED)}), found {command!r}")
    return Remote(target, rest)


def remote() -> Client | None:
    """The client of the server that was typed, if one was."""
    context = click.get_current_context(silent=True)
    found = None if context is None else context.find_root().obj
    return found.client if isinstance(found, Remote) else None


def refuse_server(command: str) -> None:
    """UsageError if there is a server, by a command that asks nothing of it."""
    if isinstance(click.get_current_context().find_root().obj, Remote):
        raise click.UsageError(f"{command} asks nothing of a server: it goes without --server")


def refuse_at_server(*names: str) -> None:
    """UsageError about the first of the options that was typed, if there is a server."""
    context = click.get_current_context()
    if not isinstance(context.find_root().obj, Remote):
        return
    options = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{options[name]} does not go with --server")
