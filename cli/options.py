"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import IO, Any, TypeVar

import click
from click.core import ParameterSource

from tierce.cli import values
from tierce.cli.exits import reading
from tierce.cli.values import Number
from tierce.solver.asking import Asked, parse_discard
from tierce.solver.batch.many import SHARES
from tierce.solver.cards import TEXT_MAX, parse_cards
from tierce.solver.errors import InputError
from tierce.solver.query import DEFAULT_TABLE_MB, TABLE_MB_MAX

STDIN = "<stdin>"
SECONDS_MAX = 999_999_999

F = TypeVar("F", bound=Callable[..., Any])


def question_options(command: F) -> F:
    """The deal and what is asked about it."""
    for add in reversed(
        [
            click.argument("deal", required=False),
            click.option(
                "--trump",
                callback=values.trump,
                metavar="S|H|D|C|N",
                help="Trump suit; N, NT or none for no trump.",
            ),
            click.option(
                "--discard",
                callback=values.judged(parse_discard),
                metavar="CARDS",
                help="The dealer's discard: 'H8 H7 CQ C4', or as a hand: '.87..Q4'.",
            ),
            click.option("--kitty-first", is_flag=True, help="The dealer may discard cards of the kitty."),
            click.option(
                "--leader",
                callback=values.seat,
                metavar="SEAT",
                help="First leader; three hands: E, four: left of the dealer.",
            ),
            click.option("--dealer", callback=values.seat, metavar="SEAT", help="Dealer of four hands (default N)."),
            click.option(
                "--side", callback=values.side, metavar="SEATS", help="Seats counted together (four hands: NS)."
            ),
            click.option(
                "--objective",
                type=click.Choice(["most", "fewest"]),
                default="most",
                help="The side tries to take most tricks (default) or fewest.",
            ),
            click.option(
                "--play",
                callback=values.judged(parse_cards),
                metavar="CARDS",
                help="Cards already played, in order: 'HK H2 H5 C3'.",
            ),
        ]
    ):
        command = add(command)
    return command


table_option = click.option(
    "--table-mb",
    type=Number(int, 1, TABLE_MB_MAX),
    default=DEFAULT_TABLE_MB,
    show_default=True,
    metavar="MIB",
    help="Memory for the table, of the whole process.",
)


def limit_options(command: F) -> F:
    """Limits of a search."""
    for add in reversed(
        [
            click.option(
                "--timeout",
                type=Number(float, 1e-9, SECONDS_MAX),
                metavar="SECONDS",
                help="Give a deal up after so long, whatever is asked about it.",
            ),
            click.option(
                "--max-nodes",
                type=Number(int, 1, (1 << 63) - 1),
                metavar="N",
                help="Give a deal up after so many nodes, whatever is asked about it.",
            ),
            table_option,
        ]
    ):
        command = add(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def refuse(names: Iterable[str], reason: str) -> None:
    """UsageError about the first of the options that was typed."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} {reason}")


def refuse_for_file(names: Iterable[str], reason: str) -> None:
    """The same for options that would do with another file: InputError, for what the file holds settles it."""
    try:
        refuse(names, reason)
    except click.UsageError as error:
        raise InputError("option", error.message) from None


def threads_of(given: dict[str, Any]) -> int:
    """The threads typed, or one for each processor; no more than there are parts of the table."""
    return min(SHARES, given["threads"] or processors())


def processors() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def asked_of(given: dict[str, Any], deal: str) -> Asked:
    """The question typed, about a deal."""
    names = ("trump", "discard", "leader", "dealer", "side", "objective", "play", "kitty_first")
    return Asked(deal, **{name: given[name] for name in names})


def one_deal(deal: str | None) -> str:
    """The deal argument, `-` read from standard input."""
    if deal is None:
        raise click.UsageError("expected a deal, such as 'D:<dealer> <eldest> <middle> / <kitty>', or - for stdin")
    if deal != "-":
        return deal
    with reading(STDIN):
        data = stdin().read(TEXT_MAX + 1)
    try:
        return data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        message = f"expected UTF-8 on stdin, found the byte {data[error.start]:#04x}"
        raise InputError("encoding", message, field="deal") from None


def stdin() -> IO[bytes]:
    """Standard input, as bytes."""
    if sys.stdin is None:  # started with <&-
        raise InputError("stdin", "expected a standard input to read from, found it closed")
    return sys.stdin.buffer
