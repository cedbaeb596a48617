"""`tierce batch report`: what a batch study shows, as text, as JSON and as a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.exits import OK, reading
from tierce.cli.options import json_option
from tierce.cli.out import check_page, write_page
from tierce.cli.progress import Gauge, gauge
from tierce.cli.remote import refuse_server
from tierce.cli.values import FileName, Number
from tierce.solver.errors import InputError

if TYPE_CHECKING:
    from tierce.solver.report.study_files import StudyFile
    from tierce.solver.report.study_results import StudyReport

TOP = 3
_TOP_MAX = 1000
_EVERY = 2048  # deals between two looks at the clock

_HELP = """\b
What a study of strategies shows: the mean floor of each, how they compare
deal by deal, and the deals in which they differ most.

\b
  tierce batch report run.parquet
  tierce batch report run.parquet --html report.html --top 10
  tierce batch report run.parquet --json

The study is a file of 'tierce batch exchange' or 'tierce batch dealer'. Of one
that is not finished what is there is told.

\b
Only deals in which every strategy has a value count, so that all have met the
same cards.
  floor       the mean of what the seat is sure of, ± half its 95 % interval
  balance     the mean of that over the tricks owed
  quota       share of the deals in which the floor reaches what is owed
  12 tricks   share in which it reaches what wins the match
  difference  the mean of the differences deal by deal, ± as above
  better, equal, worse   than the best, in so many of the deals
  same choice   in so many of the deals both chose the same cards
  apart       can the two be told apart? All pairs are judged together (Holm,
              5 %), and pairs that differ in fewer than 8 deals are not.
"""


@click.command("report", help=_HELP, short_help="What a study shows.")
@click.argument("study", type=FileName(), metavar="FILE")
@click.option("--html", type=FileName(), metavar="FILE", help="Write a page with plots: a .html file.")
@click.option(
    "--top",
    type=Number(int, 0, _TOP_MAX),
    default=TOP,
    show_default=True,
    metavar="N",
    help="Deals to look at, the widest spread of floors first.",
)
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    _check(given)
    report = _report(given)
    failed = _try_to_write(report, given["html"])
    _print(report, given, written=failed is None)
    if failed is not None:
        raise failed
    return OK


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be done, before the study is read."""
    refuse_server("batch report")
    if given["study"] == "-":
        raise click.UsageError("expected the name of a file, found '-': studies are not read from stdin")
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise click.UsageError(f"a study needs pyarrow ({error}): pip install 'tierce[batch]'") from None
    if given["html"] is not None:
        check_page(given["html"])


# ---- reading ---------------------------------------------------------------------------------------------------------


def _report(given: dict[str, Any]) -> StudyReport:
    from tierce.solver.report.study import study_report
    from tierce.solver.report.study_files import open_study

    name = given["study"]
    try:
        with reading(name), gauge("report") as bar:
            file = open_study(name)
            watch = None if bar is None else _watch(bar, file)
            return study_report(file, top=given["top"], watch=watch)
    except InputError as error:
        raise error if error.file else error.located(file=name) from None


class _watch:
    """Draws the share of the deals that are read, now and then."""

    def __init__(self, bar: Gauge, file: StudyFile) -> None:
        self._bar = bar
        self._deals = max(1, file.study.deals)

    def __call__(self, done: int) -> None:
        if done % _EVERY == 0:
            self._bar.show(min(1.0, done / self._deals), f"{done:,} deals read")


# ---- writing ---------------------------------------------------------------------------------------------------------


def _print(report: StudyReport, given: dict[str, Any], *, written: bool) -> None:
    if given["as_json"]:
        click.echo(json.dumps(report.json()))
        return
    from tierce.cli import report_text
    from tierce.cli.render import say

    report_text.show(report)
    if given["html"] is not None:
        say()
        say(f"The page is {given['html']}." if written else f"{given['html']} was not written.")


def _try_to_write(report: StudyReport, name: str | None) -> OSError | None:
    """Write the page, if one is wanted; what prevents it is told after the result."""
    if name is None:
        return None
    from tierce.solver.report.study_page import study_page

    try:
        write_page(name, study_page(report))
    except OSError as error:
        return error
    return None
