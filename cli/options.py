"""Options that several commands share."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from tierce.solver.asking import Asked
from tierce.solver.cards import TEXT_MAX
from tierce.solver.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])


class _Seconds(click.ParamType):
    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds < 1e9:
            self.fail(f"expected seconds above 0 and below 1e9, found {value!r}", param, ctx)
        return seconds


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
            click.option("--objective", type=click.Choice(["most", "fewest"]), default="most", show_default=True),
            click.option("--play", metavar="CARDS", help="Cards already played, in order: 'HK H2 H5 C3'."),
        ]
    ):
        command = add(command)
    return command


def limit_options(command: F) -> F:
    """Limits of a search."""
    for add in reversed(
        [
            click.option("--timeout", type=_Seconds(), metavar="SECONDS", help="Give up after so long."),
            click.option(
                "--max-nodes", type=click.IntRange(1, (1 << 63) - 1), metavar="N", help="Give up after so many nodes."
            ),
            click.option(
                "--table-mb",
                type=click.IntRange(1, 1 << 18),
                default=256,
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
    data = sys.stdin.buffer.read(TEXT_MAX + 1)
    try:
        return data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        message = f"expected UTF-8 on stdin, found the byte {data[error.start]:#04x}"
        raise InputError("encoding", message, field="deal") from None
