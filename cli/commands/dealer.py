"""`tierce dealer`: the dealer's best trump and discard; JSON lines and --hidden have modules of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from tierce.cli.dealer_asking import (
    Decision,
    calls_of,
    chosen_of,
    chosen_parts,
    from_file,
    from_stdin,
    is_deal,
    is_proved,
    of_records,
    of_text,
    same_game,
)
from tierce.cli.exits import OK
from tierce.cli.games import game_options, profile_of
from tierce.cli.hidden_asking import check_options, hidden_options
from tierce.cli.options import SECONDS_MAX, json_option, processors, refuse, table_option
from tierce.cli.progress import Gauge, gauge
from tierce.cli.questions import told
from tierce.cli.remote import refuse_at_server, remote
from tierce.cli.values import FileName, Number, judged
from tierce.solver.advice.values import TRICKS_MAX, Kind, check_kind
from tierce.solver.batch.many import SHARES
from tierce.solver.errors import InputError, LimitReached
from tierce.solver.query import Limits
from tierce.solver.results import stopped

if TYPE_CHECKING:
    from tierce.cli.remote_searches import RemoteDealerSearch
    from tierce.solver.advice.dealer import DealerSearch
    from tierce.solver.advice.dealer_results import DealerAdvice
    from tierce.solver.games import Record

TOP = 10
TOP_OF_OTHERS = 3  # classes of discards, for calls that are not the best

_HELP = """\b
The dealer's decision: which trump, which discard. Exactly, all cards seen; or
with --hidden an estimate from his own cards.

\b
  tierce dealer --game raf --chosen "H: S8 DJ C3 C2" \\
  "D:J863.KQT986.QJT.A32 AKQ752.J7.7653.KJ96 T9.A53.AK9842.Q8754 / 4.42..T"
  tierce dealer match.json --deal 1      a record: the decision as it came up
  tierce dealer match.json --target 9    what guarantees 9 tricks?
  tierce dealer --batch dealers.jsonl --one
  tierce dealer --hidden --worlds 20 --sent "E:H7" --got "E:HK" \\
  "KQ2.KQT984.2.AKQ753"

Hands are those after the exchange. A record (JSON or PBN) is cut at the
dealer's first decision, and what he chose is valued, too; - is stdin.

\b
--value of a choice:
  floor     what the dealer is sure of against both others (default)
  share     his fair share: the floor and a third of what no floor covers
  ceiling   the floor and all that no floor covers
  pair:DE, pair:DM     what he takes with eldest or middle as his partner
MIZ (no trump, the dealer tries to take few) has one value: the most he can be
made to take. A balance is the tricks over the quota, that is over what is
owed; in MIZ the tricks under what is allowed.

\b
--out with --all writes a row a choice, with the columns
  trump     S H D C, N or MIZ
  discard   as a hand, such as ".87..Q4"
  swap      true or false, only where the dealer may take the up-card
  tricks    the value that --value asks for, whichever it is

\b
--hidden takes the dealer's hand after the exchange, a deal (of which it looks
at that hand alone) or a record, and draws worlds that fit what he knows, for
some --seconds or so many --worlds; the same --seed and --worlds give the same
answer. What a typed hand does not tell:
  --sent, --got           what he sent, by seat, and what came back: 'E:H7'
  --received, --returned  what he was sent, and what he gave back
  --others                'E:2': eldest sent middle two cards he did not see
  --calls H               the trump is named; the hand holds the kitty
A card that lies face up stands behind the hand: '<hand> / ..5.'.

\b
A line of a --batch file is a JSON object with the fields
  deal      as above; the others may be left out
  id        text or a number, comes back (else the line's number)
  chosen, target, calls     as the options
"""


@click.command("dealer", help=_HELP, short_help="The dealer's best trump and discard.")
@click.argument("deal", metavar="[DEAL|FILE]", required=False)
@game_options
@click.option("--deal", "number", type=Number(int, 1), metavar="N", help="Of a record: which deal (default: the last).")
@click.option("--calls", metavar="CALLS", help="Calls still open in a game with calls: 'H,N,MIZ' (default: all).")
@click.option(
    "--value",
    "kind",
    callback=judged(check_kind),
    default="floor",
    show_default=True,
    metavar="VALUE",
    help="What a choice is worth: floor, share, ceiling, pair:DE or pair:DM.",
)
@click.option("--target", type=Number(float, 0, TRICKS_MAX), metavar="K", help="Which choices reach K tricks?")
@click.option(
    "--chosen",
    callback=judged(chosen_parts),
    metavar="CHOICE",
    help="What was chosen: 'S: .87..Q4', 'S: H8 H7 CQ C4'; where nothing is laid away 'S', 'S: swap'.",
)
@click.option("--one", is_flag=True, help="One best discard for each trump: faster.")
@click.option("--all", is_flag=True, help="The value of every choice.")
@click.option("--out", type=FileName(), metavar="FILE", help="With --all: write a .csv, .jsonl or .parquet file.")
@click.option(
    "--top",
    type=Number(int, 1),
    default=TOP,
    metavar="N",
    help=f"Discards (text: classes) told a trump (default {TOP}; text: {TOP_OF_OTHERS} where it is not the best).",
)
@click.option("--all-discards", is_flag=True, help="Tell all of them.")
@click.option("--batch", type=FileName(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option(
    "--timeout", type=Number(float, 1e-9, SECONDS_MAX), metavar="SECONDS", help="Give a decision up after so long."
)
@click.option("--threads", type=Number(int, 1), metavar="N", help=f"Threads (default: all cores; {SHARES} at most).")
@table_option
@hidden_options
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    _check(given)
    if given["hidden"]:
        from tierce.cli.commands.dealer_hidden import hidden

        return hidden(given)
    if given["batch"] is not None:
        from tierce.cli.commands.dealer_batch import batch

        return batch(given)
    decision = _decision(given)
    return _answer(decision, given)


def _check(given: dict[str, Any]) -> None:
    """Refuse options that do not go together, before anything is read."""
    if (given["deal"] is None) == (given["batch"] is None):
        found = "neither" if given["deal"] is None else "both"
        raise click.UsageError(f"expected a deal, a record's file or --batch, found {found}")
    check_options(given)
    refuse_at_server("game_file", "table_mb", "threads")
    if given["one"] and given["all"]:
        raise click.UsageError("expected --one or --all, found both")
    if given["target"] is not None and (given["one"] or given["all"]):
        raise click.UsageError("--target asks of every discard whether it reaches K: it goes without --one and --all")
    if given["out"] is not None:
        from tierce.cli.out import check_table

        if not given["all"]:
            raise click.UsageError("--out writes the value of every choice: it goes with --all")
        check_table(given["out"])


# ---- what is asked ---------------------------------------------------------------------------------------------------


def _decision(given: dict[str, Any]) -> Decision:
    if is_deal(given["deal"]):
        return _of_text(given["deal"], given)
    source = from_stdin() if given["deal"] == "-" else from_file(given["deal"])
    return _of_text(source, given) if isinstance(source, str) else _of_records(source, given)


def _of_text(text: str, given: dict[str, Any]) -> Decision:
    refuse_number(given)
    profile = profile_of(given["game"], given["game_file"], given["options"])
    calls = () if given["calls"] is None else typed_calls(given["calls"])
    try:
        return of_text(profile, text, calls)
    except InputError as error:
        if error.field == "calls":
            raise click.UsageError(error.message, click.get_current_context()) from None
        raise


def refuse_number(given: dict[str, Any]) -> None:
    """--deal picks a deal of a record."""
    if given["number"] is not None:
        raise click.UsageError("--deal goes with a record's file")


def typed_calls(text: str) -> tuple[str, ...]:
    """The calls of the option; what are none is wrong usage."""
    try:
        return calls_of(text)
    except InputError as error:
        raise click.UsageError(f"invalid value for '--calls': {error.message}", click.get_current_context()) from None


def _of_records(records: tuple[Record, ...], given: dict[str, Any]) -> Decision:
    refuse(("calls",), "does not go with a record, which says what is still open")
    if given["game_file"] is not None or given["options"]:
        name = "--option" if given["options"] else "--game-file"
        raise click.UsageError(f"{name} does not go with a record, which says what is played")
    same_game(records, given["game"])
    return of_records(records, given["number"])


def search_of(decision: Decision, given: dict[str, Any]) -> DealerSearch | RemoteDealerSearch:
    """The search for a decision; of what a record says was chosen, only what has a value of the kind asked for."""
    from tierce.solver.advice.dealer import DealerSearch
    from tierce.solver.advice.values import meant

    kind = cast(Kind, given["kind"])
    chosen = decision.chosen
    if given["chosen"] is not None:
        chosen = chosen_of(given["chosen"], decision.choices)
    elif chosen is not None and chosen[0] not in meant(kind, decision.choices.calls):
        chosen = None
    search = DealerSearch(
        decision.choices,
        kind,
        find="every" if given["all"] else "one" if given["one"] else "best",
        target=_whole(given["target"], kind),
        chosen=chosen,
        limits=Limits(given["timeout"], None),
        threads=min(SHARES, given["threads"] or processors()),
        table_mb=given["table_mb"],
    )
    if (client := remote()) is None:
        return search
    from tierce.cli.remote_searches import RemoteDealerSearch

    return RemoteDealerSearch(client, search, chosen, given["timeout"])


def _whole(target: float | None, kind: Kind) -> float | None:
    """A target; of tricks that are no shares a whole number. InputError (field "target")."""
    if target is None or target != int(target):
        if target is not None and kind != "share":
            message = f"expected a whole number of tricks where the value is no share, found {target}"
            raise InputError("target", message, field="target")
        return target
    return int(target)


# ---- what is answered ------------------------------------------------------------------------------------------------


def _answer(decision: Decision, given: dict[str, Any]) -> int:
    search = search_of(decision, given)
    try:
        with gauge() as bar:
            advice = search.run(None if bar is None else lambda: _draw(bar, search), 0.2)
    except KeyboardInterrupt:  # the best so far; then the command ends as it does wherever it is interrupted
        _print(decision, search, search.advice, given, written=False)
        raise
    code = _limit(advice)
    try:
        if given["out"] is not None and code == OK:
            _write(search, given)
    except OSError:  # the answer took its time: it is told all the same
        _print(decision, search, advice, given, written=False)
        raise
    _print(decision, search, advice, given, written=code == OK)
    return code


def _limit(advice: DealerAdvice) -> int:
    limit = stopped(advice.stop) if advice.stop else None
    if limit is not None and not isinstance(limit, LimitReached):
        raise limit
    return told(limit)


def _draw(bar: Gauge, search: DealerSearch | RemoteDealerSearch) -> None:
    """The share of the work done, and the best so far."""
    advice = search.advice
    best = advice.best
    said = ""
    if is_proved(best) and advice.target is None:
        worth = f"{best.tricks:.2f}".removesuffix(".00")
        said = f"best so far {best.call} {worth}"
    bar.show(search.done, said)


def _write(search: DealerSearch | RemoteDealerSearch, given: dict[str, Any]) -> None:
    from tierce.cli.out import write_table
    from tierce.solver.cards import format_hand

    swaps = search.choices.swapper == 0
    tricks: type = float if search.kind == "share" else int
    columns = {"trump": str, "discard": str} | ({"swap": bool} if swaps else {}) | {"tricks": tricks}
    rows = (
        (call, format_hand(choice.discard), *((bool(choice.swap),) if swaps else ()), tricks(value))
        for call, choice, value in search.values()
    )
    write_table(given["out"], columns, rows, {"game": search.choices.profile.id, "value": search.kind})


def _print(
    decision: Decision,
    search: DealerSearch | RemoteDealerSearch,
    advice: DealerAdvice,
    given: dict[str, Any],
    *,
    written: bool,
) -> None:
    most = None if given["all_discards"] else given["top"]
    if given["as_json"]:
        click.echo(json.dumps(advice.json(most)))
        return
    from tierce.cli import dealer_text
    from tierce.cli.render import say

    values = search.values() if given["all"] and not advice.stop else []
    typed = click.get_current_context().get_parameter_source("top") is ParameterSource.COMMANDLINE
    other = most if most is None or typed else TOP_OF_OTHERS
    dealer_text.show(decision, advice, find=search.find, most=(most, other), values=values)
    if given["out"] is not None:
        say(f"{len(values):,} rows in {given['out']}." if written else f"{given['out']} was not written.")
