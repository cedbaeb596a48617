"""`tierce contracts`: what can be made in a deal of Solo Whist."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.contracts_asking import asked_of_options, contract_options, game_of_options
from tierce.cli.options import json_option, limit_options, processors, refuse
from tierce.cli.progress import gauge
from tierce.cli.questions import told
from tierce.cli.remote import refuse_at_server, remote
from tierce.cli.values import FileName, Number
from tierce.solver.asking import Json
from tierce.solver.batch.contracts import ContractsAsked, contracts_line
from tierce.solver.batch.fields import error_json
from tierce.solver.batch.many import SHARES
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.query import Limits
from tierce.solver.results import stopped

if TYPE_CHECKING:
    from tierce.cli.remote_searches import RemoteContractSearch
    from tierce.solver.advice.contracts import ContractSearch
    from tierce.solver.advice.contracts_results import ContractTable
    from tierce.solver.games.profile import Profile

_HELP = """\b
What can be made in a deal of Solo Whist: every contract of every seat,
exactly, all hands seen; and the lead that beats what cannot.

\b
  tierce contracts --dealer N --turned H5 "N:AK4.Q5.T9842.J73 \\
  QJT9.K87.AJ.T864 865.AJT42.K3.K92 732.963.Q765.AQ5"
  tierce contracts --dealer W --trump S --tricks "N:AKQ.AQT85.T85.A9 \\
  9743.K4.K973.KJ3 JT85.J32.AQJ.T54 62.976.642.Q8762"
  tierce contracts --batch contracts.jsonl

Prop and Cop is asked for all pairs, Abundance in every suit. Eldest, on the
dealer's left, leads, but to Abundance Declared the bidder. Misère Ouverte is
worth what Misère is, for all hands are seen anyway. A seat's dearest bid is
the highest it makes; Abundance in Trumps counts with --option ait_open=true.

\b
--option ad_trump=true   Abundance Declared with a trump of the bidder's, too
--tricks counts to the trick what the declarers take (not in Misère), which
takes some ten times as long.

\b
A line of a --batch file is a JSON object with the fields
  deal, dealer, and turned or trump      as above; without them: those of
            --dealer and --trump
  id        text or a number, comes back (else the line's number)
"""


@click.command("contracts", help=_HELP, short_help="What can be made in a deal of Solo Whist.")
@click.argument("deal", required=False)
@contract_options
@click.option("--tricks", is_flag=True, help="Count the tricks, too.")
@click.option("--batch", type=FileName(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option("--threads", type=Number(int, 1), metavar="N", help=f"Threads (default: all cores; {SHARES} at most).")
@limit_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    if given["deal"] is not None and given["batch"] is not None:
        raise click.UsageError("expected a deal or --batch, found both")
    refuse_at_server("game_file", "table_mb", "threads")
    profile = game_of_options(given)
    if given["batch"] is not None:
        from tierce.cli.feed import answer_lines

        refuse(("turned",), "does not go with --batch: each line says its own")
        return answer_lines(given["batch"], lambda text, number: _line(text, number, profile, given))
    return _answer(_search(asked_of_options(given), profile, given), given)


def _search(asked: ContractsAsked, profile: Profile, given: dict[str, Any]) -> ContractSearch | RemoteContractSearch:
    """The search for a table, here or at a server."""
    from tierce.solver.advice.contracts import ContractSearch

    limits = Limits(given["timeout"], given["max_nodes"])
    place = asked.deal, asked.dealer, asked.turned
    put: dict[str, Any] = {"trump": asked.trump, "profile": profile, "tricks": given["tricks"], "limits": limits}
    threads = min(SHARES, given["threads"] or processors())
    search = ContractSearch(*place, **put, threads=threads, table_mb=given["table_mb"])
    if (client := remote()) is None:
        return search
    from tierce.cli.remote_searches import RemoteContractSearch
    from tierce.service import wires

    return RemoteContractSearch(client, search.table, wires.contracts(*place, **put, partial=True))


def _line(text: str, line: int, profile: Profile, given: dict[str, Any]) -> tuple[Json, bool]:
    """The answer to a line, or what is wrong with it; and whether a limit stopped its search."""
    ident, asked = contracts_line(text, line, given["dealer"], given["trump"])
    try:
        if isinstance(asked, InputError):
            raise asked
        table = _search(asked, profile, given).run()
    except InputError as error:
        return error_json(ident, error.located(line=line)), False
    return {"id": ident} | table.json(), bool(table.stop)


def _answer(search: ContractSearch | RemoteContractSearch, given: dict[str, Any]) -> int:
    try:
        with gauge("contracts") as bar:
            table = search.run(None if bar is None else lambda: bar.show(search.done, ""), 0.2)
    except KeyboardInterrupt:  # what is known; then the command ends as it does wherever it is interrupted
        _print(search.table, given)
        raise
    limit = stopped(table.stop) if table.stop else None
    if limit is not None and not isinstance(limit, LimitReached):
        raise limit
    _print(table, given)
    return told(limit)


def _print(table: ContractTable, given: dict[str, Any]) -> None:
    if given["as_json"]:
        click.echo(json.dumps(table.json()))
        return
    from tierce.cli import contracts_text

    contracts_text.show(table)
