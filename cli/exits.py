"""Exit codes and error messages, the one place where errors turn into either."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NoReturn, TypeVar

import click

from tierce.cli import interrupts

OK: Final = 0
DIFFERENT: Final = 1
USAGE: Final = 2
BAD_DATA: Final = 65
UNAVAILABLE: Final = 69
UNWRITABLE: Final = 74
LIMIT: Final = 75
INTERRUPTED: Final = 130

_NO_THREAD: Final = ("can't start new thread", "can't allocate lock")  # how Python says it, without a class for it

T = TypeVar("T")


def tell(text: str) -> None:
    """Text on stderr. That it cannot be written changes neither results nor exit code."""
    with contextlib.suppress(OSError, ValueError):
        click.echo(text, err=True)


def complain(message: str) -> None:
    """An error message, on stderr."""
    tell(f"error: {message}")


def leave(code: int) -> NoReturn:
    """End the process at once: a search still running in a thread is not waited for."""
    interrupts.leaving()
    for stream in (sys.stdout, sys.stderr):
        # Closed, full, not there, or a second Ctrl-C: nothing more can be said.
        with contextlib.suppress(OSError, ValueError, AttributeError, KeyboardInterrupt):
            stream.flush()
    os._exit(code)


def run_command(command: click.Command, args: Sequence[str] | None) -> int:
    """Run a command and return the exit code that fits what happened."""
    try:
        interrupts.working()
        return _run(command, args)
    except (click.Abort, KeyboardInterrupt):
        if sys.stderr is not None and sys.stderr.isatty():
            tell("")  # after the ^C
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
        return _system(error)
    except Exception as error:
        return _tierce_exit(error)


def _invoke(command: click.Command, args: list[str]) -> int:
    """What `click.Command.main` does, without its own ideas about errors, which change with its versions."""
    if "_TIERCE_COMPLETE" in os.environ:  # a shell asks for completion
        _complete(command, args)
    with command.make_context("tierce", args) as context:
        code = command.invoke(context)
    return code if isinstance(code, int) else OK


def _complete(command: click.Command, args: list[str]) -> NoReturn:
    """What a shell's completion script asks for; click ends it with SystemExit."""
    try:
        command.main(args, prog_name="tierce")
    except (KeyError, ValueError) as error:  # of COMP_WORDS and COMP_CWORD, which click takes as they come
        raise click.UsageError(f"expected COMP_WORDS and COMP_CWORD as a shell sets them, found {error}") from None


def _usage(error: click.UsageError) -> int:
    message = error.format_message().rstrip(".")
    if isinstance(error, click.NoSuchOption):
        hint = f", did you mean {error.possibilities[0]!r}?" if error.possibilities else ""
        message = f"no such option {error.option_name!r}{hint}"
    complain(message if message[:2].isupper() else message[:1].lower() + message[1:])
    command = error.ctx.command_path if error.ctx else "tierce"
    tell(f"'{command} --help' tells more.")
    return USAGE


def _system(error: OSError) -> int:
    """What the system refused. An error of reading has the file's name (see `reading`), one of the output has none."""
    if error.errno == errno.ENOMEM:
        return _no_room(str(error.strerror))
    reason = error.strerror or str(error)
    complain(f"{error.filename}: {reason}" if error.filename else reason)
    return BAD_DATA if error.filename else UNWRITABLE


def _no_room(reason: str) -> int:
    complain("not enough memory" + (f": {reason}" if reason else ""))
    return LIMIT


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Errors of the system get the name of the file, by which `run_command` tells reading from writing."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), name) from None


def _prepare_streams() -> None:
    if sys.stderr is None:  # started with 2>&-: whatever is told goes nowhere, and no file gets its number
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process lives
    if sys.stdout is None:  # started with >&-
        raise OSError("expected a standard output to write to, found it closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name in a file must not end the run


def _reader_gone() -> int:
    """The reader of our output has left (`| head`). Nothing more can be written, and that is no fault."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return OK


def _tierce_exit(error: Exception) -> int:
    if interrupts.out_of_memory(error):
        return _no_room(str(error))
    if isinstance(error, RuntimeError) and str(error).startswith(_NO_THREAD):
        complain(f"not enough memory or too many threads: {error}")
        return LIMIT
    from tierce.service.faults import ServiceError
    from tierce.solver.errors import Cancelled, InputError, LimitReached

    if isinstance(error, ServiceError):
        complain(str(error))
        return USAGE if error.code in ("metrics", "unimplemented") else UNAVAILABLE
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
