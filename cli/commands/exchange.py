"""`tierce exchange`: which cards to send; JSON lines and --hidden have modules of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tierce.cli.exchange_asking import (
    Asked,
    asked,
    beside_of,
    check_first_over,
    chosen_of,
    chosen_parts,
    exchanging,
    hand_of,
    refuse_number,
    three,
    typed_previous,
)
from tierce.cli.exits import OK
from tierce.cli.games import game_options, profile_of
from tierce.cli.options import SECONDS_MAX, json_option, refuse, table_option, threads_of
from tierce.cli.progress import Gauge, gauge
from tierce.cli.questions import told
from tierce.cli.remote import refuse_at_server, remote
from tierce.cli.values import FileName, Number, judged
from tierce.solver.advice.values import TRICKS_MAX, kinds_of
from tierce.solver.batch.many import SHARES
from tierce.solver.cards import parse_seat
from tierce.solver.errors import InputError, LimitReached, shown
from tierce.solver.query import Limits
from tierce.solver.results import stopped

if TYPE_CHECKING:
    from tierce.cli.remote_searches import RemoteExchangeSearch
    from tierce.solver.advice.exchange import ExchangeSearch
    from tierce.solver.advice.exchange_results import ExchangeAdvice

TOP = 10
WORLDS_MAX = 1_000_000
SEED_MAX = (1 << 63) - 1

_HELP = """\b
Which cards to send in the exchange. Exactly, all cards seen; or with --hidden
an estimate from the sender's own cards.

\b
  tierce exchange --game six_three_eight --previous 9/6/2 --chosen E:DK \\
  "D:QJ94.AQ9632.AQ6.AT62 8765.854.T532.K87543 AKT3.KJT7.KJ9874.QJ9 / 2..."
  tierce exchange --previous 9/5/2 --hidden --worlds 5 "T9.A53.AK9842.Q8754"

\b
The deal is in today's seats, as it lies when the exchange begins. --previous
has the tricks of the deal before, in ITS seats: dealer, eldest, middle. The
dealer of that deal is middle now, eldest is dealer, middle is eldest.
--previous-record has a file in its place: the match so far (JSON or PBN).

\b
A record in place of the deal is cut where parcels were due, and what was sent
is judged: of the last such deal, or of --deal 2, --sender E. - is stdin.

\b
A reply value is what the sender is sure of at the first card if everybody who
decides after him does what is best for himself: another sender, then the
dealer with trump and discard. What is equally good to them counts against the
sender; "best case" is what he has where it falls out well.

\b
--value of the sender: floor (default), share, ceiling, or as one of a pair
pair:DE, pair:DM, pair:EM. The others go by their floors.

\b
--hidden also takes the sender's hand alone. A card that lies face up, or what
a dealer laid away before the exchange, stands behind it: '<hand> / ..5.'.

\b
--out with --all writes a row for each way to choose parcels, with the columns
  to_d, to_e, to_m     cards sent to a seat, as a hand; empty: none
  from_d, from_e, from_m     what comes back from it
  tricks    the reply value

\b
A line of a --batch file is a JSON object with the fields
  deal, previous     as above
  quotas, first_over, chosen, target     as the options, may be left out
  id        text or a number, comes back (else the line's number)
"""


def _some_kind(text: str) -> None:
    known = list(dict.fromkeys(kind for seat in range(3) for kind in kinds_of(seat)))
    if text not in known:
        raise InputError("value", f"expected a value among {', '.join(known)}, found {shown(text)}", field="value")


@click.command("exchange", help=_HELP, short_help="Which cards to send in the exchange.")
@click.argument("deal", metavar="[DEAL|FILE]", required=False)
@game_options
@click.option(
    "--previous", callback=judged(three), metavar="D/E/M", help="Tricks of the deal before, in its seats: 10/4/2."
)
@click.option(
    "--previous-quota",
    callback=judged(three),
    metavar="D/E/M",
    help="Tricks owed then, where they were others: 10/4/2.",
)
@click.option(
    "--first-over",
    callback=judged(lambda text: parse_seat(text, 3)),
    metavar="SEAT",
    help="The seat of that deal that was first over its quota, where that settles who sends first.",
)
@click.option("--previous-record", type=FileName(), metavar="FILE", help="The match so far, in place of these.")
@click.option("--deal", "number", type=Number(int, 1), metavar="N", help="Of a record: which deal (default: the last).")
@click.option(
    "--sender",
    callback=judged(lambda text: parse_seat(text, 3)),
    metavar="SEAT",
    help="Of a record: whose parcels (default: the first to send).",
)
@click.option(
    "--value",
    "kind",
    callback=judged(_some_kind),
    default="floor",
    show_default=True,
    metavar="VALUE",
    help="What counts for the sender.",
)
@click.option("--target", type=Number(float, 0, TRICKS_MAX), metavar="K", help="Which parcels make sure of K tricks?")
@click.option("--chosen", callback=judged(chosen_parts), metavar="PARCELS", help="What was sent: 'E:H7 D:C2', 'H7 C2'.")
@click.option("--all", is_flag=True, help="The exact value of every way.")
@click.option("--out", type=FileName(), metavar="FILE", help="With --all: write a .csv, .jsonl or .parquet file.")
@click.option(
    "--top", type=Number(int, 1), default=TOP, show_default=True, metavar="N", help="Ways (text: classes) told."
)
@click.option("--all-parcels", is_flag=True, help="Tell all of the best.")
@click.option("--batch", type=FileName(), metavar="FILE", help="JSON lines in, JSON lines out; - is stdin.")
@click.option("--hidden", is_flag=True, help="Estimate from what the sender knows: only his own cards.")
@click.option(
    "--seconds", type=Number(float, 1e-3, SECONDS_MAX), metavar="S", help="With --hidden: for so long (default 10)."
)
@click.option("--worlds", type=Number(int, 1, WORLDS_MAX), metavar="N", help="With --hidden: so many random worlds.")
@click.option("--seed", type=Number(int, 0, SEED_MAX), metavar="N", help="With --hidden: which ones (1).")
@click.option(
    "--by",
    type=click.Choice(["mean", "quota", "twelve"]),
    help="With --hidden: best by mean tricks (default), or by a chance.",
)
@click.option(
    "--omniscient-reply",
    is_flag=True,
    help="With --hidden: the dealer sees all cards when he names trump and discards.",
)
@click.option(
    "--timeout", type=Number(float, 1e-9, SECONDS_MAX), metavar="SECONDS", help="Give a decision up after so long."
)
@click.option("--threads", type=Number(int, 1), metavar="N", help=f"Threads (default: all cores; {SHARES} at most).")
@table_option
@json_option
def command(**given: Any) -> int:
    """See _HELP."""
    _check(given)
    if given["hidden"]:
        return _hidden(given)
    if given["batch"] is not None:
        from tierce.cli.commands.exchange_batch import batch

        return batch(given)
    decision = asked(given)
    return _answer(decision, search_of(decision, given), given)


_HIDDEN_ALONE = ("seconds", "worlds", "seed", "by", "omniscient_reply")
_KNOWN_ALONE = ("target", "all", "out", "all_parcels", "batch", "timeout")


def _check(given: dict[str, Any]) -> None:
    """Refuse options that do not go together, before anything is read."""
    if (given["deal"] is None) == (given["batch"] is None):
        found = "neither" if given["deal"] is None else "both"
        raise click.UsageError(f"expected a deal, a record's file or --batch, found {found}")
    refuse_at_server("game_file", "table_mb", "threads")
    if given["hidden"]:
        refuse(_KNOWN_ALONE, "does not go with --hidden")
        if given["kind"] != "floor":
            raise click.UsageError("--value does not go with --hidden, which estimates floors")
        if given["seconds"] is not None and given["worlds"] is not None:
            raise click.UsageError("expected --seconds or --worlds, found both")
    else:
        refuse(_HIDDEN_ALONE, "goes with --hidden")
    if given["target"] is not None and given["all"]:
        raise click.UsageError("--target asks of every way whether it reaches K: it goes without --all")
    if given["out"] is not None:
        from tierce.cli.out import check_table

        if not given["all"]:
            raise click.UsageError("--out writes the value of every way: it goes with --all")
        check_table(given["out"])


def _hidden(given: dict[str, Any]) -> int:
    """An estimate from what the sender knows: of a hand alone, or cut from a deal or a record."""
    from tierce.cli.commands.exchange_hidden import hidden
    from tierce.solver.advice.sender_views import sender_view
    from tierce.solver.advice.sending import sender_of
    from tierce.solver.games.view import view

    held = hand_of(given["deal"])
    if held is not None:
        refuse_number(given)
        refuse(("sender", "previous_record"), "does not go with a hand alone")
        profile = exchanging(profile_of(given["game"], given["game_file"], given["options"]))
        previous = typed_previous(given)
        check_first_over(profile, previous["first_over"])
        hand, cards = held
        beside = beside_of(profile, cards)
        up_card, discard = beside.get("up_card", 0), beside.get("discard", 0)
        return hidden(sender_view(profile, hand, **previous, up_card=up_card, discard=discard), given)
    decision = asked(given)
    chosen = decision.chosen if given["chosen"] is None else chosen_of(given["chosen"], decision.state)
    return hidden(view(decision.state, sender_of(decision.state)), given | {"chosen": chosen})


def search_of(decision: Asked, given: dict[str, Any]) -> ExchangeSearch | RemoteExchangeSearch:
    """The search for a decision."""
    from tierce.solver.advice.exchange import ExchangeSearch, FindWays

    target, kind = given["target"], given["kind"]
    if target is not None and kind != "share" and target != int(target):
        message = f"expected a whole number of tricks where the value is no share, found {target}"
        raise InputError("target", message, field="target")
    chosen = decision.chosen if given["chosen"] is None else chosen_of(given["chosen"], decision.state)
    find: FindWays = "every" if given["all"] else "best"
    search = ExchangeSearch(
        decision.state,
        kind,
        find=find,
        target=target,
        chosen=chosen,
        top=given["top"],
        limits=Limits(given["timeout"], None),
        threads=threads_of(given),
        table_mb=given["table_mb"],
    )
    if (client := remote()) is None:
        return search
    from tierce.cli.remote_searches import RemoteExchangeSearch

    return RemoteExchangeSearch(
        client, search.advice, decision.state, find=find, chosen=chosen, top=given["top"], timeout=given["timeout"]
    )


# ---- what is answered ------------------------------------------------------------------------------------------------


def _answer(decision: Asked, search: ExchangeSearch | RemoteExchangeSearch, given: dict[str, Any]) -> int:
    try:
        with gauge("exchange") as bar:
            advice = search.run(None if bar is None else lambda: _draw(bar, search), 0.2)
    except KeyboardInterrupt:  # the best so far; then the command ends as it does wherever it is interrupted
        _print(decision, search.advice, given, written=False)
        raise
    code = _limit(advice)
    try:
        if given["out"] is not None and code == OK:
            _write(advice, given)
    except OSError:  # the answer took its time: it is told all the same
        _print(decision, advice, given, written=False)
        raise
    _print(decision, advice, given, written=code == OK)
    return code


def _limit(advice: ExchangeAdvice) -> int:
    limit = stopped(advice.stop) if advice.stop else None
    if limit is not None and not isinstance(limit, LimitReached):
        raise limit
    return told(limit)


def _draw(bar: Gauge, search: ExchangeSearch | RemoteExchangeSearch) -> None:
    """The share of the work done, and the best so far."""
    best = search.advice.best
    worth = f"{best[0].tricks:.2f}".removesuffix(".00") if best else ""
    bar.show(search.done, f"best so far {worth}" if worth else "")


def _write(advice: ExchangeAdvice, given: dict[str, Any]) -> None:
    from tierce.cli.out import write_table
    from tierce.solver.cards import format_hand

    tricks: type = float if advice.kind == "share" else int
    columns = {f"{what}_{seat}": str for what in ("to", "from") for seat in "dem"} | {"tricks": tricks}

    def rows() -> Any:
        for each in advice.ways:
            cells = [""] * 6
            for made in each.way.sends:
                cells[made.receiver] = format_hand(made.sent)
                cells[3 + made.receiver] = format_hand(made.returned) if made.returned else ""
            yield (*cells, tricks(each.tricks))

    about = {"game": advice.state.profile.id, "value": advice.kind, "sender": "DEM"[advice.sender]}
    write_table(given["out"], columns, rows(), about)


def _print(decision: Asked, advice: ExchangeAdvice, given: dict[str, Any], *, written: bool) -> None:
    most = None if given["all_parcels"] else given["top"]
    if given["as_json"]:
        click.echo(json.dumps(advice.json(most)))
        return
    from tierce.cli import exchange_text
    from tierce.cli.render import say

    exchange_text.show(advice, place=decision.place, most=most, every=given["all"])
    if given["out"] is not None:
        say(f"{len(advice.ways):,} rows in {given['out']}." if written else f"{given['out']} was not written.")
