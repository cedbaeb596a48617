"""A study from the command line: begun or gone on with, on this machine or a cluster, and what is told at its end."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tierce.cli.batch_progress import duration, pacing
from tierce.cli.exits import BAD_DATA, OK, UNAVAILABLE, complain, tell
from tierce.cli.options import json_option, processors
from tierce.cli.remote import refuse_at_server, remote
from tierce.cli.values import FileName, Number
from tierce.service.faults import ServiceError
from tierce.solver.errors import InputError, LimitReached

if TYPE_CHECKING:
    from tierce.solver.batch.columns import Row
    from tierce.solver.batch.parts import Parts, Summary
    from tierce.solver.batch.studies import Study
    from tierce.solver.batch.work import Line, Work

F = TypeVar("F", bound=Callable[..., Any])

_THREADS_MAX = 256
_ASKING = 16  # threads, where a server does the work and they only wait


def running_options(command: F) -> F:
    """Where the work is done, and how its end is told."""
    for add in reversed(
        [
            click.option(
                "--threads", type=Number(int, 1, _THREADS_MAX), metavar="N", help="Threads (default: all cores)."
            ),
            click.option("--scheduler", metavar="ADDRESS", help="Work on this Dask cluster instead: tcp://host:8786."),
            json_option,
        ]
    ):
        command = add(command)
    return command


def beginning_options(command: F) -> F:
    """What is written, and in what pieces."""
    from tierce.solver.batch.studies import CHUNK, CHUNK_MAX

    for add in reversed(
        [
            click.option("--out", type=FileName(), required=True, metavar="FILE", help="The table: a .parquet file."),
            click.option(
                "--overwrite", is_flag=True, help="Begin anew; a table that is there stays until this one is whole."
            ),
            click.option(
                "--chunk",
                type=Number(int, 1, CHUNK_MAX),
                default=CHUNK,
                show_default=True,
                metavar="N",
                help="Deals that are kept together.",
            ),
        ]
    ):
        command = add(command)
    return command


def check_room(given: dict[str, Any]) -> Path:
    """The table's path, once all that is needed to write it is there. UsageError, or OSError without a file's name."""
    name: str = given["out"]
    need_packages(given)
    if Path(name).suffix.lower() != ".parquet":
        raise click.UsageError(f"expected --out to end in .parquet, found {name!r}")
    from tierce.cli.out import check_table

    check_table(name)
    return Path(os.path.realpath(name))


def need_packages(given: dict[str, Any]) -> None:
    """Refuse what needs a package that is not there, and an address that is none. UsageError."""
    refuse_at_server("scheduler")
    if given["scheduler"] is not None and not given["scheduler"].strip():
        raise click.UsageError(f"expected --scheduler tcp://host:8786 or the like, found {given['scheduler']!r}")
    try:
        import pyarrow.parquet  # noqa: F401

        if given["scheduler"] is not None:
            import distributed  # noqa: F401
    except ImportError as error:
        raise click.UsageError(f"a study needs more packages ({error}): pip install 'tierce[batch]'") from None


def begin(study: Study, given: dict[str, Any], table: Path, lines: Iterable[Line] | None = None) -> int:
    """Do a new study. Exit code."""
    from tierce.solver.batch.cluster import ClusterLost
    from tierce.solver.batch.parts import Parts
    from tierce.solver.batch.work import Work

    with strategies_aside():
        work = Work(study, remote())
    try:
        with _cluster(given["scheduler"]) as client:  # before anything that is there goes
            parts = Parts.begin(table, study, lines, overwrite=given["overwrite"])
            return run(parts, work if parts.study == study else prepared(parts), given, client)
    except ClusterLost as error:
        complain(error.message)
        return UNAVAILABLE
    except InputError as error:
        if error.code != "exists":
            raise
        name = given["out"]
        hint = f"'tierce batch resume {name}' goes on with it, --overwrite begins anew"
        raise click.UsageError(f"{error.message}; {hint}", click.get_current_context()) from None


def prepared(parts: Parts) -> Work:
    """The work of a study whose folder is ours; given up if it cannot be done."""
    from tierce.solver.batch.work import Work

    try:
        with strategies_aside():
            return Work(parts.study, remote())
    except BaseException:
        parts.close()
        raise


def run(parts: Parts, work: Work, given: dict[str, Any], client: Any = None) -> int:
    """Do what is left of a study and put its table together, on the cluster of a client if there is one. Exit code."""
    from tierce.solver.batch.cluster import ClusterLost

    began = time.monotonic()
    study = parts.study
    try:
        left = parts.chunks_left()
        kept = study.deals - sum(len(study.numbers(chunk)) for chunk in left)
        with strategies_aside(), pacing(study.deals, kept) as bar:
            watch = None if bar is None else bar.show
            with closing(_rows(parts, work, left, given, client, watch)) as found:
                for chunk, rows in found:
                    parts.keep(chunk, rows)
        summary = parts.finish()
    except (KeyboardInterrupt, ServiceError, LimitReached):  # the latter two of a server
        tell(_to_resume(given))
        raise
    except ClusterLost as error:
        complain(error.message)
        tell(_to_resume(given))
        return UNAVAILABLE
    finally:
        parts.close()
    return tell_end(study, summary, given, time.monotonic() - began)


def _rows(
    parts: Parts,
    work: Work,
    left: list[int],
    given: dict[str, Any],
    client: Any,
    watch: Callable[[int], None] | None,
) -> Generator[tuple[int, list[Row]], None, None]:
    from tierce.solver.batch.cluster import run_there
    from tierce.solver.batch.local import run_here

    jobs = parts.jobs(left)
    if given["scheduler"] is None:
        yield from run_here(work, jobs, given["threads"] or (processors() if remote() is None else _ASKING), watch)
        return
    with nullcontext(client) if client is not None else _cluster(given["scheduler"]) as there:
        yield from run_there(there, parts.study, jobs, watch, tell)


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """A client of the cluster at an address, or None without one."""
    if address is None:
        yield None
        return
    import logging

    from tierce.solver.batch.cluster import connected

    with connected(address) as client:
        for name in list(logging.root.manager.loggerDict):
            if name.split(".")[0] == "distributed":  # what goes wrong is told in our own words
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield client


class _Aside(io.TextIOBase):
    """What strategies have as their stdout: it goes to stderr, and they cannot close it."""

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, text: str) -> int:
        """Write, if there is anybody who reads."""
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
        return len(text)

    def close(self) -> None:
        """Stay open."""


@contextmanager
def strategies_aside() -> Iterator[None]:
    """Strategies may print: for so long stdout is stderr, for the result alone goes to stdout."""
    with redirect_stdout(_Aside()):
        yield


def _to_resume(given: dict[str, Any]) -> str:
    return f"What is finished is kept: 'tierce batch resume {given['out']}' goes on from there."


def tell_end(study: Study, summary: Summary, given: dict[str, Any], seconds: float | None) -> int:
    """What the table holds, on stdout; rows with errors on stderr. Exit code."""
    bad = sum(summary.errors.values())
    if given["as_json"]:
        out: dict[str, Any] = json.loads(study.json())
        out |= {"out": given["out"], "rows": summary.rows, "errors": summary.errors}
        click.echo(json.dumps(out | {"seconds": None if seconds is None else round(seconds, 3)}))
    else:
        from tierce.cli.render import say

        took = "" if seconds is None else f", in {duration(seconds)}"
        say(f"{summary.rows:,} rows in {given['out']}: {_what(study)}{took}.")
    if bad:
        by = ", ".join(f"{name} {count:,}" for name, count in summary.errors.items() if name)
        complain(f"{bad:,} row{'s' if bad != 1 else ''} with an error{by and f' ({by})'}; see the column 'error'")
        for name, (place, error) in summary.first.items():
            tell(_first(name, place, error))
    return BAD_DATA if bad else OK


def _first(name: str, place: int, error: str) -> str:
    """The first error of a strategy, or of the lines."""
    from tierce.solver.report.markup import plain

    if not name:
        return "  " + plain(error if error.startswith("line ") else f"line {place}: {error}")
    return "  " + plain(f"{name}, deal {place}: {error.removeprefix(f'{name}: ')}")


def _what(study: Study) -> str:
    if not study.strategies:
        return f"{study.deals:,} line{'s' if study.deals != 1 else ''}"
    strategies = len(study.strategies)
    deals = f"{study.deals:,} deal{'s' if study.deals != 1 else ''}"
    return f"{deals} with {strategies} strateg{'ies' if strategies != 1 else 'y'}"


def find_modules_here() -> None:
    """Strategies may lie in the folder where the command is typed, too."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
