"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


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
            click.option(
                "--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Give up after so long."
            ),
            click.option("--max-nodes", type=click.IntRange(1), metavar="N", help="Give up after so many nodes."),
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


def one_deal(deal: str | None) -> str:
    """The deal argument, `-` read from standard input."""
    if deal is None:
        raise click.UsageError("expected a deal, such as 'D:<dealer> <eldest> <middle> / <kitty>', or - for stdin")
    if deal != "-":
        return deal
    return sys.stdin.read(10_001).strip()
