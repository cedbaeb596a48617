"""A study from the command line: begun or gone on with, on this machine or a cluster, and what is told at its end."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tierce.cli.batch_progress import duration, pacing
from tierce.cli.exits import BAD_DATA, OK, UNAVAILABLE, complain, tell
from tierce.cli.options import json_option, processors
from tierce.cli.values import FileName, Number

if TYPE_CHECKING:
    from tierce.solver.batch.columns import Row
    from tierce.solver.batch.parts import Parts, Summary
    from tierce.solver.batch.studies import Study
    from tierce.solver.batch.work import Line, Work

F = TypeVar("F", bound=Callable[..., Any])

_THREADS_MAX = 256


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
            click.option("--overwrite", is_flag=True, help="Take away what is there, finished or not."),
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
    """Refuse what needs a package that is not there. UsageError."""
    try:
        import pyarrow.parquet  # noqa: F401

        if given["scheduler"] is not None:
            import distributed  # noqa: F401
    except ImportError as error:
        raise click.UsageError(f"a study needs more packages ({error}): pip install 'tierce[batch]'") from None


def begin(study: Study, given: dict[str, Any], table: Path, lines: Iterable[Line] | None = None) -> int:
    """Do a new study. Exit code."""
    from tierce.solver.batch.parts import Parts, clear
    from tierce.solver.batch.work import Work
    from tierce.solver.errors import InputError

    work = Work(study)
    if given["overwrite"]:
        clear(table)
    try:
        parts = Parts.begin(table, study, lines)
    except InputError as error:
        if error.code != "exists":
            raise
        name = given["out"]
        hint = f"'tierce batch resume {name}' goes on with it, --overwrite takes it away"
        raise click.UsageError(f"{error.message}; {hint}", click.get_current_context()) from None
    return run(parts, work if parts.study == study else Work(parts.study), given)


def run(parts: Parts, work: Work, given: dict[str, Any]) -> int:
    """Do what is left of a study and put its table together. Exit code."""
    from tierce.solver.batch.cluster import ClusterLost

    began = time.monotonic()
    study = parts.study
    try:
        left = parts.chunks_left()
        kept = study.deals - sum(len(study.numbers(chunk)) for chunk in left)
        with pacing(study.deals, kept) as bar:
            watch = None if bar is None else bar.show
            with closing(_rows(parts, work, left, given, watch)) as found:
                for chunk, rows in found:
                    parts.keep(chunk, rows)
        summary = parts.finish()
    except KeyboardInterrupt:
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
    parts: Parts, work: Work, left: list[int], given: dict[str, Any], watch: Callable[[int], None] | None
) -> Generator[tuple[int, list[Row]], None, None]:
    from tierce.solver.batch.cluster import connected, run_there
    from tierce.solver.batch.local import run_here

    if given["scheduler"] is None:
        yield from run_here(work, parts.jobs(left), given["threads"] or processors(), watch)
        return
    import logging

    with connected(given["scheduler"]) as client:
        for name in list(logging.root.manager.loggerDict):
            if name.split(".")[0] == "distributed":  # what goes wrong is told in our own words
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield from run_there(client, parts.study, parts.jobs(left), watch, tell)


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
        by = ", ".join(f"{name} {count:,}" if name else f"{count:,}" for name, count in summary.errors.items())
        complain(f"{bad:,} row{'s' if bad != 1 else ''} with an error ({by}); see the column 'error'")
    return BAD_DATA if bad else OK


def _what(study: Study) -> str:
    if study.kind == "solve":
        return f"{study.deals:,} line{'s' if study.deals != 1 else ''}"
    strategies = len(study.strategies)
    deals = f"{study.deals:,} deal{'s' if study.deals != 1 else ''}"
    return f"{deals} with {strategies} strateg{'ies' if strategies != 1 else 'y'}"


def find_modules_here() -> None:
    """Strategies may lie in the folder where the command is typed, too."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
