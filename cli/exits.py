"""Exit codes and error messages, the one place where errors turn into either."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn, TypeVar

import click

OK: Final = 0
DIFFERENT: Final = 1
USAGE: Final = 2
BAD_DATA: Final = 65
UNAVAILABLE: Final = 69
UNWRITABLE: Final = 74
LIMIT: Final = 75
INTERRUPTED: Final = 130

T = TypeVar("T")


def complain(message: str) -> None:
    """An error message, on stderr."""
    click.echo(f"error: {message}", err=True)


def leave(code: int) -> NoReturn:
    """End the process at once: a search still running in a thread is not waited for."""
    for stream in (sys.stdout, sys.stderr):
        # Closed, full, not there, or a second Ctrl-C: nothing more can be said.
        with contextlib.suppress(OSError, ValueError, AttributeError, KeyboardInterrupt):
            stream.flush()
    os._exit(code)


def run_command(command: click.Command, args: Sequence[str] | None) -> int:
    """Run a command and return the exit code that fits what happened."""
    try:
        return _run(command, args)
    except (click.Abort, KeyboardInterrupt):
        if sys.stderr.isatty():
            click.echo(err=True)  # after the ^C
        complain("interrupted")
        return INTERRUPTED


def _run(command: click.Command, args: Sequence[str] | None) -> int:
    try:
        _prepare_streams()
        code = _invoke(command, list(sys.argv[1:] if args is None else args))
        sys.stdout.flush()  # here, where what goes wrong is still told
        return code
    except click.UsageError as error:
        return _usage(error)
    except click.Abort:
        raise
    except click.exceptions.Exit as error:  # after --help
        return error.exit_code
    except click.ClickException as error:
        complain(error.format_message())
        return BAD_DATA
    except SystemExit as error:  # how click ends completion, and rich a broken pipe
        if not isinstance(error.__context__, BrokenPipeError):
            return error.code if isinstance(error.code, int) else OK
        return _reader_gone()
    except BrokenPipeError:
        return _reader_gone()
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
        return BAD_DATA if error.filename else UNWRITABLE
    except Exception as error:
        return _tierce_exit(error)


def _invoke(command: click.Command, args: list[str]) -> int:
    """What `click.Command.main` does, without its own ideas about errors, which change with its versions."""
    if "_TIERCE_COMPLETE" in os.environ:  # a shell asks for completion
        command.main(args, prog_name="tierce")
    with command.make_context("tierce", args) as context:
        code = command.invoke(context)
    return code if isinstance(code, int) else OK


def _usage(error: click.UsageError) -> int:
    message = error.format_message().rstrip(".")
    if isinstance(error, click.NoSuchOption):
        hint = f", did you mean {error.possibilities[0]!r}?" if error.possibilities else ""
        message = f"no such option {error.option_name!r}{hint}"
    complain(message if message[:2].isupper() else message[:1].lower() + message[1:])
    command = error.ctx.command_path if error.ctx else "tierce"
    click.echo(f"'{command} --help' tells more.", err=True)
    return USAGE


def _prepare_streams() -> None:
    if sys.stdout is None:  # started with >&-
        raise OSError("expected a standard output to write to, found it closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name in a file must not end the run


def _reader_gone() -> int:
    """The reader of our output has left (`| head`). Nothing more can be written, and that is no fault."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return OK


def _tierce_exit(error: Exception) -> int:
    from tierce.solver.errors import Cancelled, InputError, LimitReached

    if isinstance(error, LimitReached):
        complain(str(error))
        return LIMIT
    if isinstance(error, Cancelled):
        complain(str(error))
        return INTERRUPTED
    if isinstance(error, InputError):
        where = f"{option_name(error.field)}: " if error.field and error.file is None else ""
        complain(f"{where}{error}")
        return BAD_DATA
    if isinstance(error, MemoryError):
        complain(f"not enough memory: {error}")
        return LIMIT
    raise error


def option_name(field: str) -> str:
    """How the command line calls a field of the input."""
    if field in ("deal", "kitty") or field.startswith("hand") or field.isupper():
        return field
    return "--" + field.replace("_", "-")


def interruptible(work: Callable[[], T]) -> T:
    """Run `work` in a thread, so that Ctrl-C is heard while the native search runs."""
    import threading

    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.5)
    if failed:
        raise failed[0]
    return done[0]
