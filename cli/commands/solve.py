"""`tierce solve`: one deal; a PBN file and JSON lines have modules of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.budget import budget_of
from tierce.cli.exits import interruptible
from tierce.cli.options import asked_of, json_option, limit_options, one_deal, question_options, refuse
from tierce.cli.questions import told
from tierce.cli.remote import refuse_at_server, remote
from tierce.cli.values import FileName, Number
from tierce.solver.asking import Asked, Json
from tierce.solver.batch.many import SHARES
from tierce.solver.cards import NOTRUMP
from tierce.solver.deal import Deal
from tierce.solver.errors import LimitReached
from tierce.solver.position import Position
from tierce.solver.query import MIB
from tierce.solver.results import SideResult
from tierce.solver.search import Engine
from tierce.solver.solver import Solver
from tierce.solver.tables import every_strain
from tierce.solver.telling import SolveAnswer, SolveAsked, solve_answer

if TYPE_CHECKING:
    from tierce.service.client import Client

_HELP = """\b
Exact tricks with best play by all, every card seen.

\b
  tierce solve --trump S --discard "H8 H7 CQ C4" \\
  "D:AQT95.K87.J9852.AQ4 7.T943.AK764.KJT652 KJ6432.AQ65.Q3.9873 / 8.J2.T."
  tierce solve "N:.T62.K8.7 A3..3.AKJ QJ.A.A2.Q .K9.Q6.T8" --trump H --side NE
  tierce solve "D:.9.T8.T A.5.7.Q T.J.A.K"           every strain
  tierce solve --batch deals.jsonl > results.jsonl   many deals, all cores
  tierce solve --pbn session.pbn --table             every deal of a PBN file
  tierce solve --game sumgait KQ2.A.. --piles "SA HT J1 C9 / C7 D2 SJ H3"

Three hands without --side: each seat's floor, fair share and ceiling. With
--objective fewest the full count of a whole hand may take minutes; whether it
is --at-most 0, or another number far from it, is known far sooner.

\b
Suits stand in the order S.H.D.C, divided by dots, in hands and discards.
Deals of a --pbn file are solved from the first card; its play is passed over.

\b
A line of a --batch file is a JSON object with the fields
  deal, trump     as above; without trump: that of --trump; all others may be
                  left out
  id              text or a number, comes back (else the line's number)
  discard         a hand, such as ".87..Q4", or cards
  kitty_first     true or false
  leader, dealer, side, objective, play     as the options
"""

_TRICKS = Number(int, 0)


class _ByGame(click.Command):
    """The command, or that of a game which is solved in a way of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command whose game is typed."""
        game = _typed_game(args)
        if game == "sumgait":
            return _sumgait().make_context(info_name, args, parent, **extra)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.NoSuchOption as error:
            if not any(error.option_name in each.opts for each in _sumgait().params):
                raise
            found = "no --game" if game is None else f"--game {game}"
            message = f"expected --game sumgait with {error.option_name}, found {found}"
            raise click.UsageError(message, error.ctx) from None


def _sumgait() -> click.Command:
    from tierce.cli.solve_sumgait import command

    return command


def _typed_game(args: list[str]) -> str | None:
    """What follows --game, before options are read."""
    words = args[: args.index("--")] if "--" in args else args
    for at, word in enumerate(words):
        if word.startswith("--game="):
            return word.removeprefix("--game=")
        if word == "--game":
            return words[at + 1] if at + 1 < len(words) else None
    return None


@click.command("solve", cls=_ByGame, help=_HELP, short_help="Exact tricks for a deal.")
@question_options
@click.option("--game", metavar="GAME", help="sumgait: against two known piles; see --game sumgait --help.")
@click.option("--at-least", type=_TRICKS, metavar="K", help="Ask only: does the side take K or more?")
@click.option("--at-most", type=_TRICKS, metavar="K", help="Ask only: does the side take K or fewer?")
@click.option("--line", is_flag=True, help="Add one line of best play.")
@click.option("--relevant", is_flag=True, help="List the cards whose rank mattered; those above them did, too.")
@click.option("--batch", type=FileName(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option("--pbn", type=FileName(), metavar="FILE", help="Solve every deal of a PBN file; - is stdin.")
@click.option("--table", is_flag=True, help="With --pbn: every strain and seat.")
@click.option("--bounds", is_flag=True, help="At a limit, print what is proved so far (JSON always does).")
@click.option(
    "--threads",
    type=Number(int, 1),
    metavar="N",
    help=f"Threads for many deals (default: all cores; {SHARES} at most).",
)
@limit_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    if given["game"] is not None:
        raise click.UsageError(f"expected --game sumgait, found {given['game']!r}: other deals tell their own hands")
    sources = [name for name in ("deal", "batch", "pbn") if given[name] is not None]
    if len(sources) > 1:
        raise click.UsageError(f"expected one of a deal, --batch and --pbn, found {len(sources)}")
    if given["at_least"] is not None and given["at_most"] is not None:
        raise click.UsageError("expected --at-least or --at-most, found both")
    refuse_at_server("table_mb", "threads", "pbn")
    if given["batch"] is not None:
        from tierce.cli.commands.solve_batch import batch

        return batch(given)
    if given["pbn"] is not None:
        from tierce.cli.commands.solve_pbn import pbn

        return pbn(asked_of(given, ""), given)
    refuse(("table",), "goes with --pbn; without --trump every strain of a deal is solved")
    refuse(("threads",), "goes with --batch and --pbn")
    asked = asked_of(given, one_deal(given["deal"]))
    if asked.trump is None:
        return _every_strain(asked, given)
    if given["at_least"] is not None or given["at_most"] is not None:
        refuse(("line", "relevant"), "does not go with a yes/no question")
    query = asked.query()
    names = ("at_least", "at_most", "line", "relevant")
    question = SolveAsked(query, asked.first_leader(query.position.n), **{name: given[name] for name in names})
    if question.need is not None and query.side is None:
        raise click.UsageError("--at-least and --at-most ask about one side of three hands: name it with --side")
    return _answer(question, given)


def _answer(question: SolveAsked, given: dict[str, Any]) -> int:
    client = remote()
    found = interruptible(lambda: _found(question, given, client))
    known = found.result.complete if question.need is None else found.yes is not None
    if given["as_json"]:
        click.echo(json.dumps(found.json()))
    elif known or given["bounds"]:
        from tierce.cli import show

        if question.need is None:
            show.solved(question.query, question.first, found.result, found.json())
        else:
            assert isinstance(found.result, SideResult)
            show.yes_or_no(
                question.query,
                question.first,
                found.result,
                found.yes,
                at_least=question.at_least,
                at_most=question.at_most,
            )
    return told(found.limit)


def _found(question: SolveAsked, given: dict[str, Any], client: Client | None) -> SolveAnswer:
    table_mb = given["table_mb"]
    if client is None:
        return solve_answer(question, budget_of(given), Engine(table_mb * MIB), lambda: Solver(table_mb))
    return client.ask(question, timeout=given["timeout"], max_nodes=given["max_nodes"])


def _every_strain(asked: Asked, given: dict[str, Any]) -> int:
    refuse(("at_least", "at_most", "line", "relevant", "play"), "needs a --trump")
    deal, client = asked.played_deal(), remote()
    out, limit = interruptible(lambda: _table(asked, deal, given, client))
    if given["as_json"]:
        click.echo(json.dumps(out))
    elif not limit or given["bounds"]:
        from tierce.cli import show

        first = asked.first_leader(len(deal.hands))
        show.strains(Position.start(deal, NOTRUMP, first), first, out)
    return told(limit)


def _table(asked: Asked, deal: Deal, given: dict[str, Any], client: Client | None) -> tuple[Json, LimitReached | None]:
    if client is None:
        return every_strain(asked, deal, budget_of(given), Engine(given["table_mb"] * MIB))
    asked.query_for(deal, NOTRUMP)  # what is wrong with it is said as it is without a server
    return client.table(asked, timeout=given["timeout"], max_nodes=given["max_nodes"])
