"""`tierce batch exchange`: strategies of the exchange over many deals."""

from __future__ import annotations

from typing import Any

import click

from tierce.cli.batch_asking import (
    as_usage,
    deals_of,
    deals_options,
    game_of,
    lines_from,
    seat_option,
    tricks_of,
    tricks_option,
)
from tierce.cli.batch_running import begin, beginning_options, check_room, find_modules_here, running_options
from tierce.cli.games import game_options
from tierce.solver.batch.columns import columns_help
from tierce.solver.cards import parse_seat

_HELP = f"""\b
Strategies of the exchange: what to send. Every strategy meets the same deals;
the dealer replies, and the floors after it are exact.

\b
  tierce batch exchange --previous 10/4/2 --strategy lowest \\
  --strategy short-suit --deals 2000 --seed 1 --out run.parquet
  tierce batch exchange --previous 10/4/2 --strategy mypkg.mine:parcel \\
  --strategy lowest --from deals.txt --reply exact --out run.parquet

--previous says what dealer, eldest and middle took in the deal before, in the
seats they had then. Deals are those of 'tierce deal', or deal texts as they lie
when the exchange begins.

\b
--strategy
  lowest      the lowest cards
  short-suit  the lowest of the shortest suit: makes a void
  keep-long   the lowest outside the suit that is likely to be trump
  spread      the lowest, each from another suit
  random      any cards
  exact       omniscient: the best against the best reply, all hands seen; it
              takes a minute or two a deal
  package.module:function     one of your own, or one that is registered as an
              entry point tierce.strategies: called with the sender's view and
              the parcels due, it returns a mask of cards for each; see
              tierce.solver.batch.strategies

\b
--reply
  quick       by a measure of the dealer's own hand (default)
  longest     the longest suit
  random      any
  exact       omniscient: his best, all hands seen
  package.module:function     as above, entry point tierce.dealer_strategies

A strategy that fails leaves a row with an error, and the exit code 65.

\b
Columns (schema tierce-exchange-study-1)
{columns_help("exchange")}
"""


@click.command("exchange", help=_HELP, short_help="Strategies of the exchange.")
@game_options
@tricks_option("--previous", "Tricks in the deal before: 10/4/2.", required=True)
@tricks_option("--previous-quota", "What was owed there (default: the game's quotas).")
@seat_option("--first-over", "Who was first over his quota there.")
@deals_options
@seat_option("--sender", "Whose parcels are studied (default: the first to send).")
@click.option("--others", default="lowest", show_default=True, metavar="NAME", help="The strategy of another sender.")
@click.option("--reply", default="quick", show_default=True, metavar="NAME", help="The strategy of the dealer.")
@beginning_options
@running_options
def command(**given: Any) -> int:
    """See _HELP."""
    return as_usage(lambda: _study(given))


def _study(given: dict[str, Any]) -> int:
    from tierce.cli.exchange_asking import exchanging, of_text
    from tierce.solver.batch.studies import Study
    from tierce.solver.games.dealing import random_deal

    table = check_room(given)
    find_modules_here()
    profile, game = game_of(given)
    exchanging(profile)
    quotas, first = given["previous_quota"], given["first_over"]
    before: dict[str, Any] = {
        "previous": tricks_of(given["previous"]),
        "previous_quotas": None if quotas is None else tricks_of(quotas),
        "first_over": None if first is None else parse_seat(first, 3),
    }
    probe = of_text(
        profile, str(random_deal(profile, 0)), before["previous"], before["previous_quotas"], before["first_over"]
    )
    sender = probe.transfers[0].sender if given["sender"] is None else parse_seat(given["sender"], 3)
    study = Study(
        kind="exchange",
        chunk=given["chunk"],
        strategies=given["strategies"],
        sender=sender,
        others=given["others"],
        reply=given["reply"],
        **game,
        **before,
        **deals_of(given),
    )
    with lines_from(given["source"], some=True) as lines:
        return begin(study, given, table, lines)
