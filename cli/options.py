"""Options that several commands share."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from typing import IO, Any, TypeVar

import click
from click.core import ParameterSource

from tierce.solver.asking import Asked
from tierce.solver.cards import TEXT_MAX
from tierce.solver.errors import InputError
from tierce.solver.query import DEFAULT_TABLE_MB, TABLE_MB_MAX

F = TypeVar("F", bound=Callable[..., Any])


def number(kind: type[int] | type[float], low: float, high: float = math.inf) -> dict[str, Any]:
    """Settings of an option that takes a number from `low` to `high`. Not by click's ranges, which fill the help."""

    def check(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
        if value is None or low <= value <= high:
            return value
        bounds = f"{low} or more" if high == math.inf else f"from {low} to {high}"
        raise click.BadParameter(f"expected {bounds}, found {value}", ctx=context, param=param)

    return {"type": kind, "callback": check}


def question_options(command: F) -> F:
    """The deal and what is asked about it."""
    for add in reversed(
        [
            click.argument("deal", required=False),
            click.option("--trump", metavar="S|H|D|C|N", help="Trump suit; N, NT or none for no trump."),
            click.option("--discard", metavar="HAND", help="The dealer's discard, as a hand: '.87..Q4'."),
            click.option("--kitty-first", is_flag=True, help="The dealer may discard cards of the kitty."),
            click.option("--leader", metavar="SEAT", help="First leader; three hands: E, four: left of the dealer."),
            click.option("--dealer", metavar="SEAT", help="Dealer of four hands (default N)."),
            click.option("--side", metavar="SEATS", help="Seats counted together (four hands: NS)."),
            click.option(
                "--objective",
                type=click.Choice(["most", "fewest"]),
                default="most",
                help="The side tries to take most tricks (default) or fewest.",
            ),
            click.option("--play", metavar="CARDS", help="Cards already played, in order: 'HK H2 H5 C3'."),
        ]
    ):
        command = add(command)
    return command


def limit_options(command: F) -> F:
    """Limits of a search."""
    for add in reversed(
        [
            click.option("--timeout", **number(float, 1e-9, 1e9), metavar="SECONDS", help="Give up after so long."),
            click.option(
                "--max-nodes", **number(int, 1, (1 << 63) - 1), metavar="N", help="Give up after so many nodes."
            ),
            click.option(
                "--table-mb",
                **number(int, 1, TABLE_MB_MAX),
                default=DEFAULT_TABLE_MB,
                show_default=True,
                metavar="MIB",
                help="Memory for the table, of the whole process.",
            ),
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
