"""`tierce serve`: the gRPC service."""

from __future__ import annotations

import json
from typing import Any

import click

from tierce.cli.exits import OK
from tierce.cli.remote import quieten
from tierce.cli.values import FileName
from tierce.service.settings import PREFIX, SETTINGS, Setting, read_settings
from tierce.solver.errors import InputError

_HELP = f"""\b
The gRPC service: all that the library can do, for bots and web sites.

\b
  tierce serve --workers 2 --show-config     the settings, and nothing else

Without --show-config it serves until it is stopped: at 127.0.0.1, port 50051,
for everybody on this machine, unless it is told otherwise.

\b
For others, by TLS, with tokens, and figures for Prometheus:
  --listen 0.0.0.0:50051 --tls-cert cert.pem --tls-key key.pem
  --token-file tokens.txt --metrics 9464

\b
An option that is not typed is taken from the environment, such as
{PREFIX}MAX_QUEUE=32, else from the --config file (max_queue = 32), else
it is the default.

Addresses that others can reach need TLS, or --insecure. Tokens are in a file,
one a line; it is read again when it has changed. At SIGTERM or Ctrl-C there
are no more calls, and those that run may finish; a second one ends it at once.
Every call is logged on stderr, a line of JSON.
"""


def _setting_options(command: Any) -> Any:
    """An option for each setting."""
    for name, setting in reversed(list(SETTINGS.items())):
        option = "--" + name.replace("_", "-")
        if setting.kind is bool:
            command = click.option(option, name, is_flag=True, default=None, help=setting.help)(command)
        else:
            command = click.option(option, name, type=_type(setting), metavar=setting.metavar, help=setting.help)(
                command
            )
    return command


def _type(setting: Setting) -> Any:
    return {int: click.INT, float: click.FLOAT, str: click.STRING}[setting.kind]


@click.command("serve", help=_HELP, short_help="The gRPC service.")
@_setting_options
@click.option("--config", type=FileName(), metavar="FILE", help="Settings in TOML.")
@click.option("--show-config", is_flag=True, help="Print the settings as JSON, secrets masked, and end.")
def command(config: str | None, show_config: bool, **flags: Any) -> int:
    """See _HELP."""
    try:
        settings = read_settings(flags, config)
    except InputError as error:
        if error.file is not None or (error.field is not None and flags.get(error.field) is None):
            raise
        raise click.UsageError(error.message, click.get_current_context()) from None
    if show_config:
        click.echo(json.dumps(settings.shown(), indent=2))
        return OK
    import asyncio

    quieten()
    from tierce.service.server import run

    asyncio.run(run(settings, lambda server: click.echo(f"listening on {settings.host}:{server.port}")))
    return OK
